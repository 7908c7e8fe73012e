"""The difference in area under the ROC curve of two models on the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from numpy.typing import ArrayLike

from skcostci._options import SAMPLINGS, Average, MultiClass, Sampling
from skcostci._validation import check_alone, check_fold_sampling, check_option
from skcostci.cases._cases import Cases, split_folds
from skcostci.laws import (
    AUCDifferenceLaw,
    AUCLaw,
    ClassesDifferenceLaw,
    ClassesLaw,
    FoldedAUCDifferenceLaw,
    GroupedAUCDifferenceLaw,
)
from skcostci.results._differences import MomentDifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.statistics._auc import (
    ALL_CLASSES,
    OfAUC,
    PairLaw,
    check_average,
    check_classes,
    each_in_groups,
    has_classes,
    law_of_class_groups,
    law_of_groups,
    of_folds,
    sorted_classes,
)
from skcostci.statistics._partial_auc import PartialAUCDifferenceResult, check_max_fpr, partial_auc_difference_of

METHODS = ("extrapolated", "unseen_case", "wald", "delong")
PAIRED_GROUPS = ("extrapolated", "unseen_group", "wald")
OF_PARTS = ("extrapolated", "unseen_case", "wald")  # of several classes, and of folds


@dataclass(frozen=True, repr=False, eq=False)
class AUCDifferenceResult(MomentDifferenceResult, OfAUC):
    """The AUC of model a minus that of model b, with the moments of the joint bootstrap law.

    What :func:`bootstrap_auc_difference` returns; ties count 1/2, and above 0 a ranks better. It has what every
    :class:`BootstrapResult` has.

    Examples
    --------
    >>> from skcostci import bootstrap_auc_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> bootstrap_auc_difference(y_true, a, b)
    AUCDifferenceResult(estimate=0.1875, standard_error=0.2764, 95 % interval -0.6263 to 0.8956, p=0.62)
    """

    law: PairLaw = field(repr=False)


@overload
def bootstrap_auc_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    multi_class: MultiClass = "raise",
    average: Average = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    max_fpr: None = None,
    standardize: bool = True,
) -> AUCDifferenceResult: ...


@overload
def bootstrap_auc_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    multi_class: MultiClass = "raise",
    average: Average = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    max_fpr: float,
    standardize: bool = True,
) -> AUCDifferenceResult | PartialAUCDifferenceResult: ...


def bootstrap_auc_difference(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    multi_class: MultiClass = "raise",
    average: Average = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    max_fpr: float | None = None,
    standardize: bool = True,
) -> AUCDifferenceResult | PartialAUCDifferenceResult:
    """The difference in AUC of two models, a - b, on the same cases, with its confidence interval and p-value.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present; of several classes see ``multi_class``.
    y_score_a, y_score_b : array-like of shape (n_samples,) or (n_samples, n_classes)
        Finite scores of the two models, higher meaning more positive; they need not share a scale.
    sampling, multi_class : optional
        As in :func:`bootstrap_auc`.
    average : {"macro", "weighted"}, default="macro"
        For several classes, as in :func:`bootstrap_auc`.
    labels : array-like of shape (n_classes,), default=None
        For several classes, as in :func:`bootstrap_auc`; both models have the columns in the same order.
    pos_label, sample_weight, groups : optional
        As in :func:`bootstrap_auc`.
    folds : array-like of shape (n_samples,), default=None
        Of out-of-fold scores, the fold in which each case was tested, as in :func:`bootstrap_auc`: the mean of
        the folds' differences. ``groups`` may be nested in them.
    max_fpr, standardize : optional
        As in :func:`bootstrap_auc`.

    Returns
    -------
    AUCDifferenceResult or PartialAUCDifferenceResult
        With ``estimate``, ``mean``, ``standard_error``, ``covariance``, ``correlation``, ``statistic``, ``pvalue``,
        ``confidence_interval`` and ``to_frame``. The interval methods, of which several classes and folds have
        "extrapolated", "unseen_case" and "wald":

        - "extrapolated" (default): a case that was not seen lies where the differences of placements that were seen
          point to, and weighs the less the more cases differ; Student's t, with corrections for skewness. It sharpens
          as the models agree: with 50 + 60 cases and scores that differ by noise of sd 1, .3, .1 and .01 its width is
          .158, .064, .025 and .006, DeLong's .154, .062, .024 and .005. Chosen on 234 populations and sizes and judged
          on 282 others, of which ordinary pairs cover .940 at worst at nominal .95 and nested, perfect or nearly
          separated ones .934, and on 150 drawn at random and used for nothing else, .913 at worst; with 12 cases in the
          scarce class .88. Beyond tails of .005 the correction for skewness fades: from .001 on no limit is nearer, and
          no one-sided p-value smaller, than Student's about the same centre. **When not to trust it**: where one model
          may throw away a small share q of cases that it otherwise ranks as the other does. With the chance ``(1 -
          q)^n`` none of them is in the sample, which then looks like agreement, and whoever is narrow there misses so
          often. Where models rank all alike the interval is that of n cases none of which differs, wider than if a few
          differ a little.
          With ``groups`` a group takes the case's place, and weighs twice as much. On 15 populations of 20 and of 50
          groups on which nothing was chosen (200 samples each) it covers .95 to .98 at .95 where no group fails, near
          separation and models that rank alike among them, with 1.05 to 1.08 times the width of Student's t (1.2 to
          1.4 where groups are unequal or of one class), and .89 to .96 where 2.5 or 3.2 groups are expected that one
          model alone fails in. With 2 expected it is .84 to .88, with 1.2 .71 to .86: a third of these samples shows
          none.
        - "unseen_case": as :func:`bootstrap_auc`'s, on the difference itself; the case not seen is one that the models
          place at opposite ends, whatever was seen. It holds also if one model may throw away cases that the sample did
          not show, and covers much more than its level elsewhere: with the noise above its width is .169, .109, .111
          and .124.
        - "unseen_group" (with ``groups``): as :func:`bootstrap_auc`'s, on the difference itself: a group that the
          models place at opposite ends. It missed in none of these samples, 3 to 9 times as wide as Student's t on
          ordinary groups and up to 33 times where models rank alike.
        - "wald": a Gaussian with the exact bootstrap variance; "delong": with DeLong's, whatever the sampling. Not to
          be trusted when an AUC is near 1 or a class small (.26 at worst): the interval is a point where both AUCs are
          1 or the models never disagree.

    See Also
    --------
    bootstrap_auc : One model.

    Notes
    -----
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
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rate = check_max_fpr(max_fpr, standardize)
    if has_classes(multi_class, y_score_a):
        check_alone(multi_class=None if rate is None else multi_class, max_fpr=rate)
        check_alone(multi_class=multi_class, folds=folds)
        cases = check_classes(y_true, scores, sampling, labels, pos_label, sample_weight, groups)
        return auc_difference_of_classes(cases, *scores, multi_class=multi_class, average=average)
    check_average(average, labels)
    sample = {"pos_label": pos_label, "sample_weight": sample_weight, "groups": groups}
    cases = Cases.check(y_true, scores, hint=ALL_CLASSES, **sample)
    if folds is not None:
        check_fold_sampling(sampling)
        parts = split_folds(cases, folds, sample_weight, groups)
        check_alone(folds=folds, max_fpr=rate)
        return auc_difference_of_folds(parts, *scores)
    return area_difference_of(cases, *scores, sampling=sampling, max_fpr=max_fpr, standardize=standardize)


