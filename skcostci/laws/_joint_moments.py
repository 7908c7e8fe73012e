"""What the default interval of two models at fixed false-positive rates needs of their joint law, and no more.

Let X(x) count the draws among the x best negatives of one model and Y(y) those of the other. Curves without slopes
reach the r-th negative beyond the place x where X(x) < r. So the covariance of the hits of both is the sum of the
products of the steps of both curves, each times H(x, y) - F(x) F(y), and the positives found by both are the sum of H
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
from typing import NamedTuple

import numpy as np
from scipy.special import betainccinv, betaincinv

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._drawn_curve import Segments
from skcostci.laws._krawtchouk import first_term, krawtchouk_terms
from skcostci.laws._pieces import PairedCases
from skcostci.laws._threshold import RankLaws

TAIL = 1e-11  # probability that a threshold lies beyond a window, at either end
RIDGE = 43.0  # corners a window, were the ridge of H as wide as the laws of the ranks
CORNERS = 192  # at most
MIDDLE = 0.4  # how far corners in the middle of a window, where most of its law is, are apart, of what is even
FEW = 40  # all steps are corners where they are no more than corners squared over this
ALIKE = 0.04  # beyond such a share of the variance that independent models' difference would have, they are too close
TERMS = 160  # at most
SETTLED = 5e-5  # what is left out, were terms to fall as rho^m does, is such a share of the variance
NO_MORE = 2e-7  # terms of such a share, LAST in a row, are the last ones in any case
LAST = 2
LEAST = 0.5  # what one pseudo-case adds to the variance, in cases squared
PAIRS = 14 * 2**9, 2**16  # of corners, worked on together: thrice as many as negatives, within these bounds


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps of a curve that the r-th of n negatives drawn may pass, at each of n_points ascending ranks.

    The steps of one rank follow those of another in arrays of shape (n_flat,), ``start`` saying where. What is asked
    for once is not kept.
    """

    segments: Segments
    rank: Integers
    laws: RankLaws
    n: int

    @cached_property
    def places(self) -> Integers:
        """Negatives before each step of the curve."""
        return self.segments.ends[:-1]

    @cached_property
    def low(self) -> Integers:
        """The first step of each window."""
        first = self.n * betaincinv(self.rank, self.n - self.rank + 1.0, TAIL)
        return np.asarray(np.searchsorted(self.places, first))

    @cached_property
    def high(self) -> Integers:
        """The first step beyond it."""
        last = self.n * betainccinv(self.rank, self.n - self.rank + 1.0, TAIL)
        return np.asarray(np.searchsorted(self.places, last, "right"))

    @cached_property
    def start(self) -> Integers:
        return np.concatenate([[0], np.cumsum(self.high - self.low)])

    @property
    def row(self) -> Integers:
        """Which rank each step is for."""
        return np.repeat(np.arange(len(self.rank)), self.high - self.low)

    @cached_property
    def x(self) -> Floats:
        """Negatives before it."""
        return self.places[self._which].astype(np.float64)

    @cached_property
    def jump(self) -> Floats:
        """Positives at it."""
        return np.diff(self.segments.before)[self._which].astype(np.float64)

    @property
    def reach(self) -> Floats:
        """F."""
        return self.laws.at(self.row, self.x.astype(np.int64))

    @property
    def pull(self) -> tuple[Floats, Floats, Floats]:
        """What a negative before each step adds to the first term; of each rank the most, and the sum."""
        root = np.sqrt(self.x * (self.n - self.x))
        each = self.jump * first_term(self.x, self.row, self.rank, self.n) / root
        passed = np.concatenate([[0.0], np.cumsum(each)])
        whole = passed[self.start[1:]] - passed[self.start[:-1]]
        total: Floats = np.bincount(self.row, each * self.x, len(self.rank)).astype(np.float64)
        return passed[self.start[1:]][self.row] - passed[:-1], whole, total

    @property
    def middle(self) -> Integers:
        """The last step of each rank that is no further than the rank, or its first."""
        before = np.searchsorted(self.places, self.rank, "right") - 1
        return np.clip(before, self.low, np.maximum(self.high - 1, self.low)) - self.low + self.start[:-1]

    @property
    def _which(self) -> Integers:
        return np.asarray(np.arange(self.start[-1]) - (self.start[:-1] - self.low)[self.row])

    def live(self, place: Integers) -> tuple[Integers, Integers]:
        """The first rank in whose window a place lies, and the first whose window is beyond; -1 is before all steps."""
        every = np.arange(-1, len(self.places) + 1)
        first, beyond = np.searchsorted(self.high, every, "right"), np.searchsorted(self.low, every, "right")
        return first[place + 1], beyond[place + 1]

    def grid(self, counts: Integers) -> Grid:
        """So many corners a rank, the closer together the nearer its middle; all steps where there are no more."""
        row, last = self.row, self.start[1:] - 1
        x, order = np.append(self.x, self.n / 2), np.arange(len(row))
        nth = np.arange(counts.max(initial=1))
        parts = np.minimum(nth / np.maximum(counts - 1, 1)[:, None], 1.0)
        places = _spread(parts, x[self.start[:-1], None], self.rank[:, None], x[last, None])
        keys, rows = row * (self.n + 1.0) + self.x, np.arange(len(last))[:, None] * (self.n + 1.0)
        few = self.high - self.low <= counts
        steps = np.where(few[:, None], self.start[:-1, None] + nth, np.searchsorted(keys, rows + places))
        corner = np.minimum(steps, last[:, None]).ravel()
        cell = np.searchsorted(corner, order)
        left = x[corner[np.maximum(cell - 1, 0)]]
        at_corner = corner[cell] == order
        share = np.where(at_corner, 1.0, (self.x - left) / np.where(at_corner, 1.0, x[corner[cell]] - left))
        shape = len(last), len(nth)
        sums = (np.bincount(cell, self.jump * part, corner.size) for part in (1.0, self.x, share))
        mass, place, after = (np.asarray(each, dtype=np.float64).reshape(shape) for each in sums)
        node = np.where(mass > 0, place / np.where(mass > 0, mass, 1.0), self.n / 2)
        return Grid(cell - row * shape[1], share, x[corner].reshape(shape), node, after, mass - after)


