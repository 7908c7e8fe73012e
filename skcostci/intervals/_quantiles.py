"""Quantiles of exact bootstrap laws: as they are, with pseudo-cases added, corrected for bias and skewness."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from skcostci._validation import Floats
from skcostci.intervals._method import KnownLaw, KnownSmoothableLaw, Method, TailedLaw, Tails
from skcostci.laws import LinearLaw

SMOOTHING = 1.5  # pseudo-cases a class of "smoothed", chosen by benchmarks/coverage.py --tune smoothing


def percentile(law: KnownLaw, alpha: Floats, side: int) -> Floats:
    """Quantiles of the exact law."""
    return _quantile(law, _level(alpha, side))


def percentiles(law: KnownLaw, alpha: Floats) -> Floats:
    """Both of them, for which a law is built once."""
    return _quantile(law, *(_level(alpha, side) for side in (-1, 1)))


def smoothed(law: KnownSmoothableLaw, alpha: Floats, side: int) -> Floats:
    """Quantiles of the exact law of the cells with a few pseudo-cases added."""
    return percentile(law.smoothed(SMOOTHING), alpha, side)


def both_smoothed(law: KnownSmoothableLaw, alpha: Floats) -> Floats:
    """Both of them."""
    return percentiles(law.smoothed(SMOOTHING), alpha)


def percentile_tails(law: KnownLaw, x: float) -> Tails | None:
    """The law's tails, however small, where it has them so."""
    return law.sides(x) if isinstance(law, TailedLaw) else None


def smoothed_tails(law: KnownSmoothableLaw, x: float) -> Tails | None:
    """Those of the smoothed law."""
    return percentile_tails(law.smoothed(SMOOTHING), x)


def bca(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """Efron's bias-corrected, accelerated quantiles: bias from the exact cdf, acceleration from the exact skewness."""
    return _quantile(law, _shifted(_corrections(law), alpha, side))


def both_bca(law: LinearLaw, alpha: Floats) -> Floats:
    """Both of them."""
    corrections = _corrections(law)
    return _quantile(law, *(_shifted(corrections, alpha, side) for side in (-1, 1)))


def _shifted(corrections: Tails, alpha: Floats, side: int) -> Floats:
    """The level of a corrected quantile."""
    bias, acceleration = corrections
    z = bias - side * ndtri(alpha)
    room = 1 - acceleration * z
    shifted = bias + z / np.where(room > 0, room, np.nan)
    return np.asarray(np.where(room > 0, ndtr(shifted), z > 0))


def bca_tails(law: LinearLaw, x: float) -> Tails:
    """The shift of "bca" undone."""
    bias, acceleration = _corrections(law)

    def shifted_back(z: Floats) -> Floats:
        """The normal quantile that the correction brings to z."""
        y = np.where(np.isinf(z), 0.0, z) - bias
        room = 1 + acceleration * y
        back = np.where(room > 0, y / np.where(room > 0, room, 1.0), np.copysign(np.inf, y)) - bias
        return np.where(np.isinf(z), z, back)

    up_to, from_on = law.sides(x)
    return np.asarray(ndtr(shifted_back(ndtri(up_to)))), np.asarray(ndtr(-shifted_back(-ndtri(from_on))))


def _corrections(law: LinearLaw) -> Tails:
    """Bias and acceleration."""
    below, level, _ = law.tails(law.mean)
    return np.asarray(ndtri(below + level / 2)), law.skewness / 6


def _level(alpha: Floats, side: int) -> Floats:
    return alpha if side < 0 else 1 - alpha


def _quantile(law: KnownLaw, *levels: Floats) -> Floats:
    """At a level for all points or one a point; at several, one a row."""
    q = np.stack([np.broadcast_to(level, law.mean.shape) for level in levels])
    return law.quantile(q if len(levels) > 1 else q[0])


METHODS = (
    Method(
        "percentile",
        "exact bootstrap",
        percentile,
        "A point where no error or no disagreement was seen; too narrow near there.",
        percentile_tails,
        both=percentiles,
    ),
    Method(
        "smoothed",
        "smoothed bootstrap",
        smoothed,
        "Where errors are rare in one class, or one model's positives are part of the other's.",
        smoothed_tails,
        both=both_smoothed,
    ),
    Method(
        "bca",
        "BCa bootstrap",
        bca,
        "A point where the raw law is one; wild where the law has few values.",
        bca_tails,
        both=both_bca,
    ),
)
