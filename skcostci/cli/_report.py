"""A report on the scores of one model or two: every number, computed once, to be written or drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skcostci.cli._inquiry import Inquiry
from skcostci.cli._statistics import STATISTICS, Point, Statistic, cheaper
from skcostci.geometry.cost_curve import CostCurve

Stretches = tuple[tuple[float, float], ...]


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
    """A point of a statistic: of each model, and of the first less the second."""

    statistic: Statistic
    point: Point
    models: tuple[Estimate, ...]
    difference: Difference | None


@dataclass(frozen=True)
class Report:
    """All of it; the stretches are those of PC(+) where model a, or b, is significantly cheaper."""

    asked: Inquiry
    methods: dict[str, str]
    sections: tuple[Section, ...]
    operating_ranges: tuple[tuple[float, float], ...]
    a_cheaper: Stretches
    b_cheaper: Stretches

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name, as JSON has them."""
        asked = self.asked
        positive, negative = asked.cases.sizes
        models = [
            {
                "name": model.name,
                **self._by_name([section.models[place] for section in self.sections]),
                "threshold": asked.threshold(model),
                "operating_range": self.operating_ranges[place],
            }
            for place, model in enumerate(asked.models)
        ]
        return {
            "source": asked.origin[0],
            "y_true": asked.origin[1],
            "pos_label": asked.cases.labels[1],
            "n_cases": positive + negative,
            "n_positive": positive,
            "confidence_level": asked.question.confidence_level,
            "sampling": "stratified",
            "methods": self.methods,
            "thresholds": "envelope" if asked.optimistic else "validation",
            "operating_condition": asdict(asked.condition),
            "models": models,
            "difference": self._difference() if len(models) == 2 else None,
        }

    def _difference(self) -> dict[str, Any]:
        """The first model less the second."""
        a, b = self.asked.models
        return {
            "a": a.name,
            "b": b.name,
            **self._by_name([section.difference for section in self.sections]),
            "a_cheaper": self.a_cheaper,
            "b_cheaper": self.b_cheaper,
        }

    def _by_name(self, numbers: Sequence[Estimate | None]) -> dict[str, Any]:
        """The numbers of the sections, those of a statistic of several points in a list."""
        found: dict[str, Any] = {}
        for section, each in zip(self.sections, numbers, strict=True):
            said, statistic = asdict(each) if each is not None else None, section.statistic
            if statistic.group is None:
                found[statistic.name] = said
            else:
                found.setdefault(statistic.group, []).append({**section.point, statistic.name: said})
        return found


def report_on(asked: Inquiry) -> Report:
    """Everything there is to say about one model, or about two and their difference."""
    two = asked.models if len(asked.models) == 2 else None
    methods: tuple[dict[str, str], dict[str, str]] = {}, {}
    sections: list[Section] = []
    for statistic in STATISTICS:
        difference = None if two is None else statistic.of_two(asked, *two)  # first: it ranks the scores of both
        models = [statistic.of_one(asked, model) for model in asked.models]
        methods[0][statistic.name] = models[0].methods[0]
        if difference is not None:
            methods[1][f"{statistic.name}_difference"] = difference.methods[0]
        sections += _sections(asked, statistic, models, difference)
    counts = (asked.cases.counts(model.name) for model in asked.models)
    stretches = ([], []) if two is None else (part.tolist() for part in cheaper(asked, *two))
    return Report(
        asked,
        {**methods[0], **methods[1]},
        tuple(sections),
        tuple(CostCurve.from_counts(each).operating_range() for each in counts),
        *(tuple((low, high) for low, high in part) for part in stretches),
    )


def _sections(asked: Inquiry, statistic: Statistic, models: Sequence[Any], difference: Any) -> list[Section]:
    """A section for each point."""
    level = asked.question.confidence_level
    points = statistic.points(asked, models[0])
    each = [[Estimate(*row) for row in _rows(result, level)] for result in models]
    apart: Sequence[Difference | None] = [None] * len(points)
    if difference is not None:
        apart = [Difference(*row) for row in _rows(difference, level, difference.pvalue())]
    return [
        Section(statistic, point, estimates, between)
        for point, estimates, between in zip(points, zip(*each, strict=True), apart, strict=True)
    ]


def _rows(result: Any, level: float, *more: Any) -> list[tuple[float, ...]]:
    """Each point of a result with its interval."""
    columns = (result.estimate, result.standard_error, *result.confidence_interval(level), *more)
    return list(zip(*(np.atleast_1d(column).tolist() for column in columns), strict=True))
