"""
The AUCs of ten classes, with intervals
=======================================

Ten classes have one AUC each, against the rest, and averages of these AUCs. Here all are drawn
with their intervals, and two models are compared by the average.
"""

# %%
# Two simple models for scikit-learn's digits, using every eighth pixel only, so that there are
# errors. Half of the digits are for training.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import ROCConfidenceDisplay, bootstrap_auc, bootstrap_auc_difference

X, y = load_digits(return_X_y=True)
X, train = X[:, 3::8], np.arange(len(y)) % 2 == 0
logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
logistic.fit(X[train], y[train])
bayes = GaussianNB().fit(X[train], y[train])
a, b = (model.predict_proba(X[~train]) for model in (logistic, bayes))
y = y[~train]

# %%
# Each digit against all others. The fives have the lowest AUC.

digits = {k: bootstrap_auc(y == k, a[:, k]) for k in range(10)}
for k, auc in digits.items():
    low, high = auc.confidence_interval()
    print(f"{k} against the rest: {auc:.3f} [{low:.3f}, {high:.3f}]")

# %%
# The average over the digits, as in scikit-learn, and over all pairs of digits; its variance
# accounts for the fact that each digit is compared with many others. Do the two models differ?

for how in ("ovr", "ovo"):
    print(how, bootstrap_auc(y, a, multi_class=how))
difference = bootstrap_auc_difference(y, a, b, multi_class="ovr")
low, high = difference.confidence_interval()
print(f"difference {difference:.3f} [{low:.3f}, {high:.3f}], p = {difference.pvalue():.2g}")

# %%
# The best and the worst of them on one pair of axes. Given the scores of all classes,
# ``from_predictions(y, a)`` draws all ten; ``pos_label`` picks one.

figure, ax = plt.subplots(figsize=(5, 5), layout="constrained")
for k in (
    min(digits, key=lambda k: float(digits[k])),
    max(digits, key=lambda k: float(digits[k])),
):
    ROCConfidenceDisplay.from_predictions(y, a, pos_label=k, name="Logistic regression", ax=ax)
ax.set(xlabel="False Positive Rate", ylabel="True Positive Rate")
plt.show()
# sphinx_gallery_alt = "ROC curves with bands of the digits that are easiest and hardest to tell from all others."

# %%
# **To conclude.** How well each digit, and the average, is ranked on digits like these, and
# that the difference of the two models is more than chance.
#
# **Not to conclude.** That the digit with the highest AUC is the one most often labelled
# correctly: an AUC does not depend on thresholds or labels.
