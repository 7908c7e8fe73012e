"""Two models at a fixed false-positive rate: where their curves reach so many negatives in the same resample.

Resamples of the negatives decide where the curves of both models end, in the piece (i, j) with probability w_ij
(:mod:`._pieces`). Given that, each of the m positives drawn is worth v to model a (1 if its curve finds it, a share if
it climbs it, else 0) and v' to model b, so that with V_ij and Q_ij the sums of v - v' and of (v - v')^2

    difference = sum over m draws of (v - v'),    E = sum_ij w_ij V_ij,
    Var = sum_ij w_ij (V_ij - E)^2 + sum_ij w_ij (Q_ij - V_ij^2 / m).

Three routes give w_ij, each where the one before it takes too long: all resamples of the negatives listed (exact;
sloping segments, few distinct scores), their counts summed over (exact; :mod:`._pieces`), and pieces (exact
without ties across the classes, else by a normal law). Beyond MAX_EXACT_PAIRS pairs of segments the moments of
``standard_error`` are those of :mod:`._normal_pair`, as they always are for default intervals. With slopes the law of
the difference is that of :mod:`._sloping`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy.special import gammaln

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._mixture import Masses, MixtureLaw, SumLaw, mixed_masses
from skcostci.laws._normal_pair import N_CELLS, PairedCases, normal_moments
from skcostci.laws._pieces import CountedPairs, Pieces, counted_pairs, cut_into_pieces, joint_weights, pieces_at
from skcostci.laws._sloping import equal_shares_split, pairs_of_pieces, sloping_law, sloping_pair
from skcostci.laws._vertical import Crossing, VerticalLaw

MAX_LOG_RESAMPLES = 9.7  # log of how many resamples of the negatives are listed, 16,000; one more: 2.7 times the time
MAX_RESAMPLED_NEGATIVES = 1000  # of those, as each resample may have a share of its own in either model
REACH_ROUNDING = 1e-9  # negatives
MAX_EXACT_PAIRS = 4096  # of segments, whose joint law takes milliseconds; with more, moments are by a normal law
MAX_LAW_PAIRS = 2**24  # of segments, whose joint law takes 1.5 GB; beyond, with 300,000 untied negatives, it is normal
FINE_CELLS = 64  # of these normal laws: standard errors to 1 %; doubled: four times the time, no better
MAX_UNCUT_SHARE = 0.02  # of the variance may be within tied groups that are not cut: without cuts joint laws are exact
CORRELATION_PSEUDO_CASES = 1.0  # added so that the correlation of two models is defined, and below 1


@dataclass(frozen=True)
class Pair:
    """The pieces of both models at a point, their joint probabilities, and the positives that both find, by worth.

    ``share_covariance`` is the covariance of the shares of both within a pair of pieces.
    """

    a: Pieces
    b: Pieces
    weights: Floats
    shared: Floats
    share_covariance: Floats

    @cached_property
    def difference(self) -> Floats:
        """Hits of a minus those of b."""
        return np.subtract.outer(self.a.hits, self.b.hits)

    @cached_property
    def squares(self) -> Floats:
        """The mean sum of the squares of what each positive is worth to the difference."""
        return np.add.outer(self.a.squares, self.b.squares) - 2 * self.shared

    @cached_property
    def within(self) -> Floats:
        """The variance of the difference within a pair of pieces."""
        own = np.add.outer(self.a.spread * self.a.tied**2, self.b.spread * self.b.tied**2)
        return np.asarray(own - 2 * self.share_covariance * np.multiply.outer(self.a.tied, self.b.tied))

    @property
    def share_within(self) -> float:
        """The share of the variance of the difference that is within pairs of pieces."""
        within, spread = float((self.weights * self.within).sum()), self.moments[1]
        return within / spread if within > 0 else 0.0

    @property
    def moments(self) -> tuple[float, float, float]:
        """The mean and the variance of the difference, and the mean of the squares."""
        return _moments(self.weights, self.difference, self.squares, self.within)


@dataclass(frozen=True, eq=False)
class JointCrossing:
    """Where the curves of two models may reach ``t`` negatives in the same resample, at each of n_points points."""

    a: Crossing
    b: Crossing
    positive: PairedCases
    negative: PairedCases

    @cached_property
    def moments(self) -> Floats:
        """Of the difference in hits, shape (3, n_points): exact where the joint law is soon had."""
        moments, rest = np.zeros((3, len(self.a.t))), []
        for point in np.flatnonzero(self.a.t > 0).tolist():
            exact = self._exact(point)
            moments[:, point] = exact or 0.0
            rest += [point] if exact is None else []
        left = np.array(rest, dtype=np.int64)
        moments[:, left] = self._by_normal_law(left, FINE_CELLS)[:, left]
        return moments

    def _exact(self, point: int) -> tuple[float, float, float] | None:
        """Those of one point by the joint law of segments; None where these are many."""
        if self._same:
            return 0.0, 0.0, 0.0
        if self.sloping[point]:
            if self._draws is not None:
                return self._listed_moments(point)
            if counted := self._counted(point):
                return counted.moments
        return self.pair(point).moments if self._n_pairs(point) <= MAX_EXACT_PAIRS else None

    @cached_property
    def _same(self) -> bool:
        """Whether both models rank all cases alike."""
        return all(np.array_equal(cases.a, cases.b) for cases in (self.positive, self.negative))

    @cached_property
    def is_exact(self) -> bool:
        """Whether all moments are by joint laws of few segments, none of which slopes: else a cdf is within .005."""
        points = np.flatnonzero(self.a.t > 0)
        return self._same or all(
            not self.sloping[point] and self._n_pairs(point) <= MAX_EXACT_PAIRS for point in points.tolist()
        )

    @cached_property
    def approximate_moments(self) -> Floats:
        """``moments`` by the normal law at every point: good enough for intervals."""
        return self._by_normal_law(np.flatnonzero(self.a.t > 0), N_CELLS)

    def _by_normal_law(self, points: Integers, cells: int) -> Floats:
        """Of some points; with so many cells at least."""
        a, b = self.a.moments, self.b.moments
        own = np.array([[hits[1], hits[0] - hits[3]] for hits in (a, b)])
        both, cases = own[0], (self.positive, self.negative)
        if len(points) and not self._same:
            both = normal_moments((self.a, self.b), cases, points, own, cells)
        return np.array([a[0] - b[0], *np.maximum(own.sum(axis=0) - 2 * both, 0.0)])

    def _n_pairs(self, point: int) -> int:
        """Pairs of segments that may be reached."""
        return int(np.prod([np.ptp(model.ends(point)) + 1 for model in (self.a, self.b)]))

    @cached_property
    def sloping(self) -> Booleans:
        """Whether a segment that may be reached slopes."""
        return np.asarray(self.a.sloping | self.b.sloping)

    def law(self, point: int, draws: int, pseudo: float) -> SumLaw:
        """That of the difference in hits, ``pseudo`` cases added to each of both / only a / only b / neither.

        Without ties across the classes it is the papers' exact law up to ``MAX_LAW_PAIRS`` pairs of segments that may
        be met, with some 300,000 negatives at the middle rates; beyond, a normal law with the moments of the difference
        by :mod:`._normal_pair` is put in its place.
        """
        if self._same and not pseudo:  # else rounding would put mass beside 0
            return Masses(np.zeros(1), np.ones(1))
        if self._n_pairs(point) > MAX_LAW_PAIRS:
            return self._normal_law(point, draws, pseudo)
        law = self._sloping_law(point, draws, pseudo) if self.sloping[point] else None
        if law:
            return law
        pair = self.pair(point)
        return mixed_masses(pair.weights, pair.difference, pair.squares + pair.within, draws, pseudo)

    def _normal_law(self, point: int, draws: int, pseudo: float) -> SumLaw:
        """The normal law with the moments of the difference."""
        mean, spread, squares = self.moments[:, point]
        second = squares + spread * (1 - 1 / draws)
        return mixed_masses(np.ones(1), np.array([mean]), np.array([second]), draws, pseudo)

    def _sloping_law(self, point: int, draws: int, pseudo: float) -> SumLaw | None:
        """From the joint law of the shares; None if that takes too long."""
        if counted := self._counted(point):
            return sloping_law([sloping_pair(*each) for each in counted.shares()], draws, pseudo)
        pair = self.pair(point)
        pairs = pairs_of_pieces((self.a, self.b), (pair.a, pair.b), pair.weights, self.positive, self.negative)
        if self._draws is None:  # else the joint law is exact
            pairs = equal_shares_split(pairs, float(self.a.t[point]), self.a.curve.negatives)
        return sloping_law(pairs, draws, pseudo)

    def _counted(self, point: int) -> CountedPairs | None:
        """The joint law by counts, where segments may slope, resamples are too many to list and sums are short."""
        if not self.sloping[point] or self._draws is not None:
            return None
        return counted_pairs((self.a, self.b), point, self.positive, self.negative)

    def pair(self, point: int) -> Pair:
        """The pieces and their joint law; tied groups are cut where much of the variance is within them."""
        if self.sloping[point] and self._draws is not None:
            return self._pair(*self._listed(point))
        uncut = self._pair(*self._cut(point, 1))
        return uncut if uncut.share_within <= MAX_UNCUT_SHARE else self._pair(*self._cut(point))

    def _pair(self, a: Pieces, b: Pieces, weights: Floats) -> Pair:
        share_covariance = self._share_covariance(a, b)
        i, j = np.ogrid[: len(a.place), : len(b.place)]
        return Pair(a, b, weights, _worth(self.positive, a, b, (i, j), share_covariance), share_covariance)

    def _share_covariance(self, a: Pieces, b: Pieces) -> Floats:
        """Shares vary together within pieces where both curves meet the same negatives there."""
        if not (a.spread.any() and b.spread.any()):
            return np.zeros((len(a.place), len(b.place)))
        before = self.negative.counts_before(a.cuts, b.cuts)
        same = np.equal.outer(a.end, b.end)
        for tied in (0, 1):
            at_a, at_b = (np.searchsorted(each.cuts, 2 * each.place + tied * (each.tied > 0)) for each in (a, b))
            for axis, crossing, each in ((1, self.a, a), (0, self.b, b)):
                segments = crossing.curve.segments
                edge = np.where(tied & (each.tied > 0), segments.ends[each.place], segments.starts[each.place])
                same &= before[np.ix_(at_a, at_b)] == np.expand_dims(edge, axis)
        return np.where(same, a.spread[:, None], 0.0)

    def _cut(self, point: int, most: int | None = None) -> tuple[Pieces, Pieces, Floats]:
        t = float(self.a.t[point])
        a, b = (cut_into_pieces(model, point, most) for model in (self.a, self.b))
        return a, b, joint_weights((self.a, self.b), (a, b), self.negative, t)

    @cached_property
    def _draws(self) -> tuple[Floats, Floats, Integers, Integers] | None:
        """Every resample of the negatives, its probability, and the segments that its numbers count."""
        at_a, at_b, counts = self.negative.cells()
        n = self.a.curve.negatives
        if n > MAX_RESAMPLED_NEGATIVES or _log_ways(n, len(counts)) > MAX_LOG_RESAMPLES:
            return None
        return *_all_draws(n, counts), at_a // 2, at_b // 2

    def _listed(self, point: int) -> tuple[Pieces, Pieces, Floats]:
        a, b, (i, j), masses = self._listed_pairs(point)
        weights = np.bincount(i * len(b.place) + j, masses, minlength=len(a.place) * len(b.place))
        return a, b, np.asarray(weights.reshape(len(a.place), len(b.place)), dtype=np.float64)

    def _listed_moments(self, point: int) -> tuple[float, float, float]:
        """Those of one point, resample by resample: pairs of pieces may be many more."""
        a, b, (i, j), masses = self._listed_pairs(point)
        difference, shared = a.hits[i] - b.hits[j], _worth(self.positive, a, b, (i, j), 0.0)
        return _moments(masses, difference, a.squares[i] + b.squares[j] - 2 * shared, 0.0)

    def _listed_pairs(self, point: int) -> tuple[Pieces, Pieces, tuple[Integers, Integers], Floats]:
        """The pieces that resamples of the negatives meet, which each does, and how probable it is."""
        assert self._draws is not None
        drawn, masses, at_a, at_b = self._draws
        t = float(self.a.t[point])
        (a, i), (b, j) = (_pieces_reached(model, drawn, at, t) for model, at in ((self.a, at_a), (self.b, at_b)))
        return a, b, (i, j), masses


@dataclass(frozen=True, eq=False, kw_only=True)
class PairedVerticalLaw(MixtureLaw):
    """The law of the difference of two models' true-positive rates, and those of each, at the same rates."""

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
        """The difference of the curves' heights."""
        return self.a.estimate - self.b.estimate

    @cached_property
    def decorrelation(self) -> Floats:
        """One less the correlation of the two rates, with one pseudo-case so that it is defined and above 0.

        From moments that are good enough for intervals.
        """
        draws = self.cases + CORRELATION_PSEUDO_CASES
        own = [model._given(model.crossing.moments, CORRELATION_PSEUDO_CASES) for model in (self.a, self.b)]
        moments = *own, self._given(self.joint.approximate_moments, CORRELATION_PSEUDO_CASES)
        a, b, both = (spread / draws**2 + given / draws for _, spread, given in moments)
        least = CORRELATION_PSEUDO_CASES / 2 / draws**2  # what the pseudo-case adds to the variance
        excess = np.maximum(both - (np.sqrt(a) - np.sqrt(b)) ** 2, np.where(self.known, 0.0, least / 2))
        return np.asarray(excess / np.where(self.known, 1.0, 2 * np.sqrt(a * b)))

    @property
    def mean(self) -> Floats:
        """What the models have alone says it; pseudo-cases favour neither."""
        a, b = (model.crossing.moments[0] for model in (self.a, self.b))
        return np.asarray((a - b) / self.draws)

    @property
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        return self._given(self.joint.moments, self.pseudo_cases)

    def _given(self, moments: Floats, pseudo_cases: float) -> tuple[Floats, Floats, Floats]:
        """From the moments of the hits; pseudo-cases are as often found by one model alone as by both or neither."""
        (mean, spread, squares), draws = moments, self.cases + pseudo_cases
        given = (squares + pseudo_cases / 2) / draws - (spread + mean**2) / draws**2
        return mean, spread, np.where(self.known, 0.0, np.maximum(given, 0.0))

    def _masses(self, point: int) -> SumLaw:
        if self.known[point]:
            return Masses(np.zeros(1), np.ones(1))
        return self.joint.law(point, round(self.draws), self.pseudo_cases / 4)


