"""Limits for counted statistics (sums, rates and ratios) that allow for one unseen case at the worst value.

**Sums of cell values times shares.** For an upper limit one more case is added to the cases seen, in the cell with the
greatest possible value, and the shares have the Dirichlet law of the n cases including it. For two cells this gives
Clopper and Pearson's limits; for more, Gaffke's, with the law of a Dirichlet mean replaced by a Beta law of the same
mean, variance and third moment that ends at the greatest possible value. On a scale from 0, the least value seen, to 1,
the greatest possible value, with x_j cases, the additional one included, at the place v_j,

    mean = sum_j x_j v_j / n,    variance = sum_j x_j (v_j - mean)^2 / (n (n + 1)),
    third = 2 sum_j x_j (v_j - mean)^3 / (n (n + 1) (n + 2)).

Without the third moment the tail would be too light where a costly cell is rare and the others cost little. Classes are
sampled independently, so that their central moments add up.

**Ratios N / D** of such sums end at the last x for which N - x D may be 0. For other metrics of a confusion table the
limit is the extreme that the rates allow (:func:`at_extreme`), MOVER's limit for weighted sums.

"clopper_pearson" and "wilson" are the usual limits of binomial rates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincc, betainccinv, betaincinv, ndtri

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci.intervals._method import Law, Limit, Method, Tails, last_inside
from skcostci.laws.exact._linear import LinearLaw
from skcostci.laws.exact._means_and_ratios import MeanLaw, RatioLaw
from skcostci.laws.exact._metric_law import MetricLaw
from skcostci.laws.influence._first_order import FirstOrderLaw
from skcostci.laws.influence._weighted import WeightedLaw

TURNS = 384  # directions of a circle, along which extremes are searched
HEIGHTS = np.linspace(-1.0, 1.0, 33)  # of circles on a sphere, with an eighth of the directions each
LEVELS = (0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001, 0.0005)  # alphas between which the limits nest


@singledispatch
def unseen(law: object, alpha: Floats, side: int) -> Floats:
    """The limit that allows for one more unit, a case or a group; registered per type of law."""
    if isinstance(law, WeightedLaw):
        return unseen(law.of_cases, alpha, side)
    raise NotImplementedError(
        f"an interval that allows for an unseen case or group is not implemented for a {type(law).__name__}."
    )


@singledispatch
def unseen_tails(law: Law, x: float) -> Tails | None:
    """The tails in closed form: limits of sums are quantiles of one Beta law, limits of most other laws are not."""
    return unseen_tails(law.of_cases, x) if isinstance(law, WeightedLaw) else None


@dataclass(frozen=True, repr=False, eq=False)
class BetaLaw:
    """Beta laws that end at ``top``, one per point; moments on a scale from 0 at ``least``, the earliest start."""

    least: Floats
    top: Floats
    mean: Floats
    variance: Floats
    third: Floats

    @property
    def known(self) -> Booleans:
        return np.asarray(self.top == self.least)

    @cached_property
    def start(self) -> Floats:
        """Where a Beta law that ends at 1 starts that has these moments, on their scale; 0 if that is further out.

        With below = mean - start and above = 1 - mean its third moment is
        2 variance^2 (above - below) / (above below + variance).
        """
        below, above, square = self.mean, 1 - self.mean, 2 * self.variance**2
        more = self.third * (below * above + self.variance) - square * (above - below)
        return np.where(more > 0, more / np.where(more > 0, self.third * above + square, 1.0), 0.0)

    @property
    def shapes(self) -> tuple[Floats, Floats]:
        """Both shape parameters, 1 where the law has zero width."""
        below, above = self.mean - self.start, 1 - self.mean
        size = below * above / np.where(self.known, 1.0, self.variance) - 1
        a, b = (np.where(self.known, 1.0, size * part / (below + above)) for part in (below, above))
        return a, b

    def above(self, alpha: Floats) -> Floats:
        quantile = betainccinv(*self.shapes, alpha)
        share = np.where(np.isnan(quantile), 1.0, quantile)  # scipy returns NaN where it is nearly 1
        place = self.start + (1 - self.start) * share
        return np.asarray(np.where(self.known, self.top, self.least + (self.top - self.least) * place))

    def tail(self, x: Floats) -> Floats:
        width = np.where(self.known, 1.0, self.top - self.least)
        place = ((x - self.least) / width - self.start) / (1 - self.start)
        return np.asarray(np.where(self.known, x <= self.top, betaincc(*self.shapes, np.clip(place, 0.0, 1.0))))


def with_unseen_case(counts: Floats, values: Floats, possible: Booleans) -> BetaLaw:
    """The Beta law of ``sum_j values[j] * share[j]`` with the unseen case; all of shape (n_points, n_cells)."""
    least = np.where(counts > 0, values, np.inf).min(axis=1)
    top = np.where(possible, values, -np.inf).max(axis=1)
    known = top == least
    place = np.where(counts > 0, (values - least[:, None]) / np.where(known, 1.0, top - least)[:, None], 0.0)
    n = counts.sum(axis=1) + 1
    mean = np.where(known, 1.0, ((counts * place).sum(axis=1) + 1) / n)
    off, rest = place - mean[:, None], 1 - mean
    squares = np.where(known, 0.0, (counts * (off * off)).sum(axis=1) + rest**2)
    # As products: a power would take ten times as long.
    third = (counts * (off * off * off)).sum(axis=1) + rest**3
    cubes = np.where(known, 0.0, third)
    return BetaLaw(least, top, mean, squares / (n * (n + 1)), 2 * cubes / (n * (n + 1) * (n + 2)))


@unseen.register
def _of_sum(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """A quantile of the Beta law of the sum over classes, no nearer than the observed sum."""
    return np.asarray(side * np.maximum(_together(law, side).above(alpha), side * law.observed_mean))


@unseen_tails.register
def _tails_of_sum(law: LinearLaw, x: float) -> Tails:
    lower, upper = (
        np.where(side * law.observed_mean >= side * x, 1.0, _together(law, side).tail(np.asarray(side * x)))
        for side in (-1, 1)
    )
    return lower, upper


def _together(law: LinearLaw, side: int) -> BetaLaw:
    """The Beta law with the sums of the strata's central moments and the sums of their ends."""
    parts = [with_unseen_case(part.observed, side * part.values, part.prior > 0) for part in law.strata]
    least, top = (np.asarray(sum(ends)) for ends in zip(*((part.least, part.top) for part in parts), strict=True))
    known = top == least
    weights = [np.where(known, 0.0, (part.top - part.least) / np.where(known, 1.0, top - least)) for part in parts]
    mean, variance, third = (
        np.asarray(sum(weight**k * moment for weight, moment in zip(weights, moments, strict=True)))
        for k, moments in enumerate(zip(*((part.mean, part.variance, part.third) for part in parts), strict=True), 1)
    )
    return BetaLaw(least, top, np.where(known, 1.0, mean), variance, third)


