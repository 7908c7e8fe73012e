"""Cost curves: the normalized expected cost of a model at each operating condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._options import NORMALIZERS, SAMPLINGS, Normalizer, Sampling
from skcostci._validation import Floats, check_alone, check_fold_sampling, check_grid, check_option
from skcostci.cases._cases import Cases, split_folds
from skcostci.cuts import (
    Cells,
    ThresholdRule,
    count_cells,
    count_groups,
    cut_by,
    of_both_classes,
)
from skcostci.laws import (
    ChosenCostLaw,
    Flattery,
    LinearLaw,
    class_terms,
    grouped_law,
    linear_law,
    minus,
)
from skcostci.metric import cost_weights
from skcostci.results._bands import BandedResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import ExactResult
from skcostci.statistics._chosen import chosen_cost_law
from skcostci.statistics._curves import cost_curve
from skcostci.statistics._folded import FoldedCostResult, mean_of
from skcostci.statistics._grouped import grouped_band, grouped_parts

METHODS: dict[str, tuple[str, ...]] = {
    "stratified": ("unseen_case", "smoothed", "wilson", "percentile", "bca", "agresti", "wald"),
    "full": ("unseen_case", "smoothed", "percentile", "bca", "agresti", "wald"),
}
BANDS = ("path", "equal_levels", "kolmogorov")
SELECTED_BANDS = ("equal_levels", "kolmogorov", "path")


@dataclass(frozen=True, repr=False, eq=False)
class GroupedCostResult(BandedResult):
    """The cost of one model among cases that belong together, with the moments of its bootstrap law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The normalized cost on the data as given.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    probability_cost : float or ndarray of shape (n_points,)
        The operating conditions, PC(+).
    thresholds : float or ndarray of shape (n_points,)
        The threshold used at each of them.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.
    band_methods : tuple of str
        The methods of simultaneous bands, the default first.
    curve : object
        What simultaneous bands are computed from.

    See Also
    --------
    bootstrap_cost : Makes one.
    CostCurveDisplay : Its picture.

    Examples
    --------
    >>> from skcostci import bootstrap_cost
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> patients = ["a", "a", "b", "c", "a", "b", "c", "c"]
    >>> bootstrap_cost(y_true, y_score, probability_cost=0.2, thresholds=0.5, groups=patients)
    GroupedCostResult(estimate=0.25, standard_error=0.1756, 95 % interval 0.01143 to 0.8226)
    """

    probability_cost: Numbers
    thresholds: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"probability_cost": self.probability_cost, "threshold": self.thresholds}


@dataclass(frozen=True, repr=False, eq=False)
class CostResult(GroupedCostResult, ExactResult):
    """The cost of one model at each operating condition, with its exact bootstrap law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The normalized cost on the data as given.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    probability_cost : float or ndarray of shape (n_points,)
        The operating conditions, PC(+).
    thresholds : float or ndarray of shape (n_points,)
        The threshold used at each of them.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.
    band_methods : tuple of str
        The methods of simultaneous bands, the default first.
    curve : object
        What simultaneous bands are computed from.

    See Also
    --------
    bootstrap_cost : Makes one.
    CostCurveDisplay : Its picture.

    Examples
    --------
    >>> from skcostci import bootstrap_cost
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_cost(y_true, y_score, probability_cost=[0.2, 0.5], thresholds=0.5)
    CostResult(2 points, estimate 0.25 to 0.25, 95 % intervals within 0.0186 to 0.7374)
    """


@overload
def bootstrap_cost(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: None = None,
) -> CostResult: ...


@overload
def bootstrap_cost(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    groups: ArrayLike,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> GroupedCostResult: ...


@overload
def bootstrap_cost(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    folds: ArrayLike,
    thresholds: ThresholdRule,
    probability_cost: int | ArrayLike = 101,
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> FoldedCostResult: ...


def bootstrap_cost(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> CostResult | GroupedCostResult | FoldedCostResult:
    """The exact bootstrap law of a model's normalized expected cost, at each operating condition.

    The bootstrap law of a statistic is its distribution over all resamples. Resampling approximates it; here no
    resample is drawn. An operating condition PC(+) says how much misses weigh beside false alarms: only
    alarms count at 0, only misses at 1 (:func:`probability_cost`).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present.
    y_score : array-like of shape (n_samples,)
        Finite scores, higher meaning more positive. A case is labelled positive if its score is at least the
        threshold.
    probability_cost : int, float or array-like of shape (n_points,), default=101
        Operating conditions PC(+) in [0, 1] (see :func:`probability_cost`), or an integer for that many, evenly
        spaced from 0 to 1.
    thresholds : array-like of shape (n_points,), float, callable or {"envelope", "probability"}, default="envelope"
        The threshold at each operating condition, infinite ones allowed; a single number serves them all. A callable
        is given the operating conditions. "probability" takes the scores for probabilities at prevalence 1/2:
        1 - PC(+). "envelope" takes what would have cost least **on these data**, of equally cheap ones the largest:
        the classical cost curve. It is optimistic, because the thresholds have seen the data that judge them: the
        result is then ``selected`` and its default interval "chosen". With validation data use
        :func:`cost_minimizing_thresholds`.
    sampling : {"stratified", "full"}, default="stratified"
        Resample each class to its own size, or all cases together, so that the class mix varies too. The mean is the
        same, and so are the bands "equal_levels" and "kolmogorov", which are about the rates in either class.
    normalizer : {"mean", "max"}, default="mean"
        Under full sampling, "mean" keeps the scale of stratified sampling and "max" divides by the number of cases
        times the larger of the two costs, as the 2008 paper does. Limits are divided likewise: what mistakes cost is
        taken as given, and coverage is that of "mean". Where it is the operating condition that is given, the divisor
        depends on a class mix that is not known, and limits do not allow for that.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, such as the lesions of a patient: labels of any kind, of two groups or more. Whole
        groups are then resampled, with the classes they hold, and ``sampling`` is to be left alone.
    folds : array-like of shape (n_samples,), default=None
        Of out-of-fold scores, the fold in which each case was tested: labels of any kind, both classes in each. The
        result is then the mean over folds, at thresholds given beforehand: a :class:`FoldedCostResult`, about the
        models of these folds (see :func:`bootstrap_auc`), without ``cdf``, ``quantile`` and bands. Not with ``groups``.

    Returns
    -------
    CostResult
        With ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval`` and
        ``confidence_band``, which holds at all points at once, and ``to_frame``. Intervals are pointwise. The methods:

        - "chosen" (default with "envelope", and only there): an interval for the true cost at the chosen threshold. The
          lower limit is that of "unseen_case"; the upper one is that at the stricter level that the thresholds in reach
          ask for, and no more than the largest error over all thresholds (see Notes). Not proved:
          simulated with 10 to 1000 cases a class, seven populations, either limit missed at most .025 of the time
          (nominal .025) up to simulation error, .033 with scores that tell nothing; 1.1 to 1.4 times as wide as
          "unseen_case", whose upper limit missed up to .24.
        - "envelope" (only with "envelope"): for another target, the least cost that any threshold has in the
          population. The lower limit is the least of those of "unseen_case" at all thresholds: it is below the
          target as often as the limit at a threshold given beforehand is below its cost (proved: the best threshold of
          the population is such a one). The upper limit is that of "chosen", since no threshold costs less than the
          best. Where there are more than 2000 distinct scores the lower limit is a little lower than need be.
        - "unseen_case" (default at given thresholds): allows for one case more, at the worst value that was not seen.
          Of one class alone that gives Clopper and Pearson's limits; of both, and under full sampling, a Beta law with
          the first three moments (see Notes). Searches over error rates (benchmarks/adversary.py, and with classes of
          one case) found it nowhere to cover less than the level; one limit misses .050, .025 and .0065 at most
          (nominal .05, .025 and .005).
        - "smoothed": quantiles of the exact law with 1.5 pseudo-cases a class, spread evenly over hits and misses. A
          tenth narrower; not to be trusted where errors are rare in one class (coverage down to .70 at 90 %, .77 at
          95 %).
        - "wilson" (stratified only): score limits of each class's error rate, combined by MOVER. Not to be trusted
          where errors are rare in one class (.79 and .83).
        - "percentile": quantiles of the exact bootstrap law; "bca": with bias and skewness corrected; "wald": a
          Gaussian with the law's moments, the 2008 paper's choice. None of these to be trusted where few errors were
          observed: they shrink to points there, and coverage falls to 0.
        - "unseen_group" (default with ``groups``, and only there): one group more, of typical size, may be all wrong
          (or all right); a Beta law takes the moments that the cost has when groups get Dirichlet weights, widened by
          Student's t in so far as the variance was estimated. It holds where a few groups fail whole. The result is
          then a :class:`GroupedCostResult`, whose law is known through its moments.
        - "effective_size" (with ``groups``, and only there): the default limits of as many cases that stand for
          themselves as the groups are worth, by their design effect and Student's t. Not to be trusted where errors
          come by the group: at nominal .95 it covers .85 at worst where a small share of groups fails whole (accuracy
          .76), and .68 where the large ones do.
        - "agresti": a Gaussian with 2 pseudo-cases a cell. Not to be trusted when both classes have few cases: the
          two biases add up (coverage down to .57 at 25 a class, .33 at 10).

    Raises
    ------
    ValueError
        If labels, scores, weights, operating conditions, thresholds or options are not as described.

    See Also
    --------
    CostCurve : The geometry of the curve: envelope, operating range, crossings.
    CostCurveDisplay : Its picture.

    Notes
    -----
    Dugas & Gadoury (2008), eqs. 3-5 (stratified) and 9-10 (full), with the law itself in place of their Gaussian.
    At PC(+) = w the cost is ``w * FNR + (1 - w) * FPR``. Under stratified resampling the two error counts are
    independent binomials; their convolution is evaluated on windows of a few standard deviations, O(sqrt n) a value,
    after O(n log n) for sorting. Nothing is random. Under full sampling the costs are taken as ``w`` and ``1 - w``
    over the class shares of the data.

    At an infinite threshold the rates are known, not estimated, and stratified intervals are points.

    "unseen_case": one case is added to a class, at the most that an error there costs for an upper limit, and the
    shares get the Dirichlet law of the n + 1 cases, as in Gaffke (2005). The limit is a quantile of the Beta law with
    that mean, variance and third moment which ends at the most; moments of the classes are added.

    "chosen": along the thresholds that cost little more on these data (by two standard deviations of the difference at
    most) the standardized error moves as a random walk does, with steps of length ``h``, the growth of the variance of
    a difference over twice the variance of a cost. It passes c somewhere with a probability of about
    ``Phi(-c) + sum(min(h c phi(c), Phi(-c)))``, and the upper limit is that of "unseen_case" at the tail probability
    Phi(-c) for which this is the level's. Over all thresholds the error is largest, for many cases, where the scores
    tell nothing, and is then a Brownian bridge times ``sqrt(w^2 / n_positive + (1 - w)^2 / n_negative)``.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of cost curves", ICML 2008.

    N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable",
    Mathematical Methods of Statistics 14(4), 2005.

    Examples
    --------
    >>> from skcostci import bootstrap_cost
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> y_score = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> result = bootstrap_cost(y_true, y_score, probability_cost=[0.2, 0.5])
    >>> result.estimate
    array([0.1  , 0.125])
    >>> low, high = result.confidence_interval(0.9)
    >>> low.round(3), high.round(3)
    (array([0.02 , 0.006]), array([0.605, 0.558]))
    """
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight, groups=groups)
    ask = partial(cost_of, probability_cost=probability_cost, thresholds=thresholds, normalizer=normalizer)
    if folds is not None:
        check_alone(groups=groups, folds=folds)
        check_fold_sampling(sampling)
        return mean_cost([ask(fold, "y_score") for fold in split_folds(cases, folds, sample_weight)])
    return ask(cases, "y_score", sampling=sampling)


def cost_of(
    cases: Cases,
    column: str,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule = "envelope",
    sampling: Sampling = "stratified",
    normalizer: Normalizer = "mean",
) -> CostResult | GroupedCostResult:
    """The cost of a column of checked cases."""
    check_cost_sampling(sampling, normalizer)
    cases.check_group_sampling(sampling, "stratified")
    conditions = check_grid("probability_cost", probability_cost)
    cut = cut_by("thresholds", thresholds, conditions, cases, column)
    w, cells, methods = conditions.ravel(), count_cells(cases, (column, cut)), METHODS[sampling]
    law, scale = cost_law(*cells, w, sampling, normalizer), cost_scale(cases.sizes, w, normalizer)
    if cut.selected:
        at = partial(cost_law, sampling=sampling, normalizer=normalizer)
        law, methods = chosen_cost_law(law, cases.counts(column), cut, w, scale, at), ("chosen", *methods, "envelope")
    axis = frozen_numbers(conditions, conditions.shape), frozen_numbers(cut.thresholds, conditions.shape)
    estimand = cost_estimand(cases, conditions, normalizer, cut.selected)
    if cases.groups is not None:
        flatteries = (Flattery(law.choice, np.ones_like(w), 1),) if isinstance(law, ChosenCostLaw) else ()
        grouped = grouped_law(law, count_groups(cases, (column, cut)), class_terms(cost_weights(w)), flatteries)
        band = grouped_band(grouped, w)
        return GroupedCostResult(*grouped_parts(grouped, conditions.shape), *axis, **band, estimand=estimand)
    return CostResult(
        frozen_numbers(law.mean, conditions.shape),
        law,
        methods,
        *axis,
        band_methods=SELECTED_BANDS if cut.selected else BANDS,
        curve=cost_curve(*cells, w, scale),
        estimand=estimand,
    )


def cost_estimand(
    cases: Cases, conditions: Floats, normalizer: Normalizer, selected: bool, difference: bool = False
) -> Estimand:
    """What a cost, or a difference of two, is of."""
    axis = {"probability_cost": conditions}
    positive = cases.labels[1]
    return Estimand("cost", difference, normalizer=normalizer, positive=positive, axis=axis, selected=selected)


def mean_cost(results: Sequence[CostResult | GroupedCostResult]) -> FoldedCostResult:
    """From the folds' costs at the same thresholds."""
    first = results[0]
    estimand = replace(first.estimand, folds=True)
    return FoldedCostResult(*mean_of(results), first.probability_cost, first.thresholds, estimand=estimand)


