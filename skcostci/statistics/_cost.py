"""Cost curves: the normalized expected cost of a model, or of a minus b, at each operating condition.

At the operating condition w = PC(+) a missed positive costs w and a false alarm 1 - w, each as a share of its class:
``w * FNR + (1 - w) * FPR`` (Dugas & Gadoury 2008, eqs. 3-5). A difference is the same sum over the joint cells of two
models; a cell where both models are right, or both wrong, has the value 0 (eqs. 6-8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats
from skcostci._described import described
from skcostci._frozen import Numbers, read_only, tuple_of_numbers
from skcostci._options import Label, Normalizer, Sampling, WeightType, explains_calls
from skcostci._shown import Shown
from skcostci._validation._arguments import check_grid, check_option
from skcostci._validation._rows import GivenRows, SampleOptions
from skcostci.cases._cases import Cases
from skcostci.cuts import Cells, ThresholdRule, cuts_by, of_both_classes
from skcostci.laws.exact._linear import LinearLaw, linear_law, minus
from skcostci.laws.influence._first_order import OF_COUNTS
from skcostci.metric import cost_weights
from skcostci.results._banded import BandedResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import THRESHOLDS, DifferenceResult, ExactResult
from skcostci.statistics._points import (
    Points,
    chosen_cost_law,
    cost_curve,
    difference_optimisms,
    hits_of,
    mean_over_parts,
)
from skcostci.statistics._units import ClassMeans, law_of_terms
from skcostci.statistics._weight_types import continuous_in_weights, weighed

METHODS: dict[str, tuple[str, ...]] = {
    "stratified": ("unseen_case", "smoothed", "wilson", "percentile", "agresti", "wald"),
    "full": ("unseen_case", "smoothed", "percentile", "agresti", "wald"),
}
DIFFERENCE_METHODS: dict[str, tuple[str, ...]] = {
    "stratified": ("unseen_case", "extrapolated", "agresti", "smoothed", "percentile", "wald"),
    # no "extrapolated": it misses a rare disagreement in the class that weighs most, with coverage down to .6
    "full": ("unseen_case", "agresti", "smoothed", "percentile", "wald"),
}
BANDS = ("path", "equal_levels", "kolmogorov")
SELECTED_BANDS = ("equal_levels", "kolmogorov", "path")


@dataclass(frozen=True, repr=False, eq=False)
class CostResult(BandedResult, ExactResult):
    """The cost of one model at each operating condition, with its bootstrap distribution.

    Returned by :func:`bootstrap_cost` and drawn by :class:`CostCurveDisplay`; costs are normalized. In addition to what
    every :class:`BandedResult` has:

    Parameters
    ----------
    probability_cost : float or ndarray of shape (n_points,)
        The operating conditions, PC(+).
    thresholds : float or ndarray of shape (n_points,)
        The threshold used at each of them.

    Examples
    --------
    >>> from skcostci import bootstrap_cost
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> cost = bootstrap_cost(y_true, y_score, probability_cost=[0.2, 0.5], thresholds=0.5)
    >>> cost
    CostResult(cost, 2 points, probability_cost 0.2 to 0.5, estimate 0.25 to 0.25, 95 % intervals within 0.0186 to
    0.7374 by unseen_case)
    >>> cost.cdf(0.25).round(4), cost.quantile(0.95)
    (array([0.6279, 0.6785]), array([0.6, 0.5]))
    """

    probability_cost: Numbers
    thresholds: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"probability_cost": self.probability_cost, "threshold": self.thresholds}


@tuple_of_numbers
class SignificantConditions(Shown, NamedTuple("SignificantConditions", [("a", Floats), ("b", Floats)])):
    """The ranges of operating conditions in which model a is significantly cheaper, and those in which b is.

    Returned by :meth:`CostDifferenceResult.significant`.

    Parameters
    ----------
    a, b : ndarray of shape (n_stretches, 2)
        The first and the last operating condition of each range.

    Examples
    --------
    >>> import numpy as np
    >>> from skcostci import bootstrap_cost_difference
    >>> y_true, better = np.repeat([0, 1], 50), np.arange(100)
    >>> difference = bootstrap_cost_difference(y_true, better, -better, thresholds=(50, -50))
    >>> difference.significant().a.round(2)
    array([[0., 1.]])
    """

    def _columns(self) -> Mapping[str, ArrayLike]:
        """A row per stretch: the cheaper model, the first and the last condition."""
        start, end = np.concatenate(self).T
        return {"cheaper": np.repeat(["a", "b"], [len(self.a), len(self.b)]), "start": start, "end": end}


@dataclass(frozen=True, repr=False, eq=False)
class CostDifferenceResult(BandedResult, DifferenceResult):
    """The cost of model a minus that of model b at each operating condition, with its bootstrap distribution.

    Returned by :func:`bootstrap_cost_difference` and drawn by :class:`PairedCostDifferenceDisplay`; negative values
    favour a. In addition to what every :class:`BandedResult` has:

    Parameters
    ----------
    probability_cost : float or ndarray of shape (n_points,)
        The operating conditions, PC(+).
    thresholds : tuple of float or ndarray of shape (n_points,)
        The thresholds of a and those of b, at each operating condition.

    Examples
    --------
    >>> from skcostci import bootstrap_cost_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> difference = bootstrap_cost_difference(y_true, a, b, probability_cost=0.5, thresholds=0.5)
    >>> difference
    CostDifferenceResult(cost difference, probability_cost=0.5, threshold_a=0.5, threshold_b=0.5, estimate=-0.25,
    standard_error=0.2339, 95 % interval -0.7477 to 0.4329 by unseen_case, p=1)
    >>> [round(p, 4) for p in difference.probabilities()]
    [0.7873, 0.119, 0.0937]
    """

    probability_cost: Numbers
    thresholds: tuple[Numbers, Numbers]

    def significant(
        self, confidence_level: float = 0.95, *, simultaneous: bool = True, method: str | None = None
    ) -> SignificantConditions:
        """The operating conditions at which the simultaneous band, or the pointwise interval, excludes 0.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), of the band or of the pointwise intervals.
        simultaneous : bool, default=True
            True uses the band: for two equal models the probability that it excludes 0 anywhere is 1 minus the level.
            False uses the pointwise interval of each condition, without adjustment for their number: for two equal
            models some interval excludes 0 in about every second sample.
        method : str, default=None
            One of ``band_methods``, or of ``methods`` if not simultaneous; None is the first of them.

        Returns
        -------
        SignificantConditions
            ``a``, where a is cheaper, and ``b``, where b is: arrays of shape (n_stretches, 2) with the first and the
            last operating condition of each unbroken range on the grid.
        """
        if simultaneous and method in self.methods and method not in self.band_methods:
            check_option("method", method, self.band_methods, " For each condition separately pass simultaneous=False.")
        ask = self.confidence_band if simultaneous else self.confidence_interval
        limits = ask(confidence_level, method=method)
        order = np.argsort(np.atleast_1d(self.probability_cost))
        conditions, low, high = (np.atleast_1d(column)[order] for column in (self.probability_cost, *limits))
        return SignificantConditions(_runs(conditions, high < 0), _runs(conditions, low > 0))

    def _axis(self) -> dict[str, Numbers]:
        return {"probability_cost": self.probability_cost, **dict(zip(THRESHOLDS, self.thresholds, strict=True))}


@explains_calls
@described(SampleOptions)
def bootstrap_cost(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    resample_size: int | tuple[int, int] | None = None,
) -> CostResult:
    """A model's cost curve with confidence intervals and bands: the normalized expected cost.

    >>> from skcostci import bootstrap_cost
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_cost(y_true, y_score, probability_cost=0.2, thresholds=0.5)
    CostResult(cost, probability_cost=0.2, threshold=0.5, estimate=0.25, standard_error=0.1785, 95 % interval 0.0186 to
    0.7374 by unseen_case)

    At an operating condition PC(+) = w the cost is ``w * FNR + (1 - w) * FPR``, in [0, 1]: at 0 only false alarms
    count, at 1 only misses (:func:`probability_cost`). **In money per case** it is this number times ``prevalence *
    cost_fn + (1 - prevalence) * cost_fp``; :func:`bootstrap_expected_cost` gives costs per case with intervals.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive. A case is labelled
        positive if its score is at least the threshold.
    probability_cost : int, float or array-like of shape (n_points,), default=101
        Operating conditions PC(+) in [0, 1], or an integer for that many, evenly spaced from 0 to 1.
    thresholds : array-like of shape (n_points,), float, callable or {"envelope", "probability"}, default="envelope"
        The threshold at each operating condition, infinite ones allowed, or one for all. A callable is given the
        operating conditions. "probability" treats the scores as probabilities at prevalence 1/2: 1 - PC(+). "envelope"
        takes the threshold that costs least **on these data**, of equally cheap ones the largest: the classical cost
        curve. It is optimistic, and the result is ``selected``; with validation data use
        :func:`cost_minimizing_thresholds`.
    sampling : {"stratified", "full"}, default="stratified"
        Resample each class to its own size, or all cases together, so that the class mix varies too. The choice does
        not affect the mean, nor the bands "equal_levels" and "kolmogorov", which are about the rates in each class.
    normalizer : {"mean", "max"}, default="mean"
        Under full sampling, "mean" keeps the scale of stratified sampling and "max" divides by the number of cases
        times the larger of the two costs, as the 2008 paper does, limits too, by the class mix of the sample.
    resample_size : int or tuple of two int, default=None
        How many cases a resample has, if not as many as the sample: in all, in the classes' proportions, or (positives,
        negatives); under full sampling one number. ``standard_error``, ``cdf``, ``quantile`` and the methods made from
        that distribution change. **The default interval does not**: more draws from the same cases contain no more
        information about the population. Not with groups, folds or importance weights.

    Returns
    -------
    CostResult
        With ``confidence_interval`` (pointwise) and ``confidence_band`` (simultaneous for all points). The methods:

        - "chosen" (default with "envelope", not available otherwise): the lower limit is that of "unseen_case", the
          upper one has a smaller error probability, as the threshold was chosen on the same data.
        - "envelope" (only with "envelope"): for another target, the least cost that any threshold has in the
          population.
        - "unseen_case" (default at given thresholds without ``groups``): allows for one additional case in each class
          (under full sampling one in all): an error for the upper limit, a correct case for the lower one.
        - "extrapolated" (only with ``groups``; the default at given thresholds): allows for one additional group as
          extreme as those in the sample suggest. Not to be trusted where some groups fail as a whole and the sample may
          contain none: "unseen_group" allows for them; up to twice as wide.
        - "smoothed": quantiles of the exact distribution with 1.5 pseudo-cases per class; "wilson" (stratified only):
          score limits of each class's error rate, combined by MOVER. Not to be trusted where errors are rare in one
          class.
        - "percentile", "wald" (the 2008 paper's choice): from the bootstrap distribution. Not to be trusted
          where few errors were observed: zero width there.
        - "agresti": a Gaussian with 2 pseudo-cases per cell. Not to be trusted when both classes have few cases.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    CostCurve : The geometry of the curve: envelope, operating range, crossings.
    CostCurveDisplay : Its picture.

    Notes
    -----
    **The distribution** is that of Dugas & Gadoury (2008), eqs. 3-5 (stratified) and 9-10 (full), itself in place of
    their Gaussian. With groups, folds or importance weights only its mean and variance are available. At an infinite
    threshold the rates are known, not estimated, and stratified intervals have zero width.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of cost curves", ICML 2008.
    """
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    how: dict[str, Any] = {"probability_cost": probability_cost, "thresholds": thresholds, "normalizer": normalizer}
    how["resample_size"] = resample_size
    return weighed(cost_of(cases, "y_score", sampling=sampling, **how), rows, CostResult)


@explains_calls
@described(bootstrap_cost)
def bootstrap_cost_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule | tuple[ThresholdRule, ThresholdRule] = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    resample_size: int | tuple[int, int] | None = None,
) -> CostDifferenceResult:
    """The difference in cost of two models, a - b, on the same cases, with its confidence interval and p-value.

    >>> from skcostci import bootstrap_cost_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> bootstrap_cost_difference(y_true, a, b, probability_cost=0.5, thresholds=0.5)
    CostDifferenceResult(cost difference, probability_cost=0.5, threshold_a=0.5, threshold_b=0.5, estimate=-0.375,
    standard_error=0.1654, 95 % interval -0.7712 to 0.2989 by unseen_case, p=0.62)

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.
    thresholds : rule or tuple of two rules, default="envelope"
        A threshold, one for each operating condition, a callable, "envelope" or "probability", for both models, or a
        pair of these. The envelope makes both models look better than they are, the more flexible one more: with
        validation data use :func:`cost_minimizing_thresholds` for each.

    Returns
    -------
    CostDifferenceResult
        With ``probabilities``, ``significant`` and ``confidence_band``. The interval methods:

        - "chosen" (default where a rule chose thresholds on these cases, not available otherwise): the choice of a's
          threshold makes the difference look too low, so the upper limit is moved outwards; because of b's the lower
          limit is moved, too.
        - "unseen_case" (default at given thresholds without ``groups``): allows for one additional case in each class,
          on which the models differ most; wide where they seldom disagree.
        - "extrapolated" (only with ``groups``; the default at given thresholds): allows for one additional group as
          extreme as those in the sample suggest; "unseen_group" for one that is all wrong under one model alone.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither (Agresti & Min);
          "smoothed": quantiles of the exact distribution with 1.5 pseudo-cases per class spread over those four. Not to
          be trusted where one model's positives are part of the other's.
        - "percentile", "wald": from the raw distribution. Not to be trusted where the models seldom disagree:
          the intervals have nearly zero width.

        Coverage is in :doc:`/user_guide/coverage`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    bootstrap_cost : The cost of one model.
    PairedCostDifferenceDisplay : Its picture.

    Notes
    -----
    **The distribution**: Dugas & Gadoury (2008), eqs. 6-8 (stratified) and 11-13 (full), whose difference has the
    opposite sign (model 2 minus model 1). Only discordant cases matter, those that one model labels positive and the
    other does not; the counts in (7) and (8) are the numbers of discordant cases.
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, scores, pos_label=pos_label, **rows)
    how: dict[str, Any] = {"probability_cost": probability_cost, "thresholds": thresholds, "normalizer": normalizer}
    how["resample_size"] = resample_size
    return weighed(cost_of(cases, *scores, sampling=sampling, **how), rows, CostDifferenceResult)


