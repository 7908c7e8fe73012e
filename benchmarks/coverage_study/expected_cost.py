"""Expected costs under a cost matrix, one model and two, for several smoothings; simulated tables.

Truths are the cells of a population: classes in given shares, and a model right with probability ``accuracy``, else
wrong in any way alike. Of two models the second repeats the first's label with probability ``agreement`` and else has
one of its own, right less often by .1. The variants are the smoothings, the default first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from coverage_study.judging import Cell, Row, Tally
from coverage_study.simulation import generator
from skcostci import bootstrap_expected_cost, bootstrap_expected_cost_difference

SMOOTHINGS, PAIRED_SMOOTHINGS = (0.1, 0.0, 1.0), (0.0, 0.1)


@dataclass(frozen=True)
class Problem:
    """Class shares and the costs of predicting column for row."""

    name: str
    classes: tuple[float, ...]
    costs: tuple[tuple[float, ...], ...]
    accuracy: float = 0.8
    agreement: float = 0.5

    @property
    def label(self) -> str:
        return f"{self.name} accuracy={self.accuracy:g}"

    def predictions(self, accuracy: float) -> np.ndarray:
        """P(predicted | true) of a model."""
        k = len(self.classes)
        return np.full((k, k), (1 - accuracy) / (k - 1)) + np.eye(k) * (accuracy - (1 - accuracy) / (k - 1))

    def table(self, models: int) -> np.ndarray:
        """P(true, predicted) of one model, or P(true, a, b) of two, b being right less often by .1."""
        truth, a = np.array(self.classes), self.predictions(self.accuracy)
        if models == 1:
            return truth[:, None] * a
        b, same = self.predictions(self.accuracy - 0.1), np.eye(len(truth)) * a[:, :, None]
        return truth[:, None, None] * (self.agreement * same + (1 - self.agreement) * a[:, :, None] * b[:, None, :])


TWO = Problem("2 classes, 1 to 4", (0.5, 0.5), ((0, 1), (4, 0)))
THREE = Problem("3 classes", (0.5, 0.3, 0.2), ((0, 1, 5), (1, 0, 5), (3, 3, 0)))
SURE = Problem("3 classes", THREE.classes, THREE.costs, 0.97, 0.9)
RARE_COSTS = ((0, 1, 1, 1), (2, 0, 2, 2), (20, 20, 0, 20), (200, 200, 200, 0))
RARE = Problem("4 classes, rare and dear", (0.45, 0.45, 0.08, 0.02), RARE_COSTS, 0.9)


def cells() -> Iterator[Cell]:
    yield from _cells("expected_cost", 1, SMOOTHINGS)


def paired_cells() -> Iterator[Cell]:
    yield from _cells("expected_cost_difference", 2, PAIRED_SMOOTHINGS)


def _cells(statistic: str, models: int, smoothings: tuple[float, ...]) -> Iterator[Cell]:
    for smoothing in smoothings:
        for problem in (TWO, THREE, SURE, RARE):
            for n in (50, 250, 1000):
                sizes = round(n * problem.classes[0]), n - round(n * problem.classes[0])
                measure = partial(coverage, problem, n, models, smoothing)
                yield Cell(statistic, f"smoothing {smoothing:g}", "full", problem.label, *sizes, 400, measure)


def coverage(problem: Problem, n: int, models: int, smoothing: float, runs: int) -> Iterator[Row]:
    table, costs = problem.table(models), np.array(problem.costs)
    values = costs if models == 1 else costs[:, :, None] - costs[:, None, :]
    tally, labels = Tally([""]), np.indices(table.shape).reshape(models + 1, -1)
    statistic = bootstrap_expected_cost if models == 1 else bootstrap_expected_cost_difference
    counts = generator(problem.label, n, models).multinomial(n, table.ravel() / table.sum(), runs)
    for distinct, times in zip(*np.unique(counts, axis=0, return_counts=True), strict=True):
        result = statistic(*labels, costs, labels=range(len(costs)), smoothing=smoothing, sample_weight=distinct)
        tally.add_point(0, result, float((table * values).sum()), np.array([float(times)]))
    return tally.rows(runs)
