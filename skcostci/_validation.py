"""The door: everything a user passes in is checked here, once, under the name the user gave it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import index
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from skcostci._arrays import Floats as Floats
from skcostci._arrays import as_array, as_numbers, as_vector

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Labels = Sequence[Any] | NDArray[Any]
Weights = Integers | Floats  # frequencies; for the losses any non-negative numbers

MOST_POINTS = 100_000  # operating conditions, rates or thresholds in one call; each has a law of its own
MOST_VALUES = 10_000_000  # that are computed one by one
MOST_CLASSES = 1_000
MOST_CASES = 4 * 10**9  # the number of pairs, twice over, has to fit 64 bits
SMALLEST_COST, LARGEST_COST = 1e-100, 1e100  # their third powers are still numbers


def check_binary_data(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    frequencies: bool = True,
    predicted: bool = False,
) -> tuple[list[Any], Booleans, dict[str, Floats], Weights | None, Integers | None]:
    """Check labels, score columns (by parameter name), weights and groups, and that they belong together.

    Weights are frequencies, whole numbers, but for the losses, where any will do. Columns of ``predicted`` labels
    become scores 0 and 1. Returns the negative and the positive label, which cases are positive, the scores, the
    weights and the numbers of the groups, without the rows of weight 0.
    """
    labels = as_vector("y_true", y_true)
    check_column = check_label_column if predicted else check_finite
    columns = {name: check_column(name, values) for name, values in scores.items()}
    weights = _check_row_weights(sample_weight, frequencies)
    members = None if groups is None else _check_groups(groups)
    check_lengths({"y_true": labels, **columns, "sample_weight": weights, "groups": members})
    if weights is not None and not weights.all():
        kept = weights > 0
        labels, weights = labels[kept], weights[kept]
        columns = {name: values[kept] for name, values in columns.items()}
        members = None if members is None else members[kept]
    negative, positive = check_labels(labels, pos_label)
    if predicted:
        columns = {name: _is_positive(name, values, (negative, positive)) for name, values in columns.items()}
    numbers = None if members is None else number_groups(members, weights)
    return [negative, positive], np.asarray(labels == positive, dtype=bool), columns, weights, numbers


def _check_groups(groups: ArrayLike) -> NDArray[Any]:
    """Labels of groups, none of them missing."""
    members = check_label_column("groups", groups)
    if members.dtype == object and any(label is None for label in members.tolist()):
        raise ValueError("groups must name a group for every case, got None.")
    return members


def number_groups(members: NDArray[Any], weights: Weights | None) -> Integers | None:
    """The groups as whole numbers from 0 on; None where each is a single case, which is no group."""
    numbers = number_labels(members)
    sizes = np.bincount(numbers, weights)
    if len(sizes) == 1:
        raise ValueError(
            f"groups must name at least two groups of cases, got only one: {members[:1].tolist()[0]!r}. From a single "
            "one nothing can be learned about how groups differ."
        )
    return None if sizes.max() == 1 else numbers


def _is_positive(name: str, column: NDArray[Any], labels: tuple[Any, Any]) -> Floats:
    """1 where a predicted label is the positive one, 0 where it is the other."""
    negative, positive = (np.asarray(column == label, dtype=bool) for label in labels)
    if not (negative | positive).all():
        wrong = column[np.argmin(negative | positive) :][:1].tolist()[0]
        raise ValueError(
            f"{name} must hold the labels {labels[0]!r} and {labels[1]!r} where no thresholds are given, got {wrong!r}."
        )
    return positive.astype(np.float64)


def number_labels(labels: NDArray[Any]) -> Integers:
    """The position of each label among the distinct ones; whole numbers close together cost no sort."""
    if labels.dtype.kind in "iu" and int(labels.max()) - int(labels.min()) < 4 * len(labels):
        places = (labels - labels.min()).astype(np.int64)
        return np.asarray((np.cumsum(np.bincount(places) > 0) - 1)[places], dtype=np.int64)
    try:
        return np.unique(labels, return_inverse=True)[1].ravel().astype(np.int64)
    except (TypeError, ValueError):  # labels of several kinds have no order
        known: dict[Any, int] = {}
        return np.array([known.setdefault(label, len(known)) for label in labels.tolist()], dtype=np.int64)


def check_labels(labels: NDArray[Any], pos_label: Any = None) -> tuple[Any, Any]:
    """The negative and the positive label, by scikit-learn's rule for ``pos_label``."""
    classes = _two_classes(labels)
    if type(pos_label).__hash__ is None:
        raise TypeError(f"pos_label must be one label, one of {classes}, got {type(pos_label).__name__} values.")
    if pos_label is None:
        if classes not in ([0, 1], [-1, 1]):
            raise ValueError(
                f"y_true takes value in {{{', '.join(map(repr, classes))}}} and pos_label is not specified: either "
                "make y_true take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
            )
        pos_label = 1
    if pos_label not in classes:
        raise ValueError(f"pos_label={pos_label!r} is not a valid label. It must be one of {classes}.")
    negative = classes[1 - classes.index(pos_label)]
    return negative, pos_label


