"""Public functions: the AUC, the difference of two AUCs, and the AUC given a number of errors."""

from __future__ import annotations

from typing import Any, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from skcostci._described import described
from skcostci._options import Average, Label, MultiClass, Sampling, WeightType, explains_calls
from skcostci._validation._arguments import CASES, LEVEL, SHARE, Number
from skcostci._validation._rows import SampleOptions
from skcostci.laws.exact._auc_given_errors import ErrorCountLaw
from skcostci.results._estimand import Estimand
from skcostci.statistics._auc import (
    ERROR_COUNT_METHODS,
    GIVEN_ERROR_RATE,
    AUCDifferenceResult,
    AUCResult,
    ErrorCountResult,
    areas_asked,
)
from skcostci.statistics._curve_areas import PartialAUCDifferenceResult, PartialAUCResult
from skcostci.statistics._horizon import area_at_horizon, horizon_asked
from skcostci.statistics._weight_types import weighed

# Options that must have these values with censored times.
LEFT_ALONE = {
    "sampling": None,
    "multi_class": "raise",
    "average": "macro",
    "standardize": True,
    "weight_type": "counts",
}


class AUCOptions(SampleOptions, total=False):
    """The options that do not affect the class of the result, for type checkers."""

    sampling: Sampling | None
    multi_class: MultiClass
    labels: ArrayLike | None
    standardize: bool
    horizon: float | None


class AreaOptions(TypedDict):
    """The options that select the area, passed on by name."""

    sampling: Sampling | None
    multi_class: MultiClass
    average: Average | None
    labels: ArrayLike | None
    max_fpr: float | None
    standardize: bool


@overload
def bootstrap_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Average | None = "macro",
    max_fpr: None = None,
    **options: Unpack[AUCOptions],
) -> AUCResult: ...


@overload
def bootstrap_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Average | None = "macro",
    max_fpr: float,
    **options: Unpack[AUCOptions],
) -> AUCResult | PartialAUCResult: ...


