"""Labels, scores, weights and groups of the same cases, checked together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple, TypedDict, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Entry, Floats, Integers, Weights, are_booleans, as_objects, as_vector, row_names
from skcostci._frozen import Comparable
from skcostci._options import Label, WeightType
from skcostci._validation._arguments import MOST_CASES, check_finite, check_lengths, check_option, refuse_beside
from skcostci._validation._labels import check_label_column, check_names, distinct_rows, number_groups, number_labels
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._warnings import warn_caller

MOST_FOLDS = 1_000  # each fold has its own law
SUMS = "Count the cases with aggregate_scores(..., weight_type='importance'), which adds up squared weights too."
IMPORTANT = "For survey weights or inverse-probability weights, pass weight_type='importance' (not with time)."
MANY_SHARED = 20  # scores in both classes: that no pair of 20 with equal scores is in one class has probability 1e-6
NEARLY_EQUAL = 0.05  # square of the largest relative deviation of importance weights that are nearly equal
MOST_OF_ONE = 0.5  # share of all weight above which one case or group causes a warning
MOST_LEVELS = 1_000
FEW = "crossed= has two levels, {0!r} and {1!r}: 95 % intervals covered the true value in 64 to 89 % of samples."
BESIDE_CROSSED = {
    "folds": "levels of crossed= are treated as a random sample, but folds are fixed",
    "sample_weight": "a row is one case of its group at its level; repeat rows that occur several times",
}


class UnitOptions(TypedDict, total=False):
    """Options that describe the rows of one sample, handed on together by name."""

    sample_weight: ArrayLike | None
    weight_type: WeightType
    groups: ArrayLike | None


class GivenRows(UnitOptions, total=False):
    """The options of :meth:`Rows.given`."""

    folds: ArrayLike | None
    crossed: ArrayLike | None
    frequencies: bool


class SampleOptions(UnitOptions, total=False):
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
        For censored data, when the event was observed (``y_true`` 1), or a competing one such as another cause of
        death (2), or the case censored (0); or ``y_true`` is scikit-survival's array of both. Only with
        ``sample_weight`` or ``groups``. See :doc:`/user_guide/survival`.
    """

    pos_label: Label | None
    folds: ArrayLike | None
    crossed: ArrayLike | None
    proxy: ArrayLike | None
    checked: ArrayLike | None
    time: ArrayLike | None


def row_options(sample: SampleOptions) -> GivenRows:
    known = {"weight_type": "counts", **sample}
    return cast("GivenRows", {name: known.get(name) for name in GivenRows.__annotations__ if name != "frequencies"})


