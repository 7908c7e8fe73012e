"""The statistics of a report: what each is called and asked, then its numbers, each computed once, and the text around.

A word names a statistic, and after a colon the rate that is held: ``"sensitivity_at_specificity:0.9"``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest
from typing import Any, TypeGuard

import numpy as np

from skcostci._arrays import reached
from skcostci._options import RATES_AT, Adjustment
from skcostci._validation._arguments import SHARE
from skcostci._validation._labels import check_order, sorted_labels
from skcostci.cases._cases import Cases
from skcostci.compare._comparison import ModelComparison, compare
from skcostci.compare._contrasts import pairwise
from skcostci.geometry.cost_curve import cost_curve_of
from skcostci.metric import OF_ALL_CLASSES, AnyMetric, RiskMetric, find_metric, has_average
from skcostci.reports._inquiry import ClassCases, Cut, Inquiry, labelled
from skcostci.results._results import BootstrapResult
from skcostci.statistics._any_metric import against_the_rest, is_function, metric_of, right_or_wrong
from skcostci.statistics._compare import Pairs, difference_between, undefined_like
from skcostci.statistics._cost import cost_of
from skcostci.statistics._loss import OF_ORDERED, OF_PROBABILITIES
from skcostci.statistics._metric import HowJudged
from skcostci.statistics._registry import CALIBRATION, NAMES, STATISTICS, NamedStatistic, statistic_named, statistic_of

Point = Mapping[str, Any]  # a coordinate of a statistic, by its name: a threshold, a rate, a class
Numbers = dict[str, Any]  # a row of the frame

WORDS = ("validation", "auc", "average_precision", "auc:", *(f"{name}:" for name in RATES_AT), "cost")
HELD = {"auc": "max_fpr", **{name: each.held for name, each in RATES_AT.items()}}
VALIDATION = ("roc_auc", *CALIBRATION, "brier", "net_benefit")  # what "validation" stands for
TITLES = {"auc": "Area under the ROC curve", "average_precision": "Average precision"}
OWN = (*HELD, *TITLES, "cost")  # statistics that reports call otherwise than comparisons do
ELSEWHERE = {"concordance": "of times of events: use compare_models(event, y_scores, {word!r}, time=time)"}
SAMPLES = "for several labels per case: use bootstrap_metric(y_true, y_pred, {word!r})"


@dataclass(frozen=True)
class Section:
    """A statistic at a point: what is asked with which options, and its heading; then its numbers, and lines around.

    ``quantity`` is the heading whatever the threshold, where that differs. ``prepared`` makes of the cases what the
    statistic takes, if that is another truth or other columns. There are numbers of each row, then of each difference
    of rows. Two rows have one unadjusted difference; with more the limits of all differences hold together.
    """

    name: str | AnyMetric
    question: NamedStatistic
    title: str
    quantity: str = ""
    of: str = ""  # the class, or the average over classes
    point: Point = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    prepared: Callable[[Any], Cases] | None = None
    lines_before: Sequence[str] = ()
    numbers: Sequence[Numbers] = ()
    lines_after: Sequence[str] = ()
    comparison: ModelComparison | None = None


def requested_statistics(inquiry: Inquiry) -> list[Section]:
    """Each statistic once at a point, in order: statistics of scores, then those of labels by threshold."""
    if isinstance(inquiry.cases, ClassCases):
        found = list(_of_several_classes(inquiry.metrics, inquiry.cases))
    else:
        words = [word for word in inquiry.metrics if not is_of_scores(word)]
        if words and not inquiry.thresholds:
            raise ValueError(f"{words[0]!r} is a metric of labels: it needs thresholds, where scores become positive.")
        scored = [_of_scores(word, inquiry) for word in inquiry.metrics if is_of_scores(word)]
        found = [each for each in scored if inquiry.cases.groups is None or each.name not in RATES_AT]
        for cut in inquiry.thresholds if words else ():
            first, *others = (_of_labels(word, cut, inquiry) for word in words)
            found += [replace(first, lines_before=_lines_before(inquiry, cut)), *others]
    once: dict[tuple[str | AnyMetric, str], Section] = {}
    for each in found:
        once.setdefault((each.name, repr(each.point)), each)
    return list(once.values())


def is_of_scores(word: object) -> TypeGuard[str]:
    """Whether a word names a statistic of scores; all else is of labels, and needs thresholds if given scores."""
    if not isinstance(word, str):
        return False
    if _canonical(word).partition(":")[0] in OWN:
        return True
    named = _named(word)
    of_labels = named.metric is not None and not is_function(named.metric) and "thresholds" not in named.preset
    return not of_labels and named.loss != "zero_one"


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


def _of_scores(word: str, inquiry: Inquiry) -> Section:
    """A statistic of scores, or of scores that are probabilities, with the rate that its word holds."""
    given, (name, colon, text) = word.partition(":")[0], _canonical(word).partition(":")
    question = STATISTICS[name] if name in OWN else _named(name)
    if name not in OWN:
        if question.loss is None and (question.metric is None or question.preset):
            return Section(name, question, question.title, options=question.preset)
        options = {"labels": [0, 1]} if question.loss in OF_PROBABILITIES else {}
        return Section(name, question, question.title, options=options, prepared=_numbered)
    if bool(colon) != (name in RATES_AT) and not (name == "auc" and colon):
        needs = given if colon else f"{given}:{HELD[name]}"
        raise ValueError(f"metrics must have {given!r} as {needs!r}, got {word!r}.")
    if name == "cost":
        return _of_costs(question, inquiry)
    if not colon:
        return Section(name, question, TITLES[name])
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"metrics must have a number after the colon of {given!r}, got {word!r}.") from None
    point = {HELD[name]: SHARE(HELD[name], value)}
    if name == "auc":
        title = f"AUC up to FPR {value:g}, standardized"
        return Section("partial_auc", question, title, "partial auc", point=point, options=point)
    rate, held = RATES_AT[name].words
    title = f"{rate[0].upper()}{rate[1:]} at {held} {value:g}"
    return Section(name, question, title, name.replace("_", " "), point=point, options=point)


def _of_costs(question: NamedStatistic, inquiry: Inquiry) -> Section:
    prevalence, miss, alarm = inquiry.prevalence_in_use, inquiry.cost_fn, inquiry.cost_fp
    source = "that of these cases" if inquiry.prevalence is None else "as stated"
    total = prevalence * miss + (1 - prevalence) * alarm
    before = [
        f"Prevalence {prevalence:.3g} ({source}), a miss costs {miss:g}, a false alarm {alarm:g}.",
        f"Normalized cost: 1 is everything wrong, {total:.4g} a case in these units.",
    ]
    title = f"Normalized cost at PC(+) = {inquiry.probability_cost:.3f}"
    options = {"probability_cost": inquiry.probability_cost, "thresholds": "envelope"}
    return Section("cost", question, title, options=options, lines_before=before)


def _of_labels(word: str | AnyMetric, cut: Cut, inquiry: Inquiry) -> Section:
    """A metric of labels, by name or object, from the scores and a threshold; aliases have the metric's own name."""
    named, point = statistic_of(word, "metrics"), {"thresholds": cut}
    title = f"{named.title} at threshold {cut:g}" if len(inquiry.thresholds) > 1 else named.title
    if named.metric is not None and not named.preset:
        name = getattr(find_metric(named.metric), "name", word)
        options = {**point, "prevalence": inquiry.prevalence}
        return Section(name, named, title, named.title, point=point, options=options)
    if inquiry.prevalence is not None:
        what = "prevalence is for metrics of two classes; leave averages over classes and losses out."
        raise ValueError(f"{inquiry.rows[0].name}: {what}")
    prepared = partial(_numbered, cut=cut)
    return Section(word, named, title, named.title, point=point, options=named.preset, prepared=prepared)


