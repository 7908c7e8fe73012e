"""scikit-learn's measures of how labels, or documents, are ranked for each case: means over cases, here per case.

A case has gains y_l (1 where it has the label, 0 elsewhere) and scores s_l of L labels, m of which it has:

    label ranking average precision   mean over its labels of the share of its labels among those scored as high,
    coverage error                    how far down the ranking its last label is, 0 where it has none,
    label ranking loss                the share of pairs of a label that it has and one that it has not in the wrong
                                      order or tied,
    DCG                               sum_l y_l d(rank of l), d(r) = 1 / log_b(r + 1), 0 beyond k; tied labels share
                                      the sum of the d of their ranks,
    NDCG                              DCG over that of the ranking by the gains, 0 without any.

Where a case has all labels or none its ranking has no errors: a precision of 1, a loss of 0. The function itself is
called once; if the formula does not give its value it is evaluated row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Booleans, Floats, Weights
from skcostci.cases._design import Design
from skcostci.cases._judged import JudgedCases
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.statistics._contests import case_areas, tied_runs
from skcostci.statistics._known_functions import SAME_VALUE
from skcostci.statistics._unit_means import ClassMeans, Difference, Statistic
from skcostci.statistics._units import law_of_models
from skcostci.tables import WeightedMetric


def label_precisions(gains: Floats, scores: Floats) -> Floats:
    return np.where(_of_one_kind(gains), 1.0, case_areas(gains > 0, scores, "average_precision"))


def coverages(gains: Floats, scores: Floats) -> Floats:
    """How many labels are scored as high as the lowest one that the case has."""
    lowest = np.where(gains > 0, scores, np.inf).min(axis=1)
    return np.asarray((scores >= lowest[:, None]).sum(axis=1), dtype=np.float64)


def ranking_losses(gains: Floats, scores: Floats) -> Floats:
    """The share of pairs of labels in the wrong order; ties count as wrong."""
    had = gains > 0
    order = np.argsort(-scores, axis=1, kind="stable")
    hits = np.take_along_axis(had, order, axis=1).astype(np.float64)
    _, last = tied_runs(np.take_along_axis(scores, order, axis=1))
    m = hits.sum(axis=1)
    missed = last + 1 - np.take_along_axis(np.cumsum(hits, axis=1), last, axis=1)  # others scored as high
    pairs = m * (had.shape[1] - m)
    return np.asarray(np.divide((hits * missed).sum(axis=1), pairs, out=np.zeros(len(m)), where=pairs > 0))


def discounted_gains(
    gains: Floats, scores: Floats, k: int | None = None, log_base: float = 2, ignore_ties: bool = False
) -> Floats:
    """DCG of each case; if ties are ignored, in scikit-learn's order of equal scores."""
    discounts = discounts_of(gains.shape[1], k, log_base)
    if ignore_ties:
        order = np.argsort(scores)[:, ::-1]
        return np.asarray(np.take_along_axis(gains, order, axis=1) @ discounts)
    order = np.argsort(-scores, axis=1, kind="stable")
    ordered, ranked = (np.take_along_axis(each, order, axis=1) for each in (scores, gains))
    first, last = tied_runs(ordered)
    up_to = np.concatenate([[0.0], np.cumsum(discounts)])
    return np.asarray((ranked * (up_to[last + 1] - up_to[first]) / (last + 1 - first)).sum(axis=1))


def normalized_gains(gains: Floats, scores: Floats, k: int | None = None, ignore_ties: bool = False) -> Floats:
    found, best = discounted_gains(gains, scores, k, ignore_ties=ignore_ties), discounted_gains(gains, gains, k)
    return np.divide(found, best, out=np.zeros_like(found), where=best > 0)


def discounts_of(width: int, k: int | None = None, log_base: float = 2) -> Floats:
    """The factor d of a gain at each rank."""
    discounts = np.log(log_base) / np.log(np.arange(width) + 2)
    discounts[width if k is None else k :] = 0
    return np.asarray(discounts)


def _of_one_kind(gains: Floats) -> Booleans:
    return np.asarray((gains > 0).all(axis=1) | ~(gains > 0).any(axis=1))


RANKINGS: dict[str, Callable[..., Floats]] = {
    "label_ranking_average_precision_score": label_precisions,
    "coverage_error": coverages,
    "label_ranking_loss": ranking_losses,
    "dcg_score": discounted_gains,
    "ndcg_score": normalized_gains,
}


def ranking_law(
    metric: WeightedMetric, cases: JudgedCases, columns: Sequence[str]
) -> tuple[FirstOrderLaw, list[Statistic]] | None:
    if not metric.function.__module__.startswith("sklearn.") or metric.function.__name__ not in RANKINGS:
        return None
    models = [_of_cases(metric, cases.truth, cases.columns[name], cases.weights) for name in columns]
    if any(values is None for values in models):
        return None
    design = Design(cases.rows)
    low, high = metric.range
    parts = [
        [ClassMeans.of_all(part, np.asarray(values)[part.rows, None], low, high) for values in models]
        for part in design.parts
    ]
    law = law_of_models(design, parts, metric.range, OF_COUNTS)
    return law, [*map(Difference.of, parts)]


def with_range(metric: WeightedMetric, cases: JudgedCases) -> WeightedMetric:
    """The measure with its range for tables of 0 and 1, if the metric has no range of its own."""
    name, truth = metric.function.__name__, cases.truth
    if name not in RANKINGS or truth.ndim < 2 or np.isfinite(metric.range).all():
        return metric
    most = np.inf
    if name == "coverage_error":
        most = float(truth.shape[1])
    elif name == "dcg_score" and ((truth == 0) | (truth == 1)).all():
        options = {key: value for key, value in metric.options if key != "ignore_ties"}
        most = float(discounts_of(truth.shape[1], **options).sum())
    return replace(metric, range=(0.0, most))


def _of_cases(
    metric: WeightedMetric, truth: NDArray[np.generic], scores: NDArray[np.generic], weights: Weights
) -> Floats | None:
    if truth.ndim < 2 or truth.shape != scores.shape or {truth.dtype.kind, scores.dtype.kind} - set("biuf"):
        return None
    try:
        values = RANKINGS[metric.function.__name__](
            truth.astype(np.float64), scores.astype(np.float64), **dict(metric.options)
        )
    except TypeError:  # an option that is not known here
        return None
    expected = metric(truth, scores, weights.astype(np.float64))
    return values if np.isclose(np.average(values, weights=weights), expected, rtol=SAME_VALUE, atol=0) else None
