"""
Which numbers change for somebody who comes from pROC?
======================================================

pROC is what most papers with a ROC curve cite. This page has the calls of pROC and of skcostci
side by side, on the same scores, and shows which numbers are the same, which differ by
resampling error, and which differ because they estimate another quantity.
"""

# %%
# The scores are two measurements of the breast cancer data, all 569 cases, nothing fitted. The
# results of pROC 1.18.0 are copied from ``benchmarks/results/coming_from_proc.txt``, which
# ``python benchmarks/coming_from_proc.py`` writes. :doc:`/coming_from` has more pairs of calls.

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer

from skcostci import (
    bootstrap_auc,
    bootstrap_auc_difference,
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_threshold,
)

X, target = load_breast_cancer(return_X_y=True)
malignant, texture, smoothness = target == 0, X[:, 1], X[:, 4]

auc = bootstrap_auc(malignant, texture)
difference = bootstrap_auc_difference(malignant, texture, smoothness)
at_specificity = bootstrap_roc_at_fpr(malignant, texture, fpr=0.2)
at_threshold = bootstrap_roc_at_threshold(malignant, texture, thresholds=20.0).tpr

# %%
# Lower limit, estimate and upper limit of each; pROC's as recorded, with two seeds where it
# resamples.

proc = {
    "AUC": {
        "ci.auc": (0.7371459378, 0.7758244807, 0.8145030237),
        "bootstrap, seed 1": (0.7357709357, 0.7760457957, 0.8111296641),
        "bootstrap, seed 2": (0.7357760557, 0.7756857460, 0.8127133872),
    },
    "Difference in AUC": {
        "roc.test": (-0.007741506664, 0.7758244807 - 0.7220416468, 0.1153071744)
    },
    "Sensitivity at 80 % specificity": {
        "ci.se, seed 1": (0.4832783019, 0.5896226415, 0.7169811321),
        "ci.se, seed 2": (0.4858490566, 0.5896226415, 0.7122641509),
    },
    "Sensitivity at threshold 20": {"ci.thresholds": (0.608490566, 0.6698113208, 0.7311320755)},
}
ours = {
    "AUC": (auc, ("delong", "wald", None)),
    "Difference in AUC": (difference, ("delong", None)),
    "Sensitivity at 80 % specificity": (at_specificity, ("percentile", None)),
    "Sensitivity at threshold 20": (at_threshold, ("percentile", None)),
}
table = {}
for question, recorded in proc.items():
    for call, row in recorded.items():
        table[question, f"pROC {call}"] = row
    result, methods = ours[question]
    for method in methods:
        low, high = result.confidence_interval(0.95, method=method)
        name = f'here, "{method}"' if method else f'here, default, "{result.methods[0]}"'
        table[question, name] = low, float(result), high
frame = pd.DataFrame(table, ["low", "estimate", "high"]).T
print(frame.to_string(float_format="{:.6f}".format))

# %%
# The same as a picture.

figure, axes = plt.subplots(
    4, 1, figsize=(5.4, 6.6), layout="constrained", height_ratios=[6, 3, 4, 3]
)
for ax, (question, rows) in zip(axes, frame.groupby(level=0, sort=False), strict=True):
    for i, ((_, source), (low, estimate, high)) in enumerate(rows.iterrows()):
        color, marker = ("0.4", "s") if "pROC" in source else ("C0", "o")
        ax.plot([low, high], [i, i], color=color)
        ax.plot(estimate, i, marker, color=color)
    ax.set(title=question, ylim=(len(rows) - 0.5, -0.5))
    ax.set_yticks(range(len(rows)), rows.index.get_level_values(1))
plt.show()
# sphinx_gallery_alt = "Intervals by pROC and here, side by side for four questions; most have the same ends."

# %%
# The p-values of the difference in AUC: pROC's ``roc.test`` gives 0.08664909979.

for method in difference.methods:
    print(f"{method}: p = {difference.pvalue(method=method):.10f}")

# %%
# **The same.** DeLong's intervals and test, to the digits that R prints. "percentile" at a
# threshold, and at a specificity, where both interpolate linearly between the points of the ROC
# curve, is the limit of pROC's resampling; "wald" is a normal interval with the exact moments
# of the AUCs that pROC resamples.
#
# **Different, on purpose.** The defaults: at an AUC of 1 DeLong's interval has zero width, as
# has a percentile interval where no error was observed; the defaults here have positive width.
# At a specificity pROC gives the median of the resamples as its estimate; here the estimate is
# the value in the data.
#
# **Not to conclude.** That either is wrong. When numbers are compared between papers, the
# quantity, the method and the rule for ties and interpolation have to be the same. And pROC
# guesses the direction of the scores unless told, as above; here higher always means more
# positive.
