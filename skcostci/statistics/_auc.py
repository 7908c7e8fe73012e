"""The area under the ROC curve: of two classes or several, of cases or groups of them, in one sample or in folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Integers, as_array
from skcostci._frozen import read_only
from skcostci._options import AVERAGES, MULTI_CLASS, SAMPLINGS, Alternative, Average, Label, MultiClass, Sampling
from skcostci._validation._arguments import check_option, refuse_beside
from skcostci._validation._label_tables import is_multilabel
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import GivenRows, SampleOptions, row_options
from skcostci.cases._cases import Cases, place_groups
from skcostci.cases._design import Design
from skcostci.cases._paired import SortedClasses, pair_columns
from skcostci.cases._proxied import check_proxied
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws._side_by_side import SideBySide
from skcostci.laws.influence._class_ranks import ClassesDifferenceLaw, ClassesLaw
from skcostci.laws.influence._first_order import OF_RANKS, Unseen
from skcostci.laws.influence._grouped_ranks import GroupedAUCDifferenceLaw, GroupedAUCLaw, PlacedClasses
from skcostci.laws.influence._ranks import AUCDifferenceLaw, AUCLaw, FoldedAUCDifferenceLaw, FoldedAUCLaw
from skcostci.results._estimand import Estimand
from skcostci.results._paired_results import MomentDifferenceResult
from skcostci.results._results import BootstrapResult
from skcostci.statistics._areas_by_label import OfLabels, against_rest, areas_by_label
from skcostci.statistics._curve_areas import check_max_fpr, partial_auc_of
from skcostci.statistics._proxies import auc_by_proxy
from skcostci.statistics._unit_means import Difference, RanksOfTwo
from skcostci.statistics._units import law_of_models, methods_of_units, of_scheme
from skcostci.statistics._weight_types import continuous_in_weights

METHODS = (
    "unseen_case",
    "logit_t",
    "delong",
    "wald",
    "hanley_mcneil",
    "newcombe",
    "max_variance",
)
DIFFERENCE_METHODS = (*methods_of_units(grouped=False, paired=True), "delong")
MANY_SCORES = 100_000  # with several classes: beyond, exact moments take seconds
NOT_CROSSED = {
    "multi_class": "only the AUC of two classes is implemented; compute it for each class against the rest",
    "max_fpr": "only the whole AUC is implemented",
    "average": "for a table with a column per label, evaluate each column separately",
}
ERROR_COUNT_METHODS = ("optimal", "exponential", "gaussian", "chebyshev")
GIVEN_ERROR_RATE = ("given_error_rate",)


@dataclass(frozen=True, repr=False, eq=False)
class OfAUC(OfLabels):
    """What the results of an AUC and of a difference have in common, however cases are resampled."""

    @property
    def undefined(self) -> float:
        """The probability that a resample lacks a class and so has no AUC; such resamples are left out."""
        if isinstance(self.law, SideBySide):
            return self._shaped([getattr(law, "undefined", 0.0) for law in self.law.laws])
        if isinstance(self.law, GroupedAUCLaw):
            return self.law.undefined
        if isinstance(self.law, AUCLaw | AUCDifferenceLaw) and self.law.sampling == "full":
            cases = self.law.n_positive + self.law.n_negative
            return float(sum((size / cases) ** cases for size in (self.law.n_positive, self.law.n_negative)))
        return 0.0


@dataclass(frozen=True, repr=False, eq=False)
class AUCResult(OfAUC):
    """The area under the ROC curve, with the moments of its bootstrap distribution.

    Returned by :func:`bootstrap_auc`; ties count 1/2. In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : ndarray of shape (n_labels,), default=None
        With ``average=None`` the class, or the label, of each point; the numbers are then arrays.
    """


@dataclass(frozen=True, repr=False, eq=False)
class AUCDifferenceResult(MomentDifferenceResult, OfAUC):
    """The AUC of model a minus that of model b, with the moments of the joint bootstrap distribution.

    Returned by :func:`bootstrap_auc_difference`; ties count 1/2. Positive values favour a. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : ndarray of shape (n_labels,), default=None
        With ``average=None`` the label of each point; the numbers are then arrays.
    """


@dataclass(frozen=True, repr=False, eq=False)
class ErrorCountResult(BootstrapResult[float]):
    """The expected AUC, given only the number of errors.

    Returned by :func:`auc_from_error_count`: the mean AUC over all rankings and thresholds with that number of errors.
    It has what every :class:`BootstrapResult` has.
    """

    def _alpha(self, level: float, _alternative: Alternative) -> Floats:
        """One-sided limits are ends of the two-sided interval: its inequalities give no share of the risk to a side."""
        return super()._alpha(level, "two-sided")


def areas_asked(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    sampling: Sampling | None,
    multi_class: MultiClass,
    average: Average | None,
    labels: ArrayLike | None,
    max_fpr: float | None,
    standardize: bool,
    **sample: Unpack[SampleOptions],
) -> Any:
    """The area of one model's scores, or of a's minus b's; as in scikit-learn, one column is never several classes."""
    rate, scheme = check_max_fpr(max_fpr, standardize), "stratified" if sampling is None else sampling
    pos_label, rows = sample.get("pos_label"), row_options(sample)
    if rows["crossed"] is not None:
        asked = {"multi_class": None if multi_class == "raise" else multi_class, "max_fpr": rate}
        refuse_beside("crossed", {**asked, "average": "macro" if is_multilabel(y_true) else None}, NOT_CROSSED)
    several = check_option("multi_class", multi_class, MULTI_CLASS) != "raise"
    if is_multilabel(y_true):
        if labels is not None:
            raise ValueError("labels are for several classes; in a table the labels are the columns. Leave labels out.")
        cases = Cases.check_labels(y_true, scores, predicted=False, pos_label=pos_label, **rows)
        return auc_of_labels(cases, *scores, average=average, sampling=scheme, max_fpr=max_fpr, standardize=standardize)
    if several and as_array(*next(iter(scores.items()))).shape[1:] not in ((), (1,)):
        if rate is not None:
            raise ValueError("multi_class and max_fpr cannot be combined: each needs its own distribution.")
        return _several_asked(y_true, scores, scheme, multi_class, average, labels, pos_label, **rows)
    check_option("average", average, AVERAGES, " Other values are for several classes or labels.")
    if labels is not None:
        raise ValueError("labels needs multi_class='ovr' or 'ovo' and a column of scores for each class.")
    hint = " For the AUC of all classes use bootstrap_auc with multi_class='ovr' or 'ovo'."
    if sample.get("proxy") is None and sample.get("checked") is None:
        cases = Cases.check(y_true, scores, hint=hint, pos_label=pos_label, **rows)
        return area_of(cases, *scores, sampling=scheme, max_fpr=max_fpr, standardize=standardize)
    if sampling == "stratified":
        raise ValueError(
            "sampling='stratified' cannot be combined with proxy=: with a proxy the class sizes are not held fixed."
        )

    def check(truth: ArrayLike, laid_out: Mapping[str, ArrayLike], groups: ArrayLike | None) -> Cases:
        return Cases.check(truth, laid_out, hint=hint, pos_label=pos_label, groups=groups)

    others = {"max_fpr": rate, "multi_class": multi_class if several else None}
    return auc_of(check_proxied(check, y_true, scores, sample, others), *scores)


