"""What goes with a true-positive rate, simulated: the false-positive rate of one model and of two, the threshold.

The truth is the population's, at the first threshold going down that reaches the rate; rates are those that 1 to
n_positive - 1 positives make, and between them. The specificity's limits are the false-positive rate's turned over.
A threshold's interval is as wide as the share of the population's positives that scores within it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import brentq

from coverage_study.designs import SCARCE, Design, difference, other_pairs, others, ratio, size
from coverage_study.fpr import points
from coverage_study.judging import Cell, Row
from coverage_study.simulation import simulated
from skcostci import bootstrap_roc_at_tpr, bootstrap_roc_difference_at_tpr

RUNS, PAIRED_RUNS, THRESHOLD_RUNS = 80, 20, 500
FARTHEST = 1e6  # from where thresholds are looked for


def cells() -> Iterator[Cell]:
    for design in (*size(10), *size(100), *ratio(*SCARCE)[1::2], *others((20, 40))[::2]):
        yield _cell("roc_at_tpr", "fpr", design, RUNS, coverage)
    for design in (*size(10), *size(100), *others((60, 10))[::3]):
        yield _cell("roc_at_tpr", "threshold", design, THRESHOLD_RUNS, of_threshold)


def paired_cells() -> Iterator[Cell]:
    for design in (*difference(25, 25, (2.0,))[2::3], *other_pairs((20, 15))[::2]):
        yield _cell("roc_difference_at_tpr", "fpr", design, PAIRED_RUNS, coverage)


def _cell(statistic: str, variant: str, design: Design, runs: int, measure: Any) -> Cell:
    return Cell(
        statistic, variant, "stratified", design.label, *design.sizes, design.fresh, runs, partial(measure, design)
    )


def coverage(design: Design, runs: int) -> Iterator[Row]:
    tpr = points(design.n_positive)
    truth = fpr_at(design, tpr)
    if design.rho is not None:
        truth = truth - fpr_at(design, tpr, 1)
    statistic = bootstrap_roc_at_tpr if design.rho is None else bootstrap_roc_difference_at_tpr
    return simulated(design, runs, partial(statistic, tpr=tpr), truth, [f"tpr {rate:.3g}" for rate in tpr])


def fpr_at(design: Design, tpr: np.ndarray, model: int = 0) -> np.ndarray:
    """On the population's curve at its first point that is so high."""
    return design.rates(_thresholds(design, tpr, model), model)[1]


def _thresholds(design: Design, tpr: np.ndarray, model: int = 0) -> np.ndarray:
    """Where scores are above them, before they are cut or raised, so large a share of the positives is reached."""
    grades = design.coarse if model and design.coarse else design.grades
    if grades:
        ends = np.r_[design.cuts[::-1], -np.inf]
        return np.asarray(ends[np.searchsorted(design.rates(ends, model)[0], tpr)])
    found = [brentq(lambda at, rate=rate: design.rates(at, model)[0] - rate, -FARTHEST, FARTHEST) for rate in tpr]
    return np.array([-np.inf if design.floor is not None and at <= design.floor else at for at in found])


def of_threshold(design: Design, runs: int) -> Iterator[Row]:
    """Of the share of positives above it, so that widths are finite: a threshold and it fall together."""
    tpr = points(design.n_positive)

    def ask(y_true: np.ndarray, scores: np.ndarray) -> Any:
        return Reached(design, bootstrap_roc_at_tpr(y_true, scores, tpr=tpr))

    truth = design.rates(_thresholds(design, tpr))[0]
    return simulated(design, runs, ask, truth, [f"tpr {rate:.3g}" for rate in tpr])


@dataclass(frozen=True)
class Reached:
    """How many of the population's positives score at least the limits of a threshold."""

    design: Design
    found: Any
    methods = ("order_statistics",)

    def confidence_interval(self, level: float, method: str) -> tuple[np.ndarray, np.ndarray]:
        low, high = self.found.threshold_interval(level)
        return self._above(high), self._above(low)

    def _above(self, thresholds: np.ndarray) -> np.ndarray:
        design = self.design
        if design.grades:  # a grade begins at the cut below it
            cuts = np.r_[-np.inf, design.cuts, np.inf]
            thresholds = cuts[np.clip(thresholds, 0, design.grades).astype(int)]
        elif design.floor is not None:
            thresholds = np.where(thresholds <= design.floor, -np.inf, thresholds)
        return design.rates(thresholds)[0]
