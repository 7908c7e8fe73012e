"""The cells a threshold sorts the cases of a class into, and which of them a case can fall in at all."""

from __future__ import annotations

import numpy as np

from skcostci._validation import BinaryData, Booleans, Floats, Integers
from skcostci.cases._counts import ClassCounts, paired_cells, split_classes

Cells = tuple[Integers, Booleans]  # how many cases fall in each cell, and whether any can; shape (n_points, n_cells)


def threshold_cells(counts: ClassCounts, thresholds: Floats) -> Cells:
    """Cases at or above each threshold, and below."""
    reached = counts.count_at_least(thresholds)
    return np.column_stack([reached, counts.total - reached]), _attainable(thresholds)


def paired_threshold_cells(data: BinaryData, thresholds_a: Floats, thresholds_b: Floats) -> tuple[Cells, Cells]:
    """For the positives, then the negatives: at or above both thresholds, a's only, b's only, neither."""
    a, b = _attainable(thresholds_a), _attainable(thresholds_b)
    possible = np.column_stack([a[:, i] & b[:, j] for i in (0, 1) for j in (0, 1)])
    positive, negative = (
        (paired_cells(scores_a, scores_b, weights, thresholds_a, thresholds_b), possible)
        for (scores_a, weights), (scores_b, _) in zip(split_classes(data, 0), split_classes(data, 1), strict=True)
    )
    return positive, negative


def _attainable(thresholds: Floats) -> Booleans:
    """Whether a case can score at or above, and below: not above infinity, not below minus infinity."""
    return np.column_stack([thresholds < np.inf, thresholds > -np.inf])
