"""What is handed out stays as it is: arrays that cannot be written to, wherever a result travels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cached_property as _cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = float | NDArray[np.float64]
Array = TypeVar("Array", bound=np.ndarray[Any, Any])
KindT = TypeVar("KindT", bound=tuple[Any, ...])
if TYPE_CHECKING:
    from functools import cached_property as cached_property

    from typing_extensions import TypeVar as TypeVarWithDefault

    # a float where there is a single point, so that type checkers know it; if nothing is said, either
    NumbersT = TypeVarWithDefault("NumbersT", bound=Numbers, default=Numbers, covariant=True)
else:
    NumbersT = TypeVar("NumbersT", bound=Numbers, covariant=True)

    class _LeftBehind(_cached_property):
        """What is computed once, when it is first needed, and left behind when its object is pickled or copied.

        So what an object says of itself, to a hash of its pickle too, does not depend on what was computed before.
        """

        def __set_name__(self, owner: type[Any], name: str) -> None:
            super().__set_name__(owner, name)
            owner.__getstate__ = _state

    cached_property = _LeftBehind


def _state(kept: object) -> dict[str, object]:
    """The attributes of an object without those that it computes anew."""
    return {
        name: value
        for name, value in vars(kept).items()
        if not isinstance(getattr(type(kept), name, None), _cached_property)
    }


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

    def __setstate__(self, state: Mapping[str, object]) -> None:
        for value in state.values():
            for part in _parts(value):
                if isinstance(part, np.ndarray):
                    read_only(part)
        vars(self).update(state)


class Comparable(Frozen):
    """Equal to others of its class whose fields that dataclasses compare are the same: arrays by entries, NaN too."""

    def _compared(self) -> Mapping[str, object]:
        """What two of a class are compared by."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.compare}  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparable) or type(self) is not type(other):
            return NotImplemented
        return _alike(self._compared(), other._compared())

    def __hash__(self) -> int:
        return hash(repr(self))


def frozen_tuple(kind: Any, *parts: Any) -> Any:
    """A named tuple whose arrays are read-only."""
    return kind(*(read_only(part) if isinstance(part, np.ndarray) else part for part in parts))


def tuple_of_numbers(kind: type[KindT]) -> type[KindT]:
    """A class of named tuples that are equal when their numbers are, and stay read-only when pickled or copied."""
    for name, method in {"__eq__": _equal, "__ne__": _unequal, "__reduce__": _reduce}.items():
        setattr(kind, name, method)
    return kind


def _reduce(value: tuple[object, ...]) -> tuple[object, ...]:
    """How a named tuple of arrays is pickled and copied: to be read-only again."""
    return frozen_tuple, (type(value), *value)


def _equal(mine: tuple[object, ...], other: object) -> bool:
    """Whether tuples hold the same, as ``==`` of a tuple of arrays cannot say.

    What is no tuple compares itself, as Python tries both sides: a test's approximate value knows when it is met.
    """
    return _alike(tuple(mine), tuple(other)) if isinstance(other, tuple) else NotImplemented


def _unequal(mine: tuple[object, ...], other: object) -> bool:
    """The opposite, which tuples have of their own."""
    return not _alike(tuple(mine), tuple(other)) if isinstance(other, tuple) else NotImplemented


def _alike(mine: object, other: object) -> bool:
    """Whether values are the same, arrays by their entries and NaN where both are."""
    if isinstance(mine, np.ndarray) or isinstance(other, np.ndarray):
        mine, other = np.asarray(mine), np.asarray(other)
        return np.array_equal(mine, other, equal_nan=mine.dtype.kind == other.dtype.kind == "f")
    if isinstance(mine, Mapping) and isinstance(other, Mapping):
        return mine.keys() == other.keys() and all(_alike(mine[key], other[key]) for key in mine)
    if isinstance(mine, tuple) and isinstance(other, tuple):
        return len(mine) == len(other) and all(map(_alike, mine, other))
    return bool(mine == other) or (mine != mine and other != other)


def _parts(value: object) -> Iterable[object]:
    """What a tuple or a mapping holds, or the value itself."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple) else (value,)
