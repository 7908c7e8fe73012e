"""The answer to a planning question, and the search for the least number of cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcostci._frozen import Frozen
from skcostci._validation import MOST_CASES, check_count, check_number
from skcostci.intervals._method import Law
from skcostci.intervals._methods import METHODS

LEAST_CASES = 2  # of a class: one case says nothing of its spread


@dataclass(frozen=True, repr=False)
class Plan(Frozen):
    """How many cases, and what may be expected of them. It prints itself as a sentence.

    Parameters
    ----------
    n : int
        The number of cases in all.
    purpose : str
        What is planned for, in words.
    n_positive, n_negative : int or None
        The number of cases of either class; None for a rate, which has one kind of case.
    half_width : float or None
        Half of the default interval's width, which it does not exceed with probability ``assurance``; None where the
        question was about power.
    expected_half_width : float or None
        Half of its width on average.
    power : float or None
        The probability that the default interval of a difference leaves out 0; None where the question was about width.

    See Also
    --------
    plan_rate, plan_auc, plan_auc_difference : Make one.

    Examples
    --------
    >>> from skcostci import plan_rate
    >>> plan = plan_rate(0.9, half_width=0.05)
    >>> plan.n
    193
    >>> plan.half_width, round(plan.expected_half_width, 3)
    (0.05, 0.045)
    """

    n: int
    purpose: str
    n_positive: int | None = None
    n_negative: int | None = None
    half_width: float | None = None
    expected_half_width: float | None = None
    power: float | None = None

    def __repr__(self) -> str:
        classes = f"{self.n_positive} positive and {self.n_negative} negative"
        found = {"half_width": self.half_width, "expected": self.expected_half_width, "power": self.power}
        return f"{self.n if self.n_positive is None else classes} cases: {self.purpose.format(**found)}"


@dataclass(frozen=True)
class Sizes:
    """What is asked about the sizes of the classes: them, or their ratio."""

    ratio: float
    given: tuple[int, int] | None

    @classmethod
    def check(cls, n_positive: Any, n_negative: Any, ratio: Any) -> Sizes:
        """The size of one class follows from that of the other, if need be."""
        share = check_number("ratio", ratio, above=0, below=1e6)
        given = [
            None if size is None else check_count(name, size, least=LEAST_CASES, most=MOST_CASES)
            for name, size in (("n_positive", n_positive), ("n_negative", n_negative))
        ]
        if given == [None, None]:
            return cls(share, None)
        positive = given[0] or _whole((given[1] or 0) / share)
        return cls(share, (positive, given[1] or _whole(share * positive)))

    def least(self, fits: Callable[[int, int], bool]) -> tuple[int, int]:
        """The least sizes in the ratio that fit."""
        positives = least_count(
            LEAST_CASES, MOST_CASES, lambda positives: fits(positives, _whole(self.ratio * positives))
        )
        return positives, _whole(self.ratio * positives)


def least_count(least: int, most: int, fits: Callable[[int], bool]) -> int:
    """The least whole number that fits, by doubling and halving."""
    high = least
    while not fits(high):
        if high >= most:
            raise ValueError(f"This needs more than {most:,} cases of a class; ask for less.")
        least, high = high + 1, min(2 * high, most)
    while least < high:
        middle = (least + high) // 2
        least, high = (least, middle) if fits(middle) else (middle + 1, high)
    return high


def check_one_question(goal: str, value: Any, sizes: Any) -> None:
    """Either the goal is given or the sizes are."""
    if (value is None) == (sizes is None):
        raise ValueError(f"Give either {goal}, to be told the sizes, or the sizes, to be told {goal}.")


def check_chance(name: str, value: Any) -> float:
    """A probability that can be asked for."""
    return check_number(name, value, above=0, below=1)


def check_pilot(pilot: Any, content: str) -> tuple[Any, ...]:
    """Labels and scores, as many as it takes."""
    wanted = content.count(",") + 1
    if not isinstance(pilot, tuple | list) or len(pilot) != wanted:
        raise TypeError(f"pilot must be a tuple {content}, got {type(pilot).__name__}.")
    return tuple(pilot)


def limits(method: str, law: Law, level: float) -> tuple[float, float]:
    """The interval that a law gives, inside its range."""
    alpha, (least, most) = np.asarray((1 - level) / 2), law.support
    low, high = METHODS[method].limits(law, alpha)
    return max(float(low), float(least)), min(float(high), float(most))


def width_purpose(quantity: str, level: float, assurance: float) -> str:
    """What a plan for a width is for."""
    return (
        f"the {100 * level:.12g} % interval of {quantity} has a half width of at most {{half_width:.3g}} "
        f"with probability {assurance:g} ({{expected:.3g}} on average)."
    )


def _whole(size: float) -> int:
    """Rounded up, but for what is rounding itself."""
    return max(int(np.ceil(size * (1 - 1e-12))), LEAST_CASES)
