"""A report as one picture: ROC curves, cost curves, and how two models, or several, compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from skcostci.cli._inquiry import Inquiry, Row
from skcostci.cli._layout import short
from skcostci.cli._report import Report
from skcostci.compare import ModelComparison
from skcostci.displays import (
    CostCurveDisplay,
    ModelComparisonDisplay,
    PairedCostDifferenceDisplay,
    ROCConfidenceDisplay,
)
from skcostci.displays._display import draw_cases

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".pdf", ".svg")
INCHES, DPI = 5.0, 192
NAME = 32  # of a legend
MOST_BANDS = 3  # more hide each other
NO_BAND = {"visible": False, "label": "_"}


@dataclass(frozen=True)
class Panel:
    """One picture of the report: what it shows, in words, and how it is drawn."""

    alt: str
    draw: Callable[[Axes], None]
    height: float = 4.2


def draw_report(path: str, report: Report) -> None:
    """Draw the panels one below the other, as a phone can show them, and save; the format follows from the name."""
    panels = _panels(report)
    heights = [panel.height for panel in panels]
    figure = _figure(sum(heights))
    for panel, ax in zip(
        panels, figure.subplots(len(panels), 1, height_ratios=heights, squeeze=False).flat, strict=True
    ):
        panel.draw(ax)
    figure.savefig(path, dpi=DPI)


def drawn_panels(report: Report) -> Iterator[tuple[str, bytes]]:
    """Each panel by itself: in words, and as PNG."""
    for panel in _panels(report):
        figure, image = _figure(panel.height), BytesIO()
        panel.draw(figure.add_subplot())
        figure.savefig(image, format="png", dpi=DPI)
        yield panel.alt, image.getvalue()


def _figure(height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(INCHES, height), layout="constrained")


def _panels(report: Report) -> list[Panel]:
    """ROC curves, cost curves, and how the rows compare."""
    asked = report.asked
    names = " and ".join(row.name for row in asked.rows)
    panels = [
        Panel(f"ROC curves of {names}", partial(_draw_rocs, asked)),
        Panel(f"Cost curves of {names}", partial(_draw_costs, asked)),
    ]
    if report.cheaper is not None:
        return [*panels, Panel(f"Difference in cost of {names}", partial(_draw_difference, asked))]
    return [*panels, *_comparisons(report)] if report.pairs else panels


def _draw_rocs(asked: Inquiry, ax: Axes) -> None:
    """The ROC curve of each row."""
    for row in asked.rows:
        last, averaging = row is asked.rows[-1], "fpr" if asked.cases.groups is None else "threshold"
        _draw_row(asked, row, ROCConfidenceDisplay, ax=ax, plot_chance_level=last, averaging=averaging)


def _draw_costs(asked: Inquiry, ax: Axes) -> None:
    """The cost curve of each row."""
    for row in asked.rows:
        _draw_row(asked, row, CostCurveDisplay, ax=ax, thresholds=row.model.thresholds)


def _draw_row(asked: Inquiry, row: Row, display: Any, **options: Any) -> None:
    """A display of a row, with its band unless there are too many."""
    if len(asked.rows) > MOST_BANDS:
        options["fill_between_kwargs"] = NO_BAND
    options |= {"confidence_level": asked.question.confidence_level, "despine": True}
    draw_cases(display, row.cases, [row.model.name], {"name": _legend(row.name)}, **options)


def _draw_difference(asked: Inquiry, ax: Axes) -> None:
    """The difference in cost of two models."""
    columns, rules = zip(*((model.name, model.thresholds) for model in asked.models), strict=True)
    names = dict(zip(("name_a", "name_b"), map(_legend, columns), strict=True))
    options = {"thresholds": rules, "band": "simultaneous", "despine": True}
    level = asked.question.confidence_level
    draw_cases(PairedCostDifferenceDisplay, asked.cases, columns, names, ax=ax, confidence_level=level, **options)


def _comparisons(report: Report) -> Iterator[Panel]:
    """Several models, or subgroups, in order: by AUC, and by cost at the operating condition."""
    place = report.asked.condition.probability_cost
    titles = {"auc": "AUC", "cost": f"Cost at PC(+) = {place:.3f}"}
    height = 1.2 + 0.32 * len(report.asked.rows)
    for section in report.sections:
        title = titles.get(section.statistic.name)
        if title is not None and section.comparison is not None:
            named = replace(section.comparison, models=_legends(section.comparison.models), title=title)
            yield Panel(f"{title} of each, in order", partial(_draw_comparison, report.asked, named), height)


def _draw_comparison(asked: Inquiry, comparison: ModelComparison, ax: Axes) -> None:
    """The models in order."""
    ModelComparisonDisplay.from_comparison(comparison, confidence_level=asked.question.confidence_level, ax=ax)


def _legends(names: Sequence[str]) -> tuple[str, ...]:
    """Names as in legends, or as they are where they would not differ there."""
    legends = tuple(map(_legend, names))
    return legends if len(set(legends)) == len(names) else tuple(names)


def _legend(name: str) -> str:
    """A name as it is: matplotlib hides labels that begin with "_" and takes what is between "$" for mathematics."""
    text = short(name, NAME).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
