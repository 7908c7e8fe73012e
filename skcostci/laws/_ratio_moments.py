"""Exact moments of a ratio of weighted counts, given that its denominator is positive, by one quadrature.

``E[(N / D)^k; D > 0] = integral of u^(k-1) E[N^k exp(-u D); D > 0] du / (k - 1)!`` over u > 0: the mean inside is
known in closed form for counts of multinomial draws. On the scale of log u it falls off exponentially on one side and
doubly exponentially on the other, where the trapezoidal rule has 15 digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats

STEP = 0.25  # of log u; the error of the rule is exp(-pi^2 / STEP)
BLOCK = 64  # points at a time
ROUNDING = 1e-14  # of a standard deviation beside the values themselves

Moments = tuple[Floats, Floats, Floats]  # P(undefined), mean, variance


class KnownMoments:
    """A law whose moments are worked out together when the first of them is asked for."""

    @property
    def undefined(self) -> Floats:
        """The probability that a resample has no value: a class is missing, or the denominator is 0."""
        return self._moments[0]

    @property
    def mean(self) -> Floats:
        return self._moments[1]

    @property
    def variance(self) -> Floats:
        """Of what is the same in all resamples it is 0, not what the quadrature leaves of it."""
        variance, size = self._moments[2], self._size
        return np.where((variance <= (ROUNDING * size) ** 2) & np.isfinite(size), 0.0, variance)

    @property
    def _size(self) -> Floats:
        """Of the values, beside which rounding is seen."""
        return np.abs(self.mean)

    @cached_property
    def _moments(self) -> Moments:
        """The share of resamples without a value; mean and variance of the others."""
        raise NotImplementedError


class Draws(NamedTuple):
    """So many draws from cells: probabilities and weights in numerator and denominator, shape (n_points, n_cells)."""

    draws: int
    probabilities: Floats
    numerator: Floats
    denominator: Floats


@np.errstate(under="ignore")
def ratio_moments(parts: Sequence[Draws]) -> tuple[Floats, Floats, Floats]:
    """P(D = 0), and mean and variance given D > 0, of the ratio of sums over independent draws; infinite if D is 0."""
    n_points = len(parts[0].probabilities)
    blocks = [slice(start, start + BLOCK) for start in range(0, n_points, BLOCK)]
    found = [_moments([Draws(p.draws, *(column[block] for column in p[1:])) for p in parts]) for block in blocks]
    undefined, mean, variance = (np.concatenate(column) for column in zip(*found, strict=True))
    return undefined, mean, variance


def _moments(parts: Sequence[Draws]) -> tuple[Floats, Floats, Floats]:
    u = _nodes(parts)
    never = tilted(parts, np.full((1, len(u[0])), np.inf), np.zeros(len(u[0])))[0][0]
    some = np.where(never < 1, 1 - never, np.inf)
    mean = _integral(parts, u, np.zeros(len(never)), 1) / some
    variance = _integral(parts, u, mean, 2) / some
    return never, np.where(never < 1, mean, np.inf), np.where(never < 1, np.maximum(variance, 0.0), np.inf)


def _integral(parts: Sequence[Draws], u: Floats, center: Floats, order: int) -> Floats:
    """``E[(N / D - center)^order; D > 0]`` for order 1 or 2."""
    at_u, at_zero = tilted(parts, u, center)[order], tilted(parts, np.full((1, u.shape[1]), np.inf), center)[order]
    return np.asarray(STEP * (u**order * (at_u - at_zero)).sum(axis=0))


def tilted(parts: Sequence[Draws], u: Floats, center: Floats) -> tuple[Floats, Floats, Floats]:
    """``E[(N - center D)^k exp(-u D)]`` for k = 0, 1, 2 and u of shape (n_nodes, n_points); at infinity, where D is 0.

    The exponential is a change of probabilities, under which draws keep their independence.
    """
    log_scale, mean, variance = np.zeros(u.shape), np.zeros(u.shape), np.zeros(u.shape)
    for draws, p, numerator, denominator in parts:
        values = numerator - center[:, None] * denominator
        with np.errstate(invalid="ignore"):
            less = np.where(denominator > 0, np.expm1(-u[..., None] * denominator), 0.0)
        with np.errstate(divide="ignore"):
            log_one = np.log1p(np.maximum((p * less).sum(axis=-1), -1.0))
        one = np.where(np.isfinite(log_one), np.exp(log_one), 1.0)
        changed = p * (1 + less) / one[..., None]
        first = (changed * values).sum(axis=-1)
        log_scale += draws * log_one
        mean += draws * first
        variance += draws * (changed * (values - first[..., None]) ** 2).sum(axis=-1)
    scale = np.exp(log_scale)
    return scale, scale * mean, scale * (mean**2 + variance)


def _nodes(parts: Sequence[Draws]) -> Floats:
    """Evenly spaced on the scale of log u, for each point from where 1e-18 is left out to where exp(-u D) vanishes."""
    weights = np.hstack([part.denominator for part in parts])
    least = np.where(weights > 0, weights, np.inf).min(axis=1)
    mean = sum(part.draws * (part.probabilities * part.denominator).sum(axis=1) for part in parts)
    low, high = -42.0 - np.log(np.maximum(mean, least)), np.log(45.0 / least)
    steps = np.arange(int(np.ceil((high - low).max() / STEP)) + 1)
    return np.asarray(np.exp(low + STEP * steps[:, None]))


@np.errstate(under="ignore")
def pair_moments(parts: Sequence[tuple[int, Floats]], weights: Floats) -> tuple[Floats, Floats, Floats]:
    """P(either denominator is 0) and, given that neither is, mean and variance of the difference of two ratios.

    ``parts`` are draws and probabilities of shape (n_points, n_cells); ``weights`` of numerator and denominator of a,
    then of b, shape (4, n_points, n_cells). By the same quadrature, in two dimensions for the product.
    """
    found = [_pair_moments([(draws, p[i]) for draws, p in parts], weights[:, i]) for i in range(weights.shape[1])]
    undefined, mean, variance = np.transpose(found)
    return undefined, mean, variance


def _pair_moments(parts: Sequence[tuple[int, Floats]], weights: Floats) -> tuple[float, float, float]:
    """At one point."""
    (n_a, d_a), (n_b, d_b) = weights.reshape(2, 2, -1)
    u, v = (
        _nodes([Draws(draws, p[None], n[None], d[None]) for draws, p in parts])[:, 0]
        for n, d in ((n_a, d_a), (n_b, d_b))
    )

    def defined(u: Floats, v: Floats, x: Floats, y: Floats) -> Floats:
        """``E[X Y exp(-u D_a - v D_b); D_a > 0, D_b > 0]`` for sums X, Y of these values; an empty one is 1."""
        never = np.array([np.inf])
        both = _expected(parts, u, v, d_a, d_b, x, y) - _expected(parts, never, v, d_a, d_b, x, y)
        return both - _expected(parts, u, never, d_a, d_b, x, y) + _expected(parts, never, never, d_a, d_b, x, y)

    one, zero = np.zeros(0), np.zeros(1)
    share = float(defined(zero, zero, one, one)[0, 0])
    if share <= 0:
        return 1.0, np.inf, np.inf
    mean_a = STEP * float(u @ defined(u, zero, n_a, one)[:, 0]) / share
    mean_b = STEP * float(v @ defined(zero, v, n_b, one)[0]) / share
    a, b = n_a - mean_a * d_a, n_b - mean_b * d_b
    spread = STEP * float(u**2 @ defined(u, zero, a, a)[:, 0]) + STEP * float(v**2 @ defined(zero, v, b, b)[0])
    variance = (spread - 2 * STEP**2 * float(u @ defined(u, v, a, b) @ v)) / share
    return max(1 - share, 0.0), mean_a - mean_b, max(variance, 0.0)


def _expected(
    parts: Sequence[tuple[int, Floats]], u: Floats, v: Floats, d_a: Floats, d_b: Floats, x: Floats, y: Floats
) -> Floats:
    """``E[X Y exp(-u D_a - v D_b)]``, shape (len(u), len(v))."""
    with np.errstate(invalid="ignore"):
        tilt_a, tilt_b = (np.where(d > 0, np.exp(-w[:, None] * d), 1.0) for w, d in ((u, d_a), (v, d_b)))
        less_a, less_b = (np.where(d > 0, np.expm1(-w[:, None] * d), 0.0) for w, d in ((u, d_a), (v, d_b)))
    log_scale, mean_x, mean_y, covariance = np.zeros((4, len(u), len(v)))
    for draws, p in parts:
        off = (p * less_a) @ tilt_b.T + less_b @ p
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
