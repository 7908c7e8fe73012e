"""Limits for the difference of two AUCs that sharpen as the models agree.

Of a positive, x is the share of negatives that it beats under a less the share under b; of a negative likewise, and D
is the mean of either. A class has n cases, central moments m2 and m3 about D, and its x reach at most ``far`` from D.
Primes mark the other class; of several classes x is a sum over those met. One case of a class was not seen, of weight
u, at the place g from D: not the worst place there is, as in "unseen_case", but a record that those seen extrapolate
to. With k the cases that tell how x varies:

    reach = max(far, far' - 1.5/sqrt(n)),  v = reach^(k/(k + .3)),  u = .1 + .9 * .7/(.7 + k),  g = side v, inside +-1
    V = variance of D with that case,  gamma = twice its skewness,   W(z) = quantile of Pearson's law III
    limit = D + t + lean + side sqrt(V) W(quantile of Student's t);  the furthest out of all classes'

Beyond an alpha of .001 no limit is nearer than Student's about the same centre; from .005 on they are drawn there.
t is what the case adds to the mean, lean Hall's correction of the mean for skewness, W by Wilson and Hilferty. Where k
is 0, as ranks are all alike, the case is at the end of the range and weighs 1; where many differ it weighs .1.

Where whole groups are drawn x is what a group adds, n how many groups of one size would say as much, and an unseen
group, typical in size, weighs .2 at least and lies at reach^(k/(k + .6)): groups vary more than cases do. Where
units meet levels of another factor, such as readers, V has what these add, with degrees of freedom of its own.

Of statistics without ends (a squared error, R2) no interval can hold whatever the population is (Bahadur and Savage
1956): their unseen unit is taken for one as far from the others as the furthest that was seen. What a rare, far larger
error would do is then not held.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.special import stdtr, stdtrit

from skcostci._validation import Floats
from skcostci.intervals._method import Law, Method, Tails, last_inside
from skcostci.intervals._unseen import SMALLEST_TAIL
from skcostci.laws.influence._first_order import Differences, FirstOrderLaw
from skcostci.laws.influence._grouped_ranks import GroupedAUCDifferenceLaw
from skcostci.laws.influence._of_levels import ALONE, Beside, CrossedLaw

GAP, STEADY = 1.5, 0.3  # of the reach: what a class of n may fall short of the other; cases after which it is believed
OF_GROUPS = 2.0  # times STEADY and LEAST_UNSEEN: with 1, groups of eight near separation cover .87 to .89 for .95
LEAST_UNSEEN, HALF_SEEN = 0.1, 0.7  # of a case, however many differ; how many differ where half of the rest is left
BELIEVED, DOUBTED = 0.005, 0.001  # alphas: a skewness known from so few cases says nothing of tails thinner than that
SKEWED = 1.5  # how fast skewness takes from what cases tell: where one differs among many they tell as one does


class Tail(NamedTuple):
    """One side of the law of D: its centre, deviation, skewness towards that side and degrees of freedom."""

    center: float
    deviation: float
    skewness: float
    freedom: float

    def out(self, alpha: Floats) -> Floats:
        """How many deviations outwards the quantile lies that leaves alpha outside."""
        return self._distance(-stdtrit(self.freedom, np.clip(alpha, SMALLEST_TAIL, 1.0)))

    def outside(self, distance: float) -> float:
        """The probability beyond so many deviations outwards."""
        inside = 1 + self.skewness * distance / 2
        if abs(self.skewness) < 1e-8:
            z = distance
        else:
            root = np.expm1(np.log1p(self.skewness * distance / 2) / 3) if inside > 0 else -1.0
            z = 6 * root / self.skewness + self.skewness / 6
        believed, doubted = self._far
        if believed < z and min(z, distance) < doubted:
            z = float(last_inside(lambda z: distance - self._distance(z), np.array(believed), np.array(doubted)))
        elif z >= doubted:
            z = min(z, distance)
        return float(stdtr(self.freedom, -z))

    def _distance(self, z: Floats) -> Floats:
        """The place of Student's quantile z: Pearson's, and far out no nearer than z, drawn there in between.

        A law that ends on this side says nothing beyond its end: there the limit goes to the end of the range.
        """
        slope = z / 6 - self.skewness / 36
        root = self.skewness * slope
        with np.errstate(over="ignore", invalid="ignore"):
            # Beyond the branch below the formula overflows; its values are not used there.
            quantile = 2 * slope * (3 + 3 * root + root**2)
        corrected = np.where(root <= -1, np.where(z > 0, np.inf, -np.inf), quantile)
        believed, doubted = self._far
        share = np.clip((z - believed) / (doubted - believed), 0.0, 1.0)
        return np.asarray(corrected + share * np.maximum(z - corrected, 0.0))

    @property
    def _far(self) -> tuple[float, float]:
        """Student's quantiles up to which the correction for skewness is believed, and from which it may not narrow."""
        believed, doubted = -stdtrit(self.freedom, [BELIEVED, DOUBTED])
        return float(believed), float(doubted)


