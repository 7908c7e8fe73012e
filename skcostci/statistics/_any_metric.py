"""A metric of checked cases: of two classes (``_metric``), of several or a function (:func:`table_metric_of`).

The mean over folds of a metric of two classes that is no weighted sum, or whose folds hold groups (F1, kappa, LR+), has
a law of first order, from the influences of cases or groups in their own fold (see ``_of_rows``), as metrics of several
classes and functions have. Weighted sums of single cases have an exact law per fold: ``mean_over_parts``. Accuracy and
Hamming loss of several classes are shares of cases and have exact distributions, as for two classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Literal, TypeGuard, Unpack

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import Floats, NamedColumns, as_array
from skcostci._frozen import read_only
from skcostci._options import Label, Sampling
from skcostci._validation._arguments import check_judged_share, check_lengths, check_option, refuse_beside
from skcostci._validation._labels import check_names, check_order, shown_labels, typed_labels
from skcostci._validation._proxy_rows import CHECKED
from skcostci._validation._rows import GivenRows, SampleOptions, check_any_weights, row_options
from skcostci._validation._tables import is_multilabel, read_classes
from skcostci._warnings import warn_caller
from skcostci.cases._cases import Cases, check_proxied, count_alike
from skcostci.laws._side_by_side import PartlyDefinedLaw, SideBySide
from skcostci.laws.exact._linear import LinearLaw
from skcostci.laws.exact._metric_law import range_of
from skcostci.laws.influence._first_order import FirstOrderLaw
from skcostci.metric import (
    ACCURACY,
    HAMMING,
    KAPPA,
    OF_ALL_CLASSES,
    AnyMetric,
    Metric,
    MetricLike,
    RiskMetric,
    check_zero_division,
    find_metric,
    has_average,
)
from skcostci.results._estimand import Estimand
from skcostci.statistics._function_rows import FunctionRows, WeightedMetric, refuse_unsmooth, weighted_metric
from skcostci.statistics._metric import (
    ONE_CLASS,
    AnyResult,
    HowJudged,
    binary_metric_of,
    check_inside,
    check_sampling,
    cut_columns,
    result_of_units,
)
from skcostci.statistics._multilabel import check_multilabel, multilabel_metric_of
from skcostci.statistics._of_rows import CellRows, TableRows, check_defined, law_of_rows, merged, places_among, unit_of
from skcostci.statistics._points import mean_over_parts
from skcostci.statistics._proxies import metric_with_proxy
from skcostci.statistics._units import Difference, Statistic, methods_of_units
from skcostci.statistics._weight_types import continuous_in_weights

TableAverage = Literal["binary", "macro", "micro", "weighted", "samples"]
KappaWeights = Literal["linear", "quadratic"]
TABLE_AVERAGES = ("binary", "macro", "micro", "weighted")
AVERAGED = "average='macro', 'micro', 'weighted' or None, one value per class"
AGAINST_REST = " Evaluate each class against the rest: y_true == label"
ONE_TRUE_CLASS = "all cases have one class"
ONE_PREDICTED_CLASS = "all cases are predicted to have one class"
MOST_CLASSES = 250  # the time for a table grows with their third power: a second


def is_function(metric: object) -> TypeGuard[Callable[..., object]]:
    return callable(metric) and not isinstance(metric, AnyMetric | RiskMetric)


def is_of_two_classes(metric: MetricLike) -> bool:
    """Whether a metric is of rates in two classes, such as a likelihood ratio, without an average over classes."""
    found = find_metric(metric) if isinstance(metric, str) else metric
    return isinstance(found, AnyMetric) and not has_average(found) and found not in OF_ALL_CLASSES


def partial_labels(function: object) -> ArrayLike | None:
    """The classes that functools.partial gave to a function, in the order of its columns."""
    return function.keywords.get("labels") if isinstance(function, partial) else None


def takes_tables(metric: MetricLike, how: HowJudged, pos_label: Label | None) -> bool:
    """Whether a metric is of the table of several classes, or a function; raise for options that do not fit."""
    alone = {"thresholds": how.thresholds, "prevalence": how.prevalence, "pos_label": pos_label}
    if is_function(metric):
        _refuse("metric is a function", alone)
        if wrong := [name for name in how.given if name in ("average", "labels", "kappa_weights", "zero_division")]:
            raise ValueError(f"{wrong[0]} is for metrics by name; for a function set it with functools.partial.")
        return True
    _check_how(find_metric(metric), how)
    options = [name for name in how.given if name in ("labels", "kappa_weights")]
    if not options and how.average == "binary":
        return False
    del alone["pos_label"]  # it does not matter to these, as to the accuracy, which class is positive
    _refuse(f"average={how.average!r}" if how.average != "binary" else f"{options[0]}= is given", alone)
    return True


def _check_how(found: AnyMetric | RiskMetric, how: HowJudged) -> None:
    if how.average is not None:
        note = " It is for several labels per case." if how.average == "samples" else ""
        check_option("average", how.average, TABLE_AVERAGES, f" Or None: one value per class.{note}")
    if wrong := [name for name in how.given if name in ("range", "greater_is_better")]:
        raise ValueError(f"{wrong[0]} is for functions; metrics by name and Metric objects have their own.")
    check_zero_division(found, how.zero_division)
    if how.average is None and math.isnan(how.empty):
        raise ValueError("zero_division=nan is for averages, got average=None: use labels to leave a class out.")
    if how.kappa_weights is not None:
        check_option("kappa_weights", how.kappa_weights, KappaWeights, " Or None: all disagreements count the same.")
        if found is not KAPPA:
            raise ValueError(
                f"kappa_weights are for kappa, got {how.kappa_weights!r} for {found.name}. Leave them out."
            )
    if how.average is None and is_of_two_classes(found):
        return
    if how.average != "binary" and not has_average(found):
        otherwise = (
            "has a single value for all classes. Leave average out."
            if found in OF_ALL_CLASSES
            else "is for two classes. Use average=None to get it for each class against the rest."
            if isinstance(found, AnyMetric)
            else f"needs risks.{AGAINST_REST}, with the risk of that label."
        )
        raise ValueError(
            f"average={how.average!r} is for ratios of counts per class, such as precision, recall and f1; "
            f"{found.name} {otherwise}"
        )
    if how.average == "binary" and how.labels is not None and found not in OF_ALL_CLASSES:
        raise ValueError(f"labels need {AVERAGED}; with two classes use pos_label to say which is positive.")


def _refuse(why: str, alone: Mapping[str, object]) -> None:
    for name, value in alone.items():
        if value is not None:
            each = f"{AGAINST_REST}, with the scores for it." if name == "thresholds" else ""
            raise ValueError(f"{name} is for two classes, a positive one and the other; leave it out if {why}.{each}")


def check_tables(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: MetricLike,
    how: HowJudged,
    *,
    order: Sequence[Any] = (),
    **rows: Unpack[GivenRows],
) -> Cases:
    """The cases; of a metric by name with classes numbered in the order of ``labels``, else of ``order``."""
    if is_function(metric):
        labels = partial_labels(metric)
        if labels is None and str(getattr(metric, "func", metric).__module__).startswith("sklearn."):
            columns = _named_columns(y_true, columns, rows)
        return Cases.check_any(y_true, columns, labels=labels, **rows)
    ranked = how.kappa_weights is not None and how.labels is None
    # Distances go by all categories, also those that do not occur.
    labels = order if ranked and order else how.labels
    cases = Cases.check_classes(y_true, columns, labels=labels, order=order, others=True, **rows)
    found, known = find_metric(metric), cases.labels
    if ranked:
        check_order("kappa_weights need", known, cases.n_stated)
    if how.labels is not None and found in OF_ALL_CLASSES and len(known) > cases.n_stated:
        if found is KAPPA and len(columns) == 1:
            return cases.of_stated_labels()
        unknown = shown_labels(known[cases.n_stated :])
        raise ValueError(
            f"labels must contain every label that occurs, as {found.name} is computed from all classes; "
            f"missing: {unknown}."
        )
    if (k := len(known)) > MOST_CLASSES:
        raise ValueError(
            f"y_true and {' and '.join(columns)} must contain at most {MOST_CLASSES} different labels in total, "
            f"got {k:,}."
        )
    return cases


def _named_columns(y_true: ArrayLike, columns: Mapping[str, ArrayLike], beside: GivenRows) -> Mapping[str, ArrayLike]:
    """For functions of scikit-learn, which sort labels: tables with named columns, if y_true's type has an order."""
    if is_multilabel(y_true):
        return columns
    _, tables, known = read_classes(y_true, columns, None, dict(beside))
    if known is None:
        return columns
    arrays = {name: as_array(name, table) for name, table in tables.items()}
    return {name: NamedColumns.of(each, known) if each.ndim > 1 else columns[name] for name, each in arrays.items()}


