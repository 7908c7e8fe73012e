"""The mean over folds of a metric of two classes that is no weighted sum, or whose folds hold groups: F1, kappa, LR+.

Its law is of first order, from the influences of cases or groups in their own fold (see ``_of_rows``), as are the laws
of metrics of several classes and of functions. Weighted sums of single cases have an exact law per fold: ``mean_of``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Self

import numpy as np

from skcostci._arrays import Booleans, Floats, Integers, Scores, reached
from skcostci._frozen import altered, cached_property, frozen_numbers
from skcostci._options import Sampling
from skcostci._validation._arguments import refuse_beside
from skcostci.cases._cases import Cases
from skcostci.cases._judged import JudgedCases
from skcostci.cuts import Cut
from skcostci.laws.exact._linear import LinearLaw
from skcostci.laws.exact._metric_law import CLASSES, MetricLaw
from skcostci.metric import AnyMetric, Metric, MetricLike, find_metric
from skcostci.statistics._metric import at_thresholds, binary_metric_of, check_sampling, cuts_of, range_of, values_of
from skcostci.statistics._of_rows import OfRows, Unit, check_defined, law_of_rows, merged, tables_at_mean, unit_of
from skcostci.statistics._points import mean_by_units, mean_of
from skcostci.statistics._proxies import metric_with_proxy
from skcostci.statistics._unit_means import Difference, Statistic
from skcostci.statistics._units import methods_of_units

NOT_CROSSED = {
    "sampling": "whole groups are resampled, with all their cases",
    "prevalence": "a given prevalence is not implemented here; the prevalence of the sample is used",
}


def mean_over_folds(
    cases: Cases,
    folds: Sequence[Cases],
    results: Sequence[Any],
    columns: Sequence[str],
    *,
    metric: MetricLike,
    thresholds: Any,
    sampling: Sampling | None,
    prevalence: float | None,
) -> Any:
    """The mean of the folds' results, with an exact law if the metric is a sum over single cases."""
    grouped = cases.groups is not None
    alike = len({tuple(size > 0 for size in fold.sizes) for fold in folds}) == 1  # else one lacks a class
    exact = alike and not grouped and all(isinstance(result.law, LinearLaw) for result in results)
    if sampling is None and prevalence is None and _is_rate(metric):
        exact = False  # the cases of a rate are compared with the mean over folds, as each may have few of its class
    if exact or results[0].selected:
        return mean_of(results)
    judged, each, scheme, ends = _each_part(cases, folds[0], columns, metric, thresholds, sampling, prevalence)
    law = law_of_rows(judged, each, ends, scheme)
    methods = methods_of_units(grouped=grouped, bounded=bool(np.isfinite(law.support).all()))
    return mean_by_units(results, law, methods, n_groups=cases.n_groups or None)


def _is_rate(metric: MetricLike) -> bool:
    """Whether it is a ratio of counts in one class, as the recall is."""
    found = find_metric(metric)
    return isinstance(found, Metric) and found.of == "counts" and not found.follows_share


def metric_over_levels(
    cases: Cases,
    columns: Sequence[str],
    *,
    metric: MetricLike,
    thresholds: object,
    sampling: object,
    prevalence: object,
) -> Any:
    """The mean of the results of readers, judges or seeds; whole groups are drawn, at all levels."""
    assert cases.levels is not None
    refuse_beside("crossed", {"sampling": sampling, "prevalence": prevalence}, NOT_CROSSED)
    given: dict[str, Any] = {"metric": metric, "thresholds": thresholds, "sampling": None, "prevalence": None}
    parts = cases.by_level()
    results = [binary_metric_of(part, columns, **given) for part in parts]
    first = results[0]
    if first.selected:
        raise ValueError(
            f"thresholds={thresholds!r} cannot be combined with crossed=: pass thresholds chosen beforehand."
        )
    reasons = [
        next(filter(None, each._undefined_because()), "infinite" if np.isinf(each.estimate).any() else "")
        for each in results
    ]
    check_defined(first.metric, reasons, cases.levels)
    judged, each, _, ends = _each_part(cases, parts[0], columns, *given.values())
    law = law_of_rows(judged, each, ends)
    return replace(
        first,
        estimate=frozen_numbers(law.mean, np.shape(first.estimate)),
        law=law,
        methods=methods_of_units(grouped=True, bounded=bool(np.isfinite(law.support).all())),
        estimand=replace(first.estimand, crossed=True),
        n_groups=cases.n_groups,
        levels=cases.levels.names,
    )


def metric_by_proxy(
    cases: Cases, columns: Sequence[str], *, metric: MetricLike, thresholds: object, sampling: object
) -> Any:
    if sampling == "stratified":
        raise ValueError("sampling must be left at None with proxy=: with a proxy the class sizes are not held fixed.")
    given: dict[str, Any] = {"metric": metric, "thresholds": thresholds, "sampling": None, "prevalence": None}
    parts = cases.by_proxy()
    alone = binary_metric_of(parts[0], columns, **given)
    if alone.selected:
        raise ValueError(
            f"thresholds={thresholds!r} cannot be combined with proxy=: pass thresholds chosen beforehand."
        )
    judged, each, _, ends = _each_part(cases, parts[0], columns, *given.values())
    return metric_with_proxy(judged, alone, each, ends)


