"""The law of a sum of draws where it has no atoms that count: a cdf on a fine grid.

A sum of draws from many values, each seen once or a few times, is smooth: values are split between the two nearest
points of a grid, which keeps the mean, the law of the sum is a power of a characteristic function, and the variance
that the grid added is taken out by a scale. Against the exact law the cdf is off by less than .001, or its argument by
less than .02 standard errors where one value outweighs all others and the cdf jumps.

It is not smooth (:func:`is_smooth`) where the values of the sum can be listed or have a common step, or where one
sample (how often each value is drawn) is likelier than ``LIKELY``; then it is left to :mod:`._sum`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import comb

from skcostci._validation import Floats
from skcostci.laws._lattice import LOG_TAIL, Complexes, target_of
from skcostci.laws._sum import VALUE_ROUNDING, common_step

MAX_EXACT_VALUES = 4096  # distinct ones with an exact law, which takes half a second; time grows with the square
GRID_VARIANCE = 1e-4  # of the law's variance, what splitting values between points of the grid may add
MAX_GRID = 2**18  # points, 1e-4 standard errors apart; from about 1e5 cases on the grid is coarser instead
MAX_LISTED_SUMS = 2**18  # values of a sum
MAX_STEPS = 2**16  # that a deviation of a draw, by as many as the root of draws, has on a lattice
LIKELY = 1e-3  # the sum has an atom as probable as the likeliest sample: a grid would smooth it away


class Drawn(NamedTuple):
    """So many draws from values that were seen, each so often."""

    draws: int
    counts: Floats
    values: Floats

    @property
    def mean(self) -> float:
        """Of the sum."""
        return self.draws * float(self.counts @ self.values / self.counts.sum())

    @property
    def centered(self) -> tuple[int, Floats, Floats]:
        """The draws, the probability of each value and how far it is from the mean."""
        return self.draws, self.counts / self.counts.sum(), self.values - self.mean / self.draws


def is_smooth(part: Drawn) -> bool:
    """Whether a grid serves."""
    return not has_atoms(part) and _likeliest(part) <= LIKELY


def has_atoms(part: Drawn) -> bool:
    """Whether the values that draws add up to are few enough for a list, or have a common step."""
    draws, _, values = part
    if comb(draws + len(values) - 1, draws) <= MAX_LISTED_SUMS:
        return True
    values = values - values[0]
    largest = float(np.abs(values).max())
    if len(values) > MAX_EXACT_VALUES or not largest:
        return False
    step, _ = common_step(values, VALUE_ROUNDING * largest)
    return bool(step) and np.sqrt(draws) * largest < MAX_STEPS * step


def _likeliest(part: Drawn) -> float:
    """About the probability of the likeliest sample: all values but the commonest are drawn nearly by a Poisson law."""
    return float(np.prod(0.4 / np.sqrt(np.sort(part.counts)[:-1])))


@dataclass(frozen=True)
class Grid:
    """A cdf at ascending places, straight between them."""

    places: Floats
    cumulative: Floats

    @classmethod
    def of(cls, drawn: Sequence[Drawn]) -> Grid:
        """Of all that is drawn, around its mean."""
        parts = [part.centered for part in drawn]
        variance = sum(draws * float(p @ y**2) for draws, p, y in parts)
        reach = LOG_TAIL / 3 * max(float(np.abs(y).max()) for _, p, y in parts)
        half = reach + np.sqrt(reach**2 + 2 * LOG_TAIL * variance)  # Bernstein's inequality
        # a value between two points a step apart adds step^2 / 6 to the variance, on average over its place
        step = max(np.sqrt(6 * GRID_VARIANCE * variance / sum(part.draws for part in drawn)), 2 * half / MAX_GRID)
        size = next_fast_len(int(2 * half / step) + 2, real=True)
        spectrum, added = np.ones(size // 2 + 1, dtype=np.complex128), 0.0
        for draws, p, y in parts:
            left = np.floor(y / step)
            over = y / step - left
            masses = np.bincount(left.astype(np.int64) % size, p * (1 - over), size)
            masses += np.bincount((left.astype(np.int64) + 1) % size, p * over, size)
            spectrum *= _power(rfft(masses), draws)
            added += draws * step**2 * float(p @ (over * (1 - over)))
        pmf = np.roll(irfft(spectrum, size), size // 2)
        cumulative = np.minimum(np.maximum.accumulate(np.cumsum(np.maximum(pmf, 0.0))), 1.0)
        scale = np.sqrt(variance / (variance + added))
        edges = scale * step * (np.arange(size + 1) - size // 2 - 0.5)
        mean = sum(part.mean for part in drawn)
        return cls(mean + edges, np.concatenate([[0.0], cumulative]))

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x)."""
        return np.asarray(np.interp(x, self.places, self.cumulative, left=0.0, right=1.0))

    def quantile(self, q: Floats) -> Floats:
        """Where the cdf first reaches q."""
        target = np.minimum(target_of(q), self.cumulative[-1])
        after = np.clip(np.searchsorted(self.cumulative, target), 1, len(self.places) - 1)
        low, high = self.cumulative[after - 1], self.cumulative[after]
        share = np.where(high > low, (target - low) / np.where(high > low, high - low, 1.0), 1.0)
        return np.asarray(self.places[after - 1] + share * (self.places[after] - self.places[after - 1]))


def _power(cf: Complexes, draws: int) -> Complexes:
    """The characteristic function of so many draws, 0 where it is negligible: most of them are, and powers are slow."""
    matters = cf.real**2 + cf.imag**2 > np.exp(-2 * LOG_TAIL / draws)
    found = np.zeros_like(cf)
    found[matters] = cf[matters] ** draws
    return found
