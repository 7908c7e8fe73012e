"""Where the threshold of a resample falls, of one model and of two together.

It is that of the r-th largest of n draws from the n negatives; the law says which of them that is. Draws count with
multiplicity. In terms of numbers uniform on (0, 1), one a draw, a draw in ((k - 1) / n, k / n] being the k-th largest
negative, the r-th largest draw is a Beta(r, n - r + 1): an index law, whatever the scores and ties.

**Two models in the same resample**, in near-linear time. A model's threshold lies at or below a score iff at most r - 1
sampled negatives score above it. So the law of a pair of thresholds is that of H(a, b) = P(X <= r - 1, Y <= r - 1), X
and Y being how many of n draws fall in the a negatives above a score of one model and in the b above a score of the
other. With A, B, C, D negatives above both, the first
only, the second only and neither, H grows with the log odds ratio L = log(A D / (B C)) at fixed margins as

    dH/dL = P(X' = Y' = r - 1) / (1/A + 1/B + 1/C + 1/D),    H(L = 0) = P(X <= r - 1) P(Y <= r - 1),

X' and Y' counting n - 1 draws (Plackett's device for the normal law). The sum in P(X' = Y' = r - 1) depends on L alone
and is interpolated; the integral is Gauss-Legendre's.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import betainccinv, betaincinv, betaln, xlog1py, xlogy

from skcostci._validation import Floats, Integers

FEW_DRAWS_VARIANCE = 16.0  # of a rank's place, below which its law falls slowly; doubled: wider windows there
WINDOW_TAIL = 1e-15  # probability left out at each side of the window; doubled: rounding still
LOG_NEGLIGIBLE = 32.0  # exp(-32) = 1.3e-14 bounds a probability left out
LEAST_COUNT_BY_ODDS = 0.25  # a count that vanishes (L infinite) is approached in L as far as this, then directly
BLOCK_PAIRS = 2048  # pairs integrated together: they fit the cache; doubled: no less time
KNOT_ERROR = 1e-11  # relative error of the interpolated sum; doubled: a ninth fewer knots
N_NODES_BY_LOG_ODDS = (8, 10, 13, 18, 24, 32)  # of the integral over L up to each of LOG_ODDS, and beyond
LOG_ODDS = (1.0, 3.0, 6.0, 9.0, 13.0)


class RankLaws(NamedTuple):
    """How probable it is that the r-th largest of n draws lies beyond a place, one row a rank.

    ``beyond`` begins at the place before ``start``, the first of a row's window.
    """

    start: Integers
    beyond: Floats

    def at(self, row: Integers, place: Integers) -> Floats:
        """P(beyond the place), 1 before the row's window and 0 from its end on."""
        return np.asarray(self.beyond[row, np.clip(place - self.start[row] + 1, 0, self.beyond.shape[1] - 1)])


def rank_spans(rank: Integers, n: int) -> tuple[Floats, Floats]:
    """The places, in negatives before them, between which the rank-th largest of n draws lies.

    But for a probability of ``WINDOW_TAIL`` at either end, less at the first and last ranks, where laws fall slowly.
    """
    out = WINDOW_TAIL * np.minimum(rank * (n - rank + 1) / (n * FEW_DRAWS_VARIANCE), 1.0) ** 2
    return n * betaincinv(rank, n - rank + 1, out), n * betainccinv(rank, n - rank + 1, out)


def whole_windows(spans: tuple[Floats, Floats], n: int) -> tuple[Integers, Integers]:
    """The first and the last negative, from 1 to n, within each."""
    low, high = spans
    return low.astype(np.int64) + 1, np.minimum(np.ceil(high).astype(np.int64), n)


