"""
What do the folds of a cross-validation say together?
=====================================================

Five folds give five ROC curves. Drawing them, or their mean with a standard deviation, is common; what is uncertain
about what is harder to say. Here each fold's curve stays in the picture, and the band is that of all the out-of-fold
scores together.
"""

# %%
# The wine data, reduced to a hard question: is a wine from the second cultivar, judged by two of its measurements?
# Every wine gets its score from the one model that has not seen it.

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import CostCurveDisplay, ROCConfidenceDisplay

data = load_wine(as_frame=True)
X, y = data.data[["magnesium", "malic_acid"]], (data.target == 1).astype(int)
model = make_pipeline(StandardScaler(), LogisticRegression())
folds = StratifiedKFold(5, shuffle=True, random_state=0)
cv_results = cross_validate(model, X, y, cv=folds, scoring="roc_auc", return_estimator=True, return_indices=True)
print("AUC of each fold:", cv_results["test_score"].round(3))

# %%
figure, ax = plt.subplots(figsize=(6, 5.5), layout="constrained")
display = ROCConfidenceDisplay.from_cv_results(cv_results, X, y, ax=ax, despine=True)
plt.show()
