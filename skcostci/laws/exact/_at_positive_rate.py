"""The laws of the rates at a budget: true-positive rate, false-positive rate and precision of the q best cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.fft import rfft

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import at_points, runs, split_at
from skcostci.laws.exact._lattice import Lattice, point, target_of
from skcostci.laws.exact._ranked import JointMasses, RankedCases, resampled

ATOMS_TO_LIST = 256  # a bracket of a quantile is halved until so few are in it; doubled: one step less


@dataclass(frozen=True, repr=False, eq=False)
class BudgetLaw:
    """The exact bootstrap law of a rate when the q best cases of each resample are labelled positive, at many q.

    ``rate`` is "tpr", "fpr" or "precision". Resamples in which the rate is undefined (none of the class drawn, under
    full sampling) are left out. Half of the pseudo-cases rank above and half below all others, and the budget grows by
    the upper half.
    """

    cases: RankedCases
    labelled: tuple[int, ...]
    rate: str
    pseudo_cases: float = 0.0
    agresti: ClassVar[float] = 4.0

    def smoothed(self, pseudo_cases: float) -> BudgetLaw:
        return replace(self, pseudo_cases=pseudo_cases)

    @property
    def estimate(self) -> Floats:
        q = np.array(self.labelled)
        found = self.cases.positives_labelled(q)
        if self.rate == "precision":
            return np.asarray(found / q)
        return np.asarray(
            found / self.cases.draws_positive if self.rate == "tpr" else (q - found) / self.cases.draws_negative
        )

    @property
    def is_exact(self) -> bool:
        """Always true: the quadrature over ranks has 13 digits."""
        return True

    @cached_property
    def mean(self) -> Floats:
        return np.array([law.moments[0] for law in self._laws])

    @cached_property
    def variance(self) -> Floats:
        return np.array([law.moments[1] for law in self._laws])

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

    def cdf(self, x: Floats) -> Floats:
        return self._ask(x, lambda law, value: law.cdf(value))

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        return split_at(self._ask(x, lambda law, value: law.cdf(value, strict=True)), self.cdf(x))

    def quantile(self, q: Floats) -> Floats:
        return self._ask(q, lambda law, value: law.quantile(value))

    def _ask(self, x: Floats, question: Callable[[LatticeRate | RatioRate, float], float]) -> Floats:
        return at_points(x, lambda i, column: [question(self._laws[i], value) for value in column.tolist()])

    @cached_property
    def _laws(self) -> list[LatticeRate | RatioRate]:
        drawn = self.cases.smoothed(self.pseudo_cases) if self.pseudo_cases else self.cases
        return [self._law(drawn, q) for q in self.labelled]

    def _law(self, drawn: RankedCases, q: int) -> LatticeRate | RatioRate:
        budget = q + int(self.pseudo_cases)
        if drawn.sampling == "stratified":
            return self._count_rate(drawn.hits(budget), drawn, q)
        if self.rate == "precision":
            return LatticeRate(drawn.any_hits(budget), budget)
        if budget in (0, drawn.draws):
            return LatticeRate(point(int(budget > 0)), 1)
        joint = drawn.hits_and_misses(budget)
        return RatioRate(joint if self.rate == "tpr" else _others(joint, budget, drawn.draws - budget))

    def _count_rate(self, hits: Lattice, drawn: RankedCases, q: int) -> LatticeRate:
        """A rate that is a multiple of a count; pseudo-cases are taken out in proportion to the scarcer class."""
        scale, shift = self.cases.scarcer / drawn.scarcer, 0.0
        if self.cases.prevalence > 0.5:
            shift = q - scale * (q + int(self.pseudo_cases))
        if self.rate == "fpr":
            counts = Lattice(1 - hits.start - len(hits), hits.pmf[::-1])
            return LatticeRate(counts, self.cases.draws_negative, scale, q - shift)
        return LatticeRate(hits, self.cases.draws_positive if self.rate == "tpr" else q, scale, shift)


class LatticeRate:
    def __init__(self, counts: Lattice, size: int, scale: float = 1.0, shift: float = 0.0) -> None:
        self._counts, self._size, self._scale, self._shift = counts, size, scale, shift

    @cached_property
    def moments(self) -> tuple[float, float]:
        return _moments((self._shift + self._scale * self._counts.support) / self._size, self._counts.pmf)

    def cdf(self, x: float, *, strict: bool = False) -> float:
        steps = (min(max(x, -2.0), 2.0) * self._size - self._shift) / self._scale
        # A quotient differs by rounding from the whole number it stands for: without slack an atom would be missed.
        last = np.ceil(steps - 1e-9) - 1 if strict else np.floor(steps + 1e-9)
        place = min(max(int(last) - self._counts.start + 1, 0), len(self._counts))
        return min(float(self._counts.cumulative[place]), 1.0)

    def quantile(self, q: float) -> float:
        reached = int(np.searchsorted(self._counts.cumulative[1:], float(target_of(np.asarray(q)))))
        count = self._counts.start + min(reached, len(self._counts) - 1)
        return (self._shift + self._scale * count) / self._size


class RatioRate:
    """The law of U / (U + V) given U + V > 0: V at each place, U as few frequencies instead of a joint table."""

    def __init__(self, joint: JointMasses) -> None:
        self._joint = joint
        self._v = np.arange(joint.v[0], joint.v[0] + len(joint.v) * joint.step_v)
        self._u_low, self._u_high = int(joint.u[0]), int(joint.u[0]) + len(joint.u) * joint.step_u - 1

    @cached_property
    def moments(self) -> tuple[float, float]:
        sums = np.add.outer(self._joint.u, self._joint.v)
        drawn = sums > 0
        ratio = self._joint.u[:, None] / np.where(drawn, sums, 1)
        return _moments(ratio[drawn], self._joint.pmf[drawn] / self._joint.pmf[drawn].sum())

    def cdf(self, x: float, *, strict: bool = False) -> float:
        if x < 0 or (x == 0 and strict):
            return 0.0
        if x >= 1:
            return 1.0 - (self._one if strict and x == 1 else 0.0)
        passed = float(self._mass(np.arange(len(self._v)), self._last_u(x, strict)).sum())
        nothing = 0.0 if strict else self._nothing
        # A sum of masses may exceed 1 by rounding.
        return min(max((passed - nothing) / (1 - self._nothing), 0.0), 1.0)

    def quantile(self, q: float) -> float:
        target = float(target_of(np.asarray(q)))
        below, above = self._bracket(target)
        atoms, masses = self._atoms(below, above)
        reached = int(np.searchsorted(self.cdf(below) + np.cumsum(masses), target))
        # At q = 1 rounding may leave the last sum below the target.
        return float(atoms[min(reached, len(atoms) - 1)])

    @cached_property
    def _nothing(self) -> float:
        return float(self._mass(np.flatnonzero(self._v == 0), np.array([0])).sum()) if self._u_low <= 0 else 0.0

    @cached_property
    def _one(self) -> float:
        no_v = float(self._mass(np.flatnonzero(self._v == 0), np.array([self._u_high])).sum())
        return (no_v - self._nothing) / (1 - self._nothing)

    @cached_property
    def _frequencies(self) -> tuple[Floats, Floats]:
        """For each v, the Fourier transform over U; for each u, the sums of the waves up to u."""
        joint = self._joint
        length = len(joint.u)
        by_v = rfft(resampled(joint.pmf, joint.step_v, axis=1), axis=0).T
        angles = 2 * np.pi / (length * joint.step_u) * np.arange(by_v.shape[1])
        # The half spectrum of a real function: all frequencies but the first and the middle one stand for two.
        factors = np.where((angles == 0) | (2 * np.arange(by_v.shape[1]) == length), 1.0, 2.0) / length
        waves = np.exp(1j * np.multiply.outer(np.arange(length * joint.step_u), angles)) * factors
        by_u = np.vstack([np.zeros(len(angles)), np.cumsum(waves, axis=0)])
        return np.hstack([by_v.real, -by_v.imag]), np.hstack([by_u.real, by_u.imag])

    def _mass(self, index: Integers, u: Integers) -> Floats:
        by_v, by_u = self._frequencies
        return np.asarray(np.einsum("ij,ij->i", by_v[index], by_u[u - self._u_low + 1], dtype=np.float64))

    def _last_u(self, x: float, strict: bool = False) -> Integers:
        """For each v, the largest u with u / (u + v) <= x (or < x), up to rounding of the quotient."""
        if not 0 <= x < 1:
            return np.full(len(self._v), self._u_high if x >= 1 else self._u_low - 1)
        most = self._v * (x / (1 - x))
        slack = 1e-9 + 4 * np.finfo(float).eps * np.abs(most) / (1 - x)
        last = np.ceil(most - slack) - 1 if strict else np.floor(most + slack)
        return np.asarray(np.clip(last, self._u_low - 1, self._u_high).astype(np.int64))

    def _bracket(self, target: float) -> tuple[float, float]:
        """Two points, few atoms apart, with cdf(below) < target <= cdf(above)."""
        below = self._u_low / max(self._u_low + int(self._v[-1]), 1) - 1e-9
        above = self._u_high / max(self._u_high + int(self._v[0]), 1) + 1e-9
        while above - below > 1e-15 and int((self._last_u(above) - self._last_u(below)).sum()) > ATOMS_TO_LIST:
            middle = (below + above) / 2
            below, above = (middle, above) if self.cdf(middle) < target else (below, middle)
        return below, above

    def _atoms(self, below: float, above: float) -> tuple[Floats, Floats]:
        """The atoms in (below, above], ascending, with their masses."""
        first, last = self._last_u(below) + 1, self._last_u(above)
        index, u = runs(first, np.maximum(last - first + 1, 0))
        some = u + self._v[index] > 0
        index, u = index[some], u[some]
        x = u / (u + self._v[index])
        # Differences of sums may be negative by rounding.
        masses = np.maximum(self._mass(index, u) - self._mass(index, u - 1), 0.0) / (1 - self._nothing)
        order = np.argsort(x)
        return x[order], masses[order]


def _moments(values: Floats, weights: Floats) -> tuple[float, float]:
    mean = float(weights @ values)
    return mean, float(weights @ (values - mean) ** 2)


def _others(joint: JointMasses, above: int, below: int) -> JointMasses:
    """The joint law of the negatives among ``above`` cases above the threshold and ``below`` cases below it."""
    return JointMasses(above - joint.u[::-1], below - joint.v[::-1], joint.step_u, joint.step_v, joint.pmf[::-1, ::-1])
