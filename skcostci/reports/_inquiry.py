"""The inquiry of a report: what was passed to ``report``, checked.

At the end of the file, names are shortened to one line that fits a terminal, and stay distinct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from skcostci._frozen import cached_property
from skcostci._options import visible
from skcostci._validation._arguments import FINITE, LEVEL, PREVALENCE
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


@dataclass(frozen=True, kw_only=True)
class Inquiry:
    """The cases, the models that scored them, and the options; subgroups are parts of the cases, for a single model."""

    origin: Origin
    cases: Any  # Cases of two classes, or ClassCases
    models: Sequence[str]
    metrics: Sequence[Any]
    confidence_level: float
    thresholds: Sequence[Cut] = ()
    prevalence: float | None = None
    cost_fn: float = 1.0
    cost_fp: float = 1.0
    subgroups: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        LEVEL("confidence_level", self.confidence_level)
        for cut in self.thresholds:
            for value in cut.values() if isinstance(cut, Mapping) else [cut]:
                FINITE("thresholds", value)
        probability_cost(0.5 if self.prevalence is None else self.prevalence, self.cost_fn, self.cost_fp)
        if self.thresholds and self.prevalence is not None:
            PREVALENCE("prevalence", self.prevalence)

    @property
    def prevalence_in_use(self) -> float:
        """That of the cases if none is stated."""
        positive, negative = self.cases.sizes
        return positive / (positive + negative) if self.prevalence is None else self.prevalence

    @property
    def probability_cost(self) -> float:
        """The operating condition at which costs are reported."""
        return float(probability_cost(self.prevalence_in_use, self.cost_fn, self.cost_fp))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        if self.subgroups is None:
            return tuple(Row(model, model, self.cases) for model in self.models)
        return tuple(Row(name, self.models[0], cases) for name, cases in self.subgroups.items())

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """The names of models and subgroups as lines of text have them."""
        names = list(dict.fromkeys([*self.models, *(row.name for row in self.rows)]))
        return dict(zip(names, distinct(names), strict=True))

    @property
    def of_costs(self) -> bool:
        return "cost" in self.metrics


def sizes_of(cases: Any) -> dict[str, int]:
    """The numbers of cases, of positives and, with a proxy, of checked cases, which are then the ones counted."""
    if isinstance(cases, ClassCases):
        return {"n_cases": cases.n_cases}
    if cases.proxies is None:
        positive, negative = (cases.unweighted() if cases.rows.has_importance else cases).sizes
        return {"n_cases": positive + negative, "n_positive": positive}
    checked, _, others = cases.proxies.rows
    positive = int(cases.truth[checked].sum())
    return {"n_cases": len(checked) + len(others), "n_checked": len(checked), "n_positive": positive}


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
