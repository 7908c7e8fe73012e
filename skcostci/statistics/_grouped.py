"""What results of cases that belong together are made of."""

from __future__ import annotations

from typing import Any

from skcostci._frozen import frozen_numbers
from skcostci._validation import Floats
from skcostci.laws import GroupedLaw, GroupedRatioLaw, grouped_curve


def grouped_parts(law: GroupedLaw, shape: tuple[int, ...]) -> tuple[Any, Any, tuple[str, ...]]:
    """Estimate, law and interval methods, the default first."""
    methods = ("chosen",) * bool(law.flatteries) + ("unseen_group", "effective_size", "wald")
    whole = ("percentile",) * isinstance(law, GroupedRatioLaw)
    return frozen_numbers(law.estimate, shape), law, (*methods, *whole)


def grouped_band(law: GroupedLaw, axis: Floats) -> dict[str, Any]:
    """The band that allows for groups, and the curve it is asked for."""
    return {"band_methods": ("path",), "curve": grouped_curve(law, axis)}
