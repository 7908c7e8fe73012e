"""Average precision, the area under the precision-recall curve, at one class mix (by default that of the sample)."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike

from skcostci._arrays import as_array
from skcostci._described import described
from skcostci._options import Average, Label, Sampling, WeightType, explains_calls
from skcostci._validation._rows import SampleOptions, row_options
from skcostci._validation._tables import is_multilabel
from skcostci.cases._cases import Cases
from skcostci.statistics._curve_areas import (
    AveragePrecisionDifferenceResult,
    AveragePrecisionResult,
    average_precision_of,
)
from skcostci.statistics._weight_types import weighed


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
