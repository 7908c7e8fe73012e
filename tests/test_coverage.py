"""Coverage of the default intervals: exact sums where the counts are the data, else counts of seeded data sets.

A sum is held to 1e-6. Of seeded data sets the number covered is pinned, so that any change of an interval shows, and
then tested against the nominal level, so that a new pin cannot hide a default that covers too little. The whole picture
is drawn by benchmarks/coverage.py.
"""

import itertools

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, binomtest, multinomial, norm

import skcostci

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
        result = skcostci.bootstrap_cost(
            [1, 1, 0, 0],
            [1, 0, 1, 0],
            sample_weight=[hits, n - hits, alarms, n - alarms],
            probability_cost=conditions,
            thresholds=0.5,
        )
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
    roc = skcostci.bootstrap_roc_at_threshold(np.repeat([1, 0], [n, 1]), [*range(n), 0], thresholds=n - hits - 0.5)
    weight = binom.pmf(hits, n, rate)
    coverage = [weight @ covers(roc.tpr.confidence_interval(level), rate) for level in LEVELS]
    np.testing.assert_allclose(coverage, expected, atol=1e-6)


def test_exact_coverage_of_a_region():
    n, rates = 25, {"fpr": 0.1, "tpr": 0.8}
    coverage = {}
    for name, rate in rates.items():
        hits = np.arange(n + 1)
        roc = skcostci.bootstrap_roc_at_threshold(np.repeat([1, 0], n), [*range(n)] * 2, thresholds=n - hits - 0.5)
        weight = binom.pmf(hits, n, rate)
        coverage[name] = [weight @ covers(getattr(roc.confidence_region(level), name), rate) for level in LEVELS]
    np.testing.assert_allclose(np.prod(list(coverage.values()), axis=0), [0.9696139, 0.9812793], atol=1e-6)


def test_exact_coverage_of_a_difference_of_rates():
    n, only_a, only_b = 12, 0.2, 0.05
    coverage = np.zeros(2)
    for a, b in itertools.product(range(n + 1), repeat=2):
        if a + b > n:
            continue
        result = skcostci.bootstrap_roc_difference_at_threshold(
            [1, 1, 1, 0],
            [1, 0, 1, 0],
            [0, 1, 1, 0],
            sample_weight=[a, b, n - a - b, 1],
            thresholds=0.5,
        )
        weight = multinomial.pmf([a, b, n - a - b], n, [only_a, only_b, 1 - only_a - only_b])
        coverage += [weight * covers(result.tpr.confidence_interval(level), only_a - only_b) for level in LEVELS]
    np.testing.assert_allclose(coverage, [0.9847002, 0.9970706], atol=1e-6)


def single(ask, truth, sets, sizes=(25, 25), theta=THETA):
    """How many of the seeded data sets' 95 % intervals cover, at each point."""
    rng, y_true = np.random.default_rng(20080705), np.repeat([1, 0], sizes)
    center = np.where(y_true == 1, theta, -theta)
    results = (ask(y_true, rng.normal(center, SCALE)) for _ in range(sets))
    return np.sum([covers(result.confidence_interval(0.95), truth) for result in results], axis=0)


def paired(ask, truth, sets, sizes=(25, 25), shift=2.0, rho=0.6):
    """The same for two models, b's positives lying further up."""
    rng, y_true = np.random.default_rng(20080705), np.repeat([1, 0], sizes)
    center = np.where(y_true == 1, THETA, -THETA)

    def scores():
        a, noise = rng.normal(size=(2, len(y_true)))
        b = rho * a + np.sqrt(1 - rho**2) * noise
        return center + SCALE * a, center + shift * y_true + SCALE * b

    results = (ask(y_true, *scores()) for _ in range(sets))
    return np.sum([covers(result.confidence_interval(0.95), truth) for result in results], axis=0)


def assert_covers(covered, expected, sets, nominal=0.95):
    """The pinned counts, none of them significantly below nominal."""
    np.testing.assert_array_equal(covered, expected)
    assert all(
        binomtest(int(count), sets, nominal, alternative="less").pvalue > 0.001 for count in np.atleast_1d(covered)
    )


