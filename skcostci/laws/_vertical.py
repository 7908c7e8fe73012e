"""Hits at a fixed false-positive rate: the mixture over where the curve of a resample reaches so many negatives.

The curve of a resample reaches t of the n negatives drawn in the segment whose score is that of the r-th largest of
them, r = ceil(t). In a horizontal segment the positives on its left are hits; in a sloping one those that climb it are
hits to the share that :mod:`._tied_group` describes. Only the O(sqrt n) segments that may be met are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from scipy.fft import irfft, next_fast_len

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._drawn_curve import DrawnCurve
from skcostci.laws._lattice import Lattice, binomial, point
from skcostci.laws._mixture import Masses, MixtureLaw, whole_masses
from skcostci.laws._threshold import rank_law
from skcostci.laws._tied_group import TiedGroup

LISTED = 2**22  # values of a tied group that are listed; beyond, its law is that of a sum that is nearly Gaussian
COARSE = 2048  # intervals, at least as wide as the narrowest of the laws that are mixed, that a smooth law may have
FINE = 128  # steps in one of them: half a step is the error of a smooth law
MOST = 2**16  # steps in all
NOISE = 1e-13  # what the Fourier transform leaves of a mass that is not there
DEEP = 8.0  # a characteristic function is followed for so many of its deviations: to exp(-32)


@dataclass(frozen=True)
class Reached:
    """The segments that may be met at a point: their probabilities, positions and, where they slope, tied groups."""

    weights: Floats
    place: Integers
    groups: dict[int, TiedGroup]


@dataclass(frozen=True, eq=False)
class Ranks:
    """Which of n negatives is the ceil(t)-th largest of n draws, at each of n_points points, whatever their scores."""

    t: Floats
    n: int

    @cached_property
    def laws(self) -> tuple[Lattice, ...]:
        return tuple(rank_law(ceil(t), self.n) if t > 0 else point() for t in self.t.tolist())


@dataclass(frozen=True, eq=False)
class Crossing:
    """Where the curve of a resample may reach ``t`` negatives, at each of n_points points; worked out when asked."""

    curve: DrawnCurve
    ranks: Ranks

    @property
    def t(self) -> Floats:
        return self.ranks.t

    @cached_property
    def points(self) -> tuple[Reached, ...]:
        return tuple(_reach(self.curve, *each) for each in zip(self.t.tolist(), self.ranks.laws, strict=True))

    @cached_property
    def sloping(self) -> Booleans:
        """Whether a segment that may be met slopes."""
        return np.array([bool(each.groups) for each in self.points])


@dataclass(frozen=True, eq=False, kw_only=True)
class VerticalLaw(MixtureLaw):
    """The law of one model's true-positive rate at each of these false-positive rates."""

    fpr: Floats
    crossing: Crossing

    @property
    def paired(self) -> bool:
        return False

    @property
    def curve(self) -> DrawnCurve:
        """That of the data."""
        return self.crossing.curve

    @cached_property
    def estimate(self) -> Floats:
        """Its heights."""
        return self.curve.hits(self.crossing.t) / self.cases

    @cached_property
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        points, segments, cases = self.crossing.points, self.curve.segments, self.draws
        row = np.repeat(np.arange(len(points)), [len(met.place) for met in points])
        weights = np.concatenate([met.weights for met in points])
        place = np.concatenate([met.place for met in points])
        share, spread = self._shares(row)
        before, tied = segments.before[place] + self.pseudo_cases / 2, segments.tied[place].astype(np.float64)
        worth = before + share * tied
        mean = np.bincount(row, weights * worth)
        p, q = before / cases, tied / cases
        given = p * (1 - p) + (share**2 + spread) * q * (1 - q) - 2 * share * p * q
        parts = worth, (worth - mean[row]) ** 2 + spread * tied**2, given
        means = (np.where(self.known, 0.0, np.bincount(row, weights * part)) for part in parts)
        return next(means), next(means), next(means)

    def _shares(self, row: Integers) -> tuple[Floats, Floats]:
        """The mean and the variance of the share of each segment that may be met, one point's after another's."""
        share, spread = np.zeros((2, len(row)))
        for start, met in zip(np.searchsorted(row, np.arange(len(self.known))), self.crossing.points, strict=True):
            for i, group in met.groups.items():
                share[start + i], spread[start + i] = group.moments
        return share, spread

    def _masses(self, point: int) -> Masses:
        if self.known[point]:
            return Masses(np.zeros(1), np.ones(1))
        met, segments, draws = self.crossing.points[point], self.curve.segments, round(self.draws)
        before: Floats = np.asarray((segments.before[met.place] + self.pseudo_cases / 2) / self.draws)
        flat = np.ones(len(met.place), dtype=bool)
        flat[list(met.groups)] = False
        parts = []
        if flat.any():
            parts.append(whole_masses(met.weights[flat], before[flat], np.zeros(int(flat.sum())), draws, False))
        if flat.all():
            return Masses(*parts[0])
        for i, group in met.groups.items():
            values, masses = _tied_masses(float(before[i]), segments.tied[met.place[i]] / self.draws, draws, group)
            parts.append((values, met.weights[i] * masses))
        return Masses.merged(parts)


