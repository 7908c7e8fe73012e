"""Speed of metrics of the confusion table on a million rows, beside scikit-learn's precision_recall_curve.

    python benchmarks/speed_metrics.py           # about a minute
    python benchmarks/speed_metrics.py --write   # and writes benchmarks/results/speed_metrics.md

Seconds depend on the machine: read the ratios, and the milliseconds as orders of magnitude.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from _clock import best, machine, median_ratio
from sklearn.metrics import precision_recall_curve

import skcostci

RESULTS = Path(__file__).parent / "results" / "speed_metrics.md"
ROWS = 1_000_000
METRICS = ("f1", "precision", skcostci.Metric.fbeta(2), "accuracy", "kappa", "mcc")


def name_of(metric: str | skcostci.Metric) -> str:
    """What a row calls it."""
    return metric if isinstance(metric, str) else metric.name


def intervals() -> list[str]:
    """Default intervals at 101 thresholds."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, ROWS)
    score, thresholds = rng.normal(size=ROWS) + y_true, np.linspace(3, -2, 101)
    lines = ["| 95 % interval at 101 thresholds / precision_recall_curve | ratio | goal | ours, s | theirs, s |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for metric in METRICS:
        ratio, ours, theirs = median_ratio(
            lambda metric=metric: skcostci.bootstrap_metric(
                y_true, score, metric, thresholds=thresholds
            ).confidence_interval(),
            lambda: precision_recall_curve(y_true, score),
            rounds=3,
        )
        lines.append(f"| {name_of(metric)} | {ratio:.2f} | 2 | {ours:.2f} | {theirs:.2f} |")
    return lines


def laws() -> list[str]:
    """One value of an exact cdf, and the exact moments."""
    counts = [350_000, 150_000, 120_000, 380_000]
    lines = ["| law at a million cases | sampling | a value of the cdf, ms | goal, ms | moments, ms |"]
    lines.append("| --- | --- | --- | --- | --- |")
    labels = np.repeat([1, 1, 0, 0], [1, 1, 1, 1]), np.repeat([1, 0, 1, 0], [1, 1, 1, 1])
    for sampling, goal in (("stratified", 2), ("full", 100)):
        for metric in ("f1", "precision", "mcc") if sampling == "stratified" else ("f1", "precision"):

            def result(metric: str = metric, sampling: str = sampling) -> Any:
                return skcostci.bootstrap_metric(*labels, metric, sampling=sampling, sample_weight=counts)

            asked = result()
            x = float(asked) + 0.3 * asked.standard_error
            value, moments = best(lambda asked=asked, x=x: asked.cdf(x)), best(lambda: result().standard_error)
            lines.append(f"| {metric} | {sampling} | {1e3 * value:.2f} | {goal} | {1e3 * moments:.1f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} too")
    arguments = parser.parse_args()
    lines = [f"{ROWS:,} rows, {machine('numpy', 'scipy', 'scikit-learn')}.", "", *intervals(), "", *laws()]
    print("\n".join(lines))
    if arguments.write:
        RESULTS.write_text(
            "# Speed of metrics\n\n`python benchmarks/speed_metrics.py --write`\n\n" + "\n".join(lines) + "\n"
        )


if __name__ == "__main__":
    main()
