"""Conversion of array-likes to arrays of numbers or labels, without loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from numbers import Number
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._options import Label

Entry = TypeVar("Entry", bound=np.generic)  # of an array that is returned unchanged, or some rows of it
Floats = NDArray[np.float64]
Scores = NDArray[np.floating[Any]]  # in their own precision
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Weights = Integers | Floats  # frequencies; for losses any non-negative numbers

NEVER_MISSING = {str, bytes, int, bool}
LARGEST_EXACT = 2.0**53  # float64 represents every whole number up to here
NAMED_BY_SEVERAL = ("by", "groups", "folds", "crossed")  # parameters whose labels may be combined from several columns
WAYS_IN = {  # by an attribute of objects that numpy takes for a single entry: how to pass their entries
    "toarray": "Pass {0}.toarray().",
    "sample_weight": "Unpack the counted cases with two stars, as in bootstrap_auc(**counted), or pass counted.y_true, "
    "counted.y_score and sample_weight=counted.sample_weight.",
    "collect": "Pass {0}.collect().",
    "read": "Read the entries from it first, as pandas.read_csv does.",
    "values": "Pass its values in order, list({0}.values()).",
    "issubset": "It has no order and contains each value once: pass a list with one entry per case.",
    "__iter__": "Pass list({0}).",
}


def as_vector(name: str, values: ArrayLike) -> NDArray[np.generic]:
    """A non-empty one-dimensional array; a table of a single column is accepted."""
    array = as_array(name, values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        way = _one_column(name, array, column_names(values)) if array.ndim == 2 and array.shape[1] else ""
        came = f"an array of shape {array.shape}" if array.ndim else _as_single(array.item())
        raise ValueError(f"{name} must be one-dimensional, with one entry per case, got {came}.{way}")
    if array.size == 0:
        raise ValueError(f"{name} must contain at least one case, got an empty array.")
    if array.dtype.kind == "O":
        kinds = dict.fromkeys(map(type, array.tolist()))
        wrong = next((kind for kind in kinds if kind.__hash__ is None), None)
        if wrong is not None:
            raise TypeError(f"{name} must contain a number or a label for each case, got {wrong.__name__} values.")
    return array


def _one_column(name: str, table: NDArray[np.generic], names: list[Label] | None) -> str:
    """The end of a message: what a table of several columns may be, and how to get one column from it."""
    if name in NAMED_BY_SEVERAL or table.dtype.kind not in "biuf":
        return f" To combine several columns into one label: ['/'.join(map(str, row)) for row in np.asarray({name})]."
    if name == "sample_weight":
        return " Pass one column of weights."
    one = f"one column, such as {name}[{':, k' if names is None else repr(names[-1])}]"
    if not name.startswith("y_"):
        return f" Pass {one}."
    one += f" for {'class k' if names is None else 'that class'}"
    place = f"np.argmax(np.asarray({name}), axis=1), the position of the"
    if is_one_hot(table):
        return f" It looks one-hot: pass {place} class of each case, or {one}."
    if name.startswith("y_pred"):
        return f" Of probabilities pass {place} most probable class, or {one} against the rest with thresholds=."
    of_labels = f" For predicted labels pass {place} most probable class." * name.startswith("y_scores[")
    return f" Pass {one} against the rest.{of_labels}"


def is_one_hot(table: NDArray[np.generic]) -> bool:
    return table.dtype.kind in "biuf" and bool(((table == 1).sum(axis=1) == 1).all() and np.isin(table, (0, 1)).all())


def _as_single(value: object) -> str:
    if value is None or isinstance(value, str | bytes | Number | type):
        return f"{value!r:.60}"
    return f"a single {type(value).__name__}"


def as_array(name: str, values: ArrayLike) -> NDArray[np.generic]:
    """An array; raises if it would be ragged, ignore a mask or change listed entries."""
    listed = values if isinstance(values, Sequence) and not hasattr(values, "__array__") else None
    # numpy also treats pandas' arrays with missing entries as masked ones, which are converted with NA in their place
    hidden = isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values)
    if hidden or any(isinstance(value, np.ma.MaskedArray) for value in listed or ()):
        raise ValueError(f"{name} must not have masked entries.")
    try:
        array = np.asarray(values)
        array = array if listed is None else _as_listed(listed, array)
    except ValueError:
        raise ValueError(f"{name} must not contain sequences of different lengths.") from None
    except Exception as error:
        # The package of the values converts them, with errors of any type.
        raise TypeError(f"{name} must be an array of numbers or labels: {error}. Or pass list({name}).") from None
    if array.dtype.kind == "O" and not array.ndim:
        _refuse_collection(name, array.item())
    return array


def _refuse_collection(name: str, values: object) -> None:
    """Raise for collections that numpy takes for a single entry: sets, iterators, sparse matrices and others."""
    way = next((way for attribute, way in WAYS_IN.items() if hasattr(values, attribute)), None)
    if way is not None:
        kind = type(values).__name__
        article = "an" if kind[0].lower() in "aeiou" else "a"
        raise TypeError(f"{name} must be an array or a list, got {article} {kind}. {way.format(name)}")


def _as_listed(values: object, array: NDArray[np.generic]) -> NDArray[np.generic]:
    """The original entries as objects where numpy has changed them: numbers to texts, or whole numbers to floats."""
    # Beside a fraction numpy makes floats of whole numbers: neighbouring ids beyond 2**53 would become one.
    if array.dtype.kind == "f" and (np.abs(array) >= LARGEST_EXACT).any():
        return np.asarray(values, dtype=object)
    if array.dtype.kind in "US":
        kind, objects = (str if array.dtype.kind == "U" else bytes), np.asarray(values, dtype=object)
        return array if all(isinstance(value, kind) for value in objects.flat) else objects
    return array


def missing_entries(array: NDArray[np.generic]) -> Booleans:
    """Which entries are missing: None, NaN of any numeric type, NaT, pandas.NA."""
    return np.asarray(np.isnat(array)) if array.dtype.kind in "mM" else entries_that(array, np.isnan, is_missing)


def entries_that(array: NDArray[np.generic], of_floats: np.ufunc, of_each: Callable[[object], bool]) -> Booleans:
    """Which entries are missing, or infinite: ``of_floats`` tests arrays of floats, ``of_each`` other entries."""
    if array.dtype.kind in "fc":
        return np.asarray(of_floats(array))
    # Comparing each value with itself is slow: columns of types that are never missing or infinite are spared it.
    if array.dtype.kind not in "OT" or set(map(type, entries := array.ravel().tolist())) <= NEVER_MISSING:
        return np.zeros(array.shape, dtype=bool)
    return np.array([of_each(value) for value in entries], dtype=bool).reshape(array.shape)


def is_missing(value: object) -> bool:
    """Whether a value is missing: it is not equal to itself, or (pandas.NA, a signalling NaN) cannot be compared."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ArithmeticError):
        return True


