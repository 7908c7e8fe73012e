"""One bound for every statistic computed from influence values: it allows for one least favourable unseen unit.

A unit is a case, or a group of cases. For a lower limit, part of one more unit, the worst that there could be, is added
to the k units of its stratum. The limit is a quantile of the Beta law whose mean and variance T has when all units, the
additional one included, get random weights (of a Dirichlet law). For an upper limit the best possible unit is added.
Values are on a scale from 0, the worst value of T, to 1, the best one; for an upper limit, seen from the other end. On
it g_i is the influence of a unit seen, how fast T changes as the unit's weight grows, and g_a, below 0, that of the
unseen one; u is its weight, and T(u) the statistic with it. With n_s units in stratum s, in its own k and u more,

    mean = T(u),    V = sum_s V_s,    V_s = n_s / (n_s + 1) sum_i g_i^2,    over the own stratum g_a^2 u added,
    end = T(0) + k max g_i, and further to 1 by the share of V from other strata.

As V is estimated it is widened by the square of Student's quantile over the normal one, at V^2 / sum_s (V_s^2 / f_s)
degrees of freedom, f_s = (e_s - 1) / (1 - d_s). Here e_s is the number of units of equal size that would tell as much
as those of the stratum, and d_s (d below, of the own stratum that of the unit added, elsewhere the largest over the
units that might be) is near 1 where the mean determines the variance, which then needs no estimate. Where units are
crossed with levels of another factor (readers, judges) the variance of levels is added to V, with its own degrees of
freedom (``laws/influence/_first_order``); no unseen level is considered.

The weight u is at most U, and smaller the more the units seen tell of unseen ones: u = d U, with the uncertainty d = 1
- (1 - b) (1 - r). Influences are those at u = U, except in the sum in r, which is at u = 0:

    b = (sum_i g_i^2 + U g_a^2) / (-(k + U) g_a max g_i),    r = R / (R + sum_s sum_i g_i^2),
    R = U / (k + U) ((k + U)^2 g_a / k)^2 / k.

b is 1 where each unit is at the least or at the greatest value: the mean then determines the variance. r is near 1
where an unseen unit would contribute most of the variance: (k + U)^2 g_a / k is its x, k times the influence that it
would have at u = 0, and R is what x^2 adds to the variance at the weight U. With U = 1 the limits of a rate are Clopper
and Pearson's, to all digits. Where all k units are equal, a limit that leaves alpha outside is missed with probability
exp(-q) at most, q the upper quantile of the Gamma law of shape U: .030 at .025 with U = .92.

**Groups.** "unseen_group" is this bound with groups as units: one more group may be all wrong, or all right. It allows
for groups that fail as a whole. Of a group that fails in each of K classes, U is a K-th.

**Without a greatest value** a metric z (lift, a likelihood ratio) has limits on the scale z / (z + its estimate), and a
difference of two those of the sum of both models' confidence distributions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import betaincinv, betaln, ndtri, stdtrit

from skcostci._arrays import Floats
from skcostci.intervals._combined import CombinedLaw, ConfidencePart, combined, combined_tails
from skcostci.intervals._method import Method, Tails, once_a_law
from skcostci.intervals._positive_rate import budget_limit
from skcostci.intervals._unseen_case import METHODS as OF_CASES
from skcostci.intervals._unseen_case import last_ratio_of_mean, metric_limit, unseen, unseen_tails
from skcostci.laws.exact._metric_law import MetricLaw, MetricPairLaw
from skcostci.laws.exact._ranked import BudgetLaw
from skcostci.laws.influence._first_order import DrawnUnits, FirstOrderLaw, Unseen
from skcostci.laws.influence._of_cells import CountedCases
from skcostci.laws.influence._of_rates import FallingLaw

Candidate = tuple[Unseen, Floats, Floats, Floats]  # an unseen unit, d, T(0), max g_i


LawOfUnits = FirstOrderLaw | CountedCases  # laws with units, among which an unseen one may be put
Estimated = FirstOrderLaw | DrawnUnits | MetricLaw | MetricPairLaw
SMALLEST_TAIL = 1e-100  # scipy's quantiles of Student's t are unreliable further out


def widening(freedom: Floats | float, alpha: Floats) -> Floats:
    """The factor of a variance that is estimated: Student's quantile over the normal one, squared."""
    tail = np.clip(alpha, SMALLEST_TAIL, 0.5 - 1e-6)  # at 1/2 both quantiles are 0
    return np.asarray((stdtrit(freedom, tail) / ndtri(tail)) ** 2)


