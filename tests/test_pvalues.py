"""P-values are intervals turned round: the same answer at every level, for every alternative, method and null."""

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import beta, norm
from strategies import samples

import skcostci as sk

LEVELS = [1e-6, 0.3, 0.8, 0.9, 0.95, 0.99, 1 - 1e-6, 1 - 1e-9]


def scores(separation, n_positive=9, n_negative=20, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_positive, n_negative])
    a = rng.normal(size=len(y)) + separation * y
    return y, a, a + 0.6 * rng.normal(size=len(y))


SAMPLES = {
    "few": scores(1),
    "many": scores(1.5, 60, 80, seed=2),
    "the same": (*scores(1)[:2], scores(1)[1]),
    "nested": (np.repeat([1, 0], [9, 20]), np.arange(29) < 5, np.arange(29) < 8),
}
BINARY, AT_COST = [[0, 1], [1, 0]], {"probability_cost": 0.5, "thresholds": 0.5}
COSTS, AUCS, METRICS = sk.bootstrap_cost_difference, sk.bootstrap_auc_difference, sk.bootstrap_metric_difference
STATISTICS = {
    "cost": partial(COSTS, probability_cost=[0, 0.2, 0.5, 0.9], thresholds=0.5),
    "cost, full": partial(COSTS, probability_cost=[0.1, 0.5], thresholds=0.5, sampling="full", normalizer="max"),
    "envelope": partial(COSTS, probability_cost=5),
    "rate": lambda *sample: (
        sk.bootstrap_roc_difference_at_threshold(*sample, thresholds=([0, 0.5, np.inf], [0.5, 0.5, np.inf])).tpr
    ),
    "rate at a rate": partial(sk.bootstrap_roc_difference_at_fpr, fpr=[0.2, 0.5]),
    "expected cost": lambda y, a, b: sk.bootstrap_expected_cost_difference(y, a > 0.5, b > 0.5, [[0, 1], [7.5, -1]]),
    "AUC": AUCS,
}


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


@pytest.mark.parametrize("name", ["cost", "cost, full", "expected cost"])
def test_at_every_level_and_at_the_ends_of_the_range(name):
    for sample in (SAMPLES["many"], SAMPLES["nested"], SAMPLES["the same"]):
        result = STATISTICS[name](*sample)
        for null in (*(float(end[0]) for end in result.law.support), 0.0):
            assert_agree(result, None, null, LEVELS)


@pytest.mark.parametrize("statistic", STATISTICS.values(), ids=list(STATISTICS))
@settings(max_examples=3, deadline=None)
@given(sample=samples(columns=2), null=st.sampled_from([0.0, -0.2 / np.pi, 0.9 / np.pi]), level=st.floats(0.01, 0.999))
@example(sample=SAMPLES["few"], null=-0.0471, level=0.95)
def test_p_is_below_alpha_where_the_interval_leaves_out_the_null(statistic, sample, null, level):
    result = statistic(*(np.asarray(column) for column in sample))
    for method in set(result.methods) - {"rank_mover"}:  # tried by itself
        assert_agree(result, method, null if np.any(result.law.support) else 0.0, [level])  # or known at every point


def test_gaussian_pvalues_are_the_normal_laws():
    result = STATISTICS["cost"](*SAMPLES["many"])
    for null in (0.0, 0.02):
        z = (result.estimate - null) / result.standard_error
        assert_allclose(result.pvalue("greater", method="wald", null=null)[1:], norm.sf(z)[1:], rtol=1e-12)
        assert_allclose(result.pvalue(method="wald", null=null)[1:], 2 * norm.sf(np.abs(z))[1:], rtol=1e-12)


def test_one_class_under_the_default_is_clopper_and_pearsons():
    """Only a is ever right, in n - x of n cases: for the upper limit the values are 0 and 1, and the law is a Beta."""
    n, x = 20, 4
    case = np.arange(n + 1)
    rates = sk.bootstrap_roc_difference_at_threshold(case < n, (x <= case) & (case < n), 0 * case, thresholds=0.5)
    assert rates.tpr.pvalue("less", null=0.95) == pytest.approx(beta.sf(0.95, n - x + 1, x), rel=1e-12)


