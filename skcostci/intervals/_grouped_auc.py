"""Limits of the AUC, and of the difference of two, that allow for a part of a group that was not seen.

As for cases that stand for themselves: a lower limit asks what the AUC may be if, beside the groups, there is part of
one of average size whose cases are all at the wrong end, and takes the Beta law with the mean and the variance that the
AUC has under Dirichlet weights of the groups. The variance is widened as Student's t is beside the normal.
"""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._method import Method
from skcostci.intervals._wide_beta import wide_beta, widening
from skcostci.laws import GroupedAUCLaw

UNSEEN = 0.1  # of a group


def unseen_group(law: GroupedAUCLaw, alpha: Floats, side: int) -> Floats:
    """A Beta quantile on the scale from the worst, which for an upper limit is the most, to the other end."""
    (least, most), alpha = law.support, np.asarray(alpha)
    unit = most - least
    worst = least if side < 0 else most
    mean = abs(law.estimate - worst) / unit
    won, lost = (
        np.abs(sums - worst * held) / unit for sums, held in ((law.won, law.positives), (law.lost, law.negatives))
    )
    center, variance = _with_unseen(law, mean, won, lost)
    heavier = widening(_freedom(law), alpha)
    above = wide_beta(center, heavier * variance, alpha) if mean > 0 else np.zeros(alpha.shape)
    return np.minimum(worst + unit * above, law.estimate) if side < 0 else np.maximum(most - unit * above, law.estimate)


def _with_unseen(law: GroupedAUCLaw, mean: float, won: Floats, lost: Floats) -> tuple[float, float]:
    """Mean and variance of the AUC when part of a group at the wrong end is added and groups get Dirichlet weights."""
    whole = law.n_groups + UNSEEN
    kept = law.n_groups / whole
    center = mean * kept**2
    m, n = law.positives.sum() / kept, law.negatives.sum() / kept
    added = (kept * won - center * law.positives) / m + (kept * lost - center * law.negatives) / n
    unseen = -2 * center / whole
    return center, float(whole / (whole + 1) * ((added**2).sum() + UNSEEN * unseen**2))


def _freedom(law: GroupedAUCLaw) -> Floats:
    """Degrees of freedom of the variance: fewer than groups of the scarcer class where few bring most of it."""
    square = float((law.influence**2).mean())
    kurtosis = float((law.influence**4).mean()) / square**2 if square > 0 else 1.0
    scarce = min(int((held > 0).sum()) for held in (law.positives, law.negatives))
    return np.asarray(max(min(scarce - 1, 2 * law.n_groups / max(kurtosis - 1, 1e-9)), 1))


METHODS = (
    Method(
        "unseen_group",
        "unseen group",
        unseen_group,
        "With fewer than about ten groups; wide where the AUC is near 1.",
        missing=" 'unseen_group' is for cases in groups.",
    ),
)
