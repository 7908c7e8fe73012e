"""Cases that are resampled together: cells, what each is worth, and what draws from them add up to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._atoms import Atoms
from skcostci.laws._sum import Distribution, ManyValued, Mixture, law_of_sum


class Moves(NamedTuple):
    """Cells' probabilities, where a sum over draws starts, and each size of step with the cells that take it."""

    probabilities: Floats
    origin: float
    sizes: list[tuple[float, Integers]]


@dataclass(frozen=True)
class Stratum:
    """Cells of a class (under full sampling, of both), arrays of shape (n_points, n_cells).

    ``prior`` says how one pseudo-case per class spreads over the cells: evenly over those that a case can fall in.
    ``observed`` are the counts without pseudo-cases.
    """

    counts: Floats
    values: Floats
    prior: Floats
    draws: int
    observed: Floats

    @cached_property
    def probabilities(self) -> Floats:
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    @cached_property
    def mean(self) -> Floats:
        return np.asarray((self.probabilities * self.values).sum(axis=1))

    @cached_property
    def observed_mean(self) -> Floats:
        """The mean without pseudo-cases."""
        return np.asarray((self.observed * self.values).sum(axis=1) / self.observed.sum(axis=1))

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        """The least and the largest value of the cells that a case can fall in."""
        possible = self.prior > 0
        low = np.where(possible, self.values, np.inf).min(axis=1)
        return low, np.where(possible, self.values, -np.inf).max(axis=1)

    @cached_property
    def share(self) -> Floats:
        """Where the mean lies between the least and the largest value: a rate, where there are two cells."""
        low, high = self.support
        return np.where(high > low, (self.mean - low) / np.where(high > low, high - low, 1.0), 0.0)

    def central_moment(self, order: int) -> Floats:
        """Second or third central moment of what this stratum contributes."""
        powers = (self.values - self.mean[:, None]) ** order
        return np.asarray((self.probabilities * powers).sum(axis=1) / float(self.draws) ** (order - 1))

    def smoothed(self, pseudo_cases: float) -> Stratum:
        """So many pseudo-cases per class added, and as many whole draws."""
        classes = round(float(self.prior[0].sum()))
        counts = self.counts + pseudo_cases * self.prior
        return replace(self, counts=counts, draws=self.draws + int(pseudo_cases * classes))

    def reflected(self) -> Stratum:
        """Every value with the opposite sign."""
        return replace(self, values=-self.values)

    def tilted(self, rates: Floats) -> tuple[Stratum, Floats]:
        """Probabilities times ``exp(rate * value / draws)``, and the log of the moment generating function there."""
        exponents = np.where(self.counts > 0, rates[:, None] * self.values / self.draws, -np.inf)
        largest = exponents.max(axis=1, keepdims=True)
        counts = self.probabilities * np.exp(exponents - largest)
        log_sums = largest[:, 0] + np.log(counts.sum(axis=1))
        return replace(self, counts=counts), self.draws * log_sums

    def moves(self, i: int) -> Moves:
        """At point i, what its draws add up to: from the origin that leaves the fewest sizes of steps, 0 if it can."""
        hit = self.probabilities[i] > 0
        values = self.values[i, hit]
        fewest, _, origin = min((_step_sizes(values, start), start != 0, start) for start in [0.0, *values.tolist()])
        origin = origin if fewest <= 2 else 0.0
        steps, signs = np.abs(values - origin) / self.draws, np.sign(values - origin).astype(np.int64)
        sizes = [(float(step), signs * (steps == step)) for step in np.unique(steps[steps > 0])]
        return Moves(self.probabilities[i, hit], origin, sizes)

    def law_of_values(self, i: int, tilt: float) -> Distribution:
        """The law at point i where the values are of many sizes; kept, because it is not free."""
        if i not in self._laws:
            hit = self.probabilities[i] > 0
            self._laws[i] = law_of_sum(self.draws, self.probabilities[i, hit], self.values[i, hit] / self.draws)
        return ManyValued(self._laws[i], float(self.mean[i]), tilt)

    @cached_property
    def _laws(self) -> dict[int, Atoms | Mixture]:
        return {}


def _step_sizes(values: Floats, origin: float) -> int:
    """How many sizes the steps from the origin to the values have."""
    return len(np.unique(np.abs(values - origin)[values != origin]))
