"""Sample sizes for AUCs and rates, and for the differences of two of them, from the likely laws of future samples.

A kernel, the win of a positive over a negative or the difference of two models' wins, has variance components for the
positive, the negative and the pair. The variance of its mean over m positives and n negatives is ``positive / m +
negative / n + (pair - positive - negative) / (m n)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import bdtrc, betainc, expit, logit, ndtr, ndtri

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._described import described
from skcostci._options import explains_calls
from skcostci._shown import Shown
from skcostci._validation._arguments import CASES, LEVEL, MOST_CASES, SHARE, Number
from skcostci.intervals import METHODS
from skcostci.intervals._method import Law, last_whole
from skcostci.intervals._unseen_case import least_rate, with_unseen_case
from skcostci.laws.exact._lattice import binomial
from skcostci.laws.influence._first_order import Units
from skcostci.laws.influence._ranks import AUCLaw
from skcostci.statistics._auc import DIFFERENCE_METHODS, bootstrap_auc, bootstrap_auc_difference
from skcostci.statistics._auc import METHODS as AUC_METHODS

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(80)
NORMAL_NODES, _weights = np.polynomial.hermite_e.hermegauss(21)
NORMAL_SHARES = _weights / _weights.sum()  # probabilities of a normal law at the nodes
OF_NORMAL = 2.0  # the kurtosis of a normal law, minus 1
LEAST_CASES = 2  # of a class: one case has no estimate of its variance
HALF_WIDTH = Number(0, 0.5, "()")
ROUNDING = 1e-12  # relative, and of the difference of two AUCs and a margin with few decimals
NEAREST = 1e-9  # least distance from 0 and 1 at which the AUC of a sample is assumed
SAWTOOTH = 6.0  # over the distance from null, or variance / |1 - 2 rate|: further cases within which chances may fall
MOST_PAIRS = 10**6  # cases of two rates: some seconds
MOST_BLOCK = 10**5  # further cases that are examined at once
Range = tuple[float, float]
Ranges = tuple[Range, Range]  # ranges of the placements of positives and of negatives


class Components(NamedTuple):
    """Variances of a kernel's mean given the positive, and the negative, and of itself; of two models third moments."""

    positive: float
    negative: float
    pair: float
    thirds: tuple[float, float] = (0.0, 0.0)
    differing: tuple[float, float] = (1.0, 1.0)  # shares of positives and of negatives on which models differ

    @property
    def rest(self) -> float:
        """The variance that neither case explains."""
        return max(self.pair - self.positive - self.negative, 0.0)

    def variance(self, m: int, n: int) -> float:
        """The variance of the kernel's mean over all pairs of m positives and n negatives."""
        return self.positive / m + self.negative / n + self.rest / (m * n)

    def spread(self, m: int, n: int, kurtosis: float) -> float:
        """The coefficient of variation of the standard error as estimated from samples of these sizes."""
        positive, negative = self.positive / m, self.negative / n
        return float(np.sqrt(kurtosis * (positive**2 / m + negative**2 / n)) / (2 * (positive + negative)))

    def law(self, mean: float, ends: Range, ranges: Ranges, m: int, n: int) -> AUCLaw:
        """The likely law of a sample of these sizes with this estimate, which the ranges of placements contain."""
        squares = (self.positive + self.rest / n) * (m - 1) / m, (self.negative + self.rest / m) * (n - 1) / n
        strata = []
        for cases, square, third, seen in zip((m, n), squares, self.thirds, ranges, strict=True):
            moments, (least, most) = (square, third, np.nan), np.subtract(seen, mean)
            fields = np.array([*moments, min(least, 0.0), max(most, 0.0), *np.subtract(ends, mean)])
            strata.append(Units(float(cases), float(cases), *fields[:, None]))
        law = AUCLaw.of(mean, 1 - mean, (strata[0], strata[1]), self.pair, "stratified", ends)
        return replace(law, differing=(self.differing[0] * m, self.differing[1] * n))


