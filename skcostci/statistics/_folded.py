"""The mean over the folds of a cross-validation of costs and of metrics that are sums of rates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skcostci._frozen import Numbers, frozen_numbers
from skcostci.laws import FoldedLaw, LinearLaw
from skcostci.results._results import BootstrapResult

METHODS = ("unseen_case", "wald")


def mean_of(results: Sequence[BootstrapResult[Numbers]]) -> tuple[Numbers, FoldedLaw, tuple[str, ...]]:
    """The mean of sums of rates, its law and its interval methods."""
    laws = [result.law for result in results if isinstance(result.law, LinearLaw)]
    if len(laws) < len(results) or any(result.selected for result in results):
        raise ValueError(
            "folds go with thresholds given beforehand and with metrics that are sums of rates with fixed weights, as "
            "accuracy, balanced accuracy, costs, and recall and specificity with sampling='stratified' are; means of "
            "ratios, or of what each fold chose for itself, have no such law. Leave folds out to judge all together."
        )
    law = FoldedLaw(tuple(laws))
    return frozen_numbers(law.mean, np.shape(results[0].estimate)), law, METHODS
