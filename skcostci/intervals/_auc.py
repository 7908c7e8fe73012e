"""Interval methods for the AUC and for the difference of two."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaincinv, betaln, expit, ndtri, stdtrit

from skcostci._validation import Floats
from skcostci.intervals._method import Method
from skcostci.laws import AUCDifferenceLaw, AUCLaw, KernelLaw

PSEUDO_CASES = 0.2  # a class, of "pseudo_case": tuned on other designs than benchmarks/coverage.py reports


def logit_normal(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian with the exact bootstrap variance on the scale of log odds."""
    return _on_logit_scale(law, law.variance, -side * ndtri(alpha))


def delong(law: KernelLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian with DeLong's variance."""
    return np.asarray(law.mean - side * ndtri(alpha) * np.sqrt(delong_variance(law)))


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
    df = _welch_df(positive, negative, law.n_positive - 1, law.n_negative - 1)
    return _on_logit_scale(law, variance, -side * stdtrit(df, alpha))


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
        return 1 - lower(law.complement, law.mean, z) if z > 0 else lower(law.mean, law.complement, -z)

    return np.asarray(np.vectorize(limit, otypes=[float])(-side * ndtri(alpha)))


def max_variance(law: AUCLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian with the largest variance any score laws can have, AUC (1 - AUC) / min(n) (Birnbaum and Klose)."""
    largest = law.mean * law.complement / min(law.n_positive, law.n_negative)
    return np.asarray(law.mean - side * ndtri(alpha) * np.sqrt(largest))


def pseudo_case(law: KernelLaw, alpha: Floats, side: int) -> Floats:
    """Beta quantiles of the Bayesian bootstrap with a fraction of an unfavourable case, unseen yet, in each class.

    For a lower limit the pseudo-cases are a positive below and a negative above everything, for an upper one the
    opposite; of two models, one takes them as the worst and the other as the best.
    """
    least, most = law.support
    scale, tail = most - least, np.minimum(alpha, 0.5)
    if side < 0:
        return np.minimum(least + scale * _above_pseudo_cases(law, (law.mean - least) / scale, tail), law.mean)
    return np.maximum(most - scale * _above_pseudo_cases(law, (most - law.mean) / scale, tail), law.mean)


def _above_pseudo_cases(law: KernelLaw, mean: float, q: Floats) -> Floats:
    """A lower limit, the kernel on a scale from 0, its value with any pseudo-case, to 1.

    The share ``lost`` of a class's Dirichlet weight goes to its pseudo-case. That moves the moments of the data in
    closed form, written here without cancellation.
    """
    unit = np.subtract(*law.support) ** 2
    positives, negatives = law.n_positive + PSEUDO_CASES, law.n_negative + PSEUDO_CASES
    lost_p, lost_n = PSEUDO_CASES / positives, PSEUDO_CASES / negatives
    kept_p, kept_n, lost = 1 - lost_p, 1 - lost_n, lost_p + lost_n - lost_p * lost_n
    center = kept_p * kept_n * mean
    if center <= 0:
        return np.zeros(q.shape)
    gg = kept_p * kept_n**2 * (law.gg / unit + lost_p * mean**2)
    hh = kept_p**2 * kept_n * (law.hh / unit + lost_n * mean**2)
    rest = max(kept_p * kept_n * (law.psi2 / unit + lost * mean**2) - gg - hh, 0.0)
    positive, negative = gg / (positives + 1), hh / (negatives + 1)
    df = _welch_df(positive, negative, max(positives - 1, 1.0), max(negatives - 1, 1.0))
    tail = np.clip(q, 1e-300, 0.5 - 1e-6)  # at 1/2 both quantiles are 0, at 0 both infinite
    heavier = (stdtrit(df, tail) / ndtri(tail)) ** 2
    variance = heavier * (positive + negative + rest / ((positives + 1) * (negatives + 1)))
    size = center * (1 - center) / variance - 1
    some = np.where(size > 0, size, 1.0)
    return np.asarray(np.where(size > 0, _beta_quantile(center * some, (1 - center) * some, q), 0.0))


def _beta_quantile(a: Floats, b: Floats, q: Floats) -> Floats:
    """Quantiles of Beta laws; where scipy gives up, below 1e-22, the first term of the series is all there is."""
    quantile = betaincinv(a, b, q)
    with np.errstate(divide="ignore", under="ignore"):
        first = np.exp((np.log(q) + np.log(a) + betaln(a, b)) / a)
    return np.asarray(np.where(np.isnan(quantile), first, quantile))


def mover(law: AUCDifferenceLaw, alpha: Floats, side: int) -> Floats:
    """Each model's limits combined by MOVER: distances from the estimates add as correlated deviations do.

    The bootstrap correlation is drawn towards 0, as if by one more case of the smaller class: were it 1, equal
    distances would leave nothing.
    """
    scarce = min(law.n_positive, law.n_negative)
    correlation = law.correlation * scarce / (scarce + 1)
    a, b = pseudo_case(law.a, alpha, side) - law.a.mean, pseudo_case(law.b, alpha, -side) - law.b.mean
    return np.asarray(law.mean + side * np.sqrt(a**2 + b**2 + 2 * correlation * a * b))


def delong_variance(law: KernelLaw) -> float:
    """DeLong's variance; a class of one case is taken as known."""
    gg, hh = _unbiased(law)
    return gg / law.n_positive + hh / law.n_negative


def _unbiased(law: KernelLaw) -> tuple[float, float]:
    """The variances of the placements of either class, with n - 1 in place of n."""
    positive, negative = max(law.n_positive - 1, 1), max(law.n_negative - 1, 1)
    return law.gg * law.n_positive / positive, law.hh * law.n_negative / negative


def _welch_df(positive: float, negative: float, df_positive: float, df_negative: float) -> float:
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
    return np.asarray(expit(np.log(law.mean) - np.log(law.complement) + z * scale))


METHODS = (
    Method("logit", "Gaussian, log odds", logit_normal, "A point at an AUC of 0 or 1; with few cases."),
    Method("delong", "DeLong", delong, "A point at an AUC of 0 or 1; near there, and with few cases."),
    Method("delong_logit", "DeLong, log odds", delong_logit, "A point at an AUC of 0 or 1; with few cases."),
    Method("logit_t", "Student t, log odds", logit_t, "With ten cases in the scarce class and an AUC near 1."),
    Method("hanley_mcneil", "Hanley-McNeil", hanley_mcneil, "Where the scarce class is the one spread out."),
    Method("newcombe", "Newcombe", newcombe, "Where the scarce class is the one spread out."),
    Method("max_variance", "largest variance", max_variance, "A point at an AUC of 0 or 1; else far too wide."),
    Method("pseudo_case", "pseudo-cases", pseudo_case, "With fewer than five cases in a class."),
    Method("mover", "MOVER", mover, "With fewer than five cases in a class."),
)
