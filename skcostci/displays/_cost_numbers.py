"""The numbers that a picture of a cost curve draws, asked of the results."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci.cuts import ThresholdRule
from skcostci.displays._scores import Cases
from skcostci.geometry.cost_curve import CostCurve
from skcostci.statistics._cost import CostResult, bootstrap_cost, bootstrap_cost_difference
from skcostci.statistics._roc_threshold import bootstrap_roc_at_threshold

PairRule = ThresholdRule | tuple[ThresholdRule, ThresholdRule]


def cost_result(
    cases: Cases, probability_cost: int | ArrayLike, thresholds: ThresholdRule, sampling: str
) -> CostResult:
    """The cost at enough operating conditions for a curve."""
    result = bootstrap_cost(
        *cases.scores, probability_cost=probability_cost, thresholds=thresholds, sampling=sampling, **cases.options
    )
    check_curve(result.probability_cost)
    return result


def cost_numbers(
    cases: Cases,
    probability_cost: int | ArrayLike,
    thresholds: ThresholdRule,
    sampling: str,
    confidence_level: float,
    method: str | None,
) -> dict[str, Any]:
    """The curve with its limits, the operating range of the envelope, and the lines of the thresholds."""
    result = cost_result(cases, probability_cost, thresholds, sampling)
    low, high = result.confidence_interval(confidence_level, method=method)
    envelope = isinstance(thresholds, str) and thresholds == "envelope"
    rates = bootstrap_roc_at_threshold(*cases.scores, **cases.options)
    return {
        "probability_cost": result.probability_cost,
        "cost": result.estimate,
        "low": low,
        "high": high,
        "operating_range": CostCurve.from_predictions(*cases.scores, **cases.options).operating_range()
        if envelope
        else None,
        "cost_lines": np.column_stack([rates.fpr.estimate, 1 - np.asarray(rates.tpr.estimate)]),
        "confidence_level": confidence_level,
        "method": method or result.methods[0],
        "pos_label": cases.positive,
    }


def difference_numbers(
    cases: tuple[Cases, Cases],
    probability_cost: int | ArrayLike,
    thresholds: PairRule,
    sampling: str,
    confidence_level: float,
    method: str | None,
) -> dict[str, Any]:
    """The difference of two models with its limits, and where one of them is significantly cheaper."""
    a, b = cases
    options = {"probability_cost": probability_cost, "sampling": sampling, **a.options}
    result = bootstrap_cost_difference(*a.scores, b.y_score, thresholds=thresholds, **options)
    check_curve(result.probability_cost)
    low, high = result.confidence_interval(confidence_level, method=method)
    cheaper = result.significant(confidence_level, method=method)
    return {
        "probability_cost": result.probability_cost,
        "difference": result.estimate,
        "low": low,
        "high": high,
        "cheaper_a": cheaper.a,
        "cheaper_b": cheaper.b,
        "confidence_level": confidence_level,
        "method": method or result.methods[0],
        "pos_label": a.positive,
    }


def each_model(
    cases: tuple[Cases, Cases],
    probability_cost: int | ArrayLike,
    thresholds: PairRule,
    sampling: str,
    confidence_level: float,
) -> list[tuple[Cases, int | ArrayLike, ThresholdRule, str, float]]:
    """What is asked of each of two models by itself."""
    rules = thresholds if isinstance(thresholds, tuple) else (thresholds, thresholds)
    return [(each, probability_cost, rule, sampling, confidence_level) for each, rule in zip(cases, rules, strict=True)]


def check_curve(conditions: ArrayLike) -> None:
    """A curve needs two points."""
    if np.size(conditions) < 2:
        raise ValueError("probability_cost must hold at least two operating conditions to draw a curve, got 1.")
