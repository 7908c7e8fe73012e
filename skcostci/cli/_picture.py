"""A report as one picture: ROC curves, cost curves, and how two models, or several, compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from skcostci.cli._inquiry import Inquiry
from skcostci.cli._layout import short
from skcostci.cli._report import Report
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
NAME = 32  # of a legend
MOST_BANDS = 3  # more hide each other
NO_BAND = {"visible": False, "label": "_"}


def draw_report(path: str, report: Report) -> None:
    """Draw and save; the format follows from the name."""
    from matplotlib.figure import Figure

    panels = 2 + bool(report.pairs)
    figure = Figure(figsize=(5.2 * panels, 5), layout="constrained")
    roc, cost, *rest = _panels(figure, panels, halved=report.cheaper is None)
    _draw_curves(report.asked, roc, cost)
    if report.cheaper is not None:
        _draw_difference(report.asked, rest[0])
    elif report.pairs:
        _draw_comparisons(report, rest)
    figure.savefig(path, dpi=150)


def _panels(figure: Figure, panels: int, *, halved: bool) -> list[Axes]:
    """Axes side by side, of a third place perhaps two, one above the other."""
    grid = figure.add_gridspec(1, panels)
    places = [grid[i] for i in range(panels)]
    if halved and panels > 2:
        below = places.pop().subgridspec(2, 1)
        places += [below[0], below[1]]
    return [figure.add_subplot(place) for place in places]


def _draw_curves(asked: Inquiry, roc: Axes, cost: Axes) -> None:
    """The ROC curve and the cost curve of each row."""
    shared: dict[str, Any] = {"confidence_level": asked.question.confidence_level, "despine": True}
    if len(asked.rows) > MOST_BANDS:
        shared["fill_between_kwargs"] = NO_BAND
    for row in asked.rows:
        drawn = partial(draw_cases, cases=row.cases, columns=[row.model.name], names={"name": _legend(row.name)})
        drawn(ROCConfidenceDisplay, ax=roc, plot_chance_level=row is asked.rows[-1], **shared)
        drawn(CostCurveDisplay, ax=cost, thresholds=row.model.thresholds, **shared)


def _draw_difference(asked: Inquiry, ax: Axes) -> None:
    """The difference in cost of two models."""
    columns, rules = zip(*((model.name, model.thresholds) for model in asked.models), strict=True)
    names = dict(zip(("name_a", "name_b"), map(_legend, columns), strict=True))
    options = {"thresholds": rules, "band": "simultaneous", "despine": True}
    level = asked.question.confidence_level
    draw_cases(PairedCostDifferenceDisplay, asked.cases, columns, names, ax=ax, confidence_level=level, **options)


def _draw_comparisons(report: Report, axes: Sequence[Axes]) -> None:
    """Several models, or subgroups, in order: by AUC, and by cost at the operating condition."""
    level, place = report.asked.question.confidence_level, report.asked.condition.probability_cost
    compared = {section.statistic.name: section.comparison for section in report.sections}
    for (name, title), ax in zip({"auc": "AUC", "cost": f"Cost at PC(+) = {place:.3f}"}.items(), axes, strict=True):
        comparison = compared[name]
        if comparison is not None:
            named = replace(comparison, models=_legends(comparison.models), title=title)
            ModelComparisonDisplay.from_comparison(named, confidence_level=level, ax=ax)
            ax.set_xlabel(ax.get_xlabel(), loc="right", fontsize="small")


def _legends(names: Sequence[str]) -> tuple[str, ...]:
    """Names as in legends, or as they are where they would not differ there."""
    legends = tuple(map(_legend, names))
    return legends if len(set(legends)) == len(names) else tuple(names)


def _legend(name: str) -> str:
    """A name as it is: matplotlib hides labels that begin with "_" and takes what is between "$" for mathematics."""
    text = short(name, NAME).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