@continuous_in_weights
def cost_of(
    cases: Cases,
    *columns: str,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule | tuple[ThresholdRule, ThresholdRule] = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    resample_size: int | tuple[int, int] | None = None,
) -> Any:
    """The cost of a column of checked cases, or the cost of a minus that of b."""
    draws = cases.check_resample_size(resample_size, sampling)
    if cases.folds is not None:
        how = {"probability_cost": probability_cost, "thresholds": thresholds, "normalizer": normalizer}
        cases.check_sampling(sampling, "stratified")
        return _cost_of_folds(cases, columns, how)
    check_option("sampling", sampling, Sampling)
    valid = Normalizer if sampling == "full" else ("mean",)
    check_option("normalizer", normalizer, valid, " The normalizer can be chosen only with sampling='full'.")
    cases.check_sampling(sampling, "stratified")
    conditions = check_grid("probability_cost", probability_cost)
    cuts = cuts_by("thresholds", thresholds, conditions, cases, columns)
    cases.check_choice(cut.selected for cut in cuts)
    axis = conditions, *(cut.thresholds for cut in cuts)
    points = Points(cases, list(zip(columns, cuts, strict=True)), conditions.ravel(), axis)
    w, (cells, overlaps) = points.along, points.counted
    scale = np.ones_like(w) if normalizer == "mean" else 1 / _costs_of_a_case(cases.sizes, w).max(axis=1)
    law, methods, bands = _law_at(points, scale, sampling, normalizer, draws)
    estimand = Estimand(
        "cost",
        points.paired,
        normalizer=normalizer,
        positive=cases.labels[1],
        axis={"probability_cost": conditions},
        selected=points.selected,
    )
    values = minus(cost_weights(w), cost_weights(w)) if points.paired else cost_weights(w)
    kind = CostDifferenceResult if points.paired else CostResult
    curve = cost_curve(*cells, w, scale, overlaps)
    return points.result(kind, law, lambda each: cost_law(*each.counted[0], w), values, methods, bands, curve, estimand)


