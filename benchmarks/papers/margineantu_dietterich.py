"""Tables 5 and 6 and Figures 3 to 5 of Margineantu & Dietterich (2000), with the law that they sample computed.

    python benchmarks/papers/margineantu_dietterich.py           # 1 to 3 minutes; --quick 15 seconds

Their decision boundaries are not printed, so the domain here is another one with two features and their class
frequencies. A classifier is known by its confusion matrix on a million cases; test sets of 1,000 are drawn from it.
"""

from __future__ import annotations

import argparse
from types import SimpleNamespace

import numpy as np
from _pages import SOLID, label_edges, panels, save, table, write_page
from _rates import resamples_hold
from _tables import (
    MODELS,
    N_TEST,
    POPULATION,
    K,
    confusion_of_tree,
    cost_cdf,
    cost_matrix,
    difference_cdf_at_zero,
    differences,
    draw,
    pair_of,
    population,
)

import skcostci as sk

LEVEL, TAIL = 0.95, 0.025
TABLE_5 = dict(zip(MODELS, (956.1, 955.5, 953.1, 954.9, 953.9, 994.1, 971.7, 952.9, 995.6), strict=True))
TABLE_6 = dict(zip(MODELS, (948.83, 950.50, 948.26, 950.46, 951.16, 934.03, 943.76, 949.96, 932.06), strict=True))
CHANGED = (100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
CHECKED = 3  # test sets a cost model that the library judges too


def kept(cdf: np.ndarray) -> np.ndarray:
    """Whether the exact interval holds the value at which the law was asked."""
    return (cdf >= TAIL) & (cdf <= 1 - TAIL)


def normal_holds(shares: np.ndarray, values: np.ndarray, generator: np.random.Generator, sets: int) -> np.ndarray:
    """How often mean ± 1.96 sd / √n, and mean ± 1.96 sd, hold the true mean."""
    counts, flat = draw(shares, generator, sets), values.ravel()
    mean = counts @ flat / N_TEST
    deviation = np.sqrt((counts @ flat**2 / N_TEST - mean**2) * N_TEST / (N_TEST - 1))
    off = np.abs(mean - shares.ravel() @ flat)
    return np.array([np.mean(off <= 1.96 * deviation / scale + 1e-12) for scale in (np.sqrt(N_TEST), 1)])


def against_library(counts: np.ndarray, pairs: np.ndarray, costs: np.ndarray, true_cost: float) -> list[float]:
    """How far the cdfs of all tables at once lie from the library's, at most, for a few tables of one and of two."""
    far = np.zeros((CHECKED, 2))
    one, two = cost_cdf(counts[:CHECKED], costs, true_cost, smoothing=0.1), difference_cdf_at_zero(pairs, costs)
    for i in range(CHECKED):
        weights, (truth, guess) = counts[i], np.divmod(np.arange(K * K), K)
        result = sk.bootstrap_expected_cost(truth, guess, costs, labels=range(K), sample_weight=weights)
        far[i, 0] = abs(float(result.cdf(true_cost)) - one[i])
        rows = np.unravel_index(np.arange(K**3), (K, K, K))
        pair = sk.bootstrap_expected_cost_difference(*rows, costs, labels=range(K), sample_weight=pairs[i])
        far[i, 1] = abs(float(pair.cdf(0.0)) - two[i])
    return far.max(axis=0).tolist()


def study(model: int, options: SimpleNamespace, cases: tuple, generator: np.random.Generator) -> SimpleNamespace:
    """What the intervals of one cost model hold, for one classifier and for two, and the power curves."""
    found = SimpleNamespace(one=[], two=[], power=[], checked=[])
    for index in range(options.matrices):
        costs = cost_matrix(model, generator)
        confusion = confusion_of_tree(costs, *cases)
        true_cost = float((confusion * costs).sum())
        counts = draw(confusion, generator, options.sets)
        cdf = cost_cdf(counts, costs, true_cost, smoothing=0.1)
        if index == 0:
            pairs = draw(pair_of(confusion), np.random.default_rng(model), CHECKED)
            found.checked = against_library(counts, pairs, costs, true_cost)
        normal = normal_holds(confusion, costs, generator, 4 * options.sets)
        found.one.append([kept(cdf).mean(), resamples_hold(cdf, cdf, LEVEL, 1000).mean(), *normal])
        found.two.append(equal_costs(confusion, costs, options, generator))
        found.power.append([power(confusion, costs, true_cost, q, options, generator) for q in CHANGED])
    return SimpleNamespace(
        one=1000 * np.mean(found.one, axis=0),
        two=1000 * np.mean(found.two, axis=0),
        worst=1000 * np.min(found.one, axis=0)[0],
        power=np.array(found.power),
        checked=found.checked,
    )


def equal_costs(confusion: np.ndarray, costs: np.ndarray, options: SimpleNamespace, generator) -> list[float]:
    """How often a classifier and its shuffled copy are not told apart: BDeltaCost, then the two normal intervals."""
    same = pair_of(confusion)
    cdf = difference_cdf_at_zero(draw(same, generator, options.sets), costs)
    return [kept(cdf).mean(), *normal_holds(same, differences(costs), generator, 4 * options.sets)]


def power(confusion, costs, true_cost: float, changed: int, options: SimpleNamespace, generator) -> tuple:
    """The cost ratio, and how often equal cost is not rejected, by BDeltaCost and by mean ± 1.96 sd / √n."""
    other = pair_of(confusion, changed / POPULATION)
    counts, values = draw(other, generator, options.power_sets), differences(costs).ravel()
    mean = counts @ values / N_TEST
    error = np.sqrt((counts @ values**2 / N_TEST - mean**2) / (N_TEST - 1))
    ratio = abs(float(other.ravel() @ values)) / true_cost
    return ratio, kept(difference_cdf_at_zero(counts, costs)).mean(), np.mean(np.abs(mean) <= 1.96 * error)


# --- Pictures ---------------------------------------------------------------------------------------------------------


def power_by_ratio(studies: dict[str, SimpleNamespace]) -> str:
    """Figure 3: a panel a cost model, the others behind it in grey."""
    figure, axes = panels(3, 3, width=2.5, height=1.9)
    curves = {name: (s.power[..., 0].mean(axis=0), 1 - s.power[..., 1].mean(axis=0)) for name, s in studies.items()}
    for ax, name in zip(axes, curves, strict=True):
        for other in curves.values():
            ax.plot(*other, color="0.8", linewidth=0.8)
        ax.plot(*curves[name], marker="o", markersize=3, **SOLID)
        ax.set(title=name, xscale="log", ylim=(0, 1.02), xlim=(1e-4, 100))
    label_edges(
        figure, "Cost difference, as a share of the first classifier's cost", "Probability of rejecting equal cost"
    )
    return save(figure, "margineantu_dietterich_figure3")


def power_by_changed(studies: dict[str, SimpleNamespace]) -> str:
    """Figures 4 and 5: the mean over the cost matrices, their range, and the normal interval's mean."""
    figure, axes = panels(3, 3, width=2.5, height=1.9)
    for ax, (name, s) in zip(axes, studies.items(), strict=True):
        exact = s.power[..., 1]
        ax.fill_between(CHANGED, exact.min(axis=0), exact.max(axis=0), color="0.85", label="range over cost matrices")
        ax.plot(CHANGED, exact.mean(axis=0), marker="o", markersize=3, label="BDeltaCost, mean", **SOLID)
        normal = s.power[..., 2].mean(axis=0)
        ax.plot(CHANGED, normal, "x", color="tab:red", markersize=6, label="mean ± 1.96 sd / √n, mean")
        ax.set(title=name, xscale="log", ylim=(0, 1.02), xticks=[1e2, 1e4, 1e6])
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    label_edges(figure, "Labels changed, q of 1,000,000", "Probability of not rejecting equal cost")
    return save(figure, "margineantu_dietterich_figure4")


# --- The page ---------------------------------------------------------------------------------------------------------

TEXT = """{matrices} cost matrices a model, {sets:,} test sets of 1,000 cases each: a count of 950 has a standard
error of {error:.1f} (and, because the matrices differ, more). Intervals of 95 %, counts of 1,000. **The domain is not
theirs** (its boundaries are not printed); its class frequencies and the cost models are. The cdf is computed for all
test sets of a matrix at once; where the library was asked too it differs by {checked[0]:.0e} at most for one
classifier, and by {checked[1]:.0e} for two, where 0 is an atom that counts half here.

## Table 5: does the interval hold the true cost?

{table5}

"1,000 draws" is the paper's procedure, between the 26th and the 975th of 1,000 random tables, averaged over those
tables without drawing them. Agrees: on target for M1 to M5 and M8, and as much too wide for M7. **Does not agree**:
M6 and M9, which hold in 994 and 996 of 1,000 in print and in {six:.0f} and {nine:.0f} here, {worst6:.0f} and
{worst9:.0f} with the worst matrix. What happens there depends on the domain: on how often the tree errs in the few
cells that cost up to 559,125. Such a case, seen once in a thousand cases or not at all, moves the interval by its
whole length. Smoothing moves the centre to (n mean + 0.1 sum C) / (n + 2.5), high where these cells are never seen;
with twice the constant M6 and M9 hold in 990 here too ([Figure 2](margineantu_smoothing.md)).

**Does not agree**: the paper reports that the normal interval held the true cost in every test set, and concludes
that it is worthless. The interval mean ± 1.96 sd / √n does not behave so: it holds about 950 of 1,000 where the
bootstrap does, and too few, not too many, where the cost is a few rare cells. Mean ± 1.96 sd, without the root, holds
all but always. That they forgot the root is our inference about their code and not a fact, but their conclusion on
normal intervals should not be quoted.

## Table 6: is equal cost accepted?

{table6}

Agrees, and not only where costs are of one size: M6 and M9 fall below 950 as far as in print. Without smoothing the
bootstrap and the normal interval have the same mean and variance; their counts differ for the skewed laws of M6 and
M9, where the normal interval errs to the other side. Again it is only without the root that the paired test never
rejects.

## Figure 3: power against the cost ratio

{fig3}

Each panel shows one model, with the others in grey. Agrees: M7 needs the largest cost ratio.

## Figures 4 and 5: power against the number of changed labels

{fig4}

{table4}

Agrees: power is lowest for M6 and M9, which have the widest range over matrices, and equal cost may remain unrejected
when all labels are changed (printed: .427 for M9, .092 for M6; ours depend on the domain). Agrees: the paper's "50 %
rejection rate when only 3 % [...] have different predicted classes" for most cost matrices, the column of 30,000.
**Does not agree**: that the paired normal test never rejects. The crosses are that test, with the root: on the
bootstrap's curves, but for M6, M7 and M9, where the law is skewed and it has less power. (Figure 5 enlarges Figure 4
and adds the range; here both are one picture.)
"""


def page(studies: dict[str, SimpleNamespace], options: SimpleNamespace) -> str:
    table5 = [
        [name, TABLE_5[name], *(f"{count:.0f}" for count in s.one), f"{s.worst:.0f}"] for name, s in studies.items()
    ]
    table6 = [[name, TABLE_6[name], *(f"{count:.0f}" for count in s.two)] for name, s in studies.items()]
    table4 = [[name, *(f"{p:.2f}" for p in s.power[..., 1].mean(axis=0))] for name, s in studies.items()]
    normal = "mean ± 1.96 sd / √n", "mean ± 1.96 sd"
    return TEXT.format(
        matrices=options.matrices,
        sets=options.sets,
        error=1000 * np.sqrt(0.95 * 0.05 / (options.matrices * options.sets)),
        checked=np.max([s.checked for s in studies.values()], axis=0),
        six=studies["M6"].one[0],
        nine=studies["M9"].one[0],
        worst6=studies["M6"].worst,
        worst9=studies["M9"].worst,
        table5=table(
            ["model", "printed", "BCost, exact", "1,000 draws", *normal, "exact: least of the matrices"], table5
        ),
        table6=table(["model", "printed", "BDeltaCost, exact", *normal], table6),
        table4=table(["not rejected at q =", *(f"{q:,}" for q in CHANGED)], table4),
        fig3=power_by_ratio(studies),
        fig4=power_by_changed(studies),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="2 cost matrices, 100 test sets, 200,000 cases")
    quick = parser.parse_args().quick
    scale = (
        {"matrices": 2, "sets": 100, "power_sets": 50} if quick else {"matrices": 10, "sets": 1000, "power_sets": 400}
    )
    options, generator = SimpleNamespace(**scale), np.random.default_rng(2000)
    cases = population(generator, 1000), population(generator, 200_000 if quick else POPULATION)
    studies = {name: study(model, options, cases, generator) for name, model in MODELS.items()}
    title = "Margineantu & Dietterich (2000), Tables 5 and 6, Figures 3 to 5"
    write_page("margineantu_dietterich", title, page(studies, options))


if __name__ == "__main__":
    main()
