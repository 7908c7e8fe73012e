"""The report of three classes or more: the numbers of scikit-learn's classification report, each with its interval.

Precision, recall and F1 of each class against the rest, their macro and weighted averages, and the accuracy; if the
models give probabilities, the AUC of one class against the rest and the log loss too. For two models it has the
differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._frozen import Comparable
from skcostci._options import Label, WeightType
from skcostci._shown import as_frame, as_json
from skcostci._validation import as_array, check_confidence_level, check_label_column, has_label
from skcostci._validation._labels import sorted_labels, told_labels
from skcostci._validation._rows import UnitOptions, effective_number
from skcostci.intervals import METHODS
from skcostci.results._paired_results import DifferenceResult
from skcostci.results._results import BootstrapResult
from skcostci.statistics._auc_functions import bootstrap_auc, bootstrap_auc_difference
from skcostci.statistics._loss import bootstrap_loss, bootstrap_loss_difference
from skcostci.statistics._metric import MetricDifferenceResult, MetricResult
from skcostci.statistics._metric_functions import bootstrap_metric, bootstrap_metric_difference
from skcostci.statistics._several import TableAverage
from skcostci.tables import ZeroDivision

if TYPE_CHECKING:
    import pandas as pd

OF_CLASSES = ("precision", "recall", "f1")
AVERAGED: tuple[TableAverage, ...] = ("macro", "weighted")
ALL = "all classes"
WIDTH = 80
NAME, CELL = 12, 23  # characters of a row's name, and of a number with its interval


class ClassRow(NamedTuple):
    """One number: its model or difference, metric, class or average, and its interval."""

    model: str
    metric: str
    label: Any
    support: float
    estimate: float
    standard_error: float
    low: float
    high: float
    p: float
    method: str


@dataclass(frozen=True, repr=False, eq=False)
class ClassReport(Comparable):
    """A report on models for several classes: print it, show it in a notebook, or take the numbers from it.

    Returned by :func:`report` where ``y_true`` has three classes or more.

    Parameters
    ----------
    rows : tuple
        One row per number: ``model``, ``metric``, ``label`` (a class, "macro", "weighted" or "all classes"),
        ``support``, ``estimate``, ``standard_error``, ``low``, ``high``, for differences ``p``, and ``method``.
    labels : tuple
        The classes.
    n_cases : int
        The number of cases.
    confidence_level : float
        Confidence level of all intervals.
    effective_cases : float, default=None
        With importance weights: the effective number of equally weighted cases (Kish).

    Examples
    --------
    >>> from skcostci import report
    >>> y_true, y_pred = ["a", "b", "c"] * 20, ["a", "b", "c", "a", "c", "c"] * 10
    >>> report(y_true, y_pred).to_frame().round(3)[["metric", "label", "estimate", "low", "high"]].head(3)
          metric label  estimate    low   high
    0  precision     a     1.000  0.834  1.000
    1  precision     b     1.000  0.685  1.000
    2  precision     c     0.667  0.477  0.827
    """

    rows: tuple[ClassRow, ...]
    labels: tuple[Label, ...]
    n_cases: int
    confidence_level: float
    effective_cases: float | None = None

    def to_frame(self) -> pd.DataFrame:
        """The numbers as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per number, with the fields of ``rows`` as columns.

        Examples
        --------
        >>> from skcostci import report
        >>> len(report(["a", "b", "c"] * 5, ["a", "b", "b"] * 5).to_frame())
        16
        """
        return as_frame({name: [row[i] for row in self.rows] for i, name in enumerate(ClassRow._fields)})

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain Python objects that ``json.dumps`` accepts.

        Returns
        -------
        dict
            ``n_cases``, ``labels``, ``confidence_level``, and ``rows``, each a dict; with importance weights
            ``effective_cases``.

        Examples
        --------
        >>> from skcostci import report
        >>> report(["a", "b", "c"] * 5, ["a", "b", "b"] * 5).to_dict()["labels"]
        ['a', 'b', 'c']
        """
        table = {"n_cases": self.n_cases, "labels": list(self.labels), "confidence_level": self.confidence_level}
        table |= {} if self.effective_cases is None else {"effective_cases": self.effective_cases}
        plain: dict[str, object] = as_json({**table, "rows": [row._asdict() for row in self.rows]})
        return plain

    def to_html(self) -> str:
        """The tables as an HTML page that needs no other file and no network.

        Returns
        -------
        str
            The page, to be written to a file in UTF-8.

        Examples
        --------
        >>> from skcostci import report
        >>> report(["a", "b", "c"] * 5, ["a", "b", "b"] * 5).to_html()[:15]
        '<!doctype html>'
        """
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Report</title>'
        return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{self._repr_html_()}\n</body></html>\n'

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", "", *OF_CLASSES, "p"))
        lines = [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>" for cells in self._cells()]
        said = escape(" ".join(self._introduction()))
        return f"<p>{said}</p>\n<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"

    def _cells(self) -> Iterator[list[str]]:
        """The rows of one table: a model, a class or an average, and its numbers; or those of all classes together."""
        for model, of_classes, of_all in self._by_model():
            for label, found in of_classes.items():
                p = ", ".join(f"{row.p:.4f}" for row in found if row.p == row.p)
                yield [model, str(label), *map(_cell, found), p]
            for row in of_all:
                yield [model, row.metric, _cell(row), "", "", "" if row.p != row.p else f"{row.p:.4f}"]

    def _by_model(self) -> Iterator[tuple[str, dict[Label, list[ClassRow]], list[ClassRow]]]:
        """Each model or difference: its numbers by class or average, and the numbers of all classes together."""
        for model in dict.fromkeys(row.model for row in self.rows):
            own = [row for row in self.rows if row.model == model]
            of_classes: dict[Label, list[ClassRow]] = {}
            for row in own:
                if row.metric in OF_CLASSES:
                    of_classes.setdefault(row.label, []).append(row)
            yield model, of_classes, [row for row in own if row.metric not in OF_CLASSES]

    def _introduction(self) -> list[str]:
        """The number of cases per class, and the kind of intervals."""
        support = {row.label: row.support for row in self.rows if row.label in self.labels}
        cases = ", ".join(f"{label}: {many:g}" for label, many in support.items())
        return [
            f"Report: {self.n_cases} cases of {len(self.labels)} classes",
            f"{100 * self.confidence_level:g} % intervals, pointwise (not simultaneous), computed without resampling.",
            *wrap(f"{'Cases' if self.effective_cases is None else 'Weight'} per class. {cases}.", WIDTH),
            *self._weights(),
        ]

    def _weights(self) -> list[str]:
        if self.effective_cases is None:
            return []
        return [f"Importance weights: the effective number of cases is {self.effective_cases:.4g}."]

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """The table, line by line."""
        yield from self._introduction()
        width = CELL + any(row.p == row.p for row in self.rows)  # differences may have signs
        for model, of_classes, of_all in self._by_model():
            yield ""
            title = model if len(model) < NAME else ""
            if not title:
                yield model
            yield f"{title:{NAME}}{''.join(f'{name:>{width}}' for name in OF_CLASSES)}".rstrip()
            for label, found in of_classes.items():
                yield f"  {str(label)[: NAME - 3]:{NAME - 2}}{''.join(f'{_cell(row):>{width}}' for row in found)}"
            for row in of_all:
                p = "" if row.p != row.p else f"   p = {row.p:.4f}"
                yield f"  {row.metric:{NAME - 2}}{_cell(row):>{width}}{p}"
        used = dict.fromkeys(row.method for row in self.rows)
        yield ""
        yield "Interval methods: " + "; ".join(METHODS[name].title for name in used) + "."


def _cell(row: ClassRow) -> str:
    """A number and its interval."""
    return f"{row.estimate:.3f} ({row.low:.3f}, {row.high:.3f})"


def class_report(
    y_true: ArrayLike,
    models: Mapping[str, ArrayLike],
    confidence_level: float,
    *,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
) -> ClassReport:
    """The report on predicted labels, or on probabilities with a column per class in the order of the labels."""
    level = check_confidence_level(confidence_level)
    sample: UnitOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups}
    labels = _all_classes(y_true, {})
    tables = {name: table for name, table in models.items() if as_array(name, table).ndim == 2}
    guesses = {name: _guessed(name, table, labels) if name in tables else table for name, table in models.items()}
    labels = _all_classes(y_true, guesses)
    rows = [row for name, guess in guesses.items() for row in _of_labels(name, y_true, (guess,), labels, level, sample)]
    rows += [row for name, table in tables.items() for row in _of_tables(name, y_true, (table,), level, sample)]
    if len(models) == 2:
        what, both = " - ".join(models), tuple(guesses.values())
        rows += _of_labels(what, y_true, both, labels, level, sample)
        rows += _of_tables(what, y_true, tuple(tables.values()), level, sample) if len(tables) == 2 else []
    if sample_weight is None or weight_type == "counts" or np.ptp(as_array("sample_weight", sample_weight)) == 0:
        effective = None
    else:
        effective = effective_number(sample_weight)
    return ClassReport(tuple(rows), tuple(labels), len(as_array("y_true", y_true)), level, effective)


