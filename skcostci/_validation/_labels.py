"""Labels of classes and of groups: checked, then coded as positions among distinct names, mostly without a sort.

``labels[i] == names[places[i]]``. The place of a whole number, where these are close together, is its difference from
the least of them. Texts and objects of one type are looked up in a dictionary. All other labels, such as fractions and
labels of several types, are sorted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import (
    Booleans,
    Floats,
    Integers,
    Weights,
    as_list,
    as_objects,
    as_vector,
    entries_that,
    is_infinite,
    is_missing,
    missing_entries,
    told_order,
)
from skcostci._options import Label

Labels = Sequence[Any] | NDArray[np.generic]

MOST_CLASSES = 1_000
MOST_CELLS = 2**24 + 1  # cells of a table: 128 MiB, and its law takes several times as much
MANY_CLASSES = 10  # if there are more, and another column has only two values, labels may be scores
SCORES = "These look like scores or probabilities, but labels are needed: compare them with a threshold (thresholds=)."
ONE_KIND = {str, bytes, int}  # types whose values are equal if and only if they are the same label


NUMBER = r"(?:^-)?\d+(?:\.\d+)?"  # in texts; a minus elsewhere is a dash
BY_LABELS = "pass labels, from the lowest to the highest, or"
BY_A_JUDGE = " If a judge labelled every row, pass its labels as proxy=, where that is accepted."


def check_label_column(name: str, values: ArrayLike) -> NDArray[np.generic]:
    """A vector of labels, names or ids of any types as given, one per case, none of them missing or infinite."""
    labels = as_vector(name, values)
    check_present(name, labels)
    return as_objects(as_list(labels)) if labels.dtype.kind in "mM" else labels


def check_present(name: str, array: NDArray[np.generic], wanted: str = "labels") -> None:
    """Check that no entry is missing or infinite, as infinity equals itself but names no class."""
    missing = missing_entries(array)
    wrong = missing if missing.any() else entries_that(array, np.isinf, is_infinite)
    if not wrong.any():
        return
    value, place = as_list(array[wrong][:1])[0], np.argwhere(wrong)[0].tolist()
    at = f"at position {place[0] if len(place) == 1 else place}"
    if not missing.any():
        raise ValueError(f"{name} must contain {wanted}, got the infinite {value} {at}: leave it out.")
    found = f"got {missing.sum()} among {array.size}, the first ({value!r}) {at}"
    way = BY_A_JUDGE * (name == "y_true")
    raise ValueError(f"{name} must not contain NaN, None or another missing value, {found}: leave it out.{way}")


def check_names(name: str, values: ArrayLike) -> tuple[list[Label], Integers]:
    """The distinct names in a column, and the position of each case's name among them.

    Names are sorted; names of several types, which have no order, are in order of first appearance.
    """
    column = check_label_column(name, values)
    if (coded := code_labels(column)) is not None:
        return as_list(coded.names), coded.places.astype(np.int64)
    numbers = number_labels(column)
    return as_list(column[first_rows(numbers)]), numbers


def number_groups(members: NDArray[np.generic], weights: Weights | None) -> Integers | None:
    """The groups as whole numbers from 0 on; None if each group is a single case."""
    numbers = number_labels(members)
    # Importance weights are no numbers of cases: a row is one case.
    counted = weights is not None and weights.dtype.kind != "f"
    sizes = np.bincount(numbers, weights if counted else None)
    if len(sizes) == 1:
        raise ValueError(f"groups must contain at least two groups of cases, got only one: {members.tolist()[0]!r}.")
    return None if sizes.max() == 1 else numbers


def has_label(column: NDArray[np.generic], label: object) -> Booleans:
    """Which entries equal this label, as one object: numpy would expand a tuple, and be slow for other objects."""
    if column.dtype.kind == "O":
        given, label = label, np.empty((), dtype=object)
        label[()] = given
    return np.asarray(column == label, dtype=bool)


def is_positive(name: str, column: NDArray[np.generic], labels: tuple[Label, Label]) -> Floats:
    negative, positive = (has_label(column, label) for label in labels)
    if not (negative | positive).all():
        wrong, scores = column[np.argmin(negative | positive) :][:1].tolist()[0], has_fractions(column)
        way = f" {SCORES}" * scores
        raise ValueError(f"{name} must have only {labels[0]!r} and {labels[1]!r}, got {wrong!r}.{way}")
    return positive.astype(np.float64)


def has_fractions(column: NDArray[np.generic]) -> bool:
    """Whether there are numbers that are not whole, as scores and probabilities usually are and labels rarely."""
    return column.dtype.kind == "f" and bool((column != np.floor(column)).any())


def number_labels(labels: NDArray[np.generic]) -> Integers:
    """The position of each label among the distinct labels, which are sorted if they can be."""
    if (coded := code_labels(labels)) is not None:
        return coded.places.astype(np.int64)
    try:
        return np.asarray(np.unique(labels, return_inverse=True)[1].ravel(), dtype=np.int64)
    except (TypeError, ValueError):
        # Labels of several types have no order.
        known: dict[Label, int] = {}
        return np.array([known.setdefault(label, len(known)) for label in labels.tolist()], dtype=np.int64)


def check_labels(
    labels: NDArray[np.generic],
    pos_label: Label | None,
    why_so_many: Callable[[list[Label]], str],
    *,
    predicted: Mapping[str, NDArray[np.generic]],
    both_classes: bool = True,
    either: bool = False,
) -> tuple[Label, Label]:
    """The negative label (None if unknown) and the positive one, by scikit-learn's rule for ``pos_label``.

    If one class may be missing (not ``both_classes``), ``predicted`` labels may contain its name. With ``either`` any
    class may be called positive, as the statistic does not depend on it.
    """
    classes = as_list(unique_labels("y_true", labels))
    if len(classes) == 1:
        if both_classes:
            raise ValueError(f"y_true must contain both classes, got only one: {classes[0]!r}.")
        classes = sorted_labels({"y_true": labels, **predicted})
        if len(classes) > 2:
            both = " and ".join(["y_true", *predicted])
            raise ValueError(f"{both} must contain two labels, got {shown_labels(classes)}.")
    if len(classes) > 2:
        raise ValueError(
            f"y_true must be binary: multiclass format is not supported, got {len(classes)} classes "
            f"({shown_labels(classes)[1:-1]}). {why_so_many(classes)}"
        )
    pos_label = _positive_label(classes, pos_label, either)
    others = [label for label in classes if label != pos_label]
    return others[0] if others else 0 if pos_label == 1 else None, pos_label


def _positive_label(classes: list[Label], pos_label: Label | None, either: bool) -> Label:
    """The given label (it need not occur if there is one class), or the positive label by convention."""
    if type(pos_label).__hash__ is None:
        raise TypeError(f"pos_label must be one label, one of {classes}, got {type(pos_label).__name__} values.")
    if isinstance(pos_label, np.datetime64) or (type(pos_label) is date and pos_label not in classes):
        # Days in a column of times, as in Polars, are midnights.
        pos_label = as_list(np.array([pos_label], dtype=np.datetime64))[0]
    if pos_label is None:
        conventional = set(classes) <= {0, 1} or set(classes) <= {-1, 1}
        if not conventional and not either:
            raise ValueError(
                f"y_true takes value in {{{', '.join(map(repr, classes))}}} and pos_label is not specified: either "
                "make y_true take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
            )
        pos_label = 1 if conventional else classes[-1]
    if is_missing(pos_label) or is_infinite(pos_label) or (pos_label not in classes and len(classes) == 2):
        raise ValueError(f"pos_label={pos_label!r} is not a valid label. It must be one of {classes}.")
    return pos_label


def check_outcomes(labels: NDArray[np.generic], pos_label: Label | None) -> tuple[Booleans, tuple[Label, Label]]:
    """Which cases are positive, and the negative and the positive label; all cases may be of one class."""
    wanted = "Losses of several classes need a column of probabilities for each class."
    both = check_labels(labels, pos_label, lambda _: wanted, predicted={}, both_classes=False)
    return np.asarray(labels == both[1], dtype=bool), both


def seem_swapped(labels: NDArray[np.generic], n_classes: int, beside: Mapping[str, NDArray[np.generic]]) -> str | None:
    """The first column with at most two values, if the labels look like scores; else None."""
    if not has_fractions(labels) and n_classes <= MANY_CLASSES:
        return None
    return next((name for name, column in beside.items() if len(unique_labels(name, column)) <= 2), None)


def why_so_many(
    labels: NDArray[np.generic], classes: list[Label], columns: Mapping[str, NDArray[np.generic]], predicted: bool
) -> str:
    if swapped := seem_swapped(labels, len(classes), columns):
        return f"{swapped} contains no more than two values: are y_true and {swapped} swapped?"
    if has_fractions(labels):
        return SCORES
    same = f" == {classes[0]!r}"
    of_class = " and ".join(name + same for name in columns) if predicted else "the scores for that class"
    return f"For one class against the rest, pass y_true{same} and {of_class}."


def check_no_scores(columns: Mapping[str, NDArray[np.generic]]) -> None:
    """Check that predictions are not scores, each of which would be its own class."""
    predicted = dict(columns)
    truth = predicted.pop("y_true")
    if has_fractions(truth):
        classes = len(np.unique(truth))
        if classes > MANY_CLASSES and (swapped := seem_swapped(truth, classes, predicted)):
            raise ValueError(f"y_true must contain class labels, got {truth[0]}: are y_true and {swapped} swapped?")
        return
    for name, column in predicted.items():
        if has_fractions(column):
            some = column[column != np.floor(column)][0]
            raise ValueError(f"{name} must contain class labels, got numbers such as {some}. {SCORES}")


def check_number_of_classes(labels: Labels, n_models: int = 1) -> None:
    """Check that a table of true and predicted classes by all models, a power of their number, is not too large."""
    most = min(MOST_CLASSES, int(MOST_CELLS ** (1 / (1 + n_models))))
    if len(labels) > most:
        raise ValueError(f"y_true and labels must contain at most {most:,} classes, got {len(labels):,}.")


def check_label_list(labels: ArrayLike) -> list[Label]:
    given = as_vector("labels", labels)
    check_number_of_classes(given)  # before they are converted to a list
    known = as_list(check_label_column("labels", given))
    if len(set(known)) < len(known):
        raise ValueError(f"labels must be distinct, got {shown_labels(known)}.")
    return known


def sorted_labels(columns: Mapping[str, Labels], order: Sequence[Label] = ()) -> list[Label]:
    """All labels that occur in columns or lists, those of the ``order`` in that order, then others, sorted."""
    found: set[Any] = set()
    for name, labels in columns.items():
        found.update(unique_labels(name, labels).tolist() if isinstance(labels, np.ndarray) else labels)
    first = [label for label in order if label in found]
    try:
        return [*first, *sorted(found - set(first))]
    except TypeError:
        known = shown_labels(sorted(found, key=str))
        raise TypeError(f"{' and '.join(columns)} must contain labels of one kind: {known}.") from None


def typed_labels(given: Mapping[str, ArrayLike]) -> list[Any]:
    """The categories in the order that the types of columns say, also those that do not occur; none if no type does."""
    orders = {name: order for name, values in given.items() if (order := told_order(values)) is not None}
    longest = max(orders, key=lambda name: len(orders[name]), default="")
    for name, order in orders.items():
        if order != [label for label in orders[longest] if label in order]:
            both = f"{shown_labels(orders[longest])} and {shown_labels(order)}"
            raise ValueError(f"{longest} and {name} must have categories in the same order, got {both}.")
    return orders.get(longest, [])


def has_sure_order(labels: Labels, *, of_numbers: bool) -> bool:
    """Whether the order of labels is that of their meaning: not if texts differ only in numbers that do not ascend.

    The order of texts that differ in more than numbers is accepted, unless it has to be one ``of_numbers``.
    """
    if not any(isinstance(label, str | bytes) for label in labels):
        return True
    texts = [label.decode(errors="replace") if isinstance(label, bytes) else str(label) for label in labels]
    if len({re.sub(NUMBER, "#", text) for text in texts}) > 1:  # not "2" and "10", "grade 2" and "grade 10", "1-5"
        return not of_numbers
    numbers = [[*map(float, re.findall(NUMBER, text))] for text in texts]
    return numbers == sorted(numbers)


def check_order(what: str, known: Sequence[Label], n_stated: int, way: str = BY_LABELS) -> None:
    """Raise if it is not sure in which order labels are, of which a type states the first ``n_stated``."""
    if len(known) > max(n_stated, 2) if n_stated else len(known) > 2 and not has_sure_order(known, of_numbers=True):
        raise ValueError(
            f"{what} the order of the labels, and that of {shown_labels(known[n_stated:])} is not known: {way} ordered "
            "categories of pandas or Polars (Enum)."
        )


def unique_labels(name: str, values: NDArray[np.generic]) -> NDArray[np.generic]:
    if (coded := code_labels(values)) is not None:
        return coded.names
    try:
        return np.unique(values)
    except TypeError:
        raise TypeError(f"{name} must contain labels of one kind, got some that cannot be ordered.") from None


def label_positions(name: str, values: NDArray[np.generic], known: Labels) -> Integers:
    return places_among(name, unique_labels(name, values), known)[number_labels(values)]


def places_among(name: str, distinct: NDArray[np.generic], known: Labels) -> Integers:
    """The position of each of the ``distinct`` labels of a column among the known ones, which have to include it."""
    place = {label: position for position, label in enumerate(known)}
    unknown = [label for label in distinct.tolist() if label not in place]
    if unknown:
        note = f" {SCORES}" if has_fractions(distinct) and not has_fractions(np.array(known)) else ""
        raise ValueError(f"{name} contains {unknown[0]!r}, which is not among labels={shown_labels(known)}.{note}")
    return np.array([place[label] for label in distinct.tolist()], dtype=np.int64)


def shown_labels(labels: Labels) -> str:
    return f"[{', '.join(map(repr, labels[:5]))}{', ...' if len(labels) > 5 else ''}]"


class Coded(NamedTuple):
    """Distinct labels, and the position of each case's label among them, in the smallest type that can represent it."""

    names: NDArray[np.generic]
    places: NDArray[Any]


