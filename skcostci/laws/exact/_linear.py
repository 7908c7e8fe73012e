"""The law of a linear statistic of independent multinomials: costs, rates, cost matrices and their differences.

    X = sum_s sum_j v_sj N_sj / n_s,    N_s ~ Multinomial(n_s, counts_s / sum of counts_s)

Stratum s draws n_s cases from its cells j, whose values are v_sj: the classes separately (stratified), or all cases
together (full). The mean is the statistic of the sample, moments are sums over strata, and the law is exact at every
size; many points (operating conditions, thresholds) are computed side by side, in blocks. The origin of a stratum is
chosen among its values so that steps from it have the fewest sizes. Then X is

- with one size of step in each of two strata, or two sizes in one: two whole-number sums (:mod:`._lattice`), exact;
- with more sizes, as under a cost matrix of several classes: a sum of any values (:mod:`._sum`, which has the errors),
  each point separately.

Laws are made from counted cells by :func:`linear_law` and the functions after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Booleans, Entry, Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws._rounding import SPREAD_ROUNDING, without_rounding
from skcostci.laws._side_by_side import in_blocks, split_at
from skcostci.laws.exact._lattice import LOG_TAIL, QUANTILE_ROUNDING, Masses, TwoSums, WholeSums
from skcostci.laws.exact._sum import DrawnValues, law_of_sum
from skcostci.laws.influence._curves import Optimism
from skcostci.laws.influence._first_order import DrawnUnits, Variation

MAX_CELLS_FOR_ORIGINS = 5  # values among which an origin is sought; steps of two sizes, up and down, have no more
MAX_BLOCK_VALUES = 2**15  # values of a sum that are held at a time, in all rows of a block; doubled: as much memory
MANY_SIZES = 3  # stands for more than two
NEGLIGIBLE_STEP = 1e-6  # relative to the longer step: quantiles are sought in steps of V (:class:`TwoSums`)
MAX_VALUES_AT_ONCE = 1000  # of a block of points at a time; doubled: twice the memory, no less time
# The cells of a class are hit by both models, by a only, by b only and by neither: which are hits of a, and which of b.
HITS = np.array([[1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool)


class Moves(NamedTuple):
    """The sum of draws at each point: an origin, steps of ``n_sizes`` sizes (two sums at most), P(no step) ``idle``."""

    origin: Floats
    n_sizes: Integers
    short: WholeSums
    long: WholeSums
    idle: Floats


@dataclass(frozen=True, repr=False, eq=False)
class Stratum:
    """Cells of a class (under full sampling, of both), arrays of shape (n_points, n_cells).

    ``prior`` is the spread of one pseudo-case per class over the cells: even over those that a case can fall in.
    ``observed`` are the counts without pseudo-cases, of ``n_cases``; a resample has as many ``draws``, or another
    number if ``resample_size`` was given.
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

    @property
    def n_cases(self) -> int:
        return round(float(self.observed[0].sum()))

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        """The least and the largest value of the cells that a case can fall in."""
        possible = self.prior > 0
        # A cell that no case can fall in does not bound the values of resamples.
        low = np.where(possible, self.values, np.inf).min(axis=1)
        return low, np.where(possible, self.values, -np.inf).max(axis=1)

    @cached_property
    def share(self) -> Floats:
        """Where the mean lies between the least and the largest value: a rate, where there are two cells."""
        low, high = self.support
        # The share is set to 0 where the range is a single value.
        return np.where(high > low, (self.mean - low) / np.where(high > low, high - low, 1.0), 0.0)

    @property
    def variation(self) -> Variation:
        ones, off = np.ones_like(self.values), self.values - self.mean[:, None]
        return Variation.of(np.where(self.counts > 0, off, 0.0), ones, ones, self.counts)

    @property
    def reach(self) -> tuple[Floats, Floats]:
        """The least and the largest value of the cells that a case can fall in, minus the mean."""
        low, high = self.support
        return low - self.mean, high - self.mean

    @property
    def variance(self) -> Floats:
        off, largest = self.values - self.mean[:, None], np.abs(self.values).max(axis=1)
        squares = without_rounding(np.where(self.probabilities > 0, off, 0.0), SPREAD_ROUNDING * largest) ** 2
        return np.asarray((self.probabilities * squares).sum(axis=1) / self.draws)

    def smoothed(self, pseudo_cases: float) -> Stratum:
        classes = round(float(self.prior[0].sum()))
        counts = self.counts + pseudo_cases * self.prior
        return replace(self, counts=counts, draws=self.draws + int(pseudo_cases * classes))

    def thinned(self, scale: Floats | float) -> Stratum:
        """The counts times ``scale``, of as many ``draws`` as before: for limits alone."""
        return replace(self, counts=scale * self.counts, observed=scale * self.observed)

    @cached_property
    def moves(self) -> Moves:
        """The steps of the draws, from the origin with the fewest sizes, if possible 0."""
        hit = self.probabilities > 0
        origin, fewest = np.zeros(len(hit)), self._sizes(hit, np.zeros(len(hit)))[0]
        largest = np.where(hit, self.values, -np.inf).max(axis=1, keepdims=True)
        starts = np.sort(np.where(hit, self.values, largest), axis=1)
        n_values = (np.diff(starts, axis=1) > 0).sum(axis=1) + 1
        for start in starts.T if (n_values <= MAX_CELLS_FOR_ORIGINS).any() else ():
            n_sizes = self._sizes(hit, start)[0]
            fewer = (n_sizes < fewest) & (n_sizes < MANY_SIZES)
            origin, fewest = np.where(fewer, start, origin), np.where(fewer, n_sizes, fewest)
        _, short, long = self._sizes(hit, origin)
        idle = (self.probabilities * (self.values == origin[:, None])).sum(axis=1)
        return Moves(origin, fewest, self._sum(short, origin, fewest > 1), self._sum(long, origin, fewest > 0), idle)

    def _sizes(self, hit: Booleans, origin: Floats) -> tuple[Integers, Floats, Floats]:
        """The number of sizes of steps from the origin, and the shortest and the longest step."""
        sizes = np.where(hit, np.abs(self.values - origin[:, None]), 0.0)
        long = sizes.max(axis=1)
        short = np.minimum(np.where(sizes > 0, sizes, np.inf).min(axis=1), long)
        known = (sizes == 0) | (sizes == long[:, None]) | (sizes == short[:, None])
        return np.where(known.all(axis=1), (long > 0) * 1 + (short < long), MANY_SIZES), short, long

    def _sum(self, size: Floats, origin: Floats, moving: Booleans) -> WholeSums:
        # A point that is handled by other steps has no steps here.
        steps = np.where(moving[:, None], self.values - origin[:, None], 0.0)
        up, down = ((steps == side * size[:, None]) & (steps != 0) for side in (1, -1))
        rise, fall, idle = ((self.probabilities * cells).sum(axis=1) for cells in (up, down, ~(up | down)))
        still = np.where(origin == 0, 1.0, np.abs(origin))  # not taken; large beside the origin's rounding
        return WholeSums(np.full(len(size), self.draws), rise, fall, idle, np.where(moving, size / self.draws, still))

    def drawn_at(self, i: int) -> DrawnValues:
        """The values drawn at point i, without those that no case has."""
        seen = self.counts[i] > 0
        return DrawnValues(self.draws, self.counts[i, seen], self.values[i, seen] / self.draws)


