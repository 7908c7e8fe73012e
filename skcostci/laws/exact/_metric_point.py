"""The law of a metric of the confusion table at one point, and the moments of its difference between two models.

**One model.** The law is computed by columns of resamples in which a single count varies. In a column all counts are
fixed but one, k ~ Binomial(n, h), along which the metric X rises or falls, so that the k with X <= x are a run and

    P(X <= x) = sum over columns of weight * P(first <= k <= last).

Columns are the numbers of false positives (k counts true positives), for each number of positives that may be drawn
under full sampling; or, where the cases that count are of two kinds (precision, f1), the number of these drawn. Runs of
a ratio ``N / D`` end at the root of the linear function N - x D; runs of other metrics are found by bisection.

The law is exact up to a thousand cases where two numbers define the columns, a million where one does. With more cases,
a number of standard deviation s is used at every (s / 8)-th value, or at every (s / 256)-th where it is the only one: a
midpoint rule, whose cdf is within .001 (where X jumps in every column, by a probability a, within .025 a). Moments are
summed at NODES_OF_MOMENTS values per deviation, where the rule is exact to rounding for smooth functions of the counts.

**Two models** have the same draws. Given the class sizes, in each draw of a positive the hits of models a and b have a
correlation r, and in each draw of a negative the alarms have a correlation s. Let K_j be Krawtchouk's polynomials,
orthonormal under a model's own binomial law. Between the models only those of equal degree are correlated (Aitken and
Gonin, 1935, Proc. R. Soc. Edinburgh 55): E[K_j(hits of a) K_i(hits of b)] is r^j if i = j, else 0. For metrics f and g

    E[f(a) g(b)] = sum over j, k of r^j s^k F_jk G_jk,    F_jk = E[f K_j(hits of a) K_k(alarms of a)],

where w(x) K_j(x), w being the probabilities of Binomial(P, p) and q = 1 - p, has the generating function

    sqrt(C(P, j) (p q)^j) (q + p z)^(P - j) (z - 1)^j.

Sums of all degrees up to the P positives and N negatives are exact; at most MAX_DEGREE are summed, fewer as P p q
grows: a metric is smooth in such counts, and the part of degree j has a size of (P p q)^(-j / 2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import convolution_matrix
from scipy.special import betainc, binom, ndtri

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import runs
from skcostci.laws.exact._lattice import LISTED_ATOMS, binomial, target_of, window
from skcostci.metric import AnyMetric, Metric, of_cells

# Columns per standard deviation of a number that is drawn: where two numbers are drawn (class sizes too), and where one
# is. Doubled: half the error, in four times the time, and in twice.
COLUMNS_OF_TWO, COLUMNS_OF_ONE = 8.0, 256.0
NODES_OF_MOMENTS = 2.0  # per standard deviation of each number; doubled: no digit more, eight times the time
COUNT_ROUNDING = 1e-9  # a count this near to a whole number counts as that number
ZERO_ROUNDING = 1e-300  # of a numerator and denominator that are 0
RATIO_ROUNDING = 8 * np.finfo(float).eps
METRIC_ROUNDING = 1e-14  # of a metric that is not a ratio
MAX_DEGREE = 24  # a larger degree: no digit more
# largest rounding of weights w(x) K_j(x) relative to those of degree 0; ten times as large: two more digits lost
MAX_GROWTH = 1e7


@dataclass(frozen=True, repr=False, eq=False)
class RatioColumns:
    """Columns of a ratio whose numerator and denominator are linear in the count, given at 0 and ``draws``."""

    draws: Integers
    numerator: tuple[Floats, Floats]
    denominator: tuple[Floats, Floats]

    @property
    def first(self) -> Integers:
        return np.where(self.denominator[0] > 0, 0, 1)

    @property
    def last(self) -> Integers:
        d_0, d_1 = self.denominator
        return np.where(d_1 > 0, self.draws, np.where(d_0 > 0, self.draws - 1, 0))

    def up_to(self, x: float, strict: bool = False) -> tuple[Integers, Integers]:
        """The first and last count at which the metric is at most x, or below x; no count if the last is smaller.

        Those with N - x D <= 0 are on one side of its root, as it is linear in the count.
        """
        (n_0, n_1), (d_0, d_1) = self.numerator, self.denominator
        start, end = n_0 - x * d_0, n_1 - x * d_1
        rounding = RATIO_ROUNDING * (np.abs(n_0) + np.abs(n_1) + abs(x) * (d_0 + d_1)) + ZERO_ROUNDING
        edge = -rounding if strict else rounding
        slope = start - end
        # A ratio that does not change with the count is decided below, by its value at the first count.
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
        """The metric in these columns at these counts."""
        share = count / np.maximum(self.draws[column], 1)
        n, d = (low[column] + (high[column] - low[column]) * share for low, high in (self.numerator, self.denominator))
        return np.asarray(n / d)


@dataclass(frozen=True, repr=False, eq=False)
class RisingColumns:
    """Columns of a metric, ``value`` of TP, FN, FP and TN, that does not fall with TP, given FP and class sizes."""

    value: Callable[..., Floats]
    draws: Integers
    negatives: Integers
    alarms: Integers

    @cached_property
    def first(self) -> Integers:
        return np.where(self._defined(np.zeros_like(self.draws)), 0, 1)

    @cached_property
    def last(self) -> Integers:
        top = np.where(self._defined(self.draws), self.draws, self.draws - 1)
        return np.where(self._defined(self.first), top, self.first - 1)

    def up_to(self, x: float, strict: bool = False) -> tuple[Integers, Integers]:
        # A value that differs from x by rounding counts as x.
        edge = x - (METRIC_ROUNDING if strict else -METRIC_ROUNDING) * max(1.0, abs(x))
        every = np.arange(len(self.draws))
        below, above = self.first - 1, np.maximum(self.last, self.first - 1) + 1
        for _ in range(int(self.draws.max() + 2).bit_length()):
            middle = (below + above) // 2
            inside = (middle > below) & (self.values(every, middle) <= edge)
            below, above = np.where(inside, middle, below), np.where(inside | (middle == below), above, middle)
        return self.first, below

    def values(self, column: Integers, count: Integers) -> Floats:
        alarms = self.alarms[column]
        counts = count, self.draws[column] - count, alarms, self.negatives[column] - alarms
        return self.value(*counts)

    def _defined(self, count: Integers) -> Booleans:
        return np.isfinite(self.values(np.arange(len(self.draws)), count))


@dataclass(frozen=True, repr=False, eq=False)
class Sheet:
    """Columns with their probabilities; the count of each is binomial, with this probability of a miss."""

    columns: RatioColumns | RisingColumns
    weights: Floats
    miss: float

    @np.errstate(under="ignore")
    def cdf(self, x: float, undefined: float, *, strict: bool = False) -> float:
        if np.isinf(x) or undefined >= 1:
            return float(x == np.inf and not (strict and undefined >= 1))
        low, high = self.columns.up_to(x, strict)
        mass = float(self.weights @ np.maximum(self._cdf(high) - self._cdf(low - 1), 0.0))
        return min(mass / (1 - undefined), 1.0)

    @np.errstate(under="ignore")
    def quantile(self, q: float, undefined: float, mean: float, deviation: float) -> float:
        """The smallest x with P(X <= x) >= q: a bracket is halved until the values in it can be listed."""
        if undefined >= 1:
            return float("inf")
        target, cdf = float(target_of(np.asarray(q))), partial(self.cdf, undefined=undefined)
        # Only a start: it has to be finite.
        guess = mean + deviation * float(ndtri(np.clip(target, 1e-12, 1 - 1e-12)))
        low, high = _bracket(cdf, target, guess, max(deviation, 1e-12 * max(1.0, abs(mean))) / 8)
        # a single value may be in more columns than LISTED_ATOMS: the bracket cannot be halved for ever
        while self._between(low, high)[1].sum() > LISTED_ATOMS and low < (low + high) / 2 < high:
            middle = (low + high) / 2
            low, high = (low, middle) if cdf(middle) >= target else (middle, high)
        values, masses = self._atoms(low, high)
        order = np.argsort(values, kind="stable")
        reached = int(np.searchsorted(cdf(low) + np.cumsum(masses[order]) / (1 - undefined), target))
        return float(values[order][min(reached, len(order) - 1)])

    def _between(self, low: float, high: float) -> tuple[Integers, Integers]:
        """The counts at which the metric lies in (low, high]: the first of them, and how many there are."""
        (from_low, to_low), (from_high, to_high) = self.columns.up_to(low), self.columns.up_to(high)
        some_low = to_low >= from_low
        start = np.where(some_low & (from_low == from_high), to_low + 1, from_high)
        stop = np.where(some_low & (from_low != from_high), from_low - 1, to_high)
        return start, np.maximum(stop - start + 1, 0)

    def _atoms(self, low: float, high: float) -> tuple[Floats, Floats]:
        start, size = self._between(low, high)
        column, count = runs(start, size)
        masses = self._cdf(count, column) - self._cdf(count - 1, column)
        return self.columns.values(column, count), self.weights[column] * masses

    def _cdf(self, count: Integers, column: Integers | slice = slice(None)) -> Floats:
        return binomial_cdf(count, self.columns.draws[column], self.miss)


@dataclass(frozen=True, repr=False, eq=False)
class MetricAtPoint:
    """A metric of TP, FN, FP and TN in resamples, given that it is defined; ``prevalence`` None is the sample's own."""

    metric: AnyMetric
    counts: Floats
    sampling: str
    prevalence: float | None

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The numbers of positives and negatives; sums of weights if these are no counts."""
        sums = float(self.counts[:2].sum()), float(self.counts[2:].sum())
        whole = round(sums[0]), round(sums[1])
        near = all(abs(a - b) <= COUNT_ROUNDING * b for a, b in zip(sums, whole, strict=True))
        return whole if near else sums  # type: ignore[return-value]  # such weights are never drawn

    @cached_property
    def weights(self) -> tuple[Floats, Floats] | None:
        """The weights of counts in numerator and denominator, if they are the same in every resample, else None."""
        if not isinstance(self.metric, Metric) or (self.sampling == "full" and self.metric.of == "rates"):
            return None
        return self.metric.on_counts(*self.sizes, self.prevalence)

    @cached_property
    def share(self) -> tuple[Floats, Floats] | None:
        """If cells of two kinds matter and are drawn together: a case's two weights by kind, and the counts."""
        if self.weights is None or self.sampling == "stratified":
            return None
        kind = np.column_stack(self.weights)
        matters = kind.any(axis=1)
        kinds, group = np.unique(kind[matters], axis=0, return_inverse=True)
        return (kinds, np.bincount(group.ravel(), self.counts[matters]).astype(np.float64)) if len(kinds) == 2 else None

    def value(self, tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> Floats:
        """The metric of counts with common class sizes, not finite where it is undefined."""
        tp, fn, fp, tn = (np.asarray(count, dtype=np.float64) for count in (tp, fn, fp, tn))
        return of_cells(self.metric, tp, fn, fp, tn, prevalence=self.prevalence)

    @cached_property
    def center(self) -> float:
        """What moments are taken about: the estimate, or 0 where it is not finite."""
        estimate = float(self.value(*self.counts))
        return estimate if np.isfinite(estimate) else 0.0

    @property
    def is_exact(self) -> bool:
        (positives, negatives), (_, of_alarms) = self.sizes, self.rates
        total = positives + negatives
        if self.share is not None:
            seen = float(self.share[1].sum()) / total
            return step_of(total, seen, 1 - seen, COLUMNS_OF_ONE) <= 1
        if self.sampling == "stratified":
            return step_of(negatives, *of_alarms, COLUMNS_OF_ONE) <= 1
        drawn = step_of(total, positives / total, negatives / total, COLUMNS_OF_TWO)
        return max(drawn, step_of(negatives, *of_alarms, COLUMNS_OF_TWO)) <= 1

    @np.errstate(under="ignore")
    def moments(self) -> tuple[float, float, float]:
        """P(undefined), and mean and variance of defined values, from moments about the estimate given the sizes."""
        total, (sizes, pmf) = sum(self.sizes), self.positives_drawn(NODES_OF_MOMENTS)
        given = [self._given_sizes(positives, total - positives) for positives in sizes.tolist()]
        return _averaged(pmf, given, self.center)

    def sheet(self) -> Sheet:
        """The columns of all resamples that may have a value: up to some megabytes, so that points do not keep them."""
        if self.share is None:
            return self._by_alarms()
        # Of two kinds of cases that count both are drawn n times, and those of the second kind among them are binomial.
        (kinds, counts), n = self.share, sum(self.sizes)
        seen = float(counts.sum())
        drawn, pmf = thinned(n, seen / n, (n - seen) / n, COLUMNS_OF_ONE)
        columns = RatioColumns(drawn, *((kinds[0, i] * drawn, kinds[1, i] * drawn) for i in (0, 1)))
        return Sheet(columns, pmf, float(counts[0] / seen))

    def positives_drawn(self, per_deviation: float) -> tuple[Integers, Floats]:
        total = sum(self.sizes)
        if self.sampling == "stratified":
            return np.array([self.sizes[0]]), np.ones(1)
        return thinned(total, self.sizes[0] / total, self.sizes[1] / total, per_deviation)

    @cached_property
    def rates(self) -> tuple[tuple[float, float], tuple[float, float]]:
        tp, fn, fp, tn = self.counts.tolist()
        # Nothing is drawn from an empty class, whose rates would be 0 / 0.
        positives, negatives = (size or 1.0 for size in (tp + fn, fp + tn))
        return (tp / positives, fn / positives), (fp / negatives, tn / negatives)

    def _by_alarms(self) -> Sheet:
        """Columns for each number of false alarms, given the number of positives."""
        total, per_deviation = sum(self.sizes), COLUMNS_OF_ONE if self.sampling == "stratified" else COLUMNS_OF_TWO
        found = []
        for positives, chance in zip(*(each.tolist() for each in self.positives_drawn(per_deviation)), strict=True):
            alarms, pmf = thinned(total - positives, *self.rates[1], per_deviation)
            sizes = np.full((2, len(alarms)), [[positives], [total - positives]])
            found.append((*sizes, alarms, chance * pmf, *self._ends(positives, total - positives, alarms)))
        positive, negative, alarms, weights, *ends = (np.concatenate(column) for column in zip(*found, strict=True))
        columns: RatioColumns | RisingColumns
        if isinstance(self.metric, Metric):
            columns = RatioColumns(positive, (ends[0], ends[1]), (ends[2], ends[3]))
        else:
            columns = RisingColumns(self.value, positive, negative, alarms)
        return Sheet(columns, weights, self.rates[0][1])

    def _ends(self, positives: int, negatives: int, alarms: Integers) -> list[Floats]:
        """Numerator and denominator of a ratio where all positives are missed, and where all are hit."""
        if not isinstance(self.metric, Metric):
            return []
        sides = self.metric.on_counts(positives, negatives, self.prevalence)
        with np.errstate(invalid="ignore"):
            ends = np.array(
                [w[i] * positives + w[2] * alarms + w[3] * (negatives - alarms) for w in sides for i in (1, 0)]
            )
        return list(np.where(np.isnan(ends).any(axis=0), 0.0, ends))  # a class is missing that the metric needs

    def _given_sizes(self, positives: int, negatives: int) -> Floats:
        """P(defined), and the first two moments about the center where the metric is defined."""
        hits, of_hits = thinned(positives, *self.rates[0], NODES_OF_MOMENTS)
        alarms, of_alarms = thinned(negatives, *self.rates[1], NODES_OF_MOMENTS)
        tp = hits[:, None]
        off = self.value(tp, positives - tp, alarms, negatives - alarms) - self.center
        defined = np.isfinite(off)
        off, weights = np.where(defined, off, 0.0), np.multiply.outer(of_hits, of_alarms) * defined
        return np.array([weights.sum(), (weights * off).sum(), (weights * off * off).sum()])


def _averaged(pmf: Floats, given: list[Floats], center: float) -> tuple[float, float, float]:
    """P(undefined), mean and variance from P(defined) and moments about a center, given the class sizes."""
    share, first, second = pmf @ np.reshape(given, (-1, 3))
    if share <= 0:
        return 1.0, np.inf, np.inf
    off = first / share
    return max(1 - share, 0.0), center + off, max(second / share - off * off, 0.0)


def paired_metric_moments(a: MetricAtPoint, b: MetricAtPoint, counts: Floats) -> tuple[float, float, float]:
    """P(either is undefined), and mean and variance of a minus b where both are defined, from eight joint cells."""
    total, correlations = sum(a.sizes), _correlations(counts)

    def given_sizes(positives: int) -> Floats:
        """P(both are defined), and the first two moments about a center where they are."""
        sizes = positives, total - positives
        of_a, of_b = (_coefficients(each, sizes) for each in (a, b))
        degrees = [np.arange(min(rows)) for rows in zip(of_a.shape[1:], of_b.shape[1:], strict=True)]
        weights = np.multiply.outer(*(np.float64(r) ** j for r, j in zip(correlations, degrees, strict=True)))
        # joint moments of powers 0, 1 and 2 of each model's difference from its center
        shared = (each[:, : len(degrees[0]), : len(degrees[1])] for each in (of_a, of_b))
        powers = np.einsum("ijk,ljk,jk->il", *shared, weights)
        off = powers[1, 0] - powers[0, 1], powers[2, 0] + powers[0, 2] - 2 * powers[1, 1]
        return np.array([powers[0, 0], *off])

    sizes, pmf = a.positives_drawn(NODES_OF_MOMENTS)
    return _averaged(pmf, [*map(given_sizes, sizes.tolist())], a.center - b.center)


def _correlations(counts: Floats) -> list[float]:
    """The correlation of both models' hits in one draw, for positives and for negatives, from the eight joint cells."""
    found = []
    for both, a_only, b_only, neither in counts.reshape(2, 4):
        spread = (both + a_only) * (b_only + neither) * (both + b_only) * (a_only + neither)
        found.append(float((both * neither - a_only * b_only) / np.sqrt(spread)) if spread > 0 else 0.0)
    return found


def _coefficients(point: MetricAtPoint, sizes: tuple[int, int]) -> Floats:
    """``E[off^m K_j(hits) K_k(alarms)]`` for m = 0, 1, 2, off being a value minus the center."""
    (hits, of_hits), (alarms, of_alarms) = (_weights(n, *rates) for n, rates in zip(sizes, point.rates, strict=True))
    tp = hits[:, None]
    off = point.value(tp, sizes[0] - tp, alarms, sizes[1] - alarms) - point.center
    defined = np.isfinite(off)
    # Undefined values have no weight, and nan times 0 would be nan.
    off = np.where(defined, off, 0.0)
    return np.asarray(of_hits @ np.stack([defined, off, off * off]) @ of_alarms.T)


@lru_cache(maxsize=512)  # of a model that is compared with others they are the same in each pair
def _weights(draws: int, hit: float, miss: float) -> tuple[Integers, Floats]:
    """The values x of a binomial law, or every k-th of them, and w(x) K_j(x), shape (n_degrees, n_values)."""
    variance = draws * hit * miss
    low, high = window(draws * hit, variance, 1.0, 0, draws)
    values = np.arange(low, high + 1, max(1, int(np.sqrt(variance) / NODES_OF_MOMENTS)))
    degrees = np.arange(min(draws, MAX_DEGREE) + 1)
    scale = np.sqrt(binom(draws, degrees) * (hit * miss) ** degrees)
    degrees = degrees[scale * 2.0**degrees <= MAX_GROWTH]
    top = int(degrees[-1])
    hits, pmf = binomial(draws - top, hit, miss)
    place = values - np.arange(top + 1)[:, None] - hits[0]
    inside = (place >= 0) & (place < len(hits))
    # Counts outside the window have no mass; their index would wrap round.
    shifted = np.where(inside, pmf[np.clip(place, 0, len(hits) - 1)], 0.0)
    weights = scale[: top + 1, None] * (_products(top, hit, miss) @ shifted)
    return values, weights / weights[0].sum()


@lru_cache(maxsize=256)  # the same for most of the class sizes that are drawn
def _products(top: int, hit: float, miss: float) -> Floats:
    """The coefficients of ``(miss + hit z)^(top - j) (z - 1)^j``, one row per degree j."""
    rows = np.zeros((top + 1, top + 1))
    rows[0, 0] = 1.0
    for degree in range(1, top + 1):
        before = rows[:degree, :degree].copy()
        rows[:degree, : degree + 1] = before @ convolution_matrix([miss, hit], degree).T
        rows[degree, : degree + 1] = np.convolve(before[-1], [-1.0, 1.0])
    return rows


def thinned(draws: int, hit: float, miss: float, per_deviation: float) -> tuple[Integers, Floats]:
    """Values and probabilities of a binomial law, or of every k-th value, with so many per standard deviation."""
    step = step_of(draws, hit, miss, per_deviation)
    if step <= 1:
        return binomial(draws, hit, miss)
    low, high = window(draws * hit, draws * hit * miss, 1.0, 0, draws)
    values = np.arange(low, high + 1, step)
    every = np.full(len(values), draws)
    masses = np.maximum(binomial_cdf(values, every, miss) - binomial_cdf(values - 1, every, miss), 0.0)
    return values, masses / masses.sum()


def step_of(draws: int, hit: float, miss: float, per_deviation: float) -> int:
    """The step between values with so many per standard deviation; up to 1 all values are used."""
    return int(np.sqrt(draws * hit * miss) / per_deviation)


def binomial_cdf(count: Integers, draws: Integers, miss: float) -> Floats:
    """P(hits <= count) of so many draws; by the Beta integral, as ``scipy.special.bdtr`` is off by .3 at 1e9 draws."""
    found, inside = (count >= draws).astype(np.float64), (count >= 0) & (count < draws)
    count, draws = count[inside], draws[inside]
    found[inside] = betainc(draws - count, count + 1, miss)
    return found


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
