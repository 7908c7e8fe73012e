"""Exact bootstrap confidence for cost curves, ROC curves, the AUC and expected costs: no resampling, no seed."""

from skcostci._intervals import ConfidenceInterval
from skcostci._results import DegenerateLawWarning
from skcostci.statistics._auc import bootstrap_auc
from skcostci.statistics._cost import bootstrap_cost, bootstrap_cost_difference
from skcostci.statistics._roc_fpr import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr
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
    "bootstrap_auc",
    "bootstrap_cost",
    "bootstrap_cost_difference",
    "bootstrap_roc_at_fpr",
    "bootstrap_roc_difference_at_fpr",
    "cost_minimizing_thresholds",
    "neyman_pearson_threshold",
    "probability_thresholds",
    "workforce_threshold",
]
