"""The statistics whose data are counts, so that coverage is a sum: a new one is entered here.

Each function takes the class sizes and returns a problem for ``sums``; all tables' limits come from one result with a
point for each of them, or, where a result has one point, from one result a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from coverage_study.sums import Limits, Population, Problem, Sample
from skcostci import bootstrap_auc, bootstrap_auc_difference, bootstrap_metric
from skcostci.cuts import Cells
from skcostci.laws.exact._linear import pooled_law, rate_law
from skcostci.results import Estimand
from skcostci.results._results import ExactResult
from skcostci.statistics import _cost, _expected_cost, _roc_threshold

MANY = 30_000  # tables of one sample; of more, those with many cases outside the last cell are left out


def _sample(n: int, *cells: str, many: int = MANY) -> Sample:
    """The tables of n cases, all of them if there are not too many."""
    most = n
    while np.prod([(most + k) / k for k in range(1, len(cells))]) > many:
        most -= 1
    return Sample(n, cells, most)


def _product(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every table of the first sample beside every one of the second."""
    i, j = np.divmod(np.arange(len(first) * len(second)), len(second))
    return first[i], second[j]


def _of_law(law: Any, methods: tuple[str, ...]) -> Callable[[float, str], Limits]:
    result = ExactResult(law.mean, law, methods, estimand=Estimand("benchmark"))
    return lambda level, method: tuple(map(np.atleast_1d, result.confidence_interval(level, method=method)))


def _cells(tables: np.ndarray) -> Cells:
    return Cells(tables, np.ones(tables.shape, dtype=bool))


# --- Costs ------------------------------------------------------------------------------------------------------------


def cost(n_positive: int, n_negative: int, w: float, methods: tuple[str, ...] = _cost.METHODS["stratified"]) -> Problem:
    """Of one model, the class sizes fixed."""
    samples = _sample(n_positive, "missed", "hit"), _sample(n_negative, "alarm", "quiet")
    missed, alarm = _product(*(sample.tables for sample in samples))
    law = _cost.cost_law(_cells(missed[:, ::-1]), _cells(alarm), np.full(len(missed), w))

    def truth(population: Population) -> np.ndarray:
        return w * population[0][:, 0] + (1 - w) * population[1][:, 0]

    interval = _of_law(law, methods)
    return Problem("cost", f"w={w:g}", "stratified", (n_positive, n_negative), samples, truth, interval, methods)


