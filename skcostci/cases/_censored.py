"""Cases with right-censored event times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats, Integers, as_array
from skcostci._frozen import Frozen
from skcostci._validation._arguments import check_finite
from skcostci._validation._labels import check_label_column, number_groups
from skcostci._validation._rows import check_rows
from skcostci.cases._design import CasesInRows, Design


@dataclass(frozen=True, eq=False)
class CensoredCases(CasesInRows, Frozen):
    """Checked cases: whether the ``event`` occurred, or the case was censored, at ``time``, and models' risks by name.

    Cases that are censored at the time of an event are taken to be censored after it.
    """

    event: Booleans
    time: Floats
    columns: Mapping[str, Floats]
    weights: Integers
    groups: Integers | None = None
    folds: None = None

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
        rows = check_rows(given, {called: seen, "time": times, **columns}, sample_weight, groups)
        kept = {name: rows.of(column) for name, column in columns.items()}
        return cls(rows.of(seen), rows.of(times), kept, rows.weights, rows.groups)

    @property
    def truth(self) -> Booleans:
        return self.event

    @property
    def design(self) -> Design:
        return Design(self.weights, groups=self.groups)

    def part(self, rows: Integers) -> CensoredCases:
        columns = {name: column[rows] for name, column in self.columns.items()}
        groups = None if self.groups is None else number_groups(self.groups[rows], self.weights[rows])
        return CensoredCases(self.event[rows], self.time[rows], columns, self.weights[rows], groups)


def has_times(values: object) -> bool:
    """Whether it is a structured array, such as scikit-survival's of events and times."""
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
