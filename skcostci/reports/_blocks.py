"""What a report says, block by block; how that is written on a terminal or as a page; its pictures."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from io import BytesIO
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from skcostci._options import Averaging, PointwiseBand, visible
from skcostci.cases._cases import Cases
from skcostci.displays._comparison_plot import ModelComparisonDisplay
from skcostci.displays._cost_curve import CostCurveDisplay, cost_numbers
from skcostci.displays._display import Fields
from skcostci.displays._paired_cost import PairedCostDifferenceDisplay, difference_numbers
from skcostci.displays._roc import ROCConfidenceDisplay, roc_numbers
from skcostci.intervals import METHODS
from skcostci.reports._inquiry import NAME, ClassCases, Inquiry, Row, distinct, labelled, short, sizes_of
from skcostci.reports._statistics import Numbers, Section

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcostci.reports._report import Report


WIDTH = 80
INCHES, DPI = 5.0, 192
PAIRED = 17  # characters of each of two names in the place of one
MOST_STRETCHES = 2  # per model
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
  table { font-size: .85rem } th, td { padding-right: .5rem } th:first-child, td:first-child { min-width: 5rem }
}
"""


class Block(NamedTuple):
    """Sentences, and lines that begin with a name, below a heading unless that is empty.

    For a table the texts row by row, the names of the columns first, and the lines after it.
    """

    heading: str
    lines: Sequence[str]
    cells: Sequence[Sequence[str]] = ()
    after: Sequence[str] = ()


class Picture(NamedTuple):
    """A picture: what it shows, and the function that draws it."""

    alt: str
    draw: Callable[..., object]  # takes ``ax``
    height: float = 4.2


def blocks_of(report: Report) -> list[Block]:
    """All but the pictures."""
    costs = [*_operating_ranges(report), *_cheaper(report)]
    made = Block(f"Made by skcostci {report.version} on {report.date}:", [f"  {report.call}"])
    methods = Block("Methods, to copy", [f"  {' '.join(_sentences(report))}"])
    references = Block("References", [f"  {each}." for each in _references(report)])
    cautions = [f"  {METHODS[name].title}: {METHODS[name].caution}" for name in _used(report)]
    doubts = Block("When not to trust these intervals", cautions)
    return [Block("", _introduction(report)), *_tables(report), *costs, methods, references, doubts, made]


def _introduction(report: Report) -> list[str]:
    inquiry = report.inquiry
    cases, origin = inquiry.cases, inquiry.origin
    positive = f" = {cases.labels[1]}" if cases.of_two_classes else ""
    truth = f"({origin.y_true}{positive})" if cases.labels else ""
    lines = [" ".join(f"{origin.source}: {_sizes(cases)} {truth}".split())]
    if isinstance(cases, ClassCases):
        sizes = ", ".join(f"{label}: {many:g}" for label, many in zip(cases.labels, cases.support, strict=True))
        lines.append(f"{'Weight' if cases.rows.has_importance else 'Cases'} per class. {sizes}.")
    if dropped := origin.n_rows_dropped:
        lines.append(f"Left out, because a value is missing: {dropped} row{'s' * (dropped != 1)}.")
    if cases.groups is not None:
        lines.append(f"{cases.n_groups} groups (clusters) of cases, resampled as a whole.")
    if cases.rows.effective_number is not None:
        lines.append(f"Importance weights: the effective number of cases is {cases.rows.effective_number:.4g}.")
    if cases.proxies is not None:
        lines.append("The other cases have a proxy's labels. Estimates are for checked labels of")
        lines.append("all cases, if the checked cases were drawn at random.")
    if origin.by is not None:
        lines.append(f"Scores {short(inquiry.models[0], 30)} in the subgroups of {short(origin.by, 30)}")
        lines += [labelled(inquiry.shown[row.name], _sizes(row.cases)) for row in inquiry.rows]
    level = 100 * inquiry.confidence_level
    lines.append(f"{level:g} % intervals, pointwise (not simultaneous), computed without resampling.")
    if any(section.comparison for section in report.sections):
        a, b = (short(name, 20) for name in report.pairs[0])
        of_each = f"the {len(report.pairs)} differences in each statistic"
        several = f"Intervals and two-sided p of {of_each} are adjusted for their number (max-t)."
        lines.append(f"Differences are {a} - {b}; p is two-sided." if len(report.pairs) == 1 else several)
    return lines


