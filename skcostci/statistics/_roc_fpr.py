"""ROC curves at fixed false-positive rates (vertical averaging): one model, or the difference of two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Integers, check_unit_points
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts
from skcostci.laws import Lines, PairedCases, ROCHeights, paired_vertical_law, vertical_law
from skcostci.results._bands import BandedResult
from skcostci.results._results import DifferenceResult, LinearResult, Numbers, as_numbers
from skcostci.statistics._curves import roc_curve

METHODS = ("rank_beta", "agresti", "percentile", "wald")
BANDS = ("equal_levels", "kolmogorov")
PAIRED_METHODS = ("rank_mover", "agresti", "percentile", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class ROCAtFPRResult(BandedResult, LinearResult):
    """The true-positive rate of one model at fixed false-positive rates, with its exact bootstrap law.

    Attributes
    ----------
    fpr : float or ndarray of shape (n_points,)
        The false-positive rates used, multiples of 1 / n_negative.
    estimate : float or ndarray of shape (n_points,)
        The share of positives that score at least the r-th largest negative score, r = fpr * n_negative.
    methods : tuple of str
        The interval methods, the default first.
    """

    fpr: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"fpr": self.fpr}


def bootstrap_roc_at_fpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ROCAtFPRResult:
    """The exact bootstrap law of a model's true-positive rate at fixed false-positive rates (vertical averaging).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present.
    y_score : array-like of shape (n_samples,)
        Finite scores, higher meaning more positive.
    fpr : float or array-like of shape (n_points,), default=None
        False-positive rates in [0, 1], rounded down to multiples of 1 / n_negative. None takes .01, .02, ..., .99,
        without repetitions and zeros.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.

    Returns
    -------
    result : ROCAtFPRResult
        With ``fpr`` (the rates used), ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval`` and ``to_frame``. Intervals are pointwise. Their methods:

        - "rank_beta" (default): quantiles of a confidence distribution, Beta laws mixed over the rank of the right
          threshold (see Notes). Simulated worst coverage over the designs of benchmarks/coverage.py: .87 at 90 %, .93
          at 95 %. Not to be trusted next to the rates where scores of few levels make the population's curve jump: the
          sample does not say on which side of the jump the rate lies.
        - "agresti": Algorithm 4 of the 2009 paper, a Gaussian with 2 pseudo-cases added to hits and to misses of each
          component. Nominal 90 % falls to .70 at the first rates.
        - "wald": a Gaussian with the exact moments; "percentile": quantiles of the exact law. Neither to be trusted
          where few positives are missed: both shrink to points, and coverage falls towards 0.

    Raises
    ------
    ValueError
        If labels, scores, weights or rates are not as described.

    See Also
    --------
    bootstrap_roc_difference_at_fpr : Two models.

    Notes
    -----
    At the rate r / n_negative the threshold of a stratified resample is its r-th largest negative score, drawn twice
    counting twice, and positives that score at least as much are hits (Dugas & Gadoury 2009, eqs. 3-7). So a tie
    between the classes is a hit, ties within one change nothing, the curve is taken at the lower end of its vertical
    steps, and the mean is not the estimate. At r = 0 the threshold is infinite and the rate 0, a known point; at r =
    n_negative the rate is the share of positives that reach the smallest negative drawn, not 1.

    What is averaged is the height of the resampled curves at a rate, each at a threshold of its own: the band speaks
    about the population's curve at that false-positive rate, not about any threshold that can be fixed beforehand
    (for that fix the threshold). Hogan and Adams (2023) discuss what averages of ROC curves do and do not mean.

    The law of the r-th largest has O(sqrt n) probable places, so the whole costs O(n log n + n_points sqrt n).

    "rank_beta": with the right threshold, the one of false-positive rate u in the population, K ~ Bin(n_negative, u)
    negatives lie above it, whatever the scores; given K = k the number x of positives above it lies between the
    counts at the k-th and the next negative; given x, the rate is taken as Beta(x + 1/2, n_positive - x + 1/2). Mixed
    over k, and over x evenly in its gap, these are the confidence distribution. Its x are drawn together by the part
    of the curve's roughness that would count twice, d (l + l^2 / 2) in variance at l positives a negative, d being half
    the mean distance of two K times the share of k where no tie spans k and k + 1; and the limits lean outwards by up
    to .15 of a case where the threshold leaves no doubt. x = 0 and x = n_positive stay where they are if the curve lies
    along that end, and give the lower limit 0, the upper limit 1.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", Machine Learning, 2010
    (CRM working paper, 2009).

    J. Hogan and N. M. Adams, "On averaging ROC curves", Transactions on Machine Learning Research, 2023.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_fpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> y_score = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> result = bootstrap_roc_at_fpr(y_true, y_score, fpr=[0.25, 0.5])
    >>> result.estimate
    array([0.5, 1. ])
    >>> result.mean.round(4)
    array([0.6582, 0.8691])
    >>> low, high = result.confidence_interval(0.9)
    >>> low.round(3), high.round(3)
    (array([0.158, 0.385]), array([1., 1.]))
    """
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    return roc_at_fpr_of(cases, "y_score", fpr=fpr)


def roc_at_fpr_of(cases: Cases, column: str, *, fpr: ArrayLike | None = None) -> ROCAtFPRResult:
    """The true-positive rate of a column of checked cases."""
    counts = cases.counts(column)
    negatives = counts.negative.total
    lines = _lines(counts)
    ranks = _ranks(fpr, negatives)
    law = vertical_law(lines, ranks.ravel(), negatives)
    estimate = _hits(lines, ranks) / counts.positive.total
    fpr_used = as_numbers(ranks / negatives, ranks.shape)
    curve = ROCHeights(np.ravel(fpr_used), (roc_curve(counts),))
    heights = as_numbers(estimate, ranks.shape)
    return ROCAtFPRResult(heights, law, METHODS, fpr_used, band_methods=BANDS, curve=curve)


@dataclass(frozen=True, repr=False, eq=False)
class ROCDifferenceAtFPRResult(BandedResult, DifferenceResult):
    """The true-positive rate of model a less that of model b at fixed false-positive rates, with its exact law.

    Attributes
    ----------
    fpr : float or ndarray of shape (n_points,)
        The false-positive rates used, multiples of 1 / n_negative.
    estimate : float or ndarray of shape (n_points,)
        The difference on the data as given; above 0 where a is better.
    methods : tuple of str
        The interval methods, the default first.
    """

    fpr: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"fpr": self.fpr}


def bootstrap_roc_difference_at_fpr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ROCDifferenceAtFPRResult:
    """The exact bootstrap law of the difference of two models' true-positive rates at a false-positive rate, a - b.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        Finite scores of the two models on the same cases, higher meaning more positive; they need not share a scale.
    fpr : float or array-like of shape (n_points,), default=None
        False-positive rates in [0, 1], rounded down to multiples of 1 / n_negative. None takes .01, .02, ..., .99,
        without repetitions and zeros.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.

    Returns
    -------
    result : ROCDifferenceAtFPRResult
        With ``fpr`` (the rates used), ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval``, ``pvalue``, ``probabilities`` and ``to_frame``. The interval methods:

        - "rank_mover" (default): the "rank_beta" limits of the two models, combined by way of their correlation in the
          law (see Notes). Simulated worst coverage: .90 at 90 %, .93 at 95 %. It covers too much where the models
          nearly agree or rates are near 1.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither of every component
          (Agresti & Min). Not to be trusted with few cases or at the first rates: nominal 90 % falls to .68 with 200
          positives and 10 negatives.
        - "wald": a Gaussian with the exact moments (24)-(27); "percentile": quantiles of the exact law. Neither to be
          trusted where the models seldom disagree: they shrink towards a point.

    Raises
    ------
    ValueError
        If labels, scores, weights or rates are not as described.

    See Also
    --------
    bootstrap_roc_at_fpr : One model, and the conventions at rates 0 and 1 and with ties.

    Notes
    -----
    Each model has its threshold, the r-th largest negative drawn in its own order, and the two vary together because
    the negatives are the same (Dugas & Gadoury 2009, appendix B). The paper needs O(n^4) operations; here the joint
    law of the thresholds is integrated along the log odds ratio for the O(sqrt n) x O(sqrt n) probable pairs of
    thresholds, and the laws of the difference given the thresholds are mixed by way of their characteristic
    functions: O(n) a rate, in time and memory. Probabilities are exact to about 1e-11, mean and standard error to
    less than 1e-8 of the standard error.

    "rank_mover": each model's rate lies between the "rank_beta" limits l and u, about the median m of its confidence
    distribution. With x = m_a - l_a, y = u_b - m_b and r the correlation of the two rates in the bootstrap law with a
    quarter of a pseudo-case in each cell, so that r < 1, the lower limit is m_a - m_b - sqrt(x^2 + y^2 - 2 r x y)
    (MOVER; Zou and Donner 2008), the upper one its mirror image. Where x < r y the root would grow as x shrinks; x is
    then taken as r y, and y likewise, so that intervals of higher levels hold those of lower ones. p-values are those
    of the exact law, not of this interval.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", Machine Learning, 2010
    (CRM working paper, 2009).

    R. L. Plackett, "A reduction formula for normal multivariate integrals", Biometrika, 1954.

    G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures", Statistics in Medicine, 2008.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_fpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> y_score_a = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> y_score_b = [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> result = bootstrap_roc_difference_at_fpr(y_true, y_score_a, y_score_b, fpr=0.5)
    >>> float(result)
    0.75
    >>> round(result.mean, 4), round(result.pvalue(), 4)
    (0.4502, 0.4361)
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = Cases.check(y_true, scores, pos_label=pos_label, sample_weight=sample_weight)
    return roc_difference_at_fpr_of(cases, "y_score_a", "y_score_b", fpr=fpr)


