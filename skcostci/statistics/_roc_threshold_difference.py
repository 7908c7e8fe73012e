"""The differences in both rates of two models at fixed thresholds, on the same cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, equal_tuples, frozen_numbers, reduce_frozen
from skcostci._validation import Floats, Integers, check_threshold_points
from skcostci.cases._cases import Cases
from skcostci.cuts import Cells, Cut, count_along, count_cells, count_groups
from skcostci.laws import minus, rate_law
from skcostci.results._bands import BandedResult, RatesResult
from skcostci.results._differences import DifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.statistics._curves import rate_curve
from skcostci.statistics._grouped import grouped_band, grouped_parts
from skcostci.statistics._roc_threshold import BANDS, RATES, grouped_rate_laws

METHODS = ("unseen_case", "bonett_price", "agresti", "smoothed", "percentile", "bca", "wald")
PATH_BANDS = ("path", *BANDS)


class Dominance(NamedTuple):
    """The probability that model a dominates model b, and that b dominates a; they need not sum to 1.

    Parameters
    ----------
    a, b : float or ndarray of shape (n_points,)
        In [0, 1].

    See Also
    --------
    ThresholdROCDifferenceResult.dominance : Gives it.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_threshold
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> rates = bootstrap_roc_difference_at_threshold(y_true, a, b, thresholds_a=0.5, thresholds_b=0.5)
    >>> a_dominates, b_dominates = rates.dominance()
    >>> round(a_dominates, 3), round(b_dominates, 3)
    (0.756, 0.058)
    """

    a: Numbers
    b: Numbers

    def __eq__(self, other: object) -> bool:
        return equal_tuples(self, other)

    def __ne__(self, other: object) -> bool:
        return not equal_tuples(self, other)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_frozen(self)


@dataclass(frozen=True, repr=False, eq=False)
class RateDifferenceResult(BandedResult, DifferenceResult):
    """A rate of model a less that of model b at each pair of thresholds, with its exact bootstrap law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The difference on the data as given.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    thresholds_a, thresholds_b : float or ndarray of shape (n_points,)
        The thresholds.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.
    band_methods : tuple of str
        The methods of simultaneous bands, the default first.
    curve : object
        What simultaneous bands are computed from.

    See Also
    --------
    ThresholdROCDifferenceResult : Both rates.
    bootstrap_roc_difference_at_threshold : Makes them.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_threshold
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> bootstrap_roc_difference_at_threshold(y_true, a, b, thresholds_a=0.5, thresholds_b=0.5).tpr
    RateDifferenceResult(estimate=0.25, standard_error=0.2165, 95 % interval -0.4973 to 0.8059)
    """

    thresholds_a: Numbers
    thresholds_b: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"threshold_a": self.thresholds_a, "threshold_b": self.thresholds_b}


@dataclass(frozen=True, repr=False, eq=False)
class GroupedROCDifferenceResult(RatesResult):
    """The ROC points of model a less those of model b among cases that belong together.

    Parameters
    ----------
    fpr, tpr : RateDifferenceResult
        The differences in false- and true-positive rate: ``estimate``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval``, ``pvalue``, ``probabilities`` and ``to_frame``.
    thresholds_a, thresholds_b : float or ndarray of shape (n_points,)
        The pairs of thresholds.

    See Also
    --------
    bootstrap_roc_difference_at_threshold : Makes one.
    RateDifferenceResult : One of its rates.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_threshold
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> patients = ["a", "a", "b", "c", "a", "b", "c", "c"]
    >>> cuts = {"thresholds_a": 0.5, "thresholds_b": 0.3}
    >>> bootstrap_roc_difference_at_threshold(y_true, y_score, y_score, **cuts, groups=patients)
    GroupedROCDifferenceResult(fpr=-0.25 (95 % interval -0.8974 to 0.6416), tpr=-0.25 (95 % interval -0.8974 to 0.6416))
    """

    fpr: RateDifferenceResult = field(repr=False)
    tpr: RateDifferenceResult = field(repr=False)
    thresholds_a: Numbers
    thresholds_b: Numbers


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdROCDifferenceResult(GroupedROCDifferenceResult):
    """The ROC points of model a less those of model b at pairs of fixed thresholds, with exact bootstrap laws.

    Parameters
    ----------
    fpr, tpr : RateDifferenceResult
        The differences in false- and true-positive rate: ``estimate``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval``, ``pvalue``, ``probabilities`` and ``to_frame``.
    thresholds_a, thresholds_b : float or ndarray of shape (n_points,)
        The pairs of thresholds.

    See Also
    --------
    bootstrap_roc_difference_at_threshold : Makes one.
    RateDifferenceResult : One of its rates.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_threshold
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> bootstrap_roc_difference_at_threshold(y_true, a, b, thresholds_a=0.5, thresholds_b=0.5)
    ThresholdROCDifferenceResult(fpr=-0.25 (95 % interval -0.9038 to 0.6857),
    tpr=0.25 (95 % interval -0.4973 to 0.8059))
    """

    def dominance(self) -> Dominance:
        """How often, over all resamples, one model is better in one rate and at least as good in the other.

        Returns
        -------
        Dominance
            ``a`` and ``b``, floats or arrays of shape (n_points,). What is missing to 1 are the resamples in which
            the models trade one rate against the other, or agree in both.

        Notes
        -----
        Dugas & Gadoury (2009), eq. 2 and Algorithm 2, exact. As a test it has little power, as they say: a trade
        between the rates decides nothing. Compare costs (:func:`bootstrap_cost_difference`) where they are known.

        Examples
        --------
        >>> from skcostci import bootstrap_roc_difference_at_threshold
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
        >>> rates = bootstrap_roc_difference_at_threshold(y_true, a, b, thresholds_a=0.5, thresholds_b=0.5)
        >>> dominance = rates.dominance()
        >>> round(dominance.a, 4), round(dominance.b, 4)
        (0.7558, 0.0581)
        """
        fewer_alarms, same_alarms, more_alarms = self.fpr.probabilities()
        fewer_hits, same_hits, more_hits = self.tpr.probabilities()
        return Dominance(
            self.tpr._shaped(more_hits * (fewer_alarms + same_alarms) + same_hits * fewer_alarms),
            self.tpr._shaped(fewer_hits * (more_alarms + same_alarms) + same_hits * more_alarms),
        )


@overload
def bootstrap_roc_difference_at_threshold(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    thresholds_a: ArrayLike,
    thresholds_b: ArrayLike,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: None = None,
) -> ThresholdROCDifferenceResult: ...


@overload
def bootstrap_roc_difference_at_threshold(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    groups: ArrayLike,
    thresholds_a: ArrayLike,
    thresholds_b: ArrayLike,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> GroupedROCDifferenceResult: ...


def bootstrap_roc_difference_at_threshold(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    thresholds_a: ArrayLike,
    thresholds_b: ArrayLike,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> ThresholdROCDifferenceResult | GroupedROCDifferenceResult:
    """The exact bootstrap laws of the differences in both rates of two models on the same cases, a - b.

    The bootstrap law of a statistic is its distribution over all resamples. Resampling approximates it; here no
    resample is drawn.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        Finite scores of the two models, higher meaning more positive; they need not share a scale.
    thresholds_a, thresholds_b : float or array-like of shape (n_points,)
        The pairs of thresholds, infinite ones allowed; a single number goes with each of the other's.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, such as the lesions of a patient: labels of any kind, of two groups or more. Whole
        groups are then resampled, with the classes they hold.

    Returns
    -------
    ThresholdROCDifferenceResult
        With ``thresholds_a``, ``thresholds_b``, ``fpr`` and ``tpr`` (results of their own), ``confidence_region``,
        ``dominance`` and ``to_frame``. The interval methods:

        - "unseen_case" (default): allows for one case more, labelled positive by one model alone: Gaffke's bound, by a
          Beta law with three of its moments (see :func:`bootstrap_cost`). Searches (benchmarks/adversary.py, 1 to 200
          cases) found it nowhere to cover less than the level; one limit misses .050, .025 and .0065 at most (nominal
          .05, .025 and .005).
        - "unseen_group" (default with ``groups``, and only there): one group more may be labelled positive by one model
          alone; and "effective_size": the limits of "unseen_case" for as many cases as the groups are worth, for who
          knows that errors do not come by the group. There is no ``dominance`` then, since the classes do not vary
          independently.
        - "bonett_price": a Gaussian with one case more that a alone labels positive and one that b alone does (Bonett &
          Price 2012). Narrower; .90 at worst at 90 %, .94 at 95 % where the scores are binormal, .89 one-sided where
          one model's positives are part of the other's.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither, Algorithm 3. An
          eighth narrower; a difference is covered .85 at worst at 90 %, .87 at 95 %, both rates together .82 at 90 %:
          with correlation .9 and only negatives of the highest scores in dispute.
        - "smoothed": quantiles of the exact law with 1.5 pseudo-cases spread evenly over those four. At worst .66 at
          90 %, .89 at 95 %.
        - "percentile", "bca", "wald": from the raw law. Not to be trusted where the models seldom disagree: the
          intervals shrink towards a point and coverage falls to 0.

    Raises
    ------
    ValueError
        If labels, scores, weights or thresholds are not as described.

    See Also
    --------
    bootstrap_roc_at_threshold : One model.
    bootstrap_cost_difference : What a difference in both rates is worth.

    Notes
    -----
    Dugas & Gadoury (2009), section 3.2, Algorithms 2 and 3. Only discordant cases matter, those that one model labels
    positive and the other does not; the two differences are trinomial and independent of each other. As for one model
    there is no ``sampling`` parameter. O(n log h + h^2) for the counts at h pairs, any pairs, and O(sqrt n) a law.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009.

    D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on
    paired data", Journal of Educational and Behavioral Statistics, 2012.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_threshold
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> y_score_a = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> y_score_b = [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> roc = bootstrap_roc_difference_at_threshold(y_true, y_score_a, y_score_b, thresholds_a=0.5, thresholds_b=0.5)
    >>> roc.tpr.estimate, roc.fpr.estimate
    (0.5, -0.25)
    >>> a, b = roc.dominance()
    >>> round(a, 4), round(b, 4)
    (0.9802, 0.0)
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = Cases.check(y_true, scores, pos_label=pos_label, sample_weight=sample_weight, groups=groups)
    return roc_difference_at_threshold_of(
        cases, "y_score_a", "y_score_b", thresholds_a=thresholds_a, thresholds_b=thresholds_b
    )


def roc_difference_at_threshold_of(
    cases: Cases, a: str, b: str, *, thresholds_a: ArrayLike, thresholds_b: ArrayLike
) -> ThresholdROCDifferenceResult | GroupedROCDifferenceResult:
    """Both rates of a column of checked cases less those of another."""
    chosen_a, chosen_b = _check_threshold_pairs(thresholds_a, thresholds_b)
    shape = chosen_a.shape
    axis = frozen_numbers(chosen_a, shape), frozen_numbers(chosen_b, shape)
    along = -chosen_a.ravel()
    about = {rate: Estimand(rate, difference=True, positive=cases.labels[1]) for rate in ("tpr", "fpr")}

    if cases.groups is not None:
        cells = count_cells(cases, (a, Cut(chosen_a)), (b, Cut(chosen_b)))
        groups = count_groups(cases, (a, Cut(chosen_a)), (b, Cut(chosen_b)))
        grouped = grouped_rate_laws([rate_law(*part) for part in cells], groups, [minus(rate, rate) for rate in RATES])
        tpr, fpr = (
            RateDifferenceResult(*grouped_parts(law, shape), *axis, **grouped_band(law, along), estimand=estimand)
            for law, estimand in zip(grouped, about.values(), strict=True)
        )
        return GroupedROCDifferenceResult(fpr, tpr, *axis)

    def rate(name: str, cells: Cells, overlap: Integers) -> RateDifferenceResult:
        law, curve = rate_law(*cells), rate_curve(cells, along, overlap)
        estimate = frozen_numbers(law.mean, shape)
        options: dict[str, Any] = {"band_methods": PATH_BANDS, "curve": curve, "estimand": about[name]}
        return RateDifferenceResult(estimate, law, METHODS, *axis, **options)

    (positive, negative), overlaps = count_along(cases, (a, Cut(chosen_a)), (b, Cut(chosen_b)), along)
    fpr, tpr = rate("fpr", negative, overlaps[1]), rate("tpr", positive, overlaps[0])
    return ThresholdROCDifferenceResult(fpr, tpr, *axis)


def _check_threshold_pairs(thresholds_a: ArrayLike, thresholds_b: ArrayLike) -> tuple[Floats, Floats]:
    """Two vectors of thresholds of one length, or numbers."""
    a = check_threshold_points("thresholds_a", thresholds_a)
    b = check_threshold_points("thresholds_b", thresholds_b)
    if a.ndim == b.ndim == 1 and len(a) != len(b):
        raise ValueError(f"thresholds_a and thresholds_b must come in pairs, got {len(a)} and {len(b)} of them.")
    a, b = np.broadcast_arrays(a, b)
    return a, b
