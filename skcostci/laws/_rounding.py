"""What counts as rounding: results that differ by some units in the last place of their inputs are treated as equal.

.1 + .2 is not .3, and p + 1 - p is not 1 everywhere: such a spread comes from the computation, not from differences
between cases. Treated as variation it would give intervals of almost zero width. Every law uses these functions, and
relates differences to the numbers that were added or subtracted, never to the result: a difference of 1e-17 is
negligible beside probabilities, but not beside costs of 1e-16.
"""

from __future__ import annotations

import numpy as np

from skcostci._arrays import Floats

# Relative: 128 units in the last place, the error of some operations and a sum; p and 1 - (1 - p) in a log loss differ
# by a few more. Doubled: no effect, as nothing that is measured has so small a spread.
SPREAD_ROUNDING = 2.0**-45

TIED = 1e-9  # relative to the largest absolute value: values this near to the greatest count as equal to it


def rounding_of(*numbers: Floats) -> float:
    """The largest difference between results computed from these numbers that is due to rounding alone."""
    return SPREAD_ROUNDING * max(float(np.abs(each).max(initial=0.0)) for each in numbers)


def settled(values: Floats, rounding: float) -> Floats:
    """The values or, if they differ by no more than rounding, the middle one for all; 0 if all are within it of 0."""
    if np.ptp(values) > rounding:
        return values
    middle = np.sort(values, axis=None)[values.size // 2]
    return np.full(values.shape, 0.0 if np.abs(values).max() <= rounding else middle)


def without_rounding(added: Floats, rounding: Floats | float) -> Floats:
    """Influence values of units along the last axis; all of them 0 where none exceeds rounding."""
    return np.where(np.abs(added).max(axis=-1, keepdims=True) <= np.expand_dims(rounding, -1), 0.0, added)


def shares_of_greatest(values: Floats, axis: int) -> Floats:
    """Shares that add up to 1 along an axis: equal ones of the greatest values, so that their order means nothing."""
    near = ~(values < values.max(axis=axis, keepdims=True) - TIED * np.abs(values).max(axis=axis, keepdims=True))
    return np.asarray(near / near.sum(axis=axis, keepdims=True))
