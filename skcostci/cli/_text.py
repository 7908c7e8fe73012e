"""A report in writing: a table for people, a structure for machines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap

from skcostci.cli._layout import NAME, WIDTH, labelled, number, pvalue, short, span
from skcostci.cli._report import Difference, Estimate, Report, Section, Stretches

DIFFERENCE = "difference"


def report_json(report: Report) -> str:
    """The numbers at full precision."""
    return json.dumps(report.as_dict(), indent=2, allow_nan=False)


def report_lines(report: Report) -> list[str]:
    """The table, line by line."""
    lines = _introduction(report)
    for section in report.sections:
        lines += ["", *_section(report, section)]
    lines += ["", "Operating range: some threshold beats labelling nobody or everybody positive"]
    for model, limits in zip(report.asked.models, report.operating_ranges, strict=True):
        lines.append(labelled(model.name, span(*limits)))
    return [*lines, *_cheaper(report)]


def _introduction(report: Report) -> list[str]:
    """The cases, the level and the method, said once."""
    asked = report.asked
    (source, column), (positive, negative) = asked.origin, asked.cases.sizes
    lines = [
        f"{source}: {positive + negative} cases, {positive} positive ({column} = {asked.cases.labels[1]})",
        f"{100 * asked.question.confidence_level:g} % intervals, each by itself, computed without resampling.",
    ]
    if len(asked.models) == 2:
        a, b = (short(model.name, 20) for model in asked.models)
        lines.append(f"Differences are {a} - {b}; p is two-sided.")
    methods = (f"{key.replace('_', ' ')} {method}" for key, method in report.methods.items())
    return [*lines, *wrap(f"Interval methods: {', '.join(methods)}.", WIDTH)]


def _section(report: Report, section: Section) -> Iterator[str]:
    """A heading over the columns, a row for each model, and one for the difference."""
    asked, statistic, point = report.asked, section.statistic, section.point
    yield from statistic.before(asked, point)
    columns = f"{'estimate':>8}  {'interval':>17}" + ("" if section.difference is None else f"  {'p':>7}")
    yield f"{statistic.title(asked, point):<{NAME + 2}}  {columns}"
    for model, estimate in zip(asked.models, section.models, strict=True):
        yield _row(model.name, estimate)
    if section.difference is not None:
        yield _row(DIFFERENCE, section.difference)
    yield from statistic.after(asked, point)


def _row(name: str, numbers: Estimate) -> str:
    p = f"  {pvalue(numbers.pvalue):>7}" if isinstance(numbers, Difference) else ""
    interval = f"{number(numbers.low)} to {number(numbers.high)}"
    return f"{labelled(name, '')}  {number(numbers.estimate):>8}  {interval:>17}{p}"


def _cheaper(report: Report) -> Iterator[str]:
    """Where which model is significantly cheaper, in words."""
    if len(report.asked.models) < 2:
        return
    level = report.asked.question.confidence_level
    yield from ("", f"Significantly cheaper ({100 * level:g} %, all operating conditions at once)")
    both = list(zip(report.asked.models, (report.a_cheaper, report.b_cheaper), strict=True))
    for model, stretches in both:
        if not stretches:
            yield labelled(model.name, "nowhere")
        for place, stretch in enumerate(stretches):
            yield labelled("" if place else model.name, span(*stretch))
    for model, stretches in both:
        yield from _in_words(report.asked.condition.prevalence, model.name, stretches)


def _in_words(prevalence: float, name: str, stretches: Stretches) -> Iterator[str]:
    """What the stretches say of costs, at the prevalence."""
    if stretches and 0 < prevalence < 1:
        ratios = _ratios(prevalence, stretches)
        words = f"At prevalence {prevalence:.3g}: {short(name)} where a miss costs {ratios} times a false alarm."
        yield from wrap(words, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _ratios(prevalence: float, stretches: Stretches) -> str:
    """Stretches of PC(+) as ratios of the costs."""
    odds = (1 - prevalence) / prevalence
    spans = []
    for low, high in stretches:
        least, most = (f"{odds * w / (1 - w):.3g}" if w < 1 else "any number of" for w in (low, high))
        spans.append(least if least == most else f"{least} to {most}")
    return ", or ".join(spans)