def seen_components(law: AUCLaw) -> Components:
    """Unbiased components of a pilot's population, but none below 0."""
    m, n = law.sizes
    gg, hh = (part.square.item() for part in law.strata)
    if min(m, n) < 2 or law.psi2 <= 0:
        raise ValueError(f"The pilot needs 2 cases of each class and ranks that vary, got {m} positive, {n} negative.")
    # Differences of estimates may be negative by chance, which a variance cannot be.
    rest = max((law.psi2 - gg - hh) / ((1 - 1 / m) * (1 - 1 / n)), 0.0)
    positive = max(gg * m / (m - 1) - rest / n, 0.0)
    negative = max(hh * n / (n - 1) - rest / m, 0.0)
    if positive + negative <= 0:
        raise ValueError("The pilot does not show how much scores vary: no more than chance would produce.")
    return Components(positive, negative, rest + positive + negative)


def seen_ranges(law: AUCLaw) -> Ranges:
    """The least and the greatest placement of each class in a pilot."""
    mean = law.mean.item()
    positive, negative = ((mean + part.least.item(), mean + part.most.item()) for part in law.strata)
    return positive, negative


def normal_components(auc: float) -> Components:
    """The components of one model whose scores are normal in each class, with equal variances."""
    by_case, pair = normal_covariance(auc, auc, 0.5), normal_covariance(auc, auc, 1.0)
    return Components(by_case, by_case, pair)


def normal_kurtosis(auc: float) -> float:
    """The kurtosis of such scores' placements beyond that implied by mean and skewness: 0 if all are 0 or 1."""
    placement = ndtr(np.sqrt(2) * ndtri(auc) + NORMAL_NODES)
    deviation = placement - NORMAL_SHARES @ placement
    square, cube, fourth = (float(NORMAL_SHARES @ deviation**order) for order in (2, 3, 4))
    return float(np.clip(fourth / square**2 - 1 - cube**2 / square**3, 0.0, OF_NORMAL))


def normal_difference_components(auc_a: float, auc_b: float, correlation: float) -> Components:
    """The components of the difference of two models with such scores, which are correlated within a class."""
    alone = [normal_components(auc) for auc in (auc_a, auc_b)]
    by_case, pair = (normal_covariance(auc_a, auc_b, share * correlation) for share in (0.5, 1.0))
    by_cases = max(sum(each.positive for each in alone) - 2 * by_case, 0.0)
    return Components(by_cases, by_cases, max(sum(each.pair for each in alone) - 2 * pair, 0.0))


def normal_covariance(a: float, b: float, correlation: float) -> float:
    """The covariance of two normal variables being below their quantiles of a and b, by Plackett's integral."""
    x, y = ndtri(a), ndtri(b)
    end = np.arcsin(correlation)
    angle = end / 2 * (1 + NODES)
    with np.errstate(under="ignore"):
        density = np.exp(-((x - y) ** 2 + 2 * x * y * (1 - np.sin(angle))) / (2 * np.cos(angle) ** 2))
    return float(end / 2 * NODE_WEIGHTS @ density / (2 * np.pi))


def normal_ranges(auc: float, m: int, n: int) -> Ranges:
    """The medians of the least and of the greatest placement among the cases of each class."""
    shift = np.sqrt(2) * ndtri(auc)
    reach = (ndtri(0.5 ** (1 / cases)) for cases in (m, n))
    positive, negative = ((float(ndtr(shift - each)), float(ndtr(shift + each))) for each in reach)
    return positive, negative


def normal_difference_ranges(difference: float, components: Components, m: int, n: int) -> Ranges:
    """The same medians for the differences of two models' placements, a minus b, taken as normal."""
    deviations = np.sqrt([components.positive, components.negative])
    reach = (ndtri(0.5 ** (1 / np.array([m, n]))) * deviations).tolist()
    positive, negative = ((max(difference - each, -1.0), min(difference + each, 1.0)) for each in reach)
    return positive, negative


