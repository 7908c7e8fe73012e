"""Limits that allow for one more unit, a case or a group, as extreme as those seen suggest.

**Known ends.** The x of a group is k times its influence value, k the number of groups in its stratum, V what these add
to the variance of T, with f degrees of freedom, ``informative`` = m and ``far`` as in ``laws/influence/_first_order``;
L is the size of the x of a group of typical size all of whose cases are worst, or best. The additional group has an
x of size g and the weight u, and moves T by t:

    g = L (min(far, L) / L)^(m / (m + c)),    u = b + (1 - b) .7 / (.7 + m),    W = k + u,    t = u g / W,
    V_own = max((k^2 V + u g^2 - W t^2) / (W (W + u)), V),    V_all = V_own + V of other strata and of levels,
    f_all = V_all^2 / sum over strata and levels of V^2 / f,

no fewer than 1 or, with J levels, than the smaller of J - 1 and the least f of a stratum,
and the limit is a quantile of the Beta law on the range with mean T +- t and variance V_all, widened by the square of
Student's quantile at f_all over the normal one. (b, c) is (.1, .3) for a difference of two models, which then sharpens
as they resemble each other, and (.2, .6) for one statistic, which also allows for one more effective case at the end of
the range: with p the place of T in the range, of length R, and n = p (1 - p) R^2 / sum V,

    mean (p n + 1 or 0) / (n + 1),    variance mean (1 - mean) / (n + 2).

The limit is the furthest of all strata's and of this one, no nearer than T. Where all of k groups of one size are alike
m is 0 and g is L: with all cases right, the lower limit is alpha^(1/k), as Clopper and Pearson's of k groups.

**No known ends**, as of means, ratios and differences of values: never nearer than Student's t. No interval covers in
every population then (Bahadur and Savage 1956). One more unit, a case or a group, is added that is as extreme as those
seen suggest, with the weights and the x as above where (b, c) is (.1, .3); L is the furthest x seen, for a difference
of two models the x of a unit that differs by the whole range of both models' values, where an end is known the x of a
unit at that end. With u, g, W, t, V_own, V_all and f_all as above, and sums over the units of each stratum,

    third = (sum x^3 + u g^3 - 3 t (sum x^2 + u g^2) + 2 W t^3) / W^3 + the sum of (sum x^3 / k^3) of other strata,
    gamma = 2 third / V_all^1.5, towards the side,    lean = sum (sum x^3 / k^3) / (2 sum V), where that is outwards,
    limit = the further of T + t + lean + sqrt(V_all) Q(gamma, Student's quantile at f_all) and Student's limit,

where Q is the quantile of Pearson's type III distribution by Wilson and Hilferty, with ``lean`` Hall's (1992)
correction for skewness (:class:`Tail`). With few, very skewed values the limit on the long side is
still too near.

**Differences of two AUCs.** "unseen_case" adds a case at the worst possible place; here its place and weight depend on
the cases seen, so that limits are the nearer the more the two models agree. For a positive, x is the share of negatives
that it beats under model a minus the share under b, for a negative the share of positives that beat it; D is the mean
of x in each class. A class has n cases, central moments m2 and m3 of x, and ``reached``, the largest |x - D|. Primes
mark the other class; with several classes x is a sum over the other classes. With m the number of informative cases
(those with x other than D, fewer if a few make most of m2):

    reach = max(reached, reached' - GAP / sqrt(n)),   k = m (reached / reach)^2,   place = reach^(k / (k + STEADY)),
    u     = LEAST_WEIGHT + (1 - LEAST_WEIGHT) HALF_WEIGHT / (HALF_WEIGHT + k),
    limit = D + t + shift + side sqrt(V) Q(quantile of Student's t),   shift = kappa / (2 V_0) where that is outwards.

The additional case lies at ``place`` from D towards the limit (1, the end of the range, if k = 0) and has weight u (1
if k = 0); t is the shift of the mean, V the variance and gamma twice the skewness of D with that case. Q is the
quantile of Pearson's type III distribution with skewness gamma, as above. The shift, with the variance V_0
and the third moment kappa of D in the sample as it is, is minus the mean of the studentized D, in units of D: together
with Q it is Hall's (1992) correction for skewness. The limit is the furthest of those with an additional case of each
class. A skewness estimated from so few cases is not used in far tails: between the alphas NEAR and FAR limits are moved
to Student's, beyond FAR they are no nearer than these.

**Models that resemble each other**: differences of average precision, of partial AUC and of weighted kappa. These
statistics are no sums over cases: the skewness of influence values is not that of the statistic, and nearly all of them
differ from 0 however similar the models. The additional case has a difference's u, g, t and V_own (here even below V),
with the n cases of a stratum for k groups, V without the correction for n - 1, and L the furthest of the ends and of
the x seen. These are influence values (of average precision, from leaving cases out); m is at most n / K, K = m4 / m2^2
their kurtosis. With C the difference minus its bias, the limit is the furthest over the strata of

    C + t + side sqrt(V_own + V of other strata) Student's t_df(alpha),
    f = 1 / max((K - 1) / (2 n), 1 / (n - 1)),   df by Satterthwaite from the f of all strata,

no nearer than C or the estimate, nor further than the limit of "unseen_case", which it would pass in a fifth to most
of ordinary samples: m counts few negatives as informative. Degrees of freedom are by kurtosis, since Student's t
accounts for the variance of m2. Where a model misranks a few positives of which the sample may contain none, coverage
was .87 at a nominal .95.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import stdtr, stdtrit

from skcostci._arrays import Floats
from skcostci.intervals._method import Method, Tails, last_inside, once_a_law
from skcostci.intervals._unseen import SMALLEST_TAIL, Bound, furthest, of_other_laws, scale_of
from skcostci.intervals._unseen_case import unseen
from skcostci.laws.exact._linear import LinearLaw
from skcostci.laws.exact._means_and_ratios import RatioLaw
from skcostci.laws.influence._first_order import (
    NO_LEVELS,
    SKEWED,
    Differences,
    DrawnUnits,
    FirstOrderLaw,
    LevelVariance,
    Variation,
)
from skcostci.laws.influence._weighted import WeightedLaw

GAP = 1.5  # over sqrt(n): by how much the reach of a class of n cases may fall short of that of the other class
STEADY = 0.3  # number of informative cases at which log(place) is halfway to log(reach)
LEAST_WEIGHT = 0.1  # of the additional case, where k is large
HALF_WEIGHT = 0.7  # the k at which half of the weight above LEAST_WEIGHT remains
NEAR, FAR = 0.005, 0.001  # alphas between which the correction for skewness fades out
MOST_FREEDOM = 1e12  # from here on Student's t is the normal law, and scipy's quantiles are unreliable
OF_ONE_MODEL = 2.0  # times STEADY and LEAST_WEIGHT: with 1, AUCs of groups near separation cover .88 to .905 for .95

OfUnits: TypeAlias = FirstOrderLaw | LinearLaw | RatioLaw | WeightedLaw


def extrapolated(law: OfUnits, alpha: Floats, side: int) -> Floats:
    if isinstance(law, FirstOrderLaw) and law.curved and not law.differing:
        return _limit_of_alike(law, alpha, side)
    if isinstance(law, FirstOrderLaw) and (found := of_other_laws(law, alpha, side, extrapolated)) is not None:
        return found
    tails = _tails(law, side)
    if not tails:
        return furthest(_drawn(law), _bounds(_drawn(law), side), alpha, side)
    limits = np.broadcast_arrays(*(tail.limit(alpha, side) for tail in tails))
    return np.asarray(np.clip(side * np.maximum.reduce(limits), *law.support))


def extrapolated_tails(law: OfUnits, x: float) -> Tails | None:
    """The alphas whose limits are x, where they have a closed form."""
    if isinstance(law, FirstOrderLaw) and not (law.as_share is None and law.mean_at is None):
        return None
    below, above = _tails(law, -1), _tails(law, 1)
    return (_outside(below, x, -1), _outside(above, x, 1)) if below else None


def _drawn(law: OfUnits) -> DrawnUnits:
    assert law.drawn is not None
    return law.drawn


def _tails(law: OfUnits, side: int) -> list[Tail]:
    """Tails with an additional unit of each stratum, the last about the estimate; none where the range has ends."""
    if isinstance(law, FirstOrderLaw) and law.differing:
        return _tails_of_differences(law, side)
    return [] if np.isfinite(_drawn(law).support).all() else _tails_without_ends(_drawn(law), side)


@once_a_law  # the bounds do not depend on the level
def _bounds(drawn: DrawnUnits, side: int) -> Bound:
    worst, unit = scale_of(drawn, side)
    scale, place = np.abs(unit), (drawn.center - worst) / unit
    whole, freedom_of = total_variance(drawn.strata, drawn.levels)
    found = []
    for each, reach in zip(drawn.strata, drawn.reach, strict=True):
        _, _, shift, own = additional_unit(each, np.abs(reach[side > 0]), paired=drawn.paired)
        variance = whole + np.maximum(own - each.variance, 0.0)
        found.append((place - shift / scale, variance / scale**2, freedom_of(variance)))
    if not drawn.paired:
        found.append(_effective_case(place, whole / scale**2, freedom_of(whole)))
    moments = [np.array(np.broadcast_arrays(*each)) for each in zip(*found, strict=True)]
    return [np.ones_like(moments[0]), *moments]  # each Beta law ends at 1, the best value


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


def total_variance(strata: Sequence[Variation], levels: LevelVariance) -> tuple[Floats, Callable[[Floats], Floats]]:
    """The variance of all strata and of levels, and Satterthwaite's degrees of freedom of one with additional units."""
    parts = [(levels.own, levels.freedom), *((each.variance, each.freedom) for each in strata)]
    spread = np.asarray(sum(v**2 / f for v, f in parts))
    # The variance due to levels is a difference of two, of which the larger has one less than there are levels.
    least = np.maximum(reduce(np.minimum, [each.freedom for each in strata], np.asarray(levels.levels - 1.0)), 1.0)

    def freedom_of(variance: Floats) -> Floats:
        # The normal law's where no stratum varies.
        found = np.where(spread > 0, variance**2 / np.where(spread > 0, spread, 1.0), MOST_FREEDOM)
        return np.clip(found, least, MOST_FREEDOM)

    return np.asarray(sum(v for v, _ in parts)), freedom_of


