"""Rates where another is held: TPR at a false-positive rate, FPR at a true-positive rate, either at a positive rate.

At a false-positive rate the curve is drawn through the scores of the negatives, sloping where positives tie with them,
and the threshold is a rank among these. At a true-positive rate the threshold is the score of the r-th largest
positive, r = ceil(tpr n_positive), and the curve has steps only: so the law is the same with the classes exchanged and
no sloping segment. Below, one class is counted where the rate of the other is held; at a positive rate ("budget") the
share of all cases labelled positive is held. A result and its axis are named as the option given, see
``_options.RATES_AT``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Integers
from skcostci._described import described
from skcostci._frozen import Numbers, frozen_numbers, read_only
from skcostci._options import RATES_AT, Label, RateAt, Sampling, WeightType, explains_calls
from skcostci._validation._arguments import PREVALENCE, SHARE, check_option
from skcostci._validation._rows import GivenRows, SampleOptions
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ClassCounts
from skcostci.cases._design import Design, Part
from skcostci.cuts import short_decimals
from skcostci.laws._side_by_side import BetweenLaw, ScaledLaw
from skcostci.laws.exact._normal_pair import PairedCases
from skcostci.laws.exact._paired_vertical import paired_vertical_law
from skcostci.laws.exact._ranked import BudgetLaw, RankedCases
from skcostci.laws.exact._vertical import DrawnCurve, vertical_laws
from skcostci.laws.influence._curves import ROCHeights
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.laws.influence._of_rates import FallingLaw
from skcostci.results._banded import BandedResult, ThresholdFound
from skcostci.results._estimand import Estimand, points_in_words
from skcostci.results._results import BootstrapResult, DifferenceResult, ExactResult
from skcostci.statistics._held_rates import HeldRate, RankedRows
from skcostci.statistics._points import NO_BAND, roc_curve
from skcostci.statistics._units import Difference, law_of_terms, of_scheme
from skcostci.statistics._weight_types import continuous_in_weights, weighed

METHODS = ("rank_beta", "agresti", "percentile", "wald")
PAIRED_METHODS = ("rank_mover", "agresti", "percentile", "wald")
BUDGET_METHODS = ("unseen_case", "smoothed", "percentile", "agresti", "wald")
BANDS = ("equal_levels", "kolmogorov")
Evaluated = tuple[Any, tuple[str, ...], dict[str, Any]]  # a law, its interval methods, and fields of the result
RateT = TypeVar("RateT", bound=BootstrapResult)
SAME_RATE = {"specificity": "1 - fpr", "sensitivity": "tpr"}


@dataclass(frozen=True, repr=False, eq=False)
class AtRate(BootstrapResult):
    def _axis(self) -> dict[str, Numbers]:
        return {name: self._shaped(values) for name, values in self.estimand.axis}

    @property
    def _what(self) -> str:
        """Both rates in words: "difference in specificity at a sensitivity of 0.9", or the number of points."""
        ((held, values),) = self.estimand.axis
        rate_at, several = RateAt(self.estimand.statistic.removesuffix(f"_at_{held}"), held), bool(np.ndim(values))
        of_one = replace(self.estimand, difference=False)
        said = rate_at.title(None if several else float(values)) + of_one.name.removeprefix(of_one.statistic)
        words = f"difference in {said}" if self.estimand.difference else said
        return ", ".join([words, *(points_in_words(self._axis(), len(values)) if several else ())])


@dataclass(frozen=True, repr=False, eq=False)
class ROCAtFPRResult(AtRate, ThresholdFound, BandedResult, ExactResult):
    """The true-positive rate of one model at fixed false-positive rates, with its exact bootstrap distribution.

    Returned by :func:`bootstrap_roc_at_fpr` and drawn by :class:`ROCConfidenceDisplay`. In addition to what every
    :class:`BandedResult` has:

    Parameters
    ----------
    fpr : float or ndarray of shape (n_points,)
        The false-positive rates given, or 1 - specificity if specificities were given. The statistic is then
        "sensitivity_at_specificity", and frames have a column ``specificity``.
    threshold : float or ndarray of shape (n_points,)
        The score at the end of the segment of the curve that contains the estimate. If cases from this score on are
        labelled positive, the false-positive rate is the one given or the next above it. Infinite at a rate of 0, NaN
        with folds whose thresholds differ.
    scores : object
        The scores of the negatives, for ``threshold_interval``.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_fpr
    >>> y_true, y_score = [0] * 60 + [1] * 3, [*range(1, 61), 50, 55, 65]
    >>> roc = bootstrap_roc_at_fpr(y_true, y_score, fpr=0.1)
    >>> roc
    ROCAtFPRResult(TPR at an FPR of 0.1, estimate=0.6667, standard_error=0.3216, 95 % interval 0.06962 to 0.9775 by
    rank_beta)
    >>> roc.threshold_interval()
    ConfidenceInterval(low=49.0, high=59.0)
    """

    fpr: Numbers
    threshold: Numbers
    _share_above = "fpr"


@dataclass(frozen=True, repr=False, eq=False)
class ROCDifferenceAtFPRResult(AtRate, BandedResult, DifferenceResult):
    """The true-positive rate of model a minus that of model b at fixed false-positive rates.

    Returned by :func:`bootstrap_roc_difference_at_fpr`; positive values favour a. In addition to what every
    :class:`BandedResult` has:

    Parameters
    ----------
    fpr : float or ndarray of shape (n_points,)
        The false-positive rates given, as in :class:`ROCAtFPRResult`.
    """

    fpr: Numbers
    _figures = ("estimate",)  # the standard error needs the joint law, which the default limits do not


@dataclass(frozen=True, repr=False, eq=False)
class RateAtTPRResult(AtRate, ThresholdFound, ExactResult):
    """A rate of one model at fixed true-positive rates, with its exact bootstrap distribution.

    One of the rates of :class:`ROCAtTPRResult`, at the first threshold that reaches the true-positive rate. In addition
    to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    tpr : float or ndarray of shape (n_points,)
        The true-positive rates given. If they were given as sensitivities, frames have a column ``sensitivity``.
    threshold : float or ndarray of shape (n_points,)
        The highest thresholds that reach them: scores of positives, infinite at a rate of 0, NaN with folds whose
        thresholds differ.
    scores : object
        The scores of the positives, for ``threshold_interval``.
    """

    tpr: Numbers
    threshold: Numbers
    _share_above = "tpr"


@dataclass(frozen=True, repr=False, eq=False)
class ROCAtTPRResult(RateAtTPRResult):
    """The false-positive rate at fixed true-positive rates, or the specificity at sensitivities.

    Returned by :func:`bootstrap_roc_at_tpr`, at the first threshold that reaches the true-positive rate: the former if
    ``tpr`` was given, the latter if ``sensitivity`` was. In addition to what every :class:`RateAtTPRResult` has:

    Parameters
    ----------
    prevalence : float
        The share of positives for which the precision is computed.
    """

    prevalence: float = field(repr=False)

    @property
    def fpr(self) -> RateAtTPRResult:
        """The false-positive rate, as a separate result."""
        return _other_rate(RateAtTPRResult, self, "fpr", _law_of_fpr(self.law))

    @property
    def specificity(self) -> RateAtTPRResult:
        """The specificity, 1 - FPR, as a separate result."""
        return _other_rate(RateAtTPRResult, self, "specificity", ScaledLaw(_law_of_fpr(self.law), -1.0, 1.0))

    @property
    def precision(self) -> RateAtTPRResult:
        """The precision, prevalence * tpr / (prevalence * tpr + (1 - prevalence) * FPR); an error at a rate of 0."""
        rates, ((held, _),) = np.ravel(self.tpr), self.estimand.axis
        if self.estimand.folds:
            raise ValueError("precision is not available with folds, whose thresholds differ: leave folds out.")
        if np.min(rates) == 0:
            raise ValueError(f"precision is undefined where no case is labelled positive, at {held}=0.")
        law = _precision_law(_law_of_fpr(self.law), (1 - self.prevalence) / (self.prevalence * rates))
        return _other_rate(RateAtTPRResult, self, "precision", law, self.estimand.prevalence)


@dataclass(frozen=True, repr=False, eq=False)
class RateDifferenceAtTPRResult(AtRate, DifferenceResult):
    """A rate of model a minus that of model b at fixed true-positive rates, with its exact distribution.

    One of the rates of :class:`ROCDifferenceAtTPRResult`. In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    tpr : float or ndarray of shape (n_points,)
        The true-positive rates given, as in :class:`RateAtTPRResult`.
    """

    tpr: Numbers
    _figures = ("estimate",)  # the standard error needs the joint law, which the default limits do not


@dataclass(frozen=True, repr=False, eq=False)
class ROCDifferenceAtTPRResult(RateDifferenceAtTPRResult):
    """The difference in false-positive rate at true-positive rates, or in specificity at sensitivities, a - b.

    Returned by :func:`bootstrap_roc_difference_at_tpr`: the former if ``tpr`` was given, where negative values favour
    a; the latter if ``sensitivity`` was, where positive values favour a. In addition to what every
    :class:`RateDifferenceAtTPRResult` has:
    """

    @property
    def fpr(self) -> RateDifferenceAtTPRResult:
        """The difference of the false-positive rates; negative values favour a."""
        return self._rate("fpr")

    @property
    def specificity(self) -> RateDifferenceAtTPRResult:
        """The difference of the specificities; positive values favour a."""
        return self._rate("specificity")

    def _rate(self, rate: str) -> RateDifferenceAtTPRResult:
        is_given = self.estimand.statistic.startswith(rate)  # the other difference has the opposite sign
        law = self.law if is_given else ScaledLaw(self.law, -1.0)
        return _other_rate(RateDifferenceAtTPRResult, self, rate, law)


@dataclass(frozen=True, repr=False, eq=False)
class BudgetRateResult(ExactResult):
    """A rate when a fixed share of the cases is labelled positive.

    One of the rates of :class:`BudgetROCResult`; ties at the cut-off are broken at random, and the result is the mean
    over their orders. In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    positive_rate : float or ndarray of shape (n_points,)
        The share of the cases that is labelled positive: ``n_labelled`` over the number of cases.
    n_labelled : float or ndarray of shape (n_points,)
        The number of cases labelled positive, in the data and in each resample.
    """

    positive_rate: Numbers
    n_labelled: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"positive_rate": self.positive_rate}


@dataclass(frozen=True, repr=False, eq=False)
class BudgetDifferenceResult(AtRate, DifferenceResult):
    """A rate of model a minus that of model b when a fixed share of the cases is labelled positive by either.

    Returned by :func:`bootstrap_metric_difference` with a ``positive_rate``. It has what every
    :class:`BootstrapResult` has.
    """


@dataclass(frozen=True, repr=False, eq=False)
class BudgetROCResult(BudgetRateResult):
    """The true-positive rate when a fixed share of the cases is labelled positive.

    Returned by :func:`bootstrap_roc_at_positive_rate`; ties at the cut-off are broken at random, and the result is the
    mean over their orders. In addition to what every :class:`BudgetRateResult` has:

    Parameters
    ----------
    others : mapping
        The distributions of the false-positive rate and of the precision, by name.
    """

    others: Mapping[str, Any] = field(repr=False, kw_only=True)  # the laws of the other rates

    @property
    def fpr(self) -> BudgetRateResult:
        """The false-positive rate, as a separate result."""
        return _other_rate(BudgetRateResult, self, "fpr", self.others["fpr"])

    @property
    def precision(self) -> BudgetRateResult:
        """The share of positives among the cases labelled positive; an error where no case is."""
        check_some_labelled("precision", self.n_labelled)
        return _other_rate(BudgetRateResult, self, "precision", self.others["precision"])


@explains_calls
@described(SampleOptions)
def bootstrap_roc_at_fpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    specificity: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ROCAtFPRResult:
    """The true-positive rate at fixed false-positive rates with its confidence interval.

    >>> from skcostci import bootstrap_roc_at_fpr
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_fpr(y_true, y_score, specificity=0.5)
    ROCAtFPRResult(sensitivity at a specificity of 0.5, estimate=1, standard_error=0.2543, 95 % interval 0 to 1 by
    rank_beta)

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    fpr : float or array-like of shape (n_points,), default=None
        False-positive rates in [0, 1]; they need not be multiples of 1 / n_negative. None takes 0.01, 0.02, ..., 0.99.
    specificity : float or array-like of shape (n_points,), default=None
        Specificities instead: false-positive rates of 1 - specificity. The result is the same, and is called
        sensitivity at a specificity.

    Returns
    -------
    ROCAtFPRResult
        With ``threshold`` and ``threshold_interval``; with groups, folds or importance weights mean and variance alone,
        to first order. The interval methods:

        - "rank_beta" (default): a mixture of Beta distributions over how many negatives lie above the threshold; no
          case is added to the sample. Not to be trusted at a rate where the slope of the population's curve falls
          abruptly, as at the end of a large tied group at the top.
        - "agresti": Algorithm 4 of the 2009 paper, a Gaussian with 2 pseudo-cases added to hits and to misses of each
          component. Not to be trusted at the smallest rates.
        - "wald": a Gaussian with the exact moments; "percentile": quantiles of the exact distribution. Not to be
          trusted where few positives are missed: zero width there.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (default with ``folds`` or
          ``weight_type="importance"``): allows for one additional group or case, all wrong for the lower limit and all
          right for the upper one. Not to be trusted with fewer than about 25 groups.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    bootstrap_roc_difference_at_fpr : Two models.

    Notes
    -----
    No negative of the sample lies above the population's threshold with probability (1 - fpr)^n_negative, and none
    below it with probability fpr^n_negative. If the first exceeds 1 minus the confidence level, the lower limit is 0;
    if the second does, the upper limit is 1.

    **The curve** is that of :func:`sklearn.metrics.roc_curve` with ``drop_intermediate=False``: straight across cases
    of both classes that tie, and at the lower end of its vertical steps. At a rate of 0 the estimate is 0, without
    uncertainty. The result is about the population's curve, not about a threshold fixed beforehand. The distribution is
    that of Dugas & Gadoury (2009), eqs. 3-7; its mean is not the estimate. :doc:`/theory/roc` has more.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009 (Machine Learning, 2010);
    J. Hogan and N. M. Adams, "On averaging ROC curves", Transactions on Machine Learning Research, 2023.
    """
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    return weighed(roc_at_fpr_of(cases, "y_score", fpr=fpr, specificity=specificity), rows, ROCAtFPRResult)


@explains_calls
@described(bootstrap_roc_at_fpr)
def bootstrap_roc_difference_at_fpr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    specificity: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ROCDifferenceAtFPRResult:
    """The difference in true-positive rate of two models, a - b, at fixed false-positive rates, with its interval.

    >>> from skcostci import bootstrap_roc_difference_at_fpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.5)
    ROCDifferenceAtFPRResult(difference in TPR at an FPR of 0.5, estimate=0.75, 95 % interval -0.4892 to 0.9811 by
    rank_mover, p=0.3)

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.

    Returns
    -------
    ROCDifferenceAtFPRResult
        The interval methods:

        - "rank_mover" (default): combines the "rank_beta" limits of the two models, using their correlation in the
          bootstrap distribution. Conservative where the models nearly agree, where large groups tie or rates are near
          1. Not to be trusted where a few missed positives determine the difference.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither of every component
          (Agresti & Min). Not to be trusted with few cases or at the smallest rates.
        - "wald": a Gaussian with the exact moments (24)-(27); "percentile" (only where no scores tie across the
          classes): quantiles of the exact distribution. Neither should be trusted where the models seldom disagree:
          they have nearly zero width.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (only with ``folds`` or
          ``weight_type="importance"``, where it is the default): allows for an additional group or case that is the
          worst for one model and the best for the other. Not to be trusted with fewer than about 25 groups or where
          scores tie.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    bootstrap_roc_at_fpr : One model, and the conventions at rates 0 and 1 and with ties.

    Notes
    -----
    The two curves are dependent because the cases are the same (Dugas & Gadoury 2009, appendix B). The mean is exact;
    :doc:`/theory/numerics` says how near the standard error is. Where scores tie across the classes the distribution is
    not known: ``cdf``, ``quantile`` and ``probabilities`` raise an error. With more than 16 million possible pairs of
    thresholds, as with about 300,000 untied negatives, the distribution is a normal one.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009 (Machine Learning, 2010);
    G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures", Statistics in Medicine, 2008.
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, scores, pos_label=pos_label, **rows)
    return weighed(roc_at_fpr_of(cases, *scores, fpr=fpr, specificity=specificity), rows, ROCDifferenceAtFPRResult)


