"""Limits that allow for one more group as extreme as those seen suggest, for any statistic with a known range.

The x of a group is k times its influence value, k the number of groups in its stratum, V the variance of the statistic
T with f degrees of freedom, ``informative`` = m and ``far`` as in ``laws/influence/_variation``; L is the size of the x
of a group of typical size all of whose cases are worst, or best. The additional group has the x that its like suggest:

    g = L (min(far, L) / L)^(m / (m + c)),    u = b + (1 - b) .7 / (.7 + m),    W = k + u,    t = u g / W,
    V_own = max((k^2 V + u g^2 - W t^2) / (W (W + u)), V),    V_all = V_own + V of other strata and of levels,
    f_all = max(1, V_all^2 / sum over strata and levels of V^2 / f),

and the limit is a quantile of the Beta law on the range with mean T +- t and variance V_all, widened by the square of
Student's quantile at f_all over the normal one. (b, c) is (.1, .3) for a difference of two models, which then sharpens
as they resemble each other, and (.2, .6) for one statistic, which also allows for one more effective case at the end of
the range: with p the place of T in the range, of length R, and n = p (1 - p) R^2 / V,

    mean (p n + 1 or 0) / (n + 1),    variance mean (1 - mean) / (n + 2).

The limit is the furthest of all strata's and of this one, no nearer than T. Where all of k groups of one size are alike
m is 0 and g is L: with all cases right, the lower limit is alpha^(1/k), as Clopper and Pearson's of k groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

import numpy as np

from skcostci._arrays import Floats
from skcostci.intervals._extrapolated import HALF_WEIGHT, LEAST_WEIGHT, STEADY
from skcostci.intervals._method import once_a_law
from skcostci.intervals._unseen import Bound, ends_of_side, furthest, on_scale
from skcostci.laws.influence._variation import NO_LEVELS, DrawnUnits, LevelVariance, Variation

MOST_FREEDOM = 1e12  # from here on Student's t is the normal law, and scipy's quantiles are unreliable
OF_ONE_MODEL = 2.0  # times STEADY and LEAST_WEIGHT: with 1, AUCs of groups near separation cover .88 to .905 for .95


def limit_of_units(drawn: DrawnUnits, alpha: Floats, side: int) -> Floats:
    """The furthest of the limits with an additional group of each stratum, and with an additional effective case."""
    return furthest(drawn, _bounds(drawn, side), alpha, side)


@once_a_law  # the bounds do not depend on the level
def _bounds(drawn: DrawnUnits, side: int) -> Bound:
    worst, best = ends_of_side(drawn, side)
    scale, place = np.abs(best - worst), on_scale(drawn, side, drawn.center)
    scale = np.where(scale > 0, scale, 1.0)
    whole, spread = total_variance(drawn.strata, drawn.levels)
    freedom_of = partial(satterthwaite, spread=spread, least=least_freedom(drawn.strata, drawn.levels))
    found = []
    for each, reach in zip(drawn.strata, drawn.worst if side < 0 else drawn.best, strict=True):
        _, _, shift, own = additional_unit(each, reach, paired=drawn.paired)
        variance = whole + np.maximum(own - each.variance, 0.0)
        found.append((place - shift / scale, variance / scale**2, freedom_of(variance)))
    if not drawn.paired:
        found.append(_effective_case(place, whole / scale**2, freedom_of(whole)))
    moments = [np.array(np.broadcast_arrays(*each)) for each in zip(*found, strict=True)]
    return Bound(np.ones_like(moments[0]), *moments)


def additional_unit(units: Variation, reach: Floats, *, paired: bool) -> tuple[Floats, Floats, Floats, Floats]:
    """u, the sizes of g and t, and V_own, which may be below V here."""
    k, m = units.number, units.informative
    least, steady = (each * (1.0 if paired else OF_ONE_MODEL) for each in (LEAST_WEIGHT, STEADY))
    share = np.minimum(units.far, reach) / np.where(reach > 0, reach, 1.0)
    g = reach * share ** (m / (m + steady))
    u = least + (1 - least) * HALF_WEIGHT / (HALF_WEIGHT + m)
    whole = k + u
    shift = u * g / whole
    own = (k**2 * units.variance + u * g**2 - whole * shift**2) / (whole * (whole + u))
    return u, g, shift, own


def total_variance(strata: Sequence[Variation], levels: LevelVariance = NO_LEVELS) -> tuple[Floats, Floats]:
    """The variance of all strata and of levels, and the sum of their squares over degrees of freedom."""
    parts = [(levels.own, levels.freedom), *((each.variance, each.freedom) for each in strata)]
    return np.asarray(sum(v for v, _ in parts)), np.asarray(sum(v**2 / f for v, f in parts))


def least_freedom(strata: Sequence[Variation], levels: LevelVariance) -> Floats:
    """The variance due to levels is a difference of two, of which the larger has one less than there are levels."""
    return reduce(np.minimum, [each.freedom for each in strata], np.asarray(max(levels.levels - 1.0, 1.0)))


def satterthwaite(variance: Floats | float, spread: Floats | float, least: Floats | float = 1.0) -> Floats:
    """The degrees of freedom, no fewer than ``least``; the normal law's where no stratum varies."""
    some = np.asarray(spread) > 0
    found = np.where(some, variance**2 / np.where(some, spread, 1.0), MOST_FREEDOM)
    return np.clip(found, least, MOST_FREEDOM)


def _effective_case(p: Floats, variance: Floats, freedom: Floats) -> tuple[Floats, Floats, Floats]:
    """The bound with one more effective case at the worst value; T itself where nothing varies."""
    some = (variance > 0) & (p > 0) & (p < 1)
    n = np.where(some, p * (1 - p) / np.where(some, variance, 1.0), 0.0)
    mean = p * n / (n + 1)
    return np.where(some, mean, p), np.where(some, mean * (1 - mean) / (n + 2), 0.0), freedom
