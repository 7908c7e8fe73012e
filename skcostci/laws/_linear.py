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

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import TIE, IndependentSums, JointSums, Lattice, binomial, multinomial_sum, point
from skcostci.laws._points import at_points, split_at
from skcostci.laws._stratum import Moves, Stratum
from skcostci.laws._sum import Distribution, Shifted

RARE = 1e-6  # probabilities below this are computed with a tilt


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
        return split_at(*self._around(x))

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

        def answers(i: int, column: Floats) -> list[float | list[float]]:
            law = self._law_at(i)
            return [question(law, i, value) for value in column.tolist()]

        return at_points(x, answers)

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


def _sum_law(draws: int, probabilities: Floats, signs: Integers) -> Lattice:
    """How many draws fall in the cells that count up, less those that count down."""
    if (signs < 0).any():
        return multinomial_sum(draws, probabilities, signs)
    return binomial(draws, float(probabilities[signs > 0].sum()), float(probabilities[signs == 0].sum()))
