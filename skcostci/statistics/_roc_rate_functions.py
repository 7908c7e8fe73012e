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

    Sensitivity at a specificity, or the whole curve: the share of the positives above the threshold that a given share
    of the negatives exceeds.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    fpr : float or array-like of shape (n_points,), default=None
        False-positive rates in [0, 1]; they need not be multiples of 1 / n_negative. None takes 0.01, 0.02, ..., 0.99.
    specificity : float or array-like of shape (n_points,), default=None
        Specificities instead: false-positive rates of 1 - specificity, rounded so that 0.9 is a false-positive rate of
        exactly 0.1. The result is the same, and is called sensitivity at a specificity.

    Returns
    -------
    ROCAtFPRResult
        With ``fpr``, ``threshold``, ``threshold_interval``, ``estimate``, ``mean``, ``standard_error``, ``cdf``,
        ``quantile``, ``confidence_interval`` and ``to_frame``. Intervals are pointwise. Their methods:

        - "rank_beta" (default): a mixture of Beta distributions over how many negatives lie above the threshold; no
          case is added to the sample (see Notes). In simulations coverage is 0.91 or more at a nominal 0.95, with one
          exception: not to be trusted at a rate where the slope of the population's curve falls abruptly, as at the end
          of a large tied group at the top, where coverage is 0.85. Wider than necessary within large groups of tied
          scores.
        - "agresti": Algorithm 4 of the 2009 paper, a Gaussian with 2 pseudo-cases added to hits and to misses of each
          component. At the smallest rates its coverage falls to 0.70 at a nominal 0.90.
        - "wald": a Gaussian with the exact moments; "percentile": quantiles of the exact distribution. Neither should
          be trusted where few positives are missed: both have zero width there, and coverage falls towards 0.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (default with ``folds`` or
          ``weight_type="importance"``): allows for one additional group or case, all wrong for the lower limit and all
          right for the upper one: quantiles of the Beta distribution with the mean and variance that the rate has under
          random (Dirichlet) weights. Standard errors were within 7 % of resampling with 40 to 200 groups. Not to be
          trusted with fewer than about 25 groups.

    Raises
    ------
    ValueError
        If labels, scores, weights or rates are not as described, or both rates and specificities are given.

    See Also
    --------
    bootstrap_roc_difference_at_fpr : Two models.

    Notes
    -----
    **The default interval** varies two things. The first is the number k of negatives above the threshold that has this
    false-positive rate in the population: it is binomial, Bin(n_negative, fpr), whatever the scores. The second is the
    true-positive rate at that threshold: given k it is Beta(x + 1/2, n_positive - x + 1/2), x the number of positives
    above the k-th negative. A limit is a quantile of the mixture of these Beta distributions over k, moved to the
    estimate if the interval would exclude it.

    No negative of the sample lies above the population's threshold with probability (1 - fpr)^n_negative, and none
    below it with probability fpr^n_negative. The sample then says nothing about how far up, or down, the threshold may
    be: if the first probability exceeds 1 minus the confidence level, the lower limit is 0; if the second does, the
    upper limit is 1.

    Three corrections are made. *Width*: x changes with k partly because of sampling noise in the scores of the
    positives. The Beta distributions already contain this noise, so its variance is subtracted once. *Little variation
    in k*: where the threshold is nearly certain, the limits are moved outwards by up to 0.15 of a case. *Jumps*: where
    tied scores make the curve jump near this rate, a limit is also computed from the part of the mixture on its own
    side of the jump, and the limit further from the estimate is used. :doc:`/theory/intervals` has the formulas, their
    assumptions and what was tuned.

    **The curve** is that of :func:`sklearn.metrics.roc_curve` with ``drop_intermediate=False``: straight across
    positives and negatives that tie, and at the lower end of its vertical steps. At a rate of 0 the threshold is
    infinite and the estimate 0, without uncertainty. What is averaged over resamples is the height of their curves,
    each at a threshold of its own: the result is about the population's curve at that false-positive rate, not about a
    threshold fixed beforehand (Hogan and Adams, 2023).

    **The distribution** is that of the same number in a stratified resample (Dugas & Gadoury 2009, eqs. 3-7, where no
    tie joins the classes). The mean is not the estimate. The distribution is exact without ties between the classes,
    and with ties while the values of a tied group can be listed (about four million); beyond, ``cdf`` errs by up to
    about 0.002.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", Machine Learning, 2010
    (CRM working paper, 2009).

    J. Hogan and N. M. Adams, "On averaging ROC curves", Transactions on Machine Learning Research, 2023.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_fpr
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> result = bootstrap_roc_at_fpr(y_true, y_score, fpr=[0.25, 0.5])
    >>> result.estimate
    array([0.5, 1. ])
    >>> result.mean.round(4)
    array([0.6582, 0.8691])
    >>> low, high = result.confidence_interval(0.9)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.385]), array([1., 1.]))
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

    The two curves are compared at the same false-positive rate, whatever the scales of the scores.

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.

    Returns
    -------
    ROCDifferenceAtFPRResult
        With ``fpr``, ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval``, ``pvalue``, ``probabilities`` and ``to_frame``. The interval methods:

        - "rank_mover" (default): combines the "rank_beta" limits of the two models, using their correlation in the
          bootstrap distribution (see Notes). The lowest simulated coverage was 0.84 at a nominal 0.90 and 0.88 at 0.95.
          It is conservative where the models nearly agree, where large groups tie or rates are near 1. Where ties make
          a curve jump near the rate, a rate beyond the jump stays in the interval as long as its own confidence exceeds
          the error probability of the limit; distances are then measured from the jump, with the models taken as
          independent. On seven populations of grades, floored and zero-inflated scores, none of which were used for
          tuning, the coverage was then 0.93 or more at a nominal 0.95, with up to 3 times the width where the models
          are alike; one limit may fail to cover with twice its nominal probability. Not to be trusted where a few
          missed positives determine the difference: with 5 % of one model's positives, at a TPR of 0.95, coverage was
          0.76 at a nominal 0.95.
        - "agresti": a Gaussian with half a pseudo-case in each of both / only a / only b / neither of every component
          (Agresti & Min). Not to be trusted with few cases or at the smallest rates: coverage falls to 0.68 at a
          nominal 0.90 with 200 positives and 10 negatives.
        - "wald": a Gaussian with the exact moments (24)-(27); "percentile": quantiles of the exact distribution.
          Neither should be trusted where the models seldom disagree: they have nearly zero width.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (only with ``folds`` or
          ``weight_type="importance"``, where it is the default): as in :func:`bootstrap_roc_at_fpr`, applied to the
          difference, with an additional group or case that is the worst for one model and the best for the other. Not
          to be trusted with fewer than about 25 groups or where scores tie.

    See Also
    --------
    bootstrap_roc_at_fpr : One model, and the conventions at rates 0 and 1 and with ties.

    Notes
    -----
    Each model's curve is defined as in :func:`bootstrap_roc_at_fpr`; the two are dependent because the cases are the
    same (Dugas & Gadoury 2009, appendix B). The paper needs O(n^4) operations; here the joint distribution of the
    thresholds is integrated along the log odds ratio for the O(sqrt n) x O(sqrt n) probable pairs of thresholds, and
    the distributions of the difference given the thresholds are mixed by their characteristic functions: O(n) per rate,
    in time and memory. Probabilities are exact to about 1e-11, and the mean is exact. The standard error is exact if at
    most 4096 pairs of thresholds are possible and few cases tie across the classes; else it is computed by a normal
    distribution with binomial margins, and within 0.7 % without such ties and mostly within 1.2 % with them (6 % at
    worst; up to a quarter too large where tied models nearly agree and the difference hardly varies). With more than 16
    million possible pairs, as with about 300,000 untied negatives, the distribution is a normal one with these moments.

    Without ties between the classes the distribution is exact. With them it is exact to 1e-12, with every atom of
    ``cdf`` and ``quantile``, for tens of cases: if the sums over the negatives above and in each pair of segments have
    at most 8 million terms (30 negatives and 60 probable pairs; 60 and 4), and a value of ``cdf`` has at most 134
    million terms, one for each pair of shares of the tied positives and each number drawn of either. 40 + 40 cases on 3
    to 12 grades are within these bounds, 50 + 50 at low rates. A value takes up to half a second, a quantile about ten
    times as long.

    Beyond that each model's distribution and the mean stay exact; in the distribution of the difference the dependence
    of the two models' positions within tied groups is that of a normal distribution with the correct margins and
    correlation, or is ignored where it is small. Neighbouring shares are combined into about 48 blocks per group:
    ``cdf`` was within 0.007 of 60,000 resamples, whose noise is 0.004, with 8 to 150 positives and 60 to 150 negatives
    on 4 to 8 grades. With hundreds of cases shares are rounded to 24ths of a case (split between the two nearest), with
    thousands the distributions given the thresholds are approximated as Gaussian where they have fractions.

    **The default interval** ("rank_mover"): l and u are the "rank_beta" limits of a model, and m is the median of its
    confidence distribution. With x = m_a - l_a, y = u_b - m_b and r the correlation of the two rates in the bootstrap
    distribution with a quarter of a pseudo-case in each cell, so that r < 1, the lower limit is m_a - m_b - sqrt(x^2 +
    y^2 - 2 r x y) (MOVER; Zou and Donner 2008), and the upper limit is symmetric to it. The interval uses three moments
    of the joint distribution, which come from a normal distribution with binomial margins and exact correlations:
    limits are within 0.008 half widths of those from the exact moments without ties across the classes and within 0.02
    with such ties; where models nearly agree, in nine of ten cases within 0.09 and 0.2, and nearly always wider
    (:ref:`numerics <tied-scores>`). Where x < r y the root would grow as x shrinks; x is then replaced by r y, and y
    likewise, so that intervals of higher levels contain those of lower ones. An interval that would exclude the
    estimate is extended to it.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", Machine Learning, 2010
    (CRM working paper, 2009).

    R. L. Plackett, "A reduction formula for normal multivariate integrals", Biometrika, 1954.

    G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures", Statistics in Medicine, 2008.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_fpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.1, 0.5, 0.3, 0.7, 0.4, 0.2, 0.8, 0.3]
    >>> result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.5)
    >>> float(result)
    0.75
    >>> round(result.mean, 4), round(result.pvalue(method="percentile"), 4)
    (0.4689, 0.3627)
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: RowOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, scores, pos_label=pos_label, **rows)
    found = roc_at_fpr_of(cases, *scores, fpr=fpr, specificity=specificity)
    result: ROCDifferenceAtFPRResult = weighed(found, sample_weight, weight_type)
    return result


