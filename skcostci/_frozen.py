"""What is handed out stays as it is: arrays that cannot be written to, wherever a result travels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

Array = TypeVar("Array", bound=np.ndarray[Any, Any])


def read_only(array: Array) -> Array:
    """The array itself, which nobody can write to any more."""
    array.flags.writeable = False
    return array


class Frozen:
    """A frozen dataclass whose arrays are read-only after unpickling and copying too, which numpy forgets."""

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        for value in state.values():
            for part in _parts(value):
                if isinstance(part, np.ndarray):
                    read_only(part)
        vars(self).update(state)


def _parts(value: Any) -> Iterable[Any]:
    """What a tuple or a mapping holds, or the value itself."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple) else (value,)
