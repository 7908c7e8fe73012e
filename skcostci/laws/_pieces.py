"""Two models' curves cut into pieces, and how probable it is that a resample ends in a piece of each.

A piece is a segment of a curve, or of a segment on which both classes tie one of up to ``MAX_PIECES_OF_GROUP`` shares
as probable as each other (:mod:`._tied_share`). The joint probabilities are second differences of

    H(z, z') = P(S_a(z) < t, S_b(z') < t),

S(z) being the negatives drawn before the place z, those of a group it lies in counting by the share x that is before
it, so that one draw has the mean (start + x size) / n and the mean square (start + x^2 size) / n.
At vertices H is exact (:mod:`._threshold`). Within groups it is that of two normal variables with the exact margins and
the exact correlation of S_a and S_b; what is less than 0 of its differences is made 0, and the margins are fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy.special import ndtri

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
    return pieces_at(crossing, weights, place, np.concatenate(shares), np.concatenate(ends), np.repeat(within, sizes))


def pieces_at(
    crossing: Crossing,
    weights: Floats,
    place: Integers,
    share: Floats,
    end: Floats | float = 1.0,
    spread: Floats | float = 0.0,
) -> Pieces:
    """With the positives that each finds."""
    segments = crossing.curve.segments
    before, tied = segments.before[place].astype(np.float64), segments.tied[place].astype(np.float64)
    ends, spreads = (np.broadcast_to(each, share.shape) for each in (end, spread))
    return Pieces(weights, place, share, ends, before, tied, spreads)


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
