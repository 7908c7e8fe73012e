"""The law of the difference in hits where the curves of two models may end in segments that slope.

Where scores of both classes tie, a curve has a sloping segment, and a resample's curve ends after a share of it: x of
a's segment, y of b's. Of the positives drawn let I be in a's segment and J in b's, and let D be the number above a's
segment minus the number above b's. The difference in hits is

    D + x I - y J,

(D, I, J) being sums of independent draws whose probabilities are the shares of positives around both segments, and
(x, y) having the joint law of the shares, given both segments. This is averaged over the pairs of segments.

**Shares.** With tens of cases their joint law is exact (:class:`CountedPairs`). Of n negatives drawn A score more than
the segment of model a and B fall in it, A' and B' likewise for model b. The curve of a resample ends in the segment
where A < t <= A + B, after the share (t - A) / B of it. With p_ij the share of the negatives above (0), in (1) or below
(2) a's segment, i, and b's, j,

    E[exp(i s A' + i t B'); A, B] = n! / (A! B! C!) f_0^A f_1^B f_2^C,    f_i = p_i0 exp(is) + p_i1 exp(it) + p_i2,

C = n - A - B being the draws below. A statistic of both is summed over the frequencies s and t of a grid that holds
every (A', B'). All terms are at most probabilities in size, so that nothing cancels. The work is about n^4 / 8 for a
pair of segments. With more cases the shares are those of pieces (:mod:`._pieces`).

**Values.** Up to ``MAX_LISTED_DIFFERENCES`` terms, some ten positives on a few grades, all values are listed, exactly.
Beyond, shares are put on a lattice of 24ths or sixths of a case, each split between the two next to it so that means
are kept. The law is then one of whole numbers of parts, by its characteristic function. Its distribution function is
within .005 of the exact one except at the atoms themselves, each of which may be spread over two parts.

**Models that nearly agree** differ by exactly 0 if both have the same share: if none of the negatives on which they
disagree, around both segments, is drawn. This event has a binomial probability and its own law of the share
(:mod:`._tied_share`, :func:`equal_shares_split`); in the remaining resamples the shares differ, in the direction that
the negatives determine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.fft import fftn, irfft, next_fast_len
from scipy.special import gammaln

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import window
from skcostci.laws.exact._mixture import CASE_ROUNDING, Masses
from skcostci.laws.exact._normal_pair import PairedCases
from skcostci.laws.exact._pieces import RatePieces, cut_into_pieces, joint_weights, mean_shares
from skcostci.laws.exact._tied_share import TiedShares
from skcostci.laws.exact._vertical import Crossing

MAX_COUNTED_NEGATIVES = 128  # beyond, one pair of segments already takes too long; doubled: MAX_COUNTED_TERMS decides
MAX_COUNTED_TERMS = 2**23  # of the sums over frequencies and (A, B) at a point; doubled: twice the time
COUNTED_PAIR_ROUNDING = 1e-15  # pairs of segments less probable are left out: rounding
SHARE_ROUNDING = 1e-13  # shares that differ by no more are equal
MAX_LISTED_DIFFERENCES = 2**22  # values before equal ones are merged; doubled: a second and 400 MB
LATTICE_PARTS = 24, 6  # of a case, the first affordable; doubled: no digit of a cdf, twice the time
MAX_LATTICE_TERMS = 2**24  # of characteristic functions: two seconds
BLOCK_LATTICE_TERMS = 2**20  # of them held at once
LATTICE_OFFSETS = (np.arange(8) + 0.5) / 8  # of the lattice, averaged over to split shares
MIN_EQUAL_CHANCE = 0.1  # least probability of one common share to be split off; below, equality is mostly by chance
CASES_BESIDE_ZERO = 1 / 240  # in cases: distance from 0 of differences that pieces or the lattice put at 0
NEGLIGIBLE_LATTICE_PAIR = 1e-12  # less probable pairs of shares are left out of the lattice,
NEGLIGIBLE_LISTED_PAIR = 1e-16  # and of the list: they are rounding of shares that cannot occur together
FFT_ROUNDING = 1e-15  # relative to the root of the largest probability: smaller ones are rounding of the transform
# The contributions to J, I and D of a positive above, in or below a's segment (rows) and b's (columns).
ADDED_TO_J_I_D = np.array(
    [
        [[0, 1, 0], [0, 1, 0], [0, 1, 0]],
        [[0, 0, 0], [1, 1, 1], [0, 0, 0]],
        [[0, 1, 1], [-1, 0, 0], [-1, 0, 0]],
    ]
)
Complex = NDArray[np.complex128]


@dataclass(frozen=True, repr=False, eq=False)
class CountedPairs:
    """Pairs of segments that may be reached together, n negatives being drawn and curves ending after t of them.

    ``weights`` are the probabilities of pairs, ``sloping`` whether a segment of the pair slopes. ``positive`` and
    ``negative`` count the cases above, in or below a's segment, then b's, shape (n_pairs, 3, 3).
    """

    t: float
    n: int
    weights: Floats
    sloping: Booleans
    positive: Floats
    negative: Floats

    @property
    def affordable(self) -> bool:
        work = int(self.sloping.sum()) * (self.n + 1) * (self.n // 2 + 1) * len(self._counts)
        return bool(self.sloping.any()) and work <= MAX_COUNTED_TERMS

    @cached_property
    def moments(self) -> tuple[float, float, float]:
        """The mean and variance of the difference in hits, and the mean sum of the squared worths of positives."""
        joint, cells = self._powers_of_shares, self.positive
        one, a, b = joint[:, 0, 0], joint[:, 1, 0], joint[:, 0, 1]
        a_a, b_b, a_b = joint[:, 2, 0], joint[:, 0, 2], joint[:, 1, 1]
        # given shares x and y the difference is before + x tied_a - y tied_b
        before = cells[:, 0].sum(axis=1) - cells[:, :, 0].sum(axis=1)
        tied_a, tied_b = cells[:, 1].sum(axis=1), cells[:, :, 1].sum(axis=1)
        part = tied_a * a - tied_b * b
        mean = float((before * one + part).sum())
        off = before - mean
        squares = tied_a**2 * a_a + tied_b**2 * b_b - 2 * tied_a * tied_b * a_b
        spread = float((off**2 * one + 2 * off * part + squares).sum())
        # E (worth to a - worth to b)^2 of a positive above (worth 1), in (x, y) or below (0) a's segment, then b's
        worth = [[0 * one, one - 2 * b + b_b, one], [one - 2 * a + a_a, a_a - 2 * a_b + b_b, a_a], [one, b_b, 0 * one]]
        return mean, max(spread, 0.0), float((np.moveaxis(np.array(worth), 2, 0) * cells).sum())

    @property
    def _powers_of_shares(self) -> Floats:
        """The mean of x^i y^j in each pair, times the pair's probability, for i and j of 0 to 2."""
        powers = self._shares[:, None] ** np.arange(3)
        joint = np.zeros((len(self.weights), 3, 3))
        joint[:, 0, 0] = self.weights
        joint[self.sloping] = self._tables(lambda counts: counts @ powers)
        same = self._same_negatives  # made equal to the last bit, or models that agree would differ by rounding
        joint[same, 0, 1] = joint[same, 1, 0]
        joint[same, 0, 2] = joint[same, 1, 1] = joint[same, 2, 0]
        return joint

    def shares(self) -> list[tuple[Floats, Floats, Floats]]:
        """For each pair the positives around it, the joint probabilities of both shares, and the shares."""
        order = np.argsort(self._shares, kind="stable")
        first = np.flatnonzero(np.diff(self._shares[order], prepend=-1.0) > SHARE_ROUNDING)
        shares = self._shares[order][first]
        tables = iter(self._tables(lambda counts: np.add.reduceat(counts[:, order], first, axis=1)))
        return [
            (cells, next(tables), shares) if sloping else (cells, np.full((1, 1), one), np.zeros(1))
            for cells, sloping, one in zip(self.positive, self.sloping, self.weights, strict=True)
        ]

    @cached_property
    def _same_negatives(self) -> Booleans:
        """Whether both models have the same negatives above, in and below their segments."""
        return np.asarray((self.negative * (1 - np.eye(3)) == 0).all(axis=(1, 2)))

    @cached_property
    def _counts(self) -> Integers:
        """The (A, B) with which a curve ends in a segment."""
        above, within = np.meshgrid(np.arange(self.n + 1), np.arange(self.n + 1), indexing="ij")
        ends = (above < self.t) & (above + within >= self.t) & (above + within <= self.n)
        return np.column_stack([above[ends], within[ends]])

    @cached_property
    def _shares(self) -> Floats:
        return np.asarray((self.t - self._counts[:, 0]) / self._counts[:, 1])

    def _tables(self, summed: Callable[[Floats], Floats]) -> Floats:
        """For each sloping pair the joint law of a's counts and of b's, both summed over by ``summed``."""
        a, b = self._counts.T
        rest = self.n - a - b
        above, within, times = _grid(self.n + 1)
        kernel = np.conj(_powers(above, self.n)[:, a] * _powers(within, self.n)[:, b]) * times[:, None]
        ways = np.exp(gammaln(self.n + 1) - gammaln(a + 1) - gammaln(b + 1) - gammaln(rest + 1))
        summed_kernel = np.vstack([summed(kernel.real), summed(-kernel.imag)])
        tables = []
        for p, alike in zip(self.negative[self.sloping] / self.n, self._same_negatives[self.sloping], strict=True):
            if alike:
                chance = ways * p[0, 0] ** a * p[1, 1] ** b * p[2, 2] ** rest
                tables.append(summed(summed(np.diag(chance)).T))
                continue
            drawn = [_powers(row[0] * above + row[1] * within + row[2], self.n) for row in p]
            terms = drawn[0][:, a] * drawn[1][:, b] * drawn[2][:, rest] * ways
            tables.append(np.vstack([summed(terms.real), summed(terms.imag)]).T @ summed_kernel)
        return np.array(tables)


