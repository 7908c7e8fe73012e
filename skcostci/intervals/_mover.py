"""MOVER: how far a difference may lie off when its parts may by so much (Zou and Donner 2008)."""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats


def joint_distance(x: Floats, y: Floats, decorrelation: Floats | float) -> Floats:
    """How far a difference may lie off when its parts may by x and by y; ``decorrelation`` is 1 less their correlation.

    The square root of x^2 + y^2 - 2 r x y falls with the smaller of x and y up to r times the larger, where a wider
    part must not narrow the whole: there it is kept at its least.
    """
    infinite = np.isinf(x) | np.isinf(y)  # the difference of an infinite limit and any other is infinite
    x, y = np.where(infinite, 0.0, x), np.where(infinite, 0.0, y)
    x, y = np.maximum(x, (1 - decorrelation) * y), np.maximum(y, (1 - decorrelation) * x)
    return np.where(infinite, np.inf, np.sqrt((x - y) ** 2 + 2 * decorrelation * x * y))