@explains_calls
@described(SampleOptions)
def bootstrap_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sampling: Sampling | None = None,
    multi_class: MultiClass = "raise",
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    max_fpr: float | None = None,
    standardize: bool = True,
    time: ArrayLike | None = None,
    horizon: float | None = None,
) -> AUCResult | PartialAUCResult:
    """The area under the ROC curve (AUC) with its confidence interval and the moments of its bootstrap distribution.

    The bootstrap distribution of a statistic is its distribution over all resamples. Resampling approximates it; here
    no resample is drawn.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels, both classes present; for several classes see ``multi_class``. For several labels per case a
        table, 1 where it has the label of the column and 0 elsewhere; cases are resampled with all their labels.
    y_score : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
        Finite scores, higher meaning more positive; the direction is never guessed. For several classes or labels, a
        column for each; they need not be probabilities. Columns of a table that are named after the classes are used by
        name, those that are only numbered, as "p1" and "p2", by position; other names are refused.
    sampling : {"stratified", "full"}, default=None
        Resample each class to its own size, or all cases together, leaving out resamples of one class. None is
        "stratified", with ``proxy`` "full". For several classes, with ``groups`` and with importance weights leave it
        at None. The estimate and the mean are the same for both, and so are the limits of methods that do not use the
        bootstrap distribution, such as "delong" (Returns lists them).
    multi_class : {"raise", "ovr", "ovo"}, default="raise"
        What to do with several classes: raise an error, take each against the rest, or each against each (Hand and
        Till). As in scikit-learn it has no effect where ``y_score`` is one column.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        For several classes or labels: the mean over these, or over pairs of classes, unweighted or weighted by their
        numbers of cases. With "ovr", and for labels, two more are possible: "micro", one AUC of all pairs of a case and
        a label, and None, an array with one AUC per class or label. For labels only: "samples", the mean over cases of
        the AUC of their labels.
    labels : array-like of shape (n_classes,), default=None
        For several classes, which of them each column is for. None: columns named by the classes go by name, others
        are in the order of ordered categories of ``y_true``, with a warning where it is not the sorted one of
        scikit-learn's estimators, else in the order of the sorted labels.
    max_fpr : float, default=None
        The area up to this false-positive rate, from 1e-100 to 1; None and 1 are the whole area. Not with several
        classes. Not to be trusted where ``max_fpr`` times the number of negatives is below 5.
    standardize : bool, default=True
        With ``max_fpr``: McClish's value, 1/2 at random and 1 at best, as scikit-learn has it, or the area itself.
    horizon : float, default=None
        With ``time``, a time below the last one: cases with the event by then are positive, those observed beyond it
        negative, whatever happened later. The area is scikit-survival's cumulative/dynamic AUC.

    Returns
    -------
    AUCResult or PartialAUCResult
        With ``estimate``, ``mean``, ``standard_error``, ``confidence_interval``, ``to_frame``, ``scheme``,
        ``undefined``, ``n_groups``, ``fold_estimates`` and ``skewness`` (of two classes without groups). The interval
        methods, of which several classes, folds and importance weights have the default one and "wald":

        - "unseen_case" (default): allows for one additional case at the least favourable score (for the upper limit at
          the most favourable one); see Notes. Never of zero width. Coverage is 0.946 or more at a nominal 0.95 with at
          least 5 cases per class; with fewer the interval is very wide.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group as extreme as
          those in the sample suggest, and for one effective case (Notes of :func:`bootstrap_mean`). Not to be trusted
          where some groups fail as a whole and the sample may contain none. With 8 to 20 groups and an AUC near 1 it
          covers 0.93. Groups of one case each are no groups; a single pair among them gives this method, which at an
          AUC of 0.98 may be half as wide as "unseen_case" (elsewhere the two agree within a tenth).
        - "unseen_group" (only with ``groups``): allows for groups that fail as a whole; 1.3 to 2.9 times as wide as
          Student's t with 20 to 25 groups.
        - "logit_t": Student's t on the log-odds scale, with unbiased variances of placements; "newcombe" where the AUC
          is 0 or 1, all scores are tied or a class has one case. Not to be trusted with ten cases in a class and an AUC
          near 1.
        - "wald", "logit": a Gaussian with the bootstrap variance, plain or on the log-odds scale; "delong",
          "delong_logit": with DeLong's variance. Not to be trusted when the AUC is near 1 or a class is small: the
          interval has zero width at an AUC of 1.
        - "hanley_mcneil", "newcombe": use only the AUC and the class sizes, and assume exponentially distributed
          scores. Not to be trusted when the smaller class has the more variable scores, or with many ties.
          "max_variance" (Birnbaum & Klose): with the largest variance that any scores could have; very wide, of zero
          width at an AUC of 1.

        Figures are in :doc:`/user_guide/interval_methods`.

        With ``sampling="full"`` the intervals "unseen_case", "logit_t", "wald" and "logit" allow for class sizes that
        vary; none of them becomes narrower. "delong", "delong_logit", "hanley_mcneil", "newcombe" and "max_variance" do
        not depend on the sampling.

    Raises
    ------
    ValueError
        If labels, scores, weights or options are not as described.

    See Also
    --------
    bootstrap_auc_difference : Compare two models.
    compare_models : Compare several.
    ROCConfidenceDisplay : The curve.
    plan_auc : How many cases it takes.

    Notes
    -----
    **The default interval** varies the weights of the cases: they get random (Dirichlet) weights, and among them is one
    additional case, the least favourable possible. For the lower limit it is a positive that scores below all negatives
    or a negative above all positives, for the upper limit the reverse; both are tried, and the limit further from the
    estimate is used. The limit is a quantile of the Beta distribution with the mean and the variance that the AUC then
    has. Because the variance is only an estimate, it is multiplied by ``(t / z)**2``: z is the normal quantile, t that
    of Student's t, with Satterthwaite's degrees of freedom. The additional case has at most 0.92 times the weight of an
    observed case, and less the more precisely the sample determines the variance. :doc:`/theory/auc` has the formulas.

    The variance of the resampled AUC is ``zeta10 / m + zeta01 / n + (zeta11 - zeta10 - zeta01) / (m n)`` with the
    plug-in Hoeffding components, computed in O(n log n) without forming pairs.

    With ``folds`` the interval is about the models of these folds: the mean of the AUCs that they have in the whole
    population. Variances of the folds add. The interval is not about the model refitted on all cases. Repeats of the
    cross-validation add no information: pass one repeat. One additional case is allowed for in all, not one per fold.

    With ``max_fpr`` mean and variance are exact up to some hundreds of negatives within it, of first order beyond and
    with full sampling or groups: ``is_exact`` says which. The methods are the default and "wald". **Not to be trusted
    where** ``max_fpr`` **times the number of negatives is below 5**: negatives that score above all positives may then
    be missing from the sample, and the coverage of the default is 0.88 at a nominal 0.95.

    With ``horizon`` the area is the cumulative/dynamic AUC of censored times, as in scikit-survival, timeROC and
    riskRegression: a case with the event has weight 1/G, G the Kaplan-Meier estimate of the probability not to be
    censored before, and standard errors, of first order, allow for G being an estimate. The additional case has the
    event at the horizon or outlives it, with the worst score. Censoring must not depend on the scores.

    With ``proxy`` the estimate is the AUC of the checked rows, plus lam times the difference between the AUCs that the
    proxy's labels give in the other rows and in the checked ones; lam, ``proxy_weight``, minimizes the variance. See
    Notes of :func:`bootstrap_mean`.

    For several classes, with their sizes fixed, every average is a weighted sum of the AUCs of one class against one
    other under the scores for the first. Its variance is exact too up to 100,000 scores in all; beyond, small
    covariances are replaced by an upper bound, which changes the standard error by less than a thousandth, and
    ``is_exact`` is False.

    References
    ----------
    D. J. Hand and R. J. Till, "A simple generalisation of the area under the ROC curve for multiple class
    classification problems", Machine Learning, 2001.

    A. I. Bandos, H. E. Rockette and D. Gur, "Exact bootstrap variances of the area under ROC curve", Communications in
    Statistics - Theory and Methods, 2007.

    P. Blanche, J.-F. Dartigues and H. Jacqmin-Gadda, "Estimating and comparing time-dependent areas under receiver
    operating characteristic curves for censored event times with competing risks", Statistics in Medicine, 2013.

    R. G. Newcombe, "Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2",
    Statistics in Medicine, 2006.

    Examples
    --------
    >>> from skcostci import bootstrap_auc
    >>> auc = bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    >>> float(auc)
    0.875
    >>> low, high = auc.confidence_interval(0.95)
    >>> round(low, 3), round(high, 3)
    (0.336, 0.999)

    Three classes, each against the rest:

    >>> y_score = [[0.7, 0.2, 0.1], [0.5, 0.4, 0.1], [0.1, 0.6, 0.3], [0.4, 0.3, 0.3], [0.1, 0.2, 0.7], [0.2, 0.3, 0.5]]
    >>> round(float(bootstrap_auc([0, 0, 1, 1, 2, 2], y_score, multi_class="ovr")), 3)
    0.938
    >>> of_each = bootstrap_auc([0, 0, 1, 1, 2, 2], y_score, multi_class="ovr", average=None)
    >>> of_each.to_frame()[["label", "estimate", "standard_error", "low", "high"]].round(3)
       label  estimate  standard_error    low   high
    0      0     1.000           0.000  0.167  1.000
    1      1     0.812           0.184  0.119  0.998
    2      2     1.000           0.000  0.167  1.000

    Cases that have any of two labels:

    >>> y_true = [[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 1]]
    >>> y_score = [[0.8, 0.1], [0.6, 0.7], [0.3, 0.2], [0.4, 0.3], [0.7, 0.4], [0.2, 0.9]]
    >>> round(float(bootstrap_auc(y_true, y_score, average="micro")), 3)
    0.875
    """
    how: AreaOptions = {
        "sampling": sampling,
        "multi_class": multi_class,
        "average": average,
        "labels": labels,
        "max_fpr": max_fpr,
        "standardize": standardize,
    }
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
    scores = {"y_score": y_score}
    if time is not None or horizon is not None:
        at: AUCResult = horizon_asked(area_at_horizon, y_true, scores, time, horizon, LEFT_ALONE, {**how, **sample})
        return at
    result: AUCResult | PartialAUCResult
    result = weighed(areas_asked(y_true, scores, **how, **sample), sample_weight, weight_type)
    return result


