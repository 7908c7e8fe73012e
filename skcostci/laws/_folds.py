"""The mean of what folds of a cross-validation say, each a sample of its own that a model of its own has scored.

Given the models the folds are independent: variances add. Limits are asked of one sample instead, that of all cases,
because what a fold's few cases have not shown the other folds' cases may have: of as many cases as say as much as the
mean, whose placements, each among its own fold's cases, vary within folds and between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from skcostci._validation import Floats
from skcostci.laws._auc import AUCDifferenceLaw, AUCLaw, DifferenceKernelLaw, KernelLaw, correlation
from skcostci.laws._linear import LinearLaw, Stratum


@dataclass(frozen=True, kw_only=True)
class FoldedAUCLaw(KernelLaw):
    """The mean of the folds' AUCs."""

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

    @property
    def skewness(self) -> float:
        """Third standardized moment, 0 where the law is a point."""
        third = sum(part.skewness * part.variance**1.5 for part in self.parts) / len(self.parts) ** 3
        return third / self.variance**1.5 if self.variance > 0 else 0.0


@dataclass(frozen=True, kw_only=True)
class FoldedAUCDifferenceLaw(DifferenceKernelLaw):
    """The mean of the folds' differences in AUC, with the means of both models."""

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

    @property
    def covariance(self) -> float:
        """The covariance of the two means in a resample."""
        return sum(part.covariance for part in self.parts) / len(self.parts) ** 2

    @property
    def correlation(self) -> float:
        """The correlation of the two means in a resample; 0 where either cannot vary."""
        return correlation(self.covariance, self.a.variance * self.b.variance)


@dataclass(frozen=True)
class FoldedLaw:
    """The mean of the folds' sums of rates, at each of n_points points."""

    parts: tuple[LinearLaw, ...]

    @property
    def mean(self) -> Floats:
        return np.asarray(np.mean([part.mean for part in self.parts], axis=0))

    @property
    def variance(self) -> Floats:
        return np.asarray(np.sum([part.variance for part in self.parts], axis=0) / len(self.parts) ** 2)

    @property
    def is_exact(self) -> bool:
        """Whether that of every fold is."""
        return all(part.is_exact for part in self.parts)

    @property
    def support(self) -> tuple[Floats, Floats]:
        lows, highs = zip(*(part.support for part in self.parts), strict=True)
        return np.mean(lows, axis=0), np.mean(highs, axis=0)

    @cached_property
    def pooled(self) -> LinearLaw:
        """The law of one sample of the same mean."""
        strata = zip(*(part.strata for part in self.parts), strict=True)
        return LinearLaw(tuple(_pooled(stratum) for stratum in strata), self.parts[0].agresti)


def effective_size(sizes: Sequence[int]) -> int:
    """How many cases say as much as the mean of rates of samples of these sizes."""
    return max(round(len(sizes) ** 2 / sum(1 / size for size in sizes)), 1)


def _pooled(strata: Sequence[Stratum]) -> Stratum:
    """So many cases, which fall in the cells as often as in the mean and are worth as much there."""
    size = effective_size([stratum.draws for stratum in strata])
    shares, values = (np.array([getattr(s, name) for s in strata]) for name in ("probabilities", "values"))
    share, plain = shares.mean(axis=0), values.mean(axis=0)
    worth = np.where(share > 0, (shares * values).mean(axis=0) / np.where(share > 0, share, 1.0), plain)
    return Stratum(size * share, worth, strata[0].prior, size, size * share)


def _pooled_kernel(parts: Sequence[KernelLaw]) -> dict[str, Any]:
    """What a kernel law is made of.

    Placements vary about their own fold's mean: given the models, what differs between folds is no error. A class with
    one case in a fold shows nothing there, and its placement is held against the mean of all.
    """
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
    """Of a class the variance of placements, the cases that say as much, the least and the greatest placement."""
    size, folds = effective_size([cases for cases, *_ in parts]), len(parts)
    variance, least, most = 0.0, mean, mean
    for cases, spread, ends, center in parts:
        about, weight = center if cases > 1 else mean, size / (folds * cases)
        seen = spread * cases / max(cases - 1, 1)
        variance += weight / folds * (seen + (center - about) ** 2)
        least, most = min(least, mean + weight * (ends[0] - about)), max(most, mean + weight * (ends[1] - about))
    return variance, size, (least, most)


def _pooled_differences(parts: Sequence[AUCDifferenceLaw]) -> dict[str, Any]:
    """The third moments of both classes, and how many cases differ among as many as say as much."""
    third, differing = [], []
    for own in (0, 1):
        each = [part.differences[own] for part in parts]
        size = effective_size([int(one.cases) for one in each])
        third.append(sum(one.third * (size / (len(parts) * one.cases)) ** 2 for one in each) / len(parts))
        differing.append(sum(one.differing for one in each) * size / sum(one.cases for one in each))
    return {"ggg": third[0], "hhh": third[1], "differing": tuple(differing)}


def _mean_variance(parts: Sequence[KernelLaw]) -> float:
    """Of the mean of independent parts."""
    return sum(part.variance for part in parts) / len(parts) ** 2
