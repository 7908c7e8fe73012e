"""Calibration of probabilities: the chance of an event at every probability at once, on average, and on logits.

Slope and intercept are those of the logistic regression of the event on the logit of the risk. Risks of 0 and 1 have
infinite logits: their cases are left out and counted (``left_out``). With groups limits are those of the mean
of psi + b, b a coefficient, psi = J^-1 (1, x) (y - m), y event, x logit, m fitted risk, J the information per case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression
from scipy.special import expit, fdtrc, logit

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._described import described
from skcostci._frozen import NumbersT, cached_property, frozen_tuple, read_only, tuple_of_numbers
from skcostci._options import Alternative, Label, WeightType, explains_calls
from skcostci._shown import Shown
from skcostci._validation._arguments import LEVEL, Number, check_alternative, check_finite, check_option, check_proba
from skcostci._validation._labels import check_label_column, check_outcomes, number_labels
from skcostci._validation._rows import Rows, SampleOptions, row_options
from skcostci._validation._tables import check_positive_column
from skcostci._warnings import warn_caller
from skcostci.cases._cases import Cases, has_times
from skcostci.intervals._method import ConfidenceInterval
from skcostci.intervals._order_statistics import Spans, binomial_limits, monotone_band, spans
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws._side_by_side import PartlyDefinedLaw, SideBySide
from skcostci.laws.exact._calibrated import CoefficientLaw, RightRisks, Risks, intercept_law
from skcostci.laws.exact._means_and_ratios import About
from skcostci.results._estimand import Estimand, Tabular
from skcostci.results._results import BootstrapResult, named
from skcostci.statistics._censored import calibration_at_horizon, check_censored, check_horizons
from skcostci.statistics._mean import MeanDifferenceResult, RatioResult, law_of_means, ratio_of, scheme_of
from skcostci.statistics._weight_types import weighed

Parts = tuple[Any, Any, tuple[str, ...], int | None]  # estimate, law and interval methods, and the number of groups
Strategy = Literal["uniform", "quantile"]
MOST_BINS = 10_000
BANDS = ("clopper_pearson", "logistic")
SMALLEST_PVALUE = 1e-13  # smaller ones are rounding
STUDENT, EXACT = ("student",), ("poisson_binomial",)
FEWEST_GROUPS = 8  # for Hotelling's F, which was tested with twelve and more


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
        pvalue = partial(super().pvalue, alternative, method=method)
        return np.diag([pvalue(null=calibrated) for calibrated in (0.0, 1.0)])


class RiskRows(NamedTuple):
    """Label and logit of each row, the distinct risks with cases and events, and the rows' data."""

    label: Floats
    x: Floats
    risks: Risks
    rows: Rows


@tuple_of_numbers
class CalibrationBins(
    Shown,
    NamedTuple(
        "CalibrationBins",
        [("prob_true", Floats), ("prob_pred", Floats), ("low", Floats), ("high", Floats), ("cases", Integers)],
    ),
):
    """The share of events in bins of probabilities, with simultaneous limits for all bins.

    Returned by :meth:`CalibrationResult.bins`.

    Parameters
    ----------
    prob_true, prob_pred : ndarray of shape (n_bins,)
        The share of events and the mean probability in each bin that contains cases, as returned by
        :func:`sklearn.calibration.calibration_curve`.
    low, high : ndarray of shape (n_bins,)
        The limits for the probability of an event.
    cases : ndarray of shape (n_bins,)
        The number of cases in each bin.
    """