def _numbered(cases: Cases, cut: Cut | None = None) -> Cases:
    """The cases with labels 0 and 1, for losses and functions; with a cut, the labels predicted there as columns."""
    truth = cases.positive.astype(np.int64)
    if cut is None:
        return Cases(truth, cases.columns, cases.rows)
    cuts = cut if isinstance(cut, Mapping) else dict.fromkeys(cases.columns, cut)
    predicted = {name: reached(x, np.asarray(cuts[name])).astype(np.int64) for name, x in cases.columns.items()}
    return Cases(truth, predicted, cases.rows, (False, True))


def _lines_before(inquiry: Inquiry, cut: Cut) -> list[str]:
    where = "on these cases" if inquiry.prevalence is None else f"at prevalence {inquiry.prevalence:.3g} (as stated)"
    cuts = cut if isinstance(cut, Mapping) else dict.fromkeys(inquiry.models, cut)
    lines = [positive_from(inquiry.shown[model], cuts[model]) for model in inquiry.models]
    return [f"Metrics of labels, {where}", *lines, ""]


def positive_from(name: str, threshold: float) -> str:
    """The score from which a model's cases are positive, as a line of the table."""
    rule = f"positive from a score of {threshold:.4g}" if np.isfinite(threshold) else "nobody is positive"
    return labelled(name, rule)


