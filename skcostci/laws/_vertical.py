"""Hits at a fixed false-positive rate: the mixtures over the thresholds of the resamples, for one model and for two.

A positive matters through the number of negatives above it alone: it is a hit iff at most r - 1 of the n negatives
drawn are among them. Positives with as many negatives above share a *line*; only the O(sqrt n) lines that are neither
always nor never reached need probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Floats, Integers, Weights
from skcostci.laws._joint_threshold import joint_reach
from skcostci.laws._lattice import Lattice
from skcostci.laws._mixture import Components, MixtureLaw
from skcostci.laws._rank_beta import RankBeta, rank_beta, rank_beta_limits
from skcostci.laws._threshold import rank_law

NOTHING = Components(np.ones(1), np.zeros(1), np.zeros(1))
ONE_CASE = 1.0  # pseudo-cases of the correlation of two models
NOISE = 1e-16  # what rounding leaves of the probability of a pair of thresholds that cannot occur


@dataclass(frozen=True)
class Lines:
    """Numbers of negatives above a positive, distinct and ascending, and how many positives lie on each line.

    ``reaching`` says how many negatives reach each of their distinct scores, and 0.
    """

    above: Integers
    positives: Integers
    reaching: Integers

    @cached_property
    def hits(self) -> Integers:
        """Positives before each line, and at last all of them."""
        return np.concatenate([[0], np.cumsum(self.positives)])

    def live(self, law: Lattice) -> tuple[int, Floats]:
        """The first line whose reach is in doubt, and the probabilities to reach it and those that follow."""
        first, last = np.searchsorted(self.above, [law.start, law.start + len(law)])
        return int(first), law.remaining[self.above[first:last] - law.start + 1]


@dataclass(frozen=True, kw_only=True)
class VerticalLaw(MixtureLaw):
    """The law of one model's true-positive rate at each of n_points ranks among ``n`` negatives."""

    lines: Lines
    ranks: Integers
    n: int

    def confidence_limit(self, alpha: Floats, side: int) -> Floats:
        """Limits of the confidence distribution of :mod:`._rank_beta` that leave out alpha below or above."""
        limits = np.zeros(len(self.ranks))
        if len(self._rank_betas):
            tails = np.broadcast_to(alpha, limits.shape)[~self.known]
            limits[~self.known] = rank_beta_limits(self._rank_betas, tails, side)
        return limits

    @cached_property
    def _rank_betas(self) -> tuple[RankBeta, ...]:
        hits = np.cumsum(np.bincount(self.lines.above + 1, self.lines.positives, self.n + 2)).astype(np.int64)
        changes = np.zeros(self.n + 1)
        changes[self.lines.reaching] = 1.0
        return tuple(rank_beta(hits, changes, int(rank), self.n) for rank in self.ranks[~self.known])


def vertical_law(lines: Lines, ranks: Integers, n: int) -> VerticalLaw:
    """The law at each of these ranks among n negatives; nothing reaches rank 0, an infinite threshold."""
    components = tuple(hit_components(lines, int(rank), n) if rank else NOTHING for rank in ranks)
    total = int(lines.positives.sum())
    return VerticalLaw(components, total, False, ranks == 0, lines=lines, ranks=ranks, n=n)


@dataclass(frozen=True, kw_only=True)
class PairedVerticalLaw(MixtureLaw):
    """The law of the difference of two models' true-positive rates, and those of each, at the same ranks."""

    a: VerticalLaw
    b: VerticalLaw

    @cached_property
    def discord(self) -> Floats:
        """One less the correlation of the two rates, with one pseudo-case so that it is defined and above 0."""
        a, b, both = (law.smoothed(ONE_CASE).variance for law in (self.a, self.b, self))
        return np.asarray((both - (np.sqrt(a) - np.sqrt(b)) ** 2) / (2 * np.sqrt(a * b)))


def paired_vertical_law(
    lines: tuple[Lines, Lines], positive: PairedCases, negative: PairedCases, ranks: Integers, n: int
) -> PairedVerticalLaw:
    """The law of the difference, a - b, at each of these ranks among n negatives."""
    components = tuple(
        paired_hit_components(lines, positive, negative, int(rank), n) if rank else NOTHING for rank in ranks
    )
    a, b = (vertical_law(model, ranks, n) for model in lines)
    return PairedVerticalLaw(components, a.cases, True, ranks == 0, a=a, b=b)


def hit_components(lines: Lines, rank: int, n: int) -> Components:
    """How many positives are hits at the rank-th largest of n negatives drawn, equation (5) of the 2009 paper."""
    first, reached = lines.live(rank_law(rank, n))
    hits = lines.hits[first : first + len(reached) + 1]
    weights = -np.diff(np.concatenate([[1.0], reached, [0.0]]))
    return Components(weights, hits.astype(np.float64), np.zeros(len(hits)))


@dataclass(frozen=True)
class PairedCases:
    """The cases of a class by model: the lines of positives, or the first line that a negative lies above."""

    a: Integers
    b: Integers
    weights: Weights | None

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
        a, b = lines[0].above[first_a : first_a + shape[0]], lines[1].above[first_b : first_b + shape[1]]
        both = negative.table((first_a, first_b), (shape[0] + 1, shape[1] + 1))[:-1, :-1]
        joint[1:-1, 1:-1] = joint_reach(a, b, both, reach_a, reach_b, rank, n)
    weights = np.diff(np.diff(joint, axis=0), axis=1)
    hits = positive.table((first_a - 1, first_b - 1), (shape[0] + 2, shape[1] + 2))
    return _grouped(weights, (hits[:-1, -1:] - hits[:-1, :-1]), (hits[-1:, :-1] - hits[:-1, :-1]))


def _grouped(weights: Floats, up: Floats, down: Floats) -> Components:
    """Components with the same counts merged, where a table of the counts is no larger than that of the thresholds."""
    least_up, least_down = up.min(), down.min()
    width = int(down.max() - least_down) + 1
    keys = ((up - least_up) * width + (down - least_down)).astype(np.int64).ravel()
    if int(keys.max()) <= 4 * keys.size:
        merged = np.asarray(np.bincount(keys, weights.ravel()), dtype=np.float64)
        (codes,) = np.nonzero(np.abs(merged) > NOISE)
        rows, columns = np.divmod(codes.astype(np.float64), width)
        return Components(merged[codes], least_up + rows, least_down + columns)
    kept = np.abs(weights.ravel()) > NOISE
    return Components(weights.ravel()[kept], up.ravel()[kept], down.ravel()[kept])
