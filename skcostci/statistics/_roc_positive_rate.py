"""ROC curves at a fixed total positive rate: what a budget of so many cases finds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._options import SAMPLINGS, Sampling
from skcostci._validation import Floats, check_option, check_unit_points
from skcostci.cases._cases import Cases
from skcostci.laws import BudgetLaw, RankedCases
from skcostci.results._estimand import Estimand
from skcostci.results._results import ExactResult

METHODS = ("unseen_case", "smoothed", "percentile", "agresti", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class BudgetRateResult(ExactResult):
    """A rate when a fixed share of the cases is labelled positive, with its exact bootstrap law.

    One of the rates of :class:`BudgetROCResult`; ties at the border are broken at random: the mean over their orders.
    Beside what every :class:`BootstrapResult` has:

    Parameters
    ----------
    positive_rate : float or ndarray of shape (n_points,)
        The share of the cases that is labelled positive: ``n_labelled`` over the number of cases.
    n_labelled : float or ndarray of shape (n_points,)
        How many cases are labelled positive, in the data and in each resample.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_positive_rate
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> float(bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.5).precision)
    0.75
    """

    law: BudgetLaw = field(repr=False)
    positive_rate: Numbers
    n_labelled: Numbers

    def _axis(self) -> dict[str, Numbers]:
        return {"positive_rate": self.positive_rate}


@dataclass(frozen=True, repr=False, eq=False)
class BudgetROCResult(BudgetRateResult):
    """The true-positive rate when a fixed share of the cases is labelled positive, with its exact bootstrap law.

    What :func:`bootstrap_roc_at_positive_rate` returns; ties at the border are broken at random: the mean over their
    orders. It has what every :class:`BudgetRateResult` has.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_positive_rate
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> budget = bootstrap_roc_at_positive_rate(y_true, y_score, positive_rate=0.5)
    >>> budget.estimate, budget.n_labelled
    (0.75, 4.0)
    """

    @property
    def fpr(self) -> BudgetRateResult:
        """The false-positive rate, a result of its own."""
        return self._rate("fpr")

    @property
    def precision(self) -> BudgetRateResult:
        """The share of positives among the cases labelled positive, a result of its own.

        Raises
        ------
        ValueError
            If at some point nobody is labelled positive.
        """
        if np.min(self.n_labelled) == 0:
            raise ValueError(
                "precision is undefined where nobody is labelled positive, at positive_rate 0 or so small."
            )
        return self._rate("precision")

    def _rate(self, rate: str) -> BudgetRateResult:
        law = self.law.of(rate)
        estimand = replace(self.estimand, statistic=f"{rate}_at_positive_rate")
        axis = self.positive_rate, self.n_labelled
        return BudgetRateResult(self._shaped(_estimates(law)), law, self.methods, *axis, estimand=estimand)


def bootstrap_roc_at_positive_rate(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive_rate: ArrayLike,
    sampling: Sampling = "stratified",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> BudgetROCResult:
    """The true-positive rate, with its confidence interval, when a fixed share of the cases is labelled positive.

    A budget: so many letters, inspections or beds. In each resample the ``q = floor(positive_rate * n)`` cases with the
    highest scores are labelled positive, whatever their scores, ties at the border in random order.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Binary labels, both classes present, and finite scores, higher meaning more positive.
    positive_rate : float or array-like of shape (n_points,)
        The shares of all cases to be labelled positive, in [0, 1]. At 0 both rates are 0, at 1 they are 1: known, so
        that intervals are points.
    sampling : {"stratified", "full"}, default="stratified"
        Resample each class to its own size, so that the class mix counts as known, or all cases together. Resamples in
        which a rate is undefined (no positive for the true-, no negative for the false-positive rate) are left out.
    pos_label, sample_weight : optional
        As in :func:`bootstrap_auc`.

    Returns
    -------
    BudgetROCResult
        The true-positive rate, with ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``,
        ``confidence_interval`` and ``to_frame``; ``positive_rate`` is q / n. Its ``fpr`` and ``precision`` are results
        of their own. Intervals are pointwise. Their methods:

        - "unseen_case" (default): at the population's threshold the numbers of positives and of negatives above it are
          binomial, and the ranking says which of them go together; limits allow for one more case of either class at
          the worst place there. Stratified, the three rates are one count on three scales, and so are their intervals;
          under full sampling those of the true- and the false-positive rate allow for a class mix not known. Not
          proved: a search over populations of two to five pieces, 5 to 120 cases a class, with sharp bends at the very
          budget found that one limit misses .057, .031 and .014 at most (nominal .05, .025 and .005) and both together
          no more (.94, .97 and .986 at nominal .90, .95 and .99). Where the curve is smooth it covers as much or more,
          however many cases there are. Under full sampling a shorter search found populations in which one limit misses
          .052, .028 and .013. With a hundred cases a class it is 1.3 to 1.5 times as wide as "smoothed", with a
          thousand 1.3 times at 90 %, 1.2 at 95 % and 1.1 at 99 %; twice as wide at budgets of a few cases.
        - "smoothed": quantiles of the exact law with 1.5 pseudo-cases a class, half of them above and half below all
          others, and one more draw of each class, one more labelled. Simulated worst coverage: .84 at 90 %, .88 at
          95 %; of the precision under full sampling .80 and .88. Not to be trusted for the false-positive rate of a
          budget of a few cases under full sampling: its limits are then multiples of 1 / n_negative, and a true rate
          just off one is missed whenever no labelled case is positive (.81 at 90 % for 2 of 210 cases).
        - "percentile", "wald": quantiles of the raw law, a Gaussian with its moments. Not to be trusted where the
          order at the border is clear: they shrink to points and coverage falls to 0.
        - "agresti": a Gaussian with 4 pseudo-cases a class, placed likewise. Not to be trusted for budgets of a few
          cases, or all but a few, where so many pseudo-cases bias it (coverage .01 at 90 %).

    Raises
    ------
    ValueError
        If labels, scores, weights, positive rates or options are not as described; on asking for the precision where
        nobody is labelled positive.

    See Also
    --------
    workforce_threshold : The threshold that a capacity allows.
    bootstrap_roc_at_threshold : Fixed thresholds instead, so that the number labelled positive varies.

    Notes
    -----
    The averaging by total positive rate that Dugas & Gadoury (2009) name as future work. The rank of the (q + 1)-th
    best draw, as a share of all cases, is Beta(q + 1, n - q); given it, the numbers of positives above and below are
    independent binomials. Stratified resampling is that, given the number of positives drawn. The integral over the
    rank is taken piece by piece along the ROC curve, whose straight pieces stand for scores and whose slanted ones for
    ties in random order, over the O(sqrt n) pieces that matter; the pmf is band-limited, so it is computed at a few
    places and resampled: O(sqrt n) a law after sorting. Agrees with enumeration to 1e-13 and with the sum over all
    thresholds to 1e-13 at n = 3,000.

    A default interval is a point only at budgets of nobody or everybody, or at low levels and a few cases.

    The mean is not the estimate, and the budget's threshold varies from resample to resample: averaging at a fixed
    budget answers what labelling the best so many per cent of another batch of cases would give.

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
    cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    return roc_at_positive_rate_of(cases, "y_score", positive_rate=positive_rate, sampling=sampling)


