"""The probable numbers of positives above the right threshold, at many false-positive rates side by side.

The ranks that a rate may have, the heights of the curve in their cells, the bins that counts are put in: each is one
table with a row a rate. The formulas and what they rest on are in :mod:`._rank_beta`. A Beta law changes slowly with
the count that it belongs to, so a bin as wide as its standard deviation needs two points, those of Gauss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws import DrawnCurve
from skcostci.laws._points import in_blocks, runs

UNSEEN = 1e-16  # a rank so improbable is left out
LOG_UNSEEN = 32.0  # and those beyond a window that leaves out less than exp(-32)
ENTRIES = 2**14  # of a table; doubled: twice the memory, beyond the cache
TOGETHER = 2**12  # of weights that limits are sought of at a time
LEAST = 1e-300  # instead of 0, to divide by
NEGLIGIBLE = 1e-11  # probability of a bin of counts left out
GRAIN = 1.0  # counts are put in bins so wide, in standard deviations of the Beta law: 4e-4 of the width at most
TIGHT = 1 / 64  # counts spread by less, in a bin, are one
HALF = 0.5
EXTRA = 0.15  # limits lean outwards by this many cases where the threshold is known (Clopper and Pearson: 0.5)


class Pieces(NamedTuple):
    """Stretches of counts in the order of rows and bins: their bin, probability and middle, and their own variance."""

    row: Integers
    bin: Integers
    mass: Floats
    x: Floats
    inner: Floats

    def binned(self) -> Bins:
        """All of a row in a bin as one."""
        key = self.row * (self.bin.max() + 1) + self.bin
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        which = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(key)))
        mass = np.add.reduceat(self.mass, starts)
        off = self.x - self.x[starts][which]
        center = np.add.reduceat(self.mass * off, starts) / mass
        off -= center[which]
        square = off * off
        off *= square + 3 * self.inner
        square += self.inner
        variance, third = (np.add.reduceat(self.mass * moment, starts) / mass for moment in (square, off))
        some, center = mass > NEGLIGIBLE, center + self.x[starts]
        return Bins(self.row[starts][some], mass[some], center[some], variance[some], third[some])


class Bins(NamedTuple):
    """Counts of a row in a bin: probability, mean and central moments."""

    row: Integers
    mass: Floats
    x: Floats
    variance: Floats
    third: Floats

    def points(self) -> tuple[Integers, Floats, Floats]:
        """Two in each, with its first three moments, or one: rows, probabilities and places."""
        spread = np.sqrt(self.variance)
        two = spread > TIGHT
        lean = np.where(two, self.third, 0.0) / np.where(two, 2 * spread**3, 1.0)
        root = np.sqrt(1 + lean**2)
        low, high = self.x + np.where(two, spread * (lean - root), 0.0), self.x + spread * (lean + root)
        return _in_two(two, self.row, self.mass, (1 - lean / root) / 2, low, high)


@dataclass(frozen=True)
class RankCells:
    """Probable ranks, consecutive in each row from the first on.

    ``ends`` are the heights of the curve half a negative before each and after the last.
    """

    pmf: Floats
    first: Integers
    ends: Floats
    sloping: Booleans

    @classmethod
    def at(cls, curve: DrawnCurve, fpr: Floats) -> RankCells:
        first, pmf = _binomials(curve.negatives, fpr)
        n, k = curve.negatives, first[:, None] + np.arange(pmf.shape[1] + 1)
        level = curve.level(k)
        size, tied = curve.sizes[level], curve.tied[level]
        ends = curve.before[level] + (k - curve.reached[level] + size - 0.5) / size * tied
        sloping = (tied > 0) & (k > 0) & (k <= n)
        ends = np.where(k <= 0, 0.0, np.where(k > n, curve.positives, ends))
        return cls(pmf, first, ends, sloping[:, :-1] | sloping[:, 1:])

    @property
    def mean(self) -> Floats:
        """Of the height in the middle of a cell."""
        return np.asarray((self.pmf * (self.ends[:, :-1] + self.ends[:, 1:])).sum(axis=1) / 2)

    @property
    def apart(self) -> Floats:
        """Half the mean distance of two independent ranks, as far as the curve is rough at both."""
        rough = np.cumsum(np.where(self.sloping, 0.0, self.pmf), axis=1)
        return np.asarray((rough * (rough[:, -1:] - rough)).sum(axis=1))

    def slopes(self, n: int) -> Floats:
        """Positives in a gap, on average over the probable ones but for the last of all, and but for the first."""
        rank = self.first[:, None] + np.arange(self.pmf.shape[1])
        masses = (np.where(kept, self.pmf, 0.0) for kept in ((rank >= 0) & (rank < n), (rank >= 1) & (rank <= n)))
        gaps = np.diff(self.ends, axis=1)
        return np.array([(mass * gaps).sum(axis=1) / np.maximum(mass.sum(axis=1), LEAST) for mass in masses])

    def pieces(self, edges: Floats) -> Pieces:
        """Counts even in the cells, cut at the edges of bins, which are half-integers.

        In a cell without a slope all whole numbers from end to end are as probable, in others all numbers.
        """
        row, column = np.nonzero(self.pmf)
        flat = np.where(self.sloping[row, column], 0.0, 0.5)
        low, high = self.ends[row, column] - flat, self.ends[row, column + 1] + flat
        density = self.pmf[row, column] / (high - low)
        first = np.searchsorted(edges, low, "right")
        times = np.maximum(np.searchsorted(edges, high) - first, 0) + 1
        which, place = runs(first, times)
        begin = np.maximum(low[which], np.append(-1.0, edges)[place])
        part = np.minimum(high[which], np.append(edges, np.inf)[place])
        part -= begin
        begin += part / 2
        mass = density[which] * part
        part *= part
        part -= 2 * flat[which]
        part /= 12
        return Pieces(row[which], place, mass, begin, part)


@dataclass(frozen=True)
class RankMixtures:
    """Weights and numbers of positives, row after row; of each row how many cases limits lie further out."""

    starts: Integers
    weights: Floats
    above: Floats
    outwards: Floats
    n: int

    @classmethod
    def at(cls, curve: DrawnCurve, fpr: Floats, *, drawn_in: bool = True) -> Self:
        """At these false-positive rates, none of which is 0; counts drawn in by the roughness of the curve, or not."""
        outwards, parts = np.zeros(len(fpr)), [np.zeros((2, 0))] * len(fpr)
        edges, lengths = _edges(curve.positives), 2 * _half_window(curve.negatives, fpr) + 1
        for block in in_blocks(np.arange(len(fpr)), lengths, ENTRIES):
            row, *columns, outwards[block] = _mixture(curve, fpr[block], edges, drawn_in)
            ends = np.cumsum(np.bincount(row))[:-1]
            for point, part in zip(block.tolist(), np.split(np.array(columns), ends, axis=1), strict=True):
                parts[point] = part
        starts = np.cumsum([0, *(part.shape[1] for part in parts)])
        weights, above = np.concatenate(parts, axis=1)
        return cls(starts, weights, above, outwards, curve.positives)

    @property
    def row(self) -> Integers:
        """Of each weight."""
        return np.repeat(np.arange(len(self.outwards)), np.diff(self.starts))

    def blocks(self) -> Iterator[tuple[Integers, Self]]:
        """Some rows at a time."""
        count, n_blocks = len(self.outwards), -(-len(self.weights) // TOGETHER)
        for rows in np.array_split(np.arange(count), min(n_blocks, count)):
            starts = self.starts[rows[0] : rows[-1] + 2]
            weights, above = (part[starts[0] : starts[-1]] for part in (self.weights, self.above))
            yield (
                rows,
                replace(self, starts=starts - starts[0], weights=weights, above=above, outwards=self.outwards[rows]),
            )


def _half_window(n: int, fpr: Floats) -> Integers:
    """How far probable ranks are from their mode, by Bernstein's inequality."""
    slack = LOG_UNSEEN / 3
    half = 1 + slack + np.sqrt(slack**2 + 2 * LOG_UNSEEN * n * fpr * (1 - fpr))
    return np.minimum(half.astype(np.int64), n)