class Grid(NamedTuple):
    """The corners: the first at or after each step, and how far the step is between it and the one before.

    Then, shape (n_points, n_corners), where they are, and of the steps from the one before to each the mean place and
    the parts of their jumps that go to either.
    """

    corner: Integers
    share: Floats
    x: Floats
    node: Floats
    after: Floats
    before: Floats

    def of(self, rows: slice, count: int) -> tuple[Floats, ...]:
        """Of some ranks and the first so many corners of each, what is said of corners."""
        return tuple(part[rows, :count] for part in self[2:])


class Entries(NamedTuple):
    """Cases in the windows of a rank, by their steps in both, and the cases before both windows.

    What is before a rank's steps has a number beyond all steps, in the order of ranks.
    """

    row: Integers
    a: Integers
    b: Integers
    weight: Floats
    before: Floats

    @classmethod
    def at(cls, a: Steps, b: Steps, cases: PairedCases, shift: int) -> Entries:
        """``shift`` is the step of a case of the first segment."""
        place_a, place_b = cases.a // 2 + shift, cases.b // 2 + shift
        (first_a, beyond_a), (first_b, beyond_b) = a.live(place_a), b.live(place_b)
        before = np.bincount(np.maximum(beyond_a, beyond_b), cases.weights, minlength=len(a.rank) + 1)
        parts = []
        for begin, end in ((np.maximum(first_a, first_b), beyond_a), (np.maximum(first_b, beyond_a), beyond_b)):
            times = np.maximum(end - begin, 0)
            case = np.repeat(np.arange(len(times)), times)
            row = np.arange(len(case)) - (np.cumsum(times) - times - begin)[case]
            steps = (
                np.where(row >= beyond[case], each.start[-1] + row, (each.start[:-1] - each.low)[row] + place[case])
                for each, place, beyond in ((a, place_a, beyond_a), (b, place_b, beyond_b))
            )
            parts.append(tuple(part.astype(np.int32) for part in (row, *steps, case)))
        row, step_a, step_b, case = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.argsort(row, kind="stable")
        row, step_a, step_b, case = row[order], step_a[order], step_b[order], case[order]
        weight = np.broadcast_to(1.0, len(case)) if cases.weights is None else cases.weights[case].astype(np.float64)
        return cls(row, step_a, step_b, weight, np.cumsum(before, dtype=np.float64)[:-1])

    def of(self, rows: slice) -> Entries:
        """Of some ranks."""
        some = slice(*np.searchsorted(self.row, [rows.start, rows.stop]).tolist())
        return Entries(self.row[some] - rows.start, self.a[some], self.b[some], self.weight[some], self.before[rows])

    def among(self, n_a: int, n_b: int) -> Entries:
        """Those that are before no steps, of which there are so many."""
        some = (self.a < n_a) & (self.b < n_b)
        return Entries(self.row[some], self.a[some], self.b[some], self.weight[some], self.before)

    def sums(self, a: Floats, b: Floats, start: Floats) -> Floats:
        """Of products of what is given of steps, and then of what is before them; ``start`` is that of cases before."""
        products = np.bincount(self.row, self.weight * a[self.a] * b[self.b], len(self.before))
        return np.asarray(products + self.before * start)


