"""Two models at a false-positive rate: how their hits vary together, by a normal law with exact margins.

A place x on a model's curve is a vertex, or a point within a segment on which scores of both classes tie. Let S_x count
the negatives drawn before x, where those of the segment of x count as the share w of it before x. The curve of a
resample goes beyond x to reach t = fpr * n negatives where S_x < t, so that with s_x positives at x

    hits = sum_x s_x [S_x < t],    Cov(hits, hits') = sum_x sum_y s_x s'_y (H(x, y) - F(x) F'(y)),
    E(positives found by both) = sum over positives of H(x, y) at their places,
    F(x) = P(S_x < t),    H(x, y) = P(S_x < t, S'_y < t).

**Approximations.** F is binomial; within a segment it is the law of the scaled binomial variable c Bin(n, q) with the
mean and the variance of S_x, as a normal deviate by Peizer and Pratt's formula (:mod:`._tied_share`). H is the joint
probability of two normal variables with these margins and the exact correlation r of S_x and S'_y (one draw counts w
for the one and w' for the other); where all negatives before x count in full before y, H is exactly F(x).

Nearby places are put in one cell. Its middle place represents all of them, and their variance u about it (``spread``,
in negatives squared) is treated as normal noise added to S_x: with the variance v of S_x, deviates shrink by the
``sharpness`` sqrt(v / (v + u)), and H(x, y), averaged over the cells, has the correlation r times both. A positive that
both models find is at one place, not two: its H uses r itself. So cells as wide as .7 standard deviations of S_x are
narrow enough, also where models nearly agree and H has an edge. Cells cause the same errors for a model paired with
itself, where the exact values are known; therefore only the correlation is computed from them:

    Cov(hits, hits') = sqrt(Var(hits) Var(hits')) * C(a, b) / sqrt(C(a, a) C(b, b)),    C the sum over cells,

and likewise for the positives found by both. Models that agree have the correlation 1, whatever the cells.

**Errors.** With 60 + 40 to 100 + 900 cases limits of the default interval were off, in half widths, by at most .008
without ties across the classes and .02 with them; for near copies, that differ by .02 standard deviations of the
scores, nine of ten limits were within .09 (.2 with ties) and the worst .5 off, nearly all wider.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, owens_t

from skcostci._arrays import Booleans, Floats, Integers, Weights
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import runs
from skcostci.laws.exact._tied_share import TINY, deviate_below, of_one_draw
from skcostci.laws.exact._vertical import Crossing

N_CELLS = 12  # of a model at a rate; doubled: limits move by .005 of half their width at most, four times the time
N_CELLS_OF_COPIES = 32  # where models nearly agree; doubled: half the error of limits there, four times the time
COPIES_CORRELATION = 0.9  # of the two thresholds, from which on models nearly agree
WIDTHS_OF_PIECE = 2.5  # width of the pieces of longer segments, in cells; doubled: errors of copies treble
REACH_SDS = 4.0  # standard deviations of S_x from t from which on a curve is assumed to go beyond x, or not
BLOCK_CELLS = 300, 1000  # least and most of a block of rates; its tables have their square, times 8 bytes
BLOCK_CELLS_PER_ROOT = 2.0  # cells for each root of the negatives; doubled: memory of more than 14 times the input
MAX_BLOCK_CUTS = 8e5  # cells of a block times negatives: rates share the few cuts of few negatives: tables stay small
FAR_SDS = 4.5  # standard deviations of a difference of normal variables from which on one is surely the smaller
MEAN_ROUNDING = 1e-12  # of what one draw counts: means this close are equal


@dataclass(frozen=True, repr=False, eq=False)
class PairedCases:
    """The place of each case of a class on each model's curve: 2 k on the left of segment k, 2 k + 1 in it."""

    a: Integers
    b: Integers
    weights: Weights | None

    def counts_before(self, cuts_a: Integers, cuts_b: Integers) -> Floats:  # places up to the cuts, with these
        row, column = _cut(self.a, cuts_a), _cut(self.b, cuts_b)
        shape = len(cuts_a) + 1, len(cuts_b) + 1
        counts = np.bincount(row * shape[1] + column, self.weights, minlength=shape[0] * shape[1])
        return counts.reshape(shape).cumsum(axis=0).cumsum(axis=1)[:-1, :-1]