@dataclass(frozen=True, eq=False)
class Rows(Comparable):
    """The rows that stand for cases: how many cases each is or how much it counts, and its group, fold and level.

    Whole numbers are frequencies. Importance weights are floats, 1 on average; if they are equal each row is a case, as
    without them. Groups are numbered from 0 on, nested in folds, and crossed with levels. ``kept`` are the rows as
    given that are not left out for a weight of 0, and ``proxies`` say whose labels the rows have.
    """

    weights: NDArray[Any]
    groups: Integers | None = None
    folds: Integers | None = None
    fold_names: Sequence[object] = ()
    levels: CrossedLevels | None = None
    proxies: ProxyRows | None = None
    kept: Booleans | None = None

    @classmethod
    def given(
        cls,
        given: Mapping[str, ArrayLike],
        columns: Mapping[str, NDArray[np.generic]],
        *,
        sample_weight: ArrayLike | None = None,
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
        folds: ArrayLike | None = None,
        crossed: ArrayLike | None = None,
        frequencies: bool = True,
    ) -> Rows:
        """What users say of the rows of ``columns``, which are checked already and were originally ``given``.

        Weights need not be whole numbers if they are no ``frequencies``.
        """
        check_row_order({**given, "sample_weight": sample_weight, "groups": groups, "folds": folds, "crossed": crossed})
        important = asks_for_importance(weight_type, sample_weight)
        check_weights = check_frequency_weights if frequencies and not important else check_any_weights
        weights: Any = None if sample_weight is None else check_weights(sample_weight)
        if important and sample_weight is not None:
            if are_booleans(as_vector("sample_weight", sample_weight)):
                raise ValueError("sample_weight must contain numbers with weight_type='importance', got booleans.")
            _warn_of_one("case", weights, f"at position {int(weights.argmax())}")
        members = None if groups is None else check_label_column("groups", groups)
        fold_names, parts = ([], None) if folds is None else check_names("folds", folds)
        check_lengths({**columns, "sample_weight": weights, "groups": members, "folds": parts})
        if weights is None:
            weights = np.ones(len(next(iter(columns.values()))), dtype=np.int64)
        levels = None if crossed is None else check_levels(crossed, members, folds=folds, sample_weight=sample_weight)
        if important and folds is None and crossed is None:
            _warn_of_sums(columns, weights, members)
        # A row of weight 0 is no case, but would count as a group, a fold or a distinct score.
        kept = None if weights.all() else weights > 0
        if kept is not None:
            weights, members, parts = (None if each is None else each[kept] for each in (weights, members, parts))
        if parts is not None:
            present = np.flatnonzero(np.bincount(parts)).tolist()
            if not 2 <= len(present) <= min(MOST_FOLDS, len(parts) // 2):
                wanted = f"from 2 to {MOST_FOLDS:,} folds, of two cases on average"
                raise ValueError(f"folds must contain {wanted}, got {len(present):,} folds of {len(parts):,} cases.")
            fold_names, parts = [fold_names[number] for number in present], number_labels(parts)
            if members is not None:
                check_nested(members, parts, fold_names)
        if important:
            weights = relative_weights(weights, parts)
        numbers = None if members is None else number_groups(members, weights)
        if important and members is not None and numbers is not None:
            in_groups = np.bincount(numbers, weights).astype(np.float64)
            _warn_of_one("group", in_groups, f"groups={members[numbers == in_groups.argmax()].item(0)!r}")
        return cls(weights, numbers, parts, fold_names, levels, kept=kept)

    @property
    def is_weighted(self) -> bool:
        """Whether cases are drawn one by one, with importance weights."""
        return self.groups is None and self.has_importance

    @property
    def has_importance(self) -> bool:
        """Whether weights are importance weights. A group has the weight of its cases."""
        return self.weights.dtype.kind == "f"

    @property
    def stand_alone(self) -> bool:
        """Whether cases are independent and have equal weights: no groups, no importance weights."""
        return self.groups is None and not self.has_importance

    @property
    def n_groups(self) -> int:
        return 0 if self.groups is None else int(self.groups.max()) + 1

    @property
    def effective_number(self) -> float | None:
        """With importance weights: the effective number of (equally weighted) cases."""
        return effective_number(self.weights) if self.has_importance else None

    @property
    def inequality(self) -> float:
        """From 0 for equal importance weights to 1 where the largest squared relative deviation is ``NEARLY_EQUAL``."""
        if not self.has_importance:
            return 0.0
        return float(min(np.abs(self.weights / self.weights.mean() - 1).max() ** 2 / NEARLY_EQUAL, 1.0))

    @property
    def options(self) -> GivenRows:
        if self.levels is not None:
            return {"groups": self.groups, "crossed": as_objects(self.levels.names)[self.levels.numbers]}
        kind: WeightType = "importance" if self.has_importance else "counts"
        return {"sample_weight": self.weights, "weight_type": kind, "groups": self.groups, "folds": self.folds}

    def unweighted(self) -> Rows:
        return replace(self, weights=np.ones(len(self.weights), dtype=np.int64))

    def of(self, column: NDArray[Entry]) -> NDArray[Entry]:
        """The entries of these rows in a column as given."""
        return column if self.kept is None else column[self.kept]

    def place(self, row: int) -> int:
        """The position of a row among those given."""
        return row if self.kept is None else int(np.flatnonzero(self.kept)[row])

    def take(self, rows: Booleans | Integers) -> Rows:
        folds = None if self.folds is None else number_labels(self.folds[rows])
        weights = self.weights[rows]
        if self.has_importance:
            weights = relative_weights(weights, folds)
        groups = None if self.groups is None else number_groups(self.groups[rows], weights)
        proxies = self.proxies and self.proxies._replace(kinds=self.proxies.kinds[rows])
        return Rows(weights, groups, folds, proxies=proxies)

    def check_classes(self, truth: Integers) -> None:
        if self.folds is not None:
            check_classes_of_each("fold", truth, self.folds, self.fold_names)
        if self.levels is not None:
            check_classes_of_each("level of crossed=", truth, *self.levels)


class CrossedLevels(NamedTuple):
    """The level of each row, from 0 on, and the names of the levels."""

    numbers: Integers
    names: tuple[Label, ...]

    @property
    def rows(self) -> list[Integers]:
        order = np.argsort(self.numbers, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.numbers))[:-1])


