"""Laws where cases have unequal weights: those of the effective number of equally weighted cases.

A case of row i has the weight w_i: 1 over the probability with which it came into the sample, or how many of a
population are like it. The scale of weights does not matter. A statistic T moves by dw g_i as the weight of row i grows
by dw; to first order its variance is that of a sum of independent parts, ``sum_i w_i^2 g_i^2``. Cases of equal weight
w that add up to the same total weight would have the variance ``w sum_i w_i g_i^2``. Equating the two gives the weight
of each effective case, with n rows of total weight W that count at all,

    w = 1 / c,    c = min(c_0, c_2, n / W),    c_k = (sum w g^2 + k m G) / (sum w^2 g^2 + k m^2 G),

and limits are those of c W cases: the weight in every cell times c. Few cases may have nearly all of the variation, as
errors do where most cases are right, and then tell little of how unequal the weights of such cases are: in c_2 there
are two more of them, with the largest g^2, G, and Kish's weight m = sum w^2 / W. Without them shares with weights of a
coefficient of variation of 2 had a coverage of .70 to .95, with them of .93 to .98, and intervals are 2 to 11 % wider.
Areas have c_0 for c_2: they had .92 and more, mostly .95 and more, and would be up to 20 % wider.
The minimum keeps D = n / (c W), the design effect of the weights for this statistic, from falling below 1 (Korn and
Graubard 1998, Survey Methodology 24, for shares); where no variation was seen, c = 1 / m and D is Kish's design effect.
With equal weights every case counts as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skcostci._arrays import Floats, Weights
from skcostci.laws._rounding import SPREAD_ROUNDING, without_rounding
from skcostci.laws.exact._linear import LinearLaw, Stratum, minus
from skcostci.laws.exact._means_and_ratios import MeanLaw, RatioLaw
from skcostci.laws.exact._metric_law import MetricLaw, MetricPairLaw
from skcostci.laws.influence._first_order import DrawnUnits, Variation, effective_size

MORE_CASES = 2.0  # with 1 coverage was down to .905, with 4 intervals were 1 to 2 % wider


def thinning(
    influences: Floats,
    weights: Weights,
    squares: Weights,
    rows: Floats,
    matters: Floats | float = 1.0,
    more_cases: float = MORE_CASES,
) -> Floats:
    """c, along the last axis, of rows or of cells with sums over rows; ``matters`` is 0 for those not in n, W and m."""
    whole, most, number = ((each * matters).sum(axis=-1) for each in (weights, squares, rows))
    m = most / np.where(whole > 0, whole, 1.0)
    alike, design = (weights * influences**2).sum(axis=-1), (squares * influences**2).sum(axis=-1)
    more, some = more_cases * m * (influences**2).max(axis=-1), design > 0
    seen = np.minimum(alike / np.where(some, design, 1.0), (alike + more) / np.where(some, design + m * more, 1.0))
    seen = np.minimum(seen, number / np.where(whole > 0, whole, 1.0))
    return np.asarray(np.where(some, seen, 1 / np.where(m > 0, m, 1.0)))


@dataclass(frozen=True, repr=False, eq=False)
class WeightedLaw:
    """The variance by weights or over folds; limits of ``of_cases``, as many as the effective number, or ``drawn``."""

    of_cases: Any
    estimate: Floats
    variance: Floats
    drawn: DrawnUnits | None = None
    folds: tuple[LinearLaw, ...] = ()

    @property
    def mean(self) -> Floats:
        return self.estimate

    @property
    def support(self) -> tuple[Floats, Floats]:
        lows, highs = zip(*(law.support for law in self.folds or (self.of_cases,)), strict=True)
        return np.mean(lows, axis=0), np.mean(highs, axis=0)

    @property
    def is_exact(self) -> bool:
        return bool(self.folds) and all(part.is_exact for part in self.folds)


def folded_law(parts: tuple[LinearLaw, ...]) -> WeightedLaw:
    """The law of the mean over folds; its limits are those of one sample with the effective number of cases."""
    pooled = LinearLaw(tuple(map(_pooled, zip(*(part.strata for part in parts), strict=True))), parts[0].agresti)
    mean, variance = np.mean([part.mean for part in parts], axis=0), np.sum([part.variance for part in parts], axis=0)
    return WeightedLaw(pooled, mean, variance / len(parts) ** 2, folds=parts)


def _pooled(strata: Sequence[Stratum]) -> Stratum:
    """One stratum for all folds: each cell has the mean of its shares, and the value that keeps the mean."""
    size = effective_size([stratum.draws for stratum in strata])
    shares, values = (np.array([getattr(s, name) for s in strata]) for name in ("probabilities", "values"))
    share, plain = shares.mean(axis=0), values.mean(axis=0)
    worth = np.where(share > 0, (shares * values).mean(axis=0) / np.where(share > 0, share, 1.0), plain)
    return Stratum(size * share, worth, strata[0].prior, size, size * share)


def weighted_units(x: Floats, weights: Weights, most_informative: float = np.inf) -> Variation:
    """How x = n w g, (n_points, n_rows), varies, with v = w^2 and h = w / W; df are Kish's number of cases minus 1."""
    ones, whole = np.ones(len(weights)), float(weights.sum())
    units = Variation.of(x, ones, np.square(weights, dtype=np.float64), ones, weights / whole)
    freedom = max(whole**2 / float(weights @ weights) - 1, 1.0)
    return units._replace(freedom=np.full_like(units.variance, freedom)).capped(most_informative)


