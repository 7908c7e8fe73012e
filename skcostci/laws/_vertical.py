"""Hits at a fixed false-positive rate: the mixture over where the curve of a resample reaches so many negatives.

The drawn curve of the sample joins vertices by straight lines, its *segments*: segment k has ``before`` positives on
its left and climbs ``tied`` positives, those that score as much as its negatives (none where it is horizontal). At the
false-positive rate t / n a resample's curve ends in the segment of the ceil(t)-th largest of the n negatives drawn:

    P(segment k) = P(R < t; start_k) - P(R < t; end_k),    R ~ Bin(n, place / n) drawn at or before a place,

equation (4) of the 2009 paper. Given segment k, after a share w of it that :mod:`._tied_share` describes, each of the m
positives drawn is a hit with the probability (before_k + w tied_k) / m, independently of the others:

    E hits = sum_k P(k) (before_k + E[w | k] tied_k),    Var hits = Var(before + w tied) + E[m p (1 - p)].

Only the O(sqrt n) segments that may be reached are looked at. Where none of them slopes
moments and the law are exact; else they are as exact as those of w (:mod:`._tied_share` says how much), and a law of
more than MAX_TIED_VALUES values has jumps finer than a positive smoothed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.fft import irfft, next_fast_len

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._lattice import binomial
from skcostci.laws._mixture import Masses, MixtureLaw, whole_masses
from skcostci.laws._points import in_blocks, runs
from skcostci.laws._threshold import RankLaws, rank_laws, rank_spans, whole_windows
from skcostci.laws._tied_share import TiedShares

MIN_BLOCK_RANKS = 2**14  # entries of laws of ranks held at once, at least; doubled: fewer, larger blocks
MAX_TIED_VALUES = 2**22  # listed of a tied group; beyond its law is smooth; doubled: twice the time, half a second
MAX_WIDTHS = 2048  # a smooth law is held in so many widths, of the narrowest law that is mixed, or in wider ones
STEPS_PER_WIDTH = 128  # half a step is the error of a smooth law; doubled: half the error, twice the time
MAX_SMOOTH_STEPS = 2**16  # in all; doubled: only laws of more than 512 widths gain
SMOOTH_ROUNDING = 1e-13  # what the Fourier transform leaves of a mass that is not there
DECAY_SDS = 8.0  # a characteristic function is followed for so many of its deviations: to exp(-32)
WHOLE_ROUNDING = 1e-9  # relative: a rate times n that is so near to a whole number of negatives is that number


@dataclass(frozen=True)
class DrawnCurve:
    """Where a curve stands at each distinct score of a negative, going down.

    ``reached`` negatives score so much or more; ``before`` positives score more, and ``tied`` positives as much.
    """

    reached: Integers
    before: Integers
    tied: Integers
    positives: int

    @property
    def negatives(self) -> int:
        return int(self.reached[-1])

    @cached_property
    def sizes(self) -> Integers:
        """Negatives at each score."""
        return np.diff(self.reached, prepend=0)

    def level(self, x: Floats | Integers) -> Integers:
        """The score at which so many negatives are reached."""
        whole = np.ceil(x).astype(np.int64)  # of the same type, or a search would copy the counts first
        return np.minimum(np.searchsorted(self.reached, whole), len(self.reached) - 1)

    def hits(self, x: Floats) -> Floats:
        """Positives on the curve's left after x negatives: none at 0, those below the last negative at none."""
        level = self.level(x)
        share = 1 - (self.reached[level] - x) / self.sizes[level]
        return np.asarray(np.where(x > 0, self.before[level] + share * self.tied[level], 0.0))

    @cached_property
    def segments(self) -> Segments:
        """The curve without the vertices that lie within a horizontal line."""
        flat = (self.tied[1:] == 0) & (self.tied[:-1] == 0) & (self.before[1:] == self.before[:-1])
        last = np.append(~flat, True)
        return Segments(self.reached[last], self.before[last], self.tied[last])


