"""Bands that hold at all points at once.

"equal_levels" and "kolmogorov" hold every rate of a class at every threshold, and so whatever is made of the rates, at
whatever thresholds, chosen on the same cases or not: limits for a class's empirical distribution function, Clopper and
Pearson's at the local level that makes them simultaneous, or those a constant distance away (Campbell 1994 for ROC
curves). Two classes are independent, and each gets the square root of the level; two models share what a class gets.
"path" is how far out a sequence of correlated Gaussians reaches somewhere, from the length of the path they describe.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial, singledispatch
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaincinv, ndtr, ndtri
from scipy.stats import kstwo

from skcostci._validation import Booleans, Floats, Integers
from skcostci.intervals._chosen import chosen
from skcostci.intervals._method import Law, Method
from skcostci.intervals._order_statistics import local_level
from skcostci.laws import ChosenCostLaw, FlatteredLaw, GroupedCurve, GroupedLaw, Hits, LinearCurve, ROCCurve, ROCHeights


def path_tail(length: float, n_points: int, alpha: float) -> float:
    """The tail probability for each of n_points standard Gaussians such that any exceeds it with at most alpha.

    ``length`` is the sum of the angles, arccos of the correlations, between successive ones. By the tube formula
    (Hotelling 1939, Naiman 1986) P(max > c) is at most P(Z > c) + length / (2 pi) exp(-c^2 / 2), and by the union
    bound n_points P(Z > c); the less strict of the two answers serves.
    """

    def excess(c: float) -> float:
        return float(ndtr(-c) + length / (2 * np.pi) * np.exp(-(c**2) / 2)) / alpha - 1

    alone = max(float(-ndtri(alpha)), 0.0)
    strictest = float(-ndtri(alpha / n_points))
    if excess(strictest) >= 0:
        return alpha / n_points
    return float(ndtr(-brentq(excess, alone, strictest, xtol=1e-12))) if excess(alone) > 0 else alpha


LeastRates = Callable[[Integers], Floats]  # lower limits of a class's rate for these many hits
RateLimits = Callable[[int, float], LeastRates]  # of so many cases, missing any rate with this probability
Curve = LinearCurve | ROCHeights | GroupedCurve
CurveT = TypeVar("CurveT", contravariant=True)


@dataclass(frozen=True)
class Band(Generic[CurveT]):
    """A band: ``limits(curve, law, pointwise, alpha)`` miss the truth at any point with a probability of ``alpha``.

    ``pointwise`` is the interval method of the points, ``title`` what legends call the band, and ``caution`` says when
    not to trust it.
    """

    name: str
    title: str
    limits: Callable[[CurveT, Law, Method[Any], float], tuple[Floats, Floats]]
    caution: str


def equal_levels(n: int, alpha: float) -> LeastRates:
    """Clopper-Pearson limits at the exact simultaneous level."""
    tail = local_level(n, alpha) / 2
    return lambda hits: np.where(hits > 0, betaincinv(np.maximum(hits, 1), n - hits + 1.0, tail), 0.0)


def kolmogorov(n: int, alpha: float) -> LeastRates:
    """Limits a constant distance from the share observed."""
    distance = _kolmogorov_distance(n, alpha)
    return lambda hits: np.maximum(hits / n - distance, 0.0)


@lru_cache(maxsize=1024)
def _kolmogorov_distance(n: int, alpha: float) -> float:
    """The exact quantile of the two-sided Kolmogorov-Smirnov statistic, which takes some time."""
    return float(kstwo.isf(alpha, n))


@singledispatch
def box(
    curve: Curve, law: Law, pointwise: Method[Any], alpha: float, *, rate_limits: RateLimits
) -> tuple[Floats, Floats]:
    """The least and the most that rates within the limits of their classes allow."""
    raise NotImplementedError


@box.register
def _linear_box(
    curve: LinearCurve, law: Law, pointwise: Method[Any], alpha: float, *, rate_limits: RateLimits
) -> tuple[Floats, Floats]:
    low, high = curve.constant, curve.constant
    for part in curve.classes:
        for model in part.models:
            of_class = _share(alpha, len(curve.classes)) / len(part.models)
            ends = np.multiply(model.value, _rates(model, rate_limits(model.cases, of_class)))
            low, high = low + ends.min(axis=0), high + ends.max(axis=0)
    return low, high


@box.register
def _height_box(
    curve: ROCHeights, law: Law, pointwise: Method[Any], alpha: float, *, rate_limits: RateLimits
) -> tuple[Floats, Floats]:
    of_class = _share(alpha, 2) / len(curve.models)
    limits = [_heights(model, curve.fpr, of_class, rate_limits) for model in curve.models]
    if len(limits) == 1:
        return limits[0]
    (low_a, high_a), (low_b, high_b) = limits
    return low_a - high_b, high_a - low_b


def _share(alpha: float, parts: int) -> float:
    """What each of several independent parts may miss for all to miss with probability alpha."""
    return float(-np.expm1(np.log1p(-alpha) / parts))


def _rates(model: Hits, least: LeastRates) -> tuple[Floats, Floats]:
    """The limits of a class's rate, a point where every case is hit, or none, whatever the population."""
    hit, missed = model.possible.T
    low = np.where(missed, np.where(hit, least(model.hits), 0.0), 1.0)
    return low, np.where(hit, np.where(missed, 1 - least(model.cases - model.hits), 1.0), 0.0)


