"""Mean losses of predictions: Brier score, log loss, errors of regressions, or any function of a case."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from skcostci._options import SAMPLINGS, Sampling
from skcostci._validation import Integers, check_option
from skcostci.statistics._loss_values import CaseLosses, LossFunction, LossName, case_losses
from skcostci.statistics._mean_core import check_range, check_within, differing, law_of_means, within
from skcostci.statistics._means import MeanDifferenceResult, MeanResult


def bootstrap_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    loss: LossName | LossFunction = "brier",
    *,
    sampling: Sampling = "full",
    least: float | None = None,
    most: float | None = None,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> MeanResult:
    """The bootstrap law of a model's mean loss, and an interval that allows for one case that it gets badly wrong.

    Brier score, log loss, mean squared or absolute error, share of wrong labels, or the mean of any function of a
    case's truth and prediction. No resample is drawn.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels, or numbers for "squared_error" and "absolute_error". A single class will do.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_classes)
        What the loss is of: probabilities of the positive class, or of each class, for "brier" and "log_loss"; labels
        for "zero_one"; numbers for the errors.
    loss : {"brier", "log_loss", "squared_error", "absolute_error", "zero_one"} or callable, default="brier"
        The first two are scikit-learn's ``brier_score_loss`` and ``log_loss``, on their scale: the Brier score is in
        [0, 1] for two classes and in [0, 2] for more. A callable ``loss(y_true, y_pred)`` returns a number a case,
        shape (n_samples,), and is also called with other labels in place of ``y_true`` where there are two classes or
        ``labels`` are given.
    sampling : {"full", "stratified"}, default="full"
        Whether cases are drawn from all or, with ``labels`` or two classes, from each class as many as there are.
    least, most : float, default=None
        The least and the most that a case can lose, where you know better than these cases: a log loss clipped at
        probabilities of 1e-4 has at most 9.21. None: see "unseen_case" below.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns of ``y_pred``; None is the sorted labels of ``y_true``.
    pos_label : int, float, bool or str, default=None
        The class that one column of probabilities is of; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together; whole groups are then resampled.
    folds : array-like of shape (n_samples,), default=None
        Which fold of a cross-validation each case was in: the estimate is the mean of the folds' losses. Not with
        ``groups``.

    Returns
    -------
    MeanResult
        With ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval``, ``to_frame``
        and ``quantity``. The interval methods are those of :func:`bootstrap_mean`. By "unseen_case", the default, one
        case more may lose the most, or the least, that any of these predictions would have lost under any label; with
        "zero_one" 1 or 0; with the errors the largest seen, or 0. It cannot hold where one case in a hundred is a
        disaster whose like was not seen, such as a probability of 1e-4 for the truth where all others are far from 0:
        give ``most``.

    Raises
    ------
    ValueError
        If probabilities are not in [0, 1] or their rows do not add up to 1, labels are unknown, a loss is not finite or
        not between ``least`` and ``most``, or weights, groups, folds and options are not as described.

    See Also
    --------
    bootstrap_loss_difference : Two models on the same cases.
    bootstrap_mean : Of numbers that you have computed.
    bootstrap_ratio : A skill score is 1 less a ratio of two mean losses.
    bootstrap_calibration : Whether probabilities are right on average, at each of their values.

    Notes
    -----
    On the populations of the coverage study (calibrated, rare events, overconfident, wrong and sure in 3 % of cases,
    too high; 20 and 100 cases) "unseen_case" held for .965 of samples or more at a nominal .95, "percentile" for .33 of
    them at worst. Accuracy and cost of the law are those of :func:`bootstrap_mean`.

    Examples
    --------
    >>> from skcostci import bootstrap_loss
    >>> y_true = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0]
    >>> y_proba = [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]
    >>> bootstrap_loss(y_true, y_proba)
    MeanResult(estimate=0.1953, standard_error=0.05963, 95 % interval 0.08448 to 0.4125)
    >>> low, high = bootstrap_loss(y_true, y_proba, "log_loss").confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.303, 1.152)
    """
    given = check_range(least, most)
    losses = case_losses(
        y_true,
        {"y_pred": y_pred},
        loss,
        labels=labels,
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
        folds=folds,
    )
    strata = _strata(losses, sampling)
    check_within("losses", losses.models[0], losses.rows, *given)
    ends = [within(given, pair) for pair in losses.seen]
    parts = law_of_means(losses.models[0], losses.rows, ends, within(given, losses.bounds), strata)
    return MeanResult(*parts, quantity=_name(loss))


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
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> MeanDifferenceResult:
    """The bootstrap law of the difference in mean loss, a - b, of two models on the same cases.

    Cases are resampled with both predictions, so that what is hard for either model cancels. No resample is drawn.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels, or numbers for "squared_error" and "absolute_error".
    y_pred_a, y_pred_b : array-like of shape (n_samples,) or (n_samples, n_classes)
        What the models predict, as for :func:`bootstrap_loss`.
    loss : {"brier", "log_loss", "squared_error", "absolute_error", "zero_one"} or callable, default="brier"
        As for :func:`bootstrap_loss`.
    sampling : {"full", "stratified"}, default="full"
        Whether cases are drawn from all or from each class as many as there are.
    least, most : float, default=None
        The least and the most that a case can lose under either model, so that differences lie within ``most - least``
        of 0. If both are None, the ends are the least and the most by which any case's predictions would have differed
        in loss under any label.
    labels : array-like of shape (n_classes,), default=None
        The classes in the order of the columns of predictions; None is the sorted labels of ``y_true``.
    pos_label : int, float, bool or str, default=None
        The class that one column of probabilities is of; 1 if None and the labels are {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together; whole groups are then resampled.
    folds : array-like of shape (n_samples,), default=None
        Which fold of a cross-validation each case was in. Not with ``groups``.

    Returns
    -------
    MeanDifferenceResult
        With ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval``, ``pvalue``,
        ``equivalence``, ``probabilities``, ``to_frame`` and ``quantity``. The interval methods are those of
        :func:`bootstrap_mean`.

    Raises
    ------
    ValueError
        As :func:`bootstrap_loss`, or if the predictions of the models have not as many columns.

    See Also
    --------
    bootstrap_loss : One model.
    bootstrap_mean_difference : Of numbers that you have computed.

    Examples
    --------
    >>> from skcostci import bootstrap_loss_difference
    >>> y_true = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0]
    >>> y_proba_a = [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]
    >>> y_proba_b = [0.6, 0.5, 0.5, 0.6, 0.5, 0.4, 0.4, 0.3, 0.4, 0.4]
    >>> difference = bootstrap_loss_difference(y_true, y_proba_a, y_proba_b)
    >>> round(difference.estimate, 4), round(difference.pvalue(), 3)
    (-0.0047, 1.0)
    """
    given = check_range(least, most)
    losses = case_losses(
        y_true,
        {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b},
        loss,
        labels=labels,
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
        folds=folds,
    )
    strata = _strata(losses, sampling)
    for values in losses.models:
        check_within("losses", values, losses.rows, *given)
    seen = min(low for low, _ in losses.seen), max(high for _, high in losses.seen)
    ends = differing(given, seen, losses.apart)
    low, high = within(given, losses.bounds)
    parts = law_of_means(losses.models[0] - losses.models[1], losses.rows, ends, (low - high, high - low), strata)
    return MeanDifferenceResult(*parts, quantity=_name(loss))


def _strata(losses: CaseLosses, sampling: Sampling) -> Integers | None:
    """The classes, where they are resampled apart."""
    check_option("sampling", sampling, SAMPLINGS)
    if sampling == "full":
        return None
    if losses.truth is None:
        raise ValueError("sampling='stratified' is of classes: two labels in y_true, or labels; this loss has none.")
    if losses.rows.groups is not None or losses.rows.folds is not None:
        raise ValueError("sampling must be left at 'full' with groups or folds: whole groups, or folds, are resampled.")
    return losses.truth


def _name(loss: LossName | LossFunction) -> str:
    """What a loss is called."""
    return loss if isinstance(loss, str) else str(getattr(loss, "__name__", type(loss).__name__))
