"""Metrics of a confusion table: precision, F1, kappa, net benefit, a user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._options import SAMPLINGS, Sampling
from skcostci._validation import (
    check_alone,
    check_number,
    check_option,
)
from skcostci.cases._cases import Cases
from skcostci.cases._folds import split_folds
from skcostci.cuts import Cut, count_cells, count_groups, of_both_classes, rate_cut
from skcostci.laws import (
    ChosenMetricLaw,
    GroupedLaw,
    GroupedRatioLaw,
    LinearLaw,
    MetricLaw,
    grouped_metric_law,
    metric_law,
)
from skcostci.metric import CELLS, AnyMetric, Metric, MetricOfThreshold, find_metric
from skcostci.results._results import BootstrapResult, ExactResult
from skcostci.statistics._chosen import chosen_metric_law
from skcostci.statistics._cost import METHODS as COST_METHODS
from skcostci.statistics._folded import FoldedMetricResult, mean_of
from skcostci.statistics._grouped import grouped_parts
from skcostci.statistics._roc_threshold import METHODS as RATE_METHODS

METHODS = ("unseen_case", "percentile", "wald")
SHARE_METHODS = ("clopper_pearson", *METHODS)
UNBOUNDED_METHODS = METHODS[:1]  # no others make sense of an infinite estimate
LABELLED = Cut(np.asarray(0.5))  # of labels as scores 0 and 1


@dataclass(frozen=True, repr=False, eq=False)
class MetricResult(ExactResult):
    """A metric of the confusion table of one model, at each threshold where there are some, with its exact law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The metric on the data as given.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    metric : str
        Its name.
    thresholds : float or ndarray of shape (n_points,), or None
        The thresholds; None where labels were given.

    Attributes
    ----------
    mean, standard_error : float or ndarray of shape (n_points,)
        Of the exact bootstrap law, given that the metric is defined; of a ratio the mean is not the estimate.

    See Also
    --------
    bootstrap_metric : Makes one.
    MetricThresholdDisplay : A metric at every threshold.

    Examples
    --------
    >>> from skcostci import bootstrap_metric
    >>> y_true, y_pred = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1]
    >>> bootstrap_metric(y_true, y_pred, "f1")
    MetricResult(estimate=0.75, standard_error=0.2035, 95 % interval 0.2558 to 0.9729)
    """

    law: LinearLaw | MetricLaw | GroupedRatioLaw
    metric: str
    thresholds: Numbers | None

    @property
    def undefined(self) -> Numbers:
        """The probability that a resample has no value, because a class is missing or the denominator is 0."""
        return self._shaped(self.law.undefined)

    def _axis(self) -> dict[str, Numbers]:
        return {} if self.thresholds is None else {"threshold": self.thresholds}


@dataclass(frozen=True, repr=False, eq=False)
class GroupedMetricResult(BootstrapResult):
    """A metric of both classes' rates among cases that belong together, with the moments of its bootstrap law.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The metric on the data as given.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    metric : str
        Its name.
    thresholds : float or ndarray of shape (n_points,), or None
        The thresholds; None where labels were given.

    Attributes
    ----------
    mean, standard_error : float or ndarray of shape (n_points,)
        Of the bootstrap law of whole groups: exact for weighted sums of rates, of first order for other metrics.

    See Also
    --------
    bootstrap_metric : Makes one.
    MetricThresholdDisplay : A metric at every threshold.

    Examples
    --------
    >>> from skcostci import bootstrap_metric
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> patients = ["a", "a", "b", "c", "a", "b", "c", "c"]
    >>> bootstrap_metric(y_true, [0, 0, 0, 1, 0, 1, 1, 1], "kappa", groups=patients)
    GroupedMetricResult(estimate=0.5, standard_error=0.2122, 95 % interval -0.3595 to 0.9143)
    """

    law: GroupedLaw
    metric: str
    thresholds: Numbers | None

    @property
    def undefined(self) -> Numbers:
        """The probability that a resample has no value, because a class is missing."""
        return self._shaped(self.law.undefined)

    def _axis(self) -> dict[str, Numbers]:
        return {} if self.thresholds is None else {"threshold": self.thresholds}


@overload
def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Metric,
    *,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: None = None,
) -> MetricResult: ...


@overload
def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Metric,
    *,
    groups: ArrayLike,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> MetricResult | GroupedMetricResult: ...


@overload
def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Metric,
    *,
    folds: ArrayLike,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> FoldedMetricResult: ...


def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Metric,
    *,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> MetricResult | GroupedMetricResult | FoldedMetricResult:
    """The exact bootstrap law of any metric of the confusion table, with an interval that holds.

    The bootstrap law of a statistic is its distribution over all resamples. Resampling approximates it; here no
    resample is drawn.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present.
    y_pred : array-like of shape (n_samples,)
        Predicted labels or, with ``thresholds``, finite scores, higher meaning more positive.
    metric : str or Metric
        Of counts: "accuracy", "precision", "npv", "recall", "specificity", "f1", "jaccard", "fdr", "fomr" (false
        omission rate), "net_benefit", "standardized_net_benefit". Of rates, and some of the class share:
        "balanced_accuracy", "youden", "lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift", "kappa", "mcc".
        The two net benefits take scores that are risks, whose thresholds are the threshold probabilities. Or a
        :class:`Metric`, such as ``Metric.fbeta(2)`` or your own.
    thresholds : float, array-like of shape (n_points,) or "youden", default=None
        A score that is at least the threshold is labelled positive; infinite ones allowed. None: ``y_pred`` are labels.
        "youden" takes the one with the largest TPR - FPR **on these data**, of several the largest: the metric looks
        better there than it is, and the result is ``selected``.
    sampling : {"full", "stratified"}, default=None
        Resample all cases together or each class to its own size. None is "full" for metrics of counts, "stratified"
        for metrics of rates and wherever a prevalence is given. What depends on the rates in either class alone, not on
        the class mix, is judged at the class sizes seen and has the same default interval either way: recall,
        specificity, balanced accuracy, Youden's J and the likelihood ratios.
    prevalence : float, default=None
        The share of positives to judge at, in (0, 1), instead of the sample's: the precision that a screening test will
        have there.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, such as the lesions of a patient: labels of any kind, of two groups or more. Whole
        groups are then resampled, with the classes they hold, and ``sampling`` is to be left alone.
    folds : array-like of shape (n_samples,), default=None
        Of out-of-fold scores or labels, the fold in which each case was tested: labels of any kind, both classes in
        each. The result is then the mean over folds of a metric that is a sum of rates with fixed weights (accuracy,
        balanced accuracy, net benefit, recall with ``sampling="stratified"``): a :class:`FoldedMetricResult`, about the
        models of these folds (see :func:`bootstrap_auc`). Not with ``groups``.

    Returns
    -------
    MetricResult
        With ``estimate``, ``mean``, ``standard_error``, ``undefined``, ``cdf``, ``quantile``, ``confidence_interval``
        and ``to_frame``. Its interval methods depend on what the metric is in a resample:

        - **at a threshold that these cases chose** ("youden"): "chosen" (default, and only there), the default limit of
          the metric at a given threshold; the one that the choice flatters gives way as far as the error of the metric,
          to first order, correlates with that of TPR - FPR. Not proved: simulated with
          250 samples of about 60 + 60 cases (full sampling) of each of five populations, recall, specificity, F1,
          Youden's J, precision and LR+ covered .968 and more of 95 %, where the limits at a given threshold covered
          .866; up to 1.3 times as wide as these.
        - **a weighted sum** (accuracy, net benefit; stratified also recall, specificity, balanced accuracy, Youden's
          J): those of :func:`bootstrap_cost`; of a single rate, those of :func:`bootstrap_roc_at_threshold`.
        - **a share of the cases that count** (precision, NPV, recall, specificity, FDR, FOMR, Jaccard index and F1, all
          under full sampling): "clopper_pearson" (default), Clopper and Pearson's limits given how many cases
          count. Covers at least the level; at 95 % .962 at worst of 24 cases.
        - **other ratios** (F-beta, standardized net benefit, likelihood ratios, lift, kappa; stratified also precision
          and F1): "unseen_case" (default), the "unseen_case" limits of numerator less x times denominator,
          solved for x. Exact sums over all tables of 24 cases, or of 25 + 25, 10 + 50 and 50 + 10: at worst .959 at
          95 %, .925 at 90 %, .992 at 99 %.
        - **functions of the rates** (Matthews correlation, odds ratio; under full sampling kappa and lift too):
          "unseen_case" (default), the extreme of the metric among rates that the data allow together: at worst
          .967 at 95 %, .935 at 90 %, .982 at 99 %.

        - **with groups**: "unseen_group" (default), one group more, of typical size, may be all wrong (or all right):
          see :func:`bootstrap_cost`; and "effective_size", the default limits of as many cases that stand for
          themselves as the groups are worth, by their design effect and Student's t (Korn and Graubard's for shares),
          for who knows that errors do not come by the group. Of metrics without end, as likelihood ratios and lift, the
          default is the same as "effective_size". The law of metrics of counts is known whole, with "percentile" too;
          that of others has moments only, and the result is a :class:`GroupedMetricResult`, without ``cdf`` and
          ``quantile``.

        All of the three before also have "percentile" and "wald", from the raw law: not to be trusted where a count is
        small; they shrink to points where one is 0.

    Raises
    ------
    ValueError
        If labels, scores, weights, thresholds or options are not as described; where the metric is undefined on the
        data, naming the counts that are 0.

    See Also
    --------
    bootstrap_metric_difference : Two models on the same cases.
    Metric : One line makes a new metric.
    make_metric_scorer : For model selection.

    Notes
    -----
    With N and D the two weighted sums, ``P(N / D <= x) = P(N - x D <= 0)`` where D > 0. Resamples without a value are
    left out, never counted as 0 or infinity; how many there are is ``undefined``. The law is a sum over one count of
    binomial probabilities of another, O(sqrt n) a value (stratified, or a share), or O(n) for metrics of rates under
    full sampling, where the class sizes vary too. In samples beyond 25,000 a ratio of three kinds of cells (F-beta)
    under full sampling is resolved to 1e-4 standard errors. Moments of ratios are one quadrature, exact to rounding.

    Likelihood ratios and the odds ratio are infinite where there is no false alarm: the lower limit is finite.

    Choosing the threshold on the same cases flatters the metric. Only "youden" tells that they did; the intervals at
    given thresholds do not allow for it.

    References
    ----------
    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
    Biometrika, 1934.

    A. J. Vickers and E. B. Elkin, "Decision curve analysis: a novel method for evaluating prediction models", Medical
    Decision Making, 2006.

    Examples
    --------
    >>> from skcostci import bootstrap_metric
    >>> y_true = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> y_pred = [0, 0, 0, 0, 1, 0, 1, 1, 1, 1]
    >>> f1 = bootstrap_metric(y_true, y_pred, "f1")
    >>> round(float(f1), 3)
    0.8
    >>> low, high = f1.confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.364, 0.978)

    The precision to expect where one case in fifty is positive:

    >>> round(float(bootstrap_metric(y_true, y_pred, "precision", prevalence=0.02)), 3)
    0.075
    """
    cases = Cases.check(
        y_true,
        {"y_pred": y_pred},
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
        predicted=thresholds is None,
    )
    ask = partial(metric_of, metric=metric, thresholds=thresholds, sampling=sampling, prevalence=prevalence)
    if folds is not None:
        check_alone(groups=groups, folds=folds)
        each = [ask(fold, "y_pred") for fold in split_folds(cases, folds, sample_weight)]
        return FoldedMetricResult(*mean_of(each), each[0].metric, each[0].thresholds)
    return ask(cases, "y_pred")


def metric_of(
    cases: Cases,
    column: str,
    metric: str | AnyMetric,
    *,
    thresholds: ArrayLike | str | None = None,
    sampling: Sampling | None = None,
    prevalence: float | None = None,
) -> MetricResult | GroupedMetricResult:
    """A metric of a column of checked cases: scores, or labels as 0 and 1."""
    cut = LABELLED if thresholds is None else rate_cut("thresholds", thresholds, cases.counts(column))
    found = find_metric(metric)
    each = at_thresholds(found, cut, thresholds is not None)
    scheme, share = check_sampling(each[0], sampling, prevalence)
    cells = of_both_classes(*count_cells(cases, (column, cut)))
    if cases.groups is not None:
        cases.check_group_sampling(sampling, None)
        return _grouped(cases, column, cut, MetricLaw(*cells, each, _of_groups(share), share), thresholds is not None)
    law = metric_law(*cells, each, scheme, share)
    shape = cut.thresholds.shape
    estimate = frozen_numbers(law.estimate, shape)
    check_defined(law, each, cut, thresholds is not None)
    axis = None if thresholds is None else frozen_numbers(cut.thresholds, shape)
    methods = _methods(law, scheme)
    if cut.selected:
        ratio = MetricLaw(*cells, each, scheme, share)
        law, methods = chosen_metric_law(law, ratio, cases.counts(column), cut), ("chosen", *methods)
    return MetricResult(estimate, law, methods, each[0].name, axis)


def _grouped(cases: Cases, column: str, cut: Cut, ratio: MetricLaw, given: bool) -> MetricResult | GroupedMetricResult:
    """The metric whose law is this if cases are drawn one by one, whole groups of them resampled."""
    check_defined(ratio, ratio.metrics, cut, given)
    chosen = chosen_metric_law(ratio, ratio, cases.counts(column), cut) if cut.selected else None
    flatteries = (chosen.flattery,) if isinstance(chosen, ChosenMetricLaw) else ()
    law = grouped_metric_law(ratio, count_groups(cases, (column, cut)), flatteries)
    shape, name = cut.thresholds.shape, ratio.metrics[0].name
    axis = frozen_numbers(cut.thresholds, shape) if given else None
    estimate, law, methods = grouped_parts(law, shape)
    if isinstance(law, GroupedRatioLaw):
        return MetricResult(estimate, law, methods, name, axis)
    return GroupedMetricResult(estimate, law, methods[:1] if np.isinf(estimate).any() else methods, name, axis)


def _of_groups(prevalence: float | None) -> str:
    """Groups bring their class mix along, unless another is to be judged at."""
    return "full" if prevalence is None else "stratified"


def metric_range(metric: AnyMetric, cells: Sequence[float]) -> tuple[float, float]:
    """The least and the largest value that a metric can have in samples like one with these counts."""
    scheme, _ = check_sampling(metric, None, None)
    law = MetricLaw(np.array([cells], dtype=np.float64), np.ones((1, 4), dtype=bool), (metric,), scheme, None)
    least, most = law.support
    return float(least[0]), float(most[0])


def at_thresholds(metric: AnyMetric | MetricOfThreshold, cut: Cut, given: bool) -> tuple[AnyMetric, ...]:
    """A metric a point."""
    if isinstance(metric, AnyMetric):
        return (metric,) * cut.thresholds.size
    if not given:
        raise ValueError(
            "net benefits by name take scores that are risks, with thresholds, the threshold probabilities; "
            "for labels pass Metric.net_benefit(threshold_probability)."
        )
    return tuple(metric(threshold) for threshold in cut.thresholds.ravel().tolist())


def check_sampling(
    metric: AnyMetric, sampling: Sampling | None, prevalence: float | None
) -> tuple[Sampling, float | None]:
    """What is resampled together, and the class mix to judge at."""
    share = None if prevalence is None else check_number("prevalence", prevalence, above=0.0, below=1.0)
    if sampling is None:
        return ("full" if metric.of == "counts" and share is None else "stratified"), share
    if check_option("sampling", sampling, SAMPLINGS) == "full" and share is not None:
        raise ValueError("sampling must be 'stratified' with a prevalence, which takes the place of a class mix drawn.")
    return sampling, share


def check_defined(law: LinearLaw | MetricLaw, metrics: tuple[AnyMetric, ...], cut: Cut, given: bool) -> None:
    """Say which counts are 0 where a metric has no value on the data."""
    missing = np.flatnonzero(np.isnan(law.estimate))
    if isinstance(law, LinearLaw) or not len(missing):
        return
    i = int(missing[0])
    zero = [cell for cell, count in zip(CELLS, law.counts[i], strict=True) if count == 0]
    where = f" at threshold {cut.thresholds.ravel()[i]:g}" if given else ""
    reason = f"{' and '.join(zero)} {'is' if len(zero) == 1 else 'are'} 0"
    raise ValueError(f"{metrics[i].name} is undefined{where}: its denominator is 0, because {reason}.")


def _methods(law: LinearLaw | MetricLaw, sampling: Sampling) -> tuple[str, ...]:
    """The interval methods that suit the law, the default first."""
    if isinstance(law, LinearLaw):
        return RATE_METHODS if law.is_rate else COST_METHODS[sampling]
    if np.isinf(law.estimate).any():
        return UNBOUNDED_METHODS
    return SHARE_METHODS if law.is_share else METHODS
