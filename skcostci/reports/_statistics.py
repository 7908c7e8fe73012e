"""The statistics of a report: what each is called and asked, and the text around its numbers.

A word names a statistic, and after a colon the rate that is held: ``"sensitivity_at_specificity:0.9"``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from skcostci._arrays import reached
from skcostci._options import RATES_AT, Label
from skcostci._validation._arguments import SHARE
from skcostci.cases._cases import Cases
from skcostci.metric import AnyMetric, RiskMetric, find_metric, has_average
from skcostci.reports._inquiry import ClassCases, Cut, Inquiry, labelled
from skcostci.statistics._any_metric import against_the_rest, metric_of
from skcostci.statistics._registry import NAMES, STATISTICS, NamedStatistic, statistic_named, statistic_of
from skcostci.statistics._several import HowJudged, is_function, is_of_two_classes, is_share_of_cases, right_or_wrong

Point = Mapping[str, Any]  # the values that distinguish a point of a statistic from its others

WORDS = ("auc", "average_precision", "auc:", *(f"{name}:" for name in RATES_AT), "cost")
HELD = {"auc": "max_fpr", **{name: each.held for name, each in RATES_AT.items()}}
TITLES = {"auc": "Area under the ROC curve", "average_precision": "Average precision"}
ELSEWHERE = {
    "mean": "of values alone: use compare_models(None, y_scores, {word!r})",
    "concordance": "of times of events: use compare_models(event, y_scores, {word!r}, time=time)",
}
SAMPLES = "for several labels per case: use bootstrap_metric(y_true, y_pred, {word!r})"


@dataclass(frozen=True)
class ReportedStatistic:
    """A statistic at a point: what the registry asks with which options, its heading, and the lines around its numbers.

    Of a metric ``of_labels`` its title is the same at each threshold. ``has_threshold``: its results say from which
    score cases are positive. If it ``compares`` the classes all must occur.
    """

    name: Any
    question: NamedStatistic
    title: str
    point: Point = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    lines_before: Sequence[str] = ()
    lines_after: Sequence[str] = ()
    of_labels: bool = False
    has_threshold: bool = False
    compares: bool = True


def requested_statistics(inquiry: Inquiry) -> list[ReportedStatistic]:
    """Each statistic once at a point, in order: statistics of scores, then those of labels by threshold."""
    if isinstance(inquiry.cases, ClassCases):
        found = list(_of_several_classes(inquiry.metrics, inquiry.cases))
    else:
        words = [word for word in inquiry.metrics if needs_threshold(word)]
        if words and not inquiry.thresholds:
            raise ValueError(f"{words[0]!r} is a metric of labels: it needs thresholds, where scores become positive.")
        found = [_of_scores(word, inquiry) for word in inquiry.metrics if not needs_threshold(word)]
        if inquiry.cases.groups is not None:
            found = [each for each in found if each.name not in RATES_AT]
        for cut in inquiry.thresholds if words else ():
            first, *others = (_of_labels(word, cut, inquiry.prevalence) for word in words)
            found += [replace(first, lines_before=_labels(inquiry, cut)), *others]
    once: dict[tuple[Any, str], ReportedStatistic] = {}
    for each in found:
        once.setdefault((each.name, repr(each.point)), each)
    return list(once.values())


def needs_threshold(word: object) -> bool:
    """Whether a word names a metric of labels, or is one: it then needs thresholds."""
    if not isinstance(word, str):
        return bool(find_metric(word))
    if _canonical(word).partition(":")[0] in (*HELD, *TITLES, "cost"):
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


def _canonical(word: str) -> str:
    """A word with a report's name of its statistic: "roc_auc:0.1" becomes "auc:0.1", "neg_log_loss" "log_loss".

    With two classes the AUC of one class against the rest is the AUC.
    """
    name, colon, number = word.partition(":")
    named = statistic_named(name)
    own = next((each for each, known in STATISTICS.items() if known is named), name)
    return ("auc" if named is not None and "multi_class" in named.preset else own) + colon + number


def _of_scores(word: str, inquiry: Inquiry) -> ReportedStatistic:
    """A statistic of scores, with the rate that its word holds."""
    given, (name, colon, text) = word.partition(":")[0], _canonical(word).partition(":")
    if name not in (*HELD, *TITLES, "cost"):
        return _of_other_scores(name)
    question = STATISTICS[name]
    if bool(colon) != (name in RATES_AT) and not (name == "auc" and colon):
        needs = given if colon else f"{given}:{HELD[name]}"
        raise ValueError(f"metrics must have {given!r} as {needs!r}, got {word!r}.")
    if name == "cost":
        return _of_costs(question, inquiry)
    if not colon:
        return ReportedStatistic(name, question, TITLES[name])
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"metrics must have a number after the colon of {given!r}, got {word!r}.") from None
    point = {HELD[name]: SHARE(HELD[name], value)}
    if name == "auc":
        title = f"AUC up to FPR {value:g}, standardized"
        return ReportedStatistic("partial_auc", question, title, point, point)
    rate, held = RATES_AT[name].words
    title = f"{rate[0].upper()}{rate[1:]} at {held} {value:g}"
    return ReportedStatistic(name, question, title, point, point, has_threshold=True)


def _of_costs(question: NamedStatistic, inquiry: Inquiry) -> ReportedStatistic:
    prevalence, miss, alarm = inquiry.prevalence_in_use, inquiry.cost_fn, inquiry.cost_fp
    source = "that of these cases" if inquiry.prevalence is None else "as stated"
    total = prevalence * miss + (1 - prevalence) * alarm
    before = [
        f"Prevalence {prevalence:.3g} ({source}), a miss costs {miss:g}, a false alarm {alarm:g}.",
        f"Normalized cost: 1 is everything wrong, {total:.4g} a case in these units.",
    ]
    after = ["  (the cheapest on these very cases: the interval allows for that choice)"]
    title = f"Normalized cost at PC(+) = {inquiry.probability_cost:.3f}"
    options = {"probability_cost": inquiry.probability_cost, "thresholds": "envelope"}
    return ReportedStatistic("cost", question, title, {}, options, before, after, has_threshold=True)


def _of_other_scores(name: str) -> ReportedStatistic:
    """Any other statistic by name: of scores, or of scores that are probabilities."""
    named = question = _named(name)
    options: Mapping[str, Any] = named.preset
    if named.loss is not None or (named.metric is not None and not named.preset):
        question = replace(named, of=partial(_of_probabilities, named.of))
        options = {"labels": [0, 1]} if named.loss in ("brier", "log_loss") else {}
    chosen, compares = bool(named.instead), named.compares
    return ReportedStatistic(name, question, named.title, options=options, has_threshold=chosen, compares=compares)


def _of_labels(metric: str | AnyMetric, cut: Cut, prevalence: float | None) -> ReportedStatistic:
    """A metric of labels, by name or object, from the scores and a threshold; aliases have the metric's own name."""
    named = statistic_of(metric, "metrics")
    average = named.preset.get("average")
    found: Any = metric if average or named.metric is None else getattr(find_metric(named.metric), "name", metric)
    if average:
        of_both: Any = named.metric
        named = replace(named, of=partial(_of_predictions, partial(metric_of, metric=of_both, how=HowJudged(average))))
    elif named.metric is None:  # the share of wrong labels
        named = replace(named, of=partial(_of_predictions, named.of))
    options = {"thresholds": cut, "prevalence": prevalence}
    return ReportedStatistic(found, named, named.title, {"thresholds": cut}, options, of_labels=True, compares=False)


