"""A rate where another is held, from influence values: with groups, folds or unequal weights.

Going down the distinct scores, N_g cases are held and M_g counted at or above the g-th, n_g and m_g at it, n and m in
all. The threshold is where a share t of the held is reached, k = t n of them: g has N_(g-1) < k <= N_g. The rate is

    R(t) = (M_(g-1) + f m_g) / m,    f = (k - N_(g-1)) / n_g, or 1 where the curve has steps only; R(0) = 0.

At a false-positive rate the negatives are held and the positives counted; at a true-positive rate the classes are
exchanged; at a positive rate all cases are held, and the precision is the share of the counted among the k. A counted
case adds c - R to m R, c = 1, f or 0 if it is above the score, at it or below; a held case adds h - t to n times the
share above, h = 1, (k - N_(g-1)) / n_g or 0. R has no derivative: its variance depends on where the threshold of a
resample is. In a resample the share above the place of another share u is at least t with a probability of about
``Phi((u - t) / d(u))``, d the standard deviation of sum (h - u) / n over units. Given that this share is t the rate is
normal, with the mean and variance of sum (c - R(u)) / m regressed on the share: the law is a mixture over u.
Influences are ``(c - R) / m - s (h - t) / n`` with the slope s that gives them this variance (within 3 % of
resampling, for 40 units or more).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from skcostci._arrays import Booleans, Floats, Integers, Weights
from skcostci._frozen import cached_property
from skcostci.cases._design import Part
from skcostci.laws._rounding import SPREAD_ROUNDING

# Standard deviations on either side of t, and the number of places there; with more no relevant digit changes.
REACH, NODES = 5.0, 61
CLOSE = 1e-9  # t n is a whole number but for rounding, or but for weights that are equal to so many digits


class Place(NamedTuple):
    """Where a share t is reached: R, the score g, and the parts of its cases held and counted that lie above."""

    rate: Floats
    score: Integers
    held: Floats
    counted: Floats


@dataclass(frozen=True, repr=False, eq=False)
class RankedRows:
    """Rows with their scores, and whether each is counted, and held; it may be both."""

    part: Part
    scores: NDArray[np.floating]
    counted: Booleans
    held: Booleans

    @cached_property
    def ranked(self) -> tuple[Floats, Integers]:
        """The distinct scores, going down, and the position of each row's score among them."""
        falling, rank = np.unique(-self.scores, return_inverse=True)
        return -falling, rank.ravel()

    @cached_property
    def counts(self) -> tuple[Floats, Floats]:
        return self._sum(self.part.weights * self.counted), self._sum(self.part.weights * self.held)

    @cached_property
    def squares(self) -> tuple[Floats, Floats]:
        """Counted, counted and held, and held cases (or squared weights): how many up to each score, and at it."""
        by_weight = self.part.weights.dtype.kind == "f"
        weights = self.part.counts**2 if by_weight else self.part.counts
        rows = self.counted, self.counted & self.held, self.held
        each = np.array([self._sum(weights * some) for some in rows])
        return np.cumsum(each, axis=1), each

    def _sum(self, weights: Floats | Weights) -> Floats:
        values, rank = self.ranked
        return np.bincount(rank, weights, len(values)).astype(np.float64)


