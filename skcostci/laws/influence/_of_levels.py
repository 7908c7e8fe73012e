"""Units that the levels of a second factor meet: cases and readers, questions and judges, items and seeds.

The statistic is the mean over J levels of what it is within each, T = mean of T_r. Units bring variance as ever, by
``g_u = mean over r of g_ru``. What levels bring is known by how the T_r differ, less what they differ by because each
of them met units by chance. With ``C_rs`` the covariance of T_r and T_s over units, v the mean of C_rr and c that of
the others,

    S = sum (T_r - T)^2 / (J - 1),    own = max(S - (v - c), 0) / J,    df = (J - 1) (J own / S)^2,

Obuchowski and Rockette's (1995) component of variance, with the degrees of freedom of Hillis (2007) and Satterthwaite:
own is a difference, S/J less (v - c)/J. The law has the variance of the units and own beside it. No level is feared
that is further out than those seen: levels are few, and one in six that fails whole would take limits to the ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats
from skcostci.laws.influence._first_order import FirstOrderLaw, PairOfUnits

ROUNDING_OF_LEVELS = 1e-10  # of S: own that is less is none, as its degrees of freedom would be next to none too


class Beside(NamedTuple):
    """The variance that no unit brings, its degrees of freedom, and how many levels bring it."""

    own: Floats | float = 0.0
    freedom: Floats | float = 1.0
    levels: int = 1

    @classmethod
    def of(cls, each: Floats, by_unit: Floats, together: Floats) -> Beside:
        """From T_r, of shape (n_levels, n_points), v, and the variance over units of the sum of all T_r."""
        levels = len(each)
        spread = each.var(axis=0, ddof=1)
        common = (together - levels * by_unit) / (levels * (levels - 1))
        more = spread - np.maximum(by_unit - common, 0.0)
        own = np.where(more > ROUNDING_OF_LEVELS * spread, more, 0.0) / levels
        share = np.divide(levels * own, spread, out=np.ones_like(own), where=own > 0)
        return cls(own, (levels - 1) * share**2, levels)

    @property
    def square(self) -> Floats | float:
        """As the sum of squared influences of units is before it is shrunk, for levels among units."""
        return self.own * (self.levels + 1) / self.levels

    def scaled(self, unit: Floats | float) -> Beside:
        """Where a statistic is measured in such units."""
        return self._replace(own=self.own / unit**2)

    def at(self, point: int) -> Beside:
        """At one point."""
        return Beside(float(np.ravel(self.own)[point]), float(np.ravel(self.freedom)[point]), self.levels)


ALONE = Beside()  # where there are no levels


@dataclass(frozen=True)
class CrossedLaw(FirstOrderLaw):
    """The law of units, what levels bring beside it, and the statistic at each of them, (n_levels, n_points)."""

    beside: Beside = field(kw_only=True)
    by_level: Floats = field(kw_only=True)

    @property
    def variance(self) -> Floats:
        return np.asarray(sum(self.variance_parts))

    @property
    def variance_parts(self) -> tuple[Floats, Floats]:
        """What units bring, and what levels do."""
        return super().variance, np.asarray(self.beside.own)


@dataclass(frozen=True)
class CrossedPairLaw(CrossedLaw, PairOfUnits):
    """Of the difference of two models, with the laws of both."""


def beside_units(law: object) -> Beside:
    """What levels bring, where there are some."""
    return law.beside if isinstance(law, CrossedLaw) else ALONE
