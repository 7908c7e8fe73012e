"""A confidence distribution for the true-positive rate at a fixed false-positive rate u, from ranks and Beta laws.

Let the threshold be the one with false-positive rate u in the population, n and m the negatives and positives. Then

    K ~ Bin(n, u)                            negatives above the threshold, whatever the scores,
    x | K = k ~ even in the cell of k        positives above it,
    rate | x ~ Beta(x + 1/2, m - x + 1/2),

where the cell of k is from the curve's height (in positives) at k - 1/2 negatives to that at k + 1/2; and the
confidence distribution is the mixture of these Betas over k and x (``Mixtures``). Its quantiles are the limits.

**Assumptions.** K is binomial without any assumption where scores are continuous; where negatives tie the threshold
splits the tied group at random, which makes intervals wider than necessary within large groups. That x is uniform in
its cell and that the rate given x has a Beta law are conventions. Where the slope of the population's curve falls
abruptly, upper limits may miss with probability alpha (1 - log alpha) instead of alpha: .12 for .025.

**Correction of the width** (``reduced``). The mixture is too wide: between two ranks d apart the sample's curve, which
climbs l positives a rank, varies by d l + d l^2 in variance because the positives there and the spacings of the
negatives are random. The first term is binomial noise that the Betas already include; of the second the part ROUGHNESS
is subtracted. So the variance of x is reduced by half the mean distance of two independent K times (l + ROUGHNESS
l^2), by moving each x towards the mean of x. For x below the mean l is the average over all gaps but the last, for x
above it over all but the first: the gap above the largest negative is uninformative about the curve further up. In
cells where scores tie across the classes the curve is straight, not rough, and nothing is subtracted.

**Correction for certain thresholds.** Limits move outwards by OUTWARDS / (1 + the remaining variance of x) cases.

**Few negatives.** Where up to FEW_NEGATIVES are expected beyond the threshold, one gap between two of them may have
most of the variance, and the correction subtracts too much. The limit at 2 alpha without the correction is used if it
is further out.

**Jumps.** Where scores tie, the curve may jump near u, and the distribution has a part on either side of the jump. A
limit is also the quantile, at the same alpha, of the part on its own side alone, if that is further out.

How ROUGHNESS, OUTWARDS and the treatment of ties were chosen is told in doc/theory/intervals.

A Beta law changes slowly with its count, so counts are put in bins as wide as its standard deviation, each represented
by the two points of Gauss quadrature. All rates are computed side by side: each table has a row per rate.

**Differences of two models** ("rank_mover"). Each model has its rank Beta limits and the median M of its confidence
distribution. With d the distance of a's limit on one side from its median, e that of b's on the other side, and r the
correlation of the two rates,

    limit = M_a - M_b + side sqrt(d^2 + e^2 - 2 r d e)          (MOVER; Zou and Donner 2008),

no nearer than the estimate. Beyond levels of .9999 the root moves towards d + e, so that limits can reach the ends of
the range; and where ties make a curve jump, distances are measured from the jump, and a positive r is replaced by 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import NamedTuple, Self

import numpy as np
from scipy.special import betainc, betaincinv, betaln, expit, logit, ndtri

from skcostci._arrays import Booleans, Floats, Integers
from skcostci.intervals._method import Method, once_a_law
from skcostci.laws._side_by_side import in_blocks, runs
from skcostci.laws.exact._lattice import binomials, windows
from skcostci.laws.exact._paired_vertical import PairedRates
from skcostci.laws.exact._vertical import DrawnCurve, VerticalLaw
from skcostci.laws.influence._of_rates import EqualErrorLaw, FallingLaw

UNSEEN = 1e-16  # less probable ranks are left out
ENTRIES = 2**14  # of a table; doubled: twice the memory, beyond the cache
LEAST = 1e-300  # in place of 0 as a divisor
NEGLIGIBLE = 1e-11  # bins of counts with a smaller probability are left out
GRAIN = 1.0  # width of bins of counts in standard deviations of the Beta law: error up to 4e-4 of the width
TIGHT = 1 / 64  # counts with a smaller standard deviation in a bin are one point
ROUGHNESS = 0.5
OUTWARDS = 0.15  # by how many cases limits move outwards where the threshold is known (Clopper and Pearson: 0.5)
FEW_NEGATIVES = 16.0  # up to so many expected beyond a threshold the limit at 2 alpha, x not reduced, may count
FLOOR = -690.0  # the log odds below which a limit is 0
LOOSEST = 0.99  # the largest level: where twice alpha is above it, the limit lies further in than the one at alpha
CLOSE = 1e-9  # of an equal error rate's limit
STEEP = 16.0  # slopes from which a curve may jump
SMALL = 1e-4  # a step in log odds after which Newton's method has converged: the remaining error is about its square
NEWTON, STEPS = 20, 90  # number of steps, of which all after the first NEWTON are bisections
FAR, FURTHEST = 3.9, 8.2  # normal quantiles: at a level of .9999, and where probabilities are 0 relative to 1


class Bins(NamedTuple):
    """Per row and bin: probability, mean, and second and third central moment of x."""

    row: Integers
    mass: Floats
    x: Floats
    variance: Floats
    third: Floats

    @classmethod
    def of(cls, row: Integers, place: Integers, masses: Floats, x: Floats, inner: Floats) -> Bins:
        """From pieces of cells in the order of rows and bins: probability, middle in x, and variance of x within."""
        key = row * (place.max() + 1) + place
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        which = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(key)))
        mass = np.add.reduceat(masses, starts)
        off = x - x[starts][which]
        center = np.add.reduceat(masses * off, starts) / mass
        off -= center[which]
        square = off * off
        off *= square + 3 * inner
        square += inner
        variance, third = (np.add.reduceat(masses * moment, starts) / mass for moment in (square, off))
        some, center = mass > NEGLIGIBLE, center + x[starts]
        return cls(row[starts][some], mass[some], center[some], variance[some], third[some])

    def points(self) -> tuple[Integers, Floats, Floats]:
        """Two points per bin that have its first three moments, or one point: rows, probabilities and x."""
        # At counts of many millions rounding may leave less than 0.
        spread = np.sqrt(np.maximum(self.variance, 0.0))
        two = spread > TIGHT
        lean = np.where(two, self.third, 0.0) / np.where(two, 2 * spread**3, 1.0)
        root = np.sqrt(1 + lean**2)
        low, high = self.x + np.where(two, spread * (lean - root), 0.0), self.x + spread * (lean + root)
        return _in_two(two, self.row, self.mass, (1 - lean / root) / 2, low, high)


class RankCells(NamedTuple):
    """The probable values k of K, consecutive in each row from ``first`` on, and their cells.

    ``pmf`` are their probabilities; ``ends`` the heights of the curve (in positives) at k - 1/2 negatives, and after
    the last; ``sloping`` marks where scores tie across the classes, so that the curve is straight.
    """

    pmf: Floats
    first: Integers
    ends: Floats
    sloping: Booleans

    @classmethod
    def at(cls, curve: DrawnCurve, fpr: Floats) -> RankCells:
        n = curve.negatives
        first, pmf = binomials(np.full(len(fpr), n), fpr, 1 - fpr)
        pmf, k = np.where(pmf > UNSEEN, pmf, 0.0), first[:, None] + np.arange(pmf.shape[1] + 1)
        level = curve.level(k)
        size, tied = curve.sizes[level], curve.tied[level]
        ends = curve.before[level] + (k - curve.reached[level] + size - 0.5) / size * tied
        sloping = (tied > 0) & (k > 0) & (k <= n)
        ends = np.where(k <= 0, 0.0, np.where(k > n, curve.positives, ends))
        return cls(pmf, first, ends, sloping[:, :-1] | sloping[:, 1:])

    @property
    def rank_difference(self) -> Floats:
        """Half the mean distance of two independent ranks, counted where the curve is rough at both."""
        rough = np.cumsum(np.where(self.sloping, 0.0, self.pmf), axis=1)
        return np.asarray((rough * (rough[:, -1:] - rough)).sum(axis=1))

    def slopes(self, n: int) -> Floats:
        """Positives per gap, averaged over the probable gaps, once without the last of all, once without the first."""
        rank = self.first[:, None] + np.arange(self.pmf.shape[1])
        masses = (np.where(kept, self.pmf, 0.0) for kept in ((rank >= 0) & (rank < n), (rank >= 1) & (rank <= n)))
        gaps = np.diff(self.ends, axis=1)
        return np.array([(mass * gaps).sum(axis=1) / np.maximum(mass.sum(axis=1), LEAST) for mass in masses])

    def pieces(self, edges: Floats) -> tuple[Integers, Integers, Floats, Floats, Floats]:
        """Cells are cut at half-integers; x is continuous in sloping ones, else whole: variance (part^2 - 1) / 12."""
        row, column = np.nonzero(self.pmf)
        start, end = self.ends[row, column], self.ends[row, column + 1]
        flat = np.where(self.sloping[row, column] & (start < end), 0.0, 0.5)
        low, high = start - flat, end + flat
        density = self.pmf[row, column] / (high - low)
        first = np.searchsorted(edges, low, "right")
        times = np.maximum(np.searchsorted(edges, high) - first, 0) + 1
        which, place = runs(first, times)
        begin = np.maximum(low[which], np.append(-1.0, edges)[place])
        part = np.minimum(high[which], np.append(edges, np.inf)[place])
        part -= begin
        begin += part / 2
        mass = density[which] * part
        part *= part
        part -= 2 * flat[which]
        part /= 12
        return row[which], place, mass, begin, part


class Mixtures(NamedTuple):
    """The confidence distributions: mixtures of Beta distributions, of all rates side by side.

    Each component has a row (its rate), a weight and x, ``above``. ``outwards`` is, per row, by how many cases limits
    move outwards; n is the number of positives.
    """

    row: Integers
    weights: Floats
    above: Floats
    outwards: Floats
    n: int

    @classmethod
    def at(cls, curve: DrawnCurve, fpr: Floats, *, reduced: bool = True) -> Self:
        outwards, parts = np.zeros(len(fpr)), []
        edges, mean, nothing = _edges(curve.positives), curve.negatives * fpr, np.zeros(len(fpr), dtype=np.int64)
        low, high = windows(mean, mean * (1 - fpr), np.ones(len(fpr)), nothing, nothing + curve.negatives)
        for block in in_blocks(np.arange(len(fpr)), high - low + 1, ENTRIES):
            row, weights, above, outwards[block] = _mixture(curve, fpr[block], edges, reduced)
            parts.append((block[row], weights, above))
        row, weights, above = (np.concatenate(each) for each in zip(*parts, strict=True))
        return cls(row, weights, above, outwards, curve.positives)

    def limits(self, alpha: Floats, side: int) -> Floats:
        """Quantiles that leave alpha outside; for lower ones x = 0 is the rate 0, for upper ones x = n the rate 1."""
        row, count = self.row, len(self.outwards)
        above = self.n - self.above if side > 0 else self.above
        none = above == 0
        rest = alpha - np.bincount(row[none], self.weights[none], count)
        todo = (rest > 0) & (np.bincount(row[~none], minlength=count) > 0)
        some = ~none & todo[row]
        hits = above[some] + 0.5 - self.outwards[row[some]]
        limits = np.zeros(count)
        limits[todo] = _quantiles((np.cumsum(todo) - 1)[row[some]], self.weights[some], hits, self.n + 1.0, rest[todo])
        return 1 - limits if side > 0 else limits


@np.errstate(all="ignore")  # far from the root masses may be 0
def _quantiles(row: Integers, weights: Floats, hits: Floats, total: float, rest: Floats) -> Floats:
    """Where the mixtures' cdfs reach ``rest``: Newton's method for the log cdf, in log odds; then bisection."""
    if not len(rest):
        return rest
    misses, scale = total - hits, betaln(hits, total - hits)
    low, high = np.full(len(rest), FLOOR), np.full(len(rest), -FLOOR)
    v = np.clip(_start(row, weights, hits / total, total, rest), FLOOR / 2, -FLOOR / 2)
    todo: Integers = np.arange(len(rest))
    roots = v.copy()
    for step in range(STEPS):
        y, left = expit(v), expit(-v)
        reached = np.bincount(row, weights * betainc(hits, misses, y[row]))
        slope = np.bincount(row, weights * np.exp(hits * np.log(y)[row] + misses * np.log(left)[row] - scale))
        excess = np.log(reached / rest)
        low, high = np.where(excess < 0, v, low), np.where(excess < 0, high, v)
        moved = v - excess * reached / slope
        last, v = v, np.where((moved >= low) & (moved <= high) & (step < NEWTON), moved, (low + high) / 2)
        roots[todo], still = v, np.abs(v - last) > SMALL
        if not still.any():
            return np.where(roots <= FLOOR + 1, 0.0, expit(roots))
        # Rows that have converged are left out: most of the time goes into betainc.
        kept = still[row]
        row = (np.cumsum(still) - 1)[row[kept]]
        weights, hits, misses, scale = (x[kept] for x in (weights, hits, misses, scale))
        todo = np.compress(still, todo)
        v, low, high, rest = (x[still] for x in (v, low, high, rest))
    raise RuntimeError(f"some of {len(rest)} limits were not found in {STEPS} steps; please report it.")


def _start(row: Integers, weights: Floats, shares: Floats, total: float, rest: Floats) -> Floats:
    """The log odds of the quantile of the Beta law with the mixture's mean and variance."""
    sums = np.bincount(row, weights)
    mean = np.bincount(row, weights * shares) / sums
    own = shares * (1 - shares) / (total + 1)
    variance = np.bincount(row, weights * ((shares - mean[row]) ** 2 + own)) / sums
    size = np.maximum(mean * (1 - mean) / variance - 1, 0.1)
    y = betaincinv(mean * size, (1 - mean) * size, rest / sums)
    return np.asarray(logit(np.clip(np.where(np.isnan(y), 0.0, y), 1e-290, 1 - 1e-16)))


