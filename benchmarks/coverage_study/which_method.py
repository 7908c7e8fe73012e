"""The table "which method when", from the coverage that was found."""

from __future__ import annotations

from collections.abc import Iterator

from coverage_study.judging import LEVELS, Row
from coverage_study.store import RESULTS
from coverage_study.summary import CLOSE, Summary, summaries

FILE = RESULTS / "which_method.md"
INTRODUCTION = f"""\
# Which method when

Written by `python benchmarks/coverage.py` from `benchmarks/results/coverage/`. For every statistic the interval
methods that its result documents, the default first: the worst and the mean coverage over all designs and
points at nominal 90 % and 95 %, the width relative to the default's (mean of the ratios), at how many of the
points 95 % intervals cover less than 92 %, and where the worst case at 95 % lies: positives + negatives,
population, point (operating condition, rate). Exact sums have no standard error; simulated worst cases carry
theirs after ±, and being the least of many they are low by up to two or three of it.

The rule for a default: of the methods whose worst case is at most {CLOSE:g} below nominal at either level the
narrowest; where there is none, the best worst case. Where the default is another method, the line under the
table says so.
"""


def write(rows: list[Row]) -> None:
    FILE.write_text("\n".join([INTRODUCTION, *table(rows)]) + "\n")


def table(rows: list[Row]) -> Iterator[str]:
    for summary in summaries(rows):
        statistic, variant, sampling = summary.kind
        yield f"## {statistic}: {variant}, {sampling} sampling ({'exact' if summary.exact else 'simulated'})"
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
    short, error = summary.shortfall(default)
    if best == default:
        return f"Default {default}: as the rule says (worst case {_against_nominal(short)})."
    gain, other = summary.shortfall(best)[0], summary.shortfall(best)[1]
    noise = (error**2 + other**2) ** 0.5
    if short <= CLOSE:
        return f"Default {default} holds; {best} holds too and is {1 - summary.relative_width(best):.0%} narrower."
    clear = "clearly" if short - gain > 2 * noise else "within simulation error"
    return (
        f"Default {default}: worst case {_against_nominal(short)}; {best} is {clear} better there "
        f"({_against_nominal(gain)}), at {summary.relative_width(best):.2f} times the width."
    )


def _against_nominal(shortfall: float) -> str:
    return f"{shortfall:.3f} below nominal" if shortfall > 0 else "at nominal or above"
