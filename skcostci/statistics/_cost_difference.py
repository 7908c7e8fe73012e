"""The difference in normalized expected cost of two models on the same cases, at each operating condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, equal_tuples, frozen_numbers, read_only, reduce_frozen
from skcostci._options import Normalizer, Sampling
from skcostci._validation import Booleans, Floats, check_grid
from skcostci.cases._cases import Cases
from skcostci.cuts import (
    ThresholdRule,
    count_along,
    count_groups,
    cut_pair,
)
from skcostci.laws import (
    FlatteredLaw,
    class_terms,
    grouped_law,
    minus,
)
from skcostci.metric import cost_weights
from skcostci.results._bands import BandedResult
from skcostci.results._differences import ComparedResult, DifferenceResult
from skcostci.statistics._chosen import chosen_difference_law
from skcostci.statistics._cost import BANDS, check_cost_sampling, cost_estimand, cost_law, cost_scale
from skcostci.statistics._curves import cost_curve
from skcostci.statistics._grouped import grouped_band, grouped_parts

METHODS = ("unseen_case", "agresti", "smoothed", "percentile", "bca", "wald")


class SignificantConditions(NamedTuple):
    """Stretches of operating conditions: where a is cheaper and where b is.

    Parameters
    ----------
    a, b : ndarray of shape (n_stretches, 2)
        The first and the last operating condition of each stretch.

    See Also
    --------
    CostDifferenceResult.significant : Gives them.

    Examples
    --------
    >>> import numpy as np
    >>> from skcostci import bootstrap_cost_difference
    >>> y_true, better = np.repeat([0, 1], 50), np.arange(100)
    >>> difference = bootstrap_cost_difference(y_true, better, -better, thresholds=(50, -50))
    >>> difference.significant().a.round(2)
    array([[0., 1.]])
    """

    a: Floats
    b: Floats

    def __eq__(self, other: object) -> bool:
        return equal_tuples(self, other)

    def __ne__(self, other: object) -> bool:
        return not equal_tuples(self, other)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_frozen(self)


@dataclass(frozen=True, repr=False, eq=False)
class GroupedCostDifferenceResult(BandedResult, ComparedResult):
    """The cost of model a less that of model b among cases that belong together, with the moments of its bootstrap law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The difference on the data as given; below 0 where a is cheaper.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    probability_cost : float or ndarray of shape (n_points,)
        The operating conditions, PC(+).
    thresholds_a, thresholds_b : float or ndarray of shape (n_points,)
        The thresholds used at each of them.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.
    band_methods : tuple of str
        The methods of simultaneous bands, the default first.
    curve : object
        What simultaneous bands are computed from.

    See Also
    --------
    bootstrap_cost_difference : Makes one.
    PairedCostDifferenceDisplay : Its picture.

    Examples
    --------
    >>> from skcostci import bootstrap_cost_difference
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> patients = ["a", "a", "b", "c", "a", "b", "c", "c"]
    >>> cuts = 0.5, 0.35
    >>> bootstrap_cost_difference(y_true, y_score, y_score, probability_cost=0.2, thresholds=cuts, groups=patients)
    GroupedCostDifferenceResult(estimate=0.05, standard_error=0.05124, 95 % interval -0.6505 to 0.6797)
    """

    probability_cost: Numbers
    thresholds_a: Numbers
    thresholds_b: Numbers

    def significant(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False, method: str | None = None
    ) -> SignificantConditions:
        """The operating conditions at which the interval, or the band, leaves out 0.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), of the pointwise intervals or of the band.
        simultaneous : bool, default=False
            Ask the band, which is wrong anywhere with a probability of one less the level. The pointwise intervals make
            no allowance for looking at many conditions: of two equal models they declare one cheaper somewhere in every
            second sample or so.
        method : str, default=None
            One of ``methods``, or of ``band_methods`` if simultaneous; None is the first of them.

        Returns
        -------
        SignificantConditions
            ``a``, where a is cheaper, and ``b``: each an array of shape (n_stretches, 2) of the first and the last
            operating condition of every unbroken run on the grid.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from skcostci import bootstrap_cost_difference
        >>> X, target = load_breast_cancer(return_X_y=True)
        >>> difference = bootstrap_cost_difference(target, X[:, 1], X[:, 4], pos_label=0)
        >>> difference.significant(0.95).a
        array([[0.48, 0.48]])
        """
        ask = self.confidence_band if simultaneous else self.confidence_interval
        limits = ask(confidence_level, method=method)
        order = np.argsort(np.atleast_1d(self.probability_cost))
        conditions, low, high = (np.atleast_1d(column)[order] for column in (self.probability_cost, *limits))
        return SignificantConditions(_runs(conditions, high < 0), _runs(conditions, low > 0))

    def _axis(self) -> dict[str, Numbers]:
        return {
            "probability_cost": self.probability_cost,
            "threshold_a": self.thresholds_a,
            "threshold_b": self.thresholds_b,
        }


@dataclass(frozen=True, repr=False, eq=False)
class CostDifferenceResult(GroupedCostDifferenceResult, DifferenceResult):
    """The cost of model a less that of model b at each operating condition, with its exact bootstrap law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The difference on the data as given; below 0 where a is cheaper.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    probability_cost : float or ndarray of shape (n_points,)
        The operating conditions, PC(+).
    thresholds_a, thresholds_b : float or ndarray of shape (n_points,)
        The thresholds used at each of them.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.
    band_methods : tuple of str
        The methods of simultaneous bands, the default first.
    curve : object
        What simultaneous bands are computed from.

    See Also
    --------
    bootstrap_cost_difference : Makes one.
    PairedCostDifferenceDisplay : Its picture.

    Examples
    --------
    >>> from skcostci import bootstrap_cost_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> bootstrap_cost_difference(y_true, a, b, probability_cost=0.5, thresholds=0.5)
    CostDifferenceResult(estimate=-0.25, standard_error=0.2339, 95 % interval -0.7477 to 0.4329)
    """


@overload
def bootstrap_cost_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule | tuple[ThresholdRule, ThresholdRule] = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: None = None,
) -> CostDifferenceResult: ...


@overload
def bootstrap_cost_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    groups: ArrayLike,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule | tuple[ThresholdRule, ThresholdRule] = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> GroupedCostDifferenceResult: ...


def bootstrap_cost_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule | tuple[ThresholdRule, ThresholdRule] = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> CostDifferenceResult | GroupedCostDifferenceResult:
    """The exact bootstrap law of the difference in cost of two models on the same cases, a - b.

    The bootstrap law of a statistic is its distribution over all resamples. Resampling approximates it; here no
    resample is drawn. An operating condition PC(+) says how much misses weigh beside false alarms: only
    alarms count at 0, only misses at 1 (:func:`probability_cost`).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        Finite scores of the two models, higher meaning more positive; they need not share a scale.
    probability_cost : int, float or array-like of shape (n_points,), default=101
        Operating conditions PC(+) in [0, 1], or an integer for that many, evenly spaced from 0 to 1.
    thresholds : rule or tuple of two rules, default="envelope"
        As in :func:`bootstrap_cost`, one rule for both models or a pair of them. The envelope flatters both models,
        the more flexible one more: with validation data use :func:`cost_minimizing_thresholds` for each.
    sampling : {"stratified", "full"}, default="stratified"
        Resample each class to its own size, or all cases together. The mean is the same, and so are the bands
        "equal_levels" and "kolmogorov", which are about the rates in either class.
    normalizer : {"mean", "max"}, default="mean"
        Under full sampling, keep the scale of stratified sampling or divide by the larger cost, which is then taken as
        given, as in :func:`bootstrap_cost`.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, such as the lesions of a patient: labels of any kind, of two groups or more. Whole
        groups are then resampled, with the classes they hold, and ``sampling`` is to be left alone.

    Returns
    -------
    CostDifferenceResult
        With ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval``, ``pvalue``,
        ``probabilities``, ``significant``, ``confidence_band`` and ``to_frame``. The interval methods:

        - "chosen" (default where a rule saw these cases, and only there): allows for both choices, as
          :func:`bootstrap_cost`'s does. A choice shifts the error of its model's cost, and that of the difference by
          their correlation times as much; the limit on that side gives way. Not proved: simulated with 60 cases a
          class, either limit missed at most .013 of the time (nominal .025), that of "unseen_case" up to .040; 1.2 to
          1.3 times as wide.
        - "unseen_case" (default at given thresholds): allows for one case more, the one on which the models differ
          most, as :func:`bootstrap_cost`'s does; wide where they seldom disagree. Searches over such rates
          (benchmarks/adversary.py, and with classes of one case) found it nowhere to cover less than the level; one
          limit misses .050, .025 and .0065 at most (nominal .05, .025 and .005).
        - "unseen_group" (default with ``groups``, and only there) and "effective_size": as :func:`bootstrap_cost`'s;
          the result is a :class:`GroupedCostDifferenceResult`, whose law is known through its moments.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither (Agresti & Min).
          Not to be trusted where one model's positives are part of the other's (coverage down to .76 at 90 %, .86 at
          95 %).
        - "smoothed": quantiles of the exact law with 1.5 pseudo-cases a class spread evenly over those four. As
          "agresti", and slower.
        - "percentile", "bca", "wald": from the raw law. Not to be trusted where the models seldom disagree: the
          intervals shrink towards a point.

    Raises
    ------
    ValueError
        If labels, scores, weights, operating conditions, thresholds or options are not as described.

    See Also
    --------
    bootstrap_cost : Of one model.
    PairedCostDifferenceDisplay : Its picture.
    compare_models : Compare several.

    Notes
    -----
    Dugas & Gadoury (2008), eqs. 6-8 (stratified) and 11-13 (full), whose difference has the opposite sign (their
    model 2 less model 1). Only discordant cases matter, those that one model labels positive and the other does not;
    the counts that enter (7) and (8) are theirs.

    Examples
    --------
    >>> from skcostci import bootstrap_cost_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> y_score_a = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> y_score_b = [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> result = bootstrap_cost_difference(y_true, y_score_a, y_score_b, probability_cost=0.5, thresholds=0.5)
    >>> float(result)
    -0.375
    >>> round(result.pvalue("less"), 4), round(result.pvalue("less", method="percentile"), 4)
    (0.3087, 0.0198)
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = Cases.check(y_true, scores, pos_label=pos_label, sample_weight=sample_weight, groups=groups)
    return cost_difference_of(
        cases,
        "y_score_a",
        "y_score_b",
        probability_cost=probability_cost,
        thresholds=thresholds,
        sampling=sampling,
        normalizer=normalizer,
    )


def cost_difference_of(
    cases: Cases,
    a: str,
    b: str,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule | tuple[ThresholdRule, ThresholdRule] = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
) -> CostDifferenceResult | GroupedCostDifferenceResult:
    """The cost of a column of checked cases less that of another."""
    check_cost_sampling(sampling, normalizer)
    cases.check_group_sampling(sampling, "stratified")
    conditions = check_grid("probability_cost", probability_cost)
    cut_a, cut_b = cut_pair("thresholds", thresholds, conditions, cases, (a, b))
    w = conditions.ravel()
    methods: tuple[str, ...] = METHODS
    cells, overlaps = count_along(cases, (a, cut_a), (b, cut_b), w)
    law = cost_law(*cells, w, sampling, normalizer)
    if cut_a.selected or cut_b.selected:
        chosen = [(cases.counts(a), cut_a), (cases.counts(b), cut_b)]
        law, methods = chosen_difference_law(law, cells, chosen, w), ("chosen", *methods)
    axis = tuple(
        frozen_numbers(values, conditions.shape) for values in (conditions, cut_a.thresholds, cut_b.thresholds)
    )
    estimand = cost_estimand(cases, conditions, normalizer, cut_a.selected or cut_b.selected, difference=True)
    if cases.groups is not None:
        flatteries = law.flatteries if isinstance(law, FlatteredLaw) else ()
        costs = cost_weights(w)
        groups = count_groups(cases, (a, cut_a), (b, cut_b))
        grouped = grouped_law(law, groups, class_terms(minus(costs, costs)), flatteries)
        band = grouped_band(grouped, w)
        return GroupedCostDifferenceResult(*grouped_parts(grouped, conditions.shape), *axis, **band, estimand=estimand)
    return CostDifferenceResult(
        frozen_numbers(law.mean, conditions.shape),
        law,
        methods,
        *axis,
        band_methods=BANDS,
        curve=cost_curve(*cells, w, cost_scale(cases.sizes, w, normalizer), overlaps),
        estimand=estimand,
    )


def _runs(conditions: Floats, holds: Booleans) -> Floats:
    """The first and last condition of each run of points where something holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]]).astype(int)))
    return read_only(np.column_stack([conditions[edges[::2]], conditions[edges[1::2] - 1]]))