def _heights(curve: ROCCurve, fpr: Floats, alpha: float, rate_limits: RateLimits) -> tuple[Floats, Floats]:
    """Limits of the curve's height at false-positive rates.

    Some threshold has at most ``fpr`` for certain, and its true-positive rate is reached. Above, the curve runs below
    the straight lines between the corners (least fpr, largest tpr): a segment of the true curve, ties and all, belongs
    to one cell of thresholds or to two neighbours.
    """
    least_fpr, least_tpr = rate_limits(curve.negatives, alpha), rate_limits(curve.positives, alpha)
    surely = _last(lambda count: 1 - least_fpr(curve.negatives - count) < fpr, curve.negatives, len(fpr))
    reached = np.searchsorted(curve.false_positives, surely, "right") - 1
    low = np.where(reached >= 0, least_tpr(curve.true_positives[np.maximum(reached, 0)]), 0.0)
    perhaps = _last(lambda count: least_fpr(count) <= fpr, curve.negatives, len(fpr))
    corner = np.searchsorted(curve.false_positives, perhaps, "right") - 1
    x, y = least_fpr(curve.false_positives[corner]), 1 - least_tpr(curve.positives - curve.true_positives[corner])
    end = corner + 1 == len(curve.false_positives)
    following = np.where(end, 0, corner + 1)
    x_next = np.where(end, 1.0, least_fpr(curve.false_positives[following]))
    y_next = np.where(end, 1.0, 1 - least_tpr(curve.positives - curve.true_positives[following]))
    return low, y + (y_next - y) * np.minimum((fpr - x) / (x_next - x), 1.0)


def _last(holds: Callable[[Integers], Booleans], most: int, n_points: int) -> Integers:
    """The largest count, at most ``most``, up to which something holds; -1 if it never does."""
    below, above = np.full(n_points, -1), np.full(n_points, most + 1)
    while (above - below > 1).any():
        middle = (below + above) // 2
        true = holds(np.maximum(middle, 0)) | (middle < 0)
        below, above = np.where(true, middle, below), np.where(true, above, middle)
    return below


def path(curve: LinearCurve | GroupedCurve, law: Law, pointwise: Method[Any], alpha: float) -> tuple[Floats, Floats]:
    """The pointwise limits at the tail probability at which no point of a Gaussian path misses.

    Where these cases chose thresholds they are no narrower than the limits that allow for that at each point.
    """
    tail = np.asarray(path_tail(curve.path_length, curve.unknown_points, alpha / 2))
    low, high = pointwise.limits(law, tail)
    chose = isinstance(law, ChosenCostLaw | FlatteredLaw) or (isinstance(law, GroupedLaw) and law.flatteries)
    if not chose:
        return low, high
    each_low, each_high = (chosen(law, np.asarray(alpha / 2), side) for side in (-1, 1))
    return np.minimum(low, each_low), np.maximum(high, each_high)


# Looked up by name for a result whose statistic lists it, as methods are.
BANDS: dict[str, Band[Any]] = {
    band.name: band
    for band in (
        Band(
            "equal_levels",
            "equal local levels",
            partial(box, rate_limits=equal_levels),
            "Never covers less than it says; for costs and differences much more.",
        ),
        Band(
            "kolmogorov",
            "Kolmogorov",
            partial(box, rate_limits=kolmogorov),
            "Never covers less than it says; wide where rates are near 0 or 1.",
        ),
        Band(
            "path",
            "path length",
            path,
            "Holds as far as the pointwise intervals do at a stricter level, and in the Gaussian limit.",
        ),
    )
}
