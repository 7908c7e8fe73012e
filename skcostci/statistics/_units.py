"""The law of first order of any statistic from the influences of its units: cases, groups, or either of them in folds.

A statistic T of the cases of a part (a fold, or all) has a value e, influences g (T moves by dw g_i as the weight of a
case of row i grows by dw; the sum of weight times g is 0), and a value with additional cases at their worst or their
best. The mean over K folds has the influences g / K. With k units in a stratum, over all folds, a unit seen has
``x = k g / K``, where the g of a group is the sum over its cases. An unseen unit has the x of a step of its full size:
in a fold with k_f of these units it takes T from e to e' and has

    x = (k / (K k_f)) (k_f + 1) (e' - e),

in the fold where that is most extreme. Statistics of sums of cases (means, rates, ratios) are evaluated in each fold at
the mean over folds, so that all folds together are like one sample, and x of the unseen unit is its mean over folds;
with folds of one size this is the law without folds. Metrics of tables (``_of_rows``) are statistics of sums too, but
only their influences are taken at the mean over folds: their steps e' - e start from the fold's own counts.

With unequal weights of sum W in a stratum the variance is that of c W cases of equal weight 1 / c (c is ``thinning`` of
``_weighted``, here ``scale``): a row of weight w counts as c w units, and the unseen one has the same weight. The
degrees of freedom are those of Kish's number of cases. An unseen group has the root mean square size of the groups that
hold a given class or, where classes are drawn together, of all groups too.

Means, weighted sums of the means of classes, and ratios are such statistics:

    T = sum_c W_c mean of v in class c,        g_i = W_c (v_i - mean_c) / n_c of a case of class c,
    R = sum n / sum d,                         g_i = (n_i - R d_i) / sum d.

A cost is such a sum T (W the weights of the classes, v whether a case is an error). So are a rate (one class), a mean
of losses (all cases as one class), and the difference of any two, where v is the value under a minus that under b.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import altered, cached_property, read_only
from skcostci._validation._rows import Rows
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design, Part
from skcostci.laws._rounding import SPREAD_ROUNDING, rounding_of, without_rounding
from skcostci.laws.influence._first_order import (
    OF_COUNTS,
    Ends,
    FirstOrderLaw,
    LevelVariance,
    Units,
    group_strata,
    typical,
)
from skcostci.laws.influence._weighted import MORE_CASES, thinning, weighted_units


class Statistic(Protocol):
    """A statistic of the cases of one part, of one model or of a minus b, at n_points points."""

    @property
    def value(self) -> Floats:
        """The statistic, shape (n_points,)."""

    @property
    def influences(self) -> Floats:
        """The influence of a case of each row, shape (n_rows, n_points)."""

    @property
    def rounding(self) -> Floats | float:
        """How large the influence of a case may be by rounding alone."""

    def with_additional(self, made: Floats, side: int) -> Floats:
        """The value with ``made`` additional cases of each class, all least favourable to the limit on this side."""


class Computed(NamedTuple):
    """A statistic whose numbers are all known at once."""

    value: Floats
    influences: Floats
    rounding: float
    with_additional: Callable[[Floats, int], Floats]


class OfSums:
    """A statistic of sums, with influences about any ``center``: about its own value a fold of one case has none."""

    @property
    def sums(self) -> tuple[Floats, Floats]:
        """Those of numerators and those of denominators, such as class sizes; the center is their ratio."""
        raise NotImplementedError

    @property
    def center(self) -> Floats:
        return self.sums[0] / self.sums[1]

    def at(self, center: Floats) -> Self:
        """The same cases, with influences and additional cases as deviations from this center."""
        return altered(self, sums=(center * self.sums[1], self.sums[1]))

    @classmethod
    def at_mean(cls, each: Sequence[Self]) -> Sequence[Self]:
        """The statistics of folds at the mean of their centers, which may be NaN in some."""
        centers = np.array([one.center for one in each])
        known = ~np.isnan(centers)
        center = np.where(known, centers, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        return [one.at(center) for one in each]


def at_mean_over_folds(each: Sequence[Statistic]) -> Sequence[Statistic]:
    """The statistics of folds, sums of cases at their mean over folds; those of ranks, each at its own, as they are."""
    if len(each) == 1:
        return each
    if isinstance(each[0], Difference):
        models = ([getattr(one, model) for one in each] for model in ("a", "b"))
        return [Difference(*pair) for pair in zip(*map(at_mean_over_folds, models), strict=True)]
    sums = [one for one in each if isinstance(one, OfSums)]
    return type(sums[0]).at_mean(sums) if sums else each


def is_of_sums(one: Statistic) -> bool:
    return isinstance(one.a if isinstance(one, Difference) else one, OfSums)


@dataclass(frozen=True, repr=False, eq=False)
class ClassMeans(OfSums):
    """T for values v of shape (n_rows, n_points); ``weights`` are W, ``low``, ``high`` the ends of v, per class."""

    part: Part
    values: Floats
    weights: Floats
    low: Floats
    high: Floats

    @classmethod
    def of_all(cls, part: Part, values: Floats, low: float, high: float) -> Self:
        """The mean of all cases as one class; the part has no others."""
        return cls(part, values, np.ones((1, 1)), np.full((1, 1), low), np.full((1, 1), high))

    @cached_property
    def sums(self) -> tuple[Floats, Floats]:
        """The sum of v and the number of cases of each class; the number is 1 if there is none, as the sum is 0."""
        classes, cases = self.part.classes, self.part.weights
        sizes = np.bincount(classes, cases, len(self.weights)).astype(np.float64)
        sums = [np.bincount(classes, cases * each, len(self.weights)) for each in self.values.T]
        return np.array(sums, dtype=np.float64).T, np.maximum(sizes, 1.0)[:, None]

    @property
    def center(self) -> Floats:
        """The mean of each class; NaN where there are no cases of it."""
        seen = np.isin(np.arange(len(self.weights)), self.part.classes)
        return np.where(seen[:, None], self.sums[0] / self.sums[1], np.nan)

    @property
    def value(self) -> Floats:
        sums, sizes = self.sums
        return np.asarray((self.weights * sums / sizes).sum(axis=0))

    @property
    def influences(self) -> Floats:
        (sums, sizes), own = self.sums, self.part.classes
        return np.asarray((self.weights / sizes)[own] * (self.values - (sums / sizes)[own]))

    @property
    def rounding(self) -> Floats:
        """Relative to the values themselves, not to their deviations from the mean."""
        largest = np.abs(self.values).max(axis=0, initial=0.0)
        return np.asarray(SPREAD_ROUNDING * largest * np.abs(self.weights / self.sums[1]).max(axis=0))

    def with_additional(self, made: Floats, side: int) -> Floats:
        sums, sizes = self.sums
        end, more = self.low if side < 0 else self.high, made[:, None]
        return np.asarray((self.weights * (sums + more * end) / (sizes + more)).sum(axis=0))

    def with_case(self) -> Floats:
        """The mean of all with one more case at its lowest and at its highest value, as if these were two labels."""
        return np.array([[self.with_additional(np.ones(1), side)] for side in (-1, 1)])


@dataclass(frozen=True, repr=False, eq=False)
class Ratio(OfSums):
    """R, at one point; the n and d of an additional case lie between the pairs in ``extremes``."""

    part: Part
    numerator: Floats
    denominator: Floats
    extremes: tuple[tuple[float, float], ...]

    @property
    def rounding(self) -> Floats:
        """Relative to the larger of both terms of n - R d."""
        return rounding_of(self.numerator, self.center * self.denominator) / np.abs(self.sums[1])

    @cached_property
    def sums(self) -> tuple[Floats, Floats]:
        cases = self.part.weights
        return np.array([cases @ self.numerator]), np.array([cases @ self.denominator])

    @property
    def value(self) -> Floats:
        return self.center

    @property
    def influences(self) -> Floats:
        return np.asarray((self.numerator - self.center * self.denominator)[:, None] / self.sums[1])

    def with_additional(self, made: Floats, side: int) -> Floats:
        """For the upper limit (side 1) the extreme pair that makes the ratio largest, for the lower one smallest."""
        (above, below), many = self.sums, made.sum()
        found = [(above + many * n) / (below + many * d) for n, d in self.extremes]
        return np.asarray((np.min if side < 0 else np.max)(found, axis=0))


@dataclass(frozen=True, repr=False, eq=False)
class Difference:
    a: Statistic
    b: Statistic

    @classmethod
    def of(cls, models: Sequence[Statistic]) -> Statistic:
        return models[0] if len(models) == 1 else cls(*models)

    @property
    def rounding(self) -> Floats | float:
        return np.maximum(self.a.rounding, self.b.rounding)

    @property
    def value(self) -> Floats:
        return self.a.value - self.b.value

    @property
    def influences(self) -> Floats:
        return self.a.influences - self.b.influences

    def with_additional(self, made: Floats, side: int) -> Floats:
        return self.a.with_additional(made, side) - self.b.with_additional(made, -side)


def law_of_terms(
    design: Design, each: Sequence[Statistic], support: Ends, most_unseen: float, *, paired: bool = False
) -> FirstOrderLaw:
    """The law of the mean of ``each``, one for each part; ``most_unseen`` is the largest weight of an unseen unit."""
    crossed, grouped, weighted = design.levels is not None, design.rows.groups is not None, design.rows.is_weighted
    values = np.array([one.value for one in each])
    value = values.mean(axis=0)
    each = each if crossed else at_mean_over_folds(each)
    by_part = [part.added(one.influences) for part, one in zip(design.parts, each, strict=True)]
    if len(each) > 1 and is_of_sums(each[0]) and not (crossed or design.by_class):
        # Slopes at the mean over folds are not centred within a fold, so that its units have to sum to the value of
        # the fold minus the mean. Where the statistic is not linear they do so only nearly: all are moved by as much.
        distances = zip(values - value, by_part, design.parts, strict=True)
        by_part = [x + (distance - part.counts @ x) / part.counts.sum() for distance, x, part in distances]
    x_of_units = design.by_unit(by_part)
    counts = np.ones(len(x_of_units)) if crossed else design.by_unit([part.counts for part in design.parts])
    sizes, spreads = (design.class_counts.sum(axis=1), _spreads(design, each)) if grouped else (np.ones(1), None)
    rounding = sizes.max() / len(each) * np.max([one.rounding + 0 * value for one in each], axis=0)
    units_of_strata, variance, nowhere = [], np.zeros_like(value), value + np.nan
    bounded = all(np.isfinite(end).all() for end in support)
    strata = _strata(design, len(counts))
    for own, stratum in strata.items():
        counted, scale, varied = np.compress(stratum, counts), 1.0, None
        k = counted.sum()
        x = k / len(each) * np.compress(stratum, x_of_units, axis=0)  # six times as fast as an index
        if not grouped:
            x -= np.einsum("u,up->p", counted, x) / k  # the size of a class drawn separately is fixed
        if weighted:  # c, and the variance by the weights themselves
            g = without_rounding(x.T, k * rounding) / k
            variance = variance + (counted**2 * g**2).sum(axis=-1)
            # Areas do without the additional cases of c_2 (see ``_weighted``).
            more = MORE_CASES if most_unseen == OF_COUNTS else 0.0
            scale = float(thinning(g, counted, counted**2, np.ones(len(counted)), more_cases=more).min())
            varied = weighted_units(len(counted) * counted * g, counted)
        ends = _ends(design, each, stratum, own, scale) if bounded else (nowhere, nowhere)
        unit_sizes = sizes[stratum] if grouped else counted if weighted else None
        unit_spreads = None if spreads is None else spreads[:, stratum]
        units = Units.of(x, scale * counted, ends, k * rounding, unit_sizes, unit_spreads)
        units_of_strata.append(units if varied is None else units._replace(varied=varied))
    units_of_strata, of_weights = opened(units_of_strata, value, support), variance if weighted else None
    law = FirstOrderLaw(value, support, tuple(units_of_strata), most_unseen, of_weights=of_weights, paired=paired)
    return replace(law, level_variance=_of_levels(design, values, by_part, strata), by_level=values) if crossed else law


def _strata(design: Design, n_units: int) -> dict[int | None, Booleans]:
    """The units that are drawn together, by class; all (None) unless classes are drawn by themselves."""
    if not design.by_class:
        return {None: np.ones(n_units, dtype=bool)}
    # Without classes that were only predicted: no units of these are drawn.
    if design.rows.groups is not None:
        drawn = group_strata(design.class_counts)
        return {own if len(drawn) > 1 else None: units for own, units in enumerate(drawn) if units.any()}
    classes = np.concatenate([part.classes for part in design.parts])
    return {own: classes == own for own in np.flatnonzero(np.bincount(classes)).tolist()}


def _of_levels(
    design: Design, by_level: Floats, by_part: Sequence[Floats], strata: Mapping[int | None, Booleans]
) -> LevelVariance:
    """What levels add to the variance, from influences stretched by sqrt(n / (n - 1)), n units of a stratum there."""
    stretched = []
    for part, x in zip(design.parts, by_part, strict=True):
        n = np.sum([own[: len(x)] * (own[: len(x)] @ part.counts) for own in strata.values()], axis=0)
        stretched.append(np.sqrt(n / np.maximum(n - 1, 1))[:, None] * x)
    by_unit = np.sum([(x**2).sum(axis=0) for x in stretched], axis=0) / len(by_level)
    return LevelVariance.of(by_level, by_unit, (design.by_unit(stretched) ** 2).sum(axis=0))


def _spreads(design: Design, each: Sequence[Statistic]) -> Floats:
    """What the variance of each group is proportional to if its cases are independent, shape (n_points, n_groups).

    It is the sum over the group's cases of the mean squared influence of a case of their class. The mean is that of all
    folds, but of each level by itself.
    """
    cases = np.array([part.class_counts.sum(axis=0) for part in design.parts])
    units = cases.sum(axis=1) ** 2  # influence values are smaller in larger parts
    parts = zip(units, design.parts, each, strict=True)
    squares = np.array([unit * part.squares(one.influences) for unit, part, one in parts])
    if design.levels is None:
        squares, cases = squares.sum(axis=0, keepdims=True), cases.sum(axis=0, keepdims=True)
    means = squares / np.where(cases > 0, cases, 1.0)[:, None]
    of_parts = zip(units, design.parts, np.broadcast_to(means, (len(each), *means.shape[1:])), strict=True)
    return design.by_unit([part.in_groups @ mean.T / unit for unit, part, mean in of_parts]).T


def law_of_models(
    design: Design, models: Sequence[Sequence[Statistic]], support: tuple[float, float], most_unseen: float
) -> FirstOrderLaw:
    """The law of one model, or of a minus b; ``models`` has a row per part, ``support`` is that of one model."""
    law_of = partial(law_of_terms, design, most_unseen=most_unseen)
    each = [law_of([part[i] for part in models], support=support) for i in range(len(models[0]))]
    if len(each) == 1:
        return each[0]
    (low, high), (a, b) = support, each
    law = law_of([Difference(*part) for part in models], support=(low - high, high - low), paired=True)
    return replace(law, curved=design.rows.groups is None, a=a, b=b)


def methods_of_units(
    *, grouped: bool, bounded: bool = True, paired: bool = False, worst_first: bool = False
) -> tuple[str, ...]:
    """The interval methods, the default first.

    That is "extrapolated", an unseen unit as extreme as those seen suggest, for groups, differences (``paired``) and
    without known ends; else, and for differences if ``worst_first``, the least favourable unit.
    """
    if not bounded:
        return "extrapolated", "wald"
    if grouped:
        return "extrapolated", "unseen_group", "wald"
    both = "extrapolated", "unseen_case"
    return (*((both[::-1] if worst_first else both) if paired else both[1:]), "wald")


def of_scheme(cases: Cases | Rows, each: Sequence[Statistic], shape: tuple[int, ...] = ()) -> dict[str, Any]:
    """The fields of results on groups and folds; ``each`` has one statistic per part, its points of this shape."""
    of_folds = None if cases.folds is None else read_only(np.array([one.value.reshape(shape) for one in each]))
    return {"n_groups": cases.n_groups or None, "fold_estimates": of_folds}


def _unseen_kinds(design: Design, drawn: Design | Part, own: int | None) -> list[Floats]:
    """What an unseen unit may be made of: for each kind of unit the numbers of cases it has of each class.

    A case is of class ``own``, or of any class that occurs (None). A group has as many cases as is typical of the
    groups ``drawn`` that have a given class or, where any class may occur, of all of them.
    """
    seen = np.flatnonzero(design.class_counts.any(axis=0)) if own is None else np.array([own])
    of_all = design.n_classes is not None and own is None
    if design.rows.groups is None:
        return list(np.identity(design.parts[0].n_classes)[... if of_all else seen])
    class_counts = drawn.class_counts
    sizes = [class_counts[:, kind] for kind in seen] + [class_counts.sum(axis=1)] * of_all
    return [typical(class_counts, each) for each in sizes]


def _ends(
    design: Design, each: Sequence[Statistic], stratum: Booleans, own: int | None, scale: float
) -> tuple[Floats, Floats]:
    """How far one unit more could move the statistic: x of the worst and of the best that the stratum could have.

    It is the kind of unit (``_unseen_kinds``) that moves it furthest down, or up. It is in one of the folds: in the one
    where it moves most or, of sums, any, so that x is the mean over folds. With crossed levels it is at as many levels
    as others are, of the typical size there. ``scale`` is the number of units per case of weight 1.
    """
    crossed, parts = design.levels is not None, design.parts
    lengths = [len(part.counts) for part in parts]
    stops = lengths if crossed else np.cumsum(lengths)
    drawn = [stratum[stop - len(part.counts) : stop] for part, stop in zip(parts, stops, strict=True)]
    within = [float(np.compress(some, part.counts).sum()) for part, some in zip(parts, drawn, strict=True)]
    shares = [1.0 if crossed or not k else sum(within) / (len(each) * k) for k in within]
    made = [[unit / scale for unit in _unseen_kinds(design, some, own)] for some in (parts if crossed else [design])]
    found = []
    for side in (-1, 1):
        steps = np.array(
            [
                [side * share * (scale * k + 1) * (one.with_additional(unit, side) - one.value) for unit in units]
                for one, k, share, units in zip(each, within, shares, made * (len(each) // len(made)), strict=True)
                if k
            ]
        )
        if not (crossed or is_of_sums(each[0])):
            steps = steps.max(axis=0, keepdims=True)
        found.append(side * steps.mean(axis=0).max(axis=0))
    return found[0], found[1]


def opened(strata: Sequence[Units], value: Floats, support: Ends, *, anywhere: bool = False) -> list[Units]:
    """The strata, where a unit could take the statistic anywhere in its range at points that no unit moves at all.

    If neither the units seen nor the unseen ones change it, the data say nothing of how far another would: the worst
    and the best x then reach to the ends of the range, at such points or (``anywhere``) at all.
    """
    moved = [end for part in strata for end in (part.least, part.most, part.worst, part.best)]
    still = anywhere | (np.array(moved) == 0).all(axis=0)
    low, high = support
    return [
        part._replace(
            worst=np.where(still, np.minimum(part.worst, low - value), part.worst),
            best=np.where(still, np.maximum(part.best, high - value), part.best),
        )
        for part in strata
    ]
