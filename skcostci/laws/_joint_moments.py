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
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._cornered_series import CorneredSeries
from skcostci.laws._marks import Marks, windows
from skcostci.laws._pieces import PairedCases
from skcostci.laws._shared_series import SharedSeries
from skcostci.laws._steps import Steps
from skcostci.laws._threshold import RankLaws
from skcostci.laws._vertical import Crossing

FEW = 600  # negatives, up to which marks are looked at in all pairs
WIDE = 0.1  # deviations of a threshold: tied groups as large need marks
FARTHER = 0.5, 0.15  # windows further a run of ranks may reach than its first rank does, of few negatives and of more
SPARSE = 100, 450, 10  # segments: one for every ten negatives, but so many at least and so many at most;
LONGER = 4.0  # windows further that a run may reach which meets no more


@dataclass(frozen=True, eq=False)
class JointMoments:
    """Two models' curves, and where the cases lie on both."""

    a: Crossing
    b: Crossing
    positive: PairedCases
    negative: PairedCases

    def at(self, points: Integers, laws: RankLaws, most: Floats) -> tuple[Floats, Booleans]:
        """The covariance of the hits and the positives found by both at some points, in ascending order of ranks.

        Then whether they are good to a thousandth. ``most`` is, of shape (2, n_points), the sum of what both are of a
        model and itself.
        """
        sums, settled, marked = np.zeros((2, len(points))), np.zeros(len(points), dtype=bool), self._marked(points)
        for rows in self._runs(points, marked):
            a, b = (Marks(model, points[rows], laws, rows.start) for model in (self.a, self.b))
            series = SharedSeries(a, b, *self._in_order)
            sums[:, rows], settled[rows] = series.moments(most[:, rows])
        if not marked.all():
            some = RankLaws(laws.start[~marked], laws.beyond[~marked])
            steps = tuple(Steps(model, points[~marked], some) for model in (self.a, self.b))
            cornered = CorneredSeries(steps[0], steps[1], self.positive, self.negative)
            sums[:, ~marked], settled[~marked] = cornered.moments(most[:, ~marked])
        return sums, settled

    @cached_property
    def _in_order(self) -> tuple[PairedCases, PairedCases]:
        """The cases by their places on a's curve, negatives by their segments."""
        positive, negative = self.positive, self.negative
        return positive.in_order(), PairedCases(negative.a // 2, negative.b // 2, negative.weights).in_order()

    def _marked(self, points: Integers) -> Booleans:
        """Where marks in all pairs are few, or tied groups large."""
        largest = np.maximum(*(model.largest_slope(points) for model in (self.a, self.b)))
        return np.asarray((self.a.ranks.n <= FEW) | (largest > WIDE * np.sqrt(self.a.ranks.spread[points])))

    def _runs(self, points: Integers, marked: Booleans) -> Iterator[slice]:
        """Marked ranks next to each other whose windows are much the same, or have few segments."""
        low, high = windows(self.a.ranks.rank[points], self.a.ranks.n)
        few, usual = np.clip(self.a.ranks.n / SPARSE[2], *SPARSE[:2]), FARTHER[int(self.a.ranks.n > FEW)]
        first, last = np.array([model.ends(points) for model in (self.a, self.b)]).swapaxes(0, 1)
        start = 0
        for end in range(1, len(points) + 1):
            if end < len(points) and marked[start] and marked[end]:
                farther = LONGER if np.all(last[:, end] - first[:, start] < few) else usual
                if high[end] - low[start] <= (1 + farther) * (high[start] - low[start]):
                    continue
            if marked[start]:
                yield slice(start, end)
            start = end