def check_label_column(name: str, values: ArrayLike) -> NDArray[Any]:
    """A vector of labels of any kinds, none of them NaN."""
    labels = as_vector(name, values)
    try:
        missing = (labels != labels).any()
    except (TypeError, ArithmeticError):  # pandas.NA and a signalling NaN are neither equal nor unequal
        missing = True
    if missing:
        raise ValueError(f"{name} must not contain NaN.")
    return labels


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
    known = _sorted_labels(columns) if labels is None else check_label_list(labels)
    positions = {name: _positions(name, values, known) for name, values in columns.items()}
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
                f"{name} must have a column for each of the {len(known)} classes {_shown(known)}, got "
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


def check_alone(**options: Any) -> None:
    """Options that each ask for a law of its own: at most one of them is not None."""
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise ValueError(f"{' and '.join(given)} are not combined: each asks for a law of its own. Pass one of them.")


def check_fold_sampling(sampling: str) -> None:
    """Folds are as they were made."""
    check_option("sampling", sampling, ("stratified",), " With folds the class sizes of each are held fixed.")


def check_cost_matrix(cost_matrix: ArrayLike, labels: Labels) -> Floats:
    """A finite square matrix with a row for each true label and a column for each predicted one."""
    given, k = as_array("cost_matrix", cost_matrix), len(labels)
    if given.shape != (k, k):
        raise ValueError(
            f"cost_matrix must have a row and a column for each of the {k} classes {_shown(labels)}, got shape "
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


def check_finite(name: str, values: ArrayLike) -> Floats:
    """A vector of finite numbers, as float64."""
    vector = as_numbers(name, as_vector(name, values))
    finite = np.isfinite(vector)
    if not finite.all():
        first = int(np.argmin(finite))
        raise ValueError(
            f"{name} must be finite, got {int((~finite).sum())} NaN or infinite value(s), the first "
            f"({vector[first]}) at position {first}."
        )
    return vector


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


def check_unit_interval(name: str, values: ArrayLike, *, most: int = MOST_VALUES) -> Floats:
    """Numbers in [0, 1], of any shape."""
    array = _check_numbers(name, values, most)
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ValueError(f"{name} must lie in [0, 1], got {array[outside].flat[0]}.")
    return array


def _check_numbers(name: str, values: ArrayLike, most: int) -> Floats:
    """Numbers of any shape, counted before they are copied."""
    array = as_array(name, values)
    if array.size > most:
        raise ValueError(f"{name} must hold at most {most:,} values, got {array.size:,}.")
    return as_numbers(name, array)


def check_share(name: str, value: Any) -> float:
    """A single number in [0, 1]."""
    if shape := as_array(name, value).shape:
        raise TypeError(f"{name} must be a single number in [0, 1], got an array of shape {shape}.")
    return float(check_unit_interval(name, value))


def check_prior(prior: Any) -> None:
    """A distribution whose values lie in [0, 1], or None for the uniform one."""
    if prior is None:
        return
    wanted = "prior must be None or a frozen scipy.stats distribution on [0, 1]"
    if not all(hasattr(prior, name) for name in ("cdf", "ppf", "stats", "support")):
        raise TypeError(f"{wanted}, got {prior!r}.")
    try:
        with np.errstate(all="ignore"):
            low, high = prior.support()
            below = [np.nan] if np.ndim(low) or np.ndim(high) else prior.cdf([0.0, 0.5, 1.0])
    except TypeError:  # parameters that it still needs
        raise TypeError(f"{wanted}, got one without its parameters.") from None
    if np.ndim(low) or np.ndim(high):
        raise TypeError(f"prior must be one distribution, got {np.size(low)} of them.")
    if np.isnan([low, high, *below]).any():
        raise ValueError(
            "prior must have probabilities that are numbers, got one without: a parameter is not in its range, such as "
            "a scale of 0 or of infinity."
        )
    if not (low >= -1e-12 and high <= 1 + 1e-12):  # loc + scale may be rounded
        raise ValueError(f"prior must lie in [0, 1], got a distribution on [{low}, {high}].")


def is_whole_number(value: Any) -> TypeGuard[int]:
    """Whether a value is an integer by type; True and False are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_grid(name: str, values: ArrayLike) -> Floats:
    """Operating conditions: numbers in [0, 1], or an integer for that many evenly spaced ones."""
    if is_whole_number(values):
        if values < 2:
            raise ValueError(
                f"{name} as an integer is a number of evenly spaced values, at least 2, got {values}. "
                f"For the single value {values} pass {float(values)}."
            )
        if values > MOST_POINTS:
            raise ValueError(f"{name} as an integer is a number of values, at most {MOST_POINTS:,}, got {values:,}.")
        return np.asarray(np.arange(values) / (values - 1))
    return check_unit_points(name, values)


def check_unit_points(name: str, values: ArrayLike) -> Floats:
    """One number in [0, 1] or a non-empty vector of them."""
    return _check_points(name, check_unit_interval(name, values, most=MOST_POINTS))


def check_threshold_points(name: str, values: ArrayLike) -> Floats:
    """One threshold or a non-empty vector of them, infinite ones allowed."""
    return _check_points(name, check_not_nan(name, values, most=MOST_POINTS))


def check_thresholds(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Thresholds, infinite ones allowed: one for each point, or a single one for all of them."""
    given = as_array(name, values).shape
    if given not in ((), shape):
        raise ValueError(f"{name} must hold one threshold per operating condition, shape {shape}, got {given}.")
    return np.array(np.broadcast_to(check_not_nan(name, values), shape))


def check_not_nan(name: str, values: ArrayLike, *, most: int = MOST_VALUES) -> Floats:
    """Numbers of any shape, infinite ones allowed."""
    array = _check_numbers(name, values, most)
    if np.isnan(array).any():
        raise ValueError(f"{name} must not be NaN.")
    return array


def check_confidence_level(confidence_level: Any) -> float:
    """A level strictly between 0 and 1."""
    try:
        level = float(confidence_level)
    except (TypeError, ValueError, OverflowError):
        level = None
    if level is None or isinstance(confidence_level, str):
        raise TypeError(f"confidence_level must be a number in (0, 1), got {confidence_level!r}.")
    if not 0 < level < 1:
        raise ValueError(f"confidence_level must lie strictly between 0 and 1, got {confidence_level!r}.")
    return level


def check_count(name: str, value: int, *, least: int, most: int | None = None) -> int:
    """A whole number in a range."""
    try:
        count = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}.") from None
    if count < least or (most is not None and count > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be a whole number, {bounds}, got {value!r}.")
    return count


def check_option(name: str, value: Any, valid: Collection[str], note: str = "") -> str:
    """One of a few names."""
    if not isinstance(value, str) or value not in valid:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, valid))}, got {value!r}.{note}")
    return value


