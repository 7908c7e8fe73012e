"""Calibration slope and intercept: results of the logistic regression of the event on the logit of the risk.

Risks of 0 and 1 have infinite logits: their cases are left out and counted (``left_out``). With groups each case has
its influence, psi = J^-1 (1, x) (y - m) with J per case, and limits are those of the mean of psi + b in groups.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from skcostci._arrays import Floats
from skcostci._frozen import NumbersT
from skcostci._options import Alternative
from skcostci._validation._rows import Rows
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws._side_by_side import PartlyDefinedLaw, SideBySide
from skcostci.laws.influence._logistic import CoefficientLaw, InterceptLaw, Risks, SeparatedSlopeLaw
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult
from skcostci.statistics._mean import law_of_means

STUDENT, EXACT = ("student",), ("poisson_binomial",)
WHOLE_LINE = (np.array(-np.inf), np.array(np.inf))


@dataclass(frozen=True, repr=False, eq=False)
class OfLogits(BootstrapResult[NumbersT]):
    left_out: int = field(default=0, kw_only=True, repr=False)

    @property
    def _what(self) -> str:
        return ", ".join(filter(None, [super()._what, without_ends(self.left_out)]))


def without_ends(left_out: int) -> str:
    """Words on cases that are left out; none if there are none."""
    return f"without {left_out} {'case' if left_out == 1 else 'cases'} with risks of 0 or 1" if left_out else ""


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationSlopeResult(OfLogits[float]):
    """The calibration slope, or the intercept given slope 1, with its interval.

    Returned by :func:`bootstrap_calibration` as ``slope`` and ``intercept``. In addition to what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    left_out : int, default=0
        The number of cases with risks of 0 or 1, which are left out: their logits are infinite.
    null : float
        The value for calibrated risks, which ``pvalue`` tests: a slope of 1, an intercept of 0.
    """

    null: float = field(kw_only=True, repr=False)

    @property
    def _null(self) -> float:
        return self.null


@dataclass(frozen=True, repr=False, eq=False)
class RecalibrationResult(OfLogits[Floats]):
    """The intercept and the slope of the logistic recalibration of the risks.

    Returned by :func:`bootstrap_calibration` as ``recalibration``: two points, the intercept first. In addition to what
    every :class:`BootstrapResult` has:

    Parameters
    ----------
    left_out : int, default=0
        The number of cases with risks of 0 or 1, which are left out: their logits are infinite.
    """

    def _axis(self) -> dict[str, Any]:
        return {"coefficient": np.array(["intercept", "slope"])}

    def pvalue(
        self, alternative: Alternative = "two-sided", *, null: float | None = None, method: str | None = None
    ) -> Any:
        """The p-value of each coefficient, by default for the hypothesis of calibrated risks.

        Parameters
        ----------
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            The alternative hypothesis: the coefficient differs from the null, is smaller, or is larger.
        null : float, default=None
            The null value of both; None is 0 for the intercept and 1 for the slope.
        method : str, default=None
            One of ``methods``; None is the first of them.

        Returns
        -------
        ndarray of shape (2,)
            In [0, 1].
        """
        if null is not None:
            return super().pvalue(alternative, null=null, method=method)
        against = [
            super(RecalibrationResult, self).pvalue(alternative, null=each, method=method) for each in (0.0, 1.0)
        ]
        return np.diag(np.array(against))


class RiskRows(NamedTuple):
    """Label and risk (in (0, 1)) of each row, the distinct risks with cases and events, and the rows' data."""

    label: Floats
    proba: Floats
    risks: Risks
    rows: Rows