def _edges(n: int) -> Floats:
    """Half-integers between 0 and n whose distance is ``GRAIN`` standard deviations of a count, at least 1."""
    turns = np.linspace(0, np.pi / 4, 1 + int(np.pi / 2 * np.sqrt(n) / GRAIN))
    lower = np.floor(n * np.sin(turns) ** 2) + 0.5
    return np.unique(np.concatenate([lower, n - lower]))


def _mixture(curve: DrawnCurve, fpr: Floats, edges: Floats, reduced: bool) -> tuple[Integers, Floats, Floats, Floats]:
    """The fields of :class:`Mixtures` for some rates; ``excess`` is what x loses in variance, by side of its mean."""
    n, positives = curve.negatives, curve.positives
    cells = RankCells.at(curve, fpr)
    mean, slopes = (cells.pmf * (cells.ends[:, :-1] + cells.ends[:, 1:])).sum(axis=1) / 2, cells.slopes(n)
    excess = cells.rank_difference * slopes * (1 + ROUGHNESS * slopes)
    bins = Bins.of(*cells.pieces(edges))
    variance = np.bincount(bins.row, bins.mass * ((bins.x - mean[bins.row]) ** 2 + bins.variance))
    kept = np.maximum(variance - reduced * excess, 0.0)
    row, weights, x = bins.points()
    below, above = np.sqrt(kept / np.where(variance > 0, variance, 1.0))
    center = mean[row]
    drawn = center + np.where(x < center, below[row], above[row]) * (x - center)
    at_none, at_all = curve.hits(np.array([0.5, n - 0.5])) == [0, positives]
    certain = (x == 0) & at_none | (x == positives) & at_all
    shrunk = np.where(certain, x, drawn)  # where the curve is constant at 0 or 1 it is not rough
    # An x within 1 of 0 or n is split between its whole neighbours, as x = 0 and x = n are treated separately.
    split, lower = (shrunk < 1) | (shrunk > positives - 1), np.clip(np.floor(shrunk), 0, max(positives - 1, 0))
    upper, low = np.clip(shrunk - lower, 0.0, 1.0), np.where(split, lower, shrunk)
    row, weights, x = _in_two(split, row, weights, upper, low, lower + 1)
    total = np.bincount(row, weights)
    return row, weights / total[row], x, OUTWARDS / (1 + kept.mean(axis=0))


