"""Rates at fixed thresholds, one model and two: sums over all counts of a class, so nothing is simulated.

The points are total positive rates: the thresholds, one a model, that so large a share of the population exceeds. A
region has its sides at the square root of the level, and covers as often as both sides do; its width is the mean area.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.stats import binom

from coverage_study.designs import SCARCE, TOTAL_POSITIVE_RATES, Design, difference, ratio, size, spread
from coverage_study.exact import class_tables, discordance_pmf
from coverage_study.judging import EXACT, LEVELS, ROUNDING, Cell, Row, row
from skcostci import bootstrap_roc_at_threshold
from skcostci.cuts import Cells
from skcostci.results._results import ExactResult
from skcostci.statistics._roc_threshold import PAIRED_METHODS, rate_law

VARIANTS = ("tpr", "fpr", "region")
MANY_RATES = np.array([0.01, *np.arange(1, 20) / 20, 0.99])  # where classes are small


def cells() -> Iterator[Cell]:
    spreads = [*spread(), *(design for n in (250, 1000, 10000) for design in spread(n)[:4])]
    designs = [*spreads, *size(10, 50, 100, 2500), *ratio(*SCARCE, (50, 1000))]
    for design in designs:
        for variant in VARIANTS:
            yield _cell("roc_at_threshold", design, variant)


def paired_cells() -> Iterator[Cell]:
    sizes = [Design(n, n, 3.0, 3.75, 2.0, 0.6) for n in (10, 50, 250)]
    scarce = [Design(*pair, 3.0, 3.75, 2.0, 0.6) for pair in SCARCE]
    for design in (*difference(25, 25, (0.0, 2.0)), *difference(100, 100, (2.0,)), *sizes, *scarce):
        for variant in VARIANTS:
            yield _cell("roc_difference_at_threshold", design, variant)


def _cell(statistic: str, design: Design, variant: str) -> Cell:
    return Cell(
        statistic, variant, "stratified", design.label, *design.sizes, EXACT, partial(coverage, design, variant)
    )


def coverage(design: Design, variant: str, runs: int) -> Iterator[Row]:
    """Of every method and level at each total positive rate."""
    models = range(1 if design.rho is None else 2)
    rates = MANY_RATES if design.n <= 50 else TOTAL_POSITIVE_RATES
    shares = [design.shares([design.threshold_at(rate, m) for m in models]) for rate in rates]
    sides = [(design.n_positive, 0)] * (variant != "fpr") + [(design.n_negative, 1)] * (variant != "tpr")
    for method in results(1, design.rho is not None).methods:
        for level in LEVELS:
            side_level = level ** (1 / len(sides))
            both = [of_class(n, np.array([s[i] for s in shares]), method, side_level) for n, i in sides]
            covered, width = np.prod(both, axis=0)
            for numbers in zip(rates, covered, width, strict=True):
                yield row(numbers[0], method, level, *numbers[1:], EXACT)


def of_class(n: int, shares: np.ndarray, method: str, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Coverage and mean width of a rate, or a difference of rates, of n cases at each row of true shares."""
    paired = shares.shape[1] == 4
    low, high = limits(n, paired, method, level)
    covered, width = [], []
    for each in shares:
        weights = discordance_pmf(n, each[1], each[2]) if paired else binom.pmf(np.arange(n + 1), n, each[0])
        truth = each[1] - each[2] if paired else each[0]
        covered.append(weights @ ((low <= truth + ROUNDING) & (truth <= high + ROUNDING)))
        width.append(weights @ (high - low))
    return np.array(covered), np.array(width)


@cache
def limits(n: int, paired: bool, method: str, level: float) -> Any:
    """The interval for each count."""
    return results(n, paired).confidence_interval(level, method=method)


@cache
def results(n: int, paired: bool) -> Any:
    """The results for 0 to n cases that reach the threshold; for a pair, for all counts of discordant cases."""
    if paired:
        counts = class_tables(n, np.full(4, 0.25))[0]
        law = rate_law(Cells(counts, np.ones(counts.shape, dtype=bool)))
        return ExactResult(law.mean, law, PAIRED_METHODS)
    y_true, scores = np.repeat([1, 0], [n, 1]), np.r_[:n, 0]
    return bootstrap_roc_at_threshold(y_true, scores, thresholds=n - np.arange(n + 1) - 0.5).tpr
