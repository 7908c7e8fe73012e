"""ROC curves at fixed false-positive rates (vertical averaging): one model, or the difference of two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._validation import Floats, Integers, check_unit_points
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts
from skcostci.cuts import short_decimals
from skcostci.laws import DrawnCurve, PairedCases, ROCHeights, paired_vertical_law, vertical_laws
from skcostci.results._bands import BandedResult
from skcostci.results._differences import DifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import ExactResult
from skcostci.results._threshold_found import ThresholdFound
from skcostci.statistics._curves import roc_curve

METHODS = ("rank_beta", "agresti", "percentile", "wald")
BANDS = ("equal_levels", "kolmogorov")
PAIRED_METHODS = ("rank_mover", "agresti", "percentile", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class ROCAtFPRResult(ThresholdFound, BandedResult, ExactResult):
    """The true-positive rate of one model at fixed false-positive rates, with its exact bootstrap law.

    What :func:`bootstrap_roc_at_fpr` returns, and :class:`ROCConfidenceDisplay` draws. Beside what every
    :class:`BandedResult` has:

    Parameters
    ----------
    fpr : float or ndarray of shape (n_points,)
        The false-positive rates asked for.
    threshold : float or ndarray of shape (n_points,)
        The scores at which the segments of the curve end that hold the estimates: label positive from here, and the
        false-positive rate is the one asked for or the next above it; infinite at a rate of 0.
    scores : object
        The scores of the negatives, of which two bound the threshold.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_fpr
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_fpr(y_true, y_score, fpr=0.5)
    ROCAtFPRResult(estimate=1, standard_error=0.2543, 95 % interval 0 to 1)
    """

    fpr: Numbers
    threshold: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"fpr": self.fpr}


def bootstrap_roc_at_fpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    specificity: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ROCAtFPRResult:
    """The true-positive rate at fixed false-positive rates with its confidence interval, by its exact bootstrap law.

    Sensitivity at a specificity, or the whole curve: how many positives score above the threshold that lets through
    such a share of the negatives, whatever that threshold is.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    fpr : float or array-like of shape (n_points,), default=None
        False-positive rates in [0, 1], taken as they are, multiples of 1 / n_negative or not. None takes .01, .02, ...,
        .99.
    specificity : float or array-like of shape (n_points,), default=None
        Specificities instead: false-positive rates of 1 - specificity, short decimals as they are meant.
    pos_label, sample_weight : optional
        As in :func:`bootstrap_auc`.

    Returns
    -------
    ROCAtFPRResult
        With ``fpr``, ``threshold``, ``threshold_interval``, ``estimate``, ``mean``, ``standard_error``, ``cdf``,
        ``quantile``, ``confidence_interval`` and ``to_frame``. Intervals are pointwise. Their methods:

        - "rank_beta" (default): quantiles of a confidence distribution, Beta laws mixed over the rank of the right
          threshold (see Notes), widened where they would leave out the estimate. Simulated over the designs of
          benchmarks/coverage.py it covers .91 at 95 % at worst, but for one: not to be trusted at a rate where the
          slope of the population's curve drops at once, as at the end of a large tied group at the top. Upper limits
          then miss up to five times as often as they should, and coverage fell to .85 at 95 % and .75 at 90 % there.
          Wider than it need be within large groups of tied scores.
        - "agresti": Algorithm 4 of the 2009 paper, a Gaussian with 2 pseudo-cases added to hits and to misses of each
          component. Nominal 90 % falls to .70 at the first rates.
        - "wald": a Gaussian with the exact moments; "percentile": quantiles of the exact law. Neither to be trusted
          where few positives are missed: both shrink to points, and coverage falls towards 0.

    Raises
    ------
    ValueError
        If labels, scores, weights or rates are not as described, or both rates and specificities are given.

    See Also
    --------
    bootstrap_roc_difference_at_fpr : Two models.

    Notes
    -----
    The curve is the one that :func:`sklearn.metrics.roc_curve` gives with ``drop_intermediate=False``: with N and M the
    negatives and positives cumulated over the distinct scores going down, and N_(g-1) < t <= N_g for t = fpr *
    n_negative, the estimate is [M_(g-1) + (t - N_(g-1)) / n_g * m_g] / n_positive. So positives tied with the negatives
    at the threshold count by the share of those that is passed, the curve is taken at the lower end of its vertical
    steps, and at a rate of 1 it is the share of positives that score no less than some negative. At a rate of 0 the
    threshold is infinite and the estimate 0, a known point.

    The law is that of the same number in a stratified resample (Dugas & Gadoury 2009, eqs. 3-7, where no tie joins the
    classes): a mixture over the group that the resample's curve ends in, the negatives drawn above it and those drawn
    in it. The mean is not the estimate. Without ties between the classes the law is exact and has O(sqrt n) parts;
    intervals are had without it, in O(n log n + n_points sqrt n). With such ties mean and standard error are exact to
    about 1e-9 of the standard error. ``cdf`` and ``quantile`` are exact while the values of a tied group can be listed
    (about four million), but that values closer than a 65536th of the range are merged. Beyond, with thousands of
    cases a class, jumps finer than a positive are smoothed: ``cdf`` errs by up to about .002.

    What is averaged is the height of the resampled curves at a rate, each at a threshold of its own: the band speaks
    about the population's curve at that false-positive rate, not about any threshold that can be fixed beforehand
    (for that fix the threshold). Hogan and Adams (2023) discuss what averages of ROC curves do and do not mean.

    "rank_beta": take the threshold that has false-positive rate u in the population. K ~ Bin(n_negative, u) negatives
    of the sample lie above it. Given K = k, the number x of positives above it lies between the heights of the curve
    at k - 1/2 and k + 1/2 negatives. Given x, the rate is taken as Beta(x + 1/2, n_positive - x + 1/2). The mixture of
    these Betas, over k and evenly over x in its gap, is the confidence distribution. Two corrections follow: the x are
    drawn together, because part of the curve's roughness would count twice, and limits lean outwards by up to .15 of
    a case. A lower limit is 0 where a sample holds no negative above the right threshold with more probability,
    (1 - fpr)^n_negative, than the limit (of an interval: both limits) may miss: samples of a population whose rate is 0
    then look like any others. An upper one is 1 where fpr^n_negative is.
    :doc:`/theory/intervals` has the formulas, what they assume and what was tuned.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", Machine Learning, 2010
    (CRM working paper, 2009).

    J. Hogan and N. M. Adams, "On averaging ROC curves", Transactions on Machine Learning Research, 2023.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_fpr
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> result = bootstrap_roc_at_fpr(y_true, y_score, fpr=[0.25, 0.5])
    >>> result.estimate
    array([0.5, 1. ])
    >>> result.mean.round(4)
    array([0.6582, 0.8691])
    >>> low, high = result.confidence_interval(0.9)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.385]), array([1., 1.]))
    """
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    return roc_at_fpr_of(cases, "y_score", fpr=_or_specificity(fpr, specificity))


def roc_at_fpr_of(cases: Cases, column: str, *, fpr: ArrayLike | None = None) -> ROCAtFPRResult:
    """The true-positive rate of a column of checked cases."""
    cases.refuse_groups("rates at a false-positive rate")
    rates, counts = _rates(fpr), cases.counts(column)
    law = vertical_laws([drawn_curve(counts)], rates.ravel())[0]
    ends = counts.negative.values[::-1][law.curve.level(law.crossing.t)]
    estimate, threshold, asked = (
        frozen_numbers(numbers, rates.shape) for numbers in (law.estimate, np.where(law.known, np.inf, ends), rates)
    )
    curve = ROCHeights(law.fpr, (partial(roc_curve, counts),))
    estimand = Estimand("tpr_at_fpr", positive=cases.labels[1], axis={"fpr": rates})
    options: dict[str, Any] = {"band_methods": BANDS, "curve": curve, "estimand": estimand, "scores": counts.negative}
    return ROCAtFPRResult(estimate, law, METHODS, asked, threshold, **options)


@dataclass(frozen=True, repr=False, eq=False)
class ROCDifferenceAtFPRResult(BandedResult, DifferenceResult):
    """The true-positive rate of model a minus that of model b at fixed false-positive rates, with its exact law.

    What :func:`bootstrap_roc_difference_at_fpr` returns; above 0 a is better. Beside what every :class:`BandedResult`
    has:

    Parameters
    ----------
    fpr : float or ndarray of shape (n_points,)
        The false-positive rates asked for.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_fpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=[0.25, 0.5])
    ROCDifferenceAtFPRResult(2 points, estimate 0.25 to 0.5, 95 % intervals within -0.8846 to 1)
    """

    fpr: Numbers
    _figures = ("estimate",)  # the standard error is had from the joint law, which the default limits do without

    def _axis(self) -> dict[str, Numbers]:
        return {"fpr": self.fpr}


def bootstrap_roc_difference_at_fpr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    specificity: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ROCDifferenceAtFPRResult:
    """The difference in true-positive rate of two models, a - b, at fixed false-positive rates, with its interval.

    Two curves are compared where they allow as many false alarms, whatever the scale of either's scores.

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.
    fpr, specificity : optional
        As in :func:`bootstrap_roc_at_fpr`.
    pos_label, sample_weight : optional
        As in :func:`bootstrap_auc`.

    Returns
    -------
    ROCDifferenceAtFPRResult
        With ``fpr``, ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval``, ``pvalue``, ``probabilities`` and ``to_frame``. The interval methods:

        - "rank_mover" (default): the "rank_beta" limits of the two models, combined by way of their correlation in the
          law (see Notes). Simulated worst coverage: .84 at 90 %, .88 at 95 %. It covers too much where the models
          nearly agree, where large groups tie or rates are near 1.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither of every component
          (Agresti & Min). Not to be trusted with few cases or at the first rates: nominal 90 % falls to .68 with 200
          positives and 10 negatives.
        - "wald": a Gaussian with the exact moments (24)-(27); "percentile": quantiles of the exact law. Neither to be
          trusted where the models seldom disagree: they shrink towards a point.

    See Also
    --------
    bootstrap_roc_at_fpr : One model, and the conventions at rates 0 and 1 and with ties.

    Notes
    -----
    Each model's curve is read as :func:`bootstrap_roc_at_fpr` says, and the two vary together because the cases are the
    same (Dugas & Gadoury 2009, appendix B). The paper needs O(n^4) operations; here the joint law of the thresholds is
    integrated along the log odds ratio for the O(sqrt n) x O(sqrt n) probable pairs of thresholds, and the laws of the
    difference given the thresholds are mixed by way of their characteristic functions: O(n) a rate, in time and
    memory. Probabilities are exact to about 1e-11, and the mean is exact. So is the standard error where at most 4096
    pairs of thresholds may be met and few cases tie across the classes; else it is within .7 % without such ties and
    mostly within 1.2 % with them (6 % at worst; up to a quarter too wide where tied models all but agree and next to
    nothing is left), by a normal law with binomial margins. Where more than 16 million pairs may be met, with some
    300,000 untied negatives, the law is a normal one with these moments.

    Where no tie joins the classes the law is exact. Where one does it is, to 1e-12, ``cdf`` and ``quantile`` with every
    atom, for tens of cases: while the sums over the negatives above and in each pair of segments have at most 8 million
    terms (30 negatives and 60 probable pairs; 60 and 4), and as long as a value of ``cdf`` has at most 134 million
    terms, one for each pair of shares of the tied positives and each number drawn of either: 40 + 40 cases on 3 to 12
    grades are within that, 50 + 50 at low rates. A value takes up to half a second, a quantile some ten times as long.

    Beyond that each model's law and the mean stay exact, and in the law of the difference the way the places of the two
    models within tied groups vary together is taken from a normal law with the right margins and correlation, or left
    out where it is little. Shares next to each other are brought together in some 48 blocks a group: ``cdf`` was within
    .007 of 60,000 resamples, whose noise is .004, with 8 to 150 positives and 60 to 150 negatives on 4 to 8 grades.
    With hundreds of cases shares are split between the nearest 24ths of a case, with thousands laws given the
    thresholds are taken as Gaussian where they have fractions.

    "rank_mover": each model's rate lies between the "rank_beta" limits l and u, about the median m of its confidence
    distribution. With x = m_a - l_a, y = u_b - m_b and r the correlation of the two rates in the bootstrap law with a
    quarter of a pseudo-case in each cell, so that r < 1, the lower limit is m_a - m_b - sqrt(x^2 + y^2 - 2 r x y)
    (MOVER; Zou and Donner 2008), the upper one its mirror image. This interval needs three numbers of the joint law,
    which come from a normal law with binomial margins and exact correlations: limits are within .008 of their half
    width of those from the exact numbers without ties across the classes and within .02 with such ties; where models
    nearly agree, in nine of ten cases within .09 and .2, and nearly always wider (:ref:`numerics <tied-scores>`).
    Where x < r y the root would grow as x shrinks; x is then taken as r y, and y likewise, so that intervals of higher
    levels hold those of lower ones. An interval that would leave out the estimate ends there.

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
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.5)
    >>> float(result)
    0.75
    >>> round(result.mean, 4), round(result.pvalue(method="percentile"), 4)
    (0.4689, 0.3627)
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = Cases.check(y_true, scores, pos_label=pos_label, sample_weight=sample_weight)
    return roc_difference_at_fpr_of(cases, "y_score_a", "y_score_b", fpr=_or_specificity(fpr, specificity))


