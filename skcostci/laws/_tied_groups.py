"""How far into tied groups a resample's curve must go, for many groups of few negatives side by side.

As in :mod:`._tied_group`, of n negatives drawn some score more than the group, in which the curve reaches t of them.
Let rank = ceil(t). If rank - 1 - i negatives score more and 1 + i + e are in the group, the share is
(t - rank + 1 + i) / (1 + i + e), and its multinomial probability is, up to a factor,

    u_i v_e B(i + 1, e + 1),    u_i / u_(i - 1) = (rank - i) size / (above i),    v_e / v_(e - 1) likewise from below,

B being the Beta function: sums over i and e are bilinear forms of positive terms.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

import numpy as np
from scipy.special import gammaln, xlogy

from skcostci._validation import Floats, Integers
from skcostci.laws._points import in_blocks
from skcostci.laws._tied_group import TiedGroup
from skcostci.laws._tied_integrals import Groups, TiedIntegrals

SHORT = 80  # terms of a group whose moments are sums, not integrals,
LISTED = 2**7  # and whose law is listed
TOGETHER = 2**10  # groups at once,
HELD = 3 * 2**10, 2**14  # of which as many terms as negatives, within these bounds
DEVIATIONS = 8.0  # from the mean, beyond which numbers of draws do not matter
IMPROBABLE = 1e-17  # shares that are left out, in those of the most probable


class TiedGroups(Groups):
    """Groups of any size."""

    def __iter__(self) -> Iterator[TiedGroup]:
        return map(self._group, range(len(self.t)))

    @property
    def moments(self) -> Floats:
        """The mean and the variance of each group's share, given that the curve ends there, shape (2, n_groups)."""
        moments = np.zeros((2, len(self.t)))
        for some in np.array_split(np.arange(len(self.t)), 1 + len(self.t) // TOGETHER):
            moments[:, some] = TiedGroups(*self.part(some))._moments()
        return moments

    def _moments(self) -> Floats:
        """Those of all groups together."""
        moments = np.zeros((2, len(self.t)))
        for some, i, u, v in self._short(SHORT):
            moments[:, some] = _moments(i, u, v, self.first[some])
        ends = np.isinf(self._reach)
        for some in in_blocks(np.flatnonzero(ends), 2 * self._margin.astype(np.int64) + 1, self._held):
            moments[:, some] = self._at_ends(some)
        long = ~ends & (self._reach > SHORT)
        if long.any():
            moments[:, long] = TiedIntegrals(*self.part(long)).moments
        return moments

    @cached_property
    def _margin(self) -> Floats:
        """How far from the mean numbers of draws in a group are probable."""
        return DEVIATIONS * (np.sqrt(self.size * (1 - self.size / self.n) + 1) + 1)

    def _beyond(self, variance: Floats) -> Floats:
        """Deviations and terms beyond the mean or the mode that matter."""
        return np.asarray(DEVIATIONS * (np.sqrt(variance + 1) + 1))

    def _at_ends(self, some: Integers) -> Floats:
        """Those of groups that hold the best negatives or the worst: all others drawn are on one side of them."""
        t, above, size = (each[some, None].astype(np.float64) for each in (self.t, self.above, self.size))
        least = np.where(above > 0, self.n - np.ceil(t) + 1, np.ceil(t))
        reach = self._margin[some, None]
        drawn = np.maximum(least, np.floor(size - reach)) + np.arange(2 * int(reach.max()) + 1)
        others = np.maximum(self.n - drawn, 0)
        logs = xlogy(drawn, size) + xlogy(others, self.n - size) - gammaln(drawn + 1) - gammaln(others + 1)
        logs[drawn > self.n] = -np.inf
        masses = np.exp(logs - logs.max(axis=1, keepdims=True, initial=-np.inf))
        masses /= masses.sum(axis=1, keepdims=True)
        above = np.where(above > 0, others, 0)
        shares = (t - above) / drawn
        mean = (masses * shares).sum(axis=1)
        return np.array([mean, (masses * (shares - mean[:, None]) ** 2).sum(axis=1)])

    @property
    def laws(self) -> Iterator[tuple[Floats, Floats]]:
        """Of each group the shares, ascending, and their probabilities; blocks of shares where there are many."""
        listed = {}
        for some, i, u, v in self._short(LISTED):
            kernel, draws = _kernel(len(i))
            for k, x, y in zip(some.tolist(), u.T, v.T, strict=True):
                listed[k] = _law((self.first[k] + i) / draws, x[:, None] * kernel * y)
        return (listed[k] if k in listed else self._group(k).shares for k in range(len(self.t)))

    @cached_property
    def _odds(self) -> Floats:
        """Of being in the group, against above and against below."""
        with np.errstate(divide="ignore"):
            return np.array([self.size / self.above, self.size / (self.n - self.above - self.size)])

    @cached_property
    def _reach(self) -> Floats:
        """How many terms matter, the most likely being where one is as large as the next; infinite at the ends."""
        with np.errstate(invalid="ignore"):
            mode = np.maximum(self.others * self._odds - 1, 0.0) / (1 + self._odds)
        reach = np.minimum(np.ceil(mode + self._beyond(mode)), self.others)
        return np.asarray(np.where(np.isfinite(self._odds), reach, np.inf).max(axis=0))

    def _short(self, longest: int) -> Iterator[tuple[Integers, Floats, Floats, Floats]]:
        """Groups of so many terms at most, some at a time; a column of i as far as they matter, and both weights."""
        short = np.flatnonzero(self._reach <= longest)
        lengths = np.where(self._reach <= longest, self._reach, 0).astype(np.int64)
        for some in in_blocks(short, lengths + 1, self._held):
            i = np.arange(lengths[some].max() + 1.0)[:, None]
            u, v = map(_weights, (i, i), self.others[:, some], self._odds[:, some])
            yield some, i, u, v

    @property
    def _held(self) -> int:
        """Terms at once."""
        return int(np.clip(self.n, *HELD))

    def _group(self, k: int) -> TiedGroup:
        return TiedGroup(float(self.t[k]), int(self.above[k]), int(self.size[k]), self.n)


def _weights(i: Floats, most: Floats, odds: Floats) -> Floats:
    """u_i of each group, shape (n_terms, n_groups); none beyond the most there may be."""
    weights = np.subtract(most + 1, i)
    weights *= odds
    weights[0] = 1.0
    weights[1:] /= i[1:]
    return np.cumprod(weights, axis=0, out=weights)


def _kernel(terms: int) -> tuple[Floats, Floats]:
    """B(i + 1, e + 1), and the draws in the group."""
    i = np.arange(terms, dtype=np.float64)
    draws = 1 + np.add.outer(i, i)
    return np.asarray(np.cumprod(np.maximum(i, 1.0)[:, None] / draws, axis=0), dtype=np.float64), draws


@cache
def _kernels() -> Floats:
    """Of short groups, over the draws in the group to the powers of 0, 1 and 2."""
    kernel, draws = _kernel(SHORT + 1)
    return np.array([kernel, kernel / draws, kernel / draws**2])


def _moments(i: Floats, u: Floats, v: Floats, first: Floats) -> Floats:
    """From the weights, and the part of the first draw that counts."""
    total, shares, squares = _kernels()[:, : len(i), : len(i)] @ v
    counted, weights = first + i, np.einsum("ig,ig->g", u, total)
    shares *= u
    shares *= counted
    mean = shares.sum(axis=0) / weights
    square = np.einsum("ig,ig,ig,ig->g", squares, u, counted, counted) / weights
    return np.array([mean, np.maximum(square - mean**2, 0.0)])


def _law(shares: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """In order, equal ones as one, what is too improbable left out."""
    kept = weights > IMPROBABLE * weights.max()
    values, place = np.unique(shares[kept].round(14), return_inverse=True)
    masses: Floats = np.asarray(np.bincount(place, weights[kept]), dtype=np.float64)
    return values, masses / masses.sum()
