"""A report as one picture: ROC curves, cost curves and, of two models, the difference in cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from skcostci._report import Cases, Model
from skcostci._report_text import short
from skcostci.displays import CostCurveDisplay, PairedCostDifferenceDisplay, ROCConfidenceDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = (".png", ".pdf", ".svg")
NAME = 32  # of a legend


def draw_report(path: str, cases: Cases, models: Sequence[Model], confidence_level: float) -> None:
    """Draw and save; the format follows from the name."""
    from matplotlib.figure import Figure

    panels = 1 + len(models)
    figure = Figure(figsize=(5.2 * panels, 5), layout="constrained")
    roc, cost, *rest = figure.subplots(1, panels)
    shared: dict[str, Any] = {
        "sample_weight": cases.sample_weight,
        "confidence_level": confidence_level,
        "despine": True,
    }
    for model in models:
        given: dict[str, Any] = {"name": _legend(model.name), **shared}
        ROCConfidenceDisplay.from_predictions(
            cases.y_true, model.y_score, ax=roc, plot_chance_level=model is models[0], **given
        )
        CostCurveDisplay.from_predictions(cases.y_true, model.y_score, thresholds=model.thresholds, ax=cost, **given)
    for ax in rest:
        _draw_difference(ax, cases, *models, **shared)
    figure.savefig(path, dpi=150)


def _draw_difference(ax: Axes, cases: Cases, a: Model, b: Model, **shared: Any) -> None:
    """The last panel."""
    PairedCostDifferenceDisplay.from_predictions(
        cases.y_true,
        a.y_score,
        b.y_score,
        thresholds=(a.thresholds, b.thresholds),
        name_a=_legend(a.name),
        name_b=_legend(b.name),
        ax=ax,
        **shared,
    )


def _legend(name: str) -> str:
    """A name as it is: matplotlib hides labels that begin with "_" and takes what is between "$" for mathematics."""
    text = short(name, NAME).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
