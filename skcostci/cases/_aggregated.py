"""Cases counted by label and score: counts of parts can be added, and bins keep their number small."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._frozen import Comparable, cached_property, read_only
from skcostci._validation import (
    Floats,
    Integers,
    Scores,
    check_count,
    check_frequency_weights,
    check_label_column,
    check_lengths,
    check_not_nan,
    check_scores,
    has_label,
    in_precision_of,
    is_whole_number,
    unique_labels,
)
from skcostci.cases._cases import Cases

SHOWN = 5  # labels listed in an error message
MOST_BINS = 30_000_000  # most bins whose edges fit the memory of one process
Edges = tuple[Floats | None, ...]  # per score column; None where only equal scores are grouped
Ranges = list[tuple[float, float]]  # the least and the largest score per column


@dataclass(frozen=True, repr=False, eq=False)
class AggregatedScores(Comparable):
    """Cases counted by label and score(s), in the form that the functions of this package take.

    Pass it with two stars, ``bootstrap_auc(**aggregated)``, or pass its arrays. Objects can be added, so that a stream
    can be counted piece by piece: ``a + b`` equals the result of counting all cases at once, and ``sum(pieces)`` adds
    several.

    Parameters
    ----------
    cases : Cases
        The distinct combinations of label and score(s), called groups here, with their frequencies.
    edges : tuple of (ndarray or None), one a score column
        The lower edges of the bins, ascending; None where equal scores were grouped.

    Attributes
    ----------
    y_true : ndarray of shape (n_groups,)
        The labels as given; read-only, like the other arrays.
    y_score : ndarray of shape (n_groups,)
        The scores, if those of one model were counted. Groups are distinct, in ascending order of label, then score.
    y_score_a, y_score_b : ndarray of shape (n_groups,)
        The scores, if those of two models were counted.
    sample_weight : ndarray of shape (n_groups,), int64
        How many cases each group stands for.
    auc_error_bound : float, or tuple of two for two models
        A bound on the error that binning causes in the AUC; 0 without bins.

    See Also
    --------
    aggregate_scores : Count cases in a database table, on a cluster or in files.

    Notes
    -----
    The functions accept up to 4e9 cases in all. As equal scores are counted together, it is not known which cases
    belong together: to use ``groups`` pass the cases themselves.

    Examples
    --------
    >>> from skcostci import AggregatedScores, bootstrap_auc
    >>> pieces = [([0, 1, 1], [0.2, 0.2, 0.7]), ([0, 0, 1], [0.1, 0.2, 0.7])]
    >>> counted = sum(AggregatedScores.from_arrays(y_true, y_score) for y_true, y_score in pieces)
    >>> counted
    AggregatedScores(6 cases in 4 groups)
    >>> counted.y_true, counted.y_score, counted.sample_weight
    (array([0, 0, 1, 1]), array([0.1, 0.2, 0.2, 0.7]), array([1, 2, 1, 2]))
    >>> round(float(bootstrap_auc(**counted)), 3)
    0.889
    """

    cases: Cases
    edges: Edges

    def _compared(self) -> dict[str, object]:
        return {"y_true": self.y_true, **self.cases.columns, "sample_weight": self.sample_weight, "edges": self.edges}

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        *y_scores: ArrayLike,
        bins: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> AggregatedScores:
        """Count the cases in arrays; narwhals is not needed.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels, at most two distinct ones; a piece of a stream may have a single one.
        *y_scores : one or two array-likes of shape (n_samples,)
            Finite scores of one model or of two.
        bins : None, int, array-like of shape (n_edges,) or tuple of two of these, default=None
            As in :func:`aggregate_scores`. Pieces can be added if they have the same edges.
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights, whole numbers.

        Returns
        -------
        AggregatedScores

        Raises
        ------
        ValueError, TypeError
            If labels, scores, weights or bins are not as described.

        Examples
        --------
        >>> from skcostci import AggregatedScores
        >>> AggregatedScores.from_arrays([0, 0, 1, 1], [0.12, 0.14, 0.31, 0.9], bins=[0, 0.25, 0.5]).sample_weight
        array([2, 1, 1])
        """
        columns = {name: check_scores(name, y) for name, y in zip(score_names(len(y_scores)), y_scores, strict=True)}
        labels = plain_labels(check_label_column("y_true", y_true))
        weights = np.ones(len(labels), np.int64) if sample_weight is None else check_frequency_weights(sample_weight)
        check_lengths({"y_true": labels, **columns, "sample_weight": weights})
        there = weights > 0
        scores = {name: column[there] for name, column in columns.items()}
        edges = resolve_bins(bins, len(scores), lambda: [(column.min(), column.max()) for column in scores.values()])
        return group("y_true", labels[there], scores, weights[there], edges)

    @cached_property
    def y_true(self) -> NDArray[Any]:
        return read_only(np.asarray(self.cases.labels)[self.cases.truth.astype(np.intp)])

    @property
    def scores(self) -> tuple[Scores, ...]:
        """The columns that were counted."""
        return tuple(self.cases.columns.values())

    @property
    def sample_weight(self) -> Integers:
        """How many cases each row stands for."""
        return np.asarray(self.cases.weights)

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

        For two models there are two bounds; their sum bounds the error of the difference of the AUCs.

        Raises
        ------
        ValueError
            If all cases have one label.
        """
        bounds = tuple(
            0.0 if edges is None else self._share_of_tied_pairs(scores) / 2
            for scores, edges in zip(self.scores, self.edges, strict=True)
        )
        return bounds if len(bounds) > 1 else bounds[0]

    def keys(self) -> tuple[str, ...]:
        """The names of the arrays, which are the parameter names of the functions.

        Returns
        -------
        tuple of str
            The keyword arguments that ``**`` passes.

        Examples
        --------
        >>> from skcostci import AggregatedScores
        >>> AggregatedScores.from_arrays([0, 1, 1], [0.2, 0.2, 0.7]).keys()
        ('y_true', 'y_score', 'sample_weight')
        """
        return "y_true", *self.cases.columns, "sample_weight"

    def __getitem__(self, key: str) -> NDArray[Any]:
        if key not in self.keys():
            raise KeyError(key)
        return np.asarray(getattr(self, key))

    def __add__(self, other: object) -> AggregatedScores:
        if not isinstance(other, AggregatedScores):
            return NotImplemented
        check_same_bins(self.edges, other.edges)
        _check_comparable(self.y_true, other.y_true)
        columns = {name: np.concatenate([self[name], other[name]]) for name in self.keys()}
        return group("y_true", columns.pop("y_true"), columns, columns.pop("sample_weight"), self.edges)

    def __radd__(self, other: object) -> AggregatedScores:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # the start value of sum()

    def __repr__(self) -> str:
        binned = "" if all(edges is None for edges in self.edges) else ", binned"
        return f"AggregatedScores({self.sample_weight.sum():,} cases in {len(self.y_true):,} groups{binned})"

    def _scores_of(self, name: str) -> Scores:
        if name not in self.cases.columns:
            raise AttributeError(f"There is no {name}: the score columns are {' and '.join(self.cases.columns)}.")
        return np.asarray(self.cases.columns[name])

    def _share_of_tied_pairs(self, scores: Scores) -> float:
        """The number of pairs of a positive and a negative with equal scores over the number of all pairs."""
        _, level = np.unique(scores, return_inverse=True)
        first, second = (np.bincount(level, self.sample_weight * (self.cases.truth == kind)) for kind in (0, 1))
        if not second.any():
            raise ValueError(f"auc_error_bound needs cases with both labels, got {self.y_true[:1].tolist()[0]!r} only.")
        return float(first @ second / (first.sum() * second.sum()))


