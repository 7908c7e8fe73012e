"""Where two models' curves end in the same resample: joint probabilities of pieces of both, or of whole counts.

**Pieces.** A piece is a segment of a curve, or of a segment on which both classes tie one of up to
``MAX_PIECES_OF_GROUP`` shares as probable as each other (:mod:`._tied_share`). The joint probabilities are second
differences of

    H(z, z') = P(S_a(z) < t, S_b(z') < t),

S(z) being the negatives drawn before the place z, those of a group it lies in counting by the share x that is before
it, so that one draw has the mean (start + x size) / n and the mean square (start + x^2 size) / n.
At vertices H is exact (:mod:`._threshold`). Within groups it is that of two normal variables with the exact margins and
the exact correlation of S_a and S_b; what is less than 0 of its differences is made 0, and the margins are fitted.

**Counts**, where segments slope and cases are tens. Of n negatives drawn A score more than a segment of model a and B
fall in it, A' and B' likewise for model b. The curve of a resample ends in the segment where A < t <= A + B, after the
share (t - A) / B of it. With p_ij the share of the negatives above (0), in (1) or below (2) a's segment, i, and b's, j,

    E[exp(i s A' + i t B'); A, B] = n! / (A! B! C!) f_0^A f_1^B f_2^C,    f_i = p_i0 exp(is) + p_i1 exp(it) + p_i2,

C = n - A - B being drawn below. What is asked of both is summed over the frequencies s and t of a grid that holds every
(A', B'). All terms are probabilities or less in size, so that nothing cancels, and nothing is approximated. The work is
about n^4 / 8 for a pair of segments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtri

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._normal_pair import PairedCases, bivariate_normal
from skcostci.laws._threshold import joint_reach
from skcostci.laws._tied_share import LARGEST_DEVIATE, TINY
from skcostci.laws._vertical import Crossing

MAX_PIECES_OF_GROUP = 24  # of equal probability; doubled: four times the time of a pair of groups
MAX_PIECES = 96  # of all tied groups of a model together, unless there are more groups
FITTING_ROUNDS = 50  # of the margins in turn; doubled: the margins to more digits than H has
NESTED_ROUNDING = 1e-9  # negatives: what rounding leaves where one place is before the other
FLAT = np.zeros(1), np.ones(1), np.ones(1), 0.0  # a segment that does not slope is one piece
MAX_COUNTED_NEGATIVES = 128  # beyond, even one pair of segments takes too long; doubled: MAX_COUNTED_TERMS decides
MAX_COUNTED_TERMS = 2**23  # of the sums at a point; doubled: twice the time
COUNTED_PAIR_ROUNDING = 1e-15  # pairs of segments less probable are left out: rounding
SHARE_ROUNDING = 1e-13  # shares that differ by no more are one
Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Pieces:
    """Pieces of a model's curve: their probabilities, segments, mean shares and the share of the segment they end at.

    ``spread`` is the variance of the share within a piece.
    """

    weights: Floats
    place: Integers
    share: Floats
    end: Floats
    before: Floats
    tied: Floats
    spread: Floats

    @property
    def hits(self) -> Floats:
        return self.before + self.share * self.tied

    @property
    def squares(self) -> Floats:
        """The mean sum of the squares of what each positive is worth."""
        return self.before + (self.share**2 + self.spread) * self.tied

    @property
    def cuts(self) -> Integers:
        """The places before which pairs are to be counted."""
        return np.unique(np.concatenate([2 * self.place, 2 * self.place[self.tied > 0] + 1]))


def cut_into_pieces(crossing: Crossing, point: int, most: int | None = None) -> Pieces:
    """One a segment, or for a tied group up to so many."""
    reachable, segments = crossing.reachable_at(point), crossing.curve.segments
    moments = crossing.shares(np.array([point]))
    most = most or min(max(MAX_PIECES // max(moments.shape[1], 1), 1), MAX_PIECES_OF_GROUP)
    if most == 1:
        blocks = ((np.array([mean]), np.ones(1), np.ones(1), variance) for mean, variance in moments.T.tolist())
    else:
        laws = crossing.groups(np.array([point])).laws
        blocks = (_blocks(*law, variance, most) for law, variance in zip(laws, moments[1].tolist(), strict=True))
    slopes = (segments.tied[reachable.place] > 0).tolist()
    shares, masses, ends, within = zip(*(next(blocks) if sloping else FLAT for sloping in slopes), strict=True)
    sizes = [len(each) for each in masses]
    weights, place = np.repeat(reachable.weights, sizes) * np.concatenate(masses), np.repeat(reachable.place, sizes)
    before, tied = (each[place].astype(np.float64) for each in (segments.before, segments.tied))
    return Pieces(weights, place, np.concatenate(shares), np.concatenate(ends), before, tied, np.repeat(within, sizes))


def _blocks(shares: Floats, masses: Floats, variance: float, most: int) -> tuple[Floats, Floats, Floats, float]:
    """At most so many mean shares, their probabilities in the segment, where they end, and the variance within them."""
    last, means, total = _mean_shares(shares, masses, most)
    ends = np.append((shares[last] + shares[last + 1]) / 2, 1.0)
    between = float(total @ (means - total @ means) ** 2)
    return means, total, ends, max(variance - between, 0.0) if len(total) < len(shares) else 0.0


def _mean_shares(shares: Floats, masses: Floats, most: int) -> tuple[Integers, Floats, Floats]:
    """At most so many blocks, as probable as may be: the last share of all but one, their means and probabilities."""
    middle = np.cumsum(masses) - masses / 2
    last = np.flatnonzero(np.diff(np.minimum((middle * most).astype(np.int64), most - 1)))
    first = np.append(0, last + 1)
    total = np.add.reduceat(masses, first)
    return last, np.add.reduceat(masses * shares, first) / total, total


def in_mean_shares(shares: Floats, masses: Floats, most: int) -> tuple[Floats, Floats]:
    """The same law by at most so many mean shares."""
    return _mean_shares(shares, masses, most)[1:]


def joint_weights(
    crossings: tuple[Crossing, Crossing], pieces: tuple[Pieces, Pieces], negative: PairedCases, t: float
) -> Floats:
    """How probable each pair of pieces is."""
    a, b = pieces
    reach_a, reach_b = (np.minimum(np.cumsum(each.weights[::-1])[::-1], 1.0) for each in pieces)
    joint = np.zeros((len(reach_a) + 1, len(reach_b) + 1))
    joint[0, :-1], joint[:-1, 0] = reach_b, reach_a
    joint[0, 0] = 1.0
    exact = True
    if min(len(reach_a), len(reach_b)) > 1:
        edges = _Edges(crossings[0], a), _Edges(crossings[1], b)
        exact = bool(edges[0].whole.all() and edges[1].whole.all())
        below = negative.counts_before(a.cuts, b.cuts)
        joint[1:-1, 1:-1] = _joint_reach(*edges, below, reach_a[1:], reach_b[1:], ceil(t))
    weights = np.diff(np.diff(joint, axis=0), axis=1)
    return weights if exact else _fitted(weights, a.weights, b.weights)


class _Edges:
    """Where a model's pieces end, the last aside: in which segment, after what share of it, at which cuts."""

    def __init__(self, crossing: Crossing, pieces: Pieces) -> None:
        segments, place, cuts = crossing.curve.segments, pieces.place[:-1], pieces.cuts
        self.n = crossing.curve.negatives
        self.share = pieces.end[:-1]
        self.whole = self.share == 1
        self.through, self.before = segments.ends[place], segments.starts[place]
        self.before = np.where(self.whole, self.through, self.before)
        self.within = np.searchsorted(cuts, np.where(self.whole, 2 * place + 2, 2 * place + 1))
        self.left = np.searchsorted(cuts, np.where(self.whole, 2 * place + 2, 2 * place))

    @property
    def mean(self) -> Floats:
        """Of what one draw counts."""
        return (self.before + self.share * (self.through - self.before)) / self.n

    @property
    def variance(self) -> Floats:
        return (self.before + self.share**2 * (self.through - self.before)) / self.n - self.mean**2