def _in_two(
    some: Booleans, row: Integers, weights: Floats, upper: Floats, low: Floats, high: Floats
) -> tuple[Integers, Floats, Floats]:
    """Some components split in two: ``high`` gets the share ``upper``, ``low`` the rest; the others are at ``low``."""
    which = np.repeat(np.arange(len(some)), 1 + some)
    second, share = np.diff(which, prepend=-1) == 0, np.where(some, upper, 0.0)[which]
    weights = np.where(second, share, 1 - share) * weights[which]
    return row[which], weights, np.where(second, high[which], low[which])


@np.errstate(under="ignore")  # the probability that no negative is on one side may underflow
def rank_beta_limit(law: VerticalLaw, alpha: Floats, side: int, sides: int = 1) -> Floats:
    """Limits of the confidence distributions; at a false-positive rate of 0 the rate is known to be 0.

    A limit is the end of the range where no negative is beyond the threshold with a probability above sides * alpha.
    """
    limits, unknown, alpha = np.zeros(len(law.known)), ~law.known, np.broadcast_to(alpha, law.known.shape)
    if unknown.any():
        limits[unknown] = _mixtures(law).limits(alpha[unknown], side)
        if (few := _few_beyond(law, side)).any():
            loose = _mixtures(law, side).limits(np.minimum(2 * alpha[few], LOOSEST), side)
            limits[few] = side * np.maximum(side * limits[few], side * loose)
    if law.jumps is not None:
        limits = side * np.maximum(side * limits, side * _limits_beside_jumps(law, alpha, side))
    unseen = (1 - law.fpr if side < 0 else law.fpr) ** law.curve.negatives
    return np.where(unknown & (unseen > sides * alpha), float(side > 0), limits)


