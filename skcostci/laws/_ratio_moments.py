"""Exact moments of a ratio of weighted counts, given that its denominator is positive, by one quadrature.

``E[(N / D)^k; D > 0] = integral of u^(k-1) E[N^k exp(-u D); D > 0] du / (k - 1)!`` over u > 0: the mean inside is
known in closed form for counts of multinomial draws. On the scale of log u it falls off exponentially on one side and
doubly exponentially on the other, where the trapezoidal rule has 15 digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats

STEP = 0.125  # of log u; the error of the rule is exp(-pi^2 / STEP)
BLOCK = 64  # points at a time


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
