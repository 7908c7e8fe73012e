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

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from skcostci._frozen import Comparable
from skcostci._options import Alternative
from skcostci._validation._arguments import Number
from skcostci.compare._differences import TITLES, ModelDifferences, Pairwise, points_of
from skcostci.intervals._method import ConfidenceInterval
from skcostci.intervals._rank_mover import joint_distance
from skcostci.results._estimand import Estimand, Tabular
from skcostci.results._paired_results import ComparedResult
from skcostci.results._results import BootstrapResult

GapKind = Literal["difference", "ratio"]
GAPS = ("difference", "ratio")
METHODS = ("mover_log",)
LOWEST_CONFIDENCE, HIGHEST_CONFIDENCE = 1e-9, 1 - 1e-12  # between which an interval is inverted to a p-value


class ModelRatio(NamedTuple):
    """The ratio of two models' values, a / b, with the correlation of these in their joint bootstrap distribution."""

    a: BootstrapResult
    b: BootstrapResult
    difference: ComparedResult
    correlation: float
    methods: tuple[str, ...] = METHODS
    is_exact: bool = False

    @property
    def estimand(self) -> Estimand:
        return self.a.estimand

    @property
    def estimate(self) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.float64(self.a.estimate) / np.float64(self.b.estimate))

    def _points(self) -> Mapping[str, ArrayLike]:
        other = self.b._points()
        return {name: value for name, value in self.a._points().items() if other.get(name) == value}

    def confidence_interval(self, level: float, **_: object) -> tuple[float, float]:
        """The interval of this ratio on its own, [0, inf] where it is undefined."""
        if np.isnan(self.estimate):
            return 0.0, np.inf
        a, b = float(self.a.estimate), float(self.b.estimate)
        (a_low, a_high), (b_low, b_high) = (each.confidence_interval(level) for each in (self.a, self.b))
        # Rounding may take the correlation of identical models above 1.
        decorrelation = max(1 - self.correlation, 0.0)
        low = _log_limit((a, float(a_low)), (b, float(b_high)), decorrelation)
        high = _log_limit((b, float(b_low)), (a, float(a_high)), decorrelation)
        high = np.inf if high == 0 else 1 / high
        # On the same cases the interval contains the values that follow from that of A - B.
        if decorrelation < 1 and b > 0:
            d_low, d_high = self.difference.confidence_interval(level)
            low, high = min(low, 1 + float(d_low) / b), max(high, 1 + float(d_high) / b)
        return max(low, 0.0), high

    def pvalue(self, alternative: Alternative, *, null: float, **_: object) -> float:
        """The p-value by inverting the interval: 1 minus the confidence at which the null is one of its limits."""
        value, estimate = Number(0, np.inf, "()")("null", null), self.estimate
        if value == 1:
            return float(self.difference.pvalue(alternative))
        if np.isnan(estimate):
            return 1.0

        def inside(confidence: float) -> float:
            """How far the null is inside the interval, on the log scale; negative outside."""
            limits = self.confidence_interval(confidence)
            # A limit of 0 gets a finite log too, as the root-finder needs.
            low, high = np.log(np.maximum(limits, np.finfo(float).tiny))
            return float(min(np.log(value) - low, high - np.log(value)))

        if inside(LOWEST_CONFIDENCE) >= 0:
            both = 1.0
        elif inside(HIGHEST_CONFIDENCE) < 0:
            both = 1 - HIGHEST_CONFIDENCE
        else:
            both = 1 - float(brentq(inside, LOWEST_CONFIDENCE, HIGHEST_CONFIDENCE, xtol=1e-12))
        if alternative == "two-sided":
            return both
        claimed = (estimate > value) == (alternative == "greater")
        return both / 2 if claimed else 1 - both / 2


@dataclass(frozen=True, repr=False, eq=False)
class ModelRatios(Pairwise):
    """Ratios of two models' values, or of two subgroups', with limits adjusted for multiple comparisons.

    The ``ratios`` of a :class:`ModelComparison`.

    Parameters
    ----------
    names : tuple of str
        What each ratio is: ``"a / b"``.
    parts : tuple
        Each ratio separately, with the results of its two models.
    differences : ModelDifferences
        The differences of the same pairs, whose adjustment is used.

    Attributes
    ----------
    estimate : ndarray of shape (n_ratios,)
        Each ratio on the data as given: infinite if only the denominator is 0, NaN for 0 / 0 or undefined values.

    Examples
    --------
    >>> from skcostci import compare_models
    >>> y_true, y_pred = [1] * 20, {"a": [1] * 15 + [0] * 5, "b": [1] * 12 + [0] * 8}
    >>> ratios = compare_models(y_true, y_pred, "recall").ratios
    >>> ratios.to_frame()[["model", "reference", "estimate", "low", "high", "method"]].round(3)
      model reference  estimate   low   high     method
    0     a         b      1.25  0.86  1.792  mover_log
    """

    differences: ModelDifferences = field(repr=False)
    _sign = "/"
    _null = 1.0

    @property
    def _family(self) -> ModelDifferences:
        return self.differences

    @property
    def _caption(self) -> str:
        adjusted = TITLES[self.differences.adjustment]
        return f"Limits of ratios of {self.estimand.name}: 95 %, {adjusted}, MOVER of logs."

    def _about(self, level: float, method: str | None) -> Mapping[str, Any]:
        return {**super()._about(level, method), "statistic": f"{self.estimand.name} ratio"}

    def _figures(self) -> Mapping[str, ArrayLike]:
        return {**points_of(self.parts), "estimate": self.estimate}


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
    >>> gap.estimate, gap.largest, gap.smallest, gap.confidence_interval()
    (0.5, 'u', 'w', ConfidenceInterval(low=0.284, high=0.682))
    """

    kind: GapKind
    estimate: float
    largest: str
    smallest: str
    pairs: Pairwise = field(repr=False)

    methods = ("all_pairs",)
    is_exact = False  # the limits follow from the intervals of all pairs

    @property
    def estimand(self) -> Estimand:
        """What each model's result estimates."""
        return self.pairs.estimand

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
        """
        # All pairs at once: which two models are extreme is only known from the same data.
        low, high = self.pairs.confidence_interval(confidence_level, simultaneous=True)
        known = self.pairs.defined
        low, high = np.asarray(low)[known], np.asarray(high)[known]
        if self.kind == "difference":
            return ConfidenceInterval(float(max(0.0, low.max(), (-high).max())), float(max(high.max(), (-low).max())))
        with np.errstate(divide="ignore"):
            least, most = min(low.min(), (1 / high).min()), min(1.0, high.min(), (1 / low).min())
        return ConfidenceInterval(float(least), float(most))

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
        return {**super()._about(level, method), "statistic": f"{self.estimand.name} gap ({self.kind})"}

    def _columns(self, level: float, _method: str | None) -> Mapping[str, ArrayLike]:
        low, high = self.confidence_interval(level)
        each = {"largest": self.largest, "smallest": self.smallest, "estimate": self.estimate, "low": low, "high": high}
        return {name: np.array([value]) for name, value in each.items()}
