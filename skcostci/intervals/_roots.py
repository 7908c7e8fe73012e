"""How far one can go before many functions at once fall below 0, inside brackets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from skcostci._validation import Floats

MOST_STEPS = 200


def last_inside(function: Callable[[Floats], Floats], start: Floats, end: Floats, tolerance: float = 1e-15) -> Floats:
    """Of each function the root between ``start``, where it is not negative, and ``end``; ``end`` if it is not there.

    To ``tolerance`` or a few roundings of the root, by Chandrupatla's method (Advances in Engineering Software, 1997):
    inverse quadratic interpolation where that can be trusted, bisection elsewhere.
    """
    old, new = np.broadcast_arrays(np.asarray(start, dtype=np.float64), end)
    at_old, at_new = function(old), function(new)
    settled = (at_new >= 0) | (at_old <= 0)
    answer, share = np.where(at_new >= 0, new, old), np.full(new.shape, 0.5)
    for _ in range(MOST_STEPS):
        best = np.where(np.abs(at_new) < np.abs(at_old), new, old)
        width = np.maximum(np.abs(old - new), 1e-300)
        least = np.minimum((tolerance + 2 * np.finfo(float).eps * np.abs(best)) / width, 0.5)
        if (settled | (least == 0.5) | (at_new == 0) | (at_old == 0)).all():
            return np.where(settled, answer, best)
        x = new + np.clip(share, least, 1 - least) * (old - new)
        at_x = function(x)
        same = np.sign(at_x) == np.sign(at_new)
        third, at_third = np.where(same, new, old), np.where(same, at_new, at_old)
        old, at_old, new, at_new = np.where(same, old, new), np.where(same, at_old, at_new), x, at_x
        share = _share(new - old, new - third, at_new, at_old, at_third)
    raise RuntimeError(f"no root was found in {MOST_STEPS} steps.")


def _share(to_old: Floats, to_third: Floats, new: Floats, old: Floats, third: Floats) -> Floats:
    """How far the next point lies on the way back to the old one: where a parabola has its root, or halfway."""
    with np.errstate(invalid="ignore", divide="ignore"):
        place, height = to_old / (to_old - to_third), (new - old) / (third - old)
        root = new / (old - new) * third / (old - third) + to_third / to_old * new / (third - new) * old / (third - old)
        trusted = (height**2 < place) & ((1 - height) ** 2 < 1 - place) & np.isfinite(root)
    return np.where(trusted, root, 0.5)
