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

Against those with the exact covariance, limits of the default interval differ by .0004 of half their width in the
middle, .012 at the 90 % quantile and .07 at the 99 %, mostly where scores tie across classes and to the wide side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import betaincc, ndtr, ndtri, owens_t

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._pieces import PairedCases
from skcostci.laws._points import in_blocks, runs
from skcostci.laws._vertical import Crossing

CELLS = 16, 48, 96  # of a model at a rate, the more the more models agree: twice as many move few limits by .01
AGREEING = 0.9, 0.99  # correlations of the thresholds from which on there are more
SHORT = 24  # segments that may be met: if there are no more each has a cell
REACH = 4.5  # deviations of S_x from t beyond which it is known whether a curve goes beyond x
CUTS = 400, 1200  # cells at once, more for many negatives: tables of counts grow with the square, passes fall
APART = 7.0  # deviations of a difference of normal variables beyond which it is known which is the smaller
SAME = 1e-12  # rounding of a mean
TINY = 1e-300  # instead of 0, to divide by


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one model at some rates, shape (n_rates, n_cells), the first beyond which every curve goes.

    Cases have numbers along the curve, those of :class:`PairedCases`. Of the ``reached`` negatives up to either of two
    ``numbers`` those up to the first count before a cell's place, the others by its ``share``. Of the positives in its
    ``group``, ``climbed`` of them between two ``bounds``, a ``part`` is in the cell. Rows are filled up with empty
    cells.
    """

    t: Floats
    n: int
    numbers: Integers
    reached: Floats
    share: Floats
    group: Floats
    bounds: Integers
    climbed: Floats
    part: Floats

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
        t = self.t[:, None]
        # S_x < t is S_x <= t - 1 where it is a whole number; where it has values in between, half of that is right
        rank = np.where(self.share > 0, t / scale + 0.5, np.ceil(t))
        return np.asarray(betaincc(rank, np.maximum(self.n - rank + 1, 0.5), np.minimum(self.mean / scale, 1.0)))

    @cached_property
    def deviate(self) -> Floats:
        """F's, as a normal variable's."""
        return np.asarray(np.clip(ndtri(self.passed), -38.0, 38.0))

    @property
    def with_itself(self) -> Floats:
        """What cells give for the variance of the hits, and for the mean sum of the squares of positives' worth."""
        if not self.share.any():  # H is F at the lower of two places
            climbed, passed = self.climbed * self.part, self.passed
            joint = np.minimum(passed[:, :, None], passed[:, None]) - passed[:, :, None] * passed[:, None]
            return np.array([(climbed[:, None] @ joint @ climbed[:, :, None])[:, 0, 0], (climbed * passed).sum(axis=1)])
        corners = np.minimum(self.reached[:, None, :, :, None], self.reached[:, :, None])
        same = self.group[:, :, None] == self.group[:, None]
        return _moments(self, self, corners, np.where(same, self.climbed[:, None], 0.0))


def normal_moments(
    crossings: tuple[Crossing, Crossing],
    cases: tuple[PairedCases, PairedCases],
    points: Integers,
    alone: Floats,
    fewest: int = CELLS[0],
) -> Floats:
    """The covariance of the hits and the mean number of positives found by both, shape (2, n_points), of all points.

    ``cases`` are the positives and the negatives; ``alone`` are of each model the variance of its hits and the mean sum
    of the squares of what positives are worth, shape (2, 2, n_points). With at least the ``fewest`` cells.
    """
    ratios, n = np.zeros(alone.shape[1:]), crossings[0].curve.negatives
    cells = np.zeros(alone.shape[2], dtype=np.int64)
    cells[points] = np.maximum(_n_cells(crossings, cases[1], points), fewest)
    for block in in_blocks(points, cells, int(np.clip(np.sqrt(n), *CUTS))):
        a, b = (_cells(model, block, cells[block]) for model in crossings)
        found = _counts(cases[0], a.bounds, b.bounds)
        positives = found[1, 1] - found[1, 0] - found[0, 1] + found[0, 0]
        both = _moments(a, b, _counts(cases[1], a.numbers, b.numbers), positives)
        own = a.with_itself * b.with_itself
        ratios[:, block] = both / np.sqrt(np.where(own > 0, own, np.inf))
    return np.asarray(ratios * np.sqrt(alone[0] * alone[1]))


