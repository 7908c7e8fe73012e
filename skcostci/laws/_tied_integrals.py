"""How far into tied groups of many negatives a resample's curve must go: moments of the shares, by integrals.

As if those of a group had an order, let the rank-th of n negatives drawn be met at y, and so many draws, i, earlier in
the group and so many, e, later. y / n follows a Beta law; given y, i and e are independent and binomial. The share is
that of first + i in 1 + i + e, first being the part of the draw met that counts, and as

    (1 + i + e)^-k = integral over s from 0 to 1 of s^(i + e) (-log s)^(k - 1),

its moments are integrals over y and s of what binomial laws make of powers of s: smooth, and done by Gauss and
Legendre's rule, or by Laguerre's where they fall like an exponential function. Where few are drawn in a group the
logarithm is felt at 0, and sums are to be preferred.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._points import in_blocks
from skcostci.laws._threshold import gauss

FALLS = 1.0, 4.0, 12.0, np.inf  # of the logarithm of the density of y: the further the more nodes
POISSON = 25.0, 0.005  # so many draws, and their probability not so large in parts of that, are a Poisson variable
HELD = 2**12  # nodes at once
SIGNS = -1.0, 1.0  # before a place, and beyond it


DEEP = 28.0  # what is left out is exp(-28) of the most, or less
NODES = 12, 18, 24, 32  # of y, for each of the ``FALLS``;
DEPTHS, SHALLOW = 16, 8  # of s, and of Laguerre's rule where draws in a group are nearly a Poisson variable

# nodes of 1 - s and their weights, in parts of one in so many of the draws in a group
Rule = tuple[Floats, Floats, float]


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of ``size`` negatives at one score, ``above`` it, of ``n``; ``t`` is what the curve must reach in each."""

    t: Floats
    above: Integers
    size: Integers
    n: int

    def part(self, some: slice | Integers | Booleans) -> tuple[Floats, Integers, Integers, int]:
        """What some of them are made from."""
        return self.t[some], self.above[some], self.size[some], self.n

    @cached_property
    def first(self) -> Floats:
        """The part of the draw that is met that counts."""
        return self.t - np.ceil(self.t) + 1

    @cached_property
    def others(self) -> Floats:
        """Draws before the one that is met, and after it."""
        rank = np.ceil(self.t)
        return np.array([rank - 1, self.n - rank])


class TiedIntegrals(Groups):
    """Groups in which many are drawn."""

    @property
    def moments(self) -> Floats:
        """The mean and the variance of each group's share, given that the curve ends there, shape (2, n_groups)."""
        nodes = np.array(NODES)[np.searchsorted(FALLS, self._falls.max(axis=0))]
        moments = np.zeros((2, len(self.t)))
        for some, rule in ((self._poisson, _laguerre(SHALLOW)), (~self._poisson, (*gauss(DEPTHS), DEEP))):
            for block in in_blocks(np.flatnonzero(some), nodes * len(rule[0]), HELD):
                moments[:, block] = self._integrals(block, int(nodes[block].max()), rule)
        return moments

    @cached_property
    def _poisson(self) -> Booleans:
        """Where the draws in the group are nearly a Poisson variable, wherever in it the one is met."""
        odds = self.size / np.maximum([self.above + self.size, self.n - self.above], 1)
        drawn, (most, small) = (self.others * odds).min(axis=0), POISSON
        return np.asarray((drawn > most) & (odds.max(axis=0) < small * drawn))

    @cached_property
    def _likeliest(self) -> Floats:
        """Where in the group it is met."""
        place = self.n * self.others[0] / max(self.n - 1, 1)
        return np.asarray(np.clip(place, self.above, self.above + self.size))

    @cached_property
    def _sides(self) -> Floats:
        """Negatives before that place and beyond it, where there are any."""
        return np.maximum([self._likeliest, self.n - self._likeliest], 1.0)

    @cached_property
    def _reach(self) -> Floats:
        """How far before that place and beyond it the density matters."""
        ends = self._likeliest - self.above, self.above + self.size - self._likeliest
        return np.array([self._reached(sign, end) for sign, end in zip(SIGNS, ends, strict=True)])

    @np.errstate(divide="ignore", invalid="ignore")
    def _reached(self, sign: float, end: Floats) -> Floats:
        """By Newton's method from farther out, as logarithms of densities are concave."""
        (before, after), (left, right), deep = self.others, self._sides, DEEP
        slope, bend = np.maximum(sign * (after / right - before / left), 0.0), before / left**2 + after / right**2
        tail = deep * (right / np.maximum(after, 1) if sign < 0 else left / np.maximum(before, 1))
        reach = np.minimum(2 * deep / (slope + np.sqrt(slope**2 + 2 * deep * bend)) + tail, end)
        for _ in range(3):
            moved = sign * reach
            steep = sign * (after / (right - moved) - before / (left + moved))
            step = (_fall(moved, self.others, self._sides) - deep) / steep
            reach = np.clip(np.where(np.isfinite(step), reach - step, reach), 0.0, end)
        return np.asarray(reach)

    @property
    def _falls(self) -> Floats:
        """By how much the logarithm is less there."""
        return np.array(
            [_fall(sign * reach, self.others, self._sides) for sign, reach in zip(SIGNS, self._reach, strict=True)]
        )

    @np.errstate(under="ignore")
    def _integrals(self, some: Integers, nodes: int, rule: Rule) -> Floats:
        """Those of some groups."""
        u, masses = gauss(nodes)
        others, sides, (low, high) = (each[:, some, None] for each in (self.others, self._sides, self._reach))
        moved = (low + high) * u - low
        masses = masses * np.exp(-_fall(moved, others, sides))
        y = self._likeliest[some, None] + moved
        inside = y - self.above[some, None]
        p, q = inside / y, (self.size[some, None] - inside) / (self.n - y)
        return _moments(masses / masses.sum(axis=1, keepdims=True), p, q, others, self.first[some, None], rule)


@np.errstate(divide="ignore")
def _fall(moved: Floats, others: Floats, sides: Floats) -> Floats:
    """By how much the logarithm of the density is less than where it is most."""
    (before, after), (left, right) = others, sides
    return np.asarray(-before * np.log1p(moved / left) - after * np.log1p(-moved / right))


def _moments(masses: Floats, p: Floats, q: Floats, others: Floats, first: Floats, rule: Rule) -> Floats:
    """From the masses of y, and how probably draws before the one met, and after it, are in the group."""
    (v, weights, deep), (before, after) = rule, others
    depth = deep / np.maximum(before * p + after * q, deep)[..., None]
    p, q, first, before, after = (each[..., None] for each in (p, q, first, before, after))
    lack = depth * v
    left, right = 1 - lack * p, 1 - lack * q
    weights = masses[..., None] * depth * weights * np.exp(before * np.log(left) + after * np.log(right))
    s = np.subtract(1, lack, out=lack)
    p, q = np.divide(p * s, left, out=left), np.divide(q * s, right, out=right)
    earlier, later = before * p, after * q
    mean = np.einsum("gys,gys->g", weights, first + earlier)
    m = mean[:, None, None]
    square = ((1 - m) * earlier + first - m * (1 + later)) ** 2
    square += (1 - m) ** 2 * earlier * np.subtract(1, p, out=p) + m**2 * later * np.subtract(1, q, out=q)
    return np.array([mean, -np.einsum("gys,gys,gys->g", weights, np.log(s, out=s), square)])


@cache
def _laguerre(count: int) -> Rule:
    x, weights = np.polynomial.laguerre.laggauss(count)
    return x, weights * np.exp(x), 1.0
