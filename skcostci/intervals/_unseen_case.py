"""Limits for a sum of cell values times shares that allow for one case at the worst value, not seen yet.

Among n cases there may be one more, at the most that a cell can cost: for an upper limit it is added, and the shares
get the Dirichlet law of the n + 1 cases. For two cells that gives Clopper and Pearson's limits; for more, Gaffke's,
with the Beta law of the same mean and variance in place of the law of a Dirichlet mean. A small part ``KEPT`` of the
case is at the least value seen instead: whole cases cover more than they need.

Classes are sampled independently. Their limits are combined in two ways, distances added in squares (MOVER) and one
Beta law with the sums of their means and variances; the outer of the two counts. The first alone fails where both
classes have few errors, since the tail of a sum of rare events is longer than squares say, the second alone where one
class has few errors and the other many.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce, singledispatch

import numpy as np
from scipy.special import betaincc, betainccinv

from skcostci._validation import Booleans, Floats
from skcostci.intervals._method import Law, Method, Tails
from skcostci.laws import BudgetLaw, ClassesLaw, FoldedLaw, KernelLaw, LinearLaw, MetricLaw, Stratum

KEPT = 0.05  # of the added case, at the least value seen; benchmarks/coverage.py judges it


@dataclass(frozen=True)
class BetaLaw:
    """Beta laws from ``least`` to ``top``, one a point, with the law's mean as a share of that range."""

    least: Floats
    top: Floats
    share: Floats
    variance: Floats

    @property
    def shapes(self) -> tuple[Floats, Floats]:
        """Both shape parameters."""
        size = self.share * (1 - self.share) * (self.top - self.least) ** 2 / self._positive - 1
        return self.share * size, (1 - self.share) * size

    @property
    def _positive(self) -> Floats:
        """The variance, and something else where the law is a point."""
        return np.where(self.variance > 0, self.variance, 1.0)

    @property
    def known(self) -> Booleans:
        """Where the law is a point: every case has the most that it can have."""
        return np.asarray(self.top == self.least)

    def above(self, alpha: Floats) -> Floats:
        """The quantile that leaves alpha above it."""
        a, b = (np.where(self.known, 1.0, shape) for shape in self.shapes)
        quantile = betainccinv(a, b, alpha)
        share = np.where(np.isnan(quantile), 1.0, quantile)  # scipy gives up where it is nearly 1
        return np.asarray(np.where(self.known, self.top, self.least + (self.top - self.least) * share))

    def tail(self, x: Floats) -> Floats:
        """The probability above x."""
        a, b = (np.where(self.known, 1.0, shape) for shape in self.shapes)
        width = np.where(self.known, 1.0, self.top - self.least)
        places = np.clip((x - self.least) / width, 0.0, 1.0)
        return np.asarray(np.where(self.known, x <= self.top, betaincc(a, b, places)))


def with_unseen_case(counts: Floats, values: Floats, possible: Booleans, kept: float = KEPT) -> BetaLaw:
    """The Beta law of ``sum_j values[j] * share[j]`` at each point, one case at the greatest possible value added.

    All arrays of shape (n_points, n_cells); ``kept`` is the part of the case that is at the least value seen.
    """
    least = np.where(counts > 0, values, np.inf).min(axis=1)
    top = np.where(possible, values, -np.inf).max(axis=1)
    width = np.where(top > least, top - least, 1.0)
    place = np.where(counts > 0, (values - least[:, None]) / width[:, None], 0.0)
    n = counts.sum(axis=1)
    share = ((counts * place).sum(axis=1) + (1 - kept)) / (n + 1)
    squares = (counts * (place - share[:, None]) ** 2).sum(axis=1) + (1 - kept) * (1 - share) ** 2 + kept * share**2
    variance = np.where(top > least, width**2 * squares / ((n + 1) * (n + 2)), 0.0)
    return BetaLaw(least, top, np.where(top > least, share, 1.0), variance)


@singledispatch
def unseen_case(law: Law, alpha: Floats, side: int) -> Floats:
    """The limit of the parameter of a law, each kind of law in its own way."""
    raise NotImplementedError(f"'unseen_case' is not for a {type(law).__name__}.")


@unseen_case.register
def linear_unseen_case(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """The outer one of MOVER of each class's limits and of one Beta law with their moments added."""
    parts = [_part(stratum, side) for stratum in law.strata]
    estimates = [side * stratum.observed_mean for stratum in law.strata]
    estimate = np.asarray(sum(estimates))
    distances = [np.maximum(part.above(alpha) - seen, 0.0) for part, seen in zip(parts, estimates, strict=True)]
    mover = estimate + reduce(np.hypot, distances)
    return np.asarray(side * np.maximum(mover, _summed(parts).above(alpha)))


@unseen_case.register
def folded_unseen_case(law: FoldedLaw, alpha: Floats, side: int) -> Floats:
    """That of one sample of all folds' cases."""
    return linear_unseen_case(law.pooled, alpha, side)


def unseen_case_tails(law: Law, x: float) -> Tails | None:
    """Where all cases are sampled together the limit is a quantile of one Beta law."""
    if not isinstance(law, LinearLaw) or len(law.strata) > 1:
        return None
    (cases,) = law.strata
    lower, upper = (
        np.where(side * cases.observed_mean >= side * x, 1.0, _part(cases, side).tail(np.asarray(side * x)))
        for side in (-1, 1)
    )
    return lower, upper


def _part(stratum: Stratum, side: int) -> BetaLaw:
    return with_unseen_case(stratum.observed, side * stratum.values, stratum.prior > 0)


def _summed(parts: list[BetaLaw]) -> BetaLaw:
    """The law with the sums of means and variances, between the sums of the ends."""
    least, top, above_least, variance = (
        np.asarray(sum(terms))
        for terms in zip(
            *((part.least, part.top, (part.top - part.least) * part.share, part.variance) for part in parts),
            strict=True,
        )
    )
    share = np.where(top > least, above_least / np.where(top > least, top - least, 1.0), 1.0)
    return BetaLaw(least, top, share, variance)


METHODS: tuple[Method[LinearLaw | MetricLaw | KernelLaw | BudgetLaw | ClassesLaw | FoldedLaw]] = (
    Method(
        "unseen_case",
        "unseen case",
        unseen_case,
        "Wide where a cell that was not seen costs much more than those that were: the data cannot exclude it.",
        unseen_case_tails,
    ),
)