def typed_order(y_true: ArrayLike, columns: Mapping[str, ArrayLike], metric: MetricLike, how: HowJudged) -> list[Label]:
    """The order of labels that the types of columns tell; none if it is listed, or there are no predicted labels."""
    if is_function(metric) or how.labels is not None or how.thresholds is not None:
        return []
    return typed_labels({"y_true": y_true, **columns})


def has_more_classes(metric: AnyMetric | RiskMetric, y_true: ArrayLike, columns: Mapping[str, ArrayLike]) -> bool:
    """Whether labels are of more than two classes, for a metric with one value for any number."""
    if metric not in OF_ALL_CLASSES:
        return False
    given = {"y_true": y_true, **columns}
    return len({label for name, values in given.items() for label in check_names(name, values)[0]}) > 2


def right_or_wrong(cases: Cases, metric: MetricLike, sampling: str | None = None) -> Cases:
    """Cases of two classes, right and wrong, for a metric that depends on nothing else; for others they stay."""
    if metric not in (ACCURACY, HAMMING) or sampling == "stratified":
        return cases
    columns = {name: (column == cases.truth).astype(np.float64) for name, column in cases.columns.items()}
    wanted = np.ones(len(cases.truth), dtype=bool)
    return Cases(wanted, columns, cases.rows, (False, True))