def check_number(
    name: str, value: Any, *, least: float = -np.inf, above: float = -np.inf, below: float = np.inf
) -> float:
    """A finite number, not less than ``least``, above one bound and below another."""
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {value!r}.")
    try:
        number = float(value)
    except OverflowError:  # of a whole number
        number = np.inf
    if not (np.isfinite(number) and number >= least and above < number < below):
        ends = [f"{word} {end:g}" for word, end in (("at least", least), ("above", above), ("below", below))]
        stated = "".join(f", {end}" for end in ends if "inf" not in end)
        raise ValueError(f"{name} must be finite{stated}, got {value!r}.")
    return number


def check_between(name: str, value: Any, least: float, most: float) -> float:
    """A number in a closed range."""
    number = check_number(name, value)
    if not least <= number <= most:
        raise ValueError(f"{name} must lie in the range of the difference, [{least:g}, {most:g}], got {value!r}.")
    return float(value)


def check_positive_cost(name: str, value: float) -> float:
    """A cost or a pseudo-count: not negative, and of a size that can be computed with."""
    number = as_numbers(name, as_array(name, value))
    if number.ndim or not 0 <= number <= LARGEST_COST:
        raise ValueError(f"{name} must be a finite non-negative number, at most {LARGEST_COST:g}, got {value!r}.")
    return float(number)


