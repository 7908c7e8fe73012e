"""A report on the scores of models: every number, computed once, to be written or drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from skcostci.cli._inquiry import Inquiry, Row, finite
from skcostci.cli._statistics import STATISTICS, Point, Statistic
from skcostci.compare import ModelComparison
from skcostci.compare._comparison import compare
from skcostci.compare._contrasts import pairwise
from skcostci.geometry.cost_curve import cost_curve_of
from skcostci.results._results import BootstrapResult
from skcostci.statistics._compare import Independent, Pairs
from skcostci.statistics._cost import cost_difference_of

Stretches = tuple[tuple[float, float], ...]
N_CONDITIONS = 101


@dataclass(frozen=True)
class Estimate:
    """A number and its interval."""

    estimate: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference(Estimate):
    """A difference, a - b, with its two-sided p-value."""

    pvalue: float


@dataclass(frozen=True)
class Section:
    """A point of a statistic: a result and its numbers a row, and of several rows all differences.

    Two rows have one difference, by itself; of more all hold together.
    """

    statistic: Statistic
    point: Point
    results: tuple[BootstrapResult, ...]
    estimates: tuple[Estimate, ...]
    comparison: ModelComparison | None
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Report:
    """All of it; of two models, the stretches of PC(+) where a, and where b, is significantly cheaper."""

    asked: Inquiry
    sections: tuple[Section, ...]
    operating_ranges: tuple[tuple[float, float], ...]
    cheaper: tuple[Stretches, Stretches] | None

    @property
    def methods(self) -> dict[str, str]:
        """The interval method of each quantity."""
        one = {each.statistic.name: each.results[0].methods[0] for each in self.sections}
        two = {
            f"{each.statistic.name}_difference": each.comparison.differences.parts[0].methods[0]
            for each in self.sections
            if each.comparison is not None
        }
        return {**one, **two}

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of what is compared, in the order of the differences."""
        return tuple(combinations([row.name for row in self.asked.rows], 2))

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name, as JSON has them."""
        asked = self.asked
        positive, negative = asked.cases.sizes
        return {
            "source": asked.origin.source,
            "y_true": asked.origin.y_true,
            "pos_label": asked.cases.labels[1],
            "n_cases": positive + negative,
            "n_positive": positive,
            "n_rows_dropped": asked.origin.dropped,
            "confidence_level": asked.question.confidence_level,
            "n_groups": asked.cases.n_groups or None,
            "sampling": "stratified" if asked.cases.groups is None else "groups",
            "methods": self.methods,
            "thresholds": "envelope" if asked.optimistic else "validation",
            "operating_condition": asdict(asked.condition),
            "by": None if asked.subgroups is None else asked.subgroups.by,
            "models": [self._row(place, row) for place, row in enumerate(asked.rows)],
            "difference": self._difference() if len(self.pairs) == 1 else None,
            "comparison": self._comparison() if len(self.pairs) > 1 else None,
        }

    def _row(self, place: int, row: Row) -> dict[str, Any]:
        """A model, or a subgroup."""
        positive, negative = row.cases.sizes
        numbers = [
            {each.statistic.name: _said(each.estimates[place]), **each.statistic.more(each.results[place])}
            for each in self.sections
        ]
        metrics = {"metric_threshold": row.model.metric_threshold} if self.asked.question.metrics else {}
        return {
            "name": row.name,
            "n_cases": positive + negative,
            "n_positive": positive,
            **self._by_name(numbers),
            "threshold": self.asked.threshold(row),
            **metrics,
            "operating_range": self.operating_ranges[place],
        }

    def _difference(self) -> dict[str, Any]:
        """The first of two rows less the second."""
        ((a, b),) = self.pairs
        numbers = [{each.statistic.name: _said(each.differences[0])} for each in self.sections]
        a_cheaper, b_cheaper = (None, None) if self.cheaper is None else self.cheaper
        return {"a": a, "b": b, **self._by_name(numbers), "a_cheaper": a_cheaper, "b_cheaper": b_cheaper}

    def _comparison(self) -> dict[str, Any]:
        """All differences of more than two rows, and who may be best."""
        numbers = []
        for each in self.sections:
            said = zip(self.pairs, map(_said, each.differences), strict=True)
            differences = [{"a": a, "b": b, **difference} for (a, b), difference in said]
            numbers.append({each.statistic.name: {"differences": differences, "may_be_best": self.best(each)}})
        return {"adjustment": "max_t", **self._by_name(numbers)}

    def best(self, section: Section) -> tuple[str, ...]:
        """The rows that may be best, where more than two are compared."""
        if section.comparison is None or len(self.pairs) < 2:
            return ()
        return section.comparison.may_be_best(self.asked.question.confidence_level)

    def _by_name(self, numbers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What is said of each section, of a statistic of several points in a list."""
        found: dict[str, Any] = {}
        for section, said in zip(self.sections, numbers, strict=True):
            if section.statistic.group is None:
                found.update(said)
            else:
                found.setdefault(section.statistic.group, []).append({**section.point, **said})
        return found


