"""A metric of checked cases: of two classes, of several, or by a function; of one model or of one less another.

What is judged says which: labels of two classes with a metric of a confusion table (``_metric``), labels of several, or
whatever a function takes (``_several``). Where it only matters which cases are right, several classes are two.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import Sampling
from skcostci._validation import check_judged_share
from skcostci._validation._label_tables import is_multilabel
from skcostci._validation._proxy_rows import CHECKED
from skcostci.cases._cases import Cases
from skcostci.cases._judged import JudgedCases, count_alike
from skcostci.cases._proxied import check_proxied
from skcostci.metric import find_metric
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
    right_or_wrong,
)
from skcostci.tables import has_average

BINARY = HowJudged()


def check_metric_cases(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: Any,
    how: HowJudged = BINARY,
    *,
    thresholds: Any = None,
    sampling: Sampling | None = None,
    prevalence: Any = None,
    pos_label: Any = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: str = "counts",
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    row_by_row: bool = False,
    **sample: Any,
) -> Cases | JudgedCases:
    """Cases of what a metric judges: labels, or scores with thresholds; one class will do where it does for the metric.

    Of predicted labels it may not matter which class is called positive: of scores it does. Of several classes, and
    where a function judges, they are of another kind, which has its folds; where it only matters which cases are right
    they are of two kinds of cases, right and wrong, but for a ``proxy``, which has labels too. Labels alike are counted
    first, unless something else belongs to each row.
    """
    if proxy is not None or checked is not None:
        check = partial(check_metric_cases, metric=metric, how=how, thresholds=thresholds, sampling="stratified")
        check = partial(check, pos_label=pos_label, row_by_row=True)
        rest = {"folds": folds, "sample_weight": sample_weight, "prevalence": prevalence, **sample}
        cases = check_proxied(check, y_true, columns, proxy, checked, groups, rest)
        if isinstance(cases, JudgedCases) and how.labels is None:
            _check_no_new_labels(cases)
        return cases
    if not is_function(metric) and is_multilabel(y_true):
        given = {"thresholds": thresholds, "sampling": sampling, "prevalence": prevalence, "pos_label": pos_label}
        alone = [
            *(n for n in how.given if n not in ("average", "zero_division")),
            *(n for n, v in given.items() if v is not None),
        ]
        own = {"groups": groups, "folds": folds, "sample_weight": sample_weight, "weight_type": weight_type}
        return check_multilabel(y_true, columns, metric, how.average, alone, how.zero_division, **own, **sample)
    counted = weight_type == "counts" and groups is None and folds is None and sample.get("crossed") is None
    if thresholds is None and counted and not row_by_row:
        y_true, columns, sample_weight = count_alike(y_true, columns, sample_weight)
    belonging: dict[str, Any] = {"groups": groups, "folds": folds, "sample_weight": sample_weight, **sample}
    belonging["weight_type"] = weight_type
    if is_judged(metric, how, {"thresholds": thresholds, "prevalence": prevalence, "pos_label": pos_label}):
        return check_judged(y_true, columns, metric, how, **belonging)
    found = find_metric(metric)
    either = thresholds is None and prevalence is None and not found.needs_positive_class
    several = either and pos_label is None and has_more_classes(found, y_true, columns)
    if several:
        share = is_share_of_cases(found, sampling)
        judged = check_judged(y_true, columns, metric, how, **belonging)
        return right_or_wrong(judged, y_true) if share else judged
    return Cases.check(
        y_true,
        columns,
        pos_label=pos_label,
        predicted=thresholds is None,
        both_classes=False,
        either=either,
        hint=_way_out(found) if thresholds is None else "",
        **belonging,
    )


def _check_no_new_labels(cases: JudgedCases) -> None:
    """A proxy knows no label that nobody else has, or ``labels`` say whether it counts."""
    if cases.proxies is None:
        return
    checked = cases.truth[cases.proxies.kinds == CHECKED]
    new = np.setdiff1d(cases.truth, np.concatenate([checked, *cases.columns.values()]))
    if len(new):
        label = (cases.labels or ())[new[0]]
        raise ValueError(
            f"proxy holds the label {label!r}, which neither a checked row of y_true nor a prediction has. Give labels "
            "to say whether it counts."
        )


def _way_out(metric: Any) -> str:
    """How several classes can be asked of a metric of two."""
    if has_average(metric):
        return f" Or choose {AVERAGED}."
    return " Or choose average=None, one value a class." if is_of_two_classes(metric) else ""


def metric_of(
    cases: Cases | JudgedCases,
    *columns: str,
    metric: Any,
    thresholds: Any = None,
    sampling: Sampling | None = None,
    prevalence: Any = None,
    **how: Any,
) -> Any:
    """A metric of a column of checked cases, or of one less another; NaN at points where it has no value."""
    if isinstance(cases, Cases) and cases.has_labels:
        return multilabel_metric_of(cases, columns, metric, how.get("average", "binary"), how.get("zero_division"))
    if isinstance(cases, JudgedCases):
        if how.get("average", "") is None and is_of_two_classes(metric):
            return metric_of_each_class(cases, lambda each: metric_of(each, *columns, metric=metric, sampling=sampling))
        return judged_metric_of(cases, columns, metric, HowJudged(**how), sampling)
    given = {"metric": metric, "thresholds": thresholds, "sampling": sampling, "prevalence": prevalence}
    if prevalence is not None:
        check_judged_share(prevalence, single=cases.levels is None and cases.folds is None)
    if cases.proxies is not None:
        return metric_by_proxy(cases, columns, metric=metric, thresholds=thresholds, sampling=sampling)
    if cases.levels is not None:
        return metric_over_levels(cases, columns, **given)
    if cases.folds is None:
        return binary_metric_of(cases, columns, **given)
    parts = cases.by_fold()
    each = [binary_metric_of(fold, columns, **given) for fold in parts]
    for place, result in enumerate(each, 1):
        reason = next(filter(None, result._undefined_because()), None)
        if reason or np.isinf(result.estimate).any():
            raise ValueError(
                f"{result.metric} must have a value in every fold to have a mean; in number {place}, in the order in "
                f"which folds turn up, it is {reason or 'infinite'}."
            )
    return mean_over_folds(parts, each, columns, **given)