@dataclass(frozen=True)
class Segments:
    """Straight lines from left to right: where they end, the positives on their left and the positives they climb."""

    ends: Integers
    before: Integers
    tied: Integers

    @cached_property
    def starts(self) -> Integers:
        return np.concatenate([[0], self.ends[:-1]])


class Reached(NamedTuple):
    """The segments that may be reached at some points: at which of them, how probably and where on the curve."""

    row: Integers
    weights: Floats
    place: Integers


@dataclass(frozen=True, eq=False)
class Ranks:
    """Which of n negatives is the ceil(t)-th largest of n draws, at each of n_points points, whatever their scores.

    But for a probability of ``WINDOW_TAIL`` at either end.
    """

    t: Floats
    n: int

    @cached_property
    def rank(self) -> Integers:
        return np.ceil(self.t).astype(np.int64)

    @cached_property
    def spans(self) -> tuple[Floats, Floats]:
        """The places between which it lies; of a rank of 0 those of the first."""
        return rank_spans(np.maximum(self.rank, 1), self.n)

    @cached_property
    def windows(self) -> tuple[Integers, Integers]:
        """The first and the last that it may be."""
        return whole_windows(self.spans, self.n)

    def laws(self, points: Integers) -> RankLaws:
        """Of some points, none of which has a rank of 0."""
        return rank_laws(self.rank[points], self.n)

    @cached_property
    def blocks(self) -> list[tuple[Integers, RankLaws]]:
        """All points that have a rank, in its order, and their laws, of n entries or ``MIN_BLOCK_RANKS`` a block.

        Kept, as two models have them in common: some megabytes for a million negatives.
        """
        first, last = self.windows
        blocks = in_blocks(np.flatnonzero(self.rank), last - first + 1, max(self.n, MIN_BLOCK_RANKS), self.rank)
        return [(block, self.laws(block)) for block in blocks]


