"""The law of a linear statistic of independent multinomials: costs, rates and their differences.

``X = sum_s sum_j values[s, j] * N[s, j] / draws[s]``: stratum s draws that many cases from its cells in proportion to
their counts. Everything is computed for many points (operating conditions, thresholds) side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._atoms import Atoms
from skcostci.laws._lattice import TIE, IndependentSums, JointSums, Lattice, binomial, multinomial_sum, point
from skcostci.laws._sum import Distribution, ManyValued, Mixture, Shifted, law_of_sum

RARE = 1e-6  # probabilities below this are computed with a tilt


class Moves(NamedTuple):
    """Cells' probabilities, where a sum over draws starts, and each size of step with the cells that take it."""

    probabilities: Floats
    origin: float
    sizes: list[tuple[float, Integers]]


@dataclass(frozen=True)
class Stratum:
    """Cells of a class (under full sampling, of both), arrays of shape (n_points, n_cells).

    ``prior`` says how one pseudo-case per class spreads over the cells: evenly over those that a case can fall in.
    ``observed`` are the counts without pseudo-cases.
    """

    counts: Floats
    values: Floats
    prior: Floats
    draws: int
    observed: Floats

    @cached_property
    def probabilities(self) -> Floats:
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    @cached_property
    def mean(self) -> Floats:
        return np.asarray((self.probabilities * self.values).sum(axis=1))

    @cached_property
    def observed_mean(self) -> Floats:
        """The mean without pseudo-cases."""
        return np.asarray((self.observed * self.values).sum(axis=1) / self.observed.sum(axis=1))

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
        return replace(self, counts=counts, draws=self.draws + int(pseudo_cases * classes))

    def reflected(self) -> Stratum:
        """Every value with the opposite sign."""
        return replace(self, values=-self.values)

    def tilted(self, rates: Floats) -> tuple[Stratum, Floats]:
        """Probabilities times ``exp(rate * value / draws)``, and the log of the moment generating function there."""
        exponents = np.where(self.counts > 0, rates[:, None] * self.values / self.draws, -np.inf)
        largest = exponents.max(axis=1, keepdims=True)
        counts = self.probabilities * np.exp(exponents - largest)
        log_sums = largest[:, 0] + np.log(counts.sum(axis=1))
        return replace(self, counts=counts), self.draws * log_sums

    def moves(self, i: int) -> Moves:
        """At point i, what its draws add up to: from the origin that leaves the fewest sizes of steps, 0 if it can."""
        hit = self.probabilities[i] > 0
        values = self.values[i, hit]
        fewest, _, origin = min((_step_sizes(values, start), start != 0, start) for start in [0.0, *values.tolist()])
        origin = origin if fewest <= 2 else 0.0
        steps, signs = np.abs(values - origin) / self.draws, np.sign(values - origin).astype(np.int64)
        sizes = [(float(step), signs * (steps == step)) for step in np.unique(steps[steps > 0])]
        return Moves(self.probabilities[i, hit], origin, sizes)

    def law_of_values(self, i: int, tilt: float) -> Distribution:
        """The law at point i where the values are of many sizes; kept, because it is not free."""
        if i not in self._laws:
            hit = self.probabilities[i] > 0
            self._laws[i] = law_of_sum(self.draws, self.probabilities[i, hit], self.values[i, hit] / self.draws)
        return ManyValued(self._laws[i], float(self.mean[i]), tilt)

    @cached_property
    def _laws(self) -> dict[int, Atoms | Mixture]:
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

    @property
    def estimate(self) -> Floats:
        """The mean, which is the statistic of the sample."""
        return self.mean

    @property
    def undefined(self) -> Floats:
        """The probability that a resample has no value: none."""
        return np.zeros_like(self.mean)

    @property
    def is_rate(self) -> bool:
        """Whether it is that of the share of cases of one kind, on some scale: a single stratum with two values."""
        return len(self.strata) == 1 and all(len(np.unique(values)) == 2 for values in self.strata[0].values)

    @cached_property
    def variance(self) -> Floats:
        return np.asarray(sum(stratum.central_moment(2) for stratum in self.strata))

    @cached_property
    def skewness(self) -> Floats:
        """Third standardized moment, 0 where the law is a point."""
        third = np.asarray(sum(stratum.central_moment(3) for stratum in self.strata))
        variance = np.where(self.variance > 0, self.variance, 1.0)
        return np.where(self.variance > 0, third / variance / np.sqrt(variance), 0.0)

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
        return self._at_points(x, lambda law, i, value: law.cdf(value))

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """P(X < x), P(X = x) and P(X > x) for x of shape (..., n_points)."""
        below, up_to = self._around(x)
        return below, np.maximum(up_to - below, 0.0), 1.0 - up_to

    def _around(self, x: Floats) -> tuple[Floats, Floats]:
        """P(X < x) and P(X <= x)."""

        def both(law: Distribution, i: int, value: float) -> list[float]:
            return [law.cdf(value, strict=True), law.cdf(value)]

        below, up_to = np.moveaxis(self._at_points(x, both), -1, 0)
        return below, up_to

    def reflected(self) -> LinearLaw:
        """The law of -X."""
        return LinearLaw(tuple(stratum.reflected() for stratum in self.strata), self.agresti)

    def sides(self, x: float) -> tuple[Floats, Floats]:
        """P(X <= x) and P(X >= x) at every point, to relative precision however small they are."""
        below, up_to = self._around(np.full(len(self.mean), x))
        return self._precise(x, up_to), self.reflected()._precise(-x, 1.0 - below)

    def _precise(self, x: float, probability: Floats) -> Floats:
        """P(X <= x) at every point, given it to absolute precision.

        Where x lies far below the mean the law is tilted, ``P(X = a) = P_t(X = a) exp(K(t) - t a)``, so that the tilted
        mean is x and the window of the computation lies there.
        """
        rare = np.flatnonzero((probability < RARE) & (x < self.mean)).tolist()
        if rare:
            rates = self._tilt_rates(x)
            tilted, log_scale = self._tilted(rates)
            for i in rare:
                law = tilted._law_at(i, rates[i])
                probability[i] = max(law.total(x), 0.0) * np.exp(log_scale[i] - rates[i] * law.center)
        return probability

    def _tilted(self, rates: Floats) -> tuple[LinearLaw, Floats]:
        """The law tilted at each point, and K(t), the log of its moment generating function."""
        strata, logs = zip(*(stratum.tilted(rates) for stratum in self.strata), strict=True)
        return LinearLaw(strata, self.agresti), np.asarray(sum(logs))

    def _tilt_rates(self, x: float) -> Floats:
        """Rates, not positive, that bring the tilted mean down to two steps above x; by bisection.

        At x itself, where x is the least value, the tilt would have to be infinite.
        """
        steps = [np.where(s.values != 0, np.abs(s.values), np.inf).min(axis=1) / s.draws for s in self.strata]
        step = np.minimum.reduce([*steps, np.full(len(self.mean), 1.0)])
        low, high = -40 / step, np.zeros(len(self.mean))
        for _ in range(60):
            middle = (low + high) / 2
            above = self._tilted(middle)[0].mean > x + 2 * step
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return np.asarray(low)

    def quantile(self, q: Floats) -> Floats:
        """The smallest x with P(X <= x) >= q, for q of shape (..., n_points)."""
        scale = np.sqrt(self.variance)

        def one(law: Distribution, i: int, level: float) -> float:
            z = float(ndtri(min(max(level, 1e-12), 1 - 1e-12)))
            cornish_fisher = z + self.skewness[i] * (z * z - 1) / 6
            return law.quantile(level, self.mean[i] + scale[i] * cornish_fisher)

        return np.where(q <= TIE, self._least, self._at_points(q, one))

    @property
    def _least(self) -> Floats:
        """The smallest value a resample can give."""
        return np.asarray(sum(np.where(s.counts > 0, s.values, np.inf).min(axis=1) for s in self.strata))

    def _at_points(self, x: Floats, question: Callable[[Distribution, int, float], float | list[float]]) -> Floats:
        """Ask the law at each point about each of its values; an answer may be several numbers."""
        columns = np.reshape(x, (-1, np.shape(x)[-1])).T.tolist()
        laws = ((self._law_at(i), i, column) for i, column in enumerate(columns))
        answers = np.array([[question(law, i, value) for value in column] for law, i, column in laws])
        return np.swapaxes(answers, 0, 1).reshape(np.shape(x) + answers.shape[2:])

    def _law_at(self, i: int, tilt: float = 0.0) -> Distribution:
        """The law at point i; where steps of two sizes will do, as that of two whole-number sums."""
        found = [(stratum, stratum.moves(i)) for stratum in self.strata]
        moving = [(stratum, moves) for stratum, moves in found if moves.sizes]
        if all(len(moves.sizes) == 1 for _, moves in moving):
            law = _independent_sums(moving, tilt)
        elif len(moving) == 1:
            law = _one_multinomial(*moving[0], i, tilt)
        else:
            raise NotImplementedError("strata that are resampled apart may have steps of one size each.")
        origin = sum(moves.origin for _, moves in found)
        return Shifted(law, origin) if origin else law


