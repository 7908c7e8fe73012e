"""Limits of a statistic with missing values imputed several times: Rubin's rules, kept in the parameter's range.

With estimates e_i and variances v_i of m completed data sets, their means e and W, and B the variance of the e_i
(divisor m - 1), the total variance and its degrees of freedom are (Rubin 1987; Barnard and Rubin 1999)

    T = W + (1 + 1/m) B,    lam = (1 + 1/m) B / T,    1 / f = lam^2 / (m - 1) + 1 / f_obs,
    f_obs = (f_com + 1) / (f_com + 3) f_com (1 - lam),    f_com those of complete data, infinite where nothing is said.

The limits of completed data are used as they are, each by its own method, with their range and skewness: the pooled
limit at alpha is the mean of these limits at a more extreme level, with the normal deviate z' in place of z,

    z' = z sqrt(1 + (1 + 1/m) B / s^2) t_f(alpha) / t_0(alpha),

where s is their mean distance from e at alpha over z = z(alpha), s^2 no less than W, and t_f Student's quantile. t_0 is
what the limits of completed data allow for already: t with f_obs at lam = 0, or z for Gaussian methods, whose pooled
limits are therefore nearly Rubin's e +- t_f sqrt(T). If nothing was missing the limits are those of the data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import ndtr, ndtri

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.intervals._method import Law, Method
from skcostci.intervals._unseen import SMALLEST_TAIL, widening

GAUSSIAN = ("wald", "delong")  # methods whose deviates are normal, without degrees of freedom
FURTHEST = 37.0  # normal deviates further out have probability 0 in floating point


@dataclass(frozen=True, repr=False, eq=False)
class PooledLaw:
    """Results of m completed data sets: their estimates, of shape (m, ...), laws, and the methods of their limits.

    ``complete`` is f_com. Of the formulas above ``within`` is W, ``added`` T - W, ``missing`` lam, and ``freedom`` f.
    """

    estimates: Floats
    laws: tuple[Law, ...]
    methods: tuple[Method, ...]
    complete: float
    is_exact: ClassVar = False

    @property
    def mean(self) -> Floats:
        return np.asarray(self.estimates.mean(axis=0))

    @cached_property
    def within(self) -> Floats:
        return np.asarray(np.mean([_at(law.variance, self.mean.shape) for law in self.laws], axis=0))

    @cached_property
    def added(self) -> Floats:
        return np.asarray((1 + 1 / len(self.laws)) * self.estimates.var(axis=0, ddof=1))

    @property
    def variance(self) -> Floats:
        return self.within + self.added

    @property
    def missing(self) -> Floats:
        # Data sets that agree, with variance 0, have no missing information.
        some = self.variance > 0
        return np.where(some, self.added / np.where(some, self.variance, 1.0), 0.0)

    @property
    def freedom(self) -> Floats:
        known = 1 / _as_observed(self.complete, self.missing)
        return 1 / np.maximum(self.missing**2 / (len(self.laws) - 1) + known, SMALLEST_TAIL)  # no 1 / 0

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter: the union of the ranges of the data sets."""
        ends = zip(*(law.support for law in self.laws), strict=True)
        lows, highs = ([_at(end, self.mean.shape) for end in each] for each in ends)
        return np.asarray(np.min(lows, axis=0)), np.asarray(np.max(highs, axis=0))


def _at(values: Floats | float, shape: tuple[int, ...]) -> Floats:
    """A law's values in this shape: of a single point some laws give an array of one, others a number."""
    return np.asarray(
        np.reshape(values, shape) if np.size(values) == math.prod(shape) else np.broadcast_to(values, shape)
    )


def _as_observed(complete: float, missing: Floats | float) -> Floats:  # f_obs
    if np.isinf(complete):
        return np.full(np.shape(missing), np.inf)
    return np.maximum((complete + 1) / (complete + 3) * complete * (1 - np.asarray(missing)), 1e-9)


def pooled(law: PooledLaw, alpha: Floats, side: int) -> Floats:
    """The mean of the data sets' limits, at a level further out."""
    # At a one-sided level of 1/2 the limit is the estimate: a deviate of 1e-9 avoids 0 / 0.
    deviate = np.maximum(-ndtri(alpha), 1e-9)
    distance = np.abs(_mean_limit(law, alpha, side) - law.mean)
    own = np.maximum((distance / deviate) ** 2, law.within)
    whole = np.divide(own + law.added, own, out=np.ones(own.shape), where=(own > 0) & np.isfinite(own))
    ratio = whole * widening(law.freedom, alpha)
    if not all(method.name in GAUSSIAN for method in law.methods):
        ratio = ratio / widening(_as_observed(law.complete, 0.0), alpha)
    further = np.minimum(deviate * np.sqrt(ratio), np.maximum(FURTHEST, deviate))
    return _mean_limit(law, ndtr(-further), side)


def _mean_limit(law: PooledLaw, alpha: Floats, side: int) -> Floats:
    shape = np.broadcast_shapes(np.shape(alpha), law.mean.shape)
    each = zip(law.methods, law.laws, strict=True)
    return np.asarray(np.mean([_at(method.limit(one, alpha, side), shape) for method, one in each], axis=0))


METHODS = (
    Method(
        "rubin",
        "Rubin's rules",
        pooled,
        "the mean of the completed data sets' limits, moved outwards by how much the imputations differ.",
        "With two or three imputations of data of which much is missing; where imputations leave out the outcome.",
    ),
)
