"""Checks of single arguments: levels, counts, costs, options, priors, then vectors of numbers."""

from __future__ import annotations

from collections.abc import Collection
from operator import index
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Scores, as_array, as_numbers, as_scores, as_vector
from skcostci._options import ALTERNATIVES

MOST_POINTS = 100_000  # operating conditions, rates or thresholds in one call; each has its own law
MOST_VALUES = 10_000_000  # values that are computed one by one
SMALLEST_PREVALENCE = 1e-9  # limits below 1e-12 of a range are 0
SMALLEST_COST, LARGEST_COST = 1e-100, 1e100  # their third powers do not overflow


def check_alone(**options: object) -> None:
    """Check that at most one of these options, each of which needs its own law, is not None."""
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise ValueError(
            f"{' and '.join(given)} cannot be combined: each needs its own distribution. Pass one of them."
        )


def check_prior(prior: Any) -> None:
    """A distribution whose values lie in [0, 1], or None for the uniform one."""
    if prior is None:
        return
    wanted = "prior must be None or a frozen scipy.stats distribution on [0, 1]"
    if not all(hasattr(prior, name) for name in ("cdf", "ppf", "stats", "support")):
        raise TypeError(f"{wanted}, got {prior!r}.")
    try:
        with np.errstate(all="ignore"):
            low, high = prior.support()
            below = [np.nan] if np.ndim(low) or np.ndim(high) else prior.cdf([0.0, 0.5, 1.0])
    except TypeError:  # parameters are missing
        raise TypeError(f"{wanted}, got one without its parameters.") from None
    if np.ndim(low) or np.ndim(high):
        raise TypeError(f"prior must be one distribution, got {np.size(low)} of them.")
    if np.isnan([low, high, *below]).any():
        raise ValueError(
            "prior must have probabilities that can be computed, got NaN: a parameter of the distribution is "
            "out of range, such as a scale of 0 or infinity."
        )
    if not (low >= -1e-12 and high <= 1 + 1e-12):  # loc + scale may be rounded
        raise ValueError(f"prior must lie in [0, 1], got a distribution on [{low}, {high}].")


def without_axes(value: object) -> Any:
    """The number in an array without axes; anything else is returned as given."""
    return value[()] if isinstance(value, np.ndarray) and not value.ndim else value


def is_whole_number(value: object) -> TypeGuard[int]:
    """Whether a value is an integer by type; True and False are not."""
    number = without_axes(value)
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def check_confidence_level(confidence_level: Any, name: str = "confidence_level") -> float:
    """A level strictly between 0 and 1."""
    confidence_level = without_axes(confidence_level)
    try:
        level = float(confidence_level)
    except (TypeError, ValueError, OverflowError):
        level = None
    if level is None or isinstance(confidence_level, str):
        raise TypeError(f"{name} must be a number in (0, 1), got {confidence_level!r}.")
    if not 0 < level < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {confidence_level!r}.")
    return level


def check_count(name: str, value: int, *, least: int, most: int | None = None) -> int:
    """A whole number in a range."""
    value = without_axes(value)
    try:
        count = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}.") from None
    if count < least or (most is not None and count > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be a whole number, {bounds}, got {value!r}.")
    return count


def check_option(name: str, value: object, valid: Collection[str], note: str = "") -> str:
    """One of the valid names."""
    if not isinstance(value, str) or value not in valid:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, valid))}, got {value!r}.{note}")
    return value


def check_alternative(alternative: object) -> str:
    """The alternative hypothesis, by name; the message for a number explains where the null value goes."""
    number = isinstance(alternative, int | float | np.number | np.ndarray) and not isinstance(alternative, bool)
    hint = f" The value to compare with is passed by name: null={alternative}." if number else ""
    return check_option("alternative", alternative, ALTERNATIVES, hint)


def check_number(
    name: str,
    value: object,
    *,
    least: float = -np.inf,
    most: float = np.inf,
    above: float = -np.inf,
    below: float = np.inf,
) -> float:
    """A finite number, not less than ``least`` nor more than ``most``, above one bound and below another."""
    value = without_axes(value)
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {value!r}.")
    try:
        number = float(value)
    except OverflowError:  # a whole number may be too large
        number = np.inf
    if not (np.isfinite(number) and least <= number <= most and above < number < below):
        ends = [
            f"{word} {end:g}"
            for word, end in (("at least", least), ("at most", most), ("above", above), ("below", below))
        ]
        stated = "".join(f", {end}" for end in ends if "inf" not in end)
        raise ValueError(f"{name} must be finite{stated}, got {value!r}.")
    return number


def check_size(name: str, value: object) -> float:
    """A number of either sign whose third power does not overflow."""
    return check_number(name, value, least=-LARGEST_COST, most=LARGEST_COST)


def check_prevalence(value: object) -> float:
    """A share of positives large enough for metrics to differ between resamples in float64."""
    share = check_number("prevalence", value, above=0.0, below=1.0)
    if not SMALLEST_PREVALENCE <= share <= 1 - SMALLEST_PREVALENCE:
        raise ValueError(f"prevalence must give each class a share of at least {SMALLEST_PREVALENCE:g}, got {value!r}.")
    return share


