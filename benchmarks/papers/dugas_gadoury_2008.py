"""Figures 2 to 6 of Dugas & Gadoury (ICML 2008): coverage of 90 % intervals for costs and their differences.

    python benchmarks/papers/dugas_gadoury_2008.py           # 5 to 10 minutes; --quick half a minute

Scores are Gaussian with scale 3 around -theta (negatives) and theta (positives); the threshold is the theoretical
optimum of each operating condition. The paper simulated 1,000 test sets. For one model's Gaussian interval the sum
over all pairs of counts is exact here; two models, and "smoothed" of one, are simulated with a seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from _pages import (
    DASH_DOTTED,
    DOTTED,
    OURS,
    SOLID,
    draw_coverage,
    label_edges,
    on_target,
    one_legend,
    panels,
    save,
    table,
    worst,
    write_page,
)
from scipy.stats import binom, multivariate_normal, norm

from skcostci.cuts import Cells
from skcostci.intervals import METHODS
from skcostci.laws.exact._linear import LinearLaw, Stratum
from skcostci.statistics._cost import cost_law

LEVEL = 0.9
TAIL = np.array((1 - LEVEL) / 2)
SCALE = 3.0
W = np.arange(1, 100) / 100  # operating conditions of the exact sums
FEW_W = np.array([0.01, *np.arange(1, 40) / 40, 0.99])  # of the simulations
SEED = 2008
SPREADS, SIZES = (0.75, 1.5, 3.0, 5.0), (25, 250, 2500, 10_000)
RHO_LOOKS = {0.3: DOTTED, 0.6: DASH_DOTTED, 0.9: SOLID}
N = 1000  # of each class, where the size is not what varies


def optimum(theta: float, shift: float, w: np.ndarray) -> np.ndarray:
    """The threshold that costs least when positives lie at theta + shift and negatives at -theta."""
    return shift / 2 + SCALE**2 / (2 * theta + shift) * np.log((1 - w) / w)


def error_rates(theta: float, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """False-negative and false-positive rates at the optimum."""
    threshold = optimum(theta, 0, w)
    return norm.cdf((threshold - theta) / SCALE), norm.sf((threshold + theta) / SCALE)


def covers(law: LinearLaw, method: str, truth: float) -> np.ndarray:
    """For each point of a law, whether its interval holds the truth."""
    low, high = (METHODS[method].limit(law, TAIL, side) for side in (-1, 1))
    return (low <= truth + 1e-12) & (truth <= high + 1e-12)


# --- One model --------------------------------------------------------------------------------------------------------


def stratified_law(missed: np.ndarray, alarms: np.ndarray, n: int, w: float) -> LinearLaw:
    """The law of the cost for each pair of error counts."""
    possible = np.ones((len(missed), 2), dtype=bool)
    positive, negative = np.column_stack([n - missed, missed]), np.column_stack([alarms, n - alarms])
    return cost_law(Cells(positive, possible), Cells(negative, possible), np.full(len(missed), w))


def full_law(missed: np.ndarray, alarms: np.ndarray, n: int, w: float) -> LinearLaw:
    """The same when all 2n cases are resampled together; equal class shares make an error cost 2w or 2 (1 - w)."""
    counts = np.column_stack([missed, alarms, 2 * n - missed - alarms]).astype(float)
    values = np.broadcast_to([2 * w, 2 * (1 - w), 0.0], counts.shape)
    return LinearLaw(
        (Stratum(counts, values, np.broadcast_to([0.5, 0.5, 1.0], counts.shape), 2 * n, counts),), agresti=4.0
    )


def likely(n: int, rate: float) -> np.ndarray:
    """The counts of a binomial that matter."""
    first, last = binom.ppf([1e-9, 1 - 1e-9], n, rate).astype(int)
    return np.arange(first, last + 1)


def fixed_classes(fnr: float, fpr: float, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All pairs of error counts that matter, and their probabilities, with n cases of either class."""
    missed, alarms = likely(n, fnr), likely(n, fpr)
    joint = np.multiply.outer(binom.pmf(missed, n, fnr), binom.pmf(alarms, n, fpr))
    row, column = np.nonzero(joint > 1e-10)
    return missed[row], alarms[column], joint[row, column]


