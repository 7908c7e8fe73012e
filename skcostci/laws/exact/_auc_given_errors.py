"""The AUC when only the number of errors is known: all orderings and cuts with so many errors have equal weights.

With x false positives among k errors (so k - x false negatives) there is one place for the cut, and the number of
orderings is a product of two binomials. Given x the AUC is a constant minus two independent rank statistics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import binomial

# Numbers of errors whose moments are summed; moments between are interpolated, to 1e-5 of the variance. Doubled: a
# quarter of that, in twice the time.
SUMMED_ERROR_COUNTS = 33
# Numbers of false positives in a sum; of more, some are used. Doubled: no digit more, in twice the time.
MAX_SUMMANDS = 2**12
LOG_IMPROBABLE = 40.0  # a number of false positives whose probability relative to the likeliest is exp(-40) is left out


@dataclass(frozen=True, repr=False, eq=False)
class ErrorCountLaw:
    """Mean and variance of the AUC given the number of errors; ``error_rate``: its limits and their confidence."""

    n_errors: int
    n_positive: int
    n_negative: int
    error_rate: tuple[float, float, float] | None = None
    support: ClassVar = 0.0, 1.0
    is_exact: ClassVar = True  # the sums at the number of errors that was seen have eight digits

    @property
    def total(self) -> int:
        return self.n_positive + self.n_negative

    @cached_property
    def mean(self) -> float:
        return float(1 - self.moments(np.array([self.n_errors]))[0][0])

    @cached_property
    def variance(self) -> float:
        return float(self.moments(np.array([self.n_errors]))[1][0])

    @cached_property
    def errors(self) -> tuple[Integers, Floats]:
        """Numbers of errors in another sample and their masses: binomial, the rate half a case from 0 and 1."""
        hit, miss = self.n_errors + 0.5, self.total - self.n_errors + 0.5
        return binomial(self.total, hit / (hit + miss), miss / (hit + miss))

    def moments(self, counts: Integers) -> tuple[Floats, Floats]:
        """1 - E[AUC] and Var[AUC] at these numbers of errors, ascending; interpolated where there are many."""
        summed = np.unique(np.linspace(counts[0], counts[-1], min(len(counts), SUMMED_ERROR_COUNTS)).round())
        lost, variance = self._summed(summed[:, None])
        return np.interp(counts, summed, lost), np.interp(counts, summed, variance)

    def _summed(self, k: Floats) -> tuple[Floats, Floats]:
        """The moments at each number of errors, as sums over the numbers of false positives among them."""
        m, n = float(self.n_positive), float(self.n_negative)
        x, weight = self._false_positives(k)
        missed = k - x
        lost = (x / n + missed / m) / 2
        mean = (weight * lost).sum(axis=1)
        ordering = x * (m - missed) * (m - missed + x + 1) + missed * (n - x) * (n - x + missed + 1)
        return mean, (weight * ((lost - mean[:, None]) ** 2 + ordering / (12 * m**2 * n**2))).sum(axis=1)

    def _false_positives(self, k: Floats) -> tuple[Floats, Floats]:
        """Numbers x of false positives among k errors, where they are probable, and their probabilities."""
        x = _places(np.maximum(0.0, k - self.n_positive), np.minimum(k, self.n_negative))
        probable = (log_ways := self._log_orderings(k, x)) > log_ways.max(axis=1, keepdims=True) - LOG_IMPROBABLE
        first, last = probable.argmax(axis=1) - 1, x.shape[1] - probable[:, ::-1].argmax(axis=1)
        ends = np.clip(np.column_stack([first, last]), 0, x.shape[1] - 1)
        x = _places(*(each[:, None] for each in np.take_along_axis(x, ends, axis=1).T))
        log_ways = self._log_orderings(k, x)
        edges = np.hstack([x[:, :1] - 0.5, (x[:, 1:] + x[:, :-1]) / 2, x[:, -1:] + 0.5])
        # Numbers of orderings would overflow: they are taken in logarithms, relative to the largest.
        weight = np.exp(log_ways - log_ways.max(axis=1, keepdims=True)) * np.diff(edges, axis=1)
        return x, weight / weight.sum(axis=1, keepdims=True)

    def _log_orderings(self, k: Floats, x: Floats) -> Floats:
        above = self.n_positive - k + 2 * x
        below = self.total - above
        log_ways = gammaln(above + 1) - gammaln(x + 1) - gammaln(above - x + 1)
        return np.asarray(log_ways + gammaln(below + 1) - gammaln(k - x + 1) - gammaln(below - k + x + 1))


def _places(low: Floats, high: Floats) -> Floats:
    """All whole numbers from low to high or, of many, some that are dense at both ends, where mass may be."""
    count = int((high - low).max()) + 1
    if count <= MAX_SUMMANDS:
        return np.minimum(low + np.arange(count), high)
    turns = np.linspace(0, np.pi / 2, MAX_SUMMANDS)
    return np.asarray((low + (high - low) * np.sin(turns) ** 2).round())
