"""Parameters that several functions share are described once, and copied into the docstrings of all of them.

In the source "As in :func:`bootstrap_auc`" is replaced by the description of the same parameters in the function,
method or class named there; text after it is added. Readers of ``help`` or of the site see the text itself. Sections
are numpydoc's: an entry is a line with names and a type, and below it, indented, the description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from inspect import cleandoc
from textwrap import fill
from types import FunctionType
from typing import Any, NamedTuple

SECTIONS = ("Parameters", "Attributes", "Raises")
MARK = "As in :"
REFERENCE = re.compile(rf"{MARK}(?:func|meth|class):`([\w.]+)`(.*)", re.DOTALL)
# The heading and what is under it, up to the blank line before the next heading or to the end.
HEADING = re.compile(rf"^(({'|'.join(SECTIONS)})\n-+\n)(.*?)(\n\n(?=\w[\w ]*\n-+\n)|\Z)", re.MULTILINE | re.DOTALL)
INDENT = " " * 4
WIDTH = 116  # the source has lines of 120, in functions indented by 4


class SectionEntry(NamedTuple):
    """The entry of a section for one name, or for several together."""

    names: tuple[str, ...]
    kind: str
    text: str

    def __str__(self) -> str:
        head = ", ".join(self.names) + (f" : {self.kind}" if self.kind else "")
        return f"{head}\n{self.text}"


def spell_out(public: Mapping[str, object]) -> None:
    """Replace each reference in the docstrings of public functions and classes by the text that it refers to."""
    docstrings = Docstrings(dict(_documented(public)))
    for name, each in docstrings.owners.items():
        if MARK in each.__doc__:  # a method that classes share is processed with the first of them
            each.__doc__ = f"{docstrings.text(name)}\n"


def _documented(public: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Functions, classes and the methods of these, by the names that references use."""
    for name, each in public.items():
        if isinstance(each, FunctionType | type) and each.__doc__:
            yield name, each
        if isinstance(each, type):
            own = [vars(base) for base in reversed(each.__mro__) if base.__module__.startswith("skcostci")]
            for method, made in {name: made for defined in own for name, made in defined.items()}.items():
                function = made.__func__ if isinstance(made, classmethod | staticmethod) else made
                if isinstance(function, FunctionType) and function.__doc__:
                    yield f"{name}.{method}", function


class Docstrings:
    """Owners of docstrings, by the names that references use; each text is completed once, when it is needed."""

    def __init__(self, owners: dict[str, Any]) -> None:
        self.owners = owners
        self._texts: dict[str, str] = {}
        self._sections: dict[tuple[str, str], list[SectionEntry]] = {}

    def text(self, name: str) -> str:
        """A docstring in full."""
        if name not in self._texts:
            self._texts[name] = text = cleandoc(self.owners[name].__doc__)  # prevents infinite recursion
            self._texts[name] = HEADING.sub(partial(self._section, name), text) if MARK in text else text
        return self._texts[name]

    def _section(self, name: str, found: re.Match[str]) -> str:
        """A section in full."""
        entries = [full for entry in _entries(found[3]) for full in self._in_full(name, found[2], entry)]
        return found[1] + "\n".join(map(str, entries)) + found[4]

    def _in_full(self, name: str, section: str, entry: SectionEntry) -> list[SectionEntry]:
        """An entry, or those that its reference refers to, with added text at the end of the last."""
        found = REFERENCE.match(entry.text.strip())
        source = found and self._source(name, found[1])
        if not found or not source:
            return [entry]
        there = self._entries_of(source, section)
        of_name = {each: other for other in there for each in other.names}
        if section == "Raises":
            chosen = there
        elif all(each in of_name for each in entry.names):
            kind = entry.kind if len(entry.names) == 1 and entry.kind != "optional" else ""
            chosen = [of_name[each]._replace(names=(each,), kind=kind or of_name[each].kind) for each in entry.names]
        else:
            return [entry]
        *first, last = chosen
        more = " ".join(found[2].split()).lstrip(".,;: ")
        added = f"\n{_wrapped(more[0].upper() + more[1:])}" if more else ""
        return [*first, last._replace(text=last.text + added)]

    def _source(self, name: str, reference: str) -> str | None:
        """The target of a reference: a method without a class is one of the same class."""
        own = f"{name.partition('.')[0]}.{reference}"
        return next((each for each in (own, reference) if each in self.owners and each != name), None)

    def _entries_of(self, name: str, section: str) -> list[SectionEntry]:
        """The entries of a section of a docstring."""
        if (name, section) not in self._sections:
            found = [each for each in HEADING.finditer(self.text(name)) if each[2] == section]
            self._sections[name, section] = [entry for each in found for entry in _entries(each[3])]
        return self._sections[name, section]


def _wrapped(text: str) -> str:
    """Added text in lines of the docstrings' width, so that ``help`` shows it like the rest."""
    return fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)


def _entries(section: str) -> list[SectionEntry]:
    """The entries of a section's text."""
    found = []
    for block in re.split(r"\n(?=\S)", section):
        head, _, text = block.partition("\n")
        names, _, kind = head.partition(" : ")
        found.append(SectionEntry(tuple(names.split(", ")), kind, text))
    return found
