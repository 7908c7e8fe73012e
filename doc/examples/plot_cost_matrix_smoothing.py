"""
Smoothing a cost matrix with an expensive error that was not observed
=====================================================================

With more than two classes the costs of the mistakes form a matrix, and some of its cells may be
as expensive as they are rare. If such a mistake did not occur among the test cases, it occurs
in no resample, and a bootstrap interval treats it as impossible. Margineantu and Dietterich
(2000) therefore add a fraction of a case to every cell of the confusion table first. The result
then depends on that fraction.
"""

# %%
# Handwritten doses: a reader of digits has to distinguish 0, 1, 4 and 7 tablets. A tablet too
# few costs 1, a tablet too many 5, and seven tablets for somebody who should have none or one
# cost 10,000.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from skcostci import bootstrap_expected_cost

DOSES = [0, 1, 4, 7]
surplus = np.subtract.outer(DOSES, DOSES).T
cost_matrix = np.where(surplus > 0, 5 * surplus, -surplus)
ordinary = cost_matrix.copy()
cost_matrix[:2, 3] = 10_000

X, digit = load_digits(return_X_y=True)
kept = np.isin(digit, DOSES)
X_fit, X_test, y_fit, y_test = train_test_split(
    X[kept], digit[kept], test_size=0.5, stratify=digit[kept], random_state=0
)
y_pred = GaussianNB().fit(X_fit, y_fit).predict(X_test)

names = [f"{dose} tablets" for dose in DOSES]
print(
    pd.DataFrame(confusion_matrix(y_test, y_pred), names, names).rename_axis(
        index="truth", columns="read as"
    )
)
print(
    pd.DataFrame(cost_matrix, names, names).rename_axis(
        index="truth", columns="cost if read as"
    )
)

# %%
# No test case fell into the two cells of the disaster. The interval of the cost per dose, for a
# range of constants: above with a matrix in which those two cells cost as much as the others,
# below with the cost of the disaster.

constants = np.geomspace(0.005, 3, 30)
matrices = {
    "Each surplus tablet costs 5": ordinary,
    "Seven tablets in place of none or one cost 10,000": cost_matrix,
}

figure, axes = plt.subplots(2, figsize=(5, 7.6), layout="constrained", sharex=True)
for ax, (title, costs) in zip(axes, matrices.items(), strict=True):
    results = [
        bootstrap_expected_cost(y_test, y_pred, costs, smoothing=constant)
        for constant in constants
    ]
    low, high = np.transpose(
        [result.confidence_interval(0.95, method="percentile") for result in results]
    )
    ax.fill_between(constants, low, high, alpha=0.2, label="95 %, exact bootstrap distribution")
    default = results[0].confidence_interval(0.95)
    ax.axhline(default.high, color="C1", linestyle="--", label="Upper limit of the default")
    ax.axhline(float(results[0]), label="Cost per dose on the test set")
    ax.axvline(0.1, color="0.3", linestyle=":", linewidth=1, label="Default constant")
    ax.set(
        xscale="log",
        yscale="log",
        ylabel="Cost per dose (a tablet too few = 1)",
        title=title,
    )
axes[0].legend(fontsize="small", framealpha=1, edgecolor="none", loc="upper left")
axes[1].set_xlabel("Smoothing constant (pseudo-cases per cell)")
plt.show()
# sphinx_gallery_alt = "The interval over the smoothing constant, without and with a disaster; with it the upper limit climbs in steps."

# %%
# Some of these intervals in numbers, the one without smoothing first.

for constant in (0, 0.01, 0.1, 0.5, 1):
    cost = bootstrap_expected_cost(y_test, y_pred, cost_matrix, smoothing=constant)
    low, high = cost.confidence_interval(0.95, method="percentile")
    print(f"smoothing {constant:4}: 95 % interval {low:.2g} to {high:.3g}")

# %%
# **To conclude.** Without the disaster the constant hardly matters up to the default. With it,
# the upper limit is not a finding about the reader of digits: it is the cost of the disaster
# times the number of disasters that the constant makes plausible, one more with every step. The
# data show only that none occurred among the zeros and ones of this test set.
#
# The default interval, the dashed line, does not use the constant for its limits: it accounts
# for the least favourable additional observation, one disaster.
#
# **Not to conclude.** That a smaller constant is more honest: without smoothing the interval
# excludes the disaster. Report the interval for several constants if they disagree, and if the
# matter is serious collect more cases of the two classes, which makes the interval narrower.