def _effective_case(p: Floats, variance: Floats, freedom: Floats) -> tuple[Floats, Floats, Floats]:
    """The bound with one more effective case at the worst value; T itself where nothing varies."""
    some = (variance > 0) & (p > 0) & (p < 1)
    n = np.where(some, p * (1 - p) / np.where(some, variance, 1.0), 0.0)
    mean = p * n / (n + 1)
    return np.where(some, mean, p), np.where(some, mean * (1 - mean) / (n + 2), 0.0), freedom


class Tail(NamedTuple):
    """One side of a law: a limit is Q(z) standard deviations from the centre, and ``beyond`` of them past its end."""

    center: Floats | float
    deviation: Floats | float
    skewness: Floats | float
    freedom: Floats | float
    beyond: Floats | float = np.inf

    def limit(self, alpha: Floats, side: int) -> Floats:
        """The limit that leaves alpha outside, counted towards the side."""
        z = -stdtrit(self.freedom, np.clip(alpha, SMALLEST_TAIL, 1.0))
        return side * self.center + self.deviation * self._distance(z)

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")  # where there is no skewness, or z is past the end
    def outside(self, x: float, side: int) -> Floats:
        """The alpha whose limit is x: Q inverted, then Student's tail; 0 where there is no deviation."""
        some = np.asarray(self.deviation) > 0
        distance = side * (x - self.center) / np.where(some, self.deviation, 1.0)
        half = self.skewness * distance / 2
        root = np.where(half > -1, np.expm1(np.log1p(half) / 3), -1.0)
        z = np.where(np.abs(self.skewness) < 1e-8, distance, 6 * root / self.skewness + np.divide(self.skewness, 6))
        near, far = self._far
        found = np.where(z >= far, np.minimum(z, distance), z)
        if (faded := (near < z) & (np.minimum(z, distance) < far)).any():
            found = np.where(faded, last_inside(lambda z: distance - self._distance(z), near, far), found)
        return np.where(some, stdtr(self.freedom, -found), 0.0)

    def _distance(self, z: Floats) -> Floats:
        """Q(z), in far tails at least z; past the end of a law with negative skewness it is ``beyond``."""
        slope = z / 6 - self.skewness / 36
        root = self.skewness * slope
        with np.errstate(over="ignore", invalid="ignore"):
            # where root <= -1 the formula overflows, and its values are not used
            quantile = 2 * slope * (3 + 3 * root + root**2)
        corrected = np.where(root <= -1, np.where(z > 0, self.beyond, -np.inf), quantile)
        near, far = self._far
        share = np.clip((z - near) / (far - near), 0.0, 1.0)
        return np.asarray(corrected + share * np.maximum(z - corrected, 0.0))

    @property
    def _far(self) -> tuple[Floats, Floats]:
        return -stdtrit(self.freedom, NEAR), -stdtrit(self.freedom, FAR)