def _independent_sums(moving: list[tuple[Stratum, Moves]], tilt: float) -> Distribution:
    """At most two strata whose draws count up or down by one size each."""
    sums = [(step, _sum_law(s.draws, moves.probabilities, signs)) for s, moves in moving for step, signs in moves.sizes]
    sums += [(sums[0][0] if sums else 1.0, point())] * (2 - len(sums))
    negligible = 1e-6 * max(step for step, _ in sums)
    (step_u, u_law), (step_v, v_law) = sorted(sums, key=lambda pair: (pair[0] > negligible, len(pair[1])))
    return IndependentSums(u_law, v_law, step_u, step_v, tilt)


def _one_multinomial(stratum: Stratum, moves: Moves, i: int, tilt: float) -> Distribution:
    """All steps of several sizes in one stratum."""
    if len(moves.sizes) > 2:
        return stratum.law_of_values(i, tilt)
    (step_u, u), (step_v, v) = moves.sizes
    return JointSums(stratum.draws, moves.probabilities, u, v, step_u, step_v, tilt)


def _step_sizes(values: Floats, origin: float) -> int:
    """How many sizes the steps from the origin to the values have."""
    return len(np.unique(np.abs(values - origin)[values != origin]))


def _sum_law(draws: int, probabilities: Floats, signs: Integers) -> Lattice:
    """How many draws fall in the cells that count up, less those that count down."""
    if (signs < 0).any():
        return multinomial_sum(draws, probabilities, signs)
    return binomial(draws, float(probabilities[signs > 0].sum()), float(probabilities[signs == 0].sum()))


