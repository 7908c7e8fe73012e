"""What the default interval of two models at fixed false-positive rates needs of their joint law, and no more.

Let X(x) count the draws among the x best negatives of one model and Y(y) those of the other. Curves reach the r-th
negative beyond the place x where X(x) < r. So the covariance of the hits of both is the sum of the products of the
steps of both curves, each times H(x, y) - F(x) F(y), and the positives found by both are the sum of H over the
positives, F and H being the probabilities that X < r and that both are. X and Y are sums over n independent draws of a
pair of indicators, which gives the expansion of Aitken and Gonin (Proceedings of the Royal Society of Edinburgh, 1935)
by orthonormal Krawtchouk polynomials K_m,

    H(x, y) - F(x) F(y) = sum_m rho(x, y)^m A_m(x) A_m(y),    A_m(x) = sum_(i < r) f_x(i) K_m(i; x),

rho being the correlation of the two indicators (:mod:`._meixner` has the A_m). Curves of few steps, and those that
slope, are summed over all pairs of marks (:mod:`._shared_series`), others over corners (:mod:`._cornered_series`).
Models that nearly agree would need hundreds of terms; what they find together is had otherwise (:mod:`._ridge`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._cornered_series import CorneredSeries
from skcostci.laws._drawn_curve import Segments
from skcostci.laws._marks import Marks
from skcostci.laws._pieces import PairedCases
from skcostci.laws._ridge import Ridge
from skcostci.laws._series import Precision, TiedPrecision
from skcostci.laws._shared_series import SharedSeries
from skcostci.laws._steps import Steps
from skcostci.laws._threshold import RankLaws
from skcostci.laws._vertical import Crossing, Ranks

FEW = 3000  # negatives, up to which marks are looked at in all pairs
WIDE = 0.1  # deviations of a threshold: tied groups as large need marks
FARTHER = 0.5  # windows further a run of ranks may reach than its first rank does
SPARSE = 85, 380, 12  # segments: one for every twelve negatives, but so many at least and so many at most;
STEADY = 40.0  # the variance of a rank from which on rougher sums do where less is left
LONGER = 3.0  # windows further that a run may reach which meets no more,
MANY = 24, 1 / 5  # and so many ranks where it meets less than such a part of that


@dataclass(frozen=True, eq=False)
class Ranked:
    """Two models' curves at points whose ranks ascend, none of which is 0, and the laws of those ranks."""

    a: Crossing
    b: Crossing
    laws: RankLaws
    precision: Precision

    @classmethod
    def of(cls, a: Crossing, b: Crossing, points: Integers, precision: Precision) -> Ranked:
        """At some of the points of both."""
        ranks = a.ranks.among(points, precision.tail)
        a, b = (Crossing(model.curve, ranks) for model in (a, b))
        return cls(a, b, ranks.laws(np.arange(len(points))), precision)

    @property
    def ranks(self) -> Ranks:
        """Those of both."""
        return self.a.ranks

    @property
    def points(self) -> Integers:
        """All of them."""
        return np.arange(len(self.ranks.t))

    @cached_property
    def hits(self) -> Floats:
        """The moments of each model's hits, shape (2, 5, n_points)."""
        return np.array([model.moments_at(self.points, self.laws) for model in (self.a, self.b)])

    @property
    def alone(self) -> Floats:
        """The variances of the hits, and the mean sums of the squares of what positives are worth: of both models."""
        return np.asarray((self.hits[:, [1, 0]] - [[0], [1]] * self.hits[:, [3]]).sum(axis=0))

    @cached_property
    def marked(self) -> Booleans:
        """Where marks in all pairs are few, or tied groups large."""
        largest = np.maximum(*(model.largest_slope(self.points) for model in (self.a, self.b)))
        return np.asarray((self.ranks.n <= FEW) | (largest > WIDE * np.sqrt(self.ranks.spread)))

    def runs(self, some: Booleans) -> Iterator[slice]:
        """Of some ranks those next to each other whose windows are much the same, or have few segments."""
        start, count = 0, len(self.points)
        for end in range(1, count + 1):
            if end < count and some[start] and some[end] and self._together(start, end):
                continue
            if some[start]:
                yield slice(start, end)
            start = end

    def _together(self, start: int, end: int) -> bool:
        """Whether the ranks from one to another are."""
        (low, high), (first, last), (many, part) = self.ranks.spans, self._ends, MANY
        met, few = (last[:, end] - first[:, start]).max(), np.clip(self.ranks.n / SPARSE[2], *SPARSE[:2])
        farther = LONGER if met < few else FARTHER
        alike = high[end] - low[start] <= (1 + farther) * (high[start] - low[start])
        return bool(alike or (met < part * few and end - start < many))

    @cached_property
    def _ends(self) -> tuple[Integers, Integers]:
        """The first segments that either model may meet at each rank, and the last: of shape (2, n_points)."""
        first, last = np.array([model.ends(self.points) for model in (self.a, self.b)]).swapaxes(0, 1)
        return first, last