def cells_around(cases: PairedCases, crossings: tuple[Crossing, Crossing], a: Integers, b: Integers) -> Floats:
    """Cases above, in and below each segment of a and of b, shape (n_a, n_b, 3, 3)."""
    cuts, at = [], []
    for crossing, place in zip(crossings, (a, b), strict=True):
        end = 2 * len(crossing.curve.segments.ends) + 2
        edges = np.column_stack([2 * place, 2 * place + 1, np.full(len(place), end)])
        cuts.append(np.unique(edges))
        at.append(np.searchsorted(cuts[-1], edges))
    up_to = cases.counts_before(cuts[0], cuts[1]).astype(np.float64)[at[0][:, None, :, None], at[1][None, :, None, :]]
    return np.diff(np.diff(up_to, axis=2, prepend=0.0), axis=3, prepend=0.0)


def counted_pairs(
    crossings: tuple[Crossing, Crossing], point: int, positive: PairedCases, negative: PairedCases
) -> CountedPairs | None:
    """The pairs of segments that the curves may reach together at a point; None where the sums take too long."""
    n = crossings[0].curve.negatives
    if n > MAX_COUNTED_NEGATIVES:
        return None
    a, b = (cut_into_pieces(crossing, point, most=1) for crossing in crossings)
    t = float(crossings[0].t[point])
    joint = joint_weights(crossings, (a, b), negative, t)
    i, j = np.nonzero(joint > COUNTED_PAIR_ROUNDING)
    cells = (cells_around(cases, crossings, a.place, b.place)[i, j] for cases in (positive, negative))
    pairs = CountedPairs(t, n, joint[i, j], (a.tied[i] > 0) | (b.tied[j] > 0), *cells)
    return pairs if pairs.affordable else None


