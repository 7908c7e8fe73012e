"""A report in writing: a table for people, a structure for machines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from textwrap import wrap

from skcostci.cli._report import (
    AtSpecificity,
    Difference,
    DifferenceReport,
    Estimate,
    OperatingCondition,
    Report,
    Stretches,
)

WIDTH = 80
NAME = 40  # the rest is for numbers
DIFFERENCE = "difference"


def report_json(report: Report) -> str:
    """The numbers at full precision."""
    return json.dumps(asdict(report), indent=2, allow_nan=False)


def report_lines(report: Report) -> list[str]:
    """The table, line by line."""
    difference = report.difference
    lines = _introduction(report)
    lines += ["", _heading(report, "Area under the ROC curve")]
    lines += _rows(report, [model.auc for model in report.models], difference.auc if difference else None)
    for place, point in enumerate(report.models[0].at_specificity):
        lines += ["", _heading(report, f"Sensitivity at specificity >= {point.specificity:g}{_used(point)}")]
        rates = [model.at_specificity[place].sensitivity for model in report.models]
        lines += _rows(report, rates, difference.at_specificity[place].sensitivity if difference else None)
        if point.specificity < point.specificity_used == 1:
            lines.append("  Too few negatives for a false alarm to be allowed: nobody is labelled positive.")
    lines += ["", *_where(report.operating_condition)]
    lines += [_heading(report, f"Normalized cost at PC(+) = {report.operating_condition.probability_cost:.3f}")]
    lines += _rows(report, [model.cost for model in report.models], difference.cost if difference else None)
    lines += [*_thresholds(report), "", "Operating range: some threshold beats labelling nobody or everybody positive"]
    for model in report.models:
        lines.append(f"  {short(model.name):<{NAME}}PC(+) {_span(*model.operating_range)}")
    if difference is not None:
        lines += ["", *_cheaper(report, difference)]
    return lines


def short(name: str, width: int = NAME - 4) -> str:
    """A name that fits, on one line, its middle left out if need be."""
    line = " ".join(name.split())
    kept = (width - 3) // 2
    return line if len(line) <= width else f"{line[:kept]}...{line[len(line) - kept :]}"


def _introduction(report: Report) -> list[str]:
    """The cases, the level and the method, said once."""
    lines = [
        f"{report.source}: {report.n_cases} cases, {report.n_positive} positive ({report.y_true} = {report.pos_label})",
        f"{100 * report.confidence_level:g} % intervals, each by itself, computed without resampling.",
    ]
    if report.difference is not None:
        a, b = short(report.difference.a, 20), short(report.difference.b, 20)
        lines.append(f"Differences are {a} - {b}; p is two-sided.")
    methods = (f"{key.replace('_', ' ')} {method}" for key, method in report.methods.items())
    return [*lines, *wrap(f"Interval methods: {', '.join(methods)}.", WIDTH)]


def _heading(report: Report, title: str) -> str:
    """A title over the columns."""
    columns = f"{'estimate':>8}  {'interval':>17}" + ("" if report.difference is None else f"  {'p':>7}")
    return f"{title:<{NAME + 2}}  {columns}".rstrip()


def _rows(report: Report, estimates: list[Estimate], difference: Estimate | None) -> Iterator[str]:
    """A row for each model, and one for the difference."""
    for model, estimate in zip(report.models, estimates, strict=True):
        yield _row(model.name, estimate)
    if difference is not None:
        yield _row(DIFFERENCE, difference)


def _row(name: str, numbers: Estimate) -> str:
    p = f"  {_pvalue(numbers.pvalue):>7}" if isinstance(numbers, Difference) else ""
    interval = f"{_number(numbers.low)} to {_number(numbers.high)}"
    return f"  {short(name):<{NAME}}  {_number(numbers.estimate):>8}  {interval:>17}{p}"


def _number(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}"  # + 0.0 for "0.000", never "-0.000"


def _pvalue(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _used(point: AtSpecificity) -> str:
    """The specificity there is, if it is another: with few negatives, steps are large."""
    different = abs(point.specificity - point.specificity_used) > 0.0005
    return f" ({point.specificity_used:.3f})" if different else ""


def _where(condition: OperatingCondition) -> list[str]:
    """The operating condition in words."""
    source = "that of these cases" if condition.prevalence_from == "sample" else "as stated"
    total = condition.prevalence * condition.cost_fn + (1 - condition.prevalence) * condition.cost_fp
    return [
        f"Prevalence {condition.prevalence:.3g} ({source}), a miss costs {condition.cost_fn:g}, "
        f"a false alarm {condition.cost_fp:g}.",
        f"Normalized cost: 1 is everything wrong, {total:.4g} a case in these units.",
    ]


def _thresholds(report: Report) -> Iterator[str]:
    """What the models call positive there."""
    for model in report.models:
        rule = "nobody is positive" if model.threshold is None else f"positive from a score of {model.threshold:.4g}"
        yield f"  {short(model.name):<{NAME}}{rule}"
    if report.thresholds == "envelope":
        yield "  (thresholds that are cheapest on these very cases: optimistic)"


def _cheaper(report: Report, difference: DifferenceReport) -> Iterator[str]:
    """Where which model is significantly cheaper, in words."""
    yield f"Significantly cheaper ({100 * report.confidence_level:g} %, each operating condition by itself)"
    for name, stretches in ((difference.a, difference.a_cheaper), (difference.b, difference.b_cheaper)):
        if not stretches:
            yield f"  {short(name):<{NAME}}nowhere"
        for place, stretch in enumerate(stretches):
            yield f"  {'' if place else short(name):<{NAME}}PC(+) {_span(*stretch)}"
    yield from _in_words(report.operating_condition.prevalence, difference)


def _in_words(prevalence: float, difference: DifferenceReport) -> Iterator[str]:
    """What the stretches say of costs, at the prevalence."""
    for name, stretches in ((difference.a, difference.a_cheaper), (difference.b, difference.b_cheaper)):
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


def _span(low: float, high: float) -> str:
    return f"from {low:.2f} to {high:.2f}" if low < high else f"at {low:.2f}"