@dataclass(frozen=True, repr=False)
class Plan(Shown):
    """A sample size with the expected width or power. It prints as a sentence.

    Returned by :func:`plan_rate`, :func:`plan_rate_difference`, :func:`plan_auc` and :func:`plan_auc_difference`.

    Parameters
    ----------
    n : int
        The total number of cases.
    purpose : str
        The purpose of the plan, in words.
    n_positive, n_negative : int or None
        The number of cases of each class; None for a rate, which has one kind of case.
    half_width : float or None
        The half width that the default interval does not exceed with probability ``assurance``; None if the plan is for
        power.
    expected_half_width : float or None
        The expected half width of the default interval.
    power : float or None
        The probability that the default interval excludes the null value, which is 0 for a difference, or as given;
        None if the plan is for width.
    """

    n: int
    purpose: str
    n_positive: int | None = None
    n_negative: int | None = None
    half_width: float | None = None
    expected_half_width: float | None = None
    power: float | None = None

    def _columns(self) -> Mapping[str, ArrayLike]:
        return asdict(self)

    def __repr__(self) -> str:
        classes = f"{self.n_positive} positive and {self.n_negative} negative"
        return f"{self.n if self.n_positive is None else classes} cases: {self.purpose}"


def width_plan(quantity: str, level: float, assurance: float, half_width: float, expected: float, **sizes: int) -> Plan:
    """A plan for the width of an interval."""
    width = f"at most {half_width:.3g} with probability {assurance:g} ({expected:.3g} on average)"
    purpose = f"the {100 * level:.12g} % interval of {quantity} has a half width of {width}."
    return Plan(**sizes, half_width=half_width, expected_half_width=expected, purpose=purpose)


def power_plan(quantity: str, expected: float, null: float, level: float, power: float, **sizes: int) -> Plan:
    """A plan to show that a quantity is above or below null."""
    where = "above" if expected > null else "below"
    purpose = f"power {power:.3g} that the {100 * level:.12g} % interval of {quantity} lies {where} {null:.10g}."
    return Plan(**sizes, power=power, purpose=purpose)


def class_sizes(
    n_positive: object, n_negative: object, ratio: object, fits: Callable[[int, int], bool]
) -> tuple[int, int]:
    """The sizes of the classes: as given, one of them by the ratio, else the least in this ratio for which it fits."""
    share = Number(0, 1e6, "()")("ratio", ratio)
    given, allowed = (("n_positive", n_positive), ("n_negative", n_negative)), Number(LEAST_CASES, MOST_CASES)
    positive, negative = (None if size is None else allowed.whole(name, size) for name, size in given)
    if positive is None and negative is None:
        positive = least_count(LEAST_CASES, MOST_CASES, lambda size: fits(size, _whole(share * size)))
    elif positive is None:
        positive = _whole((negative or 0) / share)
    return positive, negative or _whole(share * positive)


def least_count(least: int, most: int, fits: Callable[[int], bool]) -> int:
    """The least whole number for which ``fits`` holds, by doubling and bisection."""
    high = least
    # Doubling first: most answers are far below the largest size allowed.
    while not fits(high):
        if high >= most:
            raise ValueError(f"This needs more than {most:,} cases: ask for less precision or power.")
        least, high = high + 1, min(2 * high, most)
    while least < high:
        middle = (least + high) // 2
        least, high = (least, middle) if fits(middle) else (middle + 1, high)
    return high


def check_question(half_width: object, null: object, power: object, sizes: object) -> None:
    """Check that a width, or the power to show that a value is not ``null``, or the sizes are given."""
    if null is None and power is not None:
        raise ValueError("power is the probability of showing a value above or below null: give null too.")
    if null is not None and half_width is not None:
        raise ValueError("Give half_width, or null with power or the sizes: a plan has a single goal.")
    goal, value = ("half_width", half_width) if null is None else ("power", power)
    if (value is None) == (sizes is None):
        raise ValueError(f"Give either {goal}, for the number of cases, or this number, for {goal}.")


def check_pilot(pilot: object, content: str) -> tuple[ArrayLike, ...]:
    """Check that a pilot has labels and the right number of columns of scores."""
    wanted = content.count(",") + 1
    if not isinstance(pilot, tuple | list) or len(pilot) != wanted:
        raise TypeError(f"pilot must be a tuple {content}, got {type(pilot).__name__}.")
    return tuple(pilot)


def limits(method: str, law: Law, level: float) -> tuple[float, float]:
    """The interval of a law, inside its range."""
    ends = *METHODS[method].limits(law, np.asarray((1 - level) / 2)), *law.support
    low, high, least, most = (np.asarray(end).item() for end in ends)
    return max(low, least), min(high, most)


