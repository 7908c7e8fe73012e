"""Kappa of groups where all cases have one class: 0, unless all are predicted to have that class too.

Predictions for such cases agree with the truth as often as by chance, whatever they are, in every resample. Limits
differ from 0 because of the unseen unit, such as a case of the other class, as for several classes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skcostci._arrays import Floats
from skcostci._validation._rows import Rows
from skcostci.cases._judged import JudgedCases
from skcostci.laws.exact._linear import HITS
from skcostci.laws.influence._first_order import FirstOrderLaw
from skcostci.metric import KAPPA
from skcostci.statistics._of_rows import TableRows, law_of_rows
from skcostci.statistics._unit_means import Difference
from skcostci.statistics._units import methods_of_units

HITS_OF_ONE = np.array([[1, 0]], dtype=bool)
RANGE = (-1.0, 1.0)


def kappa_of_one_class(cells: Floats, labels: Sequence[str]) -> tuple[FirstOrderLaw, tuple[str, ...]]:
    """The law at each point and its methods; cells are of positives, then of negatives, by which models hit them."""
    hits = HITS_OF_ONE if len(labels) == 1 else HITS
    least, most = RANGE if len(labels) == 1 else (RANGE[0] - RANGE[1], RANGE[1] - RANGE[0])
    laws = []
    for table in cells:
        groups, kinds = np.nonzero(table)
        negative, who = np.divmod(kinds, hits.shape[1])
        columns = {name: each[who].astype(np.int64) for name, each in zip(labels, hits, strict=True)}
        weights = table[groups, kinds].astype(np.int64)
        cases = JudgedCases(1 - negative, columns, Rows(weights, groups), (False, True))
        kappa = Difference.of([TableRows(KAPPA, cases, name, unit="group") for name in labels])
        laws.append(law_of_rows(cases, [kappa], (least, most)))
    return FirstOrderLaw.side_by_side(laws), methods_of_units(grouped=True)