def value_of_table(
    y_true: ArrayLike, y_pred: ArrayLike, metric: AnyMetric, how: HowJudged, sample_weight: ArrayLike | None
) -> tuple[float, tuple[float, float]]:
    """A metric of labels with weights of any kind, NaN where it has no value, and its range."""
    weighted = None if sample_weight is None else check_any_weights(sample_weight)
    some: list[ArrayLike] = [y_true, y_pred]
    if weighted is not None:
        columns = {"y_true": as_array("y_true", y_true), "y_pred": as_array("y_pred", y_pred)}
        check_lengths({**columns, "sample_weight": weighted})
        some = [column[weighted > 0] for column in columns.values()]
    order = typed_order(y_true, {"y_pred": y_pred}, metric, how)
    cases = check_tables(some[0], {"y_pred": some[1]}, metric, how, order=order)
    if weighted is not None:
        cases = cases.with_rows(weights=weighted[weighted > 0])
    table = TableRows(metric, cases, "y_pred", how)
    return float(table.value[0]), table.range


def table_metric_of(cases: Cases, columns: Sequence[str], metric: MetricLike, how: HowJudged) -> AnyResult:
    """A metric of several classes, or a function, by first-order influences of rows that are alike."""
    cases.check_sampling(how.sampling, None)
    scheme = "full" if how.sampling is None else check_option("sampling", how.sampling, Sampling)
    if cases.proxies is not None:
        if is_function(metric):
            raise ValueError("proxy= is for metrics by name, got a function; for a mean over cases use bootstrap_loss.")
        cases = replace(cases, n_stated=cases.n_stated or len(cases.labels))
    rows_of, paired = _rows_of(cases, columns, metric, how, scheme), len(columns) > 1
    cases = merged(cases)
    parts = cases.parts()
    each = [[rows_of(part, column) for column in columns] for part in parts]
    statistics, first, (least, most) = [*map(Difference.of, each)], each[0][0], each[-1][-1].range
    support = (least - most, most - least) if paired else (least, most)
    if cases.proxies is not None:
        alone = table_metric_of(parts[0], columns, metric, how)
        return metric_with_proxy(cases, alone, statistics, support)
    if not paired and how.zero_division in (None, "warn"):
        _warn_of_classes([one for (one,) in each])
    law, methods = _law_of_rows(cases, each, statistics, support, scheme, how)
    shape = first.shape if isinstance(first, FunctionRows) else ()
    return result_of_units(cases, statistics, law, methods, first.metric, how, shape)


