"""The covariance of two curves' hits at ranks that lie close together, from all pairs of their marks.

Which negatives lie before two marks does not depend on the rank: correlations and their powers are worked out once for
all ranks of a run, and sums over pairs are products of matrices. The first term of the covariance is exact, also where
narrow segments are not told from their ends (:mod:`._pulls`); all are where none is narrow and none is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product, repeat
from math import isqrt
from typing import NamedTuple

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._mark_pairs import MarkPairs, Shared, tabled
from skcostci.laws._marks import Marks
from skcostci.laws._meixner import binomial_tail, tail_terms
from skcostci.laws._pieces import PairedCases
from skcostci.laws._pulls import pulls
from skcostci.laws._series import Series
from skcostci.laws._share_terms import share_terms

Terms = tuple[Floats, Floats]  # of a model's marks of either kind, shape (n_values, n_ranks, n_marks)


@dataclass(frozen=True, eq=False)
class SharedSeries:
    """Two models' marks for a run of ranks, and where the cases lie on both curves, those of a in order.

    Negatives have the numbers of their segments.
    """

    a: Marks
    b: Marks
    positive: PairedCases
    negative: PairedCases
    rest: float
    terms: int

    @np.errstate(under="ignore")  # marks are far from the ranks at the other end of a run
    def moments(self, most: Floats) -> tuple[Floats, Booleans]:
        """The covariance of the hits and the positives found by both, and whether terms fell to little.

        ``most`` is, likewise of shape (2, n_ranks), the sum of what both are of a model and itself.
        """
        independent, shared = self._found
        linear, negatives = self._drawn
        pairs = self._pairs(shared, negatives)
        del shared, negatives  # room for what follows
        series = Series(np.array([linear, independent]), most, self.rest)
        for degree, (a, b) in enumerate(self._terms if pairs else (), 1):
            if series.add(degree, np.sum([each.next(degree, a[i], b[j]) for (i, j), each in pairs.items()], axis=0)):
                break
        return series.sums, series.settled(self.a.n)

    @property
    def _terms(self) -> Iterator[tuple[Terms, Terms]]:
        """Those of both models, degree by degree."""
        parts = zip(self._at_places, self._in_groups, strict=False)
        for _, ((place_a, place_b), (group_a, group_b)) in zip(range(self.terms), parts, strict=False):
            yield _by_kind(place_a, group_a, self.a), _by_kind(place_b, group_b, self.b)

    @property
    def _at_places(self) -> Iterator[tuple[Floats, Floats]]:
        """Those of places, shape (n_ranks, n_places)."""
        a, b = self.a.places, self.b.places
        tail = binomial_tail(np.append(a.start, b.start), self.a.rank[:, None], self.a.n)
        return _apart(tail_terms(tail, self.a.n), len(a.start))

    @property
    def _in_groups(self) -> Iterator[tuple[Floats, Floats]]:
        """Those of segments that slope, shape (n_values, n_ranks, n_segments)."""
        a, b = self.a.groups, self.b.groups
        if not len(a.start) + len(b.start):
            none = np.zeros((1, len(self.a.rank), 0))
            return repeat((none, none))
        alone = np.repeat([True, False] * 2, [len(each) for each in self.a.slopes + self.b.slopes])
        terms = share_terms(a.beside(b), alone, self.a, self._across, self.a.precision)
        return _apart(terms, len(a.start))

    @cached_property
    def _across(self) -> int:
        """How many values of the second function are looked at."""
        a, b = (len(model.slopes[1]) for model in (self.a, self.b))
        room, smooth = isqrt(self.a.precision.room // max(a * b, 1)), self.a.smooth
        return min(self.a.precision.across[int(smooth)], max(room - 1, 1 if smooth else 2))

    @property
    def _drawn(self) -> tuple[Floats, Floats]:
        """The covariance of what is linear in the negatives drawn, and of what one is before edges of both."""
        table = _places(self.negative, *((each.first, len(each.sizes)) for each in (self.a, self.b))).table
        linear = _covariance(table, (pulls(self.a), pulls(self.b)), (self.a, self.b))
        table.cumsum(axis=0, out=table).cumsum(axis=1, out=table)
        table -= np.multiply.outer(self.a.edges, self.b.edges / self.a.n)
        table /= self.a.n
        return linear, table

    @property
    def _found(self) -> tuple[Floats, Shared]:
        """Positives found by both, were the models independent, and those that marks of both share."""
        places = ((2 * each.first + 1, 2 * len(each.sizes) - 1) for each in (self.a, self.b))
        found = _places(self.positive, *places)
        a, b = (np.insert(each.found, 0, 1.0, axis=1) for each in (self.a, self.b))
        return (a[:, found.a] * b[:, found.b]) @ found.counts, self._shared(found)

    def _shared(self, found: Places) -> Shared:
        """How many are where two marks are passed."""
        some = (found.a > 0) & (found.b > 0)
        i, j = (parts[place[some] - 1] for (parts, _), place in ((self.a.parts, found.a), (self.b.parts, found.b)))
        u, v = (shares[place[some] - 1] for (_, shares), place in ((self.a.parts, found.a), (self.b.parts, found.b)))
        positives = found.counts[some][:, None, None] * u[:, :, None] * v[:, None]
        a, b = np.broadcast_arrays(i[:, :, None], j[:, None])
        return Shared(a[positives > 0], b[positives > 0], positives[positives > 0])

    def _pairs(self, shared: Shared, negatives: Floats) -> dict[tuple[int, int], MarkPairs]:
        """Those of pairs of kinds that have marks."""
        pairs = {}
        for (i, (a, rows)), (j, (b, columns)) in product(*(enumerate(model.kinds) for model in (self.a, self.b))):
            if len(a.left) and len(b.left):
                one = np.moveaxis(a.told(np.moveaxis(b.told(negatives), -2, -1)), -1, -2)
                jumps = self.a.jump[rows], self.b.jump[columns]
                pairs[i, j] = MarkPairs(one, jumps, shared.part(rows, columns), self._across)
        return pairs


def _apart(terms: Iterator[Floats], count: int) -> Iterator[tuple[Floats, Floats]]:
    """Of so many marks, and of the others."""
    return ((each[..., :count], each[..., count:]) for each in terms)


def _by_kind(places: Floats, groups: Floats, marks: Marks) -> Terms:
    """Of marks of which one function tells, and of others."""
    alone = len(marks.slopes[0])
    return (np.append(places, groups[0, :, :alone], axis=1) if alone else places)[None], groups[..., alone:]


def _covariance(table: Floats, pulls: tuple[Floats, Floats], marks: tuple[Marks, Marks]) -> Floats:
    """Of what negatives do to the hits of both, times n; those beyond all segments, which do nothing, are not listed.

    From deviations: pulls may all be large and nearly the same.
    """
    n, count = marks[0].n, table.sum()
    means = [pull @ each.counted / n for pull, each in zip(pulls, marks, strict=True)]
    a, b = (pull - mean[:, None] for pull, mean in zip(pulls, means, strict=True))
    only_a, only_b = (each.counted - table.sum(axis=axis) for each, axis in zip(marks, (1, 0), strict=True))
    linear = np.einsum("ri,ri->r", a @ table, b) - means[1] * (a @ only_a) - means[0] * (b @ only_b)
    return np.asarray(linear + means[0] * means[1] * (n - count - only_a.sum() - only_b.sum()))


class Places(NamedTuple):
    """How many cases are at places on both curves, 0 being what is before all others, of which there are so many."""

    a: Integers
    b: Integers
    counts: Floats
    shape: tuple[int, int]

    @property
    def table(self) -> Floats:
        return tabled(*self)


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