@dataclass(frozen=True, repr=False, eq=False)
class HeldRate:
    """The rate R at the shares ``t``, as a ``Statistic``."""

    rows: RankedRows
    t: Floats
    slopes: bool = True
    of_labelled: bool = False  # the share of the counted among the k: the precision

    @property
    def rounding(self) -> float:
        """Relative to 1 / (number of counted or of held cases, whichever is smaller)."""
        return SPREAD_ROUNDING / min(float(each.sum()) for each in self.rows.counts)

    @property
    def value(self) -> Floats:
        return self._scaled(self._place(*self.rows.counts, self.t).rate, *self.rows.counts)

    def _scaled(self, rate: Floats, counted: Floats, held: Floats) -> Floats:
        return rate * counted.sum() / (self.t * held.sum()) if self.of_labelled else rate

    def _place(self, counted: Floats, held: Floats, t: Floats) -> Place:
        there = np.flatnonzero(held)
        N, M = np.cumsum(held), np.cumsum(counted)
        k = np.minimum(t, 1.0) * N[-1]
        close = CLOSE * N[-1]
        g = there[np.minimum(np.searchsorted(N[there], k - close), len(there) - 1)]
        part = np.clip((k - N[g] + held[g]) / held[g], 0.0, 1.0)
        f = part if self.slopes else np.ones_like(part)
        rate = np.where(k > 0, (M[g] - (1 - f) * counted[g]) / M[-1], 0.0)
        return Place(rate, g, np.where(k > 0, part, 0.0), np.where(k > 0, f, 0.0))

    def at(self, point: int) -> HeldRate:
        return replace(self, t=self.t[point : point + 1])

    @property
    def thresholds(self) -> Floats:
        return np.where(self.t > 0, self.rows.ranked[0][self._place(*self.rows.counts, self.t).score], np.inf)

    @cached_property
    def influences(self) -> Floats:
        (m, n), place = (each.sum() for each in self.rows.counts), self._place(*self.rows.counts, self.t)
        moved, squares = np.empty((len(self.rows.scores), len(self.t))), self._squares(place, self.t)
        for point, t in enumerate(self.t.tolist()):
            by_counted, by_held = self._by_case(place, point, t)
            moved[:, point] = by_counted - self._slope(place.rate[point], t, *squares[:, point].tolist()) * by_held
        if not self.of_labelled:
            return moved
        share = m / (self.t * n)  # the precision is R times the share of the counted over t
        return np.asarray(share * (moved + place.rate * (self.rows.counted / m - self.rows.held / n)[:, None]))

    def _by_case(self, place: Place, point: int, t: float) -> tuple[Floats, Floats]:
        """What a case of each row adds to the rate at a place, and to the share of the held above it minus t."""
        m, n = (each.sum() for each in self.rows.counts)
        rank, score = self.rows.ranked[1], place.score[point]
        above, at = rank < score, rank == score
        by_counted = self.rows.counted * (above + at * place.counted[point] - place.rate[point]) / m
        return by_counted, self.rows.held * (above + at * place.held[point] - t) / n

    def _slope(self, rate: float, t: float, yy: float, xy: float, xx: float) -> float:
        """The slope s, the larger root of yy - 2 s xy + s^2 xx = the mixture's variance, with sums of ``_squares``."""
        # Limits are quantiles of Beta laws, and none of mean 0 or 1 has a variance: there the held add nothing (s = 0).
        if xx == 0 or not 0 < rate < 1:
            return 0.0
        # The larger root, and not below 0: s stands for the derivative of R in t, and R never falls.
        more = max(xy**2 - xx * (yy - self._variance(t, float(np.sqrt(xx)))), 0.0)
        return float(max(xy + np.sqrt(more), 0.0) / xx)

    def _squares(self, place: Place, t: Floats) -> Floats:
        """The sums of y y, x y and x x over units, at each place; a unit adds y to the rate and x to the share."""
        if self.rows.part.units is not None:
            each = (self._by_case(place, *point) for point in enumerate(t.tolist()))  # one at a time: rows may be many
            added = (self.rows.part.added(np.column_stack(pair)).T for pair in each)
            return np.array([(y @ y, y @ x, x @ x) for y, x in added]).T
        m, n = (each.sum() for each in self.rows.counts)
        y = np.array([1 - place.rate, place.counted - place.rate, -place.rate]) / m  # above the score, at it, below
        x = np.array([1 - t, place.held - t, -t]) / n
        products = np.array([y * y, y * x, x * x])
        up_to, at = (each[:, place.score] for each in self.rows.squares)
        beside = np.stack([up_to - at, at, self.rows.squares[0][:, -1:] - up_to], axis=1)
        return np.asarray((beside * products).sum(axis=1))

    def _variance(self, t: float, d: float) -> float:
        """The variance of the mixture over u; d is d(t), which says how far from t the u go."""
        u = np.linspace(max(t - REACH * d, 1e-12), min(t + REACH * d, 1.0), NODES)
        place = self._place(*self.rows.counts, u)
        yy, xy, xx = self._squares(place, u)
        slope = np.divide(xy, xx, out=np.zeros_like(xx), where=xx > 0)
        reached = (u - t) / np.sqrt(np.maximum(xx, 1e-300))
        mean, variance = place.rate - slope * (u - t), np.maximum(yy - slope * xy, 0.0)
        between = np.maximum.accumulate((ndtr(reached[1:]) + ndtr(reached[:-1])) / 2)
        mass = np.diff(between, prepend=0.0, append=1.0)
        return float(mass @ (variance + (mean - mass @ mean) ** 2))

    def with_additional(self, made: Floats, side: int) -> Floats:
        """The value with ``made`` = (negatives, positives) more: for a lower limit the counted last, others first."""
        positive = bool(self.rows.counted.any() and self.rows.part.classes[self.rows.counted][0])
        own, others = made[1 if positive else 0], made[0 if positive else 1]
        both = bool((self.rows.held & self.rows.counted).any())  # all cases are held
        first = (0.0, others) if side < 0 else (own, own * both)  # the counted, and the held
        last = (own, own * both) if side < 0 else (0.0, others)
        counted, held = (
            np.concatenate([[top], each, [low]]) for top, each, low in zip(first, self.rows.counts, last, strict=True)
        )
        return self._scaled(self._place(counted, held, self.t).rate, counted, held)
