"""Cases: labels, named columns and frequencies, checked once; each column is sorted once a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._frozen import Frozen
from skcostci._validation import (
    Booleans,
    Floats,
    Integers,
    Labels,
    Scores,
    Weights,
    check_binary_data,
    check_class_data,
    check_class_scores,
    number_groups,
    row_names,
)
from skcostci.cases._counts import ClassCounts, ScoreCounts
from skcostci.cases._paired import PairedPlacements, place_pair


@dataclass(frozen=True, eq=False)
class Cases(Frozen):
    """Checked cases, row by row, and what is counted of them, once and when it is first asked for.

    ``labels`` are the classes, of two the negative first; ``truth`` says which of them each row has. ``columns`` hold
    scores, or the classes that models predict, by name. ``weights`` say how many cases a row stands for, one each if
    None, and ``groups`` which cases belong together, as whole numbers from 0 on; None where each stands for itself.
    ``index`` names the rows as they came, those of no case too, where pandas did. Cases that share labels and columns
    add up; their groups stay apart.
    """

    labels: Labels
    truth: Booleans | Integers
    columns: Mapping[str, NDArray[Any]]
    weights: Weights | None = None
    groups: Integers | None = None
    index: NDArray[Any] | None = field(default=None, repr=False)
    _counts: dict[str, ScoreCounts] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def check(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        frequencies: bool = True,
        predicted: bool = False,
        hint: str = "",
        both_classes: bool = True,
        either: bool = False,
    ) -> Cases:
        """Two classes and columns of scores, or of predicted labels; a row that stands for no case is left out.

        Where not ``both_classes`` are needed there may be cases of one alone. ``either`` of them may be called positive
        where what is asked does not depend on it.
        """
        return cls(
            *check_binary_data(
                y_true,
                scores,
                pos_label=pos_label,
                sample_weight=sample_weight,
                groups=groups,
                frequencies=frequencies,
                predicted=predicted,
                hint=hint,
                both_classes=both_classes,
                either=either,
            ),
            index=row_names(y_true),
        )

    @classmethod
    def check_classes(
        cls,
        y_true: ArrayLike,
        predictions: Mapping[str, ArrayLike],
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        frequencies: bool = True,
    ) -> Cases:
        """Any number of classes and columns of predicted ones; ``labels`` None are those that occur, sorted."""
        return cls(
            *check_class_data(y_true, predictions, labels=labels, sample_weight=sample_weight, frequencies=frequencies)
        )

    @classmethod
    def check_class_scores(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Cases:
        """Any number of classes, and columns that are tables with a score for each."""
        return cls(*check_class_scores(y_true, scores, labels=labels, sample_weight=sample_weight))

    @property
    def positive(self) -> Booleans:
        """Which of two classes each row has."""
        return np.asarray(self.truth, dtype=bool)

    @property
    def frequencies(self) -> Weights:
        """The weights, 1 where nothing is said."""
        return np.ones(len(self.truth), dtype=np.int64) if self.weights is None else self.weights

    @property
    def sizes(self) -> tuple[int, int]:
        """How many cases are positive and how many negative."""
        positive = int(self.frequencies[self.positive].sum())
        return positive, int(self.frequencies.sum()) - positive

    @property
    def n_groups(self) -> int:
        """How many groups there are, if any."""
        return 0 if self.groups is None else int(self.groups.max()) + 1

    @property
    def _numbers(self) -> Integers:
        """The groups, each row one of its own where nothing is said."""
        return np.arange(len(self.truth)) if self.groups is None else self.groups

    def check_group_sampling(self, sampling: str | None, default: str | None) -> None:
        """Where there are groups, they are what is resampled, and nothing else can be asked for."""
        if self.groups is not None and sampling != default:
            raise ValueError(
                f"sampling must be left at {default!r} with groups, got {sampling!r}: whole groups are resampled, with "
                "the classes they hold, so that neither classes nor cases are drawn by themselves."
            )

    def refuse_groups(self, what: str) -> None:
        """Say that something does not know how cases vary that belong together."""
        if self.groups is not None:
            raise ValueError(
                f"groups are not taken by {what}: they are by the AUC, costs, metrics and rates at given thresholds."
            )

    def part(self, rows: Booleans) -> Cases:
        """The cases of some rows, such as a subgroup."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        weights = None if self.weights is None else self.weights[rows]
        groups = None if self.groups is None else number_groups(self.groups[rows], weights)
        return Cases(self.labels, self.truth[rows], columns, weights, groups)

    def split(self, column: str) -> tuple[tuple[Scores, Weights | None], tuple[Scores, Weights | None]]:
        """Scores and weights of the positives, then of the negatives."""
        positive, negative = (
            (np.compress(rows, self.columns[column]), None if self.weights is None else self.weights[rows])
            for rows in (self.positive, ~self.positive)
        )
        return positive, negative

    def counts(self, column: str, *, ranked: bool = False) -> ScoreCounts:
        """The distinct scores of a column, class by class; with the rank of each row where pairs need it."""
        known = self._counts.get(column)
        if known is None or (ranked and known.positive.rank is None):
            known = ScoreCounts(*(ClassCounts.from_scores(*part, ranked=ranked) for part in self.split(column)))
            self._counts[column] = known
        return known

    def pair(self, a: str, b: str) -> PairedPlacements:
        """Who beats whom under two columns."""
        weights = [part[1] for part in self.split(a)]
        return place_pair(self.counts(a, ranked=True), self.counts(b, ranked=True), *weights)

    def confusion_table(self) -> Floats:
        """How many cases (or how much weight) have each class (rows), predicted class, second predicted class, ..."""
        shape = (len(self.labels),) * (1 + len(self.columns))
        cells = np.ravel_multi_index((self.truth, *self.columns.values()), shape)
        return np.bincount(cells, self.weights, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)

    def __add__(self, other: object) -> Cases:
        if not isinstance(other, Cases):
            return NotImplemented
        mine, others = ((list(part.labels), list(part.columns)) for part in (self, other))
        if mine != others:
            raise ValueError(f"Cases with labels and columns {mine} and {others} do not add up.")
        weighted = self.weights is not None or other.weights is not None
        grouped = self.groups is not None or other.groups is not None
        return Cases(
            self.labels,
            np.concatenate([self.truth, other.truth]),
            {name: np.concatenate([column, other.columns[name]]) for name, column in self.columns.items()},
            np.concatenate([part.frequencies for part in (self, other)]) if weighted else None,
            np.concatenate([self._numbers, other._numbers + self._numbers.max() + 1]) if grouped else None,
        )
