"""The exact bootstrap moments of the empirical AUC, from the Hoeffding components of its kernel.

The kernel psi is 1, 1/2 or 0 as a positive scores above, level with or below a negative. Minus its mean it is the sum
``g(positive) + h(negative) + c(positive, negative)``, and a resample's AUC averages each part over the cases drawn.
The kernel of a difference of two models is the difference of their kernels.

**Folds** of a cross-validation are each scored by a model of their own. Their variances add, as the folds are
independent given the models. Limits are those of one sample instead, with the effective number of cases of the mean,
whose placements, each among its own fold's cases, vary within folds.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import binomial
from skcostci.laws.influence._first_order import Differences, StepWorths, Unseen, effective_size

NOTHING = 1e-12  # differences of placements below this are rounding


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class KernelLaw(ABC):
    """Mean and variance of a kernel's average over a resample.

    ``gg`` is the average of g * g over all pairs, and so on; ``psi2`` is the variance of the kernel itself. The ranges
    have the least and greatest placement, the kernel's average over the pairs of one positive or of one negative.
    """

    mean: float
    n_positive: int
    n_negative: int
    sampling: str
    gg: float
    hh: float
    psi2: float
    range_positive: tuple[float, float]
    range_negative: tuple[float, float]

    @property
    def is_exact(self) -> bool:
        """Always true: the moments of any kernel are exact, also those of means over folds."""
        return True

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """The least and the largest value of the kernel."""

    @cached_property
    def variance(self) -> float:
        return max(self.variance_from(self.gg, self.hh), 0.0)

    def variance_from(self, gg: float, hh: float) -> float:
        """The variance of a resample's average if the projections had these variances."""
        return self._combine(gg, hh, self.psi2)

    def _combine(self, gg: float, hh: float, psi2: float) -> float:
        """The variance (or covariance) of averages, from the variances (or covariances) of their components."""
        rest = psi2 - gg - hh
        return gg * self._size_moment(1, 0) + hh * self._size_moment(0, 1) + rest * self._size_moment(1, 1)

    def _size_moment(self, a: int, b: int) -> float:
        """The mean of ``1 / (positives**a * negatives**b)`` over resamples."""
        positives, negatives, pmf = self.sizes
        return float(pmf @ (positives**-a * negatives**-b))

    @cached_property
    def sizes(self) -> tuple[Floats, Floats, Floats]:
        if self.sampling == "stratified":
            return np.array([float(self.n_positive)]), np.array([float(self.n_negative)]), np.ones(1)
        return class_sizes(self.n_positive, self.n_negative)

    @cached_property
    def cases(self) -> Floats:
        """The effective number of cases of each class: fewer than in the sample where class sizes vary."""
        sizes = np.array([self.n_positive, self.n_negative], dtype=np.float64)
        if self.sampling == "stratified":
            return sizes
        # The effective numbers are harmonic means of sizes, at most the sizes themselves.
        return np.minimum(sizes, [1 / self._size_moment(1, 0), 1 / self._size_moment(0, 1)])

    @cached_property
    def given_sizes(self) -> Self:
        return self if self.sampling == "stratified" else replace(self, sampling="stratified")

    @cached_property
    def worths(self) -> StepWorths:
        """The worths of the cases; an unseen case has all of its pairs at the end of the kernel's range."""
        variances, ranges = np.array([self.gg, self.hh]), (self.range_positive, self.range_negative)
        low, high = ([Unseen(stratum, np.asarray(end)) for stratum in (0, 1)] for end in self.support)
        return StepWorths(self.mean, self.support, self.cases, self.cases, variances, ranges, (low, high))


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class AUCLaw(KernelLaw):
    """Mean and variance of the AUC of a resample; ``complement``, 1 - mean, keeps its digits near 0."""

    complement: float

    @classmethod
    def from_placements(
        cls,
        cases_positive: Integers,
        cases_negative: Integers,
        half_wins_positive: Integers,
        half_losses_negative: Integers,
        first_not_below: Integers,
        level: Integers,
        *,
        sampling: str,
    ) -> AUCLaw:
        """From the cases at each distinct score, the pairs they win and the order of the scores: ``_counts.place``."""
        m, n = int(cases_positive.sum()), int(cases_negative.sum())
        a, b = cases_positive.astype(np.float64), cases_negative.astype(np.float64)
        lost, lost_to = (2 * n - half_wins_positive) / (2 * n), (2 * m - half_losses_negative) / (2 * m)
        mean, complement = _shares(float(a @ half_wins_positive) / (2 * m * n), float(a @ lost) / m)
        g, h = np.subtract(complement, lost, out=lost), np.subtract(complement, lost_to, out=lost_to)
        tied = float((a[level] * b[first_not_below[level]] / (m * n)).sum())
        return cls(
            mean=mean,
            complement=complement,
            n_positive=m,
            n_negative=n,
            sampling=sampling,
            gg=float((a * g) @ g) / m,
            hh=float((b * h) @ h) / n,
            psi2=_kernel_variance(mean, complement, tied),
            range_positive=_range(half_wins_positive, cases_positive, 2 * n),
            range_negative=_range(half_losses_negative, cases_negative, 2 * m),
        )

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0


