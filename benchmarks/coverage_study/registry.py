"""Every statistic and its cells; a new one is entered here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from coverage_study import (
    any_metric,
    auc,
    bands,
    budget,
    counted,
    error_count,
    expected_cost,
    fpr,
    fpr_ties,
    groups,
    losses,
    metrics,
    multiclass,
    threshold,
    tpr,
)
from coverage_study.judging import Cell

QUICK = 15  # runs, at most
STATISTICS: dict[str, Callable[[], Iterable[Cell]]] = {
    "auc": lambda: itertools.chain(counted.auc_cells(), auc.cells()),
    "auc_difference": lambda: itertools.chain(counted.auc_difference_cells(), auc.paired_cells()),
    "auc_from_error_count": error_count.cells,
    "roc_at_threshold": lambda: itertools.chain(counted.rate_cells(), threshold.cells()),
    "roc_difference_at_threshold": lambda: itertools.chain(counted.rate_difference_cells(), threshold.paired_cells()),
    "roc_at_fpr": lambda: itertools.chain(fpr.cells(), fpr_ties.cells()),
    "roc_difference_at_fpr": fpr.paired_cells,
    "roc_at_tpr": tpr.cells,
    "roc_difference_at_tpr": tpr.paired_cells,
    "roc_at_positive_rate": budget.cells,
    "cost": counted.cost_cells,
    "cost_difference": counted.cost_difference_cells,
    "metric": counted.metric_cells,
    "metric_difference": metrics.paired_cells,
    "any_metric": any_metric.cells,
    "expected_cost": lambda: itertools.chain(counted.expected_cost_cells(), expected_cost.cells()),
    "expected_cost_difference": lambda: itertools.chain(
        counted.expected_cost_difference_cells(), expected_cost.paired_cells()
    ),
    "loss": losses.cells,
    "loss_difference": losses.paired_cells,
    "ratio": losses.ratio_cells,
    "groups": groups.cells,
    "multiclass_auc": lambda: multiclass.cells("multiclass_auc"),
    "multiclass_auc_difference": lambda: multiclass.cells("multiclass_auc_difference"),
    "folded_auc": lambda: multiclass.fold_cells("folded_auc"),
    "folded_cost": lambda: multiclass.fold_cells("folded_cost"),
    "roc_band": bands.roc_cells,
    "cost_band": bands.cost_cells,
    "difference_band": bands.difference_cells,
    "chosen_rate": bands.chosen_rate_cells,
    "chosen_cost": bands.chosen_cost_cells,
    "chosen_metric": bands.chosen_metric_cells,
    "least_cost": bands.least_cost_cells,
    "chosen_difference": bands.chosen_difference_cells,
}


def cells(statistics: Iterable[str]) -> list[Cell]:
    return [cell for name in statistics for cell in STATISTICS[name]()]


def quick(every: list[Cell]) -> list[tuple[Cell, int]]:
    """The first cell of each kind, with a twentieth of the runs, not many."""
    first: dict[tuple[str, str, str], Cell] = {}
    for cell in every:
        first.setdefault((cell.statistic, cell.variant, cell.sampling), cell)
    return [(cell, min(cell.runs // 20, QUICK)) for cell in first.values()]
