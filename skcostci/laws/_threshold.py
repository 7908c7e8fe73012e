"""Where the threshold of a resample falls: which of n negatives is the r-th largest of n draws from them.

Draws count with multiplicity. In terms of numbers uniform on (0, 1), one a draw, a draw in ((k - 1) / n, k / n] being
the k-th largest negative, the r-th largest draw is a Beta(r, n - r + 1): an index law, whatever the scores and ties.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import betainccinv, betaincinv

from skcostci._validation import Floats
from skcostci.laws._lattice import Lattice

TAIL = 1e-15  # probability left out at each side of the window


def rank_law(rank: int, n: int) -> Lattice:
    """The position from the top, 1 to n, of the rank-th largest of n draws from n cases.

    The Beta density is integrated over each case by Gauss-Legendre: positive terms alone, so both tails are precise.
    """
    low = int(n * betaincinv(rank, n - rank + 1, TAIL))
    high = min(int(np.ceil(n * betainccinv(rank, n - rank + 1, TAIL))), n)
    nodes, weights = gauss(_nodes(rank, n))
    where = np.arange(low, high, dtype=np.float64) + nodes[:, None]
    pmf = weights @ np.exp(_log_density(where, rank, n))
    return Lattice(low + 1, pmf / pmf.sum())


def _nodes(rank: int, n: int) -> int:
    """Nodes a case that leave a relative error below 1e-12, the fewer the wider the law."""
    spread = np.sqrt(rank * (n - rank + 1) / n)
    return int(2 + np.searchsorted([-200, -40, -14, -7, -4], -spread) * 2)


def _log_density(where: Floats, rank: int, n: int) -> Floats:
    """Log of the Beta density at ``where / n``, relative to its mean so that nothing large cancels."""
    center = n * rank / (n + 1)
    off = where - center
    return np.asarray((rank - 1) * np.log1p(off / center) + (n - rank) * np.log1p(-off / (n - center)))


@cache
def gauss(count: int) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights on (0, 1)."""
    nodes, weights = leggauss(count)
    return (nodes + 1) / 2, weights / 2
