"""Checks of single arguments: levels, counts, costs, options, priors, then vectors of numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from operator import index
from typing import Any, Literal, NamedTuple, TypeGuard, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from skcostci._arrays import Booleans, Entry, Floats, Scores, as_array, as_numbers, as_scores, as_vector
from skcostci._options import Alternative

MOST_POINTS = 100_000  # operating conditions, rates or thresholds in one call; each has its own law
MOST_CASES = 4 * 10**9  # twice the number of pairs has to fit 64 bits
MOST_VALUES = 10_000_000  # values that are computed one by one
SMALLEST_PREVALENCE = 1e-9  # far above 1e-12 of a range, below which results round limits to 0
SMALLEST_COST, LARGEST_COST = 1e-100, 1e100  # their third powers do not overflow


def refuse_beside(option: str, given: Mapping[str, object], reasons: Mapping[str, str]) -> None:
    """Raise for other options that do not go with one, each with its reason; None means not given."""
    for other, reason in reasons.items():
        if given.get(other) is not None:
            raise ValueError(f"{other}= cannot be combined with {option}=: {reason}.")


def check_prior(prior: Any) -> None:
    """A distribution whose values lie in [0, 1], or None for the uniform one."""
    if prior is None:
        return
    try:
        with np.errstate(all="ignore"):
            low, high = prior.support()
            known = np.array([low, high, *prior.cdf([0.0, 0.5, 1.0])])
    except (AttributeError, TypeError, ValueError):
        # It is no distribution, one without its parameters, or an array of several.
        raise TypeError(f"prior must be None or a frozen scipy.stats distribution on [0, 1], got {prior!r}.") from None
    if np.isnan(known).any():
        raise ValueError("prior must have probabilities that can be computed, got NaN: is a parameter out of range?")
    # The sum loc + scale may be rounded to slightly more than 1.
    if not (low >= -1e-12 and high <= 1 + 1e-12):
        raise ValueError(f"prior must lie in [0, 1], got a distribution on [{low}, {high}].")


def without_axes(value: object) -> Any:
    """The number in an array without axes; anything else is returned as given."""
    return value[()] if isinstance(value, np.ndarray) and not value.ndim else value


def is_whole_number(value: object) -> TypeGuard[int]:
    """Whether a value is an integer by type; True and False are not."""
    number = without_axes(value)
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


class Number(NamedTuple):
    """The numbers from ``low`` to ``high``; ``open`` names the ends that are not among them: "(", ")" or "()"."""

    low: float = -np.inf
    high: float = np.inf
    open: Literal["", "(", ")", "()"] = ""

    def __call__(self, name: str, value: object) -> float:
        number = without_axes(value)
        try:
            # float() would take True for 1, and read a text.
            if isinstance(number, bool | np.bool_ | str | bytes) or np.shape(number):
                raise TypeError
            found = float(number)
        except OverflowError:
            # A whole number may be larger than all floats.
            found = np.inf
        except (TypeError, ValueError):
            raise TypeError(f"{name} must be a number in {self}, got {value!r:.60}.") from None
        if self._is_outside(np.asarray(found)):
            raise ValueError(f"{name} must be a number in {self}, got {value!r}.")
        return found

    def whole(self, name: str, value: object) -> int:
        """A whole number of the range, by its type."""
        try:
            found = index(without_axes(value))
        except TypeError:
            raise TypeError(f"{name} must be a whole number in {self}, got {value!r:.60}.") from None
        if self._is_outside(np.asarray(found)):
            raise ValueError(f"{name} must be a whole number in {self}, got {value!r}.")
        return found

    def all(self, name: str, values: ArrayLike, *, most: int = MOST_VALUES) -> Floats:
        """Numbers of the range in any shape; how many there are is checked before they are copied."""
        # A missing entry of a vector is NaN, but None is no vector.
        if values is None:
            raise TypeError(f"{name} must be a number or an array of numbers, got None.")
        array = as_array(name, values)
        if array.size > most:
            raise ValueError(f"{name} must contain at most {most:,} values, got {array.size:,}.")
        numbers = as_numbers(name, array)
        if (wrong := self._is_outside(numbers)).any():
            wanted = "contain numbers" if numbers.ndim else "be a number"
            raise ValueError(f"{name} must {wanted} in {self}, got {numbers[wrong].flat[0]}.")
        return numbers

    def points(self, name: str, values: ArrayLike) -> Floats:
        """One number of the range or a non-empty vector of them."""
        array = self.all(name, values, most=MOST_POINTS)
        if array.ndim > 1 or array.size == 0:
            raise ValueError(f"{name} must be a number or a non-empty vector of numbers, got shape {array.shape}.")
        return array

    def __str__(self) -> str:
        left, right = "(" if "(" in self.open else "[", ")" if ")" in self.open else "]"
        return f"{left}{self.low:.12g}, {self.high:.12g}{right}"

    def _is_outside(self, numbers: Floats) -> Booleans:
        """Which numbers are not in the range; NaN is in none."""
        from_low = numbers > self.low if "(" in self.open else numbers >= self.low
        to_high = numbers < self.high if ")" in self.open else numbers <= self.high
        # Negated as a whole: no comparison holds for NaN, which is then outside.
        return np.asarray(~(from_low & to_high))


ANY, FINITE, SHARE, LEVEL = Number(), Number(open="()"), Number(0, 1), Number(0, 1, "()")
COST, RANGE_END = Number(0, LARGEST_COST), Number(-LARGEST_COST, LARGEST_COST)
PREVALENCE = Number(SMALLEST_PREVALENCE, 1 - SMALLEST_PREVALENCE)  # of each class, for metrics to differ in float64
CASES = Number(1, MOST_CASES)


def check_option(name: str, value: object, valid: object, note: str = "") -> str:
    """The value, if it is one of the ``valid`` names: a collection or a ``Literal`` of them."""
    names: Collection[str] = valid if isinstance(valid, Collection) else get_args(valid)
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, names))}, got {value!r}.{note}")
    return value


def check_alternative(alternative: object) -> str:
    """The alternative hypothesis, by name; the message for a number explains where the null value goes."""
    number = isinstance(alternative, int | float | np.number | np.ndarray) and not isinstance(alternative, bool)
    hint = f" The value to compare with is passed by name: null={alternative}." if number else ""
    return check_option("alternative", alternative, Alternative, hint)


class SampledShare(float):
    """A share of positives estimated in another sample: a number of events among a number of cases."""

    events: int
    cases: int

    def __new__(cls, events: int, cases: int) -> SampledShare:
        share = super().__new__(cls, events / cases)
        share.events, share.cases = events, cases
        return share

    # That of float has the quotient alone, from which __new__ cannot make a copy.
    def __getnewargs__(self) -> tuple[int, int]:  # type: ignore[override]
        return self.events, self.cases

    def __repr__(self) -> str:
        return f"{self.events} of {self.cases}"

    def __eq__(self, other: object) -> bool:
        counts = self.events, self.cases
        return super().__eq__(other) and (not isinstance(other, SampledShare) or counts == (other.events, other.cases))

    __hash__ = float.__hash__


def check_judged_share(value: object, *, single: bool = True) -> float:
    """A share of positives to evaluate at: a number, or the numbers of events and of cases in another sample.

    The latter is only for a ``single`` sample of independent cases: no groups, folds or importance weights.
    """
    if isinstance(value, SampledShare) or not isinstance(value, tuple | list):
        return value if isinstance(value, SampledShare) else PREVALENCE("prevalence", value)
    if len(value) != 2:
        raise ValueError(f"prevalence must be a share, or a pair (events, cases) of another sample, got {value!r}.")
    named = zip(("events", "cases"), value, strict=True)
    events, cases = (CASES.whole(f"{name} of prevalence=(events, cases)", each) for name, each in named)
    if events >= cases:
        raise ValueError(f"prevalence=(events, cases) must have events and non-events, got {events} of {cases} cases.")
    if not single:
        way = f"with groups, folds or importance weights pass a share, such as {events / cases:.3g}"
        raise ValueError(f"prevalence=({events}, {cases}) needs independent cases: {way}.")
    return SampledShare(events, cases)


def check_finite(name: str, values: ArrayLike) -> Floats:
    return finite_numbers(name, as_numbers(name, as_vector(name, values)))


def check_proba(name: str, numbers: Floats) -> Floats:
    """A column or a table of numbers in [0, 1]."""
    if (outside := ~((numbers >= 0) & (numbers <= 1))).any():
        row, *column = np.argwhere(outside)[0].tolist()
        place = f"in row {row}, column {column[0]}" if column and numbers.shape[1] > 1 else f"at position {row}"
        raise ValueError(f"{name} must contain probabilities, in [0, 1], got {numbers[outside][0]} {place}.")
    return numbers


def check_scores(name: str, values: ArrayLike) -> Scores:
    """A vector of finite scores, with their own precision."""
    return finite_numbers(name, as_scores(name, as_vector(name, values)))


def finite_numbers(name: str, numbers: NDArray[Entry]) -> NDArray[Entry]:
    """A vector or a table, if all of its numbers are finite."""
    finite = np.isfinite(numbers)
    if not finite.all():
        first = tuple(np.argwhere(~finite)[0].tolist())
        where = f"at position {first[0]} ({(~finite).sum()} such)" if len(first) == 1 else "in row {}, column {}"
        raise ValueError(f"{name} must be finite, got {numbers[first]} {where.format(*first)}.")
    return numbers


def check_lengths(arrays: Mapping[str, NDArray[np.generic] | None]) -> None:
    given = {name: array for name, array in arrays.items() if array is not None}
    try:
        check_consistent_length(*given.values())
    except ValueError as error:
        raise ValueError(f"{' and '.join(given)} must have the same length. {error}") from None


def check_grid(name: str, values: ArrayLike) -> Floats:
    """Operating conditions: numbers in [0, 1], or an integer for that many evenly spaced conditions."""
    values = without_axes(values)
    if not is_whole_number(values):
        return SHARE.points(name, values)
    if not 2 <= values <= MOST_POINTS:
        way = f"for a single value pass a float, such as {values}.0"
        raise ValueError(f"{name} as an integer is how many values, 2 to {MOST_POINTS:,}, got {values}: {way}.")
    # A single division, as np.linspace multiplies by a rounded step: .3 would be .30000000000000004.
    return np.asarray(np.arange(values) / (values - 1))


def check_thresholds(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Thresholds, infinite ones allowed: one per point, or a single one for all points."""
    given = as_array(name, values).shape
    if given not in ((), shape):
        raise ValueError(f"{name} must contain one threshold per operating condition, shape {shape}, got {given}.")
    return np.array(np.broadcast_to(ANY.all(name, values), shape))
