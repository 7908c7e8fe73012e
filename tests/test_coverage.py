"""Coverage of the default intervals: exact sums where the counts are the data, else counts of seeded data sets.

A sum is held to 1e-6. Of seeded data sets the number covered is pinned, so that any change of an interval shows, and
then tested against the nominal level, so that a new pin cannot hide a default that covers too little. The whole picture
is drawn by benchmarks/coverage.py.
"""

import itertools
from functools import partial

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, binomtest, multinomial, norm

import skcostci as sk

pytestmark = pytest.mark.slow

THETA, SCALE = 3.0, 3.0  # positives N(3, 3^2), negatives N(-3, 3^2)
LEVELS = (0.9, 0.95)


def covers(interval, truth):
    return (interval.low <= truth + 1e-12) & (truth <= interval.high + 1e-12)


def test_exact_coverage_of_costs():
    conditions, n = np.array([0.2, 0.5, 0.7]), 10
    thresholds = SCALE**2 / (2 * THETA) * np.log((1 - conditions) / conditions)
    tpr, fpr = norm.sf(thresholds, THETA, SCALE), norm.sf(thresholds, -THETA, SCALE)
    truth = conditions * (1 - tpr) + (1 - conditions) * fpr
    coverage = np.zeros((2, 3))
    for hits, alarms in itertools.product(range(n + 1), repeat=2):
        counts, at = [hits, n - hits, alarms, n - alarms], {"probability_cost": conditions, "thresholds": 0.5}
        result = sk.bootstrap_cost([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=counts, **at)
        weight = binom.pmf(hits, n, tpr) * binom.pmf(alarms, n, fpr)
        coverage += [weight * covers(result.confidence_interval(level), truth) for level in LEVELS]
    expected = [[0.9833891, 0.9708793, 0.9779168], [0.9938319, 0.9904516, 0.9916071]]
    np.testing.assert_allclose(coverage, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("n", "rate", "expected"),
    [(25, 0.1, (0.9666001, 0.9905236)), (25, 0.5, (0.9567147, 0.9567147)), (100, 0.02, (0.9845164, 0.9845164))],
)
def test_exact_coverage_of_rates(n, rate, expected):
    hits = np.arange(n + 1)
    roc = sk.bootstrap_roc_at_threshold(np.repeat([1, 0], [n, 1]), [*range(n), 0], thresholds=n - hits - 0.5)
    weight = binom.pmf(hits, n, rate)
    coverage = [weight @ covers(roc.tpr.confidence_interval(level), rate) for level in LEVELS]
    np.testing.assert_allclose(coverage, expected, atol=1e-6)


def test_exact_coverage_of_a_region():
    n, hits, coverage = 25, np.arange(26), 1.0
    for name, rate in (("fpr", 0.1), ("tpr", 0.8)):
        roc = sk.bootstrap_roc_at_threshold(np.repeat([1, 0], n), [*range(n)] * 2, thresholds=n - hits - 0.5)
        weight = binom.pmf(hits, n, rate)
        limits = [getattr(roc.confidence_region(level), name) for level in LEVELS]
        coverage = coverage * np.array([weight @ covers(each, rate) for each in limits])
    np.testing.assert_allclose(coverage, [0.9696139, 0.9812793], atol=1e-6)


def test_exact_coverage_of_a_difference_of_rates():
    n, only_a, only_b = 12, 0.2, 0.05
    coverage = np.zeros(2)
    for a, b in itertools.product(range(n + 1), repeat=2):
        if (neither := n - a - b) >= 0:
            options = {"sample_weight": [a, b, neither, 1], "thresholds": 0.5}
            rates = sk.bootstrap_roc_difference_at_threshold([1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 1, 0], **options)
            weight = multinomial.pmf([a, b, neither], n, [only_a, only_b, 1 - only_a - only_b])
            coverage += [weight * covers(rates.tpr.confidence_interval(level), only_a - only_b) for level in LEVELS]
    np.testing.assert_allclose(coverage, [0.9847002, 0.9970706], atol=1e-6)


def assert_covers(ask, truth, expected, sets, sizes=(25, 25), theta=THETA, models=1):
    """Of seeded data sets the pinned number covers at each point, none of them significantly fewer than 95 %.

    Of two models b's positives lie further up.
    """
    rng, y_true = np.random.default_rng(20080705), np.repeat([1, 0], sizes)
    center, covered = np.where(y_true == 1, theta, -theta), 0
    for _ in range(sets):
        if models == 1:
            scores = [rng.normal(center, SCALE)]
        else:
            a, noise = rng.normal(size=(2, len(y_true)))
            scores = [center + SCALE * a, center + 2 * y_true + SCALE * (0.6 * a + 0.8 * noise)]
        covered = covered + covers(ask(y_true, *scores).confidence_interval(0.95), truth)
    np.testing.assert_array_equal(covered, expected)
    assert all(binomtest(int(each), sets, 0.95, "less").pvalue > 0.001 for each in np.atleast_1d(covered))


FPR = np.array([0.04, 0.2, 0.6])
AT_FPR, DIFFERENCE_AT_FPR = sk.bootstrap_roc_at_fpr, sk.bootstrap_roc_difference_at_fpr
AUC_GAP = np.diff(norm.cdf(np.array([8.0, 6.0]) / (SCALE * np.sqrt(2)))).item()
TPR_GAP = norm.sf(norm.isf(FPR[1:]) - 2) - norm.sf(norm.isf(FPR[1:]) - 8 / 3)


@pytest.mark.parametrize(
    ("ask", "truth", "expected", "sets", "options"),
    [
        *(
            (
                sk.bootstrap_auc,
                norm.cdf(2 * theta / (SCALE * np.sqrt(2))),
                expected,
                1000,
                {"sizes": sizes, "theta": theta},
            )
            for sizes, theta, expected in (((15, 15), 3.0, 990), ((10, 200), 1.5, 989), ((50, 50), 5.0, 995))
        ),
        *(
            (sk.bootstrap_auc_difference, AUC_GAP, expected, 1000, {"sizes": sizes, "models": 2})
            for sizes, expected in (((15, 15), 962), ((10, 200), 955))
        ),
        (partial(AT_FPR, fpr=FPR), norm.sf(norm.isf(FPR) - 2 * THETA / SCALE), [489, 484, 492], 500, {}),
        # classes that are nearly apart
        (partial(AT_FPR, fpr=0.1), norm.sf(norm.isf(0.1) - 10 / SCALE), 486, 500, {"sizes": (200, 10), "theta": 5.0}),
        (partial(DIFFERENCE_AT_FPR, fpr=FPR[1:]), TPR_GAP, [298, 300], 300, {"models": 2}),
    ],
)
def test_coverage_of_areas_and_rates(ask, truth, expected, sets, options):
    assert_covers(ask, truth, expected, sets, **options)


def test_coverage_of_rates_at_a_budget():
    shares = np.array([0.2, 0.5])
    thresholds = [brentq(lambda t, s=s: norm.sf(t, [THETA, -THETA], SCALE).mean() - s, -30, 30) for s in shares]
    ask = partial(sk.bootstrap_roc_at_positive_rate, positive_rate=shares)
    assert_covers(ask, norm.sf(thresholds, THETA, SCALE), [299, 300], 300)


def test_coverage_of_a_difference_of_costs():
    conditions, cuts, costs = np.array([0.3, 0.5, 0.7]), [], []
    for shift in (0.0, 2.0):
        cut = SCALE**2 / (2 * THETA + shift) * np.log((1 - conditions) / conditions) + shift / 2
        missed, alarms = norm.cdf(cut, THETA + shift, SCALE), norm.sf(cut, -THETA, SCALE)
        cuts, costs = [*cuts, cut], [*costs, conditions * missed + (1 - conditions) * alarms]
    ask = partial(sk.bootstrap_cost_difference, probability_cost=conditions, thresholds=tuple(cuts))
    assert_covers(ask, costs[0] - costs[1], [499, 498, 499], 500, models=2)


def test_coverage_of_an_expected_cost():
    cost_matrix = np.array([[0, 1, 5], [1, 0, 5], [3, 3, 0]])
    shares = np.array([[0.5], [0.3], [0.2]]) * (np.full((3, 3), 0.1) + 0.7 * np.eye(3))
    tables = np.random.default_rng(20080705).multinomial(100, shares.ravel(), 200)
    y_true, y_pred = np.indices((3, 3)).reshape(2, -1)
    results = (sk.bootstrap_expected_cost(y_true, y_pred, cost_matrix, sample_weight=table) for table in tables)
    truth = (shares * cost_matrix).sum()
    assert sum(bool(covers(result.confidence_interval(0.95), truth)) for result in results) == 192
    assert binomtest(192, 200, 0.95, "less").pvalue > 0.001
