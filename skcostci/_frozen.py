"""Immutable results: read-only arrays, also after pickling and copying."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property as _cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = float | NDArray[np.float64]
Array = TypeVar("Array", bound=np.ndarray[Any, Any])
KindT = TypeVar("KindT", bound=tuple[Any, ...])
ObjectT = TypeVar("ObjectT")
if TYPE_CHECKING:
    from functools import cached_property as cached_property

    from typing_extensions import TypeVar as TypeVarWithDefault

    # float for a single point, so that type checkers know it; by default either
    NumbersT = TypeVarWithDefault("NumbersT", bound=Numbers, default=Numbers, covariant=True)
else:
    NumbersT = TypeVar("NumbersT", bound=Numbers, covariant=True)

    class _UncopiedProperty(_cached_property):
        """A cached property that pickles and copies leave out, so that they do not depend on what was computed."""

        def __set_name__(self, owner: type[Any], name: str) -> None:
            super().__set_name__(owner, name)
            owner.__getstate__ = _state

        def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
            return super().__get__(instance, owner)  # a frame of the package: warnings then name the caller's line

    cached_property = _UncopiedProperty


def _state(kept: object) -> dict[str, object]:
    """The attributes of an object without its cached properties."""
    cached = [name for name in vars(kept) if isinstance(getattr(type(kept), name, None), _cached_property)]
    return {name: value for name, value in vars(kept).items() if name not in cached}


def altered(kept: ObjectT, **attributes: object) -> ObjectT:
    """A copy with some attributes replaced, or cached properties set; other cached values are dropped."""
    other = object.__new__(type(kept))
    vars(other).update(_state(kept), **attributes)
    return other


def read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


def frozen_numbers(values: ArrayLike, shape: tuple[int, ...]) -> Numbers:
    """A read-only array of this shape, or a float if the shape is ()."""
    # A copy: the array that is given, often one of the law's, stays writeable.
    array = read_only(np.array(values, dtype=np.float64).reshape(shape))
    return array if shape else float(array)


class Comparable:
    """A frozen dataclass, equal to others of its class if the compared fields are: arrays by entries, NaN like NaN.

    Its arrays stay read-only after unpickling and copying, which numpy does not ensure.
    """

    def __setstate__(self, state: Mapping[str, object]) -> None:
        for value in state.values():
            parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else (value,)
            for part in parts:
                if isinstance(part, np.ndarray):
                    read_only(part)
        vars(self).update(state)

    def _compared(self) -> Mapping[str, object]:
        return {each.name: getattr(self, each.name) for each in fields(self) if each.compare}  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparable) or type(self) is not type(other):
            return NotImplemented
        return _alike(self._compared(), other._compared())

    def __hash__(self) -> int:
        return hash(repr(self))


def frozen_tuple(kind: Callable[..., ObjectT], *parts: object) -> ObjectT:
    return kind(*(read_only(part) if isinstance(part, np.ndarray) else part for part in parts))


def tuple_of_numbers(kind: type[KindT]) -> type[KindT]:
    """A class of named tuples that are equal when their numbers are, and stay read-only when pickled or copied."""
    again = {"__reduce__": lambda value: (frozen_tuple, (type(value), *value))}  # pickled and copied as they were made
    for name, method in {"__eq__": _equal, "__ne__": object.__ne__, **again}.items():
        setattr(kind, name, method)
    return kind


def _equal(mine: tuple[object, ...], other: object) -> bool:
    """Whether tuples have equal values; ``==`` does not work for tuples of arrays."""
    return _alike(mine, other) if isinstance(other, tuple) else NotImplemented


def _alike(mine: object, other: object) -> bool:
    """Whether values are equal, arrays by their entries, with NaN equal to NaN."""
    if isinstance(mine, np.ndarray) or isinstance(other, np.ndarray):
        mine, other = np.asarray(mine), np.asarray(other)
        # numpy cannot look for NaN among texts and objects.
        return np.array_equal(mine, other, equal_nan=mine.dtype.kind == other.dtype.kind == "f")
    if isinstance(mine, Mapping) and isinstance(other, Mapping):
        return mine.keys() == other.keys() and all(_alike(mine[key], other[key]) for key in mine)
    if isinstance(mine, tuple) and isinstance(other, tuple):
        return len(mine) == len(other) and all(map(_alike, mine, other))
    return bool(mine == other) or (mine != mine and other != other)
