"""What the number of errors alone says about the AUC."""

from __future__ import annotations

from dataclasses import dataclass, field

from skcostci._options import Alternative
from skcostci._validation import MOST_CASES, Floats, check_count
from skcostci.laws import ErrorCountLaw
from skcostci.results._estimand import Estimand
from skcostci.results._results import BootstrapResult

METHODS = ("optimal", "exponential", "gaussian", "chebyshev")


@dataclass(frozen=True, repr=False, eq=False)
class ErrorCountResult(BootstrapResult[float]):
    """The AUC as far as the number of errors tells it.

    What :func:`auc_from_error_count` returns: the mean AUC over all orderings and cuts with so many errors. It has what
    every :class:`BootstrapResult` has.

    Examples
    --------
    >>> from skcostci import auc_from_error_count
    >>> auc_from_error_count(25, n_positive=50, n_negative=200)
    ErrorCountResult(estimate=0.775, standard_error=0.03176, 95 % interval 0.5779 to 0.972)
    """

    law: ErrorCountLaw = field(repr=False)

    def _alpha(self, level: float, alternative: Alternative) -> Floats:
        """One-sided limits are ends of the two-sided interval: its inequalities give no share of the risk to a side."""
        return super()._alpha(level, "two-sided")


def auc_from_error_count(n_errors: int, n_positive: int, n_negative: int) -> ErrorCountResult:
    """The AUC's mean, standard deviation and interval when only the number of errors is known (Cortes & Mohri).

    Parameters
    ----------
    n_errors : int
        How many cases the classifier labels wrongly, from 0 to all of them.
    n_positive, n_negative : int
        How many cases there are of either class, from 1 to 4e9.

    Returns
    -------
    ErrorCountResult
        With ``estimate``, ``standard_error`` (for exactly this number of errors), ``confidence_interval`` and
        ``to_frame``. The intervals also allow for the number of errors being another in another sample. Methods, from
        the shortest (a one-sided interval is the two-sided one with an end opened):

        - "optimal" (default): the shortest interval around the estimate whose risks, one for each number of errors,
          add up to the level under a binomial law of that number.
        - "exponential": risks that grow as ``exp((k - n_errors)**2 / ...)``, as in the paper's experiments.
        - "gaussian", "chebyshev": one risk for all numbers of errors in a normal or a Chebyshev interval for the error
          rate. "chebyshev" is the theorem as proved; "optimal" and "exponential" hold at an error rate that is plugged
          in.

    Raises
    ------
    TypeError, ValueError
        If the counts are not whole numbers, or not in their range.

    See Also
    --------
    bootstrap_auc : From the scores, where there are any.

    Notes
    -----
    **When not to trust it.** The level holds for an AUC drawn from a model in which every ordering of the cases with
    this number of errors has the same weight, whatever the scores. It does not hold for a classifier with given score
    distributions: the estimate is **not consistent**. For two normal classes of one variance and an AUC of .95 it
    tends to .878, and the interval shrinks around that: its coverage at an AUC of .8 is .997 with 200 cases a class,
    .058 with 1000 and 0 with 4000. With the scores at hand use :func:`bootstrap_auc`.

    The interval is **vacuous** once the errors number about the smaller class: labelling all cases alike does as well,
    the estimate is near 1/2 and the interval is about 1/2 give or take 6 standard deviations or more. With more errors
    than that the classifier is worse than a constant one. Even with few errors the interval is several times as wide
    as one from the scores.

    The mean and variance are Propositions 2 and 3 for every number of errors, by closed forms in three moments of a
    truncated binomial that a recurrence gives to full precision. Corollary 1 as printed has two misprints and cancels
    in floating point. Of millions of cases the numbers of errors are taken in a thousand groups; a thousand million
    cases take seconds.

    References
    ----------
    C. Cortes and M. Mohri, "Confidence intervals for the area under the ROC curve", NIPS 17, 2005.

    Examples
    --------
    >>> from skcostci import auc_from_error_count
    >>> result = auc_from_error_count(20, 100, 100)
    >>> round(float(result), 6), round(result.standard_error, 4)
    (0.9, 0.0124)
    >>> low, high = result.confidence_interval(0.95)
    >>> round(low, 3), round(high, 3)
    (0.819, 0.981)
    """
    positives = check_count("n_positive", n_positive, least=1, most=MOST_CASES)
    negatives = check_count("n_negative", n_negative, least=1, most=MOST_CASES)
    errors = check_count("n_errors", n_errors, least=0, most=positives + negatives)
    law = ErrorCountLaw(errors, positives, negatives)
    return ErrorCountResult(law.mean, law, METHODS, estimand=Estimand("auc_of_error_count"))
