"""Interval methods: each a small function of a law and of the tail probabilities its limits leave below them.

A limit function takes a law and ``q`` of shape (n_limits, 1) and returns limits of shape (n_limits, n_points). A
two-sided 95 % interval asks for q = .025 and .975; a one-sided one asks for one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from skcostci._intervals_auc import (
    delong,
    delong_logit,
    hanley_mcneil,
    logit_normal,
    logit_t,
    max_variance,
    mover,
    newcombe,
    pseudo_case,
)
from skcostci._intervals_error_count import chebyshev, exponential, gaussian, optimal
from skcostci._validation import Floats
from skcostci.laws import LinearLaw, VerticalLaw

SMOOTHING = 1.5  # pseudo-cases a class of "smoothed", chosen by benchmarks/coverage.py --tune smoothing


class ConfidenceInterval(NamedTuple):
    """The two ends of a confidence interval, floats or arrays with one entry a point.

    Attributes
    ----------
    low, high : float or ndarray of shape (n_points,)
        The ends, inside the parameter's range.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_threshold
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> rates = bootstrap_roc_at_threshold(y_true, y_score, thresholds=0.5)
    >>> low, high = rates.tpr.confidence_interval(0.9)
    >>> round(low, 3), round(high, 3)
    (0.4, 1.0)
    """

    low: float | NDArray[np.float64]
    high: float | NDArray[np.float64]


def wald(law: LinearLaw, q: Floats) -> Floats:
    """A Gaussian with the law's exact mean and variance."""
    return np.asarray(law.mean + ndtri(q) * np.sqrt(law.variance))


def agresti(law: LinearLaw, q: Floats) -> Floats:
    """A Gaussian with the moments of the law smoothed as Agresti-Coull (one model) or Agresti-Min (a pair) do."""
    return wald(law.smoothed(law.agresti), q)


def percentile(law: LinearLaw, q: Floats) -> Floats:
    """Quantiles of the exact law."""
    return law.quantile(np.broadcast_to(q, (len(q), len(law.mean))))


def smoothed(law: LinearLaw, q: Floats) -> Floats:
    """Quantiles of the exact law of the cells with a few pseudo-cases added."""
    return percentile(law.smoothed(SMOOTHING), q)


def wilson(law: LinearLaw, q: Floats) -> Floats:
    """Score limits of each class's rate, combined by MOVER: distances from the estimate add in squares."""
    z = ndtri(q)
    distances = [
        np.subtract(*reversed(stratum.support)) * (_wilson_score(stratum.share, stratum.draws, z) - stratum.share)
        for stratum in law.strata
    ]
    return np.asarray(law.mean + np.sign(z) * np.linalg.norm(distances, axis=0))


def _wilson_score(share: Floats, draws: int, z: Floats) -> Floats:
    """Wilson's limit for a binomial share: the one above it where z > 0, below it where z < 0."""
    center = share + z**2 / (2 * draws)
    spread = z * np.sqrt((share * (1 - share) + z**2 / (4 * draws)) / draws)
    return np.asarray((center + spread) / (1 + z**2 / draws))


def bca(law: LinearLaw, q: Floats) -> Floats:
    """Efron's bias-corrected, accelerated quantiles: bias from the exact cdf, acceleration from the exact skewness."""
    below, level, _ = law.tails(law.mean)
    bias, acceleration = ndtri(below + level / 2), law.skewness / 6
    z = bias + ndtri(q)
    room = 1 - acceleration * z
    shifted = bias + z / np.where(room > 0, room, np.nan)
    return percentile(law, np.where(room > 0, ndtr(shifted), z > 0))


def rank_beta(law: VerticalLaw, q: Floats) -> Floats:
    """Quantiles of a confidence distribution: Beta laws mixed over the rank of the right threshold."""
    return law.confidence_quantile(q)


Limits = Callable[[Any, Floats], Floats]
METHODS: dict[str, Limits] = {
    "wald": wald,
    "agresti": agresti,
    "percentile": percentile,
    "smoothed": smoothed,
    "wilson": wilson,
    "bca": bca,
    "rank_beta": rank_beta,
    "logit": logit_normal,
    "delong": delong,
    "delong_logit": delong_logit,
    "logit_t": logit_t,
    "hanley_mcneil": hanley_mcneil,
    "newcombe": newcombe,
    "max_variance": max_variance,
    "pseudo_case": pseudo_case,
    "mover": mover,
    "optimal": optimal,
    "exponential": exponential,
    "gaussian": gaussian,
    "chebyshev": chebyshev,
}

NOTES = {"wilson": " 'wilson' is for one model under stratified sampling."}  # why a method may be missing


def tail_probability(name: str, law: Any) -> float:
    """The q, at most 1/2, at which a method's lower limit, for a law of one point, reaches 0; else 1/2.

    Asked on the scale of normal quantiles, so that small values keep their precision.
    """

    def limit(z: float) -> float:
        return float(METHODS[name](law, np.array([[ndtr(z)]]))[0, 0])

    if limit(-1e-9) <= 0:
        return 0.5
    return float(ndtr(brentq(limit, -37.0, -1e-9, xtol=1e-13))) if limit(-37.0) < 0 else 0.0
