"""Pictures of numbers already computed."""

from skcostci.displays._calibration import CalibrationConfidenceDisplay
from skcostci.displays._comparison import ModelComparisonDisplay
from skcostci.displays._cost_curve import CostCurveDisplay
from skcostci.displays._decision_curve import DecisionCurveDifferenceDisplay, DecisionCurveDisplay
from skcostci.displays._metric_threshold import MetricThresholdDisplay
from skcostci.displays._paired_cost import PairedCostDifferenceDisplay
from skcostci.displays._precision_recall import PrecisionRecallConfidenceDisplay
from skcostci.displays._roc import ROCConfidenceDisplay

__all__ = [
    "CalibrationConfidenceDisplay",
    "CostCurveDisplay",
    "DecisionCurveDifferenceDisplay",
    "DecisionCurveDisplay",
    "MetricThresholdDisplay",
    "ModelComparisonDisplay",
    "PairedCostDifferenceDisplay",
    "PrecisionRecallConfidenceDisplay",
    "ROCConfidenceDisplay",
]
