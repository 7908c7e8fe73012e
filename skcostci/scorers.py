"""Scorers for model selection: the losses and the ends of intervals, through ``sklearn.metrics.make_scorer``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import signature
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer

from skcostci._arrays import Floats, as_vector
from skcostci._options import BOUNDS, Bound, without_address
from skcostci._validation import (
    check_confidence_level,
    check_cost_matrix,
    check_label_list,
    check_option,
    check_prior,
    check_share,
    check_thresholds,
    matrix_labels,
    unique_labels,
)
from skcostci.cases._cases import Cases
from skcostci.losses import expected_cost_loss, normalized_cost_loss, total_expected_cost_loss
from skcostci.metric import AnyMetric, RiskMetric, find_metric, metric_values, weighted_metric
from skcostci.statistics._auc_functions import bootstrap_auc
from skcostci.statistics._average_precision import bootstrap_average_precision
from skcostci.statistics._cost import bootstrap_cost
from skcostci.statistics._expected_cost import bootstrap_expected_cost
from skcostci.statistics._metric import UndefinedMetricError, check_sampling, metric_range, values_of
from skcostci.statistics._metric_functions import bootstrap_metric, check_metric_cases, metric_of
from skcostci.statistics._roc_rate_functions import bootstrap_roc_at_fpr, bootstrap_roc_at_positive_rate
from skcostci.statistics._several import (
    HowJudged,
    KappaWeights,
    TableAverage,
    has_more_classes,
    is_function,
    is_judged,
    value_of_table,
)

Scorer = Any  # scikit-learn's scorer class is private
ANY_SCORE = ("decision_function", "predict_proba")
RESPONSES = (*ANY_SCORE, "predict")
SINGLE = (  # statistics that can have a single estimate
    bootstrap_auc,
    bootstrap_average_precision,
    bootstrap_cost,
    bootstrap_expected_cost,
    bootstrap_metric,
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_positive_rate,
)
SCORED = ("y_true", "y_score", "y_pred", "sample_weight", "groups", "folds")  # what comes when a model is scored


def make_normalized_cost_scorer(
    probability_cost: float,
    *,
    threshold: float | None = None,
    response_method: Literal["predict_proba", "predict"] = "predict_proba",
    pos_label: Any = None,
) -> Scorer:
    """Make a scorer of the normalized cost at one operating condition; greater (less negative) is better.

    Parameters
    ----------
    probability_cost : float
        PC(+), the operating condition, in [0, 1].
    threshold : float, default=None
        Applied to the predicted probability of the positive class; None is 1 - PC(+).
    response_method : {"predict_proba", "predict"}, default="predict_proba"
        "predict" judges predicted labels, whatever they are, without a threshold.
    pos_label : int, float, bool or str, default=None
        The positive label; None is 1 where the labels are {0, 1} or {-1, 1}, else the last of the classes in order.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn, ``TunedThresholdClassifierCV`` included: labels that it hands over
        instead of probabilities are the decision, and are counted. It returns minus :func:`normalized_cost_loss`.

    Raises
    ------
    ValueError, TypeError
        If ``probability_cost`` is no number in [0, 1], ``threshold`` none at all or given for labels, or
        ``response_method`` not one of the two.

    See Also
    --------
    normalized_cost_loss : What it returns, with its sign.
    bootstrap_cost : The same with its interval.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcostci import make_normalized_cost_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    >>> cross_val_score(tree, X, y, scoring=make_normalized_cost_scorer(0.3)).round(2)
    array([-0.08, -0.14, -0.08, -0.07, -0.1 ])
    """
    condition = check_share("probability_cost", probability_cost)
    if check_option("response_method", response_method, ("predict_proba", "predict")) == "predict":
        if threshold is not None:
            raise ValueError(f"threshold must be None where labels are judged, got {threshold!r}.")
        return _negative(cost_of_labels, "predict", pos_label, probability_cost=condition)
    return _negative(
        cost_at_condition,
        "predict_proba",
        pos_label,
        probability_cost=condition,
        threshold=None if threshold is None else float(check_thresholds("threshold", threshold, ())),
    )


def cost_at_condition(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    probability_cost: float,
    threshold: float | None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The normalized cost of probabilities at a threshold, or of labels, which are decisions already."""
    options: dict[str, Any] = {"probability_cost": probability_cost, "sample_weight": sample_weight}
    if _are_labels(y_true, y_score):
        return cost_of_labels(y_true, y_score, pos_label=pos_label, **options)
    return normalized_cost_loss(y_true, y_score, threshold=threshold, **_positive(y_true, pos_label), **options)


