"""The area under the ROC curve: of two classes or several, of cases or groups of them, in one sample or in folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import as_array
from skcostci._frozen import read_only
from skcostci._options import AVERAGES, MULTI_CLASS, SAMPLINGS, Average, MultiClass, Sampling
from skcostci._validation import Floats, Integers, check_alone, check_fold_sampling, check_option
from skcostci.cases._cases import Cases, place_groups, split_folds
from skcostci.cases._paired import SortedClasses
from skcostci.laws import (
    AUCDifferenceLaw,
    AUCLaw,
    ClassesDifferenceLaw,
    ClassesLaw,
    FoldedAUCDifferenceLaw,
    FoldedAUCLaw,
    GroupedAUCDifferenceLaw,
    GroupedAUCLaw,
    PlacedClasses,
    SideBySide,
)
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult
from skcostci.statistics._partial_auc import PartialAUCResult, check_max_fpr, partial_auc_of

METHODS = (
    "unseen_case",
    "logit_t",
    "delong",
    "wald",
    "logit",
    "delong_logit",
    "hanley_mcneil",
    "newcombe",
    "max_variance",
)
OF_PARTS = ("unseen_case", "wald")  # of several classes, and of folds
OF_GROUPS = ("unseen_group", "wald")

OneLaw: TypeAlias = AUCLaw | FoldedAUCLaw | GroupedAUCLaw | ClassesLaw | SideBySide
PairLaw: TypeAlias = AUCDifferenceLaw | FoldedAUCDifferenceLaw | GroupedAUCDifferenceLaw | ClassesDifferenceLaw


@dataclass(frozen=True, repr=False, eq=False)
class OfAUC(BootstrapResult[float]):
    """What an AUC and a difference of two answer, however cases are resampled."""

    law: OneLaw | PairLaw = field(repr=False)

    @property
    def undefined(self) -> float:
        """The probability that a resample has no AUC because a class is missing; such resamples are left out."""
        if isinstance(self.law, SideBySide):
            return self._shaped([getattr(law, "undefined", 0.0) for law in self.law.laws])
        if isinstance(self.law, GroupedAUCLaw):
            return self.law.undefined
        if isinstance(self.law, AUCLaw | AUCDifferenceLaw) and self.law.sampling == "full":
            cases = self.law.n_positive + self.law.n_negative
            return float(sum((size / cases) ** cases for size in (self.law.n_positive, self.law.n_negative)))
        return 0.0

    @property
    def skewness(self) -> float:
        """The skewness of the bootstrap law, 0 where it is a point.

        Raises
        ------
        AttributeError
            Of differences, groups and several classes, of which two moments are known.
        """
        if isinstance(self.law, AUCLaw | FoldedAUCLaw):
            return self.law.skewness
        of = " and ".join(self.scheme).replace("multi_class", "several classes") or "differences"
        raise AttributeError(f"of {of} mean and variance of the law are known, its skewness is not.")


@dataclass(frozen=True, repr=False, eq=False)
class AUCResult(OfAUC):
    """The area under the ROC curve, with the moments of its bootstrap law.

    What :func:`bootstrap_auc` returns; ties count 1/2. Beside what every :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : ndarray of shape (n_classes,), default=None
        With ``average=None`` the class of each point; the numbers are then arrays.

    Examples
    --------
    >>> from skcostci import bootstrap_auc
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_auc(y_true, y_score)
    AUCResult(estimate=0.875, standard_error=0.1362, 95 % interval 0.3363 to 0.9986)
    """

    law: OneLaw = field(repr=False)
    labels: NDArray[Any] | None = field(default=None, kw_only=True, repr=False)

    def _axis(self) -> dict[str, Any]:
        return {} if self.labels is None else {"label": self.labels}


@overload
def bootstrap_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    multi_class: MultiClass = "raise",
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    max_fpr: None = None,
    standardize: bool = True,
) -> AUCResult: ...


@overload
def bootstrap_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    multi_class: MultiClass = "raise",
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    max_fpr: float,
    standardize: bool = True,
) -> AUCResult | PartialAUCResult: ...


def bootstrap_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sampling: Sampling = "stratified",
    multi_class: MultiClass = "raise",
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    max_fpr: float | None = None,
    standardize: bool = True,
) -> AUCResult | PartialAUCResult:
    """The AUC with its confidence interval; mean, variance and skewness of its bootstrap law are exact.

    The bootstrap law of a statistic is its distribution over all resamples. Resampling approximates it; here no
    resample is drawn.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present; of several classes see ``multi_class``.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Finite scores, higher meaning more positive; the direction is never guessed. Of several classes, a column for
        each; they need not be probabilities.
    sampling : {"stratified", "full"}, default="stratified"
        Resample each class to its own size, or all cases together, leaving out resamples of one class. Of several
        classes only the former. The estimate and the mean are the same, and so are the intervals of the methods that do
        not use the bootstrap law: "delong", "delong_logit", "hanley_mcneil", "newcombe" and "max_variance".
    multi_class : {"raise", "ovr", "ovo"}, default="raise"
        What to do with several classes: refuse them, take each against the rest, or each against each (Hand and Till).
        As in scikit-learn it does not matter where ``y_score`` is one column.
    average : {"macro", "weighted"} or None, default="macro"
        Of several classes, whether each class, or pair of them, counts the same or as much as it has cases. With "ovr"
        None asks for each class by itself: arrays, one entry a label, as of its cases against all others.
    labels : array-like of shape (n_classes,), default=None
        Of several classes, which of them each column is for; None are the sorted labels.
    pos_label : int, float, bool or str, default=None
        The positive label; 1 if None and the labels are {0, 1} or {-1, 1}. Not for several classes.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, such as the lesions of a patient: labels of any kind, of two groups or more. Whole
        groups are then resampled, with the classes they hold, and ``sampling`` is to be left alone.
    folds : array-like of shape (n_samples,), default=None
        Of out-of-fold scores, the fold in which each case was tested: labels of any kind, both classes in each. The
        result is then the mean of what the folds give, each a sample of its own; see Notes. ``groups`` may be nested
        in them, each in one fold, as GroupKFold makes them; several classes go with groups alone.
    max_fpr : float, default=None
        Ask for the area up to this false-positive rate, in (0, 1]; None and 1 are the whole one. Not with several
        classes or folds. See Notes for what few negatives can say.
    standardize : bool, default=True
        With ``max_fpr``: McClish's value, 1/2 at random and 1 at best, as scikit-learn has it, or the area itself.

    Returns
    -------
    AUCResult or PartialAUCResult
        With ``estimate``, ``mean``, ``standard_error``, ``confidence_interval``, ``to_frame``, ``scheme``,
        ``undefined``, ``n_groups``, ``fold_estimates`` and ``skewness`` (of two classes without groups). The interval
        methods, of which several classes and folds have "unseen_case" and "wald":

        - "unseen_case" (default): for each limit up to .92 of a case is added to one class at the worst place that
          scores can have, below or above all others; a Beta law takes the moments of the AUC when the cases get
          Dirichlet weights, with a Student correction. Never degenerate. Coverage is exact where positives lie above
          all negatives or below all of them: at worst .892, .946 and .989 at nominal .90, .95 and .99 with 5 to 300
          cases in the class, one limit missing .059, .030 and .006 at most (nominal .05, .025 and .005). Scores of two
          or three values, found by search: .910, .957 and .990 at worst, one limit missing .010 of .005; 90 populations
          of normal, heavy-tailed, exponential and rated scores, with outliers and undetectable positives, classes of 6
          to 1000, simulated: .899, .949 and .985. The price is width: 1.02 times DeLong's with 200 cases a class and an
          AUC of .8, 1.05 with 50, 1.3 with 10 positives, or with 50 cases a class and an AUC of .95. With fewer than 5
          cases in a class it says next to nothing. Of several classes: one has the case not seen, the one whose limit
          lies furthest out; it is below all others in the column of its own class and above them in that of one other.
        - "unseen_group" (default with ``groups``, and only there): the same with groups in place of cases: a group of
          typical size, all of whose cases are at the wrong end, may not be among those seen. It holds where one group
          in thirty fails whole, and where fewer than about three such groups are to be expected no narrower interval
          does. The price is width where groups only resemble each other: 1.2 to 1.6 times Student's t over groups with
          25 of them, 1.1 to 1.3 with 60. Moments are exact of up to 128 groups, else of first order, as
          those of several classes are. Of these the group that is feared loses in all columns at once: with three
          classes and 30 groups of six the interval is 2.7 times Student's t.
        - "logit_t": Student's t on the scale of log odds, with the bootstrap variance made unbiased in the
          placements. Where the AUC is 0 or 1, all scores are tied or a class has one case: "newcombe". Covers .94 to
          .99 on balanced binormal designs; .07 with ten cases a class and an AUC of .997.
        - "wald", "logit": a Gaussian with the bootstrap variance, plain or on the scale of log odds; "delong",
          "delong_logit": with DeLong's variance. Not to be trusted when the AUC is near 1 or a class small: the
          interval is a point at AUC = 1.
        - "hanley_mcneil", "newcombe": need the AUC alone, assuming scores as if exponential. Not to be trusted when
          the scarce class is the one spread out, or with many ties.
        - "max_variance": the largest variance any scores could have (Birnbaum & Klose); very wide, a point at 1.

        With ``sampling="full"`` the intervals "unseen_case", "logit_t", "wald" and "logit" allow for class sizes that
        vary: "unseen_case" by as many cases as say as much on average; it never gets narrower by it.

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
    The mean is the AUC itself. The variance of the resampled AUC is
    ``zeta10 / m + zeta01 / n + (zeta11 - zeta10 - zeta01) / (m n)`` with the plug-in Hoeffding components; DeLong's
    variance relates to it by ``V = (1 - 1/m)(1 - 1/n) V_DeLong + zeta11 / (m n)``. O(n log n), no pairs are formed.

    With ``folds`` the interval is about the models of these folds: the mean of the AUCs that they have in the whole
    population. Given the models the folds are independent, so that variances add. What another training set, or the
    model refitted on all cases, would give is not in it, and repeats of the cross-validation do not shrink it: pass one
    repeat. Limits allow for one unseen case among all, not one a fold. That folds share training data is left out:
    simulated, five or ten folds of 60 to 200 cases cover .94 to 1.00 at nominal .95 with up to 10 features, .92 with 20
    features and 200 cases.

    With ``max_fpr`` the area is that under the curve that scikit-learn draws, up to this rate. Mean and variance are
    exact up to some hundreds of negatives within it, of first order beyond (1 or 2 % off) and with full sampling or
    groups: ``is_exact`` says which. The methods are "unseen_case", "unseen_group" with groups, and "wald"; up to .7 of
    a case may not have been seen. On ten mixtures of normal scores, 150 samples each of 25 + 120 and 80 + 400 cases,
    the default covers .880, .940 and .973 at worst at nominal .90, .95 and .99 for ``max_fpr=0.1`` (s.e. .02 at .95),
    and .907, .940 and .967 of differences of nested models; on others, written when the constant stood, .900 of .95 at
    worst, .925 of differences and .917 with full sampling. Of clusters it covers .94 where none or 2 % of them fail
    whole, but .86 to .89 where 5 % do, half of all that ``max_fpr`` holds, with 40 clusters as with 150. **Where
    ``max_fpr`` times the number of negatives is below 5** the data cannot say what lies there: a share of negatives
    just above ``max_fpr`` may score above all positives, and few or none of them be in the sample. With such a share of
    .11, 10 + 20 and 100 + 30 cases at ``max_fpr=0.1`` cover .88 of a nominal .95.

    Of several classes, with their sizes fixed, every average is a weighted sum of the AUCs of one class against one
    other under the scores for the first. Its variance is exact too, in O(k n log n) for k classes.

    References
    ----------
    D. J. Hand and R. J. Till, "A simple generalisation of the area under the ROC curve for multiple class
    classification problems", Machine Learning, 2001.

    A. I. Bandos, H. E. Rockette and D. Gur, "Exact bootstrap variances of the area under ROC curve", Communications in
    Statistics - Theory and Methods, 2007.

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
    >>> bootstrap_auc([0, 0, 1, 1, 2, 2], y_score, multi_class="ovr", average=None).to_frame().round(3)
       label  estimate  standard_error    low   high
    0      0     1.000           0.000  0.167  1.000
    1      1     0.812           0.184  0.119  0.998
    2      2     1.000           0.000  0.167  1.000
    """
    rate = check_max_fpr(max_fpr, standardize)
    if has_classes(multi_class, y_score):
        check_alone(multi_class=None if rate is None else multi_class, max_fpr=rate)
        check_alone(multi_class=multi_class, folds=folds)
        cases = check_classes(y_true, {"y_score": y_score}, sampling, labels, pos_label, sample_weight, groups)
        if average is None:
            return auc_of_each_class(cases, "y_score", multi_class=multi_class)
        return auc_of_classes(cases, "y_score", multi_class=multi_class, average=average)
    check_average(average, labels)
    sample = {"pos_label": pos_label, "sample_weight": sample_weight, "groups": groups}
    cases = Cases.check(y_true, {"y_score": y_score}, hint=ALL_CLASSES, **sample)
    if folds is not None:
        check_fold_sampling(sampling)
        parts = split_folds(cases, folds, sample_weight, groups)
        check_alone(folds=folds, max_fpr=rate)
        return auc_of_folds(parts, "y_score")
    return area_of(cases, "y_score", sampling=sampling, max_fpr=max_fpr, standardize=standardize)


def area_of(
    cases: Cases,
    column: str,
    *,
    sampling: Sampling = "stratified",
    max_fpr: float | None = None,
    standardize: bool = True,
) -> AUCResult | PartialAUCResult:
    """The area under the curve of a column of checked cases, the whole one or up to a false-positive rate."""
    rate = check_max_fpr(max_fpr, standardize)
    if rate is None:
        return auc_of(cases, column, sampling=sampling)
    return partial_auc_of(cases, column, sampling=sampling, max_fpr=rate, standardize=standardize)


def auc_of(cases: Cases, column: str, *, sampling: Sampling = "stratified") -> AUCResult:
    """The AUC of a column of checked cases."""
    check_option("sampling", sampling, SAMPLINGS)
    cases.check_group_sampling(sampling, "stratified")
    estimand = Estimand("auc", positive=cases.labels[1])
    if cases.groups is not None:
        grouped = law_of_groups(cases, column)
        return AUCResult(grouped.estimate, grouped, OF_GROUPS, estimand=estimand, n_groups=grouped.n_groups)
    law = AUCLaw.from_placements(*cases.counts(column).placements, sampling=sampling)
    return AUCResult(law.mean, law, METHODS, estimand=estimand)


def auc_of_folds(folds: Sequence[Cases], column: str) -> AUCResult:
    """The mean over folds of the AUC of a column of checked cases, in groups if they are in any fold."""
    estimand = Estimand("auc", positive=folds[0].labels[1], folds=True)
    if any(fold.groups is not None for fold in folds):
        grouped = GroupedAUCLaw.of_folds([law_of_groups(fold, column) for fold in each_in_groups(folds)])
        return AUCResult(grouped.estimate, grouped, OF_GROUPS, estimand=estimand, **of_folds(grouped))
    law = FoldedAUCLaw.of(
        [AUCLaw.from_placements(*fold.counts(column).placements, sampling="stratified") for fold in folds]
    )
    return AUCResult(law.mean, law, OF_PARTS, estimand=estimand, **of_folds(law))


def auc_of_classes(cases: Cases, column: str, *, multi_class: str, average: str) -> AUCResult:
    """The AUC of checked cases of several classes, whose column has a score for each."""
    estimand = Estimand("auc", labels=tuple(cases.labels), multi_class=multi_class, average=average)
    if cases.groups is not None:
        grouped = law_of_class_groups(cases, column, multi_class, average)
        return AUCResult(grouped.estimate, grouped, OF_GROUPS, estimand=estimand, n_groups=grouped.n_groups)
    classes, weights = sorted_classes(cases, (column,), multi_class, average)
    law = ClassesLaw.from_meetings(classes.meetings(), classes.cases, weights, 1)
    return AUCResult(law.mean, law, OF_PARTS, estimand=estimand)


def auc_of_each_class(cases: Cases, column: str, *, multi_class: str) -> AUCResult:
    """The AUC of each class against the rest, side by side."""
    if multi_class != "ovr":
        raise ValueError("average=None goes with multi_class='ovr': the AUCs of 'ovo' are of pairs, not of classes.")
    scores, found = cases.columns[column], []
    for place in range(len(cases.labels)):
        against = {"labels": (False, True), "truth": cases.truth == place, "columns": {column: scores[:, place]}}
        found.append(auc_of(replace(cases, **against), column))
    law, labels = SideBySide(tuple(each.law for each in found)), tuple(cases.labels)
    estimand = Estimand("auc", labels=labels, multi_class=multi_class)
    estimates = read_only(np.array([each.estimate for each in found]))
    options: dict[str, Any] = {"estimand": estimand, "labels": read_only(np.array(labels))}
    return replace(found[0], estimate=estimates, law=law, **options)  # type: ignore[arg-type]  # numbers are arrays here


def of_folds(law: Any) -> dict[str, Any]:
    """What a result keeps of its folds, and how many groups they have together."""
    grouped = isinstance(law, GroupedAUCLaw)
    values = [part.estimate if grouped else part.mean for part in law.parts]
    return {"n_groups": law.n_groups if grouped else None, "fold_estimates": read_only(np.array(values))}


def law_of_class_groups(cases: Cases, column: str, multi_class: str, average: str) -> GroupedAUCLaw:
    """The law of the AUC of several classes where whole groups are resampled."""
    check_option("average", average, AVERAGES)
    placed = SortedClasses.of(cases, (column,)).by_group(np.asarray(cases.groups), cases.truth)
    return GroupedAUCLaw(PlacedClasses(*placed), partial(pair_weights, multi_class=multi_class, average=average))


def law_of_groups(cases: Cases, column: str) -> GroupedAUCLaw:
    """The law of the AUC where whole groups are resampled."""
    positive, negative = cases.sizes
    estimate = cases.counts(column).placements.half_wins / (2 * positive * negative)
    placed = place_groups(cases, column)
    return GroupedAUCLaw(PlacedClasses.of_two(estimate, *placed[:4]), pairs=placed.pairs)


def each_in_groups(folds: Sequence[Cases]) -> list[Cases]:
    """Folds with groups; where every case of a fold stands for itself it is a group of its own."""
    return [fold if fold.groups is not None else replace(fold, groups=np.arange(len(fold.truth))) for fold in folds]


ALL_CLASSES = (
    " The AUC of all classes is bootstrap_auc's with multi_class='ovr' or 'ovo'."  # hint to who passes several
)


def has_classes(multi_class: str, y_score: ArrayLike) -> bool:
    """Whether several classes are asked about; as in scikit-learn, two with one column of scores are not."""
    if check_option("multi_class", multi_class, MULTI_CLASS) == "raise":
        return False
    return as_array("y_score", y_score).shape[1:] not in ((), (1,))


def check_classes(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    sampling: str,
    labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
) -> Cases:
    """Checked cases of several classes, and options that they do not have."""
    check_option("sampling", sampling, SAMPLINGS[:1], " The class sizes of several classes are held fixed.")
    if pos_label is not None:
        raise ValueError(f"pos_label must be None with several classes, got {pos_label!r}: none of them is positive.")
    return Cases.check_class_scores(y_true, scores, labels=labels, sample_weight=sample_weight, groups=groups)


def check_average(average: str | None, labels: ArrayLike | None) -> None:
    """Options of several classes where there are two."""
    check_option("average", average, AVERAGES)
    if labels is not None:
        raise ValueError("labels goes with multi_class='ovr' or 'ovo' and a column of scores for each class.")


def sorted_classes(
    cases: Cases, columns: tuple[str, ...], multi_class: str, average: str
) -> tuple[SortedClasses, Floats]:
    """The classes under one model's columns or two models', and what each two of them count."""
    check_option("average", average, AVERAGES)
    classes = SortedClasses.of(cases, columns)
    return classes, pair_weights(classes.sizes, multi_class, average)


def pair_weights(sizes: Integers | Floats, multi_class: str, average: str) -> Floats:
    """What the AUC of a class (row) against another (column), under the scores for the first, counts in the average.

    One class against the rest is an average over the cases of the rest.
    """
    n, total = len(sizes), sizes.sum()
    if multi_class == "ovr":
        shares = sizes / total if average == "weighted" else np.full(n, 1 / n)
        weights = shares[:, None] * sizes / (total - sizes)[:, None]
    else:
        weights = np.add.outer(sizes, sizes) / 1.0 if average == "weighted" else np.ones((n, n))
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights / weights.sum())