def code_labels(labels: NDArray[np.generic]) -> Coded | None:
    if (coded := candidate_codes(labels)) is None:
        return None
    occur = np.flatnonzero(np.bincount(coded.places))
    ordered = occur[np.argsort(coded.names[occur], kind="stable")]
    if len(ordered) == len(coded.names) and (ordered[1:] > ordered[:-1]).all():
        return coded
    rank = np.zeros(len(coded.names), dtype=np.min_scalar_type(len(ordered)))
    rank[ordered] = np.arange(len(ordered))
    return Coded(coded.names[ordered], rank[coded.places])


def candidate_codes(labels: NDArray[np.generic]) -> Coded | None:
    """Names, some of which may not occur, in any order, and places; None for labels that need a sort."""
    if labels.ndim != 1 or not labels.size:
        return None
    if labels.dtype.kind in "biuf":
        return _whole_numbers(labels)
    return _of_one_type(labels) if labels.dtype.kind in "USOT" else None


def _whole_numbers(labels: NDArray[np.generic]) -> Coded | None:
    """All whole numbers from the least to the greatest label, unless they are many times as many as cases."""
    low, high = labels.min(), labels.max()
    if not np.isfinite(low) or not np.isfinite(high):  # min and max are NaN if any entry is
        return None
    least, n_names = int(low), int(high) - int(low) + 1
    # Ids that are far apart would need tables longer than their column, and int64 ends at 2**63.
    if n_names > 4 * len(labels) or max(abs(int(low)), abs(int(high))) >= 2**63:
        return None
    whole = labels.astype(np.int64) if labels.dtype.kind == "f" else labels
    if whole is not labels and not np.array_equal(whole, labels):
        return None
    names = (np.arange(n_names, dtype=np.int64) + least).astype(labels.dtype)
    # A cast that overflows wraps, and so does the subtraction below, which undoes it.
    places = whole.astype(np.min_scalar_type(n_names), copy=False)
    return Coded(names, places - places.dtype.type(least % 2 ** (8 * places.itemsize)) if least else places)


