"""The probability that a limit may leave outside before it passes a value: intervals turned round into p-values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from skcostci._validation import Booleans, Floats

LEAST, MOST = -8.2, 37.5  # normal quantiles beyond which probabilities are 1 and 0 in floating point
CLOSE = 1e-13
STEPS = 200


def level_reached(limit: Callable[[Floats], Floats], value: float, side: int) -> Floats:
    """The largest alpha at which the limit of this side does not leave out the value; 1 if none does, 0 if each does.

    ``limit(alpha)`` moves outwards as alpha falls. Chandrupatla's method at all points at once on the scale of normal
    quantiles, where limits are nearly straight and small probabilities keep their digits.
    """

    def room(z: Floats) -> Floats:
        """How far outside the value the limit lies."""
        return np.asarray(side * (limit(np.asarray(ndtr(-z))) - value))

    at_most, even, at_least = (room(np.array(z)) for z in (LEAST, 0.0, MOST))
    beyond = even < 0
    low = np.where(beyond, 0.0, LEAST), np.where(beyond, even, at_most)
    high = np.where(beyond, MOST, 0.0), np.where(beyond, at_least, even)
    always, never = low[1] >= 0, high[1] < 0
    z = _first_at_least_zero(room, low, high, always | never)
    return np.where(always, 1.0, np.where(never, 0.0, ndtr(-z)))


def _first_at_least_zero(
    function: Callable[[Floats], Floats], low: tuple[Floats, Floats], high: tuple[Floats, Floats], done: Booleans
) -> Floats:
    """Where a rising function passes from below 0 to 0 or above, between the points (x, f) given.

    T. R. Chandrupatla, Advances in Engineering Software 28 (1997): bisection, or inverse quadratic interpolation
    where the last three points say that it is safe.
    """
    (x1, f1), (x2, f2) = low, high
    x3, f3 = x1, f1
    step = np.full(x1.shape, 0.5)
    for _ in range(STEPS):
        done = done | (np.abs(x2 - x1) <= 2 * CLOSE * (1 + np.abs(x1)))
        if done.all():
            return np.where(f1 >= 0, x1, x2)
        x = np.where(done, x1, x1 + step * (x2 - x1))
        f = np.where(done, f1, function(x))
        stays = (f >= 0) == (f1 >= 0)
        x3, f3 = np.where(stays, x1, x2), np.where(stays, f1, f2)
        x2, f2 = np.where(stays | done, x2, x1), np.where(stays | done, f2, f1)
        x1, f1 = x, f
        step = _step(x1, f1, x2, f2, x3, f3)
    raise RuntimeError("no probability was found at which the limit passes the value; please report this.")


def _step(x1: Floats, f1: Floats, x2: Floats, f2: Floats, x3: Floats, f3: Floats) -> Floats:
    """The share of the way from x1 to x2 at which to ask next."""
    with np.errstate(all="ignore"):
        xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
        safe = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi) & (f1 != 0) & (f2 != 0)
        step = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
        least = CLOSE * (1 + np.abs(x1)) / np.abs(x2 - x1)
    return np.where(safe & np.isfinite(step), np.clip(step, least, 1 - least), 0.5)
