"""Exact bootstrap confidence for cost curves, ROC curves, the AUC and expected costs: no resampling, no seed."""

from skcostci import _loading as _loading  # before all imports that take time
from skcostci import results as results  # first, to resolve circular imports
from skcostci.cases._aggregated import AggregatedScores
from skcostci.compare._contrasts import independent_difference
from skcostci.compare._imputations import pool_imputations
from skcostci.displays import (
    CalibrationConfidenceDisplay,
    CostCurveDisplay,
    DecisionCurveDisplay,
    MetricThresholdDisplay,
    ModelComparisonDisplay,
    PairedCostDifferenceDisplay,
    PrecisionRecallConfidenceDisplay,
    ROCConfidenceDisplay,
)
from skcostci.frames import aggregate_scores
from skcostci.geometry import cost_line as cost_line  # functions of duality are rarely used, and imported from there
from skcostci.geometry import cost_point as cost_point
from skcostci.geometry import probability_cost
from skcostci.geometry import roc_line as roc_line
from skcostci.geometry import roc_point as roc_point
from skcostci.geometry._roc_averages import average_roc_curves
from skcostci.geometry.cost_curve import CostCurve
from skcostci.intervals._method import ConfidenceInterval
from skcostci.losses import (
    expected_cost_loss,
    make_expected_cost_scorer,
    make_normalized_cost_scorer,
    make_total_expected_cost_scorer,
    normalized_cost_loss,
    total_expected_cost_loss,
)
from skcostci.metric import Metric
from skcostci.planning._plan_auc import plan_auc, plan_auc_difference
from skcostci.planning._rate import plan_rate
from skcostci.reports._report import report
from skcostci.results._estimand import DegenerateLawWarning
from skcostci.scorers import make_bound_scorer, make_metric_scorer
from skcostci.statistics._agreement import bootstrap_agreement
from skcostci.statistics._auc_functions import auc_from_error_count, bootstrap_auc, bootstrap_auc_difference
from skcostci.statistics._average_precision import (
    bootstrap_average_precision,
    bootstrap_average_precision_difference,
)
from skcostci.statistics._calibration import bootstrap_calibration
from skcostci.statistics._compare import compare_groups, compare_models
from skcostci.statistics._concordance import bootstrap_concordance, bootstrap_concordance_difference
from skcostci.statistics._cost import bootstrap_cost, bootstrap_cost_difference
from skcostci.statistics._expected_cost import bootstrap_expected_cost, bootstrap_expected_cost_difference
from skcostci.statistics._loss import bootstrap_loss, bootstrap_loss_difference
from skcostci.statistics._mean import bootstrap_mean, bootstrap_mean_difference, bootstrap_ratio
from skcostci.statistics._metric_functions import bootstrap_metric, bootstrap_metric_difference
from skcostci.statistics._ratio_difference import bootstrap_ratio_difference
from skcostci.statistics._roc_rate_functions import (
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_positive_rate,
    bootstrap_roc_at_tpr,
    bootstrap_roc_difference_at_fpr,
    bootstrap_roc_difference_at_tpr,
)
from skcostci.statistics._roc_threshold import bootstrap_roc_at_threshold, bootstrap_roc_difference_at_threshold
from skcostci.thresholds import (
    cost_minimizing_thresholds,
    neyman_pearson_threshold,
    probability_thresholds,
    sensitivity_threshold,
    workforce_threshold,
)

__version__ = "0.2.0"

__all__ = [
    "AggregatedScores",
    "CalibrationConfidenceDisplay",
    "ConfidenceInterval",
    "CostCurve",
    "CostCurveDisplay",
    "DecisionCurveDisplay",
    "DegenerateLawWarning",
    "Metric",
    "MetricThresholdDisplay",
    "ModelComparisonDisplay",
    "PairedCostDifferenceDisplay",
    "PrecisionRecallConfidenceDisplay",
    "ROCConfidenceDisplay",
    "aggregate_scores",
    "auc_from_error_count",
    "average_roc_curves",
    "bootstrap_agreement",
    "bootstrap_auc",
    "bootstrap_auc_difference",
    "bootstrap_average_precision",
    "bootstrap_average_precision_difference",
    "bootstrap_calibration",
    "bootstrap_concordance",
    "bootstrap_concordance_difference",
    "bootstrap_cost",
    "bootstrap_cost_difference",
    "bootstrap_expected_cost",
    "bootstrap_expected_cost_difference",
    "bootstrap_loss",
    "bootstrap_loss_difference",
    "bootstrap_mean",
    "bootstrap_mean_difference",
    "bootstrap_metric",
    "bootstrap_metric_difference",
    "bootstrap_ratio",
    "bootstrap_ratio_difference",
    "bootstrap_roc_at_fpr",
    "bootstrap_roc_at_positive_rate",
    "bootstrap_roc_at_threshold",
    "bootstrap_roc_at_tpr",
    "bootstrap_roc_difference_at_fpr",
    "bootstrap_roc_difference_at_threshold",
    "bootstrap_roc_difference_at_tpr",
    "compare_groups",
    "compare_models",
    "cost_minimizing_thresholds",
    "expected_cost_loss",
    "independent_difference",
    "make_bound_scorer",
    "make_expected_cost_scorer",
    "make_metric_scorer",
    "make_normalized_cost_scorer",
    "make_total_expected_cost_scorer",
    "neyman_pearson_threshold",
    "normalized_cost_loss",
    "plan_auc",
    "plan_auc_difference",
    "plan_rate",
    "pool_imputations",
    "probability_cost",
    "probability_thresholds",
    "report",
    "sensitivity_threshold",
    "total_expected_cost_loss",
    "workforce_threshold",
]


def __dir__() -> list[str]:
    """The public names, without private modules."""
    return sorted([*__all__, "__version__", "results"])
