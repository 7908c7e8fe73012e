"""From intervals to rows: what every method of a result covers on a design, and how wide it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

LEVELS = (0.9, 0.95, 0.99)
IGNORED = "ignored"  # the default interval as if there were no groups, for comparison
ROUNDING = 1e-12  # a limit that equals the truth but for this covers it
EXACT = 0  # runs of a sum over all data sets
OTHERS = 4  # methods that are not the default are judged on one data set in so many
KEY = ("statistic", "variant", "sampling", "design", "n_positive", "n_negative", "fresh")
COLUMNS = (
    *KEY,
    "method",
    "confidence_level",
    "coverage",  # at the point where it is least
    "standard_error",
    "point",
    "mean_coverage",
    "one_sided_miss",  # the larger probability that the truth lies beyond one limit, where it is largest
    "type_i_error",  # how often the interval leaves out a true difference of 0, where that is most
    "mean_width",
    "points",
    "runs",
)
Row = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """One statistic on one design; ``measure(runs)`` gives its rows, of all methods and levels.

    ``fresh`` says that the design was never looked at when a method or its constant was chosen.
    """

    statistic: str
    variant: str
    sampling: str
    design: str
    n_positive: int
    n_negative: int
    fresh: bool
    runs: int
    measure: Callable[[int], Iterable[Row]] = field(compare=False)

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(str(getattr(self, name)) for name in KEY)

    def rows(self, runs: int) -> list[Row]:
        return [dict(zip(KEY, self.key, strict=True)) | row for row in self.measure(runs)]


class Tally:
    """How often the truth lies below and above the limits, and their distance, over data sets, at each point."""

    def __init__(self, points: Sequence[str]) -> None:
        self.points = points
        self.truth = np.full(len(points), np.nan)
        self.sums: dict[tuple[str, float], np.ndarray] = {}
        self.weights: dict[str, float] = {}

    def add(self, result: Any, truth: Any, weight: float = 1.0, every: bool = True) -> None:
        """A result on a data set of this weight, with an interval at each point: of every method or the default."""
        self.truth = np.broadcast_to(truth, self.truth.shape)
        for method in result.methods[: None if every else 1]:
            self.weights[method] = self.weights.get(method, 0.0) + weight
            for level in LEVELS:
                low, high = (np.atleast_1d(limit) for limit in result.confidence_interval(level, method=method))
                missed = self.truth < low - ROUNDING, self.truth > high + ROUNDING
                sums = self.sums.setdefault((method, level), np.zeros((len(self.points), 3)))
                sums += weight * np.column_stack([*missed, high - low])

    def rows(self, exact: bool = False) -> Iterator[Row]:
        for (method, level), sums in self.sums.items():
            total = self.weights[method]
            runs = EXACT if exact else round(total)
            yield row(method, level, sums / total, self.points, self.truth, runs)


def row(
    method: str,
    level: float,
    measured: np.ndarray,
    points: Sequence[str],
    truth: np.ndarray,
    runs: int = EXACT,
    two_limits: bool = True,
) -> Row:
    """From the probabilities of lying below and above and the width at each point, of shape (n_points, 3).

    Coverages that were summed, not simulated, have 0 runs and no standard error.
    """
    coverage = 1 - measured[:, :2].sum(axis=1)
    worst = int(np.argmin(coverage))
    share = (runs * coverage[worst] + 1) / (runs + 2)
    null = coverage[truth == 0]
    return {
        "method": method,
        "confidence_level": f"{level:g}",
        "coverage": f"{coverage[worst]:.4f}",
        "standard_error": f"{np.sqrt(share * (1 - share) / runs):.4f}" if runs else "0",
        "point": points[worst],
        "mean_coverage": f"{coverage.mean():.4f}",
        "one_sided_miss": f"{measured[:, :2].max():.4f}" if two_limits else "",
        "type_i_error": f"{1 - null.min():.4f}" if len(null) else "",
        "mean_width": f"{measured[:, 2].mean():.4g}",
        "points": len(points),
        "runs": runs,
    }
