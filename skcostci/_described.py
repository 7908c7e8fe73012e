"""Parameters that several functions share are described once, and completed in the docstrings of the others.

``@described(SampleOptions)`` adds what a docstring does not describe itself, from the numpydoc section Parameters
there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from inspect import Parameter, cleandoc, signature
from typing import NamedTuple, TypeVar

HEADING = "Parameters\n----------\n"
Function = TypeVar("Function", bound=Callable[..., object])


class Entry(NamedTuple):
    """What the section says below one line: the names in it, their type and, indented, the description."""

    names: str
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.names}{' : ' if self.kind else ''}{self.kind}\n{self.text}"


def entries(docstring: str | None) -> dict[str, Entry]:
    """The entries of the section Parameters by each of their names."""
    section = cleandoc(docstring or "").partition(HEADING)[2].partition("\n\n")[0]  # no entry has a blank line
    found: dict[str, Entry] = {}
    for block in filter(None, re.split(r"\n(?=\S)", section)):
        head, _, text = block.partition("\n")
        names, _, kind = head.partition(" : ")
        found |= dict.fromkeys(names.lstrip("*").split(", "), Entry(names, kind, text))
    return found


def described(*sources: object) -> Callable[[Function], Function]:
    """Complete the docstring of a function by what the sources say of its parameters."""

    def completed(function: Function) -> Function:
        if function.__doc__:  # there is none under ``python -OO``
            shared = {name: entry for source in sources for name, entry in entries(source.__doc__).items()}
            function.__doc__ = _with_shared(cleandoc(function.__doc__), signature(function).parameters, shared)
        return function

    return completed


def _with_shared(text: str, parameters: Mapping[str, Parameter], shared: Mapping[str, Entry]) -> str:
    before, _, rest = text.partition(HEADING)
    own = entries(text)
    known = [(name, taken) for name, taken in parameters.items() if name in own or name in shared]
    found = [str(own.get(name) or of_one(shared[name], taken)) for name, taken in known]
    return "".join([before, HEADING, "\n".join(dict.fromkeys(found)), *rest.partition("\n\n")[1:], "\n"])


def of_one(entry: Entry, taken: Parameter) -> Entry:
    """The entry for this parameter alone, with its default in the signature."""
    if taken.kind is Parameter.VAR_KEYWORD:
        return entry
    kind = entry.kind.partition(", default=")[0]
    if taken.default is not Parameter.empty:
        shown = f'"{taken.default}"' if isinstance(taken.default, str) else repr(taken.default)
        kind += f", default={shown}"
    return Entry(taken.name, kind, entry.text)
