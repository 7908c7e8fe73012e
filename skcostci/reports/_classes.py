"""Cases of any number of classes: the labels that models predict, and their tables with a score of each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Integers, as_array
from skcostci._options import Label
from skcostci._validation._labels import told_labels
from skcostci._validation._rows import GivenRows
from skcostci.cases._cases import Cases
from skcostci.cases._judged import JudgedCases


@dataclass(frozen=True, eq=False)
class ClassCases(JudgedCases):
    """The predicted labels of all models, and, for models that have them, scores of each class of the truth.

    A table is read as by ``bootstrap_auc``; its prediction is the class with the highest score. ``unit`` is the weight
    that importance weights of 1 stand for.
    """

    labels: tuple[Label, ...] = ()
    scored: Cases | None = None
    unit: float = 1.0

    @classmethod
    def check(
        cls, y_true: ArrayLike, models: Mapping[str, ArrayLike], names: Sequence[str], **rows: Unpack[GivenRows]
    ) -> ClassCases:
        """Columns of predicted labels, or tables with a column for each class that occurs; then called by ``names``."""
        tables = {name: each for name, each in models.items() if as_array(name, each).shape[1:] not in ((), (1,))}
        scored = Cases.check_class_scores(y_true, tables, **rows) if tables else None
        labelled = {name: each for name, each in models.items() if name not in tables}
        told = told_labels({"y_true": y_true, **labelled})
        judged = JudgedCases.check_labels(y_true, labelled, order=told, **rows)
        guesses, labels = dict(judged.columns), judged.labels or ()  # those that only models name included
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
        found = self.unit * np.bincount(self.truth, self.weights, minlength=len(self.labels))
        return [float(each) for each in found]

    @property
    def n_cases(self) -> int:
        return len(self.truth) if self.rows.has_importance else int(self.weights.sum())

    @property
    def missing(self) -> str:
        """The class that tables have and the cases lack, in words."""
        known = () if self.scored is None else self.scored.labels
        lacking = [label for label in known if not self.support[self.labels.index(label)]]
        return f"no {lacking[0]}" if lacking else ""

    def part(self, rows: Booleans | Integers) -> Self:
        """The cases of some rows, such as a subgroup."""
        return replace(super().part(rows), scored=self.scored and self.scored.part(rows))

    def of_label(self, label: Label) -> JudgedCases:
        """The predicted labels, with this one listed alone: an average is then over it."""
        labels = (label, *(each for each in self.labels if each != label))
        moved = np.array([labels.index(each) for each in self.labels])
        columns = {name: moved[column] for name, column in self.columns.items()}
        return replace(self, labels=labels, truth=moved[self.truth], columns=columns, n_stated=1)

    def of_kind(self, kind: str) -> Any:
        """The "scores" or "tables" of each class, the places of the "labels", or these themselves as "values"."""
        truth, columns = self.truth, self.columns
        if self.scored is not None and kind in ("scores", "tables"):
            truth, columns = self.scored.truth, self.scored.columns
        if kind == "values":
            names = np.array(self.labels)
            truth, columns = names[truth], {name: names[column] for name, column in columns.items()}
        return self.scored if kind == "scores" else JudgedCases(truth, columns, self.rows)

    def against_the_rest(self, place: int, column: str) -> Cases:
        """One column of each table: the scores of a class, which is the positive one."""
        assert self.scored is not None
        scores = {column: np.ascontiguousarray(self.scored.columns[column][:, place])}
        return replace(self.scored, labels=["the rest", "each class"], truth=self.scored.truth == place, columns=scores)
