"""Symmetric powers of matrices of two rows and two columns: what two functions of a draw make of those of another.

Products of m values of f_1 and f_2, l of them of f_2, are made in the mean from those of g_1 and g_2 by the m-th
symmetric power of the matrix of what f and g have in common. Let power be the one of degree m - 1: one of the m draws
is the last, so that, normed,

    m power_m(l, l') = sum over a, b of one(a, b) sqrt(i_a i'_b) power(l - a, l' - b),    i = m - l, l.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from skcostci._validation import Floats


def next_power(power: Floats, one: Floats, degree: int) -> None:
    """Make that of the degree before, of shape (n_l, n_l', ...), the next; ``one`` is of shape (2, 2, ...) at most."""
    if power.shape[:2] == (1, 1):
        power *= one[:1, :1]
        return
    after, (rows, columns) = np.zeros_like(power), power.shape[:2]
    left, right = (_roots(size, degree, axis, power.ndim) for axis, size in enumerate((rows, columns)))
    for a, b in product(range(min(rows, 2)), range(min(columns, 2))):
        after[a:, b:] += left[a] * right[b] * (one[a, b] / degree) * power[: rows - a, : columns - b]
    power[:] = after


def _roots(size: int, degree: int, axis: int, n_axes: int) -> tuple[Floats, Floats]:
    """Of how many of the draws are told by the first function, and by the second where there are any."""
    second = np.arange(size, dtype=np.float64)
    shape = [-1 if each == axis else 1 for each in range(n_axes)]
    return np.sqrt(np.maximum(degree - second, 0.0)).reshape(shape), np.sqrt(second[1:]).reshape(shape)
