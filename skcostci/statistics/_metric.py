"""Metrics of a confusion table: precision, F1, kappa, net benefit, a user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._options import SAMPLINGS, Sampling
from skcostci._validation import Floats, check_alone, check_option, check_prevalence
from skcostci.cases._cases import Cases, split_folds
from skcostci.cuts import RISKS, Cut, check_risks, count_cells, count_groups, of_both_classes, rate_cut
from skcostci.laws import (
    ChosenMetricLaw,
    GroupedLaw,
    GroupedRatioLaw,
    LinearLaw,
    MetricLaw,
    PartlyDefinedLaw,
    grouped_metric_law,
    metric_law,
)
from skcostci.metric import CELLS, AnyMetric, Metric, RiskMetric, find_metric
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult, ExactResult
from skcostci.statistics._chosen import chosen_metric_law
from skcostci.statistics._cost import METHODS as COST_METHODS
from skcostci.statistics._folded import FoldedMetricResult, mean_of
from skcostci.statistics._grouped import grouped_parts
from skcostci.statistics._roc_threshold import METHODS as RATE_METHODS

METHODS = ("unseen_case", "percentile", "wald")
SHARE_METHODS = ("clopper_pearson", *METHODS)
UNBOUNDED_METHODS = METHODS[:1]  # no others make sense of an infinite estimate
ALL_METHODS = tuple(dict.fromkeys([*SHARE_METHODS, *RATE_METHODS, *COST_METHODS["full"]]))  # of what has no value
LABELLED = Cut(np.asarray(0.5))  # of labels as scores 0 and 1
ROUNDING = 1e-9  # of an estimate beside the ends of its range
NOTHING = {  # where only these of TP, FN, FP and TN count, and there are none of them
    (True, False, True, False): "no predicted positives",
    (False, True, False, True): "no predicted negatives",
    (True, True, False, False): "no positives",
    (False, False, True, True): "no negatives",
}
ResultT = TypeVar("ResultT", bound=BootstrapResult[Any])


@dataclass(frozen=True, repr=False, eq=False)
class MetricResult(ExactResult):
    """A metric of the confusion table of one model, at each threshold where there are some, with its exact law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The metric on the data as given.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    metric : str
        Its name.
    thresholds : float or ndarray of shape (n_points,), or None
        The thresholds; None where labels were given.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.

    Attributes
    ----------
    mean, standard_error : float or ndarray of shape (n_points,)
        Of the exact bootstrap law, given that the metric is defined; of a ratio the mean is not the estimate.

    See Also
    --------
    bootstrap_metric : Makes one.
    MetricThresholdDisplay : A metric at every threshold.

    Examples
    --------
    >>> from skcostci import bootstrap_metric
    >>> y_true, y_pred = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1]
    >>> bootstrap_metric(y_true, y_pred, "f1")
    MetricResult(estimate=0.75, standard_error=0.2035, 95 % interval 0.2558 to 0.9729)
    """

    law: LinearLaw | MetricLaw | GroupedRatioLaw
    metric: str
    thresholds: Numbers | None

    @property
    def undefined(self) -> Numbers:
        """The probability that a resample has no value, because a class is missing or the denominator is 0."""
        return self._shaped(self.law.undefined)

    def _axis(self) -> dict[str, Numbers]:
        return {} if self.thresholds is None else {"threshold": self.thresholds}


@dataclass(frozen=True, repr=False, eq=False)
class GroupedMetricResult(BootstrapResult):
    """A metric of both classes' rates among cases that belong together, with the moments of its bootstrap law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The metric on the data as given.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    metric : str
        Its name.
    thresholds : float or ndarray of shape (n_points,), or None
        The thresholds; None where labels were given.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.

    Attributes
    ----------
    mean, standard_error : float or ndarray of shape (n_points,)
        Of the bootstrap law of whole groups: exact for weighted sums of rates, of first order for other metrics.

    See Also
    --------
    bootstrap_metric : Makes one.
    MetricThresholdDisplay : A metric at every threshold.

    Examples
    --------
    >>> from skcostci import bootstrap_metric
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> patients = ["a", "a", "b", "c", "a", "b", "c", "c"]
    >>> bootstrap_metric(y_true, [0, 0, 0, 1, 0, 1, 1, 1], "kappa", groups=patients)
    GroupedMetricResult(estimate=0.5, standard_error=0.2122, 95 % interval -0.3595 to 0.9143)
    """

    law: GroupedLaw
    metric: str
    thresholds: Numbers | None

    @property
    def undefined(self) -> Numbers:
        """The probability that a resample has no value, because a class is missing."""
        return self._shaped(self.law.undefined)

    def _axis(self) -> dict[str, Numbers]:
        return {} if self.thresholds is None else {"threshold": self.thresholds}


@overload
def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Metric,
    *,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: None = None,
) -> MetricResult: ...


@overload
def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Metric,
    *,
    groups: ArrayLike,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> MetricResult | GroupedMetricResult: ...


@overload
def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Metric,
    *,
    folds: ArrayLike,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> FoldedMetricResult: ...


def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Metric,
    *,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> MetricResult | GroupedMetricResult | FoldedMetricResult:
    """The exact bootstrap law of any metric of the confusion table, with an interval that holds.

    The bootstrap law of a statistic is its distribution over all resamples. Resampling approximates it; here no
    resample is drawn.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. One class will do for what needs no more: the accuracy, and for recall the positives.
    y_pred : array-like of shape (n_samples,)
        Predicted labels or, with ``thresholds``, finite scores, higher meaning more positive.
    metric : str or Metric
        Of counts: "accuracy", "precision", "npv", "recall", "specificity", "f1", "jaccard", "fdr", "fomr" (false
        omission rate), "net_benefit", "standardized_net_benefit". Of rates, and some of the class share:
        "balanced_accuracy", "youden", "lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift", "kappa", "mcc".
        The two net benefits take scores that are risks, whose thresholds are the threshold probabilities. Or a
        :class:`Metric`, such as ``Metric.fbeta(2)`` or your own.
    thresholds : float, array-like of shape (n_points,) or "youden", default=None
        A score that is at least the threshold is labelled positive; infinite ones allowed. None: ``y_pred`` are labels.
        "youden" takes the one with the largest TPR - FPR **on these data**, of several the largest: the metric looks
        better there than it is, and the result is ``selected``.
    sampling : {"full", "stratified"}, default=None
        Resample all cases together or each class to its own size. None is "full" for metrics of counts, "stratified"
        for metrics of rates and wherever a prevalence is given. What depends on the rates in either class alone, not on
        the class mix, is judged at the class sizes seen and has the same default interval either way: recall,
        specificity, balanced accuracy, Youden's J and the likelihood ratios.
    prevalence : float, default=None
        The share of positives to judge at, from 1e-9 to 1 - 1e-9, instead of the sample's: the precision that a
        screening test will have there.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}. Of predicted labels it may be left out where
        the metric does not depend on it: accuracy, balanced accuracy, Youden's J, kappa, "mcc" and the odds ratio.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, such as the lesions of a patient: labels of any kind, of two groups or more. Whole
        groups are then resampled, with the classes they hold, and ``sampling`` is to be left alone.
    folds : array-like of shape (n_samples,), default=None
        Of out-of-fold scores or labels, the fold in which each case was tested: labels of any kind, both classes in
        each. The result is then the mean over folds of a metric that is a sum of rates with fixed weights (accuracy,
        balanced accuracy, net benefit, recall with ``sampling="stratified"``): a :class:`FoldedMetricResult`, about the
        models of these folds (see :func:`bootstrap_auc`). Not with ``groups``.

    Returns
    -------
    MetricResult
        With ``estimate``, ``defined``, ``mean``, ``standard_error``, ``undefined``, ``cdf``, ``quantile``,
        ``confidence_interval`` and ``to_frame``. Its interval methods depend on what the metric is in a resample:

        - **at a threshold that these cases chose** ("youden"): "chosen" (default, and only there), the default limit of
          the metric at a given threshold; the one that the choice flatters gives way as far as the error of the metric,
          to first order, correlates with that of TPR - FPR. Not proved: simulated with
          250 samples of about 60 + 60 cases (full sampling) of each of five populations, recall, specificity, F1,
          Youden's J, precision and LR+ covered .968 and more of 95 %, where the limits at a given threshold covered
          .866; up to 1.3 times as wide as these.
        - **a weighted sum** (accuracy, net benefit; stratified also recall, specificity, balanced accuracy, Youden's
          J): those of :func:`bootstrap_cost`; of a single rate, those of :func:`bootstrap_roc_at_threshold`.
        - **a share of the cases that count** (precision, NPV, recall, specificity, FDR, FOMR, Jaccard index and F1, all
          under full sampling): "clopper_pearson" (default), Clopper and Pearson's limits given how many cases
          count. Covers at least the level; at 95 % .962 at worst of 24 cases.
        - **other ratios** (F-beta, standardized net benefit, likelihood ratios, lift, kappa; stratified also precision
          and F1): "unseen_case" (default), the "unseen_case" limits of numerator less x times denominator,
          solved for x. Exact sums over all tables of 24 cases, or of 25 + 25, 10 + 50 and 50 + 10: at worst .959 at
          95 %, .925 at 90 %, .992 at 99 %.
        - **functions of the rates** (Matthews correlation, odds ratio; under full sampling kappa and lift too):
          "unseen_case" (default), the extreme of the metric among rates that the data allow together: at worst
          .967 at 95 %, .935 at 90 %, .982 at 99 %.

        - **with groups**: "unseen_group" (default), one group more, of typical size, may be all wrong (or all right):
          see :func:`bootstrap_cost`; and "effective_size", the default limits of as many cases that stand for
          themselves as the groups are worth, by their design effect and Student's t (Korn and Graubard's for shares),
          for who knows that errors do not come by the group. Of metrics without end, as likelihood ratios and lift, the
          default is the same as "effective_size". The law of metrics of counts is known whole, with "percentile" too;
          that of others has moments only, and the result is a :class:`GroupedMetricResult`, without ``cdf`` and
          ``quantile``.

        All of the three before also have "percentile" and "wald", from the raw law: not to be trusted where a count is
        small; they shrink to points where one is 0.

    Raises
    ------
    ValueError
        If labels, scores, weights, thresholds or options are not as described; where the metric has no value at any
        threshold, naming what there is nothing of, or a value outside the range that a :class:`Metric` was given.

    See Also
    --------
    bootstrap_metric_difference : Two models on the same cases.
    Metric : One line makes a new metric.
    make_metric_scorer : For model selection.

    Notes
    -----
    With N and D the two weighted sums, ``P(N / D <= x) = P(N - x D <= 0)`` where D > 0. Resamples without a value are
    left out, never counted as 0 or infinity; how many there are is ``undefined``. The law is a sum over one count of
    binomial probabilities of another, O(sqrt n) a value and exact up to a million cases (stratified, or a share such as
    precision or F1); under full sampling, for other metrics, over class sizes too, O(n) and exact up to a thousand.
    Of more cases it is summed over every so many counts: the distribution function is within .001, in a time that no
    longer grows. Moments of ratios are one quadrature, exact to rounding.

    At thresholds where the metric has no value, as the precision where nobody is labelled positive, the estimate is
    NaN, ``defined`` is False and the interval is the whole range.

    Likelihood ratios and the odds ratio are infinite where there is no false alarm: the lower limit is finite.

    Choosing the threshold on the same cases flatters the metric. Only "youden" tells that they did; the intervals at
    given thresholds do not allow for it.

    References
    ----------
    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
    Biometrika, 1934.

    A. J. Vickers and E. B. Elkin, "Decision curve analysis: a novel method for evaluating prediction models", Medical
    Decision Making, 2006.

    Examples
    --------
    >>> from skcostci import bootstrap_metric
    >>> y_true = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> y_pred = [0, 0, 0, 0, 1, 0, 1, 1, 1, 1]
    >>> f1 = bootstrap_metric(y_true, y_pred, "f1")
    >>> round(float(f1), 3)
    0.8
    >>> low, high = f1.confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.364, 0.978)

    The precision to expect where one case in fifty is positive:

    >>> round(float(bootstrap_metric(y_true, y_pred, "precision", prevalence=0.02)), 3)
    0.075
    """
    cases = check_metric_cases(
        y_true,
        {"y_pred": y_pred},
        metric,
        thresholds=thresholds,
        prevalence=prevalence,
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
        both_classes=folds is not None,
    )
    ask = partial(metric_of, metric=metric, thresholds=thresholds, sampling=sampling, prevalence=prevalence)
    if folds is not None:
        check_alone(groups=groups, folds=folds)
        each = [ask(fold, "y_pred") for fold in split_folds(cases, folds, sample_weight)]
        estimand = replace(each[0].estimand, folds=True)
        return FoldedMetricResult(*mean_of(each), each[0].metric, each[0].thresholds, estimand=estimand)
    return check_some_defined(find_metric(metric).name, ask(cases, "y_pred"), thresholds)


def check_metric_cases(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: str | AnyMetric,
    *,
    thresholds: Any = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    both_classes: bool = False,
    **sample: Any,
) -> Cases:
    """Cases of what a metric judges: labels, or scores with thresholds; one class will do where it does for the metric.

    Of predicted labels it may not matter which class is called positive: of scores it does.
    """
    found = find_metric(metric)
    either = thresholds is None and prevalence is None and not found.needs_positive_class
    return Cases.check(
        y_true,
        columns,
        pos_label=pos_label,
        predicted=thresholds is None,
        both_classes=both_classes,
        either=either,
        **sample,
    )


def metric_of(
    cases: Cases,
    column: str,
    metric: str | AnyMetric,
    *,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
) -> MetricResult | GroupedMetricResult:
    """A metric of a column of checked cases: scores, or labels as 0 and 1; NaN at points where it is undefined."""
    found, given = find_metric(metric), thresholds is not None
    cut = LABELLED if thresholds is None else rate_cut("thresholds", thresholds, cases.counts(column))
    cut, each = at_thresholds(found, cut, given, cases.columns[column])
    scheme, share = check_sampling(each[0], sampling, prevalence)
    if cases.groups is not None:
        cases.check_group_sampling(sampling, None)
    counts, possible = of_both_classes(*count_cells(cases, (column, cut)))
    values = values_of(each, counts, scheme, share)
    check_ranges(each, values)
    kept = np.flatnonzero(~np.isnan(values))
    kind: type[MetricResult | GroupedMetricResult] = MetricResult
    law: Any = None
    methods = ALL_METHODS
    if len(kept):
        point = cut if len(kept) == len(values) else replace(cut, thresholds=cut.thresholds[kept])
        model = MetricLaw(counts[kept], possible[kept], tuple(each[i] for i in kept), scheme, share)
        one = _law_of if cases.groups is None else _grouped_law_of
        kind, law, methods = one(cases, column, point, model)
    if len(kept) < len(values):
        reasons = tuple(why_undefined(*point, share) for point in zip(each, counts, values, strict=True))
        widest = _ranges(each, counts, scheme, share)
        law = PartlyDefinedLaw(law, ~np.isnan(values), reasons, widest, (each[0], counts[0]))
    shape = cut.thresholds.shape
    axis = frozen_numbers(cut.thresholds, shape) if given else None
    estimand = metric_estimand(cases, each, share, cut.selected)
    return kind(frozen_numbers(law.estimate, shape), law, methods, each[0].name, axis, estimand=estimand)


def metric_estimand(
    cases: Cases, metrics: tuple[AnyMetric, ...], prevalence: float | None, selected: bool, difference: bool = False
) -> Estimand:
    """What a metric, or a difference of two, is of."""
    positive = cases.labels[1] if prevalence is not None or metrics[0].needs_positive_class else None
    return Estimand("metric", difference, metric=metrics, prevalence=prevalence, positive=positive, selected=selected)


def _law_of(cases: Cases, column: str, cut: Cut, model: MetricLaw) -> tuple[Any, Any, tuple[str, ...]]:
    """The result, law and interval methods where cases are drawn one by one."""
    law = metric_law(model.counts, model.possible, model.metrics, model.sampling, model.prevalence)
    methods = _methods(law, "full" if model.sampling == "full" else "stratified")
    if cut.selected:
        law, methods = chosen_metric_law(law, model, cases.counts(column), cut), ("chosen", *methods)
    return MetricResult, law, methods


def _grouped_law_of(cases: Cases, column: str, cut: Cut, model: MetricLaw) -> tuple[Any, Any, tuple[str, ...]]:
    """The same where whole groups are: they bring their class mix along, unless another is to be judged at."""
    model = replace(model, sampling="full" if model.prevalence is None else "stratified")
    chosen = chosen_metric_law(model, model, cases.counts(column), cut) if cut.selected else None
    flatteries = (chosen.flattery,) if isinstance(chosen, ChosenMetricLaw) else ()
    law = grouped_metric_law(model, count_groups(cases, (column, cut)), flatteries)
    _, law, methods = grouped_parts(law, cut.thresholds.shape)
    if isinstance(law, GroupedRatioLaw):
        return MetricResult, law, methods
    return GroupedMetricResult, law, methods[:1] if np.isinf(law.estimate).any() else methods


def values_of(metrics: Sequence[AnyMetric], counts: Floats, sampling: Sampling, prevalence: float | None) -> Floats:
    """The metric of each row of TP, FN, FP and TN; NaN where it has no value."""
    if all(metric is metrics[0] for metric in metrics):
        values = _value(metrics[0], counts, prevalence)
    else:
        values = np.array([float(_value(*each, prevalence)) for each in zip(metrics, counts, strict=True)])
    some_empty = not (counts[0, :2].any() and counts[0, 2:].any())
    if some_empty:  # what a class is lacking for is not infinite
        return np.where(np.isinf(values) | _compares_classes(metrics[0], sampling), np.nan, values)
    return values


def _value(metric: AnyMetric, counts: Floats, prevalence: float | None) -> Floats:
    """The metric of TP, FN, FP and TN along the last axis."""
    tp, fn, fp, tn = np.moveaxis(counts, -1, 0)
    return metric.at(tp, fn, fp, tn, prevalence)


def _compares_classes(metric: AnyMetric, sampling: Sampling) -> bool:
    """Whether it is one of rates in either class, each of which has to be there."""
    fixed = isinstance(metric, Metric) and not metric.follows_share and sampling == "stratified"
    return metric.of == "rates" and not fixed


def check_ranges(metrics: Sequence[AnyMetric], values: Floats) -> None:
    """A range that a user gave holds what the metric is on the data."""
    for metric, value in zip(metrics, values.tolist(), strict=True):
        least, most = metric.range or (-np.inf, np.inf)
        slack = ROUNDING * max(1.0, abs(value))
        if value < least - slack or value > most + slack:
            raise ValueError(f"range of {metric.name} must hold its value on the data, {value:g}, got {metric.range}.")


def _ranges(
    metrics: tuple[AnyMetric, ...], counts: Floats, sampling: Sampling, prevalence: float | None
) -> tuple[Floats, Floats]:
    """The least and the largest value that each metric can have, wherever cases may fall."""
    return MetricLaw(counts, np.ones(counts.shape, dtype=bool), metrics, sampling, prevalence).support


def why_undefined(metric: AnyMetric, counts: Floats, value: float, prevalence: float | None) -> str:
    """What there is nothing of where a metric has no value, in words; nothing where it has one."""
    if not np.isnan(value):
        return ""
    tp, fn, fp, tn = counts.tolist()
    by_rates = metric.of == "rates" or prevalence is not None
    missing = [what for what, size in (("no positives", tp + fn), ("no negatives", fp + tn)) if size == 0]
    if by_rates and missing:
        return missing[0]
    weighed = [True] * 4 if not isinstance(metric, Metric) else (_denominator(metric, counts, prevalence) > 0).tolist()
    if (words := NOTHING.get(tuple(weighed))) is not None:
        return words
    predicted = [
        words for words, size in (("no predicted positives", tp + fp), ("no predicted negatives", fn + tn)) if size == 0
    ]
    zero = [
        cell for cell, count, counts_at_all in zip(CELLS, counts, weighed, strict=True) if counts_at_all and not count
    ]
    return predicted[0] if predicted else f"{' and '.join(zero)} {'is' if len(zero) == 1 else 'are'} 0"


def _denominator(metric: Metric, counts: Floats, prevalence: float | None) -> Floats:
    """What TP, FN, FP and TN weigh there."""
    return metric.on_counts(float(counts[:2].sum()), float(counts[2:].sum()), prevalence)[1]


class UndefinedMetricError(ValueError):
    """A metric has no value at any point: the first of them, and its counts."""

    def __init__(self, message: str, metric: AnyMetric, counts: Floats) -> None:
        super().__init__(message)
        self.metric, self.counts = metric, counts


def check_some_defined(what: str, result: ResultT, thresholds: Any) -> ResultT:
    """Say what there is nothing of where a metric has no value at any point."""
    law = result.law
    if isinstance(law, PartlyDefinedLaw) and law.law is None:
        points = "" if thresholds is None else " at the threshold" if np.size(result.estimate) == 1 else " everywhere"
        raise UndefinedMetricError(f"{what} is undefined{points}: {law.reasons[0]}.", *law.first)
    return result


def metric_range(metric: AnyMetric, cells: Sequence[float]) -> tuple[float, float]:
    """The least and the largest value that a metric can have in samples like one with these counts."""
    scheme, _ = check_sampling(metric, None, None)
    least, most = _ranges((metric,), np.array([cells], dtype=np.float64), scheme, None)
    return float(least[0]), float(most[0])


def at_thresholds(
    metric: AnyMetric | RiskMetric, cut: Cut, given: bool, scores: Floats
) -> tuple[Cut, tuple[AnyMetric, ...]]:
    """A metric a point, and the cut of what it takes the scores for."""
    if isinstance(metric, AnyMetric):
        return cut, (metric,) * cut.thresholds.size
    if not given:
        raise ValueError(
            f"{metric.name} by name takes scores that are risks, with thresholds, the threshold probabilities; "
            "for labels pass Metric.net_benefit(threshold_probability)."
        )
    check_risks(metric.name, scores)
    return replace(cut, scores=RISKS), tuple(map(metric, cut.thresholds.ravel().tolist()))


def check_sampling(
    metric: AnyMetric, sampling: Sampling | None, prevalence: float | None
) -> tuple[Sampling, float | None]:
    """What is resampled together, and the class mix to judge at."""
    share = None if prevalence is None else check_prevalence(prevalence)
    if sampling is None:
        return ("full" if metric.of == "counts" and share is None else "stratified"), share
    if check_option("sampling", sampling, SAMPLINGS) == "full" and share is not None:
        raise ValueError("sampling must be 'stratified' with a prevalence, which takes the place of a class mix drawn.")
    return sampling, share


def _methods(law: LinearLaw | MetricLaw, sampling: Sampling) -> tuple[str, ...]:
    """The interval methods that suit the law, the default first."""
    if isinstance(law, LinearLaw):
        return RATE_METHODS if law.is_rate else COST_METHODS[sampling]
    if np.isinf(law.estimate).any():
        return UNBOUNDED_METHODS
    return SHARE_METHODS if law.is_share else METHODS