def _ordered(a: WholeSums, b: WholeSums) -> tuple[WholeSums, WholeSums]:
    """The sum with fewer values first, unless the other sum's step is negligible beside its own."""
    negligible = NEGLIGIBLE_STEP * np.maximum(a.step, b.step)
    first = (a.step <= negligible) | ((b.step > negligible) & (a.length <= b.length))
    return WholeSums.where(first, a, b), WholeSums.where(first, b, a)


# From a law, or laws by row, values, and the row of each value in a tuple (empty for one law): an answer per value.
Question = Callable[[TwoSums | Masses, Floats, tuple[Integers, ...]], Floats]


def _cdf(law: TwoSums | Masses, x: Floats, rows: tuple[Integers, ...], *, strict: bool = False) -> Floats:
    return law.cdf(x, *rows, strict=strict)


@dataclass(frozen=True, repr=False, eq=False)
class LinearLaw:
    """The exact bootstrap law of a linear statistic.

    ``agresti`` are the pseudo-cases that Agresti's intervals add per class: 4 for one model, 2 for a pair.
    ``optimisms`` are those of thresholds chosen on these cases.
    """

    strata: tuple[Stratum, ...]
    agresti: float
    optimisms: tuple[Optimism, ...] = field(default=(), kw_only=True)

    @cached_property
    def mean(self) -> Floats:
        return np.asarray(sum(stratum.mean for stratum in self.strata))

    @cached_property
    def observed_mean(self) -> Floats:
        """The statistic of the cases without pseudo-cases."""
        sums = ((part.observed * part.values).sum(axis=1) / part.observed.sum(axis=1) for part in self.strata)
        return np.asarray(sum(sums))

    @property
    def is_exact(self) -> bool:
        """Whether all values have a common step, or are listed; for thresholds chosen on these cases, given these."""
        return all(law.is_exact for law in self._sums.values())

    @property
    def estimate(self) -> Floats:
        return self.mean

    @property
    def is_rate(self) -> bool:
        """Whether it is the law of a rate, on some scale: a single stratum with two values."""
        return len(self.strata) == 1 and all(len(np.unique(values)) == 2 for values in self.strata[0].values)

    @cached_property
    def variance(self) -> Floats:
        return np.asarray(sum(stratum.variance for stratum in self.strata))

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        lows, highs = zip(*(stratum.support for stratum in self.strata), strict=True)
        return np.asarray(sum(lows)), np.asarray(sum(highs))

    @cached_property
    def drawn(self) -> DrawnUnits:
        """The cases that "extrapolated" rests on, of a difference of two models; x is the value minus its mean."""
        strata, reach = [part.variation for part in self.strata], [part.reach for part in self.strata]
        return DrawnUnits(self.estimate, self.support, strata, reach, paired=True, center=self.estimate)

    def smoothed(self, pseudo_cases: float) -> LinearLaw:
        return LinearLaw(tuple(stratum.smoothed(pseudo_cases) for stratum in self.strata), self.agresti)

    def cdf(self, x: Floats) -> Floats:
        return self._evaluate(x, _cdf)[0]

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        return split_at(*self._evaluate(x, partial(_cdf, strict=True), _cdf))

    def quantile(self, q: Floats) -> Floats:
        least = np.asarray(sum(np.where(s.counts > 0, s.values, np.inf).min(axis=1) for s in self.strata))
        (found,) = self._evaluate(q, lambda law, levels, rows: law.quantile(levels, *rows))
        return np.where(q <= QUANTILE_ROUNDING, least, found)

    @cached_property
    def _n_sizes(self) -> Integers:
        """Sizes of steps at each point: up to two of one stratum, one in each of two strata, else MANY_SIZES."""
        moves = [part.moves for part in self.strata]
        sizes = np.maximum.reduce([each.n_sizes for each in moves])
        # where draws are seldom idle the series of products alternates with growing terms
        hardly_idle = (sizes == 2) & (2 * self.strata[0].draws * moves[0].idle < LOG_TAIL)
        return np.where((sizes > {1: 2, 2: 1}.get(len(moves), 0)) | hardly_idle, MANY_SIZES, sizes)

    def _blocks(self) -> Iterator[tuple[Integers, TwoSums | Masses]]:
        """Blocks of points with their laws."""
        moves, sizes = [part.moves for part in self.strata], self._n_sizes
        a, b = (moves[0].long, moves[1].long) if len(moves) > 1 else (moves[0].short, moves[0].long)
        u, v = _ordered(a, b)
        lengths, origin = np.maximum(a.length, b.length), np.asarray(sum(each.origin for each in moves))
        numbers = origin, self.mean, np.sqrt(self.variance)
        for joint in (False, True):
            points = np.flatnonzero(sizes == 2 if joint else sizes < 2)
            for block in in_blocks(points, lengths, MAX_BLOCK_VALUES):
                yield block, TwoSums(u[block], v[block], *(each[block] for each in numbers), joint=joint)
        for point, law in self._sums.items():
            yield np.array([point]), law

    @cached_property
    def _sums(self) -> dict[int, Masses]:
        """The laws at points with steps of many sizes; kept, as they are expensive."""
        points = np.flatnonzero(self._n_sizes == MANY_SIZES).tolist()
        return {i: law_of_sum([part.drawn_at(i) for part in self.strata]) for i in points}

    def _evaluate(self, x: Floats, *questions: Question) -> list[Floats]:
        values = np.reshape(x, (-1, len(self.mean)))
        found = np.empty((len(questions), *values.shape))
        for points, law in self._blocks():
            rows = np.arange(len(points))
            for some in np.array_split(np.arange(len(values)), -(-len(values) * len(points) // MAX_VALUES_AT_ONCE)):
                here = np.ix_(some, points)
                own = (np.tile(rows, len(some)),) if isinstance(law, TwoSums) else ()
                for answers, question in zip(found, questions, strict=True):
                    answer = question(law, values[here].ravel(), own)
                    answers[here] = answer.reshape(len(some), -1)
        return [answers.reshape(np.shape(x)) for answers in found]


@dataclass(frozen=True, repr=False, eq=False)
class ChosenCostLaw(LinearLaw):
    """The law of a cost at thresholds chosen for that very cost, which looks too small.

    Over all thresholds, if scores carry no information, the error is ``bridge_scale`` times a Brownian bridge;
    ``everywhere(i)`` is the law of the cost of point i at each threshold.
    """

    bridge_scale: Floats
    everywhere: Callable[[int], LinearLaw]


def linear_law(
    counts: Integers | Floats,
    values: Floats,
    possible: Booleans,
    sampling: str = "stratified",
    draws: tuple[int, ...] | None = None,
) -> LinearLaw:
    """The law of the shares of cells times their values, arrays of shape (n_points, n_cells).

    The cells are TP, FN, FP and TN or, for two models, the cases of each class hit by both, a, b and neither. Shares
    are of a class or, under full sampling, of all cases. A class whose cells all have the value 0 is left out.
    ``draws`` are the numbers of draws of positives and of negatives or, under full sampling, of all cases; None is as
    many as there are cases.
    """
    prior = np.hstack([_spread(possible[:, part]) for part in classes_of(counts)])
    together = [slice(None)] if sampling == "full" else classes_of(counts)
    strata = tuple(_stratum(counts[:, part], values[:, part], prior[:, part]) for part in together)
    if draws is not None:
        strata = tuple(replace(part, draws=size) for part, size in zip(strata, draws, strict=True))
    return LinearLaw(
        tuple(part for part in strata if part.values.any()) or strata, 4.0 if counts.shape[1] == 4 else 2.0
    )


def count_law(counts: Floats, weights: Floats, possible: Booleans, sampling: str) -> LinearLaw:
    parts = [slice(None)] if sampling == "full" else classes_of(counts)
    draws = [np.full(counts[0, part].shape, counts[0, part].sum()) for part in parts]
    return linear_law(counts, weights * np.concatenate(draws), possible, sampling)


def rate_law(counts: Integers | Floats, possible: Booleans, draws: int | None = None) -> LinearLaw:
    """The law of the share of a class that is hit; for two models, of a's share minus b's."""
    values, agresti = (np.array([1.0, 0.0]), 4.0) if counts.shape[1] == 2 else (HITS[0].astype(float) - HITS[1], 2.0)
    stratum = _stratum(counts, values, _spread(possible))
    return LinearLaw((stratum if draws is None else replace(stratum, draws=draws),), agresti)


def pooled_law(observed: Floats, values: Floats, *, smoothing: float) -> LinearLaw:
    """The law of the average value of as many draws as there are cases, with ``smoothing`` pseudo-cases per cell."""
    prior = np.full(observed.shape, 1 / observed.shape[1])
    draws = round(float(observed[0].sum()))
    return LinearLaw((Stratum(observed + smoothing, values, prior, draws, observed),), agresti=0.0)


def _spread(possible: Booleans) -> Floats:
    """A pseudo-case, spread evenly over the cells of a class that a case can fall in."""
    return np.asarray(possible / possible.sum(axis=1, keepdims=True))


def _stratum(counts: Integers | Floats, values: Floats, prior: Floats) -> Stratum:
    seen = counts.astype(np.float64)
    return Stratum(seen, np.broadcast_to(values, counts.shape), prior, int(counts[0].sum()), seen)


def classes_of(cells: NDArray[np.generic]) -> tuple[slice, slice]:
    half = cells.shape[1] // 2
    return slice(0, half), slice(half, None)


def by_cell(weights: NDArray[Entry], hits: Booleans) -> NDArray[Entry]:
    """The weights of the eight cells of a pair, from the four of the model with these hits."""
    return np.asarray(np.hstack([np.where(hits, weights[:, [hit]], weights[:, [hit + 1]]) for hit in (0, 2)]))


def minus(of_a: Floats, of_b: Floats) -> Floats:
    """The weights of the eight cells of a pair in a difference, from the four of either model."""
    return np.asarray(by_cell(of_a, HITS[0]) - by_cell(of_b, HITS[1]))
