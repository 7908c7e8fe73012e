"""A user's function of weighted cases, at distinct pairs of truth and prediction: its slopes, and additional cases.

Slopes are used for a function that has a value, is smooth in the weights, and is the same without rows of weight 0. A
function that emits scikit-learn's UndefinedMetricWarning has no value, unless the warning is about some labels only:
these count as 0, as in the average of a named metric over several classes.

A slope is the effect of a small step of one weight. Resamples move all weights at once, each by about the root of its
count c. So the function T is evaluated there: at weights ``c + s sqrt(c) h``, h being 1 or -1 for each row, and
``c - s sqrt(c) h``, for some h, at a step s and at half of it. Half the difference over s is D(s), and where T has the
slopes g

    D(s) = sum sqrt(c) h g + a s^2 + ...,    (4 D(s / 2) - D(s)) / 3 = sum sqrt(c) h g + b s^4 + ...

If T is smooth the latter hardly differs from the sum of slopes, even if T is strongly curved and cases are few. The
slopes of a median, or of a rate at a threshold chosen on the data, depend on a single case, and T moves differently.
The mean of T at both ends minus T, over s^2, is how far resamples lie above T on average: a small share of the standard
error if T is smooth, one or more for a sum of absolute values near 0, such as a calibration error.

The signs h are rows of a Paley matrix, squares modulo a prime, as those of balanced repeated replications: no seed.

Functions of weighted means, as scikit-learn's of amounts and of rankings are, have all slopes at once, for any number
of rows. With a few numbers phi_i of each row, counts c_i and C their sum,

    M = sum c_i phi_i / C,    T = F(M),    dT/dc_i = F'(M) (phi_i - M) / C,   one more case: F((C M + phi_i)/(C + 1)).

Errors are a mean (F(m) = m) or its root. Coefficients of determination are 1 minus a ratio of variances, with phi =
(d^2, d, y^2, y) for the truth y and its error d: F(m) = 1 - (m_1 - k m_2^2) / (m_3 - m_4^2), k being 1 for explained
variance and 0 for R2.

Measures of how labels, or documents, are ranked for each case are means over cases. A case has gains y_l (1 where it
has the label, 0 elsewhere) and scores s_l of L labels, m of which it has:

    label ranking average precision   mean over its labels of the share of its labels among those scored as high,
    coverage error                    how far down the ranking its last label is, 0 where it has none,
    label ranking loss                the share of pairs of a label that it has and one that it has not in the wrong
                                      order or tied,
    DCG                               sum_l y_l d(rank of l), d(r) = 1 / log_b(r + 1), 0 beyond k; tied labels share
                                      the sum of the d of their ranks,
    NDCG                              DCG over that of the ranking by the gains, 0 without any.

Where a case has all labels or none its ranking has no errors: a precision of 1, a loss of 0.

The function itself is called once; if the formula does not give its value, as with options that are not known here, or
if the truth is constant, it is evaluated row by row like any other function.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy
from sklearn.exceptions import UndefinedMetricWarning

from skcostci._arrays import Booleans, Floats, as_array
from skcostci._elsewhere import check_no_scorer
from skcostci._frozen import altered, cached_property
from skcostci._options import without_address
from skcostci._validation._labels import distinct_rows, has_fractions
from skcostci.cases._cases import MOST_LABELLED, Cases
from skcostci.laws._rounding import SPREAD_ROUNDING, rounding_of, without_rounding
from skcostci.metric import check_metric_range
from skcostci.statistics._contests import case_areas, tied_runs
from skcostci.statistics._of_rows import STEP, Array, OfRows, Unit, tables_at_mean

# Functions of scikit-learn with values in [0, 1], by name; of others errors are not negative, and scores unbounded.
OF_SHARES = (
    *("accuracy_score", "average_precision_score", "balanced_accuracy_score", "brier_score_loss", "f1_score"),
    *("fbeta_score", "hamming_loss", "jaccard_score", "ndcg_score", "precision_score", "recall_score"),
    *("roc_auc_score", "top_k_accuracy_score", "zero_one_loss", "label_ranking_average_precision_score"),
    "label_ranking_loss",
)
OF_AGREEMENT = ("cohen_kappa_score", "matthews_corrcoef")
SKILLS = ("d2_", "brier_skill", "explained_variance_score", "r2_score")  # beginnings of names; 1 at best, no least
ERRORS = ("_loss", "_error", "_deviance")  # endings of names of functions of which less is better; none is negative
SAME_VALUE = 1e-9  # relative: rounding of sums in another order
FunctionOfMeans = tuple[Floats, Callable[[Array], Array]]  # the phi of each row and F


@dataclass(frozen=True)
class WeightedMetric:
    """A function ``metric(y_true, y_pred, sample_weight=w)`` with its options, its range and its direction."""

    function: Callable[..., object]
    options: tuple[tuple[str, Any], ...] = field(compare=False)  # may have arrays, and are part of the name
    name: str
    range: tuple[float, float]
    greater_is_better: bool

    def __call__(self, y_true: object, y_pred: object, sample_weight: object) -> object:
        """The value, or the values, of weighted cases."""
        return self.function(y_true, y_pred, sample_weight=sample_weight, **dict(self.options))

    @property
    def label(self) -> str:
        """The name on axes and in legends."""
        function, bracket, options = self.name.partition("(")
        words = function.replace("_", " ")
        return words[:1].upper() + words[1:] + bracket.replace("(", ", ") + options.removesuffix(")")

    def __repr__(self) -> str:
        least, most = self.range
        return f"{self.name} from {least:g} to {most:g}{'' if self.greater_is_better else ', less being better'}"


def weighted_metric(
    metric: Callable[..., object],
    range: tuple[float, float] | None = None,
    greater_is_better: bool | None = None,
    *,
    columns: int = 1,
    truth: NDArray[np.generic] | None = None,
) -> WeightedMetric:
    """A user's function; range and direction default to its name's. Brier scores of several ``columns`` reach 2."""
    check_no_scorer("metric", metric)
    function: Any = metric
    options: dict[str, object] = {}
    while isinstance(function, partial):
        if function.args:
            raise TypeError(f"metric must take y_true and y_pred, but {len(function.args)} of them is already set.")
        function, options = function.func, {**function.keywords, **options}
    name = str(getattr(function, "__name__", type(function).__name__))
    error = name.endswith(ERRORS)
    known = (0.0 if error else -np.inf, 1.0 if name.startswith(SKILLS) else np.inf)
    if name in OF_SHARES:
        known = (0.0, 1.0)
    if name in OF_AGREEMENT or options.get("adjusted"):  # the balanced accuracy adjusted for chance
        known = (-1.0, 1.0)
    if name == "brier_score_loss" and (columns > 2 or options.get("scale_by_half") is False):
        known = (0.0, 2.0)
    if truth is not None and truth.ndim > 1 and name in RANKINGS and not np.isfinite(known).all():
        most = float(truth.shape[1]) if name == "coverage_error" else np.inf
        if name == "dcg_score" and ((truth == 0) | (truth == 1)).all():
            counted: Any = {option: value for option, value in options.items() if option != "ignore_ties"}
            most = float(discounts_of(truth.shape[1], **counted).sum())
        known = (0.0, most)
    if range is not None:
        check_metric_range(range)
    ends = known if range is None else (float(range[0]), float(range[1]))
    better = not error if greater_is_better is None else bool(greater_is_better)
    ordered = dict(sorted(options.items()))
    shown = without_address(partial(function, **ordered)) if ordered else name
    return WeightedMetric(function, tuple(ordered.items()), shown, ends, better)


def brier_skill(y_true: Array, y_proba: Array, sample_weight: Array | None = None) -> float:
    """1 minus the Brier score over that of the class shares as constant probabilities: scikit-learn's D2."""
    table = y_proba if np.ndim(y_proba) == 2 else np.column_stack([1 - y_proba, y_proba])
    truth = y_true
    if np.ndim(y_true) < 2:  # a truth with a column per label is an indicator table already
        known, place = np.unique(y_true, return_inverse=True)
        truth = np.eye(max(len(known), table.shape[1]))[place]
    weights = np.ones(len(truth)) if sample_weight is None else sample_weight
    shares = np.average(truth, axis=0, weights=weights)
    loss, by_shares = (np.average(((truth - q) ** 2).sum(axis=1), weights=weights) for q in (table, shares))
    return float(1 - loss / by_shares) if by_shares else float("nan")


