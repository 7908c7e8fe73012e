"""When a series of powers of correlations has said enough about two models' hits at some ranks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Booleans, Floats

LAST = 2  # terms in a row must say so
LEAST = 0.5  # what one pseudo-case adds to the variance, in cases squared


class Precision(NamedTuple):
    """How many terms there may be, and what may be left out: of the variance of the difference, and of each rank's law.

    The second is a probability, at either end.
    """

    terms: int
    rest: float
    tail: float


NEAR = Precision(512, 2e-4, 1e-11)  # for intervals
EXACT = Precision(128, 1e-13, 1e-15)  # but for rounding


class Series:
    """Sums of terms, of shape (2, n_ranks): the covariance of the hits and the positives found by both.

    ``most`` is, of the same shape, the sum of what both are of a model and itself. Terms fall like powers of a
    correlation, or where that is nearly 1 or -1 like a power of the degree: what is left out is less than the degree
    times the last term.
    """

    def __init__(self, sums: Floats, most: Floats, rest: float) -> None:
        self.sums, self._most, self._rest = sums, most[0] + most[1] + LEAST, rest
        self._small, self._terms = np.zeros(sums.shape[1], dtype=np.int64), 0

    def add(self, degree: int, covariance: Floats | float, found: ArrayLike) -> bool:
        """Add terms of a degree; whether no further ones are needed."""
        self.sums[0] += covariance
        self.sums[1] += found
        left = np.maximum(self._most - 2 * self.sums.sum(axis=0), LEAST)
        last = 2 * (np.abs(covariance) + np.abs(found))
        self._small = (self._small + 1) * (degree * last <= self._rest * left)
        self._terms = degree
        return degree > LAST and bool(self._small.min() >= LAST)

    def settled(self, n: int) -> Booleans:
        """Whether so much has been said, or all there is to say of so many draws."""
        return np.asarray((self._small >= LAST) | (self._terms >= n))


def correlation(both: Floats, x: Floats, y: Floats, spread_x: Floats, spread_y: Floats, n: int) -> Floats:
    """Of what one draw counts before places x and before places y, in place of what is counted before both.

    ``both`` is of shape (..., n_x, n_y), the others of shapes (..., n_x) and (..., n_y); ``spread_x`` and ``spread_y``
    are n times the variances.
    """
    both -= np.matmul(x[..., :, None], (y / n)[..., None, :])  # a product takes less room than broadcasting
    both *= (1 / np.sqrt(spread_x))[..., :, None]
    both *= (1 / np.sqrt(spread_y))[..., None, :]
    return np.clip(both, -1.0, 1.0, out=both)
