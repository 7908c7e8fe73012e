"""Laws where cases do not weigh alike: those of as many cases, all alike, as these say as much as.

A case of row i has the weight w_i, which says how much it counts: 1 over the probability with which it came into the
sample, or how many of a population are like it. The scale says nothing. A statistic T moves by dw g_i as the weight of
row i grows by dw; to first order its variance is that of a sum of independent parts, ``sum_i w_i^2 g_i^2``. Of cases
that weigh alike, w each, as many as add up to the same weight would have ``w sum_i w_i g_i^2``. So those that say as
much weigh, with n rows of weight W that count at all,

    w = 1 / c,    c = min(sum w g^2 / sum w^2 g^2, n / W),    c = sum w / sum w^2 where all g are 0,

and limits are those of c W cases: counts c w in every cell. The least of both keeps D = n / (c W), the design effect of
the weights at this statistic, from falling below 1 (Korn and Graubard 1998, who did so for shares); where nothing was
seen to vary it is Kish's. Equal weights leave every case as it is.

E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts
estimated from survey data", Survey Methodology 24, 1998.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from skcostci._validation import Booleans, Floats
from skcostci.laws._rounding import SPREAD_ROUNDING, without_rounding
from skcostci.laws.exact._linear import LinearLaw, Stratum, minus
from skcostci.laws.exact._means_and_ratios import RatioLaw
from skcostci.laws.exact._metric_law import MetricLaw, MetricPairLaw


def thinning(
    influences: Floats, weights: Floats, squares: Floats, rows: Floats, matters: Floats | float = 1.0
) -> Floats:
    """c, along the last axis: of rows, or of cells of rows with so much weight, squared weight and so many rows.

    ``matters`` is 1 where a row counts at all.
    """
    whole, most, number = ((each * matters).sum(axis=-1) for each in (weights, squares, rows))
    alike, design = (weights * influences**2).sum(axis=-1), (squares * influences**2).sum(axis=-1)
    some = design > 0
    seen = np.minimum(alike / np.where(some, design, 1.0), number / np.where(whole > 0, whole, 1.0))
    return np.asarray(np.where(some, seen, whole / np.where(most > 0, most, 1.0)))


@dataclass(frozen=True)
class WeightedLaw:
    """The law of cases that do not weigh alike, at each of n_points points.

    Its variance is that of the weights; limits are those of the law ``of_cases`` that say as much.
    """

    of_cases: Any
    estimate: Floats
    variance: Floats

    @property
    def mean(self) -> Floats:
        """To first order."""
        return self.estimate

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter."""
        support: tuple[Floats, Floats] = self.of_cases.support
        return support

    @property
    def is_exact(self) -> bool:
        return False

    @property
    def undefined(self) -> Floats:
        """Weights are as they are: nothing is said of resamples without a value."""
        return np.zeros_like(self.estimate)


class Weighed(NamedTuple):
    """One thing of the weights, of their squares, and of the rows: counts in cells, or laws that are made of them."""

    weights: Any
    squares: Any
    rows: Any

    def each(self, made: Callable[[Any], Any]) -> Weighed:
        """The same, made of each."""
        return Weighed(*map(made, self))


def weighted_linear(laws: Weighed) -> WeightedLaw:
    """Of a weighted sum of shares, each stratum by itself; the laws are of the same cells."""
    found = [_of_stratum(*parts) for parts in zip(*(law.strata for law in laws), strict=True)]
    strata, variances = zip(*found, strict=True)
    law: LinearLaw = laws.weights
    return WeightedLaw(replace(law, strata=tuple(strata)), law.mean, np.asarray(sum(variances)))


def _of_stratum(weights: Stratum, squares: Stratum, rows: Stratum) -> tuple[Stratum, Floats]:
    """As many cases as say as much, and what the weights add to the variance."""
    rounding = SPREAD_ROUNDING * np.abs(weights.values).max(axis=1)
    off = without_rounding(np.where(weights.counts > 0, weights.values - weights.mean[:, None], 0.0), rounding)
    scale = thinning(off, weights.counts, squares.counts, rows.counts)[:, None]
    thin = replace(weights, counts=scale * weights.counts, observed=scale * weights.observed)
    return thin, (squares.counts * off**2).sum(axis=1) / weights.counts.sum(axis=1) ** 2


def weighted_metric(law: MetricLaw, squares: Floats, rows: Floats) -> WeightedLaw:
    """Of another function of the cells of one model, with so much squared weight and so many rows."""
    added = _added(law.influence, law)
    scale = thinning(added, law.counts, squares, rows, _matters(law).astype(np.float64))
    with np.errstate(invalid="ignore"):
        variance = np.where(np.isinf(law.estimate), np.inf, (squares * added**2).sum(axis=1))
    return WeightedLaw(replace(law, counts=scale[:, None] * law.counts), law.estimate, variance)


def weighted_pair(law: MetricPairLaw, squares: Floats, rows: Floats) -> WeightedLaw:
    """Of a difference that is no weighted sum: both models have the same cases."""
    added = _added(minus(law.a.influence, law.b.influence), law)
    scale = thinning(added, law.counts, squares, rows)[:, None]
    a, b = (replace(each, counts=scale * each.counts) for each in (law.a, law.b))
    thin = replace(law, a=a, b=b, counts=scale * law.counts)
    return WeightedLaw(thin, law.estimate, (squares * added**2).sum(axis=1))


def weighted_ratio(laws: Weighed) -> WeightedLaw:
    """Of a ratio of two means."""
    law: RatioLaw = laws.weights
    counts, below = (np.asarray(each, dtype=np.float64) for each in (law.counts, law.denominator))
    ratio, whole = float(law.estimate[0]), float(counts @ below)
    rounding = SPREAD_ROUNDING * max(float(np.abs(law.numerator).max()), float(np.abs(ratio * below).max()))
    off = without_rounding(law.numerator - ratio * below, rounding) / whole
    scale = float(thinning(off, counts, laws.squares.counts, laws.rows.counts))
    variance = np.array([float(laws.squares.counts @ off**2)])
    thin: Any = scale * counts  # no whole numbers, and used for limits alone
    return WeightedLaw(replace(law, counts=thin), law.estimate, variance)


def _added(influence: Floats, law: MetricLaw | MetricPairLaw) -> Floats:
    """What a case in each cell adds, beside the others that are drawn with it; 0 where that is all rounding."""
    off, counts = np.array(influence), law.counts
    for part in law.drawn:
        whole = counts[:, part].sum(axis=1, keepdims=True)
        mean = (counts[:, part] * off[:, part]).sum(axis=1, keepdims=True) / np.where(whole > 0, whole, 1.0)
        off[:, part] -= mean
    rounding = SPREAD_ROUNDING * np.maximum(1 / counts.sum(axis=1), np.abs(influence).max(axis=1))
    return without_rounding(np.where(counts > 0, off, 0.0), rounding)


def _matters(law: MetricLaw) -> Booleans:
    """In which cells a case counts at all."""
    if not law.is_ratio:
        return np.ones(law.counts.shape, dtype=bool)
    numerator, denominator = law.weights
    return np.asarray((denominator != 0) | (numerator != 0))