@pytest.mark.parametrize(
    ("sizes", "theta", "expected"), [((15, 15), 3.0, 990), ((10, 200), 1.5, 989), ((50, 50), 5.0, 995)]
)
def test_auc(sizes, theta, expected):
    truth = norm.cdf(2 * theta / (SCALE * np.sqrt(2)))
    assert_covers(single(skcostci.bootstrap_auc, truth, 1000, sizes, theta), expected, 1000)


@pytest.mark.parametrize(("sizes", "expected"), [((15, 15), 962), ((10, 200), 955)])
def test_auc_difference(sizes, expected):
    truth = np.diff(norm.cdf(np.array([8.0, 6.0]) / (SCALE * np.sqrt(2)))).item()
    assert_covers(paired(skcostci.bootstrap_auc_difference, truth, 1000, sizes), expected, 1000)


def test_roc_at_fpr():
    fpr = np.array([0.04, 0.2, 0.6])
    truth = norm.sf(norm.isf(fpr) - 2 * THETA / SCALE)
    covered = single(lambda *data: skcostci.bootstrap_roc_at_fpr(*data, fpr=fpr), truth, 500)
    assert_covers(covered, [489, 484, 492], 500)


def test_roc_at_fpr_of_classes_nearly_apart():
    truth = norm.sf(norm.isf(0.1) - 10 / SCALE)
    covered = single(lambda *data: skcostci.bootstrap_roc_at_fpr(*data, fpr=0.1), truth, 500, (200, 10), 5.0)
    assert_covers(covered, 486, 500)


def test_roc_difference_at_fpr():
    fpr = np.array([0.2, 0.6])
    truth = norm.sf(norm.isf(fpr) - 2) - norm.sf(norm.isf(fpr) - 8 / 3)
    covered = paired(lambda *data: skcostci.bootstrap_roc_difference_at_fpr(*data, fpr=fpr), truth, 300)
    assert_covers(covered, [298, 300], 300)


def test_roc_at_positive_rate():
    shares = np.array([0.2, 0.5])
    thresholds = [brentq(lambda t, s=s: norm.sf(t, [THETA, -THETA], SCALE).mean() - s, -30, 30) for s in shares]
    truth = norm.sf(thresholds, THETA, SCALE)
    covered = single(lambda *data: skcostci.bootstrap_roc_at_positive_rate(*data, positive_rate=shares), truth, 300)
    assert_covers(covered, [299, 300], 300)


def test_cost_difference():
    conditions = np.array([0.3, 0.5, 0.7])
    odds = np.log((1 - conditions) / conditions)
    thresholds = np.array([SCALE**2 / (2 * THETA + shift) * odds + shift / 2 for shift in (0.0, 2.0)])
    a, b = (
        conditions * norm.cdf(threshold, THETA + shift, SCALE) + (1 - conditions) * norm.sf(threshold, -THETA, SCALE)
        for threshold, shift in zip(thresholds, (0.0, 2.0), strict=True)
    )

    def ask(*data):
        return skcostci.bootstrap_cost_difference(*data, probability_cost=conditions, thresholds=tuple(thresholds))

    assert_covers(paired(ask, a - b, 500), [499, 498, 499], 500)


def test_expected_cost():
    cost_matrix = np.array([[0, 1, 5], [1, 0, 5], [3, 3, 0]])
    shares = np.array([[0.5], [0.3], [0.2]]) * (np.full((3, 3), 0.1) + 0.7 * np.eye(3))
    tables = np.random.default_rng(20080705).multinomial(100, shares.ravel(), 200)
    y_true, y_pred = np.indices((3, 3)).reshape(2, -1)
    results = (skcostci.bootstrap_expected_cost(y_true, y_pred, cost_matrix, sample_weight=table) for table in tables)
    truth = (shares * cost_matrix).sum()
    assert_covers(sum(bool(covers(result.confidence_interval(0.95), truth)) for result in results), 192, 200)