def score_names(n_columns: int) -> tuple[str, ...]:
    """The names of the score columns."""
    if n_columns not in (1, 2):
        raise ValueError(f"y_score must have one or two score columns, got {n_columns}.")
    return ("y_score",) if n_columns == 1 else ("y_score_a", "y_score_b")


def group(
    name: str, labels: NDArray[np.generic], scores: Mapping[str, Scores], weights: Integers, edges: Edges
) -> AggregatedScores:
    """Distinct groups in order, whatever the order and multiplicity of the rows; ``name`` is the labels' parameter."""
    kinds = check_two_labels(name, labels, weights)
    parts = []
    for kind in kinds:
        rows = has_label(labels, kind)
        placed = [place_in_bins(column[rows], limits) for column, limits in zip(scores.values(), edges, strict=True)]
        parts.append(_distinct(placed, weights[rows]))
    truth = np.repeat(np.arange(len(kinds)), [len(part[0]) for part in parts])
    counted, *columns = (read_only(np.concatenate(part)) for part in zip(*parts, strict=True))
    return AggregatedScores(Cases(kinds, truth, dict(zip(scores, columns, strict=True)), counted), edges)


def plain_labels(labels: NDArray[np.generic]) -> NDArray[np.generic]:
    """Objects as the dtype numpy infers, so that equal labels have one type whatever their source."""
    if labels.dtype.kind not in "OT":
        return labels
    listed = labels.tolist()
    are_text = {isinstance(label, str) for label in listed}
    plain = np.array(listed) if len(are_text) == 1 else labels
    return plain if plain.ndim == 1 else labels  # tuples would become columns