def roc_difference_at_fpr_of(cases: Cases, a: str, b: str, *, fpr: ArrayLike | None = None) -> ROCDifferenceAtFPRResult:
    """The true-positive rate of a column of checked cases minus that of another."""
    cases.refuse_groups("rates at a false-positive rate")
    rates, columns = _rates(fpr), (a, b)
    counts = [cases.counts(column, ranked=True) for column in columns]
    laws = vertical_laws([drawn_curve(model) for model in counts], rates.ravel())
    places = [_places(model, law.curve) for model, law in zip(counts, laws, strict=True)]
    weights = [part[1] for part in cases.split(a)]
    positive, negative = (PairedCases(*each) for each in zip(*places, weights, strict=True))
    law = paired_vertical_law(laws[0], laws[1], positive, negative)
    curve = ROCHeights(law.a.fpr, tuple(partial(roc_curve, model) for model in counts))
    estimate, asked = (frozen_numbers(numbers, rates.shape) for numbers in (law.estimate, rates))
    estimand = Estimand("tpr_at_fpr", difference=True, positive=cases.labels[1], axis={"fpr": rates})
    options: dict[str, Any] = {"band_methods": BANDS, "curve": curve, "estimand": estimand}
    return ROCDifferenceAtFPRResult(estimate, law, PAIRED_METHODS, asked, **options)


