"""Results: an estimate and its bootstrap distribution, which give intervals, probabilities, tables and p-values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Floats
from skcostci._frozen import Numbers, NumbersT, frozen_numbers, read_only, tuple_of_numbers
from skcostci._options import Alternative, Label
from skcostci._shown import Shown
from skcostci._validation._arguments import ANY, FINITE, LARGEST_COST, LEVEL, Number, check_alternative, check_option
from skcostci._warnings import warn_caller
from skcostci.intervals import METHODS
from skcostci.intervals._method import ConfidenceInterval, ExactLaw, Law, Method
from skcostci.results._estimand import DegenerateLawWarning, Estimand, Tabular, lacks_whole_law, points_in_words, unless

MOST_VALUES = 1_000_000  # values of a law computed in one call
ROUNDING = 1e-12  # as a share of the width of the parameter's range
FIGURES = ("estimate", "standard_error")
PROXIED = ", had every case a checked label; checked cases drawn at random"
ResultT = TypeVar("ResultT", bound="BootstrapResult")


class _VarianceParts(NamedTuple, Generic[NumbersT]):
    cases: NumbersT
    levels: NumbersT


@tuple_of_numbers
class VarianceParts(Shown, _VarianceParts[NumbersT]):
    """The variance components of a mean over crossed levels: of cases (or groups), and of levels.

    Parameters
    ----------
    cases, levels : float or ndarray of shape (n_points,)
        The variance due to cases and that due to levels; they add up to the square of the standard error.

    See Also
    --------
    BootstrapResult.variance_parts : Returns them.

    Examples
    --------
    >>> from skcostci import bootstrap_mean
    >>> right = [1, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1]
    >>> question, judge = [0, 1, 2, 3] * 3, ["a"] * 4 + ["b"] * 4 + ["c"] * 4
    >>> parts = bootstrap_mean(right, least=0, most=1, groups=question, crossed=judge).variance_parts
    >>> round(parts.cases, 4), round(parts.levels, 4)
    (0.0052, 0.0556)
    """


class ProxyUse(NamedTuple):
    """The weight of a proxy, a ratio of two ``terms``; the number of checked cases, and their result ``alone``."""

    weight: float | Floats
    n_checked: int
    alone: BootstrapResult
    terms: tuple[Floats, Floats]


@dataclass(frozen=True, repr=False, eq=False)
class BootstrapResult(Tabular, Generic[NumbersT]):
    """An estimate with its bootstrap distribution and interval methods: what every result has.

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        The value on the data as given.
    law : object
        The bootstrap distribution of the estimate.
    methods : tuple of str
        The interval methods, the default first.
    estimand : Estimand
        What the result estimates: results with the same estimand can be compared.
    n_groups : int, default=None
        How many groups of cases were resampled as a whole; None where cases are independent.
    fold_estimates : ndarray of shape (n_folds, ...), default=None
        The estimate in each fold, in the order in which the folds occur; None without folds.
    effective_cases : float, default=None
        With importance weights (``weight_type="importance"``): Kish's effective number of equally weighted cases, the
        square of the sum of the weights divided by the sum of their squares. None where weights count cases.
    levels : tuple, default=None
        With ``crossed=`` the names of the levels (readers, judges, seeds), in order; None without.
    proxy : tuple, default=None
        With ``proxy=`` how the proxy was used; see ``proxy_weight``, ``n_checked`` and ``checked_alone``. None without.

    See Also
    --------
    bootstrap_auc, bootstrap_cost, bootstrap_metric : Functions that return a result.
    ConfidenceInterval : The limits of an interval.

    Examples
    --------
    >>> from skcostci import bootstrap_auc
    >>> auc = bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    >>> auc.confidence_interval(0.9), round(auc.confidence_interval(0.9, alternative="greater").low, 3)
    (ConfidenceInterval(low=0.403, high=0.997), 0.482)
    >>> round(auc.pvalue(), 3), round(auc.pvalue("greater", null=0.6), 3)
    (0.231, 0.23)
    >>> auc.to_frame(0.9)[["estimate", "low", "high", "method"]].round(3)
       estimate    low   high       method
    0     0.875  0.403  0.997  unseen_case
    >>> data = auc.to_dict(0.9)
    >>> data["method"], data["estimate"]
    ('unseen_case', 0.875)
    """

    estimate: NumbersT
    law: Law = field(repr=False)
    methods: tuple[str, ...]
    estimand: Estimand = field(kw_only=True, repr=False)
    n_groups: int | None = field(default=None, kw_only=True, repr=False)
    fold_estimates: Floats | None = field(default=None, kw_only=True, repr=False)
    effective_cases: float | None = field(default=None, kw_only=True, repr=False)
    levels: tuple[Label, ...] | None = field(default=None, kw_only=True, repr=False)
    proxy: ProxyUse | None = field(default=None, kw_only=True, repr=False)
    _figures: ClassVar[tuple[str, ...]] = FIGURES  # names of the printed figures

    @property
    def mean(self) -> NumbersT:
        """The mean of the bootstrap distribution."""
        return self._shaped(self.law.mean)

    @property
    def standard_error(self) -> NumbersT:
        """The standard deviation of the bootstrap distribution."""
        return self._shaped(np.sqrt(self.law.variance))

    @property
    def defined(self) -> bool | NDArray[np.bool_]:
        """Whether the statistic has a value, at each point; where it is undefined, the interval is the whole range."""
        known = ~np.isnan(self.estimate)
        return known if np.ndim(known) else bool(known)

    @property
    def is_exact(self) -> bool:
        """Whether the distribution, or its known moments, are exact, not a first-order or normal approximation."""
        return bool(self.law.is_exact)

    @property
    def by_level(self) -> Floats | None:
        """The estimate at each of the ``levels``, shape (n_levels, ...); ``estimate`` is their mean."""
        each = getattr(self.law, "by_level", None)
        return None if each is None else read_only(each.reshape(-1, *np.shape(self.estimate)))

    @property
    def variance_parts(self) -> VarianceParts[NumbersT] | None:
        """With ``crossed=`` the parts of the variance that are due to cases and to levels, ``(cases, levels)``."""
        parts = getattr(self.law, "variance_parts", None)
        return None if parts is None else VarianceParts(*map(self._shaped, parts))

    @property
    def proxy_weight(self) -> float | Floats | None:
        """With ``proxy=`` the weight of the proxy's labels, from 0 (they have no effect) to 1, at each point."""
        return None if self.proxy is None else self.proxy.weight

    @property
    def n_checked(self) -> int | None:
        """With ``proxy=`` the number of cases with a checked label."""
        return None if self.proxy is None else self.proxy.n_checked

    @property
    def checked_alone(self) -> Self | None:
        """With ``proxy=`` the result from the checked cases only, without the proxy."""
        return None if self.proxy is None else cast("Self", self.proxy.alone)

    @property
    def scheme(self) -> tuple[str, ...]:
        """Which of "groups", "folds", "crossed", "multi_class" apply; () for independent cases of two classes."""
        of = self.estimand
        several = of.multi_class is not None or of.average is not None or "label" in dict(of.axis)
        holds = {"groups": self.n_groups is not None, "folds": of.folds, "crossed": of.crossed, "multi_class": several}
        return tuple(name for name, applies in holds.items() if applies)

    @property
    def selected(self) -> bool:
        """Whether a threshold was chosen on these cases; the default interval, "chosen", then allows for the choice."""
        return "chosen" in self.methods

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str | None = None, alternative: Alternative = "two-sided"
    ) -> ConfidenceInterval[NumbersT]:
        """A confidence interval for the true value, pointwise where there are several points.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        method : str, default=None
            One of ``methods``; None is the first of them, the default.
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            "less" gives an upper limit only and "greater" a lower one; the other end is the parameter's bound.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, of the shape of the estimate, inside the parameter's range.

        Warns
        -----
        DegenerateLawWarning
            If the method gives an interval of zero width although the true value is uncertain, as "wald" does at an AUC
            of 1.
        """
        level = LEVEL("confidence_level", confidence_level)
        check_option("alternative", alternative, Alternative)
        record, alpha = METHODS[self._method(method)], self._alpha(level, alternative)
        least, most = map(np.asarray, record.support(self.law))
        if alternative == "two-sided":
            low, high = (self._inside(record, limit) for limit in record.limits(self.law, alpha))
        else:
            low = least if alternative == "less" else self._inside(record, record.one_sided(self.law, alpha, -1))
            high = most if alternative == "greater" else self._inside(record, record.one_sided(self.law, alpha, 1))
        # Where the range is a single value an interval without width is right.
        collapsed = np.equal(low, high) & np.less(least, most)
        if collapsed.any():
            where = f" at {int(collapsed.sum())} of {collapsed.size} points" if collapsed.size > 1 else ""
            what = f"interval has zero width{where}, but the true value may differ from both limits."
            way = "" if record.name == self.methods[0] else f" method={self.methods[0]!r} is wider."
            warn_caller(f"The {record.name!r} {what}{way}", DegenerateLawWarning)
        return ConfidenceInterval(self._shaped(low), self._shaped(high))

    def pvalue(
        self, alternative: Alternative = "two-sided", *, null: float | None = None, method: str | None = None
    ) -> NumbersT:
        """The p-value by inverting the interval: p < alpha exactly when the interval at 1 - alpha excludes ``null``.

        Parameters
        ----------
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            The alternative hypothesis: the true value differs from ``null``, is less, or is greater.
        null : float, default=None
            The value under the null hypothesis, in the range of the parameter. None is 0 for a difference and 0.5 for
            an AUC, the value of a model that ranks at random; for any other quantity it must be given. Of a difference
            a - b ``null=-margin`` with ``alternative="greater"`` tests that a is not lower than b by the margin or more
            (non-inferiority).
        method : str, default=None
            The interval method that is inverted, one of ``methods``; None is the default. "percentile" compares
            ``null`` with the raw bootstrap distribution, P(D >= null) for "less" and P(D <= null) for "greater", exact
            however small; it is not to be trusted where two models seldom disagree (up to 0.8 of true hypotheses are
            rejected at 0.05). "wald" and "delong" compare the distance from ``null`` in standard errors with the normal
            distribution.

        Returns
        -------
        float or ndarray of shape (n_points,)
            In [0, 1], pointwise, without adjustment for several points. "two-sided" is twice the smaller of the others,
            at most 1 (for "rank_beta", whose two-sided limits are computed separately, it may be larger). "less" and
            "greater" add up to 1 where the distribution is continuous. It is 1 where the statistic is undefined.

        Notes
        -----
        The p-value is in closed form for Gaussian methods, for quantiles of exact distributions and for "unseen_case"
        of costs and rates at thresholds; for the other methods the level is found numerically (Chandrupatla's method),
        to 10 digits of its normal quantile. Quantiles resolve ties at 1e-12: where a tail of the distribution is
        smaller than that, the p-value is more accurate than the intervals.
        """
        check_alternative(alternative)
        null = self._null if null is None else null
        if null is None:
            raise ValueError("null must be given, as in pvalue(null=0.5): AUCs (0.5), differences (0) have a default.")
        record = METHODS[self._method(method)]
        least, most = record.support(self.law)
        inside_range = Number(max(float(np.min(least)), -LARGEST_COST), min(float(np.max(most)), LARGEST_COST))
        value = inside_range("null", null)
        p = record.pvalue(self.law, value, alternative, lambda limits: self._inside(record, limits))
        # A value that is undefined contradicts no null.
        return self._shaped(np.where(np.isnan(self.estimate), 1.0, p))

    @property
    def _null(self) -> float | None:
        return self.estimand.chance

    def __float__(self) -> float:
        if np.size(self.estimate) != 1:
            raise TypeError(f"only a single estimate can be converted to a number, got {np.size(self.estimate)}.")
        return float(np.asarray(self.estimate).item())

    def __round__(self, ndigits: int | None = None) -> float:
        return round(float(self), ndigits) if ndigits is not None else round(float(self))

    def __format__(self, specification: str) -> str:
        return format(float(self), specification) if specification else repr(self)

    def __repr__(self) -> str:
        shape, interval = np.shape(self.estimate), self._shown_interval()
        if not np.any(self.defined):
            estimate = self._undefined_because()[0] or "undefined"
        elif shape:
            some = "" if np.all(self.defined) else f", undefined at {np.sum(~np.asarray(self.defined))}"
            estimate = f"estimate {np.nanmin(self.estimate):.4g} to {np.nanmax(self.estimate):.4g}{some}"
        else:
            estimate = ", ".join(f"{name}={getattr(self, name):.4g}" for name in self._figures)
        return f"{type(self).__name__}({self._what}, {estimate}, {interval})"

    @property
    def _what(self) -> str:
        n_points = len(self.estimate) if isinstance(self.estimate, np.ndarray) else None
        return ", ".join([self.estimand.name, *points_in_words(self._points(), n_points)])

    def _shown_interval(self) -> str:
        """The default limits in words, for several points the outermost, and their method."""
        shown = self._shown()
        low, high = np.min(shown["low"]), np.max(shown["high"])
        several = "s within" if np.ndim(self.estimate) else ""
        return f"95 % interval{several} {low:.4g} to {high:.4g} by {self._method(None)}"

    @property
    def _caption(self) -> str:
        level = "pointwise 95 %" if np.ndim(self.estimate) else "95 %"
        of_whom = ", for other cases and other levels of crossed=" * self.estimand.crossed
        of_whom += PROXIED * self.estimand.proxy
        return f"Limits of {self.estimand.name}: {level}, {named(self._method(None))}{of_whom}."

    def _printed(self) -> Mapping[str, ArrayLike]:
        return self._columns(0.95, None, self._figures)

    def _columns(self, level: float, method: str | None, figures: tuple[str, ...] = FIGURES) -> Mapping[str, ArrayLike]:
        low, high = self.confidence_interval(level, method=method)
        columns = {name: getattr(self, name) for name in figures} | {"low": low, "high": high}
        notes = {} if np.all(self.defined) else {"note": np.array(self._undefined_because())}
        shape, every = np.shape(np.atleast_1d(self.estimate)), {**self._points(), **columns, **notes}
        return {name: np.broadcast_to(np.atleast_1d(values), shape) for name, values in every.items()}

    def _undefined_because(self) -> tuple[str, ...]:
        """Notes in tables: the reason for each point without a value, an empty text for others."""
        reasons = getattr(self.law, "reasons", ("",) * np.size(self.estimate))  # a law that has points without a value
        return tuple(f"undefined ({why})" if why else "" for why in reasons)

    def _axis(self) -> dict[str, Numbers]:
        """The values that distinguish the points, by column name."""
        return dict(getattr(self, "axis", {}))

    def _points(self) -> Mapping[str, Numbers]:
        """The values of ``_axis``, the horizons, and those that are one number for all points."""
        along = ("horizon",) * np.ndim(self.estimate)
        known = {name: value for name, value in self.estimand.axis if isinstance(value, float) or name in along}
        return {**known, **self._axis()}

    def _alpha(self, level: float, alternative: Alternative) -> Floats:
        outside = (1 - level) / 2 if alternative == "two-sided" else 1 - level
        # 1 minus a level next to 0 is rounded to 1, a tail probability at which quantiles are infinite.
        return np.asarray(min(outside, np.nextafter(1.0, 0.0)))

    def _inside(self, record: Method, limits: Floats) -> Floats:
        """A method's limits clipped to the parameter's range, and snapped to 0 or the estimate within rounding."""
        least, most = record.support(self.law)
        unit = np.subtract(most, least)
        # Only where it is needed: some laws take longer for the variance than for limits.
        if not np.isfinite(unit).all():
            deviation = np.sqrt(self.law.variance)
            unit = np.where(np.isfinite(unit), unit, np.where(np.isfinite(deviation), deviation, 1.0))
        limits = np.clip(limits, least, most)
        # Infinite limits of an infinite estimate are left as they are: their difference is NaN.
        with np.errstate(invalid="ignore"):
            for value in (0.0, np.reshape(self.estimate, np.shape(limits))):
                limits = np.where(np.abs(limits - value) <= ROUNDING * unit, value, limits)
        return limits

    def _shaped(self, values: ArrayLike) -> NumbersT:
        """Values in the estimate's shape, read-only; a float for a single point."""
        return cast("NumbersT", frozen_numbers(values, np.shape(self.estimate)))


