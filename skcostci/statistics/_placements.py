"""The laws of the AUC of two classes, and of a difference of two, from placements counted at distinct scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from skcostci._arrays import Floats, Integers
from skcostci.cases._counts import Placements
from skcostci.cases._paired import PairedPlacements
from skcostci.laws.influence._first_order import Units
from skcostci.laws.influence._ranks import AUCLaw


def law_of_placements(placed: Placements, sampling: str) -> AUCLaw:
    """From the cases at each distinct score, the pairs they win and the order of the scores."""
    cases, cases_negative, half_wins, half_losses, first_not_below, level = placed
    m, n = int(cases.sum()), int(cases_negative.sum())
    a, b = cases.astype(np.float64), cases_negative.astype(np.float64)
    lost, lost_to = (2 * n - half_wins) / (2 * n), (2 * m - half_losses) / (2 * m)
    mean, complement = _shares(float(a @ half_wins) / (2 * m * n), float(a @ lost) / m)
    tied = float((a[level] * b[first_not_below[level]] / (m * n)).sum())
    strata = (
        _placed(np.subtract(complement, lost, out=lost), a, half_wins, mean, 2 * n, (0.0, 1.0)),
        _placed(np.subtract(complement, lost_to, out=lost_to), b, half_losses, mean, 2 * m, (0.0, 1.0)),
    )
    return AUCLaw.of(mean, complement, strata, _kernel_variance(mean, complement, tied), sampling, (0.0, 1.0))


def law_of_difference(paired: PairedPlacements, sampling: str) -> AUCLaw:
    """From the cases per pair of scores and half wins (losses) under a and b; whole totals to the end."""
    of_a, of_b, positive, negative, half_wins_both = paired
    a, b = (law_of_placements(each, sampling) for each in (of_a, of_b))
    (m, n), (won_a, won_b) = a.sizes, (of_a.half_wins, of_b.half_wins)
    pairs, excess = m * n, won_a - won_b
    squares = 2 * (won_a + won_b - half_wins_both) - of_a.tied_pairs - of_b.tied_pairs
    more_wins = of_a.half_wins_positive[positive.rank_a] - of_b.half_wins_positive[positive.rank_b]
    more_losses = of_a.half_losses_negative[negative.rank_a] - of_b.half_losses_negative[negative.rank_b]
    mean, found, differing = excess / (2 * pairs), [], []
    for more, cases, whole in ((more_wins, positive.cases, 2 * n), (more_losses, negative.cases, 2 * m)):
        size = int(cases.sum())
        x = more / whole - excess / (size * whole)
        found.append(_placed(x, cases, more, mean, whole, (-1.0, 1.0), thirds=True))
        differing.append(float(cases[more != 0].sum()))
    psi2 = (squares * pairs - excess**2) / (4 * pairs**2)
    law = AUCLaw.of(mean, 1 - mean, (found[0], found[1]), psi2, sampling, (-1.0, 1.0))
    return replace(law, paired=True, differing=tuple(differing), a=a, b=b)


def _placed(
    x: Floats,
    cases: Integers | Floats,
    half_wins: Integers,
    mean: float,
    whole: int,
    ends: tuple[float, float],
    *,
    thirds: bool = False,
) -> Units:
    """The units of a class, from their deviations x; an unseen one has all of its pairs at the end of the range."""
    size, some = float(cases.sum()), half_wins[cases > 0]
    square = x * x  # powers take ten times as long
    third = np.array([cases @ (square * x) / size if thirds else np.nan])
    seen = (np.array([some.min() / whole - mean]), np.array([some.max() / whole - mean]))
    worst, best = (np.array([end - mean]) for end in ends)
    return Units(size, size, np.array([cases @ square / size]), third, np.full(1, np.nan), *seen, worst, best)


def _shares(won: float, lost: float) -> tuple[float, float]:
    """Two shares that add up to 1: the smaller one, which is the more precise, decides."""
    return (1 - lost, lost) if lost < won else (won, 1 - won)


def _kernel_variance(mean: float, complement: float, tied: float) -> float:
    """From the shares of pairs won, tied and lost."""
    won, lost = max(mean - tied / 2, 0.0), max(complement - tied / 2, 0.0)
    return won * complement**2 + tied * (0.5 - mean) ** 2 + lost * mean**2
