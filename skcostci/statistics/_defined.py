"""Where a metric of the confusion table has a value, which values it can have, and why it has none elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from skcostci._validation import Booleans, Floats
from skcostci.laws import MetricLaw, PartlyDefinedLaw
from skcostci.metric import CELLS, AnyMetric, Metric, of_cells
from skcostci.results._results import BootstrapResult

ROUNDING = 1e-9  # of an estimate beside the ends of its range
NOTHING = {  # where only these of TP, FN, FP and TN count, and there are none of them
    (True, False, True, False): "no predicted positives",
    (False, True, False, True): "no predicted negatives",
    (True, True, False, False): "no positives",
    (False, False, True, True): "no negatives",
}
ResultT = TypeVar("ResultT", bound=BootstrapResult[Any])


def values_of(metrics: Sequence[AnyMetric], counts: Floats, sampling: str, prevalence: float | None) -> Floats:
    """The metric of each row of TP, FN, FP and TN; NaN where it has no value."""
    if all(metric is metrics[0] for metric in metrics):
        values = _value(metrics[0], counts, prevalence)
    else:
        values = np.array([float(_value(*each, prevalence)) for each in zip(metrics, counts, strict=True)])
    some_empty = not (counts[0, :2].any() and counts[0, 2:].any())
    if some_empty:  # what a class is lacking for is not infinite
        return np.where(np.isinf(values) | _compares_classes(metrics[0], sampling), np.nan, values)
    return values


def _value(metric: AnyMetric, counts: Floats, prevalence: float | None) -> Floats:
    """The metric of TP, FN, FP and TN along the last axis."""
    tp, fn, fp, tn = np.moveaxis(counts, -1, 0)
    return of_cells(metric, tp, fn, fp, tn, prevalence)


def _compares_classes(metric: AnyMetric, sampling: str) -> bool:
    """Whether it is one of rates in either class, each of which has to be there."""
    fixed = isinstance(metric, Metric) and not metric.follows_share and sampling == "stratified"
    return metric.of == "rates" and not fixed


def check_ranges(metrics: Sequence[AnyMetric], values: Floats) -> None:
    """A range that a user gave holds what the metric is on the data."""
    for metric, value in zip(metrics, values.tolist(), strict=True):
        least, most = metric.range or (-np.inf, np.inf)
        slack = ROUNDING * max(1.0, abs(value))
        if value < least - slack or value > most + slack:
            raise ValueError(f"range of {metric.name} must hold its value on the data, {value:g}, got {metric.range}.")


def partly_defined(
    law: Any, defined: Booleans, models: Sequence[MetricLaw], values: Sequence[Floats]
) -> PartlyDefinedLaw:
    """The law of the points that are defined, and what is known of the others, of one model or of a less b."""
    reasons = tuple("" if known else _reason(i, models, values) for i, known in enumerate(defined))
    return PartlyDefinedLaw(law, defined, reasons, widest_range(models), (models[0].metrics[0], models[0].counts[0]))


def _reason(i: int, models: Sequence[MetricLaw], values: Sequence[Floats]) -> str:
    """Why there is no value at point i, and of which of two models that is."""
    for name, model, of_model in zip("ab", models, values, strict=False):
        if words := _why_undefined(model.metrics[i], model.counts[i], of_model[i], model.prevalence):
            return words if len(models) == 1 else f"{words} for model {name}"
    return ""


def widest_range(models: Sequence[MetricLaw]) -> tuple[Floats, Floats]:
    """The least and the largest metric of a model, or difference of two models, wherever cases may fall."""
    ends = [replace(model, possible=np.ones_like(model.possible)).support for model in models]
    if len(ends) == 1:
        return ends[0]
    (low_a, high_a), (low_b, high_b) = ends
    return low_a - high_b, high_a - low_b


def _why_undefined(metric: AnyMetric, counts: Floats, value: float, prevalence: float | None) -> str:
    """What there is nothing of where a metric has no value, in words; nothing where it has one."""
    if not np.isnan(value):
        return "infinite" if np.isinf(value) else ""
    tp, fn, fp, tn = counts.tolist()
    by_rates = metric.of == "rates" or prevalence is not None
    missing = [what for what, size in (("no positives", tp + fn), ("no negatives", fp + tn)) if size == 0]
    if by_rates and missing:
        return missing[0]
    weighed = [True] * 4 if not isinstance(metric, Metric) else (_denominator(metric, counts, prevalence) > 0).tolist()
    if (words := NOTHING.get(tuple(weighed))) is not None:
        return words
    predicted = [
        words for words, size in (("no predicted positives", tp + fp), ("no predicted negatives", fn + tn)) if size == 0
    ]
    zero = [
        cell for cell, count, counts_at_all in zip(CELLS, counts, weighed, strict=True) if counts_at_all and not count
    ]
    return predicted[0] if predicted else f"{' and '.join(zero)} {'is' if len(zero) == 1 else 'are'} 0"


def _denominator(metric: Metric, counts: Floats, prevalence: float | None) -> Floats:
    """What TP, FN, FP and TN weigh there."""
    return metric.on_counts(float(counts[:2].sum()), float(counts[2:].sum()), prevalence)[1]


class UndefinedMetricError(ValueError):
    """A metric has no value at any point: the first of them, and its counts."""

    def __init__(self, message: str, metric: AnyMetric, counts: Floats) -> None:
        super().__init__(message)
        self.metric, self.counts = metric, counts


def check_some_defined(what: str, result: ResultT, thresholds: Any) -> ResultT:
    """Say what there is nothing of where a metric has no value at any point."""
    law = result.law
    if isinstance(law, PartlyDefinedLaw) and law.law is None:
        points = "" if thresholds is None else " at the threshold" if np.size(result.estimate) == 1 else " everywhere"
        raise UndefinedMetricError(f"{what} is undefined{points}: {law.reasons[0]}.", *law.first)
    return result