def _or_specificity(fpr: ArrayLike | None, specificity: ArrayLike | None) -> ArrayLike | None:
    """What was given, as false-positive rates; 1 - .95 is .050000000000000044, and .05 is meant."""
    if specificity is None:
        return fpr
    if fpr is not None:
        raise ValueError("specificity is 1 - fpr: give one of them, got both.")
    return short_decimals(1 - check_unit_points("specificity", specificity))


def _rates(fpr: ArrayLike | None) -> Floats:
    """The false-positive rates asked for."""
    return np.arange(1, 100) / 100 if fpr is None else check_unit_points("fpr", fpr)


def drawn_curve(counts: ScoreCounts) -> DrawnCurve:
    """The vertices of the curve at the scores of negatives."""
    values, scores = counts.negative.values, counts.positive.values
    place = np.searchsorted(scores, values)
    level = scores[np.minimum(place, len(scores) - 1)] == values
    at_least, before = counts.positive.at_least[place], counts.positive.at_least[place + level]
    parts = counts.negative.at_least[:-1], before, at_least - before
    reached, before, tied = (np.ascontiguousarray(part[::-1]) for part in parts)
    return DrawnCurve(reached, before, tied, counts.positive.total)


def _places(counts: ScoreCounts, curve: DrawnCurve) -> list[Integers]:
    """Where the positives, then the negatives, lie on a model's curve: 2 k on the left of segment k, 2 k + 1 in it."""
    ends, scores = curve.segments.ends, counts.positive.values
    above = counts.negative.count_above(scores)
    tied = counts.negative.count_at_least(scores) > above
    found = 2 * np.searchsorted(ends, above, "right") + tied
    drawn = 2 * np.searchsorted(ends, counts.negative.at_least[1:], "right") + 1
    return [found[counts.positive.rank], drawn[counts.negative.rank]]
