"""Coverage of the default intervals that ``test_coverage_study`` does not sum over all data sets.

Of seeded data sets the number covered is pinned, so that any change of an interval shows, and then tested against the
nominal level, so that a new pin cannot hide a default that covers too little. The whole picture is drawn by
benchmarks/coverage.py.
"""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, binomtest, norm

import skcostci as sk

pytestmark = pytest.mark.slow

THETA, SCALE = 3.0, 3.0  # positives N(3, 3^2), negatives N(-3, 3^2)
LEVELS = (0.9, 0.95)


def covers(interval, truth):
    return (interval.low <= truth + 1e-12) & (truth <= interval.high + 1e-12)


def test_exact_coverage_of_a_region():
    n, hits, coverage = 25, np.arange(26), 1.0
    for name, rate in (("fpr", 0.1), ("tpr", 0.8)):
        roc = sk.bootstrap_roc_at_threshold(np.repeat([1, 0], n), [*range(n)] * 2, thresholds=n - hits - 0.5)
        weight = binom.pmf(hits, n, rate)
        limits = [getattr(roc.confidence_region(level), name) for level in LEVELS]
        coverage = coverage * np.array([weight @ covers(each, rate) for each in limits])
    np.testing.assert_allclose(coverage, [0.9696139, 0.9812793], atol=1e-6)


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