def _several_asked(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    sampling: Sampling,
    multi_class: MultiClass,
    average: Average | None,
    labels: ArrayLike | None,
    pos_label: Label | None,
    **rows: Unpack[GivenRows],
) -> Any:
    check_option("sampling", sampling, SAMPLINGS[:1], " The class sizes of several classes are held fixed.")
    if pos_label is not None:
        raise ValueError(f"pos_label must be None with several classes, got {pos_label!r}: there is no positive class.")
    cases = Cases.check_class_scores(y_true, scores, labels=labels, **rows)
    return auc_of_classes(cases, *scores, multi_class=multi_class, average=average)


def area_of(
    cases: Cases,
    *columns: str,
    sampling: Sampling = "stratified",
    max_fpr: float | None = None,
    standardize: bool = True,
) -> Any:
    """The area under the curve of a column of checked cases, or of a minus b: the whole area, or up to a rate."""
    rate = check_max_fpr(max_fpr, standardize)
    if rate is None:
        return auc_of(cases, *columns, sampling=sampling)
    return partial_auc_of(cases, *columns, sampling=sampling, max_fpr=rate, standardize=standardize)


@continuous_in_weights
def auc_of(cases: Cases, *columns: str, sampling: Sampling = "stratified") -> Any:
    check_option("sampling", sampling, SAMPLINGS)
    cases.check_sampling(sampling, "stratified")
    if cases.rows.is_weighted:
        return _weighted_auc_of(cases, columns)
    if cases.proxies is not None:
        return _by_proxy(cases, columns, cases.proxies)
    if cases.levels is not None:
        return auc_of_levels(cases, *columns)
    if cases.folds is not None:
        return auc_of_folds(cases.by_fold(), *columns)
    law = _law_of_cases(cases, columns, sampling) if cases.groups is None else _law_of_groups(cases, columns)
    return _result(law, columns, Estimand("auc", len(columns) == 2, positive=cases.labels[1]))


