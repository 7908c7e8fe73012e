"""Metrics of a confusion table, of one model or of a minus b: precision, F1, kappa, net benefit, a user's own.

Laws are for the points where the metric has a value. Where it has none (D = 0 in N / D) the result names the empty
count, and the interval is the whole range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import Numbers, frozen_numbers
from skcostci._options import SAMPLINGS, Sampling
from skcostci._validation._arguments import SampledShare, check_judged_share, check_option
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts
from skcostci.cuts import RISKS, Cut, check_risks, count_cells, count_groups, of_both_classes, rate_cut, threshold_pair
from skcostci.laws._side_by_side import PartlyDefinedLaw
from skcostci.laws.exact._linear import LinearLaw, classes_of
from skcostci.laws.exact._metric_law import (
    MetricLaw,
    MetricPairLaw,
    metric_law,
    metric_pair_law,
    models_of_pair,
    range_of,
)
from skcostci.laws.influence._first_order import FirstOrderLaw
from skcostci.laws.influence._of_cells import CellStatistic, law_at_sampled_share
from skcostci.laws.influence._weighted import weighted_linear, weighted_metric
from skcostci.metric import (
    CELLS,
    KAPPA,
    AnyMetric,
    Metric,
    MetricLike,
    RiskMetric,
    find_metric,
    follow_share,
    values_at,
)
from skcostci.results._estimand import Estimand
from skcostci.results._results import THRESHOLDS, BootstrapResult, DifferenceResult, ExactResult, ResultT
from skcostci.statistics._cost import DIFFERENCE_METHODS as COST_DIFFERENCE_METHODS
from skcostci.statistics._cost import METHODS as COST_METHODS
from skcostci.statistics._points import Columns, law_of_groups, methods_of_groups, metric_optimism
from skcostci.statistics._roc_threshold import DIFFERENCE_METHODS as RATE_DIFFERENCE_METHODS
from skcostci.statistics._roc_threshold import METHODS as RATE_METHODS
from skcostci.statistics._units import methods_of_units

METHODS = ("unseen_case", "percentile", "wald")
SHARE_METHODS = ("clopper_pearson", *METHODS)
UNBOUNDED_METHODS = METHODS[:1]  # the others need a finite estimate
DIFFERENCE_METHODS = ("unseen_case", "wald")
# The methods of a result without a value.
ALL_METHODS = tuple(dict.fromkeys([*SHARE_METHODS, *RATE_METHODS, *COST_METHODS["full"]]))
LABELLED = Cut(np.asarray(0.5))  # for labels, which are scores 0 and 1
NOT_ALLOWED_FOR = ", rare large errors are not allowed for"  # if no largest error is given
ROUNDING = 1e-9  # of an estimate relative to the ends of its range
NOTHING: dict[tuple[bool, ...], str] = {  # the reason, if only these of TP, FN, FP and TN count and all are 0
    (True, False, True, False): "no predicted positives",
    (False, True, False, True): "no predicted negatives",
    (True, True, False, False): "no positives",
    (False, False, True, True): "no negatives",
}

ONE_CLASS = "all cases have one class, in truth and as predicted"

Found = tuple[Any, tuple[str, ...]]  # the law and its interval methods
LawOf = Callable[[Cases, Columns, "MetricCells"], Found]


@dataclass(frozen=True, repr=False, eq=False)
class OfMetric(BootstrapResult):
    """What the results of a metric and of a difference have in common, however cases are resampled."""

    metric: str
    thresholds: Any
    labels: NDArray[np.generic] | None = field(default=None, kw_only=True)

    @property
    def undefined(self) -> Numbers:
        """The probability that the metric is undefined in a resample, as a class is missing or a denominator is 0.

        It is 0 for means over folds, groups, metrics of several classes and functions: moments are of first order.
        """
        return self._shaped(getattr(self.law, "undefined", np.zeros(np.size(self.estimate))))

    def _axis(self) -> dict[str, Any]:
        if self.labels is not None:
            return {"label": self.labels}
        if isinstance(self.thresholds, tuple):
            return dict(zip(THRESHOLDS, self.thresholds, strict=True))
        return {} if self.thresholds is None else {"threshold": self.thresholds}

    def _shown_interval(self) -> str:
        return super()._shown_interval() + NOT_ALLOWED_FOR * (self.methods[:2] == ("extrapolated", "wald"))


@dataclass(frozen=True, repr=False, eq=False)
class MetricResult(OfMetric, ExactResult):
    """A metric of one model's predictions, at each threshold or class where there are several.

    Returned by :func:`bootstrap_metric`; with folds the mean of the folds' values. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    metric : str
        The name of the metric.
    thresholds : float or ndarray of shape (n_points,), or None
        The thresholds; None where labels were given.
    labels : ndarray of shape (n_points,), default=None
        The class of each point, where there is one per class.

    Attributes
    ----------
    mean, standard_error : float or ndarray of shape (n_points,)
        Moments of the bootstrap distribution, given that the metric is defined: exact for two classes (the mean of a
        ratio is not the estimate); of first order for several classes, functions and groups.

    Notes
    -----
    ``cdf`` and ``quantile`` need a distribution that is known in full; for other metrics they raise an error.
    """

    thresholds: Numbers | None


@dataclass(frozen=True, repr=False, eq=False)
class MetricDifferenceResult(OfMetric, DifferenceResult):
    """A metric of model a minus that of model b, with its bootstrap distribution.

    Returned by :func:`bootstrap_metric_difference`; with folds the mean of the folds' values. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    metric : str
        The name of the metric.
    thresholds : tuple of float or ndarray of shape (n_points,), or None
        The thresholds of a and those of b; None where labels were given.
    labels : ndarray of shape (n_points,), default=None
        The class of each point, where there is one per class.

    Attributes
    ----------
    mean, standard_error : float or ndarray of shape (n_points,)
        Moments of the bootstrap distribution, given that both metrics are defined.

    Notes
    -----
    ``cdf``, ``quantile`` and ``probabilities`` need a distribution that is known in full, as for weighted sums of cases
    such as the accuracy; for other metrics they raise an error.
    """

    thresholds: tuple[Numbers, Numbers] | None


class PointOptions(TypedDict):
    thresholds: Any
    sampling: Sampling | None
    prevalence: Any


class MetricCells(NamedTuple):
    """The cells of one model, or the joint cells of two models, and each model's metric, at some points."""

    counts: Floats
    possible: Booleans
    metrics: tuple[tuple[AnyMetric, ...], ...]  # for each model a tuple of n_points metrics
    sampling: Sampling
    prevalence: float | None

    @property
    def models(self) -> tuple[MetricLaw, ...]:
        if len(self.metrics) == 2:
            return models_of_pair(*self)
        return (MetricLaw(self.counts, self.possible, self.metrics[0], self.sampling, self.prevalence),)

    def at(self, points: Integers) -> MetricCells:
        metrics = tuple(tuple(each[i] for i in points) for each in self.metrics)
        return self._replace(counts=self.counts[points], possible=self.possible[points], metrics=metrics)


