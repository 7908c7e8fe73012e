"""A curve seen as steps, for ranks that are asked about together: at the ends of segments, and at marks within them.

In a segment that slopes the share that is climbed exceeds u where A + u B < t, of A negatives drawn before the segment
and B in it. So the curve is the sum over u of such steps. Its marks are as many values of u as lie within a part of the
deviation of A + u B of each other, and the positives tied there are shared out among them and the ends by the trapezoid
rule. A negative before a mark counts 1, one in its segment u: what is counted before a mark is linear between the ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from skcostci._validation import Floats, Integers
from skcostci.laws._drawn_curve import Segments
from skcostci.laws._meixner import Tail, binomial_tail, gamma_tail
from skcostci.laws._points import runs
from skcostci.laws._threshold import RankLaws, deviations
from skcostci.laws._vertical import Crossing

APART = 0.2, 0.5, 800  # deviations between marks: so many negatives less one in that of them, within these bounds
LEAST = 0.25  # negatives, a deviation that marks need not be finer than


@dataclass(frozen=True, eq=False)
class RankedCurve:
    """A model's curve at points whose ranks ascend; ``laws`` are of those ranks."""

    crossing: Crossing
    points: Integers
    laws: RankLaws

    @property
    def segments(self) -> Segments:
        """Those of the whole curve."""
        return self.crossing.curve.segments

    @property
    def n(self) -> int:
        return self.crossing.ranks.n

    @cached_property
    def rank(self) -> Integers:
        return self.crossing.ranks.rank[self.points]

    @cached_property
    def spans(self) -> tuple[Floats, Floats]:
        """The places between which each rank lies."""
        low, high = self.crossing.ranks.spans
        return low[self.points], high[self.points]


@dataclass(frozen=True, eq=False)
class Slopes:
    """Segments that slope, the negatives before them and in them, and where their marks would be.

    The variance of the negatives drawn before a mark at u is a ((u - b)^2 + c); ``APART`` says how many deviations
    marks are apart.
    """

    start: Floats
    size: Floats
    n: int
    which: Integers

    @cached_property
    def _curve(self) -> tuple[Floats, Floats, Floats]:
        """a, b and c."""
        a = self.size * (1 - self.size / self.n)
        b = self.start / (self.n - self.size)
        c = self.start * (1 - self.start / self.n) / a - b**2
        return a, b, np.maximum(c, LEAST**2 / a)

    @cached_property
    def parts(self) -> Floats:
        """How many parts marks cut each segment into."""
        apart = np.clip(self.n / APART[2], *APART[:2])
        return np.asarray(np.ceil(self.size / (apart * np.sqrt(self._curve[0])) * self._turns[1]))

    def _turn(self, share: Floats | float) -> Floats:
        """An arc in which marks are evenly apart."""
        _, b, c = self._curve
        return np.asarray(np.arcsinh((share - b) / np.sqrt(c)))

    @cached_property
    def _turns(self) -> tuple[Floats, Floats]:
        """Where the arc of each segment begins, and how long it is."""
        return self._turn(0.0), self._turn(1.0) - self._turn(0.0)

    def nth(self, share: Floats) -> Floats:
        """Which mark is there, in parts of one."""
        first, length = self._turns
        return np.asarray(self.parts * (self._turn(share) - first) / length)

    def share(self, each: Integers, nth: Integers | Floats) -> Floats:
        """How far into a segment its n-th mark is."""
        (_, b, c), (first, length) = self._curve, self._turns
        turn = first[each] + nth / self.parts[each] * length[each]
        return np.asarray(np.clip(b[each] + np.sqrt(c)[each] * np.sinh(turn), 0.0, 1.0))

    def reached(self, t: float, far: float) -> tuple[Floats, Floats]:
        """From where to where marks are no more than so many deviations from t."""
        a, b, c = self._curve
        square = self.size**2 - far**2 * a
        linear = self.size * (self.start - t) + far**2 * a * b
        rest = (self.start - t) ** 2 - far**2 * a * (b**2 + c)
        root = np.sqrt(np.maximum(linear**2 - square * rest, 0.0))
        some = np.where(square > 0, square, 1.0)
        low, high = np.clip([(-linear - root) / some, (root - linear) / some], 0.0, 1.0)
        return np.where(square > 0, low, 0.0), np.where(square > 0, high, 1.0)


