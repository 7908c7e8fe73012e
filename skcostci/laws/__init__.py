"""Exact bootstrap laws: the only room that knows what is resampled."""

from skcostci.laws._auc import AUCLaw
from skcostci.laws._linear import LinearLaw, class_law
from skcostci.laws._mixture import Components, MixtureLaw
from skcostci.laws._vertical import Lines, PairedCases, hit_components, paired_hit_components

__all__ = [
    "AUCLaw",
    "Components",
    "Lines",
    "LinearLaw",
    "MixtureLaw",
    "PairedCases",
    "class_law",
    "hit_components",
    "paired_hit_components",
]