@once_a_law
def _lower_sides(law: VerticalLaw) -> tuple[Mixtures, Booleans, Floats]:
    """At rates with a jump: the distributions (not reduced), which rates, and the probability of the part below."""
    assert law.jumps is not None
    some, middle = np.isfinite(law.jumps[0]), law.jumps.mean(axis=0)
    mixtures = Mixtures.at(law.curve, law.fpr[some], reduced=False)
    x, n, middle = mixtures.above, mixtures.n, middle[some][mixtures.row]
    below = np.where(x == 0, 1.0, np.where(x == n, 0.0, betainc(x + 0.5, n - x + 0.5, middle)))
    lower = np.bincount(mixtures.row, mixtures.weights * below, int(some.sum()))
    return mixtures, some, lower.astype(np.float64)


def _limits_beside_jumps(law: VerticalLaw, alpha: Floats, side: int) -> Floats:
    """Quantiles of the part on this side of the jump, where the rate may lie; infinite where there is none."""
    mixtures, some, lower = _lower_sides(law)
    share = lower if side < 0 else 1 - lower
    limits = np.full(law.known.shape, -side * np.inf)
    found = mixtures.limits(np.minimum(alpha[some] * share, LOOSEST), side)
    limits[some] = np.where(share > alpha[some], found, -side * np.inf)
    return limits