def _outside(tails: Sequence[Tail], x: float, side: int) -> Floats:
    """The largest alpha of all tails; 1 up to the estimate."""
    outside = np.broadcast_arrays(*(tail.outside(x, side) for tail in tails))
    return np.where(side * (x - tails[-1].center) > 0, np.maximum.reduce(outside), 1.0)


@np.errstate(divide="ignore", invalid="ignore")  # where nothing is known
def _tails_without_ends(drawn: DrawnUnits, side: int) -> list[Tail]:
    """With an additional unit, and Student's; at the end of the range where no unit shows how far another may be."""
    whole, freedom_of = total_variance(drawn.strata, drawn.levels)
    ends = zip(drawn.strata, (np.abs(reach[side > 0]) for reach in drawn.reach), strict=True)
    reach = [np.where(np.isnan(end), each.far, end) for each, end in ends]
    known = np.isfinite(drawn.center) & ((whole > 0) | np.any(reach, axis=0))
    thirds = [each.third / each.number**2 for each in drawn.strata]
    lean = np.where(whole > 0, side * 0.5 * sum(thirds) / whole, 0.0)
    found = []
    for each, end, own_third in zip(drawn.strata, reach, thirds, strict=True):
        u, g, t, own = additional_unit(each, end, paired=True)
        k = each.number
        third = k * side * each.third + u * g**3 - 3 * t * (k * each.square + u * g**2) + 2 * (k + u) * t**3
        third = third / (k + u) ** 3 + side * (sum(thirds) - own_third)
        variance = whole + np.maximum(own - each.variance, 0.0)
        skewness = np.where(variance > 0, 2 * third / variance**1.5, 0.0)
        center = drawn.center + side * (np.maximum(lean, 0.0) + t)
        beyond = np.where(skewness < 0, -2 / skewness, np.inf)
        found.append(Tail(center, np.sqrt(variance), skewness, freedom_of(variance), beyond))
    found.append(Tail(drawn.center, np.sqrt(whole), 0.0, freedom_of(whole)))
    at_end = Tail(drawn.support[side > 0], 0.0, 0.0, 1.0)
    return [Tail(*(np.where(known, *pair) for pair in zip(each, at_end, strict=True))) for each in found]


