"""The statistics of a report: how each is asked for and what is written about it. To add one, add an entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skcostci.cli._inquiry import Inquiry, finite
from skcostci.cli._layout import labelled
from skcostci.metric import BY_NAME
from skcostci.statistics._compare import QUESTIONS, Question, metric_question

Point = Mapping[str, float]  # what sets a point of a statistic apart from its others
Results = Sequence[Any]  # one a row


@dataclass(frozen=True)
class Statistic:
    """One entry: its name, how it is asked of a model and of two, its heading.

    ``points`` are those at which it is asked, each one number a model: a statistic that nobody asked for has none. Of
    one of several points, ``group`` names their list. ``options`` are the question's at a point, ``more`` is what else
    is known of a result. ``before`` and ``after`` are lines above the heading and below the numbers.
    """

    name: str
    question: Question
    title: Callable[[Inquiry, Point], str]
    group: str | None = None
    points: Callable[[Inquiry], Sequence[Point]] = lambda asked: [{}]
    options: Callable[[Inquiry, Point], dict[str, Any]] = lambda asked, point: {}
    more: Callable[[Any], dict[str, Any]] = lambda result: {}
    before: Callable[[Inquiry], Sequence[str]] = lambda asked: ()
    after: Callable[[Inquiry, Results], Sequence[str]] = lambda asked, results: ()


def _condition(asked: Inquiry) -> Sequence[str]:
    """The operating condition in words."""
    condition = asked.condition
    source = "that of these cases" if condition.prevalence_from == "sample" else "as stated"
    total = condition.prevalence * condition.cost_fn + (1 - condition.prevalence) * condition.cost_fp
    return [
        f"Prevalence {condition.prevalence:.3g} ({source}), a miss costs {condition.cost_fn:g}, "
        f"a false alarm {condition.cost_fp:g}.",
        f"Normalized cost: 1 is everything wrong, {total:.4g} a case in these units.",
    ]


def _cheapest(asked: Inquiry, _: Results) -> Sequence[str]:
    """What the models call positive at the operating condition."""
    return [
        *(_positive_from(row.name, asked.threshold(row)) for row in asked.rows),
        *["  (the cheapest on these very cases: the interval allows for that choice)"] * asked.optimistic,
    ]


def _positive_from(name: str, threshold: float | None) -> str:
    rule = "nobody is positive" if threshold is None else f"positive from a score of {threshold:.4g}"
    return labelled(name, rule)


def _where_specific(asked: Inquiry, results: Results) -> Sequence[str]:
    """From which score each row has the specificity."""
    return [_positive_from(row.name, finite(result.threshold)) for row, result in zip(asked.rows, results, strict=True)]


def _metric(name: str) -> Statistic:
    """The entry of a metric by name, for who asks for it."""
    question = metric_question(name)
    return Statistic(
        name,
        question,
        lambda asked, point: question.title,
        points=lambda asked: [{}] * (name in asked.question.metrics),
        options=lambda asked, point: {
            "thresholds": asked.of_models("metric_threshold"),
            "prevalence": asked.question.prevalence,
        },
        before=lambda asked: _labels(asked) if name == _first_metric(asked) else (),
        after=_why_undefined,
    )


def _why_undefined(asked: Inquiry, results: Results) -> Sequence[str]:
    """Of rows in which the metric has no value, what is missing."""
    reasons = [next(iter(result._undefined_because()), "") for result in results]
    return [labelled(row.name, why) for row, why in zip(asked.rows, reasons, strict=True) if why]


def _first_metric(asked: Inquiry) -> str:
    """Of those asked for, the first in the list."""
    return next(name for name in BY_NAME if name in asked.question.metrics)


def _labels(asked: Inquiry) -> Sequence[str]:
    """What the metrics are of."""
    stated = asked.question.prevalence
    where = "on these cases" if stated is None else f"at prevalence {stated:.3g} (as stated)"
    cuts = (_positive_from(model.name, model.metric_threshold) for model in asked.models)
    return [f"Metrics of labels, {where}", *cuts, ""]


STATISTICS = (
    Statistic("auc", QUESTIONS["auc"], lambda asked, point: "Area under the ROC curve"),
    Statistic(
        "sensitivity",
        QUESTIONS["tpr_at_fpr"],
        lambda asked, point: f"Sensitivity at specificity {point['specificity']:g}",
        group="at_specificity",
        points=lambda asked: [
            {"specificity": specificity} for specificity in asked.question.specificity if asked.cases.groups is None
        ],
        options=lambda asked, point: {"fpr": round(1 - point["specificity"], 12)},
        more=lambda result: {"threshold": finite(result.threshold)},
        after=_where_specific,
    ),
    Statistic(
        "cost",
        QUESTIONS["cost"],
        lambda asked, point: f"Normalized cost at PC(+) = {asked.condition.probability_cost:.3f}",
        options=lambda asked, point: {
            "probability_cost": asked.condition.probability_cost,
            "thresholds": asked.of_models("thresholds"),
        },
        before=_condition,
        after=_cheapest,
    ),
    *map(_metric, BY_NAME),
)