def _all_classes(y_true: ArrayLike, guesses: Mapping[str, ArrayLike]) -> list[Label]:
    """The labels of the cases and of predictions, in the order that their types tell, else sorted."""
    columns = {f"y_scores[{name!r}]": check_label_column(name, guess) for name, guess in guesses.items()}
    order = told_labels({"y_true": y_true, **guesses})
    return sorted_labels({"y_true": check_label_column("y_true", y_true), **columns}, order)


def _guessed(name: str, table: ArrayLike, labels: Sequence[object]) -> ArrayLike:
    """The most probable class of each case; named columns are put in the order of the labels."""
    given = table
    width = as_array(name, table).shape[1]
    named = list(getattr(given, "columns", labels))
    if width != len(labels) or set(named) != set(labels):
        raise ValueError(
            f"y_scores for {name!r} must have a column for each class of y_true, "
            f"{', '.join(map(repr, labels))}, got {width} columns."
        )
    guessed: NDArray[np.generic] = np.asarray(named)[as_array(name, table).argmax(axis=1)]
    return guessed


def _of_labels(
    model: str,
    y_true: ArrayLike,
    columns: tuple[ArrayLike, ...],
    labels: Sequence[Any],
    level: float,
    sample: UnitOptions,
) -> Iterator[ClassRow]:
    """Rows for each class, for averages, and for the accuracy; for two models the differences."""
    truth, counts = check_label_column("y_true", y_true), sample.get("sample_weight")
    weights = np.ones(len(truth)) if counts is None else as_array("sample_weight", counts)
    support = [float(weights[has_label(truth, label)].sum()) for label in labels]
    for metric in OF_CLASSES:
        each = _metric(y_true, columns, metric, average=None, labels=labels, zero_division=0, **sample)
        yield from _rows(model, metric, list(labels), support, each, level)
        for average in AVERAGED:
            found = _metric(y_true, columns, metric, average=average, labels=labels, zero_division=0, **sample)
            yield from _rows(model, metric, [average], [sum(support)], found, level)
    yield from _rows(model, "accuracy", [ALL], [sum(support)], _metric(y_true, columns, "accuracy", **sample), level)


