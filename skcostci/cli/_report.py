"""A report on the scores of one model or two: every number, computed once, to be written or drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Booleans, check_confidence_level, check_unit_interval
from skcostci.cuts import ThresholdRule
from skcostci.geometry.cost_curve import CostCurve
from skcostci.geometry.duality import probability_cost
from skcostci.results._results import BootstrapResult, DifferenceResult, MomentDifferenceResult
from skcostci.statistics._auc import bootstrap_auc
from skcostci.statistics._auc_difference import bootstrap_auc_difference
from skcostci.statistics._cost import bootstrap_cost, bootstrap_cost_difference
from skcostci.statistics._roc_fpr import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr

Stretches = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Model:
    """A model's name, its scores of the cases, and how it chooses its thresholds."""

    name: str
    y_score: ArrayLike
    thresholds: ThresholdRule = "envelope"


@dataclass(frozen=True)
class Cases:
    """What the models are judged on: whether each case is positive, what that is called, how many cases a row is."""

    source: str
    column: str
    labels: tuple[Any, Any]
    positive: Booleans
    sample_weight: ArrayLike | None = None


@dataclass(frozen=True)
class Question:
    """What is asked: the level, the specificities and the operating condition, prevalence None being the sample's."""

    confidence_level: float = 0.95
    specificity: Sequence[float] = (0.9, 0.95)
    prevalence: float | None = None
    cost_fn: float = 1.0
    cost_fp: float = 1.0

    def check(self) -> None:
        """Refuse what cannot be answered, before any data are read."""
        check_confidence_level(self.confidence_level)
        check_unit_interval("specificity", self.specificity)
        probability_cost(0.5 if self.prevalence is None else self.prevalence, self.cost_fn, self.cost_fp)


@dataclass(frozen=True)
class OperatingCondition:
    """Where the cost is stated."""

    prevalence: float
    prevalence_from: str
    cost_fn: float
    cost_fp: float
    probability_cost: float


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
class AtSpecificity:
    """The sensitivity at the smallest specificity these cases can have that is not below the one asked for."""

    specificity: float
    specificity_used: float
    sensitivity: Estimate


@dataclass(frozen=True)
class ModelReport:
    """One model; the threshold is None where nobody is labelled positive."""

    name: str
    auc: Estimate
    at_specificity: tuple[AtSpecificity, ...]
    cost: Estimate
    threshold: float | None
    operating_range: tuple[float, float]


@dataclass(frozen=True)
class DifferenceReport:
    """Model a less model b, and the stretches of PC(+) where either is significantly cheaper."""

    a: str
    b: str
    auc: Difference
    at_specificity: tuple[AtSpecificity, ...]
    cost: Difference
    a_cheaper: Stretches
    b_cheaper: Stretches


@dataclass(frozen=True)
class Report:
    """All of it."""

    source: str
    y_true: str
    pos_label: Any
    n_cases: int
    n_positive: int
    confidence_level: float
    sampling: str
    methods: dict[str, str]
    thresholds: str
    operating_condition: OperatingCondition
    models: tuple[ModelReport, ...]
    difference: DifferenceReport | None


def report_on(cases: Cases, models: Sequence[Model], question: Question) -> Report:
    """Everything there is to say about one model, or about two and their difference."""
    weights = np.ones(len(cases.positive)) if cases.sample_weight is None else np.asarray(cases.sample_weight)
    n_cases, n_positive = int(weights.sum()), int(weights[cases.positive].sum())
    condition = _condition(question, n_positive / n_cases)
    inquiry = _Inquiry(cases, question, condition.probability_cost, {})
    reports = tuple(map(inquiry.model, models))
    difference = inquiry.difference(*models) if len(models) == 2 else None
    return Report(
        source=cases.source,
        y_true=cases.column,
        pos_label=cases.labels[1],
        n_cases=n_cases,
        n_positive=n_positive,
        confidence_level=question.confidence_level,
        sampling="stratified",
        methods=inquiry.methods,
        thresholds="envelope" if all(isinstance(model.thresholds, str) for model in models) else "validation",
        operating_condition=condition,
        models=reports,
        difference=difference,
    )


