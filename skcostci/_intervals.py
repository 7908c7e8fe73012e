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
from scipy.special import expit, ndtr, ndtri, stdtrit

from skcostci._validation import Floats
from skcostci.laws import AUCLaw, LinearLaw, VerticalLaw

SMOOTHING = 1.5  # pseudo-cases per class of "smoothed": the least with coverage above .89 in benchmarks/coverage.py


class ConfidenceInterval(NamedTuple):
    """The two ends of a confidence interval, floats or arrays with one entry a point."""

    low: float | NDArray[np.float64]
    high: float | NDArray[np.float64]


# --- Costs, rates and their differences -------------------------------------------------------------------------------


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


# --- The AUC ----------------------------------------------------------------------------------------------------------


def logit_normal(law: AUCLaw, q: Floats) -> Floats:
    """A Gaussian with the exact bootstrap variance on the scale of log odds."""
    return _on_logit_scale(law, law.variance, ndtri(q))


def delong(law: AUCLaw, q: Floats) -> Floats:
    """A Gaussian with DeLong's variance."""
    return np.asarray(law.mean + ndtri(q) * np.sqrt(delong_variance(law)))


def delong_logit(law: AUCLaw, q: Floats) -> Floats:
    """A Gaussian with DeLong's variance on the scale of log odds."""
    return _on_logit_scale(law, delong_variance(law), ndtri(q))


def logit_t(law: AUCLaw, q: Floats) -> Floats:
    """Student's t on the scale of log odds: the bootstrap variance with unbiased placement variances and their df.

    Where these say nothing (AUC 0 or 1, all scores tied, a class of one case) the interval is Newcombe's.
    """
    gg, hh = _unbiased(law)
    variance = law.variance_from(gg, hh)
    if min(law.n_positive, law.n_negative) == 1 or not 0 < law.mean < 1 or variance <= 0:
        return newcombe(law, q)
    positive, negative = gg / law.n_positive, hh / law.n_negative
    spread = positive**2 / (law.n_positive - 1) + negative**2 / (law.n_negative - 1)
    return _on_logit_scale(law, variance, stdtrit((positive + negative) ** 2 / spread, q))


def hanley_mcneil(law: AUCLaw, q: Floats) -> Floats:
    """A Gaussian with Hanley and McNeil's variance, which needs the AUC alone."""
    variance = _exponential_variance(law.mean, law.complement, law.n_positive - 1, law.n_negative - 1)
    return np.asarray(law.mean + ndtri(q) * np.sqrt(variance / (law.n_positive * law.n_negative)))


def newcombe(law: AUCLaw, q: Floats) -> Floats:
    """Newcombe's method 5: the AUCs whose Hanley-McNeil deviation, sizes averaged, puts the estimate z of them off."""
    pairs, others = law.n_positive * law.n_negative, (law.n_positive + law.n_negative) / 2 - 1

    def lower(mean: float, complement: float, z: float) -> float:
        if mean == 0 or z == 0:
            return mean

        def excess(log_odds: float) -> float:
            theta, rest = float(expit(log_odds)), float(expit(-log_odds))
            deviation = np.sqrt(_exponential_variance(theta, rest, others, others) / pairs)
            return float(rest - complement - z * deviation)

        top = min(np.log(mean) - np.log(complement), 700.0) if complement else 700.0
        return float(expit(brentq(excess, -700.0, top, xtol=1e-12)))

    limits = [
        1 - lower(law.complement, law.mean, z) if z > 0 else lower(law.mean, law.complement, -z)
        for z in ndtri(q[:, 0]).tolist()
    ]
    return np.array(limits)[:, None]


def max_variance(law: AUCLaw, q: Floats) -> Floats:
    """A Gaussian with the largest variance any score laws can have, AUC (1 - AUC) / min(n) (Birnbaum and Klose)."""
    largest = law.mean * law.complement / min(law.n_positive, law.n_negative)
    return np.asarray(law.mean + ndtri(q) * np.sqrt(largest))


def delong_variance(law: AUCLaw) -> float:
    """DeLong's variance; a class of one case is taken as known."""
    gg, hh = _unbiased(law)
    return gg / law.n_positive + hh / law.n_negative


def _unbiased(law: AUCLaw) -> tuple[float, float]:
    """The variances of the placements of either class, with n - 1 in place of n."""
    positive, negative = max(law.n_positive - 1, 1), max(law.n_negative - 1, 1)
    return law.gg * law.n_positive / positive, law.hh * law.n_negative / negative


def _exponential_variance(mean: float, complement: float, others_a: float, others_b: float) -> float:
    """Hanley and McNeil's variance times the number of pairs: scores as if exponential, so many others a case."""
    same_negative, same_positive = complement / (1 + complement), mean / (1 + mean)
    return mean * complement * (1 + others_a * same_negative + others_b * same_positive)


def _on_logit_scale(law: AUCLaw, variance: float, z: Floats) -> Floats:
    """Limits z deviations away in log odds; the estimate itself where its odds are 0 or infinite."""
    if not 0 < law.mean < 1:
        return np.full(z.shape, law.mean)
    scale = np.sqrt(variance) / (law.mean * law.complement)
    return np.asarray(expit(np.log(law.mean) - np.log(law.complement) + z * scale))


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
}
