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

LISTED = 2**12  # pairs of A and B that are listed for the law and its moments,
FEW = 2**19  # and for blocks of the law, and for the moments of groups
NARROW = 128  # that are no larger than such a part of all: there sums would lose digits
DENSE = 4  # values of B a standard deviation, where not all are summed: the error of the sum is below 1e-15
VALUES = 1024  # of B, at most, for the law
IMPROBABLE = 1e-40  # shares that are left out
LEAST = 1e-300  # instead of zero, to have a logarithm
NOISE = 1e-14  # what rounding leaves of a block's probability
NOWHERE = 0.5, 0.0, 0.0  # the moments where the curve cannot end in the group
BLOCKS = 128  # that stand for the law where not all shares are listed


@dataclass(frozen=True)
class TiedGroup:
    """``size`` negatives at one score, ``above`` it, of ``n``; t is what the curve must reach."""

    t: float
    above: int
    size: int
    n: int

    @cached_property
    def moments(self) -> tuple[float, float, float]:
        """The mean and the variance of the share, and its mean product with A, given that the curve ends here."""
        if self._pairs <= (FEW if NARROW * self.size < self.n else LISTED):
            return _moments(*self._listed())
        mass, *sums = self._up_to(np.ones(1), self._step)[:, 0].tolist()
        if mass <= 0:
            return NOWHERE
        mean, square, product = (each / mass for each in sums)
        return mean, max(square - mean**2, 0.0), product

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """Shares, ascending, and their probabilities given that the curve ends here; blocks where there are many."""
        if self._pairs <= LISTED:
            listed, each, _ = self._listed()
            values, place = np.unique(listed.round(14), return_inverse=True)
            masses: Floats = np.asarray(np.bincount(place, each), dtype=np.float64)
            values, masses = values[masses > 0], masses[masses > 0]
        else:
            values, masses = self._blocks()
        total = masses.sum()
        return (values, masses / total) if total > 0 else (np.array([0.5]), np.ones(1))

    def _blocks(self) -> tuple[Floats, Floats]:
        """Mean shares of blocks, and their probabilities."""
        if self._pairs <= FEW:
            shares, masses, _ = self._listed()
            edges = _block_edges(*self.moments[:2])
            block = np.searchsorted(edges[1:-1], shares - 1e-12)
            mass, first = (np.bincount(block, each, BLOCKS).astype(np.float64) for each in (masses, masses * shares))
        else:
            edges = _block_edges(*self.moments[:2])
            mass, first, *_ = np.diff(self._up_to(edges, max(self._step, len(self._b) // VALUES)), axis=1)
        kept = mass > NOISE
        return np.clip(first[kept] / mass[kept], edges[:-1][kept], edges[1:][kept]), mass[kept]

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
    def _listed(self) -> tuple[Floats, Floats, Floats]:
        """Every probable share with its probability and A: asked for once or twice, and too many to be kept."""
        low, high = self._a_window
        if low > high:
            return np.zeros(0), np.zeros(0), np.zeros(0)
        a, b = np.arange(low, high + 1.0), self._b.support[:, None].astype(np.float64)
        masses = self._b.pmf[:, None] * self._chances(a, self.n - b)
        inside = (a + b >= self._rank) & (masses > IMPROBABLE)
        return ((self.t - a) / np.maximum(b, 1.0))[inside], masses[inside], np.broadcast_to(a, inside.shape)[inside]

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
        """The mass, and the sums of shares, their squares and their products with A, up to each edge."""
        b, weights = self._b.support[::step].astype(np.float64), self._b.pmf[::step]
        kept = b > 0
        b, weights = b[kept], weights[kept] * step
        below = np.ceil(self.t - edges[:, None] * b - 1e-9) - 1
        mass, first, second = self._sums(np.array([[self._rank - 1.0]]), b) - self._sums(below, b)
        shares = (self.t * mass - first) / b
        squares = (self.t**2 * mass - 2 * self.t * first + second) / b**2
        products = (self.t * first - second) / b
        return np.array([part @ weights for part in (mass, shares, squares, products)])

    def _sums(self, k: Floats, b: Floats) -> Floats:
        """Sums of 1, A and A^2 over A <= k, each with its probability given b in the group."""
        n, p = self.n - b, self._p
        mass, first = self._at_most(k, n), n * p * self._at_most(k - 1, n - 1)
        return np.array([mass, first, n * (n - 1) * p**2 * self._at_most(k - 2, n - 2) + first])

    def _at_most(self, k: Floats, n: Floats) -> Floats:
        """P(A <= k) for n draws outside the group."""
        k, n = np.broadcast_arrays(np.asarray(k, dtype=np.float64), n)
        inner = (k >= 0) & (k < n)
        low = np.where(inner, k, 0.0)
        within = betainc(np.where(inner, n - low, 1.0), low + 1, 1 - self._p)
        return np.asarray(np.where(inner, within, k >= 0))


def _moments(shares: Floats, masses: Floats, above: Floats) -> tuple[float, float, float]:
    """From shares with these probabilities, up to a factor, and as many numbers above."""
    total = masses.sum()
    if total <= 0:
        return NOWHERE
    mean = float(masses @ shares / total)
    return mean, float(masses @ (shares - mean) ** 2 / total), float((masses * shares) @ above / total)


def _block_edges(mean: float, variance: float) -> Floats:
    """Blocks of the same width wherever shares are probable."""
    reach = 9 * np.sqrt(variance)
    return np.linspace(max(mean - reach, 0.0), min(mean + reach, 1.0), BLOCKS + 1)
