"""Public functions: rates at a false-positive rate, at a true-positive rate, or at a positive rate (budget)."""

from __future__ import annotations

from numpy.typing import ArrayLike

from skcostci._described import described
from skcostci._options import Label, Sampling, WeightType, explains_calls
from skcostci._validation._rows import RowOptions, SampleOptions
from skcostci.cases._cases import Cases
from skcostci.statistics._roc_rates import (
    BudgetROCResult,
    ROCAtFPRResult,
    ROCAtTPRResult,
    ROCDifferenceAtFPRResult,
    ROCDifferenceAtTPRResult,
    roc_at_fpr_of,
    roc_at_positive_rate_of,
    roc_at_tpr_of,
)
from skcostci.statistics._weight_types import weighed


@explains_calls
@described(SampleOptions)
def bootstrap_roc_at_fpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    specificity: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ROCAtFPRResult:
    """The true-positive rate at fixed false-positive rates with its confidence interval.

    >>> from skcostci import bootstrap_roc_at_fpr
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_fpr(y_true, y_score, specificity=0.5)
    ROCAtFPRResult(sensitivity at a specificity of 0.5, estimate=1, standard_error=0.2543, 95 % interval 0 to 1 by
    rank_beta)

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    fpr : float or array-like of shape (n_points,), default=None
        False-positive rates in [0, 1]; they need not be multiples of 1 / n_negative. None takes 0.01, 0.02, ..., 0.99.
    specificity : float or array-like of shape (n_points,), default=None
        Specificities instead: false-positive rates of 1 - specificity. The result is the same, and is called
        sensitivity at a specificity.

    Returns
    -------
    ROCAtFPRResult
        With ``threshold`` and ``threshold_interval``; with groups, folds or importance weights mean and variance alone,
        to first order. The interval methods:

        - "rank_beta" (default): a mixture of Beta distributions over how many negatives lie above the threshold; no
          case is added to the sample. Not to be trusted at a rate where the slope of the population's curve falls
          abruptly, as at the end of a large tied group at the top.
        - "agresti": Algorithm 4 of the 2009 paper, a Gaussian with 2 pseudo-cases added to hits and to misses of each
          component. Not to be trusted at the smallest rates.
        - "wald": a Gaussian with the exact moments; "percentile": quantiles of the exact distribution. Not to be
          trusted where few positives are missed: zero width there.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (default with ``folds`` or
          ``weight_type="importance"``): allows for one additional group or case, all wrong for the lower limit and all
          right for the upper one. Not to be trusted with fewer than about 25 groups.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    bootstrap_roc_difference_at_fpr : Two models.

    Notes
    -----
    No negative of the sample lies above the population's threshold with probability (1 - fpr)^n_negative, and none
    below it with probability fpr^n_negative. If the first exceeds 1 minus the confidence level, the lower limit is 0;
    if the second does, the upper limit is 1.

    **The curve** is that of :func:`sklearn.metrics.roc_curve` with ``drop_intermediate=False``: straight across cases
    of both classes that tie, and at the lower end of its vertical steps. At a rate of 0 the estimate is 0, without
    uncertainty. The result is about the population's curve, not about a threshold fixed beforehand. The distribution is
    that of Dugas & Gadoury (2009), eqs. 3-7; its mean is not the estimate. :doc:`/theory/roc` has more.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009 (Machine Learning, 2010);
    J. Hogan and N. M. Adams, "On averaging ROC curves", Transactions on Machine Learning Research, 2023.
    """
    rows: RowOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    found = roc_at_fpr_of(cases, "y_score", fpr=fpr, specificity=specificity)
    result: ROCAtFPRResult = weighed(found, sample_weight, weight_type)
    return result


