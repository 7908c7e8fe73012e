"""AUCs, of two classes or of several, and differences between two models in them, when whole groups are resampled.

Every average of AUCs between classes is ``T = sum_ij w_ij A_ij``, A_ij the share of pairs of a case of class i and one
of class j that column i puts in the right order; for two classes it is A_ij of positives and negatives. Groups have
cases of any class, so that the sizes n of the classes vary in a resample, and with them the weights w(n). With
won_ij(g) the sum of the shares of class j that the cases of class i in group g beat under column i, lost_ij(g) the sum
of the shares of class i above its cases of class j, and n_i(g) its cases of class i (``counts``), its influence is

    sum_ij w_ij ((won_ij - n_i(g) A_ij) / n_i + (lost_ij - n_j(g) A_ij) / n_j) + sum_c n_c(g) dT/dn_c.

**For two classes** moments are exact where the matrix of half wins of the positives of one group over the negatives of
another fits in memory. A resample's AUC is the sum of this matrix over all pairs of groups drawn, over the product
M N of the numbers of positives and negatives drawn. If all groups have the same numbers of both classes M N is fixed,
and the moments are those of a quadratic form. Otherwise ``1 / (M N)`` and its square are integrals of
``exp(-u M - v N)``, which changes the probabilities of the groups but leaves the draws independent: a quadrature over u
and v is exact to rounding. It takes a matrix product per node, so that ``pairs`` is None for many groups. Then, and for
several classes, the mean is the estimate and the variance the sum of the squared influence values.

**Groups nested in folds** are drawn there, and variances add, as the folds are independent given their models. Limits
are computed from all groups together, with the weights of their folds: placements are centred on the mean of their own
fold, and are stretched where it has few groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci.laws._rounding import shares_of_greatest
from skcostci.laws.influence._first_order import (
    Moved,
    Unseen,
    furthest_reach,
    group_strata,
    number_of_one_size,
    typical_groups,
)
from skcostci.laws.influence._ranks import OfTwoModels
from skcostci.laws.influence._variation import DrawnUnits, Variation

SIZE_STEP = 1e-5  # relative change of a class size over which weights are differentiated: the error is its square
LOG_STEP = 0.3  # of the quadrature, in log u; its error is exp(-pi^2 / LOG_STEP), 5e-15
LOG_WEIGHT_LEFT_OUT = 32.0  # exp(-32) is what is left out next to u = 0
LARGEST_EXPONENT = 45.0  # exp(-45) is what is left out at the other end


class PlacedClasses(NamedTuple):
    """The cases of each class in groups, (n_groups, n_classes), the A_ij, and won_ij and lost_ij of each group."""

    counts: Floats
    shares: Floats
    won: Floats
    lost: Floats

    @classmethod
    def of_two(cls, share: float, positives: Floats, negatives: Floats, won: Floats, lost: Floats) -> PlacedClasses:
        """For two classes: the placements of a group's positives add up to ``won``, of its negatives to ``lost``."""
        return cls(np.column_stack([positives, negatives]), *(_at_pair(each) for each in (share, won, lost)))

    def minus(self, other: PlacedClasses) -> PlacedClasses:
        return PlacedClasses(self.counts, *(a - b for a, b in zip(self[1:], other[1:], strict=True)))

    def influence(self, weigh: Callable[[Floats], Floats], sizes: Floats) -> Floats:
        counts, shares, won, lost = self
        weights = weigh(sizes)
        by_winner = (weights * (won - counts[:, :, None] * shares) / sizes[:, None]).sum(axis=(1, 2))
        by_loser = (weights * (lost - counts[:, None, :] * shares) / sizes).sum(axis=(1, 2))
        steps = SIZE_STEP * np.diag(sizes)
        slopes = [((weigh(sizes + step) - weigh(sizes - step)) * shares).sum() / (2 * step.sum()) for step in steps]
        return np.asarray(by_winner + by_loser + counts @ np.array(slopes))


def _at_pair(values: Floats | float) -> Floats:
    """Values of the first class against the second, in the last two axes."""
    return np.asarray(np.multiply.outer(values, [[0.0, 1.0], [0.0, 0.0]]))


def one_pair(_sizes: Floats) -> Floats:
    return _at_pair(1.0)


