"""A curve seen as marks, for ranks that are asked about together: places between segments, and segments that slope.

At a place positives are found where fewer negatives than the rank are drawn before it. Of those tied with negatives a
share is found (:mod:`._share_terms`); where a segment is narrow half of them are taken to be at
either end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._groups import Groups
from skcostci.laws._ranked_curve import RankedCurve
from skcostci.laws._series import TiedPrecision

FEW = 500  # negatives, of which no segment is narrow
FINER = 0.6  # of that where ranks are few
WEIGHTY = 0.02  # of the square of the positives in a deviation, of those tied by length: fewer are as well at the ends


@dataclass(frozen=True, eq=False)
class Kind:
    """Marks alike; ``left`` and ``right`` are the numbers of the edges of segments where they begin and end.

    Where ``alone`` the first of the functions that tell draws before, in and beyond is looked at alone.
    """

    groups: Groups
    left: Integers
    right: Integers
    alone: bool

    @cached_property
    def functions(self) -> Floats:
        """What tells draws before, in and beyond: by what passing either edge adds, shape (1 or 2, 2, n_marks)."""
        before, within, beyond = self.groups.turned[: 1 if self.alone else 2].swapaxes(0, 1)
        return np.stack([before - within, within - beyond], axis=1)

    def told(self, counts: Floats) -> Floats:
        """From what is counted before the edges, shape (..., n_edges), of shape (n_functions, ..., n_marks)."""
        told = [self._told(counts, *function) for function in self.functions]
        return told[0][None] if self.alone else np.array(told)

    def _told(self, counts: Floats, left: Floats, right: Floats) -> Floats:
        told = counts[..., self.right]
        told *= left + right
        some = np.flatnonzero(self.right > self.left)
        told[..., some] -= left[some] * (counts[..., self.right[some]] - counts[..., self.left[some]])
        return np.asarray(told)


@dataclass(frozen=True, eq=False)
class Marks(RankedCurve):
    """The steps of a curve that some ascending ranks may pass: of shape (n_marks,), or of (n_ranks, n_marks).

    What is said of segments and the ends between them is of those from the first that may be met to the last; ``laws``
    has the laws of the ranks from ``row`` on.
    """

    row: int
    precision: TiedPrecision

    @cached_property
    def first(self) -> int:
        """The segment in which the windows of the ranks begin."""
        return int(np.searchsorted(self.segments.ends[:-1], self.spans[0][0]))

    @cached_property
    def edges(self) -> Integers:
        """Negatives before the first segment, and before the end of each to the one in which the windows end."""
        beyond = 1 + int(np.searchsorted(self.segments.ends[:-1], self.spans[1][-1], "right"))
        return np.append(self.segments.starts[self.first], self.segments.ends[self.first : beyond])

    @cached_property
    def sizes(self) -> Floats:
        """Of the segments."""
        return np.diff(self.edges).astype(np.float64)

    @property
    def counted(self) -> Floats:
        """Negatives before all of them, and in each."""
        return np.insert(self.sizes, 0, self.edges[0])

    @cached_property
    def before(self) -> Integers:
        """Positives before each segment."""
        return self.segments.before[self.first : self.first + len(self.sizes)]

    @cached_property
    def tied(self) -> Integers:
        """Positives in each."""
        return self.segments.tied[self.first : self.first + len(self.sizes)]

    @property
    def sloping(self) -> bool:
        """Whether any segment slopes."""
        return bool(self.tied.any())

    @cached_property
    def ends(self) -> Integers:
        """Negatives before each end between segments."""
        return self.edges[1:-1]

    @cached_property
    def reach(self) -> Floats:
        """The probability of being beyond each of these ends."""
        rows = self.row + np.arange(len(self.rank))
        return self.laws.at(rows[:, None], self.ends)

    @property
    def shares(self) -> Floats:
        """The mean shares climbed, and times the negatives before: shape (2, n_ranks, n_segments) or (2, 1, 1)."""
        if not self.sloping:
            return np.zeros((2, 1, 1))
        climbed = self.crossing.climbed(self.points)
        at = climbed.at(np.arange(len(self.rank))[:, None], self.first + np.arange(len(self.sizes)))
        return np.array([climbed.share[at], climbed.product[at]])

    @cached_property
    def slopes(self) -> tuple[Integers, Integers]:
        """The segments that are marks, those of which one function tells and others; none has all negatives."""
        segments = self._groups(np.arange(len(self.sizes)), 1)
        spread, few = segments.rank_spread, ~segments.smooth
        length = self.sizes / spread
        least = self.precision.told * min(self.n / FEW, 1.0) * np.where(few, FINER, 1.0)
        weighty = length * self.tied**2 >= WEIGHTY * (self._density * spread) ** 2
        told = (self.tied > 0) & (self.sizes < self.n) & ((length >= least) | weighty)
        long, large = self.precision.both
        both = few | (length >= long) | (self.sizes >= large * spread**4)
        return np.flatnonzero(told & ~both), np.flatnonzero(told & both)

    @property
    def _density(self) -> float:
        """Positives a negative."""
        last = len(self.sizes) - 1
        return float((self.before[last] + self.tied[last] - self.before[0]) / (self.edges[-1] - self.edges[0]))

    @cached_property
    def stops(self) -> Integers:
        """The ends between segments that are marks, as they have positives."""
        halves = self.tied * self._halves
        return np.flatnonzero(np.diff(self.before) - self.tied[:-1] + halves[:-1] + halves[1:] > 0)

    @cached_property
    def _halves(self) -> Floats:
        """The shares of the positives in each segment that are at either end."""
        halves = np.full(len(self.sizes), 0.5)
        halves[np.concatenate(self.slopes)] = 0.0
        return halves

    @cached_property
    def parts(self) -> tuple[Integers, Floats]:
        """Which marks have positives, one or two, and the shares they have, of shape (n_places, 2).

        Of those in the first segment, at its end, in the second and so on.
        """
        ends, slopes = self.stops, np.concatenate(self.slopes)
        number = np.zeros(len(self.sizes) - 1, dtype=np.int64)
        number[ends] = np.arange(len(ends))
        marks, shares = np.zeros((2 * len(self.sizes) - 1, 2), dtype=np.int64), np.zeros((2 * len(self.sizes) - 1, 2))
        marks[1::2, 0], shares[1::2, 0] = number, 1.0
        marks[2::2, 0], shares[2::2, 0] = number, self._halves[1:]
        marks[:-1:2, 1], shares[:-1:2, 1] = number, self._halves[:-1]
        marks[2 * slopes, 0], shares[2 * slopes, 0] = len(ends) + np.arange(len(slopes)), 1.0
        return marks, shares

    @cached_property
    def jump(self) -> Floats:
        """Positives that each mark has."""
        marks, shares = self.parts
        positives = np.zeros(len(marks))
        positives[::2] = self.tied
        positives[1::2] = np.diff(self.before) - self.tied[:-1]
        count = len(self.stops) + sum(map(len, self.slopes))
        return np.asarray(np.bincount(marks.ravel(), (shares * positives[:, None]).ravel(), count), dtype=np.float64)

    @property
    def kinds(self) -> tuple[tuple[Kind, slice], tuple[Kind, slice]]:
        """The marks, places with segments of which one function tells and others, and which of all marks they are."""
        stops, (small, large) = self.stops + 1, self.slopes
        alone = Kind(
            self.places.beside(self._groups(small, 1)), np.append(stops, small), np.append(stops, small + 1), True
        )
        count = len(alone.left)
        return (alone, slice(0, count)), (
            Kind(self._groups(large, 1), large, large + 1, False),
            slice(count, count + len(large)),
        )

    @property
    def places(self) -> Groups:
        """The ends that are marks."""
        return self._groups(self.stops + 1, 0)

    @property
    def groups(self) -> Groups:
        """The segments that are, those of which one function tells first."""
        return self._groups(np.concatenate(self.slopes), 1)

    def _groups(self, left: Integers, segments: int) -> Groups:
        """From some edges on, of so many segments."""
        start = self.edges[left].astype(np.float64)
        return Groups(start, self.edges[left + segments] - start, self.n)

    @property
    def found(self) -> Floats:
        """How probably positives are found: in the first segment, at its end, in the second and so on."""
        reach = framed(self.reach)
        found = np.zeros((len(reach), 2 * len(self.sizes) - 1))
        found[:, ::2] = reach[:, 1:] - self.shares[0] * np.diff(reach)
        found[:, 1::2] = self.reach
        return found


def framed(reached: Floats) -> Floats:
    """With the edges of all segments, which are reached surely and not at all."""
    every = np.zeros((len(reached), reached.shape[1] + 2))
    every[:, 0], every[:, 1:-1] = 1.0, reached
    return every