def _of_predictions(
    of: Callable[..., object], cases: Cases, *columns: str, thresholds: object, prevalence: object = None
) -> Any:
    """A statistic of predicted labels, from scores and the thresholds at which they are positive."""
    if prevalence is not None:
        raise ValueError("prevalence is for metrics of two classes; leave averages over classes and losses out.")
    cuts = thresholds if isinstance(thresholds, tuple) else (thresholds,) * len(columns)
    hits = (reached(cases.columns[column], cut) for column, cut in zip(columns, cuts, strict=True))
    predicted = {column: each.astype(np.int64) for column, each in zip(columns, hits, strict=True)}
    return of(_in_rows(cases, predicted, (False, True)), *columns)


def _of_probabilities(of: Callable[..., object], cases: Cases, *columns: str, **options: object) -> Any:
    return of(_in_rows(cases, cases.columns), *columns, **options)


def _in_rows(cases: Cases, columns: Mapping[str, Any], labels: tuple[Label, ...] = ()) -> Cases:
    """The same cases for losses and functions, whose labels are 0 and 1, and for metrics of both classes."""
    truth = cases.positive.astype(np.int64)
    return Cases(truth, columns, cases.rows, labels)


def _labels(inquiry: Inquiry, cut: Cut) -> list[str]:
    stated = inquiry.prevalence
    where = "on these cases" if stated is None else f"at prevalence {stated:.3g} (as stated)"
    cuts = [cut[model] if isinstance(cut, Mapping) else cut for model in inquiry.models]
    lines = [positive_from(inquiry.shown[model], each) for model, each in zip(inquiry.models, cuts, strict=True)]
    return [f"Metrics of labels, {where}", *lines, ""]


