"""Hits at a fixed false-positive rate: the mixture over where a resample's curve reaches that rate of the negatives.

The drawn curve of the sample joins vertices by straight lines, its *segments*: segment k has ``before`` positives on
its left and climbs ``tied`` positives, those that score as much as its negatives (none where it is horizontal). At the
false-positive rate t / n a resample's curve ends in the segment of the ceil(t)-th largest of the n negatives drawn:

    P(segment k) = P(R < t; start_k) - P(R < t; end_k),    R ~ Bin(n, place / n) drawn at or before a place,

equation (4) of the 2009 paper. It depends on ranks alone, whatever the scores and ties: give each draw a number uniform
on (0, 1), in ((j - 1) / n, j / n] if it is the j-th largest negative; then the number of the r-th largest draw is
Beta(r, n - r + 1). Given segment k, after a share w of it that :mod:`._tied_share` describes, each of the m positives
drawn counts 1 with probability before_k / m and w with probability tied_k / m, independently, with a variance v:

    E hits = sum_k P(k) (before_k + E[w | k] tied_k),    Var hits = Var(before + w tied) + E[m v].

Only the O(sqrt n) segments that may be reached are used. Where none of them slopes moments and the law are exact;
else they are as exact as the laws of w and of the hits in a group (:mod:`._tied_share` gives the errors).

**Jumps.** Where scores tie, the curve may climb straight up by many cases near a fixed rate. One rate is fixed at f
(the false-positive rate, say), of the *held* class with n cases (the negatives); the other is estimated, of the
*counted* class with N cases (the positives). Between two scores of the held class, and beyond its highest and lowest,
the curve climbs from h to h + c counted cases: a *step*. With F and L the .005 and .995 quantiles of Bin(n, f), G = L -
F + 1, and S the rise of the curve from rank F to the end of the step at L, the largest step with ranks in F..L is a
jump [h, h + c] / N if

    c >= 4,    q = c / S >= 1/2,    G (1 - q)^(G - 1) <= .05,

and ties cause it: a held score beside it is shared, or at least half of max(c, 4) of its counted cases share one score.
Scores without ties have no jump. The constants were chosen on 16 populations, and judged on others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy.special import bdtrik, betainccinv, betaincinv

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import in_blocks, runs
from skcostci.laws.exact._lattice import ListedValues, Masses, whole_masses
from skcostci.laws.exact._tied_share import TiedShares, gauss, tied_masses

FEW_DRAWS_VARIANCE = 16.0  # variance of a rank's place below which its law falls slowly; doubled: wider windows there
WINDOW_TAIL = 1e-15  # probability left out at each side of the window; doubled: rounding still
MIN_BLOCK_RANKS = 2**14  # entries of laws of ranks held at once, at least; doubled: fewer, larger blocks
WHOLE_ROUNDING = 1e-9  # relative: a rate times n that is so near to a whole number of negatives counts as that number
FEWEST_IN_JUMP = 4  # counted cases in a jump
OF_RISE = 0.5  # least q, the share of a jump in the rise over the probable ranks
CHANCE = 0.05  # largest probability that some step is so large if all steps are alike
PROBABLE = 0.005  # probability outside the probable ranks F..L, at either end


@dataclass(frozen=True, repr=False, eq=False)
class DrawnCurve:
    """The counts of a curve at each distinct score of a negative, going down.

    ``reached`` negatives have this score or a higher one, ``before`` positives a higher one, ``tied`` positives this
    one. ``heaps``, with one entry more, is the largest number of positives that share a score above the first score of
    a negative, between each two, and below the last; None where no score is shared in either class.
    """

    reached: Integers
    before: Integers
    tied: Integers
    positives: int
    heaps: Integers | None = None

    @property
    def negatives(self) -> int:
        return int(self.reached[-1])

    @cached_property
    def sizes(self) -> Integers:
        return np.diff(self.reached, prepend=0)

    def level(self, x: Floats | Integers) -> Integers:  # the index of the score at which x negatives are reached
        whole = np.ceil(x).astype(np.int64)  # the type of the counts, or a search would copy them first
        return np.minimum(np.searchsorted(self.reached, whole), len(self.reached) - 1)

    def hits(self, x: Floats) -> Floats:
        """Positives that the curve has passed after x negatives: none at x = 0, never those below the last negative."""
        level = self.level(x)
        share = 1 - (self.reached[level] - x) / self.sizes[level]
        # At a rate of 0 the curve starts at 0, whatever its first step.
        return np.asarray(np.where(x > 0, self.before[level] + share * self.tied[level], 0.0))

    @cached_property
    def steps(self) -> tuple[Integers, Integers, Integers]:
        """Where the curve may climb straight up: numbers of negatives, and of positives before and after the climb."""
        ranks = np.concatenate([[0], self.reached])
        return (ranks, np.concatenate([[0], self.before + self.tied]), np.concatenate([self.before, [self.positives]]))

    @cached_property
    def segments(self) -> DrawnCurve:
        """The curve without the vertices that lie within a horizontal line: straight lines from left to right."""
        flat = (self.tied[1:] == 0) & (self.tied[:-1] == 0) & (self.before[1:] == self.before[:-1])
        last = np.append(~flat, True)
        return DrawnCurve(self.reached[last], self.before[last], self.tied[last], self.positives)

    @cached_property
    def starts(self) -> Integers:
        return self.reached - self.sizes


# The probability that the r-th largest of n draws is beyond a place, with a row per rank and a column per place, and
# the place of each row's second column: it is 1 before the first column and 0 after the last one.
RankLaws = tuple[Floats, Integers]


@dataclass(frozen=True, repr=False, eq=False)
class Ranks:
    """Which of n negatives is the ceil(t)-th largest of n draws, at each of n_points points, whatever their scores."""

    t: Floats
    n: int

    @cached_property
    def rank(self) -> Integers:
        return np.ceil(self.t).astype(np.int64)

    @cached_property
    def windows(self) -> tuple[Integers, Integers]:
        """The first and the last negative that it may be; for a rank of 0 those of rank 1."""
        return _rank_window(np.maximum(self.rank, 1), self.n)

    @cached_property
    def blocks(self) -> list[tuple[Integers, RankLaws]]:
        """All points that have a rank, sorted by it, and their laws, in blocks; kept, as two models share them."""
        first, last = self.windows
        blocks = in_blocks(np.flatnonzero(self.rank), last - first + 1, max(self.n, MIN_BLOCK_RANKS), self.rank)
        return [(block, _rank_laws(self.rank[block], self.n)) for block in blocks]


def _rank_window(rank: Integers, n: int) -> tuple[Integers, Integers]:
    """The first and last negative, 1 to n, that the rank-th largest of n draws may be, but for ``WINDOW_TAIL``."""
    # The laws of the first and last ranks fall slowly: a fixed tail would cut off what moments need.
    out = WINDOW_TAIL * np.minimum(rank * (n - rank + 1) / (n * FEW_DRAWS_VARIANCE), 1.0) ** 2
    low, high = n * betaincinv(rank, n - rank + 1, out), n * betainccinv(rank, n - rank + 1, out)
    return low.astype(np.int64) + 1, np.minimum(np.ceil(high).astype(np.int64), n)


@np.errstate(under="ignore")  # at the ends of windows
def _rank_laws(rank: Integers, n: int) -> RankLaws:
    """Laws of the position, 1 to n from the top, of the rank-th largest of n draws: Beta densities over each case."""
    start, last = (places[:, None] for places in _rank_window(rank, n))
    place, rank = start + np.arange(int((last - start).max()) + 1), rank[:, None]
    pmf: Floats = np.zeros(place.shape)
    # so many nodes per case for a relative error below 1e-12, fewer for wider laws
    spread = np.sqrt(rank * (n - rank + 1) / n).min()
    # the density relative to that at its mean, so that nothing large cancels
    center, ends = n * rank / (n + 1), np.minimum(place, n)
    for node, weight in zip(*gauss(int(2 + np.searchsorted([-200, -40, -14, -7, -4], -spread) * 2)), strict=True):
        off = ends - node - center
        pmf += weight * np.exp((rank - 1) * np.log1p(off / center) + (n - rank) * np.log1p(-off / (n - center)))
    pmf[place > last] = 0.0
    beyond = np.zeros((len(pmf), pmf.shape[1] + 1))
    np.cumsum(pmf[:, ::-1], axis=1, out=beyond[:, -2::-1])
    return beyond / beyond[:, :1], start[:, 0]


@dataclass(frozen=True, repr=False, eq=False)
class Crossing:
    """Where the curve of a resample may reach ``t`` negatives, at each of n_points points; computed when needed."""

    curve: DrawnCurve
    ranks: Ranks

    @property
    def t(self) -> Floats:
        return self.ranks.t

    @cached_property
    def sloping(self) -> Booleans:
        first, last = self.ends
        slopes = np.concatenate([[0], np.cumsum(self.curve.segments.tied > 0)])
        return np.asarray((self.t > 0) & (slopes[last + 1] > slopes[first]))

    @cached_property
    def moments(self) -> Floats:
        """Of the hits, (4, n_points): mean, Var(before + w tied), E[m^2 v], E[w (1 - w) tied]; symbols as above."""
        moments = np.zeros((4, len(self.t)))
        for block, laws in self.ranks.blocks:
            moments[:, block] = self._moments_at(block, laws)
        return moments

    def reachable(self, points: Integers, laws: RankLaws | None = None) -> tuple[Integers, Floats, Integers]:
        """The row of the point, P and the index of each segment that may hold the ceil(t)-th largest negative drawn.

        The probabilities are those of equation (4) of the 2009 paper.
        """
        first, last = self.ends[:, points]
        of_ranks, start = laws or _rank_laws(self.ranks.rank[points], self.ranks.n)
        row, place = runs(first, last - first + 1)
        columns = np.clip(self.curve.segments.reached[place] - start[row] + 1, 0, of_ranks.shape[1] - 1)
        beyond = of_ranks[row, columns]
        before = np.concatenate([[1.0], beyond[:-1]])
        # a point's first segment starts at 1, not where the segments of the point before it ended
        before[place == first[row]] = 1.0
        return row, before - beyond, place

    @cached_property
    def ends(self) -> Integers:
        """The first and the last segment where the curve may end, at each point."""
        return np.array([np.searchsorted(self.curve.segments.reached, places) for places in self.ranks.windows])

    def groups(self, points: Integers) -> TiedShares:
        """The groups of tied negatives in each sloping segment that may be reached, at some points."""
        (first, last), segments, n = self.ends[:, points], self.curve.segments, self.ranks.n
        row, which = runs(first, last - first + 1)
        slopes = segments.tied[which] > 0
        row, which = row[slopes], which[slopes]
        return TiedShares(
            self.t[points][row], segments.starts[which], segments.sizes[which], n - segments.reached[which], n
        )

    def _moments_at(self, points: Integers, laws: RankLaws) -> Floats:
        row, weights, place = self.reachable(points, laws)
        segments, cases = self.curve.segments, self.curve.positives
        before, tied = (each[place].astype(np.float64) for each in (segments.before, segments.tied))
        share, spread = np.zeros((2, len(place)))
        share[tied > 0], spread[tied > 0] = self.groups(points).moments
        worth, within = before + share * tied, spread * tied**2
        mean = np.asarray(np.bincount(row, weights * worth), dtype=np.float64)
        pairs = before * (cases - before) + (share**2 + spread) * tied * (cases - tied) - 2 * share * before * tied
        parts = (worth - mean[row]) ** 2 + within, pairs, (share * (1 - share) - spread) * tied
        return np.array([mean, *(np.bincount(row, weights * part) for part in parts)])


@dataclass(frozen=True, repr=False, eq=False)
class RateMoments(ABC):
    """The moments of a rate among ``cases`` cases, or of a difference of two, at each of n_points points.

    ``known`` marks the points where the rate is known: no case reaches an infinite threshold. Smoothing spreads
    ``pseudo_cases`` evenly over hit and miss (one model) or over both / only a / only b / neither (a pair), and draws
    as many more. Mean and variance are E[E[X | c]] and Var E[X | c] + E Var[X | c], equation (6) of the 2009 paper, c
    being where the curves of a resample end; they are not computed from the laws.
    """

    cases: int
    known: Booleans
    pseudo_cases: float = 0.0
    paired: ClassVar[bool] = False  # whether it is a difference
    agresti: ClassVar[float] = 4.0  # the pseudo-cases of an Agresti interval: 2 per cell for one model, 1/2 for a pair

    @property
    @abstractmethod
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        """Mean of the sum, variance of its mean given the thresholds, and mean of a draw's variance given these."""

    @property
    def draws(self) -> float:
        return self.cases + self.pseudo_cases

    @property
    def support(self) -> tuple[Floats, Floats]:
        # The range is 0 alone where the value is known whatever the population.
        most = np.where(self.known, 0.0, 1.0)
        return -most if self.paired else 0 * most, most

    @property
    def mean(self) -> Floats:
        """The mean of equation (6), smoothed as in Algorithm 4 if there are pseudo-cases."""
        return np.asarray(self._moments[0] / self.draws)

    @property
    def variance(self) -> Floats:
        """The variance of rates over the thresholds, plus the mean variance of the draws given the thresholds."""
        _, spread, given = self._moments
        return np.asarray(spread / self.draws**2 + given / self.draws)

    def smoothed(self, pseudo_cases: float) -> Self:
        return replace(self, pseudo_cases=self.pseudo_cases + pseudo_cases)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class VerticalLaw(RateMoments, ListedValues):
    fpr: Floats
    crossing: Crossing

    @cached_property
    def is_exact(self) -> bool:
        """Whether all tied groups of both classes where a curve may end are small enough for sums."""
        return self.crossing.groups(np.flatnonzero(self.crossing.sloping)).is_exact

    @property
    def curve(self) -> DrawnCurve:
        return self.crossing.curve

    @cached_property
    def estimate(self) -> Floats:
        return self.curve.hits(self.crossing.t) / self.cases

    @cached_property
    def jumps(self) -> Floats | None:
        """The heights where a jump of the curve begins and ends, (2, n_points); NaN at known rates and without one."""
        if self.curve.heaps is None:
            return None
        found = np.transpose([_jump(self.curve, self.curve.heaps, float(rate)) for rate in self.fpr])
        return None if np.isnan(found).all() else np.where(self.known, np.nan, found)

    @property
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        """The moments of what cases are worth, from those of the hits; half of the pseudo-cases are hits."""
        (mean, spread, pairs, ties), more = self.crossing.moments, self.pseudo_cases / 2
        given = (pairs + more * (self.cases + more - 2 * ties)) / self.draws**2
        return np.where(self.known, 0.0, mean + more), spread, np.where(self.known, 0.0, given)

    def atoms(self, point: int) -> tuple[Floats, Floats]:
        law = self._masses(point)
        return law.values / self.draws, law.pmf

    def _masses(self, point: int) -> Masses:
        if self.known[point]:
            return Masses(np.zeros(1), np.ones(1))
        points, segments, draws = np.array([point]), self.curve.segments, round(self.draws)
        _, weights, place = self.crossing.reachable(points)
        before: Floats = np.asarray((segments.before[place] + self.pseudo_cases / 2) / self.draws)
        tied = segments.tied[place] / self.draws
        flat = tied == 0
        parts = []
        if flat.any():
            parts.append(whole_masses(weights[flat], before[flat], np.zeros(int(flat.sum())), draws, False))
        if flat.all():
            return Masses(*parts[0])
        sloping = (each[~flat].tolist() for each in (before, tied, weights))
        for p, q, weight, law in zip(*sloping, self.crossing.groups(points).laws, strict=True):
            values, masses = tied_masses(p, q, draws, *law)
            parts.append((values, weight * masses))
        return Masses.merged(parts)