@np.errstate(under="ignore")  # of ranks that never occur
def _binomials(n: int, fpr: Floats) -> tuple[Integers, Floats]:
    """The first of each row's ranks, and binomial laws, outwards from their modes by the ratio of neighbours."""
    half = int(_half_window(n, fpr).max())
    odds = (fpr / np.maximum(1 - fpr, 1e-300))[:, None]
    mode = np.minimum(((n + 1) * fpr).astype(np.int64), n)[:, None]
    up, down = mode + np.arange(half), mode - np.arange(half)
    above = np.cumprod(np.maximum((n - up) / (up + 1) * odds, 0.0), axis=1)
    below = np.cumprod(np.maximum(down / (n - down + 1) / odds, 0.0), axis=1)
    pmf = np.concatenate([below[:, ::-1], np.ones((len(fpr), 1)), above], axis=1)
    pmf /= pmf.sum(axis=1, keepdims=True)
    return mode[:, 0] - half, np.where(pmf > UNSEEN, pmf, 0.0)


def _edges(n: int) -> Floats:
    """Half-integers between 0 and n that are ``GRAIN`` standard deviations of a count apart, or one."""
    turns = np.linspace(0, np.pi / 4, 1 + int(np.pi / 2 * np.sqrt(n) / GRAIN))
    lower = np.floor(n * np.sin(turns) ** 2) + 0.5
    return np.unique(np.concatenate([lower, n - lower]))


