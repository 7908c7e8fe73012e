"""Exact bootstrap confidence for cost curves, ROC curves, the AUC and expected costs: no resampling, no seed."""

from skcostci.cases._aggregated import AggregatedScores
from skcostci.compare import independent_difference
from skcostci.compare._comparison import JointTest, ModelComparison
from skcostci.compare._contrasts import CombinedResult
from skcostci.compare._differences import ModelDifferences
from skcostci.displays import (
    CalibrationConfidenceDisplay,
    CostCurveDisplay,
    DecisionCurveDifferenceDisplay,
    DecisionCurveDisplay,
    MetricThresholdDisplay,
    ModelComparisonDisplay,
    PairedCostDifferenceDisplay,
    PrecisionRecallConfidenceDisplay,
    ROCConfidenceDisplay,
)
from skcostci.frames import aggregate_scores
from skcostci.geometry.cost_curve import CostCurve
from skcostci.geometry.duality import CostLine, cost_line, cost_point, probability_cost, roc_line, roc_point
from skcostci.intervals._method import ConfidenceInterval
from skcostci.losses import expected_cost_loss, normalized_cost_loss, total_expected_cost_loss
from skcostci.metric import Metric
from skcostci.planning._auc import plan_auc, plan_auc_difference
from skcostci.planning._plan import Plan
from skcostci.planning._rate import plan_rate
from skcostci.results._bands import ConfidenceRegion
from skcostci.results._differences import Equivalence
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult, DegenerateLawWarning
from skcostci.scorers import (
    make_bound_scorer,
    make_expected_cost_scorer,
    make_metric_scorer,
    make_normalized_cost_scorer,
    make_total_expected_cost_scorer,
)
from skcostci.statistics._auc import AUCResult, bootstrap_auc
from skcostci.statistics._auc_difference import AUCDifferenceResult, bootstrap_auc_difference
from skcostci.statistics._auc_multiclass import MulticlassAUCDifferenceResult, MulticlassAUCResult
from skcostci.statistics._average_precision import (
    AveragePrecisionDifferenceResult,
    AveragePrecisionResult,
    bootstrap_average_precision,
    bootstrap_average_precision_difference,
)
from skcostci.statistics._calibration import CalibrationBins, CalibrationResult, bootstrap_calibration
from skcostci.statistics._compare import compare_groups, compare_models
from skcostci.statistics._cost import (
    CostDifferenceResult,
    CostResult,
    GroupedCostDifferenceResult,
    GroupedCostResult,
    SignificantConditions,
    bootstrap_cost,
    bootstrap_cost_difference,
)
from skcostci.statistics._error_count import ErrorCountResult, auc_from_error_count
from skcostci.statistics._expected_cost import (
    ExpectedCostDifferenceResult,
    ExpectedCostResult,
    bootstrap_expected_cost,
    bootstrap_expected_cost_difference,
)
from skcostci.statistics._folded import FoldedCostResult, FoldedMetricResult
from skcostci.statistics._folded_auc import FoldedAUCDifferenceResult, FoldedAUCResult
from skcostci.statistics._grouped_auc import GroupedAUCDifferenceResult, GroupedAUCResult
from skcostci.statistics._loss import bootstrap_loss, bootstrap_loss_difference
from skcostci.statistics._mean import (
    MeanDifferenceResult,
    MeanResult,
    bootstrap_mean,
    bootstrap_mean_difference,
)
from skcostci.statistics._mean_ratio import RatioResult, bootstrap_ratio
from skcostci.statistics._metric import (
    GroupedMetricResult,
    LinearMetricDifferenceResult,
    MetricDifferenceResult,
    MetricResult,
    bootstrap_metric,
    bootstrap_metric_difference,
)
from skcostci.statistics._partial_auc import PartialAUCDifferenceResult, PartialAUCResult
from skcostci.statistics._roc_fpr import (
    ROCAtFPRResult,
    ROCDifferenceAtFPRResult,
    bootstrap_roc_at_fpr,
    bootstrap_roc_difference_at_fpr,
)
from skcostci.statistics._roc_positive_rate import BudgetRateResult, BudgetROCResult, bootstrap_roc_at_positive_rate
from skcostci.statistics._roc_threshold import (
    Dominance,
    GroupedROCDifferenceResult,
    RateDifferenceResult,
    RateResult,
    ThresholdROCDifferenceResult,
    ThresholdROCResult,
    bootstrap_roc_at_threshold,
    bootstrap_roc_difference_at_threshold,
)
from skcostci.thresholds import (
    cost_minimizing_thresholds,
    neyman_pearson_threshold,
    probability_thresholds,
    workforce_threshold,
)

__version__ = "0.1.0"

__all__ = [
    "AUCDifferenceResult",
    "AUCResult",
    "AggregatedScores",
    "AveragePrecisionDifferenceResult",
    "AveragePrecisionResult",
    "BootstrapResult",
    "BudgetROCResult",
    "BudgetRateResult",
    "CalibrationBins",
    "CalibrationConfidenceDisplay",
    "CalibrationResult",
    "CombinedResult",
    "ConfidenceInterval",
    "ConfidenceRegion",
    "CostCurve",
    "CostCurveDisplay",
    "CostDifferenceResult",
    "CostLine",
    "CostResult",
    "DecisionCurveDifferenceDisplay",
    "DecisionCurveDisplay",
    "DegenerateLawWarning",
    "Dominance",
    "Equivalence",
    "ErrorCountResult",
    "Estimand",
    "ExpectedCostDifferenceResult",
    "ExpectedCostResult",
    "FoldedAUCDifferenceResult",
    "FoldedAUCResult",
    "FoldedCostResult",
    "FoldedMetricResult",
    "GroupedAUCDifferenceResult",
    "GroupedAUCResult",
    "GroupedCostDifferenceResult",
    "GroupedCostResult",
    "GroupedMetricResult",
    "GroupedROCDifferenceResult",
    "JointTest",
    "LinearMetricDifferenceResult",
    "MeanDifferenceResult",
    "MeanResult",
    "Metric",
    "MetricDifferenceResult",
    "MetricResult",
    "MetricThresholdDisplay",
    "ModelComparison",
    "ModelComparisonDisplay",
    "ModelDifferences",
    "MulticlassAUCDifferenceResult",
    "MulticlassAUCResult",
    "PairedCostDifferenceDisplay",
    "PartialAUCDifferenceResult",
    "PartialAUCResult",
    "Plan",
    "PrecisionRecallConfidenceDisplay",
    "ROCAtFPRResult",
    "ROCConfidenceDisplay",
    "ROCDifferenceAtFPRResult",
    "RateDifferenceResult",
    "RateResult",
    "RatioResult",
    "SignificantConditions",
    "ThresholdROCDifferenceResult",
    "ThresholdROCResult",
    "aggregate_scores",
    "auc_from_error_count",
    "bootstrap_auc",
    "bootstrap_auc_difference",
    "bootstrap_average_precision",
    "bootstrap_average_precision_difference",
    "bootstrap_calibration",
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
    "bootstrap_roc_at_fpr",
    "bootstrap_roc_at_positive_rate",
    "bootstrap_roc_at_threshold",
    "bootstrap_roc_difference_at_fpr",
    "bootstrap_roc_difference_at_threshold",
    "compare_groups",
    "compare_models",
    "cost_line",
    "cost_minimizing_thresholds",
    "cost_point",
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
    "probability_cost",
    "probability_thresholds",
    "roc_line",
    "roc_point",
    "total_expected_cost_loss",
    "workforce_threshold",
]
