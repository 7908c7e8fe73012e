"""ROC curves at fixed true-positive rates: the false-positive rate, specificity and precision at a sensitivity.

The threshold is the first, going down, with TPR >= tpr: the score of the r-th largest positive, r = ceil(tpr
n_positive). Seen from the positives the curve has steps only: at their distinct scores, going down, so many negatives
score as much or more. So the law is that of hits at a false-positive rate with the classes in each other's place and no
sloping segment, and what is built for that serves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._validation import Integers, check_prevalence, check_unit_points
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts
from skcostci.laws import (
    DrawnCurve,
    FallingLaw,
    PairedCases,
    PairedVerticalLaw,
    VerticalLaw,
    paired_vertical_law,
    vertical_laws,
)
from skcostci.results._bands import ThresholdFound
from skcostci.results._differences import DifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import ExactResult

METHODS = ("rank_beta", "agresti", "percentile", "wald")
PAIRED_METHODS = ("rank_mover", "agresti", "percentile", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class RateAtTPRResult(ThresholdFound, ExactResult):
    """A rate of one model at fixed true-positive rates, with its exact bootstrap law.

    One of the rates of :class:`ROCAtTPRResult`, at the first threshold that reaches the true-positive rate. Beside what
    every :class:`BootstrapResult` has:

    Parameters
    ----------
    tpr : float or ndarray of shape (n_points,)
        The true-positive rates asked for.
    threshold : float or ndarray of shape (n_points,)
        The first thresholds, going down, that reach them: scores of positives, infinite at a rate of 0.
    scores : object
        The scores of the positives, of which two bound the threshold.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_tpr
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> float(bootstrap_roc_at_tpr(y_true, y_score, tpr=0.75).precision)
    0.75
    """

    tpr: Numbers
    threshold: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"tpr": self.tpr}


@dataclass(frozen=True, repr=False, eq=False)
class ROCAtTPRResult(RateAtTPRResult):
    """The false-positive rate of one model at fixed true-positive rates, with its exact bootstrap law.

    What :func:`bootstrap_roc_at_tpr` returns, at the first threshold that reaches the true-positive rate. Beside what
    every :class:`RateAtTPRResult` has:

    Parameters
    ----------
    prevalence : float
        The share of positives that the precision is for.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_tpr
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> found = bootstrap_roc_at_tpr(y_true, y_score, tpr=0.75)
    >>> found.threshold, float(found.fpr), float(found.specificity)
    (0.6, 0.25, 0.75)
    """

    law: VerticalLaw = field(repr=False)
    prevalence: float = field(repr=False)

    @property
    def fpr(self) -> RateAtTPRResult:
        """The false-positive rate, a result of its own."""
        return self._rate("fpr", self.law, self.estimate)

    @property
    def specificity(self) -> RateAtTPRResult:
        """The specificity, 1 - FPR, a result of its own."""
        law = FallingLaw(self.law)
        return self._rate("specificity", law, law.of(np.asarray(self.estimate)))

    @property
    def precision(self) -> RateAtTPRResult:
        """The precision, prevalence * tpr / (prevalence * tpr + (1 - prevalence) * FPR), a result of its own.

        Raises
        ------
        ValueError
            If a true-positive rate of 0 is asked for: nobody is labelled positive.
        """
        rates = np.ravel(self.tpr)
        if np.min(rates) == 0:
            raise ValueError("precision is undefined where nobody is labelled positive, at tpr=0.")
        law = FallingLaw(self.law, (1 - self.prevalence) / (self.prevalence * rates))
        found = self._rate("precision", law, law.of(np.ravel(self.estimate)))
        return replace(found, estimand=replace(found.estimand, prevalence=self.estimand.prevalence))

    def _rate(self, rate: str, law: Any, estimate: Numbers) -> RateAtTPRResult:
        estimand = replace(self.estimand, statistic=f"{rate}_at_tpr", prevalence=None)
        axis = self.tpr, self.threshold
        return RateAtTPRResult(self._shaped(estimate), law, self.methods, *axis, estimand=estimand, scores=self.scores)


def bootstrap_roc_at_tpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    tpr: ArrayLike,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ROCAtTPRResult:
    """Specificity, or the false-positive rate, at fixed true-positive rates with its confidence interval.

    Specificity at a sensitivity, the false-positive rate at 95 % recall (FPR95), precision at a recall; and how sure
    the threshold is. The bootstrap law of a statistic is its distribution over all resamples; here no resample is
    drawn.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    tpr : float or array-like of shape (n_points,)
        True-positive rates (sensitivities, recalls) in [0, 1], taken as they are.
    prevalence : float, default=None
        The share of positives that the precision is for, from 1e-9 to 1 - 1e-9; None is that of the sample, taken for
        known. The other rates are the same at any.
    pos_label, sample_weight : optional
        As in :func:`bootstrap_auc`.

    Returns
    -------
    ROCAtTPRResult
        The false-positive rate, with ``tpr``, ``threshold``, ``threshold_interval``, ``estimate``, ``mean``,
        ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval`` and ``to_frame``. Its ``fpr``,
        ``specificity`` and ``precision`` are results of their own, whose limits are one another's on other scales.
        Intervals are pointwise. Their methods:

        - "rank_beta" (default): as in :func:`bootstrap_roc_at_fpr` with the classes in each other's place. K ~
          Bin(n_positive, tpr) positives lie above the right threshold. With few positives below it nothing bounds the
          false-positive rate: the upper limit is 1 where tpr**n_positive is more than limits may miss, as at a
          sensitivity of .95 with fewer than 59 positives at 95 %. Not to be trusted at a rate where the slope of the
          population's curve changes at once, nor within large groups of tied scores, where it is wider than need be.
        - "agresti", "wald", "percentile": as there. None to be trusted where few negatives are false alarms: they
          shrink to points.

    Raises
    ------
    ValueError
        If labels, scores, weights, rates or the prevalence are not as described; on asking for the precision at a rate
        of 0.

    See Also
    --------
    bootstrap_roc_at_fpr : Sensitivity at a specificity.
    bootstrap_roc_difference_at_tpr : Two models.
    sensitivity_threshold : The threshold that reaches a sensitivity with confidence.

    Notes
    -----
    The threshold is the first one going down with TPR >= tpr on the points of :func:`sklearn.metrics.roc_curve`: the
    score of the r-th largest positive, r = ceil(tpr * n_positive). Negatives tied with it are false alarms. At a rate
    of 0 the threshold is infinite and the false-positive rate 0, a known point.

    That is not :func:`bootstrap_roc_at_fpr` with labels and signs swapped: where tpr * n_positive is whole, that curve
    is taken at the other end of the step, just before the next positive.

    The law is that of the same number in a stratified resample: equations (3) to (7) of Dugas & Gadoury (2009) with the
    classes in each other's place. It is exact, whatever ties, and has O(sqrt n) parts; the mean is not the estimate.

    The precision is that at a true-positive rate of ``tpr`` itself, though the first threshold may reach a little more
    on these cases: precision = prevalence * tpr / (prevalence * tpr + (1 - prevalence) * FPR), a falling function of
    the false-positive rate, so that its law and its limits follow.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", Machine Learning, 2010
    (CRM working paper, 2009).

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_tpr
    >>> y_true, y_score = [0] * 40 + [1] * 40, [*range(40), *range(20, 60)]
    >>> found = bootstrap_roc_at_tpr(y_true, y_score, tpr=0.75)
    >>> float(found.specificity), found.threshold
    (0.75, 30.0)
    >>> found.specificity.confidence_interval()
    ConfidenceInterval(low=0.548, high=0.893)
    >>> found.threshold_interval()
    ConfidenceInterval(low=24.0, high=36.0)
    """
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    return roc_at_tpr_of(cases, "y_score", tpr=tpr, prevalence=prevalence)


def roc_at_tpr_of(cases: Cases, column: str, *, tpr: ArrayLike, prevalence: float | None = None) -> ROCAtTPRResult:
    """The false-positive rate of a column of checked cases."""
    cases.refuse_groups("rates at a true-positive rate")
    rates, counts = check_unit_points("tpr", tpr), cases.counts(column)
    given = None if prevalence is None else check_prevalence(prevalence)
    share = counts.positive.total / (counts.positive.total + counts.negative.total) if given is None else given
    law = vertical_laws([curve_of_positives(counts)], rates.ravel())[0]
    reached = np.where(law.known, 0, np.maximum(law.crossing.ranks.rank, 1))
    threshold, estimate, asked = (
        frozen_numbers(numbers, rates.shape) for numbers in (counts.positive.score_of(reached), law.estimate, rates)
    )
    estimand = Estimand("fpr_at_tpr", positive=cases.labels[1], prevalence=given, axis={"tpr": rates})
    found: dict[str, Any] = {"estimand": estimand, "scores": counts.positive}
    return ROCAtTPRResult(estimate, law, METHODS, asked, threshold, share, **found)


def specificity_at_tpr_of(cases: Cases, column: str, *, tpr: ArrayLike) -> RateAtTPRResult:
    """The specificity of a column of checked cases."""
    return roc_at_tpr_of(cases, column, tpr=tpr).specificity


@dataclass(frozen=True, repr=False, eq=False)
class RateDifferenceAtTPRResult(DifferenceResult):
    """A rate of model a minus that of model b at fixed true-positive rates, with its exact law.

    One of the rates of :class:`ROCDifferenceAtTPRResult`. Beside what every :class:`BootstrapResult` has:

    Parameters
    ----------
    tpr : float or ndarray of shape (n_points,)
        The true-positive rates asked for.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_tpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> float(bootstrap_roc_difference_at_tpr(y_true, a, b, tpr=0.75).specificity)
    0.25
    """

    tpr: Numbers
    _figures = ("estimate",)  # the standard error is had from the joint law, which the default limits do without

    def _axis(self) -> dict[str, Numbers]:
        return {"tpr": self.tpr}


@dataclass(frozen=True, repr=False, eq=False)
class ROCDifferenceAtTPRResult(RateDifferenceAtTPRResult):
    """The false-positive rate of model a minus that of model b at fixed true-positive rates, with its exact law.

    What :func:`bootstrap_roc_difference_at_tpr` returns; below 0 a is better. Beside what every
    :class:`RateDifferenceAtTPRResult` has:

    Parameters
    ----------
    of_b_less_a : object
        The law of the difference the other way round, which is that of the specificities.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_tpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> difference = bootstrap_roc_difference_at_tpr(y_true, a, b, tpr=0.75)
    >>> float(difference), float(difference.specificity)
    (-0.25, 0.25)
    """

    of_b_less_a: PairedVerticalLaw = field(repr=False)

    @property
    def fpr(self) -> RateDifferenceAtTPRResult:
        """The difference of the false-positive rates, below 0 where a is better."""
        return self._rate("fpr", self.law, self.estimate)

    @property
    def specificity(self) -> RateDifferenceAtTPRResult:
        """The difference of the specificities, above 0 where a is better."""
        return self._rate("specificity", self.of_b_less_a, self.of_b_less_a.estimate)

    def _rate(self, rate: str, law: Any, estimate: Numbers) -> RateDifferenceAtTPRResult:
        estimand = replace(self.estimand, statistic=f"{rate}_at_tpr")
        return RateDifferenceAtTPRResult(self._shaped(estimate), law, self.methods, self.tpr, estimand=estimand)


def bootstrap_roc_difference_at_tpr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    tpr: ArrayLike,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ROCDifferenceAtTPRResult:
    """The difference in false-positive rate of two models, a - b, at fixed true-positive rates, with its interval.

    Two curves are compared where they find as many positives: what differs is the price in false alarms.

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.
    tpr : float or array-like of shape (n_points,)
        As in :func:`bootstrap_roc_at_tpr`.
    pos_label, sample_weight : optional
        As in :func:`bootstrap_auc`.

    Returns
    -------
    ROCDifferenceAtTPRResult
        The difference of the false-positive rates, below 0 where a is better, with ``tpr``, ``estimate``, ``mean``,
        ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval``, ``pvalue``, ``probabilities`` and
        ``to_frame``; its ``specificity`` is the same of the specificities. The interval methods are those of
        :func:`bootstrap_roc_difference_at_fpr`, "rank_mover" the default. Not to be trusted at a rate next to a jump of
        a population's curve, as where scores are floored: 95 % limits at .95 covered in 9 of 20 samples of 20 + 15
        cases where 95.2 % of b's positives scored above the floor; else in .90 or more (20 samples a population).

    See Also
    --------
    bootstrap_roc_at_tpr : One model, and the conventions at a rate of 0 and with ties.
    bootstrap_roc_difference_at_fpr : With the false-positive rate held fixed; and how the joint law is computed.

    Notes
    -----
    The law of :func:`bootstrap_roc_difference_at_fpr` with the classes in each other's place and no sloping segments:
    exact, but that the standard error is by a normal law with exact margins where more than 4096 pairs of thresholds
    may be met.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_tpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> difference = bootstrap_roc_difference_at_tpr(y_true, a, b, tpr=0.75)
    >>> float(difference), difference.specificity.confidence_interval(0.8)
    (-0.25, ConfidenceInterval(low=-0.62, high=0.83))
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = Cases.check(y_true, scores, pos_label=pos_label, sample_weight=sample_weight)
    return roc_difference_at_tpr_of(cases, "y_score_a", "y_score_b", tpr=tpr)


