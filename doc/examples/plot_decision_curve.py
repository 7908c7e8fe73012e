"""
The decision curves of two models
=================================

Whether a model should be used depends on the weight of a missed case relative to a needless
treatment. A decision curve shows the net benefit for every such weight, together with treating
everybody and treating nobody.
"""

# %%
# Two models that predict risks for the same cases.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from skcostci import DecisionCurveDisplay, bootstrap_metric_difference

X, y = make_classification(
    1200, weights=[0.8], flip_y=0.1, n_informative=4, class_sep=0.8, random_state=1
)
X_fit, X_test, y_fit, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
models = {
    "Logistic regression": LogisticRegression(),
    "Random forest": RandomForestClassifier(min_samples_leaf=10, random_state=0),
}
risks = {
    name: model.fit(X_fit, y_fit).predict_proba(X_test)[:, 1] for name, model in models.items()
}

# %%
# Both curves on the same axes. The relevant threshold probabilities are those that a clinician
# might choose, here up to one half.

thresholds = np.arange(1, 51) / 100
outcome = np.where(y_test, "ill", "well")
figure, ax = plt.subplots()
for name, risk in risks.items():
    DecisionCurveDisplay.from_predictions(
        outcome, risk, thresholds=thresholds, pos_label="ill", name=name, ax=ax
    )
plt.show()
# sphinx_gallery_alt = "Net benefit of two models with bands, of treating all and of treating none."

# %%
# Overlapping bands do not mean that two models cannot be distinguished: the difference is
# paired, and therefore has less uncertainty than either curve.

difference = bootstrap_metric_difference(
    y_test, *risks.values(), "net_benefit", thresholds=thresholds
)
low, high = difference.confidence_interval()
figure, ax = plt.subplots()
ax.plot(thresholds, difference.estimate, label=" - ".join(risks))
ax.fill_between(thresholds, low, high, alpha=0.2, label="95 % confidence band (pointwise)")
ax.axhline(0, color="0.5", linewidth=1)
ax.set(xlabel="Threshold probability", ylabel="Difference in net benefit")
ax.legend()
plt.show()
# sphinx_gallery_alt = "The difference in net benefit of two models, with its band."

# %%
# At a threshold of one fifth, a needless treatment weighs a quarter of a missed case.

one = bootstrap_metric_difference(y_test, *risks.values(), "net_benefit", thresholds=0.2)
low, high = one.confidence_interval()
print(f"difference {float(one):.3f}, 95 % interval {low:.3f} to {high:.3f}")
print(f"p = {one.pvalue():.1g}")

# %%
# **To conclude.** For which weights one model would have served patients like these better, and
# by how many true positives per case.
#
# **Not to conclude.** That a model is useful where its curve lies above both lines but the band
# does not. Bands are pointwise: at some of many thresholds they exclude 0 by chance.
