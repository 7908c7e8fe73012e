"""Metrics of several classes (averages, kappa and Matthews correlation); and users' functions of weighted cases.

With ``c[i, j]`` the number of cases of class i that were labelled j, a metric needs only margins: the hits ``c[i, i]``,
the sizes of the classes ``r_i``, the numbers of predictions ``s_j``, and for kappa the weighted disagreement ``sum W
c``. With an imaginary number of cases added to a cell, ``i h``, its imaginary part is h times the derivative, without
the rounding of a difference. A class with denominator 0 has the value 0 or that of ``zero_division``; nan leaves it
out of averages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Floats, Integers
from skcostci._elsewhere import check_no_scorer
from skcostci._options import without_address
from skcostci.metric import ACCURACY, BALANCED_ACCURACY, HAMMING, KAPPA, MCC, AnyMetric, Metric, check_metric_range

ZeroDivision = float | Literal["warn"]
Array = NDArray[Any]  # floats, or complex numbers for derivatives
STEP = 1e-30  # size of an imaginary case: its square vanishes relative to 1
OF_ALL_CLASSES = (ACCURACY, HAMMING, BALANCED_ACCURACY, KAPPA, MCC)  # with one value for any number of classes


class Margins(NamedTuple):
    """Hits, sizes and predictions of each class, shape (..., n_classes), and the weighted disagreement, (...)."""

    hits: Array
    truth: Array
    predicted: Array
    off: Array


@dataclass(frozen=True, eq=False)
class TableMetric:
    """A metric of margins, with one value per point in the last axis; ``costs`` are the weights W of disagreement."""

    of: Callable[[Margins], Array]
    range: tuple[float, float]
    costs: Floats | None = None
    lacks: Callable[[Margins], Sequence[int]] = field(default=lambda _: ())

    def at(self, table: Floats) -> Floats:
        """The metric of a table."""
        return np.asarray(self.of(self.margins(table)))

    def margins(self, table: Floats) -> Margins:
        """The margins of a table."""
        off = 0.0 if self.costs is None else (self.costs * table).sum()
        return Margins(np.diagonal(table), table.sum(axis=1), table.sum(axis=0), np.asarray(off))

    def slopes(self, table: Floats) -> Floats:
        """The derivative by the count in each cell, shape (n_classes, n_classes, n_points)."""
        return np.asarray(self._moved(table, STEP * 1j, np.ones(len(table))).imag / STEP)

    def with_case(self, table: Floats, more: float, *, resized: bool) -> Floats:
        """The metric with a case of weight ``more`` in each cell; ``resized`` keeps the size of that case's class."""
        kept = table.sum(axis=1) / (table.sum(axis=1) + more) if resized else np.ones(len(table))
        return self._moved(table, more * kept, kept)

    def _moved(self, table: Floats, u: complex | Floats, kept: Floats) -> Array:
        """The metric with u cases added to each cell, the others of that class reduced to ``kept``; class by class."""
        base, each = self.margins(table), np.eye(len(table))
        costs = np.zeros_like(each) if self.costs is None else self.costs
        found = []
        for i, (case, share) in enumerate(zip(np.broadcast_to(u, len(table)), kept.tolist(), strict=True)):
            removed = (share - 1) * table[i]
            found.append(
                self.of(
                    Margins(
                        base.hits + each[i] * (removed[i] + case * each[i][:, None]),
                        np.broadcast_to(base.truth + each[i] * (removed.sum() + case), each.shape),
                        base.predicted + removed + case * each,
                        base.off + (costs[i] * removed).sum() + case * costs[i],
                    )
                )
            )
        return np.array(found)


def table_metric(
    metric: AnyMetric,
    n_classes: int,
    *,
    average: str | None,
    weights: str | None,
    places: Sequence[int],
    table: Floats,
    zero_division: float = 0.0,
) -> TableMetric:
    """A metric of classes at these ``places``; balanced accuracy is over those in the truth, undefined for one."""
    if metric is KAPPA:
        costs = _disagreement(n_classes, weights)
        return TableMetric(lambda m: _kappa(m, costs), (-1.0, 1.0), costs)
    if metric is MCC:
        return TableMetric(_matthews, (-1.0, 1.0))
    if metric is BALANCED_ACCURACY:
        return TableMetric(partial(_balanced_accuracy, np.flatnonzero(table.sum(axis=1))), (0.0, 1.0))
    if metric in (ACCURACY, HAMMING):
        sign, start = (1, 0) if metric is ACCURACY else (-1, 1)
        return TableMetric(lambda m: start + sign * ratio(_sum(m.hits), _sum(m.truth)), (0.0, 1.0))
    assert isinstance(metric, Metric)
    return _averaged(metric, average, list(places), zero_division)


def has_average(metric: object) -> bool:
    """Whether it is a ratio of counts, which exists for each class against the rest."""
    return isinstance(metric, Metric) and metric.of == "counts" and metric not in OF_ALL_CLASSES


def check_zero_division(found: Any, zero_division: Any) -> None:
    """Check that it is 0, 1, nan or "warn", and is for a ratio of counts."""
    if zero_division is None:
        return
    if not has_average(found):
        raise ValueError(f"zero_division is for ratios of counts, such as precision and f1, not for {found.name}.")
    if isinstance(zero_division, str):
        good = zero_division == "warn"
    else:
        good = isinstance(zero_division, int | float) and (zero_division in (0, 1) or math.isnan(zero_division))
    if not good:
        raise ValueError(f"zero_division must be 0, 1, nan or 'warn', got {zero_division!r}.")


