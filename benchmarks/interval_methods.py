"""Which interval method when: worst coverage and mean width of every method, read from the committed results.

``python benchmarks/interval_methods.py`` prints the tables that the user guide shows.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

RESULTS = Path(__file__).parent / "results"
LEVELS = ("0.9", "0.95")


@dataclass(frozen=True)
class Source:
    """Where the figures of a table are: a file of ``results``, and the variants whose rows belong to it."""

    title: str
    file: str
    variants: tuple[str, ...]
    sampling: str = "stratified"


SOURCES = {
    "cost": Source("Cost of one model", "coverage/cost.csv", ("PC(+)",)),
    "cost_difference": Source("Difference in cost of two models", "coverage/cost_difference.csv", ("PC(+)",)),
    "roc_fpr": Source("TPR at an FPR, one model", "coverage/roc_at_fpr.csv", ("tpr",)),
    "roc_difference_fpr": Source("TPR at an FPR, two models", "coverage/roc_difference_at_fpr.csv", ("tpr",)),
    "roc_threshold": Source("Rates at a threshold, one model", "coverage/roc_at_threshold.csv", ("tpr", "fpr")),
    "roc_difference_threshold": Source(
        "Rates at thresholds, two models", "coverage/roc_difference_at_threshold.csv", ("tpr", "fpr")
    ),
    "budget": Source("TPR under a budget", "coverage/roc_at_positive_rate.csv", ("tpr",)),
    "auc": Source("AUC", "coverage/auc.csv", ("area",)),
    "auc_difference": Source("Difference of two AUCs", "coverage/auc_difference.csv", ("area",)),
}


@dataclass(frozen=True)
class Row:
    """One method over all designs and points: lowest coverage by nominal level, and mean width by nominal level."""

    method: str
    worst: dict[str, float]
    width: dict[str, float]
    cases: int  # designs times points


def table(name: str) -> list[Row]:
    """The methods of a statistic, in the order of the file: the default first."""
    cells: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for method, level, worst, width in _figures(SOURCES[name]):
        cells[method][level].append((worst, width))
    return [_row(method, levels) for method, levels in cells.items()]


def markdown(name: str) -> str:
    """The table as Markdown."""
    rows = table(name)
    levels = [level for level in LEVELS if level in rows[0].worst]
    heads = [f"worst coverage, nominal {float(level):.0%}" for level in levels]
    lines = [f"| method | {' | '.join(heads)} | mean width at {float(levels[-1]):.0%} | points |"]
    lines.append("| --- |" + " ---: |" * (len(levels) + 2))
    for row in rows:
        worst = " | ".join(f"{row.worst[level]:.3f}" for level in levels)
        lines.append(f"| `{row.method}` | {worst} | {row.width[levels[-1]]:.3f} | {row.cases} |")
    return "\n".join(lines)


def _row(method: str, levels: dict[str, list[tuple[float, float]]]) -> Row:
    worst = {level: min(coverage for coverage, _ in figures) for level, figures in levels.items()}
    width = {level: fmean(width for _, width in figures) for level, figures in levels.items()}
    return Row(method, worst, width, len(next(iter(levels.values()))))


def _figures(source: Source) -> Iterator[tuple[str, str, float, float]]:
    """Method, level, coverage and width of every design, point and level."""
    with (RESULTS / source.file).open(newline="") as file:
        for row in csv.DictReader(file):
            if row["variant"] in source.variants and row["sampling"] == source.sampling:
                yield row["method"], row["confidence_level"], float(row["coverage"]), float(row["mean_width"])


if __name__ == "__main__":
    for name, source in SOURCES.items():
        print(f"## {source.title}\n\n{markdown(name)}\n")
