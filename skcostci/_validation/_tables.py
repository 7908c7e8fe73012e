"""Tables with a column, or a row, per class or label: scores, costs, predictions, several labels per case.

Names decide: a table whose columns are named by the classes is put in their order. Columns that are only numbered are
taken in their order. Any other names are an error, as the order of the columns is then unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import (
    Entry,
    Floats,
    Scores,
    as_array,
    as_list,
    as_numbers,
    as_objects,
    as_scores,
    as_vector,
    column_names,
    is_one_hot,
    missing_entries,
    row_names,
)
from skcostci._options import Label
from skcostci._validation._arguments import LARGEST_COST, SMALLEST_COST, check_scores, finite_numbers
from skcostci._validation._labels import (
    Labels,
    check_label_column,
    check_label_list,
    check_number_of_classes,
    has_fractions,
    has_sure_order,
    shown_labels,
    sorted_labels,
    typed_labels,
    unique_labels,
)
from skcostci._validation._rows import check_row_order
from skcostci._warnings import warn_caller

TRUTH_VALUES = {"true": "1", "false": "0"}  # texts of values that equal 1 and 0


def by_class(
    name: str, values: ArrayLike, table: NDArray[Entry], labels: Labels, *, stated: bool = False
) -> NDArray[Entry]:
    """The columns of a table, given as ``values``, in the order of the labels if they are named by the labels."""
    order = class_places(f"{name}'s columns", column_names(values), labels, stated=stated)
    return table if order is None else table[:, order]


def table_labels(y_true: ArrayLike, tables: Mapping[str, ArrayLike]) -> list[Any] | None:
    """The classes in the order that y_true's type states, for tables with a column per class; None if it states none.

    Categories that do not occur are classes if there is a column for each. Columns without names are refused where the
    order of labels is not sure, and warned of where scikit-learn's estimators would have put them into another order.
    """
    widths = {name: as_array(name, values).shape[1:] for name, values in tables.items()}
    if not any(width > (1,) for width in widths.values()):
        return None
    truth, order = as_vector("y_true", y_true), typed_labels({"y_true": y_true})
    present = ~missing_entries(truth)  # with a proxy some are missing
    known = sorted_labels({"y_true": check_label_column("y_true", truth[present] if present.any() else truth)}, order)
    known = order if (len(order),) in widths.values() else known
    for name, values in tables.items():
        if widths[name] == (len(known),) and class_places(f"{name}'s columns", column_names(values), known) is None:
            _check_order(f"{name}'s columns", known)
            if order and known != sorted_labels({"y_true": known}):
                what = f"{name}'s columns have no names: they are taken in the order {shown_labels(known)} of y_true."
                way = "Name an estimator's: pd.DataFrame(y_proba, columns=estimator.classes_)."
                warn_caller(f"{what} {way}", UserWarning)
                break
    return known if order else None


def matrix_order(cost_matrix: ArrayLike, given: Mapping[str, ArrayLike], labels: ArrayLike | None) -> ArrayLike | None:
    """The listed labels, or the categories that the types of columns state if the matrix has a row for each."""
    if labels is not None:
        return labels
    order = typed_labels(given)
    return order if order and as_array("cost_matrix", cost_matrix).shape == (len(order), len(order)) else None


def _check_order(what: str, labels: Labels) -> None:
    """Raise if texts with numbers are sorted as texts, as "10" and "2"; any other order was stated by a type."""
    if not has_sure_order(labels, of_numbers=False) and list(labels) == sorted_labels({"y_true": list(labels)}):
        raise ValueError(f"{what} have no names, and the order of {shown_labels(labels)} is not sure: pass labels.")


def outputs_by_class(
    name: str, values: ArrayLike, table: NDArray[Entry], y_true: ArrayLike, labels: ArrayLike | None = None
) -> NDArray[Entry]:
    """Predictions for a user's function: a table with its columns in the order of the classes, if they are classes.

    Columns are taken for classes if there are as many, or if they name all classes that occur; any other column is then
    an error. ``labels`` are the classes given to the function; None means those of the truth, sorted, or none if it
    has fractions. With several truths per case the columns follow those of the truth, if they have the same names.
    """
    names, truth = column_names(values), as_array("y_true", y_true)
    if names is None or table.ndim != 2:
        return table
    if truth.ndim > 1 and truth.shape[1] > 1:
        outputs = column_names(y_true) or []
        same = len(set(map(str, names))) == len(names) and sorted(map(str, names)) == sorted(map(str, outputs))
        return by_class(name, values, table, outputs) if same else table
    truth = as_vector("y_true", y_true)
    if labels is None and has_fractions(truth):
        return table
    known = as_list(unique_labels("y_true", truth)) if labels is None else check_label_list(labels)
    given, classes = _in_one_spelling(names, known)
    may_be = len(given) == len(classes) or set(classes) <= set(given)
    return by_class(name, values, table, known, stated=labels is not None) if may_be else table


def check_risk_columns(name: str, risks: ArrayLike, horizons: Floats | None) -> Scores:
    """A column of risks or, of several ``horizons``, a table with one for each, by name if columns are so named."""
    array = as_array(name, risks)
    if horizons is None or array.ndim != 2 or array.shape[1] == 1:
        return check_scores(name, risks)
    if array.shape[1] != horizons.size:
        got = f"got {array.shape[1]} columns and {horizons.size} horizon{'s' * (horizons.size > 1)}"
        raise ValueError(f"{name} must have one column of risks, or a column per horizon, {got}.")
    places = class_places(f"{name}'s columns", column_names(risks), horizons.tolist(), kind="horizons")
    return finite_numbers(name, as_scores(name, array if places is None else array[:, places]))


def check_positive_column(name: str, values: ArrayLike, labels: tuple[Label, Label]) -> None:
    """Check that a table's only column is not named as the negative class; a 0 by pandas' default is no name."""
    names = column_names(values)
    if names is None or len(names) != 1 or names == [0]:
        return
    (given,), (negative, positive) = _in_one_spelling(names, labels)
    if given == negative != positive:
        way = f"pass its column, or pos_label={labels[0]!r}"
        raise ValueError(f"{name} is named {names[0]!r}, but {labels[1]!r} is the positive class: {way}.")


def refuse_classes_as_models(y_scores: Any, y_true: ArrayLike) -> None:
    """Check that a table of scores, a column per model, is not a table of probabilities, a column per class."""
    names = column_names(y_scores)
    if names is None:
        return
    given, classes = _in_one_spelling(names, unique_labels("y_true", as_vector("y_true", y_true)).tolist())
    if sorted(given) != sorted(classes):
        return
    scores = as_array("y_scores", y_scores)
    if scores.dtype.kind in "iuf" and np.allclose(scores.sum(axis=1), 1.0, atol=1e-6):
        way = "pass that of the positive class, named after the model"
        raise ValueError(f"y_scores must have a column per model, got one per class, {shown_labels(names)}: {way}.")


def is_table_of_classes(values: ArrayLike, labels: Labels) -> bool:
    """Whether a frame has a column of scores for each class, by name or number, not one of labels per model."""
    names = column_names(values)
    if names is None or len(names) != len(labels) or len(names) < 2:
        return False
    table, (given, classes) = as_array("y_scores", values), _in_one_spelling(names, labels)
    if table.dtype.kind not in "biuf" or (sorted(given) != sorted(classes) and not _are_numbered(given, classes)):
        return False
    return not np.isin(table, labels).all() or bool(np.allclose(table.sum(axis=1), 1.0))


def check_score_table(name: str, values: ArrayLike, labels: Labels, *, stated: bool = False) -> Floats:
    """Finite numbers, a row per case and a column per class, in the order of the labels if these name them."""
    table = as_numbers(name, as_array(name, values))
    if table.ndim != 2:
        raise ValueError(f"{name} must have a row per case and a column per class, got shape {table.shape}.")
    if table.shape[1] != len(labels):
        raise ValueError(f"{name} must have a column per class, {shown_labels(labels)}, got {table.shape[1]} columns.")
    return by_class(name, values, finite_numbers(name, table), labels, stated=stated)


def check_cost_matrix(cost_matrix: ArrayLike, labels: Labels, *, stated: bool = False) -> Floats:
    """A finite square matrix with a row for each true label and a column for each predicted one.

    A table whose index and columns are the labels is used by name, whatever their order.
    """
    given, k = as_array("cost_matrix", cost_matrix), len(labels)
    if given.shape != (k, k):
        wanted = f"a row and a column per class, {shown_labels(labels)}"
        raise ValueError(f"cost_matrix must have {wanted}, got shape {given.shape}: pass labels if some do not occur.")
    # Before the matrix, which grows with the square of the classes, is copied.
    check_number_of_classes(labels)
    matrix = finite_numbers("cost_matrix", as_numbers("cost_matrix", given))
    sizes = np.abs(matrix[matrix != 0])
    if len(sizes) and not (sizes.min() >= SMALLEST_COST and sizes.max() <= LARGEST_COST):
        wanted = f"costs of 0 or of a size from {SMALLEST_COST:g} to {LARGEST_COST:g}"
        raise ValueError(f"cost_matrix must have {wanted}, got sizes from {sizes.min():g} to {sizes.max():g}.")
    names = row_names(cost_matrix)
    rows = class_places("cost_matrix's rows", None if names is None else as_list(names), labels, stated=stated)
    columns = class_places("cost_matrix's columns", column_names(cost_matrix), labels, stated=stated)
    if rows is None and columns is None and not stated:
        _check_order("cost_matrix's rows and columns", labels)
    if (rows is None) != (columns is None) and list(range(k)) != (rows or columns):
        named, other = ("columns", "rows") if rows is None else ("rows", "columns")
        raise ValueError(f"cost_matrix must have names for its {other} too, or labels in the order of its {named}.")
    # If only one side is named, both are taken to be in the order of the labels.
    return matrix[np.ix_(rows or range(k), columns or range(k))]


def matrix_labels(cost_matrix: ArrayLike) -> Sequence[object]:
    """The names of the columns of a cost matrix, before any data are known; 0, 1, ... if they have none."""
    names = column_names(cost_matrix)
    return range(len(np.atleast_1d(as_array("cost_matrix", cost_matrix)))) if names is None else names


def class_places(
    what: str, names: list[Label] | None, labels: Labels, *, stated: bool = False, kind: str = "classes"
) -> list[int] | None:
    """The position of each label among the names of a table; None if names only count columns, so that order decides.

    The default numbers 0, 1, ... of pandas are no names, whatever the classes are. If labels were ``stated`` they and
    the names must be in the same order.
    """
    if names is None:
        return None
    given, classes = _in_one_spelling(names, labels)
    if names == list(range(len(names))) and given != classes:
        return None
    if sorted(given) != sorted(classes):
        if set(given).isdisjoint(classes) and _are_numbered(given, classes):
            return None
        other = next(name for name, one in zip(names, given, strict=True) if one not in classes or given.count(one) > 1)
        raise ValueError(f"{what} must be named by the {kind} {shown_labels(labels)} or be an array, got {other!r}.")
    if stated and given != classes:
        raise ValueError(f"{what} are named {shown_labels(names)}, labels are {shown_labels(labels)}: leave one out.")
    return [given.index(label) for label in classes]


def _in_one_spelling(names: Sequence[object], labels: Labels) -> tuple[list[str], list[str]]:
    """Names and classes as texts, as names often are; 1, 1.0, True and "1" are equal unless labels distinguish them."""
    plain = [_plain(label) for label in labels]
    spell = _plain if len(set(plain)) == len(plain) else str
    return [spell(name) for name in names], [spell(label) for label in labels]


def _plain(label: object) -> str:
    """A class as it would be written as the name of a column."""
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    text = label.decode(errors="replace") if isinstance(label, bytes) else str(label)
    return TRUTH_VALUES.get(text.lower(), re.sub(r"^(-?\d+)\.0+$", r"\1", text))


def _are_numbered(given: list[str], classes: list[str]) -> bool:
    """Whether names only count columns from 0 or 1 on, as "p1" and "p2" do; not bare numbers if classes are numbers."""
    parts = [re.fullmatch(r"(.*?)(\d+)", name, re.DOTALL) for name in given]
    stems = {part and part[1] for part in parts}
    if len(stems) > 1 or None in stems or ("" in stems and any(label.isdigit() for label in classes)):
        return False
    numbers = [int(part[2]) for part in parts if part]
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def is_multilabel(y_true: Any) -> bool:
    """Whether there are several labels per case: a table with more than one column, or a list of rows."""
    shape = getattr(y_true, "shape", None)
    if shape is None:
        first = y_true[0] if isinstance(y_true, list | tuple) and y_true else None
        return isinstance(first, list | tuple | np.ndarray) and len(first) > 1
    return len(shape) == 2 and shape[1] > 1 and as_array("y_true", y_true).ndim == 2  # as_array refuses sparse tables


def read_classes(
    y_true: ArrayLike,
    tables: Mapping[str, ArrayLike],
    labels: ArrayLike | None,
    beside: Mapping[str, object],
    *,
    ranked: bool = False,
) -> tuple[ArrayLike, Mapping[str, ArrayLike], Any]:
    """One label per case, and the classes in the order of the columns, where one-hot truth or a type states them.

    Named columns are put into this order. If neither does, all are returned as given. Otherwise the order of the
    rows is compared here with that of what is ``beside`` them, before tables lose their index. The labels of
    ``ranked`` classes tell their order; named columns may then have any other.
    """
    if is_multilabel(y_true):
        truth, known = _from_one_hot(y_true, labels, ranked=ranked)
    elif labels is None:
        truth, known = y_true, table_labels(y_true, tables)
    else:
        truth, known = y_true, check_label_list(labels) if ranked else None
    if known is None:
        return y_true, tables, labels
    check_row_order({"y_true": y_true, **tables, **beside})
    ordered = dict(tables)
    for name, values in tables.items():
        if (array := as_array(name, values)).shape[1:] == (len(known),):
            ordered[name] = by_class(name, values, array, known, stated=labels is not None and not ranked)
    return truth, ordered, known


def _from_one_hot(y_true: ArrayLike, labels: ArrayLike | None, *, ranked: bool) -> tuple[ArrayLike, list[Label] | None]:
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
        places = class_places("y_true's columns", names, stated, stated=not ranked)
        table, known = table if places is None else table[:, places], stated
    return as_objects(known)[table.argmax(axis=1)], known


def check_label_tables(
    y_true: ArrayLike, columns: Mapping[str, ArrayLike], *, predicted: bool, pos_label: Label | None = None
) -> tuple[list[Label], Floats, dict[str, Floats]]:
    """Check truth and tables with a column per label, of ``predicted`` labels or scores.

    Tables are put in the order of the truth if its columns have their names. Returns the names of the labels (numbers
    from 0 on if they have none), the truth and the tables.
    """
    if pos_label is not None:
        raise ValueError(f"pos_label must be None with a table of labels, where 1 is positive; got {pos_label!r}.")
    truth = _check_indicators("y_true", y_true, unread=not predicted)
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
    return labels, truth if np.isnan(truth).any() else truth.astype(bool), tables


def _check_indicators(name: str, table: ArrayLike, *, unread: bool = False) -> Floats:
    """0 and 1; where labels may be ``unread``, NaN for missing entries."""
    array = as_array(name, table)
    if array.ndim != 2:
        raise ValueError(f"{name} must have a column for each label, like y_true, got shape {array.shape}.")
    if array.dtype.kind in "US" or any(isinstance(value, str | bytes) for value in array.flat[:1]):
        as_vector(name, table)  # raises: one label per case
    absent = missing_entries(array)
    if absent.any() and not unread:
        what = f"{name} must not contain missing labels, got {absent.sum()} among {absent.size}."
        raise ValueError(f"{what} The AUC and the average precision take them in y_true, where a label was not read.")
    numbers = as_numbers(name, np.where(absent, 0, array))
    if (wrong := (numbers != 0) & (numbers != 1)).any():
        what = f"{name} must contain 1 where a case has the label and 0 elsewhere, got {numbers[wrong][0]:g}."
        raise ValueError(f"{what} Compare scores with thresholds first, or pass np.argmax(np.asarray({name}), axis=1).")
    return np.where(absent, np.nan, numbers)
