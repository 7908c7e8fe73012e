"""One case at the worst value not seen: its limits in closed form, their coverage by exact sums, their order."""

import inspect
import itertools
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from public import limit
from scipy.stats import multinomial
from statistics_list import STATISTICS, parts
from test_common_laws import GIVEN

import skcostci as sk
from skcostci.laws.exact._linear import LinearLaw, Stratum

ALPHAS = [1e-16, 1e-9, 0.005, 0.05, 0.3, 0.5]


def upper_limit(counts, values, possible):
    """The 95 % upper limit of a weighted sum of shares."""
    return limit(of_one_class(counts, values, possible), "unseen_case", 0.05, 1)


def of_one_class(counts, values, possible):
    """The law of a weighted sum of shares, a point a row; cells that are not possible have no pseudo-cases."""
    prior = possible / possible.sum(axis=1, keepdims=True)
    return LinearLaw((Stratum(counts, values, prior, int(counts[0].sum()), counts),), agresti=2.0)


@pytest.mark.parametrize(("possible", "most"), [([True, True, True], 559), ([True, True, False], 1)])
def test_what_was_never_seen_costs_what_it_can(possible, most):
    upper = upper_limit(np.array([[30.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 559.0]]), np.array([possible]))
    assert_allclose(upper, most * (1 - 0.05 ** (1 / 30)))


def trinomials(n):
    return np.array([(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)])


def pair_law(n_positive, n_negative, w):
    """The difference in cost for every pair of tables: (only a errs, only b errs, neither) in each class."""
    positive, negative = trinomials(n_positive), trinomials(n_negative)
    i, j = (index.ravel() for index in np.indices((len(positive), len(negative))))
    strata = []
    for counts, weight in ((positive[i], w), (negative[j], 1 - w)):
        cells, values = counts.astype(float), np.broadcast_to(weight * np.array([1.0, -1.0, 0.0]), counts.shape)
        strata.append(Stratum(cells, values, np.full(cells.shape, 1 / 3), int(counts[0].sum()), cells))
    law = LinearLaw(tuple(strata), agresti=2.0)
    return law, positive, negative


def test_exact_coverage_of_a_difference_where_one_models_errors_are_the_others_too():
    """At two levels and of one side, over nested and rare disagreements, all of the tables of 11 + 11 cases."""
    for w in (0.5, 0.2):
        law, positive, negative = pair_law(11, 11, w)
        limits = {a: [limit(law, "unseen_case", a, s) for s in (-1, 1)] for a in (0.05, 0.025)}
        rates = [0.002, 0.05, 0.15, 0.4, 0.8]
        for p, q, nested in itertools.product(rates, rates, (True, False)):
            first, second = (
                ((p, 0, 1 - p), (0, q, 1 - q)) if nested else ((p, 0.1, 0.9 - p), (q / 9, q / 9, 1 - q / 4.5))
            )
            weights = np.outer(multinomial.pmf(positive, 11, first), multinomial.pmf(negative, 11, second)).ravel()
            truth = w * (first[0] - first[1]) + (1 - w) * (second[0] - second[1])
            for alpha in (0.05, 0.025):
                low, high = limits[alpha]
                assert weights @ ((low <= truth + 1e-12) & (truth <= high + 1e-12)) > 1 - 2 * alpha
                assert max(weights @ (low > truth + 1e-12), weights @ (high < truth - 1e-12)) <= alpha + 1e-4


@pytest.mark.parametrize("dear", [5.0, 20.0])
def test_one_limit_misses_no_more_than_it_says_where_a_dear_mistake_is_rare(dear):
    """Exact sums over all tables of 40 cases at three costs: most cheap, some free, a few dear."""
    tables, values = trinomials(40), np.array([dear, 1.0, 0.0])
    law = of_one_class(tables.astype(float), np.tile(values, (len(tables), 1)), np.ones(tables.shape, bool))
    for alpha in (0.05, 0.025, 0.005):
        high = limit(law, "unseen_case", alpha, 1)
        for rare, free in itertools.product([0.01, 0.03, 0.06, 0.08, 0.1, 0.15], [0.0, 0.02, 0.05, 0.1, 0.3]):
            shares = [rare, 1 - rare - free, free]
            missed = multinomial.pmf(tables, 40, shares) @ (high < values @ shares - 1e-12)
            assert missed <= alpha + 1e-6


def test_true_hypotheses_are_rejected_as_rarely_as_the_level_says():
    """Models that err alike, and errors of two classes that cancel: the interval leaves out 0, as p < .05 does."""
    for sizes, w in (((25, 25), 0.2), ((10, 10), 0.05), ((20, 6), 0.05)):
        law, positive, negative = pair_law(*sizes, w)
        low, high = (limit(law, "unseen_case", 0.025, s) for s in (-1, 1))
        for rate in (0.02, 0.1, 0.3):
            other = rate * w / (1 - w)
            for first, second in (
                ((rate, rate, 1 - 2 * rate), (rate / 3, rate / 3, 1 - rate / 1.5)),
                ((rate, 0, 1 - rate), (0, other, 1 - other)),
            ):
                weights = np.outer(
                    multinomial.pmf(positive, sizes[0], first), multinomial.pmf(negative, sizes[1], second)
                ).ravel()
                assert weights @ ((low > 1e-12) | (high < -1e-12)) <= 0.05


def test_limits_are_nested_hold_the_estimate_and_have_some_width():
    law, *_ = pair_law(4, 6, 0.3)
    for side in (-1, 1):
        limits = np.array([side * limit(law, "unseen_case", alpha, side) for alpha in ALPHAS])
        assert np.isfinite(limits).all()
        assert (np.diff(limits, axis=0) <= 1e-15).all()
        assert (limits[-1] >= side * law.mean - 1e-15).all()
    widths = limit(law, "unseen_case", 0.4999, 1) - limit(law, "unseen_case", 0.4999, -1)
    assert (widths > 0).all()


def test_what_is_known_stays_known():
    y, score = [0, 0, 1, 1, 1], [0, 1, 0, 1, 1]
    nobody = sk.bootstrap_cost(y, score, probability_cost=[0.3, 0.5], thresholds=np.inf).confidence_interval()
    assert_allclose(nobody, [[0.3, 0.5]] * 2)


ELSEWHERE = {"bootstrap_calibration", "bootstrap_metric", "bootstrap_roc_difference_at_tpr"}  # said in other words
OF_RESULTS = [each for each in STATISTICS if each.name.startswith("bootstrap") and each.name not in ELSEWHERE]


@pytest.mark.parametrize("statistic", OF_RESULTS, ids=str)
def test_the_default_method_is_called_so_in_its_functions_docstring(statistic):
    method = next(parts(statistic.of_cases(GIVEN))).methods[0]
    assert re.search(rf'"{method}" \((the )?default', inspect.getdoc(statistic.function))


def test_a_class_at_its_worst_adds_no_doubt_beyond_it():
    """All positives found, and no negative spared: the cost is at least what the negatives' own limit makes it."""
    cost = sk.bootstrap_cost([0] * 40 + [1] * 25, [1.0] * 65, probability_cost=0.8, thresholds=0.5)
    assert 0.18 < cost.confidence_interval().low < 0.2
