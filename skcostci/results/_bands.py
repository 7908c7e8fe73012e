"""Bands: limits that hold at all points of a curve at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from skcostci._validation import check_confidence_level, check_option
from skcostci.intervals._bands import BANDS, Curve
from skcostci.intervals._method import ConfidenceInterval
from skcostci.intervals._methods import METHODS
from skcostci.results._results import BootstrapResult


@dataclass(frozen=True, repr=False, eq=False)
class BandedResult(BootstrapResult):
    """A result at the points of a curve.

    ``band_methods`` names the methods of ``confidence_band``, the default first.
    """

    band_methods: tuple[str, ...] = field(kw_only=True)
    curve: Curve = field(kw_only=True, repr=False)

    def confidence_band(self, confidence_level: float = 0.95, *, method: str | None = None) -> ConfidenceInterval:
        """A band that holds at all points at once, with this probability.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1), of all points together.
        method : str, default=None
            One of ``band_methods``; None is the first of them, the default.

            - "equal_levels": whatever the rates of each class may be if all of them, at all thresholds, keep within
              Clopper-Pearson limits at the level that is exact for them together. Proved: with this
              probability they do if scores are continuous, and with at least this one if there are ties; so the band
              holds at any thresholds, those chosen on these cases included.
            - "kolmogorov": the same with limits a constant distance from the observed rates, the quantile of the
              Kolmogorov-Smirnov statistic. Wider where rates are near 0 and 1, a little narrower at 1/2.
            - "path" (costs and differences at thresholds): the default pointwise interval at the stricter level that a
              Gaussian path of this length needs (Hotelling 1939, Naiman 1986). Proved for Gaussian estimates of known
              correlation, so valid for many cases and thresholds that are given; for few cases and for thresholds that
              these cases chose it was only simulated; there it is at least as wide as the default interval.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, of the shape of the estimate, inside the parameter's range.

        Raises
        ------
        ValueError
            For a level outside (0, 1) or an unknown method; the message names the valid ones.

        Notes
        -----
        The classes are independent, and each gets the square root of the level; two models share what a class gets.
        The level that is exact for all rates of a class together is the probability that a Poisson process stays
        between two boundaries (Moscovich & Nadler 2017), solved up to 100 cases; for more it is read off a surface
        fitted to it, too strict by less than 5e-5 of itself up to a million cases.

        References
        ----------
        G. Campbell, "Advances in statistical methodology for the evaluation of diagnostic and laboratory tests",
        Statistics in Medicine, 1994.

        A. Moscovich and B. Nadler, "Fast calculation of boundary crossing probabilities for Poisson processes",
        Statistics & Probability Letters, 2017.

        D. Q. Naiman, "Conservative confidence bands in curvilinear regression", Annals of Statistics, 1986.

        Examples
        --------
        >>> from skcostci import bootstrap_cost
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> cost = bootstrap_cost(y_true, y_score, probability_cost=[0.2, 0.5], thresholds=0.5)
        >>> low, high = cost.confidence_band(0.9, method="equal_levels")
        >>> low.round(3), high.round(3)
        (array([0.002, 0.002]), array([0.872, 0.872]))
        """
        level = check_confidence_level(confidence_level)
        record = BANDS[self._band_method(method)]
        limits = record.limits(self.curve, self.law, METHODS[self._pointwise], float(self._alpha(level, "less")))
        low, high = (np.clip(limit, *self.law.support) for limit in limits)
        return ConfidenceInterval(self._shaped(low), self._shaped(high))

    @property
    def _pointwise(self) -> str:
        """The default interval method at given thresholds."""
        return self.methods[self.selected]

    def _band_method(self, method: str | None) -> str:
        """The band asked for, or the default."""
        return self.band_methods[0] if method is None else check_option("method", method, self.band_methods)
