"""A statistic described by its units: the influence value of each, and the effect of one more, least favourable unit.

T is a smooth statistic of weighted units, cases or whole groups of them, drawn in strata. A unit's influence ``g_i`` is
the first-order change of T as its weight grows: ``dw g_i`` when the weight 1 becomes ``1 + dw``. Its worth is
``T + k g_i``, with k units in its stratum. Influences are 0 on average, their squares add up to the variance and the
products of two statistics' influences to the covariance; the influences of a difference are differences.

To allow for units that the sample lacks, one unseen unit is put among the others with a weight u, and T and all
influences are computed anew, exactly, at that weight. So T need not be linear: precision, F1 and the AUC are not
(:class:`CountedCases`, and the laws of ranks themselves).

Where that is not possible, T is treated as linear in the worths of units. The worth of an unseen unit then comes from a
step of its full size, at the worst or the best there can be, from e, the value of T, to e' with one unit more than the
k of its stratum: it is ``w = (k + 1) e' - k e``, and with a weight u the unit moves T by ``u / (k + u) (w - e)``
(:class:`FirstOrderLaw`). A derivative cannot replace the step: average precision has an infinite
one at the top of its curve.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci.laws.influence._curves import Optimism
from skcostci.laws.influence._variation import NO_LEVELS, DrawnUnits, LevelVariance, Variation, informative_units

# U, the largest weight of an unseen unit.
OF_COUNTS = 1.0  # for counts and for means
OF_RANKS = 0.92  # for AUCs: placements are hardly ever all or nothing, and 1 would widen limits where none is
# For areas along a curve. In the rows of benchmarks/curves.py 95 % intervals cover .90 to .98 at worst with .5, and .94
# to 1.00 with .7. With .92 coverage is up to .03 higher, and widths grow by 1 to 20 %, most where models are compared.
OF_CURVES = 0.7

Ends = tuple[Floats | float, Floats | float]  # the least and the most that a statistic can be


class Unseen(NamedTuple):
    """An unseen unit: stratum, ``made_of`` (cases by cell, or its x)."""

    stratum: int
    made_of: Floats


class Moved(NamedTuple):
    """A statistic with an unseen unit among the others, one entry per point.

    Fields are its value, the influence of the unseen unit, the sum of the squared influences of the units seen, per
    stratum, and the least and the greatest influence in the stratum of the unseen unit.
    """

    value: Floats
    unseen: Floats
    squares: Floats
    ends: tuple[Floats, Floats]


class Differences(NamedTuple):
    """How influence values in a stratum, those of groups or the placements of cases, differ between two models.

    Fields are the number of units, the mean of the differences, the largest that one can be, their second and third
    central moments, the largest distance from the mean, at most ``largest``, and how many units differ.
    """

    cases: float
    mean: float
    largest: float
    square: float
    third: float
    far: float
    differing: float

    @property
    def reached(self) -> float:
        """``far`` as a share of ``largest``; 0 where every difference must be 0."""
        return self.far / self.largest if self.largest > 0 else 0.0


def typical(counts: Floats, sizes: Floats) -> Floats:
    """The counts of a unit of root-mean-square size (large ones may be those that fail), of the units of a size."""
    some = sizes > 0
    if not some.any():  # a class that is in no group has no typical size
        return np.zeros(counts.shape[1])
    return np.asarray(counts[some].sum(axis=0) * np.sqrt((sizes[some] ** 2).mean()) / sizes.sum())


def effective_size(sizes: Sequence[int]) -> int:
    """The effective number of cases of the mean of the rates of samples of these sizes."""
    return max(round(len(sizes) ** 2 / sum(1 / size for size in sizes)), 1)


def group_strata(counts: Floats) -> list[Booleans]:
    """Which groups are drawn together: all or, if each has one class, that class's; ``counts`` by group and class."""
    if np.any((counts > 0).sum(axis=1) > 1):
        return [np.ones(len(counts), dtype=bool)]
    return list(counts.T > 0)