def _n_cells(crossings: tuple[Crossing, Crossing], negative: PairedCases, points: Integers) -> Integers:
    """How many cells it takes at each point, by the correlation of what is drawn before the two thresholds."""
    n, ranks = crossings[0].curve.negatives, np.ceil(crossings[0].t[points])
    ends = [np.searchsorted(model.curve.segments.ends, ranks) for model in crossings]
    both = _counts(negative, *(2 * end[None, :, None] + 2 for end in ends))[0, 0, :, 0, 0]
    a, b = (model.curve.segments.ends[end] / n for model, end in zip(crossings, ends, strict=True))
    both = np.minimum((both + 1) / n, np.minimum(a, b))  # one may be missing by chance
    deviations = np.sqrt(a * (1 - a) * b * (1 - b))
    correlation = np.divide(both - a * b, deviations, out=np.zeros_like(a), where=deviations > 0)
    return np.asarray(np.array(CELLS)[np.searchsorted(AGREEING, np.abs(correlation), "right")])


def _counts(cases: PairedCases, a: Integers, b: Integers) -> Floats:
    """How many cases are numbered up to each of some numbers of a and each of some of b.

    Numbers have the shape (n_kinds, n_rates, n_cells), counts (n_kinds, n_kinds, n_rates, n_cells, n_cells).
    """
    (cuts_a, at_a), (cuts_b, at_b) = (np.unique(each, return_inverse=True) for each in (a, b))
    rows, columns = at_a.reshape(a.shape)[:, None, :, :, None], at_b.reshape(b.shape)[None, :, :, None]
    return np.asarray(cases.counts_before(cuts_a, cuts_b)[rows, columns])


