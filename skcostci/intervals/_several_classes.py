"""The limits for several classes that allow for the worst case of a class not being seen yet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._method import Method
from skcostci.intervals._unseen import OF_RANKS as UNSEEN
from skcostci.intervals._unseen_case import METHODS as OF_UNSEEN_CASE
from skcostci.intervals._unseen_case import unseen_case
from skcostci.intervals._wide_beta import wide_beta, widening
from skcostci.laws import ClassesLaw


class Kernels(NamedTuple):
    """The sum of kernels between classes on a scale from 0, the worst that it can be, to 1.

    Of each class the cases, what its pairs bring to the mean, and the least and the greatest placement of a case; the
    least is that of one not seen.
    """

    sizes: Floats
    means: Floats
    floors: Floats
    tops: Floats
    placed: Floats
    rest: Floats
    mean: float


@unseen_case.register
def unseen_in_a_class(law: ClassesLaw, alpha: Floats, side: int) -> Floats:
    """As for two classes: one of them has such a case, the one whose limit lies furthest out."""
    least, most = law.support
    kernels = _from_the_worst(law, side)
    limits = [_limit(kernels, own, alpha) for own in range(len(law.sizes))]
    moved = (most - least) * np.minimum.reduce(limits)
    return np.asarray(np.minimum(least + moved, law.mean) if side < 0 else np.maximum(most - moved, law.mean))


def _from_the_worst(law: ClassesLaw, side: int) -> Kernels:
    """How far all is above the worst, which for an upper limit is the most.

    The worst case of a class is below all others in its own column and above them in one other class's, the one that
    counts most: it can hardly be so in several. The best one is best in all.
    """
    unit, two_models = np.ptp(law.support), law.support[0] < 0
    sums, seen = law.pairs.sum(axis=1), law.lowest if side < 0 else law.highest
    ends = sums, seen, law.highest if side < 0 else law.lowest
    worst = (law.weights + law.weights.T).sum(axis=1) * law.support[side > 0]
    means, least, tops = (abs(end - worst) / unit for end in ends)
    spared = (law.weights.sum(axis=0) - law.weights.max(axis=0)) / unit
    floors = np.minimum(least, spared if side < 0 or two_models else 0.0)
    floors = np.where(means > floors, floors, 0.0)  # where all of a class were seen there, one may be still worse
    return Kernels(law.sizes, means, floors, tops, law.placed / unit**2, law.rest / unit**2, float(means.sum() / 2))


def _doubts(kernels: Kernels) -> Floats:
    """Of each class, how little the placements that were seen may say about those that were not, from 0 to 1."""
    lost = UNSEEN / (kernels.sizes + UNSEEN)
    above = kernels.means - kernels.floors
    fall, left = lost * above**2, (1 - lost) * above
    variances = kernels.placed.sum(axis=(1, 2))
    room = left * (kernels.tops - kernels.floors - left)
    all_or_nothing = np.where(room > 0, (1 - lost) * (variances + fall) / np.where(room > 0, room, 1.0), 1.0)
    brought = fall / kernels.sizes
    whole = brought + (variances / kernels.sizes).sum()
    new = np.where(whole > 0, brought / np.where(whole > 0, whole, 1.0), 1.0)
    return np.asarray(1 - (1 - np.minimum(all_or_nothing, 1.0)) * (1 - new))


def _limit(kernels: Kernels, own: int, alpha: Floats) -> Floats:
    """The limit if one class has the unseen case: a quantile of the Beta law with the moments of the mean.

    That law ends where the class's placements let it, or further out as the other classes bring more of the variance.
    """
    doubts = _doubts(kernels)
    center, variance, brought = _moments(kernels, own, UNSEEN * doubts[own])
    if variance <= 0:
        return np.full(np.shape(alpha), center)
    freedom = np.maximum(kernels.sizes - 1, 1) / np.maximum(1 - doubts, 1e-12)
    df = brought.sum() ** 2 / (brought**2 / freedom).sum()
    others = kernels.mean - kernels.means[own]
    share = brought[own] / brought.sum()
    bottom = share * (others + kernels.floors[own])
    width = share * (others + kernels.tops[own]) + 1 - share - bottom
    return np.asarray(
        bottom + width * wide_beta((center - bottom) / width, widening(df, alpha) * variance / width**2, alpha)
    )


def _moments(kernels: Kernels, own: int, unseen: float) -> tuple[float, float, Floats]:
    """Mean and variance of the sum under Dirichlet weights, and what of the variance each class brings.

    An unseen case at the floor has taken a share of the weight of one class.
    """
    sizes = kernels.sizes + unseen * (np.arange(len(kernels.sizes)) == own)
    kept = kernels.sizes / sizes
    above = kernels.means[own] - kernels.floors[own]
    lost = (1 - kept[own]) * above
    variances = np.einsum("ijk,j,k->i", kernels.placed, kept, kept)
    variances[own] = kept[own] * (kernels.placed[own].sum() + lost * above)
    brought = variances / (sizes + 1)
    outer = kernels.placed[:, own, own] * (1 - kept[own])  # of the others' placements, what turns into noise of pairs
    rest = kernels.rest.copy()
    rest[own] = rest[:, own] = kept[own] * (kernels.rest[own] + outer)
    noise = np.triu(rest / np.outer(sizes + 1, sizes + 1)).sum()
    return kernels.mean - lost, float(brought.sum() + noise), brought


METHODS: tuple[Method[ClassesLaw], ...] = OF_UNSEEN_CASE
