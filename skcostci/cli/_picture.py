"""A report as one picture: ROC curves, cost curves and, of two models, the difference in cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcostci.cli._report import Cases, Model
from skcostci.cli._text import short
from skcostci.displays import CostCurveDisplay, PairedCostDifferenceDisplay, ROCConfidenceDisplay

FORMATS = (".png", ".pdf", ".svg")
NAME = 32  # of a legend


def draw_report(path: str, cases: Cases, models: Sequence[Model], confidence_level: float) -> None:
    """Draw and save; the format follows from the name."""
    from matplotlib.figure import Figure

    panels = 1 + len(models)
    figure = Figure(figsize=(5.2 * panels, 5), layout="constrained")
    y_true = np.where(cases.positive, *reversed(cases.labels))
    shared: dict[str, Any] = {
        "pos_label": cases.labels[1],
        "sample_weight": cases.sample_weight,
        "confidence_level": confidence_level,
        "despine": True,
    }
    roc, cost, *paired = figure.subplots(1, panels)
    for model in models:
        given = {"name": _legend(model.name), **shared}
        chance = model is models[-1]
        ROCConfidenceDisplay.from_predictions(y_true, model.y_score, ax=roc, plot_chance_level=chance, **given)
        CostCurveDisplay.from_predictions(y_true, model.y_score, thresholds=model.thresholds, ax=cost, **given)
    for ax in paired:
        a, b = models
        names: dict[str, Any] = {"name_a": _legend(a.name), "name_b": _legend(b.name)}
        PairedCostDifferenceDisplay.from_predictions(
            y_true, a.y_score, b.y_score, thresholds=(a.thresholds, b.thresholds), ax=ax, **names, **shared
        )
    figure.savefig(path, dpi=150)


def _legend(name: str) -> str:
    """A name as it is: matplotlib hides labels that begin with "_" and takes what is between "$" for mathematics."""
    text = short(name, NAME).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
