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
steep side, and the upper limits may miss alpha (1 - log alpha) instead of alpha: .12 for .025.

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

from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, betaincinv, betaln

from skcostci._validation import Booleans, Floats, Integers
from skcostci.intervals._method import Method, once_a_law
from skcostci.intervals._rank_mixture import RankMixtures
from skcostci.laws import FallingLaw, PairedVerticalLaw, VerticalLaw

FLOOR = -690.0  # the log odds below which a limit is 0
SMALL = 1e-7  # a step in log odds after which Newton's method has converged: the next is about its square
CLOSE = 1e-4  # so is one where log and slope are so close: what Halley's leaves is about the cube
STEPS = 200
NEAR = 0.4  # as far as the logarithm of a slope changes by so much: there derivatives tell what is reached, to 1e-8
NOTHING = 1e-30  # is left where all is reached
FEW_NEGATIVES = 16.0  # expected beyond a threshold: up to so many counts are not drawn in for a limit at 2 alpha
UNSEEN = 1e-10  # what is left out of a Beta law's tail, relative to all


class Mixtures(RankMixtures):
    """The confidence distributions of several points, side by side."""

    @cached_property
    def median(self) -> Floats:
        """Of each."""
        return self.limits(np.full(len(self.outwards), 0.5), 1)

    def limits(self, alpha: Floats, side: int) -> Floats:
        """Limits that leave alpha outside: all mass of x = 0 lies at 0 for lower ones, all of x = n at 1 for upper."""
        return np.concatenate([block._limits(alpha[rows], side) for rows, block in self.blocks()])

    def _limits(self, alpha: Floats, side: int) -> Floats:
        todo, rest, betas = self._betas(alpha, side)
        limits = np.zeros(len(todo))
        limits[todo] = _quantiles(betas, rest)
        return 1 - limits if side > 0 else limits

    def _betas(self, alpha: Floats, side: int) -> tuple[Booleans, Floats, Betas]:
        """In which rows what has to be reached by which Beta laws, of the misses for the upper limit."""
        row, count = self.row, len(self.outwards)
        above = self.n - self.above if side > 0 else self.above
        none = above == 0
        rest = alpha - np.bincount(row[none], self.weights[none], count)
        todo = (rest > 0) & (np.bincount(row[~none], minlength=count) > 0)
        some = ~none & todo[row]
        hits = above[some] + 0.5 - self.outwards[row[some]]
        number, total = (np.cumsum(todo) - 1)[row[some]], self.n + 1.0
        return todo, rest[todo], Betas(number, self.weights[some], hits, betaln(hits, total - hits), total)


@np.errstate(under="ignore")  # of the chance that no negative is on one side
def rank_beta_limit(law: VerticalLaw, alpha: Floats, side: int, sides: int = 1) -> Floats:
    """Limits of the confidence distributions; a rate of 0 is known.

    ``sides`` of an interval may miss, by alpha each: where the limit on the other side is at its end and never does,
    this one may by twice as much.
    """
    limits, unknown, alpha = np.zeros(len(law.known)), ~law.known, np.broadcast_to(alpha, law.known.shape)
    if unknown.any():
        limits[unknown] = _mixtures(law).limits(alpha[unknown], side)
        if (few := _few_beyond(law, side)).any():
            loose = _mixtures(law, side).limits(np.minimum(2 * alpha[few], np.nextafter(1.0, 0.0)), side)
            limits[few] = side * np.maximum(side * limits[few], side * loose)
    unseen = (1 - law.fpr if side < 0 else law.fpr) ** law.curve.negatives
    return np.where(unknown & (unseen > sides * alpha), float(side > 0), limits)


def _few_beyond(law: VerticalLaw, side: int) -> Booleans:
    """Where few negatives decide: a gap between two of them may hold most of the variance."""
    share = law.fpr if side < 0 else 1 - law.fpr
    return np.asarray(~law.known & (share * law.curve.negatives <= FEW_NEGATIVES))


def rank_beta_median(law: VerticalLaw) -> Floats:
    """Medians of the confidence distributions."""
    medians, unknown = np.zeros(len(law.known)), ~law.known
    if unknown.any():
        medians[unknown] = _mixtures(law).median
    return medians


@once_a_law
def _mixtures(law: VerticalLaw, side: int = 0) -> Mixtures:
    """Those of the rates that are not known, or of a side where few negatives decide, there not drawn in; made once."""
    some = _few_beyond(law, side) if side else ~law.known
    return Mixtures.at(law.curve, law.fpr[some], drawn_in=not side)


def rank_beta(law: VerticalLaw | FallingLaw, alpha: Floats, side: int, sides: int = 1) -> Floats:
    """Quantiles of a confidence distribution, Beta laws mixed over the rank of the right threshold, or the estimate."""
    if isinstance(law, FallingLaw):  # of a rate: its other limit
        return law.of(rank_beta(law.rate, alpha, -side, sides))
    return side * np.maximum(side * rank_beta_limit(law, alpha, side, sides), side * law.estimate)


