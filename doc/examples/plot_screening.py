"""
What does a screening programme cost at each prevalence?
========================================================

The prevalence in a test set from a clinic is far higher than among the people invited to a
programme. The error rates of a model may be the same in both; its cost is not, because it
depends on the class mix. A cost curve has the class mix and the costs of the two errors on its
horizontal axis, so that one evaluation serves every programme.
"""

# %%
# The model is fitted on one half of the breast cancer data, from the mean values of ten
# measurements. Its thresholds are chosen there too, on out-of-fold predictions. The other half
# is the test set.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcostci import (
    CostCurveDisplay,
    bootstrap_cost,
    cost_minimizing_thresholds,
    probability_cost,
)

X, target = load_breast_cancer(return_X_y=True)
malignant = (target == 0).astype(int)
X_fit, X_test, y_fit, y_test = train_test_split(
    X[:, :10], malignant, test_size=0.5, stratify=malignant, random_state=0
)
model = make_pipeline(StandardScaler(), LogisticRegression())
out_of_fold = cross_val_predict(model, X_fit, y_fit, method="predict_proba")[:, 1]
y_score = model.fit(X_fit, y_fit).predict_proba(X_test)[:, 1]
print(f"{len(y_test)} test cases, {y_test.mean():.0%} of them malignant")


def chosen(conditions):
    """The threshold that cost least on the fitting half."""
    return cost_minimizing_thresholds(y_fit, out_of_fold, conditions)


# %%
# Say that a missed cancer costs as much as twenty needless recalls, and take the recall as
# the unit. Each prevalence is then one operating condition PC(+), and the cost per person is
# the normalized cost times ``prevalence * cost_fn + (1 - prevalence) * cost_fp``.

COST_FN, COST_FP = 20, 1
prevalence = np.array([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4])
condition = probability_cost(prevalence, COST_FN, COST_FP)
per_thousand = 1000 * (prevalence * COST_FN + (1 - prevalence) * COST_FP)

programme = bootstrap_cost(y_test, y_score, probability_cost=condition, thresholds=chosen)
table = programme.to_frame(0.95)
table[["estimate", "low", "high"]] *= per_thousand[:, None]
table["recall nobody"], table["recall everybody"] = (
    per_thousand * condition,
    per_thousand * (1 - condition),
)
print("Cost per 1,000 people, with its 95 % interval")
table.index = [f"{100 * share:g} %" for share in prevalence]
print(
    table[["probability_cost", "estimate", "low", "high", "recall nobody", "recall everybody"]]
    .rename_axis("prevalence")
    .round(2)
    .to_string()
)

# %%
# Above, the whole cost curve, with the prevalences of the table marked. Below, the same costs
# per 1,000 people.

figure, (upper, lower) = plt.subplots(2, figsize=(5, 7.6), layout="constrained")
CostCurveDisplay.from_predictions(
    np.where(y_test, "malignant", "benign"),
    y_score,
    pos_label="malignant",
    thresholds=chosen,
    name="Logistic regression",
    ax=upper,
    despine=True,
)
upper.plot(condition, programme.estimate, "ko", markersize=4)
upper.vlines(condition, 0, programme.estimate, color="0.6", linewidth=0.8)
above = upper.secondary_xaxis("top")
above.set_xticks(condition, [name.removesuffix(" %") for name in table.index])
above.set_xlabel("Prevalence (%)")
upper.set_ylim(0, 0.3)

percent = 100 * prevalence
lower.plot(percent, table["estimate"], "o-", label="Screening by the model")
lower.fill_between(
    percent, table["low"], table["high"], alpha=0.2, label="95 % confidence band (pointwise)"
)
lower.plot(percent, table["recall nobody"], color="0.3", linestyle=":", label="Recall nobody")
lower.plot(
    percent, table["recall everybody"], color="0.3", linestyle="--", label="Recall everybody"
)
lower.set(
    xscale="log",
    yscale="log",
    xlabel="Prevalence (%)",
    ylabel="Cost per 1,000 people (one recall = 1)",
)
lower.xaxis.set_major_formatter("{x:g}")
lower.yaxis.set_major_formatter("{x:,.0f}")
lower.legend(fontsize="small", frameon=False)
plt.show()
# sphinx_gallery_alt = "Above, the cost curve with seven prevalences marked. Below, the cost per 1,000 people over the prevalence."

# %%
# At which prevalences is the upper limit below the cost of the cheaper trivial policy,
# recalling nobody or recalling everybody?

below = table["high"] < np.minimum(table["recall nobody"], table["recall everybody"])
print(", ".join(table.index[below]))

# %%
# **To conclude.** At these prevalences the programme is cheaper than either trivial policy by
# more than chance. It saves most where neither of them is cheap, around PC(+) = 1/2, not
# where disease is most frequent.
#
# **Not to conclude.** That these error rates are the same among people without symptoms. Early
# cases are harder to detect, and the interval does not account for this: it describes more
# cases like the test set. Nor that the cost of a missed cancer is known; with the cost curve a
# reader can use another cost.