def roc_difference_at_fpr_of(cases: Cases, a: str, b: str, *, fpr: ArrayLike | None = None) -> ROCDifferenceAtFPRResult:
    """The true-positive rate of a column of checked cases less that of another."""
    counts = cases.counts(a), cases.counts(b)
    positives, negatives = counts[0].positive.total, counts[0].negative.total
    lines, positive, negative = _paired_cases(cases, (a, b))
    ranks = _ranks(fpr, negatives)
    law = paired_vertical_law(lines, positive, negative, ranks.ravel(), negatives)
    estimate = (_hits(lines[0], ranks) - _hits(lines[1], ranks)) / positives
    fpr_used = as_numbers(ranks / negatives, ranks.shape)
    curve = ROCHeights(np.ravel(fpr_used), (roc_curve(counts[0]), roc_curve(counts[1])))
    heights = as_numbers(estimate, ranks.shape)
    return ROCDifferenceAtFPRResult(heights, law, PAIRED_METHODS, fpr_used, band_methods=BANDS, curve=curve)


def _ranks(fpr: ArrayLike | None, negatives: int) -> Integers:
    """How many negatives are to reach the threshold at each false-positive rate."""
    if fpr is None:
        percent = np.arange(1, 100) * negatives // 100
        return np.unique(np.maximum(percent, min(percent.max(), 1))) if percent.any() else np.ones(1, dtype=np.int64)
    return np.asarray(np.floor(check_unit_points("fpr", fpr) * negatives + 1e-9).astype(np.int64))


