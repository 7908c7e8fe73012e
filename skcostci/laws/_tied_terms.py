"""Positives tied with negatives: how many are found, in orthogonal polynomials of the numbers of negatives drawn.

Of n negatives drawn A score more than a tied group and B fall in it; the curve that reaches t finds the share
h(A, B) = (t - A) / B of its positives, none below 0 and all above 1. Let f_1 and f_2 be functions of one draw that tell
before, in and beyond the group apart, have mean 0 and variance 1 and are uncorrelated. The coefficients of x^i y^j in

    product over all draws of 1 + x f_1 + y f_2

are orthogonal (Griffiths, Australian Journal of Statistics, 1971): the covariance of two shares, of two models too, is
the sum over m of the products of both h's coefficients of degree i + j = m with the m-th symmetric power
(:mod:`._powers`) of the correlations of both pairs of functions. Nothing of this is an approximation.

Where f_1 is 0 in the group they are products of Krawtchouk polynomials of A given B and of K_j(B; n - i), of B in n - i
draws. As h is the mean of B steps, sums over A telescope twice, to differences of the A_m of :mod:`._meixner`:

    c_ij = sum over B of sqrt(f(B; n) f(B; n - i)) K_j(B; n - i) g_i(B),
    g_i(B) = -sqrt(N p (1 - p) / i) (A_(i - 1)(r; N - 1) - A_(i - 1)(r - B; N - 1)) / B,

with N = n - B, p the probability that draws beside the group are above it, and r = t, h being linear between whole
numbers. Then functions are turned so that the first tells A + B / 2: terms with several values of the second are small.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from scipy.special import betainc

from skcostci._validation import Floats
from skcostci.laws._groups import Groups
from skcostci.laws._krawtchouk import Krawtchouk, krawtchouk
from skcostci.laws._meixner import Tail, among_others, tail_terms, turning_degree
from skcostci.laws._powers import next_power
from skcostci.laws._series import TiedPrecision
from skcostci.laws._threshold import deviations

SURE = 0.01  # of the precision: where one number of draws is less likely the probability of fewer is 0 or 1


@dataclass(frozen=True, eq=False)
class TiedTerms:
    """What is found of positives in groups of one or more negatives, none of which has all.

    At some ``t`` of each, shape (n_groups, n_ranks); all groups are at an end, or none is.
    """

    groups: Groups
    t: Floats
    across: int
    precision: TiedPrecision

    @property
    def degrees(self) -> Iterator[Floats]:
        """Coefficients of degree 1, 2, ..., shape (across + 1, n_ranks, n_groups), but for their sign."""
        return self._from_size if self.groups.at_end[0] else self._turned

    @property
    def _from_size(self) -> Iterator[Floats]:
        """Those of groups at an end, of which B says all."""
        terms = np.zeros((self.across + 1, *self.t.T.shape))
        given, sign = -self._weights[:, None] * self._centered(self._share), self.groups.turn[0, 1]
        for polynomials in islice(krawtchouk(self._root, self._drawn, self._n, self._q), 1, None):
            given *= sign[:, None, None]
            terms[0] = np.matmul(given, polynomials[..., None])[..., 0].T
            yield terms

    @property
    def _share(self) -> Floats:
        """h, where A is 0 or all that are not in the group."""
        above = np.where(self.groups.start[:, None] > 0, self._others, 0.0)[:, None]
        drawn, t = self._drawn[:, None], self.t[..., None]
        return np.where(drawn > 0, np.clip((t - above) / np.maximum(drawn, 1.0), 0.0, 1.0), t > above)

    @property
    def _turned(self) -> Iterator[Floats]:
        """Those of others, the functions being turned."""
        most = self._most
        power = np.zeros((self.across + 1, most + 1, len(self.groups.start)))
        power[0, 0] = 1.0
        waiting: deque[list[Floats]] = deque([] for _ in range(most + 1))  # for the degrees to come
        for degree, row in enumerate(self._rows):
            for parts, part in zip(waiting, row, strict=True):
                parts.append(part.copy())
            parts = waiting.popleft()
            waiting.append([])
            if degree:
                next_power(power, self.groups.turn, degree)
                yield np.einsum("ljg,jrg->lrg", power[:, len(parts) - 1 :: -1], np.array(parts))

    def _centered(self, given: Floats) -> Floats:
        """Less its mean: no degree has any of that, but sums that leave out what is improbable would."""
        law = self._weights * self._root
        given -= np.matmul(given, (law / law.sum(axis=1, keepdims=True))[..., None])
        return given

    @property
    def _rows(self) -> Iterator[Floats]:
        """c_ij for i = 0, 1, ... up to n and all j, shape (most + 1, n_ranks, n_groups)."""
        polynomials = Krawtchouk(self._drawn, self._n, self._q, self._most)
        for i, (given, table) in enumerate(zip(self._given, polynomials.tables, strict=True)):
            given = given if i else self._centered(given)
            given *= self._weights[:, None]
            yield (given @ table.transpose(1, 2, 0)).T

    @property
    def _given(self) -> Iterator[Floats]:
        """g_i for i = 0, 1, ..., n, shape (n_groups, n_ranks, n_values)."""
        rank = np.ceil(self.t)
        part = (rank - self.t)[..., None] * (self._drawn > 0)[:, None]
        if not part.any():
            yield from self._at(rank)
            return
        for now, before in zip(self._at(rank), self._at(rank - 1), strict=True):
            before -= now
            before *= part
            before += now
            yield before

    def _at(self, rank: Floats) -> Iterator[Floats]:
        """The same at whole t."""
        others, p, width = self._others[:, None], self._p[:, None], np.maximum(self._drawn, 1.0)[:, None]
        ranks = np.stack(np.broadcast_arrays(rank[..., None], rank[..., None] - width))
        one = _one_fewer(ranks, others - 1, p)
        below = _fewer(ranks, others - 1, p, one, self.precision.tail * SURE)
        tail = _tail(ranks, one, others - 1, p)
        one *= p * (others - ranks)
        one += (ranks - others * p) * below
        yield (one[1] - one[0]) / width
        spread = np.sqrt(others * p * (1 - p)) / width
        yield spread * (below[0] - below[1])
        del ranks, one, below  # room for what follows
        for i, terms in enumerate(tail_terms(tail, self._n), 2):
            yield spread / np.sqrt(i) * (terms[1] - terms[0])

    @property
    def _n(self) -> int:
        return self.groups.n

    @cached_property
    def _most(self) -> int:
        """So many values of f_2 are looked at."""
        most = int(values_that_matter(self.groups, self.precision).max())
        return min(max(most, self.across), self._n)

    @cached_property
    def _p(self) -> Floats:
        """The probability that a draw beside a group is above it."""
        return (self.groups.start / (self._n - self.groups.size))[:, None]

    @cached_property
    def _q(self) -> Floats:
        """The probability that a draw is in a group."""
        return (self.groups.size / self._n)[:, None]

    @cached_property
    def _numbers(self) -> tuple[Floats, Floats]:
        """Numbers of negatives that sums are over, shape (n_groups, n_values), and how far they are apart or 0."""
        low, _, apart = _numbers_drawn(self.groups, self.precision)
        numbers = low[:, None] + apart[:, None] * np.arange(count_of_numbers(self.groups, self.precision).max())
        return np.minimum(numbers, self._n), apart[:, None] * (numbers <= self._n)

    @property
    def _drawn(self) -> Floats:
        return self._numbers[0]

    @property
    def _others(self) -> Floats:
        """N."""
        return self._n - self._drawn

    @cached_property
    def _root(self) -> Floats:
        """Of the law of B."""
        return Krawtchouk(self._drawn, self._n, self._q, 0).root

    @cached_property
    def _weights(self) -> Floats:
        """The same, by how many numbers each stands for."""
        return self._numbers[1] * self._root


def count_of_numbers(groups: Groups, precision: TiedPrecision) -> Floats:
    """Over how many numbers of negatives in each group sums are."""
    low, high, apart = _numbers_drawn(groups, precision)
    return np.asarray(np.floor((high - low) / apart) + 1)


def _numbers_drawn(groups: Groups, precision: TiedPrecision) -> tuple[Floats, Floats, Floats]:
    """From what number of negatives in each group to what number sums are, and how far these are apart."""
    spread, far, q = groups.spreads, deviations(precision.tail), groups.size / groups.n
    low = np.maximum(np.floor(groups.size - far * spread[0] - far**2 / 6 * q), 0.0)  # as a law is skewed
    high = np.minimum(groups.size + far * spread[0] + far**2 / 6 * (1 - q), groups.n)
    return low, high, np.maximum(np.floor(precision.apart * spread.min(axis=0)), 1.0)


def values_that_matter(groups: Groups, precision: TiedPrecision) -> Floats:
    """Of f_2, in terms of the first of the functions that are turned: they are as many draws as that tells by f_2."""
    many, far = precision.full * groups.turn[0, 1] ** 2, deviations(precision.tail)
    return np.asarray(np.ceil(np.minimum(many + far * np.sqrt(many) + far**2 / 6, precision.full)))


def _one_fewer(ranks: Floats, draws: Floats, p: Floats) -> Floats:
    """The probability that of so many draws one fewer than the rank is above."""
    most = np.maximum(draws + 1, 1.0)
    return np.asarray(among_others(p, np.clip(ranks, 1.0, most), most) * ((ranks >= 1) & (ranks <= draws + 1)))


def _fewer(ranks: Floats, draws: Floats, p: Floats, one: Floats, least: float) -> Floats:
    """The probability that of so many draws fewer than the rank are above."""
    below = (ranks > np.maximum(draws * p, 0.0) + 0.5).astype(np.float64)
    some = np.nonzero((ranks <= draws) & (one > least))
    rank, draws = ranks[some], np.broadcast_to(draws, ranks.shape)[some]
    below[some] = betainc(draws - rank + 1, rank, 1 - np.broadcast_to(p, ranks.shape)[some])
    return below


def _tail(ranks: Floats, one: Floats, draws: Floats, p: Floats) -> Tail:
    """Of fewer than a rank among so many draws, from the probability of one fewer."""
    some = np.maximum(draws, 1.0)
    root = np.sqrt(some * p * (1 - p))
    first = one * (draws + 1 - ranks)
    first *= root / (some * (1 - p)) * (draws > 0)
    turn = turning_degree(p, np.clip((ranks - 1) / np.maximum(some - 1, 1.0), 0.0, 1.0), some - 1)
    return Tail(first, (ranks - 1 - (some - 1) * p) / root, (1 - 2 * p) / root, -1 / some, turn)