def vertical_laws(curves: Sequence[DrawnCurve], fpr: Floats) -> list[VerticalLaw]:
    """The laws of models on the same cases at these rates; nothing reaches a rate of 0, an infinite threshold."""
    exact = fpr * curves[0].negatives
    whole = np.rint(exact)
    t = np.where(np.abs(exact - whole) <= 1e-9 * np.maximum(exact, 1.0), whole, exact)
    ranks = Ranks(t, curves[0].negatives)
    return [VerticalLaw(curve.positives, t <= 0, fpr=fpr, crossing=Crossing(curve, ranks)) for curve in curves]


def _reach(curve: DrawnCurve, t: float, law: Lattice) -> Reached:
    """The segments that may hold the ceil(t)-th largest of n negatives drawn, equation (4) of the 2009 paper."""
    if t <= 0:
        return Reached(np.ones(1), np.zeros(1, dtype=np.int64), {})
    segments = curve.segments
    first, last = np.searchsorted(segments.ends, [law.start, law.start + len(law) - 1])
    beyond = law.remaining[segments.ends[first:last] - law.start + 1]
    place = np.arange(first, last + 1)
    sloping = np.flatnonzero(segments.tied[place])
    groups = {
        int(i): TiedGroup(t, int(segments.starts[k]), int(segments.ends[k] - segments.starts[k]), curve.negatives)
        for i, k in zip(sloping, place[sloping], strict=True)
    }
    return Reached(-np.diff(np.concatenate([[1.0], beyond, [0.0]])), place, groups)


def _tied_masses(p: float, q: float, draws: int, group: TiedGroup) -> tuple[Floats, Floats]:
    """The law of X + share * Y, X and Y being the draws among the hits and among the tied."""
    shares, masses = group.shares
    tied = binomial(draws, q, 1 - q)
    rest = p / (1 - q) if q < 1 else 0.0
    reach_x = min(18 * np.sqrt(draws * p * (1 - p)) + 40, draws + 1)
    if len(shares) * len(tied) * reach_x > LISTED:
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
    """The same by way of characteristic functions as far as they matter: jumps finer than a positive are smoothed."""
    mean = p + shares * q
    variance = draws * np.maximum(p + shares**2 * q - mean**2, 0.0)
    low, high = (draws * mean - 9 * np.sqrt(variance)).min(), (draws * mean + 9 * np.sqrt(variance)).max()
    probable = masses > 1e-6 * masses.max()
    scale = max(float(np.sqrt(variance[probable].min())), (high - low) / COARSE)
    step = max(scale / FINE, (high - low) / MOST)
    length = next_fast_len(int((high - low) / step) + 2, real=True)
    unit = 2 * np.pi / (length * step)
    turns = unit * np.arange(min(int(DEEP / scale / unit) + 2, length // 2))
    total = np.zeros(length // 2 + 1, dtype=np.complex128)
    once = np.expm1(1j * turns)
    for share, mass, own in zip(shares, masses, variance, strict=True):
        damped = 0.5 * max(scale**2 - own, 0.0) * turns**2
        total[: len(turns)] += mass * np.exp(draws * np.log1p(p * once + q * np.expm1(1j * share * turns)) - damped)
    total[: len(turns)] *= np.sinc(turns * step / (2 * np.pi)) * np.exp(-1j * turns * low)
    pmf = irfft(np.conj(total), length)
    return low + step * np.arange(length), np.where(pmf > NOISE, pmf, 0.0)
