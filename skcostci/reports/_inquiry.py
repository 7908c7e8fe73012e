"""The inquiry of a report: what was passed to ``report``, checked.

Names are shortened to one line that fits a terminal, and stay distinct. At the end of the file are cases of any number
of classes: the labels that models predict, and their tables with a score of each class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Integers, as_array
from skcostci._frozen import cached_property
from skcostci._options import visible
from skcostci._validation._arguments import LEVEL, PREVALENCE
from skcostci._validation._rows import GivenRows
from skcostci.cases._cases import Cases
from skcostci.geometry import probability_cost
from skcostci.metric import AnyMetric

NAME = 40  # characters of a line for the name; the rest of 80 is for numbers

Cut = float | Mapping[str, float]  # the score from which labels are positive, for all models or for each by name


class Origin(NamedTuple):
    """The source of the cases, the names of labels and subgroups, the call as typed, the number of rows left out."""

    source: str
    y_true: str | None
    call: str
    by: str | None = None
    n_rows_dropped: int = 0


class Row(NamedTuple):
    """A row of the report: a model, on all cases or on those of a subgroup."""

    name: str
    model: str
    cases: Cases

    @property
    def missing(self) -> str:
        """The first class without cases, of both or of those that tables have, in words; empty if there is none."""
        if isinstance(self.cases, ClassCases):
            known = () if self.cases.scored is None else self.cases.scored.labels
            sizes = {label: self.cases.support[self.cases.labels.index(label)] for label in known}
        else:
            sizes = dict(zip(("positives", "negatives"), self.cases.sizes, strict=True)) if self.cases.labels else {}
        return next((f"no {name}" for name, size in sizes.items() if not size), "")


@dataclass(frozen=True)
class Inquiry:
    """The cases, the models that scored them, the options, and the rows: one a model, or a subgroup of a single one."""

    origin: Origin
    cases: Cases  # of two classes, or ClassCases, or values without labels
    models: Sequence[str]
    metrics: Sequence[str | AnyMetric]
    confidence_level: float
    thresholds: Sequence[Cut]
    prevalence: float | None
    cost_fn: float
    cost_fp: float
    rows: Sequence[Row]

    def __post_init__(self) -> None:
        LEVEL("confidence_level", self.confidence_level)
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
    def shown(self) -> Mapping[str, str]:
        """The names of models and subgroups as lines of text have them."""
        names = list(dict.fromkeys([*self.models, *(row.name for row in self.rows)]))
        return dict(zip(names, distinct(names), strict=True))


def sizes_of(cases: Cases) -> dict[str, int]:
    """The numbers of cases, of positives and, with a proxy, of checked cases, which are then the ones counted."""
    if not cases.of_two_classes:
        return {"n_cases": len(cases.truth) if cases.rows.has_importance else int(cases.weights.sum())}
    if cases.proxies is None:
        positive, negative = (cases.unweighted() if cases.rows.has_importance else cases).sizes
        return {"n_cases": positive + negative, "n_positive": positive}
    checked, _, others = cases.proxies.rows
    n_checked, positive = len(checked), int(cases.truth[checked].sum())
    return {"n_cases": n_checked + len(others), "n_checked": n_checked, "n_positive": positive}


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


@dataclass(frozen=True, eq=False)
class ClassCases(Cases):
    """The predicted labels of all models, and, for models that have them, scores of each class of the truth.

    A table is read as by ``bootstrap_auc``; its prediction is the class with the highest score. ``unit`` is the
    importance weight, as it was given, for which a weight of 1 stands.
    """

    scored: Cases | None = None
    unit: float = 1.0

    @classmethod
    def of_models(
        cls, y_true: ArrayLike, models: Mapping[str, ArrayLike], names: Sequence[str], **rows: Unpack[GivenRows]
    ) -> ClassCases:
        """Columns of predicted labels, or tables with a column for each class that occurs; then called by ``names``."""
        tables = {name: each for name, each in models.items() if as_array(name, each).shape[1:] not in ((), (1,))}
        scored = Cases.check_class_scores(y_true, tables, **rows) if tables else None
        predicted = {name: each for name, each in models.items() if name not in tables}
        judged = Cases.check_classes(y_true, predicted, others=True, **rows)
        guesses, labels = dict(judged.columns), judged.labels  # with those that models predict and no case has
        if scored is not None:
            places = np.array([labels.index(label) for label in scored.labels])
            guesses |= {name: places[table.argmax(axis=1)] for name, table in scored.columns.items()}
            shown = dict(zip(models, names, strict=True))
            scored = replace(scored, columns={shown[name]: table for name, table in scored.columns.items()})
        columns = {shown: guesses[name] for name, shown in zip(models, names, strict=True)}
        given, unit = rows.get("sample_weight"), 1.0
        if given is not None and judged.rows.has_importance:
            unit = float(as_array("sample_weight", given).sum()) / float(judged.weights.sum())
        return cls(judged.truth, columns, judged.rows, labels, scored=scored, unit=unit)

    @property
    def support(self) -> list[float]:
        """The number of cases of each class, or their weight."""
        return list(map(float, self.unit * np.bincount(self.truth, self.weights, minlength=len(self.labels))))

    def part(self, rows: Booleans | Integers) -> Self:
        """The cases of some rows, such as a subgroup."""
        return replace(super().part(rows), scored=self.scored and self.scored.part(rows))

    def of_kind(self, kind: str) -> Cases:
        """The "scores" of each class, the same as "tables" without labels, or predicted labels as "values"."""
        if kind == "values":
            names = np.array(self.labels)
            columns = {name: names[column] for name, column in self.columns.items()}
            return Cases(names[self.truth], columns, self.rows)
        assert self.scored is not None
        return self.scored if kind == "scores" else replace(self.scored, labels=())

    def against_the_rest(self, place: int, column: str) -> Cases:
        """One column of each table: the scores of a class, which is the positive one."""
        assert self.scored is not None
        scores = {column: np.ascontiguousarray(self.scored.columns[column][:, place])}
        return replace(self.scored, labels=("the rest", "each class"), truth=self.scored.truth == place, columns=scores)
