"""Interval methods for the AUC that take its bootstrap law, or DeLong's, to be of a known form."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtri, stdtrit

from skcostci._validation import Floats
from skcostci.intervals._method import Method
from skcostci.intervals._quantiles import Normal, gaussian
from skcostci.laws import AUCLaw, KernelLaw


def logit_normal(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian with the exact bootstrap variance on the scale of log odds."""
    return _on_logit_scale(law, law.variance, -side * ndtri(alpha))


def delong(law: KernelLaw) -> Normal:
    """A Gaussian with DeLong's variance."""
    return Normal(law.mean, delong_variance(law))


def delong_logit(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian with DeLong's variance on the scale of log odds."""
    return _on_logit_scale(law, delong_variance(law), -side * ndtri(alpha))


def logit_t(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """Student's t on the scale of log odds: the bootstrap variance with unbiased placement variances and their df.

    Where these say nothing (AUC 0 or 1, all scores tied, a class of one case) the interval is Newcombe's.
    """
    gg, hh = _unbiased(law)
    variance = law.variance_from(gg, hh)
    if min(law.n_positive, law.n_negative) == 1 or not 0 < law.mean < 1 or variance <= 0:
        return newcombe(law, alpha, side)
    positive, negative = gg / law.n_positive, hh / law.n_negative
    df = welch_df(positive, negative, law.n_positive - 1, law.n_negative - 1)
    t = np.where(alpha == 0.5, 0.0, stdtrit(df, alpha))  # which old releases of scipy miss by rounding
    return _on_logit_scale(law, variance, -side * t)


def hanley_mcneil(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian with Hanley and McNeil's variance, which needs the AUC alone."""
    variance = _exponential_variance(law.mean, law.complement, law.n_positive - 1, law.n_negative - 1)
    return np.asarray(law.mean - side * ndtri(alpha) * np.sqrt(variance / (law.n_positive * law.n_negative)))


def newcombe(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """Newcombe's method 5: the AUCs whose Hanley-McNeil deviation, sizes averaged, puts the estimate z of them off."""
    pairs, others = law.n_positive * law.n_negative, (law.n_positive + law.n_negative) / 2 - 1

    def lower(mean: float, complement: float, z: float) -> float:
        if mean == 0 or z == 0:
            return mean

        def excess(log_odds: float) -> float:
            theta, rest = float(expit(log_odds)), float(expit(-log_odds))
            deviation = np.sqrt(_exponential_variance(theta, rest, others, others) / pairs)
            return float((mean - theta if mean < complement else rest - complement) - z * deviation)

        top = min(np.log(mean) - np.log(complement), 700.0) if complement else 700.0
        return float(expit(brentq(excess, -700.0, top, xtol=1e-12)))

    def limit(z: float) -> float:
        if z > 0:
            return max(1 - lower(law.complement, law.mean, z), law.mean)
        return min(lower(law.mean, law.complement, -z), law.mean)

    return np.asarray(np.vectorize(limit, otypes=[float])(-side * ndtri(alpha)))


def max_variance(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian with the largest variance any score laws can have, AUC (1 - AUC) / min(n) (Birnbaum and Klose)."""
    largest = law.mean * law.complement / min(law.n_positive, law.n_negative)
    return np.asarray(law.mean - side * ndtri(alpha) * np.sqrt(largest))


def delong_variance(law: KernelLaw) -> float:
    """DeLong's variance; a class of one case is taken as known."""
    gg, hh = _unbiased(law)
    return gg / law.n_positive + hh / law.n_negative


def _unbiased(law: KernelLaw) -> tuple[float, float]:
    """The variances of the placements of either class, with n - 1 in place of n."""
    positive, negative = max(law.n_positive - 1, 1), max(law.n_negative - 1, 1)
    return law.gg * law.n_positive / positive, law.hh * law.n_negative / negative


def welch_df(positive: float, negative: float, df_positive: float, df_negative: float) -> float:
    """The degrees of freedom of the sum of two independent variance estimates (Welch, Satterthwaite)."""
    return (positive + negative) ** 2 / (positive**2 / df_positive + negative**2 / df_negative)


def _exponential_variance(mean: float, complement: float, others_a: float, others_b: float) -> float:
    """Hanley and McNeil's variance times the number of pairs: scores as if exponential, so many others a case."""
    same_negative, same_positive = complement / (1 + complement), mean / (1 + mean)
    return mean * complement * (1 + others_a * same_negative + others_b * same_positive)


def _on_logit_scale(law: AUCLaw, variance: float, z: Floats) -> Floats:
    """Limits z deviations away in log odds; the estimate itself where its odds are 0 or infinite."""
    if not 0 < law.mean < 1:
        return np.full(z.shape, law.mean)
    scale = np.sqrt(variance) / (law.mean * law.complement)
    limit = expit(np.log(law.mean) - np.log(law.complement) + z * scale)
    return np.asarray(np.where(z < 0, np.minimum(limit, law.mean), np.maximum(limit, law.mean)))


METHODS = (
    Method(
        "logit",
        "Gaussian, log odds",
        logit_normal,
        "A Gaussian with the bootstrap variance on the scale of log odds.",
        "A point at an AUC of 0 or 1; with few cases.",
    ),
    gaussian(
        "delong",
        "DeLong",
        delong,
        "A Gaussian with DeLong's variance.",
        "A point at an AUC of 0 or 1; near there, and with few cases.",
    ),
    Method(
        "delong_logit",
        "DeLong, log odds",
        delong_logit,
        "A Gaussian with DeLong's variance on the scale of log odds.",
        "A point at an AUC of 0 or 1; with few cases.",
    ),
    Method(
        "logit_t",
        "Student t, log odds",
        logit_t,
        "Student's t on the scale of log odds, with unbiased variances of placements.",
        "With ten cases in the scarce class and an AUC near 1.",
    ),
    Method(
        "hanley_mcneil",
        "Hanley-McNeil",
        hanley_mcneil,
        "A Gaussian with Hanley and McNeil's variance, which needs the AUC alone.",
        "Where the scarce class is the one spread out.",
    ),
    Method(
        "newcombe",
        "Newcombe",
        newcombe,
        "The AUCs from which the estimate is so many of Hanley and McNeil's deviations off.",
        "Where the scarce class is the one spread out.",
    ),
    Method(
        "max_variance",
        "largest variance",
        max_variance,
        "A Gaussian with the largest variance that any score laws can have.",
        "A point at an AUC of 0 or 1; else far too wide.",
    ),
)
