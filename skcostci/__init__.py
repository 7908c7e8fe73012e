"""Exact bootstrap confidence for cost curves, ROC curves, the AUC and expected costs: no resampling, no seed."""

from importlib import import_module
from typing import TYPE_CHECKING

from skcostci import results as results

if TYPE_CHECKING:
    from skcostci.cases._aggregated import AggregatedScores as AggregatedScores
    from skcostci.compare._contrasts import independent_difference as independent_difference
    from skcostci.compare._contrasts import pool_imputations as pool_imputations
    from skcostci.displays._calibration_curve import CalibrationConfidenceDisplay as CalibrationConfidenceDisplay
    from skcostci.displays._comparison_plot import ModelComparisonDisplay as ModelComparisonDisplay
    from skcostci.displays._cost_curve import CostCurveDisplay as CostCurveDisplay
    from skcostci.displays._decision_curve import DecisionCurveDisplay as DecisionCurveDisplay
    from skcostci.displays._metric_threshold import MetricThresholdDisplay as MetricThresholdDisplay
    from skcostci.displays._paired_cost import PairedCostDifferenceDisplay as PairedCostDifferenceDisplay
    from skcostci.displays._precision_recall import PrecisionRecallConfidenceDisplay as PrecisionRecallConfidenceDisplay
    from skcostci.displays._roc import ROCConfidenceDisplay as ROCConfidenceDisplay
    from skcostci.frames import aggregate_scores as aggregate_scores
    from skcostci.geometry import cost_line as cost_line
    from skcostci.geometry import cost_point as cost_point
    from skcostci.geometry import probability_cost as probability_cost
    from skcostci.geometry import roc_line as roc_line
    from skcostci.geometry import roc_point as roc_point
    from skcostci.geometry.cost_curve import CostCurve as CostCurve
    from skcostci.geometry.cost_curve import average_roc_curves as average_roc_curves
    from skcostci.intervals._method import ConfidenceInterval as ConfidenceInterval
    from skcostci.losses import expected_cost_loss as expected_cost_loss
    from skcostci.losses import make_expected_cost_scorer as make_expected_cost_scorer
    from skcostci.losses import make_normalized_cost_scorer as make_normalized_cost_scorer
    from skcostci.losses import make_total_expected_cost_scorer as make_total_expected_cost_scorer
    from skcostci.losses import normalized_cost_loss as normalized_cost_loss
    from skcostci.losses import total_expected_cost_loss as total_expected_cost_loss
    from skcostci.metric import Metric as Metric
    from skcostci.planning import plan_auc as plan_auc
    from skcostci.planning import plan_auc_difference as plan_auc_difference
    from skcostci.planning import plan_rate as plan_rate
    from skcostci.planning import plan_rate_difference as plan_rate_difference
    from skcostci.reports._report import report as report
    from skcostci.results._estimand import DegenerateLawWarning as DegenerateLawWarning
    from skcostci.scorers import make_bound_scorer as make_bound_scorer
    from skcostci.scorers import make_metric_scorer as make_metric_scorer
    from skcostci.statistics._agreement import bootstrap_agreement as bootstrap_agreement
    from skcostci.statistics._auc import auc_from_error_count as auc_from_error_count
    from skcostci.statistics._auc import bootstrap_auc as bootstrap_auc
    from skcostci.statistics._auc import bootstrap_auc_difference as bootstrap_auc_difference
    from skcostci.statistics._calibration import bootstrap_calibration as bootstrap_calibration
    from skcostci.statistics._censored import bootstrap_concordance as bootstrap_concordance
    from skcostci.statistics._censored import bootstrap_concordance_difference as bootstrap_concordance_difference
    from skcostci.statistics._compare import compare_groups as compare_groups
    from skcostci.statistics._compare import compare_models as compare_models
    from skcostci.statistics._cost import bootstrap_cost as bootstrap_cost
    from skcostci.statistics._cost import bootstrap_cost_difference as bootstrap_cost_difference
    from skcostci.statistics._curve_areas import bootstrap_average_precision as bootstrap_average_precision
    from skcostci.statistics._curve_areas import (
        bootstrap_average_precision_difference as bootstrap_average_precision_difference,
    )
    from skcostci.statistics._expected_cost import bootstrap_expected_cost as bootstrap_expected_cost
    from skcostci.statistics._expected_cost import (
        bootstrap_expected_cost_difference as bootstrap_expected_cost_difference,
    )
    from skcostci.statistics._loss import bootstrap_loss as bootstrap_loss
    from skcostci.statistics._loss import bootstrap_loss_difference as bootstrap_loss_difference
    from skcostci.statistics._mean import bootstrap_mean as bootstrap_mean
    from skcostci.statistics._mean import bootstrap_mean_difference as bootstrap_mean_difference
    from skcostci.statistics._mean import bootstrap_ratio as bootstrap_ratio
    from skcostci.statistics._mean import bootstrap_ratio_difference as bootstrap_ratio_difference
    from skcostci.statistics._metric_functions import bootstrap_metric as bootstrap_metric
    from skcostci.statistics._metric_functions import bootstrap_metric_difference as bootstrap_metric_difference
    from skcostci.statistics._roc_rates import bootstrap_roc_at_fpr as bootstrap_roc_at_fpr
    from skcostci.statistics._roc_rates import bootstrap_roc_at_positive_rate as bootstrap_roc_at_positive_rate
    from skcostci.statistics._roc_rates import bootstrap_roc_at_tpr as bootstrap_roc_at_tpr
    from skcostci.statistics._roc_rates import bootstrap_roc_difference_at_fpr as bootstrap_roc_difference_at_fpr
    from skcostci.statistics._roc_rates import bootstrap_roc_difference_at_tpr as bootstrap_roc_difference_at_tpr
    from skcostci.statistics._roc_threshold import bootstrap_roc_at_threshold as bootstrap_roc_at_threshold
    from skcostci.statistics._roc_threshold import (
        bootstrap_roc_difference_at_threshold as bootstrap_roc_difference_at_threshold,
    )
    from skcostci.thresholds import cost_minimizing_thresholds as cost_minimizing_thresholds
    from skcostci.thresholds import neyman_pearson_threshold as neyman_pearson_threshold
    from skcostci.thresholds import probability_thresholds as probability_thresholds
    from skcostci.thresholds import sensitivity_threshold as sensitivity_threshold
    from skcostci.thresholds import workforce_threshold as workforce_threshold

