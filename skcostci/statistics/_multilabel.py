"""Metrics of several labels a case: indicator tables of truth and predictions, averaged as scikit-learn does.

The unit is the case, with all its labels. For label l the counts TP, FN, FP, TN add up over cases, and a ratio of
them is N_l / D_l, 0 where D_l is 0. With r_l = TP + FN, the cases that have the label,

    macro     mean of N_l / D_l,
    weighted  sum r_l N_l / D_l / sum r_l,
    micro     sum N_l / sum D_l,
    None      each N_l / D_l,

are functions of the sums, and the influence of a case is the gradient times what it adds. "samples" is the mean over
cases of a case's own ratio; subset accuracy, Hamming and zero-one loss are means too. The least favourable additional
case has, for every label, the cell that moves that label's ratio most; of "micro" and "weighted" the same cell for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import as_array, as_numbers, column_names
from skcostci._frozen import cached_property, frozen_numbers, read_only
from skcostci._validation import Floats, check_option
from skcostci._validation._rows import check_rows
from skcostci.cases._design import Design, Part
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.influence._first_order import OF_COUNTS
from skcostci.metric import ACCURACY, HAMMING, Metric, find_metric
from skcostci.results._estimand import Estimand
from skcostci.statistics._metric import MetricDifferenceResult, MetricResult
from skcostci.statistics._unit_means import ClassMeans, Difference, Statistic
from skcostci.statistics._units import law_of_units, methods_of_units
from skcostci.tables import has_average

LABEL_AVERAGES = ("micro", "macro", "weighted", "samples")
CELLS = np.eye(4)  # of one label of one case: TP, FN, FP, TN


def is_multilabel(y_true: Any) -> bool:
    """Whether there are several labels a case: a table with more columns than one, or a list of rows."""
    shape = getattr(y_true, "shape", None)
    if shape is None:
        first = y_true[0] if isinstance(y_true, list | tuple) and y_true else None
        return isinstance(first, list | tuple | np.ndarray) and len(first) > 1
    return len(shape) == 2 and shape[1] > 1 and as_array("y_true", y_true).ndim == 2  # which refuses sparse ones


def multilabel_metric(
    y_true: ArrayLike, columns: Mapping[str, ArrayLike], metric: Any, average: str | None, sample: Mapping[str, Any]
) -> Any:
    """The metric of one table of predictions, or of one less another."""
    found = find_metric(metric)
    tables = {name: _check_indicators(name, table) for name, table in {"y_true": y_true, **columns}.items()}
    truth, *guesses = tables.values()
    for name, table in tables.items():
        if table.shape != truth.shape:
            raise ValueError(f"{name} must have the shape of y_true, {truth.shape}, got {table.shape}.")
    _check_average(found, average)
    rows = check_rows({"y_true": y_true, **columns}, tables, **sample)
    design = Design(rows.weights, None, rows.groups, rows.folds)
    kept, models = rows.of(truth), [rows.of(guess) for guess in guesses]
    each = [
        Difference.of([_statistic(part, kept[part.rows], guess[part.rows], found, average) for guess in models])
        for part in design.parts
    ]
    low, high = 0.0, 1.0
    support = (low - high, high - low) if len(models) == 2 else (low, high)
    law = law_of_units(design, each, support, OF_COUNTS, of_classes=False)
    shape = (truth.shape[1],) if average is None else ()
    names = column_names(y_true)
    labels = None if average is not None else read_only(np.array(range(truth.shape[1]) if names is None else names))
    kind: Any = MetricDifferenceResult if len(models) == 2 else MetricResult
    estimand = Estimand(
        "metric",
        len(models) == 2,
        metric=found,
        average=None if average == "binary" else average,
        axis={} if labels is None else {"label": labels},
        folds=rows.folds is not None,
    )
    methods = methods_of_units(grouped=rows.groups is not None)
    n_groups = None if rows.groups is None else int(rows.groups.max()) + 1
    rest: dict[str, Any] = {"labels": labels, "estimand": estimand, "n_groups": n_groups}
    if rows.folds is not None:
        rest["fold_estimates"] = read_only(np.array([one.value.reshape(shape) for one in each]))
    return kind(frozen_numbers(law.estimate, shape), law, methods, found.name, None, **rest)


def _check_indicators(name: str, table: ArrayLike) -> Floats:
    """A table of 0 and 1, a column for each label."""
    array = as_array(name, table)
    if array.ndim != 2:
        raise ValueError(f"{name} must have a column for each label, as y_true has, got shape {array.shape}.")
    numbers = as_numbers(name, array)
    if not np.isin(numbers, [0, 1]).all():
        wrong = numbers[~np.isin(numbers, [0, 1])][0]
        raise ValueError(f"{name} must hold 1 where a case has the label and 0 elsewhere, got {wrong:g}.")
    return numbers


def _check_average(metric: Any, average: str | None) -> None:
    """How the labels are put together."""
    if metric in (ACCURACY, HAMMING):
        if average != "binary":
            raise ValueError(
                f"average is not for {metric.name} of several labels, which is of whole cases; leave it out."
            )
        return
    if not has_average(metric):
        raise ValueError(
            f"y_true must have one label a case for {metric.name}, got a table; of several labels ask accuracy, "
            "hamming, precision, recall, f1, jaccard and other ratios of counts."
        )
    if average is not None:
        check_option("average", average, LABEL_AVERAGES, " Or None: one value a label.")


def _statistic(part: Part, truth: Floats, guess: Floats, metric: Any, average: str | None) -> Statistic:
    """A metric of the cases of a part."""
    if metric is ACCURACY:
        return ClassMeans.of_all(part, (truth == guess).all(axis=1)[:, None].astype(np.float64), 0.0, 1.0)
    if metric is HAMMING:
        return ClassMeans.of_all(part, (truth != guess).mean(axis=1)[:, None], 0.0, 1.0)
    cells = np.stack([truth * guess, truth * (1 - guess), (1 - truth) * guess, (1 - truth) * (1 - guess)], axis=-1)
    if average == "samples":
        above, below = (cells.sum(axis=1) @ np.array(side) for side in (metric.numerator, metric.denominator))
        return ClassMeans.of_all(part, _ratio(above, below)[:, None], 0.0, 1.0)
    return LabelRatios(part, cells, metric, average)


def _ratio(above: Floats, below: Floats) -> Floats:
    """0 where there is nothing below, as by scikit-learn's zero_division."""
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)


