"""A metric of checked cases: labels of two classes (``_metric``), of several, or a function's (``_several``).

The mean over folds of a metric of two classes that is no weighted sum, or whose folds hold groups (F1, kappa, LR+), has
a law of first order, from the influences of cases or groups in their own fold (see ``_of_rows``), as metrics of several
classes and functions have. Weighted sums of single cases have an exact law per fold: ``mean_of``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import frozen_numbers, read_only
from skcostci._options import Label, Sampling
from skcostci._validation._arguments import check_judged_share, refuse_beside
from skcostci._validation._proxy_rows import CHECKED
from skcostci._validation._rows import SampleOptions, row_options
from skcostci._validation._tables import is_multilabel
from skcostci.cases._cases import Cases, check_proxied, count_alike
from skcostci.laws._side_by_side import SideBySide
from skcostci.laws.exact._linear import LinearLaw
from skcostci.laws.exact._metric_law import range_of
from skcostci.metric import Metric, MetricLike, ZeroDivision, find_metric, has_average
from skcostci.results._estimand import Estimand
from skcostci.statistics._metric import (
    MetricDifferenceResult,
    MetricResult,
    PointOptions,
    at_thresholds,
    binary_metric_of,
    check_sampling,
    cuts_of,
)
from skcostci.statistics._multilabel import check_multilabel, multilabel_metric_of
from skcostci.statistics._of_rows import CellRows, ScorePlaces, check_defined, law_of_rows, merged, unit_of
from skcostci.statistics._points import mean_by_units, mean_of
from skcostci.statistics._proxies import metric_with_proxy
from skcostci.statistics._several import (
    AVERAGED,
    HowJudged,
    check_judged,
    has_more_classes,
    is_function,
    is_judged,
    is_of_two_classes,
    is_share_of_cases,
    judged_metric_of,
    order_told,
    right_or_wrong,
)
from skcostci.statistics._unit_means import Difference, Statistic
from skcostci.statistics._units import methods_of_units
from skcostci.statistics._weight_types import continuous_in_weights

BINARY = HowJudged()
NOT_CROSSED = {
    "sampling": "whole groups are resampled, with all their cases",
    "prevalence": "a given prevalence is not implemented here; the prevalence of the sample is used",
}


def check_metric_cases(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: MetricLike,
    how: HowJudged = BINARY,
    *,
    thresholds: object = None,
    sampling: Sampling | None = None,
    prevalence: object = None,
    frequencies: bool = True,
    row_by_row: bool = False,
    order: Sequence[Label] | None = None,
    **sample: Unpack[SampleOptions],
) -> Cases:
    """The cases of a metric, of one class where that is enough; for several classes and functions as they are.

    If a metric depends only on which cases are right, they become cases of two classes, right and wrong, except with a
    ``proxy``, which has labels too. Equal rows are counted first, unless rows have groups, folds or the like.
    """
    if sample.get("proxy") is not None or sample.get("checked") is not None:
        return _check_proxied(y_true, columns, metric, how, thresholds, prevalence, sample)
    pos_label, rows = sample.get("pos_label"), row_options(sample)
    rows["frequencies"] = frequencies
    if not is_function(metric) and is_multilabel(y_true):
        given = {"thresholds": thresholds, "sampling": sampling, "prevalence": prevalence, "pos_label": pos_label}
        of_one_label = [
            *(n for n in how.given if n not in ("average", "zero_division")),
            *(n for n, v in given.items() if v is not None),
        ]
        return check_multilabel(y_true, columns, metric, how, of_one_label, **rows)
    if order is None:  # asked before equal rows are counted, whose labels have no type
        order = order_told(y_true, columns, metric, how, thresholds)
    alone = rows["groups"] is None and rows["folds"] is None and rows["crossed"] is None
    if thresholds is None and rows["weight_type"] == "counts" and alone and not row_by_row:
        y_true, columns, rows["sample_weight"] = count_alike(y_true, columns, rows["sample_weight"])
    if is_judged(metric, how, {"thresholds": thresholds, "prevalence": prevalence, "pos_label": pos_label}):
        return check_judged(y_true, columns, metric, how, order=order, **rows)
    found = find_metric(metric)
    either = thresholds is None and prevalence is None and not found.needs_positive_class
    several = either and pos_label is None and has_more_classes(found, y_true, columns)
    if several:
        share = is_share_of_cases(found, sampling)
        judged = check_judged(y_true, columns, metric, how, order=order, **rows)
        return right_or_wrong(judged) if share else judged
    return Cases.check(
        y_true,
        columns,
        pos_label=pos_label,
        predicted=thresholds is None,
        both_classes=False,
        either=either,
        hint=_way_out(found) if thresholds is None else "",
        **rows,
    )


def _check_proxied(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: MetricLike,
    how: HowJudged,
    thresholds: object,
    prevalence: object,
    sample: SampleOptions,
) -> Cases:
    order = order_told(y_true, columns, metric, how, thresholds)
    check = partial(
        check_metric_cases,
        metric=metric,
        how=how,
        thresholds=thresholds,
        sampling="stratified",
        row_by_row=True,
        order=order,
        pos_label=sample.get("pos_label"),
    )
    cases = check_proxied(check, y_true, columns, sample, {"prevalence": prevalence})
    if cases.labels and not cases.of_two_classes and how.labels is None:
        _check_no_new_labels(cases, cases.labels)
    return cases


def _check_no_new_labels(cases: Cases, labels: Sequence[Label]) -> None:
    """Raise if a label occurs only in the proxy: without ``labels`` it is not clear whether it counts."""
    if cases.proxies is None:
        return
    checked = cases.truth[cases.proxies.kinds == CHECKED]
    new = np.setdiff1d(cases.truth, np.concatenate([checked, *cases.columns.values()]))
    if len(new):
        raise ValueError(
            f"proxy contains the label {labels[new[0]]!r}, which occurs in no checked row of y_true and in no "
            "prediction. Pass labels to state which labels count."
        )


def _way_out(metric: MetricLike) -> str:
    """The end of a message: how to apply a metric of two classes to several."""
    if has_average(metric):
        return f" Or use {AVERAGED}."
    return " Or use average=None, one value per class." if is_of_two_classes(metric) else ""


@continuous_in_weights
def metric_of(
    cases: Cases,
    *columns: str,
    metric: MetricLike,
    thresholds: object = None,
    sampling: Sampling | None = None,
    prevalence: object = None,
    how: HowJudged = BINARY,
) -> Any:
    """A metric of a column of checked cases, or of a minus b; NaN at points where it has no value."""
    if cases.has_labels:
        return multilabel_metric_of(cases, columns, metric, how.average, how.zero_division)
    if not cases.of_two_classes:
        if how.average is None and is_of_two_classes(metric):
            return metric_of_each_class(cases, lambda each: metric_of(each, *columns, metric=metric, sampling=sampling))
        return judged_metric_of(cases, columns, metric, how, sampling)
    if prevalence is not None:
        check_judged_share(prevalence, single=cases.levels is None and cases.folds is None)
    given: PointOptions = {"thresholds": thresholds, "sampling": sampling, "prevalence": prevalence}
    if cases.proxies is not None:
        return _by_proxy(cases, columns, metric, given)
    if cases.levels is not None:
        return _over_levels(cases, columns, metric, given)
    if cases.folds is not None:
        return _over_folds(cases, columns, metric, given)
    return binary_metric_of(cases, columns, metric, **given)


def metric_of_each_class(cases: Cases, ask: Callable[[Cases], Any]) -> Any:
    """One result with a point per class, from a result of each class against the rest; of one model or of a minus b."""
    known = list(cases.labels)
    labels = known[: cases.n_stated] or known
    each = [ask(against_the_rest(cases, place)) for place in range(len(labels))]
    axis = {"label": read_only(np.array(labels))}
    return side_by_side(each, labels, replace(each[0].estimand, positive=None, axis=axis))


def side_by_side(each: Sequence[Any], labels: Sequence[Any], estimand: Estimand) -> Any:
    """One result with a point per class, and the interval methods that all have."""
    in_folds = each[0].fold_estimates is not None
    return replace(
        each[0],
        estimate=read_only(np.array([float(one.estimate) for one in each])),
        law=SideBySide(tuple(one.law for one in each)),
        methods=tuple(name for name in each[0].methods if all(name in one.methods for one in each)),
        labels=read_only(np.array(labels)),
        fold_estimates=read_only(np.column_stack([one.fold_estimates for one in each])) if in_folds else None,
        estimand=estimand,
    )


def against_the_rest(cases: Cases, place: int) -> Cases:
    """The cases with two classes: this class, and all others together."""
    columns = {name: (column == place).astype(np.float64) for name, column in cases.columns.items()}
    return Cases(cases.truth == place, columns, cases.rows, (False, True))


def _over_folds(cases: Cases, columns: Sequence[str], metric: MetricLike, given: PointOptions) -> Any:
    """The mean of the folds' results, with an exact law if the metric is a sum over single cases."""
    folds = cases.parts()
    results = [binary_metric_of(fold, columns, metric, **given) for fold in folds]
    for place, result in enumerate(results, 1):
        if reason := _why_not_finite(result):
            raise ValueError(
                f"{result.metric} must have a value in every fold to be averaged; in fold number {place}, in order "
                f"of appearance, it is {reason}."
            )
    grouped = cases.groups is not None
    alike = len({tuple(size > 0 for size in fold.sizes) for fold in folds}) == 1  # else one lacks a class
    exact = alike and not grouped and all(isinstance(result.law, LinearLaw) for result in results)
    if given["sampling"] is None and given["prevalence"] is None and _is_rate(metric):
        exact = False  # the cases of a rate are compared with the mean over folds, as each may have few of its class
    if exact or results[0].selected:
        return mean_of(results)
    judged, each, scheme, ends = _each_part(cases, folds[0], columns, metric, given)
    law = law_of_rows(judged, each, ends, scheme)
    methods = methods_of_units(grouped=grouped, bounded=bool(np.isfinite(law.support).all()))
    return mean_by_units(results, law, methods, n_groups=cases.n_groups or None)


