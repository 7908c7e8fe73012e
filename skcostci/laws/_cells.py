"""From counted cells and what each is worth to the law of their sum."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._linear import LinearLaw
from skcostci.laws._stratum import Stratum

# Of a class's cells, hit by both models, by a alone, by b alone and by neither: which are hits of a, and which of b.
HITS = np.array([[1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool)


def linear_law(
    counts: Integers | Floats, values: Floats, possible: Booleans, sampling: str = "stratified"
) -> LinearLaw:
    """The law of the shares of cells times their values, arrays of shape (n_points, n_cells).

    The cells are TP, FN, FP and TN or, of two models, those that both, a, b and neither hit of either class. Shares are
    those in a class or, under full sampling, among all cases. A class in which no cell has a value is left out.
    """
    strata = tuple(class_stratum(counts[:, part], values[:, part], possible[:, part]) for part in classes_of(counts))
    if sampling == "full":
        strata = (_together(strata),)
    return LinearLaw(tuple(part for part in strata if part.values.any()) or strata, _agresti(counts.shape[1] // 2))


def count_law(counts: Floats, weights: Floats, possible: Booleans, sampling: str) -> LinearLaw:
    """The law of the weighted counts of cells."""
    parts = [slice(None)] if sampling == "full" else classes_of(counts)
    draws = [np.full(counts[0, part].shape, counts[0, part].sum()) for part in parts]
    return linear_law(counts, weights * np.concatenate(draws), possible, sampling)


def rate_law(counts: Integers | Floats, possible: Booleans) -> LinearLaw:
    """The law of the share of a class that is hit; of two models, of a's share less b's."""
    n_cells = counts.shape[1]
    values = np.array([1.0, 0.0]) if n_cells == 2 else HITS[0].astype(float) - HITS[1]
    return LinearLaw((class_stratum(counts, values, possible),), _agresti(n_cells))


def pooled_law(observed: Floats, values: Floats, *, smoothing: float) -> LinearLaw:
    """The law of the average value of as many draws as there are cases, so many pseudo-cases in each cell."""
    prior = np.full(observed.shape, 1 / observed.shape[1])
    draws = round(float(observed[0].sum()))
    return LinearLaw((Stratum(observed + smoothing, values, prior, draws, observed),), agresti=0.0)


def class_stratum(counts: Integers | Floats, values: Floats, possible: Booleans) -> Stratum:
    """A class resampled to its own size."""
    prior = possible / possible.sum(axis=1, keepdims=True)
    seen = counts.astype(np.float64)
    return Stratum(seen, np.broadcast_to(values, counts.shape), prior, int(counts[0].sum()), seen)


def classes_of(cells: NDArray[Any]) -> tuple[slice, slice]:
    """The columns of the positives, and those of the negatives."""
    half = cells.shape[1] // 2
    return slice(0, half), slice(half, None)


def by_cell(weights: NDArray[Any], hits: Booleans) -> NDArray[Any]:
    """What the eight cells of a pair weigh, from the four of the model with these hits."""
    return np.asarray(np.hstack([np.where(hits, weights[:, [hit]], weights[:, [hit + 1]]) for hit in (0, 2)]))


def less(of_a: Floats, of_b: Floats) -> Floats:
    """What the eight cells of a pair weigh in a difference, from what the four of either model do."""
    return np.asarray(by_cell(of_a, HITS[0]) - by_cell(of_b, HITS[1]))


def _agresti(n_cells: int) -> float:
    """How many pseudo-cases Agresti's intervals add to a class: 4 for one model, 2 for a pair."""
    return 4.0 if n_cells == 2 else 2.0


def _together(classes: tuple[Stratum, ...]) -> Stratum:
    """All classes resampled together."""
    counts, values, prior = (
        np.hstack(parts) for parts in zip(*((c.counts, c.values, c.prior) for c in classes), strict=True)
    )
    return Stratum(counts, values, prior, sum(part.draws for part in classes), counts)