def _sizes(cases: Cases) -> str:
    sizes = sizes_of(cases)
    number = f"{sizes['n_cases']} case{'s' * (sizes['n_cases'] != 1)}"
    if not cases.of_two_classes:
        return f"{number} of {len(cases.labels)} classes" if cases.labels else number
    if cases.proxies is not None:
        return f"{number}, {sizes['n_checked']} checked, {sizes['n_positive']} positive of these"
    return f"{number}, {sizes['n_positive']} positive"


def _tables(report: Report) -> Iterator[Block]:
    """The numbers of each statistic; sections of different classes under one heading."""
    names = [row.name for row in report.inquiry.rows]
    shown = dict(zip(names, distinct(names, PAIRED), strict=True))
    several = [f"{shown[a]} - {shown[b]}" for a, b in report.pairs]
    named = [*names, *(several if len(several) > 1 else ["difference"])]
    for title, found in groupby(report.sections, lambda section: section.title):
        sections = list(found)
        rows = [
            [(name if not section.of else section.of if len(names) == 1 else f"{section.of}, {name}"), *_texts(numbers)]
            for section in sections
            for name, numbers in zip(named, section.numbers, strict=False)
        ]
        after = [line for section in sections for line in _after(report, section)]
        columns = ["", "estimate", "interval", "p"][: max(map(len, rows))]  # of p-values if there are any
        yield Block(title, sections[0].lines_before, [columns, *rows], after)


def _texts(numbers: Numbers) -> list[str]:
    """The estimate, the interval and, for a difference, the p-value."""
    p = numbers["p"]
    said = [_number(numbers["estimate"]), f"{_number(numbers['low'])} to {_number(numbers['high'])}"]
    return said if p != p else [*said, "<0.0001" if p < 0.0001 else f"{p:.4f}"]


def _number(value: float) -> str:
    """Three decimals, or one digit of a smaller number: what is not 0 is not printed as 0."""
    if value != value:
        return "undefined"
    return f"{value:.1g}" if value and round(value, 3) == 0 else f"{round(value, 3) + 0.0:.3f}"


def _after(report: Report, section: Section) -> Iterator[str]:
    """Which rows may be best, if there are more than two, then thresholds and notes; a class is named."""
    inquiry, of, level = report.inquiry, section.of, report.inquiry.confidence_level
    if section.comparison is not None and len(report.pairs) > 1 and section.question.greater_is_better is not None:
        best = ", ".join(inquiry.shown[name] for name in section.comparison.may_be_best(level))
        yield f"  {f'{of}: ' * bool(of)}may be best ({100 * level:g} %): {best}"
    yield from section.lines_after
    for row, numbers in zip(inquiry.rows, section.numbers, strict=False):
        if numbers["note"]:
            name = ", ".join(filter(None, (of, row.name if len(inquiry.rows) > 1 or not of else "")))
            yield labelled(short(name), numbers["note"])


def _operating_ranges(report: Report) -> Iterator[Block]:
    """Operating conditions at which some threshold is useful."""
    rows = zip(report.inquiry.rows, report.operating_ranges or (), strict=False)
    spans = ((row.name, _span(*limits) if limits else f"undefined ({row.missing})") for row, limits in rows)
    if lines := [labelled(report.inquiry.shown[name], span) for name, span in spans]:
        yield Block("Operating range: some threshold costs less than labelling all cases alike", lines)


