"""How freely a threshold was chosen: which others these cases could as well have preferred, and how far apart they are.

Thresholds in order make the error of an estimate a random walk. Between two of them its variance grows by the squares
of what single cases add, and that over twice the variance of the estimate is the ``length`` of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._linear import LinearLaw

REACH_DEVIATIONS = 2.0  # of the difference, within which another threshold could as well have been chosen
COST_ROUNDING = 1e-9  # relative; costs this near to what is in reach are
MAX_THRESHOLDS = 2000  # of more, some are looked at; doubled: twice the time, limits .001 of a half width closer
COUNT_GROWTH = 1.02  # of the counts between those
LONG_STEP = 1 / 70  # steps shorter than this are never cut off at a tail probability above 1e-15


@dataclass(frozen=True)
class Choice:
    """The steps between the thresholds that were in reach at each of n_points points.

    ``short`` is the total length of the short ones; the others, of shape (n_points, n_steps), have their lengths in
    ``long`` and in ``steps`` how many each stands for.
    """

    short: Floats
    long: Floats
    steps: Floats


@dataclass(frozen=True)
class ChosenCostLaw(LinearLaw):
    """The law of a cost at thresholds these cases chose.

    ``bridge`` is the scale of the error over all thresholds, and ``everywhere(i)`` the law of the cost at point i at
    each of them.
    """

    choice: Choice
    bridge: Floats
    everywhere: Callable[[int], LinearLaw]


@dataclass(frozen=True)
class Flattery:
    """A choice of a threshold for its cost, and what it does to the error of a statistic.

    ``correlation`` is that of the statistic with the cost, 0 where it would be negative. The choice makes the statistic
    look smaller where ``side`` is 1, so that the upper limit has to give way, and larger where it is -1.
    """

    choice: Choice
    correlation: Floats
    side: int


@dataclass(frozen=True)
class FlatteredLaw(LinearLaw):
    """The law of a rate, another sum or a difference of costs, at thresholds that these cases chose for their cost."""

    flatteries: tuple[Flattery, ...]


def choice_among(fp: Integers, tp: Integers, sizes: tuple[int, int], chosen: Integers, w: Floats) -> Choice:
    """What was in reach of the thresholds at these positions, chosen for their cost at operating conditions w.

    ``fp`` and ``tp`` count the false and true positives at all thresholds that may be chosen, going down, of as many
    negatives and positives as ``sizes`` says.
    """
    places = _places(fp, tp, chosen)
    weights = [(share[:, None], n) for share, n in zip((1 - w, w), sizes, strict=True)]
    classes = [(count[places], *weight) for count, weight in zip((fp, tp), weights, strict=True)]
    false, true = ((weight / n) * count for count, weight, n in classes)
    growth = np.asarray(sum((weight / n) ** 2 * count for count, weight, n in classes))
    error = np.asarray(sum(weight**2 * share_variance(count, n) for count, weight, n in classes))
    return _packed(growth, error, _reached(false - true, growth, np.searchsorted(places, chosen)), np.diff(places))


def cheapest_counts(fp: Integers, tp: Integers) -> tuple[Integers, Integers]:
    """False and true positives at all thresholds, or some that cost no more.

    Of very many thresholds some are looked at, each with the true positives of the next: none between costs less.
    """
    if len(fp) <= MAX_THRESHOLDS:
        return fp, tp
    places = _places(fp, tp, np.zeros(1, dtype=np.int64))
    return fp[places[:-1]], tp[places[1:]]


def share_variance(count: Integers | Floats, n: int) -> Floats:
    """Of a share of n cases, half a case added on either side."""
    share = (count + 0.5) / (n + 1)
    return np.asarray(share * (1 - share) / n)


def _places(fp: Integers, tp: Integers, chosen: Integers) -> Integers:
    """The positions of all thresholds; of very many, where the counts, or what they lack, have grown enough."""
    if len(fp) <= MAX_THRESHOLDS:
        return np.arange(len(fp))
    grid = np.unique(
        np.rint(COUNT_GROWTH ** np.arange(np.log(max(fp[-1], tp[-1], 2)) / np.log(COUNT_GROWTH))).astype(np.int64)
    )
    rising = [np.searchsorted(counts, grid) for counts in (fp, tp)]
    lacking = [np.searchsorted(counts, counts[-1] - grid) for counts in (fp, tp)]
    places = np.concatenate([*rising, *lacking, chosen, [0, len(fp) - 1]])
    return np.unique(np.clip(places, 0, len(fp) - 1))


def _reached(cost: Floats, growth: Floats, chosen: Integers) -> Booleans:
    """Which steps have an end that costs little more than what was chosen, given how much the two differ."""
    at = np.arange(len(chosen))
    costlier, grown = (np.abs(values - values[at, chosen][:, None]) for values in (cost, growth))
    near = costlier <= REACH_DEVIATIONS * np.sqrt(grown) * (1 + COST_ROUNDING)
    return np.asarray(near[:, :-1] | near[:, 1:])


def _packed(growth: Floats, error: Floats, reached: Booleans, steps: Integers) -> Choice:
    """The lengths of the steps reached, the long ones apart."""
    length = np.diff(growth, axis=1) / (error[:, :-1] + error[:, 1:])
    length = np.where(reached, length, 0.0)
    is_long = length > LONG_STEP * steps
    order = np.argsort(~is_long, axis=1, kind="stable")[:, : int(is_long.sum(axis=1).max(initial=0))]
    kept = np.take_along_axis(is_long, order, axis=1)
    long = np.take_along_axis(length, order, axis=1) * kept
    return Choice(np.where(is_long, 0.0, length).sum(axis=1), long, np.asarray(steps[order] * kept, dtype=np.float64))
