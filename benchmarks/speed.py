"""Speed and memory beside scikit-learn's own functions on the same arrays, in one process.

    python benchmarks/speed.py           # a million rows, then a thousand to a million, about four minutes
    python benchmarks/speed.py --write   # and writes benchmarks/results/speed.md

scikit-learn's functions give a curve or a number without any interval; ours include a 95 % interval at 101 operating
conditions. The floor is one sort of each class and a pass through both. Seconds are those of the process, and depend on
the machine: read the ratios.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _clock import floor, machine, median_ratio, peak_memory
from _resampling import RESAMPLES, Resampler
from sklearn.metrics import average_precision_score, confusion_matrix, roc_auc_score, roc_curve

import skcostci

RESULTS = Path(__file__).parent / "results" / "speed.md"
ROWS = 1_000_000
SIZES = (1_000, 10_000, 100_000, 1_000_000)
ROUNDS = 4
LARGEST_RESAMPLED = 10_000
DEAR = np.array([[0, 1.5, 559125, 2.25], [0.1, 0, 3, 4], [0.7, 0.9, 0, 1], [2, 3, 2.2, 0]])
PART = 10  # of the resamples are drawn; they take as many times longer


def import_seconds(module: str) -> float:
    """The time a fresh interpreter needs to import a module, the best of six, the first of which compiles."""
    code = f"import time; start = time.process_time(); import {module}; print(time.process_time() - start)"
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, env=compiled, capture_output=True, text=True, check=True) for _ in range(6)]
    return min(float(run.stdout) for run in runs)


def cases() -> dict[str, tuple[Callable[[], Any], Callable[[], Any], float]]:
    """Each call of ours, theirs, and the ratio we mean to keep."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, ROWS)
    a, b = rng.normal(size=(2, ROWS)) + y_true
    thresholds, rounded_a, rounded_b = np.linspace(3, -2, 101), a.round(2), b.round(2)

    def curve() -> Any:
        return roc_curve(y_true, a)

    def area() -> Any:
        return roc_auc_score(y_true, a)

    return {
        "bootstrap_cost, envelope / roc_curve": (
            lambda: skcostci.bootstrap_cost(y_true, a).confidence_interval(),
            curve,
            1.0,
        ),
        "bootstrap_cost, given thresholds / roc_curve": (
            lambda: skcostci.bootstrap_cost(y_true, a, thresholds=thresholds).confidence_interval(),
            curve,
            0.6,
        ),
        "bootstrap_cost_difference, given thresholds / roc_curve": (
            lambda: skcostci.bootstrap_cost_difference(y_true, a, b, thresholds=thresholds).confidence_interval(),
            curve,
            0.9,
        ),
        "bootstrap_cost, full sampling / roc_curve": (
            lambda: skcostci.bootstrap_cost(y_true, a, thresholds=thresholds, sampling="full").confidence_interval(),
            curve,
            2.5,
        ),
        "bootstrap_auc / roc_auc_score": (lambda: skcostci.bootstrap_auc(y_true, a).confidence_interval(), area, 0.3),
        "bootstrap_auc, max_fpr=0.1 / roc_auc_score": (
            lambda: skcostci.bootstrap_auc(y_true, a, max_fpr=0.1).confidence_interval(),
            lambda: roc_auc_score(y_true, a, max_fpr=0.1),
            0.6,
        ),
        "bootstrap_average_precision / average_precision_score": (
            lambda: skcostci.bootstrap_average_precision(y_true, a).confidence_interval(),
            lambda: average_precision_score(y_true, a),
            1.0,
        ),
        "bootstrap_average_precision_difference / two of average_precision_score": (
            lambda: skcostci.bootstrap_average_precision_difference(y_true, a, b).confidence_interval(),
            lambda: (average_precision_score(y_true, a), average_precision_score(y_true, b)),
            math.inf,
        ),
        "bootstrap_auc_difference / two of roc_auc_score": (
            lambda: skcostci.bootstrap_auc_difference(y_true, a, b).confidence_interval(),
            lambda: (roc_auc_score(y_true, a), roc_auc_score(y_true, b)),
            1.5,
        ),
        "bootstrap_auc_difference, rounded scores / two of roc_auc_score": (
            lambda: skcostci.bootstrap_auc_difference(y_true, rounded_a, rounded_b).confidence_interval(),
            lambda: (roc_auc_score(y_true, rounded_a), roc_auc_score(y_true, rounded_b)),
            2.0,
        ),
        "bootstrap_roc_at_fpr, 99 rates / roc_curve": (
            lambda: skcostci.bootstrap_roc_at_fpr(y_true, a).confidence_interval(),
            curve,
            0.8,
        ),
        "bootstrap_roc_at_fpr, 99 rates, rounded scores / roc_curve": (
            lambda: skcostci.bootstrap_roc_at_fpr(y_true, rounded_a).confidence_interval(),
            lambda: roc_curve(y_true, rounded_a),
            4.0,
        ),
        "bootstrap_roc_at_threshold, 99 thresholds / roc_curve": (
            lambda: skcostci.bootstrap_roc_at_threshold(y_true, a, thresholds=thresholds[1:-1]).confidence_region(),
            curve,
            0.4,
        ),
        "bootstrap_roc_difference_at_fpr, 99 rates / two of roc_curve": (
            lambda: skcostci.bootstrap_roc_difference_at_fpr(y_true, a, b).confidence_interval(),
            lambda: (roc_curve(y_true, a), roc_curve(y_true, b)),
            5.0,
        ),
        "the floor: one sort per class, one pass / roc_curve": (
            lambda: floor(y_true, a),
            curve,
            math.inf,
        ),
        "CostCurve.from_predictions / roc_curve": (
            lambda: skcostci.CostCurve.from_predictions(y_true, a),
            curve,
            1.0,
        ),
    }


