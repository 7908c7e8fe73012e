"""Moments of how many more cases of one kind are drawn than of another, where they are more: of two Poisson variables.

As E U g(U) = u E g(U + 1), they all follow from the chances that the difference is so much or more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import chndtr, i0e, i1e, ndtr

from skcostci._validation import Floats

MANY = 200  # cases of both kinds, from where on
LEAST = 1e-5  # a mean in deviations that is nothing


class Passed(NamedTuple):
    """The mean of (U - V)+, and with it for a weight the mean and variance of U + V and the mean of (U - V)^2.

    Then the probability that they are the same.
    """

    mean: Floats
    drawn: Floats
    spread: Floats
    square: Floats
    same: Floats

    @classmethod
    def of(cls, u: Floats, v: Floats) -> Passed:
        """Of variables with these means, at least 1."""
        down2, down1, none, up1, up2, up3, up4 = _chances(u, v)
        first_u, first_v = u * none, v * up2
        square_u, square_v = u**2 * down1 + first_u, v**2 * up3 + first_v
        cube_u = u**3 * down2 + 3 * square_u - 2 * first_u
        cube_v = v**3 * up4 + 3 * square_v - 2 * first_v
        mixed = u * v * (u * none - v * up2)
        mean = first_u - first_v
        mean[mean < LEAST * np.sqrt(u + v)] = np.inf  # what is divided by it is 0
        drawn = (square_u - square_v) / mean
        spread = (cube_u + mixed - cube_v) / mean - drawn**2
        square = (cube_u - 3 * mixed - cube_v) / mean
        mean[np.isinf(mean)] = 0.0
        return cls(mean, drawn, np.maximum(spread, 0.0), np.maximum(square, 1.0), none - up1)


def _chances(u: Floats, v: Floats) -> Floats:
    """That U - V is -2 or more, -1 or more, and so on up to 4: shape (7, n)."""
    z, ratio = 2 * np.sqrt(u * v), np.sqrt(u / v)
    bessel = [i0e(z), i1e(z)]
    for k in (1, 2):
        bessel.append(bessel[k - 1] - 2 * k / z * bessel[k])
    pmf = np.array([ratio**k * bessel[abs(k)] for k in range(-2, 4)])
    pmf *= np.exp(-((np.sqrt(v) - np.sqrt(u)) ** 2))
    passed = np.concatenate([np.zeros((1, len(u))), pmf.cumsum(axis=0)])
    return np.asarray(_above(u, v) + passed[3] - passed)


def _above(u: Floats, v: Floats) -> Floats:
    """P(U > V); of many cases by the series of Edgeworth, to 1e-6."""
    variance = u + v
    z, skew, few = (0.5 - u + v) / np.sqrt(variance), (u - v) / variance**1.5, variance < MANY
    series = skew * (z**2 - 1) / 6 + (z**3 - 4 * z) / variance / 24 + skew**2 * (z**5 - 10 * z**3 + 15 * z) / 72
    above = ndtr(-z) + np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * series
    above[few] = chndtr(2 * u[few], 2.0, 2 * v[few])
    return np.asarray(above)
