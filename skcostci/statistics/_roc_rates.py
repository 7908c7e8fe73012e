"""Rates where another is held: TPR at a false-positive rate, FPR at a true-positive rate, either at a positive rate.

At a false-positive rate the curve is drawn through the scores of the negatives, sloping where positives tie with them,
and the threshold is a rank among these. At a true-positive rate the threshold is the score of the r-th largest
positive, r = ceil(tpr n_positive), and the curve has steps only: so the law is the same with the classes exchanged and
no sloping segment. Below, one class is counted where the rate of the other is held; at a positive rate ("budget") the
share of all cases labelled positive is held. A result and its axis are named as the option given, see
``_options.RATES_AT``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Integers
from skcostci._frozen import Numbers, frozen_numbers, read_only
from skcostci._options import RATES_AT, SAMPLINGS, RateAt, Sampling
from skcostci._validation._arguments import PREVALENCE, SHARE, check_option
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
from skcostci.laws.influence._of_rates import Falling, FallingLaw
from skcostci.results._banded import BandedResult, ThresholdFound
from skcostci.results._estimand import Estimand, points_in_words
from skcostci.results._results import BootstrapResult, DifferenceResult, ExactResult
from skcostci.statistics._held_rates import HeldRate, RankedRows
from skcostci.statistics._points import NO_BAND, roc_curve
from skcostci.statistics._unit_means import Difference
from skcostci.statistics._units import law_of_terms, of_scheme
from skcostci.statistics._weight_types import continuous_in_weights

METHODS = ("rank_beta", "agresti", "percentile", "wald")
PAIRED_METHODS = ("rank_mover", "agresti", "percentile", "wald")
BUDGET_METHODS = ("unseen_case", "smoothed", "percentile", "agresti", "wald")
BANDS = ("equal_levels", "kolmogorov")
RANGES = {1: (0.0, 1.0), 2: (-1.0, 1.0)}  # of a rate, and of a difference of two models
RateT = TypeVar("RateT", bound=BootstrapResult)
SAME_RATE = {"specificity": "1 - fpr", "sensitivity": "tpr"}


@dataclass(frozen=True, repr=False, eq=False)
class AtRate(BootstrapResult):
    @property
    def _held(self) -> str:
        ((name, _),) = self.estimand.axis
        return str(name)

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

    @property
    def _share_above(self) -> Numbers:
        return self.fpr


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

    @property
    def _share_above(self) -> Numbers:
        return self.tpr


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

    law: Any = field(repr=False)  # of the FPR or, decreasing with it, of the specificity
    prevalence: float = field(repr=False)

    @property
    def fpr(self) -> RateAtTPRResult:
        """The false-positive rate, as a separate result."""
        return self._rate("fpr", _law_of_fpr(self.law))

    @property
    def specificity(self) -> RateAtTPRResult:
        """The specificity, 1 - FPR, as a separate result."""
        return self._rate("specificity", ScaledLaw(_law_of_fpr(self.law), -1.0, 1.0))

    @property
    def precision(self) -> RateAtTPRResult:
        """The precision, prevalence * tpr / (prevalence * tpr + (1 - prevalence) * FPR); an error at a rate of 0."""
        rates = np.ravel(self.tpr)
        if self.estimand.folds:
            raise ValueError("precision is not available with folds, whose thresholds differ: leave folds out.")
        if np.min(rates) == 0:
            raise ValueError(f"precision is undefined where no case is labelled positive, at {self._held}=0.")
        law = _precision_law(_law_of_fpr(self.law), (1 - self.prevalence) / (self.prevalence * rates))
        return self._rate("precision", law, self.estimand.prevalence)

    def _rate(self, rate: str, law: Any, prevalence: Any = None) -> RateAtTPRResult:
        axis = {"tpr": self.tpr, "threshold": self.threshold, "scores": self.scores}
        return _other_rate(RateAtTPRResult, self, f"{rate}_at_{self._held}", law, prevalence, **axis)


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
        is_given = (rate == "fpr") == (self._held == "tpr")  # the other difference has the opposite sign
        law = self.law if is_given else ScaledLaw(self.law, -1.0)
        return _other_rate(RateDifferenceAtTPRResult, self, f"{rate}_at_{self._held}", law, tpr=self.tpr)


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

    law: Any = field(repr=False)  # BudgetLaw, known in full, or FirstOrderLaw
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
        return self._rate("fpr")

    @property
    def precision(self) -> BudgetRateResult:
        """The share of positives among the cases labelled positive; an error where no case is."""
        check_some_labelled("precision", self.n_labelled)
        return self._rate("precision")

    def _rate(self, rate: str) -> BudgetRateResult:
        axis = {"positive_rate": self.positive_rate, "n_labelled": self.n_labelled}
        return _other_rate(BudgetRateResult, self, f"{rate}_at_positive_rate", self.others[rate], **axis)


def _other_rate(
    kind: Callable[..., RateT], whole: BootstrapResult, statistic: str, law: Any, prevalence: Any = None, **axis: Any
) -> RateT:
    """Another rate of the same cases, as a separate result."""
    estimand = replace(whole.estimand, statistic=statistic, prevalence=prevalence)
    sizes = {"n_groups": whole.n_groups, "effective_cases": whole.effective_cases}
    return kind(whole._shaped(law.estimate), law, whole.methods, estimand=estimand, **sizes, **axis)


@continuous_in_weights
def roc_at_fpr_of(
    cases: Cases, *columns: str, fpr: ArrayLike | None = None, specificity: ArrayLike | None = None
) -> Any:
    every = fpr is None and specificity is None
    held = _held(fpr=np.arange(1, 100) / 100 if every else fpr, specificity=specificity)
    if _by_units(cases):
        return _at_fpr_by_units(cases, columns, held)
    counts = [cases.counts(column, ranked=len(columns) == 2) for column in columns]
    law = _law(cases, [Seen(each.positive, each.negative, True) for each in counts], held.rates)
    estimate, rates = (frozen_numbers(numbers, held.rates.shape) for numbers in (law.estimate, held.rates))
    fields: dict[str, Any] = {
        "band_methods": BANDS,
        "curve": ROCHeights(held.rates.ravel(), tuple(partial(roc_curve, model) for model in counts)),
        "estimand": held.estimand(cases, columns),
    }
    if len(columns) == 2:
        # Where scores tie across the classes only moments are known.
        methods = PAIRED_METHODS if hasattr(law, "cdf") else ("rank_mover", "agresti", "wald")
        return ROCDifferenceAtFPRResult(estimate, law, methods, rates, **fields)
    negative = counts[0].negative
    ends = negative.values[::-1][law.curve.level(law.crossing.t)]
    threshold = frozen_numbers(np.where(law.known, np.inf, ends), held.rates.shape)
    return ROCAtFPRResult(estimate, law, METHODS, rates, threshold, scores=negative, **fields)


@continuous_in_weights
def roc_at_tpr_of(
    cases: Cases,
    *columns: str,
    tpr: ArrayLike | None = None,
    sensitivity: ArrayLike | None = None,
    prevalence: float | None = None,
) -> Any:
    held = _held(tpr=tpr, sensitivity=sensitivity)
    given = None if prevalence is None else PREVALENCE("prevalence", prevalence)
    if _by_units(cases):
        return _at_tpr_by_units(cases, columns, held, given)
    counts = [cases.counts(column, ranked=len(columns) == 2) for column in columns]
    falls, paired = held.rate_at.rate == "specificity", len(columns) == 2
    if paired and falls:  # a's specificity minus b's is b's false-positive rate minus a's
        counts = counts[::-1]
    law = _law(cases, [Seen(each.negative, each.positive, False) for each in counts], held.rates)
    rates = frozen_numbers(held.rates, held.rates.shape)
    estimand = held.estimand(cases, columns, prevalence=given)
    if paired:
        estimate = frozen_numbers(law.estimate, held.rates.shape)
        return ROCDifferenceAtTPRResult(estimate, law, PAIRED_METHODS, rates, estimand=estimand)
    positive, negative = counts[0].positive, counts[0].negative
    share = positive.total / (positive.total + negative.total) if given is None else given
    reached = np.where(law.known, 0, np.maximum(law.crossing.ranks.rank, 1))
    threshold = frozen_numbers(positive.score_of(reached), held.rates.shape)
    law = ScaledLaw(law, -1.0, 1.0) if falls else law
    estimate = frozen_numbers(law.estimate, held.rates.shape)
    return ROCAtTPRResult(estimate, law, METHODS, rates, threshold, share, estimand=estimand, scores=positive)


def _by_units(cases: Cases) -> bool:
    """Whether limits are computed from influence values: with groups, folds or unequal weights."""
    return cases.folds is not None or not cases.rows.stand_alone


def _methods_by_units(cases: Cases) -> tuple[str, ...]:
    """The methods; what a group does to a rate where another is held is no sum over its cases: none is extrapolated."""
    return "unseen_case" if cases.groups is None else "unseen_group", "wald"


def _at_fpr_by_units(cases: Cases, columns: Sequence[str], held: Held) -> Any:
    models = _by_part(cases, columns, held.rates, at_fpr=True)
    each = [*map(Difference.of, models)]
    law = _law_of_rates(cases.design(), models, RANGES[len(columns)])
    fields: dict[str, Any] = {**NO_BAND, "estimand": held.estimand(cases, columns)}
    fields |= of_scheme(cases, each, held.rates.shape)
    estimate, rates = (frozen_numbers(numbers, held.rates.shape) for numbers in (law.estimate, held.rates))
    methods = _methods_by_units(cases)
    if len(columns) == 2:
        return ROCDifferenceAtFPRResult(estimate, law, methods, rates, **fields)
    return ROCAtFPRResult(estimate, law, methods, rates, _thresholds(models, held.rates.shape), scores=None, **fields)


def _at_tpr_by_units(cases: Cases, columns: Sequence[str], held: Held, given: float | None) -> Any:
    design, models = cases.design(), _by_part(cases, columns, held.rates, at_fpr=False)
    falls, paired = held.rate_at.rate == "specificity", len(columns) == 2
    if paired and falls:  # a's specificity minus b's is b's false-positive rate minus a's
        models = [part[::-1] for part in models]
    each = [*map(Difference.of, models)]
    law: Any = _law_of_rates(design, models, RANGES[len(columns)])
    fields = {"estimand": held.estimand(cases, columns, prevalence=given), **of_scheme(cases, each, held.rates.shape)}
    rates, methods = frozen_numbers(held.rates, held.rates.shape), _methods_by_units(cases)
    if paired:
        estimate = frozen_numbers(law.estimate, held.rates.shape)
        return ROCDifferenceAtTPRResult(estimate, law, methods, rates, **fields)
    positive, negative = cases.sizes
    share = positive / (positive + negative) if given is None else given
    if falls:
        law, of_folds = ScaledLaw(law, -1.0, 1.0), fields["fold_estimates"]
        fields["fold_estimates"] = None if of_folds is None else read_only(1 - of_folds)
    estimate, thresholds = frozen_numbers(law.estimate, held.rates.shape), _thresholds(models, held.rates.shape)
    return ROCAtTPRResult(estimate, law, methods, rates, thresholds, share, scores=None, **fields)


def _law_of_rates(design: Design, models: Sequence[Sequence[HeldRate]], support: tuple[float, float]) -> FirstOrderLaw:
    """The law at all rates; with unequal weights per rate, as the effective number of cases depends on the rate."""
    if not design.rows.is_weighted:
        return law_of_terms(design, [*map(Difference.of, models)], support, OF_COUNTS)
    laws = []
    for point in range(len(models[0][0].t)):
        each = [Difference.of([rate.at(point) for rate in part]) for part in models]
        laws.append(law_of_terms(design, each, support, OF_COUNTS))
    return FirstOrderLaw.side_by_side(laws)


def _by_part(cases: Cases, columns: Sequence[str], rates: Floats, *, at_fpr: bool) -> list[list[HeldRate]]:
    parts = cases.design().parts
    return [[_of_part(part, cases, column, rates.ravel(), at_fpr) for column in columns] for part in parts]


def _of_part(part: Part, cases: Cases, column: str, rates: Floats, at_fpr: bool) -> HeldRate:
    positive, scores = cases.positive[part.rows], cases.columns[column][part.rows]
    counted, held = (positive, ~positive) if at_fpr else (~positive, positive)
    return HeldRate(RankedRows(part, scores, counted, held), rates, slopes=at_fpr)


def _precision_law(law: Any, odds: Floats) -> Any:
    if isinstance(law, BetweenLaw):
        return law.changed(partial(_precision_law, odds=odds))
    return Falling(law, odds) if isinstance(law, FirstOrderLaw) else FallingLaw(law, odds)


def _law_of_fpr(law: Any) -> Any:
    """The law of the false-positive rate, from its own or from the specificity's."""
    if isinstance(law, BetweenLaw):
        return law.changed(_law_of_fpr)
    return law.law if isinstance(law, ScaledLaw) else law


