"""What is asked of the models: the cases, the level, the operating condition, the metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from skcostci._validation import check_confidence_level, check_option, check_prevalence, check_unit_interval
from skcostci.cases._cases import Cases
from skcostci.cuts import ThresholdRule, cut_by
from skcostci.geometry.duality import probability_cost
from skcostci.metric import BY_NAME


@dataclass(frozen=True)
class Model:
    """A model's name, which is that of its column of scores, and how it chooses its thresholds.

    At each operating condition by ``thresholds``; metrics are those of labels that are positive from
    ``metric_threshold``.
    """

    name: str
    thresholds: ThresholdRule = "envelope"
    metric_threshold: float | None = None


class Subgroups(NamedTuple):
    """The column that says which subgroup a case belongs to, and the cases of each."""

    by: str
    cases: Mapping[str, Cases]


class Origin(NamedTuple):
    """Where the cases are from: the file, its column of labels, how many rows were left out."""

    source: str
    y_true: str
    dropped: int = 0


class Row(NamedTuple):
    """What a row of the report is about: a model, on all cases or on those of a subgroup."""

    name: str
    model: Model
    cases: Cases


@dataclass(frozen=True)
class Question:
    """What is asked: level, specificities, operating condition (prevalence None is the sample's), metrics by name."""

    confidence_level: float = 0.95
    specificity: Sequence[float] = (0.9, 0.95)
    prevalence: float | None = None
    cost_fn: float = 1.0
    cost_fp: float = 1.0
    metrics: Sequence[str] = ()

    def check(self) -> None:
        """Refuse what cannot be answered, before any data are read."""
        check_confidence_level(self.confidence_level)
        check_unit_interval("specificity", self.specificity)
        probability_cost(0.5 if self.prevalence is None else self.prevalence, self.cost_fn, self.cost_fp)
        for metric in self.metrics:
            check_option("metric", metric, BY_NAME)
        if self.metrics and self.prevalence is not None:
            check_prevalence(self.prevalence)


@dataclass(frozen=True)
class OperatingCondition:
    """Where the cost is stated."""

    prevalence: float
    prevalence_from: str
    cost_fn: float
    cost_fp: float
    probability_cost: float


@dataclass(frozen=True)
class Inquiry:
    """The cases and where they are from, the models that scored them, and what is asked.

    Subgroups are those of the cases, and of a single model.
    """

    origin: Origin
    cases: Cases
    models: Sequence[Model]
    question: Question
    subgroups: Subgroups | None = None

    @cached_property
    def condition(self) -> OperatingCondition:
        """PC(+), at the prevalence of the sample where none is stated."""
        asked, (positive, negative) = self.question, self.cases.sizes
        prevalence, origin = asked.prevalence, "stated"
        if prevalence is None:
            prevalence, origin = positive / (positive + negative), "sample"
        costs = asked.cost_fn, asked.cost_fp
        return OperatingCondition(prevalence, origin, *costs, float(probability_cost(prevalence, *costs)))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The models, or the subgroups of one."""
        if self.subgroups is None:
            return tuple(Row(model.name, model, self.cases) for model in self.models)
        (model,) = self.models
        return tuple(Row(name, model, cases) for name, cases in self.subgroups.cases.items())

    def of_models(self, attribute: str) -> Any:
        """What the models have: by name, or of a single one as it is."""
        found = {model.name: getattr(model, attribute) for model in self.models}
        return found if len(found) > 1 else next(iter(found.values()))

    @property
    def optimistic(self) -> bool:
        """Whether the thresholds are those that are cheapest on these very cases."""
        return all(isinstance(model.thresholds, str) for model in self.models)

    def threshold(self, row: Row) -> float | None:
        """That of a row at the operating condition; None where nobody is labelled positive."""
        condition = np.asarray(self.condition.probability_cost)
        return finite(cut_by("thresholds", row.model.thresholds, condition, row.cases, row.model.name).thresholds)


def finite(value: Any) -> float | None:
    """A number, or None for an infinite one, which JSON does not know."""
    return float(value) if np.isfinite(value) else None
