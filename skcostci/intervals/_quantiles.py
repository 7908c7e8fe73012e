"""Intervals directly from a law: its centre plus or minus a number of standard deviations, or its quantiles.

"wald" is a Gaussian with a law's exact mean and variance, "agresti" with the moments of the law after adding
pseudo-cases. AUCs have further methods: Student's t on the scale of log odds, or a Gaussian with DeLong's variance,
Hanley and McNeil's or the largest possible one. "percentile" and "smoothed" are quantiles of the law, and of the law
with pseudo-cases added.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri, stdtrit

from skcostci._arrays import Floats
from skcostci.intervals._method import ExactLaw, Law, Method, Tails
from skcostci.laws.influence._ranks import AUCLaw

Moments = tuple[Floats | float, Floats | float]  # mean and variance
SMOOTHING = 1.5  # pseudo-cases per class of "smoothed", chosen by benchmarks/coverage.py --tune smoothing


def gaussian(name: str, title: str, moments: Callable[[Any], Moments], what: str, caution: str) -> Method:
    """The method of normal laws with these moments."""

    def limit(law: object, alpha: Floats, side: int) -> Floats:
        mean, variance = moments(law)
        return np.asarray(mean - side * ndtri(alpha) * np.sqrt(variance))

    def tails(law: object, x: float) -> Tails:
        """The probabilities up to x and from x on; where there is no variance and x is the mean, both are 1."""
        mean, variance = moments(law)
        off, point = x - np.asarray(mean), np.asarray(variance) == 0
        # Without variance the cdf is a step in place of a normal cdf.
        z = off / np.sqrt(np.where(point, 1.0, variance))
        return np.where(point, off >= 0, ndtr(z)), np.where(point, off <= 0, ndtr(-z))

    return Method(name, title, limit, what, caution, tails, crosses=True)


def wald(law: Law) -> Moments:
    return law.mean, law.variance


def delong(law: AUCLaw) -> tuple[Floats, Floats]:
    """DeLong's variance; for a class of one case the divisor n - 1 is replaced by 1."""
    gg, hh = _unbiased(law)
    return law.mean, gg / law.sizes[0] + hh / law.sizes[1]


def _unbiased(law: AUCLaw) -> list[Floats]:
    """The variances of the placements of each class, positives first, with the divisor n - 1 in place of n."""
    return [part.square * n / max(n - 1, 1) for part, n in zip(law.strata, law.sizes, strict=True)]


