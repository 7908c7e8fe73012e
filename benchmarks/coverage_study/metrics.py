"""Differences of metrics of a confusion table between two models on the same cases, simulated at 60 cases.

Under full sampling tables are multinomial, otherwise the class sizes are their means. A table that leaves the metric
undefined has no interval and is left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np

from coverage_study.judging import LEVELS, ROUNDING, Cell, Row, row
from coverage_study.problems import METRICS
from coverage_study.simulation import generator
from skcostci.laws.exact._metric_law import metric_pair_law, models_of_pair
from skcostci.metric import find_metric
from skcostci.results import Estimand
from skcostci.statistics import _metric

# How the models agree: the share of positives; of them, and of the negatives, called positive by both, a alone, b alone
# and neither.
PAIRS = {
    "equal": (0.3, (0.6, 0.1, 0.1, 0.2), (0.1, 0.05, 0.05, 0.8)),
    "nested": (0.3, (0.6, 0.2, 0.0, 0.2), (0.1, 0.0, 0.08, 0.82)),
    "rare": (0.1, (0.5, 0.2, 0.1, 0.2), (0.05, 0.03, 0.02, 0.9)),
    "good": (0.45, (0.9, 0.05, 0.02, 0.03), (0.02, 0.03, 0.03, 0.92)),
    "nearly the same": (0.3, (0.7, 0.01, 0.01, 0.28), (0.1, 0.01, 0.01, 0.88)),
    "crossed": (0.4, (0.3, 0.4, 0.2, 0.1), (0.02, 0.2, 0.1, 0.68)),
}
SCHEMES = {"f1": "full", "precision": "full", "kappa": "stratified", "mcc": "stratified"}
CASES, RUNS = 60, 250
HITS_A, HITS_B = np.array([1, 1, 0, 0], dtype=bool), np.array([1, 0, 1, 0], dtype=bool)


def paired_cells() -> Iterator[Cell]:
    for (name, sampling), label in itertools.product(SCHEMES.items(), PAIRS):
        positives, rows = round(PAIRS[label][0] * CASES), partial(coverage, name, sampling, label)
        sizes = positives, CASES - positives
        yield Cell("metric_difference", name, sampling, f"{label} models", *sizes, True, RUNS, rows)


def coverage(name: str, sampling: str, label: str, runs: int) -> Iterator[Row]:
    """Of a less b."""
    tables, shares = _tables(name, sampling, label, runs)
    tables = tables[_defined(name, _of_model(tables, HITS_A)) & _defined(name, _of_model(tables, HITS_B))]
    a, b = (METRICS[name](*_of_model(shares[None], hits).T)[0] for hits in (HITS_A, HITS_B))
    each = [find_metric(name)] * len(tables)
    possible = np.ones(tables.shape, dtype=bool)
    law = metric_pair_law(models_of_pair(tables, possible, (each, each), sampling, None), tables, possible)
    methods = _metric.DIFFERENCE_METHODS
    result = _metric.MetricDifferenceResult(law.estimate, law, methods, name, None, estimand=Estimand(name))
    return _rows(result, methods, float(np.round(a - b, 12)), len(tables))


def _rows(result: object, methods: tuple[str, ...], truth: float, runs: int) -> Iterator[Row]:
    for method in methods:
        for level in LEVELS:
            low, high = result.confidence_interval(level, method=method)  # type: ignore[attr-defined]
            missed = truth < low - ROUNDING, truth > high + ROUNDING
            finite = np.where(np.isfinite(high), high, np.nan) - low
            measured = np.array([[missed[0].mean(), missed[1].mean(), np.nanmean(finite)]])
            yield row(method, level, measured, [""], np.array([truth]), runs)


def _tables(name: str, sampling: str, label: str, runs: int) -> tuple[np.ndarray, np.ndarray]:
    """Joint tables of both classes, eight cells each, and the shares that they were drawn with."""
    share, positive, negative = PAIRS[label]
    shares = np.concatenate([np.multiply(share, positive), np.multiply(1 - share, negative)])
    rng = generator(name, label, CASES)
    if sampling == "full":
        return rng.multinomial(CASES, shares / shares.sum(), runs).astype(float), shares
    sizes = round(share * CASES), CASES - round(share * CASES)
    parts = [rng.multinomial(size, cells, runs) for size, cells in zip(sizes, (positive, negative), strict=True)]
    return np.hstack(parts).astype(float), shares


def _of_model(tables: np.ndarray, hits: np.ndarray) -> np.ndarray:
    """Hits, misses, false alarms and the rest."""
    classes = tables[:, :4], tables[:, 4:]
    return np.column_stack([part[:, which].sum(axis=1) for part in classes for which in (hits, ~hits)])


def _defined(name: str, counts: np.ndarray) -> np.ndarray:
    """Where the metric has a finite value, and both classes are there."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = METRICS[name](*counts.T)
    return np.isfinite(values) & (counts[:, :2].sum(axis=1) > 0) & (counts[:, 2:].sum(axis=1) > 0)
