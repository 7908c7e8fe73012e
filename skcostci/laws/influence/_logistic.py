"""Logistic regression of the event on the logit of the risk: calibration slope and intercept.

With x = logit p of case i, 0 < p < 1, and y_i the event,

    P(y = 1) = m = expit(a + b x),

calibrated risks have the slope b = 1 and the intercept a = 0 (Cox 1958). Two quantities are distinguished: the slope
with its own intercept, and the *intercept given slope 1*, calibration in the large on the logit scale. a and b
maximize the likelihood, by Newton's steps; J is the information there. With the leverage of a case,
h = m (1 - m) (1, x)' J^-1 (1, x), the variance by HC3 is

    J^-1 [sum of (1, x)(1, x)' (y - m)^2 / (1 - h)^2] J^-1,

which is right to first order where the curve is not logistic. The variance used is the larger of this and J^-1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, xlogy

from skcostci._arrays import Floats
from skcostci._frozen import cached_property

MOST_STEPS, CLOSE = 100, 1e-12  # number of Newton's steps, and the size at which they end, in standard errors
MOST_LEVERAGE = 1 - 1e-9  # used for a case that determines the line alone


class Risks(NamedTuple):
    """Distinct logits, ascending, and how many cases and how many events there are at each."""

    x: Floats
    cases: Floats
    events: Floats

    @classmethod
    def of(cls, proba: Floats, cases: Floats, events: Floats) -> Risks:
        """From distinct risks between 0 and 1."""
        return cls(logit(proba), cases, events)

    @property
    def n(self) -> float:
        return float(self.cases.sum())

    @property
    def total(self) -> float:
        return float(self.events.sum())

    @property
    def reason(self) -> str:
        if not self.n:
            return "all risks are 0 or 1"
        if self.total in (0, self.n):
            return "no events" if self.total == 0 else "events only"
        return "all risks are the same" if len(self.x) == 1 else ""

    @property
    def separated(self) -> int:
        """1 where no event has a smaller logit than a case without event, -1 where none has a larger one, else 0."""
        with_event, without = self.x[self.events > 0], self.x[self.cases > self.events]
        return int(without.max() <= with_event.min()) - int(with_event.max() <= without.min())

    def likelihood(self, a: float, b: float) -> float:
        eta = a + b * self.x
        return float(self.events @ eta - self.cases @ np.logaddexp(0, eta))

    def profile(self, b: float) -> float:
        return self.likelihood(self.intercept(b, self.total), b)

    @property
    def largest(self) -> float:
        """The limit of the log likelihood where classes are separated, due to events and others at the same logit."""
        mixed = (self.events > 0) & (self.events < self.cases)
        events, cases = self.events[mixed], self.cases[mixed]
        return float((xlogy(events, events / cases) + xlogy(cases - events, 1 - events / cases)).sum())

    def intercept(self, b: float, events: float) -> float:
        """The intercept at slope b with so many events expected: Newton's steps, or bisection if one leads away."""
        eta, share = b * self.x, float(logit(events / self.n))
        low, high = share - float(eta.max()), share - float(eta.min())
        a = min(max(share - float(self.cases @ eta) / self.n, low), high)
        for _ in range(MOST_STEPS):
            m = expit(a + eta)
            missing, slope = events - float(self.cases @ m), float(self.cases @ (m * (1 - m)))
            low, high = (a, high) if missing > 0 else (low, a)
            new = a + missing / slope if slope > 0 else low
            new = new if low <= new <= high else (low + high) / 2
            if abs(new - a) <= CLOSE * (1 + abs(a)):
                return new
            a = new
        return a

    def information(self, a: float, b: float) -> Floats:
        m, X = expit(a + b * self.x), self.design
        return np.asarray(X.T @ (X * (self.cases * m * (1 - m))[:, None]))

    @property
    def design(self) -> Floats:
        return np.column_stack([np.ones_like(self.x), self.x])

    def fitted(self) -> tuple[float, float]:
        a, b = self.intercept(1.0, self.total), 1.0
        best = self.likelihood(a, b)
        for _ in range(MOST_STEPS):
            score = self.design.T @ (self.events - self.cases * expit(a + b * self.x))
            step = np.linalg.solve(self.information(a, b), score)
            while (found := self.likelihood(a + step[0], b + step[1])) < best - CLOSE * abs(best):
                step = step / 2  # a full step may lead away, where the classes hardly overlap
            a, b, best = a + float(step[0]), b + float(step[1]), found
            if score @ step < CLOSE**2:
                break
        return a, b

    def standard_errors(self, a: float, b: float) -> Floats:
        X, m = self.design, expit(a + b * self.x)
        inverse = np.linalg.inv(self.information(a, b))
        # A case that determines the fit alone has leverage 1, and HC3 divides by 1 minus the leverage.
        leverage = np.minimum(m * (1 - m) * ((X @ inverse) * X).sum(axis=1), MOST_LEVERAGE)
        squares = self.events * (1 - m) ** 2 + (self.cases - self.events) * m**2
        meat = X.T @ (X * (squares / (1 - leverage) ** 2)[:, None])
        robust = inverse @ meat @ inverse
        return np.asarray(np.sqrt(np.maximum(np.diag(inverse), np.diag(robust))))


@dataclass(frozen=True, repr=False, eq=False)
class OnWholeLine:
    @property
    def support(self) -> tuple[float, float]:
        return -np.inf, np.inf

    @property
    def is_exact(self) -> bool:
        return False


@dataclass(frozen=True, repr=False, eq=False)
class CoefficientLaw(OnWholeLine):
    mean: float
    error: float
    freedom: float

    @property
    def variance(self) -> float:
        return self.error**2


@dataclass(frozen=True, repr=False, eq=False)
class SeparatedSlopeLaw(OnWholeLine):
    """The law of a slope with an infinite estimate, of sign ``towards``: the data bound it on one side only."""

    risks: Risks
    towards: int

    @property
    def mean(self) -> float:
        return self.towards * np.inf

    @property
    def variance(self) -> float:
        return np.inf


@dataclass(frozen=True, repr=False, eq=False)
class InterceptLaw(OnWholeLine):
    risks: Risks

    @cached_property
    def mean(self) -> float:
        events = self.risks.total
        if events in (0, self.risks.n):
            return np.inf if events else -np.inf
        return self.risks.intercept(1.0, events)

    @property
    def variance(self) -> float:
        if not np.isfinite(self.mean):
            return np.inf
        return 1 / float(self.risks.information(self.mean, 1.0)[0, 0])
