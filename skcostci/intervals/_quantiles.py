"""Intervals straight from a law: so many deviations from its centre, or its quantiles; as it is, smoothed or corrected.

"wald" takes the law's exact mean and variance for a Gaussian's, "agresti" those of the law with pseudo-cases added;
"percentile" and "smoothed" are quantiles of the same two laws, and "bca" corrects the former for bias and skewness.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from skcostci._validation import Floats
from skcostci.intervals._method import (
    KnownLaw,
    KnownSmoothableLaw,
    Law,
    LawT,
    Method,
    Sides,
    SmoothableLaw,
    TailedLaw,
    Tails,
)
from skcostci.laws import LinearLaw


@dataclass(frozen=True)
class Normal:
    """Gaussians, one a point."""

    mean: Floats | float
    variance: Floats | float

    def limit(self, alpha: Floats, side: int) -> Floats:
        """What leaves alpha outside."""
        return np.asarray(self.mean - side * ndtri(alpha) * np.sqrt(self.variance))

    def tails(self, x: float) -> Tails:
        """The probabilities up to x and from x on; where there is no variance and x is the mean, both are 1."""
        off = x - np.asarray(self.mean)
        point = np.asarray(self.variance) == 0
        z = off / np.sqrt(np.where(point, 1.0, self.variance))
        return np.where(point, off >= 0, ndtr(z)), np.where(point, off <= 0, ndtr(-z))


def gaussian(name: str, title: str, normal: Callable[[LawT], Normal], what: str, caution: str) -> Method[LawT]:
    """The method that takes a Gaussian for what is known."""

    def limit(law: LawT, alpha: Floats, side: int) -> Floats:
        return normal(law).limit(alpha, side)

    def tails(law: LawT, x: float) -> Tails:
        return normal(law).tails(x)

    return Method(name, title, limit, what, caution, tails, crosses=True)


def wald(law: Law) -> Normal:
    """The law's exact mean and variance."""
    return Normal(law.mean, law.variance)


def agresti(law: SmoothableLaw) -> Normal:
    """The moments of the law smoothed as Agresti-Coull (one model) or Agresti-Min (a pair) do."""
    return wald(law.smoothed(law.agresti))


def bonett_price(law: LinearLaw) -> Normal:
    """With one case added that a alone labels positive and one that b alone does."""
    (cases,) = law.strata
    more = cases.draws + 2
    mean = cases.draws / more * cases.mean
    discordant = (cases.draws * (cases.probabilities * cases.values**2).sum(axis=1) + 2) / more
    return Normal(mean, (discordant - mean**2) / more)


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


GAUSSIAN = (
    gaussian(
        "wald",
        "Gaussian",
        wald,
        "Takes the bootstrap law for a Gaussian: so many standard errors to either side.",
        "A point where no error or no disagreement was seen; too narrow near there.",
    ),
    gaussian(
        "agresti",
        "Agresti",
        agresti,
        "A Gaussian with the moments of the law after pseudo-cases were added to its cells.",
        "Its pseudo-cases bias it where cases are few and the rate is far from 1/2, most where both classes have few.",
    ),
    gaussian(
        "bonett_price",
        "Bonett-Price",
        bonett_price,
        "A Gaussian after one case was added that each model alone labels positive.",
        "Where one model's positives are part of the other's.",
    ),
)
METHODS = (
    Method(
        "percentile",
        "exact bootstrap",
        percentile,
        "Quantiles of the bootstrap law itself.",
        "A point where no error or no disagreement was seen; too narrow near there.",
        percentile_tails,
        both=percentile,
        crosses=True,
    ),
    Method(
        "smoothed",
        "smoothed bootstrap",
        smoothed,
        "Quantiles of the bootstrap law after pseudo-cases were added to its cells.",
        "Where errors are rare in one class, or one model's positives are part of the other's.",
        smoothed_tails,
        both=smoothed,
        crosses=True,
    ),
    Method(
        "bca",
        "BCa bootstrap",
        bca,
        "Quantiles of the bootstrap law, corrected for bias and skewness.",
        "A point where the raw law is one; wild where the law has few values.",
        bca_tails,
        both=bca,
        crosses=True,
    ),
)