class DifferenceLaw(Law, Protocol):
    """What is known of a difference by the placements of each class."""

    @property
    def mean(self) -> float: ...

    @property
    def differences(self) -> tuple[Differences, ...]: ...


@singledispatch
def extrapolated(law: Any, alpha: Floats, side: int) -> Floats:
    """The limit of the class whose unseen case takes it further out; no nearer than the estimate.

    Of a :class:`DifferenceLaw`; other laws have their own way to be one, below.
    """
    limits = [tail.center + side * tail.deviation * tail.out(np.asarray(alpha)) for tail in _tails(law, side)]
    furthest = np.max([side * limit for limit in limits], axis=0)
    return np.asarray(np.clip(side * np.maximum(furthest, side * law.mean), *law.support))


@singledispatch
def extrapolated_tails(law: Any, x: float) -> Tails:
    """In closed form: the largest that a class leaves outside x."""
    found = []
    for side in (-1, 1):
        beyond = side * (x - law.mean) > 0
        outside = [
            t.outside(side * (x - t.center) / t.deviation) if t.deviation > 0 else 0.0 for t in _tails(law, side)
        ]
        found.append(np.asarray(max(outside) if beyond else 1.0))
    return found[0], found[1]


def _tails(law: DifferenceLaw, side: int) -> list[Tail]:
    """One for each class that may have a case that was not seen."""
    classes, beside = law.differences, getattr(law, "beside", ALONE)
    lean = _lean(classes, beside)
    center = law.mean + (lean if side * lean > 0 else 0.0)
    return [_tail(center, own, [*classes[:i], *classes[i + 1 :]], beside, side) for i, own in enumerate(classes)]


def _lean(classes: tuple[Differences, ...], beside: Beside) -> float:
    """How far the median of D lies from its mean, for the skewness of the cases seen (Hall 1992)."""
    variance = sum(each.square / max(each.cases - 1, 1) for each in classes) + float(beside.own)
    return 0.5 * sum(each.third / each.cases**2 for each in classes) / variance if variance > 0 else 0.0


def _tail(center: float, own: Differences, others: list[Differences], beside: Beside, side: int) -> Tail:
    """The law of D with a case of one class that was not seen."""
    u, g = _unseen(own, others, side)
    n, whole = own.cases, own.cases + u
    shift = u * g / whole
    square = n * own.square + u * g**2 - whole * shift**2
    third = n * own.third + u * g**3 - 3 * shift * (n * own.square + u * g**2) + 2 * whole * shift**3
    variance = square / (whole * (whole + u)) + sum(other.square / other.cases for other in others) + float(beside.own)
    if variance <= 0:
        return Tail(center, 0.0, 0.0, 1.0)
    skewness = 2 * (third / whole**3 + sum(other.third / other.cases**2 for other in others)) / variance**1.5
    spread = sum((each.square / each.cases) ** 2 / max(each.cases - 1, 1) for each in (own, *others))
    spread += float(beside.own**2 / beside.freedom)
    freedom = max(variance**2 / spread, 1.0) if spread > 0 else np.inf
    return Tail(center + shift, float(np.sqrt(variance)), side * skewness, min(freedom, 1e12))