def _check_points(name: str, array: Floats) -> Floats:
    """A number or a non-empty vector."""
    if array.ndim > 1 or array.size == 0:
        raise ValueError(f"{name} must be a number or a non-empty vector of numbers, got shape {array.shape}.")
    return array


def _is_numeric(labels: NDArray[Any]) -> bool:
    return labels.dtype.kind in "biuf"


def _two_classes(labels: NDArray[Any]) -> list[Any]:
    """The two distinct labels in order; numbers cost two passes and no sort."""
    if _is_numeric(labels):
        extremes = [labels.min().item(), labels.max().item()]
        if extremes[0] < extremes[1] and np.all((labels == extremes[0]) | (labels == extremes[1])):
            return extremes
    classes = _distinct("y_true", labels)
    if len(classes) == 1:
        raise ValueError(f"y_true must hold both classes, got only one: {classes[0]!r}.")
    if len(classes) > 2:
        shown = ", ".join(map(repr, classes[:5])) + (", ..." if len(classes) > 5 else "")
        raise ValueError(
            f"y_true must be binary: multiclass format is not supported, got {len(classes)} classes ({shown}). For one "
            f"class against the rest pass y_true == {classes[0]!r} and the scores for that class; the AUC of all "
            "classes is bootstrap_auc's with multi_class='ovr' or 'ovo'."
        )
    return classes


def check_number_of_classes(labels: Labels) -> None:
    """Few enough for a table of what is taken for what."""
    if len(labels) > MOST_CLASSES:
        raise ValueError(f"y_true and labels must name at most {MOST_CLASSES:,} classes, got {len(labels):,}.")


def check_label_list(labels: ArrayLike) -> list[Any]:
    """The labels a user lists, in that order."""
    known: list[Any] = as_vector("labels", labels).tolist()
    if len(set(known)) < len(known):
        raise ValueError(f"labels must be distinct, got {_shown(known)}.")
    return known


def _sorted_labels(columns: Mapping[str, NDArray[Any]]) -> list[Any]:
    """All labels that occur, in order."""
    found: set[Any] = set()
    for name, values in columns.items():
        found |= set(_distinct(name, values))
    try:
        return sorted(found)
    except TypeError:
        raise TypeError(
            f"{' and '.join(columns)} must hold labels of one kind, got a mix of kinds that cannot be ordered."
        ) from None


def _distinct(name: str, values: NDArray[Any]) -> list[Any]:
    """The distinct labels of a column."""
    labels: list[Any] = unique_labels(name, values).tolist()
    if any(label != label for label in labels):
        raise ValueError(f"{name} must not contain NaN.")
    return labels


def unique_labels(name: str, values: NDArray[Any]) -> NDArray[Any]:
    """The distinct labels of a column in order, which those of several kinds do not have."""
    try:
        return np.unique(values)
    except ArithmeticError:  # of decimals that are no numbers
        raise ValueError(f"{name} must not contain NaN.") from None
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must hold labels of one kind, none of them missing, got some that cannot be ordered."
        ) from None


def _positions(name: str, values: NDArray[Any], known: list[Any]) -> Integers:
    """Where each value stands among the known labels."""
    distinct = unique_labels(name, values)
    codes = np.searchsorted(distinct, values)
    place = {label: position for position, label in enumerate(known)}
    unknown = [label for label in distinct.tolist() if label not in place]
    if unknown:
        raise ValueError(f"{name} holds {unknown[0]!r}, which is not among labels={known}.")
    return np.array([place[label] for label in distinct.tolist()], dtype=np.int64)[codes]


def _shown(labels: Labels) -> str:
    return f"[{', '.join(map(repr, labels[:5]))}{', ...' if len(labels) > 5 else ''}]"
