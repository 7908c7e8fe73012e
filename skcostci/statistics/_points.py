"""Results at the points of an axis, of one model or of a minus b, at thresholds given or chosen on these cases.

At each point the cells of cases that reach a threshold are counted, in total or per group. With folds the result is the
mean of the folds' results. Thresholds chosen on these cases make errors look smaller than they are: an ``Optimism``
holds the steps between competing thresholds and the correlation of the statistic's error with the error that was
minimized, to first order from the cells' counts, with half a case added on either side of each threshold, so that rates
of 0 and 1 vary too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from skcostci._arrays import Floats, Integers, Weights, reached
from skcostci._frozen import altered, cached_property, frozen_numbers, read_only
from skcostci._options import Label
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts
from skcostci.cases._design import Design, Part
from skcostci.cuts import Cells, Cut, count_along, count_cells, count_groups
from skcostci.laws.exact._linear import ChosenCostLaw, LinearLaw, classes_of
from skcostci.laws.exact._metric_law import MetricLaw
from skcostci.laws.influence._curves import (
    Choice,
    ClassHits,
    Hits,
    LinearCurve,
    Optimism,
    ROCCurve,
    cheapest_counts,
    choice_among,
    curve_of_groups,
    linear_curve,
    share_variance,
)
from skcostci.laws.influence._first_order import OF_COUNTS, Ends, FirstOrderLaw, group_strata
from skcostci.laws.influence._of_cells import CellStatistic, of_class_means
from skcostci.laws.influence._weighted import WeightedLaw, folded_law, weighted_linear
from skcostci.results._banded import BandedResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import ResultT
from skcostci.statistics._units import law_of_terms, methods_of_units

AT_ONCE, LEAST_AT_ONCE = 2**16, 8  # points times groups counted at once, in the processor's cache; and points
NO_BAND: Mapping[str, Any] = {"band_methods": (), "curve": None}  # where no band is known

Columns = Sequence[tuple[str, Cut]]  # of one model or of two: its scores, and its thresholds
Overlaps = tuple[Integers | None, Integers | None]  # of neighbouring points, per class; None for one model
CostAt = Callable[[Cells, Cells, Floats], LinearLaw]  # of the cells of both classes and operating conditions


@dataclass(frozen=True, repr=False, eq=False)
class Points:
    """The thresholds of one model, or of two, at the points of an axis, along which bands follow a curve."""

    cases: Cases
    columns: Columns
    along: Floats  # the place of each point on the axis
    axis: Sequence[Floats]  # the fields of results per point, thresholds last: of one model, or of a and b

    @property
    def paired(self) -> bool:
        return len(self.columns) == 2

    @property
    def selected(self) -> bool:
        return any(cut.selected for _, cut in self.columns)

    @property
    def chosen(self) -> list[tuple[ScoreCounts, Cut]]:
        return [(self.cases.counts(column), cut) for column, cut in self.columns]

    @cached_property
    def counted(self) -> tuple[tuple[Cells, Cells], Overlaps]:
        """The cells of the positives and of the negatives, and how neighbours along the axis overlap in them."""
        if self.paired:
            a, b = self.columns
            return count_along(self.cases, a, b, self.along)
        return count_cells(self.cases, *self.columns), (None, None)

    @cached_property
    def _groups(self) -> Floats:
        """The cells by group; counted once, as both rates of a ROC curve need them."""
        return count_groups(self.cases, *self.columns)

    def _by_group(self) -> Iterator[tuple[slice, Floats]]:
        """Points and their cells by group, a few at a time: all may be a hundred times as large as the data."""
        n_points, step = self.columns[0][1].thresholds.size, max(AT_ONCE // self.cases.n_groups, LEAST_AT_ONCE)
        if n_points <= step:
            yield slice(None), self._groups
            return
        for at in (slice(first, first + step) for first in range(0, n_points, step)):
            cuts = ((column, replace(cut, thresholds=cut.thresholds.ravel()[at])) for column, cut in self.columns)
            yield at, count_groups(self.cases, *cuts)

    def result(
        self,
        kind: Any,
        law: LinearLaw,
        law_of: Callable[[Points], LinearLaw],
        values: Floats,
        methods: tuple[str, ...],
        band_methods: tuple[str, ...],
        curve: LinearCurve,
        estimand: Estimand,
    ) -> Any:
        """The result; ``law_of`` is the law of the same points where rows have other weights."""
        shape = self.columns[0][1].thresholds.shape
        axis: list[object] = [frozen_numbers(numbers, shape) for numbers in self.axis]
        axis = [*axis[:-2], (axis[-2], axis[-1])] if self.paired else axis  # the thresholds of both models as a pair
        found: LinearLaw | WeightedLaw | FirstOrderLaw = law
        path: LinearCurve | None = curve
        if self.cases.rows.is_weighted:
            others = (replace(self, cases=each) for each in self.cases.squared_and_alone())
            found, methods = weighted_linear(*map(law_of, (self, *others))), (methods[0], "wald")
            band_methods, path = (), None  # no band is known
        elif self.cases.groups is not None:
            slices = [own for own in classes_of(values) if values[:, own].any()] or classes_of(values)
            possible = np.hstack([part.possible for part in self.counted[0]])
            laws, added = [], np.empty((len(values), self.cases.n_groups))
            for at, cells in self._by_group():
                one = CellStatistic(
                    partial(of_class_means, values[at], slices), cells.sum(axis=1), possible[at], slices
                )
                ends = law.support[0][at], law.support[1][at]
                laws.append(law_of_groups(self.cases, cells, one, ends, paired=self.paired))
                np.einsum("pgc,cp->pg", cells, one.influences, out=added[at])
            found = replace(FirstOrderLaw.side_by_side(laws), ends=law.support, optimisms=law.optimisms)
            methods, band_methods = methods_of_groups(found), ("path",)
            path = curve_of_groups(added, law.support, self.along)
        rest = {"band_methods": band_methods, "curve": path, "n_groups": self.cases.n_groups or None}
        return kind(frozen_numbers(found.mean, shape), found, methods, *axis, estimand=estimand, **rest)


@dataclass(frozen=True, repr=False, eq=False)
class CountedPart(Part):
    """Groups whose cases are counted in ``cells``, (n_points, n_groups, n_cells), a slice of them per class."""

    cells: Floats
    slices: Sequence[slice]

    def _by_class(self, weights: Weights) -> Floats:
        both, n = super()._by_class(weights), self.cells.shape[2]
        ends = [(2 * first // n, 2 * last // n) for first, last, _ in (own.indices(n) for own in self.slices)]
        return np.array([both[:, first:last].sum(axis=1) for first, last in ends]).T  # a slice: one class, or both

    def added(self, influences: Floats) -> Floats:
        return np.asarray(np.einsum("pgc,cp->pg", self.cells, influences).T)

    def squares(self, influences: Floats) -> Floats:
        of_cells = self.cells.sum(axis=1) * influences.T**2
        return np.array([of_cells[:, own].sum(axis=1) for own in self.slices]).T


def law_of_groups(
    cases: Cases,
    cells: Floats,
    one: CellStatistic,
    support: Ends,
    *,
    of_rates: bool = True,
    by_class: bool = True,
    paired: bool = False,
) -> FirstOrderLaw:
    """The law of a statistic of cases in groups; ``by_class``: it does not depend on the class sizes.

    If it is ``of_rates`` an unseen group of both classes may fail in either, with half of its weight.
    """
    rows, groups, negative = cases.rows, np.asarray(cases.groups), (~cases.positive).astype(np.int8)
    part = CountedPart(groups, rows.weights, negative, groups, 2, cells, one.slices)
    design = altered(Design(rows, by_class=by_class), parts=(part,))
    mixed = of_rates and len(group_strata(part.class_counts)) == 1
    most_unseen = OF_COUNTS / (len(one.slices) if mixed else 1)
    with np.errstate(invalid="ignore"):  # an infinite metric has limits as a share
        return law_of_terms(design, [one], support, most_unseen, paired=paired)


def methods_of_groups(law: FirstOrderLaw) -> tuple[str, ...]:
    methods = methods_of_units(grouped=True, bounded=law.has_worst_unit)
    methods = methods[:1] if np.isinf(law.estimate).any() else methods
    return ("chosen",) * bool(law.optimisms) + methods


def mean_over_parts(
    results: Sequence[ResultT],
    law: FirstOrderLaw | None = None,
    n_groups: int | None = None,
    levels: tuple[Label, ...] | None = None,
) -> ResultT:
    """The mean of results of folds, or of levels, by this law; None: by the folds' own laws, of sums of cases."""
    first = results[0]
    if any(result.selected for result in results):  # the threshold of a fold varies with its cases
        raise ValueError(
            "folds need thresholds chosen beforehand: if each fold chooses its own threshold, the distribution "
            "of the mean over folds is not known. Pass thresholds, or leave folds out to evaluate all cases as "
            "one sample."
        )
    known = law or folded_law(tuple(result.law for result in results if isinstance(result.law, LinearLaw)))
    return replace(
        first,
        estimate=frozen_numbers(known.mean, np.shape(first.estimate)),
        law=known,
        methods=methods_of_units(grouped=n_groups is not None, bounded=bool(np.isfinite(known.support).all())),
        estimand=replace(first.estimand, folds=levels is None, crossed=levels is not None),
        fold_estimates=None if levels else read_only(np.array([result.estimate for result in results])),
        n_groups=n_groups,
        levels=levels,
        **(NO_BAND if isinstance(first, BandedResult) else {}),
    )


