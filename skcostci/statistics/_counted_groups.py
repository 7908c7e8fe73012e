"""Costs, rates and metrics of two classes, and their differences, where cases come in groups, from counted cells.

A cell is one of TP, FN, FP and TN or, of two models, the cases of a class that both, a, b or neither hit. Each group
has counts in the cells at each of n_points points, so that the rows of a :class:`CountedPart` are cells. An unseen
group has the typical number of cases of each class, all in the cell where a case moves the statistic furthest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from skcostci._arrays import Floats, Weights
from skcostci._frozen import altered
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design, Part
from skcostci.laws.influence._curves import Optimism
from skcostci.laws.influence._first_order import OF_COUNTS, Ends, FirstOrderLaw, group_strata
from skcostci.laws.influence._of_cells import CellStatistic
from skcostci.statistics._units import law_of_terms


@dataclass(frozen=True, repr=False, eq=False)
class CountedPart(Part):
    """Groups whose cases are counted in ``cells``, (n_points, n_groups, n_cells), a slice of them per class."""

    cells: Floats
    slices: Sequence[slice]

    def _by_class(self, weights: Weights) -> Floats:
        both, n = super()._by_class(weights), self.cells.shape[2]
        ends = [(2 * first // n, 2 * last // n) for first, last, _ in (own.indices(n) for own in self.slices)]
        return np.array([both[:, first:last].sum(axis=1) for first, last in ends]).T

    def added(self, influences: Floats) -> Floats:
        return np.asarray(np.einsum("pgc,cp->pg", self.cells, influences).T)

    def squares(self, influences: Floats) -> Floats:
        of_cells = self.cells.sum(axis=1) * influences.T**2
        return np.array([of_cells[:, own].sum(axis=1) for own in self.slices]).T


def law_of_groups(
    cases: Cases,
    cells: Floats,
    one: CellStatistic,
    support: Ends,
    *,
    of_rates: bool = True,
    by_class: bool = True,
    paired: bool = False,
    optimisms: tuple[Optimism, ...] = (),
) -> FirstOrderLaw:
    """The law of a statistic of cases in groups; ``by_class``: it does not depend on how many cases classes have.

    If it is ``of_rates`` an unseen group of both classes may fail in either, with half of its weight.
    """
    rows, groups, negative = cases.rows, np.asarray(cases.groups), (~cases.positive).astype(np.int64)
    part = CountedPart(groups, rows.weights, negative, groups, 2, cells, one.slices)
    design = altered(Design(rows, by_class=by_class), parts=(part,))
    mixed = of_rates and len(group_strata(part.class_counts)) == 1
    most_unseen = OF_COUNTS / (len(one.slices) if mixed else 1)
    with np.errstate(invalid="ignore"):  # an infinite metric has limits as a share
        return replace(law_of_terms(design, [one], support, most_unseen, paired=paired), optimisms=optimisms)
