"""
Which numbers change for somebody who comes from pROC?
======================================================

pROC is what most papers with a ROC curve cite. This page has its calls and ours side by side, on the same scores, and
says which numbers are the same, which differ by the noise of resampling, and which differ because another question is
asked.
"""

# %%
# The scores are two measurements of the breast cancer data, all 569 cases, nothing fitted. They were written to a
# file with
#
# .. code-block:: python
#
#     np.savetxt("cancer.csv", np.c_[malignant, texture, smoothness], delimiter=",",
#                header="malignant,texture,smoothness", comments="", fmt="%.17g")
#
# and R 4.2.2 with pROC 1.18.0 gave the numbers below.
#
# .. code-block:: r
#
#     library(pROC)
#     d <- read.csv("cancer.csv")
#     a <- roc(d$malignant, d$texture, levels = c(0, 1), direction = "<")
#     b <- roc(d$malignant, d$smoothness, levels = c(0, 1), direction = "<")
#     print(as.numeric(ci.auc(a)), digits = 10)
#     test <- roc.test(a, b)
#     print(c(test$estimate, test$conf.int, test$p.value), digits = 10)
#     for (seed in 1:2) {
#       set.seed(seed)
#       print(ci.se(a, specificities = 0.8), digits = 6)
#       print(ci.thresholds(a, thresholds = 20)$sensitivity, digits = 6)
#     }

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer

from skcostci import bootstrap_auc, bootstrap_auc_difference, bootstrap_roc_at_fpr, bootstrap_roc_at_threshold

X, target = load_breast_cancer(return_X_y=True)
malignant, texture, smoothness = target == 0, X[:, 1], X[:, 4]

auc = bootstrap_auc(malignant, texture)
difference = bootstrap_auc_difference(malignant, texture, smoothness)
at_specificity = bootstrap_roc_at_fpr(malignant, texture, fpr=0.2)
at_threshold = bootstrap_roc_at_threshold(malignant, texture, thresholds=20.0).tpr

# %%
# Lower limit, estimate and upper limit of each; pROC's as recorded, with two seeds where it resamples.

proc = {
    "AUC": {"pROC": (0.7371459378, 0.7758244807, 0.8145030237)},
    "Difference in AUC": {"pROC": (-0.007741506664, 0.7758244807 - 0.7220416468, 0.115307174441)},
    "Sensitivity at 80 % specificity": {
        "pROC, seed 1": (0.483278, 0.589623, 0.716981),
        "pROC, seed 2": (0.485849, 0.589623, 0.712264),
    },
    "Sensitivity at threshold 20": {
        "pROC, seed 1": (0.608491, 0.669811, 0.735849),
        "pROC, seed 2": (0.608491, 0.669811, 0.731132),
    },
}
ours = {
    "AUC": (auc, ("delong", "pseudo_case")),
    "Difference in AUC": (difference, ("delong", "mover")),
    "Sensitivity at 80 % specificity": (at_specificity, ("percentile", "rank_beta")),
    "Sensitivity at threshold 20": (at_threshold, ("percentile", "smoothed")),
}
table = {}
for question, recorded in proc.items():
    result, methods = ours[question]
    assert result.methods[0] == methods[1]
    for source, (low, estimate, high) in recorded.items():
        table[question, source] = low, estimate, high
    for method, note in zip(methods, ("", ", default"), strict=True):
        low, high = result.confidence_interval(0.95, method=method)
        table[question, f'skcostci "{method}"{note}'] = low, float(result), high
frame = pd.DataFrame(table, ["low", "estimate", "high"]).T
print(frame.to_string(float_format="{:.6f}".format))

# %%
# The same as a picture.

figure, axes = plt.subplots(4, 1, figsize=(7.5, 6.5), layout="constrained", height_ratios=[3, 3, 4, 4])
for ax, (question, rows) in zip(axes, frame.groupby(level=0, sort=False), strict=True):
    for i, ((_, source), (low, estimate, high)) in enumerate(rows.iterrows()):
        color, marker = ("0.4", "s") if "pROC" in source else ("C0", "o")
        ax.plot([low, high], [i, i], color=color)
        ax.plot(estimate, i, marker, color=color)
    ax.set(title=question, ylim=(len(rows) - 0.5, -0.5))
    ax.set_yticks(range(len(rows)), rows.index.get_level_values(1))
plt.show()

# %%
# The p-values of the difference in AUC: pROC's ``roc.test`` said 0.086649099793.

for method in difference.methods:
    print(f"{method}: p = {difference.pvalue(method=method):.10f}")

# %%
# **The same.** DeLong's intervals and test, to the digits that R prints. "percentile" at a threshold is what pROC's
# resampling approaches, without its noise. A case is labelled positive if its score is at least the threshold there
# as well as here.
#
# **Different, on purpose.** The defaults: at an AUC of 1 DeLong's interval is a point, and so are the percentiles of
# a bootstrap where no error was seen; the defaults here stay wide. At a specificity pROC interpolates linearly
# between the points of the ROC curve and gives the median of the resamples as its estimate; here the false-positive
# rate is rounded down to a whole number of negatives, and the estimate is that of the data.
#
# **Not to conclude.** That either is wrong. When numbers are compared between papers, the question, the method and
# the rule for ties and interpolation have to be the same first. And pROC guesses the direction of the scores unless
# told, as above; here higher always means more positive.