@explains_calls
@described(SampleOptions, bootstrap_roc_at_fpr)
def bootstrap_roc_at_tpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    tpr: ArrayLike | None = None,
    sensitivity: ArrayLike | None = None,
    prevalence: float | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ROCAtTPRResult:
    """The specificity at a sensitivity, or the false-positive rate at a true-positive rate, with its interval.

    >>> from skcostci import bootstrap_roc_at_tpr
    >>> y_true, y_score = [0] * 40 + [1] * 40, [*range(40), *range(20, 60)]
    >>> bootstrap_roc_at_tpr(y_true, y_score, sensitivity=0.75)
    ROCAtTPRResult(specificity at a sensitivity of 0.75, estimate=0.75, standard_error=0.096, 95 % interval 0.5481 to
    0.893 by rank_beta)

    With ``sensitivity=`` it is the specificity; with ``tpr=`` the false-positive rate, as at 95 % recall (FPR95). The
    result also has the other of the two, the precision at that recall, and an interval for the threshold.

    Parameters
    ----------
    tpr : float or array-like of shape (n_points,), default=None
        True-positive rates (recalls) in [0, 1]: the result is the false-positive rate there.
    sensitivity : float or array-like of shape (n_points,), default=None
        The same rates under their other name: the result is the specificity there. One of the two is needed.
    prevalence : float, default=None
        The share of positives for which the precision is computed, from 1e-9 to 1 - 1e-9; None is the share in the
        sample, treated as known. The other rates do not depend on it.

    Returns
    -------
    ROCAtTPRResult
        With ``threshold`` and ``threshold_interval``; with groups, folds or importance weights mean and variance alone,
        to first order. Its ``fpr``, ``specificity`` and ``precision`` are separate results, with the same limits on
        other scales. The interval methods:

        - "rank_beta" (default): a mixture of Beta distributions over how many positives lie above the threshold; no
          case is added to the sample. The upper limit of the false-positive rate is 1 where positives are too few to
          bound it: for a sensitivity of 0.95 at the 95 % level with fewer than 59 positives. Not to be trusted at a
          rate where the slope of the population's curve changes abruptly.
        - "agresti": a Gaussian with pseudo-cases; "wald": a Gaussian with the exact moments; "percentile": quantiles of
          the exact distribution. None should be trusted where few negatives are false alarms.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (default with ``folds`` or
          ``weight_type="importance"``): allows for one additional case, or whole group, that scores below all others
          for one limit and above all others for the other. Not to be trusted with fewer than about 25 groups.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    bootstrap_roc_at_fpr : Sensitivity at a specificity.
    bootstrap_roc_difference_at_tpr : Two models.

    Notes
    -----
    **The curve**: the threshold is the score of the r-th largest positive, r = ceil(tpr * n_positive); negatives tied
    with it are false alarms. At a rate of 0 the false-positive rate is 0, without uncertainty. Where tpr * n_positive
    is a whole number, :func:`bootstrap_roc_at_fpr` with labels and signs swapped takes the other end of the step. The
    distribution is exact (Dugas & Gadoury 2009, eqs. 3-7, with the classes exchanged); its mean is not the estimate.
    The precision is ``prevalence * tpr / (prevalence * tpr + (1 - prevalence) * FPR)``, at ``tpr`` itself.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009 (Machine Learning, 2010).
    """
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    found = roc_at_tpr_of(cases, "y_score", tpr=tpr, sensitivity=sensitivity, prevalence=prevalence)
    return weighed(found, rows, ROCAtTPRResult)


