"""Limits for binomial rates, and for weighted sums of them."""

from __future__ import annotations

from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from skcostci._validation import Floats
from skcostci.intervals._method import Law, Method
from skcostci.laws import LinearLaw, MetricLaw


def wilson(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """Score limits of each class's rate, combined by MOVER: distances from the estimate add in squares."""
    z = -side * ndtri(alpha)
    distances = [
        np.subtract(*reversed(stratum.support)) * (_wilson_score(stratum.share, stratum.draws, z) - stratum.share)
        for stratum in law.strata
    ]
    return np.asarray(law.mean + np.sign(z) * np.linalg.norm(distances, axis=0))


def _wilson_score(share: Floats, draws: int, z: Floats) -> Floats:
    """Wilson's limit for a binomial share: the one above it where z > 0, below it where z < 0."""
    center = share + z**2 / (2 * draws)
    spread = z * np.sqrt((share * (1 - share) + z**2 / (4 * draws)) / draws)
    return np.asarray((center + spread) / (1 + z**2 / draws))


@singledispatch
def clopper_pearson(law: Law, alpha: Floats, side: int) -> Floats:
    """The limit of a share of cases, each kind of law in its own way."""
    raise NotImplementedError(f"'clopper_pearson' is not for a {type(law).__name__}.")


@clopper_pearson.register
def rate_clopper_pearson(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """The rates at which as many hits, or more (or fewer), would have probability alpha."""
    (cases,) = law.strata
    hits, (low, high) = np.rint(cases.share * cases.draws), cases.support
    if side < 0:
        return np.asarray(low + (high - low) * least_rate(hits, cases.draws, alpha))
    return np.asarray(high - (high - low) * least_rate(cases.draws - hits, cases.draws, alpha))


def least_rate(hits: ArrayLike, draws: ArrayLike, alpha: ArrayLike) -> Floats:
    """The rate at which so many hits or more have probability alpha."""
    counted = np.asarray(hits)
    return np.where(counted > 0, betaincinv(np.where(counted > 0, counted, 1.0), draws - counted + 1, alpha), 0.0)


METHODS: tuple[Method[LinearLaw], Method[LinearLaw | MetricLaw]] = (
    Method(
        "wilson",
        "Wilson score",
        wilson,
        "Where a rate is nearly 0 or 1.",
        missing=" 'wilson' is for one model under stratified sampling.",
        crosses=True,
    ),
    Method("clopper_pearson", "Clopper-Pearson", clopper_pearson, "Never covers less than it says; often more."),
)
