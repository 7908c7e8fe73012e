"""Limits of statistics known by the worths of their units: the bound of an unseen unit, or the record form.

Between two known ends one more unit may be the worst, or the best, that there can be: the bound of `_unseen`. Without
ends (a squared error, R2) no interval can hold whatever the population is (Bahadur and Savage 1956): the unseen unit is
taken for one as far from the others as the furthest that was seen, by the formula of `_extrapolated`. What a rare, far
larger error would do is then not held.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._extrapolated import extrapolated, extrapolated_tails
from skcostci.intervals._method import Tails
from skcostci.intervals._unseen import OF_RANKS, unseen_unit
from skcostci.laws import Differences, FirstOrderLaw


def unseen_worth(law: FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    """One unit more, a case or a group, may be at its end."""
    return unseen_unit(law, alpha, side, OF_RANKS)


@dataclass(frozen=True)
class _Point:
    """A law at one point, as the record form asks for it."""

    mean: float
    variance: float
    support: tuple[float, float]
    differences: tuple[Differences, ...]


def _points(law: FirstOrderLaw) -> list[_Point | None]:
    """None where nothing differs, and nothing is told of how far anything may."""
    least, most = law.ends
    every = zip(law.estimate.tolist(), law.variance.tolist(), strict=True)
    return [
        _Point(mean, variance, (least, most), law.differences(place)) if variance > 0 else None
        for place, (mean, variance) in enumerate(every)
    ]


@extrapolated.register
def record(law: FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    """The record form at each point; the end of the range where all units are alike."""
    alphas = np.broadcast_to(alpha, np.broadcast_shapes(np.shape(alpha), law.estimate.shape))
    limits = [
        np.broadcast_to(law.ends[side > 0], alphas[..., place].shape)
        if point is None
        else extrapolated(point, alphas[..., place], side)
        for place, point in enumerate(_points(law))
    ]
    return np.stack(limits, axis=-1)


@extrapolated_tails.register
def record_tails(law: FirstOrderLaw, x: float) -> Tails:
    """In closed form; nothing is left out where all units are alike."""
    found = [(np.asarray(1.0),) * 2 if point is None else extrapolated_tails(point, x) for point in _points(law)]
    lower, upper = (np.array([tails[side] for tails in found]) for side in (0, 1))
    return lower, upper
