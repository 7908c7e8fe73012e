"""Limits where cases belong together: with a group that was not seen, or those of as many cases as these are worth.

"unseen_group" is the bound of `_unseen` with groups for units: one more group may be all wrong, or all right. It is the
default, as errors may come by the group. "effective_size" is for who knows that they do not: groups of n cases in all
with a design effect d tell as much as n / d cases that stand for themselves, and their variance was estimated from the
groups: so the cases are taken for n / d times the square of the normal quantile over Student's (Korn and Graubard 1998,
who did so for a rate). What then holds of few cases holds of few groups.
"""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._chosen import chosen, given_way
from skcostci.intervals._combined import CombinedLaw, combined, combined_tails, difference_of
from skcostci.intervals._method import Law, Method, Tails
from skcostci.intervals._rates import at_extreme, clopper_pearson, least_rate
from skcostci.intervals._unseen import OF_COUNTS, unseen_group_of_ranks, unseen_unit
from skcostci.intervals._unseen_case import unseen_case, widening
from skcostci.laws import (
    CurveLaw,
    FirstOrderLaw,
    GroupedAUCLaw,
    GroupedLaw,
    GroupedPairLaw,
    LinearLaw,
    MetricLaw,
    MetricPairLaw,
    worths_of_cases,
)


@singledispatch
def unseen_group(law: GroupedLaw, alpha: Floats, side: int) -> Floats:
    """The bound where there is a worst that a group can be; of statistics without end, what cases are worth."""
    if not np.isfinite(law.support).all():
        return effective_size(law, alpha, side)
    return unseen_unit(law.worths, alpha, side, OF_COUNTS)


unseen_group.register(GroupedAUCLaw, unseen_group_of_ranks)


def effective_size(law: GroupedLaw, alpha: Floats, side: int) -> Floats:
    """The default limits of as many independent cases as these are worth."""
    alpha = np.broadcast_to(alpha, law.estimate.shape)
    worth = 1 / (widening(np.maximum(law.n_groups - 1, 1), alpha) * law.design_effect)
    if isinstance(law, GroupedPairLaw):
        return _pair(law, worth, alpha, side)
    return np.asarray(_of_cases(_thinned(law.of_cases, worth), alpha, side))


@singledispatch
def _thinned(law: Law, worth: Floats) -> Law:
    """The same shares of cells among fewer cases."""
    raise NotImplementedError


@_thinned.register
def _thinned_sum(law: LinearLaw, worth: Floats) -> LinearLaw:
    strata = [
        replace(part, counts=part.counts * worth[:, None], observed=part.observed * worth[:, None])
        for part in law.strata
    ]
    return replace(law, strata=tuple(strata))


@_thinned.register
def _thinned_metric(law: MetricLaw, worth: Floats) -> MetricLaw:
    """What depends on rates, but not on the class mix, is judged at the one seen."""
    thin = replace(law, counts=law.counts * worth[:, None])
    if law.is_ratio and law.sampling == "full":
        return thin
    seen = float(law.counts[0, :2].sum() / law.counts[0].sum())
    sampling = "stratified" if law.mixes_rates else law.sampling
    return replace(thin, sampling=sampling, prevalence=seen if law.prevalence is None else law.prevalence)


@singledispatch
def _of_cases(law: Law, alpha: Floats, side: int) -> Floats:
    """The default limit for cases that stand for themselves, however little each of them."""
    raise NotImplementedError


@_of_cases.register
def _of_sum(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    if not law.is_rate:
        return unseen_case(law, alpha, side)
    (cases,) = law.strata
    (low, high), size = cases.support, cases.counts.sum(axis=1)
    share = least_rate((cases.share if side < 0 else 1 - cases.share) * size, size, alpha)
    return np.asarray(low + (high - low) * share if side < 0 else high - (high - low) * share)


@_of_cases.register
def _of_metric(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    if law.sampling == "full" and law.is_ratio:
        return clopper_pearson(law, alpha, side) if law.is_share else unseen_case(law, alpha, side)
    return at_extreme(law, alpha, side)


def _pair(law: GroupedPairLaw, worth: Floats, alpha: Floats, side: int) -> Floats:
    """The bound of single cases, in each cell as many as those there are worth."""
    pair = law.of_cases
    assert isinstance(pair, MetricPairLaw)
    if np.isfinite(pair.support).all():
        return unseen_unit(worths_of_cases(pair, pair.counts * worth[:, None]), alpha, side, OF_COUNTS)
    return combined(_sum_of_models(law), alpha, side)


def _sum_of_models(law: GroupedPairLaw) -> CombinedLaw:
    """Of a difference without ends: both models' confidence distributions, as 'effective_size' has them."""
    return difference_of(law.a, law.b, METHODS[1], law.correlation)


def grouped_tails(law: Law, x: float) -> Tails | None:
    """In closed form of a difference without ends, whose limits take a second: not one for each step of a search."""
    if not isinstance(law, GroupedPairLaw) or np.isfinite(law.support).all():
        return None
    return combined_tails(_sum_of_models(law), x)


@chosen.register
def _chosen_grouped(law: GroupedLaw, alpha: Floats, side: int) -> Floats:
    """The limit on the side that the choice flatters gives way, as among cases that stand for themselves."""
    return unseen_group(law, given_way(law.flatteries, np.broadcast_to(alpha, law.estimate.shape), side), side)


METHODS: tuple[Method[GroupedLaw | GroupedAUCLaw | FirstOrderLaw | CurveLaw], Method[GroupedLaw]] = (
    Method(
        "unseen_group",
        "unseen group",
        unseen_group,
        "Allows for one more group, not seen yet, that may be all wrong or all right.",
        "With fewer than about ten groups, where it is wide; where a few groups hold most cases.",
        grouped_tails,
        missing=" 'unseen_group' is for cases in groups.",
    ),
    Method(
        "effective_size",
        "effective number of cases",
        effective_size,
        "The limits that as many cases as these groups are worth would have.",
        "Where errors come by the group, a few of which fail whole: these may not be among the groups seen.",
        grouped_tails,
        missing=" 'effective_size' is for cases in groups.",
    ),
)
