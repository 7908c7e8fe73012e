"""Cases: labels, named columns and frequencies, checked once; each column is sorted once per class.

At the end of the file: wins and losses of whole groups of cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Floats, Integers, Scores, Weights, row_names
from skcostci._frozen import Frozen, cached_property
from skcostci._options import Label
from skcostci._validation._arguments import CASES
from skcostci._validation._label_tables import check_label_tables
from skcostci._validation._labels import Labels, number_groups, number_labels
from skcostci._validation._levels import CrossedLevels
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import (
    BinaryOptions,
    RowOptions,
    check_binary_data,
    check_class_data,
    check_class_scores,
    effective_number,
    relative_weights,
)
from skcostci.cases._counts import ClassCounts, ScoreCounts
from skcostci.cases._design import CasesInRows, Design, rows_by_fold

MOST_PAIRED_GROUPS = 128  # most groups for which wins are counted between each two: the table grows with their square
MOST_PAIRED_ROWS = 2**24  # most groups times cases, which is proportional to the time that this takes


@dataclass(frozen=True, eq=False)
class Cases(CasesInRows, Frozen):
    """Checked cases, row by row, and their counts, computed once when they are first needed.

    ``labels`` are the classes, if two the negative first; ``truth`` is the class of each row or, with several labels
    per case, a table with a column per label. ``columns`` contain scores, or predicted classes, by name. ``weights``
    are the numbers of cases per row, 1 if None, and ``groups`` number the cases that belong together from 0 on; None
    for independent cases. ``folds`` number the samples, each with its own model, and ``levels`` the readers, judges or
    seeds, crossed with groups. ``proxies`` mark rows with checked labels and with a proxy's. ``index`` is the index of
    a pandas input, including rows of frequency 0.
    """

    labels: Labels
    truth: Booleans | Integers
    columns: Mapping[str, NDArray[Any]]
    weights: Weights | None = None
    groups: Integers | None = None
    folds: Integers | None = None
    levels: CrossedLevels | None = None
    index: NDArray[np.generic] | None = field(default=None, repr=False)
    proxies: ProxyRows | None = None

    @classmethod
    def check(cls, y_true: ArrayLike, scores: Mapping[str, ArrayLike], **options: Unpack[BinaryOptions]) -> Cases:
        """Two classes and columns of scores or predicted labels; options of :func:`check_binary_data`."""
        return cls(*check_binary_data(y_true, scores, **options), index=row_names(y_true))

    @classmethod
    def check_classes(
        cls,
        y_true: ArrayLike,
        predictions: Mapping[str, ArrayLike],
        *,
        labels: ArrayLike | None = None,
        frequencies: bool = True,
        **rows: Unpack[RowOptions],
    ) -> Cases:
        """Any number of classes and columns of predicted classes; options of :func:`check_class_data`."""
        return cls(*check_class_data(y_true, predictions, labels=labels, frequencies=frequencies, **rows))

    @classmethod
    def check_class_scores(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        labels: ArrayLike | None = None,
        **rows: Unpack[RowOptions],
    ) -> Cases:
        """Any number of classes, and columns that are tables with a score per class; :func:`check_class_scores`."""
        return cls(*check_class_scores(y_true, scores, labels=labels, **rows))

    @classmethod
    def check_labels(
        cls,
        y_true: ArrayLike,
        tables: Mapping[str, ArrayLike],
        *,
        predicted: bool,
        pos_label: Label | None = None,
        crossed: ArrayLike | None = None,
        frequencies: bool = True,
        **rows: Unpack[RowOptions],
    ) -> Cases:
        """Several labels per case, ``truth`` a table, and tables of labels or scores; :func:`check_label_tables`."""
        return cls(
            *check_label_tables(
                y_true,
                tables,
                predicted=predicted,
                pos_label=pos_label,
                crossed=crossed,
                frequencies=frequencies,
                **rows,
            )
        )

    @cached_property
    def _counts(self) -> dict[str, ScoreCounts]:
        return {}

    @property
    def positive(self) -> Booleans:
        return np.asarray(self.truth, dtype=bool)

    @property
    def frequencies(self) -> Weights:
        return np.ones(len(self.truth), dtype=np.int64) if self.weights is None else self.weights

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The numbers of positive and of negative cases, or their weights.

        With several labels per case, pairs of a case and a label are counted.
        """
        if self.has_labels:
            held = (self.frequencies @ self.truth.sum(axis=1)).item()
            return held, self.frequencies.sum().item() * self.truth.shape[1] - held
        positive = self.frequencies[self.positive].sum().item()
        negative = self.frequencies[~self.positive].sum().item() if self.has_importance else None
        return positive, self.frequencies.sum().item() - positive if negative is None else negative

    @property
    def numbers(self) -> tuple[int, int]:
        """The numbers of positive and of negative cases, whatever their weights."""
        if not self.has_importance:
            return self.sizes
        positive = int(np.count_nonzero(self.positive))
        return positive, len(self.truth) - positive

    @property
    def effective_number(self) -> float | None:
        """With importance weights: the effective number of (equally weighted) cases."""
        return effective_number(self.weights) if self.weights is not None and self.has_importance else None

    @property
    def group_sizes(self) -> tuple[Floats, Floats]:
        positives, negatives = (
            np.bincount(np.asarray(self.groups)[rows], self.frequencies[rows], self.n_groups).astype(np.float64)
            for rows in (self.positive, ~self.positive)
        )
        return positives, negatives

    def check_sampling(self, sampling: str | None, default: str | None) -> None:
        """Raise if sampling is not the default with importance weights, groups or folds, which determine resampling."""
        if self.is_weighted and sampling != default:
            raise ValueError(
                f"sampling must be left at {default!r} with weight_type='importance', got {sampling!r}: importance "
                "weights already describe how the cases were sampled."
            )
        if self.folds is not None and sampling != default:
            raise ValueError(
                f"sampling must be left at {default!r} with folds, got {sampling!r}: the class sizes of each fold "
                "are held fixed."
            )
        if self.groups is not None and sampling != default:
            raise ValueError(
                f"sampling must be left at {default!r} with groups, got {sampling!r}: whole groups are resampled "
                "with all their cases, so neither single cases nor classes are resampled separately."
            )

    def check_resample_size(self, size: Any, sampling: str) -> tuple[int, ...] | None:
        """Numbers of positives and negatives in a resample, or of cases (full sampling); None: as in the sample."""
        if size is None:
            return None
        others = {
            "groups": self.groups is not None,
            "folds": self.folds is not None,
            "weight_type='importance'": self.is_weighted,
        }
        if any(others.values()):
            what = next(name for name, given in others.items() if given)
            raise ValueError(
                f"resample_size needs independent cases that are drawn one by one: leave it out, or leave out {what}."
            )
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
            near = max(positives, 1), max(total - positives, 1)
            raise ValueError(
                f"resample_size={total} does not give a whole number of cases per class in the proportions of the "
                f"sample, {self.sizes[0]} positive to {self.sizes[1]} negative: pass how many of each, as in "
                f"resample_size=({near[0]}, {near[1]}), positives first."
            )
        return positives, total - positives

    def check_counted(self, what: str) -> None:
        """Raise for importance weights, where they are not supported."""
        if self.has_importance:
            raise ValueError(
                f"weight_type='importance' is not supported for {what}: its sample_weight counts cases, in whole "
                "numbers."
            )

    def check_choice(self, selected: Iterable[bool]) -> None:
        """Raise for thresholds chosen on these cases with importance weights."""
        if any(selected):
            self.check_counted("thresholds chosen on the same cases (pass thresholds that were chosen beforehand)")

    def part(self, rows: Booleans | Integers) -> Cases:
        columns = {name: column[rows] for name, column in self.columns.items()}
        weights = None if self.weights is None else self.weights[rows]
        folds = None if self.folds is None else number_labels(self.folds[rows])
        if weights is not None and self.has_importance:
            weights = relative_weights(weights, folds)
        groups = None if self.groups is None else number_groups(self.groups[rows], weights)
        proxies = None if self.proxies is None else self.proxies.part(rows)
        return Cases(self.labels, self.truth[rows], columns, weights, groups, folds, proxies=proxies)

    def by_fold(self) -> list[Cases]:
        """The cases of each fold, in order of first appearance; all cases if there are no folds."""
        if self.folds is None:
            return [self]
        return [replace(self, folds=None).part(rows) for rows in rows_by_fold(self.folds)]

    @property
    def has_labels(self) -> bool:
        """Whether a case may have any number of labels, rather than one class."""
        return self.truth.ndim > 1

    def by_level(self) -> list[Cases]:
        """The cases of each level, as independent cases, in the order of the levels."""
        levels, alone = self.levels, replace(self, groups=None)
        return [] if levels is None else [alone.part(rows) for rows in levels.rows]

    def by_proxy(self) -> list[Cases]:
        """The checked cases, the same cases with the proxy's labels, and the other cases."""
        alone = replace(self, proxies=None)
        return [] if self.proxies is None else [alone.part(rows) for rows in self.proxies.rows]

    def design(self, *, by_class: bool = True) -> Design:
        if self.has_labels:
            return Design(self.frequencies, None, self.groups, self.folds)
        classes = np.asarray(self.truth).astype(np.int64)
        return Design(self.frequencies, classes, self.groups, self.folds, by_class)

    def squared_and_alone(self) -> tuple[Cases, Cases]:
        return replace(self, weights=np.asarray(self.weights) ** 2), replace(self, weights=None)

    def split(self, column: str) -> tuple[tuple[Scores, Weights | None], tuple[Scores, Weights | None]]:
        """Scores and weights of the positives, then of the negatives."""
        positive, negative = (
            (np.compress(rows, self.columns[column]), None if self.weights is None else self.weights[rows])
            for rows in (self.positive, ~self.positive)
        )
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


