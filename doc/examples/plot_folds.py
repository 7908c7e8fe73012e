"""
ROC and cost curves of the folds of a cross-validation
======================================================

Five folds give five ROC curves. Drawing them, or their mean with a standard deviation, is
common, but the meaning of that standard deviation is unclear. Here each fold's curve is drawn,
and the band is for all the out-of-fold scores together.
"""

# %%
# The wine data, reduced to a hard question: is a wine from the second cultivar, by two of its
# measurements? The score of every wine comes from the one model that was not fitted on it.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import CostCurveDisplay, ROCConfidenceDisplay, bootstrap_auc

data = load_wine(as_frame=True)
X, y = data.data[["magnesium", "malic_acid"]], np.where(data.target == 1, "second", "other")
model = make_pipeline(StandardScaler(), LogisticRegression())
folds = StratifiedKFold(5, shuffle=True, random_state=0)
cv_results = cross_validate(
    model, X, y, cv=folds, scoring="roc_auc", return_estimator=True, return_indices=True
)
print("AUC of each fold:", cv_results["test_score"].round(3))

# %%
# The folds are the thin lines, the pooled scores the thick one with its band. The cost curves
# are envelopes, each with the thresholds that are best for its own few wines, which is why
# most of the folds look cheaper than all of them together.

figure, (upper, lower) = plt.subplots(2, figsize=(5, 8.6), layout="constrained")
ROCConfidenceDisplay.from_cv_results(cv_results, X, y, ax=upper, despine=True)
CostCurveDisplay.from_cv_results(cv_results, X, y, ax=lower, despine=True)
plt.show()
# sphinx_gallery_alt = "Above, five thin ROC curves and the pooled one with its band. Below, the same for cost curves."

# %%
# Three numbers that are easily confused: the standard deviation over folds, the same divided by
# the root of their number, and the standard error of the pooled AUC.

out_of_fold = np.empty(len(y))
for estimator, test in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
    out_of_fold[test] = estimator.predict_proba(X.iloc[test])[:, 1]
pooled = bootstrap_auc(y, out_of_fold, pos_label="second")
scatter = cv_results["test_score"].std(ddof=1)
print(
    f"mean AUC of the folds {cv_results['test_score'].mean():.3f}, pooled {float(pooled):.3f}"
)
print(f"standard deviation of the folds {scatter:.3f}")
print(f"the same over the root of five {scatter / np.sqrt(5):.3f}")
print(f"standard error of the pooled AUC {pooled.standard_error:.3f}")

# %%
# **To conclude.** A fold has few wines, so its curve is rough and its AUC varies much, as the
# scatter of the folds shows. The band describes the variation over other wines, scored by the
# same five models.
#
# **Not to conclude.** That the band describes the training procedure. Another training set
# would have given other models, and one cross-validation has no unbiased estimate of this
# variance. Pooling also assumes that a score of 0.6 has the same meaning in every fold, which
# is reasonable for calibrated probabilities; otherwise the pooled AUC is below the mean of the
# folds.