def _tails_of_differences(law: FirstOrderLaw, side: int) -> list[Tail]:
    classes = law.differences
    variance = sum(each.square / max(each.cases - 1, 1) for each in classes)
    shift = 0.5 * sum(each.third / each.cases**2 for each in classes) / variance if variance > 0 else 0.0
    center = law.estimate.item() + (shift if side * shift > 0 else 0.0)
    found = [_tail(center, own, [*classes[:i], *classes[i + 1 :]], side) for i, own in enumerate(classes)]
    return [*found, Tail(law.estimate, 0.0, 0.0, 1.0)]


def _tail(center: float, own: Differences, others: list[Differences], side: int) -> Tail:
    """The distribution of D with an additional case of one class, of weight u, at the offset g from its class mean."""
    u, g = _additional_case(own, others, side)
    n, whole = own.cases, own.cases + u
    shift = u * g / whole
    square = n * own.square + u * g**2 - whole * shift**2
    third = n * own.third + u * g**3 - 3 * shift * (n * own.square + u * g**2) + 2 * whole * shift**3
    variance = square / (whole * (whole + u)) + sum(other.square / other.cases for other in others)
    if variance <= 0:
        return Tail(center, 0.0, 0.0, 1.0)
    skewness = 2 * (third / whole**3 + sum(other.third / other.cases**2 for other in others)) / variance**1.5
    spread = sum((each.square / each.cases) ** 2 / max(each.cases - 1, 1) for each in (own, *others))
    freedom = max(variance**2 / spread, 1.0) if spread > 0 else np.inf
    return Tail(center + shift, float(np.sqrt(variance)), side * skewness, min(freedom, MOST_FREEDOM))


