"""Moments of the difference of any metric between two models that are tried on the same draws.

Given the class sizes, the hits of models a and b among P positives count the same draws, in each of which their hits
have a correlation r; so do the alarms among N negatives, with a correlation s. Let K_j be Krawtchouk's polynomials,
orthonormal under a model's own binomial law. Between the models only those of equal degree are correlated (Aitken and
Gonin, 1935, Proc. R. Soc. Edinburgh 55): E[K_j(hits of a) K_i(hits of b)] is r^j if i = j, and else 0. So

    E[f(a) g(b)] = sum over j, k of r^j s^k F_jk G_jk,    F_jk = E[f K_j(hits of a) K_k(alarms of a)],

where b(x) K_j(x), b being the law of Binomial(P, p), has the generating function

    sqrt(C(P, j) (p q)^j) (q + p z)^(P - j) (z - 1)^j.

Sums of all degrees up to P and N are exact; at most MAX_DEGREE are summed, fewer as P p q grows: a metric is smooth in
such counts, and of degree j is left a size of (P p q)^(-j / 2). Class sizes that are drawn are summed over as for one
model (:mod:`_metric_point`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import convolution_matrix
from scipy.special import binom

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import binomial, window
from skcostci.laws._metric_point import NODES_OF_MOMENTS, MetricAtPoint

SIZES_A_DEVIATION = 2.0  # class sizes summed over; from 16 cases of a class some are skipped, which costs 1e-7
MAX_DEGREE = 24  # more: no digit
# of a weight b(x) K_j(x) beside those of degree 0, rounding is so many times larger; ten times: two more digits lost
MAX_GROWTH = 1e7


class Pair(NamedTuple):
    """Two models at one point; ``counts`` are those of the eight joint cells."""

    a: MetricAtPoint
    b: MetricAtPoint
    counts: Floats

    @property
    def correlations(self) -> list[float]:
        """Of one draw's hits, among the positives and among the negatives."""
        found = []
        for both, a_only, b_only, neither in self.counts.reshape(2, 4):
            spread = (both + a_only) * (b_only + neither) * (both + b_only) * (a_only + neither)
            found.append(float((both * neither - a_only * b_only) / np.sqrt(spread)) if spread > 0 else 0.0)
        return found


def paired_metric_moments(pair: Pair) -> tuple[float, float, float]:
    """P(either is undefined), and mean and variance of a minus b where both are defined."""
    total = sum(pair.a.sizes)
    centers = [each.estimate if np.isfinite(each.estimate) else 0.0 for each in (pair.a, pair.b)]
    sizes, pmf = pair.a.positives_drawn(SIZES_A_DEVIATION)
    some = (sizes > 0) & (sizes < total)
    given = [_given_sizes(pair, (positives, total - positives), centers) for positives in sizes[some].tolist()]
    share, first, second = pmf[some] @ np.array(given).reshape(-1, 3)
    if share <= 0:
        return 1.0, np.inf, np.inf
    off = first / share
    return max(1 - share, 0.0), centers[0] - centers[1] + off, max(second / share - off * off, 0.0)


def _given_sizes(pair: Pair, sizes: tuple[int, int], centers: list[float]) -> Floats:
    """P(both are defined), and the first two moments about a center where they are."""
    a, b = (_coefficients(point, sizes, center) for point, center in zip((pair.a, pair.b), centers, strict=True))
    degrees = [np.arange(min(rows)) for rows in zip(a.shape[1:], b.shape[1:], strict=True)]
    weights = np.multiply.outer(*(np.float64(r) ** j for r, j in zip(pair.correlations, degrees, strict=True)))
    # between the powers 0, 1 and 2 of either model's distance from its center
    powers = np.einsum("ijk,ljk,jk->il", *(each[:, : len(degrees[0]), : len(degrees[1])] for each in (a, b)), weights)
    return np.array([powers[0, 0], powers[1, 0] - powers[0, 1], powers[2, 0] + powers[0, 2] - 2 * powers[1, 1]])


def _coefficients(point: MetricAtPoint, sizes: tuple[int, int], center: float) -> Floats:
    """``E[off^m K_j(hits) K_k(alarms)]`` for m = 0, 1, 2, off being how far from center a value is."""
    (hits, of_hits), (alarms, of_alarms) = (_weights(n, *rates) for n, rates in zip(sizes, point.rates, strict=True))
    tp = hits[:, None]
    off = point.value(tp, sizes[0] - tp, alarms, sizes[1] - alarms) - center
    defined = np.isfinite(off)
    off = np.where(defined, off, 0.0)
    return np.asarray(of_hits @ np.stack([defined, off, off * off]) @ of_alarms.T)


def _weights(draws: int, hit: float, miss: float) -> tuple[Integers, Floats]:
    """The values x of a binomial law, maybe every so many-th, and b(x) K_j(x), shape (n_degrees, n_values)."""
    variance = draws * hit * miss
    low, high = window(draws * hit, variance, 1.0, 0, draws)
    values = np.arange(low, high + 1, max(1, int(np.sqrt(variance) / NODES_OF_MOMENTS)))
    degrees = np.arange(min(draws, MAX_DEGREE) + 1)
    scale = np.sqrt(binom(draws, degrees) * (hit * miss) ** degrees)
    degrees = degrees[scale * 2.0**degrees <= MAX_GROWTH]
    top = int(degrees[-1])
    law = binomial(draws - top, hit, miss)
    place = values - np.arange(top + 1)[:, None] - law.start
    inside = (place >= 0) & (place < len(law))
    shifted = np.where(inside, law.pmf[np.clip(place, 0, len(law) - 1)], 0.0)
    weights = scale[: top + 1, None] * (_products(top, hit, miss) @ shifted)
    return values, weights / weights[0].sum()


@lru_cache(maxsize=256)  # the same for most of the class sizes that are drawn
def _products(top: int, hit: float, miss: float) -> Floats:
    """The coefficients of ``(miss + hit z)^(top - j) (z - 1)^j``, one row a degree j."""
    rows = np.zeros((top + 1, top + 1))
    rows[0, 0] = 1.0
    for degree in range(1, top + 1):
        before = rows[:degree, :degree].copy()
        rows[:degree, : degree + 1] = before @ convolution_matrix([miss, hit], degree).T
        rows[degree, : degree + 1] = np.convolve(before[-1], [-1.0, 1.0])
    return rows