@dataclass(frozen=True, repr=False, eq=False)
class GroupedAUCLaw:
    """Mean and variance of an AUC, or of a difference of two, when groups are drawn, and the worths for limits.

    ``weigh`` returns w at class sizes. For two classes ``pairs`` has the sums of half wins over pairs of groups, the
    positives' in the rows, or is None where it would be too large; ``parts`` are the laws of folds.
    """

    placed: PlacedClasses
    weigh: Callable[[Floats], Floats] = one_pair
    pairs: Floats | None = None
    parts: tuple[GroupedAUCLaw, ...] = ()

    @classmethod
    def of_folds(cls, parts: Sequence[GroupedAUCLaw]) -> GroupedAUCLaw:
        return cls(_together(parts), parts=tuple(parts))

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0

    @property
    def n_groups(self) -> int:
        return len(self.placed.counts)

    @property
    def is_exact(self) -> bool:
        return all(part.pairs is not None for part in self.parts or (self,))

    @cached_property
    def sizes(self) -> Floats:
        return np.asarray(self.placed.counts.sum(axis=0))

    @cached_property
    def estimate(self) -> float:
        return float((self.weigh(self.sizes) * self.placed.shares).sum())

    @property
    def undefined(self) -> float:
        """An upper bound of the probability that a resample lacks a class: lacking two classes is counted twice."""
        if self.parts:
            return 1 - float(np.prod([1 - part.undefined for part in self.parts]))
        absent = (self.placed.counts == 0).mean(axis=0)
        return min(float((absent**self.n_groups).sum()), 1.0)

    @property
    def mean(self) -> float:
        return self.estimate + self._moments[0]

    @property
    def variance(self) -> float:
        return self._moments[1]

    @cached_property
    def influence(self) -> Floats:
        return self.placed.influence(self.weigh, self.sizes)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        if self.parts:
            first, variance = np.sum([part._moments for part in self.parts], axis=0)
            return float(first) / len(self.parts), float(variance) / len(self.parts) ** 2
        if self.pairs is None:
            return 0.0, float((self.influence**2).sum())
        positives, negatives = self.placed.counts.T
        off = self.pairs - self.estimate * np.multiply.outer(positives, negatives)
        first, second = _exact_moments((off + off.T) / 2, positives, negatives)
        return first, max(second - first**2, 0.0)

    @cached_property
    def strata(self) -> list[Booleans]:
        return group_strata(self.placed.counts)

    @property
    def units(self) -> Floats:
        return np.array([stratum.sum() for stratum in self.strata], dtype=np.float64)

    @property
    def effective(self) -> Floats:
        sizes = self.placed.counts.sum(axis=1)
        return np.array([number_of_one_size(sizes[stratum]) for stratum in self.strata])

    @cached_property
    def drawn(self) -> DrawnUnits:
        """The groups that "extrapolated" rests on; influence values of a class are taken to vary as 1 / its size."""
        counts = self.placed.counts
        sizes, spreads = counts.sum(axis=1), counts @ (1 / self.sizes**2)
        strata = [
            Variation.of(k * self.influence, sizes * own, spreads * own, np.ones(len(own)))
            for k, own in zip(self.units.tolist(), self.strata, strict=True)
        ]
        reach = furthest_reach(self, self.units)
        return DrawnUnits.of(self.estimate, self.support, strata, reach, paired=isinstance(self, OfTwoModels))

    def unseen(self, side: int) -> list[Unseen]:
        """Per class a typical group of those with cases of it, which loses or wins all its pairs (``_as_loser``)."""
        end, groups = self.support[side > 0], typical_groups(self.placed.counts)
        return [each._replace(made_of=np.append(each.made_of, end)) for each in groups]

    def _as_loser(self, end: float) -> Floats:
        """A_ij of seen cases of class i and unseen ones of class j, under the column of i.

        The worst group fails in its cases' own columns and, by class, in the other one that costs most (equal ones
        share); the best is best in all.
        """
        shares = self.placed.shares
        costs = self.weigh(self.sizes) * np.abs(shares - end)
        best = end == self.support[1] and self.support[0] == 0
        fails = np.ones_like(costs) if best else shares_of_greatest(costs, 0)
        return np.asarray(fails * end + (1 - fails) * shares)

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        """The unseen group's cases meet all others, and each other, at the end of the range."""
        counts, shares, won, lost = self.placed
        made, end = one.made_of[:-1], one.made_of[-1]
        whole = self.sizes + u * made
        new, kept, as_loser = u * made / whole, self.sizes / whole, self._as_loser(end)
        met = kept[:, None] * as_loser + new[:, None] * end
        moved = kept[:, None] * kept * shares + new * kept[:, None] * as_loser + new[:, None] * end
        won = won * kept + counts[:, :, None] * new * as_loser
        lost = lost * kept[:, None] + counts[:, None, :] * new[:, None] * end
        added = PlacedClasses(counts, moved, won, lost).influence(self.weigh, whole)
        alone = np.broadcast_to(made[:, None] * end, shares.shape)[None], (made * met)[None]
        unseen = PlacedClasses(made[None], moved, *alone).influence(self.weigh, whole)[0]
        squares = np.array([(added[stratum] ** 2).sum() for stratum in self.strata])
        own = added[self.strata[one.stratum]]
        value = np.asarray((self.weigh(whole) * moved).sum())
        return Moved(value, np.asarray(unseen), squares, (own.min(), own.max()))


