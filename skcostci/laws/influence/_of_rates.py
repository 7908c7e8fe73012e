"""What follows from a rate where another is held: the precision at a sensitivity, the equal error rate.

**The precision** falls as the rate X rises, being 1 / (1 + c X). At a sensitivity r and a share pi of
positives the precision is pi r / (pi r + (1 - pi) FPR), so that c is (1 - pi) / (pi r). Limits are the transformed
limits of the rate, the lower from the upper one and vice versa.

**The equal error rate** is where the ROC curve meets the line on which the error rates of both classes are equal. At a
false-positive rate e the curve has a true-positive rate T(e), which does not fall as e rises: 1 - T(e) = e at one rate
alone, the equal error rate. The laws of T at every e therefore give its law: it is at most e exactly if T(e) >= 1 - e.
Its standard deviation is half the distance between the points where the curve, lowered and raised by the standard
deviation of T there, meets the line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy.optimize import brentq

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import cdf_of_falling, level_of_falling
from skcostci.laws.exact._vertical import DrawnCurve, VerticalLaw, vertical_laws
from skcostci.laws.influence._first_order import FirstOrderLaw


@dataclass(frozen=True, repr=False, eq=False)
class Falling:
    """The value at each of n_points points; ``odds`` are c. Of a rate with a law of first order, moments are too."""

    rate: VerticalLaw | FirstOrderLaw
    odds: Floats

    def of(self, x: Floats) -> Floats:
        return np.asarray(1 / (1 + self.odds * x))

    @property
    def estimate(self) -> Floats:
        return self.of(self.rate.estimate)

    @property
    def support(self) -> tuple[Floats, Floats]:
        least, most = self.rate.support
        return self.of(most), self.of(least)

    @property
    def is_exact(self) -> bool:
        return self.rate.is_exact

    @property
    def mean(self) -> Floats:
        return self.estimate

    @property
    def variance(self) -> Floats:
        return np.asarray((self.odds * self.estimate**2) ** 2 * self.rate.variance)


@dataclass(frozen=True, repr=False, eq=False)
class FallingLaw(Falling):
    """The law for a rate whose law is known in full: sides exchanged, precision by sums over atoms."""

    rate: VerticalLaw

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")
    def rate_of(self, y: Floats) -> Floats:
        """The rate that has a value; where no rate has it, one beyond the range on that side."""
        # Precision 0 belongs to an infinite rate, precision below 0 to no rate.
        rates = np.where(y > 0, (1 / np.maximum(y, 0.0) - 1) / self.odds, np.inf)
        return np.asarray(np.where(self.odds > 0, rates, np.where(y < 1, np.inf, 0.0)))

    @property
    def mean(self) -> Floats:
        return np.asarray(self._moments[0])

    @property
    def variance(self) -> Floats:
        return np.asarray(self._moments[1])

    @cached_property
    def _moments(self) -> Floats:
        found = []
        for point, odds in enumerate(self.odds.tolist()):
            rates, masses = self.rate.atoms(point)
            values = 1 / (1 + odds * rates)
            mean = float(masses @ values) / float(masses.sum())
            found.append((mean, float(masses @ (values - mean) ** 2) / float(masses.sum())))
        return np.array(found).T

    @property
    def agresti(self) -> float:
        return self.rate.agresti

    def smoothed(self, pseudo_cases: float) -> Self:
        return replace(self, rate=self.rate.smoothed(pseudo_cases))

    def cdf(self, x: Floats) -> Floats:
        return cdf_of_falling(self.tails(x))

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        below, level, above = self.rate.tails(self.rate_of(x))
        return above, level, below

    def quantile(self, q: Floats) -> Floats:
        return self.of(self.rate.quantile(level_of_falling(q)))


@dataclass(frozen=True, repr=False, eq=False)
class EqualErrorLaw:
    curve: DrawnCurve
    is_exact: ClassVar = False
    support: ClassVar = (0.0, 1.0)

    def at(self, rate: float) -> VerticalLaw:
        return vertical_laws([self.curve], np.array([rate]))[0]

    @cached_property
    def mean(self) -> float:
        """Where the drawn curve, with straight lines between its vertices, meets the line."""
        n, m = self.curve.negatives, self.curve.positives
        ranks, low, high = self.curve.steps
        x = np.repeat(ranks / n, 2)
        y = np.ravel(np.column_stack([low, high])) / m
        excess = x + y - 1
        place = int(np.argmax(excess >= 0))
        if place == 0 or excess[place] == excess[place - 1]:
            return float(x[place])
        share = -excess[place - 1] / (excess[place] - excess[place - 1])
        return float(x[place - 1] + share * (x[place] - x[place - 1]))

    @cached_property
    def variance(self) -> float:
        """From the curve lowered and raised by T's standard deviation, half a negative or more from rates 0 and 1."""
        e = min(max(self.mean, 1 / (2 * self.curve.negatives)), 1 - 1 / (2 * self.curve.negatives))
        spread = float(np.sqrt(self.at(e).variance[0]))
        return ((self._crossing(-spread) - self._crossing(spread)) / 2) ** 2

    def _crossing(self, shift: float) -> float:
        def excess(rate: float) -> float:
            hits = float(self.curve.hits(np.array([rate * self.curve.negatives]))[0])
            return hits / self.curve.positives + shift + rate - 1

        return 0.0 if excess(0.0) >= 0 else 1.0 if excess(1.0) <= 0 else float(brentq(excess, 0.0, 1.0))
