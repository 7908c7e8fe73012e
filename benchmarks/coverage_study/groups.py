"""Cases that belong together: intervals that resample whole groups, and beside them those that ignore groups.

Groups of 1 to 8 cases; within a group the latent normal variables behind labels and scores share a part, whose share
of their variance is the intraclass correlation: .3 for labels, and what the design says for scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import norm

import skcostci as sk
from coverage_study.judging import IGNORED, OTHERS, Cell, Row, Tally
from coverage_study.simulation import generator

RUNS = 240
LARGEST = 8
LABEL_CORRELATION = 0.3
RIVAL_RHO = 0.6  # of the scores of two models, given the label


@dataclass(frozen=True)
class Grouped:
    """So many groups; negatives score N(0, 1), positives N(shift, 1); those at ``threshold`` or more are labelled."""

    n_groups: int
    correlation: float
    shift: float
    threshold: float
    prevalence: float = 0.4
    fresh: bool = False

    @property
    def label(self) -> str:
        return f"{self.n_groups} groups, correlation {self.correlation:g}, shift {self.shift:g}, at {self.threshold:g}"

    @property
    def sizes(self) -> tuple[int, int]:
        cases = self.n_groups * (LARGEST + 1) / 2
        return round(cases * self.prevalence), round(cases * (1 - self.prevalence))

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Labels, two models' scores and groups, both classes being there in two groups or more."""
        groups = np.repeat(np.arange(self.n_groups), rng.integers(1, LARGEST + 1, self.n_groups))
        latent = together(rng, groups, LABEL_CORRELATION)
        y_true = (latent < norm.ppf(self.prevalence)).astype(int)
        a, other = (together(rng, groups, self.correlation) for _ in range(2))
        b = RIVAL_RHO * a + np.sqrt(1 - RIVAL_RHO**2) * other
        if min(len(np.unique(groups[y_true == label])) for label in (0, 1)) < 2:
            return self.draw(rng)
        return y_true, a + self.shift * y_true, b + 0.7 * self.shift * y_true, groups

    @property
    def rates(self) -> tuple[float, float]:
        """TPR and FPR of the first model."""
        return float(norm.sf(self.threshold - self.shift)), float(norm.sf(self.threshold))


def together(rng: np.random.Generator, groups: np.ndarray, correlation: float) -> np.ndarray:
    """Standard normal variables with this correlation within groups."""
    shared = rng.normal(size=groups.max() + 1)[groups]
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * rng.normal(size=len(groups))


@dataclass(frozen=True)
class Beside:
    """A result that knows the groups, with the default interval of one that does not as a method of its own."""

    grouped: Any
    ignorant: Any

    @property
    def methods(self) -> tuple[str, ...]:
        return (*self.grouped.methods, IGNORED)

    def confidence_interval(self, level: float, *, method: str) -> Any:
        return (
            self.ignorant.confidence_interval(level)
            if method == IGNORED
            else self.grouped.confidence_interval(level, method=method)
        )


Ask = Callable[..., Any]  # of labels, two models' scores and options


def metric(name: str, y: np.ndarray, a: np.ndarray, b: np.ndarray, cut: float, **options: Any) -> Any:
    return sk.bootstrap_metric(y, a, name, thresholds=cut, **options)


def auc(y: np.ndarray, a: np.ndarray, b: np.ndarray, cut: float, **options: Any) -> Any:
    return sk.bootstrap_auc(y, a, **options)


def auc_difference(y: np.ndarray, a: np.ndarray, b: np.ndarray, cut: float, **options: Any) -> Any:
    return sk.bootstrap_auc_difference(y, a, b, **options)


def tpr(y: np.ndarray, a: np.ndarray, b: np.ndarray, cut: float, **options: Any) -> Any:
    return sk.bootstrap_roc_at_threshold(y, a, thresholds=cut, **options).tpr


def cost(y: np.ndarray, a: np.ndarray, b: np.ndarray, cut: float, **options: Any) -> Any:
    return sk.bootstrap_cost(y, a, probability_cost=0.3, thresholds=cut, **options)


def cost_difference(y: np.ndarray, a: np.ndarray, b: np.ndarray, cut: float, **options: Any) -> Any:
    return sk.bootstrap_cost_difference(y, a, b, probability_cost=0.3, thresholds=cut, **options)


def _truths(design: Grouped) -> dict[str, float]:
    """What the statistics are about."""
    share = design.prevalence
    tpr, fpr = design.rates
    tpr_b = float(norm.sf(design.threshold - 0.7 * design.shift))
    hits, alarms = share * tpr, (1 - share) * fpr
    aucs = [float(norm.cdf(design.shift * factor / np.sqrt(2))) for factor in (1, 0.7)]
    return {
        "AUC": aucs[0],
        "AUC difference": aucs[0] - aucs[1],
        "accuracy": hits + (1 - share) * (1 - fpr),
        "precision": hits / (hits + alarms),
        "f1": 2 * hits / (hits + alarms + share),
        "kappa": _kappa(share, tpr, fpr),
        "TPR at a threshold": tpr,
        "cost": 0.3 * (1 - tpr) + 0.7 * fpr,
        "cost difference": 0.3 * (tpr_b - tpr),
    }


def _kappa(share: float, tpr: float, fpr: float) -> float:
    labelled = share * tpr + (1 - share) * fpr
    chance = share * labelled + (1 - share) * (1 - labelled)
    return (share * tpr + (1 - share) * (1 - fpr) - chance) / (1 - chance)


ASKED: dict[str, Ask] = {
    "AUC": auc,
    "AUC difference": auc_difference,
    "accuracy": partial(metric, "accuracy"),
    "precision": partial(metric, "precision"),
    "f1": partial(metric, "f1"),
    "kappa": partial(metric, "kappa"),
    "TPR at a threshold": tpr,
    "cost": cost,
    "cost difference": cost_difference,
}
SLOW = ("kappa",)
DESIGNS = [
    Grouped(20, 0.3, 1.5, 0.75),
    Grouped(20, 0.6, 1.5, 0.75, fresh=True),
    Grouped(30, 0.5, 1.5, 0.75),
    Grouped(30, 0.5, 2.5, 1.25, fresh=True),
    Grouped(50, 0.6, 2.5, 1.25),
    Grouped(30, 0.5, 3.5, 1.75, fresh=True),
]


def cells() -> Iterator[Cell]:
    for name, ask in ASKED.items():
        for design in DESIGNS:
            runs = RUNS // 4 if name in SLOW else RUNS
            measure = partial(coverage, design, ask, _truths(design)[name])
            yield Cell("groups", name, "groups", design.label, *design.sizes, design.fresh, runs, measure)


def coverage(design: Grouped, ask: Ask, truth: float, runs: int) -> Iterator[Row]:
    rng, tally = generator("groups", design.label), Tally([""])
    for i in range(runs):
        y_true, a, b, groups = design.draw(rng)
        asked = partial(ask, y_true, a, b, design.threshold)
        try:
            result = Beside(asked(groups=groups), asked())
        except ValueError:  # a metric that has no value, such as the precision of a model that labels nothing
            continue
        tally.add(result, truth, every=i % OTHERS == 0)
    return tally.rows()