def _of_each(error: Callable[..., Floats], y: Floats, f: Floats, **options: float) -> Floats:
    """The error of each row, by scikit-learn as one of many outputs of a single case; the square of a root."""
    found = error(y[None], f[None], multioutput="raw_values", **options)
    return found**2 if error.__name__.startswith("root_") else found


def _deviance(y: Floats, f: Floats, power: float = 0) -> Floats:
    """The deviance of Tweedie's distributions: Gauss, Poisson and gamma, and those of other powers."""
    if power == 0:
        return (y - f) ** 2
    if power == 1:
        return np.asarray(2 * (xlogy(y, y / f) - y + f))
    if power == 2:
        return np.asarray(2 * (np.log(f / y) + y / f - 1))
    own = np.power(np.maximum(y, 0), 2 - power) / ((1 - power) * (2 - power))
    return np.asarray(2 * (own - y * np.power(f, 1 - power) / (1 - power) + np.power(f, 2 - power) / (2 - power)))


def _squares(y: Floats, f: Floats, force_finite: bool = True) -> Floats:  # noqa: ARG001  # of no effect if y varies
    d, about_mean = y - f, y - y.mean()
    return np.column_stack([d**2, d, about_mean**2, about_mean])


def label_precisions(gains: Floats, scores: Floats) -> Floats:
    had = gains > 0
    alike = had.all(axis=1) | ~had.any(axis=1)
    return np.where(alike, 1.0, case_areas(had, scores, "average_precision"))


