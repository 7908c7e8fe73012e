"""The exact law of a ratio of two sums over groups that are drawn with replacement, at one point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.fft import irfft2, next_fast_len, rfft2
from scipy.optimize import brentq

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import TIE, window
from skcostci.laws._ratio_moments import Draws, ratio_moments
from skcostci.laws._sum import ROUNDING, common_step, law_of_sum

MOST_CELLS = 2**21  # of the table of both sums
NOISE = 1e-16  # masses below this are rounding


class Values(NamedTuple):
    """The values of a ratio in order, and their masses."""

    values: Floats
    masses: Floats

    @property
    def up_to(self) -> Floats:
        """P(<= value), given that there is one, after a 0."""
        return np.asarray(np.concatenate([[0.0], np.cumsum(self.masses)]) / self.masses.sum())


@dataclass(frozen=True)
class GroupRatio:
    """The ratio N / D of sums over as many draws as there are groups, given D > 0; one entry a group in both."""

    numerator: Floats
    denominator: Floats

    def cdf(self, x: float) -> float:
        """P(X <= x)."""
        return self._mass(x, strict=False)

    def below(self, x: float) -> float:
        """P(X < x)."""
        return self._mass(x, strict=True)

    def quantile(self, q: float) -> float:
        """The smallest x with P(X <= x) >= q."""
        target = max(q - TIE, np.finfo(float).tiny)
        if self.listed is not None:
            reached = int(np.searchsorted(self.listed.up_to[1:], target))
            return float(self.listed.values[min(reached, len(self.listed.values) - 1)])
        mean, deviation = self._moments
        low, high = mean - deviation, mean + deviation
        while self.cdf(low) >= target:
            low, high = low - 2 * (high - low), low
        while self.cdf(high) < min(target, 1 - 1e-12):
            low, high = high, high + 2 * (high - low)
        return float(brentq(lambda x: self.cdf(x) - target, low, high, xtol=1e-7 * deviation))

    @cached_property
    def listed(self) -> Values | None:
        """All values, from the joint law of both sums where that is a table that can be held."""
        (step, n), (unit, d) = (_whole_numbers(side) for side in (self.numerator, self.denominator))
        ends = [_window(whole) for whole in (n, d)]
        shape = [next_fast_len(high - low + 1, real=True) for low, high in ends]
        if not step or not unit or shape[0] * shape[1] > MOST_CELLS:
            return None
        once = np.zeros(shape)
        np.add.at(once, (n % shape[0], d % shape[1]), 1 / len(n))
        masses = irfft2(rfft2(once) ** len(n), shape)
        sums = [low + (np.arange(length) - low) % length for (low, _), length in zip(ends, shape, strict=True)]
        row, column = np.nonzero(masses > NOISE)
        masses, n, d = masses[row, column], sums[0][row], sums[1][column]
        some = d > 0
        values, place = np.unique(n[some] / d[some], return_inverse=True)
        return Values(values * (step / unit), np.bincount(place, masses[some]).astype(np.float64))

    def _mass(self, x: float, *, strict: bool) -> float:
        """P(X < x) or P(X <= x), rounding of x forgiven."""
        if np.isinf(x):
            return float(x > 0)
        if self.listed is not None:
            slack = TIE * max(1.0, abs(x))
            return float(self.listed.up_to[np.searchsorted(self.listed.values, x - slack if strict else x + slack)])
        return self._by_one_sum(x, strict)

    def _by_one_sum(self, x: float, strict: bool) -> float:
        """P(N - x D <= 0), less what of it has D = 0."""
        n, d = self.numerator, self.denominator
        nothing = d == 0
        undefined = float(nothing.mean()) ** len(n)
        counted = _sum_up_to_zero(n - x * d, len(n), strict)
        if undefined:
            counted -= undefined * _sum_up_to_zero(n[nothing], len(n), strict)
        return float(np.clip(counted / (1 - undefined), 0.0, 1.0))

    @property
    def _moments(self) -> tuple[float, float]:
        """Mean and standard deviation."""
        shares = np.full((1, len(self.numerator)), 1 / len(self.numerator))
        _, mean, variance = ratio_moments(
            [Draws(len(self.numerator), shares, self.numerator[None], self.denominator[None])]
        )
        return float(mean[0]), float(np.sqrt(variance[0]))


def _whole_numbers(values: Floats) -> tuple[float, Integers]:
    """The step of which the values are whole multiples, 0 if there is none, and the multiples."""
    largest = float(np.abs(values).max())
    if largest == 0:
        return 1.0, np.zeros(len(values), dtype=np.int64)
    return common_step(values, ROUNDING * largest)


def _window(whole: Integers) -> tuple[int, int]:
    """Where the sum of as many draws as there are numbers lies."""
    n, reach = len(whole), float(np.ptp(whole))
    return window(n * float(whole.mean()), n * float(whole.var()), reach, n * int(whole.min()), n * int(whole.max()))


def _sum_up_to_zero(values: Floats, draws: int, strict: bool) -> float:
    """P(sum <= 0), or P(sum < 0), of so many draws."""
    kinds, times = np.unique(values, return_counts=True)
    if len(kinds) == 1:
        return float(kinds[0] < 0 or (kinds[0] == 0 and not strict))
    return law_of_sum(draws, times / times.sum(), kinds).cdf(0.0, strict=strict)