def _cheaper(report: Report) -> Iterator[Block]:
    """Where which model is significantly cheaper, in words."""
    if report.cheaper is None:
        return
    inquiry, lines, words = report.inquiry, [], []
    for model, stretches in zip(inquiry.models, report.cheaper, strict=True):
        # the longest few, from left to right: a long table would be less readable
        longest = sorted(sorted(stretches, key=lambda ends: ends[0] - ends[1])[:MOST_STRETCHES])
        name = inquiry.shown[model]
        spans = [_span(*stretch) for stretch in longest] or ["nowhere"]
        if more := len(stretches) - len(longest):
            spans.append(f"and {more} shorter stretch{'es' * (more > 1)}")
        lines += [labelled("" if place else name, each) for place, each in enumerate(spans)]
        if stretches and 0 < inquiry.prevalence_in_use < 1:
            ratios = _ratios(inquiry.prevalence_in_use, longest)
            where = f"  At prevalence {inquiry.prevalence_in_use:.3g}: {name} where"
            words.append(f"{where} a miss costs {ratios} times a false alarm.")
    level = f"{100 * inquiry.confidence_level:g} %"
    yield Block(f"Significantly cheaper ({level}, all operating conditions at once)", [*lines, *words])


def _ratios(prevalence: float, stretches: Sequence[tuple[float, float]]) -> str:
    """Stretches of PC(+) as ratios of the costs."""
    odds = (1 - prevalence) / prevalence
    spans = []
    for low, high in stretches:
        least, most = (f"{odds * w / (1 - w):.3g}" if w < 1 else "any number of" for w in (low, high))
        spans.append(least if least == most else f"{least} to {most}")
    return ", or ".join(spans)


def _span(low: float, high: float) -> str:
    """A stretch of operating conditions."""
    return f"PC(+) from {low:.2f} to {high:.2f}" if low < high else f"PC(+) at {low:.2f}"


GAFFKE = "Gaffke, Mathematical Methods of Statistics 14, 2005, pp. 451-467"
REFERENCES = {
    "unseen_case": GAFFKE,
    "unseen_group": GAFFKE,
    "extrapolated": "Hall, Journal of the Royal Statistical Society B 54, 1992, pp. 221-228",
    "combined": "Xie and Singh, International Statistical Review 81, 2013, pp. 3-39",
    "clopper_pearson": "Clopper and Pearson, Biometrika 26, 1934, pp. 404-413",
    "wilson": "Wilson, Journal of the American Statistical Association 22, 1927, pp. 209-212",
    "wald": "Efron, Annals of Statistics 7, 1979, pp. 1-26",
    "delong": "DeLong, DeLong and Clarke-Pearson, Biometrics 44, 1988, pp. 837-845",
    "rank_mover": "Zou and Donner, Statistics in Medicine 27, 2008, pp. 1693-1702",
    "percentile": "Efron, Annals of Statistics 7, 1979, pp. 1-26",
}
OF_GROUPS = "Bell and McCaffrey, Survey Methodology 28, 2002, pp. 169-181"
NAMES_OF_PEOPLE = ("Brier", "Cohen", "Gini", "Hamming", "Jaccard", "Matthews", "Youden")  # their capitals are kept
POWERED = "Angelopoulos, Duchi and Zrnic, PPI++: Efficient prediction-powered inference, arXiv 2311.01453, 2023"
MAX_T = "Hothorn, Bretz and Westfall, Biometrical Journal 50, 2008, pp. 346-363"