@dataclass(frozen=True, repr=False, eq=False)
class ExactResult(BootstrapResult[NumbersT]):
    """A result whose whole bootstrap distribution is known exactly."""

    law: ExactLaw = field(repr=False)

    @unless(lacks_whole_law)
    def cdf(self, x: ArrayLike) -> Numbers:
        """The exact bootstrap distribution function: the probability that the statistic of a resample is at most x.

        Parameters
        ----------
        x : float or array-like
            Broadcast against the points (the last axis).

        Returns
        -------
        float or ndarray
            In [0, 1], also for infinite x.
        """
        x = ANY.all("x", x)
        # Laws have no values beyond the largest cost: there the answer is that at infinity.
        within_range = np.where(np.abs(x) <= LARGEST_COST, x, np.copysign(np.inf, x))
        return self._broadcast("x", within_range, lambda each: np.clip(self.law.cdf(each), 0, 1))

    @unless(lacks_whole_law)
    def quantile(self, q: ArrayLike) -> Numbers:
        """The quantile of the exact bootstrap distribution: the smallest x with P(X <= x) >= q - 1e-12.

        Parameters
        ----------
        q : float or array-like
            Probabilities in [0, 1], broadcast against the points (the last axis).

        Returns
        -------
        float or ndarray
            Attainable values of the statistic.
        """
        return self._broadcast("q", Number(0, 1).all("q", q), self.law.quantile)

    def _broadcast(self, name: str, values: Floats, function: Callable[[Floats], ArrayLike]) -> Numbers:
        points = np.shape(self.estimate)
        if not values.size:
            raise ValueError(f"{name} must contain at least one value, got an array of shape {values.shape}.")
        if values.shape[-1:] not in ((), (1,), points) and np.size(self.estimate) > 1:
            raise ValueError(f"The last axis must have length 1 or {points[0]}, one per point, got {values.shape}.")
        shape = np.broadcast_shapes(values.shape, points)
        if (n_values := math.prod(shape)) > MOST_VALUES:
            raise ValueError(f"{name} must have at most {MOST_VALUES:,} values over all points, got {n_values:,}.")
        everywhere = np.broadcast_to(values, shape)
        each = everywhere if np.size(self.estimate) > 1 else everywhere[..., None]
        return frozen_numbers(function(each), shape)


