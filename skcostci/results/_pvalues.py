"""P-values: intervals turned round, so that p < alpha exactly when the interval at 1 - alpha leaves out the null.

With ``lower`` and ``upper`` the largest alphas at which the one-sided limits do not leave out the null, p is ``lower``
for the claim "greater", ``upper`` for "less" and twice the smaller for "two-sided". In closed form where a method has
one, else by Chandrupatla's method at all points at once, to 10 digits of the normal quantile of p.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skcostci._options import Alternative
from skcostci._validation import Floats
from skcostci.intervals._method import Law, Method, Tails
from skcostci.intervals._roots import level_reached

ROUNDING = 1e-12  # a tail this near 1, a sum of masses, is 1

Limit = Callable[[Method[Any], Floats, int], Floats]  # a method's limit inside the parameter's range


def pvalue_of(law: Law, record: Method[Any], limit: Limit, null: float, alternative: Alternative) -> Floats:
    """The p-values against ``null`` at all points."""
    least, most = (np.asarray(end) for end in record.support(law))
    greater, less = _tails(law, record, limit, null, alternative == "two-sided")
    greater = np.where(null >= most, 1.0, np.where(null < least, 0.0, greater))
    less = np.where(null <= least, 1.0, np.where(null > most, 0.0, less))
    greater, less = (np.where(tail > 1 - ROUNDING, 1.0, tail) for tail in (greater, less))
    both = np.minimum(2 * np.minimum(less, greater), 1.0)
    return np.asarray({"two-sided": both, "less": less, "greater": greater}[alternative])


def _tails(law: Law, record: Method[Any], limit: Limit, null: float, two_sided: bool) -> Tails:
    """The largest alphas at which the lower and the upper limit do not leave out the null.

    Limits of an interval may be others than those asked for alone: "rank_beta" lets one of them miss for both.
    """

    def asked(alpha: Floats, side: int) -> Floats:
        if two_sided and record.both:
            return np.asarray(record.both(law, alpha, np.array([[side]]))[0])
        return limit(record, alpha, side)

    def level(side: int) -> Floats:
        return level_reached(lambda alpha: asked(alpha, side), null, side, 1.0 if record.crosses else 0.5)

    lower, upper = record.tails(law, null) or (level(-1), level(1))
    return record.one_sided_tails(lower, upper)
