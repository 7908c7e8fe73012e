"""Bands for all points at once, and what holds at thresholds that the same cases chose.

Point "all" counts a data set as covered where the band holds everywhere: for both rates at every threshold there is,
for costs and differences at all conditions. What is true of a chosen threshold differs from one data set to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import norm

from coverage_study.judging import ROUNDING, Cell, Row, row
from coverage_study.simulation import generator
from skcostci import bootstrap_cost, bootstrap_cost_difference, bootstrap_metric, bootstrap_roc_at_threshold

CONDITIONS = np.array([0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.98])
LEVELS = (0.9, 0.95)
GRID = np.linspace(0.01, 0.99, 99)
SIZES = {(25, 25): 200, (60, 60): 200, (100, 100): 100, (50, 2000): 60, (1000, 1000): 60}  # and runs
STEP = 0.75  # of the ratings
ZERO = 0.3, 0.7  # the shares of positives and negatives that score 0


@dataclass(frozen=True)
class Population:
    """``of_uniform`` turns uniform numbers into scores, ``above`` is how probable a score of at least t is."""

    label: str
    of_uniform: Callable[[np.ndarray, int], np.ndarray]
    above: Callable[[np.ndarray, int], np.ndarray]


def _binormal(shift: float) -> Population:
    return Population(
        f"binormal shift={shift:g}",
        lambda u, positive: norm.ppf(u) + shift * positive,
        lambda t, positive: norm.sf(t - shift * positive),
    )


def _ratings(t: np.ndarray) -> np.ndarray:
    return np.ceil(t / STEP - 1e-9) * STEP


def _zero_inflated(u: np.ndarray, positive: int) -> np.ndarray:
    share = ZERO[1 - positive]
    return np.where(u < share, 0.0, -(1 + 2 * positive) * np.log1p(-np.maximum((u - share) / (1 - share), 0.0)))


POPULATIONS = (
    _binormal(1.5),
    _binormal(0.5),
    Population(
        "exponential scale=5",
        lambda u, positive: -(1 + 4 * positive) * np.log1p(-u),
        lambda t, positive: np.exp(-np.maximum(t, 0) / (1 + 4 * positive)),
    ),
    Population(
        "ratings step=0.75",
        lambda u, positive: np.floor((norm.ppf(u) + 1.5 * positive) / STEP) * STEP,
        lambda t, positive: norm.sf(_ratings(t) - 1.5 * positive),
    ),
    Population(
        "zero-inflated",
        _zero_inflated,
        lambda t, positive: np.where(
            t <= 0, 1.0, (1 - ZERO[1 - positive]) * np.exp(-np.maximum(t, 0) / (1 + 2 * positive))
        ),
    ),
)


def roc_cells() -> Iterator[Cell]:
    yield from _cells("roc_band", "every threshold", roc_band)


def cost_cells() -> Iterator[Cell]:
    yield from _cells("cost_band", "chosen thresholds, 99 conditions", cost_band)


def chosen_cost_cells() -> Iterator[Cell]:
    yield from _cells("chosen_cost", "PC(+)", chosen_cost)


def least_cost_cells() -> Iterator[Cell]:
    yield from _cells("least_cost", "PC(+), any threshold", least_cost, most=60)


def chosen_rate_cells() -> Iterator[Cell]:
    yield from _cells("chosen_rate", "Youden", chosen_rate)


def chosen_metric_cells() -> Iterator[Cell]:
    yield from _cells("chosen_metric", "best of its own", chosen_metric, most=25)


def difference_cells() -> Iterator[Cell]:
    yield from _cells("difference_band", "chosen thresholds, 99 conditions", partial(difference, band=True))


def chosen_difference_cells() -> Iterator[Cell]:
    yield from _cells("chosen_difference", "PC(+)", partial(difference, band=False))


def _cells(statistic: str, variant: str, measure: Callable[..., Iterator[Row]], most: int = 1000) -> Iterator[Cell]:
    for sizes, runs in SIZES.items():
        for population in POPULATIONS:
            rows = partial(measure, population, *sizes)
            yield Cell(
                statistic,
                variant,
                "stratified",
                population.label,
                *sizes,
                True,
                min(runs, most),
                rows,
            )


class Sums:
    """How often the truth is missed, and width, by method, level and point."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, float], dict[str, np.ndarray]] = {}

    def add(self, method: str, level: float, points: list[str], covered: Any, width: Any) -> None:
        for point, held, wide in zip(points, np.atleast_1d(covered), np.atleast_1d(width), strict=True):
            sums = self.sums.setdefault((method, level), {})
            sums[point] = sums.get(point, np.zeros(3)) + np.array([1 - held, 0.0, wide])

    def rows(self, runs: int) -> Iterator[Row]:
        for (method, level), points in self.sums.items():
            measured = np.array(list(points.values())) / runs
            yield row(method, level, measured, list(points), np.ones(len(points)), runs, two_limits=False)


