"""Public functions: the AUC and the AUC of a number of errors, average precision, and differences of two models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import as_array
from skcostci._described import described
from skcostci._options import Average, Label, MultiClass, Sampling, WeightType, explains_calls
from skcostci._validation._arguments import CASES, LEVEL, SHARE, Number
from skcostci._validation._rows import SampleOptions, row_options
from skcostci._validation._tables import is_multilabel
from skcostci.cases._cases import Cases
from skcostci.laws.exact._auc_given_errors import ErrorCountLaw
from skcostci.results._estimand import Estimand
from skcostci.statistics._auc import (
    ERROR_COUNT_METHODS,
    GIVEN_ERROR_RATE,
    AUCDifferenceResult,
    AUCResult,
    ErrorCountResult,
    areas_of,
    check_areas,
)
from skcostci.statistics._curve_areas import (
    AveragePrecisionDifferenceResult,
    AveragePrecisionResult,
    PartialAUCDifferenceResult,
    PartialAUCResult,
    average_precision_of,
)
from skcostci.statistics._weight_types import weighed

# Options that must have these values with censored times.
LEFT_ALONE = {
    "sampling": None,
    "multi_class": "raise",
    "average": "macro",
    "standardize": True,
    "weight_type": "counts",
}


class AreaOptions(TypedDict):
    sampling: Sampling | None
    multi_class: MultiClass
    average: Average | None
    labels: ArrayLike | None
    max_fpr: float | None
    standardize: bool


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

    >>> from skcostci import bootstrap_auc
    >>> bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    AUCResult(auc, estimate=0.875, standard_error=0.1362, 95 % interval 0.3363 to 0.9986 by unseen_case)

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels, both classes present; for several classes see ``multi_class``. For several labels per case a
        table, 1 where it has the label of the column and 0 elsewhere; cases are resampled with all their labels.
    y_score : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
        Finite scores, higher meaning more positive. For several classes or labels a column for each, by name where
        columns are named after the classes.
    sampling : {"stratified", "full"}, default=None
        Resample each class to its own size, or all cases together. None is "stratified", with ``proxy`` "full"; leave
        it at None for several classes, ``groups`` and importance weights. The limits of "delong" are the same for both.
    multi_class : {"raise", "ovr", "ovo"}, default="raise"
        Several classes: raise an error, take each against the rest, or each against each (Hand and Till).
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        For several classes or labels: the mean over these, or over pairs of classes, plain or weighted by their numbers
        of cases. With "ovr", and for labels, also "micro", one AUC of all pairs of a case and a label, and None, one
        AUC for each; for labels "samples", the mean over cases.
    labels : array-like of shape (n_classes,), default=None
        For several classes, which of them each column is for. None: by their names, else in the order of ordered
        categories of ``y_true`` or of the sorted labels.
    max_fpr : float, default=None
        The area up to this false-positive rate, from 1e-100 to 1; None and 1 are the whole area. Not to be trusted
        where ``max_fpr`` times the number of negatives is below 5. Not with several classes, ``crossed`` or ``proxy``.
    standardize : bool, default=True
        With ``max_fpr``: McClish's value, 1/2 at random and 1 at best, as scikit-learn has it, or the area itself.
    horizon : float, default=None
        With ``time``, a time below the last one: cases with the event by then are positive, those observed beyond it
        negative (scikit-survival's cumulative/dynamic AUC).

    Returns
    -------
    AUCResult or PartialAUCResult
        Several classes, folds, importance weights and ``max_fpr`` (the second class) have the default and "wald":

        - "unseen_case" (default): allows for one additional case, the least favourable one. Never of zero width; with
          fewer than 5 cases per class very wide.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group as extreme as
          those in the sample suggest. Not to be trusted where some groups fail as a whole and the sample may have none.
        - "unseen_group" (only with ``groups``): allows for groups that fail as a whole; 1.3 to 2.9 times as wide.
        - "logit_t": Student's t on the log-odds scale. Not to be trusted with ten cases in a class and an AUC near 1.
        - "wald", "delong": a Gaussian with the bootstrap variance or DeLong's. Not to be trusted near an AUC of 1 or
          with few cases: zero width at an AUC of 1.
        - "hanley_mcneil", "newcombe": from the AUC and the class sizes alone. Not to be trusted when the smaller class
          has the more variable scores. "max_variance": the largest variance that any scores could have.

        "delong", "hanley_mcneil", "newcombe" and "max_variance" do not depend on the sampling. Coverage and widths are
        in :doc:`/user_guide/interval_methods`.

    See Also
    --------
    bootstrap_auc_difference : Compare two models.
    compare_models : Compare several.

    Notes
    -----
    **The default interval** gives the cases, and an additional one ranked as badly as possible, random (Dirichlet)
    weights: :doc:`/theory/auc`. The variance is exact for two classes without groups, with ``max_fpr`` up to some
    hundreds of negatives: ``is_exact``. With ``folds`` pass one repeat: others add no information.

    References
    ----------
    A. I. Bandos, H. E. Rockette and D. Gur, Communications in Statistics - Theory and Methods, 2007.
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
    result: AUCResult | PartialAUCResult = _area(y_true, {"y_score": y_score}, how, sample, time, horizon)
    return result


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

    >>> from skcostci import bootstrap_auc_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> bootstrap_auc_difference(y_true, a, b)
    AUCDifferenceResult(auc difference, estimate=0.3438, standard_error=0.1941, 95 % interval -0.1197 to 0.8215 by
    extrapolated, p=0.13)

    Parameters
    ----------
    y_score_a, y_score_b : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
        Finite scores of the two models, higher meaning more positive; they need not share a scale.

    Returns
    -------
    AUCDifferenceResult or PartialAUCDifferenceResult
        Several classes and folds have "extrapolated", "unseen_case" and "wald". With ``max_fpr`` the second class:

        - "extrapolated" (default): Student's t corrected for skewness, with one additional case (with ``groups`` a
          group) about as extreme as those in the sample; short where the models rank nearly alike. **Not to be
          trusted** where one model alone may fail on a small share q of the cases: with the probability ``(1 - q)^n``
          none of them is in the sample, which then looks like agreement.
        - "unseen_case": with an additional case that the models place at opposite ends. It also covers where one model
          alone fails on cases that are not in the sample, and is up to 20 times as wide where models rank nearly alike.
        - "unseen_group" (with ``groups``): the same with an additional group; 3 to 33 times as wide as Student's t.
        - "wald": a Gaussian with the exact bootstrap variance; "delong": with DeLong's, whatever the sampling. Not to
          be trusted when an AUC is near 1 or a class small: zero width where the models never disagree.

        Coverage and widths are in :doc:`/user_guide/interval_methods`.

    See Also
    --------
    bootstrap_auc : One model.

    Notes
    -----
    **The default interval** is Student's t for the differences of the cases' placements, with Satterthwaite's degrees
    of freedom and Hall's correction for skewness, where one class has an additional case, of a weight from 1 down to
    0.1: :doc:`/theory/auc`. With ``groups`` and ``crossed`` the result is that of a multi-reader study that compares
    two ways of reading. A ``proxy`` is one for both models.

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Biometrics, 1988; P. Hall, "On the removal of skewness by
    transformation", Journal of the Royal Statistical Society B, 1992.
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
    result: AUCDifferenceResult | PartialAUCDifferenceResult = _area(y_true, scores, how, sample, time, horizon)
    return result


def _area(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    how: AreaOptions,
    sample: SampleOptions,
    time: ArrayLike | None,
    horizon: float | None,
) -> Any:
    if time is not None or horizon is not None:
        from skcostci.statistics._censored import area_at_horizon, check_censored  # late: few ask

        sample["time"] = time
        cases = check_censored(y_true, scores, sample, left_alone=LEFT_ALONE, horizon=horizon, **how)
        return area_at_horizon(cases, *scores, horizon=horizon)
    cases = check_areas(y_true, scores, sample, **how)
    return weighed(areas_of(cases, *scores, **how), sample["sample_weight"], sample["weight_type"])


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

    >>> from skcostci import auc_from_error_count
    >>> auc_from_error_count(20, n_positive=100, n_negative=100)
    ErrorCountResult(auc_of_error_count, estimate=0.9, standard_error=0.01245, 95 % interval 0.8187 to 0.9813 by
    optimal)

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
        Intervals also allow for the number of errors varying between samples; ``standard_error`` is for exactly this
        number. Methods, from the shortest (a one-sided interval is the two-sided one without one of its limits):

        - "optimal" (default): the shortest interval around the estimate for which the error probabilities given each
          number of errors, weighted by the binomial distribution of that number, add up to 1 minus the level.
        - "exponential": error probabilities given k errors that increase as ``exp((k - n_errors)**2 / ...)``, as in the
          paper's experiments.
        - "gaussian", "chebyshev": the same error probability for all numbers of errors in a normal or a Chebyshev
          interval for the error rate. "chebyshev" is the theorem as proved.
        - "given_error_rate" (only with ``error_rate``): Theorem 1, the same error probability for all numbers of errors
          in the given interval; the level is the product of both confidence levels.

    See Also
    --------
    bootstrap_auc : From the scores, where they are available.

    Notes
    -----
    **When not to trust it.** Coverage is nominal for an AUC drawn from a model in which every ordering of the cases
    with this number of errors has the same weight. It does not hold for a classifier with given score distributions:
    the estimate is **not consistent**. For two normal classes of one variance and an AUC of 0.95 it tends to 0.878, and
    the interval shrinks around this value.

    The interval is **uninformative** once the number of errors is about the size of the smaller class: labelling all
    cases alike makes as many errors. Even with few errors it is several times as wide as one from the scores.

    References
    ----------
    C. Cortes and M. Mohri, "Confidence intervals for the area under the ROC curve", NIPS 17, 2005.
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


@explains_calls
@described(SampleOptions)
def bootstrap_average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    prevalence: float | tuple[int, int] | None = None,
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> AveragePrecisionResult:
    """Average precision with a confidence interval that allows for one additional, least favourable case.

    >>> from skcostci import bootstrap_average_precision
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]
    >>> bootstrap_average_precision(y_true, y_score)
    AveragePrecisionResult(average_precision, estimate=0.747, standard_error=0.1453, 95 % interval 0.2609 to 0.9653 by
    unseen_case)

    The area under the precision-recall curve in steps, as scikit-learn's ``average_precision_score`` has it.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels, both classes present; those of several classes; or a table of several labels per case, 1 where it
        has the label of the column.
    y_score : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
        Finite scores, higher meaning more positive; for several classes or labels a column for each, by name where
        columns are named after the classes.
    sampling : {"stratified", "full"}, default="stratified"
        Resample each class to its own size, so that the class mix is that of the sample, or all cases together. Leave
        it at its default with ``prevalence``, ``groups`` and importance weights.
    prevalence : float or tuple of 2 ints, default=None
        The share of positives at which average precision is evaluated, in (0, 1); None is the share in the sample. Or
        ``(events, cases)`` of another sample from which the share is estimated; limits allow for its uncertainty. Not
        for several classes or labels.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        For several classes, each against the rest, or labels: their mean; the mean weighted by how many cases have
        each; the average precision of all pairs of a case and a label; or, for labels only, the mean over cases. None
        returns one value per label, as arrays.
    labels : array-like of shape (n_classes,), default=None
        For several classes, which of them each column is for. None: by their names, else in the order of ordered
        categories of ``y_true`` or of the sorted labels.

    Returns
    -------
    AveragePrecisionResult
        With ``mean`` and ``is_exact``. The interval methods:

        - "unseen_case" (default): allows for one additional case, a negative above all others or a positive below them
          for the lower limit, the reverse for the upper one. Never of zero width. Not to be trusted where no negative
          of the sample scores above all positives although the population has such negatives, so few that a sample of
          this size contains three or fewer on average.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group as extreme as
          those in the sample suggest. Not to be trusted where some groups fail as a whole and the sample may have none.
        - "unseen_group" (only with ``groups``): allows for such groups; up to twice as wide.
        - "wald": a Gaussian with the mean and the variance of the bootstrap distribution. Not to be trusted with few
          positives, near an average precision of 1, nor where a few negatives lie at the top.

        Coverage is in :doc:`/user_guide/interval_methods`.

    Warns
    -----
    UndefinedMetricWarning
        If some cases have no label with ``average="samples"``: they count 0.

    See Also
    --------
    bootstrap_average_precision_difference : Compare two models.
    compare_models : Compare several.

    Notes
    -----
    A resample's average precision is biased upwards: limits are computed around the estimate minus that bias, except
    for several classes or labels; ``mean`` includes it. Mean and variance are exact where positives have at most 24
    distinct scores, the smaller class at most 10,000 cases, and classes are resampled to their own sizes: ``is_exact``.
    A label that no case has is undefined (``defined``). :doc:`/user_guide/average_precision` has more.

    References
    ----------
    K. Boyd, K. H. Eng and C. D. Page, ECML PKDD, 2013.
    """
    rows: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows["pos_label"] = pos_label
    cases = check_ranked(y_true, {"y_score": y_score}, rows, labels=labels)
    found = average_precision_of(cases, "y_score", sampling=sampling, prevalence=prevalence, average=average)
    result: AveragePrecisionResult = weighed(found, sample_weight, weight_type)
    return result


@explains_calls
@described(bootstrap_average_precision)
def bootstrap_average_precision_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    prevalence: float | tuple[int, int] | None = None,
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> AveragePrecisionDifferenceResult:
    """The difference in average precision of two models on the same cases, a - b.

    >>> from skcostci import bootstrap_average_precision_difference
    >>> y_true = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0] * 5
    >>> a = [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1] * 5
    >>> b = [0.1, 0.8, 0.7, 0.3, 0.55, 0.5, 0.4, 0.6, 0.2, 0.9] * 5
    >>> bootstrap_average_precision_difference(y_true, a, b)
    AveragePrecisionDifferenceResult(average_precision difference, estimate=0.3985, standard_error=0.07345, 95 %
    interval 0.2477 to 0.5512 by extrapolated, p=5.2e-06)

    Parameters
    ----------
    y_score_a, y_score_b : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_labels)
        The scores of the two models, which need not share a scale.

    Returns
    -------
    AveragePrecisionDifferenceResult
        The interval methods:

        - "extrapolated" (default with ``groups``, and without ``folds``): Student's t, with one additional case, or
          group, that changes the difference by little more than the most influential one in the sample does. Short
          where the models resemble each other, and without groups never wider than "unseen_case". Not to be trusted
          where one model alone may rank some positives last, or some negatives first, and the sample contains none of
          these.
        - "unseen_case" (default with ``folds``, unless there are ``groups``): with an additional case that the models
          place at opposite ends. It also covers where one model alone fails on cases that are not in the sample, and is
          2 to 7 times as wide for models that nearly agree.
        - "unseen_group" (only with ``groups``): the same, with an additional group.
        - "wald": a Gaussian. Not to be trusted with few positives or near an average precision of 1.

    See Also
    --------
    bootstrap_average_precision : One model.

    Notes
    -----
    The standard error is of first order. :doc:`/user_guide/average_precision` has more.
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows["pos_label"] = pos_label
    cases = check_ranked(y_true, scores, rows, labels=labels)
    found = average_precision_of(cases, *scores, sampling=sampling, prevalence=prevalence, average=average)
    result: AveragePrecisionDifferenceResult = weighed(found, sample_weight, weight_type)
    return result


def check_ranked(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    sample: SampleOptions,
    *,
    labels: ArrayLike | None = None,
    **_: object,
) -> Cases:
    """The cases: of several classes if there are more than two columns of scores, or ``labels`` for the columns."""
    pos_label, rows = sample.get("pos_label"), row_options(sample)
    if is_multilabel(y_true):
        if labels is not None:
            raise ValueError("labels are for several classes; in a table the labels are the columns. Leave labels out.")
        return Cases.check_labels(y_true, scores, predicted=False, pos_label=pos_label, **rows)
    shape = as_array(*next(iter(scores.items()))).shape
    if labels is None and (len(shape) < 2 or shape[1] < 3):
        return Cases.check(y_true, scores, pos_label=pos_label, **rows)
    if pos_label is not None:
        raise ValueError(f"pos_label must be None with several classes, got {pos_label!r}: there is no positive class.")
    return Cases.check_class_scores(y_true, scores, labels=labels, **rows)
