"""
Which model has the higher sensitivity at 95 % specificity?
===========================================================

A guideline allows one healthy person in twenty to be called back. What share of the malignant
tumours does each model then find, with which uncertainty, and is the difference between the
models significant?
"""

# %%
# Two models with the same ten measurements of the breast cancer data, fitted on one half and
# evaluated on the other.

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import ROCConfidenceDisplay, bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr

data = load_breast_cancer()
diagnosis = data.target_names[data.target]
X_fit, X_test, y_fit, y_test = train_test_split(
    data.data[:, :10], diagnosis, test_size=0.5, stratify=diagnosis, random_state=0
)
models = {
    "Logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "Naive Bayes": GaussianNB(),
}
scores = {
    name: model.fit(X_fit, y_fit).predict_proba(X_test)[:, 1] for name, model in models.items()
}

# %%
# 95 % specificity is a false-positive rate of 0.05 on the linearly interpolated ROC curve.

for name, y_score in scores.items():
    sensitivity = bootstrap_roc_at_fpr(y_test, y_score, fpr=0.05, pos_label="malignant")
    low, high = sensitivity.confidence_interval(0.95)
    print(f"{name} at FPR {sensitivity.fpr:.4f}:", end=" ")
    print(f"{float(sensitivity):.3f} (95 % interval {low:.3f} to {high:.3f})")

# %%
# Do not compare the two intervals. Both models are evaluated on the same malignant cases, and
# the same benign cases determine both thresholds. The interval of the difference accounts for
# this correlation.

gain = bootstrap_roc_difference_at_fpr(
    y_test, *scores.values(), fpr=0.05, pos_label="malignant"
)
print(
    "difference {:.3f} (95 % interval {:.3f} to {:.3f})".format(
        float(gain), *gain.confidence_interval(0.95)
    )
)

# %%
# The relevant part of the ROC curves. Each band is for fixed false-positive rates; the dotted
# line marks the rate used above.

figure, ax = plt.subplots(figsize=(5, 4.4), layout="constrained")
for name, model in models.items():
    ROCConfidenceDisplay.from_estimator(
        model, X_test, y_test, pos_label="malignant", name=name, ax=ax
    )
ax.axvline(gain.fpr, color="0.3", linewidth=1, linestyle=":")
ax.set(xlim=(0, 0.3), ylim=(0.4, 1), aspect="auto")
plt.show()
# sphinx_gallery_alt = "The left part of two ROC curves with bands; a line marks a false-positive rate of 0.05."

# %%
# **To conclude.** The sensitivity of either model at 95 % specificity, with the uncertainty of
# both the tumours found and the threshold that reaches 95 %. The interval of the difference
# contains 0: these cases do not show which model is better at this specificity.
#
# **Not to conclude.** That the threshold estimated from this test set has 95 % specificity. The
# band is for the curve at a false-positive rate, whatever the threshold; the specificity of a
# fixed threshold is itself uncertain (:func:`~skcostci.bootstrap_roc_at_threshold`).
