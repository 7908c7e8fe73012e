"""The resampling design: rows are drawn one by one or in whole groups, in one sample or fold by fold.

A *unit* is drawn as a whole: a case, or a group of cases. A row that stands for w cases is w equal units. Folds of a
cross-validation are samples of their own, each with its own units; groups lie within them. Levels of another factor,
such as readers, are crossed with the groups: each level has many of them. The influence value of a group is the sum of
those of its cases.

Importance weights (how much cases count, not how many they are) are floats: each row is then one unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Entry, Floats, Integers, Weights
from skcostci._frozen import cached_property
from skcostci._validation._labels import number_labels
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import CrossedLevels, Rows


def rows_by_fold(folds: Integers) -> list[Integers]:
    return [np.flatnonzero(folds == fold) for fold in dict.fromkeys(folds.tolist())]


@dataclass(frozen=True, repr=False, eq=False)
class Part:
    """Rows of a fold or level, or all: positions, weights, classes; ``units``: their groups, None if rows are units."""

    rows: Integers
    weights: Weights
    classes: Integers | NDArray[np.int8]
    units: Integers | None
    n_classes: int

    @cached_property
    def counts(self) -> Floats:
        """The number of units that are equal to each: groups count once each, 0 times where the part has none."""
        units = self.weights if self.units is None else self.class_counts.any(axis=1)
        return np.asarray(units, dtype=np.float64)

    @cached_property
    def class_counts(self) -> Floats:
        if self.units is None:
            # Stored class by class, hence transposed: sums over the classes of each row are then ten times as fast.
            return np.array(np.arange(self.n_classes)[:, None] == self.classes, dtype=np.float64).T
        return self._by_class(self.weights)

    def _by_class(self, weights: Weights) -> Floats:
        groups = np.asarray(self.units)
        counted = np.bincount(groups * self.n_classes + self.classes, weights, (groups.max() + 1) * self.n_classes)
        return counted.reshape(-1, self.n_classes).astype(np.float64)

    @property
    def in_groups(self) -> Floats:
        """The cases of each class per group, or the sums of their squared importance weights."""
        return self._by_class(self.weights**2) if self.weights.dtype.kind == "f" else self.class_counts

    def of(self, values: NDArray[Entry]) -> NDArray[Entry]:
        """The entries of these rows; not copied where the part has all."""
        return values if len(self.rows) == len(values) else values[self.rows]

    def added(self, influences: Floats) -> Floats:
        """Influence values of units from those of a case in each row, of shape (n_rows, n_points)."""
        if self.units is None:
            return influences
        return np.array([np.bincount(self.units, self.weights * each) for each in influences.T]).T

    def squares(self, influences: Floats) -> Floats:
        """Sums of squared influences over the cases of each class, shape (n_points, n_classes)."""
        return np.array([np.bincount(self.classes, self.weights * each**2, self.n_classes) for each in influences.T])


@dataclass(frozen=True, repr=False, eq=False)
class Design:
    """A sample's rows and classes; ``by_class``: each class has a fixed number of draws, if rows are drawn singly.

    ``levels`` of a factor crossed with the groups, or kinds of rows with a proxy, are parts with shared group numbers.
    ``n_classes`` is for statistics of all classes at once, of which an unseen case may have any.
    """

    rows: Rows
    classes: Integers | None = None
    by_class: bool = False
    levels: CrossedLevels | ProxyRows | None = None
    n_classes: int | None = None

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        weights, groups, folds = self.rows.weights, self.rows.groups, self.rows.folds
        classes = np.zeros(len(weights), dtype=np.int64) if self.classes is None else self.classes
        n_classes = self.n_classes or int(classes.max()) + 1
        if folds is None and self.levels is None:
            return (Part(np.arange(len(weights)), weights, classes, groups, n_classes),)
        found = []
        for rows in rows_by_fold(np.asarray(folds)) if self.levels is None else self.levels.rows:
            units = None if groups is None else groups[rows]
            if units is not None and self.levels is None:
                units = number_labels(units)
            found.append(Part(rows, weights[rows], classes[rows], units, n_classes))
        return tuple(found)

    @cached_property
    def class_counts(self) -> Floats:
        return self.by_unit([part.class_counts for part in self.parts])

    def by_unit(self, each: Sequence[Floats]) -> Floats:
        """The parts' tables, one row per unit, as one table of the sample: folds one after another, levels added up."""
        if self.levels is None:
            return np.concatenate(each) if len(each) > 1 else each[0]
        found = np.zeros((max(map(len, each)), *each[0].shape[1:]))
        for numbers in each:
            found[: len(numbers)] += numbers
        return found
