"""Public functions: metrics of two classes, of several, or by a function; of one model or of a minus b."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import as_array
from skcostci._described import described
from skcostci._frozen import frozen_numbers
from skcostci._options import Label, Sampling, WeightType, explains_calls, option_meant
from skcostci._validation._rows import SampleOptions
from skcostci._warnings import warn_caller
from skcostci.metric import MetricLike, ZeroDivision, find_metric
from skcostci.results._results import BootstrapResult, ResultT
from skcostci.statistics._any_metric import KappaWeights, TableAverage, is_function, metric_of
from skcostci.statistics._metric import HowJudged, MetricDifferenceResult, MetricResult, check_some_defined
from skcostci.statistics._other_scales import as_number, beyond_chance
from skcostci.statistics._registry import NamedStatistic, StatisticOptions, refuse_options, statistic_of
from skcostci.statistics._weight_types import weighed

SAMPLE = ("pos_label", "sample_weight", "weight_type", "groups", "folds")


@explains_calls
@described(SampleOptions)
def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: MetricLike,
    *,
    thresholds: ArrayLike | str | None = None,
    average: TableAverage | None = "binary",
    labels: ArrayLike | None = None,
    kappa_weights: KappaWeights | None = None,
    range: tuple[float, float] | None = None,
    greater_is_better: bool | None = None,
    zero_division: ZeroDivision | None = None,
    normalize: bool = True,
    adjusted: bool = False,
    sampling: Sampling | None = None,
    prevalence: float | tuple[int, int] | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    **options: Unpack[StatisticOptions],
) -> MetricResult:
    """Any metric of labels, scores or amounts with its confidence interval, in closed form.

    >>> from skcostci import bootstrap_metric
    >>> y_true, y_pred = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 0, 1, 1, 1, 1]
    >>> bootstrap_metric(y_true, y_pred, "f1")
    MetricResult(f1, estimate=0.8, standard_error=0.1615, 95 % interval 0.3644 to 0.9779 by clopper_pearson)

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels of both classes; the accuracy also takes one class alone, and recall positives alone. Labels of
        several classes with an ``average``, or for metrics that need none; for a function whatever it takes. For
        several labels per case a table of 0 and 1, shape (n_samples, n_labels), as ``y_pred`` then is.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_columns)
        Predicted labels or, with ``thresholds``, finite scores, higher meaning more positive; for a function labels,
        scores, probabilities or amounts. Columns that are named after the classes go in the order of the classes.
    metric : str, Metric or callable
        *Of counts:* "accuracy", "precision" ("ppv"), "npv", "recall" ("sensitivity", "tpr", "hit_rate"), "specificity"
        ("tnr"), "f1", "jaccard" ("csi", "threat_score"), "fdr", "fomr", "fpr", "fnr", "hamming", "selection_rate",
        "bias", "net_benefit", "standardized_net_benefit" (these two of probabilities, at threshold probabilities).
        *Of the rates in each class:* "balanced_accuracy", "youden" ("pss"), "lr_positive", "lr_negative",
        "diagnostic_odds_ratio", "lift", "kappa" ("cohen_kappa", "hss"), "pabak", "ets", "mcc" ("matthews_corrcoef").
        *Of scores:* "ks", "eer", "gini", "aurc" (of right answers and confidences), of risks "calibration_slope",
        "calibration_intercept", "observed_expected", and with ``positive_rate`` "capture", "lift" and "precision" among
        the highest scores. *Of amounts, such as human scores:* "pearson", "spearman". *Any name of scikit-learn's
        metrics and scorers*, such as "roc_auc_ovr", "neg_log_loss" (which gives the loss itself) or "r2"; where another
        function here computes it, its options apply and its result is returned.
        A :class:`Metric`, such as ``Metric.fbeta(2)`` or your own. Or a function ``metric(y_true, y_pred,
        sample_weight=w)`` that is smooth in the weights (no median, no threshold chosen by the data), with its options
        set by ``functools.partial``. See :doc:`/user_guide/any_metric`.
    thresholds : float, array-like of shape (n_points,), "youden" or "best", default=None
        A score that is at least the threshold is labelled positive; infinite ones allowed. None: ``y_pred`` are labels.
        "youden" takes the threshold with the largest TPR - FPR **on these data**, "best" the one at which this metric
        is best on them: the metric looks better there than it is, and the result is ``selected``.
    average : {"binary", "macro", "micro", "weighted", "samples"} or None, default="binary"
        For ratios of counts of several classes, each against the rest, or labels: the mean, the ratio of the sums, the
        mean weighted by the cases in each class or, for labels, the mean over cases. None gives one value per class.
        "binary" is for two classes. Accuracy, Hamming loss, balanced accuracy, kappa and "mcc" need no average.
    labels : array-like of shape (n_classes,), default=None
        The classes that are averaged; None is those that occur in truth or predictions. For kappa with
        ``kappa_weights``, the classes in their order; for the kappa of one model, cases with other labels are left out.
    kappa_weights : {"linear", "quadratic"}, default=None
        For kappa: disagreement counts as the distance of the classes, or as its square, in the order of ``labels``, of
        ordered categories or of numbers; for texts ``labels`` is needed.
    range : tuple of 2 floats, default=None
        For a function: the least and the largest value that it can have. None: that of scikit-learn's functions is
        known by their names; without one see "extrapolated" below.
    greater_is_better : bool, default=None
        For a function, used in comparisons and scorers. None is False where its name ends in "_error", "_loss" or
        "_deviance".
    zero_division : {0, 1, nan, "warn"}, default=None
        For ratios of counts: the value without any counts in the denominator. nan leaves a class out of averages;
        "warn" is 0, with a warning. None is "warn" in averages, and an error where there is no value at all. Limits do
        not depend on it: where there is no value, they are the whole range.
    normalize : bool, default=True
        False gives the number of cases instead of their share, for the accuracy and the zero-one loss, and the sum of
        the log loss.
    adjusted : bool, default=False
        For the balanced accuracy: whether it is rescaled so that random labels score 0, as in scikit-learn.
    sampling : {"full", "stratified"}, default=None
        Resample all cases together or each class to its own size. None is "full" where the metric follows the share of
        positives (accuracy, precision, F1, kappa, ...) or has several classes, and "stratified" where it does not
        (recall, balanced accuracy, likelihood ratios, ...) or a prevalence is given.
    prevalence : float or tuple of 2 ints, default=None
        The share of positives to evaluate at, from 1e-9 to 1 - 1e-9, instead of the sample's: the precision that a
        screening test will have there. Or ``(events, cases)`` of another sample from which the share is estimated, of
        independent cases at thresholds given beforehand: limits then allow for its uncertainty.
    pos_label : int, float, bool or str, default=None
        The positive label; None is 1 where the labels are {0, 1} or {-1, 1}. It may be left out where the metric does
        not depend on it: accuracy, balanced accuracy, Youden's J, kappa, "mcc" and the odds ratio.
    **options
        Options of a metric that belongs to another function: ``max_fpr`` for "roc_auc", ``specificity`` for
        "sensitivity_at_specificity", ``probability_cost`` for "cost", ``positive_rate`` for "capture"; ``time`` and
        ``horizon`` for "net_benefit" (not the standardized one) of risks of an event by then, with censored cases.

    Returns
    -------
    MetricResult
        The default interval depends on the kind of metric:

        - **a share of the cases that count** (accuracy, precision, F1 and others under full sampling; any single rate,
          such as recall): "clopper_pearson", exact binomial limits.
        - **other metrics of classes, functions with a range, any metric with folds**: "unseen_case": one additional
          case, or one per class, where it moves the limit furthest. Not to be trusted where some classes are rare.
        - **functions without a range** (root mean squared error, R2, Brier skill) **and correlations**: "extrapolated",
          with an additional case as extreme as the most extreme one in the sample. **Not to be trusted where rare large
          errors are possible** that the sample does not show. Give ``range`` where you know it.
        - **at a threshold chosen on these cases** ("youden", "best"): "chosen", the limits at a given threshold, with a
          smaller error probability for the optimistic one.
        - **with groups**: "extrapolated", with an additional group as extreme as those in the sample suggest. Not to be
          trusted where some groups fail as a whole and the sample may contain none: "unseen_group" allows for them, and
          is up to twice as wide.

        Others: "percentile" (not with groups), "wald", from the resamples. Not to be trusted where a count is
        small; of zero width where it is 0. Weighted sums and single rates also have the methods of
        :func:`bootstrap_cost` and :func:`bootstrap_roc_at_threshold`. Coverage is in
        :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/means_and_metrics`.

    Raises
    ------
    ValueError, TypeError
        Where a function takes no weights, is not smooth in them, or has more than 20,000 distinct pairs of truth and
        prediction; where there is no value at any threshold, or in some fold, or one outside the range that was given.

    Warns
    -----
    UndefinedMetricWarning
        Once, where a class of several has no value, as the precision of one never predicted: it counts 0.

    See Also
    --------
    bootstrap_metric_difference : Two models on the same cases.
    Metric : One line makes a new metric.

    Notes
    -----
    Resamples without a value are left out, never counted as 0 or infinity; how many there are is ``undefined``. At
    thresholds where the metric has no value, as the precision where no case is labelled positive, the estimate is NaN,
    ``defined`` is False and the interval is the whole range. Likelihood ratios and the odds ratio are infinite where
    there is no false alarm: the lower limit is finite.
    """
    several = average, labels, kappa_weights, range, greater_is_better, zero_division
    how = HowJudged(*several, thresholds, sampling, prevalence)
    sample: SampleOptions = {"pos_label": pos_label, "sample_weight": sample_weight, "weight_type": weight_type}
    sample |= {"groups": groups, "crossed": crossed, "folds": folds, "proxy": proxy, "checked": checked}
    found = _result(y_true, {"y_pred": y_pred}, metric, how, sample, options)
    result: MetricResult = _on_scale(found, metric, y_true, sample, normalize, adjusted)
    return result


@explains_calls
@described(bootstrap_metric)
def bootstrap_metric_difference(
    y_true: ArrayLike,
    y_pred_a: ArrayLike,
    y_pred_b: ArrayLike,
    metric: MetricLike,
    *,
    thresholds: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None,
    average: TableAverage | None = "binary",
    labels: ArrayLike | None = None,
    kappa_weights: KappaWeights | None = None,
    range: tuple[float, float] | None = None,
    greater_is_better: bool | None = None,
    zero_division: ZeroDivision | None = None,
    normalize: bool = True,
    adjusted: bool = False,
    sampling: Sampling | None = None,
    prevalence: float | tuple[int, int] | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    **options: Unpack[StatisticOptions],
) -> MetricDifferenceResult:
    """The difference in any metric of two models, a - b, on the same cases, with its confidence interval and p-value.

    >>> from skcostci import bootstrap_metric_difference
    >>> y_true = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> a, b = [0, 0, 0, 0, 1, 0, 1, 1, 1, 1], [0, 1, 1, 0, 1, 0, 0, 1, 1, 1]
    >>> bootstrap_metric_difference(y_true, a, b, "f1")
    MetricDifferenceResult(f1 difference, estimate=0.2545, standard_error=0.1525, 95 % interval -0.181 to 0.6292 by
    unseen_case, p=0.34)

    Parameters
    ----------
    y_pred_a, y_pred_b : array-like of shape (n_samples,) or (n_samples, n_columns)
        The labels that the two models predict or, with ``thresholds``, finite scores, higher meaning more positive; for
        a function whatever it takes; for "aurc" two confidences in the same answers, with 1 in ``y_true`` for right.
    thresholds : float, array-like of shape (n_points,) or tuple of two of these, default=None
        For both models, or one entry for each. None: predicted labels are given.

    Returns
    -------
    MetricDifferenceResult
        The default interval depends on the metric:

        - **a weighted sum of rates** (accuracy, balanced accuracy, net benefit, a single rate): "unseen_case"
          (default), with one additional case (one in each class if stratified) on which the models differ most. The
          exact distribution also gives ``cdf``, ``quantile`` and ``probabilities``. Other methods are those of
          :func:`bootstrap_cost_difference`, for a single rate those of :func:`bootstrap_roc_difference_at_threshold`.
        - **any other metric of classes, and functions with a range**: "unseen_case" (default), with one additional case
          that moves the difference most; for likelihood and odds ratios the limits of both models are combined.
        - **functions without a range**, and **kappa with** ``kappa_weights``: "extrapolated" (default), with an
          additional case about as extreme as the most extreme one in the sample. **Not to be trusted where rare large
          errors are possible** that the sample does not show.
        - **with groups**: "extrapolated" (default), with an additional group as extreme as those in the sample suggest;
          it sharpens as the models resemble each other. "unseen_group" allows for a group that one model has all wrong
          and the other all right; metrics without a greatest value do not have it.

        "wald" is a Gaussian with the distribution's moments: not to be trusted where counts are small. Coverage is in
        :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/means_and_metrics`.

    See Also
    --------
    bootstrap_metric : One model.

    Notes
    -----
    Moments are over the resamples in which both models' values are defined, and exact but for several classes,
    functions and groups. With ``folds`` the result is the mean of the folds' differences; a ``proxy`` is one for both
    models.
    """
    several = average, labels, kappa_weights, range, greater_is_better, zero_division
    how = HowJudged(*several, thresholds, sampling, prevalence)
    sample: SampleOptions = {"pos_label": pos_label, "sample_weight": sample_weight, "weight_type": weight_type}
    sample |= {"groups": groups, "crossed": crossed, "folds": folds, "proxy": proxy, "checked": checked}
    columns = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    found = _result(y_true, columns, metric, how, sample, options)
    result: MetricDifferenceResult = _on_scale(found, metric, y_true, sample, normalize, adjusted)
    return result


def _result(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: MetricLike,
    how: HowJudged,
    sample: SampleOptions,
    others: Mapping[str, object],
) -> Any:
    """The metric, if it has a value at any point; a statistic that is no metric of labels uses its own function."""
    named, given = statistic_of(metric, options=others), how.given
    if named.functions is not None:
        # without the default of weight_type, which not all functions have
        rows = {k: v for k, v in sample.items() if v is not None and (k, v) != ("weight_type", "counts")}
        return _by_its_function(str(metric), named, y_true, columns, {**given, **rows, **others})
    options = {**given, **others}
    if named.metric is None or named.at_horizon is not None:  # of scores, without a function of its own, or of times
        what = f"metric={metric!r}" + " with positive_rate" * (named.needs == "positive_rate")
        _refuse_unknown(what, options, (*named.takes, *SAMPLE))
        named, y_true, sample["time"], options = named.at_times(y_true, options)
    if named.metric is None:
        found = named.of(named.check(y_true, columns, options, sample), *columns, **options)
        return check_some_defined(str(metric), found, None)
    _refuse_unknown(f"metric={_named(metric)}", others, (*named.takes, *SAMPLE))
    refuse_options(str(metric), named, given)
    how = how._replace(**named.preset)
    result = metric_of(named.check(y_true, columns, how._asdict(), sample), *columns, metric=named.metric, how=how)
    name = result.metric if is_function(named.metric) else find_metric(named.metric).name
    what = str(name) if len(columns) == 1 else f"the difference in {name}"
    if how.zero_division is None or is_function(named.metric):
        return check_some_defined(what, result, how.thresholds)
    return _filled(result, what, how)


def _on_scale(
    result: BootstrapResult,
    metric: MetricLike,
    y_true: ArrayLike,
    sample: SampleOptions,
    normalize: bool,
    adjusted: bool,
) -> Any:
    """The result as a number of cases, or adjusted for chance, if the options say so."""
    weights, weight_type = sample["sample_weight"], sample["weight_type"]
    result = weighed(result, sample, BootstrapResult)
    for option, value in (("normalize", normalize), ("adjusted", adjusted)):
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"{option} must be True or False, got {value!r}.")
    if normalize and not adjusted:
        return result
    named = statistic_of(metric)
    name = named.loss or (_named(metric) if is_function(named.metric) or named.metric is None else None)
    name = name or find_metric(named.metric).name
    if not normalize:
        if weight_type != "counts":
            raise ValueError(
                "normalize=False needs whole-number counts of cases: leave out either weight_type='importance' or "
                "normalize."
            )
        result = as_number(result, name, weights, len(as_array("y_true", y_true)))
    return beyond_chance(result, name, y_true, weights) if adjusted else result


def _filled(result: ResultT, what: str, how: HowJudged) -> ResultT:
    """The result with the value of zero_division where it has none; the limits there are the whole range."""
    lacking = np.isnan(result.estimate)
    if not np.any(lacking):
        return result
    if how.zero_division == "warn":
        warn_caller(f"{what} has no value: 0 is used, as requested by zero_division='warn'.", UndefinedMetricWarning)
    return replace(result, estimate=frozen_numbers(np.where(lacking, how.empty, result.estimate), np.shape(lacking)))


def _by_its_function(
    name: str, named: NamedStatistic, y_true: ArrayLike, columns: Mapping[str, ArrayLike], options: Mapping[str, object]
) -> object:
    """A statistic of scores, or a loss, whose function has options of its own."""
    assert named.functions is not None
    function = named.functions[len(columns) - 1]
    takes = [each for each in [*signature(function).parameters][len(columns) + 1 :] if each != "loss"]
    _refuse_unknown(f"metric={name!r}", options, takes)
    if named.needs is not None and named.needs not in options:
        raise ValueError(f"metric={name!r} needs {named.needs}=.")
    refuse_options(name, named, options)
    return function(y_true, *columns.values(), **{**named.preset, **options})


def _refuse_unknown(statistic: str, given: Iterable[str], known: Sequence[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        beside = f": it takes {', '.join(map(repr, known))}." if known else "."
        raise TypeError(
            f"bootstrap_metric got {', '.join(map(repr, unknown))}, which {statistic} does not take{beside}"
            f"{option_meant(unknown[0], known)}"
        )


def _named(metric: MetricLike) -> str:
    return repr(metric) if isinstance(metric, str) else f"{type(metric).__name__} {getattr(metric, 'name', metric)!r}"
