"""The law of the largest of correlated normal deviates, on which adjusted p-values and simultaneous intervals rest.

A standard normal vector is a direction u times an independent radius, a chi law of as many degrees of freedom as
there are dimensions. Given u, the largest of the deviates ``a_p u r`` exceeds t where ``r > t / max_p a_p u``, so
the probability is the mean of chi tails over the directions (Deak 1980; Genz & Bretz 2009). The directions are those of
a fixed set of Sobol points and their mirror images: smooth in t, the same at every call, no seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincc, ndtr, ndtri
from scipy.stats import qmc

from skcostci._validation import Floats

POINTS = 13  # log2 of the number of directions, mirror images aside
FAR = 1e-3  # probabilities below this are taken from Bonferroni's bound: few directions reach so far
DEPENDENT = 1e-9  # eigenvalues of a correlation matrix below this share of the largest are rounding


@dataclass(frozen=True)
class LargestDeviate:
    """The largest of standard normal deviates with these correlations, or of their absolute values."""

    correlation: Floats
    two_sided: bool = True

    def exceeds(self, t: Floats) -> Floats:
        """P(the largest > t), for any t (of absolute values, at least 0)."""
        bound = self._bonferroni(t)
        far = t > self._far
        near = self._mean_tail(np.where(far, self._far, t))
        return np.where(far, np.minimum(near, bound), np.clip(near, bound / self._count, np.minimum(bound, 1)))

    def critical_value(self, alpha: float) -> float:
        """The t that the largest exceeds with probability alpha; checked to converge."""
        sides = 1 + self.two_sided
        low, high = float(-ndtri(alpha / sides)), float(-ndtri(alpha / sides / self._count))
        if low == high:
            return low

        def excess(t: float) -> float:
            return float(np.log(self.exceeds(np.array(t))) - np.log(alpha))

        low, high = max(low - 1e-9, 0.0 if self.two_sided else -np.inf), high + 1e-9
        if excess(low) <= 0:  # only where alpha is 1, or but for rounding
            return low
        return float(brentq(excess, low, high, xtol=1e-10)) if excess(high) < 0 else high

    @property
    def _count(self) -> int:
        return len(self.correlation)

    def _bonferroni(self, t: Floats) -> Floats:
        """The sum of the deviates' own probabilities."""
        return np.asarray((1 + self.two_sided) * self._count * ndtr(-t))

    @cached_property
    def _far(self) -> float:
        """Where the mean over the directions is no longer trusted."""
        top = float(-ndtri(FAR / self._count / 2))
        if self._dimensions == 1:
            return np.inf
        return float(brentq(lambda t: float(self._mean_tail(np.array(t))) - FAR, 0.0, top + 1, xtol=1e-8))

    @property
    def _dimensions(self) -> int:
        return int(self._factor.shape[1])

    @cached_property
    def _factor(self) -> Floats:
        """Rows ``a_p`` of length 1 whose products are the correlations."""
        values, vectors = np.linalg.eigh(self.correlation)
        kept = values > DEPENDENT * values[-1]
        factor = vectors[:, kept] * np.sqrt(values[kept])
        return np.asarray(factor / np.linalg.norm(factor, axis=1, keepdims=True))

    @cached_property
    def _reach(self) -> Floats:
        """For each direction, the largest deviate of a vector of length 1."""
        deviates = directions(self._dimensions) @ self._factor.T
        return np.asarray((np.abs(deviates) if self.two_sided else deviates).max(axis=1))

    def _mean_tail(self, t: Floats) -> Floats:
        """The mean over the directions of the radius' chance to carry the largest deviate beyond t."""
        reach, t_row = self._reach[:, None], np.ravel(t)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            radius = np.where(reach == 0, np.inf, np.abs(t_row) / np.abs(reach))
        beyond = gammaincc(self._dimensions / 2, radius**2 / 2)
        tail = np.where(t_row >= 0, np.where(reach > 0, beyond, 0.0), np.where(reach < 0, 1 - beyond, 1.0))
        return np.asarray(tail.mean(axis=0).reshape(np.shape(t)))


@cache
def directions(dimensions: int) -> Floats:
    """Evenly spread unit vectors, each with its mirror image."""
    if dimensions == 1:
        return np.array([[1.0], [-1.0]])
    points = qmc.Sobol(dimensions, scramble=False).random_base2(POINTS) + 2.0 ** -(POINTS + 1)
    normal = ndtri(points)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    mirrored: Floats = np.concatenate([normal, -normal])
    return mirrored
