"""Cuts: thresholds that divide a column of scores into hits and misses at n_points points, and the cells there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats, Integers, in_precision_of, reached
from skcostci._validation._arguments import ANY, check_option, check_thresholds
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ClassCounts, ScoreCounts, paired_cells
from skcostci.geometry.cost_curve import breakpoints, upper_hull

TIE = 1e-12  # operating conditions this near to equal costs of two thresholds count as equal
ROUNDING = 4 * np.finfo(np.float64).eps  # error of computed thresholds, such as 1 - PC, on the scale of 1
LEAST_GAP = 1e-3  # relative to a threshold: scores that are near only because both are tiny are distinguished
MOST_THRESHOLDS = 101
RULES = ("envelope", "probability")

ThresholdRule = str | ArrayLike | Callable[[Floats], ArrayLike]

ANY_SCORE = -np.finfo(np.float64).max, np.finfo(np.float64).max
RISKS = 0.0, 1.0


@dataclass(frozen=True)
class Cut:
    """A threshold per point: a score at least as large is a hit. ``selected``: they were chosen on these cases.

    ``for_metric``: they were chosen for the metric that is evaluated, not for cost or TPR - FPR. ``scores`` are the
    least and the largest possible score: a risk is always at or above a threshold of 0.
    """

    thresholds: Floats
    selected: bool = False
    for_metric: bool = False
    scores: tuple[float, float] = ANY_SCORE

    @property
    def possible(self) -> Booleans:
        """Whether a case can score at or above each threshold, and below it, shape (n_points, 2)."""
        least, most = self.scores
        return np.column_stack([self.thresholds.ravel() <= most, self.thresholds.ravel() > least])


class Cells(NamedTuple):
    """Cases per cell (hit, missed; of two: by both, a only, b only, neither) and whether possible, per point."""

    counts: Integers
    possible: Booleans


def of_both_classes(positive: Cells, negative: Cells) -> tuple[Floats, Booleans]:
    """The cells of the positives, then those of the negatives: for one model TP, FN, FP and TN."""
    counts, possible = (np.hstack(columns) for columns in zip(positive, negative, strict=True))
    return counts.astype(np.float64), possible


def count_cells(cases: Cases, *cuts: tuple[str, Cut]) -> tuple[Cells, Cells]:
    """The cells of the positives and of the negatives for one column's cut, or two columns' cuts."""
    if len(cuts) == 1:
        ((column, cut),) = cuts
        counts = cases.counts(column)
        return _cells(counts.positive, cut), _cells(counts.negative, cut)
    (a, cut_a), (b, cut_b) = cuts
    pairs = cut_a.thresholds.ravel(), cut_b.thresholds.ravel()
    possible = np.column_stack([cut_a.possible[:, i] & cut_b.possible[:, j] for i in (0, 1) for j in (0, 1)])
    classes = zip(cases.split(a), cases.split(b), strict=True)
    positive, negative = (paired_cells(of_a, of_b, weights, *pairs) for (of_a, weights), (of_b, _) in classes)
    return Cells(positive, possible), Cells(negative, possible)


def count_groups(cases: Cases, *cuts: tuple[str, Cut]) -> Floats:
    """The cells by group, positives before negatives: shape (n_points, n_groups, n_cells)."""
    if len(cuts) == 1:
        return _count_groups_once(cases, *cuts[0])
    n_cells, pairs = 2 ** (1 + len(cuts)), np.column_stack([cut.thresholds.ravel() for _, cut in cuts])
    found = np.empty((len(pairs), cases.n_groups, n_cells))  # as large as thresholds times groups: filled in place
    for cells, thresholds in zip(found, pairs, strict=True):
        cell = (~cases.positive).astype(np.int64)
        for (column, _), threshold in zip(cuts, thresholds, strict=True):
            cell = 2 * cell + ~reached(cases.columns[column], threshold)
        codes = n_cells * np.asarray(cases.groups) + cell
        cells[:] = np.bincount(codes, cases.weights, minlength=cells.size).reshape(cells.shape)
    return found


def _count_groups_once(cases: Cases, column: str, cut: Cut) -> Floats:
    """The cells of one model by group: each case is processed once, however many thresholds there are."""
    scores = cases.columns[column]
    thresholds, place = np.unique(in_precision_of(scores, cut.thresholds.ravel()), return_inverse=True)
    n_reached = np.searchsorted(thresholds, scores, "right")
    codes = (n_reached * cases.n_groups + np.asarray(cases.groups)) * 2 + ~cases.positive
    shape = len(thresholds) + 1, cases.n_groups, 2
    missed = np.bincount(codes, cases.weights, minlength=int(np.prod(shape))).reshape(shape)
    # In place, and the hits by subtraction: the table is as large as thresholds times groups.
    np.cumsum(missed, axis=0, out=missed)
    found = np.empty((len(place), *shape[1:], 2))
    found[..., 1] = missed[place]
    np.subtract(missed[-1], found[..., 1], out=found[..., 0])
    return found.reshape(len(place), cases.n_groups, 4)


def count_along(
    cases: Cases, a: tuple[str, Cut], b: tuple[str, Cut], axis: Floats
) -> tuple[tuple[Cells, Cells], tuple[Integers, Integers]]:
    """The cells of the positives and of the negatives for two columns' cuts, and overlaps of neighbours along an axis.

    Per class the second part has, in the order of the axis, the numbers of cases that a hits at a point and b at the
    next, and that b hits at a point and a at the next, of shape (n_points - 1, 2).
    """
    order = np.argsort(axis, kind="stable")
    here_a, here_b = (cut.thresholds.ravel()[order] for _, cut in (a, b))
    # The last point has no next one: what it meets here, the first point, is cut off below.
    next_a, next_b = np.roll(here_a, -1), np.roll(here_b, -1)
    along_a = replace(a[1], thresholds=np.stack([here_a, here_a, next_a], axis=1))
    along_b = replace(b[1], thresholds=np.stack([here_b, next_b, here_b], axis=1))
    parts = count_cells(cases, (a[0], along_a), (b[0], along_b))
    back = 3 * np.argsort(order)  # the first of three rows per point has both cuts at the point itself
    positive, negative = (Cells(part.counts[back], part.possible[back]) for part in parts)
    next_positive, next_negative = (part.counts.reshape(-1, 3, 4)[:-1, 1:, 0] for part in parts)
    return (positive, negative), (next_positive, next_negative)


def _cells(counts: ClassCounts, cut: Cut) -> Cells:
    """The numbers of cases of a class at or above each threshold, and below it."""
    hits = counts.count_at_least(cut.thresholds.ravel())
    return Cells(np.column_stack([hits, counts.total - hits]), cut.possible)


def cut_by(name: str, rule: ThresholdRule, conditions: Floats, cases: Cases, column: str) -> Cut:
    """A user's ``thresholds`` as one number per operating condition; with "probability" it is 1 - condition."""
    if isinstance(rule, str):
        if check_option(name, rule, RULES, " Or pass thresholds or a callable.") == "envelope":
            return Cut(envelope_thresholds(cases.counts(column), conditions), selected=True)
        check_risks(f"{name}='probability'", cases.columns[column])
        return Cut(at_scores(1 - conditions, cases.counts(column)), scores=RISKS)
    if callable(rule):
        return Cut(at_scores(check_thresholds(name, rule(conditions), conditions.shape), cases.counts(column)))
    return Cut(check_thresholds(name, rule, conditions.shape))


