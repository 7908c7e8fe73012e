"""Public names that are imported when they are first used, so that importing the package costs nothing by itself."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def importer(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The ``__getattr__`` of a package (PEP 562); ``homes`` has the names that each module defines."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def found(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"skcostci.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)  # from now on it is an attribute like any other
        return value

    return found
