"""Pairs of steps of two curves close to the ridge, and what they take off joint moments (:mod:`._ridge`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._passed import Passed
from skcostci.laws._pieces import PairedCases
from skcostci.laws._points import in_blocks, runs

HELD = 3 * 2**8  # pairs at once, or as many as negatives


class Near(NamedTuple):
    """Rows and columns of pairs, the negatives before both, and the positives at both, then times their variances.

    Of pairs of which either may be passed without the other.
    """

    row: Integers
    column: Integers
    both: Floats
    found: Floats
    blurred: Floats


@dataclass(frozen=True, eq=False)
class RidgePairs:
    """Negatives before the steps of both curves, and how far columns matter from each row; less than 0 is not at all.

    The cases are numbered by steps: the positives by those where they are, -1 being before all, and the negatives by
    the first that they are before. Positives are in the order of rows; each is a part of one, or of several, that lies
    between steps; ``spread`` is half the variances of its places, of a and of b.
    """

    x: Integers
    y: Integers
    reach: Floats
    positive: PairedCases
    parts: Floats
    spread: Floats
    negative: PairedCases
    n: int

    @cached_property
    def lost(self) -> Floats:
        """What is to be taken off, by the mean of C + k: shape (2, 3, n + 1).

        Of positives that are the same, then of those of both models multiplied.
        """
        lost = np.zeros((2, 3, self.n + 1))
        (jumps_a, blurred_a), (jumps_b, blurred_b) = self._jumps
        for near in self._blocks():
            place, terms, same = _weights(self.x[near.row], self.y[near.column], near.both, self.n)
            a, b = jumps_a[near.row], jumps_b[near.column]
            parts = terms * np.array([near.found, a * b])[:, None]
            parts[:, 0] -= same * [near.blurred, blurred_a[near.row] * b + a * blurred_b[near.column]]
            _add(lost, place, parts)
        return lost

    @property
    def _jumps(self) -> tuple[list[Floats], list[Floats]]:
        """Positives at each step of either model, then times half the variances of their places."""
        a, b = (
            [
                np.asarray(np.bincount(step + 1, parts, len(x) + 1)[1:], dtype=np.float64)
                for parts in (self.parts, self.parts * spread)
            ]
            for step, x, spread in zip((self.positive.a, self.positive.b), (self.x, self.y), self.spread, strict=True)
        )
        return a, b

    @cached_property
    def first(self) -> Integers:
        """The first column of each row; they ascend."""
        first = np.searchsorted(self.y, self.x - self.reach)
        return np.asarray(np.minimum.accumulate(first[::-1])[::-1])

    @cached_property
    def sizes(self) -> Integers:
        """How many columns each row has."""
        beyond = np.searchsorted(self.y, self.x + self.reach, "right")
        return np.where(self.reach < 0, 0, beyond - self.first)

    def _blocks(self) -> Iterator[Near]:
        """All pairs, some rows at a time."""
        every = np.arange(len(self.x))
        before = self.negative.before(self.first - 1)
        for rows in in_blocks(every[self.sizes > 0], self.sizes, max(self.n, HELD), every):
            yield self._near(rows, before[rows])

    def _near(self, rows: Integers, before: Floats) -> Near:
        """Those of some rows, which ascend; so many negatives are before each and before all its columns."""
        first, sizes = self.first[rows], self.sizes[rows]
        which, column = runs(first, sizes)
        start = np.cumsum(sizes) - sizes
        negative, bounds = self._by_column
        of, case = runs(bounds[first], bounds[first + sizes] - bounds[first])
        counted = (negative.a[case] <= rows[of]).astype(np.float64)
        if negative.weights is not None:
            counted *= negative.weights[case]
        counts = np.bincount((start - first)[of] + negative.b[case], counted, len(which))
        both = np.cumsum(counts, dtype=np.float64)
        both += (before - both[start] + counts[start])[which]
        row, (found, blurred) = rows[which], self._found(rows, start)
        passed = np.minimum(self.x[row], self.y[column]) > both
        return Near(row[passed], column[passed], both[passed], found[passed], blurred[passed])

    def _found(self, rows: Integers, start: Integers) -> tuple[Floats, Floats]:
        """Positives at each pair, and then times their variances."""
        positive, first, sizes = self.positive, self.first[rows], self.sizes[rows]
        some = slice(*np.searchsorted(positive.a, [rows[0], rows[-1] + 1]).tolist())
        at = np.searchsorted(rows, positive.a[some])
        column = positive.b[some] - first[at]
        inside = (rows[at] == positive.a[some]) & (column >= 0) & (column < sizes[at])
        cells, parts = (start[at] + column)[inside], self.parts[some][inside]
        spread = self.spread[:, some].sum(axis=0)[inside]
        found, blurred = (np.bincount(cells, each, int(sizes.sum())) for each in (parts, parts * spread))
        return np.asarray(found, dtype=np.float64), np.asarray(blurred, dtype=np.float64)

    @cached_property
    def _by_column(self) -> tuple[PairedCases, Integers]:
        """The negatives in the order of columns, and where those of each begin."""
        by_b = PairedCases(self.negative.b, self.negative.a, self.negative.weights).in_order()
        return PairedCases(by_b.b, by_b.a, by_b.weights), np.searchsorted(by_b.a, np.arange(len(self.y) + 1))


def _add(sums: Floats, place: Integers, parts: Floats) -> None:
    """Add what there is at places, of shape (2, 3, n_pairs), to what there is at all."""
    if not len(place):
        return
    low, beyond = int(place.min()), int(place.max()) + 1
    for row in np.ndindex(sums.shape[:-1]):
        sums[row][low:beyond] += np.bincount(place - low, parts[row], beyond - low)


def _weights(x: Integers, y: Integers, both: Floats, n: int) -> tuple[Integers, Floats, Floats]:
    """Of pairs of places the mean of C + k, rounded, the weights of the law there and of its derivatives.

    Then the probability that U and V are the same.
    """
    u, v = (places - both.astype(np.int64) for places in (np.minimum(x, y), np.maximum(x, y)))
    pairs, which = np.unique(u * n + v, return_inverse=True)
    u, v = (each.astype(np.float64) for each in np.divmod(pairs, n))
    mean, drawn, spread, square, same = (each[which] for each in Passed.of(u, v))
    chance = both / np.maximum(n - (x + y - 2 * both), 1)
    center = (n - drawn) * chance + (drawn + 1) / 2
    variance = (n - drawn) * chance * (1 - chance) + (0.5 - chance) ** 2 * spread + (square - 1) / 12
    place = np.clip(np.rint(center), 2, n - 1)
    off, own = center - place, (center - 1) * (n - center) / (n - 1)
    return place.astype(np.int64), mean * np.array([np.ones_like(off), off, (off**2 + variance - own) / 2]), same