OF_CLASSES, OF_TABLES = ("precision", "recall", "f1", "accuracy"), ("roc_auc", "log_loss")  # the default metrics
TWO = "for two classes only: pass one class against the rest, y_true == label, and its scores"


def _of_several_classes(words: Sequence[str | AnyMetric], cases: ClassCases) -> Iterator[Section]:
    """Each statistic of any number of classes at its points: classes and averages, or none."""
    has_tables = cases.scored is not None and len(cases.scored.columns) == len(cases.columns)
    for word in words or (*OF_CLASSES, *(OF_TABLES if has_tables else ())):
        if is_of_scores(word):
            yield _of_tables(word, cases.scored.labels if cases.scored is not None and has_tables else ())
            continue
        named = statistic_of(word, "metrics")
        if named.metric is None:  # the share of wrong labels
            yield Section(word, named, named.title)
            continue
        found, average = find_metric(named.metric), named.preset.get("average")
        if isinstance(found, RiskMetric):
            raise ValueError(f"metrics: {found.name!r} is {TWO}.")
        by_class = not average and found not in OF_ALL_CLASSES
        averages = (average,) if average else ("macro", "weighted") if has_average(found) else ()
        question = replace(statistic_of(found), of=partial(_of_predicted, found))
        points: list[Point] = [{"label": label} for label in cases.labels if by_class]
        for point in [*points, *({"average": each} for each in averages)] or [{}]:
            of = str(next(iter(point.values()), ""))
            yield Section(found.name, question, question.title, of=of, point=point, options=point)


def _of_predicted(
    metric: AnyMetric, cases: ClassCases, *columns: str, label: Any = None, average: str | None = None
) -> Any:
    """A metric of one class against the rest, averaged over classes, or of all classes together."""
    if average is not None:
        return metric_of(cases, *columns, metric=metric, how=HowJudged(average, zero_division=0))
    if label is not None and has_average(metric):
        labels = (label, *(each for each in cases.labels if each != label))  # listed alone: an average is over it
        moved = np.array([labels.index(each) for each in cases.labels])
        guesses = {name: moved[column] for name, column in cases.columns.items()}
        alone = replace(cases, labels=labels, truth=moved[cases.truth], columns=guesses, n_stated=1)
        how = HowJudged("macro", labels=[label], zero_division=0)
        found = metric_of(alone, *columns, metric=metric, how=how)
        return replace(found, estimand=replace(found.estimand, average=None, labels=None, positive=label))
    if label is not None:
        return metric_of(against_the_rest(cases, cases.labels.index(label)), *columns, metric=metric)
    return metric_of(right_or_wrong(cases, metric), *columns, metric=metric)