def _joint_reach(a: _Edges, b: _Edges, below: Floats, reach_a: Floats, reach_b: Floats, rank: int) -> Floats:
    """H at the ends of pieces: exact where both are vertices, else by the normal law."""
    rows, columns = np.flatnonzero(a.whole), np.flatnonzero(b.whole)
    if len(rows) == len(reach_a) and len(columns) == len(reach_b):
        joint = np.zeros((len(reach_a), len(reach_b)))
    else:
        joint = _normal_reach(a, b, below, reach_a, reach_b)
    if len(rows) and len(columns):
        both = below[np.ix_(a.within[rows], b.within[columns])]
        reach = reach_a[rows], reach_b[columns]
        joint[np.ix_(rows, columns)] = joint_reach(a.through[rows], b.through[columns], both, *reach, rank, a.n)
    return joint


def _normal_reach(a: _Edges, b: _Edges, below: Floats, reach_a: Floats, reach_b: Floats) -> Floats:
    """H by the normal law; where what is before one place is before the other too, it is the smaller margin."""
    corner = [below[np.ix_(i, j)] for i in (a.left, a.within) for j in (b.left, b.within)]
    x, y = a.share[:, None], b.share
    product = (
        (1 - x) * (1 - y) * corner[0] + (1 - x) * y * corner[1] + x * (1 - y) * corner[2] + x * y * corner[3]
    ) / a.n
    deviations = np.sqrt(np.multiply.outer(a.variance, b.variance))
    # where a margin is 0 or 1 the deviation is 0, and H is a margin whatever the correlation
    correlation = np.clip((product - np.multiply.outer(a.mean, b.mean)) / np.maximum(deviations, TINY), -1, 1)
    most = np.minimum.outer(reach_a, reach_b)
    least = np.maximum(np.add.outer(reach_a, reach_b) - 1, 0.0)
    h, k = (np.clip(ndtri(reach), -LARGEST_DEVIATE, LARGEST_DEVIATE) for reach in (reach_a, reach_b))
    joint = np.clip(bivariate_normal(h[:, None], k[None], correlation), least, most)
    return np.where(_nested(a, b, corner), most, joint)


