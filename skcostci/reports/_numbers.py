"""The numbers of a report on the scores of models, each computed once, to be written or drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Comparable, cached_property
from skcostci._options import Label
from skcostci._shown import as_json
from skcostci.compare._comparison import ModelComparison, compare
from skcostci.compare._contrasts import pairwise
from skcostci.geometry.cost_curve import cost_curve_of
from skcostci.reports._classes import ClassCases
from skcostci.reports._inquiry import Inquiry, Row, sizes_of
from skcostci.reports._statistics import Point, ReportedStatistic, Results, requested_points
from skcostci.results._results import BootstrapResult
from skcostci.statistics._compare import Independent, Pairs, undefined_like
from skcostci.statistics._cost import cost_of

Stretches = tuple[tuple[float, float], ...]
N_CONDITIONS = 101
ABOUT = ("statistic", "confidence_level", "method")
WHOLE = (0.0, 1.0)  # the range of statistics that compare the classes


@dataclass(frozen=True)
class Estimate:
    """A number and its interval; the reason if it is undefined."""

    estimate: float
    standard_error: float
    low: float
    high: float
    note: str = ""


@dataclass(frozen=True)
class DifferenceEstimate(Estimate):
    """A difference, a - b, with its two-sided p-value."""

    pvalue: float = 1.0


@dataclass(frozen=True)
class Section:
    """A point of a statistic: a result and its numbers per row, and all differences of several rows.

    Two rows have one unadjusted difference; with more rows the limits of all differences hold together. If no row has a
    value there are no results.
    """

    statistic: ReportedStatistic
    point: Point
    results: tuple[BootstrapResult, ...]
    estimates: tuple[Estimate, ...]
    comparison: ModelComparison | None
    differences: tuple[DifferenceEstimate, ...]

    def named(self, rows: Sequence[str], pairs: Sequence[str]) -> Iterator[tuple[str, Estimate]]:
        """The numbers of each row, then the differences."""
        yield from zip(rows, self.estimates, strict=True)
        yield from zip(pairs if self.differences else (), self.differences, strict=True)

    def about(self, numbers: Estimate, level: float) -> Mapping[str, Any]:
        """A description of a number: the statistic, level and method of its limits; no method without a result."""
        found: Results = self.results
        if isinstance(numbers, DifferenceEstimate) and self.comparison is not None:
            found = self.comparison.differences.parts
        if not found:
            return dict(zip(ABOUT, (self.statistic.name, level, ""), strict=True))
        about: dict[str, object] = found[0]._about(level, None)
        return about


@dataclass(frozen=True, repr=False, eq=False)
class Answers(Comparable):
    """All numbers of a report: each statistic at each point, conditions of low costs, the inquiry and the date."""

    inquiry: Inquiry
    sections: tuple[Section, ...]
    operating_ranges: tuple[tuple[float, float] | None, ...] | None
    cheaper: tuple[Stretches, Stretches] | None
    version: str
    date: str

    @property
    def call(self) -> str:
        """The call that made the report, as code."""
        return self.inquiry.origin.call

    def _compared(self) -> Mapping[str, object]:
        """The numbers, without the date."""
        return self._columns

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The numbers, a dictionary for each: models or subgroups, then differences, of each statistic at each point.

        For three classes or more ``label`` is the class, the average or "all classes", and ``support`` the number of
        cases of these classes.
        """
        names, pairs = [row.name for row in self.inquiry.rows], [f"{a} - {b}" for a, b in self.pairs]
        return [
            {
                **{"model": name, "metric": each.statistic.name, "at": said_point(each.point, name)},
                **self._of_class(each.point, name),
                **_numbers(numbers),
                **each.about(numbers, self.inquiry.question.confidence_level),
            }
            for each in self.sections
            for name, numbers in each.named(names, pairs)
        ]

    def _of_class(self, point: Point, name: str) -> dict[str, object]:
        """The class that a number is of, and how many cases it has; of a subgroup in the subgroup."""
        cases = next((row.cases for row in self.inquiry.rows if row.name == name), self.inquiry.cases)
        if not isinstance(cases, ClassCases):
            return {}
        label, support = point.get("label"), cases.support
        many = sum(support) if label is None else support[cases.labels.index(label)]
        return {"label": point.get("average", "all classes") if label is None else label, "support": many}

    @property
    def labels(self) -> tuple[Label, ...]:
        """The classes; of two the negative one first."""
        return tuple(self.inquiry.cases.labels)

    @property
    def _columns(self) -> Mapping[str, ArrayLike]:
        """The numbers by name, one entry per row of the frame."""
        return {name: [row[name] for row in self.rows] for name in self.rows[0]}

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of the models or subgroups compared, in the order of the differences."""
        return tuple(combinations([row.name for row in self.inquiry.rows], 2))

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name, as plain Python objects that ``json.dumps`` accepts.

        Returns
        -------
        dict
            ``made``, who made it, when and of what, and ``rows``, those of ``to_frame``: what the command line prints
            with ``--json``. Infinite numbers are the texts "Infinity" and "-Infinity", undefined numbers None.

        Examples
        --------
        >>> from skcostci import report
        >>> found = report([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6]})
        >>> found.to_dict()["made"]["n_positive"]
        3
        """
        cases, origin = self.inquiry.cases, self.inquiry.origin._asdict()
        made = {"version": self.version, "date": self.date, **origin, **sizes_of(cases), **_named(cases)}
        plain: dict[str, object] = as_json({"made": made, "rows": self.rows})
        return plain

    def _best(self, section: Section) -> tuple[str, ...]:
        """The rows that may be best, if more than two are compared."""
        if section.comparison is None or len(self.pairs) < 2:
            return ()
        return section.comparison.may_be_best(self.inquiry.question.confidence_level)


