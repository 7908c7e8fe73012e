"""Levels of a second factor that units cross: the mean over readers, judges or seeds of a statistic within each.

Each level is a part with its own statistic (see ``_units``), as a fold is, but the same units are in many levels: the
influence of a unit is the mean of its influences at the levels. An unseen unit is in as many levels as the others, and
least favourable in each. For a level with n_r of the k units of a stratum,

    x_u = k mean_r g_ru,   end = mean_r (n_r + 1) (e'_r - e_r),   C_rs = sum_u h_ru h_su,   h = g sqrt(n_r / (n_r - 1)),

so that C is over the units in both levels. The variance due to levels is ``LevelVariance``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci._validation._levels import CrossedLevels
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design, Part
from skcostci.cases._judged import JudgedCases
from skcostci.laws.influence._first_order import OF_COUNTS, Units, group_strata, typical
from skcostci.laws.influence._of_levels import CrossedLaw, CrossedPairLaw, LevelVariance
from skcostci.statistics._unit_means import Difference, Statistic
from skcostci.statistics._units import opened, spreads_of
from skcostci.statistics._worths import Sample, has_unseen_kinds, with_group

Ends = tuple[float, float]


class Met(NamedTuple):
    """A statistic at one level; class counts, influence and ``spreads`` (see ``spreads_of``) of each of n_units."""

    one: Statistic
    class_counts: Floats
    added: Floats
    spreads: Floats

    @classmethod
    def of(cls, part: Part, one: Statistic, n_units: int) -> Met:
        missing = ((0, n_units - len(part.class_counts)), (0, 0))  # units numbered after the last one of this level
        each = part.class_counts, part.added(one.influences), spreads_of([part], [one]).T
        return cls(one, *(np.pad(numbers, missing) for numbers in each))

    @property
    def many(self) -> int:
        return int(np.count_nonzero(self.class_counts.any(axis=1)))

    def among(self, stratum: Booleans) -> Met:
        return self if stratum.all() else Met(self.one, *(each[stratum] for each in self[1:]))

    def steps(self, kinds: Sequence[int]) -> Floats:
        """The x of an additional unit, typical of those in this level, at its worst and best, with a row per kind."""
        made = [typical(self.class_counts, self.class_counts[:, kind]) for kind in kinds]
        ends = np.array([[self.one.with_additional(each, side) for each in made] for side in (-1, 1)])
        return np.asarray((self.many + 1) * (ends - self.one.value))


def law_of_levels(
    parts: Sequence[Part], each: Sequence[Statistic], support: Ends, most_unseen: float, *, by_class: bool = True
) -> CrossedLaw:
    """The law of the mean over levels of a statistic; unless ``by_class``, units of all classes are drawn together."""
    n_units = 1 + max(int(np.asarray(part.units).max()) for part in parts)
    met = [Met.of(part, one, n_units) for part, one in zip(parts, each, strict=True)]
    class_counts = np.sum([level.class_counts for level in met], axis=0)
    strata = group_strata(class_counts) if by_class else [np.ones(n_units, dtype=bool)]
    values = np.array([one.value for one in each])
    value, found, moments = values.mean(axis=0), [], []
    rounding = np.max([np.broadcast_to(one.rounding, value.shape) for one in each], axis=0)
    bounded = bool(np.isfinite(support).all())
    for own, stratum in enumerate(strata):
        here = [level.among(stratum) for level in met]
        kinds = [own] if len(strata) > 1 else np.flatnonzero(class_counts.any(axis=0)).tolist()
        found.append(_units(here, class_counts[stratum], kinds, rounding, bounded))
        moments.append(_moments(here))
    by_unit, together = np.sum(moments, axis=0)
    strata_of_units = tuple(opened(found, value, support))
    return CrossedLaw(
        value,
        support,
        strata_of_units,
        most_unseen,
        level_variance=LevelVariance.of(values, by_unit, together),
        by_level=values,
    )


def _moments(met: Sequence[Met]) -> tuple[Floats, Floats]:
    """The part of a stratum in v, and in the variance of the sum over levels."""
    total, squares = np.zeros_like(met[0].added), np.zeros(met[0].added.shape[1])
    for level in met:
        stretched = np.sqrt(level.many / max(level.many - 1, 1)) * level.added
        total += stretched
        squares += (stretched**2).sum(axis=0)
    return squares / len(met), (total**2).sum(axis=0)


def _units(met: Sequence[Met], class_counts: Floats, kinds: Sequence[int], rounding: Floats, bounded: bool) -> Units:
    k, sizes = len(class_counts), class_counts.sum(axis=1)
    x = k * np.mean([level.added for level in met], axis=0)
    x -= x.mean(axis=0)
    unknown = np.full((2, len(kinds), len(rounding)), np.nan)
    worst, best = np.mean([level.steps(kinds) for level in met], axis=0) if bounded else unknown
    spreads = np.sum([level.spreads for level in met], axis=0).T
    return Units.of(x, np.ones(k), (worst, best), k * sizes.max() / len(met) * rounding, sizes, spreads)


def law_of_level_models(
    parts: Sequence[Part],
    models: Sequence[Sequence[Statistic]],
    support: Ends,
    most_unseen: float,
    *,
    by_class: bool = True,
) -> CrossedLaw:
    """The law of one model, or of a minus b; ``models`` has a row per level, ``support`` is that of one model."""
    each = [
        law_of_levels(parts, [level[i] for level in models], support, most_unseen, by_class=by_class)
        for i in range(len(models[0]))
    ]
    if len(each) == 1:
        return each[0]
    low, high = support
    differences = [Difference(*level) for level in models]
    law = law_of_levels(parts, differences, (low - high, high - low), most_unseen, by_class=by_class)
    a, b = each
    return CrossedPairLaw(
        law.estimate,
        law.ends,
        law.strata,
        law.most_unseen,
        level_variance=law.level_variance,
        by_level=law.by_level,
        a=a,
        b=b,
    )


@dataclass(frozen=True, repr=False, eq=False)
class AtLevel:
    """A metric of the cases of a level, or its difference of two models, as a ``Statistic`` for ``_units``."""

    sample: Sample

    @property
    def value(self) -> Floats:
        return np.ravel(self.sample.value)

    @cached_property
    def influences(self) -> Floats:
        x, _, rows = self.sample.added()
        return np.asarray(x[rows] / self.sample.size)

    @property
    def rounding(self) -> Floats:
        return self.sample.rounding / self.sample.size

    @cached_property
    def _ways(self) -> dict[int, list[Floats]]:
        """For each side the values of each model with one additional case."""
        return {side: self.sample.worst(side)[1] for side in (-1, 1)}

    def with_additional(self, made: Floats, side: int) -> Floats:
        return with_group(self.sample, self._ways[side], made, side)


def law_of_level_samples(
    cases: Cases | JudgedCases, samples: Sequence[Sample], support: tuple[float, float]
) -> CrossedLaw:
    """The law of the mean of a metric over the levels of cases; ``samples`` has one per level."""
    levels = cases.levels
    assert levels is not None
    classes = cases.classes() if isinstance(cases, JudgedCases) else np.asarray(cases.truth).astype(np.int64)
    if isinstance(cases, JudgedCases) and cases.labels is None and classes is not None:
        cases.rows.check_classes(classes)  # the classes of a function are those that occur
    parts = Design(cases.rows, classes).at_levels(levels)
    law = law_of_levels(parts, [AtLevel(sample) for sample in samples], support, OF_COUNTS, by_class=False)
    law = replace(law, paired=len(samples[0].models) == 2)
    if not has_unseen_kinds(samples):
        return law
    least, most = support
    strata = [
        part._replace(
            worst=np.minimum(part.worst, least - law.estimate), best=np.maximum(part.best, most - law.estimate)
        )
        for part in law.strata
    ]
    return replace(law, strata=tuple(strata))


def check_defined(metric: str, reasons: Sequence[str], levels: CrossedLevels) -> None:
    """Raise unless there is a value at every level; ``reasons`` has per level why there is none, or ""."""
    for name, reason in zip(levels.names, reasons, strict=True):
        if reason:
            raise ValueError(f"{metric} must have a value at every level of crossed=; at {name!r} it is {reason}.")
