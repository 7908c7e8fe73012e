"""What is handed out stays as it is: arrays that cannot be written to, wherever a result travels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = float | NDArray[np.float64]
Array = TypeVar("Array", bound=np.ndarray[Any, Any])
if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault

    # a float where there is a single point, so that type checkers know it; if nothing is said, either
    NumbersT = TypeVarWithDefault("NumbersT", bound=Numbers, default=Numbers, covariant=True)
else:
    NumbersT = TypeVar("NumbersT", bound=Numbers, covariant=True)


def read_only(array: Array) -> Array:
    """The array itself, which nobody can write to any more."""
    array.flags.writeable = False
    return array


def frozen_numbers(values: ArrayLike, shape: tuple[int, ...]) -> Numbers:
    """A read-only array of this shape, or a float if the shape is ()."""
    array = read_only(np.array(values, dtype=np.float64).reshape(shape))
    return array if shape else float(array)


class Frozen:
    """A frozen dataclass whose arrays are read-only after unpickling and copying too, which numpy forgets."""

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        for value in state.values():
            for part in _parts(value):
                if isinstance(part, np.ndarray):
                    read_only(part)
        vars(self).update(state)


def frozen_tuple(kind: Any, *parts: Any) -> Any:
    """A named tuple whose arrays are read-only."""
    return kind(*(read_only(part) if isinstance(part, np.ndarray) else part for part in parts))


def reduce_frozen(value: Any) -> tuple[Any, ...]:
    """How a named tuple of arrays is pickled and copied: as ``__reduce__`` of its class."""
    return frozen_tuple, (type(value), *value)


def _parts(value: Any) -> Iterable[Any]:
    """What a tuple or a mapping holds, or the value itself."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple) else (value,)
