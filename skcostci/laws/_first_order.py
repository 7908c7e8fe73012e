"""The law of any statistic that is smooth in how much each case weighs, to first order: by the worths of its units.

A unit is a case, or a group of cases that belong together. Where e is the statistic and n units are drawn together, a
unit has the worth ``e + x``, x being n times the derivative of the statistic by the weight of the unit: so x is 0 on
average, the statistic of a resample is about the mean of its worths, and the variance is ``mean(x^2) / n``. Of several
strata (classes, each drawn to its own size) the parts add up. Of a difference of two statistics x is a difference.

What one more unit could do at the worst and at the best is no derivative but a step of its full size: T with it is
``e + end / (n + 1)``.

Approximated is all but the estimate: the law is that of a linear statistic. Only mean and variance are given of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats
from skcostci.laws._auc import Differences
from skcostci.laws._worths import Moved, Unseen, number_of_one_size


class Units(NamedTuple):
    """Units that are drawn together: how many, and how many of one size would say as much; what they add.

    One entry a point: the mean square and the mean cube of x, its least and its greatest value, how many are not 0, and
    the ends, x of the worst and the best unit that there could be, NaN where nobody knows.
    """

    number: float
    effective: float
    square: Floats
    third: Floats
    least: Floats
    most: Floats
    differing: Floats
    worst: Floats
    best: Floats

    @classmethod
    def of(cls, added: Floats, counts: Floats, ends: tuple[Floats, Floats], sizes: Floats | None = None) -> Units:
        """From x, of shape (n_rows, n_points), and how many units have it; ``sizes`` are the cases of each group."""
        number = float(counts.sum())
        effective = number if sizes is None else float(number_of_one_size(sizes))
        weights = counts / number
        square, third = (weights @ added**power for power in (2, 3))
        differing = counts @ (added != 0)
        return cls(number, effective, square, third, added.min(axis=0), added.max(axis=0), differing, *ends)


@dataclass(frozen=True)
class FirstOrderLaw:
    """Mean and variance, to first order, of a statistic at n_points points, and the worths that limits ask for."""

    estimate: Floats
    ends: tuple[float, float]
    strata: tuple[Units, ...]

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter."""
        least, most = (np.full(self.estimate.shape, end) for end in self.ends)
        return least, most

    @property
    def mean(self) -> Floats:
        return self.estimate

    @property
    def variance(self) -> Floats:
        return np.asarray(sum(part.square / part.number for part in self.strata))

    @property
    def undefined(self) -> Floats:
        """No resample is without a value: what is missing in it counts 0."""
        return np.zeros_like(self.estimate)

    @property
    def units(self) -> Floats:
        return self._of_strata([part.number for part in self.strata])

    @property
    def effective(self) -> Floats:
        return self._of_strata([part.effective for part in self.strata])

    def _of_strata(self, numbers: Sequence[float]) -> Floats:
        return np.repeat(np.reshape(numbers, (-1, 1)), len(self.estimate), axis=1)

    def unseen(self, side: int) -> list[Unseen]:
        """In each stratum the unit that a limit fears most."""
        return [Unseen(own, part.worst if side < 0 else part.best) for own, part in enumerate(self.strata)]

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        """The mean of the worths of a stratum moves towards that of the unseen unit, and all are held against it."""
        own = self.strata[one.stratum]
        whole = own.number + u
        shift = u * one.made_of / whole
        squares = np.array([part.square / part.number for part in self.strata])
        squares[one.stratum] = own.number * (own.square + shift**2) / whole**2
        least, most = ((end - shift) / whole for end in (own.least, own.most))
        return Moved(self.estimate + shift, (one.made_of - shift) / whole, squares, (least, most))

    def differences(self, point: int) -> tuple[Differences, ...]:
        """Of each stratum how x varies at a point, the furthest seen being the furthest that is thought of."""
        found = []
        for part in self.strata:
            far = float(max(-part.least[point], part.most[point]))
            moments = float(part.square[point]), float(part.third[point])
            found.append(Differences(part.number, 0.0, far, *moments, far, float(part.differing[point])))
        return tuple(found)
