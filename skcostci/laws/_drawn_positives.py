"""How many positives are drawn in the segments in which the curves of two models end, and above them: all together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.fft import fftn

from skcostci._validation import Floats
from skcostci.laws._lattice import window

KEPT = 16  # tables that are remembered: other points have them too
NOISE = 1e-15  # what the Fourier transform leaves of what cannot be drawn, relative to the root of the greatest chance
WORTH = np.array(
    [  # of a case above, in or below a's segment, then b's, to J, I and D
        [[0, 1, 0], [0, 1, 0], [0, 1, 0]],
        [[0, 0, 0], [1, 1, 1], [0, 0, 0]],
        [[0, 1, 1], [-1, 0, 0], [-1, 0, 0]],
    ]
)


@dataclass(frozen=True)
class About:
    """Positives above, in and below a's segment, then b's, by rows, and how many are drawn.

    J of those drawn lie in b's segment and I in a's, and D more above a's than above b's.
    """

    cells: tuple[float, ...]
    draws: int

    @property
    def chance(self) -> Floats:
        """Of each cell, at one draw."""
        return np.reshape(self.cells, (3, 3)) / self.draws

    @cached_property
    def windows(self) -> list[tuple[int, int]]:
        """Where J, I and D lie."""
        p, found = self.chance, []
        for worth in WORTH:
            mean = float((p * worth).sum())
            variance = float((p * (worth - mean) ** 2).sum())
            least, most = int(worth[p > 0].min()), int(worth[p > 0].max())
            reach = max(most - mean, mean - least)
            found.append(window(self.draws * mean, self.draws * variance, reach, self.draws * least, self.draws * most))
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(high - low + 1 for low, high in self.windows)


@dataclass(frozen=True, eq=False)
class Positives:
    """The joint law of J, I and D from ``first`` on: P(J, I, D < d), one more in d."""

    first: tuple[int, int, int]
    below: Floats

    @property
    def chance(self) -> Floats:
        """P(J, I)."""
        return self.below[:, :, -1]

    @property
    def beyond(self) -> Floats:
        """P(J, I, D >= d)."""
        return self.chance[:, :, None] - self.below


@lru_cache(maxsize=KEPT)
def drawn_positives(about: About) -> Positives:
    """By way of the characteristic function."""
    once: NDArray[np.complex128] = np.zeros(about.shape, dtype=np.complex128)
    turns = [np.exp(2j * np.pi / size * np.arange(size)) for size in about.shape]
    for cell in zip(*np.nonzero(about.chance), strict=True):
        j, i, d = (turn ** int(worth[cell]) for turn, worth in zip(turns, WORTH, strict=True))
        once += about.chance[cell] * np.multiply.outer(np.multiply.outer(j, i), d)
    lows = [low for low, _ in about.windows]
    pmf = np.roll(fftn(once**about.draws).real / once.size, np.negative(lows), axis=(0, 1, 2))
    pmf = np.where(pmf > NOISE * np.sqrt(pmf.max()), pmf, 0.0)
    ends = j, i, d = tuple(slice(int(axis.min()), int(axis.max()) + 1) for axis in np.nonzero(pmf))
    below = np.pad(np.cumsum(pmf[ends], axis=2), ((0, 0), (0, 0), (1, 0)))
    return Positives((lows[0] + j.start, lows[1] + i.start, lows[2] + d.start), below)