def _cells(model: Crossing, points: Integers, count: Integers) -> Cells:
    """About so many cells at each point, or one for each place where the curve climbs if these are few."""
    segments, n = model.curve.segments, model.curve.negatives
    first, row, number, climb = _climbs(model, points)
    t, count = model.t[points][row], count[row]
    start = segments.starts[number // 2].astype(np.float64)
    size = np.where(number % 2, segments.ends[number // 2] - start, 0.0)
    nearest = np.clip((t - start) / np.maximum(size, 1.0), 0.0, size > 0)  # the share where the mean of S_x is t
    deviation = np.sqrt(np.maximum(start + nearest**2 * size - (start + nearest * size) ** 2 / n, TINY))
    width = 2 * REACH / count * deviation
    low, high = (
        np.clip((t + side * REACH * deviation - start) / np.maximum(size, 1.0), 0.0, size > 0) for side in (-1, 1)
    )
    pieces = np.maximum(np.ceil((high - low) * size / width), 1.0).astype(np.int64)
    known = (low == 1) | (high == 0)  # either every curve goes beyond the whole of a tied group, or none does
    low, high = np.where(known, 0.0, low), np.where(known, size > 0, high)
    split = (pieces > 1) | (low > 0) | (high < (size > 0))
    begin = _begins(row, np.clip((start - t) / width, -count / 2, count / 2), split, np.maximum(count, SHORT))

    up_to, end = np.cumsum(climb), np.append(begin[1:], len(number))[: len(begin)] - 1
    climbed = up_to[end] - up_to[begin] + climb[begin]
    bounds = np.array([number[begin] - 1, number[end]])
    middle = np.searchsorted(up_to, up_to[end] - climbed / 2)
    sure = low[middle] > 0  # of a tied group there is a first piece then that every curve goes beyond
    group, piece = runs(-1 * sure, pieces[middle] + sure)
    row, number, start, size, low, high, pieces = (
        each[middle][group] for each in (row, number, start, size, low, high, pieces)
    )
    inner, part = piece >= 0, np.where(size > 0, (high - low) / pieces, 1.0)
    column = 1 + np.arange(len(row)) - np.searchsorted(row, row)
    at = row, column, (len(points), int(column.max(initial=0)) + 1)
    bounds = np.array([_in_rows(at, bounds[0, group], -1), _in_rows(at, bounds[1, group], 2 * first)]).astype(np.int64)
    return Cells(
        model.t[points],
        n,
        numbers=np.array([_in_rows(at, inner * each) for each in (number - number % 2, number)]).astype(np.int64),
        reached=np.array([_in_rows(at, inner * each) for each in (start, start + size)]),
        share=_in_rows(at, np.where(inner & (size > 0), low + (piece + 0.5) * part, 0.0)),
        group=_in_rows(at, group, -1),
        bounds=bounds,
        climbed=_in_rows(at, climbed[group], segments.before[first]),
        part=_in_rows(at, np.where(inner, part, low), 1.0),
    )


def _begins(row: Integers, place: Floats, split: Booleans, few: Integers) -> Integers:
    """Which steps of the curve are the first of a group: of one row, and in one cell unless they are few or split."""
    fresh = (np.diff(np.floor(place), prepend=np.inf) != 0) | (np.diff(row, prepend=-1) > 0)
    fresh |= split | np.append(False, split)[: len(split)] | (np.bincount(row, minlength=1)[row] <= few)
    return np.flatnonzero(fresh)


def _in_rows(
    at: tuple[Integers, Integers, tuple[int, int]], values: Floats | Integers, first: Floats | Integers | float = 0.0
) -> Floats:
    """Values of cells by row and column, with those of the first cells."""
    row, column, shape = at
    found = np.zeros(shape)
    found[:, 0], found[row, column] = first, values
    return found


def _climbs(model: Crossing, points: Integers) -> tuple[Integers, Integers, Integers, Floats]:
    """Numbers of the places where a curve climbs, odd within segments and even between, how far, and of which point.

    Before these the first segment at each point that may be met, which every curve reaches.
    """
    segments, (first, last) = model.curve.segments, model.ends(points)
    row, number = runs(2 * first + 1, 2 * (last - first) + 1)
    place = number // 2
    steps = segments.before[place] - segments.before[place - 1] - segments.tied[place - 1]
    climb = np.where(number % 2, segments.tied[place], steps).astype(np.float64)
    some = climb > 0
    return first, row[some], number[some], climb[some]


def _moments(a: Cells, b: Cells, corners: Floats, positives: Floats) -> Floats:
    """What cells give for the covariance of the hits and the positives found by both, shape (2, n_rates).

    ``corners`` are the negatives up to either number of a and of b, ``positives`` those in the groups of both.
    """
    w, v = a.share[:, :, None], b.share[:, None]
    if w.any() or v.any():
        left, right = (part + w * (more - part) for part, more in zip(corners[0], corners[1], strict=True))
        joint = _passed_both(a, b, (left + v * (right - left)) / a.n)
    else:
        joint = _passed_both(a, b, corners[0, 0] / a.n)
    found = (positives * joint * a.part[:, :, None] * b.part[:, None]).sum(axis=(1, 2))
    joint -= a.passed[:, :, None] * b.passed[:, None]
    covariance = (a.climbed * a.part)[:, None] @ joint @ (b.climbed * b.part)[:, :, None]
    return np.array([covariance[:, 0, 0], found])


def _passed_both(a: Cells, b: Cells, product: Floats) -> Floats:
    """H, ``product`` being the mean product of what one draw counts."""
    p, q = np.broadcast_arrays(a.passed[:, :, None], b.passed[:, None])
    h, k = np.broadcast_arrays(a.deviate[:, :, None], b.deviate[:, None])
    variance = np.maximum(a.variance[:, :, None] * b.variance[:, None], TINY)
    correlation = np.clip((product - a.mean[:, :, None] * b.mean[:, None]) / np.sqrt(variance), -1.0, 1.0)
    nested = product >= np.minimum(a.mean[:, :, None], b.mean[:, None]) - SAME
    near = ~nested & (np.abs(h - k) < APART * np.sqrt(2 * (1 - correlation)))
    joint = np.minimum(p, q)
    least = np.maximum(p[near] + q[near] - 1, 0.0)
    joint[near] = np.clip(_normal_both(h[near], k[near], correlation[near]), least, joint[near])
    return np.asarray(joint)


@np.errstate(over="ignore")  # next to 0 a quotient may be infinite, as it should be
def _normal_both(h: Floats, k: Floats, correlation: Floats) -> Floats:
    """P(X < h, Y < k) of normal variables, by Owen's function T."""
    h, k = (np.where(each == 0, TINY, each) for each in (h, k))
    root = np.sqrt(np.maximum((1 - correlation) * (1 + correlation), TINY))
    owen = owens_t(h, (k / h - correlation) / root) + owens_t(k, (h / k - correlation) / root)
    return np.asarray((ndtr(h) + ndtr(k)) / 2 - owen - np.where(h * k < 0, 0.5, 0.0))
