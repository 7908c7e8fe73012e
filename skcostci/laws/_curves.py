"""What a band for all points of a curve needs to know: how many cases are hit at each point, class by class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from skcostci._validation import Booleans, Floats, Integers


@dataclass(frozen=True)
class Hits:
    """How many of a class's cases a model hits at each of n_points points.

    ``value`` is what the statistic gains for hitting all instead of none; ``possible``, of shape (n_points, 2), says
    whether a case can be hit, and missed, at all.
    """

    hits: Integers
    cases: int
    value: Floats
    possible: Booleans

    @property
    def share(self) -> Floats:
        return np.asarray(self.hits / self.cases)

    @property
    def known(self) -> Booleans:
        """Where it adds the same whatever the population."""
        return np.asarray(~self.possible.all(axis=1) | (self.value == 0))


@dataclass(frozen=True)
class ClassHits:
    """The hits of one model, or of two, among the cases of one class; ``both`` counts those that both hit."""

    models: tuple[Hits, ...]
    both: Integers | None = None

    @property
    def mean(self) -> Floats:
        """What the class adds to the statistic, but for a constant."""
        return np.asarray(sum(model.value * model.share for model in self.models))

    def variance(self) -> Floats:
        """Of what the class adds to the statistic, at each point."""
        square = np.asarray(sum(model.value**2 * model.share for model in self.models))
        if self.both is not None:
            a, b = self.models
            square = square + 2 * a.value * b.value * self.both / a.cases
        return np.asarray((square - self.mean**2) / self.models[0].cases)

    def covariance(self, order: NDArray[np.intp], both_next: Integers | None) -> Floats:
        """Of what it adds at a point and at the next in this order.

        Of two thresholds for one score the cases hit at both are those hit at the higher one; ``both_next``, of shape
        (n_points - 1, 2), counts those that a hits at a point and b at the next, and the other way round.
        """
        here, there = order[:-1], order[1:]
        product = np.asarray(
            sum(m.value[here] * m.value[there] * np.minimum(m.share[here], m.share[there]) for m in self.models)
        )
        if both_next is not None:
            a, b = self.models
            values = np.column_stack([a.value[here] * b.value[there], b.value[here] * a.value[there]])
            product = product + (values * both_next).sum(axis=1) / a.cases
        return np.asarray((product - self.mean[here] * self.mean[there]) / self.models[0].cases)


@dataclass(frozen=True)
class LinearCurve:
    """A weighted sum of rates at each point, ``constant`` plus what the classes add, and how far its points differ.

    ``path_length`` is the sum of the angles, arccos of their correlations, between neighbours.
    """

    constant: Floats
    classes: tuple[ClassHits, ...]
    path_length: float

    @property
    def unknown_points(self) -> int:
        """How many points are not known beforehand, at least 1."""
        return max(int((~_known(self.classes)).sum()), 1)


def linear_curve(
    constant: Floats,
    classes: tuple[ClassHits, ...],
    axis: Floats,
    both_next: tuple[Integers | None, ...],
) -> LinearCurve:
    """A curve whose neighbours are those along its axis."""
    order = np.argsort(axis, kind="stable")
    variance = np.asarray(sum(part.variance() for part in classes))[order]
    covariance = np.asarray(sum(part.covariance(order, both) for part, both in zip(classes, both_next, strict=True)))
    return LinearCurve(constant, classes, path_length(variance, covariance, _known(classes)[order]))


def path_length(variance: Floats, covariance: Floats, known: Booleans) -> float:
    """The sum of the angles between successive points; known points have none, and a gap they leave counts as pi.

    Where the estimate has no variance at one of two points they count as uncorrelated, at both as the same.
    """
    scale = np.sqrt(np.maximum(variance[:-1] * variance[1:], 0.0))
    still = (variance[:-1] <= 0) & (variance[1:] <= 0)
    correlation = np.where(scale > 0, covariance / np.where(scale > 0, scale, 1.0), still)
    angles = np.arccos(np.clip(correlation, -1, 1))[~(known[:-1] | known[1:])]
    stretches = int((np.diff(known.astype(int), prepend=1) < 0).sum())
    return float(angles.sum() + np.pi * max(stretches - 1, 0))


def _known(classes: tuple[ClassHits, ...]) -> Booleans:
    """Where every class adds the same whatever the population."""
    return np.asarray(np.all([model.known for part in classes for model in part.models], axis=0))


@dataclass(frozen=True)
class ROCCurve:
    """False and true positives at the distinct scores going down, after (0, 0): one model's whole ROC curve."""

    false_positives: Integers
    true_positives: Integers
    negatives: int
    positives: int


@dataclass(frozen=True)
class ROCHeights:
    """The heights of a ROC curve, or the difference of two, at given false-positive rates; made when asked for."""

    fpr: Floats
    curves: tuple[Callable[[], ROCCurve], ...]

    @cached_property
    def models(self) -> tuple[ROCCurve, ...]:
        return tuple(curve() for curve in self.curves)
