"""A report on models' scores: a table for the terminal and a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from skcostci._results import BootstrapResult
from skcostci.cost_curve import CostCurve
from skcostci.displays import CostCurveDisplay, PairedCostDifferenceDisplay
from skcostci.statistics._auc import bootstrap_auc
from skcostci.statistics._cost import bootstrap_cost, bootstrap_cost_difference
from skcostci.thresholds import ThresholdRule

CONDITIONS = (0.1, 0.3, 0.5)


@dataclass(frozen=True)
class Model:
    """A model's name, its scores of the cases, and how it chooses its thresholds."""

    name: str
    y_score: ArrayLike
    thresholds: ThresholdRule = "envelope"


def report_lines(y_true: ArrayLike, models: Sequence[Model]) -> list[str]:
    """What there is to say about some models and, if they are two, about their difference, line by line."""
    table = partial(_table, max(len(model.name) for model in models))
    aucs = {model.name: _cells(bootstrap_auc(y_true, model.y_score)) for model in models}
    costs = {
        model.name: _cells(
            bootstrap_cost(y_true, model.y_score, probability_cost=CONDITIONS, thresholds=model.thresholds)
        )
        for model in models
    }
    ranges = {
        model.name: [
            "PC(+) from {:.3f} to {:.3f}".format(*CostCurve.from_predictions(y_true, model.y_score).operating_range())
        ]
        for model in models
    }
    return [
        *table("Area under the ROC curve (95 % interval)", aucs),
        *table("Normalized expected cost (95 % interval)", {"": [f"at PC(+) = {w:g}" for w in CONDITIONS], **costs}),
        *table("Operating range, where the model can beat treating nobody or everybody as positive", ranges),
        *(table(*_comparison(y_true, *models)) if len(models) == 2 else []),
    ]


def _comparison(y_true: ArrayLike, a: Model, b: Model) -> tuple[str, dict[str, list[str]]]:
    """Where which of two models is cheaper."""
    difference = bootstrap_cost_difference(y_true, a.y_score, b.y_score, thresholds=(a.thresholds, b.thresholds))
    rows = {}
    for model, stretches in zip((a, b), difference.significant(), strict=True):
        where = ", ".join(f"{low:.2f} to {high:.2f}" for low, high in stretches)
        rows[model.name] = [f"PC(+) from {where}" if where else "nowhere"]
    return "Significantly cheaper than the other (95 %, each operating condition by itself)", rows


def _cells(result: BootstrapResult) -> list[str]:
    """Each estimate with its interval."""
    columns = np.broadcast_arrays(np.atleast_1d(result.estimate), *map(np.atleast_1d, result.confidence_interval()))
    return [f"{estimate:.3f} ({low:.3f} to {high:.3f})" for estimate, low, high in zip(*columns, strict=True)]


def _table(width: int, title: str, rows: Mapping[str, Sequence[str]]) -> list[str]:
    """A title and a row for each model."""
    return [
        title,
        *(f"  {name:<{width}}{''.join(f'  {cell:<24}' for cell in cells)}".rstrip() for name, cells in rows.items()),
        "",
    ]


def draw_comparison(path: str, y_true: ArrayLike, a: Model, b: Model) -> None:
    """Draw the cost curves of two models beside their difference."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    for model, linestyle in ((a, "-"), (b, "--")):
        CostCurveDisplay.from_predictions(
            y_true,
            model.y_score,
            thresholds=model.thresholds,
            name=model.name,
            ax=left,
            curve_kwargs={"linestyle": linestyle},
            despine=True,
        )
    PairedCostDifferenceDisplay.from_predictions(
        y_true,
        a.y_score,
        b.y_score,
        thresholds=(a.thresholds, b.thresholds),
        name_a=a.name,
        name_b=b.name,
        ax=right,
        despine=True,
    )
    figure.savefig(path, dpi=150)