def _are_labels(y_true: ArrayLike, y_score: ArrayLike) -> bool:
    """Whether scores are the labels themselves; 0.0 and 1.0 are probabilities as good as others, 0 and 1 are not."""
    labels, scores = _classes(y_true), as_vector("y_score", y_score)
    if len(labels) != 2 or (set(labels) == {0, 1} and scores.dtype.kind == "f"):
        return False
    return set(unique_labels("y_score", scores).tolist()) <= set(labels)


def _classes(y_true: ArrayLike) -> list[Any]:
    """The labels that occur, in order, as an estimator lists its classes."""
    known: list[Any] = unique_labels("y_true", as_vector("y_true", y_true)).tolist()
    return known


def _positive(y_true: ArrayLike, pos_label: Any) -> dict[str, Any]:
    """The positive class of scores where it is not said: the last, as in scikit-learn's own scorers."""
    labels = _classes(y_true) if pos_label is None else []
    conventional = set(labels) <= {0, 1} or set(labels) <= {-1, 1}
    return _label(pos_label if conventional or len(labels) != 2 else labels[1])


def cost_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    probability_cost: float,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The normalized cost of predicted labels."""
    cases = Cases.check(
        y_true,
        {"y_pred": y_pred},
        sample_weight=sample_weight,
        frequencies=False,
        predicted=True,
        **_positive(y_true, pos_label),
    )
    return normalized_cost_loss(
        cases.positive,
        cases.columns["y_pred"],
        probability_cost=probability_cost,
        threshold=0.5,
        sample_weight=cases.weights,
    )


def make_expected_cost_scorer(cost_matrix: ArrayLike, *, labels: ArrayLike | None = None) -> Scorer:
    """Make a scorer of the cost per case under a cost matrix; greater (less negative) is better.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]`` is the cost of predicting ``labels[j]`` when the truth is ``labels[i]``.
    labels : array-like of shape (n_classes,), default=None
        The labels in the order of the matrix; needed when a fold may lack a class.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn, ``TunedThresholdClassifierCV`` included; needs ``predict``. It
        returns minus :func:`expected_cost_loss`.

    Raises
    ------
    ValueError, TypeError
        If the matrix is not square, finite and, if labels are given, of their number.

    See Also
    --------
    expected_cost_loss : What it returns, with its sign.
    bootstrap_expected_cost : The same with its interval.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import make_expected_cost_scorer
    >>> X, y = load_iris(return_X_y=True)
    >>> scorer = make_expected_cost_scorer([[0, 1, 1], [1, 0, 5], [1, 2, 0]])
    >>> cross_val_score(GaussianNB(), X, y, scoring=scorer).round(2)
    array([-0.23, -0.07, -0.33, -0.13, -0.  ])
    """
    known = matrix_labels(cost_matrix) if labels is None else check_label_list(labels)
    check_cost_matrix(cost_matrix, known, stated=labels is not None)
    return make_scorer(expected_cost_loss, greater_is_better=False, cost_matrix=cost_matrix, labels=labels)


def make_total_expected_cost_scorer(*, prior: Any = None, pos_label: Any = None) -> Scorer:
    """Make a scorer of the area under the cost curve; greater (less negative) is better.

    Parameters
    ----------
    prior : frozen scipy.stats distribution on [0, 1], default=None
        Of PC(+); None is uniform.
    pos_label : int, float, bool or str, default=None
        The positive label; None is 1 where the labels are {0, 1} or {-1, 1}, else the last of the classes in order.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn; needs ``decision_function`` or ``predict_proba``. It returns minus
        :func:`total_expected_cost_loss`.

    Raises
    ------
    ValueError, TypeError
        If ``prior`` is no distribution on [0, 1].

    See Also
    --------
    total_expected_cost_loss : What it returns, with its sign.
    CostCurve : The curve over whose area it is.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import make_total_expected_cost_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_total_expected_cost_scorer()).round(3)
    array([-0.052, -0.037, -0.018, -0.026, -0.019])
    """
    check_prior(prior)
    frozen = hasattr(prior, "dist")  # which its distribution makes anew of its parameters
    recipe = _Shown(prior.dist, *prior.args, **prior.kwds) if frozen else prior
    return _negative(cost_over_conditions, ANY_SCORE, pos_label, prior=recipe)


def cost_over_conditions(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    prior: Any,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The area under the cost curve of scores of the positive class."""
    return total_expected_cost_loss(
        y_true,
        y_score,
        prior=prior() if isinstance(prior, _Shown) else prior,
        sample_weight=sample_weight,
        **_positive(y_true, pos_label),
    )