class OfTwoModels(ABC):
    """The covariance of models a and b in resamples, from the variance of their difference."""

    a: Any
    b: Any

    @property
    @abstractmethod
    def variance(self) -> float: ...

    @property
    def covariance(self) -> float:
        return float(self.a.variance + self.b.variance - self.variance) / 2

    @property
    def correlation(self) -> float:
        return correlation(self.covariance, self.a.variance * self.b.variance)


def correlation(covariance: float, variances: float) -> float:
    """The correlation, from the covariance and the product of both variances; 0 where that product is 0."""
    return min(max(covariance / math.sqrt(variances), -1.0), 1.0) if variances > 0 else 0.0


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class DifferenceKernelLaw(KernelLaw):
    """The law of a difference of two kernels, with third moments of placements and numbers of cases that differ."""

    ggg: float
    hhh: float
    differing: tuple[float, float]

    @property
    def support(self) -> tuple[float, float]:
        return -1.0, 1.0

    @property
    def differences(self) -> tuple[Differences, Differences]:
        classes = (
            (float(self.cases[0]), self.gg, self.ggg, self.range_positive, self.differing[0]),
            (float(self.cases[1]), self.hh, self.hhh, self.range_negative, self.differing[1]),
        )
        positives, negatives = (
            Differences(cases, self.mean, 1.0, square, third, furthest(ends, self.mean, 1.0), differing)
            for cases, square, third, ends, differing in classes
        )
        return positives, negatives


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class AUCDifferenceLaw(DifferenceKernelLaw, OfTwoModels):
    """The difference of a and b, with covariances ``_ab`` of components; moments of its own, as those would cancel."""

    a: AUCLaw
    b: AUCLaw
    gg_ab: float
    hh_ab: float
    psi2_ab: float

    @classmethod
    def from_cells(
        cls,
        a: AUCLaw,
        b: AUCLaw,
        *,
        cells_positive: tuple[Integers, Integers, Integers],
        cells_negative: tuple[Integers, Integers, Integers],
        half_wins: tuple[int, int],
        tied_pairs: tuple[int, int],
        half_wins_both: int,
    ) -> AUCDifferenceLaw:
        """From the cases per pair of scores and half wins (losses) under a and b; whole totals to the end."""
        m, n = a.n_positive, a.n_negative
        pairs, (won_a, won_b), excess = m * n, half_wins, half_wins[0] - half_wins[1]
        squares = 2 * (won_a + won_b - half_wins_both) - sum(tied_pairs)
        gg, gg_ab, ggg = _paired_moments(*cells_positive, 2 * n, half_wins)
        hh, hh_ab, hhh = _paired_moments(*cells_negative, 2 * m, half_wins)
        return cls(
            mean=excess / (2 * pairs),
            n_positive=m,
            n_negative=n,
            sampling=a.sampling,
            gg=gg,
            hh=hh,
            psi2=(squares * pairs - excess**2) / (4 * pairs**2),
            range_positive=_range(cells_positive[1] - cells_positive[2], cells_positive[0], 2 * n),
            range_negative=_range(cells_negative[1] - cells_negative[2], cells_negative[0], 2 * m),
            a=a,
            b=b,
            gg_ab=gg_ab,
            hh_ab=hh_ab,
            psi2_ab=(half_wins_both * pairs - won_a * won_b) / (4 * pairs**2),
            ggg=ggg,
            hhh=hhh,
            differing=(_differing(*cells_positive), _differing(*cells_negative)),
        )

    @cached_property
    def covariance(self) -> float:
        return self._combine(self.gg_ab, self.hh_ab, self.psi2_ab)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class FoldedAUCLaw(KernelLaw):
    parts: tuple[AUCLaw, ...]

    @classmethod
    def of(cls, parts: Sequence[AUCLaw]) -> FoldedAUCLaw:
        return cls(parts=tuple(parts), **_pooled_kernel(parts))

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0

    @cached_property
    def variance(self) -> float:
        return _mean_variance(self.parts)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class FoldedAUCDifferenceLaw(DifferenceKernelLaw, OfTwoModels):
    parts: tuple[AUCDifferenceLaw, ...]
    a: FoldedAUCLaw
    b: FoldedAUCLaw

    @classmethod
    def of(cls, parts: Sequence[AUCDifferenceLaw]) -> FoldedAUCDifferenceLaw:
        a, b = FoldedAUCLaw.of([part.a for part in parts]), FoldedAUCLaw.of([part.b for part in parts])
        return cls(parts=tuple(parts), a=a, b=b, **_pooled_kernel(parts), **_pooled_differences(parts))

    @cached_property
    def variance(self) -> float:
        return _mean_variance(self.parts)