@explains_calls
@described(SampleOptions)
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

    With ``sensitivity=`` it is the specificity; with ``tpr=`` the false-positive rate, as at 95 % recall (FPR95). The
    result also has the other of the two, the precision at that recall, and an interval for the threshold. The bootstrap
    distribution of a statistic is its distribution over all resamples; here no resample is drawn.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
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
        The specificity or the false-positive rate, with ``tpr``, ``threshold``, ``threshold_interval``, ``estimate``,
        ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval`` and ``to_frame``. Its ``fpr``,
        ``specificity`` and ``precision`` are separate results, with the same limits on other scales. Intervals are
        pointwise. Their methods:

        - "rank_beta" (default): a mixture of Beta distributions over how many positives lie above the threshold; no
          case is added to the sample (see Notes). The upper limit of the false-positive rate is 1 where positives are
          too few to bound it: for a sensitivity of 0.95 at the 95 % level with fewer than 59 positives. Not to be
          trusted at a rate where the slope of the population's curve changes abruptly.
        - "agresti": a Gaussian with pseudo-cases; "wald": a Gaussian with the exact moments; "percentile": quantiles of
          the exact distribution. None should be trusted where few negatives are false alarms; the last two have zero
          width there.
        - "unseen_group" (only with ``groups``, where it is the default) and "unseen_case" (default with ``folds`` or
          ``weight_type="importance"``): allows for one additional case, or whole group, that scores below all others
          for one limit and above all others for the other: quantiles of the Beta distribution with the mean and
          variance that the rate has under random (Dirichlet) weights. Standard errors were within 7 % of those from
          resampling, with 40 to 200 groups. Not to be trusted with fewer than about 25 groups.

    Raises
    ------
    ValueError
        If labels, scores, weights, rates or the prevalence are not as described, or not exactly one of ``tpr`` and
        ``sensitivity`` is given; if the precision is requested at a rate of 0.

    See Also
    --------
    bootstrap_roc_at_fpr : Sensitivity at a specificity.
    bootstrap_roc_difference_at_tpr : Two models.
    sensitivity_threshold : The threshold that reaches a sensitivity with confidence.

    Notes
    -----
    **The default interval** varies two things. The first is the number k of positives above the threshold that has this
    true-positive rate in the population: it is binomial, Bin(n_positive, tpr), whatever the scores. The second is the
    false-positive rate at that threshold: given k it is Beta(x + 1/2, n_negative - x + 1/2), x the number of negatives
    above the k-th positive. A limit is a quantile of the mixture of these Beta distributions over k, moved to the
    estimate if the interval would exclude it. All positives of the sample lie above the population's threshold with
    probability tpr^n_positive, none with (1 - tpr)^n_positive: if the first exceeds 1 minus the confidence level, the
    upper limit of the false-positive rate is 1; if the second does, the lower limit is 0. The corrections are those of
    :func:`bootstrap_roc_at_fpr`.

    **The curve**: the threshold is the first one going down with TPR >= tpr on the points of
    :func:`sklearn.metrics.roc_curve`: the score of the r-th largest positive, r = ceil(tpr * n_positive). Negatives
    tied with it are false alarms. At a rate of 0 the threshold is infinite and the false-positive rate 0, without
    uncertainty. This is not :func:`bootstrap_roc_at_fpr` with labels and signs swapped: where tpr * n_positive is a
    whole number, that curve is taken at the other end of the step, just before the next positive.

    **The distribution** is that of the same number in a stratified resample: equations (3) to (7) of Dugas & Gadoury
    (2009) with the classes exchanged. It is exact, with or without ties, and has O(sqrt n) parts; the mean is not the
    estimate.

    The precision is that at a true-positive rate of ``tpr`` itself, though the first threshold may reach a little more
    on these cases: precision = prevalence * tpr / (prevalence * tpr + (1 - prevalence) * FPR), a falling function of
    the false-positive rate, so that its distribution and its limits follow.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", Machine Learning, 2010
    (CRM working paper, 2009).

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_tpr
    >>> y_true, y_score = [0] * 40 + [1] * 40, [*range(40), *range(20, 60)]
    >>> found = bootstrap_roc_at_tpr(y_true, y_score, sensitivity=0.75)
    >>> float(found), found.threshold
    (0.75, 30.0)
    >>> found.confidence_interval()
    ConfidenceInterval(low=0.548, high=0.893)
    >>> found.threshold_interval()
    ConfidenceInterval(low=24.0, high=36.0)
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

    The two curves are compared at the same true-positive rate; they differ in the rate of false alarms.

    Parameters
    ----------
    y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
        Binary labels, both classes present, and the scores of the two models, which need not share a scale.

    Returns
    -------
    ROCDifferenceAtTPRResult
        With ``tpr``, ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval``,
        ``pvalue``, ``probabilities`` and ``to_frame``; ``specificity`` and ``fpr`` are the differences of the two
        rates; the limits of one are those of the other with the opposite sign. The interval methods, their defaults and
        cautions are those of :func:`bootstrap_roc_difference_at_fpr`.

    See Also
    --------
    bootstrap_roc_at_tpr : One model, and the conventions at a rate of 0 and with ties.
    bootstrap_roc_difference_at_fpr : At a false-positive rate; describes the interval methods and the computation.

    Notes
    -----
    The distribution is that of :func:`bootstrap_roc_difference_at_fpr` with the classes exchanged and no sloping
    segments. It is exact; only the standard error is computed by a normal distribution with exact margins where more
    than 4096 pairs of thresholds are possible.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_difference_at_tpr
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> difference = bootstrap_roc_difference_at_tpr(y_true, a, b, sensitivity=0.75)
    >>> float(difference), difference.confidence_interval(0.8)
    (0.25, ConfidenceInterval(low=-0.62, high=0.83))
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    rows: RowOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, scores, pos_label=pos_label, **rows)
    found = roc_at_tpr_of(cases, *scores, tpr=tpr, sensitivity=sensitivity)
    result: ROCDifferenceAtTPRResult = weighed(found, sample_weight, weight_type)
    return result


