"""Ratios of models' values, and the gap between the largest and the smallest.

**Ratios.** The limits of A / B come from those of A and of B on the log scale (MOVER; Zou and Donner, 2008). With the
correlation r of both values and

    x = log A - log A_low,        y = log B_high - log B,

log (A / B)_low is log A - log B - sqrt(x^2 + y^2 - 2 r x y), and 1 / (A / B)_high is the lower limit of B / A. If
A_low is 0 the lower limit is 0; if B_low is 0 the upper one is infinite.

On the same cases r may be near 1 and the square root near 0, even where the interval of the difference A - B is not
short: r is uninformative about an additional case on which the two models differ. As A / B = 1 + (A - B) / B, the
limits are therefore widened to contain ``1 + D_low / B`` and ``1 + D_high / B``, with D_low and D_high the limits of A
- B.

**The gap.** The limits of all differences, or ratios, hold together at the confidence level given. The largest value
minus the smallest is then at least the largest of their lower limits, and 0, and at most the largest of their upper
limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import Comparable, read_only
from skcostci._options import Alternative
from skcostci._validation._arguments import check_alternative, check_confidence_level, check_number, check_option
from skcostci.compare._differences import TITLES, ModelDifferences, in_words
from skcostci.intervals._method import ConfidenceInterval
from skcostci.intervals._rank_mover import joint_distance
from skcostci.results._estimand import Estimand, Tabular
from skcostci.results._results import BootstrapResult

if TYPE_CHECKING:
    import pandas as pd

GapKind = Literal["difference", "ratio"]
GAPS = ("difference", "ratio")
METHODS = ("mover_log",)
LOWEST_CONFIDENCE, HIGHEST_CONFIDENCE = 1e-9, 1 - 1e-12  # between which an interval is inverted to a p-value


@dataclass(frozen=True, repr=False, eq=False)
class ModelRatios(Tabular):
    """Ratios of two models' values, or of two subgroups', with limits adjusted for multiple comparisons.

    The ``ratios`` of a :class:`ModelComparison`.

    Parameters
    ----------
    pairs : tuple of (int, int)
        The positions of the two models of each ratio: the first is divided by the second.
    models : tuple of str
        Their names.
    results : tuple of BootstrapResult
        Each model's own result.
    differences : ModelDifferences
        The differences of the same pairs.
    correlations : ndarray of shape (n_ratios,)
        Correlation of the two models' values in the joint bootstrap distribution.

    Examples
    --------
    >>> from skcostci import compare_models
    >>> y_true, y_pred = [1] * 20, {"a": [1] * 15 + [0] * 5, "b": [1] * 12 + [0] * 8}
    >>> ratios = compare_models(y_true, y_pred, "recall").ratios
    >>> ratios.names, ratios.estimate
    (('a / b',), array([1.25]))
    """

    pairs: tuple[tuple[int, int], ...]
    models: tuple[str, ...]
    results: tuple[BootstrapResult, ...] = field(repr=False)
    differences: ModelDifferences = field(repr=False)
    correlations: Floats = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """What each ratio is: ``"a / b"``."""
        return tuple(f"{self.models[i]} / {self.models[j]}" for i, j in self.pairs)

    @property
    def estimand(self) -> Estimand:
        """What each model's result estimates."""
        return self.results[0].estimand

    @property
    def is_exact(self) -> bool:
        """Always False: the limits combine the intervals of the two models."""
        return False

    @property
    def estimate(self) -> Floats:
        """Each ratio on the data as given: infinite if only the denominator is 0, NaN for 0 / 0 or undefined values."""
        values = np.array([float(result.estimate) for result in self.results])
        with np.errstate(divide="ignore", invalid="ignore"):
            return read_only(np.array([values[i] / values[j] for i, j in self.pairs]))

    @property
    def defined(self) -> Booleans:
        """Which ratios have a value."""
        return read_only(~np.isnan(self.estimate))

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool | None = None
    ) -> ConfidenceInterval:
        """An interval for each ratio.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1): of all intervals jointly if they are simultaneous, of each interval if not.
        simultaneous : bool, default=None
            Whether the intervals are simultaneous; None as for the differences (see
            :meth:`ModelDifferences.confidence_interval`).

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, arrays with one entry per ratio, in [0, inf].

        Examples
        --------
        >>> from skcostci import compare_models
        >>> y_true, y_pred = [1] * 20, {"a": [1] * 15 + [0] * 5, "b": [1] * 12 + [0] * 8}
        >>> low, high = compare_models(y_true, y_pred, "recall").ratios.confidence_interval()
        >>> low.round(3), high.round(3)
        (array([0.86]), array([1.792]))
        """
        level = self.differences._level(check_confidence_level(confidence_level), simultaneous)
        limits = [self._limits(place, level) for place in range(len(self.pairs))]
        return ConfidenceInterval(*(read_only(np.array(ends)) for ends in zip(*limits, strict=True)))

    def pvalue(
        self, alternative: Alternative = "two-sided", *, null: float | None = None, method: str | None = None
    ) -> Floats:
        """The adjusted p-value of each ratio.

        Parameters
        ----------
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            The alternative hypothesis: a ratio is not ``null``, is below it, or is above it.
        null : float, default=None
            What the ratios are compared with, above 0: 0.8 for the four-fifths rule. None is 1, where the p-values are
            those of the differences.
        method : {"mover_log"}, default=None
            The interval method whose inversion gives the p-value; there is only this one.

        Returns
        -------
        ndarray of shape (n_ratios,)
            In [0, 1].

        Examples
        --------
        >>> from skcostci import compare_models
        >>> y_true, y_pred = [1] * 20, {"a": [1] * 15 + [0] * 5, "b": [1] * 12 + [0] * 8}
        >>> compare_models(y_true, y_pred, "recall").ratios.pvalue("greater", null=0.8).round(3)
        array([0.009])
        """
        check_alternative(alternative)
        if method is not None:
            check_option("method", method, METHODS)
        value = 1.0 if null is None else check_number("null", null, above=0.0)
        if value == 1:
            return self.differences.pvalue(alternative)
        single = np.array([self._single_pvalue(place, alternative, value) for place in range(len(self.pairs))])
        defined = self.defined
        if defined.any():
            single[defined] = self.differences._adjusted(single[defined], alternative == "two-sided")
        return read_only(single)

    def to_frame(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """The ratios as a pandas DataFrame.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Confidence level of the limits, as in :meth:`confidence_interval`.

        Returns
        -------
        pandas.DataFrame
            One row per ratio: ``model``, ``reference``, ``estimate``, ``low``, ``high`` and the adjusted ``p`` against
            1; then ``statistic``, ``confidence_level`` and ``method``.

        Examples
        --------
        >>> from skcostci import compare_models
        >>> y_true, y_pred = [1] * 20, {"a": [1] * 15 + [0] * 5, "b": [1] * 12 + [0] * 8}
        >>> compare_models(y_true, y_pred, "recall").ratios.to_frame()[["model", "reference", "estimate", "method"]]
          model reference  estimate     method
        0     a         b      1.25  mover_log
        """
        return self._frame(confidence_level, None)

    def __repr__(self) -> str:
        low, high = self.confidence_interval()
        rows = zip(self.names, self.estimate, np.ravel(low), np.ravel(high), self.pvalue(), strict=True)
        listed = ", ".join(f"{name} {value:.3g} [{a:.3g}, {b:.3g}], p={p:.2g}" for name, value, a, b, p in rows)
        (what, _), adjusted = in_words(self.results), TITLES[self.differences.adjustment]
        return f"{type(self).__name__}({what}: {listed}; 95 % intervals by mover_log, {adjusted})"

    _compared = Comparable._compared

    @property
    def _caption(self) -> str:
        return f"Limits of ratios of {self.estimand.name}: 95 %, {TITLES[self.differences.adjustment]}, MOVER of logs."

    def _about(self, level: float, method: str | None) -> Mapping[str, Any]:
        return {**super()._about(level, method), "statistic": f"{self.estimand.name} ratio", "method": "mover_log"}

    def _columns(self, level: float, _method: str | None) -> Mapping[str, ArrayLike]:
        low, high = self.confidence_interval(level)
        model, reference = zip(*((self.models[i], self.models[j]) for i, j in self.pairs), strict=True)
        numbers = {"estimate": self.estimate, "low": low, "high": high, "p": self.pvalue()}
        return {"model": model, "reference": reference, **numbers}

    def _limits(self, place: int, level: float) -> tuple[float, float]:
        """The interval of one ratio on its own, [0, inf] where it is undefined."""
        (i, j), estimate = self.pairs[place], float(self.estimate[place])
        if np.isnan(estimate):
            return 0.0, np.inf
        a, b = (float(self.results[k].estimate) for k in (i, j))
        (a_low, a_high), (b_low, b_high) = (self.results[k].confidence_interval(level) for k in (i, j))
        decorrelation = max(1 - float(self.correlations[place]), 0.0)  # rounding may take r of identical models above 1
        low = _log_limit((a, float(a_low)), (b, float(b_high)), decorrelation)
        high = _log_limit((b, float(b_low)), (a, float(a_high)), decorrelation)
        high = np.inf if high == 0 else 1 / high
        if decorrelation < 1 and b > 0:  # on the same cases: contain the values from the interval of A - B
            d_low, d_high = self.differences.parts[place].confidence_interval(level)
            low, high = min(low, 1 + float(d_low) / b), max(high, 1 + float(d_high) / b)
        return max(low, 0.0), high

    def _single_pvalue(self, place: int, alternative: Alternative, null: float) -> float:
        """The p-value by inverting the interval: 1 minus the confidence at which the null is one of its limits."""
        if np.isnan(self.estimate[place]):
            return 1.0

        def inside(confidence: float) -> float:
            """How far the null is inside the interval, on the log scale; negative outside."""
            limits = self._limits(place, confidence)
            low, high = np.log(np.maximum(limits, np.finfo(float).tiny))  # a limit of 0 has a finite log too
            return float(min(np.log(null) - low, high - np.log(null)))

        if inside(LOWEST_CONFIDENCE) >= 0:
            both = 1.0
        elif inside(HIGHEST_CONFIDENCE) < 0:
            both = 1 - HIGHEST_CONFIDENCE
        else:
            both = 1 - float(brentq(inside, LOWEST_CONFIDENCE, HIGHEST_CONFIDENCE, xtol=1e-12))
        if alternative == "two-sided":
            return both
        claimed = (self.estimate[place] > null) == (alternative == "greater")
        return both / 2 if claimed else 1 - both / 2


def _log_limit(numerator: tuple[float, float], denominator: tuple[float, float], decorrelation: float) -> float:
    """The lower limit of A / B, from A and A_low, B and B_high, and 1 - r."""
    (a, a_low), (b, b_high) = numerator, denominator
    if a_low <= 0 or a <= 0 or not np.isfinite(b_high):
        return 0.0
    if b <= 0:  # B has no logarithm: use the two worst limits
        return a_low / b_high
    distance = joint_distance(np.log(a / a_low), np.log(b_high / b), decorrelation)
    return float(np.exp(np.log(a / b) - distance))


@dataclass(frozen=True, repr=False, eq=False)
class ModelGap(Tabular):
    """The largest value of all models or subgroups minus the smallest, or the smallest over the largest.

    Returned by :meth:`ModelComparison.gap`.

    Parameters
    ----------
    kind : {"difference", "ratio"}
        Which of the two.
    estimate : float
        The gap on the data as given, over the models that have a value.
    largest, smallest : str
        The names of the models, or subgroups, with the largest and the smallest value.
    pairs : ModelDifferences or ModelRatios
        Ratios or differences of all pairs, with simultaneous limits.

    Examples
    --------
    >>> from skcostci import compare_groups
    >>> y_true, y_pred, by = [0, 1] * 60, [0, 1, 0, 1, 0, 0] * 20, ["u", "v", "w"] * 40
    >>> gap = compare_groups(y_true, y_pred, by, "accuracy").gap()
    >>> gap.estimate, gap.largest, gap.smallest
    (0.5, 'u', 'w')
    """

    kind: GapKind
    estimate: float
    largest: str
    smallest: str
    pairs: ModelDifferences | ModelRatios = field(repr=False)

    @property
    def estimand(self) -> Estimand:
        """What each model's result estimates."""
        return self.pairs.estimand

    @property
    def is_exact(self) -> bool:
        """Always False: the limits follow from the intervals of all pairs."""
        return False

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval[float]:
        """An interval for the gap. Its lower limit is 0 (for a ratio the upper one 1) if no two are shown to differ.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``: from 0 for differences, in [0, 1] for ratios.

        Examples
        --------
        >>> from skcostci import compare_groups
        >>> y_true, y_pred, by = [0, 1] * 60, [0, 1, 0, 1, 0, 0] * 20, ["u", "v", "w"] * 40
        >>> compare_groups(y_true, y_pred, by, "accuracy").gap("ratio").confidence_interval()
        ConfidenceInterval(low=0.318, high=0.695)
        """
        low, high = self.pairs.confidence_interval(confidence_level, simultaneous=True)
        known = self.pairs.defined
        low, high = np.asarray(low)[known], np.asarray(high)[known]
        if self.kind == "difference":
            return ConfidenceInterval(float(max(0.0, low.max(), (-high).max())), float(max(high.max(), (-low).max())))
        with np.errstate(divide="ignore"):
            return ConfidenceInterval(
                float(min(low.min(), (1 / high).min())), float(min(1.0, high.min(), (1 / low).min()))
            )

    def __float__(self) -> float:
        return self.estimate

    def __repr__(self) -> str:
        low, high = self.confidence_interval()
        what = f"{self.largest} - {self.smallest}" if self.kind == "difference" else f"{self.smallest} / {self.largest}"
        said = f"{what} {self.estimate:.4g}, 95 % interval {low:.4g} to {high:.4g}"
        return f"{type(self).__name__}({self.estimand.name}, {said})"

    _compared = Comparable._compared

    @property
    def _caption(self) -> str:
        return "95 % limits from all pairs at once."

    @property
    def _has_axis(self) -> bool:
        return False

    def _about(self, level: float, method: str | None) -> Mapping[str, Any]:
        return {
            **super()._about(level, method),
            "statistic": f"{self.estimand.name} gap ({self.kind})",
            "method": "all_pairs",
        }

    def _columns(self, level: float, _method: str | None) -> Mapping[str, ArrayLike]:
        low, high = self.confidence_interval(level)
        each = {"largest": self.largest, "smallest": self.smallest, "estimate": self.estimate, "low": low, "high": high}
        return {name: np.array([value]) for name, value in each.items()}

    def to_frame(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """The gap as a pandas DataFrame of one row.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Confidence level of the limits.

        Returns
        -------
        pandas.DataFrame
            ``largest``, ``smallest``, ``estimate``, ``low``, ``high``, ``statistic``, ``confidence_level``, ``method``.

        Examples
        --------
        >>> from skcostci import compare_groups
        >>> y_true, y_pred, by = [0, 1] * 60, [0, 1, 0, 1, 0, 0] * 20, ["u", "v", "w"] * 40
        >>> compare_groups(y_true, y_pred, by, "accuracy").gap().to_frame()[["largest", "smallest", "estimate"]]
          largest smallest  estimate
        0       u        w       0.5
        """
        return self._frame(confidence_level, None)


def gap_of(kind: GapKind, models: Sequence[str], values: Floats, pairs: ModelDifferences | ModelRatios) -> ModelGap:
    """The gap among the models that have a value."""
    most, least = int(np.nanargmax(values)), int(np.nanargmin(values))
    if kind == "difference":
        estimate = float(values[most] - values[least])
    else:
        estimate = float(values[least] / values[most]) if values[most] > 0 else np.nan
    return ModelGap(kind, estimate, models[most], models[least], pairs)
