"""Losses: plain numbers, smaller is better, made to be wrapped by scorers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import check_cost_matrix, check_share, check_thresholds, reached
from skcostci.cases._cases import Cases
from skcostci.cases._counts import cost_per_case
from skcostci.cuts import at_scores, check_risks
from skcostci.geometry.cost_curve import cost_curve_of


def normalized_cost_loss(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    probability_cost: float,
    threshold: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The normalized expected cost at one operating condition and threshold.

    A number without an interval, to tune and to select by; less is better.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    probability_cost : float
        PC(+), the operating condition, in [0, 1].
    threshold : float, default=None
        Label a case positive if its score is at least this. None takes the scores for probabilities at prevalence
        1/2: 1 - PC(+).
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    float
        ``PC * FNR + (1 - PC) * FPR``, in [0, 1].

    See Also
    --------
    bootstrap_cost : The same with its bootstrap law.

    Notes
    -----
    Drummond & Holte (2006), eq. 4.

    Examples
    --------
    >>> from skcostci import normalized_cost_loss
    >>> normalized_cost_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8], probability_cost=0.5)
    0.5
    """
    cases = _weighed(y_true, y_score, pos_label, sample_weight)
    scores = cases.columns["y_score"]
    w = check_share("probability_cost", probability_cost)
    if threshold is None:
        check_risks("threshold=None", scores)
        cut = at_scores(np.asarray(1 - w), cases.counts("y_score"))
    else:
        cut = check_thresholds("threshold", threshold, ())
    wrong = reached(scores, cut) != cases.positive
    weights = cases.frequencies
    missed, alarms = (weights[wrong & mask].sum() / weights[mask].sum() for mask in (cases.positive, ~cases.positive))
    return float(w * missed + (1 - w) * alarms)


def total_expected_cost_loss(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    prior: Any = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The area under the cost curve: the cost expected when the operating condition is drawn from a prior.

    A number without an interval, for when the condition of use is not known yet; less is better.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    prior : frozen scipy.stats distribution on [0, 1], default=None
        Of PC(+); None is uniform.
    pos_label, sample_weight : optional
        As in :func:`normalized_cost_loss`.

    Returns
    -------
    float
        In [0, 1/4] under the uniform prior. The best threshold is taken at each condition, so scores need not be
        calibrated, and on test data the loss is optimistic.

    See Also
    --------
    CostCurve.expected_cost : The same of a curve.
    make_total_expected_cost_scorer : A scorer of it.

    Notes
    -----
    Drummond & Holte (2006), section 4.7.

    Examples
    --------
    >>> from skcostci import total_expected_cost_loss
    >>> total_expected_cost_loss([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    0.125
    """
    cases = _weighed(y_true, y_score, pos_label, sample_weight)
    return cost_curve_of(cases.counts("y_score")).expected_cost(prior)


def expected_cost_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    cost_matrix: ArrayLike,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The cost per case of predicted classes under a cost matrix.

    A number without an interval, for any number of classes; less is better.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        True and predicted labels, numbers or strings.
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]`` is the cost of predicting ``labels[j]`` when the truth is ``labels[i]``: the orientation
        of :func:`sklearn.metrics.confusion_matrix`, the transpose of Margineantu & Dietterich's. Finite; gains are
        negative, and a right answer may cost something.
    labels : array-like of shape (n_classes,), default=None
        The labels in the order of the matrix; None is the sorted labels that occur. Give them when a fold may lack
        a class.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    float
        The weighted mean cost.

    Raises
    ------
    ValueError
        If a label is not among ``labels``, or the matrix is not finite or not of their number.

    See Also
    --------
    bootstrap_expected_cost : The same with its interval.
    make_expected_cost_scorer : A scorer of it.

    Examples
    --------
    >>> from skcostci import expected_cost_loss
    >>> expected_cost_loss([0, 0, 1, 1], [0, 1, 1, 0], cost_matrix=[[0, 1], [5, 0]])
    1.5
    """
    predictions = {"y_pred": y_pred}
    cases = Cases.check_classes(y_true, predictions, labels=labels, sample_weight=sample_weight, frequencies=False)
    costs = check_cost_matrix(
        cost_matrix, cases.labels, stated=labels is not None
    )  # before the table, which is of that size
    return cost_per_case(cases.confusion_table(), costs)


def _weighed(y_true: ArrayLike, y_score: ArrayLike, pos_label: Any, sample_weight: ArrayLike | None) -> Cases:
    """Checked cases with weights of any size."""
    scores = {"y_score": y_score}
    return Cases.check(y_true, scores, pos_label=pos_label, sample_weight=sample_weight, frequencies=False)
