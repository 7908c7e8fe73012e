"""P-values are intervals turned round: the same answer at every level, for every alternative, method and null."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import beta, norm
from strategies import samples

import skcostci as sk

Y = np.repeat([1, 0], [9, 20])
SLOW = {"rank_mover"}  # tried by itself
FURTHER = {"lopsided", "opposite"}  # say again what the others do
LEVELS = [1e-6, 0.3, 0.8, 0.9, 0.95, 0.99, 1 - 1e-6, 1 - 1e-9]


def scores(separation, n_positive=9, n_negative=20, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_positive, n_negative])
    a = rng.normal(size=len(y)) + separation * y
    return y, a, a + 0.6 * rng.normal(size=len(y))


SAMPLES = {
    "few": scores(1),
    "lopsided": scores(2, 6, 90, seed=1),
    "many": scores(1.5, 60, 80, seed=2),
    "nearly separated": scores(6, 25, 25, seed=3),
    "ratings": tuple(np.round(column).astype(int) for column in scores(2, 20, 30, seed=4)),
    "the same": (Y, Y * 1.0, Y * 1.0),
    "opposite": (Y, Y * 1.0, -Y * 1.0),
    "nested": (Y, np.where(np.arange(29) < 5, 1.0, 0.0), np.where(np.arange(29) < 8, 1.0, 0.0)),
}
STATISTICS = {
    "cost": lambda y, a, b: sk.bootstrap_cost_difference(y, a, b, probability_cost=[0, 0.2, 0.5, 0.9], thresholds=0.5),
    "cost, full": lambda y, a, b: sk.bootstrap_cost_difference(
        y, a, b, probability_cost=[0.1, 0.5], thresholds=0.5, sampling="full", normalizer="max"
    ),
    "envelope": lambda y, a, b: sk.bootstrap_cost_difference(y, a, b, probability_cost=5),
    "rate": lambda y, a, b: (
        sk.bootstrap_roc_difference_at_threshold(y, a, b, thresholds=([0, 0.5, np.inf], [0.5, 0.5, np.inf])).tpr
    ),
    "rate at a rate": lambda y, a, b: sk.bootstrap_roc_difference_at_fpr(y, a, b, fpr=[0.2, 0.5]),
    "expected cost": lambda y, a, b: sk.bootstrap_expected_cost_difference(
        y, (a > 0.5).astype(int), (b > 0.5).astype(int), [[0, 1], [7.5, -1]]
    ),
    "AUC": sk.bootstrap_auc_difference,
}
each_statistic = pytest.mark.parametrize("statistic", STATISTICS.values(), ids=list(STATISTICS))
each_sample = pytest.mark.parametrize(
    "sample",
    [
        pytest.param(each, id=name, marks=pytest.mark.slow if name in FURTHER else ())
        for name, each in SAMPLES.items()
        if name != "many"  # tried at every level below
    ],
)


def left_out(result, level, alternative, method, null):
    """Whether the interval leaves the null out on the side of the alternative."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        low, high = result.confidence_interval(level, method=method, alternative=alternative)
    return {
        "two-sided": np.greater(low, null) | np.less(high, null),
        "less": np.less(high, null),
        "greater": np.greater(low, null),
    }[alternative]


def assert_agree(result, method, null, levels, alternatives=("two-sided", "less", "greater")):
    for alternative in alternatives:
        p = result.pvalue(alternative, method=method, null=null)
        for level in levels:
            alpha = 1 - level
            near = np.abs(p - alpha) <= 1e-6 * alpha
            agree = near | (np.less(p, alpha) == left_out(result, level, alternative, method, null))
            assert np.all(agree), (method, null, alternative, level, p)


@each_statistic
@each_sample
def test_p_is_below_alpha_where_the_interval_leaves_out_the_null(statistic, sample):
    result = statistic(*sample)
    for method in set(result.methods) - SLOW:
        assert_agree(result, method, 0.0, [0.3, 0.99])
        assert_agree(result, method, -0.0471, [0.95], ["two-sided"])  # no value that a resample can have


def test_at_a_false_positive_rate_too():
    assert_agree(STATISTICS["rate at a rate"](*SAMPLES["few"]), "rank_mover", 0.1, [0.8])


@pytest.mark.parametrize("name", ["cost", "cost, full", "expected cost"])
def test_at_every_level_and_at_the_ends_of_the_range(name):
    for sample in (SAMPLES["many"], SAMPLES["nested"], SAMPLES["the same"]):
        result = STATISTICS[name](*sample)
        least, most = (end[0] for end in result.law.support)
        for null in (float(least), float(most), 0.0):
            assert_agree(result, None, null, LEVELS)


