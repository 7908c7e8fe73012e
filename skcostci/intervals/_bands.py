"""Simultaneous bands, and limits at a threshold that was chosen on the same cases.

**Bands of rates.** "equal_levels" and "kolmogorov" are bands for the distribution function of the scores in each class,
and thus limits for its rates at all thresholds at once, chosen on these cases or not. They are Clopper and Pearson's
limits at the local level that makes them simultaneous (exact up to 100 cases, beyond by a fit that is lower by up to 2
%), or lie at a constant (Kolmogorov) distance (Campbell 1994 for ROC curves). A cost, an ROC curve or a difference lies
between its least and greatest value over these limits (``box``). Two independent classes each have the error
probability 1 - sqrt(1 - alpha); two models each have half of it.

**Bands of costs.** "path" treats the standardized errors along a curve as correlated Gaussians, each like Z. With L the
sum of the angles arccos(correlation) of successive points, and pi for a gap of points whose cost is known beforehand,

    P(max > c)  <=  P(Z > c) + L / (2 pi) exp(-c^2 / 2)          (tube formula: Hotelling 1939, Naiman 1986).

**At a chosen threshold.** The error at the chosen threshold is at most the largest among the thresholds that compete
with it (whose cost is higher by two standard deviations of the difference at most), along which the standardized error
is a random walk. A step has the length h = v / (V + V'), v the variance of what the cases between two thresholds add to
the cost, V and V' those of the error at both; phi is the normal density. The largest exceeds c with a chance of about

    alpha = P(Z > c) + sum over steps of min(h c phi(c), m P(Z > c)),

which gives c (``critical_value``); m is the number of steps of the sample that were merged into this one. A limit on
the optimistic side, that of "unseen_case" or "unseen_group", "clopper_pearson" of a rate, "extrapolated" where there is
no worst unit, is at the smaller tail probability P(Z > c) (``stricter_tail``), or part of the way there where a metric
is only correlated with what was maximized.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from scipy.stats import kstwo

from skcostci._arrays import Floats, Integers
from skcostci.intervals._extrapolated import extrapolated
from skcostci.intervals._method import Law, Method, last_inside, last_whole, sidak
from skcostci.intervals._order_statistics import local_level
from skcostci.intervals._unseen_case import clopper_pearson, least_rate, unseen
from skcostci.laws.exact._linear import ChosenCostLaw, LinearLaw
from skcostci.laws.exact._metric_law import MetricLaw
from skcostci.laws.influence._curves import Choice, Hits, LinearCurve, Optimism, ROCCurve, ROCHeights
from skcostci.laws.influence._first_order import FirstOrderLaw

MOST_TAIL = 0.4  # exact levels of all thresholds together are computed for alpha up to 2 * MOST_TAIL

LeastRates = Callable[[Integers], Floats]  # number of hits -> lower limits of a class's rate
RateLimits = Callable[[int, float], LeastRates]  # (cases, error probability) -> such limits, for all rates at once
Curve = LinearCurve | ROCHeights


class Band(NamedTuple):
    """A band: ``limits(curve, law, pointwise, alpha)`` miss the truth somewhere with probability ``alpha``."""

    name: str
    title: str
    limits: Callable[[Any, Law, Method, float], tuple[Floats, Floats]]
    caution: str


def equal_levels(n: int, alpha: float) -> LeastRates:
    tail = local_level(n, alpha) / 2
    return lambda hits: least_rate(hits, n, tail)


@lru_cache(maxsize=1024)
def kolmogorov(n: int, alpha: float) -> LeastRates:
    """By the exact quantile of the two-sided Kolmogorov-Smirnov statistic, which takes some time."""
    distance = float(kstwo.isf(alpha, n))
    # A rate is not below 0, however far the band.
    return lambda hits: np.maximum(hits / n - distance, 0.0)


def box(curve: Curve, _law: Law, _pointwise: Method, alpha: float, *, rate_limits: RateLimits) -> tuple[Floats, Floats]:
    """The least and the greatest value of the curve while the rates of both classes are within their limits."""
    if isinstance(curve, LinearCurve):
        return _linear_box(curve, alpha, rate_limits)
    of_class = sidak(alpha, 2) / len(curve.models)
    limits = [_heights(model, curve.fpr, of_class, rate_limits) for model in curve.models]
    if len(limits) == 1:
        return limits[0]
    (low_a, high_a), (low_b, high_b) = limits
    return low_a - high_b, high_a - low_b


def _linear_box(curve: LinearCurve, alpha: float, rate_limits: RateLimits) -> tuple[Floats, Floats]:
    low = high = np.asarray(curve.constant)
    for part in curve.classes:
        for model in part.models:
            of_class = sidak(alpha, len(curve.classes)) / len(part.models)
            ends = np.multiply(model.value, _rates(model, rate_limits(model.cases, of_class)))
            low, high = low + ends.min(axis=0), high + ends.max(axis=0)
    return low, high


def _rates(model: Hits, least: LeastRates) -> tuple[Floats, Floats]:
    """The limits of a class's rate; of zero width where every case is hit, or none, whatever the population."""
    hit, missed = model.possible.T
    low = np.where(missed, np.where(hit, least(model.hits), 0.0), 1.0)
    return low, np.where(hit, np.where(missed, 1 - least(model.cases - model.hits), 1.0), 0.0)


