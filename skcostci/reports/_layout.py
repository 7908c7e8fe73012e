"""How names and numbers are written in a table that fits a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import wrap

STEERING = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")  # not the line feed
WIDTH = 80
NAME = 40  # the rest is for numbers
PAIRED = 17  # of two names in its place


def short(name: str, width: int = NAME - 4) -> str:
    """A name that fits, on one line, its middle left out if need be."""
    line = visible(" ".join(name.split()))
    kept = (width - 3) // 2
    return line if len(line) <= width else f"{line[:kept]}...{line[len(line) - kept :]}"


def visible(text: str) -> str:
    """Characters that would steer a terminal, or turn the direction of a text, written as Python writes them."""
    return STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def labelled(name: str, text: str) -> str:
    """A line of the table that says something about a model."""
    return f"  {short(name):<{NAME}}{text}"


def fitted(lines: Iterable[str]) -> list[str]:
    """Sentences broken where the terminal ends, what is indented further in from the second line on."""
    return [part for line in lines for part in _broken(line)]


def _broken(line: str) -> list[str]:
    """One of them; a blank line stays."""
    indent = "    " * line.startswith(" ")
    return wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def number(value: float) -> str:
    """Three decimals, never "-0.000"; a metric without a value has none."""
    return "undefined" if value != value else f"{round(value, 3) + 0.0:.3f}"


def pvalue(p: float) -> str:
    """Four decimals, or what it is less than."""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def span(low: float, high: float) -> str:
    """A stretch of operating conditions."""
    return f"PC(+) from {low:.2f} to {high:.2f}" if low < high else f"PC(+) at {low:.2f}"