class Units(NamedTuple):
    """Units that are drawn together: their number k, the effective number of equal size, and moments of x = k g.

    Fields have one entry per point (the number only where it differs between points): the mean square, cube and fourth
    power of x, its least and its greatest value, and the ends, x of the worst and the best unit that there could be:
    (k + 1) (e' - e), NaN where it is unknown. ``varied`` is the variation of units of unequal size.
    """

    number: Floats | float
    effective: float
    square: Floats
    third: Floats
    fourth: Floats
    least: Floats
    most: Floats
    worst: Floats
    best: Floats
    varied: Variation | None = None

    @classmethod
    def of(
        cls,
        added: Floats,
        counts: Floats,
        ends: tuple[Floats, Floats],
        rounding: Floats,
        sizes: Floats | None = None,
        spreads: Floats | None = None,
    ) -> Units:
        """From x, of shape (n_rows, n_points), and the number of units per row.

        ``sizes`` are the sizes of units that are not equal, and ``spreads`` what the variances of groups are
        proportional to if cases are independent, of shape (n_points, n_rows).
        """
        least, most = added.min(axis=0), added.max(axis=0)
        if (still := np.maximum(-least, most) <= rounding).any():
            added, least, most = (np.where(still, 0.0, each) for each in (added, least, most))
        number = float(counts.sum())
        effective = number if sizes is None else float(sizes.sum() ** 2 / (sizes**2).sum())
        squares = added * added  # powers take ten times as long
        square, third, fourth = (
            np.einsum("u,up,up->p", counts, squares, each) / number for each in (np.ones((1, 1)), added, squares)
        )
        varied = None if sizes is None or spreads is None else Variation.of(added.T, sizes, spreads, counts)
        return cls(number, effective, square, third, fourth, least, most, *ends, varied)

    def thinned(self, share: float) -> Units:
        """The units where only this share of them counts, each with the same x; an unseen one makes the same step."""
        k = self.number
        worst, best = ((share * k + 1) / (k + 1) * end for end in (self.worst, self.best))
        return self._replace(number=share * k, effective=share * self.effective, worst=worst, best=best)

    def variation(self, of_weights: Floats | None = None) -> Variation:
        """How x varies, of units of one size unless they have their own; ``of_weights`` is the variance by weights."""
        if self.varied is not None:
            return self.varied
        k = np.broadcast_to(np.asarray(self.number, dtype=np.float64), self.square.shape)
        variance = (self.square / k if of_weights is None else of_weights) * k / np.maximum(k - 1, 1.0)
        informative = informative_units(k, self.square, self.third, self.fourth)
        freedom = np.broadcast_to(max(self.effective - 1, 1.0), k.shape)
        return Variation(k, variance, freedom, informative, np.maximum(-self.least, self.most), self.square, self.third)

    def by_kurtosis(self) -> Variation:
        """How x varies where it is no sum over cases; Student's t then accounts for the variance of its mean square."""
        k, m2 = np.broadcast_arrays(np.asarray(self.number, dtype=np.float64), self.square)
        some = m2 > 0
        kurtosis = self.fourth / np.where(some, m2, 1.0) ** 2
        spread = np.maximum((kurtosis - 1) / (2 * k), 1 / np.where(some, k - 1, 1.0))
        informative = informative_units(k, m2, self.third, self.fourth)
        far = np.maximum(-self.least, self.most)
        return Variation(k, m2 / k, np.where(some, 1 / spread, 1.0), informative, far, m2, self.third)