def _of_tables(word: str, labels: Sequence[Any]) -> Section:
    """A statistic of tables with a score of each class; or of numbers, whose labels are numbers."""
    named, options = _named(word.partition(":")[0]), {}
    of_function = named.metric is not None and named.response == "predict"
    of_amounts = named.judges == "amounts" or named.loss in ("squared_error", "absolute_error")
    kind = "values" if of_function or of_amounts else "tables"
    if not of_amounts and named.metric is None and named.loss is None:
        kind, options = "scores", {"multi_class": "ovr", **named.preset} if "multi_class" in named.takes else {}
    elif named.loss and kind == "tables":
        options = {"labels": list(range(len(labels)))}
    if ":" in word or named.instead or (kind == "scores" and "average" not in named.takes):
        raise ValueError(f"metrics: {word!r} is {TWO}.")
    if kind != "values" and not labels:
        raise ValueError(f"metrics: {word!r} needs a table with a score of each class from each model, got labels.")
    if named.loss == OF_ORDERED:  # any order but the sorted one was stated by a type
        stated = [*labels] != sorted_labels({"y_true": labels})
        check_order(f"metrics: {word!r} needs", labels, len(labels) if stated else 0, "pass numbers or")
    of_rest = options.get("multi_class") == "ovr"
    title = "AUC of each class against the rest" if of_rest else named.title
    name = "auc" if of_rest and options.get("average", "macro") == "macro" else word
    return Section(name, named, title, options=options, prepared=partial(ClassCases.of_kind, kind=kind))


Stretches = tuple[tuple[float, float], ...]
N_CONDITIONS = 101
NUMBERS = ("estimate", "standard_error", "low", "high", "note", "p")


def numbers_of(inquiry: Inquiry) -> tuple[Any, ...]:
    """All numbers about models, or about one in subgroups, and their differences: the fields of the report."""
    from skcostci import __version__

    statistics = requested_statistics(inquiry)
    for each in statistics if inquiry.cases.proxies is not None else ():
        if each.name not in ("auc", "brier") and "thresholds" not in each.point:
            raise ValueError(f"proxy= is available for AUCs, Brier scores and metrics of labels, got {each.name!r}.")
    whole = [row for row in inquiry.rows if not row.missing]
    if not any(whole or not each.question.compares for each in statistics):
        names = ", ".join(dict.fromkeys(each.question.title for each in statistics))
        raise ValueError(f"{names}: undefined ({inquiry.rows[0].missing}); recall and specificity need only one class.")
    if len(inquiry.models) > 1 and whole and inquiry.cases.of_two_classes:
        for model in inquiry.models:  # differences rank the scores: doing so now sorts each column once
            inquiry.cases.counts(model, ranked=True)
    sections = tuple(_answered(inquiry, each) for each in statistics)  # first, as its errors name the row
    ranges = cheaper = None
    if "cost" in inquiry.metrics:
        curves = (None if row.missing else cost_curve_of(row.cases.counts(row.model)) for row in inquiry.rows)
        ranges = tuple(curve and curve.operating_range() for curve in curves)
    if ranges and whole and len(inquiry.models) == 2:  # where one is cheaper, simultaneously
        difference = cost_of(inquiry.cases, *inquiry.models, probability_cost=N_CONDITIONS, thresholds="envelope")
        stretches = difference.significant(inquiry.confidence_level)
        cheaper = tuple(tuple(map(tuple, of_each.tolist())) for of_each in stretches)
    return inquiry, sections, ranges, cheaper, __version__, datetime.now(UTC).date().isoformat()


