"""All interval methods by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from skcostci.intervals import (
    _auc,
    _auc_unseen_case,
    _error_count,
    _gaussian,
    _metric,
    _quantiles,
    _rates,
    _unseen_case,
    _vertical,
)
from skcostci.intervals._method import Law, Method

METHODS: dict[str, Method[Any]] = {
    method.name: method
    for room in (_unseen_case, _metric, _rates, _gaussian, _quantiles, _vertical, _auc, _auc_unseen_case, _error_count)
    for method in room.METHODS
}


def tail_probability(name: str, law: Law) -> float:
    """The alpha, at most 1/2, at which a method's lower limit, for a law of one point, reaches 0; else 1/2.

    Asked on the scale of normal quantiles, so that small values keep their precision.
    """

    def limit(z: float) -> float:
        return float(METHODS[name].limit(law, np.asarray(ndtr(z)), -1))

    if limit(-1e-9) <= 0:
        return 0.5
    return float(ndtr(brentq(limit, -37.0, -1e-9, xtol=1e-13))) if limit(-37.0) < 0 else 0.0
