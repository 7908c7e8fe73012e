"""Exact bootstrap laws: the only room that knows what is resampled."""

from skcostci.laws._auc import AUCLaw
from skcostci.laws._linear import LinearLaw, class_law, table_law

__all__ = ["AUCLaw", "LinearLaw", "class_law", "table_law"]
