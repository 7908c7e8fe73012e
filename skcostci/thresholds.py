"""Rules that choose thresholds, to be fitted on some cases and applied to others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Integers
from skcostci._described import described
from skcostci._frozen import Numbers
from skcostci._options import Label, explains_calls
from skcostci._validation._arguments import LEVEL, MOST_CASES, SHARE, Number, is_whole_number
from skcostci._validation._rows import SampleOptions
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts
from skcostci.cuts import envelope_thresholds, short_decimals
from skcostci.intervals._order_statistics import rank_above, rank_below


@explains_calls
@described(SampleOptions)
def cost_minimizing_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    probability_cost: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> Numbers:
    """The threshold with the lowest cost on the given data, for each operating condition.

    >>> from skcostci import cost_minimizing_thresholds
    >>> cost_minimizing_thresholds([0, 0, 1, 0, 1], [0.1, 0.3, 0.4, 0.6, 0.8], [0.1, 0.5, 0.9])
    array([0.8, 0.4, 0.4])

    Fit it on validation data and pass the result as ``thresholds=`` with the test data: chosen on the test data
    themselves (``thresholds="envelope"``) the thresholds make the cost look lower than it will be.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    probability_cost : float or array-like of shape (n_points,)
        PC(+), the operating conditions, in [0, 1]; see :func:`probability_cost`.

    Returns
    -------
    float or ndarray of shape (n_points,)
        Label a case positive if its score is at least this. It is infinity (no case) or the score of a positive; of
        several thresholds with the same cost it is the largest.

    See Also
    --------
    bootstrap_cost : The cost at these thresholds, on other cases.

    Notes
    -----
    The cost is ``PC * FNR + (1 - PC) * FPR`` (Drummond & Holte 2006, eq. 4). Its minimizers are the vertices of the ROC
    convex hull, found in O(n log n), most of it for sorting.
    """
    counts = _counts(y_true, y_score, pos_label, sample_weight)
    conditions = SHARE.all("probability_cost", probability_cost)
    thresholds = envelope_thresholds(counts, conditions)
    return thresholds if thresholds.ndim else float(thresholds)


@np.errstate(under="ignore")
@explains_calls
def probability_thresholds(probability_cost: ArrayLike, prevalence: float = 0.5) -> Numbers:
    """The optimal thresholds for scores that are probabilities of the positive class.

    >>> from skcostci import probability_thresholds
    >>> float(probability_thresholds(0.2))
    0.8
    >>> round(float(probability_thresholds(0.2, prevalence=0.1)), 4)
    0.3077

    Parameters
    ----------
    probability_cost : float or array-like of shape (n_points,)
        PC(+), the operating conditions, in [0, 1].
    prevalence : float, default=0.5
        The share of positives, in (0, 1), for which the scores are calibrated: the share in the training data, unless
        they were reweighted.

    Returns
    -------
    float or ndarray of shape (n_points,)
        The thresholds, whose odds are ``prevalence / (1 - prevalence)`` times those of ``1 - PC(+)``; at prevalence 1/2
        they are ``1 - PC(+)``. Rounding errors of short decimals are removed: for 0.42 it is 0.58, not
        0.5800000000000001.

    See Also
    --------
    cost_minimizing_thresholds : Thresholds from data, for scores that may not be calibrated.
    """
    conditions = SHARE.all("probability_cost", probability_cost)
    share = LEVEL("prevalence", prevalence)
    negative = share * (1 - conditions)
    thresholds = short_decimals(negative / (negative + (1 - share) * conditions))
    return np.asarray(thresholds) if conditions.ndim else float(thresholds)


@explains_calls
@described(SampleOptions, cost_minimizing_thresholds)
def neyman_pearson_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    max_fpr: float,
    *,
    confidence: float | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The threshold with the highest true-positive rate among those whose false-positive rate is at most ``max_fpr``.

    >>> from skcostci import neyman_pearson_threshold
    >>> neyman_pearson_threshold([0, 0, 1, 0, 1], [0.1, 0.3, 0.4, 0.6, 0.8], max_fpr=0.4)
    0.4
    >>> y_true, y_score = [0] * 60 + [1] * 3, [*range(1, 61), 50, 55, 65]
    >>> neyman_pearson_threshold(y_true, y_score, 0.1), neyman_pearson_threshold(y_true, y_score, 0.1, confidence=0.95)
    (55.0, 59.0)

    Parameters
    ----------
    max_fpr : float
        The largest false-positive rate allowed, in [0, 1]; 0.05 for 95 % specificity.
    confidence : float, default=None
        In (0, 1), the confidence that the population's false-positive rate is at most ``max_fpr``. None requires it on
        the given data only; the threshold is then too low for the population in about half of all samples.

    Returns
    -------
    float
        Without a confidence it is infinity (no case) or the score of a positive, the largest of equally good
        thresholds. With a confidence it is the score of a negative (the next score above it where negatives tie), or
        infinity if no threshold has this confidence, with so few negatives that (1 - max_fpr)**n_negative > 1 -
        confidence.

    See Also
    --------
    sensitivity_threshold : With a limit for the true-positive rate.

    Notes
    -----
    With a confidence the threshold is the k-th largest score of the negatives, k the largest number with
    P(Bin(n_negative, max_fpr) <= k - 1) <= 1 - confidence. The false-positive rate of the population is then above
    ``max_fpr`` in at most a share 1 - confidence of all samples, for any continuous distribution of scores (Tong, Feng
    & Li 2018, proposition 1). Where scores of negatives tie, the threshold is the next observed score above, so that
    this is true with ties too. It is valid for one ``max_fpr`` fixed beforehand.

    References
    ----------
    X. Tong, Y. Feng and J. J. Li, Science Advances, 2018.
    """
    limit = SHARE("max_fpr", max_fpr)
    counts = _counts(y_true, y_score, pos_label, sample_weight)
    if confidence is not None:
        rank = rank_above(counts.negative.total, np.array(limit), _risk(confidence))
        score = float(counts.negative.score_of(np.asarray(rank)))
        if not np.any(counts.negative.multiplicities > 1):
            return score
        # Negatives tie: it may be one of many, so that only the next score above it is sure to be within; scores fall.
        above = counts.ranking.scores[counts.ranking.scores > score]
        return float(above[-1]) if len(above) else np.inf
    thresholds, false_positives, _ = counts.roc_points
    return _last_within(thresholds, false_positives, limit * counts.negative.total)


