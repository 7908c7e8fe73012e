"""A confidence distribution for the true-positive rate at a fixed false-positive rate, from ranks and Beta laws.

At a true false-positive rate u the number K of the n negatives above the right threshold is Bin(n, u), whatever the
scores. Given K = k that threshold lies between the k-th and the (k + 1)-th largest negative, so that x, the number of
positives above it, lies between the heights of the curve there; given x the rate is about Beta(x + 1/2, n_positive - x
+ 1/2). Mixing the Betas over k, and over x in its gap, gives the confidence distribution.

**What it assumes.** That K is binomial needs no assumption where scores are continuous. Where negatives are tied the
right threshold cuts their group, and a rate within it is met by drawing lots among the tied: K counts so too, each cell
of k being centred at its negative, and the noise of the lots, which the drawn curve does not have, makes the intervals
wider than they need be within large groups. That x is even in its gap, and that the rate given x is a Beta law, are
conventions, those of the Bayesian bootstrap with half a case at either end. At a rate where the slope of the
population's curve drops at once (the edge of a large tied group at the top) half of the probable k say nothing of the
steep side, and the upper limits err up to twice as often as they should.

**What was tuned.** The mixture alone is too wide: between two ranks d apart the empirical curve also varies because the
positives there and the spacings of the negatives are random, by d l + d l^2 in variance where it climbs l positives a
rank. The first is binomial noise that the Betas count already; of the second HALF is taken off. So the variance of x is
reduced by half the mean distance between two independent K times l + HALF l^2. Where scores tie across the classes the
empirical curve is straight, not rough, and K that fall there take nothing off. Counts below the mean are drawn in with
the l of the gaps but for the last, counts above it with that of the gaps but for the first: the gap above the largest
negative says nothing of the curve further up. The limits move out by up to EXTRA of a case. HALF and EXTRA were chosen
on simulated binormal scores without ties (those of the papers' spread, size and ratio designs); what is done where
scores tie was chosen on thirteen populations with ties, seven of them of two to five grades.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from scipy.special import betainc, betaincinv, betaln

from skcostci._validation import Floats
from skcostci.intervals._method import Method
from skcostci.laws import DrawnCurve, VerticalLaw
from skcostci.laws._lattice import Lattice, binomial

NEGLIGIBLE = 1e-11  # probability of a block of counts left out
UNSEEN = 1e-13  # probability of the ranks left out at either end
GRAIN = 0.6  # counts are merged in blocks so wide, in standard deviations of the Beta law: 3e-4 of the width
POINTS = 8  # a block is made of about so many counts or more
NARROW = 1 / 16  # counts closer than this are one
HALF = 0.5
EXTRA = 0.15  # limits lean outwards by this many cases where the threshold is known (Clopper and Pearson: 0.5)
FLOOR = -690.0  # the log odds below which a limit is 0
SMALL = 1e-7  # a step in log odds after which Newton's method has converged: the next is about its square
STEPS = 200


@dataclass(frozen=True)
class RankBeta:
    """Probable numbers of positives above the right threshold, of ``n`` in all, and how many cases limits lie out."""

    weights: Floats
    above: Floats
    n: int
    outwards: float


@dataclass(frozen=True)
class Mixtures:
    """The confidence distributions of several points, side by side."""

    weights: Floats
    above: Floats
    outwards: Floats
    n: int

    @classmethod
    def from_points(cls, points: list[RankBeta]) -> Mixtures:
        width = max(len(point.weights) for point in points)
        weights, above = np.zeros((len(points), width)), np.ones((len(points), width))
        for i, point in enumerate(points):
            weights[i, : len(point.weights)] = point.weights / point.weights.sum()
            above[i, : len(point.weights)] = point.above
        return cls(weights, above, np.array([point.outwards for point in points]), points[0].n)

    @cached_property
    def median(self) -> Floats:
        """Of each."""
        return self.limits(np.full(len(self.outwards), 0.5), 1)

    def limits(self, alpha: Floats, side: int) -> Floats:
        """Limits that leave alpha outside: all mass of x = 0 lies at 0 for lower ones, all of x = n at 1 for upper."""
        if side > 0:  # the upper limit is the lower one of the misses
            return 1 - self._lower(self.n - self.above, alpha)
        return self._lower(self.above, alpha)

    def _lower(self, above: Floats, alpha: Floats) -> Floats:
        at_zero = np.where(above == 0, self.weights, 0.0).sum(axis=1)
        limits = np.zeros(len(at_zero))
        todo = np.flatnonzero(at_zero < alpha)
        weights = np.where(above == 0, 0.0, self.weights)[todo]
        hits = np.where(weights > 0, above[todo] + 0.5 - self.outwards[todo, None], 1.0)
        limits[todo] = _quantiles(weights, hits, np.maximum(self.n + 1 - hits, 0.5), (alpha - at_zero)[todo])
        return limits


_MIXTURES: WeakKeyDictionary[VerticalLaw, Mixtures] = WeakKeyDictionary()


def rank_beta_limit(law: VerticalLaw, alpha: Floats, side: int) -> Floats:
    """Limits of the confidence distributions; a rate of 0 is known."""
    limits, unknown = np.zeros(len(law.known)), ~law.known
    if unknown.any():
        limits[unknown] = _mixtures(law).limits(np.broadcast_to(alpha, limits.shape)[unknown], side)
    return limits


def rank_beta_median(law: VerticalLaw) -> Floats:
    """Medians of the confidence distributions."""
    medians, unknown = np.zeros(len(law.known)), ~law.known
    if unknown.any():
        medians[unknown] = _mixtures(law).median
    return medians


def _mixtures(law: VerticalLaw) -> Mixtures:
    """Those of the rates that are not known, made once."""
    if law not in _MIXTURES:
        _MIXTURES[law] = Mixtures.from_points([rank_beta_mixture(law.curve, float(u)) for u in law.fpr[~law.known]])
    return _MIXTURES[law]


def rank_beta(law: VerticalLaw, alpha: Floats, side: int) -> Floats:
    """Quantiles of a confidence distribution, Beta laws mixed over the rank of the right threshold, or the estimate."""
    return side * np.maximum(side * rank_beta_limit(law, alpha, side), side * law.estimate)


def rank_beta_mixture(curve: DrawnCurve, u: float) -> RankBeta:
    """The mixture at the false-positive rate u."""
    n, positives = curve.negatives, curve.positives
    ranks = binomial(n, u, 1 - u).trimmed(UNSEEN)
    cells = _Cells(curve, ranks)
    mean = float(ranks.pmf @ cells.middle)
    width = GRAIN * np.sqrt(max(mean * (positives - mean), 0.0) / positives)
    x, mass, inner = cells.counts(max(width / POINTS, 1.0))
    variance = float(mass @ ((x - mean) ** 2 + inner))
    slopes = np.array([_slope(ranks, cells.gaps, 0, n), _slope(ranks, cells.gaps, 1, n + 1)])
    kept = np.maximum(variance - cells.apart * slopes * (1 + HALF * slopes), 0.0)
    weights, blocks = _merged(x, mass, inner, width)
    below, above = np.sqrt(kept / variance) if variance > 0 else kept
    drawn = mean + np.where(blocks < mean, below, above) * (blocks - mean)
    at_none, at_all = curve.hits(np.array([0.5, n - 0.5])) == [0, positives]
    certain = (blocks == 0) & at_none | (blocks == positives) & at_all
    shrunk = np.where(certain, blocks, drawn)  # where the curve lies along an end, that is not roughness
    return RankBeta(*_whole_ends(weights, shrunk, positives), positives, EXTRA / (1 + float(kept.mean())))


class _Cells:
    """The curve over the cell of each probable rank k, from half a negative before it to half a negative after it."""

    def __init__(self, curve: DrawnCurve, ranks: Lattice) -> None:
        self.pmf, n = ranks.pmf, curve.negatives
        k = np.arange(ranks.start, ranks.start + len(ranks) + 1)
        level = curve.levels(int(k[0]), int(k[-1]))
        size, tied = curve.sizes[level], curve.tied[level]
        deep = np.where(k > 0, k - curve.reached[level] + size, 0)
        ends = curve.before[level] + (deep - 0.5) / size * tied
        ends = np.where(k <= 0, 0.0, np.where(k > n, curve.positives, ends))
        self.left, self.gaps = ends[:-1], np.diff(ends)
        self.middle = self.left + self.gaps / 2
        sloping = (tied > 0) & (k > 0) & (k <= n)
        self.sloping = sloping[:-1] | sloping[1:]

    def counts(self, grain: float) -> tuple[Floats, Floats, Floats]:
        """Counts even in the cells, at most a grain apart, their probabilities, and the variance lost within grains.

        In a cell without a slope all whole numbers from end to end are as probable, in others all numbers.
        """
        spread = np.where(self.sloping, 0.0, 0.5)
        length = self.gaps + 2 * spread
        base = np.where(self.sloping, length / np.maximum(np.ceil(length - 1e-9), 1), 1.0)
        if float(length.max()) <= grain:
            return self.middle, self.pmf, np.maximum(length**2 - base**2, 0.0) / 12
        many = np.maximum(np.ceil(length / grain - 1e-9), 1)
        step = length / many
        inner = np.maximum(step**2 - base**2, 0.0) / 12
        times = many.astype(np.int64)
        which = np.repeat(np.arange(len(times)), times)
        nth = np.arange(len(which)) - (np.cumsum(times) - times)[which]
        x = (self.left - spread)[which] + (nth + 0.5) * step[which]
        return x, (self.pmf / many)[which], inner[which]

    @property
    def apart(self) -> float:
        """Half the mean distance of two independent ranks, as far as the curve is rough at both."""
        rough = np.cumsum(np.where(self.sloping, 0.0, self.pmf))
        return float(rough @ (rough[-1] - rough))


def _slope(ranks: Lattice, gaps: Floats, first: int, end: int) -> float:
    """Positives in a gap, on average over the probable ones from the first to before the end."""
    some = slice(max(first - ranks.start, 0), end - ranks.start)
    mass = float(ranks.pmf[some].sum())
    return float(ranks.pmf[some] @ gaps[some]) / mass if mass else 0.0


def _merged(x: Floats, mass: Floats, inner: Floats, width: float) -> tuple[Floats, Floats]:
    """Blocks of counts, each as two points with its mean and variance; the first and the last count on their own."""
    low, high = x.min(), x.max()
    wide = max(int(width), 1) if width >= 2 else NARROW
    place = ((x - low) / wide).astype(np.int64) + 1
    place[x == low] = 0
    place[x == high] = place.max() + 1
    if width < 2:
        place = np.unique(place, return_inverse=True)[1]
    weights: Floats = np.asarray(np.bincount(place, mass), dtype=np.float64)
    kept = np.flatnonzero(weights > NEGLIGIBLE)
    total = weights[kept]
    means = low + np.bincount(place, mass * (x - low))[kept] / total
    if width < 2:
        return total, np.where(np.abs(means - np.rint(means)) < 1e-12 * (1 + means), np.rint(means), means)
    off = np.zeros(len(weights))
    off[kept] = means
    spread = np.sqrt(np.maximum(np.bincount(place, mass * ((x - off[place]) ** 2 + inner))[kept] / total, 0.0))
    return np.tile(total / 2, 2), np.concatenate([means - spread, means + spread])


def _whole_ends(weights: Floats, x: Floats, n: int) -> tuple[Floats, Floats]:
    """Counts within one of 0 or n split between their whole neighbours: 0 and n have rules of their own."""
    split = (x < 1) | (x > n - 1)
    lower = np.clip(np.floor(x[split]), 0, max(n - 1, 0))
    upper_share = np.clip(x[split] - lower, 0.0, 1.0)
    return (
        np.concatenate([weights[~split], weights[split] * (1 - upper_share), weights[split] * upper_share]),
        np.concatenate([x[~split], lower, lower + 1]),
    )


def _quantiles(weights: Floats, hits: Floats, misses: Floats, rest: Floats) -> Floats:
    """Where mixtures of Beta distribution functions reach ``rest``: Newton's method for their logarithms in log odds.

    The root is bracketed, and a step that leaves the bracket, or that halves it too slowly, is a bisection instead.
    """
    scale = betaln(hits, misses)
    low, high = np.full(len(rest), FLOOR), np.full(len(rest), -FLOOR)
    v = np.clip(_start(weights, hits, misses, rest), FLOOR / 2, -FLOOR / 2)
    done, last = np.zeros(len(rest), dtype=bool), np.full(len(rest), np.inf)
    some, beta = weights > 0, np.zeros(weights.shape)
    for _ in range(STEPS):
        y, left = _shares(v)
        with np.errstate(all="ignore"):  # far from the root nothing may be reached, or all
            reached = (weights * betainc(hits, misses, y[:, None], out=beta, where=some)).sum(axis=1)
            logs = hits * np.log(y)[:, None] + misses * np.log(left)[:, None] - scale
            excess = np.log(reached / rest)
            step = -excess * reached / (weights * np.exp(np.minimum(logs, 700.0))).sum(axis=1)
        low, high = np.where(excess < 0, v, low), np.where(excess < 0, high, v)
        settled = (np.abs(step) <= SMALL) | (high - low <= SMALL**2) | (excess == 0)
        moved = v + step
        slow = ~(np.abs(step) <= last / 2) & ~settled
        inside = (moved > low) & (moved < high)
        v = np.where(done, v, np.where(inside & ~slow, moved, np.where(settled, v, (low + high) / 2)))
        last = np.where(slow | ~inside, np.inf, np.abs(step))
        done |= settled
        if done.all():
            return np.where(v <= FLOOR + 1, 0.0, _shares(v)[0])
    raise RuntimeError(f"{int((~done).sum())} of {len(done)} limits were not found in {STEPS} steps; please report it.")


def _shares(log_odds: Floats) -> tuple[Floats, Floats]:
    """A share and what is left, each precise where it is small."""
    small = np.exp(-np.abs(log_odds))
    small, large = small / (1 + small), 1 / (1 + small)
    return np.where(log_odds < 0, small, large), np.where(log_odds < 0, large, small)


def _start(weights: Floats, hits: Floats, misses: Floats, rest: Floats) -> Floats:
    """The log odds of the quantile of the Beta law with the mixture's mean and variance."""
    sums, total = weights.sum(axis=1), hits + misses
    shares = hits / total
    mean = (weights * shares).sum(axis=1) / sums
    own = shares * (1 - shares) / (total + 1)
    variance = (weights * ((shares - mean[:, None]) ** 2 + own)).sum(axis=1) / sums
    size = np.maximum(mean * (1 - mean) / variance - 1, 0.1)
    y = betaincinv(mean * size, (1 - mean) * size, np.minimum(rest / sums, 1 - 1e-9))
    y = np.clip(np.where(np.isnan(y), 0.0, y), 1e-290, 1 - 1e-16)
    return np.asarray(np.log(y) - np.log1p(-y))


RANK_BETA = Method(
    "rank_beta",
    "rank Beta",
    rank_beta,
    "At a rate where the slope of the population's curve drops at once, and with five cases or fewer in a class.",
)
