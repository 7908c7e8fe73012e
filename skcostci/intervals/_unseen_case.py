"""Limits for a sum of cell values times shares that allow for one case at the worst value, not seen yet.

Among n cases there may be one more, at the most that a cell can cost: for an upper limit it is added, and the shares
get the Dirichlet law of the n + 1 cases. For two cells that gives Clopper and Pearson's limits; for more, Gaffke's,
with a Beta law of the same mean, variance and third moment, up to the most, in place of the law of a Dirichlet mean.
With the third moment left free its tail was too light where a dear cell is rare and the others cost little.

Classes are sampled independently: the moments of their sum are the sums of theirs. A ratio of two means ends at the
last x for which the mean of n - x d may be 0.

Beta laws whose variance was estimated are widened as Student's t is beside the normal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, singledispatch

import numpy as np
from scipy.special import betaincc, betainccinv, betaincinv, betaln, ndtri, stdtrit

from skcostci._validation import Booleans, Floats
from skcostci.intervals._method import Law, Method, Tails
from skcostci.intervals._roots import last_inside
from skcostci.laws import (
    BudgetLaw,
    ClassesLaw,
    CurveLaw,
    FirstOrderLaw,
    FoldedLaw,
    KernelLaw,
    LinearLaw,
    MeanLaw,
    MetricLaw,
    MetricPairLaw,
    RatioLaw,
)

SMALLEST_TAIL = 1e-100  # scipy's quantiles of Student's t are not to be relied on further out


def widening(freedom: Floats | float, alpha: Floats) -> Floats:
    """The square of Student's quantile over the normal one."""
    tail = np.clip(alpha, SMALLEST_TAIL, 0.5 - 1e-6)  # at 1/2 both quantiles are 0
    return np.asarray((stdtrit(freedom, tail) / ndtri(tail)) ** 2)


def wide_beta(mean: Floats | float, variance: Floats | float, alpha: Floats) -> Floats:
    """Quantiles of the Beta law with these moments; the lowest value where none is that wide."""
    size = mean * (1 - mean) / variance - 1
    some = np.where(size > 0, size, 1.0)
    with np.errstate(under="ignore"):
        return np.where(size > 0, _beta_quantile(mean * some, (1 - mean) * some, alpha), 0.0)


def _beta_quantile(a: Floats, b: Floats, q: Floats) -> Floats:
    """Quantiles of Beta laws; where scipy gives up, far out, the first term of the series is all there is."""
    quantile = betaincinv(a, b, q)
    with np.errstate(divide="ignore", under="ignore"):
        first = np.exp(np.minimum((np.log(q) + np.log(a) + betaln(a, b)) / a, 0))
    return np.asarray(np.where(np.isnan(quantile), first, quantile))


@dataclass(frozen=True)
class BetaLaw:
    """Beta laws that end at ``top``, one a point.

    Mean, variance and third central moment are on a scale from 0 at ``least`` to 1 at ``top``. A law that had to start
    below ``least`` to have that third moment starts there and has a larger one.
    """

    least: Floats
    top: Floats
    mean: Floats
    variance: Floats
    third: Floats

    @property
    def width(self) -> Floats:
        """From the least to the top, 1 where they are the same."""
        return np.where(self.known, 1.0, self.top - self.least)

    @property
    def known(self) -> Booleans:
        """Where the law is a point: every case has the most that it can have."""
        return np.asarray(self.top == self.least)

    @cached_property
    def start(self) -> Floats:
        """Where the law starts on its scale."""
        below, above, square = self.mean, 1 - self.mean, 2 * self.variance**2
        more = self.third * (below * above + self.variance) - square * (above - below)
        return np.where(more > 0, more / np.where(more > 0, self.third * above + square, 1.0), 0.0)

    @property
    def shapes(self) -> tuple[Floats, Floats]:
        """Both shape parameters, 1 where the law is a point."""
        below, above = self.mean - self.start, 1 - self.mean
        size = below * above / np.where(self.known, 1.0, self.variance) - 1
        a, b = (np.where(self.known, 1.0, size * part / (below + above)) for part in (below, above))
        return a, b

    def above(self, alpha: Floats) -> Floats:
        """The quantile that leaves alpha above it."""
        quantile = betainccinv(*self.shapes, alpha)
        share = np.where(np.isnan(quantile), 1.0, quantile)  # scipy gives up where it is nearly 1
        place = self.start + (1 - self.start) * share
        return np.asarray(np.where(self.known, self.top, self.least + self.width * place))

    def tail(self, x: Floats) -> Floats:
        """The probability above x."""
        place = ((x - self.least) / self.width - self.start) / (1 - self.start)
        return np.asarray(np.where(self.known, x <= self.top, betaincc(*self.shapes, np.clip(place, 0.0, 1.0))))


def with_unseen_case(counts: Floats, values: Floats, possible: Booleans) -> BetaLaw:
    """The Beta law of ``sum_j values[j] * share[j]`` at each point, one case at the greatest possible value added.

    All arrays of shape (n_points, n_cells).
    """
    least = np.where(counts > 0, values, np.inf).min(axis=1)
    top = np.where(possible, values, -np.inf).max(axis=1)
    known = top == least
    place = np.where(counts > 0, (values - least[:, None]) / np.where(known, 1.0, top - least)[:, None], 0.0)
    n = counts.sum(axis=1) + 1
    mean = np.where(known, 1.0, ((counts * place).sum(axis=1) + 1) / n)
    off, rest = place - mean[:, None], 1 - mean
    squares = np.where(known, 0.0, (counts * (off * off)).sum(axis=1) + rest**2)
    third = (counts * (off * off * off)).sum(axis=1) + rest**3  # as a power it would take ten times as long
    cubes = np.where(known, 0.0, third)
    return BetaLaw(least, top, mean, squares / (n * (n + 1)), 2 * cubes / (n * (n + 1) * (n + 2)))