@dataclass(frozen=True, repr=False, eq=False)
class GroupedAUCDifferenceLaw(GroupedAUCLaw, OfTwoModels):
    a: GroupedAUCLaw = field(kw_only=True)
    b: GroupedAUCLaw = field(kw_only=True)

    @classmethod
    def of_models(cls, a: GroupedAUCLaw, b: GroupedAUCLaw) -> GroupedAUCDifferenceLaw:
        pairs = None if a.pairs is None or b.pairs is None else a.pairs - b.pairs
        return cls(a.placed.minus(b.placed), a.weigh, pairs, a=a, b=b)

    @classmethod
    def of_paired_folds(cls, parts: Sequence[GroupedAUCDifferenceLaw]) -> GroupedAUCDifferenceLaw:
        a, b = (GroupedAUCLaw.of_folds([getattr(part, name) for part in parts]) for name in "ab")
        return cls(_together(parts), parts=tuple(parts), a=a, b=b)

    @property
    def support(self) -> tuple[float, float]:
        return -1.0, 1.0


def _together(parts: Sequence[GroupedAUCLaw]) -> PlacedClasses:
    """All groups of folds, weighted and centred by fold, stretched to be unbiased; single ones centred on all."""
    estimate, sides = float(np.mean([part.estimate for part in parts])), []
    for own, name in enumerate(("won", "lost")):
        whole, counts, sums = sum(part.sizes[own] for part in parts), [], []
        for part in parts:
            cases, groups = part.placed.counts[:, own], int((part.placed.counts[:, own] > 0).sum())
            worth = whole / (len(parts) * part.sizes[own])
            center, stretch = (part.estimate, np.sqrt(groups / (groups - 1))) if groups > 1 else (estimate, 1.0)
            off = getattr(part.placed, name)[:, 0, 1] - center * cases
            counts.append(worth * cases)
            sums.append(worth * (estimate * cases + stretch * off))
        sides.append((np.concatenate(counts), np.concatenate(sums)))
    (positives, won), (negatives, lost) = sides
    return PlacedClasses.of_two(estimate, positives, negatives, won, lost)


@np.errstate(under="ignore")
def _exact_moments(kernel: Floats, positives: Floats, negatives: Floats) -> tuple[float, float]:
    """The first two moments of the form over M N, where neither is 0."""
    n_groups = len(positives)
    if np.ptp(positives) == np.ptp(negatives) == 0:
        first, second = _of_form(kernel, np.full((1, n_groups), 1 / n_groups))
        whole = float(positives.sum() * negatives.sum())
        return float(first[0]) / whole, float(second[0]) / whole**2
    u, v = _nodes(positives), _nodes(negatives)
    first_moment = second_moment = 0.0
    for each in u.tolist():
        exponents = -each * positives - np.multiply.outer(v, negatives)
        top = exponents.max(axis=1, keepdims=True)
        tilted = np.exp(exponents - top)
        scale = np.exp(n_groups * (top[:, 0] + np.log(tilted.mean(axis=1))))
        form, square = _of_form(kernel, tilted / tilted.sum(axis=1, keepdims=True))
        first_moment += each * float((v * scale) @ form)
        second_moment += each**2 * float((v**2 * scale) @ square)
    defined = 1 - sum(float((counts == 0).mean()) ** n_groups for counts in (positives, negatives))
    return LOG_STEP**2 * first_moment / defined, LOG_STEP**2 * second_moment / defined


def _of_form(kernel: Floats, probabilities: Floats) -> tuple[Floats, Floats]:
    """Mean and mean square of the kernel summed over pairs of draws, by row of probabilities (Hoeffding)."""
    draws, own_pairs = len(kernel), np.diag(kernel)
    projected = probabilities @ kernel
    level = (probabilities * projected).sum(axis=1)
    own = projected - level[:, None]
    mean = draws * (draws - 1) * level + draws * (probabilities @ own_pairs)
    each = own_pairs + 2 * (draws - 1) * own
    by_one = (probabilities * each**2).sum(axis=1) - (probabilities * each).sum(axis=1) ** 2
    square = ((probabilities @ kernel**2) * probabilities).sum(axis=1)
    by_two = square - level**2 - 2 * (probabilities * own**2).sum(axis=1)
    return mean, mean**2 + draws * by_one + 2 * draws * (draws - 1) * by_two


def _nodes(counts: Floats) -> Floats:
    """Evenly spaced on the scale of log u, from where little is left out to where exp(-u M) is next to nothing."""
    low, high = -LOG_WEIGHT_LEFT_OUT - np.log(counts.sum()), np.log(LARGEST_EXPONENT / counts[counts > 0].min())
    return np.asarray(np.exp(np.arange(low, high + LOG_STEP, LOG_STEP)))
