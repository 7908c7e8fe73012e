"""Cases with right-censored event times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats, Integers, as_array
from skcostci._validation._arguments import check_finite
from skcostci._validation._labels import check_label_column
from skcostci._validation._rows import Rows
from skcostci.cases._design import CasesInRows, Design


@dataclass(frozen=True, repr=False, eq=False)
class CensoredCases(CasesInRows):
    """Whether the event occurred or the case was censored (after events of that time), at ``time``; risks by name."""

    time: Floats

    @classmethod
    def check(
        cls,
        event: ArrayLike,
        time: ArrayLike | None,
        risks: Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        called: str = "event",
    ) -> CensoredCases:
        """Events, or scikit-survival's array of events and times, by the name in ``called``; and risks."""
        event, time = split_events(event, time, called)
        seen, times = _check_event(called, event), check_finite("time", time)
        if (times < 0).any():
            first = int(np.argmax(times < 0))
            raise ValueError(f"time must not be negative, got {times[first]:g} at position {first}.")
        columns = {name: check_finite(name, risk) for name, risk in risks.items()}
        given = {called: event, "time": time, **risks}
        every = {called: seen, "time": times, **columns}
        rows = Rows.given(given, every, sample_weight=sample_weight, groups=groups)
        return cls(rows.of(seen), {name: rows.of(column) for name, column in columns.items()}, rows, rows.of(times))

    @property
    def design(self) -> Design:
        return Design(self.rows)

    def part(self, rows: Booleans | Integers) -> Self:
        return replace(super().part(rows), time=self.time[rows])


def has_times(values: object) -> bool:
    return getattr(getattr(values, "dtype", None), "names", None) is not None


def split_events(event: Any, time: Any, called: str = "event") -> tuple[ArrayLike, ArrayLike]:
    """Events and times, given separately or as scikit-survival's array of both."""
    if not has_times(event):
        if time is None:
            raise TypeError(f"time is missing: pass when each event of {called} was seen, or the case was censored.")
        return event, time
    names = event.dtype.names
    if len(names) != 2:
        raise ValueError(f"{called} must have two fields, event and time, as in scikit-survival, got {names}.")
    if time is not None:
        raise TypeError(f"time is already a field of {called}; leave it out.")
    return event[names[0]], event[names[1]]


def _check_event(name: str, event: ArrayLike) -> Booleans:
    column = check_label_column(name, event)
    wrong = ~np.isin(column, [0, 1])
    if wrong.any():
        first = int(np.argmax(wrong))
        value = as_array(name, column).tolist()[first]
        raise ValueError(
            f"{name} must contain 1 or True (observed) and 0 or False (censored), got {value!r} at position {first}."
        )
    return np.asarray(column.astype(bool))
