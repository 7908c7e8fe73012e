"""From results to rows: what every method of a result covers, and how wide it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

LEVELS = (0.9, 0.95)
ROUNDING = 1e-12  # a limit that equals the truth but for this covers it
EXACT = 0  # runs of a sum over all data sets
KEY = ("statistic", "variant", "sampling", "design", "n_positive", "n_negative")
COLUMNS = (*KEY, "point", "method", "confidence_level", "coverage", "standard_error", "mean_width", "runs")
Row = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """One statistic on one design; ``measure(runs)`` gives its rows, of all points, methods and levels."""

    statistic: str
    variant: str
    sampling: str
    design: str
    n_positive: int
    n_negative: int
    runs: int
    measure: Callable[[int], Iterable[Row]] = field(compare=False)

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(str(getattr(self, name)) for name in KEY)

    def rows(self, runs: int) -> list[Row]:
        return [dict(zip(KEY, self.key, strict=True)) | row for row in self.measure(runs)]


class Tally:
    """Sums of coverage and width, by method and level, over data sets, at each point."""

    def __init__(self, points: Sequence[float | str]) -> None:
        self.points = points
        self.sums: dict[tuple[str, float], np.ndarray] = {}

    def add_set(self, result: Any, truth: Any) -> None:
        """A result on one data set, with an interval at each point."""
        for key, covered, width in judged(result, truth):
            self._sum(key)[:] += covered, width

    def add_point(self, i: int, result: Any, truth: Any, weights: np.ndarray, unit: float = 1.0) -> None:
        """A result with an interval for each of many data sets that have these weights, in this unit of the truth."""
        for key, covered, width in judged(result, truth / unit):
            self._sum(key)[:, i] += (weights * covered).sum(), unit * (weights * width).sum()

    def rows(self, runs: int) -> Iterator[Row]:
        for (method, level), sums in self.sums.items():
            for point, covered, width in zip(self.points, *sums / (runs or 1), strict=True):
                yield row(point, method, level, covered, width, runs)

    def _sum(self, key: tuple[str, float]) -> np.ndarray:
        return self.sums.setdefault(key, np.zeros((2, len(self.points))))


def judged(result: Any, truth: Any) -> Iterator[tuple[tuple[str, float], np.ndarray, np.ndarray]]:
    """For every method that the result documents, the default first: whether its intervals cover, their widths."""
    for method in result.methods:
        for level in LEVELS:
            low, high = np.atleast_1d(*result.confidence_interval(level, method=method))
            covered = (low <= truth + ROUNDING) & (truth <= high + ROUNDING)
            yield (method, level), covered, high - low


def row(point: float | str, method: str, level: float, coverage: float, width: float, runs: int) -> Row:
    """Coverages that were summed, not simulated, have 0 runs and no standard error."""
    share = (runs * coverage + 1) / (runs + 2)
    error = np.sqrt(share * (1 - share) / runs) if runs else 0.0
    return {
        "point": point if isinstance(point, str) else f"{point:.4g}",
        "method": method,
        "confidence_level": f"{level:g}",
        "coverage": f"{coverage:.4f}",
        "standard_error": f"{error:.4f}" if runs else "0",
        "mean_width": f"{width:.4g}",
        "runs": runs,
    }
