"""A metric of two classes for each class against the rest: likelihood ratios, odds ratios, lift, Youden's J."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skcostci._frozen import read_only
from skcostci.cases._cases import Cases
from skcostci.laws._side_by_side import SideBySide
from skcostci.results._estimand import Estimand


def metric_of_each_class(cases: Cases, ask: Callable[[Cases], Any]) -> Any:
    """One result with a point per class, from a result of each class against the rest; of one model or of a minus b."""
    known = list(cases.labels)
    labels = known[: cases.n_stated] or known
    each = [ask(against_the_rest(cases, place)) for place in range(len(labels))]
    axis = {"label": read_only(np.array(labels))}
    return side_by_side(each, labels, replace(each[0].estimand, positive=None, axis=axis))


def side_by_side(each: Sequence[Any], labels: Sequence[Any], estimand: Estimand) -> Any:
    """One result with a point per class, and the interval methods that all have."""
    in_folds = each[0].fold_estimates is not None
    return replace(
        each[0],
        estimate=read_only(np.array([float(one.estimate) for one in each])),
        law=SideBySide(tuple(one.law for one in each)),
        methods=tuple(name for name in each[0].methods if all(name in one.methods for one in each)),
        labels=read_only(np.array(labels)),
        fold_estimates=read_only(np.column_stack([one.fold_estimates for one in each])) if in_folds else None,
        estimand=estimand,
    )


def against_the_rest(cases: Cases, place: int) -> Cases:
    """The cases with two classes: this class, and all others together."""
    columns = {name: (column == place).astype(np.float64) for name, column in cases.columns.items()}
    return Cases(cases.truth == place, columns, cases.rows, (False, True))
