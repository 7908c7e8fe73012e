"""What one negative drawn does to the hits of a curve, in the mean: their part that is linear in the counts drawn.

Of n draws A fall before a segment and B in it, and the curve ends there where A < t <= A + B. What is in a segment or
before it is a share of what is drawn there. So what the hits are in the mean, given that one draw is such a negative,
follows from P(end there), from the means of A and B over where it does, and from those of the share, alone and times A:
the share times B is t - A. All of this is exact.
"""

from __future__ import annotations

import numpy as np

from skcostci._validation import Floats
from skcostci.laws._marks import Marks, framed
from skcostci.laws._meixner import among_others


def pulls(marks: Marks) -> Floats:
    """The mean hits given a draw before all segments, and in each, less those given one beyond: by rank."""
    before, within, after = _given(marks)
    # a draw in a segment is after those on its left and before those on its right
    left, right = np.cumsum(after, axis=1, out=after), np.cumsum(before[:, ::-1], axis=1, out=before[:, ::-1])
    within[:, 1:] += left[:, :-1]
    within[:, :-1] += right[:, -2::-1]
    every = np.hstack([right[:, -1:], within])
    every -= left[:, -1:]
    return every


def _given(marks: Marks) -> tuple[Floats, ...]:
    """What each segment adds to the mean hits given a draw before it, in it or after it."""
    chance, given = _ended(marks)
    climbed = _climbed(marks, chance, given[0]) if marks.sloping else ()
    for each in given:
        each *= marks.before
    for each, part in zip(given, climbed, strict=False):
        part *= marks.tied
        each += part
    return given


def _ended(marks: Marks) -> tuple[Floats, tuple[Floats, ...]]:
    """How probably curves end in each segment, and what a draw before it, in it or after it adds to that."""
    chance, (fewer, more) = -np.diff(framed(marks.reach)), map(framed, _reached(marks))
    return chance, (fewer[:, :-1] - fewer[:, 1:], more[:, :-1] - fewer[:, 1:], more[:, :-1] - more[:, 1:])


def _climbed(marks: Marks, chance: Floats, above: Floats) -> tuple[Floats, Floats, Floats]:
    """The same of the share that is climbed, ``above`` being what a draw before adds to the chance of ending there."""
    share, product = marks.shares * chance
    low, beyond = marks.edges[:-1], marks.n - marks.edges[1:]
    drawn = marks.t[:, None] * chance  # and on: the mean of t - A, which is that of the share times B
    drawn -= low * above
    share *= marks.n
    share -= product
    share -= drawn
    share /= np.maximum(beyond, 1)
    product /= np.maximum(low, 1)
    drawn /= marks.sizes
    return product, drawn, share


def _reached(marks: Marks) -> tuple[Floats, Floats]:
    """P(X < rank), X being the draws before each end between segments, given that one is, and given that one is not."""
    p, rank = marks.ends / marks.n, marks.rank[:, None]
    one = among_others(p, rank, marks.n)
    fewer = marks.reach - (1 - p) * one
    one += fewer
    return fewer, one
