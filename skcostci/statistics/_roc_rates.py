"""ROC curves where one rate is held: hits at a false-positive rate, false alarms at a true-positive rate, or a budget.

At a false-positive rate the curve is drawn through the scores of the negatives, sloping where positives tie with them,
and the threshold is a rank among these (vertical averaging). At a true-positive rate the threshold is the first, going
down, with TPR >= tpr: the score of the r-th largest positive, r = ceil(tpr n_positive). Seen from the positives the
curve has steps only: at their distinct scores, going down, so many negatives score as much or more. So the law is the
same with the classes in each other's place and no sloping segment: below, one class is counted where the other's rate
is held. A budget holds the share of all cases that is labelled positive. Users ask by ``_roc_rate_functions``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._options import SAMPLINGS, Sampling
from skcostci._validation import Floats, Integers, check_option, check_prevalence, check_unit_points
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ClassCounts
from skcostci.laws import (
    BudgetLaw,
    DrawnCurve,
    FallingLaw,
    PairedCases,
    PairedVerticalLaw,
    RankedCases,
    ROCHeights,
    VerticalLaw,
    paired_vertical_law,
    vertical_laws,
)
from skcostci.results._bands import BandedResult, ThresholdFound
from skcostci.results._differences import DifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import ExactResult
from skcostci.statistics._points import roc_curve

METHODS = ("rank_beta", "agresti", "percentile", "wald")
PAIRED_METHODS = ("rank_mover", "agresti", "percentile", "wald")
BUDGET_METHODS = ("unseen_case", "smoothed", "percentile", "agresti", "wald")
BANDS = ("equal_levels", "kolmogorov")


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
    ROCAtFPRResult(tpr_at_fpr, fpr=0.5, estimate=1, standard_error=0.2543, 95 % interval 0 to 1 by rank_beta)
    """

    fpr: Numbers
    threshold: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"fpr": self.fpr}


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
    ROCDifferenceAtFPRResult(tpr_at_fpr difference, 2 points, fpr 0.25 to 0.5, estimate 0.25 to 0.5, 95 % intervals
    within -0.8846 to 1 by rank_mover)
    """

    fpr: Numbers
    _figures = ("estimate",)  # the standard error is had from the joint law, which the default limits do without

    def _axis(self) -> dict[str, Numbers]:
        return {"fpr": self.fpr}


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


@dataclass(frozen=True, repr=False, eq=False)
class BudgetRateResult(ExactResult):
    """A rate when a fixed share of the cases is labelled positive, with its exact bootstrap law.

    One of the rates of :class:`BudgetROCResult`; ties at the border are broken at random: the mean over their orders.
    Beside what every :class:`BootstrapResult` has:

    Parameters
    ----------
    positive_rate : float or ndarray of shape (n_points,)
        The share of the cases that is labelled positive: ``n_labelled`` over the number of cases.
    n_labelled : float or ndarray of shape (n_points,)
        How many cases are labelled positive, in the data and in each resample.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_positive_rate
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> float(bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.5).precision)
    0.75
    """

    law: BudgetLaw = field(repr=False)
    positive_rate: Numbers
    n_labelled: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"positive_rate": self.positive_rate}


@dataclass(frozen=True, repr=False, eq=False)
class BudgetROCResult(BudgetRateResult):
    """The true-positive rate when a fixed share of the cases is labelled positive, with its exact bootstrap law.

    What :func:`bootstrap_roc_at_positive_rate` returns; ties at the border are broken at random: the mean over their
    orders. It has what every :class:`BudgetRateResult` has.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_positive_rate
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> budget = bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.5)
    >>> budget.estimate, budget.n_labelled
    (0.75, 4.0)
    """

    @property
    def fpr(self) -> BudgetRateResult:
        """The false-positive rate, a result of its own."""
        return self._rate("fpr")

    @property
    def precision(self) -> BudgetRateResult:
        """The share of positives among the cases labelled positive, a result of its own.

        Raises
        ------
        ValueError
            If at some point nobody is labelled positive.
        """
        if np.min(self.n_labelled) == 0:
            raise ValueError(
                "precision is undefined where nobody is labelled positive, at positive_rate 0 or so small."
            )
        return self._rate("precision")

    def _rate(self, rate: str) -> BudgetRateResult:
        law = self.law.of(rate)
        estimand = replace(self.estimand, statistic=f"{rate}_at_positive_rate")
        axis = self.positive_rate, self.n_labelled
        return BudgetRateResult(self._shaped(_estimates(law)), law, self.methods, *axis, estimand=estimand)


def roc_at_fpr_of(cases: Cases, *columns: str, fpr: ArrayLike | None = None) -> Any:
    """The true-positive rate of a column of checked cases, or of one less another."""
    cases.refuse_groups("rates at a false-positive rate")
    rates = np.arange(1, 100) / 100 if fpr is None else check_unit_points("fpr", fpr)
    counts = [cases.counts(column, ranked=len(columns) == 2) for column in columns]
    law, *_ = _laws(cases, [Seen(each.positive, each.negative, True) for each in counts], rates)
    estimate, asked = (frozen_numbers(numbers, rates.shape) for numbers in (law.estimate, rates))
    fields: dict[str, Any] = {
        "band_methods": BANDS,
        "curve": ROCHeights(rates.ravel(), tuple(partial(roc_curve, model) for model in counts)),
        "estimand": Estimand("tpr_at_fpr", len(columns) == 2, positive=cases.labels[1], axis={"fpr": rates}),
    }
    if len(columns) == 2:
        return ROCDifferenceAtFPRResult(estimate, law, PAIRED_METHODS, asked, **fields)
    negative = counts[0].negative
    ends = negative.values[::-1][law.curve.level(law.crossing.t)]
    threshold = frozen_numbers(np.where(law.known, np.inf, ends), rates.shape)
    return ROCAtFPRResult(estimate, law, METHODS, asked, threshold, scores=negative, **fields)


def roc_at_tpr_of(cases: Cases, *columns: str, tpr: ArrayLike, prevalence: float | None = None) -> Any:
    """The false-positive rate of a column of checked cases, or of one less another."""
    cases.refuse_groups("rates at a true-positive rate")
    rates, given = check_unit_points("tpr", tpr), None if prevalence is None else check_prevalence(prevalence)
    counts = [cases.counts(column, ranked=len(columns) == 2) for column in columns]
    law, *turned = _laws(cases, [Seen(each.negative, each.positive, False) for each in counts], rates)
    estimate, asked = (frozen_numbers(numbers, rates.shape) for numbers in (law.estimate, rates))
    paired, of_class = len(columns) == 2, {"positive": cases.labels[1], "prevalence": given}
    estimand = Estimand("fpr_at_tpr", paired, axis={"tpr": rates}, **of_class)
    if paired:
        return ROCDifferenceAtTPRResult(estimate, law, PAIRED_METHODS, asked, *turned, estimand=estimand)
    positive, negative = counts[0].positive, counts[0].negative
    share = positive.total / (positive.total + negative.total) if given is None else given
    reached = np.where(law.known, 0, np.maximum(law.crossing.ranks.rank, 1))
    threshold = frozen_numbers(positive.score_of(reached), rates.shape)
    return ROCAtTPRResult(estimate, law, METHODS, asked, threshold, share, estimand=estimand, scores=positive)


def specificity_at_tpr_of(cases: Cases, *columns: str, tpr: ArrayLike) -> Any:
    """The specificity of a column of checked cases, or of one less another."""
    return roc_at_tpr_of(cases, *columns, tpr=tpr).specificity


def roc_at_positive_rate_of(
    cases: Cases, column: str, *, positive_rate: ArrayLike, sampling: Sampling = "stratified"
) -> BudgetROCResult:
    """The rates of a column of checked cases when a share of them is labelled positive."""
    cases.refuse_groups("rates at a share labelled positive")
    check_option("sampling", sampling, SAMPLINGS)
    rates = check_unit_points("positive_rate", positive_rate)
    counts = cases.counts(column)
    ranking, draws = counts.ranking, (counts.positive.total, counts.negative.total)
    ranked = RankedCases(ranking.positive.astype(float), ranking.negative.astype(float), *draws, sampling)
    labelled = np.floor(rates * ranked.draws + 1e-9)  # what rounding left just below a whole number is meant to be it
    law = BudgetLaw(ranked, tuple(labelled.astype(np.int64).ravel().tolist()), "tpr")
    axis = (frozen_numbers(values, rates.shape) for values in (labelled / ranked.draws, labelled))
    estimand = Estimand("tpr_at_positive_rate", positive=cases.labels[1], axis={"positive_rate": rates})
    return BudgetROCResult(frozen_numbers(_estimates(law), rates.shape), law, BUDGET_METHODS, *axis, estimand=estimand)


def _estimates(law: BudgetLaw) -> Floats:
    """The rate of the cases themselves."""
    q = np.array(law.labelled)
    found = law.cases.positives_labelled(q)
    if law.rate == "precision":
        return np.asarray(found / q)
    return np.asarray(found / law.cases.draws_positive if law.rate == "tpr" else (q - found) / law.cases.draws_negative)


class Seen(NamedTuple):
    """A model's curve as one class is ``counted`` along the distinct scores of the other, whose rate is ``held``.

    If it ``slopes``, it does where cases of both share a score; else it is taken at the end of the step.
    """

    counted: ClassCounts
    held: ClassCounts
    slopes: bool

    @property
    def curve(self) -> DrawnCurve:
        """Its vertices at the scores of the class that is held, going down."""
        values, scores = self.held.values, self.counted.values
        place = np.searchsorted(scores, values)
        level = self.slopes & (scores[np.minimum(place, len(scores) - 1)] == values)
        at_least, before = self.counted.at_least[place], self.counted.at_least[place + level]
        parts = self.held.at_least[:-1], before, at_least - before
        reached, before, tied = (np.ascontiguousarray(part[::-1]) for part in parts)
        return DrawnCurve(reached, before, tied, self.counted.total)

    def places(self, ends: Integers) -> tuple[Integers, Integers]:
        """Where cases counted, then held, lie, by the segments' ends: 2 k on the left of segment k, 2 k + 1 in it."""
        scores = self.counted.values
        above = self.held.count_above(scores)
        tied = self.slopes & (self.held.count_at_least(scores) > above)
        found = 2 * np.searchsorted(ends, above, "right") + tied
        drawn = 2 * np.searchsorted(ends, self.held.at_least[1:], "right") + 1
        return found[self.counted.rank], drawn[self.held.rank]


def _laws(cases: Cases, models: Sequence[Seen], rates: Floats) -> list[Any]:
    """The law of one model; of two the joint law of a less b and, where the true-positive rate is held, of b less a."""
    laws = vertical_laws([model.curve for model in models], rates.ravel())
    if len(models) == 1:
        return list(laws)
    a, b = (model.places(law.curve.segments.ends) for model, law in zip(models, laws, strict=True))
    weights = [part[1] for part in cases.split(next(iter(cases.columns)))]
    weights = weights if models[0].slopes else weights[::-1]
    pairs = [PairedCases(*each) for each in zip(a, b, weights, strict=True)]
    joint = paired_vertical_law(laws[0], laws[1], *pairs)
    if models[0].slopes:
        return [joint]
    turned = [PairedCases(*each) for each in zip(b, a, weights, strict=True)]
    return [joint, paired_vertical_law(laws[1], laws[0], *turned)]