class Betas(NamedTuple):
    """Weighted Beta laws of all rows, in order; ``scale`` is the log of the Beta function.

    ``total`` are the hits and misses of each.
    """

    row: Integers
    weights: Floats
    hits: Floats
    scale: Floats
    total: float

    def of(self, rows: Integers) -> Betas:
        """Of some rows, in order and numbered anew."""
        number = np.full(int(self.row[-1]) + 1 if len(self.row) else 0, -1)
        number[rows] = np.arange(len(rows))
        row = number[self.row]
        some = row >= 0
        return Betas(row[some], self.weights[some], self.hits[some], self.scale[some], self.total)

    def turned(self, rows: Booleans) -> Betas:
        """With the laws of the misses in these rows."""
        if not rows.any():
            return self
        return self._replace(hits=np.where(rows[self.row], self.misses, self.hits))

    @property
    def misses(self) -> Floats:
        return self.total - self.hits

    def sums(self, parts: Floats) -> Floats:
        """Of each row."""
        return np.asarray(np.bincount(self.row, parts))

    def slopes(self, y: Floats, left: Floats) -> tuple[Floats, Floats]:
        """Of each law the derivative of its part by log odds, and that of its logarithm."""
        logs = self.hits * np.log(y)[self.row]
        logs += self.misses * np.log(left)[self.row]
        logs -= self.scale
        density = np.exp(np.minimum(logs, 700.0, out=logs), out=logs)
        density *= self.weights
        tilt = self.hits - self.total * y[self.row]
        return density, tilt

    def reached(self, y: Floats, some: Booleans, beyond: Booleans) -> Floats:
        """What some laws of each row reach, and all of those that y lies beyond."""
        row = self.row[some]
        hits = self.hits[some]
        parts = betainc(hits, self.total - hits, y[row])
        parts *= self.weights[some]
        whole = np.bincount(self.row[beyond], self.weights[beyond], len(y))
        return np.asarray(np.bincount(row, parts, len(y)) + whole)


def _quantiles(betas: Betas, rest: Floats) -> Floats:
    """Where mixtures of Beta distribution functions reach ``rest``, sought from the nearer end."""
    total = betas.sums(betas.weights)
    far = rest > total / 2
    roots = _lower_quantiles(betas.turned(far), np.where(far, np.maximum(total - rest, NOTHING), rest))
    return np.where(far, 1 - roots, roots)


def _lower_quantiles(betas: Betas, rest: Floats) -> Floats:
    """Those below the median or there: Halley's method for logarithms of distribution functions in log odds.

    The root is bracketed, and a step that leaves the bracket, or that halves it too slowly, is a bisection instead.
    """
    low, high = np.full(len(rest), FLOOR), np.full(len(rest), -FLOOR)
    todo, last = np.arange(len(rest)), np.full(len(rest), np.inf)
    roots = np.clip(_start(betas, rest), FLOOR / 2, -FLOOR / 2) if len(rest) else low
    level = None
    for _ in range(STEPS):
        if not len(todo):
            return np.where(roots <= FLOOR + 1, 0.0, _shares(roots)[0])
        v = roots[todo]
        level = Level.at(betas, v, level)
        excess, step, bend = level.newton(rest[todo])
        low[todo], high[todo] = np.where(excess < 0, v, low[todo]), np.where(excess < 0, high[todo], v)
        close = np.maximum(np.abs(excess), np.abs(bend)) <= CLOSE
        shut = high[todo] - low[todo] <= SMALL**2 * (1 + np.abs(v))
        settled = close | (np.abs(step) <= SMALL) | shut | (excess == 0)
        slow = ~(np.abs(step) <= last[todo] / 2) & ~settled
        moved = v + step / (1 - np.fmin(np.fmax(bend, -0.5), 0.5))
        inside = (moved > low[todo]) & (moved < high[todo])
        roots[todo] = np.where(inside & ~slow, moved, np.where(settled, v, (low[todo] + high[todo]) / 2))
        last[todo] = np.where(slow | ~inside, np.inf, np.abs(step))
        if settled.any():
            todo, betas = todo[~settled], betas.of(np.flatnonzero(~settled))
            level = Level(*(part[~settled] for part in level))
    raise RuntimeError(f"{len(todo)} of {len(rest)} limits were not found in {STEPS} steps; please report it.")


