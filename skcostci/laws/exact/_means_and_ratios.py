"""Laws of means when as many cases are drawn as there are: of one value per case, of ratios of two, of means of folds.

**A mean** of values is ``X = sum_s share_s * (1 / n_s) * (sum of n_s draws from the values of stratum s)``: one stratum
for a plain mean; the classes with the shares of their cases, or folds with equal shares, where these are resampled
separately. The law is exact where values are few or have a common step; :mod:`._sum` has the errors of others.

**A ratio** N / D of two means over the same cases has values n of either sign and d not negative.
``P(N / D <= x | D > 0)`` is the probability that the mean of ``n - x d`` is at most 0, minus that of D = 0: at each x
the law of a mean. Mean and variance are exact up to ``MAX_EXACT_KINDS`` distinct pairs and of first order beyond, where
they differ by a thousandth.

**Folds** of a cross-validation are samples of their own, each scored by a model of its own. Their variances add, as the
folds are independent given the models. Limits are those of one sample instead, as the few cases of a fold may lack
values that occur in others: it has the cases of all folds, and the effective number of cases of the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

from skcostci._arrays import Booleans, Floats, Weights
from skcostci._frozen import cached_property
from skcostci.laws._rounding import rounding_of, settled
from skcostci.laws._side_by_side import at_points
from skcostci.laws.exact._lattice import target_of
from skcostci.laws.exact._linear import LinearLaw, Stratum
from skcostci.laws.exact._ratio import KnownMoments, Moments, ratio_moments
from skcostci.laws.exact._sum import MAX_EXACT_VALUES
from skcostci.laws.influence._first_order import DrawnUnits, FirstOrderLaw, effective_size

MAX_EXACT_KINDS = 4096  # distinct pairs (n, d), whose moments take half a second
NEGLIGIBLE_DENOMINATOR = 1e-9  # relative to the mean: a ratio of smaller ones would be huge, and outweigh all others
EXACT_CLOSE, APPROXIMATE_CLOSE = 1e-7, 1e-5  # standard errors to which quantiles of either kind of law are found

Ends = tuple[float, float]
Extremes = tuple[Ends, ...]  # pairs of a numerator and a denominator


class About(NamedTuple):
    """What is known of a mean: whether it is a difference, whether ends are known, and a cap on informative cases.

    For a difference of losses of labels the cap is the number of cases outside the largest class. Differences of
    shares, log losses and expected costs have rare values far out, of which none may be seen: their default allows for
    the least favourable case (``worst_first``).
    """

    paired: bool = False
    has_ends: bool = False
    most_informative: float = np.inf
    worst_first: bool = False


NOTHING_KNOWN = About()


class Draw(NamedTuple):
    """The values of one stratum, how often each occurs, and the least and the most that an additional case may have."""

    values: Floats
    weights: Weights
    ends: Ends

    @classmethod
    def of(
        cls, values: Floats, weights: Weights, ends: Ends, rounding: float, bounds: Ends = (-np.inf, np.inf)
    ) -> Draw:
        """The draw, its values made equal if they differ by rounding alone.

        If all are equal, an end that differs by rounding alone becomes the mean's bound or, without one, that value.
        """
        values = settled(values, rounding)
        if np.ptp(values):
            return cls(values, weights, ends)
        value = float(values[0])
        seen = [bound if np.isfinite(bound) else value for bound in bounds]
        low, high = (own if abs(end - value) <= rounding else end for own, end in zip(seen, ends, strict=True))
        return cls(values, weights, (low, high))

    def stratum(self, share: float = 1.0, *, distinct: bool = True) -> Stratum:
        """The stratum: values (``distinct``: merged if equal) as cells with counts, and both ends as empty cells."""
        values, counts = self.values, self.weights
        if distinct:
            values, place = np.unique(values, return_inverse=True)
            counts = np.bincount(place, counts)
        counted, cells = np.append(counts, [0.0, 0.0])[None], share * np.append(values, self.ends)[None]
        # Importance weights add up to the number of cases but for rounding.
        return Stratum(counted, cells, np.full(counted.shape, 1 / counted.size), round(float(counts.sum())), counted)


@dataclass(frozen=True, repr=False, eq=False)
class MeanLaw(LinearLaw):
    """The law of a mean, at a single point.

    ``bounds`` are the least and the most that the parameter can be, infinite where that is not known. ``together``, for
    folds, is one sample with the average distribution of the folds and the effective number of cases, for limits.
    """

    bounds: Ends
    together: Stratum | None = None
    about: About = NOTHING_KNOWN

    @property
    def support(self) -> tuple[Floats, Floats]:
        return np.array(self.bounds[:1]), np.array(self.bounds[1:])

    @cached_property
    def drawn(self) -> DrawnUnits:
        """The cases that "extrapolated" rests on; the range of a difference of losses is that of the cases seen."""
        whole = self.for_limits
        strata = [part.variation.capped(self.about.most_informative) for part in whole.strata]
        reach = [part.reach if self.about.paired else _where_known(self.bounds, *part.reach) for part in whole.strata]
        support = whole.support if self.about.has_ends else self.support
        return DrawnUnits(self.estimate, support, strata, reach, self.about.paired, self.estimate)

    @cached_property
    def for_limits(self) -> LinearLaw:
        """The law that limits are computed from: the law of one sample, where there are folds."""
        return LinearLaw(self.strata if self.together is None else (self.together,), self.agresti)

    def thinned(self, scale: float) -> MeanLaw:
        return replace(self, strata=tuple(part.thinned(scale) for part in self.strata))

    def is_unknown(self, side: int) -> bool:
        """Whether all values of each stratum are equal, and its end on this side is that value: no limit is known."""
        seen = [(part.values[0, part.counts[0] > 0], side * part.values) for part in self.strata]
        return all(np.ptp(values) == 0 and possible.max() == side * values[0] for values, possible in seen)


def mean_law(draws: Sequence[Draw], bounds: Ends, *, by_fold: bool = False, about: About = NOTHING_KNOWN) -> MeanLaw:
    """The law of the mean over strata, each with the share of its cases, or over folds, each with the same share."""
    sizes = [draw.weights.sum().item() for draw in draws]
    shares = [1 / len(sizes) if by_fold else size / sum(sizes) for size in sizes]
    strata = tuple(draw.stratum(share) for draw, share in zip(draws, shares, strict=True))
    return MeanLaw(strata, 0.0, bounds, _together(draws, sizes) if by_fold else None, about)


def _together(folds: Sequence[Draw], sizes: Sequence[int]) -> Stratum:
    """One sample in which each value has the mean of its shares in the folds, with the effective number of cases."""
    shares = [effective_size(sizes) / len(sizes) * fold.weights / size for fold, size in zip(folds, sizes, strict=True)]
    ends = np.array([fold.ends for fold in folds])
    values = np.concatenate([fold.values for fold in folds])
    return Draw(values, np.concatenate(shares), (ends.min(), ends.max())).stratum()


@dataclass(frozen=True, repr=False, eq=False)
class RatioLaw(KnownMoments):
    """The law of a ratio of means, at a single point; one entry per distinct pair of values.

    ``extremes`` are pairs of a numerator and a denominator, the corners of the region in which another case may lie;
    ``bounds`` are the ends of the parameter.
    """

    numerator: Floats
    denominator: Floats
    counts: Weights
    extremes: Extremes
    bounds: Ends

    def ends_at(self, x: float) -> Ends:
        found = [n - x * d for n, d in self.extremes]
        return min(found), max(found)

    @property
    def estimate(self) -> Floats:
        return np.array([self.counts @ self.numerator / (self.counts @ self.denominator)])

    @cached_property
    def is_exact(self) -> bool:
        """Whether moments are exact, and the cdf is exact, not on a grid."""
        return len(self.counts) <= MAX_EXACT_KINDS and self.at(float(self.estimate[0])).is_exact

    @cached_property
    def is_point(self) -> bool:
        """Whether limits are unknown on both sides: every case has one ratio, and the values of others are unknown."""
        at = self.at(float(self.estimate[0]))
        return at.is_unknown(-1) and at.is_unknown(1)

    @property
    def support(self) -> tuple[Floats, Floats]:
        return np.array(self.bounds[:1]), np.array(self.bounds[1:])

    @cached_property
    def drawn(self) -> DrawnUnits:
        """The cases that "extrapolated" rests on where the range of the ratio is not known."""
        seen, scale = self.at(float(self.estimate[0])).strata[0], self.counts.sum() / (self.counts @ self.denominator)
        strata = [replace(seen, values=scale * seen.values).variation]
        reach = _where_known(self.support, *(end - self.estimate for end in self.support))
        return DrawnUnits(self.estimate, self.support, strata, [reach], paired=False, center=self.estimate)

    def thinned(self, scale: float) -> RatioLaw:
        return replace(self, counts=np.asarray(scale * self.counts, dtype=np.float64))

    @cached_property
    def counted(self) -> Booleans:
        """Which pairs have a denominator that is not near 0; a resample without any of these is left out."""
        return np.asarray(
            self.denominator > NEGLIGIBLE_DENOMINATOR * (self.counts @ self.denominator) / self.counts.sum()
        )

    def at(self, x: float) -> MeanLaw:
        """The law of the mean of n - x d, which is 0 in a population whose ratio is x."""
        values = self.numerator - x * self.denominator
        draw = Draw.of(values, self.counts, self.ends_at(x), rounding_of(self.numerator, x * self.denominator))
        stratum = draw.stratum(distinct=len(self.counts) <= MAX_EXACT_VALUES)  # a grid needs no sorting
        return MeanLaw((stratum,), 0.0, (-np.inf, np.inf))

    def cdf(self, x: Floats) -> Floats:
        return at_points(x, lambda _, values: [self._mass(float(value))[1] for value in values])

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        found = at_points(x, lambda _, values: [self._mass(float(value)) for value in values])
        return found[..., 0], np.maximum(found[..., 1] - found[..., 0], 0.0), 1 - found[..., 1]

    def quantile(self, q: Floats) -> Floats:
        return at_points(q, lambda _, levels: [self._quantile(float(level)) for level in levels])

    def _quantile(self, q: float) -> float:
        low, high = self._ends
        target, deviation = float(target_of(np.asarray(q))), float(np.sqrt(self.variance[0]))
        near = float(self.mean[0]) + deviation * (float(ndtri(np.clip(q, 1e-12, 1 - 1e-12))) + np.array([-0.5, 0.5]))
        if self._mass(low)[1] >= target:
            return low
        for x in (*np.clip(near, low, high).tolist(), high):
            if self._mass(x)[1] > target:
                break
            low = x
        else:
            return high
        close = deviation * (EXACT_CLOSE if self.is_exact else APPROXIMATE_CLOSE)
        found = float(brentq(lambda x: self._mass(x)[1] - target, low, x, xtol=close))
        # Never short of a jump of the mass.
        while found < high and self._mass(found)[1] < target:
            found, close = min(found + close, high), 2 * close
        return found

    @cached_property
    def _ends(self) -> Ends:
        some = self.counted
        ratios, beyond = self.numerator[some] / self.denominator[some], self.numerator[~some]
        if not beyond.any():
            return float(ratios.min()), float(ratios.max())
        # one case with a denominator and all others without
        least = self.denominator[some].min()
        reach = float(self.counts.sum()) * np.abs(beyond).max() / least
        return float(ratios.min() - (beyond.min() < 0) * reach), float(ratios.max() + (beyond.max() > 0) * reach)

    def _mass(self, x: float) -> tuple[float, float]:  # P(N / D < x) and P(N / D <= x), given D > 0
        if np.isinf(x):
            return float(x > 0), float(x > 0)
        below, equal, _ = (float(part[0]) for part in self.at(x).tails(np.zeros(1)))
        empty, size = ~self.counted, int(self.counts.sum())
        never = float(self.counts[empty].sum() / size) ** size  # P(D = 0)
        if not never:
            return below, below + equal
        cells = Draw(self.numerator[empty], self.counts[empty], (0.0, 0.0)).stratum()
        nothing = MeanLaw((replace(cells, draws=size),), 0.0, (-np.inf, np.inf))
        lost, level = (never * float(part[0]) for part in nothing.tails(np.zeros(1))[:2])
        return (below - lost) / (1 - never), (below + equal - lost - level) / (1 - never)

    @cached_property
    def _moments(self) -> Moments:
        size = int(self.counts.sum())
        if len(self.counts) > MAX_EXACT_KINDS:
            at = self.at(float(self.estimate[0]))
            return np.zeros(1), self.estimate, at.variance / (self.counts @ self.denominator / size) ** 2
        # Denominators near 0 count as 0, as resamples of these alone are left out.
        weights = np.array([self.numerator, np.where(self.counted, self.denominator, 0.0)])[:, None]
        return ratio_moments([(size, self.counts[None] / size)], weights)


def _where_known(ends: tuple[Floats | float, Floats | float], worst: Floats, best: Floats) -> tuple[Floats, Floats]:
    """The x of a case at either end of the range; NaN where that end is not known."""
    low, high = ends
    return np.where(np.isfinite(low), worst, np.nan), np.where(np.isfinite(high), best, np.nan)


def ratio_law(numerator: Floats, denominator: Floats, weights: Weights, extremes: Extremes, bounds: Ends) -> RatioLaw:
    """The law from one entry per row, which are merged to one per distinct pair."""
    order = np.lexsort((denominator, numerator))
    pairs = np.column_stack([numerator, denominator])[order]
    first = np.flatnonzero(np.concatenate([[True], (pairs[1:] != pairs[:-1]).any(axis=1)]))
    counts = np.add.reduceat(weights[order], first)
    return RatioLaw(pairs[first, 0], pairs[first, 1], counts, extremes, bounds)


@dataclass(frozen=True, repr=False, eq=False)
class ProxiedMeanLaw(FirstOrderLaw):
    """Influences of units, and the law of the mean of ``checked`` plus that of ``others``, up to ``rounding``."""

    checked: Floats = field(kw_only=True)
    others: Floats = field(kw_only=True)
    rounding: float = field(kw_only=True)

    @cached_property
    def both(self) -> LinearLaw:
        """The law of the sum of both means; made when the distribution is first needed."""
        draws = [Draw.of(x, np.ones(len(x)), (x.min(), x.max()), self.rounding) for x in (self.checked, self.others)]
        return LinearLaw(tuple(draw.stratum() for draw in draws), 0.0)

    @property
    def is_exact(self) -> bool:
        return self.both.is_exact

    def cdf(self, x: Floats) -> Floats:
        return self.both.cdf(x)

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        return self.both.tails(x)

    def quantile(self, q: Floats) -> Floats:
        return self.both.quantile(q)
