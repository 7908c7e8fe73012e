"""Differences, ratios and the gap of models' values, with p-values and limits adjusted for multiplicity.

**Ratios.** The limits of A / B come from those of A and of B on the log scale (MOVER; Zou and Donner, 2008). With the
correlation r of both values and

    x = log A - log A_low,        y = log B_high - log B,

log (A / B)_low is log A - log B - sqrt(x^2 + y^2 - 2 r x y), and 1 / (A / B)_high is the lower limit of B / A. If
A_low is 0 the lower limit is 0; if B_low is 0 the upper one is infinite.

On the same cases r may be near 1 and the square root near 0, even where the interval of the difference A - B is not
short: r is uninformative about an additional case on which the two models differ. As A / B = 1 + (A - B) / B, the
limits are therefore widened to contain ``1 + D_low / B`` and ``1 + D_high / B``, with D_low and D_high the limits of A
- B.

**The gap.** The intervals of all differences, or ratios, jointly contain the true values at the given confidence level.
The largest value minus the smallest is then at least the largest of their lower limits, and 0, and at most the largest
of their upper limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, SupportsFloat, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import Comparable, Numbers, read_only
from skcostci._options import Adjustment, Alternative
from skcostci._validation._arguments import LEVEL, Number, check_alternative
from skcostci.compare._contrasts import LargestDeviate, correlation, holm
from skcostci.intervals._method import ConfidenceInterval, last_inside
from skcostci.intervals._rank_beta import joint_distance
from skcostci.results._estimand import Estimand, Tabular, points_in_words
from skcostci.results._results import BootstrapResult, ComparedResult, Equivalence, check_margins, named

TITLES = {"max_t": "adjusted by max-t", "holm": "Holm's p-values, Bonferroni's limits", "none": "not adjusted"}
HIGHEST = float(np.nextafter(1.0, 0.0))  # the largest level or risk below 1
GapKind = Literal["difference", "ratio"]
LOWEST_CONFIDENCE, HIGHEST_CONFIDENCE = 1e-15, 1 - 1e-12  # between which an interval is inverted to a p-value


class Several(Tabular):
    """Several results side by side: those of models, or of their comparisons."""

    _compared = Comparable._compared  # compares every field, not only what is printed

    @property
    def _parts(self) -> tuple[Any, ...]:
        raise NotImplementedError

    @property
    def methods(self) -> tuple[str, ...]:
        """The interval methods that all results have; ``method=None`` takes the default method of each."""
        first, *others = (part.methods for part in self._parts)
        return tuple(name for name in first if all(name in methods for methods in others))

    @property
    def estimand(self) -> Estimand:
        """What each result estimates, or for ratios that of each of their models."""
        return cast("Estimand", self._parts[0].estimand)

    @property
    def is_exact(self) -> bool:
        """Whether the distributions of all results, or their known moments, are exact; never so for ratios."""
        return all(part.is_exact for part in self._parts)

    @property
    def estimate(self) -> Floats:
        """Each value on the data as given; NaN where it is undefined."""
        return read_only(self._scale * column(part.estimate for part in self._parts))

    @property
    def standard_error(self) -> Floats:
        """The standard deviation of the bootstrap distribution of each."""
        return read_only(self._scale * column(part.standard_error for part in self._parts))

    @property
    def defined(self) -> Booleans:
        """Which have a value; the interval of the others is the whole range."""
        return read_only(~np.isnan(self.estimate))

    @property
    def _scale(self) -> Floats:
        return np.ones(len(self._parts))

    def _limits(self, level: float, method: str | None) -> ConfidenceInterval:
        limits = [part.confidence_interval(level, method=method) for part in self._parts]
        low, high = (read_only(self._scale * column(end)) for end in zip(*limits, strict=True))
        return ConfidenceInterval(low, high)

    def _about(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        own = tuple(method or part.methods[0] for part in self._parts)
        return {**super()._about(level, method), "method": own}

    def _figures(self) -> Mapping[str, ArrayLike]:
        return {**points_of(self._parts), "estimate": self.estimate, "standard_error": self.standard_error}

    @property
    def _by_methods(self) -> str:
        return f"95 % intervals by {', '.join(dict.fromkeys(part.methods[0] for part in self._parts))}"


@dataclass(frozen=True, repr=False, eq=False)
class Pairwise(Several):
    """Comparisons of models, with p-values and limits that allow for asking about all of them."""

    names: tuple[str, ...]
    parts: tuple[Any, ...] = field(repr=False)  # the result of each comparison separately
    _sign: ClassVar[str]  # between the names of two models
    _null: ClassVar[float]

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str | None = None, simultaneous: bool | None = None
    ) -> ConfidenceInterval:
        """An interval for each comparison.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1): of all intervals jointly if they are simultaneous, of each interval if not.
        method : str, default=None
            The interval method of the single comparisons, one of ``methods``; None is their default.
        simultaneous : bool, default=None
            Whether the intervals are simultaneous. None follows ``adjustment``: under "max_t" an interval excludes 0
            exactly where the adjusted p-value is below 1 minus the level; "holm" has no intervals of its own and gets
            Bonferroni's, which are wider than its p-values would allow; under "none" the intervals are not adjusted.
            True gives max-t limits (Bonferroni's under "holm"), False separate intervals.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, arrays with one entry per comparison; of ratios in [0, inf].
        """
        self._method(method)
        level = self._family._level(LEVEL("confidence_level", confidence_level), simultaneous)
        return self._limits(level, method)

    def pvalue(
        self, alternative: Alternative = "two-sided", *, null: float | None = None, method: str | None = None
    ) -> Floats:
        """The adjusted p-value of each comparison.

        Parameters
        ----------
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            The alternative hypothesis: a difference, or ratio, is not ``null``, is below it, or is above it.
        null : float, default=None
            What differences, or ratios, are compared with; for ratios above 0 (0.8 for the four-fifths rule). None is 0
            for differences and 1 for ratios, whose p-values are then those of the differences.
        method : str, default=None
            The interval method of the single comparisons, whose inversion gives the p-values; None is their default.

        Returns
        -------
        ndarray of shape (n_comparisons,)
            In [0, 1]: the smallest family-wise error rate at which this comparison is significant. An undefined one has
            p-value 1, and the others are adjusted as if it had not been compared.
        """
        check_alternative(alternative)
        self._method(method)
        pvalues, defined = np.empty(len(self.parts)), self._family.defined
        for i, (part, scale) in enumerate(zip(self.parts, self._scale.tolist(), strict=True)):
            pvalues[i] = part.pvalue(alternative, null=(self._null if null is None else null) / scale, method=method)
        if defined.any():
            pvalues[defined] = self._family._adjusted(pvalues[defined], alternative == "two-sided")
        return read_only(pvalues)

    def __repr__(self) -> str:
        (low, high), (what, at) = self.confidence_interval(), in_words(self.parts)
        values = ["undefined" if value != value else f"{value:.3g}" for value in self.estimate]
        rows = zip(self.names, values, np.ravel(low), np.ravel(high), at, self.pvalue(), strict=True)
        listed = ", ".join(f"{name} {value} [{a:.3g}, {b:.3g}]{at}, p={p:.2g}" for name, value, a, b, at, p in rows)
        return f"{type(self).__name__}({what}: {listed}; {self._by_methods}, {TITLES[self._family.adjustment]})"

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self.parts

    @property
    def _caption(self) -> str:
        methods = " and ".join(named(method) for method in dict.fromkeys(part.methods[0] for part in self.parts))
        return f"Limits of {self.estimand.name}: 95 %, {TITLES[self._family.adjustment]}, {methods}."

    def _columns(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        model, _, reference = zip(*(name.partition(f" {self._sign} ") for name in self.names), strict=True)
        limits = self.confidence_interval(level, method=method)._asdict()
        return {"model": model, "reference": reference, **self._figures(), **limits, "p": self.pvalue(method=method)}

    @property
    def _family(self) -> ModelDifferences:
        """The differences whose adjustment is used: those of the same pairs."""
        return cast("ModelDifferences", self)


@dataclass(frozen=True, repr=False, eq=False)
class ModelDifferences(Pairwise):
    """Differences between models, with p-values and limits that allow for asking about all of them.

    The ``differences`` of a :class:`ModelComparison`.

    Parameters
    ----------
    names : tuple of str
        What each difference is: ``"a - b"``.
    parts : tuple of results
        The result of each difference separately, with its weights divided by the largest of them: a multiple of a
        contrast gives the same test.
    contrasts : ndarray of shape (n_differences, n_models)
        The weights of the models in each difference.
    joint : ndarray of shape (n_differences, n_differences)
        The covariance of the parts in the joint bootstrap distribution.
    adjustment : {"max_t", "holm", "none"}
        How p-values and limits allow for the number of differences.
    notes : tuple of str
        Why each difference is undefined; an empty text if it is defined.

    Attributes
    ----------
    estimate, standard_error : ndarray of shape (n_differences,)
        Each difference on the data as given, and the standard deviation of its bootstrap distribution; NaN where one of
        the models has no value.
    covariance : ndarray of shape (n_differences, n_differences)
        Covariances of the differences in the joint bootstrap distribution.

    Examples
    --------
    >>> from skcostci import compare_models
    >>> y_true, a, b = [0, 0, 0, 0, 1, 1, 1, 1] * 5, [1, 2, 3, 7, 4, 6, 8, 9] * 5, [6, 2, 8, 1, 3, 7, 4, 9] * 5
    >>> differences = compare_models(y_true, {"a": a, "b": b}).differences
    >>> differences.to_frame()[["model", "reference", "estimate", "p", "method"]].round(2)
      model reference  estimate     p        method
    0     a         b      0.19  0.14  extrapolated
    >>> low, high = differences.confidence_interval(0.9)
    >>> low.round(2), high.round(2), differences.pvalue("greater").round(3)
    (array([-0.02]), array([0.39]), array([0.069]))
    >>> differences.equivalence(-0.5, 0.5).both.round(3)
    array([0.006])
    """

    contrasts: Floats
    joint: Floats = field(repr=False)
    adjustment: Adjustment
    notes: tuple[str, ...]
    _sign = "-"
    _null = 0.0

    @property
    def covariance(self) -> Floats:
        """The covariance of the differences in the joint bootstrap distribution."""
        return read_only(self.joint * np.outer(self._scale, self._scale))

    def equivalence(self, low: float, high: float, *, method: str | None = None) -> Equivalence:
        """Adjusted p-values of three claims about each difference: above one margin, below another, and between them.

        Parameters
        ----------
        low, high : float
            The margins, in the range of the parameter, ``low < high``.
        method : str, default=None
            The interval method of the single differences; None is their default.

        Returns
        -------
        Equivalence
            ``above_low``, ``below_high`` and ``both``, which is the larger of the two; arrays with one entry per
            difference.
        """
        check_margins(low, high)
        above, below = self.pvalue("greater", null=low, method=method), self.pvalue("less", null=high, method=method)
        return Equivalence(above, below, read_only(np.maximum(above, below)))

    def _entries(self, level: float) -> Mapping[str, object]:
        return {**super()._entries(level), "adjustment": self.adjustment}

    def _columns(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        return {**super()._columns(level, method), **({"note": self.notes} if any(self.notes) else {})}

    @property
    def _scale(self) -> Floats:
        return np.asarray(np.abs(self.contrasts).max(axis=1))

    def _adjusted(self, single: Floats, two_sided: bool) -> Floats:
        if self.adjustment == "max_t":
            return self._law(two_sided).exceeds(-ndtri(single / 2) if two_sided else -ndtri(single))
        return holm(single) if self.adjustment == "holm" else single

    def _level(self, level: float, simultaneous: bool | None) -> float:
        if simultaneous is False or (simultaneous is None and self.adjustment == "none"):
            return level
        risk = min(1 - level, HIGHEST)
        single = risk / max(int(self.defined.sum()), 1)
        if self.adjustment != "holm" and self.defined.any():
            single = 2 * float(ndtr(-self._law(True).critical_value(risk)))
        # Many comparisons may round the level to 1, and a risk next to 1 to 0: neither is a level.
        return min(max(1 - single, np.finfo(float).tiny), HIGHEST)

    def _law(self, two_sided: bool) -> LargestDeviate:
        return LargestDeviate(correlation(self.joint[np.ix_(self.defined, self.defined)]), two_sided)


def points_of(results: Sequence[BootstrapResult]) -> dict[str, Floats]:
    """The points of results, such as thresholds, by name: one number per result, NaN where it has none."""
    each = [result._points() for result in results]
    names = dict.fromkeys(name for points in each for name in points)
    return {name: column(points.get(name, np.nan) for points in each) for name in names}


def in_words(results: Sequence[BootstrapResult]) -> tuple[str, list[str]]:
    """The statistic with the points that all results share, and for each result the points of its own."""
    points = points_of(results)
    shared = {name: values[0] for name, values in points.items() if (values == values[0]).all()}
    own = [{name: values[i] for name, values in points.items() if name not in shared} for i in range(len(results))]
    said = [points_in_words({name: x for name, x in of.items() if x == x}, None) for of in own]
    what = ", ".join([results[0].estimand.name, *points_in_words(shared, None)])
    return what, [f" at {', '.join(words)}" if words else "" for words in said]


def column(values: Iterable[SupportsFloat]) -> Floats:
    return np.fromiter(map(float, values), np.float64)


class ModelRatio(NamedTuple):
    """The ratio of two models' values, a / b, with the correlation of these in their joint bootstrap distribution."""

    a: BootstrapResult
    b: BootstrapResult
    difference: ComparedResult
    correlation: float
    methods: tuple[str, ...] = ("mover_log",)
    is_exact: bool = False

    @property
    def estimand(self) -> Estimand:
        return self.a.estimand

    @property
    def estimate(self) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.float64(self.a.estimate) / np.float64(self.b.estimate))

    def _points(self) -> Mapping[str, Numbers]:
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
        # With r > 0, as on the same cases, it contains the values that follow from the interval of A - B.
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

        def inside(confidence: Floats) -> Floats:
            """How far the null is inside the interval, on the log scale; negative outside."""
            # A limit of 0 gets a finite log too, as the root-finder needs.
            low, high = np.log(np.maximum(self.confidence_interval(float(confidence)), np.finfo(float).tiny))
            return np.asarray(min(np.log(value) - low, high - np.log(value)))

        both = 1 - float(last_inside(inside, np.array(HIGHEST_CONFIDENCE), np.array(LOWEST_CONFIDENCE)))
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

    def _about(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
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
        low, high = np.array(self.pairs.confidence_interval(confidence_level, simultaneous=True))[:, self.pairs.defined]
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
    _caption: ClassVar = "95 % limits from all pairs at once."

    def _about(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        return {**super()._about(level, method), "statistic": f"{self.estimand.name} gap ({self.kind})"}

    def _columns(self, level: float, _method: str | None) -> Mapping[str, ArrayLike]:
        limits = self.confidence_interval(level)._asdict()
        gap = {"largest": self.largest, "smallest": self.smallest, "estimate": self.estimate, **limits}
        return {name: np.array([value]) for name, value in gap.items()}