def test_no_floor():
    y, a, mixed = np.repeat([[1, 1, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]], [50, 10, 50, 10], axis=1)
    result = COSTS(y, a, mixed, **AT_COST)
    assert 0 < result.pvalue("less") < 1e-16
    assert 0 < AUCS(y, a, -a).pvalue("greater") < 1e-16
    assert result.pvalue("less", method="percentile") == pytest.approx((1 / 6) ** 120, rel=1e-9)


N = 150
MANY, BETTER, WORSE = np.repeat([1, 0], N), np.repeat([1, 0], N), np.tile([1, 0], N)
NEARLY, CLASSES = np.where(np.arange(2 * N) % 50 == 0, 1 - BETTER, BETTER), MANY + np.arange(2 * N) % 4 // 3
TOGETHER = {"groups": np.arange(2 * N) // 2}
ALONE = {"groups": np.arange(2 * N)}
HALVES = {"folds": np.arange(2 * N) // 4 % 2}
OVERWHELMING = {
    "AUC": lambda: AUCS(MANY, BETTER, WORSE),
    "AUC, full": lambda: AUCS(MANY, BETTER, WORSE, sampling="full"),
    "AUC, groups": lambda: AUCS(MANY, NEARLY, WORSE, **ALONE),
    "AUC, folds": lambda: AUCS(MANY, BETTER, WORSE, **HALVES),
    "AUC, classes": lambda: AUCS(CLASSES, np.eye(3)[CLASSES], np.eye(3)[WORSE], multi_class="ovr"),
    "cost": lambda: COSTS(MANY, WORSE, BETTER, **AT_COST),
    "cost, full": lambda: COSTS(MANY, WORSE, BETTER, sampling="full", **AT_COST),
    "cost, groups": lambda: COSTS(MANY, WORSE, NEARLY, **AT_COST, **TOGETHER),
    "chosen": lambda: COSTS(MANY, WORSE, NEARLY, probability_cost=0.5),
    "rate": lambda: sk.bootstrap_roc_difference_at_threshold(MANY, BETTER, WORSE, thresholds=0.5).tpr,
    "expected cost": lambda: sk.bootstrap_expected_cost_difference(MANY, WORSE, BETTER, BINARY),
    "f1": lambda: METRICS(MANY, NEARLY, WORSE, "f1"),
    "kappa": lambda: METRICS(MANY, NEARLY, WORSE, "kappa"),
    "mcc": lambda: METRICS(MANY, NEARLY, WORSE, "mcc"),
    "f1, groups": lambda: METRICS(MANY, NEARLY, WORSE, "f1", **TOGETHER),
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
    result = STATISTICS["cost"](*SAMPLES["many"])
    above, below, both = result.equivalence(-0.1, 0.15)
    assert_array_equal(above, result.pvalue("greater", null=-0.1))
    assert_array_equal(below, result.pvalue("less", null=0.15))
    assert_array_equal(both, np.maximum(above, below))
    low, high = result.confidence_interval(0.9)
    assert_array_equal(both < 0.05, (low > -0.1) & (high < 0.15))
    with pytest.raises(ValueError, match="low must be less than high, got low=0"):
        result.equivalence(0.1, 0.1)


@pytest.mark.parametrize("null", [1.5, -1.01, np.nan, "0"])
def test_a_null_that_cannot_be_is_an_error(null):
    with pytest.raises(TypeError if null == "0" else ValueError, match="null must"):
        STATISTICS["cost"](*SAMPLES["few"]).pvalue(null=null)


def test_what_is_known_is_compared_with_the_null_itself():
    """Above an infinite threshold no case is labelled positive by either model: the difference is 0, not estimated."""
    rates = STATISTICS["rate"](*SAMPLES["few"])
    assert rates.pvalue()[2] == 1
    assert rates.pvalue("greater", null=-0.05)[2] == 0
    assert rates.pvalue("less", null=-0.05)[2] == 1