def _weighted_auc_of(cases: Cases, columns: Sequence[str]) -> Any:
    models = [[RanksOfTwo(part, column) for column in columns] for part in cases.by_fold()]
    law: Any = law_of_models(cases.design(), models, (0.0, 1.0), OF_RANKS)
    paired = len(columns) == 2
    estimand = Estimand("auc", paired, positive=cases.labels[1], folds=cases.folds is not None)
    methods = methods_of_units(grouped=False, paired=paired)
    of_folds = of_scheme(cases, [*map(Difference.of, models)])
    kind = AUCDifferenceResult if paired else AUCResult
    return kind(float(law.estimate[0]), law, methods, estimand=estimand, **of_folds)


def auc_of_folds(folds: Sequence[Cases], *columns: str) -> Any:
    """The mean over folds; if any fold has groups, each case of a fold without groups is a group."""
    paired = len(columns) == 2
    if any(fold.groups is not None for fold in folds):
        held = [
            fold if fold.groups is not None else fold.with_rows(groups=np.arange(len(fold.truth))) for fold in folds
        ]
        parts = [_law_of_groups(fold, columns) for fold in held]
        law = GroupedAUCDifferenceLaw.of_paired_folds(parts) if paired else GroupedAUCLaw.of_folds(parts)
    else:
        kind: Any = FoldedAUCDifferenceLaw if paired else FoldedAUCLaw
        law = kind.of([_law_of_cases(fold, columns, "stratified") for fold in folds])
    return _result(law, columns, Estimand("auc", paired, positive=folds[0].labels[1], folds=True))


@continuous_in_weights
def auc_of_labels(
    cases: Cases,
    *columns: str,
    average: Any,
    sampling: str = "stratified",
    max_fpr: Any = None,
    standardize: Any = True,
) -> Any:
    """The AUC of checked cases with several labels each, whose columns have a score for each label."""
    if check_max_fpr(max_fpr, standardize) is not None:
        raise ValueError(
            f"max_fpr needs one label per case, got {max_fpr!r} with a table: evaluate each column separately."
        )
    check_option(
        "sampling", sampling, SAMPLINGS[:1], " Cases with several labels are resampled as a whole; leave it out."
    )
    return areas_by_label((AUCResult, AUCDifferenceResult), Estimand("auc"), cases, columns, average)


def _by_proxy(cases: Cases, columns: Sequence[str], proxies: ProxyRows) -> Any:
    parts, grouped, paired = cases.by_proxy(), cases.groups is not None, len(columns) == 2
    if 0 in parts[0].sizes:
        lacking = cases.labels[0 if parts[0].sizes[0] else 1]
        raise ValueError(f"proxy= needs checked rows of both classes; none has class {lacking!r}.")
    alone = auc_of(parts[0], *columns, sampling="stratified" if grouped else "full")
    methods = methods_of_units(grouped=grouped, paired=paired)
    return auc_by_proxy(alone, cases, columns, parts, proxies, methods)


