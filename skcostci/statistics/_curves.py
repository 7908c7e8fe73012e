"""From counted cells to what a band for all points needs."""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.cases._counts import ScoreCounts
from skcostci.cuts import Cells
from skcostci.laws import ClassHits, Hits, LinearCurve, ROCCurve, linear_curve

Overlaps = tuple[Integers | None, Integers | None]  # of neighbours, among positives and negatives; None for one model


def cost_curve(
    positive: Cells, negative: Cells, w: Floats, scale: Floats, overlaps: Overlaps = (None, None)
) -> LinearCurve:
    """A missed positive costs w, a false alarm 1 - w, times the scale; of two models, what a pays less what b pays."""
    constant = w * scale if positive.counts.shape[1] == 2 else np.zeros_like(w)
    classes = _class_hits(positive, -w * scale), _class_hits(negative, (1 - w) * scale)
    return linear_curve(constant, classes, w, overlaps)


def rate_curve(cells: Cells, axis: Floats, overlap: Integers | None = None) -> LinearCurve:
    """The share of a class that reaches the threshold; of two models, a's share less b's."""
    ones = np.ones(len(cells.counts))
    return linear_curve(np.zeros_like(ones), (_class_hits(cells, ones),), axis, (overlap,))


def _class_hits(cells: Cells, value: Floats) -> ClassHits:
    """What a class adds if a hit is worth so much; of two models, to a."""
    cases = int(cells.counts[0].sum())
    if cells.counts.shape[1] == 2:
        return ClassHits((Hits(cells.counts[:, 0], cases, value, cells.possible),))
    counts, possible = cells.counts.reshape(-1, 2, 2), cells.possible.reshape(-1, 2, 2)  # a hits or not, b hits or not
    a = Hits(counts.sum(axis=2)[:, 0], cases, value, np.any(possible, axis=2))
    b = Hits(counts.sum(axis=1)[:, 0], cases, -value, np.any(possible, axis=1))
    return ClassHits((a, b), counts[:, 0, 0])


def roc_curve(counts: ScoreCounts) -> ROCCurve:
    """The points of the whole curve."""
    _, positive, negative = counts.ranking
    false, true = (np.concatenate([[0], np.cumsum(part)]) for part in (negative, positive))
    return ROCCurve(false, true, counts.negative.total, counts.positive.total)
