"""Rates when the q best cases of a resample are labelled positive, ties in random order, from the positives among them.

A tie broken at random is a random rank among those tied. So each of m draws has a rank u, its share of the cases
from the best downwards, uniform on [0, 1]. Given u it is positive with probability pi(u), the share of positives among
the cases tied there. The (q + 1)-th best rank is Beta(q + 1, m - q). Given it, the q draws above are independently
positive with the share a(u) of positives above, and those below with the share b(u) below: two binomials, mixed over
one number. With K positives among the q best and J among the m - q others,

    P(K = k, J = j) = C int u^q (1-u)^(m-q-1) Bin(k; q, a) [pi Bin(j-1; m-q-1, b) + (1-pi) Bin(j; m-q-1, b)] du
                    = C' int u^q (1-u)^(m-q-1) Bin(k; q, a) Bin(j; m-q, b) [j pi / b + (m-q-j) (1-pi) / (1-b)] du,

the draw at u being one of the others: the second line needs one table of j instead of two. Stratified resampling has
this law given k + j. Between the borders of scores pi is constant and a u and b (1 - u) are linear in u, so that
Gauss-Legendre's rule on short pieces has all digits; a smooth pmf is computed at every step-th place only (the sampling
theorem). Nothing is approximated but the number of positives among the others where a joint table would be large: it
stays at every step-th place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.fft import irfft, rfft
from scipy.special import betaincinv

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import LOG_TAIL, ListedValues, Masses, binomial, window

NEGLIGIBLE_MASS = 1e-18  # left out at either end of the ranks; doubled: below rounding still
PIECE_DEVIATIONS = 0.04  # largest length of a piece, in standard deviations; doubled: half the nodes, 13 digits of 16
GAUSS_RULE = np.polynomial.legendre.leggauss(10)  # of each piece
BLOCK_MASSES = 2**20  # of a table held at a time, 8 MiB; doubled: no less time
MAX_JOINT_MASSES = 2**18  # of a joint table, 3,000 cases; doubled: twice the time, and no digit that matters
LEAST_SPREAD = 1e-9  # in cases, divisor instead of 0 where a class has no cases left


class Path(NamedTuple):
    """The ROC curve along the ranking, from the best down: shares of each class passed and left, and of all cases."""

    positive: Floats
    positive_left: Floats
    negative: Floats
    negative_left: Floats
    rank: Floats


class Nodes(NamedTuple):
    """Ranks of the (q + 1)-th best draw, weighted, with probabilities for the draws above, there and below.

    ``above_positive`` is a(u), ``below_positive`` b(u); ``odds_positive`` is pi / b and ``odds_negative``
    (1 - pi) / (1 - b), both weighted: the draw's probabilities to be positive or negative relative to the draws below.
    """

    weights: Floats
    above_positive: Floats
    above_negative: Floats
    below_positive: Floats
    below_negative: Floats
    odds_positive: Floats
    odds_negative: Floats


@dataclass(frozen=True, repr=False, eq=False)
class RankedCases:
    """Cases by score, the best first: positives and negatives with each, and draws by class (full: only their sum)."""

    positive: Floats
    negative: Floats
    draws_positive: int
    draws_negative: int
    sampling: str

    @property
    def draws(self) -> int:
        return self.draws_positive + self.draws_negative

    @cached_property
    def prevalence(self) -> float:
        if self.sampling == "stratified":
            return self.draws_positive / self.draws
        return float(self.positive.sum() / (self.positive.sum() + self.negative.sum()))

    @cached_property
    def path(self) -> Path:
        shares = []
        for counts in (self.positive, self.negative):
            passed = np.concatenate([[0.0], np.cumsum(counts)])
            shares += [passed / passed[-1], (passed[-1] - passed) / passed[-1]]
        rank = self.prevalence * shares[0] + (1 - self.prevalence) * shares[2]
        return Path(shares[0], shares[1], shares[2], shares[3], rank)

    @property
    def other_class(self) -> RankedCases:
        return RankedCases(self.negative, self.positive, self.draws_negative, self.draws_positive, self.sampling)

    @property
    def upside_down(self) -> RankedCases:
        reverse = self.positive[::-1], self.negative[::-1]
        return RankedCases(*reverse, self.draws_positive, self.draws_negative, self.sampling)

    def smoothed(self, pseudo_cases: float) -> RankedCases:
        """The cases with pseudo-cases in each class, half above and half below all others, and as many whole draws."""
        ends = np.array([pseudo_cases / 2])
        positive, negative = (np.concatenate([ends, counts, ends]) for counts in (self.positive, self.negative))
        more = int(pseudo_cases)
        return RankedCases(positive, negative, self.draws_positive + more, self.draws_negative + more, self.sampling)

    def positives_labelled(self, q: Integers | Floats) -> Floats:
        """The number of positives among the q best of the cases themselves, averaged over the orders of ties."""
        passed = np.cumsum(self.positive + self.negative)
        return np.asarray(np.interp(q, np.append(0.0, passed), np.append(0.0, np.cumsum(self.positive))))

    def hits(self, q: int) -> tuple[Integers, Floats]:
        """Values and masses of the number of positives among the q best, under stratified sampling."""
        if q in (0, self.draws):
            return np.array([self.draws_positive if q else 0]), np.ones(1)
        edges, nodes = self._nodes(q)
        low, high = _count_window(edges, q, (self.draws_positive, self.draws_negative), (1.0, 1.0))
        # given the rank, K is one of two binomials given their sum: 1 / variance is 1 / v of one + 1 / v of the other
        inverse = [
            1 / np.maximum(n * passed * left, LEAST_SPREAD)
            for n, passed, left in ((self.draws_positive, *edges[:2]), (self.draws_negative, *edges[2:4]))
        ]
        step = _sampling_step(float((1 / (inverse[0] + inverse[1])).min()))
        places = np.arange(low, high + step, step)
        left = self.draws_positive - places
        above_masses = binomial_masses(q, places, nodes.above_positive, nodes.above_negative)
        below_masses = binomial_masses(self.draws - q, left, nodes.below_positive, nodes.below_negative)
        sums = np.zeros((len(places), 2))
        for block in _blocks(len(nodes.weights), len(places)):
            with np.errstate(under="ignore"):
                product = above_masses(block) * below_masses(block)
                sums += product @ np.column_stack([nodes.odds_positive[block], nodes.odds_negative[block]])
        pmf = left * sums[:, 0] + (self.draws - q - left) * sums[:, 1]
        pmf = _cleaned(resampled(pmf, step))
        return low + np.arange(len(pmf)), pmf

    def any_hits(self, q: int) -> tuple[Integers, Floats]:
        if q in (0, self.draws):
            return binomial(q, self.prevalence, 1 - self.prevalence)
        hits, _, pmf = self.hits_and_misses(q)
        return hits, _cleaned(pmf.sum(axis=1))

    def hits_and_misses(self, q: int) -> tuple[Integers, Integers, Floats]:
        """Numbers of positives among the q best and among the others, and their joint law, under full sampling."""
        edges, nodes = self._nodes(q)
        shares = self.prevalence, 1 - self.prevalence
        hits_low, hits_high = _count_window(edges, q, (self.draws, self.draws), shares)
        reverse = Path(*(values[::-1] for values in (edges[1], edges[0], edges[3], edges[2], 1 - edges[4])))
        misses_low, misses_high = _count_window(reverse, self.draws - q, (self.draws, self.draws), shares)
        step_hits = _sampling_step(float((q * nodes.above_positive * nodes.above_negative).min()))
        step_misses = _sampling_step(float(((self.draws - q) * nodes.below_positive * nodes.below_negative).min()))
        hits = np.arange(hits_low, hits_high + step_hits, step_hits)
        misses = np.arange(misses_low, misses_high + step_misses, step_misses)
        above_masses = binomial_masses(q, hits, nodes.above_positive, nodes.above_negative)
        below_masses = binomial_masses(self.draws - q, misses, nodes.below_positive, nodes.below_negative)
        pmf = np.zeros((len(hits), len(misses)))
        for block in _blocks(len(nodes.weights), max(pmf.shape)):
            above, below = above_masses(block), below_masses(block).T
            with np.errstate(under="ignore"):
                pmf += (above * nodes.odds_positive[block]) @ below * misses
                pmf += (above * nodes.odds_negative[block]) @ below * (self.draws - q - misses)
        pmf = resampled(pmf, step_hits)
        if pmf.size * step_misses <= MAX_JOINT_MASSES:
            pmf, step_misses = resampled(pmf, step_misses, axis=1), 1
        rows, columns = (np.arange(size) for size in pmf.shape)
        return hits_low + rows, misses_low + step_misses * columns, _cleaned(pmf)

    def _nodes(self, q: int) -> tuple[Path, Nodes]:
        """The stretch of the path where the (q + 1)-th best draw falls, and nodes to integrate over it, 0 < q < m."""
        m, share = self.draws, self.prevalence
        low, high = betaincinv(q + 1, m - q, NEGLIGIBLE_MASS), 1 - betaincinv(m - q, q + 1, NEGLIGIBLE_MASS)
        edges = self._stretch(float(low), float(high))
        at, lengths = self._quadrature(edges)
        rank = share * at.positive + (1 - share) * at.negative
        left = share * at.positive_left + (1 - share) * at.negative_left
        # Powers are relative to the middle, as u^q would underflow.
        middle = len(rank) // 2
        log_weights = q * np.log(rank / rank[middle]) + (m - q - 1) * np.log(left / left[middle])
        weights = np.exp(log_weights - log_weights.max())
        below_positive, below_negative = share * at.positive_left / left, (1 - share) * at.negative_left / left
        return edges, Nodes(
            weights,
            share * at.positive / rank,
            (1 - share) * at.negative / rank,
            below_positive,
            below_negative,
            weights * share * lengths[0] / np.where(lengths[0] > 0, below_positive, 1.0),
            weights * (1 - share) * lengths[1] / np.where(lengths[1] > 0, below_negative, 1.0),
        )

    def _stretch(self, low: float, high: float) -> Path:
        """The path from one rank to another, corners between them included."""
        rank = self.path.rank
        first, last = np.searchsorted(rank, low, "right"), np.searchsorted(rank, high, "left")
        edges = np.concatenate([[low], rank[first:last], [high]])
        near = slice(max(first - 1, 0), last + 1)
        shares = [np.interp(edges, rank[near], values[near]) for values in self.path[:4]]
        return Path(shares[0], shares[1], shares[2], shares[3], edges)

    def _quadrature(self, edges: Path) -> tuple[Path, tuple[Floats, Floats]]:
        """Gauss-Legendre nodes on every straight piece, with the share of each class that a node stands for."""
        moved = []
        for n, passed, left in ((self.draws_positive, *edges[:2]), (self.draws_negative, *edges[2:4])):
            # A piece is as fine as its narrower end needs.
            spread = np.sqrt(n * np.maximum((passed * left)[:-1], (passed * left)[1:]))
            moved.append(n * np.diff(passed) / np.maximum(PIECE_DEVIATIONS * spread, LEAST_SPREAD))
            moved.append(n * np.diff(passed))
        fine_lengths = np.maximum(moved[0], moved[2])
        pieces = np.maximum(np.ceil(np.minimum(fine_lengths, np.maximum(moved[1], moved[3]))), 1).astype(np.int64)
        spots, weights = GAUSS_RULE
        stretch = np.repeat(np.arange(len(pieces)), pieces)
        within = np.arange(len(stretch)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        share = ((within[:, None] + (spots + 1) / 2) / pieces[stretch][:, None]).ravel()
        weight = (weights / 2 / pieces[stretch][:, None]).ravel()
        stretch = np.repeat(stretch, len(spots))
        changes = [np.diff(values)[stretch] for values in edges]
        places = (values[stretch] + share * change for values, change in zip(edges, changes, strict=True))
        return Path(*places), (weight * changes[0], weight * changes[2])


@dataclass(frozen=True, repr=False, eq=False)
class BudgetLaw(ListedValues):
    """The exact bootstrap law of a rate when the q best cases of a resample are labelled positive, q in ``labelled``.

    ``rate`` is "tpr", "fpr" or "precision". Resamples in which the rate is undefined (none of the class drawn, under
    full sampling) are left out. Half of the pseudo-cases rank above and half below all others, and the budget grows by
    the upper half.
    """

    cases: RankedCases
    labelled: tuple[int, ...]
    rate: str
    pseudo_cases: float = 0.0
    agresti: ClassVar[float] = 4.0
    is_exact: ClassVar = True  # the quadrature over ranks has 13 digits

    def smoothed(self, pseudo_cases: float) -> BudgetLaw:
        return replace(self, pseudo_cases=pseudo_cases)

    @property
    def estimate(self) -> Floats:
        q = np.array(self.labelled)
        return self._of_hits(self.cases.positives_labelled(q), q)

    def _of_hits(self, found: Floats, q: Integers | int) -> Floats:
        if self.rate == "fpr":
            return np.asarray((q - found) / self.cases.draws_negative)
        return np.asarray(found / (self.cases.draws_positive if self.rate == "tpr" else q))

    @cached_property
    def mean(self) -> Floats:
        return np.array([law.pmf @ law.values for law in self.laws])

    @cached_property
    def variance(self) -> Floats:
        return np.array([law.pmf @ (law.values - mean) ** 2 for law, mean in zip(self.laws, self.mean, strict=True)])

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter: with a fixed class mix, the rates that are possible at the budget."""
        q, positive, negative = np.array(self.labelled), self.cases.draws_positive, self.cases.draws_negative
        if self.cases.sampling == "full":
            everybody = q / self.cases.draws
            known = (everybody == np.floor(everybody)) & (self.rate != "precision")
            return np.where(known, everybody, 0.0), np.where(known, everybody, 1.0)
        if self.rate == "fpr":
            return np.maximum(q - positive, 0) / negative, np.minimum(q, negative) / negative
        size = q if self.rate == "precision" else positive
        return np.maximum(q - negative, 0) / size, np.minimum(q, positive) / size

    @cached_property
    def _drawn(self) -> RankedCases:
        return self.cases.smoothed(self.pseudo_cases) if self.pseudo_cases else self.cases

    def _masses(self, point: int) -> Masses:
        drawn, q = self._drawn, self.labelled[point]
        budget = q + int(self.pseudo_cases)
        if drawn.sampling == "stratified":
            return self._of_count(*drawn.hits(budget), q)
        if self.rate == "precision":
            hits, pmf = drawn.any_hits(budget)
            return Masses(hits / budget, pmf)
        if budget in (0, drawn.draws):
            return Masses(np.full(1, float(budget > 0)), np.ones(1))
        above, below, pmf = drawn.hits_and_misses(budget)
        if self.rate == "fpr":
            above, below = budget - above, drawn.draws - budget - below
        size = np.add.outer(above, below)
        some = size > 0
        rates = np.broadcast_to(above[:, None], size.shape)[some] / size[some]
        return Masses.merged([(rates, pmf[some] / pmf[some].sum())])

    def _of_count(self, hits: Integers, pmf: Floats, q: int) -> Masses:
        """A rate that is a multiple of a count; pseudo-cases are taken out in proportion to the scarcer class."""
        scarcer = [each.draws * min(each.prevalence, 1 - each.prevalence) for each in (self.cases, self._drawn)]
        scale, shift = scarcer[0] / scarcer[1], 0.0
        if self.cases.prevalence > 0.5:
            shift = q - scale * (q + int(self.pseudo_cases))
        ascending = slice(None, None, -1 if self.rate == "fpr" else 1)
        return Masses(self._of_hits(shift + scale * hits.astype(np.float64), q)[ascending], pmf[ascending])


