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
from skcostci.laws._side_by_side import OnOtherScale, number_of
from skcostci.laws.exact._vertical import DrawnCurve, VerticalLaw, vertical_laws
from skcostci.laws.influence._first_order import FirstOrderLaw

NEARBY = np.array([-2.4, -1.6, 1.6, 2.4])  # in standard errors, if the curve's slope is 1


@dataclass(frozen=True, repr=False, eq=False)
class FallingLaw(OnOtherScale):
    """The law at each of n_points points; ``odds`` are c.

    Mean and variance are sums over the values of the rate, or of first order where the rate's law is.
    """

    law: VerticalLaw | FirstOrderLaw
    odds: Floats
    agresti: ClassVar = VerticalLaw.agresti

    def here(self, x: Floats) -> Floats:
        return np.asarray(1 / (1 + self.odds * x))

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")
    def there(self, x: Floats) -> Floats:
        """The rate at which the value is x; where there is none, a rate beyond the range on that side."""
        # Precision 0 belongs to an infinite rate, precision below 0 to no rate.
        rates = np.where(x > 0, (1 / np.maximum(x, 0.0) - 1) / self.odds, np.inf)
        return np.asarray(np.where(self.odds > 0, rates, np.where(x < 1, np.inf, 0.0)))

    def number(self, name: str) -> Floats:
        if name not in ("estimate", "mean", "variance"):
            return number_of(self.law, name)  # as often undefined as the rate
        estimate = self.here(self.law.estimate)
        if name == "estimate":
            return estimate
        if isinstance(self.law, VerticalLaw):
            return np.asarray(self._moments[int(name == "variance")])
        return np.asarray((self.odds * estimate**2) ** 2 * self.law.variance) if name == "variance" else estimate

    @cached_property
    def _moments(self) -> Floats:
        assert isinstance(self.law, VerticalLaw)
        found = []
        for point, odds in enumerate(self.odds.tolist()):
            rates, masses = self.law.atoms(point)
            values = 1 / (1 + odds * rates)
            mean = float(masses @ values) / float(masses.sum())
            found.append((mean, float(masses @ (values - mean) ** 2) / float(masses.sum())))
        return np.array(found).T

    def smoothed(self, pseudo_cases: float) -> Self:
        assert isinstance(self.law, VerticalLaw)
        return replace(self, law=self.law.smoothed(pseudo_cases))


@dataclass(frozen=True, repr=False, eq=False)
class EqualErrorLaw:
    curve: DrawnCurve
    is_exact: ClassVar = False
    support: ClassVar = (0.0, 1.0)

    def at(self, rates: Floats) -> VerticalLaw:
        return vertical_laws([self.curve], rates)[0]

    @cached_property
    def nearby(self) -> VerticalLaw:
        """The curve at rates around the limits of common levels, on either side."""
        e, cases = self.mean, np.array([self.curve.negatives, self.curve.positives])
        spread = np.sqrt((e * (1 - e) + 0.25 / cases.min()) * (1 / cases).sum()) / 2
        return self.at(np.clip(e + spread * NEARBY, 0.0, 1.0))

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
        """From the curve lowered and raised by T's standard deviation, at least half a negative from rates 0 and 1."""
        e = min(max(self.mean, 1 / (2 * self.curve.negatives)), 1 - 1 / (2 * self.curve.negatives))
        spread = float(np.sqrt(self.at(np.array([e])).variance[0]))
        return ((self._crossing(-spread) - self._crossing(spread)) / 2) ** 2

    def _crossing(self, shift: float) -> float:
        def excess(rate: float) -> float:
            hits = float(self.curve.hits(np.array([rate * self.curve.negatives]))[0])
            return hits / self.curve.positives + shift + rate - 1

        return 0.0 if excess(0.0) >= 0 else 1.0 if excess(1.0) <= 0 else float(brentq(excess, 0.0, 1.0))