def _mixture(curve: DrawnCurve, fpr: Floats, edges: Floats, drawn_in: bool) -> tuple[Integers, Floats, Floats, Floats]:
    """Rows in order, weights and numbers of positives, and of each row how far limits lie out."""
    n, positives = curve.negatives, curve.positives
    cells = RankCells.at(curve, fpr)
    mean, slopes = cells.mean, cells.slopes(n)
    excess = cells.apart * slopes * (1 + HALF * slopes)
    bins = cells.pieces(edges).binned()
    variance = np.bincount(bins.row, bins.mass * ((bins.x - mean[bins.row]) ** 2 + bins.variance))
    kept = np.maximum(variance - drawn_in * excess, 0.0)
    row, weights, x = bins.points()
    below, above = np.sqrt(kept / np.where(variance > 0, variance, 1.0))
    center = mean[row]
    drawn = center + np.where(x < center, below[row], above[row]) * (x - center)
    at_none, at_all = curve.hits(np.array([0.5, n - 0.5])) == [0, positives]
    certain = (x == 0) & at_none | (x == positives) & at_all
    shrunk = np.where(certain, x, drawn)  # where the curve lies along an end, that is not roughness
    row, weights, x = _whole_ends(row, weights, shrunk, positives)
    total = np.bincount(row, weights)
    return row, weights / total[row], x, EXTRA / (1 + kept.mean(axis=0))


def _whole_ends(row: Integers, weights: Floats, x: Floats, n: int) -> tuple[Integers, Floats, Floats]:
    """Counts within one of 0 or n split between their whole neighbours: 0 and n have rules of their own."""
    split, lower = (x < 1) | (x > n - 1), np.clip(np.floor(x), 0, max(n - 1, 0))
    return _in_two(split, row, weights, np.clip(x - lower, 0.0, 1.0), np.where(split, lower, x), lower + 1)


def _in_two(
    some: Booleans, row: Integers, weights: Floats, upper: Floats, low: Floats, high: Floats
) -> tuple[Integers, Floats, Floats]:
    """Some weights split between two places, a share of them at the upper one; the others stay at the lower."""
    which = np.repeat(np.arange(len(some)), 1 + some)
    second, share = np.diff(which, prepend=-1) == 0, np.where(some, upper, 0.0)[which]
    weights = np.where(second, share, 1 - share) * weights[which]
    return row[which], weights, np.where(second, high[which], low[which])