def named(method: str) -> str:
    return f"method {method!r} ({METHODS[method].title})"


THRESHOLDS = ("threshold_a", "threshold_b")  # names of columns


class JointLaw(Law, Protocol):
    """The law of a difference of two models, with the joint moments of their values."""

    @property
    def covariance(self) -> Floats | float: ...

    @property
    def correlation(self) -> Floats | float: ...


class _Equivalence(NamedTuple, Generic[NumbersT]):
    above_low: NumbersT
    below_high: NumbersT
    both: NumbersT


@tuple_of_numbers
class Equivalence(Shown, _Equivalence[NumbersT]):
    """The p-values of an equivalence test: that a difference lies above one margin, below another, and between them.

    Returned by :meth:`AUCDifferenceResult.equivalence`.

    Parameters
    ----------
    above_low, below_high : float or ndarray of shape (n_points,)
        One-sided p-values against the margins.
    both : float or ndarray of shape (n_points,)
        The larger of the two.

    Examples
    --------
    >>> import numpy as np
    >>> from skcostci import bootstrap_cost_difference
    >>> y_true, y_score = np.repeat([0, 1], 50), np.tile(np.arange(50) / 50, 2)
    >>> difference = bootstrap_cost_difference(y_true, y_score, y_score, probability_cost=0.5, thresholds=0.5)
    >>> round(difference.equivalence(-0.1, 0.1).both, 4)
    0.0003
    """


