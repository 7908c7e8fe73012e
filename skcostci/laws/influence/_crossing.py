"""The equal error rate, where the ROC curve meets the line on which the error rates of both classes are equal.

At a false-positive rate e the curve has a true-positive rate T(e), which does not fall as e rises: 1 - T(e) = e at one
rate alone, the equal error rate. The laws of T at every e therefore give its law: it is at most e exactly if
T(e) >= 1 - e. Its standard deviation is half the distance between the points where the curve, lowered and raised by the
standard deviation of T there, meets the line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from skcostci._frozen import cached_property
from skcostci.laws.exact._vertical import DrawnCurve, VerticalLaw, vertical_laws


@dataclass(frozen=True, repr=False, eq=False)
class EqualErrorLaw:
    curve: DrawnCurve

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

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0

    @property
    def is_exact(self) -> bool:
        return False

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
