"""Areas under a curve: the partial AUC and average precision, of one model and of a minus b.

To first order the statistic of a resample is T + sum of the influences of the cases drawn (``laws/influence/_areas``);
where positives or rates are few the variance is exact. The additional case, or group, is at the end of the ranking that
is least favourable, to one of two models, and most favourable to the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from skcostci._arrays import Floats
from skcostci._frozen import cached_property, read_only
from skcostci._options import SAMPLINGS, Sampling
from skcostci._validation._arguments import SMALLEST_COST, Number, SampledShare, check_judged_share, check_option
from skcostci.cases._cases import Cases
from skcostci.cases._counts import Places, ScoreBins, ScoreCounts, bins_at_positives, bins_down_to, in_order
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.influence._areas import (
    AveragePrecision,
    CurveDifferenceLaw,
    CurveLaw,
    CurveStatistic,
    CurveUnits,
    PartialAUC,
    average_precision_moments,
    drawn_groups,
    step_worths,
    stepped,
    varying_classes,
    with_stratum,
)
from skcostci.laws.influence._first_order import OF_CURVES, StepWorths, Units, Unseen, group_strata, typical_groups
from skcostci.laws.influence._grouped_bias import bias_of_groups
from skcostci.laws.influence._variation import DrawnUnits
from skcostci.results._estimand import Estimand
from skcostci.results._paired_results import MomentDifferenceResult
from skcostci.results._results import BootstrapResult
from skcostci.statistics._areas_by_label import OfLabels, against_rest, areas_by_label
from skcostci.statistics._unit_means import Difference, OfRanks
from skcostci.statistics._units import law_of_models, methods_of_units, of_scheme
from skcostci.statistics._weight_types import continuous_in_weights

SHARE_STEP = 1e-6  # in a share of positives, for a central difference; halved: rounding costs a digit
ROUNDING = 1e-13  # of a variance, relative to the square of the range
SMALLEST_MAX_FPR = SMALLEST_COST  # the square of a smaller one is lost in float64

Moments = tuple[float, float] | None
Step = Callable[[float, float, float, int, bool], float]  # (x positives, y negatives, units, side, fixed)
Kinds = tuple[Callable[..., BootstrapResult], Callable[..., BootstrapResult]]  # for one model and for two


@dataclass(frozen=True, repr=False, eq=False)
class PartialAUCResult(BootstrapResult[float]):
    """The area under the ROC curve up to a false-positive rate, with the moments of its bootstrap distribution.

    Returned by :func:`bootstrap_auc` with ``max_fpr=``: McClish's standardized value, or the area itself. In addition
    to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    max_fpr : float
        The upper end of the range of false-positive rates.
    standardize : bool
        Whether the area is standardized (McClish).
    """

    max_fpr: float
    standardize: bool


@dataclass(frozen=True, repr=False, eq=False)
class PartialAUCDifferenceResult(MomentDifferenceResult):
    """The partial AUC of model a minus that of model b, with the moments of the joint bootstrap distribution.

    Returned by :func:`bootstrap_auc_difference` with ``max_fpr=``; positive values favour a. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    max_fpr : float
        The upper end of the range of false-positive rates.
    standardize : bool
        Whether the areas are standardized (McClish).
    """

    max_fpr: float
    standardize: bool


@dataclass(frozen=True, repr=False, eq=False)
class AveragePrecisionResult(OfLabels):
    """Average precision with the moments of its bootstrap distribution.

    Returned by :func:`bootstrap_average_precision`; the estimate is scikit-learn's. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : ndarray of shape (n_labels,), default=None
        With ``average=None`` the class, or the label, of each point; the numbers are then arrays.
    """


@dataclass(frozen=True, repr=False, eq=False)
class AveragePrecisionDifferenceResult(MomentDifferenceResult, OfLabels):
    """The average precision of model a minus that of model b, with the moments of the joint bootstrap distribution.

    Returned by :func:`bootstrap_average_precision_difference`; positive values favour a. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : ndarray of shape (n_labels,), default=None
        With ``average=None`` the label of each point; the numbers are then arrays.
    """


def check_max_fpr(max_fpr: object, standardize: object) -> float | None:
    """The rate; None for the whole area."""
    if not isinstance(standardize, bool | np.bool_):
        raise TypeError(f"standardize must be True or False, got {standardize!r}.")
    if max_fpr is None:
        if not standardize:
            raise ValueError("standardize=False needs max_fpr, got None: the whole area has only one scale.")
        return None
    rate = Number(SMALLEST_MAX_FPR, 1)("max_fpr", max_fpr)
    return None if rate == 1 else rate


@continuous_in_weights
def partial_auc_of(
    cases: Cases, *columns: str, sampling: Sampling = "stratified", max_fpr: float, standardize: bool = True
) -> Any:
    """The partial AUC; without groups only scores that resamples, or one more case, may reach have own bins."""
    statistic = PartialAUC(max_fpr, bool(standardize))

    def area(part: Cases) -> Area:
        reached = max_fpr * part.sizes[1]
        reach = math.inf if part.groups is not None else reached + 10 * math.sqrt(reached) + 100
        return Area(statistic, statistic, partial(bins_down_to, negatives=reach), statistic.exact_moments)

    options = {"max_fpr": max_fpr, "standardize": statistic.standardize}
    of_one = partial(PartialAUCResult, max_fpr=max_fpr, standardize=statistic.standardize)
    of_two = partial(PartialAUCDifferenceResult, max_fpr=max_fpr, standardize=statistic.standardize)
    estimand = Estimand("partial_auc", len(columns) == 2, positive=cases.labels[1], axis=options)
    return _result((of_one, of_two), area, cases, columns, sampling, estimand)


@continuous_in_weights
def average_precision_of(
    cases: Cases,
    *columns: str,
    sampling: Sampling = "stratified",
    prevalence: Any = None,
    average: str | None = "macro",
    labels: Any = None,  # noqa: ARG001  # checked with the cases; statistics by name hand their options on
) -> Any:
    """The average precision, least with all positives below all negatives (Boyd et al. 2012), at the class mix."""
    check_option("sampling", sampling, SAMPLINGS)
    if cases.columns[columns[0]].ndim > 1:
        return _average_precision_of_labels(cases, columns, sampling, prevalence, average)
    single = cases.rows.stand_alone and cases.folds is None
    mix = None if prevalence is None else check_judged_share(prevalence, single=single)
    if mix is not None and sampling == "full":
        raise ValueError(
            f"sampling must be 'stratified' with a prevalence, got 'full' and prevalence={prevalence!r}: full "
            "sampling resamples the class mix, but prevalence fixes it."
        )

    def area(part: Cases) -> Area:
        m, n = part.sizes
        odds = n / m if mix is None else (1 - mix) / mix
        least = max(1 - odds * math.log1p(1 / odds), 0.0) if not isinstance(mix, SampledShare) else 0.0
        given = AveragePrecision(least, odds)
        drawn = AveragePrecision(least) if mix is None else given
        return Area(given, drawn, bins_at_positives, partial(average_precision_moments, r=odds * m / n), given.bias)

    estimand = Estimand("average_precision", len(columns) == 2, prevalence=mix, positive=cases.labels[1])
    kinds = AveragePrecisionResult, AveragePrecisionDifferenceResult
    return _result(kinds, area, cases, columns, sampling, estimand)


def _average_precision_of_labels(
    cases: Cases, columns: Sequence[str], sampling: Sampling, prevalence: float | None, average: str | None
) -> Any:
    """The average precision of several classes, each against the rest, or of several labels per case."""
    if prevalence is not None:
        raise ValueError(f"prevalence needs two classes, got {prevalence!r}: leave it out for several classes.")
    if cases.has_labels:
        only = SAMPLINGS[:1]
        check_option("sampling", sampling, only, " Cases with several labels are resampled as a whole; leave it out.")
    else:
        cases.check_sampling(sampling, "stratified")
    counted = cases.folds is None and not cases.rows.has_importance
    if average is None and len(columns) == 1 and not cases.has_labels and counted:
        labels = tuple(cases.labels)
        estimand = Estimand("average_precision", labels=labels, axis={"label": read_only(np.array(labels))})
        return against_rest(cases, columns[0], partial(average_precision_of, sampling=sampling), estimand)
    kinds = AveragePrecisionResult, AveragePrecisionDifferenceResult
    return areas_by_label(kinds, Estimand("average_precision"), cases, columns, average, sampling=sampling)


@dataclass(frozen=True, repr=False, eq=False)
class Area:
    """A statistic of the counts in bins of scores, the highest first; ``counted`` makes the bins.

    ``given`` is the statistic at the class mix of these cases, or at a given one; ``drawn`` is the statistic of a
    resample, which differs where the class mix is resampled too. ``bias`` is the second-order bias of a resample of
    cases; None if limits are not corrected for bias.
    """

    given: CurveStatistic
    drawn: CurveStatistic
    counted: Callable[[ScoreCounts], ScoreBins]
    exact: Callable[[Floats, Floats], Moments]
    bias: Callable[[Floats, Floats], float] | None = None


def _result(
    kinds: Kinds,
    area: Callable[[Cases], Area],
    cases: Cases,
    columns: Sequence[str],
    sampling: Sampling,
    estimand: Estimand,
) -> Any:
    check_option("sampling", sampling, SAMPLINGS)
    cases.check_sampling(sampling, "stratified")
    grouped = cases.groups is not None
    if cases.folds is not None or cases.rows.is_weighted:
        return _of_folds(kinds, area, cases, columns, estimand)
    placed = [Placed(cases, column, area(cases), grouped or len(columns) == 2) for column in columns]
    share = estimand.prevalence
    laws = [_at_sampled_share(_law(each, sampling), share, [each]) for each in placed]
    law = laws[0]
    if len(laws) == 2:
        law = _at_sampled_share(_difference_law(*placed, *laws, sampling), share, placed)  # type: ignore[call-arg, arg-type]
    methods = methods_of_units(grouped=grouped, paired=len(laws) == 2)
    return kinds[len(laws) - 1](law.estimate, law, methods, n_groups=cases.n_groups or None, estimand=estimand)


def _of_folds(
    kinds: Kinds,
    area: Callable[[Cases], Area],
    cases: Cases,
    columns: Sequence[str],
    estimand: Estimand,
) -> Any:
    """The result with folds, in each of which each class or whole groups are drawn, or with unequal weights."""
    folds = cases.by_fold()
    models = [[Placed(fold, column, area(fold), True) for column in columns] for fold in folds]
    low, high = np.mean([area(fold).given.support for fold in folds], axis=0).tolist()
    law = law_of_models(cases.design(by_class=not cases.rows.is_weighted), models, (low, high), OF_CURVES)
    fields: dict[str, object] = {
        **of_scheme(cases, [*map(Difference.of, models)]),
        "estimand": replace(estimand, folds=cases.folds is not None),
    }
    methods = methods_of_units(grouped=cases.groups is not None)
    if cases.rows.is_weighted and len(columns) == 2:
        methods = ("extrapolated", *methods)
    return kinds[len(columns) - 1](float(law.estimate[0]), law, methods, **fields)


@dataclass(frozen=True, repr=False, eq=False)
class Placed(OfRanks):
    """The counts of one column in bins of scores, and sums over them; a ``Statistic`` with ``area.given``."""

    cases: Cases
    column: str
    area: Area
    rows: bool

    @cached_property
    def bins(self) -> ScoreBins:
        return self.area.counted(self.cases.counts(self.column, ranked=self.rows))

    @property
    def counts(self) -> tuple[Floats, Floats]:
        return self.bins.positive, self.bins.negative

    def statistic(self, fixed: bool) -> CurveStatistic:
        return self.area.given if fixed else self.area.drawn

    @cached_property
    def estimate(self) -> float:
        return self.area.given.value(*self.counts)

    @cached_property
    def row_cells(self) -> Places:
        """The bin of each row's score; the bins of negatives are numbered after all bins of positives."""
        counts, positive = self.cases.counts(self.column, ranked=True), self.cases.positive
        (of_positives, of_negatives), n_bins = self.bins.of_scores(), len(self.bins.positive)
        found = np.empty(len(positive), dtype=np.int32)
        found[positive] = of_positives[np.asarray(counts.positive.rank)]
        found[~positive] = (of_negatives + n_bins)[np.asarray(counts.negative.rank)]
        return found

    @cached_property
    def added(self) -> Callable[[bool], Floats]:
        """The influences of a positive in each bin, then those of a negative, computed once."""
        return cache(lambda fixed: np.concatenate(self.statistic(fixed).influences(*self.counts)))

    def of_rows(self, fixed: bool) -> Floats:
        return np.asarray(self.added(fixed)[self.row_cells])

    def changes(self, fixed: bool) -> tuple[Floats, float]:
        """The effect g of a case of each cell (average precision: of leaving it out), and d: x is (units - d) g."""
        statistic = self.statistic(fixed)
        if isinstance(statistic, PartialAUC):
            return self.added(fixed), 0.0
        return np.concatenate(statistic.left_out(*self.counts)), 1.0

    @property
    def value(self) -> Floats:
        return np.array([self.estimate])

    @cached_property
    def influences(self) -> Floats:
        return self.of_rows(self._is_fixed)[:, None]

    @property
    def _is_fixed(self) -> bool:
        """Whether each class is drawn to its own size; with importance weights its total weight varies."""
        return self.cases.rows.stand_alone

    def with_additional(self, made: Floats, side: int) -> Floats:
        """The value with additional negatives and positives, at the wrong ends (side -1) or at the right ones (1)."""
        y, x = made.tolist()
        return np.array([stepped(self.statistic(self._is_fixed), *self.counts, x, y, side)])

    def strata(self, fixed: bool) -> list[CurveUnits]:
        """The units of one model without groups, counted per bin."""
        parts = zip(np.split(self.added(fixed), 2), self.counts, strict=True)
        units = [CurveUnits(influence, times, np.ones(1)) for influence, times in parts]
        if fixed or self.area.drawn.of_rates:
            return units
        together = [np.concatenate([unit[place] for unit in units]) for place in (0, 1)]
        return [CurveUnits(together[0], together[1], np.ones(1))]

    def step(self, x: float, y: float, units: float, side: int, fixed: bool) -> float:
        """The x of an unseen unit with x positives and y negatives: its worth minus the estimate."""
        return (units + 1) * (self._stepped(x, y, side, fixed) - self.estimate)

    @cached_property
    def _stepped(self) -> Callable[[float, float, int, bool], float]:
        """The value with the unseen unit; cached, as a difference needs the values of its models again."""
        return cache(lambda x, y, side, fixed: stepped(self.statistic(fixed), *self.counts, x, y, side))

    def bias(self) -> float:
        cases, drawn = self.cases, self.area.drawn
        if self.area.bias is None or not isinstance(drawn, AveragePrecision):
            return 0.0
        if cases.groups is None:
            return self.area.bias(*self.counts)
        counted = cases.weights.astype(np.float64)
        positive, negative = counted * cases.positive, counted * ~cases.positive
        bins = self.row_cells.astype(np.int64) % len(self.bins.positive)
        return bias_of_groups(bins, positive, negative, np.asarray(cases.groups), drawn.odds)


