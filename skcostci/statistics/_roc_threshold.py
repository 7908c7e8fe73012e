"""ROC curves at fixed thresholds (threshold averaging): both rates of one model, or of a minus b.

At a threshold each rate is a binomial proportion of its class, and the two are independent (Dugas & Gadoury 2009,
section 3.1). For two models only the cases count that exactly one of them labels positive.

Limits of the equal error rate, at the threshold where both error rates are equal, are found from the confidence
distributions of the curve at every rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skcostci._described import described
from skcostci._frozen import Numbers, tuple_of_numbers
from skcostci._options import Label, WeightType, explains_calls
from skcostci._shown import Shown
from skcostci._validation._rows import GivenRows, SampleOptions
from skcostci.cases._cases import Cases
from skcostci.cuts import rate_cut, threshold_pair
from skcostci.laws.exact._linear import LinearLaw, minus, rate_law
from skcostci.laws.influence._first_order import OF_COUNTS
from skcostci.laws.influence._of_rates import EqualErrorLaw
from skcostci.results._banded import BandedResult, RatesResult
from skcostci.results._estimand import Estimand, has_groups, unless
from skcostci.results._results import THRESHOLDS, BootstrapResult, DifferenceResult, ExactResult
from skcostci.statistics._points import Points, hits_of, mean_over_parts, rate_curve, rate_optimisms
from skcostci.statistics._roc_rates import drawn_curve
from skcostci.statistics._units import ClassMeans, law_of_terms
from skcostci.statistics._weight_types import continuous_in_weights, weighed

HITS = {"tpr": np.array([[1.0, 0.0, 0.0, 0.0]]), "fpr": np.array([[0.0, 0.0, 1.0, 0.0]])}  # among TP, FN, FP and TN
METHODS = ("clopper_pearson", "smoothed", "agresti", "wilson", "percentile", "wald")
DIFFERENCE_METHODS = ("unseen_case", "extrapolated", "agresti", "smoothed", "percentile", "wald")
BANDS = ("equal_levels", "kolmogorov")
DIFFERENCE_BANDS = ("path", *BANDS)


@dataclass(frozen=True, repr=False, eq=False)
class RateResult(BandedResult, ExactResult):
    """A rate of one class at each threshold, with its exact bootstrap distribution, a binomial.

    One of the rates of :class:`ThresholdROCResult`: the share of the class that scores at least the threshold. In
    addition to what every :class:`BandedResult` has:

    Parameters
    ----------
    thresholds : float or ndarray of shape (n_points,)
        The thresholds.
    """

    thresholds: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"threshold": self.thresholds}


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdROCResult(RatesResult):
    """The points of a ROC curve at fixed thresholds, with the exact bootstrap distributions of both rates.

    Returned by :func:`bootstrap_roc_at_threshold` and drawn by :class:`ROCConfidenceDisplay`.

    Parameters
    ----------
    fpr, tpr : RateResult
        The false- and the true-positive rate: ``estimate``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval`` (separate intervals, each at the given level) and ``to_frame``.
    thresholds : float or ndarray of shape (n_points,)
        The thresholds.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_threshold
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> roc = bootstrap_roc_at_threshold(y_true, y_score, thresholds=0.5)
    >>> roc.tpr
    RateResult(tpr, threshold=0.5, estimate=0.75, standard_error=0.2165, 95 % interval 0.1941 to 0.9937 by
    clopper_pearson)
    >>> roc.confidence_region(0.9)
    ConfidenceRegion(fpr=ConfidenceInterval(low=0.006, high=0.804), tpr=ConfidenceInterval(low=0.196, high=0.994))
    >>> roc.confidence_band(0.9).tpr
    ConfidenceInterval(low=0.128, high=0.998)
    """

    fpr: RateResult = field(repr=False)
    tpr: RateResult = field(repr=False)
    thresholds: Numbers


@tuple_of_numbers
class Dominance(Shown, NamedTuple("Dominance", [("a", Numbers), ("b", Numbers)])):
    """The bootstrap probabilities that model a dominates b, and that b dominates a; they need not sum to 1.

    Returned by :meth:`ThresholdROCDifferenceResult.dominance`.

    Parameters
    ----------
    a, b : float or ndarray of shape (n_points,)
        In [0, 1].

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_threshold
    >>> a, b = [1, 2, 3, 4, 5, 6], [1, 5, 2, 4, 6, 3]
    >>> found = bootstrap_roc_difference_at_threshold([0, 0, 1, 0, 1, 1], a, b, thresholds=3)
    >>> [round(p, 3) for p in found.dominance()]
    [0.912, 0.0]
    """


@dataclass(frozen=True, repr=False, eq=False)
class RateDifferenceResult(BandedResult, DifferenceResult):
    """A rate of model a minus that of model b at each pair of thresholds, with its exact bootstrap distribution.

    One of the rates of :class:`ThresholdROCDifferenceResult`. In addition to what every :class:`BandedResult` has:

    Parameters
    ----------
    thresholds : tuple of float or ndarray of shape (n_points,)
        The thresholds of a and those of b.
    """

    thresholds: tuple[Numbers, Numbers]

    def _axis(self) -> dict[str, Numbers]:
        return dict(zip(THRESHOLDS, self.thresholds, strict=True))


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdROCDifferenceResult(RatesResult):
    """The ROC points of model a minus those of model b at pairs of fixed thresholds.

    Returned by :func:`bootstrap_roc_difference_at_threshold`.

    Parameters
    ----------
    fpr, tpr : RateDifferenceResult
        The differences in false- and true-positive rate: ``estimate``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval``, ``pvalue``, ``probabilities`` and ``to_frame``.
    thresholds : tuple of float or ndarray of shape (n_points,)
        The thresholds of a and those of b.
    """

    fpr: RateDifferenceResult = field(repr=False)
    tpr: RateDifferenceResult = field(repr=False)
    thresholds: tuple[Numbers, Numbers]

    @unless(has_groups)
    def dominance(self) -> Dominance:
        """The probability, over all resamples, that one model is better in one rate and at least as good in the other.

        Returns
        -------
        Dominance
            ``a`` and ``b``, floats or arrays of shape (n_points,). The rest, up to 1, is the probability that each
            model is better in one rate, or that they agree in both.

        Notes
        -----
        Dugas & Gadoury (2009), eq. 2 and Algorithm 2, exact. As a test it has little power, as the authors note: where
        each model is better in one rate, neither dominates. Compare costs (:func:`bootstrap_cost_difference`) where
        they are known.
        """
        fewer_alarms, same_alarms, more_alarms = self.fpr.probabilities()
        fewer_hits, same_hits, more_hits = self.tpr.probabilities()
        return Dominance(
            self.tpr._shaped(more_hits * (fewer_alarms + same_alarms) + same_hits * fewer_alarms),
            self.tpr._shaped(fewer_hits * (more_alarms + same_alarms) + same_hits * more_alarms),
        )


@explains_calls
@described(SampleOptions)
def bootstrap_roc_at_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    thresholds: ArrayLike | str | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    resample_size: int | tuple[int, int] | None = None,
) -> ThresholdROCResult:
    """True- and false-positive rates at fixed thresholds, with an interval for each and a region for both.

    >>> from skcostci import bootstrap_roc_at_threshold
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_threshold(y_true, y_score, thresholds=0.5)
    ThresholdROCResult(roc_at_threshold, threshold=0.5, fpr=0.25 (95 % interval 0.006309 to 0.8059 by clopper_pearson),
    tpr=0.75 (95 % interval 0.1941 to 0.9937 by clopper_pearson))

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive. A case is labelled
        positive if its score is at least the threshold.
    thresholds : float, array-like of shape (n_points,) or "youden", default=None
        Infinite ones allowed. None takes the distinct scores, in descending order; if there are more than 101, the
        highest score and the scores after each hundredth of the cases, without using the labels. "youden" takes the
        threshold with the largest TPR - FPR **on these data** (of several the largest threshold): both rates look
        better there than they are, and the result is ``selected``.
    resample_size : int or tuple of two int, default=None
        The number of cases in a resample, if not that of the sample: in all, in the classes' proportions, or
        (positives, negatives). "agresti" is then Algorithm 1 (for two models Algorithm 3) with that m; the default
        interval does not change. Not with groups, folds or importance weights.

    Returns
    -------
    ThresholdROCResult
        With ``fpr`` and ``tpr`` (separate results) and ``confidence_region`` (joint). Methods of pointwise intervals:

        - "chosen" (default at "youden", not available otherwise): the lower limit of the TPR and the upper limit of the
          FPR, which the choice makes too optimistic, are moved outwards, but not beyond Clopper-Pearson limits that
          hold at all thresholds simultaneously.
        - "clopper_pearson" (default at given thresholds without ``groups`` and ``folds``): exact binomial limits.
          Conservative: coverage is at least the level for every rate, and so is the region's.
        - "extrapolated" (only with ``groups``; the default at given thresholds): allows for one additional group as
          extreme as those in the sample suggest. Not to be trusted where some groups fail as a whole and the sample may
          contain none: "unseen_group" allows for them, and is up to twice as wide.
        - "unseen_case" (only with ``folds``, where it is the default without ``groups``): allows for one additional
          case in all, labelled positive for the upper limit and negative for the lower one.
        - "smoothed": quantiles of the exact distribution with 1.5 pseudo-cases. Not to be trusted with few cases.
        - "agresti": a Gaussian with 2 pseudo-cases per side, Algorithm 1. Not to be trusted for one rate at a level of
          0.90 or less: the interval excludes rates of nearly 0 although no case is above the threshold.
        - "wilson": score limits. Not to be trusted where the rate is nearly 0 or 1.
        - "percentile", "wald": from the raw distribution. None of these should be trusted near rates of 0 and 1,
          where they have zero width and never cover.

        Coverage is in :doc:`/user_guide/interval_methods`.

    See Also
    --------
    bootstrap_roc_difference_at_threshold : Two models.

    Notes
    -----
    **The distribution** (Dugas & Gadoury 2009, section 3.1): at a threshold each rate is a binomial proportion of its
    class, and without groups the two are independent. At infinite thresholds rates are known, and intervals have zero
    width. Scores must be on the same scale in every sample, as those of one fixed model are.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009; C. J. Clopper and E. S.
    Pearson, Biometrika, 1934.
    """
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    found = roc_at_threshold_of(cases, "y_score", thresholds=thresholds, resample_size=resample_size)
    return weighed(found, rows, ThresholdROCResult)


@explains_calls
@described(bootstrap_roc_at_threshold)
def bootstrap_roc_difference_at_threshold(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    thresholds: ArrayLike | tuple[ArrayLike, ArrayLike],
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    resample_size: int | tuple[int, int] | None = None,
) -> ThresholdROCDifferenceResult:
    """The differences in both rates of two models, a - b, at thresholds, with confidence intervals and p-values.

    >>> from skcostci import bootstrap_roc_difference_at_threshold
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> bootstrap_roc_difference_at_threshold(y_true, a, b, thresholds=0.5).tpr
    RateDifferenceResult(tpr difference, threshold_a=0.5, threshold_b=0.5, estimate=0.5, standard_error=0.25, 95 %
    interval -0.4234 to 0.9324 by unseen_case, p=0.52)

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.
    thresholds : float, array-like of shape (n_points,) or tuple of two of these
        The thresholds of both models, or a tuple with those of a and those of b, point by point; infinite ones are
        allowed. A single number in a tuple is combined with each threshold of the other model.

    Returns
    -------
    ThresholdROCDifferenceResult
        With ``fpr`` and ``tpr`` (separate results), ``confidence_region`` and ``dominance``. The interval methods:

        - "unseen_case" (default): allows for one additional case per class that one model alone labels positive.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group as extreme as
          those in the sample suggest; "unseen_group" for one that one model alone labels positive. There is no
          ``dominance`` then, since the classes do not vary independently.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither, Algorithm 3;
          "smoothed": quantiles of the exact distribution with 1.5 pseudo-cases spread evenly over those four. Not to be
          trusted where the models disagree only on negatives with the highest scores.
        - "percentile", "wald": from the raw distribution. Not to be trusted where the models seldom disagree:
          the intervals have nearly zero width.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    bootstrap_roc_at_threshold : One model.

    Notes
    -----
    Dugas & Gadoury (2009), section 3.2, Algorithms 2 and 3. Only discordant cases matter, those that one model labels
    positive and the other does not; the two differences are trinomial and independent of each other.

    References
    ----------
    C. Dugas and D. Gadoury, 2009.
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, scores, pos_label=pos_label, **rows)
    found = roc_at_threshold_of(cases, *scores, thresholds=thresholds, resample_size=resample_size)
    return weighed(found, rows, ThresholdROCDifferenceResult)