def _nested(a: _Edges, b: _Edges, corner: list[Floats]) -> Booleans:
    """Whether no negative counts more before a's place than before b's, or none counts less."""
    x, y = a.share[:, None], b.share
    tied = corner[3] - corner[2] - corner[1] + corner[0]
    sides = []
    for more, other, one, left, step in (
        (x, y, corner[1], a.before[:, None], (a.through - a.before)[:, None]),
        (y, x, corner[2], b.before, b.through - b.before),
    ):
        full_in, full_out = one - corner[0], left - one
        part_out = step - (corner[3] - one)
        sides.append(full_in * (1 - other) + full_out + tied * np.maximum(more - other, 0.0) + part_out * more)
    return np.asarray(np.minimum(*sides) <= NESTED_ROUNDING)


def _fitted(weights: Floats, a: Floats, b: Floats) -> Floats:
    """Approximate probabilities made positive, with the exact margins."""
    fitted = np.maximum(weights, 0.0)
    for _ in range(FITTING_ROUNDS):
        for axis, margin in ((1, a), (0, b)):
            total = fitted.sum(axis=axis)
            scale = np.divide(margin, total, out=np.ones_like(total), where=total > 0)
            fitted = fitted * np.expand_dims(scale, axis)
    return fitted


@dataclass(frozen=True, eq=False)
class CountedPairs:
    """Pairs of segments that may be reached together; cases by whether they lie above, in or below a's, then b's."""

    t: float
    n: int
    weights: Floats
    sloping: Booleans
    positive: Floats
    negative: Floats

    @property
    def affordable(self) -> bool:
        work = int(self.sloping.sum()) * (self.n + 1) * (self.n // 2 + 1) * len(self._counts)
        return bool(self.sloping.any()) and work <= MAX_COUNTED_TERMS

    @cached_property
    def moments(self) -> tuple[float, float, float]:
        """The mean and variance of the difference in hits, and the mean sum of the squares of positives' worth."""
        powers = self._shares[:, None] ** np.arange(3)
        joint = np.zeros((len(self.weights), 3, 3))  # of the powers of both shares
        joint[:, 0, 0] = self.weights
        joint[self.sloping] = self._tables(lambda counts: counts @ powers)
        same = self._same_negatives  # equal to the last bit, or models that agree would differ by rounding
        joint[same, 0, 1] = joint[same, 1, 0]
        joint[same, 0, 2] = joint[same, 1, 1] = joint[same, 2, 0]
        one, a, b = joint[:, 0, 0], joint[:, 1, 0], joint[:, 0, 1]
        a_a, b_b, a_b = joint[:, 2, 0], joint[:, 0, 2], joint[:, 1, 1]
        cells = self.positive
        # given shares x and y the difference is before + x tied_a - y tied_b
        before = cells[:, 0].sum(axis=1) - cells[:, :, 0].sum(axis=1)
        tied_a, tied_b = cells[:, 1].sum(axis=1), cells[:, :, 1].sum(axis=1)
        part = tied_a * a - tied_b * b
        mean = float((before * one + part).sum())
        off = before - mean
        squares = tied_a**2 * a_a + tied_b**2 * b_b - 2 * tied_a * tied_b * a_b
        spread = float((off**2 * one + 2 * off * part + squares).sum())
        # E (worth to a - worth to b)^2 of a positive above (worth 1), in (x, y) or below (0) a's segment, then b's
        worth = [[0 * one, one - 2 * b + b_b, one], [one - 2 * a + a_a, a_a - 2 * a_b + b_b, a_a], [one, b_b, 0 * one]]
        return mean, max(spread, 0.0), float((np.moveaxis(np.array(worth), 2, 0) * cells).sum())

    def shares(self) -> list[tuple[Floats, Floats, Floats]]:
        """Of each pair the positives around it, the joint probabilities of both shares, and the shares."""
        order = np.argsort(self._shares, kind="stable")
        first = np.flatnonzero(np.diff(self._shares[order], prepend=-1.0) > SHARE_ROUNDING)
        shares = self._shares[order][first]
        tables = iter(self._tables(lambda counts: np.add.reduceat(counts[:, order], first, axis=1)))
        return [
            (cells, next(tables), shares) if sloping else (cells, np.full((1, 1), one), np.zeros(1))
            for cells, sloping, one in zip(self.positive, self.sloping, self.weights, strict=True)
        ]

    @cached_property
    def _same_negatives(self) -> Booleans:
        """Whether both models have the same negatives above, in and below their segments."""
        return np.asarray((self.negative * (1 - np.eye(3)) == 0).all(axis=(1, 2)))

    @cached_property
    def _counts(self) -> Integers:
        """The (A, B) that let a curve end in a segment."""
        above, within = np.meshgrid(np.arange(self.n + 1), np.arange(self.n + 1), indexing="ij")
        ends = (above < self.t) & (above + within >= self.t) & (above + within <= self.n)
        return np.column_stack([above[ends], within[ends]])

    @cached_property
    def _shares(self) -> Floats:
        return np.asarray((self.t - self._counts[:, 0]) / self._counts[:, 1])

    def _tables(self, summed: Callable[[Floats], Floats]) -> Floats:
        """For each sloping pair the joint law of a's counts and of b's, both summed over as one says."""
        a, b = self._counts.T
        rest = self.n - a - b
        above, within, times = _grid(self.n + 1)
        kernel = np.conj(_powers(above, self.n)[:, a] * _powers(within, self.n)[:, b]) * times[:, None]
        ways = np.exp(gammaln(self.n + 1) - gammaln(a + 1) - gammaln(b + 1) - gammaln(rest + 1))
        asked = np.vstack([summed(kernel.real), summed(-kernel.imag)])
        tables = []
        for p, alike in zip(self.negative[self.sloping] / self.n, self._same_negatives[self.sloping], strict=True):
            if alike:
                chance = ways * p[0, 0] ** a * p[1, 1] ** b * p[2, 2] ** rest
                tables.append(summed(summed(np.diag(chance)).T))
                continue
            drawn = [_powers(row[0] * above + row[1] * within + row[2], self.n) for row in p]
            terms = drawn[0][:, a] * drawn[1][:, b] * drawn[2][:, rest] * ways
            tables.append(np.vstack([summed(terms.real), summed(terms.imag)]).T @ asked)
        return np.array(tables)


def cells_around(cases: PairedCases, crossings: tuple[Crossing, Crossing], a: Integers, b: Integers) -> Floats:
    """Cases above, in and below each segment of a and of b, shape (n_a, n_b, 3, 3)."""
    cuts, at = [], []
    for crossing, place in zip(crossings, (a, b), strict=True):
        end = 2 * len(crossing.curve.segments.ends) + 2
        edges = np.column_stack([2 * place, 2 * place + 1, np.full(len(place), end)])
        cuts.append(np.unique(edges))
        at.append(np.searchsorted(cuts[-1], edges))
    up_to = cases.counts_before(cuts[0], cuts[1]).astype(np.float64)[at[0][:, None, :, None], at[1][None, :, None, :]]
    return np.diff(np.diff(up_to, axis=2, prepend=0.0), axis=3, prepend=0.0)


def counted_pairs(
    crossings: tuple[Crossing, Crossing], point: int, positive: PairedCases, negative: PairedCases
) -> CountedPairs | None:
    """The pairs of segments that the curves may reach together at a point; None where the sums take too long."""
    n = crossings[0].curve.negatives
    if n > MAX_COUNTED_NEGATIVES:
        return None
    a, b = (cut_into_pieces(crossing, point, most=1) for crossing in crossings)
    t = float(crossings[0].t[point])
    joint = joint_weights(crossings, (a, b), negative, t)
    i, j = np.nonzero(joint > COUNTED_PAIR_ROUNDING)
    cells = (cells_around(cases, crossings, a.place, b.place)[i, j] for cases in (positive, negative))
    pairs = CountedPairs(t, n, joint[i, j], (a.tied[i] > 0) | (b.tied[j] > 0), *cells)
    return pairs if pairs.affordable else None


def _grid(size: int) -> tuple[Complex, Complex, Floats]:
    """At each frequency one draw above b's segment, one in it, and how many frequencies it stands for."""
    half = np.arange(size // 2 + 1)
    times = np.where((half == 0) | (2 * half == size), 1.0, 2.0) / size**2
    one = np.exp(2j * np.pi / size * np.arange(size))
    above, within = np.meshgrid(one, one[half], indexing="ij")
    return above.ravel(), within.ravel(), np.tile(times, size)


def _powers(base: Complex, n: int) -> Complex:
    """Powers 0 to n, shape (len(base), n + 1)."""
    powers = np.ones((len(base), n + 1), dtype=np.complex128)
    np.cumprod(np.broadcast_to(base[:, None], (len(base), n)), axis=1, out=powers[:, 1:])
    return powers