def _cut(places: Integers, cuts: Integers) -> Integers:
    low, high = int(cuts[0]), int(cuts[-1])
    lookup = np.searchsorted(cuts, np.arange(low, high + 2))
    return lookup[np.clip(places, low, high + 1) - low]


@dataclass(frozen=True, repr=False, eq=False)
class PairCells:
    """The cells of one model at some rates: arrays (n_rates, n_cells), short rows filled up with empty cells.

    The first cell of a row has all positives that every curve goes beyond. A cell's place x has ``before`` negatives
    and the share w (0 at a vertex) of those up to ``through``; cases are numbered along the curve, see
    :class:`PairedCases`, and ``cuts`` are the last numbers in both. A ``group`` is cut into cells together: the rises
    of one cell, or a segment of tied scores with several cells. Its positives lie between two ``bounds``, and the cell
    has the ``part`` of them; their places have the variance ``spread`` in the cell. One draw adds to S_x
    with this ``mean`` and ``variance``.
    """

    t: Floats
    n: int
    cuts: Integers
    before: Floats
    through: Floats
    w: Floats
    group: Floats
    bounds: Integers
    positives: Floats
    part: Floats
    spread: Floats
    mean: Floats
    variance: Floats

    @cached_property
    def sharpness(self) -> Floats:
        """The standard deviation of S_x over that of S_x with the cell's noise; 1 if the cell has a single place."""
        # A cell with a single place may have variance 0 and infinite deviates.
        variance = self.variance + TINY
        return np.asarray(np.sqrt(variance / (variance + self.spread / self.n)))

    @cached_property
    def deviate(self) -> Floats:
        return self.sharpness * deviate_below(self.t[:, None], self.mean, self.variance, self.n, self.w == 0)

    @cached_property
    def margin(self) -> Floats:
        """F: the probability that the curve goes beyond x, on average over the cell."""
        return np.asarray(ndtr(self.deviate))

    @cached_property
    def size(self) -> Floats:
        return self.positives * self.part

    @property
    def with_itself(self) -> Floats:
        """C(a, a), and the mean sum of the squared worths of positives, shape (2, n_rates)."""
        joint = np.minimum(self.margin[:, :, None], self.margin[:, None])  # on one curve H is the smaller margin
        # within a group as for two models, so that errors cancel in C(a, b) over the root of C(a, a) C(b, b)
        same = (self.group[:, :, None] == self.group[:, None]) & (self.positives > 0)[:, None]
        rate, i, j = np.nonzero(np.triu(same))
        x, y = Places.at(self, rate, i), Places.at(self, rate, j)
        both = self.before[rate, i] + x.w * y.w * (self.through - self.before)[rate, i]
        correlation = correlation_at(x, y, both / self.n)
        joint[rate, i, j] = joint[rate, j, i] = joint_at(x, y, correlation * x.sharpness * y.sharpness)
        pairs = np.where(i == j, 1, 2) * self.size[rate, i] * self.part[rate, j] * joint_at(x, y, correlation)
        return np.array([_covariance(self, self, joint), np.bincount(rate, pairs, len(joint))])


class Places(NamedTuple):
    """Places of the two models in pairs, of any shape, with the fields of :class:`PairCells`."""

    w: Floats
    mean: Floats
    variance: Floats
    sharpness: Floats
    deviate: Floats
    margin: Floats

    @classmethod
    def at(cls, cells: PairCells, *index: object) -> Places:
        return cls(*(getattr(cells, name)[index] for name in cls._fields))


