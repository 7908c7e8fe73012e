"""MOVER (Zou and Donner 2008): limits of a weighted sum from each part's own limits and their correlations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._method import Law, Method


def joint_distance(x: Floats, y: Floats, decorrelation: Floats | float) -> Floats:
    """How far a difference may lie off when its parts may by x and by y; ``decorrelation`` is 1 less their correlation.

    The square root of x^2 + y^2 - 2 r x y falls with the smaller of x and y up to r times the larger, where a wider
    part must not narrow the whole: there it is kept at its least.
    """
    infinite = np.isinf(x) | np.isinf(y)  # the difference of an infinite limit and any other is infinite
    x, y = np.where(infinite, 0.0, x), np.where(infinite, 0.0, y)
    x, y = np.maximum(x, (1 - decorrelation) * y), np.maximum(y, (1 - decorrelation) * x)
    return np.where(infinite, np.inf, np.sqrt((x - y) ** 2 + 2 * decorrelation * x * y))


@dataclass(frozen=True)
class Part:
    """A parameter's estimate and law, the method of its limits and its weight in the sum."""

    estimate: Floats
    law: Law
    method: Method[Any]
    weight: float

    @property
    def variance(self) -> Floats:
        """Of its contribution."""
        return np.asarray(self.weight**2 * self.law.variance)

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of its contribution."""
        ends = [np.asarray(self.weight * end) for end in self.law.support]
        return (ends[0], ends[1]) if self.weight > 0 else (ends[1], ends[0])

    def distance(self, alpha: Floats, side: int) -> Floats:
        """How far the contribution's limit lies from its estimate."""
        toward = side if self.weight > 0 else -side
        limit = np.clip(self.method.limit(self.law, alpha, toward), *self.law.support)
        known = np.where(np.isfinite(self.estimate), self.estimate, 0.0)
        return np.asarray(abs(self.weight) * np.maximum(toward * (limit - known), 0.0))


@dataclass(frozen=True)
class CombinedLaw:
    """A weighted sum, known through its parts; ``covariance`` is that of their contributions, of shape (k, k, ...)."""

    parts: tuple[Part, ...]
    covariance: Floats

    @property
    def estimate(self) -> Floats:
        """On the data as given, from which limits are measured; NaN where a part has no value, or no finite one."""
        estimates = np.array([part.weight * part.estimate for part in self.parts])
        return np.asarray(np.where(np.isfinite(estimates).all(axis=0), estimates, np.nan).sum(axis=0))

    @property
    def mean(self) -> Floats:
        return np.asarray(sum(part.weight * part.law.mean for part in self.parts))

    @property
    def variance(self) -> Floats:
        return np.asarray(np.maximum(self.covariance.sum(axis=(0, 1)), 0.0))

    @property
    def support(self) -> tuple[Floats, Floats]:
        lows, highs = zip(*(part.support for part in self.parts), strict=True)
        return np.asarray(sum(lows)), np.asarray(sum(highs))


def combined(law: CombinedLaw, alpha: Floats, side: int) -> Floats:
    """Distances of the parts' limits added one by one, as correlated deviations are; the range if there is no value."""
    distance = law.parts[0].distance(alpha, side)
    covariance = np.where(np.isfinite(law.covariance), law.covariance, 0.0)  # of what has a mean but no variance
    for i, part in enumerate(law.parts[1:], start=1):
        before, between = covariance[:i, :i].sum(axis=(0, 1)), covariance[:i, i].sum(axis=0)
        scale = np.sqrt(np.maximum(before, 0.0) * covariance[i, i])
        decorrelation = 1 + np.clip(np.divide(between, scale, out=np.zeros_like(scale), where=scale > 0), -1, 1)
        distance = joint_distance(distance, part.distance(alpha, side), decorrelation)
    return np.where(np.isnan(law.estimate), law.support[side > 0], law.estimate + side * distance)


METHODS = (
    Method(
        "combined",
        "combined limits (MOVER)",
        combined,
        "Where a part's own limits are not to be trusted.",
    ),
)