def roc_difference_at_tpr_of(cases: Cases, a: str, b: str, *, tpr: ArrayLike) -> ROCDifferenceAtTPRResult:
    """The false-positive rate of a column of checked cases minus that of another."""
    cases.refuse_groups("rates at a true-positive rate")
    rates = check_unit_points("tpr", tpr)
    counts = [cases.counts(column, ranked=True) for column in (a, b)]
    laws = vertical_laws([curve_of_positives(model) for model in counts], rates.ravel())
    places = [_places(model, law.curve) for model, law in zip(counts, laws, strict=True)]
    weights = [part[1] for part in cases.split(a)][::-1]
    classes = list(zip(*places, weights, strict=True))  # the negatives, then the positives
    law = paired_vertical_law(laws[0], laws[1], *(PairedCases(a, b, each) for a, b, each in classes))
    turned = paired_vertical_law(laws[1], laws[0], *(PairedCases(b, a, each) for a, b, each in classes))
    estimate, asked = (frozen_numbers(numbers, rates.shape) for numbers in (law.estimate, rates))
    estimand = Estimand("fpr_at_tpr", difference=True, positive=cases.labels[1], axis={"tpr": rates})
    return ROCDifferenceAtTPRResult(estimate, law, PAIRED_METHODS, asked, turned, estimand=estimand)


