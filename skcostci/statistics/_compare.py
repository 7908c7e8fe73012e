"""Several models on the same cases, or one model in several subgroups: any statistic, all differences at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Floats, as_array, as_objects, column_names, is_missing, table_columns
from skcostci._described import described
from skcostci._frozen import cached_property
from skcostci._options import Adjustment, Label, Sampling, WeightType, explains_calls, option_meant
from skcostci._validation._arguments import check_lengths, check_option
from skcostci._validation._labels import check_label_column, has_label, label_positions, sorted_labels, typed_labels
from skcostci._validation._proxy_rows import JUDGED, check_checked_of_each
from skcostci._validation._rows import (
    SampleOptions,
    check_any_weights,
    check_frequency_weights,
    check_row_order,
    effective_number,
)
from skcostci._validation._tables import refuse_classes_as_models
from skcostci.cases._cases import Cases, has_times
from skcostci.compare._comparison import ModelComparison, compare
from skcostci.compare._contrasts import FAMILIES, against, check_contrasts, independent_difference, pairwise
from skcostci.laws._side_by_side import PartlyDefinedLaw
from skcostci.metric import MetricLike, ZeroDivision
from skcostci.results._results import BootstrapResult, ComparedResult
from skcostci.statistics._any_metric import KappaWeights, TableAverage, is_function
from skcostci.statistics._proxies import weight_of
from skcostci.statistics._registry import NamedStatistic, StatisticOptions, refuse_options, statistic_of
from skcostci.statistics._weight_types import weighed

if TYPE_CHECKING:
    import pandas as pd

MOST_MODELS = 50
# What both functions take for any statistic: crossed= is for models alone, time= an option of some statistics.
OF_ROWS = (name for name in SampleOptions.__annotations__ if name not in ("crossed", "time"))
OF_ALL_STATISTICS = ("contrast", "reference", "adjustment", *OF_ROWS)


class ComparedOptions(StatisticOptions, total=False):
    """The options of all statistics; each is for the statistics that have it."""

    sampling: Sampling | None
    prevalence: float | tuple[int, int] | None
    thresholds: ArrayLike | Mapping[str, ArrayLike]
    average: TableAverage | None
    labels: ArrayLike | None
    kappa_weights: KappaWeights | None
    range: tuple[float, float] | None
    greater_is_better: bool | None
    zero_division: ZeroDivision | None


@explains_calls
@described(SampleOptions)
def compare_models(
    y_true: ArrayLike | None,
    y_scores: Mapping[str, ArrayLike] | pd.DataFrame,
    statistic: MetricLike = "auc",
    *,
    contrast: ArrayLike | str | None = None,
    reference: object = None,
    adjustment: Adjustment = "max_t",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    **options: Unpack[ComparedOptions],
) -> ModelComparison:
    """Several models on the same cases: each one's value, all differences at once, and which may be best.

    >>> from skcostci import compare_models
    >>> models = {"a": [0.1, 0.7] * 20, "b": [0.4, 0.6, 0.5, 0.5] * 10, "c": [0.3, 0.8, 0.6, 0.2] * 10}
    >>> compare_models([0, 1] * 20, models)
    ModelComparison(auc: a 1 [0.838, 1], b 0.875 [0.738, 0.944], c 0.5 [0.273, 0.727]; 95 % intervals by unseen_case)

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, both classes present; for metrics of several classes their labels, for losses of amounts
        ("squared_error" and others) numbers.
    y_scores : mapping of str to array-like of shape (n_samples,), or DataFrame
        The models' scores by name, at least two; higher means more positive. They need not share a scale. For a metric
        without thresholds the predicted labels, for losses the predicted probabilities or amounts.
    statistic : str, Metric or callable, default="auc"
        What is compared: "auc" (or "roc_auc"), "average_precision", "cost", a rate at a fixed value of another
        ("sensitivity_at_specificity", "specificity_at_sensitivity", "tpr_at_fpr", "fpr_at_tpr"), a loss ("brier",
        "log_loss", "rps", "squared_error", "absolute_error", "zero_one"), "brier_skill", or any metric, name or
        function that :func:`bootstrap_metric` takes, "gini" included, and "aurc" (of confidences in the same answers:
        ``y_true`` is 1 where they are right); of one model in subgroups "ks" and "eer" too. For censored times
        "concordance", and "auc", "brier" and "net_benefit" at a ``horizon``. "mean" is that of values of each case,
        such as grades or Dice scores, with None for ``y_true``.
    contrast : {"pairwise", "reference"} or array-like of shape (n_differences, n_models), default=None
        Which differences: all pairs, each model minus the reference, or a row of weights for each difference, adding up
        to 0. None is "reference" if a reference is named, else "pairwise".
    reference : str, default=None
        The name of the model that the others are compared with.
    adjustment : {"max_t", "holm", "none"}, default="max_t"
        How p-values and limits of the differences allow for their number. "max_t" uses the differences' joint
        distribution and gives the shortest adjusted intervals; "holm" is the step-down procedure, which needs no joint
        distribution; "none" makes no adjustment.
    **options
        Options of the statistic: ``sampling``, ``max_fpr``, ``standardize``, ``multi_class``, ``average`` and
        ``labels`` for "auc"; ``least``, ``most`` and ``labels`` for losses; ``least``, ``most`` and
        ``greater_is_better`` for "mean"; ``sampling`` and ``prevalence`` for "average_precision"; ``probability_cost``
        (one number), ``thresholds`` (a rule for all models or a mapping of their names to rules), ``sampling``,
        ``normalizer`` for "cost"; for rates the one that is fixed, a number: ``specificity``, ``sensitivity``, ``fpr``
        or ``tpr``; ``thresholds`` (one number for all models or a mapping), ``sampling``, ``prevalence`` for metrics.
        For censored times ``time`` and ``horizon``, or (not "net_benefit") several and ``integrated=True``, where
        ``y_true`` says whether the event was observed then; or events as ``event``, with None for ``y_true``.

    Returns
    -------
    ModelComparison
        With ``models``, ``differences``, ``ratios``, ``gap``, ``may_be_best``, ``omnibus`` (one p-value, that no model
        differs from another) and ``letters``. Where a metric is undefined (``defined``) the estimate is NaN, the
        interval the whole range, and the p-values of differences are 1.

    See Also
    --------
    compare_groups : One model in several subgroups.
    bootstrap_auc_difference, bootstrap_cost_difference : Two models.

    Notes
    -----
    **Intervals of single models** are the default ones of the function for one model, not adjusted for their number.

    **Intervals of differences** are the default ones of the function for two models, before the adjustment:

    - AUC, average precision, concordance, means, losses, functions without a finite range: "extrapolated" (values that
      are all 0 or 1: "unseen_case"). Short where the models resemble each other. Not to be trusted where one model
      alone may fail on a kind of case that is not in the sample:
      ``differences.confidence_interval(method="unseen_case")`` allows for it.
    - Metrics, costs at given thresholds: "unseen_case". Wide where two models agree on nearly all cases. Costs at the
      best threshold of each model: "chosen". Rates at a fixed rate: "rank_mover".
    - With ``groups``: "extrapolated", with an additional group ("unseen_group" allows for groups that one model alone
      fails as a whole). Costs at chosen thresholds keep "chosen"; rates at a fixed rate have "unseen_group".

    :doc:`/user_guide/several_models` has the rest.

    References
    ----------
    J. C. Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the best", Annals of
    Statistics, 1984; A. Genz and F. Bretz, "Computation of multivariate normal and t probabilities", Springer, 2009.
    """
    columns = named_columns(y_scores)
    names = tuple(columns)
    contrasts = _contrasts(contrast, reference, names)
    check_option("adjustment", adjustment, Adjustment)
    sample: SampleOptions = {"pos_label": pos_label, "sample_weight": sample_weight, "weight_type": weight_type}
    sample |= {"groups": groups, "crossed": crossed, "folds": folds, "proxy": proxy, "checked": checked}
    question, given = _statistic("compare_models", statistic, options, pos_label)
    question, y_true, sample["time"], given = question.at_times(y_true, given)
    _check_rules(given.get("thresholds"), names)
    by_name = {f"y_scores[{name!r}]": column for name, column in columns.items()}
    whole = question.check(y_true, by_name, given, sample)
    refuse_classes_as_models(y_scores, whole.truth if y_true is None or has_times(y_true) else y_true)
    cases = replace(whole, columns=dict(zip(names, whole.columns.values(), strict=True)))
    pairs = Pairs(question, cases, given, names).with_one_weight()
    results = [weighed(pairs.single(name), sample, BootstrapResult) for name in names]
    _check_some_defined(question, results, "of every model")
    return compare(names, results, pairs, contrasts, adjustment=adjustment, **question.said(given))


@explains_calls
@described(compare_models)
def compare_groups(
    y_true: ArrayLike | None,
    y_score: ArrayLike,
    by: ArrayLike,
    statistic: MetricLike = "auc",
    *,
    contrast: ArrayLike | str | None = None,
    reference: object = None,
    adjustment: Adjustment = "max_t",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    **options: Unpack[ComparedOptions],
) -> ModelComparison:
    """One model in disjoint subgroups: its value in each, and all differences at once.

    >>> from skcostci import compare_groups
    >>> y_true, y_score, by = [0, 0, 0, 1, 1, 1] * 10, list(range(60)), ["north"] * 30 + ["south"] * 30
    >>> compare_groups(y_true, y_score, by)
    ModelComparison(auc: north 0.6 [0.377, 0.801], south 0.6 [0.377, 0.801]; 95 % intervals by unseen_case)

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, those of several classes, or numbers for losses of amounts. In a subgroup of one class statistics
        that compare the classes, such as the AUC, are undefined.
    y_score : array-like of shape (n_samples,)
        Finite scores, higher meaning more positive; for a metric without thresholds predicted labels, for losses
        probabilities or amounts.
    by : array-like of shape (n_samples,) or (n_samples, n_columns)
        The subgroup of each case: sexes, sites, age bands. At least two. Several columns, such as sex and site, are
        combined into subgroups "f, north". Ordered categories keep their order.
    contrast : {"pairwise", "reference"} or array-like of shape (n_differences, n_groups), default=None
        Which differences: of all pairs of subgroups, of each subgroup minus the reference, or a row of weights for each
        difference, adding up to 0. None is "reference" if a reference is named, else "pairwise".
    reference : str, int, float or bool, default=None
        A subgroup, as it is called in ``by`` or in ``models``.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, such as the lesions of a patient, each group in one subgroup.
    folds : array-like of shape (n_samples,), default=None
        The fold in which each case was tested: the mean over folds. Each subgroup has cases in every fold.
    **options
        Options of the statistic, as ``thresholds`` (one rule for all subgroups) for metrics, ``specificity`` for
        "sensitivity_at_specificity" or ``max_fpr`` for "auc".

    Returns
    -------
    ModelComparison
        With a subgroup in place of a model. ``omnibus().pvalue`` is **one p-value for the hypothesis that no subgroup
        differs from another**; ``differences.pvalue()`` has the adjusted p-values of pairs, ``ratios`` has their
        ratios, and ``gap()`` is the largest value minus the smallest, with an interval.

        Where the statistic is undefined in a subgroup the estimate is NaN, the interval is the whole range and the
        p-values of its differences are 1; ``defined`` shows where.

    See Also
    --------
    compare_models : Several models on the same cases.

    Notes
    -----
    **Intervals of single subgroups** are the default ones of the statistic, from the cases of the subgroup alone, not
    adjusted for their number. With ``proxy`` each subgroup must have two checked rows or more, and a weight of its own.

    **Intervals of differences** ("combined", the only method) combine the limits of the subgroups at all levels, as
    independent samples. They allow for what the subgroups' own intervals allow for, such as one additional case in
    each, and should not be trusted where these should not. Limits and p-values are then adjusted for the number of
    differences.

    ``omnibus()`` is a chi-square test with the subgroups' bootstrap variances (for AUCs DeLong's): not to be trusted
    with few cases or with estimates near the ends of the range. :doc:`/user_guide/several_models` has the rest.

    References
    ----------
    M. Xie and K. Singh, International Statistical Review, 2013.
    """
    sample: SampleOptions = {"pos_label": pos_label, "sample_weight": sample_weight, "weight_type": weight_type}
    sample |= {"groups": groups, "folds": folds, "proxy": proxy, "checked": checked}
    question, given = _statistic("compare_groups", statistic, options, pos_label)
    question, y_true, sample["time"], given = question.at_times(y_true, given)
    _check_rules(given.get("thresholds"))
    check_option("adjustment", adjustment, Adjustment)
    cases = question.check(y_true, {"y_score": y_score}, given, sample, row_by_row=True)
    check_row_order({"y_true": y_true, "y_score": y_score, "by": by})
    subgroups = subgroups_of(cases, by, sample_weight, weight_type)
    if isinstance(reference, tuple) and reference not in subgroups:
        reference = ", ".join(map(str, reference))  # as combinations of several columns are named below
    contrasts = _contrasts(contrast, reference, list(subgroups))
    _check_folds(question, cases, subgroups)
    results = _results(question, list(subgroups.values()), given)
    if weight_type == "importance":
        numbers = [effective_number(part.weights) for part in subgroups.values()]
        results = [replace(result, effective_cases=n) for result, n in zip(results, numbers, strict=True)]
    names, pairs = tuple(map(str, subgroups)), partial(difference_between, results)
    return compare(names, results, pairs, contrasts, adjustment=adjustment, **question.said(given))


def difference_between(results: Sequence[BootstrapResult], i: int, j: int) -> ComparedResult:
    """The difference of two of these results, on samples that share no cases."""
    return independent_difference(results[i], results[j])


def subgroups_of(
    cases: Cases, by: ArrayLike, sample_weight: ArrayLike | None, weight_type: WeightType = "counts"
) -> dict[Label, Cases]:
    """The cases of each subgroup, by its name; ``by`` is as given, with an entry for rows of weight 0 too."""
    members, order = _subgroups_in_order(by)
    if (proxies := cases.proxies) is not None:
        check_lengths({"y_true": cases.truth[proxies.kinds != JUDGED], "by": members})
        members = proxies.laid_out(members)
        check_checked_of_each(members, proxies)
    if sample_weight is not None:
        weights = (check_frequency_weights if weight_type == "counts" else check_any_weights)(sample_weight)
        check_lengths({"by": members, "sample_weight": weights})
        members = members[weights > 0]
    check_lengths({"y_true": cases.truth, "by": members})
    known = sorted_labels({"by": members}, order)
    if not 2 <= len(known) <= MOST_MODELS:
        raise ValueError(f"by must contain from 2 to {MOST_MODELS} subgroups, got {len(known)}.")
    rows = {name: has_label(members, name) for name in known}
    if cases.groups is not None:
        seen = sum(len(np.unique(cases.groups[each])) for each in rows.values())
        if seen > cases.n_groups:
            raise ValueError(
                "each of the groups must be in only one subgroup of by, as subgroups are compared as independent "
                f"samples; counting groups within each subgroup gives {seen - cases.n_groups} more than there are "
                "groups."
            )
    return {name: cases.part(each) for name, each in rows.items()}


def _subgroups_in_order(by: ArrayLike) -> tuple[NDArray[np.generic], list[Label]]:
    """The subgroup of each case, such as "f, a" where ``by`` has several columns, and its categories in order."""
    table = as_array("by", by)
    if table.ndim != 2 or table.shape[1] < 2:
        return check_label_column("by", by), typed_labels({"by": by})
    names, places = [], []
    for called, given in table_columns(by if column_names(by) is not None else table).items():
        column = check_label_column(f"by[{called!r}]", given)
        names.append(sorted_labels({"by": column}, typed_labels({"by": given})))
        places.append(label_positions("by", column, names[-1]).tolist())
    rows = list(zip(*places, strict=True))
    joined = {row: ", ".join(str(names[i][place]) for i, place in enumerate(row)) for row in sorted(set(rows))}
    if twice := [name for name, many in Counter(joined.values()).items() if many > 1]:
        raise ValueError(f"by must have columns whose combinations have distinct names, got {twice[0]!r} twice.")
    return as_objects(joined[row] for row in rows), list(joined.values())


def _check_folds(question: NamedStatistic, cases: Cases, subgroups: Mapping[Label, Cases]) -> None:
    if cases.folds is None:
        return
    for name, part in subgroups.items():
        folds = part.parts() if part.folds is not None else []
        if len(folds) < int(cases.folds.max()) + 1:
            raise ValueError(f"every subgroup of by must have cases in every fold; {name!r} has none in some folds.")
        if question.compares and any(0 in fold.sizes for fold in folds):
            raise ValueError(
                f"every fold must contain both classes of every subgroup; {name!r} lacks a class in some folds."
            )


def _results(question: NamedStatistic, parts: Sequence[Cases], options: Mapping[str, object]) -> list[BootstrapResult]:
    """The statistic in each subgroup; it is undefined where it needs both classes and one is missing."""
    results: list[BootstrapResult | None] = [
        _one_point(question, part, "y_score", options) if not question.compares or 0 not in part.sizes else None
        for part in parts
    ]
    known = next((result for result in results if result is not None), None)
    if known is None:
        raise ValueError(
            f"{question.title} is undefined in every subgroup of by: each contains cases of one class only."
        )
    complete = [
        undefined_like(known, "no negatives" if part.sizes[0] else "no positives") if result is None else result
        for part, result in zip(parts, results, strict=True)
    ]
    _check_some_defined(question, complete, "in every subgroup of by")
    return complete


def undefined_like(like: BootstrapResult, reason: str) -> BootstrapResult:
    least, most = (np.asarray(end, dtype=np.float64) for end in like.law.support)
    nowhere = np.zeros(np.shape(like.law.variance), dtype=bool)
    law = PartlyDefinedLaw(None, nowhere, (reason,), (least, most))
    return replace(like, estimate=np.nan, law=law)


def _check_some_defined(question: NamedStatistic, results: Sequence[BootstrapResult], where: str) -> None:
    if not any(np.all(result.defined) for result in results):
        reason = results[0]._undefined_because()[0]
        raise ValueError(f"{question.title} is {reason} {where}.")


def _one_point(question: NamedStatistic, cases: Cases, column: str, options: Mapping[str, object]) -> BootstrapResult:
    """A statistic of one column, which must be a single number."""
    result: BootstrapResult = question.of(cases, column, **options)
    if np.ndim(result.estimate):
        points, shape = np.size(result.estimate), np.shape(result.estimate)
        if "average" in options and options["average"] is None:
            raise ValueError(
                f"average must give a single number per model, got None, which gives one per class ({points} of them)."
            )
        raise ValueError(f"{question.needs} must be a single number, to have one value per model, got shape {shape}.")
    return result


@dataclass(frozen=True, repr=False, eq=False)
class Pairs:
    """The results of single models, and those of differences, which are computed when first needed and then kept."""

    question: NamedStatistic
    cases: Cases
    options: Mapping[str, Any]
    names: Sequence[str]

    @cached_property
    def _made(self) -> dict[tuple[int, int], ComparedResult]:
        return {}

    def single(self, name: str) -> BootstrapResult:
        return _one_point(self.question, self.cases, name, self._options(name))

    def __call__(self, i: int, j: int) -> ComparedResult:
        if (i, j) not in self._made:
            pair = self.names[i], self.names[j]
            self._made[i, j] = self.question.of(self.cases, *pair, **self._options(*pair))
        return self._made[i, j]

    def with_one_weight(self) -> Pairs:
        """The same with one weight of the proxy for all models: that with the least sum of their variances."""
        if (proxies := self.cases.proxies) is None:
            return self
        terms = [use.terms for use in (self.single(name).proxy for name in self.names) if use is not None]
        weight = weight_of(*np.sum(terms, axis=0))
        return replace(self, cases=self.cases.with_rows(proxies=proxies._replace(weight=weight)))

    def _options(self, *names: str) -> dict[str, object]:
        """The options, with the threshold rules of these models if each has its own."""
        rules = self.options.get("thresholds")
        if not isinstance(rules, Mapping):
            return dict(self.options)
        by_name = {str(name): rule for name, rule in rules.items()}
        chosen = tuple(by_name[name] for name in names)
        return {**self.options, "thresholds": chosen if len(chosen) > 1 else chosen[0]}


def named_columns(y_scores: Mapping[str, ArrayLike] | pd.DataFrame, least: int = 2) -> dict[str, ArrayLike]:
    is_lazy = hasattr(y_scores, "collect")  # a table whose columns would have to be computed
    keys = list(y_scores) if isinstance(y_scores, Mapping) else None if is_lazy else column_names(y_scores)
    if keys is None:
        kind = type(y_scores).__name__
        by_name = "Pass {'a': scores_of_a, 'b': scores_of_b}, one column of scores per name"
        way = "Collect it first" if is_lazy else by_name
        raise TypeError(f"y_scores must be a mapping of names to scores or a DataFrame, got {kind}. {way}.")
    columns = {str(key): y_scores[key] for key in keys}
    if len(columns) < len(keys):
        raise ValueError(f"y_scores must have distinct names, got {keys}.")
    if not least <= len(columns) <= MOST_MODELS:
        alone = " For one model use bootstrap_auc, bootstrap_metric and others, or compare_groups for its subgroups."
        raise ValueError(
            f"y_scores must contain from {least} to {MOST_MODELS} models, got "
            f"{len(columns)}.{alone * (len(columns) == 1)}"
        )
    return columns


def _check_rules(thresholds: Any, models: Sequence[str] = ()) -> None:
    """Raise unless there is one threshold, or rule, for all, or one per model by name."""
    of_each = " or a mapping with one for each model by name, such as {'a': 0.5, 'b': 0.4}" if models else ""
    wanted = f"thresholds must be one number or rule for all{of_each or ' subgroups'}"
    if isinstance(thresholds, Mapping):
        if {*map(str, thresholds)} != {*models}:
            raise ValueError(
                f"{wanted}, got thresholds for {list(thresholds)}{f' and models {list(models)}' * bool(models)}."
            )
    elif thresholds is not None and (shape := as_array("thresholds", thresholds).shape):
        raise ValueError(f"{wanted}, got {shape[0]} without names.")


def _contrasts(contrast: ArrayLike | str | None, reference: object, names: Sequence[Any]) -> Floats:
    if contrast is None:
        contrast = "pairwise" if reference is None else "reference"
    if not isinstance(contrast, str):
        return check_contrasts(contrast, names)
    if check_option("contrast", contrast, FAMILIES) == "pairwise":
        return pairwise(names)
    if reference is None:
        raise ValueError("contrast='reference' needs reference=, the name of a model.")
    known = [str(name) for name in names]
    if str(reference) not in known:  # equal names may differ as text: 1 and True, 1.0 and 1
        reference = next((name for name in names if not is_missing(reference) and name == reference), reference)
    return against(len(known), known.index(check_option("reference", str(reference), known)))


def _statistic(
    function: str, statistic: MetricLike, options: Mapping[str, object], pos_label: Label | None
) -> tuple[NamedStatistic, dict[str, object]]:
    """The statistic and its options; raise if a necessary option is missing or an unknown one is given."""
    found = statistic_of(statistic, "statistic", options)
    if unknown := [name for name in options if name not in found.takes]:
        raise TypeError(
            f"{function} got {', '.join(map(repr, unknown))}, which statistic={_named(statistic)} does not take: "
            f"besides the arguments of all statistics it takes {', '.join(map(repr, found.takes)) or 'no others'}."
            f"{option_meant(unknown[0], (*OF_ALL_STATISTICS, *found.takes))}"
        )
    if wrong := [name for name, value in options.items() if isinstance(value, Mapping) and name != "thresholds"]:
        raise TypeError(
            f"{wrong[0]} must be the same for all models or subgroups, got a mapping: {options[wrong[0]]!r}."
        )
    if found.metric is None and found.needs not in (None, *options):
        raise ValueError(f"statistic={statistic!r} needs {found.needs}=, one number, to have one value per model.")
    refuse_options(str(statistic), found, options)
    of_loss = {} if found.loss is None or pos_label is None else {"pos_label": pos_label}
    given = {**found.preset, **options, **of_loss}
    if found.metric is None and given.get("greater_is_better") is not None:  # a mean: only users know its direction
        found = replace(found, greater_is_better=bool(given["greater_is_better"]))
    return found, given if found.metric is not None else {k: v for k, v in given.items() if k != "greater_is_better"}


def _named(statistic: Any) -> str:
    if isinstance(statistic, str) or is_function(statistic):
        return repr(statistic)
    return f"{type(statistic).__name__} {statistic.name!r}"
