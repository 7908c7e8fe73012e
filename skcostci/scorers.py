"""Scorers of metrics and of the ends of their intervals, tried on a few cases when made, as searches hide errors."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import signature
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import Floats, NamedColumns, as_array, column_names
from skcostci._described import described
from skcostci._options import RATES_AT, Bound, Label, WeightType, explains_calls, option_meant, without_address
from skcostci._validation._arguments import LEVEL, check_option
from skcostci._validation._labels import check_label_list, has_fractions
from skcostci._validation._rows import SampleOptions
from skcostci._validation._tables import is_multilabel, matrix_labels
from skcostci._warnings import warn_caller
from skcostci.cases._cases import Cases
from skcostci.losses import ANY_SCORE, Scorer, ShownFunction, classes_of, positive_class, scorer_of
from skcostci.metric import AnyMetric, MetricLike, RiskMetric, ZeroDivision, find_metric, of_cells
from skcostci.statistics._any_metric import (
    KappaWeights,
    TableAverage,
    check_metric_cases,
    has_more_classes,
    is_function,
    metric_of,
    partial_labels,
    takes_tables,
    value_of_table,
)
from skcostci.statistics._function_rows import weighted_metric
from skcostci.statistics._loss import OF_PROBABILITIES
from skcostci.statistics._metric import HowJudged, UndefinedMetricError, check_sampling, metric_range, values_of
from skcostci.statistics._metric_functions import bootstrap_metric
from skcostci.statistics._registry import StatisticOptions, refuse_options, statistic_named, statistic_of

RESPONSES = (*ANY_SCORE, "predict")
JUDGED = {  # by kind of predictions: the default response method, and the possible ones
    "labels": ("predict", ("predict",)),
    "risks": ("predict_proba", ("predict_proba",)),
    "scores": (ANY_SCORE, RESPONSES),
    "amounts": ("predict", RESPONSES),
    "anything": ("predict", RESPONSES),
    "unknown": (ANY_SCORE, RESPONSES),  # by a statistic that is not in SINGLE
}
SINGLE = {  # the package's functions with a single estimate: what they judge, and whether greater is better
    "bootstrap_auc": ("scores", True),
    "bootstrap_average_precision": ("scores", True),
    "bootstrap_cost": ("scores", False),
    "bootstrap_expected_cost": ("labels", False),
    "bootstrap_loss": ("amounts", False),
    "bootstrap_metric": ("labels", True),
    "bootstrap_roc_at_fpr": ("scores", True),
    "bootstrap_roc_at_positive_rate": ("scores", True),
    "bootstrap_roc_at_tpr": ("scores", True),
}
OF_LOSS = {**dict.fromkeys(OF_PROBABILITIES, "risks"), "zero_one": "labels"}
SCORED = ("y_true", "y_score", "y_pred", "sample_weight", "groups", "folds")  # arguments passed when a model is scored
BINARY = HowJudged()


@explains_calls
@described(bootstrap_metric)
def make_metric_scorer(
    metric: MetricLike,
    *,
    average: TableAverage | None = "binary",
    labels: ArrayLike | None = None,
    kappa_weights: KappaWeights | None = None,
    range: tuple[float, float] | None = None,
    greater_is_better: bool | None = None,
    zero_division: ZeroDivision | None = None,
    response_method: str | Sequence[str] | None = None,
    bound: Bound | None = None,
    confidence_level: float = 0.95,
    method: str | None = None,
    pos_label: Label | None = None,
    weight_type: WeightType = "counts",
    **options: Unpack[StatisticOptions],
) -> Scorer:
    """Make a scorer of a metric, or of one end of its confidence interval.

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import make_metric_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_metric_scorer("f1", bound="low")).round(2)
    array([0.88, 0.89, 0.91, 0.91, 0.92])

    Parameters
    ----------
    metric : str, Metric or callable
        Any name, :class:`Metric` or function that :func:`bootstrap_metric` takes; net benefits as
        ``Metric.net_benefit(threshold_probability)``.
    zero_division : {0, 1, nan, "warn"}, default=None
        For ratios of counts: the value if the denominator is 0. None is the worst end of the range, with a warning.
    response_method : str or sequence of str, default=None
        The method whose output the metric evaluates, as in scikit-learn's ``make_scorer``. None is "predict"; for rates
        at a fixed value of another it is the first that the estimator has of "decision_function" and "predict_proba".
    bound : {"worst", "best", "low", "high"}, default=None
        Which end of the interval: the worst is the lower limit, for errors the upper one. None is the metric itself, as
        computed by scikit-learn where it has the metric.
    confidence_level : float, default=0.95
        Confidence level of the two-sided interval, in (0, 1).
    method : str, default=None
        An interval method of the metric; None is its default.
    pos_label : int, float, bool or str, default=None
        The positive label; needed unless the labels are {0, 1} or {-1, 1}, or the metric does not depend on it, such as
        the accuracy and averages.
    weight_type : {"counts", "importance"}, default="counts"
        With "importance" the weights that are passed by metadata routing,
        ``scorer.set_score_request(sample_weight=True)``, are how much each case counts, and not how many cases a row
        stands for. It matters for a bound only.
    **options
        Options of a statistic given by name: for a rate at a fixed value of another that value, ``specificity=0.9``;
        for "roc_auc" ``max_fpr``.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn, ``TunedThresholdClassifierCV`` included. Errors, such as the false
        discovery rate, are returned with a minus sign, so that greater is better. With a bound, ``groups`` may be
        passed by metadata routing: ``scorer.set_score_request(groups=True)``.

    Warns
    -----
    UndefinedMetricWarning
        If the metric is undefined, such as the precision if no case is labelled positive: the score is then the worst
        end of its range, so that no model is preferred for it. An infinite value is computed with half a case added to
        each cell, an infinite end of the range in the same way from all correct or all wrong labels.

    See Also
    --------
    bootstrap_metric : The metric with its interval.
    make_bound_scorer : A scorer of a limit of other statistics.
    """
    how = HowJudged(average, labels, kappa_weights, range, greater_is_better, zero_division)
    level = LEVEL("confidence_level", confidence_level)
    if bound is None and method is not None:
        raise ValueError(f"method needs a bound of the interval, got {method!r} and bound=None.")
    check_option("weight_type", weight_type, WeightType)
    own = _function_named(metric, options)
    if own is not None:
        if how.given:
            raise ValueError(f"{next(iter(how.given))} is for metrics of labels, but {metric!r} is not one of them.")
        return _end_scorer(own, bound, level, method, response_method, None, pos_label, weight_type)
    named = statistic_of(metric)
    refuse_options(str(metric), named, how.given)
    how, metric = how._replace(**named.preset), metric if named.metric is None else named.metric
    response_method = named.response if response_method is None else response_method
    judged = how.average == "samples" or takes_tables(metric, how, pos_label)
    found, better = _metric_to_score(metric, how, response_method)
    if bound is not None:
        limited = partial(bootstrap_metric, metric=found, **how.given)
        return _end_scorer(limited, bound, level, method, response_method, better, pos_label, weight_type)
    scored = partial(metric_value, metric=found if isinstance(found, AnyMetric) else ShownFunction(found))
    if judged or zero_division is not None:
        scored = partial(scored, how=how)
    return scorer_of(scored, response_method, pos_label, greater_is_better=better)


def _function_named(name: object, options: Mapping[str, Any]) -> partial[Any] | None:
    """The function of a statistic by name that is no metric of labels, with its options; None for anything else."""
    named = statistic_named(name) if isinstance(name, str) else None
    if named is not None and named.functions is not None:
        if named.needs is not None and list(options) != [named.needs]:
            given = ", ".join(map(repr, options)) or "nothing"
            raise TypeError(f"{name!r} takes {named.needs}=, one number, got {given}.")
        refuse_options(str(name), named, options)
        return partial(named.functions[0], **{**named.preset, **options})
    if named is not None and named.metric is None:
        return partial(bootstrap_metric, metric=str(name), **options)
    if options:
        takers, first = [each.name for each in RATES_AT.values() if each.held in options], next(iter(options))
        hint = f"; it is for {' and '.join(map(repr, takers))}." if takers else "."
        meant = "" if takers else option_meant(first, HowJudged._fields[:-3])  # scorers lack the last three
        raise TypeError(f"got an unexpected keyword argument {first!r}{hint}{meant}")
    if named is not None and named.metric is not None and "thresholds" in named.preset:
        return partial(bootstrap_metric, metric=named.metric, **named.preset)
    return None


def _metric_to_score(metric: MetricLike, how: HowJudged, response_method: object) -> tuple[Any, bool]:
    """The metric, or function, that has a single value, and whether greater is better."""
    if how.average is None:
        raise ValueError("average=None gives one value per class, but a score is a single number: choose another.")
    if is_function(metric):
        return metric, weighted_metric(metric, how.range, how.greater_is_better).greater_is_better
    found = find_metric(metric)
    if not isinstance(found, AnyMetric):
        raise ValueError(f"metric={metric!r} depends on a threshold: pass Metric.net_benefit(threshold_probability).")
    check_option("response_method", response_method, ("predict",), " Only functions can use other responses.")
    return found, found.greater_is_better


def metric_value(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metric: AnyMetric | Callable[..., Any],
    how: HowJudged = BINARY,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """A metric of predicted labels, or a function; if it has no value, the worst possible one."""
    columns = {"y_pred": y_pred}
    rows: SampleOptions = {"pos_label": pos_label, "sample_weight": sample_weight}
    if not isinstance(metric, AnyMetric):
        if column_names(y_pred) is not None:  # from an estimator that predicts tables
            y_pred = Cases.check_any(y_true, columns, labels=partial_labels(metric)).columns["y_pred"]
        return float(metric(y_true, y_pred, **({} if sample_weight is None else {"sample_weight": sample_weight})))
    if is_multilabel(y_true):
        cases = check_metric_cases(y_true, columns, metric, how, frequencies=False, **rows)
        return float(metric_of(cases, "y_pred", metric=metric, how=how))
    if how.given.keys() - {"zero_division"} or (pos_label is None and has_more_classes(metric, y_true, columns)):
        value, ends = value_of_table(y_true, y_pred, metric, how, sample_weight)
        return value if np.isfinite(value) else _warned(metric.name, ends[0 if metric.greater_is_better else 1])
    cases = check_metric_cases(y_true, columns, metric, frequencies=False, row_by_row=True, **rows)
    cells = _cells(cases, sample_weight)
    value = float(values_of((metric,), cells[None], check_sampling([metric], None, None), None)[0])
    if np.isinf(value):
        # A search cannot average infinite scores: half a case is added to each cell.
        return float(of_cells(metric, *(cells + 0.5)))
    if not np.isnan(value):
        return value
    if how.zero_division not in (None, "warn"):
        return how.empty
    end = _warned(metric.name, metric_range(metric, cells.tolist())[0 if metric.greater_is_better else 1])
    return end if np.isfinite(end) else _extreme(metric, (cells[:2].sum(), cells[2:].sum()), good=False)


def _cells(cases: Cases, sample_weight: ArrayLike | None) -> Floats:
    """TP, FN, FP and TN in the weights as given: the scale that checking may have changed is restored."""
    cell = 2 * ~cases.positive + (cases.columns["y_pred"] <= 0)
    scale = 1.0 if sample_weight is None else float(np.max(sample_weight)) / float(cases.weights.max())
    return np.asarray(np.bincount(cell, scale * cases.weights, minlength=4), dtype=np.float64)


def _warned(name: str, worst: float) -> float:
    warn_caller(f"{name} is undefined; the worst possible value is used.", UndefinedMetricWarning)
    return worst


def _extreme(metric: AnyMetric, sizes: tuple[float, float], *, good: bool) -> float:
    """The metric of all correct or all wrong labels of (positives, negatives), with half a case added to each cell."""
    (tp, tn), (fn, fp) = (sizes, (0.0, 0.0)) if good else ((0.0, 0.0), sizes)
    return float(of_cells(metric, *(np.array([tp, fn, fp, tn]) + 0.5)))


@explains_calls
@described(make_metric_scorer)
def make_bound_scorer(
    bootstrap_function: Callable[..., object] | str,
    *,
    bound: Bound = "worst",
    confidence_level: float = 0.95,
    method: str | None = None,
    response_method: str | Sequence[str] | None = None,
    greater_is_better: bool | None = None,
    pos_label: Label | None = None,
    weight_type: WeightType = "counts",
    **options: Unpack[StatisticOptions],
) -> Scorer:
    """Make a scorer of one end of a confidence interval, to select the model with the best worst-case limit.

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import bootstrap_auc, make_bound_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_bound_scorer(bootstrap_auc)).round(2)
    array([0.9 , 0.91, 0.91, 0.91, 0.92])

    Parameters
    ----------
    bootstrap_function : callable or str
        A statistic of one model with a single estimate: :func:`bootstrap_auc`, :func:`bootstrap_loss`, or
        :func:`bootstrap_cost`, :func:`bootstrap_expected_cost`, :func:`bootstrap_metric`, :func:`bootstrap_roc_at_fpr`,
        :func:`bootstrap_roc_at_tpr` or :func:`bootstrap_roc_at_positive_rate` as ``functools.partial(bootstrap_cost,
        probability_cost=0.3)``; or a function of your own that takes ``(y_true, y_score, sample_weight=...)`` and
        returns such a result. Or a name that :func:`make_metric_scorer` takes.
    bound : {"worst", "best", "low", "high"}, default="worst"
        Which end of the two-sided interval: the worst is the lower limit if greater is better, else the upper one.
    response_method : str or sequence of str, default=None
        The method of the estimator that gives the scores. None is "predict" for :func:`bootstrap_expected_cost`,
        :func:`bootstrap_metric` without thresholds, and for the losses "squared_error", "absolute_error", "zero_one"
        and your own functions; "predict_proba" for the Brier score, the log loss and where scores must be risks, as for
        net benefits and the rule "probability"; else the first that the estimator has of "decision_function" and
        "predict_proba".
    greater_is_better : bool, default=None
        Whether greater values are better; if False, as for costs, the scorer returns the negative. None is False for
        :func:`bootstrap_cost`, :func:`bootstrap_expected_cost`, :func:`bootstrap_loss`, errors among the metrics and
        the false-positive rate, else True.
    pos_label : int, float, bool or str, default=None
        The positive label; None is 1 where the labels are {0, 1} or {-1, 1}, else, for scores, the last of the classes
        in order.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn. Where cases belong together, pass ``groups`` by metadata routing:
        ``scorer.set_score_request(groups=True)``. A search that passes predicted labels 0 and 1, as
        ``TunedThresholdClassifierCV`` does, gets the statistic of a score with these two values.

    See Also
    --------
    make_metric_scorer : A scorer of a metric, with or without a bound.
    """
    level = LEVEL("confidence_level", confidence_level)
    check_option("bound", bound, Bound)
    check_option("weight_type", weight_type, WeightType)
    function = _function_named(bootstrap_function, options) or bootstrap_function
    if isinstance(function, str):
        named = statistic_of(function, "bootstrap_function")
        function = partial(bootstrap_metric, metric=named.metric or function, **named.preset)
    return _end_scorer(function, bound, level, method, response_method, greater_is_better, pos_label, weight_type)


def _end_scorer(
    function: Any,
    bound: Bound | None,
    level: float,
    method: str | None,
    response_method: str | Sequence[str] | None,
    greater_is_better: bool | None,
    pos_label: Label | None,
    weight_type: WeightType,
) -> Scorer:
    function = partial(function, weight_type=weight_type) if weight_type != "counts" else function
    _, judges, better = scored_statistic(function)
    responses = JUDGED[judges][0] if response_method is None else response_method
    _check_answer(function, responses, pos_label, level, method)
    better = better if greater_is_better is None else greater_is_better
    end: Literal["low", "high"] | None = None
    if bound is not None:
        check_option("bound", bound, Bound)
        end = "low" if bound in ("low", "worst" if better else "best") else "high"
    of = ShownFunction(function)
    scored = partial(interval_end, bootstrap_function=of, bound=end, confidence_level=level, method=method)
    return scorer_of(scored, responses, pos_label, greater_is_better=better)


def interval_end(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    bootstrap_function: Callable[..., Any],
    bound: Literal["low", "high"] | None,
    confidence_level: float,
    method: str | None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> float:
    """One end of the interval of a statistic with a single estimate, or the estimate itself."""
    if np.ndim(y_score) == 2 and column_names(y_score) is None and not is_multilabel(y_true):
        # Estimators have their columns in the order of sorted labels, whatever order a categorical type has.
        classes = classes_of(y_true)
        if np.shape(y_score)[1] == len(classes):
            y_score = NamedColumns.of(as_array("y_score", y_score), classes)
    # An estimate may have fractional weights; limits depend on how many cases the weights stand for.
    of_any = bound is None and sample_weight is not None and has_fractions(as_array("sample_weight", sample_weight))
    options, judges, better = scored_statistic(bootstrap_function)
    of_two = judges in ("scores", "risks") and options.get("multi_class", "raise") == "raise"
    of_named = any(options.get(name) is not None for name in ("pos_label", "labels"))
    of_one = np.ndim(y_score) == 1 and of_two and not of_named
    positive, metric = positive_class(y_true, pos_label) if of_one else pos_label, options.get("metric")
    rest = {"groups": groups, "pos_label": positive, "weight_type": "importance" if of_any else None}
    given: dict[str, Any] = {name: value for name, value in rest.items() if value is not None}
    try:
        result = bootstrap_function(y_true, y_score, sample_weight=sample_weight, **given)
    except UndefinedMetricError as error:
        end = _warned(error.what, error.ends[0 if better else 1])
    else:
        if bound is None:
            return float(result)
        end = float(getattr(result.confidence_interval(confidence_level, method=method), bound))
    if np.isfinite(end) or metric is None:
        return end
    found = metric if is_function(metric) else find_metric(metric)
    if not isinstance(found, AnyMetric):
        name = getattr(found, "__name__", found)
        raise ValueError(f"{name} has no finite {bound or 'worst'} value on these data: pass the range of the metric.")
    rows: SampleOptions = {"pos_label": pos_label, "sample_weight": sample_weight}
    rows["weight_type"] = given.get("weight_type", options.get("weight_type", "counts"))
    cases = check_metric_cases(y_true, {"y_score": y_score}, found, **rows)
    return _extreme(found, cases.sizes, good=(end > 0) == better)


def scored_statistic(function: object) -> tuple[Mapping[str, Any], str, bool]:
    """The options of a functools.partial, what its function judges (a key of JUDGED), and if greater is better."""
    kind, options = (function.func, function.keywords) if isinstance(function, partial) else (function, {})
    name = getattr(kind, "__name__", "") if _is_of_package(kind) else ""
    judges, better = SINGLE.get(name, ("unknown", True))
    metric, rule = options.get("metric"), options.get("thresholds")
    if name == "bootstrap_loss":
        loss = options.get("loss", "brier")
        judges = "anything" if callable(loss) else OF_LOSS.get(str(loss), "amounts")
    elif name == "bootstrap_metric" and metric is not None:
        named = statistic_named(metric) if isinstance(metric, str) else None
        if named is not None and named.metric is None:
            if named.greater_is_better is None:
                raise ValueError(f"{named.title}: neither more nor less is better, as a scorer needs.")
            return options, named.judges, named.greater_is_better
        if is_function(metric):
            weighted = weighted_metric(metric, options.get("range"), options.get("greater_is_better"))
            return options, "anything", weighted.greater_is_better
        found = find_metric(metric)
        judges, better = "risks" if isinstance(found, RiskMetric) else judges, found.greater_is_better
    elif name == "bootstrap_roc_at_tpr":
        better = options.get("tpr") is None
    if rule is not None and judges in ("labels", "scores"):
        judges = "risks" if isinstance(rule, str) and rule == "probability" else "scores"
    return options, judges, better


def _check_answer(
    function: Any,
    response_method: str | Sequence[str],
    pos_label: Label | None,
    confidence_level: float,
    method: str | None,
) -> None:
    """Try a statistic on a few cases, so that wrong options raise an error now: searches hide errors in scorers."""
    if _is_users_own(function):
        return
    options, judges, _ = scored_statistic(function)
    if judges == "unknown":
        raise TypeError(
            f"bootstrap_function must be one of {', '.join(SINGLE)}, or functools.partial of it, or a function of "
            f"y_true, y_score and sample_weight that returns such a result, got {without_address(function)}."
        )
    given = [name for name in SCORED if name in options]
    if given or (isinstance(function, partial) and function.args):
        raise TypeError(f"bootstrap_function must be given options alone, got {given[0] if given else 'data'}.")
    for name in (response_method,) if isinstance(response_method, str) else tuple(response_method):
        check_option("response_method", name, JUDGED[judges][1])
    # Which cases a user's function accepts is not known; "samples" needs a table of several labels per case.
    if judges == "anything" or options.get("average") == "samples":
        return
    truth, scores = _few_cases(options, judges)
    named: dict[str, object] = {"pos_label": 1} if pos_label is not None or "pos_label" in options else {}
    if "weight_type" in options:
        named["sample_weight"] = np.ones(len(truth))
    # Warnings about these few cases say nothing about the user's.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = function(truth, scores, **named)
        low, _ = result.confidence_interval(confidence_level, method=method)
    if np.ndim(low):
        raise TypeError(f"bootstrap_function must give a single estimate, got {len(low)} of them.")


def _is_of_package(function: object) -> bool:
    return str(getattr(function, "__module__", __package__)).partition(".")[0] == __package__


def _is_users_own(function: Callable[..., object]) -> bool:
    """Whether this is a function from elsewhere with the signature of statistics."""
    if _is_of_package(function):
        return False
    try:
        signature(function).bind(None, None, sample_weight=None)
    except (TypeError, ValueError):
        return False
    return not isinstance(function, partial) or _is_users_own(function.func)


def _few_cases(options: Mapping[str, Any], judges: str) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Cases in every cell of every table: all pairs of labels, or scores on either side of every threshold."""
    labels: Sequence[object] | None = None if options.get("labels") is None else check_label_list(options["labels"])
    if labels is None and "cost_matrix" in options:
        labels = matrix_labels(options["cost_matrix"])
    known = np.asarray((0, 1) if labels is None else labels)
    if judges == "labels":
        return np.repeat(known, len(known)), np.tile(known, len(known))
    if options.get("multi_class", "raise") != "raise" or len(known) > 2:
        known = np.arange(3) if labels is None else known
        return np.tile(known, 2), np.tile(np.eye(len(known)) / 2 + 0.5 / len(known), (2, 1))
    within = judges != "scores" or isinstance(options.get("thresholds"), str)
    # Beyond any threshold that is likely, but finite, as infinite scores are refused.
    least, most = (0.0, 1.0) if within else (-1e308, 1e308)
    return np.repeat(known[[1, 1, 0, 0]], [5, 2, 3, 4]), np.repeat([most, least, most, least], [5, 2, 3, 4])