def _whole(size: float) -> int:
    """Rounded up, unless the excess is rounding error."""
    # 1.1 * 50 is 55.00000000000001, of which the next whole number is 56.
    return max(int(np.ceil(size * (1 - 1e-12))), LEAST_CASES)


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
    power is the probability of an estimate beyond the one whose limit is ``null``. See :doc:`/user_guide/planning`.

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
    target = None if half_width is None else HALF_WIDTH("half_width", half_width)

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
    """The AUC, ratios of its components to those of normal scores, and the ends of placements if they were observed."""

    auc: float
    ratios: Floats
    seen: Ranges | None = None

    def components(self, auc: float) -> Components:
        return Components(*np.multiply(normal_components(auc)[:3], self.ratios).tolist())

    def deviation(self, m: int, n: int) -> float:
        """The standard deviation of the AUC estimated from m positives and n negatives, on the scale of log odds."""
        return float(np.sqrt(self.components(self.auc).variance(m, n)) / (self.auc * (1 - self.auc)))

    def interval(self, level: float, auc: float, m: int, n: int) -> tuple[float, float]:
        ranges = self.seen or normal_ranges(auc, m, n)
        return limits(AUC_METHODS[0], self.components(auc).law(auc, (0.0, 1.0), ranges, m, n), level)


def _population(auc: float | None, pilot: object) -> _Population:
    stated = None if auc is None else Number(1e-12, 1, "()")("auc", auc)
    if pilot is None:
        if stated is None:
            raise ValueError("Give the expected auc, or a pilot=(y_true, y_score).")
        return _Population(stated, np.ones(3))
    law = cast(AUCLaw, bootstrap_auc(*check_pilot(pilot, "(y_true, y_score)")).law)
    ratios = np.divide(seen_components(law)[:3], normal_components(law.mean.item())[:3])
    return _Population(law.mean.item() if stated is None else stated, ratios, seen_ranges(law))


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
        """The distance of the limit beyond null if the log odds of the AUC found are these."""
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
    check_question(None, 0.0, power, n_negative if n_positive is None else n_positive)
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
    auc_a: float | None, auc_b: float | None, correlation: float | None, pilot: object
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
        chance = partial(_power_of_rate, rate=expected, null=below, tail=tail)
        if cases is None:
            cases = _from_which_on(chance, LEVEL("power", power), SAWTOOTH / (expected - below))
        return power_plan(quantity, share, value, level, float(chance(np.array([cases]))[0]), n=cases)
    target = None if half_width is None else HALF_WIDTH("half_width", half_width)
    if cases is None and target is not None:
        reach = SAWTOOTH * abs(1 - 2 * share) / (share * (1 - share)) if 0 < share < 1 else 0.0
        cases = _from_which_on(partial(_chance, target=target, rate=share, tail=tail), assured, reach)
    assert cases is not None  # n or half_width was given
    hits, pmf = binomial(cases, share, 1 - share)
    widths = _rate_half_widths(hits, cases, tail)
    if target is None:
        order = np.argsort(widths)
        enough = np.cumsum(pmf[order]) >= assured * (1 - ROUNDING)
        target = float(widths[order][np.argmax(enough)])
    return width_plan(quantity, level, assured, target, float(widths @ pmf), n=cases)


