"""What results are made of where cases belong together, or come from the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._validation import Floats
from skcostci.laws import FoldedLaw, GroupedLaw, GroupedRatioLaw, LinearLaw, grouped_curve
from skcostci.results._results import BootstrapResult

METHODS_OF_FOLDS = ("unseen_case", "wald")


def grouped_parts(law: GroupedLaw, shape: tuple[int, ...]) -> tuple[Any, Any, tuple[str, ...]]:
    """Estimate, law and interval methods, the default first."""
    methods = ("chosen",) * bool(law.flatteries) + ("unseen_group", "effective_size", "wald")
    whole = ("percentile",) * isinstance(law, GroupedRatioLaw)
    return frozen_numbers(law.estimate, shape), law, (*methods, *whole)


def grouped_band(law: GroupedLaw, axis: Floats) -> dict[str, Any]:
    """The band that allows for groups, and the curve it is asked for."""
    return {"band_methods": ("path",), "curve": grouped_curve(law, axis)}


def mean_of(results: Sequence[BootstrapResult[Numbers]]) -> tuple[Numbers, FoldedLaw, tuple[str, ...]]:
    """The mean over folds of costs, or of metrics that are sums of rates, its law and its interval methods."""
    laws = [result.law for result in results if isinstance(result.law, LinearLaw)]
    if len(laws) < len(results) or any(result.selected for result in results):
        raise ValueError(
            "folds go with thresholds given beforehand and with metrics that are sums of rates with fixed weights, as "
            "accuracy, balanced accuracy, costs, and recall and specificity with sampling='stratified' are; means of "
            "ratios, or of what each fold chose for itself, have no such law. Leave folds out to judge all together."
        )
    law = FoldedLaw(tuple(laws))
    return frozen_numbers(law.mean, np.shape(results[0].estimate)), law, METHODS_OF_FOLDS
