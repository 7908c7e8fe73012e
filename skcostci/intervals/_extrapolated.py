"""Limits for the difference of two AUCs that allow for an additional case as extreme as those seen suggest.

"unseen_case" adds a case at the worst possible place; here its place and weight depend on the cases seen, so that
limits are the nearer the more the two models agree. For a positive, x is the share of negatives that it beats under
model a minus the share under b, for a negative the share of positives that beat it; D is the mean of x in each class. A
class has n cases, central moments m2 and m3 of x, and ``reached``, the largest |x - D|. Primes mark the other class;
with several classes x is a sum over the other classes. With m the number of informative cases (those with x other than
D, fewer if a few make most of m2):

    reach = max(reached, reached' - GAP / sqrt(n)),   k = m (reached / reach)^2,   place = reach^(k / (k + STEADY)),
    u     = LEAST_WEIGHT + (1 - LEAST_WEIGHT) HALF_WEIGHT / (HALF_WEIGHT + k),
    limit = D + t + shift + side sqrt(V) W(quantile of Student's t),   shift = kappa / (2 V_0) where that is outwards.

The additional case lies at ``place`` from D towards the limit (1, the end of the range, if k = 0) and has weight u (1
if k = 0); t is the shift of the mean, V the variance and gamma twice the skewness of D with that case. W is the
quantile of Pearson's type III distribution with skewness gamma (Wilson and Hilferty). The shift, with the variance V_0
and the third moment kappa of D in the sample as it is, is minus the mean of the studentized D, in units of D: together
with W it is Hall's (1992) correction for skewness. The limit is the furthest of those with an additional case of each
class. A skewness estimated from so few cases is not used in far tails: between the alphas NEAR and FAR limits are moved
to Student's, beyond FAR they are no nearer than these.
"""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from skcostci._arrays import Floats
from skcostci.intervals._method import Law, Method, Tails, last_inside
from skcostci.intervals._unseen import SMALLEST_TAIL
from skcostci.laws.influence._first_order import Differences, FirstOrderLaw
from skcostci.laws.influence._variation import SKEWED

GAP = 1.5  # over sqrt(n): by how much the reach of a class of n cases may fall short of that of the other class
STEADY = 0.3  # number of informative cases at which log(place) is halfway to log(reach)
LEAST_WEIGHT = 0.1  # of the additional case, where k is large
HALF_WEIGHT = 0.7  # the k at which half of the weight above LEAST_WEIGHT remains
NEAR, FAR = 0.005, 0.001  # alphas between which the correction for skewness fades out


class Tail(NamedTuple):
    """One side of D's law: a limit is W(z) standard deviations beyond the centre, ``beyond`` past the law's end."""

    center: float
    deviation: float
    skewness: float
    freedom: float
    beyond: float = np.inf

    def out(self, alpha: Floats) -> Floats:
        """W(z) for the z that leaves alpha outside."""
        return self._distance(-stdtrit(self.freedom, np.clip(alpha, SMALLEST_TAIL, 1.0)))

    def outside(self, distance: float) -> float:
        """The alpha whose limit lies so many standard deviations beyond the centre: W inverted, then Student's tail."""
        if abs(self.skewness) < 1e-8:
            return float(stdtr(self.freedom, -distance))
        inside = 1 + self.skewness * distance / 2
        root = np.expm1(np.log1p(self.skewness * distance / 2) / 3) if inside > 0 else -1.0
        z = 6 * root / self.skewness + self.skewness / 6
        near, far = self._far
        if near < z and min(z, distance) < far:
            z = float(last_inside(lambda z: distance - self._distance(z), np.array(near), np.array(far)))
        elif z >= far:
            z = min(z, distance)
        return float(stdtr(self.freedom, -z))

    def _distance(self, z: Floats) -> Floats:
        """W(z), in far tails at least z; past the end of a law with negative skewness it is ``beyond``."""
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
    def _far(self) -> tuple[float, float]:
        near, far = -stdtrit(self.freedom, [NEAR, FAR])
        return float(near), float(far)


@singledispatch
def extrapolated(law: Law, alpha: Floats, side: int) -> Floats:
    raise NotImplementedError(f"the 'extrapolated' interval is not implemented for a {type(law).__name__}.")


@singledispatch
def extrapolated_tails(_law: Law, _x: float) -> Tails | None:
    """The alphas whose limits are x, where they have a closed form."""
    return None


def limit_of_differences(law: FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    """The more distant of the limits with an additional case of each class; no nearer than the estimate."""
    limits = [tail.center + side * tail.deviation * tail.out(np.asarray(alpha)) for tail in _tails(law, side)]
    furthest = np.max([side * limit for limit in limits], axis=0)
    return np.asarray(np.clip(side * np.maximum(furthest, side * law.estimate), *law.support))


def tails_of_differences(law: FirstOrderLaw, x: float) -> Tails:
    """The alphas at which x is the lower and the upper limit: the larger of the alphas of the classes."""
    found = []
    for side in (-1, 1):
        beyond = side * (x - law.estimate.item()) > 0
        outside = [
            t.outside(side * (x - t.center) / t.deviation) if t.deviation > 0 else 0.0 for t in _tails(law, side)
        ]
        found.append(np.asarray(max(outside) if beyond else 1.0))
    return found[0], found[1]


def _tails(law: FirstOrderLaw, side: int) -> list[Tail]:
    classes = law.differences
    variance = sum(each.square / max(each.cases - 1, 1) for each in classes)
    shift = 0.5 * sum(each.third / each.cases**2 for each in classes) / variance if variance > 0 else 0.0
    center = law.estimate.item() + (shift if side * shift > 0 else 0.0)
    return [_tail(center, own, [*classes[:i], *classes[i + 1 :]], side) for i, own in enumerate(classes)]


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
    return Tail(center + shift, float(np.sqrt(variance)), side * skewness, min(freedom, 1e12))


def _additional_case(own: Differences, others: list[Differences], side: int) -> tuple[float, float]:
    reach = max([own.reached, *(other.reached - GAP / np.sqrt(own.cases) for other in others)])
    informative = _informative_cases(own) * (own.reached / reach) ** 2 if reach > 0 else 0.0
    place = reach ** (informative / (informative + STEADY))  # 1 where no case is informative
    unseen = LEAST_WEIGHT + (1 - LEAST_WEIGHT) * HALF_WEIGHT / (HALF_WEIGHT + informative)
    return unseen, float(np.clip(own.mean + side * place * own.largest, -own.largest, own.largest) - own.mean)


def _informative_cases(own: Differences) -> float:
    """The number of cases informative about x: those that differ from D, fewer if a few have most of the variance."""
    if own.square == 0:
        return 0.0
    return float(min(own.differing, own.cases / (1 + (own.third / own.square**1.5) ** 2) ** SKEWED))


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
