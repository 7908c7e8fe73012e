"""What is rounding: results that differ by some units in the last place of what they were computed from are equal.

.1 + .2 is not .3, and p + 1 - p is not 1 everywhere: such a spread says how numbers were computed, not how cases
differ. Taken for information it would give intervals without width. Every law asks here, in units of the numbers that
were added up or subtracted and never of the result: a difference of 1e-17 is nothing beside probabilities, and all
there is beside costs of 1e-16.
"""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats

# Relative: 128 units in the last place, what some operations and a sum leave; a few more of p and of 1 - (1 - p) in a
# log loss. Doubled: nothing that is measured has so little of a spread.
SPREAD_ROUNDING = 2.0**-45


def rounding_of(*numbers: Floats) -> float:
    """How far apart results of these numbers may be by rounding alone."""
    return SPREAD_ROUNDING * max(float(np.abs(each).max(initial=0.0)) for each in numbers)


def settled(values: Floats, rounding: float) -> Floats:
    """The values or, if they differ by no more than rounding, the middle one for all; 0 if they differ so from 0."""
    if np.ptp(values) > rounding:
        return values
    middle = np.sort(values, axis=None)[values.size // 2]
    return np.full(values.shape, 0.0 if np.abs(values).max() <= rounding else middle)


def without_rounding(added: Floats, rounding: Floats | float) -> Floats:
    """What units add, along the last axis; 0 for all of them where none adds more than rounding."""
    return np.where(np.abs(added).max(axis=-1, keepdims=True) <= np.expand_dims(rounding, -1), 0.0, added)
