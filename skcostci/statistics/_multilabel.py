"""Metrics of several labels per case: indicator tables of truth and predictions, averaged as scikit-learn does.

The unit is the case, with all its labels. For label l the counts TP, FN, FP, TN add up over cases, and a ratio of
them is N_l / D_l, 0 where D_l is 0. With r_l = TP + FN, the cases that have the label,

    macro     mean of N_l / D_l,
    weighted  sum r_l N_l / D_l / sum r_l,
    micro     sum N_l / sum D_l,
    None      each N_l / D_l,

are functions of the sums, and the influence of a case is the gradient times what it adds to them. By ``zero_division``
N_l / D_l may be 1 where D_l is 0, or nan, which leaves the label out of averages (for "samples" the case). For truth t
and guess g influences are linear in t, g and t g, and so products of whole tables. "samples" is the mean over cases of
a case's own ratio; subset accuracy, Hamming and zero-one loss are means too. The least favourable additional case has,
for every label, the cell that moves that label's ratio most; for "micro" and "weighted" the same cell for all labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import Floats, as_array
from skcostci._frozen import cached_property
from skcostci._validation._arguments import check_option
from skcostci._validation._rows import GivenRows
from skcostci._warnings import warn_caller
from skcostci.cases._cases import Cases
from skcostci.cases._design import Part
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.influence._first_order import OF_COUNTS
from skcostci.metric import (
    ACCURACY,
    HAMMING,
    AnyMetric,
    Metric,
    MetricLike,
    RiskMetric,
    check_zero_division,
    find_metric,
    has_average,
)
from skcostci.statistics._metric import AnyResult, HowJudged, result_of_units
from skcostci.statistics._of_rows import STEP, Array, average_of, averaged_sums, cells_of, ratio, sides_of
from skcostci.statistics._units import ClassMeans, Difference, OfSums, Ratio, Statistic, law_of_models, methods_of_units

LABEL_AVERAGES = ("micro", "macro", "weighted", "samples")
CELLS = np.eye(4)[..., None]  # of one label of one case: TP, FN, FP, TN
NO_CASE = 1e-13  # of all weight: less in a cell is rounding


def check_multilabel(
    y_true: ArrayLike,
    columns: Mapping[str, ArrayLike],
    metric: MetricLike,
    how: HowJudged,
    alone: Sequence[str],
    **rows: Unpack[GivenRows],
) -> Cases:
    """The cases of several labels each; ``alone`` are given options that are for one label per case."""
    if alone:
        shape = as_array("y_true", y_true).shape
        raise ValueError(
            f"y_true must be one-dimensional with {alone[0]}, got shape {shape}: leave {alone[0]} out for a table "
            "with a column per label."
        )
    _check_average(find_metric(metric), how.average)
    check_zero_division(find_metric(metric), how.zero_division)
    if how.average is None and math.isnan(how.empty):
        raise ValueError("zero_division=nan is for averages, got average=None: pass only labels that have a value.")
    return Cases.check_labels(y_true, columns, predicted=True, **rows)


def multilabel_metric_of(cases: Cases, columns: Sequence[str], metric: MetricLike, how: HowJudged) -> AnyResult:
    found, design = find_metric(metric), cases.design()
    models = [
        [_statistic(part, cases.truth, cases.columns[name], found, how) for name in columns] for part in design.parts
    ]
    if any(np.isnan(each.value).any() for part in models for each in part):
        raise ValueError(
            f"{found.name} has no value: its denominator is 0 for every label or case; pass zero_division=0 or 1."
        )
    ratios = [each for part in models for each in part if isinstance(each, LabelRatios)]
    if how.zero_division == "warn" and any((each.sums[1] == 0).any() for each in ratios):
        warn_caller(f"{found.name} has no value for some label: 0 is used.", UndefinedMetricWarning)
    law = law_of_models(design, models, (0.0, 1.0), OF_COUNTS)
    methods = methods_of_units(grouped=cases.groups is not None)
    return result_of_units(cases, [*map(Difference.of, models)], law, methods, found, how)


def _check_average(metric: AnyMetric | RiskMetric, average: str | None) -> None:
    if metric in (ACCURACY, HAMMING):
        if average != "binary":
            raise ValueError(
                f"average is not available for {metric.name} with several labels per case, which is computed over "
                "cases; leave it out."
            )
        return
    if not has_average(metric):
        raise ValueError(
            f"y_true must have one label per case for {metric.name}, got a table; with several labels per case "
            "use accuracy, hamming, precision, recall, f1, jaccard or another ratio of counts. Of a one-hot table pass "
            "np.argmax(np.asarray(y_true), axis=1)."
        )
    if average is not None:
        check_option("average", average, LABEL_AVERAGES, " Or None: one value per label.")


def _statistic(
    part: Part, truth: NDArray[Any], guess: NDArray[Any], metric: AnyMetric | RiskMetric, how: HowJudged
) -> Statistic:
    truth, guess = (np.asarray(table[part.rows], dtype=np.float64) for table in (truth, guess))
    if not has_average(metric):  # the subset accuracy, or the Hamming loss
        values = (truth == guess).all(axis=1) if metric is ACCURACY else (truth != guess).mean(axis=1)
        return ClassMeans.of_all(part, values[:, None].astype(np.float64), 0.0, 1.0)
    if how.average == "samples":
        each = cells_of((truth * guess).sum(axis=1), truth.sum(axis=1), guess.sum(axis=1), truth.shape[1])
        above, below = sides_of(metric, each)
        values, there = ratio(above, below, how.empty), below != 0
        if math.isnan(how.empty) and there.any() and not there.all():  # the mean of those that have a value
            return Ratio(part, np.where(there, values, 0.0), there.astype(np.float64), ((0.0, 1.0), (1.0, 1.0)))
        return ClassMeans.of_all(part, values[:, None], 0.0, 1.0)
    return LabelRatios(part, truth, guess, truth * guess, metric, how.average, how.empty)


@dataclass(frozen=True, repr=False, eq=False)
class LabelRatios(OfSums):
    """A ratio of counts, averaged over labels; ``moved`` is added to numerators so that ratios are the center.

    ``both`` is 1 where a label is true and predicted, else 0.
    """

    part: Part
    truth: Floats
    guess: Floats
    both: Floats
    metric: Metric
    average: str | None
    empty: float
    moved: Floats | float = 0.0

    @property
    def center(self) -> Floats:
        """The ratio of each label, or of all labels together; NaN where there are no counts."""
        return average_of(*self.sums, self.sums[1], "micro" if self.average == "micro" else None, math.nan)

    def at(self, center: Floats) -> Self:
        above, below = self.sums
        return replace(self, moved=center * below - above + self.moved)

    @cached_property
    def sums(self) -> tuple[Array, Array]:
        return self._sides_at(self.counts)

    def _sides_at(self, counts: Array) -> tuple[Array, Array]:
        above, below = sides_of(self.metric, [*counts])
        return above + self.moved, below

    @cached_property
    def counts(self) -> Floats:
        """The counts of each label, shape (4, n_labels)."""
        weights = self.part.weights.astype(np.float64)
        whole = float(weights.sum())
        found = np.array(cells_of(weights @ self.both, weights @ self.truth, weights @ self.guess, whole))
        return np.where(np.abs(found) > NO_CASE * whole, found, 0.0)

    def of(self, counts: Floats) -> Floats:
        """The value, or one per label."""
        return average_of(*self._sides_at(counts), counts[:2].sum(axis=0), self.average, self.empty)

    @property
    def value(self) -> Floats:
        return self.of(self.counts)

    @cached_property
    def influences(self) -> Floats:
        """From the slopes of the value, or of the label's, in the count of each cell of each label."""

        def terms(counts: Array) -> tuple[Array, Array]:
            return averaged_sums(*self._sides_at(counts), counts[:2].sum(axis=0), self.average, self.empty)

        slopes = np.array([terms(self.counts + STEP * 1j * cell) for cell in CELLS]).imag / STEP
        (above, below), whole = np.swapaxes(slopes, 0, 1), terms(self.counts)[1]
        if self.average is not None:
            whole = whole.sum(keepdims=True)
        both, had, given, none = (above - self.value * below) * ratio(np.ones_like(whole), whole)
        linear = had - none, given - none, both - had - given + none
        tables = self.truth, self.guess, self.both
        if self.average is None:
            return np.asarray(none + sum(table * each for table, each in zip(tables, linear, strict=True)))
        of_all = none.sum() + sum(table @ each for table, each in zip(tables, linear, strict=True))
        return np.asarray(of_all)[:, None]

    @property
    def rounding(self) -> float:
        """Relative to ratios of 1."""
        return SPREAD_ROUNDING / float(self.part.weights.sum())

    def with_additional(self, made: Floats, side: int) -> Floats:
        judged = replace(self, average=None) if self.average == "macro" else self  # each label in its own cell
        found = [judged.of(self.counts + float(made.sum()) * cell) for cell in CELLS]
        worst = np.asarray(side * np.fmax.reduce(side * np.array(found), axis=0))
        return worst.mean(keepdims=True) if self.average == "macro" else worst
