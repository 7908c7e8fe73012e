"""Pairs of segments in which the curves of two models may end together: the positives around them, and their shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._pieces import PairedCases, Pieces
from skcostci.laws._vertical import Crossing

BLOCKS = 48  # of the probable shares


@dataclass(frozen=True, eq=False)
class SlopingPair:
    """Positives above, in and below a's segment, then b's; shares of either, ascending, and their joint probabilities.

    There are no positives in a segment that does not slope, and its share does not matter.
    """

    cells: Floats
    a: Floats
    b: Floats
    weights: Floats

    @property
    def coarser(self) -> SlopingPair:
        """With shares next to each other brought together, but for those of much probability; their means are kept."""
        (a, rows), (b, columns) = (_blocks(x, self.weights.sum(axis=1 - i)) for i, x in enumerate((self.a, self.b)))
        return SlopingPair(self.cells, a, b, np.add.reduceat(np.add.reduceat(self.weights, rows), columns, axis=1))


def _blocks(shares: Floats, weights: Floats) -> tuple[Floats, Integers]:
    """Mean shares of blocks of little probability, and where each begins."""
    block = ((np.cumsum(weights) - weights / 2) * (BLOCKS / weights.sum())).astype(np.int64)
    heavy = weights * 2 * BLOCKS > weights.sum()
    first = np.flatnonzero(np.append(True, (np.diff(block) > 0) | heavy[1:] | heavy[:-1]))
    total = np.add.reduceat(weights, first)
    means = np.add.reduceat(weights * shares, first) / np.where(total > 0, total, 1.0)
    return means, first


def sloping_pair(cells: Floats, weights: Floats, shares: Floats) -> SlopingPair:
    """From the joint law of two models' shares; one share is enough where no positives lie in the segment."""
    a = b = shares
    if not cells[1].any():
        a, weights = a[:1], weights.sum(axis=0, keepdims=True)
    if not cells[:, 1].any():
        b, weights = b[:1], weights.sum(axis=1, keepdims=True)
    return SlopingPair(cells, a, b, weights)


def pairs_of_pieces(
    crossings: tuple[Crossing, Crossing], pieces: tuple[Pieces, Pieces], weights: Floats, positive: PairedCases
) -> list[SlopingPair]:
    """From the joint law of two models' pieces, which are in ascending order."""
    places, starts = zip(*(np.unique(each.place, return_index=True) for each in pieces), strict=True)
    shares_a, shares_b = (np.split(each.share, start[1:]) for each, start in zip(pieces, starts, strict=True))
    cells = cells_around(positive, crossings, *places)
    blocks = (np.split(rows, starts[1][1:], axis=1) for rows in np.split(weights, starts[0][1:]))
    return [
        SlopingPair(cells[i, j], shares_a[i], shares_b[j], block)
        for i, row in enumerate(blocks)
        for j, block in enumerate(row)
        if block.any()
    ]


def cells_around(cases: PairedCases, crossings: tuple[Crossing, Crossing], a: Integers, b: Integers) -> Floats:
    """Cases above, in and below each segment of a and of b, shape (n_a, n_b, 3, 3)."""
    cuts, at = [], []
    for crossing, place in zip(crossings, (a, b), strict=True):
        end = 2 * len(crossing.curve.segments.ends) + 2
        edges = np.column_stack([2 * place, 2 * place + 1, np.full(len(place), end)])
        cuts.append(np.unique(edges))
        at.append(np.searchsorted(cuts[-1], edges))
    up_to = cases.counts_before(cuts[0], cuts[1]).astype(np.float64)[at[0][:, None, :, None], at[1][None, :, None, :]]
    return np.diff(np.diff(up_to, axis=2, prepend=0.0), axis=3, prepend=0.0)