def _distinct(scores: list[Scores], cases: Integers) -> tuple[Integers, *tuple[Scores, ...]]:
    """How often each score (or pair of scores) occurs, and the distinct scores, in order."""
    order = np.argsort(scores[0]) if len(scores) == 1 else np.lexsort(scores[::-1])
    columns = [column[order] for column in scores]
    new = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    first = np.flatnonzero(np.concatenate([[True], new]))
    return np.add.reduceat(cases[order], first), *(column[first] for column in columns)


def check_two_labels(name: str, labels: NDArray[np.generic], cases: Integers) -> NDArray[np.generic]:
    """The distinct labels, at most two, in order."""
    kinds = unique_labels(name, labels)
    if len(kinds) > 2:
        counted = [(kind, cases[has_label(labels, kind)].sum()) for kind in kinds[:SHOWN].tolist()]
        shown = ", ".join(f"{kind!r} ({number:,} cases)" for kind, number in counted)
        raise ValueError(f"{name} must be binary, got {len(kinds)} labels: {shown}{', ...' * (len(kinds) > SHOWN)}.")
    return kinds


def _check_comparable(a: NDArray[np.generic], b: NDArray[np.generic]) -> None:
    """Check that labels can be equal: numpy would convert numbers to strings next to strings."""
    kinds = ["number" if labels.dtype.kind in "biuf" else labels.dtype.kind for labels in (a, b)]
    if kinds[0] != kinds[1]:
        raise TypeError(f"Counts must have labels of the same kind to be added, got {a.dtype} and {b.dtype} labels.")


def resolve_bins(bins: Any, n_columns: int, ranges: Callable[[], Ranges]) -> Edges:
    """The edges for each score column; ``ranges`` is called only if bins are given by their number."""
    rules = bins if n_columns == 2 and isinstance(bins, tuple) else (bins,) * n_columns
    if len(rules) != n_columns:
        raise ValueError(f"bins as a tuple must contain two entries, for model a and for model b, got {len(rules)}.")
    if not any(is_whole_number(rule) for rule in rules):
        return tuple(None if rule is None else _check_edges(rule) for rule in rules)
    found = ranges()
    return tuple(
        _equal_width(rule, *limits) if is_whole_number(rule) else None if rule is None else _check_edges(rule)
        for rule, limits in zip(rules, found, strict=True)
    )


def _check_edges(edges: ArrayLike) -> Floats:
    """Ascending finite edges; infinite ones are dropped, as no score lies beyond them."""
    array = check_not_nan("bins", edges, most=MOST_BINS)
    if array.ndim != 1:
        raise ValueError(f"bins must be None, a whole number or a vector of edges, got {edges!r}.")
    if not (np.diff(array) > 0).all():
        raise ValueError("bins as edges must be strictly increasing.")
    finite = array[np.isfinite(array)]
    if not len(finite):
        raise ValueError("bins as edges must contain at least one finite edge.")
    return read_only(finite)


def _equal_width(bins: int, low: float, high: float) -> Floats:
    """The lower edges of bins of equal width."""
    check_count("bins", bins, least=1, most=MOST_BINS)
    if not np.isfinite(float(high) - float(low)):
        raise ValueError(
            f"bins must be given as edges if scores range as widely as from {low} to {high}, got {bins!r}."
        )
    return read_only(np.unique(np.linspace(low, high, bins + 1)[:-1]))


def check_same_bins(a: Edges, b: Edges) -> None:
    """Raise unless counts have the same score columns and bins, and can be added."""
    if len(a) != len(b):
        raise ValueError(f"Counts must have the same number of score columns to be added, got {len(a)} and {len(b)}.")
    mine, others = ([None if limits is None else limits.tolist() for limits in edges] for edges in (a, b))
    if mine != others:
        raise ValueError("Counts must have the same bins to be added: pass the same edges as bins for each part.")


def place_in_bins(scores: Scores, edges: Floats | None) -> Scores:
    """The scores that represent bins: the last edge not above a score, or a value just below the first edge.

    An edge is compared as a threshold is, so that a score and its bin reach the same edges.
    """
    if edges is None:
        return np.asarray(scores + 0.0)  # -0.0 becomes 0.0
    levels = np.concatenate([[np.nextafter(edges[0], -np.inf)], edges])
    return np.asarray(levels[np.searchsorted(in_precision_of(scores, edges), scores, "right")])
