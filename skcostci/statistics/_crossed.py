"""Levels of a second factor that units cross: the mean over readers, judges or seeds of a statistic within each.

Each level is a part with its own statistic (see ``_units``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci._validation._levels import CrossedLevels
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design
from skcostci.cases._judged import JudgedCases
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.statistics._units import law_of_terms
from skcostci.statistics._worths import Sample, has_unseen_kinds, with_group


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

    def with_case(self) -> Floats:
        return self.sample.models[0].with_case()

    def with_additional(self, made: Floats, side: int) -> Floats:
        return with_group(self.sample, self._ways[side], made, side)


def law_of_level_samples(
    cases: Cases | JudgedCases, samples: Sequence[Sample], support: tuple[float, float]
) -> FirstOrderLaw:
    """The law of the mean of a metric over the levels of cases; ``samples`` has one per level."""
    levels = cases.levels
    assert levels is not None
    classes = cases.classes() if isinstance(cases, JudgedCases) else np.asarray(cases.truth).astype(np.int64)
    if isinstance(cases, JudgedCases) and cases.labels is None and classes is not None:
        cases.rows.check_classes(classes)  # the classes of a function are those that occur
    design, paired = Design(cases.rows, classes, levels=levels), len(samples[0].models) == 2
    law = law_of_terms(design, [AtLevel(sample) for sample in samples], support, OF_COUNTS, paired=paired)
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
