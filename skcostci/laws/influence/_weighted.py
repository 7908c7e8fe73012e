"""Laws where cases have unequal weights: those of the effective number of equally weighted cases.

A case of row i has the weight w_i: 1 over the probability with which it came into the sample, or how many of a
population are like it. The scale of weights does not matter. A statistic T moves by dw g_i as the weight of row i grows
by dw; to first order its variance is that of a sum of independent parts, ``sum_i w_i^2 g_i^2``. Cases of equal weight
w that add up to the same total weight would have the variance ``w sum_i w_i g_i^2``. Equating the two gives the weight
of each effective case, with n rows of total weight W that count at all,

    w = 1 / c,    c = min(c_0, c_2, n / W),    c_k = (sum w g^2 + k m G) / (sum w^2 g^2 + k m^2 G),

and limits are those of c W cases: the weight in every cell times c. Few cases may have nearly all of the variation, as
errors do where most cases are right, and then tell little of how unequal the weights of such cases are: in c_2 there
are two more of them, G the largest g^2, of Kish's weight m = sum w^2 / sum w. Without them shares with weights of a
coefficient of variation of 2 had a coverage of .70 to .95, with them of .93 to .98, and intervals are 2 to 11 % wider.
Areas do without (c_0): they had .92 and more, mostly .95 and more, and would be up to 20 % wider.
The minimum keeps D = n / (c W), the design effect of the weights for this statistic, from falling below 1 (Korn and
Graubard 1998, Survey Methodology 24, for shares); where no variation was seen, c = 1 / m and D is Kish's design effect.
With equal weights every case counts as one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from skcostci._arrays import Booleans, Floats, Weights
from skcostci.laws._rounding import SPREAD_ROUNDING, without_rounding
from skcostci.laws.exact._linear import LinearLaw, Stratum, minus
from skcostci.laws.exact._means_and_ratios import RatioLaw
from skcostci.laws.exact._metric_law import MetricLaw, MetricPairLaw
from skcostci.laws.influence._variation import DrawnUnits, Variation

MORE_CASES = 2.0  # with 1 coverage was down to .905, with 4 intervals were 1 to 2 % wider


def thinning(
    influences: Floats,
    weights: Floats,
    squares: Floats,
    rows: Floats,
    matters: Floats | float = 1.0,
    more_cases: float = MORE_CASES,
) -> Floats:
    """The c of rows along the last axis, or of cells with sums; ``matters`` is 1 where a row counts."""
    whole, most, number = ((each * matters).sum(axis=-1) for each in (weights, squares, rows))
    m = most / np.where(whole > 0, whole, 1.0)
    alike, design = (weights * influences**2).sum(axis=-1), (squares * influences**2).sum(axis=-1)
    more, some = more_cases * m * (influences**2).max(axis=-1), design > 0
    seen = np.minimum(alike / np.where(some, design, 1.0), (alike + more) / np.where(some, design + m * more, 1.0))
    seen = np.minimum(seen, number / np.where(whole > 0, whole, 1.0))
    return np.asarray(np.where(some, seen, 1 / np.where(m > 0, m, 1.0)))


@dataclass(frozen=True, repr=False, eq=False)
class WeightedLaw:
    """Variance by weights; limits from ``of_cases``, of the effective number, or from the ``drawn`` cases of a mean."""

    of_cases: Any
    estimate: Floats
    variance: Floats
    drawn: DrawnUnits | None = None

    @property
    def mean(self) -> Floats:
        return self.estimate

    @property
    def support(self) -> tuple[Floats, Floats]:
        support: tuple[Floats, Floats] = self.of_cases.support
        return support

    @property
    def is_exact(self) -> bool:
        return False

    @property
    def undefined(self) -> Floats:
        return np.zeros_like(self.estimate)


def weighted_units(x: Floats, weights: Weights, most_informative: float = np.inf) -> Variation:
    """How x (n_points, n_rows), n times the influence of a weighted case, varies; df by Kish's number."""
    ones, whole = np.ones(len(weights)), float(weights.sum())
    units = Variation.of(x, ones, np.square(weights, dtype=np.float64), ones, weights / whole)
    freedom = max(whole**2 / float(weights @ weights) - 1, 1.0)
    return units._replace(freedom=np.full_like(units.variance, freedom)).capped(most_informative)


