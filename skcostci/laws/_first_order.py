"""Statistics that are smooth in how much each case weighs, to first order: by the worths of their units.

A unit is a case, or a group of cases that belong together. Where e is the estimate and n units are drawn together, a
unit has the worth ``e + x``, x being n times the derivative of the statistic by the weight of the unit: so x is 0 on
average, the statistic of a resample is about the mean of its worths, and the variance is ``mean(x^2) / n``. Of several
strata (classes, each drawn to its own size) the parts add up. Of a difference of two statistics x is a difference.
Approximated is all but the estimate: the law is that of a linear statistic, of which mean and variance are given.

What one more unit could do at the worst and at the best is no derivative but a step of its full size: with it the
statistic is ``e + end / (n + 1)``, which defines the ``end``.

**Of a curve** a statistic is a number ``value(a, b)`` of how many positives and negatives share each distinct score,
the best first, and has for a case of either class at each score the influence ``g``: by how much the value moves, to
first order, as that case gets more weight. Average precision and the partial AUC (:mod:`._curve_areas`) are two of
them. There the derivative is no guide to a case that was not seen: average precision has an infinite one at the top of
the curve. So its worth w is that of the finite step from e to the value e' with one unit more than the k of its
stratum, ``w = (k + 1) e' - k e``, at the worst or the best place that scores can have; an unseen unit of weight u is
taken to move the value by ``u / (k + u) (w - e)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._auc import Differences, correlation
from skcostci.laws._lattice import binomial
from skcostci.laws._worths import KernelWorths, Moved, Unseen, number_of_one_size, typical


class Units(NamedTuple):
    """Units that are drawn together: how many, and how many of one size would say as much; what they add.

    One entry a point: the mean square and the mean cube of x, its least and its greatest value, how many are not 0, and
    the ends, x of the worst and the best unit that there could be, NaN where nobody knows.
    """

    number: float
    effective: float
    square: Floats
    third: Floats
    least: Floats
    most: Floats
    differing: Floats
    worst: Floats
    best: Floats

    @classmethod
    def of(cls, added: Floats, counts: Floats, ends: tuple[Floats, Floats], sizes: Floats | None = None) -> Units:
        """From x, of shape (n_rows, n_points), and how many units have it; ``sizes`` are the cases of each group."""
        number = float(counts.sum())
        effective = number if sizes is None else float(number_of_one_size(sizes))
        weights = counts / number
        square, third = (weights @ added**power for power in (2, 3))
        differing = counts @ (added != 0)
        return cls(number, effective, square, third, added.min(axis=0), added.max(axis=0), differing, *ends)


@dataclass(frozen=True)
class FirstOrderLaw:
    """Mean and variance, to first order, of a statistic at n_points points, and the worths that limits ask for."""

    estimate: Floats
    ends: tuple[float, float]
    strata: tuple[Units, ...]

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter."""
        least, most = (np.full(self.estimate.shape, end) for end in self.ends)
        return least, most

    @property
    def is_exact(self) -> bool:
        return False

    @property
    def mean(self) -> Floats:
        return self.estimate

    @property
    def variance(self) -> Floats:
        return np.asarray(sum(part.square / part.number for part in self.strata))

    @property
    def undefined(self) -> Floats:
        """No resample is without a value: what is missing in it counts 0."""
        return np.zeros_like(self.estimate)

    @property
    def units(self) -> Floats:
        return self._of_strata([part.number for part in self.strata])

    @property
    def effective(self) -> Floats:
        return self._of_strata([part.effective for part in self.strata])

    def _of_strata(self, numbers: Sequence[float]) -> Floats:
        return np.repeat(np.reshape(numbers, (-1, 1)), len(self.estimate), axis=1)

    def unseen(self, side: int) -> list[Unseen]:
        """In each stratum the unit that a limit fears most."""
        return [Unseen(own, part.worst if side < 0 else part.best) for own, part in enumerate(self.strata)]

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        """The mean of the worths of a stratum moves towards that of the unseen unit, and all are held against it."""
        own = self.strata[one.stratum]
        whole = own.number + u
        shift = u * one.made_of / whole
        squares = np.array([part.square / part.number for part in self.strata])
        squares[one.stratum] = own.number * (own.square + shift**2) / whole**2
        least, most = ((end - shift) / whole for end in (own.least, own.most))
        return Moved(self.estimate + shift, (one.made_of - shift) / whole, squares, (least, most))

    def differences(self, point: int) -> tuple[Differences, ...]:
        """Of each stratum how x varies at a point, the furthest seen being the furthest that is thought of."""
        found = []
        for part in self.strata:
            far = float(max(-part.least[point], part.most[point]))
            moments = float(part.square[point]), float(part.third[point])
            found.append(Differences(part.number, 0.0, far, *moments, far, float(part.differing[point])))
        return tuple(found)


class CurveStatistic(Protocol):
    """A number of the counts of both classes at distinct scores, the best first.

    ``support`` is its range and ``of_rates`` says whether it depends on the classes' shares alone, so that influences
    add up to 0 in each class and not only over all cases.
    """

    @property
    def support(self) -> tuple[float, float]: ...

    @property
    def of_rates(self) -> bool: ...

    def value(self, a: Floats, b: Floats) -> float: ...

    def influences(self, a: Floats, b: Floats) -> tuple[Floats, Floats]: ...


class CurveUnits(NamedTuple):
    """What is drawn together: influences, how many units have each, and how large these are."""

    influence: Floats
    times: Floats
    sizes: Floats  # one for all where they are cases


