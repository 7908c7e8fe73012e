"""The law of a ratio of two means over the same cases, N / D with values n of either sign and d not negative.

``P(N / D <= x | D > 0)`` is the probability that the mean of ``n - x d`` is not above 0, less that of D = 0: at each x
the law of a mean (:mod:`._mean`). Mean and variance are exact up to ``MAX_EXACT_KINDS`` distinct pairs and of first
order beyond, where they differ by a thousandth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import target_of
from skcostci.laws._mean import Draw, Ends, MeanLaw
from skcostci.laws._points import at_points
from skcostci.laws._ratio import Draws, KnownMoments, Moments, ratio_moments
from skcostci.laws._sum import MAX_EXACT_VALUES

MAX_EXACT_KINDS = 4096  # the quadrature takes half a second
EXACT_CLOSE, APPROXIMATE_CLOSE = 1e-7, 1e-5  # standard errors to which quantiles of either kind of law are found


@dataclass(frozen=True)
class RatioLaw(KnownMoments):
    """The law of a ratio of means, at a single point; one entry a distinct pair of values.

    The ends are the least and the most that either value of another case may be, ``bounds`` those of the parameter.
    """

    numerator: Floats
    denominator: Floats
    counts: Integers
    numerator_ends: Ends
    denominator_ends: Ends
    bounds: Ends

    @property
    def estimate(self) -> Floats:
        """The ratio of these cases."""
        return np.array([self.counts @ self.numerator / (self.counts @ self.denominator)])

    @cached_property
    def is_exact(self) -> bool:
        """Whether moments are exact, and the cdf, not that of a grid."""
        return len(self.counts) <= MAX_EXACT_KINDS and self.at(float(self.estimate[0])).is_exact

    @property
    def is_point(self) -> bool:
        """Whether one ratio is all that is known: each case has it, and nobody says what others may have."""
        return bool(np.all(self.at(float(self.estimate[0])).is_point))

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter."""
        return np.array(self.bounds[:1]), np.array(self.bounds[1:])

    def at(self, x: float) -> MeanLaw:
        """The law of the mean of n - x d, which is 0 in a population whose ratio is x."""
        (least, most), times = self.numerator_ends, [x * end for end in self.denominator_ends]
        draw = Draw(self.numerator - x * self.denominator, self.counts, (least - max(times), most - min(times)))
        stratum = draw.stratum() if len(self.counts) <= MAX_EXACT_VALUES else draw.listed()  # a grid needs no sorting
        return MeanLaw((stratum,), 0.0, (-np.inf, np.inf))

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x) for x of shape (..., 1)."""
        return at_points(x, lambda _, values: [self._mass(float(value))[1] for value in values])

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """P(X < x), P(X = x) and P(X > x) for x of shape (..., 1)."""
        found = at_points(x, lambda _, values: [self._mass(float(value)) for value in values])
        return found[..., 0], np.maximum(found[..., 1] - found[..., 0], 0.0), 1 - found[..., 1]

    def quantile(self, q: Floats) -> Floats:
        """The x at which P(X <= x) reaches q, for q of shape (..., 1)."""
        return at_points(q, lambda _, levels: [self._quantile(float(level)) for level in levels])

    def _quantile(self, q: float) -> float:
        low, high = self._ends
        target, deviation = float(target_of(np.asarray(q))), float(np.sqrt(self.variance[0]))
        near = float(self.mean[0]) + deviation * (float(ndtri(np.clip(q, 1e-12, 1 - 1e-12))) + np.array([-0.5, 0.5]))
        if self._mass(near[0])[1] >= target:
            high = min(high, near[0])
        elif self._mass(near[1])[1] >= target:
            low, high = max(low, near[0]), min(high, near[1])
        else:
            low = max(low, near[1])
        if low >= high or self._mass(low)[1] >= target:
            return low
        if self._mass(high)[1] <= target:
            return high
        close = EXACT_CLOSE if len(self.counts) <= MAX_EXACT_VALUES else APPROXIMATE_CLOSE
        return float(brentq(lambda x: self._mass(x)[1] - target, low, high, xtol=close * deviation))

    @cached_property
    def _ends(self) -> Ends:
        """The least and the largest ratio of a resample: those of single cases."""
        some = self.denominator > 0
        ratios, beyond = self.numerator[some] / self.denominator[some], self.numerator[~some]
        if not beyond.any():
            return float(ratios.min()), float(ratios.max())
        # one case with a denominator and all others without
        least = self.denominator[some].min()
        reach = float(self.counts.sum()) * np.abs(beyond).max() / least
        return float(ratios.min() - (beyond.min() < 0) * reach), float(ratios.max() + (beyond.max() > 0) * reach)

    def _mass(self, x: float) -> tuple[float, float]:
        """P(X < x) and P(X <= x)."""
        if np.isinf(x):
            return float(x > 0), float(x > 0)
        below, equal, _ = (float(part[0]) for part in self.at(x).tails(np.zeros(1)))
        empty, size = self.denominator == 0, int(self.counts.sum())
        never = float(self.counts[empty].sum() / size) ** size
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
        some = self.denominator > 0
        ratios = np.unique(self.numerator[some] / self.denominator[some])
        if len(ratios) == 1 and not self.numerator[~some].any():
            return np.zeros(1), ratios, np.zeros(1)
        return ratio_moments([Draws(size, self.counts[None] / size, self.numerator[None], self.denominator[None])])


def ratio_law(
    numerator: Floats, denominator: Floats, weights: Integers, ends: tuple[Ends, Ends], bounds: Ends
) -> RatioLaw:
    """From one entry a row to one a distinct pair."""
    order = np.lexsort((denominator, numerator))
    pairs = np.column_stack([numerator, denominator])[order]
    first = np.flatnonzero(np.concatenate([[True], (pairs[1:] != pairs[:-1]).any(axis=1)]))
    counts = np.add.reduceat(weights[order], first)
    return RatioLaw(pairs[first, 0], pairs[first, 1], counts, *ends, bounds)
