"""Pearson's and Spearman's correlation of predictions with amounts, such as scores with those of people.

With x the truth of a case, y its prediction, both minus their means, and M_j the mean of phi_j over the n cases,

    phi = (x y, x^2, y^2),   r = M_0 / sqrt(M_1 M_2),   n g = phi_0 / sqrt(M_1 M_2) - r (phi_1 / M_1 + phi_2 / M_2) / 2,

g being the influence of a case. For Spearman x and y are the shares of cases below, ties half, minus 1/2, and a case
moves the ranks of others too. With S(x, v) the mean over cases of v where x is above the case's own, ties half,

    phi = (x y + S(x, y) + S(y, x),  x^2 + 2 S(x, x),  y^2 + 2 S(y, y)),

the mean of which is three times that of (x y, x^2, y^2): r is the same function of it, and g three times as large. The
least favourable additional case has the highest truth seen and the lowest prediction, or the reverse.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import compress
from typing import Any

import numpy as np

from skcostci._arrays import Floats, Weights
from skcostci.cases._cases import Cases
from skcostci.cases._design import Design
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws._side_by_side import PartlyDefinedLaw
from skcostci.laws.influence._first_order import OF_COUNTS
from skcostci.results._estimand import Estimand
from skcostci.statistics._metric import AnyResult, MetricDifferenceResult, MetricResult
from skcostci.statistics._units import Computed, Difference, law_of_models, methods_of_units, of_scheme
from skcostci.statistics._weight_types import continuous_in_weights


@continuous_in_weights
def correlation_of(cases: Cases, *columns: str, ranks: bool) -> AnyResult:
    design, paired, name = Design(cases.rows), len(columns) == 2, "spearman" if ranks else "pearson"
    methods = methods_of_units(grouped=cases.groups is not None, paired=True)  # of one model too
    estimand = Estimand("metric", paired, metric=name, folds=cases.folds is not None)
    kind, ends = MetricDifferenceResult if paired else MetricResult, np.full(1, float(len(columns)))
    result = partial(kind, methods=methods, metric=name, thresholds=None, estimand=estimand)
    given, models = {"y_true": cases.truth, **{each: cases.columns[each] for each in columns}}, []
    for number, part in enumerate(design.parts, 1):
        truth, *guesses = values = [part.of(each).astype(np.float64) for each in given.values()]
        if (same := next(compress(given, (np.ptp(each) == 0 for each in values)), None)) is not None:
            why = f"{same} is constant" + f", in fold number {number} in order of appearance" * (len(design.parts) > 1)
            return result(np.nan, PartlyDefinedLaw(None, np.zeros(1, dtype=bool), (why,), (-ends, ends)))
        models.append([_correlation(truth, guess, part.weights, ranks=ranks) for guess in guesses])
    law = law_of_models(design, models, (-1.0, 1.0), OF_COUNTS)
    return result(float(law.estimate[0]), law, **of_scheme(cases, [*map(Difference.of, models)]))


def _correlation(truth: Floats, guess: Floats, weights: Weights, *, ranks: bool) -> Computed:
    def value(*more: Any) -> float:
        """With an additional case: its truth, its prediction and its weight."""
        columns = [np.append(*pair) for pair in zip((truth, guess, weights), more, strict=True)]
        return _ratio(columns[-1] @ _terms(*columns, ranks=ranks))

    phi, n = _terms(truth, guess, weights, ranks=ranks), float(weights.sum())
    m, r, of_ranks = weights @ phi / n, _ratio(weights @ phi), 3 if ranks else 1
    each = of_ranks / n * phi / [np.sqrt(m[1] * m[2]), m[1], m[2]]
    influences = each[:, 0] - r * (each[:, 1] + each[:, 2]) / 2
    (low, high), pair = (np.min(truth), np.max(truth)), (np.min(guess), np.max(guess))

    def with_additional(made: Floats, side: int) -> Floats:
        found = [value(x, y, made.sum()) for x, y in zip((low, high), pair[::side], strict=True)]
        return np.array([side * max(side * each for each in found)])

    return Computed(np.array([r]), influences[:, None], SPREAD_ROUNDING * float(np.abs(each).max()), with_additional)


def _ratio(m: Floats) -> float:
    return float(np.clip(m[0] / np.sqrt(m[1] * m[2]), -1.0, 1.0))


def _terms(truth: Floats, guess: Floats, weights: Weights, *, ranks: bool) -> Floats:
    """The phi of each case."""
    if not ranks:
        x, y = _centred(truth, weights), _centred(guess, weights)
        return np.column_stack([x * y, x**2, y**2])
    (x, above_x), (y, above_y) = _ranks(truth, weights), _ranks(guess, weights)
    return np.column_stack([x * y + above_x(y) + above_y(x), x**2 + 2 * above_x(x), y**2 + 2 * above_y(y)])


def _centred(values: Floats, weights: Weights) -> Floats:
    values = values / np.abs(values).max()
    x = values - weights @ values / weights.sum()
    return np.asarray(x / np.abs(x).max())


def _ranks(values: Floats, weights: Weights) -> tuple[Floats, Callable[[Floats], Floats]]:
    """The share of cases below each, ties half, minus 1/2; and what gives S for other values of the cases."""
    place = np.unique(values, return_inverse=True)[1]
    counts = np.bincount(place, weights)

    def above(others: Floats) -> Floats:
        sums = np.bincount(place, weights * others)
        return np.asarray((np.cumsum(sums[::-1])[::-1] - sums / 2)[place] / counts.sum())

    return ((np.cumsum(counts) - counts / 2) / counts.sum() - 0.5)[place], above
