"""Hits at a fixed false-positive rate: the mixtures over the thresholds of the resamples, for one model and for two.

A positive matters through the number of negatives above it alone: it is a hit iff at most r - 1 of the n negatives
drawn are among them. Positives with as many negatives above share a *line*; only the O(sqrt n) lines that are neither
always nor never reached need probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._joint_threshold import joint_reach
from skcostci.laws._lattice import Lattice
from skcostci.laws._mixture import Components
from skcostci.laws._threshold import rank_law

NOISE = 1e-16  # what rounding leaves of the probability of a pair of thresholds that cannot occur


@dataclass(frozen=True)
class Lines:
    """Numbers of negatives above a positive, distinct and ascending, and how many positives lie on each line."""

    above: Integers
    positives: Integers

    def live(self, law: Lattice) -> tuple[int, Floats]:
        """The first line whose reach is in doubt, and the probabilities to reach it and those that follow."""
        first, last = np.searchsorted(self.above, [law.start, law.start + len(law)])
        return int(first), law.remaining[self.above[first:last] - law.start + 1]


def hit_components(lines: Lines, rank: int, n: int) -> Components:
    """How many positives are hits at the rank-th largest of n negatives drawn, equation (5) of the 2009 paper."""
    first, reached = lines.live(rank_law(rank, n))
    hits = np.concatenate([[0], np.cumsum(lines.positives)])[first : first + len(reached) + 1]
    weights = -np.diff(np.concatenate([[1.0], reached, [0.0]]))
    return Components(weights, hits.astype(np.float64), np.zeros(len(hits)))


@dataclass(frozen=True)
class PairedCases:
    """The cases of a class by model: the lines of positives, or the first line that a negative lies above."""

    a: Integers
    b: Integers
    weights: Integers | None

    def table(self, first: tuple[int, int], shape: tuple[int, int]) -> Floats:
        """Cases at or before each pair of lines; the first entry is for those before all of them."""
        row, column = np.clip(self.a - first[0], 0, shape[0] - 1), np.clip(self.b - first[1], 0, shape[1] - 1)
        counts = np.bincount(row * shape[1] + column, self.weights, minlength=shape[0] * shape[1])
        return counts.reshape(shape).cumsum(axis=0).cumsum(axis=1)


def paired_hit_components(
    lines: tuple[Lines, Lines], positive: PairedCases, negative: PairedCases, rank: int, n: int
) -> Components:
    """How many positives are hits of one model only, at the rank-th largest of n negatives drawn in either order."""
    law = rank_law(rank, n)
    (first_a, reach_a), (first_b, reach_b) = (model.live(law) for model in lines)
    shape = len(reach_a), len(reach_b)
    joint = np.zeros((shape[0] + 2, shape[1] + 2))
    joint[0, :-1], joint[:-1, 0] = np.append(1.0, reach_b), np.append(1.0, reach_a)
    if min(shape):
        above = (model.above[first : first + len(reach)].astype(np.float64)
                 for model, first, reach in zip(lines, (first_a, first_b), (reach_a, reach_b)))
        a, b = (grid.ravel() for grid in np.meshgrid(*above, indexing="ij"))
        both = negative.table((first_a, first_b), (shape[0] + 1, shape[1] + 1))[:-1, :-1]
        reach = (grid.ravel() for grid in np.meshgrid(reach_a, reach_b, indexing="ij"))
        joint[1:-1, 1:-1] = joint_reach(a, b, both.ravel(), *reach, rank, n).reshape(shape)
    weights = np.diff(np.diff(joint, axis=0), axis=1)
    hits = positive.table((first_a - 1, first_b - 1), (shape[0] + 2, shape[1] + 2))
    return _grouped(weights, (hits[:-1, -1:] - hits[:-1, :-1]), (hits[-1:, :-1] - hits[:-1, :-1]))


def _grouped(weights: Floats, up: Floats, down: Floats) -> Components:
    """Components with the same counts merged, where a table of the counts is no larger than that of the thresholds."""
    least_up, least_down = up.min(), down.min()
    width = int(down.max() - least_down) + 1
    keys = ((up - least_up) * width + (down - least_down)).astype(np.int64).ravel()
    if int(keys.max()) <= 4 * keys.size:
        merged = np.bincount(keys, weights.ravel())
        keys = np.flatnonzero(np.abs(merged) > NOISE)
        return Components(merged[keys], keys // width + least_up, keys % width + least_down)
    kept = np.abs(weights.ravel()) > NOISE
    return Components(weights.ravel()[kept], up.ravel()[kept], down.ravel()[kept])
