"""Levels of a second factor, such as readers, judges or seeds, that is crossed with groups of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Integers
from skcostci._options import Label
from skcostci._validation._arguments import refuse_beside
from skcostci._validation._labels import check_names, number_labels
from skcostci._warnings import warn_caller

MOST_LEVELS = 1_000
FEW = "crossed= has two levels, {0!r} and {1!r}: 95 % intervals covered the true value in 64 to 89 % of samples."
WHICH = "crossed= needs groups=, which says to which case, question or item each row belongs."
REFUSED = {
    "folds": "levels of crossed= are treated as a random sample, but folds are fixed",
    "sample_weight": "a row is one case of its group at its level; repeat rows that occur several times",
}


class CrossedLevels(NamedTuple):
    """The level of each row, from 0 on, and the names of the levels."""

    numbers: Integers
    names: tuple[Label, ...]

    @property
    def each_row(self) -> NDArray[np.generic]:
        names = np.empty(len(self.names), dtype=object)
        names[:] = self.names
        return names[self.numbers]

    @property
    def rows(self) -> list[Integers]:
        order = np.argsort(self.numbers, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.numbers))[:-1])


def check_levels(crossed: ArrayLike, groups: NDArray[np.generic] | None, **refused: object) -> CrossedLevels | None:
    """Levels crossed with groups, with several groups each; None for a single level, which is no factor."""
    if groups is None:
        raise ValueError(WHICH)
    refuse_beside("crossed", refused, REFUSED)
    names, numbers = check_names("crossed", crossed)
    if len(numbers) != len(groups):
        raise ValueError(f"crossed and groups must have the same length, got {len(numbers)} and {len(groups)}.")
    known = tuple(names[place] for place in np.flatnonzero(np.bincount(numbers)))
    numbers, units = number_labels(numbers), number_labels(groups)
    n_levels, n_units = len(known), int(units.max()) + 1
    if n_levels == 1:
        warn_caller(f"crossed= has one level, {known[0]!r}: the result is that of groups= alone.", UserWarning)
        return None
    if n_levels > min(n_units, MOST_LEVELS):
        most = f"at most {MOST_LEVELS:,} levels, and no more than groups"
        raise ValueError(f"crossed= must have {most}, got {n_levels:,} and {n_units:,} groups: are they swapped?")
    pairs = np.bincount(numbers * n_units + units, minlength=n_levels * n_units).reshape(n_levels, n_units) > 0
    if pairs.sum() == n_units:
        raise ValueError("crossed= must be crossed with groups=, but each group has one level: pass it as groups=.")
    if (met := pairs.sum(axis=1)).min() == 1:
        raise ValueError(f"every level of crossed= needs two groups; {known[met.argmin()]!r} has one: leave it out.")
    if n_levels == 2:
        warn_caller(FEW.format(*known), UserWarning)
    return CrossedLevels(numbers, known)


def check_classes_of_each(what: str, truth: Integers, numbers: Integers, names: Sequence[object]) -> None:
    k = max(int(truth.max()) + 1, 2)
    counts = np.bincount(k * numbers + truth, minlength=k * len(names)).reshape(-1, k)
    if (lacking := (counts == 0).any(axis=1)).any():
        place, (word, *_) = int(lacking.argmax()), what.split()
        every, has = ("both classes", "one") if k == 2 else ("every class", f"{int((counts[place] > 0).sum())} of {k}")
        raise ValueError(f"every {what} must contain {every}; {word} {names[place]!r} has {has}: leave it out.")
