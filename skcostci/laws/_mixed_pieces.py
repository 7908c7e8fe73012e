"""The law of a difference from the worth of the positives to pairs of pieces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from skcostci._validation import Floats
from skcostci.laws._mixture import Masses, whole_masses

NOISE = 1e-16  # what rounding leaves of the probability of a pair of pieces that cannot occur
FRACTION = 16  # Gaussians whose means are closer than such a fraction of a case are brought together
SIGMAS = np.linspace(-8.5, 8.5, 1025)


def mixed_masses(weights: Floats, first: Floats, second: Floats, draws: int, pseudo: float) -> Masses:
    """Of pairs of pieces by probability, and the positives by worth and by its square: the law of the sum of draws.

    Where all are worth 1, 0 or -1 that is exact; to other pairs a Gaussian is given, with the right two moments.
    """
    kept = np.abs(weights) > NOISE
    weights, first, second = weights[kept], first[kept], second[kept]
    up, down = (second + first) / 2, (second - first) / 2
    whole = (np.abs(up - np.rint(up)) + np.abs(down - np.rint(down)) < 1e-9) & (np.minimum(up, down) > -0.5)
    parts = list(_gaussian_parts(weights[~whole], first[~whole], second[~whole] + 2 * pseudo, draws))
    if not whole.any():
        return Masses.merged(parts)
    cells = _grouped(weights[whole], np.rint(up[whole]), np.rint(down[whole]))
    law = whole_masses(cells[0], (cells[1] + pseudo) / draws, (cells[2] + pseudo) / draws, draws, True)
    return Masses.merged([law, *parts]) if parts else Masses(*law)


def _gaussian_parts(weights: Floats, first: Floats, second: Floats, draws: int) -> Iterator[tuple[Floats, Floats]]:
    """Gaussians on a grid, those with nearly the same mean together."""
    if not len(weights):
        return
    _, place = np.unique(np.rint(FRACTION * first), return_inverse=True)
    total = np.bincount(place, weights)
    mean, square = (np.bincount(place, weights * each) / total for each in (first, first**2))
    within = np.bincount(place, weights * (second - first**2 / draws)) / total
    deviation = np.sqrt(np.maximum(within, 0.0) + np.maximum(square - mean**2, 0.0))
    masses = np.diff(ndtr(SIGMAS))
    values = np.add.outer(mean, np.zeros(len(masses))) + np.multiply.outer(deviation, (SIGMAS[1:] + SIGMAS[:-1]) / 2)
    yield values.ravel(), np.multiply.outer(total, masses / masses.sum()).ravel()


def _grouped(weights: Floats, up: Floats, down: Floats) -> tuple[Floats, Floats, Floats]:
    """Pairs with the same counts merged, where a table of the counts is no larger than that of the pairs."""
    rows, columns = ((each - each.min()).astype(np.int64) for each in (up, down))
    width = int(columns.max()) + 1
    keys = rows * width + columns
    if int(keys.max()) > 4 * keys.size:
        return weights, up, down
    merged: Floats = np.asarray(np.bincount(keys, weights), dtype=np.float64)
    (codes,) = np.nonzero(np.abs(merged) > NOISE)
    more_up, more_down = np.divmod(codes, width)
    return merged[codes], np.asarray(up.min() + more_up), np.asarray(down.min() + more_down)
