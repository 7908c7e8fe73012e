"""Cases resampled together, what draws from them add up to, and which exact law that sum has.

A stratum draws n cases from cells of shares p_j, worth v_j each, and brings ``sum_j v_j N_j / n``. From an origin among
the values, so chosen that fewest sizes of steps are left, the sum is

- of one size of step in each of two strata, or of two sizes in one: two whole-number sums (:mod:`._lattice`), exact;
- of more sizes, as under a cost matrix of several classes: a sum of any values (:mod:`_sum`), at one point by itself.

Points are answered in blocks that hold about MAX_BLOCK_VALUES values of a sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._lattice import LOG_TAIL, ProductSums, TabledSums, WholeSums
from skcostci.laws._points import in_blocks
from skcostci.laws._sum import Atoms, law_of_sum

MAX_CELLS_FOR_ORIGINS = 5  # values among which an origin is looked for; steps of two sizes, up and down, have no more
MAX_BLOCK_VALUES = 2**15  # values of a sum that are held at a time, in all rows of a block; doubled: as much memory
MAX_TABLE = 2**23  # joint probabilities held, 64 MiB; beyond, a sum that skips every other value is off by an atom
NEGLIGIBLE_STEP = 1e-6  # of the longer one: the search for quantiles is by the step of V


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
        for start in starts.T if (n_values <= MAX_CELLS_FOR_ORIGINS).any() else ():
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

    def law_of_values(self, i: int) -> Atoms:
        """The law at point i where the values are of many sizes; kept, because it is not free."""
        if i not in self._laws:
            hit = self.probabilities[i] > 0
            self._laws[i] = law_of_sum(self.draws, self.probabilities[i, hit], self.values[i, hit] / self.draws)
        return self._laws[i]

    @cached_property
    def _laws(self) -> dict[int, Atoms]:
        return {}


class SumLaw(Protocol):
    """What the laws of a block answer, one a row, about the rows named."""

    def total(self, rows: Integers, x: Floats) -> Floats:
        """The mass up to x, weighted if the law was made with a tilt."""

    def cdf(self, rows: Integers, x: Floats, *, strict: bool = False) -> Floats:
        """P(<= x), or P(< x)."""

    def quantile(self, rows: Integers, q: Floats, start: Floats, scale: Floats) -> Floats:
        """The smallest value whose cdf reaches q; ``start`` is where to look first, ``scale`` the deviation."""


@dataclass(frozen=True)
class ManyValues:
    """Laws of sums in steps of many sizes, each by itself."""

    stratum: Stratum
    points: Integers
    tilts: Floats

    def total(self, rows: Integers, x: Floats) -> Floats:
        tilts, means = self.tilts[rows].tolist(), self.stratum.mean[self.points[rows]].tolist()
        asked = zip(self._laws(rows), x.tolist(), tilts, means, strict=True)
        return np.array([law.weighted_up_to(y, tilt, mean) for law, y, tilt, mean in asked])

    def cdf(self, rows: Integers, x: Floats, *, strict: bool = False) -> Floats:
        return np.array([law.cdf(y, strict=strict) for law, y in zip(self._laws(rows), x.tolist(), strict=True)])

    def quantile(self, rows: Integers, q: Floats, start: Floats, scale: Floats) -> Floats:
        return np.array([law.quantile(level) for law, level in zip(self._laws(rows), q.tolist(), strict=True)])

    def _laws(self, rows: Integers) -> Iterator[Atoms]:
        return (self.stratum.law_of_values(point) for point in self.points[rows].tolist())


def laws_of(
    strata: tuple[Stratum, ...], points: Integers, tilts: Floats | None = None
) -> Iterator[tuple[Integers, SumLaw]]:
    """Blocks of these points with their laws, which count from the origins of the strata's moves."""
    moves = [stratum.moves for stratum in strata]
    sizes = np.maximum.reduce([each.n_sizes for each in moves])
    if len(moves) > 1 and (sizes > 1).any():
        raise NotImplementedError("strata that are resampled apart may have steps of one size each.")
    a, b = (moves[0].long, moves[1].long) if len(moves) > 1 else (moves[0].short, moves[0].long)
    u, v = _ordered(a, b)
    lengths, weights = np.maximum(a.length, b.length), np.zeros(len(sizes)) if tilts is None else tilts
    for block in in_blocks(points[sizes[points] < 2], lengths, MAX_BLOCK_VALUES):
        yield block, ProductSums.independent(u[block], v[block], weights[block])
    # where draws hardly ever idle the series alternates with terms that grow: a table instead, if it can be held
    hardly_idle = (2 * a.draws * moves[0].idle < LOG_TAIL) & (u.length * v.length <= MAX_TABLE)
    for point in points[(sizes == 2)[points] & hardly_idle[points]]:
        yield (block := np.array([point])), TabledSums(u[block], v[block], weights[block])
    for block in in_blocks(points[(sizes == 2)[points] & ~hardly_idle[points]], lengths, MAX_BLOCK_VALUES):
        yield block, ProductSums.joint(u[block], v[block], weights[block])
    if (listed := points[sizes[points] > 2]).size:
        yield listed, ManyValues(strata[0], listed, weights[listed])


def _ordered(a: WholeSums, b: WholeSums) -> tuple[WholeSums, WholeSums]:
    """First the sum with fewer values, but never one with a step beside which the other's is negligible."""
    negligible = NEGLIGIBLE_STEP * np.maximum(a.step, b.step)
    first = (a.step <= negligible) | ((b.step > negligible) & (a.length <= b.length))
    return WholeSums.where(first, a, b), WholeSums.where(first, b, a)
