"""How the error of an estimate varies along a curve, for simultaneous bands and for chosen thresholds.

From one threshold to the next the error of a cost or a rate changes by the contributions of the cases between them, so
that it is a random walk along the thresholds. Two measures describe how far it goes:

- **Path length** of a curve (:class:`LinearCurve`): L = sum of arccos(correlation) over neighbouring points. It bounds
  how often the standardized error crosses a level (the tube formula, ``intervals/_bands``).
- **Lengths of steps** between the thresholds that compete with a chosen one (:class:`Choice`): h = v / (V + V'), where
  v is the variance of the contribution of the cases between two thresholds and V, V' are the error's variances at both.
  A threshold competes if it costs more than the chosen one by at most REACH_DEVIATIONS standard deviations of the
  difference.

Both are exact in the counts, up to MAX_THRESHOLDS thresholds; of more, a subset is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property

REACH_DEVIATIONS = 2.0  # of the difference, within which another threshold could as well have been chosen
COST_ROUNDING = 1e-9  # relative; costs this near to the end of the reach are within it
MAX_THRESHOLDS = 2000  # of more, a subset is used; doubled: twice the time, limits .001 of a half width closer
COUNT_GROWTH = 1.02  # factor by which a count grows between two thresholds of the subset
LONG_STEP = 1 / 70  # for shorter steps h c phi(c) < P(Z > c) at every c with P(Z > c) above 1e-15, so that they add up


@dataclass(frozen=True, repr=False, eq=False)
class Hits:
    """A model's hits in a class, and the ``value`` of hitting all; ``possible``, (n_points, 2): to hit, to miss one."""

    hits: Integers
    cases: int
    value: Floats
    possible: Booleans


@dataclass(frozen=True, repr=False, eq=False)
class ClassHits:
    """The hits of one model, or of two, among the cases of one class; ``both`` counts those that both hit."""

    models: tuple[Hits, ...]
    both: Integers | None = None

    def variances(self, order: NDArray[np.intp], both_next: Integers | None) -> tuple[Floats, Floats]:
        """The variance of the contribution at each point in this order, and its covariance with that at the next.

        ``both_next`` counts the cases hit by a at a point and by b at the next, and vice versa.
        """
        models = [(model.value[order], model.hits[order] / model.cases) for model in self.models]
        mean, square = (np.asarray(sum(v**k * p for v, p in models)) for k in (1, 2))
        product = np.asarray(sum(v[:-1] * v[1:] * np.minimum(p[:-1], p[1:]) for v, p in models))
        cases = self.models[0].cases
        if self.both is not None and both_next is not None:
            (a, _), (b, _) = models
            square = square + 2 * a * b * self.both[order] / cases
            product = product + (np.column_stack([a[:-1] * b[1:], b[:-1] * a[1:]]) * both_next).sum(axis=1) / cases
        return (square - mean**2) / cases, (product - mean[:-1] * mean[1:]) / cases


@dataclass(frozen=True, repr=False, eq=False)
class LinearCurve:
    """The ``path_length`` of a curve and how many points are not known beforehand, at least 1.

    For a weighted sum of rates ``classes`` have the hits and the weights, and ``constant`` is added to it.
    """

    path_length: float
    unknown_points: int
    constant: Floats | float = 0.0
    classes: tuple[ClassHits, ...] = ()


def linear_curve(
    constant: Floats, classes: tuple[ClassHits, ...], axis: Floats, both_next: tuple[Integers | None, ...]
) -> LinearCurve:
    order = np.argsort(axis, kind="stable")
    each = [part.variances(order, both) for part, both in zip(classes, both_next, strict=True)]
    variance, covariance = (np.asarray(sum(parts)) for parts in zip(*each, strict=True))
    # where the contribution of every class is the same whatever the population
    models = (model for part in classes for model in part.models)
    known = np.all([~model.possible.all(axis=1) | (model.value == 0) for model in models], axis=0)[order]
    return LinearCurve(*_path(variance, covariance, known), constant, classes)


def curve_of_groups(added: Floats, support: tuple[Floats, Floats], axis: Floats) -> LinearCurve:
    """The curve whose cases come in groups, from the influence values of these, of shape (n_points, n_groups)."""
    order = np.argsort(axis, kind="stable")
    along, known = added[order], np.equal(*support)[order]
    variance, covariance = (np.einsum("pg,pg->p", along[: len(each)], each) for each in (along, along[1:]))
    return LinearCurve(*_path(variance, covariance, known))


def _path(variance: Floats, covariance: Floats, known: Booleans) -> tuple[float, int]:
    """The sum of the angles between successive points; a known point has none, and a gap it leaves counts pi."""
    # A variance near 0 may be negative by rounding.
    scale = np.sqrt(np.maximum(variance[:-1] * variance[1:], 0.0))
    still = (variance[:-1] <= 0) & (variance[1:] <= 0)
    correlation = np.where(scale > 0, covariance / np.where(scale > 0, scale, 1.0), still)
    # The correlation of nearly equal neighbours may exceed 1 by rounding, and arccos would be nan.
    angles = np.arccos(np.clip(correlation, -1, 1))[~(known[:-1] | known[1:])]
    stretches = int((np.diff(known.astype(int), prepend=1) < 0).sum())
    return float(angles.sum() + np.pi * max(stretches - 1, 0)), max(int((~known).sum()), 1)


