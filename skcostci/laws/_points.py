"""Questions to laws at many points side by side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Floats


def at_points(x: Floats, answers: Callable[[int, Floats], ArrayLike]) -> Floats:
    """What each point answers about its values, x of shape (..., n_points); an answer may be several numbers."""
    columns = np.reshape(x, (-1, np.shape(x)[-1])).T
    found = np.array([answers(i, column) for i, column in enumerate(columns)], dtype=np.float64)
    return np.swapaxes(found, 0, 1).reshape(np.shape(x) + found.shape[2:])


def split_at(below: Floats, up_to: Floats) -> tuple[Floats, Floats, Floats]:
    """P(X < x), P(X = x) and P(X > x) from P(X < x) and P(X <= x)."""
    return below, np.maximum(up_to - below, 0.0), 1.0 - up_to