def _law(placed: Placed, sampling: str) -> CurveLaw:
    """The law for one model: moments are exact where computed, else a first-order variance and a second-order bias."""
    area, (low, high) = placed.area, placed.area.given.support
    moments = area.exact(*placed.counts) if sampling == "stratified" and placed.cases.groups is None else None
    if moments is not None and moments[1] <= ROUNDING * (high - low) ** 2:
        moments = None  # rounding of a difference of squares; first order is 0 for perfect ranks
    bias = moments[0] - placed.estimate if moments else placed.bias()
    center = float(np.clip(placed.estimate - bias * (area.bias is not None), low, high))

    def strata(fixed: bool) -> list[CurveUnits]:
        return placed.strata(fixed) if placed.cases.groups is None else _grouped(placed.cases, placed.of_rows(False))

    worths = _schemes(placed.cases, sampling, center, (low, high), strata, placed.step)
    mean, variance = moments or (placed.estimate + bias, worths[0].variance)
    return CurveLaw(
        estimate=placed.estimate,
        mean=float(np.clip(mean, low, high)),
        variance=variance,
        is_exact=moments is not None,
        worths=worths,
        drawn=_drawn(placed, placed.estimate, worths, strata, paired=False),
    )


def _difference_law(a: Placed, b: Placed, law_a: CurveLaw, law_b: CurveLaw, sampling: str) -> CurveDifferenceLaw:
    """The law of a - b on the same cases: x of a minus x of b; an unseen unit is worst for one, best for the other."""
    cases = a.cases

    times, ones = cases.weights.astype(np.float64), np.ones(1)

    @cache
    def drawn_together(by_class: bool) -> list[tuple[Places, Places, Floats]]:
        """For each stratum the pairs of cells, a's and b's, that occur, and how many cases are in each pair."""
        strata = (cases.positive, ~cases.positive) if by_class else (np.full(len(times), True),)
        return [_pairs(a.row_cells[rows], b.row_cells[rows], times[rows]) for rows in strata]

    def together(fixed: bool) -> list[tuple[Places, Places, Floats]]:
        return drawn_together(fixed or a.area.drawn.of_rates)

    def strata(fixed: bool) -> list[CurveUnits]:
        if cases.groups is not None:
            return _grouped(cases, a.of_rows(fixed) - b.of_rows(fixed))
        of_a, of_b = a.added(fixed), b.added(fixed)
        return [CurveUnits(of_a[at_a] - of_b[at_b], counts, ones) for at_a, at_b, counts in together(fixed)]

    def units_of_cases(fixed: bool, worths: StepWorths) -> tuple[Units, ...]:
        """The x of cases in each stratum, by leaving one out."""
        (of_a, left_out), (of_b, _) = a.changes(fixed), b.changes(fixed)
        found = []
        for own, ((at_a, at_b, counts), units) in enumerate(zip(together(fixed), worths.units.tolist(), strict=True)):
            drawn = counts.sum()
            x = ((drawn - left_out) * (of_a[at_a] - of_b[at_b]))[:, None]
            low, high = (
                np.array([[one.made_of - center] for one in side if one.stratum == own]) for side in worths.candidates
            )
            found.append(
                Units.of(x - counts @ x / drawn, counts * (units / drawn), (low, high), SPREAD_ROUNDING * drawn)
            )
        return tuple(found)

    def step(x: float, y: float, units: float, side: int, fixed: bool) -> float:
        return a.step(x, y, units, side, fixed) - b.step(x, y, units, -side, fixed)

    (low, high) = a.area.given.support
    support = low - high, high - low
    center = float(law_a.worths[0].estimate - law_b.worths[0].estimate)
    worths = _schemes(cases, sampling, center, support, strata, step)
    each_scheme = () if cases.groups is not None else zip(schemes(sampling), worths, strict=True)
    return CurveDifferenceLaw(
        estimate=a.estimate - b.estimate,
        mean=law_a.mean - law_b.mean,
        variance=worths[0].variance,
        is_exact=False,
        worths=worths,
        drawn=_drawn(a, a.estimate - b.estimate, worths, strata, paired=True),
        a=law_a,
        b=law_b,
        cases=tuple(units_of_cases(*scheme) for scheme in each_scheme),
    )