def cost_law(
    positive: Cells, negative: Cells, w: Floats, sampling: Sampling = "stratified", normalizer: Normalizer = "mean"
) -> LinearLaw:
    """A missed positive costs w, a false alarm 1 - w; of two models, what a pays less what b pays."""
    counts, possible = of_both_classes(positive, negative)
    costs, sizes = cost_weights(w), (int(positive.counts[0].sum()), int(negative.counts[0].sum()))
    if sampling == "full":
        costs = _costs_of_a_case(sizes, w)
        costs = costs / costs.max(axis=1, keepdims=True) if normalizer == "max" else costs
    return linear_law(counts, costs if counts.shape[1] == 4 else minus(costs, costs), possible, sampling)


def _costs_of_a_case(sizes: tuple[int, int], w: Floats) -> Floats:
    """What a case in each cell costs, on the scale of its share of all cases rather than of its class."""
    return np.asarray(cost_weights(w) * (sum(sizes) / np.repeat(sizes, 2)))


def cost_scale(sizes: tuple[int, int], w: Floats, normalizer: Normalizer) -> Floats:
    """What costs are multiplied by to be normalized."""
    return np.ones_like(w) if normalizer == "mean" else 1 / _costs_of_a_case(sizes, w).max(axis=1)


def check_cost_sampling(sampling: Sampling, normalizer: Normalizer) -> None:
    """Check the options; a normalizer makes a difference under full sampling only."""
    check_option("sampling", sampling, SAMPLINGS)
    valid = NORMALIZERS if sampling == "full" else NORMALIZERS[:1]
    check_option("normalizer", normalizer, valid, " The normalizer can be chosen under sampling='full' only.")