def _is_rate(metric: MetricLike) -> bool:
    """Whether it is a ratio of counts in one class, as the recall is."""
    found = find_metric(metric)
    return isinstance(found, Metric) and found.of == "counts" and not found.follows_share


def _why_not_finite(result: MetricResult | MetricDifferenceResult) -> str:
    infinite = "infinite" if np.isinf(result.estimate).any() else ""
    return next(filter(None, result._undefined_because()), infinite)


def _over_levels(cases: Cases, columns: Sequence[str], metric: MetricLike, given: PointOptions) -> Any:
    """The mean of the results of readers, judges or seeds; whole groups are drawn, at all levels."""
    assert cases.levels is not None
    refuse_beside("crossed", {"sampling": given["sampling"], "prevalence": given["prevalence"]}, NOT_CROSSED)
    parts = cases.parts()
    results = [binary_metric_of(part, columns, metric, **given) for part in parts]
    first = _not_selected(results[0], "crossed", given)
    check_defined(first.metric, [*map(_why_not_finite, results)], cases.levels)
    judged, each, _, ends = _each_part(cases, parts[0], columns, metric, given)
    law = law_of_rows(judged, each, ends)
    return replace(
        first,
        estimate=frozen_numbers(law.mean, np.shape(first.estimate)),
        law=law,
        methods=methods_of_units(grouped=True, bounded=bool(np.isfinite(law.support).all())),
        estimand=replace(first.estimand, crossed=True),
        n_groups=cases.n_groups,
        levels=cases.levels.names,
    )


