"""Limits for binomial rates, for weighted sums of them, and for metrics of a confusion table.

Of a metric N / D "unseen_case" is solved for the last x whose N - x D may be 0; of other metrics it is followed to the
extreme that the rates allow.
"""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from skcostci._validation import Floats
from skcostci.intervals._combined import combined, combined_tails, difference_of
from skcostci.intervals._method import Law, Method, Tails
from skcostci.intervals._roots import last_inside
from skcostci.intervals._unseen import OF_COUNTS, unseen_unit
from skcostci.intervals._unseen_case import METHODS as UNSEEN_CASE
from skcostci.intervals._unseen_case import unseen_case, unseen_case_tails
from skcostci.laws import LinearLaw, MetricLaw, MetricPairLaw, worths_of_cases

TURNS = 384  # directions of a circle
HEIGHTS = np.linspace(-1.0, 1.0, 33)  # of circles on a sphere, with an eighth of the directions each


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


@unseen_case.register
def metric_unseen_case(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """Of a ratio N / D, the last x whose N - x D may be 0; of other metrics, the extreme that the rates allow.

    What depends on the rates alone is judged at the class sizes seen.
    """
    if law.mixes_rates:
        return unseen_case(law.given_sizes, alpha, side)
    return (_of_ratio if law.is_ratio else at_extreme)(law, np.broadcast_to(alpha, law.estimate.shape), side)


@clopper_pearson.register
def metric_clopper_pearson(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """Clopper and Pearson's limits for the share of one kind among the cases that count, as the ratio it means."""
    kinds, counts = law.shares
    ratios = kinds[..., 0] / kinds[..., 1]
    most = least_rate(counts[:, 0], counts.sum(axis=1), alpha), least_rate(counts[:, 1], counts.sum(axis=1), alpha)
    rising = (ratios[:, 1] >= ratios[:, 0]) == (side > 0)
    first = np.where(rising, most[0], 1 - most[1])  # of the first kind
    numerator, denominator = (first * kinds[:, 0, i] + (1 - first) * kinds[:, 1, i] for i in (0, 1))
    return np.asarray(numerator / denominator)


@unseen_case.register
def pair_unseen_case(law: MetricPairLaw, alpha: Floats, side: int) -> Floats:
    """One case more, in the cell that moves the difference of two models most; both may hit it, or one, or none.

    Where a metric has no end, no case is the worst: there the confidence distributions of both models are added.
    """
    if np.isfinite(law.support).all():
        return unseen_unit(worths_of_cases(law, law.counts), alpha, side, OF_COUNTS)
    return combined(difference_of(law.a, law.b, OF_METRICS, law.correlation), alpha, side)


@unseen_case_tails.register
def pair_tails(law: MetricPairLaw, x: float) -> Tails | None:
    """Those of the sum of confidence distributions."""
    if np.isfinite(law.support).all():
        return None
    return combined_tails(difference_of(law.a, law.b, OF_METRICS, law.correlation), x)


def _of_ratio(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """On the scale of the angle of (D, N), which has room for infinite ratios."""
    numerator, denominator = law.weights
    unit = np.abs(numerator).max(axis=1) / denominator.max(axis=1)
    end = law.support[side > 0]

    def inside(angle: Floats) -> Floats:
        """Not negative where the ratio ``unit * tan(angle)`` lies between the limits."""
        contrast = law.contrast(np.cos(angle), -unit * np.sin(angle))
        return np.asarray(side * unseen_case(contrast, alpha, side))

    last = np.arctan(end / unit)
    found = last_inside(inside, np.arctan(law.estimate / unit), last)
    return np.where(found == last, end, unit * np.tan(found))


def at_extreme(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """The limits of the rates, and of the class share if that is drawn, are half axes of an ellipse around them.

    The metric's extreme on it is MOVER's limit where the metric is a weighted sum. At that point the metric is nearly
    one: how far the limit of that sum lies on the same ray, if further, decides.
    """
    parts, center = law.parts, np.array([part.mean for part in law.parts])
    axes = np.array([[_off(part, alpha, s) for part in parts] for s in (-1, 1)])
    ways = _directions(len(parts))[:, :, None]
    moves = np.abs(ways) * np.where(ways > 0, axes[1], axes[0])
    values = law.at_rates(np.moveaxis(center + moves, 0, 1))
    best = np.where(np.isnan(values), -np.inf, side * values).argmax(axis=0)
    points = np.arange(len(best))
    value, move = values[best, points], moves[best, :, points].T
    reach = _reach(law, parts, move, alpha, side)
    beyond = law.at_rates(np.clip(center + reach * move, 0.0, 1.0))
    return np.asarray(side * np.fmax(side * value, side * beyond))


def _off(part: LinearLaw, alpha: Floats, side: int) -> Floats:
    """How far a rate's limit lies from the rate."""
    return unseen_case(part, alpha, side) - part.mean


def _reach(law: MetricLaw, parts: list[LinearLaw], move: Floats, alpha: Floats, side: int) -> Floats:
    """How many times a move takes the metric, as a sum with its slopes there, to that sum's limit; at least once.

    Where a step further is infinite, it is taken.
    """
    center = np.array([part.mean for part in parts])
    slopes = law.slopes(center + move)
    usable, least = np.isfinite(slopes).all(axis=0), np.where(np.isinf(slopes).any(axis=0), 2.0, 1.0)
    slopes = np.where(usable, slopes, 0.0)
    strata = [
        replace(part.strata[0], values=part.strata[0].values * s[:, None])
        for part, s in zip(parts, slopes, strict=True)
    ]
    risen, room = (slopes * move).sum(axis=0), _off(LinearLaw(tuple(strata), agresti=4.0), alpha, side)
    usable &= side * risen > 0
    return np.where(usable, np.maximum(room / np.where(usable, risen, 1.0), 1.0), least)


def _directions(dimension: int) -> Floats:
    """Unit vectors all around, shape (n_directions, dimension); fixed, so that wider ellipses have wider extremes."""
    turns = 2 * np.pi / TURNS * np.arange(TURNS)
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    if dimension == 2:
        return circle
    rings = [np.column_stack([np.sqrt(1 - z * z) * circle[::8], np.full(TURNS // 8, z)]) for z in HEIGHTS]
    return np.vstack(rings)


(OF_METRICS,) = UNSEEN_CASE
METHODS: tuple[Method[LinearLaw], Method[LinearLaw | MetricLaw]] = (
    Method(
        "wilson",
        "Wilson score",
        wilson,
        "Score limits of each class's rate, put together by MOVER.",
        "Where a rate is nearly 0 or 1.",
        missing=" 'wilson' is for one model under stratified sampling.",
        crosses=True,
    ),
    Method(
        "clopper_pearson",
        "Clopper-Pearson",
        clopper_pearson,
        "Binomial tails of a share of cases; of other metrics the extreme that the classes' rates allow.",
        "Never covers less than it says; often more.",
    ),
)