def class_sizes(n_positive: int, n_negative: int) -> tuple[Floats, Floats, Floats]:
    """The class sizes that a resample of all cases may have, none of them 0, and their probabilities."""
    total = n_positive + n_negative
    sizes = binomial(total, n_positive / total, n_negative / total)
    both = (sizes.support > 0) & (sizes.support < total)
    positives, pmf = sizes.support[both].astype(np.float64), sizes.pmf[both]
    return positives, total - positives, pmf / pmf.sum()


def furthest(ends: tuple[float, float], mean: float, largest: float) -> float:
    """The largest distance of placements from their mean, at most ``largest``."""
    return min(max(mean - ends[0], ends[1] - mean), largest)


def _differing(cases: Integers, half_wins_a: Integers, half_wins_b: Integers) -> float:
    return float(cases[half_wins_a != half_wins_b].sum())


def _range(half_wins: Integers, cases: Integers, whole: int) -> tuple[float, float]:
    occurring = half_wins[cases > 0]
    return float(occurring.min()) / whole, float(occurring.max()) / whole


def _paired_moments(
    cases: Integers, half_wins_a: Integers, half_wins_b: Integers, whole: int, totals: tuple[int, int]
) -> tuple[float, float, float]:
    """For one class the variance of the difference in placement, the covariance, and the difference's third moment."""
    n = int(cases.sum())

    def centred(half_wins: Integers, total: int) -> Floats:
        return np.asarray(half_wins / whole - total / (n * whole))

    difference = centred(half_wins_a - half_wins_b, totals[0] - totals[1])
    covariance = cases @ (centred(half_wins_a, totals[0]) * centred(half_wins_b, totals[1]))
    square = difference * difference  # powers take ten times as long
    return float(cases @ square) / n, float(covariance) / n, float(cases @ (square * difference)) / n


def _shares(won: float, lost: float) -> tuple[float, float]:
    """Two shares that add up to 1: the smaller one, which is the more precise, decides."""
    return (1 - lost, lost) if lost < won else (won, 1 - won)


def _kernel_variance(mean: float, complement: float, tied: float) -> float:
    """From the shares of pairs won, tied and lost."""
    won, lost = max(mean - tied / 2, 0.0), max(complement - tied / 2, 0.0)
    return won * complement**2 + tied * (0.5 - mean) ** 2 + lost * mean**2


def _pooled_kernel(parts: Sequence[KernelLaw]) -> dict[str, Any]:
    """The fields of a kernel law of the mean over folds; placements vary about their own fold's mean."""
    mean = float(np.mean([part.mean for part in parts]))
    gg, positives, range_positive = _pooled_class([(p.n_positive, p.gg, p.range_positive, p.mean) for p in parts], mean)
    hh, negatives, range_negative = _pooled_class([(p.n_negative, p.hh, p.range_negative, p.mean) for p in parts], mean)
    noise = [(part.psi2 - part.gg - part.hh) / (part.n_positive * part.n_negative) for part in parts]
    return {
        "mean": mean,
        "n_positive": positives,
        "n_negative": negatives,
        "sampling": "stratified",
        "gg": gg,
        "hh": hh,
        "psi2": gg + hh + sum(noise) * positives * negatives / len(parts) ** 2,
        "range_positive": range_positive,
        "range_negative": range_negative,
    }


def _pooled_class(
    parts: Sequence[tuple[int, float, tuple[float, float], float]], mean: float
) -> tuple[float, int, tuple[float, float]]:
    """For one class the variance of placements, the effective number of cases, the least and greatest placement."""
    size, folds = effective_size([cases for cases, *_ in parts]), len(parts)
    variance, least, most = 0.0, mean, mean
    for cases, spread, ends, center in parts:
        about, weight = center if cases > 1 else mean, size / (folds * cases)
        seen = spread * cases / max(cases - 1, 1)
        variance += weight / folds * (seen + (center - about) ** 2)
        least, most = min(least, mean + weight * (ends[0] - about)), max(most, mean + weight * (ends[1] - about))
    return variance, size, (least, most)


def _pooled_differences(parts: Sequence[AUCDifferenceLaw]) -> dict[str, Any]:
    """The third moments of both classes, and how many of the effective number of cases differ."""
    third, differing = [], []
    for own in (0, 1):
        each = [part.differences[own] for part in parts]
        size = effective_size([int(one.cases) for one in each])
        third.append(sum(one.third * (size / (len(parts) * one.cases)) ** 2 for one in each) / len(parts))
        differing.append(sum(one.differing for one in each) * size / sum(one.cases for one in each))
    return {"ggg": third[0], "hhh": third[1], "differing": tuple(differing)}


def _mean_variance(parts: Sequence[KernelLaw]) -> float:
    return sum(part.variance for part in parts) / len(parts) ** 2