def _drawn(
    placed: Placed,
    estimate: float,
    worths: tuple[StepWorths, ...],
    strata: Callable[[bool], list[CurveUnits]],
    *,
    paired: bool,
) -> DrawnUnits | None:
    """The groups; None where there are none."""
    return None if placed.cases.groups is None else drawn_groups(estimate, worths[0], strata(False), paired=paired)


def _at_sampled_share(law: CurveLaw, share: float | None, placed: Sequence[Placed]) -> CurveLaw:
    """The law of average precision at the share of positives of another sample, whose cases are another stratum."""
    if not isinstance(share, SampledShare):
        return law

    def value(of: float) -> float:
        first, *others = (AveragePrecision(0.0, (1 - of) / of).value(*each.counts) for each in placed)
        return first - sum(others)

    k, events, step = float(share.cases), float(share.events), SHARE_STEP * min(share, 1 - share)
    slope = (value(share + step) - value(share - step)) / (2 * step)
    units = CurveUnits(slope * np.array([1 - share, -share]) / k, np.array([events, k - events]), np.ones(1))
    ends = sorted((k + 1) * (value((events + one) / (k + 1)) - value(share)) for one in (0, 1))
    worths = tuple(with_stratum(each, units, ends) for each in law.worths)
    variance = law.variance + worths[0].variance - law.worths[0].variance
    more: dict[str, Any] = {}
    if isinstance(law, CurveDifferenceLaw):
        low, high = np.reshape(ends, (2, 1, 1))
        of_share = Units.of(k * units.influence[:, None], units.times, (low, high), np.array([SPREAD_ROUNDING * k]))
        more["cases"] = tuple((*each, of_share) for each in law.cases)
    return replace(law, worths=worths, variance=variance, is_exact=False, **more)


