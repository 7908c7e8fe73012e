"""The probability that a limit may leave outside before it passes a value: intervals turned round into p-values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from skcostci._validation import Floats
from skcostci.intervals._roots import last_inside

LEAST, MOST = -8.2, 37.5  # normal quantiles beyond which probabilities are 1 and 0 in floating point
NEAR = 4.0  # most are no further out
CLOSE = 1e-10  # limits that are roots themselves are no smoother


def level_reached(limit: Callable[[Floats], Floats], value: float, side: int, most: float = 1.0) -> Floats:
    """The largest alpha at which the limit of this side does not leave out the value, 0 if each does.

    It is ``most``, 1 or 1/2, if none up to that does. ``limit(alpha)`` moves outwards as alpha falls. Sought on the
    scale of normal quantiles, where limits are nearly straight and small probabilities keep their digits.
    """

    def room(z: Floats) -> Floats:
        """How far outside the value the limit lies."""
        return np.asarray(side * (limit(np.asarray(ndtr(-z))) - value))

    least = LEAST if most == 1.0 else 0.0
    beyond, further = (room(np.array(z)) < 0 for z in (0.0, NEAR))
    start = np.where(further, MOST, np.where(beyond, NEAR, 0.0))
    z = last_inside(room, start, np.where(further, NEAR, np.where(beyond, 0.0, least)), CLOSE)
    return np.where(z == MOST, 0.0, np.where(z == least, most, ndtr(-z)))
