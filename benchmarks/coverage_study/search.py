"""The adversary: a search for the population in which the intervals of a statistic cover least.

An evolution strategy: of many random populations those stay in which coverage is least, and have children, some moved
at random, some so that the truth comes to lie just outside the limit of a probable table, where coverage drops. There
is one goal for each level and for both kinds of interval, two-sided and one-sided; all share what was tried.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coverage_study.judging import LEVELS
from coverage_study.sums import Population, Problem

STARTS = 300
ROUNDS = 8
ELITE = 8  # that stay for each goal
CHILDREN = 6  # of each
BISECTIONS = 45
OUTSIDE = 1e-9  # how far the truth is put outside a limit, of the range of the truths


@dataclass(frozen=True)
class Found:
    """The population where a goal is worst: the coverage there, and the probability of the worse of the two misses."""

    level: float
    sides: int
    coverage: float
    miss: float
    truth: float
    population: tuple[np.ndarray, ...]


def worst(problem: Problem, method: str, seed: int, starts: int = STARTS, rounds: int = ROUNDS) -> list[Found]:
    """For each level, two-sided and one-sided."""
    rng = np.random.default_rng(seed)
    pool = [_random(rng, len(sample.cells), starts) for sample in problem.samples]
    misses = _misses(problem, tuple(pool), method)
    for _ in range(rounds):
        elite = np.unique(np.concatenate([np.argsort(goal)[:ELITE] for goal in _goals(misses).T]))
        pool, misses = [part[elite] for part in pool], misses[elite]
        children = _children(problem, method, tuple(pool), rng)
        pool = [np.vstack(parts) for parts in zip(pool, children, strict=True)]
        misses = np.concatenate([misses, _misses(problem, children, method)])
    return [_found(problem, tuple(pool), misses, k) for k in range(2 * len(LEVELS))]


def _misses(problem: Problem, pool: Population, method: str) -> np.ndarray:
    """Below and above the limits, of shape (n_populations, n_levels, 2)."""
    return problem.measured(pool, method, LEVELS)[:, :, :2]


def _goals(misses: np.ndarray) -> np.ndarray:
    """What is to be small, of shape (n_populations, 2 n_levels): coverage, and that of the worse one-sided interval."""
    return np.hstack([1 - misses.sum(axis=2), 1 - misses.max(axis=2)])


def _found(problem: Problem, pool: Population, misses: np.ndarray, k: int) -> Found:
    best = int(np.argmin(_goals(misses)[:, k]))
    level, sides = k % len(LEVELS), 2 - k // len(LEVELS)
    population = tuple(part[[best]] for part in pool)
    both = misses[best, level]
    truth = float(problem.truth(population)[0])
    return Found(LEVELS[level], sides, 1 - both.sum(), both.max(), truth, tuple(part[0] for part in population))


def _random(rng: np.random.Generator, cells: int, number: int) -> np.ndarray:
    """Shares of all sizes, some cells empty."""
    spread = rng.choice([0.5, 1.5, 3.0], (number, 1))
    weights = np.exp(spread * rng.normal(size=(number, cells)) + np.eye(cells)[-1] * rng.choice([0, 3, 6], (number, 1)))
    weights[:, :-1] *= rng.random((number, cells - 1)) > 0.15
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _children(problem: Problem, method: str, parents: Population, rng: np.random.Generator) -> Population:
    """Half of them moved at random, half to just outside a limit."""
    many = tuple(np.repeat(part, CHILDREN, axis=0) for part in parents)
    moved = tuple(_moved(rng, part) for part in many)
    outside = _outside(problem, method, tuple(np.vstack(pair) for pair in zip(many, moved, strict=True)), rng)
    return tuple(np.vstack([a, b]) for a, b in zip(moved, outside, strict=True))


def _moved(rng: np.random.Generator, shares: np.ndarray) -> np.ndarray:
    """Cells multiplied by random factors, near 1 or not."""
    size = 10 ** rng.uniform(-3, 0.3, (len(shares), 1))
    weights = shares * np.exp(size * rng.normal(size=shares.shape))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _outside(problem: Problem, method: str, many: Population, rng: np.random.Generator) -> Population:
    """Mass moved between two cells of a sample until the truth lies just outside a limit of a probable table."""
    number = len(many[0])
    target = np.array([_target(problem, method, tuple(part[[k]] for part in many), rng) for k in range(number)])
    where = rng.integers(len(problem.samples), size=number)
    step = [np.zeros_like(part) for part in many]
    for k, s in enumerate(where):
        give, take = rng.choice(many[s].shape[1], 2, replace=False)
        step[s][k, give], step[s][k, take] = -many[s][k, give], many[s][k, give]
    return _bisected(problem, many, tuple(step), target)


def _target(problem: Problem, method: str, one: Population, rng: np.random.Generator) -> float:
    """A value just outside a limit of a table that is probable there."""
    index = [_probable(sample.pmf(shares)[0], rng) for sample, shares in zip(problem.samples, one, strict=True)]
    low, high = problem.limits(method, LEVELS[rng.integers(len(LEVELS))])
    i, j = (*index, 0)[:2]
    above = rng.random() < 0.5
    return float(high[i, j] + OUTSIDE if above else low[i, j] - OUTSIDE)


def _probable(pmf: np.ndarray, rng: np.random.Generator) -> int:
    weights = np.sqrt(pmf) + 1e-12  # a population may lie outside the tables that are kept
    return int(rng.choice(len(pmf), p=weights / weights.sum()))


def _bisected(problem: Problem, start: Population, step: Population, target: np.ndarray) -> Population:
    """Where between start and start + step the truth passes the target; start + step where it does not."""
    inside, outside = np.zeros(len(target)), np.ones(len(target))

    def at(t: np.ndarray) -> Population:
        return tuple(np.maximum(a + t[:, None] * b, 0.0) for a, b in zip(start, step, strict=True))

    before = np.sign(problem.truth(at(inside)) - target)
    for _ in range(BISECTIONS):
        middle = (inside + outside) / 2
        same = np.sign(problem.truth(at(middle)) - target) == before
        inside, outside = np.where(same, middle, inside), np.where(same, outside, middle)
    return at(outside)