@explains_calls
@described(bootstrap_roc_at_tpr)
def bootstrap_roc_difference_at_tpr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    tpr: ArrayLike | None = None,
    sensitivity: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ROCDifferenceAtTPRResult:
    """The difference of two models, a - b, in specificity at a sensitivity, or in false-positive rate at a TPR.

    >>> from skcostci import bootstrap_roc_difference_at_tpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> bootstrap_roc_difference_at_tpr(y_true, a, b, sensitivity=0.75)
    ROCDifferenceAtTPRResult(difference in specificity at a sensitivity of 0.75, estimate=0.25, 95 % interval -0.7232 to
    0.827 by rank_mover, p=0.68)

    The two curves are compared at the same true-positive rate. Positive values favour a where the result is the
    specificity, negative ones where it is the false-positive rate.

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.

    Returns
    -------
    ROCDifferenceAtTPRResult
        Its ``specificity`` and ``fpr`` are the differences of the two rates; the limits of one are those of the other
        with the opposite sign. The interval methods, their defaults and cautions are those of
        :func:`bootstrap_roc_difference_at_fpr`.

    See Also
    --------
    bootstrap_roc_at_tpr : One model, and the conventions at a rate of 0 and with ties.
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, scores, pos_label=pos_label, **rows)
    return weighed(roc_at_tpr_of(cases, *scores, tpr=tpr, sensitivity=sensitivity), rows, ROCDifferenceAtTPRResult)


@explains_calls
@described(SampleOptions, bootstrap_roc_at_fpr)
def bootstrap_roc_at_positive_rate(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive_rate: ArrayLike,
    sampling: Sampling | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> BudgetROCResult:
    """The true-positive rate, with its confidence interval, when a fixed share of the cases is labelled positive.

    >>> from skcostci import bootstrap_roc_at_positive_rate
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.5)
    BudgetROCResult(tpr_at_positive_rate, positive_rate=0.5, estimate=0.75, standard_error=0.1873, 95 % interval 0.2298
    to 0.9965 by unseen_case)

    For a fixed capacity (a budget), such as a number of letters, inspections or beds. In each resample the ``q =
    floor(positive_rate * n)`` cases with the highest scores are labelled positive, whatever their scores, with ties at
    the cut-off in random order.

    Parameters
    ----------
    positive_rate : float or array-like of shape (n_points,)
        The shares of all cases to be labelled positive, in [0, 1]; with importance weights of the sum of weights. At 0
        both rates are 0, at 1 they are 1; these are known, so that intervals have zero width.
    sampling : {"stratified", "full"}, default=None
        Resample each class to its own size, so that the class mix is treated as known, or all cases together. None is
        "full" for the precision, which follows the class mix, and "stratified" for the two other rates. Resamples
        in which a rate is undefined are left out.

    Returns
    -------
    BudgetROCResult
        The true-positive rate; ``fpr`` and ``precision`` are separate results, ``positive_rate`` is q / n. With groups,
        folds or importance weights mean and variance alone, to first order. The interval methods:

        - "unseen_case" (default without ``groups``): inverts a test of the ranks of the labelled cases, with one
          additional case in each class at the least favourable rank. Not proved: where the curve bends sharply exactly
          at the budget one limit may miss a hundredth more than its nominal probability.
        - "smoothed": quantiles of the exact distribution with 1.5 pseudo-cases per class. Not to be trusted for the
          false-positive rate of a budget of a few cases under full sampling.
        - "percentile": quantiles of the raw distribution; "wald": a Gaussian with its moments. Neither should be
          trusted where the ranking at the cut-off is the same in all resamples: zero width there.
        - "agresti": a Gaussian with 4 pseudo-cases per class. Not to be trusted for budgets of a few cases, or of all
          but a few.
        - "unseen_group" (only with ``groups``, where it is the default) and, with ``folds`` or
          ``weight_type="importance"``, another form of "unseen_case": allows for one additional case, or whole group,
          that scores below all others for one limit and above all others for the other. Not to be trusted with fewer
          than about 25 groups.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    workforce_threshold : The threshold for a given capacity.
    bootstrap_roc_at_threshold : Fixed thresholds instead, so that the number labelled positive varies.
    bootstrap_metric_difference : Two models: "precision", "capture" or "lift" with a ``positive_rate``.

    Notes
    -----
    The averaging by total positive rate that Dugas & Gadoury (2009, section 6) mention as future work:
    :doc:`/theory/roc`. The threshold varies from resample to resample: the result is about labelling the same share of
    another batch of cases. Under stratified sampling the three rates, and their intervals, are one count on three
    scales.
    """
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    found = roc_at_positive_rate_of(cases, "y_score", positive_rate=positive_rate, sampling=sampling)
    return weighed(found, rows, BudgetROCResult)


def _other_rate(
    kind: type[RateT], whole: BootstrapResult, rate: str, law: Any, prevalence: float | None = None
) -> RateT:
    """Another rate where the same rate is held, as a result of class ``kind``, a superclass of that of ``whole``."""
    ((held, _),) = whole.estimand.axis
    kept = {each.name: getattr(whole, each.name) for each in fields(kind)}
    kept["estimand"] = replace(whole.estimand, statistic=f"{rate}_at_{held}", prevalence=prevalence)
    return kind(**{**kept, "estimate": whole._shaped(law.estimate), "law": law, "fold_estimates": None})


class Held(NamedTuple):
    """A rate where another is held, whose values are as ``given``, and its ``rates`` on the axis of the curve."""

    rate_at: RateAt
    given: Floats
    rates: Floats

    def estimand(self, cases: Cases, columns: Sequence[str], prevalence: float | None = None) -> Estimand:
        return Estimand(
            self.rate_at.name,
            len(columns) == 2,
            positive=cases.labels[1],
            prevalence=prevalence,
            axis={self.rate_at.held: self.given},
            folds=cases.folds is not None,
        )


def _held(**options: ArrayLike | None) -> Held:
    """A rate given under one of two names; 1 - 0.95 is 0.050000000000000044, which is rounded to 0.05."""
    (rate, _), (other, _) = options.items()
    given = [(name, rates) for name, rates in options.items() if rates is not None]
    if not given:
        raise ValueError(
            f"{rate} or {other} must be given, the rates in [0, 1] at which to evaluate the curve; got neither."
        )
    if len(given) == 2:
        raise ValueError(f"{other} is {SAME_RATE[other]}: give one of them, got both.")
    ((name, rates),) = given
    values, rate_at = SHARE.points(name, rates), next(each for each in RATES_AT.values() if each.held == name)
    return Held(rate_at, values, short_decimals(1 - values) if name == "specificity" else values)


def roc_at_fpr_of(
    cases: Cases, *columns: str, fpr: ArrayLike | None = None, specificity: ArrayLike | None = None
) -> Any:
    every = fpr is None and specificity is None
    return _rate_of(cases, columns, _held(fpr=np.arange(1, 100) / 100 if every else fpr, specificity=specificity))


def roc_at_tpr_of(
    cases: Cases,
    *columns: str,
    tpr: ArrayLike | None = None,
    sensitivity: ArrayLike | None = None,
    prevalence: float | None = None,
) -> Any:
    held = _held(tpr=tpr, sensitivity=sensitivity)
    return _rate_of(cases, columns, held, None if prevalence is None else PREVALENCE("prevalence", prevalence))


@continuous_in_weights
def _rate_of(cases: Cases, columns: Sequence[str], held: Held, prevalence: float | None = None) -> Any:
    at_fpr, paired, shape = held.rate_at.holds_negatives, len(columns) == 2, held.rates.shape
    falls = held.rate_at.rate == "specificity"
    if falls and paired:  # a's specificity minus b's is b's false-positive rate minus a's
        columns = columns[::-1]
    alone = cases.folds is None and cases.rows.stand_alone
    law, methods, fields = (_by_ranks if alone else _by_units)(cases, columns, held)
    if falls and not paired:
        law = ScaledLaw(law, -1.0, 1.0)
        if (of_folds := fields.get("fold_estimates")) is not None:
            fields["fold_estimates"] = read_only(1 - of_folds)
    if not paired:
        fields["threshold"] = frozen_numbers(fields["threshold"], shape)
    if not (paired or at_fpr):
        positive, negative = cases.sizes
        fields["prevalence"] = positive / (positive + negative) if prevalence is None else prevalence
    estimate, rates = (frozen_numbers(numbers, shape) for numbers in (law.estimate, held.rates))
    estimand = held.estimand(cases, columns, prevalence)
    return KINDS[at_fpr][paired](estimate, law, methods, rates, estimand=estimand, **fields)


def _by_ranks(cases: Cases, columns: Sequence[str], held: Held) -> Evaluated:
    """The law of one model, or of the first minus the second, the interval methods, and the fields of the result."""
    at_fpr, paired = held.rate_at.holds_negatives, len(columns) == 2
    order = 1 if at_fpr else -1  # the class that is counted comes first, then the one that is held
    fields: dict[str, Any] = {}
    counts = [cases.counts(column, ranked=paired) for column in columns]
    if at_fpr:
        fields["band_methods"] = BANDS
        fields["curve"] = ROCHeights(held.rates.ravel(), tuple(partial(roc_curve, model) for model in counts))
    classes = [(each.positive, each.negative)[::order] for each in counts]
    laws = vertical_laws([drawn_curve(*each, slopes=at_fpr) for each in classes], held.rates.ravel())
    if not paired:
        _, scores = classes[0]
        return laws[0], METHODS, {**fields, "threshold": scores.score_of(laws[0].crossing.ranks.rank), "scores": scores}
    ends = [law.curve.segments.reached for law in laws]
    a, b = (_places(*each, ends=own, slopes=at_fpr) for each, own in zip(classes, ends, strict=True))
    weights = [part[1] for part in cases.split(columns[0])][::order]
    pairs = [PairedCases(*each) for each in zip(a, b, weights, strict=True)]
    law = paired_vertical_law(laws[0], laws[1], *pairs)
    # Where scores tie across the classes only moments are known.
    return law, PAIRED_METHODS if hasattr(law, "cdf") else ("rank_mover", "agresti", "wald"), fields


def _by_units(cases: Cases, columns: Sequence[str], held: Held) -> Evaluated:
    """The same from influence values."""
    models, shape = _models(cases, columns, held.rate_at, held.rates), held.rates.shape
    law, methods = _law_of_rates(cases.design(), models)
    fields = of_scheme(cases, [*map(Difference.of, models)], shape)
    if held.rate_at.holds_negatives:
        fields |= NO_BAND
    if len(columns) == 1:
        first, *others = (rate.thresholds for (rate,) in models)
        fields["threshold"] = np.where(np.all([each == first for each in others], axis=0), first, np.nan)
        fields["scores"] = None
    return law, methods, fields


def _law_of_rates(design: Design, models: Sequence[Sequence[HeldRate]]) -> tuple[FirstOrderLaw, tuple[str, ...]]:
    """The law at all rates, and the methods; what a group does to such a rate is no sum over its cases.

    With unequal weights it is the law per rate, as the effective number of cases depends on the rate.
    """
    support = (0.0 if len(models[0]) == 1 else -1.0), 1.0
    methods = "unseen_case" if design.rows.groups is None else "unseen_group", "wald"
    if not design.rows.is_weighted:
        return law_of_terms(design, [*map(Difference.of, models)], support, OF_COUNTS), methods
    laws = []
    for point in range(len(models[0][0].t)):
        each = [Difference.of([rate.at(point) for rate in part]) for part in models]
        laws.append(law_of_terms(design, each, support, OF_COUNTS))
    return FirstOrderLaw.side_by_side(laws), methods


def _models(cases: Cases, columns: Sequence[str], rate_at: RateAt, rates: Floats) -> list[list[HeldRate]]:
    """The rate of each model in each fold, or among all cases."""
    parts = cases.design().parts
    return [[_of_part(part, cases, column, rate_at, rates.ravel()) for column in columns] for part in parts]


def _of_part(part: Part, cases: Cases, column: str, rate_at: RateAt, rates: Floats) -> HeldRate:
    positive = cases.positive[part.rows]
    counted = ~positive if rate_at.rate in ("fpr", "specificity") else positive
    held = ~counted
    if rate_at.held == "positive_rate":  # of all cases; without weights a whole number of them is labelled
        size = float(part.weights.sum())
        held, rates = np.ones_like(counted), _labelled(rates, size, cases.rows.inequality) / size
    rows = RankedRows(part, cases.columns[column][part.rows], counted, held)
    slopes = rate_at.held not in ("tpr", "sensitivity")
    return HeldRate(rows, rates, slopes, of_labelled=rate_at.rate == "precision")


def _law_of_fpr(law: Any) -> Any:
    """The law of the false-positive rate, from its own or from the specificity's."""
    if isinstance(law, BetweenLaw):
        return law.changed(_law_of_fpr)
    return law.law if isinstance(law, ScaledLaw) else law


