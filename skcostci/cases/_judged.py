"""Cases with labels of any number of classes, or with any truth and predictions that a function accepts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Integers, as_array, unboxed
from skcostci._options import Label
from skcostci._validation._labels import (
    candidate_codes,
    check_label_column,
    check_label_list,
    check_names,
    check_no_scores,
    first_rows,
    has_fractions,
    in_order,
    number_labels,
)
from skcostci._validation._rows import GivenRows, Rows, check_frequency_weights, check_row_order
from skcostci._validation._tables import asked_by_class
from skcostci.cases._design import CasesInRows

MOST_LABELLED = 50  # distinct whole numbers beyond which they are counts or years, no classes


@dataclass(frozen=True, repr=False, eq=False)
class JudgedCases(CasesInRows):
    """Checked cases: the truth per case, and the predictions of models, by name.

    If ``labels`` are the classes, truth and columns are positions among them; else they are as given. The first
    ``n_stated`` labels were listed by the user. For losses ``told`` are the classes in the order of the columns, where
    the truth says it.
    """

    labels: tuple[Label, ...] | None = None
    n_stated: int = 0
    told: tuple[Any, ...] = ()

    @classmethod
    def check_labels(
        cls,
        y_true: ArrayLike,
        predictions: Mapping[str, ArrayLike],
        *,
        labels: ArrayLike | None = None,
        order: Sequence[Label] = (),
        **sample: Unpack[GivenRows],
    ) -> JudgedCases:
        """Labels of any number of classes; listed labels come first, in their order, and others in ``order``."""
        given = {"y_true": y_true, **predictions}
        named = {name: check_names(name, values) for name, values in given.items()}
        stated = [] if labels is None else check_label_list(labels)
        if not stated:
            check_no_scores({name: _column_of(names) for name, (names, _) in named.items()})
        columns = {name: numbers for name, (_, numbers) in named.items()}
        rows = Rows.given(given, columns, **sample)
        kept = {name: (names, rows.of(numbers)) for name, (names, numbers) in named.items()}
        occur = {
            name: [names[i] for i in np.flatnonzero(np.bincount(numbers))] for name, (names, numbers) in kept.items()
        }
        known = [*stated, *(label for label in in_order(occur, stated or order) if label not in stated)]
        place = {label: position for position, label in enumerate(known)}
        truth, *guesses = (
            np.array([place.get(label, -1) for label in names], dtype=np.int64)[numbers]
            for names, numbers in kept.values()
        )
        return cls(truth, dict(zip(predictions, guesses, strict=True)), rows, tuple(known), len(stated))

    @classmethod
    def check_any(
        cls,
        y_true: ArrayLike,
        predictions: Mapping[str, ArrayLike],
        *,
        labels: ArrayLike | None = None,
        **sample: Unpack[GivenRows],
    ) -> JudgedCases:
        """A truth, and a number, label or row of numbers per case; columns by ``labels`` in the order of these."""
        truth = _one_or_more("y_true", y_true)
        columns = {
            name: asked_by_class(name, values, _one_or_more(name, values), y_true, labels)
            for name, values in predictions.items()
        }
        given = {"y_true": y_true, **predictions}
        rows = Rows.given(given, {"y_true": truth, **columns}, **sample)
        return cls(rows.of(truth), {name: rows.of(column) for name, column in columns.items()}, rows)

    def of_stated_labels(self) -> JudgedCases:
        """With one column: the cases whose truth and prediction are among the listed labels."""
        (column,) = self.columns.values()
        rows = np.flatnonzero((self.truth < self.n_stated) & (column < self.n_stated))
        if not len(rows):
            raise ValueError("labels must include the true and the predicted label of at least one case.")
        return replace(self.part(rows), labels=(self.labels or ())[: self.n_stated])

    def classes(self) -> Integers | None:
        """The class of each case, if the truth is a class; None for amounts."""
        if self.labels is not None:
            return self.truth
        if self.truth.ndim > 1 or has_fractions(self.truth):
            return None
        numbers = number_labels(self.truth)
        return numbers if numbers.max() < MOST_LABELLED else None


def distinct_rows(*columns: NDArray[np.generic]) -> tuple[Integers, Integers]:
    """The position of the first of each set of equal rows, and the number of its set for each row."""
    codes = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        for values in column.T if column.ndim > 1 else [column]:
            numbers = number_labels(values)
            codes = number_labels(codes * (int(numbers.max()) + 1) + numbers)
    return first_rows(codes), codes


def count_alike(
    y_true: ArrayLike, predictions: Mapping[str, ArrayLike], sample_weight: ArrayLike | None
) -> tuple[ArrayLike, Mapping[str, ArrayLike], ArrayLike | None]:
    """Distinct rows and frequencies in one pass; as given where there is no such table, or data are invalid."""
    as_given = y_true, predictions, sample_weight
    given = {"y_true": y_true, **predictions}
    arrays = [as_array(name, values) for name, values in given.items()]
    if len({array.shape for array in arrays}) > 1:
        return as_given
    columns = [coded for array in arrays if (coded := candidate_codes(array)) is not None]
    sizes = [len(coded.names) for coded in columns]
    if len(columns) < len(arrays) or math.prod(sizes) > len(arrays[0]):
        return as_given
    check_row_order({**given, "sample_weight": sample_weight})
    weights = None if sample_weight is None else check_frequency_weights(sample_weight)
    if weights is not None and weights.shape != arrays[0].shape:
        return as_given
    codes = np.zeros(1, dtype=np.min_scalar_type(math.prod(sizes)))
    for coded, size in zip(columns, sizes, strict=True):
        codes = codes * codes.dtype.type(size) + coded.places.astype(codes.dtype, copy=False)
    table = np.bincount(codes, weights)
    cells = np.flatnonzero(table)
    names = (coded.names[place] for coded, place in zip(columns, np.unravel_index(cells, sizes), strict=True))
    return next(names), dict(zip(predictions, names, strict=True)), table[cells].astype(np.int64)


def _column_of(names: list[Label]) -> NDArray[np.generic]:
    """Floats as an array of numbers, anything else as objects: numpy would expand tuples."""
    return np.array(names) if all(isinstance(each, float) for each in names) else np.array([*names, None], object)[:-1]


def _one_or_more(name: str, values: ArrayLike) -> NDArray[np.generic]:
    """One entry, or a row of finite numbers, per case."""
    array = as_array(name, values)
    if array.ndim < 2 or array.shape[1:] == (1,):
        return unboxed(check_label_column(name, values))
    if array.ndim > 2 or not len(array):
        raise ValueError(
            f"{name} must have one entry, or one row of numbers, per case, got an array of shape {array.shape}."
        )
    if array.dtype.kind not in "biuf" or not np.isfinite(array).all():
        raise ValueError(f"{name} must have rows of finite numbers, got {array.dtype} values or some not finite.")
    return array
