"""Cases that are resampled together: cells, what each is worth, and what draws from them add up to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._sum import ManyValued, law_of_sum
from skcostci.laws._whole_sums import WholeSums

MOST_VALUES = 5  # in steps of two sizes, up and down


class Moves(NamedTuple):
    """What draws add up to at each point: from an origin, steps of ``n_sizes`` sizes; up to two of them as sums.

    ``idle`` is the probability of no step.
    """

    origin: Floats
    n_sizes: Integers
    short: WholeSums
    long: WholeSums
    idle: Floats


@dataclass(frozen=True)
class Stratum:
    """Cells of a class (under full sampling, of both), arrays of shape (n_points, n_cells).

    ``prior`` says how one pseudo-case per class spreads over the cells: evenly over those that a case can fall in.
    ``observed`` are the counts without pseudo-cases.
    """

    counts: Floats
    values: Floats
    prior: Floats
    draws: int
    observed: Floats

    @cached_property
    def probabilities(self) -> Floats:
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    @cached_property
    def mean(self) -> Floats:
        return np.asarray((self.probabilities * self.values).sum(axis=1))

    @cached_property
    def observed_mean(self) -> Floats:
        """The mean without pseudo-cases."""
        return np.asarray((self.observed * self.values).sum(axis=1) / self.observed.sum(axis=1))

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        """The least and the largest value of the cells that a case can fall in."""
        possible = self.prior > 0
        low = np.where(possible, self.values, np.inf).min(axis=1)
        return low, np.where(possible, self.values, -np.inf).max(axis=1)

    @cached_property
    def share(self) -> Floats:
        """Where the mean lies between the least and the largest value: a rate, where there are two cells."""
        low, high = self.support
        return np.where(high > low, (self.mean - low) / np.where(high > low, high - low, 1.0), 0.0)

    def central_moment(self, order: int) -> Floats:
        """Second or third central moment of what this stratum contributes."""
        powers = (self.values - self.mean[:, None]) ** order
        return np.asarray((self.probabilities * powers).sum(axis=1) / float(self.draws) ** (order - 1))

    def smoothed(self, pseudo_cases: float) -> Stratum:
        """So many pseudo-cases per class added, and as many whole draws."""
        classes = round(float(self.prior[0].sum()))
        counts = self.counts + pseudo_cases * self.prior
        return replace(self, counts=counts, draws=self.draws + int(pseudo_cases * classes))

    def reflected(self) -> Stratum:
        """Every value with the opposite sign."""
        return replace(self, values=-self.values)

    def tilted(self, rates: Floats) -> tuple[Stratum, Floats]:
        """Probabilities times ``exp(rate * value / draws)``, and the log of the moment generating function there."""
        exponents = np.where(self.counts > 0, rates[:, None] * self.values / self.draws, -np.inf)
        largest = exponents.max(axis=1, keepdims=True)
        counts = self.probabilities * np.exp(exponents - largest)
        log_sums = largest[:, 0] + np.log(counts.sum(axis=1))
        return replace(self, counts=counts), self.draws * log_sums

    @cached_property
    def moves(self) -> Moves:
        """The steps of its draws, from the origin that leaves the fewest sizes, 0 if it can; 3 sizes stand for more."""
        hit = self.probabilities > 0
        origin, fewest = np.zeros(len(hit)), self._sizes(hit, np.zeros(len(hit)))[0]
        largest = np.where(hit, self.values, -np.inf).max(axis=1, keepdims=True)
        starts = np.sort(np.where(hit, self.values, largest), axis=1)
        n_values = (np.diff(starts, axis=1) > 0).sum(axis=1) + 1
        for start in starts.T if (n_values <= MOST_VALUES).any() else ():
            n_sizes = self._sizes(hit, start)[0]
            fewer = (n_sizes < fewest) & (n_sizes < 3)
            origin, fewest = np.where(fewer, start, origin), np.where(fewer, n_sizes, fewest)
        _, short, long = self._sizes(hit, origin)
        idle = (self.probabilities * (self.values == origin[:, None])).sum(axis=1)
        return Moves(origin, fewest, self._sum(short, origin, fewest > 1), self._sum(long, origin, fewest > 0), idle)

    def _sizes(self, hit: Booleans, origin: Floats) -> tuple[Integers, Floats, Floats]:
        """How many sizes steps from the origin have, and the shortest and the longest."""
        sizes = np.where(hit, np.abs(self.values - origin[:, None]), 0.0)
        long = sizes.max(axis=1)
        short = np.minimum(np.where(sizes > 0, sizes, np.inf).min(axis=1), long)
        known = (sizes == 0) | (sizes == long[:, None]) | (sizes == short[:, None])
        return np.where(known.all(axis=1), (long > 0) * 1 + (short < long), 3), short, long

    def _sum(self, size: Floats, origin: Floats, moving: Booleans) -> WholeSums:
        """The draws that step up or down by this size."""
        steps = np.where(moving[:, None], self.values - origin[:, None], 0.0)
        up, down = ((steps == side * size[:, None]) & (steps != 0) for side in (1, -1))
        rise, fall, idle = ((self.probabilities * cells).sum(axis=1) for cells in (up, down, ~(up | down)))
        return WholeSums(np.full(len(size), self.draws), rise, fall, idle, np.where(moving, size / self.draws, 1.0))

    def law_of_values(self, i: int) -> ManyValued:
        """The law at point i where the values are of many sizes; kept, because it is not free."""
        if i not in self._laws:
            hit = self.probabilities[i] > 0
            law = law_of_sum(self.draws, self.probabilities[i, hit], self.values[i, hit] / self.draws)
            self._laws[i] = ManyValued(law, float(self.mean[i]))
        return self._laws[i]

    @cached_property
    def _laws(self) -> dict[int, ManyValued]:
        return {}
