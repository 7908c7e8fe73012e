"""Metrics at a share of positives that was estimated on another sample: one stratum more beside the classes.

With rates r of the classes and the share s = d / n of that sample, a metric T(r, s) has three strata, positives,
negatives and the n cases of the other sample, that are drawn independently. With g the influence value of a case,

    x = k g = T_r (hit - r),    of the other sample T_s (event - s),

k being the cases of its stratum; one unseen case, at its worst or best, takes T to T' and has x = (k + 1) (T' - T). For
two models on the same cases these are differences, and the share is the same for both. The first-order law of a rate of
few cases is less skewed than the exact one; no limit is therefore nearer than where the share is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._validation._arguments import SampledShare
from skcostci.laws._rounding import without_rounding
from skcostci.laws.exact._linear import HITS
from skcostci.laws.exact._metric_law import MetricLaw, cells_of_model
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw, Units

NO_SLOPE = 1e-8  # smaller slopes are the rounding of a difference: the metric does not depend on the share
ADDED_ROUNDING = 1e-14  # rounding of x, relative to the largest x of the stratum


@dataclass(frozen=True, repr=False, eq=False)
class SampledShareLaw(FirstOrderLaw):
    """The law at the share of another sample, and the law where that is ``known``, whose limits are no wider."""

    known: Any = field(kw_only=True)


class AtShare:
    """Metrics or differences at counts, (n_points, 4) or (n_points, 8), and a share: values and slopes."""

    def __init__(self, models: Sequence[MetricLaw], counts: Floats, possible: Booleans) -> None:
        self.models, self.counts, self.possible = models, counts, possible
        self.hits = np.array([[True, False]]) if len(models) == 1 else HITS

    def rates(self, counts: Floats, share: float, place: int) -> Floats:
        cells = counts if len(self.models) == 1 else cells_of_model(counts, self.hits[place])
        tpr, fpr = (cells[:, i] / (cells[:, i] + cells[:, i + 1]) for i in (0, 2))
        return np.array([tpr, fpr, np.full(len(counts), share)])

    def value(self, counts: Floats, share: float) -> Floats:
        found = [model.at_rates(self.rates(counts, share, i)) for i, model in enumerate(self.models)]
        return np.asarray(found[0] if len(found) == 1 else found[0] - found[1])

    def added(self, share: float) -> tuple[Floats, Floats]:
        """The x of a case in each cell, of the counts' shape, and T_s, of shape (n_points,)."""
        x, of_share, half = np.zeros_like(self.counts), np.zeros(len(self.counts)), self.counts.shape[1] // 2
        for i, (model, sign) in enumerate(zip(self.models, (1, -1), strict=False)):
            rates = self.rates(self.counts, share, i)
            slopes = sign * model.slopes(rates)
            for row, cells in ((0, slice(0, half)), (1, slice(half, None))):
                x[:, cells] += slopes[row][:, None] * (self.hits[i] - rates[row][:, None])
            of_share += slopes[2]
        return x, of_share

    @property
    def support(self) -> tuple[Floats, Floats]:
        ends = [replace(model, sampling="full", prevalence=None).support for model in self.models]
        (low, high), *others = ends
        return (low - others[0][1], high - others[0][0]) if others else (low, high)


def law_at_sampled_share(
    models: Sequence[MetricLaw], counts: Floats, possible: Booleans, share: SampledShare, known: object
) -> SampledShareLaw | None:
    """The law of metrics at another sample's share, ``known`` if given; None if independent of it."""
    judged = AtShare(models, counts, possible)
    x, of_share = judged.added(share)
    if (np.abs(of_share) <= NO_SLOPE).all():
        return None
    value, (low, high), half = judged.value(counts, share), judged.support, counts.shape[1] // 2
    classes = [_of_class(judged, value, x, cells, share) for cells in (slice(0, half), slice(half, None))]
    k, events = float(share.cases), np.array([share.events, share.cases - share.events], dtype=np.float64)
    more = [judged.value(counts, (share.events + event) / (k + 1)) for event in (1, 0)]
    ends = np.transpose([(k + 1) * (each - value) for each in more])
    other = _units(np.outer(of_share, [1 - share, -float(share)]), np.tile(events, (len(counts), 1)), ends)
    strata = [*classes, other]
    if not np.isfinite([low, high]).all():  # the effect of an unseen case is unknown
        strata = [part._replace(worst=part.worst + np.nan, best=part.best + np.nan) for part in strata]
    return SampledShareLaw(value, (low, high), tuple(strata), OF_COUNTS, known=known)


def _of_class(judged: AtShare, value: Floats, x: Floats, cells: slice, share: float) -> Units:
    counts, ends = judged.counts, np.zeros_like(x[:, cells])
    k = counts[0, cells].sum()
    for place, cell in enumerate(range(*cells.indices(counts.shape[1]))):
        moved = judged.value(counts + np.eye(counts.shape[1])[cell], share)
        ends[:, place] = np.where(judged.possible[:, cell], (k + 1) * (moved - value), 0.0)
    return _units(x[:, cells], counts[:, cells], ends)


def _units(x: Floats, counts: Floats, ends: Floats) -> Units:
    """The units of one stratum, from arrays with a row per point and a column per cell."""
    x, k = without_rounding(x, ADDED_ROUNDING * np.abs(x).max(axis=1)), counts.sum(axis=1)
    square, third, fourth = ((counts * power).sum(axis=1) / k for power in (x**2, x**3, x**4))
    seen, unseen = (x.min(axis=1), x.max(axis=1)), (ends.min(axis=1), ends.max(axis=1))
    return Units(k, float(k[0]), square, third, fourth, *seen, *unseen)
