"""The mean over the folds of a cross-validation of costs and of metrics that are sums of rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from skcostci._frozen import Numbers, NumbersT, frozen_numbers, read_only
from skcostci._validation import Floats
from skcostci.laws import FoldedLaw, LinearLaw
from skcostci.results._results import BootstrapResult

METHODS = ("unseen_case", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class FoldedResult(BootstrapResult[NumbersT]):
    """A mean over folds."""

    law: FoldedLaw = field(repr=False)

    @property
    def fold_estimates(self) -> Floats:
        """What each fold gives, in the order in which the folds occur; a row a fold where there are several points."""
        shape = (len(self.law.parts), *np.shape(self.estimate))
        return read_only(np.reshape([part.mean for part in self.law.parts], shape))


@dataclass(frozen=True, repr=False, eq=False)
class FoldedCostResult(FoldedResult[Numbers]):
    """The mean over folds of the cost at each operating condition.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The mean of the folds' costs.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    probability_cost : float or ndarray of shape (n_points,)
        The operating conditions, PC(+).
    thresholds : float or ndarray of shape (n_points,)
        The threshold used at each of them, the same in every fold.
    estimand : Estimand
        What it estimates: results of one estimand can be compared.

    See Also
    --------
    bootstrap_cost : Makes one.
    CostCurveDisplay : Its picture.

    Examples
    --------
    >>> from skcostci import bootstrap_cost
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> folds = [0, 1, 0, 1, 0, 1, 0, 1]
    >>> bootstrap_cost(y_true, y_score, probability_cost=0.5, thresholds=0.5, folds=folds)
    FoldedCostResult(estimate=0.25, standard_error=0.125, 95 % interval 0.03071 to 0.6878)
    """

    probability_cost: Numbers
    thresholds: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"probability_cost": self.probability_cost, "threshold": self.thresholds}


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
