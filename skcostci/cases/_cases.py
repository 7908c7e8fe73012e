"""Cases: the truth, columns of what models say of it, and what the rows stand for, checked once.

With a proxy's label for each case, such as that of a language model as a judge, and a checked label for some, n checked
cases and N others, an estimate that uses both (prediction-powered inference) combines a statistic T of three sets of
rows, which are stored one after another in one sample:

    CHECKED   T of the n checked cases, with their checked labels
    JUDGED    T of the same n cases, with the proxy's labels
    OTHER     T of the N unchecked cases, with the proxy's labels

The rows as the user gave them are CHECKED and OTHER; the n checked rows follow once more as JUDGED. ``ProxyRows`` (in
``_validation._proxy_rows``) has the set of each row, and ``statistics._proxies`` combines the three.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Floats, Integers, Scores, Weights, as_array, as_objects, as_vector, unboxed
from skcostci._frozen import Comparable, cached_property
from skcostci._options import Label
from skcostci._validation._arguments import CASES, check_finite, check_scores
from skcostci._validation._labels import (
    candidate_codes,
    check_label_column,
    check_label_list,
    check_labels,
    check_names,
    check_no_scores,
    check_number_of_classes,
    has_fractions,
    has_label,
    is_positive,
    number_labels,
    places_among,
    sorted_labels,
    typed_labels,
    why_so_many,
)
from skcostci._validation._proxy_rows import ProxyRows, check_proxies, check_proxy_labels
from skcostci._validation._rows import (
    CrossedLevels,
    GivenRows,
    Rows,
    SampleOptions,
    check_frequency_weights,
    check_row_order,
    row_options,
)
from skcostci._validation._tables import (
    check_label_tables,
    check_positive_column,
    check_risk_columns,
    check_score_table,
    outputs_by_class,
    table_labels,
)
from skcostci.cases._counts import ClassCounts, ScoreCounts
from skcostci.cases._design import Design, rows_by_fold

DRAWN_BY = {  # what determines how cases are drawn, and how
    "weight_type='importance'": "importance weights already describe how the cases were sampled",
    "folds": "the class sizes of each fold are held fixed",
    "groups": "whole groups are resampled with all their cases, so neither single cases nor classes are resampled "
    "separately",
}
Given = Mapping[str, ArrayLike]  # what users pass for columns, by name
Columns = Mapping[str, NDArray[Any]]  # the same as arrays, checked
MOST_LABELLED = 50  # distinct whole numbers beyond which they are counts or years, no classes


@dataclass(frozen=True, repr=False, eq=False)
class Cases(Comparable):
    """Checked cases, row by row, and their counts, computed once when they are first needed.

    ``columns`` contain what models say of the cases, by name: scores, or predictions. ``labels`` are the classes, if
    two the negative first. What ``truth`` has for each row depends on them:

        two classes                      whether the row is positive; predicted labels are 1.0 where positive
        any number of classes            the position of its class among the labels, as columns of predicted labels
        several labels per case          a row of a table of booleans, with a column per label
        codes of events                  the event and time of a censored case
        no labels                        what a function accepts, or 0 for values alone

    The first ``n_stated`` labels were listed by the user. For losses ``told`` are the classes in the order of the
    columns of probabilities, where a one-hot truth or a categorical type tells it.
    """

    truth: NDArray[Any]
    columns: Columns
    rows: Rows
    labels: tuple[Any, ...] = ()
    n_stated: int = 0
    told: tuple[Any, ...] = ()

    @classmethod
    def _in_rows(cls, given: Given, checked: Columns, sample: GivenRows, labels: Sequence[Label] = ()) -> Cases:
        """From columns that are ``checked``, the truth first, and what they were when ``given``."""
        rows = Rows.given(given, checked, **sample)
        truth, *columns = (rows.of(values) for values in checked.values())
        return Cases(truth, dict(zip([*checked][1:], columns, strict=True)), rows, tuple(labels))

    @classmethod
    def check(
        cls,
        y_true: ArrayLike,
        scores: Given,
        *,
        pos_label: Label | None = None,
        predicted: bool = False,
        hint: str = "",
        both_classes: bool = True,
        either: bool = False,
        **sample: Unpack[GivenRows],
    ) -> Cases:
        """Two classes and columns of scores, or ``predicted`` labels; ``either`` class may count as positive."""
        given = {"y_true": y_true, **scores}
        check_column = check_label_column if predicted else check_scores
        checked = {name: check_column(name, values) for name, values in scores.items()}
        cases = cls._in_rows(given, {"y_true": check_label_column("y_true", y_true), **checked}, sample)
        truth, columns = cases.truth, cases.columns
        both = check_labels(
            truth,
            pos_label,
            lambda classes: why_so_many(truth, classes, columns, predicted) + hint,
            predicted=columns if predicted else {},
            both_classes=both_classes,
            either=either,
        )
        if predicted:
            columns = {name: is_positive(name, values, both) for name, values in columns.items()}
        else:
            for name, values in scores.items():
                check_positive_column(name, values, both)
        positive = has_label(truth, both[1])
        if both_classes:
            cases.rows.check_classes(positive.astype(np.int64))
        return replace(cases, truth=positive, columns=columns, labels=both)

    @classmethod
    def check_classes(
        cls,
        y_true: ArrayLike,
        predictions: Given,
        *,
        labels: ArrayLike | None = None,
        order: Sequence[Label] | None = None,
        others: bool = False,
        **sample: Unpack[GivenRows],
    ) -> Cases:
        """Any number of classes and predicted classes, as positions among listed ``labels`` and ``others``, if allowed.

        Without a list these are the classes that occur, first those of the ``order``, which is by default what the
        types of columns tell. Unless there may be others, a table of all classes must not be too large.
        """
        given = {"y_true": y_true, **predictions}
        named = {name: check_names(name, values) for name, values in given.items()}
        stated = [] if labels is None else check_label_list(labels)
        if not stated:
            check_no_scores({name: _column_of(names) for name, (names, _) in named.items()})
        cases = cls._in_rows(given, {name: numbers for name, (_, numbers) in named.items()}, sample)
        numbered = {"y_true": cases.truth, **cases.columns}
        occur = {name: [named[name][0][i] for i in np.flatnonzero(np.bincount(x))] for name, x in numbered.items()}
        # A row of weight 0 is no case, but for losses, whose weights are no frequencies, its labels are classes.
        seen = occur if sample.get("frequencies", True) else {name: names for name, (names, _) in named.items()}
        first = stated or (typed_labels(given) if order is None else order)
        known = stated
        if others or not stated:
            known = [*stated, *(label for label in sorted_labels(seen, first) if label not in stated)]
        if not others:
            check_number_of_classes(known, len(predictions))
            for name, names in occur.items():
                places_among(name, _column_of(names), known)
        place = {label: position for position, label in enumerate(known)}
        places = {name: [place.get(label, -1) for label in names] for name, (names, _) in named.items()}
        columns = {name: np.array(places[name], dtype=np.int64)[numbers] for name, numbers in numbered.items()}
        return replace(cases, truth=columns.pop("y_true"), columns=columns, labels=tuple(known), n_stated=len(stated))

    @classmethod
    def check_class_scores(
        cls, y_true: ArrayLike, scores: Given, *, labels: ArrayLike | None = None, **sample: Unpack[GivenRows]
    ) -> Cases:
        """Any number of classes, each occurring, and tables with a score per class, in the order of ``labels``."""
        stated = labels is not None
        alone = cls.check_classes(y_true, {}, labels=labels if stated else table_labels(y_true, scores))
        known = alone.labels
        tables = {name: check_score_table(name, values, known, stated=stated) for name, values in scores.items()}
        cases = cls._in_rows({"y_true": y_true, **scores}, {"y_true": alone.truth, **tables}, sample, known)
        absent = np.flatnonzero(np.bincount(cases.truth, minlength=len(known)) == 0).tolist()
        if absent:
            raise ValueError(f"y_true must contain every class, got no case of {known[absent[0]]!r}.")
        cases.rows.check_classes(cases.truth)
        return cases

    @classmethod
    def check_labels(
        cls,
        y_true: ArrayLike,
        tables: Given,
        *,
        predicted: bool,
        pos_label: Label | None = None,
        **sample: Unpack[GivenRows],
    ) -> Cases:
        """Several labels per case, ``truth`` a table, and tables of ``predicted`` labels or of scores."""
        known, truth, columns = check_label_tables(y_true, tables, predicted=predicted, pos_label=pos_label)
        return cls._in_rows({"y_true": y_true, **tables}, {"y_true": truth, **columns}, sample, known)

    @classmethod
    def check_any(
        cls, y_true: ArrayLike, predictions: Given, *, labels: ArrayLike | None = None, **sample: Unpack[GivenRows]
    ) -> Cases:
        """A truth, and a number, label or row of numbers per case; a table by class in the order of ``labels``."""
        truth = _one_or_more("y_true", y_true)
        tables = {name: _one_or_more(name, values) for name, values in predictions.items()}
        columns = {name: outputs_by_class(name, predictions[name], x, y_true, labels) for name, x in tables.items()}
        return cls._in_rows({"y_true": y_true, **predictions}, {"y_true": truth, **columns}, sample)

    @classmethod
    def check_numbers(cls, y_true: ArrayLike | None, predictions: Given, **sample: Unpack[GivenRows]) -> Cases:
        """Finite numbers, however few of them differ; without a truth 0 stands for it."""
        given = predictions if y_true is None else {"y_true": y_true, **predictions}
        checked = {name: check_finite(name, values) for name, values in given.items()}
        rows = Rows.given(given, checked, **sample)
        columns = {name: rows.of(values) for name, values in checked.items()}
        return Cases(columns.pop("y_true", np.zeros(len(rows.weights))), columns, rows)

    @classmethod
    def check_times(
        cls,
        event: Any,
        time: ArrayLike | None,
        risks: Given,
        *,
        called: str = "event",
        horizons: Floats | None = None,
        **sample: Unpack[GivenRows],
    ) -> Cases:
        """Events, or scikit-survival's array of events and times, by the name in ``called``; and risks.

        The truth is such an array: whether the ``event`` was observed (1), or the case censored (0, after events of
        that time), and at which ``time``. At ``horizons`` there may be competing events (2), which are then among the
        labels of subgroups without any too, and tables of risks with a column for each horizon.
        """
        if has_times(event):
            names = event.dtype.names
            if len(names) != 2:
                raise ValueError(f"{called} must have two fields, event and time, as in scikit-survival, got {names}.")
            if time is not None:
                raise TypeError(f"time is already a field of {called}; leave it out.")
            event, time = event[names[0]], event[names[1]]
        elif time is None:
            raise TypeError(f"time is missing: pass when each event of {called} was seen, or the case was censored.")
        seen, times = _check_event(called, event, competing=horizons is not None), check_finite("time", time)
        if (times < 0).any():
            first = int(np.argmax(times < 0))
            raise ValueError(f"time must not be negative, got {times[first]:g} at position {first}.")
        columns = {name: check_risk_columns(name, risk, horizons) for name, risk in risks.items()}
        given, checked = {called: event, "time": time, **risks}, {called: seen, "time": times, **columns}
        cases = cls._in_rows(given, checked, sample)
        truth = np.empty(len(cases.truth), np.dtype([("event", np.int64), ("time", float)]))
        truth["event"], truth["time"] = cases.truth, cases.columns["time"]
        columns = {name: cases.columns[name] for name in risks}
        return replace(cases, truth=truth, columns=columns, labels=(0, 1, 2)[: cases.truth.max() + 1])

    @property
    def weights(self) -> Weights:
        return self.rows.weights

    @property
    def groups(self) -> Integers | None:
        return self.rows.groups

    @property
    def folds(self) -> Integers | None:
        return self.rows.folds

    @property
    def levels(self) -> CrossedLevels | None:
        return self.rows.levels

    @property
    def proxies(self) -> ProxyRows | None:
        return self.rows.proxies

    @property
    def n_groups(self) -> int:
        return self.rows.n_groups

    def with_rows(self, **changed: Any) -> Self:
        return replace(self, rows=replace(self.rows, **changed))

    def unweighted(self) -> Self:
        return replace(self, rows=self.rows.unweighted())

    def part(self, rows: Booleans | Integers) -> Self:
        columns = {name: column[rows] for name, column in self.columns.items()}
        return replace(self, truth=self.truth[rows], columns=columns, rows=self.rows.take(rows))

    def parts(self) -> list[Self]:
        """The cases of each fold, of each level, or of CHECKED, JUDGED and OTHER, as samples; all if there are none.

        Folds are in order of first appearance; cases of a level are independent.
        """
        rows = self.rows
        if rows.folds is not None:
            alone, each = replace(rows, folds=None), rows_by_fold(rows.folds)
        elif rows.levels is not None:
            alone, each = replace(rows, groups=None), rows.levels.rows
        elif rows.proxies is not None:
            alone, each = replace(rows, proxies=None), rows.proxies.rows
        else:
            return [self]
        return [replace(self, rows=alone).part(own) for own in each]

    def of_stated_labels(self) -> Self:
        """With one column: the cases whose truth and prediction are among the listed labels."""
        (column,) = self.columns.values()
        rows = np.flatnonzero((self.truth < self.n_stated) & (column < self.n_stated))
        if not len(rows):
            raise ValueError("labels must include the true and the predicted label of at least one case.")
        return replace(self.part(rows), labels=self.labels[: self.n_stated])

    def classes(self) -> Integers | None:
        """The class of each case, if the truth is a class; None for amounts."""
        if self.labels:
            return self.truth
        if self.truth.ndim > 1 or has_fractions(self.truth):
            return None
        numbers = number_labels(self.truth)
        return numbers if numbers.max() < MOST_LABELLED else None

    @cached_property
    def _counts(self) -> dict[str, ScoreCounts]:
        return {}

    @property
    def positive(self) -> Booleans:
        return np.asarray(self.truth, dtype=bool)

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The numbers of positives and negatives, or their weights; with several labels, of pairs of case and label."""
        if self.has_labels:
            held = (self.weights @ (self.truth == 1).sum(axis=1)).item()
            return held, self.weights.sum().item() * self.truth.shape[1] - held
        positive = self.weights[self.positive].sum().item()
        if self.rows.has_importance:
            return positive, self.weights[~self.positive].sum().item()
        return positive, self.weights.sum().item() - positive

    @property
    def _drawn_by(self) -> str | None:
        given = {"weight_type='importance'": self.rows.is_weighted or None, "folds": self.folds, "groups": self.groups}
        return next((name for name, value in given.items() if value is not None), None)

    def check_sampling(self, sampling: str | None, default: str | None) -> None:
        """Raise if sampling is not the default where something else determines how cases are drawn."""
        if sampling != default and (what := self._drawn_by):
            raise ValueError(f"sampling must be left at {default!r} with {what}, got {sampling!r}: {DRAWN_BY[what]}.")

    def check_resample_size(self, size: Any, sampling: str) -> tuple[int, ...] | None:
        """Numbers of positives and negatives in a resample, or of cases (full sampling); None: as in the sample."""
        if size is None:
            return None
        if what := self._drawn_by:
            needs = "resample_size needs independent cases that are drawn one by one"
            raise ValueError(f"{needs}: leave it out, or leave out {what}.")
        if np.ndim(size) == 0:
            total = CASES.whole("resample_size", size)
            return (total,) if sampling == "full" else self._shared_out(total)
        if sampling == "full":
            raise ValueError(f"resample_size must be one number, of all cases, with sampling='full', got {size!r}.")
        if np.shape(size) != (2,):
            raise ValueError(f"resample_size must be a number or a pair (positives, negatives), got {size!r}.")
        return tuple(CASES.whole("each number of resample_size", one) for one in size)

    def _shared_out(self, total: int) -> tuple[int, int]:
        """The total split into classes in their proportions, which must give whole numbers."""
        positives, rest = divmod(total * self.sizes[0], sum(self.sizes))
        if rest:
            sample = f"the proportions of the sample, {self.sizes[0]} positive to {self.sizes[1]} negative"
            near = f"resample_size=({max(positives, 1)}, {max(total - positives, 1)}), positives first"
            what = f"resample_size={total} does not give a whole number of cases per class in {sample}"
            raise ValueError(f"{what}: pass how many of each, as in {near}.")
        return positives, total - positives

    def check_counted(self, what: str) -> None:
        if self.rows.has_importance:
            way = "its sample_weight counts cases, in whole numbers"
            raise ValueError(f"weight_type='importance' is not supported for {what}: {way}.")

    def check_choice(self, selected: Iterable[bool]) -> None:
        if any(selected):
            self.check_counted("thresholds chosen on the same cases (pass thresholds that were chosen beforehand)")

    @property
    def has_labels(self) -> bool:
        """Whether there are several labels per case."""
        return bool(self.labels) and self.truth.ndim > 1

    @property
    def of_two_classes(self) -> bool:
        return bool(self.labels) and self.truth.dtype.kind == "b" and self.truth.ndim == 1

    def design(self, *, by_class: bool = True) -> Design:
        if self.has_labels:
            return Design(self.rows)
        return Design(self.rows, np.asarray(self.truth).astype(np.int64), by_class)

    def squared_and_alone(self) -> tuple[Cases, Cases]:
        return self.with_rows(weights=self.weights**2), self.unweighted()

    def split(self, column: str) -> tuple[tuple[Scores, Weights | None], tuple[Scores, Weights | None]]:
        """Scores and weights of the positives, then of the negatives."""
        # If each row is one case no weights have to follow the scores in a sort, which is then faster.
        each_alone = not self.rows.has_importance and (self.weights == 1).all()
        scores, classes = self.columns[column], (self.positive, ~self.positive)
        positive, negative = ((np.compress(of, scores), None if each_alone else self.weights[of]) for of in classes)
        return positive, negative

    def counts(self, column: str, *, ranked: bool = False) -> ScoreCounts:
        """The distinct scores of a column per class; with the rank of each row where pairs need it."""
        known = self._counts.get(column)
        if known is None or (ranked and known.positive.rank is None):
            known = ScoreCounts(*(ClassCounts.from_scores(*part, ranked=ranked) for part in self.split(column)))
            self._counts[column] = known
        return known

    def confusion_table(self) -> Floats:
        """Numbers (or weights) of cases by class (rows), predicted class, second predicted class, ..."""
        shape = (len(self.labels),) * (1 + len(self.columns))
        cells = np.ravel_multi_index((self.truth, *self.columns.values()), shape)
        return np.bincount(cells, self.weights, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)


