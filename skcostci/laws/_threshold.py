"""Where the threshold of a resample falls: which of n negatives is the r-th largest of n draws from them.

Draws count with multiplicity. In terms of numbers uniform on (0, 1), one a draw, a draw in ((k - 1) / n, k / n] being
the k-th largest negative, the r-th largest draw is a Beta(r, n - r + 1): an index law, whatever the scores and ties.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import betainccinv, betaincinv

from skcostci._validation import Floats, Integers

SLOW = 16.0  # the variance of a rank's place below which its law is far from normal
TAIL = 1e-15  # probability left out at each side of the window


class RankLaws(NamedTuple):
    """How probable it is that the r-th largest of n draws lies beyond a place, one row a rank.

    ``beyond`` begins at the place before ``start``, the first of a row's window.
    """

    start: Integers
    beyond: Floats

    def at(self, row: Integers, place: Integers) -> Floats:
        """P(beyond the place), 1 before the row's window and 0 from its end on."""
        return np.asarray(self.beyond[row, np.clip(place - self.start[row] + 1, 0, self.beyond.shape[1] - 1)])


def rank_spans(rank: Integers, n: int) -> tuple[Floats, Floats]:
    """The places, in negatives before them, between which the rank-th largest of n draws lies.

    But for a probability of ``TAIL`` at either end, less at the first ranks and the last: laws there fall off slowly.
    """
    out = TAIL * np.minimum(rank * (n - rank + 1) / (n * SLOW), 1.0) ** 2
    return n * betaincinv(rank, n - rank + 1, out), n * betainccinv(rank, n - rank + 1, out)


def whole_windows(spans: tuple[Floats, Floats], n: int) -> tuple[Integers, Integers]:
    """The first and the last negative, from 1 to n, within each."""
    low, high = spans
    return low.astype(np.int64) + 1, np.minimum(np.ceil(high).astype(np.int64), n)


def rank_laws(rank: Integers, n: int) -> RankLaws:
    """Of the position from the top, 1 to n, of the rank-th largest of n draws from n cases.

    The Beta density is integrated over each case by Gauss-Legendre: positive terms alone, so both tails are precise.
    """
    start, last = (places[:, None] for places in whole_windows(rank_spans(rank, n), n))
    place, rank = start + np.arange(int((last - start).max()) + 1), rank[:, None]
    pmf: Floats = np.zeros(place.shape)
    for node, weight in zip(*gauss(_nodes(rank, n)), strict=True):
        pmf += weight * np.exp(_log_density(np.minimum(place, n) - node, rank, n))
    pmf[place > last] = 0.0
    beyond = np.zeros((len(pmf), pmf.shape[1] + 1))
    np.cumsum(pmf[:, ::-1], axis=1, out=beyond[:, -2::-1])
    return RankLaws(start[:, 0], beyond / beyond[:, :1])


def _nodes(rank: Integers, n: int) -> int:
    """Nodes a case that leave a relative error below 1e-12, the fewer the wider the law."""
    spread = np.sqrt(rank * (n - rank + 1) / n).min()
    return int(2 + np.searchsorted([-200, -40, -14, -7, -4], -spread) * 2)


def _log_density(where: Floats, rank: Integers, n: int) -> Floats:
    """Log of the Beta density at ``where / n``, relative to its mean so that nothing large cancels."""
    center = n * rank / (n + 1)
    off = where - center
    return np.asarray((rank - 1) * np.log1p(off / center) + (n - rank) * np.log1p(-off / (n - center)))


@cache
def gauss(count: int) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights on (0, 1)."""
    nodes, weights = leggauss(count)
    return (nodes + 1) / 2, weights / 2
