"""Ratios N / D of sums over draws, given that the denominator D is positive: exact moments.

    E[(N / D)^k; D > 0] = integral over u > 0 of u^(k-1) E[N^k exp(-u D); D > 0] du / (k - 1)!

The mean inside is known in closed form for counts of multinomial draws (:func:`tilted`). On the scale of log u it falls
off exponentially on one side and doubly exponentially on the other, where the trapezoidal rule has 15 digits: nothing
is approximated. The product of two models' ratios uses the same quadrature in two dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import brentq

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.laws._rounding import SPREAD_ROUNDING, rounding_of, settled

LOG_U_STEP = 0.25  # of log u; the error of the rule is exp(-pi^2 / LOG_U_STEP), 7e-18; doubled: 3e-9
BLOCK_POINTS = 64  # points computed at a time, with some 400 nodes by cells each
LOG_LEFT_OUT = 42.0  # exp(-42) is left out where u is small
LOG_VANISHED = 45.0  # u D at which exp(-u D) has vanished

Moments = tuple[Floats, Floats, Floats]  # P(undefined), mean, variance


class KnownMoments:
    """A law whose moments are computed together when the first of them is needed."""

    @property
    def undefined(self) -> Floats:
        """The probability that a resample has no value: a class is missing, or the denominator is 0."""
        return self._moments[0]

    @property
    def mean(self) -> Floats:
        return self._moments[1]

    @property
    def variance(self) -> Floats:
        """The variance; 0 if the statistic is the same in all resamples, not the rounding of the quadrature."""
        variance, size = self._moments[2], self._size
        # A ratio that is the same in all cases has variance 0, not the rounding of a difference of squares.
        return np.where((variance <= (SPREAD_ROUNDING * size) ** 2) & np.isfinite(size), 0.0, variance)

    @property
    def _size(self) -> Floats:
        return np.abs(self.mean)

    @cached_property
    def _moments(self) -> Moments:
        raise NotImplementedError


Parts = Sequence[tuple[int, Floats]]  # cells drawn together: number of draws, and probabilities (n_points, n_cells)


def drawn_together(counts: Floats, parts: Sequence[slice]) -> Parts:
    found = []
    for part in parts:
        seen = np.zeros_like(counts)
        seen[:, part] = counts[:, part]
        if draws := round(float(seen[0].sum())):
            found.append((draws, seen / draws))
    return found


@np.errstate(under="ignore")
def ratio_moments(parts: Parts, weights: Floats) -> Moments:
    """P(undefined), and mean and variance of defined values; both infinite if none is defined.

    ``weights``, (2, n_points, n_cells), are of a case in numerator and denominator; of a - b, a's, then b's.
    """
    ask, points = (_moments, BLOCK_POINTS) if len(weights) == 2 else (_pair_moments, 1)
    blocks = [slice(start, start + points) for start in range(0, weights.shape[1], points)]
    found = [ask([(draws, p[block]) for draws, p in parts], weights[:, block]) for block in blocks]
    undefined, mean, variance = (np.hstack(column) for column in zip(*found, strict=True))
    return undefined, mean, variance


def _moments(parts: Parts, weights: Floats) -> Moments:
    u = _nodes(parts, weights[1])
    nowhere, zero = np.full((1, len(u[0])), np.inf), np.zeros(len(u[0]))
    never = tilted(parts, weights, nowhere, zero)[0][0]
    # A denominator that is never drawn leaves no ratio to average.
    some = np.where(never < 1, 1 - never, np.inf)

    def integral(center: Floats, order: int) -> Floats:
        """``E[(N / D - center)^order; D > 0]`` for order 1 or 2."""
        at_u, at_zero = (tilted(parts, weights, place, center)[order] for place in (u, nowhere))
        return np.asarray(LOG_U_STEP * (u**order * (at_u - at_zero)).sum(axis=0)) / some

    mean = integral(zero, 1)
    variance = np.maximum(integral(mean, 2), 0.0)
    return never, np.where(never < 1, mean, np.inf), np.where(never < 1, variance, np.inf)


def tilted(parts: Parts, weights: Floats, u: Floats, center: Floats) -> tuple[Floats, Floats, Floats]:
    """``E[(N - center D)^k exp(-u D)]``, k = 0, 1, 2, u of shape (n_nodes, n_points); infinite u: D = 0."""
    log_scale, mean, variance = np.zeros(u.shape), np.zeros(u.shape), np.zeros(u.shape)
    numerator, denominator = weights
    values = numerator - center[:, None] * denominator
    with np.errstate(invalid="ignore"):
        # Cells without a denominator do not damp: infinity times 0 would be nan.
        minus_one = np.where(denominator > 0, np.expm1(-u[..., None] * denominator), 0.0)
    for draws, p in parts:
        with np.errstate(divide="ignore"):
            # All mass may be damped away: log 0 is the limit, and rounding may exceed it.
            log_one = np.log1p(np.maximum((p * minus_one).sum(axis=-1), -1.0))
        one = np.where(np.isfinite(log_one), np.exp(log_one), 1.0)
        changed = p * (1 + minus_one) / one[..., None]
        first = (changed * values).sum(axis=-1)
        log_scale += draws * log_one
        mean += draws * first
        variance += draws * (changed * (values - first[..., None]) ** 2).sum(axis=-1)
    scale = np.exp(log_scale)
    return scale, scale * mean, scale * (mean**2 + variance)


def _nodes(parts: Parts, weights: Floats) -> Floats:
    """Evenly spaced on the scale of log u, for each point from where 1e-18 is left out to where exp(-u D) vanishes."""
    least = np.where(weights > 0, weights, np.inf).min(axis=1)
    mean = sum(draws * (p * weights).sum(axis=1) for draws, p in parts)
    low, high = -LOG_LEFT_OUT - np.log(np.maximum(mean, least)), np.log(LOG_VANISHED / least)
    steps = np.arange(int(np.ceil((high - low).max() / LOG_U_STEP)) + 1)
    return np.asarray(np.exp(low + LOG_U_STEP * steps[:, None]))


def _pair_moments(parts: Parts, weights: Floats) -> tuple[float, float, float]:
    u, v = (_nodes(parts, weights[side])[:, 0] for side in (1, 3))
    n_a, d_a, n_b, d_b = weights[:, 0]
    parts = [(draws, p[0]) for draws, p in parts]

    def defined(u: Floats, v: Floats, x: Floats, y: Floats) -> Floats:
        """``E[X Y exp(-u D_a - v D_b); D_a > 0, D_b > 0]`` for sums X, Y of these values; an empty one is 1."""
        never = np.array([np.inf])
        both = _expected(parts, u, v, d_a, d_b, x, y) - _expected(parts, never, v, d_a, d_b, x, y)
        return both - _expected(parts, u, never, d_a, d_b, x, y) + _expected(parts, never, never, d_a, d_b, x, y)

    one, zero = np.zeros(0), np.zeros(1)
    share = float(defined(zero, zero, one, one)[0, 0])
    if share <= 0:
        return 1.0, np.inf, np.inf
    mean_a = LOG_U_STEP * float(u @ defined(u, zero, n_a, one)[:, 0]) / share
    mean_b = LOG_U_STEP * float(v @ defined(zero, v, n_b, one)[0]) / share
    a, b = n_a - mean_a * d_a, n_b - mean_b * d_b
    of_a, of_b = u**2 @ defined(u, zero, a, a)[:, 0], v**2 @ defined(zero, v, b, b)[0]
    spread = LOG_U_STEP * float(of_a) + LOG_U_STEP * float(of_b)
    variance = (spread - 2 * LOG_U_STEP**2 * float(u @ defined(u, v, a, b) @ v)) / share
    return max(1 - share, 0.0), mean_a - mean_b, max(variance, 0.0)


def _expected(parts: Parts, u: Floats, v: Floats, d_a: Floats, d_b: Floats, x: Floats, y: Floats) -> Floats:
    """``E[X Y exp(-u D_a - v D_b)]``, shape (len(u), len(v))."""
    with np.errstate(invalid="ignore"):
        tilt_a, tilt_b = (np.where(d > 0, np.exp(-w[:, None] * d), 1.0) for w, d in ((u, d_a), (v, d_b)))
        minus_one_a, minus_one_b = (np.where(d > 0, np.expm1(-w[:, None] * d), 0.0) for w, d in ((u, d_a), (v, d_b)))
    log_scale, mean_x, mean_y, covariance = np.zeros((4, len(u), len(v)))
    for draws, p in parts:
        off = (p * minus_one_a) @ tilt_b.T + minus_one_b @ p
        with np.errstate(divide="ignore"):
            log_one = np.log1p(np.maximum(off, -1.0))
        one = np.where(np.isfinite(log_one), 1 + off, 1.0)
        log_scale += draws * log_one
        first_x, first_y = ((p * each * tilt_a) @ tilt_b.T / one if each.size else 0.0 for each in (x, y))
        mean_x, mean_y = mean_x + draws * first_x, mean_y + draws * first_y
        if x.size and y.size:
            covariance += draws * ((p * x * y * tilt_a) @ tilt_b.T / one - first_x * first_y)
    scale = np.exp(log_scale)
    product = (mean_x if x.size else 1.0) * (mean_y if y.size else 1.0)
    return np.asarray(scale * (product + covariance))


def reached_at(mass: Callable[[float], float], target: float, low: float, high: float, close: float) -> float:
    """The least x from low to high with mass(x) >= target, found to ``close``; never short of a jump of mass."""
    x = float(brentq(lambda x: mass(x) - target, low, high, xtol=close))
    while x < high and mass(x) < target:
        x, close = min(x + close, high), 2 * close
    return x


def only_ratio(numerator: Floats, denominator: Floats) -> float | None:
    """The ratio of all resamples, if every unit has the same ratio up to rounding, else None."""
    some = denominator > 0
    if not some.any() or numerator[~some].any():
        return None
    ratios = numerator[some] / denominator[some]
    ratios = settled(ratios, rounding_of(ratios))
    return None if np.ptp(ratios) else float(ratios[0])
