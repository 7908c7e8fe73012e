"""A report in writing: a table for terminals, tables for notebooks, and a page with its pictures in it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape

from skcostci.cases._cases import Cases
from skcostci.intervals import METHODS
from skcostci.reports._inquiry import Inquiry
from skcostci.reports._layout import NAME, PAIRED, fitted, labelled, number, pvalue, short, span
from skcostci.reports._picture import drawn_panels
from skcostci.reports._report import Difference, Estimate, Report, Section, Stretches

DIFFERENCE = "difference"
MOST_STRETCHES = 2  # a model


def report_lines(report: Report) -> list[str]:
    """The table, line by line."""
    source, *said = introduction(report)
    lines = [" ".join(source.split()), *fitted(said)]
    for section in report.sections:
        lines += ["", *_section(report, section)]
    lines += [*operating_lines(report), *fitted(cheaper_lines(report))]
    return [*lines, *fitted(made_lines(report))]


def operating_lines(report: Report) -> Iterator[str]:
    """Where some threshold is worth having, below a blank line and a heading."""
    if report.operating_ranges is None:
        return
    yield from ("", "Operating range: some threshold beats labelling nobody or everybody positive")
    for row, limits in zip(report.asked.rows, report.operating_ranges, strict=True):
        yield labelled(row.name, span(*limits) if limits else f"undefined ({row.missing})")


def made_lines(report: Report) -> Iterator[str]:
    """What a reader of the numbers asks about the methods, and what made them when, below a blank line each."""
    yield from ("", "The methods of the intervals, and when not to trust them")
    for method in (METHODS[name] for name in dict.fromkeys(report.methods.values())):
        yield f"  {method.title}: {method.what} Caution: {method.caution[0].lower()}{method.caution[1:]}"
    yield from ("", f"Made by skcostci {report.version} on {report.date}:", f"  {report.call}")


def introduction(report: Report) -> list[str]:
    """The cases, the level and the methods, said once."""
    asked = report.asked
    origin, level = asked.origin, asked.question.confidence_level
    lines = [
        f"{origin.source}: {_sizes(asked.cases)} ({origin.y_true} = {asked.cases.labels[1]})",
        *([f"Left out, because a value is missing: {_rows(origin.dropped)}."] if origin.dropped else []),
        *_groups(asked.cases),
        *_subgroups(asked),
        f"{100 * level:g} % intervals, each by itself, computed without resampling.",
        *_what_differs(report),
    ]
    methods = (f"{key.replace('_', ' ')}: {METHODS[method].title}" for key, method in report.methods.items())
    return [*lines, f"Interval methods. {'; '.join(methods)}."]


def _sizes(cases: Cases) -> str:
    positive, negative = cases.sizes
    return f"{positive + negative} cases, {positive} positive"


def _groups(cases: Cases) -> Iterator[str]:
    """How many groups are resampled as a whole, and what is not known of them."""
    if cases.groups is not None:
        yield f"They belong to {cases.n_groups} groups, resampled as a whole; no sensitivity at a specificity then."


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _subgroups(asked: Inquiry) -> Iterator[str]:
    """Who is in which subgroup."""
    if asked.subgroups is not None:
        yield f"Scores {short(asked.models[0].name, 30)} in the subgroups of {short(asked.subgroups.by, 30)}"
        for row in asked.rows:
            yield labelled(row.name, _sizes(row.cases))


def _what_differs(report: Report) -> list[str]:
    """What a difference is, and what its limits and p-value allow for."""
    if not report.pairs:
        return []
    if len(report.pairs) == 1:
        a, b = (short(name, 20) for name in report.pairs[0])
        return [f"Differences are {a} - {b}; p is two-sided."]
    of_a_kind = f"the {len(report.pairs)} differences of a kind"
    return [f"Intervals and two-sided p of {of_a_kind} allow for their number (max-t)."]


def _section(report: Report, section: Section) -> Iterator[str]:
    """A heading over the columns, a row for each model or subgroup, and one for each difference."""
    asked, statistic, point = report.asked, section.statistic, section.point
    yield from statistic.before(asked, point)
    columns = f"{'estimate':>8}  {'interval':>17}" + (f"  {'p':>7}" if section.differences else "")
    yield f"{section_title(report, section):<{NAME + 2}}  {columns}"
    for name, numbers in named_numbers(report, section):
        yield _row(name, numbers)
    yield from fitted(best_line(report, section))
    yield from statistic.after(asked, section.results)
    yield from fitted(undefined_lines(report, section))


def section_title(report: Report, section: Section) -> str:
    """The heading, with the threshold where the statistic is asked at several."""
    title = section.statistic.title(report.asked, section.point)
    cut = section.point.get("thresholds")
    several = len(report.asked.question.thresholds) > 1 and cut is not None
    return f"{title} at threshold {cut:g}" if several else title


def undefined_lines(report: Report, section: Section) -> Iterator[str]:
    """Of rows without a value, what is missing."""
    for row, estimate in zip(report.asked.rows, section.estimates, strict=True):
        if estimate.note:
            yield labelled(row.name, estimate.note)


def named_numbers(report: Report, section: Section) -> Iterator[tuple[str, Estimate]]:
    """The numbers of each row, then the differences."""
    for row, estimate in zip(report.asked.rows, section.estimates, strict=True):
        yield row.name, estimate
    for pair, difference in zip(report.pairs if section.differences else (), section.differences, strict=True):
        yield DIFFERENCE if len(report.pairs) == 1 else pair_name(*pair), difference


def pair_name(a: str, b: str) -> str:
    return f"{short(a, PAIRED)} - {short(b, PAIRED)}"


def best_line(report: Report, section: Section) -> list[str]:
    """Which of more than two may be best."""
    names = report._best(section)
    level = 100 * report.asked.question.confidence_level
    return [f"  may be best ({level:g} %): {', '.join(map(short, names))}"] if names else []


def _row(name: str, numbers: Estimate) -> str:
    p = f"  {pvalue(numbers.pvalue):>7}" if isinstance(numbers, Difference) else ""
    interval = f"{number(numbers.low)} to {number(numbers.high)}"
    return f"{labelled(name, '')}  {number(numbers.estimate):>8}  {interval:>17}{p}"


def cheaper_lines(report: Report) -> Iterator[str]:
    """Where which model is significantly cheaper, in words, below a blank line and a heading."""
    if report.cheaper is None:
        return
    level = report.asked.question.confidence_level
    yield from ("", f"Significantly cheaper ({100 * level:g} %, all operating conditions at once)")
    longest = [_longest(stretches) for stretches in report.cheaper]
    for model, shown, stretches in zip(report.asked.models, longest, report.cheaper, strict=True):
        if not stretches:
            yield labelled(model.name, "nowhere")
        for place, stretch in enumerate(shown):
            yield labelled("" if place else model.name, span(*stretch))
        if more := len(stretches) - len(shown):
            yield labelled("", f"and {more} shorter stretch{'es' * (more > 1)}")
    for model, shown in zip(report.asked.models, longest, strict=True):
        yield from _in_words(report.asked.condition.prevalence, model.name, shown)


def _longest(stretches: Stretches) -> Stretches:
    """The longest few, from left to right: a table of many says less."""
    return tuple(sorted(sorted(stretches, key=lambda ends: ends[0] - ends[1])[:MOST_STRETCHES]))


def _in_words(prevalence: float, name: str, stretches: Stretches) -> Iterator[str]:
    """What the stretches say of costs, at the prevalence."""
    if stretches and 0 < prevalence < 1:
        ratios = _ratios(prevalence, stretches)
        yield f"  At prevalence {prevalence:.3g}: {short(name)} where a miss costs {ratios} times a false alarm."


def _ratios(prevalence: float, stretches: Stretches) -> str:
    """Stretches of PC(+) as ratios of the costs."""
    odds = (1 - prevalence) / prevalence
    spans = []
    for low, high in stretches:
        least, most = (f"{odds * w / (1 - w):.3g}" if w < 1 else "any number of" for w in (low, high))
        spans.append(least if least == most else f"{least} to {most}")
    return ", or ".join(spans)


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
        report_tables(report),
        "<h2>Pictures</h2>",
        *(_picture(alt, image) for alt, image in drawn_panels(report)),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def report_tables(report: Report) -> str:
    """What notebooks show: all but the pictures."""
    parts = [
        _paragraph(introduction(report)),
        *(part for section in report.sections for part in _page_section(report, section)),
        *_titled(operating_lines(report)),
        *_titled(cheaper_lines(report)),
        *_titled(made_lines(report)),
    ]
    return "\n".join(parts)


def _page_section(report: Report, section: Section) -> Iterator[str]:
    """A heading, what is said before, the table, what is said after."""
    asked, statistic = report.asked, section.statistic
    yield f"<h2>{escape(section_title(report, section))}</h2>"
    yield _paragraph(statistic.before(asked, section.point))
    columns = ["", "estimate", "interval", *["p"] * bool(section.differences)]
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    rows = "".join(_page_row(name, numbers) for name, numbers in named_numbers(report, section))
    yield f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    said = [*best_line(report, section), *statistic.after(asked, section.results), *undefined_lines(report, section)]
    yield _paragraph(said)


def _page_row(name: str, numbers: Estimate) -> str:
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