@dataclass(frozen=True, eq=False)
class Crossing:
    """Where the curve of a resample may reach ``t`` negatives, at each of n_points points; worked out when asked."""

    curve: DrawnCurve
    ranks: Ranks

    @property
    def t(self) -> Floats:
        return self.ranks.t

    @cached_property
    def sloping(self) -> Booleans:
        """Whether a segment that may be reached slopes."""
        return np.asarray((self.t > 0) & (self._n_slopes > 0))

    @cached_property
    def moments(self) -> Floats:
        """Of the hits, shape (4, n_points): mean, variance, and what the variance of the draws is made of.

        That is the mean number of pairs of a hit and a miss, and of tied positives that are one and may be the other.
        """
        moments = np.zeros((4, len(self.t)))
        for block, laws in self.ranks.blocks:
            moments[:, block] = self._moments_at(block, laws)
        return moments

    def reachable(self, points: Integers, laws: RankLaws) -> Reached:
        """The segments that may hold the ceil(t)-th largest of n negatives drawn, equation (4) of the 2009 paper."""
        starts, _, row, place = self._reach(points)
        beyond = laws.at(row, self.curve.segments.ends[place])
        before = np.concatenate([[1.0], beyond[:-1]])
        before[starts] = 1.0  # nothing was drawn before the first segment of a point, not what its neighbour left
        return Reached(row, before - beyond, place)

    def reachable_at(self, point: int) -> Reached:
        """Those of one point."""
        return self.reachable(np.array([point]), self.ranks.laws(np.array([point])))

    def ends(self, points: Integers | int) -> tuple[Integers, Integers]:
        """The first and the last segment that may be reached at each."""
        first, last = self._range
        return first[points], last[points]

    def groups(self, points: Integers) -> TiedShares:
        """The tied negatives in each, at some points."""
        first, last = self.ends(points)
        row, which = runs(first, last - first + 1)
        slopes = self.curve.segments.tied[which] > 0
        row, which = row[slopes], which[slopes]
        t, above = self.t[points][row], self.curve.segments.starts[which]
        through, n = self.curve.segments.ends[which], self.ranks.n
        return TiedShares(t, above, through - above, n - through, n)

    def shares(self, points: Integers) -> Floats:
        """The moments of how much of each is climbed, shape (2, n_slopes), those of a point after those of another."""
        sizes = np.where(self.sloping, self._n_slopes, 0)
        return np.asarray(self._shares[:, runs((np.cumsum(sizes) - sizes)[points], sizes[points])[1]])

    @cached_property
    def _shares(self) -> Floats:
        return self.groups(np.flatnonzero(self.sloping)).moments

    def _moments_at(self, points: Integers, laws: RankLaws) -> Floats:
        """Those of some points."""
        shares = self.shares(points)
        row, weights, place = self.reachable(points, laws)
        segments, cases = self.curve.segments, self.curve.positives
        before, tied = (each[place].astype(np.float64) for each in (segments.before, segments.tied))
        share, spread = np.zeros((2, len(place)))
        share[tied > 0], spread[tied > 0] = shares
        worth, within = before + share * tied, spread * tied**2
        mean = np.asarray(np.bincount(row, weights * worth), dtype=np.float64)
        pairs = before * (cases - before) + (share**2 + spread) * tied * (cases - tied) - 2 * share * before * tied
        parts = (worth - mean[row]) ** 2 + within, pairs, (share * (1 - share) - spread) * tied
        return np.array([mean, *(np.bincount(row, weights * part) for part in parts)])

    def _reach(self, points: Integers) -> tuple[Integers, ...]:
        """Of all reachable segments: where those of each point begin, and with which; their points and places."""
        first, last = self.ends(points)
        sizes = last - first + 1
        return np.cumsum(sizes) - sizes, first, *runs(first, sizes)

    @cached_property
    def _n_slopes(self) -> Integers:
        """How many segments that may be reached slope."""
        first, last = self._range
        slopes = np.concatenate([[0], np.cumsum(self.curve.segments.tied > 0)])
        return np.asarray(slopes[last + 1] - slopes[first])

    @cached_property
    def _range(self) -> tuple[Integers, Integers]:
        """The first and the last segment that may be reached."""
        first, last = (np.searchsorted(self.curve.segments.ends, ends) for ends in self.ranks.windows)
        return first, last


@dataclass(frozen=True, eq=False, kw_only=True)
class VerticalLaw(MixtureLaw):
    """The law of one model's true-positive rate at each of these false-positive rates."""

    fpr: Floats
    crossing: Crossing

    @property
    def paired(self) -> bool:
        return False

    @cached_property
    def is_exact(self) -> bool:
        """Whether no tied group of both classes that a curve may end in is too large for sums (:mod:`._tied_share`)."""
        return self.crossing.groups(np.flatnonzero(self.crossing.sloping)).is_exact

    @property
    def curve(self) -> DrawnCurve:
        """That of the data."""
        return self.crossing.curve

    @cached_property
    def estimate(self) -> Floats:
        """Its heights."""
        return self.curve.hits(self.crossing.t) / self.cases

    @property
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        return self._given(self.crossing.moments, self.pseudo_cases)

    def _given(self, moments: Floats, pseudo_cases: float) -> tuple[Floats, Floats, Floats]:
        """From the moments of the hits; half of the pseudo-cases are hits."""
        (mean, spread, pairs, ties), more = moments, pseudo_cases / 2
        given = (pairs + more * (self.cases + more - 2 * ties)) / (self.cases + pseudo_cases) ** 2
        return np.where(self.known, 0.0, mean + more), spread, np.where(self.known, 0.0, given)

    def atoms(self, point: int) -> tuple[Floats, Floats]:
        """The values at a point and their probabilities."""
        law = self._masses(point)
        return law.values / self.draws, law.pmf

    def _masses(self, point: int) -> Masses:
        if self.known[point]:
            return Masses(np.zeros(1), np.ones(1))
        reachable, segments, draws = self.crossing.reachable_at(point), self.curve.segments, round(self.draws)
        before: Floats = np.asarray((segments.before[reachable.place] + self.pseudo_cases / 2) / self.draws)
        tied = segments.tied[reachable.place] / self.draws
        flat = tied == 0
        parts = []
        if flat.any():
            parts.append(whole_masses(reachable.weights[flat], before[flat], np.zeros(int(flat.sum())), draws, False))
        if flat.all():
            return Masses(*parts[0])
        sloping = (each[~flat].tolist() for each in (before, tied, reachable.weights))
        for p, q, weight, law in zip(*sloping, self.crossing.groups(np.array([point])).laws, strict=True):
            values, masses = _tied_masses(p, q, draws, *law)
            parts.append((values, weight * masses))
        return Masses.merged(parts)


