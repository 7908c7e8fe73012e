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
from scipy.special import betaincinv, ndtr, ndtri

from skcostci._validation import Floats
from skcostci.intervals._auc import (
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
from skcostci.intervals._error_count import chebyshev, exponential, gaussian, optimal
from skcostci.laws import LinearLaw, PairedVerticalLaw, VerticalLaw

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
    (0.249, 0.987)
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


def clopper_pearson(law: LinearLaw, q: Floats) -> Floats:
    """The rates at which as many hits, or more (or fewer), would have probability q: never covers less than it says."""
    (cases,) = law.strata
    hits, (low, high) = np.rint(cases.share * cases.draws), cases.support
    lower, upper = _least_rate(hits, cases.draws, q), 1 - _least_rate(cases.draws - hits, cases.draws, 1 - q)
    return np.asarray(low + (high - low) * np.where(q < 0.5, lower, upper))


def _least_rate(hits: Floats, draws: int, q: Floats) -> Floats:
    """The rate at which so many hits or more have probability q."""
    return np.where(hits > 0, betaincinv(np.maximum(hits, 1.0), draws - hits + 1, q), 0.0)


def bonett_price(law: LinearLaw, q: Floats) -> Floats:
    """A Gaussian after one case is added that a alone labels positive and one that b alone does."""
    (cases,) = law.strata
    more = cases.draws + 2
    mean = cases.draws / more * cases.mean
    discordant = (cases.draws * (cases.probabilities * cases.values**2).sum(axis=1) + 2) / more
    return np.asarray(mean + ndtri(q) * np.sqrt((discordant - mean**2) / more))


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


def rank_mover(law: PairedVerticalLaw, q: Floats) -> Floats:
    """Each model's "rank_beta" limits combined by MOVER, about the medians of their confidence distributions."""
    a, b = (model.confidence_quantile(np.vstack([tail, [[0.5]]])) for model, tail in ((law.a, q), (law.b, 1 - q)))
    distance = _correlated(np.abs(a[:-1] - a[-1]), np.abs(b[:-1] - b[-1]), law.discord)
    return np.asarray(a[-1] - b[-1] + np.sign(q - 0.5) * distance)


def _correlated(x: Floats, y: Floats, discord: Floats) -> Floats:
    """How far a difference may lie off when its parts may by x and by y; ``discord`` is 1 less their correlation.

    The square root of x^2 + y^2 - 2 r x y falls with the smaller of x and y up to r times the larger, where a wider
    part must not narrow the whole: there it is kept at its least.
    """
    x, y = np.maximum(x, (1 - discord) * y), np.maximum(y, (1 - discord) * x)
    return np.asarray(np.sqrt((x - y) ** 2 + 2 * discord * x * y))


Limits = Callable[[Any, Floats], Floats]
METHODS: dict[str, Limits] = {
    "wald": wald,
    "agresti": agresti,
    "percentile": percentile,
    "smoothed": smoothed,
    "wilson": wilson,
    "clopper_pearson": clopper_pearson,
    "bonett_price": bonett_price,
    "bca": bca,
    "rank_beta": rank_beta,
    "rank_mover": rank_mover,
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
