"""Cases of any number of classes: the labels that models predict, and their tables with a score of each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Integers, as_array
from skcostci._options import Label
from skcostci._validation._labels import told_labels
from skcostci._validation._rows import GivenRows
from skcostci.cases._cases import Cases
from skcostci.cases._judged import JudgedCases


@dataclass(frozen=True, eq=False)
class ClassCases:
    """The predicted labels of all models, and, for models that have them, scores of each class of the truth.

    A table is read as by ``bootstrap_auc``; its prediction is the class with the highest score. ``unit`` is the weight
    that importance weights of 1 stand for.
    """

    judged: JudgedCases
    scored: Cases | None
    unit: float = 1.0
    proxies: None = None

    @classmethod
    def check(cls, y_true: ArrayLike, models: Mapping[str, ArrayLike], **rows: Unpack[GivenRows]) -> ClassCases:
        """Columns of predicted labels, or tables with a column for each class that occurs."""
        tables = {name: each for name, each in models.items() if as_array(name, each).shape[1:] not in ((), (1,))}
        scored = Cases.check_class_scores(y_true, tables, **rows) if tables else None
        labelled = {name: each for name, each in models.items() if name not in tables}
        judged = JudgedCases.check_labels(y_true, labelled, **rows)
        told = [label for label in told_labels({"y_true": y_true, **labelled}) if label in (judged.labels or ())]
        judged = _in_order(judged, [*told, *(label for label in judged.labels or () if label not in told)])
        guesses = dict(judged.columns)
        if scored is not None:
            places = np.array([(judged.labels or ()).index(label) for label in scored.labels])
            guesses |= {name: places[table.argmax(axis=1)] for name, table in scored.columns.items()}
        judged = replace(judged, columns={name: guesses[name] for name in models})
        given = rows.get("sample_weight")
        total = None if given is None else float(as_array("sample_weight", given).sum())
        unit = total / float(judged.weights.sum()) if total is not None and judged.has_importance else 1.0
        return cls(judged, scored, unit)

    def called(self, names: Mapping[str, str]) -> ClassCases:
        """The same cases with other names of the models."""
        judged = replace(self.judged, columns={names[k]: v for k, v in self.judged.columns.items()})
        if self.scored is None:
            return replace(self, judged=judged)
        tables = {names[name]: table for name, table in self.scored.columns.items()}
        return replace(self, judged=judged, scored=replace(self.scored, columns=tables))

    @property
    def labels(self) -> tuple[Label, ...]:
        """All classes, those that only models name included."""
        return self.judged.labels or ()

    @property
    def truth(self) -> Integers:
        """The place of each case's class among the labels."""
        return self.judged.truth

    @property
    def groups(self) -> Integers | None:
        """The number of each row's group."""
        return self.judged.groups

    @property
    def n_groups(self) -> int:
        """The number of groups, 0 if there are none."""
        return self.judged.n_groups

    @property
    def effective_number(self) -> float | None:
        """With importance weights: the effective number of (equally weighted) cases."""
        return self.judged.effective_number

    @property
    def support(self) -> list[float]:
        """The number of cases of each class, or their weight."""
        found = self.unit * np.bincount(self.truth, self.judged.weights, minlength=len(self.labels))
        return [float(each) for each in found]

    @property
    def n_cases(self) -> int:
        """The number of cases."""
        return len(self.truth) if self.judged.has_importance else int(self.judged.weights.sum())

    @property
    def missing(self) -> str:
        """The class that tables have and the cases lack, in words."""
        known = () if self.scored is None else self.scored.labels
        lacking = [label for label in known if not self.support[self.labels.index(label)]]
        return f"no {lacking[0]}" if lacking else ""

    def part(self, rows: Booleans | Integers) -> ClassCases:
        """The cases of some rows, such as a subgroup."""
        kept = np.arange(len(self.truth))[rows]
        return replace(self, judged=self.judged.part(kept), scored=self.scored and self.scored.part(kept))

    def of_label(self, label: Label) -> JudgedCases:
        """The predicted labels, with this one listed alone: an average is then over it."""
        return replace(_in_order(self.judged, [label, *(each for each in self.labels if each != label)]), n_stated=1)

    def of_values(self) -> JudgedCases:
        """The labels as they are, such as grades, for errors of numbers."""
        columns = {name: self._named(column) for name, column in self.judged.columns.items()}
        return replace(self.judged, labels=None, truth=self._named(self.truth), columns=columns)

    def of_tables(self) -> JudgedCases:
        """The tables, and the place of each case's class among their columns."""
        assert self.scored is not None
        return JudgedCases(self.scored.truth, self.scored.columns, self.judged.rows)

    def _named(self, places: Integers) -> NDArray[Any]:
        return np.asarray(np.array(self.labels)[places])

    def against_the_rest(self, place: int, column: str) -> Cases:
        """One column of each table: the scores of a class, which is the positive one."""
        assert self.scored is not None
        scores = {column: np.ascontiguousarray(self.scored.columns[column][:, place])}
        return replace(self.scored, labels=["the rest", "each class"], truth=self.scored.truth == place, columns=scores)


def _in_order(cases: JudgedCases, labels: Sequence[Label]) -> JudgedCases:
    """The same cases with their labels in another order."""
    moved = np.array([labels.index(label) for label in cases.labels or ()])
    columns = {name: moved[column] for name, column in cases.columns.items()}
    return replace(cases, labels=tuple(labels), truth=moved[cases.truth], columns=columns)
