"""The AUC of one model and the difference of two, simulated.

Beside the papers' designs: scarce classes, spread-out classes, ties, AUCs near 1, and what is not binormal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

from coverage_study.designs import (
    SCARCE,
    Design,
    difference,
    from_auc,
    other_pairs,
    others,
    pair_from_auc,
    size,
    spread,
)
from coverage_study.judging import Cell, Row
from coverage_study.simulation import simulated
from skcostci import bootstrap_auc, bootstrap_auc_difference

RUNS = 300


def crossed(sizes: Any, *rest: Any) -> list[Design]:
    return [from_auc(*pair, *others) for pair, *others in itertools.product(sizes, *rest)]


SIZES = ((15, 15), (20, 80))
PAIRED_SIZES = ((15, 15), (20, 80))
STRESS = [
    *crossed([(15, 15)], [0.95, 0.99]),
    *crossed(SCARCE, [0.8, 0.99], [1.0, 2.5]),
]
PAIRED_STRESS = [
    *(
        pair_from_auc(*sizes, *aucs, rho)
        for sizes, aucs, rho in itertools.product([(15, 15), *SCARCE], [(0.99, 0.95), (0.95, 0.9)], [0.3, 0.9])
    ),
    pair_from_auc(10, 200, 0.95, 0.85, 0.6, 2.5),
]


def cells() -> Iterator[Cell]:
    for design in (*others(*SIZES), *STRESS, *spread()[:4], *size(10, 100, 300), from_auc(50, 1000, 0.9)):
        yield _cell("auc", design, "stratified", RUNS)
    for design in (*size(10), *spread()[:4:2], *others((20, 40))):
        yield _cell("auc", design, "full", RUNS // 2)


def paired_cells() -> Iterator[Cell]:
    large = [Design(n, n, 3.0, 3.75, 2.0, 0.6) for n in (100, 300)]
    for design in (*other_pairs(*PAIRED_SIZES), *PAIRED_STRESS, *difference(25, 25, (2.0,)), *large):
        yield _cell("auc_difference", design, "stratified", RUNS // 2)
    for design in (*difference(25, 25, (2.0,))[:3], *other_pairs((20, 40))):
        yield _cell("auc_difference", design, "full", RUNS // 2)


def _cell(statistic: str, design: Design, sampling: str, runs: int) -> Cell:
    measure = partial(coverage, design, sampling)
    return Cell(statistic, "area", sampling, design.label, *design.sizes, design.fresh, runs, measure)


def coverage(design: Design, sampling: str, runs: int) -> Iterator[Row]:
    if design.rho is None:
        ask, truth = partial(bootstrap_auc, sampling=sampling), design.auc()
    else:
        ask, truth = partial(bootstrap_auc_difference, sampling=sampling), design.auc() - design.auc(1)
    return simulated(design, runs, ask, truth, sampling=sampling)