@overload
def bootstrap_auc_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    average: Average | None = "macro",
    max_fpr: None = None,
    **options: Unpack[AUCOptions],
) -> AUCDifferenceResult: ...


@overload
def bootstrap_auc_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    average: Average | None = "macro",
    max_fpr: float,
    **options: Unpack[AUCOptions],
) -> AUCDifferenceResult | PartialAUCDifferenceResult: ...


@explains_calls
@described(bootstrap_auc)
def bootstrap_auc_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    sampling: Sampling | None = None,
    multi_class: MultiClass = "raise",
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    max_fpr: float | None = None,
    standardize: bool = True,
    time: ArrayLike | None = None,
    horizon: float | None = None,
) -> AUCDifferenceResult | PartialAUCDifferenceResult:
    """The difference in AUC of two models, a - b, on the same cases, with its confidence interval and p-value.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels, both classes present; for several classes see ``multi_class``, for several labels per case
        :func:`bootstrap_auc`.
    y_score_a, y_score_b : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
        Finite scores of the two models, higher meaning more positive; they need not share a scale.

    Returns
    -------
    AUCDifferenceResult or PartialAUCDifferenceResult
        With ``estimate``, ``mean``, ``standard_error``, ``covariance``, ``correlation``, ``statistic``, ``pvalue``,
        ``confidence_interval`` and ``to_frame``. The interval methods for whole areas are listed below; several classes
        and folds have "extrapolated", "unseen_case" and "wald". With ``max_fpr`` the methods are those of
        :func:`bootstrap_average_precision_difference`.

        - "extrapolated" (default): Student's t corrected for skewness, with one additional case about as extreme as the
          cases in the sample; see Notes. The interval is short where the models rank nearly alike. **Not to be
          trusted** where one model alone may fail on a small share q of the cases: with the probability ``(1 - q)^n``
          none of them is in the sample, which then looks like agreement, and the interval fails to cover with this
          probability. With ``groups`` the additional observation is a group, and this applies to groups.
        - "unseen_case": as in :func:`bootstrap_auc`, applied to the difference, with an additional case that the models
          place at opposite ends. It also covers where one model alone fails on cases that are not in the sample, and is
          up to 20 times as wide as "extrapolated" where models rank nearly alike.
        - "unseen_group" (with ``groups``): the same with an additional group; 3 to 33 times as wide as Student's t.
        - "wald": a Gaussian with the exact bootstrap variance; "delong": with DeLong's, whatever the sampling. Not to
          be trusted when an AUC is near 1 or a class small (the coverage is 0.26 at worst at a nominal 0.95): it has
          zero width where both AUCs are 1 or the models never disagree.

    See Also
    --------
    bootstrap_auc : One model.

    Notes
    -----
    **The default interval.** For a positive, take the share of negatives that score below it, for a negative the share
    of positives that score above it; x is this share under a minus this share under b. The difference D is the mean of
    x in each class. Its limits are those of Student's t with the variance of D and Satterthwaite's degrees of freedom
    of the sum of both classes' variances, corrected for the skewness of x (Hall). They are computed with one additional
    case in one class, whose x lies between the most extreme x in the sample and the end of the range, -1 or 1. A case
    is informative if its x differs from D. With more informative cases the additional x is nearer to the most extreme
    observed one, and its weight is smaller, from 1 down to 0.1 of a case. This is done for each class, and the limit
    further from the estimate is used. If no case is informative, as for models that rank alike, the additional case is
    at the end of the range with the weight of a case, and the interval is wider than if a few cases differ a little. At
    tail probabilities below 0.001 a limit is never nearer to the estimate than Student's without the correction.
    :doc:`/theory/auc` has the formulas. With groups see Notes of :func:`bootstrap_mean`.

    The covariance of the resampled AUCs is ``c10 / m + c01 / n + (c11 - c10 - c01) / (m n)``: c10 and c01 are the
    covariances of the two models' placements of positives and of negatives, c11 that of their kernels over all pairs.
    For c11 one counts the pairs of cases that both models put in the right order, by halving the cases' ranks in turn:
    O(n log n) time and O(n) memory, no pairs are formed. The variance of the difference is computed from differences
    of placements, so it is exactly 0 for models that rank alike and precise for models that nearly do.

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or more correlated receiver
    operating characteristic curves: a nonparametric approach", Biometrics, 1988.

    P. Hall, "On the removal of skewness by transformation", Journal of the Royal Statistical Society B, 1992.

    Examples
    --------
    >>> from skcostci import bootstrap_auc_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> difference = bootstrap_auc_difference(y_true, a, b)
    >>> float(difference)
    0.34375
    >>> round(difference.correlation, 3)
    0.483
    >>> low, high = difference.confidence_interval(0.95)
    >>> round(low, 2), round(high, 2)
    (-0.12, 0.82)

    Three readers of eight cases, without help and with it:

    >>> case, reader = list(range(8)) * 3, ["Ann"] * 8 + ["Bo"] * 8 + ["Cy"] * 8
    >>> alone = [1, 2, 3, 4, 2, 3, 5, 5] + [1, 1, 3, 5, 2, 3, 4, 4] + [2, 1, 4, 3, 4, 2, 3, 5]
    >>> helped = [1, 2, 1, 4, 3, 3, 5, 5] + [1, 1, 2, 4, 3, 4, 4, 5] + [2, 1, 3, 2, 4, 3, 4, 5]
    >>> study = bootstrap_auc_difference(y_true * 3, helped, alone, groups=case, crossed=reader)
    >>> study.levels, study.by_level.round(3)
    (('Ann', 'Bo', 'Cy'), array([0.125, 0.219, 0.25 ]))
    """
    how: AreaOptions = {
        "sampling": sampling,
        "multi_class": multi_class,
        "average": average,
        "labels": labels,
        "max_fpr": max_fpr,
        "standardize": standardize,
    }
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
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    if time is not None or horizon is not None:
        options = {**how, **sample}
        at: AUCDifferenceResult = horizon_asked(area_at_horizon, y_true, scores, time, horizon, LEFT_ALONE, options)
        return at
    result: AUCDifferenceResult | PartialAUCDifferenceResult
    result = weighed(areas_asked(y_true, scores, **how, **sample), sample_weight, weight_type)
    return result