def coverages(gains: Floats, scores: Floats) -> Floats:
    """How many labels are scored as high as the lowest one that the case has."""
    lowest = np.where(gains > 0, scores, np.inf).min(axis=1)
    return np.asarray((scores >= lowest[:, None]).sum(axis=1), dtype=np.float64)


def ranking_losses(gains: Floats, scores: Floats) -> Floats:
    """The share of pairs of labels in the wrong order; ties count as wrong."""
    had = gains > 0
    order = np.argsort(-scores, axis=1, kind="stable")
    hits = np.take_along_axis(had, order, axis=1).astype(np.float64)
    _, last = tied_runs(np.take_along_axis(scores, order, axis=1))
    m = hits.sum(axis=1)
    missed = last + 1 - np.take_along_axis(np.cumsum(hits, axis=1), last, axis=1)  # others scored as high
    pairs = m * (had.shape[1] - m)
    return np.asarray(np.divide((hits * missed).sum(axis=1), pairs, out=np.zeros(len(m)), where=pairs > 0))


def discounted_gains(
    gains: Floats, scores: Floats, k: int | None = None, log_base: float = 2, ignore_ties: bool = False
) -> Floats:
    """DCG of each case; if ties are ignored, in scikit-learn's order of equal scores."""
    discounts = discounts_of(gains.shape[1], k, log_base)
    if ignore_ties:
        order = np.argsort(scores)[:, ::-1]
        return np.asarray(np.take_along_axis(gains, order, axis=1) @ discounts)
    order = np.argsort(-scores, axis=1, kind="stable")
    ordered, ranked = (np.take_along_axis(each, order, axis=1) for each in (scores, gains))
    first, last = tied_runs(ordered)
    up_to = np.concatenate([[0.0], np.cumsum(discounts)])
    return np.asarray((ranked * (up_to[last + 1] - up_to[first]) / (last + 1 - first)).sum(axis=1))


def normalized_gains(gains: Floats, scores: Floats, k: int | None = None, ignore_ties: bool = False) -> Floats:
    found, best = discounted_gains(gains, scores, k, ignore_ties=ignore_ties), discounted_gains(gains, gains, k)
    return np.divide(found, best, out=np.zeros_like(found), where=best > 0)


def discounts_of(width: int, k: int | None = None, log_base: float = 2) -> Floats:
    """The factor d of a gain at each rank."""
    discounts = np.log(log_base) / np.log(np.arange(width) + 2)
    discounts[width if k is None else k :] = 0
    return np.asarray(discounts)


_mean = itemgetter((..., 0))


def _root_mean(m: Array) -> Array:
    return np.asarray(np.sqrt(m[..., 0]))


