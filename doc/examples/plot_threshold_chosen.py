"""
Intervals for a threshold chosen on the same data
=================================================

A study of 60 ill and 60 healthy people finds the best cut-off of a measurement and reports its
sensitivity and specificity on the same people. Both are optimistic, and their usual intervals
do not account for this.
"""

# %%
# The texture of cell nuclei separates malignant from benign tumours, with errors. A study of 60
# malignant and 60 benign tumours uses the threshold with the largest Youden index, sensitivity
# + specificity
# - 1.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from skcostci import bootstrap_cost, bootstrap_roc_at_threshold

data = load_breast_cancer()
malignant, texture = (data.target == 0).astype(int), data.data[:, 1]
rng = np.random.default_rng(1)
groups = [rng.permutation(np.flatnonzero(malignant == label)) for label in (1, 0)]
study = np.concatenate([group[:60] for group in groups])

youden = bootstrap_roc_at_threshold(malignant[study], texture[study], thresholds="youden")
print(f"threshold {youden.thresholds:.2f}, selected: {youden.selected}")
for name, rate in (("sensitivity", youden.tpr), ("false alarms", youden.fpr)):
    print(f"{name} {rate.estimate:.3f}")
    for method in ("clopper_pearson", "chosen"):
        print("  {}: {:.3f} to {:.3f}".format(method, *rate.confidence_interval(method=method)))

# %%
# "chosen" is the default here. It corrects the limit that the choice makes optimistic: the
# lower limit of the sensitivity, the upper limit of the false-positive rate. How often does
# either fail to cover? All 569 tumours are treated as the population, and 300 studies are drawn
# from it.

runs, missed = 300, {"clopper_pearson": np.zeros(2), "chosen": np.zeros(2)}
for _ in range(runs):
    cases = np.concatenate([rng.choice(group, 60) for group in groups])
    result = bootstrap_roc_at_threshold(malignant[cases], texture[cases], thresholds="youden")
    hit = texture >= result.thresholds
    for method, counts in missed.items():
        for i, rate in enumerate((result.tpr, result.fpr)):
            low, high = rate.confidence_interval(method=method)
            counts[i] += not low <= hit[malignant == 1 - i].mean() <= high
for method, counts in missed.items():
    share = counts / runs
    print(
        f"{method} missed the sensitivity in {share[0]:.1%}, the false alarms in {share[1]:.1%}"
    )

# %%
# The same question for costs: at each operating condition PC(+) the envelope uses the threshold
# with the lowest cost in these data. Its cost on new cases is higher on average, and the upper
# limit accounts for the choice. The widest band covers for every threshold and every condition
# at once, however they were chosen; this is proved.

cost = bootstrap_cost(malignant[study], texture[study])
world = texture >= np.asarray(cost.thresholds)[:, None]
tpr, fpr = (world[:, malignant == label].mean(axis=1) for label in (1, 0))
pc = cost.probability_cost

figure, ax = plt.subplots(figsize=(5.2, 4.6), layout="constrained")
low, high = cost.confidence_band(0.95, method="equal_levels")
ax.fill_between(pc, low, high, alpha=0.15, label="Band for all thresholds at once")
for method, style in (("chosen", "-"), ("unseen_case", ":")):
    low, high = cost.confidence_interval(0.95, method=method)
    ax.plot(pc, high, f"C0{style}", linewidth=1, label=f'Limits by "{method}", pointwise')
    ax.plot(pc, low, f"C0{style}", linewidth=1)
ax.plot(pc, cost.estimate, "k", label="Estimate, thresholds chosen on the same cases")
ax.plot(pc, pc * (1 - tpr) + (1 - pc) * fpr, "C3--", label="True cost at these thresholds")
ax.set(xlabel="Probability cost PC(+)", ylabel="Normalized expected cost")
ax.set(xlim=(0, 1), ylim=(0, 0.9))
ax.legend(fontsize="small", frameon=False, loc="upper center")
plt.show()
# sphinx_gallery_alt = "A cost curve on the data that chose its thresholds, the true cost above it, and three bands."

# %%
# **To conclude.** A threshold may be chosen and evaluated on the same cases, if the interval
# accounts for this. The default does, and is a fifth to a third wider. Additional cases that
# were not used for the choice are still better, and give an estimate without optimism.
#
# **Not to conclude.** That "chosen" covers other choices made on the same cases: which
# measurement, which model, which people to leave out. Nor that it is proved: its coverage was
# simulated. Where this is not sufficient, use the band.
