"""Laws of whole-number sums, kept on the window that holds all but about 1e-18 of their mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Floats, Integers

LOG_TAIL = 41.0  # exp(-41) = 1.6e-18 bounds the mass left out at each side of a window
TIE = 1e-12  # a quantile is reached where the cdf comes this close to it
FEW_ATOMS = 4096  # a bracket with about this many atoms is searched by listing them


class Cumulated:
    """Probabilities of values in ascending order, added up from either end."""

    pmf: Floats

    @cached_property
    def cumulative(self) -> Floats:
        """P(X < the first), P(X <= the first), ..."""
        return np.concatenate([[0.0], np.cumsum(self.pmf)])

    @cached_property
    def remaining(self) -> Floats:
        """P(X >= the first), P(X > the first), ...: precise where it is small."""
        return np.asarray(np.minimum(np.concatenate([np.cumsum(self.pmf[::-1])[::-1], [0.0]]), 1.0))


@dataclass(frozen=True)
class Lattice(Cumulated):
    """The probabilities of start, start + 1, ..."""

    start: int
    pmf: Floats

    def __len__(self) -> int:
        return len(self.pmf)

    @property
    def support(self) -> Integers:
        return np.arange(self.start, self.start + len(self))

    @property
    def mean(self) -> float:
        return float(self.pmf @ self.support)


def point(value: int = 0) -> Lattice:
    """All the mass on one number."""
    return Lattice(value, np.ones(1))


def binomial(draws: int, hit: float, miss: float) -> Lattice:
    """The binomial law, outwards from the mode by the ratio of neighbours: relative precision in both tails."""
    if min(hit, miss) <= 0:
        return point(draws if hit > 0 else 0)
    low, high = window(draws * hit, draws * hit * miss, 1.0, 0, draws)
    mode = min(max(int((draws + 1) * hit), low), high)
    up = np.arange(mode, high, dtype=np.float64)
    down = np.arange(mode, low, -1, dtype=np.float64)
    above = np.cumprod((draws - up) / (up + 1) * (hit / miss))
    below = np.cumprod(down / (draws - down + 1) * (miss / hit))
    pmf = np.concatenate([below[::-1], [1.0], above])
    return Lattice(low, pmf / pmf.sum())


def window(mean: float, variance: float, reach: float, low: int, high: int) -> tuple[int, int]:
    """Where a sum of terms within ``reach`` of their means lies, by Bernstein's inequality, in [low, high]."""
    first, last = windows(*(np.asarray(number) for number in (mean, variance, reach, low, high)))
    return int(first), int(last)


def windows(mean: Floats, variance: Floats, reach: Floats, low: Integers, high: Integers) -> tuple[Integers, Integers]:
    """The windows of many sums."""
    slack = LOG_TAIL * reach / 3
    half = slack + np.sqrt(slack**2 + 2 * LOG_TAIL * variance)
    first, last = np.floor(mean - half).astype(np.int64), np.ceil(mean + half).astype(np.int64)
    return np.maximum(low, first), np.minimum(high, last)
