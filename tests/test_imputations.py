"""Results of imputed data: Rubin's rules, against their formulas and by simulation."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import skcostci as sk

Y = np.repeat([0, 1], [30, 20])
RNG = np.random.default_rng(5)
SCORE = RNG.normal(size=50) + 1.2 * Y
LOST = RNG.random(50) < 0.3
IMPUTED = [np.where(LOST, 0.6 * Y + RNG.normal(size=50), SCORE) for _ in range(5)]
AUCS = [sk.bootstrap_auc(Y, score) for score in IMPUTED]


def rubin(estimates, variances, complete, level=0.95):
    """Mean, standard error, degrees of freedom and limits, as in Barnard and Rubin (1999)."""
    m, q, u, b = len(estimates), np.mean(estimates), np.mean(variances), np.var(estimates, ddof=1)
    t = u + (1 + 1 / m) * b
    lam = (1 + 1 / m) * b / t
    observed = (complete + 1) / (complete + 3) * complete * (1 - lam) if np.isfinite(complete) else np.inf
    freedom = 1 / (lam**2 / (m - 1) + 1 / observed)
    half = stats.t.ppf((1 + level) / 2, freedom) * np.sqrt(t)
    return q, np.sqrt(t), freedom, (q - half, q + half)


def test_gaussian_limits_are_rubins():
    means = [sk.bootstrap_mean(each) for each in IMPUTED]
    pooled = sk.pool_imputations(means, method="wald")
    q, error, freedom, limits = rubin([m.estimate for m in means], [m.standard_error**2 for m in means], 49)
    assert_allclose([pooled.estimate, pooled.standard_error, pooled.freedom], [q, error, freedom], rtol=1e-12)
    assert_allclose(pooled.confidence_interval(), limits, rtol=2e-3)  # the mean of deviations, not of variances
    recalls = [sk.bootstrap_metric(Y, each, "precision", thresholds=0.5) for each in IMPUTED]
    pooled = sk.pool_imputations(recalls, method="wald")
    *_, limits = rubin([r.estimate for r in recalls], [r.standard_error**2 for r in recalls], np.inf, 0.9)
    assert_allclose(pooled.confidence_interval(0.9), limits, rtol=2e-3)


@pytest.mark.parametrize("metric", ["recall", "f1", "lr_positive"])
def test_where_nothing_is_missing_limits_are_those_of_the_data(metric):
    one = sk.bootstrap_metric(Y, SCORE, metric, thresholds=[0.2, 0.9])
    pooled = sk.pool_imputations([one, one, one])
    assert_allclose(pooled.confidence_interval(0.9), one.confidence_interval(0.9), rtol=1e-9)
    assert_allclose(pooled.pvalue(null=0.3), one.pvalue(null=0.3), rtol=1e-6)
    assert_allclose(pooled.missing_information, 0, atol=1e-20)


def test_limits_nest_stay_in_range_and_are_p_values_turned_round():
    pooled = sk.pool_imputations([*AUCS, sk.bootstrap_auc(Y, Y)])
    levels = np.array([0.01, 0.3, 0.6, 0.9, 0.95, 0.99])
    low, high = np.transpose([pooled.confidence_interval(level) for level in levels])
    assert (np.diff(low) < 0).all()
    assert (np.diff(high) > 0).all()
    assert low[0] < pooled.estimate < high[0] < high[-1] <= 1
    assert_allclose([pooled.pvalue(null=end) for end in low], 1 - levels, rtol=1e-6)
    own = np.array([auc.confidence_interval() for auc in AUCS])
    assert np.ptp(sk.pool_imputations(AUCS).confidence_interval()) > np.ptp(own, axis=1).mean()


def test_one_perfect_imputation_among_others_leaves_limits():
    perfect, other = sk.bootstrap_auc(Y, Y), sk.bootstrap_auc(Y, np.where(np.arange(50) == 49, -1, Y))
    low, high = sk.pool_imputations([perfect, perfect, other]).confidence_interval()
    assert low < perfect.confidence_interval().low
    assert_allclose(high, 1, atol=1e-6)


def test_differences_have_the_tests_of_differences():
    pairs = [sk.bootstrap_auc_difference(Y, score, SCORE[::-1]) for score in IMPUTED]
    pooled = sk.pool_imputations(pairs)
    assert isinstance(pooled, sk.results.PooledDifferenceResult)
    assert_allclose(pooled.estimate, np.mean([p.estimate for p in pairs]), rtol=1e-14)
    low, high = pooled.confidence_interval()
    assert (pooled.pvalue() < 0.05) == (low > 0 or high < 0)
    assert pooled.equivalence(-1, 0.99).both < 0.05


def test_groups_are_the_units():
    by = np.arange(50) % 10
    pooled = sk.pool_imputations([sk.bootstrap_auc(Y, score, groups=by) for score in IMPUTED])
    assert pooled.n_groups == 10
    assert pooled.freedom < 9


@pytest.mark.parametrize(
    ("results", "message"),
    [
        (AUCS[0], "results must be a list of two or more"),
        (AUCS[:1], "results must be two or more, one for each imputation, got 1"),
        ([AUCS[0], 0.8], r"results\[1\] must be a result of one statistic, got float"),
        ([sk.bootstrap_roc_at_threshold(Y, SCORE, thresholds=0.2)] * 2, r"Use .fpr or .tpr of each result"),
        ([AUCS[0], sk.bootstrap_metric(Y, SCORE, "gini")], r"results\[0\] and results\[1\] must be of the same statis"),
        ([sk.bootstrap_metric(Y, Y, "lr_positive")] * 2, r"results\[0\] must be finite at every point"),
    ],
)
def test_what_cannot_be_pooled_is_refused(results, message):
    with pytest.raises((TypeError, ValueError), match=message):
        sk.pool_imputations(results)


RANDOM = np.random.default_rng(5)
TRUE = RANDOM.integers(0, 2, 60)
SCORED = TRUE + RANDOM.normal(size=60)
UNITS = {
    "cases": {},
    "weights": {"sample_weight": 1 + TRUE},
    "importance": {"sample_weight": RANDOM.gamma(3.0, size=60), "weight_type": "importance"},
    "groups": {"groups": np.arange(60) // 3},
    "folds": {"folds": np.arange(60) // 3 % 3},
    "groups in folds": {"groups": np.arange(60) // 3, "folds": np.arange(60) // 3 % 3},
}
OF_UNITS = {
    "mean": partial(sk.bootstrap_mean, SCORED),
    "share": partial(sk.bootstrap_mean, TRUE == 1),
    "f1": partial(sk.bootstrap_metric, TRUE, (SCORED > 0.5).astype(int), "f1"),
    "recall": partial(sk.bootstrap_metric, TRUE, (SCORED > 0.5).astype(int), "recall"),
    "auc": partial(sk.bootstrap_auc, TRUE, SCORED),
    "average precision": partial(sk.bootstrap_average_precision, TRUE, SCORED),
    "rates": partial(sk.bootstrap_roc_at_fpr, TRUE, SCORED, fpr=[0.2, 0.5]),
    "costs": partial(sk.bootstrap_cost, TRUE, SCORED, probability_cost=[0.2, 0.5], thresholds=0.5),
    "each class": partial(
        sk.bootstrap_auc, TRUE + (SCORED > 1.5), np.eye(3)[TRUE] * 0.4 + 0.2, multi_class="ovr", average=None
    ),
}


@pytest.mark.parametrize("statistic", OF_UNITS)
def test_results_of_different_units_are_combined_each_by_its_own_limits(statistic):
    """A mean over folds is another quantity: with one sample it is refused, by that name."""
    found = {name: OF_UNITS[statistic](**rows) for name, rows in UNITS.items()}
    for i, (name_a, a) in enumerate(found.items()):
        for name_b in (name_a, *list(found)[i + 1 :: 2]):
            b = found[name_b]
            if ("folds" in name_a) != ("folds" in name_b):
                with pytest.raises(ValueError, match="must be of the same folds"):
                    sk.pool_imputations([a, b])
                with pytest.raises(ValueError, match="result_a and result_b must be of the same folds"):
                    sk.independent_difference(a, b)
                continue
            difference, pooled = sk.independent_difference(a, b), sk.pool_imputations([a, b])
            assert_allclose(difference.standard_error**2, a.standard_error**2 + b.standard_error**2, rtol=1e-9)
            for result, estimate in ((difference, a.estimate - b.estimate), (pooled, (a.estimate + b.estimate) / 2)):
                low, high = result.confidence_interval()
                assert np.all((low <= estimate) & (estimate <= high))
                assert np.shape(low) == np.shape(estimate)
            if name_a == name_b:  # nothing is missing
                assert_allclose(pooled.confidence_interval(), a.confidence_interval(), rtol=1e-6, atol=1e-9)
