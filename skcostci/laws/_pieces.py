"""Curves cut into pieces: one a segment, more for a tied group, and the cases of two models by where they lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._validation import Floats, Integers, Weights
from skcostci.laws._vertical import Crossing

BLOCKS = 24  # of a tied group, at most,
PIECES = 96  # and of all tied groups of a model, unless they are more
FLAT = np.zeros(1), np.ones(1), np.ones(1), 0.0  # a segment that does not slope is one piece


@dataclass(frozen=True)
class PairedCases:
    """The cases of a class by model: 2 k for those on the left of segment k, 2 k + 1 for those in it."""

    a: Integers
    b: Integers
    weights: Weights | None

    def counts_before(self, cuts_a: Integers, cuts_b: Integers) -> Floats:
        """How many are at or before each pair of cuts."""
        row, column = _cut(self.a, cuts_a), _cut(self.b, cuts_b)
        shape = len(cuts_a) + 1, len(cuts_b) + 1
        counts = np.bincount(row * shape[1] + column, self.weights, minlength=shape[0] * shape[1])
        return counts.reshape(shape).cumsum(axis=0).cumsum(axis=1)[:-1, :-1]

    def cells(self) -> tuple[Integers, Integers, Floats]:
        """The pairs of places that occur, and how often."""
        width = int(self.b.max()) + 1
        codes, place = np.unique(self.a * width + self.b, return_inverse=True)
        return *np.divmod(codes, width), np.bincount(place, self.weights).astype(np.float64)


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
    met, segments = crossing.met_at(point), crossing.curve.segments
    moments = crossing.shares(np.array([point]))
    most = most or min(max(PIECES // max(moments.shape[1], 1), 1), BLOCKS)
    if most == 1:
        blocks = ((np.array([mean]), np.ones(1), np.ones(1), variance) for mean, variance in moments.T.tolist())
    else:
        laws = crossing.groups(np.array([point])).laws
        blocks = (_blocks(*law, variance, most) for law, variance in zip(laws, moments[1].tolist(), strict=True))
    slopes = (segments.tied[met.place] > 0).tolist()
    shares, masses, ends, within = zip(*(next(blocks) if sloping else FLAT for sloping in slopes), strict=True)
    sizes = [len(each) for each in masses]
    weights, place = np.repeat(met.weights, sizes) * np.concatenate(masses), np.repeat(met.place, sizes)
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


def _cut(places: Integers, cuts: Integers) -> Integers:
    """The first cut at or after each place."""
    low, high = int(cuts[0]), int(cuts[-1])
    lookup = np.searchsorted(cuts, np.arange(low, high + 2))
    return lookup[np.clip(places, low, high + 1) - low]
