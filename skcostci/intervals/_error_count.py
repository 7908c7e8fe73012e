"""Cortes and Mohri's intervals for the AUC given the number of errors: Theorem 2 in four forms, and Theorem 1.

A form takes a law and the risk (error probability) of its interval, and returns both ends. All forms allow k errors in
another sample and assign a risk to each k, which Chebyshev's inequality turns into a distance from the mean AUC at k
errors.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil, floor, sqrt

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ndtri

from skcostci._arrays import Floats
from skcostci.intervals._method import Method, sidak
from skcostci.laws.exact._auc_given_errors import ErrorCountLaw

Ends = tuple[float, float]
CERTAIN = float(np.nextafter(1.0, 0.0))  # the largest risk
MOST_NUMBERS = 1025  # numbers of errors to be evaluated; more than these are grouped


def in_interval(law: ErrorCountLaw, risk: float, deviations: Callable[[float], float]) -> Ends:
    """One risk for each k in an error-rate interval and for the interval, whose half length ``deviations`` gives."""
    half = sidak(risk, 2)
    return _chebyshev_ends(law, *_within(law, deviations(half)), half)


def given_error_rate(law: ErrorCountLaw, risk: float) -> Ends:
    """Theorem 1: one risk for every k in the given interval for the error rate; what that interval's risk leaves."""
    assert law.error_rate is not None
    low, high, confidence = law.error_rate
    own = 1 - (1 - risk) / confidence
    return _chebyshev_ends(law, floor(law.total * low), ceil(law.total * high), own) if own > 0 else (0.0, 1.0)


def _within(law: ErrorCountLaw, deviations: float) -> tuple[int, int]:
    """The least and largest k within so many standard deviations, each at most sqrt(total) / 2, of the observed one."""
    reach = deviations * sqrt(law.total) / 2
    return max(ceil(law.n_errors - reach), 0), min(floor(law.n_errors + reach), law.total)


def _chebyshev_ends(law: ErrorCountLaw, low: int, high: int, risk: float) -> Ends:
    each = np.union1d(np.linspace(low, high, min(high - low + 1, MOST_NUMBERS)).round(), law.n_errors)
    lost, variance = law.moments(each.astype(np.int64))
    return _extremes(1 - lost, np.sqrt(variance / risk))


def exponential(law: ErrorCountLaw, risk: float) -> Ends:
    """A risk ``a0 exp((k - k0)^2 / (2 a1^2))``: ``a0`` keeps the total risk, ``a1`` gives the shortest interval.

    ``k0`` errors were observed; k is in the interval of the Gaussian form or, if that is too improbable, any number.
    """
    k, share, mean, deviation = _errors(law, *_within(law, -ndtri(sidak(risk, 2) / 2)))
    if share.sum() <= 1 - risk:
        k, share, mean, deviation = _errors(law, 0, law.total)
    away = (k - law.n_errors) ** 2 / 2

    def ends(log_rate: float) -> Ends:
        growth = away * np.exp(2 * log_rate)

        def excess(log_risk: float) -> float:
            return float(share @ -np.expm1(np.minimum(log_risk + growth, 0))) - (1 - risk)

        least = np.log(risk) - growth.max() - 40  # every risk is negligible here
        log_risk = brentq(excess, least, 0.0, xtol=1e-12) if excess(least) > 0 else least
        # exp overflows at 709.
        return _extremes(mean, deviation * np.exp(np.clip(-log_risk - growth, 0, 700) / 2))

    def width(log_rate: float) -> float:
        low, high = ends(log_rate)
        return high - low

    rates = np.linspace(-5, 5, 41) - np.log(law.total) / 2
    best = float(rates[np.argmin([width(rate) for rate in rates])])
    found = minimize_scalar(width, bounds=(best - 0.25, best + 0.25), method="bounded")
    return ends(min(best, float(found.x), key=width))


def _extremes(mean: Floats, distance: Floats) -> Ends:
    return float(np.min(mean - distance)), float(np.max(mean + distance))


def optimal(law: ErrorCountLaw, risk: float) -> Ends:
    """The shortest interval around the mean AUC at the observed number of errors; each k has the risk this requires."""
    _, share, mean, deviation = _errors(law, 0, law.total)
    shift = np.abs(mean - law.mean)

    def excess(half: float) -> float:
        slack = np.maximum(half - shift, 0)
        needed = np.divide(deviation, slack, out=np.ones_like(slack), where=slack > deviation)
        return float(share @ needed**2) - risk

    most = float(np.max(shift + deviation / sqrt(risk))) + 1
    least = float(np.min(shift + deviation))  # up to this half length every number of errors has the whole risk
    half = brentq(excess, least, most, xtol=1e-14) if excess(least) > 0 else least
    return law.mean - half, law.mean + half


def _errors(law: ErrorCountLaw, low: int, high: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Numbers of errors, if many in groups, their probabilities in another sample, and the AUC's mean and deviation."""
    errors, chances = law.errors
    inside = (errors >= low) & (errors <= high)
    low, share = int(errors[inside][0]), chances[inside]
    first = np.unique(np.linspace(0, len(share), MOST_NUMBERS + 1)[:-1].astype(np.int64))  # first of each group
    middle = low + (first + np.append(first[1:], len(share)) - 1) // 2
    lost, variance = law.moments(middle)
    return middle.astype(np.float64), np.add.reduceat(share, first), 1 - lost, np.sqrt(variance)


def _end(law: ErrorCountLaw, alpha: Floats, side: int, form: Callable[[ErrorCountLaw, float], Ends]) -> Floats:
    """An end of the interval by this form, whose ends share the risk 2 alpha."""
    end = np.vectorize(lambda tail: form(law, min(2 * tail, CERTAIN))[(side + 1) // 2], otypes=[float])
    return np.asarray(end(alpha))


METHODS = (
    Method(
        "optimal",
        "Cortes-Mohri",
        partial(_end, form=optimal),
        "Chebyshev's inequality at each number of errors, with the risks divided so that the interval is shortest.",
        "It is about orderings drawn at random, not about given score distributions.",
    ),
    Method(
        "exponential",
        "Cortes-Mohri, exponential",
        partial(_end, form=exponential),
        "Chebyshev's inequality at each number of errors, with risks that grow exponentially with the distance.",
        "As 'optimal', and wider.",
    ),
    Method(
        "gaussian",
        "Cortes-Mohri, Gaussian",
        partial(_end, form=partial(in_interval, deviations=lambda half: -ndtri(half / 2))),
        "Chebyshev's inequality at each number of errors in the normal interval for their rate.",
        "As 'optimal', and wider.",
    ),
    Method(
        "chebyshev",
        "Cortes-Mohri, Chebyshev",
        partial(_end, form=partial(in_interval, deviations=lambda half: 1 / sqrt(half))),
        "Chebyshev's inequality at each number of errors in Chebyshev's interval for their rate.",
        "As 'optimal', and far wider.",
    ),
    Method(
        "given_error_rate",
        "Cortes-Mohri, given error rate",
        partial(_end, form=given_error_rate),
        "Chebyshev's inequality at each number of errors in the interval for their rate that was given.",
        "As 'optimal'; it is the whole range at the confidence of the error rate's interval and beyond.",
    ),
)
