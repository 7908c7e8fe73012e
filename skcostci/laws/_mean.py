"""The law of a mean of values, one a case, when as many cases are drawn as there are.

``X = sum_s share_s * (1 / n_s) * (sum of n_s draws from the values of stratum s)``: one stratum for a plain mean; the
classes with the shares of their cases, or folds with equal shares, where these are resampled apart.

Exact where the law of the sum has atoms that count (:mod:`_sum`); else the cdf is a grid's. Tails below
``INEXACT_BELOW`` are Lugannani and Rice's (1980).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from skcostci._validation import Floats, Integers
from skcostci.laws._folds import effective_size
from skcostci.laws._grouped import GroupedRatioLaw, Term, grouped_law
from skcostci.laws._linear import LinearLaw, Stratum
from skcostci.laws._points import split_at
from skcostci.laws._sum import ALL_ATOMS, Atoms, Drawn, has_atoms, is_smooth, law_of_sum, smooth_law
from skcostci.laws._worths import Moved, Unseen, number_of_one_size, typical

INEXACT_BELOW = 1e-9  # the grid's probabilities carry rounding of about 1e-13

Ends = tuple[float, float]


class Draw(NamedTuple):
    """Values that are drawn from together, how often each occurs, the least and the most that another may have."""

    values: Floats
    weights: Integers
    ends: Ends

    def stratum(self, share: float = 1.0) -> Stratum:
        """Its distinct values as cells, the ends being cells that nothing was seen in."""
        values, place = np.unique(self.values, return_inverse=True)
        return Draw(values, np.bincount(place, self.weights), self.ends).listed(share)

    def listed(self, share: float = 1.0) -> Stratum:
        """Its values as cells, equal ones too."""
        values, seen = self.values, self.weights.astype(np.float64)
        counts = np.concatenate([seen, [0.0, 0.0]])[None]
        cells = share * np.concatenate([values, self.ends])[None]
        return Stratum(counts, cells, np.full(counts.shape, 1 / counts.size), int(self.weights.sum()), counts)


@dataclass(frozen=True)
class MeanLaw(LinearLaw):
    """The law of a mean, at a single point.

    ``bounds`` are the least and the most that the parameter can be, infinite where nobody knows. ``together`` is one
    sample that tells as much as folds do, for limits, as in :class:`FoldedLaw`.
    """

    bounds: Ends
    together: Stratum | None = None

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter."""
        return np.array(self.bounds[:1]), np.array(self.bounds[1:])

    @property
    def judged(self) -> LinearLaw:
        """The law whose cases limits count."""
        return LinearLaw(self.strata if self.together is None else (self.together,), self.agresti)

    @cached_property
    def is_point(self) -> bool:
        """Whether all that was seen, and all that is known to be possible, is one value."""
        return all(part.values.min() == part.values.max() for part in self.strata)

    @cached_property
    def is_exact(self) -> bool:
        """Whether the cdf is exact, not that of a grid."""
        if len(self.strata) > 1:
            return self._added is not None or self._two_sums
        (cases,) = self.strata
        return self._few_sizes or not is_smooth(_seen(cases))

    @cached_property
    def _few_sizes(self) -> bool:
        """Whether draws step by two sizes at most, so that tails can be had however small."""
        return all((part.moves.n_sizes <= 2).all() for part in self.strata)

    @cached_property
    def _two_sums(self) -> bool:
        """Whether these are two strata in steps of one size each."""
        return len(self.strata) == 2 and all((part.moves.n_sizes <= 1).all() for part in self.strata)

    @property
    def _is_listed(self) -> bool:
        """Whether each value that a resample can have is known with its probability."""
        return self._added is not None or self.strata[0].law_of_values(0).is_exact

    @cached_property
    def _added(self) -> Atoms | None:
        """All values of several strata, where they are few."""
        if len(self.strata) == 1 or self._two_sums or not all(has_atoms(_seen(part)) for part in self.strata):
            return None
        values, masses, slack = np.zeros(1), np.ones(1), 0.0
        for part in self.strata:
            law = _of_draws(part)
            if not law.is_exact or len(values) * len(law.values) > 4 * ALL_ATOMS:
                return None
            values = np.add.outer(values, law.values).ravel()
            masses = np.multiply.outer(masses, np.diff(law.cumulative, prepend=0.0)).ravel()
            slack += law.slack
        return Atoms.from_masses(values, masses, slack)

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x) for x of shape (..., 1)."""
        if self._added is not None:
            return self._added.cdf(x)
        return super().cdf(x) if self.is_exact else self._grid.cdf(x)

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """P(X < x), P(X = x) and P(X > x) for x of shape (..., 1); a grid tells no value from its neighbours."""
        if self._added is not None:
            return split_at(self._added.cdf(x, strict=True), self._added.cdf(x))
        if self.is_exact:
            return super().tails(x)
        up_to = self._grid.cdf(x)
        return split_at(up_to, up_to)

    def sides(self, x: float) -> tuple[Floats, Floats]:
        """P(X <= x) and P(X >= x), to relative precision however small they are."""
        if self.is_exact and self._added is None and self._few_sizes:
            return super().sides(x)
        whole, listed = LinearLaw(self.strata, self.agresti), self.is_exact and self._is_listed
        below, equal, above = self.tails(np.array([x]))
        up_to, from_on = below + equal, above + equal
        if not listed and up_to[0] < INEXACT_BELOW:
            up_to = np.array([_saddlepoint(whole, x)])
        if not listed and from_on[0] < INEXACT_BELOW:
            from_on = np.array([_saddlepoint(whole.reflected(), -x)])
        return up_to, from_on

    def quantile(self, q: Floats) -> Floats:
        """The smallest x with P(X <= x) >= q, for q of shape (..., 1)."""
        if self._added is not None:
            return self._added.quantile(q)
        return super().quantile(q) if self.is_exact else self._grid.quantile(q)

    @cached_property
    def _grid(self) -> Atoms:
        return smooth_law(list(map(_seen, self.strata)))


def _seen(part: Stratum) -> Drawn:
    """What a stratum draws, without the ends that nothing was seen at."""
    seen = part.counts[0] > 0
    return Drawn(part.draws, part.counts[0, seen], part.values[0, seen] / part.draws)


def _of_draws(part: Stratum) -> Atoms:
    """The law of what a stratum's draws add up to."""
    draws, counts, values = _seen(part)
    if len(values) == 1:
        return Atoms(draws * values, np.ones(1), 0.0)
    return law_of_sum(draws, counts / counts.sum(), values)


