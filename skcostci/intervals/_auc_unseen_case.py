"""Limits of the AUC, and of the difference of two, that allow for the worst case of a class not being seen yet.

Kernels are put on a scale from 0, the worst a pair of cases can be, to 1. A lower limit asks what the mean may be if a
class has one more case, all of whose pairs are at 0; the upper limit asks so from the other end of the scale.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._auc import welch_df
from skcostci.intervals._method import Method
from skcostci.intervals._mover import joint_distance
from skcostci.intervals._unseen_case import unseen_case
from skcostci.intervals._wide_beta import wide_beta, widening
from skcostci.laws import AUCDifferenceLaw, KernelLaw

# Of a case. Of placements that are 0 or 1 a limit of .05 so misses less than .06; with 1 it is Clopper and Pearson's.
UNSEEN = 0.92


class Part(NamedTuple):
    """What a class brings to the mean of a kernel.

    Its cases, the variance and the greatest of their placements, and the sizes the class may have in a resample.
    """

    cases: int
    variance: float
    top: float
    sizes: Floats


@unseen_case.register
def unseen_placement(law: KernelLaw, alpha: Floats, side: int) -> Floats:
    """A Beta quantile of the Bayesian bootstrap with a part of a case that is the worst there can be (or the best).

    One class has such a case, the one whose limit lies further out: both having it is too much to fear. Class sizes
    that vary widen the interval; where they narrow it, in resamples of classes of one or two, it is as if they did not.
    """
    least, most = law.support
    limit = _above_the_worst(law, alpha, side)
    if law is not law.given_sizes:
        limit = np.minimum(limit, _above_the_worst(law.given_sizes, alpha, side))
    moved = (most - least) * limit
    return np.minimum(least + moved, law.mean) if side < 0 else np.maximum(most - moved, law.mean)


def _above_the_worst(law: KernelLaw, alpha: Floats, side: int) -> Floats:
    """How far the limit is above the worst, which for an upper limit is the most, on the scale from 0 to 1."""
    ends, unit = law.support, np.ptp(law.support)
    worst = ends[0] if side < 0 else ends[1]
    mean = abs(law.mean - worst) / unit
    if mean == 0:
        return np.zeros(np.shape(alpha))
    positives, negatives, share = law.sizes
    positive, negative = (
        Part(cases, variance / unit**2, max(abs(end - worst) / unit for end in placements), sizes)
        for cases, variance, placements, sizes in (
            (law.n_positive, law.gg, law.range_positive, positives),
            (law.n_negative, law.hh, law.range_negative, negatives),
        )
    )
    rest = law.psi2 / unit**2, share, mean, alpha
    return np.minimum(_limit(positive, negative, *rest), _limit(negative, positive, *rest))


def _doubt(part: Part, other: Part, mean: float) -> float:
    """How little the placements seen in a class may say about those that were not, from 0 to 1.

    It is near 1 where they are all or nothing, 0 or the greatest seen: then their variance is the largest that their
    mean allows. It is also near 1 where a case at 0 would bring most of the variance that the mean has.
    """
    lost = UNSEEN / (part.cases + UNSEEN)
    fall, left = lost * mean**2, (1 - lost) * mean
    all_or_nothing = min((1 - lost) * (part.variance + fall) / (left * (part.top - left)), 1.0)
    brought = fall / part.cases
    new = brought / (brought + part.variance / part.cases + other.variance / other.cases)
    return 1 - (1 - all_or_nothing) * (1 - new)


def _limit(own: Part, other: Part, psi2: float, share: Floats, mean: float, alpha: Floats) -> Floats:
    """The limit if the first class has the unseen case: a quantile of the Beta law with the moments of the mean.

    That law ends at the greatest placement of the class, or further up as the other class brings more of the variance.
    The variance is widened as Student's t is beside the normal, in so far as it was estimated: where placements are all
    or nothing it follows from the mean, and no degree of freedom is lost.
    """
    own_doubt, other_doubt = _doubt(own, other, mean), _doubt(other, own, mean)
    center, variance, (by_own, by_other) = _moments(own, other, UNSEEN * own_doubt, psi2, share, mean)
    freedom = _freedom(own, own_doubt), _freedom(other, other_doubt)
    heavier = widening(welch_df(by_own, by_other, *freedom), alpha)
    top = own.top + (1 - own.top) * by_other / (by_own + by_other)
    return top * wide_beta(center / top, heavier * variance / top**2, alpha)


def _freedom(part: Part, doubt: float) -> float:
    """Degrees of freedom of the variance of a class's placements; as if many where it is not estimated."""
    return max(part.cases - 1, 1) / max(1 - doubt, 1e-12)


def _moments(
    own: Part, other: Part, unseen: float, psi2: float, share: Floats, mean: float
) -> tuple[float, float, tuple[float, float]]:
    """Mean and variance of the kernel's mean under Dirichlet weights, and what of the variance each class brings.

    An unseen case at 0 has taken a share of the first class's weight; the classes have the sizes of a resample.
    """
    whole = own.sizes + unseen
    lost, kept = unseen / whole, own.sizes / whole
    fall = lost * mean**2
    of_own, of_other = kept * (own.variance + fall), kept**2 * other.variance
    of_pairs = np.maximum(kept * (psi2 + fall) - of_own - of_other, 0.0)
    by_own, by_other = of_own / (whole + 1), of_other / (other.sizes + 1)
    average = float(share @ kept)
    by_size = ((kept - average) * mean) ** 2
    variance = float(share @ (by_own + by_other + of_pairs / ((whole + 1) * (other.sizes + 1)) + by_size))
    return average * mean, variance, (float(share @ by_own), float(share @ by_other))


def mover(law: AUCDifferenceLaw, alpha: Floats, side: int) -> Floats:
    """Each model's limits combined by MOVER: distances from the estimates add as correlated deviations do.

    The bootstrap correlation is drawn towards 0, as if by one more case of the smaller class: were it 1, equal
    distances would leave nothing.
    """
    scarce = min(law.n_positive, law.n_negative)
    correlation = law.correlation * scarce / (scarce + 1)
    a = np.abs(unseen_placement(law.a, alpha, side) - law.a.mean)
    b = np.abs(unseen_placement(law.b, alpha, -side) - law.b.mean)
    return np.asarray(law.mean + side * joint_distance(a, b, 1 - correlation))


METHODS = (Method("mover", "MOVER", mover, "Where the models differ in a few cases only, and there by much."),)
