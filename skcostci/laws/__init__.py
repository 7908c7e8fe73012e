"""Exact bootstrap laws: the only room that knows what is resampled."""

from skcostci.laws._auc import AUCLaw
from skcostci.laws._linear import LinearLaw, class_law
from skcostci.laws._mixture import MixtureLaw
from skcostci.laws._vertical import Lines, PairedCases, VerticalLaw, paired_vertical_law, vertical_law

__all__ = [
    "AUCLaw",
    "LinearLaw",
    "Lines",
    "MixtureLaw",
    "PairedCases",
    "VerticalLaw",
    "class_law",
    "paired_vertical_law",
    "vertical_law",
]
