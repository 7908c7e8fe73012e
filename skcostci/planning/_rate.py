"""How many cases a rate needs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.special import betainc

from skcostci._validation import (
    MOST_CASES,
    Booleans,
    Floats,
    Integers,
    check_confidence_level,
    check_count,
    check_number,
    check_share,
)
from skcostci.intervals._rates import least_rate
from skcostci.laws import binomial
from skcostci.planning._plan import Plan, check_chance, check_one_question, least_count, width_purpose

ROUNDING = 1e-12
SAWTOOTH = 6.0  # over the variance of a case: how many cases further on the probability may still fall back
MOST_BLOCK = 10**5
MANY = 2000  # numbers of hits; they lie so close together beside their mean that half widths are a polynomial
DEGREE = 16  # of it, which leaves no more than rounding


@np.errstate(under="ignore")  # the likely laws have far tails
def plan_rate(
    rate: float,
    *,
    half_width: float | None = None,
    n: int | None = None,
    confidence_level: float = 0.95,
    assurance: float = 0.9,
) -> Plan:
    """How many cases make the default interval of a rate narrow enough, or how narrow so many make it.

    Parameters
    ----------
    rate : float
        The sensitivity, specificity, precision, accuracy or other share of cases to be expected, in [0, 1].
    half_width : float, default=None
        Half the width that the interval may have, in (0, 0.5). The answer is the least number of cases from which on it
        is that narrow with probability ``assurance``.
    n : int, default=None
        The number of cases, 1 at least. The answer is the half width that the interval does not exceed with probability
        ``assurance``.
    confidence_level : float, default=0.95
        Of the interval, in (0, 1).
    assurance : float, default=0.9
        The probability with which the interval is to be no wider, in (0, 1).

    Returns
    -------
    Plan
        With ``n``, ``half_width`` and ``expected_half_width``. The cases are those that the rate is a share of:
        positives for a sensitivity, negatives for a specificity, cases labelled positive for a precision, all cases for
        an accuracy.

    Raises
    ------
    ValueError, TypeError
        If not exactly one of ``half_width`` and ``n`` is given, or a number is outside its range.

    See Also
    --------
    plan_auc : The area under the ROC curve.

    Notes
    -----
    The interval is Clopper and Pearson's. The probability is a sum over the binomial law of the number of hits: nothing
    is approximated. Hits are whole numbers, so the probability goes up and down as cases are added one by one. The
    answer is the number from which on it does not fall below ``assurance`` again.

    **When not to trust it.** The threshold is taken as given. If it is chosen on the new cases, the rate comes out too
    good, and the interval that allows for the choice is wider.

    References
    ----------
    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
    Biometrika, 1934.

    Examples
    --------
    >>> from skcostci import plan_rate
    >>> plan_rate(0.9, half_width=0.05).n
    193
    >>> round(plan_rate(0.9, n=100).half_width, 3)
    0.073
    """
    level, assured = check_confidence_level(confidence_level), check_chance("assurance", assurance)
    share, tail = check_share("rate", rate), (1 - level) / 2
    check_one_question("half_width", half_width, n)
    if n is None:
        target = check_number("half_width", half_width, above=0, below=0.5)
        cases = _cases_for(target, share, tail, assured)
    else:
        cases = check_count("n", n, least=1, most=MOST_CASES)
    widths, chances = _outcomes(cases, share, tail)
    return Plan(
        n=cases,
        half_width=target if n is None else _quantile(widths, chances, assured),
        expected_half_width=float(widths @ chances),
        purpose=width_purpose(f"a rate of {share:.10g}", level, assured),
    )


def half_widths(hits: Integers | Floats, cases: Integers | int, tail: float) -> Floats:
    """Half the width of Clopper and Pearson's interval."""
    return np.asarray(1 - least_rate(cases - hits, cases, tail) - least_rate(hits, cases, tail)) / 2


def _outcomes(cases: int, rate: float, tail: float) -> tuple[Floats, Floats]:
    """The half widths that may come out, and their probabilities."""
    hits = binomial(cases, rate, 1 - rate)
    if len(hits) <= MANY:
        return half_widths(hits.support, cases, tail), hits.pmf
    smooth = Chebyshev.interpolate(half_widths, DEGREE, (hits.support[0], hits.support[-1]), args=(cases, tail))
    return np.asarray(smooth(hits.support)), hits.pmf


def _quantile(widths: Floats, chances: Floats, probability: float) -> float:
    """The least half width that is not exceeded with this probability."""
    order = np.argsort(widths)
    reached = np.cumsum(chances[order]) >= probability * (1 - ROUNDING)
    return float(widths[order][np.argmax(reached)])


def _cases_for(target: float, rate: float, tail: float, assured: float) -> int:
    """The least number of cases from which on the interval is narrow enough as often as it should be."""

    def fits(cases: Integers) -> Booleans:
        return np.asarray(_chance(cases, target, rate, tail) >= assured * (1 - ROUNDING))

    first = least_count(1, MOST_CASES, lambda cases: bool(fits(np.array([cases]))[0]))
    falls_back = SAWTOOTH * abs(1 - 2 * rate) / (rate * (1 - rate)) if 0 < rate < 1 else 0.0
    reach = 100 + int(min(falls_back, 3 * first, MOST_BLOCK))
    while not (fitting := fits(np.arange(first, first + reach))).all():
        first += int(np.flatnonzero(~fitting)[-1]) + 1
    return first


def _chance(cases: Integers, target: float, rate: float, tail: float) -> Floats:
    """How likely the interval is narrow enough: it is where hits, or misses, are few, and widest at one half."""
    n, few = cases.astype(np.float64), _few_enough(cases, target, tail)
    some = np.maximum(few, 0).astype(np.float64)
    either = betainc(n - some, some + 1, 1 - rate) + betainc(n - some, some + 1, rate)
    return np.where(few < 0, 0.0, np.where(few >= cases // 2, 1.0, either))


def _few_enough(cases: Integers, target: float, tail: float) -> Integers:
    """The most hits, up to half the cases, with an interval narrow enough; -1 if none are few enough.

    Of ascending numbers of cases: more of them allow for more hits, so that it is enough to know where one more is.
    """

    def narrow(hits: Integers, n: Integers) -> Booleans:
        return np.asarray((hits <= n // 2) & (half_widths(hits, n, tail) <= target * (1 + ROUNDING)))

    ends = cases[[0, -1]]
    fewest, most = _last(np.full(2, -1), ends // 2, lambda hits: narrow(hits, ends))
    hits = np.arange(fewest + 1, most + 1)
    too_few_cases = _last(np.full_like(hits, ends[0]), np.full_like(hits, ends[1]), lambda n: ~narrow(hits, n))
    return np.asarray(fewest + np.searchsorted(too_few_cases, cases))


def _last(low: Integers, high: Integers, holds: Callable[[Integers], Booleans]) -> Integers:
    """The largest whole numbers up to ``high`` at which it holds, which it does from ``low`` up to some number."""
    while (low < high).any():
        middle = (low + high + 1) // 2
        true = holds(middle)
        low, high = np.where(true, middle, low), np.where(true, high, middle - 1)
    return low
