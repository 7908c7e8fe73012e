"""Limits nearer the more two models agree: differences of average precision, of partial AUC and of weighted kappa.

These statistics are no sums over cases: the skewness of influence values is not that of the statistic, and nearly all
of them differ from 0 however similar the models are. In a stratum of n cases x is the centred influence value of a case
on the difference; m2, m3, m4 are its central moments, ``far`` is the largest |x| seen, L the larger of far and the |x|
of the least favourable additional case. Primes mark the other strata, K = m4 / m2^2 is the kurtosis, C the difference
minus its bias. One unseen case of a stratum has weight u and influence value g:

    k = min(n / K, n / (1 + m3^2 / m2^3)^1.5)        number of cases informative about variation, 0 where m2 = 0
    u = .1 + .9 * .7 / (.7 + k),   g = side L (far / L)^(k / (k + .3))
    W = n + u,   t = u g / W,   V = (n m2 + u g^2 - W t^2) / (W (W + u)) + sum of m2' / n'
    f = 1 / max((K - 1) / (2 n), 1 / (n - 1)),   1 where m2 = 0
    df = max(1, V^2 / sum over all strata of (m2 / n)^2 / f)
    limit = C + t + side sqrt(V) Student's t_df(alpha),   the furthest of the strata's

no nearer than C or the estimate, and no further than the limit of "unseen_case": n / K, which counts few negatives as
informative, made it wider in a fifth to most of ordinary samples. n / K replaces the number of cases that differ, since
two models that differ at one case change the x of all others a little; degrees of freedom are by kurtosis, since
Student's t accounts for the variance of m2.

At the level .95 it covered .94 to 1.00 on 17 populations that were not used to choose it, and .87 on one where a model
misranks a few positives of which the sample may contain none; coverage is not proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from skcostci._arrays import Floats
from skcostci.intervals._additional_unit import limit_of_units
from skcostci.intervals._extrapolated import HALF_WEIGHT, LEAST_WEIGHT, STEADY, extrapolated, extrapolated_tails
from skcostci.intervals._method import no_closed_form
from skcostci.intervals._unseen import SMALLEST_TAIL
from skcostci.intervals._unseen_case import unseen
from skcostci.laws.influence._areas import CurveDifferenceLaw
from skcostci.laws.influence._first_order import BoundedDifferenceLaw, Record
from skcostci.laws.influence._variation import informative_units

MOST_FREEDOM = 1e12  # beyond this Student's t is the normal law


class StudentTail(NamedTuple):
    """One side of the distribution: its centre, deviation and degrees of freedom."""

    center: float
    deviation: float
    freedom: float

    def limit(self, alpha: Floats, side: int) -> Floats:
        """The limit that leaves alpha outside on a side."""
        out = -stdtrit(self.freedom, np.clip(alpha, SMALLEST_TAIL, 1.0))
        return np.asarray(self.center + side * self.deviation * out)


@extrapolated.register
def of_curves(law: CurveDifferenceLaw, alpha: Floats, side: int) -> Floats:
    """The furthest limit over the strata, and over both schemes of resampling where class sizes are random."""
    if law.drawn is not None:
        return limit_of_units(law.drawn, alpha, side)
    tails = [tail for strata in law.records for tail in _tails(law.center, strata, side)]
    nearest = max(side * law.center, side * law.estimate)
    return _nearer(_limit(tails, nearest, alpha, side, law.support), unseen(law, alpha, side), side)


@extrapolated.register
def of_differences(law: BoundedDifferenceLaw, alpha: Floats, side: int) -> Floats:
    """The limits at each point."""
    alphas = np.broadcast_to(alpha, np.broadcast_shapes(np.shape(alpha), law.estimate.shape))
    limits = []
    for place, estimate in enumerate(law.estimate.tolist()):
        ends = float(law.support[0][place]), float(law.support[1][place])
        tails = _tails(estimate, law.records(place), side)
        limits.append(_limit(tails, side * estimate, alphas[..., place], side, ends))
    return _nearer(np.stack(limits, axis=-1), unseen(law, alpha, side), side)


for kind in (CurveDifferenceLaw, BoundedDifferenceLaw):
    extrapolated_tails.register(kind, no_closed_form)


def _nearer(limit: Floats, other: Floats, side: int) -> Floats:
    """The limit, but no further than another."""
    return np.asarray(side * np.minimum(side * limit, side * other))


def _limit(
    tails: Sequence[StudentTail], nearest: float, alpha: Floats, side: int, support: tuple[float, float]
) -> Floats:
    """The furthest of all strata's limits, in the range of the parameter."""
    furthest = np.max([side * tail.limit(np.asarray(alpha), side) for tail in tails], axis=0)
    return np.asarray(np.clip(side * np.maximum(furthest, nearest), *support))


def _tails(center: float, strata: tuple[Record, ...], side: int) -> list[StudentTail]:
    """One tail for each stratum to which the unseen case may belong."""
    return [_tail(center, own, [*strata[:place], *strata[place + 1 :]], side) for place, own in enumerate(strata)]


def _tail(center: float, own: Record, others: list[Record], side: int) -> StudentTail:
    """The distribution of the difference with an unseen case of one stratum."""
    n, k = own.cases, float(informative_units(own.cases, own.square, own.third, own.fourth))
    u = LEAST_WEIGHT + (1 - LEAST_WEIGHT) * HALF_WEIGHT / (HALF_WEIGHT + k)
    g = side * own.largest * (own.far / own.largest) ** (k / (k + STEADY)) if own.largest > 0 else 0.0
    whole = n + u
    shift = u * g / whole
    square = max(n * own.square + u * g**2 - whole * shift**2, 0.0)
    variance = square / (whole * (whole + u)) + sum(other.square / other.cases for other in others)
    spread = sum((each.square / each.cases) ** 2 / _freedom(each) for each in (own, *others))
    freedom = max(1.0, variance**2 / spread) if spread > 0 else MOST_FREEDOM
    return StudentTail(center + shift, float(np.sqrt(variance)), min(freedom, MOST_FREEDOM))


def _freedom(own: Record) -> float:
    """Degrees of freedom of the variance of a stratum, by its kurtosis."""
    if own.square == 0:
        return 1.0
    return 1.0 / max((own.kurtosis - 1) / (2 * own.cases), 1 / (own.cases - 1))
