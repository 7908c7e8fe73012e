"""The area under the drawn ROC curve up to a false-positive rate t: value, influences, moments in a resample.

With A_g and B_g the cases at or above the g-th distinct score, of which a_g and b_g have it, k = t n and
``c_g = clip(k - B_(g-1), 0, b_g)``, the curve joins its points by straight lines, and

    area = sum_g [c_g A_(g-1) + a_g c_g^2 / (2 b_g)] / (m n).

A positive of group g is worth phi = (k - B_g) + b_g/2 of it if B_g <= k, c^2 / (2 b_g) if the line reaches k within the
group, 0 beyond. In a resample the B_g are a Markov chain: of the negatives not yet drawn each is in group g with the
share that b_g has of those at or below it. Positives are multinomial. So mean and variance come from one pass from the
lowest score up, for each number of negatives drawn so far: V, S and D are the means of sum w phi, of its square, and of
sum w phi^2, with w = a_g / m; mean = V/n, variance = S/n^2 - mean^2 + (D - S) / (n^2 m).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, gammaln, xlog1py, xlogy

from skcostci._validation import Floats, Integers

MAX_EXACT_MOVES = 4_000_000  # numbers of negatives to come from and to go to, over all scores: about half a second


@dataclass(frozen=True)
class PartialAUC:
    """The statistic: the area up to the rate t, or McClish's value of it, 1/2 at random and 1 at best."""

    t: float
    standardize: bool

    @property
    def line(self) -> tuple[float, float]:
        """Where 0 goes, and the factor of the share of t that is under the curve."""
        if not self.standardize:
            return 0.0, self.t
        random = self.t / 2
        return 0.5 - 0.5 * random / (1 - random), 0.5 / (1 - random)

    @property
    def support(self) -> tuple[float, float]:
        start, factor = self.line
        return start, start + factor

    @property
    def of_rates(self) -> bool:
        return True

    def value(self, a: Floats, b: Floats) -> float:
        reached, above, halved = self._crossing(a, b)
        start, factor = self.line
        area = float(reached @ above + a @ halved)
        return start + factor * (area / (float(a.sum()) * float(b.sum()) * self.t))

    def _crossing(self, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
        """c_g, A_(g-1) and c_g^2 / (2 b_g)."""
        below = np.cumsum(b)
        k = self.t * below[-1]
        reached = np.clip(k - (below - b), 0, b)
        halved = np.divide(reached**2, 2 * b, out=np.zeros_like(reached), where=b > 0)
        return reached, np.cumsum(a) - a, halved

    def influences(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """The threshold at which the rate is reached costs nothing, to first order."""
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
        runs, tied, held = _levels(a, b)
        m, n = float(a.sum()), round(float(b.sum()))
        k = self.t * n
        states = int(np.ceil(k))
        below = np.cumsum(runs + tied)
        reach = int(np.searchsorted(bdtr(states - 1, n, below / n) < 1e-17, True))
        levels = min(reach + 1, len(held))
        if levels * states**2 + int((tied[:levels] > 0).sum()) * states * n > MAX_EXACT_MOVES:
            return None
        moments = _Moments.at_the_end(states, n, k)
        left = np.concatenate([[float(n)], n - below])
        for g in range(levels - 1, -1, -1):
            moments = moments.before(tied[g], left[g] - runs[g], held[g] / m).before(runs[g], left[g], 0.0)
        mean, square, each = (float(part[0]) for part in (moments.first, moments.square, moments.each))
        start, factor = self.line
        unit = factor / self.t
        variance = square / n**2 - (mean / n) ** 2 + (each - square) / (n**2 * m)
        return start + unit * mean / n, unit**2 * max(variance, 0.0)


def _levels(a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    """At each score of a positive: the negatives since the one before, those that share it, and the positives."""
    some = np.flatnonzero(a > 0)
    tied = b[some]
    return np.diff(np.cumsum(b)[some] - tied, prepend=0.0) - np.concatenate([[0.0], tied[:-1]]), tied, a[some]


@dataclass(frozen=True)
class _Moments:
    """V, S and D for each number of negatives drawn so far, 0 to the last below k."""

    first: Floats
    square: Floats
    each: Floats
    n: int
    k: float

    @classmethod
    def at_the_end(cls, states: int, n: int, k: float) -> _Moments:
        return cls(np.zeros(states), np.zeros(states), np.zeros(states), n, k)

    def before(self, negatives: float, left: float, w: float) -> _Moments:
        """Before a score with so many negatives among those left, and positives of weight w."""
        drawn = np.arange(len(self.first))
        if not negatives:
            phi = self.k - drawn
            return _Moments(
                self.first + w * phi,
                self.square + 2 * w * phi * self.first + (w * phi) ** 2,
                self.each + w * phi**2,
                self.n,
                self.k,
            )
        width = self.n + 1 if w else len(drawn)
        to = np.arange(width)
        more = to - drawn[:, None]
        chance = _binomial(more, self.n - drawn[:, None], min(negatives / left, 1.0))
        inside = np.where(to <= self.k, self.k - to + more / 2, 0.0)
        crossing = (self.k - drawn[:, None]) ** 2 / (2 * np.maximum(more, 1))
        phi = np.where(to <= self.k, inside, crossing)
        first, square, each = (np.pad(part, (0, width - len(part))) for part in (self.first, self.square, self.each))
        return _Moments(
            (chance * (first + w * phi)).sum(axis=1),
            (chance * (square + 2 * w * phi * first + (w * phi) ** 2)).sum(axis=1),
            (chance * (each + w * phi**2)).sum(axis=1),
            self.n,
            self.k,
        )


def _binomial(hits: Integers, draws: Integers, chance: float) -> Floats:
    """The probabilities of so many hits, 0 of fewer than none or more than there are draws."""
    some = (hits >= 0) & (hits <= draws)
    j = np.where(some, hits, 0)
    ways = gammaln(draws + 1) - gammaln(j + 1) - gammaln(draws - j + 1)
    with np.errstate(under="ignore"):
        return np.where(some, np.exp(ways + xlogy(j, chance) + xlog1py(draws - j, -chance)), 0.0)
