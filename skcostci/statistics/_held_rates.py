"""A rate where another is held, from what units add: for cases that are drawn in groups, or fold by fold.

Going down the distinct scores, N cases are held and M counted; the threshold lies where a share t of the n held is
reached, k = t n of them, in the g-th score with N_(g-1) < k <= N_g, which has n_g and m_g of them. The rate is

    R(t) = (M_(g-1) + f m_g) / m,    f = (k - N_(g-1)) / n_g, or 1 where the curve has steps only; R(0) = 0.

Held at a false-positive rate are the negatives, the positives being counted; at a true-positive rate the classes in
each other's place; at a positive rate all cases are held, and the precision is the share of the counted among the k.
A case counted adds c - R to m R, c = 1, f or 0 as it lies above the score, at it or below; one that is held adds h -
t to the share above, times n, h = 1, (k - N_(g-1)) / n_g or 0. R has no derivative: its variance comes from where the
threshold may be. In a resample the share above the place of another share u is t or more with a probability of about
``Phi((u - t) / d(u))``, d the standard deviation of sum (h - u) / n over units, and given that it is t the rate is
normal, its mean and variance being those of sum (c - R(u)) / m regressed on it: the law is a mixture over u.
Influences are ``(c - R) / m - s (h - t) / n`` with the slope s that gives them this variance (within 3 % of
resampling, for 40 units or more).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from skcostci._frozen import cached_property
from skcostci._validation import Booleans, Floats, Integers
from skcostci.cases._design import Part
from skcostci.laws._rounding import SPREAD_ROUNDING

# Standard deviations on either side of t, and how many places there; more change no digit of use.
REACH, NODES = 5.0, 61


class Place(NamedTuple):
    """Where a share t is reached: R, the score g, and the parts of its cases held and counted that lie above."""

    rate: Floats
    score: Integers
    held: Floats
    counted: Floats


@dataclass(frozen=True)
class HeldRate:
    """R at the shares ``t``, of the cases of a part; ``counted`` and ``held`` say which of its rows are."""

    part: Part
    scores: NDArray[np.floating]
    counted: Booleans
    held: Booleans
    t: Floats
    slopes: bool = True
    of_labelled: bool = False  # the share of the counted among the k: the precision

    @property
    def rounding(self) -> float:
        """Beside shares of the smaller class."""
        return SPREAD_ROUNDING / min(float(each.sum()) for each in self.counts)

    @property
    def matters(self) -> None:
        """A group is at the wrong end whole."""

    @cached_property
    def rank(self) -> Integers:
        """The place of each row among the distinct scores, going down."""
        return np.asarray(np.unique(-self.scores, return_inverse=True)[1].ravel())

    @cached_property
    def counts(self) -> tuple[Floats, Floats]:
        """How many cases are counted, and held, at each score."""
        width = int(self.rank.max()) + 1
        m, n = (np.bincount(self.rank, self.part.weights * rows, width) for rows in (self.counted, self.held))
        return m.astype(np.float64), n.astype(np.float64)

    @property
    def value(self) -> Floats:
        return self._scaled(self._place(*self.counts, self.t).rate, *self.counts)

    def _scaled(self, rate: Floats, counted: Floats, held: Floats) -> Floats:
        """The precision where that is asked for."""
        return rate * counted.sum() / (self.t * held.sum()) if self.of_labelled else rate

    def _place(self, counted: Floats, held: Floats, t: Floats) -> Place:
        """Where the share is reached, at a score that some are held at."""
        there = np.flatnonzero(held)
        above, below = np.cumsum(held), np.cumsum(counted)
        k = np.minimum(t, 1.0) * above[-1]
        close = 4 * np.finfo(np.float64).eps * above[-1]  # t n is a whole number but for rounding
        g = there[np.minimum(np.searchsorted(above[there], k - close), len(there) - 1)]
        part = np.clip((k - above[g] + held[g]) / held[g], 0.0, 1.0)
        f = part if self.slopes else np.ones_like(part)
        rate = np.where(k > 0, (below[g] - (1 - f) * counted[g]) / below[-1], 0.0)
        return Place(rate, g, np.where(k > 0, part, 0.0), np.where(k > 0, f, 0.0))

    @cached_property
    def influences(self) -> Floats:
        (m, n), place = (each.sum() for each in self.counts), self._place(*self.counts, self.t)
        moved = np.empty((len(self.rank), len(self.t)))
        for point, t in enumerate(self.t.tolist()):
            by_counted, by_held = self._by_case(place, point, t)
            moved[:, point] = by_counted - self._slope(by_counted, by_held, t) * by_held
        if not self.of_labelled:
            return moved
        share = m / (self.t * n)  # the precision is R times the share of the counted over t
        return np.asarray(share * (moved + place.rate * (self.counted / m - self.held / n)[:, None]))

    def _by_case(self, place: Place, point: int, t: float) -> tuple[Floats, Floats]:
        """What a case of each row adds to the rate at a place, and to the share of those held above it less t."""
        m, n = (each.sum() for each in self.counts)
        above, at = self.rank < place.score[point], self.rank == place.score[point]
        by_counted = self.counted * (above + at * place.counted[point] - place.rate[point]) / m
        return by_counted, self.held * (above + at * place.held[point] - t) / n

    def _slope(self, by_counted: Floats, by_held: Floats, t: float) -> float:
        """s, by which the influences have the variance of the mixture."""
        own, both, held = self._squares(by_counted, by_held)
        if held == 0:
            return 0.0
        more = max(both**2 - held * (own - self._variance(t, float(np.sqrt(held)))), 0.0)
        return float(max(both + np.sqrt(more), 0.0) / held)

    def _squares(self, by_counted: Floats, by_held: Floats) -> tuple[float, float, float]:
        """Summed over units: c c, c h and h h, of what they add to the rate, c, and to the share, h."""
        c, h = self.part.added(np.column_stack([by_counted, by_held])).T
        counts = self.part.counts
        return float(counts @ (c * c)), float(counts @ (c * h)), float(counts @ (h * h))

    def _variance(self, t: float, d: float) -> float:
        """Of the mixture."""
        u = np.linspace(max(t - REACH * d, 1e-12), min(t + REACH * d, 1.0), NODES)
        place = self._place(*self.counts, u)
        reached, mean, variance = np.empty((3, NODES))
        for node in range(NODES):
            own, both, held = self._squares(*self._by_case(place, node, float(u[node])))
            slope = both / held if held else 0.0
            reached[node] = (u[node] - t) / np.sqrt(max(held, 1e-300))
            mean[node], variance[node] = place.rate[node] - slope * (u[node] - t), max(own - slope * both, 0.0)
        between = np.maximum.accumulate((ndtr(reached[1:]) + ndtr(reached[:-1])) / 2)
        mass = np.diff(between, prepend=0.0, append=1.0)
        return float(mass @ (variance + (mean - mass @ mean) ** 2))

    def with_mass(self, made: Floats, side: int) -> Floats:
        """With so many cases more of either class: for a lower limit those counted last and the others first."""
        positive = bool(self.counted.any() and self.part.classes[self.counted][0])
        own, others = made[1 if positive else 0], made[0 if positive else 1]
        both = bool((self.held & self.counted).any())  # all cases are held
        first = (0.0, others) if side < 0 else (own, own * both)
        last = (own, own * both) if side < 0 else (0.0, others)
        counted, held = (
            np.concatenate([[top], each, [low]]) for top, each, low in zip(first, self.counts, last, strict=True)
        )
        return self._scaled(self._place(counted, held, self.t).rate, counted, held)
