"""What the constant of a method was chosen from: designs that are not those reported."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial

import numpy as np

from coverage_study.cost import costs, true_cost
from coverage_study.designs import Design
from coverage_study.exact import all_tables
from coverage_study.judging import LEVELS, judged
from coverage_study.store import RESULTS
from skcostci.intervals._method import Method
from skcostci.intervals._methods import METHODS
from skcostci.intervals._quantiles import percentile
from skcostci.laws import LinearLaw


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


def _report(name: str, lines: list[str]) -> None:
    print("\n".join(lines))
    (RESULTS / name).write_text("\n".join(lines) + "\n")


TRIALS = {"smoothing": smoothing}
