"""Counts of pairs for the covariance of two AUCs on the same cases, without forming the pairs.

For positive i, negative j and model a let ``h_a(i, j)`` be the half wins of the positive: 2 if its score is above the
negative's, 1 if tied, 0 if below. The joint moment of two models' AUCs needs

    sum over i, j of h_a(i, j) h_b(i, j),        h_a(i, j) = 1[a_j < a_i] + 1[a_j <= a_i].

When the product is expanded, each positive i counts the negatives in four quadrants, ``{j: a_j < or <= a_i and b_j < or
<= b_i}``. A quadrant is stored as its corner: the numbers of the negatives' distinct scores inside it under a and under
b. The negatives in all quadrants are counted from a two-dimensional table if there are few distinct scores, otherwise
by divide and conquer (dominance counting: Bentley, "Multidimensional divide-and-conquer", 1980).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Integers, Weights
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ClassCounts, Placements, Positions

TABLE_CELLS = 128  # a table of all pairs of distinct scores may have this many cells for each pair that occurs
TABLE_BLOCK = 8, 2**18  # cells of the table at a time: this many per pair, and no more than fit the cache
SMALL_ROW = 16  # rows no longer than this are compared pair by pair


class PairedClassCounts(NamedTuple):
    """One class: distinct scores by model, pairs of them by rank in ``values``; ``cases`` counts cases per pair."""

    a: ClassCounts
    b: ClassCounts
    rank_a: Positions
    rank_b: Positions
    cases: Integers

    @classmethod
    def from_ranks(cls, a: ClassCounts, b: ClassCounts, weights: Weights | None) -> PairedClassCounts:
        codes = np.asarray(a.rank).astype(np.float64) * len(b.values)
        codes += np.asarray(b.rank)
        pairs = ClassCounts.from_scores(codes, weights)
        of_a, of_b = (part.astype(np.int32) for part in np.divmod(pairs.values.astype(np.int64), len(b.values)))
        return cls(a, b, of_a, of_b, pairs.multiplicities)


class PairedPlacements(NamedTuple):
    """Placements by model, pairs of scores, and ``half_wins_both``, products of half wins under a and under b."""

    a: Placements
    b: Placements
    positive: PairedClassCounts
    negative: PairedClassCounts
    half_wins_both: int


def pair_columns(cases: Cases, a: str, b: str) -> PairedPlacements:
    weights = [part[1] for part in cases.split(a)]  # without the scores, which need not stay in memory
    of_a, of_b = cases.counts(a, ranked=True), cases.counts(b, ranked=True)
    positive = PairedClassCounts.from_ranks(of_a.positive, of_b.positive, weights[0])
    negative = PairedClassCounts.from_ranks(of_a.negative, of_b.negative, weights[1])
    quadrants = _quadrants(of_a.placements, of_b.placements, positive)
    cells = (len(negative.a.values) + 1) * (len(negative.b.values) + 1)
    # Filling the table takes time proportional to its cells, divide and conquer n log n: equal at about this size.
    if cells <= TABLE_CELLS * (len(positive.cases) + len(negative.cases)):
        half_wins = _negatives_by_table(quadrants, negative)
    else:
        half_wins = _ascending_pairs(*_sorted_by_a(quadrants, negative))
    return PairedPlacements(of_a.placements, of_b.placements, positive, negative, int(half_wins))


class Quadrants(NamedTuple):
    """Corners (a, b), ascending in ``a``: numbers of negatives' distinct scores inside; how often each counts."""

    a: Positions
    b: Positions
    times: NDArray[np.unsignedinteger]


def _quadrants(a: Placements, b: Placements, positive: PairedClassCounts) -> list[Quadrants]:
    """The four quadrants of each positive, without and with negatives tied under a and b; equal ones once, times 2."""
    # 1 for each distinct score of the positives that is also a score of negatives, else 0.
    tied = (np.bincount(placed.tied, minlength=len(placed.first_not_below)).astype(np.int8) for placed in (a, b))
    is_tied_a, is_tied_b = (each[rank] for each, rank in zip(tied, (positive.rank_a, positive.rank_b), strict=True))
    below_a, below_b = a.first_not_below[positive.rank_a], b.first_not_below[positive.rank_b]
    times = _small(positive.cases * (2 - is_tied_a) * (2 - is_tied_b))
    found = []
    for with_ties_a, with_ties_b in ((0, 0), (1, 0), (0, 1), (1, 1)):
        kept = np.flatnonzero((is_tied_a >= with_ties_a) & (is_tied_b >= with_ties_b))
        corner_a, corner_b = below_a[kept] + with_ties_a, below_b[kept] + with_ties_b
        found.append(Quadrants(corner_a.astype(np.int32), corner_b.astype(np.int32), times[kept]))
    return found