def _thresholds(models: Sequence[Sequence[HeldRate]], shape: tuple[int, ...]) -> Any:
    first, *others = (rate.thresholds.reshape(shape) for (rate,) in models)
    return frozen_numbers(np.where(np.all([each == first for each in others], axis=0), first, np.nan), shape)


class Held(NamedTuple):
    """The rate that is held: its name and values as given, and its values on the axis of the curve."""

    name: str
    given: Floats
    rates: Floats

    @property
    def rate_at(self) -> RateAt:
        return next(each for each in RATES_AT.values() if each.held == self.name)

    def estimand(self, cases: Cases, columns: Sequence[str], *, prevalence: float | None = None) -> Estimand:
        return Estimand(
            self.rate_at.name,
            len(columns) == 2,
            positive=cases.labels[1],
            prevalence=prevalence,
            axis={self.name: self.given},
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
    values = SHARE.points(name, rates)
    return Held(name, values, short_decimals(1 - values) if name == "specificity" else values)


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
    estimand = share_estimand(cases, [column], rates, "tpr")
    rest = {} if not _by_units(cases) else of_scheme(cases, _at_each(cases, column, rates, "tpr"), rates.shape)
    shaped = frozen_numbers(estimate, rates.shape)
    return BudgetROCResult(shaped, law, methods, *axis, others=others, estimand=estimand, **rest)


@continuous_in_weights
def law_at_share(
    cases: Cases, columns: Sequence[str], rates: Floats, rate: str, sampling: Sampling | None, *, mix: bool = False
) -> tuple[Floats, Any, tuple[str, ...]]:
    """A rate where a share is labelled positive, with law and methods; ``mix`` varies unless ``sampling`` holds it."""
    if sampling is not None:
        check_option("sampling", sampling, SAMPLINGS)
        cases.check_sampling(None if sampling == "stratified" else sampling, None)
    scheme = sampling or ("full" if mix or rate == "precision" else "stratified")
    if not _by_units(cases) and len(columns) == 1:
        counts = cases.counts(columns[0])
        ranking, draws = counts.ranking, (counts.positive.total, counts.negative.total)
        ranked = RankedCases(ranking.positive.astype(float), ranking.negative.astype(float), *draws, scheme)
        exact = BudgetLaw(ranked, tuple(labelled_at(cases, rates).astype(np.int64).ravel().tolist()), rate)
        return exact.estimate, exact, BUDGET_METHODS
    # with weights the mix of the classes is estimated from them
    design = cases.design(by_class=scheme == "stratified" and not cases.rows.is_weighted)
    models = list(zip(*(_at_each(cases, column, rates, rate) for column in columns), strict=True))
    law = _law_of_rates(design, models, RANGES[len(columns)])
    return law.estimate, law, _methods_by_units(cases)


def check_some_labelled(what: str, labelled: Numbers) -> None:
    if np.min(labelled) == 0:
        raise ValueError(f"{what} is undefined where no case is labelled positive: positive_rate is 0 or too small.")


def labelled_at(cases: Cases, rates: Floats) -> Floats:
    """The number of cases labelled positive, over all folds; with importance weights the weight of these."""
    sizes = [float(part.weights.sum()) for part in cases.design().parts]
    return np.asarray(sum(_labelled(rates, size, cases.rows.inequality) for size in sizes))


def share_estimand(cases: Cases, columns: Sequence[str], rates: Floats, rate: str) -> Estimand:
    whose: dict[str, Any] = {"folds": cases.folds is not None, "positive": cases.labels[1]}
    return Estimand(f"{rate}_at_positive_rate", len(columns) == 2, axis={"positive_rate": rates}, **whose)


def _labelled(rates: Floats, size: float, inequality: float = 0.0) -> Floats:
    """The whole number of cases in a share, up to rounding; with unequal weights the share of their sum."""
    return np.asarray((1 - inequality) * np.floor(rates * size + 1e-9) + inequality * rates * size)


def _at_each(cases: Cases, column: str, rates: Floats, rate: str) -> list[HeldRate]:
    return [_at_share(part, cases, column, rates.ravel(), rate) for part in cases.design().parts]


def _at_share(part: Part, cases: Cases, column: str, rates: Floats, rate: str) -> HeldRate:
    """The rate among the cases of a fold, or all cases; without weights a whole number of them is labelled."""
    size = float(part.weights.sum())
    positive, share = cases.positive[part.rows], _labelled(rates, size, cases.rows.inequality) / size
    counted = ~positive if rate == "fpr" else positive
    every = np.ones(len(positive), dtype=bool)
    rows = RankedRows(part, cases.columns[column][part.rows], counted, every)
    return HeldRate(rows, share, of_labelled=rate == "precision")


class Seen(NamedTuple):
    """One class ``counted`` at the distinct scores of the other, ``held``; if it ``slopes``, where classes tie."""

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
        return DrawnCurve(reached, before, tied, self.counted.total, self._heaps(place, place + level))

    def _heaps(self, start: Integers, end: Integers) -> Integers | None:
        """The most counted cases that share a score above, between and below the held scores, going down."""
        counted = self.counted.multiplicities
        if len(counted) == self.counted.total and len(self.held.values) == self.held.total:
            return None
        bounds, stops = np.concatenate([[0], end]), np.concatenate([start, [len(counted)]])
        ranges = np.ravel(np.column_stack([bounds, stops]))
        padded = np.append(counted, 0)
        largest = np.maximum.reduceat(padded, np.minimum(ranges, len(counted)))[::2]
        return np.ascontiguousarray(np.where(stops > bounds, largest, 0)[::-1])

    def places(self, ends: Integers) -> tuple[Integers, Integers]:
        """The places of the counted, then of the held cases: 2 k to the left of segment k, 2 k + 1 in it."""
        scores = self.counted.values
        above = self.held.count_above(scores)
        tied = self.slopes & (self.held.count_at_least(scores) > above)
        found = 2 * np.searchsorted(ends, above, "right") + tied
        drawn = 2 * np.searchsorted(ends, self.held.at_least[1:], "right") + 1
        return found[self.counted.rank], drawn[self.held.rank]


def _law(cases: Cases, models: Sequence[Seen], rates: Floats) -> Any:
    """The law of one model, or of the first minus the second."""
    laws = vertical_laws([model.curve for model in models], rates.ravel())
    if len(models) == 1:
        return laws[0]
    a, b = (model.places(law.curve.segments.ends) for model, law in zip(models, laws, strict=True))
    weights = [part[1] for part in cases.split(next(iter(cases.columns)))]
    weights = weights if models[0].slopes else weights[::-1]
    pairs = [PairedCases(*each) for each in zip(a, b, weights, strict=True)]
    return paired_vertical_law(laws[0], laws[1], *pairs)
