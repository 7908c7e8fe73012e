"""The report on several metrics and models at once, and the public function that checks its options and returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, Never

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import as_array
from skcostci._described import described
from skcostci._frozen import Comparable, cached_property
from skcostci._options import Label, WeightType, explains_calls, named_plainly, without_address
from skcostci._shown import as_frame, as_json
from skcostci._validation._arguments import FINITE
from skcostci._validation._labels import check_label_column, has_fractions, unique_labels
from skcostci._validation._rows import SampleOptions, check_row_order, row_options
from skcostci._validation._tables import is_table_of_classes, refuse_classes_as_models
from skcostci.cases._cases import Cases, check_proxied
from skcostci.metric import AnyMetric
from skcostci.reports._blocks import blocks_of, page_of, to_html, to_text
from skcostci.reports._inquiry import ClassCases, Cut, Inquiry, Origin, Row, sizes_of
from skcostci.reports._statistics import VALIDATION, Numbers, Section, Stretches, numbers_of
from skcostci.statistics._compare import named_columns, subgroups_of
from skcostci.statistics._registry import STATISTICS

if TYPE_CHECKING:
    import pandas as pd

DEFAULT = ("roc_auc", "recall", "specificity", "precision", "f1")
STATED = ("metrics", "thresholds", "confidence_level", "pos_label", "prevalence", "cost_fn", "cost_fp", "weight_type")
OF_COUNTS = ("calibration_slope", "calibration_intercept")
COLUMNS = ("by", "groups", "sample_weight", "proxy", "checked")


@dataclass(frozen=True, repr=False, eq=False)
class Report(Comparable):
    """A report on one model or several: print it, show it in a notebook, save it as a page, or take its numbers.

    Parameters
    ----------
    inquiry : object
        The cases, the models and the options.
    sections : tuple
        The numbers of each statistic at each point, and the differences.
    operating_ranges : tuple or None
        The operating range of each row, the PC(+) at which some threshold costs less than both trivial classifiers, if
        "cost" is among the metrics.
    cheaper : tuple or None
        For two models the ranges of PC(+) in which each is significantly cheaper.
    version, date : str
        The version of the package and the date, in UTC.

    Attributes
    ----------
    call : str
        The call that made the report, as code.
    rows : list of dict
        The numbers one by one, as in ``to_frame``.
    labels : tuple
        The classes; of two the negative one first.
    pairs : tuple of (str, str)
        The models or subgroups compared, in the order of the differences.

    See Also
    --------
    report : Returns one.

    Examples
    --------
    >>> from skcostci import report
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> made = report(y_true, y_score, metrics=("roc_auc",))
    >>> made.to_frame().round(3)[["model", "metric", "estimate", "low", "high"]]
       model metric  estimate    low   high
    0  model    auc     0.875  0.336  0.999
    """

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

    def _compared(self) -> Mapping[str, ArrayLike]:
        """The numbers by name, one entry per row of the frame; without the date."""
        return {name: tuple(row[name] for row in self.rows) for name in self.rows[0]}

    @cached_property
    def rows(self) -> list[Numbers]:
        """The numbers, a dictionary for each: models or subgroups, then differences, of each statistic at each point.

        For three classes or more ``label`` is the class, the average or "all classes", and ``support`` the number of
        cases of these classes.
        """
        return [row for section in self.sections for row in section.numbers]

    @property
    def labels(self) -> tuple[Label, ...]:
        """The classes; of two the negative one first."""
        return tuple(self.inquiry.cases.labels)

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
        made = {"version": self.version, "date": self.date, **origin, **sizes_of(cases)}
        made |= {"pos_label": cases.labels[1]} if cases.of_two_classes else {"labels": cases.labels}
        made |= {} if cases.groups is None else {"n_groups": cases.n_groups}
        made |= {} if cases.rows.effective_number is None else {"effective_cases": cases.rows.effective_number}
        return dict(as_json({"made": made, "rows": self.rows}))

    def to_frame(self) -> pd.DataFrame:
        """The numbers as a DataFrame: one row per model (or subgroup), metric and point, then one per difference.

        Returns
        -------
        pandas.DataFrame
            ``model``, ``metric``, ``at`` (the point: a threshold or a specificity), ``estimate``, ``standard_error``,
            ``low``, ``high``, for differences ``p``, and ``note``, the reason why a number is undefined; then
            ``statistic``, ``confidence_level`` and ``method``. For three classes or more ``label`` and ``support``
            follow ``at``: a class, "macro", "weighted" or "all classes", and the number of cases.

        Examples
        --------
        >>> from skcostci import report
        >>> found = report([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6]})
        >>> list(found.to_frame().columns[:4])
        ['model', 'metric', 'at', 'estimate']
        """
        return as_frame(self._compared())

    def to_html(self, *file: Never) -> str:
        """The report as an HTML page with tables and pictures that needs no other file and no network.

        Parameters
        ----------
        *file : never
            Not accepted, as no file is written; ``Path("report.html").write_text(found.to_html(), encoding="utf-8")``
            writes one.

        Returns
        -------
        str
            The page, to be written to a file in UTF-8.

        Raises
        ------
        TypeError
            If a file is passed.

        Examples
        --------
        >>> from skcostci import report
        >>> found = report([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6]})
        >>> found.to_html()[:15]
        '<!doctype html>'
        """
        if file:
            write = f"pathlib.Path({str(file[0])!r}).write_text(report.to_html(), encoding='utf-8')"
            raise TypeError(f"to_html() returns the page as text and writes no file, got {file[0]!r}: use {write}.")
        return page_of(self)

    def __repr__(self) -> str:
        return to_text(blocks_of(self))

    def _repr_html_(self) -> str:
        return to_html(blocks_of(self))


@explains_calls
@described(SampleOptions)
def report(
    y_true: ArrayLike | None,
    y_scores: ArrayLike | Mapping[str, ArrayLike] | pd.DataFrame,
    *,
    metrics: Sequence[object] = DEFAULT,
    thresholds: float | Sequence[float] | Mapping[str, float] | None = 0.5,
    confidence_level: float = 0.95,
    by: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    pos_label: Label | None = None,
    prevalence: float | None = None,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
) -> Report:
    """A report: several metrics of one model or more with intervals, and the differences of the models, in one table.

    >>> from skcostci import report
    >>> y_true, a = [0, 0, 0, 0, 1, 1, 1, 1] * 5, [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9] * 5
    >>> report(y_true, a, metrics=("roc_auc", "f1")).to_frame()[["metric", "estimate", "low", "high"]].round(3)
      metric  estimate    low   high
    0    auc     0.875  0.705  0.964
    1     f1     0.750  0.558  0.882

    The numbers are those of the library's functions by their default methods. Nothing is resampled.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels, or classes, any number of them. With a single class, statistics that compare the classes are
        undefined and the others are reported. None for "mean".
    y_scores : array-like of shape (n_samples,), mapping of str to such, or DataFrame
        The scores of one model, or of several by name; higher means more positive. For three classes or more predicted
        labels or, with a column for each class, probabilities: the predicted label is then the most probable class.
    metrics : str, Metric or sequence of such
        The metrics, one or several: "roc_auc", "auc:0.1" (up to a false-positive rate, standardized),
        "average_precision", "brier" and "log_loss" (for scores that are probabilities),
        "calibration_slope", "calibration_intercept" and "observed_expected" likewise,
        "sensitivity_at_specificity:0.9", "specificity_at_sensitivity:0.9", "cost" (normalized, at the operating
        condition), metrics of labels, such as "f1", "sensitivity" and "ppv", or averaged over both classes, "f1_macro",
        and any other name that :func:`bootstrap_metric` takes for scores, such as "gini", "ks" or "brier_skill". For
        three classes or more a metric of two classes is that of each class against the rest, and "roc_auc" and
        "log_loss" need probabilities. The default is then what scikit-learn's classification report has and, with
        probabilities, these two. "validation" stands for the table of an external validation of probabilities: AUC,
        calibration slope and intercept, observed/expected events, Brier score, and net benefit at the thresholds; with
        importance weights name all these but slope and intercept, which need counts. "mean", by itself, is that of
        the values in ``y_scores``, such as grades or Dice scores, higher being better.
    thresholds : float, sequence of floats, mapping of str to float or None, default=0.5
        The thresholds from which on cases are labelled positive: one for all models, several (a row each), or one per
        model by name.
    confidence_level : float, default=0.95
        Confidence level of all intervals, in (0, 1).
    by : array-like of shape (n_samples,), default=None
        The subgroup of each case; a single model is then compared between subgroups.
    prevalence : float, default=None
        The share of positives where the models will be used; None is the share in the sample.
    cost_fn, cost_fp : float, default=1.0
        The costs of a missed positive and of a false alarm.

    Returns
    -------
    Report
        Printed as a table, shown in notebooks, with ``to_frame``, ``to_html`` and ``to_dict``.

    See Also
    --------
    compare_models, compare_groups : One statistic, with all results about its differences.

    Notes
    -----
    For two models the differences are not adjusted. For more models, p-values and limits of the differences in one
    metric are adjusted for their number (max-t). There is no adjustment for the number of metrics.

    With ``groups`` sensitivity at a specificity and specificity at a sensitivity are not reported, with importance
    weights no costs, whose thresholds are chosen on the same cases. With ``proxy`` there are AUCs, Brier scores and
    metrics of labels at given thresholds, and pictures have no curves.

    Examples
    --------
    Two models and their difference:

    >>> b = [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9] * 5
    >>> report(y_true, {"a": a, "b": b}, metrics="f1").to_frame().round(3)[["model", "metric", "estimate", "p"]]
       model metric  estimate      p
    0      a     f1      0.75    NaN
    1      b     f1      0.50    NaN
    2  a - b     f1      0.25  0.016
    """
    given = {**locals(), "metrics": _words(metrics)}
    of_values = _are_means(given["metrics"], y_true)
    sample: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups}
    sample |= {"pos_label": pos_label, "proxy": proxy, "checked": checked}
    has_proxy = proxy is not None or checked is not None
    classes = [] if has_proxy or y_true is None or of_values else _several_classes(y_true, sample_weight)
    columns, called = _columns_of(y_scores, classes)
    scores = dict(zip(called, columns.values(), strict=True))
    if classes or of_values or weight_type == "importance":
        _check_stated(given, classes=bool(classes), of_values=of_values)
    if y_true is None or of_values:
        cases = STATISTICS["mean"].check(y_true, scores, {}, sample)
    elif classes:
        cases = ClassCases.of_models(y_true, scores, list(columns), **row_options(sample))
    else:
        check = partial(Cases.check, both_classes=False, pos_label=pos_label)
        cases = check_proxied(check, y_true, scores, sample, {"prevalence": prevalence})
        if not has_proxy:
            refuse_classes_as_models(y_scores, y_true)
    cases = replace(cases, columns=dict(zip(columns, cases.columns.values(), strict=True)))
    rows = [Row(model, model, cases) for model in columns]
    if by is not None:
        if len(columns) > 1:
            raise ValueError(f"by compares subgroups for one model: pass one column of y_scores, got {len(columns)}.")
        check_row_order({"y_true": y_true, **scores, "by": by})
        parts = subgroups_of(cases, by, sample_weight, weight_type)
        rows = [Row(str(name), rows[0].model, part) for name, part in parts.items()]
    origin = Origin("Report", None if y_true is None else "y_true", _call(given), None if by is None else "by")
    words, cuts = () if classes and metrics is DEFAULT else given["metrics"], _cuts(thresholds, columns)
    costs = prevalence, cost_fn, cost_fp
    inquiry = Inquiry(origin, cases, list(columns), words, confidence_level, cuts, *costs, rows)
    return Report(*numbers_of(inquiry))


def _columns_of(y_scores: Any, classes: Sequence[Label]) -> tuple[dict[str, ArrayLike], list[str]]:
    """The models' scores by name, and their names in error messages; a frame of the classes is one model's."""
    several = isinstance(y_scores, Mapping) or hasattr(y_scores, "columns")
    if not several or (classes and not isinstance(y_scores, Mapping) and is_table_of_classes(y_scores, classes)):
        return {"model": y_scores}, ["y_scores"]
    columns = named_columns(y_scores, least=1)
    return columns, [f"y_scores[{name!r}]" for name in columns]


def _words(metrics: Any) -> tuple[str | AnyMetric, ...]:
    single = isinstance(metrics, str | AnyMetric) or not np.iterable(metrics)
    words = (metrics,) if single else () if isinstance(metrics, Mapping | Set | bytes) else tuple(metrics)
    if not words:
        raise ValueError(f"metrics must be a name, a Metric or a sequence of these, got {metrics!r}.")
    for word in words:
        if not isinstance(word, str | AnyMetric):
            called = named_plainly(word)
            way = f" bootstrap_metric(y_true, y_pred, {called}) and compare_models(y_true, models, {called}) accept it."
            raise TypeError(f"metrics must be names or Metrics, got {without_address(word)}.{way * callable(word)}")
    plain = (str(word) if isinstance(word, str) else word for word in words)  # numpy's texts print differently
    return tuple(chain.from_iterable(VALIDATION if word == "validation" else (word,) for word in plain))


def _are_means(words: Sequence[str | AnyMetric], y_true: object) -> bool:
    """Whether means of values are requested, and nothing else; without ``y_true`` nothing else can be."""
    others = [word for word in words if word != "mean"]
    if others and (y_true is None or len(others) < len(words)):
        name = getattr(others[0], "name", others[0])
        raise ValueError(f"metrics: {name!r} needs y_true; metrics='mean', by itself and of values alone, needs none.")
    return not others


def _several_classes(y_true: ArrayLike, sample_weight: ArrayLike | None) -> list[Label]:
    """The classes if there are three or more; found first, as scores and thresholds are then checked otherwise."""
    weights = None if sample_weight is None else as_array("sample_weight", sample_weight)
    if weights is not None and weights.shape == np.shape(y_true) and weights.any():  # not the classes of weight 0
        y_true = as_array("y_true", y_true)[weights != 0]
    labels = check_label_column("y_true", y_true)
    known: list[Label] = unique_labels("y_true", labels).tolist()
    return known if len(known) > 2 and not has_fractions(labels) else []


def _check_stated(given: Mapping[str, Any], *, classes: bool, of_values: bool) -> None:
    """Raise for options of two classes where there are more or none, and for metrics of counts where there are none."""
    of_two = [name for name in _stated(given) if name not in ("metrics", "confidence_level", "weight_type")]
    if of_two and (classes or of_values):
        why = "y_true has more: leave it out, or pass y_true == label" if classes else "means have none: leave it out"
        raise ValueError(f"{of_two[0]} is for two classes, but {why}.")
    if {*OF_COUNTS} & {*given["metrics"]}:
        others = ", ".join(repr(name) for name in VALIDATION if name not in OF_COUNTS)
        why = "two classes only: pass y_true == label" if classes else f"counts: for importance weights name {others}"
        raise ValueError(f"metrics: {' and '.join(OF_COUNTS)}, of 'validation' too, are for {why}.")


def _cuts(thresholds: Cut | Sequence[float] | None, columns: Mapping[str, object]) -> tuple[Cut, ...]:
    """The thresholds: one for all models, several in turn, or one per model."""
    if thresholds is None:
        return ()
    if isinstance(thresholds, Mapping):
        if missing := [name for name in columns if name not in thresholds]:
            raise ValueError(f"thresholds must contain a score for each model, got none for {missing[0]!r}.")
        if unknown := [name for name in thresholds if name not in columns]:
            raise ValueError(f"thresholds must name models, {', '.join(map(repr, columns))}, got {unknown[0]!r}.")
        return ({name: FINITE("thresholds", cut) for name, cut in thresholds.items()},)
    return tuple(FINITE("thresholds", cut) for cut in np.ravel(thresholds).tolist())


def _stated(given: Mapping[str, object]) -> list[str]:
    """The options whose values are not the defaults, but for columns."""
    parameters = signature(report).parameters
    return [name for name in STATED if repr(given[name]) != repr(parameters[name].default)]


def _call(given: Mapping[str, object]) -> str:
    stated = [f"{name}={given[name]!r}" for name in _stated(given)]
    columns = [f"{name}={name}" for name in COLUMNS if given[name] is not None]
    first = "None" if given["y_true"] is None else "y_true"
    return f"skcostci.report({', '.join([first, 'y_scores', *stated, *columns])})"
