"""The mean of checked values and of a proxy's, computed in full: the sum of two means over independent samples.

    e = mean of (v - lam w) over the n checked cases + mean of lam w over the N others,

lam held fixed. The law of resamples is that of a sum over two strata; limits that allow for an unseen case use the law
of first order, which is no approximation for a sum of means.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.laws.exact._linear import LinearLaw
from skcostci.laws.exact._means_and_ratios import Draw
from skcostci.laws.influence._first_order import FirstOrderLaw


@dataclass(frozen=True, repr=False, eq=False)
class ProxiedMeanLaw(FirstOrderLaw):
    """Influences of units, and the law of two means; values that differ by ``rounding`` count as equal."""

    checked: Floats = field(kw_only=True)
    others: Floats = field(kw_only=True)
    rounding: float = field(kw_only=True)

    @cached_property
    def both(self) -> LinearLaw:
        """The law of the sum of both means; made when the distribution is first needed."""
        strata = []
        for values in (self.checked, self.others):
            ends = float(values.min()), float(values.max())
            strata.append(Draw.of(values, np.ones(len(values), dtype=np.int64), ends, self.rounding).stratum())
        return LinearLaw(tuple(strata), 0.0)

    @property
    def is_exact(self) -> bool:
        return self.both.is_exact

    def cdf(self, x: Floats) -> Floats:
        return self.both.cdf(x)

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        return self.both.tails(x)

    def quantile(self, q: Floats) -> Floats:
        return self.both.quantile(q)