def vertical_laws(curves: Sequence[DrawnCurve], fpr: Floats) -> list[VerticalLaw]:
    """The laws of models on the same cases at these rates; nothing reaches a rate of 0, an infinite threshold."""
    exact = fpr * curves[0].negatives
    whole = np.rint(exact)
    t = np.where(np.abs(exact - whole) <= WHOLE_ROUNDING * np.maximum(exact, 1.0), whole, exact)
    ranks = Ranks(t, curves[0].negatives)
    return [VerticalLaw(curve.positives, t <= 0, fpr=fpr, crossing=Crossing(curve, ranks)) for curve in curves]


def _tied_masses(p: float, q: float, draws: int, shares: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """The law of X + share * Y, X and Y being the draws among the hits and among the tied."""
    tied = binomial(draws, q, 1 - q)
    rest = p / (1 - q) if q < 1 else 0.0
    # 9 standard deviations on either side: how many values X has that count
    reach_x = min(18 * np.sqrt(draws * p * (1 - p)) + 40, draws + 1)
    if len(shares) * len(tied) * reach_x > MAX_TIED_VALUES:
        return _smooth_masses(p, q, draws, shares, masses)
    values, listed = [], []
    for y, mass in zip(tied.support.tolist(), tied.pmf, strict=True):
        left = draws - y
        x = binomial(left, rest, 1 - rest)
        values.append(np.add.outer(y * shares, x.support).ravel())
        listed.append(np.multiply.outer(mass * masses, x.pmf).ravel())
    law = Masses.merged([(np.concatenate(values), np.concatenate(listed))])
    return law.values, law.pmf


def _smooth_masses(p: float, q: float, draws: int, shares: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """The same by way of characteristic functions as far as they matter: jumps finer than a positive are smoothed.

    Laws narrower than ``scale`` are widened to it, or their characteristic functions would not end.
    """
    mean = p + shares * q
    variance = draws * np.maximum(p + shares**2 * q - mean**2, 0.0)
    low, high = (draws * mean - 9 * np.sqrt(variance)).min(), (draws * mean + 9 * np.sqrt(variance)).max()
    probable = masses > 1e-6 * masses.max()  # an improbable share of a narrow law would ask for the finest steps
    scale = max(float(np.sqrt(variance[probable].min())), (high - low) / MAX_WIDTHS)
    step = max(scale / STEPS_PER_WIDTH, (high - low) / MAX_SMOOTH_STEPS)
    length = next_fast_len(int((high - low) / step) + 2, real=True)
    unit = 2 * np.pi / (length * step)
    turns = unit * np.arange(min(int(DECAY_SDS / scale / unit) + 2, length // 2))
    total = np.zeros(length // 2 + 1, dtype=np.complex128)
    once = np.expm1(1j * turns)
    for share, mass, own in zip(shares, masses, variance, strict=True):
        damped = 0.5 * max(scale**2 - own, 0.0) * turns**2
        total[: len(turns)] += mass * np.exp(draws * np.log1p(p * once + q * np.expm1(1j * share * turns)) - damped)
    total[: len(turns)] *= np.sinc(turns * step / (2 * np.pi)) * np.exp(-1j * turns * low)
    pmf = irfft(np.conj(total), length)
    return low + step * np.arange(length), np.where(pmf > SMOOTH_ROUNDING, pmf, 0.0)