def vertical_laws(curves: Sequence[DrawnCurve], fpr: Floats) -> list[VerticalLaw]:
    """The laws of models on the same cases at these rates; nothing reaches a rate of 0, an infinite threshold."""
    exact = fpr * curves[0].negatives
    whole = np.rint(exact)
    # 0.07 of 100 negatives is 7, though 0.07 * 100 is 7.000000000000001.
    t = np.where(np.abs(exact - whole) <= WHOLE_ROUNDING * np.maximum(exact, 1.0), whole, exact)
    ranks = Ranks(t, curves[0].negatives)
    return [VerticalLaw(curve.positives, t <= 0, fpr=fpr, crossing=Crossing(curve, ranks)) for curve in curves]


def _jump(curve: DrawnCurve, heaps: Integers, rate: float) -> tuple[float, float]:
    """The ends of the largest step near a rate if it is a jump, else NaN."""
    n, (ranks, low, high) = curve.negatives, curve.steps
    first, last = (int(np.ceil(np.nan_to_num(bdtrik(level, n, rate)) - 1e-9)) for level in (PROBABLE, 1 - PROBABLE))
    near = np.flatnonzero((ranks >= first) & (ranks <= last))
    if not len(near):
        return np.nan, np.nan
    at, end, many = near[int(np.argmax(high[near] - low[near]))], near[-1], last - first + 1
    bottom, top = curve.hits(np.array([first, last], dtype=np.float64)).tolist()
    top = float(high[end]) if ranks[end] == last else top
    climbed = float(high[at] - low[at])
    share = climbed / (top - bottom) if top > bottom else 0.0
    steep = climbed >= FEWEST_IN_JUMP and share >= OF_RISE and many * (1 - share) ** (many - 1) <= CHANCE
    # whether a held score beside the step is shared, or many counted cases of the step share a score
    shared = (curve.sizes[max(at - 1, 0) : at + 1] > 1).any() or heaps[at] >= max(climbed, FEWEST_IN_JUMP) / 2
    if not (steep and shared):
        return np.nan, np.nan
    return float(low[at]) / curve.positives, float(high[at]) / curve.positives
