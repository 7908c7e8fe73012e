"""The exact bootstrap moments of a sum of AUCs between several classes: one-vs-rest, one-vs-one, and their differences.

With class sizes fixed, every average of such AUCs is ``sum_ij w_ij A_ij`` where ``A_ij`` is the share of pairs of a
case of class i and one of class j that column i puts in the right order. Two classes are compared under both their
columns by one kernel, ``w_ij psi_i + w_ji psi_j``; the sum is a U-statistic of as many samples as there are classes.

Its variance has a part due to the placements of cases and, for each kernel, a rest over n_i n_j, which neither class's
placements explain. The rest needs both columns together, which is most of the work and in large samples changes no
digit of the result. It is largest if the columns agree entirely. Where even that upper bound is negligible
(``NEGLIGIBLE_REST``), the bound is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.influence._first_order import Differences, Moved, Unseen
from skcostci.laws.influence._ranks import NOTHING, OfTwoModels, furthest

# Two classes: their indices, the half wins of each case of the first and the half losses of each of the second under
# both classes' columns (for two models, a's before b's), the sums over all pairs of the squares of half wins under each
# column, and the sums of products of half wins under each two columns, None where products were not counted.
ClassMeeting = tuple[int, int, Integers, Integers, list[int], list[list[int]] | None]

NEGLIGIBLE_REST = 2e-3  # of the variance: a thousandth of a standard error


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ClassesLaw:
    """Mean and variance of a sum of kernels between each two of K classes, each class resampled to its own size.

    ``units`` are the cases of each class. ``pairs[i, j]`` is the contribution of classes i and j to the mean, at most
    ``weights[i, j] + weights[j, i]``, the first for the column of class i. ``spread[i, j]`` is the variance of their
    kernel. ``placed[i]`` is, over the cases of class i, the covariance matrix of their placements against each class.
    The placements of a case add up to a value between ``lowest[i]`` and ``highest[i]``, whose third central moment is
    ``thirds[i]`` and which is not 0 for ``differing[i]`` cases. Diagonals are 0. ``is_exact`` says whether the spread
    is exact rather than its upper bound.
    """

    mean: float
    support: tuple[float, float]
    units: Floats
    pairs: Floats
    weights: Floats
    spread: Floats
    placed: Floats
    lowest: Floats
    highest: Floats
    thirds: Floats
    differing: Floats
    is_exact: bool

    @classmethod
    def from_meetings(
        cls,
        meetings: Iterable[ClassMeeting],
        cases: Sequence[Integers],
        weights: Floats,
        models: int,
        **each: ClassesLaw,
    ) -> Self:
        """From the counts of each two classes, cases per row, and ``w``; of two models a - b, ``each`` has both."""
        n = len(cases)
        sizes = np.array([many.sum() for many in cases])
        pairs, lost, spread = np.zeros((3, n, n))
        rows, is_exact = [np.zeros((n, len(many))) for many in cases], True
        for i, j, half_wins, half_losses, squares, products in meetings:
            worth = np.array([weights[i, j], -weights[j, i]]) / 2
            sums = np.array([int(cases[i] @ wins) for wins in half_wins], dtype=object)
            total, size = _contrast(models) @ sums, int(sizes[i]) * int(sizes[j])
            is_exact = is_exact and products is not None
            spread[i, j] = spread[j, i] = (
                _most_spread(worth, sums, squares, size) if products is None else _spread(worth, total, products, size)
            )
            most = 2 * size if models == 1 else 0
            lost[i, j] = lost[j, i] = (weights[i, j] * (most - total[0]) + weights[j, i] * total[1]) / (2 * size)
            rows[i][j] = worth @ _deviations(half_wins, total, int(sizes[i]), models) / sizes[j]
            rows[j][i] = worth @ _deviations(half_losses, total, int(sizes[j]), models) / sizes[i]
        pairs = (weights + weights.T if models == 1 else 0.0) - lost
        complement = float(lost.sum() / 2)
        placed = [pairs[i].sum() + row.sum(axis=0) for i, row in enumerate(rows)]
        return cls(
            mean=max(1.0 - complement, 0.0) if models == 1 else 0.0 - complement,
            support=(0.0, 1.0) if models == 1 else (-1.0, 1.0),
            units=sizes.astype(np.float64),
            pairs=pairs,
            weights=weights,
            spread=spread,
            placed=np.array([(row * many) @ row.T / many.sum() for row, many in zip(rows, cases, strict=True)]),
            lowest=np.array([values.min() for values in placed]),
            highest=np.array([values.max() for values in placed]),
            thirds=np.array([many @ row.sum(axis=0) ** 3 / many.sum() for row, many in zip(rows, cases, strict=True)]),
            differing=np.array([many @ (abs(v) > NOTHING) for v, many in zip(placed, cases, strict=True)], dtype=float),
            is_exact=is_exact,
            **each,
        )

    @property
    def estimate(self) -> float:
        return self.mean

    @cached_property
    def variance(self) -> float:
        """The variance of the sum in a resample: the part due to placements, and the rest of each kernel."""
        return max(sum(self._variances), 0.0)

    @property
    def rest_is_negligible(self) -> bool:
        placed, rest = self._variances
        return rest <= NEGLIGIBLE_REST * placed

    @property
    def _variances(self) -> tuple[float, float]:
        own = np.diagonal(self.placed, axis1=1, axis2=2)
        # A kernel varies at least as much as both classes' placements do, but for rounding.
        rest = np.maximum(self.spread - own - own.T, 0.0) / np.outer(self.units, self.units)
        return float((self.placed.sum(axis=(1, 2)) / self.units).sum()), float(np.triu(rest).sum())

    @property
    def effective(self) -> Floats:
        return self.units

    @cached_property
    def means(self) -> Floats:
        """The contribution of each class's pairs to the sum: the average of the placements of its cases."""
        return np.asarray(self.pairs.sum(axis=1))

    def unseen(self, side: int) -> list[Unseen]:
        """The worst case is last in its column and first in the one of largest weight; the best is best in all."""
        end = (self.weights + self.weights.T).sum(axis=1) * self.support[side > 0]
        spared = self.weights.sum(axis=0) - self.weights.max(axis=0) if side < 0 or self.support[0] < 0 else 0.0
        seen = np.abs((self.lowest if side < 0 else self.highest) - end)
        placed = np.minimum(seen, spared)
        # A case no further out than the class mean is not the worst (best): it is put at the end.
        placed = np.where(np.abs(self.means - end) > placed, placed, 0.0)
        return [Unseen(own, np.asarray(at)) for own, at in enumerate(end + -side * placed)]

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        """The case takes weight from its class: other classes' placements against that class shrink by ``kept``."""
        own, mean = one.stratum, self.means[one.stratum]
        whole = self.units[own] + u
        kept = self.units[own] / whole
        drop = (1 - kept) * (mean - one.made_of)
        weight = np.where(np.arange(len(self.units)) == own, kept, 1.0)
        squares = np.einsum("ijk,j,k->i", self.placed, weight, weight) / self.units
        squares[own] = self.units[own] * (self.placed[own].sum() + drop**2) / whole**2
        least, most = ((end[own] - mean + drop) / whole for end in (self.lowest, self.highest))
        return Moved(self.mean - drop, (one.made_of - mean + drop) / whole, squares, (least, most))


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ClassesDifferenceLaw(ClassesLaw, OfTwoModels):
    a: ClassesLaw
    b: ClassesLaw

    @property
    def differences(self) -> tuple[Differences, ...]:
        largest, means = (self.weights + self.weights.T).sum(axis=1).tolist(), self.means.tolist()
        return tuple(
            Differences(
                cases=float(self.units[i]),
                mean=means[i],
                largest=largest[i],
                square=max(float(self.placed[i].sum()), 0.0),
                third=float(self.thirds[i]),
                far=furthest((float(self.lowest[i]), float(self.highest[i])), means[i], largest[i]),
                differing=float(self.differing[i]),
            )
            for i in range(len(self.units))
        )


