"""Costs of one model and differences of two, at the theoretically best thresholds.

Stratified sampling fixes the class sizes. Under full sampling they vary, and what the truth is depends on what is
fixed: the operating condition ("fixed w": PC(+) is given, the class mix of the sample says nothing about it), or the
two costs of a mistake ("fixed costs": PC(+) follows from the sample's class mix, and the truth is the cost per case at
the population's). The bootstrap law of full sampling is meant for the latter.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from coverage_study.designs import CONDITIONS, SCARCE, Design, difference, ratio, size, spread
from coverage_study.exact import Tables, tables
from coverage_study.judging import EXACT, Cell, Row, Tally
from coverage_study.simulation import generator
from skcostci.cuts import Cells
from skcostci.results._results import ExactResult
from skcostci.statistics._cost import METHODS, PAIRED_METHODS, cost_law

FEW_CONDITIONS = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
MANY_CONDITIONS = np.linspace(0.05, 0.95, 19)  # where the sum is short


def cells() -> Iterator[Cell]:
    between = [Design(*sizes, 4.0, 3.0) for sizes in ((10, 10), (25, 25), (50, 50), (100, 10))]
    single = [*spread(10), *spread(), *between, *size(50, 100, 250), *ratio(*SCARCE)]
    yield from (_cell("cost", design, "stratified", "", EXACT) for design in single)
    large = [*size(1000, 2500, 10000), *spread(1000)[4:], *ratio((50, 1000))]
    yield from (_cell("cost", design, "stratified", "", 500) for design in large)
    for fixed in ("fixed w", "fixed costs"):
        full = [*spread()[:4:2], Design(10, 200, 3.0), Design(200, 10, 3.0), *size(250)]
        yield from (_cell("cost", design, "full", fixed, 300) for design in full)
        yield from (_cell("cost", Design(10, 10, theta), "full", fixed, EXACT) for theta in (1.5, 3.0))


def paired_cells() -> Iterator[Cell]:
    yield from (_cell("cost_difference", design, "stratified", "", 500) for design in difference(25, 25))
    tiny = [design for design in difference(10, 10, (2.0, 0.0)) if design.rho == 0.6]
    yield from (_cell("cost_difference", design, "stratified", "", EXACT) for design in tiny)
    large = [Design(n, n, 3.0, 3.75, 2.0, 0.6) for n in (100, 250, 1000)]
    scarce = [Design(*sizes, 3.0, 3.75, 2.0, 0.6) for sizes in SCARCE]
    equal = [Design(25, 25, theta, 3.0, 2.0, 0.6) for theta in (1.0, 3.0)]
    yield from (_cell("cost_difference", design, "stratified", "", 500) for design in (*large, *scarce, *equal))
    for fixed in ("fixed w", "fixed costs"):
        full = [Design(*sizes, 3.0, 3.75, 2.0, 0.6) for sizes in ((25, 25), *SCARCE, (100, 100))]
        yield from (_cell("cost_difference", design, "full", fixed, 300) for design in full)


def _cell(statistic: str, design: Design, sampling: str, fixed: str, runs: int) -> Cell:
    variant = fixed or "PC(+)"
    measure = partial(coverage, design, sampling, fixed)
    return Cell(statistic, variant, sampling, design.label, *design.sizes, runs, measure)


def coverage(design: Design, sampling: str, fixed: str, runs: int) -> Iterator[Row]:
    """Of every method at each condition at which the best threshold is finite."""
    models = range(1 if design.rho is None else 2)
    every = FEW_CONDITIONS if sampling == "full" else MANY_CONDITIONS if design.n <= 110 and not runs else CONDITIONS
    best = {w: [design.optimal_threshold(w, model) for model in models] for w in every.tolist()}
    points = [w for w in best if np.isfinite(best[w]).all()]
    tally = Tally(points)
    rng = generator(design.label, *design.sizes, sampling)
    for i, w in enumerate(points):
        truth = true_cost(design, w, best[w])
        for some in tables(*design.sizes, design.shares(best[w]), sampling, runs, rng):
            condition, unit = _rescaled(w, design.prevalence, some.share) if fixed == "fixed costs" else (w, 1.0)
            tally.add_point(i, costs(some, condition, sampling), truth, some.weights, unit)
    return tally.rows(runs)


def true_cost(design: Design, w: float, thresholds: list[float]) -> float:
    """The cost of one model, or that of a less that of b."""
    rates = [design.rates(threshold, model) for model, threshold in enumerate(thresholds)]
    each = [float(w * (1 - tpr) + (1 - w) * fpr) for tpr, fpr in rates]
    return each[0] - sum(each[1:])


def costs(some: Tables, w: float, sampling: str) -> ExactResult:
    """The result for each data set."""
    classes = [Cells(part, np.ones(part.shape, dtype=bool)) for part in (some.positive, some.negative)]
    single = some.positive.shape[1] == 2
    law = cost_law(*classes, np.full(len(some.weights), w), sampling)
    return ExactResult(law.mean, law, METHODS[sampling] if single else PAIRED_METHODS)


def _rescaled(w: float, prevalence: float, share: float) -> tuple[float, float]:
    """The operating condition of a sample when the costs are w and 1 - w over the true class shares, and its unit."""
    missed, alarm = share * w / prevalence, (1 - share) * (1 - w) / (1 - prevalence)
    return missed / (missed + alarm), missed + alarm