def at_scores(thresholds: Floats, counts: ScoreCounts) -> Floats:
    """Thresholds moved to the lowest score within rounding: 1 - .42 is .5800000000000001, yet a risk .58 reaches it."""
    classes = counts.positive.values, counts.negative.values
    # A float32 risk is further from its decimals than the rounding of 1 - PC.
    rounding = max(ROUNDING, *(float(np.finfo(values.dtype).eps) for values in classes))
    # An infinite threshold minus an infinite reach would be NaN.
    size = np.where(np.isfinite(thresholds), np.abs(thresholds), 0.0)
    reach = np.minimum(rounding * np.maximum(size, 1.0), LEAST_GAP * size)
    nearest = [np.append(values, np.inf)[np.searchsorted(values, thresholds - reach)] for values in classes]
    lowest = np.minimum(*nearest)
    return np.where(lowest <= thresholds + reach, lowest, thresholds)


def rate_cut(name: str, rule: ArrayLike | str | None, counts: ScoreCounts, rules: tuple[str, ...] = ("youden",)) -> Cut:
    """A user's ``thresholds`` for rates: numbers, "youden" or None, which means the observed scores."""
    if rule is None:
        return Cut(observed_thresholds(counts))
    if isinstance(rule, str):
        check_option(name, rule, rules, " Or pass thresholds.")
        if not (counts.positive.total and counts.negative.total):
            raise ValueError(f"{name}='youden' uses both classes, and y_true must contain both: pass thresholds.")
        return Cut(envelope_thresholds(counts, np.array(0.5)), selected=True)
    return Cut(ANY.points(name, rule))


