"""ROC curves at fixed false-positive rates (vertical averaging): one model, or the difference of two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._counts import ScoreCounts, split_classes
from skcostci._results import DifferenceResult, LinearResult, Numbers, as_numbers
from skcostci._validation import BinaryData, Integers, check_binary_data, check_rates
from skcostci.laws import Lines, PairedCases, paired_vertical_law, vertical_law

METHODS = ("rank_beta", "agresti", "percentile", "wald")
PAIRED_METHODS = ("agresti", "percentile", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class ROCAtFPRResult(LinearResult):
    """The true-positive rate of one model at fixed false-positive rates, with its exact bootstrap law.

    Attributes
    ----------
    fpr : float or ndarray of shape (n_points,)
        The false-positive rates used, multiples of 1 / n_negative.
    estimate : float or ndarray of shape (n_points,)
        The share of positives that score at least the r-th largest negative score, r = fpr * n_negative.
    methods : tuple of str
        The interval methods, the default first.
    """

    fpr: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"fpr": self.fpr}


def bootstrap_roc_at_fpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ROCAtFPRResult:
    """DOC."""
    data = check_binary_data(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    counts = ScoreCounts.from_data(data)
    negatives = counts.negative.total
    above = counts.negative.count_above(counts.positive.values)[::-1]
    lines = _lines(above, counts.positive.multiplicities[::-1])
    ranks = _ranks(fpr, negatives)
    law = vertical_law(lines, ranks.ravel(), negatives)
    estimate = _hits(lines, ranks) / counts.positive.total
    return ROCAtFPRResult(as_numbers(estimate, ranks.shape), law, METHODS, as_numbers(ranks / negatives, ranks.shape))


@dataclass(frozen=True, repr=False, eq=False)
class ROCDifferenceAtFPRResult(DifferenceResult):
    """The true-positive rate of model a less that of model b at fixed false-positive rates, with its exact law.

    Attributes
    ----------
    fpr : float or ndarray of shape (n_points,)
        The false-positive rates used, multiples of 1 / n_negative.
    estimate : float or ndarray of shape (n_points,)
        The difference on the data as given; above 0 where a is better.
    methods : tuple of str
        The interval methods, the default first.
    """

    fpr: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"fpr": self.fpr}


def bootstrap_roc_difference_at_fpr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ROCDifferenceAtFPRResult:
    """DOC."""
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    data = check_binary_data(y_true, scores, pos_label=pos_label, sample_weight=sample_weight)
    counts = ScoreCounts.from_data(data, 0), ScoreCounts.from_data(data, 1)
    positives, negatives = counts[0].positive.total, counts[0].negative.total
    lines, positive, negative = _paired_cases(data, counts)
    ranks = _ranks(fpr, negatives)
    law = paired_vertical_law(lines, positive, negative, ranks.ravel(), negatives)
    estimate = (_hits(lines[0], ranks) - _hits(lines[1], ranks)) / positives
    fpr_used = as_numbers(ranks / negatives, ranks.shape)
    return ROCDifferenceAtFPRResult(as_numbers(estimate, ranks.shape), law, PAIRED_METHODS, fpr_used)


def _ranks(fpr: ArrayLike | None, negatives: int) -> Integers:
    """How many negatives are to reach the threshold at each false-positive rate."""
    if fpr is None:
        percent = np.arange(1, 100) * negatives // 100
        return np.unique(np.maximum(percent, min(percent.max(), 1))) if percent.any() else np.ones(1, dtype=np.int64)
    return np.asarray(np.floor(check_rates("fpr", fpr) * negatives + 1e-9).astype(np.int64))


def _lines(above: Integers, positives: Integers) -> Lines:
    """Group positives, in ascending order of the negatives above them."""
    first = np.flatnonzero(np.concatenate([[True], above[1:] != above[:-1]]))
    return Lines(above[first], np.add.reduceat(positives, first))


def _hits(lines: Lines, ranks: Integers) -> Integers:
    """Positives that score at least the rank-th largest negative score."""
    return np.asarray(lines.hits[np.searchsorted(lines.above, ranks)])


def _paired_cases(
    data: BinaryData, counts: tuple[ScoreCounts, ScoreCounts]
) -> tuple[tuple[Lines, Lines], PairedCases, PairedCases]:
    """The lines of both models, the positives on them and the negatives above them."""
    lines, on_line, over_line = [], [], []
    for column, model in enumerate(counts):
        (positive_scores, positive_weights), (negative_scores, negative_weights) = split_classes(data, column)
        above = model.negative.count_above(positive_scores)
        distinct, line = np.unique(above, return_inverse=True)
        cases = np.bincount(line, positive_weights).astype(np.int64)
        lines.append(Lines(distinct, cases))
        on_line.append(line)
        over_line.append(np.searchsorted(distinct, model.negative.count_above(negative_scores), "right"))
    return (
        (lines[0], lines[1]),
        PairedCases(on_line[0], on_line[1], positive_weights),
        PairedCases(over_line[0], over_line[1], negative_weights),
    )
