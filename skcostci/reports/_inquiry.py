"""The question that a report answers: models, cases, level, metrics and their points, operating condition.

Below is how the names of models are written, on one line that fits a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from skcostci._frozen import cached_property
from skcostci._options import visible
from skcostci._validation import check_confidence_level, check_number, check_prevalence
from skcostci.cases._cases import Cases
from skcostci.cuts import ThresholdRule, cut_by
from skcostci.geometry import probability_cost

NAME = 40  # letters of a line; the rest of 80 is for numbers

Cut = float | Mapping[str, float]  # the score from which labels are positive, of all models or of each by name


@dataclass(frozen=True)
class Model:
    """A model's name, which is that of its column of scores, and how it chooses its thresholds for costs."""

    name: str
    thresholds: ThresholdRule = "envelope"


class Subgroups(NamedTuple):
    """The column that says which subgroup a case belongs to, and the cases of each."""

    by: str
    cases: Mapping[str, Cases]


class Origin(NamedTuple):
    """Where the cases are from, how the labels are called, the call as typed, and how many rows were left out."""

    source: str
    y_true: str
    call: str
    dropped: int = 0


class Row(NamedTuple):
    """What a row of the report is about: a model, on all cases or on those of a subgroup."""

    name: str
    model: Model
    cases: Cases

    @property
    def missing(self) -> str:
        """Which class it has no cases of, in words; nothing if it has both."""
        positive, negative = self.cases.sizes
        return "" if positive and negative else "no negatives" if positive else "no positives"


@dataclass(frozen=True)
class ReportOptions:
    """Metrics, thresholds of labels, level and operating condition (prevalence None: the sample's)."""

    metrics: Sequence[str]
    thresholds: Sequence[Cut] = ()
    confidence_level: float = 0.95
    prevalence: float | None = None
    cost_fn: float = 1.0
    cost_fp: float = 1.0

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be used, before any data are read."""
        check_confidence_level(self.confidence_level)
        for cut in self.thresholds:
            for value in cut.values() if isinstance(cut, Mapping) else [cut]:
                check_number("thresholds", value)
        probability_cost(0.5 if self.prevalence is None else self.prevalence, self.cost_fn, self.cost_fp)
        if self.thresholds and self.prevalence is not None:
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
    """The cases and where they are from, the models that scored them, and the options of the report.

    Subgroups are those of the cases, and of a single model.
    """

    origin: Origin
    cases: Cases
    models: Sequence[Model]
    question: ReportOptions
    subgroups: Subgroups | None = None

    @cached_property
    def condition(self) -> OperatingCondition:
        """PC(+), at the prevalence of the sample where none is stated."""
        options, (positive, negative) = self.question, self.cases.sizes
        prevalence, origin = options.prevalence, "stated"
        if prevalence is None:
            prevalence, origin = positive / (positive + negative), "sample"
        costs = options.cost_fn, options.cost_fp
        return OperatingCondition(prevalence, origin, *costs, float(probability_cost(prevalence, *costs)))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The models, or the subgroups of one."""
        if self.subgroups is None:
            return tuple(Row(model.name, model, self.cases) for model in self.models)
        (model,) = self.models
        return tuple(Row(name, model, cases) for name, cases in self.subgroups.cases.items())

    @property
    def rules(self) -> Any:
        """The models' threshold rules for costs: by name, or of a single one as it is."""
        found = {model.name: model.thresholds for model in self.models}
        return found if len(found) > 1 else self.models[0].thresholds

    @property
    def optimistic(self) -> bool:
        """Whether the thresholds are those that are cheapest on these very cases."""
        return all(isinstance(model.thresholds, str) for model in self.models)

    @property
    def of_costs(self) -> bool:
        """Whether costs are among the metrics."""
        return "cost" in self.question.metrics

    def threshold(self, row: Row) -> float | None:
        """That of a row at the operating condition; None where no case is labelled positive, or a class is missing."""
        if row.missing:
            return None
        condition = np.asarray(self.condition.probability_cost)
        return finite(cut_by("thresholds", row.model.thresholds, condition, row.cases, row.model.name).thresholds)


def sizes_of(cases: Cases) -> dict[str, int]:
    """How many cases there are, how many are positive and, with a proxy, how many are checked: these are counted."""
    if cases.proxies is None:
        positive, negative = cases.numbers
        return {"n_cases": positive + negative, "n_positive": positive}
    checked, _, others = cases.proxies.rows
    n_positive = int(np.count_nonzero(cases.truth[checked]))
    return {"n_cases": len(checked) + len(others), "n_checked": len(checked), "n_positive": n_positive}


def cut_of(cut: Cut, model: str) -> float:
    """The score from which a model's labels are positive."""
    return cut[model] if isinstance(cut, Mapping) else cut


def finite(value: Any) -> float | None:
    """A threshold, or None for an infinite one: nobody is labelled positive."""
    return float(value) if np.isfinite(value) else None


def short(name: str, width: int = NAME - 4) -> str:
    """A name that fits, on one line, its middle left out if need be."""
    line = visible(" ".join(name.split()))
    kept = (width - 3) // 2
    return line if len(line) <= width else f"{line[:kept]}...{line[len(line) - kept :]}"


def labelled(name: str, text: str) -> str:
    """A line of the table that says something about a model."""
    return f"  {short(name):<{NAME}}{text}"
