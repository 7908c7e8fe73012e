"""The limits that a display shades, asked of a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcostci._options import BANDS, Band
from skcostci._validation import check_option
from skcostci.intervals._method import ConfidenceInterval
from skcostci.results._bands import BandedResult
from skcostci.results._results import BootstrapResult

Fields = dict[str, Any]


def limits_of(result: BootstrapResult[Any], level: float, method: str | None) -> Fields:
    """The limits at each point by itself, and what the legend says of them."""
    return _fields(result.confidence_interval(level, method=method), level, "pointwise", method, result.methods)


def band_of(result: BandedResult, level: float, method: str | None, band: Band) -> Fields:
    """The limits at each point by itself or at all of them at once."""
    if check_option("band", band, BANDS) == "pointwise":
        return limits_of(result, level, method)
    return _fields(result.confidence_band(level, method=method), level, band, method, result.band_methods)


def _fields(
    limits: ConfidenceInterval[Any], level: float, band: Band, method: str | None, methods: Sequence[str]
) -> Fields:
    low, high = limits
    return {"low": low, "high": high, "confidence_level": level, "band": band, "method": method or methods[0]}
