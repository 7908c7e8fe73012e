"""The law of a difference in parts of a case, where there are too many positives for all values (:mod:`._sloping_law`).

A positive in a segment that slopes is worth a share of a case. Shares are split between the two nearest 24ths so that
their mean is kept; the law of the sum of draws is then one on a lattice, by way of its characteristic function.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft, next_fast_len

from skcostci._validation import Floats
from skcostci.laws._mixture import Masses
from skcostci.laws._sloping_pairs import SlopingPair

PARTS = 24  # of a case
WORTH = np.arange(-PARTS, PARTS + 1)  # what a positive may be worth to the difference
WORK = 2**24  # characteristic functions and turns of one draw, by frequencies, at most: 270 MB
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
        if (len(self.weights) + 2 * len(WORTH)) * len(steps) > WORK:
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


def components(pairs: list[SlopingPair]) -> Components:
    """Of pairs of segments and the parts of their shares."""
    joint = [in_parts(pair.a).T @ pair.weights @ in_parts(pair.b) for pair in pairs]
    pair, a, b = np.nonzero(np.array(joint) > RARE)
    rows, worth = np.arange(len(pair)), np.zeros((len(pair), len(WORTH)))
    cells = np.array([each.cells for each in pairs])[pair]
    for i, left in enumerate((np.full_like(a, PARTS), a, np.zeros_like(a))):
        for j, right in enumerate((np.full_like(b, PARTS), b, np.zeros_like(b))):
            np.add.at(worth, (rows, left - right + PARTS), cells[:, i, j])
    return Components(np.array(joint)[pair, a, b], worth)
