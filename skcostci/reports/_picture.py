"""A report as one picture: ROC curves, cost curves, and how two models, or several, compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Literal

from skcostci.compare import ModelComparison
from skcostci.displays import (
    CostCurveDisplay,
    ModelComparisonDisplay,
    PairedCostDifferenceDisplay,
    ROCConfidenceDisplay,
)
from skcostci.displays._cost_curve import cost_numbers
from skcostci.displays._paired_cost import difference_numbers
from skcostci.displays._roc_numbers import roc_numbers
from skcostci.reports._inquiry import Inquiry, Row
from skcostci.reports._layout import short
from skcostci.reports._report import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".pdf", ".svg")
INCHES, DPI = 5.0, 192
NAME = 32  # of a legend
MOST_BANDS = 3  # more hide each other


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
    names = " and ".join(row.name for row in _drawn(asked))
    if not names:
        return []
    panels = [Panel(f"ROC curves of {names}", partial(_draw_rocs, asked))]
    if asked.of_costs:
        panels.append(Panel(f"Cost curves of {names}", partial(_draw_costs, asked)))
    if report.cheaper is not None:
        return [*panels, Panel(f"Difference in cost of {names}", partial(_draw_difference, asked))]
    return [*panels, *_comparisons(report)] if report.pairs else panels


def _drawn(asked: Inquiry) -> list[Row]:
    """The rows that have curves: those with cases of both classes."""
    return [row for row in asked.rows if not row.missing]


def _draw_rocs(asked: Inquiry, ax: Axes) -> None:
    """The ROC curve of each row."""
    for row in _drawn(asked):
        numbers = roc_numbers(
            row.cases,
            row.model.name,
            averaging="fpr" if asked.cases.groups is None else "threshold",
            confidence_level=asked.question.confidence_level,
            band=_band(asked),
        )
        display = ROCConfidenceDisplay(**numbers, name=_legend(row.name))
        display.plot(ax, plot_chance_level=row is _drawn(asked)[-1], despine=True)


def _draw_costs(asked: Inquiry, ax: Axes) -> None:
    """The cost curve of each row."""
    for row in _drawn(asked):
        numbers = cost_numbers(
            row.cases,
            row.model.name,
            thresholds=row.model.thresholds,
            confidence_level=asked.question.confidence_level,
            band=_band(asked),
        )
        CostCurveDisplay(**numbers, name=_legend(row.name)).plot(ax, despine=True)


def _band(asked: Inquiry) -> Literal["pointwise"] | None:
    """None where there are so many that they would hide each other."""
    return "pointwise" if len(asked.rows) <= MOST_BANDS else None


def _draw_difference(asked: Inquiry, ax: Axes) -> None:
    """The difference in cost of two models."""
    a, b = asked.models
    names = _legend(a.name), _legend(b.name)
    numbers = difference_numbers(
        asked.cases,
        names,
        thresholds=(a.thresholds, b.thresholds),
        confidence_level=asked.question.confidence_level,
        band="simultaneous",
    )
    PairedCostDifferenceDisplay(**numbers, name_a=names[0], name_b=names[1]).plot(ax, despine=True)


def _comparisons(report: Report) -> Iterator[Panel]:
    """Several models, or subgroups, in order: by AUC, and by cost at the operating condition."""
    place = report.asked.condition.probability_cost if report.asked.of_costs else 0.0
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
    """A name that fits; the displays write it as it is."""
    return short(name, NAME)
