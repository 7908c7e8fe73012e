"""A confidence distribution for the true-positive rate at a fixed false-positive rate, from ranks and Beta laws.

At a true false-positive rate u the number K of the n negatives above the right threshold is Bin(n, u), whatever the
scores. Given K = k that threshold lies between the k-th and the (k + 1)-th largest negative, so that x, the number of
positives above it, lies between the two counts there; given x the rate is about Beta(x + 1/2, n_positive - x + 1/2).
Mixing the Betas over k, and over x in its gap, gives the confidence distribution.

So mixed it is too wide: between two ranks d apart the empirical curve also varies because the positives there and the
spacings of the negatives are random, by d lambda + d lambda^2 in variance where it climbs lambda positives a rank. The
first is binomial noise that the Betas count already; of the second half is taken off, as simulation has it. So the
variance of x is reduced by half the mean distance between two independent K (about sd / sqrt(pi)) times
lambda + lambda^2 / 2. Counts below the mean are drawn in with the lambda of the gaps but for the last, counts above it
with that of the gaps but for the first: the gap above the largest negative says nothing of the curve further up, and if
it did, the upper limits of classes nearly apart would fall short of the truth. All this is so of continuous scores;
where negatives are tied the curve's steps are the population's, and no more is taken off than the share of the probable
k at which the score changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaincinv, betaln

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import Lattice, binomial

NEGLIGIBLE = 1e-11  # probability of a block of counts left out
GRAIN = 0.6  # counts are merged in blocks so wide, in standard deviations of the Beta law: 3e-4 of the width
EXTRA = 0.15  # limits lean outwards by this many cases where the threshold is known (Clopper and Pearson: 0.5)
CUBED = 1e-5  # relative; the step from there is the last, and leaves about the cube of it
STEPS = 100


@dataclass(frozen=True)
class RankBeta:
    """Probable numbers of positives above the right threshold, of ``n`` in all, and how far the limits lean out."""

    weights: Floats
    above: Floats
    n: int
    lean: float


def rank_beta(hits: Integers, changes: Floats, rank: int, n: int) -> RankBeta:
    """The mixture at the false-positive rate rank / n; hits[k] is how many positives reach the k-th largest negative.

    ``hits`` has n + 2 entries: none reaches the 0-th, and all what would follow the n-th. ``changes`` has n + 1: 1
    where the next largest score is another one, 0 within ties.
    """
    ranks = binomial(n, rank / n, 1 - rank / n)
    ends = hits[ranks.start : ranks.start + len(ranks) + 1]
    first = int(ends[0])
    gaps = np.diff(ends)
    share = ranks.pmf / (gaps + 1)
    length = int(ends[-1]) - first + 2
    edges = np.bincount(ends[:-1] - first, share, length) - np.bincount(ends[1:] + 1 - first, share, length)
    law = np.maximum(np.cumsum(edges[:-1]), 0.0)
    law /= law.sum()
    x = first + np.arange(len(law), dtype=np.float64)
    mean = float(law @ x)
    variance = float(law @ (x - mean) ** 2)
    up_to, apart = np.cumsum(ranks.pmf), float(ranks.pmf @ changes[ranks.start : ranks.start + len(ranks)])
    apart *= float(up_to @ (1 - up_to))
    slopes = np.array([_slope(ranks, gaps, 0, n), _slope(ranks, gaps, 1, n + 1)])
    kept = np.maximum(variance - apart * slopes * (1 + slopes / 2), 0.0)
    positives = int(hits[-1])
    weights, blocks = _merged(law, x, GRAIN * np.sqrt(max(mean * (positives - mean), 0.0) / positives))
    below, above = np.sqrt(kept / variance) if variance > 0 else kept
    drawn = mean + np.where(blocks < mean, below, above) * (blocks - mean)
    certain = (blocks == 0) & (hits[1] == 0) | (blocks == positives) & (hits[-2] == positives)
    shrunk = np.where(certain, blocks, drawn)  # where the curve lies along an end, that is not roughness
    return RankBeta(*_whole_ends(weights, shrunk, positives), positives, EXTRA / (1 + float(kept.mean())))


def _slope(ranks: Lattice, gaps: Integers, first: int, end: int) -> float:
    """Positives in a gap, on average over the probable ones from the first to before the end."""
    some = slice(max(first - ranks.start, 0), end - ranks.start)
    mass = float(ranks.pmf[some].sum())
    return float(ranks.pmf[some] @ gaps[some]) / mass if mass else 0.0


def _merged(law: Floats, x: Floats, width: float) -> tuple[Floats, Floats]:
    """Blocks of counts, each as two points with its mean and variance; the first and the last count on their own."""
    starts = np.unique(
        np.concatenate([np.arange(0, len(law), max(int(width), 1)), [min(1, len(law) - 1), len(law) - 1]])
    )
    off = x - np.repeat(x[starts], np.diff(np.append(starts, len(law))))
    weights = np.add.reduceat(law, starts)
    kept = weights > NEGLIGIBLE
    means, squares = (np.add.reduceat(law * power, starts)[kept] / weights[kept] for power in (off, off**2))
    spread = np.sqrt(np.maximum(squares - means**2, 0.0))
    centers = x[starts][kept] + means
    if width < 2:
        return weights[kept], centers
    return np.tile(weights[kept] / 2, 2), np.concatenate([centers - spread, centers + spread])


def _whole_ends(weights: Floats, x: Floats, n: int) -> tuple[Floats, Floats]:
    """Counts within one of 0 or n split between their whole neighbours: 0 and n have rules of their own."""
    split = (x < 1) | (x > n - 1)
    lower = np.clip(np.floor(x[split]), 0, max(n - 1, 0))
    upper_share = np.clip(x[split] - lower, 0.0, 1.0)
    return (
        np.concatenate([weights[~split], weights[split] * (1 - upper_share), weights[split] * upper_share]),
        np.concatenate([x[~split], lower, lower + 1]),
    )


def rank_beta_limits(mixtures: tuple[RankBeta, ...], alpha: Floats, side: int) -> Floats:
    """Limits that leave alpha outside: all mass of x = 0 lies at 0 for lower ones, all of x = n at 1 for upper ones."""
    width = max(len(mixture.weights) for mixture in mixtures)
    weights, above = np.zeros((len(mixtures), width)), np.ones((len(mixtures), width))
    for i, mixture in enumerate(mixtures):
        weights[i, : len(mixture.weights)], above[i, : len(mixture.weights)] = mixture.weights, mixture.above
    weights /= weights.sum(axis=1, keepdims=True)
    n, lean = mixtures[0].n, np.array([mixture.lean for mixture in mixtures])
    if side > 0:  # the upper limit is the lower one of the misses
        return 1 - _lower_limits(weights, n - above, n, lean, alpha)
    return _lower_limits(weights, above, n, lean, alpha)


def _lower_limits(weights: Floats, above: Floats, n: int, lean: Floats, q: Floats) -> Floats:
    """Newton's method on the mixture of Beta distribution functions, kept in a bracket."""
    at_zero = np.where(above == 0, weights, 0.0).sum(axis=1)
    weights = np.where(above == 0, 0.0, weights)
    limits = np.zeros(len(weights))
    todo = np.flatnonzero(at_zero < q)
    weights, rest = weights[todo], (q - at_zero)[todo]
    hits = np.where(weights > 0, above[todo] + 0.5 - lean[todo, None], 1.0)
    misses = np.maximum(n + 1 - hits, 0.5)
    scale = betaln(hits, misses)
    y, low, high = _start(weights, hits, n + 1.0, rest), np.zeros(len(todo)), np.ones(len(todo))
    done = np.zeros(len(todo), dtype=bool)
    for _ in range(STEPS):
        with np.errstate(under="ignore"):
            excess = (weights * betainc(hits, misses, y[:, None])).sum(axis=1) - rest
        low, high = np.where(excess < 0, y, low), np.where(excess < 0, high, y)
        near = done | (np.abs(excess) <= CUBED * rest)
        moved = _stepped(weights, hits, misses, scale, y, excess)
        inside = (moved > low) & (moved < high)
        y = np.where(done | near & ~inside, y, np.where(inside, moved, (low + high) / 2))
        done = near
        if done.all():
            break
    limits[todo] = y
    return limits


def _stepped(weights: Floats, hits: Floats, misses: Floats, scale: Floats, y: Floats, excess: Floats) -> Floats:
    """Halley's step from y."""
    at = y[:, None]
    with np.errstate(all="ignore"):
        densities = weights * np.exp(np.minimum((hits - 1) * np.log(at) + (misses - 1) * np.log1p(-at) - scale, 600.0))
        density = densities.sum(axis=1)
        bend = (densities * ((hits - 1) / at - (misses - 1) / (1 - at))).sum(axis=1)
        return np.asarray(y - 2 * excess * density / (2 * density**2 - excess * bend))


def _start(weights: Floats, hits: Floats, total: float, q: Floats) -> Floats:
    """The quantile of the Beta law with the mixture's mean and variance."""
    sums = weights.sum(axis=1)
    shares = hits / total
    mean = (weights * shares).sum(axis=1) / sums
    variance = (weights * ((shares - mean[:, None]) ** 2 + shares * (1 - shares) / (total + 1))).sum(axis=1) / sums
    size = np.maximum(mean * (1 - mean) / variance - 1, 0.1)
    return np.asarray(np.clip(betaincinv(mean * size, (1 - mean) * size, np.minimum(q / sums, 0.5)), 1e-300, 1 - 1e-12))
