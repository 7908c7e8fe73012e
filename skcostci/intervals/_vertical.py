"""Limits for the true-positive rate at a fixed false-positive rate, and for the difference of two."""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._combined import joint_distance
from skcostci.intervals._method import Method
from skcostci.intervals._rank_beta import RANK_BETA, rank_beta_limit, rank_beta_median
from skcostci.laws import PairedVerticalLaw


def rank_mover(law: PairedVerticalLaw, alpha: Floats, side: int) -> Floats:
    """Each model's limits combined by MOVER about the medians of their confidence distributions, or the estimate."""
    decorrelation = law.decorrelation  # first: it needs room, and the confidence distributions are kept
    a, b = rank_beta_median(law.a), rank_beta_median(law.b)
    off_a = side * (rank_beta_limit(law.a, alpha, side) - a)
    off_b = -side * (rank_beta_limit(law.b, alpha, -side) - b)
    outwards = np.where(alpha <= 0.5, 1, -1)
    off_a, off_b = np.maximum(outwards * off_a, 0.0), np.maximum(outwards * off_b, 0.0)
    limits = a - b + side * outwards * joint_distance(off_a, off_b, decorrelation)
    return np.asarray(side * np.maximum(side * limits, side * law.estimate))


METHODS = (
    RANK_BETA,
    Method(
        "rank_mover",
        "rank Beta, MOVER",
        rank_mover,
        "Each model's limits, put together by MOVER with the correlation of the models.",
        RANK_BETA.caution,
    ),
)