def plain_point(point: Point, model: str | None) -> dict[str, object]:
    """The values that distinguish a point, for one model: its threshold, not those of others."""
    named = dict(point)
    cut = named.pop("thresholds", None)
    if cut is None:
        return named
    return {**named, "threshold": cut.get(model, dict(cut)) if isinstance(cut, Mapping) else cut}


def said_point(point: Point, model: str) -> str:
    """The point in words; an empty text for statistics without points, and for differences between thresholds."""
    said = plain_point(point, model).items()
    return ", ".join(f"{name} {value:g}" for name, value in said if isinstance(value, float | int) and name != "label")


def _numbers(numbers: Estimate) -> dict[str, object]:
    """The numbers of an estimate or a difference; an estimate has no p-value."""
    named = asdict(numbers)
    return {**named, "p": named.pop("pvalue", np.nan)}


def answers(inquiry: Inquiry) -> dict[str, Any]:
    """All numbers about models, or about one in subgroups, and their differences: the fields of the report."""
    from skcostci import __version__

    whole = [row for row in inquiry.rows if not row.missing]
    if len(inquiry.models) > 1 and whole and not isinstance(inquiry.cases, ClassCases):
        for model in inquiry.models:  # differences rank the scores: doing so now sorts each column once
            inquiry.cases.counts(model, ranked=True)
    points = [
        (each, point)
        for each, point in requested_points(inquiry.question, inquiry.cases)
        if each.with_groups or inquiry.cases.groups is None
    ]
    sections = tuple(_section(inquiry, each, point) for each, point in points)
    if not any(section.results for section in sections):
        names = ", ".join(dict.fromkeys(section.statistic.question.title for section in sections))
        raise ValueError(f"{names}: undefined ({inquiry.rows[0].missing}); recall and specificity need only one class.")
    ranges = tuple(
        None if row.missing else cost_curve_of(row.cases.counts(row.model)).operating_range()
        for row in (inquiry.rows if inquiry.of_costs else ())
    )
    cheaper = _cheaper(inquiry) if inquiry.of_costs and whole else None
    today = datetime.now(UTC).date().isoformat()
    operating_ranges = ranges if inquiry.of_costs else None
    fields = {"inquiry": inquiry, "sections": sections, "operating_ranges": operating_ranges, "cheaper": cheaper}
    return {**fields, "version": __version__, "date": today}