class GroupedPlacements(NamedTuple):
    """Per group: its numbers of positives and negatives, the wins of its positives and the losses of its negatives.

    Wins and losses are sums of placements, which are shares of all cases of the other class; a tie counts 1/2.
    ``pairs`` are the wins of the positives of a group (rows) over the negatives of another, None where groups are too
    many.
    """

    positives: Floats
    negatives: Floats
    won: Floats
    lost: Floats
    pairs: Floats | None


def place_groups(cases: Cases, column: str) -> GroupedPlacements:
    """The placements of groups, from those of the distinct scores."""
    counts, rows, weights = cases.counts(column, ranked=True), cases.positive, cases.frequencies
    placed, sizes = counts.placements, cases.sizes
    classes = (
        (counts.positive, rows, placed.half_wins_positive / (2 * sizes[1])),
        (counts.negative, ~rows, placed.half_losses_negative / (2 * sizes[0])),
    )
    sums = []
    for part, which, share in classes:
        groups, times = np.asarray(cases.groups)[which], weights[which].astype(np.float64)
        sums.append(np.bincount(groups, times * share[np.asarray(part.rank)], cases.n_groups).astype(np.float64))
    few = cases.n_groups <= MOST_PAIRED_GROUPS and cases.n_groups * len(rows) <= MOST_PAIRED_ROWS
    return GroupedPlacements(*cases.group_sizes, sums[0], sums[1], _wins_between_groups(cases, column) if few else None)


def _wins_between_groups(cases: Cases, column: str) -> Floats:
    """The wins of each group over each group, one column of losers at a time."""
    scores, groups, weights = cases.columns[column], np.asarray(cases.groups), cases.frequencies
    rows = cases.positive
    order = np.argsort(scores[~rows], kind="stable")
    below = scores[~rows][order]
    first, beyond = (np.searchsorted(below, scores[rows], side) for side in ("left", "right"))
    members, times = groups[~rows][order], weights[~rows][order]
    winners, often = groups[rows], weights[rows] / 2
    columns = []
    for group in range(cases.n_groups):
        counted = np.concatenate([[0], np.cumsum(np.where(members == group, times, 0))])
        columns.append(np.bincount(winners, often * (counted[first] + counted[beyond]), cases.n_groups))
    return np.array(columns, dtype=np.float64).T