def binary_metric_of(
    cases: Cases,
    columns: Sequence[str],
    metric: MetricLike,
    thresholds: object,
    sampling: Sampling | None,
    prevalence: object,
) -> MetricResult | MetricDifferenceResult:
    found, given = find_metric(metric), thresholds is not None
    if prevalence is not None:
        prevalence = check_judged_share(prevalence, single=cases.rows.stand_alone)
    cuts = cuts_of(found, cases, columns, thresholds, prevalence)
    if isinstance(prevalence, SampledShare) and any(cut.selected for cut in cuts):
        raise ValueError(
            f"prevalence=({prevalence.events}, {prevalence.cases}) needs thresholds chosen beforehand, got "
            f"{thresholds!r}: with thresholds chosen on the same cases pass the prevalence as a number."
        )
    at, metrics = at_thresholds(found, cases, list(zip(columns, cuts, strict=True)), given)
    cases.check_choice(cut.selected for cut in cuts)
    scheme, share = check_sampling(chain(*metrics), sampling, prevalence)
    if not cases.rows.stand_alone:
        cases.check_sampling(sampling, None)
    if 0 in cases.sizes and share is None and metrics[0][0] is KAPPA:
        scheme = "full"  # 0 in every resample, whatever is held: limits are due to an unseen case
    tables = MetricCells(*of_both_classes(*count_cells(cases, *at)), metrics, scheme, share)
    law, methods = _where_defined(cases, at, tables)
    shape, (first, *others) = cuts[0].thresholds.shape, [frozen_numbers(c.thresholds, c.thresholds.shape) for c in cuts]
    treats_alike = share is None and not metrics[0][0].needs_positive_class
    estimand = Estimand(
        "metric",
        bool(others),
        metric=metrics[0],
        prevalence=share,
        positive=None if treats_alike else cases.labels[1],
        selected=any(cut.selected for cut in cuts),
    )
    kind: Callable[..., MetricResult | MetricDifferenceResult] = MetricDifferenceResult if others else MetricResult
    shown = None if not given else (first, *others) if others else first
    rest = {"estimand": estimand, "n_groups": cases.n_groups or None}
    return kind(frozen_numbers(law.estimate, shape), law, methods, metrics[0][0].name, shown, **rest)


