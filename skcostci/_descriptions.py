"""Parameters that several functions share are described once, and stand in full in the docstrings of all of them.

In the source "As in :func:`bootstrap_auc`" stands for the description that the function, method or class named there
has of the same parameters; what follows it is added. A reader of ``help`` or of the site finds the text itself.
Sections are numpydoc's: an entry is a line with names and a type, and below it, indented, the description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from types import FunctionType
from typing import Any, NamedTuple

SECTIONS = ("Parameters", "Attributes", "Raises")
REFERENCE = re.compile(r"As in :(?:func|meth|class):`([\w.]+)`(.*)", re.DOTALL)
HEADING = re.compile(rf"^({'|'.join(SECTIONS)})\n-+\n", re.MULTILINE)
NEXT = re.compile(r"^\w[\w ]*\n-+\n", re.MULTILINE)
INDENT = " " * 4


class Entry(NamedTuple):
    """What a section says of one name, or of several together."""

    names: tuple[str, ...]
    kind: str
    text: str

    def __str__(self) -> str:
        head = ", ".join(self.names) + (f" : {self.kind}" if self.kind else "")
        return f"{head}\n{self.text}"


def spell_out(public: Mapping[str, Any]) -> None:
    """Have each reference in the docstrings of public functions and classes replaced by what it stands for."""
    documented = {name: each for name, each in _documented(public) if each.__doc__}
    known = {name: cleandoc(each.__doc__) for name, each in documented.items()}
    done: dict[str, str] = {}
    for name, each in documented.items():
        if REFERENCE.search(known[name]):
            each.__doc__ = f"{_spelled(name, known, done)}\n"


def _documented(public: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Functions, classes and the methods of these, by the names that references use."""
    for name, each in public.items():
        if isinstance(each, FunctionType):
            yield name, each
        elif isinstance(each, type):
            yield name, each
            own = [vars(base) for base in reversed(each.__mro__) if base.__module__.startswith("skcostci")]
            for method, made in {name: made for defined in own for name, made in defined.items()}.items():
                function = made.__func__ if isinstance(made, classmethod | staticmethod) else made
                if isinstance(function, FunctionType):
                    yield f"{name}.{method}", function


def _spelled(name: str, known: Mapping[str, str], done: dict[str, str]) -> str:
    """A docstring in full; those that it refers to are spelled out first."""
    if name in done:
        return done[name]
    done[name] = text = known[name]  # what refers to itself is left alone
    for heading in reversed([*HEADING.finditer(text)]):
        end = NEXT.search(text, heading.end())
        stop = end.start() if end else len(text)
        entries = [
            full
            for entry in _entries(text[heading.end() : stop])
            for full in _in_full(entry, heading[1], name, known, done)
        ]
        rest = f"\n\n{text[stop:]}" if end else ""
        text = text[: heading.end()] + "\n".join(map(str, entries)) + rest
    done[name] = text
    return text


def _entries(section: str) -> Iterator[Entry]:
    """Those of a section."""
    for block in re.split(r"\n(?=\S)", section.strip("\n")):
        head, _, text = block.partition("\n")
        names, _, kind = head.partition(" : ")
        yield Entry(tuple(names.split(", ")), kind, text.rstrip())


def _in_full(entry: Entry, section: str, name: str, known: Mapping[str, str], done: dict[str, str]) -> Iterator[Entry]:
    """An entry, or those that its reference stands for, with what is added at the end of the last."""
    found = REFERENCE.match(entry.text.strip())
    source = _source(found[1], name, known) if found else None
    if found is None or source is None:
        yield entry
        return
    there = [each for part in _parts(section, _spelled(source, known, done)) for each in part]
    of_name = {each: other for other in there for each in other.names}
    if section == "Raises":
        chosen = there
    elif all(each in of_name for each in entry.names):
        alone = len(entry.names) == 1 and entry.kind not in ("", "optional")
        chosen = [
            Entry((each,), entry.kind if alone else of_name[each].kind, of_name[each].text) for each in entry.names
        ]
    else:
        chosen = [entry]
    *first, last = chosen
    more = " ".join(found[2].split()).lstrip(".,;: ")
    added = f"\n{INDENT}{more[0].upper()}{more[1:]}" if more and last is not entry else ""
    yield from (*first, last._replace(text=last.text + added))


def _source(reference: str, name: str, known: Mapping[str, str]) -> str | None:
    """Where a reference leads to: a method by itself is one of the same class."""
    own = f"{name.partition('.')[0]}.{reference}"
    return next((each for each in (own, reference) if each in known and each != name), None)


def _parts(section: str, text: str) -> Iterator[list[Entry]]:
    """The entries of a section of a docstring."""
    for heading in HEADING.finditer(text):
        if heading[1] == section:
            end = NEXT.search(text, heading.end())
            yield [*_entries(text[heading.end() : end.start() if end else len(text)])]
