"""Results at the points of an axis, of one model or of one less another: counted cells, bands, and their fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from skcostci._frozen import frozen_numbers
from skcostci._validation import Floats, Integers
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts
from skcostci.cuts import Cells, Cut, count_along, count_cells, count_groups
from skcostci.laws import ClassHits, Hits, LinearCurve, LinearLaw, ROCCurve, class_terms, grouped_law, linear_curve
from skcostci.results._estimand import Estimand
from skcostci.statistics._chosen import flatteries_of
from skcostci.statistics._schemes import grouped_band, grouped_parts

Columns = Sequence[tuple[str, Cut]]  # of one model or of two: its scores, and where they are cut
Overlaps = tuple[Integers | None, Integers | None]  # of neighbours, among positives and negatives; None for one model


@dataclass(frozen=True)
class Points:
    """Where the scores of one model, or of two, are cut at the points of an axis, along which bands follow a curve."""

    cases: Cases
    columns: Columns
    along: Floats
    axis: Sequence[Floats]  # what results show of each point, thresholds last

    @property
    def paired(self) -> bool:
        """Whether one model is set against another."""
        return len(self.columns) == 2

    @property
    def selected(self) -> bool:
        """Whether thresholds were chosen by the labels that judge them."""
        return any(cut.selected for _, cut in self.columns)

    @property
    def chosen(self) -> list[tuple[ScoreCounts, Cut]]:
        """What each model's thresholds could be chosen from, and those that were."""
        return [(self.cases.counts(column), cut) for column, cut in self.columns]

    @cached_property
    def counted(self) -> tuple[tuple[Cells, Cells], Overlaps]:
        """The cells of the positives and of the negatives, and how neighbours along the axis overlap in them."""
        if self.paired:
            a, b = self.columns
            return count_along(self.cases, a, b, self.along)
        return count_cells(self.cases, *self.columns), (None, None)

    @cached_property
    def _groups(self) -> Floats:
        """The cells by group; counted once, though both rates of a ROC curve ask for them."""
        return count_groups(self.cases, *self.columns)

    def fields(
        self,
        law: LinearLaw,
        values: Floats,
        methods: tuple[str, ...],
        band_methods: tuple[str, ...],
        curve: LinearCurve,
        estimand: Estimand,
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """What a result is made of, by position and by name; ``values`` says what a case of each cell is worth.

        Where cases belong together, law, methods and band are those of whole groups instead.
        """
        shape = self.columns[0][1].thresholds.shape
        axis: list[Any] = [frozen_numbers(numbers, shape) for numbers in self.axis]
        axis = [*axis[:-2], (axis[-2], axis[-1])] if self.paired else axis
        if self.cases.groups is None:
            band = {"band_methods": band_methods, "curve": curve}
            return (frozen_numbers(law.mean, shape), law, methods, *axis), {**band, "estimand": estimand}
        grouped = grouped_law(law, self._groups, class_terms(values), flatteries_of(law))
        options = {**grouped_band(grouped, self.along), "n_groups": self.cases.n_groups, "estimand": estimand}
        return (*grouped_parts(grouped, shape), *axis), options


def cost_curve(
    positive: Cells, negative: Cells, w: Floats, scale: Floats, overlaps: Overlaps = (None, None)
) -> LinearCurve:
    """A missed positive costs w, a false alarm 1 - w, times the scale; of two models, what a pays less what b pays."""
    constant = w * scale if positive.counts.shape[1] == 2 else np.zeros_like(w)
    classes = _class_hits(positive, -w * scale), _class_hits(negative, (1 - w) * scale)
    return linear_curve(constant, classes, w, overlaps)


def rate_curve(cells: Cells, axis: Floats, overlap: Integers | None = None) -> LinearCurve:
    """The share of a class that reaches the threshold; of two models, a's share less b's."""
    ones = np.ones(len(cells.counts))
    return linear_curve(np.zeros_like(ones), (_class_hits(cells, ones),), axis, (overlap,))


def _class_hits(cells: Cells, value: Floats) -> ClassHits:
    """What a class adds if a hit is worth so much; of two models, to a."""
    cases = int(cells.counts[0].sum())
    if cells.counts.shape[1] == 2:
        return ClassHits((Hits(cells.counts[:, 0], cases, value, cells.possible),))
    counts, possible = cells.counts.reshape(-1, 2, 2), cells.possible.reshape(-1, 2, 2)  # a hits or not, b hits or not
    a = Hits(counts.sum(axis=2)[:, 0], cases, value, np.any(possible, axis=2))
    b = Hits(counts.sum(axis=1)[:, 0], cases, -value, np.any(possible, axis=1))
    return ClassHits((a, b), counts[:, 0, 0])


def roc_curve(counts: ScoreCounts) -> ROCCurve:
    """The points of the whole curve."""
    _, positive, negative = counts.ranking
    false, true = (np.concatenate([[0], np.cumsum(part)]) for part in (negative, positive))
    return ROCCurve(false, true, counts.negative.total, counts.positive.total)
