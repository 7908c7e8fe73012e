"""What the default interval of two models at fixed false-positive rates needs of their joint law, and no more.

Let X(x) count the draws among the x best negatives of one model and Y(y) those of the other. Curves reach the r-th
negative beyond the place x where X(x) < r. So the covariance of the hits of both is the sum of the products of the
steps of both curves (:mod:`._steps`), each times H(x, y) - F(x) F(y), and the positives found by both are the sum of H
over the positives, F and H being the probabilities that X < r and that both are. X and Y are sums over n independent
draws of a pair of indicators, which gives the expansion of Aitken and Gonin (Proceedings of the Royal Society of
Edinburgh, 1935) by orthonormal Krawtchouk polynomials K_m,

    H(x, y) - F(x) F(y) = sum_m rho(x, y)^m A_m(x) A_m(y),    A_m(x) = sum_(i < r) f_x(i) K_m(i; x),

rho being the correlation of the two indicators (:mod:`._krawtchouk` has the A_m). The first term is linear in the joint
counts: one pass over the negatives sums it exactly. The others are summed over all pairs of steps where these are few.
Otherwise some steps are corners, the closer together the narrower the ridge of H, and rho^m is taken as linear between
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._krawtchouk import krawtchouk_terms
from skcostci.laws._pieces import PairedCases
from skcostci.laws._steps import Entries, Grid, SameGroups, Steps

RIDGE = 40.0  # corners a window, were the ridge of H as wide as the laws of the ranks
CORNERS = 192  # at most
FEW = 40  # all steps are corners where they are no more than corners squared over this
ALIKE = 0.04  # beyond such a share of the variance that independent models' difference would have, they are too close
TERMS = 160  # at most
SETTLED = 2e-4  # what is left out, were terms to fall as rho^m does, is such a share of the variance
NO_MORE = 2e-7  # terms of such a share, LAST in a row, are the last ones in any case
LAST = 2
LEAST = 0.5  # what one pseudo-case adds to the variance, in cases squared
PAIRS = 15 * 2**9, 2**16  # of corners, worked on together: thrice as many as negatives, within these bounds


@dataclass(frozen=True, eq=False)
class JointSteps:
    """Two models' curves, the ascending ranks that are asked for, and where the cases lie on both."""

    a: Steps
    b: Steps
    positive: PairedCases
    negative: PairedCases
    same: SameGroups

    def moments(self, most: Floats) -> tuple[Floats, Booleans]:
        """The covariance of the hits and the positives found by both, and whether they are good to a thousandth.

        ``most`` is, likewise of shape (2, n_points), the sum of what both are of a model and itself.
        """
        if all(np.array_equal(cases.a, cases.b) for cases in (self.positive, self.negative)):
            return most / 2, np.ones(len(self.rank), dtype=bool)
        sums, settled = np.array([self._linear, self._independent]), np.zeros(len(self.rank), dtype=bool)
        counts = self._corners
        grids = self.a.grid(counts), self.b.grid(counts)
        for rows in _slices(counts, min(max(3 * self.n, PAIRS[0]), PAIRS[1])):
            settled[rows] = self._add_series(sums[:, rows], *grids, rows, int(counts[rows].max()), most[:, rows])
        sums += self.within
        return sums, settled & (most[0] - 2 * sums[0] >= ALIKE * most[0])

    @cached_property
    def within(self) -> Floats:
        """What shares of the same tied group, climbed by both curves, add to both."""
        if not self.same.tied.any():
            return np.zeros((2, len(self.rank)))
        met = self.a.crossing.met(self.a.points, self.a.laws)
        spread = met.weights * self.a.climbed.spread
        return np.array([np.bincount(met.row, spread * each[met.place], len(self.rank)) for each in self.same])

    @property
    def n_pairs(self) -> Integers:
        """Pairs of steps that resamples may pass."""
        return np.asarray((self.a.high - self.a.low) * (self.b.high - self.b.low))

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
        rho = _correlation(both, a[:, None], b[:, None], self.n).ravel()
        corners = np.minimum(np.ceil(RIDGE / np.sqrt(np.maximum(1 - rho**2, 1e-9))).astype(np.int64), CORNERS)
        few = longest <= np.minimum(corners**2 // FEW, 2 * corners)
        return np.where(few, np.maximum(longest, 1), corners)

    def _add_series(self, sums: Floats, a: Grid, b: Grid, rows: slice, count: int, most: Floats) -> Booleans:
        """Add further terms of some ranks until they no longer matter, and say where they still do."""
        rank, live = self.rank[rows], self._found.of(rows).among(len(self.a.x), len(self.b.x))
        x, nodes, after, before = map(np.stack, zip(a.of(rows, count), b.of(rows, count), strict=True))
        rho = self._correlations(x, (a.corner, b.corner), self._drawn.of(rows))
        rho_live = _interpolated(rho, a, b, live)
        enough = np.maximum(SETTLED * (1 - np.abs(rho).max(axis=(1, 2))), NO_MORE)
        power, power_live = np.ones_like(rho), live.weight.copy()
        term, small, most = np.zeros((2, len(rank))), np.zeros(len(rank), np.int64), most[0] + most[1] + LEAST
        for m, (parts, (x_m, y_m)) in enumerate(islice(self._terms(nodes, rank, live), TERMS), 1):
            power *= rho
            power_live *= rho_live
            if m > 1:
                there = after * parts
                there[..., :-1] += (before * parts)[..., 1:]
                term[0] = np.matmul(there[0][:, None], np.matmul(power, there[1][:, :, None]))[:, 0, 0]
            term[1] = np.bincount(live.row, power_live * x_m * y_m, len(rank))
            sums += term
            left, last = np.maximum(most - 2 * (sums[0] + sums[1]), LEAST), np.abs(term)
            small = (small + 1) * (2 * (last[0] + last[1]) <= enough * left)
            if m > LAST and small.min() >= LAST:
                break
        return (small >= LAST) | (self.n <= TERMS)

    def _correlations(self, x: Floats, corners: tuple[Integers, Integers], drawn: Entries) -> Floats:
        """Of being before a corner of one model and before one of the other, in all pairs."""
        none, (_, height, width) = np.zeros(len(self.rank), dtype=np.int64), x.shape
        at_a, at_b = (np.append(corner, none)[at] for corner, at in zip(corners, (drawn.a, drawn.b), strict=True))
        cell = (drawn.row * width + at_a) * width + at_b
        both = np.bincount(cell, drawn.weight, height * width**2).astype(np.float64, copy=False)
        both = both.reshape(height, width, width)
        both[:, 0, 0] += drawn.before
        both.cumsum(axis=1, out=both).cumsum(axis=2, out=both)
        return _correlation(both, x[0], x[1], self.n)

    def _terms(self, nodes: Floats, rank: Integers, live: Entries) -> Iterator[tuple[Floats, Floats]]:
        """A_m at the mean places of both models, and of both at the positives in both windows."""
        x = np.concatenate([nodes.ravel(), self.a.x[live.a], self.b.x[live.b]])
        own = np.broadcast_to(np.arange(len(rank))[:, None], nodes.shape).ravel()
        for term in krawtchouk_terms(x, np.concatenate([own, live.row, live.row]), rank, self.n):
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


def _correlation(both: Floats, x: Floats, y: Floats, n: int) -> Floats:
    """Of a negative's being among the x best and among the y best, in place of the number that is both.

    Of shape (n_points, n_x, n_y), x and y of shapes (n_points, n_x) and (n_points, n_y).
    """
    both -= np.matmul(x[:, :, None], (y / n)[:, None])  # a product takes less room than broadcasting
    both *= (n / np.sqrt(x * (n - x)))[:, :, None]
    both *= (1 / np.sqrt(y * (n - y)))[:, None]
    return np.clip(both, -1.0, 1.0, out=both)
