"""The rows of a statistic put together: worst and mean coverage and the width of every method."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from coverage_study.judging import IGNORED, LEVELS, Row

CLOSE = (0.01, 0.02)  # how little a worst case may lie below nominal; the latter where no method keeps the former
ORDINARY = 0.9  # what the bootstrap's own 95 % interval covers at least on an ordinary design; on hard ones it does not
PAPERS = ("percentile", "wald")  # the bootstrap's own intervals, the first of them that a statistic has
KIND = ("statistic", "variant", "sampling")
DESIGN = ("design", "n_positive", "n_negative")


@dataclass(frozen=True)
class Column:
    """One method at one level over the designs of a kind of statistic: numbers by the name of the row's column."""

    rows: tuple[Row, ...]

    def __getitem__(self, name: str) -> np.ndarray:
        return np.array([float(row[name] or "nan") for row in self.rows])

    @property
    def worst(self) -> int:
        return int(np.argmin(self["coverage"]))

    @property
    def least(self) -> float:
        return float(self["coverage"].min())

    @property
    def least_fresh(self) -> float:
        """On designs that were never looked at before; NaN if there are none."""
        fresh = [float(row["coverage"]) for row in self.rows if row["fresh"] == "True"]
        return min(fresh, default=np.nan)

    @property
    def mean(self) -> float:
        """Over all points."""
        return float(np.average(self["mean_coverage"], weights=self["points"]))

    @property
    def where(self) -> str:
        row = self.rows[self.worst]
        point = f", {row['point']}" if row["point"] else ""
        return f"{row['n_positive']} + {row['n_negative']}, {row['design']}{point}"

    def widths(self) -> dict[tuple[str, ...], float]:
        return {tuple(row[name] for name in DESIGN): float(row["mean_width"]) for row in self.rows}


@dataclass(frozen=True)
class Summary:
    """One kind of statistic: its methods, the default first, at every level."""

    kind: tuple[str, ...]
    columns: dict[tuple[str, float], Column]

    @property
    def methods(self) -> list[str]:
        return list(dict.fromkeys(method for method, _ in self.columns))

    @property
    def default(self) -> str:
        return self.methods[0]

    @property
    def levels(self) -> list[float]:
        """Those that were asked for."""
        return list(dict.fromkeys(level for _, level in self.columns))

    @property
    def source(self) -> str:
        """How the coverages were found."""
        exact = self.columns[self.default, LEVELS[0]]["runs"] == 0
        return "exact" if exact.all() else "partly exact" if exact.any() else "simulated"

    def shortfall(self, method: str) -> float:
        """How far the worst case lies below nominal, at its worst level; simulated ones less their error."""
        return max(
            level - column.least - 2 * column["standard_error"][column.worst]
            for level in self.levels
            if (column := self.columns[method, level])
        )

    def relative_width(self, method: str) -> float:
        """To the default's, the mean over the designs and levels that both were judged on."""
        ratios = []
        for level in self.levels:
            own, base = (self.columns[name, level].widths() for name in (method, self.default))
            ratios += [own[design] / base[design] for design in own if base.get(design, 0) > 0]
        return float(np.mean(ratios))

    def over_narrowest(self, *, hard: bool, level: float = 0.95) -> float:
        """The default's width over that of the narrowest method that covers on a design, the mean over designs.

        Those of either sort, hard or not, on which some method covers; NaN where there is none.
        """
        own = next((method for method in PAPERS if method in self.methods), self.default)
        by_method = {
            method: {tuple(row[name] for name in DESIGN): row for row in self.columns[method, level].rows}
            for method in self._candidates
        }
        ratios = []
        for design, row in by_method[self.default].items():
            there = [rows[design] for rows in by_method.values() if design in rows]
            covering = [float(each["mean_width"]) for each in there if _covers(each, level)]
            if design in by_method[own] and covering and min(covering) > 0:
                easy = float(by_method[own][design]["coverage"]) >= ORDINARY
                ratios += [float(row["mean_width"]) / min(covering)] * (easy != hard)
        return float(np.mean(ratios)) if ratios else np.nan

    @property
    def best(self) -> str:
        """The narrowest of the methods that hold; where none does, the one that falls short least."""
        for close in CLOSE:
            holding = [method for method in self._candidates if self.shortfall(method) <= close]
            if holding:
                return min(holding, key=self.relative_width)
        return min(self._candidates, key=self.shortfall)

    @property
    def _candidates(self) -> list[str]:
        """What can be a default: not what ignores the groups, which is there for comparison."""
        return [method for method in self.methods if method != IGNORED]


def _covers(row: Row, level: float) -> bool:
    """Within two standard errors of nominal at the worst point, or within what a default may fall short."""
    return float(row["coverage"]) >= level - max(2 * float(row["standard_error"] or 0), CLOSE[0])


def summaries(rows: Iterable[Row]) -> list[Summary]:
    """One a kind of statistic, in the order of the rows."""
    kinds: dict[tuple[str, ...], dict[tuple[str, float], list[Row]]] = {}
    for row in rows:
        columns = kinds.setdefault(tuple(row[name] for name in KIND), {})
        columns.setdefault((row["method"], float(row["confidence_level"])), []).append(row)
    return [
        Summary(kind, {key: Column(tuple(part)) for key, part in columns.items()}) for kind, columns in kinds.items()
    ]
