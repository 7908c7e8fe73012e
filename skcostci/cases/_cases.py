"""Cases: labels, named columns and frequencies, checked once; each column is sorted once a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._frozen import Frozen
from skcostci._validation import Booleans, Floats, Integers, Labels, Weights, check_binary_data, check_class_data
from skcostci.cases._counts import ClassCounts, ScoreCounts
from skcostci.cases._paired import PairedPlacements, place_pair


@dataclass(frozen=True, eq=False)
class Cases(Frozen):
    """Checked cases, row by row, and what is counted of them, once and when it is first asked for.

    ``labels`` are the classes, of two the negative first; ``truth`` says which of them each row has. ``columns`` hold
    scores, or the classes that models predict, by name. ``weights`` say how many cases a row stands for, one each if
    None. Cases that share labels and columns add up.
    """

    labels: Labels
    truth: Booleans | Integers
    columns: Mapping[str, NDArray[Any]]
    weights: Weights | None = None
    _counts: dict[str, ScoreCounts] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def check(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        frequencies: bool = True,
        predicted: bool = False,
    ) -> Cases:
        """Two classes and columns of scores, or of predicted labels; a row that stands for no case is left out."""
        return cls(
            *check_binary_data(
                y_true,
                scores,
                pos_label=pos_label,
                sample_weight=sample_weight,
                frequencies=frequencies,
                predicted=predicted,
            )
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

    def part(self, rows: Booleans) -> Cases:
        """The cases of some rows, such as a subgroup."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return Cases(self.labels, self.truth[rows], columns, None if self.weights is None else self.weights[rows])

    def split(self, column: str) -> tuple[tuple[Floats, Weights | None], tuple[Floats, Weights | None]]:
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
        return Cases(
            self.labels,
            np.concatenate([self.truth, other.truth]),
            {name: np.concatenate([column, other.columns[name]]) for name, column in self.columns.items()},
            np.concatenate([part.frequencies for part in (self, other)]) if weighted else None,
        )