@dataclass(frozen=True, repr=False, eq=False)
class FirstOrderLaw:
    """Mean and variance, to first order, of a statistic at n_points points, and the worths that limits use.

    ``ends`` are the least and the most that the statistic can be, everywhere or at each point, and ``most_unseen`` the
    largest weight of an unseen unit, the U of the bound. ``of_weights`` is the variance where cases have unequal
    weights; the strata then have the effective number of equally weighted units. ``paired``: it is a difference, of the
    models with the laws ``a`` and ``b`` if there are such; ``curved``: it is bounded and no sum over the cases that are
    drawn, as average precision is none; ``bilinear``: it is a mean over pairs of cases of several strata. ``by_level``
    is the statistic at each level that units cross, shape (n_levels, n_points), and ``level_variance`` what levels add
    to the variance. ``optimisms`` are of thresholds chosen on these cases. Limits may be those of other laws:
    ``from_share`` of the law ``as_share``, of a number from 0 to 1, where there is no greatest value; of a ratio, the x
    where the law ``mean_at`` x, of the mean of n - x d, ends at 0. No limit is nearer than that of ``known``, the law
    at known class sizes or a known share of positives. Limits are about the estimate minus its ``bias``; ``expected``
    is the mean of a resample, where it is not the estimate, and ``rest`` the variance beyond first order. ``left_out``
    is the law with x that come of leaving units out, for limits where models are alike. ``differing``, of two AUCs: on
    how many cases of each stratum both models differ.
    """

    estimate: Floats
    ends: Ends
    strata: tuple[Units, ...]
    most_unseen: float
    of_weights: Floats | None = field(default=None, kw_only=True)
    paired: bool = field(default=False, kw_only=True)
    curved: bool = field(default=False, kw_only=True)
    bilinear: bool = field(default=False, kw_only=True)
    level_variance: LevelVariance = field(default=NO_LEVELS, kw_only=True)
    by_level: Floats | None = field(default=None, kw_only=True)
    a: FirstOrderLaw | None = field(default=None, kw_only=True)
    b: FirstOrderLaw | None = field(default=None, kw_only=True)
    bias: Floats | float = field(default=0.0, kw_only=True)
    expected: Floats | None = field(default=None, kw_only=True)
    rest: Floats | float = field(default=0.0, kw_only=True)
    exact: bool = field(default=False, kw_only=True)
    left_out: FirstOrderLaw | None = field(default=None, kw_only=True)
    differing: tuple[float, ...] = field(default=(), kw_only=True)
    optimisms: tuple[Optimism, ...] = field(default=(), kw_only=True)
    as_share: FirstOrderLaw | None = field(default=None, kw_only=True)
    from_share: Callable[[Floats], Floats] = field(default=np.asarray, kw_only=True)
    mean_at: Callable[[float], FirstOrderLaw] | None = field(default=None, kw_only=True)
    known: Any = field(default=None, kw_only=True)

    @property
    def has_worst_unit(self) -> bool:
        return self.as_share is not None or bool(np.isfinite(self.support).all())

    @cached_property
    def drawn(self) -> DrawnUnits:
        weighted = self.of_weights if len(self.strata) == 1 else None
        strata = [part.variation(weighted) for part in self.strata]
        reach = [(part.worst, part.best) for part in self.strata]
        return DrawnUnits(self.estimate, self.support, strata, reach, self.paired, self.center, self.level_variance)

    @staticmethod
    def side_by_side(laws: Sequence[FirstOrderLaw]) -> FirstOrderLaw:
        strata = []
        for parts in zip(*(law.strata for law in laws), strict=True):
            numbers, effective, *columns, varied = zip(*parts, strict=True)
            number = np.repeat(numbers, [len(law.estimate) for law in laws])
            every = None if varied[0] is None else Variation(*map(np.concatenate, zip(*varied, strict=True)))
            together = [np.concatenate(column, axis=-1) for column in columns]
            strata.append(Units(number, effective[0], *together)._replace(varied=every))  # type: ignore[arg-type]  # 10th
        of_weights = [law.of_weights for law in laws if law.of_weights is not None]
        return replace(
            laws[0],
            estimate=np.concatenate([law.estimate for law in laws]),
            strata=tuple(strata),
            of_weights=np.concatenate(of_weights) if of_weights else None,
        )

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        least, most = (np.broadcast_to(np.asarray(end, np.float64), self.estimate.shape) for end in self.ends)
        return least, most

    @property
    def is_exact(self) -> bool:
        return self.exact

    @property
    def mean(self) -> Floats:
        return self.estimate if self.expected is None else self.expected

    @property
    def center(self) -> Floats:
        return self.estimate - self.bias

    @property
    def variance(self) -> Floats:
        return np.where(np.isinf(self.estimate), np.inf, self._of_units + self.level_variance.own + self.rest)

    @property
    def variance_parts(self) -> tuple[Floats, Floats] | None:
        """What units and levels add to the variance, where there are levels."""
        return None if self.by_level is None else (self._of_units, np.asarray(self.level_variance.own))

    @property
    def _of_units(self) -> Floats:
        if self.of_weights is not None:
            return self.of_weights
        return np.asarray(self._squares.sum(axis=0))

    @cached_property
    def _squares(self) -> Floats:
        return np.array([part.square / part.number for part in self.strata])

    @property
    def covariance(self) -> Floats:
        a, b = self._of_models
        return np.asarray((a + b - self.variance) / 2)

    @property
    def correlation(self) -> Floats:
        root = np.sqrt(np.prod(self._of_models, axis=0))
        shared = np.divide(self.covariance, root, out=np.zeros_like(root), where=root > 0)
        return np.asarray(np.clip(shared, -1.0, 1.0))

    @property
    def _of_models(self) -> list[Floats]:
        return [law.variance for law in (self.a, self.b) if law is not None]

    @property
    def differences(self) -> list[Differences]:
        """How placements differ between two models, stratum by stratum; those of an unseen case are at the ends."""
        found = []
        for part, differing in zip(self.strata, self.differing, strict=True):
            worst, best, seen = part.worst.item(), part.best.item(), max(-part.least.item(), part.most.item())
            mean, largest = -(worst + best) / 2, (best - worst) / 2
            moments = part.square.item(), part.third.item(), min(seen, largest)
            found.append(Differences(float(part.number), mean, largest, *moments, differing))
        return found

    @cached_property
    def units(self) -> Floats:
        """The number of units that count in each stratum, (n_strata, n_points)."""
        return np.array([np.broadcast_to(part.number, self.estimate.shape) for part in self.strata])

    @cached_property
    def effective(self) -> Floats:
        """The effective number of units of equal size."""
        return np.array([np.broadcast_to(part.effective, self.estimate.shape) for part in self.strata])

    def unseen(self, side: int) -> list[Unseen]:
        """The least favourable unit of each stratum."""
        return [Unseen(own, part.worst if side < 0 else part.best) for own, part in enumerate(self.strata)]

    def at(self, u: Floats | float, one: Unseen) -> Moved:
        """The statistic with an unseen unit of weight u.

        The mean worth of its stratum moves towards that of the unit, and all worths are centred on it anew.
        """
        own = self.strata[one.stratum]
        whole = own.number + u
        shift = u * one.made_of / whole
        squares = self._squares.copy()
        if self.bilinear:  # what pairs with this stratum contribute to the placements of the others shrinks
            squares *= (own.number / whole) ** (2 / (len(self.strata) - 1))
        squares[one.stratum] = own.number * (own.square + shift**2) / whole**2
        least, most = ((end - shift) / whole for end in (own.least, own.most))
        return Moved(self.center + shift, (one.made_of - shift) / whole, squares, (least, most))
