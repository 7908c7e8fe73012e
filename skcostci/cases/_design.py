"""Who is drawn with whom: rows one by one or in whole groups, in one sample or fold by fold.

A *unit* is what is drawn: a case, or a group of cases. A row that stands for w cases is w units of one kind. Folds of a
cross-validation are samples of their own, each with its own units; groups lie within them. Levels of another factor,
such as readers, meet the same groups, each many of them. What a unit adds to a
statistic is the sum of what its cases add.

Weights that say how much cases count, and not how many they are, are floats: each row is then one unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._frozen import cached_property
from skcostci._validation import Floats, Integers, Weights
from skcostci._validation._levels import CrossedLevels
from skcostci._validation._proxy_rows import ProxyRows


class CasesInRows:
    """What weights and groups say of the cases in rows, whatever these are judged by."""

    weights: Weights | None
    groups: Integers | None

    @property
    def is_weighted(self) -> bool:
        """Whether cases are drawn one by one, and weights say how much each counts, not how many it is."""
        return self.has_importance and self.groups is None

    @property
    def has_importance(self) -> bool:
        """Whether weights say how much cases count: these are floats. Groups weigh what their cases do."""
        return self.weights is not None and self.weights.dtype.kind == "f"

    @property
    def stand_alone(self) -> bool:
        """Whether each case is drawn by itself and counts as much as any other: no groups, no importance weights."""
        return self.groups is None and not self.has_importance

    @property
    def n_groups(self) -> int:
        """How many groups there are, if any."""
        return 0 if self.groups is None else int(self.groups.max()) + 1


def rows_by_fold(folds: Integers) -> list[Integers]:
    """The rows of each fold, in the order in which the folds turn up."""
    return [np.flatnonzero(folds == fold) for fold in dict.fromkeys(folds.tolist())]


@dataclass(frozen=True)
class Part:
    """The rows of one fold, or all of them: which they are, how many units each stands for, and whose they are.

    ``units`` numbers the groups of the rows from 0 on, None where each row stands for itself. ``classes`` has the
    class of each row, 0 throughout where there are none.
    """

    rows: Integers
    weights: Weights
    classes: Integers
    units: Integers | None
    n_classes: int

    @property
    def is_weighted(self) -> bool:
        """Whether rows are the units, and weights say how much each counts."""
        return self.units is None and self.weights.dtype.kind == "f"

    @cached_property
    def counts(self) -> Floats:
        """How many units are like each: groups are one each."""
        return self.weights.astype(np.float64) if self.units is None else np.ones(len(self.class_counts))

    @cached_property
    def class_counts(self) -> Floats:
        """How many cases of each class a unit holds, shape (n_units, n_classes)."""
        if self.units is None:
            return np.eye(self.n_classes)[self.classes]
        cells, n = self.units * self.n_classes + self.classes, int(self.units.max()) + 1
        counted = np.bincount(cells, self.weights, n * self.n_classes)
        return counted.reshape(n, self.n_classes).astype(np.float64)

    def added(self, influences: Floats) -> Floats:
        """What a unit adds, from what a case in each row does, of shape (n_rows, n_points)."""
        if self.units is None:
            return influences
        n = len(self.class_counts)
        return np.array([np.bincount(self.units, self.weights * each, n) for each in influences.T]).T


@dataclass(frozen=True)
class Design:
    """What belongs to the rows of a sample beside the data: how many cases each stands for, class, group and fold.

    ``by_class``: each class is drawn to its own size, where rows are drawn one by one.
    """

    weights: Weights
    classes: Integers | None = None
    groups: Integers | None = None
    folds: Integers | None = None
    by_class: bool = False

    @property
    def is_weighted(self) -> bool:
        """Whether rows are the units, and weights say how much each counts."""
        return self.groups is None and self.weights.dtype.kind == "f"

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """One a fold, or one for all."""
        every = [np.arange(len(self.weights))] if self.folds is None else rows_by_fold(self.folds)
        return tuple(map(self._part, every))

    def at_levels(self, levels: CrossedLevels | ProxyRows) -> list[Part]:
        """The rows of each level of a factor that the groups cross, with the groups' numbers among all."""
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
        """How many cases of each class the units of all parts hold."""
        return np.concatenate([part.class_counts for part in self.parts])
