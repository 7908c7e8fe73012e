"""Losses and their scorers; smaller is better. Without a positive class scorers use the last, as in scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import make_scorer

from skcostci._arrays import as_vector, reached
from skcostci._described import described
from skcostci._options import Label, explains_calls, without_address
from skcostci._validation._arguments import SHARE, check_option, check_prior, check_thresholds
from skcostci._validation._labels import check_label_list, unique_labels
from skcostci._validation._tables import check_cost_matrix, matrix_labels, matrix_order
from skcostci.cases._cases import Cases
from skcostci.cases._counts import cost_per_case
from skcostci.cuts import at_scores, check_risks
from skcostci.geometry.cost_curve import cost_curve_of

Scorer = Any  # scikit-learn's scorer class is private
ANY_SCORE = ("decision_function", "predict_proba")


@explains_calls
def normalized_cost_loss(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    probability_cost: float,
    threshold: float | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The normalized expected cost at one operating condition and threshold.

    >>> from skcostci import normalized_cost_loss
    >>> normalized_cost_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8], probability_cost=0.5)
    0.5

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    probability_cost : float
        PC(+), the operating condition, in [0, 1].
    threshold : float, default=None
        Label a case positive if its score is at least this. None treats the scores as probabilities at prevalence 1/2:
        1 - PC(+).
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    float
        ``PC * FNR + (1 - PC) * FPR``, in [0, 1] (Drummond & Holte 2006, eq. 4).

    See Also
    --------
    bootstrap_cost : The cost with its bootstrap distribution.
    """
    cases = _checked_cases(y_true, y_score, pos_label, sample_weight)
    scores = cases.columns["y_score"]
    w = SHARE("probability_cost", probability_cost)
    if threshold is None:
        check_risks("threshold=None", scores)
        cut = at_scores(np.asarray(1 - w), cases.counts("y_score"))
    else:
        cut = check_thresholds("threshold", threshold, ())
    wrong = reached(scores, cut) != cases.positive
    weights = cases.weights
    missed, alarms = (weights[wrong & mask].sum() / weights[mask].sum() for mask in (cases.positive, ~cases.positive))
    return float(w * missed + (1 - w) * alarms)