def _condition(question: Question, share: float) -> OperatingCondition:
    """PC(+), at the prevalence of the sample where none is stated."""
    stated = question.prevalence is not None
    prevalence = float(question.prevalence) if question.prevalence is not None else share
    costs = question.cost_fn, question.cost_fp
    return OperatingCondition(
        prevalence, "stated" if stated else "sample", *costs, float(probability_cost(prevalence, *costs))
    )


@dataclass(frozen=True)
class _Inquiry:
    """The questions put to each model and to the pair; ``methods`` fills up with the interval methods they use."""

    cases: Cases
    question: Question
    probability_cost: float
    methods: dict[str, str]

    @property
    def _sample(self) -> dict[str, Any]:
        return {"sample_weight": self.cases.sample_weight}

    @property
    def _fpr(self) -> list[float]:
        return [round(1 - specificity, 12) for specificity in self.question.specificity]

    def model(self, model: Model) -> ModelReport:
        """One model by itself."""
        data = self.cases.positive, model.y_score
        cost = bootstrap_cost(
            *data, probability_cost=self.probability_cost, thresholds=model.thresholds, **self._sample
        )
        roc = bootstrap_roc_at_fpr(*data, fpr=self._fpr, **self._sample)
        return ModelReport(
            name=model.name,
            auc=self._estimates("auc", bootstrap_auc(*data, **self._sample))[0],
            at_specificity=self._rates("sensitivity", roc),
            cost=self._estimates("cost", cost)[0],
            threshold=float(cost.thresholds) if np.isfinite(cost.thresholds) else None,
            operating_range=CostCurve.from_predictions(*data, **self._sample).operating_range(),
        )

    def difference(self, a: Model, b: Model) -> DifferenceReport:
        """One model less the other."""
        data = self.cases.positive, a.y_score, b.y_score
        rules = {"thresholds": (a.thresholds, b.thresholds), **self._sample}
        cost = bootstrap_cost_difference(*data, probability_cost=self.probability_cost, **rules)
        roc = bootstrap_roc_difference_at_fpr(*data, fpr=self._fpr, **self._sample)
        cheaper = bootstrap_cost_difference(*data, **rules).significant(self.question.confidence_level)
        return DifferenceReport(
            a=a.name,
            b=b.name,
            auc=self._differences("auc_difference", bootstrap_auc_difference(*data, **self._sample))[0],
            at_specificity=self._rates("sensitivity_difference", roc),
            cost=self._differences("cost_difference", cost)[0],
            a_cheaper=tuple((low, high) for low, high in cheaper.a.tolist()),
            b_cheaper=tuple((low, high) for low, high in cheaper.b.tolist()),
        )

    def _estimates(self, key: str, result: BootstrapResult) -> list[Estimate]:
        """Each point of a result with its interval."""
        self.methods[key] = result.methods[0]
        interval = result.confidence_interval(self.question.confidence_level)
        return [Estimate(*numbers) for numbers in _rows(result.estimate, result.standard_error, *interval)]

    def _differences(self, key: str, result: DifferenceResult | MomentDifferenceResult) -> list[Difference]:
        """Each point of a difference with its interval and p-value."""
        estimates = self._estimates(key, result)
        pvalues = _rows(result.pvalue())
        return [Difference(**vars(each), pvalue=p) for each, (p,) in zip(estimates, pvalues, strict=True)]

    def _rates(self, key: str, result: Any) -> tuple[AtSpecificity, ...]:
        """The points of a ROC curve, or of the difference of two."""
        points = (
            self._differences(key, result) if isinstance(result, DifferenceResult) else self._estimates(key, result)
        )
        used = [1 - fpr for (fpr,) in _rows(result.fpr)]
        return tuple(map(AtSpecificity, self.question.specificity, used, points))


def _rows(*columns: Any) -> list[tuple[float, ...]]:
    """Columns of numbers, or single numbers, row by row."""
    return list(zip(*(np.atleast_1d(column).tolist() for column in columns), strict=True))
