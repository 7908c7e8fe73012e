"""Exact bootstrap laws: the only room that knows what is resampled."""

from skcostci.laws._auc import AUCDifferenceLaw, AUCLaw, KernelLaw
from skcostci.laws._error_count import ErrorCountLaw
from skcostci.laws._linear import LinearLaw, class_law, table_law

__all__ = ["AUCDifferenceLaw", "AUCLaw", "ErrorCountLaw", "KernelLaw", "LinearLaw", "class_law", "table_law"]