def check_proxied(
    check: Callable[..., Cases],
    y_true: ArrayLike,
    columns: Given,
    sample: SampleOptions,
    others: Mapping[str, object],
    *,
    of_labels: bool = True,
) -> Cases:
    """Cases by ``check``, with a proxy as the three sets; ``of_labels`` is False where y_true may be an amount."""
    proxy, groups = sample.get("proxy"), sample.get("groups")
    if proxy is None and sample.get("checked") is None:
        return check(y_true, columns, **row_options(sample))
    if proxy is None:
        raise ValueError("checked= needs proxy=, the labels to use in rows that were not checked.")
    layout = check_proxies({"y_true": y_true}, {"proxy": proxy}, sample.get("checked"), groups, {**sample, **others})
    check = partial(check, weight_type=sample.get("weight_type", "counts"))
    if layout is None:
        return check(y_true, columns, groups=groups)
    if of_labels:
        check_proxy_labels(as_vector("y_true", y_true), proxy, layout)
    check_row_order({"y_true": y_true, **columns, "proxy": proxy, "groups": groups})
    truth = layout.merged("y_true", y_true, proxy)
    repeated = {name: layout.laid_out(column) for name, column in columns.items()}
    return check(truth, repeated, groups=layout.laid_out(groups)).with_rows(proxies=layout)


