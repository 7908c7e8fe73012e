"""Mean losses of predictions: Brier score, log loss, errors of regressions, or any function per case.

A loss of classes is a table: the loss of each case's prediction under each label. The true label selects the loss of
the case; the extremes of the table bound the loss of an additional case, with any label and a prediction that was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Floats, Integers, as_array, as_numbers, unboxed
from skcostci._described import described
from skcostci._elsewhere import check_no_scorer, meant_by
from skcostci._options import Label, Sampling, WeightType, explains_calls
from skcostci._validation._arguments import check_finite, check_option, check_proba
from skcostci._validation._labels import (
    check_label_column,
    check_label_list,
    check_order,
    check_outcomes,
    check_present,
    label_positions,
    shown_labels,
    sorted_labels,
    typed_labels,
)
from skcostci._validation._proxy_rows import ProxyRows
from skcostci._validation._rows import GivenRows, Rows, SampleOptions, row_options
from skcostci._validation._tables import by_class, check_positive_column, is_multilabel, outputs_by_class, read_classes
from skcostci.cases._cases import Cases, check_proxied
from skcostci.laws._rounding import SPREAD_ROUNDING, rounding_of
from skcostci.laws.exact._means_and_ratios import Ends
from skcostci.statistics._censored import brier_at_horizon, check_censored, check_horizons
from skcostci.statistics._mean import (
    SHARE,
    UNKNOWN,
    CaseValues,
    Columns,
    MeanDifferenceResult,
    MeanResult,
    check_range,
    check_sizes,
    check_within,
    ends_of,
    mean_result,
    result_by_proxy,
)

LossName = Literal["brier", "log_loss", "ranked_probability_score", "squared_error", "absolute_error", "zero_one"]
LossFunction = Callable[[Any, Any], ArrayLike]
OF_ORDERED = "ranked_probability_score"
OF_PROBABILITIES = ("brier", "log_loss", OF_ORDERED)
NEEDS_ORDER = f"loss={OF_ORDERED!r} needs"


class HowLost(NamedTuple):
    loss: LossName | LossFunction = "brier"
    sampling: Sampling = "full"
    least: float | None = None
    most: float | None = None
    labels: ArrayLike | None = None
    pos_label: Label | None = None


@explains_calls
@described(SampleOptions)
def bootstrap_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    loss: LossName | LossFunction = "brier",
    *,
    sampling: Sampling = "full",
    least: float | None = None,
    most: float | None = None,
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    time: ArrayLike | None = None,
    horizon: ArrayLike | None = None,
    integrated: bool = False,
) -> MeanResult:
    """A model's mean loss with a confidence interval that allows for one additional case with the largest loss.

    >>> from skcostci import bootstrap_loss
    >>> y_true, y_proba = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]
    >>> bootstrap_loss(y_true, y_proba)
    MeanResult(brier, estimate=0.1953, standard_error=0.05963, 95 % interval 0.08448 to 0.4125 by unseen_case)

    Brier score, log loss, squared or absolute error, share of wrong labels, or any function of truth and prediction.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels, which may all be of one class, or numbers for "squared_error" and "absolute_error".
    y_pred : array-like of shape (n_samples,) or (n_samples, n_classes)
        Predictions: probabilities of the positive class, or of each class, for "brier", "log_loss" and
        "ranked_probability_score"; labels for "zero_one"; numbers for the errors. Columns that are named after the
        classes are used by name.
    loss : {"brier", "log_loss", "ranked_probability_score", "squared_error", ...} or callable, default="brier"
        Also "absolute_error" and "zero_one". The first two are scikit-learn's ``brier_score_loss`` and ``log_loss``, on
        their scale: the Brier score is in [0, 1] for two classes and in [0, 2] for more. The ranked probability score
        of q ordered classes is the sum of the squared distances of their q - 1 cumulative probabilities, in [0, q - 1];
        numbers, ordered categories or ``labels`` tell the order. A callable ``loss(y_true, y_pred)`` returns a number
        per case, and is also called with other labels in place of ``y_true`` where there are two classes or ``labels``
        are given.
    sampling : {"full", "stratified"}, default="full"
        Whether all cases are resampled together or, with ``labels`` or two classes, each class to its own size.
    least, most : float, default=None
        The least and the largest loss possible, where you know them: a log loss clipped at probabilities of 1e-4 is at
        most 9.21. None: see "unseen_case" below.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns; None: by their names, else in the order of ordered categories of
        ``y_true`` or of the sorted labels. For the ranked probability score from the lowest to the highest: the order
        of columns without names only.
    pos_label : int, float, bool or str, default=None
        The class of a single column of probabilities; None is 1 where the labels are {0, 1} or {-1, 1}.
    horizon : float or array-like of shape (n_points,), default=None
        With ``time``: the time by which the event is predicted; for several, ``y_pred`` may have a column for each.
    integrated : bool, default=False
        With several horizons: the mean over time, by the trapezoidal rule, in place of a value at each.

    Returns
    -------
    MeanResult
        The interval methods:

        - "unseen_case" (default without ``groups``, but not for errors without ``most``): allows for one additional
          case, with the largest loss possible for the upper limit and the smallest for the lower one. Where ``most``
          and ``least`` are not given, these are the largest and the smallest loss that any of the predictions in the
          sample would have under any label. Not to be trusted where rare cases lose far more than any in the sample, as
          a probability of 1e-4 for the true class does in the log loss: give ``most``.
        - "extrapolated" (default with ``groups``, and for errors without ``most``): allows for one additional group, or
          error, as extreme as those in the sample suggest. Not to be trusted where some groups fail as a whole, or rare
          errors are far larger, and the sample may contain none.
        - "unseen_group" (only with ``groups``; errors and callables need ``most``): allows for such groups. Up to twice
          as wide.
        - "percentile" (not with groups): bootstrap quantiles; "wald": a Gaussian with its mean and variance. Not to
          be trusted where a few cases make up most of the mean loss.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/means_and_metrics`.

    See Also
    --------
    bootstrap_loss_difference : Two models on the same cases.
    bootstrap_mean : The mean of numbers that you have computed.

    Notes
    -----
    With ``horizon`` cases censored before it are left out, and the others are weighted by 1/G, G the Kaplan-Meier
    estimate of the probability not to be censored (Graf et al. 1999). Standard errors are of first order and allow for
    G being an estimate; the additional case has the largest loss with the largest weight.

    References
    ----------
    N. Gaffke, Mathematical Methods of Statistics 14(4), 2005; E. Graf, C. Schmoor, W. Sauerbrei and M. Schumacher,
    "Assessment and comparison of prognostic classification schemes for survival data", Statistics in Medicine, 1999.
    """
    how = HowLost(loss, sampling, least, most, labels, pos_label)
    rows: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows |= {"crossed": crossed, "proxy": proxy, "checked": checked, "time": time}
    result: MeanResult = _of_rows(y_true, {"y_pred": y_pred}, how, rows, horizon, integrated)
    return result


@explains_calls
@described(bootstrap_loss)
def bootstrap_loss_difference(
    y_true: ArrayLike,
    y_pred_a: ArrayLike,
    y_pred_b: ArrayLike,
    loss: LossName | LossFunction = "brier",
    *,
    sampling: Sampling = "full",
    least: float | None = None,
    most: float | None = None,
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    crossed: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    proxy: ArrayLike | None = None,
    checked: ArrayLike | None = None,
    time: ArrayLike | None = None,
    horizon: ArrayLike | None = None,
    integrated: bool = False,
) -> MeanDifferenceResult:
    """The difference in mean loss of two models, a - b, on the same cases, with its confidence interval and p-value.

    >>> from skcostci import bootstrap_loss_difference
    >>> y_true, y_proba_a = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]
    >>> y_proba_b = [0.6, 0.5, 0.5, 0.6, 0.5, 0.4, 0.4, 0.3, 0.4, 0.4]
    >>> bootstrap_loss_difference(y_true, y_proba_a, y_proba_b)
    MeanDifferenceResult(brier difference, estimate=-0.00475, standard_error=0.04977, 95 % interval -0.118 to 0.1355 by
    extrapolated, p=1)

    Parameters
    ----------
    y_pred_a, y_pred_b : array-like of shape (n_samples,) or (n_samples, n_classes)
        What the models predict: probabilities of the positive class, or of each class, labels for "zero_one", numbers
        for the errors.
    least, most : float, default=None
        The least and the largest loss possible under either model, so that differences lie within ``most - least`` of
        0. If both are None, the ends are the least and the largest difference in loss that the two predictions of any
        case in the sample would have under any label; for errors they are not known.

    Returns
    -------
    MeanDifferenceResult
        The interval methods:

        - "extrapolated" (default, except for "log_loss" and "zero_one" without ``groups``): allows for one additional
          case, or group, as extreme as the differences in the sample suggest; sharper the more the models resemble each
          other. With few events it allows for an additional case of either label, as far as the predictions in the
          sample permit. Not to be trusted where one model fails badly on rare cases, or groups, of which the sample may
          contain none.
        - "unseen_case" (without ``groups``; errors need ``most``; default for "log_loss" and "zero_one"): allows for
          such cases: one additional case with the largest difference possible. Wide where the models differ in few
          cases.
        - "unseen_group" (only with ``groups``; errors and callables need ``most``): allows for groups that one model
          alone fails as a whole.
        - "percentile" (not with groups): bootstrap quantiles; "wald": a Gaussian. Not to be trusted where a few cases
          make up most of the difference.

    See Also
    --------
    bootstrap_loss : One model.
    """
    how = HowLost(loss, sampling, least, most, labels, pos_label)
    rows: SampleOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows |= {"crossed": crossed, "proxy": proxy, "checked": checked, "time": time}
    result: MeanDifferenceResult = _of_rows(
        y_true, {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}, how, rows, horizon, integrated
    )
    return result


def _of_rows(
    y_true: ArrayLike,
    predictions: Columns,
    how: HowLost,
    rows: SampleOptions,
    horizon: ArrayLike | None,
    integrated: bool,
) -> Any:
    if rows["time"] is not None or horizon is not None or integrated:
        horizons = check_horizons(horizon, integrated=integrated)
        if how.loss != "brier":
            raise ValueError(f"loss must be 'brier' with time and horizon, got {how.loss!r}.")
        left_alone = {"loss": "brier", "sampling": "full", "weight_type": "counts"}
        cases = check_censored(y_true, predictions, rows, left_alone=left_alone, horizon=horizons, **how._asdict())
        return brier_at_horizon(cases, *predictions, horizon=horizons, integrated=integrated)
    if rows["proxy"] is not None or rows["checked"] is not None:
        cases = check_losses(y_true, predictions, rows, loss=how.loss, labels=how.labels)
        return loss_of(cases, *predictions, **how._asdict())
    sample = row_options(rows)
    if how.loss in OF_PROBABILITIES:
        y_true, predictions, known = _read(y_true, predictions, how.labels, how.loss, sample)
        how = how._replace(labels=known)
    return _mean_loss(y_true, predictions, how, sample)


def _read(
    y_true: ArrayLike, predictions: Columns, labels: ArrayLike | None, loss: object, sample: Mapping[str, object]
) -> tuple[ArrayLike, Columns, Any]:
    """As ``read_classes`` does; names of one-hot columns, which may be sorted, state no order.

    Of ordered classes ``labels`` tell the order, unless a type does, which they must not contradict.
    """
    if loss == OF_ORDERED and labels is not None and (order := typed_labels({"y_true": y_true})):
        listed = check_label_list(labels)
        if listed != (right := sorted_labels({"labels": listed}, order)):
            what = f"labels must be in the order of y_true's type for {OF_ORDERED!r}, {shown_labels(right)}"
            raise ValueError(f"{what}, got {shown_labels(listed)}: leave labels out and name the columns of tables.")
    found = read_classes(y_true, predictions, labels, sample, ranked=loss == OF_ORDERED)
    if loss == OF_ORDERED and labels is None and is_multilabel(y_true):
        check_order(NEEDS_ORDER, found[2], 0)
    return found


def _mean_loss(y_true: ArrayLike, predictions: Columns, how: HowLost, sample: GivenRows) -> Any:
    losses = _case_losses(y_true, predictions, how, sample)
    rows, loss, strata = losses.rows, how.loss, None
    if check_option("sampling", how.sampling, Sampling) == "stratified":
        strata = losses.truth
        if strata is None:
            raise ValueError(
                "sampling='stratified' needs classes: two labels in y_true, or labels=; this loss has no classes."
            )
        if rows.is_weighted:
            raise ValueError("sampling must be left at 'full' with weight_type='importance'.")
        if rows.groups is not None or rows.folds is not None:
            raise ValueError(
                "sampling must be left at 'full' with groups or folds: groups are resampled as a whole, and folds "
                "are fixed."
            )
    quantity = loss if isinstance(loss, str) else str(getattr(loss, "__name__", type(loss).__name__))
    axis = {"classes": len(losses.seen)} if loss == OF_ORDERED else ()  # on which its scale depends
    return mean_result(losses, sample, "loss", quantity, strata, loss, axis)


def check_losses(
    y_true: ArrayLike,
    predictions: Columns,
    sample: SampleOptions,
    *,
    loss: LossName | LossFunction,
    labels: ArrayLike | None = None,
    **_: object,
) -> Cases:
    """The cases of a loss, with the classes in the order that one-hot truth or the types of columns tell."""
    known: Any = labels
    if loss in OF_PROBABILITIES:
        y_true, predictions, known = _read(y_true, predictions, labels, loss, sample)
    check = partial(Cases.check_any, labels=known)
    cases = check_proxied(check, y_true, predictions, sample, {}, of_labels=False)
    return cases if known is labels else replace(cases, told=tuple(known))


def _by_proxy(cases: Cases, predictions: Columns, how: HowLost, proxies: ProxyRows) -> Any:
    if how.sampling != "full":
        raise ValueError(f"sampling must be left at 'full' with proxy=, got {how.sampling!r}.")
    losses = _case_losses(cases.truth, predictions, how, {"groups": cases.groups})
    if (how.loss == "log_loss" and how.most is None) or not np.isfinite(losses.within(losses.bounds)).all():
        raise ValueError(
            f"proxy= needs a loss with a smallest and a largest value, got {how.loss!r}: an error in an unchecked "
            "row could have any size. Pass most=, the largest possible loss."
        )
    alone = loss_of(cases.parts()[0], *predictions, **how._asdict())
    return result_by_proxy(alone, losses, proxies)


def loss_of(
    cases: Cases,
    *columns: str,
    loss: LossName | LossFunction,
    sampling: Sampling = "full",
    least: float | None = None,
    most: float | None = None,
    labels: ArrayLike | None = None,
    pos_label: Label | None = None,
) -> Any:
    how = HowLost(loss, sampling, least, most, [*cases.told] if cases.told else labels, pos_label)
    predictions = {column: cases.columns[column] for column in columns}
    if cases.proxies is not None:
        return _by_proxy(cases, predictions, how, cases.proxies)
    return _mean_loss(cases.truth, predictions, how, cases.rows.options)


def _case_losses(y_true: ArrayLike, predictions: Columns, how: HowLost, sample: GivenRows) -> CaseValues:
    given, loss = check_range(how.least, how.most), how.loss
    if callable(loss):
        check_no_scorer("loss", loss)
    elif not isinstance(loss, str) or loss not in LOSSES:
        head, known = meant_by(str(loss), LOSSES), ", ".join(map(repr, LOSSES))
        raise ValueError(
            f"{head}loss must be a function or one of {known}, got {loss!r}. For a metric by name use bootstrap_metric."
        )
    elif loss not in OF_PROBABILITIES and how.pos_label is not None:
        wrong = f"loss={loss!r} has no positive class, got {how.pos_label!r}"
        raise ValueError(f"pos_label is for probabilities; {wrong}.")
    of_kind = _of_function if callable(loss) else LOSSES[loss]
    losses = of_kind(y_true, predictions, how, sample)
    for values in losses.models:
        check_within("losses", values, losses.rows, given)
    return losses._replace(given=given)


def _of_numbers(y_true: ArrayLike, predictions: Columns, how: HowLost, sample: GivenRows) -> CaseValues:
    """Squared or absolute errors: at least 0, without a known upper end."""
    if how.labels is not None:
        raise ValueError(f"labels are for classes; loss={how.loss!r} is for numbers.")
    cases = Cases.check_numbers(y_true, predictions, **sample)
    truth, guesses = cases.truth, list(cases.columns.values())
    rounding = rounding_of(truth, *guesses)  # of an error
    with np.errstate(over="ignore"):
        models = np.array([np.abs(truth - guess) for guess in guesses])
        if how.loss == "squared_error":
            models = models**2
            rounding = _squared(rounding, models)
    check_sizes("errors", models)
    seen, differences = (0.0, float(models.max())), ends_of(models[0] - models[-1])
    losses = CaseValues(cases.rows, models, None, [seen], [differences], (0.0, np.inf), rounding)
    return losses.where_shares(models if models.any() else np.array([truth, *guesses]))  # 0 alone has no unit


def _squared(rounding: float, squares: Floats) -> float:
    """The rounding of the largest square, from that of its root."""
    # A product may be infinite, where a power of a float would raise an OverflowError.
    return 2 * float(np.sqrt(squares.max())) * rounding + rounding * rounding


def _zero_one(y_true: ArrayLike, predictions: Columns, how: HowLost, sample: GivenRows) -> CaseValues:
    """A case has the loss 1 if its label, or any of several, is wrong; two models may differ on any case."""
    truth, n_classes = None, 1
    if not is_multilabel(y_true):
        cases = Cases.check_classes(y_true, predictions, labels=how.labels, **sample)
        truth, n_classes = cases.truth, len(cases.labels)
        wrong = [guess != truth for guess in cases.columns.values()]
    elif how.labels is None:
        cases = Cases.check_labels(y_true, predictions, predicted=True, **sample)
        wrong = [(table != cases.truth).any(axis=1) for table in cases.columns.values()]
    else:
        raise ValueError("labels are for one label per case; in a table the labels are the columns. Leave labels out.")
    models = np.array(wrong, dtype=np.float64)
    return CaseValues(cases.rows, models, truth, [SHARE] * n_classes, [(-1.0, 1.0)] * n_classes, SHARE, 0.0)


def _of_probabilities(y_true: ArrayLike, predictions: Columns, how: HowLost, sample: GivenRows) -> CaseValues:
    """Brier's or the log loss of probabilities: one column of the positive class, or one for each class."""
    given = {name: as_array(name, values) for name, values in predictions.items()}
    tables = {name: _probabilities(name, array) for name, array in given.items()}
    widths = [table.shape[1] for table in tables.values()]
    if len(set(widths)) > 1:
        raise ValueError(f"{' and '.join(tables)} must have the same number of columns, got {widths}.")
    truth, known = _classes(y_true, predictions, widths[0], how)
    if how.loss == OF_ORDERED and how.labels is None:
        check_order(NEEDS_ORDER, known, 0)
    if len(known) == widths[0]:
        stated = how.labels is not None
        tables = {name: by_class(name, predictions[name], each, known, stated=stated) for name, each in tables.items()}
    rows = Rows.given({"y_true": y_true, **predictions}, {"y_true": truth, **tables}, **sample)
    kept = [rows.of(table) for table in tables.values()]
    if how.loss != "log_loss":
        of_table, at_most = (_ranked, np.inf) if how.loss == OF_ORDERED else (_brier, 2.0)
        by_label, most = [of_table(table) for table in kept], min(len(known) - 1.0, at_most)
        rounding = _squared(SPREAD_ROUNDING, np.array(by_label))
    else:
        kinds = (np.float32 if array.dtype == np.float32 else np.float64 for array in given.values())
        eps = max(float(np.finfo(kind).eps) for kind in kinds)
        by_label, most = [_log_loss(table, eps) for table in kept], float(-np.log(eps))
        rounding = rounding_of(np.ones(1), *by_label)  # the rounding of a probability is relative to 1
    return _of_table(rows, by_label, rows.of(truth), (0.0, most), rounding)


def _probabilities(name: str, array: NDArray[np.generic]) -> Floats:
    """A column or a table of numbers in [0, 1]; the rows of a table add up to 1."""
    if array.ndim != 2 or array.shape[1] == 1:
        table = check_finite(name, array)[:, None]
    else:
        table = as_numbers(name, array)
        if not len(table):
            raise ValueError(f"{name} must contain at least one case, got an empty array.")
    check_proba(name, table)
    if table.shape[1] > 1:
        sums = table.sum(axis=1)
        wrong = np.abs(sums - 1) > (1e-3 if array.dtype in (np.float16, np.float32) else 1e-6)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise ValueError(f"{name} must have rows that add up to 1, got {sums[row]:g} in row {row}.")
    return table


def _classes(y_true: ArrayLike, predictions: Columns, n_columns: int, how: HowLost) -> tuple[Integers, Sequence[Label]]:
    """The position of each true label among the classes, and the classes; a single column is for the second."""
    truth, n_classes = check_label_column("y_true", y_true), max(n_columns, 2)
    known = None if how.labels is None else check_label_list(how.labels)
    if n_columns == 1 and known is None:
        positive, (negative, label) = check_outcomes(truth, how.pos_label)
        known, places = [negative, label], positive.astype(np.int64)
    else:
        if how.pos_label is not None:
            raise ValueError(f"pos_label is for one column of probabilities without labels, got {how.pos_label!r}.")
        known = sorted_labels({"y_true": truth}) if known is None else known
        if len(known) != n_classes:
            columns = f"{next(iter(predictions))} has {n_columns} column{'s' * (n_columns > 1)}"
            raise ValueError(
                f"{columns}, for {n_classes} classes, but the classes are {shown_labels(known)}. Pass labels, the "
                "classes in the order of the columns, if not every class occurs in y_true."
            )
        places = label_positions("y_true", truth, known)
    if n_columns == 1:
        for name, values in predictions.items():
            check_positive_column(name, values, (known[0], known[1]))
    return places, known


def _brier(table: Floats) -> Floats:
    if table.shape[1] == 1:
        return np.array([table[:, 0] ** 2, (1 - table[:, 0]) ** 2])
    if table.shape[1] == 2:
        first, second = table.T
        return np.array([(second**2 + (1 - first) ** 2) / 2, (first**2 + (1 - second) ** 2) / 2])
    return np.asarray(np.maximum((table**2).sum(axis=1) - 2 * table.T + 1, 0.0))


def _ranked(table: Floats) -> Floats:
    """Sums of the squared distances of cumulative probabilities, for each label."""
    below = 1 - table if table.shape[1] == 1 else np.cumsum(table, axis=1)[:, :-1]
    places = np.arange(below.shape[1] + 1)
    return np.array([((below - (place <= places[:-1])) ** 2).sum(axis=1) for place in places])


def _log_loss(table: Floats, eps: float) -> Floats:
    """The log loss of probabilities clipped to [eps, 1 - eps], as in scikit-learn."""
    columns = np.array([1 - table[:, 0], table[:, 0]]) if table.shape[1] == 1 else table.T
    return np.asarray(-np.log(np.clip(columns, eps, 1 - eps)))


def _of_function(y_true: ArrayLike, predictions: Columns, how: HowLost, sample: GivenRows) -> CaseValues:
    labels = how.labels
    truth = unboxed(check_label_column("y_true", y_true))
    given = {name: unboxed(as_array(name, values)) for name, values in predictions.items()}
    for name, array in given.items():
        if not array.ndim:
            raise ValueError(f"{name} must have one entry per case, got a single value.")
        check_present(name, array, "labels or finite numbers")
    rows = Rows.given({"y_true": y_true, **predictions}, {"y_true": truth, **given}, **sample)
    ordered = [outputs_by_class(name, predictions[name], array, y_true, labels) for name, array in given.items()]
    truth, kept = rows.of(truth), [rows.of(array) for array in ordered]
    known = sorted_labels({"y_true": truth}) if labels is None else check_label_list(labels)
    if labels is None and len(known) != 2:
        places, under = np.zeros(len(truth), dtype=np.int64), [truth]
    else:
        places = label_positions("y_true", truth, known)
        under = [np.full(len(truth), label, dtype=truth.dtype) for label in known]
    by_label = [np.array([_called(how.loss, each, guess) for each in under]) for guess in kept]
    losses = _of_table(rows, by_label, places, UNKNOWN, rounding_of(*by_label))
    return losses if len(under) > 1 else losses._replace(truth=None)


def _called(loss: Any, truth: NDArray[np.generic], guess: NDArray[np.generic]) -> Floats:
    values = as_array("loss(y_true, y_pred)", loss(truth, guess))
    if values.shape != truth.shape:
        hint = "" if values.ndim else " If the function returns a single number for all cases, use bootstrap_metric."
        raise ValueError(
            f"loss(y_true, y_pred) must return a number per case, shape {truth.shape}, got shape {values.shape}.{hint}"
        )
    losses = check_finite("loss(y_true, y_pred)", values)
    check_sizes("loss(y_true, y_pred)", losses)
    return losses


def _of_table(rows: Rows, by_label: list[Floats], truth: Integers, bounds: Ends, rounding: float) -> CaseValues:
    """The losses of cases, from the losses under each label, shape (n_classes, n_cases)."""
    every = np.arange(len(truth))
    models = np.array([table[truth, every] for table in by_label])
    seen = [ends_of(np.array([table[place] for table in by_label])) for place in range(len(by_label[0]))]
    differences = [ends_of(row) for row in by_label[0] - by_label[-1]]
    return CaseValues(rows, models, truth, seen, differences, bounds, rounding).where_shares(np.array(by_label))


LOSSES = {
    "brier": _of_probabilities,
    "log_loss": _of_probabilities,
    OF_ORDERED: _of_probabilities,
    "squared_error": _of_numbers,
    "absolute_error": _of_numbers,
    "zero_one": _zero_one,
}
