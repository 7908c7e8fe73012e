"""What the default interval of two models at fixed false-positive rates needs of their joint law, and no more.

Let X(x) count the draws among the x best negatives of one model and Y(y) those of the other. Curves without slopes
reach the r-th negative beyond the place x where X(x) < r. So the covariance of the hits of both is the sum of the
products of the steps of both curves, each times H(x, y) - F(x) F(y), and the positives found by both are the sum of H
over the positives, F and H being the probabilities that X < r and that both are. X and Y are sums over n independent
draws of a pair of indicators, which gives the expansion of Aitken and Gonin (Proceedings of the Royal Society of
Edinburgh, 1935) by orthonormal Krawtchouk polynomials K_m,

    H(x, y) - F(x) F(y) = sum_m rho(x, y)^m A_m(x) A_m(y),    A_m(x) = sum_(i < r) f_x(i) K_m(i; x),

rho being the correlation of the two indicators. A_m is n p q / m times the probability of r - 1 among n - 1 draws times
a Krawtchouk polynomial of degree m - 1 there, up to its sign and norm; a recurrence gives one after another. The first
term is linear in the joint counts: one pass over the negatives sums it exactly. The others are summed over all pairs of
steps where these are few, and otherwise over nodes that hold neighbouring steps, until they no longer matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import betainccinv, betaincinv, betaln, xlog1py, xlogy

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._drawn_curve import Segments
from skcostci.laws._pieces import PairedCases
from skcostci.laws._threshold import RankLaws

TAIL = 1e-11  # probability that a threshold lies beyond a window, at either end
EFFORTS = ((48, 40), (256, 160))  # nodes a window and terms, at first, and where models agree
AGREE = 0.15  # they do where the hits of a difference vary by such a share of what they would vary by if independent
ALIKE = 0.04  # beyond such a share not even the finer nodes will do
SETTLED = 1e-7  # terms of such a share of the variance, LAST in a row, are the last
LAST = 4
LEAST = 0.5  # what one pseudo-case adds to the variance, in cases squared
PAIRS = 7 * 48**2  # of nodes, at all rates worked on together


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

    @property
    def jump(self) -> Floats:
        """Positives at it."""
        return np.diff(self.segments.before)[self._which].astype(np.float64)

    @property
    def reach(self) -> Floats:
        """F, and at the end 1 for what lies before all steps."""
        return np.append(self.laws.at(self.row, self.x.astype(np.int64)), 1.0)

    @property
    def pull(self) -> tuple[Floats, Floats, Floats]:
        """What a negative before each step adds to the first term; of each rank the most, and the sum."""
        root = np.sqrt(self.x * (self.n - self.x))
        each = self.jump * _first(self.x, self.rank[self.row], self.n) / root
        passed = np.concatenate([[0.0], np.cumsum(each)])
        whole = passed[self.start[1:]] - passed[self.start[:-1]]
        total: Floats = np.bincount(self.row, each * self.x, len(self.rank)).astype(np.float64)
        return passed[self.start[1:]][self.row] - passed[:-1], whole, total

    @property
    def _which(self) -> Integers:
        return np.asarray(np.arange(self.start[-1]) - (self.start[:-1] - self.low)[self.row])

    def live(self, place: Integers) -> tuple[Integers, Integers]:
        """The first rank in whose window a place lies, and the first whose window is beyond; -1 is before all steps."""
        every = np.arange(-1, len(self.places) + 1)
        first, beyond = np.searchsorted(self.high, every, "right"), np.searchsorted(self.low, every, "right")
        return first[place + 1], beyond[place + 1]

    def nodes(self, count: int) -> Nodes:
        """Neighbouring steps brought together, where a rank has more than so many."""
        lone = (self.high - self.low <= count)[self.row]
        ends = np.append(self.x, 0.0)
        low, high = ends[self.start[:-1]], ends[self.start[1:] - 1]
        width = np.maximum(high - low, 1.0) * (1 + 1e-12) / count
        depth = (self.x - low[self.row]) / width[self.row]
        node = np.where(lone, np.arange(len(self.x)) - self.start[self.row], depth.astype(np.int64))
        share = np.where(lone, 1.0, depth - node)
        key, shape = self.row * count + node, (len(self.rank), count)
        sums = (np.bincount(key, self.jump * part, len(self.rank) * count) for part in (1.0, self.x, share))
        mass, place, inside = (np.asarray(each, dtype=np.float64).reshape(shape) for each in sums)
        some = np.where(mass > 0, mass, 1.0)
        return Nodes(node, share, mass, np.where(mass > 0, place / some, self.n / 2), inside / some)


class Nodes(NamedTuple):
    """To which node each step belongs, how deep in it; of nodes, shape (n_points, n_nodes), steps, places and depth."""

    node: Integers
    share: Floats
    mass: Floats
    x: Floats
    inside: Floats


class Entries(NamedTuple):
    """Cases in the windows of a rank, by their steps in both (-1: before them), and the cases before both windows."""

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
                np.where(row >= beyond[case], -1, each.start[row] + place[case] - each.low[row]).astype(np.int32)
                for each, place, beyond in ((a, place_a, beyond_a), (b, place_b, beyond_b))
            )
            parts.append((row.astype(np.int32), *steps, case.astype(np.int32)))
        row, step_a, step_b, case = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.argsort(row, kind="stable")
        row, step_a, step_b, case = row[order], step_a[order], step_b[order], case[order]
        weight = np.broadcast_to(1.0, len(case)) if cases.weights is None else cases.weights[case].astype(np.float64)
        return cls(row, step_a, step_b, weight, np.cumsum(before, dtype=np.float64)[:-1])

    def of(self, rows: slice) -> Entries:
        """Of some ranks."""
        some = slice(*np.searchsorted(self.row, [rows.start, rows.stop]).tolist())
        return Entries(self.row[some] - rows.start, self.a[some], self.b[some], self.weight[some], self.before[rows])

    def live(self) -> Entries:
        """Those in both windows."""
        some = (self.a >= 0) & (self.b >= 0)
        return Entries(self.row[some], self.a[some], self.b[some], self.weight[some], self.before)


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
        sums, settled = self._sums(*EFFORTS[0], most)
        poor = ~settled | (most[0] - 2 * sums[0] < AGREE * most[0])
        if poor.any():
            again = replace(self, rank=self.rank[poor], laws=self.laws.of(poor))
            sums[:, poor], settled[poor] = again._sums(*EFFORTS[1], most[:, poor])
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
        row, at_a, at_b, weight, before = self._drawn
        each_a = np.where(at_a < 0, whole_a[row], np.append(pull_a, 0.0)[at_a])
        each_b = np.where(at_b < 0, whole_b[row], np.append(pull_b, 0.0)[at_b])
        products = np.bincount(row, weight * each_a * each_b, minlength=len(before)) + before * whole_a * whole_b
        return np.asarray(self.n * products - sum_a * sum_b)

    @property
    def _independent(self) -> Floats:
        """Positives found by both, were the models independent."""
        row, at_a, at_b, weight, before = self._found
        reached = weight * self._a.reach[at_a] * self._b.reach[at_b]
        return np.asarray(before + np.bincount(row, reached, minlength=len(before)))

    def _sums(self, count: int, terms: int, most: Floats) -> tuple[Floats, Booleans]:
        """The sums of so many terms over so many nodes a model, some ranks at a time."""
        longest = max(int((each.high - each.low).max()) for each in (self._a, self._b))
        count = min(count, max(longest, 1))
        sums, settled = np.array([self._linear, self._independent]), np.zeros(len(self.rank), dtype=bool)
        nodes, size = (self._a.nodes(count), self._b.nodes(count)), max(PAIRS // count**2, 1)
        for rows in (slice(start, start + size) for start in range(0, len(self.rank), size)):
            settled[rows] = self._add_series(sums[:, rows], nodes, rows, terms, most[:, rows])
        return sums, settled

    def _add_series(self, sums: Floats, nodes: tuple[Nodes, Nodes], rows: slice, terms: int, most: Floats) -> Booleans:
        """Add further terms of some ranks, of each until they no longer matter, and say where they do not."""
        a, b = (Nodes(each.node, each.share, *(part[rows] for part in each[2:])) for each in nodes)
        rank, live = self.rank[rows], self._found.of(rows).live()
        rho, rho_live = self._correlations(a, b, rows.start, live)
        power, power_live = np.ones_like(rho), live.weight.copy()
        term, small, settled = np.zeros((2, len(rank))), np.zeros(len(rank), np.int64), np.zeros(len(rank), bool)
        for m, ((a_m, b_m), (x_m, y_m)) in enumerate(islice(self._terms(a, b, rank, live), terms), 1):
            power *= rho
            power_live *= rho_live
            if m > 1:
                term[0] = (a_m * np.matmul(power, b_m[:, :, None])[:, :, 0]).sum(axis=1)
            term[1] = np.bincount(live.row, power_live * x_m * y_m, minlength=len(rank))
            sums += np.where(settled, 0.0, term)
            left = np.maximum(most - 2 * sums, 0.0).sum(axis=0) + LEAST
            small = np.where(2 * np.abs(term).sum(axis=0) <= SETTLED * left, small + 1, 0)
            settled |= (small >= LAST) & (m > LAST)
            if settled.all():
                break
        return settled | (terms >= self.n)

    def _correlations(self, a: Nodes, b: Nodes, first: int, live: Entries) -> tuple[Floats, Floats]:
        """Of pairs of nodes, one rank after another, and at the positives in both windows."""
        rho, of_live = np.empty((*a.x.shape, b.x.shape[1])), np.empty(len(live.row))
        for i, (x, y) in enumerate(zip(a.x, b.x, strict=True)):
            row = slice(first + i, first + i + 1)
            below = _joint_counts(a.node, b.node, rho.shape[1:], self._drawn.of(row))
            rho[i] = _correlation(_between(below, a.inside[i], b.inside[i]), x[:, None], y, self.n)
            some = slice(*np.searchsorted(live.row, [i, i + 1]).tolist())
            at_a, at_b = live.a[some], live.b[some]
            of_live[some] = _correlation(_at(below, a, b, at_a, at_b), self._a.x[at_a], self._b.x[at_b], self.n)
        return rho, of_live

    def _terms(self, a: Nodes, b: Nodes, rank: Integers, live: Entries) -> Iterator[tuple[Floats, Floats]]:
        """A_m of the nodes of both, times their steps, and of both at the positives in both windows."""
        ranks = np.repeat(rank, a.x.shape[1]), rank[live.row]
        x = np.concatenate([a.x.ravel(), b.x.ravel(), self._a.x[live.a], self._b.x[live.b]])
        scale = np.concatenate([a.mass.ravel(), b.mass.ravel(), np.ones(2 * len(live.row))])
        for term in _terms(x, np.concatenate([np.tile(each, 2) for each in ranks]), self.n, scale):
            yield term[: 2 * a.x.size].reshape(2, *a.x.shape), term[2 * a.x.size :].reshape(2, -1)


def _terms(x: Floats, rank: Integers, n: int, scale: Floats) -> Iterator[Floats]:
    """A_1, A_2, ... up to A_n at places x, by the recurrence of the Krawtchouk polynomials, times a scale."""
    p = x / n
    root, off, skew = np.sqrt(p * (1 - p)), rank - 1 - (n - 1) * p, 1 - 2 * p
    off /= root
    skew /= root
    before, now = np.zeros_like(x), scale * _first(x, rank, n)
    for m in range(1, n):
        yield now
        last = sqrt((n - m + 1) / (n - m) / (m * (m + 1))) * (m - 1) * before
        before, now = now, (off - skew * (m - 1)) * now / sqrt((m + 1) * (n - m)) - last
    yield now


def _first(x: Floats, rank: Integers, n: int) -> Floats:
    """A_1, but for its sign: the root of n p q times the probability of rank - 1 among n - 1 draws, p = x / n."""
    p = x / n
    log_pmf = xlogy(rank - 1, p) + xlog1py(n - rank, -p) - betaln(rank, n - rank + 1.0) - np.log(n)
    return np.asarray(np.sqrt(n * p * (1 - p)) * np.exp(log_pmf))


def _joint_counts(node_a: Integers, node_b: Integers, shape: tuple[int, ...], drawn: Entries) -> Floats:
    """Negatives before the windows, or up to the end of so many nodes, of both models; of one rank."""
    height, width = (count + 1 for count in shape)
    at_a, at_b = (np.where(at < 0, 0, node[at] + 1) for node, at in ((node_a, drawn.a), (node_b, drawn.b)))
    counts = np.bincount(at_a * width + at_b, drawn.weight, minlength=height * width)
    counts[0] += drawn.before[0]
    return np.asarray(counts.reshape(height, width).cumsum(axis=0).cumsum(axis=1), dtype=np.float64)


def _between(below: Floats, inside_a: Floats, inside_b: Floats) -> Floats:
    """The counts of one rank at the places of the nodes, linear within them."""
    rows = below[:-1] + inside_a[:, None] * (below[1:] - below[:-1])
    return np.asarray(rows[:, :-1] + inside_b * (rows[:, 1:] - rows[:, :-1]))


def _at(below: Floats, a: Nodes, b: Nodes, at_a: Integers, at_b: Integers) -> Floats:
    """The counts of one rank at the places of cases."""
    i, j, x, y = a.node[at_a], b.node[at_b], a.share[at_a], b.share[at_b]
    left = (1 - y) * below[i, j] + y * below[i, j + 1]
    return np.asarray((1 - x) * left + x * ((1 - y) * below[i + 1, j] + y * below[i + 1, j + 1]))


def _correlation(both: Floats, x: Floats, y: Floats, n: int) -> Floats:
    """Of a negative's being among the x best and among the y best, in place of the number that is both."""
    both *= n
    both -= x * y
    both /= np.sqrt(x * (n - x))
    both /= np.sqrt(y * (n - y))
    np.minimum(both, 1.0, out=both)
    return np.maximum(both, -1.0, out=both)
