"""Gaussian intervals: so many deviations from a centre, of the law itself or with pseudo-cases added."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from skcostci._validation import Floats
from skcostci.intervals._method import Law, Method
from skcostci.laws import BudgetLaw, LinearLaw, MixtureLaw


def wald(law: Law, alpha: Floats, side: int) -> Floats:
    """A Gaussian with the law's exact mean and variance."""
    return _gaussian(law.mean, law.variance, alpha, side)


def agresti(law: LinearLaw | MixtureLaw | BudgetLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian with the moments of the law smoothed as Agresti-Coull (one model) or Agresti-Min (a pair) do."""
    return wald(law.smoothed(law.agresti), alpha, side)


def bonett_price(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """A Gaussian after one case is added that a alone labels positive and one that b alone does."""
    (cases,) = law.strata
    more = cases.draws + 2
    mean = cases.draws / more * cases.mean
    discordant = (cases.draws * (cases.probabilities * cases.values**2).sum(axis=1) + 2) / more
    return _gaussian(mean, (discordant - mean**2) / more, alpha, side)


def _gaussian(mean: Floats | float, variance: Floats | float, alpha: Floats, side: int) -> Floats:
    return np.asarray(mean - side * ndtri(alpha) * np.sqrt(variance))


METHODS = (
    Method("wald", "Gaussian", wald, "A point where no error or no disagreement was seen, and too narrow near there."),
    Method(
        "agresti",
        "Agresti",
        agresti,
        "Its pseudo-cases bias it where cases are few and the rate is far from 1/2, most where both classes have few.",
    ),
    Method("bonett_price", "Bonett-Price", bonett_price, "One-sided, where one model's positives are the other's too."),
)