def _section(inquiry: Inquiry, statistic: ReportedStatistic, point: Point) -> Section:
    """One number per row, and their differences."""
    level, options = inquiry.question.confidence_level, statistic.options(inquiry, point)
    if inquiry.cases.proxies is not None and inquiry.subgroups is None:
        inquiry = _with_one_weight(inquiry, statistic, options)
    results = _results(inquiry, statistic, options)
    if not results:
        nothing = tuple(Estimate(np.nan, np.nan, *WHOLE, f"undefined ({row.missing})") for row in inquiry.rows)
        return Section(statistic, point, (), nothing, None, ())
    estimates = tuple(_estimate(each, level) for each in results)
    alone = len(results) < 2 or (statistic.question.instead and inquiry.subgroups is None)
    comparison = None if alone else _compared(inquiry, statistic, options, results)
    return Section(statistic, point, results, estimates, comparison, _differences(comparison, level))


def _with_one_weight(inquiry: Inquiry, statistic: ReportedStatistic, options: Mapping[str, object]) -> Inquiry:
    """The inquiry with the weight of a proxy's labels fixed to be the same for all models."""
    names = list(inquiry.models)
    return replace(inquiry, cases=Pairs(statistic.question, inquiry.cases, options, names).with_one_weight().cases)


def _named(cases: Any) -> dict[str, object]:
    """The positive label, or all classes if there are more; for importance weights the effective number of cases."""
    named: dict[str, object] = (
        {"labels": cases.labels} if isinstance(cases, ClassCases) else {"pos_label": cases.labels[1]}
    )
    named |= {} if cases.groups is None else {"n_groups": cases.n_groups}
    return named if cases.effective_number is None else {**named, "effective_cases": cases.effective_number}


def _estimate(result: BootstrapResult, level: float) -> Estimate:
    """The numbers of a result."""
    low, high = map(float, result.confidence_interval(level))
    note = result._undefined_because()[0]
    return Estimate(float(result.estimate), float(result.standard_error), low, high, note)


def _results(
    inquiry: Inquiry, statistic: ReportedStatistic, options: Mapping[str, object]
) -> tuple[BootstrapResult, ...]:
    """The result of each row; none if no row has both classes and the statistic compares them."""
    found = [None if statistic.compares and row.missing else _result(row, statistic, options) for row in inquiry.rows]
    known = next((result for result in found if result is not None), None)
    if known is None:
        return ()
    rows = zip(inquiry.rows, found, strict=True)
    return tuple(undefined_like(known, row.missing) if result is None else result for row, result in rows)


def _result(row: Row, statistic: ReportedStatistic, options: Mapping[str, object]) -> BootstrapResult:
    """The result of a row; an error names the row."""
    name = row.model
    try:
        return Pairs(statistic.question, row.cases, options, [name]).single(name)
    except ValueError as error:
        raise ValueError(f"{row.name}: {error}") from None


def _compared(
    inquiry: Inquiry, statistic: ReportedStatistic, options: Mapping[str, object], results: tuple[BootstrapResult, ...]
) -> ModelComparison:
    """The comparison of the rows: models on the same cases, or disjoint subgroups."""
    names, question = [row.name for row in inquiry.rows], statistic.question
    paired = Pairs(question, inquiry.cases, options, names) if inquiry.subgroups is None else Independent(results)
    how: dict[str, Any] = {"adjustment": "max_t" if len(names) > 2 else "none", **question.said(options)}
    return compare(names, results, paired, pairwise(names), **how)


def _differences(comparison: ModelComparison | None, level: float) -> tuple[DifferenceEstimate, ...]:
    """Each difference with its limits and p-value."""
    if comparison is None:
        return ()
    found = comparison.differences
    columns = (found.estimate, found.standard_error, *found.confidence_interval(level))
    numbers = (np.asarray(column).tolist() for column in columns)
    return tuple(DifferenceEstimate(*row) for row in zip(*numbers, found.notes, found.pvalue().tolist(), strict=True))


def _cheaper(inquiry: Inquiry) -> tuple[Stretches, Stretches] | None:
    """Where, simultaneously at all conditions, the first of two models is significantly cheaper, and the second."""
    if len(inquiry.models) != 2:
        return None
    difference = cost_of(inquiry.cases, *inquiry.models, probability_cost=N_CONDITIONS, thresholds="envelope")
    first, second = difference.significant(inquiry.question.confidence_level)
    return tuple(map(tuple, first.tolist())), tuple(map(tuple, second.tolist()))
