"""Exact bootstrap laws: the only room that knows what is resampled."""

from skcostci.laws._auc import AUCLaw
from skcostci.laws._budget import BudgetLaw
from skcostci.laws._linear import LinearLaw, class_law
from skcostci.laws._ranked import RankedCases

__all__ = ["AUCLaw", "BudgetLaw", "LinearLaw", "RankedCases", "class_law"]
