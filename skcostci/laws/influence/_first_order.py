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

**How units vary**, such as groups of cases of unequal size, and what they tell of others (:class:`Variation`). Each of
k units has an x, k times its influence value, which is 0 on average. If cases were independent x would have a variance
proportional to v (``spreads``): the number of cases n of the unit, or the sum over these of the mean squared influence
value of a case of their class. With h = v / S the variance V of the statistic and its degrees of freedom f are

    a_i = v_i / d_i,    V = sum_i a_i x_i^2 / k^2,    f = E^2 / F,    S = sum_i v_i,
    d_i = v_i - 2 h_i v_i + h_i^2 S,    E = sum_i a_i d_i,
    F = 2 (sum a h^2)(sum a v^2) + 2 (sum a h v)^2 + S^2 (sum a h^2)^2 - 4 S (sum a h v)(sum a h^2)
        - sum a^2 (2 h v - h^2 S)^2 + sum a^2 d^2,

with f = k - 1 for units of one size. If cases were independent V would be unbiased and f Satterthwaite's: Bell and
McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage samples", Survey Methodology 28,
2002. Unlike k - 1 degrees of freedom these hold where one unit has most cases. How extreme a further unit may be is
told by z, x on the scale of units of typical size, with central moments m2, m3 and m4: by the number of units that are
``informative`` about that, and by the largest value, ``far``,

    z_i = x_i / sqrt(v_i k / S), centred,    informative = min(k / (1 + m3^2 / m2^3)^1.5, k m2^2 / m4),
    far = max |z_i| sqrt(k n / N),    n = sqrt(mean n_i^2),    N = sum n_i.

**Levels** of a second factor (readers of cases, judges of questions, seeds of items) vary too. T is then a mean over J
levels of its values T_r within each, and its variance has two parts. The first is due to units, as without levels, from
g_u = mean over r of the influences g_ru. The second is due to levels: the variance B of the T_r is larger than the
sampling of units alone explains. With C_rs the covariance of T_r and T_s over units, C the mean of the C_rr and c the
mean of the C_rs of different levels,

    B = sum (T_r - T)^2 / (J - 1),    own = max(B - (C - c), 0) / J,    df = (J - 1) (J own / B)^2,

where ``own`` is Obuchowski and Rockette's (1995) component of variance, and df are the degrees of freedom of Hillis
(2007) and Satterthwaite. The limits add a least favourable unit but no least favourable level: levels are few, and one
in six that fails entirely would take limits to the ends of the range.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import NamedTuple

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci.laws.influence._curves import Optimism

# U, the largest weight of an unseen unit.
OF_COUNTS = 1.0  # for counts and for means
OF_RANKS = 0.92  # for AUCs: placements are hardly ever all or nothing; where none is, 1 would widen limits needlessly
# For areas along a curve. In the rows of benchmarks/curves.py 95 % intervals cover .90 to .98 at worst with .5, and .94
# to 1.00 with .7. With .92 coverage is up to .03 higher, and widths grow by 1 to 20 %, most where models are compared.
OF_CURVES = 0.7
SKEWED = 1.5  # how fast skewness reduces the number of informative units: where one differs, the many count as one
ROUNDING_OF_LEVELS = 1e-10  # relative to B: a smaller excess is rounding, and would have next to no degrees of freedom

Ends = tuple[Floats | float, Floats | float]  # the least and the most that a statistic can be


class Unseen(NamedTuple):
    """An unseen unit: stratum, ``made_of`` (cases by cell, or its x)."""

    stratum: int
    made_of: Floats


# A statistic with an unseen unit among the others, one entry per point: its value, the influence of the unseen unit,
# the sum of the squared influences of the units seen, per stratum, and the least and the greatest influence in the
# stratum of the unseen unit.
Moved = tuple[Floats, Floats, Floats, tuple[Floats, Floats]]


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
    """Mean counts of units with a size, scaled to their root-mean-square size: large ones may be those that fail."""
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