def _few_beyond(law: VerticalLaw, side: int) -> Booleans:
    """Where few negatives are expected beyond the threshold, so that one gap may have most of the variance."""
    share = law.fpr if side < 0 else 1 - law.fpr
    return np.asarray(~law.known & (share * law.curve.negatives <= FEW_NEGATIVES))


@once_a_law
def rank_beta_median(law: VerticalLaw) -> Floats:
    medians, unknown = np.zeros(len(law.known)), ~law.known
    if unknown.any():
        medians[unknown] = _mixtures(law).limits(np.full(int(unknown.sum()), 0.5), 1)
    return medians


@once_a_law
def _mixtures(law: VerticalLaw, side: int = 0) -> Mixtures:
    """The confidence distributions at all unknown rates; or, uncorrected, where few negatives are beyond."""
    some = _few_beyond(law, side) if side else ~law.known
    return Mixtures.at(law.curve, law.fpr[some], reduced=not side)


def rank_beta(law: VerticalLaw | FallingLaw | EqualErrorLaw, alpha: Floats, side: int, sides: int = 1) -> Floats:
    if isinstance(law, EqualErrorLaw):
        each = [_equal_error_limit(law, one, side, sides) for one in np.ravel(alpha).tolist()]
        return np.reshape(each, np.shape(alpha))
    if isinstance(law, FallingLaw):  # the limit of a falling function of a rate is from the rate's other limit
        assert isinstance(law.law, VerticalLaw)
        return law.here(rank_beta(law.law, alpha, -side, sides))
    return side * np.maximum(side * rank_beta_limit(law, alpha, side, sides), side * law.estimate)