@np.errstate(under="ignore")  # at the ends of windows
def rank_laws(rank: Integers, n: int) -> RankLaws:
    """Of the position from the top, 1 to n, of the rank-th largest of n draws from n cases.

    The Beta density is integrated over each case by Gauss-Legendre: positive terms alone, so both tails are precise.
    """
    start, last = (places[:, None] for places in whole_windows(rank_spans(rank, n), n))
    place, rank = start + np.arange(int((last - start).max()) + 1), rank[:, None]
    pmf: Floats = np.zeros(place.shape)
    for node, weight in zip(*gauss(_nodes(rank, n)), strict=True):
        pmf += weight * np.exp(_log_density(np.minimum(place, n) - node, rank, n))
    pmf[place > last] = 0.0
    beyond = np.zeros((len(pmf), pmf.shape[1] + 1))
    np.cumsum(pmf[:, ::-1], axis=1, out=beyond[:, -2::-1])
    return RankLaws(start[:, 0], beyond / beyond[:, :1])


def _nodes(rank: Integers, n: int) -> int:
    """Nodes a case that leave a relative error below 1e-12, the fewer the wider the law."""
    spread = np.sqrt(rank * (n - rank + 1) / n).min()
    return int(2 + np.searchsorted([-200, -40, -14, -7, -4], -spread) * 2)


def _log_density(where: Floats, rank: Integers, n: int) -> Floats:
    """Log of the Beta density at ``where / n``, relative to its mean so that nothing large cancels."""
    center = n * rank / (n + 1)
    off = where - center
    return np.asarray((rank - 1) * np.log1p(off / center) + (n - rank) * np.log1p(-off / (n - center)))