def _heights(curve: ROCCurve, fpr: Floats, alpha: float, rate_limits: RateLimits) -> tuple[Floats, Floats]:
    """Limits of the height of a curve at these rates while all its corners are within their limits.

    The lower one is that of the last corner that is surely on the left of the rate. The upper one is on the line
    between the two corners next to the rate, each as far up and to the left as it may be.
    """
    false, true = curve
    negatives, positives = int(false[-1]), int(true[-1])
    least_fpr, least_tpr = rate_limits(negatives, alpha), rate_limits(positives, alpha)
    none, all_of_them = np.full(len(fpr), -1), np.full(len(fpr), negatives)
    surely = last_whole(lambda count: 1 - least_fpr(negatives - count) < fpr, none, all_of_them)
    reached = np.searchsorted(false, surely, "right") - 1
    low = np.where(reached >= 0, least_tpr(true[np.maximum(reached, 0)]), 0.0)
    perhaps = last_whole(lambda count: least_fpr(count) <= fpr, none, all_of_them)
    corner = np.searchsorted(false, perhaps, "right") - 1
    x, y = least_fpr(false[corner]), 1 - least_tpr(positives - true[corner])
    # Beyond the last corner the curve ends at (1, 1).
    end = corner + 1 == len(false)
    following = np.where(end, 0, corner + 1)
    x_next = np.where(end, 1.0, least_fpr(false[following]))
    y_next = np.where(end, 1.0, 1 - least_tpr(positives - true[following]))
    return low, y + (y_next - y) * np.minimum((fpr - x) / (x_next - x), 1.0)


def path(curve: LinearCurve, law: Law, pointwise: Method, alpha: float) -> tuple[Floats, Floats]:
    """Pointwise limits at the tail that makes them simultaneous, by tube formula or union bound (the less strict)."""

    def excess(c: float) -> float:
        return float(ndtr(-c) + curve.path_length / (2 * np.pi) * np.exp(-(c**2) / 2)) / (alpha / 2) - 1

    tail, least = alpha / 2, alpha / 2 / curve.unknown_points
    if excess(strictest := float(-ndtri(least))) >= 0:
        tail = least
    elif excess(alone := max(float(-ndtri(tail)), 0.0)) > 0:
        tail = float(ndtr(-brentq(excess, alone, strictest, xtol=1e-12)))
    return pointwise.limits(law, np.asarray(tail))