@dataclass(frozen=True, eq=False)
class JointSteps:
    """Two models' curves, the ascending ranks that are asked for, and where the cases lie on both."""

    segments: tuple[Segments, Segments]
    rank: Integers
    laws: RankLaws
    n: int
    positive: PairedCases
    negative: PairedCases

    def moments(self, most: Floats) -> tuple[Floats, Booleans]:
        """The covariance of the hits and the positives found by both, and whether they are good to a thousandth.

        ``most`` is, likewise of shape (2, n_points), the sum of the variances of the hits of both and of their means.
        """
        if all(np.array_equal(cases.a, cases.b) for cases in (self.positive, self.negative)):
            return most / 2, np.ones(len(self.rank), dtype=bool)
        sums, settled = np.array([self._linear, self._independent]), np.zeros(len(self.rank), dtype=bool)
        counts = self._corners
        grids = self._a.grid(counts), self._b.grid(counts)
        for rows in _slices(counts, min(max(3 * self.n, PAIRS[0]), PAIRS[1])):
            settled[rows] = self._add_series(sums[:, rows], *grids, rows, int(counts[rows].max()), most[:, rows])
        return sums, settled & (most[0] - 2 * sums[0] >= ALIKE * most[0])

    @property
    def n_pairs(self) -> Integers:
        """Pairs of steps that resamples may pass."""
        return np.asarray((self._a.high - self._a.low) * (self._b.high - self._b.low))

    @cached_property
    def _a(self) -> Steps:
        return Steps(self.segments[0], self.rank, self.laws, self.n)

    @cached_property
    def _b(self) -> Steps:
        return Steps(self.segments[1], self.rank, self.laws, self.n)

    @cached_property
    def _found(self) -> Entries:
        """The positives: those right of a step are found by curves that pass it."""
        return Entries.at(self._a, self._b, self.positive, -1)

    @cached_property
    def _drawn(self) -> Entries:
        """The negatives: those left of a step count before it."""
        return Entries.at(self._a, self._b, self.negative, 0)

    @property
    def _linear(self) -> Floats:
        """The first term of the covariance."""
        (pull_a, whole_a, sum_a), (pull_b, whole_b, sum_b) = self._a.pull, self._b.pull
        parts = np.append(pull_a, whole_a), np.append(pull_b, whole_b)
        return np.asarray(self.n * self._drawn.sums(*parts, whole_a * whole_b) - sum_a * sum_b)

    @property
    def _independent(self) -> Floats:
        """Positives found by both, were the models independent."""
        ones = np.ones(len(self.rank))
        a, b = (np.append(each.reach, ones) for each in (self._a, self._b))
        return self._found.sums(a, b, ones)

    @property
    def _corners(self) -> Integers:
        """How many corners each rank needs: the stronger its thresholds' correlation, the more."""
        every, ones = (self._a, self._b), np.ones(len(self.rank))
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
        rank, live = self.rank[rows], self._found.of(rows).among(len(self._a.x), len(self._b.x))
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
        x = np.concatenate([nodes.ravel(), self._a.x[live.a], self._b.x[live.b]])
        own = np.broadcast_to(np.arange(len(rank))[:, None], nodes.shape).ravel()
        for term in krawtchouk_terms(x, np.concatenate([own, live.row, live.row]), rank, self.n):
            yield term[: nodes.size].reshape(nodes.shape), term[nodes.size :].reshape(2, -1)


def _spread(parts: Floats, first: Floats, middle: Integers, last: Floats) -> Floats:
    """Places from the first to the last that are the closer together the nearer the middle."""
    center, off = np.clip(middle, first, last), 2 * parts - 1
    off *= MIDDLE + (1 - MIDDLE) * off**4
    return np.asarray(center + off * np.where(off < 0, center - first, last - center))


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
