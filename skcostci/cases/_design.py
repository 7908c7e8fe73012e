"""The resampling design: rows are drawn one by one or in whole groups, in one sample or fold by fold.

A *unit* is drawn as a whole: a case, or a group of cases. A row that stands for w cases is w equal units. Folds of a
cross-validation are samples of their own, each with its own units; groups lie within them. Levels of another factor,
such as readers, are crossed with the groups: each level has many of them. The influence value of a group is the sum of
those of its cases.

Importance weights (how much cases count, not how many they are) are floats: each row is then one unit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skcostci._arrays import Floats, Integers, Weights
from skcostci._frozen import cached_property
from skcostci._validation._levels import CrossedLevels
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import inequality


class CasesInRows:
    """Weights and groups of cases in rows, whatever the cases are judged by."""

    weights: Weights | None
    groups: Integers | None

    @property
    def is_weighted(self) -> bool:
        """Whether cases are drawn one by one, with importance weights."""
        return self.has_importance and self.groups is None

    @property
    def has_importance(self) -> bool:
        """Whether weights are importance weights: these are floats. A group has the weight of its cases."""
        return self.weights is not None and self.weights.dtype.kind == "f"

    @property
    def stand_alone(self) -> bool:
        """Whether cases are independent and have equal weights: no groups, no importance weights."""
        return self.groups is None and not self.has_importance

    @property
    def inequality(self) -> float:
        """0 where importance weights are equal, 1 where they are not even nearly."""
        return inequality(self.weights)

    def unweighted(self) -> Any:
        cases: Any = self
        return replace(cases, weights=np.ones(len(cases.truth), dtype=np.int64))

    @property
    def n_groups(self) -> int:
        return 0 if self.groups is None else int(self.groups.max()) + 1


def rows_by_fold(folds: Integers) -> list[Integers]:
    return [np.flatnonzero(folds == fold) for fold in dict.fromkeys(folds.tolist())]


@dataclass(frozen=True)
class Part:
    """The rows of one fold, or all rows: their positions, weights, classes and groups.

    ``units`` numbers the groups of the rows from 0 on; None if each row is a unit. ``classes`` has the class of each
    row, 0 throughout if there are none.
    """

    rows: Integers
    weights: Weights
    classes: Integers
    units: Integers | None
    n_classes: int

    @property
    def is_weighted(self) -> bool:
        return self.units is None and self.weights.dtype.kind == "f"

    @cached_property
    def counts(self) -> Floats:
        """The number of units that are equal to each: groups count once each."""
        return self.weights.astype(np.float64) if self.units is None else np.ones(len(self.class_counts))

    @cached_property
    def class_counts(self) -> Floats:
        """The number of cases of each class per unit, shape (n_units, n_classes)."""
        if self.units is None:
            return np.eye(self.n_classes)[self.classes]
        cells, n = self.units * self.n_classes + self.classes, int(self.units.max()) + 1
        counted = np.bincount(cells, self.weights, n * self.n_classes)
        return counted.reshape(n, self.n_classes).astype(np.float64)

    def added(self, influences: Floats) -> Floats:
        """Influence values of units from those of a case in each row, of shape (n_rows, n_points)."""
        if self.units is None:
            return influences
        n = len(self.class_counts)
        return np.array([np.bincount(self.units, self.weights * each, n) for each in influences.T]).T


@dataclass(frozen=True)
class Design:
    """The design of a sample: the weight (number of cases), class, group and fold of each row.

    ``by_class``: each class has a fixed number of draws, if rows are drawn one by one.
    """

    weights: Weights
    classes: Integers | None = None
    groups: Integers | None = None
    folds: Integers | None = None
    by_class: bool = False

    @property
    def is_weighted(self) -> bool:
        return self.groups is None and self.weights.dtype.kind == "f"

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        every = [np.arange(len(self.weights))] if self.folds is None else rows_by_fold(self.folds)
        return tuple(map(self._part, every))

    def at_levels(self, levels: CrossedLevels | ProxyRows) -> list[Part]:
        """The rows of each level of a factor crossed with the groups; groups keep their overall numbers."""
        classes, groups = self._classes, np.asarray(self.groups)
        kinds = int(classes.max()) + 1
        return [Part(rows, self.weights[rows], classes[rows], groups[rows], kinds) for rows in levels.rows]

    @property
    def _classes(self) -> Integers:
        return np.zeros(len(self.weights), dtype=np.int64) if self.classes is None else self.classes

    def _part(self, rows: Integers) -> Part:
        classes = self._classes
        units = None if self.groups is None else np.unique(self.groups[rows], return_inverse=True)[1].ravel()
        return Part(rows, self.weights[rows], classes[rows], units, int(classes.max()) + 1)

    @cached_property
    def class_counts(self) -> Floats:
        """The number of cases of each class per unit, for the units of all parts."""
        return np.concatenate([part.class_counts for part in self.parts])