def paired_vertical_law(
    a: VerticalLaw, b: VerticalLaw, positive: PairedCases, negative: PairedCases
) -> PairedVerticalLaw:
    """The law of the difference, a - b, at the rates of both."""
    joint = JointCrossing(a.crossing, b.crossing, positive, negative)
    return PairedVerticalLaw(a.cases, a.known, a=a, b=b, joint=joint)


def _moments(
    weights: Floats, difference: Floats, squares: Floats, within: Floats | float
) -> tuple[float, float, float]:
    """The mean and the variance of the difference, and the mean of the squares."""
    mean = float((weights * difference).sum())
    spread = float((weights * ((difference - mean) ** 2 + within)).sum())
    return mean, spread, float((weights * squares).sum())


def _worth(
    positive: PairedCases, a: Pieces, b: Pieces, pairs: tuple[Integers, Integers], share_covariance: Floats | float
) -> Floats:
    """The positives that both models find in pairs of pieces, each by the product of what it is worth to them."""
    before, (i, j) = positive.counts_before(a.cuts, b.cuts), pairs
    full_a, full_b = (np.searchsorted(each.cuts, 2 * each.place) for each in (a, b))
    part_a, part_b = ((np.searchsorted(each.cuts, 2 * each.place + (each.tied > 0))) for each in (a, b))
    shared = before[full_a[i], full_b[j]]
    if a.tied.any() or b.tied.any():
        rows, columns = before[part_a[i], full_b[j]], before[full_a[i], part_b[j]]
        corner = before[part_a[i], part_b[j]] - rows - columns + shared
        x, y = a.share[i], b.share[j]
        shared = shared + x * (rows - shared) + y * (columns - shared) + (x * y + share_covariance) * corner
    return np.asarray(shared)