def mean_law(draws: Sequence[Draw], bounds: Ends, *, by_fold: bool = False) -> MeanLaw:
    """Of all draws as one mean, each with the share of its cases or, of folds, with the same share."""
    sizes = [int(draw.weights.sum()) for draw in draws]
    shares = [1 / len(sizes) if by_fold else size / sum(sizes) for size in sizes]
    strata = tuple(draw.stratum(share) for draw, share in zip(draws, shares, strict=True))
    return MeanLaw(strata, 0.0, bounds, _together(draws, sizes) if by_fold else None)


@dataclass(frozen=True)
class GroupedMeanLaw(GroupedRatioLaw):
    """The law of a mean when whole groups are drawn: the ratio of the sums of their values to those of their cases.

    ``ends`` are the least and the most that the values of a group may all be.
    """

    ends: Ends = field(kw_only=True)

    @cached_property
    def worths(self) -> MeanWorths:  # type: ignore[override]  # values are no counts in cells
        """What the groups add, and one more whose values are all at an end."""
        sums, sizes = self.cells[0].T
        return MeanWorths(sums, sizes, self.ends)


@dataclass(frozen=True)
class MeanWorths:
    """A mean over groups with these sums of values and numbers of cases; shapes are those of one stratum, one point."""

    sums: Floats
    sizes: Floats
    support: Ends

    @property
    def estimate(self) -> Floats:
        return np.array([self.sums.sum() / self.sizes.sum()])

    @property
    def units(self) -> Floats:
        return np.array([[np.count_nonzero(self.sizes)]], dtype=np.float64)

    @property
    def effective(self) -> Floats:
        return number_of_one_size(self.sizes[None])[None]

    def unseen(self, side: int) -> list[Unseen]:
        """A group of typical size, all of its values at the end: its sum and its size."""
        size = typical(self.sizes[:, None], self.sizes)
        return [Unseen(0, np.concatenate([size * self.support[side > 0], size]))]

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        total, size = one.made_of
        whole = self.sizes.sum() + u * size
        value = (self.sums.sum() + u * total) / whole
        added = (self.sums - np.reshape(value, (-1, 1)) * self.sizes) / np.reshape(whole, (-1, 1))
        ends = added.min(axis=1), added.max(axis=1)
        return Moved(np.atleast_1d(value), (total - value * size) / whole, (added**2).sum(axis=1)[None], ends)


def grouped_mean_law(
    of_cases: MeanLaw, values: Floats, weights: Integers, groups: Integers, ends: Ends
) -> GroupedMeanLaw:
    """When whole groups are drawn; the values of another group may all be at either end."""
    sums, sizes = np.bincount(groups, weights * values), np.bincount(groups, weights).astype(np.float64)
    ratio = Term(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
    law = grouped_law(of_cases, np.column_stack([sums, sizes])[None], (ratio,))
    return GroupedMeanLaw(of_cases, law.cells, law.added, law.matters, law.terms, ends=ends)


def _together(folds: Sequence[Draw], sizes: Sequence[int]) -> Stratum:
    """One sample in which a value is as frequent as in the mean of the folds' shares."""
    shares = np.concatenate([fold.weights / size for fold, size in zip(folds, sizes, strict=True)]) / len(folds)
    values, place = np.unique(np.concatenate([fold.values for fold in folds]), return_inverse=True)
    size, ends = effective_size(sizes), np.array([fold.ends for fold in folds])
    counts = np.concatenate([size * np.bincount(place, shares), [0.0, 0.0]])[None]
    cells = np.concatenate([values, [ends.min(), ends.max()]])[None]
    return Stratum(counts, cells, np.full(counts.shape, 1 / counts.size), size, counts)


@np.errstate(under="ignore")
def _saddlepoint(law: LinearLaw, x: float) -> float:
    """P(X <= x) far below the mean, ``Phi(w) + phi(w) (1/w - 1/u)``: ``w = -sqrt(2 (t x - K))``, ``u = t sqrt(K'')``.

    K is the log of the moment generating function, t where its slope is x.
    """

    def excess(t: float) -> float:
        """K'(t) - x."""
        return float(law._tilted(np.array([t]))[0].mean[0]) - x

    unit = 1 / np.sqrt(float(law.variance[0]))
    t = -unit
    while excess(t) > 0:
        if t < -1e12 * unit:  # no resample is as low
            return 0.0
        t *= 2
    t = float(brentq(excess, t, 0.0))
    tilted, log_mgf = law._tilted(np.array([t]))
    w = -np.sqrt(2 * max(t * x - float(log_mgf[0]), 0.0))
    u = t * np.sqrt(float(tilted.variance[0]))
    density = np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi)
    return float(np.clip(ndtr(w) + density * (1 / w - 1 / u), 0.0, 1.0))
