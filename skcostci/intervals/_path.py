"""How far out a sequence of correlated Gaussians reaches somewhere, from the length of the path they describe."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri


def path_tail(length: float, n_points: int, alpha: float) -> float:
    """The tail probability for each of n_points standard Gaussians such that any exceeds it with at most alpha.

    ``length`` is the sum of the angles, arccos of the correlations, between successive ones. By the tube formula
    (Hotelling 1939, Naiman 1986) P(max > c) is at most P(Z > c) + length / (2 pi) exp(-c^2 / 2), and by the union
    bound n_points P(Z > c); the less strict of the two answers serves.
    """

    def excess(c: float) -> float:
        return float(ndtr(-c) + length / (2 * np.pi) * np.exp(-(c**2) / 2)) / alpha - 1

    alone = max(float(-ndtri(alpha)), 0.0)
    strictest = float(-ndtri(alpha / n_points))
    if excess(strictest) >= 0:
        return alpha / n_points
    return float(ndtr(-brentq(excess, alone, strictest, xtol=1e-12))) if excess(alone) > 0 else alpha
