"""How time grows with rows and with groups: ours with a 95 % interval, scikit-learn's point value, 2,000 resamples.

    python benchmarks/growth.py           # a thousand to ten million rows, ten to half a million groups: two minutes
    python benchmarks/growth.py --write   # and writes benchmarks/results/growth.md and growth.png
    python benchmarks/growth.py --quick   # up to a hundred thousand rows

Resamples are vectorized: scores are sorted once, and each resample is how often a row was drawn, and a few passes over
these counts. Few are drawn, and their time is multiplied. Seconds are those of the process.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _clock import clock, growth, machine
from _resampling import RESAMPLES
from sklearn.metrics import average_precision_score, brier_score_loss, f1_score, roc_auc_score, roc_curve

import skcostci

RESULTS = Path(__file__).parent / "results" / "growth.md"
ROWS = tuple(10**k for k in range(3, 8))
GROUPS = (*(10**k for k in range(1, 6)), 500_000)  # with as many as rows, rows would be cases again
OF_GROUPS = 1_000_000  # rows, of each number of groups
DRAWN = 2_000_000  # counts in all: so many resamples are drawn, but at least one
THRESHOLDS = np.linspace(3, -2, 101)
Floats = np.ndarray[Any, np.dtype[np.float64]]


class Sample:
    """Rows, and the same by falling score."""

    def __init__(self, n: int, groups: int | None = None) -> None:
        self.rng = np.random.default_rng(0)
        self.y = self.rng.integers(0, 2, n)
        self.a, self.b = self.rng.normal(size=(2, n)) + self.y
        self.p = 1 / (1 + np.exp(-self.a))
        self.guess = (self.a > 0.5).astype(int)
        self.groups = None if groups is None else np.append(np.arange(groups), self.rng.integers(0, groups, n - groups))
        order = np.argsort(-self.a)
        self.sorted, self.order = self.y[order].astype(np.float64), order

    def ask(self, name: str, *columns: Any, **options: Any) -> Any:
        whole = getattr(skcostci, f"bootstrap_{name}")(self.y, *columns, groups=self.groups, **options)
        return whole.confidence_interval()

    def resampled(self, statistic: Callable[[Sample, Floats], object]) -> float:
        """Seconds of as many resamples as are usual."""
        number = int(np.clip(DRAWN // len(self.y), 1, 50))
        return clock(lambda: [statistic(self, self.drawn()) for _ in range(number)]) * RESAMPLES / number

    def drawn(self) -> Floats:
        """How often each row was drawn, or its group."""
        units = len(self.y) if self.groups is None else int(self.groups.max()) + 1
        counts = np.bincount(self.rng.integers(units, size=units), minlength=units).astype(np.float64)
        return counts if self.groups is None else counts[self.groups]


def ranked(sample: Sample, counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Positives per place, and positives and negatives down to it."""
    counts = counts[sample.order]
    positive = counts * sample.sorted
    reached = np.cumsum(positive)
    return positive, reached, np.cumsum(counts) - reached


def auc(sample: Sample, counts: Floats) -> object:
    positive, _, below = ranked(sample, counts)
    return 1 - positive @ below


def average_precision(sample: Sample, counts: Floats) -> object:
    positive, above, below = ranked(sample, counts)
    return positive @ (above / np.maximum(above + below, 1))


def cost(sample: Sample, counts: Floats) -> object:
    _, above, below = ranked(sample, counts)
    places = np.searchsorted(-sample.a[sample.order], -THRESHOLDS) - 1
    return above[places], below[places]


def mean(sample: Sample, counts: Floats) -> object:
    return counts @ ((sample.p - sample.y) ** 2)


def f1(sample: Sample, counts: Floats) -> object:
    return counts @ (sample.y * sample.guess), counts @ (sample.y + sample.guess)


class Question(NamedTuple):
    """What is asked, scikit-learn's point value, and what is done with the counts of a resample."""

    name: str
    ours: Callable[[Sample], Any]
    theirs: Callable[[Sample], Any]
    resampled: Callable[[Sample, Floats], object]


AT = {"thresholds": THRESHOLDS}
QUESTIONS = (
    Question("AUC", lambda s: s.ask("auc", s.a), lambda s: roc_auc_score(s.y, s.a), auc),
    Question(
        "average precision",
        lambda s: s.ask("average_precision", s.a),
        lambda s: average_precision_score(s.y, s.a),
        average_precision,
    ),
    Question("cost, 101 thresholds", lambda s: s.ask("cost", s.a, **AT), lambda s: roc_curve(s.y, s.a), cost),
    Question("Brier score", lambda s: s.ask("loss", s.p, loss="brier"), lambda s: brier_score_loss(s.y, s.p), mean),
    Question("F1", lambda s: s.ask("metric", s.guess, metric="f1"), lambda s: f1_score(s.y, s.guess), f1),
)


def seconds(question: Question, sample: Sample) -> tuple[float, float, float]:
    """Of the three; the lesser of two."""
    ours, theirs = (min(clock(partial(call, sample)) for _ in range(2)) for call in (question.ours, question.theirs))
    return ours, theirs, sample.resampled(question.resampled)


def picture(found: dict[tuple[str, str], dict[int, tuple[float, float, float]]]) -> Any:
    """A panel for each question, by rows above, by groups below."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, len(QUESTIONS), figsize=(13, 5.4), sharey=True, layout="constrained")
    for (name, by), panel in zip(found, axes.flat, strict=True):
        sizes, times = [*found[name, by]], np.array([*found[name, by].values()])
        for column, style, label in ((0, "k-", "skcostci"), (1, "k--", "scikit-learn's value"), (2, "k:", "resamples")):
            panel.loglog(sizes, times[:, column], style, label=label, marker="o", markersize=3)
        panel.set(title=name, xlabel=by)
        panel.grid(alpha=0.3)
    for panel in axes[:, 0]:
        panel.set_ylabel("seconds")
    axes[0, 0].legend(fontsize="small")
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    rows, groups, whole = ROWS[:3] if given.quick else ROWS, GROUPS, OF_GROUPS
    if given.quick:
        groups, whole = GROUPS[:4], ROWS[2]
    lines = [
        "# Growth",
        "",
        f"`python benchmarks/growth.py --write`; {machine('numpy', 'scipy', 'scikit-learn')}. Seconds; groups of "
        f"{whole:,} rows. The last column is the power of rows, or groups, that our time grows with.",
        "",
        "![time against rows and groups](growth.png)",
        "",
        f"| question | of | number | skcostci | scikit-learn's value | {RESAMPLES:,} resamples | power |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    found: dict[tuple[str, str], dict[int, tuple[float, float, float]]] = {
        (question.name, by): {} for by in ("rows", "groups") for question in QUESTIONS
    }
    for by, sizes in (("rows", rows), ("groups", groups)):
        for size in sizes:
            sample = Sample(size) if by == "rows" else Sample(whole, size)
            for question in QUESTIONS:
                found[question.name, by][size] = seconds(question, sample)
                print(question.name, by, size, *(f"{each:.3g}" for each in found[question.name, by][size]), flush=True)
    for (name, by), times in found.items():
        power = growth([*times][-3:], [each[0] for each in times.values()][-3:])
        for size, each in times.items():
            shown = " | ".join(f"{value:.3g}" for value in each)
            lines.append(f"| {name} | {by} | {size:,} | {shown} | {f'{power:.2f}' if size == [*times][-1] else ''} |")
    if given.write:
        RESULTS.write_text("\n".join([*lines, ""]), encoding="utf-8")
        picture(found).savefig(RESULTS.with_suffix(".png"), dpi=110)


if __name__ == "__main__":
    main()
