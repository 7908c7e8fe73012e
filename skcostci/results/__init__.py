"""The result classes, for annotations and ``isinstance``; functions return them, and users construct none.

A result is an estimate with its distribution; it has intervals and p-values, and can be printed and tabulated. There is
one class per quantity; whether cases, groups or folds are resampled is a field.
"""

from typing import TYPE_CHECKING

from skcostci._lazy import importer as _importer

if TYPE_CHECKING:
    from skcostci.compare._comparison import JointTest as JointTest
    from skcostci.compare._comparison import ModelComparison as ModelComparison
    from skcostci.compare._contrasts import CombinedResult as CombinedResult
    from skcostci.compare._differences import ModelDifferences as ModelDifferences
    from skcostci.compare._imputations import PooledDifferenceResult as PooledDifferenceResult
    from skcostci.compare._imputations import PooledResult as PooledResult
    from skcostci.compare._ratios import ModelGap as ModelGap
    from skcostci.compare._ratios import ModelRatios as ModelRatios
    from skcostci.geometry import CostLine as CostLine
    from skcostci.planning import Plan as Plan
    from skcostci.reports._report import Report as Report
    from skcostci.results._banded import BandedResult as BandedResult
    from skcostci.results._banded import ConfidenceRegion as ConfidenceRegion
    from skcostci.results._estimand import Estimand as Estimand
    from skcostci.results._paired_results import Equivalence as Equivalence
    from skcostci.results._results import BootstrapResult as BootstrapResult
    from skcostci.results._results import VarianceParts as VarianceParts
    from skcostci.statistics._agreement import AgreementResult as AgreementResult
    from skcostci.statistics._auc import AUCDifferenceResult as AUCDifferenceResult
    from skcostci.statistics._auc import AUCResult as AUCResult
    from skcostci.statistics._auc import ErrorCountResult as ErrorCountResult
    from skcostci.statistics._calibration import CalibrationBins as CalibrationBins
    from skcostci.statistics._calibration import CalibrationResult as CalibrationResult
    from skcostci.statistics._calibration import Miscalibration as Miscalibration
    from skcostci.statistics._concordance import ConcordanceDifferenceResult as ConcordanceDifferenceResult
    from skcostci.statistics._concordance import ConcordanceResult as ConcordanceResult
    from skcostci.statistics._cost import CostDifferenceResult as CostDifferenceResult
    from skcostci.statistics._cost import CostResult as CostResult
    from skcostci.statistics._cost import SignificantConditions as SignificantConditions
    from skcostci.statistics._curve_areas import AveragePrecisionDifferenceResult as AveragePrecisionDifferenceResult
    from skcostci.statistics._curve_areas import AveragePrecisionResult as AveragePrecisionResult
    from skcostci.statistics._curve_areas import PartialAUCDifferenceResult as PartialAUCDifferenceResult
    from skcostci.statistics._curve_areas import PartialAUCResult as PartialAUCResult
    from skcostci.statistics._equal_error import EqualErrorResult as EqualErrorResult
    from skcostci.statistics._expected_cost import ExpectedCostDifferenceResult as ExpectedCostDifferenceResult
    from skcostci.statistics._expected_cost import ExpectedCostResult as ExpectedCostResult
    from skcostci.statistics._mean import MeanDifferenceResult as MeanDifferenceResult
    from skcostci.statistics._mean import MeanResult as MeanResult
    from skcostci.statistics._mean import RatioResult as RatioResult
    from skcostci.statistics._metric import MetricDifferenceResult as MetricDifferenceResult
    from skcostci.statistics._metric import MetricResult as MetricResult
    from skcostci.statistics._other_scales import GiniDifferenceResult as GiniDifferenceResult
    from skcostci.statistics._other_scales import ScaledResult as ScaledResult
    from skcostci.statistics._ratio_difference import RatioDifferenceResult as RatioDifferenceResult
    from skcostci.statistics._recalibration import CalibrationSlopeResult as CalibrationSlopeResult
    from skcostci.statistics._recalibration import RecalibrationResult as RecalibrationResult
    from skcostci.statistics._roc_rates import BudgetDifferenceResult as BudgetDifferenceResult
    from skcostci.statistics._roc_rates import BudgetRateResult as BudgetRateResult
    from skcostci.statistics._roc_rates import BudgetROCResult as BudgetROCResult
    from skcostci.statistics._roc_rates import RateAtTPRResult as RateAtTPRResult
    from skcostci.statistics._roc_rates import RateDifferenceAtTPRResult as RateDifferenceAtTPRResult
    from skcostci.statistics._roc_rates import ROCAtFPRResult as ROCAtFPRResult
    from skcostci.statistics._roc_rates import ROCAtTPRResult as ROCAtTPRResult
    from skcostci.statistics._roc_rates import ROCDifferenceAtFPRResult as ROCDifferenceAtFPRResult
    from skcostci.statistics._roc_rates import ROCDifferenceAtTPRResult as ROCDifferenceAtTPRResult
    from skcostci.statistics._roc_threshold import Dominance as Dominance
    from skcostci.statistics._roc_threshold import RateDifferenceResult as RateDifferenceResult
    from skcostci.statistics._roc_threshold import RateResult as RateResult
    from skcostci.statistics._roc_threshold import ThresholdROCDifferenceResult as ThresholdROCDifferenceResult
    from skcostci.statistics._roc_threshold import ThresholdROCResult as ThresholdROCResult