@cache
def gauss(count: int) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights on (0, 1)."""
    nodes, weights = leggauss(count)
    return (nodes + 1) / 2, weights / 2


def joint_reach(
    above_a: Integers, above_b: Integers, both: Floats, reach_a: Floats, reach_b: Floats, rank: int, n: int
) -> Floats:
    """H for every pair of a score of one model and one of the other, ``both`` of shape (n_scores_a, n_scores_b).

    ``above`` counts the negatives above each score, ``both`` those above either; ``reach`` = P(X <= r - 1).
    """
    a, b = (grid.ravel() for grid in np.meshgrid(above_a.astype(np.float64), above_b.astype(np.float64), indexing="ij"))
    least, most = np.minimum.outer(reach_a, reach_b).ravel(), np.maximum.outer(reach_a, reach_b).ravel()
    joint, independent, shared = least.copy(), least * most, both.ravel()
    only = np.minimum(a, b) - shared
    with np.errstate(divide="ignore"):
        log_bound = n * np.log1p(-((np.sqrt(only + np.abs(a - b)) - np.sqrt(only)) ** 2) / n)
    apart = (only > 0) & (log_bound > -LOG_NEGLIGIBLE)
    joint[apart] = independent[apart]
    excess = np.where(shared * n >= a * b, least * (1 - most), np.minimum(independent, (1 - least) * (1 - most)))
    between = np.flatnonzero(apart & (excess > np.exp(-LOG_NEGLIGIBLE)))
    if len(between):
        joint[between] += _Excess(rank, n).of(a[between], b[between], shared[between])
    return joint.reshape(both.shape)


class _Excess:
    """H less its value under independence, for pairs of scores, at the rank-th largest of n draws."""

    def __init__(self, rank: int, n: int) -> None:
        self.rank, self.n = rank, n

    def of(self, a: Floats, b: Floats, both: Floats) -> Floats:
        fewest, neutral = np.maximum(a + b - self.n, 0.0), a * b / self.n
        ends = both == fewest
        turn = np.where(ends, fewest + np.minimum(LEAST_COUNT_BY_ODDS, neutral - fewest), both)
        ends_at = np.log(turn) + np.log(self.n - a - b + turn) - np.log(a - turn) - np.log(b - turn)
        self.both_at_rank = _BothAtRank(self.rank, self.n, float(ends_at.min()), float(ends_at.max()))
        total = self._along_log_odds(a, b, ends_at)
        total[ends] -= self._along_count(a[ends], b[ends], fewest[ends], turn[ends])
        return total

    def _along_log_odds(self, a: Floats, b: Floats, ends_at: Floats) -> Floats:
        """The integral of dH/dL from 0 to ``ends_at``; pairs that need as many nodes go together."""
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
        """dH/dL. Of the four counts the crossed two that shrink are solved for, so that nothing cancels."""
        other = self.n - b if negative else b
        odds = np.exp(np.abs(log_odds))
        small, root = _smaller(np.minimum(a, other), np.maximum(a, other), odds, self.n)
        product = small * (small + np.abs(other - a))
        if negative:
            both = small + np.maximum(a - other, 0.0)
            log_p = self.both_at_rank.log_probability(both, product / both, (a - both) * (b - both), log_odds)
        else:
            both = np.minimum(a, b) - small
            log_p = self.both_at_rank.log_probability(both, self.n - a - b + both, product, log_odds)
        return np.asarray(odds * product / root * np.exp(log_p))

    def _along_count(self, a: Floats, b: Floats, fewest: Floats, turn: Floats) -> Floats:
        """The integral of dH/dA from ``fewest`` to ``turn``, where L runs off to minus infinity."""
        nodes, weights = gauss(N_NODES_BY_LOG_ODDS[0])
        both = fewest + nodes[:, None] * (turn - fewest)
        neither, crossed = self.n - a - b + both, (a - both) * (b - both)
        log_p = self.both_at_rank.log_probability(both, neither, crossed, np.log(both * neither / crossed))
        return np.asarray(weights @ np.exp(log_p) * (turn - fewest))


class _BothAtRank:
    """P(X' = Y' = r - 1): powers of the counts times a sum over the draws in A, Fisher's noncentral hypergeometric one.

    The sum is a function of L alone, whose derivatives are that law's cumulants: a quintic between knots, close enough
    because the law is a sum of independent indicators, so that its sixth cumulant is at most about its variance.
    """

    def __init__(self, rank: int, n: int, low: float, high: float) -> None:
        self.rank, self.n = rank, n
        self.fewest = max(0, 2 * rank - n - 1)
        self.share = rank / (n + 1)  # all logarithms are relative to independent models with this share above
        variance = max(min(0.18 * min(rank, n + 1 - rank), n / 16), 1.0)
        self.step = (46080 * KNOT_ERROR / variance) ** (1 / 6)
        self.low = min(low - 9.0, 0.0)  # the nodes below LEAST_COUNT_BY_ODDS lie less than 9 further down
        knots = self.low + self.step * np.arange(np.ceil((max(high, 0.0) - self.low) / self.step) + 2)
        at_zero = self._log_sums(np.zeros(1))[0, 0]
        value, slope, curvature = self._log_sums(knots)
        self.quintic = _quintic(value - at_zero, slope * self.step, curvature * self.step**2)
        scale = xlogy(rank - 1, self.share) + xlog1py(n - rank, -self.share) - betaln(rank, n - rank + 1) - np.log(n)
        self.log_independent = 2 * float(scale)

    def log_probability(self, both: Floats, neither: Floats, crossed: Floats, log_odds: Floats) -> Floats:
        """For counts A, D and the product B C."""
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

    def _log_sums(self, log_odds: Floats) -> Floats:
        """Log of the sum and its first two derivatives, shape (3, n_knots), on windows of the draws in A."""
        n, top = self.n - 1, self.rank - 1
        odds = np.exp(np.abs(log_odds))
        other = np.where(log_odds < 0, n - top, top)
        small, _ = _smaller(np.minimum(top, other), np.maximum(top, other), odds, n)
        center = np.where(log_odds < 0, small, top - small - self.fewest)
        inside, out = center + self.fewest + 1, top - self.fewest - center + 1
        spread = np.sqrt(1 / (1 / inside + 2 / out + 1 / (inside + n - 2 * top)))
        half = int(9 * spread.max() + 20)
        k = np.rint(center)[:, None] + np.arange(-half, half + 1)
        valid = (k >= 0) & (k <= top - self.fewest)
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
    """Coefficients, ascending, of the quintics on unit intervals that meet two derivatives at both ends."""
    f, g, h = value[:-1], slope[:-1], curvature[:-1] / 2
    rise = value[1:] - f - g - h
    tilt, bend = slope[1:] - g - 2 * h, (curvature[1:] - 2 * h) / 2
    return np.array(
        [f, g, h, 10 * rise - 4 * tilt + bend, -15 * rise + 7 * tilt - 2 * bend, 6 * rise - 3 * tilt + bend]
    )
