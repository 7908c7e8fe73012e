"""The law of the difference in hits where the curves of two models may end in segments that slope.

Where scores of both classes tie, a curve has a sloping segment, and a resample's curve ends after a share of it: x of
a's segment, y of b's. Of the positives drawn let I lie in a's segment, J in b's, and D more above a's than above b's.
The difference in hits is

    D + x I - y J,

(D, I, J) being sums of independent draws whose chances are the counts of positives around both segments, and (x, y)
having the joint law of the shares, given both segments. Then everything is averaged over the pairs of segments.

Up to ``MAX_LISTED_DIFFERENCES`` terms, some ten positives on a few grades, all values are listed, exactly. Beyond,
shares are put on a lattice of 24ths or sixths of a case, each split between the two next to it so that means are kept.
The law is then one on whole numbers of parts, by its characteristic function. Its distribution function is
within .005 of the exact one but at the atoms themselves, each of which may be spread over two parts.

**Models that nearly agree** differ by exactly 0 where the share is one draw: where of the negatives that they disagree
on, around both segments, none is drawn. That has a binomial probability, and a law of the share (:mod:`._tied_share`),
of its own (:func:`equal_shares_split`); in what is left the shares differ, to the side that the negatives say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.fft import fftn, irfft, next_fast_len

from skcostci._validation import Floats
from skcostci.laws._lattice import window
from skcostci.laws._mixture import CASE_ROUNDING, Masses
from skcostci.laws._normal_pair import PairedCases
from skcostci.laws._pieces import Pieces, cells_around, in_mean_shares
from skcostci.laws._tied_share import TiedShares
from skcostci.laws._vertical import Crossing

MAX_LISTED_DIFFERENCES = 2**22  # values before equal ones are brought together; doubled: a second and 400 MB
LATTICE_PARTS = 24, 6  # of a case, the first affordable; doubled: no digit of a cdf, twice the time
MAX_LATTICE_TERMS = 2**24  # of characteristic functions: two seconds
BLOCK_LATTICE_TERMS = 2**20  # of them held at once
LATTICE_OFFSETS = (np.arange(8) + 0.5) / 8  # of the lattice, averaged over to split shares
MIN_EQUAL_CHANCE = 0.1  # of one draw behind both shares; below, shares are equal mostly by chance
CASES_BESIDE_ZERO = 1 / 240  # of a case: how far from 0 a difference is put that pieces or the lattice have at 0
NEGLIGIBLE_LATTICE_PAIR = 1e-12  # a pair of shares so improbable is left out of the lattice,
NEGLIGIBLE_LISTED_PAIR = 1e-16  # and of the list: what rounding leaves of shares that cannot occur together
FFT_ROUNDING = 1e-15  # beside the root of the likeliest: what the Fourier transform leaves of what cannot be drawn
# What a positive above, in or below a's segment (rows) and b's (columns) adds to J, I and D.
ADDED_TO_J_I_D = np.array(
    [
        [[0, 1, 0], [0, 1, 0], [0, 1, 0]],
        [[0, 0, 0], [1, 1, 1], [0, 0, 0]],
        [[0, 1, 1], [-1, 0, 0], [-1, 0, 0]],
    ]
)


@dataclass(frozen=True, eq=False)
class SlopingPair:
    """Positives above, in and below a's segment, then b's; shares of either, ascending, and their joint probabilities.

    There are no positives in a segment that does not slope, and its share does not matter. The
    ``negative`` cells are those of the negatives, if known. Shares ``differ`` for certain in the rest of a
    pair that has been split by :func:`equal_shares_split`.
    """

    cells: Floats
    a: Floats
    b: Floats
    weights: Floats
    negative: Floats = field(default_factory=lambda: np.zeros((3, 3)))
    differ: bool = False

    @property
    def slopes(self) -> bool:
        """Whether a share matters."""
        return bool(self.cells[1].any() or self.cells[:, 1].any())

    def chance_of_nothing(self, draws: int) -> float:
        """That the difference is exactly 0, shares being different but where both are 1: D = I = J = 0.

        It is the mean of a characteristic function over a grid that holds what D may be.
        """
        p, chance = self.cells / draws, 0.0
        # of the whole segment: as if all in it were above
        whole = np.logical_and.outer(self.a > 1 - CASE_ROUNDING, self.b > 1 - CASE_ROUNDING)
        for some, first, last in ((~whole, [0], 1), (whole, [0, 1], 2)):
            more, fewer = float(p[first, 2].sum()), float(p[2, first].sum())
            size = int(16 * np.sqrt(draws * (more + fewer))) + 24
            d = np.exp(2j * np.pi / size * np.arange(size))
            once = p[:last, :last].sum() + p[2, 2] + more * d + fewer / d
            chance += float(self.weights[some].sum()) * float(np.mean(once**draws).real)
        return chance

    def windows(self, draws: int) -> list[tuple[int, int]]:
        """Between what J, I and D lie in so many draws."""
        p, found = self.cells / draws, []
        for worth in ADDED_TO_J_I_D:
            mean = float((p * worth).sum())
            variance = float((p * (worth - mean) ** 2).sum())
            least, most = int(worth[p > 0].min()), int(worth[p > 0].max())
            reach = max(most - mean, mean - least)
            found.append(window(draws * mean, draws * variance, reach, draws * least, draws * most))
        return found

    def n_listed(self, draws: int) -> int:
        """How many values a list has."""
        sizes = [high - low + 1 for low, high in self.windows(draws)]
        return int((self.weights > NEGLIGIBLE_LISTED_PAIR).sum()) * int(np.prod(sizes))

    def listed(self, draws: int) -> tuple[Floats, Floats]:
        """All values of the difference, equal ones not brought together, and their probabilities."""
        windows = self.windows(draws)
        pmf = _drawn(self.cells / draws, draws, windows)
        counts = np.nonzero(pmf)
        j, i, d = (count + low for count, (low, _) in zip(counts, windows, strict=True))
        row, column = np.nonzero(self.weights > NEGLIGIBLE_LISTED_PAIR)
        values = d + np.multiply.outer(self.a[row], i) - np.multiply.outer(self.b[column], j)
        masses = np.multiply.outer(self.weights[row, column], pmf[counts])
        return np.asarray(values.ravel()), np.asarray(masses.ravel(), dtype=np.float64)

    def in_parts(self, parts: int) -> tuple[Floats, Floats]:
        """Probabilities of pairs of shares on the lattice, and how many positives are worth -parts to parts then."""
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
    """With ``pseudo`` cases more of both / only a / only b / neither; None where that takes too long."""
    added = pseudo * np.array([[1, 0, 1], [0, 0, 0], [1, 0, 1]])
    pairs = [replace(each, cells=each.cells + added) for each in pairs if each.weights.max() > NEGLIGIBLE_LISTED_PAIR]
    laws = [_law(some, draws) for some in ([p for p in pairs if not p.differ], [p for p in pairs if p.differ]) if some]
    if not all(laws):
        return None
    parts = [(law.values, law.pmf) for law in laws if law]
    return Masses.distinct(parts)


def _law(pairs: list[SlopingPair], draws: int) -> Masses | None:
    """All values listed, or on the first lattice that is affordable; None where that takes too long."""
    law: Masses | None
    if sum(pair.n_listed(draws) for pair in pairs) <= MAX_LISTED_DIFFERENCES:
        law = Masses.distinct([pair.listed(draws) for pair in pairs])
    else:
        laws = (_law_in_parts(pairs, draws, parts) for parts in LATTICE_PARTS)
        law = next((found for found in laws if found), None)
    return _moved_beside_zero(law, pairs, draws) if law and pairs[0].differ else law


def _moved_beside_zero(law: Masses, pairs: list[SlopingPair], draws: int) -> Masses:
    """What differs a little, which pieces and lattices have at 0, put next to it, by which share is larger."""
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
    """Rows of both, so many at a time."""
    weights, positives = (np.concatenate(each) for each in zip(*split, strict=True))
    for start in range(0, len(weights), size):
        yield weights[start : start + size], positives[start : start + size]


def sloping_pair(cells: Floats, weights: Floats, shares: Floats) -> SlopingPair:
    """From the joint law of two models' shares; one share is enough where no positives lie in the segment."""
    a = b = shares
    if not cells[1].any():
        a, weights = a[:1], weights.sum(axis=0, keepdims=True)
    if not cells[:, 1].any():
        b, weights = b[:1], weights.sum(axis=1, keepdims=True)
    return SlopingPair(cells, a, b, weights)


