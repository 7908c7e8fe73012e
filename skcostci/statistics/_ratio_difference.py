"""The ratio of two means under one model minus that under another, on the same cases.

The influence of a case is (n_a - R_a d_a) / sum d_a - (n_b - R_b d_b) / sum d_b with R = sum n / sum d, so that what
the models share cancels. The least favourable additional case is extreme for both models at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._described import described
from skcostci._frozen import read_only
from skcostci._options import WeightType, explains_calls
from skcostci._validation._rows import GivenRows, SampleOptions
from skcostci.cases._design import Design
from skcostci.laws.influence._first_order import OF_COUNTS
from skcostci.results._estimand import Estimand
from skcostci.results._paired_results import DifferenceResult
from skcostci.statistics._mean import RatioRange, check_ratios
from skcostci.statistics._unit_means import Difference, Ratio
from skcostci.statistics._units import law_of_terms, methods_of_units
from skcostci.statistics._weight_types import weighed


@dataclass(frozen=True, repr=False, eq=False)
class RatioDifferenceResult(DifferenceResult[float]):
    """The ratio of two means under model a minus that under model b, with its bootstrap distribution.

    Returned by :func:`bootstrap_ratio_difference`. It has what every :class:`BootstrapResult` has.
    """


@explains_calls
@described(SampleOptions)
def bootstrap_ratio_difference(
    numerator_a: ArrayLike,
    denominator_a: ArrayLike,
    numerator_b: ArrayLike,
    denominator_b: ArrayLike,
    *,
    range: RatioRange | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> RatioDifferenceResult:
    """The difference, a - b, of two ratios of means on the same cases, with its interval and p-value.

    >>> from skcostci import bootstrap_ratio_difference
    >>> words = [12, 8, 20, 15, 9, 11]
    >>> bootstrap_ratio_difference([1, 0, 4, 2, 1, 0], words, [2, 1, 4, 3, 1, 2], words)
    RatioDifferenceResult(ratio difference, estimate=-0.06667, standard_error=0.02667, 95 % interval -0.144 to 0.01526
    by extrapolated, p=0.093)

    For word error rates of two recognizers, the F1 of a corpus, or observed over expected events of two models.

    Parameters
    ----------
    numerator_a, denominator_a : array-like of shape (n_samples,)
        Two finite numbers per case under model a; no denominator is negative, and one is positive.
    numerator_b, denominator_b : array-like of shape (n_samples,)
        The same under model b; the denominators are often the same column.
    range : (float, float) or pair of (float, float) or None, default=None
        The least and the most that a numerator over its own denominator can be, and so either ratio; or two pairs,
        ``((0, 1), (0.1, 2))``, for the numerators and the denominators of either model. What is not given is (0, 1)
        where all values are 0 or 1, and else the least and the most in the sample.

    Returns
    -------
    RatioDifferenceResult
        Standard errors are of first order. The interval methods:

        - "unseen_case" (default where the ranges bound both ratios, without ``groups``): allows for one additional case
          with the extreme values of both models.
        - "extrapolated" (default elsewhere): allows for one additional case, or group, as extreme as those in the
          sample suggest. Not to be trusted where rare, far larger values are possible: give ``range`` if known.
        - "unseen_group" (only with ``groups`` and such ranges): allows for groups of a kind that the sample lacks.
        - "wald": a Gaussian. Not to be trusted with few cases or groups.

    See Also
    --------
    bootstrap_ratio : One model.
    """
    columns = {
        "numerator_a": numerator_a,
        "denominator_a": denominator_a,
        "numerator_b": numerator_b,
        "denominator_b": denominator_b,
    }
    sample: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    pairs = check_ratios(columns, range, sample)
    rows, (low, high) = pairs.rows, pairs.bounds
    design = Design(rows)
    each = [
        Difference(*(Ratio(part, above[part.rows], below[part.rows], pairs.extremes) for above, below in pairs.models))
        for part in design.parts
    ]
    for name, model in (("a", 0), ("b", 1)):
        if any(not pairs.models[model][1][part.rows].any() for part in design.parts):
            raise ValueError(f"denominator_{name} must not be all 0 in a fold.")
    law: Any = law_of_terms(design, each, (low - high, high - low), OF_COUNTS, paired=True)
    methods = methods_of_units(grouped=rows.groups is not None, bounded=bool(np.isfinite(pairs.bounds).all()))
    found = RatioDifferenceResult(
        float(law.estimate[0]),
        law,
        methods,
        estimand=Estimand("ratio", True, folds=rows.folds is not None),
        n_groups=rows.n_groups or None,
        fold_estimates=None if rows.folds is None else read_only(np.array([float(one.value[0]) for one in each])),
    )
    result: RatioDifferenceResult = weighed(found, sample_weight, weight_type)
    return result
