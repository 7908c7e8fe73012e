"""What is asked of the models: the cases, the level, the operating condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import check_confidence_level, check_unit_interval
from skcostci.cases._cases import Cases
from skcostci.cuts import ThresholdRule, cut_by
from skcostci.geometry.duality import probability_cost


@dataclass(frozen=True)
class Model:
    """A model's name, which is that of its column of scores, and how it chooses its thresholds."""

    name: str
    thresholds: ThresholdRule = "envelope"


@dataclass(frozen=True)
class Question:
    """What is asked: the level, the specificities and the operating condition, prevalence None being the sample's."""

    confidence_level: float = 0.95
    specificity: Sequence[float] = (0.9, 0.95)
    prevalence: float | None = None
    cost_fn: float = 1.0
    cost_fp: float = 1.0

    def check(self) -> None:
        """Refuse what cannot be answered, before any data are read."""
        check_confidence_level(self.confidence_level)
        check_unit_interval("specificity", self.specificity)
        probability_cost(0.5 if self.prevalence is None else self.prevalence, self.cost_fn, self.cost_fp)


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
    """The cases, the one model or two that scored them, and what is asked; ``origin`` names the file and the labels."""

    origin: tuple[str, str]
    cases: Cases
    models: Sequence[Model]
    question: Question

    @cached_property
    def condition(self) -> OperatingCondition:
        """PC(+), at the prevalence of the sample where none is stated."""
        asked, (positive, negative) = self.question, self.cases.sizes
        prevalence, origin = asked.prevalence, "stated"
        if prevalence is None:
            prevalence, origin = positive / (positive + negative), "sample"
        costs = asked.cost_fn, asked.cost_fp
        return OperatingCondition(prevalence, origin, *costs, float(probability_cost(prevalence, *costs)))

    @property
    def fpr(self) -> list[float]:
        """The false-positive rates of the specificities."""
        return [round(1 - specificity, 12) for specificity in self.question.specificity]

    @property
    def optimistic(self) -> bool:
        """Whether the thresholds are those that are cheapest on these very cases."""
        return all(isinstance(model.thresholds, str) for model in self.models)

    def threshold(self, model: Model) -> float | None:
        """That of a model at the operating condition; None where nobody is labelled positive."""
        condition = np.asarray(self.condition.probability_cost)
        threshold = float(cut_by("thresholds", model.thresholds, condition, self.cases, model.name).thresholds)
        return threshold if np.isfinite(threshold) else None
