"""The AUC of several classes, and the mean over the folds of a cross-validation, simulated.

Classes are normal clouds at equal distances, scored by Bayes' rule. ``missed`` of the first class look like the second,
``steps`` round the probabilities; what is true is read off a sample of 4000 a class. Folds are those of a linear
discriminant that was fitted to the others: true is the mean of the AUCs, or costs, that its models have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import norm
from sklearn.model_selection import StratifiedKFold

from coverage_study.judging import OTHERS, Cell, Row, Tally
from coverage_study.simulation import generator
from skcostci import bootstrap_auc, bootstrap_auc_difference, bootstrap_cost

RUNS, PAIRED_RUNS = 600, 100
LARGE = 4000


@dataclass(frozen=True)
class Clouds:
    """Class sizes and how far the classes lie apart; model b sees them at ``other`` times the distance."""

    sizes: tuple[int, ...]
    distance: float
    missed: float = 0.0
    steps: int = 0
    other: float | None = None
    fresh: bool = False

    @property
    def label(self) -> str:
        parts = [f"classes={'/'.join(map(str, self.sizes))} distance={self.distance:g}"]
        options = {"missed": self.missed, "steps": self.steps, "other": self.other or 0}
        return " ".join(parts + [f"{name}={value:g}" for name, value in options.items() if value])

    def draw(self, rng: np.random.Generator, sizes: tuple[int, ...]) -> tuple[np.ndarray, list[np.ndarray]]:
        y = np.repeat(np.arange(len(sizes)), sizes)
        seen = np.where((y == 0) & (rng.random(len(y)) < self.missed), 1, y)
        distances = [self.distance, *([] if self.other is None else [self.other * self.distance])]
        noise = rng.normal(size=(len(y), len(sizes)))
        return y, [self._scored(noise, seen, distance, rng) for distance in distances]

    def _scored(self, noise: np.ndarray, seen: np.ndarray, distance: float, rng: np.random.Generator) -> np.ndarray:
        mixed = 0.8 * noise + 0.6 * rng.normal(size=noise.shape)
        logits = distance * (mixed + distance * np.eye(noise.shape[1])[seen])
        proba = np.exp(logits - logits.max(axis=1, keepdims=True))
        proba /= proba.sum(axis=1, keepdims=True)
        return np.round(proba * self.steps) / self.steps if self.steps else proba


def ask(y: np.ndarray, probas: list[np.ndarray], multi_class: str) -> Any:
    function = bootstrap_auc if len(probas) == 1 else bootstrap_auc_difference
    return function(y, *probas, multi_class=multi_class)


def cells(statistic: str) -> Iterator[Cell]:
    other, runs = (0.7, PAIRED_RUNS) if statistic.endswith("difference") else (None, RUNS)
    for i, (sizes, distance, missed, steps) in enumerate(DESIGNS):
        design = Clouds(sizes, distance, missed, steps, other, fresh=i >= len(DESIGNS) // 2)
        how = ("ovr", "ovo")[i % 2]
        measure = partial(coverage, design, how)
        yield Cell(statistic, how, "stratified", design.label, min(sizes), sum(sizes), design.fresh, runs, measure)


DESIGNS = [
    ((15, 15, 15), 1.0, 0.0, 0),
    ((15, 15, 15), 2.55, 0.0, 0),
    ((8, 40, 40), 1.9, 0.0, 0),
    ((15, 15, 15), 2.55, 0.06, 0),
    ((50, 50, 50), 1.9, 0.0, 4),
    ((10, 30, 60), 2.4, 0.1, 0),
    ((12, 12, 12, 12), 2.4, 0.0, 0),
    ((20, 20, 20), 3.5, 0.12, 0),
    ((6, 10, 30, 60), 1.4, 0.0, 5),
    ((15, 100, 100), 3.0, 0.04, 0),
]


def coverage(design: Clouds, how: str, runs: int) -> Iterator[Row]:
    rng, tally = generator(design.label, how), Tally([""])
    truth = ask(*design.draw(rng, (LARGE,) * len(design.sizes)), how).estimate
    for i in range(runs):
        tally.add(ask(*design.draw(rng, design.sizes), how), truth, every=i % OTHERS == 0)
    return tally.rows()


FOLDED = [
    (60, 5, 0.8, 5, 0.5),
    (60, 5, 0.8, 10, 0.5),
    (200, 20, 0.8, 10, 0.5),
    (100, 10, 0.95, 5, 0.5),
    (200, 5, 0.85, 5, 0.1),
    (60, 2, 0.99, 5, 0.5),
    (150, 5, 0.7, 5, 0.3),
    (120, 3, 0.97, 10, 0.2),
]


def fold_cells(statistic: str) -> Iterator[Cell]:
    for i, (n, features, auc, folds, share) in enumerate(FOLDED):
        label = f"features={features} AUC={auc:g} folds={folds}"
        sizes, fresh = (round(n * share), n - round(n * share)), i >= len(FOLDED) // 2
        measure = partial(fold_coverage, statistic, label, sizes, (features, auc, folds))
        yield Cell(statistic, "mean of folds", "stratified", label, *sizes, fresh, RUNS, measure)


def fold_coverage(
    statistic: str, label: str, sizes: tuple[int, int], how: tuple[int, float, int], runs: int
) -> Iterator[Row]:
    rng, tally = generator(statistic, label, sizes), Tally([""])
    for i in range(runs):
        y, scores, folds, aucs, costs = cross_validated(rng, sizes, *how)
        if statistic == "folded_auc":
            tally.add(bootstrap_auc(y, scores, folds=folds), np.mean(aucs), every=i % OTHERS == 0)
        else:
            result = bootstrap_cost(y, scores, probability_cost=0.4, thresholds=0.0, folds=folds)
            tally.add(result, np.mean(costs), every=i % OTHERS == 0)
    return tally.rows()


def cross_validated(
    rng: np.random.Generator, sizes: tuple[int, int], n_features: int, auc: float, n_folds: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[float], list[float]]:
    """Labels, out-of-fold scores, folds, and each model's true AUC and cost at PC(+) = .4 and threshold 0."""
    distance, y = norm.ppf(auc) * np.sqrt(2), np.repeat([1, 0], sizes)
    X = rng.normal(size=(len(y), n_features))
    X[:, 0] += distance * y
    scores, folds, aucs, costs = np.zeros(len(y)), np.zeros(len(y), dtype=int), [], []
    splits = StratifiedKFold(n_folds, shuffle=True, random_state=int(rng.integers(2**31)))
    for fold, (train, test) in enumerate(splits.split(X, y)):
        centers = np.array([X[train][y[train] == label].mean(axis=0) for label in (0, 1)])
        rest = X[train] - centers[y[train]]
        weights = np.linalg.solve(rest.T @ rest / (len(train) - 2), centers[1] - centers[0])
        middle, length = weights @ centers.mean(axis=0), np.sqrt(weights @ weights)
        scores[test], folds[test] = X[test] @ weights - middle, fold
        aucs.append(norm.cdf(weights[0] * distance / np.sqrt(2) / length))
        missed, alarms = norm.cdf((middle - weights[0] * distance) / length), norm.sf(middle / length)
        costs.append(0.4 * missed + 0.6 * alarms)
    return y, scores, folds, aucs, costs
