"""The law of a difference in parts of a case, from the joint law of two models' segments and shares of them.

A positive in a segment that slopes is worth a share of a case. Shares are split between the two nearest 24ths so that
their mean is kept; the law of the sum of draws is then one on a lattice, by way of its characteristic function.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft, next_fast_len

from skcostci._validation import Floats, Integers
from skcostci.laws._mixture import Masses
from skcostci.laws._pieces import PairedCases, Pieces
from skcostci.laws._vertical import Crossing

PARTS = 24  # of a case
WORTH = np.arange(-PARTS, PARTS + 1)  # what a positive may be worth to the difference
WORK = 2**24  # characteristic functions, by frequencies, at most
BLOCK = 2**20  # of them held at once
RARE = 1e-12  # a pair of shares so improbable is left out
NOISE = 1e-15


@dataclass(frozen=True)
class Components:
    """Probabilities of pairs of segments and shares, and how many positives are worth each number of parts."""

    weights: Floats
    worth: Floats

    def masses(self, draws: int, pseudo: float) -> Masses | None:
        """The law of the sum of draws, ``pseudo`` cases added to each cell of a pair; None if that takes too long."""
        length = next_fast_len(2 * PARTS * draws + 1, real=True)
        steps = np.arange(length // 2 + 1)
        if len(self.weights) * len(steps) > WORK:
            return None
        turn = np.exp(2j * np.pi / length * np.outer(WORTH, steps))
        added = pseudo * np.where(WORTH == 0, 2, np.abs(WORTH) == PARTS)
        cf, size = np.zeros(len(steps), dtype=np.complex128), max(BLOCK // len(steps), 1)
        for start in range(0, len(self.weights), size):
            some = slice(start, start + size)
            cf += self.weights[some] @ ((self.worth[some] + added) / draws @ turn) ** draws
        pmf = np.roll(irfft(np.conj(cf), length), PARTS * draws)[: 2 * PARTS * draws + 1]
        return Masses(np.arange(-PARTS * draws, PARTS * draws + 1) / PARTS, np.where(pmf > NOISE, pmf, 0.0))


def in_parts(share: Floats) -> Floats:
    """Each share split between the parts next to it, shape (n_shares, PARTS + 1)."""
    return np.asarray(np.maximum(1 - np.abs(PARTS * share[:, None] - np.arange(PARTS + 1)), 0.0))


def components(cells: Floats, weights: Floats) -> Components:
    """From positives by segment, shape (n_pairs, 3, 3), and the joint law of parts, (n_pairs, PARTS + 1, PARTS + 1)."""
    pair, a, b = np.nonzero(weights > RARE)
    rows, worth = np.arange(len(pair)), np.zeros((len(pair), len(WORTH)))
    for i, left in enumerate((np.full_like(a, PARTS), a, np.zeros_like(a))):
        for j, right in enumerate((np.full_like(b, PARTS), b, np.zeros_like(b))):
            np.add.at(worth, (rows, left - right + PARTS), cells[pair, i, j])
    return Components(weights[pair, a, b], worth)


def components_of_pieces(
    crossings: tuple[Crossing, Crossing], pieces: tuple[Pieces, Pieces], weights: Floats, positive: PairedCases
) -> Components:
    """From the joint law of two models' pieces."""
    (place_a, split_a), (place_b, split_b) = (_split(each) for each in pieces)
    joint = (split_a.T @ weights @ split_b).reshape(len(place_a), PARTS + 1, len(place_b), PARTS + 1)
    cells = cells_around(positive, crossings, place_a, place_b)
    return components(cells.reshape(-1, 3, 3), joint.transpose(0, 2, 1, 3).reshape(-1, PARTS + 1, PARTS + 1))


def _split(pieces: Pieces) -> tuple[Integers, Floats]:
    """The segments, and which of their parts each piece is in, shape (n_pieces, n_segments * (PARTS + 1))."""
    places, which = np.unique(pieces.place, return_inverse=True)
    split = np.zeros((len(which), len(places), PARTS + 1))
    split[np.arange(len(which)), which] = in_parts(pieces.share)
    return places, split.reshape(len(which), -1)


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