HOMES = {  # the public names by the module that defines them
    "cases._aggregated": "AggregatedScores",
    "compare._contrasts": "independent_difference pool_imputations",
    "displays._calibration_curve": "CalibrationConfidenceDisplay",
    "displays._comparison_plot": "ModelComparisonDisplay",
    "displays._cost_curve": "CostCurveDisplay",
    "displays._decision_curve": "DecisionCurveDisplay",
    "displays._metric_threshold": "MetricThresholdDisplay",
    "displays._paired_cost": "PairedCostDifferenceDisplay",
    "displays._precision_recall": "PrecisionRecallConfidenceDisplay",
    "displays._roc": "ROCConfidenceDisplay",
    "frames": "aggregate_scores",
    "geometry": "cost_line cost_point probability_cost roc_line roc_point",
    "geometry.cost_curve": "CostCurve average_roc_curves",
    "intervals._method": "ConfidenceInterval",
    "losses": "expected_cost_loss make_expected_cost_scorer make_normalized_cost_scorer "
    "make_total_expected_cost_scorer normalized_cost_loss total_expected_cost_loss",
    "metric": "Metric",
    "planning": "plan_auc plan_auc_difference plan_rate plan_rate_difference",
    "reports._report": "report",
    "results._estimand": "DegenerateLawWarning",
    "scorers": "make_bound_scorer make_metric_scorer",
    "statistics._agreement": "bootstrap_agreement",
    "statistics._auc": "auc_from_error_count bootstrap_auc bootstrap_auc_difference",
    "statistics._calibration": "bootstrap_calibration",
    "statistics._compare": "compare_groups compare_models",
    "statistics._censored": "bootstrap_concordance bootstrap_concordance_difference",
    "statistics._cost": "bootstrap_cost bootstrap_cost_difference",
    "statistics._curve_areas": "bootstrap_average_precision bootstrap_average_precision_difference",
    "statistics._expected_cost": "bootstrap_expected_cost bootstrap_expected_cost_difference",
    "statistics._loss": "bootstrap_loss bootstrap_loss_difference",
    "statistics._mean": "bootstrap_mean bootstrap_mean_difference bootstrap_ratio bootstrap_ratio_difference",
    "statistics._metric_functions": "bootstrap_metric bootstrap_metric_difference",
    "statistics._roc_rates": "bootstrap_roc_at_fpr bootstrap_roc_at_positive_rate bootstrap_roc_at_tpr "
    "bootstrap_roc_difference_at_fpr bootstrap_roc_difference_at_tpr",
    "statistics._roc_threshold": "bootstrap_roc_at_threshold bootstrap_roc_difference_at_threshold",
    "thresholds": "cost_minimizing_thresholds neyman_pearson_threshold probability_thresholds sensitivity_threshold "
    "workforce_threshold",
}
HOME_OF = {name: home for home, names in HOMES.items() for name in names.split()}
DUALITY = ("cost_line", "cost_point", "roc_line", "roc_point")  # rarely used
__version__ = "0.2.0"
__all__ = sorted(set(HOME_OF) - set(DUALITY))


def __getattr__(name: str) -> object:
    """A public name, imported when it is first used (PEP 562): importing the package costs nothing by itself."""
    if name not in HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(f"skcostci.{HOME_OF[name]}"), name)
    return found


def __dir__() -> list[str]:
    """The public names, without private modules."""
    return sorted([*__all__, "__version__", "results"])