def _precision_law(law: Any, odds: Floats) -> Any:
    if isinstance(law, BetweenLaw):
        return law.changed(partial(_precision_law, odds=odds))
    return FallingLaw(law, odds)


def roc_at_positive_rate_of(
    cases: Cases, column: str, *, positive_rate: ArrayLike, sampling: Sampling | None = None
) -> BudgetROCResult:
    """The rates of a column of checked cases when a share of them is labelled positive."""
    rates = SHARE.points("positive_rate", positive_rate)
    labelled = labelled_at(cases, rates)
    names = ("tpr", "fpr", "precision") if labelled.min() > 0 else ("tpr", "fpr")
    found = {rate: law_at_share(cases, [column], rates, rate, sampling) for rate in names}
    estimate, law, methods = found.pop("tpr")
    axis = (frozen_numbers(values, rates.shape) for values in (labelled / sum(map(float, cases.sizes)), labelled))
    others = {rate: other for rate, (_, other, _) in found.items()}
    shaped, estimand = frozen_numbers(estimate, rates.shape), held_at_share("tpr", rates).estimand(cases, [column])
    rest = scheme_at_share(cases, [column], rates, "tpr")
    return BudgetROCResult(shaped, law, methods, *axis, others=others, estimand=estimand, **rest)


@continuous_in_weights
def law_at_share(
    cases: Cases, columns: Sequence[str], rates: Floats, rate: str, sampling: Sampling | None, *, mix: bool = False
) -> tuple[Floats, Any, tuple[str, ...]]:
    """A rate where a share is labelled positive, with law and methods; with ``mix`` the default is "full" sampling."""
    if sampling is not None:
        check_option("sampling", sampling, Sampling)
        cases.check_sampling(None if sampling == "stratified" else sampling, None)
    scheme = sampling or ("full" if mix or rate == "precision" else "stratified")
    if cases.folds is None and cases.rows.stand_alone and len(columns) == 1:
        counts = cases.counts(columns[0])
        ranking, draws = counts.ranking, (counts.positive.total, counts.negative.total)
        ranked = RankedCases(ranking.positive.astype(float), ranking.negative.astype(float), *draws, scheme)
        exact = BudgetLaw(ranked, tuple(labelled_at(cases, rates).astype(np.int64).ravel().tolist()), rate)
        return exact.estimate, exact, BUDGET_METHODS
    # with weights the mix of the classes is estimated from them
    design = cases.design(by_class=scheme == "stratified" and not cases.rows.is_weighted)
    law, methods = _law_of_rates(design, _models(cases, columns, held_at_share(rate, rates).rate_at, rates))
    return law.estimate, law, methods


