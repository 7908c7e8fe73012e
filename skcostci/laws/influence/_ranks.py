"""The law of an AUC of two classes, or of a difference of two, from placements and exact in its moments.

The kernel psi is 1, 1/2 or 0 as a positive scores above, level with or below a negative. Minus its mean it is the sum
``g(positive) + h(negative) + c(positive, negative)``, and a resample's AUC averages each part over the cases drawn. The
placements g and h are the units of a :class:`FirstOrderLaw`; c adds its variance over the number of pairs, psi2 - gg -
hh from those of psi, g and h. The kernel of a difference of two models is the difference of their kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import binomial
from skcostci.laws.influence._first_order import OF_RANKS, Ends, FirstOrderLaw, Units, effective_size


def _inverse_sizes(m: int, n: int, sampling: str) -> tuple[float, float, float]:
    """The means of 1 / m, 1 / n and 1 / (m n) over resamples, for m positives and n negatives in them."""
    if sampling == "stratified":
        return 1 / m, 1 / n, 1 / (m * n)
    positives, negatives, pmf = class_sizes(m, n)
    of_positives, of_negatives, of_pairs = (pmf @ (1 / k) for k in (positives, negatives, positives * negatives))
    return float(of_positives), float(of_negatives), float(of_pairs)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class AUCLaw(FirstOrderLaw):
    """Fields: class ``sizes``; ``psi2``, the variance of psi; ``inverse``, the means of 1 / m, 1 / n and 1 / (m n).

    ``complement``, 1 - mean, keeps its digits near 0. Where class sizes vary the units are fewer, as effective numbers
    are harmonic means, and ``known`` is the law at the sizes of the sample.
    """

    sizes: tuple[int, int]
    psi2: float
    complement: float
    inverse: tuple[float, float, float]
    is_exact: ClassVar = True

    @classmethod
    def of(
        cls, mean: float, complement: float, strata: tuple[Units, Units], psi2: float, sampling: str, ends: Ends
    ) -> AUCLaw:
        m, n = (int(part.number) for part in strata)
        first = np.array([mean]), ends, strata, OF_RANKS  # estimate, ends, strata and most_unseen
        inverse = _inverse_sizes(m, n, "stratified")
        law = cls(*first, bilinear=True, sizes=(m, n), psi2=psi2, complement=complement, inverse=inverse)
        if sampling == "stratified":
            return law
        inverse = _inverse_sizes(m, n, sampling)
        numbers = min(m, 1 / inverse[0]), min(n, 1 / inverse[1])
        units = [part._replace(number=k, effective=k) for part, k in zip(strata, numbers, strict=True)]
        return replace(law, strata=tuple(units), inverse=inverse, known=law)

    @cached_property
    def variance(self) -> Floats:
        if self.of_weights is not None:
            return self.of_weights
        positive, negative = self.strata
        return np.maximum(self.variance_from(positive.square, negative.square), 0.0)

    def variance_from(self, gg: Floats, hh: Floats) -> Floats:
        """The variance of a resample's average if the placements had these variances."""
        of_positives, of_negatives, of_pairs = self.inverse
        return gg * of_positives + hh * of_negatives + (self.psi2 - gg - hh) * of_pairs

    @property
    def undefined(self) -> Floats:
        """The probability that a resample of all cases lacks a class."""
        total = sum(self.sizes)
        lacking = 0.0 if self.known is None else sum((size / total) ** total for size in self.sizes)
        return np.full(1, lacking)


def law_of_folds(parts: Sequence[AUCLaw]) -> AUCLaw:
    """The mean over folds, whose variances add.

    Limits are those of one sample with the effective number of cases of the mean, whose placements vary about their own
    fold's mean; of a single case of a class, about the mean over folds.
    """
    mean = float(np.mean([part.mean for part in parts]))
    strata, differing = [], []
    for own in (0, 1):
        each = [part.strata[own] for part in parts]
        size = float(effective_size([part.sizes[own] for part in parts]))
        strata.append(_of_folds(each, [part.mean - mean for part in parts], size))
        if parts[0].paired:
            differing.append(size * sum(part.differing[own] for part in parts) / sum(part.sizes[own] for part in parts))
    law = AUCLaw.of(mean, 1 - mean, (strata[0], strata[1]), np.nan, "stratified", parts[0].ends)
    law = replace(law, of_weights=np.sum([part.variance for part in parts], axis=0) / len(parts) ** 2)
    if not parts[0].paired:
        return law
    a, b = (law_of_folds([getattr(part, model) for part in parts]) for model in "ab")
    return replace(law, paired=True, differing=tuple(differing), a=a, b=b)


def _of_folds(each: Sequence[Units], off: Sequence[Floats], size: float) -> Units:
    """The placements of a class, with unbiased variances; ``off`` is each fold's AUC minus the mean over folds."""
    number = np.array([[one.number] for one in each])
    square, third, least, most, worst, best = (
        np.array([getattr(one, name) for one in each]) for name in ("square", "third", "least", "most", "worst", "best")
    )
    shift, weight = np.array(off) * (number == 1), size / (len(each) * number)
    spread = square * number / np.maximum(number - 1, 1) + shift**2
    moments = (weight * spread).mean(axis=0), (weight**2 * third).mean(axis=0), np.full(1, np.nan)
    seen = (weight * (least + shift)).min(axis=0, initial=0.0), (weight * (most + shift)).max(axis=0, initial=0.0)
    return Units(size, size, *moments, *seen, worst.mean(axis=0), best.mean(axis=0))


def class_sizes(n_positive: int, n_negative: int) -> tuple[Floats, Floats, Floats]:
    """The class sizes that a resample of all cases may have, none of them 0, and their probabilities."""
    total = n_positive + n_negative
    sizes, chances = binomial(total, n_positive / total, n_negative / total)
    both = (sizes > 0) & (sizes < total)
    positives, pmf = sizes[both].astype(np.float64), chances[both]
    return positives, total - positives, pmf / pmf.sum()
