"""Two models at a false-positive rate: how their hits vary together, by a normal law with exact margins.

A place on a model's curve is a vertex, or a point within a segment on which scores of both classes tie. Let S_x count
the negatives drawn before the place x, those of the segment that x lies in by the share w of it that is before x. The
curve of a resample goes beyond x to reach t = fpr * n negatives where S_x < t, so that with s_x positives at x

    hits = sum_x s_x [S_x < t],    Cov(hits, hits') = sum_x sum_y s_x s'_y (H(x, y) - F(x) F'(y)),
    E(positives found by both) = sum over positives of H(x, y) at their places,    H(x, y) = P(S_x < t, S'_y < t).

The margins F are binomial: exact at vertices; within a segment those of the scaled binomial variable c Bin(n, q) that
has the mean and the variance of S_x. H is the normal law's with these margins and the exact correlation of S_x and S'_y
(one draw counts w and w' of the two), and the smaller margin, exactly, where all that counts before one place counts in
full before the other. Places are put in ``CELLS`` cells, each with all its positives at a middle one. What cells get
wrong they get wrong for each model with itself too, and there all is known exactly: only the ratios to it are kept. So
models that agree have the correlation 1.

Against the exact law, limits of the default interval differ by .0003 of half their width in the middle and by .1 where
fewer than 15 negatives tie with positives, nearly always to the wide side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import betaincc, ndtr, ndtri, owens_t

from skcostci._validation import Floats, Integers
from skcostci.laws._drawn_curve import Segments
from skcostci.laws._pieces import PairedCases
from skcostci.laws._points import runs
from skcostci.laws._vertical import Crossing

CELLS = 24, 64, 128  # of a model at a rate, the more the more models agree: twice as many move limits by less than .01
AGREEING = 0.9, 0.99  # correlations of the thresholds from which on there are more
REACH = 5.5  # deviations of S_x from t beyond which it is known whether a curve goes beyond x
RATES_TOGETHER = 8  # that cases are counted for in one pass: tables of counts grow with the square
APART = 7.0  # deviations of a difference of normal variables beyond which it is known which is the smaller
SAME = 1e-12  # rounding of a mean
TINY = 1e-300  # instead of 0, to divide by


@dataclass(frozen=True, eq=False)
class Places:
    """The places of one model at a rate: first one that every curve goes beyond, then one for each cell.

    Cases have numbers along the curve, those of :class:`PairedCases`: up to ``low`` they count before a place, up to
    ``high`` by its ``share``; ``reached`` negatives have numbers up to either, shape (2, n_places). Positives are in
    groups, ``climbed`` in each, that end at the numbers ``ends``; ``spread`` says what part of a group is in which
    cell, shape (n_groups, n_places).
    """

    t: float
    n: int
    low: Integers
    high: Integers
    share: Floats
    reached: Floats
    ends: Integers
    climbed: Floats
    spread: Floats

    @property
    def numbers(self) -> Integers:
        """``low``, then ``high``."""
        return np.concatenate([self.low, self.high])

    @property
    def steps(self) -> Floats:
        """Positives in each cell."""
        return self.climbed @ self.spread

    @cached_property
    def mean(self) -> Floats:
        """Of what one draw counts before each place."""
        return np.asarray((self.reached[0] + self.share * (self.reached[1] - self.reached[0])) / self.n)

    @cached_property
    def variance(self) -> Floats:
        """Of the same."""
        square = (self.reached[0] + self.share**2 * (self.reached[1] - self.reached[0])) / self.n
        return np.asarray(np.maximum(square - self.mean**2, 0.0))

    @cached_property
    def passed(self) -> Floats:
        """F: the probability that the curve goes beyond each place."""
        scale = np.where(self.mean > 0, self.variance / np.maximum(self.mean, TINY) + self.mean, 1.0)
        # S_x < t is S_x <= t - 1 where it is a whole number; where it has values in between, half of that is right
        rank = np.where(self.share > 0, self.t / scale + 0.5, np.ceil(self.t))
        return np.asarray(betaincc(rank, np.maximum(self.n - rank + 1, 0.5), np.minimum(self.mean / scale, 1.0)))


def normal_moments(
    crossings: tuple[Crossing, Crossing], cases: tuple[PairedCases, PairedCases], points: Integers, alone: Floats
) -> Floats:
    """The covariance of the hits and the mean number of positives found by both, shape (2, n_points).

    ``cases`` are the positives and the negatives; ``alone`` are of each model the variance of its hits and the mean sum
    of the squares of what positives are worth, shape (2, 2, n_points).
    """
    ratios, cells = np.zeros((2, len(points))), _n_cells(crossings, cases[1], points)
    for start in range(0, len(points), RATES_TOGETHER):
        block = slice(start, start + RATES_TOGETHER)
        asked = zip(points[block].tolist(), cells[block].tolist(), strict=True)
        places = [(_places(crossings[0], *each), _places(crossings[1], *each)) for each in asked]
        found = _counts(cases[0], [(a.ends, b.ends) for a, b in places])
        drawn = _counts(cases[1], [(a.numbers, b.numbers) for a, b in places])
        ratios[:, block] = np.array([_ratios(*each) for each in zip(places, found, drawn, strict=True)]).T
    return np.asarray(ratios * np.sqrt(alone[0] * alone[1]))


def _n_cells(crossings: tuple[Crossing, Crossing], negative: PairedCases, points: Integers) -> Integers:
    """How many cells it takes at each point, by the correlation of what is drawn before the two thresholds."""
    n, ranks = crossings[0].curve.negatives, np.ceil(crossings[0].t[points])
    ends = [np.searchsorted(model.curve.segments.ends, ranks) for model in crossings]
    (both,) = _counts(negative, [(2 * ends[0] + 2, 2 * ends[1] + 2)])
    a, b = (model.curve.segments.ends[end] / n for model, end in zip(crossings, ends, strict=True))
    deviations = np.sqrt(a * (1 - a) * b * (1 - b))
    correlation = np.divide(np.diag(both) / n - a * b, deviations, out=np.ones_like(a), where=deviations > 0)
    return np.asarray(np.array(CELLS)[np.searchsorted(AGREEING, np.abs(correlation), "right")])


def _counts(cases: PairedCases, asked: Sequence[tuple[Integers, Integers]]) -> list[Floats]:
    """How many cases are numbered up to each of some numbers of a and each of some of b: of many pairs in one pass."""
    a, b = (np.unique(np.concatenate(numbers)) for numbers in zip(*asked, strict=True))
    counts = cases.counts_before(a, b)
    return [counts[np.ix_(np.searchsorted(a, x), np.searchsorted(b, y))] for x, y in asked]


def _places(model: Crossing, point: int, cells: int) -> Places:
    """Places that stand for all at which the curve climbs."""
    segments, t, n = model.curve.segments, float(model.t[point]), model.curve.negatives
    first, last = (int(end) for end in model.ends(point))
    number, climb = _climbs(segments, first, last)
    start = segments.starts[number // 2].astype(np.float64)
    size = np.where(number % 2, segments.ends[number // 2] - start, 0.0)
    inside = np.clip((t - start) / np.maximum(size, 1.0), 0.0, size > 0)  # where S_x is likely to be t, or nearest to it
    square, mean = start + inside**2 * size, start + inside * size
    unit = 2 * REACH / cells * np.sqrt(np.maximum(square - mean**2 / n, TINY))  # as wide as a cell
    half = cells / 2 * unit
    low, high = (np.clip((end - start) / np.maximum(size, 1.0), 0.0, size > 0) for end in (t - half, t + half))
    times = np.maximum(np.ceil((high - low) * size / unit), 1.0).astype(np.int64)
    split = (size > 0) & ((times > 1) | (high - low < 1))
    fresh = np.diff(np.floor(np.clip((start - t) / unit, -cells, cells)), prepend=np.inf) != 0
    fresh |= split | np.append(False, split)[: len(split)] | (len(number) <= cells)
    begin = np.flatnonzero(fresh)
    up_to = np.cumsum(climb)
    ends = np.append(begin[1:], len(number))[: len(begin)] - 1
    last_number = number[ends]
    middle = np.searchsorted(up_to, (up_to[begin] - climb[begin] + up_to[ends]) / 2)
    number, start, size, low, high, times = (each[middle] for each in (number, start, size, low, high, times))
    group, piece = runs(0 * times, times)
    spread = np.zeros((len(begin) + 1, len(group) + 1))
    spread[0, 0], spread[1:, 0] = 1.0, low
    spread[group + 1, np.arange(1, len(group) + 1)] = np.where(size > 0, (high - low) / times, 1.0)[group]
    share = low[group] + (high - low)[group] * (piece + 0.5) / times[group]
    return Places(
        t,
        n,
        low=np.append(0, (number - number % 2)[group]),
        high=np.append(0, number[group]),
        share=np.append(0.0, share),
        reached=np.pad(np.array([start, start + size])[:, group], ((0, 0), (1, 0))),
        ends=np.append(2 * first, last_number),
        climbed=np.append(segments.before[first], np.add.reduceat(climb, begin) if len(begin) else []),
        spread=spread,
    )


def _climbs(segments: Segments, first: int, last: int) -> tuple[Integers, Floats]:
    """The numbers of places from one segment to another where the curve climbs, odd within segments, and how far."""
    number = np.arange(2 * first + 1, 2 * last + 2)
    k = number // 2
    steps = segments.before[k] - segments.before[k - 1] - segments.tied[k - 1]
    climb = np.where(number % 2, segments.tied[k], steps).astype(np.float64)
    return number[climb > 0], climb[climb > 0]


def _ratios(places: tuple[Places, Places], found: Floats, drawn: Floats) -> tuple[float, float]:
    """Of what cells give for two models to what they give for each with itself."""
    a, b = places
    positives = np.diff(np.diff(found, axis=0, prepend=0.0), axis=1, prepend=0.0)
    corners = drawn.reshape(2, len(a.share), 2, len(b.share))
    alone = [
        _moments(x, x, np.minimum(x.reached[:, :, None, None], x.reached), np.diag(x.climbed)) for x in places
    ]
    return tuple(
        both / np.sqrt(one * other) if one * other > 0 else 0.0
        for both, one, other in zip(_moments(a, b, corners, positives), *alone, strict=True)
    )


def _moments(a: Places, b: Places, corners: Floats, positives: Floats) -> tuple[float, float]:
    """What cells give for the covariance of the hits and the positives found by both, by their groups in both.

    ``corners`` are the negatives numbered up to ``low`` and ``high`` of a and of b.
    """
    part = corners[0] + a.share[:, None, None] * (corners[1] - corners[0])
    joint = _passed_both(a, b, (part[:, 0] + b.share * (part[:, 1] - part[:, 0])) / a.n)
    covariance = a.steps @ (joint - np.multiply.outer(a.passed, b.passed)) @ b.steps
    return float(covariance), float((a.spread.T @ positives @ b.spread * joint).sum())


def _passed_both(a: Places, b: Places, product: Floats) -> Floats:
    """H, ``product`` being the mean product of what one draw counts."""
    joint, least = np.minimum.outer(a.passed, b.passed), np.add.outer(a.passed, b.passed) - 1
    covariance = product - np.multiply.outer(a.mean, b.mean)
    variance = np.maximum(np.multiply.outer(a.variance, b.variance), TINY)
    correlation = np.clip(covariance / np.sqrt(variance), -1.0, 1.0)
    h, k = np.meshgrid(*(np.clip(ndtri(each.passed), -38.0, 38.0) for each in (a, b)), indexing="ij")
    nested = product >= np.minimum.outer(a.mean, b.mean) - SAME
    some = ~nested & (np.abs(h - k) < APART * np.sqrt(2 * (1 - correlation)))
    joint[some] = np.clip(_normal_both(h[some], k[some], correlation[some]), np.maximum(least[some], 0.0), joint[some])
    return joint


def _normal_both(h: Floats, k: Floats, correlation: Floats) -> Floats:
    """P(X < h, Y < k) of normal variables, by Owen's function T."""
    h, k = (np.where(each == 0, TINY, each) for each in (h, k))
    root = np.sqrt(np.maximum((1 - correlation) * (1 + correlation), TINY))
    owen = owens_t(h, (k / h - correlation) / root) + owens_t(k, (h / k - correlation) / root)
    return np.asarray((ndtr(h) + ndtr(k)) / 2 - owen - np.where(h * k < 0, 0.5, 0.0))
