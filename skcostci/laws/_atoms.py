"""Laws kept as a list of values and their probabilities, and the listing of what a multinomial can draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import TIE, binomial

NEGLIGIBLE = 1e-18  # less likely draws are left out


@dataclass(frozen=True)
class Atoms:
    """Values, ascending, and P(<= each of them); a value within ``slack`` of x counts as x."""

    values: Floats
    cumulative: Floats
    slack: float

    @classmethod
    def from_masses(cls, values: Floats, masses: Floats, slack: float) -> Atoms:
        """From values in any order; those that differ by rounding are one atom."""
        order = np.argsort(values, kind="stable")
        ordered, cumulative = values[order], np.minimum(np.cumsum(masses[order]), 1.0)
        last = np.concatenate([np.diff(ordered) > slack, [True]])
        return cls(ordered[last], cumulative[last], slack)

    def cdf(self, x: float, *, strict: bool = False) -> float:
        """P(<= x), or P(< x)."""
        if strict:
            reached = int(np.searchsorted(self.values, x - self.slack, "left"))
        else:
            reached = int(np.searchsorted(self.values, x + self.slack, "right"))
        return float(self.cumulative[reached - 1]) if reached else 0.0

    def weighted_up_to(self, x: float, tilt: float, center: float) -> float:
        """The mass up to x, a value a weighing ``exp(-tilt * (a - center))``."""
        reached = int(np.searchsorted(self.values, x + self.slack, "right"))
        masses = np.diff(self.cumulative[:reached], prepend=0.0)
        return float(masses @ np.exp(-tilt * (self.values[:reached] - center)))

    def quantile(self, q: float) -> float:
        """The smallest value whose cdf reaches q."""
        reached = int(np.searchsorted(self.cumulative, target(q)))
        return float(self.values[min(reached, len(self.values) - 1)])


def target(q: float) -> float:
    """The cdf that a quantile has to reach."""
    return float(max(q - TIE, np.finfo(float).tiny))


def list_draws(draws: int, probabilities: Floats, values: Floats, limit: int) -> tuple[Integers, Floats, Floats] | None:
    """What a multinomial can draw from these of its cells: draws left to the others, sum of values, probability.

    None if there is more of it than ``limit``.
    """
    left, total, mass = np.array([draws]), np.zeros(1), np.ones(1)
    for hit, miss, value in zip(probabilities, 1.0 - np.cumsum(probabilities), values, strict=True):
        grown, size = [], 0
        for still in np.unique(left).tolist():
            here = left == still
            law = binomial(still, hit / (hit + miss), miss / (hit + miss))
            size += int(here.sum()) * len(law)
            if size > 8 * limit:
                return None
            masses = np.multiply.outer(mass[here], law.pmf)
            kept = masses > NEGLIGIBLE
            sums = np.add.outer(total[here], value * law.support)
            grown.append((np.broadcast_to(still - law.support, masses.shape)[kept], sums[kept], masses[kept]))
        left, total, mass = (np.concatenate(column) for column in zip(*grown, strict=True))
        if len(left) > limit:
            return None
    return left, total, mass