@explains_calls
def auc_from_error_count(
    n_errors: int,
    n_positive: int,
    n_negative: int,
    *,
    error_rate: tuple[float, float] | None = None,
    error_confidence: float | None = None,
) -> ErrorCountResult:
    """The AUC's mean, standard deviation and interval when only the number of errors is known (Cortes & Mohri).

    Parameters
    ----------
    n_errors : int
        The number of cases that the classifier labels wrongly, from 0 to all of them.
    n_positive, n_negative : int
        The number of cases of each class, from 1 to 4e9.
    error_rate : tuple of 2 floats, default=None
        The limits of a confidence interval for the error rate from another source, in [0, 1]; they contain the observed
        error rate. None: the number of errors is binomial.
    error_confidence : float, default=None
        The confidence level of that interval, in (0, 1), required with it. It must be above the confidence level for
        the AUC.

    Returns
    -------
    ErrorCountResult
        With ``estimate``, ``standard_error`` (for exactly this number of errors), ``confidence_interval`` and
        ``to_frame``. The intervals also allow for the number of errors varying between samples. Methods, from the
        shortest (a one-sided interval is the two-sided one without one of its limits):

        - "optimal" (default): the shortest interval around the estimate for which the error probabilities given each
          number of errors, weighted by the binomial distribution of that number, add up to 1 minus the level.
        - "exponential": error probabilities given k errors that increase as ``exp((k - n_errors)**2 / ...)``, as in the
          paper's experiments.
        - "gaussian", "chebyshev": the same error probability for all numbers of errors in a normal or a Chebyshev
          interval for the error rate. "chebyshev" is the theorem as proved; "optimal" and "exponential" use the
          observed error rate in place of the true one.
        - "given_error_rate" (only with ``error_rate``): Theorem 1, the same error probability for all numbers of errors
          in the given interval; the level is the product of both confidence levels.

    Raises
    ------
    TypeError, ValueError
        If the counts are not whole numbers, or not in their range.

    See Also
    --------
    bootstrap_auc : From the scores, where they are available.

    Notes
    -----
    **When not to trust it.** Coverage is nominal for an AUC drawn from a model in which every ordering of the cases
    with this number of errors has the same weight, whatever the scores. It does not hold for a classifier with given
    score distributions: the estimate is **not consistent**. For two normal classes of one variance and an AUC of 0.95
    the estimate tends to 0.878, and the interval shrinks around this value: its coverage at an AUC of 0.8 is 0.997 with
    200 cases per class, 0.058 with 1000 and 0 with 4000. If the scores are available, use :func:`bootstrap_auc`.

    The interval is **uninformative** once the number of errors is about the size of the smaller class: labelling all
    cases alike makes as few errors, the estimate is near 1/2 and the interval is about 1/2 plus or minus 6 standard
    deviations or more. With more errors the classifier is worse than a constant one. Even with few errors the interval
    is several times as wide as one from the scores.

    The mean and variance are those of Propositions 2 and 3 for every number of errors, by closed forms in three moments
    of a truncated binomial that are computed by recurrence to full precision. Corollary 1 as printed has two misprints
    and loses precision in floating point. With millions of cases the numbers of errors are combined into a thousand
    groups; 1e9 cases take seconds.

    References
    ----------
    C. Cortes and M. Mohri, "Confidence intervals for the area under the ROC curve", NIPS 17, 2005.

    Examples
    --------
    >>> from skcostci import auc_from_error_count
    >>> result = auc_from_error_count(20, 100, 100)
    >>> round(float(result), 6), round(result.standard_error, 4)
    (0.9, 0.0124)
    >>> low, high = result.confidence_interval(0.95)
    >>> round(low, 3), round(high, 3)
    (0.819, 0.981)

    With an interval for the error rate of its own, at 99 %:

    >>> given = auc_from_error_count(20, 100, 100, error_rate=(0.06, 0.16), error_confidence=0.99)
    >>> given.confidence_interval(0.95)
    ConfidenceInterval(low=0.764, high=0.989)
    """
    positives = CASES.whole("n_positive", n_positive)
    negatives = CASES.whole("n_negative", n_negative)
    errors = Number(0, positives + negatives).whole("n_errors", n_errors)
    given = _error_rate(error_rate, error_confidence, errors / (positives + negatives))
    law = ErrorCountLaw(errors, positives, negatives, given)
    methods = ERROR_COUNT_METHODS if given is None else GIVEN_ERROR_RATE
    return ErrorCountResult(law.mean, law, methods, estimand=Estimand("auc_of_error_count"))


def _error_rate(ends: Any, confidence: float | None, seen: float) -> tuple[float, float, float] | None:
    """The limits of an interval for the error rate, and its confidence, if they are given."""
    if (ends is None) != (confidence is None):
        raise ValueError("error_rate=(low, high) needs error_confidence, the confidence level of that interval.")
    if ends is None:
        return None
    limits = np.atleast_1d(SHARE.all("error_rate", ends))
    if limits.shape != (2,) or not limits[0] <= seen <= limits[1]:
        raise ValueError(f"error_rate must be two limits that contain the observed rate, {seen:.4g}, got {ends!r}.")
    return float(limits[0]), float(limits[1]), LEVEL("error_confidence", confidence)
