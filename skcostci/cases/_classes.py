"""Several classes with a column of scores each: who beats whom, two classes at a time, without forming the pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ClassCounts, ScoreCounts
from skcostci.cases._paired import place_pair


class Meeting(NamedTuple):
    """Two classes under both their columns, the first's before the second's; of two models, a's before b's.

    "Half wins" count a pair that the first class wins 2 and a tied one 1. Each case of the first class has wins, each
    of the second losses, arrays of shape (n_columns, rows of the class); ``products`` are, for two columns, the sums
    over all pairs of half wins under one times half wins under the other.
    """

    first: int
    second: int
    half_wins: Integers
    half_losses: Integers
    products: list[list[int]]


@dataclass(frozen=True)
class SortedClasses:
    """The scores of each class in each column, sorted once, and how many cases each row of the class stands for."""

    counts: list[list[ClassCounts]]
    cases: list[Integers]

    @classmethod
    def of(cls, cases: Cases, columns: tuple[str, ...]) -> SortedClasses:
        """From columns of shape (n_samples, n_classes), one a model."""
        scores = np.hstack([cases.columns[name] for name in columns])
        parts = [cases.truth == label for label in range(len(cases.labels))]
        weights = [cases.frequencies[rows].astype(np.int64) for rows in parts]
        return cls([_sorted(scores[rows], many) for rows, many in zip(parts, weights, strict=True)], weights)

    @property
    def sizes(self) -> Integers:
        """How many cases each class has."""
        return np.array([many.sum() for many in self.cases])

    def meetings(self) -> Iterator[Meeting]:
        """Each two of the classes."""
        return (self._meet(i, j) for i, j in combinations(range(len(self.cases)), 2))

    def _meet(self, i: int, j: int) -> Meeting:
        """Columns other than those of the two classes do not matter."""
        columns = [k for k in range(len(self.counts[i])) if k % len(self.cases) in (i, j)]
        pairs = [ScoreCounts(self.counts[i][column], self.counts[j][column]) for column in columns]
        wins = np.array([each.placements.half_wins_positive[each.positive.rank] for each in pairs])
        losses = np.array([each.placements.half_losses_negative[each.negative.rank] for each in pairs])
        products = [[0] * len(pairs) for _ in pairs]
        for s, t in combinations_with_replacement(range(len(pairs)), 2):
            products[s][t] = products[t][s] = self._product(pairs[s], pairs[t], i, j)
        return Meeting(i, j, wins, losses, products)

    def _product(self, a: ScoreCounts, b: ScoreCounts, i: int, j: int) -> int:
        """The sum over all pairs of the half wins under two columns, one pair counting 4, 2, 1 or 0."""
        if a is b:
            return 2 * a.placements.half_wins - a.placements.tied_pairs
        return place_pair(a, b, self.cases[i], self.cases[j]).half_wins_both


def _sorted(scores: Floats, cases: Integers) -> list[ClassCounts]:
    """Each column of a class."""
    return [ClassCounts.from_scores(column, cases, ranked=True) for column in scores.T]
