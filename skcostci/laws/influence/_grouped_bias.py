"""The bias of average precision where groups of cases are resampled, to second order.

A group j whose weight grows by e adds e times its own counts: with A_j and B_j its positives and negatives at or above
a level, a_j its positives at that level, m_j and n_j its class sizes, A becomes A + e A_j, and so on. With C = r B,
W = A + C and P = A / W, the precision at a level, all as in ``_areas``,

    r' = r (m_j/m - n_j/n),                     r'' = 2 r n_j/n (n_j/n - m_j/m),           both 0 where r = 1,
    C' = r' B + r B_j,                          C'' = r'' B + 2 r' B_j,
    P' = N / W^2,  N = C A_j - A C',            P'' = -A C'' / W^2 - 2 N (A_j + C') / W^3,

and for AP = S / m, S = sum of a P over levels,

    S' = sum (a_j P + a P'),   S'' = sum (2 a_j P' + a P''),   AP'' = (S'' - 2 S' m_j/m + 2 S m_j^2/m^2) / m.

The bias is half the sum of AP'' over groups: their weights in a resample have variance 1 and a fixed sum, and AP does
not change if all weights change alike. N, A_j + C' and r' are linear in (A_j, B_j, m_j, n_j), so that per level only
the second moments of these four over groups are needed: running sums over cases, whatever the number of groups.
"""

from __future__ import annotations

import numpy as np

from skcostci._arrays import Floats, Integers


def bias_of_groups(
    levels: Integers, positive: Floats, negative: Floats, groups: Integers, odds: float | None = None
) -> float:
    """The bias, from the level of each row (0 the best), its numbers of positives and negatives, and its group."""
    n_levels = int(levels.max()) + 1
    a, b = (np.bincount(levels, each, n_levels) for each in (positive, negative))
    sizes = np.array([np.bincount(groups, each) for each in (positive, negative)])
    (m, n), (above, below) = sizes.sum(axis=1), (np.cumsum(a), np.cumsum(b))
    r = 1.0 if odds is None else float(odds * m / n)
    moments, at_level = _moments(levels, np.array([positive, negative]), groups, sizes, n_levels)

    zero, one = np.zeros(n_levels), np.ones(n_levels)
    mix = np.array([zero, zero, one / m, -one / n]) * (0.0 if odds is None else r)  # r'
    lowered = below * mix + r * np.array([zero, one, zero, zero])  # C'
    own = np.array([one, zero, zero, zero])
    whole = np.where(a > 0, above + r * below, 1.0)  # levels without positives do not count: 1 keeps 0 / 0 away
    turned = r * below * own - above * lowered  # N
    bent = -2 * _form(turned, moments, own + lowered) / whole**3
    if odds is not None:
        share = np.array([zero, zero, zero, one / n])
        second = -2 * below * _form(share, moments, mix) + 2 * _form(mix, moments, np.array([zero, one, zero, zero]))
        bent -= above * second / whole**2
    precision = np.where(a > 0, above / whole, 0.0)
    curved = float((2 * (turned * at_level).sum(axis=0) / whole**2 + a * bent).sum())
    # sum over groups of S' m_j: the part a_j P by rows, the part a P' by the moments with m_j
    tilted = float(precision @ np.bincount(levels, positive * sizes[0][groups], n_levels))
    tilted += float((a / whole**2) @ _form(turned, moments, np.array([zero, zero, one, zero])))
    reached, squares = float(a @ precision), float(sizes[0] @ sizes[0])
    return float((curved - 2 * tilted / m + 2 * reached * squares / m**2) / (2 * m))


def _moments(levels: Integers, counts: Floats, groups: Integers, sizes: Floats, n_levels: int) -> tuple[Floats, Floats]:
    """Sums over groups at each level of products of (A_j, B_j, m_j, n_j), and of a_j with each, row by row."""
    order = np.lexsort((levels, groups))
    levels, counts, groups = levels[order], counts[:, order], groups[order]
    at_once = np.flatnonzero(np.diff(groups, prepend=-1) | np.diff(levels, prepend=-1))  # one per group and level
    counts = np.add.reduceat(counts, at_once, axis=1)
    levels, groups = levels[at_once], groups[at_once]
    up_to = np.cumsum(counts, axis=1)
    first = np.flatnonzero(np.diff(groups, prepend=-1))
    up_to -= np.repeat((up_to - counts)[:, first], np.diff(first, append=len(groups)), axis=1)
    now, before = (np.concatenate([part, sizes[:, groups]]) for part in (up_to, up_to - counts))
    products = np.empty((4, 4, n_levels))
    for i in range(4):
        for j in range(4):
            fixed = float(sizes[i - 2] @ sizes[j - 2]) if min(i, j) > 1 else None
            change = now[i] * now[j] - before[i] * before[j]
            products[i, j] = np.cumsum(np.bincount(levels, change, n_levels)) if fixed is None else fixed
    return products, np.array([np.bincount(levels, counts[0] * each, n_levels) for each in now])


def _form(left: Floats, moments: Floats, right: Floats) -> Floats:
    """The sum over groups of the product of two linear forms, at each level."""
    return np.asarray(np.einsum("il,ijl,jl->l", left, moments, right))
