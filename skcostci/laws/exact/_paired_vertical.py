"""Two models at a fixed false-positive rate: where their curves reach that rate of the negatives in the same resample.

Resamples of the negatives determine where the curves of both models end, in the segments (i, j) with probability w_ij
(below). Given that, a positive has the worth v for model a (1 if a's curve ends beyond it, a share if it ends in the
positive's tied group, else 0) and v' for model b. As many positives are drawn as there are, m; so with V_ij and Q_ij
the sums over the positives seen of v - v' and of (v - v')^2

    difference = sum over m draws of (v - v'),    E = sum_ij w_ij V_ij,
    Var = sum_ij w_ij (V_ij - E)^2 + sum_ij w_ij (Q_ij - V_ij^2 / m).

Without slopes (scores of both classes that tie) the law is exact and so are, up to MAX_EXACT_PAIRS pairs of segments,
the moments of ``standard_error``. With more pairs, and always for default intervals, moments are by
:mod:`._normal_pair`. With slopes the shares of both models depend on each other, and only moments are known: exactly
with few negatives, else by whole segments if little of the variance is within them, else by the normal law.

**The joint probabilities** w_ij of segments of both are second differences of

    H(z, z') = P(S(z) < t, S'(z') < t),

S and S' counting the negatives drawn before a vertex of either curve. A resample's curve ends where t are drawn: its
reach is the probability that it goes beyond z, P(S(z) < t). H is P(X <= r - 1, Y <= r - 1), r = ceil(t), X and Y being
the numbers of n draws among the a negatives above a score of one model and the b above a score of the other. With A, B,
C, D negatives above both, the first only, the second only and neither, it grows with the log odds ratio L = log(A D /
(B C)) at fixed margins as

    dH/dL = P(X' = Y' = r - 1) / (1/A + 1/B + 1/C + 1/D),    H(L = 0) = P(X <= r - 1) P(Y <= r - 1),

X' and Y' counting n - 1 draws (Plackett's device for the normal law). The sum in P(X' = Y' = r - 1) depends on L alone
and is interpolated; the integral is Gauss-Legendre's. All is exact, in near-linear time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import ClassVar

import numpy as np
from scipy.fft import irfft2
from scipy.special import betaln, gammaln, xlog1py, xlogy

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import ListedValues, Masses, normal_masses, paired_masses
from skcostci.laws.exact._normal_pair import N_CELLS, PairedCases, normal_moments
from skcostci.laws.exact._tied_share import gauss
from skcostci.laws.exact._vertical import Crossing, RateMoments, VerticalLaw

MAX_EXACT_PAIRS = 4096  # of segments, whose joint law takes milliseconds; with more, moments are by a normal law
MAX_LAW_PAIRS = 2**24  # of segments, whose joint law takes 1.5 GB; beyond, with 300,000 untied negatives, it is normal
MAX_COUNTED_WORK = 2**26  # pairs that slope times n^4, 50 ms: 80 pairs of 30 negatives, 5 of 60; doubled: twice it
MIN_COUNTED_PAIR = 1e-8  # probability of a pair of segments from which on the dependence of its shares matters
FINE_CELLS = 64  # of these normal laws, for standard errors to 1 %; doubled: four times the time, no better
MAX_SHARE_WITHIN = 0.02  # of the variance within tied groups; above, a normal law is better than uncut groups
CORRELATION_PSEUDO_CASES = 1.0  # added so that the correlation of two models is defined, and below 1
LOG_NEGLIGIBLE = 32.0  # exp(-32) = 1.3e-14 bounds a probability left out
LEAST_COUNT_BY_ODDS = 0.25  # a count that vanishes (L infinite) is approached in L as far as this, then directly
BLOCK_PAIRS = 2048  # pairs that are integrated together, as they fit the cache; doubled: no less time
KNOT_ERROR = 1e-11  # relative error of the interpolated sum; doubled: a ninth fewer knots
N_NODES_BY_LOG_ODDS = (8, 10, 13, 18, 24, 32)  # of the integral over L up to each of LOG_ODDS, and beyond
LOG_ODDS = (1.0, 3.0, 6.0, 9.0, 13.0)


@dataclass(frozen=True, repr=False, eq=False)
class EndSegments:
    """The segments where a model's curve may end: probabilities, places, and mean and mean square of the share climbed.

    ``ends`` counts negatives up to a segment's end, ``before`` and ``tied`` positives before and in it (none if flat).
    """

    weights: Floats
    place: Integers
    ends: Integers
    before: Floats
    tied: Floats
    share: Floats
    square: Floats

    @classmethod
    def at(cls, crossing: Crossing, point: int) -> EndSegments:
        points, segments = np.array([point]), crossing.curve.segments
        _, weights, place = crossing.reachable(points)
        ends, before, tied = (each[place] for each in (segments.reached, segments.before, segments.tied))
        share, spread = np.zeros((2, len(tied)))
        share[tied > 0], spread[tied > 0] = crossing.groups(points).moments
        heights = before.astype(np.float64), tied.astype(np.float64)
        return cls(weights, place, ends, *heights, share, share**2 + spread)

    @property
    def cuts(self) -> Integers:
        return np.unique(np.concatenate([2 * self.place, 2 * self.place[self.tied > 0] + 1]))

    def edges(self, cases: Integers) -> Integers:
        return np.append(np.column_stack([2 * self.place, 2 * self.place + 1]), cases.max())


def joint_weights(a: EndSegments, b: EndSegments, negative: PairedCases, n: int, t: float) -> Floats:
    reach_a, reach_b = (np.minimum(np.cumsum(each.weights[::-1])[::-1], 1.0) for each in (a, b))
    joint = np.zeros((len(reach_a) + 1, len(reach_b) + 1))
    joint[0, :-1], joint[:-1, 0] = reach_b, reach_a
    joint[0, 0] = 1.0
    if min(len(reach_a), len(reach_b)) > 1:
        both = negative.counts_before(2 * a.place[:-1] + 2, 2 * b.place[:-1] + 2)
        joint[1:-1, 1:-1] = reach_at_vertices(a.ends[:-1], b.ends[:-1], both, reach_a[1:], reach_b[1:], ceil(t), n)
    return np.diff(np.diff(joint, axis=0), axis=1)


def counted_shares(up_to: Floats, pairs: Integers, t: float) -> Floats:
    """E x, E y, E x^2, E y^2, E x y of the shares of both segments of pairs, given that both curves end there."""
    # Of n negatives drawn A are above a segment of the first model and B in it, A' and B' for the second. A curve that
    # is to reach t of them ends there if A < t <= A + B, after the share x = (t - A) / B. With p_ij the part of the
    # negatives above (0), in (1) or below (2) the first segment, i, and the second, j, and C = n - A - B,
    #     E[exp(i s A' + i u B'); A, B] = n! / (A! B! C!) f_0^A f_1^B f_2^C,  f_i = p_i0 exp(is) + p_i1 exp(iu) + p_i2.
    # This is summed over A and B, and transformed back from a grid that holds every (A', B'): exact, as no term is
    # larger than a probability. The work is n^4 / 8 for a pair. ``up_to`` counts the negatives before, and in and
    # before, each segment of both models, and all.
    n = round(float(up_to[-1, -1]))
    above, within = np.indices((n + 1, n + 1))
    ends = (above < t) & (above + within >= t) & (above + within <= n)
    powers = np.where(ends, (t - above) / np.maximum(within, 1), 0.0) ** np.arange(3)[:, None, None] * ends
    below = np.maximum(n - above - within, 0)
    ways = powers * np.exp(gammaln(n + 1) - gammaln(above + 1) - gammaln(within + 1) - gammaln(below + 1))
    turn = np.exp(-2j * np.pi / (n + 1) * np.arange(n + 1))
    of_draw = np.stack(np.broadcast_arrays(turn[:, None], turn[: (n + 1) // 2 + 1], 1.0)).reshape(3, -1)
    found = np.empty((5, len(pairs)))
    for pair, (i, j) in enumerate(pairs.tolist()):
        before = up_to[np.ix_([2 * i, 2 * i + 1, -1], [2 * j, 2 * j + 1, -1])]
        cells = np.diff(np.diff(before, axis=0, prepend=0.0), axis=1, prepend=0.0)
        drawn = np.ones((n + 1, 3, of_draw.shape[1]), dtype=np.complex128)  # the powers of f_0, f_1 and f_2
        drawn[1:] = cells / n @ of_draw
        np.cumprod(drawn, axis=0, out=drawn)
        mixed = np.zeros((3, of_draw.shape[1]), dtype=np.complex128)
        for some in range(ceil(t)):
            fewest, most = ceil(t - some), n - some
            rest = drawn[fewest : most + 1, 1] * drawn[most - fewest :: -1, 2]
            mixed += drawn[some, 0] * (ways[:, some, fewest : most + 1] @ rest)
        moments = np.einsum("pab,qab->pq", irfft2(mixed.reshape(3, n + 1, -1), (n + 1, n + 1)), powers)
        found[:, pair] = moments[[1, 0, 2, 0, 1], [0, 1, 0, 2, 1]] / moments[0, 0]
        if not (cells * (1 - np.eye(3))).any():  # the same share, to the last bit: it cancels where models agree
            found[[1, 3, 4], pair] = found[[0, 2, 2], pair]
    return found


def reach_at_vertices(
    above_a: Integers, above_b: Integers, both: Floats, reach_a: Floats, reach_b: Floats, rank: int, n: int
) -> Floats:
    """H for every pair of scores; ``above``: negatives above each, ``both``: above both, ``reach``: P(X <= r - 1)."""
    a, b = (grid.ravel() for grid in np.meshgrid(above_a.astype(np.float64), above_b.astype(np.float64), indexing="ij"))
    least, most = np.minimum.outer(reach_a, reach_b).ravel(), np.maximum.outer(reach_a, reach_b).ravel()
    joint, independent, shared = least.copy(), least * most, both.ravel()
    only = np.minimum(a, b) - shared
    with np.errstate(divide="ignore"):
        # An event of probability 0 has a logarithm of -inf, which is the bound.
        log_bound = n * np.log1p(-((np.sqrt(only + np.abs(a - b)) - np.sqrt(only)) ** 2) / n)
    distinct = (only > 0) & (log_bound > -LOG_NEGLIGIBLE)
    joint[distinct] = independent[distinct]
    excess = np.where(shared * n >= a * b, least * (1 - most), np.minimum(independent, (1 - least) * (1 - most)))
    between = np.flatnonzero(distinct & (excess > np.exp(-LOG_NEGLIGIBLE)))
    if len(between):
        joint[between] += _excess(rank, n, a[between], b[between], shared[between])
    return joint.reshape(both.shape)


def _excess(rank: int, n: int, a: Floats, b: Floats, both: Floats) -> Floats:
    """H minus its value under independence, for pairs of scores, at the rank-th largest of n draws."""
    # Two parts of n cases share at least the excess of their sizes over n.
    fewest, neutral = np.maximum(a + b - n, 0.0), a * b / n
    ends = both == fewest
    turn = np.where(ends, fewest + np.minimum(LEAST_COUNT_BY_ODDS, neutral - fewest), both)
    ends_at = np.log(turn) + np.log(n - a - b + turn) - np.log(a - turn) - np.log(b - turn)
    at_rank = _BothAtRank(rank, n, float(ends_at.min()), float(ends_at.max()))
    total = at_rank.along_log_odds(a, b, ends_at)
    total[ends] -= at_rank.along_count(a[ends], b[ends], fewest[ends], turn[ends])
    return total


class _BothAtRank:
    """P(X' = Y' = r - 1): powers of counts times a sum that depends on L alone, a quintic between knots."""

    def __init__(self, rank: int, n: int, low: float, high: float) -> None:
        self.rank, self.n = rank, n
        self.fewest = max(0, 2 * rank - n - 1)
        self.share = rank / (n + 1)  # all logarithms are relative to independent models with this share above
        # of the draws in A: .172 of the draws above or below at most, and n / 16, where all four counts are n / 4
        variance = max(min(0.18 * min(rank, n + 1 - rank), n / 16), 1.0)
        # a quintic errs by the sixth derivative times step^6 / (2^6 6!), which is step^6 / 46080
        self.step = (46080 * KNOT_ERROR / variance) ** (1 / 6)
        self.low = min(low - 9.0, 0.0)  # the nodes below LEAST_COUNT_BY_ODDS lie less than 9 further down
        knots = self.low + self.step * np.arange(np.ceil((max(high, 0.0) - self.low) / self.step) + 2)
        at_zero = self._log_sums(np.zeros(1))[0, 0]
        value, slope, curvature = self._log_sums(knots)
        self.quintic = _quintic(value - at_zero, slope * self.step, curvature * self.step**2)
        scale = xlogy(rank - 1, self.share) + xlog1py(n - rank, -self.share) - betaln(rank, n - rank + 1) - np.log(n)
        self.log_independent = 2 * float(scale)

    def log_probability(self, both: Floats, neither: Floats, crossed: Floats, log_odds: Floats) -> Floats:
        """The log of the probability, for counts A, D and the product B C."""
        p, q, n = self.share, 1 - self.share, self.n
        position = (log_odds - self.low) / self.step
        knot = position.astype(np.int64)
        t = position - knot
        log_sum = self.quintic[5].take(knot)
        for coefficient in self.quintic[4::-1]:
            log_sum *= t
            log_sum += coefficient.take(knot)
        log_sum += (self.rank - 1 - self.fewest) * np.log(crossed / (n * p * q) ** 2) + self.log_independent
        if self.fewest:
            return np.asarray(log_sum + self.fewest * np.log(both / (n * p * p)))
        return np.asarray(log_sum + (n + 1 - 2 * self.rank) * np.log(neither / (n * q * q)))

    def along_log_odds(self, a: Floats, b: Floats, ends_at: Floats) -> Floats:
        """The integral of dH/dL from 0 to ``ends_at``; pairs that need equally many nodes are computed together."""
        total = np.empty(len(a))
        kinds = np.searchsorted(LOG_ODDS, np.abs(ends_at)) * 2 + (ends_at < 0)
        order = np.argsort(kinds, kind="stable")
        bounds = np.searchsorted(kinds[order], np.arange(2 * len(N_NODES_BY_LOG_ODDS) + 1))
        for kind, (first, last) in enumerate(pairwise(bounds)):
            nodes, weights = gauss(N_NODES_BY_LOG_ODDS[kind // 2])
            for start in range(first, last, BLOCK_PAIRS):
                pairs = order[start : min(start + BLOCK_PAIRS, last)]
                rate = self._rate(a[pairs], b[pairs], nodes[:, None] * ends_at[pairs], negative=bool(kind % 2))
                total[pairs] = weights @ rate * ends_at[pairs]
        return total

    def _rate(self, a: Floats, b: Floats, log_odds: Floats, *, negative: bool) -> Floats:
        """dH/dL. Of the four counts, the crossed ones that shrink are solved for, so that nothing cancels."""
        other = self.n - b if negative else b
        odds = np.exp(np.abs(log_odds))
        small, root = _smaller(np.minimum(a, other), np.maximum(a, other), odds, self.n)
        product = small * (small + np.abs(other - a))
        if negative:
            both = small + np.maximum(a - other, 0.0)
            log_p = self.log_probability(both, product / both, (a - both) * (b - both), log_odds)
        else:
            both = np.minimum(a, b) - small
            log_p = self.log_probability(both, self.n - a - b + both, product, log_odds)
        return np.asarray(odds * product / root * np.exp(log_p))

    def along_count(self, a: Floats, b: Floats, fewest: Floats, turn: Floats) -> Floats:
        """The integral of dH/dA from ``fewest`` to ``turn``, where L runs off to minus infinity."""
        nodes, weights = gauss(N_NODES_BY_LOG_ODDS[0])
        both = fewest + nodes[:, None] * (turn - fewest)
        neither, crossed = self.n - a - b + both, (a - both) * (b - both)
        log_p = self.log_probability(both, neither, crossed, np.log(both * neither / crossed))
        return np.asarray(weights @ np.exp(log_p) * (turn - fewest))

    def _log_sums(self, log_odds: Floats) -> Floats:
        """Log of the sum and its first two derivatives, shape (3, n_knots), on windows of the draws in A."""
        n, top = self.n - 1, self.rank - 1
        odds = np.exp(np.abs(log_odds))
        other = np.where(log_odds < 0, n - top, top)
        small, _ = _smaller(np.minimum(top, other), np.maximum(top, other), odds, n)
        center = np.where(log_odds < 0, small, top - small - self.fewest)
        inside, out = center + self.fewest + 1, top - self.fewest - center + 1
        spread = np.sqrt(1 / (1 / inside + 2 / out + 1 / (inside + n - 2 * top)))
        half = int(9 * spread.max() + 20)  # terms beyond nine standard deviations are negligible
        k = np.rint(center)[:, None] + np.arange(-half, half + 1)
        valid = (k >= 0) & (k <= top - self.fewest)
        # Impossible counts have no weight; they are looked up at 0, and left out below.
        logs = self._log_weights[np.where(valid, k, 0).astype(np.int64)] + k * log_odds[:, None]
        logs[~valid] = -np.inf
        peak = logs.max(axis=1, keepdims=True)
        with np.errstate(under="ignore"):
            weights = np.exp(logs - peak)
            total = weights.sum(axis=1)
            mean = (weights * k).sum(axis=1) / total
            variance = (weights * (k - mean[:, None]) ** 2).sum(axis=1) / total
        return np.array([np.log(total) + peak[:, 0], mean, variance])

    @cached_property
    def _log_weights(self) -> Floats:
        """By the draws in A beyond the fewest possible: log of 1 / (A! B! C! D!), up to a constant."""
        top = self.rank - 1 - self.fewest
        k = np.arange(top, dtype=np.float64)
        both, neither = self.fewest + k + 1, max(self.n + 1 - 2 * self.rank, 0) + k + 1
        steps = 2 * np.log(top - k) - np.log(both) - np.log(neither)
        weights = np.concatenate([[0.0], np.cumsum(steps)])
        return np.asarray(weights - weights.max())


def _smaller(short: Floats, long: Floats, odds: Floats, n: int) -> tuple[Floats, Floats]:
    """The smaller crossed count at margins short <= long and an odds ratio of at least 1, and its quadratic's root."""
    surplus = odds - 1
    linear, corner = n + surplus * (long - short), short * (n - long)
    root = np.sqrt(linear * linear + 4 * surplus * corner)
    return np.asarray(2 * corner / (linear + root)), root