@dataclass(frozen=True, repr=False, eq=False)
class ComparedResult(BootstrapResult[NumbersT]):
    """A difference between two models, a - b, with the tests that belong to its intervals."""

    _null: ClassVar = 0.0

    def _shown_interval(self) -> str:
        interval = super()._shown_interval()
        return interval if np.ndim(self.estimate) else f"{interval}, p={np.asarray(self._shown()['p']).item():.2g}"

    def _printed(self) -> Mapping[str, ArrayLike]:
        return {**super()._printed(), "p": np.atleast_1d(self.pvalue())}

    def equivalence(self, low: float, high: float, *, method: str | None = None) -> Equivalence[NumbersT]:
        """Test whether the difference is above one margin, below another, and between them.

        Two one-sided tests (TOST): the difference is between the margins at level alpha when both reject, that is when
        the interval at level 1 - 2 alpha lies between them.

        Parameters
        ----------
        low, high : float
            The margins, in the range of the parameter, ``low < high``.
        method : str, default=None
            One of ``methods``; None is the default.

        Returns
        -------
        Equivalence
            ``above_low``, ``below_high`` and ``both``, floats or arrays of shape (n_points,).
        """
        check_margins(low, high)
        above = self.pvalue("greater", null=low, method=method)
        below = self.pvalue("less", null=high, method=method)
        return Equivalence(above, below, self._shaped(np.maximum(above, below)))


