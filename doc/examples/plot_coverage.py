"""
Does a 95 % interval contain the true value 95 times in a hundred?
==================================================================

An interval method has nominal coverage if, over all test sets that could have been drawn, the
share of intervals that contain the true value is equal to the level. Where an interval depends
on a few counts only, this share can be computed, outcome by outcome, without simulation.
"""

# %%
# So that the true value is known, all cases of the breast cancer data are treated as the whole
# population, with one measurement, the texture of the nuclei, as the score. At each operating
# condition the threshold is the one that is best in the population.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import binom
from sklearn.datasets import load_breast_cancer

from skcostci import (
    DegenerateLawWarning,
    bootstrap_cost,
    bootstrap_roc_at_threshold,
    cost_minimizing_thresholds,
)

X, target = load_breast_cancer(return_X_y=True)
malignant, texture = target == 0, X[:, 1]
conditions = np.linspace(0.05, 0.95, 13)
population = bootstrap_roc_at_threshold(
    malignant, texture, thresholds=cost_minimizing_thresholds(malignant, texture, conditions)
)
fpr, tpr = population.fpr.estimate, population.tpr.estimate
true_cost = conditions * (1 - tpr) + (1 - conditions) * fpr

# %%
# Now draw a test set of 20 malignant and 20 benign cases. At a fixed threshold the result
# depends only on how many of each class reach it: 21 times 21 outcomes with computed
# probabilities. Each is a weighted sample of four rows. Where no error was observed "wald" and
# "percentile" have zero width and warn; these outcomes are included. Outcomes rarer than one in
# a million everywhere are left out.

warnings.simplefilter("ignore", DegenerateLawWarning)
N = 20
styles = {"unseen_case": "-", "smoothed": "--", "percentile": "-.", "wald": ":"}
counts = np.arange(N + 1)
hits_law, alarms_law = (binom.pmf(counts[:, None], N, rate) for rate in (tpr, fpr))

coverage = {method: np.zeros_like(conditions) for method in styles}
for hits in counts:
    for alarms in counts:
        likelihood = hits_law[hits] * alarms_law[alarms]
        if likelihood.max() < 1e-6:
            continue
        outcome = bootstrap_cost(
            [1, 1, 0, 0],
            [1, 0, 1, 0],
            sample_weight=[hits, N - hits, alarms, N - alarms],
            probability_cost=conditions,
            thresholds=0.5,
        )
        for method in styles:
            low, high = outcome.confidence_interval(0.95, method=method)
            holds = (low <= true_cost + 1e-12) & (true_cost <= high + 1e-12)
            coverage[method] += likelihood * holds

# %%
# The share of 95 % intervals that contain the true cost, at each operating condition.

figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
for method, style in styles.items():
    ax.plot(conditions, coverage[method], style, label=f'"{method}"')
    worst, mean = coverage[method].min(), coverage[method].mean()
    print(f"{method:10}  at worst {worst:.3f}, on average {mean:.3f}")
ax.axhline(0.95, color="0.5", linewidth=1)
ax.annotate("nominal", (0.06, 0.953), color="0.3", fontsize="small")
ax.set(
    xlabel="Probability cost PC(+)",
    ylabel="Coverage of 95 % intervals, exact",
    xlim=(0, 1),
    ylim=(0, 1.02),
)
ax.legend(loc="lower center", fontsize="small", frameon=False, ncols=2)
plt.show()
# sphinx_gallery_alt = "Coverage over PC(+): two methods stay near 0.95, percentile and wald fall to 0.1 at both ends."

# %%
# **To conclude.** With 20 cases per class, quantiles of the bootstrap distribution and the
# normal interval under-cover where one of the error rates is small, however exactly they are
# computed. "smoothed" adds 1.5 pseudo-cases to each class first, which is enough here but not
# where errors are rarer still; the default, "unseen_case", accounts for the least favourable
# additional observation, one more error.
#
# **Not to conclude.** That a method covers in every design: this is one design.
# :doc:`/user_guide/coverage` has the results of an optimizer that searched for the population
# with the lowest coverage of each default, for two models, ROC points and the AUC as well.
# Coverage alone is not sufficient: an interval from 0 to 1 always covers. Widths are in the
# same tables.