class Question(NamedTuple):
    """An interval of ours, or the floor, what scikit-learn does without an interval, and a batch of resamples."""

    name: str
    models: int
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    draw: Callable[[], Any] | None = None


def questions(n: int) -> list[Question]:
    """Of n cases, half of them positive."""
    rng = np.random.default_rng(1)
    y_true = np.arange(n) % 2
    shared, a, b = rng.normal(size=(3, n))
    a, b, rates = (shared + a) / 2**0.5 + y_true, (shared + b) / 2**0.5 + 0.9 * y_true, np.arange(1, 100) / 100
    t, conditions = np.linspace(3, -2, 101), np.linspace(0, 1, 101)

    def drawn(statistic: str, *arguments: np.ndarray, scores: tuple[np.ndarray, ...] = (a,)) -> Callable[[], Any]:
        return lambda: _many(getattr(Resampler(y_true, *scores), statistic), *arguments)

    def curve() -> Any:
        return roc_curve(y_true, a)

    def two_curves() -> Any:
        return roc_curve(y_true, a), roc_curve(y_true, b)

    def costs(*scores: np.ndarray, method: str | None = None, sampling: str = "stratified") -> Callable[[], Any]:
        function = skcostci.bootstrap_cost if len(scores) == 1 else skcostci.bootstrap_cost_difference
        return lambda: function(y_true, *scores, thresholds=t, sampling=sampling).confidence_interval(method=method)

    drawn_costs, drawn_differences = drawn("cost", t, conditions), drawn("cost", t, conditions, scores=(a, b))
    return [
        Question(
            "AUC",
            1,
            lambda: skcostci.bootstrap_auc(y_true, a).confidence_interval(),
            lambda: roc_auc_score(y_true, a),
            drawn("auc"),
        ),
        Question(
            "AUC, difference",
            2,
            lambda: skcostci.bootstrap_auc_difference(y_true, a, b).confidence_interval(),
            lambda: (roc_auc_score(y_true, a), roc_auc_score(y_true, b)),
            drawn("auc", scores=(a, b)),
        ),
        Question("cost, 101 conditions", 1, costs(a), curve, drawn_costs),
        Question("cost, quantiles of the distribution", 1, costs(a, method="percentile"), curve, drawn_costs),
        Question("cost, quantiles, smoothed", 1, costs(a, method="smoothed"), curve, drawn_costs),
        Question("cost, full sampling", 1, costs(a, sampling="full"), curve),
        Question(
            "cost, full sampling, quantiles", 1, costs(a, method="percentile", sampling="full"), curve, drawn_costs
        ),
        Question("cost, difference", 2, costs(a, b), two_curves, drawn_differences),
        Question("cost, difference, quantiles", 2, costs(a, b, method="percentile"), two_curves, drawn_differences),
        Question(
            "cost, difference, full sampling, quantiles",
            2,
            costs(a, b, method="percentile", sampling="full"),
            two_curves,
            drawn_differences,
        ),
        Question(
            "99 false-positive rates",
            1,
            lambda: skcostci.bootstrap_roc_at_fpr(y_true, a).confidence_interval(),
            curve,
            drawn("tpr", rates),
        ),
        Question(
            "99 false-positive rates, difference",
            2,
            lambda: skcostci.bootstrap_roc_difference_at_fpr(y_true, a, b).confidence_interval(),
            two_curves,
            drawn("tpr", rates, scores=(a, b)),
        ),
        *(
            Question(
                f"99 false-positive rates, difference, {name}",
                2,
                lambda tied=tied: skcostci.bootstrap_roc_difference_at_fpr(y_true, *tied).confidence_interval(),
                lambda tied=tied: [roc_curve(y_true, score) for score in tied],
                drawn("tpr", rates, scores=tied),
            )
            for name, tied in rounded(a, b).items()
        ),
        Question(
            "99 false-positive rates, opposite rankings",
            2,
            lambda: skcostci.bootstrap_roc_difference_at_fpr(y_true, a, -a, fpr=rates).confidence_interval(),
            two_curves,
            drawn("tpr", rates, scores=(a, -a)),
        ),
        Question(
            "2 false-positive rates, opposite rankings",
            2,
            lambda: skcostci.bootstrap_roc_difference_at_fpr(y_true, a, -a, fpr=[0.1, 0.3]).confidence_interval(),
            two_curves,
            drawn("tpr", np.array([0.1, 0.3]), scores=(a, -a)),
        ),
        classes(n, "10 classes", np.random.default_rng(3).random((10, 10)) * (1 - np.eye(10))),
        classes(n, "4 classes, a cell of 559,125", DEAR),
        Question("the floor: one sort per class, one pass", 1, lambda: floor(y_true, a), curve),
        Question("the floor, two models", 2, lambda: floor(y_true, a, b), two_curves),
    ]