def _pairs(a: Places, b: Places, times: Floats) -> tuple[Places, Places, Floats]:
    """The pairs that occur, sorted so that the order of rows does not change a bit, and the number of cases of each."""
    order, pairs = in_order(a * float(b.max() + 1) + b)
    first = np.flatnonzero(np.append(True, pairs[1:] != pairs[:-1]))
    one = order[first]
    return a[one], b[one], np.add.reduceat(times[order], first)


def _schemes(
    cases: Cases,
    sampling: str,
    center: float,
    support: tuple[float, float],
    strata: Callable[[bool], list[CurveUnits]],
    step: Step,
) -> tuple[StepWorths, ...]:
    """The worths of the sampling scheme and, if class sizes vary, of fixed sizes too: limits are never narrower."""
    if cases.groups is not None:
        return (_worths_of_groups(cases, center, support, strata(False), step),)
    return tuple(_worths_of_cases(center, support, strata(fixed), step, fixed) for fixed in schemes(sampling))


def schemes(sampling: str) -> tuple[bool, ...]:
    """Whether class sizes are fixed, per scheme: that of ``sampling`` and, if they vary, fixed sizes too."""
    return (True,) if sampling == "stratified" else (False, True)


def _worths_of_cases(
    center: float, support: tuple[float, float], strata: list[CurveUnits], step: Step, fixed: bool
) -> StepWorths:
    owns = (0, 1) if len(strata) > 1 else (0, 0)
    if len(strata) > 1 and not fixed:
        strata = varying_classes(strata)
    units = [float(strata[own].times.sum()) for own in owns]
    kinds = ((1.0, 0.0), (0.0, 1.0))
    steps = [[center + step(*kind, k, side, fixed) for kind, k in zip(kinds, units, strict=True)] for side in (-1, 1)]
    low, high = ([Unseen(own, np.asarray(worth)) for own, worth in zip(owns, side, strict=True)] for side in steps)
    return step_worths(center, support, strata, (low, high))


def _worths_of_groups(
    cases: Cases, center: float, support: tuple[float, float], strata: list[CurveUnits], step: Step
) -> StepWorths:
    candidates: tuple[list[Unseen], list[Unseen]] = ([], [])
    for group in typical_groups(np.column_stack(cases.group_sizes)):
        (x, y), k = group.made_of.tolist(), float(strata[group.stratum].times.sum())
        for found, side in zip(candidates, (-1, 1), strict=True):
            found.append(group._replace(made_of=np.asarray(center + step(x, y, k, side, False))))
    return step_worths(center, support, strata, candidates)


def _grouped(cases: Cases, influences: Floats) -> list[CurveUnits]:
    """The units of whole groups: the influence of a group is the sum over its cases."""
    sums = np.bincount(np.asarray(cases.groups), cases.weights * influences, cases.n_groups).astype(np.float64)
    class_counts = np.column_stack(cases.group_sizes)
    squares = [cases.weights[own] @ influences[own] ** 2 for own in (cases.positive, ~cases.positive)]
    spreads = class_counts @ (squares / class_counts.sum(axis=0))
    return [
        CurveUnits(sums[some], np.ones(some.sum()), class_counts.sum(axis=1)[some], spreads[some])
        for some in group_strata(class_counts)
    ]
