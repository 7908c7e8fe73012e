"""Bins that keep the counts of scores few."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import read_only
from skcostci._validation import Floats, Scores, check_count, check_not_nan, in_precision_of, is_whole_number

MOST_BINS = 30_000_000  # whose edges still fit the memory of one process

Edges = tuple[Floats | None, ...]  # of each score column; None where equal scores are grouped
Ranges = list[tuple[float, float]]  # of each score column, the least and the largest score


def resolve_bins(bins: Any, n_columns: int, ranges: Callable[[], Ranges]) -> Edges:
    """The edges for each score column; ``ranges`` is asked only if bins are a number of them."""
    rules = bins if n_columns == 2 and isinstance(bins, tuple) else (bins,) * n_columns
    if len(rules) != n_columns:
        raise ValueError(f"bins as a tuple must hold two, model a's and model b's, got {len(rules)}.")
    if not any(is_whole_number(rule) for rule in rules):
        return tuple(None if rule is None else _check_edges(rule) for rule in rules)
    found = ranges()
    return tuple(
        _equal_width(rule, *limits) if is_whole_number(rule) else None if rule is None else _check_edges(rule)
        for rule, limits in zip(rules, found, strict=True)
    )


def _check_edges(edges: ArrayLike) -> Floats:
    """Ascending finite edges; infinite ones part nothing from nothing."""
    array = check_not_nan("bins", edges, most=MOST_BINS)
    if array.ndim != 1:
        raise ValueError(f"bins must be None, a whole number or a vector of edges, got {edges!r}.")
    if not (np.diff(array) > 0).all():
        raise ValueError("bins as edges must ascend, without repeats.")
    finite = array[np.isfinite(array)]
    if not len(finite):
        raise ValueError("bins as edges must hold at least one finite edge.")
    return read_only(finite)


def _equal_width(bins: int, low: float, high: float) -> Floats:
    """The lower edges of bins of one width."""
    check_count("bins", bins, least=1, most=MOST_BINS)
    if not np.isfinite(float(high) - float(low)):
        raise ValueError(f"bins must be edges where scores are as far apart as {low} and {high}, got {bins!r}.")
    return read_only(np.unique(np.linspace(low, high, bins + 1)[:-1]))


def check_same_bins(a: Edges, b: Edges) -> None:
    """Counts add up only if they are counts of the same thing."""
    if len(a) != len(b):
        raise ValueError(f"Counts of {len(a)} score column(s) and of {len(b)} do not add up.")
    mine, others = ([None if limits is None else limits.tolist() for limits in edges] for edges in (a, b))
    if mine != others:
        raise ValueError("Counts in different bins do not add up: pass the same edges as bins to each piece.")


def place_in_bins(scores: Scores, edges: Floats | None) -> Scores:
    """Where the bins of scores stand: at the last edge not above them, or just below the first.

    An edge is compared as a threshold is, so that a score and its bin reach the same edges.
    """
    if edges is None:
        return np.asarray(scores + 0.0)  # one zero of two
    levels = np.concatenate([[np.nextafter(edges[0], -np.inf)], edges])
    return np.asarray(levels[np.searchsorted(in_precision_of(scores, edges), scores, "right")])
