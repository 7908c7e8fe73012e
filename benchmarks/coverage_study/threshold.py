"""Rectangles for two rates at once, one model and two: each side an interval at the square root of the level.

They cover as often as both sides do; their width is the mean area.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

from coverage_study import problems
from coverage_study.counted import Populations, asked, one_class, rates
from coverage_study.judging import EXACT, LEVELS, Cell, Row, row
from coverage_study.sums import Problem

Make = Callable[[int], Problem]
SIZES = ((10, 10), (25, 25), (200, 10), (100, 100))


def cells() -> Iterator[Cell]:
    yield from _cells("roc_at_threshold", problem_of_rate, rates)


def paired_cells() -> Iterator[Cell]:
    yield from _cells("roc_difference_at_threshold", problem_of_difference, one_class)


def _cells(statistic: str, make: Make, populations: Callable[[Problem], Populations]) -> Iterator[Cell]:
    for sizes in SIZES:
        measure = partial(coverage, sizes, make, populations)
        yield Cell(statistic, "region", "stratified", "both rates", *sizes, True, EXACT, measure)


def coverage(
    sizes: tuple[int, int], make: Make, populations: Callable[[Problem], Populations], runs: int
) -> Iterator[Row]:
    """Of every pair of populations of the classes."""
    sides = [make(n) for n in sizes]
    names, population = populations(sides[0])
    points = [f"positives: {p}, negatives: {q}" for p, q in itertools.product(names, names)]
    for method in [name for name in asked(sides[0]) if name in asked(sides[1])]:
        for level in LEVELS:
            positive, negative = (side.measured(population, method, [level**0.5])[:, 0] for side in sides)
            covered = np.multiply.outer(1 - positive[:, :2].sum(axis=1), 1 - negative[:, :2].sum(axis=1)).ravel()
            area = np.multiply.outer(positive[:, 2], negative[:, 2]).ravel()
            measured = np.column_stack([1 - covered, np.zeros_like(covered), area])
            yield row(method, level, measured, points, np.ones(len(points)), two_limits=False)


problem_of_rate, problem_of_difference = cache(problems.rate), cache(problems.rate_difference)


def limits(n: int, paired: bool, method: str | None, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The interval for each count, or for all counts of discordant cases."""
    problem = (problem_of_difference if paired else problem_of_rate)(n)
    low, high = problem.limits(method or problem.methods[0], level)
    return low.ravel(), high.ravel()