def roc_at_positive_rate_of(
    cases: Cases, column: str, *, positive_rate: ArrayLike, sampling: Sampling = "stratified"
) -> BudgetROCResult:
    """The rates of a column of checked cases when a share of them is labelled positive."""
    cases.refuse_groups("rates at a share labelled positive")
    check_option("sampling", sampling, SAMPLINGS)
    rates = check_unit_points("positive_rate", positive_rate)
    counts = cases.counts(column)
    ranking, draws = counts.ranking, (counts.positive.total, counts.negative.total)
    ranked = RankedCases(ranking.positive.astype(float), ranking.negative.astype(float), *draws, sampling)
    labelled = np.floor(rates * ranked.draws + 1e-9)
    law = BudgetLaw(ranked, tuple(labelled.astype(np.int64).ravel().tolist()), "tpr")
    axis = (frozen_numbers(values, rates.shape) for values in (labelled / ranked.draws, labelled))
    estimand = Estimand("tpr_at_positive_rate", positive=cases.labels[1], axis={"positive_rate": rates})
    return BudgetROCResult(frozen_numbers(_estimates(law), rates.shape), law, METHODS, *axis, estimand=estimand)


def _estimates(law: BudgetLaw) -> Floats:
    """The rate of the cases themselves."""
    q = np.array(law.labelled)
    found = law.cases.positives_labelled(q)
    if law.rate == "precision":
        return np.asarray(found / q)
    return np.asarray(found / law.cases.draws_positive if law.rate == "tpr" else (q - found) / law.cases.draws_negative)
