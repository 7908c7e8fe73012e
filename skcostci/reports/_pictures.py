"""The pictures of a report: curves of models, where which is cheaper, and the models in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from skcostci._options import Averaging, PointwiseBand
from skcostci.displays._comparison_plot import ModelComparisonDisplay
from skcostci.displays._constructors import Fields
from skcostci.displays._cost_curve import CostCurveDisplay, cost_numbers
from skcostci.displays._paired_cost import PairedCostDifferenceDisplay, difference_numbers
from skcostci.displays._roc import ROCConfidenceDisplay, roc_numbers
from skcostci.reports._blocks import Picture, drawn
from skcostci.reports._classes import ClassCases
from skcostci.reports._inquiry import Inquiry, Row, distinct

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcostci.reports._report import Report

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