@explains_calls
@described(bootstrap_roc_at_fpr)
def bootstrap_roc_difference_at_fpr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    specificity: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ROCDifferenceAtFPRResult:
    """The difference in true-positive rate of two models, a - b, at fixed false-positive rates, with its interval.

    >>> from skcostci import bootstrap_roc_difference_at_fpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.5)
    ROCDifferenceAtFPRResult(difference in TPR at an FPR of 0.5, estimate=0.75, 95 % interval -0.4892 to 0.9811 by
    rank_mover, p=0.3)

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.

    Returns
    -------
    ROCDifferenceAtFPRResult
        The interval methods:

        - "rank_mover" (default): combines the "rank_beta" limits of the two models, using their correlation in the
          bootstrap distribution. Conservative where the models nearly agree, where large groups tie or rates are near
          1. Not to be trusted where a few missed positives determine the difference.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither of every component
          (Agresti & Min). Not to be trusted with few cases or at the smallest rates.
        - "wald": a Gaussian with the exact moments (24)-(27); "percentile" (only where no scores tie across the
          classes): quantiles of the exact distribution. Neither should be trusted where the models seldom disagree:
          they have nearly zero width.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (only with ``folds`` or
          ``weight_type="importance"``, where it is the default): allows for an additional group or case that is the
          worst for one model and the best for the other. Not to be trusted with fewer than about 25 groups or where
          scores tie.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    bootstrap_roc_at_fpr : One model, and the conventions at rates 0 and 1 and with ties.

    Notes
    -----
    The two curves are dependent because the cases are the same (Dugas & Gadoury 2009, appendix B). The mean is exact;
    :doc:`/theory/numerics` says how near the standard error is. Where scores tie across the classes the distribution is
    not known: ``cdf``, ``quantile`` and ``probabilities`` raise an error. With more than 16 million possible pairs of
    thresholds, as with about 300,000 untied negatives, the distribution is a normal one.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009 (Machine Learning, 2010);
    G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures", Statistics in Medicine, 2008.
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: RowOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, scores, pos_label=pos_label, **rows)
    found = roc_at_fpr_of(cases, *scores, fpr=fpr, specificity=specificity)
    result: ROCDifferenceAtFPRResult = weighed(found, sample_weight, weight_type)
    return result


@explains_calls
@described(SampleOptions, bootstrap_roc_at_fpr)
def bootstrap_roc_at_tpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    tpr: ArrayLike | None = None,
    sensitivity: ArrayLike | None = None,
    prevalence: float | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ROCAtTPRResult:
    """The specificity at a sensitivity, or the false-positive rate at a true-positive rate, with its interval.

    >>> from skcostci import bootstrap_roc_at_tpr
    >>> y_true, y_score = [0] * 40 + [1] * 40, [*range(40), *range(20, 60)]
    >>> bootstrap_roc_at_tpr(y_true, y_score, sensitivity=0.75)
    ROCAtTPRResult(specificity at a sensitivity of 0.75, estimate=0.75, standard_error=0.096, 95 % interval 0.5481 to
    0.893 by rank_beta)

    With ``sensitivity=`` it is the specificity; with ``tpr=`` the false-positive rate, as at 95 % recall (FPR95). The
    result also has the other of the two, the precision at that recall, and an interval for the threshold.

    Parameters
    ----------
    tpr : float or array-like of shape (n_points,), default=None
        True-positive rates (recalls) in [0, 1]: the result is the false-positive rate there.
    sensitivity : float or array-like of shape (n_points,), default=None
        The same rates under their other name: the result is the specificity there. One of the two is needed.
    prevalence : float, default=None
        The share of positives for which the precision is computed, from 1e-9 to 1 - 1e-9; None is the share in the
        sample, treated as known. The other rates do not depend on it.

    Returns
    -------
    ROCAtTPRResult
        With ``threshold`` and ``threshold_interval``; with groups, folds or importance weights mean and variance alone,
        to first order. Its ``fpr``, ``specificity`` and ``precision`` are separate results, with the same limits on
        other scales. The interval methods:

        - "rank_beta" (default): a mixture of Beta distributions over how many positives lie above the threshold; no
          case is added to the sample. The upper limit of the false-positive rate is 1 where positives are too few to
          bound it: for a sensitivity of 0.95 at the 95 % level with fewer than 59 positives. Not to be trusted at a
          rate where the slope of the population's curve changes abruptly.
        - "agresti": a Gaussian with pseudo-cases; "wald": a Gaussian with the exact moments; "percentile": quantiles of
          the exact distribution. None should be trusted where few negatives are false alarms.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (default with ``folds`` or
          ``weight_type="importance"``): allows for one additional case, or whole group, that scores below all others
          for one limit and above all others for the other. Not to be trusted with fewer than about 25 groups.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    bootstrap_roc_at_fpr : Sensitivity at a specificity.
    bootstrap_roc_difference_at_tpr : Two models.

    Notes
    -----
    **The curve**: the threshold is the score of the r-th largest positive, r = ceil(tpr * n_positive); negatives tied
    with it are false alarms. At a rate of 0 the false-positive rate is 0, without uncertainty. Where tpr * n_positive
    is a whole number, :func:`bootstrap_roc_at_fpr` with labels and signs swapped takes the other end of the step. The
    distribution is exact (Dugas & Gadoury 2009, eqs. 3-7, with the classes exchanged); its mean is not the estimate.
    The precision is ``prevalence * tpr / (prevalence * tpr + (1 - prevalence) * FPR)``, at ``tpr`` itself.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009 (Machine Learning, 2010).
    """
    rows: RowOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    found = roc_at_tpr_of(cases, "y_score", tpr=tpr, sensitivity=sensitivity, prevalence=prevalence)
    result: ROCAtTPRResult = weighed(found, sample_weight, weight_type)
    return result


@explains_calls
@described(bootstrap_roc_at_tpr)
def bootstrap_roc_difference_at_tpr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    tpr: ArrayLike | None = None,
    sensitivity: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> ROCDifferenceAtTPRResult:
    """The difference of two models, a - b, in specificity at a sensitivity, or in false-positive rate at a TPR.

    >>> from skcostci import bootstrap_roc_difference_at_tpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> bootstrap_roc_difference_at_tpr(y_true, a, b, sensitivity=0.75)
    ROCDifferenceAtTPRResult(difference in specificity at a sensitivity of 0.75, estimate=0.25, 95 % interval -0.7232 to
    0.827 by rank_mover, p=0.68)

    The two curves are compared at the same true-positive rate. Positive values favour a where the result is the
    specificity, negative ones where it is the false-positive rate.

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.

    Returns
    -------
    ROCDifferenceAtTPRResult
        Its ``specificity`` and ``fpr`` are the differences of the two rates; the limits of one are those of the other
        with the opposite sign. The interval methods, their defaults and cautions are those of
        :func:`bootstrap_roc_difference_at_fpr`.

    See Also
    --------
    bootstrap_roc_at_tpr : One model, and the conventions at a rate of 0 and with ties.
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: RowOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, scores, pos_label=pos_label, **rows)
    found = roc_at_tpr_of(cases, *scores, tpr=tpr, sensitivity=sensitivity)
    result: ROCDifferenceAtTPRResult = weighed(found, sample_weight, weight_type)
    return result


