"""Which order statistics bound the score that a share of a class reaches, whatever the distribution of scores.

Let q be the score that a share t of the class reaches: P(score >= q) >= t >= P(score > q). With scores going down,
Y_(1) >= Y_(2) >= ..., fewer than l of n reach q with probability at most P(Bin(n, t) <= l - 1), and u or more exceed it
with probability at most P(Bin(n, t) >= u). So q <= Y_(l) and q >= Y_(u) fail no more often than that; for continuous
scores exactly so often. Nothing is approximated.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from skcostci._validation import Floats, Integers


def rank_above(n: int, share: Floats, alpha: float) -> Integers:
    """The largest l with P(Bin(n, share) <= l - 1) <= alpha; 0 if there is none."""
    count = np.maximum(binom.ppf(alpha, n, share), 0.0)
    return np.asarray(np.where(binom.cdf(count, n, share) <= alpha, count + 1, count)).astype(np.int64)


def rank_below(n: int, share: Floats, alpha: float) -> Integers:
    """The smallest u with P(Bin(n, share) >= u) <= alpha; n + 1 if there is none."""
    return n + 1 - rank_above(n, 1 - share, alpha)
