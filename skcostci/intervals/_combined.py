"""Limits for a weighted sum of results from the limits of each: the sum of their confidence distributions.

A method's limits at all levels make a confidence distribution of the distance X by which the parameter lies further out
than the estimate: x(z) is the distance of the limit that leaves ``Phi(-z)`` outside, and for z below 0 minus the
distance of the other side's limit at ``Phi(z)``. For two parts whose deviations outwards have correlation c,

    p(t) = P(X + Y >= t) = sum_j w_j Phi(-(z_y(t - x(z_j)) - c z_j) / sqrt(1 - c^2)),   w_j = P(z is nearest to z_j),

where z_y is the inverse of y(z). A part whose estimate is at the end of its range has x(z) = 0 throughout: otherwise
half of its confidence would lie further in than the data allow, and p would be smaller than the probability of such
extreme samples. The limit at alpha is where ``p(t) = alpha``, and p(t) is the p-value of a parameter at the distance t.
For normal limits the distance is the root of ``x^2 + y^2 + 2 c x y``, MOVER's (Zou and Donner 2008), which stays below
x + y at all levels; here the distance reaches the sum of the distances to both ends as alpha goes to 0. Further parts
are added one by one. Limits are computed at steps of .2 in z, and x(z) is interpolated smoothly and monotonically in
between; the error of limits is less than .001 of a half width.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.special import ndtr, ndtri

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.intervals._method import Law, Method, Tails, last_inside, once_a_law

STEP, BELOW, ABOVE = 0.05, 160, 240  # nodes on the scale of normal quantiles: from -8 to 12
MOST_CORRELATED = 1 - 1e-6  # parts that are perfectly correlated get this correlation
NODES = STEP * np.arange(-BELOW, ABOVE + 1)
MANY_VALUES = 0.8  # least share of the other part's distinct values; a part at the end of its range has fewer
SAME = 1e-14  # a value this near the estimate counts as equal: the difference of two equal numbers is seldom exactly 0
# Where limits are computed, which takes most of the time; further apart from z = 5 on, as alphas are below 3e-7 there.
KNOTS = np.r_[np.arange(0.0, 5.0, 0.2), np.arange(5.0, 12.1, 0.5)]


@dataclass(frozen=True, repr=False, eq=False)
class ConfidencePart:
    """A parameter's estimate and law, the method of its limits and its weight in the sum."""

    estimate: Floats
    law: Law
    method: Method
    weight: float

    @property
    def support(self) -> tuple[Floats, Floats]:
        ends = [np.asarray(self.weight * end) for end in self.law.support]
        return (ends[0], ends[1]) if self.weight > 0 else (ends[1], ends[0])

    def outwards(self, side: int) -> Floats:
        """x(z) of its contribution at all nodes, shape (n_nodes, n_points)."""
        below, above = self._distances
        own, other = (above, below) if side * self.weight > 0 else (below, above)
        return np.asarray(np.concatenate([np.where(own[-1] > 0, -other[BELOW:0:-1], 0.0), own]))

    @cached_property
    def _distances(self) -> tuple[Floats, Floats]:
        """Distances of its lower and its upper limits from its estimate, at the nodes from 0 up."""
        known = np.where(np.isfinite(self.estimate), self.estimate, 0.0)
        low, high = (
            np.column_stack([_between(each) for each in abs(self.weight) * np.maximum(off, 0.0).T])
            for off in (side * (_limits(self.law, self.method, side) - known) for side in (-1, 1))
        )
        return low, high


# A model is part of many differences, and of both limits of each.
@once_a_law
def _limits(law: Law, method: Method, side: int) -> Floats:
    points = np.shape(law.support[0])
    limits = [method.limit(law, np.full(points, alpha), side) for alpha in ndtr(-KNOTS)]
    return np.clip(limits, *law.support).reshape(len(KNOTS), -1)


def _between(distances: Floats) -> Floats:
    """Distances at the nodes from 0 up, interpolated between knots; infinite from the first infinite knot."""
    # Limits that are roots may cross by the tolerance of the root; distances grow with confidence.
    distances = np.maximum.accumulate(distances)
    known = np.isfinite(distances)
    nodes = NODES[BELOW:]
    if known.sum() < 2:
        return np.asarray(np.where(nodes > 0, distances[-1], distances[0]))
    last = float(KNOTS[known][-1])
    curve = PchipInterpolator(KNOTS[known], distances[known])
    return np.asarray(np.where((nodes > last) & ~known.all(), np.inf, curve(np.minimum(nodes, last))))


@dataclass(frozen=True, repr=False, eq=False)
class CombinedLaw:
    """A weighted sum of parts; ``covariance`` is that of their contributions, of shape (k, k, ...)."""

    parts: tuple[ConfidencePart, ...]
    covariance: Floats

    @property
    def estimate(self) -> Floats:
        """The estimate on the data as given; limits are measured from it. NaN where a part's is missing or infinite."""
        estimates = np.array([part.weight * part.estimate for part in self.parts])
        return np.asarray(np.where(np.isfinite(estimates).all(axis=0), estimates, np.nan).sum(axis=0))

    @property
    def is_exact(self) -> bool:
        return all(part.law.is_exact for part in self.parts)

    @property
    def mean(self) -> Floats:
        return np.asarray(sum(part.weight * part.law.mean for part in self.parts))

    @property
    def variance(self) -> Floats:
        # For identical models the terms cancel, except for rounding.
        return np.asarray(np.maximum(self.covariance.sum(axis=(0, 1)), 0.0))

    @property
    def support(self) -> tuple[Floats, Floats]:
        lows, highs = zip(*(part.support for part in self.parts), strict=True)
        return np.asarray(sum(lows)), np.asarray(sum(highs))

    def sums(self, side: int) -> list[Sum]:
        """The distribution of the distance outwards per point: the last part plus all others together."""
        covariance = self.covariance.reshape(*self.covariance.shape[:2], -1)
        outwards = [part.outwards(side) for part in self.parts]
        points = range(covariance.shape[2])
        return [_sum_of([each[:, point] for each in outwards], covariance[..., point]) for point in points]


