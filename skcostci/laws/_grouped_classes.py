"""The AUC of several classes, or the difference of two, when whole groups of cases are resampled, to first order.

Every average of AUCs between classes is ``T = sum_ij w_ij A_ij``, A_ij the share of pairs of a case of class i and one
of class j that column i puts in the right order. Groups bring cases of any class, so that the sizes n of the classes
vary in a resample, and with them the weights w(n). With won_ij(g) the sum of the shares of class j that the cases of
class i in group g beat under column i, and lost_ij(g) that of the shares of class i above its cases of class j, a group
adds ``sum_ij w_ij ((won_ij - n_i(g) A_ij) / n_i + (lost_ij - n_j(g) A_ij) / n_j) + sum_c n_c(g) dT/dn_c``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats
from skcostci.laws._auc import Differences, correlation
from skcostci.laws._grouped_auc import group_differences
from skcostci.laws._several_classes import NOTHING
from skcostci.laws._worths import Moved, Unseen, WholeGroups, typical

SIZE_STEP = 1e-5  # of a class, over which weights are differentiated: the error is its square


class PlacedClasses(NamedTuple):
    """What groups hold of each class, (n_groups, n_classes), the A_ij, and what they won and lost by i and j."""

    held: Floats
    shares: Floats
    won: Floats
    lost: Floats


@dataclass(frozen=True)
class GroupedClassesLaw:
    """Mean and variance of the average when groups are drawn, to first order; ``weigh`` gives w of class sizes.

    Of a difference A_ij, won and lost are those under model a minus those under b.
    """

    placed: PlacedClasses
    weigh: Callable[[Floats], Floats]

    @property
    def support(self) -> tuple[float, float]:
        """The range of the parameter."""
        return 0.0, 1.0

    @property
    def is_exact(self) -> bool:
        """Never: sizes of classes are in the denominators of several ratios at once."""
        return False

    @property
    def n_groups(self) -> int:
        return len(self.placed.held)

    @cached_property
    def estimate(self) -> float:
        return float((self.weigh(self.placed.held.sum(axis=0)) * self.placed.shares).sum())

    @property
    def mean(self) -> float:
        return self.estimate

    @property
    def variance(self) -> float:
        return float((self.influence**2).sum())

    @cached_property
    def influence(self) -> Floats:
        """What each group adds to the statistic, to first order; 0 on average."""
        return _influence(self.placed, self.weigh, self.placed.held.sum(axis=0))

    @property
    def undefined(self) -> float:
        """The probability that a resample lacks a class, at most: that it lacks two is counted twice."""
        absent = (self.placed.held == 0).mean(axis=0)
        return min(float((absent**self.n_groups).sum()), 1.0)

    @property
    def worths(self) -> ClassGroupsWorths:
        """What the groups add."""
        return ClassGroupsWorths(self)


@dataclass(frozen=True)
class GroupedClassesDifferenceLaw(GroupedClassesLaw):
    """The law of the difference of models a and b."""

    a: GroupedClassesLaw
    b: GroupedClassesLaw

    @classmethod
    def of_models(cls, a: GroupedClassesLaw, b: GroupedClassesLaw) -> GroupedClassesDifferenceLaw:
        """Of two models on the same groups."""
        less = (x - y for x, y in zip(a.placed[1:], b.placed[1:], strict=True))
        return cls(PlacedClasses(a.placed.held, *less), a.weigh, a, b)

    @property
    def support(self) -> tuple[float, float]:
        return -1.0, 1.0

    @property
    def differences(self) -> tuple[Differences, ...]:
        """How what groups add differs between the models, in each stratum."""
        differing = (np.abs(self.placed.won) > NOTHING) | (np.abs(self.placed.lost) > NOTHING)
        return group_differences(self.worths, self.influence, np.asarray(differing.any(axis=(1, 2))))

    @property
    def covariance(self) -> float:
        """The covariance of the two AUCs in a resample."""
        return float(self.a.influence @ self.b.influence)

    @property
    def correlation(self) -> float:
        """Their correlation; 0 where either cannot vary."""
        return correlation(self.covariance, self.a.variance * self.b.variance)


@dataclass(frozen=True)
class ClassGroupsWorths(WholeGroups):
    """The average by what groups add."""

    law: GroupedClassesLaw

    @property
    def estimate(self) -> Floats:
        return np.asarray(self.law.estimate)

    @property
    def support(self) -> tuple[float, float]:
        return self.law.support

    @property
    def held(self) -> Floats:
        return self.law.placed.held

    def unseen(self, side: int) -> list[Unseen]:
        """Of each class a group typical of those that hold it; it loses, or wins, all of its pairs: see ``_as_loser``.

        The part of its own class is that of the weights of the pairs which its cases of that class meet in.
        """
        held, end = self.held, self.law.support[side > 0]
        sizes = held.sum(axis=0)
        weights = self.law.weigh(sizes)
        met, found = (weights + weights.T).sum(axis=1) / sizes, []
        for own, many in enumerate(held.T):
            made = typical(held, many)
            parts = made * met
            found.append(Unseen(min(own, len(self.strata) - 1), np.append(made, end), parts[own] / parts.sum()))
        return found

    def _as_loser(self, end: float, weights: Floats) -> Floats:
        """A_ij of seen cases of class i and unseen ones of class j, under the column of i.

        A group fails, as a case does, in the columns of its cases' own classes and in one other for each class, where
        that costs most: there its cases stand above all others. In the rest they are as others are. The best is best
        in all.
        """
        shares = self.law.placed.shares
        fails = np.arange(len(shares))[:, None] == (weights * np.abs(shares - end)).argmax(axis=0)
        return np.where(fails | (end == self.law.support[1]) & (self.law.support[0] == 0), end, shares)

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        """The cases of the unseen group meet all others, and each other, at the end of the range."""
        placed, made, end = self.law.placed, one.made_of[:-1], one.made_of[-1]
        more, sizes = u * made, placed.held.sum(axis=0)
        whole = sizes + more
        as_loser = self._as_loser(end, self.law.weigh(sizes))
        new, kept = more / whole, sizes / whole
        shares = kept[:, None] * (kept * placed.shares + new * as_loser) + new[:, None] * end
        won = placed.won * kept + placed.held[:, :, None] * new * as_loser
        lost = placed.lost * kept[:, None] + placed.held[:, None, :] * new[:, None] * end
        added = _influence(PlacedClasses(placed.held, shares, won, lost), self.law.weigh, whole)
        pairs = np.full_like(shares, end)
        lost_alone = made * (kept[:, None] * as_loser + new[:, None] * end)
        alone = PlacedClasses(made[None], shares, (made[:, None] * pairs)[None], lost_alone[None])
        unseen = _influence(alone, self.law.weigh, whole)[0]
        value = float((self.law.weigh(whole) * shares).sum())
        return self.moved(value, added, unseen, one)


def _influence(placed: PlacedClasses, weigh: Callable[[Floats], Floats], sizes: Floats) -> Floats:
    """What each of the groups adds, in a sample whose classes have these sizes."""
    held, shares, won, lost = placed
    weights = weigh(sizes)
    by_winner = (weights * (won - held[:, :, None] * shares) / sizes[:, None]).sum(axis=(1, 2))
    by_loser = (weights * (lost - held[:, None, :] * shares) / sizes).sum(axis=(1, 2))
    steps = SIZE_STEP * np.diag(sizes)
    slopes = [((weigh(sizes + step) - weigh(sizes - step)) * shares).sum() / (2 * step.sum()) for step in steps]
    return np.asarray(by_winner + by_loser + held @ np.array(slopes))