def _answered(inquiry: Inquiry, asked: Section) -> Section:
    """With one number per row, and their differences: of models on the same cases, or of disjoint subgroups."""
    question, options, names = asked.question, asked.options, [row.name for row in inquiry.rows]
    prepared = asked.prepared or (lambda cases: cases)
    if inquiry.origin.by is None:  # the same weight of the proxy for all models
        samples = [Pairs(question, prepared(inquiry.cases), options, names).with_one_weight()] * len(names)
    else:
        samples = [Pairs(question, prepared(row.cases), options, [row.model]) for row in inquiry.rows]
    results, comparison = _results(inquiry, question, samples), None
    if len(results) > 1 and not (question.instead and inquiry.origin.by is None):
        paired = samples[0] if inquiry.origin.by is None else partial(difference_between, results)
        adjustment: Adjustment = "max_t" if len(names) > 2 else "none"
        comparison = compare(names, results, paired, pairwise(names), adjustment, **question.said(options))
    numbers, after = list(_numbers(inquiry, asked, results, comparison)), list(_thresholds(inquiry, asked, results))
    return replace(asked, numbers=numbers, lines_after=after, comparison=comparison)


def _results(inquiry: Inquiry, question: NamedStatistic, samples: Sequence[Pairs]) -> list[BootstrapResult]:
    """The result of each row; none if no row has both classes and the statistic compares them."""
    found: list[BootstrapResult | None] = []
    for row, sample in zip(inquiry.rows, samples, strict=True):
        try:
            found.append(None if question.compares and row.missing else sample.single(row.model))
        except ValueError as error:
            raise ValueError(f"{row.name}: {str(error).removeprefix(f'{row.model} ')}") from None
    known = next(filter(None, found), None)
    each = zip(inquiry.rows, found, strict=True)
    return [result or undefined_like(known, row.missing) for row, result in each if known is not None]


def _numbers(
    inquiry: Inquiry, asked: Section, results: Sequence[BootstrapResult], comparison: ModelComparison | None
) -> Iterator[Numbers]:
    """The rows of the frame, for results and then for differences."""
    level, nan = inquiry.confidence_level, np.nan
    nothing = {"statistic": asked.name, "confidence_level": level, "method": ""}
    about = results[0]._about(level, None) if results else nothing
    for row, result in zip_longest(inquiry.rows, results):
        numbers: tuple[Any, ...] = (nan, nan, 0.0, 1.0, f"undefined ({row.missing})", nan)  # of shares, both classes
        if result is not None:
            known = map(float, (result.estimate, result.standard_error, *result.confidence_interval(level)))
            numbers = *known, result._undefined_because()[0], nan
        yield {**_place(asked, row.name, row.cases), **dict(zip(NUMBERS, numbers, strict=True)), **about}
    if comparison is not None:
        found, about = comparison.differences, comparison.differences.parts[0]._about(level, None)
        table = {"note": found.notes, **found._columns(level, None)}
        each = zip(*(np.asarray(table[name]).tolist() for name in NUMBERS), strict=True)
        for name, numbers in zip(found.names, each, strict=True):
            yield {**_place(asked, name, inquiry.cases), **dict(zip(NUMBERS, numbers, strict=True)), **about}


def _place(asked: Section, name: str, cases: Cases) -> Numbers:
    """The model, the metric and the point; of several classes also the class, and how many cases it has."""
    row: Numbers = {"model": name, "metric": asked.name, "at": ""}
    for held, value in asked.point.items():
        own = value.get(name) if isinstance(value, Mapping) else value  # none for differences between thresholds
        if isinstance(own, float | int) and held != "label":
            row["at"] = f"{held.removesuffix('s')} {own:g}"
    if isinstance(cases, ClassCases):
        label, support = asked.point.get("label"), cases.support
        many = sum(support) if label is None else support[cases.labels.index(label)]
        row |= {"label": asked.point.get("average", "all classes") if label is None else label, "support": many}
    return row


def _thresholds(inquiry: Inquiry, asked: Section, results: Sequence[Any]) -> Iterator[str]:
    """The score from which cases of each row are positive, if the statistic chose it."""
    for row, result in zip(inquiry.rows, results, strict=False):
        cut = getattr(result, "threshold", getattr(result, "thresholds", None))
        if cut is not None and "thresholds" not in asked.point and not row.missing:
            yield positive_from(inquiry.shown[row.name], float(cut))
    if asked.name == "cost":
        yield "  (the cheapest on these very cases: the interval allows for that choice)"