def _grid(size: int) -> tuple[Complex, Complex, Floats]:
    """At each frequency the factors of a draw above b's segment and in it, and the frequency's weight in the sum."""
    half = np.arange(size // 2 + 1)
    times = np.where((half == 0) | (2 * half == size), 1.0, 2.0) / size**2
    one = np.exp(2j * np.pi / size * np.arange(size))
    above, within = np.meshgrid(one, one[half], indexing="ij")
    return above.ravel(), within.ravel(), np.tile(times, size)


def _powers(base: Complex, n: int) -> Complex:
    """Powers 0 to n, shape (len(base), n + 1)."""
    powers = np.ones((len(base), n + 1), dtype=np.complex128)
    np.cumprod(np.broadcast_to(base[:, None], (len(base), n)), axis=1, out=powers[:, 1:])
    return powers


@dataclass(frozen=True, repr=False, eq=False)
class SlopingPair:
    """Positives above, in and below a's segment, then b's; shares of either, ascending, and their joint probabilities.

    A segment that does not slope has no positives in it, and its share does not matter. ``negative`` has the same cells
    of the negatives, zeros where the joint law of shares is exact, as they are not needed then. Shares certainly
    ``differ`` in the rest of a pair that has been split by :func:`equal_shares_split`.
    """

    cells: Floats
    a: Floats
    b: Floats
    weights: Floats
    negative: Floats = field(default_factory=lambda: np.zeros((3, 3)))
    differ: bool = False

    @property
    def slopes(self) -> bool:
        return bool(self.cells[1].any() or self.cells[:, 1].any())

    def chance_of_nothing(self, draws: int) -> float:
        """P(D = I = J = 0), by a characteristic function: a difference of 0 while shares differ."""
        p, chance = self.cells / draws, 0.0
        # where both shares are 1 the segments are passed entirely, as if all cases in them were above
        whole = np.logical_and.outer(self.a > 1 - CASE_ROUNDING, self.b > 1 - CASE_ROUNDING)
        for some, first, last in ((~whole, [0], 1), (whole, [0, 1], 2)):
            more, fewer = float(p[first, 2].sum()), float(p[2, first].sum())
            size = int(16 * np.sqrt(draws * (more + fewer))) + 24
            d = np.exp(2j * np.pi / size * np.arange(size))
            once = p[:last, :last].sum() + p[2, 2] + more * d + fewer / d
            chance += float(self.weights[some].sum()) * float(np.mean(once**draws).real)
        return chance

    def windows(self, draws: int) -> list[tuple[int, int]]:
        p, found = self.cells / draws, []
        for worth in ADDED_TO_J_I_D:
            mean = float((p * worth).sum())
            variance = float((p * (worth - mean) ** 2).sum())
            least, most = int(worth[p > 0].min()), int(worth[p > 0].max())
            reach = max(most - mean, mean - least)
            found.append(window(draws * mean, draws * variance, reach, draws * least, draws * most))
        return found

    def n_listed(self, draws: int) -> int:
        sizes = [high - low + 1 for low, high in self.windows(draws)]
        return int((self.weights > NEGLIGIBLE_LISTED_PAIR).sum()) * int(np.prod(sizes))

    def listed(self, draws: int) -> tuple[Floats, Floats]:
        """All values of the difference, equal ones not merged, and their probabilities."""
        windows = self.windows(draws)
        pmf = _drawn(self.cells / draws, draws, windows)
        counts = np.nonzero(pmf)
        j, i, d = (count + low for count, (low, _) in zip(counts, windows, strict=True))
        row, column = np.nonzero(self.weights > NEGLIGIBLE_LISTED_PAIR)
        values = d + np.multiply.outer(self.a[row], i) - np.multiply.outer(self.b[column], j)
        masses = np.multiply.outer(self.weights[row, column], pmf[counts])
        return np.asarray(values.ravel()), np.asarray(masses.ravel(), dtype=np.float64)

    def in_parts(self, parts: int) -> tuple[Floats, Floats]:
        """Probabilities of pairs of shares on the lattice, and the numbers of positives worth -parts to parts there."""
        joint = np.zeros((parts + 1, parts + 1))
        for offset in LATTICE_OFFSETS:
            np.add.at(
                joint,
                ((parts * self.a + offset).astype(np.int64)[:, None], (parts * self.b + offset).astype(np.int64)),
                self.weights / len(LATTICE_OFFSETS),
            )
        x, y = np.nonzero(joint > NEGLIGIBLE_LATTICE_PAIR)
        rows, positives = np.arange(len(x)), np.zeros((len(x), 2 * parts + 1))
        for row, left in enumerate((np.full_like(x, parts), x, np.zeros_like(x))):
            for column, right in enumerate((np.full_like(y, parts), y, np.zeros_like(y))):
                np.add.at(positives, (rows, left - right + parts), self.cells[row, column])
        return joint[x, y], positives


def sloping_law(pairs: list[SlopingPair], draws: int, pseudo: float) -> Masses | None:
    """The law of the difference with ``pseudo`` cases more in each cell without slope; None if that takes too long."""
    added = pseudo * np.array([[1, 0, 1], [0, 0, 0], [1, 0, 1]])
    pairs = [replace(each, cells=each.cells + added) for each in pairs if each.weights.max() > NEGLIGIBLE_LISTED_PAIR]
    laws = [_law(some, draws) for some in ([p for p in pairs if not p.differ], [p for p in pairs if p.differ]) if some]
    if not all(laws):
        return None
    parts = [(law.values, law.pmf) for law in laws if law]
    return Masses.distinct(parts)


def _law(pairs: list[SlopingPair], draws: int) -> Masses | None:
    """The law by a list of all values, or on the first lattice that is affordable; None if that takes too long."""
    law: Masses | None
    if sum(pair.n_listed(draws) for pair in pairs) <= MAX_LISTED_DIFFERENCES:
        law = Masses.distinct([pair.listed(draws) for pair in pairs])
    else:
        laws = (_law_in_parts(pairs, draws, parts) for parts in LATTICE_PARTS)
        law = next((found for found in laws if found), None)
    return _moved_beside_zero(law, pairs, draws) if law and pairs[0].differ else law


def _moved_beside_zero(law: Masses, pairs: list[SlopingPair], draws: int) -> Masses:
    """The law with small differences, which pieces and lattices put at 0, moved beside 0, towards the larger share."""
    at_0 = np.abs(law.values) <= CASE_ROUNDING
    total, nothing = float(law.pmf[at_0].sum()), sum(pair.chance_of_nothing(draws) for pair in pairs)
    more, fewer = (
        sum(float(pair.weights[side * np.subtract.outer(pair.a, pair.b) > 0].sum()) for pair in pairs)
        for side in (1, -1)
    )
    above = more / (more + fewer) if more + fewer > 0 else 0.5
    beside = max(total - nothing, 0.0) * np.array([above, 1 - above])
    near = np.array([0.0, CASES_BESIDE_ZERO, -CASES_BESIDE_ZERO]), np.array([total - beside.sum(), *beside])
    return Masses.distinct([(law.values[~at_0], law.pmf[~at_0]), near])


def _drawn(p: Floats, draws: int, windows: list[tuple[int, int]]) -> Floats:
    """The joint law of J, I and D on their windows."""
    shape = tuple(high - low + 1 for low, high in windows)
    once: NDArray[np.complex128] = np.zeros(shape, dtype=np.complex128)
    turns = [np.exp(2j * np.pi / size * np.arange(size)) for size in shape]
    for cell in zip(*np.nonzero(p), strict=True):
        j, i, d = (turn ** int(worth[cell]) for turn, worth in zip(turns, ADDED_TO_J_I_D, strict=True))
        once += p[cell] * np.multiply.outer(np.multiply.outer(j, i), d)
    pmf = np.roll(fftn(once**draws).real / once.size, [-low for low, _ in windows], axis=(0, 1, 2))
    return np.asarray(np.where(pmf > FFT_ROUNDING * np.sqrt(pmf.max()), pmf, 0.0))


def _law_in_parts(pairs: list[SlopingPair], draws: int, parts: int) -> Masses | None:
    """The law on the lattice; None where it takes too many terms."""
    length = next_fast_len(2 * parts * draws + 1, real=True)
    steps = np.arange(length // 2 + 1)
    if (len(pairs) + 4 * parts) * len(steps) > MAX_LATTICE_TERMS:
        return None
    split = [pair.in_parts(parts) for pair in pairs]
    if (sum(len(weights) for weights, _ in split) + 4 * parts) * len(steps) > MAX_LATTICE_TERMS:
        return None
    turn = np.exp(2j * np.pi / length * np.outer(np.arange(-parts, parts + 1), steps))
    cf = np.zeros(len(steps), dtype=np.complex128)
    for weights, positives in _in_blocks(split, max(BLOCK_LATTICE_TERMS // len(steps), 1)):
        cf += weights @ (positives / draws @ turn) ** draws
    pmf = np.roll(irfft(np.conj(cf), length), parts * draws)[: 2 * parts * draws + 1]
    return Masses(np.arange(-parts * draws, parts * draws + 1) / parts, np.where(pmf > FFT_ROUNDING, pmf, 0.0))


def _in_blocks(split: list[tuple[Floats, Floats]], size: int) -> Iterator[tuple[Floats, Floats]]:
    weights, positives = (np.concatenate(each) for each in zip(*split, strict=True))
    for start in range(0, len(weights), size):
        yield weights[start : start + size], positives[start : start + size]


def sloping_pair(cells: Floats, weights: Floats, shares: Floats) -> SlopingPair:
    """The pair from the joint law of two models' shares; one share is enough if no positives are in the segment."""
    a = b = shares
    if not cells[1].any():
        a, weights = a[:1], weights.sum(axis=0, keepdims=True)
    if not cells[:, 1].any():
        b, weights = b[:1], weights.sum(axis=1, keepdims=True)
    return SlopingPair(cells, a, b, weights)


def pairs_of_pieces(
    crossings: tuple[Crossing, Crossing],
    pieces: tuple[RatePieces, RatePieces],
    weights: Floats,
    positive: PairedCases,
    negative: PairedCases,
) -> list[SlopingPair]:
    """The pairs from the joint law of two models' pieces, which are in ascending order."""
    places, starts = zip(*(np.unique(each.place, return_index=True) for each in pieces), strict=True)
    shares_a, shares_b = (np.split(each.share, start[1:]) for each, start in zip(pieces, starts, strict=True))
    cells, negatives = (cells_around(cases, crossings, *places) for cases in (positive, negative))
    blocks = (np.split(rows, starts[1][1:], axis=1) for rows in np.split(weights, starts[0][1:]))
    return [
        SlopingPair(cells[i, j], shares_a[i], shares_b[j], block, negatives[i, j])
        for i, row in enumerate(blocks)
        for j, block in enumerate(row)
        if block.any()
    ]


def equal_shares_split(pairs: list[SlopingPair], t: float, n: int) -> list[SlopingPair]:
    """The pairs, apart from resamples with equal shares: no negative that the models disagree on is drawn."""
    negative = np.array([pair.negative for pair in pairs])
    above, size, below = (negative[:, each, each] for each in range(3))
    chance = ((above + size + below) / n) ** n
    some = np.flatnonzero((chance > MIN_EQUAL_CHANCE) & (size > 0) & [pair.slopes for pair in pairs])
    groups = TiedShares(np.full(len(some), t), above[some], size[some], below[some], n)
    pairs, equal = list(pairs), []
    for k, mass, law in zip(some.tolist(), (chance[some] * groups.ending).tolist(), groups.laws, strict=True):
        _, shares, masses = mean_shares(*law, max(pairs[k].weights.shape))
        chance_equal = min(mass / float(pairs[k].weights.sum()), 1.0)
        diagonal = np.diag(chance_equal * pairs[k].weights.sum() * masses)
        equal.append(replace(pairs[k], a=shares, b=shares, weights=diagonal))
        pairs[k] = replace(pairs[k], weights=_possible_weights(pairs[k]) * (1 - chance_equal), differ=True)
    return pairs + equal


def _possible_weights(pair: SlopingPair) -> Floats:
    """The pair's weights, 0 for impossible shares: with no fewer negatives before, a curve does not go further."""
    off = np.subtract.outer(pair.a, pair.b)
    further = [
        (side * off > 0) & (np.triu(each, 1).sum() == 0) for side, each in ((-1, pair.negative), (1, pair.negative.T))
    ]
    kept = np.where(further[0] | further[1], 0.0, pair.weights)
    return kept * (pair.weights.sum() / kept.sum()) if kept.any() else pair.weights
