"""Labels, scores, weights and groups of the same cases, checked together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from skcostci._arrays import Booleans, Floats, Integers, Weights, as_array, as_numbers, as_vector
from skcostci._validation._arguments import LARGEST_COST, SMALLEST_COST
from skcostci._validation._labels import (
    Labels,
    check_groups,
    check_label_column,
    check_label_list,
    check_labels,
    check_number_of_classes,
    is_positive,
    label_positions,
    number_groups,
    shown_labels,
    sorted_labels,
)
from skcostci._validation._numbers import check_finite

MOST_CASES = 4 * 10**9  # the number of pairs, twice over, has to fit 64 bits


def check_binary_data(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    frequencies: bool = True,
    predicted: bool = False,
    both_classes: bool = True,
    either: bool = False,
) -> tuple[list[Any], Booleans, dict[str, Floats], Weights | None, Integers | None]:
    """Check labels, score columns (by parameter name), weights and groups, and that they belong together.

    Weights are frequencies, whole numbers, but for the losses, where any will do. Columns of ``predicted`` labels
    become scores 0 and 1. ``both_classes`` and ``either`` are those of :func:`check_labels`. Returns the negative and
    the positive label, which cases are positive, the scores, the weights and the numbers of the groups, without the
    rows of weight 0.
    """
    labels = as_vector("y_true", y_true)
    check_column = check_label_column if predicted else check_finite
    columns = {name: check_column(name, values) for name, values in scores.items()}
    weights = _check_row_weights(sample_weight, frequencies)
    members = None if groups is None else check_groups(groups)
    check_lengths({"y_true": labels, **columns, "sample_weight": weights, "groups": members})
    if weights is not None and not weights.all():
        kept = weights > 0
        labels, weights = labels[kept], weights[kept]
        columns = {name: values[kept] for name, values in columns.items()}
        members = None if members is None else members[kept]
    also = columns if predicted else {}
    negative, positive = check_labels(labels, pos_label, predicted=also, both_classes=both_classes, either=either)
    if predicted:
        columns = {name: is_positive(name, values, (negative, positive)) for name, values in columns.items()}
    numbers = None if members is None else number_groups(members, weights)
    return [negative, positive], np.asarray(labels == positive, dtype=bool), columns, weights, numbers


def check_class_data(
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    frequencies: bool = True,
) -> tuple[list[Any], Integers, dict[str, Integers], Weights | None]:
    """Check class labels, predictions (by parameter name) and weights; ``labels`` None are those that occur, sorted.

    A frequency of 0 means that the row is not there; a weight of 0 leaves its labels known. Returns the labels, the
    positions among them of the true classes and of the predicted ones, and the weights.
    """
    columns = {name: as_vector(name, values) for name, values in {"y_true": y_true, **predictions}.items()}
    weights = _check_row_weights(sample_weight, frequencies)
    check_lengths({**columns, "sample_weight": weights})
    if frequencies and weights is not None and not weights.all():
        kept = weights > 0
        columns, weights = {name: values[kept] for name, values in columns.items()}, weights[kept]
    known = sorted_labels(columns) if labels is None else check_label_list(labels)
    positions = {name: label_positions(name, values, known) for name, values in columns.items()}
    return known, positions.pop("y_true"), positions, weights


def check_class_scores(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[list[Any], Integers, dict[str, Floats], Integers | None]:
    """Check labels of several classes, tables with a column of scores for each, and frequencies.

    ``labels`` are the classes in the order of the columns; None are those that occur, sorted. Returns them, the
    positions of the true ones, the scores and the frequencies, without the rows of frequency 0.
    """
    tables = {name: _check_score_table(name, values) for name, values in scores.items()}
    known, truth, _, _ = check_class_data(y_true, {}, labels=labels)
    check_number_of_classes(known)
    weights = None if sample_weight is None else check_frequency_weights(sample_weight)
    check_lengths({"y_true": truth, **tables, "sample_weight": weights})
    if weights is not None:
        kept = weights > 0
        truth, weights = truth[kept], weights[kept]
        tables = {name: table[kept] for name, table in tables.items()}
    absent = np.flatnonzero(np.bincount(truth, minlength=len(known)) == 0).tolist()
    if absent:
        raise ValueError(f"y_true must hold every class, got no case of {known[absent[0]]!r}.")
    for name, table in tables.items():
        if table.shape[1] != len(known):
            raise ValueError(
                f"{name} must have a column for each of the {len(known)} classes {shown_labels(known)}, got "
                f"{table.shape[1]} columns."
            )
    return known, truth, tables, weights


def _check_score_table(name: str, values: ArrayLike) -> Floats:
    """Finite numbers, a row a case."""
    table = as_numbers(name, as_array(name, values))
    if table.ndim != 2:
        raise ValueError(f"{name} must have a row a case and a column a class, got an array of shape {table.shape}.")
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0].tolist()
        raise ValueError(f"{name} must be finite, got {table[row, column]} in row {row}, column {column}.")
    return table


def check_cost_matrix(cost_matrix: ArrayLike, labels: Labels) -> Floats:
    """A finite square matrix with a row for each true label and a column for each predicted one."""
    given, k = as_array("cost_matrix", cost_matrix), len(labels)
    if given.shape != (k, k):
        raise ValueError(
            f"cost_matrix must have a row and a column for each of the {k} classes {shown_labels(labels)}, got shape "
            f"{given.shape}. Pass labels if not every class occurs in the data."
        )
    check_number_of_classes(labels)
    matrix = as_numbers("cost_matrix", given)
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0].tolist()
        raise ValueError(f"cost_matrix must be finite, got {matrix[row, column]} in row {row}, column {column}.")
    sizes = np.abs(matrix[matrix != 0])
    if len(sizes) and not (sizes.min() >= SMALLEST_COST and sizes.max() <= LARGEST_COST):
        raise ValueError(
            f"cost_matrix must hold costs of 0 or of {SMALLEST_COST:g} to {LARGEST_COST:g}, got sizes from "
            f"{sizes.min():g} to {sizes.max():g}."
        )
    return matrix


def check_frequency_weights(sample_weight: ArrayLike) -> Integers:
    """Whole, non-negative weights: how many cases a row stands for."""
    weights = check_finite("sample_weight", sample_weight)
    wrong = (weights < 0) | (weights != np.floor(weights))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(
            "sample_weight must hold frequency weights, non-negative whole numbers (how many cases each row stands "
            f"for), got {weights[first]} at position {first}."
        )
    _check_some_weight(weights)
    with np.errstate(over="ignore"):
        total = weights.sum()
    if total > MOST_CASES:
        raise ValueError(f"sample_weight must add up to at most {MOST_CASES:,} cases, got {total:,.0f}.")
    return weights.astype(np.int64)


def _check_row_weights(sample_weight: ArrayLike | None, frequencies: bool) -> Weights | None:
    """Frequencies or any weights, if there are any."""
    if sample_weight is None:
        return None
    return check_frequency_weights(sample_weight) if frequencies else check_any_weights(sample_weight)


def check_any_weights(sample_weight: ArrayLike) -> Floats:
    """Non-negative weights of any size, brought near 1 by a power of 2: only their ratios matter."""
    weights = check_finite("sample_weight", sample_weight)
    if (weights < 0).any():
        raise ValueError(f"sample_weight must not be negative, got {weights[weights < 0][0]}.")
    _check_some_weight(weights)
    return np.asarray(np.ldexp(weights, -np.frexp(weights.max())[1]))


def _check_some_weight(weights: Floats) -> None:
    if not weights.any():
        raise ValueError("sample_weight must hold at least one positive weight, got zeros only.")


def check_lengths(arrays: Mapping[str, NDArray[Any] | None]) -> None:
    """All of the arrays have one entry a case."""
    given = {name: array for name, array in arrays.items() if array is not None}
    try:
        check_consistent_length(*given.values())
    except ValueError as error:
        raise ValueError(f"{' and '.join(given)} must have the same length. {error}") from None
