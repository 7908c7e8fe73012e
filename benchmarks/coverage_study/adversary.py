"""What the search for the least coverage is run on, and the table of what it found."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from coverage_study import problems
from coverage_study.search import ROUNDS, STARTS, Found, worst
from coverage_study.store import RESULTS, progress
from coverage_study.sums import Population, Problem

SEED = 20080705
TABLE, FILE = RESULTS / "adversary.csv", RESULTS / "adversary.md"
COLUMNS = (
    "statistic",
    "variant",
    "sampling",
    "n_positive",
    "n_negative",
    "method",
    "confidence_level",
    "sides",
    "coverage",
    "truth",
    "population",  # as words
    "shares",  # in full, as JSON: of the cells of each sample
)
Make = Callable[[], Problem]
Row = dict[str, str]


def _crossed(make: Callable[..., Problem], sizes: Iterable[tuple[int, ...]], *options: Iterable[object]) -> list[Make]:
    return [partial(make, *pair, *others) for pair, *others in itertools.product(sizes, *options)]


PROBLEMS: dict[str, list[Make]] = {
    "auc": [
        *_crossed(problems.auc, [(5, 5), (10, 10), (5, 20)], [3]),
        *_crossed(problems.auc, [(50, 50), (10, 100), (30, 300)], [2]),
        *_crossed(problems.auc_around, [(5, 20), (10, 10), (30, 1000), (50, 50), (120, 120), (300, 300)]),
    ],
    "auc_difference": _crossed(problems.auc_difference, [(5, 5), (3, 8)]),
    "roc_at_threshold": _crossed(problems.rate, [(5,), (10,), (30,), (100,), (300,)]),
    "roc_difference_at_threshold": _crossed(problems.rate_difference, [(5,), (10,), (30,), (100,)]),
    "cost": [
        *_crossed(problems.cost, [(9, 9), (5, 5), (12, 45), (27, 27), (100, 100)], [0.05, 0.5]),
        *_crossed(problems.cost, [(300, 30), (300, 300)], [0.3]),
        *_crossed(problems.full_cost, [(15,), (40,)], [0.1], ["w", "costs"]),
    ],
    "cost_difference": [
        *_crossed(problems.cost_difference, [(11, 11), (5, 5), (8, 40), (30, 30)], [0.1, 0.5]),
        *_crossed(problems.cost_difference, [(300, 300)], [0.3]),
        *_crossed(problems.full_cost, [(12,)], [0.1], ["w", "costs"], [True]),
    ],
    "metric": _crossed(problems.metric, [(12,)], ["f1", "precision"]),
    "expected_cost": [
        *_crossed(problems.expected_cost, [(20,), (50,)], [(4, 1, 0), (20, 1, 0)]),
        *_crossed(problems.expected_cost, [(300,)], [(200, 1, 0)]),
        *_crossed(problems.expected_cost, [(25,)], [(200, 20, 1, 0)]),
    ],
    "expected_cost_difference": [
        *_crossed(problems.expected_cost, [(15,)], [(4, -4, 1, -1, 0)], [True]),
        *_crossed(problems.expected_cost, [(30,), (60,)], [(4, -1, 1, 0)], [True]),
        *_crossed(problems.expected_cost, [(50,), (300,)], [(200, -200, 0)], [True]),
    ],
}


def search(statistic: str) -> None:
    """Search again for one statistic and put the rows in the place of the old ones."""
    kept = {name: [row for row in read() if row["statistic"] == name] for name in PROBLEMS}
    kept[statistic] = [row for make in progress(PROBLEMS[statistic]) for row in rows(make())]
    with TABLE.open("w", newline="") as lines:
        writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(itertools.chain(*kept.values()))


def read() -> list[Row]:
    if not TABLE.exists():
        return []
    with TABLE.open(newline="") as lines:
        return list(csv.DictReader(lines))


def rows(problem: Problem, starts: int = STARTS, rounds: int = ROUNDS) -> Iterator[Row]:
    """What was found for the default method, at every level, two-sided and one-sided."""
    method = problem.methods[0]
    for found in worst(problem, method, SEED, starts, rounds):
        yield {
            "statistic": problem.statistic,
            "variant": problem.variant,
            "sampling": problem.sampling,
            "n_positive": str(problem.sizes[0]),
            "n_negative": str(problem.sizes[1]),
            "method": method,
            "confidence_level": f"{found.level if found.sides == 2 else (1 + found.level) / 2:g}",
            "sides": str(found.sides),
            "coverage": f"{found.coverage if found.sides == 2 else 1 - found.miss:.4f}",
            "truth": f"{found.truth:.4g}",
            "population": _described(problem, found),
            "shares": json.dumps([part.tolist() for part in found.population]),
        }


def population(row: Row) -> Population:
    """What was found, as a population of ``sums``."""
    return tuple(np.array([shares]) for shares in json.loads(row["shares"]))


def _described(problem: Problem, found: Found) -> str:
    """The shares of the cells that are not empty."""
    samples = zip(problem.samples, found.population, strict=True)
    return "; ".join(
        ", ".join(f"{cell} {share:.3g}" for cell, share in zip(sample.cells, shares, strict=True) if share > 5e-6)
        for sample, shares in samples
    )


INTRODUCTION = """\
# The least coverage that an optimizer finds

