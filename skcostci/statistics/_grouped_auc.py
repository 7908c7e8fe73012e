"""The AUC, and the difference of two, where cases belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from skcostci.cases._cases import Cases, place_groups, placements_minus
from skcostci.laws import FoldedGroupsLaw, GroupedAUCDifferenceLaw, GroupedAUCLaw
from skcostci.results._differences import MomentDifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult

METHODS = ("unseen_group", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class OverGroups(BootstrapResult[float]):
    """What whole groups of cases give, known through the moments of its bootstrap law."""

    law: GroupedAUCLaw | GroupedAUCDifferenceLaw = field(repr=False)

    @property
    def is_exact(self) -> bool:
        """Whether mean and standard error are exact; of more than 128 groups they are known to first order."""
        return self.law.is_exact


@dataclass(frozen=True, repr=False, eq=False)
class GroupedAUCResult(OverGroups):
    """The area under the ROC curve where cases belong together, with the moments of its bootstrap law.

    Parameters
    ----------
    estimate : float
        The AUC on the data as given, ties counting 1/2.
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
    >>> bootstrap_auc(y_true, y_score, groups=["a", "a", "b", "c", "a", "b", "c", "c"])
    GroupedAUCResult(estimate=0.875, standard_error=0.06174, 95 % interval 0.09726 to 0.9925)
    """

    law: GroupedAUCLaw = field(repr=False)

    @property
    def undefined(self) -> float:
        """The probability that a resample has no AUC, because a class is missing."""
        return self.law.undefined


@dataclass(frozen=True, repr=False, eq=False)
class GroupedAUCDifferenceResult(MomentDifferenceResult, OverGroups):
    """The AUC of model a less that of model b where cases belong together, with the moments of its bootstrap law.

    Parameters
    ----------
    estimate : float
        The difference on the data as given, ties counting 1/2; above 0 where a ranks better.
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
    >>> bootstrap_auc_difference(y_true, a, b, groups=["a", "a", "b", "c", "a", "b", "c", "c"])
    GroupedAUCDifferenceResult(estimate=0.1875, standard_error=0.2276, 95 % interval -0.8606 to 0.9071)
    """

    law: GroupedAUCDifferenceLaw = field(repr=False)


def grouped_auc_of(cases: Cases, column: str) -> GroupedAUCResult:
    """The AUC of a column of checked cases, whole groups of them resampled."""
    law = GroupedAUCLaw(_estimate(cases, column), *place_groups(cases, column))
    return GroupedAUCResult(law.estimate, law, METHODS, estimand=Estimand("auc", positive=cases.labels[1]))


def grouped_auc_of_folds(folds: Sequence[Cases], column: str) -> GroupedAUCResult:
    """The mean over folds of the AUC, whole groups resampled in each."""
    each = [fold if fold.groups is not None else replace(fold, groups=np.arange(len(fold.truth))) for fold in folds]
    law = FoldedGroupsLaw.of([grouped_auc_of(fold, column).law for fold in each])
    estimand = Estimand("auc", positive=folds[0].labels[1], folds=True)
    return GroupedAUCResult(law.estimate, law, METHODS, estimand=estimand)


def grouped_auc_difference_of(cases: Cases, a: str, b: str) -> GroupedAUCDifferenceResult:
    """The AUC of a column of checked cases less that of another, whole groups of them resampled."""
    placed = [place_groups(cases, column) for column in (a, b)]
    of_a, of_b = (GroupedAUCLaw(_estimate(cases, column), *each) for column, each in zip((a, b), placed, strict=True))
    law = GroupedAUCDifferenceLaw(of_a.estimate - of_b.estimate, *placements_minus(*placed), a=of_a, b=of_b)
    estimand = Estimand("auc", difference=True, positive=cases.labels[1])
    return GroupedAUCDifferenceResult(law.estimate, law, METHODS, estimand=estimand)


def _estimate(cases: Cases, column: str) -> float:
    """The AUC on the data as given."""
    positive, negative = cases.sizes
    return cases.counts(column).placements.half_wins / (2 * positive * negative)
