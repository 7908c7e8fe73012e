"""Limits for the true-positive rate at a fixed false-positive rate, and for the difference of two."""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._method import Method
from skcostci.intervals._mover import joint_distance
from skcostci.laws import PairedVerticalLaw, VerticalLaw


def rank_beta(law: VerticalLaw, alpha: Floats, side: int) -> Floats:
    """Quantiles of a confidence distribution: Beta laws mixed over the rank of the right threshold."""
    return law.confidence_limit(alpha, side)


def rank_mover(law: PairedVerticalLaw, alpha: Floats, side: int) -> Floats:
    """Each model's "rank_beta" limits combined by MOVER, about the medians of their confidence distributions."""
    median = np.array(0.5)
    a, b = (model.confidence_limit(median, 1) for model in (law.a, law.b))
    off_a, off_b = law.a.confidence_limit(alpha, side) - a, law.b.confidence_limit(alpha, -side) - b
    return np.asarray(a - b + side * joint_distance(np.abs(off_a), np.abs(off_b), law.discord))


METHODS = (
    Method("rank_beta", "rank Beta", rank_beta, "With five cases or fewer in a class."),
    Method("rank_mover", "rank Beta, MOVER", rank_mover, "With five cases or fewer in a class."),
)