def _negatives_by_table(quadrants: list[Quadrants], negative: PairedClassCounts) -> float:
    """Negatives in the quadrants, from cumulative counts of ranks below r and c, a block of rows at a time."""
    height, width = len(negative.a.values) + 1, len(negative.b.values) + 1
    cells = min(TABLE_BLOCK[0] * len(negative.cases), TABLE_BLOCK[1])
    step = min(max(cells // width, 1), height)
    tops = np.arange(0, height + step, step)
    rows, cuts = negative.rank_a + 1, [np.searchsorted(part.a, tops) for part in quadrants]
    filled = np.searchsorted(rows, tops)
    previous, below, total = np.zeros(width), np.empty((step, width)), 0.0
    for block, top in enumerate(tops[:-1].tolist()):
        new = slice(*filled[block : block + 2])
        below[:] = 0
        below[rows[new] - top, negative.rank_b[new] + 1] = negative.cases[new]
        below[0] += previous
        below.cumsum(axis=0, out=below)
        previous = below[-1].copy()  # before accumulation over the columns
        below.cumsum(axis=1, out=below)
        for part, cut in zip(quadrants, cuts, strict=True):
            within = slice(*cut[block : block + 2])
            total += float(part.times[within] @ below[part.a[within] - top, part.b[within]])
    return total


def _sorted_by_a(
    quadrants: list[Quadrants], negative: PairedClassCounts
) -> tuple[Positions, NDArray[np.unsignedinteger], NDArray[np.unsignedinteger]]:
    """Negatives and corners in one list sorted by a: rank under b, number of negatives, multiplicity of the corner.

    Ranks are at 2 r + 1, corners at 2 c: never equal, and r < c exactly if 2 r + 1 < 2 c.
    """
    of_b = _order(np.concatenate([*(2 * part.b for part in quadrants), 2 * negative.rank_b + 1]))
    rank_b = np.empty(len(of_b), dtype=np.int32)
    rank_b[of_b] = np.arange(len(of_b), dtype=np.int32)
    # Sorted runs, which a stable sort merges.
    order = np.argsort(np.concatenate([*(2 * part.a for part in quadrants), 2 * negative.rank_a + 1]), kind="stable")
    no_corner = np.zeros(len(negative.cases), dtype=np.uint8)
    times = np.concatenate([*(part.times for part in quadrants), no_corner])[order]
    negatives = np.concatenate([*(np.zeros_like(part.times) for part in quadrants), _small(negative.cases)])[order]
    return rank_b[order], negatives, times


def _order(positions: Positions) -> Integers:
    """The sort order, by 16 bits at a time, which numpy counts: in a fifth of the time."""
    order = np.argsort(positions.astype(np.uint16), kind="stable")
    return order[np.argsort((positions >> 16).astype(np.uint16)[order], kind="stable")]


def _small(counts: Integers) -> NDArray[np.unsignedinteger]:
    """The same counts in the smallest unsigned type that can represent them: one byte each without weights."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


def _ascending_pairs(
    rank: Positions, negatives: NDArray[np.unsignedinteger], times: NDArray[np.unsignedinteger]
) -> float:
    """The sum of ``negatives[j] * times[i]`` over j before i with ``rank[j] < rank[i]``; the ranks are a permutation.

    Ranks are halved until parts are short; at each depth a cumulative sum counts pairs, j below and i above the split.
    """
    halvings = max(int(np.ceil(np.log2(len(rank) / SMALL_ROW))), 0)
    width = -(-len(rank) // 2**halvings)  # rounded up, and the list padded, so that all parts are equally long
    padding = width * 2**halvings - len(rank)
    rank = np.concatenate([rank, np.arange(len(rank), len(rank) + padding, dtype=rank.dtype)])
    negatives, times = np.pad(negatives, (0, padding)), np.pad(times, (0, padding))
    sums = np.int32 if int(negatives.sum(dtype=np.int64)) < 2**31 else np.float64
    total = 0.0
    for half in (width * 2 ** np.arange(halvings)[::-1]).tolist():
        # Pairs with j in the lower and i in the upper half of a part; the halves are the next parts.
        is_upper = rank >= half
        lower, upper = np.flatnonzero(~is_upper), np.flatnonzero(is_upper)
        before = np.cumsum((negatives * ~is_upper).reshape(-1, 2 * half), axis=1, dtype=sums).ravel()[upper]
        total += float(np.einsum("i,i", before.astype(np.float64), times[upper].astype(np.float64)))
        rank, negatives, times = (np.concatenate([part[lower], part[upper]]) for part in (rank, negatives, times))
        rank[len(rank) // 2 :] -= half
    rank, negatives, times = (np.ascontiguousarray(part.reshape(-1, width).T) for part in (rank, negatives, times))
    for i in range(1, width):
        below = np.sum(negatives[:i] * (rank[:i] < rank[i]), axis=0, dtype=np.float64)
        total += float(np.einsum("i,i", below, times[i].astype(np.float64)))
    return total
