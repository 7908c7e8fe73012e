"""Sums of Krawtchouk polynomials over a binomial law's lower tail, one degree after another.

A_m(x) = sum_(i < r) f_x(i) K_m(i; x), f_x being the law of n draws of probability p = x / n and K_m its orthonormal
polynomials, is n p q / m times the probability of r - 1 among n - 1 draws times a Krawtchouk polynomial of degree m - 1
there, up to its sign and norm; a recurrence gives one after another.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
from scipy.special import betaln

from skcostci._validation import Floats, Integers

NOISE = 1e-6  # polynomials smaller than this that grow where they should shrink are noise


def krawtchouk_terms(x: Floats, row: Integers, rank: Integers, n: int) -> Iterator[Floats]:
    """A_1, A_2, ... up to A_n at places x of some rows, by the recurrence of the Krawtchouk polynomials.

    From a degree on they vanish while rounding errors grow: they are 0 where those take over.
    """
    before, now = np.zeros_like(x), first_term(x, row, rank, n)
    off, skew, turn = _coefficients(x, row, rank, n)
    early = turn.min(initial=n)
    for m in range(1, n):
        yield now
        after = skew * (1 - m)
        after += off
        after *= now
        after /= sqrt((m + 1) * (n - m))
        before *= sqrt((n - m + 1) / (n - m) / (m * (m + 1))) * (m - 1)
        after -= before
        before, now = now, after
        if m > early:
            size = np.abs(now)
            kept = (m <= turn) | (size > NOISE) | (size < np.abs(before))
            before, now = before * kept, now * kept
    yield now


def _coefficients(x: Floats, row: Integers, rank: Integers, n: int) -> tuple[Floats, Floats, Floats]:
    """What the recurrence begins with, what it loses at each degree, and the degree from which polynomials vanish."""
    p, share = x / n, (rank - 1) / max(n - 1, 1)
    root = np.sqrt(p * (1 - p))
    turn = (n - 1) * (np.sqrt(p * (1 - share)[row]) + np.sqrt((1 - p) * share[row])) ** 2
    return (rank[row] - 1 - (n - 1) * p) / root, (1 - 2 * p) / root, turn


def first_term(x: Floats, row: Integers, rank: Integers, n: int) -> Floats:
    """A_1, but for its sign: the root of n p q times the probability of rank - 1 among n - 1 draws, p = x / n."""
    p, scale = x / n, betaln(rank, n - rank + 1.0) + np.log(n)
    first = (rank - 1)[row] * np.log(p)
    first += (n - rank)[row] * np.log1p(-p)
    first -= scale[row]
    np.exp(first, out=first)
    p *= n * (1 - p)
    first *= np.sqrt(p, out=p)
    return np.asarray(first)
