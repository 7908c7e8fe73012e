"""One picture: how often the default intervals cover, beside the percentile bootstrap and the Gaussian."""

from __future__ import annotations

from typing import Any

from coverage_study.judging import Row
from coverage_study.store import RESULTS
from coverage_study.summary import Summary, summaries

FILE = RESULTS / "coverage.png"
LEVEL = 0.95
QUESTIONS = {
    ("auc", "area", "stratified"): "AUC",
    ("auc_difference", "area", "stratified"): "AUC, two models",
    ("roc_at_threshold", "rate", "stratified"): "rate at a threshold",
    ("roc_difference_at_threshold", "rate", "stratified"): "rate, two models",
    ("roc_at_fpr", "tpr", "stratified"): "sensitivity at a specificity",
    ("metric", "precision", "full"): "precision",
    ("metric", "f1", "full"): "F1",
    ("cost", "PC(+)", "stratified"): "cost",
    ("cost_difference", "PC(+)", "stratified"): "cost, two models",
    ("expected_cost", "table", "full"): "cost matrix",
}
RIVALS = {"percentile": ("v", "percentile bootstrap"), "wald": ("s", "Gaussian (wald)")}


def page(rows: list[Row]) -> None:
    import matplotlib.pyplot as plt

    found = {summary.kind: summary for summary in summaries(rows)}
    shown = [(name, found[kind]) for kind, name in QUESTIONS.items() if kind in found]
    figure, ax = plt.subplots(figsize=(6.4, 1.3 + 0.42 * len(shown)), layout="constrained")
    for y, (_, summary) in enumerate(shown):
        _line(ax, y, summary)
    ax.axvline(LEVEL, color="0.5", linestyle="--", linewidth=1, zorder=0)
    ax.set(xlim=(-0.02, 1.12), ylim=(len(shown) - 0.5, -0.6), xlabel="Worst coverage of 95 % intervals in the study")
    ax.set_xticks([0, 0.25, 0.5, 0.75, LEVEL])
    ax.set_yticks(range(len(shown)), [name for name, _ in shown])
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color="0.92")
    ax.set_axisbelow(True)
    handles = [ax.plot([], [], "o", color="tab:blue", label="default")[0]]
    handles += [ax.plot([], [], marker, **_hollow(), label=label)[0] for marker, label in RIVALS.values()]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False, fontsize="small")
    figure.savefig(FILE, dpi=120)
    plt.close(figure)


def _line(ax: Any, y: int, summary: Summary) -> None:
    """The default's worst coverage with its value, and the others' a little below and above."""
    default = summary.columns[summary.default, LEVEL].least
    ax.plot([default], [y], "o", color="tab:blue", markersize=8)
    ax.annotate(f"{default:.2f}", (1.03, y), va="center", fontsize="small")
    for (name, (marker, _)), shift in zip(RIVALS.items(), (-0.16, 0.16), strict=True):
        if name in summary.methods and name != summary.default:
            ax.plot([summary.columns[name, LEVEL].least], [y + shift], marker, **_hollow())


def _hollow() -> dict[str, Any]:
    return {"color": "0.25", "markerfacecolor": "white", "markersize": 6, "linestyle": ""}
