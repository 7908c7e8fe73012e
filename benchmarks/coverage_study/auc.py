"""The AUC of one model and the difference of two, simulated; and what the number of errors says about the AUC.

Beside the papers' designs these are those that the default was tried on, not those that it was tuned on (see
``tuning``): scarce classes, spread-out classes, ties, AUCs near 1.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

from coverage_study.designs import SCARCE, Design, difference, from_auc, pair_from_auc, size, spread
from coverage_study.judging import Cell, Row
from coverage_study.simulation import simulated
from skcostci import bootstrap_auc, bootstrap_auc_difference


def crossed(sizes: Any, *rest: Any) -> list[Design]:
    return [from_auc(*pair, *others) for pair, *others in itertools.product(sizes, *rest)]


STRESS = [
    *crossed([(15, 15), (50, 50), (200, 200)], [0.6, 0.8, 0.95, 0.99]),
    *crossed(SCARCE, [0.8, 0.95, 0.99], [1.0, 2.5, 0.4]),
    *crossed([(50, 50)], [0.8, 0.95, 0.99], [2.5, 0.4]),
    *crossed(SCARCE, [0.6]),
    *crossed([(15, 15), (50, 50), *SCARCE], [0.8, 0.95], [1.0], [5]),
]
PAIRED_STRESS = [
    *(
        pair_from_auc(*sizes, *aucs, rho)
        for sizes, aucs, rho in itertools.product(
            [(15, 15), (50, 50), *SCARCE], [(0.99, 0.95), (0.8, 0.8), (0.95, 0.9)], [0.3, 0.9]
        )
    ),
    pair_from_auc(10, 200, 0.95, 0.85, 0.6, 2.5),
    pair_from_auc(200, 10, 0.95, 0.85, 0.6, 0.4),
]


def cells() -> Iterator[Cell]:
    for design in (*STRESS, *spread(), *size(10, 50, 100, 250, 1000, 2500, 10000), from_auc(50, 1000, 0.9)):
        yield _cell("auc", design, "stratified", 500 if design.n > 10000 else 2000)
    for design in (*size(10), *spread()[:4], *crossed(SCARCE, [0.8, 0.95])):
        yield _cell("auc", design, "full", 1000)


def paired_cells() -> Iterator[Cell]:
    large = [Design(n, n, 3.0, 3.75, 2.0, 0.6) for n in (100, 250, 1000)]
    for design in (*PAIRED_STRESS, *difference(25, 25, (0.0, 2.0)), *large):
        yield _cell("auc_difference", design, "stratified", 2000)
    for design in (*difference(25, 25, (2.0,))[:3], *(pair_from_auc(*sizes, 0.95, 0.9, 0.3) for sizes in SCARCE)):
        yield _cell("auc_difference", design, "full", 1000)


def _cell(statistic: str, design: Design, sampling: str, runs: int) -> Cell:
    return Cell(statistic, "area", sampling, design.label, *design.sizes, runs, partial(coverage, design, sampling))


def coverage(design: Design, sampling: str, runs: int) -> Iterator[Row]:
    if design.rho is None:
        ask, truth = partial(bootstrap_auc, sampling=sampling), design.auc()
    else:
        ask, truth = partial(bootstrap_auc_difference, sampling=sampling), design.auc() - design.auc(1)
    return simulated(design, runs, ask, truth, sampling=sampling)