def _each_part(
    cases: Cases,
    first: Cases,
    columns: Sequence[str],
    metric: MetricLike,
    thresholds: object,
    sampling: Sampling | None,
    prevalence: float | None,
) -> tuple[JudgedCases, list[Statistic], Sampling, tuple[float, float]]:
    """The cells of each fold, level or set of labels as rows, how cases are drawn, and the range."""
    found, folded = find_metric(metric), cases.folds is not None
    cuts = cuts_of(found, first, columns, thresholds, prevalence)
    at, metrics = at_thresholds(found, first, list(zip(columns, cuts, strict=True)), thresholds is not None)
    scheme, share = check_sampling(chain(*metrics), sampling, prevalence)
    if share is None and (cases.groups is not None or not folded):
        scheme = "full"  # the class mix is drawn too
    places = [_Places(cut) for _, cut in at]
    guesses = {column: place.of(cases.columns[column]) for column, place in zip(columns, places, strict=True)}
    judged = merged(JudgedCases(cases.positive.astype(np.int64), guesses, cases.rows, (False, True)))
    parts = judged.by_fold() if folded else judged.by_level() or judged.by_proxy()
    each, ends, unit = [], [], unit_of(judged, scheme)
    for part in parts:
        models = [
            CellRows(of_model, part, column, place, scheme, share, unit=unit)
            for of_model, column, place in zip(metrics, columns, places, strict=True)
        ]
        each.append(Difference.of(models))
        ends.append(range_of([model.law for model in models]))
    least, most = np.mean(ends, axis=0)
    return judged, each, scheme, (least, most)


class CellRows(OfRows):
    """Rows of class times place of the score among the thresholds: a metric of four cells, at each threshold."""

    def __init__(
        self,
        metrics: Sequence[AnyMetric],
        cases: JudgedCases,
        column: str,
        places: _Places,
        sampling: Sampling,
        prevalence: float | None,
        *,
        unit: Unit,
    ) -> None:
        self.metrics, self.hits, self.possible = tuple(metrics), places.hits, places.possible
        self.sampling, self.prevalence, self.unit = sampling, prevalence, unit
        n_places = self.hits.shape[1]
        self.rows = cases.truth * n_places + cases.columns[column]
        self.counts = np.bincount(self.rows, cases.weights, 2 * n_places).astype(np.float64)
        self.value = self._at(self.counts.reshape(2, -1))

    @property
    def counted(self) -> Booleans:
        of_classes, law = [True, True], self.law
        if self.sampling == "full" and law.of_one_class:
            of_classes = [any(side[:, part].any() for side in law.weights) for part in CLASSES[::-1]]
        return np.repeat(of_classes, self.hits.shape[1])

    @classmethod
    def slopes_at_mean(cls, each: Sequence[Self]) -> list[Floats]:
        law = each[0].law  # a metric such as kappa compares the margins, which are drawn: they have a mean over folds
        rows = 2 if law.sampling == "stratified" or law.is_ratio or law.mixes_rates else 1
        tables = tables_at_mean([model.counts.reshape(rows, -1) for model in each])
        return [altered(model, counts=table.ravel()).slopes for model, table in zip(each, tables, strict=True)]

    @property
    def law(self) -> MetricLaw:
        cells = self._cells(self.counts.reshape(2, -1))
        possible = self._cells(np.tile(self.possible.astype(np.float64), (2, 1))) > 0
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

    def with_case(self, more: float = 1.0) -> Floats:
        table = self.counts.reshape(2, -1)
        found = np.broadcast_to(self.value, (*table.shape, len(self.value))).copy()
        for i, j in np.argwhere(np.broadcast_to(self.possible, table.shape)).tolist():
            moved = table.copy()
            moved[i, j] += more
            if self.unit == "case of a class":
                moved[i] *= table[i].sum() / moved[i].sum()
            found[i, j] = self._at(moved)
        return found

    def with_counts(self, added: Floats) -> Floats:
        return self._at(self.counts.reshape(2, -1) + added)


class _Places:
    """Where scores may lie among the thresholds of a cut; labels are in places 0 and 1.

    ``hits`` is whether each place, from 0 on, reaches each threshold, shape (n_points, n_places), and ``possible``
    whether a score can be in a place.
    """

    def __init__(self, cut: Cut) -> None:
        self.thresholds: Floats = np.unique(cut.thresholds)
        passed = np.arange(len(self.thresholds) + 1)
        self.hits: Booleans = passed > np.searchsorted(self.thresholds, cut.thresholds.ravel())[:, None]
        least, most = cut.scores
        above, below = np.append(-np.inf, self.thresholds) <= most, np.append(self.thresholds, np.inf) > least
        self.possible: Booleans = above & below

    def of(self, scores: Scores) -> Integers:
        place = np.zeros(len(scores), dtype=np.int64)
        for threshold in self.thresholds:
            place += reached(scores, threshold)
        return place