def make_metric_scorer(
    metric: str | AnyMetric | Callable[..., Any],
    *,
    average: TableAverage | None = "binary",
    labels: ArrayLike | None = None,
    weights: KappaWeights | None = None,
    range: tuple[float, float] | None = None,
    greater_is_better: bool | None = None,
    response_method: str | Sequence[str] = "predict",
    bound: Bound | None = None,
    confidence_level: float = 0.95,
    method: str | None = None,
    pos_label: Any = None,
) -> Scorer:
    """Make a scorer of a metric, or of one end of its confidence interval.

    Parameters
    ----------
    metric : str, Metric or callable
        As in :func:`bootstrap_metric`; net benefits as ``Metric.net_benefit(threshold_probability)``.
    average, labels, weights, range, greater_is_better : optional
        As in :func:`bootstrap_metric`; an average that gives one value.
    response_method : str or sequence of str, default="predict"
        What a function judges, as in scikit-learn's ``make_scorer``; a metric by name judges labels.
    bound : {"worst", "best", "low", "high"}, default=None
        Which end of the interval: the worst is the low one, but for errors, of which less is better. None is the metric
        itself, as scikit-learn computes it where it has it.
    confidence_level : float, default=0.95
        Of the two-sided interval, in (0, 1).
    method : str, default=None
        An interval method of the metric; None is its default.
    pos_label : int, float, bool or str, default=None
        The positive label; needed unless the labels are {0, 1} or {-1, 1}, or the metric does not depend on it, as the
        accuracy and averages do not.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn, ``TunedThresholdClassifierCV`` included. Errors,
        such as the false discovery rate, are returned negative, so that greater is better. A bound takes ``groups``, by
        metadata routing: ``scorer.set_score_request(groups=True)``.

    Raises
    ------
    ValueError, TypeError
        If ``metric`` is not known, ``bound`` is not one of these, ``confidence_level`` no number in (0, 1), or
        ``method`` none of the metric's, or given without a bound.

    Warns
    -----
    UndefinedMetricWarning
        On scoring where the metric has no value, as the precision has none where nobody is labelled positive: the score
        is then the worst end of the metric's range, with a bound too, so that no model is chosen for what it leaves
        undefined. Infinite values, as of LR+ without a false alarm, count half a case more in each cell; infinite ends
        are what all right or all wrong labels would get so: a single fold does not decide a mean.

    See Also
    --------
    bootstrap_metric : The same with its interval.
    make_bound_scorer : Of other statistics.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import make_metric_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_metric_scorer("f1")).round(2)
    array([0.94, 0.94, 0.96, 0.96, 0.97])
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_metric_scorer("f1", bound="low")).round(2)
    array([0.88, 0.89, 0.91, 0.91, 0.92])
    """
    how = HowJudged(average, labels, weights, range, greater_is_better)
    level = check_confidence_level(confidence_level)
    if bound is None and method is not None:
        raise ValueError(f"method goes with a bound of the interval, got {method!r} and bound=None.")
    judged = is_judged(metric, how, {"pos_label": pos_label})
    found, better = _metric_to_score(metric, how, response_method)
    options: dict[str, Any] = {}
    if bound is not None:
        if not is_function(metric):
            asked = {"metric": found, **{name: getattr(how, name) for name in how.given}}
            _check_answer(partial(bootstrap_metric, **asked), "predict", pos_label, level, method)
        options = {"bound": _end(bound, better), "confidence_level": level, "method": method}
    if judged:
        score: Callable[..., float] = value_of_judged if bound is None else bound_of_judged
        options |= {"metric": _Shown(found) if is_function(metric) else found, "how": how}
    else:
        score = metric_of_labels if bound is None else bound_of_labels
        options |= {"metric": found}
    return make_scorer(score, response_method=response_method, greater_is_better=better, **options, **_label(pos_label))


