"""Every statistic that has a name, and how it is computed: one list for all functions that take names.

Names are those of ``metric`` (metrics of labels), of losses, of areas, of rates at a fixed value of another, and
scikit-learn's. "neg_" before a loss is left out: a scorer has to be greater where it is better, an interval need not.
A metric of labels enters with one line of ``metric``, anything else here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypedDict

from numpy.typing import ArrayLike

from skcostci._elsewhere import ENDS, OTHER_NAMES, function_named, response_of
from skcostci._options import RATES_AT, MultiClass, Normalizer, RateAt
from skcostci._validation._arguments import refuse_beside
from skcostci._validation._labels import check_label_column, number_labels
from skcostci._validation._rows import SampleOptions, row_options
from skcostci._validation._tables import is_multilabel
from skcostci.cases._cases import Cases, Given, has_times
from skcostci.metric import ALIASES, BY_NAME, YOUDEN, AnyMetric, MetricLike, RiskMetric, find_metric, has_average
from skcostci.statistics._any_metric import check_metric_cases, is_function, metric_of
from skcostci.statistics._auc import NOT_CROSSED, areas_of, bootstrap_auc, bootstrap_auc_difference, check_areas
from skcostci.statistics._calibration import calibration_of
from skcostci.statistics._censored import (
    area_at_horizon,
    brier_at_horizon,
    check_censored,
    check_horizons,
    concordance_of,
    net_benefit_at_horizon,
)
from skcostci.statistics._correlation import correlation_of
from skcostci.statistics._cost import bootstrap_cost, bootstrap_cost_difference, cost_of
from skcostci.statistics._curve_areas import (
    average_precision_of,
    bootstrap_average_precision,
    bootstrap_average_precision_difference,
    check_ranked,
    risk_coverage_of,
)
from skcostci.statistics._function_rows import WeightedMetric, brier_skill, weighted_metric
from skcostci.statistics._loss import LossName, bootstrap_loss, bootstrap_loss_difference, check_losses, loss_of
from skcostci.statistics._mean import mean_of
from skcostci.statistics._metric import HowJudged
from skcostci.statistics._other_scales import AT_TOP, gini_of, rate_at_top_of
from skcostci.statistics._roc_rates import (
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_tpr,
    bootstrap_roc_difference_at_fpr,
    bootstrap_roc_difference_at_tpr,
    roc_at_fpr_of,
    roc_at_tpr_of,
)
from skcostci.statistics._roc_threshold import equal_error_of

Pair = tuple[Callable[..., object], Callable[..., object]]  # the public functions for one model and for two
AVERAGES = ("macro", "micro", "weighted", "samples")  # the last for several labels per case
BRIER_SKILL = ("brier_skill", "d2_brier_score")  # the latter is in the newest scikit-learn only
KS = replace(YOUDEN, name="ks", title="KS")  # at the threshold that the cases choose
TIMES = ("event", "time", "horizon", "integrated")  # options of comparisons on censored times
CALIBRATION = {  # parts of the result of bootstrap_calibration, and titles
    "calibration_slope": ("slope", "Calibration slope"),
    "calibration_intercept": ("intercept", "Calibration intercept"),
    "observed_expected": ("observed_expected", "Observed/expected events"),
}
ONE_MODEL = "the Brier score or the log loss"
NONE_GIVEN: Mapping[str, object] = {}
AVAILABLE = {  # options of rows that only these statistics take
    "crossed": "AUCs, metrics of labels, losses and means",
    "proxy": "AUCs, metrics of labels and losses",
}
BESIDE = tuple(AVAILABLE)
NEVER_CROSSED = {**NOT_CROSSED, "positive_rate": "rates at a share of positives are not implemented for crossed data"}


class StatisticOptions(TypedDict, total=False):
    multi_class: MultiClass
    max_fpr: float | None
    standardize: bool
    probability_cost: int | ArrayLike
    normalizer: Normalizer
    resample_size: int | tuple[int, int] | None
    fpr: ArrayLike | None
    specificity: ArrayLike | None
    tpr: ArrayLike | None
    sensitivity: ArrayLike | None
    positive_rate: ArrayLike
    least: float | None
    most: float | None
    event: ArrayLike | None
    time: ArrayLike | None
    horizon: ArrayLike | None
    integrated: bool


def _scored(y_true: ArrayLike, columns: Given, sample: SampleOptions, *, both: bool = True, **_: object) -> Cases:
    return Cases.check(y_true, columns, both_classes=both, pos_label=sample.get("pos_label"), **row_options(sample))


def _numbers(y_true: ArrayLike | None, columns: Given, sample: SampleOptions, **_: object) -> Cases:
    if sample.get("pos_label") is not None:
        raise ValueError(f"pos_label is for labels, not for numbers, got {sample['pos_label']!r}. Leave it out.")
    return Cases.check_numbers(y_true, columns, **row_options(sample))


def _values(y_true: ArrayLike | None, columns: Given, sample: SampleOptions, **_: object) -> Cases:
    """The cases of means of given values, which have no truth beside them: ``y_true`` is None, or the same for all."""
    truth = None if y_true is None else number_labels(check_label_column("y_true", y_true))
    if truth is not None and truth.any():
        way = "For the mean error of predictions use a loss, such as 'squared_error'."
        raise ValueError(f"y_true must be None for 'mean', the mean of the values as they are. {way}")
    return _numbers(truth, columns, sample)


@dataclass(frozen=True, repr=False, eq=False)
class NamedStatistic:
    """A statistic and how it is computed.

    ``of`` takes checked cases and one or two columns; ``functions`` are the public functions, None if they are
    ``bootstrap_metric`` and its difference; ``preset`` are the options that the name fixes, ``needs`` is the option
    that gives its points, ``takes`` are its options. ``response`` is the method of an estimator whose output a function
    of sklearn.metrics takes; what one without functions ``judges`` is scores or amounts. It ``compares`` classes: both
    are needed. ``instead`` says, for a statistic of one model only, what compares several. ``cases`` checks the cases
    of all but metrics; ``beside`` are the options of rows that not every statistic takes. ``at_horizon`` is ``of`` for
    censored times.
    """

    title: str
    of: Callable[..., Any]
    greater_is_better: bool | None  # None: neither, as what is best lies between
    takes: tuple[str, ...]
    functions: Pair | None = None
    preset: Mapping[str, Any] = field(default_factory=dict)
    needs: str | None = None
    rate: RateAt | None = None
    metric: MetricLike | None = None
    loss: str | None = None
    response: str | tuple[str, ...] = "predict"
    judges: str = "scores"
    compares: bool = False
    instead: str = ""
    cases: Callable[..., Cases] = _scored
    beside: tuple[str, ...] = ()
    at_horizon: Callable[..., Any] | None = None

    def at_times(
        self, y_true: object, options: Mapping[str, object]
    ) -> tuple[NamedStatistic, Any, Any, dict[str, object]]:
        """The statistic, the events, the times and the other options; without times all are returned as given.

        Events are ``y_true``, scikit-survival's array of events and times, or the option ``event`` in its place.
        """
        rest: dict[str, Any] = dict(options)
        event, time = rest.pop("event", None), rest.pop("time", None)
        if event is not None and y_true is not None:
            raise ValueError("event replaces y_true: pass only one of them, with y_true=None if event is given.")
        events = y_true if event is None else event
        stated = any(rest.get(name) is not None and rest[name] is not False for name in TIMES[2:])
        with_times = has_times(y_true) or event is not None or time is not None or stated
        if self.cases is check_censored:
            if not with_times:
                raise TypeError("time is missing: pass when each event was observed, or the case was censored.")
            return self, events, time, rest
        if self.at_horizon is None or not with_times:
            return self, y_true, None, {name: value for name, value in rest.items() if name not in TIMES}
        horizon = check_horizons(rest.get("horizon"), integrated=rest.get("integrated", False))
        at = replace(self, of=self.at_horizon, metric=None, needs="horizon", compares=False, cases=check_censored)
        return at, events, time, {**rest, "horizon": horizon}

    def said(self, options: Mapping[str, Any]) -> dict[str, Any]:
        title = self.title if self.rate is None else self.rate.title(float(options[self.rate.held]))
        return {"greater_is_better": self.greater_is_better, "title": title}

    def check(
        self,
        y_true: Any,
        columns: Mapping[str, ArrayLike],
        options: Mapping[str, Any],
        sample: SampleOptions,
        *,
        row_by_row: bool = False,
    ) -> Cases:
        """The cases: scores, or labels if a metric has no thresholds; equal rows are not merged if ``row_by_row``."""
        if len(columns) > 1 and self.instead:
            raise ValueError(f"{self.title} is available for one model only. To compare models use {self.instead}.")
        # Refused by the name that users gave, not by the rule of thresholds behind it, which they did not.
        given = {"proxy" if name == "checked" else name for name, value in sample.items() if value is not None}
        refused = [name for name in ("folds", "crossed", "proxy") if name in given]
        if refused and "thresholds" in self.preset:
            raise ValueError(
                f"{refused[0]}= cannot be combined with {self.title}, whose threshold is chosen on the same cases: use "
                "'youden' with thresholds chosen beforehand."
            )
        if "crossed" in given:
            table = is_multilabel(y_true) or None
            refuse_beside("crossed", {"positive_rate": options.get("positive_rate"), "y_true": table}, NEVER_CROSSED)
        for name, where in AVAILABLE.items():
            if name in given and name not in self.beside:
                raise ValueError(f"{name}= is available for {where}, not for {self.title}.")
        if self.metric is None:
            return self.cases(y_true, columns, sample, **options)
        return check_metric_cases(y_true, columns, self.metric, HowJudged(**options), row_by_row=row_by_row, **sample)


OF_RATES: dict[bool, tuple[Callable[..., object], Pair]] = {  # by whether the threshold is set by negatives
    True: (roc_at_fpr_of, (bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr)),
    False: (roc_at_tpr_of, (bootstrap_roc_at_tpr, bootstrap_roc_difference_at_tpr)),
}


def _rate(rate_at: RateAt) -> NamedStatistic:
    of, functions = OF_RATES[rate_at.holds_negatives]
    held, better = rate_at.held, rate_at.rate != "fpr"
    return NamedStatistic(rate_at.title(), of, better, (held,), functions, needs=held, rate=rate_at, compares=True)


def _loss(name: LossName, title: str) -> NamedStatistic:
    functions = partial(bootstrap_loss, loss=name), partial(bootstrap_loss_difference, loss=name)
    takes = ("sampling", "least", "most", "labels")
    of, cases = partial(loss_of, loss=name), partial(check_losses, loss=name)
    found = NamedStatistic(title, of, False, takes, functions, loss=name, cases=cases, beside=BESIDE)
    return replace(found, takes=(*takes, *TIMES), at_horizon=brier_at_horizon) if name == "brier" else found


def _correlation(title: str, *, ranks: bool) -> NamedStatistic:
    return NamedStatistic(title, partial(correlation_of, ranks=ranks), True, (), cases=_numbers, judges="amounts")


AREA = NamedStatistic(
    "AUC",
    areas_of,
    True,
    ("sampling", "max_fpr", "standardize", "multi_class", "average", "labels", *TIMES),
    (bootstrap_auc, bootstrap_auc_difference),
    compares=True,
    cases=check_areas,
    beside=BESIDE,
    at_horizon=area_at_horizon,
)
STATISTICS: dict[str, NamedStatistic] = {
    "auc": AREA,
    "average_precision": NamedStatistic(
        "AP",
        average_precision_of,
        True,
        ("sampling", "prevalence", "average", "labels"),
        (bootstrap_average_precision, bootstrap_average_precision_difference),
        compares=True,
        cases=check_ranked,
    ),
    "cost": NamedStatistic(
        "cost",
        cost_of,
        False,
        ("probability_cost", "thresholds", "sampling", "normalizer"),
        (bootstrap_cost, bootstrap_cost_difference),
        needs="probability_cost",
        compares=True,
    ),
    **{name: _rate(each) for name, each in RATES_AT.items()},
    "aurc": NamedStatistic("AURC", risk_coverage_of, False, (), cases=partial(_scored, both=False)),
    "gini": NamedStatistic("Gini coefficient", gini_of, True, (), compares=True),
    "eer": NamedStatistic(
        "Equal error rate",
        equal_error_of,
        False,
        (),
        compares=True,
        instead="the specificities at a sensitivity, bootstrap_roc_difference_at_tpr",
    ),
    "mean": NamedStatistic(
        "Mean", mean_of, True, ("least", "most", "greater_is_better"), cases=_values, beside=("crossed",)
    ),
    "pearson": _correlation("Pearson correlation", ranks=False),
    "spearman": _correlation("Spearman correlation", ranks=True),
    "concordance": NamedStatistic("Concordance", concordance_of, True, TIMES[:2], cases=check_censored, beside=BESIDE),
    **{
        name: NamedStatistic(
            title, partial(calibration_of, part=part), None, (), instead=ONE_MODEL, cases=partial(_scored, both=False)
        )
        for name, (part, title) in CALIBRATION.items()
    },
    "brier": _loss("brier", "Brier score"),
    "log_loss": _loss("log_loss", "Log loss"),
    "ranked_probability_score": _loss("ranked_probability_score", "Ranked probability score"),
    "squared_error": _loss("squared_error", "Mean squared error"),
    "absolute_error": _loss("absolute_error", "Mean absolute error"),
    "zero_one": _loss("zero_one", "Zero-one loss"),
    **{
        f"roc_auc_{several}{end}": replace(AREA, preset={"multi_class": several, "average": average})
        for several in ("ovr", "ovo")
        for end, average in (("", "macro"), ("_weighted", "weighted"))
    },
}


def statistic_of(
    statistic: MetricLike, parameter: str = "metric", options: Mapping[str, object] = NONE_GIVEN
) -> NamedStatistic:
    """The statistic of a name, a metric or a function; messages about a wrong one use the name of the ``parameter``."""
    if isinstance(statistic, str):
        if "positive_rate" in options and (name := ALIASES.get(statistic, statistic)) in AT_TOP:
            of, takes = partial(rate_at_top_of, metric=name), ("positive_rate", "sampling")
            return NamedStatistic(name.capitalize(), of, True, takes, needs="positive_rate", compares=True)
        if (found := statistic_named(statistic)) is not None:
            return found
        find_metric(statistic, parameter, NAMES)  # raises, with the nearest names
    return _of_metric(statistic, options, parameter)


def statistic_named(name: str) -> NamedStatistic | None:
    """The statistic of a name, with "neg_" only if less is better; None where there is none."""
    plain = name.removeprefix("neg_")
    found = _plainly_named(plain)
    return None if found is None or (plain != name and found.greater_is_better is not False) else found


def _plainly_named(name: str) -> NamedStatistic | None:
    """The statistic of a name without "neg_"; None where there is none."""
    base, _, average = name.rpartition("_")
    known = STATISTICS.get(OTHER_NAMES.get(name, name))
    if known is not None:
        return known
    for end in ENDS:
        metric = name.removesuffix(end)
        if metric in BY_NAME or metric in ALIASES:
            of_labels = _of_metric(metric)  # "_score" only of what is good if large, "_loss" only of what is not
            return of_labels if metric == name or (end == "_score") == of_labels.greater_is_better else None
    if name == KS.name:
        instead = "'youden' at thresholds that were chosen beforehand"
        return replace(_of_metric(KS), preset={"thresholds": "youden"}, compares=True, instead=instead)
    if average in AVERAGES and (base in BY_NAME or base in ALIASES) and has_average(find_metric(base)):
        of_class = _of_metric(base)
        return replace(of_class, title=f"{of_class.title}, {average}", preset={"average": average})
    function = brier_skill if name in BRIER_SKILL else function_named(name)
    if function is None:
        return None
    return replace(_of_metric(function), response="predict_proba" if function is brier_skill else response_of(name))


def _of_metric(
    metric: MetricLike, options: Mapping[str, Any] = NONE_GIVEN, parameter: str = "metric"
) -> NamedStatistic:
    found: WeightedMetric | AnyMetric | RiskMetric
    if is_function(metric):
        found, needs = weighted_metric(metric, options.get("range"), options.get("greater_is_better")), None
    else:
        found, needs = find_metric(metric, parameter, NAMES), "thresholds"
    of, takes = partial(_metric_by_options, metric=metric), HowJudged._fields
    named = NamedStatistic(found.label, of, found.greater_is_better, takes, metric=metric, needs=needs, beside=BESIDE)
    if not (isinstance(found, RiskMetric) and found.name == "net_benefit"):
        return named
    return replace(named, takes=(*takes, *TIMES[:3]), at_horizon=net_benefit_at_horizon)


def _metric_by_options(cases: Cases, *columns: str, metric: MetricLike, **options: Any) -> Any:
    return metric_of(cases, *columns, metric=metric, how=HowJudged(**options))


# The names that messages list.
NAMES = (*(name for name, each in STATISTICS.items() if not each.preset), "roc_auc", "ks", "brier_skill")


def refuse_options(name: str, statistic: NamedStatistic, options: Mapping[str, object]) -> None:
    for option in statistic.preset:
        if option in options and options[option] != statistic.preset[option]:
            raise ValueError(
                f"{option} is already part of the name {name!r} ({statistic.preset[option]!r}), got "
                f"{options[option]!r}. Leave it out."
            )