def _sentences(report: Report) -> Iterator[str]:
    """How the intervals were computed, sentence by sentence."""
    inquiry, level = report.inquiry, 100 * report.inquiry.confidence_level
    by_class = "cases, within each class for measures that do not follow the share of positives"
    unit = by_class if inquiry.cases.of_two_classes else "cases"
    if inquiry.cases.groups is not None:
        unit = f"whole groups ({inquiry.cases.n_groups} of them)"
    if inquiry.cases.proxies is not None:
        each = "cases" if inquiry.cases.groups is None else unit
        unit = f"{each}, in two samples: those with checked labels and those with a proxy's labels alone"
    if inquiry.cases.rows.effective_number is not None:
        unit = "the effective number of equally weighted cases, from the design effect of the importance weights"
    yield (
        f"Two-sided {level:g} % confidence intervals were computed in closed form from the bootstrap distribution of "
        f"{unit}, without drawing resamples (skcostci {report.version})."
    )
    if inquiry.cases.proxies is not None:
        yield (
            "Estimates are prediction-powered: those of the checked cases plus a multiple of the difference between "
            "the proxy's values on the other cases and on the checked ones, the multiple that minimizes the variance. "
            "Checked cases were drawn at random."
        )
    for method, names in _used(report).items():
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        yield f"{listed[0].upper()}{listed[1:]} ({METHODS[method].title} intervals): {METHODS[method].what}"
    if any(section.comparison for section in report.sections):
        how = "on the same cases" if inquiry.origin.by is None else "of independent samples"
        yield f"Differences are {how}; p-values are two-sided and found by inverting the interval of the difference."
    if (many := len(report.pairs)) > 1 and any(section.comparison for section in report.sections):
        yield f"Intervals and p-values of the {many} differences of each metric are simultaneous (max-t)."


def _references(report: Report) -> list[str]:
    """Each reference once, in the order of the methods; the package last."""
    known = REFERENCES if report.inquiry.cases.groups is None else REFERENCES | {"extrapolated": OF_GROUPS}
    found = [known[name] for name in _used(report) if name in known]
    several = [POWERED] * (report.inquiry.cases.proxies is not None) + [MAX_T] * (len(report.pairs) > 1)
    return [*dict.fromkeys(found), *several, f"skcostci {report.version}, its CITATION.cff"]


def _used(report: Report) -> dict[str, list[str]]:
    """The quantities by the method of their intervals."""
    found: dict[str, dict[str, None]] = {}
    for section in report.sections:
        name = section.quantity or section.title  # a statistic at several points is named once
        name = name if name.startswith(NAMES_OF_PEOPLE) or not name[1:2].islower() else name[0].lower() + name[1:]
        if method := section.numbers[0]["method"]:
            found.setdefault(method, {})[name] = None
        if section.comparison is not None:
            found.setdefault(section.numbers[-1]["method"], {})[f"difference in {name}"] = None
    return {method: list(names) for method, names in found.items()}


def to_text(blocks: Iterable[Block]) -> str:
    """The blocks for a terminal."""
    lines: list[str] = []
    for block in blocks:
        if block.cells:
            head, *rows = block.cells
            names = distinct([name for name, *_ in rows])
            lines += ["", *block.lines, _columns([f"{block.heading:<{NAME + 2}}", *head[1:]])]
            lines += [_columns([labelled(name, ""), *row[1:]]) for name, row in zip(names, rows, strict=True)]
            lines += _fitted(block.after)
        else:
            head = ["", block.heading] if block.heading else block.lines[:1]  # which may have a long name of a file
            lines += [*head, *_fitted(block.lines[not block.heading :])]
    return "\n".join(map(visible, lines))


def to_html(blocks: Iterable[Block | Picture]) -> str:
    """The blocks as HTML, with tables and pictures."""
    parts: list[str] = []
    for block in blocks:
        if isinstance(block, Picture):
            data = b64encode(drawn([block])).decode()
            parts.append(f'<img alt="{escape(block.alt)}" src="data:image/png;base64,{data}">')
            continue
        parts += [f"<h2>{escape(block.heading)}</h2>"] * bool(block.heading) + [_paragraph(block.lines)]
        if block.cells:
            head, *rows = block.cells
            columns = "".join(f'<th scope="col">{cell}</th>' for cell in head)
            body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
            parts.append(f"<table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>")
            parts.append(_paragraph(block.after))
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


def page_of(report: Report) -> str:
    """The page, which needs no other file and no network."""
    shown = pictures(report)
    title = visible(escape(f"{report.inquiry.origin.source}: {' and '.join(report.inquiry.models)}"))
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    body = to_html([*blocks_of(report), *([Block("Pictures", ())] if shown else []), *shown])
    head = f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>'
    return f"{head}\n<body>\n<h1>{title}</h1>\n{body}\n</body></html>\n"


