"""Sums over pairs of a mark of one model and a mark of another, term by term."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._powers import next_power

FEW = 0.03  # of the pairs of marks share positives: then only these are summed


class Shared(NamedTuple):
    """Positives that a mark of one model shares with one of the other, pair by pair."""

    a: Integers
    b: Integers
    positives: Floats

    def part(self, rows: slice, columns: slice) -> Shared:
        """Those of some marks next to each other."""
        some = (self.a >= rows.start) & (self.a < rows.stop) & (self.b >= columns.start) & (self.b < columns.stop)
        return Shared(self.a[some] - rows.start, self.b[some] - columns.start, self.positives[some])


class MarkPairs:
    """Pairs of a mark of one kind of model a and one of b: of shapes (n_values, n_values, n_a, n_b).

    ``one`` has the correlations of what tells draws before either.
    """

    def __init__(self, one: Floats, jumps: tuple[Floats, Floats], shared: Shared, across: int) -> None:
        self._one, self._jumps, self._shared = one, jumps, shared
        values = (1 if functions == 1 else 1 + across for functions in one.shape[:2])
        self._power = np.zeros((*values, *one.shape[2:]))
        self._power[0, 0] = 1.0
        few = self._power.shape[:2] == (1, 1) and len(shared.a) <= FEW * one.size
        self._table = None if few else tabled(*shared, one.shape[2:])

    def next(self, degree: int, a: Floats, b: Floats) -> Floats:
        """What terms of that degree add to the covariance, from the second on, and to what both find."""
        next_power(self._power, self._one, degree)
        found = self._found(a[0], b[0]) if self._table is None else _all_pairs(a, self._power * self._table, b)
        linear = degree == 1
        return np.array(
            [0 * found if linear else _all_pairs(a * self._jumps[0], self._power, b * self._jumps[1]), found]
        )

    def _found(self, a: Floats, b: Floats) -> Floats:
        """From pairs of marks that share positives."""
        i, j, positives = self._shared
        both = a[:, i]
        both *= b[:, j]
        return np.asarray(both @ (self._power[0, 0, i, j] * positives))


def _all_pairs(a: Floats, table: Floats, b: Floats) -> Floats:
    """Sums over pairs of values and marks."""
    return np.asarray(np.einsum("lkri,kri->r", np.matmul(a[:, None], table), b))


def tabled(rows: Integers, columns: Integers, counts: Floats, shape: tuple[int, int]) -> Floats:
    """Their sums at each row and column."""
    sums = np.bincount(rows * shape[1] + columns, counts, shape[0] * shape[1])
    return np.asarray(sums.reshape(shape), dtype=np.float64)
