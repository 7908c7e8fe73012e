"""The result classes, for annotations and ``isinstance``; functions return them, and users construct none.

A result is an estimate with its distribution; it has intervals and p-values, and can be printed and tabulated. There is
one class per quantity; whether cases, groups or folds are resampled is a field.
"""

from skcostci.compare._comparison import JointTest, ModelComparison
from skcostci.compare._contrasts import CombinedResult
from skcostci.compare._differences import ModelDifferences
from skcostci.compare._imputations import PooledDifferenceResult, PooledResult
from skcostci.compare._ratios import ModelGap, ModelRatios
from skcostci.geometry import CostLine
from skcostci.planning import Plan
from skcostci.reports._report import Report
from skcostci.results._banded import BandedResult, ConfidenceRegion
from skcostci.results._estimand import Estimand
from skcostci.results._paired_results import Equivalence
from skcostci.results._results import BootstrapResult, VarianceParts
from skcostci.statistics._agreement import AgreementResult
from skcostci.statistics._auc import AUCDifferenceResult, AUCResult, ErrorCountResult
from skcostci.statistics._calibration import CalibrationBins, CalibrationResult, Miscalibration
from skcostci.statistics._concordance import ConcordanceDifferenceResult, ConcordanceResult
from skcostci.statistics._cost import (
    CostDifferenceResult,
    CostResult,
    SignificantConditions,
)
from skcostci.statistics._curve_areas import (
    AveragePrecisionDifferenceResult,
    AveragePrecisionResult,
    PartialAUCDifferenceResult,
    PartialAUCResult,
)
from skcostci.statistics._equal_error import EqualErrorResult
from skcostci.statistics._expected_cost import ExpectedCostDifferenceResult, ExpectedCostResult
from skcostci.statistics._mean import MeanDifferenceResult, MeanResult, RatioResult
from skcostci.statistics._metric import MetricDifferenceResult, MetricResult
from skcostci.statistics._other_scales import GiniDifferenceResult, ScaledResult
from skcostci.statistics._ratio_difference import RatioDifferenceResult
from skcostci.statistics._recalibration import CalibrationSlopeResult, RecalibrationResult
from skcostci.statistics._roc_rates import (
    BudgetDifferenceResult,
    BudgetRateResult,
    BudgetROCResult,
    RateAtTPRResult,
    RateDifferenceAtTPRResult,
    ROCAtFPRResult,
    ROCAtTPRResult,
    ROCDifferenceAtFPRResult,
    ROCDifferenceAtTPRResult,
)
from skcostci.statistics._roc_threshold import (
    Dominance,
    RateDifferenceResult,
    RateResult,
    ThresholdROCDifferenceResult,
    ThresholdROCResult,
)

__all__ = [
    "AUCDifferenceResult",
    "AUCResult",
    "AgreementResult",
    "AveragePrecisionDifferenceResult",
    "AveragePrecisionResult",
    "BandedResult",
    "BootstrapResult",
    "BudgetDifferenceResult",
    "BudgetROCResult",
    "BudgetRateResult",
    "CalibrationBins",
    "CalibrationResult",
    "CalibrationSlopeResult",
    "CombinedResult",
    "ConcordanceDifferenceResult",
    "ConcordanceResult",
    "ConfidenceRegion",
    "CostDifferenceResult",
    "CostLine",
    "CostResult",
    "Dominance",
    "EqualErrorResult",
    "Equivalence",
    "ErrorCountResult",
    "Estimand",
    "ExpectedCostDifferenceResult",
    "ExpectedCostResult",
    "GiniDifferenceResult",
    "JointTest",
    "MeanDifferenceResult",
    "MeanResult",
    "MetricDifferenceResult",
    "MetricResult",
    "Miscalibration",
    "ModelComparison",
    "ModelDifferences",
    "ModelGap",
    "ModelRatios",
    "PartialAUCDifferenceResult",
    "PartialAUCResult",
    "Plan",
    "PooledDifferenceResult",
    "PooledResult",
    "ROCAtFPRResult",
    "ROCAtTPRResult",
    "ROCDifferenceAtFPRResult",
    "ROCDifferenceAtTPRResult",
    "RateAtTPRResult",
    "RateDifferenceAtTPRResult",
    "RateDifferenceResult",
    "RateResult",
    "RatioDifferenceResult",
    "RatioResult",
    "RecalibrationResult",
    "Report",
    "ScaledResult",
    "SignificantConditions",
    "ThresholdROCDifferenceResult",
    "ThresholdROCResult",
    "VarianceParts",
]


def __dir__() -> list[str]:
    """The public names, without the files that define them."""
    return list(__all__)
