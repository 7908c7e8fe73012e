"""Metrics of a confusion table as data: the weights of its cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, as_array, as_numbers
from skcostci._elsewhere import meant_by
from skcostci._frozen import cached_property
from skcostci._options import MetricOf, did_you_mean
from skcostci._validation._arguments import COST, LARGEST_COST, PREVALENCE, SHARE, SMALLEST_COST, Number, check_option

CELLS = ("TP", "FN", "FP", "TN")
LARGEST_BETA = 1e6  # above it, and below its inverse, an F-score equals the recall or the precision to twelve digits
LARGEST_SPREAD = LARGEST_BETA**2  # ratio of a denominator's weights; limits within 1e-12 of their range of 0 are 0
# Tables without equal cells: a metric with equal values on these after exchanging the classes is symmetric.
UNLIKE = np.array([[2, 3, 5, 7], [29, 2, 13, 5], [3, 31, 11, 17], [19, 7, 2, 23]], dtype=np.float64)
ZeroDivision = float | Literal["warn"]
Weights = Sequence[float] | Callable[[Any], Sequence[object]]


class OfCells:
    """The interface of every metric of the four cells."""

    name: str
    title: str | None

    @property
    def label(self) -> str:
        """The name of the metric on axes and in legends."""
        words = self.name.replace("_", " ")
        return self.title or words[:1].upper() + words[1:]

    def at(self, tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, prevalence: float | None = None) -> Floats:
        """The metric, computed from counts; not finite where it is undefined.

        Parameters
        ----------
        tp, fn, fp, tn : array-like
            True positives, false negatives, false positives and true negatives, finite and not negative, of shapes that
            broadcast. Each entry is a confusion table with its own class sizes.
        prevalence : float, default=None
            The share of positives at which the metric is evaluated, from 1e-9 to 1 - 1e-9; None is the share in the
            counts.

        Returns
        -------
        ndarray
            The metric, of the counts' shape.
        """
        share = None if prevalence is None else PREVALENCE("prevalence", prevalence)
        cells = zip(map(str.lower, CELLS), (tp, fn, fp, tn), strict=True)
        counts = {name: COST.all(name, given) for name, given in cells}
        try:
            tp, fn, fp, tn = np.broadcast_arrays(*counts.values())
        except ValueError:
            shapes = ", ".join(f"{name} {count.shape}" for name, count in counts.items())
            raise ValueError(f"tp, fn, fp and tn must have shapes that broadcast, got {shapes}.") from None
        return self._of_cells(tp, fn, fp, tn, prevalence=share)

    def _of_cells(self, tp: Floats, fn: Floats, fp: Floats, tn: Floats, *, prevalence: float | None = None) -> Floats:
        raise NotImplementedError

    @cached_property
    def needs_positive_class(self) -> bool:
        """Whether the value depends on which class is called positive, as for the recall but not for the accuracy."""
        values, exchanged = self._of_cells(*UNLIKE.T), self._of_cells(*UNLIKE[:, ::-1].T)
        return not np.allclose(values, exchanged, rtol=1e-9, atol=0.0)

    @cached_property
    def follows_share(self) -> bool:
        """Whether the value depends on the share of positives where TPR and FPR are given, as the precision does."""
        values, rarer = self._of_cells(*UNLIKE.T), self._of_cells(*(UNLIKE * [1, 1, 7, 7]).T)
        return not np.allclose(values, rarer, rtol=1e-9, atol=0.0)


@dataclass(frozen=True)
class Metric(OfCells):
    """A metric of a confusion table: a weighted sum of its cells divided by another weighted sum.

    Parameters
    ----------
    numerator, denominator : sequence of 4 floats, or callable
        The weights of true positives, false negatives, false positives and true negatives in each sum, in this order:
        0, or from 1e-100 to 1e100 in absolute value. The weights of the denominator are not negative, and within a
        factor of 1e12 of each other. With ``of="rates"`` they may be functions of the share of positives that return
        four weights; a function, not a lambda, where the metric is to be pickled.
    of : {"counts", "rates"}, default="counts"
        Whether the weights apply to counts of cases or to the rates TPR, FNR, FPR and TNR.
    name : str, default="metric"
        The name in messages and tables.
    range : tuple of 2 floats, default=None
        The least and the largest possible value; None is the range that the weights allow. Intervals are limited to it,
        and a value outside it is an error.
    greater_is_better : bool, default=True
        False for errors and costs.
    title : str, default=None
        The name in legends and on axes; None is ``name`` with a capital letter.

    See Also
    --------
    bootstrap_metric : The estimate with its bootstrap distribution and interval.

    Notes
    -----
    Where the denominator D is positive, ``P(N / D <= x) = P(N - x D <= 0)``, so that the distribution of any such
    metric follows from distributions of weighted counts.

    Examples
    --------
    The threat score with misses counted twice, and its interval:

    >>> from skcostci import Metric, bootstrap_metric
    >>> threat = Metric((1, 0, 0, 0), (1, 2, 1, 0), name="threat")
    >>> bootstrap_metric([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1], threat)
    MetricResult(threat, estimate=0.5, standard_error=0.2479, 95 % interval 0.07748 to 0.9453 by unseen_case)

    Others by their constructors, their weights at a share of positives and in a sample, and a value from counts:

    >>> Metric.net_benefit(0.2).numerator, Metric.cost(0.25).numerator
    ((1.0, 0.0, -0.25, 0.0), (0.0, 0.25, 0.75, 0.0))
    >>> threat.on_rates(0.25)[1].tolist(), threat.on_counts(20, 50)[1].tolist()
    ([0.25, 0.5, 0.75, 0.0], [1.0, 2.0, 1.0, 0.0])
    >>> float(Metric.fbeta(2).at(tp=4, fn=1, fp=1, tn=4))
    0.8
    """

    numerator: Weights
    denominator: Weights
    of: MetricOf = field(default="counts", kw_only=True)
    name: str = field(default="metric", kw_only=True)
    range: tuple[float, float] | None = field(default=None, kw_only=True)
    greater_is_better: bool = field(default=True, kw_only=True)
    title: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_option("of", self.of, MetricOf)
        for side in ("numerator", "denominator"):
            weights = getattr(self, side)
            if callable(weights) and self.of == "counts":
                raise ValueError(f"{side} may be a function of the share of positives only with of='rates'.")
            object.__setattr__(self, side, weights if callable(weights) else _check_weights(side, weights))
        if self.range is not None:
            check_metric_range(self.range)

    @classmethod
    def cost(cls, probability_cost: float) -> Metric:
        """The normalized expected cost at an operating condition.

        Parameters
        ----------
        probability_cost : float
            PC(+), in [0, 1]: the weight of the false-negative rate; 1 - PC(+) is that of the false-positive rate.

        Returns
        -------
        Metric
        """
        w = SHARE("probability_cost", probability_cost)
        title = "Normalized expected cost"
        return cls(cost_weights(w).tolist(), (0.5,) * 4, of="rates", name="cost", title=title, greater_is_better=False)

    @classmethod
    def fbeta(cls, beta: float) -> Metric:
        """The F-score that gives recall ``beta`` times as much weight as precision.

        Parameters
        ----------
        beta : float
            0, which is precision, or from 1e-6 to 1e6; 1 is F1.

        Returns
        -------
        Metric
        """
        # At 0 the F-score is the precision itself, although 0 is below the range of other beta.
        nought = isinstance(beta, int | float) and not isinstance(beta, bool) and beta == 0
        square = 0.0 if nought else Number(1 / LARGEST_BETA, LARGEST_BETA)("beta", beta) ** 2
        weights = (1 + square, 0.0, 0.0, 0.0), (1 + square, square, 1.0, 0.0)
        return cls(*weights, name=f"f{beta:g}", title=f"F{beta:g}")

    @classmethod
    def net_benefit(cls, threshold_probability: float, *, standardized: bool = False) -> Metric:
        """Net benefit: true positives per case minus false positives per case times the odds of the threshold.

        Parameters
        ----------
        threshold_probability : float
            The risk at which treatment and no treatment are equally good, in [0, 1).
        standardized : bool, default=False
            Divide by the share of positives, so that treating exactly the positives has the value 1.

        Returns
        -------
        Metric
        """
        risk = Number(0, 1, ")")("threshold_probability", threshold_probability)
        name, each = ("standardized_net_benefit", (1, 1, 0, 0)) if standardized else ("net_benefit", (1, 1, 1, 1))
        return cls((1.0, 0.0, -risk / (1 - risk), 0.0), each, name=name)

    def on_rates(self, share: ArrayLike) -> tuple[Floats, Floats]:
        """The weights of TPR, FNR, FPR and TNR at a share of positives: two arrays of shape (..., 4).

        Parameters
        ----------
        share : float or array-like
            The share of positives, in (0, 1).

        Returns
        -------
        numerator : ndarray of shape (..., 4)
            The weights in the numerator.
        denominator : ndarray of shape (..., 4)
            The weights in the denominator.
        """
        share = SHARE.all("share", share)
        sizes = np.stack([share, share, 1 - share, 1 - share], axis=-1)
        numerator, denominator = (_at_share(weights, share) for weights in (self.numerator, self.denominator))
        if self.of == "rates":
            return numerator, denominator
        return np.asarray(numerator * sizes), np.asarray(denominator * sizes)

    def on_counts(
        self, positives: Floats | float, negatives: Floats | float, prevalence: float | None = None
    ) -> tuple[Floats, Floats]:
        """The weights of the four counts in a sample with given class sizes, at its own share of positives or another.

        Parameters
        ----------
        positives, negatives : float
            The sizes of the classes.
        prevalence : float, default=None
            The share of positives at which the metric is evaluated, in (0, 1); None is the share in the sample.

        Returns
        -------
        numerator : ndarray of shape (4,)
            The weights of TP, FN, FP and TN in the numerator.
        denominator : ndarray of shape (4,)
            The weights in the denominator.
        """
        positives, negatives = np.asarray(positives, dtype=np.float64), np.asarray(negatives, dtype=np.float64)
        if self.of == "counts" and prevalence is None:
            return np.asarray(self.numerator, dtype=np.float64), np.asarray(self.denominator, dtype=np.float64)
        # In most grids of counts all samples have the same sizes, and the same weights.
        if positives.size and np.ptp(positives) == np.ptp(negatives) == 0:
            positives, negatives = positives.ravel()[0], negatives.ravel()[0]
        positives, negatives = np.broadcast_arrays(positives, negatives)
        sizes, whole = np.stack([positives, positives, negatives, negatives], axis=-1), positives + negatives
        # An empty sample has no share; 0 / 0 would be refused as a share.
        share = positives / np.where(whole > 0, whole, 1.0) if prevalence is None else np.float64(prevalence)
        totals = self.on_rates(share)
        with np.errstate(invalid="ignore", divide="ignore"):
            # The weight per case of a class with this total weight; a class of weight 0 may be empty.
            numerator, denominator = (np.where(total == 0, 0.0, total / sizes) for total in totals)
        return numerator, denominator

    @np.errstate(invalid="ignore", divide="ignore")
    def _of_cells(self, tp: Floats, fn: Floats, fp: Floats, tn: Floats, *, prevalence: float | None = None) -> Floats:
        counts, both = (tp, fn, fp, tn), self.on_counts(tp + fn, fp + tn, prevalence)
        numerator, denominator = (sum(each[..., place] * n for place, n in enumerate(counts)) for each in both)
        return np.asarray(np.asarray(numerator) / denominator)


@dataclass(frozen=True)
class MonotoneMetric(OfCells):
    """Any metric (NaN or infinite where undefined) that does not fall when an error becomes a correct case."""

    function: Callable[[Floats, Floats, Floats, Floats], Floats]
    name: str = "metric"
    range: tuple[float, float] = (-np.inf, np.inf)
    greater_is_better: bool = True
    title: str | None = None
    of: MetricOf = field(default="rates", init=False)

    @np.errstate(invalid="ignore", divide="ignore")
    def _of_cells(self, tp: Floats, fn: Floats, fp: Floats, tn: Floats, *, prevalence: float | None = None) -> Floats:
        """The metric at checked counts, judged at their class mix or another."""
        if prevalence is None:
            return self.function(tp, fn, fp, tn)
        positive, negative = prevalence / (tp + fn), (1 - prevalence) / (fp + tn)
        return self.function(tp * positive, fn * positive, fp * negative, tn * negative)


AnyMetric = Metric | MonotoneMetric


@dataclass(frozen=True)
class RiskMetric:
    """A metric that weights errors by the threshold as a risk: scores must be risks too, no laboratory values."""

    name: str
    at_threshold: Callable[[float], Metric]
    greater_is_better: bool = True
    needs_positive_class: bool = True

    @property
    def label(self) -> str:
        """The name of the metric on axes and in legends."""
        return self.at_threshold(0.0).label


MetricLike = str | AnyMetric | RiskMetric | Callable[..., object]  # a name, an object, or a function of weighted cases


def cost_weights(probability_cost: Floats | float) -> Floats:
    """The costs of TPR, FNR, FPR and TNR at operating conditions, shape (..., 4)."""
    w = np.asarray(probability_cost, dtype=np.float64)
    return np.stack([np.zeros_like(w), w, 1 - w, np.zeros_like(w)], axis=-1)


def of_cells(metric: OfCells, *cells: Floats, prevalence: float | None = None) -> Floats:
    """The metric of checked counts of TP, FN, FP and TN, without checks, for laws that evaluate it often."""
    return metric._of_cells(*cells, prevalence=prevalence)


def follow_share(metrics: Iterable[OfCells]) -> bool:
    """Whether any of these metrics, mostly one at many points, follows the share of positives."""
    return any(metric.follows_share for metric in {id(metric): metric for metric in metrics}.values())


def values_at(metrics: Sequence[OfCells], counts: Floats, prevalence: float | None = None) -> Floats:
    """The metric of each row of TP, FN, FP and TN, not finite where it is undefined; there is one metric per row."""
    if all(metric is metrics[0] for metric in metrics):
        return of_cells(metrics[0], *counts.T, prevalence=prevalence)
    rows = zip(metrics, counts, strict=True)
    return np.array([of_cells(metric, *row, prevalence=prevalence).item() for metric, row in rows])


def check_metric_range(given: ArrayLike) -> None:
    """Check two ends in ascending order."""
    ends = as_numbers("range", as_array("range", given))
    if ends.shape != (2,) or not ends[0] < ends[1] or (np.abs(ends[np.isfinite(ends)]) > LARGEST_COST).any():
        raise ValueError(f"range must be a pair (smallest, largest) within {LARGEST_COST:g}, got {given!r}.")


def _check_weights(side: str, weights: Any) -> tuple[float, ...]:
    """Four numbers that do not overflow; in the denominator not negative, not all 0, and of comparable size."""
    numbers = as_numbers(side, as_array(side, weights))
    if numbers.shape != (4,) or not np.isfinite(numbers).all():
        raise ValueError(f"{side} must contain four finite weights, for {', '.join(CELLS)}, got {weights!r}.")
    sizes = np.abs(numbers[numbers != 0])
    if len(sizes) and not (sizes.min() >= SMALLEST_COST and sizes.max() <= LARGEST_COST):
        raise ValueError(f"{side} must have weights of 0 or size {SMALLEST_COST:g} to {LARGEST_COST:g}, got {weights}.")
    if side == "denominator" and (numbers.min() < 0 or not numbers.any()):
        raise ValueError(f"denominator must contain weights that are not negative and not all 0, got {weights!r}.")
    if side == "denominator" and sizes.max() > LARGEST_SPREAD * sizes.min():
        raise ValueError(f"denominator must contain weights within a factor of {LARGEST_SPREAD:g}, got {weights!r}.")
    return tuple(numbers.tolist())


def _at_share(weights: Weights, share: Floats) -> Floats:
    """Four weights, of shape (..., 4), at these shares; a function need not accept arrays, nor a share of 0 or 1."""
    try:
        four = weights(share) if callable(weights) else weights
    except (ArithmeticError, TypeError, ValueError):
        if share.ndim:
            each = [_at_share(weights, np.asarray(one)) for one in share.ravel()]
            return np.array(each).reshape(*share.shape, len(CELLS))
        if 0 < share < 1:
            raise
        four = (np.nan,) * len(CELLS)
    return np.stack([np.broadcast_to(np.asarray(weight, dtype=np.float64), share.shape) for weight in four], axis=-1)


def _labelled_positive(share: Floats) -> tuple[Floats | float, ...]:
    return share, 0.0, 1 - share, 0.0


def _beyond_chance(share: Floats) -> tuple[Floats | float, ...]:
    """Accuracy minus that of labels of the same frequency, but independent of the truth."""
    return 2 * share * (1 - share), 0.0, -2 * share * (1 - share), 0.0


def _by_chance(share: Floats) -> tuple[Floats, ...]:
    """The share of errors of labels of the same frequency, but independent of the truth."""
    other = 1 - share
    return share * other, share * share, other * other, share * other


def _matthews(tp: Floats, fn: Floats, fp: Floats, tn: Floats) -> Floats:
    # Not the usual formula: its product of four sums overflows for weighted counts of 1e100.
    rates = tp / (tp + fn) - fp / (fp + tn)
    return np.asarray(rates * np.sqrt(((tp + fn) / (tp + fp)) * ((fp + tn) / (fn + tn))))


def _equitable(tp: Floats, fn: Floats, fp: Floats, tn: Floats) -> Floats:
    """The hits minus those by chance, over hits and errors minus these (Gilbert 1884)."""
    by_chance = (tp + fn) * (tp + fp) / (tp + fn + fp + tn)
    return np.asarray((tp - by_chance) / (tp + fn + fp - by_chance))


def _odds_ratio(tp: Floats, fn: Floats, fp: Floats, tn: Floats) -> Floats:
    return np.asarray((tp / fn) * (tn / fp))


_error = partial(Metric, greater_is_better=False)
METRICS = (  # in the order of messages and pages; those that other code refers to have a name of their own
    ACCURACY := Metric((1, 0, 0, 1), (1, 1, 1, 1), name="accuracy"),
    Metric((1, 0, 0, 0), (1, 0, 1, 0), name="precision"),
    Metric((0, 0, 0, 1), (0, 1, 0, 1), name="npv", title="Negative predictive value"),
    Metric((1, 0, 0, 0), (1, 1, 0, 0), name="recall"),
    Metric((0, 0, 0, 1), (0, 0, 1, 1), name="specificity"),
    Metric.fbeta(1.0),
    Metric((1, 0, 0, 0), (1, 1, 1, 0), name="jaccard", title="Jaccard index"),
    _error((0, 0, 1, 0), (1, 0, 1, 0), name="fdr", title="False discovery rate"),
    _error((0, 1, 0, 0), (0, 1, 0, 1), name="fomr", title="False omission rate"),
    _error((0, 0, 1, 0), (0, 0, 1, 1), name="fpr", title="False positive rate"),
    _error((0, 1, 0, 0), (1, 1, 0, 0), name="fnr", title="False negative rate"),
    HAMMING := _error((0, 1, 1, 0), (1, 1, 1, 1), name="hamming", title="Hamming loss"),
    Metric((1, 0, 1, 0), (1, 1, 1, 1), name="selection_rate"),
    BALANCED_ACCURACY := Metric((0.5, 0, 0, 0.5), (0.5, 0.5, 0.5, 0.5), of="rates", name="balanced_accuracy"),
    YOUDEN := Metric((1, 0, -1, 0), (0.5, 0.5, 0.5, 0.5), of="rates", name="youden", title="Youden's J"),
    Metric((1, 0, 0, 0), (0, 0, 1, 0), of="rates", name="lr_positive", title="Likelihood ratio LR+"),
    _error((0, 1, 0, 0), (0, 0, 0, 1), of="rates", name="lr_negative", title="Likelihood ratio LR−"),
    MonotoneMetric(_odds_ratio, "diagnostic_odds_ratio", (0.0, np.inf)),
    Metric((1, 0, 0, 0), _labelled_positive, of="rates", name="lift", range=(0, np.inf)),
    KAPPA := Metric(_beyond_chance, _by_chance, of="rates", name="kappa", title="Cohen's kappa", range=(-1, 1)),
    MCC := MonotoneMetric(_matthews, "mcc", (-1.0, 1.0), title="Matthews correlation"),
    Metric((1, -1, -1, 1), (1, 1, 1, 1), name="pabak", title="PABAK", range=(-1, 1)),
    Metric((1, 0, 1, 0), (1, 1, 0, 0), name="bias", title="Frequency bias", range=(0, np.inf)),
    MonotoneMetric(_equitable, "ets", (-1 / 3, 1.0), title="Equitable threat score"),
    RiskMetric("net_benefit", Metric.net_benefit),
    RiskMetric("standardized_net_benefit", partial(Metric.net_benefit, standardized=True)),
)
OF_ALL_CLASSES = (ACCURACY, HAMMING, BALANCED_ACCURACY, KAPPA, MCC)  # with one value for any number of classes
BY_NAME: dict[str, AnyMetric | RiskMetric] = {metric.name: metric for metric in METRICS}
ALIASES = {
    **dict.fromkeys(("sensitivity", "tpr", "hit_rate"), "recall"),
    **{"tnr": "specificity", "ppv": "precision", "cohen_kappa": "kappa", "matthews_corrcoef": "mcc"},
    **{"csi": "jaccard", "threat_score": "jaccard", "gilbert": "ets", "hss": "kappa", "heidke": "kappa"},
    **{"pss": "youden", "peirce": "youden", "frequency_bias": "bias"},
    **{"positive_likelihood_ratio": "lr_positive", "negative_likelihood_ratio": "lr_negative"},
}


def find_metric(metric: object, name: str = "metric", others: Sequence[str] = ()) -> AnyMetric | RiskMetric:
    """The metric of this name, or the one given; ``name`` is the parameter's name, ``others`` are valid too."""
    if isinstance(metric, AnyMetric):
        return metric
    if not isinstance(metric, str):
        several = " Use report for several metrics at once." if isinstance(metric, list | tuple | set) else ""
        raise TypeError(f"{name} must be a name, a Metric or a function of y_true and y_pred, got {metric!r}.{several}")
    known = (*others, *BY_NAME, *ALIASES)
    if metric not in known:
        listed, head = ", ".join(map(repr, known)), meant_by(metric, known)
        near = "" if head else did_you_mean(metric, known)
        raise ValueError(f"{head}{name} must be one of {listed}, got {metric!r}.{near}")
    return BY_NAME[ALIASES.get(metric, metric)]


def has_average(metric: object) -> TypeGuard[Metric]:
    """Whether it is a ratio of counts, which exists for each class against the rest."""
    return isinstance(metric, Metric) and metric.of == "counts" and metric not in OF_ALL_CLASSES


def check_zero_division(found: AnyMetric | RiskMetric, zero_division: object) -> None:
    """Check that it is 0, 1, nan or "warn", and is for a ratio of counts."""
    if zero_division is None:
        return
    if not has_average(found):
        raise ValueError(f"zero_division is for ratios of counts, such as precision and f1, not for {found.name}.")
    of_number = isinstance(zero_division, int | float) and (zero_division in (0, 1) or math.isnan(zero_division))
    if not of_number and not (isinstance(zero_division, str) and zero_division == "warn"):
        raise ValueError(f"zero_division must be 0, 1, nan or 'warn', got {zero_division!r}.")