def hits_of(part: Cases, columns: Sequence[str], thresholds: Any) -> Floats:
    """1 where a case reaches the threshold of each point, else 0; for two models a's minus b's."""
    each = thresholds if len(columns) == 2 else (thresholds,)
    hits = [
        reached(part.columns[column][:, None], np.ravel(points)).astype(np.float64)
        for column, points in zip(columns, each, strict=True)
    ]
    return hits[0] if len(hits) == 1 else hits[0] - hits[1]


def cost_curve(
    positive: Cells, negative: Cells, w: Floats, scale: Floats, overlaps: Overlaps = (None, None)
) -> LinearCurve:
    """The cost curve: a missed positive costs w, a false alarm 1 - w, times the scale; for two models a's minus b's."""
    constant = w * scale if positive.counts.shape[1] == 2 else np.zeros_like(w)
    classes = _class_hits(positive, -w * scale), _class_hits(negative, (1 - w) * scale)
    return linear_curve(constant, classes, w, overlaps)


def rate_curve(cells: Cells, axis: Floats, overlap: Integers | None = None) -> LinearCurve:
    """The curve of the share of a class that reaches the threshold; for two models a's share minus b's."""
    ones = np.ones(len(cells.counts))
    return linear_curve(np.zeros_like(ones), (_class_hits(cells, ones),), axis, (overlap,))


