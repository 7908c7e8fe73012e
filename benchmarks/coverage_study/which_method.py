"""The table "which method when", from the coverage that was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from coverage_study.judging import LEVELS, Row
from coverage_study.store import RESULTS
from coverage_study.summary import CLOSE, ORDINARY, PAPERS, Column, Summary, summaries

FILE = RESULTS / "which_method.md"
POOR = 0.85  # methods whose 95 % intervals cover less somewhere are named
INTRODUCTION = f"""\
# Which method when

Written by `python benchmarks/coverage.py` from `benchmarks/results/coverage/`. First the defaults, how
wide the papers' intervals are beside them (percentile bootstrap, else Gaussian), and the methods whose 95 % intervals
somewhere cover less than 85 %, with that worst case. *Over the narrowest* is how many times as wide the default is at
95 % as the narrowest of the methods that cover on a design (within two standard errors, or {CLOSE[0]:g}): the mean
over the ordinary designs, those on which the papers' interval covers {ORDINARY:g} at least, and over the hard
ones. Then, for every statistic the interval methods that its result documents, the default first:

- the worst coverage over all designs and points at nominal 90, 95 and 99 %, and, *fresh*, the worst at 95 % over the
  designs that were never looked at when a method or a constant was chosen, about half of them;
- *one-sided*: how often the truth lies beyond one limit of a 95 % interval, at worst, nominal 2.5 %;
- *type I*: how often a 95 % interval leaves out a difference that is 0, at worst: the error of the test at .05;
- the mean coverage at 95 %, the width relative to the default's (mean of the ratios, over the designs that both
  were judged on), and where the worst case at 95 % lies: positives + negatives, population, point.

Sums over all tables of counts are exact and have no standard error; simulated worst cases carry theirs after ±,
and being the least of many they are low by up to two or three of it. What an optimizer finds, instead of a grid of
designs, is in [adversary.md](adversary.md).

The rule for a default: of the methods whose worst case is at most {CLOSE[0]:g} below nominal at every level
({CLOSE[1]:g} where there is none) the narrowest; simulated worst cases are given two standard errors. Where the
default is another method, the line under the table says so.
"""


def write(rows: list[Row], where: str) -> None:
    text = "\n".join([INTRODUCTION, *overview(rows), *table(rows), where])
    FILE.write_text(text.rstrip() + "\n")


def overview(rows: list[Row]) -> Iterator[str]:
    """The defaults, and what to leave alone."""
    yield (
        "| statistic | sampling | default | worst 90 % | worst 95 % | worst 99 % | mean 95 % | the papers' width "
        "| over the narrowest, ordinary | hard | not to be trusted |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for summary in summaries(rows):
        statistic, variant, sampling = summary.kind
        worst = {method: summary.columns[method, 0.95].least for method in summary.methods}
        avoid = ", ".join(f"{method} ({worst[method]:.2f})" for method in summary.methods if worst[method] < POOR)
        defaults = {level: summary.columns.get((summary.default, level)) for level in LEVELS}
        leasts = [_worst(column) for column in defaults.values()]
        papers = (f"{name} {summary.relative_width(name):.2f}" for name in PAPERS if name in summary.methods)
        over = [_ratio(summary.over_narrowest(hard=hard)) for hard in (False, True)]
        numbers = " | ".join([*leasts, f"{summary.columns[summary.default, 0.95].mean:.3f}", next(papers, ""), *over])
        yield f"| {statistic}: {variant} | {sampling} | {summary.default} | {numbers} | {avoid} |"
    yield ""


def table(rows: Iterable[Row]) -> Iterator[str]:
    for summary in summaries(rows):
        statistic, variant, sampling = summary.kind
        yield f"## {statistic}: {variant}, {sampling} sampling ({summary.source})"
        yield ""
        yield "| method | worst 90 % | worst 95 % | worst 99 % | fresh | one-sided | type I | mean | width | worst at |"
        yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        yield from (_line(summary, method) for method in summary.methods)
        yield ""
        yield verdict(summary)
        yield ""


def _line(summary: Summary, method: str) -> str:
    at_95 = summary.columns[method, 0.95]
    cells = [
        f"**{method}**" if method == summary.default else method,
        *(_worst(summary.columns.get((method, level))) for level in LEVELS),
        _number(at_95.least_fresh),
        _number(_largest(at_95["one_sided_miss"])),
        _number(_largest(at_95["type_i_error"])),
        f"{at_95.mean:.3f}",
        f"{summary.relative_width(method):.2f}",
        at_95.where,
    ]
    return "| " + " | ".join(cells) + " |"


def _worst(column: Column | None) -> str:
    if column is None:
        return ""
    error = column["standard_error"][column.worst]
    return f"{column.least:.3f}" + (f" ±{error:.3f}" if error else "")


def _largest(values: np.ndarray) -> float:
    """Of those that are there; NaN if none is."""
    return float(np.max(values, where=~np.isnan(values), initial=-np.inf)) if not np.isnan(values).all() else np.nan


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3f}"


def _ratio(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.2f}"


def verdict(summary: Summary) -> str:
    """Whether the default follows from the rule, and if not by how much."""
    default, best = summary.default, summary.best
    said = f"The default, {default}: {_short(summary, default)}."
    if best == default:
        return said
    return (
        f"{said} On these designs alone the rule would choose {best} ({_short(summary, best)}), "
        f"{summary.relative_width(best):.2f} times as wide."
    )


def _short(summary: Summary, method: str) -> str:
    gap = summary.shortfall(method)
    return "it holds" if gap <= CLOSE[0] else f"its worst case is {gap:.3f} below nominal"
