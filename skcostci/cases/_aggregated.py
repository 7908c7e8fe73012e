"""Cases counted by label and score: counts of parts can be added, and bins keep their number small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Floats, Integers, Scores, Weights, in_precision_of
from skcostci._frozen import Comparable, cached_property, read_only
from skcostci._options import CountedColumn, WeightType
from skcostci._validation._arguments import ANY, Number, check_lengths, check_scores, is_whole_number
from skcostci._validation._labels import check_label_column, has_label, number_labels, unique_labels
from skcostci._validation._rows import Rows, asks_for_importance, check_frequency_weights, check_unscaled_weights
from skcostci.cases._cases import Cases

SHOWN = 5  # labels listed in an error message
EQUAL = 1e-12  # squared, relative: the rounding of sums of equal weights
LETTERS = "abcdefghijklmnopqrstuvwxyz"  # the names of several models
MOST_BINS = 30_000_000  # most bins whose edges fit the memory of one process
Edges = tuple[Floats | None, ...]  # per score column; None where only equal scores are grouped
Table = dict[str, NDArray[Any]]  # y_true, scores by their names, sample_weight, and groups if there are any
Arrays = list[NDArray[Any]]
Ranges = list[tuple[float, float]]  # the least and the largest score per column


class Sums(NamedTuple):
    """How many cases each group has, and the sum of the squares of their importance weights."""

    cases: NDArray[Any]
    squares: NDArray[Any]


@dataclass(frozen=True, repr=False, eq=False)
class AggregatedScores(Comparable):
    """Cases counted by label and score(s), in the form that the functions of this package take.

    Pass it with two stars, ``bootstrap_auc(**aggregated)``: each function is given the scores under its own name for
    them, ``y_score``, ``y_pred``, ``y_proba`` or, several by the names of the models, ``y_scores``. Objects can be
    added, so that a stream can be counted piece by piece: ``a + b``, or ``sum(pieces)``, equals the result of counting
    all cases at once. Functions accept up to 4e9 cases; with importance weights, as many as fit in memory.

    Parameters
    ----------
    cases : Cases
        The distinct combinations of label, score(s) and group, with their frequencies or sums of importance weights.
    edges : tuple of (ndarray or None), one a score column
        The lower edges of the bins, ascending; None where equal scores were grouped.
    models : tuple of str
        The names of the score columns.
    group_names : ndarray, default=None
        The names of the groups that are kept, by number.
    sums : Sums, default=None
        With importance weights: the number of cases and the sum of squared weights of each combination.

    Attributes
    ----------
    y_true : ndarray of shape (n_rows,)
        The labels as given; read-only, like the other arrays.
    y_score : ndarray of shape (n_rows,)
        The scores, if those of one model were counted. Rows are distinct, in ascending order of label, then score.
    y_score_a, y_score_b : ndarray of shape (n_rows,)
        The scores, if those of two models were counted; of more models, ``["y_score_c"]`` and so on.
    sample_weight : ndarray of shape (n_rows,)
        How many cases each row stands for, int64. With importance weights there is a row for each case again, and the
        weights of the rows that are alike have the sum, and the sum of squares, that those of their cases have.
    auc_error_bound : float, or tuple with one for each of several models
        A bound on the error that binning causes in the AUC; 0 without bins.

    See Also
    --------
    aggregate_scores : Count cases in a database table, on a cluster or in files.

    Examples
    --------
    >>> from skcostci import AggregatedScores, bootstrap_auc
    >>> pieces = [([0, 1, 1], [0.2, 0.2, 0.7]), ([0, 0, 1], [0.1, 0.2, 0.7])]
    >>> counted = sum(AggregatedScores.from_arrays(y_true, y_score) for y_true, y_score in pieces)
    >>> counted.y_true, counted.y_score, counted.sample_weight
    (array([0, 0, 1, 1]), array([0.1, 0.2, 0.2, 0.7]), array([1, 2, 1, 2]))
    >>> counted.keys(), counted, round(float(bootstrap_auc(**counted)), 3)
    (('y_true', 'y_score', 'sample_weight'), AggregatedScores(6 cases in 4 groups), 0.889)
    """

    cases: Cases
    edges: Edges
    models: tuple[str, ...]
    group_names: NDArray[np.generic] | None = None
    sums: Sums | None = None

    def _compared(self) -> dict[str, object]:
        sums = {} if self.sums is None else self.sums._asdict()
        return {**self._grouped, **sums, "edges": self.edges}

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        *y_scores: ArrayLike,
        bins: object = None,
        sample_weight: ArrayLike | None = None,
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
    ) -> AggregatedScores:
        """Count the cases in arrays; narwhals is not needed.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels, at most two distinct ones; a piece of a stream may have a single one.
        *y_scores : array-likes of shape (n_samples,)
            Finite scores of one model, or of several, which are named a, b and so on.
        bins : None, int, array-like of shape (n_edges,) or tuple with one of these a model, default=None
            Ascending edges of bins whose scores are counted together, or a number of bins of equal width between the
            least and the largest score; None counts equal scores. Pieces can be added if they have the same edges.
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights, whole numbers. Or see ``weight_type``.
        weight_type : {"counts", "importance"}, default="counts"
            With "importance" weights are any non-negative numbers, whose sums and sums of squares are kept.
        groups : array-like of shape (n_samples,), default=None
            The group of each case, which is kept: cases of different groups are not counted together.

        Returns
        -------
        AggregatedScores

        Examples
        --------
        >>> from skcostci import AggregatedScores
        >>> AggregatedScores.from_arrays([0, 0, 1, 1], [0.12, 0.14, 0.31, 0.9], bins=[0, 0.25, 0.5]).sample_weight
        array([2, 1, 1])
        """
        scores = {name: check_scores(name, y) for name, y in zip(score_names(len(y_scores)), y_scores, strict=True)}
        labels = plain_labels(check_label_column("y_true", y_true))
        important = asks_for_importance(weight_type, sample_weight)
        weights: Weights = np.ones(len(labels), np.int64)
        if sample_weight is not None:
            weights = (check_unscaled_weights if important else check_frequency_weights)(sample_weight)
        members = {} if groups is None else {"groups": plain_labels(check_label_column("groups", groups))}
        columns: Table = {"y_true": labels, **scores, "sample_weight": weights, **members}
        check_lengths(columns)
        columns = {name: column[weights > 0] for name, column in columns.items()}
        edges = resolve_bins(bins, len(scores), lambda: [(columns[name].min(), columns[name].max()) for name in scores])
        counted = columns["sample_weight"]
        sums = Sums(np.ones(len(counted), np.int64), counted**2) if important else None
        return group("y_true", columns, edges, tuple(LETTERS[: len(scores)]) if len(scores) > 1 else ("model",), sums)

    @cached_property
    def _rows(self) -> tuple[slice | Integers, Weights]:
        if self.sums is None:
            return slice(None), self.cases.weights
        return alike_in_sums(self.sums.cases, self.cases.weights, self.sums.squares)

    @property
    def _grouped(self) -> Table:
        kept = {} if self.group_names is None else {"groups": self.group_names[self.cases.groups]}
        return {"y_true": self.cases.truth, **self.cases.columns, "sample_weight": self.cases.weights, **kept}

    @cached_property
    def y_true(self) -> NDArray[np.generic]:
        return np.asarray(self["y_true"])

    @property
    def scores(self) -> tuple[Scores, ...]:
        """The columns that were counted."""
        return tuple(self[name] for name in self.cases.columns)

    @property
    def sample_weight(self) -> Weights:
        """How many cases each row stands for, or importance weights."""
        return np.asarray(self["sample_weight"])

    @property
    def y_score(self) -> Scores:
        """The scores of one model, one per row."""
        return self._scores_of("y_score")

    @property
    def y_score_a(self) -> Scores:
        """The scores of model a, one per row."""
        return self._scores_of("y_score_a")

    @property
    def y_score_b(self) -> Scores:
        """The scores of model b, one per row."""
        return self._scores_of("y_score_b")

    @property
    def auc_error_bound(self) -> float | tuple[float, ...]:
        """A bound on the error of the AUC due to binning: half the share of pairs that are in one bin.

        For several models there are as many bounds; the sum of two bounds the error of the difference of the AUCs.

        Raises
        ------
        ValueError
            If all cases have one label.
        """
        binned = zip(self.cases.columns.values(), self.edges, strict=True)
        bounds = tuple(0.0 if edges is None else self._share_of_tied_pairs(scores) / 2 for scores, edges in binned)
        return bounds if len(bounds) > 1 else bounds[0]

    def keys(self) -> tuple[str, ...]:
        """The names of what ``**`` passes; functions of this package take the scores by their own names for them.

        Returns
        -------
        tuple of str
            ``y_true``, the scores, ``sample_weight`` and, where they were counted, ``weight_type`` and ``groups``.
        """
        columns = [CountedColumn(*each) for each in zip(self.cases.columns, self.models, strict=True)]
        rest = ("weight_type",) * (self.sums is not None) + ("groups",) * (self.group_names is not None)
        return "y_true", *columns, "sample_weight", *rest

    def __getitem__(self, key: str) -> Any:
        if key not in self.keys():
            raise KeyError(key)
        if key == "weight_type":
            return "importance"
        which, weights = self._rows
        return weights if key == "sample_weight" else read_only(self._grouped[key][which])

    def __add__(self, other: object) -> AggregatedScores:
        if not isinstance(other, AggregatedScores):
            return NotImplemented
        ends, other_ends = ([None if e is None else e.tolist() for e in each.edges] for each in (self, other))
        if (n := len(ends)) != (m := len(other_ends)):
            raise ValueError(f"Counts must have the same number of score columns to be added, got {n} and {m}.")
        if ends != other_ends:
            raise ValueError("Counts must have the same bins to be added: pass the same edges as bins for each part.")
        if self.keys() != other.keys():
            raise ValueError(f"Counts must have the same columns to be added, got {self.keys()} and {other.keys()}.")
        mine, others = self._grouped, other._grouped
        a, b = mine["y_true"].dtype, others["y_true"].dtype
        if a.kind != b.kind and not {a.kind, b.kind} <= set("biuf"):
            raise TypeError(f"Counts must have labels of the same kind to be added, got {a} and {b} labels.")
        columns = {name: np.concatenate([mine[name], others[name]]) for name in mine}
        sums = self.sums and Sums(*map(np.concatenate, zip(self.sums, other.sums or (), strict=True)))
        return group("y_true", columns, self.edges, self.models, sums)

    def __radd__(self, other: object) -> AggregatedScores:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # the start value of sum()

    def __repr__(self) -> str:
        binned = "" if all(edges is None for edges in self.edges) else ", binned"
        weighted = "" if self.sums is None else ", importance weights"
        number = (self.cases.weights if self.sums is None else self.sums.cases).sum()
        return f"AggregatedScores({number:,} cases in {len(self.cases.truth):,} groups{binned}{weighted})"

    def _scores_of(self, name: str) -> Scores:
        if name not in self.cases.columns:
            raise AttributeError(f"There is no {name}: the score columns are {' and '.join(self.cases.columns)}.")
        return np.asarray(self[name])

    def _share_of_tied_pairs(self, scores: Scores) -> float:
        """The number of pairs of a positive and a negative with equal scores over the number of all pairs."""
        _, level = np.unique(scores, return_inverse=True)
        weights = self.cases.weights
        first, second = (np.bincount(level, weights * (number_labels(self.cases.truth) == kind)) for kind in (0, 1))
        if not second.any():
            raise ValueError(f"auc_error_bound needs cases with both labels, got {self.y_true.tolist()[0]!r} only.")
        return float(first @ second / (first.sum() * second.sum()))


def alike_in_sums(numbers: Integers, totals: Weights, squares: Weights) -> tuple[Integers, Floats]:
    """For each group as many rows as it has cases, of two weights, with its sum and its sum of squares."""
    mean = totals / numbers
    variance = squares / numbers - mean**2
    # Where all weights are equal the difference is what rounding leaves.
    variance[variance < EQUAL * mean**2] = 0.0
    larger = np.clip(np.floor(totals**2 / squares), 1, (numbers + 1) // 2)  # with more the rest would be below 0
    odds = (numbers - larger) / larger  # 0 for a single row, whose variance is 0
    above = np.sqrt(variance * odds)
    below = np.sqrt(np.divide(variance, odds, out=np.zeros_like(odds), where=odds > 0))
    which = np.repeat(np.arange(len(numbers)), numbers)
    place = np.arange(len(which)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    weights = np.where(place < larger[which], (mean + above)[which], (mean - below)[which])
    return which, read_only(np.maximum(weights, 0.0))


def score_names(n_columns: int) -> tuple[str, ...]:
    if not 1 <= n_columns <= len(LETTERS):
        raise ValueError(f"y_score must have from one to {len(LETTERS)} score columns, got {n_columns}.")
    return ("y_score",) if n_columns == 1 else tuple(f"y_score_{letter}" for letter in LETTERS[:n_columns])


def group(name: str, columns: Table, edges: Edges, models: tuple[str, ...], sums: Sums | None) -> AggregatedScores:
    """Distinct groups in order, whatever the order and multiplicity of the rows; ``name`` is the labels' parameter."""
    scores = dict(columns)
    labels, weights, groups = scores.pop("y_true"), scores.pop("sample_weight"), scores.pop("groups", None)
    kinds = check_two_labels(name, labels, weights)
    names = None if groups is None else unique_labels("groups", groups)
    members = () if groups is None else (number_labels(groups),)
    parts = []
    for kind in kinds:
        rows = has_label(labels, kind)
        placed = [place_in_bins(column[rows], limits) for column, limits in zip(scores.values(), edges, strict=True)]
        keys = [*placed, *(column[rows] for column in members)]
        parts.append((*_distinct(keys, [each[rows] for each in (weights, *(sums or ()))]),))
    keys, added = ([read_only(np.concatenate(x)) for x in zip(*part, strict=True)] for part in zip(*parts, strict=True))
    truth = np.repeat(kinds, [len(part[0][0]) for part in parts])
    columns = dict(zip(scores, keys, strict=False))
    cases = Cases(truth, columns, Rows(added[0], np.asarray(keys[-1], np.int64) if members else None))
    return AggregatedScores(cases, edges, models, names, Sums(*added[1:]) if sums else None)


