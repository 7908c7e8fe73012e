"""Statistics of rows with counts: cells of a confusion table, or distinct pairs of truth and prediction.

Such a statistic has a value, a derivative by each count (``slopes``), a value with one additional case of any class and
prediction (``with_case``), and one with any additional counts (``with_counts``). The influence of a case is the slope
of its row, in folds where the shares in each class are the mean over folds.

**Tables.** With ``c[i, j]`` the number of cases of class i that were labelled j, a metric of several classes needs only
margins: the hits ``c[i, i]``, the sizes of the classes ``r_i``, the numbers of predictions ``s_j``, and for kappa the
weighted disagreement ``sum W c``. With imaginary cases, ``1j h``, added to a cell the metric's imaginary part is h
times the derivative, without the rounding of a difference. A class with denominator 0 has the value 0 or that of
``zero_division``; nan leaves it out of averages.

An unseen group has in each class the prediction that is most extreme for a single case. For amounts, which have no
classes, an unseen unit's influence is at least the step to the end of the range. So it is for a function if all
cases seen have one class: the data do not show what a case of the other class would do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Booleans, Floats, Integers, Scores, reached
from skcostci._frozen import altered, cached_property
from skcostci._options import Label, Sampling
from skcostci._validation._rows import CrossedLevels, Rows
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design, rows_by_fold
from skcostci.cuts import Cut
from skcostci.laws._rounding import SPREAD_ROUNDING, shares_of_greatest
from skcostci.laws.exact._metric_law import CLASSES, MetricLaw
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.metric import BALANCED_ACCURACY, HAMMING, KAPPA, MCC, AnyMetric, Metric, RiskMetric, has_average
from skcostci.statistics._metric import HowJudged, metric_range, values_of
from skcostci.statistics._units import Difference, OfSums, Statistic, law_of_terms, opened

Array = NDArray[Any]  # floats, or complex numbers for derivatives
STEP = 1e-30  # size of an imaginary case: its square vanishes relative to 1
Unit = Literal["case", "case of a class", "group"]  # what is drawn; "case of a class" where class sizes are fixed


class OfRows(OfSums):
    """A statistic of rows with counts; each case is in one row. ``unit`` is what an additional unit is."""

    rows: Integers
    counts: Floats
    value: Floats
    unit: Unit
    n_sizes: int  # sizes that a fold keeps where shares are the mean over folds: 1, its total, or those of classes
    precision = SPREAD_ROUNDING  # of influences, relative to the value and the largest slope
    undefined = ""  # why there is no value, where there is none

    @property
    def slopes(self) -> Floats:
        raise NotImplementedError

    @cached_property
    def counted(self) -> Booleans:
        """The rows that can matter."""
        return np.ones(len(self.counts), dtype=bool)

    @property
    def possible(self) -> Booleans:
        """Which class and prediction an additional case may have, (n_classes, n_predictions)."""
        raise NotImplementedError

    @property
    def class_sizes(self) -> Floats:
        return np.asarray(self.counts.reshape(len(self.possible), -1).sum(axis=1))

    @classmethod
    def at_mean(cls, each: Sequence[Self]) -> Sequence[Self]:
        """The folds, with slopes where the shares in each class are the mean over folds; their counts are their own."""
        tables = zip(each, tables_at_mean([model.counts.reshape(model.n_sizes, -1) for model in each]), strict=True)
        return [altered(model, slopes=altered(model, counts=table.ravel()).slopes) for model, table in tables]

    def with_case(self, more: float = 1.0) -> Floats:
        """With an additional case of this weight: shape (n_classes, n_predictions, n_points)."""
        possible, sizes = self.possible, self.class_sizes
        found = np.broadcast_to(self.value, (*possible.shape, len(self.value))).copy()
        for own, place in np.argwhere(possible).tolist():
            kept, added = np.ones(len(sizes)), np.zeros(possible.shape)
            if self.unit == "case of a class":
                kept[own] = sizes[own] / (sizes[own] + more)
            added[own, place] = more * kept[own]
            found[own, place] = self.with_counts(added, kept)
        return found

    def with_counts(self, added: Floats, kept: Floats | float = 1.0) -> Floats:
        """With these additional cases, by class and prediction, and this share of the others of each class."""
        raise NotImplementedError

    @cached_property
    def influences(self) -> Floats:
        return self.slopes[self.rows]

    @property
    def rounding(self) -> Floats:
        largest = np.maximum(np.abs(self.value) / self.counts.sum(), np.abs(self.slopes).max(axis=0))
        return np.asarray(self.precision * largest)

    @cached_property
    def _values_with_case(self) -> dict[float, Floats]:
        """By the weight of the case."""
        return {}

    def with_additional(self, made: Floats, side: int) -> Floats:
        more = 1.0 if self.unit == "group" else float(made.sum())
        if more not in self._values_with_case:
            self._values_with_case[more] = self.with_case(more)
        if self.unit == "group":
            found = np.array([self._with_group(made, side, point) for point in range(len(self.value))])
        else:
            found = side * (side * self._values_with_case[more][made.argmax()]).max(axis=0)
        return np.where(np.abs(found - self.value) <= self.rounding, self.value, found)

    def _with_group(self, made: Floats, side: int, point: int) -> float:
        def gain(added: Floats) -> float:
            return side * float(self.with_counts(added)[point])

        return side * gain(_predicted(side * self._values_with_case[1.0][:, :, point], made, gain))


def _predicted(way: Floats, made: Floats, worth: Callable[[Floats], float]) -> Floats:
    """How many cases per class have each prediction: the most extreme; if several are, that with the greatest worth."""
    shares = shares_of_greatest(way, 1)
    found = shares.copy()
    for own in np.flatnonzero((np.count_nonzero(shares, axis=1) > 1) & (made > 0)):
        tied = np.flatnonzero(shares[own])
        alone = [np.where(np.arange(len(made))[:, None] == own, each, shares) for each in np.eye(way.shape[1])[tied]]
        found[own, tied] = shares_of_greatest(np.array([worth(made[:, None] * each) for each in alone]), 0)
    return np.asarray(made[:, None] * found)


class Margins(NamedTuple):
    """Hits, sizes and predictions of each class, shape (..., n_classes), and the weighted disagreement, (...)."""

    hits: Array
    truth: Array
    predicted: Array
    off: Array


class TableRows(OfRows):
    """The cells of a table of classes and predictions; the classes ``lacking`` have a denominator of 0.

    ``costs`` are the weights W of disagreement for kappa.
    """

    of: Callable[[Margins], Array]

    def __init__(
        self, metric: AnyMetric | RiskMetric, cases: Cases, column: str, how: HowJudged, *, unit: Unit = "case"
    ) -> None:
        known, k, average = cases.labels, len(cases.labels), how.average
        self.metric, self.rows, self.unit = metric, cases.truth * k + cases.columns[column], unit
        self.counts = np.bincount(self.rows, cases.weights, k * k).astype(np.float64)
        self.costs, self.n_sizes = _disagreement(k, how.kappa_weights), k
        margins = self.margins_of(self.table)
        self.lacking, self.range = list[Label](), (0.0, 1.0)
        if has_average(metric):
            seen = np.flatnonzero(margins.truth + margins.predicted).tolist()
            places = list(range(cases.n_stated)) or (list(range(k)) if average is None else seen)
            # A slice of all takes no copies.
            self.of = partial(_averaged, metric, average, places if len(places) < k else slice(None), how.empty)
            least, most = metric_range(metric, [1, 1, 1, 1])
            self.range = metric.range or (min(least, 0.0), max(most, 0.0))
            below = _sums_of_classes(metric, places, margins)[1]
            if not (average == "micro" and below.any()):
                self.lacking = [known[place] for place, d in zip(places, below, strict=True) if d == 0]
        elif metric in (KAPPA, MCC):
            self.of, self.range = partial(_kappa, self.costs) if metric is KAPPA else _matthews, (-1.0, 1.0)
        elif metric is BALANCED_ACCURACY:
            self.of = partial(_balanced_accuracy, np.flatnonzero(margins.truth))
        else:
            self.of = partial(_accuracy, of_errors=metric is HAMMING)
        self.value = np.asarray(self.of(margins))

    @property
    def table(self) -> Floats:
        return self.counts.reshape(self.costs.shape)

    def margins_of(self, table: Floats) -> Margins:
        return Margins(np.diagonal(table), table.sum(axis=1), table.sum(axis=0), np.asarray((self.costs * table).sum()))

    @cached_property
    def slopes(self) -> Floats:
        return np.asarray(self._moved(STEP * 1j, np.ones(self.n_sizes)).imag / STEP).reshape(len(self.counts), -1)

    def with_case(self, more: float = 1.0) -> Floats:
        kept = np.ones(self.n_sizes)
        if self.unit == "case of a class":
            sizes = self.table.sum(axis=1)
            kept = sizes / (sizes + more)
        return self._moved(more * kept, kept)

    def with_counts(self, added: Floats, kept: Floats | float = 1.0) -> Floats:
        return np.asarray(self.of(self.margins_of(np.reshape(kept, (-1, 1)) * self.table + added)))

    def _moved(self, u: complex | Floats, kept: Floats) -> Array:
        """The metric with u cases added to each cell, the others of that class reduced to ``kept``; class by class."""
        table, found = self.table, []
        base, each = self.margins_of(table), np.eye(len(table))
        for i, (case, share) in enumerate(zip(np.broadcast_to(u, len(table)), kept.tolist(), strict=True)):
            removed = (share - 1) * table[i]
            found.append(
                self.of(
                    Margins(
                        base.hits + each[i] * (removed[i] + case * each[i][:, None]),
                        np.broadcast_to(base.truth + each[i] * (removed.sum() + case), each.shape),
                        base.predicted + removed + case * each,
                        base.off + (self.costs[i] * removed).sum() + case * self.costs[i],
                    )
                )
            )
        return np.array(found)


def _averaged(metric: Metric, average: str | None, places: list[int] | slice, empty: float, m: Margins) -> Array:
    above, below = _sums_of_classes(metric, places, m)
    return average_of(above, below, m.truth[..., places], average, empty)


def average_of(above: Array, below: Array, sizes: Array, average: str | None, empty: float) -> Array:
    """The ratio of each class or label in the last axis, or their average; ``empty`` is that of no counts."""
    above, below = averaged_sums(above, below, sizes, average, empty)
    return ratio(above, below, empty) if average is None else ratio(_sum(above), _sum(below), empty)


def averaged_sums(above: Array, below: Array, sizes: Array, average: str | None, empty: float) -> tuple[Array, Array]:
    """What each class or label adds to the numerator and to the denominator of an average."""
    if average == "micro":
        return above, below
    each = ratio(above, below, empty)
    counted = ~np.isnan(each)
    weights = np.where(counted, sizes if average == "weighted" else 1.0, 0.0)
    return weights * np.where(counted, each, 0.0), weights


def cells_of(hits: Array, truth: Array, predicted: Array, whole: Array | float) -> tuple[Array, Array, Array, Array]:
    """The tables of TP, FN, FP and TN, each with classes, labels or cases in the last axis."""
    return hits, truth - hits, predicted - hits, whole - truth - predicted + hits


def sides_of(metric: Metric, cells: Sequence[Array]) -> tuple[Array, Array]:
    """The numerator and the denominator of a ratio of counts, of which the weights are the same in any sample."""
    weights = (each.tolist() for each in metric.on_counts(1, 1))
    above, below = (sum(w * cell for w, cell in zip(side, cells, strict=True) if w) for side in weights)
    return np.asarray(above), np.asarray(below)


def _sums_of_classes(metric: Metric, places: list[int] | slice, m: Margins) -> tuple[Array, Array]:
    # In one expression: nothing outlives what needs it.
    return sides_of(
        metric, cells_of(m.hits[..., places], m.truth[..., places], m.predicted[..., places], _sum(m.truth))
    )


def _disagreement(n_classes: int, weights: str | None) -> Floats:
    """The cost of each cell for kappa: 1 off the diagonal, or the distance from it, or its square."""
    distance = np.abs(np.subtract.outer(np.arange(n_classes), np.arange(n_classes))).astype(np.float64)
    return distance**2 if weights == "quadratic" else distance if weights == "linear" else np.minimum(distance, 1.0)


def _kappa(costs: Floats, m: Margins) -> Array:
    by_chance = ((m.truth @ costs) * m.predicted).sum(axis=-1)
    value = 1 - ratio(m.truth.sum(axis=-1) * m.off, by_chance)
    return np.asarray(np.where(by_chance.real > 0, value, np.nan))[..., None]


def _accuracy(m: Margins, *, of_errors: bool) -> Array:
    hits, whole = _sum(m.hits), _sum(m.truth)
    return ratio(whole - hits if of_errors else hits, whole)


def _balanced_accuracy(present: Integers, m: Margins) -> Array:
    recalls = np.asarray(ratio(m.hits, m.truth)[..., present].mean(axis=-1, keepdims=True))
    return recalls if len(present) > 1 else np.full_like(recalls, np.nan)


def _matthews(m: Margins) -> Array:
    """The correlation of labels and truth for several classes (Gorodkin 2004); NaN if either is constant."""
    n = _sum(m.truth)
    joint = n * _sum(m.hits) - _sum(m.truth * m.predicted)
    square = (n * n - _sum(m.truth * m.truth)) * (n * n - _sum(m.predicted * m.predicted))
    some = square.real > 0
    return np.where(some, joint / np.sqrt(np.where(some, square, 1.0)), np.nan)


def ratio(above: Array, below: Array, empty: float = 0.0) -> Array:
    """A ratio; ``empty`` where the denominator is 0, as by scikit-learn's zero_division."""
    found = np.full(above.shape, empty, dtype=np.result_type(above, below, empty))
    return np.divide(above, below, out=found, where=below.real != 0)