def area_difference_of(
    cases: Cases,
    a: str,
    b: str,
    *,
    sampling: Sampling = "stratified",
    max_fpr: float | None = None,
    standardize: bool = True,
) -> AUCDifferenceResult | PartialAUCDifferenceResult:
    """The area of a column of checked cases minus that of another, the whole one or up to a false-positive rate."""
    rate = check_max_fpr(max_fpr, standardize)
    if rate is None:
        return auc_difference_of(cases, a, b, sampling=sampling)
    return partial_auc_difference_of(cases, a, b, sampling=sampling, max_fpr=rate, standardize=standardize)


def auc_difference_of(cases: Cases, a: str, b: str, *, sampling: Sampling = "stratified") -> AUCDifferenceResult:
    """The AUC of a column of checked cases minus that of another."""
    check_option("sampling", sampling, SAMPLINGS)
    cases.check_group_sampling(sampling, "stratified")
    estimand = Estimand("auc", difference=True, positive=cases.labels[1])
    if cases.groups is not None:
        grouped = _law_of_groups(cases, a, b)
        return AUCDifferenceResult(
            grouped.estimate, grouped, PAIRED_GROUPS, estimand=estimand, n_groups=grouped.n_groups
        )
    law = _law(cases, a, b, sampling)
    return AUCDifferenceResult(law.mean, law, METHODS, estimand=estimand)