def full_cost(n: int, w: float, fixed: str, paired: bool = False) -> Problem:
    """Of one model, or of a less that of b, the class sizes random.

    What is fixed is w, or the costs w and 1 - w of a mistake, the truth being the cost of a case; "costs, max" divides
    that by the larger of them.
    """
    ours, theirs = (("only a", "only b", "same"),) * 2 if paired else (("missed", "hit"), ("alarm", "quiet"))
    sample = _sample(n, *(f"positive {cell}" for cell in ours), *(f"negative {cell}" for cell in theirs))
    each = len(ours)
    loss = np.array([-1.0, 1.0, 0.0]) if paired else np.array([1.0, 0.0])  # of positives; negatives are the opposite
    methods = _cost.DIFFERENCE_METHODS["full"] if paired else _cost.METHODS["full"]

    def interval(level: float, method: str) -> Limits:
        return _by_class_sizes(
            sample.tables, each, lambda part: _full_limits(part, each, w, fixed, level, method), paired
        )

    def truth(population: Population) -> np.ndarray:
        positive, negative = population[0][:, :each], population[0][:, each:]
        missed, alarm = positive @ loss, negative @ (-loss if paired else loss)
        if fixed != "w":
            return (w * missed + (1 - w) * alarm) / (max(w, 1 - w) if fixed == "costs, max" else 1.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(w * missed / positive.sum(axis=1) + (1 - w) * alarm / negative.sum(axis=1))

    name = "cost_difference" if paired else "cost"
    return Problem(name, f"fixed {fixed}, w={w:g}", "full", (n, 0), (sample,), truth, interval, methods)


def _full_limits(tables: np.ndarray, each: int, w: float, fixed: str, level: float, method: str) -> Limits:
    """Of tables with the same number of positives."""
    condition, unit, normalizer = w, 1.0, "max" if fixed == "costs, max" else "mean"
    if fixed != "w":
        share = tables[0, :each].sum() / tables[0].sum()
        mean = w * share + (1 - w) * (1 - share)
        condition, unit = w * share / mean, mean if normalizer == "mean" else 1.0
    positive, negative = tables[:, :each], tables[:, each:]
    cells = (
        (_pair_cells(positive), _pair_cells(negative)) if each == 3 else (_cells(positive[:, ::-1]), _cells(negative))
    )
    law = _cost.cost_law(*cells, np.full(len(tables), condition), "full", normalizer)
    low, high = _of_law(law, (method,))(level, method)
    return unit * low, unit * high


def _by_class_sizes(tables: np.ndarray, each: int, ask: Callable[[np.ndarray], Limits], paired: bool) -> Limits:
    """Asked for each number of positives; of a data set without one of the classes everything is possible."""
    low, high = np.full(len(tables), -1.0 if paired else 0.0), np.ones(len(tables))
    positives, n = tables[:, :each].sum(axis=1), tables[0].sum()
    for number in range(1, n):
        mine = positives == number
        if mine.any():
            low[mine], high[mine] = ask(tables[mine])
    return low, high


def cost_difference(n_positive: int, n_negative: int, w: float) -> Problem:
    """Of two models on the same cases."""
    cells = "only a", "only b", "same"
    samples = tuple(_sample(n, *cells, many=330) for n in (n_positive, n_negative))
    positive, negative = (_pair_cells(tables) for tables in _product(*(sample.tables for sample in samples)))
    law = _cost.cost_law(positive, negative, np.full(len(positive[0]), w))

    def truth(population: Population) -> np.ndarray:
        (hit_a, hit_b, _), (alarm_a, alarm_b, _) = population[0].T, population[1].T
        return w * (hit_b - hit_a) + (1 - w) * (alarm_a - alarm_b)

    methods = _cost.DIFFERENCE_METHODS["stratified"]
    interval = _of_law(law, methods)
    sizes = n_positive, n_negative
    return Problem("cost_difference", f"w={w:g}", "stratified", sizes, samples, truth, interval, methods)


def _pair_cells(tables: np.ndarray) -> Cells:
    """Both, only a, only b, neither, where it does not matter how those on which the models agree are labelled."""
    only_a, only_b, same = tables.T
    return _cells(np.column_stack([same, only_a, only_b, np.zeros_like(same)]))


# --- Rates at thresholds ----------------------------------------------------------------------------------------------


def rate(n: int) -> Problem:
    sample = _sample(n, "reached", "not")
    law = rate_law(*_cells(sample.tables))
    methods = _roc_threshold.METHODS
    interval = _of_law(law, methods)
    return Problem("roc_at_threshold", "rate", "stratified", (n, 0), (sample,), lambda p: p[0][:, 0], interval, methods)


def rate_difference(n: int) -> Problem:
    sample = _sample(n, "only a", "only b", "same")
    law = rate_law(*_pair_cells(sample.tables))
    methods = _roc_threshold.DIFFERENCE_METHODS
    interval = _of_law(law, methods)
    return Problem(
        "roc_difference_at_threshold",
        "rate",
        "stratified",
        (n, 0),
        (sample,),
        lambda p: p[0][:, 0] - p[0][:, 1],
        interval,
        methods,
    )


# --- Cost matrices ----------------------------------------------------------------------------------------------------


def expected_cost(n: int, values: Sequence[float], paired: bool = False) -> Problem:
    """Of cells with these values, the last one the most frequent."""
    sample = _sample(n, *(f"{value:g}" for value in values))
    costs = np.broadcast_to(np.array(values, dtype=float), sample.tables.shape)
    law = pooled_law(sample.tables.astype(float), costs, smoothing=0.0 if paired else 0.1)
    methods = _expected_cost.METHODS
    name = "expected_cost_difference" if paired else "expected_cost"
    variant = "costs " + " ".join(f"{value:g}" for value in values)
    interval = _of_law(law, methods)
    return Problem(name, variant, "full", (n, 0), (sample,), lambda p: p[0] @ costs[0], interval, methods)


# --- Metrics of the confusion table -----------------------------------------------------------------------------------

Truth = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
METRICS: dict[str, Truth] = {  # of the shares of hits, misses, false alarms and the rest
    "f1": lambda tp, fn, fp, tn: 2 * tp / (2 * tp + fn + fp),
    "precision": lambda tp, fn, fp, tn: tp / (tp + fp),
    "kappa": lambda tp, fn, fp, tn: 2 * (tp * tn - fn * fp) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)),
    "mcc": lambda tp, fn, fp, tn: (tp * tn - fn * fp) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    "lr_positive": lambda tp, fn, fp, tn: tp / (tp + fn) / (fp / (fp + tn)),
}


