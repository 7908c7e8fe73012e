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
    check_names,
    check_row_order,
    number_groups,
    number_labels,
)
from skcostci._validation._labels import check_labels
from skcostci.cases._cases import check_folds


class Rows(NamedTuple):
    """Which rows stand for cases, and of those how many cases each, and its group or fold."""

    kept: Booleans
    weights: Integers
    groups: Integers | None
    folds: Integers | None


def check_rows(
    given: Mapping[str, ArrayLike],
    columns: Mapping[str, NDArray[Any]],
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> Rows:
    """Frequencies, groups and folds of rows, whose ``columns`` were checked and came as ``given``.

    A row that stands for no case is left out.
    """
    check_alone(groups=groups, folds=folds)
    check_row_order({**given, "sample_weight": sample_weight, "groups": groups, "folds": folds})
    weights = None if sample_weight is None else check_frequency_weights(sample_weight)
    members = None if groups is None else check_label_column("groups", groups)
    names, parts = ([], None) if folds is None else check_names("folds", folds)
    check_lengths({**columns, "sample_weight": weights, "groups": members, "folds": parts})
    if weights is None:
        weights = np.ones(len(next(iter(columns.values()))), dtype=np.int64)
    kept = weights > 0
    if parts is not None:
        check_folds(names, parts[kept])
    return Rows(
        kept,
        weights[kept],
        None if members is None else number_groups(members[kept], weights[kept]),
        None if parts is None else number_labels(parts[kept]),
    )


def check_outcomes(labels: NDArray[Any], pos_label: Any) -> tuple[Booleans, Any]:
    """Which of the cases are positive, and the positive label; they may all be of one class."""
    wanted = "Losses of several classes take a column of probabilities for each of them."
    _, positive = check_labels(labels, pos_label, lambda _: wanted, both_classes=False)
    return np.asarray(labels == positive, dtype=bool), positive
