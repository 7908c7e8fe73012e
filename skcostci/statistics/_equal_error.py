"""The equal error rate of scores, from the confidence distributions of the curve at every rate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts
from skcostci.laws.influence._of_rates import EqualErrorLaw
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult
from skcostci.statistics._roc_rates import Seen

METHODS = ("rank_beta",)


@dataclass(frozen=True, repr=False, eq=False)
class EqualErrorResult(BootstrapResult[float]):
    """The equal error rate, at the threshold where false-positive and false-negative rate are equal.

    Returned by :func:`bootstrap_metric` for "eer". In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    threshold : float
        The score at which the two rates are nearest to each other; cases with at least this score are labelled
        positive.
    """

    threshold: float = field(kw_only=True)


def equal_error_of(cases: Cases, column: str) -> Any:
    cases.check_counted("the equal error rate")
    if cases.groups is not None or cases.folds is not None:
        raise ValueError(
            "the equal error rate needs independent cases (no groups), in one sample; with groups or folds use "
            "rates at a threshold or at a given rate."
        )
    counts = cases.counts(column)
    law = EqualErrorLaw(Seen(counts.positive, counts.negative, True).curve)
    estimand = Estimand("eer", positive=cases.labels[1])
    return EqualErrorResult(law.mean, law, METHODS, threshold=_threshold(counts), estimand=estimand)


def _threshold(counts: ScoreCounts) -> float:
    """The score at which both error rates differ least, the largest if there are several."""
    scores = np.union1d(counts.negative.values, counts.positive.values)[::-1]
    fpr, tpr = (part.count_at_least(scores) / part.total for part in (counts.negative, counts.positive))
    return float(scores[int(np.argmin(np.abs(fpr - (1 - tpr))))])