def chosen(law: ChosenCostLaw | LinearLaw | MetricLaw | FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    """Limits that are further out on the optimistic side (``stricter_tail``); for rates, given the class sizes."""
    if isinstance(law, ChosenCostLaw):
        return _limit_of_chosen_cost(law, alpha, side)
    tail = stricter_tail(law.optimisms, np.broadcast_to(alpha, law.mean.shape), side)
    if isinstance(law, FirstOrderLaw):
        return (unseen if law.has_worst_unit else extrapolated)(law, tail, side)
    # Where the drawn class sizes do not matter, the law given them, which is mostly linear; else the metric's own.
    given = law.given_sizes if isinstance(law, MetricLaw) and (law.mixes_rates or law.of_one_class) else law
    if isinstance(law, MetricLaw) and isinstance(given, MetricLaw):  # also a ratio of one class, such as TP / FN
        return (unseen if law.shares is None else clopper_pearson)(law, tail, side)  # two kinds of cases: a share
    assert isinstance(given, LinearLaw)
    if not given.is_rate:
        return unseen(given, tail, side)
    if given.strata[0].counts.shape[1] == 2:  # of one model, not a minus b
        # No further out than the tail at which Clopper-Pearson limits cover at all thresholds at once.
        n, alphas = given.strata[0].n_cases, np.ravel(alpha).tolist()
        together = np.reshape([local_level(n, 2 * min(each, MOST_TAIL)) / 2 for each in alphas], np.shape(alpha))
        tail = np.minimum(np.maximum(tail, together), alpha)
    return clopper_pearson(given, tail, side)


def _limit_of_chosen_cost(law: ChosenCostLaw, alpha: Floats, side: int) -> Floats:
    """The lower limit at a fixed threshold, and an upper one further out: the chosen cost is too low on these cases."""
    if side < 0:
        return unseen(law, alpha, side)
    # Errors at all thresholds are largest for uninformative scores: a Brownian bridge, above x with chance exp(-2 x^2).
    most = law.mean + law.bridge_scale * np.sqrt(-np.log(alpha) / 2)
    tail = ndtr(-critical_value(law.optimisms[0].choice, alpha))
    pointwise, further = unseen(law, np.stack(np.broadcast_arrays(alpha, tail)), side)
    return np.asarray(np.maximum(pointwise, np.minimum(most, further)))


def envelope(law: ChosenCostLaw, alpha: Floats, side: int) -> Floats:
    """Limits for the least cost at any threshold: the least of all lower limits, the chosen threshold's upper limit."""
    if side > 0:
        return chosen(law, alpha, side)
    tails = np.broadcast_to(alpha, law.mean.shape)
    return np.array([unseen(law.everywhere(i), tail, side).min() for i, tail in enumerate(tails)])


def stricter_tail(optimisms: tuple[Optimism, ...], alpha: Floats, side: int) -> Floats:
    """The tail P(Z > z) of a limit: ``alpha`` or, on the optimistic side, with z moved towards c by the correlation."""
    tail = alpha
    for optimism in optimisms:  # at most one per side
        if optimism.side == side:
            shift = critical_value(optimism.choice, alpha) + ndtri(alpha)
            tail = ndtr(ndtri(alpha) - optimism.correlation * shift)
    return tail


def critical_value(choice: Choice, alpha: Floats) -> Floats:
    """The c of each alpha; below c = 1 ``c phi(c)`` is kept at its maximum, so that each alpha has one."""
    alone, end = np.broadcast_to(-ndtri(alpha), choice.short_total.shape), np.array(40.0)
    most = (1 + choice.short_total + choice.long.sum(axis=1)) / np.sqrt(2 * np.pi)
    for _ in range(3):  # nearer, as from c = 1 on the probability is at most ``most c exp(-c^2 / 2)``
        end = np.sqrt(2 * np.maximum(np.log(most * end) - np.log(alpha), 0.5))
    with np.errstate(divide="ignore"):  # far out the probability is 0, its log minus infinity
        return last_inside(lambda c: np.log(_exceedance(choice, c)) - np.log(alpha), alone, end, 1e-13)


def _exceedance(choice: Choice, c: Floats) -> Floats:
    crest = np.clip(c, 1.0, 37.0)  # beyond 37 the density underflows
    per_length, once = crest * np.exp(-(crest**2) / 2) / np.sqrt(2 * np.pi), ndtr(-c)
    cut_off = np.minimum(choice.long * per_length[:, None], choice.merged * once[:, None])  # never of short steps
    return np.asarray(once + choice.short_total * per_length + cut_off.sum(axis=1))


METHODS = (
    Method(
        "chosen",
        "after choosing",
        chosen,
        "the interval of a threshold fixed in advance, widened for the choice of the threshold on the same data.",
        "Simulated, not proved: with uninformative scores and few cases a cost's upper limit may fail to cover "
        "twice as often as it should.",
        missing=" 'chosen' is for thresholds that were chosen on the same cases.",
    ),
    Method(
        "envelope",
        "least cost at any threshold",
        envelope,
        "for the least cost at any threshold: the smallest lower limit over thresholds, and the upper limit of the "
        "chosen one.",
        "For the cheapest threshold of the population, not for the chosen one; its upper limit is that of 'chosen'.",
        missing=" 'envelope' is for costs at thresholds that were chosen on the same cases.",
        # Some threshold may make no errors, even if the chosen threshold's cost is known.
        support=lambda law: (np.zeros_like(law.mean), law.support[1]),
    ),
)
BANDS = (
    Band(
        "equal_levels",
        "equal local levels",
        partial(box, rate_limits=equal_levels),
        "Conservative: coverage is at least the nominal level, much higher for costs and differences.",
    ),
    Band(
        "kolmogorov",
        "Kolmogorov",
        partial(box, rate_limits=kolmogorov),
        "Conservative: coverage is at least the nominal level; wide where rates are near 0 or 1.",
    ),
    Band(
        "path",
        "path length",
        path,
        "Covers as far as the pointwise intervals do at a stricter level, and in the Gaussian limit.",
    ),
)
