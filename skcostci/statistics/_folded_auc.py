"""The mean of the folds' AUCs, and of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from skcostci.laws import AUCDifferenceLaw, AUCLaw, FoldedAUCDifferenceLaw, FoldedAUCLaw
from skcostci.results._differences import MomentDifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.statistics._folded import FoldedResult

METHODS = ("unseen_case", "wald")
DIFFERENCE_METHODS = ("extrapolated", "unseen_case", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class FoldedAUCResult(FoldedResult[float]):
    """The mean of the AUCs of the folds of a cross-validation, with the exact moments of its bootstrap law.

    Parameters
    ----------
    estimate : float
        The mean of the folds' AUCs, as cross-validation reports it.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.

    See Also
    --------
    bootstrap_auc : Makes one.
    bootstrap_auc_difference : Compare two models.

    Examples
    --------
    >>> from skcostci import bootstrap_auc
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_auc(y_true, y_score, folds=[0, 1, 0, 1, 0, 1, 0, 1])
    FoldedAUCResult(estimate=0.875, standard_error=0.1398, 95 % interval 0.2743 to 1)
    """

    law: FoldedAUCLaw = field(repr=False)

    @property
    def skewness(self) -> float:
        """The skewness of the bootstrap law, 0 where it is a point."""
        return self.law.skewness


@dataclass(frozen=True, repr=False, eq=False)
class FoldedAUCDifferenceResult(FoldedResult[float], MomentDifferenceResult):
    """The mean over folds of the AUC of model a less that of model b, with the exact moments of its bootstrap law.

    Parameters
    ----------
    estimate : float
        The mean of the folds' differences.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.

    See Also
    --------
    bootstrap_auc_difference : Makes one.
    independent_difference : Of models on different cases.

    Examples
    --------
    >>> from skcostci import bootstrap_auc_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> bootstrap_auc_difference(y_true, a, b, folds=[0, 1, 0, 1, 0, 1, 0, 1])
    FoldedAUCDifferenceResult(estimate=0.375, standard_error=0.1398, 95 % interval -0.06942 to 0.8194)
    """

    law: FoldedAUCDifferenceLaw = field(repr=False)


def mean_auc(parts: Sequence[AUCLaw], positive: Any) -> FoldedAUCResult:
    """From the folds' laws."""
    law = FoldedAUCLaw.of(parts)
    return FoldedAUCResult(law.mean, law, METHODS, estimand=Estimand("auc", positive=positive, folds=True))


def mean_auc_difference(parts: Sequence[AUCDifferenceLaw], positive: Any) -> FoldedAUCDifferenceResult:
    """From the folds' laws."""
    law = FoldedAUCDifferenceLaw.of(parts)
    estimand = Estimand("auc", difference=True, positive=positive, folds=True)
    return FoldedAUCDifferenceResult(law.mean, law, DIFFERENCE_METHODS, estimand=estimand)
