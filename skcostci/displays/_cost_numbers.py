"""The numbers that pictures of cost curves and their differences draw, asked of the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import BANDS, Band, Sampling
from skcostci._validation import check_option
from skcostci.cases._cases import Cases
from skcostci.cuts import ThresholdRule
from skcostci.displays._limits import band_of, limits_of
from skcostci.geometry.cost_curve import cost_curve_of
from skcostci.statistics._cost import GroupedCostResult, cost_of, mean_cost
from skcostci.statistics._cost_difference import GroupedCostDifferenceResult, cost_difference_of
from skcostci.statistics._roc_threshold import roc_at_threshold_of

PairRule = ThresholdRule | tuple[ThresholdRule, ThresholdRule]


def cost_numbers(
    cases: Cases,
    column: str,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule = "envelope",
    sampling: Sampling = "stratified",
    confidence_level: float = 0.95,
    band: Band = "pointwise",
    method: str | None = None,
) -> dict[str, Any]:
    """The curve with its limits, the operating range of the envelope, and the lines of the thresholds.

    Parameters
    ----------
    probability_cost : int, float or array-like of shape (n_points,), default=101
        As in :func:`bootstrap_cost`.
    thresholds : str, array-like of shape (n_points,) or callable, default="envelope"
        As in :func:`bootstrap_cost`.
    sampling : {"stratified", "full"}, default="stratified"
        As in :func:`bootstrap_cost`.
    confidence_level : float, default=0.95
        Of the band.
    band : {"pointwise", "simultaneous"}, default="pointwise"
        Limits that hold at each operating condition, or at all of them at once.
    method : str, default=None
        Method of the interval or of the band; None is the default of :func:`bootstrap_cost`.
    """
    result = cost_of(cases, column, probability_cost=probability_cost, thresholds=thresholds, sampling=sampling)
    envelope = isinstance(thresholds, str) and thresholds == "envelope"
    rates = roc_at_threshold_of(cases, column)
    return {
        "cost": result.estimate,
        "operating_range": cost_curve_of(cases.counts(column)).operating_range() if envelope else None,
        "cost_lines": np.column_stack([rates.fpr.estimate, 1 - np.asarray(rates.tpr.estimate)]),
        "pos_label": cases.labels[1],
        **_with_limits(result, confidence_level, band, method),
    }


def mean_cost_numbers(
    folds: Sequence[Cases],
    *,
    confidence_level: float = 0.95,
    band: Band = "pointwise",
    method: str | None = None,
    **question: Any,
) -> dict[str, Any]:
    """The mean of the folds' costs at thresholds given beforehand, with its limits."""
    if check_option("band", band, BANDS) != "pointwise":
        raise ValueError("band must be 'pointwise' with together='mean', got 'simultaneous'.")
    result = mean_cost([cost_of(fold, "y_score", **question) for fold in folds])
    axis = {"probability_cost": result.probability_cost, "cost": result.estimate, "pos_label": folds[0].labels[1]}
    return {**axis, **limits_of(result, confidence_level, method)}


def difference_numbers(
    cases: Cases,
    a: str,
    b: str,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: PairRule = "envelope",
    sampling: Sampling = "stratified",
    confidence_level: float = 0.95,
    band: Band = "pointwise",
    method: str | None = None,
) -> dict[str, Any]:
    """The difference of two models with its limits, and where one of them is significantly cheaper.

    Parameters
    ----------
    probability_cost : int, float or array-like of shape (n_points,), default=101
        As in :func:`bootstrap_cost_difference`.
    thresholds : str, array-like of shape (n_points,), callable or tuple of two of these, default="envelope"
        As in :func:`bootstrap_cost_difference`.
    sampling : {"stratified", "full"}, default="stratified"
        As in :func:`bootstrap_cost_difference`.
    confidence_level : float, default=0.95
        Of the band, and of what is called significant.
    band : {"pointwise", "simultaneous"}, default="pointwise"
        Limits that hold at each operating condition, or at all of them at once; what is called significant is where
        they leave out 0.
    method : str, default=None
        Method of the interval or of the band; None is the default of :func:`bootstrap_cost_difference`. The cost curves
        have their own.
    """
    result = cost_difference_of(
        cases, a, b, probability_cost=probability_cost, thresholds=thresholds, sampling=sampling
    )
    cheaper = result.significant(confidence_level, simultaneous=band == "simultaneous", method=method)
    return {
        "difference": result.estimate,
        "cheaper_a": cheaper.a,
        "cheaper_b": cheaper.b,
        "pos_label": cases.labels[1],
        **_with_limits(result, confidence_level, band, method),
    }


def _with_limits(
    result: GroupedCostResult | GroupedCostDifferenceResult, confidence_level: float, band: Band, method: str | None
) -> dict[str, Any]:
    """The limits of a curve, which needs two points."""
    if np.size(result.probability_cost) < 2:
        raise ValueError("probability_cost must hold at least two operating conditions to draw a curve, got 1.")
    return {"probability_cost": result.probability_cost, **band_of(result, confidence_level, method, band)}
