"""Statistics of counted cells: what a case in a cell adds, and what one more would do, at each of n_points points.

A cell is one of TP, FN, FP and TN or, of two models, the cases of a class that both, a, b or neither hit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.exact._linear import HITS, by_cell
from skcostci.laws.exact._metric_law import MetricLaw, MetricPairLaw
from skcostci.laws.influence._first_order import Moved, Unseen

TRACE = 1e-6  # of a case, in every cell where a case can fall, so that cells without cases have an influence
OfCounts = Callable[[Floats], tuple[Floats, Floats]]  # of counts (n_points, n_cells): a statistic, influence by cell


@dataclass(frozen=True, repr=False, eq=False)
class CountedCases:
    """The ``Worths`` of cases drawn one by one: a metric is computed anew, exactly, with part of an unseen case."""

    law: MetricLaw | MetricPairLaw

    @property
    def estimate(self) -> Floats:
        return self._unmoved[0]

    @property
    def support(self) -> tuple[Floats, Floats]:
        return self.law.support

    @cached_property
    def _unmoved(self) -> tuple[Floats, Floats]:
        return self.law.of_counts(self.law.counts)

    @cached_property
    def units(self) -> Floats:
        """The number of cases that count, per stratum and point: in a difference of ratios for either denominator."""
        law, counts = self.law, self.law.counts
        if isinstance(law, MetricPairLaw) and law.a.is_ratio and law.a.sampling == "full":
            below = [by_cell(one.weights[1], hits) for one, hits in zip((law.a, law.b), HITS, strict=True)]
            counts = np.where(np.any(below, axis=0), counts, 0.0)
        return np.array([counts[:, own].sum(axis=1) for own in law.drawn])

    @property
    def effective(self) -> Floats:
        return self.units

    def unseen(self, side: int) -> list[Unseen]:
        """A case in each cell where it moves the limit outwards: which moves it most depends on its weight."""
        law, one_each = self.law, np.eye(self.law.counts.shape[1])
        harmful: Booleans = law.possible & (side * law.of_counts(law.counts + TRACE * law.possible)[1] > 0)
        if not harmful.any():
            harmful = np.broadcast_to(np.arange(len(one_each)) % (len(one_each) // 2) == 0, harmful.shape)
        return [
            Unseen(own, harmful[:, [cell]] * one_each[cell])
            for own, cells in enumerate(law.drawn)
            for cell in range(*cells.indices(len(one_each)))
            if harmful[:, cell].any()
        ]

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        counts = self.law.counts
        value, added = self.law.of_counts(counts + np.reshape(u, (-1, 1)) * one.made_of) if np.any(u) else self._unmoved
        squares = np.array([(counts * added**2)[:, own].sum(axis=1) for own in self.law.drawn])
        own = self.law.drawn[one.stratum]
        seen = np.where(counts[:, own] > 0, added[:, own], np.nan)
        return Moved(
            value, (one.made_of * added).sum(axis=1), squares, (np.nanmin(seen, axis=1), np.nanmax(seen, axis=1))
        )


@dataclass(frozen=True, repr=False, eq=False)
class CellStatistic:
    """A function of the counts in cells as a ``Statistic``; ``possible`` are the cells where a case can fall."""

    of: OfCounts
    counts: Floats
    possible: Booleans
    slices: Sequence[slice]

    @cached_property
    def _seen(self) -> tuple[Floats, Floats]:
        return self.of(self.counts)

    @property
    def value(self) -> Floats:
        return self._seen[0]

    @property
    def influences(self) -> Floats:
        return self._seen[1].T

    @property
    def rounding(self) -> Floats:
        return np.asarray(SPREAD_ROUNDING * np.abs(self._seen[1]).max(axis=1))

    @cached_property
    def _with_trace(self) -> Floats:
        return self.of(self.counts + TRACE * self.possible)[1]

    def with_additional(self, made: Floats, side: int) -> Floats:
        moves, counts = np.where(self.possible, side * self._with_trace, -np.inf), self.counts.copy()
        for own, many in zip(self.slices, made.tolist(), strict=True):
            counts[np.arange(len(counts)), own.start + moves[:, own].argmax(axis=1)] += many
        return self.of(counts)[0]


def of_class_means(values: Floats, slices: Sequence[slice], counts: Floats) -> tuple[Floats, Floats]:
    """The sum over classes of the mean of the ``values`` of their cells."""
    value, added = np.zeros(len(values)), np.zeros_like(values)
    for own in slices:
        cases = counts[:, own].sum(axis=1, keepdims=True)
        mean = (counts[:, own] * values[:, own]).sum(axis=1, keepdims=True) / cases
        value, added[:, own] = value + mean[:, 0], (values[:, own] - mean) / cases
    return value, added