def _additional_case(own: Differences, others: list[Differences], side: int) -> tuple[float, float]:
    reach = max([own.reached, *(other.reached - GAP / np.sqrt(own.cases) for other in others)])
    # The cases informative about x are those that differ from D, fewer if a few have most of the variance.
    skewness = own.third / own.square**1.5 if own.square > 0 else np.inf
    informative = min(own.differing, own.cases / (1 + skewness**2) ** SKEWED)
    informative = informative * (own.reached / reach) ** 2 if reach > 0 else 0.0
    place = reach ** (informative / (informative + STEADY))  # 1 where no case is informative
    unseen = LEAST_WEIGHT + (1 - LEAST_WEIGHT) * HALF_WEIGHT / (HALF_WEIGHT + informative)
    return unseen, float(np.clip(own.mean + side * place * own.largest, -own.largest, own.largest) - own.mean)


def _limit_of_alike(law: FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    """No nearer than the estimate, no further than "unseen_case"."""
    strata = (law.left_out or law).strata
    cases = [part.by_kurtosis() for part in strata]
    whole, freedom_of = total_variance(cases, NO_LEVELS)
    found = [side * law.center, side * law.estimate]
    for part, each in zip(strata, cases, strict=True):
        reach = np.maximum.reduce([each.far, np.abs(part.worst), np.abs(part.best)])
        _, _, shift, own = additional_unit(each, reach, paired=True)
        variance = whole - each.variance + own
        out = -stdtrit(freedom_of(variance), np.clip(alpha, SMALLEST_TAIL, 1.0))
        found.append(side * law.center + shift + np.sqrt(variance) * out)
    limit = np.clip(side * np.max(np.broadcast_arrays(*found), axis=0), *law.support)
    return np.asarray(side * np.minimum(side * limit, side * unseen(law, alpha, side)))


METHODS = (
    Method(
        "extrapolated",
        "extrapolated observation",
        extrapolated,
        "limits of the bootstrap distribution once an observation is added that is as extreme as those seen suggest.",
        "Where cases, or whole groups, may fail that the sample does not show: 'unseen_case', or 'unseen_group', "
        "allows for them; with few, very skewed values whose range is not given.",
        extrapolated_tails,
    ),
)
