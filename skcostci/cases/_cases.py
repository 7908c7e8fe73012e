"""Cases: labels, named columns and frequencies, checked once; each column is sorted once per class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats, Scores, Weights
from skcostci._frozen import cached_property
from skcostci._options import Label
from skcostci._validation._arguments import CASES, check_scores
from skcostci._validation._labels import (
    Labels,
    check_label_column,
    check_label_list,
    check_labels,
    check_no_scores,
    check_number_of_classes,
    has_label,
    is_positive,
    label_positions,
    sorted_labels,
    told_labels,
    why_so_many,
)
from skcostci._validation._rows import GivenRows, Rows
from skcostci._validation._tables import check_label_tables, check_positive_column, check_score_table, table_labels
from skcostci.cases._counts import ClassCounts, ScoreCounts
from skcostci.cases._design import CasesInRows, Design

DRAWN_BY = {  # what determines how cases are drawn, and how
    "weight_type='importance'": "importance weights already describe how the cases were sampled",
    "folds": "the class sizes of each fold are held fixed",
    "groups": "whole groups are resampled with all their cases, so neither single cases nor classes are resampled "
    "separately",
}


@dataclass(frozen=True, repr=False, eq=False)
class Cases(CasesInRows):
    """Checked cases, row by row, and their counts, computed once when they are first needed.

    ``labels`` are the classes, if two the negative first; ``truth`` is the class of each row or, with several labels
    per case, a table with a column per label. ``columns`` contain scores, or predicted classes, by name.
    """

    labels: Labels

    @classmethod
    def check(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        pos_label: Label | None = None,
        predicted: bool = False,
        hint: str = "",
        both_classes: bool = True,
        either: bool = False,
        **sample: Unpack[GivenRows],
    ) -> Cases:
        """Two classes and columns of scores, or of ``predicted`` labels; with ``either`` any may be positive."""
        given = {"y_true": y_true, **scores}
        check_column = check_label_column if predicted else check_scores
        columns = {name: check_column(name, values) for name, values in scores.items()}
        every = {"y_true": check_label_column("y_true", y_true), **columns}
        rows = Rows.given(given, every, **sample)
        truth, *kept = (rows.of(values) for values in every.values())
        columns = dict(zip(scores, kept, strict=True))
        both = check_labels(
            truth,
            pos_label,
            lambda classes: why_so_many(truth, classes, columns, predicted) + hint,
            predicted=columns if predicted else {},
            both_classes=both_classes,
            either=either,
        )
        if predicted:
            columns = {name: is_positive(name, values, both) for name, values in columns.items()}
        else:
            for name, values in scores.items():
                check_positive_column(name, values, both)
        positive = has_label(truth, both[1])
        if both_classes:
            rows.check_classes(positive.astype(np.int64))
        return cls(positive, columns, rows, both)

    @classmethod
    def check_classes(
        cls,
        y_true: ArrayLike,
        predictions: Mapping[str, ArrayLike],
        *,
        labels: ArrayLike | None = None,
        **sample: Unpack[GivenRows],
    ) -> Cases:
        """Any number of classes and predicted classes, as positions among ``labels`` (None: those that occur)."""
        given = {"y_true": y_true, **predictions}
        every = {name: check_label_column(name, values) for name, values in given.items()}
        rows = Rows.given(given, every, **sample)
        columns = {name: rows.of(values) for name, values in every.items()}
        seen = columns if sample.get("frequencies", True) else every
        if labels is None:
            check_no_scores(seen)
        known = sorted_labels(seen, told_labels(given)) if labels is None else check_label_list(labels)
        check_number_of_classes(known, len(predictions))
        positions = {name: label_positions(name, values, known) for name, values in columns.items()}
        return cls(positions.pop("y_true"), positions, rows, known)

    @classmethod
    def check_class_scores(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        labels: ArrayLike | None = None,
        **sample: Unpack[GivenRows],
    ) -> Cases:
        """Any number of classes, each occurring, and tables with a score per class, in the order of ``labels``."""
        stated = labels is not None
        alone = cls.check_classes(y_true, {}, labels=labels if stated else table_labels(y_true, scores))
        truth, known = alone.truth, list(alone.labels)
        tables = {name: check_score_table(name, values, known, stated=stated) for name, values in scores.items()}
        rows = Rows.given({"y_true": y_true, **scores}, {"y_true": truth, **tables}, **sample)
        truth = rows.of(truth)
        absent = np.flatnonzero(np.bincount(truth, minlength=len(known)) == 0).tolist()
        if absent:
            raise ValueError(f"y_true must contain every class, got no case of {known[absent[0]]!r}.")
        rows.check_classes(truth)
        return cls(truth, {name: rows.of(table) for name, table in tables.items()}, rows, known)

    @classmethod
    def check_labels(
        cls,
        y_true: ArrayLike,
        tables: Mapping[str, ArrayLike],
        *,
        predicted: bool,
        pos_label: Label | None = None,
        **sample: Unpack[GivenRows],
    ) -> Cases:
        """Several labels per case, ``truth`` a table, and tables of ``predicted`` labels or of scores."""
        known, truth, columns = check_label_tables(y_true, tables, predicted=predicted, pos_label=pos_label)
        rows = Rows.given({"y_true": y_true, **tables}, {"y_true": truth, **columns}, **sample)
        columns = {name: rows.of(table) for name, table in columns.items()}
        return cls(rows.of(truth).astype(bool), columns, rows, known)

    @cached_property
    def _counts(self) -> dict[str, ScoreCounts]:
        return {}

    @property
    def positive(self) -> Booleans:
        return np.asarray(self.truth, dtype=bool)

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The numbers of positives and negatives, or their weights; with several labels, of pairs of case and label."""
        if self.has_labels:
            held = (self.weights @ self.truth.sum(axis=1)).item()
            return held, self.weights.sum().item() * self.truth.shape[1] - held
        positive = self.weights[self.positive].sum().item()
        negative = self.weights[~self.positive].sum().item() if self.rows.has_importance else None
        return positive, self.weights.sum().item() - positive if negative is None else negative

    @property
    def _drawn_by(self) -> list[str]:
        given = {"weight_type='importance'": self.rows.is_weighted or None, "folds": self.folds, "groups": self.groups}
        return [name for name, value in given.items() if value is not None]

    def check_sampling(self, sampling: str | None, default: str | None) -> None:
        """Raise if sampling is not the default where something else determines how cases are drawn."""
        if sampling != default and self._drawn_by:
            what = self._drawn_by[0]
            raise ValueError(f"sampling must be left at {default!r} with {what}, got {sampling!r}: {DRAWN_BY[what]}.")

    def check_resample_size(self, size: Any, sampling: str) -> tuple[int, ...] | None:
        """Numbers of positives and negatives in a resample, or of cases (full sampling); None: as in the sample."""
        if size is None:
            return None
        if self._drawn_by:
            raise ValueError(
                "resample_size needs independent cases that are drawn one by one: leave it out, or leave out "
                f"{self._drawn_by[0]}."
            )
        if np.ndim(size) == 0:
            total = CASES.whole("resample_size", size)
            return (total,) if sampling == "full" else self._shared_out(total)
        if sampling == "full":
            raise ValueError(f"resample_size must be one number, of all cases, with sampling='full', got {size!r}.")
        if np.shape(size) != (2,):
            raise ValueError(f"resample_size must be a number or a pair (positives, negatives), got {size!r}.")
        return tuple(CASES.whole("each number of resample_size", one) for one in size)

    def _shared_out(self, total: int) -> tuple[int, int]:
        """The total split into classes in their proportions, which must give whole numbers."""
        positives, rest = divmod(total * self.sizes[0], sum(self.sizes))
        if rest:
            near = max(positives, 1), max(total - positives, 1)
            raise ValueError(
                f"resample_size={total} does not give a whole number of cases per class in the proportions of the "
                f"sample, {self.sizes[0]} positive to {self.sizes[1]} negative: pass how many of each, as in "
                f"resample_size=({near[0]}, {near[1]}), positives first."
            )
        return positives, total - positives

    def check_counted(self, what: str) -> None:
        if self.rows.has_importance:
            raise ValueError(
                f"weight_type='importance' is not supported for {what}: its sample_weight counts cases, in whole "
                "numbers."
            )

    def check_choice(self, selected: Iterable[bool]) -> None:
        if any(selected):
            self.check_counted("thresholds chosen on the same cases (pass thresholds that were chosen beforehand)")

    @property
    def has_labels(self) -> bool:
        return self.truth.ndim > 1

    def design(self, *, by_class: bool = True) -> Design:
        if self.has_labels:
            return Design(self.rows)
        return Design(self.rows, np.asarray(self.truth).astype(np.int64), by_class)

    def squared_and_alone(self) -> tuple[Cases, Cases]:
        return self.with_rows(weights=self.weights**2), self.unweighted()

    def split(self, column: str) -> tuple[tuple[Scores, Weights | None], tuple[Scores, Weights | None]]:
        """Scores and weights of the positives, then of the negatives."""
        # If each row is one case no weights have to follow the scores in a sort, which is then faster.
        each_alone = not self.rows.has_importance and (self.weights == 1).all()
        positive, negative = (
            (np.compress(rows, self.columns[column]), None if each_alone else self.weights[rows])
            for rows in (self.positive, ~self.positive)
        )
        return positive, negative

    def counts(self, column: str, *, ranked: bool = False) -> ScoreCounts:
        """The distinct scores of a column per class; with the rank of each row where pairs need it."""
        known = self._counts.get(column)
        if known is None or (ranked and known.positive.rank is None):
            known = ScoreCounts(*(ClassCounts.from_scores(*part, ranked=ranked) for part in self.split(column)))
            self._counts[column] = known
        return known

    def confusion_table(self) -> Floats:
        """Numbers (or weights) of cases by class (rows), predicted class, second predicted class, ..."""
        shape = (len(self.labels),) * (1 + len(self.columns))
        cells = np.ravel_multi_index((self.truth, *self.columns.values()), shape)
        return np.bincount(cells, self.weights, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
