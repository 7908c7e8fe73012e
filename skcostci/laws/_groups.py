"""Groups of negatives that a model does not tell apart, and functions of a draw that tell it before, in and beyond one.

Functions f_1 and f_2 have mean 0 and variance 1 and are uncorrelated; f_1 is 0 in the group. Then they are turned so
that the first tells A + B / 2, A being how many are drawn before the group and B how many in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skcostci._validation import Booleans, Floats, Integers

SMOOTH = 20**0.5  # negatives, the deviation of a rank from which on numbers drawn before it are like Gamma laws


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of ``size`` of n negatives, ``start`` above each; where none is in one it is a place between negatives."""

    start: Floats
    size: Floats
    n: int

    @cached_property
    def functions(self) -> Floats:
        """f_1 and f_2 before, in and beyond, shape (2, 3, n_groups): 0 where there is nothing to tell."""
        before, within, beyond = self.start / self.n, self.size / self.n, (self.n - self.start - self.size) / self.n
        values = np.zeros((2, 3, len(self.start)))
        some = (before > 0) & (beyond > 0)
        root = np.sqrt((before[some] / beyond[some], (1 - within)[some]))
        values[0, 0, some], values[0, 2, some] = 1 / np.prod(root, axis=0), -root[0] / root[1]
        some = within > 0
        odds = np.sqrt(within[some] / (1 - within[some]))
        values[1][:, some] = -odds, 1 / odds, -odds
        return values

    @cached_property
    def turn(self) -> Floats:
        """How a function that tells A + B / 2, and one that tells the rest, are made of these: (2, 2, n_groups)."""
        along = (self.functions[:, 0] * self.start + self.functions[:, 1] * self.size / 2) / self.n
        x, y = np.asarray(along / np.hypot(*along))
        return np.array([[x, y], [-y, x]])

    @cached_property
    def turned(self) -> Floats:
        """Those functions before, in and beyond."""
        return np.asarray(np.einsum("abg,bcg->acg", self.turn, self.functions))

    @property
    def ends(self) -> Floats:
        """Negatives before either end."""
        return np.array([self.start, self.start + self.size])

    @property
    def at_end(self) -> Booleans:
        """Whether A is known from B."""
        return np.asarray((self.start == 0) | (self.start + self.size == self.n))

    @property
    def rank_spread(self) -> Floats:
        """The standard deviation of the place of a rank in the middle of each, about."""
        middle = self.start + self.size / 2
        return np.asarray(np.sqrt(middle * (1 - middle / self.n)))

    @property
    def smooth(self) -> Booleans:
        """Whether numbers drawn before such a rank are like Gamma laws."""
        return np.asarray(self.rank_spread >= SMOOTH)

    @property
    def spreads(self) -> Floats:
        """Standard deviations of B, and of A given it, shape (2, n_groups)."""
        within = self.size * (1 - self.size / self.n)
        above = self.start * (1 - self.start / (self.n - self.size))
        return np.sqrt(np.maximum((within, above), 0.0))

    def beside(self, other: Groups) -> Groups:
        return Groups(np.append(self.start, other.start), np.append(self.size, other.size), self.n)

    def of(self, some: Integers) -> Groups:
        return Groups(self.start[some], self.size[some], self.n)
