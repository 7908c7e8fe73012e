"""
Does the end of its interval choose another model than the mean?
================================================================

A grid search selects the candidate with the best score, however uncertain the score is. A
scorer can return the less favourable limit of an interval instead: the search then selects a
candidate whose upper limit of the cost is low.
"""

# %%
# How large must a leaf of a decision tree be, if a false alarm costs nine times as much as a
# missed tumour, PC(+) = 0.1? The trees give probabilities, and at PC(+) = 0.1 the threshold for
# them is 0.9. Two scorers look at the same folds: the cost, and the upper end of its 95 %
# interval, both with a minus sign because greater is better.

from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.tree import DecisionTreeClassifier

from skcostci import (
    bootstrap_cost,
    bootstrap_cost_difference,
    make_bound_scorer,
    make_normalized_cost_scorer,
)

CONDITION = 0.1
X, target = load_breast_cancer(return_X_y=True)
malignant = (target == 0).astype(int)
X_fit, X_test, y_fit, y_test = train_test_split(
    X, malignant, test_size=0.5, stratify=malignant, random_state=0
)

cost = partial(bootstrap_cost, probability_cost=CONDITION, thresholds=1 - CONDITION)
search = GridSearchCV(
    DecisionTreeClassifier(random_state=0),
    {"min_samples_leaf": [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80]},
    scoring={
        "cost": make_normalized_cost_scorer(CONDITION),
        "bound": make_bound_scorer(
            cost, bound="high", greater_is_better=False, response_method="predict_proba"
        ),
    },
    refit="bound",
    cv=5,
).fit(X_fit, y_fit)

# %%
# The scores of both scorers. Both are means over five folds; the second is a mean of upper
# limits, a cautious score but not itself the limit of an interval.

results = search.cv_results_
leaves = np.array(results["param_min_samples_leaf"], dtype=int)
preferred = {
    name: leaves[np.argmax(results[f"mean_test_{name}"])] for name in ("cost", "bound")
}

figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
for name, label, style in (
    ("bound", "Upper end of its 95 % interval", "s--"),
    ("cost", "Normalized cost", "o-"),
):
    score = -results[f"mean_test_{name}"]
    ax.plot(leaves, score, style, markersize=4, label=f"{label}, mean of five folds")
    ring = {
        "markersize": 12,
        "fillstyle": "none",
        "label": "Preferred" if name == "cost" else None,
    }
    ax.plot(preferred[name], score.min(), "ko", **ring)
ax.set(
    xscale="log",
    xlabel="Smallest number of cases in a leaf",
    ylabel=f"Cost at PC(+) = {CONDITION}",
    ylim=(0, None),
)
ax.set_xticks(leaves, leaves)
ax.xaxis.set_minor_locator(plt.NullLocator())
ax.legend(fontsize="small", frameon=False)
plt.show()
# sphinx_gallery_alt = "Two lines over the size of a leaf: the cost, and the upper end of its interval; each is least at another size."

# %%
# Both choices on the test half, which no search has used, and their difference.

tested = {}
for name, leaf in preferred.items():
    tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0).fit(X_fit, y_fit)
    tested[name] = tree.predict_proba(X_test)[:, 1]
    result = cost(y_test, tested[name])
    low, high = result.confidence_interval(0.95)
    print(f"preferred by the {name}: leaves of {leaf} or more")
    print(f"  cost {float(result):.3f}, 95 % interval {low:.3f} to {high:.3f}")
difference = bootstrap_cost_difference(
    y_test,
    tested["bound"],
    tested["cost"],
    probability_cost=CONDITION,
    thresholds=1 - CONDITION,
)
print(
    "difference {:.3f} ({:.3f} to {:.3f})".format(
        float(difference), *difference.confidence_interval(0.95)
    )
)

# %%
# **To conclude.** The costs of candidates can be nearly equal and differ in uncertainty: false
# alarms are counted among many benign cases and misses among fewer malignant ones, so it
# matters which of the two errors a tree trades for the other. The bound selects the candidate
# with the smaller uncertainty. Any statistic of one model can be used in place of the cost,
# such as :func:`~skcostci.bootstrap_auc` with ``bound="low"``.
#
# **Not to conclude.** That the bound finds better models. Here its choice costs more on the
# test half, though not by more than chance, and often the two choices are the same. Nor that
# the score of the selected candidate is its cost on new cases: the best score of a dozen
# candidates is optimistic, whichever scorer selected it.
