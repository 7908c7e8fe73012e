"""The ROC curve as it is drawn, in counts: straight lines between vertices; where on two curves cases lie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Floats, Integers, Weights


@dataclass(frozen=True)
class DrawnCurve:
    """Where a curve stands at each distinct score of a negative, going down.

    ``reached`` negatives score so much or more; ``before`` positives score more, and ``tied`` positives as much.
    """

    reached: Integers
    before: Integers
    tied: Integers
    positives: int

    @property
    def negatives(self) -> int:
        return int(self.reached[-1])

    @cached_property
    def sizes(self) -> Integers:
        """Negatives at each score."""
        return np.diff(self.reached, prepend=0)

    def level(self, x: Floats | Integers) -> Integers:
        """The score at which so many negatives are reached."""
        whole = np.ceil(x).astype(np.int64)  # of the same type, or a search would copy the counts first
        return np.minimum(np.searchsorted(self.reached, whole), len(self.reached) - 1)

    def hits(self, x: Floats) -> Floats:
        """Positives on the curve's left after x negatives: none at 0, those below the last negative at none."""
        level = self.level(x)
        share = 1 - (self.reached[level] - x) / self.sizes[level]
        return np.asarray(np.where(x > 0, self.before[level] + share * self.tied[level], 0.0))

    @cached_property
    def segments(self) -> Segments:
        """The curve without the vertices that lie within a horizontal line."""
        flat = (self.tied[1:] == 0) & (self.tied[:-1] == 0) & (self.before[1:] == self.before[:-1])
        last = np.append(~flat, True)
        return Segments(self.reached[last], self.before[last], self.tied[last])


@dataclass(frozen=True)
class Segments:
    """Straight lines from left to right: where they end, the positives on their left and the positives they climb."""

    ends: Integers
    before: Integers
    tied: Integers

    @cached_property
    def starts(self) -> Integers:
        return np.concatenate([[0], self.ends[:-1]])


@dataclass(frozen=True)
class PairedCases:
    """The cases of a class by model: 2 k for those on the left of segment k, 2 k + 1 for those in it."""

    a: Integers
    b: Integers
    weights: Weights | None

    def counts_before(self, cuts_a: Integers, cuts_b: Integers) -> Floats:
        """How many are at or before each pair of cuts."""
        row, column = _cut(self.a, cuts_a), _cut(self.b, cuts_b)
        shape = len(cuts_a) + 1, len(cuts_b) + 1
        counts = np.bincount(row * shape[1] + column, self.weights, minlength=shape[0] * shape[1])
        return counts.reshape(shape).cumsum(axis=0).cumsum(axis=1)[:-1, :-1]

    def cells(self) -> tuple[Integers, Integers, Floats]:
        """The pairs of places that occur, and how often."""
        width = int(self.b.max()) + 1
        codes, place = np.unique(self.a * width + self.b, return_inverse=True)
        return *np.divmod(codes, width), np.bincount(place, self.weights).astype(np.float64)


def _cut(places: Integers, cuts: Integers) -> Integers:
    """The first cut at or after each place."""
    low, high = int(cuts[0]), int(cuts[-1])
    lookup = np.searchsorted(cuts, np.arange(low, high + 2))
    return lookup[np.clip(places, low, high + 1) - low]