@each_statistic
@settings(max_examples=5, deadline=None)
@given(sample=samples(columns=2), null=st.sampled_from([0.0, -0.2 / np.pi, 0.9 / np.pi]), level=st.floats(0.01, 0.999))
def test_on_any_data(statistic, sample, null, level):
    result = statistic(*(np.asarray(column) for column in sample))
    if not np.any(result.law.support):  # known at every point
        null = 0.0
    for method in set(result.methods) - SLOW:
        assert_agree(result, method, null, [level])


@pytest.mark.parametrize("name", ["cost", "cost, full", "rate", "expected cost", "AUC"])
def test_the_limit_at_the_level_of_the_pvalue_is_the_null(name):
    """Closed forms and what a root-finder finds alike."""
    result = STATISTICS[name](*SAMPLES["many"])
    for method in set(result.methods) - {"percentile", "smoothed", "chosen"}:
        for alternative, null in itertools.product(("less", "greater"), (0.1, -0.2, 0.02)):
            p = np.atleast_1d(result.pvalue(alternative, method=method, null=null))
            for point in np.flatnonzero((p > 1e-9) & (p < 1) & (p != 0.5)).tolist():
                limits = result.confidence_interval(1 - p[point], method=method, alternative=alternative)
                end = np.atleast_1d(limits.high if alternative == "less" else limits.low)[point]
                assert_allclose(end, null, atol=1e-6, err_msg=method)


def test_gaussian_pvalues_are_the_normal_laws():
    result = STATISTICS["cost"](*SAMPLES["many"])
    for null in (0.0, 0.02):
        z = (result.estimate - null) / result.standard_error
        assert_allclose(result.pvalue("greater", method="wald", null=null)[1:], norm.sf(z)[1:], rtol=1e-12)
        assert_allclose(result.pvalue(method="wald", null=null)[1:], 2 * norm.sf(np.abs(z))[1:], rtol=1e-12)


def test_one_class_under_the_default_is_clopper_and_pearsons():
    """Only a is ever right, in n - x of n cases: for the upper limit the values are 0 and 1, and the law is a Beta."""
    n, x = 20, 4
    y, wrong = np.ones(n, int), np.arange(n) < x
    rates = sk.bootstrap_roc_difference_at_threshold(
        np.r_[y, 0], np.r_[1.0 - wrong, 0], np.r_[np.zeros(n), 0], thresholds=0.5
    )
    p = rates.tpr.pvalue("less", null=0.95)
    assert p == pytest.approx(beta.sf(0.95, n - x + 1, x), rel=1e-12)


def test_no_floor():
    y, a = np.repeat([1, 0], 60), np.r_[np.ones(60), np.zeros(60)]
    mixed = np.r_[np.zeros(50), np.ones(10), np.ones(50), np.zeros(10)]
    result = sk.bootstrap_cost_difference(y, a, mixed, probability_cost=0.5, thresholds=0.5)
    assert 0 < result.pvalue("less") < 1e-16
    assert 0 < sk.bootstrap_auc_difference(y, a, -a).pvalue("greater") < 1e-16
    raw = result.pvalue("less", method="percentile")
    assert raw == pytest.approx(float(np.prod([(1 / 6) ** 60] * 2)), rel=1e-9)