@np.errstate(under="ignore")  # probabilities of places that hardly any curve goes beyond
def normal_moments(
    crossings: tuple[Crossing, Crossing],
    cases: tuple[PairedCases, PairedCases],
    points: Integers,
    own: Floats,
    fewest: int = N_CELLS,
) -> Floats:
    """The covariance of the hits and the mean number of positives found by both, (2, n_points): 0 outside ``points``.

    ``own``, (2, 2, n_points), has for each model the variance of hits and the mean sum of squared worths of positives.
    """
    correlations, n = np.zeros(own.shape[1:]), crossings[0].curve.negatives
    n_cells = np.maximum(_n_cells(crossings, cases[1], points), fewest)
    # each block needs a pass through all cases: with many negatives there are fewer and larger blocks
    block_cells = int(np.clip(max(MAX_BLOCK_CUTS / n, BLOCK_CELLS_PER_ROOT * np.sqrt(n)), *BLOCK_CELLS))
    for count in np.unique(n_cells).tolist():
        some = points[n_cells == count]
        for block in np.array_split(some, -(-len(some) * count // block_cells)):
            a, b = (_cells(model, block, count) for model in crossings)
            both, itself = _with_other(a, b, cases), a.with_itself * b.with_itself
            correlations[:, block] = both / np.sqrt(np.where(itself > 0, itself, np.inf))
    return np.asarray(correlations * np.sqrt(own[0] * own[1]))


def _n_cells(crossings: tuple[Crossing, Crossing], negative: PairedCases, points: Integers) -> Integers:
    """The number of cells needed at each point, by the correlation of the draws before the two thresholds."""
    n, ranks = crossings[0].curve.negatives, np.ceil(crossings[0].t[points])
    ends = [np.searchsorted(model.curve.segments.reached, ranks) for model in crossings]
    both = _counts(negative, *(2 * end[None, :, None] + 2 for end in ends))[0, 0, :, 0, 0]
    a, b = (model.curve.segments.reached[end] / n for model, end in zip(crossings, ends, strict=True))
    # One more than were counted: a negative before both may be missing by chance.
    both = np.minimum((both + 1) / n, np.minimum(a, b))
    deviations = np.sqrt(a * (1 - a) * b * (1 - b))
    correlation = np.divide(both - a * b, deviations, out=np.zeros_like(a), where=deviations > 0)
    return np.where(np.abs(correlation) < COPIES_CORRELATION, N_CELLS, N_CELLS_OF_COPIES)


def _with_other(a: PairCells, b: PairCells, cases: tuple[PairedCases, PairedCases]) -> Floats:
    """C(a, b), and the sum over cells for the positives found by both, shape (2, n_rates)."""
    positives = _counts(cases[0], a.bounds, b.bounds)
    positives = positives[1, 1] - positives[1, 0] - positives[0, 1] + positives[0, 0]
    sloping = bool(a.w.any() or b.w.any())
    corners = _counts(cases[1], a.cuts[: 1 + sloping], b.cuts[: 1 + sloping])
    x, y = Places.at(a, ..., None), Places.at(b, slice(None), None)
    both = corners[0, 0]
    if sloping:
        left, right = (start + x.w * (end - start) for start, end in zip(corners[0], corners[1], strict=True))
        both = left + y.w * (right - left)
    correlation = correlation_at(x, y, both / a.n)
    covariance = _covariance(a, b, joint_at(x, y, correlation * x.sharpness * y.sharpness))
    rate, i, j = np.nonzero(positives)
    joint = joint_at(Places.at(a, rate, i), Places.at(b, rate, j), correlation[rate, i, j])
    found = positives[rate, i, j] * a.part[rate, i] * b.part[rate, j] * joint
    return np.array([covariance, np.bincount(rate, found, len(positives))])


def _covariance(a: PairCells, b: PairCells, joint: Floats) -> Floats:
    """The sum over pairs of cells of s s' (H - F F'), pair by pair so that nothing large cancels."""
    joint = joint - a.margin[:, :, None] * b.margin[:, None]
    return np.asarray((a.size[:, None] @ joint @ b.size[:, :, None])[:, 0, 0])


def correlation_at(x: Places, y: Places, both: Floats) -> Floats:
    """The correlation of S_x and S'_y; ``both`` is the mean product of what one draw counts before x and before y."""
    correlation = (both - x.mean * y.mean) / np.sqrt(np.maximum(x.variance * y.variance, TINY))
    # H is the smaller margin where all negatives before one place count in full before the other
    nested = both >= np.minimum(x.mean, y.mean) - MEAN_ROUNDING
    return np.where(nested, 1.0, np.clip(correlation, -1.0, 1.0))


def joint_at(x: Places, y: Places, correlation: Floats) -> Floats:
    """H, from the correlation of S_x and S'_y, or averaged over cells, from that times both sharpnesses."""
    h, k = np.broadcast_arrays(x.deviate, y.deviate)
    joint = np.minimum(x.margin, y.margin)
    open_ = (h - k) ** 2 < 2 * FAR_SDS**2 * (1 - correlation)  # 2 - 2r is Var(X - Y); elsewhere one implies the other
    least = np.maximum(x.margin + y.margin - 1, 0.0)[open_]
    margins = (x.margin + y.margin)[open_] / 2
    joint[open_] = np.clip(margins - _beyond_margins(h[open_], k[open_], correlation[open_]), least, joint[open_])
    return np.asarray(joint)


@np.errstate(over="ignore")  # near 0 a quotient may be infinite, as it should be
def _beyond_margins(h: Floats, k: Floats, correlation: Floats) -> Floats:
    """The mean of P(X < h) and P(Y < k) minus P(X < h, Y < k), by Owen's function T."""
    # Owen's formula divides by both.
    h, k = (np.where(each == 0, TINY, each) for each in (h, k))
    # 1 - rho^2 without cancellation, and not 0 for copies.
    root = np.sqrt(np.maximum((1 - correlation) * (1 + correlation), TINY))
    owen = owens_t(h, (k / h - correlation) / root) + owens_t(k, (h / k - correlation) / root)
    return np.asarray(owen + np.where(h * k < 0, 0.5, 0.0))


def _counts(cases: PairedCases, a: Integers, b: Integers) -> Floats:
    """Cases numbered up to each a and each b: (n_kinds, n_kinds, n_rates, n_cells, n_cells)."""
    (cuts_a, at_a), (cuts_b, at_b) = (np.unique(each, return_inverse=True) for each in (a, b))
    rows, columns = at_a.reshape(a.shape)[:, None, :, :, None], at_b.reshape(b.shape)[None, :, :, None]
    return np.asarray(cases.counts_before(cuts_a, cuts_b)[rows, columns])


class Rises(NamedTuple):
    """Where a curve climbs, in order, rate after rate: at vertices, and along segments on which both classes tie.

    A rise of the curve at the rate ``row`` has ``start`` negatives before it, ``tied`` in it (none at a vertex), and
    ``positives``; ``number`` is the place of its cases (:class:`PairedCases`), ``width`` that of cells, in negatives.
    Between the shares ``low`` and ``high`` of a segment a curve may end; this part is cut into ``n_pieces`` cells.
    """

    row: Integers
    number: Integers
    start: Floats
    tied: Floats
    positives: Floats
    width: Floats
    low: Floats
    high: Floats
    n_pieces: Integers

    @property
    def cut(self) -> Booleans:
        """Which rises do not share a cell with others."""
        return np.asarray((self.n_pieces > 1) | (self.low > 0) | (self.high < (self.tied > 0)))


def _rises(model: Crossing, points: Integers, n_cells: int) -> tuple[Rises, Integers]:
    """The rises that may be reached, and the cell of each if it is not cut, counted from t."""
    segments, (first, last) = model.curve.segments, model.ends[:, points]
    # numbers from that of the first segment that may be reached, which every curve reaches, to that of the last
    row, number = runs(2 * first + 1, 2 * (last - first) + 1)
    place = number // 2
    between = segments.before[place] - segments.before[place - 1] - segments.tied[place - 1]
    positives = np.where(number % 2, segments.tied[place], between).astype(np.float64)
    some = positives > 0
    row, number, positives = row[some], number[some], positives[some]
    t, start = model.t[points][row], segments.starts[number // 2].astype(np.float64)
    tied = np.where(number % 2, segments.reached[number // 2] - start, 0.0)
    at_t = np.clip((t - start) / np.maximum(tied, 1.0), 0.0, tied > 0)  # the share at which S_x is t on average
    deviation = np.sqrt(np.maximum(start + at_t**2 * tied - (start + at_t * tied) ** 2 / model.curve.negatives, TINY))
    reach = REACH_SDS * deviation
    width = 2 * reach / n_cells  # of a cell, in negatives
    low, high = (np.clip((t + off - start) / np.maximum(tied, 1.0), 0.0, tied > 0) for off in (-reach, reach))
    # a segment is not cut if it is narrow, or if every curve goes beyond all of it, or none does
    uncut = (tied <= WIDTHS_OF_PIECE * width) | (low == 1) | (high == 0)
    low, high = np.where(uncut, 0.0, low), np.where(uncut, tied > 0, high)
    pieces = np.ceil((high - low) * tied / (WIDTHS_OF_PIECE * width))
    n_pieces = np.where(uncut, 1, np.maximum(pieces, 1)).astype(np.int64)
    cell = np.floor(np.clip((start - t) / width, -n_cells / 2, n_cells / 2)).astype(np.int64)
    return Rises(row, number, start, tied, positives, width, low, high, n_pieces), cell


def _first_of_groups(rises: Rises, cell: Integers, n_cells: int) -> Integers:
    """The first rise of each group: at the start of a cell, at a cut rise and after it; or each if they are few."""
    few = np.bincount(rises.row, minlength=1)[rises.row] <= n_cells
    after_cut = np.append(False, rises.cut)[: len(few)]
    new_cell = (np.diff(cell, prepend=-(2**62)) != 0) | (np.diff(rises.row, prepend=-1) > 0)
    return np.flatnonzero(few | rises.cut | after_cut | new_cell)


def _cells(model: Crossing, points: Integers, n_cells: int) -> PairCells:
    """About ``n_cells`` cells at each rate, or one for each step of the curve if these are few."""
    rises, cell = _rises(model, points, n_cells)
    begin = _first_of_groups(rises, cell, n_cells)
    end = np.append(begin[1:], len(cell))[: len(begin)] - 1
    up_to = np.cumsum(rises.positives)
    positives = up_to[end] - up_to[begin] + rises.positives[begin]
    stands_for_group = np.searchsorted(up_to, up_to[end] - positives / 2)
    middle = Rises._make(each[stands_for_group] for each in rises)

    sure = middle.low > 0  # the part of a cut segment that every curve goes beyond is piece -1, before the others
    group, piece = runs(-1 * sure, middle.n_pieces + sure)
    rise, is_open = Rises._make(each[group] for each in middle), piece >= 0
    part = np.where(rise.tied > 0, (rise.high - rise.low) / rise.n_pieces, 1.0)
    within = _spread(rises, model.t[points], begin)[group]
    spread = np.where(rises.cut[begin][group], (rise.tied * part) ** 2 / 12, within)
    column = 1 + np.arange(len(rise.row)) - np.searchsorted(rise.row, rise.row)
    shape, first_number = (len(points), int(column.max(initial=0)) + 1), 2 * model.ends[0, points]

    def rows(values: Floats | Integers, first: Floats | Integers | float = 0.0) -> Floats:
        """Values of cells, rate after rate, as rows of equal length, with one more value in front of each row."""
        found = np.zeros(shape)
        found[:, 0], found[rise.row, column] = first, values
        return found

    cuts, bounds = (rise.number - rise.number % 2, rise.number), (rises.number[begin] - 1, rises.number[end])
    n, before, through = model.curve.negatives, rows(is_open * rise.start), rows(is_open * (rise.start + rise.tied))
    w = rows(np.where(is_open & (rise.tied > 0), rise.low + (piece + 0.5) * part, 0.0))
    mean, variance = of_one_draw(before / n, through / n, w)
    return PairCells(
        model.t[points],
        n,
        cuts=np.array([rows(is_open * cut) for cut in cuts], np.int64),
        before=before,
        through=through,
        w=w,
        group=rows(group, -1),
        bounds=np.array([rows(bounds[0][group], -1), rows(bounds[1][group], first_number)], np.int64),
        positives=rows(positives[group], model.curve.segments.before[first_number // 2]),
        part=rows(np.where(is_open, part, rise.low), 1.0),
        spread=rows(np.where(is_open, spread, 0.0)),
        mean=mean,
        variance=variance,
    )


def _spread(rises: Rises, t: Floats, begin: Integers) -> Floats:
    """The variance of the places of the positives in each group, in negatives squared."""
    if not len(begin):
        return np.zeros(0)
    place = rises.start + rises.tied / 2 - t[rises.row]
    parts = 1.0, place, place**2 + rises.tied**2 / 12
    total, mean, square = (np.add.reduceat(rises.positives * part, begin) for part in parts)
    # A variance within a cell is at most that of its two ends.
    return np.asarray(np.clip(square / total - (mean / total) ** 2, 0.0, rises.width[begin] ** 2 / 3))
