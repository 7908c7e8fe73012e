"""Which law of a sum each point has, in blocks of points that are answered side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import LOG_TAIL
from skcostci.laws._points import in_blocks
from skcostci.laws._stratum import Stratum
from skcostci.laws._sum import ManyValued
from skcostci.laws._two_sums import ProductSums, TabledSums, TrinomialSums
from skcostci.laws._whole_sums import WholeSums

CELLS = 2**15  # values of a sum that are held at a time, in all rows of a block
TABLE = 2**23  # joint probabilities that are held at most; beyond, a sum that skips every other value is off by an atom
NEGLIGIBLE_STEP = 1e-6  # of the longer one


class SumLaw(Protocol):
    """What the laws of a block answer, one a row, about the rows named."""

    def total(self, rows: Integers, x: Floats) -> Floats:
        """The mass up to x, weighted if the law was made with a tilt."""

    def cdf(self, rows: Integers, x: Floats, *, strict: bool = False) -> Floats:
        """P(<= x), or P(< x)."""

    def quantile(self, rows: Integers, q: Floats, start: Floats, scale: Floats) -> Floats:
        """The smallest value whose cdf reaches q; ``start`` is where to look first, ``scale`` the deviation."""


@dataclass(frozen=True)
class ManyValues:
    """Laws of sums in steps of many sizes, each by itself."""

    stratum: Stratum
    points: Integers
    tilts: Floats

    def total(self, rows: Integers, x: Floats) -> Floats:
        tilts = self.tilts[rows].tolist()
        return np.array([law.total(y, tilt) for law, y, tilt in zip(self._laws(rows), x.tolist(), tilts, strict=True)])

    def cdf(self, rows: Integers, x: Floats, *, strict: bool = False) -> Floats:
        return np.array([law.cdf(y, strict=strict) for law, y in zip(self._laws(rows), x.tolist(), strict=True)])

    def quantile(self, rows: Integers, q: Floats, start: Floats, scale: Floats) -> Floats:
        return np.array([law.quantile(level) for law, level in zip(self._laws(rows), q.tolist(), strict=True)])

    def _laws(self, rows: Integers) -> Iterator[ManyValued]:
        return (self.stratum.law_of_values(point) for point in self.points[rows].tolist())


def laws_of(
    strata: tuple[Stratum, ...], points: Integers, tilts: Floats | None = None
) -> Iterator[tuple[Integers, SumLaw]]:
    """Blocks of these points with their laws, which count from the origins of the strata's moves."""
    moves = [stratum.moves for stratum in strata]
    sizes = np.maximum.reduce([each.n_sizes for each in moves])
    if len(moves) > 1 and (sizes > 1).any():
        raise NotImplementedError("strata that are resampled apart may have steps of one size each.")
    a, b = (moves[0].long, moves[1].long) if len(moves) > 1 else (moves[0].short, moves[0].long)
    lengths, weights = np.maximum(a.length, b.length), np.zeros(len(sizes)) if tilts is None else tilts
    trinomial = (sizes == 2) & ~(a.down + b.down > 0) & (moves[0].idle > 0) & (tilts is None)
    u, v = _ordered(a, b)
    for block in in_blocks(points[sizes[points] < 2], lengths, CELLS):
        yield block, ProductSums.independent(u[block], v[block], weights[block])
    for block in in_blocks(points[trinomial[points]], lengths, CELLS):
        yield block, TrinomialSums(a[block], b[block], moves[0].idle[block])
    hardly_idle = (sizes == 2) & ~trinomial & (2 * a.draws * moves[0].idle < LOG_TAIL) & (u.length * v.length <= TABLE)
    for point in points[hardly_idle[points]]:
        yield (block := np.array([point])), TabledSums(u[block], v[block], weights[block])
    rest = points[(sizes[points] == 2) & ~trinomial[points] & ~hardly_idle[points]]
    for block in in_blocks(rest, lengths, CELLS):
        yield block, ProductSums.joint(u[block], v[block], weights[block])
    if (listed := points[sizes[points] > 2]).size:
        yield listed, ManyValues(strata[0], listed, weights[listed])


def _ordered(a: WholeSums, b: WholeSums) -> tuple[WholeSums, WholeSums]:
    """First the sum with fewer values, but never one with a step beside which the other's is negligible."""
    negligible = NEGLIGIBLE_STEP * np.maximum(a.step, b.step)
    first = (a.step <= negligible) | ((b.step > negligible) & (a.length <= b.length))
    return WholeSums.where(first, a, b), WholeSums.where(first, b, a)