class Miscalibration(
    Shown, NamedTuple("Miscalibration", [("low", float), ("high", float), ("direction", str), ("pvalue", float)])
):
    """A range of risks in which there are more events, or fewer, than predicted.

    Returned by :meth:`CalibrationResult.where`, in a list.

    Parameters
    ----------
    low, high : float
        The least and the largest risk of the range.
    direction : {"more", "fewer"}
        Whether there are more or fewer events than predicted.
    pvalue : float
        The p-value, adjusted for all ranges that were tested.
    """

    def __str__(self) -> str:
        risks = f"risks from {self.low:.3g} to {self.high:.3g}"
        p = f"p = {self.pvalue:.2g}" if self.pvalue >= SMALLEST_PVALUE else f"p < {SMALLEST_PVALUE:g}"
        return f"{risks}: {self.direction} events than predicted ({p})"


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationResult(Tabular):
    """The calibration of predicted probabilities, with a confidence band, tests and averages.

    Returned by :func:`bootstrap_calibration` and drawn by :class:`CalibrationConfidenceDisplay`.

    Parameters
    ----------
    proba : ndarray of shape (n_points,)
        The distinct probabilities, ascending.
    estimate : ndarray of shape (n_points,)
        The isotonic estimate of the probability of an event at each of them.
    events, cases : ndarray of shape (n_points,)
        The number of events and of cases at each probability.
    estimand : Estimand
        What the result estimates: results with the same estimand can be compared.
    belonging : object, default=None
        Labels, probabilities, importance weights, groups and folds, row by row; None if only counts are used.
    at_horizon : RatioResult, default=None
        ``observed_expected`` at a horizon; ``events`` are then weighted by 1/G.
    effective_cases : float, default=None
        With importance weights, as in every :class:`BootstrapResult`.

    Examples
    --------
    >>> from skcostci import bootstrap_calibration
    >>> calibration = bootstrap_calibration([0, 0, 0, 0, 0, 1] * 50, [0.1, 0.2, 0.3, 0.4, 0.6, 0.9] * 50)
    >>> calibration
    CalibrationResult(calibration, 300 cases, observed/expected 0.4, 95 % interval 0.3152 to 0.4877 by unseen_case)
    >>> calibration.confidence_band().high.round(2), round(calibration.pvalue(), 4)
    (array([0.04, 0.04, 0.04, 0.06, 0.13, 1.  ]), 0.0)
    >>> print(calibration.where()[0])
    risks from 0.1 to 0.9: fewer events than predicted (p < 1e-13)
    >>> calibration.bins(2).prob_true, round(calibration.intercept.estimate, 2)
    (array([0. , 0.5]), -1.83)
    """

    proba: Floats
    estimate: Floats
    events: Integers
    cases: Integers
    estimand: Estimand = field(kw_only=True, repr=False)
    belonging: tuple[Floats, Floats, Rows] | None = field(default=None, kw_only=True, repr=False)
    at_horizon: RatioResult | None = field(default=None, kw_only=True, repr=False)
    effective_cases: float | None = field(default=None, kw_only=True, repr=False)

    @property
    def is_exact(self) -> bool:
        """Whether there is a band: it has its coverage for any number of cases if the curve does not fall."""
        return self.belonging is None

    @property
    def band_methods(self) -> tuple[str, ...]:
        """The methods of ``confidence_band``, the default first; none with groups, folds or the like."""
        return BANDS if self.belonging is None else ()

    @cached_property
    def in_the_large(self) -> MeanDifferenceResult:
        """The mean of label minus probability: above 0 if events are more frequent than predicted."""
        label, proba, rows = self._rows
        ends = -float(self.proba[-1]), 1 - float(self.proba[0])
        parts = law_of_means(label - proba, rows, [ends], (-1.0, 1.0), SPREAD_ROUNDING, about=About(has_ends=True))
        estimand = replace(self.estimand, statistic="calibration_in_the_large", folds=rows.folds is not None)
        about = {**scheme_of(label - proba, rows), "effective_cases": self.effective_cases}
        return MeanDifferenceResult(*parts, quantity="in_the_large", estimand=estimand, **about)

    @cached_property
    def observed_expected(self) -> RatioResult:
        """The ratio of observed to expected events, O/E; an error where no event is expected."""
        if self.at_horizon is not None:
            return self.at_horizon
        if not self.proba.any():
            raise ValueError("observed_expected has no value: every probability is 0, so that no events are expected.")
        extremes = tuple((y, float(p)) for y in (0.0, 1.0) for p in (self.proba[0], self.proba[-1]))
        estimand = replace(self.estimand, statistic="observed_expected")
        found = ratio_of(*self._rows, extremes, (0.0, np.inf), estimand, ("y_true", "y_proba"), has_ends=True)
        return replace(found, effective_cases=self.effective_cases)

    @cached_property
    def slope(self) -> CalibrationSlopeResult:
        """The calibration slope, from a logistic regression of the event on the logit of the risk; 1 if calibrated.

        Below 1 the risks are too extreme, as those of an overfitted model. ``pvalue`` tests whether it is 1. The slope
        is infinite if no case with an event has a smaller risk than a case without one.
        """
        parts, about = self._of_logits(slope_of, "calibration_slope")
        return CalibrationSlopeResult(*parts, null=1.0, **about)

    @cached_property
    def intercept(self) -> CalibrationSlopeResult:
        """The calibration intercept given slope 1: how many logits risks are too low; its limits are exact."""
        parts, about = self._of_logits(intercept_of, "calibration_intercept")
        return CalibrationSlopeResult(*parts, null=0.0, **about)

    @cached_property
    def recalibration(self) -> RecalibrationResult:
        """Intercept and slope together: ``expit(intercept + slope * logit(risk))`` is the recalibrated risk."""
        parts, about = self._of_logits(recalibration_of, "recalibration")
        return RecalibrationResult(*parts, **about)

    def confidence_band(
        self, confidence_level: float = 0.95, *, method: str | None = None
    ) -> ConfidenceInterval[Floats]:
        """A simultaneous confidence band for the probability of an event at all predicted probabilities.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), for all probabilities jointly.
        method : {"clopper_pearson", "logistic"}, default=None
            None is "clopper_pearson", which assumes only that the probability of an event does not fall as the
            prediction rises; its coverage is proved for every number of cases. It shows the shape of the curve and has
            little power as a test: with 1,000 cases, risks twice as high as the truth stayed inside it in 42 of 43
            samples. "logistic" assumes a curve with two parameters, intercept and slope of the logit; it is 2.6 to 4
            times as narrow, and valid only if the probability follows such a curve. It leaves out risks of exactly 0
            and 1, where its limits are 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, of shape (n_points,), at each of ``proba``. Between two of these the lower limit of
            "clopper_pearson" is that of the smaller one, the upper limit that of the larger one.

        Warns
        -----
        UserWarning
            If the lower limit is above the upper one at some probability: at this level the probability of an event
            falls somewhere, the assumption is violated, and the band has no meaning.
        """
        self._check_alone("confidence_band")
        level = LEVEL("confidence_level", confidence_level)
        if method is not None and check_option("method", method, self.band_methods) == "logistic":
            return self._logistic_band(level)
        low, high = self._band(level)
        if (low > high).any():
            warn_caller(
                f"At {int((low > high).sum())} of {len(low)} probabilities the lower limit is above the upper one: "
                "in these cases the frequency of events decreases somewhere as the probability rises. Do the "
                "labels and the probabilities refer to the same class?",
                UserWarning,
            )
        return ConfidenceInterval(read_only(low), read_only(high))

    def pvalue(self, alternative: Alternative = "two-sided", *, null: None = None, method: str | None = None) -> float:
        """The p-value of the hypothesis that every risk is correct.

        Parameters
        ----------
        alternative : {"two-sided"}, default="two-sided"
            The alternative: some risk is not correct, in either direction. For risks that are too high, or too low, on
            average use ``in_the_large.pvalue``.
        null : None
            The hypothesis is that every risk is correct. To test a number use ``in_the_large``, ``observed_expected``
            or ``slope``.
        method : {"exact"}, default=None
            None is "exact"; with ``groups`` it is "hotelling".

        Returns
        -------
        float
            In [0, 1]. The test is exact for every number of cases and all risks, assuming only that cases are
            independent; :meth:`where` lists the ranges of risk that it combines. If only the mean matters,
            ``in_the_large`` has more power. It must not be used on the cases on which the model was fitted: the p-value
            is then too large. With ``groups`` it is Hotelling's F test of the groups' sums of label minus risk, and of
            this difference times the logit: of first order, for eight groups or more.
        """
        if check_alternative(alternative) != "two-sided":
            raise ValueError(
                f"alternative must be 'two-sided', got {alternative!r}: risks can be wrong in both directions. For "
                "one direction use in_the_large.pvalue(alternative)."
            )
        if null is not None:
            raise ValueError(
                f"null must be None, got {null!r}: the null hypothesis is that every probability is right. To "
                "compare with a number, use in_the_large, observed_expected or slope."
            )
        if method is not None:
            check_option("method", method, ("exact",) if self.belonging is None else ("hotelling",))
        return self._right.pvalue if self.belonging is None else self._pvalue_of_groups()

    def where(self, confidence_level: float = 0.95) -> list[Miscalibration]:
        """The ranges of risk in which there are significantly more events, or fewer, than predicted.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1): with at least this probability no range is listed in which all risks are correct.

        Returns
        -------
        list of Miscalibration
            The smallest p-values, adjusted for all tests, first. A range may lie inside another; the first may be the
            whole range. The list is empty if none is significant, even if ``pvalue`` is small because of the slope.
        """
        self._check_alone("where")
        alpha, right = 1 - LEVEL("confidence_level", confidence_level), self._right
        if right.is_impossible or right.information.sum() == 0:
            return []
        found = []
        for part in right.parts:
            adjusted = right.adjusted_of(part)
            if part.name != "slope" and adjusted <= alpha:
                low, high = self.proba[[part.first, part.last]].tolist()
                found.append(Miscalibration(low, high, "more" if part.more else "fewer", adjusted))
        return sorted(found, key=lambda each: each.pvalue)

    def bins(
        self, n_bins: int = 5, *, strategy: Strategy = "uniform", confidence_level: float = 0.95
    ) -> CalibrationBins:
        """The share of events in bins of probabilities, with limits that assume only independent cases.

        Parameters
        ----------
        n_bins : int, default=5
            From 1 to 10,000.
        strategy : {"uniform", "quantile"}, default="uniform"
            Bins of equal width, or with about equal numbers of cases, as in
            :func:`sklearn.calibration.calibration_curve`.
        confidence_level : float, default=0.95
            In (0, 1), for all bins jointly.

        Returns
        -------
        CalibrationBins
            An entry for each bin that contains cases, with Clopper and Pearson's limits for the mean probability of an
            event in the bin, each at an error probability divided by the number of bins.
        """
        self._check_alone("bins")
        count = Number(1, MOST_BINS).whole("n_bins", n_bins)
        check_option("strategy", strategy, Strategy)
        level, shares = LEVEL("confidence_level", confidence_level), np.linspace(0, 1, count + 1)
        edges = shares if strategy == "uniform" else _quantiles(self.proba, self.cases, shares)
        place = np.searchsorted(edges[1:-1], self.proba)
        summed = self.cases, self.events, self.proba * self.cases
        every = np.array([np.bincount(place, each, count) for each in summed])
        cases, events, sums = every[:, every[0] > 0]
        low, high = binomial_limits(events, cases, 1 - level)
        return frozen_tuple(CalibrationBins, events / cases, sums / cases, low, high, cases.astype(np.int64))

    def __repr__(self) -> str:
        name = f"{type(self).__name__}({self.estimand.name}, {int(self.cases.sum())} cases"
        name += f", {self.left_out} with risks of 0 or 1" * bool(self.left_out)
        if not self.proba.any():
            return f"{name}, no event expected, 95 % interval of the share of events from 0)"
        try:
            ratio = self.observed_expected
        except ValueError:  # probabilities near 0 have no ratio; the rest of the result is valid
            return f"{name})"
        return f"{name}, observed/expected {ratio.estimate:.4g}, {ratio._shown_interval()})"

    @property
    def _caption(self) -> str:
        given = "for all probabilities at once, if the chance of an event does not fall with them"
        return f"Limits of {self.estimand.name}: 95 % {given}, {named(BANDS[0])}." if self.is_exact else ""

    def _method(self, method: str | None) -> str:
        if method is not None:
            self._check_alone("method")
        return next(iter(self.band_methods), "") if method is None else check_option("method", method, BANDS)

    def _columns(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        return self._beside(None if self.belonging else self.confidence_band(level, method=method))

    def _printed(self) -> Mapping[str, ArrayLike]:
        return self._beside(None if self.belonging else ConfidenceInterval(*self._band(0.95)))

    def _beside(self, band: ConfidenceInterval[Floats] | None) -> Mapping[str, Any]:
        limits = {} if band is None else band._asdict()
        return {"proba": self.proba, "estimate": self.estimate, "cases": self.cases, **limits}

    def _logistic_band(self, level: float) -> ConfidenceInterval[Floats]:
        """Scheffe's band of a + b x at all x (chi-square, 2 degrees of freedom), 0 to 1 at infinite x; may raise."""
        risks = self._logistic_data.risks
        self._warn_left_out()
        if risks.reason or risks.separated:
            why = risks.reason or "the classes do not overlap"
            raise ValueError(f"method='logistic' needs a slope, which cannot be estimated from these cases ({why}).")
        a, b = risks.fitted()
        X = risks.design
        half = np.sqrt(-2 * np.log1p(-level) * ((X @ np.linalg.inv(risks.information(a, b))) * X).sum(axis=1))
        eta, low, high = X @ np.array([a, b]), np.zeros(len(self.proba)), np.ones(len(self.proba))
        low[self._has_logit], high[self._has_logit] = expit(eta - half), expit(eta + half)
        return ConfidenceInterval(read_only(low), read_only(high))

    def _pvalue_of_groups(self) -> float:
        """The p-value of Hotelling's F for the groups' sums of y - p and (y - p) x, with x the standardized logit."""
        label, proba, rows = self._rows
        _check_counted(rows, "pvalue", "in_the_large.pvalue")
        groups = np.asarray(rows.groups)
        n = int(groups.max()) + 1
        if n < FEWEST_GROUPS:
            raise ValueError(f"pvalue with groups needs at least {FEWEST_GROUPS} groups, got {n}.")
        x, errors = self._right.standardized[np.searchsorted(self.proba, proba)], rows.weights * (label - proba)
        sums = np.column_stack([np.bincount(groups, errors, n), np.bincount(groups, errors * x, n)])
        sums = sums if x.any() else sums[:, :1]
        k, mean, spread = sums.shape[1], sums.mean(axis=0), np.atleast_2d(np.cov(sums.T))
        square = n * float(mean @ np.linalg.pinv(spread) @ mean)
        return float(fdtrc(k, n - k, (n - k) / (k * (n - 1)) * square))

    @cached_property
    def _right(self) -> RightRisks:
        """The distribution of the events if every risk is right."""
        return RightRisks(self.proba, self.cases, self.events)

    @property
    def left_out(self) -> int:
        """The number of cases with risks of 0 or 1: ``slope``, ``intercept``, ``recalibration`` leave them out."""
        return int(self.cases[~self._has_logit].sum())

    @property
    def _has_logit(self) -> Booleans:
        return (self.proba > 0) & (self.proba < 1)

    def _warn_left_out(self) -> None:
        if self.left_out:
            warn_caller(
                f"Risks of exactly 0 or 1 have infinite logits: their cases ({self.left_out} of "
                f"{int(self.cases.sum())}) are left out of slope, intercept, recalibration and the logistic band.",
                UserWarning,
            )

    def _of_logits(self, fit: Callable[[RiskRows], Parts], statistic: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Coefficients of the logistic regression, and what their result says of them."""
        *parts, n_groups = fit(self._logistic_data)
        self._warn_left_out()
        estimand = replace(self.estimand, statistic=statistic)
        return tuple(parts), {"estimand": estimand, "n_groups": n_groups, "left_out": self.left_out}

    @property
    def _logistic_data(self) -> RiskRows:
        label, proba, rows = self._rows
        _check_counted(rows, "slope", "in_the_large and observed_expected")
        some, kept = self._has_logit, (proba > 0) & (proba < 1)
        groups = None if rows.groups is None else number_labels(rows.groups[kept])
        if groups is not None and not groups.any():
            raise ValueError("slope needs two groups or more with risks between 0 and 1.")
        counts = (each[some].astype(np.float64) for each in (self.cases, self.events))
        rows = replace(rows, weights=rows.weights[kept], groups=groups)
        return RiskRows(label[kept], logit(proba[kept]), Risks(logit(self.proba[some]), *counts), rows)

    def _band(self, level: float) -> tuple[Floats, Floats]:
        """The limits, even where the lower one is above the upper one; alpha stays below 1 if the level is tiny."""
        return monotone_band(self.events, self.cases, self._spans, min(1 - level, float(np.nextafter(1.0, 0.0))))

    @cached_property
    def _spans(self) -> Spans:
        return spans(self.cases)

    @property
    def _rows(self) -> tuple[Floats, Floats, Rows]:
        """Labels, probabilities and the number of cases with both; single rows if there are groups or folds."""
        if self.at_horizon is not None:
            raise ValueError("with a horizon only observed_expected is available, not in_the_large, slope and others.")
        if self.belonging is not None:
            return self.belonging
        label = np.repeat([1.0, 0.0], len(self.proba))
        weights = np.concatenate([self.events, self.cases - self.events])
        there = weights > 0
        return label[there], np.tile(self.proba, 2)[there], Rows(weights[there])

    def _check_alone(self, what: str) -> None:
        """Raise unless cases are independent, in one sample: binomial tails need this."""
        if self.belonging is not None:
            raise ValueError(
                f"{what} needs independent cases (no groups), in one sample; with groups, folds or importance "
                "weights use in_the_large and observed_expected, with a horizon the latter."
            )


@explains_calls
@described(SampleOptions)
def bootstrap_calibration(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    time: ArrayLike | None = None,
    horizon: float | None = None,
) -> CalibrationResult:
    """Calibration with a simultaneous confidence band for all probabilities, a p-value, and averages.

    >>> from skcostci import bootstrap_calibration
    >>> calibration = bootstrap_calibration([0, 0, 1, 0, 1, 1] * 20, [0.1, 0.2, 0.3, 0.4, 0.6, 0.9] * 20)
    >>> calibration
    CalibrationResult(calibration, 120 cases, observed/expected 1.2, 95 % interval 1.017 to 1.382 by unseen_case)
    >>> calibration.slope
    CalibrationSlopeResult(calibration_slope, estimate=2.17, standard_error=0.42, 95 % interval 1.338 to 3.002 by
    student)

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels; they may all be of one class.
    y_proba : array-like of shape (n_samples,)
        Probabilities of the positive class, in [0, 1].
    horizon : float, default=None
        With ``time``: the time by which the event is predicted; observed events are then those of Kaplan and Meier.

    Returns
    -------
    CalibrationResult
        With ``proba``, ``estimate`` (isotonic), ``events`` and ``cases`` at each distinct probability;
        ``confidence_band``, ``pvalue`` and ``where`` (exact tests that every risk is correct), ``bins`` and
        ``to_frame``; ``in_the_large``, the mean of label minus probability, and ``observed_expected``, the ratio of
        observed to expected events, by "unseen_case" (and the other methods of :func:`bootstrap_ratio`); and from a
        logistic regression on the logit of the risk ``slope`` and ``recalibration`` (intercept and slope fitted
        together, an interval for each), by "student", and ``intercept`` (given slope 1), by "poisson_binomial".

        With ``groups`` these five, by "extrapolated" (the first two have "unseen_group" too), and ``pvalue`` are
        available; with ``folds`` and importance weights ``in_the_large`` and ``observed_expected`` alone, with
        ``horizon`` the latter. The rest is exact for independent cases only, and is refused.

    Warns
    -----
    UserWarning
        By ``slope``, ``intercept``, ``recalibration`` and the logistic band, if some risks are exactly 0 or 1: these
        cases are left out, ``left_out`` of them.

    See Also
    --------
    CalibrationConfidenceDisplay : Draws the band.
    bootstrap_loss : The Brier score and the log loss.

    Notes
    -----
    **The band** assumes that cases are independent and that the chance of an event does not fall as the probability
    rises: then it contains the true curve with at least the confidence level, for any number of cases. **The p-value**
    is of the hypothesis that every risk is correct: exact tests of the number of all events, of the slope, and of
    events in up to 183 ranges of risk, a third of the level each, adjusted together by Bonferroni's method in Tarone's
    version; with ``groups`` Hotelling's F test.

    **The mean and the ratio** should not be trusted where probabilities outside the range of those in the sample may
    occur, **"student"** with fewer than ten events or with risks that are nearly all the same, **"poisson_binomial"**
    where the slope is far from 1. "student" uses the larger of two standard errors, that of the logistic model and one
    that is robust to a wrong model (HC3), with n - 2 degrees of freedom. :doc:`/user_guide/calibration` has more.

    References
    ----------
    D. R. Cox, Biometrika 45, 1958; R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46(2),
    1990; T. Dimitriadis, L. Duembgen, A. Henzi, M. Puke and J. Ziegel, "Honest calibration assessment for binary
    outcome predictions", Biometrika 110(3), 2023.
    """
    sample: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups}
    sample |= {"folds": folds, "pos_label": pos_label, "time": time}
    if time is not None or horizon is not None or has_times(y_true):
        at = check_horizons(horizon)
        censored = check_censored(y_true, {"y_proba": y_proba}, sample, horizon=at)
        belonging, ratio = calibration_at_horizon(censored, "y_proba", at)
        found = _by_risk(*belonging, replace(ratio.estimand, statistic="calibration"))
        return replace(found, belonging=belonging, at_horizon=ratio)
    labels, proba = check_label_column("y_true", y_true), check_proba("y_proba", check_finite("y_proba", y_proba))
    given = {"y_true": y_true, "y_proba": y_proba}
    rows = Rows.given(given, {"y_true": labels, "y_proba": proba}, **row_options(sample))
    positive, classes = check_outcomes(rows.of(labels), pos_label)
    check_positive_column("y_proba", y_proba, classes)
    return weighed(_calibrated(positive, rows.of(proba), rows, classes[1]), sample, CalibrationResult)


def calibration_of(cases: Cases, column: str, *, part: str) -> BootstrapResult[float]:
    """One of the numbers of the calibration, by its name there, of a column of checked cases."""
    if part != "observed_expected":
        _check_counted(cases.rows, f"calibration_{part}", "observed_expected")
    proba = check_proba(column, np.asarray(cases.columns[column], dtype=np.float64))
    found: BootstrapResult[float] = getattr(_calibrated(cases.positive, proba, cases.rows, cases.labels[1]), part)
    return found


def _calibrated(positive: Booleans, proba: Floats, rows: Rows, pos_label: Label) -> CalibrationResult:
    found = _by_risk(positive, proba, rows, Estimand("calibration", positive=pos_label))
    alone = rows.folds is None and rows.stand_alone
    return found if alone else replace(found, belonging=(positive.astype(np.float64), proba, rows))


def _by_risk(observed: Floats | Booleans, proba: Floats, rows: Rows, estimand: Estimand) -> CalibrationResult:
    """Cases and events at each distinct risk, and the isotonic estimate, which weights could take beyond 1."""
    points, place = np.unique(proba, return_inverse=True)
    cases = np.bincount(place, rows.weights).astype(rows.weights.dtype)
    events = np.bincount(place, rows.weights * observed).astype(np.result_type(rows.weights, observed))
    estimate = np.minimum(isotonic_regression(events / cases, weights=cases).x, 1.0)
    numbers = (read_only(np.asarray(each)) for each in (points, estimate, events, cases))
    return CalibrationResult(*numbers, estimand=estimand)


def _check_counted(rows: Rows, what: str, instead: str) -> None:
    if rows.folds is not None:
        raise ValueError(f"{what} needs a single sample; with folds use {instead}.")
    if rows.has_importance:
        raise ValueError(f"{what} needs whole-number counts of cases; with importance weights use {instead}.")


def _quantiles(values: Floats, counts: Integers, shares: Floats) -> Floats:
    """Numpy's quantiles of values with these counts."""
    ends = np.cumsum(counts)
    place = shares * (ends[-1] - 1)
    before = values[np.searchsorted(ends, np.floor(place), side="right")]
    after = values[np.searchsorted(ends, np.ceil(place), side="right")]
    return np.asarray(before + (place - np.floor(place)) * (after - before))


def slope_of(data: RiskRows) -> Parts:
    """The slope; plus or minus infinity if the risks separate the classes, undefined if ``risks`` has a reason."""
    risks = data.risks
    if risks.reason:
        return np.nan, _nowhere(risks.reason), STUDENT, None
    if towards := risks.separated:
        infinite = CoefficientLaw(risks, towards * np.inf)
        return infinite.mean, infinite, STUDENT, None
    (_, b), (_, law), methods, n_groups = coefficients_of(data)
    return float(b), law, methods, n_groups


def intercept_of(data: RiskRows) -> Parts:
    if not data.risks.n:
        return np.nan, _nowhere(data.risks.reason), EXACT, None
    law = intercept_law(data.risks)
    if data.rows.groups is None or not np.isfinite(law.mean):
        return law.mean, law, EXACT, None
    psi = (data.label - expit(law.mean + data.x)) / (data.risks.information(law.mean, 1.0)[0, 0] / data.risks.n)
    return _of_groups(data, psi, law.mean)


def recalibration_of(data: RiskRows) -> Parts:
    if data.risks.reason or data.risks.separated:
        why = data.risks.reason or "the classes do not overlap"
        return np.full(2, np.nan), _nowhere(why, 2), STUDENT, None
    estimate, laws, methods, n_groups = coefficients_of(data)
    return estimate, SideBySide(laws), methods, n_groups


def coefficients_of(data: RiskRows) -> Parts:
    """Intercept and slope, where they are finite, with a law for each."""
    risks = data.risks
    estimate = a, b = risks.fitted()
    if data.rows.groups is None:
        laws = tuple(CoefficientLaw(risks, *each) for each in zip(estimate, risks.variances(a, b), strict=True))
        return np.array(estimate), laws, STUDENT, None
    X = np.column_stack([np.ones_like(data.x), data.x])
    influences = np.linalg.inv(risks.information(a, b) / risks.n) @ (X * (data.label - expit(X @ estimate))[:, None]).T
    each = [_of_groups(data, *pair) for pair in zip(influences, estimate, strict=True)]
    return np.array(estimate), tuple(law for _, law, *_ in each), *each[0][2:]


def _of_groups(data: RiskRows, psi: Floats, value: float) -> Parts:
    """A coefficient with influences psi, as a mean of groups."""
    ends, rounding = (float(psi.min() + value), float(psi.max() + value)), SPREAD_ROUNDING * float(np.abs(psi).max())
    _, law, methods = law_of_means(psi + value, data.rows, [ends], (-np.inf, np.inf), rounding)
    return value, law, methods, data.rows.n_groups


def _nowhere(reason: str, *shape: int) -> PartlyDefinedLaw:
    """The law of coefficients that have no value."""
    ends, defined = (np.full(shape, -np.inf), np.full(shape, np.inf)), np.zeros(shape, dtype=bool)
    return PartlyDefinedLaw(None, defined, (reason,) * defined.size, ends)