@explains_calls
@described(SampleOptions, cost_minimizing_thresholds)
def sensitivity_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    min_tpr: float,
    *,
    confidence: float | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The threshold with the lowest false-positive rate among those whose true-positive rate is at least ``min_tpr``.

    >>> from skcostci import sensitivity_threshold
    >>> y_true, y_score = [0, 0] + [1] * 60, [0, 70, *range(1, 61)]
    >>> sensitivity_threshold(y_true, y_score, 0.9), sensitivity_threshold(y_true, y_score, 0.9, confidence=0.95)
    (7.0, 2.0)

    Parameters
    ----------
    min_tpr : float
        The least true-positive rate (sensitivity, recall) allowed, in [0, 1].
    confidence : float, default=None
        In (0, 1), the confidence that the population's true-positive rate is at least ``min_tpr``. None requires it on
        the given data only; the threshold is then too high for the population in about half of all samples.

    Returns
    -------
    float
        The score of a positive; infinity (no case) at ``min_tpr`` 0; minus infinity (every case) if no other threshold
        has this confidence, with so few positives that min_tpr**n_positive > 1 - confidence.

    See Also
    --------
    neyman_pearson_threshold : With a limit for the false-positive rate.

    Notes
    -----
    With a confidence the threshold is the k-th largest score of the positives, k the smallest number with
    P(Bin(n_positive, min_tpr) >= k) <= 1 - confidence; without one, k is the smallest whole number that is at least
    ``min_tpr * n_positive``. With a confidence the true-positive rate of the population is below ``min_tpr`` in at most
    a share 1 - confidence of all samples, for any distribution of scores (Tong, Feng & Li 2018).
    It is valid for one ``min_tpr`` fixed beforehand.
    """
    limit = SHARE("min_tpr", min_tpr)
    positive = _counts(y_true, y_score, pos_label, sample_weight).positive
    if limit == 0:
        return np.inf
    if confidence is not None:
        return float(positive.score_of(rank_below(positive.total, np.array(limit), _risk(confidence))))
    # .07 * 100 is 7.000000000000001, of which the next whole number is 8.
    return float(positive.score_of(np.ceil(limit * positive.total - 1e-9).astype(np.int64)))


@explains_calls
@described(SampleOptions, cost_minimizing_thresholds)
def workforce_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    capacity: float,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The threshold that finds the most positives while labelling no more cases positive than can be handled.

    >>> from skcostci import workforce_threshold
    >>> workforce_threshold([0, 0, 1, 0, 1], [0.1, 0.3, 0.4, 0.6, 0.8], capacity=2)
    0.8

    Parameters
    ----------
    capacity : float or int
        A float is the share of the cases that can be handled, in [0, 1]; an int is their number.

    Returns
    -------
    float
        It is infinity (no case) or the score of a positive, the largest of equally good thresholds (Drummond & Holte
        2006, section 5.1.4).

    See Also
    --------
    bootstrap_roc_at_positive_rate : The rates if a fixed share of cases is labelled positive.
    """
    counts = _counts(y_true, y_score, pos_label, sample_weight)
    thresholds, false_positives, true_positives = counts.roc_points
    if is_whole_number(capacity):
        limit = float(min(Number(0).whole("capacity", capacity), MOST_CASES))
    else:
        limit = SHARE("capacity", capacity) * (counts.positive.total + counts.negative.total)
    return _last_within(thresholds, false_positives + true_positives, limit)


def _counts(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Label | None, sample_weight: ArrayLike | None
) -> ScoreCounts:
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    return cases.counts("y_score")


def _risk(confidence: float) -> float:
    """The allowed risk, with rounding corrected: 1 - .9 is .09999999999999998."""
    return float(short_decimals(np.array(1 - LEVEL("confidence", confidence))))


def _last_within(thresholds: Floats, load: Integers, limit: float) -> float:
    """The lowest threshold whose load stays within the limit, up to the limit's rounding."""
    # .29 * 100 is 28.999999999999996, which 29 cases would exceed.
    return float(thresholds[np.searchsorted(load, limit + 1e-9, side="right") - 1])
