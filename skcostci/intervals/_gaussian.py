"""Gaussian intervals: so many deviations from a centre, of the law itself or with pseudo-cases added."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from skcostci._validation import Floats
from skcostci.intervals._method import Law, LawT, Method, SmoothableLaw, Tails
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


def gaussian(name: str, title: str, normal: Callable[[LawT], Normal], caution: str) -> Method[LawT]:
    """The method that takes a Gaussian for what is known."""

    def limit(law: LawT, alpha: Floats, side: int) -> Floats:
        return normal(law).limit(alpha, side)

    def tails(law: LawT, x: float) -> Tails:
        return normal(law).tails(x)

    return Method(name, title, limit, caution, tails, crosses=True)


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


METHODS = (
    gaussian("wald", "Gaussian", wald, "A point where no error or no disagreement was seen; too narrow near there."),
    gaussian(
        "agresti",
        "Agresti",
        agresti,
        "Its pseudo-cases bias it where cases are few and the rate is far from 1/2, most where both classes have few.",
    ),
    gaussian("bonett_price", "Bonett-Price", bonett_price, "Where one model's positives are part of the other's."),
)
