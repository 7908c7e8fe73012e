"""Populations that limits of average precision and the partial AUC are judged on, with the one constant that they have.

Nothing was chosen on these. Of two models the other is the first with some noise and without what is odd about it: the
share of cases at the wrong end, or the groups that fail. A cluster has one to five cases of either class, with a share
of their scores in common; a group that fails has its positives below and its negatives above all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

import skcostci as sk

Floats = NDArray[np.float64]
Scores = tuple[Floats, Floats]  # of models a and b
Draw = Callable[[np.random.Generator, int, int], Scores]  # of so many cases of class 1 or 0
SIZES = ((25, 120), (80, 400))
MAX_FPR = 0.1
MANY = 200_000  # cases of a class that stand for the population: they err by .001 at most


def mixed(rng: np.random.Generator, usual: Floats, share: float, odd: float) -> Scores:
    """A model with a share of cases at an odd place, and one without, with some noise."""
    size = len(usual)
    thrown = rng.random(size) < share
    return np.where(thrown, odd + rng.normal(0, 0.1, size), usual), usual + rng.normal(0, 0.3, size)


def exponential(rng: np.random.Generator, label: int, size: int) -> Scores:
    """Of scale 4 and 1, a negative in a hundred above all."""
    return mixed(rng, rng.exponential(4.0 if label else 1.0, size), 0.0 if label else 0.01, 60.0)


def graded(rng: np.random.Generator, label: int, size: int) -> Scores:
    """Five grades by each of two readers."""
    latent = rng.normal(1.5 * label, 1.0, size)
    a, b = (np.digitize(latent + rng.normal(0, 0.6, size), [-0.5, 0.5, 1.5, 2.5]).astype(np.float64) for _ in range(2))
    return a, b


def nearly_separated(rng: np.random.Generator, label: int, size: int) -> Scores:
    """Five deviations apart, a positive in a hundred below all."""
    return mixed(rng, rng.normal(5.0 * label, 1.0, size), 0.01 if label else 0.0, -9.0)


def just_above(rng: np.random.Generator, label: int, size: int) -> Scores:
    """A share of the negatives that is just above the rate lies above all positives."""
    return mixed(rng, rng.normal(3.0 * label, 1.0, size), 0.0 if label else 1.1 * MAX_FPR, 20.0)


@dataclass(frozen=True)
class Grouped:
    """Cases of groups of which a share fails."""

    failing: float

    def __call__(self, rng: np.random.Generator, groups: int, _: int) -> tuple[NDArray[np.int64], Scores, Any]:
        """Labels, scores and groups."""
        held = rng.integers(1, 6, groups)
        group = np.repeat(np.arange(groups), held)
        y = (rng.random(len(group)) < 0.25).astype(np.int64)
        usual = 1.5 * y + rng.normal(0, 0.6, groups)[group] + rng.normal(0, 0.8, len(group))
        fails = (rng.random(groups) < self.failing)[group]
        return y, (np.where(fails, usual - 20.0 * (2 * y - 1), usual), usual + rng.normal(0, 0.3, len(group))), group


CASES: dict[str, Draw] = {
    "exponential, 1 % of negatives on top": exponential,
    "five grades": graded,
    "5 apart, 1 % of positives lost": nearly_separated,
}
GROUPS = {"clusters": Grouped(0.0), "clusters, 2 % of which fail": Grouped(0.02), "clusters, 5 % fail": Grouped(0.05)}


def values(y: Any, scores: Scores, prevalence: float) -> Floats:
    """Average precision and the partial AUC of both models, by scikit-learn at a class mix."""
    weight = np.where(y == 1, prevalence / y.mean(), (1 - prevalence) / (1 - y.mean()))
    found = [
        (
            average_precision_score(y, each, sample_weight=weight),
            roc_auc_score(y, each, max_fpr=MAX_FPR),
        )
        for each in scores
    ]
    return np.array(found)


@lru_cache
def truth(draw: Draw, prevalence: float) -> Floats:
    rng = np.random.default_rng(0)
    parts = [draw(rng, label, MANY) for label in (1, 0)]
    scores = tuple(np.concatenate(each) for each in zip(*parts, strict=True))
    return values(np.repeat([1, 0], MANY), scores, prevalence)


@lru_cache
def truth_of_groups(draw: Grouped) -> Floats:
    y, scores, _ = draw(np.random.default_rng(0), MANY, 0)
    return values(y, scores, float(y.mean()))


def answers(y: Any, scores: Scores, true: Floats, **scheme: Any) -> Iterator[tuple[str, float, Any]]:
    """What is asked of a sample, what is true, and what is said."""
    a, b = scores
    apart = true[0] - true[1]
    yield "average precision", true[0, 0], sk.bootstrap_average_precision(y, a, **scheme)
    yield "partial AUC", true[0, 1], sk.bootstrap_auc(y, a, max_fpr=MAX_FPR, **scheme)
    yield "average precision, difference", apart[0], sk.bootstrap_average_precision_difference(y, a, b, **scheme)
    yield "partial AUC, difference", apart[1], sk.bootstrap_auc_difference(y, a, b, max_fpr=MAX_FPR, **scheme)


def samples(runs: int) -> Iterator[tuple[str, str, Iterator[tuple[str, float, Any]]]]:
    """A population, its size, and the answers, sample by sample."""
    for run in range(runs):
        few = (("negatives just above max_fpr", just_above),)
        for name, draw, sizes in (
            *((name, draw, SIZES) for name, draw in CASES.items()),
            *((name, draw, ((10, 20), (100, 30))) for name, draw in few),
        ):
            for m, n in sizes:
                rng = np.random.default_rng([run, m, n])
                scores = tuple(np.concatenate(each) for each in zip(draw(rng, 1, m), draw(rng, 0, n), strict=True))
                yield name, f"{m} + {n}", answers(np.repeat([1, 0], [m, n]), scores, truth(draw, m / (m + n)))
        for m, n in SIZES:
            rng = np.random.default_rng([run, m, n, 1])
            y = np.sort(rng.random(m + n) < m / (m + n)).astype(np.int64)[::-1]
            held = int(y.sum()), int((1 - y).sum())
            parts = exponential(rng, 1, held[0]), exponential(rng, 0, held[1])
            scores = tuple(np.concatenate(each) for each in zip(*parts, strict=True))
            yield (
                "exponential, full sampling",
                f"{m + n} in all",
                answers(y, scores, truth(exponential, m / (m + n)), sampling="full"),
            )
        for name, clusters in GROUPS.items():
            for groups in (40, 150):
                y, scores, group = clusters(np.random.default_rng([run, groups]), groups, 0)
                if 0 < y.sum() < len(y):
                    yield name, f"{groups} groups", answers(y, scores, truth_of_groups(clusters), groups=group)


def judged_elsewhere(runs: int) -> list[str]:
    """Coverage and median width of the default at .95, a line a population, size and statistic."""
    held: dict[tuple[str, str, str], list[bool]] = {}
    wide: dict[tuple[str, str, str], list[float]] = {}
    for name, size, asked in samples(runs):
        for statistic, true, result in asked:
            method = next(name for name in result.methods if name.startswith("unseen"))
            low, high = result.confidence_interval(method=method)
            key = (statistic, name, size)
            held.setdefault(key, []).append(low - 1e-9 <= true <= high + 1e-9)
            wide.setdefault(key, []).append(high - low)
    lines = [
        "| statistic | population | size | at .95 | width |",
        "| --- | --- | --- | --- | --- |",
    ]
    for key, covered in sorted(held.items()):
        lines.append(f"| {' | '.join(key)} | {np.mean(covered):.3f} | {np.median(wide[key]):.2f} |")
    return lines
