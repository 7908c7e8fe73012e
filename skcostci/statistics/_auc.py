"""The area under the ROC curve: of two classes or several, of cases or groups of them, in one sample or in folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Integers, as_array
from skcostci._described import described
from skcostci._frozen import read_only
from skcostci._options import AVERAGES, Alternative, Average, Label, MultiClass, Sampling, WeightType, explains_calls
from skcostci._validation._arguments import CASES, LEVEL, SHARE, Number, check_option, refuse_beside
from skcostci._validation._rows import Rows, SampleOptions
from skcostci._validation._tables import is_multilabel
from skcostci.cases._cases import Cases, check_proxied
from skcostci.cases._counts import Placements
from skcostci.cases._paired import PairedPlacements, pair_columns
from skcostci.laws._side_by_side import SideBySide
from skcostci.laws.exact._auc_given_errors import ErrorCountLaw
from skcostci.laws.influence._first_order import OF_RANKS, Ends, Units
from skcostci.laws.influence._ranks import AUCLaw, law_of_folds
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult, MomentDifferenceResult
from skcostci.statistics._contests import ranks_of_two
from skcostci.statistics._curve_areas import (
    OfLabels,
    PartialAUCDifferenceResult,
    PartialAUCResult,
    against_rest,
    areas_by_label,
    check_max_fpr,
    check_of_kind,
    partial_auc_of,
)
from skcostci.statistics._proxies import auc_by_proxy
from skcostci.statistics._units import Difference, law_of_models, methods_of_units, of_scheme
from skcostci.statistics._weight_types import continuous_in_weights, weighed

METHODS = ("unseen_case", "logit_t", "delong", "wald", "hanley_mcneil", "newcombe", "max_variance")
DIFFERENCE_METHODS = (*methods_of_units(grouped=False, paired=True), "delong")
NOT_CROSSED = {
    "multi_class": "only the AUC of two classes is implemented; compute it for each class against the rest",
    "max_fpr": "only the whole AUC is implemented",
    "y_true": "for a table with a column per label, evaluate each column separately",
}
ERROR_COUNT_METHODS = ("optimal", "exponential", "gaussian", "chebyshev")


@dataclass(frozen=True, repr=False, eq=False)
class OfAUC(OfLabels):
    """What the results of an AUC and of a difference have in common, however cases are resampled."""

    @property
    def undefined(self) -> float:
        """The probability that a resample lacks a class and so has no AUC; such resamples are left out."""
        return self._shaped(self.law.undefined) if isinstance(self.law, AUCLaw | SideBySide) else 0.0


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


AREAS = AUCResult, AUCDifferenceResult


@dataclass(frozen=True, repr=False, eq=False)
class ErrorCountResult(BootstrapResult[float]):
    """The expected AUC, given only the number of errors.

    Returned by :func:`auc_from_error_count`: the mean AUC over all rankings and thresholds with that number of errors.
    It has what every :class:`BootstrapResult` has.
    """

    def _alpha(self, level: float, _alternative: Alternative) -> Floats:
        """One-sided limits are ends of the two-sided interval: its inequalities bound errors of both sides together."""
        return super()._alpha(level, "two-sided")


class AreaOptions(TypedDict, total=False):
    sampling: Sampling | None
    multi_class: MultiClass
    average: Average | None
    labels: ArrayLike | None
    max_fpr: float | None
    standardize: bool


DEFAULTS: AreaOptions = {"sampling": None, "multi_class": "raise", "average": "macro", "labels": None}
DEFAULTS |= {"max_fpr": None, "standardize": True}


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
    horizon: ArrayLike | None = None,
    integrated: bool = False,
) -> AUCResult | PartialAUCResult:
    """The area under the ROC curve (AUC) with its confidence interval and the moments of its bootstrap distribution.

    >>> from skcostci import bootstrap_auc
    >>> bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    AUCResult(auc, estimate=0.875, standard_error=0.1362, 95 % interval 0.3363 to 0.9986 by unseen_case)

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels, both classes present; for several classes see ``multi_class``. For several labels per case a
        table, 1 where it has the label of the column and 0 elsewhere; cases are resampled with all their labels. NaN
        where a label was not read: each label is then evaluated on its own cases.
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
    horizon : float or array-like of shape (n_points,), default=None
        With ``time``, a time below the last one: cases with the event by then are positive, those observed beyond it
        negative (scikit-survival's cumulative/dynamic AUC). For several, ``y_score`` may have a column for each.
    integrated : bool, default=False
        With several horizons: the mean over time, by trapezoids; scikit-survival's mean AUC weights times by events.

    Returns
    -------
    AUCResult or PartialAUCResult
        Several classes, folds, importance weights and ``max_fpr`` (second type) have the default and "wald":

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
    how: AreaOptions = {"sampling": sampling, "multi_class": multi_class, "average": average, "labels": labels}
    how |= {"max_fpr": max_fpr, "standardize": standardize}
    rows: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows |= {"pos_label": pos_label, "crossed": crossed, "proxy": proxy, "checked": checked, "time": time}
    result: AUCResult | PartialAUCResult = _area(y_true, {"y_score": y_score}, how, rows, horizon, integrated)
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
    horizon: ArrayLike | None = None,
    integrated: bool = False,
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
        The second type is for ``max_fpr``. Several classes and folds have "extrapolated", "unseen_case" and "wald":

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
    how: AreaOptions = {"sampling": sampling, "multi_class": multi_class, "average": average, "labels": labels}
    how |= {"max_fpr": max_fpr, "standardize": standardize}
    rows: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows |= {"pos_label": pos_label, "crossed": crossed, "proxy": proxy, "checked": checked, "time": time}
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    result: AUCDifferenceResult | PartialAUCDifferenceResult = _area(y_true, scores, how, rows, horizon, integrated)
    return result


def _area(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    how: AreaOptions,
    rows: SampleOptions,
    horizon: ArrayLike | None,
    integrated: bool,
) -> Any:
    if rows["time"] is not None or horizon is not None or integrated:
        from skcostci.statistics._censored import area_at_horizon, check_censored, check_horizons  # rarely needed

        horizons, left_alone = check_horizons(horizon, integrated=integrated), {**DEFAULTS, "weight_type": "counts"}
        cases = check_censored(y_true, scores, rows, left_alone=left_alone, horizon=horizons, **how)
        return area_at_horizon(cases, *scores, horizon=horizons, integrated=integrated)
    cases = check_areas(y_true, scores, rows, **how)
    return weighed(areas_of(cases, *scores, **how), rows, BootstrapResult)


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
    methods = ERROR_COUNT_METHODS if given is None else ("given_error_rate",)
    return ErrorCountResult(law.mean, law, methods, estimand=Estimand("auc_of_error_count"))


def _error_rate(ends: ArrayLike | None, confidence: float | None, seen: float) -> tuple[float, float, float] | None:
    """The limits of an interval for the error rate, and its confidence, if they are given."""
    if (ends is None) != (confidence is None):
        raise ValueError("error_rate=(low, high) needs error_confidence, the confidence level of that interval.")
    if ends is None:
        return None
    limits = np.atleast_1d(SHARE.all("error_rate", ends))
    if limits.shape != (2,) or not limits[0] <= seen <= limits[1]:
        raise ValueError(f"error_rate must be two limits that contain the observed rate, {seen:.4g}, got {ends!r}.")
    return float(limits[0]), float(limits[1]), LEVEL("error_confidence", confidence)


def check_areas(
    y_true: ArrayLike, scores: Mapping[str, ArrayLike], sample: SampleOptions, **given: Unpack[AreaOptions]
) -> Cases:
    """The checked cases: of two classes, several, or several labels each; one column of scores is of two classes."""
    how: AreaOptions = {**DEFAULTS, **given}
    rate, table = check_max_fpr(how["max_fpr"], how["standardize"]), is_multilabel(y_true)
    multi_class = None if check_option("multi_class", how["multi_class"], MultiClass) == "raise" else how["multi_class"]
    others = {"max_fpr": rate, "multi_class": multi_class, "y_true": table or None}
    if sample.get("crossed") is not None:
        refuse_beside("crossed", others, NOT_CROSSED)
    several = (
        multi_class is not None and not table and as_array(*next(iter(scores.items()))).shape[1:] not in ((), (1,))
    )
    if several:
        if rate is not None:
            raise ValueError("multi_class and max_fpr cannot be combined: each needs its own distribution.")
        way = " The class sizes of several classes are held fixed."
        check_option("sampling", "stratified" if how["sampling"] is None else how["sampling"], ("stratified",), way)
    elif not table:
        check_option("average", how["average"], AVERAGES, " Other values are for several classes or labels.")
        if how["labels"] is not None:
            raise ValueError("labels needs multi_class='ovr' or 'ovo' and a column of scores for each class.")
        if how["sampling"] == "stratified" and sample.get("proxy") is not None:
            raise ValueError(
                "sampling='stratified' cannot be combined with proxy=: with a proxy the class sizes are not held fixed."
            )
    hint = " For the AUC of all classes use bootstrap_auc with multi_class='ovr' or 'ovo'."
    check = check_of_kind(sample.get("pos_label"), how["labels"], table=table, several=several, hint=hint)
    return check_proxied(check, y_true, scores, sample, others)


def areas_of(cases: Cases, *columns: str, **given: Unpack[AreaOptions]) -> BootstrapResult:
    """The area of one model's scores, or of a's minus b's, of whichever kind the cases are."""
    how: AreaOptions = {**DEFAULTS, **given}
    rate = check_max_fpr(how["max_fpr"], how["standardize"])
    sampling: Sampling = "stratified" if how["sampling"] is None else how["sampling"]
    if cases.of_two_classes:
        if rate is None:
            return auc_of(cases, *columns, sampling=sampling)
        return partial_auc_of(cases, *columns, sampling=sampling, max_fpr=rate, standardize=how["standardize"])
    if rate is not None:
        raise ValueError(
            f"max_fpr needs one label per case, got {how['max_fpr']!r} with a table: evaluate each column separately."
        )
    return auc_of_classes(cases, *columns, multi_class=how["multi_class"], average=how["average"], sampling=sampling)


@continuous_in_weights
def auc_of(cases: Cases, *columns: str, sampling: Sampling = "stratified") -> BootstrapResult:
    check_option("sampling", sampling, Sampling)
    if cases.proxies is not None and not cases.rows.is_weighted:  # two samples of cases of any class, or of groups
        return _by_proxy(cases, columns)
    cases.check_sampling(sampling, "stratified")
    paired, crossed = len(columns) == 2, cases.levels is not None
    law, known = _of_placements(cases, columns, sampling) if cases.rows.stand_alone else _of_units(cases, columns)
    if isinstance(law, AUCLaw) and cases.folds is None:
        methods = DIFFERENCE_METHODS if paired else METHODS
    else:
        methods = methods_of_units(grouped=cases.groups is not None, paired=paired)
    positive = cases.labels[1]
    estimand = Estimand("auc", paired, positive=positive, folds=cases.folds is not None, crossed=crossed)
    return AREAS[paired](law.mean.item(), law, methods, estimand=estimand, **known)


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


def _of_units(cases: Cases, columns: Sequence[str]) -> tuple[Any, dict[str, Any]]:
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


def auc_of_folds(folds: Sequence[Cases], column: str) -> BootstrapResult:
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


def _by_proxy(cases: Cases, columns: Sequence[str]) -> BootstrapResult:
    checked = cases.parts()[0]
    if 0 in checked.sizes:
        lacking = cases.labels[0 if checked.sizes[0] else 1]
        raise ValueError(f"proxy= needs checked rows of both classes; none has class {lacking!r}.")
    alone = auc_of(checked, *columns, sampling="full" if cases.groups is None else "stratified")
    return auc_by_proxy(alone, cases, columns)


@continuous_in_weights
def auc_of_classes(
    cases: Cases, *columns: str, multi_class: MultiClass, average: Average | None, sampling: Sampling
) -> BootstrapResult:
    """The AUC of several classes, or of cases with several labels each: columns have a score for each of them."""
    if cases.has_labels:
        return areas_by_label(AREAS, Estimand("auc"), cases, columns, average, sampling=sampling)
    estimand = Estimand("auc", multi_class=multi_class)
    if average is None and len(columns) == 1 and not cases.rows.has_importance:
        if multi_class != "ovr":
            raise ValueError(
                "average=None needs multi_class='ovr': with 'ovo' the AUCs belong to pairs of classes, not to classes."
            )
        return against_rest(cases, columns[0], auc_of, estimand)
    if multi_class == "ovo":
        cases.check_counted("the AUC of each class against each")
        check_option("average", average, AVERAGES, " With 'ovr' also 'micro'.")
    return areas_by_label(AREAS, estimand, cases, columns, average)


def law_of_placements(placed: Placements, sampling: str) -> AUCLaw:
    """From the cases at each distinct score, the pairs they win and the order of the scores."""
    cases, cases_negative, half_wins, half_losses, first_not_below, level = placed
    m, n = int(cases.sum()), int(cases_negative.sum())
    a, b = cases.astype(np.float64), cases_negative.astype(np.float64)
    lost, lost_to = (2 * n - half_wins) / (2 * n), (2 * m - half_losses) / (2 * m)
    # Threads of a product by @ would spin long after it.
    share_won, share_lost = float(np.einsum("i,i", a, half_wins)) / (2 * m * n), float(np.einsum("i,i", a, lost)) / m
    # Of two shares that add up to 1 the smaller one is the more precise.
    mean, complement = (1 - share_lost, share_lost) if share_lost < share_won else (share_won, 1 - share_won)
    tied = float((a[level] * b[first_not_below[level]] / (m * n)).sum())
    above, below = max(mean - tied / 2, 0.0), max(complement - tied / 2, 0.0)
    psi2 = above * complement**2 + tied * (0.5 - mean) ** 2 + below * mean**2  # the variance over all pairs
    strata = (
        _placed(np.subtract(complement, lost, out=lost), a, m, half_wins, mean, 2 * n, (0.0, 1.0)),
        _placed(np.subtract(complement, lost_to, out=lost_to), b, n, half_losses, mean, 2 * m, (0.0, 1.0)),
    )
    return AUCLaw.of(mean, complement, strata, psi2, sampling, (0.0, 1.0))


def law_of_difference(paired: PairedPlacements, sampling: str) -> AUCLaw:
    """From the cases per pair of scores and half wins (losses) under a and b; totals are integers until divided."""
    of_a, of_b, positive, negative, half_wins_both = paired
    a, b = (law_of_placements(each, sampling) for each in (of_a, of_b))
    (m, n), (won_a, won_b) = a.sizes, (of_a.half_wins, of_b.half_wins)
    pairs, excess = m * n, won_a - won_b
    squares = 2 * (won_a + won_b - half_wins_both) - of_a.tied_pairs - of_b.tied_pairs
    more_wins = of_a.half_wins_positive[positive.rank_a] - of_b.half_wins_positive[positive.rank_b]
    more_losses = of_a.half_losses_negative[negative.rank_a] - of_b.half_losses_negative[negative.rank_b]
    mean, found, differing = excess / (2 * pairs), [], []
    for more, cases, size, whole in ((more_wins, positive.cases, m, 2 * n), (more_losses, negative.cases, n, 2 * m)):
        x = more / whole - excess / (size * whole)
        found.append(_placed(x, cases, size, more, mean, whole, (-1.0, 1.0)))
        differing.append(float(cases[more != 0].sum()))
    psi2 = (squares * pairs - excess**2) / (4 * pairs**2)
    law = AUCLaw.of(mean, 1 - mean, (found[0], found[1]), psi2, sampling, (-1.0, 1.0))
    return replace(law, paired=True, differing=tuple(differing), a=a, b=b)


def _placed(
    x: Floats, cases: Integers | Floats, size: int, half_wins: Integers, mean: float, whole: int, ends: Ends
) -> Units:
    """The units of a class, from deviations x; an unseen one is at an end; ``whole``: twice the other class's size."""
    some, square = half_wins[cases > 0], x * x  # powers take ten times as long
    second, third = np.einsum("i,i", cases, square) / size, np.nan
    if ends[0] < 0:  # only for limits of differences
        third = np.einsum("i,i,i", cases, square, x) / size
    seen = (np.array([some.min() / whole - mean]), np.array([some.max() / whole - mean]))
    worst, best = (np.array([end - mean]) for end in ends)
    return Units(size, size, np.array([second]), np.array([third]), np.full(1, np.nan), *seen, worst, best)
