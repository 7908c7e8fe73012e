"""What a report consists of, in the order of reading, and how that is written: on a terminal, or as a page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from io import BytesIO
from textwrap import wrap
from typing import Any, NamedTuple

from skcostci._options import visible
from skcostci.reports._inquiry import NAME, distinct, labelled

WIDTH = 80
INCHES, DPI = 5.0, 192


class Lines(NamedTuple):
    """Sentences, and lines that begin with a name, below a heading unless that is empty."""

    heading: str
    lines: Sequence[str]


class Table(NamedTuple):
    """Numbers with their names: estimate, interval and p-value; the lines before them, and those after."""

    title: str
    before: Sequence[str]
    rows: Sequence[tuple[str, Mapping[str, Any]]]
    after: Sequence[str]

    @property
    def cells(self) -> list[list[str]]:
        """The texts of the table, row by row, the names of the columns first; a column of p-values if there are any."""
        columns = ["", "estimate", "interval", "p"]
        cells = [[name, *_texts(numbers)] for name, numbers in self.rows]
        return [columns[: max(map(len, cells))], *cells]


class Picture(NamedTuple):
    """A picture: what it shows, and the function that draws it."""

    alt: str
    draw: Callable[..., object]  # takes ``ax``
    height: float = 4.2


Block = Lines | Table | Picture


def to_text(blocks: Iterable[Block]) -> str:
    """The blocks for a terminal, pictures left out."""
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Lines):
            head = ["", block.heading] if block.heading else block.lines[:1]  # which may have a long name of a file
            lines += [*head, *_fitted(block.lines[not block.heading :])]
        elif isinstance(block, Table):
            head, *rows = block.cells
            names = distinct([name for name, *_ in rows])
            lines += ["", *block.before, _columns([f"{block.title:<{NAME + 2}}", *head[1:]])]
            lines += [_columns([labelled(name, ""), *row[1:]]) for name, row in zip(names, rows, strict=True)]
            lines += _fitted(block.after)
    return "\n".join(map(visible, lines))


def to_html(blocks: Iterable[Block]) -> str:
    """The blocks as HTML, with tables and pictures."""
    parts: list[str] = []
    for block in blocks:
        if isinstance(block, Picture):
            data = b64encode(drawn([block])).decode()
            parts.append(f'<img alt="{escape(block.alt)}" src="data:image/png;base64,{data}">')
        elif isinstance(block, Lines):
            parts += [f"<h2>{escape(block.heading)}</h2>"] * bool(block.heading) + [_paragraph(block.lines)]
        else:
            head, *rows = block.cells
            columns = "".join(f'<th scope="col">{cell}</th>' for cell in head)
            body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
            table = f"<table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"
            parts += [f"<h2>{escape(block.title)}</h2>", _paragraph(block.before), table, _paragraph(block.after)]
    return visible("\n".join(parts))


def _columns(cells: Sequence[str]) -> str:
    """A line of a table: a name of a fixed width, then numbers to the right of their columns."""
    return "  ".join([cells[0], *(f"{cell:>{width}}" for cell, width in zip(cells[1:], (8, 17, 7), strict=False))])


def _paragraph(lines: Iterable[str]) -> str:
    """One line each; entries that are columns on a terminal are joined by a colon."""
    said = [escape(re.sub(" {2,}", ": ", line.strip())) for line in lines if line.strip()]
    return f"<p>{'<br>'.join(said)}</p>" if said else ""


def _fitted(lines: Iterable[str]) -> Iterator[str]:
    """Sentences wrapped at the width of the terminal, with indentation kept and increased from the second line on."""
    for line in lines:
        indent = "    " * line.startswith(" ")
        yield from wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def _texts(numbers: Mapping[str, Any]) -> list[str]:
    p = numbers["p"]
    said = [_number(numbers["estimate"]), f"{_number(numbers['low'])} to {_number(numbers['high'])}"]
    return said if p != p else [*said, "<0.0001" if p < 0.0001 else f"{p:.4f}"]


def _number(value: float) -> str:
    """Three decimals, or one digit of a smaller number: what is not 0 is not printed as 0."""
    if value != value:
        return "undefined"
    return f"{value:.1g}" if value and round(value, 3) == 0 else f"{round(value, 3) + 0.0:.3f}"


def drawn(panels: Sequence[Picture], kind: str = "png") -> bytes:
    """Pictures one below the other, as wide as a phone shows without making letters small; "png", "pdf" or "svg"."""
    from matplotlib.figure import Figure

    heights, image = [panel.height for panel in panels], BytesIO()
    figure = Figure(figsize=(INCHES, sum(heights)), layout="constrained")
    axes = figure.subplots(len(panels), 1, height_ratios=heights, squeeze=False).flat
    for panel, ax in zip(panels, axes, strict=True):
        panel.draw(ax=ax)
    figure.savefig(image, format=kind, dpi=DPI)
    return image.getvalue()
