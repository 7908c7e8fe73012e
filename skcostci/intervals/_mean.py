"""The unseen case of means of values, and of a ratio of two means: the last x whose mean of n - x d may be 0."""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._method import Tails
from skcostci.intervals._roots import last_inside
from skcostci.intervals._unseen_case import linear_tails, linear_unseen_case, unseen_case, unseen_case_tails
from skcostci.laws import MeanLaw, RatioLaw


@unseen_case.register
def mean_unseen_case(law: MeanLaw, alpha: Floats, side: int) -> Floats:
    """That of a sum; where one value is all that is known, the end of the parameter's range."""
    limit = linear_unseen_case(law.judged, alpha, side)
    return np.where(law.is_point, law.support[side > 0], limit)


@unseen_case_tails.register
def mean_tails(law: MeanLaw, x: float) -> Tails:
    """Those of a sum; where one value is all that is known, no limit leaves out anything."""
    lower, upper = linear_tails(law.judged, x)
    least, most = law.support
    return np.where(law.is_point & (least < x), 1.0, lower), np.where(law.is_point & (most > x), 1.0, upper)


def ratio_unseen_case(law: RatioLaw, alpha: Floats, side: int) -> Floats:
    """Sought on the scale of an angle, ``x = unit * tan(angle)``, which has room for infinite ratios."""
    unit = max(float(np.abs(law.numerator).max()), abs(law.numerator_ends[side > 0])) / law.denominator.max()
    if unit == 0:
        return np.broadcast_to(law.estimate, np.shape(alpha) or (1,))
    levels = np.broadcast_to(alpha, np.shape(alpha) or (1,))
    end = law.support[side > 0]

    def inside(angle: Floats) -> Floats:
        """Not negative where the ratio lies between the limits."""
        laws = [law.at(unit * np.tan(each)) for each in angle.tolist()]
        found = [linear_unseen_case(each, level, side)[0] for each, level in zip(laws, levels, strict=True)]
        return side * np.array(found)

    start, last = np.arctan(law.estimate / unit), np.arctan(end / unit)
    found = last_inside(inside, np.broadcast_to(start, levels.shape), np.broadcast_to(last, levels.shape), 1e-10)
    return np.where(found == last, end, unit * np.tan(found))


@unseen_case_tails.register
def ratio_tails(law: RatioLaw, x: float) -> Tails:
    """Those of the mean of n - x d at 0."""
    return linear_tails(law.at(x), 0.0)
