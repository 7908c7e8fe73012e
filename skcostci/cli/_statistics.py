"""The statistics of a report: how each is asked for and what is written about it. To add one, add an entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skcostci.cli._inquiry import Inquiry, Model
from skcostci.cli._layout import labelled
from skcostci.statistics._auc import auc_of
from skcostci.statistics._auc_difference import auc_difference_of
from skcostci.statistics._cost import CostDifferenceResult, SignificantConditions, cost_difference_of, cost_of
from skcostci.statistics._roc_fpr import roc_at_fpr_of, roc_difference_at_fpr_of

Point = Mapping[str, float]  # what sets a point of a statistic apart from its others


def _nothing(_: Inquiry, __: Point) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class Statistic:
    """One entry: its name, its heading, how it is asked of a model and of the difference of two.

    Of a statistic of several points, ``group`` names their list and ``points`` says what sets them apart. ``before``
    and ``after`` are lines above the heading and below the numbers.
    """

    name: str
    title: Callable[[Inquiry, Point], str]
    of_one: Callable[[Inquiry, Model], Any]
    of_two: Callable[[Inquiry, Model, Model], Any]
    group: str | None = None
    points: Callable[[Inquiry, Any], Sequence[Point]] = lambda asked, result: [{}]
    before: Callable[[Inquiry, Point], Sequence[str]] = _nothing
    after: Callable[[Inquiry, Point], Sequence[str]] = _nothing


def _specificities(asked: Inquiry, _: Any) -> Sequence[Point]:
    return [{"specificity": specificity} for specificity in asked.question.specificity]


def _condition(asked: Inquiry, _: Point) -> Sequence[str]:
    """The operating condition in words."""
    condition = asked.condition
    source = "that of these cases" if condition.prevalence_from == "sample" else "as stated"
    total = condition.prevalence * condition.cost_fn + (1 - condition.prevalence) * condition.cost_fp
    return [
        f"Prevalence {condition.prevalence:.3g} ({source}), a miss costs {condition.cost_fn:g}, "
        f"a false alarm {condition.cost_fp:g}.",
        f"Normalized cost: 1 is everything wrong, {total:.4g} a case in these units.",
    ]


def _thresholds(asked: Inquiry, _: Point) -> Sequence[str]:
    """What the models call positive there."""
    lines = []
    for model in asked.models:
        threshold = asked.threshold(model)
        rule = "nobody is positive" if threshold is None else f"positive from a score of {threshold:.4g}"
        lines.append(labelled(model.name, rule))
    return [
        *lines,
        *["  (the cheapest on these very cases: the interval allows for that choice)"] * asked.optimistic,
    ]


def _cost_difference(asked: Inquiry, a: Model, b: Model, conditions: int | float = 101) -> CostDifferenceResult:
    rules = a.thresholds, b.thresholds
    return cost_difference_of(asked.cases, a.name, b.name, probability_cost=conditions, thresholds=rules)


STATISTICS = (
    Statistic(
        "auc",
        lambda asked, point: "Area under the ROC curve",
        lambda asked, model: auc_of(asked.cases, model.name),
        lambda asked, a, b: auc_difference_of(asked.cases, a.name, b.name),
    ),
    Statistic(
        "sensitivity",
        lambda asked, point: f"Sensitivity at specificity {point['specificity']:g}",
        lambda asked, model: roc_at_fpr_of(asked.cases, model.name, fpr=asked.fpr),
        lambda asked, a, b: roc_difference_at_fpr_of(asked.cases, a.name, b.name, fpr=asked.fpr),
        group="at_specificity",
        points=_specificities,
    ),
    Statistic(
        "cost",
        lambda asked, point: f"Normalized cost at PC(+) = {asked.condition.probability_cost:.3f}",
        lambda asked, model: cost_of(
            asked.cases,
            model.name,
            probability_cost=asked.condition.probability_cost,
            thresholds=model.thresholds,
        ),
        lambda asked, a, b: _cost_difference(asked, a, b, asked.condition.probability_cost),
        before=_condition,
        after=_thresholds,
    ),
)


def cheaper(asked: Inquiry, a: Model, b: Model) -> SignificantConditions:
    """The stretches of PC(+) where, all at once, the first of two models is significantly cheaper and the second is."""
    return _cost_difference(asked, a, b).significant(asked.question.confidence_level, simultaneous=True)
