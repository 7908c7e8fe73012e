"""The table "which method when", from the coverage that was found."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coverage_study.judging import LEVELS, Row
from coverage_study.store import RESULTS
from coverage_study.summary import CLOSE, Summary, summaries

FILE = RESULTS / "which_method.md"
POOR = 0.85  # methods whose 95 % intervals cover less somewhere are named
INTRODUCTION = f"""\
# Which method when

Written by `python benchmarks/coverage.py` from `benchmarks/results/coverage/`. First the defaults, and the
methods whose 95 % intervals somewhere cover less than 85 %, with that worst case. Then, for every statistic the
interval methods that its result documents, the default first: the worst and the mean coverage over all designs
and points at nominal 90 % and 95 %, the width relative to the default's (mean of the ratios), at how many of
the points 95 % intervals cover less than 92 %, and where the worst case at 95 % lies: positives + negatives,
population, point (operating condition, rate). Exact sums have no standard error; simulated worst cases carry
theirs after ±, and being the least of many they are low by up to two or three of it.

The rule for a default: of the methods whose worst case is at most {CLOSE:g} below nominal at either level the
narrowest; where there is none, the one whose worst cases at both levels fall short least. Where the default is
another method, the line under the table says so.
"""


def write(rows: list[Row]) -> None:
    FILE.write_text("\n".join([INTRODUCTION, *overview(rows), *table(rows)]).rstrip() + "\n")


def overview(rows: list[Row]) -> Iterator[str]:
    """The defaults, and what to leave alone."""
    yield "| statistic | sampling | default | worst 90 % | worst 95 % | mean 95 % | not to be trusted |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for summary in summaries(rows):
        statistic, variant, sampling = summary.kind
        worst = {method: summary.columns[method, 0.95].coverage.min() for method in summary.methods}
        avoid = ", ".join(f"{method} ({worst[method]:.2f})" for method in summary.methods if worst[method] < POOR)
        at_90, at_95 = (summary.columns[summary.default, level].coverage for level in LEVELS)
        numbers = " | ".join(f"{value:.3f}" for value in (at_90.min(), at_95.min(), at_95.mean()))
        yield f"| {statistic}: {variant} | {sampling} | {summary.default} | {numbers} | {avoid} |"
    yield ""


def table(rows: list[Row]) -> Iterator[str]:
    for summary in summaries(rows):
        statistic, variant, sampling = summary.kind
        yield f"## {statistic}: {variant}, {sampling} sampling ({summary.source})"
        yield ""
        yield "| method | worst 90 % | mean | worst 95 % | mean | width | below .92 | worst at |"
        yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
        yield from (_line(summary, method) for method in summary.methods)
        yield ""
        yield verdict(summary)
        yield ""


def _line(summary: Summary, method: str) -> str:
    cells = []
    for level in LEVELS:
        column = summary.columns[method, level]
        error = column.standard_error[column.worst]
        worst = f"{column.coverage[column.worst]:.3f}" + (f" ±{error:.3f}" if error else "")
        cells += [worst, f"{column.coverage.mean():.3f}"]
    at_95 = summary.columns[method, 0.95]
    low = f"{(at_95.coverage < 0.92).mean():.0%}"
    name = f"**{method}**" if method == summary.default else method
    return (
        "| " + " | ".join([name, *cells, f"{summary.relative_width(method):.2f}", low, at_95.where[at_95.worst]]) + " |"
    )


def verdict(summary: Summary) -> str:
    """Whether the default follows from the rule, and if not by how much."""
    default, best = summary.default, summary.best
    if best == default:
        return f"Default {default}: as the rule says ({_short(summary, default)})."
    width = f"{summary.relative_width(best):.2f} times as wide"
    if summary.holds(default):
        return f"Default {default} holds, and so does {best}, {width}."
    gain = summary.shortfalls(default).mean() - summary.shortfalls(best).mean()
    noise = np.hypot(summary.noise(default), summary.noise(best))
    clear = "clearly" if gain > 2 * noise else "within simulation error"
    return (
        f"Default {default} falls short ({_short(summary, default)}); "
        f"{best} is {clear} better there ({_short(summary, best)}), {width}."
    )


def _short(summary: Summary, method: str) -> str:
    if summary.holds(method):
        return "it holds"
    at_90, at_95 = summary.shortfalls(method)
    return f"worst cases .{1000 * at_90:03.0f} and .{1000 * at_95:03.0f} below nominal"