def _equal_error_limit(law: EqualErrorLaw, alpha: float, side: int, sides: int) -> float:
    """The rate at which the curve's limit on the other side meets the line where both error rates are equal."""

    def above_line(curve: VerticalLaw) -> Floats:
        return np.asarray(rank_beta(curve, np.array(alpha), -side, sides) + curve.fpr - 1)

    for everywhere in (False, True):
        curve = law.at(np.linspace(0.0, 1.0, 9)) if everywhere else law.nearby
        excess = above_line(curve)
        limit = float(excess[0] < 0)
        if excess[0] < 0 < excess[-1]:
            limit = _root_of_rising(lambda rates: above_line(law.at(rates)), curve.fpr, excess)
            break
    return side * max(side * limit, side * law.mean)


@np.errstate(divide="ignore", invalid="ignore")  # points at one place have no line between them
def _root_of_rising(function: Callable[[Floats], Floats], x: Floats, y: Floats) -> float:
    """Where a function that rises is 0, from its values y at four or more x around that place.

    The function is asked for two values at a time until the curves through the three and the four nearest points agree,
    or, where it jumps, until the jump is between two points next to each other.
    """
    for part in cycle((64, 4)):  # most roots are within a 64th of the interval
        place = int(np.searchsorted(y, 0))
        (low, high), (below, above) = x[place - 1 : place + 1], y[place - 1 : place + 1]
        first = min(max(place - 2, 0), len(x) - 4)
        rough, root = (_crossing(x[i : i + k], y[i : i + k]) for i, k in ((first + (place > first + 1), 3), (first, 4)))
        root = root if low <= root <= high else (low + high) / 2
        if high - low <= CLOSE or (abs(root - rough) <= 30 * CLOSE and above - below < STEEP * (high - low)):
            break
        near = np.clip([root - (high - low) / part, root + (high - low) / part], low, high)
        x, y = np.array([low, *near, high]), np.array([below, *function(near), above])
    return root