def _law_of_rows(
    cases: Cases,
    each: Sequence[Sequence[TableRows | FunctionRows]],
    statistics: Sequence[Statistic],
    support: tuple[float, float],
    scheme: str,
    how: HowJudged,
) -> tuple[FirstOrderLaw | PartlyDefinedLaw, tuple[str, ...]]:
    """The law and its interval methods; undefined in some fold, a law without values that says why."""
    (first, *_), paired, in_folds = each[0], len(each[0]) > 1, cases.folds is not None
    if cases.levels is not None:
        check_defined(first.metric.name, (_why_undefined([models]) for models in each), cases.levels)
    if reason := _why_undefined(each):
        nowhere = np.zeros(len(first.value), dtype=bool)
        ends = np.full_like(first.value, support[0]), np.full_like(first.value, support[1])
        return PartlyDefinedLaw(None, nowhere, (reason,) * len(nowhere), ends), methods_of_units(grouped=False)
    functions = [one for one in chain(*each) if isinstance(one, FunctionRows)]
    if in_folds and functions:
        FunctionRows.leave_out(functions)
    law = law_of_rows(cases, statistics, support, scheme)
    if functions:
        _check_spread(first.metric.name, law, functions[0].of_scores)
    check_inside(first.metric.name, law.estimate, support, support if how.range is None else how.range)
    methods = methods_of_units(grouped=cases.groups is not None, bounded=bool(np.isfinite(support).all()))
    # No sum over cases, and models resemble each other: see the top of ``intervals/_extrapolated``.
    if paired and _is_weighted_kappa(first.metric, how) and cases.groups is None and not in_folds:
        return replace(law, curved=True), ("extrapolated", *methods)
    return law, methods


def _is_weighted_kappa(metric: object, how: HowJudged) -> bool:
    if not isinstance(metric, WeightedMetric):
        return how.kappa_weights is not None
    named = getattr(metric.function, "__name__", "") == "cohen_kappa_score"
    return named and dict(metric.options).get("weights") is not None


def _why_undefined(each: Sequence[Sequence[TableRows | FunctionRows]]) -> str:
    """Why the first part without a value has none, for which model and in which fold; "" if all have one."""
    for place, models in enumerate(each, 1):
        for name, model in zip("ab", models, strict=False):
            if np.isnan(model.value).any():
                words = _what_is_constant(model.table) if isinstance(model, TableRows) else model.undefined
                words += "" if len(models) == 1 else f" for model {name}"
                return words if len(each) == 1 else f"{words}, in fold number {place} in order of appearance"
    return ""


def _what_is_constant(table: Floats) -> str:
    """Why a metric of all classes has no value for this table."""
    if np.diagonal(table).max() == table.sum():
        return ONE_CLASS
    return ONE_TRUE_CLASS if np.count_nonzero(table.sum(axis=1)) == 1 else ONE_PREDICTED_CLASS


def _check_spread(name: str, law: FirstOrderLaw, of_scores: bool) -> None:
    """Raise if a standard error is above half of the range, the most there can be: the function is not smooth."""
    (least, most), error = law.support, np.sqrt(law.variance)
    if (wrong := error > (most - least) / 2).any():
        ends = f"{least[wrong][0]:g} and {most[wrong][0]:g}"
        why = f"its derivatives give a standard error of {error[wrong][0]:.3g} between {ends}"
        refuse_unsmooth(name, why, of_scores=of_scores)


def _rows_of(
    cases: Cases, columns: Sequence[str], metric: MetricLike, how: HowJudged, scheme: str
) -> Callable[..., TableRows | FunctionRows]:
    """What makes the rows of a part and a column."""
    if not is_function(metric):
        return partial(TableRows, find_metric(metric), how=how, unit=unit_of(cases, scheme))
    first, classes = cases.columns[columns[0]], cases.classes()
    width = first.shape[1] if first.ndim > 1 else 1
    found = weighted_metric(metric, how.range, how.greater_is_better, columns=width, truth=cases.truth)
    known = None if classes is None else cases.truth[np.unique(classes, return_index=True)[1]].tolist()
    return partial(FunctionRows, found, known=known, unit=unit_of(cases, scheme))


