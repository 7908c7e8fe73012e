"""Limits of means, ratios and differences whose values have no known ends: never nearer than Student's t.

No interval covers in every population then (Bahadur and Savage 1956). One more unit, a case or a group, is added that
is as extreme as those seen suggest, with the weights and the x of ``_additional_unit`` where (b, c) is (.1, .3); L is
the furthest x seen, for a difference of two models the x of a unit that differs by the whole range of both models'
values, where an end is known the x of a unit at that end. With u, g, W, t, V_own, V_all and f_all as there, and sums
over the units of each stratum,

    third = (sum x^3 + u g^3 - 3 t (sum x^2 + u g^2) + 2 W t^3) / W^3 + the sum of (sum x^3 / k^3) of other strata,
    gamma = 2 third / V_all^1.5, towards the side,    lean = sum (sum x^3 / k^3) / (2 sum V), where that is outwards,
    limit = the further of T + t + lean + sqrt(V_all) Q(gamma, Student's quantile at f_all) and Student's limit,

where Q is the quantile of Pearson's type III distribution by Wilson and Hilferty, with ``lean`` Hall's (1992)
correction for skewness (:class:`.._extrapolated.Tail`). With few, very skewed values the limit on the long side is
still too near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from skcostci._arrays import Floats
from skcostci.intervals._additional_unit import additional_unit, least_freedom, satterthwaite, total_variance
from skcostci.intervals._extrapolated import Tail
from skcostci.intervals._method import Tails
from skcostci.laws.influence._variation import DrawnUnits, LevelVariance, Variation


def limit_without_ends(drawn: DrawnUnits, alpha: Floats, side: int) -> Floats:
    """The limit at each point; the end of the range where no unit shows how far another may differ."""
    shape = np.broadcast_shapes(np.shape(alpha), drawn.estimate.shape)
    alphas, end = np.broadcast_to(alpha, shape), np.broadcast_to(drawn.support[side > 0], shape)
    found = []
    for place, tails in enumerate(_tails(drawn, side)):
        center = tails[-1].center if tails else 0.0
        each = [side * tail.center + tail.deviation * tail.out(alphas[..., place]) for tail in tails]
        found.append(side * np.maximum.reduce([*each, np.asarray(side * center)]) if tails else end[..., place])
    return np.asarray(np.clip(np.stack(found, axis=-1), *drawn.support))


def tails_without_ends(drawn: DrawnUnits, x: float) -> Tails:
    """The alphas at each point; 1 where no unit shows how far another may differ."""
    lower, upper = (np.array([_outside(tails, x, side) for tails in _tails(drawn, side)]) for side in (-1, 1))
    return lower, upper


def _outside(tails: Sequence[Tail], x: float, side: int) -> float:
    if not tails or side * (x - tails[-1].center) <= 0:
        return 1.0
    found = [t.outside(side * (x - t.center) / t.deviation) for t in tails if t.deviation > 0]
    return max(found, default=0.0)


def _tails(drawn: DrawnUnits, side: int) -> Iterator[Sequence[Tail]]:
    for place, center in enumerate(drawn.center.tolist()):
        strata = [
            Variation(*(np.broadcast_to(field, drawn.center.shape)[place] for field in each)) for each in drawn.strata
        ]
        reach = [float(each[place]) for each in (drawn.worst if side < 0 else drawn.best)]
        known = [float(each.far) if np.isnan(end) else end for each, end in zip(strata, reach, strict=True)]
        yield _at_point(center, strata, known, drawn.levels.at(place, drawn.center.shape), side)


def _at_point(
    center: float, strata: list[Variation], reach: list[float], levels: LevelVariance, side: int
) -> Sequence[Tail]:
    """Tails with an additional unit of each stratum, and Student's about the estimate; none where nothing is known."""
    whole, spread = map(float, total_variance(strata, levels))
    if not np.isfinite(center) or (whole == 0 and not any(reach)):
        return ()
    least = float(least_freedom(strata, levels))
    thirds = [float(each.third / each.number**2) for each in strata]
    lean = 0.5 * sum(thirds) / whole if whole > 0 else 0.0
    about = center + (lean if side * lean > 0 else 0.0)
    tails = []
    for each, end, own_third in zip(strata, reach, thirds, strict=True):
        u, distance, shift, own = (float(part) for part in additional_unit(each, np.asarray(end), paired=True))
        k, g, t = float(each.number), side * distance, side * shift
        third = k * float(each.third) + u * g**3 - 3 * t * (k * float(each.square) + u * g**2) + 2 * (k + u) * t**3
        third = third / (k + u) ** 3 + sum(thirds) - own_third
        variance = whole + max(own - float(each.variance), 0.0)
        skewness = side * 2 * third / variance**1.5 if variance > 0 else 0.0
        beyond = -2 / skewness if skewness < 0 else np.inf
        tails.append(Tail(about + t, variance**0.5, skewness, float(satterthwaite(variance, spread, least)), beyond))
    return *tails, Tail(center, whole**0.5, 0.0, float(satterthwaite(whole, spread, least)))
