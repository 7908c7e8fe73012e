"""The display of a report: a table for terminals, tables for notebooks, a page with its pictures, or one picture."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from io import BytesIO
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from skcostci._options import visible
from skcostci.compare._comparison import ModelComparison
from skcostci.displays._comparison_plot import ModelComparisonDisplay
from skcostci.displays._cost_curve import CostCurveDisplay, cost_numbers
from skcostci.displays._paired_cost import PairedCostDifferenceDisplay, difference_numbers
from skcostci.displays._roc import ROCConfidenceDisplay, roc_numbers
from skcostci.reports._classes import ClassCases
from skcostci.reports._inquiry import NAME, Inquiry, Row, distinct, labelled, short, sizes_of
from skcostci.reports._methods_section import methods_lines
from skcostci.reports._numbers import Answers, DifferenceEstimate, Estimate, Section, Stretches
from skcostci.reports._statistics import Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 80
PAIRED = 17  # characters of each of two names in the place of one
MOST_STRETCHES = 2  # per model
FORMATS = (".png", ".pdf", ".svg")
INCHES, DPI = 5.0, 192
LEGEND = 32  # characters of a name
MOST_BANDS = 3  # more would hide each other


def report_lines(report: Answers) -> list[str]:
    """The table, line by line."""
    source, *said = introduction(report)
    lines = [" ".join(source.split()), *fitted(said)]
    for table in tables(report):
        lines += ["", *_table(table)]
    lines += [*operating_lines(report), *fitted(cheaper_lines(report))]
    return [visible(line) for line in (*lines, *fitted(made_lines(report)))]


def operating_lines(report: Answers) -> Iterator[str]:
    """Operating conditions at which some threshold is useful, after a blank line and a heading."""
    if report.operating_ranges is None:
        return
    yield from ("", "Operating range: some threshold costs less than labelling all cases alike")
    for row, limits in zip(report.inquiry.rows, report.operating_ranges, strict=True):
        yield labelled(report.inquiry.shown[row.name], span(*limits) if limits else f"undefined ({row.missing})")


def made_lines(report: Answers) -> Iterator[str]:
    """The methods section, and the program and date, each after a blank line."""
    yield from methods_lines(report)
    yield from ("", f"Made by skcostci {report.version} on {report.date}:", f"  {report.call}")


def introduction(report: Answers) -> list[str]:
    """A description of the cases and the level."""
    inquiry = report.inquiry
    origin, level = inquiry.origin, inquiry.question.confidence_level
    return [
        f"{origin.source}: {_sizes(inquiry.cases)} ({origin.y_true}{_positive(inquiry.cases)})",
        *_support(inquiry.cases),
        *(
            [f"Left out, because a value is missing: {_counted(origin.n_rows_dropped, 'row')}."]
            if origin.n_rows_dropped
            else []
        ),
        *_groups(inquiry.cases),
        *_weights(inquiry.cases),
        *_proxies(inquiry.cases),
        *_subgroups(inquiry),
        f"{100 * level:g} % intervals, pointwise (not simultaneous), computed without resampling.",
        *_what_differs(report),
    ]


def _left_out(many: int) -> list[str]:
    return [f"Left out, because a value is missing: {_counted(many, 'row')}."] * bool(many)


def _positive(cases: Any) -> str:
    return "" if isinstance(cases, ClassCases) else f" = {cases.labels[1]}"


def _support(cases: Any) -> Iterator[str]:
    """The number of cases of each class."""
    if isinstance(cases, ClassCases):
        sizes = ", ".join(f"{label}: {many:g}" for label, many in zip(cases.labels, cases.support, strict=True))
        yield f"{'Weight' if cases.judged.has_importance else 'Cases'} per class. {sizes}."


def _sizes(cases: Any) -> str:
    sizes = sizes_of(cases)
    if isinstance(cases, ClassCases):
        return f"{_counted(cases.n_cases, 'case')} of {_counted(len(cases.labels), 'class', 'classes')}"
    if cases.proxies is not None:
        return f"{sizes['n_cases']} cases, {sizes['n_checked']} checked, {sizes['n_positive']} positive of these"
    return f"{_counted(sizes['n_cases'], 'case')}, {sizes['n_positive']} positive"


def _counted(many: int, one: str, several: str | None = None) -> str:
    return f"{many} {one if many == 1 else several or f'{one}s'}"


def _proxies(cases: Any) -> Iterator[str]:
    """Whose labels the unchecked rows have."""
    if cases.proxies is not None:
        yield "The other cases have a proxy's labels. Estimates are for checked labels of"
        yield "all cases, if the checked cases were drawn at random."


def _groups(cases: Any) -> Iterator[str]:
    """The number of groups, which are resampled as a whole, and statistics that are not available for them."""
    if cases.groups is not None:
        yield f"{cases.n_groups} groups (clusters) of cases, resampled as a whole."


def _weights(cases: Any) -> Iterator[str]:
    """The effective number of (equally weighted) cases."""
    if cases.effective_number is not None:
        yield f"Importance weights: the effective number of cases is {cases.effective_number:.4g}."


def _subgroups(inquiry: Inquiry) -> Iterator[str]:
    """The number of cases in each subgroup."""
    if inquiry.subgroups is not None:
        yield f"Scores {short(inquiry.models[0], 30)} in the subgroups of {short(str(inquiry.origin.by), 30)}"
        for row in inquiry.rows:
            yield labelled(inquiry.shown[row.name], _sizes(row.cases))


def _what_differs(report: Answers) -> list[str]:
    """The definition of a difference, and the adjustment of its limits and p-value."""
    if not any(section.differences for section in report.sections):
        return []
    if len(report.pairs) == 1:
        a, b = (short(name, 20) for name in report.pairs[0])
        return [f"Differences are {a} - {b}; p is two-sided."]
    of_each = f"the {len(report.pairs)} differences in each statistic"
    return [f"Intervals and two-sided p of {of_each} are adjusted for their number (max-t)."]


class Table(NamedTuple):
    """The sections with one heading: text before, a row for each number with its name, and text below."""

    title: str
    before: Sequence[str]
    rows: Sequence[tuple[str, Estimate]]
    after: Sequence[str]

    @property
    def has_pvalues(self) -> bool:
        """Whether there are differences."""
        return any(isinstance(numbers, DifferenceEstimate) for _, numbers in self.rows)


def tables(report: Answers) -> Iterator[Table]:
    """The tables of text and page: sections of different classes under one heading."""
    for title, found in groupby(report.sections, lambda section: section_title(report, section)):
        sections = list(found)
        rows = [row for section in sections for row in named_numbers(report, section)]
        after = [line for section in sections for line in _after(report, section)]
        yield Table(title, sections[0].statistic.before(report.inquiry, sections[0].point), rows, after)


def _after(report: Answers, section: Section) -> Iterator[str]:
    """What is said below the numbers of a section; a class is named if it is of one."""
    of = _class_of(section.point)
    yield from (f"  {of}: {line.strip()}" if of else line for line in best_line(report, section))
    yield from section.statistic.after(report.inquiry, section.results)
    for row, estimate in zip(report.inquiry.rows, section.estimates, strict=True):
        if estimate.note:
            name = ", ".join(filter(None, (of, row.name if len(report.inquiry.rows) > 1 or not of else "")))
            yield labelled(short(name), estimate.note)


def _class_of(point: Point) -> str:
    """The class, or the average over classes, of a section."""
    return str(point.get("label", point.get("average", "")))


def _table(table: Table) -> Iterator[str]:
    """A heading over the columns, a row for each number, and the text around them."""
    yield from table.before
    columns = f"{'estimate':>8}  {'interval':>17}" + f"  {'p':>7}" * table.has_pvalues
    yield f"{table.title:<{NAME + 2}}  {columns}"
    for name, (_, numbers) in zip(distinct([name for name, _ in table.rows]), table.rows, strict=True):
        yield _row(name, numbers)
    yield from fitted(table.after)


def section_title(report: Answers, section: Section) -> str:
    """The heading, with the threshold if the statistic is reported at several."""
    title = section.statistic.title(report.inquiry, section.point)
    cut = section.point.get("thresholds")
    several = len(report.inquiry.question.thresholds) > 1 and cut is not None
    return f"{title} at threshold {cut:g}" if several else title


def named_numbers(report: Answers, section: Section) -> Iterator[tuple[str, Estimate]]:
    """The numbers of each row, then the differences; with the class, alone if there is one row."""
    names, of = [row.name for row in report.inquiry.rows], _class_of(section.point)
    shown = dict(zip(names, distinct(names, PAIRED), strict=True))
    pairs = [f"{shown[a]} - {shown[b]}" for a, b in report.pairs]
    for name, numbers in section.named(names, pairs if len(pairs) > 1 else ["difference"]):
        yield (name if not of else of if len(names) == 1 else f"{of}, {name}"), numbers


def best_line(report: Answers, section: Section) -> list[str]:
    """Which of more than two rows may be best."""
    names = [report.inquiry.shown[name] for name in report._best(section)]
    level = 100 * report.inquiry.question.confidence_level
    return [f"  may be best ({level:g} %): {', '.join(names)}"] if names else []


def _row(name: str, numbers: Estimate) -> str:
    p = f"  {pvalue(numbers.pvalue):>7}" if isinstance(numbers, DifferenceEstimate) else ""
    interval = f"{number(numbers.low)} to {number(numbers.high)}"
    return f"{labelled(name, '')}  {number(numbers.estimate):>8}  {interval:>17}{p}"


def cheaper_lines(report: Answers) -> Iterator[str]:
    """Where which model is significantly cheaper, in words, after a blank line and a heading."""
    if report.cheaper is None:
        return
    level = report.inquiry.question.confidence_level
    yield from ("", f"Significantly cheaper ({100 * level:g} %, all operating conditions at once)")
    longest = [_longest(stretches) for stretches in report.cheaper]
    for model, shown, stretches in zip(report.inquiry.models, longest, report.cheaper, strict=True):
        if not stretches:
            yield labelled(report.inquiry.shown[model], "nowhere")
        for place, stretch in enumerate(shown):
            yield labelled("" if place else report.inquiry.shown[model], span(*stretch))
        if more := len(stretches) - len(shown):
            yield labelled("", f"and {more} shorter stretch{'es' * (more > 1)}")
    for model, shown in zip(report.inquiry.models, longest, strict=True):
        yield from _in_words(report.inquiry.condition.prevalence, report.inquiry.shown[model], shown)


def _longest(stretches: Stretches) -> Stretches:
    """The longest few, from left to right: a long table would be less readable."""
    return tuple(sorted(sorted(stretches, key=lambda ends: ends[0] - ends[1])[:MOST_STRETCHES]))


def _in_words(prevalence: float, name: str, stretches: Stretches) -> Iterator[str]:
    """The stretches expressed as costs, at the prevalence."""
    if stretches and 0 < prevalence < 1:
        ratios = _ratios(prevalence, stretches)
        yield f"  At prevalence {prevalence:.3g}: {name} where a miss costs {ratios} times a false alarm."


def _ratios(prevalence: float, stretches: Stretches) -> str:
    """Stretches of PC(+) as ratios of the costs."""
    odds = (1 - prevalence) / prevalence
    spans = []
    for low, high in stretches:
        least, most = (f"{odds * w / (1 - w):.3g}" if w < 1 else "any number of" for w in (low, high))
        spans.append(least if least == most else f"{least} to {most}")
    return ", or ".join(spans)


def fitted(lines: Iterable[str]) -> list[str]:
    """Sentences wrapped at the width of the terminal, with indentation kept and increased from the second line on."""
    return [part for line in lines for part in _broken(line)]


def _broken(line: str) -> list[str]:
    """One line wrapped; a blank line is kept."""
    indent = "    " * line.startswith(" ")
    return wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def number(value: float) -> str:
    """Three decimals, or one digit of a smaller number: what is not 0 is not printed as 0."""
    if value != value:
        return "undefined"
    return f"{value:.1g}" if value and round(value, 3) == 0 else f"{round(value, 3) + 0.0:.3f}"


def pvalue(p: float) -> str:
    """Four decimals, or an upper bound."""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def span(low: float, high: float) -> str:
    """A stretch of operating conditions."""
    return f"PC(+) from {low:.2f} to {high:.2f}" if low < high else f"PC(+) at {low:.2f}"


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


def report_html(report: Answers) -> str:
    """The page, which needs no other file and no network."""
    title = f"{report.inquiry.origin.source}: {' and '.join(report.inquiry.models)}"
    pictures = [_picture(alt, image) for alt, image in drawn_panels(report)]
    parts = [f"<h1>{escape(title)}</h1>", report_tables(report), *["<h2>Pictures</h2>"] * bool(pictures), *pictures]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return visible(
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def report_tables(report: Answers) -> str:
    """The report in notebooks: all but the pictures."""
    parts = [
        _paragraph(introduction(report)),
        *(part for table in tables(report) for part in _page_table(table)),
        *_titled(operating_lines(report)),
        *_titled(cheaper_lines(report)),
        *_titled(made_lines(report)),
    ]
    return visible("\n".join(parts))


def _page_table(table: Table) -> Iterator[str]:
    """A heading, the text before, the table, the text after."""
    yield f"<h2>{escape(table.title)}</h2>"
    yield _paragraph(table.before)
    head = "".join(
        f'<th scope="col">{column}</th>' for column in ("", "estimate", "interval", *["p"] * table.has_pvalues)
    )
    rows = "".join(_page_row(name, numbers) for name, numbers in table.rows)
    yield f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    yield _paragraph(table.after)


def _page_row(name: str, numbers: Estimate) -> str:
    interval = f"{number(numbers.low)} to {number(numbers.high)}"
    p = [pvalue(numbers.pvalue)] if isinstance(numbers, DifferenceEstimate) else []
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in (name, number(numbers.estimate), interval, *p))
    return f"<tr>{cells}</tr>"


def _titled(lines: Iterable[str]) -> Iterator[str]:
    """The first line as a heading of the others, if there are any."""
    said = [line for line in lines if line]
    if said:
        yield f"<h2>{escape(said[0])}</h2>"
        yield _paragraph(said[1:])


def _paragraph(lines: Iterable[str]) -> str:
    """One line each; entries that are columns on a terminal are joined by a colon."""
    said = [escape(re.sub(" {2,}", ": ", line.strip())) for line in lines if line.strip()]
    return f"<p>{'<br>'.join(said)}</p>" if said else ""


def _picture(alt: str, image: bytes) -> str:
    return f'<img alt="{escape(alt)}" src="data:image/png;base64,{b64encode(image).decode()}">'


@dataclass(frozen=True)
class Panel:
    """One picture of the report: its title, and the function that draws it."""

    alt: str
    draw: Callable[[Axes], None]
    height: float = 4.2


def report_picture(report: Answers, kind: str) -> bytes:
    """The panels one below the other, to fit a phone; the kind is "png", "pdf" or "svg"."""
    panels = _panels(report)
    if not panels:
        raise ValueError("there is no picture of this report: only scores, and comparisons, have one. Save a page.")
    heights = [panel.height for panel in panels]
    figure, image = _figure(sum(heights)), BytesIO()
    for panel, ax in zip(
        panels, figure.subplots(len(panels), 1, height_ratios=heights, squeeze=False).flat, strict=True
    ):
        panel.draw(ax)
    figure.savefig(image, format=kind, dpi=DPI)
    return image.getvalue()


def drawn_panels(report: Answers) -> Iterator[tuple[str, bytes]]:
    """Each panel on its own: its title, and the picture as PNG."""
    for panel in _panels(report):
        figure, image = _figure(panel.height), BytesIO()
        panel.draw(figure.add_subplot())
        figure.savefig(image, format="png", dpi=DPI)
        yield panel.alt, image.getvalue()


def _figure(height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(INCHES, height), layout="constrained")


def _panels(report: Answers) -> list[Panel]:
    """Panels: ROC curves, cost curves, and the comparison of rows."""
    inquiry = report.inquiry
    curves = _curves(inquiry)
    comparisons = list(_comparisons(report)) if report.pairs else []
    if not curves:
        return comparisons
    names = " and ".join(curve.name for curve in curves)
    panels = [Panel(f"ROC curves of {names}", partial(_draw_rocs, inquiry, curves))]
    if inquiry.of_costs:
        panels.append(Panel(f"Cost curves of {names}", partial(_draw_costs, inquiry, curves)))
    if report.cheaper is not None:
        return [*panels, Panel(f"Difference in cost of {names}", partial(_draw_difference, inquiry))]
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


def _draw_rocs(inquiry: Inquiry, curves: Sequence[Row], ax: Axes) -> None:
    """The ROC curve of each row; for groups, and for importance weights, with limits at thresholds."""
    one_by_one, legends = curves[0].cases.stand_alone, distinct([row.name for row in curves], LEGEND)
    for row, legend in zip(curves, legends, strict=True):
        numbers = roc_numbers(
            row.cases,
            row.model,
            averaging="fpr" if one_by_one else "threshold",
            confidence_level=inquiry.question.confidence_level,
            band=_band(curves),
        )
        display = ROCConfidenceDisplay(**numbers, name=legend)
        display.plot(ax, plot_chance_level=row is curves[-1], despine=True)


def _draw_costs(inquiry: Inquiry, curves: Sequence[Row], ax: Axes) -> None:
    """The cost curve of each row."""
    for row, legend in zip(curves, distinct([row.name for row in curves], LEGEND), strict=True):
        numbers = cost_numbers(
            row.cases,
            row.model,
            thresholds="envelope",
            confidence_level=inquiry.question.confidence_level,
            band=_band(curves),
        )
        CostCurveDisplay(**numbers, name=legend).plot(ax, despine=True)


def _band(curves: Sequence[Row]) -> Literal["pointwise"] | None:
    """Pointwise bands, or None if there are so many curves that bands would hide each other."""
    return "pointwise" if len(curves) <= MOST_BANDS else None


def _draw_difference(inquiry: Inquiry, ax: Axes) -> None:
    """The difference in cost of two models."""
    names = distinct(inquiry.models, LEGEND)
    numbers = difference_numbers(
        inquiry.cases,
        *inquiry.models,
        thresholds="envelope",
        confidence_level=inquiry.question.confidence_level,
        band="simultaneous",
    )
    PairedCostDifferenceDisplay(**numbers, name_a=names[0], name_b=names[1]).plot(ax, despine=True)


def _comparisons(report: Answers) -> Iterator[Panel]:
    """Several models, or subgroups, sorted: by AUC, and by cost at the operating condition."""
    place = report.inquiry.condition.probability_cost if report.inquiry.of_costs else 0.0
    titles = {"auc": "AUC", "cost": f"Cost at PC(+) = {place:.3f}"}
    height = 1.2 + 0.32 * len(report.inquiry.rows)
    for section in report.sections:
        title = titles.get(section.statistic.name)
        if title is not None and section.comparison is not None:
            named = replace(section.comparison, models=tuple(distinct(section.comparison.models, LEGEND)), title=title)
            yield Panel(f"{title} of each, in order", partial(_draw_comparison, report.inquiry, named), height)


def _draw_comparison(inquiry: Inquiry, comparison: ModelComparison, ax: Axes) -> None:
    """The picture of the sorted models."""
    ModelComparisonDisplay.from_comparison(comparison, confidence_level=inquiry.question.confidence_level, ax=ax)
