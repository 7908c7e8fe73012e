"""Questions that took longer than the alternative: each beside what a user would otherwise run, and the aim.

    python benchmarks/alternatives.py           # two minutes
    python benchmarks/alternatives.py --write   # and writes benchmarks/results/alternatives.md

Calls include a 95 % interval, or what is named. Ratios are medians in one process; seconds depend on the machine.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _clock import best, clock, machine, median_ratio, peak_memory
from _resampling import RESAMPLES
from sklearn.metrics import average_precision_score, f1_score, matthews_corrcoef, roc_auc_score

import skcostci

RESULTS = Path(__file__).parent / "results" / "alternatives.md"
SHARES = np.linspace(0.01, 0.99, 99)
Call = Callable[[], Any]
BEFORE = {  # by the beginning of a question: two versions ago, beside the alternative as it was measured then; and why
    "99 rates at a share, 1e3": (
        "3.7",
        "incomplete Beta functions at each count, for all rates until the last is found",
    ),
    "99 rates at a share, 1e5": ("67", "the same, at more counts"),
    "partial AUC": ("12.4", "exact moments, which limits do not need"),
    "cost curve": ("2.1-2.6", "the steps between all thresholds, at 101 conditions"),
    "equal error rate": ("4.8", "the curve's limit at some ten rates"),
    "p-value of F1": ("3.0", "both models' laws at the null value"),
    "compare_groups": ("67-175", "exact laws of pairs that nobody asked for"),
    "five models": ("117", "binomial weights of each pair, now shared"),
    "cost difference by": ("47, 50 x", "cells of all groups at all thresholds at once"),
    "average_precision difference": ("1.16", "two sorts; the law of rows"),
    "auc difference": ("1.0", "half of it: pairs ranked alike by both, for the variance within pairs"),
    "percentile": (".33", "moments of each of 300 samples one by one"),
    "one count": ("5-12", "a lattice as long as the largest count"),
    "one weight": ("10", "the same"),
    "50 models": ("> 10", "exact moments of 1,225 pairs"),
    "first call": ("1.27", "imports"),
}


class Asked(NamedTuple):
    """A question, what it is compared with (None: seconds are told), the aim, and what else is."""

    name: str
    ours: Call
    theirs: Call | None
    aim: float
    inputs: float = 0.0  # bytes, where memory has an aim too


def interval(name: str, *columns: Any, **options: Any) -> Call:
    return lambda: getattr(skcostci, name)(*columns, **options).confidence_interval()


def times(number: int, call: Call) -> Call:
    return lambda: [call() for _ in range(number)]


def cases(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return (y, *(rng.normal(size=(2, n)) + y))


def questions() -> Iterator[Asked]:
    """Of a thousand cases, then of more, then those in seconds."""
    rng, (y, a, b) = np.random.default_rng(1), cases(1_000)
    guesses = [(np.where(rng.random(1_000) < 0.8, y, 1 - y)) for _ in range(5)]
    models = dict(zip("abcde", guesses, strict=True))
    drawn = partial(resampled_shares, y[np.argsort(-a)])
    at_shares = "bootstrap_roc_at_positive_rate"
    yield Asked(
        "99 rates at a share, 1e3 / 2,000 resamples", interval(at_shares, y, a, positive_rate=SHARES), drawn, 0.65
    )
    area = partial(roc_auc_score, y, a)
    partly = partial(roc_auc_score, y, a, max_fpr=0.1)
    yield Asked("partial AUC, 1e3 / roc_auc_score(max_fpr)", interval("bootstrap_auc", y, a, max_fpr=0.1), partly, 4)
    yield Asked("cost curve, 1e3 / roc_auc_score", interval("bootstrap_cost", y, a), area, 1.5)
    rate = interval("bootstrap_roc_at_fpr", y, a, fpr=0.3)
    yield Asked("equal error rate / a rate at an FPR", interval("bootstrap_metric", y, a, metric="eer"), rate, 2)
    f1 = partial(f1_score, y, guesses[0])
    difference = partial(skcostci.bootstrap_metric_difference, y, *guesses[:2], metric="f1")
    yield Asked("p-value of F1's difference, 1e3 / two f1_score", lambda: difference().pvalue(), times(2, f1), 2.5)
    groups = rng.integers(0, 4, 1_000)
    four = partial(skcostci.compare_groups, y, guesses[0], groups, "f1")
    yield Asked("compare_groups of four, 1e3 / four f1_score", lambda: four().confidence_interval(), times(4, f1), 40)
    five, mcc = partial(skcostci.compare_models, y, models, "mcc"), partial(matthews_corrcoef, y, guesses[0])
    yield Asked(
        "five models' mcc, 1e3 / five matthews_corrcoef", lambda: five().confidence_interval(), times(5, mcc), 80
    )

    y, a, b = cases(100_000)
    area = partial(roc_auc_score, y, a)
    yield Asked("99 rates at a share, 1e5 / roc_auc_score", interval(at_shares, y, a, positive_rate=SHARES), area, 8)
    groups, at = rng.integers(0, 20_000, 100_000), np.linspace(3, -2, 101)
    grouped = interval("bootstrap_cost_difference", y, a, b, thresholds=at, groups=groups)
    inputs = float(y.nbytes + a.nbytes + b.nbytes + groups.nbytes)
    yield Asked("cost difference by 2e4 groups, 1e5 / roc_auc_score", grouped, area, 12, inputs)
    y, a, b = cases(1_000_000)
    for name, theirs, aim in (("average_precision", average_precision_score, 0.95), ("auc", roc_auc_score, 0.75)):
        point = times(2, partial(theirs, y, a))
        yield Asked(
            f"{name} difference, 1e6 / two points", interval(f"bootstrap_{name}_difference", y, a, b), point, aim
        )

    few, risks = np.repeat([0, 1], [19, 1]), rng.beta(0.5, 10, 20)
    brier = partial(skcostci.bootstrap_loss, few, risks, "brier")
    yield Asked("percentile of 20 rare risks, s", lambda: brier().confidence_interval(method="percentile"), None, 0.01)
    counts = np.append(np.ones(29, dtype=int), 1_000_000)
    mean = interval("bootstrap_mean", rng.random(30), sample_weight=counts)
    yield Asked("one count of 1e6 among 30 rows, s", mean, None, 0.2)
    y, a, _ = cases(1_000)
    huge = np.append(np.ones(999), 1e15)
    options = {"thresholds": 0.5, "sample_weight": huge, "weight_type": "importance"}
    rates = partial(skcostci.bootstrap_roc_at_threshold, y, a, **options)
    yield Asked("one weight of 1e15, s", lambda: rates().tpr.confidence_interval(), None, 0.1)
    fifty = {f"m{i}": np.where(rng.random(1_000) < 0.8, y, 1 - y) for i in range(50)}
    compared = partial(skcostci.compare_models, y, fifty, "f1")
    yield Asked("50 models by F1, limits and best set, s", lambda: best_set(compared()), None, 2)


def resampled_shares(y: np.ndarray, batch: int = 100) -> None:
    """Recall and precision in the top shares of 2,000 vectorized resamples; labels by falling score."""
    rng, n, rows = np.random.default_rng(2), len(y), np.arange(batch)[:, None]
    for _ in range(RESAMPLES // batch):
        drawn = rng.integers(n, size=(batch, n)) + n * rows
        counts = np.bincount(drawn.ravel(), minlength=batch * n).reshape(batch, n)
        reached, hits = np.cumsum(counts, axis=1), np.cumsum(counts * y, axis=1)
        places = np.array([np.searchsorted(each, SHARES * n) for each in reached])
        found = hits[rows, places]
        np.quantile(found / hits[:, -1:], (0.025, 0.975), axis=0)
        np.quantile(found / reached[rows, places], (0.025, 0.975), axis=0)


def best_set(comparison: Any) -> Any:
    return comparison.confidence_interval(), comparison.may_be_best()


def first_call() -> tuple[float, float]:
    """Seconds of a fresh interpreter until the first interval, and of importing sklearn.metrics; the best of five."""
    asked = "import skcostci; skcostci.bootstrap_metric([0, 1] * 9, [0, 1, 1] * 6, 'f1').confidence_interval()"
    found = []
    for code in (asked, "import sklearn.metrics"):
        timed = f"import time; start = time.process_time(); {code}; print(time.process_time() - start)"
        command = [sys.executable, "-c", timed]
        runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(6)]
        found.append(min(float(run.stdout) for run in runs))
    return found[0], found[1]


def row(asked: Asked) -> str:
    """What was found, and the aim."""
    if asked.theirs is None:
        clock(asked.ours)
        return told(asked.name, f"{best(asked.ours):.3g}", asked.aim)
    again = min(clock(asked.ours), clock(asked.ours))
    number = max(int(0.03 / max(again, 1e-6)), 1)
    ratio = median_ratio(times(number, asked.ours), times(number, asked.theirs))[0]
    memory = f", {peak_memory(asked.ours) / asked.inputs:.0f} x" if asked.inputs else ""
    return told(asked.name, f"{ratio:.2f}{memory}", asked.aim)


def told(name: str, now: str, aim: float) -> str:
    before, why = next(pair for start, pair in BEFORE.items() if name.startswith(start))
    return f"| {name} | {before} | {now} | {aim} | {why} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # one weight of 1e15 is said to be all
    lines = [
        "# Beside the alternative",
        "",
        f"`python benchmarks/alternatives.py --write`; {machine('numpy', 'scipy', 'scikit-learn')}.",
        "",
        "| question / alternative | before | ratio, or seconds; memory over the inputs | aim | where the time went |",
        "| --- | --- | --- | --- | --- |",
    ]
    for asked in questions():
        if all(word in asked.name for word in given.words):
            lines.append(row(asked))
            print(lines[-1], flush=True)
    if not given.words:
        ours, theirs = first_call()
        name = "first call of bootstrap_metric / importing sklearn.metrics"
        lines.append(told(name, f"{ours / theirs:.2f}", 1.18))
        print(lines[-1])
    if given.write:
        RESULTS.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