@dataclass(frozen=True, eq=False)
class Marks(RankedCurve):
    """The steps of a curve that some ascending ranks may pass: of shape (n_marks,), or of (n_ranks, n_marks).

    What is said of segments and the ends between them is of those from the first that may be met to the last; ``laws``
    has the laws of the ranks from ``row`` on.
    """

    row: int

    @property
    def t(self) -> Floats:
        return self.crossing.t[self.points]

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
    def slopes(self) -> Slopes:
        """The segments that slope, but for one that has all negatives."""
        which = np.flatnonzero((self.tied > 0) & (self.sizes < self.n))
        return Slopes(self.edges[which].astype(np.float64), self.sizes[which], self.n, which)

    @cached_property
    def inner(self) -> tuple[Integers, Floats, Floats]:
        """The segments of marks within them, how far into them they are, and the share of the positives there."""
        slopes, far = self.slopes, deviations(self.crossing.ranks.tail)
        low, high = slopes.reached(self.t[0], far)[0], slopes.reached(self.t[-1], far)[1]
        low, high = np.maximum(np.ceil(slopes.nth(low)), 1.0), np.minimum(np.floor(slopes.nth(high)), slopes.parts - 1)
        each, nth = runs(low.astype(np.int64), np.maximum(high - low + 1, 0).astype(np.int64))
        apart = slopes.share(each, nth + 1) - slopes.share(each, nth - 1)
        return slopes.which[each], slopes.share(each, nth), apart / 2

    @cached_property
    def x(self) -> Floats:
        """Negatives before each mark."""
        which, share, _ = self.inner
        return np.concatenate([self.ends, self.edges[which] + share * self.sizes[which]])

    @cached_property
    def variance(self) -> Floats:
        """Of the negatives drawn before each."""
        which, share, _ = self.inner
        squares = np.concatenate([self.ends, self.edges[which] + share**2 * self.sizes[which]])
        return np.asarray(squares - self.x**2 / self.n)

    def between(self, counts: Floats) -> Floats:
        """At the marks, from what is counted before the edges of segments, shape (n_segments + 1, ...)."""
        which, share, _ = self.inner
        if not len(which):
            return counts[1:-1]
        at = np.empty((len(self.x), *counts.shape[1:]))
        at[: len(self.ends)], within, low = counts[1:-1], at[len(self.ends) :], counts[which]
        np.subtract(counts[which + 1], low, out=within)
        within *= share[:, None]
        within += low
        return at

    @property
    def parts(self) -> csr_array:
        """The shares of positives that marks have: in the first segment, at its end, in the second and so on."""
        (which, _, apart), (left, right) = self.inner, self._halves
        ends = len(self.ends)
        at_ends = np.column_stack([right[:-1], np.ones(ends), left[1:]])
        places = np.append(2 * np.arange(ends)[:, None] + np.arange(3), 2 * which)
        starts = np.append(3 * np.arange(ends), 3 * ends + np.arange(len(which) + 1))
        return csr_array((np.append(at_ends, apart), places, starts), (len(self.x), 2 * ends + 1))

    @cached_property
    def _halves(self) -> Floats:
        """The shares of the positives in each segment that are at its ends."""
        slopes, halves = self.slopes, np.zeros((2, len(self.sizes)))
        every = np.arange(len(slopes.which))
        halves[0, slopes.which] = slopes.share(every, np.ones(len(every))) / 2
        halves[1, slopes.which] = 0.5 - slopes.share(every, slopes.parts - 1) / 2
        return halves

    @cached_property
    def jump(self) -> Floats:
        """Positives at each mark."""
        (which, _, apart), (left, right), tied = self.inner, self._halves, self.tied
        at_ends = np.diff(self.before) - (1 - right[:-1]) * tied[:-1] + left[1:] * tied[1:]
        return np.append(at_ends, apart * tied[which])

    def total(self, pulls: Floats) -> Floats:
        """Over all negatives, from what one does to the hits if it is before the segments or in each."""
        return np.asarray(pulls[:, 0] * self.edges[0] + pulls[:, 1:] @ self.sizes)

    @property
    def found(self) -> Floats:
        """How probably positives are found: in the first segment, at its end, in the second and so on."""
        reach = framed(self.reach)
        found = np.zeros((len(reach), 2 * len(self.sizes) - 1))
        found[:, ::2] = reach[:, 1:] - self.shares[0] * np.diff(reach)
        found[:, 1::2] = self.reach
        return found

    @property
    def tail(self) -> Tail:
        """The laws of the negatives drawn before each mark: binomial at ends, elsewhere like a Gamma law."""
        rank, m = self.rank[:, None], len(self.ends)
        whole = binomial_tail(self.x[:m], rank, self.n)
        if m == len(self.x):
            return whole
        which, share, _ = self.inner
        mean, spread, start, size = self.x[m:] / self.n, self.variance[m:], self.edges[which], self.sizes[which]
        square, cube = ((start + share**power * size) / self.n for power in (2, 3))
        skew = (cube - 3 * mean * square + 2 * mean**3) * self.n / spread**1.5
        return side_by_side(whole, gamma_tail((self.t[:, None] - self.x[m:]) / np.sqrt(spread), skew[None]))


def framed(reached: Floats) -> Floats:
    """With the edges of all segments, which are reached surely and not at all."""
    every = np.zeros((len(reached), reached.shape[1] + 2))
    every[:, 0], every[:, 1:-1] = 1.0, reached
    return every


def side_by_side(a: Tail, b: Tail) -> Tail:
    """Of the marks of both."""
    return Tail(*(_beside(x, y, a.first.shape[1], b.first.shape[1]) for x, y in zip(a, b, strict=True)))


def _beside(x: Floats, y: Floats, width_x: int, width_y: int) -> Floats:
    """As many rows as either has, if more than one, and so many columns."""
    both = np.empty((max(len(np.atleast_2d(x)), len(np.atleast_2d(y))), width_x + width_y))
    both[:, :width_x], both[:, width_x:] = x, y
    return both
