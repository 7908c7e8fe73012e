"""Is anything slower, or hungrier, than in another commit? Both are imported into one process and asked in turn.

    git worktree add --detach ../before HEAD~1
    python benchmarks/commits.py ../before            # this checkout beside the other, about six minutes
    python benchmarks/commits.py ../before . auc      # only questions whose names contain a word
    python benchmarks/commits.py ../before --write    # and writes benchmarks/results/commits.md

Each call includes a 95 % interval. Ratios are of the least times, and of the most memory, this over the other.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from _clock import clock, machine, peak_memory

RESULTS = Path(__file__).parent / "results" / "commits.md"
SIZES = (1_000, 100_000, 1_000_000)
LEAST_SECONDS = 0.03  # of what is timed at once: calls of a millisecond are repeated
ROUNDS = 7
Call = Callable[[Any], Any]


class Checkout:
    """The package of one folder, whose modules are those of the process while it is ``current``."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.modules = folder, dict[str, ModuleType]()

    @contextmanager
    def current(self) -> Iterator[ModuleType]:
        sys.modules.update(self.modules)
        sys.path.insert(0, str(self.folder))
        try:
            package = importlib.import_module("skcostci")
            assert package.__file__ is not None
            assert Path(package.__file__).is_relative_to(self.folder), package.__file__
            yield package
        finally:
            sys.path.remove(str(self.folder))
            self.modules = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith("skcostci")}

    @property
    def commit(self) -> str:
        command = ["git", "-C", str(self.folder), "rev-parse", "--short", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def questions(n: int) -> dict[str, Call]:
    """The calls on n cases, by name; columns are made once."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    a, b = rng.normal(size=(2, n)) + y
    p, q = 1 / (1 + np.exp(-a)), 1 / (1 + np.exp(-b))
    groups, folds = rng.integers(0, max(n // 20, 10), n), rng.integers(0, 5, n)
    weights, shares = rng.integers(1, 4, n), rng.gamma(2.0, size=n)
    classes = rng.integers(0, 4, n)
    table = rng.dirichlet(np.ones(4), n) + np.eye(4)[classes]
    table /= table.sum(axis=1, keepdims=True)
    guesses, others = (np.where(rng.random(n) < right, classes, rng.integers(0, 4, n)) for right in (0.7, 0.65))
    at = np.linspace(3, -2, 101)
    y_a, y_b = (a > 0.5).astype(int), (b > 0.5).astype(int)

    def interval(name: str, *columns: Any, **options: Any) -> Call:
        return lambda package: getattr(package, name)(*columns, **options).confidence_interval()

    several = {"average": "macro"}
    return {
        "auc": interval("bootstrap_auc", y, a),
        "auc, full": interval("bootstrap_auc", y, a, sampling="full"),
        "auc, weights": interval("bootstrap_auc", y, a, sample_weight=weights),
        "auc, importance": interval("bootstrap_auc", y, a, sample_weight=shares, weight_type="importance"),
        "auc, groups": interval("bootstrap_auc", y, a, groups=groups),
        "auc, folds": interval("bootstrap_auc", y, a, folds=folds),
        "auc, partial": interval("bootstrap_auc", y, a, max_fpr=0.1),
        "auc, ovr": interval("bootstrap_auc", classes, table, multi_class="ovr"),
        "auc, ovo": interval("bootstrap_auc", classes, table, multi_class="ovo"),
        "auc, difference": interval("bootstrap_auc_difference", y, a, b),
        "auc, difference, groups": interval("bootstrap_auc_difference", y, a, b, groups=groups),
        "average precision": interval("bootstrap_average_precision", y, a),
        "average precision, groups": interval("bootstrap_average_precision", y, a, groups=groups),
        "average precision, difference": interval("bootstrap_average_precision_difference", y, a, b),
        "f1": interval("bootstrap_metric", y, y_a, metric="f1"),
        "f1, groups": interval("bootstrap_metric", y, y_a, metric="f1", groups=groups),
        "f1, folds": interval("bootstrap_metric", y, y_a, metric="f1", folds=folds),
        "f1, difference": interval("bootstrap_metric_difference", y, y_a, y_b, metric="f1"),
        "f1, difference, groups": interval("bootstrap_metric_difference", y, y_a, y_b, metric="f1", groups=groups),
        "f1, 101 thresholds": interval("bootstrap_metric", y, a, metric="f1", thresholds=at),
        "macro f1": interval("bootstrap_metric", classes, guesses, metric="f1", **several),
        "macro f1, groups": interval("bootstrap_metric", classes, guesses, metric="f1", groups=groups, **several),
        "macro f1, difference": interval(
            "bootstrap_metric_difference", classes, guesses, others, metric="f1", **several
        ),
        "costs, 101 thresholds": interval("bootstrap_cost", y, a, thresholds=at),
        "costs, envelope": interval("bootstrap_cost", y, a),
        "costs, groups": interval("bootstrap_cost", y, a, thresholds=at, groups=groups),
        "costs, difference": interval("bootstrap_cost_difference", y, a, b, thresholds=at),
        "costs, difference, groups": interval("bootstrap_cost_difference", y, a, b, thresholds=at, groups=groups),
        "rates at 99 rates": interval("bootstrap_roc_at_fpr", y, a, fpr=np.linspace(0.01, 0.99, 99)),
        "brier": interval("bootstrap_loss", y, p, loss="brier"),
        "brier, groups": interval("bootstrap_loss", y, p, loss="brier", groups=groups),
        "log loss, difference": interval("bootstrap_loss_difference", y, p, q, loss="log_loss"),
        "mean": interval("bootstrap_mean", a),
        "mean, groups": interval("bootstrap_mean", a, groups=groups),
    }


def seconds(checkout: Checkout, call: Call, times: int) -> float:
    time.sleep(0.05)  # or threads of the other's matrix products, which wait for more of them, would be counted here
    with checkout.current() as package:
        call(package)  # or the first to ask for memory after the other would wait for it
        return clock(lambda: [call(package) for _ in range(times)]) / times


def memory(checkout: Checkout, call: Call) -> int:
    with checkout.current() as package:
        return peak_memory(lambda: call(package))


def compared(other: Checkout, this: Checkout, call: Call) -> tuple[float, float, float]:
    """The least seconds of this checkout, the ratio to the other's, and the ratio of peak memory."""
    first = max(seconds(checkout, call, 1) for checkout in (other, this))  # compiles and imports what is lazy
    again = min(first, seconds(this, call, 1))
    times = max(int(LEAST_SECONDS / max(again, 1e-9)), 1)
    rounds = ROUNDS if again < 1 else 3
    pairs = np.array([[seconds(this, call, times), seconds(other, call, times)] for _ in range(rounds)])
    ours, theirs = pairs.min(axis=0)
    return float(ours), float(ours / theirs), memory(this, call) / memory(other, call)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("this", type=Path, nargs="?", default=Path(__file__).parents[1])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    other, this = Checkout(given.other.resolve()), Checkout(given.this.resolve())
    header = [
        "# This commit beside another",
        "",
        "`python benchmarks/commits.py ../before --write`",
        "",
        f"{this.commit} beside {other.commit}; {machine('numpy', 'scipy', 'scikit-learn')}.",
        "",
        "| question | cases | ms | time / the other's | memory / the other's |",
        "| --- | --- | --- | --- | --- |",
    ]
    rows = []
    for size in given.sizes:
        for name, call in questions(size).items():
            if all(word in name for word in given.words):
                ours, ratio, peak = compared(other, this, call)
                rows.append(f"| {name} | {size:,} | {ours * 1e3:.3g} | {ratio:.2f} | {peak:.2f} |")
                print(rows[-1], flush=True)
    if given.write:
        RESULTS.write_text("\n".join([*header, *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
