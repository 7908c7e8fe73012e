"""How many cases it takes to see that one AUC is larger than another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr

from skcostci._validation import check_number
from skcostci.planning._plan import Plan, Sizes, check_chance, check_one_question, check_pilot, limits
from skcostci.planning._population import (
    Components,
    Ranges,
    normal_difference_components,
    normal_difference_ranges,
    seen_components,
)
from skcostci.statistics._auc_difference import METHODS, bootstrap_auc_difference


@np.errstate(under="ignore")  # the likely laws have far tails
def plan_auc_difference(
    auc_a: float | None = None,
    auc_b: float | None = None,
    *,
    correlation: float | None = None,
    power: float | None = None,
    n_positive: int | None = None,
    n_negative: int | None = None,
    ratio: float = 1.0,
    alpha: float = 0.05,
    pilot: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
) -> Plan:
    """How many cases show that two models' AUCs differ, by the default test, or how likely so many show it.

    Parameters
    ----------
    auc_a, auc_b : float, default=None
        The AUCs to be expected, in (0, 1); None are those of the pilot.
    correlation : float, default=None
        Of the two models' scores within a class, in (-1, 1). Models that share most of their inputs have .6 to .9.
        Needed without a pilot, which knows it.
    power : float, default=None
        How likely the difference is to be seen, in (0, 1). The answer is the least sizes at which it is.
    n_positive, n_negative : int, default=None
        Sizes of the classes, 2 at least; of a single one the other follows by ``ratio``. Given them the answer is the
        power.
    ratio : float, default=1.0
        Negatives a positive, above 0; sizes that follow from it are rounded up.
    alpha : float, default=0.05
        The two-sided significance level, in (0, 1).
    pilot : tuple (y_true, y_score_a, y_score_b), default=None
        Labels and both models' scores of cases like those to come. Without one, scores are taken to be normal in either
        class, with one spread.

    Returns
    -------
    Plan
        With ``n_positive``, ``n_negative``, ``n`` and ``power``.

    Raises
    ------
    ValueError, TypeError
        If not exactly one of ``power`` and the sizes is given, neither the AUCs with their correlation nor a pilot, if
        the AUCs are the same, or a number is outside its range.

    See Also
    --------
    plan_auc : The width of one model's interval.

    Notes
    -----
    A difference is seen if the default interval of :func:`bootstrap_auc_difference` at level ``1 - alpha`` leaves out
    0, which is the same as ``pvalue() < alpha``. The estimated difference is taken to be normal, with the variance of
    :func:`bootstrap_auc_difference`: Plackett's integral for normal scores, or what a pilot shows, without bias. The
    interval is the one that a sample with these variances has. The default needs about as many cases as DeLong's test,
    and more where few are positive or the models rank nearly all cases right.

    Simulated with normal scores, 7 designs from AUCs of .7 and .75 to .9 and .95, correlations from 0 to .9, 20 to 300
    cases a class, 500 samples each: the power was at most .03 below what was planned, at most .05 above.

    **When not to trust it.** A difference seen in a small pilot is mostly too large: it is the reason for the study.
    State the AUCs that you would be sorry to miss, and let the pilot say how scores vary.

    References
    ----------
    N. A. Obuchowski and D. K. McClish, "Sample size determination for diagnostic accuracy studies involving binormal
    ROC curve indices", Statistics in Medicine, 1997.

    R. L. Plackett, "A reduction formula for normal multivariate integrals", Biometrika, 1954.

    Examples
    --------
    >>> from skcostci import plan_auc_difference
    >>> plan = plan_auc_difference(0.85, 0.8, correlation=0.6, power=0.8)
    >>> plan.n_positive, plan.n_negative
    (243, 243)
    >>> round(plan_auc_difference(0.85, 0.8, correlation=0.6, n_positive=120, ratio=5).power, 2)
    0.71
    """
    level, sizes = 1 - check_chance("alpha", alpha), Sizes.check(n_positive, n_negative, ratio)
    check_one_question("power", power, sizes.given)
    population = _population(auc_a, auc_b, correlation, pilot)
    if sizes.given is None:
        wanted = check_chance("power", power)
        m, n = sizes.least(lambda m, n: population.power(m, n, level) >= wanted)
    else:
        m, n = sizes.given
    return Plan(
        n=m + n,
        n_positive=m,
        n_negative=n,
        power=population.power(m, n, level),
        purpose=f"power {{power:.3g}} to see that {population.aucs} differ (two-sided alpha {alpha:g}).",
    )


@dataclass(frozen=True)
class _Population:
    """The AUCs, what their difference's kernel varies by, and the ends of placements where they were seen."""

    a: float
    b: float
    components: Components
    seen: Ranges | None

    @property
    def aucs(self) -> str:
        return f"AUCs of {self.a:.4g} and {self.b:.4g}"

    def power(self, m: int, n: int, level: float) -> float:
        """The probability that the interval leaves out 0, on either side."""
        true, deviation = self.a - self.b, np.sqrt(self.components.variance(m, n))
        above, below = (self._least_seen(m, n, level, side) for side in (-1, 1))
        return float(ndtr(true / deviation - above) + ndtr(-below - true / deviation))

    def _least_seen(self, m: int, n: int, level: float, side: int) -> float:
        """How many deviations from 0 an estimate is whose lower limit (side -1) is 0, or whose upper limit."""
        deviation = np.sqrt(self.components.variance(m, n))

        def room(deviations: float) -> float:
            """How far the limit is beyond 0."""
            estimate = -side * deviations * deviation
            ranges = self.seen or normal_difference_ranges(estimate, self.components, m, n)
            law = self.components.law(estimate, (-1.0, 1.0), ranges, m, n)
            return -side * limits(METHODS[0], law, level)[(side + 1) // 2]

        furthest = 1.0
        while room(furthest) < 0:
            furthest *= 2
            if furthest * deviation >= 1:
                return np.inf
        return float(brentq(room, 0.0, furthest))


def _population(
    auc_a: float | None,
    auc_b: float | None,
    correlation: float | None,
    pilot: tuple[ArrayLike, ArrayLike, ArrayLike] | None,
) -> _Population:
    """As it is stated, or as a pilot shows it."""
    stated = [
        None if auc is None else check_number(name, auc, above=0, below=1)
        for name, auc in (("auc_a", auc_a), ("auc_b", auc_b))
    ]
    if pilot is None:
        a, b = stated
        if a is None or b is None or correlation is None:
            raise ValueError("Give auc_a, auc_b and the correlation, or a pilot=(y_true, y_score_a, y_score_b).")
        shared = check_number("correlation", correlation, above=-1, below=1)
        components, seen = normal_difference_components(a, b, shared), None
    else:
        if correlation is not None:
            raise ValueError("Give the correlation or a pilot, which has one of its own, not both.")
        law = bootstrap_auc_difference(*check_pilot(pilot, "(y_true, y_score_a, y_score_b)")).law
        a, b = (known.mean if auc is None else auc for auc, known in zip(stated, (law.a, law.b), strict=True))
        shares = law.differing[0] / law.n_positive, law.differing[1] / law.n_negative
        components = replace(seen_components(law), thirds=(law.ggg, law.hhh), differing=shares)
        seen = law.range_positive, law.range_negative
    if a == b:
        raise ValueError(f"auc_a and auc_b must differ to be told apart, got {a:g} twice.")
    return _Population(a, b, components, seen)