def held_at_share(rate: str, rates: Floats) -> Held:
    return Held(RateAt(rate, "positive_rate"), rates, rates)


def scheme_at_share(cases: Cases, columns: Sequence[str], rates: Floats, rate: str) -> dict[str, Any]:
    models = _models(cases, columns, held_at_share(rate, rates).rate_at, rates)
    return of_scheme(cases, [*map(Difference.of, models)], rates.shape)


def check_some_labelled(what: str, labelled: Numbers) -> None:
    if np.min(labelled) == 0:
        raise ValueError(f"{what} is undefined where no case is labelled positive: positive_rate is 0 or too small.")


def labelled_at(cases: Cases, rates: Floats) -> Floats:
    """The number of cases labelled positive, over all folds; with importance weights the weight of these."""
    sizes = [float(part.weights.sum()) for part in cases.design().parts]
    return np.asarray(sum(_labelled(rates, size, cases.rows.inequality) for size in sizes))


def _labelled(rates: Floats, size: float, inequality: float) -> Floats:
    """The number of cases in a share, rounded down; the more unequal the weights, the nearer to rates * size itself."""
    return np.asarray((1 - inequality) * np.floor(rates * size + 1e-9) + inequality * rates * size)


KINDS = {  # where a true-positive rate is held, or a false-positive rate: of one model, and of two
    False: (ROCAtTPRResult, ROCDifferenceAtTPRResult),
    True: (ROCAtFPRResult, ROCDifferenceAtFPRResult),
}


