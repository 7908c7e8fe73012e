"""The statistics of a report: the name (word) of each and its text. To add one, add a line to WORDS.

A word names a statistic, and after a colon the number that it needs: ``"sensitivity_at_specificity:0.9"``. The key of
such a word ends in the colon, so that "auc" and "auc:0.1" are two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from skcostci._arrays import reached
from skcostci._options import RATES_AT, Label, RateAt
from skcostci._validation._arguments import SHARE
from skcostci.cases._cases import Cases
from skcostci.cases._judged import JudgedCases
from skcostci.metric import AnyMetric, RiskMetric, find_metric
from skcostci.reports._classes import ClassCases
from skcostci.reports._inquiry import Inquiry, ReportOptions, cut_of, finite, labelled
from skcostci.statistics._any_metric import metric_of
from skcostci.statistics._each_class import against_the_rest
from skcostci.statistics._registry import NAMES, STATISTICS, NamedStatistic, statistic_named, statistic_of
from skcostci.statistics._several import HowJudged, is_function, is_of_two_classes, is_share_of_cases, right_or_wrong
from skcostci.tables import has_average

Point = Mapping[str, Any]  # the values that distinguish a point of a statistic from its others
Results = Sequence[Any]  # one per row; empty where the statistic is undefined for all rows


@dataclass(frozen=True)
class ReportedStatistic:
    """One entry: its name, the statistic for one model and for two, its heading; for metrics of labels the ``metric``.

    ``number`` is the name of the number that its word may have. ``options`` are the statistic's options at a point.
    ``before`` and ``after`` are lines above the heading and below the numbers. If it ``compares`` the classes
    all must occur. ``source`` is a function and its arguments that return the entry, () for words and metrics of two
    classes.
    """

    name: str
    question: NamedStatistic
    title: Callable[[Inquiry, Point], str]
    number: str | None = None
    options: Callable[[Inquiry, Point], dict[str, Any]] = lambda *_: {}
    before: Callable[[Inquiry, Point], Sequence[str]] = lambda *_: ()
    after: Callable[[Inquiry, Results], Sequence[str]] = lambda *_: ()
    compares: bool = True
    with_groups: bool = True
    metric: object = None
    source: tuple[Any, ...] = ()

    @property
    def takes_proxy(self) -> bool:
        """Whether a proxy's labels may be used for unchecked cases."""
        return self.name in ("auc", "brier") or self.metric is not None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by its word or metric: functions without a name cannot be pickled."""
        if self.source:
            return self.source
        word = next((word for word, statistic in WORDS.items() if statistic is self), self.metric or self.name)
        return _entry, (word,)


def _entry(word: Any) -> ReportedStatistic:
    """The entry of a word, or of a metric."""
    return WORDS[word] if word in WORDS else _metric(word) if needs_threshold(word) else _of_scores(word)


def _condition(inquiry: Inquiry, _: Point) -> Sequence[str]:
    """The operating condition in words."""
    condition = inquiry.condition
    source = "that of these cases" if condition.prevalence_from == "sample" else "as stated"
    total = condition.prevalence * condition.cost_fn + (1 - condition.prevalence) * condition.cost_fp
    return [
        f"Prevalence {condition.prevalence:.3g} ({source}), a miss costs {condition.cost_fn:g}, "
        f"a false alarm {condition.cost_fp:g}.",
        f"Normalized cost: 1 is everything wrong, {total:.4g} a case in these units.",
    ]


def _cheapest(inquiry: Inquiry, _: Results) -> Sequence[str]:
    """Which cases the models label positive at the operating condition."""
    return [
        *(_positive_from(inquiry, row.name, inquiry.threshold(row)) for row in inquiry.rows if not row.missing),
        "  (the cheapest on these very cases: the interval allows for that choice)",
    ]


def _positive_from(inquiry: Inquiry, name: str, threshold: float | None) -> str:
    rule = "nobody is positive" if threshold is None else f"positive from a score of {threshold:.4g}"
    return labelled(inquiry.shown[name], rule)


def _where_reached(inquiry: Inquiry, results: Results) -> Sequence[str]:
    """The score at which each row has the rate that is held."""
    rows = zip(inquiry.rows, results, strict=bool(results))
    return [_positive_from(inquiry, row.name, finite(result.threshold)) for row, result in rows if not row.missing]


def _where_chosen(inquiry: Inquiry, results: Results) -> Sequence[str]:
    """The threshold that each row's cases choose, and what compares models by thresholds chosen beforehand."""
    rows = [(row, result) for row, result in zip(inquiry.rows, results, strict=bool(results)) if not row.missing]
    cuts = [getattr(result, "threshold", None) or result.thresholds for _, result in rows]
    return [_positive_from(inquiry, row.name, finite(cut)) for (row, _), cut in zip(rows, cuts, strict=True)]


