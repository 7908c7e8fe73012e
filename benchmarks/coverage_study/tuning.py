"""What the constants of two methods were chosen from: designs that are not those reported."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from coverage_study.auc import crossed
from coverage_study.cost import costs, true_cost
from coverage_study.designs import Design, pair_from_auc
from coverage_study.exact import all_tables
from coverage_study.judging import LEVELS, judged
from coverage_study.simulation import data_sets
from coverage_study.store import RESULTS
from skcostci import bootstrap_auc, bootstrap_auc_difference
from skcostci.intervals import _auc as _intervals_auc
from skcostci.intervals._method import Method
from skcostci.intervals._methods import METHODS
from skcostci.intervals._quantiles import percentile
from skcostci.laws import LinearLaw

CASES = (0.1, 0.15, 0.2, 0.25)
SINGLE = [
    *crossed(
        [(12, 12), (12, 150), (150, 12), (30, 30), (30, 150), (100, 100)], [0.7, 0.9, 0.97, 0.99], [1.0, 2.0, 0.5]
    ),
    *crossed([(8, 80), (80, 8)], [0.8, 0.95], [1.0, 2.5, 0.4]),
    *crossed([(12, 12), (12, 150), (150, 12), (40, 40)], [0.75, 0.93], [1.0, 2.0], [4, 10]),
    *crossed([(20, 1000)], [0.9, 0.99], [1.0, 2.5]),
]
PAIRED = [
    *(
        pair_from_auc(*sizes, *aucs, rho)
        for sizes, aucs, rho in itertools.product(
            [(12, 12), (10, 100), (40, 40)], [(0.99, 0.95), (0.8, 0.8), (0.97, 0.97), (0.9, 0.75)], [0.3, 0.95]
        )
    ),
    pair_from_auc(20, 200, 0.98, 0.9, 0.8, 2.5),
    pair_from_auc(8, 60, 0.95, 0.8, 0.5, 2.5),
]


def smoothing() -> None:
    """The worst exact coverage of one model's cost as the number of pseudo-cases of "smoothed" varies."""
    lines = ["pseudo-cases a class, worst coverage at 10 a class (90 %, 95 %), at 25 a class (90 %, 95 %)"]
    for number in (1.0, 1.25, 1.5, 1.75, 2.0):
        METHODS["trial"] = Method("trial", "", partial(_smoothed, number), "")
        worst = [_worst_cost(n) for n in (10, 25)]
        lines.append(f"  {number:<6}" + "".join(f"{value:8.3f}" for value in np.ravel(worst)))
    _report("coverage_smoothing.txt", lines)


def _smoothed(number: float, law: LinearLaw, alpha: np.ndarray, side: int) -> np.ndarray:
    """Quantiles of the law with so many pseudo-cases a class."""
    return percentile(law.smoothed(number), alpha, side)


def _worst_cost(n: int) -> list[float]:
    """At each level, over distances of the classes and operating conditions."""
    found: dict[float, list[float]] = {level: [] for level in LEVELS}
    for theta, w in itertools.product((0.75, 1.5, 3.0, 4.0, 5.0), np.linspace(0.05, 0.95, 19)):
        design = Design(n, n, theta, 3.0)
        thresholds = [design.optimal_threshold(w)]
        every = all_tables(n, n, design.shares(thresholds))
        result = replace(costs(every, w, "stratified"), methods=("trial",))
        for (_, level), covered, _ in judged(result, true_cost(design, w, thresholds)):
            found[level].append(float(every.weights @ covered))
    return [min(values) for values in found.values()]


def pseudo_case() -> None:
    """Coverage and width of AUC intervals as the part of a case that "pseudo_case" adds varies, nominal 95 %."""
    asked = [(design, bootstrap_auc) for design in SINGLE], [(design, bootstrap_auc_difference) for design in PAIRED]
    every = [[_results(design, ask) for design, ask in part] for part in asked]
    lines = ["pseudo-cases a class and method: worst, mean coverage, designs below .93, mean width"]
    for amount in CASES:
        _intervals_auc.PSEUDO_CASES = amount
        for results, methods in zip(every, (("pseudo_case", "logit_t"), ("mover", "pseudo_case", "wald")), strict=True):
            lines += [f"  {amount:<5} {method:<12}{_judge(results, method)}" for method in methods]
    _report("coverage_pseudo_case.txt", lines)


def _results(design: Design, ask: Any) -> tuple[float, list[Any]]:
    truth = design.auc() if design.rho is None else design.auc() - design.auc(1)
    return truth, [ask(y_true, *scores) for y_true, scores in data_sets(design, 1000)]


def _judge(results: Iterable[tuple[float, list[Any]]], method: str) -> str:
    coverage, width = [], []
    for truth, each in results:
        low, high = np.array([result.confidence_interval(0.95, method=method) for result in each]).T
        coverage.append(np.mean((low <= truth) & (truth <= high)))
        width.append(np.mean(high - low))
    short = f"{np.sum(np.array(coverage) < 0.93)}/{len(coverage)}"
    return f"{min(coverage):7.3f}{np.mean(coverage):7.3f}{short:>7}{np.mean(width):8.4f}"


def _report(name: str, lines: list[str]) -> None:
    print("\n".join(lines))
    (RESULTS / name).write_text("\n".join(lines) + "\n")


TRIALS = {"smoothing": smoothing, "pseudo_case": pseudo_case}
