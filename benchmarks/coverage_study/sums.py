"""Coverage as a finite sum: every table of counts with its probability, for thousands of populations at once.

A population is one array of shape (n_populations, n_cells) a sample: how probably a case of that sample falls in each
cell. The limits of all tables are computed once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import gammaln

ROUNDING = 1e-12  # a limit that equals the truth but for this covers it
NEGLIGIBLE = 1e-9  # tables less probable are taken to be covered
IMPOSSIBLE = 1e-300
Population = tuple[np.ndarray, ...]
Limits = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Sample:
    """Independent cases and the cells they fall in; tables with more than ``most`` outside the last are left out."""

    n: int
    cells: tuple[str, ...]
    most: int | None = None

    @cached_property
    def tables(self) -> np.ndarray:
        """Of shape (n_tables, n_cells)."""
        most = self.n if self.most is None else min(self.most, self.n)
        rest = np.array(list(_counts(len(self.cells) - 1, most)))
        return np.column_stack([rest, self.n - rest.sum(axis=1)])

    @cached_property
    def log_ways(self) -> np.ndarray:
        return np.asarray(gammaln(self.n + 1) - gammaln(self.tables + 1).sum(axis=1))

    def pmf(self, shares: np.ndarray) -> np.ndarray:
        """Of shape (n_populations, n_tables)."""
        return np.asarray(np.exp(self.log_ways + np.log(np.maximum(shares, IMPOSSIBLE)) @ self.tables.T))


def _counts(cells: int, most: int) -> Sequence[tuple[int, ...]]:
    """All ways to put no more than so many cases in so many cells."""
    if cells == 1:
        return [(count,) for count in range(most + 1)]
    return [(first, *others) for first in range(most + 1) for others in _counts(cells - 1, most - first)]


@dataclass(frozen=True)
class Problem:
    """A statistic of counts: its samples, its value in a population, and its limits for every table.

    ``interval(level, method)`` gives limits of one entry a table, those of two samples in the order of their product.
    """

    statistic: str
    variant: str
    sampling: str
    sizes: tuple[int, int]
    samples: tuple[Sample, ...]
    truth: Callable[[Population], np.ndarray]
    interval: Callable[[float, str], Limits]
    methods: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        lengths = [len(sample.tables) for sample in self.samples]
        return lengths[0], (*lengths, 1)[1]

    def limits(self, method: str, level: float) -> Limits:
        """Of shape (tables of the first sample, tables of the second), kept."""
        if (method, level) not in self._kept:
            low, high = self.interval(level, method)
            self._kept[method, level] = low.reshape(self.shape), high.reshape(self.shape)
        return self._kept[method, level]

    @cached_property
    def _kept(self) -> dict[tuple[str, float], Limits]:
        return {}

    def measured(self, population: Population, method: str, levels: Sequence[float]) -> np.ndarray:
        """How probably the truth lies below the lower and above the upper limit, and the mean width.

        Of shape (n_populations, n_levels, 3).
        """
        limits = [self.limits(method, level) for level in levels]
        return np.array([[_measured(*case, *pair) for pair in limits] for case in self._cases(population)])

    def _cases(self, population: Population) -> Any:
        """The tables that matter in each population, with their probabilities, and the truth."""
        first = self.samples[0].pmf(population[0])
        second = self.samples[1].pmf(population[1]) if len(self.samples) == 2 else np.ones((len(first), 1))
        for p, q, truth in zip(first, second, self.truth(population), strict=True):
            i, j = np.flatnonzero(p > NEGLIGIBLE), np.flatnonzero(q > NEGLIGIBLE)
            yield p[i], q[j], i, j, truth


def _measured(
    p: np.ndarray, q: np.ndarray, i: np.ndarray, j: np.ndarray, truth: float, low: np.ndarray, high: np.ndarray
) -> tuple[float, float, float]:
    window = np.ix_(i, j)
    low, high = low[window], high[window]
    asked = (truth < low - ROUNDING, truth > high + ROUNDING, high - low)
    below, above, width = (float(p @ (values @ q)) for values in asked)
    return below, above, width
