"""Average precision and the partial AUC of a drawn ROC curve: values, influences, and moments in a resample.

With A_g and B_g the positives and negatives at or above the g-th distinct score, a_g and b_g those that have it, m and
n the class sizes,

    AP = (1/m) sum_g a_g A_g / (A_g + r B_g),    r = 1, or (1 - pi) m / (pi n) where a share pi is taken to be positive,
    area = sum_g [c_g A_(g-1) + a_g c_g^2 / (2 b_g)] / (m n),    c_g = clip(k - B_(g-1), 0, b_g),

the area being that under straight lines between the curve's points up to a false-positive rate t, which k = t n
negatives reach. A star marks values of a resample, in which each class is drawn to its own size.

**Average precision.** Negatives enter only by B_g at the scores of positives. With D_g positives of a resample at a
score, M_g and N_g positives and negatives at or above it, the difference from 1 is

    1 - AP* = (1/m) sum_g D_g r N_g / (M_g + r N_g) = (r/m) sum_g int_0^inf D_g e^(-u M_g) N_g e^(-u r N_g) du.

Positives and negatives are independent and multinomial: with shares d = a_g/m, p = A_g/m and f = B_g/n, s = e^-u, z =
s^r, ``E[D s^M] = m d s (1 - p + p s)^(m-1)`` and ``E[N z^N] = n f z (1 - f + f z)^(n-1)``. The mean of the square is
the double integral of products of two such. The trapezoid rule in x, ``(m + r n) u = exp(x - e^-x)``, is exact to
rounding, relative to 1 - AP where that is small. Its cost grows with the square of the number of these scores. Beyond
``MAX_EXACT_SCORES`` scores of positives, or ``MAX_EXACT_CASES`` cases of each class, the variance is of first order (1
to 4 % too large with 20 or more positives) and the bias of second:

    E AP* - AP = (1/m) sum_g a_g r^2 B_g [B_g (1 - A_g/m) + A_g (1 - B_g/n)] / (A_g + r B_g)^3.

**The partial area.** A positive at the g-th score adds phi / (m n) to it: phi = (k - B_g) + b_g/2 if B_g <= k, c_g^2 /
(2 b_g) if the curve reaches k negatives within that score, 0 beyond. In a resample the B_g are a Markov chain: a
negative drawn that is not above the g-th score is at it with probability b_g over the negatives seen at or below it.
Positives are multinomial. So mean and variance come from one pass from the lowest score up, for each number of
negatives drawn above: V, S and Q (``first``, ``square`` and ``each``) are the means of sum_g w phi, of its square, and
of sum_g w phi^2, with w = a_g / m; the area has mean = V/n and variance = S/n^2 - mean^2 + (Q - S) / (n^2 m). Beyond
``MAX_EXACT_MOVES`` the variance is of first order here too.

**The bias of average precision where groups are resampled**, to second order. A group j whose weight grows by e adds e
times its own counts: with A_j and B_j its positives and negatives at or above a level, a_j its positives at that level,
m_j and n_j its class sizes, A becomes A + e A_j, and so on. With C = r B, W = A + C and P = A / W, the precision at a
level,

    r' = r (m_j/m - n_j/n),                     r'' = 2 r n_j/n (n_j/n - m_j/m),           both 0 where no pi is given,
    C' = r' B + r B_j,                          C'' = r'' B + 2 r' B_j,
    P' = N / W^2,  N = C A_j - A C',            P'' = -A C'' / W^2 - 2 N (A_j + C') / W^3,

and for AP = S / m, S = sum of a P over levels,

    S' = sum (a_j P + a P'),   S'' = sum (2 a_j P' + a P''),   AP'' = (S'' - 2 S' m_j/m + 2 S m_j^2/m^2) / m.

The bias is half the sum of AP'' over groups: their weights in a resample have variance 1 and a fixed sum, and AP does
not change if all weights change alike. N, A_j + C' and r' are linear in (A_j, B_j, m_j, n_j), so that per level only
the second moments of these four over groups are needed: running sums over cases, whatever the number of groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import combinations
from typing import ClassVar, Self

import numpy as np
from scipy.special import bdtr, gammaln, xlog1py, xlogy

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.influence._first_order import FirstOrderLaw

NO_CASES = np.finfo(np.float64).tiny  # replaces a number of cases that is 0 and has no weight
MAX_EXACT_SCORES = 24  # distinct scores of positives: a twentieth of a second; doubled: four times as long
MAX_EXACT_CASES = 10_000  # of the smaller class: beyond, first order errs by less than .1 %
QUADRATURE_STEP = 0.2  # of x, with an error of 1e-14; doubled: 1e-9, in a quarter of the time
MAX_EXPONENT = 60.0  # exp(-60) is left out; doubled: no digit, a tenth more nodes
MAX_EXACT_MOVES = 4_000_000  # transitions between numbers of negatives, over all scores: about half a second
VARIANCE_ROUNDING = 1e-13  # of a variance, relative to the square of the range
NEGLIGIBLE_REACH = 1e-17  # scores that a curve goes beyond less probably are left out: rounding


@dataclass(frozen=True, repr=False, eq=False)
class AveragePrecision:
    """Average precision, ``least`` at its smallest; ``odds`` are (1 - pi) / pi, None for the mix of the counts."""

    least: float
    odds: float | None = None

    @property
    def support(self) -> tuple[float, float]:
        return self.least, 1.0

    @property
    def of_rates(self) -> bool:
        return self.odds is not None

    def _cumulated(self, a: Floats, b: Floats) -> tuple[Floats, Floats, float]:
        """A_g, r B_g and r."""
        above, below = np.cumsum(a), np.cumsum(b)
        r = 1.0 if self.odds is None else self.odds * above[-1] / below[-1]
        return above, r * below, float(r)

    def value(self, a: Floats, b: Floats) -> float:
        above, below, _ = self._cumulated(a, b)
        return float(np.einsum("i,i", a, above / np.maximum(above + below, NO_CASES)) / above[-1])

    def influences(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """A positive adds its precision and raises the precision at all scores not above; a negative lowers these."""
        above, below, r = self._cumulated(a, b)
        whole = np.maximum(above + below, NO_CASES)
        share, precision = a / whole, above / whole
        m = above[-1]
        average = float(np.einsum("i,i", a, precision)) / m  # threads of a product by @ would spin long after it
        own, other = (_from_below(share / whole * part) for part in (below, above))
        own += np.where(a > 0, precision, average)
        other *= -r
        if self.odds is not None:
            average = float(np.einsum("i,i", a, own)) / m
            other -= float(np.einsum("i,i", b, other)) / float(b.sum())
        return (own - average) / m, other / m

    def left_out(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """In place of influences (k - 1) / k times the effect of leaving a case out, k the cases drawn together.

        Where models are alike influences give .67 of the variance, and at a small share of positives even less.
        """
        above, below, m, n = np.cumsum(a), np.cumsum(b), float(a.sum()), float(b.sum())
        here, found = self.value(a, b), []
        for x, y, cases in ((1, 0, a), (0, 1, b)):
            if m == x or n == y:
                found.append(np.zeros_like(cases))
                continue
            r = 1.0 if self.odds is None else self.odds * (m - x) / (n - y)
            fewer = above - x, r * np.maximum(below - y, 0)  # no case is above the first of its class
            kept, beyond = _precisions(a, above, r * below), _precisions(a, *fewer)
            sums = np.cumsum(kept) - kept + _precisions(np.maximum(a - x, 0), *fewer) + _from_below(beyond) - beyond
            k = cases.sum() if self.of_rates else m + n
            found.append(np.where(cases > 0, (k - 1) / k * (here - sums / (m - x)), 0.0))
        return found[0], found[1]

    def bias(self, a: Floats, b: Floats) -> float:
        above, below, r = self._cumulated(a, b)
        m, n = above[-1], r * float(b.sum())
        moved = below * (1 - above / m) * below + r * below * above * (1 - below / n)
        whole = above + below
        return float(np.einsum("i,i", a, moved / (whole * whole * whole)) / m)  # powers take ten times as long

    @np.errstate(under="ignore", divide="ignore")  # at far nodes all powers are next to 0
    def exact_moments(self, a: Floats, b: Floats) -> tuple[float, float] | None:
        """Exact mean and variance, each class resampled to its own size; None if there are many scores or cases."""
        if np.count_nonzero(a) > MAX_EXACT_SCORES or min(a.sum(), b.sum()) > MAX_EXACT_CASES:
            return None
        some, m, n, r = a > 0, float(a.sum()), float(b.sum()), self._cumulated(a, b)[2]
        d, p, f = (a / m)[some], (np.cumsum(a) / m)[some], (np.cumsum(b) / n)[some]
        u, weights = _nodes(m + r * n, float(a[some][0]))
        (hit, hits), (alarm, alarms) = _of_one_score(m, d, p, u), _of_one_score(n, f, f, r * u)
        complement = r / m * float((hit * alarm).sum(axis=0) @ weights)
        # a score with itself: the double integral of a function of u + v is the single integral of u times it
        square = float((hits * alarms).sum(axis=0) @ (u * weights))
        for product in _of_two_scores(m, n, d, p, f, u, r):
            square += 2 * float(weights @ product @ weights)
        return 1 - complement, max(square * (r / m) ** 2 - complement**2, 0.0)


def _precisions(a: Floats, above: Floats, below: Floats) -> Floats:
    """The positives of each score times the precision there."""
    above = np.maximum(above, 0)
    return np.asarray(a * above / np.maximum(above + below, NO_CASES))


def _from_below(parts: Floats) -> Floats:
    """Sums over this score and all below it."""
    return np.asarray(np.cumsum(parts[::-1])[::-1])


def _nodes(counted: float, top: float) -> tuple[Floats, Floats]:
    """Nodes and weights from u = 0, dense past 1 / ``counted``, to where e^(-u top), or e^-u if top <= 100, is 0."""
    x = np.arange(-4.0, np.log(MAX_EXPONENT * counted / (top if top > 100 else 1.0)) + 0.5, QUADRATURE_STEP)
    u = np.exp(x - np.exp(-x)) / counted
    return u, np.asarray(QUADRATURE_STEP * u * (1 + np.exp(-x)))


def _of_one_score(size: float, share: Floats, reached: Floats, u: Floats) -> tuple[Floats, Floats]:
    """``E[X e^(-uY)]`` and ``E[X^2 e^(-uY)]`` of X cases with this share among Y, at each score and u."""
    x, off = np.multiply.outer(share, np.exp(-u)), np.multiply.outer(reached, np.expm1(-u))
    first = size * x * _power(off, size - 1)
    return first, first + size * (size - 1) * x**2 * _power(off, size - 2)


def _of_two_scores(m: float, n: float, d: Floats, p: Floats, f: Floats, u: Floats, r: float) -> Iterator[Floats]:
    """``E[D_g D_h N_g N_h e^(-u(M_g + r N_g) - v(M_h + r N_h))]`` at each u and v, for each two scores, g above h."""
    both, low = np.add.outer(u, u), u[None]
    s_both, s_low, z_both, z_low = (np.exp(-each) for each in (both, low, r * both, r * low))
    p_both, p_low, f_both, f_low = (np.expm1(-each) for each in (both, low, r * both, r * low))
    for g, h in combinations(range(len(d)), 2):
        hits = m * (m - 1) * d[g] * d[h] * s_both * s_low * _power(p[g] * p_both + (p[h] - p[g]) * p_low, m - 2)
        above, between = f[g] * z_both, (f[h] - f[g]) * z_low
        off = f[g] * f_both + (f[h] - f[g]) * f_low
        yield hits * n * above * (_power(off, n - 1) + (n - 1) * (above + between) * _power(off, n - 2))


def _power(off: Floats, exponent: float) -> Floats:
    """A power of ``1 + off``, to all digits; a negative exponent does not matter, as its factor is 0."""
    return np.asarray(np.exp(xlog1py(max(exponent, 0.0), np.maximum(off, -1.0))))


@dataclass(frozen=True, repr=False, eq=False)
class PartialAUC:
    """The partial area up to the rate t, or McClish's standardized value, 1/2 at random and 1 at best."""

    t: float
    standardize: bool
    of_rates: ClassVar = True

    @property
    def line(self) -> tuple[float, float]:
        """Intercept and slope of the statistic as a function of the share of t that is under the curve."""
        if not self.standardize:
            return 0.0, self.t
        random = self.t / 2
        return 0.5 - 0.5 * random / (1 - random), 0.5 / (1 - random)

    @property
    def support(self) -> tuple[float, float]:
        start, factor = self.line
        return start, start + factor

    def value(self, a: Floats, b: Floats) -> float:
        reached, above, halved = self._crossing(a, b)
        start, factor = self.line
        area = float(reached @ above + a @ halved)
        return start + factor * (area / (float(a.sum()) * float(b.sum()) * self.t))

    def _crossing(self, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
        """c_g, A_(g-1) and c_g^2 / (2 b_g)."""
        below = np.cumsum(b)
        k = self.t * below[-1]
        # The curve stops at k negatives, within a level or at its end.
        reached = np.clip(k - (below - b), 0, b)
        halved = np.divide(reached**2, 2 * b, out=np.zeros_like(reached), where=b > 0)
        return reached, np.cumsum(a) - a, halved

    def influences(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """By the derivative of the area, at the fixed rate t; ``top`` is the curve's height there, in positives."""
        reached, above, halved = self._crossing(a, b)
        m, n = float(a.sum()), float(b.sum())
        k, below = self.t * n, np.cumsum(b)
        phi = np.clip(k - below, 0, None) + halved
        slope = np.divide(a, b, out=np.zeros_like(a), where=b > 0)
        inside = below - b < k
        last = int(np.flatnonzero(inside)[-1])
        top = above[last] + slope[last] * reached[last]
        crossed = np.where(below <= k, above + a / 2 - top, -slope * halved)
        own, other = phi / k, (np.where(inside, crossed, 0.0) + self.t * top) / (m * self.t)
        factor = self.line[1]
        return factor * (own - float(a @ own) / m) / m, factor * (other - float(b @ other) / n) / n

    def exact_moments(self, a: Floats, b: Floats) -> tuple[float, float] | None:
        """Mean and variance, each class resampled to its own size; None where that would take long."""
        runs, tied, positives = _levels(a, b)
        m, n = float(a.sum()), round(float(b.sum()))
        k = self.t * n
        states = int(np.ceil(k))
        below = np.cumsum(runs + tied)
        reach = int(np.searchsorted(bdtr(states - 1, n, below / n) < NEGLIGIBLE_REACH, True))
        levels = min(reach + 1, len(positives))
        if levels * states**2 + int((tied[:levels] > 0).sum()) * states * n > MAX_EXACT_MOVES:
            return None
        moments, left = np.zeros((3, states)), np.concatenate([[float(n)], n - below])
        for g in range(levels - 1, -1, -1):
            moments = _before(moments, n, k, tied[g], left[g] - runs[g], positives[g] / m)
            moments = _before(moments, n, k, runs[g], left[g], 0.0)
        mean, square, each = moments[:, 0].tolist()
        start, factor = self.line
        unit = factor / self.t
        variance = square / n**2 - (mean / n) ** 2 + (each - square) / (n**2 * m)
        return start + unit * mean / n, unit**2 * max(variance, 0.0)


def _levels(a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    """At each score of a positive: the negatives since the one before, those that share it, and the positives."""
    some = np.flatnonzero(a > 0)
    tied = b[some]
    return np.diff(np.cumsum(b)[some] - tied, prepend=0.0) - np.concatenate([[0.0], tied[:-1]]), tied, a[some]


def _before(after: Floats, n: int, k: float, negatives: float, left: float, w: float) -> Floats:
    """V, S and Q before a score with ``negatives`` of the ``left`` ones and positives of weight w, from those after it.

    One column for each number of negatives drawn above, 0 to the last below k.
    """
    drawn = np.arange(after.shape[1])
    if not negatives:
        return _with_positives(after, w, k - drawn.astype(np.float64))
    width = n + 1 if w else len(drawn)
    to = np.arange(width)
    more = to - drawn[:, None]
    chance = _binomial(more, n - drawn[:, None], min(negatives / left, 1.0))
    # Without another negative the curve does not cross k here; the value is not used.
    crossing = (k - drawn[:, None]) ** 2 / (2 * np.maximum(more, 1))
    phi = np.where(to <= k, k - to + more / 2, crossing)
    reached = np.pad(after, ((0, 0), (0, width - len(drawn))))
    return np.asarray(np.einsum("ij,pij->pi", chance, _with_positives(reached, w, phi)))


def _with_positives(moments: Floats, w: float, phi: Floats) -> Floats:
    """The moments with positives of weight w, each of which adds phi."""
    first, square, each = moments
    return np.array([first + w * phi, square + 2 * w * phi * first + (w * phi) ** 2, each + w * phi**2])


def _binomial(hits: Integers, draws: Integers, chance: float) -> Floats:
    some = (hits >= 0) & (hits <= draws)
    j = np.where(some, hits, 0)
    ways = gammaln(draws + 1) - gammaln(j + 1) - gammaln(draws - j + 1)
    with np.errstate(under="ignore"):
        return np.where(some, np.exp(ways + xlogy(j, chance) + xlog1py(draws - j, -chance)), 0.0)


Curve = AveragePrecision | PartialAUC


def moments_of_resample(curve: Curve, a: Floats, b: Floats) -> tuple[float, float] | None:
    """The exact mean and variance; None where these take long, or the variance is a rounding error."""
    known, (low, high) = curve.exact_moments(a, b), curve.support
    # To first order it is 0 for perfect ranks.
    return None if known is None or known[1] <= VARIANCE_ROUNDING * (high - low) ** 2 else known


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PartialAreaLaw(FirstOrderLaw):
    """The law of one partial area, or of two; exact moments take ten times as long as limits: made when asked for."""

    models: tuple[tuple[PartialAUC, Floats, Floats], ...]

    @classmethod
    def of(cls, law: FirstOrderLaw, *models: tuple[PartialAUC, Floats, Floats]) -> Self:
        """A law of first order, with the curves of its models and their counts."""
        return cls(**{each.name: getattr(law, each.name) for each in fields(law)}, models=models)

    @cached_property
    def _exactly(self) -> list[tuple[float, float] | None]:
        return [moments_of_resample(*each) for each in self.models]

    @property
    def is_exact(self) -> bool:
        return len(self.models) == 1 and self._exactly[0] is not None

    @property
    def mean(self) -> Floats:
        known, values = self._exactly, [curve.value(a, b) for curve, a, b in self.models]
        first, *other = (each[0] if each else value for each, value in zip(known, values, strict=True))
        return np.array([first - sum(other)])

    @property
    def variance(self) -> Floats:
        first, *_ = self._exactly
        return super().variance if first is None or len(self.models) > 1 else np.array([first[1]])


def stepped(statistic: Curve, a: Floats, b: Floats, x: float, y: float, side: int) -> float:
    """The value with x positives and y negatives more: at the wrong ends if ``side`` is -1, else at the right ends."""
    ends = ((0.0, y), (x, 0.0))
    (top_a, top_b), (low_a, low_b) = ends if side < 0 else ends[::-1]
    return statistic.value(np.concatenate([[top_a], a, [low_a]]), np.concatenate([[top_b], b, [low_b]]))


def bias_of_groups(
    levels: Integers, positive: Floats, negative: Floats, groups: Integers, odds: float | None = None
) -> float:
    """The bias, from the level of each row (0 the best), its numbers of positives and negatives, and its group."""
    n_levels = int(levels.max()) + 1
    a, b = (np.bincount(levels, each, n_levels) for each in (positive, negative))
    sizes = np.array([np.bincount(groups, each) for each in (positive, negative)])
    (m, n), (above, below) = sizes.sum(axis=1), (np.cumsum(a), np.cumsum(b))
    r = 1.0 if odds is None else float(odds * m / n)
    moments, at_level = _moments(levels, np.array([positive, negative]), groups, sizes, n_levels)

    zero, one = np.zeros(n_levels), np.ones(n_levels)
    mix = np.array([zero, zero, one / m, -one / n]) * (0.0 if odds is None else r)  # r'
    lowered = below * mix + r * np.array([zero, one, zero, zero])  # C'
    own = np.array([one, zero, zero, zero])
    whole = np.where(a > 0, above + r * below, 1.0)  # levels without positives do not count: 1 keeps 0 / 0 away
    turned = r * below * own - above * lowered  # N
    bent = -2 * _form(turned, moments, own + lowered) / whole**3
    if odds is not None:
        share = np.array([zero, zero, zero, one / n])
        second = -2 * below * _form(share, moments, mix) + 2 * _form(mix, moments, np.array([zero, one, zero, zero]))
        bent -= above * second / whole**2
    precision = np.where(a > 0, above / whole, 0.0)
    curved = float((2 * (turned * at_level).sum(axis=0) / whole**2 + a * bent).sum())
    # sum over groups of S' m_j: the part a_j P by rows, the part a P' by the moments with m_j
    tilted = float(precision @ np.bincount(levels, positive * sizes[0][groups], n_levels))
    tilted += float((a / whole**2) @ _form(turned, moments, np.array([zero, zero, one, zero])))
    reached, squares = float(a @ precision), float(sizes[0] @ sizes[0])
    return float((curved - 2 * tilted / m + 2 * reached * squares / m**2) / (2 * m))


def _moments(levels: Integers, counts: Floats, groups: Integers, sizes: Floats, n_levels: int) -> tuple[Floats, Floats]:
    """Sums over groups at each level of products of (A_j, B_j, m_j, n_j), and of a_j with each, row by row."""
    order = np.lexsort((levels, groups))
    levels, counts, groups = levels[order], counts[:, order], groups[order]
    at_once = np.flatnonzero(np.diff(groups, prepend=-1) | np.diff(levels, prepend=-1))  # one per group and level
    counts = np.add.reduceat(counts, at_once, axis=1)
    levels, groups = levels[at_once], groups[at_once]
    up_to = np.cumsum(counts, axis=1)
    first = np.flatnonzero(np.diff(groups, prepend=-1))
    up_to -= np.repeat((up_to - counts)[:, first], np.diff(first, append=len(groups)), axis=1)
    now, before = (np.concatenate([part, sizes[:, groups]]) for part in (up_to, up_to - counts))
    products = np.empty((4, 4, n_levels))
    for i in range(4):
        for j in range(4):
            fixed = float(sizes[i - 2] @ sizes[j - 2]) if min(i, j) > 1 else None
            change = now[i] * now[j] - before[i] * before[j]
            products[i, j] = np.cumsum(np.bincount(levels, change, n_levels)) if fixed is None else fixed
    return products, np.array([np.bincount(levels, counts[0] * each, n_levels) for each in now])


def _form(left: Floats, moments: Floats, right: Floats) -> Floats:
    """The sum over groups of the product of two linear forms, at each level."""
    return np.asarray(np.einsum("il,ijl,jl->l", left, moments, right))
