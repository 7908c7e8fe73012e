"""Users' functions of weighted cases; and scikit-learn's of amounts and rankings as functions of weighted means.

A function of weighted means has all slopes at once, for any number of rows. With a few numbers phi_i of each row,
counts c_i and C their sum,

    M = sum c_i phi_i / C,    T = h(M),    dT/dc_i = h'(M) (phi_i - M) / C,   one more case: h((C M + phi_i)/(C + 1)).

Errors are a mean (h(m) = m) or its root. Coefficients of determination are 1 minus a ratio of variances, with phi =
(d^2, d, y^2, y) for the truth y and its error d: h(m) = 1 - (m_1 - k m_2^2) / (m_3 - m_4^2), k being 1 for explained
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

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from skcostci._arrays import Floats
from skcostci._elsewhere import check_no_scorer
from skcostci._options import without_address
from skcostci.metric import check_metric_range
from skcostci.statistics._contests import case_areas, tied_runs
from skcostci.statistics._of_rows import Array

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
FunctionOfMeans = tuple[Floats, Callable[[Array], Array]]  # the phi of each row and h


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
    metric: Callable[..., object], range: Any = None, greater_is_better: bool | None = None, *, columns: int = 1
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


def _mean(m: Array) -> Array:
    return m[..., 0]


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


def means_of(metric: WeightedMetric, truth: NDArray[np.generic], guess: NDArray[np.generic]) -> FunctionOfMeans | None:
    """The phi of each row, (n_rows, n_numbers), and the function of their means, if known; to be compared in value."""
    function: Any = metric.function
    name = getattr(function, "__name__", "")
    if not function.__module__.startswith("sklearn.") or name not in {*KNOWN, *RANKINGS}:
        return None
    shape = truth.shape[: 2 if name in RANKINGS else 1]
    if not truth.shape == guess.shape == shape or {truth.dtype.kind, guess.dtype.kind} - set("biuf"):
        return None
    numbers, of_means = KNOWN.get(name) or (RANKINGS[name], _mean)
    numbers = numbers or partial(_of_each, function)
    try:
        with np.errstate(all="ignore"):  # a formula without a value fails the comparison
            phi = numbers(truth.astype(np.float64), guess.astype(np.float64), **dict(metric.options))
    except TypeError:  # an option that is not known here
        return None
    return phi.reshape(len(truth), -1), of_means


def with_range(metric: WeightedMetric, truth: NDArray[np.generic]) -> WeightedMetric:
    """The measure with its range for tables of 0 and 1, if the metric has no range of its own."""
    name = getattr(metric.function, "__name__", "")
    if name not in RANKINGS or truth.ndim < 2 or np.isfinite(metric.range).all():
        return metric
    most = np.inf
    if name == "coverage_error":
        most = float(truth.shape[1])
    elif name == "dcg_score" and ((truth == 0) | (truth == 1)).all():
        options = {key: value for key, value in metric.options if key != "ignore_ties"}
        most = float(discounts_of(truth.shape[1], **options).sum())
    return replace(metric, range=(0.0, most))