@unseen.register
def _of_mean(law: MeanLaw, alpha: Floats, side: int) -> Floats:
    """The limit of a sum; the end of the parameter's range where only one value is known on this side."""
    return np.where(law.is_unknown(side), law.support[side > 0], _of_sum(law.for_limits, alpha, side))


@unseen_tails.register
def _tails_where_known(law: MeanLaw | RatioLaw, x: float) -> Tails:
    """Tails with 1 on a side where only one value is known: the limit there leaves out nothing."""
    if isinstance(law, MeanLaw):
        unknown, (lower, upper) = (law.is_unknown(-1), law.is_unknown(1)), _tails_of_sum(law.for_limits, x)
    else:
        unknown, (lower, upper) = (law.is_point, law.is_point), _tails_of_sum(law.at(x), 0.0)
    least, most = law.support
    return np.where(unknown[0] & (least < x), 1.0, lower), np.where(unknown[1] & (most > x), 1.0, upper)


@unseen.register
def _of_ratio(law: RatioLaw, alpha: Floats, side: int) -> Floats:
    levels = np.broadcast_to(alpha, np.shape(alpha) or (1,))
    if law.is_point:
        return np.broadcast_to(law.support[side > 0], levels.shape)
    unit = max(float(np.abs(law.numerator).max()), abs(law.ends_at(0.0)[side > 0])) / law.denominator.max()
    if unit == 0:
        return np.broadcast_to(law.estimate, levels.shape)
    return last_ratio_of_mean(law, law.at, _of_sum, levels, side, unit)


