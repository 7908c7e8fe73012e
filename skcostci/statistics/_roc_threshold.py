"""ROC curves at fixed thresholds (threshold averaging): both rates of one model, or of two on the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.cuts import count_cells, count_groups, rate_cut
from skcostci.laws import FlatteredLaw, GroupedLaw, LinearLaw, class_terms, grouped_law, rate_law
from skcostci.results._bands import BandedResult, RatesResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import ExactResult
from skcostci.statistics._chosen import chosen_rate_laws
from skcostci.statistics._curves import rate_curve
from skcostci.statistics._grouped import grouped_band, grouped_parts

RATES = [np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0, 0.0]])]  # hits of the positives, of the negatives
METHODS = ("clopper_pearson", "smoothed", "agresti", "wilson", "percentile", "bca", "wald")
BANDS = ("equal_levels", "kolmogorov")


@dataclass(frozen=True, repr=False, eq=False)
class RateResult(BandedResult, ExactResult):
    """A rate of one class at each threshold, with its exact bootstrap law, a binomial.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The share of the class that scores at least the threshold.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    thresholds : float or ndarray of shape (n_points,)
        The thresholds.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.
    band_methods : tuple of str
        The methods of simultaneous bands, the default first.
    curve : object
        What simultaneous bands are computed from.

    See Also
    --------
    ThresholdROCResult : Both rates.
    bootstrap_roc_at_threshold : Makes them.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_threshold
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_threshold(y_true, y_score, thresholds=0.5).tpr
    RateResult(estimate=0.75, standard_error=0.2165, 95 % interval 0.1941 to 0.9937)
    """

    thresholds: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"threshold": self.thresholds}


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdROCResult(RatesResult):
    """The points of a ROC curve at fixed thresholds, with the exact bootstrap laws of both rates.

    Parameters
    ----------
    fpr, tpr : RateResult
        The false- and the true-positive rate: ``estimate``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval`` (each for itself, at the level asked for) and ``to_frame``.
    thresholds : float or ndarray of shape (n_points,)
        The thresholds.

    See Also
    --------
    bootstrap_roc_at_threshold : Makes one.
    ROCConfidenceDisplay : Its picture.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_threshold
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_threshold(y_true, y_score, thresholds=0.5)
    ThresholdROCResult(fpr=0.25 (95 % interval 0.006309 to 0.8059), tpr=0.75 (95 % interval 0.1941 to 0.9937))
    """

    fpr: RateResult = field(repr=False)
    tpr: RateResult = field(repr=False)
    thresholds: Numbers


def bootstrap_roc_at_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    thresholds: ArrayLike | str | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> ThresholdROCResult:
    """The points of a ROC curve at fixed thresholds, with the exact bootstrap laws of both rates (threshold averaging).

    The bootstrap law of a statistic is its distribution over all resamples. Resampling approximates it; here no
    resample is drawn.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present.
    y_score : array-like of shape (n_samples,)
        Finite scores, higher meaning more positive. A case is labelled positive if its score is at least the
        threshold.
    thresholds : float, array-like of shape (n_points,) or "youden", default=None
        Infinite ones allowed. None takes the distinct scores, going down; of more than 101, the scores of the case at
        the top and after each hundredth of the cases. Chosen by their scores alone, so the labels have not seen them.
        "youden" takes the one with the largest TPR - FPR **on these data**, of several the largest: both rates look
        better there than they are, and the result is ``selected``.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, such as the lesions of a patient: labels of any kind, of two groups or more. Whole
        groups are then resampled, with the classes they hold.

    Returns
    -------
    ThresholdROCResult
        With ``thresholds``, ``fpr`` and ``tpr`` (results of their own), ``confidence_region`` (both at once) and
        ``to_frame``. Intervals are pointwise. Their methods:

        - "chosen" (the default at "youden", and only there): the choice flatters the lower limit of the TPR and the
          upper limit of the FPR. They are moved outwards, the more the more thresholds could have been chosen. They
          never go beyond Clopper-Pearson limits that hold at all thresholds. About 1.2 times as wide as at one
          threshold. The outermost limits are proved, the others simulated: with 60 + 60 cases of five populations they
          covered .963 at least, nominal .95.
        - "clopper_pearson" (default at given thresholds): the rates at which as many hits would be improbable (Clopper
          & Pearson 1934). Covers at least the level whatever the rate, and more for it: .94 in the mean at 90 %, .97 at
          95 %. The region is then covered at least as often as its level says.
        - "unseen_group" (default with ``groups``, and only there): one group more, of typical size, may be all hit or
          all missed; Clopper and Pearson's limits of the groups where each is all hit or all missed. And
          "effective_size": those for as many cases that stand for themselves as the groups are worth, by their design
          effect and Student's t (Korn & Graubard), for who knows that errors do not come by the group. The law is that
          of resampled groups, and the rates are no longer independent; two sides at the square root of a level are then
          covered at least as often as it says, for many groups (Royen's inequality).
        - "smoothed": quantiles of the exact law with 1.5 pseudo-cases, spread evenly over the two sides of the
          threshold. A tenth narrower at 95 %; not to be trusted with few cases: .78 at worst at 90 %, .92 at 95 %.
        - "agresti": a Gaussian with 2 pseudo-cases a side, Algorithm 1. The region covers .88 at worst at 90 %, a
          rate .92 at 95 %. Not to be trusted for one rate at 90 % (.73 at worst) or less: at 80 % it leaves out rates
          of nearly 0 although no case was seen.
        - "wilson": score limits; .80 at worst at 90 %, .84 at 95 %, where the rate is nearly 0 or 1.
        - "percentile": quantiles of the raw law; "bca": with bias and skewness corrected; "wald": a Gaussian with its
          moments. None of these to be trusted near rates of 0 and 1, where they shrink to points and never cover.

    Raises
    ------
    ValueError
        If labels, scores, weights or thresholds are not as described.

    See Also
    --------
    bootstrap_roc_difference_at_threshold : Two models.
    bootstrap_roc_at_positive_rate : A fixed share of the cases labelled positive instead of a fixed threshold.

    Notes
    -----
    Dugas & Gadoury (2009), section 3.1 and Algorithm 1. Each class is resampled to its own size, so at a threshold
    each rate is a binomial proportion and the two are independent. There is no ``sampling`` parameter: resampling
    all cases together would let the class sizes vary, about which a rate within a class says nothing; given the class
    sizes the laws are these. O(n log n) for sorting, then a few binary searches a threshold.

    At a threshold of infinity both rates are 0, at minus infinity 1: known, not estimated, so intervals are points.

    Averaging ROC curves at fixed thresholds answers what a model does once its threshold is set. It needs scores that
    mean the same in every sample, as those of one fixed model do.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009.

    E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data", Survey Methodology, 1998.

    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
    binomial", Biometrika, 1934.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_threshold
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> y_score = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> roc = bootstrap_roc_at_threshold(y_true, y_score, thresholds=[0.35, 0.65])
    >>> roc.fpr.estimate, roc.tpr.estimate
    (array([0.25, 0.25]), array([1. , 0.5]))
    >>> region = roc.confidence_region(0.9)
    >>> region.tpr.low.round(3), region.tpr.high.round(3)
    (array([0.4  , 0.069]), array([1.   , 0.931]))
    """
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight, groups=groups)
    return roc_at_threshold_of(cases, "y_score", thresholds=thresholds)


def roc_at_threshold_of(cases: Cases, column: str, *, thresholds: ArrayLike | str | None = None) -> ThresholdROCResult:
    """Both rates of a column of checked cases."""
    cut = rate_cut("thresholds", thresholds, cases.counts(column))
    shape = cut.thresholds.shape
    axis = frozen_numbers(cut.thresholds, shape)
    cells = count_cells(cases, (column, cut))
    laws: tuple[LinearLaw, LinearLaw] = rate_law(*cells[0]), rate_law(*cells[1])
    methods: tuple[str, ...] = METHODS
    if cut.selected:
        laws, methods = chosen_rate_laws(laws, cells, cases.counts(column), cut), ("chosen", *METHODS)
    about = [Estimand(rate, positive=cases.labels[1], selected=cut.selected) for rate in ("tpr", "fpr")]
    if cases.groups is not None:
        grouped = grouped_rate_laws(laws, count_groups(cases, (column, cut)), RATES)
        tpr, fpr = (
            RateResult(
                *grouped_parts(law, shape), axis, **grouped_band(law, -cut.thresholds.ravel()), estimand=estimand
            )
            for law, estimand in zip(grouped, about, strict=True)
        )
        return ThresholdROCResult(fpr, tpr, axis)
    tpr, fpr = (
        RateResult(
            frozen_numbers(law.mean, shape),
            law,
            methods,
            axis,
            band_methods=BANDS,
            curve=rate_curve(part, -cut.thresholds.ravel()),
            estimand=estimand,
        )
        for law, part, estimand in zip(laws, cells, about, strict=True)
    )
    return ThresholdROCResult(fpr, tpr, axis)


def grouped_rate_laws(laws: Sequence[LinearLaw], groups: Floats, rates: Sequence[Floats]) -> list[GroupedLaw]:
    """The laws of a rate of the positives and of one of the negatives, whole groups of cases resampled."""
    every = np.ones((len(groups), 1))
    return [
        grouped_law(law, groups, class_terms(every * rate), law.flatteries if isinstance(law, FlatteredLaw) else ())
        for law, rate in zip(laws, rates, strict=True)
    ]