def drawn(panels: Sequence[Picture], kind: str = "png") -> bytes:
    """Pictures one below the other, as wide as a phone shows without making letters small; "png", "pdf" or "svg"."""
    if not panels:
        raise ValueError("there is no picture of this report: only scores, and comparisons, have one. Save a page.")
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


def pictures(report: Report) -> list[Picture]:
    """ROC curves, cost curves, and the comparison of rows."""
    inquiry, level, curves = report.inquiry, report.inquiry.confidence_level, _curves(report.inquiry)
    names = " and ".join(curve.name for curve in curves)
    band: PointwiseBand | None = "pointwise" if len(curves) <= MOST_BANDS else None
    panels = []
    if curves:
        averaging: Averaging = "fpr" if curves[0].cases.rows.stand_alone else "threshold"  # with groups or weights
        roc = partial(roc_numbers, averaging=averaging, confidence_level=level, band=band)
        panels.append(Picture(f"ROC curves of {names}", partial(_draw, ROCConfidenceDisplay, roc, curves)))
    if curves and report.operating_ranges is not None:
        costs = partial(_draw, CostCurveDisplay, partial(cost_numbers, confidence_level=level, band=band), curves)
        panels.append(Picture(f"Cost curves of {names}", costs))
    if report.cheaper is not None:
        return [*panels, Picture(f"Difference in cost of {names}", partial(_draw_difference, inquiry))]
    return [*panels, *_comparisons(report)]


def _curves(inquiry: Inquiry) -> list[Row]:
    """The rows with ROC and cost curves: those with both classes; none with a proxy, as only some cases are checked.

    Of several classes there is a curve for each class against the rest, if the report is of a single row.
    """
    if inquiry.cases.proxies is not None or not inquiry.cases.labels:
        return []
    if not isinstance(inquiry.cases, ClassCases):
        return [row for row in inquiry.rows if not row.missing]
    scored, model = inquiry.cases.scored, inquiry.models[0]
    if scored is None or len(inquiry.rows) > 1:
        return []
    names = enumerate(scored.labels)
    return [Row(str(label), model, inquiry.cases.against_the_rest(place, model)) for place, label in names]


def _draw(display: Any, numbers_of: Callable[..., Fields], curves: Sequence[Row], ax: Axes) -> None:
    """The ROC or cost curve of each row, all on the same axes."""
    for row, legend in zip(curves, distinct([row.name for row in curves], LEGEND), strict=True):
        curve = display(**numbers_of(row.cases, row.model), name=legend)
        curve.plot(ax, plot_chance_level=display is CostCurveDisplay or row is curves[-1], despine=True)


def _draw_difference(inquiry: Inquiry, ax: Axes) -> None:
    names, level = distinct(inquiry.models, LEGEND), inquiry.confidence_level
    numbers = difference_numbers(inquiry.cases, *inquiry.models, confidence_level=level, band="simultaneous")
    PairedCostDifferenceDisplay(**numbers, name_a=names[0], name_b=names[1]).plot(ax, despine=True)


def _comparisons(report: Report) -> Iterator[Picture]:
    """Several models, or subgroups, sorted: by AUC, by cost at the operating condition, or by their means."""
    inquiry = report.inquiry
    for section in report.sections:
        if section.comparison is not None and section.name in ("auc", "cost", "mean"):
            at = inquiry.probability_cost
            title = f"Cost at PC(+) = {at:.3f}" if section.name == "cost" else section.question.title
            models = tuple(distinct(section.comparison.models, LEGEND))
            named = replace(section.comparison, models=models, title=title)
            draw = partial(ModelComparisonDisplay.from_comparison, named, confidence_level=inquiry.confidence_level)
            yield Picture(f"{title} of each, in order", draw, 1.2 + 0.32 * len(models))