def cuts_of(
    metric: AnyMetric | RiskMetric, cases: Cases, columns: Sequence[str], thresholds: Any, prevalence: float | None
) -> list[Cut]:
    if thresholds is None:
        return [LABELLED] * len(columns)
    if len(columns) == 2:
        return threshold_pair("thresholds", thresholds)
    counts = cases.counts(columns[0])
    if isinstance(thresholds, str) and thresholds == "best":
        return [_best_cut("thresholds", metric, counts, prevalence)]
    return [rate_cut("thresholds", thresholds, counts, ("youden", "best"))]


def _best_cut(name: str, metric: AnyMetric | RiskMetric, counts: ScoreCounts, prevalence: float | None) -> Cut:
    """The threshold at which a metric is best on these cases, the largest if there are several."""
    if isinstance(metric, RiskMetric):
        raise ValueError(
            f"{name}='best' needs a metric whose definition does not depend on the threshold, got {metric.name!r}."
        )
    if not (counts.positive.total and counts.negative.total):
        raise ValueError(f"{name}='best' needs both classes in y_true: pass thresholds.")
    thresholds, fp, tp = counts.roc_points
    tables = np.column_stack([tp, counts.positive.total - tp, fp, counts.negative.total - fp]).astype(np.float64)
    values = values_of([metric] * len(tables), tables, "full", prevalence)
    worth = np.where(np.isnan(values), -np.inf, values if metric.greater_is_better else -values)
    return Cut(np.asarray(thresholds[np.argmax(worth)]), selected=True, for_metric=True)


def at_thresholds(
    metric: AnyMetric | RiskMetric, cases: Cases, columns: Columns, given: bool
) -> tuple[Columns, tuple[tuple[AnyMetric, ...], ...]]:
    if isinstance(metric, AnyMetric):
        return columns, tuple((metric,) * cut.thresholds.size for _, cut in columns)
    if not given:
        raise ValueError(
            f"{metric.name} by name needs scores that are risks, and thresholds, the threshold probabilities; "
            "for labels pass Metric.net_benefit(threshold_probability)."
        )
    for column, _ in columns:
        check_risks(metric.name, cases.columns[column])
    each = tuple(tuple(map(metric, cut.thresholds.ravel().tolist())) for _, cut in columns)
    return [(column, replace(cut, scores=RISKS)) for column, cut in columns], each


def check_sampling(
    metrics: Iterable[AnyMetric], sampling: Sampling | None, prevalence: float | None
) -> tuple[Sampling, float | None]:
    """The sampling scheme and the prevalence; a share of positives that is not given varies with the sample."""
    share = None if prevalence is None else check_judged_share(prevalence)
    if sampling is None:
        return ("full" if share is None and follow_share(metrics) else "stratified"), share
    if check_option("sampling", sampling, SAMPLINGS) == "full" and share is not None:
        raise ValueError(
            "sampling must be 'stratified' with a prevalence, which replaces the class mix of the resamples."
        )
    return sampling, share


def _where_defined(cases: Cases, columns: Columns, tables: MetricCells) -> Found:
    """The law, of the points where all models have a value and of no others, and its interval methods."""
    values = [values_of(model.metrics, model.counts, tables.sampling, tables.prevalence) for model in tables.models]
    for metrics, of_model in zip(tables.metrics, values, strict=True):
        for metric, value in zip(metrics, of_model, strict=True):
            check_inside(metric.name, np.array([value]), metric.range or (-np.inf, np.inf), metric.range)
    paired = len(columns) == 2
    known = np.isfinite(values) if paired else ~np.isnan(values)  # a metric may be infinite, a difference may not
    defined: Booleans = np.asarray(known.all(axis=0))
    kept = np.flatnonzero(defined)
    found: Found = None, ALL_METHODS
    if len(kept):
        alone = _pair_law_of if paired else _law_of
        law_of: LawOf = _grouped_law_of if cases.groups is not None else alone
        law_of = _weighted_law_of if cases.rows.is_weighted else law_of
        columns = [(column, replace(cut, thresholds=cut.thresholds.ravel()[kept])) for column, cut in columns]
        some = tables.at(kept)
        found = _at_sampled_share(some, law_of(cases, columns, some))
    if len(kept) == len(defined):
        return found
    law, methods = found
    models = tables.models
    reasons = tuple("" if is_defined else _reason(i, models, values) for i, is_defined in enumerate(defined))
    first = models[0].metrics[0], models[0].counts[0]
    return PartlyDefinedLaw(law, defined, reasons, widest_range(models), first), methods