ROCCurve = tuple[Integers, Integers]  # false and true positives at the distinct scores going down, after (0, 0)


@dataclass(frozen=True, repr=False, eq=False)
class ROCHeights:
    """The heights of a ROC curve, or the difference of two, at given false-positive rates; curves made when needed."""

    fpr: Floats
    curves: tuple[Callable[[], ROCCurve], ...]

    @cached_property
    def models(self) -> tuple[ROCCurve, ...]:
        return tuple(curve() for curve in self.curves)


@dataclass(frozen=True, repr=False, eq=False)
class Choice:
    """The lengths h of the steps between competing thresholds, at each of n_points points.

    ``short_total`` is the sum of the short ones. ``long`` has the others one by one, shape (n_points, n_long), 0 where
    a point has fewer; ``merged`` is the number of steps between neighbouring thresholds that each of these stands for.
    """

    short_total: Floats
    long: Floats
    merged: Floats


@dataclass(frozen=True, repr=False, eq=False)
class Optimism:
    """How a threshold that was chosen for its cost biases another statistic there.

    ``correlation`` is the statistic's correlation with the cost, 0 where it would be negative. Where ``side`` is 1 the
    estimate is too small, and its upper limit moves out; where it is -1 it is too large, and its lower limit does.
    """

    choice: Choice
    correlation: Floats
    side: int


def choice_among(fp: Integers, tp: Integers, sizes: tuple[int, int], chosen: Integers, w: Floats) -> Choice:
    """The steps between thresholds that compete with those at these positions, chosen for their cost at conditions w.

    ``fp`` and ``tp`` count the false and true positives at all thresholds that may be chosen, going down; ``sizes`` are
    the numbers of negatives and positives.
    """
    places = _subset_of_thresholds(fp, tp, chosen)
    counts, weights = np.stack([fp, tp])[:, places].astype(np.float64), np.column_stack([1 - w, w])
    shares, squares = weights / sizes, (weights / sizes) ** 2
    cost, growth = (shares * [1, -1]) @ counts, squares @ counts
    here = np.arange(len(chosen)), np.searchsorted(places, chosen)
    for values in (cost, growth):  # in place, as memory for so many numbers takes longer than they do
        values -= values[here][:, None]
    cost *= cost
    near = cost <= (REACH_DEVIATIONS * (1 + COST_ROUNDING)) ** 2 * np.abs(growth, out=growth)
    error = np.stack([share_variance(count, n) for count, n in zip(counts, sizes, strict=True)])
    length = squares @ np.diff(counts)
    length /= weights**2 @ (error[:, :-1] + error[:, 1:])
    length *= near[:, :-1] | near[:, 1:]
    return _steps(length, np.diff(places))


def cheapest_counts(fp: Integers, tp: Integers) -> tuple[Integers, Integers]:
    """False and true positives at all thresholds; of very many, the fewest false and most true ones of each stretch."""
    if len(fp) <= MAX_THRESHOLDS:
        return fp, tp
    places = _subset_of_thresholds(fp, tp, np.zeros(1, dtype=np.int64))
    return fp[places[:-1]], tp[places[1:]]


def share_variance(count: Integers | Floats, n: int) -> Floats:
    """The variance of a share of n cases, half a case added on either side."""
    share = (count + 0.5) / (n + 1)
    return np.asarray(share * (1 - share) / n)


def _subset_of_thresholds(fp: Integers, tp: Integers, chosen: Integers) -> Integers:
    """The positions of all thresholds, or of those where a count, or its complement, has grown by COUNT_GROWTH."""
    if len(fp) <= MAX_THRESHOLDS:
        return np.arange(len(fp))
    grid = np.unique(
        np.rint(COUNT_GROWTH ** np.arange(np.log(max(fp[-1], tp[-1], 2)) / np.log(COUNT_GROWTH))).astype(np.int64)
    )
    rising = [np.searchsorted(counts, grid) for counts in (fp, tp)]
    lacking = [np.searchsorted(counts, counts[-1] - grid) for counts in (fp, tp)]
    places = np.concatenate([*rising, *lacking, chosen, [0, len(fp) - 1]])
    return np.unique(np.clip(places, 0, len(fp) - 1))


def _steps(length: Floats, merged: Integers) -> Choice:
    """The long and the short ones of steps with these lengths h, 0 where no end competes."""
    is_long = length > LONG_STEP * merged
    row, column = np.divmod(np.flatnonzero(is_long), len(merged))
    many = np.bincount(row, minlength=len(length))
    place = row, np.arange(len(row)) - (np.cumsum(many) - many)[row]
    long, number = np.zeros((2, len(length), int(many.max(initial=0))))
    long[place], number[place] = length[is_long], merged[column]
    length[is_long] = 0.0
    return Choice(length.sum(axis=1), long, number)
