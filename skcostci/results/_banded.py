"""Results along a curve: bands that cover all points at once, and two rates with the rectangle of both.

Also the threshold at which a rate of one class has a given value, by order statistics of that class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skcostci._shown import Shown
from skcostci._validation._arguments import LEVEL, check_option
from skcostci.intervals import BANDS, METHODS
from skcostci.intervals._bands import Curve
from skcostci.intervals._method import ConfidenceInterval
from skcostci.intervals._order_statistics import rank_above, rank_below
from skcostci.results._estimand import Estimand, Tabular, points_in_words
from skcostci.results._results import BootstrapResult, named


@dataclass(frozen=True, repr=False, eq=False)
class BandedResult(BootstrapResult):
    """A result at the points of a curve, with simultaneous confidence bands for all points.

    In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    band_methods : tuple of str
        The methods of ``confidence_band``, the default first.
    curve : object
        What simultaneous bands are computed from; None for means over folds, which have no band.

    See Also
    --------
    bootstrap_cost, bootstrap_roc_at_fpr, bootstrap_roc_at_threshold : Functions that return one.
    ConfidenceInterval : The limits of a band.

    Examples
    --------
    >>> from skcostci import bootstrap_cost
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> cost = bootstrap_cost(y_true, y_score, probability_cost=[0.2, 0.5], thresholds=0.5)
    >>> low, high = cost.confidence_band(0.9, method="equal_levels")
    >>> cost.band_methods, low.round(3), high.round(3)
    (('path', 'equal_levels', 'kolmogorov'), array([0.002, 0.002]), array([0.872, 0.872]))
    """

    band_methods: tuple[str, ...] = field(kw_only=True)
    curve: Curve | None = field(kw_only=True, repr=False)

    def confidence_band(self, confidence_level: float = 0.95, *, method: str | None = None) -> ConfidenceInterval:
        """A simultaneous confidence band: with this confidence it contains the true values at all points.

        It contains the default interval at each point.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), for all points jointly.
        method : str, default=None
            One of ``band_methods``; None is the first of them, the default.

            - "equal_levels": all values that are possible while the rates of each class, at all thresholds, are within
              Clopper-Pearson limits; the pointwise level of these limits is the one at which they cover all thresholds
              jointly with the stated probability. Proved: the joint coverage of these limits is exact if scores are
              continuous, and at least the level if there are ties. So the band is valid at any thresholds, also those
              chosen on these cases.
            - "kolmogorov": the same with limits at a constant distance from the observed rates, the quantile of the
              Kolmogorov-Smirnov statistic. Wider where rates are near 0 or 1, a little narrower at 1/2.
            - "path" (costs and differences at thresholds): the default pointwise interval at a higher level, from the
              volume-of-tube bound for the length of a Gaussian path (Hotelling 1939, Naiman 1986). Proved for Gaussian
              estimates of known correlation, so valid with many cases at given thresholds; with few cases, and at
              thresholds chosen on these cases, its coverage was only simulated.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, of the shape of the estimate, inside the parameter's range.

        Notes
        -----
        The classes are independent, and each gets the square root of the level; for two models the error probability of
        a class is divided between them. The level for all rates of a class jointly is the probability that a Poisson
        process stays between two boundaries (Moscovich & Nadler 2017). It is computed for up to 100 cases; for more it
        is interpolated by a fitted surface, conservative with a relative error below 5e-5 up to a million cases.

        References
        ----------
        G. Campbell, "Advances in statistical methodology for the evaluation of diagnostic and laboratory tests",
        Statistics in Medicine, 1994.

        A. Moscovich and B. Nadler, "Fast calculation of boundary crossing probabilities for Poisson processes",
        Statistics & Probability Letters, 2017.

        D. Q. Naiman, "Conservative confidence bands in curvilinear regression", Annals of Statistics, 1986.
        """
        level = LEVEL("confidence_level", confidence_level)
        if self.curve is None:
            if not self.estimand.folds:
                raise ValueError("simultaneous bands need whole cases: with importance weights pass band='pointwise'.")
            raise ValueError("simultaneous bands are not available for means over folds: leave folds out to get one.")
        band = self.band_methods[0] if method is None else check_option("method", method, self.band_methods)
        pointwise = METHODS[self.methods[self.selected]]
        limits = BANDS[band].limits(self.curve, self.law, pointwise, float(self._alpha(level, "less")))
        low, high = (np.clip(limit, *self.law.support) for limit in limits)
        # It has to contain the default interval, which allows for a chosen threshold, and in small classes for more.
        alone = self.confidence_interval(level)
        return ConfidenceInterval(self._shaped(np.minimum(low, alone.low)), self._shaped(np.maximum(high, alone.high)))


class ConfidenceRegion(Shown, NamedTuple("_Region", [("fpr", ConfidenceInterval), ("tpr", ConfidenceInterval)])):
    """Rectangles of false- and true-positive rates (or of their differences), one per point.

    Returned by :meth:`ThresholdROCResult.confidence_region`.

    Parameters
    ----------
    fpr, tpr : ConfidenceInterval
        The two sides of the rectangles, as floats or arrays with one entry per point.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_threshold
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_threshold(y_true, y_score, thresholds=0.5).confidence_region(0.9)
    ConfidenceRegion(fpr=ConfidenceInterval(low=0.006, high=0.804), tpr=ConfidenceInterval(low=0.196, high=0.994))
    """

    def _columns(self) -> Mapping[str, ArrayLike]:
        low, high = (np.concatenate([np.atleast_1d(each[end]) for each in self]) for end in (0, 1))
        return {"statistic": np.repeat(self._fields, len(low) // 2), "low": low, "high": high}


@dataclass(frozen=True, repr=False, eq=False)
class RatesResult(Tabular):
    """The part that results of one model and of a pair share: two results for the same thresholds."""

    fpr: BandedResult = field(repr=False)
    tpr: BandedResult = field(repr=False)

    @property
    def estimand(self) -> Estimand:
        """What the result estimates: both rates, at thresholds."""
        return replace(self.tpr.estimand, statistic="roc_at_threshold")

    @property
    def is_exact(self) -> bool:
        """Whether the distributions of both rates are exact rather than of first order or normal."""
        return self.fpr.is_exact and self.tpr.is_exact

    @property
    def methods(self) -> tuple[str, ...]:
        """The interval methods of both rates, the default first."""
        return self.fpr.methods

    @property
    def band_methods(self) -> tuple[str, ...]:
        """The methods of ``confidence_band``, the default first."""
        return self.fpr.band_methods

    @property
    def n_groups(self) -> int | None:
        """How many groups of cases were resampled as a whole; None where cases are independent."""
        return self.fpr.n_groups

    @property
    def scheme(self) -> tuple[str, ...]:
        """("groups",) if whole groups of cases were resampled, else ()."""
        return self.fpr.scheme

    @property
    def selected(self) -> bool:
        """Whether the threshold was chosen on these cases; the default interval, "chosen", then allows for that."""
        return self.fpr.selected

    def confidence_region(self, confidence_level: float = 0.95, *, method: str | None = None) -> ConfidenceRegion:
        """A joint confidence rectangle for both rates, at each point.

        The classes are resampled independently, so that each side at the square root of the level gives the joint
        level.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Confidence level of each rectangle, in (0, 1); pointwise, without adjustment for several thresholds.
        method : str, default=None
            One of ``methods``; None is the first of them.

        Returns
        -------
        ConfidenceRegion
            ``fpr`` and ``tpr``, each a ConfidenceInterval with ``low`` and ``high``.
        """
        side = _each_side(confidence_level)
        return ConfidenceRegion(*(rate.confidence_interval(side, method=method) for rate in (self.fpr, self.tpr)))

    def confidence_band(self, confidence_level: float = 0.95, *, method: str | None = None) -> ConfidenceRegion:
        """A simultaneous band of rectangles that contain both rates at all points.

        The classes are independent, so that each rate's band at the square root of the level gives the joint level.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Confidence level of all rectangles jointly, in (0, 1).
        method : str, default=None
            One of ``band_methods``; None is the first of them. See :meth:`BandedResult.confidence_band`, also for what
            is proved about their coverage.

        Returns
        -------
        ConfidenceRegion
            As returned by :meth:`confidence_region`.
        """
        side = _each_side(confidence_level)
        return ConfidenceRegion(*(rate.confidence_band(side, method=method) for rate in (self.fpr, self.tpr)))

    def __repr__(self) -> str:
        shape = np.shape(self.fpr.estimate)
        parts = [self.estimand.name, *points_in_words(self.fpr._points(), shape[0] if shape else None)]
        for name, rate in (("fpr", self.fpr), ("tpr", self.tpr)):
            least, most = np.min(rate.estimate), np.max(rate.estimate)
            estimate = f"{name} {least:.4g} to {most:.4g}" if shape else f"{name}={least:.4g}"
            parts.append(f"{estimate} ({rate._shown_interval()})")
        return f"{type(self).__name__}({', '.join(parts)})"

    @property
    def _caption(self) -> str:
        together = "region_ those of both, each point's 95 % rectangle"
        return f"Limits of {self.estimand.name}: 95 % of each rate, {together}, {named(self.fpr.methods[0])}."

    def _columns(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        parts = []
        for rate, (low, high) in zip((self.fpr, self.tpr), self.confidence_region(level, method=method), strict=True):
            every = {**rate._points(), "statistic": rate.estimand.name, **rate._columns(level, method)}
            every |= {"region_low": low, "region_high": high}
            shape = np.shape(np.atleast_1d(low))
            parts.append({name: np.broadcast_to(values, shape) for name, values in every.items()})
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _each_side(confidence_level: float) -> float:
    """The level of each of two independent sides that hold together at this level; kept below 1."""
    return float(min(LEVEL("confidence_level", confidence_level) ** 0.5, np.nextafter(1.0, 0.0)))


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdFound(BootstrapResult):
    """A result at the threshold where a share of one class is labelled positive."""

    scores: Any = field(kw_only=True, repr=False)  # scores of the class: their total, and score_of(ranks)
    _share_above: ClassVar[str]  # the field with that share

    def threshold_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """A confidence interval for the threshold that gives the stated rate in the population.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, scores of the class whose rate was given; infinite where there are too few cases for a
            limit on that side. Pointwise.

        Notes
        -----
        The limits are order statistics. With the n scores of the class in descending order and B ~ Bin(n, rate),
        ``high`` is the l-th score, l the largest with P(B <= l - 1) <= alpha / 2, and ``low`` the u-th, u the smallest
        with P(B >= u) <= alpha / 2. Each limit fails to cover with at most that probability, whatever the distribution
        of scores, ties included.

        References
        ----------
        H. A. David and H. N. Nagaraja, "Order Statistics", 3rd edition, 2003, section 7.1.
        """
        alpha = (1 - LEVEL("confidence_level", confidence_level)) / 2
        if self.scores is None:
            raise ValueError("threshold_interval needs independent cases: leave out groups, folds, importance weights.")
        rate, n = np.ravel(getattr(self, self._share_above)), self.scores.total
        low, high = (self.scores.score_of(rank(n, rate, alpha)) for rank in (rank_below, rank_above))
        return ConfidenceInterval(self._shaped(low), self._shaped(high))
