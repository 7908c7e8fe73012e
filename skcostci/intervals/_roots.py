"""How far one can go before many functions at once fall below 0, and with it limits turned round into p-values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from skcostci._validation import Floats

MOST_STEPS = 200
LEAST, MOST = -8.2, 37.5  # normal quantiles beyond which probabilities are 1 and 0 in floating point
NEAR = 4.0  # most are no further out
CLOSE = 1e-10  # limits that are roots themselves are no smoother


def last_inside(function: Callable[[Floats], Floats], start: Floats, end: Floats, tolerance: float = 1e-15) -> Floats:
    """The last points on the way from ``start`` to ``end`` before functions fall below 0, to ``tolerance * (1 + |x|)``.

    They are at least 0 there. The answer is ``end`` for a function that is at least 0 there too, ``start`` for one that
    is below 0 at once. By Chandrupatla's method (Advances in Engineering Software, 1997): inverse quadratic
    interpolation where that can be trusted, bisection elsewhere, after a step along the secant.
    """
    new, old = np.broadcast_arrays(np.asarray(start, dtype=np.float64), end)
    at_new, at_old = function(new), function(old)
    new, at_new = np.where(at_old >= 0, old, new), np.where(at_old >= 0, at_old, at_new)
    old = np.where(at_new < 0, new, old)
    share = _secant(at_new, at_old)
    for _ in range(MOST_STEPS):
        least = np.minimum(tolerance * (1 + np.abs(new)) / np.maximum(np.abs(old - new), 1e-300), 0.5)
        done = least == 0.5
        if done.all():
            return np.where(at_new >= 0, new, old)
        x = np.where(done, new, new + np.clip(share, least, 1 - least) * (old - new))
        at_x = np.where(done, at_new, function(x))
        same = (at_x >= 0) == (at_new >= 0)
        third, at_third = np.where(same, new, old), np.where(same, at_new, at_old)
        old, at_old, new, at_new = np.where(same, old, new), np.where(same, at_old, at_new), x, at_x
        share = _share(new - old, new - third, at_new, at_old, at_third)
    raise RuntimeError(f"no root was found in {MOST_STEPS} steps; please report this.")


def _secant(new: Floats, old: Floats) -> Floats:
    """How far on the way to the old point a straight line has its root, or halfway."""
    with np.errstate(all="ignore"):
        share = new / (new - old)
    return np.where(np.isfinite(share), np.clip(share, 0.0, 1.0), 0.5)


def _share(to_old: Floats, to_third: Floats, new: Floats, old: Floats, third: Floats) -> Floats:
    """How far the next point lies on the way back to the old one: where a parabola has its root, or halfway."""
    with np.errstate(all="ignore"):
        place, height = to_old / (to_old - to_third), (new - old) / (third - old)
        root = new / (old - new) * third / (old - third) + to_third / to_old * new / (third - new) * old / (third - old)
        trusted = (height**2 < place) & ((1 - height) ** 2 < 1 - place) & np.isfinite(root)
    at_zero = ((new == 0) | (old == 0)) & (third != 0)  # probably the root: look right beside it
    return np.where(at_zero, np.where(new == 0, 0.0, 1.0), np.where(trusted & (new != 0) & (old != 0), root, 0.5))


def level_reached(limit: Callable[[Floats], Floats], value: float, side: int, most: float = 1.0) -> Floats:
    """The largest alpha at which the limit of this side does not leave out the value, 0 if each does.

    It is ``most``, 1 or 1/2, if none up to that does. ``limit(alpha)`` moves outwards as alpha falls. Sought on the
    scale of normal quantiles, where limits are nearly straight and small probabilities keep their digits.
    """

    def room(z: Floats) -> Floats:
        """How far outside the value the limit lies."""
        return np.asarray(side * (limit(np.asarray(ndtr(-z))) - value))

    least = LEAST if most == 1.0 else 0.0
    beyond, further = (room(np.array(z)) < 0 for z in (0.0, NEAR))
    start = np.where(further, MOST, np.where(beyond, NEAR, 0.0))
    z = last_inside(room, start, np.where(further, NEAR, np.where(beyond, 0.0, least)), CLOSE)
    return np.where(z == MOST, 0.0, np.where(z == least, most, ndtr(-z)))
