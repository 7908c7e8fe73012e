"""The area under the ROC curve up to a false-positive rate, of one model and of one minus another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from skcostci._options import SAMPLINGS, Sampling
from skcostci._validation import check_number, check_option
from skcostci.cases._cases import Cases
from skcostci.cases._counts import down_to
from skcostci.laws import CurveLaw, PartialAUC
from skcostci.results._estimand import Estimand
from skcostci.statistics._curve_law import (
    CurveDifferenceResult,
    CurveResult,
    Placed,
    curve_difference_law,
    curve_law,
    of_scheme,
)


@dataclass(frozen=True, repr=False, eq=False)
class PartialAUCResult(CurveResult):
    """The area under the ROC curve up to a false-positive rate, with the moments of its bootstrap law.

    What :func:`bootstrap_auc` returns if asked for ``max_fpr``: McClish's standardized value, or the area itself.
    Beside what every :class:`BootstrapResult` has:

    Parameters
    ----------
    max_fpr : float
        Up to which rate.
    standardize : bool
        Whether it is McClish's value.

    Examples
    --------
    >>> from skcostci import bootstrap_auc
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> round(bootstrap_auc(y_true, y_score, max_fpr=0.5, standardize=False).estimate, 3)
    0.375
    """

    max_fpr: float
    standardize: bool


@dataclass(frozen=True, repr=False, eq=False)
class PartialAUCDifferenceResult(CurveDifferenceResult):
    """The partial AUC of model a minus that of model b, with the moments of the joint bootstrap law.

    What :func:`bootstrap_auc_difference` returns if asked for ``max_fpr``; above 0 a ranks better. Beside what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    max_fpr : float
        Up to which rate.
    standardize : bool
        Whether it is of McClish's values.

    Examples
    --------
    >>> from skcostci import bootstrap_auc_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> round(bootstrap_auc_difference(y_true, a, b, max_fpr=0.5).estimate, 3)
    0.25
    """

    max_fpr: float
    standardize: bool


def check_max_fpr(max_fpr: Any, standardize: Any) -> float | None:
    """The rate, None where the whole area is asked for."""
    if not isinstance(standardize, bool | np.bool_):
        raise TypeError(f"standardize must be True or False, got {standardize!r}.")
    if max_fpr is None:
        if not standardize:
            raise ValueError("standardize=False goes with max_fpr, got None: the whole area has no other scale.")
        return None
    rate = float(check_number("max_fpr", max_fpr, above=0.0, most=1.0))
    return None if rate == 1 else rate


def partial_auc_of(
    cases: Cases, column: str, *, sampling: Sampling = "stratified", max_fpr: float, standardize: bool = True
) -> PartialAUCResult:
    """The area up to a rate of a column of checked cases."""
    statistic = _check(cases, sampling, max_fpr, standardize)
    law = _law(_placed(cases, column, statistic, cases.groups is not None), sampling)
    return PartialAUCResult(law.estimate, law, **_described(cases, statistic, False))


def partial_auc_difference_of(
    cases: Cases, a: str, b: str, *, sampling: Sampling = "stratified", max_fpr: float, standardize: bool = True
) -> PartialAUCDifferenceResult:
    """The area up to a rate of a column of checked cases minus that of another."""
    statistic = _check(cases, sampling, max_fpr, standardize)
    of_a, of_b = (_placed(cases, column, statistic, True) for column in (a, b))
    law = curve_difference_law(of_a, of_b, _law(of_a, sampling), _law(of_b, sampling), sampling)
    return PartialAUCDifferenceResult(law.estimate, law, **_described(cases, statistic, True))


def _check(cases: Cases, sampling: Sampling, max_fpr: float, standardize: bool) -> PartialAUC:
    check_option("sampling", sampling, SAMPLINGS)
    cases.check_group_sampling(sampling, "stratified")
    return PartialAUC(max_fpr, bool(standardize))


def _placed(cases: Cases, column: str, statistic: PartialAUC, rows: bool) -> Placed:
    """With the levels that a resample may reach, or a sample with one case more; all of them where groups come."""
    reached = statistic.t * cases.sizes[1]
    reach = math.inf if cases.groups is not None else reached + 10 * math.sqrt(reached) + 100
    return Placed(cases, column, statistic, statistic, rows, partial(down_to, negatives=reach))


def _law(placed: Placed, sampling: Sampling) -> CurveLaw:
    statistic = placed.given
    assert isinstance(statistic, PartialAUC)
    return curve_law(placed, sampling, lambda: statistic.exact_moments(*placed.counts), None)


def _described(cases: Cases, statistic: PartialAUC, difference: bool) -> dict[str, Any]:
    """What the result says of itself."""
    asked = {"max_fpr": statistic.t, "standardize": statistic.standardize}
    estimand = Estimand("partial_auc", difference=difference, positive=cases.labels[1], axis=asked)
    return {**of_scheme(cases), **asked, "estimand": estimand}
