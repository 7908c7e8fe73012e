"""Limits for what holds at a threshold that these very cases chose.

The error at the chosen threshold is at most the largest among those in reach. Along them the standardized error wanders
as a random walk does, and the probability that it passes c somewhere is about that at one of them plus, for each step,
its length times c phi(c), but never more than another try.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from skcostci._validation import Floats
from skcostci.intervals._method import Law, Method
from skcostci.intervals._order_statistics import local_level
from skcostci.intervals._rates import clopper_pearson
from skcostci.intervals._unseen_case import unseen_case
from skcostci.laws import Choice, ChosenCostLaw, ChosenMetricLaw, FlatteredLaw, Flattery, LinearLaw

HALVINGS = 45
MOST = 0.4  # of a tail: the exact levels of all thresholds together are asked up to twice this


@singledispatch
def chosen(law: Law, alpha: Floats, side: int) -> Floats:
    """The pointwise limit at the tail probability that leaves room for the choice."""
    raise NotImplementedError


@chosen.register
def _cost(law: ChosenCostLaw, alpha: Floats, side: int) -> Floats:
    """A chosen threshold costs less than it will: only the upper limit gives way, no further than over all thresholds.

    Of all populations the error over all thresholds is largest, for many cases, where the scores are useless: then it
    is the largest value of a Brownian bridge.
    """
    pointwise = unseen_case(law, alpha, side)
    if side < 0:
        return pointwise
    most = law.mean + law.bridge * np.sqrt(-np.log(alpha) / 2)
    return np.maximum(pointwise, np.minimum(most, unseen_case(law, ndtr(-critical_value(law.choice, alpha)), side)))


@chosen.register
def _flattered(law: FlatteredLaw, alpha: Floats, side: int) -> Floats:
    """A choice shifts the error of what it is made for, and that of a statistic by their correlation times as much.

    So the limit on the side that it flatters gives way. A rate's gives way no further than limits that hold at all
    thresholds.
    """
    tail = given_way(law.flatteries, np.broadcast_to(alpha, law.mean.shape), side)
    if not law.is_rate:
        return unseen_case(law, tail, side)
    if law.strata[0].counts.shape[1] == 2:
        tail = np.minimum(np.maximum(tail, _everywhere(law.strata[0].draws, alpha)), alpha)
    return clopper_pearson(law, tail, side)


@chosen.register
def _metric(law: ChosenMetricLaw, alpha: Floats, side: int) -> Floats:
    """As of a sum: the default limit at a single threshold gives way. A rate is judged at the class sizes seen."""
    given = law.given_sizes
    if isinstance(given, LinearLaw) and (law.mixes_rates or law.of_one_class):
        return _flattered(FlatteredLaw(given.strata, given.agresti, (law.flattery,)), alpha, side)
    tail = given_way((law.flattery,), np.broadcast_to(alpha, law.mean.shape), side)
    return (clopper_pearson if law.is_share else unseen_case)(law, tail, side)


def envelope(law: ChosenCostLaw, alpha: Floats, side: int) -> Floats:
    """Limits for the least cost at any threshold: the least lower limit of all of them, and the chosen one's upper."""
    if side > 0:
        return chosen(law, alpha, side)
    tails = np.broadcast_to(alpha, law.mean.shape)
    return np.array([unseen_case(law.everywhere(i), tail, side).min() for i, tail in enumerate(tails)])


def _envelope_support(law: ChosenCostLaw) -> tuple[Floats, Floats]:
    """Some threshold may make no errors, even if the chosen one's cost is known."""
    return np.zeros_like(law.mean), law.support[1]


def given_way(flatteries: tuple[Flattery, ...], alpha: Floats, side: int) -> Floats:
    """The tail probability of a limit, smaller on a side that was flattered."""
    tail = alpha
    for flattery in flatteries:
        if flattery.side == side:
            shift = critical_value(flattery.choice, alpha) + ndtri(alpha)
            tail = ndtr(ndtri(alpha) - flattery.correlation * shift)
    return tail


def _everywhere(n: int, alpha: Floats) -> Floats:
    """The tail probability at which limits hold at all thresholds at once."""
    levels = [local_level(n, 2 * min(tail, MOST)) / 2 for tail in np.ravel(alpha).tolist()]
    return np.reshape(levels, np.shape(alpha))


def critical_value(choice: Choice, alpha: Floats) -> Floats:
    """The c that the standardized error passes somewhere in reach with probability alpha, one a point.

    From c = 1 down c phi(c) would fall again; it is kept at its largest there, so that a c belongs to one alpha.
    """
    low = np.broadcast_to(-ndtri(alpha), choice.short.shape)
    high = low + 10.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        passed = _passing(choice, middle) > alpha
        low, high = np.where(passed, middle, low), np.where(passed, high, middle)
    return np.asarray(high)


def _passing(choice: Choice, c: Floats) -> Floats:
    """About how likely the standardized error passes c."""
    crest = np.clip(c, 1.0, 37.0)  # beyond, the density is no longer a floating-point number
    rate, once = crest * np.exp(-(crest**2) / 2) / np.sqrt(2 * np.pi), ndtr(-c)
    cut_off = np.minimum(choice.long * rate[:, None], choice.steps * once[:, None])
    return np.asarray(once + choice.short * rate + cut_off.sum(axis=1))


METHODS: tuple[Method[Any], ...] = (
    Method(
        "chosen",
        "after choosing",
        chosen,
        "The limit of a given threshold, moved out as far as the choice of this one asks for.",
        "Simulated, not proved: with useless scores and few cases the upper limit of a cost may miss twice too often.",
        missing=" 'chosen' is for thresholds that these cases chose.",
    ),
    Method(
        "envelope",
        "least cost at any threshold",
        envelope,
        "Limits for the least cost at any threshold: the least lower limit of all of them.",
        "For the cheapest threshold of the population, not for the chosen one; its upper limit is that of 'chosen'.",
        missing=" 'envelope' is for costs at thresholds that these cases chose.",
        support=_envelope_support,
    ),
)