@continuous_in_weights
def roc_at_threshold_of(
    cases: Cases, *columns: str, thresholds: Any = None, resample_size: int | tuple[int, int] | None = None
) -> Any:
    draws = cases.check_resample_size(resample_size, "stratified") or (None, None)
    if cases.folds is not None:
        return _rates_of_folds(cases, columns, thresholds)
    if len(columns) == 2:
        cuts = threshold_pair("thresholds", thresholds)
    else:
        cuts = [rate_cut("thresholds", thresholds, cases.counts(columns[0]))]
    cases.check_choice(cut.selected for cut in cuts)
    along, axis = -cuts[0].thresholds.ravel(), [cut.thresholds for cut in cuts]
    points = Points(cases, list(zip(columns, cuts, strict=True)), along, axis)
    cells, overlaps = points.counted
    laws: tuple[LinearLaw, LinearLaw] = rate_law(*cells[0], draws[0]), rate_law(*cells[1], draws[1])
    methods: tuple[str, ...] = DIFFERENCE_METHODS if points.paired else METHODS
    if points.selected:
        of_tpr, of_fpr = rate_optimisms(cells, *points.chosen[0])
        laws = replace(laws[0], optimisms=(of_tpr,)), replace(laws[1], optimisms=(of_fpr,))
        methods = "chosen", *methods
    tpr, fpr = (
        points.result(
            RateDifferenceResult if points.paired else RateResult,
            law,
            partial(_rate_at, place),
            np.repeat(minus(hits, hits) if points.paired else hits, len(part.counts), axis=0),
            methods,
            DIFFERENCE_BANDS if points.paired else BANDS,
            rate_curve(part, along, overlap),
            Estimand(rate, points.paired, positive=cases.labels[1], selected=points.selected),
        )
        for place, (rate, hits), law, part, overlap in zip((0, 1), HITS.items(), laws, cells, overlaps, strict=True)
    )
    return (ThresholdROCDifferenceResult if points.paired else ThresholdROCResult)(fpr, tpr, tpr.thresholds)