def plain_labels(labels: NDArray[np.generic]) -> NDArray[np.generic]:
    """Objects as the dtype numpy infers, so that equal labels have one type whatever their source."""
    if labels.dtype.kind not in "OT":
        return labels
    listed = labels.tolist()
    are_text = {isinstance(label, str) for label in listed}
    plain = np.array(listed) if len(are_text) == 1 else labels
    # numpy makes columns of labels that are tuples.
    return plain if plain.ndim == 1 else labels


def _distinct(keys: Arrays, added: Arrays) -> tuple[Arrays, Arrays]:
    """The distinct combinations of keys, in order, and what is added up over equal ones."""
    order = np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])
    columns = [column[order] for column in keys]
    new = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    first = np.flatnonzero(np.concatenate([[True], new]))
    return [column[first] for column in columns], [np.add.reduceat(each[order], first) for each in added]


def check_two_labels(name: str, labels: NDArray[np.generic], cases: Weights) -> NDArray[np.generic]:
    kinds = unique_labels(name, labels)
    if len(kinds) > 2:
        counted = [(kind, cases[has_label(labels, kind)].sum()) for kind in kinds[:SHOWN].tolist()]
        shown = ", ".join(f"{kind!r} ({number:,} cases)" for kind, number in counted)
        raise ValueError(f"{name} must be binary, got {len(kinds)} labels: {shown}{', ...' * (len(kinds) > SHOWN)}.")
    return kinds


