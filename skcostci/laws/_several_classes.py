"""The exact bootstrap moments of a sum of AUCs between several classes: one-vs-rest, one-vs-one, and their differences.

With class sizes fixed, every average of such AUCs is ``sum_ij w_ij A_ij`` where ``A_ij`` is the share of pairs of a
case of class i and one of class j that column i puts in the right order. Two classes meet under two columns, so that
they have one kernel, ``w_ij psi_i + w_ji psi_j``, and the sum is a U-statistic of as many samples as there are classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._auc import Differences, correlation, furthest
from skcostci.laws._worths import Moved, Unseen

NOTHING = 1e-12  # differences below this are rounding


class ClassMeeting(Protocol):
    """What is counted of two classes."""

    @property
    def first(self) -> int: ...

    @property
    def second(self) -> int: ...

    @property
    def half_wins(self) -> Integers: ...

    @property
    def half_losses(self) -> Integers: ...

    @property
    def products(self) -> list[list[int]]: ...


@dataclass(frozen=True, kw_only=True)
class ClassesLaw:
    """Mean and variance of a sum of kernels between each two of K classes, each class resampled to its own size.

    ``pairs[i, j]`` is what classes i and j bring to the mean, at most ``weights[i, j] + weights[j, i]``: the first is
    for the column of class i. ``spread[i, j]`` is the variance of their kernel. ``placed[i]`` is, over the cases of
    class i, the covariance matrix of their placements against each class; all placements of a case add up to a value
    between ``lowest[i]`` and ``highest[i]``, with a third central moment of ``thirds[i]``; ``differing[i]`` cases have
    some. Diagonals are 0.
    """

    sizes: Floats
    support: tuple[float, float]
    complement: float
    pairs: Floats
    weights: Floats
    spread: Floats
    placed: Floats
    lowest: Floats
    highest: Floats
    thirds: Floats
    differing: Floats

    @classmethod
    def from_meetings(
        cls,
        meetings: Iterable[ClassMeeting],
        cases: Sequence[Integers],
        weights: Floats,
        models: int,
        **each: ClassesLaw,
    ) -> Self:
        """From what is counted of each two classes, how many cases the rows of each stand for, and ``w``.

        Of two models it is the law of a's sum minus b's, and ``each`` are those of a and b.
        """
        n = len(cases)
        sizes = np.array([many.sum() for many in cases])
        pairs, lost, spread = np.zeros((3, n, n))
        rows = [np.zeros((n, len(many))) for many in cases]
        for meeting in meetings:
            i, j = meeting.first, meeting.second
            worth = np.array([weights[i, j], -weights[j, i]]) / 2
            total, product = _of_models(meeting, cases[i], models)
            size = int(sizes[i]) * int(sizes[j])
            covariance = np.array(product * size - np.outer(total, total)) / size**2
            spread[i, j] = spread[j, i] = worth @ covariance.astype(np.float64) @ worth
            most = 2 * size if models == 1 else 0
            lost[i, j] = lost[j, i] = (weights[i, j] * (most - total[0]) + weights[j, i] * total[1]) / (2 * size)
            rows[i][j] = worth @ _deviations(meeting.half_wins, total, int(sizes[i]), models) / sizes[j]
            rows[j][i] = worth @ _deviations(meeting.half_losses, total, int(sizes[j]), models) / sizes[i]
        pairs = (weights + weights.T if models == 1 else 0.0) - lost
        sums = [pairs[i].sum() + row.sum(axis=0) for i, row in enumerate(rows)]
        return cls(
            sizes=sizes.astype(np.float64),
            support=(0.0, 1.0) if models == 1 else (-1.0, 1.0),
            complement=float(lost.sum() / 2),
            pairs=pairs,
            weights=weights,
            spread=spread,
            placed=np.array([(row * many) @ row.T / many.sum() for row, many in zip(rows, cases, strict=True)]),
            lowest=np.array([values.min() for values in sums]),
            highest=np.array([values.max() for values in sums]),
            thirds=np.array([many @ row.sum(axis=0) ** 3 / many.sum() for row, many in zip(rows, cases, strict=True)]),
            differing=np.array([many @ (abs(v) > NOTHING) for v, many in zip(sums, cases, strict=True)], dtype=float),
            **each,
        )

    @property
    def is_exact(self) -> bool:
        """Always: class sizes are fixed."""
        return True

    @property
    def mean(self) -> float:
        """The sum itself."""
        return max(1.0 - self.complement, 0.0) if self.support[0] == 0 else 0.0 - self.complement

    @cached_property
    def variance(self) -> float:
        """Of the sum in a resample."""
        by_class = self.placed.sum(axis=(1, 2)) / self.sizes
        return max(float(by_class.sum() + np.triu(self.rest / np.outer(self.sizes, self.sizes)).sum()), 0.0)

    @property
    def worths(self) -> ClassesWorths:
        """What the cases of each class add."""
        return ClassesWorths(self)

    @cached_property
    def rest(self) -> Floats:
        """Of the variance of each kernel, what is in neither class's placements."""
        own = np.diagonal(self.placed, axis1=1, axis2=2)
        return np.maximum(self.spread - own - own.T, 0.0)


