"""The numbers that pictures of metrics draw, asked of the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Floats, check_threshold_points
from skcostci.cases._cases import Cases
from skcostci.cuts import observed_thresholds
from skcostci.displays._limits import limits_of
from skcostci.metric import AnyMetric, Metric, find_metric
from skcostci.statistics._metric import metric_of
from skcostci.statistics._metric_difference import metric_difference_of


def precision_recall_numbers(
    cases: Cases,
    column: str,
    *,
    confidence_level: float = 0.95,
    method: str | None = None,
    drop_intermediate: bool = False,
) -> dict[str, Any]:
    """The curve, and limits of the precision at the distinct scores or at 101 of them.

    Parameters
    ----------
    confidence_level : float, default=0.95
        Of the pointwise band.
    method : str, default=None
        Interval method of the precision; None is the default of :func:`bootstrap_metric`.
    drop_intermediate : bool, default=False
        Whether to leave out points between others of the same recall.
    """
    thresholds = observed_thresholds(cases.counts(column))
    precision = metric_of(cases, column, "precision", thresholds=thresholds)
    return {
        **precision_recall_curve(cases, column, drop_intermediate),
        "band_recall": metric_of(cases, column, "recall", thresholds=thresholds).estimate,
        "thresholds": thresholds,
        "pos_label": cases.labels[1],
        **limits_of(precision, confidence_level, method),
    }


def precision_recall_curve(cases: Cases, column: str, drop_intermediate: bool) -> dict[str, Any]:
    """The curve as scikit-learn's function of this name has it, its average and the precision of guessing."""
    counts = cases.counts(column)
    hits, alarms = counts.ranking.reaching
    kept = np.full(len(hits), True)
    if drop_intermediate and len(hits) > 2:
        kept[1:-1] = (np.diff(hits[:-1]) != 0) | (np.diff(hits[1:]) != 0)
    hits, alarms = hits[kept][::-1], alarms[kept][::-1]
    return {
        "precision": np.append(hits / (hits + alarms), 1.0),
        "recall": np.append(hits / hits[0], 0.0),
        "average_precision": counts.average_precision,
        "prevalence_pos_label": cases.sizes[0] / sum(cases.sizes),
    }


def decision_numbers(
    cases: Cases,
    column: str,
    *,
    thresholds: ArrayLike | None = None,
    standardized: bool = False,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    method: str | None = None,
) -> dict[str, Any]:
    """Net benefit at each threshold probability with its limits, and that of treating everybody.

    Parameters
    ----------
    thresholds : array-like of shape (n_points,), default=None
        Threshold probabilities in [0, 1), on the scale of the scores, which are risks; None is .01, .02, ..., .99.
    standardized : bool, default=False
        Divide by the share of positives, so that treating exactly the positives is worth 1.
    prevalence : float, default=None
        The share of positives to judge at, in (0, 1); None is that of the cases.
    confidence_level : float, default=0.95
        Of the pointwise band.
    method : str, default=None
        Interval method; None is the default of :func:`bootstrap_metric`.
    """
    chosen, name = _decisions(thresholds, standardized)
    result = metric_of(cases, column, name, thresholds=chosen, prevalence=prevalence)
    share = cases.sizes[0] / sum(cases.sizes) if prevalence is None else prevalence
    everybody = share - (1 - share) * chosen / (1 - chosen)
    return {
        "threshold_probability": chosen,
        "net_benefit": result.estimate,
        "treat_all": everybody / share if standardized else everybody,
        "standardized": standardized,
        "pos_label": cases.labels[1],
        **limits_of(result, confidence_level, method),
    }


def decision_difference_numbers(
    cases: Cases,
    a: str,
    b: str,
    *,
    thresholds: ArrayLike | None = None,
    standardized: bool = False,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    method: str | None = None,
) -> dict[str, Any]:
    """The net benefit of one model less that of the other at each threshold probability, with its limits.

    Parameters
    ----------
    thresholds : array-like of shape (n_points,), default=None
        Threshold probabilities in [0, 1), on the scale of the scores, which are risks; None is .01, .02, ..., .99.
    standardized : bool, default=False
        Divide by the share of positives.
    prevalence : float, default=None
        The share of positives to judge at, in (0, 1); None is that of the cases.
    confidence_level : float, default=0.95
        Of the pointwise bands.
    method : str, default=None
        Interval method; None is the default of :func:`bootstrap_metric_difference`. The curves have their own.
    """
    chosen, name = _decisions(thresholds, standardized)
    result = metric_difference_of(cases, a, b, name, thresholds=chosen, prevalence=prevalence)
    return {
        "threshold_probability": chosen,
        "difference": result.estimate,
        "standardized": standardized,
        "pos_label": cases.labels[1],
        **limits_of(result, confidence_level, method),
    }


def _decisions(thresholds: ArrayLike | None, standardized: bool) -> tuple[Floats, str]:
    """Threshold probabilities, and the name of the metric."""
    asked = np.arange(1, 100) / 100 if thresholds is None else thresholds
    chosen = np.atleast_1d(check_threshold_points("thresholds", asked))
    return chosen, "standardized_net_benefit" if standardized else "net_benefit"


def threshold_numbers(
    cases: Cases,
    column: str,
    *,
    metrics: str | Metric | Sequence[str | Metric] = ("precision", "recall", "f1"),
    thresholds: ArrayLike | None = None,
    chosen: float | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    method: str | None = None,
) -> dict[str, Any]:
    """Metrics at each threshold with their limits.

    Parameters
    ----------
    metrics : str, Metric or sequence of them, default=("precision", "recall", "f1")
        As in :func:`bootstrap_metric`.
    thresholds : array-like of shape (n_points,), default=None
        The thresholds; None is the distinct scores but for the lowest, or up to 101 of them.
    chosen : float, default=None
        A threshold to mark.
    prevalence : float, default=None
        The share of positives to judge at, in (0, 1); None is that of the cases.
    confidence_level : float, default=0.95
        Of the pointwise bands.
    method : str, default=None
        Interval method of all of them; None is the default of each.
    """
    each: Sequence[Any] = [metrics] if isinstance(metrics, str | AnyMetric) else list(metrics)
    if thresholds is None:
        every = observed_thresholds(cases.counts(column))
        thresholds = every[:-1] if len(every) > 1 else every
    points = np.atleast_1d(check_threshold_points("thresholds", thresholds))
    results = [metric_of(cases, column, one, thresholds=points, prevalence=prevalence) for one in each]
    bands = [limits_of(result, confidence_level, method) for result in results]
    names = tuple(band["method"] for band in bands)
    return {
        "thresholds": points,
        "values": np.array([result.estimate for result in results]),
        "low": np.array([band["low"] for band in bands]),
        "high": np.array([band["high"] for band in bands]),
        "labels": [_label(find_metric(one)) for one in each],
        "chosen": chosen,
        "confidence_level": confidence_level,
        "method": names[0] if len(set(names)) == 1 else names,
        "pos_label": cases.labels[1],
    }


def _label(found: Any) -> str:
    """What a legend calls a metric, or one that follows the threshold."""
    return str((found if isinstance(found, AnyMetric) else found(0.0)).label)