@explains_calls
@described(normalized_cost_loss)
def total_expected_cost_loss(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    prior: object = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The area under the cost curve: the cost expected when the operating condition is drawn from a prior.

    >>> from skcostci import total_expected_cost_loss
    >>> total_expected_cost_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    0.125

    Parameters
    ----------
    prior : frozen scipy.stats distribution on [0, 1], default=None
        The weighting of PC(+); None is uniform.

    Returns
    -------
    float
        In [0, 1/4] under the uniform prior (Drummond & Holte 2006, section 4.7). At each condition the threshold is the
        best one for the data: scores need not be calibrated, and the loss is optimistic.

    See Also
    --------
    CostCurve.expected_cost : The area under a given curve.
    """
    cases = _checked_cases(y_true, y_score, pos_label, sample_weight)
    return cost_curve_of(cases.counts("y_score")).expected_cost(prior)


@explains_calls
def expected_cost_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    cost_matrix: ArrayLike,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The cost per case of predicted classes under a cost matrix.

    >>> from skcostci import expected_cost_loss
    >>> expected_cost_loss([0, 0, 1, 1], [0, 1, 1, 0], cost_matrix=[[0, 1], [5, 0]])
    1.5

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        True and predicted labels, numbers or strings.
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]`` is the cost of predicting ``labels[j]`` when the truth is ``labels[i]``: the orientation
        of :func:`sklearn.metrics.confusion_matrix`, the transpose of Margineantu & Dietterich's. Finite; gains are
        negative, and a correct prediction may have a cost.
    labels : array-like of shape (n_classes,), default=None
        The labels in the order of the matrix; None is ordered categories (of pandas, Polars' Enum) in their order, else
        the sorted labels that occur. Give them if a class may be absent from a fold.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    float
        The weighted mean cost.

    See Also
    --------
    bootstrap_expected_cost : The cost with its interval.
    """
    predictions = {"y_pred": y_pred}
    order = matrix_order(cost_matrix, {"y_true": y_true, **predictions}, labels)
    cases = Cases.check_classes(y_true, predictions, labels=order, sample_weight=sample_weight, frequencies=False)
    # the matrix is checked before the table of that size is made
    costs = check_cost_matrix(cost_matrix, cases.labels, stated=labels is not None)
    return cost_per_case(cases.confusion_table(), costs)


def _checked_cases(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Label | None, weights: ArrayLike | None, predicted: bool = False
) -> Cases:
    check = partial(Cases.check, pos_label=pos_label, predicted=predicted, frequencies=False)
    return check(y_true, {"y_score": y_score}, sample_weight=weights)


@explains_calls
@described(normalized_cost_loss)
def make_normalized_cost_scorer(
    probability_cost: float,
    *,
    threshold: float | None = None,
    response_method: Literal["predict_proba", "predict"] = "predict_proba",
    pos_label: Label | None = None,
) -> Scorer:
    """Make a scorer of the normalized cost at one operating condition; greater (less negative) is better.

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcostci import make_normalized_cost_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    >>> cross_val_score(tree, X, y, scoring=make_normalized_cost_scorer(0.3)).round(2)
    array([-0.08, -0.14, -0.08, -0.07, -0.1 ])

    Parameters
    ----------
    threshold : float, default=None
        Applied to the predicted probability of the positive class; None is 1 - PC(+).
    response_method : {"predict_proba", "predict"}, default="predict_proba"
        "predict" evaluates predicted labels, without a threshold.
    pos_label : int, float, bool or str, default=None
        The positive label; None is 1 where the labels are {0, 1} or {-1, 1}, else the last of the classes in order.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn, ``TunedThresholdClassifierCV`` included, whose predicted labels are
        evaluated as they are. It returns minus :func:`normalized_cost_loss`.

    See Also
    --------
    normalized_cost_loss : The loss, of which the scorer returns the negative.
    """
    condition = SHARE("probability_cost", probability_cost)
    predicted = check_option("response_method", response_method, ("predict_proba", "predict")) == "predict"
    if predicted and threshold is not None:
        raise ValueError(f"threshold must be None if predictions are labels, got {threshold!r}.")
    at = 0.5 if predicted else None if threshold is None else float(check_thresholds("threshold", threshold, ()))
    scored = partial(cost_at_condition, probability_cost=condition, threshold=at)
    return scorer_of(scored, response_method, pos_label)


@explains_calls
@described(expected_cost_loss)
def make_expected_cost_scorer(cost_matrix: ArrayLike, *, labels: ArrayLike | None = None) -> Scorer:
    """Make a scorer of the cost per case under a cost matrix; greater (less negative) is better.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import make_expected_cost_scorer
    >>> X, y = load_iris(return_X_y=True)
    >>> scorer = make_expected_cost_scorer([[0, 1, 1], [1, 0, 5], [1, 2, 0]])
    >>> cross_val_score(GaussianNB(), X, y, scoring=scorer).round(2)
    array([-0.23, -0.07, -0.33, -0.13, -0.  ])

    Parameters
    ----------
    labels : array-like of shape (n_classes,), default=None
        The labels in the order of the matrix; needed if a class may be absent from a fold.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn, ``TunedThresholdClassifierCV`` included; needs ``predict``. It
        returns minus :func:`expected_cost_loss`.

    See Also
    --------
    expected_cost_loss : The loss, of which the scorer returns the negative.
    """
    known = matrix_labels(cost_matrix) if labels is None else check_label_list(labels)
    check_cost_matrix(cost_matrix, known, stated=labels is not None)
    return scorer_of(partial(expected_cost_loss, cost_matrix=cost_matrix, labels=labels), "predict", None)


@explains_calls
@described(total_expected_cost_loss)
def make_total_expected_cost_scorer(*, prior: Any = None, pos_label: Label | None = None) -> Scorer:
    """Make a scorer of the area under the cost curve; greater (less negative) is better.

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import make_total_expected_cost_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=make_total_expected_cost_scorer()).round(3)
    array([-0.052, -0.037, -0.018, -0.026, -0.019])

    Parameters
    ----------
    pos_label : int, float, bool or str, default=None
        The positive label; None is 1 where the labels are {0, 1} or {-1, 1}, else the last of the classes in order.

    Returns
    -------
    callable
        For ``scoring=`` anywhere in scikit-learn; needs ``decision_function`` or ``predict_proba``. It returns minus
        :func:`total_expected_cost_loss`.

    See Also
    --------
    total_expected_cost_loss : The loss, of which the scorer returns the negative.
    """
    check_prior(prior)
    frozen = hasattr(prior, "dist")  # shown in the scorer's repr by its name and parameters, not by its address
    recipe = ShownFunction(prior.dist, *prior.args, **prior.kwds) if frozen else prior
    return scorer_of(partial(cost_over_conditions, prior=recipe), ANY_SCORE, pos_label)


def cost_at_condition(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    probability_cost: float,
    threshold: float | None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The normalized cost of probabilities at a threshold, or of labels, which are decisions already."""
    positive = positive_class(y_true, pos_label)
    of_cost = partial(normalized_cost_loss, probability_cost=probability_cost)
    if not _are_labels(y_true, y_score):
        return of_cost(y_true, y_score, threshold=threshold, pos_label=positive, sample_weight=sample_weight)
    cases = _checked_cases(y_true, y_score, positive, sample_weight, predicted=True)
    return of_cost(cases.positive, cases.columns["y_score"], threshold=0.5, sample_weight=cases.weights)


def _are_labels(y_true: ArrayLike, y_score: ArrayLike) -> bool:
    """Whether scores are the labels themselves; 0.0 and 1.0 may be probabilities, 0 and 1 are labels."""
    labels, scores = classes_of(y_true), as_vector("y_score", y_score)
    if len(labels) != 2 or (set(labels) == {0, 1} and scores.dtype.kind == "f"):
        return False
    return set(unique_labels("y_score", scores).tolist()) <= set(labels)


def classes_of(y_true: ArrayLike) -> list[Label]:
    """The labels that occur, sorted, as an estimator lists its classes."""
    known: list[Label] = unique_labels("y_true", as_vector("y_true", y_true)).tolist()
    return known


def positive_class(y_true: ArrayLike, pos_label: Label | None) -> Label | None:
    """The given class, or the last of two, as in scikit-learn's scorers; None where they are {0, 1} or {-1, 1}."""
    labels = classes_of(y_true) if pos_label is None else []
    conventional = set(labels) <= {0, 1} or set(labels) <= {-1, 1}
    return labels[1] if len(labels) == 2 and not conventional else pos_label


def cost_over_conditions(y_true: ArrayLike, y_score: ArrayLike, *, prior: object, **options: Any) -> float:
    """The area under the cost curve of scores of the positive class."""
    options["pos_label"] = positive_class(y_true, options.get("pos_label"))
    known = prior() if isinstance(prior, ShownFunction) else prior
    return total_expected_cost_loss(y_true, y_score, prior=known, **options)


def scorer_of(
    scored: partial[float],
    response_method: str | Sequence[str],
    pos_label: Label | None,
    *,
    greater_is_better: bool = False,
) -> Scorer:
    """A scorer of a function with options already checked, which become the scorer's."""
    # scikit-learn would take None for a label.
    options = {**scored.keywords, **({} if pos_label is None else {"pos_label": pos_label})}
    return make_scorer(scored.func, response_method=response_method, greater_is_better=greater_is_better, **options)


class ShownFunction(partial[Any]):
    """A function with a readable repr in scorers: scikit-learn prints options by repr, functions by address."""

    def __repr__(self) -> str:
        options = self.args or self.keywords
        return without_address(partial(self.func, *self.args, **self.keywords) if options else self.func)
