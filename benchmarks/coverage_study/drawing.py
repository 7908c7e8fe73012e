"""One page of small multiples: every statistic, every method."""

from __future__ import annotations

from typing import Any

import numpy as np

from coverage_study.judging import LEVELS, Row
from coverage_study.store import RESULTS
from coverage_study.summary import Summary, summaries

FILE = RESULTS / "coverage.png"
LEFT = 0.6  # coverages below are marked at the edge, with their value
SHADES = {0.9: "0.6", 0.95: "0.1"}
PANELS_A_ROW = 4


def page(rows: list[Row]) -> None:
    import matplotlib.pyplot as plt

    kinds = summaries(rows)
    n_rows = -(-len(kinds) // PANELS_A_ROW)
    figure, axes = plt.subplots(
        n_rows, PANELS_A_ROW, figsize=(19, 0.6 + 2.35 * n_rows), layout="constrained", squeeze=False
    )
    for ax in axes.flat[len(kinds) :]:
        ax.set_axis_off()
    for ax, summary in zip(axes.flat, kinds, strict=False):
        panel(ax, summary)
    figure.suptitle(
        "Coverage of every interval method over all designs and points: nominal 90 % (grey) and 95 % (black).  "
        "Dashed: nominal.  Line: 5th percentile to largest.  Bar: mean.  Triangle: worst case.  Bold: default.",
        fontsize=12,
    )
    figure.savefig(FILE, dpi=80)
    plt.close(figure)


def panel(ax: Any, summary: Summary) -> None:
    """One kind of statistic, the default method on top."""
    for level in LEVELS:
        ax.axvline(level, color=SHADES[level], linestyle="--", linewidth=0.8, zorder=0)
    for y, method in enumerate(summary.methods):
        for level in LEVELS:
            _draw(ax, y - 0.17 + 0.34 * LEVELS.index(level), summary.columns[method, level].coverage, SHADES[level])
    statistic, variant, sampling = summary.kind
    ax.set_title(f"{statistic}\n{variant}, {sampling}, {summary.source}", fontsize=9)
    ax.set_xlim(LEFT - 0.045, 1.008)
    ax.set_xticks(np.arange(0.6, 1.01, 0.1))
    ax.set_ylim(len(summary.methods) - 0.5, -0.5)
    ax.set_yticks(range(len(summary.methods)), summary.methods, fontsize=8)
    ax.get_yticklabels()[0].set_fontweight("bold")
    ax.tick_params(axis="x", labelsize=8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)


def _draw(ax: Any, y: float, coverage: np.ndarray, color: str) -> None:
    low, mean, high = (max(value, LEFT) for value in (np.quantile(coverage, 0.05), coverage.mean(), coverage.max()))
    ax.plot([low, high], [y, y], color=color, linewidth=1.4, solid_capstyle="butt")
    ax.plot([mean], [y], "|", color=color, markersize=8, markeredgewidth=2)
    worst = coverage.min()
    ax.plot([max(worst, LEFT)], [y], "<" if worst < LEFT else "v", color=color, markersize=4.5)
    if worst < LEFT:
        ax.annotate(f"{worst:.2f}"[1:], (LEFT - 0.008, y), ha="right", va="center", fontsize=6.5, color=color)