def _metric(metric: str | AnyMetric) -> ReportedStatistic:
    """The entry of a metric, by name or object; aliases have the entry of the metric's own name."""
    named = statistic_of(metric, "metrics")
    average = named.preset.get("average")
    found: Any = metric if average or named.metric is None else getattr(find_metric(named.metric), "name", metric)
    if average:
        of_both: Any = named.metric
        by_average = partial(metric_of, metric=of_both, how=HowJudged(average))
        named = replace(named, of=partial(_of_labels, by_average, (False, True)))
    elif named.metric is None:  # the share of wrong labels
        named = replace(named, of=partial(_of_labels, named.of, None))
    return ReportedStatistic(
        found,
        named,
        lambda *_: named.title,
        options=lambda inquiry, point: {"thresholds": point["thresholds"], "prevalence": inquiry.question.prevalence},
        before=lambda inquiry, point: _labels(inquiry, point) if metric == _first_metric(inquiry) else (),
        compares=False,
        metric=metric,
    )


def _of_labels(
    of: Callable[..., object],
    labels: tuple[Label, ...] | None,
    cases: Cases,
    *columns: str,
    thresholds: object,
    prevalence: object = None,
) -> Any:
    """A statistic of predicted labels, from scores and the thresholds at which they are positive."""
    if prevalence is not None:
        raise ValueError("prevalence is for metrics of two classes; leave averages over classes and losses out.")
    cuts = thresholds if isinstance(thresholds, tuple) else (thresholds,) * len(columns)
    predicted = {
        column: reached(cases.columns[column], cut).astype(np.int64) for column, cut in zip(columns, cuts, strict=True)
    }
    return of(_in_rows(cases, predicted, labels), *columns)


def _of_scores(name: str) -> ReportedStatistic:
    """The entry of any other statistic by name: of scores, or of scores that are probabilities."""
    named = _named(name)
    question, options = named, dict(named.preset)
    if named.loss is not None or (named.metric is not None and not named.preset):
        question = replace(named, of=partial(_of_probabilities, named.of))
        options = {"labels": [0, 1]} if named.loss in ("brier", "log_loss") else {}
    return ReportedStatistic(
        name,
        question,
        lambda *_: named.title,
        options=lambda *_: options,
        after=_where_chosen if named.instead else lambda *_: (),
        compares=named.compares,
    )


def _of_probabilities(of: Callable[..., object], cases: Cases, *columns: str, **options: object) -> Any:
    return of(_in_rows(cases), *columns, **options)


def _in_rows(
    cases: Cases, columns: Mapping[str, Any] | None = None, labels: tuple[Label, ...] | None = None
) -> JudgedCases:
    """The same cases for losses and functions, whose labels are 0 and 1, and for metrics of both classes."""
    truth, given = cases.positive.astype(np.int64), cases.columns if columns is None else columns
    return JudgedCases(truth, given, cases.rows, labels)


def _first_metric(inquiry: Inquiry) -> Any:
    """The first metric of labels among the options."""
    return next(word for word in inquiry.question.metrics if needs_threshold(word))


def _labels(inquiry: Inquiry, point: Point) -> Sequence[str]:
    """The labels to which the metrics apply."""
    stated = inquiry.question.prevalence
    where = "on these cases" if stated is None else f"at prevalence {stated:.3g} (as stated)"
    cuts = (_positive_from(inquiry, model, cut_of(point["thresholds"], model)) for model in inquiry.models)
    return [f"Metrics of labels, {where}", *cuts, ""]


def _rate_at(rate_at: RateAt) -> ReportedStatistic:
    """The entry of a rate at a fixed value of another: its number is the value that is held."""
    rate_name, held_name = rate_at.words
    return ReportedStatistic(
        rate_at.name,
        STATISTICS[rate_at.name],
        lambda _, point: f"{rate_name[0].upper()}{rate_name[1:]} at {held_name} {point[rate_at.held]:g}",
        number=rate_at.held,
        options=lambda _, point: dict(point),
        after=_where_reached,
        with_groups=False,
    )


