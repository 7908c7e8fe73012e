"""Rows with a number each instead of a score: what they stand for, and which of them belong together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._validation import (
    Booleans,
    Integers,
    check_alone,
    check_frequency_weights,
    check_label_column,
    check_lengths,
    number_groups,
    unique_labels,
)
from skcostci._validation._labels import check_groups, check_labels
from skcostci.cases._folds import number_folds

CUSTOMARY = ((0, 1), (-1, 1))  # negative and positive labels that need not be named


class Rows(NamedTuple):
    """Which rows stand for cases, and of those how many cases each, and its group or fold."""

    kept: Booleans
    weights: Integers
    groups: Integers | None
    folds: Integers | None


def check_rows(
    columns: Mapping[str, NDArray[Any]],
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> Rows:
    """Frequencies, groups and folds of rows whose columns were checked; a row that stands for no case is left out."""
    check_alone(groups=groups, folds=folds)
    weights = None if sample_weight is None else check_frequency_weights(sample_weight)
    members = None if groups is None else check_groups(groups)
    parts = None if folds is None else check_label_column("folds", folds)
    check_lengths({**columns, "sample_weight": weights, "groups": members, "folds": parts})
    if weights is None:
        weights = np.ones(len(next(iter(columns.values()))), dtype=np.int64)
    kept = weights > 0
    return Rows(
        kept,
        weights[kept],
        None if members is None else number_groups(members[kept], weights[kept]),
        None if parts is None else number_folds(parts[kept])[1],
    )


def check_outcomes(labels: NDArray[Any], pos_label: Any) -> Booleans:
    """Which of the cases are positive; unlike where classes are compared, they may all be of one class."""
    (only, *others) = unique_labels("y_true", labels).tolist()
    if not others and only == only:  # not NaN, which is refused below
        if pos_label is None and any(only in pair for pair in CUSTOMARY):
            pos_label = 1
        if pos_label is not None and type(pos_label).__hash__ is not None:
            return np.asarray(labels == pos_label, dtype=bool)
        if pos_label is None:
            raise ValueError(
                f"y_true takes value in {{{only!r}}} and pos_label is not specified: either make y_true take value in "
                "{0, 1} or {-1, 1} or pass pos_label explicitly."
            )
    return np.asarray(labels == check_labels(labels, pos_label)[1], dtype=bool)
