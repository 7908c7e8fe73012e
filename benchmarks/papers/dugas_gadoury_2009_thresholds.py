"""Figures 3, 4, 7 and 11 of Dugas & Gadoury (2009): coverage of confidence regions at fixed thresholds.

    python benchmarks/papers/dugas_gadoury_2009_thresholds.py           # half a minute; --quick ten seconds

Binormal scores, scale 3.75 (positives at theta) and 3 (negatives at -theta), 90 % rectangles. The paper simulated 1,000
test sets and, for its method "Empirical", 100 resamples of each. Here everything is an exact sum over the counts,
the 100 resamples included: how probably two of their order statistics hold the truth is a binomial matter.
"""

from __future__ import annotations

import argparse

import numpy as np
from _pages import (
    DASHED,
    DOTTED,
    OURS,
    SOLID,
    draw_coverage,
    label_edges,
    one_legend,
    panels,
    save,
    table,
    worst,
    write_page,
)
from _rates import (
    DEFAULT,
    RESAMPLED,
    SCALES,
    difference_coverage,
    discordant_at,
    rates_at,
    region_coverage,
)
from coverage_study.designs import Design
from coverage_study.threshold import limits
from scipy.stats import binom, norm

LEVEL = 0.9
SIDE = LEVEL**0.5
METHODS = {
    "agresti": ("Agresti", SOLID),
    "wald": ("Wald", DOTTED),
    RESAMPLED: ("Empirical, 100 resamples", DASHED),
    DEFAULT: ("our default", OURS),
}
XLABEL = "Total positive rate (share of cases labelled positive)"
YLABEL = "Coverage of nominal 90 % regions"


def curves_of(coverage) -> dict:
    """A curve a method, from a function of the method."""
    return {label: (coverage(method), look) for method, (label, look) in METHODS.items()}


def single_figure(name: str, designs: list[tuple[str, float, int]], shares: np.ndarray) -> tuple[str, str]:
    """Four panels, one model, and their table."""
    figure, axes = panels(2, 2)
    rows = []
    for ax, (title, theta, n) in zip(axes, designs, strict=True):
        rates = rates_at(theta, shares)
        curves = curves_of(lambda method, n=n, rates=rates: region_coverage(n, n, method, LEVEL, rates))
        draw_coverage(ax, title, shares, curves, LEVEL)
        rows.append([title, *summary(shares, curves)])
    return finished(figure, axes, name), table(header("panel"), rows)


def paired_figure(name: str, shares: np.ndarray) -> tuple[str, str]:
    """Six panels, two models on 100 cases of either class, and their table."""
    figure, axes = panels(3, 2)
    rows = []
    for ax, (rho, theta) in zip(axes, [(r, t) for r in (0.3, 0.6, 0.9) for t in (1.0, 3.0)], strict=True):
        truth = discordant_at(theta, rho, shares)
        curves = curves_of(
            lambda method, truth=truth: np.prod(
                [difference_coverage(100, method, SIDE, part) for part in truth], axis=0
            )
        )
        draw_coverage(ax, f"spread {theta:g}, correlation {rho}", shares, curves, LEVEL)
        rows.append([f"{theta:g}, {rho}", *summary(shares, curves)])
    return finished(figure, axes, name), table(header("spread, correlation"), rows)


def sampling_figure(name: str, sizes: tuple[int, ...], shares: np.ndarray) -> tuple[str, str]:
    """Four panels: test sets with fixed and with varying class counts, and their table."""
    figure, axes = panels(2, 2)
    rows = []
    for ax, n in zip(axes, sizes, strict=True):
        rates = rates_at(3.0, shares)
        stratified, full = region_coverage(n, n, "agresti", LEVEL, rates), full_coverage(n, rates)
        curves = {"stratified": (stratified, {**DOTTED, "zorder": 3}), "full": (full, OURS)}
        draw_coverage(ax, f"{n:,} a class", shares, curves, LEVEL)
        ax.set(ylim=(0.8, 1.0), yticks=(0.8, 0.85, LEVEL, 0.95, 1.0))
        difference = full - stratified
        rows.append([f"{n:,}", worst(shares, stratified), worst(shares, full), f"{np.abs(difference).max():.4f}"])
    columns = ["cases a class", "stratified: least", "full: least", "largest difference"]
    return finished(figure, axes, name), table(columns, rows)