def weighted_rows(
    law: MeanLaw | RatioLaw, influence: Floats, weights: Weights, most_informative: float = np.inf
) -> WeightedLaw:
    """The law of a mean, or of a ratio of means, from the influence of a case of each row."""
    units = weighted_units((len(weights) * weights * influence)[None], weights, most_informative)
    scale = thinning(influence, weights, weights**2, np.ones(len(weights)))
    variance = np.array([float(weights**2 @ influence**2)])
    return WeightedLaw(law.thinned(float(scale)), law.estimate, variance, replace(law.drawn, strata=(units,)))


def weighted_linear(law: LinearLaw, squares: LinearLaw, rows: LinearLaw) -> WeightedLaw:
    """A weighted sum of shares, c by stratum; the counts of ``squares`` and ``rows`` are those of w^2 and of rows."""
    thinned, variance = [], np.zeros_like(law.mean)
    for part, square, number in zip(law.strata, squares.strata, rows.strata, strict=True):
        rounding = SPREAD_ROUNDING * np.abs(part.values).max(axis=1)
        off = without_rounding(np.where(part.counts > 0, part.values - part.mean[:, None], 0.0), rounding)
        thinned.append(part.thinned(thinning(off, part.counts, square.counts, number.counts)[:, None]))
        variance += (square.counts * off**2).sum(axis=1) / part.counts.sum(axis=1) ** 2
    return WeightedLaw(replace(law, strata=tuple(thinned)), law.mean, variance)


def weighted_metric(law: MetricLaw | MetricPairLaw, squares: Floats, rows: Floats) -> WeightedLaw:
    """Another function of cells, with w^2 and rows per cell; n, W and m of a ratio are those of cells it weighs."""
    if isinstance(law, MetricPairLaw):
        added, matters = _added(minus(law.a.influence, law.b.influence), law), np.ones(1)
    else:
        added = _added(law.influence, law)
        matters = np.asarray(np.any(law.weights, axis=0) if law.is_ratio else 1.0, dtype=np.float64)
    scale = thinning(added, law.counts, squares, rows, matters)[:, None]
    thin = replace(law, counts=scale * law.counts)
    if isinstance(thin, MetricPairLaw):
        a, b = (replace(each, counts=scale * each.counts) for each in (thin.a, thin.b))
        thin = replace(thin, a=a, b=b)
    with np.errstate(invalid="ignore"):
        variance = np.where(np.isinf(law.estimate), np.inf, (squares * added**2).sum(axis=1))
    return WeightedLaw(thin, law.estimate, variance)


def _added(influence: Floats, law: MetricLaw | MetricPairLaw) -> Floats:
    """Influence values of a case in each cell, centred over the cells drawn together; 0 where all is rounding."""
    off, counts = np.array(influence), law.counts
    for part in law.drawn:
        whole = counts[:, part].sum(axis=1, keepdims=True)
        mean = (counts[:, part] * off[:, part]).sum(axis=1, keepdims=True) / np.where(whole > 0, whole, 1.0)
        off[:, part] -= mean
    rounding = SPREAD_ROUNDING * np.maximum(1 / counts.sum(axis=1), np.abs(influence).max(axis=1))
    return without_rounding(np.where(counts > 0, off, 0.0), rounding)
