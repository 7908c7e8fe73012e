"""The upper convex hull of a rising staircase: of an ROC curve, and so the lower envelope of its cost lines."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from skcostci._validation import Booleans, Floats, Integers, Weights


def upper_hull(x: Weights, y: Weights) -> Integers:
    """Positions of the hull's vertices among points that never step left or down, without those inside an edge.

    The slopes of the hull's edges are the antitonic regression of the slopes of the steps, which is linear time. Share
    of rise in (rise + run) stands for the slope, so that upright steps are finite.
    """
    run, rise = np.diff(x), np.diff(y)
    moves = np.flatnonzero(run + rise > 0)
    if len(moves) == 0:
        return np.zeros(1, dtype=np.int64)
    length = (run + rise)[moves].astype(np.float64)
    blocks = isotonic_regression(rise[moves] / length, weights=length, increasing=False).blocks
    vertices = np.append(moves[blocks[:-1]], moves[-1] + 1)
    while (straight := _is_straight(x[vertices], y[vertices])).any():
        vertices = vertices[~straight]
    return np.asarray(vertices, dtype=np.int64)


def breakpoints(fp: Weights, tp: Weights, negatives: float, positives: float) -> Floats:
    """The operating conditions at which neighbouring vertices of an ROC hull cost the same."""
    run, rise = np.diff(fp).astype(np.float64) * positives, np.diff(tp).astype(np.float64) * negatives
    return np.asarray(run / (run + rise))


def _is_straight(x: Weights, y: Weights) -> Booleans:
    """Which vertices do not bend to the right; never an end."""
    run, rise = np.diff(x), np.diff(y)
    bends = rise[:-1] * run[1:] > rise[1:] * run[:-1]
    return np.concatenate([[False], ~bends, [False]])
