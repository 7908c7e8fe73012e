"""Beta laws with a mean and a variance that was estimated: widened as Student's t is beside the normal."""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, betaln, ndtri, stdtrit

from skcostci._validation import Floats

SMALLEST_TAIL = 1e-100  # scipy's quantiles of Student's t are not to be relied on further out


def widening(freedom: Floats | float, alpha: Floats) -> Floats:
    """The square of Student's quantile over the normal one."""
    tail = np.clip(alpha, SMALLEST_TAIL, 0.5 - 1e-6)  # at 1/2 both quantiles are 0
    return np.asarray((stdtrit(freedom, tail) / ndtri(tail)) ** 2)


def wide_beta(mean: Floats | float, variance: Floats | float, alpha: Floats) -> Floats:
    """Quantiles of the Beta law with these moments; the lowest value where none is that wide."""
    size = mean * (1 - mean) / variance - 1
    some = np.where(size > 0, size, 1.0)
    with np.errstate(under="ignore"):
        return np.where(size > 0, _beta_quantile(mean * some, (1 - mean) * some, alpha), 0.0)


def _beta_quantile(a: Floats, b: Floats, q: Floats) -> Floats:
    """Quantiles of Beta laws; where scipy gives up, far out, the first term of the series is all there is."""
    quantile = betaincinv(a, b, q)
    with np.errstate(divide="ignore", under="ignore"):
        first = np.exp(np.minimum((np.log(q) + np.log(a) + betaln(a, b)) / a, 0))
    return np.asarray(np.where(np.isnan(quantile), first, quantile))
