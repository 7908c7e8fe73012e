"""Expected cost under a cost matrix, for any number of classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, as_array
from skcostci._described import described
from skcostci._options import Label, WeightType, explains_calls
from skcostci._validation._arguments import COST
from skcostci._validation._rows import GivenRows, SampleOptions
from skcostci._validation._tables import check_cost_matrix, matrix_order
from skcostci.cases._cases import Cases
from skcostci.cases._counts import cost_per_case
from skcostci.laws._rounding import rounding_of, settled
from skcostci.laws.exact._linear import pooled_law
from skcostci.laws.exact._means_and_ratios import About
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult, DifferenceResult, ExactResult
from skcostci.statistics._mean import law_of_means, scheme_of
from skcostci.statistics._other_scales import as_number
from skcostci.statistics._weight_types import continuous_in_weights, weighed

METHODS: tuple[str, ...] = ("unseen_case", "percentile", "smoothed", "wald")
SMOOTHING = {False: 0.1, True: 0.0}  # pseudo-cases in each cell, for one model and for two


@dataclass(frozen=True, repr=False, eq=False)
class ExpectedCostResult(ExactResult[float]):
    """The cost per case of one model under a cost matrix, with the exact bootstrap distribution of the smoothed table.

    Returned by :func:`bootstrap_expected_cost`. ``estimate`` is without smoothing, ``mean`` and ``standard_error`` are
    with it. In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : tuple
        The classes in the order of the cost matrix.
    """

    labels: tuple[Label, ...]


@dataclass(frozen=True, repr=False, eq=False)
class ExpectedCostDifferenceResult(DifferenceResult[float]):
    """The cost per case of model a minus that of model b under a cost matrix, with its exact bootstrap distribution.

    Returned by :func:`bootstrap_expected_cost_difference`; negative values favour a. ``mean`` and ``standard_error``
    are those of the three-way table with its smoothing. In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    labels : tuple
        The classes in the order of the cost matrix.
    """

    labels: tuple[Label, ...]


@explains_calls
@described(SampleOptions)
def bootstrap_expected_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    smoothing: float | None = None,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ExpectedCostResult:
    """The cost per case of predicted classes with its confidence interval, in closed form (the procedure BCost).

    >>> from skcostci import bootstrap_expected_cost
    >>> y_true = ["cat", "cat", "cat", "dog", "dog", "fox", "fox", "fox"]
    >>> y_pred = ["cat", "cat", "dog", "dog", "dog", "fox", "cat", "fox"]
    >>> bootstrap_expected_cost(y_true, y_pred, [[0, 1, 5], [1, 0, 5], [2.5, 2.5, 0]])
    ExpectedCostResult(expected_cost, estimate=0.4375, standard_error=0.387, 95 % interval 0.0445 to 2.186 by
    unseen_case)

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        True and predicted labels, numbers or strings.
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]`` is the cost of predicting ``labels[j]`` when the truth is ``labels[i]``, in any unit: the
        orientation of :func:`sklearn.metrics.confusion_matrix`, the transpose of the paper's. Finite; gains are
        negative, and a correct prediction may have a cost.
    labels : array-like of shape (n_classes,), default=None
        The labels in the order of the matrix; None is ordered categories (of pandas, Polars' Enum) in their order, else
        the sorted labels that occur. Give them if a class may be absent from the data.
    smoothing : float, default=None
        Pseudo-cases added to every cell of the confusion table, also to empty ones, before it is resampled; None is
        0.1, and 0 adds none. It determines how much an expensive error that was never observed contributes: see Notes.
        With groups, folds or importance weights nothing is smoothed.
    normalize : bool, default=True
        False gives the total cost, for as many cases as in the sample.

    Returns
    -------
    ExpectedCostResult
        With ``labels``. The interval methods:

        - "unseen_case" (default without ``groups``): allows for one additional case, in the most expensive cell of the
          cost matrix for the upper limit and in the cheapest for the lower one, whatever the ``smoothing``. If an error
          that was never observed costs a thousand times as much as the others, the interval is correspondingly wide:
          the data cannot exclude such errors.
        - "percentile": quantiles of the exact distribution of the smoothed table; "smoothed": with 1.5 additional
          pseudo-cases. Not to be trusted where an empty cell is so expensive that ``smoothing`` times its cost is
          comparable to the total cost of all cases.
        - "wald": a Gaussian with the distribution's mean and variance. Not to be trusted where few errors make up most
          of the cost.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group as extreme as
          those in the sample suggest; "unseen_group" for one with the most expensive errors alone.

    Warns
    -----
    DegenerateLawWarning
        When the interval has zero width, as without smoothing if all cases have the same cost.

    See Also
    --------
    bootstrap_expected_cost_difference : Two models on the same cases.
    expected_cost_loss : The estimate without an interval, for scorers.

    Notes
    -----
    Margineantu & Dietterich (2000), section 3.1, who draw 1,000 tables; here the distribution from which they sample is
    computed. With K cells and M cases in a cell, n cases are drawn from ``p = (M + smoothing) / (n + K smoothing)``: a
    cell that costs 559,125 among 1,000 cases adds about 56 to the mean even if never observed. There is no principled
    choice of the constant, as the authors note; compare several where such cells exist.

    Where costs have a common step, as whole numbers or cents do, the distribution is exact; else it is so up to some
    hundred cases, and the argument of the cdf is off by less than .01 standard errors beyond.

    References
    ----------
    D. D. Margineantu and T. G. Dietterich, ICML 2000.
    """
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    result: ExpectedCostResult = _cost_of(y_true, {"y_pred": y_pred}, cost_matrix, labels, smoothing, normalize, rows)
    return result


@explains_calls
@described(bootstrap_expected_cost)
def bootstrap_expected_cost_difference(
    y_true: ArrayLike,
    y_pred_a: ArrayLike,
    y_pred_b: ArrayLike,
    cost_matrix: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    smoothing: float | None = None,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ExpectedCostDifferenceResult:
    """The difference in cost per case of two models, a - b, with its confidence interval and p-value (BDeltaCost).

    >>> from skcostci import bootstrap_expected_cost_difference
    >>> y_true, matrix = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [[0, 1, 4], [1, 0, 4], [2, 3, 0]]
    >>> a, b = [0, 0, 0, 1, 1, 1, 2, 2, 0, 2], [0, 1, 0, 1, 2, 2, 2, 1, 0, 2]
    >>> bootstrap_expected_cost_difference(y_true, a, b, matrix)
    ExpectedCostDifferenceResult(expected_cost difference, estimate=-1.2, standard_error=0.5254, 95 % interval -2.522 to
    0.5357 by unseen_case, p=0.26)

    Parameters
    ----------
    y_true, y_pred_a, y_pred_b : array-like of shape (n_samples,)
        True labels and the labels predicted by the two models, numbers or strings.
    smoothing : float, default=None
        Pseudo-cases added to every cell of the three-way table of truth and both predictions; None adds none.

    Returns
    -------
    ExpectedCostDifferenceResult
        With ``probabilities`` and ``labels``. The interval methods:

        - "unseen_case" (default without ``groups``): allows for one additional case, in the cell where the models
          differ most in cost, whatever the ``smoothing``.
        - "percentile", "wald": from the exact distribution. Not to be trusted where the models seldom differ in
          cost: without smoothing the interval is too narrow, and of zero width, with a warning, if they never differ.
          "smoothed": with 1.5 pseudo-cases spread evenly over all cells.
        - "extrapolated" (only with ``groups``, where it is the default): allows for one additional group as extreme as
          those in the sample suggest; "unseen_group" for one on which the models differ most.

    See Also
    --------
    bootstrap_expected_cost : One model.

    Notes
    -----
    Margineantu & Dietterich (2000), section 3.2, with the distribution itself in place of 1,000 draws from it. They
    recommend no smoothing: it would be added to each of the n_classes**3 cells, in most of which the models differ, so
    that the test would hardly ever reject.
    """
    rows: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    guesses = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    result: ExpectedCostDifferenceResult = _cost_of(y_true, guesses, cost_matrix, labels, smoothing, normalize, rows)
    return result


def _cost_of(
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    cost_matrix: ArrayLike,
    labels: ArrayLike | None,
    smoothing: float | None,
    normalize: object,
    rows: GivenRows,
) -> Any:
    """One model's cost, or a's minus b's, as of cases drawn from the cells, each with ``smoothing`` pseudo-cases."""
    if not isinstance(normalize, bool | np.bool_):
        raise TypeError(f"normalize must be True or False, got {normalize!r}.")
    order = matrix_order(cost_matrix, {"y_true": y_true, **predictions}, labels)
    cases = Cases.check_classes(y_true, predictions, labels=order, **rows)
    costs = check_cost_matrix(cost_matrix, cases.labels, stated=labels is not None)
    found = weighed(_of_cases(cases, costs, smoothing), rows, BootstrapResult)
    if normalize:
        return found
    if rows["weight_type"] != "counts":
        raise ValueError(
            "normalize=False needs whole-number counts of cases: leave out either weight_type='importance' or "
            "normalize."
        )
    return as_number(found, "expected_cost", rows["sample_weight"], len(as_array("y_true", y_true)))


@continuous_in_weights
def _of_cases(cases: Cases, costs: Floats, smoothing: float | None) -> BootstrapResult:
    paired, labels, rounding = len(cases.columns) == 2, tuple(cases.labels), rounding_of(costs)
    rows, scheme, methods = cases.rows, {}, METHODS
    if cases.folds is None and rows.stand_alone:
        values = costs[:, :, None] - costs[:, None, :] if paired else settled(costs, rounding)
        values = np.where(np.abs(values) <= rounding, 0.0, values)
        smoothing = SMOOTHING[paired] if smoothing is None else smoothing
        table, amount = cases.confusion_table(), COST("smoothing", smoothing)
        law: Any = pooled_law(table.reshape(1, -1).astype(np.float64), values.reshape(1, -1), smoothing=amount)
        estimate = cost_per_case(table, values)
    elif smoothing:
        raise ValueError(
            f"smoothing needs independent cases (no groups), in one sample, got {smoothing!r} with groups, "
            "folds or importance weights: leave it out."
        )
    else:
        each = [costs[cases.truth, guess] for guess in cases.columns.values()]
        values, low, high = each[0], costs.min(axis=1), costs.max(axis=1)
        if paired:
            values, low, high = each[0] - each[1], low - high, high - low
        bounds, about = (float(low.min()), float(high.max())), About(paired, has_ends=True, worst_first=True)
        estimate, law, methods = law_of_means(values, rows, [bounds], bounds, rounding, about=about)
        scheme = scheme_of(values, rows)
    estimand = Estimand("expected_cost", paired, costs=costs, labels=labels, folds=cases.folds is not None)
    kind = ExpectedCostDifferenceResult if paired else ExpectedCostResult
    return kind(estimate, law, methods, labels, estimand=estimand, **scheme)