def _metric_to_score(metric: Any, how: HowJudged, response_method: Any) -> tuple[Any, bool]:
    """The metric, or function, that gives one number, and whether greater is better."""
    if how.average is None:
        raise ValueError("average=None gives one value a class, but a score is one number: choose another average.")
    if is_function(metric):
        return metric, weighted_metric(metric, how.range, how.greater_is_better).greater_is_better
    found = find_metric(metric)
    if not isinstance(found, AnyMetric):
        raise ValueError(f"metric={metric!r} depends on a threshold: pass Metric.net_benefit(threshold_probability).")
    check_option("response_method", response_method, ("predict",), " A function may judge other responses.")
    return found, found.greater_is_better


def value_of_judged(
    y_true: ArrayLike, y_pred: ArrayLike, *, metric: Any, how: HowJudged, sample_weight: ArrayLike | None = None
) -> float:
    """A metric of several classes, or a function; where it has no value, the worst that it could have."""
    if is_function(metric):
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(metric(y_true, y_pred, **weights))
    value, (least, most) = value_of_table(y_true, y_pred, metric, how, sample_weight)
    if np.isfinite(value):
        return value
    _warn_of_worst(metric.name)
    return least if metric.greater_is_better else most


def bound_of_judged(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metric: Any,
    how: HowJudged,
    bound: Literal["low", "high"],
    confidence_level: float,
    method: str | None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> float:
    """One end of the interval of such a metric; where it has no value, the worst that it could have."""
    cases = check_metric_cases(y_true, {"y_pred": y_pred}, metric, how, sample_weight=sample_weight, groups=groups)
    result = metric_of(cases, "y_pred", metric=metric, **how._asdict())
    if not result.defined:
        _warn_of_worst(result.metric)
    return float(getattr(result.confidence_interval(confidence_level, method=method), bound))


def metric_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metric: AnyMetric,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """A metric of predicted labels; where it has no value, the worst that it could have."""
    if pos_label is None and has_more_classes(metric, y_true, {"y_pred": y_pred}):
        return value_of_judged(y_true, y_pred, metric=metric, how=HowJudged(), sample_weight=sample_weight)
    cases = _check_labels(y_true, y_pred, metric, pos_label, sample_weight, None, frequencies=False)
    cells = _cells(cases, sample_weight)
    value = float(values_of((metric,), cells[None], check_sampling(metric, None, None)[0], None)[0])
    if np.isinf(value):
        return metric_values(metric, cells[None] + 0.5)[0]
    return _worst(metric, cells) if np.isnan(value) else value


def bound_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metric: AnyMetric,
    bound: Literal["low", "high"],
    confidence_level: float,
    method: str | None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> float:
    """One end of the interval of a metric of predicted labels; where it has no value, the worst that it could have."""
    if pos_label is None and has_more_classes(metric, y_true, {"y_pred": y_pred}):
        asked: dict[str, Any] = {"bound": bound, "confidence_level": confidence_level, "method": method}
        return bound_of_judged(
            y_true, y_pred, metric=metric, how=HowJudged(), sample_weight=sample_weight, groups=groups, **asked
        )
    cases = _check_labels(y_true, y_pred, metric, pos_label, sample_weight, groups, frequencies=True)
    result = metric_of(cases, "y_pred", metric=metric)
    if not result.defined:
        return _worst(metric, _cells(cases))
    end = float(getattr(result.confidence_interval(confidence_level, method=method), bound))
    return end if np.isfinite(end) else _extreme(metric, cases.sizes, good=(end > 0) == metric.greater_is_better)


def _end(bound: str, greater_is_better: bool) -> Literal["low", "high"]:
    """The end of an interval that is asked for."""
    known = check_option("bound", bound, BOUNDS)
    return "low" if known == "low" or known == ("worst" if greater_is_better else "best") else "high"


def _cells(cases: Cases, sample_weight: ArrayLike | None = None) -> Floats:
    """TP, FN, FP and TN, in cases: any weights were scaled when they were checked."""
    positive, hit = cases.positive, cases.columns["y_pred"] > 0
    rows = (positive & hit, positive & ~hit, ~positive & hit, ~positive & ~hit)
    scale = 1.0 if sample_weight is None else float(np.max(sample_weight)) / float(cases.frequencies.max())
    return scale * np.array([cases.frequencies[each].sum() for each in rows], dtype=np.float64)


def _worst(metric: AnyMetric, cells: Floats) -> float:
    """The worst end of the metric's range, with a word about why."""
    _warn_of_worst(metric.name)
    end = metric_range(metric, cells.tolist())[0 if metric.greater_is_better else 1]
    return end if np.isfinite(end) else _extreme(metric, (cells[:2].sum(), cells[2:].sum()), good=False)


def _warn_of_worst(name: str) -> None:
    warnings.warn(f"{name} is undefined, and counts as the worst it could be.", UndefinedMetricWarning, stacklevel=4)


def _extreme(metric: AnyMetric, sizes: tuple[float, float], *, good: bool) -> float:
    """What labels that are all right, or all wrong, get with half a case more in each cell."""
    (tp, tn), (fn, fp) = (sizes, (0.0, 0.0)) if good else ((0.0, 0.0), sizes)
    return metric_values(metric, np.array([[tp, fn, fp, tn]]) + 0.5)[0]


def make_bound_scorer(
    bootstrap_function: Callable[..., Any],
    *,
    bound: Bound = "worst",
    confidence_level: float = 0.95,
    method: str | None = None,
    response_method: str | Sequence[str] | None = None,
    greater_is_better: bool | None = None,
    pos_label: Any = None,
) -> Scorer:
    """Make a scorer of one end of a confidence interval: prefer the model that is surely good.

    Parameters
    ----------
    bootstrap_function : callable
        A statistic of one model with a single estimate: :func:`bootstrap_auc`, or :func:`bootstrap_cost`,
        :func:`bootstrap_expected_cost`, :func:`bootstrap_metric`, :func:`bootstrap_roc_at_fpr` or
        :func:`bootstrap_roc_at_positive_rate` as ``functools.partial(bootstrap_cost, probability_cost=0.3)``; or a
        function of your own that takes ``(y_true, y_score, sample_weight=...)`` and returns such a result.
    bound : {"worst", "best", "low", "high"}, default="worst"
        Which end of the two-sided interval: the worst is the low one where greater is better, else the high one.
    confidence_level : float, default=0.95
        In (0, 1).
    method : str, default=None
        An interval method of the statistic; None is its default.
    response_method : str or sequence of str, default=None
        Where the estimator's scores come from. None is "predict" for :func:`bootstrap_expected_cost`, and for
        :func:`bootstrap_metric` without thresholds; "predict_proba" where scores must be risks, as for net benefits and
        the rule "probability"; else the first that there is of "decision_function" and "predict_proba".
    greater_is_better : bool, default=None
        False for costs; the scorer then returns the negative. None is False for :func:`bootstrap_cost`,
        :func:`bootstrap_expected_cost` and errors among the metrics, else True.
    pos_label : int, float, bool or str, default=None
        The positive label; None is 1 where the labels are {0, 1} or {-1, 1}, of scores else the last of the classes in
        order.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn. Where cases belong together, ``groups`` are passed on by metadata
        routing: ``scorer.set_score_request(groups=True)``. Labels 0 and 1 are scores as good as others: a search that
        hands them on, as ``TunedThresholdClassifierCV`` does, has the statistic of a score of two values judged.

    Raises
    ------
    ValueError, TypeError
        If the function is no statistic of one model, or gives more than one estimate; if ``bound`` is not one of
        these, ``confidence_level`` no number in (0, 1), ``method`` none of this statistic's, or ``response_method``
        none of scikit-learn's or not what the statistic judges. All of it is tried when the scorer is made, on a few
        cases.

    See Also
    --------
    make_metric_scorer : Of a metric, with or without a bound.
    bootstrap_auc : A statistic to pass.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import bootstrap_auc, make_bound_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_bound_scorer(bootstrap_auc)).round(2)
    array([0.9 , 0.91, 0.91, 0.91, 0.92])
    """
    level = check_confidence_level(confidence_level)
    check_option("bound", bound, BOUNDS)
    responses = _default_responses(bootstrap_function) if response_method is None else response_method
    _check_answer(bootstrap_function, responses, pos_label, level, method)
    better = _is_score(bootstrap_function) if greater_is_better is None else greater_is_better
    return make_scorer(
        interval_end,
        response_method=responses,
        greater_is_better=better,
        bootstrap_function=_Shown(bootstrap_function),
        bound=_end(bound, better),
        confidence_level=level,
        method=method,
        **_label(pos_label),
    )


def interval_end(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    bootstrap_function: Callable[..., Any],
    bound: Literal["low", "high"],
    confidence_level: float,
    method: str | None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> float:
    """One end of the interval of a statistic with a single estimate."""
    together = {} if groups is None else {"groups": groups}
    asked = _positive(y_true, pos_label) if _is_of_one_class(bootstrap_function) else _label(pos_label)
    try:
        result = bootstrap_function(y_true, y_score, sample_weight=sample_weight, **together, **asked)
    except UndefinedMetricError as error:
        return _worst(error.metric, error.counts)
    return float(getattr(result.confidence_interval(confidence_level, method=method), bound))


class _Shown(partial[Any]):
    """A function as a scorer prints it: scikit-learn's show their options as these print, a function by its address."""

    def __repr__(self) -> str:
        options = self.args or self.keywords
        return without_address(partial(self.func, *self.args, **self.keywords) if options else self.func)


def _kind(function: Any) -> tuple[Any, Mapping[str, Any]]:
    """A statistic and the options that it was given beforehand."""
    return (function.func, function.keywords) if isinstance(function, partial) else (function, {})


def _metric_asked(function: Any) -> AnyMetric | RiskMetric | None:
    """The metric of a statistic, if it is one."""
    kind, options = _kind(function)
    named = kind is bootstrap_metric and "metric" in options and not is_function(options["metric"])
    return find_metric(options["metric"]) if named else None


def _is_score(function: Any) -> bool:
    """Whether greater is better."""
    if is_function(given := _kind(function)[1].get("metric")):
        options = _kind(function)[1]
        return weighted_metric(given, options.get("range"), options.get("greater_is_better")).greater_is_better
    metric = _metric_asked(function)
    return metric.greater_is_better if metric else _kind(function)[0] not in (bootstrap_cost, bootstrap_expected_cost)


def _takes_risks(function: Any) -> bool:
    """Whether scores must be risks."""
    metric, rule = _metric_asked(function), _kind(function)[1].get("thresholds")
    return isinstance(metric, RiskMetric) or (isinstance(rule, str) and rule == "probability")


def _is_of_one_class(function: Any) -> bool:
    """Whether it judges scores of one of two classes, which is the last where none is named."""
    kind, options = _kind(function)
    of_scores = kind in SINGLE and _labels_judged(function, options) is None
    return of_scores and options.get("multi_class", "raise") == "raise" and options.get("pos_label") is None


def _default_responses(function: Any) -> str | Sequence[str]:
    """Where scores come from, if nobody says."""
    kind, options = _kind(function)
    if kind in SINGLE and _labels_judged(function, options) is not None:
        return "predict"
    return "predict_proba" if _takes_risks(function) else ANY_SCORE


def _check_answer(
    function: Any, response_method: str | Sequence[str], pos_label: Any, confidence_level: float, method: str | None
) -> None:
    """Ask a statistic about a few cases: searches swallow the errors that scoring would raise."""
    if _is_users_own(function):
        return
    options = _check_single(function)
    labels = _labels_judged(function, options)
    valid = ("predict",) if labels is not None else ("predict_proba",) if _takes_risks(function) else RESPONSES
    for name in (response_method,) if isinstance(response_method, str) else tuple(response_method):
        check_option("response_method", name, valid)
    named = {"pos_label": 1} if pos_label is not None or "pos_label" in options else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = function(*_few_cases(options, labels, _takes_risks(function)), **named)
        low, _ = result.confidence_interval(confidence_level, method=method)
    if np.ndim(low):
        raise TypeError(f"bootstrap_function must give a single estimate, got {len(low)} of them.")


def _is_users_own(function: Any) -> bool:
    """Whether this is a function from elsewhere that may be called as statistics are."""
    if str(getattr(function, "__module__", __package__)).partition(".")[0] == __package__:
        return False
    try:
        signature(function).bind(None, None, sample_weight=None)
    except (TypeError, ValueError):
        return False
    return not isinstance(function, partial) or _is_users_own(function.func)


def _check_single(function: Any) -> Mapping[str, Any]:
    """The options of a statistic of one model, all by name and none of them data."""
    kind, options = _kind(function)
    if kind not in SINGLE:
        names = ", ".join(each.__name__ for each in SINGLE)
        raise TypeError(
            f"bootstrap_function must be one of {names}, or functools.partial of it, or a function of y_true, y_score "
            f"and sample_weight that returns such a result, got {without_address(function)}."
        )
    given = [name for name in SCORED if name in options]
    if given or (isinstance(function, partial) and function.args):
        raise TypeError(
            "bootstrap_function must be given its options by name and no data, which come on scoring, got "
            f"{given[0] if given else 'something without a name'}."
        )
    return dict(options)


def _labels_judged(function: Any, options: Mapping[str, Any]) -> Sequence[Any] | None:
    """The labels that a statistic of labels judges; None where it judges scores."""
    kind, _ = _kind(function)
    if kind is bootstrap_expected_cost and options.get("labels") is not None:
        return check_label_list(options["labels"])
    if kind is bootstrap_expected_cost and "cost_matrix" in options:
        return matrix_labels(options["cost_matrix"])
    is_of_labels = kind is bootstrap_expected_cost or (kind is bootstrap_metric and options.get("thresholds") is None)
    return (0, 1) if is_of_labels else None


def _few_cases(options: Mapping[str, Any], labels: Sequence[Any] | None, risks: bool) -> tuple[Any, Any]:
    """Cases in every cell of every table: all pairs of labels, or scores on either side of every threshold."""
    if labels is not None:
        return np.repeat(np.asarray(labels), len(labels)), np.tile(np.asarray(labels), len(labels))
    if options.get("multi_class", "raise") != "raise":
        known = np.arange(3) if options.get("labels") is None else np.asarray(check_label_list(options["labels"]))
        return np.tile(known, 2), np.tile(np.eye(len(known)) / 2 + 0.5 / len(known), (2, 1))
    least, most = (0.0, 1.0) if risks or isinstance(options.get("thresholds"), str) else (-1e308, 1e308)
    return np.repeat([1, 1, 0, 0], [5, 2, 3, 4]), np.repeat([most, least, most, least], [5, 2, 3, 4])


def _negative(
    loss: Callable[..., float], response_method: str | Sequence[str], pos_label: Any, **options: Any
) -> Scorer:
    """Make a scorer of minus a loss."""
    return make_scorer(loss, response_method=response_method, greater_is_better=False, **_label(pos_label), **options)


def _label(pos_label: Any) -> dict[str, Any]:
    """The label where there is one; scikit-learn takes a None for a label."""
    return {} if pos_label is None else {"pos_label": pos_label}


def _check_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: AnyMetric,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    *,
    frequencies: bool,
) -> Cases:
    """The cases by what a model calls them, which are of two classes."""
    cases: Any = check_metric_cases(
        y_true,
        {"y_pred": y_pred},
        metric,
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
        frequencies=frequencies,
        row_by_row=not frequencies,
    )
    return cases  # type: ignore[no-any-return]
