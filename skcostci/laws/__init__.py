"""Exact bootstrap laws: the only room that knows what is resampled."""

from skcostci.laws._auc import AUCDifferenceLaw, AUCLaw, KernelLaw
from skcostci.laws._budget import BudgetLaw
from skcostci.laws._error_count import ErrorCountLaw
from skcostci.laws._linear import LinearLaw, class_law, table_law
from skcostci.laws._ranked import RankedCases

__all__ = [
    "AUCDifferenceLaw",
    "AUCLaw",
    "BudgetLaw",
    "ErrorCountLaw",
    "KernelLaw",
    "LinearLaw",
    "RankedCases",
    "class_law",
    "table_law",
]