@np.errstate(under="ignore")  # the likely laws have far tails
@explains_calls
@described(plan_rate)
def plan_rate_difference(
    rate_a: float,
    rate_b: float,
    *,
    discordant: float,
    n: int | None = None,
    power: float | None = None,
    alpha: float = 0.05,
) -> Plan:
    """The sample size at which two rates on the same cases are shown to differ, or the power of a given sample size.

    >>> from skcostci import plan_rate_difference
    >>> plan_rate_difference(0.75, 0.7, discordant=0.15, power=0.8)
    501 cases: power 0.801 to see that rates of 0.75 and 0.7 differ (two-sided alpha 0.05).

    Pass rates of two language models or prompts, accuracies of two models, their sensitivities on the same positives.

    Parameters
    ----------
    rate_a, rate_b : float
        The expected rates, in [0, 1], such as the shares of right answers.
    discordant : float
        The share of cases on which one of the two is right and the other is not, from ``abs(rate_a - rate_b)`` to
        ``rate_a + rate_b`` and ``2 - rate_a - rate_b``. Models that err independently have ``rate_a * (1 - rate_b) +
        rate_b * (1 - rate_a)``; models that find the same cases hard have less, and need fewer cases.
    n : int, default=None
        The number of cases, from 1 to 1,000,000. The result has its power.
    power : float, default=None
        The probability of showing a difference, in (0, 1). The result has the smallest number of cases with this power.
    alpha : float, default=0.05
        The two-sided significance level, in (0, 1).

    Returns
    -------
    Plan
        With ``n`` and ``power``.

    See Also
    --------
    plan_rate : One rate.
    bootstrap_mean_difference, bootstrap_metric_difference : The difference and its p-value.

    Notes
    -----
    A difference is shown if the default interval of :func:`bootstrap_mean_difference` (of values 0 and 1) or of the
    accuracies at level ``1 - alpha`` excludes 0. The power is the exact sum over the numbers of cases on which the two
    differ, as of McNemar's test, and hardly falls as cases are added.

    **When not to trust it.** Cases that belong together (``groups``) tell less than as many independent cases.

    References
    ----------
    Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
    Psychometrika 12, 1947; R. J. Connor, "Sample size for testing differences in proportions for the paired-sample
    design", Biometrics 43, 1987.
    """
    check_question(None, 0.0, power, n)
    a, b, tail = SHARE("rate_a", rate_a), SHARE("rate_b", rate_b), LEVEL("alpha", alpha) / 2
    if a == b:
        raise ValueError(f"rate_a and rate_b must differ, got {a:g} twice.")
    most = min(a + b, 2 - a - b)
    differing = SHARE("discordant", discordant)
    if not abs(a - b) - ROUNDING <= differing <= most + ROUNDING:
        ends = f"from |rate_a - rate_b| to rate_a + rate_b and 2 - rate_a - rate_b, {abs(a - b):.4g} to {most:.4g}"
        raise ValueError(f"discordant must be {ends}, got {differing:g}.")
    reached = partial(_power_of_pair, share=differing, of_a=min((1 + (a - b) / differing) / 2, 1.0), tail=tail)
    goal = None if power is None else LEVEL("power", power)
    if goal is None:
        cases = Number(1, MOST_PAIRS).whole("n", n)
    else:
        cases = least_count(1, MOST_PAIRS, lambda size: reached(size) >= goal)
    found = reached(cases)
    purpose = f"power {found:.3g} to see that rates of {a:.4g} and {b:.4g} differ (two-sided alpha {alpha:g})."
    return Plan(n=cases, power=found, purpose=purpose)


def _power_of_pair(cases: int, share: float, of_a: float, tail: float) -> float:
    """The probability that the interval excludes 0: over cases that differ, and how many of these one has right."""
    differing, pmf = binomial(cases, share, 1 - share)

    def hidden(right: Integers) -> Booleans:
        """Whether the lower limit is not above 0 with so many cases that only this one has right."""
        counts = np.column_stack([right, cases - differing, differing - right]).astype(np.float64)
        values = np.broadcast_to([-1.0, 0.0, 1.0], counts.shape)
        below = with_unseen_case(counts, values, np.ones_like(counts, dtype=bool)).tail(np.zeros(len(counts)))
        return np.asarray((2 * right <= differing) | (below >= tail))

    most = last_whole(hidden, np.zeros_like(differing), differing)
    return float(sum(pmf @ bdtrc(most, differing, each) for each in (of_a, 1 - of_a)))


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


def _rate_half_widths(hits: Integers | Floats, cases: Integers | int, tail: float) -> Floats:
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
        return np.asarray((hits <= n // 2) & (_rate_half_widths(hits, n, tail) <= target * (1 + ROUNDING)))

    ends = cases[[0, -1]]
    fewest, most = last_whole(lambda hits: narrow(hits, ends), np.full(2, -1), ends // 2)
    hits = np.arange(fewest + 1, most + 1)
    too_few_cases = last_whole(lambda n: ~narrow(hits, n), np.full_like(hits, ends[0]), np.full_like(hits, ends[1]))
    return np.asarray(fewest + np.searchsorted(too_few_cases, cases))
