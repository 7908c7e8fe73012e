"""From checked cases to the law of a statistic of a curve, of one model or of one minus another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.cases._cases import Cases
from skcostci.cases._counts import Levels, ScoreCounts
from skcostci.laws import (
    CurveDifferenceLaw,
    CurveLaw,
    CurveStatistic,
    CurveUnits,
    StepWorths,
    Unseen,
    curvature,
    feared_cases,
    first_order,
    group_strata,
    step_worths,
    stepped,
    typical_groups,
    varying_classes,
)
from skcostci.results._differences import MomentDifferenceResult
from skcostci.results._results import BootstrapResult

MOST_CURVED = 2**24  # groups times distinct scores: a second; the bias of more groups is that of cases
ROUNDING = 1e-13  # of a variance, beside the square of the range

Moments = tuple[float, float] | None


@dataclass(frozen=True)
class Placed:
    """One column's counts at levels of scores, the best first, and the statistic that is asked of them.

    ``drawn`` is the statistic as resamples have it, which differs from the one ``given`` the class sizes where these
    are resampled too.
    """

    cases: Cases
    column: str
    given: CurveStatistic
    drawn: CurveStatistic
    rows: bool
    counted: Callable[[ScoreCounts], Levels]

    @cached_property
    def levels(self) -> Levels:
        return self.counted(self.cases.counts(self.column, ranked=self.rows))

    @property
    def counts(self) -> tuple[Floats, Floats]:
        return self.levels.positive, self.levels.negative

    def statistic(self, fixed: bool) -> CurveStatistic:
        return self.given if fixed else self.drawn

    @cached_property
    def estimate(self) -> float:
        return self.given.value(*self.counts)

    @cached_property
    def places(self) -> Integers:
        """The level of each row."""
        counts, positive = self.cases.counts(self.column, ranked=True), self.cases.positive
        found = np.empty(len(positive), dtype=np.int64)
        for part, at, rows in zip(
            (counts.positive, counts.negative), self.levels.of_values(), (positive, ~positive), strict=True
        ):
            found[rows] = at[np.asarray(part.rank)]
        return found

    def of_rows(self, fixed: bool) -> Floats:
        """The influence of a case of each row."""
        own, other = self.statistic(fixed).influences(*self.counts)
        return np.asarray(np.where(self.cases.positive, own[self.places], other[self.places]))

    def strata(self, fixed: bool) -> list[CurveUnits]:
        """Of one model without groups: distinct scores stand for their cases."""
        parts = zip(self.statistic(fixed).influences(*self.counts), self.counts, strict=True)
        units = [CurveUnits(influence, held, np.ones(1)) for influence, held in parts]
        if fixed or self.drawn.of_rates:
            return units
        together = [np.concatenate([unit[place] for unit in units]) for place in (0, 1)]
        return [CurveUnits(together[0], together[1], np.ones(1))]

    def step(self, x: float, y: float, units: float, side: int, fixed: bool) -> float:
        """How far the worth of an unseen unit of these cases lies from the estimate."""
        moved = stepped(self.statistic(fixed), *self.counts, x, y, side)
        return (units + 1) * (moved - self.estimate)

    def held(self) -> list[tuple[Floats, Floats]]:
        """The counts of each group at the distinct scores."""
        cases, width = self.cases, len(self.counts[0])
        places = np.asarray(cases.groups) * width + self.places
        parts = [
            np.bincount(places[rows], cases.frequencies[rows], cases.n_groups * width).reshape(-1, width)
            for rows in (cases.positive, ~cases.positive)
        ]
        return list(zip(*parts, strict=True))

    def group_bias(self) -> float | None:
        """Of a resample of groups; None of so many that those are as good as cases."""
        if self.cases.n_groups * len(self.counts[0]) > MOST_CURVED:
            return None
        return curvature(self.drawn, *self.counts, self.held())


Step = Callable[[float, float, float, int, bool], float]  # of x positives, y negatives, among units, side, fixed sizes


def curve_law(
    placed: Placed, sampling: str, exact: Callable[[], Moments], bias: Callable[[], float] | None
) -> CurveLaw:
    """The law of one model. ``bias`` is of a resample of cases, to second order, or None where limits leave it in."""
    low, high = placed.given.support
    moments = exact() if sampling == "stratified" and placed.cases.groups is None else None
    if moments is not None and moments[1] <= ROUNDING * (high - low) ** 2:
        moments = None  # what is left of a difference of squares; first order is 0 for perfect ranks
    off = _bias(placed, moments, bias)
    center = placed.estimate - off if bias else placed.estimate
    center = float(np.clip(center, low, high))

    def strata(fixed: bool) -> list[CurveUnits]:
        if placed.cases.groups is None:
            return placed.strata(fixed)
        return _grouped(placed.cases, placed.of_rows(False))

    worths = _schemes(placed.cases, sampling, center, (low, high), strata, placed.step)
    mean, variance = moments or (placed.estimate + off, first_order(worths[0]))
    return CurveLaw(
        estimate=placed.estimate,
        mean=float(np.clip(mean, low, high)),
        variance=variance,
        is_exact=moments is not None,
        worths=worths,
    )


def _bias(placed: Placed, moments: Moments, bias: Callable[[], float] | None) -> float:
    if moments is not None:
        return moments[0] - placed.estimate
    if bias is None:
        return 0.0
    grouped = placed.group_bias() if placed.cases.groups is not None else None
    return bias() if grouped is None else grouped


def curve_difference_law(a: Placed, b: Placed, law_a: CurveLaw, law_b: CurveLaw, sampling: str) -> CurveDifferenceLaw:
    """Of a - b on the same cases: worths and ends subtract, the latter the worst of one and the best of the other."""
    cases = a.cases

    def strata(fixed: bool) -> list[CurveUnits]:
        apart = a.of_rows(fixed) - b.of_rows(fixed)
        if cases.groups is not None:
            return _grouped(cases, apart)
        times, ones = cases.frequencies.astype(np.float64), np.ones(1)
        places = 2 * (a.places * len(b.counts[0]) + b.places) + cases.positive
        by_class = fixed or a.drawn.of_rates
        rows = (cases.positive, ~cases.positive) if by_class else (np.full(len(times), True),)
        return [CurveUnits(*_alike(places[each], apart[each], times[each]), ones) for each in rows]

    def step(x: float, y: float, units: float, side: int, fixed: bool) -> float:
        return a.step(x, y, units, side, fixed) - b.step(x, y, units, -side, fixed)

    (low, high) = a.given.support
    support = low - high, high - low
    center = float(law_a.worths[0].estimate - law_b.worths[0].estimate)
    worths = _schemes(cases, sampling, center, support, strata, step)
    return CurveDifferenceLaw(
        estimate=a.estimate - b.estimate,
        mean=law_a.mean - law_b.mean,
        variance=first_order(worths[0]),
        is_exact=False,
        worths=worths,
        a=law_a,
        b=law_b,
    )


def _alike(places: Integers, influences: Floats, times: Floats) -> tuple[Floats, Floats]:
    """Rows at the same levels under both models put together, so that the order of rows does not matter to the bit."""
    _, first, which = np.unique(places, return_index=True, return_inverse=True)
    return influences[first], np.bincount(which, times).astype(np.float64)


def _schemes(
    cases: Cases,
    sampling: str,
    center: float,
    support: tuple[float, float],
    strata: Callable[[bool], list[CurveUnits]],
    step: Step,
) -> tuple[StepWorths, ...]:
    """The worths of the scheme asked for and, where class sizes vary, of fixed ones: that never narrows a limit."""
    if cases.groups is not None:
        return (_worths_of_groups(cases, center, support, strata(False), step),)
    schemes = (True,) if sampling == "stratified" else (False, True)
    return tuple(_worths_of_cases(center, support, strata(fixed), step, fixed) for fixed in schemes)


def _worths_of_cases(
    center: float, support: tuple[float, float], strata: list[CurveUnits], step: Step, fixed: bool
) -> StepWorths:
    owns = (0, 1) if len(strata) > 1 else (0, 0)
    if len(strata) > 1 and not fixed:
        strata = varying_classes(strata)
    units = [float(strata[own].times.sum()) for own in owns]
    kinds = ((1.0, 0.0), (0.0, 1.0))
    steps = [[center + step(*kind, k, side, fixed) for kind, k in zip(kinds, units, strict=True)] for side in (-1, 1)]
    return step_worths(center, support, strata, feared_cases(np.array(steps), owns))


def _worths_of_groups(
    cases: Cases, center: float, support: tuple[float, float], strata: list[CurveUnits], step: Step
) -> StepWorths:
    held = cases.group_sizes
    feared: tuple[list[Unseen], list[Unseen]] = ([], [])
    for own, (x, y, part) in enumerate(typical_groups(*held)):
        stratum = min(own, len(strata) - 1)
        k = float(strata[stratum].times.sum())
        for found, side in zip(feared, (-1, 1), strict=True):
            found.append(Unseen(stratum, np.asarray(center + step(x, y, k, side, False)), part))
    return step_worths(center, support, strata, feared)


def _grouped(cases: Cases, influences: Floats) -> list[CurveUnits]:
    """The influences of a group's cases add up."""
    held = cases.group_sizes
    sums = np.bincount(np.asarray(cases.groups), cases.frequencies * influences, cases.n_groups).astype(np.float64)
    sizes = held[0] + held[1]
    return [CurveUnits(sums[some], np.ones(len(some)), sizes[some]) for some in group_strata(*held)]


@dataclass(frozen=True, repr=False, eq=False)
class CurveResult(BootstrapResult[float]):
    """A number of a curve, with the moments of its bootstrap law."""

    law: CurveLaw = field(repr=False)


@dataclass(frozen=True, repr=False, eq=False)
class CurveDifferenceResult(MomentDifferenceResult, CurveResult):
    """The difference between two models in a number of a curve."""

    law: CurveDifferenceLaw = field(repr=False)


def of_scheme(cases: Cases) -> dict[str, Any]:
    """The interval methods, the default first, and what is resampled."""
    if cases.groups is None:
        return {"methods": ("unseen_case", "wald")}
    return {"methods": ("unseen_group", "wald"), "n_groups": cases.n_groups}