def last_ratio(
    inside: Callable[[Floats], Floats], start: Floats, end: Floats, unit: Floats | float, tolerance: float
) -> Floats:
    """The last ratio ``unit * tan(angle)``, perhaps infinite, before ``inside`` is negative."""
    first, last = np.broadcast_arrays(np.arctan(start / unit), np.arctan(end / unit))
    found = last_inside(inside, first, last, tolerance)
    return np.where(found == last, end, np.where(found == first, start, unit * np.tan(found)))


def last_ratio_of_mean(
    law: RatioLaw | FirstOrderLaw, at: Callable[[float], object], limit: Limit, levels: Floats, side: int, unit: float
) -> Floats:
    """The last x for which the mean of n - x d, whose law is ``at`` x, may be 0, at each level."""

    def inside(angle: Floats) -> Floats:
        laws = [at(unit * np.tan(each)) for each in angle.tolist()]
        return side * np.array([limit(each, level, side)[0] for each, level in zip(laws, levels, strict=True)])

    return last_ratio(inside, np.broadcast_to(law.estimate, levels.shape), law.support[side > 0], unit, 1e-10)


def metric_limit(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """The last x of a ratio for which N - x D may be 0; else the extreme that the rates allow."""
    if law.mixes_rates:
        return unseen(law.given_sizes, alpha, side)
    if not law.is_ratio:
        return at_extreme(law, alpha, side)
    numerator, denominator = law.weights
    unit = np.abs(numerator).max(axis=1) / denominator.max(axis=1)
    levels = np.broadcast_to(alpha, law.estimate.shape)

    def inside(angle: Floats) -> Floats:
        return np.asarray(side * _of_sum(law.contrast(np.cos(angle), -unit * np.sin(angle)), levels, side))

    return last_ratio(inside, law.estimate, law.support[side > 0], unit, 1e-15)


def at_extreme(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """The furthest value of the metric at rates (and class shares, where these are drawn too) that the cases allow.

    These lie within an ellipse around the estimated rates, whose half axes are the distances to the limits of each
    rate. At the furthest of them the metric is replaced by its tangent, a weighted sum, and the rates move on, on the
    same ray, to where this sum reaches its own limit. No limit is nearer than one at a larger alpha of LEVELS.
    """
    limit = _extreme(law, alpha, side)
    for level in LEVELS:
        if (larger := level > alpha).any():
            limit = np.where(larger, side * np.fmax(side * limit, side * _extreme(law, np.asarray(level), side)), limit)
    return limit


def _extreme(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """The extreme for one alpha alone: on its ellipse or, if further out, at the limit of the sum."""
    parts, center = law.parts, np.array([part.mean for part in law.parts])
    axes = np.array([[_of_sum(part, alpha, s) - part.mean for part in parts] for s in (-1, 1)])
    ways = _directions(len(parts))[:, :, None]
    moves = np.abs(ways) * np.where(ways > 0, axes[1], axes[0])
    values = law.at_rates(np.moveaxis(center + moves, 0, 1))
    best = np.where(np.isnan(values), -np.inf, side * values).argmax(axis=0)
    points = np.arange(len(best))
    value, move = values[best, points], moves[best, :, points].T
    reach = _reach(law, parts, move, alpha, side)
    beyond = law.at_rates(np.clip(center + reach * move, 0.0, 1.0))
    return np.asarray(side * np.fmax(side * value, side * beyond))


def _reach(law: MetricLaw, parts: list[LinearLaw], move: Floats, alpha: Floats, side: int) -> Floats:
    """The factor, at least 1, on a move that takes the linearized metric to its limit; 2 where a slope is infinite."""
    center = np.array([part.mean for part in parts])
    slopes = law.slopes(center + move)
    usable, least = np.isfinite(slopes).all(axis=0), np.where(np.isinf(slopes).any(axis=0), 2.0, 1.0)
    slopes = np.where(usable, slopes, 0.0)
    strata = [
        replace(part.strata[0], values=part.strata[0].values * s[:, None])
        for part, s in zip(parts, slopes, strict=True)
    ]
    whole = LinearLaw(tuple(strata), agresti=4.0)
    risen, needed = (slopes * move).sum(axis=0), _of_sum(whole, alpha, side) - whole.mean
    usable &= side * risen > 0
    return np.where(usable, np.maximum(needed / np.where(usable, risen, 1.0), 1.0), least)


def _directions(dimension: int) -> Floats:
    """Unit vectors, shape (n_directions, dimension); fixed, so that wider ellipses have wider extremes."""
    turns = 2 * np.pi / TURNS * np.arange(TURNS)
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    if dimension == 2:
        return circle
    rings = [np.column_stack([np.sqrt(1 - z * z) * circle[::8], np.full(TURNS // 8, z)]) for z in HEIGHTS]
    return np.vstack(rings)


def clopper_pearson(law: LinearLaw | MetricLaw | WeightedLaw, alpha: Floats, side: int) -> Floats:
    """The rates at which as many hits or more, for an upper limit as many or fewer, would have probability alpha."""
    if isinstance(law, WeightedLaw):  # the limit for the effective number of cases (Korn and Graubard 1998)
        return clopper_pearson(law.of_cases, alpha, side)
    if isinstance(law, MetricLaw):
        return _clopper_pearson_of_metric(law, alpha, side)
    (cases,) = law.strata
    (low, high), size = cases.support, cases.counts.sum(axis=1)
    share = least_rate((cases.share if side < 0 else 1 - cases.share) * size, size, alpha)
    return np.asarray(low + (high - low) * share if side < 0 else high - (high - low) * share)


def least_rate(hits: ArrayLike, draws: ArrayLike, alpha: ArrayLike) -> Floats:
    counted = np.asarray(hits)
    return np.where(counted > 0, betaincinv(np.where(counted > 0, counted, 1.0), draws - counted + 1, alpha), 0.0)


def _clopper_pearson_of_metric(law: MetricLaw, alpha: Floats, side: int) -> Floats:
    """Clopper-Pearson limits for the share of one kind among the cases that count, converted to the ratio."""
    assert law.shares is not None
    kinds, counts = law.shares
    ratios = kinds[..., 0] / kinds[..., 1]
    most = least_rate(counts[:, 0], counts.sum(axis=1), alpha), least_rate(counts[:, 1], counts.sum(axis=1), alpha)
    rising = (ratios[:, 1] >= ratios[:, 0]) == (side > 0)
    first = np.where(rising, most[0], 1 - most[1])  # share of the first kind
    numerator, denominator = (first * kinds[:, 0, i] + (1 - first) * kinds[:, 1, i] for i in (0, 1))
    return np.asarray(numerator / denominator)


def wilson(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """Score limits of each class's rate, combined by MOVER: distances from the estimate add in squares."""
    z = -side * ndtri(alpha)
    distances = []
    for stratum in law.strata:
        share, n, (low, high) = stratum.share, stratum.n_cases, stratum.support
        spread = z * np.sqrt((share * (1 - share) + z**2 / (4 * n)) / n)
        distances.append((high - low) * ((share + z**2 / (2 * n) + spread) / (1 + z**2 / n) - share))
    return np.asarray(law.mean + np.sign(z) * np.linalg.norm(distances, axis=0))


METHODS = (
    Method(
        "unseen_case",
        "unseen case",
        unseen,
        "limits of the bootstrap distribution once the least favourable additional observation is added to the sample.",
        "Wide where one more case could change the estimate far more than any case seen: the data cannot exclude it.",
        unseen_tails,
    ),
    Method(
        "wilson",
        "Wilson score",
        wilson,
        "score limits of each class's rate, combined by MOVER.",
        "Where a rate is nearly 0 or 1.",
        missing=" 'wilson' is for one model with stratified sampling.",
        crosses=True,
    ),
    Method(
        "clopper_pearson",
        "Clopper-Pearson",
        clopper_pearson,
        "exact binomial limits of a rate; of ratios such as F1 from those of the share of one kind of cases.",
        "Conservative: coverage is at least the nominal level, often higher.",
    ),
)
