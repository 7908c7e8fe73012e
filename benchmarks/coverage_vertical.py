"""Coverage and width of the intervals at fixed false-positive rates, on the binormal designs of the 2009 paper.

    python benchmarks/coverage_vertical.py [--quick] [--problem single|paired]

Negative scores are N(0, 3^2), positive ones N(theta, scale^2); "ties" rounds them to whole numbers. The rates are up to
24 multiples of 1 / n_negative. A row gives, over them, the least and the mean coverage and the mean width. Simulated,
seeded: with 1,000 samples (150 at n = 1,000; 500 and 250 for a pair) the standard error of a coverage of .9 is .009,
and the least of 24 lies about .02 lower than the true least. A tied design asks only for rates that a threshold
attains, and its truth is that of the rounded scores.
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import norm

from skcostci import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr

LEVELS = (0.9, 0.95)
SIZES = ((10, 10), (25, 25), (100, 100), (10, 200), (200, 10), (1000, 1000))
COLUMNS = (
    *("problem", "n_positive", "n_negative", "scale", "theta", "design", "level", "method"),
    *("least", "mean", "width", "width_to_agresti"),
)


def rates(n_negative: int) -> np.ndarray:
    ranks = np.unique(np.rint(np.linspace(1, n_negative - 1, 24)).astype(int))
    return ranks / n_negative


def simulate(ask: Callable, methods: tuple[str, ...], truth: np.ndarray, samples: int) -> dict:
    """Coverage and width by level and method, each an array over the rates."""
    keys = list(product(LEVELS, methods))
    covered, width = ({key: np.zeros(len(truth)) for key in keys} for _ in range(2))
    for seed in range(samples):
        result = ask(np.random.default_rng(seed))
        for level, method in keys:
            low, high = result.confidence_interval(level, method=method)
            covered[level, method] += (low - 1e-12 <= truth) & (truth <= high + 1e-12)
            width[level, method] += high - low
    return {key: (covered[key] / samples, width[key] / samples) for key in keys}


def single(samples: int) -> Iterator[list]:
    methods = ("rank_beta", "agresti", "wald", "percentile")
    for (n_positive, n_negative), scale, theta in product(SIZES, (3.0, 3.75), (0.75, 1.5, 3.0, 5.0)):
        for ties in (False, True) if (n_positive, n_negative) == (25, 25) else (False,):
            fpr = rates(n_negative)
            cut = 3 * norm.isf(fpr)
            if ties:  # a score of k stands for k - 1/2 to k + 1/2; P(score >= k) must be near the rate
                cut = np.unique(np.rint(cut)) - 0.5
                exact = norm.sf(cut / 3)
                fpr, first = np.unique(np.rint(exact * n_negative) / n_negative, return_index=True)
                inside = (fpr > 0) & (fpr < 1)
                fpr, cut = fpr[inside], cut[first][inside]
            truth = norm.sf((cut - theta) / scale)
            y_true = np.repeat([1, 0], [n_positive, n_negative])

            def ask(rng, size=(n_positive, n_negative), theta=theta, scale=scale, ties=ties, fpr=fpr, y_true=y_true):
                scores = np.r_[rng.normal(theta, scale, size[0]), rng.normal(0, 3, size[1])]
                return bootstrap_roc_at_fpr(y_true, np.rint(scores) if ties else scores, fpr=fpr)

            count = samples if n_negative < 1000 else samples * 3 // 20
            found = simulate(ask, methods, truth, count)
            design = "ties" if ties else "continuous"
            yield from rows("single", (n_positive, n_negative, scale, theta, design), found)


def paired(samples: int) -> Iterator[list]:
    methods = ("rank_mover", "agresti", "wald", "percentile")
    for size, theta, correlation, shift in product((25, 100), (1.0, 3.0), (0.3, 0.9), (0.0, 2.0)):
        fpr = rates(size)
        cut = 3 * norm.isf(fpr)
        truth = norm.sf((cut - theta) / 3.75) - norm.sf((cut - theta - shift) / 3.75)
        y_true = np.repeat([1, 0], [size, size])

        def ask(rng, size=size, theta=theta, correlation=correlation, shift=shift, fpr=fpr, y_true=y_true):
            root = np.sqrt(1 - correlation**2)
            a, noise = rng.normal(size=(2, 2 * size))
            b = correlation * a + root * noise
            positive = y_true == 1
            a = np.where(positive, theta + 3.75 * a, 3 * a)
            b = np.where(positive, theta + shift + 3.75 * b, 3 * b)
            return bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=fpr)

        found = simulate(ask, methods, truth, samples // 4 if size > 25 else samples // 2)
        yield from rows("paired", (size, size, 3.75, theta, f"rho={correlation} shift={shift:g}"), found)


def rows(problem: str, design: tuple, found: dict) -> Iterator[list]:
    for (level, method), (covered, width) in found.items():
        ratio = width.mean() / found[level, "agresti"][1].mean()
        numbers = [f"{x:.4f}" for x in (covered.min(), covered.mean(), width.mean(), ratio)]
        yield [problem, *design, level, method, *numbers]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a twentieth of the samples, printed only")
    parser.add_argument("--problem", choices=["single", "paired"], action="append")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for problem in arguments.problem or ["single", "paired"]:
        file = sys.stdout
        if not arguments.quick:
            file = (Path(__file__).parent / "results" / f"coverage_vertical_{problem}.csv").open("w", newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in {"single": single, "paired": paired}[problem](50 if arguments.quick else 1000):
            writer.writerow(row)
            file.flush()


if __name__ == "__main__":
    main()