AUC = ReportedStatistic("auc", STATISTICS["auc"], lambda *_: "Area under the ROC curve")
PARTIAL_AUC = ReportedStatistic(
    "partial_auc",
    STATISTICS["auc"],
    lambda _, point: f"AUC up to FPR {point['max_fpr']:g}, standardized",
    number="max_fpr",
    options=lambda _, point: dict(point),
)
ELSEWHERE = {
    "mean": "of values alone: use compare_models(None, y_scores, {word!r})",
    "concordance": "of times of events: use compare_models(event, y_scores, {word!r}, time=time)",
}
SAMPLES = "for several labels per case: use bootstrap_metric(y_true, y_pred, {word!r})"
WORDS: dict[str, ReportedStatistic] = {
    "auc": AUC,
    "average_precision": ReportedStatistic(
        "average_precision", STATISTICS["average_precision"], lambda *_: "Average precision"
    ),
    "auc:": PARTIAL_AUC,
    **{f"{name}:": _rate_at(each) for name, each in RATES_AT.items()},
    "cost": ReportedStatistic(
        "cost",
        STATISTICS["cost"],
        lambda inquiry, _: f"Normalized cost at PC(+) = {inquiry.condition.probability_cost:.3f}",
        options=lambda inquiry, _: {
            "probability_cost": inquiry.condition.probability_cost,
            "thresholds": "envelope",
        },
        before=_condition,
        after=_cheapest,
    ),
}


def requested_points(question: ReportOptions, cases: Any = None) -> list[tuple[ReportedStatistic, Point]]:
    """Each statistic with its point, in order: statistics of scores, then those of labels by threshold."""
    if isinstance(cases, ClassCases):
        return _each_once(class_points(question.metrics, cases))
    of_scores = [_found(word) for word in question.metrics if not needs_threshold(word)]
    names = [word for word in question.metrics if needs_threshold(word)]
    if names and not question.thresholds:
        raise ValueError(
            f"{names[0]!r} is a metric of labels: it needs thresholds, the scores from which labels are positive."
        )
    metrics = [_metric(name) for name in names]
    return _each_once(
        [*of_scores, *((metric, {"thresholds": cut}) for cut in question.thresholds for metric in metrics)]
    )


def _each_once(requested: Iterable[tuple[ReportedStatistic, Point]]) -> list[tuple[ReportedStatistic, Point]]:
    """Each statistic once at a point."""
    each_once: dict[tuple[str, str], tuple[ReportedStatistic, Point]] = {}
    for statistic, point in requested:
        each_once.setdefault((statistic.name, repr(point)), (statistic, point))
    return list(each_once.values())


def needs_threshold(word: object) -> bool:
    """Whether a word names a metric of labels, or is one: it then needs thresholds."""
    if not isinstance(word, str):
        return bool(find_metric(word))
    if names_statistic(word):
        return False
    named = _named(word)
    of_labels = named.metric is not None and not is_function(named.metric) and "thresholds" not in named.preset
    return of_labels or named.loss == "zero_one"


def _named(word: str) -> NamedStatistic:
    """The statistic of a name; the error for any other suggests the nearest ones, or what answers it."""
    named = statistic_named(word)
    if named is None:
        others = (name for name in NAMES if name not in (*ELSEWHERE, *RATES_AT, *WORDS))
        find_metric(word, "metrics", (*WORDS, *others))  # raises, with the nearest names
    assert named is not None
    way = ELSEWHERE.get(word, SAMPLES if named.preset.get("average") == "samples" else "")
    if way:
        raise ValueError(f"metrics must be of labels and scores, got {word!r}, which is {way.format(word=word)}.")
    return named


def canonical(word: str) -> str:
    """A word with a report's name of its statistic: "roc_auc:0.1" becomes "auc:0.1", "neg_log_loss" "log_loss".

    With two classes the AUC of one class against the rest is the AUC.
    """
    name, colon, number = word.partition(":")
    named = statistic_named(name)
    own = next((each for each, known in STATISTICS.items() if known is named), name)
    return ("auc" if named is not None and "multi_class" in named.preset else own) + colon + number


def names_statistic(word: str) -> bool:
    """Whether a word names a statistic of scores, with a number or without."""
    name = canonical(word).partition(":")[0]
    return name in WORDS or f"{name}:" in WORDS


def _found(word: str) -> tuple[ReportedStatistic, Point]:
    """A statistic of scores, and the number in its word."""
    given, (name, colon, text) = word.partition(":")[0], canonical(word).partition(":")
    statistic = WORDS.get(name + colon) if names_statistic(word) else _of_scores(name)
    if statistic is None:
        needs = given if colon else f"{given}:{WORDS[f'{name}:'].number}"
        raise ValueError(f"metrics must have {given!r} as {needs!r}, got {word!r}.")
    if statistic.number is None:
        return statistic, {}
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"metrics must have a number after the colon of {given!r}, got {word!r}.") from None
    return statistic, {statistic.number: SHARE(statistic.number, value)}


