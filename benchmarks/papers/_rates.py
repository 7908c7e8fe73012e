"""Exact coverage of intervals for true- and false-positive rates at fixed thresholds: the counts are the data."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, xlogy
from scipy.stats import binom, multivariate_normal, norm

from skcostci import bootstrap_roc_at_threshold
from skcostci._intervals import METHODS
from skcostci.laws import LinearLaw, class_law
from skcostci.laws._lattice import multinomial_sum
from skcostci.statistics._roc_threshold import PAIRED_METHODS

SCALES = 3.75, 3.0  # of positives and negatives
RESAMPLES = 100  # of the paper's "Empirical" method
RESAMPLED, DEFAULT = "100 resamples", "default"


def threshold_at(theta: float, rate: float, lead: float = 0.0) -> float:
    """Where so many of the cases score higher, equally large classes at theta + lead and -theta."""

    def excess(threshold: float) -> float:
        return float(norm.sf(threshold, (theta + lead, -theta), SCALES).mean() - rate)

    return brentq(excess, -60, 60, xtol=1e-12)


def rates_at(theta: float, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The true- and false-positive rates where these shares of the cases are labelled positive."""
    thresholds = np.array([threshold_at(theta, share) for share in shares])
    return norm.sf(thresholds, theta, SCALES[0]), norm.sf(thresholds, -theta, SCALES[1])


def resamples_hold(below: np.ndarray, up_to: np.ndarray, level: float, resamples: int = RESAMPLES) -> np.ndarray:
    """How probably the interval between two order statistics of so many resamples holds a value.

    ``below`` and ``up_to`` are the bootstrap law's probabilities of less than the value and of no more than it; the
    order statistics are those of Margineantu & Dietterich's rule. The draws are random, their chance is not.
    """
    rank = int(np.floor((1 - level) / 2 * resamples + 1e-9)) + 1
    too_high = binom.cdf(rank - 1, resamples, np.clip(up_to, 0, 1))
    too_low = binom.sf(resamples - rank, resamples, np.clip(below, 0, 1))
    return 1 - too_high - too_low