Written by `python benchmarks/adversary.py`, all numbers are in [adversary.csv](adversary.csv). For every default
whose coverage is a sum over tables of counts a seeded search looks for the population in which it covers least, for
class sizes from 5 to 300, at nominal 90, 95 and 99 % two-sided,
and 95, 97.5 and 99.5 % one-sided (the worse side). What it finds is what this project calls the worst case. It is no
theorem: another search may find less.
"""


def write(where: str) -> None:
    FILE.write_text("\n".join([INTRODUCTION, *tables(read()), where]).rstrip() + "\n")


def tables(found: list[Row]) -> Iterator[str]:
    """The least of each statistic, and where; then each size."""
    yield from leasts(found)
    yield ""
    yield "By class sizes:"
    yield ""
    yield "| statistic | variant | sizes | 90 % | 95 % | 99 % | one-sided 95 % | 97.5 % | 99.5 % |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for key, part in _grouped(found, ("statistic", "variant", "n_positive", "n_negative")):
        yield f"| {key[0]} | {key[1]} | {_sizes(part[0])} | {' | '.join(_leasts(part))} |"
    yield ""


def leasts(found: list[Row]) -> Iterator[str]:
    """The least of each statistic over all sizes, and where that is at 95 %."""
    yield "| statistic | sampling | method | 90 % | 95 % | 99 % | one-sided 95 % | 97.5 % | 99.5 % | least at 95 % |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for key, part in _grouped(found, ("statistic", "sampling", "method")):
        yield f"| {' | '.join(key)} | {' | '.join(_leasts(part))} | {_place(part)} |"


def _grouped(found: list[Row], names: tuple[str, ...]) -> list[tuple[tuple[str, ...], list[Row]]]:
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in found:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return list(groups.items())


def _leasts(part: list[Row]) -> list[str]:
    """At each level, two-sided, then one-sided."""
    columns = _grouped(part, ("sides", "confidence_level"))
    return [f"{min(float(row['coverage']) for row in column):.4f}" for _, column in columns]


def _place(part: list[Row]) -> str:
    least = min(
        (row for row in part if (row["sides"], row["confidence_level"]) == ("2", "0.95")),
        key=lambda row: float(row["coverage"]),
    )
    return f"{_sizes(least)}, {least['variant']}: {least['population']}"


def _sizes(row: Row) -> str:
    return f"{row['n_positive']} + {row['n_negative']}" if row["n_negative"] != "0" else row["n_positive"]
