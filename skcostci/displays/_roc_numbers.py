"""The numbers that a picture of a ROC curve draws, asked of the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import roc_curve

from skcostci._validation import check_option
from skcostci.displays._scores import Cases
from skcostci.statistics._auc import bootstrap_auc
from skcostci.statistics._roc_fpr import bootstrap_roc_at_fpr
from skcostci.statistics._roc_positive_rate import bootstrap_roc_at_positive_rate
from skcostci.statistics._roc_threshold import bootstrap_roc_at_threshold

AVERAGING = {"fpr": "fpr", "threshold": "thresholds", "positive_rate": "positive_rate"}  # and the name of its places
FEW = 8  # rectangles that can be told apart
TENTHS = np.arange(1, 10) / 10

Numbers = dict[str, Any]


def curve_numbers(cases: Cases) -> Numbers:
    """The vertices of the empirical curve and the area under it."""
    return {**_vertices(cases), "roc_auc": float(bootstrap_auc(*cases.scores, **cases.options))}


def confidence_numbers(
    cases: Cases,
    averaging: str,
    places: Mapping[str, ArrayLike | None],
    sampling: str,
    confidence_level: float,
    method: str | None,
) -> Numbers:
    """The curve, its AUC with an interval, and the limits of one averaging at its places with their method."""
    check_option("averaging", averaging, AVERAGING)
    for name, given in places.items():
        if given is not None and name != AVERAGING[averaging]:
            raise ValueError(f"{name} goes with another averaging, got averaging={averaging!r}.")
    auc = bootstrap_auc(*cases.scores, sampling=sampling, **cases.options)
    limits: Callable[..., Numbers] = {"fpr": _at_fpr, "threshold": _at_threshold}.get(averaging, _at_positive_rate)
    return {
        **limits(cases, places[AVERAGING[averaging]], sampling, confidence_level, method),
        **_vertices(cases),
        "roc_auc": float(auc),
        "roc_auc_interval": tuple(auc.confidence_interval(confidence_level)),
    }


def _at_fpr(cases: Cases, fpr: ArrayLike | None, _: str, level: float, method: str | None) -> Numbers:
    """Limits of the true-positive rate."""
    result = bootstrap_roc_at_fpr(*cases.scores, fpr=fpr, **cases.options)
    low, high = result.confidence_interval(level, method=method)
    points = _points(band_fpr=result.fpr, band_tpr=result.estimate, low=low, high=high)
    return {**points, "method": method or result.methods[0]}


def _at_threshold(cases: Cases, thresholds: ArrayLike | None, _: str, level: float, method: str | None) -> Numbers:
    """Rectangles."""
    chosen = _spread_thresholds(cases) if thresholds is None else thresholds
    result = bootstrap_roc_at_threshold(*cases.scores, thresholds=chosen, **cases.options)
    region = result.confidence_region(level, method=method)
    points = _points(
        band_fpr=result.fpr.estimate,
        band_tpr=result.tpr.estimate,
        low=region.tpr.low,
        high=region.tpr.high,
        fpr_low=region.fpr.low,
        fpr_high=region.fpr.high,
    )
    return {**points, "method": method or result.fpr.methods[0]}


def _at_positive_rate(
    cases: Cases, positive_rate: ArrayLike | None, sampling: str, level: float, method: str | None
) -> Numbers:
    """Limits of both rates, which go together."""
    rates = TENTHS if positive_rate is None else positive_rate
    result = bootstrap_roc_at_positive_rate(*cases.scores, positive_rate=rates, sampling=sampling, **cases.options)
    low, high = result.confidence_interval(level, method=method)
    fpr_low, fpr_high = result.fpr.confidence_interval(level, method=method)
    points = _points(
        band_fpr=result.fpr.estimate,
        band_tpr=result.estimate,
        low=low,
        high=high,
        fpr_low=fpr_low,
        fpr_high=fpr_high,
    )
    return {**points, "method": method or result.methods[0]}


def _points(**numbers: ArrayLike) -> Numbers:
    """A single point is a vector of one."""
    return {name: np.atleast_1d(values) for name, values in numbers.items()}


def _spread_thresholds(cases: Cases) -> NDArray[np.float64]:
    """A few observed scores, evenly spread along the curve: neither class' scores are left out."""
    fpr, tpr, thresholds = _curve(cases, drop_intermediate=False)
    way = (fpr + tpr) / 2
    steps = np.arange(1, FEW + 1) / (FEW + 1)
    return np.asarray(thresholds[np.unique(np.searchsorted(way, steps))])


def _vertices(cases: Cases) -> Numbers:
    """The corners of the empirical curve."""
    fpr, tpr, _ = _curve(cases, drop_intermediate=True)
    return {"fpr": fpr, "tpr": tpr}


def _curve(cases: Cases, drop_intermediate: bool) -> tuple[NDArray[np.float64], ...]:
    """scikit-learn's ROC curve."""
    y_true, y_score = map(np.asarray, cases.scores)
    fpr, tpr, thresholds = roc_curve(y_true, y_score, **cases.options, drop_intermediate=drop_intermediate)
    return fpr, tpr, thresholds