def check_levels(crossed: ArrayLike, groups: NDArray[np.generic] | None, **refused: object) -> CrossedLevels | None:
    """Levels crossed with groups, with several groups each; None for a single level, which is no factor."""
    if groups is None:
        raise ValueError("crossed= needs groups=, which says to which case, question or item each row belongs.")
    refuse_beside("crossed", refused, BESIDE_CROSSED)
    names, numbers = check_names("crossed", crossed)
    check_lengths({"crossed": numbers, "groups": groups})
    known, units = tuple(names), number_labels(groups)
    n_levels, n_units = len(known), int(units.max()) + 1
    if n_levels == 1:
        warn_caller(f"crossed= has one level, {known[0]!r}: the result is that of groups= alone.", UserWarning)
        return None
    if n_levels > min(n_units, MOST_LEVELS):
        most = f"at most {MOST_LEVELS:,} levels, and no more than groups"
        raise ValueError(f"crossed= must have {most}, got {n_levels:,} and {n_units:,} groups: are they swapped?")
    pairs = np.bincount(numbers * n_units + units, minlength=n_levels * n_units).reshape(n_levels, n_units) > 0
    if pairs.sum() == n_units:
        raise ValueError("crossed= must be crossed with groups=, but each group has one level: pass it as groups=.")
    if (met := pairs.sum(axis=1)).min() == 1:
        raise ValueError(f"every level of crossed= needs two groups; {known[met.argmin()]!r} has one: leave it out.")
    if n_levels == 2:
        warn_caller(FEW.format(*known), UserWarning)
    return CrossedLevels(numbers, known)


def check_classes_of_each(what: str, truth: Integers, numbers: Integers, names: Sequence[object]) -> None:
    k = max(int(truth.max()) + 1, 2)
    counts = np.bincount(k * numbers + truth, minlength=k * len(names)).reshape(-1, k)
    if (lacking := (counts == 0).any(axis=1)).any():
        place, (word, *_) = int(lacking.argmax()), what.split()
        every, has = ("both classes", "one") if k == 2 else ("every class", f"{int((counts[place] > 0).sum())} of {k}")
        raise ValueError(f"every {what} must contain {every}; {word} {names[place]!r} has {has}: leave it out.")


def asks_for_importance(weight_type: object, sample_weight: object) -> bool:
    """Whether the weights, which have to be given then, are importance weights."""
    important = check_option("weight_type", weight_type, WeightType) == "importance"
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
    if truth is None or not keys or np.ptp(weights) == 0 or any(column.ndim > 1 for column in (truth, *keys)):
        return
    classes, (_, codes) = number_labels(truth), distinct_rows(*keys)
    in_both = int((np.bincount(codes) == 2).sum())
    alike = len(np.unique(2 * codes + classes)) < len(codes)
    if classes.max() == 1 and in_both >= MANY_SHARED and not alike:
        warn_caller(f"sample_weight may contain sums: {in_both:,} scores are in both classes. {SUMS}", UserWarning)


