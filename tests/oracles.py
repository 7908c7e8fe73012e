"""Slow truth: complete enumeration of every resample, in exact fractions. Never imports skcostci.

A law is a dict from value to probability, both Fractions. Scores are compared as given, so ties are real ties.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, lcm
from operator import mul
from typing import Any

import numpy as np

Law = dict[Fraction, Fraction]
Case = tuple[int, tuple[float, ...]]  # label, scores
Drawn = Sequence[Case]
Statistic = Callable[[list[Case]], Fraction]


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


def resamples(cases: Drawn, draws: int) -> Iterator[tuple[list[Case], Fraction]]:
    """Every bootstrap resample of so many draws, with its probability."""
    for counts in compositions(draws, len(cases)):
        drawn = [case for case, count in zip(cases, counts, strict=True) for _ in range(count)]
        yield drawn, Fraction(orderings(counts), len(cases) ** draws)


def stratified_law(cases: Drawn, statistic: Statistic, draws: tuple[int, int] | None = None) -> Law:
    """The law of a statistic when each class is resampled to its own size, or to so many positives and negatives."""
    classes = [[case for case in cases if case[0] == label] for label in (1, 0)]
    law: Law = defaultdict(Fraction)
    sizes = draws or [len(part) for part in classes]
    drawn = (list(resamples(part, size)) for part, size in zip(classes, sizes, strict=True))
    for (positives, p), (negatives, q) in product(*drawn):
        law[statistic(positives + negatives)] += p * q
    return dict(law)


def full_law(cases: Drawn, statistic: Statistic, both: bool = False, draws: int | None = None) -> Law:
    """The law of a statistic when all cases are resampled together; ``both`` leaves out resamples of one class."""
    law: Law = defaultdict(Fraction)
    for drawn, p in resamples(cases, draws or len(cases)):
        if not both or len({label for label, _ in drawn}) == 2:
            law[statistic(drawn)] += p
    total = sum(law.values())
    return {value: p / total for value, p in law.items()}


def pooled_law(counts: Sequence[Fraction], values: Sequence[float], draws: int) -> Law:
    """The law of the average value of so many draws from the cells of a table, by listing all tables."""
    total, exact = sum(counts), [Fraction(value) for value in values]
    law: Law = defaultdict(Fraction)
    for drawn in compositions(draws, len(counts)):
        p = Fraction(orderings(drawn))
        for count, times in zip(counts, drawn, strict=True):
            p *= (count / total) ** times
        if p:
            law[sum((value * times for value, times in zip(exact, drawn, strict=True)), Fraction(0)) / draws] += p
    return dict(law)


def columns(cases: Drawn) -> tuple[np.ndarray, ...]:
    """Labels and a column of scores for each model."""
    labels, scores, *_ = zip(*cases, strict=True)
    return np.array(labels), *np.array(scores).T


def rate(drawn: Drawn, label: int, threshold: float, model: int = 0) -> Fraction:
    """The share of a class that scores at or above a threshold."""
    scores = [scores[model] for given, scores in drawn if given == label]
    return Fraction(sum(score >= threshold for score in scores), len(scores))


def normalized_cost(drawn: Drawn, w: Fraction, threshold: float, model: int = 0) -> Fraction:
    """PC(+) times the false-negative rate plus the rest times the false-positive rate."""
    return w * (1 - rate(drawn, 1, threshold, model)) + (1 - w) * rate(drawn, 0, threshold, model)


def total_cost(drawn: Drawn, cost_fn: Fraction, cost_fp: Fraction, threshold: float, model: int = 0) -> Fraction:
    """The cost per case, the class mix being that of the resample."""
    missed = sum(label == 1 and scores[model] < threshold for label, scores in drawn)
    alarms = sum(label == 0 and scores[model] >= threshold for label, scores in drawn)
    return (cost_fn * missed + cost_fp * alarms) / len(drawn)


def auc(drawn: Drawn, model: int = 0) -> Fraction:
    """The share of pairs in the right order, ties counting one half."""
    positive = [scores[model] for label, scores in drawn if label == 1]
    negative = [scores[model] for label, scores in drawn if label == 0]
    halves = sum(2 * (p > q) + (p == q) for p in positive for q in negative)
    return Fraction(halves, 2 * len(positive) * len(negative))


def average_precision(drawn: Drawn, model: int = 0, odds: Fraction | None = None) -> Fraction:
    """The mean over positives of the precision at their own score, at the class mix drawn or at other odds."""
    positive = [scores[model] for label, scores in drawn if label == 1]
    negative = [scores[model] for label, scores in drawn if label == 0]
    weight = Fraction(1) if odds is None else odds * len(positive) / len(negative)
    total = Fraction(0)
    for score in positive:
        above, below = (sum(each >= score for each in scores) for scores in (positive, negative))
        total += above / (above + weight * below)
    return total / len(positive)


def partial_auc(drawn: Drawn, t: Fraction, model: int = 0) -> Fraction:
    """The area up to the rate t under the curve that joins the vertices of distinct scores by straight lines."""
    scores = {label: [scores[model] for given, scores in drawn if given == label] for label in (0, 1)}
    area, x, y = Fraction(0), Fraction(0), Fraction(0)
    for score in sorted({*scores[0], *scores[1]}, reverse=True):
        wide, high = (Fraction(scores[label].count(score), len(scores[label])) for label in (0, 1))
        step = min(wide, t - x)
        area += step * y + (step**2 * high / (2 * wide) if wide else 0)
        x, y = x + wide, y + high
        if x >= t:
            break
    return area


def auc_of_classes(drawn: Sequence[tuple[int, Sequence[float]]], multi_class: str, average: str) -> Fraction:
    """Of labels 0, 1, ... with a score for each: one against the rest, or each against each."""
    labels = sorted({label for label, _ in drawn})
    sizes = [sum(label == given for given, _ in drawn) for label in labels]

    def one_against(label: int, others: Sequence[int]) -> Fraction:
        return auc([(int(given == label), (scores[label],)) for given, scores in drawn if given in (label, *others)])

    if multi_class == "ovr":
        values = [one_against(label, [other for other in labels if other != label]) for label in labels]
        weights = sizes
    else:
        pairs = list(combinations(labels, 2))
        values = [(one_against(i, [j]) + one_against(j, [i])) / 2 for i, j in pairs]
        weights = [sizes[i] + sizes[j] for i, j in pairs]
    weights = weights if average == "weighted" else [1] * len(values)
    return sum((w * value for w, value in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)


def found(drawn: Drawn, q: int) -> list[int]:
    """How many positives are among the q best, once for each choice among the cases tied at the border."""
    ranked = sorted(drawn, key=lambda case: -case[1][0])
    border = ranked[q - 1][1][0] if q else float("inf")
    above = [label for label, scores in ranked if scores[0] > border]
    tied = [label for label, scores in ranked if scores[0] == border]
    return [sum(above) + sum(chosen) for chosen in combinations(tied, q - len(above))]


def budget_counts(cases: Drawn, q: int, full: bool) -> dict[tuple[int, int], Fraction]:
    """The joint law of the positives among the q best and of all positives drawn, ties in random order."""
    law: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    if full:
        drawings = list(resamples(cases, len(cases)))
    else:
        classes = [[case for case in cases if case[0] == label] for label in (1, 0)]
        pairs = product(*(list(resamples(part, len(part))) for part in classes))
        drawings = [(positives + negatives, p * r) for (positives, p), (negatives, r) in pairs]
    for drawn, p in drawings:
        counts = found(drawn, q)
        for count in counts:
            law[count, sum(label for label, _ in drawn)] += p / len(counts)
    return dict(law)


def budget_law(counts: dict[tuple[int, int], Fraction], q: int, n: int, rate_name: str) -> Law:
    """The law of a rate at a budget of q of n cases, where it is defined."""
    law: Law = defaultdict(Fraction)
    for (hits, positives), p in counts.items():
        count, size = {"tpr": (hits, positives), "fpr": (q - hits, n - positives), "precision": (hits, q)}[rate_name]
        if size:
            law[Fraction(count, size)] += p
    total = sum(law.values())
    return {value: p / total for value, p in law.items()}


def dominance(cases: Drawn, threshold_a: float, threshold_b: float) -> tuple[Fraction, Fraction]:
    """How probable it is that model a, and that model b, is better in one rate and not worse in the other."""

    def sides(drawn: list[Case]) -> Fraction:
        more_hits = rate(drawn, 1, threshold_a, 0) - rate(drawn, 1, threshold_b, 1)
        fewer_alarms = rate(drawn, 0, threshold_b, 1) - rate(drawn, 0, threshold_a, 0)
        if more_hits == fewer_alarms == 0 or more_hits * fewer_alarms < 0:
            return Fraction(0)
        return Fraction(1) if max(more_hits, fewer_alarms) > 0 else Fraction(-1)

    law = stratified_law(cases, sides)
    return law.get(Fraction(1), Fraction(0)), law.get(Fraction(-1), Fraction(0))


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


def error_count_law(n_errors: int, n_positive: int, n_negative: int) -> Law:
    """The law of the AUC when every ordering and cut with so many errors weighs the same."""
    total = n_positive + n_negative
    law: Law = defaultdict(Fraction)
    for ranks in combinations(range(total), n_positive):  # ascending scores; the cut labels all ranks from it positive
        wins = sum(rank - place for place, rank in enumerate(ranks))
        for cut in range(total + 1):
            missed = sum(rank < cut for rank in ranks)
            if missed + total - cut - (n_positive - missed) == n_errors:
                law[Fraction(wins, n_positive * n_negative)] += 1
    weight = sum(law.values())
    return {value: count / weight for value, count in law.items()}


def rate_at_fpr(drawn: Drawn, u: Fraction, model: int = 0) -> Fraction:
    """The height, at the false-positive rate u, of the curve that joins the vertices of distinct scores; 0 at u = 0."""
    scores = {label: [scores[model] for given, scores in drawn if given == label] for label in (0, 1)}
    t, reached, hits = u * len(scores[0]), 0, Fraction(0)
    for score in sorted({*scores[0], *scores[1]}, reverse=True):
        negatives, positives = scores[0].count(score), scores[1].count(score)
        if reached < t <= reached + negatives:
            return (hits + (t - reached) / Fraction(negatives) * positives) / len(scores[1])
        reached, hits = reached + negatives, hits + positives
    return Fraction(0)


def fpr_at_tpr(drawn: Drawn, u: Fraction, model: int = 0) -> Fraction:
    """The false-positive rate at the first threshold, going down, with a true-positive rate of at least u; 0 at 0."""
    scores = {label: [scores[model] for given, scores in drawn if given == label] for label in (0, 1)}
    for threshold in sorted(scores[1], reverse=True) if u > 0 else ():
        if Fraction(sum(score >= threshold for score in scores[1]), len(scores[1])) >= u:
            return Fraction(sum(score >= threshold for score in scores[0]), len(scores[0]))
    return Fraction(0)


def precision_at_tpr(drawn: Drawn, u: Fraction, prevalence: Fraction, model: int = 0) -> Fraction:
    """The precision of a true-positive rate u and of the false-positive rate there, at a share of positives."""
    return prevalence * u / (prevalence * u + (1 - prevalence) * fpr_at_tpr(drawn, u, model))


def difference_at_fpr_atoms(
    positive: dict[tuple[int, int], int], negative: dict[tuple[int, int], int], u: Fraction
) -> Iterator[tuple[Fraction, float]]:
    """Differences of two models' rates at u and their probabilities, from all tables of counts by pair of grades.

    For samples whose resamples are too many to be listed case by case; values are exact, probabilities floats.
    """
    found = list(_drawn_tables(list(positive.values())))
    met: dict[tuple[tuple[Fraction, ...], ...], float] = defaultdict(float)
    for drawn, probability in _drawn_tables(list(negative.values())):
        met[tuple(_worths(list(negative), drawn, u, list(positive), model) for model in (0, 1))] += probability
    for (a, b), probability in met.items():
        parts = lcm(*(share.denominator for share in a + b))
        worth = [int((x - y) * parts) for x, y in zip(a, b, strict=True)]
        values: dict[int, float] = defaultdict(float)
        for drawn, chance in found:
            values[sum(map(mul, drawn, worth))] += chance
        for value, chance in values.items():
            yield Fraction(value, parts * sum(positive.values())), probability * chance


def _drawn_tables(counts: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
    n = sum(counts)
    for drawn in compositions(n, len(counts)):
        yield drawn, float(Fraction(orderings(drawn) * _power_product(counts, drawn), n**n))


def _worths(
    cells: Sequence[tuple[int, int]], drawn: Sequence[int], u: Fraction, found: Sequence[tuple[int, int]], model: int
) -> tuple[Fraction, ...]:
    """What a positive in each of these cells adds to the hits where the curve has passed a share u of the drawn."""
    left = u * sum(drawn)
    for grade in sorted({cell[model] for cell in cells}, reverse=True):
        here = sum(k for cell, k in zip(cells, drawn, strict=True) if cell[model] == grade)
        if here >= left:
            break
        left -= here
    share = left / here
    return tuple(Fraction(cell[model] > grade) + (share if cell[model] == grade else 0) for cell in found)


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


Table = tuple[int, int, int, int]  # true positives, false negatives, false positives, true negatives


def tables(counts: Sequence[int], full: bool) -> Iterator[tuple[Table, Fraction]]:
    """Every confusion table that a resample can have, with its probability."""
    parts = [counts] if full else [counts[:2], counts[2:]]
    for drawn in product(*(list(compositions(sum(part), len(part))) for part in parts)):
        p = Fraction(1)
        for part, times in zip(parts, drawn, strict=True):
            p *= orderings(times)
            for count, each in zip(part, times, strict=True):
                p *= Fraction(count, sum(part)) ** each
        if p:
            yield tuple(sum(drawn, ())), p


def metric_of_table(name: str, table: Sequence[int], prevalence: Fraction | None = None) -> Fraction | float | None:
    """A metric as textbooks define it, None where it has no value; "mcc" is rounded."""
    tp, fn, fp, tn = map(Fraction, table)
    if (name in OF_RATES or prevalence is not None) and 0 in (tp + fn, fp + tn):
        return None
    if prevalence is not None:
        m, k = (tp + fn) / prevalence, (fp + tn) / (1 - prevalence)
        tp, fn, fp, tn = tp / m, fn / m, fp / k, tn / k
    n, positives, labelled = tp + fn + fp + tn, tp + fn, tp + fp
    if name == "mcc":
        square = positives * (n - positives) * labelled * (n - labelled)
        return float(tp * tn - fp * fn) / float(square) ** 0.5 if square else None
    by_chance = (positives * labelled + (n - positives) * (n - labelled)) / n**2
    over = {
        "accuracy": lambda: (tp + tn, n),
        "precision": lambda: (tp, tp + fp),
        "npv": lambda: (tn, tn + fn),
        "recall": lambda: (tp, tp + fn),
        "specificity": lambda: (tn, tn + fp),
        "f1": lambda: (2 * tp, 2 * tp + fn + fp),
        "f2": lambda: (5 * tp, 5 * tp + 4 * fn + fp),
        "jaccard": lambda: (tp, tp + fn + fp),
        "fdr": lambda: (fp, tp + fp),
        "fpr": lambda: (fp, fp + tn),
        "fnr": lambda: (fn, tp + fn),
        "hamming": lambda: (fn + fp, n),
        "selection_rate": lambda: (labelled, n),
        "fomr": lambda: (fn, tn + fn),
        "net_benefit": lambda: (tp - fp / 3, n),
        "standardized_net_benefit": lambda: (tp - fp / 3, tp + fn),
        "balanced_accuracy": lambda: (tp / (tp + fn) + tn / (tn + fp), Fraction(2)),
        "youden": lambda: (tp / (tp + fn) + tn / (tn + fp) - 1, Fraction(1)),
        "lr_positive": lambda: (tp / (tp + fn), fp / (fp + tn)),
        "lr_negative": lambda: (fn / (tp + fn), tn / (fp + tn)),
        "diagnostic_odds_ratio": lambda: (tp * tn, fn * fp),
        "lift": lambda: (tp * n, (tp + fp) * (tp + fn)),
        "kappa": lambda: ((tp + tn) / n - by_chance, 1 - by_chance),
        "pabak": lambda: (tp + tn - fn - fp, n),
        "bias": lambda: (labelled, positives),
        "ets": lambda: (tp - positives * labelled / n, positives + labelled - tp - positives * labelled / n),
    }
    if name not in over:
        raise LookupError(f"Give the new metric {name!r} a definition in metric_of_table of tests/oracles.py.")
    numerator, denominator = over[name]()
    return numerator / denominator if denominator else None


OF_RATES = {"balanced_accuracy", "youden", "lr_positive", "lr_negative"}  # which divide by both class sizes


def metric_law(name: str, counts: Sequence[int], full: bool, share: Fraction | None = None) -> tuple[Law, Fraction]:
    """The law of a metric over the resamples where it has a value, and the probability of the others."""
    law: Law = defaultdict(Fraction)
    for table, p in tables(counts, full):
        law[metric_of_table(name, table, share)] += p
    undefined = law.pop(None, Fraction(0))
    return {value: p / (1 - undefined) for value, p in law.items()}, undefined


def concordance(event: Sequence[int], time: Sequence[float], risk: Sequence[float]) -> tuple[float, float]:
    """Harrell's: what the comparable pairs count, and how many there are, pair by pair."""
    won, pairs = 0.0, 0
    for i, j in product(range(len(time)), repeat=2):
        if event[i] and (time[i] < time[j] or (time[i] == time[j] and not event[j])):
            pairs += 1
            won += (risk[i] > risk[j]) + (risk[i] == risk[j]) / 2
    return won, pairs


