"""Metrics of several classes, and functions of weighted cases, of which limits are of first order, simulated.

A population of labels is the share of each class and how each is labelled; a sample in which a class does not occur is
drawn anew, as its mean would be over other classes. Probabilities are those of ``losses``. Of amounts the prediction is
what is known of them, and R2 one less the share of their variance that is not. The functions are scikit-learn's,
written out because its checks take longer than the numbers; their names give them their ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import skcostci as sk
from coverage_study import losses
from coverage_study.judging import OTHERS, Cell, Row, Tally
from coverage_study.simulation import generator

Floats = np.ndarray[Any, Any]
SIZES = {30: 200, 100: 200, 500: 120}  # cases, and how many samples of so many
METRICS: dict[str, dict[str, Any]] = {
    "macro f1": {"metric": "f1", "average": "macro"},
    "macro precision": {"metric": "precision", "average": "macro"},
    "kappa": {"metric": "kappa"},
}


@dataclass(frozen=True)
class Labelled:
    """The share of each class, and of each class the share of its cases that gets each label."""

    name: str
    shares: tuple[float, ...]
    labelled: tuple[tuple[float, ...], ...]
    fresh: bool = False

    @property
    def table(self) -> Floats:
        return np.array(self.shares)[:, None] * np.array(self.labelled)

    def draw(self, random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        k = len(self.shares)
        while True:
            counts = random.multinomial(n, self.table.ravel()).reshape(k, k)
            if counts.sum(axis=1).all():
                truth, guess = np.divmod(np.repeat(np.arange(k * k), counts.ravel()), k)
                return truth, guess

    def truth(self, name: str) -> float:
        table = self.table
        hits, truth, guess = np.diagonal(table), table.sum(axis=1), table.sum(axis=0)
        if name == "kappa":
            return float((hits.sum() - truth @ guess) / (1 - truth @ guess))
        return float(np.mean(2 * hits / (truth + guess) if name == "macro f1" else hits / guess))


def _alike(k: int, right: float) -> tuple[tuple[float, ...], ...]:
    """Every class is labelled rightly as often, and wrongly as any other."""
    return tuple(tuple(right if i == j else (1 - right) / (k - 1) for j in range(k)) for i in range(k))


LABELLED = (
    Labelled("overlapping", (0.4, 0.35, 0.25), _alike(3, 0.6)),
    Labelled("rare class", (0.6, 0.33, 0.07), ((0.85, 0.12, 0.03), (0.2, 0.75, 0.05), (0.3, 0.2, 0.5))),
    Labelled("near perfect", (0.4, 0.3, 0.3), _alike(3, 0.98)),
    Labelled(
        "rare class hardly found", (0.7, 0.25, 0.05), ((0.9, 0.09, 0.01), (0.2, 0.79, 0.01), (0.5, 0.3, 0.2)), True
    ),
    Labelled("near perfect, a rare class", (0.5, 0.44, 0.06), _alike(3, 0.99), True),
    Labelled("five classes", (0.3, 0.25, 0.2, 0.15, 0.1), _alike(5, 0.7), True),
)


def brier_score_loss(y_true: Floats, y_pred: Floats, sample_weight: Floats) -> float:
    return float(np.average((y_true - y_pred) ** 2, weights=sample_weight))


def log_loss(y_true: Floats, y_pred: Floats, sample_weight: Floats) -> float:
    return float(np.average(losses.LOSSES["log_loss"](y_true, y_pred), weights=sample_weight))


def r2_score(y_true: Floats, y_pred: Floats, sample_weight: Floats) -> float:
    left = sample_weight @ (y_true - y_pred) ** 2
    return float(1 - left / (sample_weight @ (y_true - np.average(y_true, weights=sample_weight)) ** 2))


@dataclass(frozen=True)
class Amounts:
    """Standard normal amounts, or their exponentials; errors of a share ``often`` are ``times`` as large."""

    name: str
    r2: float
    skewed: bool = False
    often: float = 0.0
    times: float = 1.0
    fresh: bool = False

    def draw(self, random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        known = random.normal(size=n)
        if self.skewed:
            known = (np.exp(known) - np.exp(0.5)) / np.sqrt(np.e * (np.e - 1))
        spread = np.sqrt((1 - self.r2) / (1 + self.often * (self.times**2 - 1)))
        error = spread * random.normal(size=n) * np.where(random.random(n) < self.often, self.times, 1.0)
        guess = np.sqrt(self.r2) * known
        return guess + error, guess


AMOUNTS = (
    Amounts("normal", 0.5),
    Amounts("near perfect", 0.98),
    Amounts("skewed", 0.7, skewed=True, fresh=True),
    Amounts("large errors in 5 %", 0.7, often=0.05, times=4.0, fresh=True),
)


def cells() -> Iterator[Cell]:
    for labelled in LABELLED:
        for name, how in METRICS.items():
            ask = partial(sk.bootstrap_metric, **how)
            yield from _cells(name, labelled, min(labelled.shares), ask, labelled.truth(name))
    for events in losses.POPULATIONS:
        share = events.mean(lambda y, _: y)
        for name, function in {"brier": brier_score_loss, "log_loss": log_loss}.items():
            ask = partial(sk.bootstrap_metric, metric=function)
            yield from _cells(name, events, share, ask, events.mean(losses.LOSSES[name]))
    for amounts in AMOUNTS:
        yield from _cells("r2", amounts, 1.0, partial(sk.bootstrap_metric, metric=r2_score), amounts.r2)


def _cells(variant: str, population: Any, rare: float, ask: Callable[..., Any], truth: float) -> Iterator[Cell]:
    """The first number of cases is that of the rarest class, of events, or of all amounts."""
    for n, runs in SIZES.items():
        measure, few = partial(coverage, population, n, ask, truth), round(n * rare)
        yield Cell("any_metric", variant, "full", population.name, few, n - few, population.fresh, runs, measure)


def coverage(population: Any, n: int, ask: Callable[..., Any], truth: float, runs: int) -> Iterator[Row]:
    tally, random = Tally([""]), generator("any_metric", population.name, n)
    for i in range(runs):
        tally.add(ask(*population.draw(random, n)), truth, every=i % OTHERS == 0)
    return tally.rows()