class Level(NamedTuple):
    """What mixtures reach at log odds v, its first three derivatives, and how steep their slopes' logarithms are."""

    v: Floats
    reached: Floats
    slope: Floats
    curvature: Floats
    turn: Floats
    steepness: Floats

    @classmethod
    @np.errstate(all="ignore")  # far from the root nothing may be reached, or all
    def at(cls, betas: Betas, v: Floats, last: Level | None) -> Level:
        """From the distribution functions, or near the last place from the derivatives at both."""
        y, left = _shares(v)
        density, tilt = betas.slopes(y, left)
        narrow, slope = betas.total * y * left, betas.sums(density)
        first = density * tilt
        curvature = betas.sums(first)
        first *= tilt
        square = betas.sums(first)
        del first  # room for the distribution functions
        steepness = np.sqrt(square / slope + narrow)
        level = cls(v, np.zeros(len(v)), slope, curvature, square - narrow * slope, steepness)
        far = np.ones(len(v), dtype=bool)
        if last is not None:
            level.reached[:] = last.reached + level.gained(last)
            far = ~(np.abs(v - last.v) * np.maximum(level.steepness, last.steepness) <= NEAR)
        if far.any():
            asked, seen = far[betas.row], density > UNSEEN * (slope / steepness)[betas.row] * np.abs(tilt)
            beyond = asked & ~seen & (tilt < 0)
            del density, tilt  # likewise
            level.reached[far] = betas.reached(y, asked & seen, beyond)[far]
        return level

    def gained(self, last: Level) -> Floats:
        """More than at another place: the integral of the quintic with the slope and its derivatives at both."""
        step = self.v - last.v
        fifth = (last.curvature - self.curvature) / 10 + step * (last.turn + self.turn) / 120
        return step * ((last.slope + self.slope) / 2 + step * fifth)

    @np.errstate(all="ignore")
    def newton(self, rest: Floats) -> tuple[Floats, Floats, Floats]:
        """Log of what is reached over what is asked, Newton's step, by what share of it the slope changes, halved."""
        excess, relative = np.log(self.reached / rest), self.reached / self.slope
        return excess, -excess * relative, excess * (self.curvature * relative / self.slope - 1) / 2


def _shares(log_odds: Floats) -> tuple[Floats, Floats]:
    """A share and what is left, each precise where it is small."""
    small = np.exp(-np.abs(log_odds))
    small, large = small / (1 + small), 1 / (1 + small)
    return np.where(log_odds < 0, small, large), np.where(log_odds < 0, large, small)


def _start(betas: Betas, rest: Floats) -> Floats:
    """The log odds of the quantile of the Beta law with the mixture's mean and variance."""
    weights, total = betas.weights, betas.total
    sums, shares = betas.sums(weights), betas.hits / total
    mean = betas.sums(weights * shares) / sums
    own = shares * (1 - shares) / (total + 1)
    variance = betas.sums(weights * ((shares - mean[betas.row]) ** 2 + own)) / sums
    size = np.maximum(mean * (1 - mean) / variance - 1, 0.1)
    y = betaincinv(mean * size, (1 - mean) * size, np.minimum(rest / sums, 1 - 1e-9))
    y = np.clip(np.where(np.isnan(y), 0.0, y), 1e-290, 1 - 1e-16)
    return np.asarray(np.log(y) - np.log1p(-y))


RANK_BETA = Method(
    "rank_beta",
    "rank Beta",
    rank_beta,
    "Beta laws of the rate, mixed over the ranks that the threshold may have.",
    "At a rate where the slope of the population's curve drops at once, and with five cases or fewer in a class.",
    of_both=partial(rank_beta, sides=2),
)


def rank_mover(law: PairedVerticalLaw, alpha: Floats, side: int) -> Floats:
    """Each model's limits combined by MOVER about the medians of their confidence distributions, or the estimate."""
    decorrelation = law.decorrelation  # first: it needs room, and the confidence distributions are kept
    a, b = rank_beta_median(law.a), rank_beta_median(law.b)
    off_a = side * (rank_beta_limit(law.a, alpha, side) - a)
    off_b = -side * (rank_beta_limit(law.b, alpha, -side) - b)
    outwards = np.where(alpha <= 0.5, 1, -1)
    off_a, off_b = np.maximum(outwards * off_a, 0.0), np.maximum(outwards * off_b, 0.0)
    limits = a - b + side * outwards * joint_distance(off_a, off_b, decorrelation)
    return np.asarray(side * np.maximum(side * limits, side * law.estimate))


def joint_distance(x: Floats, y: Floats, decorrelation: Floats | float) -> Floats:
    """How far a difference may lie off when its parts may by x and by y; ``decorrelation`` is 1 less their correlation.

    The square root of x^2 + y^2 - 2 r x y falls with the smaller of x and y up to r times the larger, where a wider
    part must not narrow the whole: there it is kept at its least.
    """
    infinite = np.isinf(x) | np.isinf(y)  # the difference of an infinite limit and any other is infinite
    x, y = np.where(infinite, 0.0, x), np.where(infinite, 0.0, y)
    x, y = np.maximum(x, (1 - decorrelation) * y), np.maximum(y, (1 - decorrelation) * x)
    return np.where(infinite, np.inf, np.sqrt((x - y) ** 2 + 2 * decorrelation * x * y))


METHODS = (
    RANK_BETA,
    Method(
        "rank_mover",
        "rank Beta, MOVER",
        rank_mover,
        "Each model's limits, put together by MOVER with the correlation of the models.",
        RANK_BETA.caution,
    ),
)
