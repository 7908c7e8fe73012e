"""Scorers for model selection: the losses and the ends of intervals, through ``sklearn.metrics.make_scorer``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer

from skcostci._arrays import as_array
from skcostci._options import BOUNDS, Bound
from skcostci._validation import (
    check_confidence_level,
    check_cost_matrix,
    check_label_list,
    check_option,
    check_prior,
    check_share,
    check_thresholds,
)
from skcostci.cases._cases import Cases
from skcostci.intervals._methods import METHODS
from skcostci.losses import expected_cost_loss, normalized_cost_loss, total_expected_cost_loss
from skcostci.metric import AnyMetric, Metric, find_metric
from skcostci.statistics._metric import metric_of, metric_range

Scorer = Any  # scikit-learn's scorer class is private
ANY_SCORE = ("decision_function", "predict_proba")


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
        "predict" judges predicted labels, whatever they are, without a threshold: for ``TunedThresholdClassifierCV``,
        which hands labels to its scorer.
    pos_label : int, float, bool or str, default=None
        The positive label; needed unless the labels are {0, 1} or {-1, 1}.

    Returns
    -------
    scorer : callable
        For ``scoring=`` anywhere in scikit-learn. It returns minus :func:`normalized_cost_loss`.

    Raises
    ------
    ValueError, TypeError
        If ``probability_cost`` is no number in [0, 1], ``threshold`` none at all or given for labels, or
        ``response_method`` not one of the two.

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
        normalized_cost_loss,
        "predict_proba",
        pos_label,
        probability_cost=condition,
        threshold=None if threshold is None else float(check_thresholds("threshold", threshold, ())),
    )


def cost_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    probability_cost: float,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The normalized cost of predicted labels."""
    cases = _check_labels(y_true, y_pred, pos_label, sample_weight, None, frequencies=False)
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
    scorer : callable
        For ``scoring=`` anywhere in scikit-learn, ``TunedThresholdClassifierCV`` included; needs ``predict``. It
        returns minus :func:`expected_cost_loss`.

    Raises
    ------
    ValueError, TypeError
        If the matrix is not square, finite and, if labels are given, of their number.

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
    size = len(as_array("cost_matrix", cost_matrix).ravel()) ** 0.5
    check_cost_matrix(cost_matrix, range(round(size)) if labels is None else check_label_list(labels))
    return make_scorer(expected_cost_loss, greater_is_better=False, cost_matrix=cost_matrix, labels=labels)


def make_total_expected_cost_scorer(*, prior: Any = None, pos_label: Any = None) -> Scorer:
    """Make a scorer of the area under the cost curve; greater (less negative) is better.

    Parameters
    ----------
    prior : frozen scipy.stats distribution on [0, 1], default=None
        Of PC(+); None is uniform.
    pos_label : int, float, bool or str, default=None
        The positive label; needed unless the labels are {0, 1} or {-1, 1}.

    Returns
    -------
    scorer : callable
        For ``scoring=`` anywhere in scikit-learn; needs ``decision_function`` or ``predict_proba``. It returns minus
        :func:`total_expected_cost_loss`.

    Raises
    ------
    ValueError, TypeError
        If ``prior`` is no distribution on [0, 1].

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
    return _negative(total_expected_cost_loss, ANY_SCORE, pos_label, prior=prior)


def make_metric_scorer(
    metric: str | Metric,
    *,
    bound: Bound | None = None,
    confidence_level: float = 0.95,
    method: str | None = None,
    pos_label: Any = None,
) -> Scorer:
    """Make a scorer of a metric of the confusion table, or of one end of its confidence interval.

    Parameters
    ----------
    metric : str or Metric
        As in :func:`bootstrap_metric`; net benefits as ``Metric.net_benefit(threshold_probability)``.
    bound : {"low", "high"}, default=None
        Which end of the interval; None is the metric itself, as scikit-learn computes it where it has it.
    confidence_level : float, default=0.95
        Of the two-sided interval, in (0, 1).
    method : str, default=None
        An interval method of the metric; None is its default.
    pos_label : int, float, bool or str, default=None
        The positive label; needed unless the labels are {0, 1} or {-1, 1}.

    Returns
    -------
    scorer : callable
        For ``scoring=`` anywhere in scikit-learn, ``TunedThresholdClassifierCV`` included; needs ``predict``. Errors,
        such as the false discovery rate, are returned negative, so that greater is better. A bound takes ``groups``, by
        metadata routing: ``scorer.set_score_request(groups=True)``.

    Raises
    ------
    ValueError, TypeError
        If ``metric`` is not known, ``bound`` is not one of the two, or ``confidence_level`` no number in (0, 1).

    Warns
    -----
    UndefinedMetricWarning
        On scoring where the denominator is 0, as the precision's where nobody is labelled positive: the score is then
        0, and a bound the end of the metric's range.

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
    found = find_metric(metric)
    if not isinstance(found, AnyMetric):
        raise ValueError(f"metric={metric!r} depends on a threshold: pass Metric.net_benefit(threshold_probability).")
    return make_scorer(
        metric_of_labels,
        response_method="predict",
        greater_is_better=found.greater_is_better,
        metric=found,
        bound=None if bound is None else check_option("bound", bound, BOUNDS),
        confidence_level=check_confidence_level(confidence_level),
        method=None if method is None else check_option("method", method, METHODS),
        **_label(pos_label),
    )