def _quintic(value: Floats, slope: Floats, curvature: Floats) -> Floats:
    """Coefficients, ascending, of the quintics on unit intervals with these values and derivatives at both ends."""
    f, g, h = value[:-1], slope[:-1], curvature[:-1] / 2
    rise = value[1:] - f - g - h
    tilt, bend = slope[1:] - g - 2 * h, (curvature[1:] - 2 * h) / 2
    return np.array(
        [f, g, h, 10 * rise - 4 * tilt + bend, -15 * rise + 7 * tilt - 2 * bend, 6 * rise - 3 * tilt + bend]
    )


@dataclass(frozen=True, repr=False, eq=False)
class JointCrossing:
    """Where the curves of two models may reach ``t`` negatives in the same resample, at each of n_points points."""

    a: Crossing
    b: Crossing
    positive: PairedCases
    negative: PairedCases

    @cached_property
    def moments(self) -> Floats:
        """Mean and variance of V and mean of Q (see the top), (3, n_points): exact where the joint law is cheap."""
        moments, rest = np.zeros((3, len(self.a.t))), []
        for point in np.flatnonzero(self.a.t > 0).tolist():
            exact = self._exact(point)
            moments[:, point] = exact or 0.0
            rest += [point] if exact is None else []
        left = np.array(rest, dtype=np.int64)
        moments[:, left] = self.by_normal_law(left, FINE_CELLS)[:, left]
        return moments

    def _exact(self, point: int) -> tuple[float, float, float] | None:
        """Moments at one point by the joint law of segments; None if these are many, or have much variance within."""
        if self.same:
            return 0.0, 0.0, 0.0
        if self.n_pairs(point) > MAX_EXACT_PAIRS:
            return None
        weights, difference, squares, variance, exact = self.pair(point)
        mean, within = (float((weights * each).sum()) for each in (difference, variance))
        spread = max(float((weights * (difference - mean) ** 2).sum()) + within, 0.0)
        if not exact and within > MAX_SHARE_WITHIN * spread:
            return None
        return mean, spread, float((weights * squares).sum())

    @cached_property
    def same(self) -> bool:
        """Whether both models rank all cases alike."""
        return all(np.array_equal(cases.a, cases.b) for cases in (self.positive, self.negative))

    @cached_property
    def is_exact(self) -> bool:
        """Whether all moments are by joint laws of few segments without slopes: else a cdf is within .005."""
        points = np.flatnonzero(self.a.t > 0)
        return self.same or all(
            not self.sloping[point] and self.n_pairs(point) <= MAX_EXACT_PAIRS for point in points.tolist()
        )

    def by_normal_law(self, points: Integers, cells: int) -> Floats:
        """Moments at some points by the normal law, with at least so many cells."""
        a, b = self.a.moments, self.b.moments
        own = np.array([[hits[1], hits[0] - hits[3]] for hits in (a, b)])
        both, cases = own[0], (self.positive, self.negative)
        if len(points) and not self.same:
            both = normal_moments((self.a, self.b), cases, points, own, cells)
        # For copies the two sides are the same number, rounded differently.
        return np.array([a[0] - b[0], *np.maximum(own.sum(axis=0) - 2 * both, 0.0)])

    def n_pairs(self, point: int) -> int:
        return int(np.prod([np.ptp(model.ends[:, point]) + 1 for model in (self.a, self.b)]))

    @cached_property
    def sloping(self) -> Booleans:
        return np.asarray(self.a.sloping | self.b.sloping)

    def pair(self, point: int) -> tuple[Floats, Floats, Floats, Floats, bool]:
        """Per pair of segments w_ij, V_ij, Q_ij (see the top) and the variance within; whether this is exact."""
        a, b = (EndSegments.at(model, point) for model in (self.a, self.b))
        n, t = self.a.curve.negatives, float(self.a.t[point])
        weights = joint_weights(a, b, self.negative, n, t)
        x, y = np.broadcast_arrays(a.share[:, None], b.share)
        xx, yy = np.broadcast_arrays(a.square[:, None], b.square)
        shares = np.array([x, y, xx, yy, x * y])
        slope = (weights > MIN_COUNTED_PAIR) & np.logical_or.outer(a.tied > 0, b.tied > 0)
        counted = 0 < int(slope.sum()) * n**4 <= MAX_COUNTED_WORK
        if counted:
            up_to = self.negative.counts_before(a.edges(self.negative.a), b.edges(self.negative.b))
            shares[:, slope] = counted_shares(up_to, np.argwhere(slope), t)
        x, y, xx, yy, xy = shares
        tied_a, tied_b = a.tied[:, None], b.tied
        difference = a.before[:, None] + tied_a * x - b.before - tied_b * y
        within = tied_a**2 * (xx - x**2) + tied_b**2 * (yy - y**2) - 2 * tied_a * tied_b * (xy - x * y)
        squares = (a.before[:, None] + tied_a * xx) + (b.before + tied_b * yy)
        squares -= 2 * _found_by_both(self.positive, a, b, x, y, xy)
        return weights, difference, squares, within, counted


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class PairedRates(RateMoments):
    """The moments of the difference of two models' true-positive rates, with each model's law, at the same rates."""

    a: VerticalLaw
    b: VerticalLaw
    joint: JointCrossing
    paired: ClassVar = True
    agresti: ClassVar = 2.0

    @property
    def is_exact(self) -> bool:
        return self.joint.is_exact

    @property
    def estimate(self) -> Floats:
        return self.a.estimate - self.b.estimate

    @cached_property
    def decorrelation(self) -> Floats:
        """1 minus the correlation of both rates, with one pseudo-case so that it is defined and above 0."""
        draws = self.cases + CORRELATION_PSEUDO_CASES
        own = [replace(model, pseudo_cases=CORRELATION_PSEUDO_CASES)._moments for model in (self.a, self.b)]
        joint = self.joint.by_normal_law(np.flatnonzero(~self.known), N_CELLS)  # good enough for intervals
        moments = *own, self._given(joint, CORRELATION_PSEUDO_CASES)
        a, b, both = (spread / draws**2 + given / draws for _, spread, given in moments)
        least = CORRELATION_PSEUDO_CASES / 2 / draws**2  # what the pseudo-case adds to the variance
        excess = np.maximum(both - (np.sqrt(a) - np.sqrt(b)) ** 2, np.where(self.known, 0.0, least / 2))
        return np.asarray(excess / np.where(self.known, 1.0, 2 * np.sqrt(a * b)))

    @property
    def mean(self) -> Floats:
        """The difference of the models' means; pseudo-cases favour neither."""
        a, b = (model.crossing.moments[0] for model in (self.a, self.b))
        return np.asarray((a - b) / self.draws)

    @property
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        return self._given(self.joint.moments, self.pseudo_cases)

    def _given(self, moments: Floats, pseudo_cases: float) -> tuple[Floats, Floats, Floats]:
        """Moments of the worths, from those of the hits; half of the pseudo-cases are found by one model alone."""
        (mean, spread, squares), draws = moments, self.cases + pseudo_cases
        given = (squares + pseudo_cases / 2) / draws - (spread + mean**2) / draws**2
        return mean, spread, np.where(self.known, 0.0, np.maximum(given, 0.0))


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class PairedVerticalLaw(PairedRates, ListedValues):
    """The whole law of the difference, where no segment slopes; normal beyond ``MAX_LAW_PAIRS`` pairs of segments."""

    def _masses(self, point: int) -> Masses:
        joint, draws, pseudo = self.joint, round(self.draws), self.pseudo_cases / 4
        # Of copies the difference is 0 for certain; rounding would put mass beside it.
        if self.known[point] or (joint.same and not pseudo):
            return Masses(np.zeros(1), np.ones(1))
        if joint.n_pairs(point) > MAX_LAW_PAIRS:
            mean, spread, squares = joint.moments[:, point]
            return Masses(*normal_masses(mean, squares + 2 * pseudo - mean**2 / draws + spread * (1 - 1 / draws)))
        return paired_masses(*joint.pair(point)[:3], draws, pseudo)


def paired_vertical_law(a: VerticalLaw, b: VerticalLaw, positive: PairedCases, negative: PairedCases) -> PairedRates:
    joint = JointCrossing(a.crossing, b.crossing, positive, negative)
    of_rates = PairedRates if joint.sloping.any() else PairedVerticalLaw
    return of_rates(a.cases, a.known, a=a, b=b, joint=joint)


def _found_by_both(positive: PairedCases, a: EndSegments, b: EndSegments, x: Floats, y: Floats, xy: Floats) -> Floats:
    """The sum of v v' over the positives, for each pair of segments."""
    before = positive.counts_before(a.cuts, b.cuts)
    (full_a, part_a), (full_b, part_b) = (
        [np.searchsorted(each.cuts, 2 * each.place + tied) for tied in (0, each.tied > 0)] for each in (a, b)
    )
    full = before[np.ix_(full_a, full_b)]
    rows, columns = before[np.ix_(part_a, full_b)] - full, before[np.ix_(full_a, part_b)] - full
    corner = before[np.ix_(part_a, part_b)] - rows - columns - full
    return np.asarray(full + x * rows + y * columns + xy * corner)