def limits(law: LinearLaw, method: str, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of the interval at every point, clipped as results clip them."""
    q = np.array([[(1 - level) / 2], [(1 + level) / 2]])
    low, high = np.clip(METHODS[method](law, q), *law.support)
    return low, high


# --- One model --------------------------------------------------------------------------------------------------------


def rate_law(n: int) -> LinearLaw:
    """The laws of a rate for each number of cases, 0 to n, that reach the threshold."""
    reached = np.arange(n + 1)
    counts, possible = np.column_stack([reached, n - reached]), np.ones((n + 1, 2), dtype=bool)
    return class_law(((counts, np.array([1.0, 0.0]), possible),), agresti=4.0)


@cache
def rate_limits(n: int, method: str, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The interval for each number of cases that reach the threshold."""
    return default_limits(n, level) if method == DEFAULT else limits(rate_law(n), method, level)


def default_limits(n: int, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The sides of the region that users get, at thresholds that 0, 1, ..., n of the positives reach."""
    y_true, y_score = np.repeat([1, 0], [n, 1]), np.append(np.arange(n), 0)
    result = bootstrap_roc_at_threshold(y_true, y_score, thresholds=np.arange(n, -1, -1) - 0.5)
    return result.confidence_region(level**2).tpr


def rate_coverage(n: int, method: str, level: float, truth: np.ndarray) -> np.ndarray:
    """Coverage at each true rate: a sum over the counts that occur."""
    return np.array([_rate_coverage(n, method, level, float(rate)) for rate in truth])


def _rate_coverage(n: int, method: str, level: float, rate: float) -> float:
    first, last = binom.ppf([1e-10, 1 - 1e-10], n, rate).astype(int)
    reached = np.arange(max(first, 0), last + 1)
    weights = binom.pmf(reached, n, rate)
    if method == RESAMPLED:
        below = binom.cdf(np.ceil(n * rate - 1e-9) - 1, n, reached / n)
        held = resamples_hold(below, binom.cdf(np.floor(n * rate + 1e-9), n, reached / n), level)
    else:
        low, high = rate_limits(n, method, level)
        held = (low[reached] <= rate + 1e-12) & (rate <= high[reached] + 1e-12)
    return float(weights @ held / weights.sum())


def region_coverage(n_positive: int, n_negative: int, method: str, level: float, rates: tuple) -> np.ndarray:
    """Coverage of rectangles: the classes are independent, and each side has the square root of the level."""
    tpr, fpr = rates
    side = level**0.5
    return rate_coverage(n_positive, method, side, tpr) * rate_coverage(n_negative, method, side, fpr)


# --- Two models on the same cases -------------------------------------------------------------------------------------


def difference_law(n: int) -> tuple[np.ndarray, LinearLaw]:
    """All counts of the cases that only a, and only b, labels positive, and the law of the difference for each."""
    only = np.array([(a, b) for a in range(n + 1) for b in range(n + 1 - a)])
    counts = np.column_stack([n - only.sum(axis=1), only, np.zeros(len(only), dtype=np.int64)])
    possible = np.ones(counts.shape, dtype=bool)
    return only, class_law(((counts, np.array([0.0, 1.0, -1.0, 0.0]), possible),), agresti=2.0)


@cache
def difference_cdf(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts as above, and for each the probabilities that a resample's difference is at most -n, ..., n, over n."""
    only, _ = difference_law(n)
    cdf = np.zeros((len(only), 2 * n + 2))  # the first column is for what is impossible
    for row, (a, b) in zip(cdf, only, strict=True):
        law = multinomial_sum(n, np.array([a, b, n - a - b]) / n, np.array([1, -1, 0]))
        row[law.start + n + 1 : law.start + n + 1 + len(law)] = law.pmf
    return only, np.minimum(cdf.cumsum(axis=1), 1.0)


def discordant(thresholds: tuple[float, float], means: tuple[float, float], scale: float, rho: float) -> np.ndarray:
    """How probable it is that only model a, and only model b, labels a case positive."""
    cov = scale**2 * np.array([[1.0, rho], [rho, 1.0]])
    neither = multivariate_normal.cdf(thresholds, means, cov, abseps=1e-10, releps=1e-10)
    below = norm.cdf(thresholds, means, scale)
    return np.maximum([below[1] - neither, below[0] - neither], 0.0)


def discordant_at(theta: float, rho: float, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For the positives, then the negatives, at each share labelled positive; b's positives lie 2 higher than a's."""
    positive, negative = [], []
    for share in shares:
        pair = threshold_at(theta, share), threshold_at(theta, share, lead=2.0)
        positive.append(discordant(pair, (theta, theta + 2), SCALES[0], rho))
        negative.append(discordant(pair, (-theta, -theta), SCALES[1], rho))
    return np.array(positive), np.array(negative)


def difference_coverage(n: int, method: str, level: float, truth: np.ndarray) -> np.ndarray:
    """Coverage at each true pair of discordant shares: a sum over all counts of discordant cases."""
    only, law = difference_law(n)
    rest = n - only.sum(axis=1)
    ways = gammaln(n + 1) - gammaln(only + 1).sum(axis=1) - gammaln(rest + 1)
    coverage = []
    for a, b in truth:
        weights = np.exp(ways + xlogy(only[:, 0], a) + xlogy(only[:, 1], b) + xlogy(rest, 1 - a - b))
        coverage.append(weights @ _difference_held(n, law, method, level, a - b))
    return np.array(coverage)


def _difference_held(n: int, law: LinearLaw, method: str, level: float, truth: float) -> np.ndarray:
    """For each pair of counts, how probably the interval holds the truth."""
    if method == RESAMPLED:
        _, cdf = difference_cdf(n)
        below, up_to = int(np.ceil(n * truth - 1e-9)) + n, int(np.floor(n * truth + 1e-9)) + n + 1
        return resamples_hold(cdf[:, below], cdf[:, up_to], level)
    low, high = _difference_limits(n, method, level)
    return (low <= truth + 1e-12) & (truth <= high + 1e-12)


@cache
def _difference_limits(n: int, method: str, level: float) -> tuple[np.ndarray, np.ndarray]:
    return limits(difference_law(n)[1], PAIRED_METHODS[0] if method == DEFAULT else method, level)
