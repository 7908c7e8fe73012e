"""
Are the predicted probabilities of a model calibrated?
======================================================

Naive Bayes assumes independent measurements; where they are dependent, its probabilities are
too extreme. A logistic regression of the same measurements does not have this fault. The band
shows which of the two deviations may be due to chance.
"""

# %%
# Two models of the same cases.

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from skcostci import (
    CalibrationConfidenceDisplay,
    bootstrap_calibration,
    bootstrap_loss_difference,
)

X, y = make_classification(
    4000,
    n_features=12,
    n_informative=3,
    n_redundant=8,
    flip_y=0.1,
    class_sep=0.6,
    random_state=3,
)
X_fit, X_test, y_fit, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
models = [GaussianNB().fit(X_fit, y_fit), LogisticRegression().fit(X_fit, y_fit)]

# %%
# The band contains the share with the event at all risks at once with 95 % confidence, if that
# share does not decrease as the risk increases. Where the band excludes the dotted line, the
# probabilities are miscalibrated.

figure, axes = plt.subplots(1, 2, figsize=(9, 4.4), sharey=True, layout="constrained")
for ax, model in zip(axes, models, strict=True):
    CalibrationConfidenceDisplay.from_estimator(model, X_test, y_test, ax=ax)
axes[1].set_ylabel("")
plt.show()
# sphinx_gallery_alt = "Two calibration curves with bands. That of naive Bayes leaves the diagonal, that of the logistic regression contains it."

# %%
# The p-value belongs to the picture: the band at the level 1 - p is the first to exclude the
# line. On average both models may be calibrated; the Brier score measures the loss from
# probabilities that are too extreme.

risks = [model.predict_proba(X_test)[:, 1] for model in models]
for model, risk in zip(models, risks, strict=True):
    found = bootstrap_calibration(y_test, risk)
    low, high = found.observed_expected.confidence_interval()
    print(f"{type(model).__name__}: p = {found.pvalue():.2g}, O/E {low:.2f} to {high:.2f}")
low, high = bootstrap_loss_difference(y_test, *risks).confidence_interval()
print(f"Brier score, naive Bayes minus logistic regression: {low:.3f} to {high:.3f}")

# %%
# **To conclude.** That the probabilities of a model are miscalibrated, and at which risks; the
# result is adjusted for all risks.
#
# **Not to conclude.** That they are calibrated where the band contains the line: with few cases
# it contains many other curves. If the probability of an event may decrease as the risk
# increases, use ``bins``.
