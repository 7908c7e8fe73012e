"""Tables of several labels per case, with 1 where a case has the label of the column; and of predictions or scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, as_array, as_list, as_numbers, as_vector, column_names, is_one_hot
from skcostci._options import Label
from skcostci._validation._labels import check_label_list, shown_labels
from skcostci._validation._rows import check_row_order
from skcostci._validation._tables import by_class, check_score_table, class_places, table_labels


def is_multilabel(y_true: Any) -> bool:
    """Whether there are several labels per case: a table with more than one column, or a list of rows."""
    shape = getattr(y_true, "shape", None)
    if shape is None:
        first = y_true[0] if isinstance(y_true, list | tuple) and y_true else None
        return isinstance(first, list | tuple | np.ndarray) and len(first) > 1
    return len(shape) == 2 and shape[1] > 1 and as_array("y_true", y_true).ndim == 2  # as_array refuses sparse tables


def read_classes(
    y_true: ArrayLike, tables: Mapping[str, ArrayLike], labels: ArrayLike | None, beside: Mapping[str, object]
) -> tuple[ArrayLike, Mapping[str, ArrayLike], Any]:
    """One label per case, and the classes in the order of the columns, where one-hot truth or a type tells them.

    Named columns are put into this order. All are returned as given where nothing is told. Rows are compared with those
    of what is ``beside`` them here, as tables lose their index.
    """
    if is_multilabel(y_true):
        truth, known = _from_one_hot(y_true, labels)
    else:
        truth, known = y_true, table_labels(y_true, tables) if labels is None else None
    if known is None:
        return y_true, tables, labels
    check_row_order({"y_true": y_true, **tables, **beside})
    arrays = {name: as_array(name, values) for name, values in tables.items()}
    ordered = dict(tables)
    for name, array in arrays.items():
        if array.shape[1:] == (len(known),):
            ordered[name] = by_class(name, tables[name], array, known, stated=labels is not None)
    return truth, ordered, known


def _from_one_hot(y_true: ArrayLike, labels: ArrayLike | None) -> tuple[ArrayLike, list[Any] | None]:
    """The label of each case, and the labels of the columns: those listed, their names, or numbers from 0 on."""
    table, names = as_array("y_true", y_true), column_names(y_true)
    if table.dtype.kind not in "biuf":
        as_vector("y_true", y_true)  # raises: one label per case
    if not is_one_hot(table):
        way = "with several labels per case pass one of them, y_true[:, k]"
        raise ValueError(f"y_true must have a label per case, or be one-hot, got shape {table.shape}: {way}.")
    known = [*range(table.shape[1])] if names is None else names
    if labels is not None:
        stated = check_label_list(labels)
        if len(stated) != len(known):
            raise ValueError(f"labels must name the {len(known)} columns of y_true, got {shown_labels(stated)}.")
        class_places("y_true's columns", names, stated, stated=True)
        known = stated
    # With None, which is cut off again, numpy does not take labels that are tuples for rows of a table.
    return np.array([*known, None], dtype=object)[:-1][table.argmax(axis=1)], known


def check_label_tables(
    y_true: ArrayLike, columns: Mapping[str, ArrayLike], *, predicted: bool, pos_label: Label | None = None
) -> tuple[list[Label], Floats, dict[str, Floats]]:
    """Check truth and tables with a column per label, of ``predicted`` labels or scores.

    Tables are put in the order of the truth if its columns have their names. Returns the names of the labels (numbers
    from 0 on if they have none), the truth and the tables.
    """
    if pos_label is not None:
        raise ValueError(f"pos_label must be None with a table of labels, where 1 is positive; got {pos_label!r}.")
    truth = _check_indicators("y_true", y_true)
    names = column_names(y_true)
    labels: list[Label] = list(range(truth.shape[1])) if names is None else as_list(np.array(names))
    if len(set(labels)) < len(labels):
        twice = next(name for name in labels if labels.count(name) > 1)
        raise ValueError(f"y_true must have a column for each label, got two called {twice!r}.")
    tables = {}
    for name, values in columns.items():
        shape = as_array(name, values).shape
        if shape != truth.shape:
            way = " y_true looks one-hot: for a class per case pass np.argmax(np.asarray(y_true), axis=1)."
            raise ValueError(f"{name} must have y_true's shape, {truth.shape}, got {shape}.{way * is_one_hot(truth)}")
        named = as_array(name, values) if names is None else values
        table = check_score_table(name, named, labels) if not predicted else _check_indicators(name, values)
        tables[name] = by_class(name, named, table, labels) if predicted else table
    return labels, truth, tables


def _check_indicators(name: str, table: ArrayLike) -> Floats:
    array = as_array(name, table)
    if array.ndim != 2:
        raise ValueError(f"{name} must have a column for each label, like y_true, got shape {array.shape}.")
    if array.dtype.kind in "US" or any(isinstance(value, str | bytes) for value in array.flat[:1]):
        as_vector(name, table)  # raises: one label per case
    numbers = as_numbers(name, array)
    if (wrong := (numbers != 0) & (numbers != 1)).any():
        what = f"{name} must contain 1 where a case has the label and 0 elsewhere, got {numbers[wrong][0]:g}."
        raise ValueError(f"{what} Compare scores with thresholds first, or pass np.argmax(np.asarray({name}), axis=1).")
    return numbers
