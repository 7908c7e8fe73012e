"""When a series of powers of correlations has said enough about two models' hits at some ranks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skcostci._validation import Booleans, Floats

LAST = 3  # terms in a row must say so
FIRST = 6  # terms are always added: far out the first may be next to nothing and others not
OFTEN = 16  # it is asked, in parts of the degree,
LEAST = 0.5  # what one pseudo-case adds to the variance, in cases squared


class TiedPrecision(NamedTuple):
    """How near sums over tied groups come.

    There are so many ``terms``, worked out in full up to a degree. Groups are told from their ends, both functions that
    tell them are looked at, and none is looked at roughly, from lengths on: in deviations of a rank, the second also in
    its variances squared, the third in its variances. Terms have up to ``across`` values of the second, at ranks of few
    negatives and of others, but fewer where there is no ``room`` for so many powers of correlations.
    Of the law of how many negatives are in a group a probability may be left out at either ``tail``; sums are over
    numbers so many deviations ``apart``. No more than ``rest`` of the variance of the difference may be left out. That
    does where no less than ``left`` of independent models' variance is left, at ranks that vary little and at others.
    """

    terms: int
    full: int
    told: float
    both: tuple[float, float]
    rough: tuple[float, float]
    across: tuple[int, int]
    room: int
    tail: float
    apart: float
    rest: float
    left: tuple[float, float] = (0.0, 0.0)


class Precision(NamedTuple):
    """How many terms there may be, and what may be left out: of the variance of the difference, and of each rank's law.

    The latter is a probability, at either end. Where scores tie sums come as near as the first of ``tied``, or where
    its terms do not suffice or too little is left the next.
    """

    terms: int
    rest: float
    tail: float
    tied: tuple[TiedPrecision, ...]


WHOLE = TiedPrecision(
    terms=128,
    full=128,
    told=0.0,
    both=(0.0, 0.0),
    rough=(0.0, 0.0),
    across=(20, 16),
    room=2**18,
    tail=1e-15,
    apart=0.3,
    rest=1e-13,
)
TIGHT = TiedPrecision(
    terms=128,
    full=64,
    told=0.05,
    both=(0.5, 1e-6),
    rough=(0.0, 0.0),
    across=(16, 6),
    room=2**17,
    tail=1e-12,
    apart=0.35,
    rest=1e-11,
)
FINE = TiedPrecision(
    terms=512,
    full=64,
    told=0.0,
    both=(1.0, 1e-5),
    rough=(0.0, 0.0),
    across=(16, 16),
    room=2**16,
    tail=1e-9,
    apart=0.4,
    rest=5e-5,
)
FAIR = TiedPrecision(
    terms=192,
    full=48,
    told=0.05,
    both=(0.25, 1e-5),
    rough=(0.0, 0.0),
    across=(12, 8),
    room=2**14,
    tail=1e-7,
    apart=0.6,
    rest=2e-4,
    left=(0.1, 0.05),
)
EVEN = TiedPrecision(
    terms=192,
    full=10,
    told=0.05,
    both=(0.7, np.inf),
    rough=(3.0, 1 / 16),
    across=(12, 8),
    room=2**14,
    tail=1e-7,
    apart=0.7,
    rest=2e-4,
    left=(np.inf, 0.12),
)
ROUGH = EVEN._replace(
    terms=32,
    told=0.5,
    rough=(3.0, 1 / 2),
    across=(8, 4),
    room=2**12,
    left=(0.38, 0.38),
)
EXACT = Precision(128, 1e-13, 1e-15, (WHOLE,))  # but for rounding
ALMOST = Precision(128, 1e-11, 1e-14, (TIGHT,))  # to a ten thousandth
CLOSE = Precision(512, 1e-6, 1e-12, (FINE._replace(rest=1e-6),))
NEARER = Precision(512, 2e-4, 1e-7, (FAIR, FINE))
NEAR = NEARER._replace(tied=(ROUGH, EVEN, *NEARER.tied))
FEW = 24, 256  # negatives, up to which intervals take exact terms and fair ones


def for_errors(n: int) -> Precision:
    """What standard errors take where so many negatives are drawn."""
    return EXACT if n <= EXACT.terms else ALMOST


def for_intervals(n: int) -> Precision:
    """What intervals take."""
    return (EXACT, NEARER, NEAR)[np.searchsorted(FEW, n)]


class Series:
    """Sums of terms, of shape (2, n_ranks): the covariance of the hits and the positives found by both.

    ``most`` is, of the same shape, the sum of what both are of a model and itself. Terms fall like powers of a
    correlation, or where that is nearly 1 or -1 like a power of the degree: what is left out is less than the degree
    times the last term.
    """

    def __init__(self, sums: Floats, most: Floats, rest: float) -> None:
        self.sums, self._most, self._rest = sums, most[0] + most[1] + LEAST, rest
        self._terms, self._last, self._due = 0, [np.zeros_like(sums)] * LAST, 1

    def add(self, degree: int, term: Floats) -> bool:
        """Add terms of a degree; whether no further ones are needed, of which not every high degree is asked."""
        self.sums += term
        self._terms, self._last = degree, [*self._last[1:], term]
        if degree < self._due:
            return False
        self._due += 1 + degree // OFTEN
        return degree >= FIRST and bool(self._small.all())

    @property
    def _small(self) -> Booleans:
        """Whether the last terms are."""
        left = np.maximum(self._most - 2 * self.sums.sum(axis=0), LEAST)
        last = 2 * np.abs(self._last).sum(axis=1).max(axis=0)
        return np.asarray(self._terms * last <= self._rest * left)

    def settled(self, n: int) -> Booleans:
        """Whether so much has been said, or all there is to say of so many draws."""
        return np.asarray(self._small | (self._terms >= n))


def correlation(both: Floats, x: Floats, y: Floats, spread_x: Floats, spread_y: Floats, n: int) -> Floats:
    """Of what one draw counts before places x and before places y, in place of what is counted before both.

    ``both`` is of shape (..., n_x, n_y), the others of shapes (..., n_x) and (..., n_y); ``spread_x`` and ``spread_y``
    are n times the variances.
    """
    both -= np.matmul(x[..., :, None], (y / n)[..., None, :])  # a product takes less room than broadcasting
    both *= (1 / np.sqrt(spread_x))[..., :, None]
    both *= (1 / np.sqrt(spread_y))[..., None, :]
    return np.clip(both, -1.0, 1.0, out=both)
