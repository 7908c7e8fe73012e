"""A report as one HTML page: tables and pictures, which are in the page itself."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape

from skcostci.cli._layout import number, pvalue
from skcostci.cli._picture import drawn_panels
from skcostci.cli._report import Difference, Estimate, Report, Section
from skcostci.cli._text import best_line, cheaper_lines, introduction, named_numbers, operating_lines

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; color: #222; background: #fff }
body { max-width: 52rem; margin: auto; padding: 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 1.5rem 0 .3rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { text-align: right; padding: .1rem .8rem .1rem 0; white-space: nowrap; font-variant-numeric: tabular-nums }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 9rem }
thead th { border-bottom: 1px solid #888 }
img { max-width: min(100%, 40rem); height: auto; display: block; margin: 1rem 0 }
@media (max-width: 600px) {
  table { font-size: .85rem }
  th, td { padding-right: .5rem }
  th:first-child, td:first-child { min-width: 5rem }
}
"""


def report_html(report: Report) -> str:
    """The page, which needs no other file and no network."""
    title = f"{report.asked.origin.source}: {' and '.join(model.name for model in report.asked.models)}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        _paragraph(introduction(report)),
        *(part for section in report.sections for part in _section(report, section)),
        *_titled(operating_lines(report)),
        *_titled(cheaper_lines(report)),
        "<h2>Pictures</h2>",
        *(_picture(alt, image) for alt, image in drawn_panels(report)),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def _section(report: Report, section: Section) -> Iterator[str]:
    """A heading, what is said before, the table, what is said after."""
    asked, statistic = report.asked, section.statistic
    yield f"<h2>{escape(statistic.title(asked, section.point))}</h2>"
    yield _paragraph(statistic.before(asked))
    columns = ["", "estimate", "interval", *["p"] * bool(section.differences)]
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    rows = "".join(_row(name, numbers) for name, numbers in named_numbers(report, section))
    yield f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    yield _paragraph([*best_line(report, section), *statistic.after(asked, section.results)])


def _row(name: str, numbers: Estimate) -> str:
    interval = f"{number(numbers.low)} to {number(numbers.high)}"
    p = [pvalue(numbers.pvalue)] if isinstance(numbers, Difference) else []
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in (name, number(numbers.estimate), interval, *p))
    return f"<tr>{cells}</tr>"


def _titled(lines: Iterable[str]) -> Iterator[str]:
    """The first line as a heading above the others, if there are any."""
    said = [line for line in lines if line]
    if said:
        yield f"<h2>{escape(said[0])}</h2>"
        yield _paragraph(said[1:])


def _paragraph(lines: Iterable[str]) -> str:
    """A line each; what stands in columns on a terminal has a colon between."""
    said = [escape(re.sub(" {2,}", ": ", line.strip())) for line in lines if line.strip()]
    return f"<p>{'<br>'.join(said)}</p>" if said else ""


def _picture(alt: str, image: bytes) -> str:
    return f'<img alt="{escape(alt)}" src="data:image/png;base64,{b64encode(image).decode()}">'
