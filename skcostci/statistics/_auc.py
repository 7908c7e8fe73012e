"""The area under the ROC curve: of two classes or several, of cases or groups of them, in one sample or in folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Integers, as_array
from skcostci._frozen import read_only
from skcostci._options import AVERAGES, MULTI_CLASS, SAMPLINGS, Alternative, Average, MultiClass, Sampling
from skcostci._validation._arguments import check_option, refuse_beside
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import Rows, SampleOptions
from skcostci._validation._tables import is_multilabel
from skcostci.cases._cases import Cases, check_proxied
from skcostci.cases._counts import Placements
from skcostci.cases._paired import PairedPlacements, pair_columns
from skcostci.laws._side_by_side import SideBySide
from skcostci.laws.influence._first_order import OF_RANKS, Units
from skcostci.laws.influence._ranks import AUCLaw, law_of_folds
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult, MomentDifferenceResult
from skcostci.statistics._areas_by_label import OfLabels, against_rest, areas_by_label
from skcostci.statistics._contests import ranks_of_two
from skcostci.statistics._curve_areas import check_max_fpr, partial_auc_of
from skcostci.statistics._proxies import auc_by_proxy
from skcostci.statistics._unit_means import Difference
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
        laws = self.law.laws if isinstance(self.law, SideBySide) else [self.law]
        found = [law.undefined.item() if isinstance(law, AUCLaw) else 0.0 for law in laws]
        return self._shaped(found) if isinstance(self.law, SideBySide) else found[0]


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


def check_areas(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    sample: SampleOptions,
    *,
    sampling: Sampling | None = None,
    multi_class: MultiClass = "raise",
    average: Average | None = "macro",
    labels: ArrayLike | None = None,
    max_fpr: float | None = None,
    standardize: bool = True,
) -> Cases:
    """The cases of areas: two classes, several, or several labels; as in scikit-learn, one column is never several."""
    rate, pos_label = check_max_fpr(max_fpr, standardize), sample.get("pos_label")
    several = check_option("multi_class", multi_class, MULTI_CLASS) != "raise"
    others = {"max_fpr": rate, "multi_class": multi_class if several else None}
    if sample.get("crossed") is not None:
        refuse_beside("crossed", {**others, "average": "macro" if is_multilabel(y_true) else None}, NOT_CROSSED)
    if is_multilabel(y_true):
        if labels is not None:
            raise ValueError("labels are for several classes; in a table the labels are the columns. Leave labels out.")
        check = partial(Cases.check_labels, predicted=False, pos_label=pos_label)
    elif several and as_array(*next(iter(scores.items()))).shape[1:] not in ((), (1,)):
        if rate is not None:
            raise ValueError("multi_class and max_fpr cannot be combined: each needs its own distribution.")
        how = " The class sizes of several classes are held fixed."
        check_option("sampling", "stratified" if sampling is None else sampling, SAMPLINGS[:1], how)
        if pos_label is not None:
            way = "there is no positive class"
            raise ValueError(f"pos_label must be None with several classes, got {pos_label!r}: {way}.")
        check = partial(Cases.check_class_scores, labels=labels)
    else:
        check_option("average", average, AVERAGES, " Other values are for several classes or labels.")
        if labels is not None:
            raise ValueError("labels needs multi_class='ovr' or 'ovo' and a column of scores for each class.")
        if sampling == "stratified" and sample.get("proxy") is not None:
            raise ValueError(
                "sampling='stratified' cannot be combined with proxy=: with a proxy the class sizes are not held fixed."
            )
        hint = " For the AUC of all classes use bootstrap_auc with multi_class='ovr' or 'ovo'."
        check = partial(Cases.check, hint=hint, pos_label=pos_label)
    return check_proxied(check, y_true, scores, sample, others)


def areas_of(
    cases: Cases,
    *columns: str,
    sampling: Sampling | None = None,
    multi_class: MultiClass = "raise",
    average: Average | None = "macro",
    labels: ArrayLike | None = None,  # noqa: ARG001  # checked with the cases
    max_fpr: float | None = None,
    standardize: bool = True,
) -> Any:
    """The area of one model's scores, or of a's minus b's, of whichever kind the cases are."""
    scheme = "stratified" if sampling is None else sampling
    if cases.has_labels:
        return auc_of_labels(
            cases, *columns, average=average, sampling=scheme, max_fpr=max_fpr, standardize=standardize
        )
    if cases.of_two_classes:
        return area_of(cases, *columns, sampling=scheme, max_fpr=max_fpr, standardize=standardize)
    return auc_of_classes(cases, *columns, multi_class=multi_class, average=average)


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
    if cases.proxies is not None and not cases.rows.is_weighted:  # two samples of cases of any class, or of groups
        return _by_proxy(cases, columns, cases.proxies)
    cases.check_sampling(sampling, "stratified")
    paired, crossed = len(columns) == 2, cases.levels is not None
    law, known = (_of_placements if cases.rows.stand_alone else _of_units)(cases, columns, sampling)
    if isinstance(law, AUCLaw) and cases.folds is None:
        methods = DIFFERENCE_METHODS if paired else METHODS
    else:
        methods = methods_of_units(grouped=cases.groups is not None, paired=paired)
    positive = cases.labels[1]
    estimand = Estimand("auc", paired, positive=positive, folds=cases.folds is not None, crossed=crossed)
    kind = AUCDifferenceResult if paired else AUCResult
    return kind(law.mean.item(), law, methods, estimand=estimand, **known)


