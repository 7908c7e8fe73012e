"""Expected costs under a cost matrix of several classes, one model and two, simulated tables.

Truths are the cells of a population: classes in given shares, and a model right with probability ``accuracy``, else
wrong in any way alike. Of two models the second repeats the first's label with probability ``agreement`` and else has
one of its own, right less often by .1. The default alone is judged here, the others on the sums in ``counted``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from coverage_study.judging import Cell, Row, Tally
from coverage_study.simulation import generator
from skcostci import bootstrap_expected_cost, bootstrap_expected_cost_difference


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


GAINS = Problem("3 classes, gains", (0.6, 0.3, 0.1), ((-1, 2, 2), (1, -3, 4), (5, 5, -20)), 0.9)
FIVE = Problem("5 classes", (0.2,) * 5, tuple(tuple(abs(i - j) ** 2 for j in range(5)) for i in range(5)), 0.7)
RUNS = 1000


def cells() -> Iterator[Cell]:
    yield from _cells("expected_cost", 1)


def paired_cells() -> Iterator[Cell]:
    yield from _cells("expected_cost_difference", 2)


def _cells(statistic: str, models: int) -> Iterator[Cell]:
    for problem in (TWO, THREE, SURE, RARE, GAINS, FIVE):
        for n in (50, 250, 1000):
            sizes = round(n * problem.classes[0]), n - round(n * problem.classes[0])
            measure = partial(coverage, problem, n, models)
            yield Cell(statistic, "table", "full", problem.label, *sizes, problem in (GAINS, FIVE), RUNS, measure)


def coverage(problem: Problem, n: int, models: int, runs: int) -> Iterator[Row]:
    table, costs = problem.table(models), np.array(problem.costs)
    values = costs if models == 1 else costs[:, :, None] - costs[:, None, :]
    tally, labels = Tally([""]), np.indices(table.shape).reshape(models + 1, -1)
    statistic = bootstrap_expected_cost if models == 1 else bootstrap_expected_cost_difference
    draws = generator(problem.label, n, models).multinomial(n, table.ravel() / table.sum(), runs)
    for counts in draws:
        result = statistic(*labels, costs, labels=range(len(costs)), sample_weight=counts)
        tally.add(result, float((table * values).sum()), every=False)
    return tally.rows()
