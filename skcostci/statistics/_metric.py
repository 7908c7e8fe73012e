"""Metrics of a confusion table, of one model or of a minus b: precision, F1, kappa, net benefit, a user's own.

Laws are for the points where the metric has a value. Where it has none (D = 0 in N / D) the result names the empty
count, and the interval is the whole range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import Numbers, frozen_numbers, read_only
from skcostci._options import Sampling
from skcostci._validation._arguments import SampledShare, check_option
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
    ZeroDivision,
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
from skcostci.statistics._units import Difference, Statistic, methods_of_units, of_scheme

METHODS = ("unseen_case", "percentile", "wald")
SHARE_METHODS = ("clopper_pearson", *METHODS)
UNBOUNDED_METHODS = METHODS[:1]  # the others need a finite estimate
DIFFERENCE_METHODS = ("unseen_case", "wald")
# The methods of a result without a value.
ALL_METHODS = tuple(dict.fromkeys([*SHARE_METHODS, *RATE_METHODS, *COST_METHODS["full"]]))
LABELLED = Cut(np.asarray(0.5))  # for labels, which are scores 0 and 1
NOT_ALLOWED_FOR = ", rare large errors are not allowed for"  # if no largest error is given
ROUNDING = 1e-9  # how far a value may be outside its range: relative to the value, absolute below 1
EMPTY = {  # the reason, if these of TP, FN, FP and TN are 0
    "no positives": [0, 1],
    "no negatives": [2, 3],
    "no predicted positives": [0, 2],
    "no predicted negatives": [1, 3],
}
ONE_CLASS = "all cases have one class, in truth and as predicted"

Found = tuple[Any, tuple[str, ...]]  # the law and its interval methods
CountedCells = tuple[Floats, Booleans]  # counts, and whether a case can be there: of one model, or joint ones of two


@dataclass(frozen=True, repr=False, eq=False)
class OfMetric(BootstrapResult):
    """What the results of a metric and of a difference have in common, however cases are resampled."""

    metric: str
    thresholds: Numbers | tuple[Numbers, Numbers] | None
    labels: NDArray[np.generic] | None = field(default=None, kw_only=True)

    @property
    def undefined(self) -> Numbers:
        """The probability that the metric is undefined in a resample, as a class is missing or a denominator is 0.

        It is 0 for means over folds, groups, metrics of several classes and functions: moments are of first order.
        """
        return self._shaped(np.broadcast_to(getattr(self.law, "undefined", 0.0), np.size(self.estimate)))

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


AnyResult = MetricResult | MetricDifferenceResult


class HowJudged(NamedTuple):
    """The options of a metric: of several classes or a function first, then of two classes."""

    average: str | None = "binary"
    labels: ArrayLike | None = None
    kappa_weights: str | None = None
    range: tuple[float, float] | None = None
    greater_is_better: bool | None = None
    zero_division: ZeroDivision | None = None
    thresholds: Any = None
    sampling: Sampling | None = None
    prevalence: Any = None

    @property
    def empty(self) -> float:
        return 0.0 if self.zero_division in (None, "warn") else float(self.zero_division)

    @property
    def given(self) -> dict[str, Any]:
        """The options that are not left at their defaults."""
        return {name: value for name, value in self._asdict().items() if value is not self._field_defaults[name]}


def binary_metric_of(cases: Cases, columns: Sequence[str], metric: MetricLike, how: HowJudged) -> AnyResult:
    found, share = find_metric(metric), how.prevalence
    at, metrics = cut_columns(found, cases, columns, how)
    selected = any(cut.selected for _, cut in at)
    if isinstance(share, SampledShare) and selected:
        raise ValueError(
            f"prevalence=({share.events}, {share.cases}) needs thresholds chosen beforehand, got {how.thresholds!r}: "
            "with thresholds chosen on the same cases pass the prevalence as a number."
        )
    cases.check_choice([selected])
    scheme = check_sampling(chain(*metrics), how.sampling, share)
    if not cases.rows.stand_alone:
        cases.check_sampling(how.sampling, None)
    if 0 in cases.sizes and share is None and metrics[0][0] is KAPPA:
        scheme = "full"  # 0 in every resample of any scheme: only an additional case can change it
    cells = of_both_classes(*count_cells(cases, *at))
    law, methods = _where_defined(cases, at, cells, _models_of(cells, metrics, scheme, share))
    shape = at[0][1].thresholds.shape
    first, *others = (frozen_numbers(cut.thresholds, shape) for _, cut in at)
    treats_alike = share is None and not metrics[0][0].needs_positive_class
    estimand = Estimand(
        "metric",
        bool(others),
        metric=metrics[0],
        prevalence=share,
        positive=None if treats_alike else cases.labels[1],
        selected=selected,
    )
    kind: Callable[..., AnyResult] = MetricDifferenceResult if others else MetricResult
    shown = None if how.thresholds is None else (first, *others) if others else first
    rest = {"estimand": estimand, "n_groups": cases.n_groups or None}
    return kind(frozen_numbers(law.estimate, shape), law, methods, metrics[0][0].name, shown, **rest)


def result_of_units(
    cases: Cases,
    each: Sequence[Statistic],
    law: FirstOrderLaw | PartlyDefinedLaw,
    methods: tuple[str, ...],
    metric: Any,
    how: HowJudged,
    shape: tuple[int, ...] = (),
) -> AnyResult:
    """The result for several classes or labels, or a function; a point per class or label if there is no average.

    ``each`` has the statistics of the parts, of one model or of a minus b.
    """
    labels = None if how.average is not None else read_only(np.array(cases.labels[: cases.n_stated or None]))
    shape, paired = shape if labels is None else labels.shape, isinstance(each[0], Difference)
    stated = (cases.labels or None) if how.kappa_weights is not None or how.labels is not None else None
    estimand = Estimand(
        "metric",
        paired,
        metric=metric if how.kappa_weights is None else f"{how.kappa_weights} {metric.name}",
        labels=stated if stated is None or labels is None else tuple(labels.tolist()),
        average=None if how.average == "binary" else how.average,
        axis={} if labels is None else {"label": labels},
        folds=cases.folds is not None,
        crossed=cases.levels is not None,
    )
    rest = {**of_scheme(cases, each, shape), "levels": cases.levels and cases.levels.names, "labels": labels}
    kind = MetricDifferenceResult if paired else MetricResult
    return kind(frozen_numbers(law.estimate, shape), law, methods, metric.name, None, estimand=estimand, **rest)


def cut_columns(
    metric: AnyMetric | RiskMetric, cases: Cases, columns: Sequence[str], how: HowJudged
) -> tuple[Columns, tuple[tuple[AnyMetric, ...], ...]]:
    """Each column with its thresholds, and the metric at each of them."""
    cuts = [LABELLED] * len(columns)
    if how.thresholds is not None and len(columns) == 2:
        cuts = threshold_pair("thresholds", how.thresholds)
    elif isinstance(how.thresholds, str) and how.thresholds == "best":
        cuts = [_best_cut(metric, cases.counts(columns[0]), how.prevalence)]
    elif how.thresholds is not None:
        cuts = [rate_cut("thresholds", how.thresholds, cases.counts(columns[0]), ("youden", "best"))]
    if isinstance(metric, AnyMetric):
        each = tuple((metric,) * cut.thresholds.size for cut in cuts)
    elif how.thresholds is None:
        raise ValueError(
            f"{metric.name} by name needs scores that are risks, and thresholds, the threshold probabilities; "
            "for labels pass Metric.net_benefit(threshold_probability)."
        )
    else:
        for column in columns:
            check_risks(metric.name, cases.columns[column])
        each = tuple(tuple(map(metric.at_threshold, cut.thresholds.ravel().tolist())) for cut in cuts)
        cuts = [replace(cut, scores=RISKS) for cut in cuts]
    return list(zip(columns, cuts, strict=True)), each


def _best_cut(metric: AnyMetric | RiskMetric, counts: ScoreCounts, prevalence: float | None) -> Cut:
    """The threshold at which a metric is best on these cases, the largest if there are several."""
    if isinstance(metric, RiskMetric):
        needed = "a metric whose definition does not depend on the threshold"
        raise ValueError(f"thresholds='best' needs {needed}, got {metric.name!r}.")
    if not (counts.positive.total and counts.negative.total):
        raise ValueError("thresholds='best' needs both classes in y_true: pass thresholds.")
    thresholds, fp, tp = counts.roc_points
    tables = np.column_stack([tp, counts.positive.total - tp, fp, counts.negative.total - fp]).astype(np.float64)
    values = values_of([metric] * len(tables), tables, "full", prevalence)
    worth = np.where(np.isnan(values), -np.inf, values if metric.greater_is_better else -values)
    return Cut(np.asarray(thresholds[np.argmax(worth)]), selected=True, for_metric=True)


def check_sampling(metrics: Iterable[AnyMetric], sampling: Sampling | None, prevalence: float | None) -> Sampling:
    """The sampling scheme; a share of positives that is not given varies with the sample."""
    if sampling is None:
        return "full" if prevalence is None and follow_share(metrics) else "stratified"
    if check_option("sampling", sampling, Sampling) == "full" and prevalence is not None:
        raise ValueError(
            "sampling must be 'stratified' with a prevalence, which replaces the class mix of the resamples."
        )
    return sampling


def _models_of(
    cells: CountedCells, metrics: Sequence[tuple[AnyMetric, ...]], sampling: str, prevalence: float | None
) -> Sequence[MetricLaw]:
    """The metric of one model from its cells, or those of two from their joint cells; each has one per point."""
    if len(metrics) == 2:
        return models_of_pair(*cells, metrics, sampling, prevalence)
    return [MetricLaw(*cells, metrics[0], sampling, prevalence)]


def _where_defined(cases: Cases, columns: Columns, cells: CountedCells, models: Sequence[MetricLaw]) -> Found:
    """The law, of the points where all models have a value and of no others, and its interval methods."""
    how = models[0].sampling, models[0].prevalence
    values = [values_of(model.metrics, model.counts, *how) for model in models]
    for model, of_model in zip(models, values, strict=True):
        metric = model.metrics[0]  # the same at all points, or of another threshold probability
        check_inside(metric.name, of_model, metric.range or (-np.inf, np.inf), metric.range)
    # a metric may be infinite, a difference may not
    defined = np.asarray((np.isfinite(values) if len(models) == 2 else ~np.isnan(values)).all(axis=0))
    kept = np.flatnonzero(defined)
    found: Found = None, ALL_METHODS
    if len(kept):
        alone = _weighted_law_of if cases.rows.is_weighted else _law_of
        law_of = alone if cases.groups is None else _grouped_law_of
        columns = [(column, replace(cut, thresholds=cut.thresholds.ravel()[kept])) for column, cut in columns]
        metrics, cells = [tuple(model.metrics[i] for i in kept) for model in models], (cells[0][kept], cells[1][kept])
        some = models if defined.all() else _models_of(cells, metrics, *how)
        found = law_of(cases, columns, cells, some)
    if len(kept) == len(defined):
        return found
    law, methods = found
    reasons = tuple("" if is_defined else _reason(i, models, values) for i, is_defined in enumerate(defined))
    anywhere = [replace(model, possible=np.ones_like(model.possible)) for model in models]  # cases may be in any cell
    return PartlyDefinedLaw(law, defined, reasons, range_of(anywhere)), methods


def _law_of(cases: Cases, columns: Columns, cells: CountedCells, models: Sequence[MetricLaw]) -> Found:
    """The law of single cases, at the share of positives of another sample if one is given and has an effect."""
    paired, share, at_share = len(models) == 2, models[0].prevalence, None
    law: Any = metric_pair_law(models, *cells) if paired else metric_law(models[0])
    methods = _methods(law, models[0].sampling, paired=paired)
    column, cut = columns[0]
    if cut.selected:
        optimism = metric_optimism(models[0], cases.counts(column), cut)
        law, methods = replace(law, optimisms=(optimism,)), ("chosen", *methods)
    if isinstance(share, SampledShare):
        at_share = law_at_sampled_share(models, *cells, share, law)
    if at_share is None:
        return law, methods
    return at_share, methods_of_units(grouped=False, bounded=bool(np.isfinite(at_share.support).all()))


def _grouped_law_of(cases: Cases, columns: Columns, cells: CountedCells, models: Sequence[MetricLaw]) -> Found:
    scheme, (counts, _) = "full" if models[0].prevalence is None else "stratified", cells
    model, *others = (replace(model, sampling=scheme) for model in models)
    by_group, ratio = count_groups(cases, *columns), model.is_ratio and scheme == "full"
    slices = [classes_of(counts)[place] for place in model.counted_classes]
    if ratio and (worth := model.sum_weights) is not None:
        alike = np.array_equal(np.sort(worth[:, :2]), np.sort(worth[:, 2:]))
        slices = [slice(0, counts.shape[1])] if alike else slices  # cases of any class have the same range

    def law_of(law: MetricLaw | MetricPairLaw) -> FirstOrderLaw:
        return law_of_groups(
            cases,
            by_group,
            CellStatistic(law.of_counts, law.counts, law.possible, slices),
            law.support,
            of_rates=not ratio,
            by_class=not (ratio or (scheme == "full" and model.follows_share)),
            paired=bool(others),
        )

    law = law_of(MetricPairLaw(model, others[0], counts) if others else model)
    if not others and np.isfinite(law.support[0]).all() and not law.has_worst_unit:
        law = replace(law, as_share=law_of(model.as_share), from_share=model.from_share)
    column, cut = columns[0]
    if cut.selected:
        law = replace(law, optimisms=(metric_optimism(model, cases.counts(column), cut),))
    return law, methods_of_groups(law)


def _weighted_law_of(cases: Cases, columns: Columns, cells: CountedCells, models: Sequence[MetricLaw]) -> Found:
    squares, rows = (of_both_classes(*count_cells(each, *columns))[0] for each in cases.squared_and_alone())
    law, (default, *_) = _law_of(cases, columns, cells, models)
    if isinstance(law, LinearLaw):
        metrics, how = [model.metrics for model in models], (models[0].sampling, models[0].prevalence)
        tables = ((counts, cells[1]) for counts in (squares, rows))
        others = (_law_of(cases, columns, each, _models_of(each, metrics, *how))[0] for each in tables)
        return weighted_linear(law, *others), (default, "wald")
    return weighted_metric(law, squares, rows), (default, "wald")[: 1 if np.isinf(law.estimate).any() else 2]


def _methods(law: LinearLaw | MetricLaw | MetricPairLaw, sampling: str, *, paired: bool) -> tuple[str, ...]:
    if not isinstance(law, LinearLaw):
        if isinstance(law, MetricPairLaw):
            return DIFFERENCE_METHODS
        if np.isinf(law.estimate).any():
            return UNBOUNDED_METHODS
        return METHODS if law.shares is None else SHARE_METHODS
    if not paired:
        return RATE_METHODS if law.is_rate else COST_METHODS[sampling]
    if len(law.strata) == 1 and sampling != "full":
        return RATE_DIFFERENCE_METHODS
    # an accuracy of all cases drawn together weighs both classes alike
    weighs = sampling == "full" and not np.isin(law.strata[0].values, (-1, 0, 1)).all()
    return COST_DIFFERENCE_METHODS["full" if weighs else "stratified"]


def values_of(metrics: Sequence[AnyMetric], counts: Floats, sampling: str, prevalence: float | None) -> Floats:
    """The metric of each row of TP, FN, FP and TN; NaN where it has no value."""
    values, metric = values_at(metrics, counts, prevalence), metrics[0]
    if counts[0, :2].any() and counts[0, 2:].any():
        return values
    # One class is missing: a value that is infinite for this reason counts as undefined.
    known = metric is KAPPA and prevalence is None  # 0 unless all predictions are that class
    fixed = isinstance(metric, Metric) and not metric.follows_share and sampling == "stratified"
    compares = metric.of == "rates" and not fixed  # it combines a rate per class, and needs cases of both
    return np.where(np.isinf(values) | (compares and not known), np.nan, values)


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


def _why_undefined(metric: AnyMetric, counts: Floats, value: float, prevalence: float | None) -> str:
    """Why a metric has no finite value, in words, such as the empty count; "" where it has one."""
    if not np.isnan(value):
        return "infinite" if np.isinf(value) else ""
    empty = [words for words, cells in EMPTY.items() if not counts[cells].any()]
    predicted = [words for words in empty if "predicted" in words]
    if len(empty) > len(predicted) and (metric.of == "rates" or prevalence is not None):
        return ONE_CLASS if metric is KAPPA and prevalence is None else empty[0]
    weighed = np.ones(len(CELLS), dtype=bool)
    if isinstance(metric, Metric):
        weighed = metric.on_counts(counts[:2].sum(), counts[2:].sum(), prevalence)[1] > 0
    for words, cells in EMPTY.items():
        if np.flatnonzero(weighed).tolist() == cells:
            return words
    if predicted:
        return predicted[0]
    zero = [cell for cell, is_zero in zip(CELLS, weighed & (counts == 0), strict=True) if is_zero]
    return f"{' and '.join(zero)} {'is' if len(zero) == 1 else 'are'} 0"


def metric_range(metric: AnyMetric, cells: Sequence[float]) -> tuple[float, float]:
    """The least and the largest value that a metric can have in samples like one with these counts."""
    scheme = check_sampling([metric], None, None)
    counts = np.array([cells], dtype=np.float64)
    least, most = range_of([MetricLaw(counts, np.ones((1, 4), dtype=bool), (metric,), scheme, None)])
    return float(least[0]), float(most[0])


class UndefinedMetricError(ValueError):
    """A metric has no value at any point; ``ends`` are its least and largest possible value at the first."""

    def __init__(self, what: str, why: str, ends: tuple[float, float]) -> None:
        super().__init__(f"{what} is undefined{why}.")
        self.what, self.ends = what, ends


def check_some_defined(what: str, result: ResultT, thresholds: object) -> ResultT:
    if isinstance(law := result.law, PartlyDefinedLaw) and law.law is None:
        points = "" if thresholds is None else " at the threshold" if np.size(result.estimate) == 1 else " everywhere"
        least, most = (float(np.ravel(end)[0]) for end in law.widest)
        raise UndefinedMetricError(what, f"{points}: {law.reasons[0]}", (least, most))
    return result
