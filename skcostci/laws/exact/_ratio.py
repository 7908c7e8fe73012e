"""Ratios N / D of sums over draws, given that the denominator D is positive: exact moments.

    E[(N / D)^k; D > 0] = integral over u > 0 of u^(k-1) E[N^k exp(-u D); D > 0] du / (k - 1)!

The mean inside is known in closed form for counts of multinomial draws. On the scale of log u it falls off
exponentially on one side and doubly exponentially on the other, where the trapezoidal rule has 15 digits: nothing is
approximated. The product of two models' ratios uses the same quadrature in two dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.laws._rounding import SPREAD_ROUNDING

LOG_U_STEP = 0.25  # of log u; the error of the rule is exp(-pi^2 / LOG_U_STEP), 7e-18; doubled: 3e-9
BLOCK_POINTS = {2: 64, 4: 12}  # computed at a time, of one model and of two: in the processor's cache
LOG_LEFT_OUT = 21.0  # below exp(-21) of 1 / E D what is left out changes by that share: the error is its square, 6e-19
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
    points = BLOCK_POINTS[len(weights)]
    blocks = [slice(start, start + points) for start in range(0, weights.shape[1], points)]
    found = [_moments([(draws, p[block]) for draws, p in parts], *weights[:, block]) for block in blocks]
    undefined, mean, variance = (np.hstack(column) for column in zip(*found, strict=True))
    return undefined, mean, variance


def _moments(parts: Parts, n_a: Floats, d_a: Floats, n_b: Floats | None = None, d_b: Floats | None = None) -> Moments:
    at_zero, never = np.zeros((len(n_a), 1)), np.full((len(n_a), 1), np.inf)

    def defined(u: Floats, v: Floats, *values: Floats) -> Floats:
        """``E[exp(-u D_a - v D_b); D_a > 0, D_b > 0]`` times one or two sums of values; all of one model without b."""
        of_b = [(1, at_zero)] if d_b is None else [(1, v), (-1, never)]
        corners = [(side * other, a, b) for side, a in ((1, u), (-1, never)) for other, b in of_b]
        below = np.zeros_like(d_a) if d_b is None else d_b
        return np.asarray(sum(sign * _expected(parts, a, b, d_a, below, *values) for sign, a, b in corners))

    share = defined(at_zero, at_zero)[:, 0, 0]
    # A denominator that is never drawn leaves no ratio to average.
    some, (u, du) = np.where(share > 0, share, np.inf), _nodes(parts, d_a)
    mean = (du * defined(u, at_zero, n_a)[:, :, 0]).sum(axis=1) / some
    a = n_a - mean[:, None] * d_a
    spread = (du * u * defined(u, at_zero, a, a)[:, :, 0]).sum(axis=1)
    if n_b is not None and d_b is not None:
        v, dv = _nodes(parts, d_b)
        mean_b = (dv * defined(at_zero, v, n_b)[:, 0]).sum(axis=1) / some
        b = n_b - mean_b[:, None] * d_b
        spread += (dv * v * defined(at_zero, v, b, b)[:, 0]).sum(axis=1)
        spread -= 2 * np.einsum("pu,puv,pv->p", du, defined(u, v, a, b), dv)
        mean = mean - mean_b
    variance = np.maximum(spread / some, 0.0)
    return 1 - share, np.where(share > 0, mean, np.inf), np.where(share > 0, variance, np.inf)


def _nodes(parts: Parts, weights: Floats) -> tuple[Floats, Floats]:
    """Nodes u, evenly spaced on the scale of log u until E exp(-u D) vanishes, and their weights, per point.

    The first stands for all below it, whose weights are a geometric series: the mean hardly changes there.
    """
    least = np.where(weights > 0, weights, np.inf).min(axis=1)
    mean = sum(draws * (p * weights).sum(axis=1) for draws, p in parts)
    low, high = -LOG_LEFT_OUT - np.log(np.maximum(mean, least)), np.log(LOG_VANISHED / least)
    u = np.exp(low[:, None] + LOG_U_STEP * np.arange(int(np.ceil((high - low).max() / LOG_U_STEP)) + 1))
    off = [(p[:, None] * np.expm1(-u[..., None] * weights[:, None])).sum(axis=-1) for _, p in parts]
    damped = sum(draws * np.log1p(np.maximum(each, -1 + 1e-16)) for (draws, _), each in zip(parts, off, strict=True))
    u = u[:, : int((damped > -LOG_VANISHED).any(axis=0).sum()) + 1]
    du = LOG_U_STEP * u
    du[:, 0] /= -np.expm1(-LOG_U_STEP)
    return u, du


def _expected(parts: Parts, u: Floats, v: Floats, d_a: Floats, d_b: Floats, *values: Floats) -> Floats:
    """``E[X Y exp(-u D_a - v D_b)]``, (n_points, n_u, n_v), for the sums of up to two kinds of values."""
    with np.errstate(invalid="ignore"):
        # Cells without a denominator do not damp: infinity times 0 would be nan.
        damped = (np.where(d > 0, np.expm1(-w[..., None] * d), 0.0) for w, d in ((u, d_a[:, None]), (v, d_b[:, None])))
        off_a, off_b = damped
    tilt_a, tilt_b = 1 + off_a, np.swapaxes(1 + off_b, 1, 2)
    log_scale, covariance, means = np.zeros(()), np.zeros(()), [np.zeros(()) for _ in values]
    for draws, p in parts:
        p = p[:, None]
        moved = (p * off_a) @ tilt_b + p @ np.swapaxes(off_b, 1, 2)
        with np.errstate(divide="ignore"):
            # All mass may be damped away: log 0 is the limit, and rounding may exceed it.
            log_one = np.log1p(np.maximum(moved, -1.0))
        one = np.where(np.isfinite(log_one), 1 + moved, 1.0)
        log_scale = log_scale + draws * log_one
        # About their means: values that are the same in all draws have a variance of 0, not of rounding.
        about = [(p * each[:, None]).sum(axis=-1, keepdims=True) for each in values]
        off = [each[:, None] - mean for each, mean in zip(values, about, strict=True)]
        first = [(p * each * tilt_a) @ tilt_b / one for each in off]
        means = [sums + draws * (own + mean) for sums, own, mean in zip(means, first, about, strict=True)]
        if len(off) == 2:
            product = (p * off[0] * off[1] * tilt_a) @ tilt_b / one
            covariance = covariance + draws * (product - first[0] * first[1])
    return np.asarray(np.exp(log_scale) * (prod(means) + covariance))