def _law_at(
    points: Points, scale: Floats, sampling: Sampling, normalizer: Normalizer, draws: tuple[int, ...] | None
) -> tuple[LinearLaw, tuple[str, ...], tuple[str, ...]]:
    w, (cells, _), at = points.along, points.counted, partial(cost_law, sampling=sampling, normalizer=normalizer)
    law, methods = at(*cells, w, draws=draws), (DIFFERENCE_METHODS if points.paired else METHODS)[sampling]
    if not points.selected:
        return law, methods, BANDS
    if points.paired:
        return replace(law, optimisms=difference_optimisms(cells, points.chosen, w)), ("chosen", *methods), BANDS
    chosen = chosen_cost_law(law, *points.chosen[0], w, scale, at)
    return chosen, ("chosen", *methods, "envelope"), SELECTED_BANDS


def _cost_of_folds(cases: Cases, columns: Sequence[str], how: Mapping[str, Any]) -> Any:
    folds, design, low = cases.parts(), cases.design(), 0.0 if len(columns) == 1 else -1.0
    each = [cost_of(fold, *columns, **how) for fold in folds]
    if cases.rows.stand_alone:
        return mean_over_parts(each)
    w, costs = np.ravel(each[0].probability_cost), []
    for part, fold, result in zip(design.parts, folds, each, strict=True):
        hits = hits_of(fold, columns, result.thresholds)  # an error is worth 1; for two models a's minus b's
        errors = np.where(fold.positive[:, None], 1.0 + low - hits, hits)
        costs.append(ClassMeans(part, errors, np.array([1 - w, w]), np.full((2, 1), low), np.ones((2, 1))))
    law = law_of_terms(design, costs, (low, 1.0), OF_COUNTS, paired=len(columns) == 2)
    return mean_over_parts(each, law, cases.n_groups or None)


def cost_law(
    positive: Cells,
    negative: Cells,
    w: Floats,
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    draws: tuple[int, ...] | None = None,
) -> LinearLaw:
    """The law of the cost: w per missed positive, 1 - w per false alarm; for two models a's minus b's."""
    counts, possible = of_both_classes(positive, negative)
    costs, sizes = cost_weights(w), (int(positive.counts[0].sum()), int(negative.counts[0].sum()))
    if sampling == "full":
        costs = _costs_of_a_case(sizes, w)
        costs = costs / costs.max(axis=1, keepdims=True) if normalizer == "max" else costs
    return linear_law(counts, costs if counts.shape[1] == 4 else minus(costs, costs), possible, sampling, draws)


def _costs_of_a_case(sizes: tuple[int, int], w: Floats) -> Floats:
    """The cost of a case in each cell, where cells are shares of all cases rather than of their class."""
    return np.asarray(cost_weights(w) * (sum(sizes) / np.repeat(sizes, 2)))


def _runs(conditions: Floats, holds: Booleans) -> Floats:
    """The first and last condition of each run of points where something holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]]).astype(int)))
    return read_only(np.column_stack([conditions[edges[::2]], conditions[edges[1::2] - 1]]))
