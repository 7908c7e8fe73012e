"""Both classes counted at fewer scores than there are, where a statistic does not need them all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.cases._counts import ClassCounts, ScoreCounts


@dataclass(frozen=True)
class Levels:
    """Positives and negatives at each level, the best first; ``counts`` are those at all scores.

    ``at`` are the levels of the distinct scores of either class; None where they are those of the positives.
    """

    positive: Floats
    negative: Floats
    counts: ScoreCounts
    at: tuple[Integers, Integers] | None = None

    def of_values(self) -> tuple[Integers, Integers]:
        """The level of each distinct score, in ascending order, of the positives and of the negatives."""
        if self.at is not None:
            return self.at
        values, last = self.counts.positive.values, len(self.positive) - 1
        return np.arange(last)[::-1], last - np.searchsorted(values, self.counts.negative.values, "right")


def at_positives(counts: ScoreCounts) -> Levels:
    """A level for each score of a positive, with the negatives from it up to the next; the last has those below all."""
    reached = counts.negative.count_at_least(counts.positive.values)[::-1]
    negative = np.diff(np.concatenate([[0], reached, [counts.negative.total]])).astype(np.float64)
    return Levels(np.append(counts.positive.multiplicities[::-1], 0).astype(np.float64), negative, counts)


def down_to(counts: ScoreCounts, negatives: float) -> Levels:
    """A level for each score at or above the one that so many negatives reach; the last has all cases below."""
    positive, negative = counts.positive, counts.negative
    first = max(int(np.count_nonzero(negative.at_least >= negatives)) - 1, 0)
    low = int(np.searchsorted(positive.values, negative.values[first])) if first else 0
    kept = ScoreCounts(*(_from(part, place) for part, place in ((positive, low), (negative, first))))
    _, above, beside = kept.ranking
    rest = (positive.total - int(above.sum()), negative.total - int(beside.sum()))
    held = [np.append(part, more).astype(np.float64) for part, more in zip((above, beside), rest, strict=True)]
    at = [
        np.concatenate([np.full(place, len(above)), np.flatnonzero(part)[::-1]])
        for part, place in ((above, low), (beside, first))
    ]
    return Levels(held[0], held[1], counts, (at[0], at[1]))


def _from(part: ClassCounts, first: int) -> ClassCounts:
    """The scores from this one on."""
    return ClassCounts(part.values[first:], part.at_least[first:])
