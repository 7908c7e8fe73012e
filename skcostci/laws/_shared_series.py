"""The covariance of two curves' hits at ranks that lie close together, from all pairs of their marks.

Which negatives lie before two marks does not depend on the rank: correlations and their powers are worked out once for
all ranks of a run, and sums over pairs are products of matrices. The first term of the covariance is exact, also where
segments slope (:mod:`._pulls`), and so are all where none does and none is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._marks import Marks, side_by_side
from skcostci.laws._meixner import tail_terms
from skcostci.laws._pieces import PairedCases
from skcostci.laws._pulls import pulls
from skcostci.laws._series import Precision, Series, correlation

FEW = 0.03  # of the pairs of marks share positives: then only these are summed


@dataclass(frozen=True, eq=False)
class SharedSeries:
    """Two models' marks for a run of ranks, and where the cases lie on both curves, those of a in order.

    Negatives have the numbers of their segments.
    """

    a: Marks
    b: Marks
    positive: PairedCases
    negative: PairedCases
    precision: Precision

    @np.errstate(under="ignore")  # marks are far from the ranks at the other end of a run
    def moments(self, most: Floats) -> tuple[Floats, Booleans]:
        """The covariance of the hits and the positives found by both, and whether terms fell to little.

        ``most`` is, likewise of shape (2, n_ranks), the sum of what both are of a model and itself.
        """
        independent, shared = self._found
        linear, rho = self._drawn
        series = Series(np.array([linear, independent]), most, self.precision.rest)
        power = np.ones_like(rho)
        jump_a, jump_b = self.a.jump, self.b.jump
        for m, (a, b) in enumerate(self._terms(), 1):
            power *= rho
            covariance = np.einsum("ri,ri->r", (a * jump_a) @ power, b * jump_b) if m > 1 else 0.0
            if series.add(m, covariance, shared.summed(a, b, power)):
                break
        return series.sums, series.settled(self.a.n)

    def _terms(self) -> Iterator[tuple[Floats, Floats]]:
        """A_m at the marks of both models."""
        width = len(self.a.x)
        for term in tail_terms(side_by_side(self.a.tail, self.b.tail), min(self.precision.terms, self.a.n)):
            yield term[:, :width], term[:, width:]

    @property
    def _drawn(self) -> tuple[Floats, Floats]:
        """The covariance of what is linear in the negatives drawn, and the correlations of what marks count of them."""
        before = _places(self.negative, *((each.first, len(each.sizes)) for each in (self.a, self.b))).table
        a, b = pulls(self.a), pulls(self.b)
        linear = np.einsum("ri,ri->r", a @ before, b) - self.a.total(a) * self.b.total(b) / self.a.n
        before.cumsum(axis=0, out=before).cumsum(axis=1, out=before)
        both = self.a.between(self.b.between(before.T).T)
        return linear, correlation(both, self.a.x, self.b.x, self.a.variance, self.b.variance, self.a.n)

    @property
    def _found(self) -> tuple[Floats, Shared]:
        """Positives found by both, were the models independent, and how many are where two marks are passed."""
        places = ((2 * each.first + 1, 2 * len(each.sizes) - 1) for each in (self.a, self.b))
        found = _places(self.positive, *places)
        a, b = (np.insert(each.found, 0, 1.0, axis=1) for each in (self.a, self.b))
        return (a[:, found.a] * b[:, found.b]) @ found.counts, self._shared(found)

    def _shared(self, found: Places) -> Shared:
        later = (found.a > 0) & (found.b > 0)
        place_a, place_b, counts = found.a[later] - 1, found.b[later] - 1, found.counts[later]
        if not (self.a.sloping or self.b.sloping):
            return Shared((place_a // 2, place_b // 2), counts)
        of, a, share = self.a.parted(place_a)
        counts, place_b = counts[of] * share, place_b[of]
        of, b, share = self.b.parted(place_b)
        share *= counts[of]
        table = _tabled(a[of], b, share, (len(self.a.x), len(self.b.x)))
        some = np.flatnonzero(table)
        if len(some) > FEW * table.size:
            return Shared(None, table)
        return Shared(np.divmod(some, table.shape[1]), table.ravel()[some])


class Shared(NamedTuple):
    """Positives by pairs of marks: all pairs, or those where there are some."""

    pairs: tuple[Integers, ...] | None
    positives: Floats

    def summed(self, a: Floats, b: Floats, power: Floats) -> Floats:
        """Sums over pairs of what is given of marks of either model, and of pairs."""
        if self.pairs is None:
            return np.asarray(np.einsum("ri,ri->r", a @ (self.positives * power), b))
        i, j = self.pairs
        return np.asarray((a[:, i] * b[:, j]) @ (self.positives * power[i, j]))


class Places(NamedTuple):
    """How many cases are at places on both curves, 0 being what is before all others, of which there are so many."""

    a: Integers
    b: Integers
    counts: Floats
    shape: tuple[int, int]

    @property
    def table(self) -> Floats:
        return _tabled(*self)


def _tabled(rows: Integers, columns: Integers, counts: Floats, shape: tuple[int, int]) -> Floats:
    """Their sums at each row and column."""
    sums = np.bincount(rows * shape[1] + columns, counts, shape[0] * shape[1])
    return np.asarray(sums.reshape(shape), dtype=np.float64)


def _places(cases: PairedCases, a: tuple[int, int], b: tuple[int, int]) -> Places:
    """Cases by their places on both curves, from a first one on so many."""
    (first_a, size_a), (first_b, size_b) = a, b
    low, high = np.searchsorted(cases.a, [first_a, first_a + size_a]).tolist()
    weights = np.ones(high) if cases.weights is None else cases.weights[:high].astype(np.float64)
    column = np.clip(cases.b[:high] - first_b + 1, 0, size_b + 1)
    before = np.bincount(column[:low], weights[:low], size_b + 2)
    (some,), near = np.nonzero(before[:-1]), np.flatnonzero(column[low:] <= size_b) + low
    rows, columns = np.append(0 * some, cases.a[near] - first_a + 1), np.append(some, column[near])
    return Places(rows, columns, np.append(before[some], weights[near]), (size_a + 1, size_b + 1))
