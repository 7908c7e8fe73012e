"""Resamples of a confusion table in columns: all counts fixed but one, along which a metric rises or falls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import bdtr

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import Lattice
from skcostci.laws._points import runs

SLACK = 1e-9  # a count this little over a whole number counts as that
TINY = 1e-300
ROUNDING = 8 * np.finfo(float).eps

Value = Callable[[Floats, Floats, Floats, Floats], Floats]  # of true and false positives and negatives


class Columns(ABC):
    """Columns of counts 0, 1, ..., ``draws``; the metric is defined from ``first`` to ``last``."""

    draws: Integers
    first: Integers
    last: Integers

    @abstractmethod
    def up_to(self, x: float, strict: bool = False) -> tuple[Integers, Integers]:
        """The counts from .. to at which the metric is at most x, or below x; none where the second is smaller."""

    @abstractmethod
    def values(self, column: Integers, count: Integers) -> Floats:
        """The metric in these columns at these counts."""

    def between(self, low: float, high: float) -> tuple[Integers, Integers]:
        """The counts at which the metric lies in (low, high]: where the first starts, and how many there are."""
        (from_low, to_low), (from_high, to_high) = self.up_to(low), self.up_to(high)
        some_low = to_low >= from_low
        start = np.where(some_low & (from_low == from_high), to_low + 1, from_high)
        stop = np.where(some_low & (from_low != from_high), from_low - 1, to_high)
        return start, np.maximum(stop - start + 1, 0)


@dataclass(frozen=True)
class RatioColumns(Columns):
    """Numerator and denominator are linear in the count; given are both at 0 and at ``draws``."""

    draws: Integers
    numerator: tuple[Floats, Floats]
    denominator: tuple[Floats, Floats]

    @property
    def first(self) -> Integers:  # type: ignore[override]
        return np.where(self.denominator[0] > 0, 0, 1)

    @property
    def last(self) -> Integers:  # type: ignore[override]
        never = (self.denominator[0] <= 0) & (self.denominator[1] <= 0)
        return np.where(never, 0, np.where(self.denominator[1] > 0, self.draws, self.draws - 1))

    def up_to(self, x: float, strict: bool = False) -> tuple[Integers, Integers]:
        """Where N - x D <= 0: on one side of the root, as that is linear in the count."""
        (n_0, n_1), (d_0, d_1) = self.numerator, self.denominator
        start, end = n_0 - x * d_0, n_1 - x * d_1
        rounding = ROUNDING * (np.abs(n_0) + np.abs(n_1) + abs(x) * (d_0 + d_1)) + TINY
        edge = -rounding if strict else rounding
        slope = start - end
        some = np.where(slope == 0, 1.0, slope)
        root = self.draws * (start / some)
        slack = SLACK + self.draws * (rounding / np.abs(some))
        floor, ceil = np.floor(root + slack), np.ceil(root - slack)
        if strict:
            floor, ceil = ceil - 1, floor + 1
        rising = n_1 * d_0 >= n_0 * d_1
        at_first, at_last = (start - slope * (at / np.maximum(self.draws, 1)) for at in (self.first, self.last))
        top = np.where(at_first > edge, -1, np.where(at_last <= edge, self.draws, floor))
        bottom = np.where(at_last > edge, self.draws + 1, np.where(at_first <= edge, 0, ceil))
        low = np.maximum(np.where(rising, 0, bottom), self.first)
        high = np.minimum(np.where(rising, top, self.draws), self.last)
        return low.astype(np.int64), high.astype(np.int64)

    def values(self, column: Integers, count: Integers) -> Floats:
        share = count / np.maximum(self.draws[column], 1)
        n, d = (
            side[0][column] + (side[1][column] - side[0][column]) * share for side in (self.numerator, self.denominator)
        )
        return np.asarray(n / d)


@dataclass(frozen=True)
class RisingColumns(Columns):
    """A metric that does not fall with the true positives; the false positives are given, and both class sizes."""

    value: Value
    positives: int
    negatives: int
    alarms: Integers

    @property
    def draws(self) -> Integers:  # type: ignore[override]
        return np.full(len(self.alarms), self.positives)

    @property
    def first(self) -> Integers:  # type: ignore[override]
        return np.where(np.isfinite(self._at(np.zeros_like(self.alarms))), 0, 1)

    @property
    def last(self) -> Integers:  # type: ignore[override]
        top = np.where(np.isfinite(self._at(self.draws)), self.positives, self.positives - 1)
        return np.where(np.isfinite(self._at(self.first)), top, self.first - 1)

    def up_to(self, x: float, strict: bool = False) -> tuple[Integers, Integers]:
        """By bisection of the count."""
        edge = x - (1e-14 if strict else -1e-14) * max(1.0, abs(x))
        first, last = self.first, self.last
        below, above = first - 1, np.maximum(last, first - 1) + 1
        for _ in range(int(self.positives + 2).bit_length()):
            middle = (below + above) // 2
            inside = (middle > below) & (self._at(middle) <= edge)
            below, above = np.where(inside, middle, below), np.where(inside | (middle == below), above, middle)
        return first, below

    def values(self, column: Integers, count: Integers) -> Floats:
        return self._at(count, self.alarms[column])

    def _at(self, hits: Integers, alarms: Integers | None = None) -> Floats:
        alarms = self.alarms if alarms is None else alarms
        counts = hits, self.positives - hits, alarms, self.negatives - alarms
        return self.value(*(np.asarray(count, dtype=np.float64) for count in counts))


@dataclass(frozen=True)
class Sheet:
    """Columns with their probabilities and the law of the count in each: one lattice for all, or binomials."""

    columns: Columns
    weights: Floats
    count: Lattice | float

    def mass(self, ranges: tuple[Integers, Integers]) -> float:
        """The probability of counts from .. to in each column."""
        low, high = ranges
        return float(self.weights @ np.maximum(self._cdf(high) - self._cdf(low - 1), 0.0))

    @property
    def defined(self) -> float:
        """The probability that the metric is defined."""
        return self.mass((self.columns.first, self.columns.last))

    @property
    def undefined(self) -> float:
        """The probability that it is not, precise where it is small."""
        first, last = self.columns.first, self.columns.last
        none = last < first
        outside = np.where(none, 1.0, self._cdf(first - 1) + self._above(last))
        return float(self.weights @ outside)

    def atoms(self, low: float, high: float) -> tuple[Floats, Floats]:
        """The values in (low, high] and their probabilities, in any order."""
        start, size = self.columns.between(low, high)
        column, count = runs(start, size)
        return self.columns.values(column, count), self.weights[column] * self._pmf(column, count)

    def _cdf(self, count: Integers, column: Any = slice(None)) -> Floats:
        if isinstance(self.count, Lattice):
            return self.count.cumulative[np.clip(count - self.count.start + 1, 0, len(self.count))]
        draws = self.columns.draws[column]
        inside = np.clip(count, 0, draws)
        return np.where(count < 0, 0.0, bdtr(inside.astype(np.float64), draws, self.count))

    def _above(self, count: Integers) -> Floats:
        """P(> count)."""
        if isinstance(self.count, Lattice):
            return self.count.remaining[np.clip(count - self.count.start + 1, 0, len(self.count))]
        draws = self.columns.draws
        return np.where(
            count >= draws, 0.0, bdtr(np.maximum(draws - count - 1, 0).astype(float), draws, 1 - self.count)
        )

    def _pmf(self, column: Integers, count: Integers) -> Floats:
        return self._cdf(count, column) - self._cdf(count - 1, column)
