"""Exact coverage of intervals for true- and false-positive rates at fixed thresholds: the counts are the data."""

from __future__ import annotations

from functools import cache

import _path  # noqa: F401
import numpy as np
from coverage_study.designs import NEGATIVE_SCALE, Design
from coverage_study.exact import discordance_pmf, discordances
from coverage_study.threshold import limits
from scipy.stats import binom

from skcostci.laws.exact._lattice import WholeSums

SCALES = 3.75, NEGATIVE_SCALE  # of positives and negatives
RESAMPLES = 100  # of the paper's "Empirical" method
RESAMPLED, DEFAULT = "100 resamples", None  # the latter is how results are asked for their default


def rates_at(theta: float, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The true- and false-positive rates where these shares of the cases are labelled positive."""
    design = Design(1, 1, theta)
    return design.rates(np.array([design.threshold_at(share) for share in shares]))


def resamples_hold(below: np.ndarray, up_to: np.ndarray, level: float, resamples: int = RESAMPLES) -> np.ndarray:
    """How probably the interval between two order statistics of so many resamples holds a value.

    ``below`` and ``up_to`` are the bootstrap law's probabilities of less than the value and of no more than it; the
    order statistics are those of Margineantu & Dietterich's rule. The draws are random, their chance is not.
    """
    rank = int(np.floor((1 - level) / 2 * resamples + 1e-9)) + 1
    too_high = binom.cdf(rank - 1, resamples, np.clip(up_to, 0, 1))
    too_low = binom.sf(resamples - rank, resamples, np.clip(below, 0, 1))
    return 1 - too_high - too_low


# --- One model --------------------------------------------------------------------------------------------------------


def rate_coverage(n: int, method: str | None, level: float, truth: np.ndarray) -> np.ndarray:
    """Coverage at each true rate: a sum over the counts that occur."""
    return np.array([_rate_coverage(n, method, level, float(rate)) for rate in truth])


def _rate_coverage(n: int, method: str | None, level: float, rate: float) -> float:
    first, last = binom.ppf([1e-10, 1 - 1e-10], n, rate).astype(int)
    reached = np.arange(max(first, 0), last + 1)
    weights = binom.pmf(reached, n, rate)
    if method == RESAMPLED:
        below = binom.cdf(np.ceil(n * rate - 1e-9) - 1, n, reached / n)
        held = resamples_hold(below, binom.cdf(np.floor(n * rate + 1e-9), n, reached / n), level)
    else:
        low, high = limits(n, False, method, level)
        held = (low[reached] <= rate + 1e-12) & (rate <= high[reached] + 1e-12)
    return float(weights @ held / weights.sum())


def region_coverage(n_positive: int, n_negative: int, method: str | None, level: float, rates: tuple) -> np.ndarray:
    """Coverage of rectangles: the classes are independent, and each side has the square root of the level."""
    tpr, fpr = rates
    side = level**0.5
    return rate_coverage(n_positive, method, side, tpr) * rate_coverage(n_negative, method, side, fpr)


# --- Two models on the same cases -------------------------------------------------------------------------------------


@cache
def difference_cdf(n: int) -> np.ndarray:
    """For all counts of discordant cases, how probably a resample's difference is at most -n, ..., n, over n."""
    only = discordances(n)
    cdf = np.zeros((len(only), 2 * n + 2))  # the first column is for what is impossible
    a, b = np.array(only).T
    sums = WholeSums(np.full(len(a), n), a / n, b / n, (n - a - b) / n, np.ones(len(a)))
    for row, low, pmf, length in zip(cdf, *sums.laws(), sums.length, strict=True):
        row[low + n + 1 : low + n + 1 + length] = pmf[:length]
    return np.minimum(cdf.cumsum(axis=1), 1.0)


def discordant_at(theta: float, rho: float, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How probable it is, for the positives, then the negatives, that only a, and only b, labels a case positive.

    At each share labelled positive; b's positives lie 2 higher than a's.
    """
    design = Design(1, 1, theta, shift=2.0, rho=rho)
    cells = [design.shares([design.threshold_at(share, model) for model in (0, 1)]) for share in shares]
    positive, negative = np.array(cells)[:, :, 1:3].swapaxes(0, 1)
    return positive, negative


def difference_coverage(n: int, method: str | None, level: float, truth: np.ndarray) -> np.ndarray:
    """Coverage at each true pair of discordant shares: a sum over all counts of discordant cases."""
    return np.array([discordance_pmf(n, a, b) @ _difference_held(n, method, level, a - b) for a, b in truth])


def _difference_held(n: int, method: str | None, level: float, truth: float) -> np.ndarray:
    """For each pair of counts, how probably the interval holds the truth."""
    if method == RESAMPLED:
        cdf = difference_cdf(n)
        below, up_to = int(np.ceil(n * truth - 1e-9)) + n, int(np.floor(n * truth + 1e-9)) + n + 1
        return resamples_hold(cdf[:, below], cdf[:, up_to], level)
    low, high = limits(n, True, method, level)
    return (low <= truth + 1e-12) & (truth <= high + 1e-12)
