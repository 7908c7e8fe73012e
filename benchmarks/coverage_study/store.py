"""The results: one file a statistic, to which every cell is appended when it is done, so that a run can go on later."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from coverage_study.judging import COLUMNS, KEY, Cell, Row

RESULTS = Path(__file__).parents[1] / "results"
TABLES = RESULTS / "coverage"
Item = TypeVar("Item")


def path(statistic: str) -> Path:
    return TABLES / f"{statistic}.csv"


def read(statistics: Iterable[str]) -> list[Row]:
    """The rows that are there."""
    rows: list[Row] = []
    for file in filter(Path.exists, map(path, statistics)):
        with file.open(newline="") as lines:
            rows += csv.DictReader(lines)
    return rows


def done(statistics: Iterable[str]) -> set[tuple[str, ...]]:
    """The keys of the cells that need not be computed again."""
    return {tuple(row[name] for name in KEY) for row in read(statistics)}


def append(cell: Cell, rows: list[Row]) -> None:
    file = path(cell.statistic)
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        _write(file, [])
    with file.open("a", newline="") as lines:
        csv.DictWriter(lines, COLUMNS, lineterminator="\n").writerows(rows)


def tidy(statistic: str, cells: Iterable[Cell]) -> None:
    """Put the rows in the order of the cells, whenever they were computed, without those of cells that are no more."""
    by_cell: dict[tuple[str, ...], list[Row]] = {}
    for row in read([statistic]):
        by_cell.setdefault(tuple(row[name] for name in KEY), []).append(row)
    _write(path(statistic), [row for cell in cells for row in by_cell.get(cell.key, [])])


def _write(file: Path, rows: list[Row]) -> None:
    with file.open("w", newline="") as lines:
        writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def progress(items: list[Item], width: int = 30) -> Iterator[Item]:
    """The items, with a bar on stderr and a guess at the time that is left."""
    if not items:
        return
    start = time.monotonic()
    for i, item in enumerate(items):
        left = f"{(time.monotonic() - start) / i * (len(items) - i):.0f} s left" if i else ""
        bar = "#" * (width * i // len(items))
        print(f"\r[{bar:<{width}}] {i}/{len(items)} {left:<16}", end="", file=sys.stderr, flush=True)
        yield item
    print(f"\r[{'#' * width}] {len(items)}/{len(items)} {'':<16}", file=sys.stderr)
