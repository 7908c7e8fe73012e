"""Two models' curves in segments that slope, exactly: by the joint law of the negatives before and in each segment.

Of n negatives drawn A score more than a segment of model a and B fall in it, A' and B' likewise for model b. The curve
of a resample ends in the segment where A < t <= A + B, after the share (t - A) / B of it. With p_ij the share of the
negatives above (0), in (1) or below (2) a's segment, i, and b's, j,

    E[exp(i s A' + i t B'); A, B] = n! / (A! B! C!) f_0^A f_1^B f_2^C,    f_i = p_i0 exp(is) + p_i1 exp(it) + p_i2,

C = n - A - B being drawn below. What is asked of both is summed over the frequencies s and t of a grid that holds every
(A', B'). All terms are probabilities or less in size, so that nothing cancels, and nothing is approximated. The work is
about n^4 / 8 for a pair of segments: this is for tens of cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._normal_pair import PairedCases
from skcostci.laws._pieces import cut_into_pieces, joint_weights
from skcostci.laws._sloping import SlopingPair, cells_around, sloping_pair
from skcostci.laws._vertical import Crossing

MAX_COUNTED_NEGATIVES = 128  # beyond, even one pair of segments takes too long; doubled: MAX_COUNTED_TERMS decides
MAX_COUNTED_TERMS = 2**23  # of the sums at a point; doubled: twice the time
COUNTED_PAIR_ROUNDING = 1e-15  # pairs of segments less probable are left out: rounding
SHARE_ROUNDING = 1e-13  # shares that differ by no more are one
Complex = NDArray[np.complex128]


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

    def pairs(self) -> list[SlopingPair]:
        """With the joint law of the shares."""
        order = np.argsort(self._shares, kind="stable")
        first = np.flatnonzero(np.diff(self._shares[order], prepend=-1.0) > SHARE_ROUNDING)
        shares = self._shares[order][first]
        tables = iter(self._tables(lambda counts: np.add.reduceat(counts[:, order], first, axis=1)))
        found = (
            (next(tables), shares) if sloping else (np.full((1, 1), one), np.zeros(1))
            for sloping, one in zip(self.sloping, self.weights, strict=True)
        )
        return [sloping_pair(cells, *each) for cells, each in zip(self.positive, found, strict=True)]

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
