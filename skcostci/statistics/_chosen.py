"""Laws of what holds at thresholds that the cases themselves chose."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.cases._counts import ScoreCounts
from skcostci.cuts import Cells, Cut
from skcostci.laws import (
    Choice,
    ChosenCostLaw,
    ChosenMetricLaw,
    FlatteredLaw,
    Flattery,
    LinearLaw,
    MetricLaw,
    cheapest_counts,
    choice_among,
    share_variance,
)
from skcostci.metric import AnyMetric, RiskMetric
from skcostci.statistics._defined import values_of

CostAt = Callable[[Cells, Cells, Floats], LinearLaw]  # of cells and operating conditions


def choice_of(counts: ScoreCounts, cut: Cut, w: Floats) -> Choice:
    """What was in reach when the thresholds of a cut were chosen for their cost at operating conditions w."""
    thresholds, fp, tp = counts.roc_points
    chosen = np.searchsorted(-thresholds, -cut.thresholds.ravel())
    return choice_among(fp, tp, (counts.negative.total, counts.positive.total), chosen, w)


def flatteries_of(law: LinearLaw) -> tuple[Flattery, ...]:
    """What choices of thresholds do to the error of what has this law; nothing where they were given."""
    if isinstance(law, ChosenCostLaw):  # chosen for this very cost, which it makes look smaller
        return (Flattery(law.choice, np.ones_like(law.bridge), 1),)
    return law.flatteries if isinstance(law, FlatteredLaw) else ()


def chosen_cost_law(
    law: LinearLaw, counts: ScoreCounts, cut: Cut, w: Floats, scale: Floats, at: CostAt
) -> ChosenCostLaw:
    """The law of a cost, knowing that its thresholds were chosen; ``at`` gives that of others."""
    bridge = scale * np.sqrt(w**2 / counts.positive.total + (1 - w) ** 2 / counts.negative.total)
    _, fp, tp = counts.roc_points
    sizes = counts.positive.total, counts.negative.total
    everywhere = partial(_everywhere, cheapest_counts(fp, tp), sizes, w, at)
    return ChosenCostLaw(law.strata, law.agresti, choice_of(counts, cut, w), bridge, everywhere)


def _everywhere(counts: tuple[Integers, Integers], sizes: tuple[int, int], w: Floats, at: CostAt, i: int) -> LinearLaw:
    """The cost at point i of these false and true positives, whatever the threshold."""
    positive, negative = (
        Cells(np.column_stack([hits, n - hits]), np.ones((len(hits), 2), dtype=bool))
        for hits, n in zip(counts[::-1], sizes, strict=True)
    )
    return at(positive, negative, np.full(len(counts[0]), w[i]))


def chosen_difference_law(
    law: LinearLaw, cells: tuple[Cells, Cells], chosen: list[tuple[ScoreCounts, Cut]], w: Floats
) -> FlatteredLaw:
    """The law of a difference of costs, knowing whether a's thresholds, and b's, were chosen."""
    flatteries = tuple(
        Flattery(choice_of(counts, cut, w), correlation, side)
        for (counts, cut), correlation, side in zip(chosen, _correlations(cells, w), (1, -1), strict=True)
        if cut.selected
    )
    return FlatteredLaw(law.strata, law.agresti, flatteries)


def _correlations(cells: tuple[Cells, Cells], w: Floats) -> tuple[Floats, Floats]:
    """Of the difference with a's cost, and of minus the difference with b's; half a case is added on either side."""
    of_a, of_b, of_both = (np.zeros_like(w) for _ in range(3))
    for part, weight in zip(cells, (w, 1 - w), strict=True):
        n = int(part.counts[0].sum())
        both, a, b, _ = ((part.counts + 0.25) / (n + 1)).T
        a, b = a + both, b + both
        of_a += weight**2 * a * (1 - a) / n
        of_b += weight**2 * b * (1 - b) / n
        of_both += weight**2 * (both - a * b) / n
    spread = of_a + of_b - 2 * of_both
    a, b = (np.maximum(own - of_both, 0.0) / np.sqrt(own * spread) for own in (of_a, of_b))
    return np.minimum(a, 1.0), np.minimum(b, 1.0)


def chosen_rate_laws(
    laws: tuple[LinearLaw, LinearLaw], cells: tuple[Cells, Cells], counts: ScoreCounts, cut: Cut
) -> tuple[FlatteredLaw, FlatteredLaw]:
    """The laws of the true- and of the false-positive rate, knowing that their errors were to be small."""
    choice = choice_of(counts, cut, np.full(1, 0.5))  # TPR - FPR weighs both kinds of errors alike
    variances = [share_variance(part.counts[:, 0], int(part.counts[0].sum())) for part in cells]
    positive, negative = (
        FlatteredLaw(law.strata, law.agresti, (Flattery(choice, np.sqrt(variance / sum(variances)), side),))
        for law, variance, side in zip(laws, variances, (-1, 1), strict=True)
    )
    return positive, negative


def chosen_metric_law(
    law: LinearLaw | MetricLaw, ratio: MetricLaw, counts: ScoreCounts, cut: Cut
) -> FlatteredLaw | ChosenMetricLaw:
    """The law of a metric, also given as a ratio, knowing that the threshold was to make TPR - FPR large, or itself.

    The best threshold of a metric is, to first order, the cheapest one where errors weigh as its slopes there say.
    """
    w = _weight_of_misses(ratio) if cut.for_metric else np.full(1, 0.5)
    correlation = _correlation_with_cost(ratio, w)
    flattery = Flattery(choice_of(counts, cut, w), np.abs(correlation), -1 if correlation[0] >= 0 else 1)
    if isinstance(law, LinearLaw):
        return FlatteredLaw(law.strata, law.agresti, (flattery,))
    return ChosenMetricLaw(ratio.counts, ratio.possible, ratio.metrics, ratio.sampling, ratio.prevalence, flattery)


def best_cut(name: str, metric: AnyMetric | RiskMetric, counts: ScoreCounts, prevalence: float | None) -> Cut:
    """The threshold at which a metric is best on these cases, the largest of several."""
    if isinstance(metric, RiskMetric):
        raise ValueError(f"{name}='best' needs a metric that is the same at all thresholds, got {metric.name!r}.")
    if not (counts.positive.total and counts.negative.total):
        raise ValueError(f"{name}='best' needs both classes in y_true: pass thresholds.")
    thresholds, fp, tp = counts.roc_points
    tables = np.column_stack([tp, counts.positive.total - tp, fp, counts.negative.total - fp]).astype(np.float64)
    values = values_of([metric] * len(tables), tables, "full", prevalence)
    worth = np.where(np.isnan(values), -np.inf, values if metric.greater_is_better else -values)
    return Cut(np.asarray(thresholds[np.argmax(worth)]), selected=True, for_metric=True)


def _weight_of_misses(ratio: MetricLaw) -> Floats:
    """The operating condition at which costs weigh misses and false alarms as the metric does; 1/2 if it has no say."""
    slopes = np.abs(_slopes(ratio)[:2])
    total = slopes.sum(axis=0)
    return np.asarray(np.where(total > 0, slopes[0] / np.where(total > 0, total, 1.0), 0.5))


def _slopes(ratio: MetricLaw) -> Floats:
    """Of a metric in the rates; half a case is added on either side."""
    cells = [part.strata[0].counts for part in ratio.parts]
    return ratio.slopes(np.array([(count[:, 0] + 0.5) / (count.sum(axis=1) + 1) for count in cells]))


def _correlation_with_cost(ratio: MetricLaw, w: Floats) -> Floats:
    """Of a metric's error, to first order, with that of w TPR - (1 - w) FPR; half a case is added on either side."""
    cells = [part.strata[0].counts for part in ratio.parts]
    variances = np.array([share_variance(count[:, 0], int(count[0].sum())) for count in cells])
    slopes = _slopes(ratio)
    together = slopes[0] * w * variances[0] - slopes[1] * (1 - w) * variances[1]
    spread = (slopes**2 * variances).sum(axis=0) * (w**2 * variances[0] + (1 - w) ** 2 * variances[1])
    return np.asarray(np.where(spread > 0, together / np.sqrt(np.where(spread > 0, spread, 1.0)), 0.0))