def cuts_by(
    name: str,
    rules: ThresholdRule | tuple[ThresholdRule, ThresholdRule],
    conditions: Floats,
    cases: Cases,
    columns: Sequence[str],
) -> list[Cut]:
    """The cut of one model, or of two models by one rule for both or one for each."""
    each: Any = rules if isinstance(rules, tuple) and len(columns) == 2 else (rules,) * len(columns)
    if len(each) != len(columns):
        raise ValueError(f"{name} as a tuple must contain two rules, for model a and for model b, got {len(each)}.")
    return [cut_by(name, rule, conditions, cases, column) for rule, column in zip(each, columns, strict=True)]


def threshold_pair(name: str, thresholds: ArrayLike | tuple[ArrayLike, ArrayLike]) -> list[Cut]:
    """The thresholds of both models, given once or as a tuple of both, in pairs."""
    each = thresholds if isinstance(thresholds, tuple) else (thresholds, thresholds)
    if len(each) != 2:
        raise ValueError(f"{name} as a tuple must contain the thresholds of model a and of model b, got {len(each)}.")
    a, b = (ANY.points(name, values) for values in each)
    if a.ndim == b.ndim == 1 and len(a) != len(b):
        raise ValueError(f"{name} must be as many for model a as for model b, got {len(a)} and {len(b)} of them.")
    return [Cut(part) for part in np.broadcast_arrays(a, b)]


def envelope_thresholds(counts: ScoreCounts, conditions: Floats) -> Floats:
    """The cheapest threshold at each operating condition; the largest of several with equal cost."""
    thresholds, false_positives, true_positives = counts.roc_points
    vertices = upper_hull(false_positives, true_positives)
    sizes = counts.negative.total, counts.positive.total
    breaks = breakpoints(false_positives[vertices], true_positives[vertices], *sizes)
    # Conditions are often computed: one at a break but for rounding keeps the larger threshold.
    passed = np.searchsorted(breaks, conditions - TIE)
    return np.asarray(thresholds[vertices][passed])


def observed_thresholds(counts: ScoreCounts) -> Floats:
    """The distinct scores in descending order, or the scores at evenly spaced ranks."""
    scores, positive, negative = counts.ranking
    if len(scores) <= MOST_THRESHOLDS:
        return scores
    passed = np.cumsum(positive + negative)
    ranks = -(-np.arange(MOST_THRESHOLDS) * passed[-1] // (MOST_THRESHOLDS - 1))
    return np.asarray(scores[np.unique(np.searchsorted(passed, np.clip(ranks, 1, passed[-1])))])


def check_risks(what: str, scores: Floats) -> None:
    """Raise for scores outside [0, 1], which are no risks."""
    low, high = scores.min(), scores.max()
    if low < 0 or high > 1:
        raise ValueError(f"{what} needs scores that are probabilities, in [0, 1], got scores from {low} to {high}.")


def short_decimals(thresholds: Floats) -> Floats:
    """The nearest short decimals: 1 - .42 is computed as .5800000000000001, which a risk of .58 does not reach."""
    short = np.round(thresholds, 12)
    meant = (np.abs(short - thresholds) <= ROUNDING) & (short > 0) & (short < 1)
    return np.where(meant, short, thresholds)