def _warn_of_classes(models: Sequence[TableRows | FunctionRows]) -> None:
    said = next((each.said for each in models if isinstance(each, FunctionRows) and each.said), "")
    if lacking := list(dict.fromkeys(x for each in models if isinstance(each, TableRows) for x in each.lacking)):
        said = (
            f"{models[0].metric.name} has no value for {'class' if len(lacking) == 1 else 'classes'} "
            f"{shown_labels(lacking)[1:-1]}, which have no cases or no predictions in its denominator: 0 is "
            "used, as scikit-learn does with zero_division='warn'."
        )
    if said:
        warn_caller(said, UndefinedMetricWarning)


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
        order = typed_order(y_true, columns, metric, how)
    predicted = how.thresholds is None
    alone = rows["groups"] is None and rows["folds"] is None and rows["crossed"] is None
    if predicted and rows["weight_type"] == "counts" and alone and not row_by_row:
        y_true, columns, rows["sample_weight"] = count_alike(y_true, columns, rows["sample_weight"])
    if takes_tables(metric, how, pos_label):
        return check_tables(y_true, columns, metric, how, order=order, **rows)
    found = find_metric(metric)
    either = predicted and how.prevalence is None and not found.needs_positive_class
    if either and pos_label is None and has_more_classes(found, y_true, columns):
        return right_or_wrong(check_tables(y_true, columns, metric, how, order=order, **rows), found, how.sampling)
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
    y_true: ArrayLike, columns: Mapping[str, ArrayLike], metric: MetricLike, how: HowJudged, sample: SampleOptions
) -> Cases:
    check = partial(
        check_metric_cases,
        metric=metric,
        how=how._replace(sampling="stratified", prevalence=None),
        row_by_row=True,
        order=typed_order(y_true, columns, metric, how),
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
def metric_of(cases: Cases, *columns: str, metric: MetricLike, how: HowJudged = BINARY) -> AnyResult:
    """A metric of a column of checked cases, or of a minus b; NaN at points where it has no value."""
    if cases.has_labels:
        return multilabel_metric_of(cases, columns, metric, how)
    two_classes = cases.of_two_classes
    if how.average is None and not two_classes and is_of_two_classes(metric):  # of each class against the rest
        labels, alone = cases.labels[: cases.n_stated or None], HowJudged(sampling=how.sampling)
        against = [against_the_rest(cases, place) for place in range(len(labels))]
        each = [metric_of(one, *columns, metric=metric, how=alone) for one in against]
        found: AnyResult = side_by_side(each, labels, replace(each[0].estimand, positive=None))
        return found
    if cases.proxies is not None and how.sampling not in ((None, "full") if two_classes else (None,)):
        raise ValueError(
            f"sampling must be left at None with proxy=, got {how.sampling!r}: the class sizes are not held fixed."
        )
    if not two_classes:
        return table_metric_of(cases, columns, metric, how)
    if how.prevalence is not None:
        single = cases.rows.stand_alone and cases.folds is None
        how = how._replace(prevalence=check_judged_share(how.prevalence, single=single))
    if any(each is not None for each in (cases.folds, cases.levels, cases.proxies)):
        return _over_parts(cases, columns, metric, how)
    return binary_metric_of(cases, columns, metric, how)


def side_by_side(each: Sequence[Any], labels: Sequence[Label], estimand: Estimand) -> Any:
    """One result with a point per class, from those of each class, and the interval methods that all have."""
    values, of_folds = read_only(np.array(labels)), [one.fold_estimates for one in each]
    return replace(
        each[0],
        estimate=read_only(np.array([float(one.estimate) for one in each])),
        law=SideBySide(tuple(one.law for one in each)),
        methods=tuple(name for name in each[0].methods if all(name in one.methods for one in each)),
        labels=values,
        fold_estimates=None if of_folds[0] is None else read_only(np.column_stack(of_folds)),
        estimand=replace(estimand, axis={"label": values}),
    )


def against_the_rest(cases: Cases, place: int) -> Cases:
    """The cases with two classes: this class, and all others together."""
    columns = {name: (column == place).astype(np.float64) for name, column in cases.columns.items()}
    return Cases(cases.truth == place, columns, cases.rows, (False, True))


def _over_parts(cases: Cases, columns: Sequence[str], metric: MetricLike, how: HowJudged) -> AnyResult:
    """The mean over folds, exact if the metric is a sum over single cases; over levels; or of all labels by a proxy.

    Levels are readers, judges or seeds; whole groups are drawn, at all of them.
    """
    if cases.levels is not None:
        refuse_beside("crossed", how._asdict(), NOT_CROSSED)
    if cases.proxies is not None:
        how = how._replace(sampling=None, prevalence=None)
    parts = cases.parts()
    # With a proxy only the checked rows, the first part, have labels of their own: theirs is the result to fill.
    results = [binary_metric_of(part, columns, metric, how) for part in parts[: None if cases.proxies is None else 1]]
    first = results[0]
    if first.selected and cases.folds is None:
        option = "proxy" if cases.levels is None else "crossed"
        raise ValueError(
            f"thresholds={how.thresholds!r} cannot be combined with {option}=: pass thresholds chosen beforehand."
        )
    if cases.proxies is None:
        check_defined(first.metric, map(_why_not_finite, results), cases.levels)
    if cases.folds is not None and _has_exact_mean(parts, results, metric, how):
        return mean_over_parts(results)
    binned, each, scheme, ends = _each_part(cases, parts[0], columns, metric, how)
    if cases.proxies is not None:
        return metric_with_proxy(binned, first, each, ends)
    law, levels = law_of_rows(binned, each, ends, scheme), cases.levels and cases.levels.names
    return mean_over_parts(results, law, cases.n_groups or None, levels)


def _has_exact_mean(folds: Sequence[Cases], results: Sequence[AnyResult], metric: MetricLike, how: HowJudged) -> bool:
    """Whether the mean over folds has an exact law; also for chosen thresholds, which ``mean_over_parts`` refuses."""
    # alike: folds with the same classes
    found, alike = find_metric(metric), len({tuple(size > 0 for size in fold.sizes) for fold in folds}) == 1
    if how.sampling is None and how.prevalence is None and isinstance(found, Metric) and found.of == "counts":
        # A rate such as the recall has its influences at the mean over folds, as a fold may have few of its class.
        alike = alike and found.follows_share
    sums = alike and folds[0].groups is None and all(isinstance(result.law, LinearLaw) for result in results)
    return sums or results[0].selected


def _why_not_finite(result: AnyResult) -> str:
    infinite = "infinite" if np.isinf(result.estimate).any() else ""
    return next(filter(None, result._undefined_because()), infinite)


def _each_part(
    cases: Cases, first: Cases, columns: Sequence[str], metric: MetricLike, how: HowJudged
) -> tuple[Cases, list[Statistic], Sampling, tuple[float, float]]:
    """The cells of each fold, level or set of labels as rows, how cases are drawn, and the range."""
    at, metrics = cut_columns(find_metric(metric), first, columns, how)
    scheme = check_sampling(chain(*metrics), how.sampling, how.prevalence)
    if how.prevalence is None and (cases.groups is not None or cases.folds is None):
        scheme = "full"  # the class mix is drawn too; "stratified" was refused with the result of each part
    places = {column: places_among(cut, cases.columns[column]) for column, cut in at}
    bins = {column: place for column, (place, *_) in places.items()}  # equal ones are merged
    binned = merged(Cases(cases.positive.astype(np.int64), bins, cases.rows, (False, True)))
    each, ends, unit = [], [], unit_of(binned, scheme)
    for part in binned.parts():
        models = [
            CellRows(of_model, part, column, hits, possible, scheme, how.prevalence, unit=unit)
            for of_model, (column, (_, hits, possible)) in zip(metrics, places.items(), strict=True)
        ]
        each.append(Difference.of(models))
        ends.append(range_of([model.law for model in models]))
    least, most = np.mean(ends, axis=0)  # of the mean over folds
    return binned, each, scheme, (least, most)