def wide_beta(mean: Floats | float, variance: Floats | float, alpha: Floats) -> Floats:
    """Quantiles of the Beta law with these moments; the lowest value where none is that wide."""
    size = mean * (1 - mean) / variance - 1
    some = np.where(size > 0, size, 1.0)
    a, b = mean * some, (1 - mean) * some
    with np.errstate(divide="ignore", under="ignore"):
        quantile = betaincinv(a, b, alpha)
        first = np.exp(np.minimum((np.log(alpha) + np.log(a) + betaln(a, b)) / a, 0))
    # Far out, where scipy returns NaN, the first term of the series.
    return np.where(size > 0, np.where(np.isnan(quantile), first, quantile), 0.0)


# A Beta law from 0 to an end, of which limits are quantiles: the end, mean, variance, and degrees of freedom of the
# variance, each with one entry per candidate for the unseen unit on the first axis. None depends on the level, so that
# intervals nest, p-values invert intervals, and a law needs one bound per side for all levels.
Bound = list[Floats]


@np.errstate(under="ignore")  # a far lower limit is next to 0
def furthest(law: Estimated, bounds: Bound, alpha: Floats, side: int) -> Floats:
    """Limits from quantiles on the scale from the worst to the best value; no limit is beyond the estimate."""
    levels = (1,) * (np.ndim(alpha) - (bounds[0].ndim - 1))  # alpha may have axes before the axis of points
    top, mean, variance, freedom = (np.reshape(each, (len(each), *levels, *each.shape[1:])) for each in bounds)
    known = (variance <= 0) | (np.minimum(mean, top) <= 0)  # these rows are not used: any moments will do
    end = np.where(known, 1.0, top)
    share, spread = np.where(known, 0.5, mean / end), np.where(known, 0.1, variance / end**2)
    place = wide_beta(share, spread * widening(freedom, alpha), alpha)
    worst, unit = scale_of(law, side)
    limits = np.where(known, mean, end * place).min(axis=0)
    return np.asarray(worst + unit * np.minimum(limits, (law.estimate - worst) / unit))


@once_a_law
def scale_of(law: LawOfUnits | Estimated, side: int) -> tuple[Floats, Floats]:
    """The scale of the statistic: the worst value, 0, and the step from it to the best, 1, where they differ."""
    low, high = (np.asarray(end, dtype=np.float64) for end in law.support)
    worst, best = (low, high) if side < 0 else (high, low)
    return worst, np.where(best == worst, 1.0, best - worst)


def _moved(law: LawOfUnits, side: int, u: Floats | float, one: Unseen) -> tuple[Floats, Floats, Floats, Floats]:
    """T, g_a, the sums of squares per stratum and the stratum's greatest g_i, on the scale from the worst value."""
    value, added, squares, ends = law.at(u, one)
    worst, unit = scale_of(law, side)
    most = np.asarray(ends[1 if side < 0 else 0] / unit)
    return np.asarray((value - worst) / unit), np.asarray(added / unit), squares / unit**2, most


@once_a_law  # the bounds do not depend on the level
def _bounds(law: LawOfUnits, side: int) -> Bound:
    candidates = [(one, *_uncertainty(law, side, one)) for one in law.unseen(side)]
    uncertainties = np.zeros(law.units.shape)  # per stratum the largest over its candidates
    for one, uncertainty, *_ in candidates:
        uncertainties[one.stratum] = np.maximum(uncertainties[one.stratum], uncertainty)
    found = [_bound(law, side, candidate, uncertainties) for candidate in candidates]
    return [np.array(np.broadcast_arrays(*each)) for each in zip(*found, strict=True)]


def _uncertainty(law: LawOfUnits, side: int, one: Unseen) -> tuple[Floats, Floats, Floats]:
    """The uncertainty d about unseen units, from 0 to 1, T(0), and max g_i; an unseen one has the weight U."""
    units, weight = law.units[one.stratum], law.most_unseen
    here, _, squares, most = _moved(law, side, 0.0, one)
    _, added, moved, greatest = _moved(law, side, weight, one)
    whole = units + weight
    b = _share(moved[one.stratum] + weight * added**2, -added * greatest * whole, 1.0)
    brought = weight / whole * (whole * added * whole / units) ** 2 / units  # R
    by_level = law.level_variance.square / scale_of(law, side)[1] ** 2
    r = _share(brought, brought + squares.sum(axis=0) + by_level, 1.0)
    return 1 - (1 - b) * (1 - r), here, most


