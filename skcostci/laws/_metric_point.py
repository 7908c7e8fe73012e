"""The exact law of a metric at one point, by columns of resamples in which one count alone varies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy.interpolate import BarycentricInterpolator
from scipy.linalg import eigh_tridiagonal
from scipy.optimize import brentq
from scipy.special import ndtri

from skcostci._validation import Floats
from skcostci.laws._cells import pooled_law
from skcostci.laws._columns import RatioColumns, RisingColumns, Sheet
from skcostci.laws._lattice import FEW_ATOMS, TIE, Lattice, binomial
from skcostci.metric import AnyMetric, Metric

NODES = 64  # of a quadrature over a binomial law with more values than that
MANY_CASES = 25_000  # beyond which a ratio of counts of three kinds is asked for as a linear law


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
        target, cdf = max(q - TIE, np.finfo(float).tiny), partial(self.cdf, undefined=undefined)
        guess = mean + deviation * float(ndtri(np.clip(target, 1e-12, 1 - 1e-12)))
        low, high = _bracket(cdf, target, guess, max(deviation, 1e-12 * max(1.0, abs(mean))) / 8)
        if self._too_wide:
            return float(brentq(lambda x: cdf(x) - target, low, high, xtol=1e-7 * deviation))
        while self._atoms_between(low, high) > FEW_ATOMS:
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
        places = (1 - np.cos(np.pi * np.arange(NODES) / (NODES - 1))) / 2 * (len(every) - 1)
        some = every[np.unique(np.rint(places).astype(np.int64))] if len(every) > NODES else every
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
    if len(law) <= NODES:
        return law.support.astype(np.float64), law.pmf
    k = np.arange(NODES, dtype=np.float64)
    between = np.sqrt(k[1:] * (draws - k[1:] + 1) * hit * miss)
    nodes, vectors = eigh_tridiagonal(hit * (draws - k) + miss * k, between)
    return nodes, vectors[0] ** 2