def _law_of(cases: Cases, columns: Columns, tables: MetricCells) -> Found:
    ((column, cut),), (model,) = columns, tables.models
    law = metric_law(model.counts, model.possible, model.metrics, model.sampling, model.prevalence)
    methods = _methods(law, tables.sampling)
    if cut.selected:
        optimism = metric_optimism(model, cases.counts(column), cut)
        law, methods = replace(law, optimisms=(optimism,)), ("chosen", *methods)
    return law, methods


def _at_sampled_share(tables: MetricCells, known: Found) -> Found:
    """The law at the share of positives of another sample, if one is given and has an effect; else ``known``."""
    if not isinstance(tables.prevalence, SampledShare):
        return known
    law = law_at_sampled_share(tables.models, tables.counts, tables.possible, tables.prevalence, known[0])
    bounded = law is not None and bool(np.isfinite(law.support).all())
    return known if law is None else (law, methods_of_units(grouped=False, bounded=bounded))


def _grouped_law_of(cases: Cases, columns: Columns, tables: MetricCells) -> Found:
    scheme: Sampling = "full" if tables.prevalence is None else "stratified"
    model, *others = tables._replace(sampling=scheme).models
    cells, ratio = count_groups(cases, *columns), model.is_ratio and scheme == "full"
    slices = [classes_of(tables.counts)[place] for place in model.counted_classes]
    if ratio and (worth := model.sum_weights) is not None:
        alike = np.array_equal(np.sort(worth[:, :2]), np.sort(worth[:, 2:]))
        slices = [slice(0, tables.counts.shape[1])] if alike else slices  # cases of any class have the same range

    def law_of(law: MetricLaw | MetricPairLaw) -> FirstOrderLaw:
        return law_of_groups(
            cases,
            cells,
            CellStatistic(law.of_counts, law.counts, law.possible, slices),
            law.support,
            of_rates=not ratio,
            by_class=not (ratio or (scheme == "full" and model.follows_share)),
            paired=bool(others),
        )

    law = law_of(MetricPairLaw(model, others[0], tables.counts) if others else model)
    if not others and np.isfinite(law.support[0]).all() and not law.has_worst_unit:
        law = replace(law, as_share=law_of(model.as_share), from_share=model.from_share)
    column, cut = columns[0]
    if cut.selected:
        law = replace(law, optimisms=(metric_optimism(model, cases.counts(column), cut),))
    return law, methods_of_groups(law)


def _pair_law_of(_cases: Cases, _columns: Columns, tables: MetricCells) -> Found:
    law = metric_pair_law(*tables)
    if not isinstance(law, LinearLaw):
        return law, DIFFERENCE_METHODS
    if len(law.strata) == 1 and tables.sampling != "full":
        return law, RATE_DIFFERENCE_METHODS
    # an accuracy of all cases drawn together weighs both classes alike
    weighs = tables.sampling == "full" and not np.isin(law.strata[0].values, (-1, 0, 1)).all()
    return law, COST_DIFFERENCE_METHODS["full" if weighs else "stratified"]


def _weighted_law_of(cases: Cases, columns: Columns, tables: MetricCells) -> Found:
    squares, rows = (of_both_classes(*count_cells(each, *columns))[0] for each in cases.squared_and_alone())
    law_of: LawOf = _law_of if len(columns) == 1 else _pair_law_of
    law, (default, *_) = law_of(cases, columns, tables)
    if isinstance(law, LinearLaw):
        others = (law_of(cases, columns, tables._replace(counts=counts))[0] for counts in (squares, rows))
        return weighted_linear(law, *others), (default, "wald")
    return weighted_metric(law, squares, rows), (default, "wald")[: 1 if np.isinf(law.estimate).any() else 2]


def _methods(law: LinearLaw | MetricLaw, sampling: Sampling) -> tuple[str, ...]:
    if isinstance(law, LinearLaw):
        return RATE_METHODS if law.is_rate else COST_METHODS[sampling]
    if np.isinf(law.estimate).any():
        return UNBOUNDED_METHODS
    return METHODS if law.shares is None else SHARE_METHODS


