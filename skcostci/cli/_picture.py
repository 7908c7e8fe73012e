"""A report as one picture: ROC curves, cost curves and, of two models, the difference in cost."""

from __future__ import annotations

from functools import partial
from typing import Any

from skcostci.cli._inquiry import Inquiry
from skcostci.cli._layout import short
from skcostci.displays import CostCurveDisplay, PairedCostDifferenceDisplay, ROCConfidenceDisplay
from skcostci.displays._display import draw_cases

FORMATS = (".png", ".pdf", ".svg")
NAME = 32  # of a legend


def draw_report(path: str, asked: Inquiry) -> None:
    """Draw and save; the format follows from the name."""
    from matplotlib.figure import Figure

    models, panels = asked.models, 1 + len(asked.models)
    figure = Figure(figsize=(5.2 * panels, 5), layout="constrained")
    shared: dict[str, Any] = {"confidence_level": asked.question.confidence_level, "despine": True}
    roc, cost, *paired = figure.subplots(1, panels)
    for model in models:
        drawn = partial(draw_cases, cases=asked.cases, columns=[model.name], names={"name": _legend(model.name)})
        drawn(ROCConfidenceDisplay, ax=roc, plot_chance_level=model is models[-1], **shared)
        drawn(CostCurveDisplay, ax=cost, thresholds=model.thresholds, **shared)
    for ax in paired:
        columns, rules = zip(*((model.name, model.thresholds) for model in models), strict=True)
        names = dict(zip(("name_a", "name_b"), map(_legend, columns), strict=True))
        paired_options = {"thresholds": rules, "band": "simultaneous", **shared}
        draw_cases(PairedCostDifferenceDisplay, asked.cases, columns, names, ax=ax, **paired_options)
    figure.savefig(path, dpi=150)


def _legend(name: str) -> str:
    """A name as it is: matplotlib hides labels that begin with "_" and takes what is between "$" for mathematics."""
    text = short(name, NAME).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
