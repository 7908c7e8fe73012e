"""Means, weighted sums of the means of classes, and ratios, as statistics with influences for ``_units``.

    T = sum_c W_c mean of v in class c,        g_i = W_c (v_i - mean_c) / n_c of a case of class c,
    R = sum n / sum d,                         g_i = (n_i - R d_i) / sum d.

A cost is such a sum T (W the weights of the classes, v whether a case is an error). So are a rate (one class), a mean
of losses (all cases as one class), and the difference of any two, where v is the value under a minus that under b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from skcostci._arrays import Floats
from skcostci._frozen import altered, cached_property
from skcostci.cases._design import Part
from skcostci.laws._rounding import SPREAD_ROUNDING, rounding_of


class Statistic(Protocol):
    """A statistic of the cases of one part, of one model or of a minus b, at n_points points."""

    @property
    def value(self) -> Floats:
        """The statistic, shape (n_points,)."""

    @property
    def influences(self) -> Floats:
        """The influence of a case of each row, shape (n_rows, n_points)."""

    @property
    def rounding(self) -> Floats | float:
        """How large the influence of a case may be by rounding alone."""

    def with_additional(self, made: Floats, side: int) -> Floats:
        """The value with ``made`` additional cases of each class, all least favourable to the limit on this side."""


class OfSums:
    """A statistic of sums, which may be ``at`` another ``center``: in a fold of one case nothing deviates."""

    @property
    def center(self) -> Floats:
        raise NotImplementedError

    def at(self, center: Floats) -> Self:
        """The same cases, with influences and additional cases as deviations from this center."""
        raise NotImplementedError

    @classmethod
    def at_mean(cls, each: Sequence[Self]) -> list[Self]:
        """The statistics of folds at the mean of their centers, which may be NaN in some."""
        centers = np.array([one.center for one in each])
        known = ~np.isnan(centers)
        center = np.where(known, centers, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        return [one.at(center) for one in each]


def at_mean_over_folds(each: Sequence[Statistic]) -> Sequence[Statistic]:
    """The statistics of folds, sums of cases at their mean over folds; those of ranks, each at its own, as they are."""
    if len(each) == 1:
        return each
    if isinstance(each[0], Difference):
        models = ([getattr(one, model) for one in each] for model in ("a", "b"))
        return [Difference(*pair) for pair in zip(*map(at_mean_over_folds, models), strict=True)]
    sums = [one for one in each if isinstance(one, OfSums)]
    return type(sums[0]).at_mean(sums) if sums else each


def is_of_sums(one: Statistic) -> bool:
    return isinstance(one.a if isinstance(one, Difference) else one, OfSums)


@dataclass(frozen=True, repr=False, eq=False)
class ClassMeans(OfSums):
    """T for values v of shape (n_rows, n_points); ``weights`` are W, ``low``, ``high`` the ends of v, per class."""

    part: Part
    values: Floats
    weights: Floats
    low: Floats
    high: Floats

    @classmethod
    def of_all(cls, part: Part, values: Floats, low: float, high: float) -> Self:
        """The mean of all cases as one class; the part has no others."""
        return cls(part, values, np.ones((1, 1)), np.full((1, 1), low), np.full((1, 1), high))

    @cached_property
    def sums(self) -> tuple[Floats, Floats]:
        """The sum of v and the number of cases of each class; the number is 1 if there is none, as the sum is 0."""
        classes, cases = self.part.classes, self.part.weights
        sizes = np.bincount(classes, cases, len(self.weights)).astype(np.float64)
        sums = [np.bincount(classes, cases * each, len(self.weights)) for each in self.values.T]
        return np.array(sums, dtype=np.float64).T, np.maximum(sizes, 1.0)[:, None]

    @property
    def center(self) -> Floats:
        """The mean of each class; NaN where there are no cases of it."""
        seen = np.isin(np.arange(len(self.weights)), self.part.classes)
        return np.where(seen[:, None], self.sums[0] / self.sums[1], np.nan)

    def at(self, center: Floats) -> Self:
        return altered(self, sums=(center * self.sums[1], self.sums[1]))

    @property
    def value(self) -> Floats:
        sums, sizes = self.sums
        return np.asarray((self.weights * sums / sizes).sum(axis=0))

    @property
    def influences(self) -> Floats:
        (sums, sizes), own = self.sums, self.part.classes
        return np.asarray((self.weights / sizes)[own] * (self.values - (sums / sizes)[own]))

    @property
    def rounding(self) -> Floats:
        """Relative to the values themselves, not to their deviations from the mean."""
        largest = np.abs(self.values).max(axis=0, initial=0.0)
        return np.asarray(SPREAD_ROUNDING * largest * np.abs(self.weights / self.sums[1]).max(axis=0))

    def with_additional(self, made: Floats, side: int) -> Floats:
        sums, sizes = self.sums
        end, more = self.low if side < 0 else self.high, made[:, None]
        return np.asarray((self.weights * (sums + more * end) / (sizes + more)).sum(axis=0))

    def with_case(self) -> Floats:
        """The mean of all with one more case, at either end: one label each, and one prediction."""
        return np.array([[self.with_additional(np.ones(1), side)] for side in (-1, 1)])


@dataclass(frozen=True, repr=False, eq=False)
class Ratio(OfSums):
    """R, at one point; the n and d of an additional case lie between the pairs in ``extremes``."""

    part: Part
    numerator: Floats
    denominator: Floats
    extremes: tuple[tuple[float, float], ...]

    @property
    def rounding(self) -> float:
        """Relative to the larger of both terms of n - R d."""
        above, below = self.sums
        return rounding_of(self.numerator, above / below * self.denominator) / abs(below)

    @cached_property
    def sums(self) -> tuple[float, float]:
        cases = self.part.weights
        return float(cases @ self.numerator), float(cases @ self.denominator)

    @property
    def center(self) -> Floats:
        return self.value

    def at(self, center: Floats) -> Self:
        return altered(self, sums=(float(center[0]) * self.sums[1], self.sums[1]))

    @property
    def value(self) -> Floats:
        above, below = self.sums
        return np.array([above / below])

    @property
    def influences(self) -> Floats:
        above, below = self.sums
        return np.asarray((self.numerator - above / below * self.denominator)[:, None] / below)

    def with_additional(self, made: Floats, side: int) -> Floats:
        """For the upper limit (side 1) the extreme pair that makes the ratio largest, for the lower one smallest."""
        (above, below), many = self.sums, float(made.sum())
        found = [(above + many * n) / (below + many * d) for n, d in self.extremes]
        return np.array([min(found) if side < 0 else max(found)])


@dataclass(frozen=True, repr=False, eq=False)
class Difference:
    a: Statistic
    b: Statistic

    @classmethod
    def of(cls, models: Sequence[Statistic]) -> Statistic:
        return models[0] if len(models) == 1 else cls(*models)

    @property
    def rounding(self) -> Floats | float:
        return np.maximum(self.a.rounding, self.b.rounding)

    @property
    def value(self) -> Floats:
        return self.a.value - self.b.value

    @property
    def influences(self) -> Floats:
        return self.a.influences - self.b.influences

    def with_additional(self, made: Floats, side: int) -> Floats:
        return self.a.with_additional(made, side) - self.b.with_additional(made, -side)
