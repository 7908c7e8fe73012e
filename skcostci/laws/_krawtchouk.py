"""Krawtchouk's orthonormal polynomials of how many of n draws are of a kind that one is with probability q.

They are times the root of the law of that number. Those of n - 1 draws are, each in parts of a power, sums of those of
n draws that have no higher degree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from scipy.special import gammaln

from skcostci._validation import Floats
from skcostci.laws._meixner import above_noise, turning_degree

HIGH, LARGE = 16, 0.5  # degrees and probabilities beyond which such sums cancel
ANEW = 8  # else so many sums are taken before polynomials are worked out anew


def krawtchouk(root: Floats, drawn: Floats, n: int, q: Floats) -> Iterator[Floats]:
    """Those of degree 0, 1, ... up to n at some numbers of draws, of whose law ``root`` is the root."""
    spread = np.sqrt(q * (1 - q))
    off, skew = (drawn - n * q) / spread, (1 - 2 * q) / spread
    turn = turning_degree(q, np.minimum(drawn / max(n, 1), 1.0), n)
    early, before, now = turn.min(), np.zeros_like(root), root
    for j in range(n):
        yield now
        after = (off - j * skew) * now
        after -= np.sqrt(j * (n - j + 1)) * before
        after /= np.sqrt((j + 1) * (n - j))
        if j > early:
            after *= above_noise(after, now, j, turn)
        before, now = now, after
    yield now


@dataclass(frozen=True, eq=False)
class Krawtchouk:
    """Those of degrees up to ``most``, for n draws and fewer, at numbers ``drawn`` of shape (n_kinds, n_values).

    ``q`` is of shape (n_kinds, 1).
    """

    drawn: Floats
    n: int
    q: Floats
    most: int

    @property
    def root(self) -> Floats:
        """Of the law of n draws, shape (n_kinds, n_values)."""
        others = self.n - self.drawn
        logs = gammaln(self.n + 1) - gammaln(self.drawn + 1) - gammaln(others + 1)
        return np.asarray(np.exp((logs + self.drawn * np.log(self.q) + others * np.log1p(-self.q)) / 2))

    @property
    def tables(self) -> Iterator[Floats]:
        """Of n draws, n - 1, ... and 0: shape (most + 1, n_kinds, n_values)."""
        cancel = self.most > HIGH or bool(self.q.max() > LARGE)
        root = self.root
        table = self._anew(root, self.n)
        yield table
        for n in range(self.n - 1, -1, -1):
            part = np.sqrt(np.maximum(n + 1 - self.drawn, 0.0) / ((n + 1) * (1 - self.q)))
            root = root * part
            if cancel or n <= self.most or (self.n - n) % ANEW == 0:
                table = self._anew(root, n)
            else:
                table = np.cumsum(table * self._scale(n + 1), axis=0)
                table *= part / self._scale(n)
            yield table

    def _anew(self, root: Floats, n: int) -> Floats:
        """Degree by degree."""
        table = np.zeros((self.most + 1, *root.shape))
        for j, each in enumerate(islice(krawtchouk(root, self.drawn, n, self.q), self.most + 1)):
            table[j] = each
        return table

    def _scale(self, n: int) -> Floats:
        """What polynomials of n draws are times before they are summed, shape (most + 1, n_kinds, 1)."""
        j = np.arange(self.most + 1.0)[:, None, None]
        logs = gammaln(n + 1) - gammaln(j + 1) - gammaln(n - j + 1) + j * np.log(1 / self.q - 1)
        return np.asarray(np.exp(logs / 2))