def auc_of_levels(cases: Cases, *columns: str) -> Any:
    """The mean over readers, judges or seeds of the AUC of each."""
    assert cases.levels is not None
    alone = [level.with_rows(groups=np.arange(len(level.truth))) for level in cases.by_level()]
    models = [[ClassRanks(replace(_law_of_groups(level, [c]), pairs=None)) for c in columns] for level in alone]
    places = (~cases.positive).astype(np.int64)  # in laws of ranks the positives are the first class
    design = Design(cases.rows, places, by_class=True, levels=cases.levels)
    law: Any = law_of_models(design, models, (0.0, 1.0), OF_RANKS)
    paired = len(columns) == 2
    return (AUCDifferenceResult if paired else AUCResult)(
        float(law.estimate[0]),
        law,
        methods_of_units(grouped=True),
        estimand=Estimand("auc", paired, positive=cases.labels[1], crossed=True),
        n_groups=cases.n_groups,
        levels=cases.levels.names,
    )


@continuous_in_weights
def auc_of_classes(cases: Cases, *columns: str, multi_class: str, average: Any) -> Any:
    if average is None and len(columns) == 1 and not cases.rows.has_importance:
        return auc_of_each_class(cases, *columns, multi_class=multi_class)
    if multi_class == "ovr" and (average in ("micro", None) or cases.rows.has_importance):
        estimand = Estimand("auc", multi_class=multi_class)
        return areas_by_label((AUCResult, AUCDifferenceResult), estimand, cases, columns, average)
    cases.check_counted("the AUC of each class against each")
    check_option("average", average, AVERAGES, " With 'ovr' also 'micro'." if multi_class == "ovo" else "")
    weigh = partial(_pair_weights, multi_class=multi_class, average=average)
    if cases.folds is not None:
        return _of_class_folds(cases, columns, weigh, multi_class, average)
    if cases.groups is not None:
        laws: list[Any] = [_law_of_class_groups(cases, column, weigh) for column in columns]
        law = GroupedAUCDifferenceLaw.of_models(*laws) if len(laws) == 2 else laws[0]
    else:
        classes = SortedClasses.of(cases, tuple(columns))
        laws = [_law_of_classes(classes.of_model(which), weigh) for which in range(len(columns))]
        law = _law_of_classes(classes, weigh, a=laws[0], b=laws[1]) if len(laws) == 2 else laws[0]
    estimand = Estimand("auc", len(columns) == 2, labels=tuple(cases.labels), multi_class=multi_class, average=average)
    return _result(law, columns, estimand)


@dataclass(frozen=True, repr=False, eq=False)
class ClassRanks:
    """The AUC of several classes as a ``Statistic`` for ``_units``, from the law of groups of one case each."""

    law: GroupedAUCLaw

    @property
    def rounding(self) -> float:
        """Relative to 1 / (size of the smallest class)."""
        return SPREAD_ROUNDING / float(self.law.sizes.min())

    @property
    def value(self) -> Floats:
        return np.array([self.law.estimate])

    @property
    def influences(self) -> Floats:
        return np.asarray(self.law.influence / self.law.placed.counts.sum(axis=1))[:, None]

    def with_additional(self, made: Floats, side: int) -> Floats:
        end = self.law.support[side > 0]
        return np.array([self.law.at(1.0, Unseen(0, np.append(made, end))).value])


def _of_class_folds(
    cases: Cases, columns: Sequence[str], weigh: Callable[[Floats], Floats], multi_class: str, average: str | None
) -> Any:
    alone = [fold.with_rows(groups=np.arange(len(fold.truth))) for fold in cases.by_fold()]
    models = [[ClassRanks(_law_of_class_groups(fold, c, weigh)) for c in columns] for fold in alone]
    law: Any = law_of_models(cases.design(), models, (0.0, 1.0), OF_RANKS)
    return (AUCDifferenceResult if len(columns) == 2 else AUCResult)(
        float(law.estimate[0]),
        law,
        methods_of_units(grouped=cases.groups is not None),
        estimand=Estimand(
            "auc", len(columns) == 2, labels=tuple(cases.labels), folds=True, multi_class=multi_class, average=average
        ),
        **of_scheme(cases, [*map(Difference.of, models)]),
    )