def _drawn(
    population: Population, positives: int, negatives: int, runs: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Labels and scores."""
    rng, y = generator(population.label, positives, negatives), np.repeat([1, 0], [positives, negatives])
    for _ in range(runs):
        yield y, np.concatenate([population.of_uniform(rng.random(n), k) for k, n in ((1, positives), (0, negatives))])


def _held(limits: Any, truth: Any) -> np.ndarray:
    low, high = limits
    return np.asarray((low <= truth + ROUNDING) & (truth <= high + ROUNDING))


def roc_band(population: Population, positives: int, negatives: int, runs: int) -> Iterator[Row]:
    """Both rates at every threshold: at each score, and just above it."""
    sums = Sums()
    for y, scores in _drawn(population, positives, negatives, runs):
        each = np.unique(scores)
        thresholds = np.concatenate([each, each + 1e-6])  # more than a rating is rounded by
        roc = bootstrap_roc_at_threshold(y, scores, thresholds=thresholds)
        truth = [population.above(thresholds, k) for k in (0, 1)]
        for method in roc.fpr.band_methods:
            for level in LEVELS:
                band = roc.confidence_band(level, method=method)
                covered = all(_held(limits, rate).all() for limits, rate in zip(band, truth, strict=True))
                sums.add(method, level, ["all"], covered, np.mean(np.subtract(*reversed(band.tpr))))
    return sums.rows(runs)


def _true_cost(population: Population, thresholds: Any, w: np.ndarray) -> np.ndarray:
    return w * (1 - population.above(thresholds, 1)) + (1 - w) * population.above(thresholds, 0)


def cost_band(population: Population, positives: int, negatives: int, runs: int) -> Iterator[Row]:
    """The true costs at the thresholds chosen for 99 conditions."""
    sums = Sums()
    for y, scores in _drawn(population, positives, negatives, runs):
        cost = bootstrap_cost(y, scores, probability_cost=GRID)
        _add_band(sums, cost, _true_cost(population, cost.thresholds, GRID))
    return sums.rows(runs)


def _add_band(sums: Sums, result: Any, truth: np.ndarray) -> None:
    for method in result.band_methods:
        for level in LEVELS:
            low, high = result.confidence_band(level, method=method)
            sums.add(method, level, ["all"], _held((low, high), truth).all(), np.mean(high - low))


def chosen_cost(population: Population, positives: int, negatives: int, runs: int) -> Iterator[Row]:
    """The true cost at the threshold chosen for each condition."""
    sums = Sums()
    for y, scores in _drawn(population, positives, negatives, runs):
        cost = bootstrap_cost(y, scores, probability_cost=CONDITIONS)
        _add_points(sums, cost, _true_cost(population, cost.thresholds, CONDITIONS), [f"{w:g}" for w in CONDITIONS])
    return sums.rows(runs)


def least_cost(population: Population, positives: int, negatives: int, runs: int) -> Iterator[Row]:
    """The least true cost of any threshold, on a fine grid of them."""
    every = np.concatenate([[-np.inf, np.inf], np.linspace(-6.0, 40.0, 20_001)])
    truth = _true_cost(population, every, CONDITIONS[:, None]).min(axis=1)
    sums = Sums()
    for y, scores in _drawn(population, positives, negatives, runs):
        cost = bootstrap_cost(y, scores, probability_cost=CONDITIONS)
        _add_points(sums, cost, truth, [f"{w:g}" for w in CONDITIONS], ("envelope", "chosen"))
    return sums.rows(runs)


def _add_points(sums: Sums, result: Any, truth: Any, points: list[str], methods: tuple[str, ...] | None = None) -> None:
    for method in result.methods[:2] if methods is None else methods:
        for level in LEVELS:
            low, high = result.confidence_interval(level, method=method)
            sums.add(method, level, points, _held((low, high), truth), np.subtract(high, low))


def chosen_rate(population: Population, positives: int, negatives: int, runs: int) -> Iterator[Row]:
    """Sensitivity and false-positive rate at Youden's threshold."""
    sums = Sums()
    for y, scores in _drawn(population, positives, negatives, runs):
        roc = bootstrap_roc_at_threshold(y, scores, thresholds="youden")
        for k, (name, rate) in enumerate((("fpr", roc.fpr), ("tpr", roc.tpr))):
            _add_points(sums, rate, population.above(np.asarray(roc.thresholds), k), [name])
    return sums.rows(runs)


def chosen_metric(population: Population, positives: int, negatives: int, runs: int) -> Iterator[Row]:
    """F1, accuracy and Cohen's kappa, each at the threshold where it is best on the sample."""
    sums = Sums()
    for y, scores in _drawn(population, positives, negatives, runs):
        for name in ("f1", "accuracy", "kappa"):
            found = bootstrap_metric(y, scores, name, thresholds="best", sampling="stratified")
            cells = _cells_of(population, np.asarray(found.thresholds), positives, negatives)
            _add_points(sums, found, TRUE[name](*cells), [name])
    return sums.rows(runs)


def _cells_of(population: Population, thresholds: np.ndarray, positives: int, negatives: int) -> list[np.ndarray]:
    """The shares of the population, classes as in the sample, that are TP, FN, FP and TN."""
    share = positives / (positives + negatives)
    hits, alarms = share * population.above(thresholds, 1), (1 - share) * population.above(thresholds, 0)
    return [hits, share - hits, alarms, 1 - share - alarms]


TRUE: dict[str, Callable[..., np.ndarray]] = {
    "f1": lambda tp, fn, fp, tn: 2 * tp / (2 * tp + fn + fp),
    "accuracy": lambda tp, fn, fp, tn: tp + tn,
    "kappa": lambda tp, fn, fp, tn: 2 * (tp * tn - fn * fp) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)),
}


def difference(population: Population, positives: int, negatives: int, runs: int, *, band: bool) -> Iterator[Row]:
    """Two equal models whose scores correlate by .5 on the normal scale, each at its own chosen thresholds."""
    sums, y = Sums(), np.repeat([1, 0], [positives, negatives])
    rng, w = generator(population.label, positives, negatives, "pair"), GRID if band else CONDITIONS
    for _ in range(runs):
        common, own = rng.normal(size=len(y)), rng.normal(size=(2, len(y)))
        uniform = norm.cdf(np.sqrt(0.5) * (common + own))
        a, b = (np.where(y == 1, population.of_uniform(u, 1), population.of_uniform(u, 0)) for u in uniform)
        result = bootstrap_cost_difference(y, a, b, probability_cost=w)
        truth = _true_cost(population, result.thresholds[0], w) - _true_cost(population, result.thresholds[1], w)
        if band:
            _add_band(sums, result, truth)
        else:
            _add_points(sums, result, truth, [f"{condition:g}" for condition in w])
    return sums.rows(runs)
