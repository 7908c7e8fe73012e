"""What is found of positives tied with negatives, in orthogonal polynomials of one degree after another.

Groups are worked out together that need as many nodes: exactly (:mod:`._tied_terms`) or roughly
(:mod:`._gamma_terms`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._gamma_terms import GammaTerms
from skcostci.laws._groups import Groups
from skcostci.laws._ranked_curve import RankedCurve
from skcostci.laws._series import TiedPrecision
from skcostci.laws._tied_terms import TiedTerms, count_of_numbers, values_that_matter

NODES = 3, 7  # of shares of positives, in groups of less and of more than
SMALL = 1.0  # deviations of a rank


def share_terms(
    groups: Groups, alone: Booleans, ranks: RankedCurve, across: int, precision: TiedPrecision
) -> Iterator[Floats]:
    """Terms of degree 1, 2, ... of all groups, of shape (across + 1, n_ranks, n_groups), but for their sign.

    ``alone`` says of which groups those with values of the first function alone are looked at.
    """
    sorts = _sorts(groups, alone, precision)
    met = [_met(groups.of(some), ranks) for some in sorts]
    each_sort = (
        _alike(groups.of(some), bool(alone[some[0]]), ranks.t[at], across, precision)
        for some, at in zip(sorts, met, strict=True)
    )
    for parts in zip(*each_sort, strict=True):
        every = np.zeros((across + 1, len(ranks.t), len(alone)))
        for some, at, part in zip(sorts, met, parts, strict=True):
            every[: len(part), at.T, some] = part
        yield every


def _sorts(groups: Groups, alone: Booleans, precision: TiedPrecision) -> list[Integers]:
    """Which groups need as many nodes and are alike."""
    rough = _rough(groups, precision)
    exact, values = (_scale(each(groups, precision)) for each in (count_of_numbers, values_that_matter))
    nodes = np.where(rough, groups.size < SMALL * groups.rank_spread, exact)
    like = np.array([alone, rough, groups.at_end, nodes, np.where(rough | groups.at_end, 0.0, values)])
    sorts, which = np.unique(like, axis=1, return_inverse=True)
    return [np.flatnonzero(which.ravel() == each) for each in range(sorts.shape[1])]


def _scale(count: Floats) -> Floats:
    """Which power of four it is, no less."""
    return np.ceil(np.log2(count) / 2)


def _met(groups: Groups, ranks: RankedCurve) -> Integers:
    """Ranks that may lie in each group, for all groups as many, shape (n_groups, n_met)."""
    (low, high), (start, end) = ranks.spans, groups.ends
    first, last = np.searchsorted(high, start), np.searchsorted(low, end, "right")
    size = max(int((last - first).max()), 1)
    return np.asarray(np.minimum(first, len(low) - size)[:, None] + np.arange(size))


def _alike(groups: Groups, alone: bool, t: Floats, across: int, precision: TiedPrecision) -> Iterator[Floats]:
    """Those of groups that need as many nodes, each at ranks of its own."""
    values = 0 if alone else across
    if _rough(groups, precision)[0]:
        return GammaTerms(groups, t, values, NODES[int(groups.size[0] >= SMALL * groups.rank_spread[0])]).degrees
    return TiedTerms(groups, t, values, precision).degrees


def _rough(groups: Groups, precision: TiedPrecision) -> Booleans:
    """Which groups are looked at roughly."""
    deviations, variances = precision.rough
    most = np.minimum(deviations * groups.rank_spread, variances * groups.rank_spread**2)
    return np.asarray((groups.size <= most) & groups.smooth)
