"""How far into a tied group a resample's curve must go: the law of a share, given where the group lies.

Of n negatives drawn A score more than the group and B fall in it. Where A < t <= A + B the curve reaches t negatives in
this group, after the share (t - A) / B of it. B is binomial, and so is A given B, whose partial moments are binomial
distribution functions; what is summed over B is smooth, so that few of its values will do where there are many.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from scipy.special import betainc

from skcostci._validation import Floats
from skcostci.laws._lattice import Lattice, binomial
from skcostci.laws._tied_integrals import TiedIntegrals

LISTED = 2**12  # pairs of A and B that are listed for the law,
FEW = 2**19  # and for blocks of it
DENSE = 4  # values of B a standard deviation, where not all are summed: the error of the sum is below 1e-15
VALUES = 1024  # of B, at most, for the law
IMPROBABLE = 1e-40  # shares that are left out
LEAST = 1e-300  # instead of zero, to have a logarithm
NOISE = 1e-14  # what rounding leaves of a block's probability
BLOCKS = 128  # that stand for the law where not all shares are listed


@dataclass(frozen=True)
class TiedGroup:
    """``size`` negatives at one score, ``above`` it, of ``n``; t is what the curve must reach."""

    t: float
    above: int
    size: int
    n: int

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """Shares, ascending, and their probabilities given that the curve ends here; blocks where there are many."""
        if self._pairs <= LISTED:
            listed, each = self._listed()
            values, place = np.unique(listed.round(14), return_inverse=True)
            masses: Floats = np.asarray(np.bincount(place, each), dtype=np.float64)
            values, masses = values[masses > 0], masses[masses > 0]
        else:
            values, masses = self._blocks()
        total = masses.sum()
        return (values, masses / total) if total > 0 else (np.array([0.5]), np.ones(1))

    def _blocks(self) -> tuple[Floats, Floats]:
        """Mean shares of blocks, and their probabilities."""
        edges = self._edges
        if self._pairs <= FEW:
            shares, masses = self._listed()
            block = np.searchsorted(edges[1:-1], shares - 1e-12)
            mass, first = (np.bincount(block, each, BLOCKS).astype(np.float64) for each in (masses, masses * shares))
        else:
            mass, first = np.diff(self._up_to(edges, max(self._step, len(self._b) // VALUES)), axis=1)
        kept = mass > NOISE
        return np.clip(first[kept] / mass[kept], edges[:-1][kept], edges[1:][kept]), mass[kept]

    @property
    def _edges(self) -> Floats:
        """Of blocks, of the same width wherever shares are probable."""
        one = TiedIntegrals(np.array([self.t]), np.array([self.above]), np.array([self.size]), self.n)
        mean, variance = one.moments[:, 0].tolist()
        reach = 9 * np.sqrt(variance)
        return np.linspace(max(mean - reach, 0.0), min(mean + reach, 1.0), BLOCKS + 1)

    @property
    def _rank(self) -> int:
        return ceil(self.t)

    @cached_property
    def _b(self) -> Lattice:
        """How many fall in the group."""
        return binomial(self.n, self.size / self.n, 1 - self.size / self.n)

    @cached_property
    def _p(self) -> float:
        """The probability that a draw outside the group is above it."""
        return self.above / (self.n - self.size) if self.n > self.size else 0.0

    @cached_property
    def _a_window(self) -> tuple[int, int]:
        """The probable numbers above."""
        law = binomial(self.n, self.above / self.n, 1 - self.above / self.n)
        low = max(law.start, self._rank - (self._b.start + len(self._b) - 1))
        return low, min(law.start + len(law) - 1, self._rank - 1)

    @property
    def _pairs(self) -> int:
        low, high = self._a_window
        return max(high - low + 1, 0) * len(self._b)

    @cached_property
    def _step(self) -> int:
        """Every so many values of B are summed."""
        q = self.size / self.n
        spread = np.sqrt(self.n * min(q * (1 - q), (1 - q) * self._p * (1 - self._p)))
        return max(int(spread / DENSE), 1)

    @np.errstate(under="ignore")
    def _listed(self) -> tuple[Floats, Floats]:
        """Every probable share with its probability: asked for once, and too many to be kept."""
        low, high = self._a_window
        if low > high:
            return np.zeros(0), np.zeros(0)
        a, b = np.arange(low, high + 1.0), self._b.support[:, None].astype(np.float64)
        masses = self._b.pmf[:, None] * self._chances(a, self.n - b)
        inside = (a + b >= self._rank) & (masses > IMPROBABLE)
        return ((self.t - a) / np.maximum(b, 1.0))[inside], masses[inside]

    def _chances(self, a: Floats, n: Floats) -> Floats:
        """P(A = a) for n draws outside the group, a in a row without gaps: from the most likely one by their ratios."""
        log_odds = np.log(max(self._p, LEAST)) - np.log(max(1 - self._p, LEAST))
        with np.errstate(divide="ignore"):
            ratios = np.log(np.maximum(n - a[:-1], 0.0)) - np.log(a[1:]) + log_odds
        logs = np.concatenate([np.zeros_like(n), np.cumsum(ratios, axis=1)], axis=1)
        likely = np.clip(np.floor((n + 1) * self._p), a[0], np.maximum(np.minimum(a[-1], n), a[0]))
        there = np.maximum(self._at_most(likely, n) - self._at_most(likely - 1, n), 0.0)
        return np.asarray(there * np.exp(logs - np.take_along_axis(logs, (likely - a[0]).astype(np.int64), axis=1)))

    def _up_to(self, edges: Floats, step: int) -> Floats:
        """The mass and the sum of shares up to each edge."""
        b, weights = self._b.support[::step].astype(np.float64), self._b.pmf[::step]
        kept = b > 0
        b, weights = b[kept], weights[kept] * step
        below = np.ceil(self.t - edges[:, None] * b - 1e-9) - 1
        mass, first = self._sums(np.array([[self._rank - 1.0]]), b) - self._sums(below, b)
        return np.array([mass @ weights, ((self.t * mass - first) / b) @ weights])

    def _sums(self, k: Floats, b: Floats) -> Floats:
        """Sums of 1 and A over A <= k, each with its probability given b in the group."""
        n, p = self.n - b, self._p
        return np.array([self._at_most(k, n), n * p * self._at_most(k - 1, n - 1)])

    def _at_most(self, k: Floats, n: Floats) -> Floats:
        """P(A <= k) for n draws outside the group."""
        k, n = np.broadcast_arrays(np.asarray(k, dtype=np.float64), n)
        inner = (k >= 0) & (k < n)
        low = np.where(inner, k, 0.0)
        within = betainc(np.where(inner, n - low, 1.0), low + 1, 1 - self._p)
        return np.asarray(np.where(inner, within, k >= 0))