def auc_of_each_class(cases: Cases, column: str, *, multi_class: str) -> Any:
    """The AUC of each class against the rest, side by side."""
    if multi_class != "ovr":
        raise ValueError(
            "average=None needs multi_class='ovr': with 'ovo' the AUCs belong to pairs of classes, not to classes."
        )
    labels = tuple(cases.labels)
    estimand = Estimand("auc", labels=labels, multi_class=multi_class, axis={"label": read_only(np.array(labels))})
    return against_rest(cases, column, auc_of, estimand)


def _result(law: Any, columns: Sequence[str], estimand: Estimand) -> Any:
    """The result for one model, or for two, with its methods, number of groups and estimates of folds."""
    paired, grouped = len(columns) == 2, isinstance(law, GroupedAUCLaw)
    if isinstance(law, AUCLaw | AUCDifferenceLaw):
        methods = DIFFERENCE_METHODS if paired else METHODS
    else:
        methods = methods_of_units(grouped=grouped, paired=paired)
    of_folds = [part.estimate if grouped else part.mean for part in getattr(law, "parts", ())]
    return (AUCDifferenceResult if paired else AUCResult)(
        law.estimate if grouped else law.mean,
        law,
        methods,
        estimand=estimand,
        n_groups=law.n_groups if grouped else None,
        fold_estimates=read_only(np.array(of_folds)) if of_folds else None,
    )


def _law_of_cases(cases: Cases, columns: Sequence[str], sampling: Sampling) -> Any:
    """The law from counts: at the scores of each model and, for two, at the pairs of scores that occur."""
    if len(columns) == 1:
        return AUCLaw.from_placements(*cases.counts(columns[0]).placements, sampling=sampling)
    of_a, of_b, positive, negative, half_wins_both = pair_columns(cases, *columns)
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


def _law_of_groups(cases: Cases, columns: Sequence[str]) -> Any:
    positive, negative = cases.sizes
    laws = []
    for column in columns:
        estimate = cases.counts(column).placements.half_wins / (2 * positive * negative)
        placed = place_groups(cases, column)
        laws.append(GroupedAUCLaw(PlacedClasses.of_two(estimate, *placed[:4]), pairs=placed.pairs))
    return laws[0] if len(laws) == 1 else GroupedAUCDifferenceLaw.of_models(*laws)


def _law_of_class_groups(cases: Cases, column: str, weigh: Callable[[Floats], Floats]) -> GroupedAUCLaw:
    placed = SortedClasses.of(cases, (column,)).by_group(np.asarray(cases.groups), cases.truth)
    return GroupedAUCLaw(PlacedClasses(*placed), weigh)


def _law_of_classes(classes: SortedClasses, weigh: Callable[[Any], Floats], **of_models: ClassesLaw) -> ClassesLaw:
    """The law of one model or, given both laws, of a minus b; of first order for many cases, if that is the same."""
    kind = ClassesDifferenceLaw if of_models else ClassesLaw
    cases, weights, models = classes.cases, weigh(classes.sizes), max(len(of_models), 1)
    if sum(map(len, cases)) * len(cases) > MANY_SCORES:
        law = kind.from_meetings(classes.meetings(products=False), cases, weights, models, **of_models)
        if law.rest_is_negligible:
            return law
    return kind.from_meetings(classes.meetings(), cases, weights, models, **of_models)


def _pair_weights(sizes: Integers | Floats, multi_class: str, average: str) -> Floats:
    """The weight in the average of the AUC of a class (row) against another (column), by the scores for the first."""
    n, total = len(sizes), sizes.sum()
    if multi_class == "ovr":
        shares = sizes / total if average == "weighted" else np.full(n, 1 / n)
        weights = shares[:, None] * sizes / (total - sizes)[:, None]
    else:
        weights = np.add.outer(sizes, sizes).astype(np.float64) if average == "weighted" else np.ones((n, n))
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights / weights.sum())