def _sum(values: Array) -> Array:
    return np.asarray(values.sum(axis=-1, keepdims=True))


class CellRows(OfRows):
    """Rows of class times place of the score among the thresholds: a metric of four cells, at each threshold."""

    def __init__(
        self,
        metrics: Sequence[AnyMetric],
        cases: Cases,
        column: str,
        hits: Booleans,
        possible: Booleans,
        sampling: Sampling,
        prevalence: float | None,
        *,
        unit: Unit,
    ) -> None:
        self.metrics, self.hits, self.places_possible = tuple(metrics), hits, possible
        self.sampling, self.prevalence, self.unit = sampling, prevalence, unit
        n_places = self.hits.shape[1]
        self.rows = cases.truth * n_places + cases.columns[column]
        self.counts = np.bincount(self.rows, cases.weights, 2 * n_places).astype(np.float64)
        self.value, law = self._at(self.counts.reshape(2, -1)), self.law
        # A metric such as kappa compares the margins, which are drawn: they have a mean over folds.
        self.n_sizes = 2 if law.sampling == "stratified" or law.is_ratio or law.mixes_rates else 1

    @cached_property
    def counted(self) -> Booleans:
        of_classes, law = [True, True], self.law
        if self.sampling == "full" and law.of_one_class:
            of_classes = [any(side[:, part].any() for side in law.weights) for part in CLASSES[::-1]]
        return np.repeat(of_classes, self.hits.shape[1])

    @property
    def possible(self) -> Booleans:
        return np.tile(self.places_possible, (2, 1))

    @cached_property
    def law(self) -> MetricLaw:
        cells = self._cells(self.counts.reshape(2, -1))
        possible = self._cells(self.possible.astype(np.float64)) > 0
        return MetricLaw(cells, possible, self.metrics, self.sampling, self.prevalence)

    def _cells(self, table: Floats) -> Floats:
        """TP, FN, FP and TN at each point, from the counts of negatives and positives by place."""
        found = [side for row in table[::-1] for side in (self.hits @ row, ~self.hits @ row)]
        return np.stack(found, axis=1)

    def _at(self, table: Floats) -> Floats:
        return values_of(self.metrics, self._cells(table), self.sampling, self.prevalence)

    @cached_property
    def slopes(self) -> Floats:
        tp, fn, fp, tn = self.law.influence.T[:, :, None]
        found = np.stack([np.where(self.hits, fp, tn), np.where(self.hits, tp, fn)])
        if self.sampling == "stratified":  # rates do not change with the sizes of classes
            table = self.counts.reshape(2, 1, -1)
            sizes = np.maximum(table.sum(axis=2, keepdims=True), 1.0)  # a fold may lack a class
            found = found - (table * found).sum(axis=2, keepdims=True) / sizes
        return np.hstack(list(found)).T

    def with_counts(self, added: Floats, kept: Floats | float = 1.0) -> Floats:
        return self._at(np.reshape(kept, (-1, 1)) * self.counts.reshape(2, -1) + added)


