"""Limits for the difference of two true-positive rates at a fixed false-positive rate ("rank_mover").

Each model has its rank Beta limits and the median m of its confidence distribution (``_rank_beta``). With x and y the
distances of a's limit on one side and of b's on the other from their medians, and r the correlation of the two rates,

    limit = m_a - m_b + side sqrt(x^2 + y^2 - 2 r x y)          (MOVER; Zou and Donner 2008),

no nearer than the estimate. Beyond levels of .9999 the root moves towards x + y, so that limits can reach the ends of
the range; and where ties make a curve jump, distances are measured from the jump, and a positive r is replaced by 0.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from skcostci._arrays import Floats
from skcostci.intervals._method import Method
from skcostci.intervals._rank_beta import RANK_BETA, jumps_near, rank_beta_limit, rank_beta_median
from skcostci.laws.exact._paired_vertical import PairedRates

FAR, FURTHEST = 3.9, 8.2  # normal quantiles: at a level of .9999, and where probabilities are 0 relative to 1


def rank_mover(law: PairedRates, alpha: Floats, side: int) -> Floats:
    # First, as it needs memory, and the confidence distributions are cached.
    decorrelation = law.decorrelation
    a, b = rank_beta_median(law.a), rank_beta_median(law.b)
    off_a = np.maximum(side * (rank_beta_limit(law.a, alpha, side) - a), 0.0)
    off_b = np.maximum(-side * (rank_beta_limit(law.b, alpha, -side) - b), 0.0)
    distance = joint_distance(off_a, off_b, decorrelation)
    to_ends = np.abs(law.a.support[side > 0] - a), np.abs(law.b.support[side < 0] - b)
    distance += _far_out((off_a, off_b), to_ends, alpha) * (off_a + off_b - distance)
    furthest = np.maximum(side * (a - b + side * distance), side * law.estimate)
    if jumps_near(law.a) is not None or jumps_near(law.b) is not None:
        furthest = np.fmax(furthest, _beyond_jumps(law, (a, b), np.broadcast_to(alpha, a.shape), side))
    return np.asarray(side * furthest)


def _beyond_jumps(law: PairedRates, medians: tuple[Floats, Floats], alpha: Floats, side: int) -> Floats:
    """Limits where that of one model or both lies beyond a jump, without credit for a positive r; NaN elsewhere."""
    limits = rank_beta_limit(law.a, alpha, side), rank_beta_limit(law.b, alpha, -side)
    ends = []
    for one, limit, median, towards in zip((law.a, law.b), limits, medians, (side, -side), strict=True):
        jump = jumps_near(one)
        end = np.full(limit.shape, np.nan) if jump is None else np.clip(limit, jump.low, jump.high)
        ends.append(np.where(towards * (end - median) > 0, end, np.nan))
    decorrelation = np.maximum(law.decorrelation, 1.0)
    found = []
    for a, b in ((ends[0], medians[1]), (medians[0], ends[1]), (ends[0], ends[1])):
        distance = joint_distance(np.abs(limits[0] - a), np.abs(limits[1] - b), decorrelation)
        found.append(side * (a - b) + distance)
    return np.asarray(np.fmax(np.fmax(found[0], found[1]), found[2]))


def _far_out(offs: tuple[Floats, Floats], to_ends: tuple[Floats, Floats], alpha: Floats) -> Floats:
    """The share of the way from MOVER's distance to x + y, so that limits reach the ends; 0 at levels up to .9999."""
    gone = [
        np.where(to_end > 0, off / np.where(to_end > 0, to_end, 1.0), 1.0)
        for off, to_end in zip(offs, to_ends, strict=True)
    ]
    return np.asarray(np.clip((-ndtri(alpha) - FAR) / (FURTHEST - FAR), 0.0, 1.0) * np.minimum(*gone))


def joint_distance(x: Floats, y: Floats, decorrelation: Floats | float) -> Floats:
    """The root of x^2 + y^2 - 2 r x y, ``decorrelation`` 1 - r; at its minimum where a wider part would narrow it."""
    x, y = np.maximum(x, (1 - decorrelation) * y), np.maximum(y, (1 - decorrelation) * x)
    return np.asarray(np.sqrt((x - y) ** 2 + 2 * decorrelation * x * y))


METHODS = (
    Method(
        "rank_mover",
        "rank Beta, MOVER",
        rank_mover,
        "the limits of each model's rank Beta interval, combined by MOVER with the models' correlation.",
        RANK_BETA.caution,
    ),
)