def auc_difference_of_folds(folds: Sequence[Cases], a: str, b: str) -> AUCDifferenceResult:
    """The mean over folds of the difference of two columns of checked cases."""
    estimand = Estimand("auc", difference=True, positive=folds[0].labels[1], folds=True)
    if any(fold.groups is not None for fold in folds):
        grouped = GroupedAUCDifferenceLaw.of_paired_folds(
            [_law_of_groups(fold, a, b) for fold in each_in_groups(folds)]
        )
        return AUCDifferenceResult(grouped.estimate, grouped, PAIRED_GROUPS, estimand=estimand, **of_folds(grouped))
    law = FoldedAUCDifferenceLaw.of([_law(fold, a, b, "stratified") for fold in folds])
    return AUCDifferenceResult(law.mean, law, OF_PARTS, estimand=estimand, **of_folds(law))


def auc_difference_of_classes(cases: Cases, a: str, b: str, *, multi_class: str, average: str) -> AUCDifferenceResult:
    """The AUC of one column of scores for several classes minus that of another."""
    estimand = Estimand("auc", True, labels=tuple(cases.labels), multi_class=multi_class, average=average)
    if cases.groups is not None:
        grouped = GroupedAUCDifferenceLaw.of_models(
            *(law_of_class_groups(cases, column, multi_class, average) for column in (a, b))
        )
        return AUCDifferenceResult(
            grouped.estimate, grouped, PAIRED_GROUPS, estimand=estimand, n_groups=grouped.n_groups
        )
    of_a, of_b = (sorted_classes(cases, (column,), multi_class, average) for column in (a, b))
    singles = {
        name: ClassesLaw.from_meetings(classes.meetings(), classes.cases, weights, 1)
        for name, (classes, weights) in (("a", of_a), ("b", of_b))
    }
    classes, weights = sorted_classes(cases, (a, b), multi_class, average)
    law = ClassesDifferenceLaw.from_meetings(classes.meetings(), classes.cases, weights, 2, **singles)
    return AUCDifferenceResult(law.mean, law, OF_PARTS, estimand=estimand)


def _law_of_groups(cases: Cases, a: str, b: str) -> GroupedAUCDifferenceLaw:
    """The joint law where whole groups are resampled."""
    return GroupedAUCDifferenceLaw.of_models(law_of_groups(cases, a), law_of_groups(cases, b))


def _law(cases: Cases, a: str, b: str, sampling: Sampling) -> AUCDifferenceLaw:
    """The joint law from the counts: each model's own, and those of the pairs of scores that occur."""
    of_a, of_b, positive, negative, half_wins_both = cases.pair(a, b)
    return AUCDifferenceLaw.from_cells(
        AUCLaw.from_placements(*of_a, sampling=sampling),
        AUCLaw.from_placements(*of_b, sampling=sampling),
        cells_positive=(
            positive.cases,
            of_a.half_wins_positive[positive.rank_a],
            of_b.half_wins_positive[positive.rank_b],
        ),
        cells_negative=(
            negative.cases,
            of_a.half_losses_negative[negative.rank_a],
            of_b.half_losses_negative[negative.rank_b],
        ),
        half_wins=(of_a.half_wins, of_b.half_wins),
        tied_pairs=(of_a.tied_pairs, of_b.tied_pairs),
        half_wins_both=half_wins_both,
    )