def _spread(worth: Floats, total: Integers, products: list[list[int]], size: int) -> float:
    """The variance of the kernel over pairs of two classes, from whole sums: exactly 0 where models agree."""
    contrast = _contrast(len(products) // 2)
    product = contrast @ np.array(products, dtype=object) @ contrast.T
    covariance = np.array(product * size - np.outer(total, total)) / size**2
    return float(worth @ covariance.astype(np.float64) @ worth)


def _most_spread(worth: Floats, sums: Integers, squares: list[int], size: int) -> float:
    """The largest possible variance of the kernel: for columns that agree, or disagree, entirely."""
    of_columns = [max(square * size - each**2, 0) / size**2 for square, each in zip(squares, sums, strict=True)]
    return float(np.abs(worth @ _contrast(len(squares) // 2)) @ np.sqrt(of_columns)) ** 2


def _deviations(half_wins: Integers, total: Integers, size: int, models: int) -> Floats:
    """How far each case's half wins, or losses, are from the average of its class."""
    whole, left = np.array([divmod(int(each), size) for each in total]).T
    return np.asarray(_contrast(models) @ half_wins - whole[:, None] - left[:, None] / size)


@cache
def _contrast(models: int) -> Integers:
    """The matrix that selects both columns of one model, or takes a's columns minus b's."""
    return np.hstack([np.eye(2, dtype=np.int64), -np.eye(2, dtype=np.int64)][:models])