def _crossing(x: Floats, y: Floats) -> float:
    """Where y is 0, by Neville's polynomial for x as a function of y."""
    for k in range(1, len(y)):
        x = (y[k:] * x[:-1] - y[:-k] * x[1:]) / (y[k:] - y[:-k])
    return float(x[0])


def rank_mover(law: PairedRates, alpha: Floats, side: int) -> Floats:
    # First, as it needs memory, and the confidence distributions are cached.
    decorrelation = law.decorrelation
    a, b = rank_beta_median(law.a), rank_beta_median(law.b)
    off_a = np.maximum(side * (rank_beta_limit(law.a, alpha, side) - a), 0.0)
    off_b = np.maximum(-side * (rank_beta_limit(law.b, alpha, -side) - b), 0.0)
    distance = joint_distance(off_a, off_b, decorrelation)
    to_ends = np.abs(law.a.support[side > 0] - a), np.abs(law.b.support[side < 0] - b)
    distance += _far_out((off_a, off_b), to_ends, alpha) * (off_a + off_b - distance)
    furthest = np.maximum(side * (a - b + side * distance), side * law.estimate)
    if law.a.jumps is not None or law.b.jumps is not None:
        furthest = np.fmax(furthest, _beyond_jumps(law, (a, b), np.broadcast_to(alpha, a.shape), side))
    return np.asarray(side * furthest)


def _beyond_jumps(law: PairedRates, medians: tuple[Floats, Floats], alpha: Floats, side: int) -> Floats:
    """Limits where that of one model or both lies beyond a jump, without credit for a positive r; NaN elsewhere."""
    limits = rank_beta_limit(law.a, alpha, side), rank_beta_limit(law.b, alpha, -side)
    ends = []
    for one, limit, median, towards in zip((law.a, law.b), limits, medians, (side, -side), strict=True):
        end = np.full(limit.shape, np.nan) if one.jumps is None else np.clip(limit, *one.jumps)
        ends.append(np.where(towards * (end - median) > 0, end, np.nan))
    decorrelation = np.maximum(law.decorrelation, 1.0)
    found = []
    for a, b in ((ends[0], medians[1]), (medians[0], ends[1]), (ends[0], ends[1])):
        distance = joint_distance(np.abs(limits[0] - a), np.abs(limits[1] - b), decorrelation)
        found.append(side * (a - b) + distance)
    return np.asarray(np.fmax(np.fmax(found[0], found[1]), found[2]))


def _far_out(offs: tuple[Floats, Floats], to_ends: tuple[Floats, Floats], alpha: Floats) -> Floats:
    """The share of the way from MOVER's distance to d + e, so that limits reach the ends; 0 at levels up to .9999."""
    gone = np.divide(offs, to_ends, out=np.ones(np.shape(offs)), where=np.greater(to_ends, 0))
    return np.asarray(np.clip((-ndtri(alpha) - FAR) / (FURTHEST - FAR), 0.0, 1.0) * gone.min(axis=0))


def joint_distance(x: Floats, y: Floats, decorrelation: Floats | float) -> Floats:
    """The root of x^2 + y^2 - 2 r x y, ``decorrelation`` 1 - r; its minimum where a larger x or y would reduce it."""
    x, y = np.maximum(x, (1 - decorrelation) * y), np.maximum(y, (1 - decorrelation) * x)
    return np.asarray(np.sqrt((x - y) ** 2 + 2 * decorrelation * x * y))


RANK_BETA = Method(
    "rank_beta",
    "rank Beta",
    rank_beta,
    "Beta distributions of the rate, averaged over the ranks that the threshold may have.",
    "At a rate where the slope of the population's curve falls abruptly, and with five cases or fewer in a class.",
    of_both=partial(rank_beta, sides=2),
)

METHODS = (
    RANK_BETA,
    Method(
        "rank_mover",
        "rank Beta, MOVER",
        rank_mover,
        "the limits of each model's rank Beta interval, combined by MOVER with the models' correlation.",
        RANK_BETA.caution,
    ),
)
