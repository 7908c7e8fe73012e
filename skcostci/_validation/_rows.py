"""Labels, scores, weights and groups of the same cases, checked together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from skcostci._arrays import (
    Booleans,
    Entry,
    Floats,
    Integers,
    Scores,
    Weights,
    are_booleans,
    as_list,
    as_vector,
    row_names,
)
from skcostci._options import WEIGHT_TYPES, Label, WeightType
from skcostci._validation._arguments import MOST_CASES, check_finite, check_option, check_scores
from skcostci._validation._labels import (
    MANY_CLASSES,
    SCORES,
    check_label_column,
    check_label_list,
    check_labels,
    check_names,
    check_number_of_classes,
    has_fractions,
    has_label,
    is_positive,
    label_positions,
    number_groups,
    number_labels,
    seem_swapped,
    sorted_labels,
    told_labels,
)
from skcostci._validation._levels import CrossedLevels, check_classes_of_levels, check_levels
from skcostci._validation._tables import check_positive_column, check_score_table, table_labels
from skcostci._warnings import warn_caller

MOST_FOLDS = 1_000  # each fold has its own law
IMPORTANT = "For survey weights or inverse-probability weights, pass weight_type='importance'."
MANY_SHARED = 20  # scores in both classes: of 20 pairs of cases that share a score none is in one class by chance 1e-6
NEARLY_EQUAL = 0.05  # square of the largest relative deviation of importance weights that are nearly equal
MOST_OF_ONE = 0.5  # share of all weight above which one case or group causes a warning


class UnitOptions(TypedDict, total=False):
    """Options that describe the rows of one sample, handed on together by name."""

    sample_weight: ArrayLike | None
    weight_type: WeightType
    groups: ArrayLike | None


class RowOptions(UnitOptions, total=False):
    """The same options for rows that may be of several folds."""

    folds: ArrayLike | None


class BinaryOptions(RowOptions, total=False):
    """The options of :func:`check_binary_data`."""

    pos_label: Label | None
    crossed: ArrayLike | None
    frequencies: bool
    predicted: bool
    hint: str
    both_classes: bool
    either: bool


class SampleOptions(RowOptions, total=False):
    """Options that describe the rows, where the kind of rows or statistic is determined later.

    Parameters
    ----------
    pos_label : int, float, bool or str
        The positive label; None is 1 where the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,)
        Frequency weights, whole numbers: how many cases each row stands for.
    weight_type : {"counts", "importance"}
        With "importance" weights are how much each case counts, any non-negative numbers such as survey weights; fewer
        interval methods are then available. See :doc:`/user_guide/weights`.
    groups : array-like of shape (n_samples,)
        Which cases belong together, such as the lesions of a patient: labels of any kind, of two groups or more. Whole
        groups are then resampled. See :doc:`/user_guide/groups`.
    folds : array-like of shape (n_samples,)
        The fold in which each case was tested. The result is then the mean over folds, about the models of these folds
        and not the one refitted on all cases. Groups may lie within folds.
    crossed : array-like of shape (n_samples,)
        Which reader, judge or seed each row is of, where each of them rates the ``groups``: the interval is then for
        other readers too. Not with ``sample_weight`` or ``folds``. See :doc:`/user_guide/readers`.
    proxy : array-like of shape (n_samples,)
        What stands in for the truth in every row, such as a judge's labels, where only rows drawn at random have the
        truth. Not with ``sample_weight``, ``folds`` or ``crossed``. See :doc:`/user_guide/language_models`.
    checked : array-like of bool of shape (n_samples,)
        With ``proxy``: the rows whose truth is known. None is those where it is not missing (NaN, None, pandas.NA).
    time : array-like of shape (n_samples,)
        For censored data, when the event was observed (``y_true`` 1) or the case censored (0); or ``y_true`` is
        scikit-survival's array of both. Only with ``sample_weight`` or ``groups``. See :doc:`/user_guide/survival`.
    """

    pos_label: Label | None
    crossed: ArrayLike | None
    proxy: ArrayLike | None
    checked: ArrayLike | None
    time: ArrayLike | None


def row_options(sample: SampleOptions) -> RowOptions:
    """The options among them that apply to all statistics."""
    return {
        "sample_weight": sample.get("sample_weight"),
        "weight_type": sample.get("weight_type", "counts"),
        "groups": sample.get("groups"),
        "folds": sample.get("folds"),
    }


class Rows(NamedTuple):
    """Which rows stand for cases, and the number of cases, group and fold of each of these."""

    kept: Booleans
    weights: NDArray[Any]
    groups: Integers | None
    folds: Integers | None
    fold_names: Sequence[object] = ()
    levels: CrossedLevels | None = None

    @property
    def is_weighted(self) -> bool:
        """Whether cases are drawn one by one, with importance weights."""
        return self.groups is None and self.has_importance

    @property
    def has_importance(self) -> bool:
        """Whether weights are importance weights: these are floats. A group has the weight of its cases."""
        return self.weights.dtype.kind == "f"

    @property
    def inequality(self) -> float:
        """0 where importance weights are equal, 1 where they are not even nearly; see :func:`inequality`."""
        return inequality(self.weights)

    def unweighted(self) -> Rows:
        """The same rows, each a case."""
        return self._replace(weights=np.ones(len(self.weights), dtype=np.int64))

    def of(self, column: NDArray[Entry]) -> NDArray[Entry]:
        """The entries of these rows."""
        return column if self.kept.all() else column[self.kept]


def check_rows(
    given: Mapping[str, ArrayLike],
    columns: Mapping[str, NDArray[np.generic]],
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    crossed: ArrayLike | None = None,
    *,
    frequencies: bool = True,
) -> Rows:
    """Frequencies, groups, folds and crossed levels of rows, with ``columns`` already checked, originally ``given``.

    Rows of frequency 0 are left out. If weights are not ``frequencies`` any weights are allowed. Importance weights are
    floats, 1 on average; if they are equal each row is a case, as without them. Groups are nested in folds, and crossed
    with levels.
    """
    check_row_order({**given, "sample_weight": sample_weight, "groups": groups, "folds": folds, "crossed": crossed})
    important = check_weight_type(weight_type, sample_weight)
    weights: Any = _check_row_weights(sample_weight, frequencies and not important)
    members = None if groups is None else check_label_column("groups", groups)
    fold_names, parts = ([], None) if folds is None else check_names("folds", folds)
    check_lengths({**columns, "sample_weight": weights, "groups": members, "folds": parts})
    if weights is None:
        weights = np.ones(len(next(iter(columns.values()))), dtype=np.int64)
    levels = None
    if crossed is not None:
        levels = check_levels(crossed, members, folds=folds, sample_weight=sample_weight)
    if important and folds is None and crossed is None:
        _warn_of_sums(columns, weights, members)
    rows = Rows(weights > 0, weights, None, None)
    if parts is not None:
        parts = rows.of(parts)
        present = check_folds(fold_names, parts)
        fold_names, parts = [fold_names[number] for number in sorted(present)], number_labels(parts)
        if members is not None:
            check_nested(rows.of(members), parts, fold_names)
    weights = relative_weights(rows.of(weights), parts) if important else rows.of(weights)
    numbers = None
    if members is not None:
        members = rows.of(members)
        numbers = number_groups(members, weights)
    if important and members is not None and numbers is not None:
        in_groups = np.bincount(numbers, weights).astype(np.float64)
        heaviest = as_list(members[numbers == in_groups.argmax()][:1])[0]
        _warn_of_one("group", in_groups, f"groups={heaviest!r}")
    return rows._replace(
        weights=weights,
        groups=numbers,
        folds=parts,
        fold_names=fold_names,
        levels=levels,
    )


def check_weight_type(weight_type: object, sample_weight: ArrayLike | None) -> bool:
    """Whether weights are importance weights; warns if one case outweighs all others."""
    if not asks_for_importance(weight_type, sample_weight) or sample_weight is None:
        return False
    if are_booleans(as_vector("sample_weight", sample_weight)):
        raise ValueError("sample_weight must contain numbers with weight_type='importance', got booleans.")
    weights = check_any_weights(sample_weight)
    _warn_of_one("case", weights, f"at position {int(weights.argmax())}")
    return True


def asks_for_importance(weight_type: object, sample_weight: object) -> bool:
    """Whether the weights, which have to be given then, are importance weights."""
    important = check_option("weight_type", weight_type, WEIGHT_TYPES) == "importance"
    if important and sample_weight is None:
        raise ValueError("weight_type='importance' describes sample_weight, which was not given.")
    return important


def _warn_of_sums(
    columns: Mapping[str, NDArray[np.generic]], weights: Weights, members: NDArray[np.generic] | None
) -> None:
    """Warn if weights may be sums over equal cases: many scores are in both classes, and none twice in one.

    Among single cases that share scores about as many pairs are in one class as in both.
    """
    truth, keys = columns.get("y_true"), [column for name, column in columns.items() if name != "y_true"]
    keys += [] if members is None else [members]
    if truth is None or np.ptp(weights) == 0 or any(column.ndim > 1 for column in (truth, *keys)):
        return
    classes = number_labels(truth)
    codes = np.zeros(len(truth), dtype=np.int64)
    for key in keys:
        codes = number_labels(codes * len(key) + number_labels(key))
    in_both = int((np.bincount(codes) == 2).sum())
    alike = len(np.unique(2 * codes + classes)) < len(codes)
    if classes.max() == 1 and in_both >= MANY_SHARED and not alike:
        warn_caller(
            f"sample_weight may contain sums over equal cases: {in_both:,} scores occur in both classes, none twice in "
            "one. Effective cases and intervals then need the sums of squared weights too: count the cases with "
            "aggregate_scores(..., sample_weight=..., weight_type='importance').",
            UserWarning,
        )


def _warn_of_one(unit: str, weights: Weights, which: str) -> None:
    """Warn if one case or group, the heaviest, has most of the weight."""
    largest = float(weights.max() / weights.sum())
    if largest > MOST_OF_ONE:
        warn_caller(
            f"One {unit} has {largest:.0%} of all sample_weight, {which}. The result depends almost only on it, "
            f"and no interval can account for how similar {unit}s would vary.",
            UserWarning,
        )


def relative_weights(weights: Weights, folds: Integers | None = None) -> Weights:
    """Importance weights as floats that are 1 on average, as their scale is arbitrary; equal weights are each 1.

    They are 1 on average in each fold: a mean over folds does not depend on the folds' total weights.
    """
    if folds is None:
        equal = np.ptp(weights) == 0
        return np.ones(len(weights), dtype=np.int64) if equal else np.asarray(weights * (len(weights) / weights.sum()))
    relative = np.empty(len(weights))
    for fold in np.unique(folds):
        own = folds == fold
        relative[own] = relative_weights(weights[own])
    return np.ones(len(weights), dtype=np.int64) if np.ptp(relative) == 0 else relative


def effective_number(sample_weight: ArrayLike) -> float:
    """The effective number of (equally weighted) cases (Kish): the square of the sum over the sum of squares."""
    weights = check_any_weights(sample_weight)
    return float(weights.sum() ** 2 / (weights @ weights))


def inequality(weights: Weights | None) -> float:
    """From 0 for equal importance weights to 1 where one is as far from the mean as ``NEARLY_EQUAL``; 0 for counts."""
    if weights is None or weights.dtype.kind != "f":
        return 0.0
    return float(min(np.abs(weights / weights.mean() - 1).max() ** 2 / NEARLY_EQUAL, 1.0))


def check_nested(groups: NDArray[np.generic], folds: Integers, names: Sequence[object]) -> None:
    """Check that each group is in one fold, and that each fold has several groups, which are drawn there."""
    numbers = number_labels(groups)
    fold = np.zeros(int(numbers.max()) + 1, dtype=np.int64)
    fold[numbers] = folds
    if (wrong := fold[numbers] != folds).any():
        name = as_list(groups[wrong][:1])[0]
        raise ValueError(f"each group must be in one fold, as with GroupKFold; group {name!r} is in several folds.")
    number_of_groups = np.bincount(fold)
    if number_of_groups.min() == 1:
        raise ValueError(
            "every fold must contain at least two groups, as groups are resampled within folds; fold "
            f"{names[int(np.argmin(number_of_groups))]!r} has one. Leave folds out to evaluate all cases as one "
            "sample."
        )


def check_folds(names: Sequence[object], numbers: Integers) -> list[int]:
    """The numbers of the folds that occur, in order of first appearance: at least two, and not one per case."""
    present = list(dict.fromkeys(numbers.tolist()))
    if len(present) == 1:
        raise ValueError(f"folds must contain at least two folds, got only {names[present[0]]!r}.")
    if len(present) > MOST_FOLDS:
        raise ValueError(f"folds must contain at most {MOST_FOLDS:,} folds, got {len(present):,}.")
    if len(present) > len(numbers) // 2:
        raise ValueError(
            f"folds must say for each case which model has scored it, got {len(present)} folds of {len(numbers)} cases."
        )
    return present


def check_binary_data(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    crossed: ArrayLike | None = None,
    frequencies: bool = True,
    predicted: bool = False,
    hint: str = "",
    both_classes: bool = True,
    either: bool = False,
) -> tuple[
    list[Label], Booleans, dict[str, Scores], Weights | None, Integers | None, Integers | None, CrossedLevels | None
]:
    """Check labels, score columns (by parameter name), weights, groups and folds, and that they belong together.

    Weights are frequencies, whole numbers, except for losses, which allow any weights. Columns of ``predicted`` labels
    become scores 0 and 1. For more than two classes a ``hint`` names alternatives. If not ``both_classes`` are needed
    all cases may be of one class; with ``either`` any class may be called positive, as the statistic does not depend on
    it. Returns the negative and the positive label, which cases are positive, the scores, the weights, the numbers of
    the groups and of the folds, and crossed levels, without the rows of weight 0.
    """
    labels = check_label_column("y_true", y_true)
    check_column = check_label_column if predicted else check_scores
    columns: dict[str, NDArray[Any]] = {name: check_column(name, values) for name, values in scores.items()}
    given = {"y_true": y_true, **scores}
    belonging = sample_weight, groups, folds, weight_type, crossed
    rows = check_rows(given, {"y_true": labels, **columns}, *belonging, frequencies=frequencies)
    labels, columns = rows.of(labels), {name: rows.of(values) for name, values in columns.items()}
    negative, positive = check_labels(
        labels,
        pos_label,
        lambda classes: _why_so_many(labels, classes, columns, predicted) + hint,
        predicted=columns if predicted else {},
        both_classes=both_classes,
        either=either,
    )
    if predicted:
        columns = {name: is_positive(name, values, (negative, positive)) for name, values in columns.items()}
    else:
        for name, values in scores.items():
            check_positive_column(name, values, (negative, positive))
    alike = sample_weight is None or (weight_type == "importance" and rows.weights.dtype.kind == "i")
    weights, truth = None if alike else rows.weights, has_label(labels, positive)
    if rows.folds is not None and both_classes:
        _check_classes_of_folds(truth.astype(np.int64), 2, rows.folds, rows.fold_names)
    if rows.levels is not None and both_classes:
        check_classes_of_levels(truth.astype(np.int64), rows.levels)
    return [negative, positive], truth, columns, weights, rows.groups, rows.folds, rows.levels


def _check_classes_of_folds(truth: Integers, n_classes: int, folds: Integers, names: Sequence[object]) -> None:
    """Check that each fold has cases of every class."""
    cells = np.bincount(folds * n_classes + truth, minlength=len(names) * n_classes).reshape(-1, n_classes)
    lacking = (cells == 0).any(axis=1)
    if lacking.any():
        fold = int(np.argmax(lacking))
        has = "one" if n_classes == 2 else f"{int((cells[fold] > 0).sum())} of {n_classes}"
        every = "both classes" if n_classes == 2 else "every class"
        raise ValueError(f"every fold must contain {every}; fold {names[fold]!r} has {has}.")


def _why_so_many(
    labels: NDArray[np.generic], classes: list[Label], columns: Mapping[str, NDArray[np.generic]], predicted: bool
) -> str:
    """A hint at what a user who passes more than two classes may have meant."""
    if swapped := seem_swapped(labels, len(classes), columns):
        return f"{swapped} contains no more than two values: are y_true and {swapped} swapped?"
    if has_fractions(labels):
        return SCORES
    of_class = (
        " and ".join(f"{name} == {classes[0]!r}" for name in columns) if predicted else "the scores for that class"
    )
    return f"For one class against the rest, pass y_true == {classes[0]!r} and {of_class}."


def check_class_data(
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    frequencies: bool = True,
) -> tuple[list[Label], Integers, dict[str, Integers], Weights | None, Integers | None, Integers | None]:
    """Check class labels, predictions (by parameter name), weights, groups and folds.

    ``labels`` None means the labels that occur, in the order that their type tells, else sorted. Labels of rows of
    frequency 0 are not counted as occurring; labels of rows of other weights 0 are. Returns the labels, the positions
    among them of the true classes and of the predicted ones, the weights and the numbers of the groups and of the
    folds, without the rows of weight 0.
    """
    given = {"y_true": y_true, **predictions}
    every = {name: check_label_column(name, values) for name, values in given.items()}
    rows = check_rows(given, every, sample_weight, groups, folds, weight_type, frequencies=frequencies)
    columns = {name: rows.of(values) for name, values in every.items()}
    seen = columns if frequencies else every
    if labels is None:
        check_no_scores(seen)
    known = sorted_labels(seen, told_labels(given)) if labels is None else check_label_list(labels)
    check_number_of_classes(known, len(predictions))
    positions = {name: label_positions(name, values, known) for name, values in columns.items()}
    weights = None if sample_weight is None else rows.weights
    return known, positions.pop("y_true"), positions, weights, rows.groups, rows.folds


def check_no_scores(columns: Mapping[str, NDArray[np.generic]]) -> None:
    """Check that predictions are not scores, each of which would be its own class."""
    truth = columns["y_true"]
    predicted = {name: column for name, column in columns.items() if name != "y_true"}
    if not has_fractions(truth):
        wrong = next((name for name, column in predicted.items() if has_fractions(column)), None)
        if wrong is not None:
            some = predicted[wrong][predicted[wrong] != np.floor(predicted[wrong])][0]
            raise ValueError(f"{wrong} must contain class labels, got numbers such as {some}. {SCORES}")
        return
    classes = len(np.unique(truth))
    if classes > MANY_CLASSES and (swapped := seem_swapped(truth, classes, predicted)):
        raise ValueError(
            f"y_true must contain class labels, got numbers such as {truth[0]}, which look like scores, while "
            f"{swapped} contains no more than two values: are y_true and {swapped} swapped?"
        )


def check_class_scores(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    weight_type: WeightType = "counts",
) -> tuple[list[Label], Integers, dict[str, Floats], Weights | None, Integers | None, Integers | None]:
    """Check labels of several classes, tables with a column of scores for each, frequencies, groups and folds.

    ``labels`` are the classes in the order of the columns; None means those that occur, in the order that their type
    tells, else sorted. Returns the labels, the
    positions of the true ones, the scores, the frequencies and the numbers of the groups and folds, without the rows of
    frequency 0.
    """
    stated = labels is not None
    labels = table_labels(y_true, scores) if labels is None else labels
    known, truth, *_ = check_class_data(y_true, {}, labels=labels)
    tables = {name: check_score_table(name, values, known, stated=stated) for name, values in scores.items()}
    given = {"y_true": y_true, **scores}
    rows = check_rows(given, {"y_true": truth, **tables}, sample_weight, groups, folds, weight_type)
    truth, tables = rows.of(truth), {name: rows.of(table) for name, table in tables.items()}
    absent = np.flatnonzero(np.bincount(truth, minlength=len(known)) == 0).tolist()
    if absent:
        raise ValueError(f"y_true must contain every class, got no case of {known[absent[0]]!r}.")
    if rows.folds is not None:
        _check_classes_of_folds(truth, len(known), rows.folds, rows.fold_names)
    return known, truth, tables, None if sample_weight is None else rows.weights, rows.groups, rows.folds


def check_row_order(columns: Mapping[str, object]) -> None:
    """Raise if pandas objects have the same index labels in different orders: their rows are different cases.

    With indexes that differ in more than their order, rows are matched by position, as in scikit-learn.
    """
    check_indexes({name: row_names(values) for name, values in columns.items()})


def check_indexes(indexes: Mapping[str, NDArray[np.generic] | None]) -> None:
    """The check of :func:`check_row_order`, on the index labels themselves."""
    given = [(name, index) for name, index in indexes.items() if index is not None]
    for (a, index_a), (b, index_b) in combinations(given, 2):
        if not np.array_equal(index_a, index_b) and _same_but_for_order(index_a, index_b):
            raise ValueError(
                f"{a} and {b} must contain the cases in the same order, got the same index labels in different "
                f"orders. Pass {b}.loc[{a}.index], or pass arrays to match the cases by position."
            )


def _same_but_for_order(a: NDArray[np.generic], b: NDArray[np.generic]) -> bool:
    if a.shape != b.shape:
        return False
    try:
        return np.array_equal(np.sort(a), np.sort(b))
    except TypeError:  # labels of several types have no order
        return Counter(a.tolist()) == Counter(b.tolist())


def check_frequency_weights(sample_weight: ArrayLike) -> Integers:
    """Whole, non-negative weights: the number of cases per row."""
    given = as_vector("sample_weight", sample_weight)
    if given.dtype.kind in "iu" and given.min() >= 0 and given.max() <= MOST_CASES:  # whole and finite already
        weights: Weights = given.astype(np.int64)
    else:
        weights = check_finite("sample_weight", sample_weight)
        _check_whole(weights)
    _check_some_weight(weights)
    with np.errstate(over="ignore"):
        total = weights.sum()
    if total > MOST_CASES:
        raise ValueError(f"sample_weight must add up to at most {MOST_CASES:,} cases, got {total:,.0f}.")
    return weights.astype(np.int64, copy=False)


def _check_whole(weights: Floats) -> None:
    wrong = (weights < 0) | (weights != np.floor(weights))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(
            "sample_weight must contain frequency weights, non-negative whole numbers (how many cases each row "
            f"stands for), got {weights[first]} at position {first}. {IMPORTANT}"
        )


def _check_row_weights(sample_weight: ArrayLike | None, frequencies: bool) -> Weights | None:
    """Frequencies, or any weights; None without weights."""
    if sample_weight is None:
        return None
    return check_frequency_weights(sample_weight) if frequencies else check_any_weights(sample_weight)


def check_any_weights(sample_weight: ArrayLike) -> Floats:
    """Non-negative weights of any size, scaled near 1 by a power of 2: only their ratios matter."""
    weights = check_unscaled_weights(sample_weight)
    return np.asarray(np.ldexp(weights, -np.frexp(weights.max())[1]))


def check_unscaled_weights(sample_weight: ArrayLike) -> Floats:
    """Non-negative weights of any size, as they are: pieces of a stream are added up."""
    weights = check_finite("sample_weight", sample_weight)
    if (wrong := weights < 0).any():
        raise ValueError(
            f"sample_weight must not be negative, got {weights[wrong][0]} at position {int(np.argmax(wrong))}."
        )
    _check_some_weight(weights)
    return weights


def _check_some_weight(weights: Weights) -> None:
    if not weights.any():
        raise ValueError("sample_weight must contain at least one positive weight, got only zeros.")


def check_lengths(arrays: Mapping[str, NDArray[np.generic] | None]) -> None:
    """Check that all arrays have one entry per case."""
    given = {name: array for name, array in arrays.items() if array is not None}
    try:
        check_consistent_length(*given.values())
    except ValueError as error:
        raise ValueError(f"{' and '.join(given)} must have the same length. {error}") from None