def metric_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metric: AnyMetric,
    bound: Bound | None,
    confidence_level: float,
    method: str | None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> float:
    """A metric of predicted labels, or one end of its interval; where it is undefined, 0 or an end of its range."""
    cases = _check_labels(y_true, y_pred, pos_label, sample_weight, groups, frequencies=bound is not None)
    positive, hit = cases.positive, cases.columns["y_pred"] > 0
    cells = [
        cases.frequencies[rows].sum() for rows in (positive & hit, positive & ~hit, ~positive & hit, ~positive & ~hit)
    ]
    estimate = float(metric.at(*cells))
    if np.isnan(estimate):
        warnings.warn(f"{metric.name} is undefined: its denominator is 0.", UndefinedMetricWarning, stacklevel=2)
        return 0.0 if bound is None else metric_range(metric, cells)[bound == "high"]
    if bound is None:
        return estimate
    interval = metric_of(cases, "y_pred", metric).confidence_interval(confidence_level, method=method)
    return float(getattr(interval, bound))


def make_bound_scorer(
    bootstrap_function: Callable[..., Any],
    *,
    bound: Bound = "low",
    confidence_level: float = 0.95,
    method: str | None = None,
    response_method: str | Sequence[str] = ANY_SCORE,
    greater_is_better: bool = True,
    pos_label: Any = None,
) -> Scorer:
    """Make a scorer of one end of a confidence interval: prefer the model that is surely good.

    Parameters
    ----------
    bootstrap_function : callable
        A statistic of this library with a single estimate, such as :func:`bootstrap_auc`, or
        ``functools.partial(bootstrap_cost, probability_cost=0.3)``.
    bound : {"low", "high"}, default="low"
        Which end of the two-sided interval: the pessimistic one is "low" for a score and "high" for a cost.
    confidence_level : float, default=0.95
        In (0, 1).
    method : str, default=None
        An interval method of the statistic; None is its default.
    response_method : str or sequence of str, default=("decision_function", "predict_proba")
        Where the estimator's scores come from; "predict" for :func:`bootstrap_expected_cost`.
    greater_is_better : bool, default=True
        False for costs; the scorer then returns the negative.
    pos_label : int, float, bool or str, default=None
        The positive label; needed unless the labels are {0, 1} or {-1, 1}.

    Returns
    -------
    scorer : callable
        For ``scoring=`` anywhere in scikit-learn. Where cases belong together, ``groups`` are passed on by metadata
        routing: ``scorer.set_score_request(groups=True)``.

    Raises
    ------
    ValueError, TypeError
        If the function cannot be called, ``bound`` is not one of the two, ``confidence_level`` no number in (0, 1) or
        ``method`` no interval method; on scoring, if it is none of this statistic, or the function gives more than one
        estimate.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import bootstrap_auc, make_bound_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_bound_scorer(bootstrap_auc)).round(2)
    array([0.9 , 0.91, 0.92, 0.91, 0.92])
    """
    if not callable(bootstrap_function):
        raise TypeError(f"bootstrap_function must be a function such as bootstrap_auc, got {bootstrap_function!r}.")
    return make_scorer(
        interval_end,
        response_method=response_method,
        greater_is_better=greater_is_better,
        bootstrap_function=bootstrap_function,
        bound=check_option("bound", bound, BOUNDS),
        confidence_level=check_confidence_level(confidence_level),
        method=None if method is None else check_option("method", method, METHODS),
        **_label(pos_label),
    )


def interval_end(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    bootstrap_function: Callable[..., Any],
    bound: Bound,
    confidence_level: float,
    method: str | None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> float:
    """One end of the interval of a statistic with a single estimate."""
    together = {} if groups is None else {"groups": groups}
    result = bootstrap_function(y_true, y_score, sample_weight=sample_weight, **together, **_label(pos_label))
    end = getattr(result.confidence_interval(confidence_level, method=method), bound)
    if np.ndim(end):
        raise TypeError(f"bootstrap_function must give a single estimate, got {len(end)} of them.")
    return float(end)


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
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    *,
    frequencies: bool,
) -> Cases:
    """The cases by what a model calls them."""
    return Cases.check(
        y_true,
        {"y_pred": y_pred},
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
        frequencies=frequencies,
        predicted=True,
    )