def class_law(
    classes: tuple[tuple[Integers | Floats, Floats, Booleans], ...],
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


def cell_law(counts: Floats, weights: Floats, possible: Booleans, sampling: str, agresti: float = 4.0) -> LinearLaw:
    """The law of the weighted counts of cells, shape (n_points, n_cells): half the columns are the positives'."""
    half = counts.shape[1] // 2
    classes = slice(0, half), slice(half, None)
    if sampling == "full":
        draws = round(float(counts[0].sum()))
        priors = [_class_stratum(counts[:, part], weights[:, part], possible[:, part]).prior for part in classes]
        return LinearLaw((Stratum(counts, weights * draws, np.hstack(priors), draws, counts),), agresti)
    strata = [
        _class_stratum(counts[:, part], weights[:, part] * counts[:1, part].sum(), possible[:, part])
        for part in classes
    ]
    return LinearLaw(tuple(stratum for stratum in strata if stratum.values.any()) or tuple(strata), agresti)


def pooled_law(observed: Floats, values: Floats, *, smoothing: float) -> LinearLaw:
    """The law of the average value of as many draws as there are cases, so many pseudo-cases in each cell."""
    prior = np.full(observed.shape, 1 / observed.shape[1])
    return LinearLaw(
        (Stratum(observed + smoothing, values, prior, round(float(observed[0].sum())), observed),), agresti=0.0
    )


def _class_stratum(counts: Integers | Floats, values: Floats, possible: Booleans) -> Stratum:
    """A class resampled to its own size."""
    prior = possible / possible.sum(axis=1, keepdims=True)
    seen = counts.astype(np.float64)
    return Stratum(seen, np.broadcast_to(values, counts.shape), prior, int(counts[0].sum()), seen)


def _merged(classes: list[Stratum], normalizer: str) -> Stratum:
    """All classes resampled together."""
    draws = sum(stratum.draws for stratum in classes)
    values = np.hstack([stratum.values * (draws / stratum.draws) for stratum in classes])
    if normalizer == "max":
        values = values / np.abs(values).max(axis=1, keepdims=True)
    counts = np.hstack([stratum.counts for stratum in classes])
    return Stratum(counts, values, np.hstack([stratum.prior for stratum in classes]), draws, counts)
