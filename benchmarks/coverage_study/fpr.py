"""True-positive rates at fixed false-positive rates, one model and two, simulated.

The truth is the population's curve at r / n_negative, r spread over 1 to n_negative - 1. A tied population has a curve
only where a threshold attains the rate: with grades the rates are those of its cuts, rounded to multiples of
1 / n_negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.stats import norm

from coverage_study.designs import NEGATIVE_SCALE, SCARCE, Design, difference, ratio, size, spread
from coverage_study.judging import Cell, Row
from coverage_study.simulation import simulated
from skcostci import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr

N_POINTS = 12


def cells() -> Iterator[Cell]:
    ties = [Design(25, 25, theta, grades=15) for theta in (1.5, 3.0)]
    ends = [Design(*sizes, theta) for sizes in (*SCARCE, (100, 100)) for theta in (0.75, 5.0)]
    for design in (*size(10), *spread(), *size(50, 100, 250), *ratio(*SCARCE, (50, 1000)), *ends, *ties):
        yield _cell("roc_at_fpr", design, 1000)
    for design in (*spread(1000)[:4], *size(2500, 10000)):
        yield _cell("roc_at_fpr", design, 500)


def paired_cells() -> Iterator[Cell]:
    pairs = [design for design in difference(25, 25, (2.0, 0.0)) if design.rho != 0.6]
    others = [Design(*sizes, 3.0, 3.75, 2.0, 0.6) for sizes in ((10, 10), (100, 100), *SCARCE)]
    for design in (*pairs, *others):
        yield _cell("roc_difference_at_fpr", design, 400)
    yield _cell("roc_difference_at_fpr", Design(1000, 1000, 3.0, 3.75, 2.0, 0.6), 100)


def _cell(statistic: str, design: Design, runs: int) -> Cell:
    return Cell(statistic, "tpr", "stratified", design.label, *design.sizes, runs, partial(coverage, design))


def coverage(design: Design, runs: int) -> Iterator[Row]:
    fpr, thresholds = points(design)
    truth = design.rates(thresholds)[0]
    if design.rho is not None:
        truth = truth - design.rates(thresholds, 1)[0]
    statistic = bootstrap_roc_at_fpr if design.rho is None else bootstrap_roc_difference_at_fpr
    return simulated(design, runs, partial(statistic, fpr=fpr), truth, fpr.tolist())


def points(design: Design) -> tuple[np.ndarray, np.ndarray]:
    """False-positive rates and the thresholds that have them, the same for both models of a pair."""
    n = design.n_negative
    if design.grades:
        exact = design.rates(design.cuts)[1]
        ranks, first = np.unique(np.rint(exact * n), return_index=True)
        inside = (ranks > 0) & (ranks < n)
        return ranks[inside] / n, design.cuts[first[inside]]
    fpr = np.unique(np.rint(np.linspace(1, n - 1, N_POINTS))) / n
    return fpr, norm.isf(fpr, -design.theta, NEGATIVE_SCALE)
