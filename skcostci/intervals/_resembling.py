"""Limits nearer the more two models agree: differences of average precision, of partial AUC and of weighted kappa.

These statistics are no sums over cases: the skewness of influence values is not that of the statistic, and nearly all
of them differ from 0 however similar the models are. The additional case has the weight u and the value g of
``_additional_unit`` for a difference, told by n / K of the n cases of a stratum, K = m4 / m2^2 the kurtosis of x, the
centred influence values, with moments m2 and m4; t and V_own are as there, V without the correction for n - 1. With C
the difference minus its bias, the limit is the furthest over the strata of

    C + t + side sqrt(V_own + V of other strata) Student's t_df(alpha),
    f = 1 / max((K - 1) / (2 n), 1 / (n - 1)),   df by Satterthwaite from the f of all strata,

no nearer than C or the estimate, and no further than the limit of "unseen_case", beyond which it was in a fifth to most
of ordinary samples: n / K counts few negatives as informative. Degrees of freedom are by kurtosis, since Student's t
accounts for the variance of m2. Where a model misranks a few positives of which the sample may contain none, coverage
was .87 at a nominal .95.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from scipy.special import stdtrit

from skcostci._arrays import Floats
from skcostci.intervals._additional_unit import additional_unit, limit_of_units, satterthwaite, total_variance
from skcostci.intervals._extrapolated import (
    extrapolated,
    extrapolated_tails,
    limit_of_differences,
    tails_of_differences,
)
from skcostci.intervals._method import Tails
from skcostci.intervals._unseen import SMALLEST_TAIL, of_other_laws
from skcostci.intervals._unseen_case import unseen
from skcostci.intervals._without_ends import limit_without_ends, tails_without_ends
from skcostci.laws.exact._linear import LinearLaw
from skcostci.laws.exact._means_and_ratios import RatioLaw
from skcostci.laws.influence._first_order import FirstOrderLaw
from skcostci.laws.influence._variation import DrawnUnits
from skcostci.laws.influence._weighted import WeightedLaw

OfUnits: TypeAlias = FirstOrderLaw | LinearLaw | RatioLaw | WeightedLaw


@extrapolated.register
def of_units(law: OfUnits, alpha: Floats, side: int) -> Floats:
    if isinstance(law, FirstOrderLaw) and law.differing:
        return limit_of_differences(law, alpha, side)
    if isinstance(law, FirstOrderLaw) and law.curved:
        return _limit_of_alike(law, alpha, side)
    if isinstance(law, FirstOrderLaw) and (found := of_other_laws(law, alpha, side, of_units)) is not None:
        return found
    drawn = _drawn(law)
    return (limit_of_units if drawn.has_ends else limit_without_ends)(drawn, alpha, side)


@extrapolated_tails.register
def tails_of_units(law: OfUnits, x: float) -> Tails | None:
    if isinstance(law, FirstOrderLaw) and law.differing:
        return tails_of_differences(law, x)
    drawn = _drawn(law)
    elsewhere = isinstance(law, FirstOrderLaw) and not (law.as_share is None and law.mean_at is None)
    return None if drawn.has_ends or elsewhere else tails_without_ends(drawn, x)


def _drawn(law: OfUnits) -> DrawnUnits:
    assert law.drawn is not None
    return law.drawn


def _limit_of_alike(law: FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    """No nearer than the estimate, no further than "unseen_case"."""
    strata = (law.left_out or law).strata
    cases = [part.by_kurtosis() for part in strata]
    whole, spread = total_variance(cases)
    found = [side * law.center, side * law.estimate]
    for part, each in zip(strata, cases, strict=True):
        reach = np.maximum.reduce([each.far, np.abs(part.worst), np.abs(part.best)])
        _, _, shift, own = additional_unit(each, reach, paired=True)
        variance = whole - each.variance + own
        out = -stdtrit(satterthwaite(variance, spread), np.clip(alpha, SMALLEST_TAIL, 1.0))
        found.append(side * law.center + shift + np.sqrt(variance) * out)
    limit = np.clip(side * np.max(np.broadcast_arrays(*found), axis=0), *law.support)
    return np.asarray(side * np.minimum(side * limit, side * unseen(law, alpha, side)))
