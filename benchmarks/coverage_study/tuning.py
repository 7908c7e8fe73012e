"""What constants were chosen from."""

from __future__ import annotations

from functools import partial

import numpy as np

from coverage_study import bends, problems
from coverage_study.designs import Design
from coverage_study.store import RESULTS
from skcostci.intervals import METHODS
from skcostci.intervals._method import Method
from skcostci.intervals._quantiles import percentile
from skcostci.laws.exact._linear import LinearLaw

NUMBERS = (1.0, 1.25, 1.5, 1.75, 2.0)
LEVELS = (0.9, 0.95)


def smoothing() -> None:
    """The worst exact coverage of one model's cost, binormal populations, as the number of pseudo-cases varies."""
    lines = ["pseudo-cases a class, worst coverage at 10 a class (90 %, 95 %), at 25 a class (90 %, 95 %)"]
    for number in NUMBERS:
        METHODS["trial"] = Method("trial", "", partial(_smoothed, number), "", "")
        worst = np.ravel([_worst_cost(n) for n in (10, 25)])
        lines.append(f"  {number:<6}" + "".join(f"{value:8.3f}" for value in worst))
    print("\n".join(lines))
    (RESULTS / "coverage_smoothing.txt").write_text("\n".join(lines) + "\n")


def _smoothed(number: float, law: LinearLaw, alpha: np.ndarray, side: int) -> np.ndarray:
    """Quantiles of the law with so many pseudo-cases a class."""
    return percentile(law.smoothed(number), alpha, side)


def _worst_cost(n: int) -> np.ndarray:
    """At each level, over distances of the classes and operating conditions."""
    return np.min([_coverage(n, w) for w in np.linspace(0.05, 0.95, 19).tolist()], axis=0)


def _coverage(n: int, w: float) -> np.ndarray:
    """The least at each level over distances of the classes, at the best threshold."""
    designs = [Design(n, n, theta, 3.0) for theta in (0.75, 1.5, 3.0, 4.0, 5.0)]
    hit, alarm = np.array([design.rates(design.optimal_threshold(w)) for design in designs]).T
    population = np.column_stack([1 - hit, hit]), np.column_stack([alarm, 1 - alarm])
    measured = problems.cost(n, n, w, ("trial",)).measured(population, "trial", LEVELS)
    return np.asarray((1 - measured[:, :, :2].sum(axis=2)).min(axis=0))


TRIALS = {"smoothing": smoothing, "budget": bends.budget}