@singledispatch
def unseen_case(law: Law, alpha: Floats, side: int) -> Floats:
    """The limit of the parameter of a law, each kind of law in its own way."""
    raise NotImplementedError(f"'unseen_case' is not for a {type(law).__name__}.")


@unseen_case.register
def linear_unseen_case(law: LinearLaw, alpha: Floats, side: int) -> Floats:
    """A quantile of the Beta law of all classes together, no nearer than what was observed."""
    return np.asarray(side * np.maximum(_together(law, side).above(alpha), side * _observed(law)))


@unseen_case.register
def folded_unseen_case(law: FoldedLaw, alpha: Floats, side: int) -> Floats:
    """That of one sample of all folds' cases."""
    return linear_unseen_case(law.pooled, alpha, side)


@singledispatch
def unseen_case_tails(law: Law, x: float) -> Tails | None:
    """Limits of sums are quantiles of one Beta law; those of other laws are not."""
    return None


@unseen_case_tails.register
def linear_tails(law: LinearLaw, x: float) -> Tails:
    """The tails of that law."""
    lower, upper = (
        np.where(side * _observed(law) >= side * x, 1.0, _together(law, side).tail(np.asarray(side * x)))
        for side in (-1, 1)
    )
    return lower, upper


def _observed(law: LinearLaw) -> Floats:
    """The sum on these cases."""
    return np.asarray(sum(stratum.observed_mean for stratum in law.strata))


def _together(law: LinearLaw, side: int) -> BetaLaw:
    """The law of the sum over classes, turned round for a lower limit."""
    return _summed([with_unseen_case(part.observed, side * part.values, part.prior > 0) for part in law.strata])


def _summed(parts: list[BetaLaw]) -> BetaLaw:
    """The law with the sums of central moments, between the sums of the ends."""
    least, top = (np.asarray(sum(ends)) for ends in zip(*((part.least, part.top) for part in parts), strict=True))
    known = top == least
    weights = [np.where(known, 0.0, (part.top - part.least) / np.where(known, 1.0, top - least)) for part in parts]
    mean, variance, third = (
        np.asarray(sum(weight**k * moment for weight, moment in zip(weights, moments, strict=True)))
        for k, moments in enumerate(zip(*((part.mean, part.variance, part.third) for part in parts), strict=True), 1)
    )
    return BetaLaw(least, top, np.where(known, 1.0, mean), variance, third)


@unseen_case.register
def mean_unseen_case(law: MeanLaw, alpha: Floats, side: int) -> Floats:
    """That of a sum; where one value is all that is known, the end of the parameter's range."""
    limit = linear_unseen_case(law.judged, alpha, side)
    return np.where(law.is_point, law.support[side > 0], limit)


@unseen_case_tails.register
def mean_tails(law: MeanLaw, x: float) -> Tails:
    """Those of a sum; where one value is all that is known, no limit leaves out anything."""
    lower, upper = linear_tails(law.judged, x)
    least, most = law.support
    return np.where(law.is_point & (least < x), 1.0, lower), np.where(law.is_point & (most > x), 1.0, upper)


@unseen_case.register
def ratio_unseen_case(law: RatioLaw, alpha: Floats, side: int) -> Floats:
    """Sought on the scale of an angle, ``x = unit * tan(angle)``, which has room for infinite ratios."""
    levels, end = np.broadcast_to(alpha, np.shape(alpha) or (1,)), law.support[side > 0]
    if law.is_point:
        return np.broadcast_to(end, levels.shape)
    unit = max(float(np.abs(law.numerator).max()), abs(law.numerator_ends[side > 0])) / law.denominator.max()
    if unit == 0:
        return np.broadcast_to(law.estimate, levels.shape)

    def inside(angle: Floats) -> Floats:
        """Not negative where the ratio lies between the limits."""
        laws = [law.at(unit * np.tan(each)) for each in angle.tolist()]
        found = [linear_unseen_case(each, level, side)[0] for each, level in zip(laws, levels, strict=True)]
        return side * np.array(found)

    start, last = np.arctan(law.estimate / unit), np.arctan(end / unit)
    found = last_inside(inside, np.broadcast_to(start, levels.shape), np.broadcast_to(last, levels.shape), 1e-10)
    return np.where(found == last, end, unit * np.tan(found))


@unseen_case_tails.register
def ratio_tails(law: RatioLaw, x: float) -> Tails:
    """Those of the mean of n - x d at 0; where one ratio is all that is known, no limit leaves out anything."""
    lower, upper = linear_tails(law.at(x), 0.0)
    least, most = law.support
    return np.where(law.is_point & (least < x), 1.0, lower), np.where(law.is_point & (most > x), 1.0, upper)


METHODS: tuple[
    Method[
        LinearLaw
        | MetricLaw
        | MetricPairLaw
        | KernelLaw
        | BudgetLaw
        | ClassesLaw
        | CurveLaw
        | FirstOrderLaw
        | FoldedLaw
        | RatioLaw
    ]
] = (
    Method(
        "unseen_case",
        "unseen case",
        unseen_case,
        "Allows for one more case, not seen yet, at the worst value that it can have.",
        "Wide where a cell that was not seen costs much more than those that were: the data cannot exclude it.",
        unseen_case_tails,
    ),
)
