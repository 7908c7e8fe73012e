"""How much of a tied group a resample's curve goes through: the law of a share, given that the curve ends there.

The negatives seen are ``size`` in the group, ``above`` that score more and ``below`` that score less. Of n drawn from
them A score more than the group and B fall in it. The curve ends where it has passed t = fpr * n of these: if
A < t <= A + B, on a straight line within the group, after the share (t - A) / B of it. The law of that share is
computed in two ways, depending on the cost:

**Few drawn in the group**, always with up to ``MAX_TERMS`` negatives: the law is exact. Let rank = ceil(t). If
rank - 1 - i negatives score more and 1 + i + e are in the group, the share is (t - rank + 1 + i) / (1 + i + e), and its
multinomial probability is, up to a factor,

    u_i v_e Beta(i + 1, e + 1),    u_0 = v_0 = 1,    u_i / u_(i - 1) = (rank - i) size / (above i),

and v_e likewise from below: sums over i and e are bilinear forms of positive terms, one matrix for all groups.

**Many drawn in the group**: the share exceeds x if S_x = A + x B, a sum of independent draws, does not reach t:

    P(share > x) = (F(x) - F(1)) / (F(0) - F(1)),    F(x) = P(S_x < t),

F(0) and F(1) being binomial. For x between 0 and 1 S_x is treated as c Bin(n, p) with its mean and variance, whose
distribution function is Peizer and Pratt's (:func:`deviate_below`), and the moments are Gauss-Legendre integrals of F.
With some thirty cases drawn in the group or more the mean share is right to .001 and its standard deviation to 1 %.

**Hits.** Of the positives drawn X score more than the group and Y are in it, so that the hits are X + share Y. Their
values are listed (:func:`tied_masses`) or, if more than MAX_TIED_VALUES, normal given one of
``N_STRETCHES`` shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.special import betaincc, ndtr

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import in_blocks
from skcostci.laws.exact._lattice import Masses, binomial, normal_masses

MAX_TERMS = 80  # values of i, and of e, that are summed over: doubled, four times the work of a group
BLOCK_SHARE_TERMS = 2**13  # of u and v held at once; doubled: 3 % faster with 500 negatives, twice the memory
MODE_SDS = 8.0  # standard deviations beyond the likeliest i or e at which terms are left out
NEGLIGIBLE_SHARE = 1e-17  # less probable shares, relative to the likeliest, are not listed; doubled: rounding still
WINDOW_SDS = 7.0  # standard deviations of S_x from t beyond which it surely reaches t or not: to 1e-12
NARROW_SDS = 4.0  # standard deviations over which F is smooth: groups narrower than that need fewer nodes
N_NODES = 6, 24  # of the integrals over x in narrow groups, and over a window: with half as many, errors of 1e-3
N_STRETCHES = 128  # of equal length that stand for the shares of a large group; doubled: steps of a cdf half as high
SMALLEST_SHARE = 1e-15  # the p of Bin(n, p) is kept so far from 0 and from 1, as a deviate divides by both
TINY = 1e-300  # divisor instead of 0
LARGEST_DEVIATE = 38.0  # of a normal variable: beyond, probabilities are 0 in floating point
MAX_TIED_VALUES = 2**21  # values listed per tied group; beyond, they are normal given the share, to .005 of a cdf


@dataclass(frozen=True, repr=False, eq=False)
class TiedShares:
    """Groups of ``size`` tied negatives, ``above`` that score more, ``below`` less; the curve ends at draw ``t``."""

    t: Floats
    above: Integers
    size: Integers
    below: Integers
    draws: int

    @property
    def is_exact(self) -> bool:
        return bool((self._reach <= MAX_TERMS).all())

    @property
    def moments(self) -> Floats:
        moments = np.zeros((2, len(self.t)))  # mean and variance of the share, per group
        for some, i, u, v in self._short():
            moments[:, some] = _bilinear_moments(i, u, v, (self.t - self._others[0])[some])
        long = np.flatnonzero(self._reach > MAX_TERMS)
        narrow = self.size < NARROW_SDS * self._deviation
        for group, nodes in zip((narrow, ~narrow), N_NODES, strict=True):
            for some in in_blocks(long[group[long]], np.full(len(self.t), nodes), BLOCK_SHARE_TERMS):
                moments[:, some] = self._integrals(some, nodes)
        moments[1, (self.above == 0) & (self.below == 0)] = 0.0  # every draw is in the group: t of n, for certain
        return moments

    @property
    def laws(self) -> Iterator[tuple[Floats, Floats]]:
        """The shares of each group, ascending, and their probabilities; ``N_STRETCHES`` shares for a large group."""
        listed = {}
        for some, i, u, v in self._short():
            kernel, drawn = _kernel(len(i))
            for k, x, y in zip(some.tolist(), u.T, v.T, strict=True):
                shares, weights = (self.t[k] - self._others[0, k] + i) / drawn, x[:, None] * kernel * y
                kept = weights > NEGLIGIBLE_SHARE * weights.max()
                values, place = np.unique(shares[kept].round(14), return_inverse=True)
                masses = np.bincount(place, weights[kept])
                listed[k] = values, np.asarray(masses / masses.sum(), dtype=np.float64)
        return (listed[k] if k in listed else self._stretches(k) for k in range(len(self.t)))

    @cached_property
    def _others(self) -> Floats:
        """Draws before the one at which t is reached, and after it."""
        rank = np.ceil(self.t)
        return np.array([rank - 1, self.draws - rank])

    @cached_property
    def _odds(self) -> Floats:
        """The odds of being in the group, against above and against below."""
        with np.errstate(divide="ignore"):
            # Where nothing is above, or below, the group is entered for certain: odds are infinite.
            return np.array([self.size / self.above, self.size / self.below])

    @cached_property
    def _reach(self) -> Floats:
        """How many terms of i or e matter; i is certain where nothing is above, and e where nothing is below."""
        with np.errstate(invalid="ignore"):
            # Infinite odds give inf / inf, and all terms matter there.
            mode = np.maximum(self._others * self._odds - 1, 0.0) / (1 + self._odds)
        reach = np.minimum(np.ceil(mode + MODE_SDS * (np.sqrt(mode + 1) + 1)), self._others)
        return np.asarray(np.where(np.isfinite(self._odds), reach, self._others).max(axis=0))

    def _short(self) -> Iterator[tuple[Integers, Floats, Floats, Floats]]:
        """Blocks of groups whose terms are summed: a column of the i that matter, and both weights."""
        short = self._reach <= MAX_TERMS
        lengths = np.where(short, self._reach, 0).astype(np.int64)
        for some in in_blocks(np.flatnonzero(short), lengths + 1, BLOCK_SHARE_TERMS):
            i = np.arange(lengths[some].max() + 1.0)[:, None]
            u, v = map(_weights, (i, i), self._others[:, some], self._odds[:, some])
            yield some, i, u, v

    @cached_property
    def _place(self) -> Floats:
        """The number of negatives before the average place where the curve ends."""
        return np.asarray(self.t * (self.above + self.size + self.below) / self.draws)

    @cached_property
    def _deviation(self) -> Floats:
        """The standard deviation of that place within the group or next to it, in negatives."""
        total, x = self.above + self.size + self.below, np.clip((self._place - self.above) / self.size, 0.0, 1.0)
        _, variance = of_one_draw(self.above / total, (self.above + self.size) / total, x)
        return np.asarray(np.sqrt(variance / self.draws) * total)

    @cached_property
    def _window(self) -> tuple[Floats, Floats]:
        """The shares between which curves end in the group: below the first all go on, beyond the second none does."""
        ends = (self._place + side * WINDOW_SDS * self._deviation for side in (-1, 1))
        low, high = (np.clip((end - self.above) / self.size, 0.0, 1.0) for end in ends)
        return low, high

    def _beyond(self, some: Integers, x: Floats) -> Floats:  # P(share > x), a row per group, from F as above
        above, size, below = (each[some, None] for each in (self.above, self.size, self.below))
        total, rank = above + size + below, np.ceil(self.t[some, None])
        most, least = (betaincc(rank, self.draws - rank + 1, end / total) for end in (above, above + size))
        counted = of_one_draw(above / total, (above + size) / total, x)
        reached = ndtr(deviate_below(self.t[some, None], *counted, self.draws, whole=False))
        return np.asarray(np.clip((reached - least) / np.maximum(most - least, TINY), 0.0, 1.0))

    def _integrals(self, some: Integers, count: int) -> Floats:
        """The moments of some groups, from the window's beginning, so that a small variance is not lost in rounding."""
        nodes, weights = gauss(count)
        low, high = (end[some, None] for end in self._window)
        off = (high - low) * nodes
        beyond = self._beyond(some, low + off) * weights * (high - low)
        mean = beyond.sum(axis=1)
        return np.array([low[:, 0] + mean, np.maximum(2 * (beyond * off).sum(axis=1) - mean**2, 0.0)])

    def _stretches(self, k: int) -> tuple[Floats, Floats]:
        """The middles of stretches of shares, and their probabilities."""
        low, high = (float(end[k]) for end in self._window)
        edges = np.linspace(low, high, N_STRETCHES + 1)
        beyond = self._beyond(np.array([k]), edges[None])[0]
        beyond[0], beyond[-1] = 1.0, 0.0
        masses, middles = -np.diff(beyond), (edges[1:] + edges[:-1]) / 2
        return middles[masses > 0], masses[masses > 0]


