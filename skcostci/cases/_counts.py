"""From scores to counts: how many cases of each class score at or above each threshold.

Everything downstream uses these integers, so this is the only place where tied scores are handled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Floats, Integers, Scores, Weights, in_precision_of
from skcostci._frozen import cached_property

Positions = NDArray[np.int32]  # positions among the distinct scores
SUM_ROUNDING = 1e-13  # relative to the total, for sums of weights that are no counts


def in_order(numbers: Scores) -> tuple[Integers, Scores]:
    """The stable sort order and the sorted numbers, by leading bits and position as integers: six times as fast."""
    code = (np.asarray(numbers, np.float64) + 0.0).view(np.int64)  # -0.0 becomes 0.0
    code ^= (code >> 63) & np.iinfo(np.int64).max  # bit patterns of negative floats descend
    n_bits = len(code).bit_length()
    order = np.sort((code & (-1 << n_bits)) | np.arange(len(code))) & ((1 << n_bits) - 1)
    ordered = numbers[order]
    # Scores that differ only in the last bits, which the positions have replaced, may still be out of order.
    if np.any(ordered[1:] < ordered[:-1]):
        order = order[np.argsort(ordered, kind="stable")]
        ordered = numbers[order]
    return order, ordered


class ClassCounts(NamedTuple):
    """The scores of one class: distinct values, ascending, and how many cases reach each of them, ``at_least``.

    ``at_least`` ends with 0, for a threshold above all; ``rank`` is the position of each row's score in ``values``.
    """

    values: Scores
    at_least: Integers
    rank: Positions | None = None

    @classmethod
    def from_scores(cls, scores: Scores, weights: Weights | None, *, ranked: bool = False) -> ClassCounts:
        if weights is None and not ranked:
            order, ordered = None, np.sort(scores)
        else:
            order, ordered = in_order(scores)
        new = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]  # a class may be empty
        first = np.flatnonzero(new)
        values = ordered if len(first) == len(ordered) else ordered[first]
        passed, total = first, len(scores)
        if weights is not None:
            below = np.concatenate([[0], np.cumsum(weights[order])])
            passed, total = below[first], below[-1]
        at_least = np.zeros(len(first) + 1, dtype=np.result_type(passed, np.int64))  # weights may be any numbers
        np.subtract(total, passed, out=at_least[:-1])
        rank = None
        if ranked:
            rank = np.empty(len(scores), dtype=np.int32)
            rank[order] = np.cumsum(new, dtype=np.int32) - 1
        return cls(values, at_least, rank)

    @property
    def total(self) -> int:
        found: int = self.at_least[0].item()  # a float for weights that are no counts
        return found

    @property
    def multiplicities(self) -> Integers:
        return self.at_least[:-1] - self.at_least[1:]

    def score_of(self, rank: Integers) -> Floats:
        """The score of the rank-th largest case: infinite for rank 0, minus infinite beyond the last."""
        going_down = np.concatenate([[np.inf], self.values[::-1].astype(np.float64), [-np.inf]])
        return np.asarray(going_down[np.searchsorted(self.at_least[::-1], rank)])

    def count_at_least(self, thresholds: Scores, side: Literal["left", "right"] = "left") -> Integers:
        """The number of cases at each threshold or above; only those above with ``side="right"``."""
        return self.at_least[np.searchsorted(self.values, in_precision_of(self.values, thresholds), side)]


@dataclass(frozen=True, repr=False, eq=False)
class ScoreCounts:
    positive: ClassCounts
    negative: ClassCounts

    @cached_property
    def roc_points(self) -> tuple[Floats, Integers, Integers]:
        """Thresholds (infinity, then positives' scores, descending), fp and tp: all that can minimize a cost."""
        thresholds = np.concatenate([[np.inf], self.positive.values[::-1]])
        return thresholds, self.negative.count_at_least(thresholds), self.positive.at_least[::-1]

    @cached_property
    def first_not_below(self) -> Integers:
        """Per distinct score of the positives, the position of the first negative score not below it."""
        return np.searchsorted(self.negative.values, self.positive.values)

    @property
    def n_not_above(self) -> Integers:
        """Per distinct score of the negatives, the number of distinct scores of the positives not above it."""
        return np.cumsum(np.bincount(self.first_not_below, minlength=len(self.negative.values) + 1)[:-1])

    @cached_property
    def placements(self) -> Placements:
        positive, negative = self.positive, self.negative
        cases, cases_negative = positive.multiplicities, negative.multiplicities
        first = self.first_not_below
        tied = np.flatnonzero(np.append(negative.values, np.nan)[first] == positive.values)
        wins = 2 * (negative.total - negative.at_least[first])
        wins[tied] += cases_negative[first[tied]]
        losses = 2 * positive.at_least[self.n_not_above]
        losses[first[tied]] += cases[tied]
        return Placements(cases, cases_negative, wins, losses, first, tied)

    @cached_property
    def ranking(self) -> Ranking:
        """The distinct scores of both classes together, in descending order."""
        scores = np.concatenate([self.negative.values, self.positive.values])
        # Two sorted runs, which a stable sort merges.
        order = np.argsort(scores, kind="stable")
        ordered, is_positive = scores[order], order >= len(self.negative.values)
        first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        level = np.cumsum(first) - 1
        dtype = np.result_type(self.positive.at_least, self.negative.at_least)
        positive, negative = np.zeros((2, int(level[-1]) + 1), dtype=dtype)
        positive[level[is_positive]] = self.positive.multiplicities
        negative[level[~is_positive]] = self.negative.multiplicities
        return Ranking(ordered[first][::-1].astype(np.float64), positive[::-1], negative[::-1])

    @cached_property
    def average_precision(self) -> float:
        _, positive, negative = self.ranking
        found = np.cumsum(positive)
        return float(positive @ (found / (found + np.cumsum(negative))) / found[-1])


class Ranking(NamedTuple):
    """Distinct scores, in descending order, and the numbers of positives and negatives at each of them."""

    scores: Floats
    positive: Integers
    negative: Integers

    @property
    def reaching(self) -> tuple[Integers, Integers]:
        return np.cumsum(self.positive), np.cumsum(self.negative)


class Placements(NamedTuple):
    """The Mann-Whitney statistic, case by case: "half wins" count a won pair 2 and a tied one 1.

    There is one entry per distinct score of a class; ``cases_positive`` and ``cases_negative`` are their numbers of
    cases. A positive wins over the negatives below it, a negative loses to the positives above it. ``first_not_below``
    is, for each positive score, the position of the first negative score not below it, and ``tied`` the positions of
    the positive scores that are also scores of negatives.
    """

    cases_positive: Integers
    cases_negative: Integers
    half_wins_positive: Integers
    half_losses_negative: Integers
    first_not_below: Integers
    tied: Integers

    @property
    def half_wins(self) -> int:
        """Half wins of the positives over all pairs: 2 * n_positive * n_negative * AUC."""
        found: int = (self.cases_positive @ self.half_wins_positive).item()
        return found

    @property
    def tied_pairs(self) -> int:
        return int(self.cases_positive[self.tied] @ self.cases_negative[self.first_not_below[self.tied]])


class ScoreBins(NamedTuple):
    """Positives and negatives per bin, descending; the bin of each distinct score, ascending, of each class."""

    positive: Floats
    negative: Floats
    counts: ScoreCounts
    of_positives: Integers
    of_negatives: Integers


def bins_at_positives(counts: ScoreCounts) -> ScoreBins:
    """Precision counts at scores of positives only: a bin from each to below the next higher, the last below all."""
    reached = counts.negative.at_least[counts.first_not_below[::-1]]
    negative = np.diff(np.concatenate([[0], reached, [counts.negative.total]])).astype(np.float64)
    positive, last = np.append(counts.positive.multiplicities[::-1], 0).astype(np.float64), len(reached)
    return ScoreBins(positive, negative, counts, np.arange(last)[::-1], last - counts.n_not_above)


def bins_down_to(counts: ScoreCounts, negatives: float) -> ScoreBins:
    """A bin per score down to the one that this many negatives reach, for the partial AUC; the last has all below."""
    positive, negative = counts.positive, counts.negative
    first = max(int(np.count_nonzero(negative.at_least >= negatives)) - 1, 0)
    low = int(np.searchsorted(positive.values, negative.values[first])) if first else 0
    parts = (positive, low), (negative, first)
    kept = ScoreCounts(*(ClassCounts(part.values[place:], part.at_least[place:]) for part, place in parts))
    scores, above, beside = kept.ranking
    rest = (positive.total - above.sum().item(), negative.total - beside.sum().item())
    cases = [np.append(part, more).astype(np.float64) for part, more in zip((above, beside), rest, strict=True)]
    bins = [
        np.concatenate([np.full(place, len(scores)), len(scores) - 1 - np.searchsorted(scores[::-1], part.values)])
        for part, place in ((kept.positive, low), (kept.negative, first))
    ]
    return ScoreBins(cases[0], cases[1], counts, bins[0], bins[1])


def paired_cells(
    scores_a: Scores, scores_b: Scores, weights: Weights | None, thresholds_a: Floats, thresholds_b: Floats
) -> Integers:
    """Cases of a class that reach both thresholds, only a's, only b's or neither, (n_points, 4), in blocks."""
    all_a, all_b = in_precision_of(scores_a, thresholds_a), in_precision_of(scores_b, thresholds_b)
    found = []
    for start in range(0, len(thresholds_a), 768):  # so that a table has at most 769 x 769 cells
        grid_a, rank_a = np.unique(all_a[start : start + 768], return_inverse=True)
        grid_b, rank_b = np.unique(all_b[start : start + 768], return_inverse=True)
        shape = len(grid_a) + 1, len(grid_b) + 1
        reached_a, reached_b = np.searchsorted(grid_a, scores_a, "right"), np.searchsorted(grid_b, scores_b, "right")
        table = np.bincount(reached_a * shape[1] + reached_b, weights, minlength=shape[0] * shape[1])
        at_least = table.reshape(shape)[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
        if weights is None or weights.dtype.kind != "f":
            at_least = at_least.astype(np.int64)
        both, a, b = at_least[rank_a + 1, rank_b + 1], at_least[rank_a + 1, 0], at_least[0, rank_b + 1]
        cells = np.column_stack([both, a - both, b - both, at_least[0, 0] - a - b + both])
        found.append(np.where(cells > SUM_ROUNDING * at_least[0, 0], cells, 0))  # a cell without cases is 0
    return np.vstack(found)


def cost_per_case(table: Floats, costs: Floats) -> float:
    """The mean cost per case, from the costs of the cells of a table."""
    return float((table * costs).sum() / table.sum())