def metric(n: int, name: str) -> Problem:
    """Of one model, the class sizes random; a data set that leaves it undefined has no interval and fails nobody."""
    sample = _sample(n, "hit", "missed", "alarm", "quiet")
    results = [_metric_result(table, name) for table in sample.tables]
    defined = [result for result in results if result is not None]
    methods = defined[0].methods

    def interval(level: float, method: str) -> Limits:
        return _where_defined(results, level, method)

    def truth(population: Population) -> np.ndarray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(METRICS[name](*population[0].T))

    return Problem("metric", name, "full", (n, 0), (sample,), truth, interval, methods)


def _metric_result(table: np.ndarray, name: str) -> Any:
    if not (table[:2].any() and table[2:].any()):
        return None
    try:
        return bootstrap_metric([1, 1, 0, 0], [1, 0, 1, 0], name, sampling="full", sample_weight=table)
    except ValueError:  # its denominator is 0
        return None


def _where_defined(results: list[Any], level: float, method: str) -> Limits:
    limits = [(-1.0, 1.0) if each is None else each.confidence_interval(level, method=method) for each in results]
    low, high = np.array(limits).T
    return low, high


# --- The AUC of scores on a few values --------------------------------------------------------------------------------


def auc(n_positive: int, n_negative: int, values: int) -> Problem:
    """Of scores on so many values; cells are from the highest for positives, from the lowest for negatives."""
    cells = tuple(f"value {k}" for k in range(values))
    samples = tuple(_sample(n, *cells[::-1], many=2500) for n in (n_positive, n_negative))
    positive, negative = (s.tables for s in samples)
    grades = np.r_[np.arange(values), np.arange(values)[::-1]]
    labels = np.repeat([1, 0], values)

    @cache
    def results() -> list[Any]:
        rows = np.hstack(_product(positive, negative))
        return [bootstrap_auc(labels, grades, sample_weight=row) for row in rows]

    def interval(level: float, method: str) -> Limits:
        low, high = np.array([result.confidence_interval(level, method=method) for result in results()]).T
        return low, high

    def truth(population: Population) -> np.ndarray:
        return np.sum(population[0] * _placements(population[1][:, ::-1]), axis=1)

    methods = bootstrap_auc([0, 1], [0, 1]).methods
    return Problem("auc", f"{values} values", "stratified", (n_positive, n_negative), samples, truth, interval, methods)


def auc_around(n_positive: int, n_negative: int) -> Problem:
    """Of positives that are above all negatives or below all."""
    sample = _sample(n_positive, "above", "below")

    @cache
    def results() -> list[Any]:
        return [bootstrap_auc([1, 1, 0], [2, 0, 1], sample_weight=[*row, n_negative]) for row in sample.tables]

    def interval(level: float, method: str) -> Limits:
        low, high = np.array([result.confidence_interval(level, method=method) for result in results()]).T
        return low, high

    sizes, methods = (n_positive, n_negative), results()[0].methods
    return Problem("auc", "positives around", "stratified", sizes, (sample,), lambda p: p[0][:, 0], interval, methods)


def auc_difference(n_positive: int, n_negative: int) -> Problem:
    """Of two models that only say yes or no."""
    cells = "both", "only a", "only b", "neither"
    samples = tuple(_sample(n, *cells) for n in (n_positive, n_negative))
    labels, a, b = np.repeat([1, 0], 4), np.array([1, 1, 0, 0] * 2), np.array([1, 0, 1, 0] * 2)

    @cache
    def results() -> list[Any]:
        rows = np.hstack(_product(*(sample.tables for sample in samples)))
        return [bootstrap_auc_difference(labels, a, b, sample_weight=row) for row in rows]

    def interval(level: float, method: str) -> Limits:
        low, high = np.array([result.confidence_interval(level, method=method) for result in results()]).T
        return low, high

    def truth(population: Population) -> np.ndarray:
        (_, hit_a, hit_b, _), (_, alarm_a, alarm_b, _) = population[0].T, population[1].T
        return (hit_a - hit_b - alarm_a + alarm_b) / 2

    methods = bootstrap_auc_difference([0, 1], [0, 1], [1, 0]).methods
    sizes = n_positive, n_negative
    return Problem("auc_difference", "2 values", "stratified", sizes, samples, truth, interval, methods)


def _placements(negative: np.ndarray) -> np.ndarray:
    """The share of negatives below each value, ties counting a half."""
    return np.asarray(np.cumsum(negative, axis=1) - negative / 2)
