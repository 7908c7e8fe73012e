"""Placements of cases by the groups they belong to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats
from skcostci.cases._cases import Cases

MOST_GROUPS, MOST_COMPARED = 128, 2**24  # groups, and groups times cases, for which pairs of groups are compared


class GroupedPlacements(NamedTuple):
    """Of each group: its positives and negatives, what the former win over and what the latter lose to.

    These are sums of the placements of the cases, shares of all cases of the other class, a tie counting 1/2. ``pairs``
    are the wins of the positives of a group (rows) over the negatives of another, None where groups are too many.
    """

    positives: Floats
    negatives: Floats
    won: Floats
    lost: Floats
    pairs: Floats | None


def place_groups(cases: Cases, column: str) -> GroupedPlacements:
    """From the placements of the distinct scores to those of groups."""
    counts, rows, weights = cases.counts(column, ranked=True), cases.positive, cases.frequencies
    placed, sizes = counts.placements, cases.sizes
    classes = (
        (counts.positive, rows, placed.half_wins_positive / (2 * sizes[1])),
        (counts.negative, ~rows, placed.half_losses_negative / (2 * sizes[0])),
    )
    held, sums = [], []
    for part, which, share in classes:
        groups, times = np.asarray(cases.groups)[which], weights[which].astype(np.float64)
        held.append(np.bincount(groups, times, cases.n_groups).astype(np.float64))
        sums.append(np.bincount(groups, times * share[np.asarray(part.rank)], cases.n_groups).astype(np.float64))
    few = cases.n_groups <= MOST_GROUPS and cases.n_groups * len(rows) <= MOST_COMPARED
    return GroupedPlacements(held[0], held[1], sums[0], sums[1], _pairs(cases, column) if few else None)


def _pairs(cases: Cases, column: str) -> Floats:
    """The wins of each group over each, one column of losers at a time."""
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


def less(a: GroupedPlacements, b: GroupedPlacements) -> GroupedPlacements:
    """What the placements under one score have over those under another."""
    pairs = None if a.pairs is None or b.pairs is None else a.pairs - b.pairs
    return GroupedPlacements(a.positives, a.negatives, a.won - b.won, a.lost - b.lost, pairs)