def _said(numbers: Estimate) -> dict[str, float | None]:
    """The numbers by name, infinite ones as None."""
    return {name: finite(value) for name, value in asdict(numbers).items()}


def report_on(asked: Inquiry) -> Report:
    """Everything there is to say about models, or about one in subgroups, and their differences."""
    if len(asked.models) > 1:
        for model in asked.models:  # differences rank the scores: now, so that each column is sorted once
            asked.cases.counts(model.name, ranked=True)
    sections = tuple(_section(asked, each, point) for each in STATISTICS for point in each.points(asked))
    curves = (cost_curve_of(row.cases.counts(row.model.name)) for row in asked.rows)
    return Report(asked, sections, tuple(curve.operating_range() for curve in curves), _cheaper(asked))


def _section(asked: Inquiry, statistic: Statistic, point: Point) -> Section:
    """One number a row, and their differences."""
    level, options = asked.question.confidence_level, statistic.options(asked, point)
    results = tuple(_result(row, statistic, options) for row in asked.rows)
    estimates = tuple(
        Estimate(float(each.estimate), float(each.standard_error), *map(float, each.confidence_interval(level)))
        for each in results
    )
    comparison = _compared(asked, statistic, options, results) if len(results) > 1 else None
    return Section(statistic, point, results, estimates, comparison, _differences(comparison, level))


def _result(row: Row, statistic: Statistic, options: Mapping[str, Any]) -> BootstrapResult:
    """A row's number; what has no value is said to be whose."""
    try:
        return Pairs(statistic.question, row.cases, options, [row.model.name]).single(row.model.name)
    except ValueError as error:
        raise ValueError(f"{row.name}: {error}") from None


def _compared(
    asked: Inquiry, statistic: Statistic, options: Mapping[str, Any], results: tuple[BootstrapResult, ...]
) -> ModelComparison:
    """The rows compared: models on the same cases, or subgroups that share none."""
    names, question = [row.name for row in asked.rows], statistic.question
    paired = Pairs(question, asked.cases, options, names) if asked.subgroups is None else Independent(results)
    return compare(
        names,
        results,
        paired,
        pairwise(names),
        adjustment="max_t" if len(names) > 2 else "none",
        greater_is_better=question.greater_is_better,
        title=question.title,
    )


def _differences(comparison: ModelComparison | None, level: float) -> tuple[Difference, ...]:
    """Each with its limits and p-value."""
    if comparison is None:
        return ()
    found = comparison.differences
    columns = (found.estimate, found.standard_error, *found.confidence_interval(level), found.pvalue())
    return tuple(Difference(*row) for row in np.column_stack(columns).tolist())


def _cheaper(asked: Inquiry) -> tuple[Stretches, Stretches] | None:
    """Where, at all operating conditions at once, the first of two models is significantly cheaper, and the second."""
    if len(asked.models) != 2:
        return None
    a, b = asked.models
    rules = a.thresholds, b.thresholds
    difference = cost_difference_of(asked.cases, a.name, b.name, probability_cost=N_CONDITIONS, thresholds=rules)
    first, second = difference.significant(asked.question.confidence_level, simultaneous=True)
    return tuple(map(tuple, first.tolist())), tuple(map(tuple, second.tolist()))
