"""Which interval method when: worst coverage and mean width of every method, read from the committed results.

``python benchmarks/interval_methods.py`` prints the tables that the user guide shows.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

RESULTS = Path(__file__).parent / "results"
LEVELS = ("0.9", "0.95")


@dataclass(frozen=True)
class Source:
    """Where the figures of a table are: a file of ``results``, the rows that belong to it, and its columns' names."""

    title: str
    file: str
    worst: str
    width: str
    level: str = "0.95"  # of a file with one level; a column's name where it holds several
    where: dict[str, str] = field(default_factory=dict)


SOURCES = {
    "cost": Source(
        "Cost of one model",
        "coverage_cost.csv",
        "worst_coverage",
        "mean_width",
        "confidence_level",
        {"statistic": "cost"},
    ),
    "cost_difference": Source(
        "Difference in cost of two models",
        "coverage_cost.csv",
        "worst_coverage",
        "mean_width",
        "confidence_level",
        {"statistic": "cost difference"},
    ),
    "roc_fpr": Source("TPR at an FPR, one model", "coverage_vertical_single.csv", "least", "width", "level"),
    "roc_difference_fpr": Source(
        "TPR at an FPR, two models", "coverage_vertical_paired.csv", "least", "width", "level"
    ),
    "roc_threshold": Source(
        "Rates at a threshold, one model", "coverage_roc_threshold.csv", "rate_{}_worst", "rate_{}_width"
    ),
    "roc_difference_threshold": Source(
        "Rates at thresholds, two models",
        "coverage_roc_threshold_paired.csv",
        "difference_{}_worst",
        "difference_{}_width",
    ),
    "budget": Source(
        "TPR under a budget", "coverage_roc_budget.csv", "rate_{}_worst", "rate_{}_width", where={"rate": "tpr"}
    ),
    "auc": Source("AUC", "coverage_auc.csv", "coverage", "mean_width"),
    "auc_difference": Source("Difference of two AUCs", "coverage_auc_difference.csv", "coverage", "mean_width"),
}


@dataclass(frozen=True)
class Row:
    """One method over all designs: lowest coverage by nominal level, and mean width by nominal level."""

    method: str
    worst: dict[str, float]
    width: dict[str, float]
    designs: int


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
    lines = [f"| method | {' | '.join(heads)} | mean width at {float(levels[-1]):.0%} | designs |"]
    lines.append("| --- |" + " ---: |" * (len(levels) + 2))
    for row in rows:
        worst = " | ".join(f"{row.worst[level]:.3f}" for level in levels)
        lines.append(f"| `{row.method}` | {worst} | {row.width[levels[-1]]:.3f} | {row.designs} |")
    return "\n".join(lines)


def _row(method: str, levels: dict[str, list[tuple[float, float]]]) -> Row:
    worst = {level: min(coverage for coverage, _ in figures) for level, figures in levels.items()}
    width = {level: fmean(width for _, width in figures) for level, figures in levels.items()}
    return Row(method, worst, width, len(next(iter(levels.values()))))


def _figures(source: Source) -> Iterator[tuple[str, str, float, float]]:
    """Method, level, coverage and width of every design and level."""
    with (RESULTS / source.file).open(newline="") as file:
        for row in csv.DictReader(file):
            if any(row[column] != value for column, value in source.where.items()):
                continue
            for level, worst, width in _columns(source, row):
                yield row["method"], level, float(row[worst]), float(row[width])


def _columns(source: Source, row: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Each level of a row with the names of the columns of its figures."""
    if "{}" not in source.worst:
        yield row.get(source.level, source.level), source.worst, source.width
        return
    for level in LEVELS:
        per_cent = f"{float(level):.0%}".removesuffix("%")
        yield level, source.worst.format(per_cent), source.width.format(per_cent)


if __name__ == "__main__":
    for name, source in SOURCES.items():
        print(f"## {source.title}\n\n{markdown(name)}\n")
