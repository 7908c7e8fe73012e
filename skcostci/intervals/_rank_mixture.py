"""The probable numbers of positives above the right threshold, at many false-positive rates side by side.

The ranks that a rate may have, the heights of the curve in their cells, the blocks that counts are merged in: each is
one table with a row a rate. The formulas and what they rest on are in :mod:`._rank_beta`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws import DrawnCurve
from skcostci.laws._points import in_blocks

UNSEEN = 1e-16  # a rank so improbable is left out
LOG_UNSEEN = 32.0  # and those beyond a window that leaves out less than exp(-32)
ENTRIES = 2**11, 2**13  # of a table: as many as negatives, but not so few that calls take long nor beyond the cache
TOGETHER = 2**12  # of weights that limits are sought of at a time
NEGLIGIBLE = 1e-11  # probability of a block of counts left out
GRAIN = 0.6  # counts are merged in blocks so wide, in standard deviations of the Beta law: 3e-4 of the width
POINTS = 8  # a block is made of about so many counts or more
NARROW = 1 / 16  # counts closer than this are one
WHOLE = 2.0  # blocks narrower than this hold counts one by one
HALF = 0.5
EXTRA = 0.15  # limits lean outwards by this many cases where the threshold is known (Clopper and Pearson: 0.5)


@dataclass(frozen=True)
class Counts:
    """Numbers of positives above the threshold, of any rows: probability, number, and the variance lost in it."""

    row: Integers
    mass: Floats
    x: Floats
    inner: Floats


@dataclass(frozen=True)
class RankCells:
    """Probable ranks, consecutive in each row, and the curve from half a negative before to half a negative after."""

    pmf: Floats
    rank: Integers
    left: Floats
    gaps: Floats
    sloping: Booleans

    @classmethod
    def at(cls, curve: DrawnCurve, fpr: Floats) -> RankCells:
        rank, pmf = _binomials(curve.negatives, fpr)
        width, n = pmf.shape[1], curve.negatives
        k = rank[:, :1] + np.arange(width + 1)
        level = curve.level(k)
        size, tied = curve.sizes[level], curve.tied[level]
        deep = k - curve.reached[level] + size
        ends = curve.before[level] + (deep - 0.5) / size * tied
        ends = np.where(k <= 0, 0.0, np.where(k > n, curve.positives, ends))
        sloping = (tied > 0) & (k > 0) & (k <= n)
        return cls(pmf, rank, ends[:, :-1], np.diff(ends, axis=1), sloping[:, :-1] | sloping[:, 1:])

    @cached_property
    def mean(self) -> Floats:
        """Of the height in the middle of a cell."""
        return np.asarray((self.pmf * (self.left + self.gaps / 2)).sum(axis=1))

    @property
    def apart(self) -> Floats:
        """Half the mean distance of two independent ranks, as far as the curve is rough at both."""
        rough = np.cumsum(np.where(self.sloping, 0.0, self.pmf), axis=1)
        return np.asarray((rough * (rough[:, -1:] - rough)).sum(axis=1))

    def slope(self, first: int, end: int) -> Floats:
        """Positives in a gap, on average over the probable ones from the first to before the end."""
        mass = np.where((self.rank >= first) & (self.rank < end), self.pmf, 0.0)
        total = mass.sum(axis=1)
        return np.asarray((mass * self.gaps).sum(axis=1) / np.where(total > 0, total, 1.0))

    def counts(self, grain: Floats) -> Counts:
        """Counts even in the cells, at most a grain apart.

        In a cell without a slope all whole numbers from end to end are as probable, in others all numbers.
        """
        flat = ~self.sloping
        length = self.gaps + flat
        many = length / grain[:, None]
        np.maximum(np.ceil(np.subtract(many, 1e-9, out=many), out=many), 1.0, out=many)
        whole = np.where(flat, 1.0, length / np.maximum(np.ceil(length - 1e-9), 1.0))
        step = np.divide(length, many, out=length)
        inner = np.maximum(step**2 - whole**2, 0.0) / 12
        del whole
        times = np.where(self.pmf > 0, many, 0.0).astype(np.int64).ravel()
        which = np.repeat(np.arange(times.size), times)
        x = np.arange(len(which)) - (np.cumsum(times) - times)[which] + 0.5
        x *= step.ravel()[which]
        x += (self.left - flat / 2).ravel()[which]
        return Counts(which // self.pmf.shape[1], (self.pmf / many).ravel()[which], x, inner.ravel()[which])


@dataclass(frozen=True)
class RankMixtures:
    """Weights and numbers of positives, row after row; of each row how many cases limits lie further out."""

    starts: Integers
    weights: Floats
    above: Floats
    outwards: Floats
    n: int

    @classmethod
    def at(cls, curve: DrawnCurve, fpr: Floats) -> Self:
        """At these false-positive rates, none of which is 0."""
        outwards, parts = np.zeros(len(fpr)), [np.zeros((2, 0))] * len(fpr)
        lengths = 2 * _half_window(curve.negatives, fpr) + 1
        for block in in_blocks(np.arange(len(fpr)), lengths, min(max(curve.negatives, ENTRIES[0]), ENTRIES[1])):
            row, *columns, outwards[block] = _mixture(curve, fpr[block])
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


def _binomials(n: int, fpr: Floats) -> tuple[Integers, Floats]:
    """Binomial laws, outwards from their modes by the ratio of neighbours."""
    half = int(_half_window(n, fpr).max())
    odds = (fpr / np.maximum(1 - fpr, 1e-300))[:, None]
    mode = np.minimum(((n + 1) * fpr).astype(np.int64), n)[:, None]
    up, down = mode + np.arange(half), mode - np.arange(half)
    above = np.cumprod(np.maximum((n - up) / (up + 1) * odds, 0.0), axis=1)
    below = np.cumprod(np.maximum(down / (n - down + 1) / odds, 0.0), axis=1)
    pmf = np.concatenate([below[:, ::-1], np.ones((len(fpr), 1)), above], axis=1)
    pmf /= pmf.sum(axis=1, keepdims=True)
    return mode + np.arange(-half, half + 1), np.where(pmf > UNSEEN, pmf, 0.0)


def _mixture(curve: DrawnCurve, fpr: Floats) -> tuple[Integers, Floats, Floats, Floats]:
    """Rows in order, weights and numbers of positives, and of each row how far limits lie out."""
    n, positives = curve.negatives, curve.positives
    counts, mean, width, excess = _counts(curve, fpr)
    variance = np.bincount(counts.row, counts.mass * ((counts.x - mean[counts.row]) ** 2 + counts.inner))
    kept = np.maximum(variance - excess, 0.0)
    row, weights, blocks = _merged(counts, width)
    below, above = np.sqrt(kept / np.where(variance > 0, variance, 1.0))
    center = mean[row]
    drawn = center + np.where(blocks < center, below[row], above[row]) * (blocks - center)
    at_none, at_all = curve.hits(np.array([0.5, n - 0.5])) == [0, positives]
    certain = (blocks == 0) & at_none | (blocks == positives) & at_all
    shrunk = np.where(certain, blocks, drawn)  # where the curve lies along an end, that is not roughness
    row, weights, x = _whole_ends(row, weights, shrunk, positives)
    order = np.argsort(row, kind="stable")
    order = order[weights[order] > 0]
    total = np.bincount(row, weights)
    return row[order], (weights / total[row])[order], x[order], EXTRA / (1 + kept.mean(axis=0))


def _counts(curve: DrawnCurve, fpr: Floats) -> tuple[Counts, Floats, Floats, Floats]:
    """Numbers of positives, their mean, how wide blocks are, and the variance too much below and above the mean."""
    cells = RankCells.at(curve, fpr)
    mean = cells.mean
    width = GRAIN * np.sqrt(np.maximum(mean * (curve.positives - mean), 0.0) / curve.positives)
    slopes = np.array([cells.slope(0, curve.negatives), cells.slope(1, curve.negatives + 1)])
    excess = cells.apart * slopes * (1 + HALF * slopes)
    return cells.counts(np.maximum(width / POINTS, 1.0)), mean, width, excess


def _merged(counts: Counts, width: Floats) -> tuple[Integers, Floats, Floats]:
    """Blocks of counts, each as two points with its mean and variance; the first and the last count on their own.

    Narrow blocks are one point.
    """
    row, x, mass = counts.row, counts.x, counts.mass
    starts = np.searchsorted(row, np.arange(len(width)))
    low, high = np.minimum.reduceat(x, starts), np.maximum.reduceat(x, starts)
    narrow = width < WHOLE
    wide = np.where(narrow, NARROW, np.floor(width))
    top = ((high - low) / wide).astype(np.int64) + 2
    key = ((x - low[row]) / wide[row]).astype(np.int64) + 1
    key[x == low[row]] = 0
    key = np.where(x == high[row], top[row], key)
    offset, codes = np.cumsum(top + 1) - top - 1, None
    key += offset[row]
    if narrow.any():
        codes, key = np.unique(key, return_inverse=True)
    total: Floats = np.asarray(np.bincount(key, mass), dtype=np.float64)
    some = np.flatnonzero(total > NEGLIGIBLE)
    which = np.searchsorted(offset, some if codes is None else codes[some], "right") - 1
    off = x - low[row]
    total, center = total[some], np.zeros(len(total))
    center[some] = np.bincount(key, mass * off)[some] / total
    off -= center[key]
    off *= off
    off += counts.inner
    off *= mass
    spread = np.sqrt(np.bincount(key, off)[some] / total)
    mean, one = low[which] + center[some], narrow[which]
    single = mean[one]
    single = np.where(np.abs(single - np.rint(single)) < 1e-12 * (1 + single), np.rint(single), single)
    two = ~one
    return (
        np.concatenate([which[one], which[two], which[two]]),
        np.concatenate([total[one], total[two] / 2, total[two] / 2]),
        np.concatenate([single, mean[two] - spread[two], mean[two] + spread[two]]),
    )


def _whole_ends(row: Integers, weights: Floats, x: Floats, n: int) -> tuple[Integers, Floats, Floats]:
    """Counts within one of 0 or n split between their whole neighbours: 0 and n have rules of their own."""
    split = (x < 1) | (x > n - 1)
    lower = np.clip(np.floor(x[split]), 0, max(n - 1, 0))
    upper_share = np.clip(x[split] - lower, 0.0, 1.0)
    return (
        np.concatenate([row[~split], row[split], row[split]]),
        np.concatenate([weights[~split], weights[split] * (1 - upper_share), weights[split] * upper_share]),
        np.concatenate([x[~split], lower, lower + 1]),
    )
