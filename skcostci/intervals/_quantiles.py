"""Quantiles of exact bootstrap laws: as they are, with pseudo-cases added, corrected for bias and skewness."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy.special import ndtr, ndtri

from skcostci._validation import Floats
from skcostci.intervals._method import Method
from skcostci.laws import LinearLaw

SMOOTHING = 1.5  # pseudo-cases a class of "smoothed", chosen by benchmarks/coverage.py --tune smoothing


class KnownLaw(Protocol):
    """A law with quantiles at each of n_points points."""

    @property
    def mean(self) -> Floats: ...

    def quantile(self, q: Floats) -> Floats: ...


class SmoothableLaw(Protocol):
    """A law that pseudo-cases can be added to."""

    def smoothed(self, pseudo_cases: float) -> KnownLaw: ...


def percentile(law: KnownLaw, alpha: Floats, side: int) -> Floats:
    """Quantiles of the exact law."""
    return _quantile(law, alpha if side < 0 else 1 - alpha)


def smoothed(law: SmoothableLaw, alpha: Floats, side: int) -> Floats:
    """Quantiles of the exact law of the cells with a few pseudo-cases added."""
    return percentile(law.smoothed(SMOOTHING), alpha, side)


def bca(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """Efron's bias-corrected, accelerated quantiles: bias from the exact cdf, acceleration from the exact skewness."""
    below, level, _ = law.tails(law.mean)
    bias, acceleration = ndtri(below + level / 2), law.skewness / 6
    z = bias - side * ndtri(alpha)
    room = 1 - acceleration * z
    shifted = bias + z / np.where(room > 0, room, np.nan)
    return _quantile(law, np.where(room > 0, ndtr(shifted), z > 0))


def _quantile(law: KnownLaw, q: Floats) -> Floats:
    return law.quantile(np.broadcast_to(q, law.mean.shape))


METHODS = (
    Method(
        "percentile",
        "exact bootstrap",
        percentile,
        "A point where no error or no disagreement was seen, and too narrow near there.",
    ),
    Method(
        "smoothed", "smoothed bootstrap", smoothed, "Too narrow where errors are rare in a class that weighs little."
    ),
    Method("bca", "BCa bootstrap", bca, "A point where the raw law is one; wild where the law has few values."),
)