@dataclass(frozen=True, repr=False, eq=False)
class Sum:
    """The distance X + Y, computed from x(z) and y(z) at the nodes and the correlation of their deviations."""

    x: Floats
    y: Floats
    correlation: float

    def beyond(self, t: Floats) -> Floats:
        """p(t), t of shape (n,): the mean of the sums over the nodes of either part, so that b - a mirrors a - b.

        A part with few distinct values, as at the end of its range, has no inverse: the sum is over its nodes alone.
        """
        x, y = len(np.unique(self.x)), len(np.unique(self.y))
        if x < MANY_VALUES * y:
            return self._over(self.x, self.y, t)
        if y < MANY_VALUES * x:
            return self._over(self.y, self.x, t)
        return (self._over(self.x, self.y, t) + self._over(self.y, self.x, t)) / 2

    def _over(self, x: Floats, y: Floats, t: Floats) -> Floats:
        z, weight = self._nodes
        # Infinity minus infinity is nan: an infinite distance exceeds any place.
        place = np.maximum(np.asarray(t)[:, None] - np.interp(z, NODES, x), -np.finfo(float).max)
        deviate = (_inverse(y, place) - self.correlation * z) / np.sqrt(1 - self.correlation**2)
        return np.asarray(ndtr(-deviate) @ weight)

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats]:
        """Values of z and their probabilities; a finer grid where parts are so correlated that p would have steps."""
        closer = int(np.ceil(3 * STEP / np.sqrt(1 - self.correlation**2)))
        z = NODES if closer <= 3 else np.linspace(NODES[0], NODES[-1], closer * (len(NODES) - 1) + 1)
        above: Floats = ndtr(-(z[1:] + z[:-1]) / 2)
        return np.asarray(z), -np.diff(above, prepend=1.0, append=0.0)

    def limit(self, alpha: Floats) -> Floats:
        """The largest t at which p(t) is alpha or more, at least 0."""
        furthest = sum(each[np.isfinite(each)].max(initial=0.0) for each in (self.x, self.y))
        found = last_inside(lambda t: self.beyond(t) - alpha, np.zeros(alpha.shape), np.full(alpha.shape, furthest))
        infinite = self.beyond(np.full(1, np.finfo(float).max / 2)) >= alpha
        return np.where(infinite, np.inf, found)

    def outwards(self) -> Floats:
        t = self.x + self.y
        known = np.isfinite(t)
        z = np.maximum.accumulate(-ndtri(np.clip(self.beyond(t[known]), 1e-300, 1.0)))
        last = np.inf if np.isinf(t[-1]) else t[-1]
        return np.asarray(np.interp(NODES, z, t[known], right=last))


def _inverse(y: Floats, value: Floats) -> Floats:
    """The least z at which y(z) reaches a value: -inf before the first node, inf beyond the last."""
    index = np.searchsorted(y, value)
    after = np.clip(index, 1, len(y) - 1)
    with np.errstate(all="ignore"):  # an infinite limit is reached at the node before it
        share = np.nan_to_num((value - y[after - 1]) / (y[after] - y[after - 1]))
    z = NODES[after - 1] + STEP * share
    return np.where(index == 0, -np.inf, np.where(index == len(y), np.inf, z))


def _sum_of(outwards: list[Floats], covariance: Floats) -> Sum:
    """The parts added one by one, with the correlation of each with the sum so far."""
    # A part may have a mean but no variance.
    covariance = np.where(np.isfinite(covariance), covariance, 0.0)
    whole = Sum(outwards[0], np.zeros(len(NODES)), 0.0)
    for i, each in enumerate(outwards[1:], start=1):
        scale = np.sqrt(max(covariance[:i, :i].sum(), 0.0) * covariance[i, i])
        correlation = covariance[:i, i].sum() / scale if scale > 0 else 0.0
        x = outwards[0] if i == 1 else whole.outwards()
        whole = Sum(x, each, float(np.clip(correlation, -MOST_CORRELATED, MOST_CORRELATED)))
    return whole


def combined(law: CombinedLaw, alpha: Floats, side: int) -> Floats:
    estimate = law.estimate
    alpha = np.broadcast_to(alpha, np.broadcast_shapes(np.shape(alpha), estimate.shape))
    by_point = np.moveaxis(alpha, -1, 0) if estimate.ndim else alpha[None]
    pairs = zip(law.sums(side), by_point, strict=True)
    distance = np.array([each.limit(levels.ravel()).reshape(levels.shape) for each, levels in pairs])
    distance = np.moveaxis(distance, 0, -1) if estimate.ndim else distance[0]
    return np.where(np.isnan(estimate), law.support[side > 0], estimate + side * distance)


def combined_tails(law: CombinedLaw, x: float) -> Tails:
    """p(t) itself; 1 for values up to the estimate, and where there is no value."""
    found = []
    for side in (-1, 1):
        distance = np.atleast_1d(side * (x - law.estimate))
        tails = [each.beyond(t[None])[0] if t > SAME else 1.0 for each, t in zip(law.sums(side), distance, strict=True)]
        found.append(np.reshape(tails, law.estimate.shape))
    return found[0], found[1]


METHODS = (
    Method(
        "combined",
        "combined limits",
        combined,
        "sums of the parts' confidence distributions, with their correlations.",
        "Where a part's own limits are not to be trusted.",
        combined_tails,
    ),
)
