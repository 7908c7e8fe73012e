"""
Which regression is better, by a metric of your own?
====================================================

The pinball loss measures how well a model predicts a quantile. Any function of truth,
prediction and weights has an interval.
"""

# %%
# Three models predict the 0.8 quantile of a patient's disease progression. Each is evaluated on
# cases on which it was not fitted.

from functools import partial

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, QuantileRegressor
from sklearn.metrics import mean_pinball_loss
from sklearn.model_selection import cross_val_predict

from skcostci import ModelComparisonDisplay, bootstrap_metric, compare_models

X, y = load_diabetes(return_X_y=True)
models = {
    "constant": DummyRegressor(strategy="quantile", quantile=0.8),
    "mean": LinearRegression(),
    "quantile": QuantileRegressor(quantile=0.8, alpha=0),
}
predictions = {name: cross_val_predict(model, X, y, cv=10) for name, model in models.items()}
loss = partial(mean_pinball_loss, alpha=0.8)

# %%
# The loss of each, with its interval. No upper bound of the loss is given: the printed result
# has a caution about this.

for name, predicted in predictions.items():
    print(name, bootstrap_metric(y, predicted, loss))

# %%
# All differences, on the same cases, adjusted for multiple comparisons.

comparison = compare_models(y, predictions, loss)
table = comparison.differences.to_frame()
print(table[["model", "reference", "estimate", "low", "high", "p"]].round(2))
figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ModelComparisonDisplay.from_comparison(comparison, ax=ax)
plt.show()
# sphinx_gallery_alt = "Pinball losses of three regressions with intervals; the quantile regression has the least."

# %%
# **To conclude.** Which model predicts this quantile better, for patients like these.
#
# **Not to conclude.** That no larger error can occur: the interval of an unbounded loss
# accounts for an additional error as large as the largest observed.