N = 150
MANY, BETTER, WORSE = np.repeat([1, 0], N), np.repeat([1.0, 0.0], N), np.tile([1.0, 0.0], N)
NEARLY = np.where(np.arange(2 * N) % 50 == 0, 1 - BETTER, BETTER)  # so that no ratio is infinite
TOGETHER = {"groups": np.arange(2 * N) // 2}
OVERWHELMING = {
    "AUC": lambda: sk.bootstrap_auc_difference(MANY, BETTER, WORSE),
    "AUC, full": lambda: sk.bootstrap_auc_difference(MANY, BETTER, WORSE, sampling="full"),
    "AUC, groups": lambda: sk.bootstrap_auc_difference(MANY, NEARLY, WORSE, groups=np.arange(2 * N)),
    "AUC, folds": lambda: sk.bootstrap_auc_difference(MANY, BETTER, WORSE, folds=np.arange(2 * N) // 4 % 2),
    "AUC, classes": lambda: sk.bootstrap_auc_difference(
        MANY + np.arange(2 * N) % 4 // 3,
        np.eye(3)[MANY + np.arange(2 * N) % 4 // 3],
        np.eye(3)[WORSE.astype(int)],
        multi_class="ovr",
    ),
    "cost": lambda: sk.bootstrap_cost_difference(MANY, WORSE, BETTER, probability_cost=0.5, thresholds=0.5),
    "cost, full": lambda: sk.bootstrap_cost_difference(
        MANY, WORSE, BETTER, probability_cost=0.5, thresholds=0.5, sampling="full"
    ),
    "cost, groups": lambda: sk.bootstrap_cost_difference(
        MANY, WORSE, NEARLY, probability_cost=0.5, thresholds=0.5, **TOGETHER
    ),
    "chosen": lambda: sk.bootstrap_cost_difference(MANY, WORSE, NEARLY, probability_cost=0.5),
    "rate": lambda: sk.bootstrap_roc_difference_at_threshold(MANY, BETTER, WORSE, thresholds=0.5).tpr,
    "expected cost": lambda: sk.bootstrap_expected_cost_difference(
        MANY, WORSE.astype(int), BETTER.astype(int), [[0, 1], [1, 0]]
    ),
    "f1": lambda: sk.bootstrap_metric_difference(MANY, NEARLY.astype(int), WORSE.astype(int), "f1"),
    "kappa": lambda: sk.bootstrap_metric_difference(MANY, NEARLY.astype(int), WORSE.astype(int), "kappa"),
    "mcc": lambda: sk.bootstrap_metric_difference(MANY, NEARLY.astype(int), WORSE.astype(int), "mcc"),
    "f1, groups": lambda: sk.bootstrap_metric_difference(MANY, NEARLY.astype(int), WORSE.astype(int), "f1", **TOGETHER),
    "two samples": lambda: sk.independent_difference(sk.bootstrap_auc(MANY, BETTER), sk.bootstrap_auc(MANY, WORSE)),
}


@pytest.mark.parametrize("name", OVERWHELMING)
def test_no_default_has_a_floor(name):
    result = OVERWHELMING[name]()
    greater, less = result.pvalue("greater"), result.pvalue("less")
    assert 0 < greater < 1e-17
    assert less == 1 or less > 0.999


def test_adjusted_pvalues_have_none_either():
    for adjustment in ("max_t", "holm", "none"):
        compared = sk.compare_models(MANY, {"a": BETTER, "b": WORSE, "c": WORSE[::-1]}, adjustment=adjustment)
        p = dict(zip(compared.differences.names, compared.differences.pvalue(), strict=True))
        assert 0 < p["a - b"] < 1e-17
        assert 0 < p["a - c"] < 1e-17
        assert p["b - c"] == 1


def test_probabilities_that_sum_to_1_are_not_more():
    scores = np.arange(30) % 5 + np.repeat([0.5, 0], [12, 18])
    at_rates = sk.bootstrap_roc_difference_at_fpr(np.repeat([1, 0], [12, 18]), scores, scores, fpr=[0.1, 0.4])
    for null in np.linspace(-0.5, 0.5, 41):
        for alternative in ("less", "greater", "two-sided"):
            assert np.max(at_rates.pvalue(alternative, method="percentile", null=float(null))) <= 1


def test_non_inferiority_and_equivalence():
    y, a, b = SAMPLES["many"]
    result = STATISTICS["cost"](y, a, b)
    above, below, both = result.equivalence(-0.1, 0.15)
    assert_array_equal(above, result.pvalue("greater", null=-0.1))
    assert_array_equal(below, result.pvalue("less", null=0.15))
    assert_array_equal(both, np.maximum(above, below))
    low, high = result.confidence_interval(0.9)
    assert_array_equal(both < 0.05, (low > -0.1) & (high < 0.15))
    with pytest.raises(ValueError, match="low must be less than high, got low=0"):
        result.equivalence(0.1, 0.1)


@pytest.mark.parametrize(
    ("null", "error"), [(1.5, ValueError), (-1.01, ValueError), (np.nan, ValueError), ("0", TypeError)]
)
def test_a_null_that_cannot_be_is_an_error(null, error):
    result = STATISTICS["cost"](*SAMPLES["few"])
    with pytest.raises(error, match="null must"):
        result.pvalue(null=null)


def test_what_is_known_is_compared_with_the_null_itself():
    """Above an infinite threshold no case is labelled positive by either model: the difference is 0, not estimated."""
    rates = STATISTICS["rate"](*SAMPLES["few"])
    assert rates.pvalue()[2] == 1
    assert rates.pvalue("greater", null=-0.05)[2] == 0
    assert rates.pvalue("less", null=-0.05)[2] == 1
