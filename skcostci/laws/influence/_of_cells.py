"""Statistics of counted cells: what a case in a cell adds, and what one more would do, at each of n_points points.

A cell is one of TP, FN, FP and TN or, of two models, the cases of a class that both, a, b or neither hit.

**At a share of positives that was estimated on another sample** there is one stratum more beside the classes. With
rates r of the classes and the share s = d / n of that sample, a metric T(r, s) has three strata, positives, negatives
and the n cases of the other sample, that are drawn independently. With g the influence value of a case, T_s = dT/ds,

    x = k g,    of the other sample T_s (event - s),

k being the cases of its stratum; one unseen case, at its worst or best, takes T to T' and has x = (k + 1) (T' - T). For
two models on the same cases these are differences, and the share is the same for both. The first-order law of a rate of
few cases is less skewed than the exact one; limits are therefore never nearer to T than those at a known share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._validation._arguments import SampledShare
from skcostci.laws._rounding import SPREAD_ROUNDING, without_rounding
from skcostci.laws.exact._linear import HITS, LinearLaw, by_cell
from skcostci.laws.exact._metric_law import MetricLaw, MetricPairLaw, cells_of_model, range_of
from skcostci.laws.influence._first_order import NO_LEVELS, OF_COUNTS, FirstOrderLaw, Moved, Units, Unseen
from skcostci.metric import values_at

TRACE = 1e-6  # of a case, in every cell where a case can fall, so that cells without cases have an influence
SHARE_STEP = 1e-6  # of a share in finite differences
NO_SLOPE = 1e-8  # smaller slopes are the rounding of a difference: the metric does not depend on the share
ADDED_ROUNDING = 1e-14  # rounding of x, relative to the largest x of the stratum
OfCounts = Callable[[Floats], tuple[Floats, Floats]]  # of counts (n_points, n_cells): a statistic, influence by cell


class CountedCases:
    """Cases drawn one by one as units: a metric is computed anew, exactly, with part of an unseen case.

    ``units``, (n_strata, n_points), are how many cases count: in a difference of ratios for either denominator.
    """

    level_variance, most_unseen = NO_LEVELS, OF_COUNTS

    def __init__(self, law: MetricLaw | MetricPairLaw) -> None:
        self.law, self.support, counts = law, law.support, law.counts
        self._unmoved = law.of_counts(counts)
        if isinstance(law, MetricPairLaw) and law.a.is_ratio and law.a.sampling == "full":
            below = [by_cell(one.weights[1], hits) for one, hits in zip((law.a, law.b), HITS, strict=True)]
            counts = np.where(np.any(below, axis=0), counts, 0.0)
        self.units = self.effective = np.array([counts[:, own].sum(axis=1) for own in law.drawn])

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
        ends = np.nanmin(seen, axis=1), np.nanmax(seen, axis=1)
        return value, (one.made_of * added).sum(axis=1), squares, ends


class CellStatistic:
    """A function of the counts in cells as a ``Statistic``; ``possible`` are the cells where a case can fall."""

    def __init__(self, of: OfCounts, counts: Floats, possible: Booleans, slices: Sequence[slice]) -> None:
        self.of, self.counts, self.possible, self.slices = of, counts, possible, slices
        self.value, added = of(counts)
        self.influences, self.rounding = added.T, SPREAD_ROUNDING * np.abs(added).max(axis=1)

    def with_additional(self, made: Floats, side: int) -> Floats:
        added, counts = self.of(self.counts + TRACE * self.possible)[1], self.counts.copy()
        moves = np.where(self.possible, side * added, -np.inf)
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


def law_at_sampled_share(
    models: Sequence[MetricLaw],
    counts: Floats,
    possible: Booleans,
    share: SampledShare,
    known: LinearLaw | MetricLaw | MetricPairLaw,
) -> FirstOrderLaw | None:
    """The law of a metric at another sample's share, ``known`` being that at a known one; None if no share matters."""

    def at(counts: Floats, share: float) -> Floats:
        cells = [counts] if len(models) == 1 else [cells_of_model(counts, hits) for hits in HITS]
        first, *others = (values_at(one.metrics, own, share) for one, own in zip(models, cells, strict=True))
        return first - others[0] if others else first

    law = models[0] if len(models) == 1 else MetricPairLaw(models[0], models[1], counts)
    value, added = law.of_counts(counts)
    ends = np.clip([share - SHARE_STEP, share + SHARE_STEP], 0.0, 1.0)
    of_share = np.subtract(*(at(counts, end) for end in ends[::-1])) / np.ptp(ends)
    if (np.abs(of_share) <= NO_SLOPE).all():
        return None
    support = range_of([replace(model, sampling="full", prevalence=None) for model in models])
    k, events = float(share.cases), np.array([share.events, share.cases - share.events], dtype=np.float64)
    with_event = [at(counts, (share.events + event) / (k + 1)) for event in (1, 0)]
    with_case = [at(counts + cell, share) for cell in np.eye(counts.shape[1])]
    steps, half = np.where(possible, np.transpose(with_case) - value[:, None], 0.0), counts.shape[1] // 2
    strata = [_units(added[:, own], counts[:, own], steps[:, own]) for own in (slice(0, half), slice(half, None))]
    moved = np.outer(of_share, [1 - share, -float(share)]) / k
    strata.append(_units(moved, np.tile(events, (len(counts), 1)), np.transpose(with_event) - value[:, None]))
    if not np.isfinite(support).all():  # the effect of an unseen case is unknown
        strata = [part._replace(worst=part.worst + np.nan, best=part.best + np.nan) for part in strata]
    return FirstOrderLaw(value, support, tuple(strata), OF_COUNTS, known=known)


def _units(added: Floats, counts: Floats, steps: Floats) -> Units:
    """The units of one stratum, from influences and steps with a row per point and a column per cell."""
    k = counts.sum(axis=1)
    x, ends = k[:, None] * added, (k[:, None] + 1) * steps
    x = without_rounding(x, ADDED_ROUNDING * np.abs(x).max(axis=1))
    square, third, fourth = ((counts * power).sum(axis=1) / k for power in (x**2, x**3, x**4))
    seen, unseen = (x.min(axis=1), x.max(axis=1)), (ends.min(axis=1), ends.max(axis=1))
    return Units(k, float(k[0]), square, third, fourth, *seen, *unseen)
