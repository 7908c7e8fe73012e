"""The AUC when only the number of errors is known: every ordering and cut that makes so many errors weighs the same.

With x false positives among k errors (so k - x false negatives) there is one place for the cut, and the number of
orderings is a product of two binomials. Given x the AUC is a constant less two independent rank statistics.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isqrt

import numpy as np

from skcostci._validation import Floats
from skcostci.laws._lattice import Lattice, binomial

BURN_IN = 60  # steps, in roots of the number of cases, after which the recurrence has forgotten where it began
DIRECT_SUMS = (
    33  # numbers of errors, beyond the smaller class, whose moments are summed; those between are interpolated
)


@dataclass(frozen=True)
class ErrorCountLaw:
    """Mean and variance of the AUC given the number of errors."""

    n_errors: int
    n_positive: int
    n_negative: int

    @property
    def total(self) -> int:
        return self.n_positive + self.n_negative

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0

    @cached_property
    def mean(self) -> float:
        return float(1 - self.moments(self.n_errors, self.n_errors)[0][0])

    @cached_property
    def variance(self) -> float:
        return float(self.moments(self.n_errors, self.n_errors)[1][0])

    @cached_property
    def errors(self) -> Lattice:
        """What the number of errors may be in another sample: binomial, its rate half a case away from 0 and 1."""
        hit, miss = self.n_errors + 0.5, self.total - self.n_errors + 0.5
        return binomial(self.total, hit / (hit + miss), miss / (hit + miss))

    def moments(self, low: int, high: int) -> tuple[Floats, Floats]:
        """1 - E[AUC] and Var[AUC] at low, low + 1, ..., high errors.

        Up to as many errors as the smaller class has cases there is a closed form, and for as few correct cases its
        mirror image. Between them the sums over x are done as they stand, for some of the numbers if there are many:
        the moments hardly change there.
        """
        few = min(self.n_positive, self.n_negative)
        first, last = min(max(low, few + 1), high + 1), min(max(low, few + 1, self.total - few), high + 1)
        parts = []
        if low < first:
            parts.append(self._few_errors(low, first - 1))
        if first < last:
            parts.append(self._many_errors(first, last - 1))
        if last <= high:
            lost, variance = self._few_errors(self.total - high, self.total - last)
            parts.append((1 - lost[::-1], variance[::-1]))
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def _few_errors(self, low: int, high: int) -> tuple[Floats, Floats]:
        """The closed form, for at most as many errors as the smaller class has cases."""
        n, gap = self.total, float(self.n_positive - self.n_negative) ** 2
        k = np.arange(low, high + 1)
        mu, beta, gamma = _shortfall_moments(n, low, high)
        product = float(self.n_positive) * float(self.n_negative)
        lost = (k * float(n) + gap * mu) / (4 * product)
        variance_x = (n + 2) / 4 * (beta + mu) - gap / 4 * gamma
        spread_x = (n + 2) / 4 * (beta + mu) + gap / 4 * beta
        ordering = k / 4 * ((n + 2.0) * (n - k) + gap) + gap / 2 * (n + 1 + k) * mu
        return lost, (3 * gap * variance_x + (3 * n + 2) * spread_x + ordering) / (12 * product**2)

    def _many_errors(self, low: int, high: int) -> tuple[Floats, Floats]:
        """Sums over x, at evenly spaced numbers of errors if there are many."""
        k = np.arange(low, high + 1)
        summed = np.unique(np.linspace(low, high, min(len(k), DIRECT_SUMS)).round().astype(int))
        lost, variance = np.array([self._summed(int(each)) for each in summed]).T
        return np.interp(k, summed, lost), np.interp(k, summed, variance)

    def _summed(self, k: int) -> tuple[float, float]:
        """The moments at k errors by the law of total variance."""
        m, n = float(self.n_positive), float(self.n_negative)
        x = np.arange(max(0, k - self.n_positive), min(k, self.n_negative) + 1, dtype=np.float64)
        missed = k - x
        weight = self._weights(x, missed)
        lost = (x / n + missed / m) / 2
        mean = float(weight @ lost)
        ordering = x * (m - missed) * (m - missed + x + 1) + missed * (n - x) * (n - x + missed + 1)
        return mean, float(weight @ ((lost - mean) ** 2 + ordering / (12 * m**2 * n**2)))

    def _weights(self, x: Floats, missed: Floats) -> Floats:
        """The probabilities of x false positives, from the ratios of neighbours outwards from the likeliest."""
        x, missed = x[:-1], missed[:-1]
        above = self.n_positive - missed + x  # cases labelled positive
        below = self.total - above
        ratio = (above + 2) / (below - 1) * (above + 1) / below * missed / (x + 1)
        steps = np.log(ratio * (self.n_negative - x) / (above + 1 - x))
        mode = int(np.argmax(np.concatenate([[0.0], np.cumsum(steps)])))
        rising = -np.cumsum(steps[:mode][::-1])[::-1]
        weight = np.exp(np.concatenate([rising, [0.0], np.cumsum(steps[mode:])]))
        return np.asarray(weight / weight.sum())


def _shortfall_moments(total: int, low: int, high: int) -> tuple[Floats, Floats, Floats]:
    """Moments of d = k - B given B <= k for B binomial(total + 1, 1/2), at k = low, ..., high.

    They are mu = E[d], beta = E[d (d - 1)] / 2 and gamma = mu**2 - beta. The recurrence in k adds positive terms only
    and contracts, so it may begin anywhere early enough; gamma, a small difference, has a recurrence of its own.
    """
    t = t_before = rise_t = mu = mu_before = rise_mu = beta = gamma = 0.0
    kept = []
    for k in range(max(1, low - BURN_IN * (isqrt(total) + 1)), high + 1):
        ratio = k / (total + 2 - k)
        t_next = (1 + t) * ratio
        rise_t = rise_t * ratio + (1 + t_before) * (total + 2) / ((total + 2 - k) * (total + 3 - k))
        share = t_next / (1 + t_next)
        rise_mu = rise_mu * share + (mu_before + 1) * rise_t / ((1 + t_next) * (1 + t))
        mu_next = (mu + 1) * share
        beta = (beta + mu) * share
        gamma = share * (gamma + (mu + 1) * rise_mu)
        t, t_before, mu, mu_before = t_next, t, mu_next, mu
        if k >= low:
            kept.append((mu, beta, gamma))
    table = np.array([(0.0, 0.0, 0.0)] * (low == 0) + kept)
    return table[:, 0], table[:, 1], table[:, 2]
