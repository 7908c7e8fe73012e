"""From numbers of cases to the law of their mean: with all cases together, by class, by group or by fold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci._validation._arguments import LARGEST_COST, SMALLEST_COST, check_number
from skcostci.cases._values import Rows
from skcostci.laws import Draw, GroupedLaw, MeanLaw, grouped_mean_law, mean_law

METHODS = ("unseen_case", "percentile", "wald")
GROUPED_METHODS = ("effective_size", "wald", "percentile")

Ends = tuple[float, float]


def check_range(least: Any, most: Any) -> tuple[float | None, float | None]:
    """The analyst's bounds of a value, either of which may be None."""
    low = None if least is None else float(check_number("least", least))
    high = None if most is None else float(check_number("most", most))
    if low is not None and high is not None and not low < high:
        raise ValueError(f"least must be below most, got least={least!r} and most={most!r}.")
    return low, high


def check_within(name: str, values: Floats, rows: Rows, least: float | None, most: float | None) -> None:
    """No value is beyond the analyst's bounds."""
    for bound, end, outside in (
        ("least", least, None if least is None else values < least),
        ("most", most, None if most is None else values > most),
    ):
        if outside is not None and outside.any():
            first = int(np.argmax(outside))
            position = int(np.flatnonzero(rows.kept)[first])
            raise ValueError(
                f"{name} must lie between least and most, got {values[first]:g} at position {position}, beyond "
                f"{bound}={end:g}."
            )


def check_sizes(name: str, values: Floats) -> None:
    """The largest number is of a size whose third power can be computed with, as costs are."""
    size = float(np.abs(values).max())
    if size and not SMALLEST_COST <= size <= LARGEST_COST:
        raise ValueError(
            f"{name} must be 0 or of sizes of which the largest is from {SMALLEST_COST:g} to {LARGEST_COST:g}, got "
            f"{size:g}."
        )


def within(given: tuple[float | None, float | None], seen: Ends) -> Ends:
    """The analyst's ends where there are some, else those that were seen."""
    return seen[0] if given[0] is None else given[0], seen[1] if given[1] is None else given[1]


def differing(given: tuple[float | None, float | None], seen: Ends, apart: Sequence[Ends]) -> list[Ends]:
    """How far two values may be apart, whose ends are given or seen; without any given, what was seen, per class."""
    if given == (None, None):
        return list(apart)
    low, high = within(given, seen)
    return [(low - high, high - low)] * len(apart)


def law_of_means(
    values: Floats, rows: Rows, ends: Sequence[Ends], bounds: Ends, strata: Integers | None = None
) -> tuple[float, MeanLaw | GroupedLaw, tuple[str, ...]]:
    """Estimate, law and interval methods.

    ``ends`` has a pair for each stratum (class), or one for all cases. Where they leave one value only, which would be
    known then, the bounds of the parameter take their place as far as they are numbers.
    """
    if strata is not None:
        parts = [(strata == place, ends[place]) for place in np.unique(strata).tolist()]
    else:
        whole = min(low for low, _ in ends), max(high for _, high in ends)
        numbers = range(1 if rows.folds is None else int(rows.folds.max()) + 1)
        parts = [(rows.folds == k if rows.folds is not None else np.ones(len(values), bool), whole) for k in numbers]
    draws = [Draw(values[some], rows.weights[some], _open(pair, bounds)) for some, pair in parts]
    law = mean_law(draws, bounds, by_fold=rows.folds is not None)
    if rows.groups is not None:
        grouped = grouped_mean_law(law, values, rows.weights, rows.groups)
        return float(law.mean[0]), grouped, GROUPED_METHODS
    return float(law.mean[0]), law, METHODS


def _open(ends: Ends, bounds: Ends) -> Ends:
    """The ends, opened to the bounds where they are one value."""
    low, high = ends
    if low < high:
        return ends
    return (bounds[0] if np.isfinite(bounds[0]) else low), (bounds[1] if np.isfinite(bounds[1]) else high)
