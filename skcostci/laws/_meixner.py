"""Sums of orthonormal polynomials over a law's lower tail, one degree after another.

Let X be a sum of n independent draws, and P_m its orthonormal polynomials. Where X is binomial they are Krawtchouk's,
where it is like a Gamma law Laguerre's: both are Meixner's, with monic recurrences of the same form. In either case

    A_m = sum_(X < t) f(X) P_m(X) = A_1 Q_(m - 1) / sqrt(m! prod_(0 < i < m) (1 + bend i)),
    Q_(j + 1) = (off - skew j) Q_j - j (1 + bend j) Q_(j - 1),

skew being that of X, bend -1 / n for a binomial law and skew^2 / 4 for a Gamma law; Q are polynomials of n - 1 draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import betaln

from skcostci._validation import Booleans, Floats, Integers

TINY = 1e-300  # instead of a zero to divide by
NOISE = 1e-6  # polynomials smaller than this that grow where they should shrink are noise


class Tail(NamedTuple):
    """A_1 but for its sign, the coefficients of the recurrence, and the degree from which polynomials vanish.

    They may be of different shapes that broadcast to that of A_1.
    """

    first: Floats
    off: Floats
    skew: Floats
    bend: Floats
    turn: Floats


def binomial_tail(x: Floats, rank: Integers, n: int) -> Tail:
    """Of fewer than rank among n draws of probability x / n."""
    p, below = x / n, (rank - 1) / max(n - 1, 1)
    root = np.sqrt(n * p * (1 - p))
    off, turn = (rank - 1 - (n - 1) * p) / root, turning_degree(p, below, n - 1)
    return Tail(first_term(x, rank, n), off, (1 - 2 * p) / root, np.full(1, -1 / n), turn)


def turning_degree(p: Floats, part: Floats, n: Floats | int) -> Floats:
    """From where on polynomials of so many draws vanish, where so large a part of those are drawn of probability p."""
    return np.asarray(n * (np.sqrt(p * (1 - part)) + np.sqrt((1 - p) * part)) ** 2)


def tail_terms(tail: Tail, most: int) -> Iterator[Floats]:
    """A_1, A_2, ... up to a degree, no more than n.

    From a degree on they vanish while rounding errors grow: they are 0 where those take over.
    """
    now, off, skew, bend, turn = tail
    del tail  # room for what follows
    before, root, early = np.zeros_like(now), np.ones(1), turn.min(initial=most)
    for m in range(1, most):
        yield now
        after = off - skew * (m - 1)
        after *= now
        last, root = root, np.sqrt(np.maximum(1 + bend * m, 0.0))
        norm = (root > 0) / np.maximum(root, TINY)
        after *= norm / np.sqrt(m + 1)
        before *= (m - 1) / np.sqrt(m * (m + 1)) * last * norm
        after -= before
        before, now = now, after
        if m > early:
            kept = above_noise(now, before, m, turn)
            before, now = before * kept, now * kept
    yield now


def above_noise(now: Floats, before: Floats, degree: int, turn: Floats) -> Booleans:
    """Where polynomials past a degree are more than what rounding makes of those that vanish."""
    size = np.abs(now)
    return np.asarray((degree <= turn) | (size > NOISE) | (size < np.abs(before)))


def first_term(x: Floats, rank: Integers, n: int) -> Floats:
    """A_1, but for its sign: the root of n p q times the probability of rank - 1 among n - 1 draws, p = x / n."""
    p = x / n
    term = among_others(p, rank, n)
    term *= np.sqrt(n * p * (1 - p))
    return term


def among_others(p: Floats, rank: Floats | Integers, n: Floats | int) -> Floats:
    """The probability of rank - 1 among n - 1 draws of probability p."""
    logs = (rank - 1) * np.log(p)
    logs += (n - rank) * np.log1p(-p)
    logs -= betaln(rank, n - rank + 1.0) + np.log(n)
    return np.asarray(np.exp(logs, out=logs))