def check_margins(low: float, high: float) -> None:
    if not FINITE("low", low) < FINITE("high", high):
        raise ValueError(f"low must be less than high, got low={low!r} and high={high!r}.")


@dataclass(frozen=True, repr=False, eq=False)
class MomentDifferenceResult(ComparedResult[float]):
    """A single difference between two models, a - b, with only the moments of its bootstrap distribution known."""

    law: JointLaw = field(repr=False)

    @property
    def covariance(self) -> float:
        """The bootstrap covariance of the two models' values."""
        return self._shaped(self.law.covariance)

    @property
    def correlation(self) -> float:
        """The bootstrap correlation of the two models' values, in [-1, 1]; 0 where either has no variance."""
        return self._shaped(self.law.correlation)

    @property
    def statistic(self) -> float:
        """The estimate divided by its standard error; 0 if the estimate is 0, else infinite if the error is 0."""
        mean, error = np.asarray(self.law.mean), np.sqrt(self.law.variance)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._shaped(np.where(mean == 0, 0.0, mean / error))


@dataclass(frozen=True, repr=False, eq=False)
class DifferenceResult(ComparedResult[NumbersT], ExactResult[NumbersT]):
    """A difference between two models, a - b, whose whole bootstrap distribution is known exactly."""

    law: ExactLaw = field(repr=False)

    @unless(lacks_whole_law)
    def probabilities(self) -> tuple[NumbersT, NumbersT, NumbersT]:
        """The exact bootstrap probabilities P(D < 0), P(D = 0) and P(D > 0) of the difference; P(D = 0) is often large.

        Returns
        -------
        below : float or ndarray of shape (n_points,)
            The probability that the difference in a resample is below 0; the three sum to 1.
        zero : float or ndarray of shape (n_points,)
            The probability that it is 0.
        above : float or ndarray of shape (n_points,)
            The probability that it is above 0.
        """
        below, zero, above = self.law.tails(np.zeros(len(self.law.mean)))
        return self._shaped(below), self._shaped(zero), self._shaped(above)