def left_uncensored(
    event: Sequence[int], time: Sequence[float], weights: Sequence[float], until: float, *, before: bool = False
) -> float:
    """Kaplan-Meier's G of censoring at a time, or just before it: events come first at a tie."""
    g = 1.0
    for u in sorted({t for t in time if t < until or (t == until and not before)}):
        rows = range(len(time))
        at_risk = sum(weights[i] for i in rows if time[i] > u or (time[i] == u and not event[i]))
        censored = sum(weights[i] for i in rows if time[i] == u and not event[i])
        g *= 1 - censored / at_risk if censored else 1.0
    return g


def at_horizon(
    event: Sequence[int], time: Sequence[float], risk: Sequence[float], weights: Sequence[float], horizon: float
) -> tuple[float, float, float, float]:
    """AUC, Brier score, net benefit at .3 and O/E of censored times at a horizon, rows having any weights.

    Pair by pair; event 2 is another event.
    """
    rows = range(len(time))
    by_then = [i for i in rows if event[i] and time[i] <= horizon]
    seen = {i: weights[i] / left_uncensored(event, time, weights, time[i], before=True) for i in by_then}
    g = left_uncensored(event, time, weights, horizon)
    had = {i: seen[i] for i in seen if event[i] == 1}
    free = {i: seen.get(i, weights[i] / g) for i in rows if time[i] > horizon or (i in seen and i not in had)}
    won = sum(had[i] * free[j] * ((risk[i] > risk[j]) + (risk[i] == risk[j]) / 2) for i, j in product(had, free))
    brier = sum(had[i] * (1 - risk[i]) ** 2 for i in had) + sum(free[i] * risk[i] ** 2 for i in free)
    benefit = sum(had[i] for i in had if risk[i] >= 0.3) - 3 / 7 * sum(free[i] for i in free if risk[i] >= 0.3)
    expected = sum(weights[i] * risk[i] for i in rows)
    won /= sum(had.values()) * sum(free.values())
    return won, brier / sum(weights), benefit / sum(weights), sum(had.values()) / expected


def wins(y: Any, scores: Any) -> Any:
    """Of each positive (rows) over each negative, in arrays: 1, or 1/2 where they tie."""
    positive, negative = scores[y == 1][:, None], scores[y == 0]
    return (positive > negative) + (positive == negative) / 2


def covariance_of_pairs(won: Any, other: Any) -> Any:
    """Of two means over pairs of cases whose rows and columns are drawn again, each by itself."""
    m, n = won.shape
    rows, columns = (won.mean(axis=i) @ other.mean(axis=i) / won.shape[1 - i] for i in (1, 0))
    both = (won * other).mean() + (n - 1) * rows + (m - 1) * columns
    return (both - (n + m - 1) * won.mean() * other.mean()) / (m * n)