def _metric(
    y_true: ArrayLike,
    columns: tuple[ArrayLike, ...],
    metric: str,
    *,
    average: TableAverage | None = "binary",
    labels: ArrayLike | None = None,
    zero_division: ZeroDivision | None = None,
    **sample: Unpack[UnitOptions],
) -> MetricResult | MetricDifferenceResult:
    """A metric of one column of labels, or of one minus another."""
    if len(columns) == 1:
        return bootstrap_metric(
            y_true, columns[0], metric, average=average, labels=labels, zero_division=zero_division, **sample
        )
    return bootstrap_metric_difference(
        y_true, columns[0], columns[1], metric, average=average, labels=labels, zero_division=zero_division, **sample
    )


def _of_tables(
    model: str, y_true: ArrayLike, tables: tuple[ArrayLike, ...], level: float, sample: UnitOptions
) -> Iterator[ClassRow]:
    """Rows for probabilities."""
    found: dict[str, BootstrapResult]
    if len(tables) == 1:
        found = {"AUC": bootstrap_auc(y_true, tables[0], multi_class="ovr", **sample)}
        found["log loss"] = bootstrap_loss(y_true, tables[0], "log_loss", **sample)
    else:
        a, b = tables
        found = {"AUC": bootstrap_auc_difference(y_true, a, b, multi_class="ovr", **sample)}
        found["log loss"] = bootstrap_loss_difference(y_true, a, b, "log_loss", **sample)
    for metric, result in found.items():
        yield from _rows(model, metric, [ALL], [np.nan], result, level)


def _rows(
    model: str, metric: str, labels: Sequence[object], support: Sequence[float], result: Any, level: float
) -> Iterator[ClassRow]:
    """A row per point."""
    low, high = result.confidence_interval(level)
    p = result.pvalue() if isinstance(result, DifferenceResult) else np.full(np.shape(result.estimate), np.nan)
    numbers = (result.estimate, result.standard_error, low, high, p)
    points = np.column_stack([np.atleast_1d(each) for each in numbers]).tolist()
    for label, many, point in zip(labels, support, points, strict=True):
        estimate, error, least, most, tail = point
        yield ClassRow(model, metric, label, many, estimate, error, least, most, tail, result.methods[0])
