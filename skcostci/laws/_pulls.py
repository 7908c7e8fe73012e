"""What one negative drawn does to the hits of a curve, in the mean: their part that is linear in the counts drawn.

Of n draws A fall before a segment and B in it, and the curve ends there where A < t <= A + B. What is in a segment or
before it is a share of what is drawn there. So what the hits are in the mean, given that one draw is such a negative,
follows from P(end there), from the means of A and B over where it does, and from those of the share, alone and times A:
the share times B is t - A. All of this is exact.
"""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats
from skcostci.laws._marks import Marks
from skcostci.laws._meixner import first_term


def pulls(marks: Marks) -> Floats:
    """The mean hits given a draw before all segments, and in each, less those given one beyond: by rank."""
    before, within, after = _given(marks)
    none = np.zeros((len(before), 1))
    # a draw in a segment is after those on its left and before those on its right
    left = np.hstack([none, np.cumsum(after, axis=1)])
    right = np.hstack([np.cumsum(before[:, ::-1], axis=1)[:, ::-1], none])
    inside = left[:, :-1] + within + right[:, 1:]
    return np.hstack([right[:, :1], inside]) - left[:, -1:]


def _given(marks: Marks) -> tuple[Floats, Floats, Floats]:
    """What each segment adds to the mean hits given a draw before it, in it or after it."""
    n, t, (low, high) = marks.n, marks.t[:, None], (marks.edges[:-1], marks.edges[1:])
    reach, fewer, more = (_framed(part) for part in _reached(marks))
    ends_here = reach[:, :-1] - reach[:, 1:]
    above, within = fewer[:, :-1] - fewer[:, 1:], more[:, :-1] - fewer[:, 1:]
    share, _, product = marks.shares
    share, product = share * ends_here, product * ends_here
    beyond = np.maximum(n - high, 1)
    parts = (
        product / np.maximum(low, 1),
        (t * ends_here - low * above) / marks.sizes,
        (n * share - product - t * ends_here + low * above) / beyond,
    )
    plain = above, within, more[:, :-1] - more[:, 1:]
    before, tied = marks.before.astype(np.float64), marks.tied.astype(np.float64)
    return tuple(before * one + tied * part for one, part in zip(plain, parts, strict=True))


def _reached(marks: Marks) -> tuple[Floats, Floats, Floats]:
    """P(X < rank), X being the draws before each end between segments; given that one is, and given that one is not."""
    p, rank = marks.ends / marks.n, marks.rank[:, None]
    one = first_term(marks.ends.astype(np.float64), rank, marks.n) / np.sqrt(marks.n * p * (1 - p))
    fewer = marks.reach - (1 - p) * one
    return marks.reach, fewer, fewer + one


def _framed(reached: Floats) -> Floats:
    """With the edges of all segments, which are reached surely and not at all."""
    return np.pad(reached, ((0, 0), (1, 1)), constant_values=((0, 0), (1, 0)))
