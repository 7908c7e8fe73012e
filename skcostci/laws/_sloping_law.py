"""The law of the difference in hits where the curves of two models may end in segments that slope, exactly.

Of the positives drawn I lie in a's segment, J in b's, and D more above a's than above b's. With shares x and y of the
segments the difference is D + x I - y J. Its distribution function is P(I, J, D <= d - x I + y J), summed over I, J and
the joint law of the shares. Nothing is rounded or merged, and all terms are probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from skcostci._validation import Floats, Integers
from skcostci.laws._drawn_positives import About, Positives, drawn_positives
from skcostci.laws._lattice import target_of
from skcostci.laws._mixture import SAME, Masses
from skcostci.laws._sloping_pairs import SlopingPair

WORK = 2**27  # terms of a value of the distribution function, at most: half a second
TABLES = 2**22  # probabilities of (J, I, D) at all pairs of segments, at most: as long
FEW = 2**17  # values of a law that are listed once for all
INTERVALS = 1024  # of one case, one of which holds a quantile
RARE = 1e-16  # shares that have less probability together are left out, for each I and J
NOISE = 1e-16  # what rounding leaves of the probability of shares that cannot occur together


@dataclass(frozen=True, eq=False)
class Counted:
    """The positives about a pair of segments, and pairs of their shares, those of more probability first."""

    positives: Positives
    shares: tuple[Floats, Floats]
    which: tuple[NDArray[np.uint16], NDArray[np.uint16]]
    weights: Floats

    @cached_property
    def kept(self) -> Integers:
        """How many pairs of shares are looked at for each J and I."""
        rest = np.cumsum(self.weights[::-1])
        rare = RARE / np.maximum(self.positives.chance, RARE / 2)
        return np.asarray(len(rest) - np.searchsorted(rest, rare))

    @property
    def values(self) -> float:
        """How many there are for each whole number."""
        return float(self.kept.sum())

    @property
    def averaged(self) -> Counted:
        """With the mean shares only."""
        x, y = (np.array([self.weights @ each / self.weights.sum()]) for each in self._shares)
        none = np.zeros(1, dtype=np.uint16)
        return Counted(self.positives, (x, y), (none, none), np.array([self.weights.sum()]))

    def total(self, table: Floats, worth: float) -> float:
        """The sum of what a table of the positives has for the difference at most ``worth``."""
        total, start = 0.0, worth - self.positives.first[2] + 1
        for place, offsets in self._offsets():
            at = np.subtract(start, offsets, out=offsets).astype(np.intp)
            total += float(self.weights[: len(at)] @ table[place].take(at, mode="clip"))
        return total

    def every(self) -> Iterator[tuple[Floats, Floats]]:
        """All values and their probabilities."""
        first, masses = self.positives.first[2], np.diff(self.positives.below)
        for place, offsets in self._offsets():
            d = np.flatnonzero(masses[place])
            weights = self.weights[: len(offsets)]
            yield np.add.outer(offsets, first + d).ravel(), np.multiply.outer(weights, masses[place][d]).ravel()

    def within_one(self, low: float) -> Iterator[tuple[Floats, Floats]]:
        """Values in (low, low + 1] and their probabilities, some of them 0."""
        first, masses = self.positives.first[2], np.pad(np.diff(self.positives.below), ((0, 0), (0, 0), (1, 1)))
        for place, offsets in self._offsets():
            d = np.floor(low + 1 - offsets)
            mass = masses[place].take((d - first + 1).astype(np.intp), mode="clip")
            yield offsets + d, self.weights[: len(d)] * mass

    @property
    def _shares(self) -> tuple[Floats, Floats]:
        """Of each model in each pair."""
        (x, y), (row, column) = self.shares, self.which
        return x[row], y[column]

    def _offsets(self) -> Iterator[tuple[tuple[int, int], Floats]]:
        """For each J and I, x I - y J of the pairs of shares that are looked at."""
        (x, y), (first_j, first_i, _) = self._shares, self.positives.first
        for j, row in enumerate(self.kept):
            less = y * (first_j + j)
            for i in np.flatnonzero(row).tolist():
                offsets = x[: row[i]] * (first_i + i)
                offsets -= less[: row[i]]
                yield (j, i), offsets


@dataclass(frozen=True, eq=False)
class SlopingLaw:
    """The law of the difference in hits in so many draws, from all pairs of segments in which curves may end."""

    parts: tuple[Counted, ...]
    draws: int

    def up_to(self, x: Floats, *, strict: bool = False) -> Floats:
        """P(X <= x), or P(X < x)."""
        return self._asked(x - SAME if strict else x + SAME, lambda part: part.positives.below)

    def beyond(self, x: Floats) -> Floats:
        """P(X > x)."""
        return self._asked(x + SAME, lambda part: part.positives.beyond)

    def quantile(self, q: Floats) -> Floats:
        """The smallest value with P(X <= value) >= q."""
        return np.reshape([self._quantile(level) for level in np.ravel(q).tolist()], np.shape(q))

    @property
    def values(self) -> float:
        """How many there are for each whole number, at most."""
        return sum(part.values for part in self.parts)

    def listed(self) -> Masses:
        """All values."""
        return Masses.apart([found for part in self.parts for found in part.every()])

    def _asked(self, x: Floats, table: Callable[[Counted], Floats]) -> Floats:
        worths, place = np.unique(np.clip(x, -self.draws - 1, self.draws + 1), return_inverse=True)
        tables = [(part, table(part)) for part in self.parts]
        totals = np.array([sum(part.total(each, worth) for part, each in tables) for worth in worths.tolist()])
        return totals[place].reshape(np.shape(x))

    def _quantile(self, q: float) -> float:
        """Found within one case of its neighbours, then in the interval it lies in, then among the values there."""
        goal = float(target_of(np.asarray(q)))
        low, passed = self._case_of(goal, float(self._middle.quantile(np.array(q))))
        masses = np.zeros(INTERVALS)
        for value, mass in self._within_one(low):
            masses += np.bincount(_interval(value - low), mass, INTERVALS)
        reached = np.concatenate([[passed], passed + np.cumsum(masses)])
        here = min(int(np.searchsorted(reached[1:], goal)), int(np.flatnonzero(masses)[-1]))
        law = Masses.apart(
            [
                (value[inside], mass[inside])
                for value, mass in self._within_one(low)
                if (inside := _interval(value - low) == here).any()
            ]
        )
        place = int(np.searchsorted(reached[here] + law.cumulative[1:], goal))
        return float(law.values[min(place, len(law.values) - 1)])

    @cached_property
    def _middle(self) -> Masses:
        """The law if shares did not vary: where quantiles are looked for first."""
        return SlopingLaw(tuple(part.averaged for part in self.parts), self.draws).listed()

    def _case_of(self, goal: float, start: float) -> tuple[float, float]:
        """Where one case begins in which the distribution function reaches ``goal``, and what it is before.

        No value lies at its ends, where rounding would count it twice or never.
        """
        low = start - 0.5 + SAME
        while (passed := self._at(low)) >= goal and low > -self.draws:
            low -= 1
        while low + 1 < self.draws and (reached := self._at(low + 1)) < goal:
            low, passed = low + 1, reached
        return low, passed

    def _at(self, x: float) -> float:
        """P(X <= x), to the last bit of x."""
        return float(self._asked(np.array(x), lambda part: part.positives.below))

    def _within_one(self, low: float) -> Iterator[tuple[Floats, Floats]]:
        return chain.from_iterable(part.within_one(low) for part in self.parts)


def sloping_law(pairs: Iterable[SlopingPair], draws: int, pseudo: float) -> SlopingLaw | Masses | None:
    """With ``pseudo`` cases more of both / only a / only b / neither; None where that takes too many terms."""
    added = pseudo * np.array([[1, 0, 1], [0, 0, 0], [1, 0, 1]])
    probable, size = [], 0
    for pair in (pair for pair in pairs if pair.weights.max() > NOISE):
        about = About(tuple((pair.cells + added).ravel().tolist()), draws)
        probable.append((pair, about))
        size += int(np.prod(about.shape))
        if size > TABLES:
            return None
    parts, work = [], 0.0
    for pair, about in probable:
        parts.append(_counted(drawn_positives(about), pair))
        work += parts[-1].values
        if work > WORK:
            return None
    law = SlopingLaw(tuple(parts), draws)
    return law.listed() if work * (2 * draws + 1) <= FEW else law


def _counted(positives: Positives, pair: SlopingPair) -> Counted:
    row, column = np.nonzero(pair.weights > NOISE)
    order = np.argsort(-pair.weights[row, column], kind="stable")
    row, column = row[order], column[order]
    which = row.astype(np.uint16), column.astype(np.uint16)
    return Counted(positives, (pair.a, pair.b), which, pair.weights[row, column])


def _interval(x: Floats) -> NDArray[np.intp]:
    """Which part of one case it is in."""
    return np.minimum((x * INTERVALS).astype(np.intp), INTERVALS - 1)