def _determination(m: Array, k: float) -> Array:
    return np.asarray(1 - (m[..., 0] - k * m[..., 1] ** 2) / (m[..., 2] - m[..., 3] ** 2))


KNOWN: dict[str, tuple[Callable[..., Floats] | None, Callable[[Array], Array]]] = {  # None: errors of each row
    **dict.fromkeys(("mean_squared_error", "mean_absolute_error", "mean_squared_log_error"), (None, _mean)),
    **dict.fromkeys(("mean_absolute_percentage_error", "mean_pinball_loss"), (None, _mean)),
    **dict.fromkeys(("root_mean_squared_error", "root_mean_squared_log_error"), (None, _root_mean)),
    "mean_tweedie_deviance": (_deviance, _mean),
    "mean_poisson_deviance": (partial(_deviance, power=1), _mean),
    "mean_gamma_deviance": (partial(_deviance, power=2), _mean),
    "r2_score": (_squares, partial(_determination, k=0.0)),
    "explained_variance_score": (_squares, partial(_determination, k=1.0)),
}
RANKINGS: dict[str, Callable[..., Floats]] = {  # values of cases from tables of gains and scores
    "label_ranking_average_precision_score": label_precisions,
    "coverage_error": coverages,
    "label_ranking_loss": ranking_losses,
    "dcg_score": discounted_gains,
    "ndcg_score": normalized_gains,
}


MOST_ROWS = 20_000  # each needs one evaluation of the function over all rows: minutes
MOST_PREDICTIONS = 100  # tried for an unseen case: those of the most extreme influences
SMALLEST_STEP = 1e-7  # of all weight, moved to one row: derivatives have about seven digits
HARDLY_ANY = 1e-12  # of a row's weight
BEING_SET = re.compile(r" and (is )?being set to \S+")  # the substitute value is not used here
IN_LABELS = "in labels with"  # how scikit-learn says that some classes of an average have no value
NOT_ON_DATA = (
    "on these data, which has no standard error. Let it be finite there, as with shares kept a little from 0 and 1 "
    "before a logarithm or a normal quantile"
)
NOT_WHEN_MOVED = (
    "when the weights of rows are moved, as resampling moves them, though it has a value on these data. Let it be "
    "finite there too: rows of weight 0 count as no rows"
)
ERROR_OF_CALIBRATION = re.compile(r"calibration_error|(^|_)ece(\d|_|$)", re.IGNORECASE)
PRIME = 20_011  # the signs are residues modulo this; above the largest number of rows of a function
TINY = np.finfo(np.float64).tiny
DIRECTIONS = 12  # twice as many find hardly anything else; each takes two evaluations, or four
FEWEST_DIRECTIONS = 4  # or half the number of rows, if more: this is then as fast as the slopes
MOVED = 0.7  # of the root of a count: no row loses all of its weight
# In units of the standard error, with more allowed for few cases: MORE_AT_NEAR and MORE_AT_FAR are divided by the
# effective number of cases, MORE_BIAS by its root. Hardly any of scikit-learn's metrics is off by 0.1, or lies 0.5
# above, from 30 cases on; functions that are not smooth are mostly off by 0.3 to 3, and lie 1 to 2 above.
MOST_OFF, MORE_AT_NEAR, MORE_AT_FAR = 0.1, 1.0, 6.0
MOST_BIAS, MORE_BIAS, LARGEST_BIAS = 0.1, 3.0, 1.0
FEWEST = 6.0  # effective cases: with fewer a smooth function may lie anywhere
MOST_ONE_SIDED = 0.75  # sum of slopes over that of their sizes: near 0 but at kinks such as the median of a denominator
SMALLEST = 1e-5  # sum of sizes of slopes relative to the value: less may be curvature within a step
ROUNDING, NOTHING = 1e-7, 1e-9  # of the value, and absolute: rounding of slopes of 0 by small steps


def _alike(values: Floats, others: Floats) -> bool:
    """Whether values hardly differ, or cannot be compared: without some rows there may be fewer classes."""
    return values.shape != others.shape or np.allclose(values, others, rtol=1e-4, atol=1e-7)


