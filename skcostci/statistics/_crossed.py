"""Levels of a second factor that units cross: readers, judges or seeds, each a part with its own statistic."""

from __future__ import annotations

from collections.abc import Sequence

from skcostci._validation._levels import CrossedLevels


def check_defined(metric: str, reasons: Sequence[str], levels: CrossedLevels) -> None:
    """Raise unless there is a value at every level; ``reasons`` has per level why there is none, or ""."""
    for name, reason in zip(levels.names, reasons, strict=True):
        if reason:
            raise ValueError(f"{metric} must have a value at every level of crossed=; at {name!r} it is {reason}.")