def resolve_bins(bins: Any, n_columns: int, ranges: Callable[[], Ranges]) -> Edges:
    """The edges for each score column; ``ranges`` is called only if bins are given by their number."""
    rules = bins if n_columns > 1 and isinstance(bins, tuple) else (bins,) * n_columns
    if len(rules) != n_columns:
        raise ValueError(f"bins as a tuple must contain an entry for each of {n_columns} models, got {len(rules)}.")
    found = ranges() if any(map(is_whole_number, rules)) else [(0.0, 0.0)] * n_columns
    return tuple(
        None if rule is None else _equal_width(rule, *limits) if is_whole_number(rule) else _check_edges(rule)
        for rule, limits in zip(rules, found, strict=True)
    )


def _check_edges(edges: ArrayLike) -> Floats:
    """Ascending finite edges; infinite ones are dropped, as no score lies beyond them."""
    array = ANY.all("bins", edges, most=MOST_BINS)
    if array.ndim != 1:
        raise ValueError(f"bins must be None, a whole number or a vector of edges, got {edges!r}.")
    if not (np.diff(array) > 0).all():
        raise ValueError("bins as edges must be strictly increasing.")
    finite = array[np.isfinite(array)]
    if not len(finite):
        raise ValueError("bins as edges must contain at least one finite edge.")
    return read_only(finite)


def _equal_width(bins: int, low: float, high: float) -> Floats:
    Number(1, MOST_BINS).whole("bins", bins)
    if not np.isfinite(float(high) - float(low)):
        raise ValueError(f"bins must be given as edges if scores range as widely as {low} to {high}, got {bins!r}.")
    # The last edge would be a bin of the largest score alone; edges of a narrow range may coincide.
    return read_only(np.unique(np.linspace(low, high, bins + 1)[:-1]))


def place_in_bins(scores: Scores, edges: Floats | None) -> Scores:
    """Scores that represent bins: the last edge not above, as thresholds compare, or just below the first edge."""
    if edges is None:
        return np.asarray(scores + 0.0)  # -0.0 becomes 0.0
    levels = np.concatenate([[np.nextafter(edges[0], -np.inf)], edges])
    return np.asarray(levels[np.searchsorted(in_precision_of(scores, edges), scores, "right")])
