"""Two models at a fixed false-positive rate: where their curves reach that rate of the negatives in the same resample.

Resamples of the negatives determine where the curves of both models end, in the segments (i, j) with probability w_ij
(:mod:`._joint_reach`). Given that, a positive has the worth v for model a (1 if a's curve ends beyond it, a share if it
ends in the positive's tied group, else 0) and v' for model b. As many positives are drawn as there are, m; so with V_ij
and Q_ij the sums over the positives seen of v - v' and of (v - v')^2

    difference = sum over m draws of (v - v'),    E = sum_ij w_ij V_ij,
    Var = sum_ij w_ij (V_ij - E)^2 + sum_ij w_ij (Q_ij - V_ij^2 / m).

Without slopes (scores of both classes that tie) the law is exact and so are, up to MAX_EXACT_PAIRS pairs of segments,
the moments of ``standard_error``. With more pairs, and always for default intervals, moments are by
:mod:`._normal_pair`. With slopes the shares of both models depend on each other, and only moments are known: exactly
with few negatives, else by whole segments if little of the variance is within them, else by the normal law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._joint_reach import EndSegments, counted_shares, joint_weights
from skcostci.laws.exact._mixture import Masses, MixtureLaw, RateLaw, normal_masses, paired_masses
from skcostci.laws.exact._normal_pair import N_CELLS, PairedCases, normal_moments
from skcostci.laws.exact._vertical import Crossing, VerticalLaw

MAX_EXACT_PAIRS = 4096  # of segments, whose joint law takes milliseconds; with more, moments are by a normal law
MAX_LAW_PAIRS = 2**24  # of segments, whose joint law takes 1.5 GB; beyond, with 300,000 untied negatives, it is normal
MAX_COUNTED_WORK = 2**26  # pairs that slope times n^4, 50 ms: 80 pairs of 30 negatives, 5 of 60; doubled: twice it
MIN_COUNTED_PAIR = 1e-8  # probability of a pair of segments from which on the dependence of its shares matters
FINE_CELLS = 64  # of these normal laws, for standard errors to 1 %; doubled: four times the time, no better
MAX_SHARE_WITHIN = 0.02  # of the variance within tied groups; above, a normal law is better than uncut groups
CORRELATION_PSEUDO_CASES = 1.0  # added so that the correlation of two models is defined, and below 1


class Pair(NamedTuple):
    """Per pair of segments w_ij, V_ij and Q_ij of the formulas at the top; ``within`` is the variance within pairs."""

    weights: Floats
    difference: Floats
    within: Floats
    squares: Floats
    exact: bool

    @property
    def moments(self) -> tuple[float, float, float] | None:
        """Mean and variance of the difference, and mean of the squares; None if inexact with much variance within."""
        mean, within = (float((self.weights * each).sum()) for each in (self.difference, self.within))
        spread = max(float((self.weights * (self.difference - mean) ** 2).sum()) + within, 0.0)
        if not self.exact and within > MAX_SHARE_WITHIN * spread:
            return None
        return mean, spread, float((self.weights * self.squares).sum())


@dataclass(frozen=True, repr=False, eq=False)
class JointCrossing:
    """Where the curves of two models may reach ``t`` negatives in the same resample, at each of n_points points."""

    a: Crossing
    b: Crossing
    positive: PairedCases
    negative: PairedCases

    @cached_property
    def moments(self) -> Floats:
        """Moments of the difference in hits, shape (3, n_points): exact where the joint law is cheap."""
        moments, rest = np.zeros((3, len(self.a.t))), []
        for point in np.flatnonzero(self.a.t > 0).tolist():
            exact = self._exact(point)
            moments[:, point] = exact or 0.0
            rest += [point] if exact is None else []
        left = np.array(rest, dtype=np.int64)
        moments[:, left] = self._by_normal_law(left, FINE_CELLS)[:, left]
        return moments

    def _exact(self, point: int) -> tuple[float, float, float] | None:
        """Moments at one point by the joint law of segments; None if these are many, or have much variance within."""
        if self._same:
            return 0.0, 0.0, 0.0
        return self.pair(point).moments if self._n_pairs(point) <= MAX_EXACT_PAIRS else None

    @cached_property
    def _same(self) -> bool:
        """Whether both models rank all cases alike."""
        return all(np.array_equal(cases.a, cases.b) for cases in (self.positive, self.negative))

    @cached_property
    def is_exact(self) -> bool:
        """Whether all moments are by joint laws of few segments without slopes: else a cdf is within .005."""
        points = np.flatnonzero(self.a.t > 0)
        return self._same or all(
            not self.sloping[point] and self._n_pairs(point) <= MAX_EXACT_PAIRS for point in points.tolist()
        )

    @cached_property
    def approximate_moments(self) -> Floats:
        """``moments`` by the normal law at every point: good enough for intervals."""
        return self._by_normal_law(np.flatnonzero(self.a.t > 0), N_CELLS)

    def _by_normal_law(self, points: Integers, cells: int) -> Floats:
        """Moments at some points by the normal law, with at least so many cells."""
        a, b = self.a.moments, self.b.moments
        own = np.array([[hits[1], hits[0] - hits[3]] for hits in (a, b)])
        both, cases = own[0], (self.positive, self.negative)
        if len(points) and not self._same:
            both = normal_moments((self.a, self.b), cases, points, own, cells)
        # For copies the two sides are the same number, rounded differently.
        return np.array([a[0] - b[0], *np.maximum(own.sum(axis=0) - 2 * both, 0.0)])

    def _n_pairs(self, point: int) -> int:
        return int(np.prod([np.ptp(model.ends(point)) + 1 for model in (self.a, self.b)]))

    @cached_property
    def sloping(self) -> Booleans:
        return np.asarray(self.a.sloping | self.b.sloping)

    def law(self, point: int, draws: int, pseudo: float) -> Masses:
        """The law of the difference in hits, with ``pseudo`` cases a cell; normal beyond ``MAX_LAW_PAIRS`` pairs."""
        # Of copies the difference is 0 for certain; rounding would put mass beside it.
        if self._same and not pseudo:
            return Masses(np.zeros(1), np.ones(1))
        if self._n_pairs(point) > MAX_LAW_PAIRS:
            mean, spread, squares = self.moments[:, point]
            return normal_masses(mean, squares + 2 * pseudo - mean**2 / draws + spread * (1 - 1 / draws))
        pair = self.pair(point)
        return paired_masses(pair.weights, pair.difference, pair.squares, draws, pseudo)

    def pair(self, point: int) -> Pair:
        a, b = (EndSegments.at(model, point) for model in (self.a, self.b))
        n, t = self.a.curve.negatives, float(self.a.t[point])
        weights = joint_weights(a, b, self.negative, n, t)
        x, y = np.broadcast_arrays(a.share[:, None], b.share)
        xx, yy = np.broadcast_arrays(a.square[:, None], b.square)
        shares = np.array([x, y, xx, yy, x * y])
        slope = (weights > MIN_COUNTED_PAIR) & np.logical_or.outer(a.tied > 0, b.tied > 0)
        counted = 0 < int(slope.sum()) * n**4 <= MAX_COUNTED_WORK
        if counted:
            up_to = self.negative.counts_before(a.edges(self.negative.a), b.edges(self.negative.b))
            shares[:, slope] = counted_shares(up_to, np.argwhere(slope), t)
        x, y, xx, yy, xy = shares
        tied_a, tied_b = a.tied[:, None], b.tied
        difference = a.before[:, None] + tied_a * x - b.before - tied_b * y
        within = tied_a**2 * (xx - x**2) + tied_b**2 * (yy - y**2) - 2 * tied_a * tied_b * (xy - x * y)
        squares = (a.before[:, None] + tied_a * xx) + (b.before + tied_b * yy)
        squares -= 2 * _found_by_both(self.positive, a, b, x, y, xy)
        return Pair(weights, difference, within, squares, counted)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class PairedRates(RateLaw):
    """The moments of the difference of two models' true-positive rates, with each model's law, at the same rates."""

    a: VerticalLaw
    b: VerticalLaw
    joint: JointCrossing

    @property
    def paired(self) -> bool:
        return True

    @property
    def is_exact(self) -> bool:
        return self.joint.is_exact

    @property
    def estimate(self) -> Floats:
        return self.a.estimate - self.b.estimate

    @cached_property
    def decorrelation(self) -> Floats:
        """1 minus the correlation of both rates, with one pseudo-case so that it is defined and above 0."""
        draws = self.cases + CORRELATION_PSEUDO_CASES
        own = [model._given(model.crossing.moments, CORRELATION_PSEUDO_CASES) for model in (self.a, self.b)]
        moments = *own, self._given(self.joint.approximate_moments, CORRELATION_PSEUDO_CASES)
        a, b, both = (spread / draws**2 + given / draws for _, spread, given in moments)
        least = CORRELATION_PSEUDO_CASES / 2 / draws**2  # what the pseudo-case adds to the variance
        excess = np.maximum(both - (np.sqrt(a) - np.sqrt(b)) ** 2, np.where(self.known, 0.0, least / 2))
        return np.asarray(excess / np.where(self.known, 1.0, 2 * np.sqrt(a * b)))

    @property
    def mean(self) -> Floats:
        """The difference of the models' means; pseudo-cases favour neither."""
        a, b = (model.crossing.moments[0] for model in (self.a, self.b))
        return np.asarray((a - b) / self.draws)

    @property
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        return self._given(self.joint.moments, self.pseudo_cases)

    def _given(self, moments: Floats, pseudo_cases: float) -> tuple[Floats, Floats, Floats]:
        """Moments of the worths, from those of the hits; half of the pseudo-cases are found by one model alone."""
        (mean, spread, squares), draws = moments, self.cases + pseudo_cases
        given = (squares + pseudo_cases / 2) / draws - (spread + mean**2) / draws**2
        return mean, spread, np.where(self.known, 0.0, np.maximum(given, 0.0))


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class PairedVerticalLaw(PairedRates, MixtureLaw):
    """The whole law of the difference, where no segment slopes."""

    def _masses(self, point: int) -> Masses:
        if self.known[point]:
            return Masses(np.zeros(1), np.ones(1))
        return self.joint.law(point, round(self.draws), self.pseudo_cases / 4)


def paired_vertical_law(a: VerticalLaw, b: VerticalLaw, positive: PairedCases, negative: PairedCases) -> PairedRates:
    joint = JointCrossing(a.crossing, b.crossing, positive, negative)
    of_rates = PairedRates if joint.sloping.any() else PairedVerticalLaw
    return of_rates(a.cases, a.known, a=a, b=b, joint=joint)


def _found_by_both(positive: PairedCases, a: EndSegments, b: EndSegments, x: Floats, y: Floats, xy: Floats) -> Floats:
    """The sum of v v' over the positives, for each pair of segments."""
    before = positive.counts_before(a.cuts, b.cuts)
    (full_a, part_a), (full_b, part_b) = (
        [np.searchsorted(each.cuts, 2 * each.place + tied) for tied in (0, each.tied > 0)] for each in (a, b)
    )
    full = before[np.ix_(full_a, full_b)]
    rows, columns = before[np.ix_(part_a, full_b)] - full, before[np.ix_(full_a, part_b)] - full
    corner = before[np.ix_(part_a, part_b)] - rows - columns - full
    return np.asarray(full + x * rows + y * columns + xy * corner)