def binomial_masses(draws: int, places: Integers, hit: Floats, miss: Floats) -> Callable[[slice], Floats]:
    """P(Bin(draws, p) = place) at these places, of p in a block of ``hit``: a table with a column for each.

    Up to one factor, relative to one place and p so that no digits are lost.
    """
    # Windows of counts may extend below 0 and above all draws, where the probability is 0.
    reached = np.clip(places, 0, draws)
    anchor, least, first = int(reached[len(reached) // 2]), 0.5 / (draws + 1), reached.min()
    p = min(max(float(hit[len(hit) // 2]), least), 1 - least)
    more_hits, more_misses = np.log(np.maximum(hit, 1e-300) / p), np.log(np.maximum(miss, 1e-300) / (1 - p))
    between = np.arange(first, reached.max(), dtype=np.float64)
    ladder = np.cumsum(np.log((draws - between) / (between + 1) * (p / (1 - p))))
    ways = np.append(0.0, ladder)[reached - first]
    rows, moves, odds = ways - ways.max(), (reached - anchor).astype(np.float64), more_hits - more_misses
    base = anchor * more_hits + (draws - anchor) * more_misses

    def table(block: slice) -> Floats:
        logs = np.multiply.outer(moves, odds[block])
        logs += rows[:, None]
        logs += base[block]
        with np.errstate(under="ignore"):
            found = np.asarray(np.exp(logs, out=logs))
        found[places != reached] = 0.0
        return found

    return table


def resampled(samples: Floats, step: int, axis: int = 0) -> Floats:
    """A smooth function at every place, from its values at every step-th one."""
    if step == 1:
        return samples
    length = samples.shape[axis]
    return np.asarray(irfft(rfft(samples, axis=axis), length * step, axis=axis) * step)


def _count_window(edges: Path, q: int, draws: tuple[int, int], shares: tuple[float, float]) -> tuple[int, int]:
    """The window of the number of positives among the q best, from the shares passed at both ends of the stretch."""
    windows = []
    for n, share, passed in zip(draws, shares, (edges.positive, edges.negative), strict=True):
        low, high = share * float(passed[0]), share * float(passed[-1])
        windows.append(window(n * low, n * low * (1 - low), 1.0, 0, n)[0])
        windows.append(window(n * high, n * high * (1 - high), 1.0, 0, n)[1])
    return max(windows[0], q - windows[3], 0), min(windows[1], q - windows[2], q)


def _sampling_step(variance: float) -> int:
    """The largest step between samples of a pmf, its transform being at most exp(-variance (1 - cos t))."""
    if variance <= LOG_TAIL / 2:
        return 1
    return max(int(np.pi / np.arccos(1 - LOG_TAIL / variance)), 1)


def _cleaned(pmf: Floats) -> Floats:
    """The probabilities without rounding, and with the sum 1."""
    # Masses that are only rounding would widen the support.
    kept = np.where(pmf > NEGLIGIBLE_MASS**2 * pmf.max(), pmf, 0.0)
    return np.asarray(kept / kept.sum())


def _blocks(n_nodes: int, n_places: int) -> list[slice]:
    """Nodes in blocks whose tables fit in memory."""
    size = max(BLOCK_MASSES // n_places, 1)
    return [slice(start, start + size) for start in range(0, n_nodes, size)]