def _of_placements(cases: Cases, columns: Sequence[str], sampling: Sampling) -> tuple[Any, dict[str, Any]]:
    """The law, from counts at distinct scores, and the fields of folds."""
    parts = [
        law_of_placements(part.counts(columns[0]).placements, sampling)
        if len(columns) == 1
        else law_of_difference(pair_columns(part, *columns), sampling)
        for part in cases.parts()
    ]
    if cases.folds is None:
        return parts[0], {}
    return law_of_folds(parts), {"fold_estimates": read_only(np.concatenate([part.mean for part in parts]))}


def _of_units(cases: Cases, columns: Sequence[str], _sampling: Sampling) -> tuple[Any, dict[str, Any]]:
    """The law, from the influences of rows, and the fields of groups, folds and levels."""
    design = replace(cases.design(), levels=cases.levels)
    models = [
        [ranks_of_two(part, part.of(cases.positive), part.of(cases.columns[name])) for name in columns]
        for part in design.parts
    ]
    law = law_of_models(design, models, (0.0, 1.0), OF_RANKS)
    if cases.levels is not None:
        return law, {"n_groups": cases.n_groups, "levels": cases.levels.names}
    if cases.groups is not None and len(law.strata) == 1:
        law = replace(law, most_unseen=OF_RANKS / 2)  # the additional group fails in one of its classes
    return law, of_scheme(cases, [*map(Difference.of, models)])


def auc_of_folds(folds: Sequence[Cases], column: str) -> Any:
    """The mean over folds, each with its own cases; if any has groups, each case of one without groups is a group."""
    sizes = [len(fold.truth) for fold in folds]
    groups = None
    if any(fold.groups is not None for fold in folds):
        each = [np.arange(n) if fold.groups is None else fold.groups for fold, n in zip(folds, sizes, strict=True)]
        first = np.cumsum([0, *(own.max() + 1 for own in each[:-1])])
        groups = np.concatenate([own + start for own, start in zip(each, first, strict=True)])
    rows = Rows(np.concatenate([fold.weights for fold in folds]), groups, np.repeat(np.arange(len(folds)), sizes))
    scores = {column: np.concatenate([fold.columns[column] for fold in folds])}
    return auc_of(Cases(np.concatenate([fold.truth for fold in folds]), scores, rows, folds[0].labels), column)


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
    parts, grouped, paired = cases.parts(), cases.groups is not None, len(columns) == 2
    if 0 in parts[0].sizes:
        lacking = cases.labels[0 if parts[0].sizes[0] else 1]
        raise ValueError(f"proxy= needs checked rows of both classes; none has class {lacking!r}.")
    alone = auc_of(parts[0], *columns, sampling="stratified" if grouped else "full")
    methods = methods_of_units(grouped=grouped, paired=paired)
    return auc_by_proxy(alone, cases, columns, parts, proxies, methods)


@continuous_in_weights
def auc_of_classes(cases: Cases, *columns: str, multi_class: str, average: Any) -> Any:
    if average is None and len(columns) == 1 and not cases.rows.has_importance:
        return auc_of_each_class(cases, *columns, multi_class=multi_class)
    if multi_class == "ovo":
        cases.check_counted("the AUC of each class against each")
        check_option("average", average, AVERAGES, " With 'ovr' also 'micro'.")
    estimand = Estimand("auc", multi_class=multi_class)
    return areas_by_label((AUCResult, AUCDifferenceResult), estimand, cases, columns, average)


