"""What two curves that nearly agree find together, from what only one of them passes: where the ridge is narrow.

Let X(x) count the draws among the x best negatives of one model and Y(y) those of the other, and let F(x) be the
probability that X(x) < r, and H that both are. Of the draws let C be before both places, U before the nearer one only
and V before the further one only. Then

    F(max(x, y)) - H(x, y) = P(C + V < r <= C + U) = sum over k of P(V < k <= U, C + k = r)

is next to nothing but close to the ridge x = y, and positive, so that nothing cancels. It is the mean of (U - V)+ times
the probability that C + k is r, where draws are weighted by (U - V)+ and k is even from V + 1 to U. U and V are nearly
Poisson variables, and C + k is nearly one more than a binomial variable: the law of n - 1 draws with that mean, and its
second derivative by the mean times half of what the variance differs by. None of the weights depends on r. They are
worked out once, for all pairs of steps close to the ridge, and summed by the mean of C + k.

Positives between two steps that are kept are shared out so that their places stay in the mean; what the variances of
these make of second derivatives is taken off. What is left out is about the square of the share of U and V in the
variance of a place: .001 of the variance of the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from skcostci._validation import Booleans, Floats, Integers, Weights
from skcostci.laws._drawn_curve import Segments
from skcostci.laws._meixner import among_others
from skcostci.laws._pieces import PairedCases, reached_at
from skcostci.laws._ridge_pairs import RidgePairs
from skcostci.laws._threshold import RankLaws
from skcostci.laws._vertical import Ranks

NARROW = 0.4  # of the variance of a rank's place may be that of U and V, for this to be near enough,
SKEW = 0.04  # of its square root, in cases,
CHEAP = 9000  # and negatives in parts of all, for it to be quicker,
WIDE = 0.7, 2.0  # and U of no step in its window more than such a part of the variance, and cases more
FAR = 3.0, 1.5  # deviations of U - V, and cases more, from where on U > V is next to impossible
FEWEST = 200  # negatives,
SPARSE = 2**14, 32  # and no more than so many, or so many a step
SHORT = 0.16  # deviations of U - V: steps closer together are not all kept
WORK = 2**24  # pairs of steps, at most


@dataclass(frozen=True, eq=False)
class Ridge:
    """Two models' curves, and where the cases lie on both: negatives by the numbers of their segments."""

    a: Segments
    b: Segments
    positive: PairedCases
    negative: PairedCases

    @property
    def n(self) -> int:
        return int(self.a.ends[-1])

    def narrow(self, ranks: Ranks) -> Booleans:
        """At which ranks this is near enough."""
        if not self._has_steps:
            return np.zeros(len(ranks.t), dtype=bool)
        most = ranks.spread * np.minimum(SKEW * np.sqrt(ranks.spread), min(NARROW, CHEAP / self.n))
        narrow = np.asarray(self._least_apart[ranks.rank] <= most)
        if not narrow.any():
            return narrow
        for curve, (apart, wide) in zip((self.a, self.b), self._up_to, strict=True):
            first, last = (np.searchsorted(curve.ends[:-1], ends) for ends in ranks.windows)
            narrow &= (2 * (apart[last] - apart[first]) <= most * (last - first)) & (wide[last] == wide[first])
        return narrow & (narrow.any() and self._pairs.sizes.sum() <= WORK)

    @cached_property
    def _up_to(self) -> list[tuple[Floats, Floats]]:
        """Of the steps of either model up to each, negatives that only one has before them, and how many are wide."""
        every = zip((self.a, self.b), self._apart, strict=True)
        return [(_summed(apart), _summed(_wide(curve, apart))) for curve, apart in every]

    @property
    def _has_steps(self) -> bool:
        """Whether negatives are enough, and steps not so few that tables with a place for every negative are large."""
        steps = len(self.a.ends), len(self.b.ends)
        return min(steps) > 1 and FEWEST <= self.n <= max(SPARSE[0], SPARSE[1] * sum(steps))

    def moments(self, rank: Integers, laws: RankLaws) -> Floats:
        """Of the hits of both their covariance, and how many are the same: shape (2, n_ranks)."""
        first = laws.start[:, None] - 1
        place = np.minimum(first + np.arange(laws.beyond.shape[1]), self.n)
        sums = np.array(
            [(np.cumsum(each) - each)[first[:, 0]] + _summed_at(place, laws.beyond, each) for each in self._agreed]
        )
        for k, term in enumerate(_terms(rank[:, None], np.clip(place, 2, self.n - 1), self.n)):
            sums[:2] -= [_summed_at(place, term, each[k]) for each in self._pairs.lost]
            if k == 1:
                sums[1:] += [_summed_at(place, term, each) for each in self._blurred]
        same, both, a, b = sums
        return np.array([both - a * b, same])

    @cached_property
    def _agreed(self) -> Floats:
        """Positives that are the same, of both models multiplied, either by the further place, and those of either.

        The shape is (4, n + 1).
        """
        places, parts = self._places, self._pairs.parts
        at_a, at_b, same = (np.bincount(at, parts, self.n + 1) for at in (*places, np.maximum(*places)))
        both = at_a * np.cumsum(at_b) + at_b * (np.cumsum(at_a) - at_a)
        return np.array([same, both, at_a, at_b], dtype=np.float64)

    @cached_property
    def _blurred(self) -> Floats:
        """The last three times half the variances of places: what slopes of laws make of that."""
        _, _, at_a, at_b = self._agreed
        every = zip(self._places, self._pairs.spread, strict=True)
        a, b = (np.bincount(at, self._pairs.parts * spread, self.n + 1) for at, spread in every)
        return np.array([a * (np.cumsum(at_b) - at_b / 2) + b * (np.cumsum(at_a) - at_a / 2), a, b])

    @property
    def _places(self) -> tuple[Integers, Integers]:
        """Of positives on either curve."""
        pairs, positive = self._pairs, self._pairs.positive
        a, b = (np.append(x, [self.n, 0])[at] for x, at in ((pairs.x, positive.a), (pairs.y, positive.b)))
        return a, b

    @cached_property
    def _pairs(self) -> RidgePairs:
        """Those of steps that are some way apart, between which positives are shared out."""
        curves = self.a, self.b
        kept = [_some_way_apart(*each) for each in zip(curves, self._apart, strict=True)]
        steps = [(at + 1) // 2 - 1 for at in (self.positive.a, self.positive.b)]
        halves = [_shared_out(*each) for each in zip(curves, kept, steps, strict=True)]
        at_a, at_b = (reached_at(*each) for each in zip(kept, (self.negative.a, self.negative.b), strict=True))
        x, y = (curve.ends[some[:-1]] for curve, some in zip(curves, kept, strict=True))
        reach, negative = _reach(self.a, self._apart[0])[kept[0][:-1]], PairedCases(at_a, at_b, self.negative.weights)
        return RidgePairs(x, y, reach, *_together(halves, self.positive.weights), negative, self.n)

    @cached_property
    def _least_apart(self) -> Integers:
        """At each place no more negatives than only one model has before it."""
        at = np.maximum(self.a.starts[self.negative.a], self.b.starts[self.negative.b])
        both = np.cumsum(np.bincount(at, self.negative.weights, self.n)).astype(np.int64, copy=False)
        return np.asarray(np.arange(self.n + 1) - np.append(0, both))

    @cached_property
    def _apart(self) -> tuple[Floats, Floats]:
        """Negatives that only the nearer place has before it, at the steps of either model."""
        negative = self.negative
        mirrored = PairedCases(negative.b, negative.a, negative.weights)
        return _apart(self.a, self.b, negative), _apart(self.b, self.a, mirrored)


def _apart(a: Segments, b: Segments, negative: PairedCases) -> Floats:
    """The same, of a: with the step of b that is no further and with the next, the more."""
    x, y = a.ends[:-1], b.ends[:-1]
    beyond = np.searchsorted(y, x, "right")
    before = [negative.before(at) for at in (beyond - 1, beyond)]
    return np.maximum(np.append(0, y)[beyond] - before[0], x - before[1])


def _summed_at(place: Integers, law: Floats, each: Floats) -> Floats:
    """Over places, of shape (n_ranks, n_places) as the law."""
    return np.asarray(np.einsum("ri,ri->r", law, each[place]))


def _summed(each: Floats | Booleans) -> Floats:
    """Up to each, from nothing on."""
    return np.append(0.0, np.cumsum(each))


def _wide(curve: Segments, apart: Floats) -> Booleans:
    """The steps where models differ too much."""
    x, n, (part, more) = curve.ends[:-1], curve.ends[-1], WIDE
    return np.asarray(apart > part * x * (1 - x / n) + more)


def _reach(curve: Segments, apart: Floats) -> Floats:
    """How far from its steps those of the other model matter; less than 0 where models agree, or differ too much."""
    deviations, more = FAR
    least = more + deviations**2 / 4
    reach = least + deviations**2 / 4 + deviations * np.sqrt(least + 2 * apart)
    return np.where(_wide(curve, apart) | (apart == 0), -1.0, reach)


class Half(NamedTuple):
    """The steps that positives of one model are shared out to, the parts of either, and the variance of their places.

    A step of -1 is before all.
    """

    steps: tuple[Integers, Integers]
    parts: tuple[Floats, Floats]
    spread: Floats


def _some_way_apart(curve: Segments, apart: Floats) -> Integers:
    """Which ends to keep, the last two among them: others lie between two that are near."""
    short = np.append(SHORT * np.sqrt(2 * apart), 0.0)
    gaps = np.where(short < 2, 1.0, np.diff(curve.ends, prepend=0) / np.maximum(short, 2.0))
    kept = (np.diff(np.floor(np.cumsum(gaps)), append=np.inf) > 0) | (gaps >= 1)
    kept[-2:] = True
    return np.flatnonzero(kept)


def _shared_out(curve: Segments, kept: Integers, step: Integers) -> Half:
    """Each step shared out to those kept around it, so that its place is as before in the mean."""
    places = curve.ends
    later = np.append(np.searchsorted(kept, np.arange(len(places))), 0)[step]
    earlier = np.maximum(later - 1, 0)
    low, high, here = places[kept[earlier]], places[kept[later]], places[step]
    part = np.where(kept[later] > step, (here - low) / np.maximum(high - low, 1), 1.0)
    part[step < 0] = 1.0
    return Half((earlier, np.where(step < 0, -1, later)), (1 - part, part), part * (1 - part) * (high - low) ** 2)


def _together(halves: list[Half], weights: Weights | None) -> tuple[PairedCases, Floats, Floats]:
    """Positives by the steps that they are shared out to, those of a in order, the parts, and half the variance."""
    a, b = halves
    spread, shares = np.array([a.spread, b.spread]) / 2, []
    for i, j in product((0, 1), repeat=2):
        part = a.parts[i] * b.parts[j] * (1 if weights is None else weights)
        some = part > 0
        shares.append((a.steps[i][some], b.steps[j][some], part[some], spread[:, some]))
    row, column, part, spread = (np.concatenate(each, axis=-1) for each in zip(*shares, strict=True))
    order = np.argsort(row, kind="stable")
    return PairedCases(row[order], column[order], None), part[order], spread[:, order]


def _terms(rank: Integers, mean: Integers, n: int) -> Iterator[Floats]:
    """The probability that one more than n - 1 draws are so many, and its first two derivatives by their mean."""
    draws, count = n - 1, rank - 1
    p = (mean - 1) / draws
    del mean  # room for what follows
    chance = among_others(p, rank, n)
    yield chance
    spread, slope = draws * p * (1 - p), count - draws * p
    slope /= spread
    yield chance * slope
    bend = np.multiply(2 * p - 1, slope, out=p)
    bend -= 1
    bend /= spread
    bend += np.square(slope, out=slope)
    bend *= chance
    yield bend
