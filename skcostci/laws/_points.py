"""Questions to laws at many points side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Floats, Integers


def at_points(x: Floats, answers: Callable[[int, Floats], ArrayLike]) -> Floats:
    """What each point answers about its values, x of shape (..., n_points); an answer may be several numbers."""
    columns = np.reshape(x, (-1, np.shape(x)[-1])).T
    found = np.array([answers(i, column) for i, column in enumerate(columns)], dtype=np.float64)
    return np.swapaxes(found, 0, 1).reshape(np.shape(x) + found.shape[2:])


def split_at(below: Floats, up_to: Floats) -> tuple[Floats, Floats, Floats]:
    """P(X < x), P(X = x) and P(X > x) from P(X < x) and P(X <= x)."""
    return below, np.maximum(up_to - below, 0.0), 1.0 - up_to


def runs(first: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """So many consecutive numbers from each first one on, one after another: which run each is of, and the numbers."""
    which, numbers = np.repeat([np.arange(len(sizes)), first - np.cumsum(sizes) + sizes], sizes, axis=1)
    numbers += np.arange(len(numbers))
    return which, numbers


def in_blocks(points: Integers, lengths: Integers, cells: int, order: Integers | None = None) -> Iterator[Integers]:
    """The points in blocks of similar lengths, or in this order, as many together as have about so many cells, or one.

    ``lengths`` and ``order`` have an entry for every point there is.
    """
    if len(points):
        ordered = points[np.argsort((lengths if order is None else order)[points], kind="stable")]
        before = np.cumsum(lengths[ordered]) - lengths[ordered]
        yield from np.split(ordered, np.flatnonzero(np.diff(before // cells)) + 1)
