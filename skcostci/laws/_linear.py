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
from skcostci.laws._lattice import TIE
from skcostci.laws._points import split_at
from skcostci.laws._side_by_side import SumLaw, laws_of
from skcostci.laws._stratum import Stratum

AT_A_TIME = 1000  # values of a block of points
RARE = 1e-6  # probabilities below this are computed with a tilt
Question = Callable[[SumLaw, Integers, Integers, Floats], Floats]  # about rows of a block, which are these points


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
        return self._ask(x, self._up_to)[0]

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """P(X < x), P(X = x) and P(X > x) for x of shape (..., n_points)."""
        return split_at(*self._ask(x, self._below, self._up_to))

    def _below(self, law: SumLaw, rows: Integers, points: Integers, x: Floats) -> Floats:
        return law.cdf(rows, x - self._origin[points], strict=True)

    def _up_to(self, law: SumLaw, rows: Integers, points: Integers, x: Floats) -> Floats:
        return law.cdf(rows, x - self._origin[points])

    def reflected(self) -> LinearLaw:
        """The law of -X."""
        return LinearLaw(tuple(stratum.reflected() for stratum in self.strata), self.agresti)

    def sides(self, x: float) -> tuple[Floats, Floats]:
        """P(X <= x) and P(X >= x) at every point, to relative precision however small they are."""
        below, up_to = self._ask(np.full(len(self.mean), x), self._below, self._up_to)
        return self._precise(x, up_to), self.reflected()._precise(-x, 1.0 - below)

    def _precise(self, x: float, probability: Floats) -> Floats:
        """P(X <= x) at every point, given it to absolute precision.

        Where x lies far below the mean the law is tilted, ``P(X = a) = P_t(X = a) exp(K(t) - t a)``, so that the tilted
        mean is x and the window of the computation lies there.
        """
        rare = np.flatnonzero((probability < RARE) & (x < self.mean))
        if len(rare):
            rates = self._tilt_rates(x)
            tilted, log_scale = self._tilted(rates)
            for points, law in laws_of(tilted.strata, rare, rates):
                shift = rates[points] * tilted.mean[points]
                total = law.total(np.arange(len(points)), x - tilted._origin[points])
                probability[points] = np.maximum(total, 0.0) * np.exp(log_scale[points] - shift)
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

        def found(law: SumLaw, rows: Integers, points: Integers, level: Floats) -> Floats:
            z = ndtri(np.clip(level, 1e-12, 1 - 1e-12))
            cornish_fisher = z + self.skewness[points] * (z * z - 1) / 6
            start = self.mean[points] - self._origin[points] + scale[points] * cornish_fisher
            return self._origin[points] + law.quantile(rows, level, start, scale[points])

        return np.where(q <= TIE, self._least, self._ask(q, found)[0])

    @property
    def _least(self) -> Floats:
        """The smallest value a resample can give."""
        return np.asarray(sum(np.where(s.counts > 0, s.values, np.inf).min(axis=1) for s in self.strata))

    @cached_property
    def _origin(self) -> Floats:
        """Where the laws of sums start to count."""
        return np.asarray(sum(stratum.moves.origin for stratum in self.strata))

    def _ask(self, x: Floats, *questions: Question) -> list[Floats]:
        """Ask the laws of sums about values x of shape (..., n_points), many points and values at a time."""
        values = np.reshape(x, (-1, len(self.mean)))
        found = np.empty((len(questions), *values.shape))
        for points, law in laws_of(self.strata, np.arange(len(self.mean))):
            rows = np.arange(len(points))
            for some in np.array_split(np.arange(len(values)), -(-len(values) * len(points) // AT_A_TIME)):
                here = np.ix_(some, points)
                for answers, question in zip(found, questions, strict=True):
                    answer = question(law, np.tile(rows, len(some)), np.tile(points, len(some)), values[here].ravel())
                    answers[here] = answer.reshape(len(some), -1)
        return [answers.reshape(np.shape(x)) for answers in found]