def random_classes(fnr: float, fpr: float, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same with 2n cases of which each is positive with probability 1/2."""
    missed, alarms = likely(2 * n, fnr / 2), likely(2 * n, fpr / 2)
    given = binom.pmf(alarms, 2 * n - missed[:, None], fpr / (2 - fnr))
    joint = binom.pmf(missed, 2 * n, fnr / 2)[:, None] * given
    row, column = np.nonzero(joint > 1e-10)
    return missed[row], alarms[column], joint[row, column]


def exact(theta: float, n: int, law_of=stratified_law, outcomes=fixed_classes) -> np.ndarray:
    """Coverage of the Gaussian interval at each operating condition, summed over all outcomes."""
    coverage = []
    for w, fnr, fpr in zip(W, *error_rates(theta, W), strict=True):
        missed, alarms, weights = outcomes(fnr, fpr, n)
        law, truth = law_of(missed, alarms, n, w), w * fnr + (1 - w) * fpr
        held = covers(law, "wald", truth) & (law.variance > 0)  # no point is the truth, were there no rounding
        coverage.append(weights @ held / weights.sum())
    return np.array(coverage)


def simulated(theta: float, n: int, sets: int, law_of=stratified_law) -> np.ndarray:
    """Coverage of "smoothed" in simulated test sets, equal ones judged once."""
    rng = np.random.default_rng([SEED, n, round(100 * theta)])
    coverage = []
    for w, fnr, fpr in zip(FEW_W, *error_rates(theta, FEW_W), strict=True):
        n_positive = n if law_of is stratified_law else rng.binomial(2 * n, 0.5, sets)
        n_negative = 2 * n - n_positive
        outcomes = np.column_stack([rng.binomial(n_positive, fnr, sets), rng.binomial(n_negative, fpr, sets)])
        distinct, times = np.unique(outcomes, axis=0, return_counts=True)
        held = covers(law_of(*distinct.T, n, w), "smoothed", w * fnr + (1 - w) * fpr)
        coverage.append(times @ held / sets)
    return np.array(coverage)


def one_model(name: str, designs: list[tuple[str, float, int]], sets: int, full: bool) -> tuple[str, list[list[str]]]:
    """A figure of four panels and the rows of its table."""
    law_of, outcomes = (full_law, random_classes) if full else (stratified_law, fixed_classes)
    figure, axes = panels(2, 2)
    rows = []
    for ax, (title, theta, n) in zip(axes, designs, strict=True):
        wald, smoothed = exact(theta, n, law_of, outcomes), simulated(theta, n, sets, law_of)
        curves = {"Gaussian, exact moments (the paper's)": (wald, SOLID)}
        row = [title, worst(W, wald), on_target(W, wald, LEVEL)]
        if full:
            fixed = exact(theta, n, full_law, fixed_classes)
            curves["the same, class counts of the data fixed"] = fixed, DOTTED
            row += [worst(W, fixed), on_target(W, fixed, LEVEL)]
        draw_coverage(ax, title, W, curves, LEVEL)
        ax.plot(FEW_W, smoothed, label='"smoothed"', **OURS)
        rows.append([*row, worst(FEW_W, smoothed)])
    label_edges(figure, "Operating condition, PC(+)", "Coverage of nominal 90 % intervals")
    one_legend(figure, axes[0], columns=2 if full else 3)
    return save(figure, name), rows


# --- Two models -------------------------------------------------------------------------------------------------------


def cells(means: tuple[float, float], thresholds: tuple[float, float], rho: float) -> np.ndarray:
    """How probable it is that both models label a case positive, only the first, only the second, neither."""
    neither = multivariate_normal.cdf(thresholds, means, SCALE**2 * np.array([[1, rho], [rho, 1]]), abseps=1e-10)
    a, b = norm.sf(thresholds, means, SCALE)
    shares = np.array([a + b - 1 + neither, 1 - b - neither, 1 - a - neither, neither])
    return np.maximum(shares, 0) / np.maximum(shares, 0).sum()


def paired(theta: float, shift: float, rho: float, sets: int, full: bool) -> Iterator[tuple[float, float, float]]:
    """At each operating condition: coverage of the paper's interval, points counted out and in, and of "agresti"."""
    rng = np.random.default_rng([SEED, round(theta), round(shift), round(10 * rho), full])
    for w in FEW_W:
        thresholds = float(optimum(theta, 0, w)), float(optimum(theta, shift, w))
        positive, negative = (cells(m, thresholds, rho) for m in ((theta, theta + shift), (-theta, -theta)))
        truth = w * (positive[2] - positive[1]) + (1 - w) * (negative[1] - negative[2])
        law = (paired_full_law if full else paired_stratified_law)(rng, positive, negative, w, sets)
        wald, agresti = covers(law, "wald", truth), covers(law, "agresti", truth)
        yield (wald & (law.variance > 0)).mean(), wald.mean(), agresti.mean()


def paired_stratified_law(rng, positive: np.ndarray, negative: np.ndarray, w: float, sets: int) -> LinearLaw:
    """The laws of the cost of model a less that of model b for so many test sets of N cases a class."""
    possible = np.ones((sets, 4), dtype=bool)
    drawn = [Cells(rng.multinomial(N, shares, sets), possible) for shares in (positive, negative)]
    return cost_law(*drawn, np.full(sets, w))


def paired_full_law(rng, positive: np.ndarray, negative: np.ndarray, w: float, sets: int) -> LinearLaw:
    """The same for 2N cases of either class, resampled together; concordant cases are one cell."""
    discordant = np.concatenate([positive[1:3], negative[1:3]]) / 2
    counts = rng.multinomial(2 * N, [*discordant, 1 - discordant.sum()], sets).astype(float)
    values = np.broadcast_to(2 * np.array([-w, w, 1 - w, w - 1, 0.0]), counts.shape)
    prior = np.broadcast_to([0.25, 0.25, 0.25, 0.25, 1.0], counts.shape)
    return LinearLaw((Stratum(counts, values, prior, 2 * N, counts),), agresti=2.0)


def two_models(name: str, sets: int, full: bool) -> tuple[str, list[list[str]]]:
    """A figure of six panels and the rows of its table."""
    figure, axes = panels(3, 2)
    rows = []
    for ax, (shift, theta) in zip(axes, [(s, t) for s in (0.0, 2.0, 4.0) for t in (1.0, 3.0)], strict=True):
        curves = {}
        for rho, look in RHO_LOOKS.items():
            counted_out, wald, agresti = np.array(list(paired(theta, shift, rho, sets, full))).T
            curves[f"Gaussian, correlation {rho}"] = counted_out, look
            row = [f"{theta:g}", f"{shift:g}", rho, worst(FEW_W, counted_out), on_target(FEW_W, counted_out, LEVEL)]
            rows.append([*row, worst(FEW_W, wald), worst(FEW_W, agresti)])
        draw_coverage(ax, f"spread {theta:g}, shift {shift:g}", FEW_W, curves, LEVEL)
        ax.plot(FEW_W, agresti, label='"agresti", correlation 0.9', **OURS)
    label_edges(figure, "Operating condition, PC(+)", "Coverage of nominal 90 % intervals")
    one_legend(figure, axes[0], columns=2)
    return save(figure, name), rows


# --- The page ---------------------------------------------------------------------------------------------------------

TEXT = """The curves of the paper's figures are pictures; what is compared here are the sentences about them. Grey:
"smoothed" for one model, "agresti" for two, which were our defaults in version 0.1.0. One model: black curves are exact
sums, grey ones {sets:,} simulated test sets (standard error {single_error:.4f}). Two models: {pairs:,} simulated test
sets at each operating condition (standard error {pair_error:.4f}).

## Figure 2, the spread experiment (p. 5): stratified, 1,000 cases a class

{fig2}

{table2}

Agrees: "better results when score distributions have few overlap", and the breaks near PC(+) = 0 and 1. They begin
where the optimal threshold leaves the scores: no error is seen, the variance (5) is 0 and the interval a point. The
variance printed as (5) lacks the factors 1/n+ and 1/n-; with it every interval would be some thirty times too wide
and coverage 1 outside the breaks, so the experiment cannot have used it. "smoothed" has no breaks.

## Figure 3, the size experiment (p. 6): stratified, spread 3

{fig3}

{table3}

Agrees: the range on target widens with the size, and is very narrow with 25 cases a class. The caption gives the last
size as 1,000, the text and the panel as 10,000: 10,000 is drawn.

## Figure 4, the difference experiment (p. 6): stratified, 1,000 cases a class, two models

{fig4}

{table4}

Where the models never disagree the variance is 0 and the interval a point. With shift 0 the truth is the point 0, so
that it holds the truth; section 6 calls coverage "impossible" then, and the picture follows that. Agrees, on this
reading only: at spread 1 a larger shift covers better, at spread 3 less well and less pronouncedly so (the very ends
of the rows). Agrees: spread 3 has the wider range on target, and the correlation has little effect. Only the
discordant cases enter (7) and (8), although earlier in the paper the same symbols count all cases at or above the
threshold: with those the means are the same and the variances wrong.

## Figure 5, the spread experiment (p. 7): full sampling

{fig5}

{table5}

The paper does not say which costs belong to an operating condition under full sampling, nor whether the class counts
of its test sets varied. Drawn: errors cost 2w and 2(1 - w), and the class counts vary as full sampling supposes;
dotted, 1,000 of each class as in the other experiments. On the first reading all three sentences agree: at spread .75
far better than stratified, the effect of the spread reversed, and spread 5 better than spread 3. On the second,
coverage is too high at the small spreads. The explanation does not agree: section 6 calls (10) "very close to zero"
where the threshold leaves the scores. It is p+ p-/n there for equal costs, the variance of the class shares, and that
is why the small spreads have no breaks.

## Figure 6, the difference experiment (p. 7): full sampling

{fig6}

{table6}

Agrees: full sampling performs like stratified sampling.
"""

ONE = ["panel", "Gaussian: least coverage", "within .02 of .9 for PC(+)", '"smoothed": least']
FULL = [*ONE[:3], "class counts fixed: least", "within .02 for", ONE[3]]
TWO = ["spread", "shift", "correlation", *ONE[1:3], "points counted as intervals: least", '"agresti": least']


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="100 test sets and the first sizes")
    quick = parser.parse_args().quick
    sets, pairs = (100, 500) if quick else (1000, 10_000)
    sizes = (25, 50, 100, 250) if quick else SIZES
    by_spread = [(f"spread {theta:g}", theta, N) for theta in SPREADS]
    by_size = [(f"{n:,} a class", 3.0, n) for n in sizes]
    figures = {
        2: one_model("dugas_gadoury_2008_figure2", by_spread, sets, full=False),
        3: one_model("dugas_gadoury_2008_figure3", by_size, sets, full=False),
        4: two_models("dugas_gadoury_2008_figure4", pairs, full=False),
        5: one_model("dugas_gadoury_2008_figure5", by_spread, sets, full=True),
        6: two_models("dugas_gadoury_2008_figure6", pairs, full=True),
    }
    headers = {2: ONE, 3: ONE, 4: TWO, 5: FULL, 6: TWO}
    parts = {f"fig{i}": picture for i, (picture, _) in figures.items()}
    parts |= {f"table{i}": table(headers[i], rows) for i, (_, rows) in figures.items()}
    body = TEXT.format(
        sets=sets, pairs=pairs, single_error=np.sqrt(0.09 / sets), pair_error=np.sqrt(0.09 / pairs), **parts
    )
    write_page("dugas_gadoury_2008", "Dugas & Gadoury (2008), Figures 2 to 6", body)


if __name__ == "__main__":
    main()