class Variation(NamedTuple):
    """How the units of a stratum vary, by point: k, V, f, ``informative`` and ``far``, and the means of x^2 and x^3."""

    number: Floats
    variance: Floats
    freedom: Floats
    informative: Floats
    far: Floats
    square: Floats
    third: Floats

    @classmethod
    def of(cls, x: Floats, sizes: Floats, spreads: Floats, times: Floats, shares: Floats | None = None) -> Variation:
        """From x, n (``sizes``, 0: no unit) and v of units, ``times`` each; ``shares`` are h where it is not v / S."""
        t = times * (sizes > 0)
        k = np.maximum(t.sum(axis=-1), 1.0)
        v = np.where((t * spreads).sum(axis=-1, keepdims=True) > 0, spreads, sizes)
        whole = (t * v).sum(axis=-1, keepdims=True)
        squares = x * x  # other powers take ten times as long
        variance, freedom = _pooled(t, v / whole if shares is None else shares, v, squares)
        relative = np.sqrt((t * sizes**2).sum(axis=-1) / k) / (t * sizes).sum(axis=-1)
        z = np.divide(x, np.sqrt(v * k[..., None] / whole), out=np.zeros_like(x), where=v > 0)
        informative, far = _told(z, t, k)
        moments = ((t * power).sum(axis=-1) / k for power in (squares, squares * x))
        far = far * np.sqrt(k * relative)
        return cls(*np.broadcast_arrays(k, variance / k**2, freedom, informative, far, *moments))

    def capped(self, most: float) -> Variation:
        return self._replace(informative=np.minimum(self.informative, most))


