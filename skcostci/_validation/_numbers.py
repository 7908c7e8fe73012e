"""Numbers, one or many: scores, rates, thresholds, operating conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Scores, as_array, as_numbers, as_scores, as_vector
from skcostci._validation._arguments import is_whole_number

MOST_POINTS = 100_000  # operating conditions, rates or thresholds in one call; each has a law of its own
MOST_VALUES = 10_000_000  # that are computed one by one


def check_finite(name: str, values: ArrayLike) -> Floats:
    """A vector of finite numbers, as float64."""
    return np.asarray(_finite(name, as_numbers(name, as_vector(name, values))), dtype=np.float64)


def check_scores(name: str, values: ArrayLike) -> Scores:
    """A vector of finite scores, in their own precision."""
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
    """Numbers of any shape, counted before they are copied."""
    array = as_array(name, values)
    if array.size > most:
        raise ValueError(f"{name} must hold at most {most:,} values, got {array.size:,}.")
    return as_numbers(name, array)


def check_share(name: str, value: Any) -> float:
    """A single number in [0, 1]."""
    if shape := as_array(name, value).shape:
        raise TypeError(f"{name} must be a single number in [0, 1], got an array of shape {shape}.")
    return float(check_unit_interval(name, value))


def check_grid(name: str, values: ArrayLike) -> Floats:
    """Operating conditions: numbers in [0, 1], or an integer for that many evenly spaced ones."""
    if is_whole_number(values):
        if values < 2:
            raise ValueError(
                f"{name} as an integer is a number of evenly spaced values, at least 2, got {values}. "
                f"For the single value {values} pass {float(values)}."
            )
        if values > MOST_POINTS:
            raise ValueError(f"{name} as an integer is a number of values, at most {MOST_POINTS:,}, got {values:,}.")
        return np.asarray(np.arange(values) / (values - 1))
    return check_unit_points(name, values)


def check_unit_points(name: str, values: ArrayLike) -> Floats:
    """One number in [0, 1] or a non-empty vector of them."""
    return _check_points(name, check_unit_interval(name, values, most=MOST_POINTS))


def check_threshold_points(name: str, values: ArrayLike) -> Floats:
    """One threshold or a non-empty vector of them, infinite ones allowed."""
    return _check_points(name, check_not_nan(name, values, most=MOST_POINTS))


def check_thresholds(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Thresholds, infinite ones allowed: one for each point, or a single one for all of them."""
    given = as_array(name, values).shape
    if given not in ((), shape):
        raise ValueError(f"{name} must hold one threshold per operating condition, shape {shape}, got {given}.")
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
