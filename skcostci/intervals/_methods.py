"""All interval methods by name."""

from __future__ import annotations

from typing import Any

from skcostci.intervals import (
    _auc,
    _auc_unseen_case,
    _chosen,
    _combined,
    _error_count,
    _gaussian,
    _metric,
    _quantiles,
    _rates,
    _unseen_case,
    _vertical,
)
from skcostci.intervals._method import Method

ROOMS = (
    *(_unseen_case, _chosen, _metric, _rates, _gaussian, _quantiles, _vertical),
    *(_auc, _auc_unseen_case, _error_count, _combined),
)
METHODS: dict[str, Method[Any]] = {method.name: method for room in ROOMS for method in room.METHODS}