def _bound(
    law: LawOfUnits, side: int, candidate: Candidate, uncertainties: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    one, uncertainty, here, most = candidate
    own, u = one.stratum, uncertainty * law.most_unseen
    mean, added, squares, _ = _moved(law, side, u, one)
    squares[own] += u * added**2
    sizes = law.units.astype(np.float64)
    sizes[own] += u
    uncertainties = uncertainties.copy()
    uncertainties[own] = uncertainty
    parts = squares * sizes / (sizes + 1)
    by_level = law.level_variance.own / scale_of(law, side)[1] ** 2
    variance = parts.sum(axis=0) + by_level
    freedom = np.maximum(law.effective - 1, 1) / np.maximum(1 - uncertainties, 1e-12)
    by_own = _share(parts[own], variance, 1.0)
    top = np.clip(here + law.units[own] * most, here, 1.0)
    spread = (parts**2 / freedom).sum(axis=0) + by_level**2 / law.level_variance.freedom
    df = variance**2 / np.maximum(spread, 1e-300)
    top = np.where(variance > 0, top + (1 - top) * (1 - by_own), 1.0)
    return top, mean, variance, np.where(variance > 0, df, 1.0)


def _share(part: Floats, whole: Floats, otherwise: Floats | float) -> Floats:
    """A part as a share of the whole, at most 1; ``otherwise`` where the whole is 0."""
    some = whole > 0
    return np.where(some, np.minimum(part / np.where(some, whole, 1.0), 1.0), otherwise)


@unseen.register
@np.errstate(under="ignore")  # far out limits are next to 0
def _of_first_order(law: FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    found = of_other_laws(law, alpha, side, _of_first_order)
    limits = furthest(law, _bounds(law, side), alpha, side) if found is None else found
    # What varies beside the units, as class sizes or the share of positives, narrows no limit.
    return limits if law.known is None else side * np.maximum(side * limits, side * unseen(law.known, alpha, side))


def of_other_laws(
    law: FirstOrderLaw, alpha: Floats, side: int, limit: Callable[[FirstOrderLaw, Floats, int], Floats]
) -> Floats | None:
    """The limit from that of another law, if there is one; of a ratio the last x for which the mean may be 0."""
    if law.as_share is not None:
        return law.from_share(limit(law.as_share, alpha, side))
    if law.mean_at is None:
        return None
    levels, unit = np.broadcast_to(alpha, law.estimate.shape), float(np.abs(law.estimate[0])) or 1.0
    return last_ratio_of_mean(law, law.mean_at, limit, levels, side, unit)


@unseen.register
def _of_falling(law: FallingLaw, alpha: Floats, side: int) -> Floats:
    """For a statistic that falls as a rate rises: the transform of the rate's limit on the other side."""
    return law.here(unseen(law.law, alpha, -side))


unseen.register(BudgetLaw, budget_limit)


@unseen.register
def _of_metric(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """One more case in the worst cell, where a metric such as kappa or lift follows the class mix, which is drawn."""
    # what depends on the rates alone, such as an odds ratio, has the limits of the classes drawn separately
    of_rates = law.sampling == "stratified" or not law.follows_share
    if of_rates or law.is_ratio or law.mixes_rates or not np.isfinite(law.support[0]).all():
        return metric_limit(law, alpha, side)
    if np.isfinite(law.support[1]).all():
        return furthest(law, _bounds_of_cases(law, side), alpha, side)
    return law.from_share(furthest(law.as_share, _bounds_of_cases(law.as_share, side), alpha, side))


@unseen.register
def _of_pair(law: MetricPairLaw, alpha: Floats, side: int) -> Floats:
    """For a difference of two models: one more case, in the cell (hit by both, one or none) that moves it most."""
    if not np.isfinite(law.support).all():
        return combined(_sum_of_models(law), alpha, side)
    return furthest(law, _bounds_of_cases(law, side), alpha, side)


def _sum_of_models(law: MetricPairLaw) -> CombinedLaw:
    one, shared = np.ones_like(law.correlation), -law.correlation  # variances of 1: only the correlation is needed
    parts = (ConfidencePart(each.estimate, each, OF_CASES[0], sign) for each, sign in ((law.a, 1.0), (law.b, -1.0)))
    return CombinedLaw(tuple(parts), np.array([[one, shared], [shared, one]]))


@unseen_tails.register
def _tails_of_pair(law: MetricPairLaw, x: float) -> Tails | None:
    return None if np.isfinite(law.support).all() else combined_tails(_sum_of_models(law), x)


# Only bounds are cached with the law: a CountedCases refers to it, so that the law would never be freed.
@once_a_law
def _bounds_of_cases(law: MetricLaw | MetricPairLaw, side: int) -> Bound:
    return _bounds(CountedCases(law), side)


METHODS = (
    Method(
        "unseen_group",
        "unseen group",
        unseen,
        "limits of the bootstrap distribution once the least favourable additional group is added to the sample.",
        "With fewer than about ten groups, where it is wide; where a few groups have most cases.",
        unseen_tails,
        missing=" 'unseen_group' needs groups, and a range whose ends are known.",
    ),
)