def _rate_at(place: int, points: Points) -> LinearLaw:
    return rate_law(*points.counted[0][place])


def _rates_of_folds(cases: Cases, columns: Sequence[str], thresholds: object) -> Any:
    if thresholds is None:  # the observed scores of all folds together
        thresholds = rate_cut("thresholds", None, cases.counts(columns[0])).thresholds
    each = [roc_at_threshold_of(fold, *columns, thresholds=thresholds) for fold in cases.parts()]
    fpr, tpr = (
        _rate_of_folds(cases, columns, [getattr(one, rate) for one in each], rate == "tpr") for rate in ("fpr", "tpr")
    )
    return replace(each[0], fpr=fpr, tpr=tpr)


def _rate_of_folds(cases: Cases, columns: Sequence[str], results: Sequence[Any], positive: bool) -> Any:
    """The mean of a rate over folds; with groups, those with cases of its class are drawn."""
    if cases.rows.stand_alone:
        return mean_over_parts(results)
    own = cases.part(cases.positive == positive)
    design = replace(own.design(), classes=None)
    low, high = (0.0 if len(columns) == 1 else -1.0), 1.0
    hits = [hits_of(fold, columns, results[0].thresholds) for fold in own.parts()]
    means = [ClassMeans.of_all(part, each, low, high) for part, each in zip(design.parts, hits, strict=True)]
    law = law_of_terms(design, means, (low, high), OF_COUNTS, paired=len(columns) == 2)
    return mean_over_parts(results, law, cases.n_groups or None)


