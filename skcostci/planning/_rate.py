"""Sample sizes for a rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import betainc

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._options import explains_calls
from skcostci._validation._arguments import CASES, LEVEL, MOST_CASES, SHARE, Number
from skcostci.intervals._method import last_whole
from skcostci.intervals._unseen_case import least_rate
from skcostci.laws.exact._lattice import binomial
from skcostci.planning import Plan, check_question, least_count, power_plan, width_plan

ROUNDING = 1e-12
SAWTOOTH = 6.0  # over the variance of a case: number of further cases within which the probability may still fall again
MOST_BLOCK = 10**5


@np.errstate(under="ignore")  # the likely laws have far tails
@explains_calls
def plan_rate(
    rate: float,
    *,
    half_width: float | None = None,
    n: int | None = None,
    confidence_level: float = 0.95,
    assurance: float = 0.9,
    null: float | None = None,
    power: float | None = None,
) -> Plan:
    """The sample size for a given width of the default interval of a rate, or to show that a rate is above a value.

    >>> from skcostci import plan_rate
    >>> plan_rate(0.9, half_width=0.05).n
    193
    >>> plan_rate(0.9, null=0.8, power=0.9).n
    149

    Parameters
    ----------
    rate : float
        The expected sensitivity, specificity, precision, accuracy or other share of cases, in [0, 1].
    half_width : float, default=None
        The half width required of the interval, in (0, 0.5). The result has the smallest number of cases from which on
        it is no wider with probability ``assurance``.
    n : int, default=None
        The number of cases, at least 1. The result has the half width that the interval does not exceed with
        probability ``assurance``.
    confidence_level : float, default=0.95
        Confidence level of the interval, in (0, 1).
    assurance : float, default=0.9
        The probability with which the interval is to be no wider than ``half_width``, in (0, 1).
    null : float, default=None
        The null value, in (0, 1). The study is to show that the true rate is above it, or below it if the expected rate
        is smaller: the default interval excludes it, which is the same as ``pvalue(null=null) < 1 - confidence_level``.
    power : float, default=None
        The probability of showing that, in (0, 1). The result has the smallest number of cases from which on the power
        is not less; with ``null`` and a given ``n`` the result has its power.

    Returns
    -------
    Plan
        With ``n``, and ``half_width`` and ``expected_half_width`` or ``power``. The cases are those in the denominator
        of the rate: positives for a sensitivity, negatives for a specificity, cases labelled positive for a precision,
        all cases for an accuracy.

    See Also
    --------
    plan_auc : The area under the ROC curve.

    Notes
    -----
    The interval is Clopper and Pearson's (1934), the probability an exact binomial sum. It does not rise steadily with
    the number of cases: the result is the number from which on it no longer falls below ``assurance``, or ``power``.

    **When not to trust it.** The threshold is assumed to be given. If it is chosen on the new cases, the estimated rate
    is optimistic, and the interval that allows for the choice is wider.
    """
    level, assured = LEVEL("confidence_level", confidence_level), LEVEL("assurance", assurance)
    share, tail, quantity = SHARE("rate", rate), (1 - level) / 2, f"a rate of {rate:.10g}"
    check_question(half_width, null, power, n)
    cases = None if n is None else CASES.whole("n", n)
    if null is not None:
        value = LEVEL("null", null)
        if share == value:
            raise ValueError(f"null must differ from the expected rate, got {value:g} for both.")
        # More hits than at null are fewer misses: for rates below null the classes exchange their roles.
        expected, below = (share, value) if share > value else (1 - share, 1 - value)
        if cases is None:
            goal = LEVEL("power", power)
            chance = partial(_power, rate=expected, null=below, tail=tail)
            cases = _from_which_on(chance, goal, SAWTOOTH / (expected - below))
        reached = float(_power(np.array([cases]), expected, below, tail)[0])
        return power_plan(quantity, share, value, level, reached, n=cases)
    target = None if half_width is None else Number(0, 0.5, "()")("half_width", half_width)
    if cases is None and target is not None:
        reach = SAWTOOTH * abs(1 - 2 * share) / (share * (1 - share)) if 0 < share < 1 else 0.0
        cases = _from_which_on(partial(_chance, target=target, rate=share, tail=tail), assured, reach)
    assert cases is not None  # n or half_width was given
    hits = binomial(cases, share, 1 - share)
    widths = half_widths(hits.support, cases, tail)
    if target is None:
        order = np.argsort(widths)
        enough = np.cumsum(hits.pmf[order]) >= assured * (1 - ROUNDING)
        target = float(widths[order][np.argmax(enough)])
    return width_plan(quantity, level, assured, target, float(widths @ hits.pmf), n=cases)


def _power(cases: Integers, rate: float, null: float, tail: float) -> Floats:
    """The probability that the lower limit is above null: that hits exceed the largest insufficient number."""
    few = last_whole(lambda hits: least_rate(hits, cases, tail) <= null, np.zeros_like(cases), cases)
    enough = np.minimum(few + 1, cases).astype(np.float64)
    return np.where(few == cases, 0.0, betainc(enough, cases - enough + 1, rate))


def _from_which_on(chance: Callable[[Integers], Floats], goal: float, falls_back: float) -> int:
    """The least number of cases from which on the chance is reached; it may fall back within so many further cases."""

    def fits(cases: Integers) -> Booleans:
        return np.asarray(chance(cases) >= goal * (1 - ROUNDING))

    first = least_count(1, MOST_CASES, lambda cases: bool(fits(np.array([cases]))[0]))
    # Hits are whole, so that the chance rises in a sawtooth: after the first size that fits some may not.
    reach = 100 + int(min(falls_back, 3 * first, MOST_BLOCK))
    while not (fitting := fits(np.arange(first, first + reach))).all():
        first += int(np.flatnonzero(~fitting)[-1]) + 1
    return first


def half_widths(hits: Integers | Floats, cases: Integers | int, tail: float) -> Floats:
    return np.asarray(1 - least_rate(cases - hits, cases, tail) - least_rate(hits, cases, tail)) / 2


def _chance(cases: Integers, target: float, rate: float, tail: float) -> Floats:
    """The probability that the interval is narrow enough: it is if hits or misses are few, and is widest at 1/2."""
    n, few = cases.astype(np.float64), _few_enough(cases, target, tail)
    some = np.maximum(few, 0).astype(np.float64)
    either = betainc(n - some, some + 1, 1 - rate) + betainc(n - some, some + 1, rate)
    return np.where(few < 0, 0.0, np.where(few >= cases // 2, 1.0, either))


def _few_enough(cases: Integers, target: float, tail: float) -> Integers:
    """The most hits, up to half the cases (ascending), with an interval narrow enough; -1 if there is none."""

    def narrow(hits: Integers, n: Integers) -> Booleans:
        return np.asarray((hits <= n // 2) & (half_widths(hits, n, tail) <= target * (1 + ROUNDING)))

    ends = cases[[0, -1]]
    fewest, most = last_whole(lambda hits: narrow(hits, ends), np.full(2, -1), ends // 2)
    hits = np.arange(fewest + 1, most + 1)
    too_few_cases = last_whole(lambda n: ~narrow(hits, n), np.full_like(hits, ends[0]), np.full_like(hits, ends[1]))
    return np.asarray(fewest + np.searchsorted(too_few_cases, cases))
