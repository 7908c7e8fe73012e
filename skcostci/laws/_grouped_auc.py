"""The AUC, or the difference of two, when whole groups of cases are resampled.

The half wins of the positives of one group over the negatives of another make a matrix. A resample's AUC is the sum of
this matrix over all pairs of groups drawn, over the product M N of the positives and the negatives that they bring. If
all groups have the same numbers of both classes M N is fixed, and the moments are those of a quadratic form. Otherwise
``1 / (M N)`` and its square are integrals of ``exp(-u M - v N)``, which changes the probabilities of the groups but
leaves the draws independent: a quadrature over u and v is exact to rounding. It takes a matrix product for each node,
so that with many groups the moments are of first order (``pairs`` is None then).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Booleans, Floats
from skcostci.laws._auc import Differences, correlation
from skcostci.laws._several_classes import NOTHING
from skcostci.laws._worths import RankedWorths, WholeGroups

LOG_STEP = 0.3  # of the quadrature, in log u; its error is exp(-pi^2 / LOG_STEP), 5e-15
LOG_WEIGHT_LEFT_OUT = 32.0  # exp(-32) is what is left out next to u = 0


@dataclass(frozen=True)
class GroupedAUCLaw:
    """Mean and variance of the AUC, or of a difference of two, when groups are drawn; one entry a group in the arrays.

    ``positives`` and ``negatives`` are the groups' cases; ``won`` is the sum of the placements of a group's positives,
    each the share of all negatives it beats, and ``lost`` that of its negatives, each the share of all positives above
    it. Of a difference they are those under a minus those under b. ``pairs`` has the sums over pairs of groups, the
    positives' in the rows, or is None where it would be too large.
    """

    estimate: float
    positives: Floats
    negatives: Floats
    won: Floats
    lost: Floats
    pairs: Floats | None

    @property
    def support(self) -> tuple[float, float]:
        """The range of the parameter."""
        return 0.0, 1.0

    @property
    def n_groups(self) -> int:
        return len(self.positives)

    @property
    def is_exact(self) -> bool:
        """Whether mean and variance are exact rather than of first order."""
        return self.pairs is not None

    @property
    def undefined(self) -> float:
        """The probability that a resample lacks a class."""
        shares = [float((held == 0).mean()) for held in (self.positives, self.negatives)]
        return sum(share**self.n_groups for share in shares)

    @property
    def worths(self) -> RankedWorths:
        """What the groups add."""
        return RankedWorths(self.estimate, self.support, self.positives, self.negatives, self.won, self.lost)

    @property
    def mean(self) -> float:
        return self.estimate + self._moments[0]

    @property
    def variance(self) -> float:
        return self._moments[1]

    @cached_property
    def influence(self) -> Floats:
        """What each group adds to the statistic, to first order; 0 on average."""
        m, n = self.positives.sum(), self.negatives.sum()
        return np.asarray(
            (self.won - self.estimate * self.positives) / m + (self.lost - self.estimate * self.negatives) / n
        )

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """The mean minus the estimate, and the variance."""
        if self.pairs is None:
            return 0.0, float((self.influence**2).sum())
        off = self.pairs - self.estimate * np.multiply.outer(self.positives, self.negatives)
        kernel = (off + off.T) / 2
        if np.ptp(self.positives) == np.ptp(self.negatives) == 0:
            whole = float(self.positives.sum() * self.negatives.sum())
            first, second = (
                float(each[0]) for each in _of_form(kernel, np.full((1, self.n_groups), 1 / self.n_groups))
            )
            first, second = first / whole, second / whole**2
        else:
            first, second = self._integrated(kernel)
        return first, max(second - first**2, 0.0)

    @np.errstate(under="ignore")
    def _integrated(self, kernel: Floats) -> tuple[float, float]:
        """The first two moments of the form over M N, where neither is 0."""
        u, v = _nodes(self.positives), _nodes(self.negatives)
        first = second = 0.0
        for each in u.tolist():
            exponents = -each * self.positives - np.multiply.outer(v, self.negatives)
            top = exponents.max(axis=1, keepdims=True)
            tilted = np.exp(exponents - top)
            scale = np.exp(self.n_groups * (top[:, 0] + np.log(tilted.mean(axis=1))))
            form, square = _of_form(kernel, tilted / tilted.sum(axis=1, keepdims=True))
            first += each * float((v * scale) @ form)
            second += each**2 * float((v**2 * scale) @ square)
        share = 1 - self.undefined
        return LOG_STEP**2 * first / share, LOG_STEP**2 * second / share


@dataclass(frozen=True)
class GroupedAUCDifferenceLaw(GroupedAUCLaw):
    """The law of the difference in AUC of models a and b."""

    a: GroupedAUCLaw
    b: GroupedAUCLaw

    @classmethod
    def of_models(cls, a: GroupedAUCLaw, b: GroupedAUCLaw) -> GroupedAUCDifferenceLaw:
        """Of two models on the same groups."""
        pairs = None if a.pairs is None or b.pairs is None else a.pairs - b.pairs
        return cls(a.estimate - b.estimate, a.positives, a.negatives, a.won - b.won, a.lost - b.lost, pairs, a=a, b=b)

    @property
    def support(self) -> tuple[float, float]:
        return -1.0, 1.0

    @property
    def differing(self) -> Booleans:
        """Which groups the models place differently."""
        return np.asarray((np.abs(self.won) > NOTHING) | (np.abs(self.lost) > NOTHING))

    @property
    def differences(self) -> tuple[Differences, ...]:
        """How what groups add differs between the models, in each stratum."""
        return group_differences(self.worths, self.influence, self.differing)

    @property
    def covariance(self) -> float:
        """The covariance of the two AUCs in a resample."""
        return (self.a.variance + self.b.variance - self.variance) / 2

    @property
    def correlation(self) -> float:
        """Their correlation; 0 where either cannot vary."""
        return correlation(self.covariance, self.a.variance * self.b.variance)


def group_differences(worths: WholeGroups, added: Floats, differing: Booleans) -> tuple[Differences, ...]:
    """Of each stratum, on the scale of what a group of typical size can do: at worst ``mean + largest``."""
    ends = [[(one.stratum, worths.at(0.0, one).unseen) for one in worths.unseen(side)] for side in (-1, 1)]
    found = []
    for own, (stratum, units, size) in enumerate(zip(worths.strata, worths.units, worths.effective, strict=True)):
        down, up = (float(units * max(abs(end) for place, end in some if place == own)) for some in ends)
        of_own = added[stratum]
        far = min(float(units * np.abs(of_own).max()), (down + up) / 2)
        square, third = (float((of_own**power).sum() * size ** (power - 1)) for power in (2, 3))
        differ = float(differing[stratum].mean() * size)
        found.append(Differences(float(size), (down - up) / 2, (down + up) / 2, square, third, far, differ, True))
    return tuple(found)


@dataclass(frozen=True)
class FoldedGroupsLaw(GroupedAUCLaw):
    """The mean over folds of AUCs, or of differences, where groups are nested in folds and drawn there.

    Limits are asked of all groups together, each weighed as its fold is: placements are held against the mean of their
    own fold, and take more room where it has few groups.
    """

    parts: tuple[GroupedAUCLaw, ...]

    @classmethod
    def of(cls, parts: Sequence[GroupedAUCLaw]) -> FoldedGroupsLaw:
        estimate = float(np.mean([part.estimate for part in parts]))
        sides = [
            [(part.estimate, held, sums) for part, held, sums in zip(parts, *each, strict=True)]
            for each in (
                ([part.positives for part in parts], [part.won for part in parts]),
                ([part.negatives for part in parts], [part.lost for part in parts]),
            )
        ]
        (positives, won), (negatives, lost) = (_of_folds(side, estimate) for side in sides)
        return cls(estimate, positives, negatives, won, lost, None, tuple(parts))

    @property
    def is_exact(self) -> bool:
        return all(part.is_exact for part in self.parts)

    @property
    def undefined(self) -> float:
        return 1 - float(np.prod([1 - part.undefined for part in self.parts]))

    @property
    def mean(self) -> float:
        return float(np.mean([part.mean for part in self.parts]))

    @property
    def variance(self) -> float:
        return sum(part.variance for part in self.parts) / len(self.parts) ** 2


@dataclass(frozen=True)
class FoldedGroupsDifferenceLaw(FoldedGroupsLaw, GroupedAUCDifferenceLaw):
    """The mean over folds of differences, with the means of both models."""

    parts: tuple[GroupedAUCDifferenceLaw, ...]

    @property
    def differing(self) -> Booleans:
        return np.concatenate([part.differing for part in self.parts])

    @classmethod
    def of_pairs(cls, parts: Sequence[GroupedAUCDifferenceLaw]) -> FoldedGroupsDifferenceLaw:
        a, b = (FoldedGroupsLaw.of([getattr(part, name) for part in parts]) for name in "ab")
        mean = FoldedGroupsLaw.of(parts)
        held = mean.positives, mean.negatives, mean.won, mean.lost
        return cls(mean.estimate, *held, None, a=a, b=b, parts=tuple(parts))


def _of_folds(parts: Sequence[tuple[float, Floats, Floats]], estimate: float) -> tuple[Floats, Floats]:
    """How many cases of a class each group is worth, and its sum of placements about the mean of all folds.

    A fold with one group of the class shows nothing there: it is held against the mean of all.
    """
    whole, held, sums = sum(cases.sum() for _, cases, _ in parts), [], []
    for center, cases, placed in parts:
        groups, worth = int((cases > 0).sum()), whole / (len(parts) * cases.sum())
        about, room = (center, np.sqrt(groups / (groups - 1))) if groups > 1 else (estimate, 1.0)
        held.append(worth * cases)
        sums.append(worth * (estimate * cases + room * (placed - about * cases)))
    return np.concatenate(held), np.concatenate(sums)


@np.errstate(under="ignore")
def _of_form(kernel: Floats, probabilities: Floats) -> tuple[Floats, Floats]:
    """Mean and mean square of the sum of the kernel over all pairs of draws, for each row of probabilities.

    By Hoeffding's decomposition of the pairs of different draws; a draw with itself adds the diagonal.
    """
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


def _nodes(held: Floats) -> Floats:
    """Evenly spaced on the scale of log u, from where little is left out to where exp(-u M) is exp(-45) or less."""
    low, high = -LOG_WEIGHT_LEFT_OUT - np.log(held.sum()), np.log(45.0 / held[held > 0].min())
    return np.asarray(np.exp(np.arange(low, high + LOG_STEP, LOG_STEP)))
