"""Exact bootstrap laws: the only room that knows what is resampled."""

from skcostci.laws._auc import AUCDifferenceLaw, AUCLaw, DifferenceKernelLaw, Differences, KernelLaw
from skcostci.laws._average_precision import AveragePrecision, average_precision_moments
from skcostci.laws._budget import BudgetLaw
from skcostci.laws._curve_worths import (
    CurveDifferenceLaw,
    CurveLaw,
    CurveStatistic,
    CurveUnits,
    StepWorths,
    curvature,
    feared_cases,
    first_order,
    group_strata,
    step_worths,
    stepped,
    typical_groups,
    varying_classes,
)
from skcostci.laws._curves import (
    Choice,
    ChosenCostLaw,
    ClassHits,
    FlatteredLaw,
    Flattery,
    Hits,
    LinearCurve,
    ROCCurve,
    ROCHeights,
    cheapest_counts,
    choice_among,
    linear_curve,
    share_variance,
)
from skcostci.laws._error_count import ErrorCountLaw
from skcostci.laws._falling import FallingLaw
from skcostci.laws._first_order import FirstOrderLaw, Units
from skcostci.laws._folds import FoldedAUCDifferenceLaw, FoldedAUCLaw, FoldedLaw
from skcostci.laws._grouped import (
    GroupedCurve,
    GroupedLaw,
    GroupedPairLaw,
    GroupedRatioLaw,
    class_terms,
    grouped_curve,
    grouped_law,
    grouped_metric_law,
    grouped_pair_law,
    worths_of_cases,
)
from skcostci.laws._grouped_auc import (
    FoldedGroupsDifferenceLaw,
    FoldedGroupsLaw,
    GroupedAUCDifferenceLaw,
    GroupedAUCLaw,
)
from skcostci.laws._grouped_classes import GroupedClassesDifferenceLaw, GroupedClassesLaw, PlacedClasses
from skcostci.laws._lattice import Lattice, WholeSums, binomial
from skcostci.laws._linear import LinearLaw, linear_law, minus, pooled_law, rate_law
from skcostci.laws._mean import Draw, MeanLaw, grouped_mean_law, mean_law
from skcostci.laws._mean_ratio import RatioLaw, ratio_law
from skcostci.laws._metric import (
    ChosenMetricLaw,
    MetricLaw,
    MetricPairLaw,
    metric_law,
    metric_pair_law,
    models_of_pair,
)
from skcostci.laws._mixture import MixtureLaw
from skcostci.laws._normal_pair import PairedCases
from skcostci.laws._paired_vertical import PairedVerticalLaw, paired_vertical_law
from skcostci.laws._partial_auc import PartialAUC
from skcostci.laws._points import PartlyDefinedLaw, SideBySide
from skcostci.laws._ranked import RankedCases
from skcostci.laws._several_classes import ClassesDifferenceLaw, ClassesLaw
from skcostci.laws._stratum import Stratum
from skcostci.laws._vertical import DrawnCurve, VerticalLaw, vertical_laws
from skcostci.laws._worths import KernelWorths, Moved, RankedWorths, Unseen, Worths, typical

__all__ = [
    "AUCDifferenceLaw",
    "AUCLaw",
    "AveragePrecision",
    "BudgetLaw",
    "Choice",
    "ChosenCostLaw",
    "ChosenMetricLaw",
    "ClassHits",
    "ClassesDifferenceLaw",
    "ClassesLaw",
    "CurveDifferenceLaw",
    "CurveLaw",
    "CurveStatistic",
    "CurveUnits",
    "DifferenceKernelLaw",
    "Differences",
    "Draw",
    "DrawnCurve",
    "ErrorCountLaw",
    "FallingLaw",
    "FirstOrderLaw",
    "FlatteredLaw",
    "Flattery",
    "FoldedAUCDifferenceLaw",
    "FoldedAUCLaw",
    "FoldedGroupsDifferenceLaw",
    "FoldedGroupsLaw",
    "FoldedLaw",
    "GroupedAUCDifferenceLaw",
    "GroupedAUCLaw",
    "GroupedClassesDifferenceLaw",
    "GroupedClassesLaw",
    "GroupedCurve",
    "GroupedLaw",
    "GroupedPairLaw",
    "GroupedRatioLaw",
    "Hits",
    "KernelLaw",
    "KernelWorths",
    "Lattice",
    "LinearCurve",
    "LinearLaw",
    "MeanLaw",
    "MetricLaw",
    "MetricPairLaw",
    "MixtureLaw",
    "Moved",
    "PairedCases",
    "PairedVerticalLaw",
    "PartialAUC",
    "PartlyDefinedLaw",
    "PlacedClasses",
    "ROCCurve",
    "ROCHeights",
    "RankedCases",
    "RankedWorths",
    "RatioLaw",
    "SideBySide",
    "StepWorths",
    "Stratum",
    "Units",
    "Unseen",
    "VerticalLaw",
    "WholeSums",
    "Worths",
    "average_precision_moments",
    "binomial",
    "cheapest_counts",
    "choice_among",
    "class_terms",
    "curvature",
    "feared_cases",
    "first_order",
    "group_strata",
    "grouped_curve",
    "grouped_law",
    "grouped_mean_law",
    "grouped_metric_law",
    "grouped_pair_law",
    "linear_curve",
    "linear_law",
    "mean_law",
    "metric_law",
    "metric_pair_law",
    "minus",
    "models_of_pair",
    "paired_vertical_law",
    "pooled_law",
    "rate_law",
    "ratio_law",
    "share_variance",
    "step_worths",
    "stepped",
    "typical",
    "typical_groups",
    "varying_classes",
    "vertical_laws",
    "worths_of_cases",
]