def _pooled(t: Floats, h: Floats, v: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """k^2 V and f; ``hhs`` is h^2 S."""
    whole = (t * v).sum(axis=-1)
    hhs = np.maximum(h**2 * whole[..., None], 0.0)
    d = v - 2 * h * v + hhs
    a = np.divide(v, d, out=np.ones_like(d), where=(v > 0) & (d > 0))
    hh, vv, hv = ((t * a * each).sum(axis=-1) for each in (h**2, v**2, h * v))
    own = (t * a**2 * (d**2 - (2 * h * v - hhs) ** 2)).sum(axis=-1)
    spread = 2 * hh * vv + 2 * hv**2 + (whole * hh) ** 2 - 4 * whole * hv * hh + own
    freedom = (t * a * d).sum(axis=-1) ** 2 / np.maximum(spread, 1e-300)
    return (t * a * squares).sum(axis=-1), np.maximum(freedom, 1.0)


def _told(z: Floats, t: Floats, k: Floats) -> tuple[Floats, Floats]:
    """The number of units informative about variation, 0 where there is none, and the largest distance."""
    z = np.where(t > 0, z - ((t * z).sum(axis=-1) / k)[..., None], 0.0)
    far = np.abs(z).max(axis=-1)
    unit = np.where(far > 0, far, 1.0)[..., None]  # so that fourth powers neither overflow nor vanish
    z /= unit
    squares = z * z
    m2, m3, m4 = ((t * power).sum(axis=-1) / k for power in (squares, squares * z, squares * squares))
    return informative_units(k, m2, m3, m4), far


def informative_units(k: Floats | float, m2: Floats | float, m3: Floats | float, m4: Floats | float) -> Floats:
    """The number of k units that are informative about variation, from central moments; 0 where there is none."""
    some = np.asarray(m2) > 0
    m2, m4 = np.where(some, m2, 1.0), np.where(some, m4, 1.0)
    skewed = k / (1 + (m3 / m2**1.5) ** 2) ** SKEWED  # cubes of squares may vanish
    return np.where(some, np.minimum(skewed, k * m2**2 / m4), 0.0)


class LevelVariance(NamedTuple):
    """``own``, its degrees of freedom, and the number of levels."""

    own: Floats | float = 0.0
    freedom: Floats | float = 1.0
    levels: int = 1

    @classmethod
    def of(cls, each: Floats, by_unit: Floats, together: Floats) -> LevelVariance:
        """From ``each`` T_r, shape (n_levels, n_points), C (``by_unit``), and the variance over units of sum T_r."""
        levels = len(each)
        spread = each.var(axis=0, ddof=1)
        common = (together - levels * by_unit) / (levels * (levels - 1))
        excess = spread - np.maximum(by_unit - common, 0.0)
        own = np.where(excess > ROUNDING_OF_LEVELS * spread, excess, 0.0) / levels
        share = np.divide(levels * own, spread, out=np.ones_like(own), where=own > 0)
        return cls(own, (levels - 1) * share**2, levels)

    @property
    def square(self) -> Floats | float:
        """``own`` before a factor J / (J + 1), as sums of squared influences are before k / (k + 1) (``_unseen``)."""
        return self.own * (self.levels + 1) / self.levels


NO_LEVELS = LevelVariance()  # where there are no levels


@dataclass(frozen=True, repr=False, eq=False)
class DrawnUnits:
    """The units that "extrapolated" rests on: T, its range, how x varies in each stratum, and how far an x may reach.

    ``reach`` has for each stratum the x, of any sign, of a further unit all of whose cases are at the worst end of the
    range, and at the best; NaN where it is unknown. ``paired`` says whether T is a difference of two models, ``center``
    is T minus its bias, and ``levels`` the variance of crossed levels.
    """

    estimate: Floats
    support: tuple[Floats, Floats]
    strata: Sequence[Variation]
    reach: Sequence[tuple[Floats, Floats]]
    paired: bool
    center: Floats
    levels: LevelVariance = NO_LEVELS


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
        squares = added * added
        square = np.einsum("u,up->p", counts, squares) / number
        third, fourth = (np.einsum("u,up,up->p", counts, squares, each) / number for each in (added, squares))
        varied = None
        if sizes is not None and spreads is not None:
            by_point = np.ascontiguousarray(added.T)  # sums over units are then twice as fast
            varied = Variation.of(by_point, sizes, spreads, counts)
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
        found, some = self._replace(varied=None).variation(), self.square > 0
        kurtosis = self.fourth / np.where(some, self.square, 1.0) ** 2
        spread = np.maximum((kurtosis - 1) / (2 * found.number), 1 / np.where(some, found.number - 1, 1.0))
        return found._replace(variance=self.square / found.number, freedom=np.where(some, 1 / spread, 1.0))


@dataclass(frozen=True, repr=False, eq=False)
class FirstOrderLaw:
    """Mean and variance, to first order, of a statistic at n_points points, and the worths that limits use.

    ``ends`` are the least and the most that the statistic can be, everywhere or at each point, and ``most_unseen`` the
    largest weight of an unseen unit, the U of the bound. ``of_weights`` is the variance where cases have unequal
    weights; the strata then have the effective number of equally weighted units. ``paired``: it is a difference, of the
    models with the laws ``a`` and ``b`` if there are such; ``curved``: a bounded difference of what is no sum over the
    cases drawn, as average precision; ``bilinear``: it is a mean over pairs of cases of several strata. ``by_level``
    is the statistic at each level that units cross, shape (n_levels, n_points), and ``level_variance`` what levels add
    to the variance. ``optimisms`` are of thresholds chosen on these cases. Limits may come from those of other laws: by
    ``from_share`` from ``as_share``, a law on [0, 1], where there is no greatest value; of a ratio, the x at which the
    limit of ``mean_at(x)``, the law of the mean of n - x d, is 0. No limit is nearer than that of ``known``, the law
    at known class sizes or a known share of positives. Limits are about the estimate minus its ``bias``; ``expected``
    is the mean of a resample, where it is not the estimate, and ``rest`` the variance beyond first order. ``left_out``
    is the law with x that come of leaving units out, for limits where models are alike. ``differing``, of two AUCs: on
    how many cases of each stratum both models differ.
    """

    estimate: Floats
    ends: Ends
    strata: tuple[Units, ...]
    most_unseen: float
    _: KW_ONLY
    of_weights: Floats | None = None
    paired: bool = False
    curved: bool = False
    bilinear: bool = False
    level_variance: LevelVariance = NO_LEVELS
    by_level: Floats | None = None
    a: FirstOrderLaw | None = None
    b: FirstOrderLaw | None = None
    bias: Floats | float = 0.0
    expected: Floats | None = None
    rest: Floats | float = 0.0
    exact: bool = False
    left_out: FirstOrderLaw | None = None
    differing: tuple[float, ...] = ()
    optimisms: tuple[Optimism, ...] = ()
    as_share: FirstOrderLaw | None = None
    from_share: Callable[[Floats], Floats] = np.asarray
    mean_at: Callable[[float], FirstOrderLaw] | None = None
    known: object = None

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
        """How placements differ between models, by stratum; plus the mean ``worst`` and ``best`` are -+``largest``."""
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
        return self.center + shift, (one.made_of - shift) / whole, squares, (least, most)
