"""Sample sizes: the result, the search for the least number, and the likely laws of future samples.

A kernel, the win of a positive over a negative or the difference of two models' wins, has variance components for the
positive, the negative and the pair. The variance of its mean over m positives and n negatives is ``positive / m +
negative / n + (pair - positive - negative) / (m n)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from skcostci._shown import Shown
from skcostci._validation._arguments import MOST_CASES, Number
from skcostci.intervals import METHODS
from skcostci.intervals._method import Law
from skcostci.laws.influence._first_order import Units
from skcostci.laws.influence._ranks import AUCLaw

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(80)
NORMAL_NODES, _weights = np.polynomial.hermite_e.hermegauss(21)
NORMAL_SHARES = _weights / _weights.sum()  # probabilities of a normal law at the nodes
OF_NORMAL = 2.0  # the kurtosis of a normal law, minus 1
Range = tuple[float, float]
Ranges = tuple[Range, Range]  # ranges of the placements of positives and of negatives


class Components(NamedTuple):
    """The variances of a kernel, of its mean given a positive or negative and in all; for two models third moments."""

    positive: float
    negative: float
    pair: float
    thirds: tuple[float, float] = (0.0, 0.0)
    differing: tuple[float, float] = (1.0, 1.0)

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
        strata = [
            Units(
                number=float(cases),
                effective=float(cases),
                square=np.array([square]),
                third=np.array([third]),
                fourth=np.array([np.nan]),
                least=np.array([min(least - mean, 0.0)]),
                most=np.array([max(most - mean, 0.0)]),
                worst=np.array([ends[0] - mean]),
                best=np.array([ends[1] - mean]),
            )
            for cases, square, third, (least, most) in zip((m, n), squares, self.thirds, ranges, strict=True)
        ]
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
    """The covariance of two correlated normal variables being below limits, by Plackett's integral over the angle."""
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

    def placed(cases: int, variance: float) -> Range:
        reach = ndtri(0.5 ** (1 / cases)) * np.sqrt(variance)
        return float(max(difference - reach, -1.0)), float(min(difference + reach, 1.0))

    return placed(m, components.positive), placed(n, components.negative)


LEAST_CASES = 2  # of a class: one case has no estimate of its variance


@dataclass(frozen=True, repr=False)
class Plan(Shown):
    """A sample size with the expected width or power. It prints as a sentence.

    Returned by :func:`plan_rate`, :func:`plan_auc` and :func:`plan_auc_difference`.

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
    interval = f"the {100 * level:.12g} % interval of {quantity}"
    purpose = f"power {power:.3g} that {interval} lies {where} {null:.10g}."
    return Plan(**sizes, power=power, purpose=purpose)


def class_sizes(n_positive: Any, n_negative: Any, ratio: Any, fits: Callable[[int, int], bool]) -> tuple[int, int]:
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
            raise ValueError(f"This needs more than {most:,} cases of a class: ask for less precision or power.")
        least, high = high + 1, min(2 * high, most)
    while least < high:
        middle = (least + high) // 2
        least, high = (least, middle) if fits(middle) else (middle + 1, high)
    return high


def check_one_question(goal: str, value: object, sizes: object) -> None:
    """Check that either the goal or the sizes are given."""
    if (value is None) == (sizes is None):
        raise ValueError(f"Give either {goal}, to compute the sizes, or the sizes, to compute {goal}.")


def check_question(half_width: object, null: object, power: object, sizes: object) -> None:
    """Check that a width, or the power to show that a value is not ``null``, or the sizes are given."""
    if null is None:
        if power is not None:
            raise ValueError("power is the probability of showing a value above or below null: give null too.")
        return check_one_question("half_width", half_width, sizes)
    if half_width is not None:
        raise ValueError("Give half_width, or null with power or the sizes: a plan has a single goal.")
    return check_one_question("power", power, sizes)


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
