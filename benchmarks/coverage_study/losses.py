"""Mean losses of probabilities, of one model and of two, and observed to expected events, simulated.

A population is a law of probabilities, Beta's, and what they mean: the chance of an event given each. The truths are
its expectations, by quantiles. Model b of a difference says the same, on the scale of logits shrunk by a third to 1/2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy.special import expit, logit
from scipy.stats import beta

import skcostci as sk
from coverage_study.judging import OTHERS, Cell, Row, Tally
from coverage_study.simulation import generator

Floats = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Population:
    """Probabilities from a Beta law, and the chance of an event given one."""

    name: str
    shapes: tuple[float, float]
    chance: Callable[[Floats], Floats]
    fresh: bool = False

    def draw(self, random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        p = np.clip(random.beta(*self.shapes, n), 1e-6, 1 - 1e-6)
        return (random.random(n) < self.chance(p)).astype(int), p

    @cached_property
    def _quantiles(self) -> Floats:
        return np.clip(beta.ppf((np.arange(400_000) + 0.5) / 400_000, *self.shapes), 1e-6, 1 - 1e-6)

    def mean(self, value: Callable[[Floats, Floats], Floats]) -> float:
        """The expectation of a value of label and probability."""
        p = self._quantiles
        ones = np.ones(len(p))
        return float(np.mean(self.chance(p) * value(ones, p) + (1 - self.chance(p)) * value(0 * ones, p)))


POPULATIONS = (
    Population("calibrated", (2, 5), lambda p: p),
    Population("rare", (0.5, 20), lambda p: p),
    Population("overconfident", (0.5, 0.5), lambda p: expit(logit(p) / 3), True),
    Population("wrong in 3 %", (0.1, 0.1), lambda p: 0.97 * p + 0.03 * (1 - p), True),
    Population("too high", (1, 5), lambda p: p**1.5, True),
)
LOSSES = {
    "brier": lambda y, p: (y - p) ** 2,
    "log_loss": lambda y, p: -np.log(np.where(y == 1, p, 1 - p)),
}
RUNS = 400


def shrunk(p: Floats) -> Floats:
    """What model b says."""
    return np.asarray(expit(logit(p) / 1.5))


def cells() -> Iterator[Cell]:
    for population in POPULATIONS:
        for loss, value in LOSSES.items():
            ask = partial(sk.bootstrap_loss, loss=loss)
            yield from _cells("loss", loss, population, ask, population.mean(value))


def paired_cells() -> Iterator[Cell]:
    for population in POPULATIONS:
        for loss, value in LOSSES.items():

            def apart(y: Floats, p: Floats, value: Callable[[Floats, Floats], Floats] = value) -> Floats:
                return np.asarray(value(y, p) - value(y, shrunk(p)))

            def ask(y: Floats, p: Floats, loss: Any = loss) -> sk.results.MeanDifferenceResult:
                return sk.bootstrap_loss_difference(y, p, shrunk(p), loss)

            yield from _cells("loss_difference", loss, population, ask, population.mean(apart))


def ratio_cells() -> Iterator[Cell]:
    for population in POPULATIONS:
        truth = population.mean(lambda y, _: y) / population.mean(lambda _, p: p)
        ask = partial(sk.bootstrap_ratio, range=((0, 1), (0, 1)))
        yield from _cells("ratio", "observed/expected", population, ask, truth)


def _cells(
    statistic: str, variant: str, population: Population, ask: Callable[..., Any], truth: float
) -> Iterator[Cell]:
    for n in (20, 100):
        events = round(n * population.mean(lambda y, _: y))
        measure = partial(coverage, population, n, ask, truth)
        yield Cell(statistic, variant, "full", population.name, events, n - events, population.fresh, RUNS, measure)


def coverage(population: Population, n: int, ask: Callable[..., Any], truth: float, runs: int) -> Iterator[Row]:
    tally, random = Tally([""]), generator(population.name, n)
    for i in range(runs):
        tally.add(ask(*population.draw(random, n)), truth, every=i % OTHERS == 0)
    return tally.rows()