@dataclass(frozen=True)
class StepWorths(KernelWorths):
    """Units in strata whose worths average to the value; ``feared`` are the unseen ones, of either limit.

    What an unseen unit is ``made_of`` is its worth.
    """

    feared: tuple[tuple[Unseen, ...], tuple[Unseen, ...]]

    def unseen(self, side: int) -> list[Unseen]:
        return list(self.feared[side > 0])


@dataclass(frozen=True, kw_only=True)
class CurveLaw:
    """Mean and variance of such a statistic in a resample, and the worths that limits are asked of.

    ``worths`` are one entry a scheme of resampling, of which the widest limit counts. ``is_exact`` says whether mean
    and variance are exact; else the variance is of first order, and the mean of second.
    """

    estimate: float
    mean: float
    variance: float
    is_exact: bool
    worths: tuple[StepWorths, ...]

    @property
    def support(self) -> tuple[float, float]:
        """The range of the parameter."""
        return self.worths[0].support


@dataclass(frozen=True, kw_only=True)
class CurveDifferenceLaw(CurveLaw):
    """Of the difference between models a and b on the same cases."""

    a: CurveLaw
    b: CurveLaw

    @cached_property
    def covariance(self) -> float:
        """The covariance of both in a resample, to first order."""
        (a, b) = (first_order(law.worths[0]) for law in (self.a, self.b))
        return (a + b - first_order(self.worths[0])) / 2

    @cached_property
    def correlation(self) -> float:
        """Their correlation; 0 where either cannot vary."""
        return correlation(self.covariance, first_order(self.a.worths[0]) * first_order(self.b.worths[0]))


def first_order(worths: StepWorths) -> float:
    """The variance of the sum of worths."""
    return float((worths.variances / worths.units).sum())


def step_worths(
    center: float,
    support: tuple[float, float],
    strata: Sequence[CurveUnits],
    feared: tuple[Sequence[Unseen], Sequence[Unseen]],
) -> StepWorths:
    """The worths ``center + k g`` of the k units of each stratum."""
    units, effective, variances, ranges = [], [], [], []
    for influence, times, sizes in strata:
        k = float(times.sum())
        placed = k * influence[times > 0]
        units.append(k)
        effective.append(float(number_of_one_size(sizes)) if len(sizes) > 1 else k)
        variances.append(float(times[times > 0] @ placed**2) / k)
        ranges.append((center + float(placed.min()), center + float(placed.max())))
    return StepWorths(
        center,
        support,
        np.array(units),
        np.array(effective),
        np.array(variances),
        tuple(ranges),  # type: ignore[arg-type]  # one or two strata
        tuple(tuple(each) for each in feared),  # type: ignore[arg-type]
    )


def stepped(statistic: CurveStatistic, a: Floats, b: Floats, x: float, y: float, side: int) -> float:
    """The value with x positives and y negatives more: at the wrong ends for a lower limit, at the right ones else."""
    ends = ((0.0, y), (x, 0.0))
    (top_a, top_b), (low_a, low_b) = ends if side < 0 else ends[::-1]
    return statistic.value(np.concatenate([[top_a], a, [low_a]]), np.concatenate([[top_b], b, [low_b]]))


def feared_cases(steps: Floats, strata: Sequence[int]) -> tuple[list[Unseen], list[Unseen]]:
    """A positive and a negative that were not seen, in these strata."""
    low, high = ([Unseen(own, worth) for own, worth in zip(strata, side, strict=True)] for side in steps)
    return low, high


def group_strata(positives: Floats, negatives: Floats) -> list[Integers]:
    """Which groups are drawn together: all, or groups of positives and groups of negatives if none holds both."""
    if np.any((positives > 0) & (negatives > 0)):
        return [np.arange(len(positives))]
    return [np.flatnonzero(positives > 0), np.flatnonzero(negatives > 0)]


def typical_groups(positives: Floats, negatives: Floats) -> list[tuple[float, float, float]]:
    """Positives and negatives of a group typical of those that hold either class, and that class's part in its harm."""
    held, found = np.column_stack([positives, negatives]), []
    for own, sizes in enumerate((positives, negatives)):
        x, y = typical(held, sizes).tolist()
        parts = x / positives.sum(), y / negatives.sum()
        found.append((x, y, float(parts[own] / sum(parts))))
    return found


def curvature(statistic: CurveStatistic, a: Floats, b: Floats, held: Sequence[tuple[Floats, Floats]]) -> float:
    """The bias of a resample of groups, to second order: half the sum of second derivatives by their weights."""
    step, here = 0.25, statistic.value(a, b)
    bent = 0.0
    for more_a, more_b in held:
        up = statistic.value(a + step * more_a, b + step * more_b)
        down = statistic.value(a - step * more_a, b - step * more_b)
        bent += up - 2 * here + down
    return bent / (2 * step**2)


def varying_classes(strata: Sequence[CurveUnits]) -> list[CurveUnits]:
    """Where class sizes are drawn too: the worths of as many cases of each class as its size has for harmonic mean.

    A variance is divided by the size, so that this number gives the variance averaged over sizes, none of them 0.
    """
    seen = [float(part.times.sum()) for part in strata]
    total = round(sum(seen))
    sizes = binomial(total, seen[0] / total, seen[1] / total)
    both = (sizes.support > 0) & (sizes.support < total)
    drawn, pmf = sizes.support[both].astype(np.float64), sizes.pmf[both]
    found = []
    for part, size, held in zip(strata, seen, (drawn, total - drawn), strict=True):
        share = min(float(pmf.sum() / (pmf @ (1 / held))) / size, 1.0)
        found.append(CurveUnits(part.influence / share, part.times * share, part.sizes))
    return found