def full_coverage(n: int, rates: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Agresti coverage when each of 2n cases is positive with probability 1/2: a sum over the class counts too."""
    first, last = binom.ppf([1e-7, 1 - 1e-7], 2 * n, 0.5).astype(int)
    sizes = np.unique(np.linspace(first, last, min(last - first + 1, 161)).astype(int))  # coverage varies slowly
    sizes = np.unique(np.concatenate([sizes, 2 * n - sizes]))
    weights = binom.pmf(sizes, 2 * n, 0.5)
    covered = {size: [monotone_coverage(size, rate) for rate in rates] for size in sizes.tolist()}
    regions = [covered[size][0] * covered[2 * n - size][1] for size in sizes.tolist()]
    return weights @ regions / weights.sum()


def monotone_coverage(n: int, truth: np.ndarray) -> np.ndarray:
    """The counts that cover are neighbours, because both ends of the Agresti interval rise with the count."""
    low, high = limits(n, False, "agresti", SIDE)
    first, last = np.searchsorted(high, truth), np.searchsorted(low, truth, side="right") - 1
    return binom.cdf(last, n, truth) - binom.cdf(first - 1, n, truth)


def finished(figure, axes, name: str) -> str:
    label_edges(figure, XLABEL, YLABEL)
    one_legend(figure, axes[0])
    return save(figure, name)


def header(first: str) -> list[str]:
    return [first, *(f"{label}: least" for label, _ in METHODS.values()), "means over the curve"]


def summary(shares: np.ndarray, curves: dict) -> list[str]:
    """The least coverage of each method, and their means."""
    values = [coverage for coverage, _ in curves.values()]
    return [*(worst(shares, value) for value in values), " / ".join(f"{value.mean():.3f}" for value in values)]


def numbers_in_the_text() -> str:
    """Section 5.1's worked example: theta = 5 and theta = 0.75, total positive rate 0.2, 10,000 cases a class."""
    rows = []
    for theta, printed in ((5.0, ("5.9513", "0.3999", "1.3090e-04")), (0.75, ("2.8681", "0.2861", "0.1139"))):
        threshold = Design(1, 1, theta).threshold_at(0.2)
        tpr, fpr = norm.sf(threshold, theta, SCALES[0]), norm.sf(threshold, -theta, SCALES[1])
        computed = f"{threshold:.4f}", f"{tpr:.4f}", f"{fpr:.4e}" if fpr < 0.01 else f"{fpr:.4f}"
        names = "threshold", "true-positive rate", "false-positive rate"
        rows += [[f"{name}, theta = {theta:g}", p, c] for name, p, c in zip(names, printed, computed, strict=True)]
        if theta == 5.0:
            rates = np.array([tpr]), np.array([fpr])
            wald, agresti = (float(region_coverage(10_000, 10_000, m, LEVEL, rates)[0]) for m in ("wald", "agresti"))
            high = limits(10_000, False, "agresti", SIDE)[1][0]
            rows += [["chance of no false positive", "0.2701", f"{(1 - fpr) ** 10_000:.4f}"]]
            rows += [["Agresti's upper limit with none", "4.7539e-04", f"{high:.4e}"]]
            rows += [
                ["coverage of Wald", "0.692", f"{wald:.4f}"],
                ["coverage of Agresti", "above target", f"{agresti:.4f}"],
            ]
    return table(["section 5.1", "printed", "computed"], rows)


TEXT = """Everything on this page is an exact sum, without simulation error; the paper's curves have a standard error
of .0095.

## Figure 3, the spread experiment: one model, 10,000 cases a class

{fig3}

{table3}

Agrees: at spread .75 the methods are hard to tell apart (the 3rd and the 98th of 100 resamples are a little too close
to each other, a matter of the rule for the quantiles, which the paper does not give); from 1.5 on, Wald and the
resamples drop at low total positive rates and Agresti covers a little too much; at 5 they drop on the right too. The
numbers of the example:

{numbers}

## Figure 4, the size experiment: one model, spread 3

{fig4}

{table4}

Agrees: all three improve with the size; Wald and the resamples break at either end, Agresti is conservative there.
With 25 cases a class the break of Wald and of the resamples is most of the curve.

## Figure 7: two models, 100 cases a class

{fig7}

{table7}

Agrees: coverage declines with the spread, and the zigzag grows with the correlation; where Wald and the resamples
drop, Agresti (Algorithm 3) rises above the target. Not stressed in the paper: Agresti too falls a little below it,
least {least7}.

## Figure 11: stratified and full sampling of the test sets, spread 3, one model

{fig11}

{table11}

Agrees: "very similar coverage" (mind the scale); varying class counts smooth the zigzag. The caption speaks of paired
design, the text (section 5.5) of single design: one model is drawn, with Agresti, which is not said either. The sums
over the class counts are thinned to 161 counts or so at the large sizes.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="eleven total positive rates, sizes up to 1,000")
    quick = parser.parse_args().quick
    shares = np.array([0.01, *np.arange(1, 10) / 10, 0.99]) if quick else np.arange(1, 100) / 100
    sizes = (25, 100, 250, 1000) if quick else (25, 250, 2500, 10_000)
    name = "dugas_gadoury_2009_figure"
    by_spread = [(f"spread {theta:g}", theta, sizes[-1]) for theta in (0.75, 1.5, 3.0, 5.0)]
    by_size = [(f"{n:,} a class", 3.0, n) for n in sizes]
    figures = {
        3: single_figure(f"{name}3", by_spread, shares),
        4: single_figure(f"{name}4", by_size, shares),
        7: paired_figure(f"{name}7", shares),
        11: sampling_figure(f"{name}11", sizes, shares),
    }
    parts = {f"fig{i}": picture for i, (picture, _) in figures.items()}
    parts |= {f"table{i}": rows for i, (_, rows) in figures.items()}
    least7 = min(line.split("|")[2].strip() for line in figures[7][1].splitlines()[2:])
    body = TEXT.format(numbers=numbers_in_the_text(), least7=least7, **parts)
    write_page("dugas_gadoury_2009_thresholds", "Dugas & Gadoury (2009), Figures 3, 4, 7 and 11", body)


if __name__ == "__main__":
    main()