def slope_of(data: RiskRows, estimand: Estimand) -> CalibrationSlopeResult:
    """The slope; infinite if no event has a smaller risk than a case without, undefined if ``risks`` has a reason."""
    risks = data.risks
    if reason := risks.reason:
        return CalibrationSlopeResult(np.nan, _nowhere(reason), STUDENT, null=1.0, estimand=estimand)
    if towards := risks.separated:
        law: Any = SeparatedSlopeLaw(risks, towards)
        return CalibrationSlopeResult(law.mean, law, STUDENT, null=1.0, estimand=estimand)
    a, b = risks.fitted()
    if data.rows.groups is not None:
        return _of_groups(data, _influences(data, a, b)[1], b, estimand, null=1.0)
    law = CoefficientLaw(b, float(risks.standard_errors(a, b)[1]), max(risks.n - 2, 1.0))
    return CalibrationSlopeResult(b, law, STUDENT, null=1.0, estimand=estimand)


def intercept_of(data: RiskRows, estimand: Estimand) -> CalibrationSlopeResult:
    law = InterceptLaw(data.risks)
    if not data.risks.n:
        return CalibrationSlopeResult(np.nan, _nowhere(data.risks.reason), EXACT, null=0.0, estimand=estimand)
    if data.rows.groups is not None and np.isfinite(law.mean):
        x = Risks.of(data.proba, np.ones(len(data.proba)), data.label).x
        psi = (data.label - expit(law.mean + x)) / (data.risks.information(law.mean, 1.0)[0, 0] / data.risks.n)
        return _of_groups(data, psi, law.mean, estimand)
    return CalibrationSlopeResult(law.mean, law, EXACT, null=0.0, estimand=estimand)


def recalibration_of(data: RiskRows, estimand: Estimand) -> RecalibrationResult:
    risks = data.risks
    if risks.reason or risks.separated:
        why = risks.reason or "the classes do not overlap"
        nowhere = np.zeros(2, dtype=bool)
        ends = np.full(2, -np.inf), np.full(2, np.inf)
        law: Any = PartlyDefinedLaw(None, nowhere, (why,) * 2, ends, first=(None, np.zeros(4)))
        return RecalibrationResult(np.full(2, np.nan), law, STUDENT, estimand=estimand)
    a, b = risks.fitted()
    if data.rows.groups is not None:
        each = [
            _of_groups(data, psi, value, estimand) for psi, value in zip(_influences(data, a, b), (a, b), strict=True)
        ]
        law, methods = SideBySide(tuple(one.law for one in each)), each[0].methods
        return RecalibrationResult(np.array([a, b]), law, methods, estimand=estimand, n_groups=each[0].n_groups)
    errors, freedom = risks.standard_errors(a, b).tolist(), max(risks.n - 2, 1.0)
    law = SideBySide(tuple(CoefficientLaw(c, e, freedom) for c, e in zip((a, b), errors, strict=True)))
    return RecalibrationResult(np.array([a, b]), law, STUDENT, estimand=estimand)


def _of_groups(
    data: RiskRows, psi: Floats, value: float, estimand: Estimand, null: float = 0.0
) -> CalibrationSlopeResult:
    ends, groups = (float(psi.min() + value), float(psi.max() + value)), np.asarray(data.rows.groups)
    rounding = SPREAD_ROUNDING * float(np.abs(psi).max())
    _, law, methods = law_of_means(psi + value, data.rows, [ends], (-np.inf, np.inf), rounding)
    n_groups = int(groups.max()) + 1
    return CalibrationSlopeResult(value, law, methods, null=null, estimand=estimand, n_groups=n_groups)


def _influences(data: RiskRows, a: float, b: float) -> tuple[Floats, Floats]:
    """The psi of each row, for the intercept and for the slope."""
    X = Risks.of(data.proba, np.ones(len(data.proba)), data.label).design
    errors = data.label - expit(X @ np.array([a, b]))
    inverse = np.linalg.inv(data.risks.information(a, b) / data.risks.n)
    of_intercept, of_slope = inverse @ (X * errors[:, None]).T
    return of_intercept, of_slope


def _nowhere(reason: str) -> Any:
    """The law of a coefficient that has no value."""
    return PartlyDefinedLaw(None, np.zeros((), dtype=bool), (reason,), WHOLE_LINE, first=(None, np.zeros(4)))
