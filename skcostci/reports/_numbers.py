"""The numbers of a report on the scores of models, each computed once, to be written or drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from skcostci.compare._comparison import ModelComparison, compare
from skcostci.compare._contrasts import pairwise
from skcostci.geometry.cost_curve import cost_curve_of
from skcostci.reports._inquiry import ClassCases, Inquiry, Row
from skcostci.reports._statistics import ReportedStatistic, positive_from, requested_statistics
from skcostci.results._results import BootstrapResult
from skcostci.statistics._compare import Pairs, difference_between, undefined_like
from skcostci.statistics._cost import cost_of

Stretches = tuple[tuple[float, float], ...]
Numbers = dict[str, Any]  # a row of the frame
N_CONDITIONS = 101
WHOLE = (0.0, 1.0)  # the range of statistics that compare the classes


@dataclass(frozen=True)
class Section:
    """The numbers of a statistic at a point: of each row, then of each difference of rows, and the lines around them.

    ``quantity`` is the heading whatever the threshold. Two rows have one unadjusted difference; with more the limits of
    all differences hold together.
    """

    name: str
    quantity: str
    title: str
    of: str  # the class, or the average over classes
    lines_before: Sequence[str]
    numbers: list[Numbers]
    lines_after: Sequence[str]
    comparison: ModelComparison | None


def numbers_of(inquiry: Inquiry) -> dict[str, Any]:
    """All numbers about models, or about one in subgroups, and their differences: the fields of the report."""
    from skcostci import __version__

    statistics = requested_statistics(inquiry)
    for each in statistics if inquiry.cases.proxies is not None else ():
        if each.name not in ("auc", "brier") and not each.of_labels:
            raise ValueError(f"proxy= is available for AUCs, Brier scores and metrics of labels, got {each.name!r}.")
    whole = [row for row in inquiry.rows if not row.missing]
    if not any(whole or not each.compares for each in statistics):
        names = ", ".join(dict.fromkeys(each.question.title for each in statistics))
        raise ValueError(f"{names}: undefined ({inquiry.rows[0].missing}); recall and specificity need only one class.")
    if len(inquiry.models) > 1 and whole and not isinstance(inquiry.cases, ClassCases):
        for model in inquiry.models:  # differences rank the scores: doing so now sorts each column once
            inquiry.cases.counts(model, ranked=True)
    curves = (None if row.missing else cost_curve_of(row.cases.counts(row.model)) for row in inquiry.rows)
    return {
        "inquiry": inquiry,
        "sections": tuple(_section(inquiry, each) for each in statistics),
        "operating_ranges": tuple(curve and curve.operating_range() for curve in curves) if inquiry.of_costs else None,
        "cheaper": _cheaper(inquiry) if inquiry.of_costs and whole and len(inquiry.models) == 2 else None,
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
    }


def _section(inquiry: Inquiry, statistic: ReportedStatistic) -> Section:
    """One number per row, and their differences."""
    if inquiry.cases.proxies is not None and inquiry.subgroups is None:  # the same weight of the proxy for all models
        pairs = Pairs(statistic.question, inquiry.cases, statistic.options, list(inquiry.models))
        inquiry = replace(inquiry, cases=pairs.with_one_weight().cases)
    results = _results(inquiry, statistic)
    alone = len(results) < 2 or (statistic.question.instead and inquiry.subgroups is None)
    comparison = None if alone else _compared(inquiry, statistic, results)
    point = statistic.point
    several = len(inquiry.thresholds) > 1 and "thresholds" in point
    return Section(
        str(statistic.name),
        str(statistic.name).replace("_", " ") if point and not statistic.of_labels else statistic.title,
        f"{statistic.title} at threshold {point['thresholds']:g}" if several else statistic.title,
        str(point.get("label", point.get("average", ""))),
        statistic.lines_before,
        [*_of_rows(inquiry, statistic, results), *_of_differences(inquiry, statistic, comparison)],
        [*_thresholds(inquiry, statistic, results), *statistic.lines_after],
        comparison,
    )


def _results(inquiry: Inquiry, statistic: ReportedStatistic) -> list[BootstrapResult]:
    """The result of each row; none if no row has both classes and the statistic compares them."""
    found = [None if statistic.compares and row.missing else _result(row, statistic) for row in inquiry.rows]
    known = next((result for result in found if result is not None), None)
    if known is None:
        return []
    rows = zip(inquiry.rows, found, strict=True)
    return [undefined_like(known, row.missing) if result is None else result for row, result in rows]


def _result(row: Row, statistic: ReportedStatistic) -> BootstrapResult:
    """The result of a row; an error names the row."""
    try:
        return Pairs(statistic.question, row.cases, statistic.options, [row.model]).single(row.model)
    except ValueError as error:
        raise ValueError(f"{row.name}: {error}") from None


def _compared(inquiry: Inquiry, statistic: ReportedStatistic, results: Sequence[BootstrapResult]) -> ModelComparison:
    """The comparison of the rows: models on the same cases, or disjoint subgroups."""
    names, question, options = [row.name for row in inquiry.rows], statistic.question, statistic.options
    alone = partial(difference_between, results)
    paired = Pairs(question, inquiry.cases, options, names) if inquiry.subgroups is None else alone
    how: dict[str, Any] = {"adjustment": "max_t" if len(names) > 2 else "none", **question.said(options)}
    return compare(names, tuple(results), paired, pairwise(names), **how)


def _of_rows(inquiry: Inquiry, statistic: ReportedStatistic, results: Sequence[BootstrapResult]) -> Iterable[Numbers]:
    level = inquiry.confidence_level
    nothing = {"statistic": statistic.name, "confidence_level": level, "method": ""}
    about = results[0]._about(level, None) if results else nothing
    for place, row in enumerate(inquiry.rows):
        numbers: tuple[Any, ...] = (np.nan, np.nan, *WHOLE, f"undefined ({row.missing})")
        if results:
            result = results[place]
            limits = map(float, result.confidence_interval(level))
            numbers = float(result.estimate), float(result.standard_error), *limits, result._undefined_because()[0]
        yield _row(statistic, row.name, row.cases, (*numbers, np.nan), about)


def _of_differences(
    inquiry: Inquiry, statistic: ReportedStatistic, comparison: ModelComparison | None
) -> Iterable[Numbers]:
    if comparison is None:
        return
    found, level = comparison.differences, inquiry.confidence_level
    columns = (found.estimate, found.standard_error, *found.confidence_interval(level))
    numbers = zip(*(np.asarray(each).tolist() for each in columns), found.notes, found.pvalue().tolist(), strict=True)
    for (a, b), row in zip(combinations([row.name for row in inquiry.rows], 2), numbers, strict=True):
        yield _row(statistic, f"{a} - {b}", inquiry.cases, row, found.parts[0]._about(level, None))


def _row(
    statistic: ReportedStatistic, name: str, cases: Any, numbers: Sequence[object], about: Mapping[str, object]
) -> Numbers:
    """A row of the frame; of several classes with the class, and how many cases it has."""
    row: Numbers = {"model": name, "metric": statistic.name, "at": _point_in_words(statistic.point, name)}
    if isinstance(cases, ClassCases):
        label, support = statistic.point.get("label"), cases.support
        many = sum(support) if label is None else support[cases.labels.index(label)]
        row |= {"label": statistic.point.get("average", "all classes") if label is None else label, "support": many}
    names = ("estimate", "standard_error", "low", "high", "note", "p")
    return {**row, **dict(zip(names, numbers, strict=True)), **about}


def _point_in_words(point: Mapping[str, Any], model: str) -> str:
    """The point in words; an empty text for statistics without points, and for differences between thresholds."""
    said = []
    for name, value in point.items():
        own = value.get(model) if isinstance(value, Mapping) else value
        if isinstance(own, float | int) and name != "label":
            said.append(f"{name.removesuffix('s') if name == 'thresholds' else name} {own:g}")
    return ", ".join(said)


def _thresholds(inquiry: Inquiry, statistic: ReportedStatistic, results: Sequence[BootstrapResult]) -> Iterable[str]:
    """The score from which cases of each row are positive, if the statistic has one."""
    found: Sequence[Any] = results if statistic.has_threshold else ()
    for row, result in zip(inquiry.rows, found, strict=False):
        if not row.missing:
            cut = result.threshold if hasattr(result, "threshold") else result.thresholds
            yield positive_from(inquiry.shown[row.name], float(cut))


def _cheaper(inquiry: Inquiry) -> tuple[Stretches, Stretches]:
    """Where, simultaneously at all conditions, the first of two models is significantly cheaper, and the second."""
    difference = cost_of(inquiry.cases, *inquiry.models, probability_cost=N_CONDITIONS, thresholds="envelope")
    first, second = difference.significant(inquiry.confidence_level)
    return tuple(map(tuple, first.tolist())), tuple(map(tuple, second.tolist()))