def rounded(a: np.ndarray, b: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Scores of two models that tie, and those that rank nearly the same way."""
    decimals = {f"{d} decimal{'s' if d > 1 else ''}": (a.round(d), b.round(d)) for d in (3, 2, 1)}
    grades = {"5 grades": tuple(np.digitize(score, [-0.5, 0.3, 1.0, 1.7]) for score in (a, b))}
    return decimals | grades | {"nearly the same ranking": (a, a + 0.02 * b)}


def classes(n: int, name: str, costs: np.ndarray) -> Question:
    """The expected costs of two models that are right about most cases."""
    rng, k = np.random.default_rng(2), len(costs)
    labels = rng.integers(0, k, n)
    a, b = (np.where(rng.random(n) < right, labels, rng.integers(0, k, n)) for right in (0.7, 0.6))

    def ours() -> Any:
        result = skcostci.bootstrap_expected_cost_difference(labels, a, b, costs)
        return result.confidence_interval(method="percentile"), result.pvalue(method="percentile")

    return Question(
        f"expected cost, {name}, difference, quantiles and p-value",
        2,
        ours,
        lambda: (confusion_matrix(labels, a), confusion_matrix(labels, b)),
    )


def _many(draw: Callable[..., Any], *arguments: np.ndarray) -> None:
    """A part of the resamples."""
    done = 0
    while done < RESAMPLES // PART:
        done += len(draw(*arguments))


def by_size(n: int) -> Iterator[str]:
    """Rows of the second table."""
    for question in questions(n):
        ratio, mine, _ = median_ratio(question.ours, question.theirs, rounds=ROUNDS)
        beside = ""
        if question.draw and n <= LARGEST_RESAMPLED:
            beside = f"{median_ratio(question.ours, question.draw, rounds=ROUNDS)[0] / PART:.3f}"
        memory = peak_memory(question.ours) / (8 * (1 + question.models) * n)
        yield f"| {question.name} | {n:,} | {ratio:.2f} | {beside} | {mine * 1000:.3g} | {memory:.1f} |"


def report() -> list[str]:
    """The table, as Markdown."""
    lines = [
        f"{ROWS:,} rows, {machine('numpy', 'scipy', 'scikit-learn')}.",
        "",
        "| ours, with interval / theirs, without | ratio | goal | ours, s | theirs, s | peak memory / the inputs |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, (ours, theirs, goal) in cases().items():
        ratio, mine, other = median_ratio(ours, theirs, rounds=ROUNDS)
        columns = 3 if "difference" in name else 2
        memory = peak_memory(ours) / (8 * columns * ROWS)
        lines.append(
            f"| {name} | {ratio:.2f} | {goal if goal < math.inf else ''} | {mine:.3f} | {other:.3f} | {memory:.1f} |"
        )
    ours, theirs = import_seconds("skcostci"), import_seconds("sklearn.metrics")
    lines.append(
        f"| import skcostci / import sklearn.metrics | {ours / theirs:.2f} | 1.25 | {ours:.3f} | {theirs:.3f} | |"
    )
    lines += [
        "",
        "By size, interval included, beside as many of roc_curve (roc_auc_score for an AUC, confusion_matrix for",
        "several classes) as there are models:",
        "",
        "| question | cases | ratio | of 2,000 vectorized resamples | ours, ms | peak memory / the inputs |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    return lines + [line for n in SIZES for line in by_size(n)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} too")
    arguments = parser.parse_args()
    lines = report()
    print("\n".join(lines))
    if arguments.write:
        RESULTS.write_text("# Speed\n\n`python benchmarks/speed.py --write`\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
