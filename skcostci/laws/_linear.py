"""The law of a linear statistic of independent multinomials: costs, rates and their differences.

``X = sum_s sum_j values[s, j] * N[s, j] / draws[s]``: stratum s draws that many cases from its cells in proportion to
their counts. Everything is computed for many points (operating conditions, thresholds) side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._lattice import IndependentPlane, JointPlane, Lattice, binomial, multinomial_sum, point
from skcostci.laws._sum import Distribution, law_of_sum


@dataclass(frozen=True)
class Stratum:
    """Cells of a class (under full sampling, of both), arrays of shape (n_points, n_cells).

    ``prior`` says how one pseudo-case per class spreads over the cells: evenly over those that a case can fall in.
    """

    counts: Floats
    values: Floats
    prior: Floats
    draws: int

    @cached_property
    def probabilities(self) -> Floats:
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    @cached_property
    def mean(self) -> Floats:
        return np.asarray((self.probabilities * self.values).sum(axis=1))

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        """The least and the largest value of the cells that a case can fall in."""
        possible = self.prior > 0
        low = np.where(possible, self.values, np.inf).min(axis=1)
        return low, np.where(possible, self.values, -np.inf).max(axis=1)

    @cached_property
    def share(self) -> Floats:
        """Where the mean lies between the least and the largest value: a rate, where there are two cells."""
        low, high = self.support
        return np.where(high > low, (self.mean - low) / np.where(high > low, high - low, 1.0), 0.0)

    def central_moment(self, order: int) -> Floats:
        """Second or third central moment of what this stratum contributes."""
        powers = (self.values - self.mean[:, None]) ** order
        return np.asarray((self.probabilities * powers).sum(axis=1) / float(self.draws) ** (order - 1))

    def smoothed(self, pseudo_cases: float) -> Stratum:
        """So many pseudo-cases per class added, and as many whole draws."""
        classes = round(float(self.prior[0].sum()))
        counts = self.counts + pseudo_cases * self.prior
        return Stratum(counts, self.values, self.prior, self.draws + int(pseudo_cases * classes))

    def moves(self, i: int) -> tuple[Floats, list[tuple[float, Integers]]]:
        """At point i, the probabilities of the cells, and each size of step with the cells that take it up or down."""
        hit = self.probabilities[i] > 0
        values = self.values[i, hit]
        sizes = np.unique(np.abs(values[values != 0]))
        signs = np.sign(values).astype(np.int64)
        return self.probabilities[i, hit], [(size / self.draws, signs * (np.abs(values) == size)) for size in sizes]

    def law_of_values(self, i: int) -> Distribution:
        """The law at point i where the values are of many sizes; kept, because it is not free."""
        if i not in self._laws:
            hit = self.probabilities[i] > 0
            self._laws[i] = law_of_sum(self.draws, self.probabilities[i, hit], self.values[i, hit] / self.draws)
        return self._laws[i]

    @cached_property
    def _laws(self) -> dict[int, Distribution]:
        return {}


@dataclass(frozen=True)
class LinearLaw:
    """The exact bootstrap law of a linear statistic at each of n_points points.

    ``agresti`` is the number of pseudo-cases a class gets in the Agresti interval: 4 for one model (Agresti-Coull, 2 a
    cell), 2 for a pair (Agresti-Min, 1/2 a cell).
    """

    strata: tuple[Stratum, ...]
    agresti: float

    @cached_property
    def mean(self) -> Floats:
        return np.asarray(sum(stratum.mean for stratum in self.strata))

    @cached_property
    def variance(self) -> Floats:
        return np.asarray(sum(stratum.central_moment(2) for stratum in self.strata))

    @cached_property
    def skewness(self) -> Floats:
        """Third standardized moment, 0 where the law is a point."""
        third = np.asarray(sum(stratum.central_moment(3) for stratum in self.strata))
        spread = np.where(self.variance > 0, self.variance, 1.0) ** 1.5
        return np.where(self.variance > 0, third / spread, 0.0)

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter, whatever the population."""
        lows, highs = zip(*(stratum.support for stratum in self.strata), strict=True)
        return np.asarray(sum(lows)), np.asarray(sum(highs))

    def smoothed(self, pseudo_cases: float) -> LinearLaw:
        """The law after so many pseudo-cases per class are spread over the cells."""
        return LinearLaw(tuple(stratum.smoothed(pseudo_cases) for stratum in self.strata), self.agresti)

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x) for x of shape (..., n_points)."""
        return self._at_points(x, lambda plane, i, value: plane.cdf(value))

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """P(X < x), P(X = x) and P(X > x) for x of shape (..., n_points)."""
        up_to = self.cdf(x)
        below = self._at_points(x, lambda plane, i, value: plane.cdf(value, strict=True))
        return below, np.maximum(up_to - below, 0.0), 1.0 - up_to

    def quantile(self, q: Floats) -> Floats:
        """The smallest x with P(X <= x) >= q, for q of shape (..., n_points)."""
        scale = np.sqrt(self.variance)

        def one(plane: Distribution, i: int, level: float) -> float:
            z = float(ndtri(min(max(level, 1e-12), 1 - 1e-12)))
            cornish_fisher = z + self.skewness[i] * (z * z - 1) / 6
            return plane.quantile(level, self.mean[i] + scale[i] * cornish_fisher)

        return self._at_points(q, one)

    def _at_points(self, x: Floats, question: Callable[[Distribution, int, float], float]) -> Floats:
        """Ask the law at each point about each of its values."""
        columns = np.reshape(x, (-1, np.shape(x)[-1]))
        answers = np.empty(columns.shape)
        for i in range(columns.shape[1]):
            plane = self._plane(i)
            answers[:, i] = [question(plane, i, float(value)) for value in columns[:, i]]
        return answers.reshape(np.shape(x))

    def _plane(self, i: int) -> Distribution:
        """The law at point i, as that of two whole-number sums where steps of two sizes will do."""
        sums: list[tuple[float, Lattice]] = []
        for stratum in self.strata:
            probabilities, moves = stratum.moves(i)
            if len(moves) > 2:
                return stratum.law_of_values(i)
            if len(moves) == 2:
                (step_u, u), (step_v, v) = moves
                return JointPlane(stratum.draws, probabilities, u, v, step_u, step_v)
            sums += [(step, _sum_law(stratum.draws, probabilities, signs)) for step, signs in moves]
        sums += [(1.0, point())] * (2 - len(sums))
        (step_u, u_law), (step_v, v_law) = sorted(sums, key=lambda pair: len(pair[1]))
        return IndependentPlane(u_law, v_law, step_u, step_v)


def _sum_law(draws: int, probabilities: Floats, signs: Integers) -> Lattice:
    """How many draws fall in the cells that count up, less those that count down."""
    if (signs < 0).any():
        return multinomial_sum(draws, probabilities, signs)
    return binomial(draws, float(probabilities[signs > 0].sum()), float(probabilities[signs == 0].sum()))


def class_law(
    classes: tuple[tuple[Integers, Floats, Booleans], ...],
    *,
    agresti: float,
    sampling: str = "stratified",
    normalizer: str = "mean",
) -> LinearLaw:
    """The law of ``sum_classes sum_cells value * share``, from each class's (counts, values, possible) cells.

    Stratified, each class is resampled to its own size. Under full sampling all cases are resampled together and a
    cell's value is divided by its class's share of the cases, which keeps the mean; ``normalizer="max"`` then divides
    by the largest value instead of keeping that scale.
    """
    strata = [_class_stratum(*cells) for cells in classes]
    if sampling == "full":
        strata = [_merged(strata, normalizer)]
    return LinearLaw(tuple(strata), agresti)


def _class_stratum(counts: Integers, values: Floats, possible: Booleans) -> Stratum:
    """A class resampled to its own size."""
    prior = possible / possible.sum(axis=1, keepdims=True)
    return Stratum(counts.astype(np.float64), np.broadcast_to(values, counts.shape), prior, int(counts[0].sum()))


def _merged(classes: list[Stratum], normalizer: str) -> Stratum:
    """All classes resampled together."""
    draws = sum(stratum.draws for stratum in classes)
    values = np.hstack([stratum.values * (draws / stratum.draws) for stratum in classes])
    if normalizer == "max":
        values = values / np.abs(values).max(axis=1, keepdims=True)
    counts = np.hstack([stratum.counts for stratum in classes])
    return Stratum(counts, values, np.hstack([stratum.prior for stratum in classes]), draws)