def _by_proxy(cases: Cases, columns: Sequence[str], metric: MetricLike, given: PointOptions) -> Any:
    if given["sampling"] == "stratified":
        raise ValueError("sampling must be left at None with proxy=: with a proxy the class sizes are not held fixed.")
    given = {**given, "sampling": None, "prevalence": None}
    parts = cases.parts()
    alone = _not_selected(binary_metric_of(parts[0], columns, metric, **given), "proxy", given)
    judged, each, _, ends = _each_part(cases, parts[0], columns, metric, given)
    return metric_with_proxy(judged, alone, each, ends)


def _not_selected(result: MetricResult | MetricDifferenceResult, option: str, given: PointOptions) -> Any:
    if result.selected:
        raise ValueError(
            f"thresholds={given['thresholds']!r} cannot be combined with {option}=: pass thresholds chosen beforehand."
        )
    return result


def _each_part(
    cases: Cases, first: Cases, columns: Sequence[str], metric: MetricLike, given: PointOptions
) -> tuple[Cases, list[Statistic], Sampling, tuple[float, float]]:
    """The cells of each fold, level or set of labels as rows, how cases are drawn, and the range."""
    found, thresholds, folded = find_metric(metric), given["thresholds"], cases.folds is not None
    cuts = cuts_of(found, first, columns, thresholds, given["prevalence"])
    at, metrics = at_thresholds(found, first, list(zip(columns, cuts, strict=True)), thresholds is not None)
    scheme, share = check_sampling(chain(*metrics), given["sampling"], given["prevalence"])
    if share is None and (cases.groups is not None or not folded):
        scheme = "full"  # the class mix is drawn too
    places = [ScorePlaces(cut) for _, cut in at]
    guesses = {column: place.of(cases.columns[column]) for column, place in zip(columns, places, strict=True)}
    judged = merged(Cases(cases.positive.astype(np.int64), guesses, cases.rows, (False, True)))
    parts = judged.parts()
    each, ends, unit = [], [], unit_of(judged, scheme)
    for part in parts:
        models = [
            CellRows(of_model, part, column, place, scheme, share, unit=unit)
            for of_model, column, place in zip(metrics, columns, places, strict=True)
        ]
        each.append(Difference.of(models))
        ends.append(range_of([model.law for model in models]))
    least, most = np.mean(ends, axis=0)
    return judged, each, scheme, (least, most)


def metric_by_options(
    cases: Cases,
    *columns: str,
    metric: MetricLike,
    thresholds: object = None,
    sampling: Sampling | None = None,
    prevalence: object = None,
    average: str | None = "binary",
    labels: ArrayLike | None = None,
    kappa_weights: str | None = None,
    range: tuple[float, float] | None = None,
    greater_is_better: bool | None = None,
    zero_division: ZeroDivision | None = None,
) -> Any:
    how = HowJudged(average, labels, kappa_weights, range, greater_is_better, zero_division)
    return metric_of(
        cases, *columns, metric=metric, thresholds=thresholds, sampling=sampling, prevalence=prevalence, how=how
    )
