"""Time of the fixed false-positive rates beside scikit-learn's ROC curve and a vectorized bootstrap of 2,000 resamples.

    python benchmarks/speed_vertical.py [--quick]

One process, one thread, seconds of processor time, the best of a few runs; 99 rates, the default interval included.
The bootstrap resamples counts per case, 100 resamples at a time, and reads every rate off one cumulative sum per model;
its quantiles carry a Monte Carlo error, and no tail below 1 / 2,000, that the exact law does not have.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_curve

from skcostci import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr

RESAMPLES = 2000


def sample(size: int, correlation: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    a, noise = rng.normal(size=(2, 2 * size))
    y_true = np.repeat([1, 0], size)
    return y_true, a + y_true, correlation * a + np.sqrt(1 - correlation**2) * noise + y_true


def simulated(y_true: np.ndarray, scores: tuple[np.ndarray, ...], batch: int = 100) -> np.ndarray:
    """5 and 95 % quantiles of the resampled rate, or of the difference of two."""
    rng = np.random.default_rng(0)
    parts = [(column[y_true == 1], column[y_true == 0]) for column in scores]
    n_positive, n = len(parts[0][0]), len(parts[0][1])
    ranks = np.unique(np.maximum(np.arange(1, 100) * n // 100, 1))
    orders = [(np.argsort(-positive), np.argsort(-negative)) for positive, negative in parts]
    reached = [
        np.searchsorted(-positive[up], -negative[down], "right")
        for (positive, negative), (up, down) in zip(parts, orders, strict=True)
    ]
    rates = []
    for _ in range(0, RESAMPLES, batch):
        rows = np.arange(batch)[:, None]
        counts = [
            np.bincount((rows * size + rng.integers(size, size=(batch, size))).ravel(), minlength=batch * size)
            for size in (n_positive, n)
        ]
        counts_positive, counts_negative = (c.reshape(batch, -1) for c in counts)
        per_model = []
        for (up, down), hits in zip(orders, reached, strict=True):
            drawn = counts_negative[:, down].cumsum(axis=1)
            place = np.array([np.searchsorted(row, ranks) for row in drawn])
            total = np.concatenate([np.zeros((batch, 1), int), counts_positive[:, up].cumsum(axis=1)], axis=1)
            per_model.append(np.take_along_axis(total, hits[place], axis=1) / n_positive)
        rates.append(per_model[0] - per_model[-1] if len(scores) == 2 else per_model[0])
    return np.quantile(np.vstack(rates), [0.05, 0.95], axis=0)


def best(function: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def measure(quick: bool) -> list[list[object]]:
    rows: list[list[object]] = []
    for size in (1000, 500_000):
        y_true, a, _ = sample(size, 0.5)
        exact = best(lambda y=y_true, a=a: bootstrap_roc_at_fpr(y, a).confidence_interval(0.9), 5)
        curve = best(lambda y=y_true, a=a: roc_curve(y, a), 5)
        slow = size > 1000
        boot = float("nan") if slow else best(lambda y=y_true, a=a: simulated(y, (a,)), 1)
        rows.append(["one model", size, "", exact, curve, boot])
    for size in (100, 1000) if quick else (100, 1000, 10_000):
        for correlation in (0.5, 0.99):
            y_true, a, b = sample(size, correlation)

            def exact_pair(y_true=y_true, a=a, b=b):
                result = bootstrap_roc_difference_at_fpr(y_true, a, b)
                return result.confidence_interval(0.9), result.pvalue(), result.quantile(0.5)

            boot = best(lambda y=y_true, a=a, b=b: simulated(y, (a, b)), 1)
            rows.append(["two models, full law", size, correlation, best(exact_pair, 3), "", boot])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="without the largest pairs; printed only")
    quick = parser.parse_args().quick
    file = sys.stdout
    if not quick:
        file = (Path(__file__).parent / "results" / "speed_vertical.csv").open("w", newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["problem", "per_class", "correlation", "exact_s", "roc_curve_s", "bootstrap_2000_s"])
    for problem, size, correlation, *seconds in measure(quick):
        writer.writerow([problem, size, correlation, *(f"{s:.4f}" if isinstance(s, float) else s for s in seconds)])


if __name__ == "__main__":
    main()
