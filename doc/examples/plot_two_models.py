"""
Two models on a clinical set
============================

For which costs and class mixes is one measurement a cheaper test for a malignant tumour than another?
"""

# %%
# Texture and smoothness of the cells, as scikit-learn's breast-cancer set has them, serve as scores.
from sklearn.datasets import load_breast_cancer

from skcostci import PairedCostDifferenceDisplay

X, target = load_breast_cancer(return_X_y=True)
malignant, texture, smoothness = target == 0, X[:, 1], X[:, 4]

# %%
# Where the band leaves out zero, one of them is significantly cheaper at that operating condition.
display = PairedCostDifferenceDisplay.from_predictions(malignant, texture, smoothness)
