"""The AUC when only the number of errors is known: all orderings and cuts with so many errors have equal weights.

With x false positives among k errors (so k - x false negatives) there is one place for the cut, and the number of
orderings is a product of two binomials. Given x the AUC is a constant minus two independent rank statistics.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt, log
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import Lattice, binomial

BURN_IN_ROOTS = 10  # square roots of n steps until the recurrence has forgotten its start; doubled: twice the time
# Numbers of errors beyond the smaller class whose moments are summed; moments between are interpolated, to 1e-5 of the
# variance. Doubled: a quarter of that, in twice the time.
SUMMED_ERROR_COUNTS = 33
# Numbers of false positives in a sum; of more, evenly spaced ones are used. Doubled: no digit more, as up to 4e9 cases
# the law's deviation is at least the spacing, where the rule has nine digits, and twice the time.
MAX_SUMMANDS = 2**16


@dataclass(frozen=True, repr=False, eq=False)
class ErrorCountLaw:
    """Mean and variance of the AUC given the number of errors; ``error_rate``: its limits and their confidence."""

    n_errors: int
    n_positive: int
    n_negative: int
    error_rate: tuple[float, float, float] | None = None

    @property
    def total(self) -> int:
        return self.n_positive + self.n_negative

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0

    @property
    def is_exact(self) -> bool:
        """Always true: the sums at the number of errors that was seen have nine digits."""
        return True

    @cached_property
    def mean(self) -> float:
        return float(1 - self._own_moments[0])

    @cached_property
    def variance(self) -> float:
        return self._own_moments[1]

    @cached_property
    def _own_moments(self) -> tuple[float, float]:
        lost, variance = self.moments(np.array([self.n_errors]))
        return float(lost[0]), float(variance[0])

    @cached_property
    def errors(self) -> Lattice:
        """The number of errors in another sample: binomial, its rate moved half a case away from 0 and 1."""
        hit, miss = self.n_errors + 0.5, self.total - self.n_errors + 0.5
        return binomial(self.total, hit / (hit + miss), miss / (hit + miss))

    def moments(self, counts: Integers) -> tuple[Floats, Floats]:
        """1 - E[AUC] and Var[AUC] at these numbers of errors, ascending; interpolated where there are many."""
        few = min(self.n_positive, self.n_negative)
        is_few, is_mirrored = counts <= few, (counts > few) & (counts >= self.total - few)
        lost, variance = np.empty((2, len(counts)))
        lost[is_few], variance[is_few] = self._few_errors(counts[is_few])
        mirrored, spread = self._few_errors(self.total - counts[is_mirrored][::-1])
        lost[is_mirrored], variance[is_mirrored] = 1 - mirrored[::-1], spread[::-1]
        between = ~(is_few | is_mirrored)
        lost[between], variance[between] = self._many_errors(counts[between])
        return lost, variance

    def _few_errors(self, k: Integers) -> tuple[Floats, Floats]:
        """The closed form, for at most as many errors as the smaller class has cases."""
        n, gap = self.total, float(self.n_positive - self.n_negative) ** 2
        mu, beta, gamma = _shortfall_moments(n, k)
        product = float(self.n_positive) * float(self.n_negative)
        lost = (k * float(n) + gap * mu) / (4 * product)
        variance_x = (n + 2) / 4 * (beta + mu) - gap / 4 * gamma
        spread_x = (n + 2) / 4 * (beta + mu) + gap / 4 * beta
        ordering = k / 4 * ((n + 2.0) * (n - k) + gap) + gap / 2 * (n + 1 + k) * mu
        return lost, (3 * gap * variance_x + (3 * n + 2) * spread_x + ordering) / (12 * product**2)

    def _many_errors(self, k: Integers) -> tuple[Floats, Floats]:
        """Sums over x, at evenly spaced numbers of errors if there are many."""
        if not len(k):
            return np.empty(0), np.empty(0)
        summed = np.unique(np.linspace(k[0], k[-1], min(len(k), SUMMED_ERROR_COUNTS)).round().astype(int))
        lost, variance = np.array([self._summed(int(each)) for each in summed]).T
        return np.interp(k, summed, lost), np.interp(k, summed, variance)

    def _summed(self, k: int) -> tuple[float, float]:
        m, n = float(self.n_positive), float(self.n_negative)
        x, weight = self._false_positives(k)
        missed = k - x
        lost = (x / n + missed / m) / 2
        mean = float(weight @ lost)
        ordering = x * (m - missed) * (m - missed + x + 1) + missed * (n - x) * (n - x + missed + 1)
        return mean, float(weight @ ((lost - mean) ** 2 + ordering / (12 * m**2 * n**2)))

    def _false_positives(self, k: int) -> tuple[Floats, Floats]:
        """Numbers x of false positives among k errors, perhaps at both ends, and their probabilities."""
        low, high = max(0, k - self.n_positive), min(k, self.n_negative)
        x = np.unique(np.linspace(low, high, min(high - low + 1, MAX_SUMMANDS)).round())
        above = self.n_positive - k + 2 * x
        below = self.total - above
        log_ways = gammaln(above + 1) - gammaln(x + 1) - gammaln(above - x + 1)
        log_ways += gammaln(below + 1) - gammaln(k - x + 1) - gammaln(below - k + x + 1)
        # Numbers of orderings would overflow: they are taken in logarithms, relative to the largest.
        weight = np.exp(log_ways - log_ways.max())
        return x, weight / weight.sum()


def _shortfall_moments(total: int, counts: Integers) -> tuple[Floats, Floats, Floats]:
    """Moments of d = k - B given B <= k for B binomial(total + 1, 1/2), at numbers k, ascending.

    They are mu = E[d], beta = E[d (d - 1)] / 2 and gamma = mu**2 - beta. The recurrence in k adds positive terms only
    and contracts, so it may begin anywhere early enough; gamma, a small difference, has a recurrence of its own.
    """
    table, state, at = np.empty((len(counts), 3)), ShortfallState(), 0
    for row, k in enumerate(counts.tolist()):
        begin = k - _memory(total, k)
        if begin > at:
            state, at = ShortfallState(), begin
        for each in range(at + 1, k + 1):
            state = state.next(total, each)
        at = k
        table[row] = state.mu, state.beta, state.gamma
    return table[:, 0], table[:, 1], table[:, 2]


def _memory(total: int, k: int) -> int:
    """Steps after which the recurrence has forgotten its start: each keeps k / (total + 2 - k) of the past."""
    longest = BURN_IN_ROOTS * (isqrt(total) + 1)
    return min(longest, 60 + int(120 / log((total + 2 - k) / k))) if 0 < k < total / 2 else longest


class ShortfallState(NamedTuple):
    t: float = 0.0
    t_before: float = 0.0
    rise_t: float = 0.0
    mu: float = 0.0
    mu_before: float = 0.0
    rise_mu: float = 0.0
    beta: float = 0.0
    gamma: float = 0.0

    def next(self, total: int, k: int) -> ShortfallState:
        t, t_before, rise_t, mu, mu_before, rise_mu, beta, gamma = self
        ratio = k / (total + 2 - k)
        t_next = (1 + t) * ratio
        rise_t = rise_t * ratio + (1 + t_before) * (total + 2) / ((total + 2 - k) * (total + 3 - k))
        share = t_next / (1 + t_next)
        rise_mu = rise_mu * share + (mu_before + 1) * rise_t / ((1 + t_next) * (1 + t))
        gamma = share * (gamma + (mu + 1) * rise_mu)
        return ShortfallState(t_next, t, rise_t, (mu + 1) * share, mu, rise_mu, (beta + mu) * share, gamma)