def is_infinite(value: object) -> bool:
    """Whether a value is infinite, compared without rounding: a whole number beyond all floats is finite."""
    return isinstance(value, Number) and abs(value) == math.inf  # type: ignore[arg-type]


def are_booleans(array: NDArray[np.generic]) -> bool:
    """Whether all entries are booleans, also in an object column that allows missing values."""
    if array.dtype.kind == "O":
        return {bool} >= {bool if isinstance(value, np.bool_) else type(value) for value in array.flat}
    return array.dtype.kind == "b"


def unboxed(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Objects that are all booleans, all whole numbers or all floats as an array of these, which functions may need."""
    if array.dtype.kind != "O":
        return array
    kinds = {np.asarray(value).dtype.kind for value in {type(value): value for value in array.flat}.values()}
    return np.array(array.tolist()) if kinds in ({"b"}, {"i"}, {"f"}) else array


def as_list(array: NDArray[np.generic]) -> list[Label]:
    """The entries as Python objects; times in nanoseconds stay times, which numpy would list as whole numbers."""
    if array.dtype.kind not in "mM":
        return array.tolist()  # type: ignore[no-any-return]
    rounded = array.astype(f"{array.dtype.kind}8[us]")
    return rounded.tolist() if (rounded == array).all() else list(array)


def as_objects(values: Iterable[object]) -> NDArray[np.object_]:
    """A vector of the values as they are: with None at the end, cut off again, numpy makes no table of tuples."""
    return np.array([*values, None], dtype=object)[:-1]


def row_names(values: object) -> NDArray[np.generic] | None:
    """The index of a pandas object; None if there is none, as for an array or a Polars table."""
    index = getattr(values, "index", None)
    # The index of a list is a method, and no labels of rows.
    return np.asarray(index) if hasattr(index, "equals") else None


def column_names(values: object) -> list[Any] | None:
    """The names of the columns of a table; None if it is no table."""
    # Asked first, for pyarrow: there ``columns`` are the data.
    names = getattr(values, "column_names", None)
    names = getattr(values, "columns", None) if names is None else names
    return None if names is None or callable(names) else list(names)


class NamedColumns(np.ndarray[Any, Any]):
    """A table whose columns have names, as those of data frames have."""

    columns: Sequence[Label]

    @classmethod
    def of(cls, table: NDArray[np.generic], names: Sequence[Label]) -> NamedColumns:
        named = table.view(cls)
        named.columns = names
        return named


def table_columns(table: Any) -> dict[Any, ArrayLike]:
    """The columns of a table by name, with the types that they have there, or those of an array by number."""
    names = column_names(table)
    return dict(enumerate(np.asarray(table).T)) if names is None else {name: table[name] for name in names}


def told_order(values: Any) -> list[Label] | None:
    """The categories of a column whose type says their order: ordered ones of pandas or pyarrow, an Enum of Polars."""
    # Asking a lazy table would compute it.
    names = None if hasattr(values, "collect") else column_names(values)
    column = values if names is None or len(names) != 1 else values[names[0]]
    dtype = getattr(column, "dtype", None)
    if hasattr(dtype, "pyarrow_dtype"):
        column = column.array.__arrow_array__()
    if getattr(getattr(column, "type", None), "ordered", False):
        column = column.unify_dictionaries().chunk(0) if hasattr(column, "chunk") else column
        return list(column.dictionary.to_pylist())
    if getattr(dtype, "ordered", False) or type(dtype).__name__ == "Enum":
        return as_list(np.asarray(dtype.categories))  # type: ignore[union-attr]
    return None


def as_numbers(name: str, array: NDArray[np.generic]) -> Floats:
    """Real numbers as float64; raises if different numbers would be rounded to the same one, or whole ones changed."""
    # Integers and long doubles may have more digits than float64: check that the conversion changes none.
    if array.dtype.kind in "iu" or array.dtype == np.longdouble:
        with np.errstate(over="ignore"):
            numbers = array.astype(np.float64)
        doubtful = np.abs(numbers) >= LARGEST_EXACT if array.dtype.kind in "iu" else np.isfinite(array)
        _check_exact(name, array[doubtful].tolist())
        return numbers
    if array.dtype.kind == "O":
        return _from_objects(name, array)
    try:
        return array.astype(np.float64, casting="safe", copy=False)
    except TypeError:
        raise _no_numbers(name, array) from None


def as_scores(name: str, array: NDArray[np.generic]) -> Scores:
    """Real numbers to be compared with thresholds; a precision below float64 is kept."""
    # As float64 a float32 score of .7 would be .699999988, and below a threshold of .7.
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    return as_numbers(name, array)


def in_precision_of(scores: Scores, thresholds: NDArray[np.generic]) -> Scores:
    """Thresholds in the precision of scores, as NumPy 2 compares: a float32 score of .7 is at or above .7."""
    with np.errstate(over="ignore"):  # a threshold beyond float32 becomes infinite
        return np.asarray(thresholds).astype(scores.dtype, copy=False)


def reached(scores: Scores, thresholds: NDArray[np.generic]) -> NDArray[np.bool_]:
    return np.asarray(scores >= in_precision_of(scores, thresholds))


def _from_objects(name: str, array: NDArray[np.generic]) -> Floats:
    """Numbers of Python's types (int, Decimal, Fraction, float); texts, even of digits, are errors."""
    # Before the conversion, in which numpy would read "1.5" as a number.
    if any(isinstance(value, str | bytes) for value in array.flat):
        raise _no_numbers(name, array)
    try:
        numbers = np.where(missing_entries(array), np.nan, array).astype(np.float64)
    except OverflowError:
        raise ValueError(f"{name} must contain numbers that float64 can represent, got some beyond 1.8e308.") from None
    except (TypeError, ValueError):
        raise _no_numbers(name, array) from None
    _check_exact(name, [value for value in array.flat if isinstance(value, int)])
    # Fractions and decimals may round to the same float: scores would tie that do not.
    given = [value for value in array.flat if isinstance(value, Number)]
    if len(set(given)) > len(set(map(float, given))):
        raise ValueError(f"{name} must contain numbers that float64 can distinguish, got some that would become equal.")
    return numbers


def _check_exact(name: str, given: Iterable[float]) -> None:
    """Raise if conversion changes numbers: Python compares numbers of different types without rounding."""
    lost = [value for value in given if math.isfinite(value) and float(value) != value]
    if lost:
        raise ValueError(f"{name} must contain numbers that float64 can represent, got {lost[0]!r}: round them.")


def _no_numbers(name: str, array: NDArray[np.generic]) -> TypeError:
    others = (type(value).__name__ for value in array.flat if not isinstance(value, Number))
    kind = next(others, "object") if array.dtype.kind == "O" else array.dtype
    # A scorer of scores may receive texts from a search that passes labels.
    texts = array.dtype.kind in "US" or any(isinstance(value, str) for value in array.flat[:1])
    hint = ", which are labels or names, but numbers are needed" if texts else ""
    return TypeError(f"{name} must contain real numbers, got {kind} values{hint}.")


def take_rows(values: Any, rows: NDArray[np.generic]) -> Any:
    if hasattr(values, "iloc"):
        return values.iloc[rows]
    if hasattr(values, "column_names"):
        return values.take(rows)  # for pyarrow, where brackets select columns
    return values[rows] if hasattr(values, "shape") else [values[row] for row in rows]