def places_among(cut: Cut, scores: Scores) -> tuple[Integers, Booleans, Booleans]:
    """Where scores lie among the thresholds of a cut; labels are in places 0 and 1.

    Then whether each place, from 0 on, reaches each threshold, (n_points, n_places), and whether a score can be there.
    """
    thresholds, place = np.unique(cut.thresholds), np.zeros(len(scores), dtype=np.int64)
    for threshold in thresholds:
        place += reached(scores, threshold)
    hits = np.arange(len(thresholds) + 1) > np.searchsorted(thresholds, cut.thresholds.ravel())[:, None]
    least, most = cut.scores
    return place, hits, (np.append(-np.inf, thresholds) <= most) & (np.append(thresholds, np.inf) > least)


def tables_at_mean(tables: Sequence[Floats]) -> list[Floats]:
    """The tables of folds, each with its own class sizes and the mean over folds of the shares in each class."""
    sizes = [table.sum(axis=1, keepdims=True) for table in tables]
    shares = np.array([table / np.where(size > 0, size, 1.0) for table, size in zip(tables, sizes, strict=True)])
    share = shares.sum(axis=0) / np.maximum(np.count_nonzero(sizes, axis=0), 1)
    return [np.asarray(size * share) for size in sizes]


def merged(cases: Cases) -> Cases:
    """Equal rows of labels as one row with their number, where cases are drawn one by one."""
    given = cases.rows
    if not cases.labels or cases.groups is not None or cases.proxies is not None or given.is_weighted:
        return cases
    folds = np.zeros(1, dtype=np.int64) if given.folds is None else given.folds
    columns = [folds, cases.truth, *cases.columns.values()]
    sizes = [int(column.max()) + 1 for column in columns]
    if math.prod(sizes) > len(cases.truth):
        return cases
    codes = np.ravel_multi_index(np.broadcast_arrays(*columns), sizes)
    table = np.bincount(codes, given.weights, math.prod(sizes)).astype(np.int64).reshape(sizes)
    table = table[np.argsort([np.argmax(folds == fold) for fold in range(sizes[0])])]  # folds stay in their order
    folds, truth, *found = np.nonzero(table)
    rows = Rows(table[table > 0], folds=None if given.folds is None else folds)
    return replace(cases, truth=truth, columns=dict(zip(cases.columns, found, strict=True)), rows=rows)


