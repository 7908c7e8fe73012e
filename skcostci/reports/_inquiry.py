"""The inquiry of a report: models, cases, level, metrics and their points, operating condition.

At the end of the file, names are shortened to one line that fits a terminal, and stay distinct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from skcostci._frozen import cached_property
from skcostci._options import visible
from skcostci._validation._arguments import FINITE, LEVEL, PREVALENCE
from skcostci.cuts import cut_by
from skcostci.geometry import probability_cost
from skcostci.reports._classes import ClassCases

NAME = 40  # characters per line; the rest of 80 is for numbers

Cut = float | Mapping[str, float]  # the score from which labels are positive, for all models or for each by name


class Origin(NamedTuple):
    """The source of the cases, the names of labels and subgroups, the call as typed, the number of rows left out."""

    source: str
    y_true: str
    call: str
    by: str | None = None
    n_rows_dropped: int = 0


class Row(NamedTuple):
    """A row of the report: a model, on all cases or on those of a subgroup."""

    name: str
    model: str
    cases: Any

    @property
    def missing(self) -> str:
        """The class of which it has no cases, in words; an empty text if it has all."""
        if isinstance(self.cases, ClassCases):
            return self.cases.missing
        positive, negative = self.cases.sizes
        return "" if positive and negative else "no negatives" if positive else "no positives"


@dataclass(frozen=True)
class ReportOptions:
    """Metrics, thresholds of labels, level and operating condition (prevalence None means the sample's)."""

    metrics: Sequence[str]
    thresholds: Sequence[Cut] = ()
    confidence_level: float = 0.95
    prevalence: float | None = None
    cost_fn: float = 1.0
    cost_fp: float = 1.0

    def __post_init__(self) -> None:
        """Raise for numbers that cannot be used, before any data are read."""
        LEVEL("confidence_level", self.confidence_level)
        for cut in self.thresholds:
            for value in cut.values() if isinstance(cut, Mapping) else [cut]:
                FINITE("thresholds", value)
        probability_cost(0.5 if self.prevalence is None else self.prevalence, self.cost_fn, self.cost_fp)
        if self.thresholds and self.prevalence is not None:
            PREVALENCE("prevalence", self.prevalence)


@dataclass(frozen=True)
class OperatingCondition:
    """The operating condition at which costs are reported."""

    prevalence: float
    prevalence_from: str
    cost_fn: float
    cost_fp: float
    probability_cost: float


@dataclass(frozen=True)
class Inquiry:
    """The cases and their source, the models that scored them, and the options of the report.

    Subgroups are subsets of the cases, for a single model.
    """

    origin: Origin
    cases: Any  # Cases of two classes, or ClassCases
    models: Sequence[str]
    question: ReportOptions
    subgroups: Mapping[str, Any] | None = None

    @cached_property
    def condition(self) -> OperatingCondition:
        """PC(+), at the prevalence of the sample if none is stated."""
        options, (positive, negative) = self.question, self.cases.sizes
        prevalence, origin = options.prevalence, "stated"
        if prevalence is None:
            prevalence, origin = positive / (positive + negative), "sample"
        costs = options.cost_fn, options.cost_fp
        return OperatingCondition(prevalence, origin, *costs, float(probability_cost(prevalence, *costs)))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The models, or the subgroups of one model."""
        if self.subgroups is None:
            return tuple(Row(model, model, self.cases) for model in self.models)
        (model,) = self.models
        return tuple(Row(name, model, cases) for name, cases in self.subgroups.items())

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """The names of models and subgroups as lines of text have them."""
        names = list(dict.fromkeys([*self.models, *(row.name for row in self.rows)]))
        return dict(zip(names, distinct(names), strict=True))

    @property
    def of_costs(self) -> bool:
        """Whether costs are among the metrics."""
        return "cost" in self.question.metrics

    def threshold(self, row: Row) -> float | None:
        """A row's threshold at the operating condition; None if no case is labelled positive, or a class is missing."""
        if row.missing:
            return None
        condition = np.asarray(self.condition.probability_cost)
        return finite(cut_by("thresholds", "envelope", condition, row.cases, row.model).thresholds)


def sizes_of(cases: Any) -> dict[str, int]:
    """The numbers of cases, of positives and, with a proxy, of checked cases, which are then the ones counted."""
    if isinstance(cases, ClassCases):
        return {"n_cases": cases.n_cases}
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
    """A threshold, or None for an infinite one, at which nobody is labelled positive."""
    return float(value) if np.isfinite(value) else None


def short(name: str, width: int = NAME - 4) -> str:
    """A name shortened to fit on one line, its middle left out if necessary."""
    line = visible(" ".join(name.split()))
    kept = (width - 3) // 2
    return line if len(line) <= width else f"{line[:kept]}...{line[len(line) - kept :]}"


def distinct(names: Sequence[str], width: int = NAME - 4) -> list[str]:
    """Names shortened to fit; numbered where they would look the same."""
    cut = [short(name, width) for name in names]
    numbered = (f"{short(name, width - 5)} ({place})" for place, name in enumerate(names, 1))
    return [line if cut.count(line) == 1 else other for line, other in zip(cut, numbered, strict=True)]


def labelled(name: str, text: str) -> str:
    """A line of the table with a text about a model."""
    return f"  {name:<{NAME}}{text}"