@dataclass(frozen=True)
class ClassesWorths:
    """A sum of kernels between classes by what the cases of each class add, which are drawn apart."""

    law: ClassesLaw

    @property
    def estimate(self) -> Floats:
        return np.asarray(self.law.mean)

    @property
    def support(self) -> tuple[float, float]:
        return self.law.support

    @property
    def units(self) -> Floats:
        return self.law.sizes

    @property
    def effective(self) -> Floats:
        return self.law.sizes

    @cached_property
    def means(self) -> Floats:
        """What the pairs of each class bring to the sum: the average of the placements of its cases."""
        return np.asarray(self.law.pairs.sum(axis=1))

    def unseen(self, side: int) -> list[Unseen]:
        """Of each class a case, by the sum of its placements.

        The worst is below all others in its own column and above them in one other class's, the one that counts most:
        it can hardly be so in several. The best is best in all. If all of a class were seen there, one may be worse.
        """
        law, toward = self.law, -side
        end = (law.weights + law.weights.T).sum(axis=1) * law.support[side > 0]
        spared = law.weights.sum(axis=0) - law.weights.max(axis=0) if side < 0 or law.support[0] < 0 else 0.0
        seen = np.abs((law.lowest if side < 0 else law.highest) - end)
        placed = np.minimum(seen, spared)
        placed = np.where(np.abs(self.means - end) > placed, placed, 0.0)
        return [Unseen(own, np.asarray(at)) for own, at in enumerate(end + toward * placed)]

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        """The case takes weight from its class: the placements of others against that one are drawn together."""
        law, own, mean = self.law, one.stratum, self.means[one.stratum]
        whole = law.sizes[own] + u
        kept = law.sizes[own] / whole
        drop = (1 - kept) * (mean - one.made_of)
        weight = np.where(np.arange(len(law.sizes)) == own, kept, 1.0)
        squares = np.einsum("ijk,j,k->i", law.placed, weight, weight) / law.sizes
        squares[own] = law.sizes[own] * (law.placed[own].sum() + drop**2) / whole**2
        least, most = ((end[own] - mean + drop) / whole for end in (law.lowest, law.highest))
        return Moved(law.mean - drop, (one.made_of - mean + drop) / whole, squares, (least, most))


@dataclass(frozen=True, kw_only=True)
class ClassesDifferenceLaw(ClassesLaw):
    """The law of a's sum minus b's, with those of both."""

    a: ClassesLaw
    b: ClassesLaw

    @property
    def differences(self) -> tuple[Differences, ...]:
        """How the placements of each class differ between the models."""
        largest, means = (self.weights + self.weights.T).sum(axis=1).tolist(), self.pairs.sum(axis=1).tolist()
        return tuple(
            Differences(
                cases=float(self.sizes[i]),
                mean=means[i],
                largest=largest[i],
                square=max(float(self.placed[i].sum()), 0.0),
                third=float(self.thirds[i]),
                far=furthest((float(self.lowest[i]), float(self.highest[i])), means[i], largest[i]),
                differing=float(self.differing[i]),
            )
            for i in range(len(self.sizes))
        )

    @property
    def covariance(self) -> float:
        """The covariance of the two sums in a resample."""
        return (self.a.variance + self.b.variance - self.variance) / 2

    @property
    def correlation(self) -> float:
        """The correlation of the two sums in a resample; 0 where either cannot vary."""
        return correlation(self.covariance, self.a.variance * self.b.variance)


def _of_models(meeting: ClassMeeting, cases: Integers, models: int) -> tuple[Integers, Integers]:
    """Half wins over all pairs under each class's column, and their products: of two models, of a minus b.

    Whole numbers of any size, so that models that agree differ by nothing.
    """
    sums = np.array([int(cases @ wins) for wins in meeting.half_wins], dtype=object)
    contrast = _contrast(models)
    return contrast @ sums, contrast @ np.array(meeting.products, dtype=object) @ contrast.T


def _deviations(half_wins: Integers, total: Integers, size: int, models: int) -> Floats:
    """How far each case's half wins, or losses, are from the average of its class."""
    whole, left = np.array([divmod(int(each), size) for each in total]).T
    return np.asarray(_contrast(models) @ half_wins - whole[:, None] - left[:, None] / size)


def _contrast(models: int) -> Integers:
    """Both columns of one model, or those of a minus those of b."""
    return np.hstack([np.eye(2, dtype=np.int64), -np.eye(2, dtype=np.int64)][:models])
