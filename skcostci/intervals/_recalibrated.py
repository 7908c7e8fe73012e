"""Limits of the calibration slope and intercept.

**Slope.** ``b +- Student's t with n - 2 degrees of freedom times the larger of the model's and HC3's standard error``:
it covered .95 to .97 on average, while the model's standard error alone covers .88 at worst (where the curve is not
logistic) and HC3's alone .61 (where events are rare); it is 1.04 to 1.09 times as wide as the profile likelihood
interval. If classes do not overlap the slope is infinite, and the limit on the near side is the profile likelihood's.

**Intercept given slope 1.** The number of events S is Poisson-binomial, and limits are the intercepts at which its tail
is alpha:

    P(S >= s; a_low) = alpha,    P(S <= s; a_high) = alpha,

exactly for up to ``EXACT`` cases, for more by Lugannani and Rice's saddlepoint approximation with a continuity
correction of half a step, whose relative error is of the order of 1 / n.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, log_expit, ndtr, ndtri, stdtrit

from skcostci._arrays import Floats
from skcostci.intervals._method import Method
from skcostci.laws.exact._calibrated import CoefficientLaw, Risks, events_of

EXACT = 2000  # largest number of cases for which the Poisson-binomial law is computed exactly at each intercept
FURTHEST = 60.0  # distance in logits by which a limit may lie beyond the logits of the risks
STEEPEST = 1e8  # slope at which the search in a profile likelihood ends


def student(law: CoefficientLaw, alpha: Floats, side: int) -> Floats:
    """Student's limit; of an infinite slope the profile likelihood's limit on the near side, infinity on the other."""
    if np.isfinite(law.mean):
        return np.asarray(law.mean - side * np.sqrt(law.variance) * stdtrit(max(law.risks.n - 2, 1.0), alpha))
    if side == np.sign(law.mean):
        return np.full(np.shape(alpha), law.mean)
    return np.asarray(np.vectorize(lambda each: _profile_limit(law, float(each)), otypes=[float])(alpha))


def _profile_limit(law: CoefficientLaw, alpha: float) -> float:
    """The slope at which twice the log likelihood is below its maximum by the square of the normal quantile.

    ``risks.likelihood`` and ``risks.largest`` are logarithms.
    """
    risks, towards, square = law.risks, float(np.sign(law.mean)), float(ndtri(alpha)) ** 2

    def excess(b: float) -> float:
        slope = towards * b
        return 2 * (risks.largest - risks.likelihood(risks.intercept(slope, risks.total), slope)) - square

    low, high = -1.0, 1.0
    while excess(low) < 0 and low > -STEEPEST:
        low *= 2
    while excess(high) > 0 and high < STEEPEST:
        high *= 2
    return towards * float(brentq(excess, low, high, xtol=1e-10))


def poisson_binomial(law: CoefficientLaw, alpha: Floats, side: int) -> Floats:
    """The intercept at which at least (for an upper limit at most) the observed number of events has chance alpha."""
    risks = law.risks
    if risks.total == (0 if side < 0 else risks.n):
        return np.full(np.shape(alpha), side * np.inf)
    if risks.n <= EXACT:
        tail = partial(_exact_tail, risks, side)
    else:
        tail = partial(_saddlepoint_tail, risks, side, risks.intercept(1.0, risks.total + side / 2))
    return np.asarray(np.vectorize(lambda each: _crossing(law, tail, float(each)), otypes=[float])(alpha))


def _crossing(law: CoefficientLaw, tail: Callable[[float], float], alpha: float) -> float:
    """The intercept with this tail, searched in growing steps from the estimate."""
    furthest = -float(law.risks.x.max()) - FURTHEST, FURTHEST - float(law.risks.x.min())
    if not np.isfinite(law.mean):
        return float(brentq(lambda a: tail(a) - alpha, *furthest, xtol=1e-11))
    reach, known = 4 * float(np.sqrt(law.variance)), tail(law.mean) - alpha
    for end in furthest:
        step, inner = np.copysign(reach, end - law.mean), law.mean
        while (end - inner) / step > 0:
            outer = inner + step if (end - inner) / step > 1 else end
            if (tail(outer) - alpha) * known <= 0:
                return float(brentq(lambda a: tail(a) - alpha, *sorted((inner, outer)), xtol=1e-11))
            inner, step = outer, 2 * step
    return furthest[tail(furthest[0]) > tail(furthest[1])]  # no tail within reach is as small as alpha


def _exact_tail(risks: Risks, side: int, a: float) -> float:
    counts = events_of(expit(a + risks.x), risks.cases.astype(np.int64))
    return float(counts.pmf[side * counts.values <= side * risks.total].sum())


def _saddlepoint_tail(risks: Risks, side: int, there: float, a: float) -> float:
    """The same tail from the law tilted to the intercept ``there``, whose mean s is half a step off ``total``."""
    s, t, eta = risks.total + side / 2, there - a, a + risks.x
    if abs(t) < 1e-7:  # 1 / u - 1 / w is lost in rounding
        return 0.5
    m = expit(eta + t)
    cumulants = float(risks.cases @ (log_expit(-eta) - log_expit(-eta - t)))
    w = np.sign(t) * np.sqrt(max(2 * (t * s - cumulants), 0.0))
    u = 2 * np.sinh(t / 2) * np.sqrt(float(risks.cases @ (m * (1 - m))))
    above = float(ndtr(-w) + np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi) * (1 / u - 1 / w))
    return above if side < 0 else 1 - above


METHODS = (
    Method(
        "student",
        "Student's t",
        student,
        "Student's t with the larger of the model's and HC3's standard error.",
        "Few events (under ten), or risks that all are nearly the same.",
    ),
    Method(
        "poisson_binomial",
        "exact, Poisson-binomial",
        poisson_binomial,
        "the intercepts that the exact distribution of the number of events does not reject.",
        "Where the slope is far from 1: the intercept given slope 1 then describes no point of the curve.",
    ),
)