def _pieces_reached(crossing: Crossing, drawn: Floats, at: Integers, t: float) -> tuple[Pieces, Integers]:
    """The pieces where resamples of the negatives reach t, one for each share that occurs, and which is whose."""
    places, column = np.unique(at, return_inverse=True)
    counts = np.zeros((len(drawn), len(places)))
    np.add.at(counts.T, column, drawn.T)
    reached = np.cumsum(counts, axis=1)
    ends_in = np.argmax(reached >= t - REACH_ROUNDING, axis=1)
    rows = np.arange(len(drawn))
    size = counts[rows, ends_in]
    share = np.where(crossing.curve.segments.tied[places[ends_in]] > 0, (t - reached[rows, ends_in] + size) / size, 0.0)
    kept, which = np.unique(np.column_stack([ends_in, share.round(14)]), axis=0, return_inverse=True)
    place = places[kept[:, 0].astype(np.int64)]
    return pieces_at(crossing, np.zeros(len(kept)), place, kept[:, 1]), which.ravel()


def _log_ways(draws: int, cells: int) -> float:
    """Of the number of ways to draw so often from so many cells."""
    return float(gammaln(draws + cells) - gammaln(draws + 1) - gammaln(cells))


def _all_draws(draws: int, counts: Floats) -> tuple[Floats, Floats]:
    """Every way to draw so often from cells with these counts, shape (n_ways, n_cells), and its probability."""
    cells = len(counts)
    bars = np.array(list(combinations(range(draws + cells - 1), cells - 1)), dtype=np.int64)
    bars = bars.reshape(-1, cells - 1) if cells > 1 else np.zeros((1, 0), dtype=np.int64)
    ends = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), draws + cells - 1)])
    drawn = (np.diff(ends, axis=1) - 1).astype(np.float64)
    logs = gammaln(draws + 1) - gammaln(drawn + 1).sum(axis=1) + drawn @ np.log(counts / counts.sum())
    return drawn, np.exp(logs)