def pairs_of_pieces(
    crossings: tuple[Crossing, Crossing],
    pieces: tuple[Pieces, Pieces],
    weights: Floats,
    positive: PairedCases,
    negative: PairedCases,
) -> list[SlopingPair]:
    """From the joint law of two models' pieces, which are in ascending order."""
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
    """The same, but where none of the negatives is drawn that the models disagree on the share is one draw.

    That is the larger part where models nearly agree, and two approximate laws of pieces would not know it.
    """
    negative = np.array([pair.negative for pair in pairs])
    above, size, below = (negative[:, each, each] for each in range(3))
    chance = ((above + size + below) / n) ** n
    some = np.flatnonzero((chance > MIN_EQUAL_CHANCE) & (size > 0) & [pair.slopes for pair in pairs])
    groups = TiedShares(np.full(len(some), t), above[some], size[some], below[some], n)
    pairs, equal = list(pairs), []
    for k, mass, law in zip(some.tolist(), (chance[some] * groups.ending).tolist(), groups.laws, strict=True):
        shares, masses = in_mean_shares(*law, max(pairs[k].weights.shape))
        chance_equal = min(mass / float(pairs[k].weights.sum()), 1.0)
        diagonal = np.diag(chance_equal * pairs[k].weights.sum() * masses)
        equal.append(replace(pairs[k], a=shares, b=shares, weights=diagonal))
        pairs[k] = replace(pairs[k], weights=_possible_weights(pairs[k]) * (1 - chance_equal), differ=True)
    return pairs + equal


def _possible_weights(pair: SlopingPair) -> Floats:
    """Its weights, but for shares that cannot be: a model with no fewer negatives before goes no further."""
    off = np.subtract.outer(pair.a, pair.b)
    further = [
        (side * off > 0) & (np.triu(each, 1).sum() == 0) for side, each in ((-1, pair.negative), (1, pair.negative.T))
    ]
    kept = np.where(further[0] | further[1], 0.0, pair.weights)
    return kept * (pair.weights.sum() / kept.sum()) if kept.any() else pair.weights
