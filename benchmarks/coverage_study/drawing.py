"""One picture: the default of every statistic beside what the percentile bootstrap and the Gaussian do."""

from __future__ import annotations

from typing import Any

from coverage_study.judging import Row
from coverage_study.store import RESULTS
from coverage_study.summary import Column, Summary, summaries

FILE = RESULTS / "coverage.png"
LEVEL = 0.95
LEFT = 0.5  # coverages below are marked at the edge, with their value
RIVALS = {"percentile": ("v", "tab:orange"), "wald": ("s", "tab:red")}


def page(rows: list[Row]) -> None:
    import matplotlib.pyplot as plt

    kinds = [summary for summary in summaries(rows) if summary.kind[0] != "auc_from_error_count"]
    figure, ax = plt.subplots(figsize=(8.5, 0.8 + 0.36 * len(kinds)), layout="constrained")
    for y, summary in enumerate(kinds):
        _line(ax, y, summary)
    ax.axvline(LEVEL, color="0.3", linestyle="--", linewidth=1, zorder=0)
    ax.set(xlim=(LEFT - 0.02, 1.005), ylim=(len(kinds) - 0.5, -0.7))
    ax.set_xlabel("Worst coverage of 95 % intervals over all designs and points; line: to the mean")
    ax.set_yticks(range(len(kinds)), [_name(summary) for summary in kinds], fontsize=8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    handles = [ax.plot([], [], "o", color="tab:blue", label="default")[0]]
    handles += [ax.plot([], [], marker, color=color, label=name)[0] for name, (marker, color) in RIVALS.items()]
    ax.legend(handles=handles, loc="lower left", fontsize=8, frameon=True)
    figure.savefig(FILE, dpi=110)
    plt.close(figure)


def _name(summary: Summary) -> str:
    statistic, variant, sampling = summary.kind
    return f"{statistic}: {variant}, {sampling}  [{summary.default}]"


def _line(ax: Any, y: int, summary: Summary) -> None:
    for name, (marker, color) in RIVALS.items():
        if name in summary.methods and name != summary.default:
            _mark(ax, y + 0.18, summary.columns[name, LEVEL], marker, color)
    _mark(ax, y - 0.12, summary.columns[summary.default, LEVEL], "o", "tab:blue")


def _mark(ax: Any, y: float, column: Column, marker: str, color: str) -> None:
    worst = max(column.least, LEFT)
    ax.plot([worst, max(column.mean, LEFT)], [y, y], color=color, linewidth=1, alpha=0.6)
    ax.plot([worst], [y], marker, color=color, markersize=5)
    if column.least < LEFT:
        ax.annotate(f"{column.least:.2f}"[1:], (LEFT + 0.008, y), va="center", fontsize=6.5, color=color)