def _warn_of_one(unit: str, weights: Weights, which: str) -> None:
    largest = float(weights.max() / weights.sum())
    if largest > MOST_OF_ONE:
        warn_caller(f"One {unit} has {largest:.0%} of all sample_weight, {which}: results rest on it.", UserWarning)


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


def check_nested(groups: NDArray[np.generic], folds: Integers, names: Sequence[object]) -> None:
    """Check that each group is in one fold, and that each fold has several groups, which are drawn there."""
    numbers = number_labels(groups)
    fold = np.zeros(int(numbers.max()) + 1, dtype=np.int64)
    # The last row of a group decides its fold: if the group is in several, another row differs.
    fold[numbers] = folds
    if (wrong := fold[numbers] != folds).any():
        name = groups[wrong].item(0)
        raise ValueError(f"each group must be in one fold, as with GroupKFold; group {name!r} is in several folds.")
    sizes = np.bincount(fold)
    if sizes.min() == 1:
        lacks = f"{names[int(sizes.argmin())]!r} has one: leave folds out to evaluate all cases as one sample"
        raise ValueError(f"every fold must contain at least two groups; {lacks}.")


def check_row_order(columns: Mapping[str, object]) -> None:
    """Raise if pandas objects have the same index labels in different orders: their rows are different cases.

    With indexes that differ in more than their order, rows are matched by position, as in scikit-learn.
    """
    given = [(name, index) for name, values in columns.items() if (index := row_names(values)) is not None]
    for (a, index_a), (b, index_b) in combinations(given, 2):
        # Counting labels is slow: it comes second, as most indexes are equal.
        if not np.array_equal(index_a, index_b) and Counter(index_a.tolist()) == Counter(index_b.tolist()):
            raise ValueError(f"{a} and {b} must have the cases in the same order: pass {b}.loc[{a}.index], or arrays.")


def check_frequency_weights(sample_weight: ArrayLike) -> Integers:
    """Whole, non-negative weights: the number of cases per row."""
    given = as_vector("sample_weight", sample_weight)
    # Such a column is whole and finite already, and need not be copied as floats to be checked.
    if given.dtype.kind in "iu" and given.min() >= 0 and given.max() <= MOST_CASES:
        weights: Weights = given.astype(np.int64)
    else:
        weights = check_finite("sample_weight", sample_weight)
        if (wrong := (weights < 0) | (weights != np.floor(weights))).any():
            first = int(wrong.argmax())
            wanted = f"frequencies, whole numbers that are not negative, got {weights[first]} at position {first}"
            raise ValueError(f"sample_weight must contain {wanted}. {IMPORTANT}")
    _check_some_weight(weights)
    with np.errstate(over="ignore"):
        total = weights.sum()
    if total > MOST_CASES:
        raise ValueError(f"sample_weight must add up to at most {MOST_CASES:,} cases, got {total:,.0f}.")
    return weights.astype(np.int64, copy=False)


def check_any_weights(sample_weight: ArrayLike) -> Floats:
    """Non-negative weights of any size, scaled near 1 by a power of 2: only their ratios matter."""
    weights = check_unscaled_weights(sample_weight)
    # A power of 2 changes no digit, and keeps squares of very large and very small weights within floats.
    return np.asarray(np.ldexp(weights, -np.frexp(weights.max())[1]))


def check_unscaled_weights(sample_weight: ArrayLike) -> Floats:
    """Non-negative weights of any size, as they are: pieces of a stream are added up."""
    weights = check_finite("sample_weight", sample_weight)
    if (wrong := weights < 0).any():
        raise ValueError(f"sample_weight must not be negative, got {weights[wrong][0]} at position {wrong.argmax()}.")
    _check_some_weight(weights)
    return weights


def _check_some_weight(weights: Weights) -> None:
    if not weights.any():
        raise ValueError("sample_weight must contain at least one positive weight, got only zeros.")