OF_CLASSES, OF_TABLES = ("precision", "recall", "f1", "accuracy"), ("roc_auc", "log_loss")  # the default metrics
TWO = "for two classes only: pass one class against the rest, y_true == label, and its scores"


def class_points(words: Sequence[Any], cases: ClassCases) -> Iterator[tuple[ReportedStatistic, Point]]:
    """Each statistic of any number of classes with its points: classes and averages, or none."""
    has_tables = cases.scored is not None and len(cases.scored.columns) == len(cases.judged.columns)
    for word in words or (*OF_CLASSES, *(OF_TABLES if has_tables else ())):
        if not needs_threshold(word):
            yield _of_tables(word, len(cases.scored.labels) if cases.scored is not None and has_tables else 0), {}
            continue
        named = statistic_of(word, "metrics")
        average, metric = named.preset.get("average"), word if named.metric is None else named.metric
        entry = _of_classes(metric)
        found = None if named.metric is None else find_metric(metric)
        by_class = not average and found is not None and (has_average(found) or is_of_two_classes(found))
        points: list[Point] = [{"label": label} for label in cases.labels if by_class]
        averages = (average,) if average else ("macro", "weighted") if has_average(found) else ()
        yield from ((entry, point) for point in [*points, *({"average": each} for each in averages)] or [{}])


def _of_classes(metric: Any) -> ReportedStatistic:
    """A metric of predicted labels of any number of classes, or the share of wrong ones."""
    named = statistic_of(metric, "metrics")
    found: Any = metric if named.metric is None else find_metric(named.metric)
    if isinstance(found, RiskMetric):
        raise ValueError(f"metrics: {found.name!r} is {TWO}.")
    of = partial(_of_predicted, found) if named.metric is not None else partial(_of_rows, named.of, "labels")
    return ReportedStatistic(
        getattr(found, "name", found),
        replace(named, of=of),
        lambda *_: named.title,
        options=lambda _, point: dict(point),
        compares=False,
        metric=metric,
        source=(_of_classes, (metric,)),
    )


def _of_predicted(
    metric: AnyMetric, cases: ClassCases, *columns: str, label: Any = None, average: str | None = None
) -> Any:
    """A metric of one class against the rest, averaged over classes, or of all classes together."""
    judged = cases.judged
    if average is not None:
        return metric_of(judged, *columns, metric=metric, how=HowJudged(average, zero_division=0))
    if label is not None and has_average(metric):
        how = HowJudged("macro", labels=[label], zero_division=0)
        found = metric_of(cases.of_label(label), *columns, metric=metric, how=how)
        return replace(found, estimand=replace(found.estimand, average=None, labels=None, positive=label))
    if label is not None:
        return metric_of(against_the_rest(judged, cases.labels.index(label)), *columns, metric=metric)
    if is_share_of_cases(metric, None):
        return metric_of(right_or_wrong(judged), *columns, metric=metric)
    return metric_of(judged, *columns, metric=metric)


def _of_tables(word: str, n_classes: int) -> ReportedStatistic:
    """A statistic of tables with a score of each class; or of numbers, whose labels are numbers."""
    if ":" in word:
        raise ValueError(f"metrics: {word!r} is {TWO}.")
    named, options = _named(word), {}
    of_function = named.metric is not None and named.response == "predict"
    kind = "values" if of_function or named.loss in ("squared_error", "absolute_error") else "tables"
    if named.metric is None and named.loss is None:
        kind, options = "scores", {"multi_class": "ovr", **named.preset} if "multi_class" in named.takes else {}
    elif named.loss and kind == "tables":
        options = {"labels": list(range(n_classes))}
    if named.instead or (kind == "scores" and "average" not in named.takes):
        raise ValueError(f"metrics: {word!r} is {TWO}.")
    if kind != "values" and not n_classes:
        raise ValueError(f"metrics: {word!r} needs a table with a score of each class from each model, got labels.")
    of_rest = options.get("multi_class") == "ovr"
    title = "AUC of each class against the rest" if of_rest else named.title
    return ReportedStatistic(
        "auc" if of_rest and options.get("average", "macro") == "macro" else word,
        replace(named, of=partial(_of_rows, named.of, kind)),
        lambda *_: title,
        options=lambda *_: options,
        compares=named.compares,
        source=(_of_tables, (word, n_classes)),
    )


def _of_rows(of: Callable[..., object], kind: str, cases: ClassCases, *columns: str, **options: object) -> Any:
    """A statistic of the rows of several classes, given by their places, except for values, given as they are."""
    rows = {"scores": lambda: cases.scored, "tables": cases.of_tables, "values": cases.of_values}
    return of(rows[kind]() if kind in rows else replace(cases.judged, labels=None), *columns, **options)
