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
    choice = _choice_by_youden(counts, cut)
    variances = [share_variance(part.counts[:, 0], int(part.counts[0].sum())) for part in cells]
    positive, negative = (
        FlatteredLaw(law.strata, law.agresti, (Flattery(choice, np.sqrt(variance / sum(variances)), side),))
        for law, variance, side in zip(laws, variances, (-1, 1), strict=True)
    )
    return positive, negative


def chosen_metric_law(
    law: LinearLaw | MetricLaw, ratio: MetricLaw, counts: ScoreCounts, cut: Cut
) -> FlatteredLaw | ChosenMetricLaw:
    """The law of a metric, also given as a ratio, knowing that the threshold was to make TPR - FPR large."""
    correlation = _correlation_with_youden(ratio)
    flattery = Flattery(_choice_by_youden(counts, cut), np.abs(correlation), -1 if correlation[0] >= 0 else 1)
    if isinstance(law, LinearLaw):
        return FlatteredLaw(law.strata, law.agresti, (flattery,))
    return ChosenMetricLaw(ratio.counts, ratio.possible, ratio.metrics, ratio.sampling, ratio.prevalence, flattery)


def _choice_by_youden(counts: ScoreCounts, cut: Cut) -> Choice:
    """Where both kinds of errors weigh alike."""
    return choice_of(counts, cut, np.full(1, 0.5))


def _correlation_with_youden(ratio: MetricLaw) -> Floats:
    """Of a metric's error, to first order, with that of TPR - FPR; half a case is added on either side."""
    cells = [part.strata[0].counts for part in ratio.parts]
    rates = np.array([(count[:, 0] + 0.5) / (count.sum(axis=1) + 1) for count in cells])
    variances = np.array([share_variance(count[:, 0], int(count[0].sum())) for count in cells])
    slopes = ratio.slopes(rates)
    together = slopes[0] * variances[0] - slopes[1] * variances[1]
    spread = (slopes**2 * variances).sum(axis=0) * (variances[0] + variances[1])
    return np.asarray(np.where(spread > 0, together / np.sqrt(np.where(spread > 0, spread, 1.0)), 0.0))