def has_times(values: object) -> bool:
    return getattr(getattr(values, "dtype", None), "names", None) is not None


def _check_event(name: str, event: ArrayLike, *, competing: bool) -> Integers:
    column = check_label_column(name, event)
    two = np.isin(column, [2])
    wrong = ~np.isin(column, [0, 1, 2] if competing else [0, 1])
    if wrong.any():
        first = int(np.argmax(wrong))
        got = f"{'or 2 (competing), ' * competing}got {as_array(name, column).tolist()[first]!r} at position {first}"
        way = " Competing events need a horizon, as bootstrap_auc and bootstrap_loss have." if two[first] else ""
        raise ValueError(f"{name} must contain 1 or True (observed) and 0 or False (censored), {got}.{way}")
    if two.any() and not np.isin([0, 1], column).all():
        raise ValueError(
            f"{name} contains 2, a competing event, but not both 0 (censored) and 1 (event). If 2 is the event, pass "
            f"{name} == 2; if no case is censored, pass who had event 1 by the horizon, without time and horizon."
        )
    return np.asarray(column.astype(np.int64))


def count_alike(
    y_true: ArrayLike, predictions: Given, sample_weight: ArrayLike | None
) -> tuple[ArrayLike, Given, ArrayLike | None]:
    """Distinct rows and frequencies in one pass; as given if codes need a sort or a long table, or data are invalid."""
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
    return np.array(names) if all(isinstance(each, float) for each in names) else as_objects(names)


def _one_or_more(name: str, values: ArrayLike) -> NDArray[np.generic]:
    """One entry, or a row of finite numbers, per case."""
    array = as_array(name, values)
    if array.ndim < 2 or array.shape[1:] == (1,):
        return unboxed(check_label_column(name, values))
    if array.ndim > 2 or not len(array):
        got = f"got an array of shape {array.shape}"
        raise ValueError(f"{name} must have one entry, or one row of numbers, per case, {got}.")
    if array.dtype.kind not in "biuf" or not np.isfinite(array).all():
        raise ValueError(f"{name} must have rows of finite numbers, got {array.dtype} values or some not finite.")
    return array
