"""The variance component of the levels of a second factor: readers of cases, judges of questions, seeds of items.

The statistic T is the mean over J levels of its values T_r within each. Its variance has two parts. The first is due to
units (cases, questions, items), as without levels, from g_u = mean over r of the influences g_ru. The second is due to
levels: the variance S of the T_r is larger than the sampling of units alone explains. With C_rs the covariance of T_r
and T_s over units, v the mean of the C_rr and c the mean of the C_rs of different levels,

    S = sum (T_r - T)^2 / (J - 1),    own = max(S - (v - c), 0) / J,    df = (J - 1) (J own / S)^2,

where ``own`` is Obuchowski and Rockette's (1995) component of variance, and df are the degrees of freedom of Hillis
(2007) and Satterthwaite. The limits add a least favourable unit but no least favourable level: levels are few, and one
in six that fails entirely would take limits to the ends of the range.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skcostci._arrays import Floats

ROUNDING_OF_LEVELS = 1e-10  # relative to S: a smaller excess is rounding, and would have next to no degrees of freedom


class LevelVariance(NamedTuple):
    """``own``, its degrees of freedom, and the number of levels."""

    own: Floats | float = 0.0
    freedom: Floats | float = 1.0
    levels: int = 1

    @classmethod
    def of(cls, each: Floats, by_unit: Floats, together: Floats) -> LevelVariance:
        """From ``each`` T_r, shape (n_levels, n_points), v (``by_unit``), and the variance over units of sum T_r."""
        levels = len(each)
        spread = each.var(axis=0, ddof=1)
        common = (together - levels * by_unit) / (levels * (levels - 1))
        excess = spread - np.maximum(by_unit - common, 0.0)
        own = np.where(excess > ROUNDING_OF_LEVELS * spread, excess, 0.0) / levels
        share = np.divide(levels * own, spread, out=np.ones_like(own), where=own > 0)
        return cls(own, (levels - 1) * share**2, levels)

    @property
    def square(self) -> Floats | float:
        """The variance on the scale of the sum of squared influences of units, which is shrunk by n / (n + 1)."""
        return self.own * (self.levels + 1) / self.levels

    def scaled(self, unit: Floats | float) -> LevelVariance:
        return self._replace(own=self.own / unit**2)

    def at(self, point: int, shape: tuple[int, ...]) -> LevelVariance:
        own, freedom = (float(np.broadcast_to(each, shape)[point]) for each in self[:2])
        return self._replace(own=own, freedom=freedom)


NO_LEVELS = LevelVariance()  # where there are no levels
