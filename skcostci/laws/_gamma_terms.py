"""Positives tied with negatives: how many are found, roughly, in Laguerre polynomials.

Of those in a tied group the share u is found where A + u B < t, A negatives being drawn above the group and B in it.
That is a sum over all draws, like a Gamma law of its mean, variance and skewness, of which the coefficients follow as
those of a binomial law do (:mod:`._meixner`). What tells draws apart for some u lies in the plane of the two functions
of the group (:mod:`._groups`) and turns with u. That does for groups not much longer than a rank deviates, by more than
a few negatives (:mod:`._tied_terms` has exact coefficients, and what they are for).

A is a whole number, and takes up the half before it and the half beyond. So t - u B is moved to the half before the
next whole number: over u by nothing in the mean unless B is 0, and then by f - 1/2 where t is f less than whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import binom, gammaln

from skcostci._validation import Floats
from skcostci.laws._groups import Groups
from skcostci.laws._meixner import Tail, tail_terms

SYMMETRIC = 1e-3  # Gamma laws have at least such a skewness


@dataclass(frozen=True, eq=False)
class GammaTerms:
    """What is found of positives in groups, at some ``t`` of each, shape (n_groups, n_ranks)."""

    groups: Groups
    t: Floats
    across: int
    n_nodes: int

    @property
    def degrees(self) -> Iterator[Floats]:
        """Coefficients of degree 1, 2, ..., shape (across + 1, n_ranks, n_groups), but for their sign."""
        second = np.arange(self.across + 1)
        cosine, sine = (each[..., None] for each in self._turn)
        weights = _nodes(self.n_nodes)[1][:, None] * sine**second
        for degree, terms in enumerate(tail_terms(self._tail, self.groups.n), 1):
            values = np.sqrt(binom(degree, second)) * cosine ** np.maximum(degree - second, 0)
            yield np.matmul(terms, weights * values).T

    @cached_property
    def _values(self) -> Floats:
        """What one draw before, in or beyond adds to A + u B less its mean, shape (3, n_groups, n_nodes)."""
        values = np.zeros((3, len(self.groups.start), self.n_nodes))
        values[0], values[1] = 1.0, _nodes(self.n_nodes)[0]
        return np.asarray(values - (self._chances * values).sum(axis=0))

    @cached_property
    def _chances(self) -> Floats:
        """Of these draws, shape (3, n_groups, 1)."""
        low, high = self.groups.ends / self.groups.n
        return np.array([low, high - low, 1 - high])[..., None]

    @cached_property
    def _spread(self) -> Floats:
        """The standard deviation of that."""
        return np.asarray(np.sqrt((self._chances * self._values**2).sum(axis=0)))

    @property
    def _turn(self) -> Floats:
        """How A + u B is told by the functions, shape (2, n_groups, n_nodes)."""
        every = self._chances * self._values * self.groups.turned[..., None]
        return np.asarray(every.sum(axis=1) / self._spread)

    @property
    def _tail(self) -> Tail:
        """Of A + u B below t, shape (n_groups, n_ranks, n_nodes)."""
        n, spread = self.groups.n, self._spread
        mean = self.groups.start[:, None] + self.groups.size[:, None] * _nodes(self.n_nodes)[0]
        skew = (self._chances * self._values**3).sum(axis=0) / (spread**3 * np.sqrt(n))
        z = (self.t[..., None] + self._later - mean[:, None]) / (spread * np.sqrt(n))[:, None]
        return gamma_tail(z, skew[:, None])

    @property
    def _later(self) -> Floats:
        """By how much t is moved in the mean, shape (n_groups, n_ranks, 1)."""
        part = np.ceil(self.t) - self.t
        return np.asarray(np.exp(-self.groups.size)[:, None] * (part - 0.5))[..., None]


def gamma_tail(z: Floats, skew: Floats) -> Tail:
    """Of less than z, in standard deviations from the mean, under a Gamma law with that skewness or one reflected."""
    skew = np.where(skew < 0, np.minimum(skew, -SYMMETRIC), np.maximum(skew, SYMMETRIC))
    shape = 4 / skew**2
    off = z * skew / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = shape * (np.log1p(off) - off) + (shape * (np.log(shape) - 1) - gammaln(shape) - np.log(shape) / 2)
    first = np.where(off > -1, np.exp(logs), 0.0)
    return Tail(first, z - skew / 2, skew, skew**2 / 4, np.full(1, np.inf))


@cache
def _nodes(count: int) -> tuple[Floats, Floats]:
    """Shares u, and their weights."""
    u, weights = leggauss(count)
    return u / 2 + 0.5, weights / 2
