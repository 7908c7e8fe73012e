"""Public functions: metrics of two classes, of several, or by a function; of one model or of a minus b."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import as_array
from skcostci._described import described
from skcostci._frozen import frozen_numbers
from skcostci._options import Label, Sampling, WeightType, explains_calls, option_meant
from skcostci._validation._label_tables import is_multilabel
from skcostci._validation._levels import refuse_with_levels
from skcostci._validation._rows import SampleOptions
from skcostci._warnings import warn_caller
from skcostci.metric import MetricLike, find_metric
from skcostci.statistics._any_metric import metric_of
from skcostci.statistics._metric import MetricDifferenceResult, MetricResult, check_some_defined
from skcostci.statistics._other_scales import as_number, beyond_chance
from skcostci.statistics._registry import NamedStatistic, StatisticOptions, refuse_options, statistic_of
from skcostci.statistics._several import HowJudged, KappaWeights, TableAverage, is_function
from skcostci.statistics._weight_types import weighed
from skcostci.tables import ZeroDivision

DEFAULTS = HowJudged()._asdict()
NOT_CROSSED = {
    "positive_rate": "rates at a share of positives are not implemented for crossed data",
    "y_true": "for a table with a column per label, evaluate each column separately",
}
SAMPLE = ("pos_label", "sample_weight", "weight_type", "groups", "folds")


class PointOptions(TypedDict):
    """The thresholds and the prevalence of a metric, and what is resampled together."""

    thresholds: ArrayLike | tuple[ArrayLike, ArrayLike] | None
    sampling: Sampling | None
    prevalence: float | tuple[int, int] | None


@explains_calls
@described(SampleOptions)
def bootstrap_metric(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: MetricLike,
    *,
    thresholds: ArrayLike | str | None = None,
    average: TableAverage | None = "binary",
    labels: ArrayLike | None = None,
    kappa_weights: KappaWeights | None = None,
    range: tuple[float, float] | None = None,
    greater_is_better: bool | None = None,
    zero_division: ZeroDivision | None = None,
    normalize: bool = True,
    adjusted: bool = False,
    sampling: Sampling | None = None,
    prevalence: float | tuple[int, int] | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    **options: Unpack[StatisticOptions],
) -> MetricResult:
    """Any metric of labels, scores or amounts with its confidence interval, in closed form.

    The standard error, the distribution function and quantiles are those of the bootstrap distribution, the
    distribution of the metric over all resamples, which is computed without resampling. The default intervals are not
    quantiles of it: they allow for a case that the sample lacks (see Returns and Notes).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels of both classes; the accuracy also takes one class alone, and recall positives alone. Labels of
        several classes with an ``average``, or for metrics that need none; for a function whatever it takes. For
        several labels per case a table of 0 and 1, shape (n_samples, n_labels), as ``y_pred`` then is.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_columns)
        Predicted labels or, with ``thresholds``, finite scores, higher meaning more positive; for a function labels,
        scores, probabilities or amounts. Columns that are named after the classes are passed to it in the order of
        the classes.
    metric : str, Metric or callable
        Functions of counts: "accuracy", "precision", "npv", "recall", "specificity", "f1", "jaccard", "fdr", "fomr"
        (false omission rate), "fpr", "fnr", "hamming" (share of wrong labels), "selection_rate" (share labelled
        positive), "net_benefit", "standardized_net_benefit". Functions of the rates in each class, some also of the
        share of positives: "balanced_accuracy", "youden", "lr_positive", "lr_negative", "diagnostic_odds_ratio",
        "lift", "kappa", "mcc". The two net benefits take probabilities as scores, and the threshold probabilities as
        thresholds. A :class:`Metric`, such as ``Metric.fbeta(2)`` or your own, is also accepted. Synonyms:
        "sensitivity", "tpr" and "hit_rate" (recall), "tnr" (specificity), "ppv" (precision), "cohen_kappa",
        "matthews_corrcoef". Names used for forecasts: "csi" and "threat_score" (Jaccard index), "ets" (equitable threat
        score), "hss" (Heidke: kappa), "pss" (Peirce: Youden's J), "bias" (frequency bias); also "pabak" (prevalence-
        and bias-adjusted kappa). Metrics of scores: "ks" (the largest TPR - FPR), "eer" (equal error rate), "gini" (2
        AUC - 1), and with ``positive_rate``, among the cases with the highest scores, "capture" (the recall), "lift"
        and "precision". Any name of scikit-learn's metrics and scorers, such as "f1_macro", "roc_auc_ovr",
        "average_precision", "neg_log_loss" (which gives the loss itself), "brier_skill" or "r2"; where another function
        of this package computes it, its options apply and its result is returned. For tables of labels and scores:
        "label_ranking_average_precision_score", "label_ranking_loss", "coverage_error", "ndcg_score" and "dcg_score".
        Or a function ``metric(y_true, y_pred, sample_weight=w)``, such as those of scikit-learn that take weights, with
        its options set by ``functools.partial``. It must be smooth in the weights (no median, maximum or sum of
        absolute means, no threshold chosen by the data), and unchanged if all weights are doubled.
    thresholds : float, array-like of shape (n_points,), "youden" or "best", default=None
        A score that is at least the threshold is labelled positive; infinite ones allowed. None: ``y_pred`` are labels.
        "youden" takes the threshold with the largest TPR - FPR **on these data**, the largest of several; "best" the
        one at which this metric is best on these data. The metric looks better there than it is, and the result is
        ``selected``.
    average : {"binary", "macro", "micro", "weighted", "samples"} or None, default="binary"
        For labels of any number of classes and ratios of counts (precision, recall, F1, Jaccard index, specificity,
        FDR, your own), each class against the rest: "macro" is the mean over classes, "micro" the ratio of the sums
        over classes, "weighted" the mean weighted by the number of cases in each class. None gives one value per class
        (see ``labels``), also for metrics without an average, such as likelihood ratios. "binary" is for two classes.
        Accuracy, Hamming loss, balanced accuracy, kappa and "mcc" need no average. For several labels per case the
        averages are over labels, and "samples" is the mean over cases.
    labels : array-like of shape (n_classes,), default=None
        The classes that are averaged; None is those that occur in truth or predictions. For kappa with
        ``kappa_weights``, the classes in their order; for the kappa of one model, cases with other labels are left out.
    kappa_weights : {"linear", "quadratic"}, default=None
        For kappa: disagreement counts as the distance of the classes, or as its square. Their order is that of
        ``labels``, of ordered categories (of pandas, Polars' Enum, all of which count), or of numbers; it is asked for
        where labels are texts.
    range : tuple of 2 floats, default=None
        For a function: the least and the largest value that it can have. None: the range of scikit-learn's functions is
        known by their names; for other functions, and for those without a finite range (``mean_squared_error``, R2,
        ``log_loss``), see "extrapolated" below. By the names "neg_mean_squared_error" and "neg_log_loss" the intervals
        are those of :func:`bootstrap_loss`.
    greater_is_better : bool, default=None
        For a function, used in comparisons and scorers. None is False where its name ends in "_error", "_loss" or
        "_deviance".
    zero_division : {0, 1, nan, "warn"}, default=None
        For ratios of counts (precision, recall, F1, ...): the value of a class without any counts in the denominator.
        nan leaves it out of averages; "warn" is 0, with a warning. None is "warn" in averages, and an error where
        there is no value at all. Limits do not depend on it: where there is no value, they are the whole range.
    normalize : bool, default=True
        For the accuracy and the zero-one loss: False gives the number of cases instead of their share; for the log
        loss the sum over all cases instead of the mean.
    adjusted : bool, default=False
        For the balanced accuracy: whether it is rescaled so that random labels score 0, as in scikit-learn.
    sampling : {"full", "stratified"}, default=None
        Resample all cases together or each class to its own size. None is "full" where the metric follows the share of
        positives (at given rates, like accuracy, precision, F1, kappa, "mcc" and lift), so that a random share adds to
        its error, and "stratified" where it does not (recall, specificity, balanced accuracy, Youden's J, likelihood
        and odds ratios) or a prevalence is given. With ``positive_rate`` it is "full" for precision and lift,
        "stratified" for capture. For several classes, and for functions, None is "full"; "stratified" is possible where
        the truth is labels.
    prevalence : float or tuple of 2 ints, default=None
        The share of positives to evaluate at, from 1e-9 to 1 - 1e-9, instead of the sample's: the precision that a
        screening test will have there. Or ``(events, cases)`` of another sample from which the share is estimated: its
        uncertainty is then allowed for, as that of one more stratum. This takes independent cases and thresholds given
        beforehand; standard errors are of first order.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}. For predicted labels it may be left out
        where the metric does not depend on it: accuracy, balanced accuracy, Youden's J, kappa, "mcc" and the odds
        ratio.
    **options
        Options of a metric that belongs to another function: ``max_fpr`` for "roc_auc", ``specificity`` for
        "sensitivity_at_specificity", ``probability_cost`` for "cost", ``positive_rate`` for "capture", "lift" and
        "precision", whose differences are of first order.

    Returns
    -------
    MetricResult
        With ``estimate``, ``defined``, ``mean``, ``standard_error``, ``undefined``, ``cdf``, ``quantile``,
        ``confidence_interval`` and ``to_frame``. For a name that belongs to another function, as "roc_auc" does to
        :func:`bootstrap_auc`, that function's result. The default interval depends on the kind of metric (how each is
        computed is in Notes; "stratified" and "full" are values of ``sampling``):

        - **a share of the cases that count** (accuracy, precision, NPV, FDR, FOMR, Jaccard index and F1 under full
          sampling; any single rate, such as recall): "clopper_pearson", exact binomial limits.
        - **a weighted sum of rates** (net benefit; stratified also accuracy, balanced accuracy, Youden's J) and **other
          ratios** (F-beta, standardized net benefit, likelihood ratios; stratified also precision, F1, lift, kappa):
          "unseen_case", the limits of a weighted mean, with one additional case of the least favourable kind: one in
          each class where the classes are resampled separately, one in all under full sampling.
        - **functions of the rates** (odds ratio; stratified also Matthews correlation): "unseen_case", the extreme of
          the metric over a region of the rates.
        - **kappa, Matthews correlation, lift** and "ets": "unseen_case", with one additional case in the cell that
          moves the limit most. It does not matter which of two raters is called the truth.
        - **several classes, and functions with a range**: "unseen_case", with one additional case that has the least
          favourable pair of truth and prediction (one in each class if stratified). For a function these pairs are
          combined from the classes and predictions in the sample; where the sample has one class, or amounts, the
          additional case has the influence value of a case at an end of the ``range`` (see Notes).
        - **functions without a range** (root mean squared error, R2, Brier skill): "extrapolated", with an additional
          case as extreme as the most extreme one in the sample. **Not to be trusted where rare large errors are
          possible** that the sample does not show; the printed result says so. Give ``range`` where you know it.
        - **at a threshold chosen on these cases** ("youden", "best"): "chosen", the limits at a given threshold, with a
          smaller error probability for the optimistic one. Not proved; up to 1.3 times as wide as at a given threshold.
        - **with groups** (at thresholds chosen on these cases "chosen" stays): "extrapolated", with an additional group
          as extreme as those in the sample suggest (Notes of :func:`bootstrap_mean`). Not to be trusted where some
          groups fail as a whole and the sample may contain none: "unseen_group" allows for them, and is up to twice as
          wide. Metrics z without a greatest value (likelihood ratios, odds ratio, lift) have these limits on the scale
          z / (z + estimate); their differences have "extrapolated" alone.

        Other methods: "percentile" and "wald", from the bootstrap distribution. Not to be trusted where a count is
        small; of zero width where it is 0. Weighted sums and single rates also have the methods of
        :func:`bootstrap_cost` and :func:`bootstrap_roc_at_threshold`.

        "unseen_case" and "clopper_pearson" kept the level for two classes, in exact sums over all tables of 24 to 60
        cases (lowest coverage 0.959 at a nominal 0.95). For several classes the lowest coverage was 0.925 in
        simulations with 30 to 500 cases: not to be trusted where some classes are rare.

        Figures are in :doc:`/user_guide/interval_methods`.

    Raises
    ------
    ValueError, TypeError
        If labels, scores, weights, thresholds or options are not as described; where a function takes no weights, is
        not smooth in them, does not give finite numbers, or has more than 20,000 distinct pairs of truth and
        prediction; where the metric has no value at any threshold, or in some fold, naming the count that is 0; where a
        value lies outside the range that a :class:`Metric` or a function was given.

    Warns
    -----
    UndefinedMetricWarning
        Once, where a class of several has no value, as the precision of one never predicted: it counts 0, as
        scikit-learn's default does.

    See Also
    --------
    bootstrap_metric_difference : Two models on the same cases.
    Metric : One line makes a new metric.
    make_metric_scorer : For model selection.

    Notes
    -----
    **The default intervals.** Each limit is computed with an additional case of the kind that moves it furthest: one in
    each class under stratified sampling, otherwise one in all:

    - *Shares of the cases that count*, k hits among n: the hits are binomial. The additional case is a miss for the
      lower limit and a hit for the upper one, and the limits are the quantiles of Beta(k, n - k + 1) and Beta(k + 1,
      n - k): Clopper and Pearson's. F1 is 2 J / (1 + J) of the Jaccard index J, and so are its limits.
    - *Weighted sums of rates*: the cases get random (Dirichlet) weights, and among them is an additional case with the
      worst value that its class can have. The limit is the quantile of the Beta distribution that has the mean,
      variance and third moment of the weighted mean (Gaffke); classes that are resampled separately add their moments.
    - *Ratios N / D* of two means: x is a limit if the mean of ``n - x d``, n and d being the values of a case, has a
      limit of 0 by the same method; the additional case has the least favourable ``n - x d``.
    - *Functions of the rates*: each rate (and under full sampling the share of positives) has Clopper and Pearson's
      limits. An ellipse around the estimated rates reaches as far as these limits; the limits of the metric are its
      least and its greatest value on it.
    - *Kappa, several classes, functions with a range*: influence values, the change of the metric per weight of a case,
      take the place of the cases' values (for lift those of z / (z + estimate)). That of the additional case is n + 1
      times the change that it makes to the metric; where the classes or predictions that are possible are not known, it
      is the end of the range minus the estimate, as for a mean. The limit is the quantile of the Beta distribution with
      the mean and variance that the metric has under Dirichlet weights.
    - *Functions without a range*: Student's t with the variance of the influence values, corrected for their skewness
      but never narrower, with an additional case whose influence value is the furthest in the sample.
    - *At chosen thresholds*: the optimistic limit (the upper one of a cost, the lower one of recall) has a smaller
      error probability, ``Phi(-z - r (c - z))`` instead of ``Phi(-z)``. Here r is the absolute correlation of the
      metric with the quantity that the threshold maximizes, and c is the upper Phi(-z) quantile of the largest
      standardized error among the thresholds that compete (Notes of :func:`bootstrap_cost` say which these are).
    - *With groups*: the groups take the place of the cases, the values of their cases added up; see Notes of
      :func:`bootstrap_mean`.

    **The distribution.** Resamples without a value are left out, never counted as 0 or infinity; how many there are is
    ``undefined``. It is exact up to a million cases (stratified, or a share such as precision or F1), under full
    sampling for other metrics up to a thousand; of more cases the distribution function is within 0.001.

    With ``proxy`` the estimate is that of the checked rows plus a multiple of the difference between the proxy's value
    on the other rows and on the checked ones, as in Notes of :func:`bootstrap_mean`; averages are over the labels of
    all rows.

    At thresholds where the metric has no value, as the precision where no case is labelled positive, the estimate is
    NaN, ``defined`` is False and the interval is the whole range.

    Likelihood ratios and the odds ratio are infinite where there is no false alarm: the lower limit is finite.

    For several classes influence values are those of the cells of the confusion table. A function is called once for
    each distinct pair of truth and prediction, and, for up to a hundred distinct predictions, once for each class
    combined with each prediction. The mean errors of scikit-learn, their roots, R2 and explained variance have
    formulas, for any number of rows.

    With importance weights w and n cases the variance is to first order that of a weighted sum, ``sum (w g)**2``, g
    being the influence value of a case. Limits are the default ones for n / D cases of equal weight, D being the
    design effect of the weights for this metric, ``n sum (w g)**2 / (sum w sum w g**2)``, at least 1, or that with
    two additional cases of the largest g and of Kish's weight, ``sum w**2 / sum w``, in both sums over g, if it is
    larger; where all g are 0 it is n over ``effective_cases``. For shares of cases they are Korn and Graubard's, but
    for these cases and without their Student's t. As weights become equal (the largest deviation is below 22 % of
    the mean weight) limits and standard errors approach those without weights. Strata and finite populations are not
    allowed for.

    A metric at a threshold chosen on the same cases is optimistic. Only "youden" and "best" record the choice; the
    intervals at given thresholds do not allow for it.

    References
    ----------
    N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable",
    Mathematical Methods of Statistics 14(4), 2005.

    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
    Biometrika, 1934.

    E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data", Survey Methodology, 1998.

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

    The same where the share is that of 4 cases among 200:

    >>> bootstrap_metric(y_true, y_pred, "precision", prevalence=(4, 200)).confidence_interval()
    ConfidenceInterval(low=2.248e-06, high=0.795)

    Where positives were drawn ten times as often as negatives:

    >>> weights = [10, 10, 10, 10, 10, 1, 1, 1, 1, 1]
    >>> drawn = bootstrap_metric(y_true, y_pred, "precision", sample_weight=weights, weight_type="importance")
    >>> round(drawn.estimate, 3), round(drawn.effective_cases, 2)
    (0.286, 5.99)

    Labels that people checked in 12 rows, and a judge's in these and in 20 more:

    >>> y_true = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1] + [None] * 20
    >>> y_pred = [1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0] + [1, 0, 1, 0, 0, 0, 0, 1, 1, 0] * 2
    >>> judged = [1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1] + [1, 0, 1, 0, 0, 1, 0, 1, 1, 0] * 2
    >>> f1 = bootstrap_metric(y_true, y_pred, "f1", proxy=judged)
    >>> f1.n_checked, round(f1.proxy_weight, 2), round(f1.estimate, 2), round(f1.checked_alone.estimate, 2)
    (12, 0.09, 0.74, 0.73)

    Several classes, by name and by a function:

    >>> from functools import partial
    >>> from sklearn.metrics import f1_score
    >>> y_true, y_pred = ["a", "b", "c", "a", "b", "c"] * 5, ["a", "b", "c", "a", "c", "c"] * 5
    >>> bootstrap_metric(y_true, y_pred, "f1", average="macro")
    MetricResult(f1_macro, estimate=0.8222, standard_error=0.06803, 95 % interval 0.6538 to 0.9389 by unseen_case)
    >>> bootstrap_metric(y_true, y_pred, partial(f1_score, average="macro"))
    MetricResult(f1_score(average='macro'), estimate=0.8222, standard_error=0.06803, 95 % interval 0.6538 to 0.9389 by
    unseen_case)
    """
    how = HowJudged(average, labels, kappa_weights, range, greater_is_better, zero_division)
    given: PointOptions = {"thresholds": thresholds, "sampling": sampling, "prevalence": prevalence}
    sample: SampleOptions = {
        "pos_label": pos_label,
        "sample_weight": sample_weight,
        "weight_type": weight_type,
        "groups": groups,
        "crossed": crossed,
        "folds": folds,
        "proxy": proxy,
        "checked": checked,
    }
    found = _result(y_true, {"y_pred": y_pred}, metric, how, given, sample, options)
    found = weighed(found, sample_weight, weight_type)
    result: MetricResult = _on_scale(found, metric, y_true, sample_weight, weight_type, normalize, adjusted)
    return result


@explains_calls
@described(bootstrap_metric)
def bootstrap_metric_difference(
    y_true: ArrayLike,
    y_pred_a: ArrayLike,
    y_pred_b: ArrayLike,
    metric: MetricLike,
    *,
    thresholds: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None,
    average: TableAverage | None = "binary",
    labels: ArrayLike | None = None,
    kappa_weights: KappaWeights | None = None,
    range: tuple[float, float] | None = None,
    greater_is_better: bool | None = None,
    zero_division: ZeroDivision | None = None,
    normalize: bool = True,
    adjusted: bool = False,
    sampling: Sampling | None = None,
    prevalence: float | tuple[int, int] | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    **options: Unpack[StatisticOptions],
) -> MetricDifferenceResult:
    """The difference in any metric of two models, a - b, on the same cases, with its confidence interval and p-value.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels; one class alone, several classes or anything else as in :func:`bootstrap_metric`.
    y_pred_a, y_pred_b : array-like of shape (n_samples,) or (n_samples, n_columns)
        The labels that the two models predict or, with ``thresholds``, finite scores, higher meaning more positive; for
        a function whatever it takes.
    thresholds : float, array-like of shape (n_points,) or tuple of two of these, default=None
        For both models, or one entry for each. None: predicted labels are given.
    normalize : bool, default=True
        For the accuracy and the zero-one loss: False gives the difference in numbers of cases.
    adjusted : bool, default=False
        For the balanced accuracy: whether both are rescaled so that random labels score 0.

    Returns
    -------
    MetricDifferenceResult
        With ``estimate``, ``defined``, ``mean``, ``standard_error``, ``undefined``, ``confidence_interval``,
        ``pvalue``, ``equivalence`` and ``to_frame``. What it is depends on the metric:

        - **a weighted sum of rates** (accuracy, balanced accuracy, net benefit, a single rate): "unseen_case"
          (default), with one additional case (one in each class if stratified) on which the models differ most. The
          exact distribution also gives ``cdf``, ``quantile`` and ``probabilities``. Other methods are those of
          :func:`bootstrap_cost_difference`, for a single rate those of :func:`bootstrap_roc_difference_at_threshold`.
        - **any other metric of two classes**: "unseen_case" (default), with one additional case (one in each class if
          stratified) in the cell that moves the difference most. For metrics without a greatest value (likelihood
          ratios, odds ratios) no case moves it most: there the confidence limits of both models are combined (see
          Notes). Where the models hardly disagree, the coverage of "unseen_case" is far above the level; its lowest
          coverage at a nominal 0.95 was 0.956 (20 and 60 cases, five designs). "wald", a Gaussian with the
          distribution's moments: not to be trusted where counts are small. Moments are exact, over the resamples in
          which both models' values are defined.
        - **several classes, and functions**: "unseen_case" (default), with an additional case that is the worst for one
          model and the best for the other; for functions without a range "extrapolated", with one as extreme as the
          most extreme in the sample. **Not to be trusted where rare large errors are possible** that the sample does
          not show.
        - **with groups**: "extrapolated" (default), with an additional group as extreme as those in the sample suggest;
          it sharpens as the models resemble each other. "unseen_group" allows for a group that one model has all wrong
          and the other all right, and is the default for metrics without a greatest value.
        - **kappa with** ``kappa_weights`` (one row per case): "extrapolated" (default), with an additional case that
          changes the difference by little more than the most influential case in the sample does, so that the interval
          is short where the models resemble each other, and never wider than that of "unseen_case". Not to be trusted
          where one model may give a few cases a far grade and the sample contains none of these.

        Figures are in :doc:`/user_guide/interval_methods`.

    Raises
    ------
    ValueError, TypeError
        If labels, scores, weights, thresholds or options are not as described; where either model's metric is undefined
        or infinite at every threshold. At single ones the difference is then NaN, and its interval the whole range.

    See Also
    --------
    bootstrap_metric : One model.

    Notes
    -----
    **The default interval.** Each case has a value: for weighted sums what it adds to the difference, for other metrics
    its influence value, the change of the difference per weight of the case. The cases, and among them an additional
    one with the least value for the lower limit and the greatest for the upper one, get random (Dirichlet) weights, and
    the limit is the quantile of the Beta distribution with the mean and variance (for weighted sums also the third
    moment) that the difference then has. With groups the values of a group's cases are added up (Notes of
    :func:`bootstrap_mean`). *Functions without a range* have Student's t with the variance of the influence values,
    corrected for their skewness. For *metrics without a greatest value* the limits of either model at all levels make a
    distribution (its confidence distribution); the limits of the difference are the quantiles of the difference of two
    variables that have these distributions and the correlation of the two estimates (a Gaussian copula).

    A difference of two ratios is not a ratio of weighted counts, and its distribution is not known in closed form. Its
    mean and variance are exact; the expected product of the two ratios is computed by two-dimensional quadrature.

    Examples
    --------
    >>> from skcostci import bootstrap_metric_difference
    >>> y_true = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> y_pred_a = [0, 0, 0, 0, 1, 0, 1, 1, 1, 1]
    >>> y_pred_b = [0, 1, 1, 0, 1, 0, 0, 1, 1, 1]
    >>> difference = bootstrap_metric_difference(y_true, y_pred_a, y_pred_b, "f1")
    >>> round(float(difference), 3), round(difference.standard_error, 3)
    (0.255, 0.153)
    """
    how = HowJudged(average, labels, kappa_weights, range, greater_is_better, zero_division)
    given: PointOptions = {"thresholds": thresholds, "sampling": sampling, "prevalence": prevalence}
    sample: SampleOptions = {
        "pos_label": pos_label,
        "sample_weight": sample_weight,
        "weight_type": weight_type,
        "groups": groups,
        "crossed": crossed,
        "folds": folds,
        "proxy": proxy,
        "checked": checked,
    }
    columns = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    found = _result(y_true, columns, metric, how, given, sample, options)
    found = weighed(found, sample_weight, weight_type)
    result: MetricDifferenceResult = _on_scale(found, metric, y_true, sample_weight, weight_type, normalize, adjusted)
    return result


def _result(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: MetricLike,
    how: HowJudged,
    given: PointOptions,
    sample: SampleOptions,
    others: Mapping[str, object],
) -> Any:
    """The metric, if it has a value at any point; a statistic that is no metric of labels uses its own function."""
    if sample.get("crossed") is not None:
        at_top_or_table = {"positive_rate": others.get("positive_rate"), "y_true": is_multilabel(y_true) or None}
        refuse_with_levels(at_top_or_table, NOT_CROSSED)
    named = statistic_of(metric, options=others)
    if named.functions is not None:
        own = {name: getattr(how, name) for name in how.given}
        stated = {name: value for name, value in {**given, **_stated_rows(sample)}.items() if value is not None}
        return _by_its_function(metric, named, y_true, columns, {**own, **stated, **others})
    if named.metric is None:  # a statistic of scores without a function of its own
        options = {**others, **{name: value for name, value in given.items() if value is not None}}
        unknown = [name for name in (*how.given, *options) if name not in named.takes]
        what = f"metric={metric!r}" + " with positive_rate" * ("positive_rate" in options)
        refuse_unknown("bootstrap_metric", what, unknown, (*named.takes, *SAMPLE))
        refuse_with_levels(
            {"metric": sample.get("crossed")}, {"metric": f"{metric!r} is not implemented for crossed data"}
        )
        return named.of(named.check(y_true, columns, {}, sample), *columns, **options)
    if others:
        refuse_unknown("bootstrap_metric", f"metric={_named(metric)}", others, (*named.takes, *SAMPLE))
    stated = {**{name: getattr(how, name) for name in how.given}, **{k: v for k, v in given.items() if v is not None}}
    refuse_options(str(metric), named, stated)
    how = how._replace(**{name: value for name, value in named.preset.items() if name in DEFAULTS})
    given["thresholds"] = named.preset.get("thresholds", given["thresholds"])
    cases = named.check(y_true, columns, {**given, **how._asdict()}, sample)
    result = metric_of(cases, *columns, metric=named.metric, how=how, **given)
    name = (
        getattr(named.metric, "__name__", named.metric) if is_function(named.metric) else find_metric(named.metric).name
    )
    what = str(name) if len(columns) == 1 else f"the difference in {name}"
    if how.zero_division is None or is_function(named.metric):
        return check_some_defined(what, result, given["thresholds"])
    return _filled(result, what, how)


def _on_scale(
    result: object,
    metric: MetricLike,
    y_true: ArrayLike,
    sample_weight: ArrayLike | None,
    weight_type: WeightType,
    normalize: bool,
    adjusted: bool,
) -> Any:
    """The result as a number of cases, or adjusted for chance, if the options say so."""
    for option, value in (("normalize", normalize), ("adjusted", adjusted)):
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"{option} must be True or False, got {value!r}.")
    if normalize and not adjusted:
        return result
    named = statistic_of(metric)
    name = named.loss or (_named(metric) if is_function(named.metric) or named.metric is None else None)
    name = name or find_metric(named.metric).name
    if not normalize:
        if weight_type != "counts":
            raise ValueError(
                "normalize=False needs whole-number counts of cases: leave out either weight_type='importance' or "
                "normalize."
            )
        result = as_number(result, name, sample_weight, len(as_array("y_true", y_true)))
    return beyond_chance(result, name, y_true, sample_weight) if adjusted else result


def _filled(result: Any, what: str, how: HowJudged) -> Any:
    """The result with the value of zero_division where it has none; the limits there are the whole range."""
    lacking = np.isnan(result.estimate)
    if not np.any(lacking):
        return result
    if how.zero_division == "warn":
        warn_caller(f"{what} has no value: 0 is used, as requested by zero_division='warn'.", UndefinedMetricWarning)
    return replace(result, estimate=frozen_numbers(np.where(lacking, how.empty, result.estimate), np.shape(lacking)))


def _stated_rows(sample: SampleOptions) -> dict[str, object]:
    """The options of the rows, without ``weight_type`` if that is "counts", the default."""
    return {name: value for name, value in sample.items() if name != "weight_type" or value != "counts"}


def _by_its_function(
    name: Any,
    named: NamedStatistic,
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    options: Mapping[str, Any],
) -> Any:
    """A statistic of scores, or a loss, whose function has options of its own."""
    assert named.functions is not None
    function = named.functions[len(columns) - 1]
    takes = tuple(signature(function).parameters)[len(columns) + 1 :]
    takes = tuple(each for each in takes if each != "loss")
    refuse_unknown("bootstrap_metric", f"metric={name!r}", [each for each in options if each not in takes], takes)
    if named.needs is not None and named.needs not in options:
        raise ValueError(f"metric={name!r} needs {named.needs}=.")
    refuse_options(name, named, options)
    return function(y_true, *columns.values(), **{**named.preset, **options})


def refuse_unknown(function: str, statistic: str, unknown: Collection[str], known: Sequence[str]) -> None:
    """Raise if there are options that a statistic does not have."""
    if unknown:
        beside = f": it takes {', '.join(map(repr, known))}." if known else "."
        raise TypeError(
            f"{function} got {', '.join(map(repr, unknown))}, which {statistic} does not take{beside}"
            f"{option_meant(next(iter(unknown)), known)}"
        )


def _named(metric: MetricLike) -> str:
    """The metric as given, in short, for messages."""
    return repr(metric) if isinstance(metric, str) else f"{type(metric).__name__} {getattr(metric, 'name', metric)!r}"