def _class_hits(cells: Cells, value: Floats) -> ClassHits:
    """The part of a class in the curve, where a hit has this ``value``; with two models a hit of b has -``value``."""
    cases = cells.counts[0].sum().item()  # or the sum of importance weights
    if cells.counts.shape[1] == 2:
        return ClassHits((Hits(cells.counts[:, 0], cases, value, cells.possible),))
    counts, possible = cells.counts.reshape(-1, 2, 2), cells.possible.reshape(-1, 2, 2)  # a hits or not, b hits or not
    a = Hits(counts.sum(axis=2)[:, 0], cases, value, np.any(possible, axis=2))
    b = Hits(counts.sum(axis=1)[:, 0], cases, -value, np.any(possible, axis=1))
    return ClassHits((a, b), counts[:, 0, 0])


def roc_curve(counts: ScoreCounts) -> ROCCurve:
    _, positive, negative = counts.ranking
    false, true = (np.concatenate([[0], np.cumsum(part)]) for part in (negative, positive))
    return false, true


def _choice_of(counts: ScoreCounts, cut: Cut, w: Floats) -> Choice:
    """The steps between the thresholds that competed when those of a cut were chosen for their cost at conditions w."""
    thresholds, fp, tp = counts.roc_points
    chosen = np.searchsorted(-thresholds, -cut.thresholds.ravel())
    return choice_among(fp, tp, (counts.negative.total, counts.positive.total), chosen, w)