class SampledShare(float):
    """A share of positives estimated in another sample: a number of events among a number of cases."""

    events: int
    cases: int

    def __new__(cls, events: int, cases: int) -> SampledShare:
        share = super().__new__(cls, events / cases)
        share.events, share.cases = events, cases
        return share

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

    The latter is for independent cases in a ``single`` sample.
    """
    if isinstance(value, SampledShare) or not isinstance(value, tuple | list):
        return value if isinstance(value, SampledShare) else check_prevalence(value)
    if len(value) != 2:
        raise ValueError(f"prevalence must be a share, or a pair (events, cases) of another sample, got {value!r}.")
    named = zip(("events", "cases"), value, strict=True)
    events, cases = (check_count(f"{name} of prevalence=(events, cases)", each, least=1) for name, each in named)
    if events >= cases:
        raise ValueError(
            f"prevalence=(events, cases) must describe a sample with events and with non-events, got {events} "
            f"events of {cases} cases."
        )
    if not single:
        raise ValueError(
            f"prevalence=({events}, {cases}) needs independent cases (no groups), in one sample; with groups, "
            f"folds or importance weights pass a share, such as prevalence={events / cases:.3g}."
        )
    return SampledShare(events, cases)


def check_between(name: str, value: object, least: float, most: float) -> float:
    """A number in a closed range."""
    number = check_number(name, value)
    if not least <= number <= most:
        raise ValueError(f"{name} must lie in the range of the parameter, [{least:g}, {most:g}], got {value!r}.")
    return number


def check_positive_cost(name: str, value: float) -> float:
    """A cost or a pseudo-count: not negative, and of a size that does not overflow in computations."""
    number = as_numbers(name, as_array(name, value))
    if number.ndim or not 0 <= number <= LARGEST_COST:
        raise ValueError(f"{name} must be a finite non-negative number, at most {LARGEST_COST:g}, got {value!r}.")
    return float(number)


def check_finite(name: str, values: ArrayLike) -> Floats:
    """A vector of finite numbers, as float64."""
    return np.asarray(_finite(name, as_numbers(name, as_vector(name, values))), dtype=np.float64)


def check_scores(name: str, values: ArrayLike) -> Scores:
    """A vector of finite scores, with their own precision."""
    return _finite(name, as_scores(name, as_vector(name, values)))


def _finite(name: str, vector: Scores) -> Scores:
    finite = np.isfinite(vector)
    if not finite.all():
        first = int(np.argmin(finite))
        raise ValueError(
            f"{name} must be finite, got {int((~finite).sum())} NaN or infinite value(s), the first "
            f"({vector[first]}) at position {first}."
        )
    return vector


def check_unit_interval(name: str, values: ArrayLike, *, most: int = MOST_VALUES) -> Floats:
    """Numbers in [0, 1], of any shape."""
    array = _check_numbers(name, values, most)
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ValueError(f"{name} must lie in [0, 1], got {array[outside].flat[0]}.")
    return array


def _check_numbers(name: str, values: ArrayLike, most: int) -> Floats:
    """Numbers of any shape; their number is checked before they are copied."""
    if values is None:  # a missing entry of a vector is NaN, but None is no vector
        raise TypeError(f"{name} must be a number or an array of numbers, got None.")
    array = as_array(name, values)
    if array.size > most:
        raise ValueError(f"{name} must contain at most {most:,} values, got {array.size:,}.")
    return as_numbers(name, array)


def check_share(name: str, value: ArrayLike) -> float:
    """A single number in [0, 1]."""
    if shape := as_array(name, value).shape:
        raise TypeError(f"{name} must be a single number in [0, 1], got an array of shape {shape}.")
    return float(check_unit_interval(name, value))


def check_grid(name: str, values: ArrayLike) -> Floats:
    """Operating conditions: numbers in [0, 1], or an integer for that many evenly spaced conditions."""
    values = without_axes(values)
    if is_whole_number(values):
        if values < 2:
            raise ValueError(
                f"{name} as an integer is how many evenly spaced values to use, at least 2, got {values}. For the "
                f"single value {values} pass {float(values)}."
            )
        if values > MOST_POINTS:
            raise ValueError(
                f"{name} as an integer is how many values to use, at most {MOST_POINTS:,}, got {values:,}."
            )
        return np.asarray(np.arange(values) / (values - 1))
    return check_unit_points(name, values)


def check_unit_points(name: str, values: ArrayLike) -> Floats:
    """One number in [0, 1] or a non-empty vector of them."""
    return _check_points(name, check_unit_interval(name, values, most=MOST_POINTS))


def check_threshold_points(name: str, values: ArrayLike) -> Floats:
    """One threshold or a non-empty vector of them, infinite ones allowed."""
    return _check_points(name, check_not_nan(name, values, most=MOST_POINTS))


def check_thresholds(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Thresholds, infinite ones allowed: one per point, or a single one for all points."""
    given = as_array(name, values).shape
    if given not in ((), shape):
        raise ValueError(f"{name} must contain one threshold per operating condition, shape {shape}, got {given}.")
    return np.array(np.broadcast_to(check_not_nan(name, values), shape))


def check_not_nan(name: str, values: ArrayLike, *, most: int = MOST_VALUES) -> Floats:
    """Numbers of any shape, infinite ones allowed."""
    array = _check_numbers(name, values, most)
    if np.isnan(array).any():
        raise ValueError(f"{name} must not be NaN.")
    return array


def _check_points(name: str, array: Floats) -> Floats:
    """A number or a non-empty vector."""
    if array.ndim > 1 or array.size == 0:
        raise ValueError(f"{name} must be a number or a non-empty vector of numbers, got shape {array.shape}.")
    return array
