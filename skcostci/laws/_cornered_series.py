"""The covariance of two curves' hits at many ranks, from corners: for curves of many steps.

Some steps are corners, the closer together the narrower the ridge of the joint law H, and powers of correlations are
taken as linear between them. The first term of the covariance is linear in the joint counts: one pass over the
negatives sums it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._meixner import binomial_tail, tail_terms
from skcostci.laws._pieces import PairedCases
from skcostci.laws._series import NEAR, Series, correlation
from skcostci.laws._steps import Entries, Grid, Steps

RIDGE = 40.0  # corners a window, were the ridge of H as wide as the laws of the ranks
CORNERS = 192  # at most
FEW = 40  # all steps are corners where they are no more than corners squared over this
PAIRS = 15 * 2**9, 2**16  # of corners, worked on together: thrice as many as negatives, within these bounds


@dataclass(frozen=True, eq=False)
class CorneredSeries:
    """Two models' curves, the ascending ranks that are asked for, and where the cases lie on both."""

    a: Steps
    b: Steps
    positive: PairedCases
    negative: PairedCases

    def moments(self, most: Floats) -> tuple[Floats, Booleans]:
        """The covariance of the hits and the positives found by both, and whether terms fell to little.

        ``most`` is, likewise of shape (2, n_points), the sum of what both are of a model and itself.
        """
        sums, settled = np.array([self._linear, self._independent]), np.zeros(len(self.rank), dtype=bool)
        counts = self._corners
        grids = self.a.grid(counts), self.b.grid(counts)
        for rows in _slices(counts, min(max(3 * self.n, PAIRS[0]), PAIRS[1])):
            series = Series(sums[:, rows], most[:, rows], NEAR.rest)
            self._add_series(series, *grids, rows, int(counts[rows].max()))
            settled[rows] = series.settled(self.n)
        return sums, settled

    @property
    def rank(self) -> Integers:
        return self.a.rank

    @property
    def n(self) -> int:
        return self.a.n

    @cached_property
    def _found(self) -> Entries:
        return Entries.found(self.a, self.b, self.positive)

    @cached_property
    def _drawn(self) -> Entries:
        return Entries.drawn(self.a, self.b, self.negative)

    @property
    def _linear(self) -> Floats:
        """The first term of the covariance."""
        (pull_a, whole_a, sum_a), (pull_b, whole_b, sum_b) = self.a.pull, self.b.pull
        parts = np.append(pull_a, whole_a), np.append(pull_b, whole_b)
        return np.asarray(self.n * self._drawn.sums(*parts, whole_a * whole_b) - sum_a * sum_b)

    @property
    def _independent(self) -> Floats:
        """Positives found by both, were the models independent."""
        ones = np.ones(len(self.rank))
        a, b = (np.append(each.reach, ones) for each in (self.a, self.b))
        return self._found.sums(a, b, ones)

    @property
    def _corners(self) -> Integers:
        """How many corners each rank needs: the stronger its thresholds' correlation, the more."""
        every, ones = (self.a, self.b), np.ones(len(self.rank))
        longest = np.maximum(*(each.high - each.low for each in every))
        a, b = (np.append(each.x, self.n / 2)[each.middle] for each in every)
        in_a, in_b = (np.append(1.0 * (np.arange(len(each.x)) <= each.middle[each.row]), ones) for each in every)
        both = self._drawn.sums(in_a, in_b, ones)[:, None, None]
        rho = self._correlation(both, a[:, None], b[:, None]).ravel()
        corners = np.minimum(np.ceil(RIDGE / np.sqrt(np.maximum(1 - rho**2, 1e-9))).astype(np.int64), CORNERS)
        few = longest <= np.minimum(corners**2 // FEW, 2 * corners)
        return np.where(few, np.maximum(longest, 1), corners)

    def _add_series(self, series: Series, a: Grid, b: Grid, rows: slice, count: int) -> None:
        """Add further terms of some ranks."""
        rank, live = self.rank[rows], self._found.of(rows).among(len(self.a.x), len(self.b.x))
        x, nodes, after, before = map(np.stack, zip(a.of(rows, count), b.of(rows, count), strict=True))
        rho = self._correlations(x, (a.corner, b.corner), self._drawn.of(rows))
        rho_live = _interpolated(rho, a, b, live)
        power, power_live, covariance = np.ones_like(rho), live.weight.copy(), np.zeros(len(rank))
        for m, (parts, (x_m, y_m)) in enumerate(self._terms(nodes, rank, live), 1):
            power *= rho
            power_live *= rho_live
            if m > 1:
                there = after * parts
                there[..., :-1] += (before * parts)[..., 1:]
                covariance = np.matmul(there[0][:, None], np.matmul(power, there[1][:, :, None]))[:, 0, 0]
            found = np.bincount(live.row, power_live * x_m * y_m, len(rank))
            if series.add(m, np.array([covariance, found])):
                break

    def _correlations(self, x: Floats, corners: tuple[Integers, Integers], drawn: Entries) -> Floats:
        """Of being before a corner of one model and before one of the other, in all pairs."""
        none, (_, height, width) = np.zeros(len(self.rank), dtype=np.int64), x.shape
        at_a, at_b = (np.append(corner, none)[at] for corner, at in zip(corners, (drawn.a, drawn.b), strict=True))
        cell = (drawn.row * width + at_a) * width + at_b
        both = np.bincount(cell, drawn.weight, height * width**2).astype(np.float64, copy=False)
        both = both.reshape(height, width, width)
        both[:, 0, 0] += drawn.before
        both.cumsum(axis=1, out=both).cumsum(axis=2, out=both)
        return self._correlation(both, x[0], x[1])

    def _correlation(self, both: Floats, x: Floats, y: Floats) -> Floats:
        return correlation(both, x, y, x * (1 - x / self.n), y * (1 - y / self.n), self.n)

    def _terms(self, nodes: Floats, rank: Integers, live: Entries) -> Iterator[tuple[Floats, Floats]]:
        """A_m at the mean places of both models, and of both at the positives in both windows."""
        x = np.concatenate([nodes.ravel(), self.a.x[live.a], self.b.x[live.b]])
        own = np.broadcast_to(np.arange(len(rank))[:, None], nodes.shape).ravel()
        every = rank[np.concatenate([own, live.row, live.row])]
        for term in tail_terms(binomial_tail(x, every, self.n), min(NEAR.terms, self.n)):
            yield term[: nodes.size].reshape(nodes.shape), term[nodes.size :].reshape(2, -1)


def _slices(counts: Integers, pairs: int) -> Iterator[slice]:
    """Of as many ranks as have so many pairs of corners together, or of one."""
    start, most = 0, 0
    for end, count in enumerate(counts.tolist()):
        most = max(most, count)
        if end > start and (end + 1 - start) * most**2 > pairs:
            yield slice(start, end)
            start, most = end, count
    yield slice(start, len(counts))


def _interpolated(rho: Floats, a: Grid, b: Grid, cases: Entries) -> Floats:
    """At cases between corners."""
    row, (i, x), (j, y) = cases.row, (a.corner[cases.a], a.share[cases.a]), (b.corner[cases.b], b.share[cases.b])
    up, left = np.maximum(i - 1, 0), np.maximum(j - 1, 0)
    here, above = ((1 - y) * rho[row, k, left] + y * rho[row, k, j] for k in (i, up))
    return np.asarray(above + x * (here - above))
