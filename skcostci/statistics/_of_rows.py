"""Statistics of rows with counts: cells of a confusion table, or distinct pairs of truth and prediction.

Such a statistic has a value, a derivative by each count (``slopes``), a value with one additional case of any class and
prediction (``with_case``), and one with any additional counts (``with_counts``). The influence of a case is the slope
of its row, in folds where the shares in each class are the mean over folds.

An unseen group has in each class the prediction that is most extreme for a single case. For amounts, which have no
classes, the x of an unseen unit reaches at least to the end of the range, value + x. So it does for a function if all
cases seen have one class: the data do not show what a case of the other class would do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, Self

import numpy as np

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import altered, cached_property
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import CrossedLevels, Rows
from skcostci.cases._design import Design, rows_by_fold
from skcostci.cases._judged import JudgedCases
from skcostci.laws._rounding import SPREAD_ROUNDING, shares_of_greatest
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.metric import AnyMetric
from skcostci.statistics._unit_means import Difference, OfSums, Statistic
from skcostci.statistics._units import law_of_terms, opened
from skcostci.tables import table_metric

Unit = Literal["case", "case of a class", "group"]  # what is drawn; of a class: its size is fixed


class OfRows(OfSums):
    """A statistic of rows with counts; each case is in one row. ``unit`` is what an additional unit is."""

    rows: Integers
    counts: Floats
    value: Floats
    unit: Unit
    precision = SPREAD_ROUNDING  # of influences, relative to the value and the largest slope
    undefined = ""  # why there is no value, where there is none

    @property
    def slopes(self) -> Floats:
        raise NotImplementedError

    @property
    def counted(self) -> Booleans:
        """The rows that can matter."""
        return np.ones(len(self.counts), dtype=bool)

    @classmethod
    def slopes_at_mean(cls, each: Sequence[Self]) -> list[Floats]:
        """The slopes in each of several folds, where the shares in each class are the mean over folds."""
        raise NotImplementedError

    def with_case(self, more: float = 1.0) -> Floats:
        """With an additional case of this weight: shape (n_classes, n_predictions, n_points)."""
        raise NotImplementedError

    def with_counts(self, added: Floats) -> Floats:
        """With these additional cases, by class and prediction."""
        raise NotImplementedError

    @classmethod
    def at_mean(cls, each: Sequence[Self]) -> list[Self]:
        return [altered(one, slopes=slopes) for one, slopes in zip(each, cls.slopes_at_mean(each), strict=True)]

    @cached_property
    def influences(self) -> Floats:
        return self.slopes[self.rows]

    @property
    def rounding(self) -> Floats:
        largest = np.maximum(np.abs(self.value) / self.counts.sum(), np.abs(self.slopes).max(axis=0))
        return np.asarray(self.precision * largest)

    @cached_property
    def _cases(self) -> dict[float, Floats]:
        return {}

    def with_additional(self, made: Floats, side: int) -> Floats:
        more = 1.0 if self.unit == "group" else float(made.sum())
        if more not in self._cases:
            self._cases[more] = self.with_case(more)
        if self.unit == "group":
            found = np.array([self._with_group(made, side, point) for point in range(len(self.value))])
        else:
            found = side * (side * self._cases[more][made.argmax()]).max(axis=0)
        return np.where(np.abs(found - self.value) <= self.rounding, self.value, found)

    def _with_group(self, made: Floats, side: int, point: int) -> float:
        def value(added: Floats) -> float:
            return float(self.with_counts(added)[point])

        return value(_predicted(side * self._cases[1.0][:, :, point], made, lambda added: side * value(added)))


def _predicted(way: Floats, made: Floats, worth: Callable[[Floats], float]) -> Floats:
    """How many cases per class have each prediction: the most extreme one, where several are for the whole group."""
    shares = shares_of_greatest(way, 1)
    found = shares.copy()
    for own in np.flatnonzero((np.count_nonzero(shares, axis=1) > 1) & (made > 0)):
        tied = np.flatnonzero(shares[own])
        alone = [np.where(np.arange(len(made))[:, None] == own, each, shares) for each in np.eye(way.shape[1])[tied]]
        found[own, tied] = shares_of_greatest(np.array([worth(made[:, None] * each) for each in alone]), 0)
    return np.asarray(made[:, None] * found)


class TableRows(OfRows):
    """The cells of a table of classes and predictions; the metric of the classes ``lacking`` is 0."""

    def __init__(
        self,
        metric: AnyMetric,
        cases: JudgedCases,
        column: str,
        average: str | None = "binary",
        weights: str | None = None,
        zero_division: float = 0.0,
        *,
        unit: Unit = "case",
    ) -> None:
        known, k = cases.labels or (), len(cases.labels or ())
        self.rows, self.unit = cases.truth * k + cases.columns[column], unit
        self.counts = np.bincount(self.rows, cases.weights, k * k).astype(np.float64)
        self.table = self.counts.reshape(k, k)
        seen = np.flatnonzero(self.table.sum(axis=0) + self.table.sum(axis=1)).tolist()
        places = list(range(cases.n_stated)) or (list(range(k)) if average is None else seen)
        self.metric = table_metric(
            metric, k, average=average, weights=weights, places=places, table=self.table, zero_division=zero_division
        )
        self.value, self.range = self.metric.at(self.table), self.metric.range
        self.lacking = [known[place] for place in self.metric.lacks(self.metric.margins(self.table))]

    @cached_property
    def slopes(self) -> Floats:
        return self.metric.slopes(self.table).reshape(len(self.counts), -1)

    @classmethod
    def slopes_at_mean(cls, each: Sequence[Self]) -> list[Floats]:
        tables = tables_at_mean([model.table for model in each])
        return [altered(model, table=table).slopes for model, table in zip(each, tables, strict=True)]

    def with_case(self, more: float = 1.0) -> Floats:
        return self.metric.with_case(self.table, more, resized=self.unit == "case of a class")

    def with_counts(self, added: Floats) -> Floats:
        return self.metric.at(self.table + added)


def tables_at_mean(tables: Sequence[Floats]) -> list[Floats]:
    """The tables of folds, each with its own class sizes and the mean over folds of the shares in each class."""
    sizes = [table.sum(axis=1, keepdims=True) for table in tables]
    shares = np.array([table / np.where(size > 0, size, 1.0) for table, size in zip(tables, sizes, strict=True)])
    share = shares.sum(axis=0) / np.maximum(np.count_nonzero(sizes, axis=0), 1)
    return [np.asarray(size * share) for size in sizes]


def merged(cases: JudgedCases) -> JudgedCases:
    """Equal rows of labels as one row with their number, where cases are drawn one by one."""
    given = cases.rows
    if cases.labels is None or cases.groups is not None or cases.proxies is not None or given.is_weighted:
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


def unit_of(cases: JudgedCases, sampling: str) -> Unit:
    return "group" if cases.groups is not None else "case of a class" if sampling == "stratified" else "case"


def design_of(cases: JudgedCases, *, by_class: bool = False, levels: CrossedLevels | ProxyRows | None = None) -> Design:
    """The units of labels; the classes of a function are those that occur, and amounts have none."""
    classes = cases.classes()
    if classes is None:
        return Design(cases.rows, levels=levels)
    if cases.labels is None and levels is not None:
        cases.rows.check_classes(classes)
    n_classes = len(cases.labels) if cases.labels else int(classes.max()) + 1
    return Design(cases.rows, classes, by_class, levels, n_classes)


def law_of_rows(
    cases: JudgedCases, each: Sequence[Statistic], support: tuple[float, float], sampling: str = "full"
) -> FirstOrderLaw:
    """The law of a statistic, or of its mean over folds or levels; ``support`` is its range, or that at each point."""
    design = design_of(cases, by_class=sampling == "stratified", levels=cases.levels)
    anywhere = cases.labels is None and (design.n_classes or 1) == 1
    if cases.folds is not None:
        design, each = _counted(design, cases.folds, each)
    law = law_of_terms(design, each, support, OF_COUNTS, paired=isinstance(each[0], Difference))
    return replace(law, strata=tuple(opened(law.strata, law.estimate, support, anywhere=anywhere)))


def _counted(design: Design, folds: Integers, each: Sequence[Statistic]) -> tuple[Design, list[Statistic]]:
    """Without the cases of folds that cannot matter, which are no units."""
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


def check_defined(metric: str, reasons: Sequence[str], levels: CrossedLevels) -> None:
    """Raise unless there is a value at every level; ``reasons`` has per level why there is none, or ""."""
    for name, reason in zip(levels.names, reasons, strict=True):
        if reason:
            raise ValueError(f"{metric} must have a value at every level of crossed=; at {name!r} it is {reason}.")
