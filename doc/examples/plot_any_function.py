"""
Which regression is better, by a metric of your own?
====================================================

The pinball loss asks how well a model predicts a quantile. It is a function of truth,
prediction and weights, and that is all that an interval needs.
"""

# %%
# Three models are to say what a patient's disease progression will not exceed with probability
# .8. Each is judged on cases that it was not fitted on.

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
# The loss of each, with its interval. Nobody has said how large a loss can be: the printed
# result says what that means.

for name, predicted in predictions.items():
    print(name, bootstrap_metric(y, predicted, loss))

# %%
# All differences at once, on the same cases, with an allowance for their number.

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
# **Not to conclude.** That no error of another size can come: an interval of a loss without
# end allows for one as large as the largest seen.
