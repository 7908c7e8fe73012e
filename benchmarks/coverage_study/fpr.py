"""True-positive rates at fixed false-positive rates, one model and two, simulated.

The truth is the population's curve, drawn straight where scores tie, at rates that 1 to n_negative - 1 negatives make
and between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from coverage_study.designs import SCARCE, Design, difference, other_pairs, others, ratio, size, spread
from coverage_study.judging import Cell, Row
from coverage_study.simulation import simulated
from skcostci import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr

N_POINTS = 6


def cells() -> Iterator[Cell]:
    ends = [Design(*sizes, theta) for sizes in (*SCARCE, (100, 100)) for theta in (0.75, 5.0)]
    for design in (*size(10), *spread()[:4], *size(100), *ratio(*SCARCE), *ends, *others((20, 40))):
        yield _cell("roc_at_fpr", design, 150)


def paired_cells() -> Iterator[Cell]:
    pairs = [design for design in difference(25, 25, (2.0, 0.0)) if design.rho == 0.9]
    scarce = [Design(*sizes, 3.0, 3.75, 2.0, 0.6) for sizes in ((10, 10), (100, 100), *SCARCE)]
    for design in (*pairs, *scarce, *other_pairs((15, 20))):
        yield _cell("roc_difference_at_fpr", design, 50)


def _cell(statistic: str, design: Design, runs: int) -> Cell:
    measure = partial(coverage, design)
    return Cell(statistic, "tpr", "stratified", design.label, *design.sizes, design.fresh, runs, measure)


def coverage(design: Design, runs: int) -> Iterator[Row]:
    fpr = points(design.n_negative)
    truth = design.tpr_at(fpr)
    if design.rho is not None:
        truth = truth - design.tpr_at(fpr, 1)
    statistic = bootstrap_roc_at_fpr if design.rho is None else bootstrap_roc_difference_at_fpr
    return simulated(design, runs, partial(statistic, fpr=fpr), truth, [f"fpr {rate:.3g}" for rate in fpr])


def points(n_negative: int) -> np.ndarray:
    """Multiples of 1 / n_negative and rates between them."""
    ranks = np.unique(np.rint(np.linspace(1, n_negative - 1, N_POINTS)))
    return np.asarray(np.sort(np.r_[ranks, ranks[:-1:2] + 0.37]) / n_negative)
