"""What each case loses, and what the least and the most is that another case could have lost.

A loss of classes is a table: what each case's prediction would have lost under each label. The true label picks the
case's loss from it; the extremes are what one more case may lose, at a prediction that was seen, whatever its label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import as_array, as_numbers, as_vector
from skcostci._validation import (
    Floats,
    Integers,
    check_class_data,
    check_finite,
    check_label_list,
)
from skcostci._validation._labels import label_positions, shown_labels, sorted_labels
from skcostci.cases._values import Rows, check_outcomes, check_rows
from skcostci.statistics._mean_core import check_sizes

LossName = Literal["brier", "log_loss", "squared_error", "absolute_error", "zero_one"]
LossFunction = Callable[[Any, Any], ArrayLike]
LOSSES = ("brier", "log_loss", "squared_error", "absolute_error", "zero_one")

Ends = tuple[float, float]
UNKNOWN = (-np.inf, np.inf)


class CaseLosses(NamedTuple):
    """Of one model or of two: what they lose by case, the ends by class, and the loss's own range.

    ``models`` has a row a model. ``seen`` are the ends of a loss and ``apart`` those of a difference between the two
    models, one pair a class, or a single one where there are no classes (``truth`` None).
    """

    rows: Rows
    models: Floats
    truth: Integers | None
    seen: list[Ends]
    apart: list[Ends]
    bounds: Ends


def case_losses(
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    loss: LossName | LossFunction,
    *,
    labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    folds: ArrayLike | None,
) -> CaseLosses:
    """Check labels, predictions and what they stand for, and work out the losses."""
    belonging = sample_weight, groups, folds
    if callable(loss):
        return _of_function(y_true, predictions, loss, labels, belonging)
    if not isinstance(loss, str) or loss not in LOSSES:
        raise ValueError(f"loss must be a function or one of {', '.join(map(repr, LOSSES))}, got {loss!r}.")
    if loss in ("brier", "log_loss"):
        return _of_probabilities(y_true, predictions, loss, labels, pos_label, belonging)
    if pos_label is not None:
        raise ValueError(f"pos_label is for probabilities; loss={loss!r} has no positive class, got {pos_label!r}.")
    if loss == "zero_one":
        return _zero_one(y_true, predictions, labels, belonging)
    if labels is not None:
        raise ValueError(f"labels are of classes; loss={loss!r} is of numbers.")
    return _of_numbers(y_true, predictions, loss, belonging)


def _of_numbers(y_true: ArrayLike, predictions: Mapping[str, ArrayLike], loss: str, belonging: Any) -> CaseLosses:
    """Squared or absolute errors: at least 0, at most nobody knows."""
    columns = {name: check_finite(name, given) for name, given in {"y_true": y_true, **predictions}.items()}
    rows = check_rows(columns, *belonging)
    truth, *guesses = (column[rows.kept] for column in columns.values())
    with np.errstate(over="ignore"):
        errors = np.array([np.abs(truth - guess) for guess in guesses])
        models = errors**2 if loss == "squared_error" else errors
    check_sizes("errors", models)
    return CaseLosses(rows, models, None, [(0.0, float(models.max()))], [_ends(models[0] - models[-1])], (0.0, np.inf))


def _zero_one(
    y_true: ArrayLike, predictions: Mapping[str, ArrayLike], labels: ArrayLike | None, belonging: Any
) -> CaseLosses:
    """A wrong label loses 1, which any case may have, and two models may differ at any."""
    known, truth, guesses, _ = check_class_data(y_true, predictions, labels=labels)
    rows = check_rows({"y_true": truth, **guesses}, *belonging)
    models = np.array([guess != truth for guess in guesses.values()], dtype=np.float64)[:, rows.kept]
    ends = [(0.0, 1.0)] * len(known)
    return CaseLosses(rows, models, truth[rows.kept], ends, [(-1.0, 1.0)] * len(known), (0.0, 1.0))


def _of_probabilities(
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    loss: str,
    labels: ArrayLike | None,
    pos_label: Any,
    belonging: Any,
) -> CaseLosses:
    """Brier's or the log loss of probabilities: one column of the positive class, or one for each class."""
    given = {name: as_array(name, values) for name, values in predictions.items()}
    tables = {name: _probabilities(name, array) for name, array in given.items()}
    widths = {name: table.shape[1] for name, table in tables.items()}
    if len(set(widths.values())) > 1:
        raise ValueError(f"{' and '.join(widths)} must have as many columns, got {list(widths.values())}.")
    truth, n_classes = _classes(y_true, next(iter(widths)), next(iter(widths.values())), labels, pos_label)
    rows = check_rows({"y_true": truth, **tables}, *belonging)
    eps = max(float(np.finfo(array.dtype if array.dtype == np.float32 else np.float64).eps) for array in given.values())
    kept = [table[rows.kept] for table in tables.values()]
    if loss == "brier":
        by_label, most = [_brier(table) for table in kept], 1.0 if n_classes == 2 else 2.0
    else:
        by_label, most = [_log_loss(table, eps) for table in kept], -np.log(eps)
    return _of_table(rows, by_label, truth[rows.kept], (0.0, float(most)))


