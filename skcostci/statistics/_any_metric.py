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
from skcostci.metric import Metric, MetricLike, find_metric, has_average
from skcostci.results._estimand import Estimand
from skcostci.statistics._metric import (
    HowJudged,
    MetricDifferenceResult,
    MetricResult,
    binary_metric_of,
    check_sampling,
    cut_columns,
)
from skcostci.statistics._multilabel import check_multilabel, multilabel_metric_of
from skcostci.statistics._of_rows import CellRows, check_defined, law_of_rows, merged, places_among, unit_of
from skcostci.statistics._points import mean_over_folds
from skcostci.statistics._proxies import metric_with_proxy
from skcostci.statistics._several import (
    AVERAGED,
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
        return _check_proxied(y_true, columns, metric, how, sample)
    pos_label, rows = sample.get("pos_label"), row_options(sample)
    rows["frequencies"] = frequencies
    if not is_function(metric) and is_multilabel(y_true):
        of_one_label = [name for name in how.given if name not in ("average", "zero_division")]
        of_one_label += ["pos_label"] if pos_label is not None else []
        return check_multilabel(y_true, columns, metric, how, of_one_label, **rows)
    if order is None:  # asked before equal rows are counted, whose labels have no type
        order = order_told(y_true, columns, metric, how)
    predicted = how.thresholds is None
    alone = rows["groups"] is None and rows["folds"] is None and rows["crossed"] is None
    if predicted and rows["weight_type"] == "counts" and alone and not row_by_row:
        y_true, columns, rows["sample_weight"] = count_alike(y_true, columns, rows["sample_weight"])
    if is_judged(metric, how, pos_label):
        return check_judged(y_true, columns, metric, how, order=order, **rows)
    found = find_metric(metric)
    either = predicted and how.prevalence is None and not found.needs_positive_class
    if either and pos_label is None and has_more_classes(found, y_true, columns):
        judged = check_judged(y_true, columns, metric, how, order=order, **rows)
        return right_or_wrong(judged) if is_share_of_cases(found, how.sampling) else judged
    return Cases.check(
        y_true,
        columns,
        pos_label=pos_label,
        predicted=predicted,
        both_classes=False,
        either=either,
        hint=_way_out(found) if predicted else "",
        **rows,
    )


def _check_proxied(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: MetricLike,
    how: HowJudged,
    sample: SampleOptions,
) -> Cases:
    check = partial(
        check_metric_cases,
        metric=metric,
        how=how._replace(sampling="stratified", prevalence=None),
        row_by_row=True,
        order=order_told(y_true, columns, metric, how),
        pos_label=sample.get("pos_label"),
    )
    cases = check_proxied(check, y_true, columns, sample, {"prevalence": how.prevalence})
    if cases.proxies is not None and cases.labels and not cases.of_two_classes and how.labels is None:
        checked = cases.truth[cases.proxies.kinds == CHECKED]
        new = np.setdiff1d(cases.truth, np.concatenate([checked, *cases.columns.values()]))
        if len(new):  # without labels it is not clear whether it counts
            raise ValueError(
                f"proxy contains the label {cases.labels[new[0]]!r}, which occurs in no checked row of y_true and in "
                "no prediction. Pass labels to state which labels count."
            )
    return cases


def _way_out(metric: MetricLike) -> str:
    """The end of a message: how to apply a metric of two classes to several."""
    if has_average(metric):
        return f" Or use {AVERAGED}."
    return " Or use average=None, one value per class." if is_of_two_classes(metric) else ""


@continuous_in_weights
def metric_of(cases: Cases, *columns: str, metric: MetricLike, how: HowJudged = BINARY) -> Any:
    """A metric of a column of checked cases, or of a minus b; NaN at points where it has no value."""
    if cases.has_labels:
        return multilabel_metric_of(cases, columns, metric, how)
    if not cases.of_two_classes:
        if how.average is None and is_of_two_classes(metric):
            alone = HowJudged(sampling=how.sampling)
            return metric_of_each_class(cases, lambda each: metric_of(each, *columns, metric=metric, how=alone))
        return judged_metric_of(cases, columns, metric, how)
    if how.prevalence is not None:
        single = cases.rows.stand_alone and cases.folds is None
        how = how._replace(prevalence=check_judged_share(how.prevalence, single=single))
    if any(each is not None for each in (cases.folds, cases.levels, cases.proxies)):
        return _over_parts(cases, columns, metric, how)
    return binary_metric_of(cases, columns, metric, how)


def metric_of_each_class(cases: Cases, ask: Callable[[Cases], Any]) -> Any:
    """One result with a point per class, from a result of each class against the rest; of one model or of a minus b."""
    labels = cases.labels[: cases.n_stated or None]
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


def _over_parts(cases: Cases, columns: Sequence[str], metric: MetricLike, how: HowJudged) -> Any:
    """The mean over folds, exact if the metric is a sum over single cases; over levels; or of all labels by a proxy.

    Levels are readers, judges or seeds; whole groups are drawn, at all of them.
    """
    if cases.levels is not None:
        refuse_beside("crossed", how._asdict(), NOT_CROSSED)
    if cases.proxies is not None:
        if how.sampling == "stratified":
            raise ValueError(
                "sampling must be left at None with proxy=: with a proxy the class sizes are not held fixed."
            )
        how = how._replace(sampling=None, prevalence=None)
    parts = cases.parts()
    results = [binary_metric_of(part, columns, metric, how) for part in parts[: None if cases.proxies is None else 1]]
    first = results[0]
    if first.selected and cases.folds is None:
        option = "proxy" if cases.levels is None else "crossed"
        raise ValueError(
            f"thresholds={how.thresholds!r} cannot be combined with {option}=: pass thresholds chosen beforehand."
        )
    if cases.levels is not None:
        check_defined(first.metric, [*map(_why_not_finite, results)], cases.levels)
    if cases.folds is not None and _add_up(parts, results, metric, how):
        return mean_over_folds(results)
    judged, each, scheme, ends = _each_part(cases, parts[0], columns, metric, how)
    if cases.proxies is not None:
        return metric_with_proxy(judged, first, each, ends)
    law = law_of_rows(judged, each, ends, scheme)
    if cases.levels is None:
        return mean_over_folds(results, law, cases.n_groups or None)
    return replace(
        first,
        estimate=frozen_numbers(law.mean, np.shape(first.estimate)),
        law=law,
        methods=methods_of_units(grouped=True, bounded=bool(np.isfinite(law.support).all())),
        estimand=replace(first.estimand, crossed=True),
        n_groups=cases.n_groups,
        levels=cases.levels.names,
    )


def _add_up(folds: Sequence[Cases], results: Sequence[Any], metric: MetricLike, how: HowJudged) -> bool:
    """Whether the mean over folds has an exact law, or thresholds were chosen; all folds must have a value."""
    for place, reason in enumerate(map(_why_not_finite, results), 1):
        if reason:
            raise ValueError(
                f"{results[0].metric} must have a value in every fold to be averaged; in fold number {place}, in order "
                f"of appearance, it is {reason}."
            )
    found, alike = find_metric(metric), len({tuple(size > 0 for size in fold.sizes) for fold in folds}) == 1
    if how.sampling is None and how.prevalence is None and isinstance(found, Metric) and found.of == "counts":
        # cases of a rate such as the recall are compared with the mean over folds, as each may have few of its class
        alike = alike and found.follows_share
    sums = alike and folds[0].groups is None and all(isinstance(result.law, LinearLaw) for result in results)
    return sums or bool(results[0].selected)


def _why_not_finite(result: MetricResult | MetricDifferenceResult) -> str:
    infinite = "infinite" if np.isinf(result.estimate).any() else ""
    return next(filter(None, result._undefined_because()), infinite)


def _each_part(
    cases: Cases, first: Cases, columns: Sequence[str], metric: MetricLike, how: HowJudged
) -> tuple[Cases, list[Statistic], Sampling, tuple[float, float]]:
    """The cells of each fold, level or set of labels as rows, how cases are drawn, and the range."""
    at, metrics = cut_columns(find_metric(metric), first, columns, how)
    scheme = check_sampling(chain(*metrics), how.sampling, how.prevalence)
    if how.prevalence is None and (cases.groups is not None or cases.folds is None):
        scheme = "full"  # the class mix is drawn too
    places = {column: places_among(cut, cases.columns[column]) for column, cut in at}
    guesses = {column: place for column, (place, *_) in places.items()}
    judged = merged(Cases(cases.positive.astype(np.int64), guesses, cases.rows, (False, True)))
    each, ends, unit = [], [], unit_of(judged, scheme)
    for part in judged.parts():
        models = [
            CellRows(of_model, part, column, hits, possible, scheme, how.prevalence, unit=unit)
            for of_model, (column, (_, hits, possible)) in zip(metrics, places.items(), strict=True)
        ]
        each.append(Difference.of(models))
        ends.append(range_of([model.law for model in models]))
    least, most = np.mean(ends, axis=0)
    return judged, each, scheme, (least, most)