def drawn_curve(counted: ClassCounts, held: ClassCounts, *, slopes: bool) -> DrawnCurve:
    """The counted cases at each distinct score of the held ones, going down; it ``slopes`` where the classes tie."""
    values, scores = held.values, counted.values
    place = np.searchsorted(scores, values)
    level = slopes & (scores[np.minimum(place, len(scores) - 1)] == values)
    at_least, before = counted.at_least[place], counted.at_least[place + level]
    parts = held.at_least[:-1], before, at_least - before
    reached, before, tied = (np.ascontiguousarray(part[::-1]) for part in parts)
    heaps = None
    if len(scores) < counted.total or len(values) < held.total:
        heaps = _heaps(counted.multiplicities, place, place + level)
    return DrawnCurve(reached, before, tied, counted.total, heaps)


def _heaps(counted: Integers, start: Integers, end: Integers) -> Integers:
    """The most counted cases that share a score above, between and below the held scores, going down."""
    bounds, stops = np.concatenate([[0], end]), np.concatenate([start, [len(counted)]])
    ranges = np.ravel(np.column_stack([bounds, stops]))
    padded = np.append(counted, 0)
    largest = np.maximum.reduceat(padded, np.minimum(ranges, len(counted)))[::2]
    return np.ascontiguousarray(np.where(stops > bounds, largest, 0)[::-1])


def _places(counted: ClassCounts, held: ClassCounts, *, ends: Integers, slopes: bool) -> tuple[Integers, Integers]:
    """The places of the counted, then of the held cases: 2 k to the left of segment k, 2 k + 1 in it."""
    scores = counted.values
    above = held.count_at_least(scores, "right")
    tied = slopes & (held.count_at_least(scores) > above)
    found = 2 * np.searchsorted(ends, above, "right") + tied
    drawn = 2 * np.searchsorted(ends, held.at_least[1:], "right") + 1
    return found[counted.rank], drawn[held.rank]
