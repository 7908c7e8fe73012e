"""The numbers that a picture of a ROC curve draws, asked of the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import BANDS, Averaging, Band, Sampling
from skcostci._validation import Floats, check_number, check_option, check_share
from skcostci.cases._cases import Cases
from skcostci.displays._display import Fields, band_of, no_limits
from skcostci.statistics._auc import auc_of, auc_of_folds
from skcostci.statistics._roc_rates import roc_at_fpr_of, roc_at_positive_rate_of, roc_at_tpr_of
from skcostci.statistics._roc_threshold import roc_at_threshold_of

AVERAGING = {"fpr": "fpr", "threshold": "thresholds", "positive_rate": "positive_rate"}  # and the name of its places
HELD = "tpr", "fpr", "threshold"  # what tells where an operating point is
FEW = 8  # rectangles that can be told apart
TENTHS = np.arange(1, 10) / 10


def curve_numbers(cases: Cases, column: str, drop_intermediate: bool) -> Fields:
    """The vertices of the empirical curve and the area under it."""
    return {**_vertices(cases, column, drop_intermediate), "roc_auc": float(auc_of(cases, column))}


def roc_numbers(
    cases: Cases,
    column: str,
    *,
    averaging: Averaging = "fpr",
    fpr: ArrayLike | None = None,
    thresholds: ArrayLike | None = None,
    positive_rate: ArrayLike | None = None,
    sampling: Sampling = "stratified",
    confidence_level: float,
    band: Band | None,
    method: str | None = None,
    drop_intermediate: bool = True,
    operating_point: Mapping[str, Any] | None = None,
) -> Fields:
    """The curve, its AUC with an interval, a point of it, and the limits of one averaging at its own places."""
    check_option("averaging", averaging, AVERAGING)
    places = {"fpr": fpr, "thresholds": thresholds, "positive_rate": positive_rate}
    for name, given in places.items():
        if given is not None and name != AVERAGING[averaging]:
            raise ValueError(f"{name} goes with another averaging, got averaging={averaging!r}.")
    auc = auc_of(cases, column, sampling=sampling)
    numbers = {
        **_vertices(cases, column, drop_intermediate),
        "averaging": averaging,
        "band": band,
        "roc_auc": float(auc),
        "roc_auc_interval": tuple(auc.confidence_interval(confidence_level)),
        "confidence_level": confidence_level,
        "operating_point": point_numbers(cases, column, operating_point, confidence_level),
        "pos_label": cases.labels[1],
    }
    if band is None:
        return numbers | no_limits(confidence_level, **places, method=method)
    if check_option("band", band, BANDS) == "simultaneous" and averaging == "positive_rate":
        raise ValueError("band='simultaneous' goes with averaging='fpr' or 'threshold', got 'positive_rate'.")
    limits: Callable[..., Fields] = {"fpr": _at_fpr, "threshold": _at_threshold}.get(averaging, _at_positive_rate)
    at = places[AVERAGING[averaging]]
    return numbers | limits(cases, column, at, sampling, confidence_level, band, method)


def mean_roc_numbers(
    folds: Sequence[Cases],
    *,
    averaging: Averaging,
    fpr: ArrayLike | None,
    confidence_level: float,
    band: Band | None,
    sampling: Sampling,
    drop_intermediate: bool,
    **others: Any,
) -> Fields:
    """The mean of the folds' true-positive rates at each false-positive rate, the folds' limits combined (MOVER)."""
    unused = [name for name, value in others.items() if value is not None]
    unused += ["sampling"] if sampling != "stratified" else []
    if averaging != "fpr" or band == "simultaneous" or unused:
        raise ValueError(
            "together='mean' goes with averaging='fpr' and band='pointwise', and without "
            f"{' and '.join(unused) or 'other places'}."
        )
    results = [roc_at_fpr_of(fold, "y_score", fpr=fpr) for fold in folds]
    estimates = np.array([np.atleast_1d(result.estimate) for result in results])
    rates, tpr = np.atleast_1d(results[0].fpr), estimates.mean(axis=0)
    asked = [result.confidence_interval(confidence_level) for result in results]
    ends = [np.column_stack([np.atleast_1d(end) for end in limits]) for limits in asked]
    below, above = np.moveaxis(np.linalg.norm(np.array(ends) - estimates[..., None], axis=0) / len(folds), -1, 0)
    auc = auc_of_folds(folds, "y_score")
    return {
        "fpr": np.r_[0.0, np.sort(rates), 1.0],
        "tpr": np.r_[0.0, tpr[np.argsort(rates)], 1.0],
        "band_fpr": rates,
        "band_tpr": tpr,
        "low": None if band is None else np.maximum(tpr - below, 0.0),
        "high": None if band is None else np.minimum(tpr + above, 1.0),
        "band": band,
        "roc_auc": auc.estimate,
        "roc_auc_interval": tuple(auc.confidence_interval(confidence_level)),
        "confidence_level": confidence_level,
        "method": "combined",
        "pos_label": folds[0].labels[1],
    }


def point_numbers(cases: Cases, column: str, point: Mapping[str, Any] | None, level: float) -> Fields | None:
    """What is held at an operating point, and what of the rates is not, each with its limits."""
    if point is None:
        return None
    if not isinstance(point, Mapping) or len(point) != 1:
        raise ValueError(f"operating_point must be a mapping of one name to a number, got {point!r}.")
    ((held, given),) = point.items()
    name = f"operating_point[{check_option('the name in operating_point', held, HELD)!r}]"
    if held == "threshold":
        found = roc_at_threshold_of(cases, column, thresholds=check_number(name, given))
        return {held: float(given), "tpr": _with_limits(found.tpr, level), "fpr": _with_limits(found.fpr, level)}
    rate = check_share(name, given)
    if held == "tpr":
        return {held: rate, "fpr": _with_limits(roc_at_tpr_of(cases, column, tpr=rate), level)}
    return {held: rate, "tpr": _with_limits(roc_at_fpr_of(cases, column, fpr=rate), level)}


def _with_limits(result: Any, level: float) -> tuple[float, ...]:
    """The estimate and its limits."""
    return tuple(float(number) for number in (result.estimate, *result.confidence_interval(level)))


def _at_fpr(
    cases: Cases, column: str, fpr: ArrayLike | None, _: Sampling, level: float, band: Band, method: str | None
) -> Fields:
    """Limits of the true-positive rate."""
    result = roc_at_fpr_of(cases, column, fpr=fpr)
    limits = band_of(result, level, method, band)
    return {**limits, **_points(result.fpr, result.estimate, (limits["low"], limits["high"]))}


def _at_threshold(
    cases: Cases, column: str, thresholds: ArrayLike | None, _: Sampling, level: float, band: Band, method: str | None
) -> Fields:
    """Rectangles."""
    chosen = _spread_thresholds(cases, column) if thresholds is None else thresholds
    result = roc_at_threshold_of(cases, column, thresholds=chosen)
    everywhere = band == "simultaneous"
    region = (result.confidence_band if everywhere else result.confidence_region)(level, method=method)
    points = _points(result.fpr.estimate, result.tpr.estimate, region.tpr, region.fpr)
    return {**points, "method": method or (result.fpr.band_methods if everywhere else result.fpr.methods)[0]}


def _at_positive_rate(
    cases: Cases, column: str, shares: ArrayLike | None, sampling: Sampling, level: float, _: Band, method: str | None
) -> Fields:
    """Limits of both rates, which go together."""
    asked = TENTHS if shares is None else shares
    result = roc_at_positive_rate_of(cases, column, positive_rate=asked, sampling=sampling)
    limits, fpr_limits = (each.confidence_interval(level, method=method) for each in (result, result.fpr))
    return {**_points(result.fpr.estimate, result.estimate, limits, fpr_limits), "method": method or result.methods[0]}


def _points(fpr: Any, tpr: Any, limits: Sequence[Any], fpr_limits: Sequence[Any] = ()) -> Fields:
    """The points that are uncertain, with limits upwards and perhaps sideways; a single point is a vector of one."""
    names = ("band_fpr", "band_tpr", "low", "high", "fpr_low", "fpr_high")
    numbers = (fpr, tpr, *limits, *fpr_limits)
    return {name: np.atleast_1d(values) for name, values in zip(names, numbers, strict=False)}


def _spread_thresholds(cases: Cases, column: str) -> Floats:
    """A few observed scores, evenly spread along the curve: neither class' scores are left out."""
    ranking = cases.counts(column).ranking
    hits, alarms = ranking.reaching
    way = (alarms / alarms[-1] + hits / hits[-1]) / 2
    steps = np.arange(1, FEW + 1) / (FEW + 1)
    return np.asarray(ranking.scores[np.unique(np.searchsorted(way, steps))])


def _vertices(cases: Cases, column: str, drop_intermediate: bool) -> Fields:
    """The empirical curve from (0, 0) as scikit-learn's ``roc_curve`` has it."""
    hits, alarms = cases.counts(column).ranking.reaching
    kept = np.full(len(hits), True)
    if drop_intermediate and len(hits) > 2:
        kept[1:-1] = (np.diff(alarms, 2) != 0) | (np.diff(hits, 2) != 0)
    return {
        "fpr": np.append(0.0, alarms[kept] / alarms[-1]),
        "tpr": np.append(0.0, hits[kept] / hits[-1]),
    }