@explains_calls
@described(SampleOptions)
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

    For a fixed capacity (a budget), such as a number of letters, inspections or beds. In each resample the ``q =
    floor(positive_rate * n)`` cases with the highest scores are labelled positive, whatever their scores, with ties at
    the cut-off in random order.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    positive_rate : float or array-like of shape (n_points,)
        The shares of all cases to be labelled positive, in [0, 1]. At 0 both rates are 0, at 1 they are 1; these are
        known, so that intervals have zero width.
    sampling : {"stratified", "full"}, default=None
        Resample each class to its own size, so that the class mix is treated as known, or all cases together. None is
        "full" for the precision, which follows the class mix, and "stratified" for the two other rates. Resamples
        in which a rate is undefined (no positive for the true-, no negative for the false-positive rate) are left out.

    Returns
    -------
    BudgetROCResult
        The true-positive rate, with ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval`` and ``to_frame``; ``positive_rate`` is q / n. Its ``fpr`` and ``precision`` are separate
        results. Intervals are pointwise. Their methods:

        - "unseen_case" (default without ``groups``): inverts a test. At a given rate the numbers of positives and of
          negatives above the population's threshold are binomial, and the ranking limits which pairs of numbers are
          possible; the lower limit is the rate at which ranks as good as those observed would have the error
          probability, with one additional case in each class at the least favourable rank (:doc:`/theory/intervals` has
          the formulas). With sampling="stratified" the three rates are one count on three scales, and so are their
          intervals; under full sampling those of the true- and the false-positive rate allow for an unknown class mix.
          Not proved: a search over populations of two to five pieces, 5 to 120 cases per class, with sharp bends
          exactly at the budget found that one limit fails to cover with a probability of 0.057, 0.031 and 0.014 at most
          (nominal 0.05, 0.025 and 0.005), and the interval has a coverage of at least 0.94, 0.97 and 0.986 (nominal
          0.90, 0.95 and 0.99). Where the curve is smooth, coverage is at least the level for any number of cases. Under
          full sampling a shorter search found populations in which one limit fails to cover with a probability of
          0.052, 0.028 and 0.013. With a hundred cases per class the interval is 1.3 to 1.5 times as wide as "smoothed",
          with a thousand 1.3 times at 90 %, 1.2 at 95 % and 1.1 at 99 %; twice as wide at budgets of a few cases.
        - "smoothed": quantiles of the exact distribution with 1.5 pseudo-cases per class, half of them above and half
          below all others, with one more draw from each class and one more case labelled positive. The lowest simulated
          coverage was 0.84 at a nominal 0.90 and 0.88 at 0.95; for the precision under full sampling it was 0.80 and
          0.88. Not to be trusted for the false-positive rate of a budget of a few cases under full sampling: its limits
          are then multiples of 1 / n_negative, and the interval excludes a true rate next to a multiple whenever no
          labelled case is positive (coverage 0.81 at a nominal 0.90 for 2 of 210 cases).
        - "percentile": quantiles of the raw distribution; "wald": a Gaussian with its moments. Neither should be
          trusted where the ranking at the cut-off is the same in all resamples: they have zero width and coverage falls
          to 0.
        - "agresti": a Gaussian with 4 pseudo-cases per class, placed in the same way. Not to be trusted for budgets of
          a few cases, or of all but a few, where the pseudo-cases bias it (coverage 0.01 at a nominal 0.90).
        - "unseen_group" (only with ``groups``, where it is the default) and, with ``folds`` or
          ``weight_type="importance"``, another form of "unseen_case": allows for one additional case, or whole group,
          that scores below all others for one limit and above all others for the other. With importance weights cases
          are drawn from both classes together. Standard errors were within 7 % of those from resampling, with 40 to 200
          groups. Not to be trusted with fewer than about 25 groups.

    Raises
    ------
    ValueError
        If labels, scores, weights, positive rates or options are not as described; if the precision is requested where
        no case is labelled positive.

    See Also
    --------
    workforce_threshold : The threshold for a given capacity.
    bootstrap_roc_at_threshold : Fixed thresholds instead, so that the number labelled positive varies.

    Notes
    -----
    This is the averaging by total positive rate that Dugas & Gadoury (2009) mention as future work. The rank of the (q
    + 1)-th best draw, as a share of all cases, is Beta(q + 1, n - q); given it, the numbers of positives above and
    below are independent binomials. Stratified resampling has this distribution conditional on the number of positives
    drawn. The integral over the rank is computed piece by piece along the ROC curve, whose horizontal and vertical
    pieces are single scores and whose sloping ones are ties in random order, over the O(sqrt n) pieces with relevant
    probability. The probability function is band-limited, so it is computed at a few points and interpolated: O(sqrt n)
    per distribution after sorting. It agrees with enumeration to 1e-13 and with the sum over all thresholds to 1e-13 at
    n = 3,000.

    A default interval has zero width only for budgets of no case or all cases, or at low levels with a few cases.

    The mean is not the estimate, and the budget's threshold varies from resample to resample: the result is about
    labelling the same share of another batch of cases, those with the highest scores.

    References
    ----------
    C. Dugas and D. Gadoury, "Pointwise exact bootstrap distributions of ROC curves", 2009, section 6.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_positive_rate
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> found = bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.5)
    >>> float(found), float(found.fpr), float(found.precision)
    (0.75, 0.25, 0.75)
    >>> found.confidence_interval(0.9)
    ConfidenceInterval(low=0.262, high=0.994)
    """
    rows: RowOptions = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, **rows)
    found = roc_at_positive_rate_of(cases, "y_score", positive_rate=positive_rate, sampling=sampling)
    result: BudgetROCResult = weighed(found, sample_weight, weight_type)
    return result
