"""The rows of a statistic put together: worst and mean coverage and the width of every method."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from coverage_study.judging import LEVELS, Row

CLOSE = 0.01  # a worst case this little below nominal counts as holding
KIND = ("statistic", "variant", "sampling")


@dataclass(frozen=True)
class Column:
    """One method at one level over all designs and points of a kind of statistic."""

    coverage: np.ndarray
    standard_error: np.ndarray
    width: np.ndarray
    where: list[str]

    @property
    def worst(self) -> int:
        return int(np.argmin(self.coverage))


@dataclass(frozen=True)
class Summary:
    """One kind of statistic: its methods, the default first, at both levels."""

    kind: tuple[str, ...]
    columns: dict[tuple[str, float], Column]

    @property
    def methods(self) -> list[str]:
        return list(dict.fromkeys(method for method, _ in self.columns))

    @property
    def default(self) -> str:
        return self.methods[0]

    @property
    def source(self) -> str:
        """How the coverages were found."""
        exact = self.columns[self.default, LEVELS[0]].standard_error == 0
        return "exact" if exact.all() else "partly exact" if exact.any() else "simulated"

    def shortfalls(self, method: str) -> np.ndarray:
        """How far the worst case lies below nominal at either level, not less than 0."""
        columns = [self.columns[method, level] for level in LEVELS]
        return np.maximum([level - c.coverage[c.worst] for level, c in zip(LEVELS, columns, strict=True)], 0.0)

    def noise(self, method: str) -> float:
        """The standard error of their mean."""
        columns = [self.columns[method, level] for level in LEVELS]
        return float(np.mean([c.standard_error[c.worst] for c in columns]))  # the same data sets at both levels

    def holds(self, method: str) -> bool:
        return bool((self.shortfalls(method) <= CLOSE).all())

    def relative_width(self, method: str) -> float:
        """To the default's, the mean over designs, points and levels."""
        ratios = []
        for level in LEVELS:
            own, base = self.columns[method, level].width, self.columns[self.default, level].width
            ratios += (own[base > 0] / base[base > 0]).tolist()
        return float(np.mean(ratios))

    @property
    def best(self) -> str:
        """The narrowest of the methods that hold; where none does, the one whose worst cases fall short least."""
        holding = [method for method in self.methods if self.holds(method)]
        if holding:
            return min(holding, key=self.relative_width)
        return min(self.methods, key=lambda method: self.shortfalls(method).mean())


def summaries(rows: Iterable[Row]) -> list[Summary]:
    """One a kind of statistic, in the order of the rows."""
    kinds: dict[tuple[str, ...], dict[tuple[str, float], list[Row]]] = {}
    for row in rows:
        columns = kinds.setdefault(tuple(row[name] for name in KIND), {})
        columns.setdefault((row["method"], float(row["confidence_level"])), []).append(row)
    return [Summary(kind, {key: _column(part) for key, part in columns.items()}) for kind, columns in kinds.items()]


def _column(rows: list[Row]) -> Column:
    numbers = (np.array([float(row[name]) for row in rows]) for name in ("coverage", "standard_error", "mean_width"))
    return Column(*numbers, [_place(row) for row in rows])


def _place(row: Row) -> str:
    point = f" at {row['point']}" if row["point"] else ""
    return f"{row['n_positive']} + {row['n_negative']}, {row['design']}{point}"
