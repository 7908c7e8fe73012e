"""DOC."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy.interpolate import BarycentricInterpolator
from scipy.linalg import eigh_tridiagonal
from scipy.optimize import brentq
from scipy.special import bdtr, ndtri

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import LISTED_ATOMS, Lattice, binomial, target_of
from skcostci.laws._linear import pooled_law
from skcostci.laws._points import runs
from skcostci.metric import AnyMetric, Metric

QUADRATURE_NODES = 64  # over a binomial law with more values than that; doubled: no digit more, four times the time
MANY_CASES = 25_000  # beyond which a ratio of counts of three kinds is asked for as a linear law
COUNT_ROUNDING = 1e-9  # a count this little over a whole number counts as that
ZERO_ROUNDING = 1e-300  # of a numerator and denominator that are 0
RATIO_ROUNDING = 8 * np.finfo(float).eps
VALUE_ROUNDING = 1e-14  # of a metric that is not a ratio

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
        rounding = RATIO_ROUNDING * (np.abs(n_0) + np.abs(n_1) + abs(x) * (d_0 + d_1)) + ZERO_ROUNDING
        edge = -rounding if strict else rounding
        slope = start - end
        some = np.where(slope == 0, 1.0, slope)
        root = self.draws * (start / some)
        slack = COUNT_ROUNDING + self.draws * (rounding / np.abs(some))
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
        edge = x - (VALUE_ROUNDING if strict else -VALUE_ROUNDING) * max(1.0, abs(x))
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


@dataclass(frozen=True)
class MetricAtPoint:
    """A metric of TP, FN, FP and TN in resamples, given that it is defined; prevalence None is that of the sample."""

    metric: AnyMetric
    counts: Floats
    sampling: str
    prevalence: float | None

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """How many positives and negatives there are."""
        return round(float(self.counts[:2].sum())), round(float(self.counts[2:].sum()))

    @cached_property
    def weights(self) -> tuple[Floats, Floats] | None:
        """Of the counts in numerator and denominator, where the same weights hold in every resample."""
        if not isinstance(self.metric, Metric) or (self.sampling == "full" and self.metric.of == "rates"):
            return None
        return self.metric.on_counts(*self.sizes, self.prevalence)

    @cached_property
    def share(self) -> tuple[Floats, Floats] | None:
        """Where cells of two kinds matter and are drawn together: a case's two weights by kind, and the counts."""
        if self.weights is None or self.sampling == "stratified":
            return None
        kind = np.column_stack(self.weights)
        matters = kind.any(axis=1)
        kinds, group = np.unique(kind[matters], axis=0, return_inverse=True)
        return (kinds, np.bincount(group.ravel(), self.counts[matters]).astype(np.float64)) if len(kinds) == 2 else None

    def value(self, tp: Floats, fn: Floats, fp: Floats, tn: Floats) -> Floats:
        """The metric of counts that share their class sizes, not finite where it is undefined."""
        return self.metric.at(tp, fn, fp, tn, self.prevalence)

    @property
    def estimate(self) -> float:
        """The metric of the sample."""
        return float(self.value(*self.counts))

    @np.errstate(under="ignore")
    def cdf(self, x: float, undefined: float, *, strict: bool = False) -> float:
        """P(X <= x), or P(X < x), given the probability that it is undefined."""
        if np.isinf(x) or undefined >= 1:
            return float(x == np.inf and not (strict and undefined >= 1))
        if self._too_wide:
            mass = self._linear_mass(x, strict, undefined)
        else:
            mass = sum(sheet.mass(sheet.columns.up_to(x, strict)) for sheet in self._sheets())
        return float(np.clip(mass / (1 - undefined), 0.0, 1.0))

    @np.errstate(under="ignore")
    def quantile(self, q: float, undefined: float, mean: float, deviation: float) -> float:
        """The smallest x with P(X <= x) >= q: a bracket is halved until the values in it can be listed."""
        if undefined >= 1:
            return float("inf")
        target, cdf = float(target_of(np.asarray(q))), partial(self.cdf, undefined=undefined)
        guess = mean + deviation * float(ndtri(np.clip(target, 1e-12, 1 - 1e-12)))
        low, high = _bracket(cdf, target, guess, max(deviation, 1e-12 * max(1.0, abs(mean))) / 8)
        if self._too_wide:
            return float(brentq(lambda x: cdf(x) - target, low, high, xtol=1e-7 * deviation))
        while self._atoms_between(low, high) > LISTED_ATOMS:
            middle = (low + high) / 2
            low, high = (low, middle) if cdf(middle) >= target else (middle, high)
        values, masses = (np.concatenate(c) for c in zip(*(s.atoms(low, high) for s in self._sheets()), strict=True))
        order = np.argsort(values, kind="stable")
        reached = int(np.searchsorted(cdf(low) + np.cumsum(masses[order]) / (1 - undefined), target))
        return float(values[order][min(reached, len(order) - 1)])

    @np.errstate(under="ignore")
    def moments(self) -> tuple[float, float, float]:
        """P(undefined), and mean and variance of what is defined, from moments about the estimate given the sizes."""
        estimate = self.estimate
        center = estimate if np.isfinite(estimate) else 0.0
        given = partial(self._given_sizes, center=center)
        share, first, second = given(*self.sizes) if self.sampling == "stratified" else self._mixed(given)
        if share <= 0:
            return 1.0, np.inf, np.inf
        off = first / share
        return max(1 - share, 0.0), center + off, max(second / share - off * off, 0.0)

    @property
    def _too_wide(self) -> bool:
        """Whether columns would be too many: a ratio of three kinds of cells in a large sample."""
        return (
            self.sampling == "full" and self.weights is not None and self.share is None and sum(self.sizes) > MANY_CASES
        )

    def _linear_mass(self, x: float, strict: bool, undefined: float) -> float:
        """P(N - x D <= 0), less what of it has D = 0."""
        numerator, denominator = self.weights or (np.zeros(4), np.zeros(4))

        def mass(counts: Floats, values: Floats) -> float:
            law = pooled_law(counts[None], values[None], smoothing=0.0)
            below, level, _ = law.tails(np.zeros(1))
            return float(below[0] + (0.0 if strict else level[0]))

        nothing = undefined * mass(np.where(denominator > 0, 0.0, self.counts), numerator) if undefined else 0.0
        return mass(self.counts, numerator - x * denominator) - nothing

    def _sheets(self) -> Iterator[Sheet] | tuple[Sheet, ...]:
        """One sheet of columns, kept, or one for each number of positives that may be drawn."""
        if self.sampling == "full" and self.share is None:
            return self._by_class_sizes()
        return (self._only_sheet,)

    @cached_property
    def _only_sheet(self) -> Sheet:
        return self._sheet(1.0, *self.sizes) if self.share is None else self._share_sheet(*self.share)

    def _by_class_sizes(self) -> Iterator[Sheet]:
        """All resamples that may have a value; of metrics of rates those that hold both classes."""
        n, sizes = sum(self.sizes), self._class_sizes
        for positives, probability in zip(sizes.support.tolist(), sizes.pmf.tolist(), strict=True):
            if self.weights is not None or 0 < positives < n:
                yield self._sheet(probability, positives, n - positives)

    @cached_property
    def _class_sizes(self) -> Lattice:
        n = sum(self.sizes)
        return binomial(n, self.sizes[0] / n, self.sizes[1] / n)

    def _sheet(self, probability: float, positives: int, negatives: int) -> Sheet:
        """A column for each number of false alarms, given the class sizes."""
        hits, alarms = binomial(positives, *self._rates[0]), binomial(negatives, *self._rates[1])
        columns: RatioColumns | RisingColumns
        if isinstance(self.metric, Metric):
            fp, tn = alarms.support, negatives - alarms.support
            ends = [
                (w[1] * positives + w[2] * fp + w[3] * tn, w[0] * positives + w[2] * fp + w[3] * tn)
                for w in self.metric.on_counts(positives, negatives, self.prevalence)
            ]
            columns = RatioColumns(np.full(len(fp), positives), *ends)
        else:
            columns = RisingColumns(self.value, positives, negatives, alarms.support)
        return Sheet(columns, probability * alarms.pmf, hits)

    @cached_property
    def _rates(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Hits and misses among positives, then among negatives."""
        tp, fn, fp, tn = self.counts.tolist()
        positives, negatives = (size or 1.0 for size in (tp + fn, fp + tn))  # of an empty class nothing is drawn
        return (tp / positives, fn / positives), (fp / negatives, tn / negatives)

    def _share_sheet(self, kinds: Floats, counts: Floats) -> Sheet:
        """A column for how many cases of both kinds are drawn; those of the second kind are binomial."""
        n, seen = sum(self.sizes), float(counts.sum())
        drawn = binomial(n, seen / n, (n - seen) / n)
        columns = RatioColumns(
            drawn.support, *((kinds[0, i] * drawn.support, kinds[1, i] * drawn.support) for i in (0, 1))
        )
        return Sheet(columns, drawn.pmf, float(counts[1] / seen))

    def _atoms_between(self, low: float, high: float) -> int:
        """How many values, counted by column, lie in (low, high]."""
        return sum(int(sheet.columns.between(low, high)[1].sum()) for sheet in self._sheets())

    def _mixed(self, given: Callable[[int, int], Floats]) -> Floats:
        """The average over the class sizes, that are drawn with both classes, of what is smooth in them."""
        n, sizes = sum(self.sizes), self._class_sizes
        inside = (sizes.support > 0) & (sizes.support < n)
        every, pmf = sizes.support[inside], sizes.pmf[inside]
        places = (1 - np.cos(np.pi * np.arange(QUADRATURE_NODES) / (QUADRATURE_NODES - 1))) / 2 * (len(every) - 1)
        some = every[np.unique(np.rint(places).astype(np.int64))] if len(every) > QUADRATURE_NODES else every
        found = np.array([given(positives, n - positives) for positives in some.tolist()])
        if len(some) < len(every):
            found = BarycentricInterpolator(some.astype(float), found)(every.astype(float))
        return np.asarray(pmf @ found)

    def _given_sizes(self, positives: int, negatives: int, center: float) -> Floats:
        """P(defined), and the first two moments about a center where it is."""
        hits, of_hits = binomial_nodes(positives, *self._rates[0])
        alarms, of_alarms = binomial_nodes(negatives, *self._rates[1])
        tp, fp = hits[:, None], alarms
        off = self.value(tp, positives - tp, fp, negatives - fp) - center
        defined = np.isfinite(off)
        off, weights = np.where(defined, off, 0.0), np.multiply.outer(of_hits, of_alarms) * defined
        return np.array([weights.sum(), (weights * off).sum(), (weights * off * off).sum()])


def _bracket(cdf: Callable[[float], float], target: float, guess: float, step: float) -> tuple[float, float]:
    """Ends about the guess with cdf(low) < target <= cdf(high)."""
    low, high, width = guess - step, guess + step, step
    while cdf(low) >= target:
        width *= 4
        low, high = low - width, low
    while cdf(high) < min(target, 1 - 1e-15) and width < 1e300:
        width *= 4
        low, high = high, high + width
    return low, high


def binomial_nodes(draws: int, hit: float, miss: float) -> tuple[Floats, Floats]:
    """The values of a binomial law with their probabilities or, where they are many, a Gauss quadrature over them.

    By the recurrence of the Krawtchouk polynomials.
    """
    law = binomial(draws, hit, miss)
    if len(law) <= QUADRATURE_NODES:
        return law.support.astype(np.float64), law.pmf
    k = np.arange(QUADRATURE_NODES, dtype=np.float64)
    between = np.sqrt(k[1:] * (draws - k[1:] + 1) * hit * miss)
    nodes, vectors = eigh_tridiagonal(hit * (draws - k) + miss * k, between)
    return nodes, vectors[0] ** 2