def _lines(counts: ScoreCounts) -> Lines:
    """Group positives, in ascending order of the negatives above them."""
    above = counts.negative.count_above(counts.positive.values)[::-1]
    first = np.flatnonzero(np.concatenate([[True], above[1:] != above[:-1]]))
    cases = np.add.reduceat(counts.positive.multiplicities[::-1], first)
    return Lines(above[first], cases, counts.negative.at_least)


def _hits(lines: Lines, ranks: Integers) -> Integers:
    """Positives that score at least the rank-th largest negative score."""
    return np.asarray(lines.hits[np.searchsorted(lines.above, ranks)])


def _paired_cases(cases: Cases, columns: tuple[str, str]) -> tuple[tuple[Lines, Lines], PairedCases, PairedCases]:
    """The lines of both models, the positives on them and the negatives above them."""
    lines, on_line, over_line = [], [], []
    for column in columns:
        model = cases.counts(column)
        (positive_scores, positive_weights), (negative_scores, negative_weights) = cases.split(column)
        above = model.negative.count_above(positive_scores)
        distinct, line = np.unique(above, return_inverse=True)
        lines.append(_lines(model))
        on_line.append(line)
        over_line.append(np.searchsorted(distinct, model.negative.count_above(negative_scores), "right"))
    return (
        (lines[0], lines[1]),
        PairedCases(on_line[0], on_line[1], positive_weights),
        PairedCases(over_line[0], over_line[1], negative_weights),
    )
