"""Statistics on other scales: Gini coefficient, lift and capture, numbers of cases, accuracy beyond chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import as_array, as_numbers, as_vector
from skcostci._frozen import frozen_numbers
from skcostci._options import Sampling
from skcostci._validation._arguments import SHARE
from skcostci._validation._labels import check_names
from skcostci.cases._cases import Cases
from skcostci.laws._side_by_side import ScaledLaw
from skcostci.results._results import BootstrapResult, DifferenceResult, MomentDifferenceResult, ResultT
from skcostci.statistics._auc import auc_of
from skcostci.statistics._metric import OfMetric
from skcostci.statistics._roc_rates import (
    BudgetDifferenceResult,
    check_some_labelled,
    held_at_share,
    labelled_at,
    law_at_share,
    roc_at_positive_rate_of,
    scheme_at_share,
)

SHARES, SUMS = ("accuracy", "zero_one"), ("expected_cost", "log_loss")  # as a number of cases, or a sum over them
AT_TOP = ("capture", "lift", "precision", "recall")  # of the cases with the highest scores


@dataclass(frozen=True, repr=False, eq=False)
class ScaledResult(BootstrapResult[float]):
    """A Gini coefficient, 2 AUC - 1, or a lift, a true-positive rate over the share of cases labelled positive.

    Returned by :func:`bootstrap_metric` for "gini", and for "lift" with a ``positive_rate``. Its interval is the
    interval of the AUC or of the rate, rescaled. It has what every :class:`BootstrapResult` has.
    """


@dataclass(frozen=True, repr=False, eq=False)
class GiniDifferenceResult(MomentDifferenceResult):
    """The Gini coefficient of model a minus that of model b: twice the difference of the AUCs.

    Returned by :func:`bootstrap_metric_difference` for "gini". It has what every :class:`BootstrapResult` has.
    """


def gini_of(cases: Cases, *columns: str) -> ScaledResult | GiniDifferenceResult:
    """2 AUC - 1 of a column of checked cases, or twice the difference of two AUCs."""
    area, paired = auc_of(cases, *columns), len(columns) == 2
    kind, estimand = GiniDifferenceResult if paired else ScaledResult, replace(area.estimand, statistic="gini")
    numbers = _scaled(area, 2.0, 0.0 if paired else -1.0)
    return kind(**numbers, methods=area.methods, estimand=estimand, n_groups=area.n_groups)


def as_number(result: ResultT, name: str, sample_weight: ArrayLike | None, n_rows: int) -> ResultT:
    """A share of cases as a number of these cases; a mean cost or loss as the sum over them."""
    if name not in (*SHARES, *SUMS):
        raise ValueError(
            "normalize=False is available for shares of cases (accuracy and zero_one), expected costs and the "
            f"log loss, not for {name}."
        )
    if result.fold_estimates is not None:
        raise ValueError("normalize=False needs a single sample, but shares are averaged over folds: leave folds out.")
    n = n_rows if sample_weight is None else as_array("sample_weight", sample_weight).sum()
    return _rescaled(result, float(n), 0.0, f"{name} ({'all cases' if name in SUMS else 'cases'})")


def beyond_chance(result: ResultT, name: str, y_true: ArrayLike, sample_weight: ArrayLike | None) -> ResultT:
    """Balanced accuracy as scikit-learn adjusts it: 0 at random, 1 at best; classes without weight do not count."""
    if name != "balanced_accuracy":
        raise ValueError(f"adjusted=True is available for balanced_accuracy, not for {name}.")
    if result.n_checked is not None:
        raise ValueError("adjusted=True cannot be combined with proxy=: leave it out.")
    _, numbers = check_names("y_true", y_true)
    if sample_weight is not None:
        numbers = numbers[as_numbers("sample_weight", as_vector("sample_weight", sample_weight)) > 0]
    by_chance = 1 / len(np.unique(numbers))
    shift = 0.0 if isinstance(result, DifferenceResult) else -by_chance / (1 - by_chance)
    return _rescaled(result, 1 / (1 - by_chance), shift, f"{name} (adjusted)")


def _rescaled(result: ResultT, factor: float, shift: float, name: str) -> ResultT:
    found = replace(result, **_scaled(result, factor, shift), estimand=replace(result.estimand, metric=name))
    return replace(found, metric=name) if isinstance(found, OfMetric) else found


def _scaled(result: BootstrapResult, factor: float, shift: float) -> dict[str, Any]:
    law = ScaledLaw(result.law, factor, shift)
    of_folds = None if result.fold_estimates is None else law.here(result.fold_estimates)
    return {"estimate": law.here(result.estimate), "law": law, "fold_estimates": of_folds}


def rate_at_top_of(
    cases: Cases, *columns: str, metric: str, positive_rate: ArrayLike, sampling: Sampling | None = None
) -> BootstrapResult:
    """Capture (the true-positive rate), lift or precision among the cases with the highest scores, or a minus b."""
    if len(columns) == 1 and metric != "lift":
        found = roc_at_positive_rate_of(cases, *columns, positive_rate=positive_rate, sampling=sampling)
        return found.precision if metric == "precision" else found
    rates = SHARE.points("positive_rate", positive_rate)
    labelled, rate = labelled_at(cases, rates), "precision" if metric == "precision" else "tpr"
    if rate == "precision" or metric == "lift":
        check_some_labelled(metric, labelled)
    estimate, law, methods = law_at_share(cases, columns, rates, rate, sampling, mix=metric == "lift")
    if metric == "lift" and rates.size > 1:
        raise ValueError("positive_rate must be a single share for the lift, got several.")
    rest = scheme_at_share(cases, columns, rates, rate)
    estimand = held_at_share(metric if metric == "lift" else rate, rates).estimand(cases, columns)
    kind: Callable[..., BootstrapResult] = ScaledResult if len(columns) == 1 else BudgetDifferenceResult
    of_rate = kind(frozen_numbers(estimate, rates.shape), law, methods, estimand=estimand, **rest)
    if metric != "lift":
        return of_rate
    return replace(of_rate, **_scaled(of_rate, sum(map(float, cases.sizes)) / float(labelled), 0.0))
