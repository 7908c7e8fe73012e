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
from scipy.sparse import csr_array

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
        independent, found = self._found
        linear, rho = self._drawn
        shared = self._shared(found, rho)
        series = Series(np.array([linear, independent]), most, self.precision.rest)
        terms = self._terms()  # first: they need room
        power, jump_a, jump_b = np.ones_like(rho), self.a.jump, self.b.jump
        for m, (a, b) in enumerate(terms, 1):
            power *= rho
            covariance = np.einsum("ri,ri->r", (a * jump_a) @ power, b * jump_b) if m > 1 else 0.0
            if series.add(m, covariance, shared.summed(a, b)):
                break
        return series.sums, series.settled(self.a.n)

    def _terms(self) -> Iterator[tuple[Floats, Floats]]:
        """A_m at the marks of both models."""
        width = len(self.a.x)
        terms = tail_terms(side_by_side(self.a.tail, self.b.tail), min(self.precision.terms, self.a.n))
        return ((term[:, :width], term[:, width:]) for term in terms)

    @property
    def _drawn(self) -> tuple[Floats, Floats]:
        """The covariance of what is linear in the negatives drawn, and the correlations of what marks count of them."""
        before = _places(self.negative, *((each.first, len(each.sizes)) for each in (self.a, self.b))).table
        a, b = pulls(self.a), pulls(self.b)
        linear = np.einsum("ri,ri->r", a @ before, b) - self.a.total(a) * self.b.total(b) / self.a.n
        before.cumsum(axis=0, out=before).cumsum(axis=1, out=before)
        before = self.a.between(self.b.between(before.T).T)
        return linear, correlation(before, self.a.x, self.b.x, self.a.variance, self.b.variance, self.a.n)

    @property
    def _found(self) -> tuple[Floats, Places]:
        """Positives found by both, were the models independent, and where they are."""
        places = ((2 * each.first + 1, 2 * len(each.sizes) - 1) for each in (self.a, self.b))
        found = _places(self.positive, *places)
        a, b = (np.insert(each.found, 0, 1.0, axis=1) for each in (self.a, self.b))
        return (a[:, found.a] * b[:, found.b]) @ found.counts, found

    def _shared(self, found: Places, rho: Floats) -> Shared:
        """How many are where two marks are passed."""
        later = (found.a > 0) & (found.b > 0)
        place_a, place_b, counts = found.a[later] - 1, found.b[later] - 1, found.counts[later]
        if not (self.a.sloping or self.b.sloping):
            return Shared((pairs := (place_a // 2, place_b // 2)), counts, rho[pairs])
        a, b = self.a.parts, self.b.parts
        starts = np.searchsorted(place_a, np.arange(a.shape[1] + 1))
        table = a @ csr_array((counts, place_b, starts), (a.shape[1], b.shape[1])) @ b.T
        if table.nnz > FEW * rho.size:
            return Shared(None, table.toarray(), rho)
        listed = table.tocoo()
        return Shared((listed.row, listed.col), listed.data, rho[listed.row, listed.col])


class Shared(NamedTuple):
    """Positives by pairs of marks, all pairs or those where there are some, times a power of the correlation there."""

    pairs: tuple[Integers, ...] | None
    positives: Floats
    rho: Floats

    def summed(self, a: Floats, b: Floats) -> Floats:
        """Sums over pairs of what is given of marks of either model, with the next power."""
        np.multiply(self.positives, self.rho, out=self.positives)
        if self.pairs is None:
            return np.asarray(np.einsum("ri,ri->r", a @ self.positives, b))
        i, j = self.pairs
        both = a[:, i]
        both *= b[:, j]
        return np.asarray(both @ self.positives)


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