@dataclass(frozen=True, repr=False, eq=False)
class EqualErrorResult(BootstrapResult[float]):
    """The equal error rate, at the threshold where false-positive and false-negative rate are equal.

    Returned by :func:`bootstrap_metric` for "eer". In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    threshold : float
        The score at which the two rates are nearest to each other; cases with at least this score are labelled
        positive.
    """

    threshold: float = field(kw_only=True)


def equal_error_of(cases: Cases, column: str) -> EqualErrorResult:
    cases.check_counted("the equal error rate")
    if cases.groups is not None or cases.folds is not None:
        raise ValueError(
            "the equal error rate needs independent cases (no groups), in one sample; with groups or folds use "
            "rates at a threshold or at a given rate."
        )
    counts = cases.counts(column)
    law = EqualErrorLaw(drawn_curve(counts.positive, counts.negative, slopes=True))
    scores = np.union1d(counts.negative.values, counts.positive.values)[::-1]
    fpr, tpr = (part.count_at_least(scores) / part.total for part in (counts.negative, counts.positive))
    nearest = float(scores[int(np.argmin(np.abs(fpr - (1 - tpr))))])  # the largest of those that are equally near
    estimand = Estimand("eer", positive=cases.labels[1])
    return EqualErrorResult(law.mean, law, ("rank_beta",), threshold=nearest, estimand=estimand)