def _unseen(own: Differences, others: list[Differences], side: int) -> tuple[float, float]:
    """The weight of the unseen case, and its place beside the mean of its class."""
    far = own.reached
    reach = max([far, *(other.reached - GAP / np.sqrt(own.cases) for other in others)])
    informative = _informative_cases(own) * (far / reach) ** 2 if reach > 0 else 0.0
    steady, least = (each * (OF_GROUPS if own.in_groups else 1.0) for each in (STEADY, LEAST_UNSEEN))
    place = reach ** (informative / (informative + steady))  # 1 where no case is informative
    unseen = least + (1 - least) * HALF_SEEN / (HALF_SEEN + informative)
    return unseen, float(np.clip(own.mean + side * place * own.largest, -own.largest, own.largest) - own.mean)


def _informative_cases(own: Differences) -> float:
    """How many cases are informative of x: those that differ at all, fewer where a few bring most of the variance."""
    if own.square == 0:
        return 0.0
    return float(min(own.differing, own.cases / (1 + (own.third / own.square**1.5) ** 2) ** SKEWED))


@dataclass(frozen=True)
class _Point:
    """A law at one point, as the record form asks for it."""

    mean: float
    variance: float
    support: tuple[float, float]
    differences: tuple[Differences, ...]
    beside: Beside = ALONE


def _points(law: FirstOrderLaw) -> list[_Point | None]:
    """None where nothing differs, and no case says how far anything may."""
    least, most = law.support
    every = zip(law.estimate.tolist(), law.variance.tolist(), least.tolist(), most.tolist(), strict=True)
    return [
        _Point(mean, variance, (low, high), law.differences(place), _beside(law, place)) if variance > 0 else None
        for place, (mean, variance, low, high) in enumerate(every)
    ]


def _beside(law: FirstOrderLaw, place: int) -> Beside:
    """What levels bring at a point."""
    return law.beside.at(place) if isinstance(law, CrossedLaw) else ALONE


@extrapolated.register
def record(law: FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    """The record form at each point; the end of the range where all units are alike."""
    alphas = np.broadcast_to(alpha, np.broadcast_shapes(np.shape(alpha), law.estimate.shape))
    limits = [
        np.broadcast_to(law.support[side > 0][place], alphas[..., place].shape)
        if point is None
        else extrapolated(point, alphas[..., place], side)
        for place, point in enumerate(_points(law))
    ]
    return np.stack(limits, axis=-1)


@extrapolated_tails.register
def record_tails(law: FirstOrderLaw, x: float) -> Tails:
    """In closed form; nothing is left out where all units are alike."""
    found = [(np.asarray(1.0),) * 2 if point is None else extrapolated_tails(point, x) for point in _points(law)]
    lower, upper = (np.array([tails[side] for tails in found]) for side in (0, 1))
    return lower, upper


@extrapolated.register
def of_groups(law: GroupedAUCDifferenceLaw, alpha: Floats, side: int) -> Floats:
    """The record form of groups about the estimate: the mean of resamples is a little off it."""
    return extrapolated(_of_groups(law), alpha, side)


@extrapolated_tails.register
def tails_of_groups(law: GroupedAUCDifferenceLaw, x: float) -> Tails:
    """In closed form."""
    return extrapolated_tails(_of_groups(law), x)


def _of_groups(law: GroupedAUCDifferenceLaw) -> _Point:
    return _Point(law.estimate, float((law.influence**2).sum()), law.support, law.differences)


METHODS = (
    Method(
        "extrapolated",
        "unseen case, extrapolated",
        extrapolated,
        "limits of the bootstrap distribution once an observation is added that is as extreme as those seen suggest.",
        "Where one model may throw away cases that the sample did not show: 'unseen_case' allows for them, "
        "'unseen_group' for groups.",
        extrapolated_tails,
    ),
)