@dataclass(frozen=True)
class LabelRatios:
    """A ratio of counts, averaged over labels; ``cells`` has a row a case, its labels, and TP, FN, FP, TN."""

    part: Part
    cells: Floats
    metric: Metric
    average: str | None

    @cached_property
    def sums(self) -> Floats:
        """The counts of each label, shape (n_labels, 4)."""
        return np.asarray(np.tensordot(self.part.weights, self.cells, axes=1))

    @property
    def _sides(self) -> tuple[Floats, Floats]:
        """What a cell weighs above and below."""
        return np.asarray(self.metric.numerator, dtype=np.float64), np.asarray(self.metric.denominator, np.float64)

    def of(self, sums: Floats) -> Floats:
        """The value, or one a label."""
        numerator, denominator = self._sides
        above, below = sums @ numerator, sums @ denominator
        if self.average == "micro":
            return _ratio(above.sum(keepdims=True), below.sum(keepdims=True))
        each = _ratio(above, below)
        if self.average is None:
            return each
        sizes = sums[:, :2].sum(axis=1) if self.average == "weighted" else np.ones(len(sums))
        return _ratio((sizes @ each)[None], sizes.sum(keepdims=True))

    @property
    def value(self) -> Floats:
        return self.of(self.sums)

    @property
    def influences(self) -> Floats:
        """By the gradient of each label's ratio and, of "weighted", of its size."""
        numerator, denominator = self._sides
        above, below = self.cells @ numerator, self.cells @ denominator
        sums_above, sums_below = self.sums @ numerator, self.sums @ denominator
        if self.average == "micro":
            total = sums_below.sum()
            moved = above.sum(axis=1) - self.value * below.sum(axis=1)
            return np.asarray((moved / total if total else np.zeros(len(moved)))[:, None])
        each = _ratio(sums_above, sums_below)
        scale = _ratio(np.ones_like(sums_below), sums_below)
        moved = (above - each * below) * scale
        if self.average is None:
            return np.asarray(moved)
        if self.average == "macro":
            return np.asarray(moved.mean(axis=1)[:, None])
        sizes, own = self.sums[:, :2].sum(axis=1), self.cells[..., :2].sum(axis=2)
        whole = sizes.sum()
        found = (moved @ sizes + own @ each - self.value[0] * own.sum(axis=1)) / whole if whole else 0 * moved[:, 0]
        return np.asarray(found[:, None])

    @property
    def rounding(self) -> float:
        """Of ratios beside 1."""
        return SPREAD_ROUNDING / float(self.part.weights.sum())

    @property
    def matters(self) -> None:
        """A group of cases is at an end whole."""

    def with_mass(self, made: Floats, side: int) -> Floats:
        """With cases more in the cells that move most."""
        more = float(made.sum())
        found = np.array([self.of(self.sums + more * cell) for cell in CELLS])
        if self.average == "macro":
            of_labels = replace(self, average=None)
            each = np.array([of_labels.of(self.sums + more * cell) for cell in CELLS])
            found = (side * (side * each).max(axis=0)).mean(keepdims=True)[None]
        return np.asarray(side * (side * found).max(axis=0))
