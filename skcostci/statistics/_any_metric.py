"""A metric of checked cases: labels of two classes (``_metric``), of several, or a function's (``_several``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import Label, Sampling
from skcostci._validation._arguments import check_judged_share
from skcostci._validation._proxy_rows import CHECKED
from skcostci._validation._rows import SampleOptions, row_options
from skcostci._validation._tables import is_multilabel
from skcostci.cases._cases import Cases
from skcostci.cases._judged import JudgedCases, count_alike
from skcostci.cases._proxied import check_proxied
from skcostci.metric import MetricLike, find_metric
from skcostci.statistics._each_class import metric_of_each_class
from skcostci.statistics._folded_metric import mean_over_folds, metric_by_proxy, metric_over_levels
from skcostci.statistics._metric import binary_metric_of
from skcostci.statistics._multilabel import check_multilabel, multilabel_metric_of
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
from skcostci.statistics._weight_types import continuous_in_weights
from skcostci.tables import ZeroDivision, has_average

BINARY = HowJudged()


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
) -> Cases | JudgedCases:
    """The cases of a metric, of one class where that is enough; for several classes and functions ``JudgedCases``.

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
) -> Cases | JudgedCases:
    order = order_told(y_true, columns, metric, how, thresholds)

    def check(truth: ArrayLike, laid_out: Mapping[str, ArrayLike], groups: ArrayLike | None) -> Cases | JudgedCases:
        return check_metric_cases(
            truth,
            laid_out,
            metric,
            how,
            thresholds=thresholds,
            sampling="stratified",
            row_by_row=True,
            order=order,
            pos_label=sample.get("pos_label"),
            groups=groups,
        )

    cases = check_proxied(check, y_true, columns, sample, {"prevalence": prevalence})
    if isinstance(cases, JudgedCases) and cases.labels is not None and how.labels is None:
        _check_no_new_labels(cases, cases.labels)
    return cases


def _check_no_new_labels(cases: JudgedCases, labels: Sequence[Label]) -> None:
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
    cases: Cases | JudgedCases,
    *columns: str,
    metric: MetricLike,
    thresholds: object = None,
    sampling: Sampling | None = None,
    prevalence: Any = None,
    how: HowJudged = BINARY,
) -> Any:
    """A metric of a column of checked cases, or of a minus b; NaN at points where it has no value."""
    if isinstance(cases, Cases) and cases.has_labels:
        return multilabel_metric_of(cases, columns, metric, how.average, how.zero_division)
    if isinstance(cases, JudgedCases):
        if how.average is None and is_of_two_classes(metric):
            return metric_of_each_class(cases, lambda each: metric_of(each, *columns, metric=metric, sampling=sampling))
        return judged_metric_of(cases, columns, metric, how, sampling)
    if prevalence is not None:
        check_judged_share(prevalence, single=cases.levels is None and cases.folds is None)
    if cases.proxies is not None:
        return metric_by_proxy(cases, columns, metric=metric, thresholds=thresholds, sampling=sampling)
    if cases.levels is not None:
        return metric_over_levels(
            cases, columns, metric=metric, thresholds=thresholds, sampling=sampling, prevalence=prevalence
        )
    binary = partial(
        binary_metric_of,
        columns=columns,
        metric=metric,
        thresholds=thresholds,
        sampling=sampling,
        prevalence=prevalence,
    )
    if cases.folds is None:
        return binary(cases)
    parts = cases.by_fold()
    each = [binary(fold) for fold in parts]
    for place, result in enumerate(each, 1):
        reason = next(filter(None, result._undefined_because()), None)
        if reason or np.isinf(result.estimate).any():
            raise ValueError(
                f"{result.metric} must have a value in every fold to be averaged; in fold number {place}, in order "
                f"of appearance, it is {reason or 'infinite'}."
            )
    return mean_over_folds(
        cases, parts, each, columns, metric=metric, thresholds=thresholds, sampling=sampling, prevalence=prevalence
    )


def metric_by_options(
    cases: Cases | JudgedCases,
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
