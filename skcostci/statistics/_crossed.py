"""Levels of a second factor that units cross: the mean over readers, judges or seeds of a statistic within each.

Each level is a part with its own statistic (see ``_units``), as a fold is, but the same units turn up in many of them:
what a unit adds is the mean of what it adds at each. A unit that was not seen is met as often as the others were, and
is at its worst at every level. Of a level with n_r units in a stratum of k,

    x_u = k mean_r g_ru,   end = mean_r (n_r + 1) (e'_r - e_r),   C_rs = sum_u h_ru h_su,   h = g sqrt(n_r / (n_r - 1)),

so that C is over the units that both met. What levels add is ``Beside``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from skcostci._validation import Booleans, Floats
from skcostci.cases._design import Part
from skcostci.laws.influence._first_order import Units, group_strata, typical
from skcostci.laws.influence._of_levels import Beside, CrossedLaw, CrossedPairLaw
from skcostci.statistics._unit_means import Difference, Statistic
from skcostci.statistics._units import opened, share_of_class

Ends = tuple[float, float]


class Met(NamedTuple):
    """A statistic at one level, and what each of all units holds and adds there, shape (n_units, ...)."""

    one: Statistic
    held: Floats
    added: Floats

    @classmethod
    def of(cls, part: Part, one: Statistic, n_units: int) -> Met:
        missing = ((0, n_units - len(part.held)), (0, 0))  # units that are later than all met here
        return cls(one, *(np.pad(each, missing) for each in (part.held, part.added(one.influences))))

    def many(self, stratum: Booleans) -> int:
        """How many units of a stratum it met."""
        return int(self.held[stratum].any(axis=1).sum())

    def step(self, stratum: Booleans, kind: int | None, side: int) -> Floats:
        """What one unit more of a stratum adds, typical of those met here, at its worst or its best."""
        made = _typical(self.held[stratum], kind)
        return np.asarray((self.many(stratum) + 1) * (self.one.with_mass(made, side) - self.one.value))


def law_of_levels(
    parts: Sequence[Part], each: Sequence[Statistic], support: Ends, most_unseen: float, *, by_class: bool = True
) -> CrossedLaw:
    """The distribution of the mean over levels of a statistic; ``parts`` are the levels, ``each`` is one a part.

    Where not ``by_class`` units are drawn together whatever their classes are.
    """
    n_units = 1 + max(int(np.asarray(part.units).max()) for part in parts)
    met = [Met.of(part, one, n_units) for part, one in zip(parts, each, strict=True)]
    held = np.sum([level.held for level in met], axis=0)
    strata = group_strata(held) if by_class else [np.ones(n_units, dtype=bool)]
    values = np.array([one.value for one in each])
    value, found, moments = values.mean(axis=0), [], []
    rounding = np.max([np.broadcast_to(one.rounding, value.shape) for one in each], axis=0)
    for own, stratum in enumerate(strata):
        kinds = [own] if len(strata) > 1 else np.flatnonzero(held.any(axis=0)).tolist()
        found.append(_units(met, held, stratum, kinds, rounding))
        moments.append(_moments(met, stratum))
    by_unit, together = np.sum(moments, axis=0)
    strata_of_units = tuple(opened(found, value, support))
    return CrossedLaw(
        value, support, strata_of_units, most_unseen, beside=Beside.of(values, by_unit, together), by_level=values
    )


def _moments(met: Sequence[Met], stratum: Booleans) -> tuple[Floats, Floats]:
    """What units of a stratum bring to v, and to the variance of the sum over levels."""
    total, squares = np.zeros(met[0].added[stratum].shape), np.zeros(met[0].added.shape[1])
    for level in met:
        n = level.many(stratum)
        stretched = np.sqrt(n / max(n - 1, 1)) * level.added[stratum]
        total += stretched
        squares += (stretched**2).sum(axis=0)
    return squares / len(met), (total**2).sum(axis=0)


def _units(met: Sequence[Met], held: Floats, stratum: Booleans, kinds: Sequence[int | None], rounding: Floats) -> Units:
    """The units of a stratum, over all levels."""
    k, sizes = int(stratum.sum()), held[stratum].sum(axis=1)
    x = k * np.mean([level.added[stratum] for level in met], axis=0)
    x -= x.mean(axis=0)
    worst, best = (
        np.array([np.mean([level.step(stratum, kind, side) for level in met], axis=0) for kind in kinds])
        for side in (-1, 1)
    )
    matters = met[0].one.matters
    shares = np.array(
        [share_of_class(_typical(held[stratum], kind), kind, matters) * np.ones(len(rounding)) for kind in kinds]
    )
    units = Units.of(x, np.ones(k), (worst, best), k * sizes.max() / len(met) * rounding, sizes)
    return units._replace(share_of_worst=shares, share_of_best=shares)


def _typical(held: Floats, kind: int | None) -> Floats:
    """What a unit holds that was not seen."""
    return typical(held, held.sum(axis=1) if kind is None else held[:, kind])


def law_of_level_models(
    parts: Sequence[Part],
    models: Sequence[Sequence[Statistic]],
    support: Ends,
    most_unseen: float,
    *,
    by_class: bool = True,
) -> CrossedLaw:
    """The law of one model or, with those of both, of a less b; ``models`` has a row a level, ``support`` is of one."""
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
        law.estimate, law.ends, law.strata, law.most_unseen, beside=law.beside, by_level=law.by_level, a=a, b=b
    )
