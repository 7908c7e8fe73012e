"""Calibration of risks: events if every risk is right, and the logistic regression of the event on the risk's logit.

**If every risk is right** distributions are exact, and a p-value is combined from many of them.

Cases j have risks p_j and information v_j = p_j (1 - p_j), in total V. Every part below is a sum of whole numbers whose
distribution is known if every risk is right, as a convolution of Bernoulli distributions:

1. in the large: S = sum y, of weight w = 1/3;
2. slope: T = sum s y, of weight 1/3, where x = logit p, centred and scaled by v to mean 0 and variance 1, cut off at
   -3 and 3, centred and scaled again, and s = round(4 x);
3. ranges of risk: S within each. Cumulated information in [0, 1] is divided into 2^d ranges at each depth d = 1..D,
   and for d < D also into ranges shifted by half a range, D being the largest number up to 6 with V / 2^D >= 1. Ranges
   that occurred before, or are the whole, are left out; the N_d that are left at a depth share the weight
   (1/3) (1/d) / sum of 1/d. Cases of one risk are never divided.

With p_b = min(1, 2 min(P(S <= s), P(S >= s))) of part b, A_b(u) = P(p_b <= u) and t = min over b of p_b / w_b,

    p = min(1, sum over b of A_b(w_b t)):

Bonferroni's bound with the levels that discrete distributions attain (Tarone 1990). P(p <= a) <= a for every number of
cases, all risks and ties; events need not rise with the risk. Part b's adjusted p-value is the sum of
A_b'(w_b' p_b / w_b).

Distributions are products of single cases 64 at a time, then of neighbours in pairs, by FFT where both are long; tails
below 1e-22, of cases of one risk below 2e-18, are cut off. p-values below 1e-13 are rounding.

**Slope and intercept.** With x = logit p of case i, 0 < p < 1, and y_i the event,

    P(y = 1) = m = expit(a + b x),

calibrated risks have the slope b = 1 and the intercept a = 0 (Cox 1958). Two quantities are distinguished: the slope
with its own intercept, and the *intercept given slope 1*, calibration in the large on the logit scale. a and b
maximize the likelihood, by Newton's steps; J is the information there. With the leverage of a case,
h = m (1 - m) (1, x)' J^-1 (1, x), the variance by HC3 is

    J^-1 [sum of (1, x)(1, x)' (y - m)^2 / (1 - h)^2] J^-1,

which is right to first order where the curve is not logistic. The variance used is the larger of this and J^-1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.optimize import brentq
from scipy.special import expit, logit, xlogy

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import Masses, binomial

TAIL = 1e-22  # probability of a distribution's tail that is cut off
BLOCK = 64  # cases that are multiplied together at once
DIRECT = 200  # values up to which a direct convolution is quicker than by FFT
DEEPEST = 6  # largest depth of ranges: on average each of these has a 64th of the information
SMALLEST_RISK = 1e-9  # to which risks are raised before a logit is taken
FURTHEST, SCORES = 3.0, 4.0  # where standardized logits are cut off, and the number of whole scores per unit
MOST_STEPS, CLOSE = 100, 1e-12  # number of Newton's steps, and the size at which they end, in standard errors
MOST_LEVERAGE = 1 - 1e-9  # used for a case that determines the line alone
ROUNDING = 1e-12  # relative rounding of a level that is attained
NOTHING = Masses(np.zeros(1), np.ones(1))


def sum_of_two(one: Masses, other: Masses) -> Masses:
    start, (a, b) = int(one.values[0] + other.values[0]), (one.pmf, other.pmf)
    if min(len(a), len(b)) < DIRECT:
        return trimmed(start, np.convolve(a, b))
    size = len(a) + len(b) - 1
    n = next_fast_len(size, real=True)
    # A transform may make probabilities near 0 negative.
    return trimmed(start, np.maximum(irfft(rfft(a, n) * rfft(b, n), n)[:size], 0.0))


def times(counts: Masses, factor: int) -> Masses:
    spread = np.zeros(abs(factor) * (len(counts.pmf) - 1) + 1)
    spread[::factor] = counts.pmf
    return trimmed(int((factor * counts.values).min()), spread)


def trimmed(start: int, chances: Floats) -> Masses:
    """The distribution without negligible tails at either end."""
    first, last = int(chances.cumsum().searchsorted(TAIL)), int(chances[::-1].cumsum().searchsorted(TAIL))
    return Masses(start + np.arange(first, len(chances) - last, dtype=np.float64), chances[first : len(chances) - last])


def joined(parts: Sequence[Masses]) -> Masses:
    """The distribution of the sum of all, neighbours in pairs so that convolved distributions have similar lengths."""
    while len(parts) > 1:
        pairs = [sum_of_two(one, other) for one, other in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *parts[2 * len(pairs) :]]
    return parts[0] if parts else NOTHING


def events_of(risks: Floats, cases: Integers) -> Masses:
    """The distribution of the number of events among so many cases of each risk."""
    several = cases > 1
    found = [trimmed(0, chances) for chances in _blocks(risks[cases == 1])]
    for risk, many in zip(risks[several].tolist(), cases[several].tolist(), strict=True):
        values, chances = binomial(many, risk, 1 - risk)
        found.append(trimmed(int(values[0]), chances))
    return joined(found)


def _blocks(risks: Floats) -> Iterator[Floats]:
    """Blocks of single cases: polynomials 1 - p + p z, multiplied in pairs, all blocks at once."""
    padded = np.append(risks, np.zeros(-len(risks) % BLOCK)).reshape(-1, BLOCK)
    chances = np.stack([1 - padded, padded], axis=-1)  # blocks, factors, coefficients
    while chances.shape[1] > 1:
        a, b = chances[:, ::2], chances[:, 1::2]
        width = a.shape[2]
        product = np.zeros((*a.shape[:2], 2 * width - 1))
        for place in range(width):
            product[..., place : place + width] += a[..., place : place + 1] * b
        chances = product
    yield from chances[:, 0]


@dataclass(frozen=True, repr=False, eq=False)
class PartOfEvents:
    """One part: the first and last risk that it sums over, its weight, its distribution, and the sum seen."""

    name: str
    first: int
    last: int
    weight: float
    counts: Masses
    seen: int

    @cached_property
    def each_side(self) -> tuple[float, float]:
        """P(S <= seen) and P(S >= seen), at least ``TAIL``."""
        below = self.counts.cumulative[np.searchsorted(self.counts.values, self.seen, "right")]
        above = self.counts.remaining[np.searchsorted(self.counts.values, self.seen)]
        return max(float(below), TAIL), max(float(above), TAIL)

    @property
    def pvalue(self) -> float:
        return min(1.0, 2 * min(self.each_side))

    @property
    def more(self) -> bool:
        below, above = self.each_side
        return above < below

    def attained(self, level: float) -> float:
        """The probability of a p-value at most the level: the largest tails up to half of the level."""
        if level >= 1:
            return 1.0
        # A tail that equals the level belongs to it, also after rounding. The first tail, 0, has no number of events in
        # it: it is taken if already the next one, of the least or the greatest number, exceeds half of the level.
        half, tails = level / 2 * (1 + ROUNDING), (self.counts.cumulative, self.counts.remaining[::-1])
        return sum(float(tail[np.searchsorted(tail[1:], half, side="right")]) for tail in tails)


@dataclass(frozen=True, repr=False, eq=False)
class RightRisks:
    """Events among cases of ascending distinct risks, if every risk is right."""

    risks: Floats
    cases: Integers
    events: Integers

    @cached_property
    def information(self) -> Floats:
        return np.asarray(self.cases * self.risks * (1 - self.risks))

    @property
    def is_impossible(self) -> bool:
        never, always = self.risks == 0, self.risks == 1
        return bool(self.events[never].any() or (self.cases - self.events)[always].any())

    @cached_property
    def parts(self) -> tuple[PartOfEvents, ...]:
        last, ranges, third = len(self.risks) - 1, self._ranges, 1 / 3
        whole = joined([ranges[key] for key in sorted(ranges) if key[0] == self._depth])
        found = [PartOfEvents("in_the_large", 0, last, third, whole, int(self.events.sum())), self._slope(third)]
        seen, by_depth = {(0, last)}, dict[int, list[tuple[int, int, Masses]]]()
        for (depth, start), counts in sorted(ranges.items()):
            span = self._span(depth, start)
            if span is not None and span not in seen:
                seen.add(span)
                by_depth.setdefault(depth, []).append((*span, counts))
        total = sum(1 / depth for depth in by_depth)
        for depth, new in by_depth.items():
            weight = third / depth / total / len(new)
            for first, end, counts in new:
                found.append(PartOfEvents("range", first, end, weight, counts, int(self.events[first : end + 1].sum())))
        return tuple(found)

    @cached_property
    def _depth(self) -> int:
        """How often the information is halved: ranges have on average that of four cases of risk 1/2, or more."""
        whole = float(self.information.sum())
        return max(min(DEEPEST, int(np.floor(np.log2(whole)))), 0) if whole >= 1 else 0

    @cached_property
    def _leaves(self) -> Integers:
        """The first value in each range of the largest depth, then the number of values."""
        weights, leaves = self.information, 2**self._depth
        passed = (np.cumsum(weights) - weights / 2) / weights.sum()
        leaf = np.minimum((leaves * passed).astype(np.int64), leaves - 1)
        return np.searchsorted(leaf, np.arange(leaves + 1))

    def _span(self, depth: int, start: float) -> tuple[int, int] | None:
        """The first and last value of a range at a depth, ``start`` counted in ranges; None if the range is empty."""
        width = 2 ** (self._depth - depth)
        first, end = self._leaves[int(start * width)], self._leaves[int((start + 1) * width)]
        return (int(first), int(end) - 1) if end > first else None

    @cached_property
    def _ranges(self) -> dict[tuple[int, float], Masses]:
        """The distribution of events in each range, by depth and start, each from two ranges of the next depth."""
        deepest, bounds = self._depth, self._leaves.tolist()
        found = {
            (deepest, float(k)): events_of(self.risks[i:j], self.cases[i:j])
            for k, (i, j) in enumerate(pairwise(bounds))
        }
        for depth in range(deepest - 1, 0, -1):
            for start in np.arange(0, 2**depth - 0.75, 0.5).tolist():
                found[depth, start] = sum_of_two(found[depth + 1, 2 * start], found[depth + 1, 2 * start + 1])
        return found

    @cached_property
    def standardized(self) -> Floats:
        """The x of each risk; 0 where all information is in one risk."""
        # Risks of 0 and 1 have infinite logits.
        weights, x = self.information, logit(np.clip(self.risks, SMALLEST_RISK, 1 - SMALLEST_RISK))
        for furthest in (FURTHEST, np.inf):
            x = x - weights @ x / weights.sum()
            spread = np.sqrt(weights @ x**2 / weights.sum())
            if spread <= ROUNDING:
                return np.zeros_like(x)
            x = np.clip(x / spread, -furthest, furthest)
        return np.asarray(x)

    def _slope(self, weight: float) -> PartOfEvents:
        scores = np.rint(SCORES * self.standardized).astype(np.int64)
        parts = [
            times(events_of(self.risks[scores == s], self.cases[scores == s]), s)
            for s in np.unique(scores[scores != 0]).tolist()
        ]
        counts = reduce(sum_of_two, sorted(parts, key=lambda part: len(part.pmf)), NOTHING)
        return PartOfEvents("slope", 0, len(scores) - 1, weight, counts, int(scores @ self.events))

    def adjusted_of(self, own: PartOfEvents) -> float:
        """The p-value of a part, adjusted for all parts: never below its own, whatever tails were cut off."""
        level = own.pvalue / own.weight
        return min(1.0, max(own.pvalue, sum(part.attained(part.weight * level) for part in self.parts)))

    @cached_property
    def pvalue(self) -> float:
        if self.is_impossible:
            return 0.0
        if self.information.sum() == 0:
            return 1.0
        return self.adjusted_of(min(self.parts, key=lambda part: part.pvalue / part.weight))


class Risks(NamedTuple):
    """Distinct logits, ascending, and how many cases and how many events there are at each."""

    x: Floats
    cases: Floats
    events: Floats

    @property
    def n(self) -> float:
        return float(self.cases.sum())

    @property
    def total(self) -> float:
        return float(self.events.sum())

    @property
    def reason(self) -> str:
        if not self.n:
            return "all risks are 0 or 1"
        if self.total in (0, self.n):
            return "no events" if self.total == 0 else "events only"
        return "all risks are the same" if len(self.x) == 1 else ""

    @property
    def separated(self) -> int:
        """1 where no event has a smaller logit than a case without event, -1 where none has a larger one, else 0."""
        with_event, without = self.x[self.events > 0], self.x[self.cases > self.events]
        return int(without.max() <= with_event.min()) - int(with_event.max() <= without.min())

    def likelihood(self, a: float, b: float) -> float:
        eta = a + b * self.x
        return float(self.events @ eta - self.cases @ np.logaddexp(0, eta))

    @property
    def largest(self) -> float:
        """The limit of the log likelihood where classes are separated, due to events and others at the same logit."""
        mixed = (self.events > 0) & (self.events < self.cases)
        events, cases = self.events[mixed], self.cases[mixed]
        return float((xlogy(events, events / cases) + xlogy(cases - events, 1 - events / cases)).sum())

    def intercept(self, b: float, events: float) -> float:
        """The intercept at slope b with so many events expected."""
        n, eta = self.n, b * self.x
        share = float(logit(events / n))
        ends = share - float(eta.max()) - 1, share - float(eta.min()) + 1
        # The logit of the mean risk is nearly linear in the intercept: half as many steps as by the number of events.
        return float(brentq(lambda a: logit(self.cases @ expit(a + eta) / n) - share, *ends, xtol=1e-14, maxiter=1000))

    def information(self, a: float, b: float) -> Floats:
        m, X = expit(a + b * self.x), self.design
        return np.asarray(X.T @ (X * (self.cases * m * (1 - m))[:, None]))

    @property
    def design(self) -> Floats:
        return np.column_stack([np.ones_like(self.x), self.x])

    def fitted(self) -> tuple[float, float]:
        a, b = self.intercept(1.0, self.total), 1.0
        best = self.likelihood(a, b)
        for _ in range(MOST_STEPS):
            score = self.design.T @ (self.events - self.cases * expit(a + b * self.x))
            step = np.linalg.solve(self.information(a, b), score)
            while (found := self.likelihood(a + step[0], b + step[1])) < best - CLOSE * abs(best):
                step = step / 2  # a full step may lead away, where the classes hardly overlap
            a, b, best = a + float(step[0]), b + float(step[1]), found
            if score @ step < CLOSE**2:
                break
        return a, b

    def variances(self, a: float, b: float) -> Floats:
        X, m = self.design, expit(a + b * self.x)
        inverse = np.linalg.inv(self.information(a, b))
        # A case that determines the fit alone has leverage 1, and HC3 divides by 1 minus the leverage.
        leverage = np.minimum(m * (1 - m) * ((X @ inverse) * X).sum(axis=1), MOST_LEVERAGE)
        squares = self.events * (1 - m) ** 2 + (self.cases - self.events) * m**2
        meat = X.T @ (X * (squares / (1 - leverage) ** 2)[:, None])
        return np.maximum(np.diag(inverse), np.diag(inverse @ meat @ inverse))


@dataclass(frozen=True, repr=False, eq=False)
class CoefficientLaw:
    """The law of a slope or an intercept; the data bound one with an infinite estimate on one side only."""

    risks: Risks
    mean: float
    variance: float = np.inf
    is_exact: ClassVar = False
    support: ClassVar = (-np.inf, np.inf)


def intercept_law(risks: Risks) -> CoefficientLaw:
    """The law of the intercept given slope 1."""
    if risks.total in (0, risks.n):
        return CoefficientLaw(risks, np.inf if risks.total else -np.inf)
    mean = risks.intercept(1.0, risks.total)
    return CoefficientLaw(risks, mean, 1 / float(risks.information(mean, 1.0)[0, 0]))