HOMES = {  # the public names by the module that defines them
    "compare._comparison": ("JointTest", "ModelComparison"),
    "compare._contrasts": ("CombinedResult",),
    "compare._differences": ("ModelDifferences",),
    "compare._imputations": ("PooledDifferenceResult", "PooledResult"),
    "compare._ratios": ("ModelGap", "ModelRatios"),
    "geometry": ("CostLine",),
    "planning": ("Plan",),
    "reports._report": ("Report",),
    "results._banded": ("BandedResult", "ConfidenceRegion"),
    "results._estimand": ("Estimand",),
    "results._paired_results": ("Equivalence",),
    "results._results": ("BootstrapResult", "VarianceParts"),
    "statistics._agreement": ("AgreementResult",),
    "statistics._auc": ("AUCDifferenceResult", "AUCResult", "ErrorCountResult"),
    "statistics._calibration": ("CalibrationBins", "CalibrationResult", "Miscalibration"),
    "statistics._concordance": ("ConcordanceDifferenceResult", "ConcordanceResult"),
    "statistics._cost": ("CostDifferenceResult", "CostResult", "SignificantConditions"),
    "statistics._curve_areas": (
        "AveragePrecisionDifferenceResult",
        "AveragePrecisionResult",
        "PartialAUCDifferenceResult",
        "PartialAUCResult",
    ),
    "statistics._equal_error": ("EqualErrorResult",),
    "statistics._expected_cost": ("ExpectedCostDifferenceResult", "ExpectedCostResult"),
    "statistics._mean": ("MeanDifferenceResult", "MeanResult", "RatioResult"),
    "statistics._metric": ("MetricDifferenceResult", "MetricResult"),
    "statistics._other_scales": ("GiniDifferenceResult", "ScaledResult"),
    "statistics._ratio_difference": ("RatioDifferenceResult",),
    "statistics._recalibration": ("CalibrationSlopeResult", "RecalibrationResult"),
    "statistics._roc_rates": (
        "BudgetDifferenceResult",
        "BudgetROCResult",
        "BudgetRateResult",
        "ROCAtFPRResult",
        "ROCAtTPRResult",
        "ROCDifferenceAtFPRResult",
        "ROCDifferenceAtTPRResult",
        "RateAtTPRResult",
        "RateDifferenceAtTPRResult",
    ),
    "statistics._roc_threshold": (
        "Dominance",
        "RateDifferenceResult",
        "RateResult",
        "ThresholdROCDifferenceResult",
        "ThresholdROCResult",
    ),
}
__all__ = sorted(name for names in HOMES.values() for name in names)
__getattr__ = _importer(__name__, HOMES)


def __dir__() -> list[str]:
    """The public names, without the files that define them."""
    return list(__all__)