def auc_of_each_class(cases: Cases, column: str, *, multi_class: str) -> Any:
    """The AUC of each class against the rest, side by side."""
    if multi_class != "ovr":
        raise ValueError(
            "average=None needs multi_class='ovr': with 'ovo' the AUCs belong to pairs of classes, not to classes."
        )
    labels = tuple(cases.labels)
    estimand = Estimand("auc", labels=labels, multi_class=multi_class, axis={"label": read_only(np.array(labels))})
    return against_rest(cases, column, auc_of, estimand)


def law_of_placements(placed: Placements, sampling: str) -> AUCLaw:
    """From the cases at each distinct score, the pairs they win and the order of the scores."""
    cases, cases_negative, half_wins, half_losses, first_not_below, level = placed
    m, n = int(cases.sum()), int(cases_negative.sum())
    a, b = cases.astype(np.float64), cases_negative.astype(np.float64)
    lost, lost_to = (2 * n - half_wins) / (2 * n), (2 * m - half_losses) / (2 * m)
    mean, complement = _shares(float(a @ half_wins) / (2 * m * n), float(a @ lost) / m)
    tied = float((a[level] * b[first_not_below[level]] / (m * n)).sum())
    strata = (
        _placed(np.subtract(complement, lost, out=lost), a, half_wins, mean, 2 * n, (0.0, 1.0)),
        _placed(np.subtract(complement, lost_to, out=lost_to), b, half_losses, mean, 2 * m, (0.0, 1.0)),
    )
    return AUCLaw.of(mean, complement, strata, _kernel_variance(mean, complement, tied), sampling, (0.0, 1.0))


def law_of_difference(paired: PairedPlacements, sampling: str) -> AUCLaw:
    """From the cases per pair of scores and half wins (losses) under a and b; whole totals to the end."""
    of_a, of_b, positive, negative, half_wins_both = paired
    a, b = (law_of_placements(each, sampling) for each in (of_a, of_b))
    (m, n), (won_a, won_b) = a.sizes, (of_a.half_wins, of_b.half_wins)
    pairs, excess = m * n, won_a - won_b
    squares = 2 * (won_a + won_b - half_wins_both) - of_a.tied_pairs - of_b.tied_pairs
    more_wins = of_a.half_wins_positive[positive.rank_a] - of_b.half_wins_positive[positive.rank_b]
    more_losses = of_a.half_losses_negative[negative.rank_a] - of_b.half_losses_negative[negative.rank_b]
    mean, found, differing = excess / (2 * pairs), [], []
    for more, cases, whole in ((more_wins, positive.cases, 2 * n), (more_losses, negative.cases, 2 * m)):
        size = int(cases.sum())
        x = more / whole - excess / (size * whole)
        found.append(_placed(x, cases, more, mean, whole, (-1.0, 1.0), thirds=True))
        differing.append(float(cases[more != 0].sum()))
    psi2 = (squares * pairs - excess**2) / (4 * pairs**2)
    law = AUCLaw.of(mean, 1 - mean, (found[0], found[1]), psi2, sampling, (-1.0, 1.0))
    return replace(law, paired=True, differing=tuple(differing), a=a, b=b)


def _placed(
    x: Floats,
    cases: Integers | Floats,
    half_wins: Integers,
    mean: float,
    whole: int,
    ends: tuple[float, float],
    *,
    thirds: bool = False,
) -> Units:
    """The units of a class, from their deviations x; an unseen one has all of its pairs at the end of the range."""
    size, some = float(cases.sum()), half_wins[cases > 0]
    square = x * x  # powers take ten times as long
    third = np.array([cases @ (square * x) / size if thirds else np.nan])
    seen = (np.array([some.min() / whole - mean]), np.array([some.max() / whole - mean]))
    worst, best = (np.array([end - mean]) for end in ends)
    return Units(size, size, np.array([cases @ square / size]), third, np.full(1, np.nan), *seen, worst, best)


def _shares(won: float, lost: float) -> tuple[float, float]:
    """Two shares that add up to 1: the smaller one, which is the more precise, decides."""
    return (1 - lost, lost) if lost < won else (won, 1 - won)


def _kernel_variance(mean: float, complement: float, tied: float) -> float:
    """From the shares of pairs won, tied and lost."""
    won, lost = max(mean - tied / 2, 0.0), max(complement - tied / 2, 0.0)
    return won * complement**2 + tied * (0.5 - mean) ** 2 + lost * mean**2
