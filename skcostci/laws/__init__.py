"""Exact bootstrap laws: the only room that knows what is resampled."""

from skcostci.laws._auc import AUCDifferenceLaw, AUCLaw, KernelLaw
from skcostci.laws._budget import BudgetLaw
from skcostci.laws._curves import ClassHits, Hits, LinearCurve, ROCCurve, ROCHeights, linear_curve
from skcostci.laws._error_count import ErrorCountLaw
from skcostci.laws._linear import LinearLaw, Stratum, class_law, table_law
from skcostci.laws._metric import MetricLaw, metric_law
from skcostci.laws._metric_pair import MetricPairLaw, metric_pair_law
from skcostci.laws._mixture import MixtureLaw
from skcostci.laws._ranked import RankedCases
from skcostci.laws._vertical import (
    Lines,
    PairedCases,
    PairedVerticalLaw,
    VerticalLaw,
    paired_vertical_law,
    vertical_law,
)

__all__ = [
    "AUCDifferenceLaw",
    "AUCLaw",
    "BudgetLaw",
    "ClassHits",
    "ErrorCountLaw",
    "Hits",
    "KernelLaw",
    "LinearCurve",
    "LinearLaw",
    "Lines",
    "MetricLaw",
    "MetricPairLaw",
    "MixtureLaw",
    "PairedCases",
    "PairedVerticalLaw",
    "ROCCurve",
    "ROCHeights",
    "RankedCases",
    "Stratum",
    "VerticalLaw",
    "class_law",
    "linear_curve",
    "metric_law",
    "metric_pair_law",
    "paired_vertical_law",
    "table_law",
    "vertical_law",
]
