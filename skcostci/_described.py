"""Parameters that several functions share are described once, and completed in the docstrings of the others.

``@described(SampleOptions)`` adds what a docstring does not describe itself, from the numpydoc section Parameters
there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, cleandoc, signature
from typing import TypeVar

HEADING = "Parameters\n----------\n"
Function = TypeVar("Function", bound=Callable[..., object])


def entries(docstring: str | None) -> dict[str, str]:
    """The entries of the section Parameters, a line ``names : type`` and what follows, by each of their names."""
    section = cleandoc(docstring or "").partition(HEADING)[2].partition("\n\n")[0]  # no entry has a blank line
    found: dict[str, str] = {}
    for entry in filter(None, re.split(r"\n(?=\S)", section)):
        names = entry.partition("\n")[0].partition(" : ")[0]
        found |= dict.fromkeys(names.lstrip("*").split(", "), entry)
    return found


def described(*sources: object) -> Callable[[Function], Function]:
    """Complete the docstring of a function by what the sources say of its parameters."""

    def completed(function: Function) -> Function:
        if function.__doc__:  # there is none under ``python -OO``
            own = entries(function.__doc__)
            shared = {name: entry for source in sources for name, entry in entries(source.__doc__).items()}
            known = [each for each in signature(function).parameters.items() if each[0] in own or each[0] in shared]
            found = [own.get(name) or of_one(shared[name], taken) for name, taken in known]
            before, _, rest = cleandoc(function.__doc__).partition(HEADING)
            parts = "\n".join(dict.fromkeys(found)), *rest.partition("\n\n")[1:]  # a text of several entries once
            function.__doc__ = "".join([before, HEADING, *parts, "\n"])
        return function

    return completed


def of_one(entry: str, taken: Parameter) -> str:
    """The entry for this parameter alone, with its default in the signature."""
    if taken.kind is Parameter.VAR_KEYWORD:
        return entry
    head, _, text = entry.partition("\n")
    kind = head.partition(" : ")[2].partition(", default=")[0]
    if taken.default is not Parameter.empty:
        shown = f'"{taken.default}"' if isinstance(taken.default, str) else repr(taken.default)
        kind += f", default={shown}"
    return f"{taken.name}{' : ' if kind else ''}{kind}\n{text}"