def empty_value(zero_division: ZeroDivision | None) -> float:
    """The value of a ratio without any counts."""
    return 0.0 if zero_division in (None, "warn") else float(zero_division)


def _averaged(metric: Metric, average: str | None, places: list[int], empty: float) -> TableMetric:
    """A ratio of the counts of each class against the rest, by class or averaged; ``empty`` is that of no counts."""
    sums = partial(_sums_of_classes, metric, places)

    def of(m: Margins) -> Array:
        above, below = sums(m)
        if average == "micro":
            return ratio(_sum(above), _sum(below), empty)
        each = ratio(above, below, empty)
        if average is None:
            return each
        weights = m.truth[..., places] if average == "weighted" else np.ones_like(each)
        counted = ~np.isnan(each)
        weights, each = np.where(counted, weights, 0.0), np.where(counted, each, 0.0)
        return ratio(_sum(weights * each), _sum(weights), empty)

    def lacks(m: Margins) -> list[int]:
        below = sums(m)[1]
        empty_ones = [place for place, d in zip(places, below, strict=True) if d == 0]
        return [] if average == "micro" and below.any() else empty_ones

    return TableMetric(of, _range(metric), None, lacks)


def _sums_of_classes(metric: Metric, places: list[int], m: Margins) -> tuple[Array, Array]:
    hits, truth, predicted = (each[..., places] for each in m[:3])
    fn, fp = truth - hits, predicted - hits
    cells = (hits, fn, fp, _sum(m.truth) - hits - fn - fp)
    sides = (np.asarray(each, dtype=np.float64).tolist() for each in (metric.numerator, metric.denominator))
    above, below = (sum(w * cell for w, cell in zip(weights, cells, strict=True)) for weights in sides)
    return np.asarray(above), np.asarray(below)


def _range(metric: Metric) -> tuple[float, float]:
    if metric.range is not None:
        return metric.range
    numerator, denominator = (np.asarray(each, dtype=np.float64) for each in (metric.numerator, metric.denominator))
    counted = denominator > 0
    values = np.append(numerator[counted] / denominator[counted], 0.0)
    free = numerator[~counted]
    least, most = float(values.min()), float(values.max())
    return -np.inf if (free < 0).any() else least, np.inf if (free > 0).any() else most


def _disagreement(n_classes: int, weights: str | None) -> Floats:
    """The cost of each cell for kappa: 1 off the diagonal, or the distance from it, or its square."""
    distance = np.abs(np.subtract.outer(np.arange(n_classes), np.arange(n_classes))).astype(np.float64)
    return distance**2 if weights == "quadratic" else distance if weights == "linear" else np.minimum(distance, 1.0)


def _kappa(m: Margins, costs: Floats) -> Array:
    by_chance = ((m.truth @ costs) * m.predicted).sum(axis=-1)
    value = 1 - ratio(m.truth.sum(axis=-1) * m.off, by_chance)
    return np.asarray(np.where(by_chance.real > 0, value, np.nan))[..., None]


def _balanced_accuracy(present: Integers, m: Margins) -> Array:
    recalls = _mean(ratio(m.hits, m.truth)[..., present])
    return recalls if len(present) > 1 else np.full_like(recalls, np.nan)


def _matthews(m: Margins) -> Array:
    """The correlation of labels and truth for several classes (Gorodkin 2004); NaN if either is constant."""
    n = _sum(m.truth)
    joint = n * _sum(m.hits) - _sum(m.truth * m.predicted)
    square = (n * n - _sum(m.truth * m.truth)) * (n * n - _sum(m.predicted * m.predicted))
    some = square.real > 0
    return np.where(some, joint / np.sqrt(np.where(some, square, 1.0)), np.nan)


def ratio(above: Array, below: Array, empty: float = 0.0) -> Array:
    """A ratio; ``empty`` where the denominator is 0, as by scikit-learn's zero_division."""
    some = below.real != 0
    return np.where(some, above / np.where(some, below, 1.0), empty)


def _sum(values: Array) -> Array:
    return np.asarray(values.sum(axis=-1, keepdims=True))


def _mean(values: Array) -> Array:
    return np.asarray(values.mean(axis=-1, keepdims=True))


@dataclass(frozen=True)
class WeightedMetric:
    """A function ``metric(y_true, y_pred, sample_weight=w)`` with its options, its range and its direction."""

    function: Callable[..., object]
    options: tuple[tuple[str, Any], ...] = field(compare=False)  # may have arrays, and are part of the name
    name: str
    range: tuple[float, float]
    greater_is_better: bool

    def __call__(self, y_true: object, y_pred: object, sample_weight: object) -> Any:
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


def weighted_metric(
    metric: Callable[..., object], range: Any = None, greater_is_better: bool | None = None, *, columns: int = 1
) -> WeightedMetric:
    """A user's function; range and direction default to its name's. Brier scores of several ``columns`` reach 2."""
    check_no_scorer("metric", metric)
    function: Any = metric
    options: dict[str, Any] = {}
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
