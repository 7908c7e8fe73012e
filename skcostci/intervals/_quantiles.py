"""Quantiles of exact bootstrap laws: as they are, with pseudo-cases added, corrected for bias and skewness."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from skcostci._validation import Floats
from skcostci.intervals._method import KnownLaw, KnownSmoothableLaw, Method, Sides, TailedLaw, Tails
from skcostci.laws import LinearLaw

SMOOTHING = 1.5  # pseudo-cases a class of "smoothed", chosen by benchmarks/coverage.py --tune smoothing


def percentile(law: KnownLaw, alpha: Floats, side: Sides) -> Floats:
    """Quantiles of the exact law."""
    return _quantile(law, np.where(side < 0, alpha, 1 - alpha))


def smoothed(law: KnownSmoothableLaw, alpha: Floats, side: Sides) -> Floats:
    """Quantiles of the exact law of the cells with a few pseudo-cases added."""
    return percentile(law.smoothed(SMOOTHING), alpha, side)


def bca(law: LinearLaw, alpha: Floats, side: Sides) -> Floats:
    """Efron's bias-corrected, accelerated quantiles: bias from the exact cdf, acceleration from the exact skewness."""
    bias, acceleration = _corrections(law)
    z = bias - side * ndtri(alpha)
    room = 1 - acceleration * z
    shifted = bias + z / np.where(room > 0, room, np.nan)
    return _quantile(law, np.where(room > 0, ndtr(shifted), z > 0))


def percentile_tails(law: KnownLaw, x: float) -> Tails | None:
    """The law's tails, however small, where it has them so."""
    return law.sides(x) if isinstance(law, TailedLaw) else None


def smoothed_tails(law: KnownSmoothableLaw, x: float) -> Tails | None:
    """Those of the smoothed law."""
    return percentile_tails(law.smoothed(SMOOTHING), x)


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


def _quantile(law: KnownLaw, q: Floats) -> Floats:
    """At levels that are the same for all points or one a point, in one row or several."""
    return law.quantile(np.broadcast_to(q, np.broadcast_shapes(q.shape, law.mean.shape)))


METHODS = (
    Method(
        "percentile",
        "exact bootstrap",
        percentile,
        "A point where no error or no disagreement was seen; too narrow near there.",
        percentile_tails,
        both=percentile,
        crosses=True,
    ),
    Method(
        "smoothed",
        "smoothed bootstrap",
        smoothed,
        "Where errors are rare in one class, or one model's positives are part of the other's.",
        smoothed_tails,
        both=smoothed,
        crosses=True,
    ),
    Method(
        "bca",
        "BCa bootstrap",
        bca,
        "A point where the raw law is one; wild where the law has few values.",
        bca_tails,
        both=bca,
        crosses=True,
    ),
)
