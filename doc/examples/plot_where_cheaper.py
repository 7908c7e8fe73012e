"""
For which costs is a forest cheaper than a tree?
================================================

A tree can be printed on a page and checked by a doctor; a forest cannot. Whether the forest's
better ranking outweighs this depends on the costs of errors. The difference of two cost curves,
with its band, shows for which costs and class mixes the data decide.
"""

# %%
# Both are fitted on one half of the breast cancer data, where their thresholds are chosen too,
# on out-of-fold predictions; the other half is the test set.

from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.tree import DecisionTreeClassifier

from skcostci import (
    CostCurveDisplay,
    PairedCostDifferenceDisplay,
    bootstrap_cost_difference,
    cost_minimizing_thresholds,
)

X, target = load_breast_cancer(return_X_y=True)
malignant = (target == 0).astype(int)
X_fit, X_test, y_fit, y_test = train_test_split(
    X, malignant, test_size=0.5, stratify=malignant, random_state=0
)
models = {
    "Forest": RandomForestClassifier(100, min_samples_leaf=5, random_state=0),
    "Tree": DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
}
scores, chosen = {}, {}
for name, model in models.items():
    out_of_fold = cross_val_predict(model, X_fit, y_fit, method="predict_proba")[:, 1]
    chosen[name] = partial(cost_minimizing_thresholds, y_fit, out_of_fold)
    scores[name] = model.fit(X_fit, y_fit).predict_proba(X_test)[:, 1]

# %%
# Above, the cost curves. Below, their difference: below zero the forest is cheaper. Overlapping
# bands do not mean that two models cannot be distinguished, because both are evaluated on the
# same cases and their costs are correlated; the band of the difference accounts for the
# correlation. The strip along the bottom marks where the simultaneous band excludes zero.

outcome = np.where(y_test, "malignant", "benign")
figure, (upper, lower) = plt.subplots(2, figsize=(6.4, 7.5), sharex=True, layout="constrained")
for name, score in scores.items():
    CostCurveDisplay.from_predictions(
        outcome,
        score,
        pos_label="malignant",
        thresholds=chosen[name],
        name=name,
        plot_chance_level=False,
        despine=True,
        ax=upper,
    )
PairedCostDifferenceDisplay.from_predictions(
    outcome,
    scores["Forest"],
    scores["Tree"],
    pos_label="malignant",
    thresholds=(chosen["Forest"], chosen["Tree"]),
    name_a="Forest",
    name_b="Tree",
    despine=True,
    ax=lower,
)
plt.show()
# sphinx_gallery_alt = "Cost curves of a forest and a tree with bands; below, their difference and a strip where the forest is cheaper."

# %%
# The same in numbers, at three levels.

difference = bootstrap_cost_difference(
    y_test, *scores.values(), thresholds=tuple(chosen.values())
)
for level in (0.9, 0.95, 0.99):
    cheaper = difference.significant(level)
    for name, stretches in zip(models, cheaper, strict=True):
        where = ", ".join(f"{low:.2f} to {high:.2f}" for low, high in stretches)
        print(f"{level:.0%}: {name} cheaper at PC(+) {where or 'nowhere'}")

# %%
# The probability, over all resamples, that either is cheaper, at five conditions.

few = bootstrap_cost_difference(
    y_test,
    *scores.values(),
    probability_cost=[0.1, 0.3, 0.5, 0.7, 0.9],
    thresholds=tuple(chosen.values()),
)
forest, same, tree = few.probabilities()
table = few.to_frame()[["probability_cost", "estimate", "low", "high"]]
table = table.assign(**{"forest cheaper": forest, "same": same, "tree cheaper": tree})
print(table.round(3).to_string(index=False))

# %%
# **To conclude.** Where the strip is filled, the forest is cheaper; it should be used if the
# difference in cost, in the user's own units, matters more than a model that can be checked.
# Elsewhere these data do not show which model is cheaper.
#
# **Not to conclude.** That the models are equal there. The strips are simultaneous; the band is
# pointwise: it applies to each operating condition separately, and among a hundred conditions
# some can be significant by chance where there is no strip. Fix the relevant condition in
# advance, or draw the simultaneous band, ``band="simultaneous"``. The tree's few distinct
# scores also leave it few thresholds; another tree, or the same one fitted on other data, is
# another model.
