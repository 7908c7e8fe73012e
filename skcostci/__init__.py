"""Exact bootstrap confidence for cost curves, ROC curves, the AUC and expected costs: no resampling, no seed."""

from skcostci._intervals import ConfidenceInterval
from skcostci._results import DegenerateLawWarning
from skcostci.statistics._auc import bootstrap_auc
from skcostci.statistics._auc_difference import bootstrap_auc_difference
from skcostci.statistics._cost import bootstrap_cost, bootstrap_cost_difference
from skcostci.statistics._error_count import auc_from_error_count
from skcostci.thresholds import (
    cost_minimizing_thresholds,
    neyman_pearson_threshold,
    probability_thresholds,
    workforce_threshold,
)

__version__ = "0.1.0"

__all__ = [
    "ConfidenceInterval",
    "DegenerateLawWarning",
    "auc_from_error_count",
    "bootstrap_auc",
    "bootstrap_auc_difference",
    "bootstrap_cost",
    "bootstrap_cost_difference",
    "cost_minimizing_thresholds",
    "neyman_pearson_threshold",
    "probability_thresholds",
    "workforce_threshold",
]