@dataclass(frozen=True, eq=False)
class JointMoments:
    """Where the cases lie on both curves."""

    curves: tuple[Segments, Segments]
    positive: PairedCases
    negative: PairedCases

    def at(self, ranked: Ranked) -> tuple[Floats, Booleans]:
        """The covariance of the hits and the positives found by both.

        Then whether they are good to a thousandth.
        """
        near = self._near(ranked)
        marked = ranked.marked & ~near
        sums, settled = self.summed(ranked, marked)
        if near.any():
            sums[:, near], settled[near] = self._ridge.moments(ranked.ranks.rank[near], ranked.laws.of(near)), True
        if (left := ~(near | marked)).any():
            laws = ranked.laws.of(left)
            steps = tuple(Steps(model, np.flatnonzero(left), laws) for model in (ranked.a, ranked.b))
            cornered = CorneredSeries(steps[0], steps[1], self.positive, self.negative)
            sums[:, left], settled[left] = cornered.moments(ranked.alone[:, left])
        return sums, settled

    def _near(self, ranked: Ranked) -> Booleans:
        """Where no segment slopes and the models nearly agree."""
        flat = ~(ranked.a.sloping | ranked.b.sloping)
        return flat & self._ridge.narrow(ranked.ranks) if flat.any() else flat

    def summed(self, ranked: Ranked, some: Booleans) -> tuple[Floats, Booleans]:
        """Those of some ranks, from all pairs of marks; of the others nothing.

        Ranks whose sums do not come near enough take the next precision; what did not do for most before is not tried.
        """
        most = ranked.alone
        sums, settled, left = np.zeros_like(most), np.zeros(len(some), dtype=bool), np.inf
        for rows in ranked.runs(some):
            for tied in ranked.precision.tied:
                enough = tied.left[int(ranked.ranks.spread[rows].min() >= STEADY)]
                if left < enough:
                    continue
                sums[:, rows], settled[rows], sloping = self._run(ranked, rows, most[:, rows], tied)
                parts = 1 - 2 * sums[0, rows] / np.where(most[0, rows] > 0, most[0, rows], np.inf)
                left = max(float(np.median(parts)), 0.0)
                further = np.flatnonzero((parts.clip(0) < enough) | ~settled[rows])
                if not sloping or not len(further):
                    break
                rows = slice(rows.start + further[0], rows.start + further[-1] + 1)
        return sums, settled

    def _run(self, ranked: Ranked, rows: slice, most: Floats, tied: TiedPrecision) -> tuple[Floats, Booleans, bool]:
        """Those of ranks next to each other, as precisely as that where scores tie. The last is whether they do."""
        a, b = (Marks(model, ranked.points[rows], ranked.laws, rows.start, tied) for model in (ranked.a, ranked.b))
        sloping = a.sloping or b.sloping
        precision = tied if sloping else ranked.precision
        return *SharedSeries(a, b, *self._in_order, precision.rest, precision.terms).moments(most), sloping

    @cached_property
    def _ridge(self) -> Ridge:
        return Ridge(*self.curves, *self._in_order)

    @cached_property
    def _in_order(self) -> tuple[PairedCases, PairedCases]:
        """The cases by their places on a's curve, negatives by their segments."""
        positive, negative = self.positive, self.negative
        return positive.in_order(), negative.halved().in_order()