def unit_of(cases: Cases, sampling: str) -> Unit:
    return "group" if cases.groups is not None else "case of a class" if sampling == "stratified" else "case"


def law_of_rows(
    cases: Cases, each: Sequence[Statistic], support: tuple[float, float], sampling: str = "full"
) -> FirstOrderLaw:
    """The law of a statistic, or of its mean over folds or levels; ``support`` is its range, or that at each point."""
    classes, levels = cases.classes(), cases.levels  # of a function those that occur; amounts have none
    design = Design(cases.rows, levels=levels)
    if classes is not None:
        if not cases.labels and levels is not None:
            cases.rows.check_classes(classes)
        n_classes = len(cases.labels) or int(classes.max()) + 1
        design = Design(cases.rows, classes, sampling == "stratified", levels, n_classes)
    anywhere = not cases.labels and (design.n_classes or 1) == 1
    if cases.folds is not None:
        design, each = _counted(design, cases.folds, each)
    law = law_of_terms(design, each, support, OF_COUNTS, paired=isinstance(each[0], Difference))
    return replace(law, strata=tuple(opened(law.strata, law.estimate, support, anywhere=anywhere)))


def _counted(design: Design, folds: Integers, each: Sequence[Statistic]) -> tuple[Design, list[Statistic]]:
    """The design and the statistics without rows that cannot matter in their folds: these are no units."""
    some = [np.any([model.counted[model.rows] for model in models_of(one)], axis=0) for one in each]
    kept = np.concatenate([rows[own] for rows, own in zip(rows_by_fold(folds), some, strict=True)])
    if len(kept) == len(folds):
        return design, [*each]
    found = [
        Difference.of([altered(model, rows=model.rows[own]) for model in models_of(one)])
        for one, own in zip(each, some, strict=True)
    ]
    rows, classes = design.rows, design.classes
    few = Rows(rows.weights[kept], None if rows.groups is None else rows.groups[kept], folds[kept])
    return replace(design, rows=few, classes=None if classes is None else classes[kept]), found


def models_of(one: Statistic) -> list[OfRows]:
    each = [one.a, one.b] if isinstance(one, Difference) else [one]
    return [model for model in each if isinstance(model, OfRows)]


def check_defined(metric: str, reasons: Iterable[str], levels: CrossedLevels | None) -> None:
    """Raise unless there is a value at every level, or in every fold; ``reasons`` has for each why not, or ""."""
    for place, reason in enumerate(reasons):
        if reason:
            where = f"in every fold to be averaged; in fold number {place + 1}, in order of appearance,"
            where = where if levels is None else f"at every level of crossed=; at {levels.names[place]!r}"
            raise ValueError(f"{metric} must have a value {where} it is {reason}.")
