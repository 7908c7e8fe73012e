"""The result classes, for annotations and ``isinstance``; functions return them, and users construct none.

A result is an estimate with its distribution; it has intervals and p-values, and can be printed and tabulated. There is
one class per quantity; whether cases, groups or folds are resampled is a field.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skcostci.results._public import *  # noqa: F403


def __getattr__(name: str) -> object:
    """A class, or ``__all__``: all are imported when one is first used, as functions need only some of them."""
    if name not in (*__dir__(), "__all__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return __dir__() if name == "__all__" else getattr(import_module("skcostci.results._public"), name)


def __dir__() -> list[str]:
    """The public names, without the files that define them."""
    return sorted(name for name in vars(import_module("skcostci.results._public")) if not name.startswith("_"))