def chosen_cost_law(
    law: LinearLaw, counts: ScoreCounts, cut: Cut, w: Floats, scale: Floats, at: CostAt
) -> ChosenCostLaw:
    """The law of a cost at thresholds chosen for that cost; ``at`` returns the law at other counts."""
    bridge_scale = scale * np.sqrt(w**2 / counts.positive.total + (1 - w) ** 2 / counts.negative.total)
    _, fp, tp = counts.roc_points
    sizes = counts.positive.total, counts.negative.total
    everywhere = partial(_everywhere, cheapest_counts(fp, tp), sizes, w, at)
    optimism = Optimism(_choice_of(counts, cut, w), np.ones_like(w), 1)
    return ChosenCostLaw(law.strata, law.agresti, bridge_scale, everywhere, optimisms=(optimism,))


def _everywhere(counts: tuple[Integers, Integers], sizes: tuple[int, int], w: Floats, at: CostAt, i: int) -> LinearLaw:
    """The law of the cost, at the operating condition of point i, for each pair of false and true positives."""
    positive, negative = (
        Cells(np.column_stack([hits, n - hits]), np.ones((len(hits), 2), dtype=bool))
        for hits, n in zip(counts[::-1], sizes, strict=True)
    )
    return at(positive, negative, np.full(len(counts[0]), w[i]))


def difference_optimisms(
    cells: tuple[Cells, Cells], chosen: list[tuple[ScoreCounts, Cut]], w: Floats
) -> tuple[Optimism, ...]:
    """In a difference of costs: that of a's thresholds, and that of b's, if they were chosen."""
    return tuple(
        Optimism(_choice_of(counts, cut, w), correlation, side)
        for (counts, cut), correlation, side in zip(chosen, _correlations(cells, w), (1, -1), strict=True)
        if cut.selected
    )


def _correlations(cells: tuple[Cells, Cells], w: Floats) -> tuple[Floats, Floats]:
    """The correlation of the difference with a's cost, and of minus the difference with b's cost."""
    of_a, of_b, of_both = (np.zeros_like(w) for _ in range(3))
    for part, weight in zip(cells, (w, 1 - w), strict=True):
        n = int(part.counts[0].sum())
        both, a, b, _ = ((part.counts + 0.25) / (n + 1)).T  # half a case for either model on either side
        a, b = a + both, b + both
        of_a += weight**2 * a * (1 - a) / n
        of_b += weight**2 * b * (1 - b) / n
        of_both += weight**2 * (both - a * b) / n
    spread = of_a + of_b - 2 * of_both
    a, b = (np.maximum(own - of_both, 0.0) / np.sqrt(own * spread) for own in (of_a, of_b))
    return np.minimum(a, 1.0), np.minimum(b, 1.0)


def rate_optimisms(cells: tuple[Cells, Cells], counts: ScoreCounts, cut: Cut) -> tuple[Optimism, Optimism]:
    """Of the true- and of the false-positive rate at a threshold chosen to make their errors small."""
    choice = _choice_of(counts, cut, np.full(1, 0.5))  # TPR - FPR weighs both kinds of errors alike
    variances = [share_variance(part.counts[:, 0], int(part.counts[0].sum())) for part in cells]
    shares = [np.sqrt(variance / sum(variances)) for variance in variances]
    return Optimism(choice, shares[0], -1), Optimism(choice, shares[1], 1)


def metric_optimism(ratio: MetricLaw, counts: ScoreCounts, cut: Cut) -> Optimism:
    """Of a metric at a threshold chosen by TPR - FPR, or by the metric: by costs that are its slopes there."""
    cells = [part.strata[0].counts for part in ratio.parts]
    slopes = ratio.slopes(np.array([(count[:, 0] + 0.5) / (count.sum(axis=1) + 1) for count in cells]))
    variances = np.array([share_variance(count[:, 0], int(count[0].sum())) for count in cells])
    steep, w = np.abs(slopes[:2]), np.full(1, 0.5)  # by the TPR and by the FPR, not by the share of positives
    if cut.for_metric and (steep.sum(axis=0) > 0).all():
        w = steep[0] / steep.sum(axis=0)
    together = slopes[0] * w * variances[0] - slopes[1] * (1 - w) * variances[1]  # with w TPR - (1 - w) FPR
    spread = (slopes**2 * variances).sum(axis=0) * (w**2 * variances[0] + (1 - w) ** 2 * variances[1])
    correlation = np.divide(together, np.sqrt(spread), out=np.zeros_like(spread), where=spread > 0)
    return Optimism(_choice_of(counts, cut, w), np.abs(correlation), -1 if correlation[0] >= 0 else 1)
