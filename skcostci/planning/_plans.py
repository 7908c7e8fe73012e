"""Sample sizes for an AUC, for the difference of two AUCs, and for a rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import betainc, expit, logit, ndtr

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._described import described
from skcostci._options import explains_calls
from skcostci._validation._arguments import CASES, LEVEL, MOST_CASES, SHARE, Number
from skcostci.intervals._method import last_whole
from skcostci.intervals._unseen_case import least_rate
from skcostci.laws.exact._lattice import binomial
from skcostci.laws.influence._ranks import AUCLaw
from skcostci.planning import (
    NORMAL_NODES,
    NORMAL_SHARES,
    Components,
    Plan,
    Ranges,
    check_one_question,
    check_pilot,
    check_question,
    class_sizes,
    least_count,
    limits,
    normal_components,
    normal_difference_components,
    normal_difference_ranges,
    normal_kurtosis,
    normal_ranges,
    power_plan,
    seen_components,
    seen_ranges,
    width_plan,
)
from skcostci.statistics._area_functions import bootstrap_auc, bootstrap_auc_difference
from skcostci.statistics._auc import DIFFERENCE_METHODS, METHODS

ROUNDING = 1e-12  # of the difference of two AUCs and a margin with few decimals
NEAREST = 1e-9  # least distance from 0 and 1 at which the AUC of a sample is assumed


@np.errstate(under="ignore")  # the likely laws have far tails
@explains_calls
def plan_auc(
    auc: float | None = None,
    *,
    half_width: float | None = None,
    n_positive: int | None = None,
    n_negative: int | None = None,
    ratio: float = 1.0,
    confidence_level: float = 0.95,
    assurance: float = 0.9,
    null: float | None = None,
    power: float | None = None,
    pilot: tuple[ArrayLike, ArrayLike] | None = None,
) -> Plan:
    """The sample size for a given width of :func:`bootstrap_auc`'s default interval, or to show an AUC above a value.

    >>> from skcostci import plan_auc
    >>> plan = plan_auc(0.8, half_width=0.05, ratio=3)
    >>> plan.n_positive, plan.n_negative
    (122, 366)
    >>> round(plan_auc(0.8, n_positive=60, n_negative=200).half_width, 3)
    0.074

    Parameters
    ----------
    auc : float, default=None
        The expected AUC, in (0, 1); None is the AUC of the pilot.
    half_width : float, default=None
        The half width required of the interval, in (0, 0.5). The result has the smallest class sizes at which it is no
        wider with probability ``assurance``.
    n_positive, n_negative : int, default=None
        Sizes of the classes, at least 2; if only one is given, the other follows from ``ratio``. The result has the
        half width that the interval does not exceed with probability ``assurance``, or the power, at these.
    ratio : float, default=1.0
        Negatives per positive, above 0; sizes that follow from it are rounded up.
    confidence_level : float, default=0.95
        Confidence level of the interval, in (0, 1).
    assurance : float, default=0.9
        The probability with which the interval is to be no wider than ``half_width``, in (0, 1).
    null : float, default=None
        The null value, in (0, 1). The study is to show that the true AUC is above it, or below it if the expected AUC
        is smaller: the default interval excludes it, which is the same as ``pvalue(null=null) < 1 - confidence_level``.
    power : float, default=None
        The probability of showing that, in (0, 1). The result has the smallest class sizes with this power; with
        ``null`` and given sizes the result has their power.
    pilot : tuple (y_true, y_score), default=None
        Labels and scores of cases like those of the planned study. Without a pilot, scores are assumed to be normal in
        each class, with equal variances.

    Returns
    -------
    Plan
        With ``n_positive``, ``n_negative``, ``n``, and ``half_width`` and ``expected_half_width`` or ``power``.

    See Also
    --------
    plan_auc_difference : Two models on the same cases.

    Notes
    -----
    The estimated AUC is taken to be normal on the log-odds scale and, given it, the logarithm of the width to be
    normal. Variances are those of normal scores, by Plackett's integral, or unbiased estimates from the pilot. The
    power is that of an estimate further from ``null`` than the one whose limit it is. See :doc:`/user_guide/planning`.

    **When not to trust it.** If the AUC turns out to be 0.75 and not 0.85, the interval is a quarter wider. A pilot of
    20 cases per class is little better than a guess. Where scores tie, or are not normal, pass a pilot.

    References
    ----------
    A. I. Bandos, H. E. Rockette and D. Gur, Communications in Statistics, 2007; R. L. Plackett, Biometrika, 1954.
    """
    level, assured = LEVEL("confidence_level", confidence_level), LEVEL("assurance", assurance)
    check_question(half_width, null, power, n_negative if n_positive is None else n_positive)
    population = _population(auc, pilot)
    expected, quantity = population.auc, f"an AUC of {population.auc:.4g}"
    if null is not None:
        value = LEVEL("null", null)
        if expected == value:
            raise ValueError(f"null must differ from the expected auc, got {value:g} for both.")
        goal = None if power is None else LEVEL("power", power)
        reached = partial(_power, population, level, value)
        m, n = class_sizes(n_positive, n_negative, ratio, lambda m, n: goal is None or reached(m, n) >= goal)
        return power_plan(quantity, expected, value, level, reached(m, n), n=m + n, n_positive=m, n_negative=n)
    target = None if half_width is None else Number(0, 0.5, "()")("half_width", half_width)

    def narrow(m: int, n: int) -> bool:
        return target is not None and _chance_within(target, *_half_widths(population, level, m, n)) >= assured

    m, n = class_sizes(n_positive, n_negative, ratio, narrow)
    middle, spread = _half_widths(population, level, m, n)
    if target is None:  # the half width that is not exceeded with this probability
        ends = middle.min() * np.exp(-40 * spread), middle.max() * np.exp(40 * spread)
        target = float(brentq(lambda width: _chance_within(width, middle, spread) - assured, *ends, xtol=1e-12))
    mean = float(NORMAL_SHARES @ middle * np.exp(spread**2 / 2))
    return width_plan(quantity, level, assured, target, mean, n=m + n, n_positive=m, n_negative=n)


class _Population(NamedTuple):
    """The AUC, the ratio of variances to those of normal scores, and the ends of placements if they were observed."""

    auc: float
    excess: Components
    seen: Ranges | None = None

    def components(self, auc: float) -> Components:
        normal, excess = normal_components(auc), self.excess
        parts = normal.positive * excess.positive, normal.negative * excess.negative
        return Components(*parts, normal.pair * excess.pair)

    def deviation(self, m: int, n: int) -> float:
        """The standard deviation of the AUC estimated from m positives and n negatives, on the scale of log odds."""
        return float(np.sqrt(self.components(self.auc).variance(m, n)) / (self.auc * (1 - self.auc)))

    def interval(self, level: float, auc: float, m: int, n: int) -> tuple[float, float]:
        ranges = self.seen or normal_ranges(auc, m, n)
        return limits(METHODS[0], self.components(auc).law(auc, (0.0, 1.0), ranges, m, n), level)


def _population(auc: float | None, pilot: tuple[ArrayLike, ArrayLike] | None) -> _Population:
    stated = None if auc is None else Number(1e-12, 1, "()")("auc", auc)
    if pilot is None:
        if stated is None:
            raise ValueError("Give the expected auc, or a pilot=(y_true, y_score).")
        return _Population(stated, Components(1.0, 1.0, 1.0))
    y_true, y_score = check_pilot(pilot, "(y_true, y_score)")
    law = cast(AUCLaw, bootstrap_auc(y_true, y_score).law)
    seen, normal = seen_components(law), normal_components(law.mean.item())
    excess = Components(seen.positive / normal.positive, seen.negative / normal.negative, seen.pair / normal.pair)
    return _Population(law.mean.item() if stated is None else stated, excess, seen_ranges(law))


def _half_widths(population: _Population, level: float, m: int, n: int) -> tuple[Floats, float]:
    """The median half width for each AUC that a study may find, and the spread of its logarithm about it."""
    auc = population.auc
    found = np.clip(expit(logit(auc) + NORMAL_NODES * population.deviation(m, n)), NEAREST, 1 - NEAREST)
    intervals = [population.interval(level, each, m, n) for each in found.tolist()]
    return np.diff(intervals)[:, 0] / 2, population.components(auc).spread(m, n, normal_kurtosis(auc))


def _chance_within(half_width: float, middle: Floats, spread: float) -> float:
    return float(NORMAL_SHARES @ ndtr(np.log(half_width / middle) / spread))


def _power(population: _Population, level: float, null: float, m: int, n: int) -> float:
    """The probability that the interval lies beyond ``null``, on the side where the AUC is."""
    side = -1 if population.auc > null else 1

    def excess(place: float) -> float:
        """The distance of the limit beyond null, on the scale of log odds, if this is the AUC found."""
        return -side * (population.interval(level, float(expit(place)), m, n)[(side + 1) // 2] - null)

    # At the best AUC assumed the limit may still not be beyond null: there is no root, and no power.
    end = -side * logit(1 - NEAREST)
    if excess(end) < 0:
        return 0.0
    least = brentq(excess, logit(null), end)
    return float(ndtr(-side * (logit(population.auc) - least) / population.deviation(m, n)))


@np.errstate(under="ignore")  # the likely laws have far tails
@explains_calls
@described(plan_auc)
def plan_auc_difference(
    auc_a: float | None = None,
    auc_b: float | None = None,
    *,
    correlation: float | None = None,
    power: float | None = None,
    n_positive: int | None = None,
    n_negative: int | None = None,
    ratio: float = 1.0,
    alpha: float = 0.05,
    margin: float = 0.0,
    pilot: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
) -> Plan:
    """The sample size at which the default test detects a difference of two AUCs, or the power of a given sample size.

    >>> from skcostci import plan_auc_difference
    >>> plan = plan_auc_difference(0.85, 0.8, correlation=0.6, power=0.8)
    >>> plan.n_positive, plan.n_negative
    (243, 243)
    >>> round(plan_auc_difference(0.85, 0.8, correlation=0.6, n_positive=120, ratio=5).power, 2)
    0.71

    Parameters
    ----------
    auc_a, auc_b : float, default=None
        The expected AUCs, in (0, 1); None are those of the pilot.
    correlation : float, default=None
        Correlation of the two models' scores within a class, in (-1, 1). It is 0.6 to 0.9 for models that share most of
        their inputs. Required without a pilot; with one it is estimated.
    power : float, default=None
        The probability of detecting the difference, in (0, 1). The result has the smallest class sizes with this power.
    alpha : float, default=0.05
        The two-sided significance level, in (0, 1).
    margin : float, default=0.0
        The non-inferiority margin, in [0, 1): by how much a's AUC may be smaller. Above 0 the plan is for
        non-inferiority: the interval at ``1 - alpha`` lies above ``-margin``, a one-sided test at ``alpha / 2``. The
        AUCs may then be equal.
    pilot : tuple (y_true, y_score_a, y_score_b), default=None
        Labels and both models' scores of cases like those of the planned study. Without a pilot, scores are assumed to
        be normal in each class, with equal variances.

    Returns
    -------
    Plan
        With ``n_positive``, ``n_negative``, ``n`` and ``power``.

    See Also
    --------
    plan_auc : The width of one model's interval.

    Notes
    -----
    A difference is detected if the default interval of :func:`bootstrap_auc_difference` at level ``1 - alpha`` excludes
    0, which is the same as ``pvalue() < alpha``; the estimate is taken to be normal, with the variance of that
    function: Plackett's integral for normal scores, or an unbiased estimate from the pilot. :doc:`/user_guide/planning`
    has more.

    **When not to trust it.** The difference in a small pilot is usually too large, since large differences prompt
    studies. State the smallest relevant difference, and estimate the variability of the scores from the pilot.

    References
    ----------
    N. A. Obuchowski and D. K. McClish, Statistics in Medicine, 1997; R. L. Plackett, Biometrika, 1954.
    """
    level = 1 - LEVEL("alpha", alpha)
    check_one_question("power", power, n_negative if n_positive is None else n_positive)
    allowed = Number(0, 1, ")")("margin", margin)
    goal = None if power is None else LEVEL("power", power)
    a, b, components, seen = _two_models(auc_a, auc_b, correlation, pilot)
    claim = f"AUCs of {a:.4g} and {b:.4g} differ"
    if allowed:
        # .8 - .85 + .05 is not 0.
        if a - b + allowed <= ROUNDING:
            raise ValueError(f"auc_a must be above auc_b - margin, got {a:.4g}, {b:.4g} and margin={allowed:g}.")
        claim = f"an AUC of {a:.4g} is not lower than one of {b:.4g} by {allowed:g} or more"
    elif a == b:
        raise ValueError(f"auc_a and auc_b must differ, got {a:g} twice.")

    def reached(m: int, n: int) -> float:
        """The probability that the interval leaves out 0, on either side, or lies above minus the margin."""
        true = (a - b + allowed) / np.sqrt(components.variance(m, n))
        above, below = (_least_seen(components, seen, allowed, level, side, m, n) for side in (-1, 1))
        return float(ndtr(true - above) + (0.0 if allowed else ndtr(-below - true)))

    m, n = class_sizes(n_positive, n_negative, ratio, lambda m, n: goal is None or reached(m, n) >= goal)
    found = reached(m, n)
    purpose = f"power {found:.3g} to see that {claim} (two-sided alpha {alpha:g})."
    return Plan(n=m + n, n_positive=m, n_negative=n, power=found, purpose=purpose)


def _least_seen(
    components: Components, seen: Ranges | None, margin: float, level: float, side: int, m: int, n: int
) -> float:
    """The number of deviations from the null of an estimate whose lower (side -1) or upper limit is the null."""
    deviation = np.sqrt(components.variance(m, n))

    def excess(deviations: float) -> float:
        estimate = -side * deviations * deviation - margin
        ranges = seen or normal_difference_ranges(estimate, components, m, n)
        law = components.law(estimate, (-1.0, 1.0), ranges, m, n)
        return -side * (limits(DIFFERENCE_METHODS[0], law, level)[(side + 1) // 2] + margin)

    furthest = 1.0
    while excess(furthest) < 0:
        furthest *= 2
        # No estimated difference exceeds 1: with so few cases none puts the limit beyond the null.
        if furthest * deviation >= 1:
            return np.inf
    return float(brentq(excess, 0.0, furthest))


def _two_models(
    auc_a: float | None,
    auc_b: float | None,
    correlation: float | None,
    pilot: tuple[ArrayLike, ArrayLike, ArrayLike] | None,
) -> tuple[float, float, Components, Ranges | None]:
    """The AUCs, the components of their difference and the ends of placements, as stated or from a pilot."""
    stated = [None if auc is None else LEVEL(name, auc) for name, auc in (("auc_a", auc_a), ("auc_b", auc_b))]
    if pilot is None:
        a, b = stated
        if a is None or b is None or correlation is None:
            raise ValueError("Give auc_a, auc_b and the correlation, or a pilot=(y_true, y_score_a, y_score_b).")
        shared = Number(-1, 1, "()")("correlation", correlation)
        return a, b, normal_difference_components(a, b, shared), None
    if correlation is not None:
        raise ValueError("Give either the correlation or a pilot, from which the correlation is computed, not both.")
    law: Any = bootstrap_auc_difference(*check_pilot(pilot, "(y_true, y_score_a, y_score_b)")).law
    a, b = (known.mean.item() if auc is None else auc for auc, known in zip(stated, (law.a, law.b), strict=True))
    thirds, shares = zip(*((each.third, each.differing / each.cases) for each in law.differences), strict=True)
    return a, b, seen_components(law)._replace(thirds=thirds, differing=shares), seen_ranges(law)


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
            chance = partial(_power_of_rate, rate=expected, null=below, tail=tail)
            cases = _from_which_on(chance, goal, SAWTOOTH / (expected - below))
        reached = float(_power_of_rate(np.array([cases]), expected, below, tail)[0])
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


def _power_of_rate(cases: Integers, rate: float, null: float, tail: float) -> Floats:
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