def of_one_draw(before: Floats, through: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of one draw: 1 with probability ``before``, x with ``through`` minus before, else 0."""
    mean = before + x * (through - before)
    return np.asarray(mean), np.asarray(np.maximum(before + x**2 * (through - before) - mean**2, 0.0))


def deviate_below(t: Floats, mean: Floats, variance: Floats, draws: int, whole: Floats | bool) -> Floats:
    """The normal deviate of P(S < t), S being a sum of draws with this mean and variance.

    S is treated as c Bin(draws, p) with these moments, and is binomial if ``whole``. S < t is S <= t - 1 if S is a
    whole number; if it has values in between, S <= t - c / 2. Where the mean is above 0.5, ``draws - S`` is used
    instead, so that the skewed sum is that of the rarer outcome.

    The binomial probability is Peizer and Pratt's (1968), right to .004 at a rank of 1, to .0006 at 2 and .0001 at 5.
    """
    # Peizer and Pratt's approximation is more exact for the rarer outcome.
    mirrored = ~np.asarray(whole) & (mean > 0.5)
    mean, t = np.where(mirrored, 1 - mean, mean), np.where(mirrored, draws - t, t)
    c = np.where(mean > 0, variance / np.maximum(mean, TINY) + mean, 1.0)
    rank = np.where(whole, np.ceil(t), t / np.maximum(c, TINY) + 0.5)
    p = np.clip(mean / np.maximum(c, TINY), SMALLEST_SHARE, 1 - SMALLEST_SHARE)
    q, left = 1 - p, np.maximum(draws - rank + 1, 0.5)
    off = rank - 1 / 3 - (draws + 1 / 3) * p + 0.02 * (q / rank - p / left + (q - 0.5) / (draws + 1))
    skewed = q * _peizer_pratt((rank - 0.5) / (draws * p)) + p * _peizer_pratt((left - 0.5) / (draws * q))
    deviate = off * np.sqrt((1 + skewed) / ((draws + 1 / 6) * p * q))
    return np.asarray(np.where(mirrored, -1.0, 1.0) * np.clip(deviate, -LARGEST_DEVIATE, LARGEST_DEVIATE))


@np.errstate(under="ignore")  # of ratios next to 0
def _peizer_pratt(ratio: Floats) -> Floats:
    """(1 - x^2 + 2 x log x) / (1 - x)^2, by its slope where that would be 0 / 0."""
    near = np.abs(ratio - 1) < 1e-4
    # Where the slope is used the ratio does not matter.
    x = np.where(near, 2.0, np.maximum(ratio, TINY))
    return np.asarray(np.where(near, (1 - ratio) / 3, (1 - x * x + 2 * x * np.log(x)) / (1 - x) ** 2))


@cache
def gauss(count: int) -> tuple[Floats, Floats]:
    nodes, weights = leggauss(count)
    return (nodes + 1) / 2, weights / 2  # for integrals from 0 to 1


def _weights(i: Floats, most: Floats, odds: Floats) -> Floats:
    """The u_i of each group, shape (n_terms, n_groups); 0 for i above ``most``, all at it if odds are infinite."""
    certain = np.isinf(odds)
    weights = np.subtract(most + 1, i)
    weights *= np.where(certain, 1.0, odds)
    weights[0] = 1.0
    weights[1:] /= i[1:]
    np.cumprod(weights, axis=0, out=weights)
    weights[:, certain] = i == most[certain]
    return weights


def _kernel(terms: int) -> tuple[Floats, Floats]:
    """Beta(i + 1, e + 1), and the draws in the group, 1 + i + e."""
    i = np.arange(terms, dtype=np.float64)
    drawn = 1 + np.add.outer(i, i)
    return np.asarray(np.cumprod(np.maximum(i, 1.0)[:, None] / drawn, axis=0), dtype=np.float64), drawn


@cache
def _kernels() -> Floats:
    """The kernel divided by powers 0, 1 and 2 of the draws in the group, for sums of 1, of shares and of squares."""
    kernel, drawn = _kernel(MAX_TERMS + 1)
    return np.array([kernel, kernel / drawn, kernel / drawn**2])


def _bilinear_moments(i: Floats, u: Floats, v: Floats, first: Floats) -> Floats:
    """Mean and variance of the share, from the weights and the part of the first draw that counts."""
    total, shares, squares = _kernels()[:, : len(i), : len(i)] @ v
    counted, weights = first + i, np.einsum("ig,ig->g", u, total)
    shares *= u
    shares *= counted
    mean = shares.sum(axis=0) / weights
    square = np.einsum("ig,ig,ig,ig->g", squares, u, counted, counted) / weights
    return np.array([mean, np.maximum(square - mean**2, 0.0)])


def tied_masses(p: float, q: float, draws: int, shares: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """The law of X + share * Y: a draw counts for X with probability p and for Y with probability q."""
    tied, of_tied = binomial(draws, q, 1 - q)
    rest = p / (1 - q) if q < 1 else 0.0
    # the number of values of X within 9 standard deviations on either side
    reach_x = min(18 * np.sqrt(draws * p * (1 - p)) + 40, draws + 1)
    many = len(shares) * len(tied) * reach_x > MAX_TIED_VALUES
    if many and len(shares) > N_STRETCHES:
        first = np.linspace(0, len(shares), N_STRETCHES, endpoint=False).astype(np.int64)
        mass = np.add.reduceat(masses, first)
        return tied_masses(p, q, draws, np.add.reduceat(masses * shares, first) / mass, mass)
    if many:
        mean = p + shares * q
        # A difference of squares may be below 0 by rounding.
        variance = np.maximum(p + shares**2 * q - mean**2, 0.0)
        values, pmf = normal_masses(draws * mean[:, None], draws * variance[:, None])
        parts = [(values.ravel(), np.multiply.outer(masses, pmf).ravel())]
    else:
        parts = []
        for y, mass in zip(tied.tolist(), of_tied, strict=True):
            x, of_x = binomial(draws - y, rest, 1 - rest)
            parts.append((np.add.outer(y * shares, x).ravel(), np.multiply.outer(mass * masses, of_x).ravel()))
    law = Masses.merged(parts)
    return law.values, law.pmf
