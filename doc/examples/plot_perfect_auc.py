"""
The interval of an AUC of 1
===========================

Every positive scored above every negative: the AUC is 1, and an interval from its standard
error has zero width, because resampling a perfect ranking gives a perfect ranking. The default
interval accounts for the least favourable additional observation.
"""

# %%
# The length of a petal separates Iris setosa from the other irises without an error. The
# intervals with ten flowers, five of either kind:

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

from skcostci import DegenerateLawWarning, bootstrap_auc

data = load_iris()
setosa, score = data.target == 0, -data.data[:, 2]
flowers = np.r_[np.flatnonzero(setosa)[:5], np.flatnonzero(~setosa)[:5]]
auc = bootstrap_auc(setosa[flowers], score[flowers])
print(f"AUC {float(auc)}, standard error {auc.standard_error}")
print("default: {:.3f} to {:.3f}".format(*auc.confidence_interval(0.95)))

# %%
# DeLong's interval has zero width here. It is available, with a warning.

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always", DegenerateLawWarning)
    print("DeLong: {:.3f} to {:.3f}".format(*auc.confidence_interval(0.95, method="delong")))
print(caught[0].message)

# %%
# How many flowers are needed until an AUC of 1 is informative? The lower limits of three
# intervals as the test set grows. Above there are as many of the other irises as setosas; below
# a hundred others, and few setosas, down to a single one. The dotted limit is valid for any
# distribution of scores: m positives and m negatives form m separate pairs, and an AUC of 1
# means that none of them was in the wrong order.

sizes = np.array([1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50])
positives, negatives = np.flatnonzero(setosa), np.flatnonzero(~setosa)
methods = {"unseen_case": "o-", "newcombe": "s--"}

figure, axes = plt.subplots(2, figsize=(5, 7.4), layout="constrained")
for ax, others in zip(axes, (sizes, np.full(len(sizes), 100)), strict=True):
    for method, style in methods.items():
        lower = []
        for size, other in zip(sizes, others, strict=True):
            flowers = np.r_[positives[:size], negatives[:other]]
            auc = bootstrap_auc(setosa[flowers], score[flowers])
            lower.append(auc.confidence_interval(0.95, method=method).low)
        ax.plot(sizes, lower, style, markersize=4, label=f'"{method}"')
    ax.plot(sizes, 0.025 ** (1 / sizes), "k:", label="Any scores: 0.025 to the power 1/m")
    ax.set(
        xscale="log",
        xticks=[1, 2, 5, 10, 20, 50],
        ylim=(0, 1),
        xlabel="Setosas in the test set",
    )
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_locator(plt.NullLocator())
for ax, title in zip(axes, ("As many others as setosas", "A hundred others"), strict=True):
    ax.set(title=title, ylabel="Lower limit of the 95 % interval")
axes[0].legend(loc="lower right", fontsize="small", frameon=False)
plt.show()
# sphinx_gallery_alt = "The lower limit for an AUC of 1 over the number of positives: it rises from near 0 to above 0.9."

# %%
# **To conclude.** An AUC of 1 from a handful of positives is compatible with a mediocre model.
# The default interval shows this, and never has zero width. Many negatives do not compensate
# for few positives.
#
# **Not to conclude.** That the limits which lie higher are better. "newcombe" assumes
# exponential scores, and therefore rises with the number of negatives. With fewer than five
# cases in a class the default limit is hardly informative; with fewer than four it is even
# below the limit for any scores.
