"""Slow truth: complete enumeration of every resample, in exact fractions. Never imports skcostci.

A law is a dict from value to probability, both Fractions. Scores are compared as given, so ties are real ties.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb

Law = dict[Fraction, Fraction]
Case = tuple[int, tuple[float, ...]]  # label, scores


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to draw ``total`` times from ``parts`` things, order forgotten."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def orderings(counts: Sequence[int]) -> int:
    """How many ordered draws give these counts."""
    ways, left = 1, sum(counts)
    for count in counts:
        ways *= comb(left, count)
        left -= count
    return ways


def resamples(cases: Sequence[Case], draws: int) -> Iterator[tuple[list[Case], Fraction]]:
    """Every bootstrap resample of so many draws, with its probability."""
    for counts in compositions(draws, len(cases)):
        drawn = [case for case, count in zip(cases, counts, strict=True) for _ in range(count)]
        yield drawn, Fraction(orderings(counts), len(cases) ** draws)


def stratified_law(cases: Sequence[Case], statistic: Callable[[list[Case]], Fraction]) -> Law:
    """The law of a statistic when each class is resampled to its own size."""
    classes = [[case for case in cases if case[0] == label] for label in (1, 0)]
    law: Law = defaultdict(Fraction)
    for (positives, p), (negatives, q) in product(*(list(resamples(part, len(part))) for part in classes)):
        law[statistic(positives + negatives)] += p * q
    return dict(law)


def full_law(cases: Sequence[Case], statistic: Callable[[list[Case]], Fraction], both: bool = False) -> Law:
    """The law of a statistic when all cases are resampled together; ``both`` leaves out resamples of one class."""
    law: Law = defaultdict(Fraction)
    for drawn, p in resamples(cases, len(cases)):
        if not both or len({label for label, _ in drawn}) == 2:
            law[statistic(drawn)] += p
    total = sum(law.values())
    return {value: p / total for value, p in law.items()}


def rate(drawn: Sequence[Case], label: int, threshold: float, model: int = 0) -> Fraction:
    """The share of a class that scores at or above a threshold."""
    scores = [scores[model] for given, scores in drawn if given == label]
    return Fraction(sum(score >= threshold for score in scores), len(scores))


def normalized_cost(drawn: Sequence[Case], w: Fraction, threshold: float, model: int = 0) -> Fraction:
    """PC(+) times the false-negative rate plus the rest times the false-positive rate."""
    return w * (1 - rate(drawn, 1, threshold, model)) + (1 - w) * rate(drawn, 0, threshold, model)


def total_cost(
    drawn: Sequence[Case], cost_fn: Fraction, cost_fp: Fraction, threshold: float, model: int = 0
) -> Fraction:
    """The cost per case, the class mix being that of the resample."""
    missed = sum(label == 1 and scores[model] < threshold for label, scores in drawn)
    alarms = sum(label == 0 and scores[model] >= threshold for label, scores in drawn)
    return (cost_fn * missed + cost_fp * alarms) / len(drawn)


def auc(drawn: Sequence[Case], model: int = 0) -> Fraction:
    """The share of pairs in the right order, ties counting one half."""
    positive = [scores[model] for label, scores in drawn if label == 1]
    negative = [scores[model] for label, scores in drawn if label == 0]
    halves = sum(2 * (p > q) + (p == q) for p in positive for q in negative)
    return Fraction(halves, 2 * len(positive) * len(negative))


def moment(law: Law, order: int) -> Fraction:
    """The mean (order 1) or a central moment."""
    mean = sum(value * p for value, p in law.items())
    return mean if order == 1 else sum((value - mean) ** order * p for value, p in law.items())


def cdf(law: Law, x: Fraction) -> Fraction:
    """P(X <= x)."""
    return sum((p for value, p in law.items() if value <= x), Fraction(0))


def quantile(law: Law, q: Fraction) -> Fraction:
    """The smallest value whose cdf reaches q."""
    reached = Fraction(0)
    for value in sorted(law):
        reached += law[value]
        if reached >= q - Fraction(1, 10**12):
            return value
    return max(law)


def rate_at_rank(drawn: Sequence[Case], rank: int, model: int = 0) -> Fraction:
    """The share of positives that reach the rank-th largest negative, drawn twice counting twice; 0 at rank 0."""
    if rank == 0:
        return Fraction(0)
    negative = sorted((scores[model] for given, scores in drawn if given == 0), reverse=True)
    return rate(drawn, 1, negative[rank - 1], model)


def meeting_law(n: int, above_a: int, above_b: int, above_both: int, rank: int) -> Fraction:
    """P(at most rank - 1 of n draws fall in each of two sets), summed over how many fall in both, one or neither."""
    sizes = above_both, above_a - above_both, above_b - above_both, n - above_a - above_b + above_both
    total = 0
    for both in range(rank):
        for a in range(rank - both):
            for b in range(min(rank - both, n - both - a + 1)):
                if both + a + b <= n:
                    counts = both, a, b, n - both - a - b
                    total += orderings(counts) * _power_product(sizes, counts)
    return Fraction(total, n**n)


def _power_product(sizes: Sequence[int], counts: Sequence[int]) -> int:
    product_ = 1
    for size, count in zip(sizes, counts, strict=True):
        product_ *= size**count
    return product_