def _probabilities(name: str, array: NDArray[Any]) -> Floats:
    """A column or a table of numbers in [0, 1]; the rows of a table add up to 1."""
    if array.ndim != 2 or array.shape[1] == 1:
        table = check_finite(name, array)[:, None]
    else:
        table = as_numbers(name, array)
        if not len(table):
            raise ValueError(f"{name} must hold at least one case, got an empty array.")
    outside = ~((table >= 0) & (table <= 1))
    if outside.any():
        row, column = np.argwhere(outside)[0].tolist()
        place = f"in row {row}, column {column}" if table.shape[1] > 1 else f"at position {row}"
        raise ValueError(f"{name} must hold probabilities, in [0, 1], got {table[row, column]} {place}.")
    if table.shape[1] > 1:
        sums = table.sum(axis=1)
        wrong = np.abs(sums - 1) > (1e-3 if array.dtype in (np.float16, np.float32) else 1e-6)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise ValueError(f"{name} must have rows that add up to 1, got {sums[row]:g} in row {row}.")
    return table


def _classes(
    y_true: ArrayLike, name: str, n_columns: int, labels: ArrayLike | None, pos_label: Any
) -> tuple[Integers, int]:
    """The position of each true label among the classes, and how many of those there are."""
    truth = as_vector("y_true", y_true)
    known = None if labels is None else check_label_list(labels)
    if n_columns == 1 and known is None:
        return check_outcomes(truth, pos_label).astype(np.int64), 2
    if pos_label is not None:
        raise ValueError(f"pos_label is for one column of probabilities without labels, got {pos_label!r}.")
    known = sorted_labels({"y_true": truth}) if known is None else known
    n_classes = max(n_columns, 2)
    if len(known) != n_classes:
        wanted = f"{n_columns} column{'s' * (n_columns > 1)}"
        raise ValueError(
            f"{name} has {wanted}, for {n_classes} classes, but the classes are {shown_labels(known)}. Pass labels, "
            "the classes in the order of the columns, if not every class occurs in y_true."
        )
    return label_positions("y_true", truth, known), n_classes


def _brier(table: Floats) -> Floats:
    """Squared distance from what a label would be, scikit-learn's scale: halved where there are two classes."""
    if table.shape[1] == 1:
        return np.array([table[:, 0] ** 2, (1 - table[:, 0]) ** 2])
    if table.shape[1] == 2:
        first, second = table.T
        return np.array([(second**2 + (1 - first) ** 2) / 2, (first**2 + (1 - second) ** 2) / 2])
    return np.asarray(np.maximum((table**2).sum(axis=1) - 2 * table.T + 1, 0.0))


def _log_loss(table: Floats, eps: float) -> Floats:
    """Of probabilities no nearer than eps to 0 and 1, as scikit-learn's."""
    columns = np.array([1 - table[:, 0], table[:, 0]]) if table.shape[1] == 1 else table.T
    return np.asarray(-np.log(np.clip(columns, eps, 1 - eps)))


def _of_function(
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    loss: LossFunction,
    labels: ArrayLike | None,
    belonging: Any,
) -> CaseLosses:
    """A user's function of truth and predictions; under each label, where there are two or ``labels`` names them."""
    truth = as_vector("y_true", y_true)
    given = {name: as_array(name, values) for name, values in predictions.items()}
    for name, array in given.items():
        if not array.ndim:
            raise ValueError(f"{name} must have an entry a case, got a single one.")
    rows = check_rows({"y_true": truth, **given}, *belonging)
    truth = truth[rows.kept]
    kept = [array[rows.kept] for array in given.values()]
    known = sorted_labels({"y_true": truth}) if labels is None else check_label_list(labels)
    if labels is None and len(known) != 2:
        models = np.array([_called(loss, truth, guess) for guess in kept])
        return CaseLosses(rows, models, None, [_ends(models)], [_ends(models[0] - models[-1])], UNKNOWN)
    places = label_positions("y_true", truth, known)
    labelled = [np.full(len(truth), label, dtype=truth.dtype) for label in known]
    by_label = [np.array([_called(loss, each, guess) for each in labelled]) for guess in kept]
    return _of_table(rows, by_label, places, UNKNOWN)


def _called(loss: LossFunction, truth: NDArray[Any], guess: NDArray[Any]) -> Floats:
    """What the function answers: a finite number a case."""
    values = as_array("loss(y_true, y_pred)", loss(truth, guess))
    if values.shape != truth.shape:
        raise ValueError(
            f"loss(y_true, y_pred) must return a number a case, shape {truth.shape}, got shape {values.shape}."
        )
    losses = check_finite("loss(y_true, y_pred)", values)
    check_sizes("loss(y_true, y_pred)", losses)
    return losses


def _of_table(rows: Rows, by_label: list[Floats], truth: Integers, bounds: Ends) -> CaseLosses:
    """From what each label would lose, shape (n_classes, n_cases)."""
    every = np.arange(len(truth))
    models = np.array([table[truth, every] for table in by_label])
    seen = [_ends(np.array([table[place] for table in by_label])) for place in range(len(by_label[0]))]
    apart = [_ends(row) for row in by_label[0] - by_label[-1]]
    return CaseLosses(rows, models, truth, seen, apart, bounds)


def _ends(values: Floats) -> Ends:
    """The least and the most."""
    return float(values.min()), float(values.max())