def logit_t(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """Student's t on log odds, by unbiased placement variances; Newcombe's interval where these are uninformative."""
    (gg, hh), (m, n) = _unbiased(law), law.sizes
    variance = law.variance_from(gg, hh)
    if min(m, n) == 1 or not 0 < law.mean < 1 or variance <= 0:
        return newcombe(law, alpha, side)
    positive, negative = gg / m, hh / n
    # Welch's and Satterthwaite's degrees of freedom
    df = (positive + negative) ** 2 / (positive**2 / (m - 1) + negative**2 / (n - 1))
    # Old releases of scipy miss 0 by rounding.
    t = np.where(alpha == 0.5, 0.0, stdtrit(df, alpha))
    log_odds = np.log(law.mean) - np.log(law.complement)
    limit = expit(log_odds - side * t * np.sqrt(variance) / (law.mean * law.complement))
    return np.asarray(side * np.maximum(side * limit, side * law.mean))


def hanley_mcneil(law: AUCLaw) -> Moments:
    """Hanley and McNeil's variance is a function of the AUC alone."""
    m, n = law.sizes
    return law.mean, _exponential_variance(law.mean.item(), law.complement, m - 1, n - 1) / (m * n)


def newcombe(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """Newcombe's method 5: AUCs from which the estimate is z Hanley-McNeil deviations off, sizes averaged."""
    pairs, others, area, rest = math.prod(law.sizes), sum(law.sizes) / 2 - 1, law.mean.item(), law.complement

    def lower(mean: float, complement: float, z: float) -> float:
        if mean == 0 or z == 0:
            return mean

        def excess(log_odds: float) -> float:
            theta, beyond = float(expit(log_odds)), float(expit(-log_odds))
            deviation = np.sqrt(_exponential_variance(theta, beyond, others, others) / pairs)
            return float((mean - theta if mean < complement else beyond - complement) - z * deviation)

        top = min(np.log(mean) - np.log(complement), 700.0) if complement else 700.0
        return float(expit(brentq(excess, -700.0, top, xtol=1e-12)))

    def limit(z: float) -> float:
        if z > 0:
            return max(1 - lower(rest, area, z), area)
        return min(lower(area, rest, -z), area)

    return np.asarray(np.vectorize(limit, otypes=[float])(-side * ndtri(alpha)))


def _exponential_variance(mean: float, complement: float, others_a: float, others_b: float) -> float:
    """Hanley-McNeil variance times the number of pairs, each beside ``others_a`` positives, ``others_b`` negatives."""
    same_negative, same_positive = complement / (1 + complement), mean / (1 + mean)
    return mean * complement * (1 + others_a * same_negative + others_b * same_positive)


def percentile(law: ExactLaw, alpha: Floats, side: int) -> Floats:
    q = alpha if side < 0 else 1 - alpha
    return law.quantile(np.broadcast_to(q, np.broadcast_shapes(np.shape(q), law.mean.shape)))


def percentile_tails(law: ExactLaw, x: float) -> Tails:
    below, level, above = law.tails(np.full(np.shape(law.mean), x))
    return below + level, level + above


METHODS = (
    gaussian(
        "wald",
        "Gaussian",
        wald,
        "a normal approximation with the bootstrap standard error.",
        "Zero width where no error or no disagreement was seen; too narrow near there.",
    ),
    gaussian(
        "agresti",
        "Agresti",
        lambda law: wald(law.smoothed(law.agresti)),  # Agresti-Coull (one model) or Agresti-Min (a pair)
        "a normal approximation after pseudo-observations are added to each cell.",
        "Its pseudo-cases bias it where cases are few and the rate is far from 1/2, most where both classes have few.",
    ),
    Method(
        "percentile",
        "exact bootstrap",
        percentile,
        "quantiles of the exact bootstrap distribution.",
        "Zero width where no error or no disagreement was seen; too narrow near there.",
        percentile_tails,
        crosses=True,
    ),
    Method(
        "smoothed",
        "smoothed bootstrap",
        lambda law, alpha, side: percentile(law.smoothed(SMOOTHING), alpha, side),
        "quantiles of the bootstrap distribution after pseudo-observations are added to each cell.",
        "Where errors are rare in one class, or one model's positives are part of the other's.",
        lambda law, x: percentile_tails(law.smoothed(SMOOTHING), x),
        crosses=True,
    ),
    gaussian(
        "delong",
        "DeLong",
        delong,
        "a normal approximation with DeLong's variance.",
        "Zero width at an AUC of 0 or 1; too narrow near there, and with few cases.",
    ),
    Method(
        "logit_t",
        "Student t, log odds",
        logit_t,
        "Student's t on the scale of log odds, with unbiased variances of placements.",
        "With ten cases in the scarce class and an AUC near 1.",
    ),
    gaussian(
        "hanley_mcneil",
        "Hanley-McNeil",
        hanley_mcneil,
        "a normal approximation with Hanley and McNeil's variance, a function of the AUC alone.",
        "Where the scores of the scarce class are the more spread out.",
    ),
    Method(
        "newcombe",
        "Newcombe",
        newcombe,
        "the AUCs that the estimate differs from by a given number of Hanley-McNeil standard deviations.",
        "Where the scores of the scarce class are the more spread out.",
    ),
    gaussian(
        "max_variance",
        "largest variance",
        # AUC (1 - AUC) / min(n), the most that any distributions of scores can have (Birnbaum and Klose)
        lambda law: (law.mean, law.mean * law.complement / min(law.sizes)),
        "a normal approximation with the largest variance that scores with this AUC can have.",
        "Zero width at an AUC of 0 or 1; else far too wide.",
    ),
)