def _are_amounts(truth: NDArray[np.generic], guess: NDArray[np.generic]) -> bool:
    return guess.shape == truth.shape and {truth.dtype.kind, guess.dtype.kind} <= set("biuf")


class FunctionRows(OfRows):
    """The distinct rows of a function; ``undefined`` is why it has no value, ``said`` its warning of some classes."""

    precision = SPREAD_ROUNDING / SMALLEST_STEP  # of a derivative by a small step

    def __init__(
        self, metric: WeightedMetric, cases: Cases, column: str, known: Sequence[object] | None, *, unit: Unit
    ) -> None:
        """``known`` has a truth of each class, also of those that are not in these cases."""
        self.metric, self.range, self.unit, self.known = metric, metric.range, unit, known
        first, self.rows = distinct_rows(cases.truth, cases.columns[column])
        self.truth, self.guess = cases.truth[first], cases.columns[column][first]
        self.counts = np.bincount(self.rows, cases.weights).astype(np.float64)
        self.classes = None if known is None else np.array([*map(known.index, self.truth.tolist())])
        self.of_scores = self.classes is not None and (self.guess.ndim > 1 or has_fractions(self.guess))
        if ERROR_OF_CALIBRATION.search(metric.name.partition("(")[0]):
            refuse_unsmooth(metric.name, "it is not differentiable for a calibrated model", of_scores=True)
        given, self.undefined, self.said = self._first_call()
        self.shape, self.value = given.shape, given.ravel()
        self.means = self._as_means()
        if self.means is None and len(first) > MOST_ROWS:
            raise ValueError(
                f"y_true and {column} must contain at most {MOST_ROWS:,} distinct pairs where metric is a function, "
                f"which is called once for each, got {len(first):,}. Round the predictions, or pass the metric by "
                "name."
            )
        if not self.undefined and self.means is None:
            self._check_weights()

    def _first_call(self) -> tuple[Floats, str, str]:
        """The value, NaN where the function warns that it is undefined, and its words; other warnings are passed on."""
        with warnings.catch_warnings(record=True, action="always") as caught:
            given = self._given(self.truth, self.guess, self.counts)
        words = [str(each.message) for each in caught if issubclass(each.category, UndefinedMetricWarning)]
        for each in caught:
            if not issubclass(each.category, UndefinedMetricWarning):
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        if undefined := [each for each in words if IN_LABELS not in each]:
            why = BEING_SET.sub("", undefined[0].partition(". ")[0].rstrip("."))
            return np.full(np.shape(given) if np.ndim(given) < 2 else (), np.nan), why, ""
        return self._checked(given, NOT_ON_DATA), "", words[0] if words else ""

    def _as_means(self) -> FunctionOfMeans | None:
        """The phi of each row, (n_rows, n_numbers), and the function of their means, if known and equal in value."""
        function: Any = self.metric.function
        truth, guess, name = self.truth, self.guess, getattr(function, "__name__", "")
        if self.undefined or self.classes is not None or not str(function.__module__).startswith("sklearn."):
            return None
        if name not in {*KNOWN, *RANKINGS} or truth.ndim > 1 + (name in RANKINGS) or not _are_amounts(truth, guess):
            return None
        numbers, of_means = KNOWN.get(name) or (RANKINGS[name], _mean)
        numbers = numbers or partial(_of_each, function)
        with np.errstate(all="ignore"):  # a formula without a value fails the comparison
            try:
                phi = numbers(truth.astype(np.float64), guess.astype(np.float64), **dict(self.metric.options))
            except TypeError:  # an option that is not known here
                return None
            phi = phi.reshape(len(truth), -1)
            value = of_means(self.counts @ phi / self.counts.sum())
        return (phi, of_means) if np.isclose(value, self.value, rtol=SAME_VALUE, atol=0).all() else None

    def _check_weights(self) -> None:
        """Raise unless weights act as counts: doubling all has no effect, and a row of weight 0 is like no row."""
        doubled = self._value_with(2 * self.counts)
        if not np.allclose(doubled, self.value, rtol=1e-6, atol=1e-9):
            raise ValueError(
                "metric must not change when all weights are doubled (means and shares do not change); "
                f"{self.metric.name} changes from {self.value[0]:g} to {doubled[0]:g}."
            )
        for kept in self._halves():
            self._check_left_out(kept)

    def _halves(self) -> Iterator[Booleans]:
        """Rows kept without the even, then the odd ones; one of each class, and of each predicted label, always is."""
        needed = np.zeros(len(self.counts), dtype=bool)
        if self.classes is not None:
            needed[np.unique(self.classes, return_index=True)[1]] = True
            first = distinct_rows(self.guess)[0]
            needed[first] |= len(first) <= max(MOST_LABELLED, len(needed) // 2) and not self.of_scores
        for odd in (0, 1):
            kept = needed | (np.arange(len(needed)) % 2 != odd)
            if kept.any() and not kept.all():
                yield kept

    def _check_left_out(self, kept: Booleans) -> None:
        try:
            with warnings.catch_warnings(action="ignore"):
                given = self.metric(self.truth[kept], self.guess[kept], self.counts[kept])
            without = np.ravel(np.asarray(given, dtype=np.float64))
        except (ArithmeticError, TypeError, ValueError):
            return  # some functions fail with fewer rows
        if not np.isfinite(without).all():
            return  # without a value there is nothing to compare: no false alarm, and its normal quantile is infinite
        none, hardly_any = (self._value_with(np.where(kept, 1, part) * self.counts) for part in (0.0, HARDLY_ANY))
        name, shown = self.metric.name, without[:1]
        if not _alike(none, without):
            raise ValueError(
                "metric must treat sample_weight as the number of cases in each row, so that rows of weight 0 have "
                f"no effect; {name} is {none[0]:g} with some rows of weight 0 and {shown[0]:g} without them."
            )
        if not _alike(hardly_any, without):
            why = f"with some rows of nearly zero weight it is {hardly_any[0]:g}, and without them {shown[0]:g}"
            refuse_unsmooth(name, why, of_scores=self.of_scores)

    def _given(self, truth: NDArray[np.generic], guess: NDArray[np.generic], weights: Floats) -> Any:
        try:
            return self.metric(truth, guess, weights)
        except TypeError as error:
            raise TypeError(
                "metric must be a function metric(y_true, y_pred, sample_weight=w), like functions of scikit-learn "
                f"with sample_weight; {self.metric.name} failed: {error}"
            ) from None

    def _checked(self, given: ArrayLike, when: str) -> Floats:
        """The value, after a check that it is a finite number, or one per class."""
        values, name = np.asarray(as_array("metric(y_true, y_pred)", given)), self.metric.name
        if values.ndim > 1 or values.dtype.kind not in "biuf":
            raise ValueError(
                f"metric must return a finite number, or one per class, got {given!r} from {name}. If it has an "
                "average parameter, set it (such as average='macro') with functools.partial."
            )
        if (wrong := ~np.isfinite(values)).any():
            raise ValueError(
                f"metric must return a finite number, or one per class: {name} is {values[wrong].flat[0]} {when}."
            )
        return values.astype(np.float64)

    def _value_with(self, weights: Floats, *more: NDArray[np.generic]) -> Floats:
        truth, guess = self.truth, self.guess
        if more:
            truth, guess = np.concatenate([truth, more[0]]), np.concatenate([guess, more[1]])
        with warnings.catch_warnings(action="ignore"):  # those of the first call are enough
            return self._checked(self._given(truth, guess, weights), NOT_WHEN_MOVED).ravel()

    @classmethod
    def at_mean(cls, each: Sequence[Self]) -> Sequence[Self]:
        """For labels, with slopes at the mean over folds; for scores and amounts with those of each fold."""
        truth, guess = (np.concatenate([getattr(model, name) for model in each]) for name in ("truth", "guess"))
        first, numbers = distinct_rows(truth, guess)
        if each[0].classes is None or any(model.of_scores for model in each) or len(first) > MOST_PREDICTIONS:
            return each
        rows = np.split(numbers, np.cumsum([len(model.counts) for model in each])[:-1])
        classes = np.concatenate([np.asarray(model.classes) for model in each])[first]
        of_class = np.arange(len(each[0].known or ()))[:, None] == classes
        counts = [np.bincount(own, model.counts, len(first)) for own, model in zip(rows, each, strict=True)]
        found = []
        for model, own, table in zip(each, rows, tables_at_mean([of_class * own for own in counts]), strict=True):
            counted = table.sum(axis=0)
            kept = np.flatnonzero(counted)
            at = altered(model, truth=truth[first][kept], guess=guess[first][kept], counts=counted[kept])
            at.value = at._value_with(at.counts)
            found.append(altered(model, slopes=at.slopes[np.searchsorted(kept, own)]))
        return found

    @cached_property
    def slopes(self) -> Floats:
        """The derivatives, by a small step per row: all weights shrink by as much in total as the row gains."""
        whole = self.counts.sum()
        truth, guess = self.truth, self.guess
        amounts = self.classes is None and _are_amounts(truth, guess)
        if amounts and np.abs(truth - guess).max() <= rounding_of(truth, guess):  # all errors are rounding
            return np.zeros((len(self.counts), self.value.size))
        if self.means is not None:
            phi, function = self.means
            mean = self.counts @ phi / whole
            gradient = function(mean + STEP * 1j * np.eye(len(mean))).imag / STEP
            return centred((phi - mean) @ gradient[:, None] / whole, self.counts)
        step = max(SMALLEST_STEP, 1 / whole) if whole > 0.1 / SMALLEST_STEP else SMALLEST_STEP
        found = []
        for row in range(len(self.counts)):
            weights = (1 - step) * self.counts
            weights[row] += step * whole
            found.append((self._value_with(weights) - self.value) / (step * whole))
        rounding = self.precision * np.abs(self.value) / whole
        slopes = without_rounding(np.reshape(found, (len(self.counts), -1)).T, rounding).T
        if why := why_not_smooth(self._value_with, self.counts, slopes, self.value):
            refuse_unsmooth(self.metric.name, why, of_scores=self.of_scores)
        return centred(slopes, self.counts)

    @cached_property
    def imagined(self) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
        """A truth of each class, and the predictions that an unseen case of any class may have.

        For labels these are all classes, also one that was never predicted. For more than ``MOST_PREDICTIONS`` scores
        they are those of the least and the greatest influences, and the smallest and largest score.
        """
        truths = np.array(self.known, dtype=self.truth.dtype)
        if self.guess.ndim == 1 and set(self.guess.tolist()) <= set(truths.tolist()):
            return truths, truths
        first, numbers = distinct_rows(self.guess)
        if len(first) > MOST_PREDICTIONS:
            order = np.argsort(self.slopes[:, 0], kind="stable")
            some = [*order[: MOST_PREDICTIONS // 2], *order[-MOST_PREDICTIONS // 2 :]]
            if self.guess.ndim == 1 and self.guess.dtype.kind in "iuf":
                some += [int(self.guess.argmin()), int(self.guess.argmax())]
            first = np.array(sorted({int(first[numbers[row]]) for row in some}))
        return truths, self.guess[first]

    @property
    def possible(self) -> Booleans:
        """Of amounts, as of one class, any row seen."""
        shape = (1, len(self.counts)) if self.classes is None else tuple(map(len, self.imagined))
        return np.ones(shape, dtype=bool)

    @property
    def class_sizes(self) -> Floats:
        classes = np.zeros(len(self.counts), dtype=np.int64) if self.classes is None else self.classes
        return np.bincount(classes, self.counts, len(self.known or (0,))).astype(np.float64)

    def with_case(self, more: float = 1.0) -> Floats:
        if self.means is None:
            return super().with_case(more)
        phi, function = self.means
        return function((self.counts @ phi + more * phi) / (self.counts.sum() + more))[None, :, None]

    @staticmethod
    def leave_out(each: Sequence[FunctionRows]) -> None:
        """Let cases of one of two classes not count in folds if they matter in none, as in a recall."""
        if len(each[0].known or ()) != 2 or each[0].of_scores:
            return
        matter = np.any([np.abs(one.with_case() - one.value).max(axis=(1, 2)) > 0 for one in each], axis=0)
        for one in each:
            if matter.any():
                one.counted = matter[one.classes]

    def with_counts(self, added: Floats, kept: Floats | float = 1.0) -> Floats:
        if self.classes is None:
            return self._value_with(kept * self.counts + added[0])
        truths, guesses = self.imagined
        i, j = np.nonzero(added)
        others = np.broadcast_to(kept, len(truths))[self.classes] * self.counts
        return self._value_with(np.append(others, added[i, j]), truths[i], guesses[j])


def signs(n_rows: int) -> Floats:
    number = min(DIRECTIONS, max(n_rows // 2, FEWEST_DIRECTIONS))
    square = -np.ones(PRIME)
    square[np.arange(1, PRIME) ** 2 % PRIME] = 1.0
    starts = 1 + np.arange(number) * (PRIME // number)
    return np.asarray(square[(starts[:, None] + np.arange(n_rows)) % PRIME])


def centred(slopes: Floats, counts: Floats) -> Floats:
    """Slopes minus their mean over all cases, which is not 0 at a kink, as where a denominator is at its least."""
    return np.asarray(slopes - counts @ slopes / counts.sum())


def why_not_smooth(ask: Callable[[Floats], Floats], counts: Floats, slopes: Floats, value: Floats) -> str:
    """Why the function is not smooth, "" if it is; ``slopes`` are (n_rows, n_points), ``ask`` gives it at weights."""
    sizes = counts @ np.abs(slopes)
    if (
        (np.abs(counts @ slopes) > MOST_ONE_SIDED * sizes) & (sizes > SMALLEST * np.abs(value).ravel() + NOTHING)
    ).any():
        return "its derivatives with respect to the weights do not add up to 0"
    slopes = centred(slopes, counts)
    spread, directions, value = np.sqrt(counts), signs(len(counts)), np.ravel(value)

    def moved(step: float) -> tuple[Floats, Floats]:
        ends = np.array([[np.ravel(ask(counts + side * step * spread * h)) for h in directions] for side in (1, -1)])
        return (ends[0] - ends[1]) / (2 * step), ((ends[0] + ends[1]) / 2 - value).mean(axis=0) / step**2

    far, bias = moved(MOVED)
    said = directions @ (spread[:, None] * slopes)
    squares, rounding = counts @ slopes**2, ROUNDING * np.abs(value) + NOTHING
    error, in_effect = np.sqrt(squares), np.maximum(squares**2 / np.maximum(counts @ slopes**4, TINY), 1.0)
    off = _size(far - said) > MOST_OFF * error + rounding
    if off.any():  # else a second step is not needed
        near, _ = moved(MOVED / 2)
        bent = (4 * near - far) / 3 - said
        off = (_size(bent) > (MOST_OFF + MORE_AT_NEAR / in_effect) * error + rounding) | (
            _size(far - said) > (MOST_OFF + MORE_AT_FAR / in_effect) * error + rounding
        )
    if off.any():
        seen, expected = _size(far)[off][0], error[off][0]
        return (
            f"changing the weights as resampling does changes it by {seen:.3g}, but its derivatives predict "
            f"{expected:.3g}"
        )
    most_bias = np.minimum(MOST_BIAS + MORE_BIAS / np.sqrt(in_effect), LARGEST_BIAS)
    if (off := (np.abs(bias) > most_bias * error + rounding) & (in_effect >= FEWEST) & (error > rounding)).any():
        return (
            f"resamples deviate by {abs(bias[off][0]):.3g} to one side of it, compared with a standard error of "
            f"{error[off][0]:.3g}"
        )
    return ""


def _size(values: Floats) -> Floats:
    """The root mean square over the directions, one number per point."""
    return np.asarray(np.sqrt((values**2).mean(axis=0)))


def refuse_unsmooth(name: str, why: str, *, of_scores: bool) -> NoReturn:
    """Raise, and name the functions that may be what the user needs."""
    instead = (
        " Use bootstrap_roc_at_fpr or bootstrap_roc_at_tpr for a rate at a threshold set by another rate, "
        "bootstrap_metric with thresholds for a metric at other thresholds, and bootstrap_calibration for "
        "calibration."
    )
    raise ValueError(
        f"metric must be a smooth function of the sample weights, like means and ratios of means; {name} is "
        f"not: {why}. Medians, quantiles, maxima, sums of absolute means (as calibration errors in bins "
        "are) and values at a threshold that the data choose have no standard error from "
        f"derivatives.{instead * of_scores}"
    )