def positive_from(name: str, threshold: float) -> str:
    """The score from which a model's cases are positive, as a line of the table."""
    rule = f"positive from a score of {threshold:.4g}" if np.isfinite(threshold) else "nobody is positive"
    return labelled(name, rule)


OF_CLASSES, OF_TABLES = ("precision", "recall", "f1", "accuracy"), ("roc_auc", "log_loss")  # the default metrics
TWO = "for two classes only: pass one class against the rest, y_true == label, and its scores"


def _of_several_classes(words: Sequence[Any], cases: ClassCases) -> Iterator[ReportedStatistic]:
    """Each statistic of any number of classes at its points: classes and averages, or none."""
    has_tables = cases.scored is not None and len(cases.scored.columns) == len(cases.columns)
    for word in words or (*OF_CLASSES, *(OF_TABLES if has_tables else ())):
        if not needs_threshold(word):
            yield _of_tables(word, len(cases.scored.labels) if cases.scored is not None and has_tables else 0)
            continue
        named = statistic_of(word, "metrics")
        average, metric = named.preset.get("average"), word if named.metric is None else named.metric
        entry = _of_classes(metric)
        found = None if named.metric is None else find_metric(metric)
        by_class = not average and found is not None and (has_average(found) or is_of_two_classes(found))
        points: list[Point] = [{"label": label} for label in cases.labels if by_class]
        averages = (average,) if average else ("macro", "weighted") if has_average(found) else ()
        for point in [*points, *({"average": each} for each in averages)] or [{}]:
            yield replace(entry, point=point, options=point)


def _of_classes(metric: Any) -> ReportedStatistic:
    """A metric of predicted labels of any number of classes, or the share of wrong ones."""
    named = statistic_of(metric, "metrics")
    found: Any = metric if named.metric is None else find_metric(named.metric)
    if isinstance(found, RiskMetric):
        raise ValueError(f"metrics: {found.name!r} is {TWO}.")
    of = partial(_of_predicted, found) if named.metric is not None else partial(_of_rows, named.of, "labels")
    name = getattr(found, "name", found)
    return ReportedStatistic(name, replace(named, of=of), named.title, of_labels=True, compares=False)


def _of_predicted(
    metric: AnyMetric, cases: ClassCases, *columns: str, label: Any = None, average: str | None = None
) -> Any:
    """A metric of one class against the rest, averaged over classes, or of all classes together."""
    if average is not None:
        return metric_of(cases, *columns, metric=metric, how=HowJudged(average, zero_division=0))
    if label is not None and has_average(metric):
        how = HowJudged("macro", labels=[label], zero_division=0)
        found = metric_of(cases.of_label(label), *columns, metric=metric, how=how)
        return replace(found, estimand=replace(found.estimand, average=None, labels=None, positive=label))
    if label is not None:
        return metric_of(against_the_rest(cases, cases.labels.index(label)), *columns, metric=metric)
    if is_share_of_cases(metric, None):
        return metric_of(right_or_wrong(cases), *columns, metric=metric)
    return metric_of(cases, *columns, metric=metric)


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
    name = "auc" if of_rest and options.get("average", "macro") == "macro" else word
    question = replace(named, of=partial(_of_rows, named.of, kind))
    return ReportedStatistic(name, question, title, options=options, compares=named.compares)


def _of_rows(of: Callable[..., object], kind: str, cases: ClassCases, *columns: str, **options: object) -> Any:
    """A statistic of the rows of several classes, given by their places, except for values, given as they are."""
    return of(cases.of_kind(kind), *columns, **options)