class Weighed(NamedTuple):
    """One quantity by weights, by squared weights, and by rows: counts in cells, or laws made of such counts."""

    weights: Any
    squares: Any
    rows: Any

    @classmethod
    def of_rows(cls, weights: Weights) -> Weighed:
        return cls(weights, weights**2, np.ones(len(weights), dtype=np.int64))

    def each(self, made: Callable[[Any], Any]) -> Weighed:
        return Weighed(*map(made, self))


def weighted_linear(laws: Weighed) -> WeightedLaw:
    """The law of a weighted sum of shares, each stratum by itself; the three laws have the same cells."""
    found = [_of_stratum(*parts) for parts in zip(*(law.strata for law in laws), strict=True)]
    strata, variances = zip(*found, strict=True)
    law: LinearLaw = laws.weights
    return WeightedLaw(replace(law, strata=tuple(strata)), law.mean, np.asarray(sum(variances)))


def _of_stratum(weights: Stratum, squares: Stratum, rows: Stratum) -> tuple[Stratum, Floats]:
    rounding = SPREAD_ROUNDING * np.abs(weights.values).max(axis=1)
    off = without_rounding(np.where(weights.counts > 0, weights.values - weights.mean[:, None], 0.0), rounding)
    scale = thinning(off, weights.counts, squares.counts, rows.counts)[:, None]
    thin = replace(weights, counts=scale * weights.counts, observed=scale * weights.observed)
    return thin, (squares.counts * off**2).sum(axis=1) / weights.counts.sum(axis=1) ** 2


def weighted_metric(law: MetricLaw, squares: Floats, rows: Floats) -> WeightedLaw:
    """The law of another function of one model's cells, with squared weights and numbers of rows per cell."""
    added = _added(law.influence, law)
    scale = thinning(added, law.counts, squares, rows, _matters(law).astype(np.float64))
    with np.errstate(invalid="ignore"):
        variance = np.where(np.isinf(law.estimate), np.inf, (squares * added**2).sum(axis=1))
    return WeightedLaw(replace(law, counts=scale[:, None] * law.counts), law.estimate, variance)


def weighted_pair(law: MetricPairLaw, squares: Floats, rows: Floats) -> WeightedLaw:
    """The law of a difference that is no weighted sum: both models have the same cases."""
    added = _added(minus(law.a.influence, law.b.influence), law)
    scale = thinning(added, law.counts, squares, rows)[:, None]
    a, b = (replace(each, counts=scale * each.counts) for each in (law.a, law.b))
    thin = replace(law, a=a, b=b, counts=scale * law.counts)
    return WeightedLaw(thin, law.estimate, (squares * added**2).sum(axis=1))


def weighted_ratio(laws: Weighed) -> WeightedLaw:
    law: RatioLaw = laws.weights
    counts, below = (np.asarray(each, dtype=np.float64) for each in (law.counts, law.denominator))
    ratio, whole = float(law.estimate[0]), float(counts @ below)
    rounding = SPREAD_ROUNDING * max(float(np.abs(law.numerator).max()), float(np.abs(ratio * below).max()))
    off = without_rounding(law.numerator - ratio * below, rounding) / whole
    scale = float(thinning(off, counts, laws.squares.counts, laws.rows.counts))
    variance = np.array([float(laws.squares.counts @ off**2)])
    thin: Any = scale * counts  # not whole numbers, and used only for limits
    return WeightedLaw(replace(law, counts=thin), law.estimate, variance)


def _added(influence: Floats, law: MetricLaw | MetricPairLaw) -> Floats:
    """Influence values of a case in each cell, centred over the cells drawn together; 0 where all is rounding."""
    off, counts = np.array(influence), law.counts
    for part in law.drawn:
        whole = counts[:, part].sum(axis=1, keepdims=True)
        mean = (counts[:, part] * off[:, part]).sum(axis=1, keepdims=True) / np.where(whole > 0, whole, 1.0)
        off[:, part] -= mean
    rounding = SPREAD_ROUNDING * np.maximum(1 / counts.sum(axis=1), np.abs(influence).max(axis=1))
    return without_rounding(np.where(counts > 0, off, 0.0), rounding)


def _matters(law: MetricLaw) -> Booleans:
    if not law.is_ratio:
        return np.ones(law.counts.shape, dtype=bool)
    numerator, denominator = law.weights
    return np.asarray((denominator != 0) | (numerator != 0))
