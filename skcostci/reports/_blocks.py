"""What a report consists of, in the order of reading; how that is written on a terminal or as a page; its pictures."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from io import BytesIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from skcostci._options import Averaging, PointwiseBand, visible
from skcostci.displays._comparison_plot import ModelComparisonDisplay
from skcostci.displays._cost_curve import CostCurveDisplay, cost_numbers
from skcostci.displays._display import Fields
from skcostci.displays._paired_cost import PairedCostDifferenceDisplay, difference_numbers
from skcostci.displays._roc import ROCConfidenceDisplay, roc_numbers
from skcostci.reports._inquiry import NAME, ClassCases, Inquiry, Row, distinct, labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcostci.reports._report import Report


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


FORMATS = (".png", ".pdf", ".svg")
LEGEND = 32  # characters of a name
MOST_BANDS = 3  # more would hide each other


def report_picture(report: Report, kind: str) -> bytes:
    panels = pictures(report)
    if not panels:
        raise ValueError("there is no picture of this report: only scores, and comparisons, have one. Save a page.")
    return drawn(panels, kind)


def pictures(report: Report) -> list[Picture]:
    """ROC curves, cost curves, and the comparison of rows."""
    inquiry = report.inquiry
    curves = _curves(inquiry)
    comparisons = list(_comparisons(report)) if report.pairs else []
    if not curves:
        return comparisons
    names = " and ".join(curve.name for curve in curves)
    band: PointwiseBand | None = "pointwise" if len(curves) <= MOST_BANDS else None
    level = inquiry.confidence_level
    averaging: Averaging = "fpr" if curves[0].cases.rows.stand_alone else "threshold"
    roc = partial(roc_numbers, averaging=averaging, confidence_level=level, band=band)
    rocs = partial(_draw, ROCConfidenceDisplay, roc, curves)
    panels = [Picture(f"ROC curves of {names}", rocs)]
    if inquiry.of_costs:
        costs = partial(_draw, CostCurveDisplay, partial(cost_numbers, confidence_level=level, band=band), curves)
        panels.append(Picture(f"Cost curves of {names}", costs))
    if report.cheaper is not None:
        return [*panels, Picture(f"Difference in cost of {names}", partial(_draw_difference, inquiry))]
    return [*panels, *comparisons]


def _curves(inquiry: Inquiry) -> list[Row]:
    """What has curves: rows with cases of both classes and no proxy, whose labels no curve has for all cases.

    Of several classes each against the rest, of one model.
    """
    if inquiry.cases.proxies is not None:
        return []
    if not isinstance(inquiry.cases, ClassCases):
        return [row for row in inquiry.rows if not row.missing]
    scored, model = inquiry.cases.scored, inquiry.models[0]
    if scored is None or len(inquiry.rows) > 1:
        return []
    names = enumerate(scored.labels)
    return [Row(str(label), model, inquiry.cases.against_the_rest(place, model)) for place, label in names]


def _draw(display: Any, numbers_of: Callable[..., Fields], curves: Sequence[Row], ax: Axes) -> None:
    """The ROC or cost curve of each row; ROC curves of groups, and of importance weights, are at thresholds."""
    for row, legend in zip(curves, distinct([row.name for row in curves], LEGEND), strict=True):
        trivial = display is CostCurveDisplay or row is curves[-1]
        display(**numbers_of(row.cases, row.model), name=legend).plot(ax, plot_chance_level=trivial, despine=True)


def _draw_difference(inquiry: Inquiry, ax: Axes) -> None:
    names, level = distinct(inquiry.models, LEGEND), inquiry.confidence_level
    numbers = difference_numbers(inquiry.cases, *inquiry.models, confidence_level=level, band="simultaneous")
    PairedCostDifferenceDisplay(**numbers, name_a=names[0], name_b=names[1]).plot(ax, despine=True)


def _comparisons(report: Report) -> Iterator[Picture]:
    """Several models, or subgroups, sorted: by AUC, and by cost at the operating condition."""
    place = report.inquiry.probability_cost if report.inquiry.of_costs else 0.0
    titles = {"auc": "AUC", "cost": f"Cost at PC(+) = {place:.3f}"}
    height = 1.2 + 0.32 * len(report.inquiry.rows)
    for section in report.sections:
        title = titles.get(section.name)
        if title is not None and section.comparison is not None:
            named = replace(section.comparison, models=tuple(distinct(section.comparison.models, LEGEND)), title=title)
            level = report.inquiry.confidence_level
            draw = partial(ModelComparisonDisplay.from_comparison, named, confidence_level=level)
            yield Picture(f"{title} of each, in order", draw, height)