def _of_one_type(labels: NDArray[np.generic]) -> Coded | None:
    """Texts, or whole numbers as Python objects: among several types 1 and True would be one label."""
    listed = labels.tolist()
    kinds = set(map(type, listed))
    if len(kinds) > 1 or not kinds <= ONE_KIND:
        return None
    # A dictionary that numbers its new keys itself needs no Python code per label.
    known: defaultdict[Label, int] = defaultdict()
    known.default_factory = known.__len__
    places = np.fromiter(map(known.__getitem__, listed), dtype=np.int64, count=len(listed))
    names = as_objects(known)
    return Coded(names if labels.dtype.kind == "O" else names.astype(labels.dtype), places)


def distinct_rows(*columns: NDArray[np.generic]) -> tuple[Integers, Integers]:
    """The position of the first of each set of equal rows, and the number of its set for each row."""
    codes = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        for values in column.T if column.ndim > 1 else [column]:
            numbers = number_labels(values)
            # Numbered anew after each column: products of many columns would overflow.
            codes = number_labels(codes * (int(numbers.max()) + 1) + numbers)
    return first_rows(codes), codes


def first_rows(numbers: NDArray[np.generic]) -> Integers:
    first = np.zeros(int(numbers.max()) + 1, dtype=np.int64)
    # numpy keeps the last of several assignments, which in reverse is the first row.
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    return first