def values_of(metrics: Sequence[AnyMetric], counts: Floats, sampling: str, prevalence: float | None) -> Floats:
    """The metric of each row of TP, FN, FP and TN; NaN where it has no value."""
    values = values_at(metrics, counts, prevalence)
    some_empty = not (counts[0, :2].any() and counts[0, 2:].any())
    if some_empty:  # an infinite value that is due to a missing class is no value
        known = metrics[0] is KAPPA and prevalence is None  # 0 unless all predictions are that class
        return np.where(np.isinf(values) | (_compares_classes(metrics[0], sampling) and not known), np.nan, values)
    return values


def _compares_classes(metric: AnyMetric, sampling: str) -> bool:
    """Whether the metric combines a rate per class, so that it needs cases of both classes."""
    fixed = isinstance(metric, Metric) and not metric.follows_share and sampling == "stratified"
    return metric.of == "rates" and not fixed


def check_inside(name: str, values: Floats, ends: tuple[float, float], stated: object) -> None:
    slack = ROUNDING * np.maximum(1.0, np.abs(values))
    outside = (values < ends[0] - slack) | (values > ends[1] + slack)
    if outside.any():
        raise ValueError(f"range of {name} must contain its value on the data, {values[outside][0]:g}, got {stated}.")


def _reason(i: int, models: Sequence[MetricLaw], values: Sequence[Floats]) -> str:
    """Why there is no value at point i and, of two models, for which one."""
    for name, model, of_model in zip("ab", models, values, strict=False):
        if words := _why_undefined(model.metrics[i], model.counts[i], of_model[i], model.prevalence):
            return words if len(models) == 1 else f"{words} for model {name}"
    return ""


def widest_range(models: Sequence[MetricLaw]) -> tuple[Floats, Floats]:
    """The least and the largest metric of a model, or difference of two, if cases may be in any cell."""
    return range_of([replace(model, possible=np.ones_like(model.possible)) for model in models])


def _why_undefined(metric: AnyMetric, counts: Floats, value: float, prevalence: float | None) -> str:
    """Why a metric has no finite value, in words, such as the empty count; "" where it has one."""
    if not np.isnan(value):
        return "infinite" if np.isinf(value) else ""
    tp, fn, fp, tn = counts.tolist()
    by_rates = metric.of == "rates" or prevalence is not None
    missing = [what for what, size in (("no positives", tp + fn), ("no negatives", fp + tn)) if size == 0]
    if by_rates and missing:
        return ONE_CLASS if metric is KAPPA and prevalence is None else missing[0]
    weighed = [True] * 4
    if isinstance(metric, Metric):
        weighed = (metric.on_counts(tp + fn, fp + tn, prevalence)[1] > 0).tolist()
    if (words := NOTHING.get(tuple(weighed))) is not None:
        return words
    predicted = [
        words for words, size in (("no predicted positives", tp + fp), ("no predicted negatives", fn + tn)) if size == 0
    ]
    zero = [
        cell for cell, count, counts_at_all in zip(CELLS, counts, weighed, strict=True) if counts_at_all and not count
    ]
    return predicted[0] if predicted else f"{' and '.join(zero)} {'is' if len(zero) == 1 else 'are'} 0"


def metric_range(metric: AnyMetric, cells: Sequence[float]) -> tuple[float, float]:
    """The least and the largest value that a metric can have in samples like one with these counts."""
    scheme, _ = check_sampling([metric], None, None)
    counts = np.array([cells], dtype=np.float64)
    least, most = widest_range([MetricLaw(counts, np.ones((1, 4), dtype=bool), (metric,), scheme, None)])
    return float(least[0]), float(most[0])


class UndefinedMetricError(ValueError):
    """A metric has no value at any point; ``metric`` and ``counts`` are those of the first point."""

    def __init__(self, message: str, metric: AnyMetric, counts: Floats) -> None:
        super().__init__(message)
        self.metric, self.counts = metric, counts


def check_some_defined(what: str, result: ResultT, thresholds: object) -> ResultT:
    law = result.law
    if isinstance(law, PartlyDefinedLaw) and law.law is None:
        points = "" if thresholds is None else " at the threshold" if np.size(result.estimate) == 1 else " everywhere"
        raise UndefinedMetricError(f"{what} is undefined{points}: {law.reasons[0]}.", *law.first)
    return result