def specificity_difference_at_tpr_of(cases: Cases, a: str, b: str, *, tpr: ArrayLike) -> RateDifferenceAtTPRResult:
    """The specificity of a column of checked cases minus that of another."""
    return roc_difference_at_tpr_of(cases, a, b, tpr=tpr).specificity


def curve_of_positives(counts: ScoreCounts) -> DrawnCurve:
    """The curve seen from the positives: at each of their scores, going down, how many negatives score as much."""
    positive = counts.positive
    alarms = counts.negative.at_least[np.searchsorted(counts.negative.values, positive.values)]
    reached, before = (np.ascontiguousarray(part[::-1]) for part in (positive.at_least[:-1], alarms))
    return DrawnCurve(reached, before, np.zeros_like(before), counts.negative.total)


def _places(counts: ScoreCounts, curve: DrawnCurve) -> list[Integers]:
    """Where the negatives, then the positives, lie on a model's curve: 2 k on the left of segment k, 2 k + 1 in it."""
    ends = curve.segments.ends
    above = counts.positive.count_above(counts.negative.values)
    found = 2 * np.searchsorted(ends, above, "right")
    drawn = 2 * np.searchsorted(ends, counts.positive.at_least[1:], "right") + 1
    return [found[counts.negative.rank], drawn[counts.positive.rank]]