@explains_calls
@described(SampleOptions, bootstrap_roc_at_fpr)
def bootstrap_roc_at_positive_rate(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive_rate: ArrayLike,
    sampling: Sampling | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> BudgetROCResult:
    """The true-positive rate, with its confidence interval, when a fixed share of the cases is labelled positive.

    >>> from skcostci import bootstrap_roc_at_positive_rate
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.5)
    BudgetROCResult(tpr_at_positive_rate, positive_rate=0.5, estimate=0.75, standard_error=0.1873, 95 % interval 0.2298
    to 0.9965 by unseen_case)

    For a fixed capacity (a budget), such as a number of letters, inspections or beds. In each resample the ``q =
    floor(positive_rate * n)`` cases with the highest scores are labelled positive, whatever their scores, with ties at
    the cut-off in random order.

    Parameters
    ----------
    positive_rate : float or array-like of shape (n_points,)
        The shares of all cases to be labelled positive, in [0, 1]; with importance weights of the sum of weights. At 0
        both rates are 0, at 1 they are 1; these are known, so that intervals have zero width.
    sampling : {"stratified", "full"}, default=None
        Resample each class to its own size, so that the class mix is treated as known, or all cases together. None is
        "full" for the precision, which follows the class mix, and "stratified" for the two other rates. Resamples
        in which a rate is undefined are left out.

    Returns
    -------
    BudgetROCResult
        The true-positive rate; ``fpr`` and ``precision`` are separate results, ``positive_rate`` is q / n. With groups,
        folds or importance weights mean and variance alone, to first order. The interval methods:

        - "unseen_case" (default without ``groups``): inverts a test of the ranks of the labelled cases, with one
          additional case in each class at the least favourable rank. Not proved: where the curve bends sharply exactly
          at the budget one limit may miss a hundredth more than its nominal probability.
        - "smoothed": quantiles of the exact distribution with 1.5 pseudo-cases per class. Not to be trusted for the
          false-positive rate of a budget of a few cases under full sampling.
        - "percentile": quantiles of the raw distribution; "wald": a Gaussian with its moments. Neither should be
          trusted where the ranking at the cut-off is the same in all resamples: zero width there.
        - "agresti": a Gaussian with 4 pseudo-cases per class. Not to be trusted for budgets of a few cases, or of all
          but a few.
        - "unseen_group" (only with ``groups``, where it is the default) and, with ``folds`` or
          ``weight_type="importance"``, another form of "unseen_case": allows for one additional case, or whole group,
          that scores below all others for one limit and above all others for the other. Not to be trusted with fewer
          than about 25 groups.

        Coverage is in :doc:`/user_guide/interval_methods`, the formulas in :doc:`/theory/intervals`.

    See Also
    --------
    workforce_threshold : The threshold for a given capacity.
    bootstrap_roc_at_threshold : Fixed thresholds instead, so that the number labelled positive varies.

    Notes
    -----
    The averaging by total positive rate that Dugas & Gadoury (2009, section 6) mention as future work:
    :doc:`/theory/roc`. The threshold varies from resample to resample: the result is about labelling the same share of
    another batch of cases. Under stratified sampling the three rates, and their intervals, are one count on three
    scales.
    """
    rows: RowOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    found = roc_at_positive_rate_of(cases, "y_score", positive_rate=positive_rate, sampling=sampling)
    result: BudgetROCResult = weighed(found, sample_weight, weight_type)
    return result
