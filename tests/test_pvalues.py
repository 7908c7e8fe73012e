"""P-values are intervals turned round, for every alternative, method, null and difference; what results say as JSON."""

import inspect
import json
import warnings
from functools import partial
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from public import BY_NAME
from scipy.special import expit
from scipy.stats import beta, norm
from statistics_list import BELONGING, STATISTICS, Cases, limits, part, parts

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
ASKED = {
    "cost": partial(COSTS, probability_cost=[0, 0.2, 0.5, 0.9], thresholds=0.5),
    "cost, full": partial(COSTS, probability_cost=[0.1, 0.5], thresholds=0.5, sampling="full", normalizer="max"),
    "rate": lambda *sample: (
        sk.bootstrap_roc_difference_at_threshold(*sample, thresholds=([0, 0.5, np.inf], [0.5, 0.5, np.inf])).tpr
    ),
    "expected cost": lambda y, a, b: sk.bootstrap_expected_cost_difference(y, a > 0.5, b > 0.5, [[0, 1], [7.5, -1]]),
}


def left_out(result, level, alternative, method, null):
    """Whether the interval leaves the null out on the side of the alternative."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        low, high = result.confidence_interval(level, method=method, alternative=alternative)
    below, above = np.less(high, null), np.greater(low, null)
    return {"two-sided": below | above, "less": below, "greater": above}[alternative]


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
        result = ASKED[name](*sample)
        for null in (*(float(end[0]) for end in result.law.support), 0.0):
            assert_agree(result, None, null, LEVELS)


def test_gaussian_pvalues_are_the_normal_laws():
    result = ASKED["cost"](*SAMPLES["many"])
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
    result = ASKED["cost"](*SAMPLES["many"])
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
        ASKED["cost"](*SAMPLES["few"]).pvalue(null=null)


def test_what_is_known_is_compared_with_the_null_itself():
    """Above an infinite threshold no case is labelled positive by either model: the difference is 0, not estimated."""
    rates = ASKED["rate"](*SAMPLES["few"])
    assert rates.pvalue()[2] == 1
    assert rates.pvalue("greater", null=-0.05)[2] == 0
    assert rates.pvalue("less", null=-0.05)[2] == 1


Y, CASE = np.repeat([1, 0], [12, 18]), np.r_[np.arange(12), np.arange(18)]
WEIGHTS = 1 + CASE % 3
W = {"probability_cost": [0.1, 0.5, 0.8]}
NULLS = [0.0, -0.0471, 0.113]
ENDLESS = {"lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift"}  # limits of their differences take a second


FEW = scores(1, 12, 18, seed=1)
KINDS = {
    "few": FEW,
    "ties": (Y, *(np.round(2 * column) / 2 for column in FEW[1:])),
    "ratings": (Y, *(np.clip(np.round(column), -1, 2) for column in FEW[1:])),
    "nested": (Y, CASE < 4, CASE < 7),
    "lopsided": scores(2, 4, 60, seed=2),
    "weights": FEW,
    "nearly separated": scores(7, 15, 15, seed=3),
    "the same": (*FEW[:2], FEW[1]),
    "two values": (Y, *(column > 0.5 for column in FEW[1:])),
}


def of_labels(function, *costs, **options):
    """Of what is scored above 0.5."""
    return lambda y, *columns, **more: function(y, *(column > 0.5 for column in columns), *costs, **options, **more)


def of_risks(name, **options):
    return lambda y, *columns, **more: METRICS(y, *map(expit, columns), name, **options, **more)


def of_groups(statistic):
    return lambda y, *columns, **more: statistic(y, *columns, groups=np.arange(len(y)) // 2, **more)


def of_classes(kind):
    def ask(y, a, b, **weights):
        labels = y + 2 * ((y == 0) & (np.arange(len(y)) % 3 == 0))
        columns = (np.column_stack([-1.0 * s, s, np.cos(3 * s) + (labels == 2)]) for s in (a, b))
        return AUCS(labels, *columns, multi_class=kind, **weights)

    return ask


def of_two_samples(one, **options):
    """Model a on these cases, model b on as many others."""
    return lambda y, *columns, **more: sk.independent_difference(*(one(y, s, **options, **more) for s in columns))


APS, EXPECTED = sk.bootstrap_average_precision_difference, sk.bootstrap_expected_cost_difference
RATES = sk.bootstrap_roc_difference_at_threshold
COST, CHOSEN, FULL = partial(COSTS, thresholds=0.5, **W), partial(COSTS, **W), {"sampling": "full"}
CUTS = {"thresholds": ([0.5, 0, np.inf], [0.5, 0.25, np.inf])}
DIFFERENCES = {
    "AUC": AUCS,
    "AUC, full": partial(AUCS, **FULL),
    "AUC, groups": of_groups(AUCS),
    "AUC, folds": lambda y, *columns, **more: AUCS(y, *columns, folds=np.arange(len(y)) % 2, **more),
    **{f"AUC, {kind}": of_classes(kind) for kind in ("ovr", "ovo")},
    "average precision": APS,
    "average precision, groups": of_groups(APS),
    "partial AUC": partial(AUCS, max_fpr=0.3),
    "cost": COST,
    "cost, full": partial(COST, **FULL),
    "cost, max": partial(COST, normalizer="max", **FULL),
    "cost, chosen": CHOSEN,
    "cost, chosen, full": partial(CHOSEN, **FULL),
    "cost, groups": of_groups(COST),
    "cost, chosen, groups": of_groups(CHOSEN),
    "TPR": part("tpr", RATES, **CUTS),
    "FPR": part("fpr", RATES, **CUTS),
    "TPR, groups": of_groups(part("tpr", RATES, **CUTS)),
    "TPR at a rate": partial(sk.bootstrap_roc_difference_at_fpr, fpr=[0.2]),
    "expected cost": of_labels(EXPECTED, [[0, 1], [7.5, -1]]),
    "expected cost, smoothed": of_labels(EXPECTED, [[0, 1], [7.5, 0]], smoothing=0.1),
    **{name: of_risks(name, thresholds=[expit(0.3)]) for name in BY_NAME},
    **{f"{name}, groups": of_groups(of_risks(name, thresholds=[0.6])) for name in ("f1", "kappa", "accuracy")},
    **{f"{name}, mix": of_risks(name, thresholds=[0.6], prevalence=0.2) for name in ("f1", "kappa", "accuracy")},
    "two AUCs": of_two_samples(sk.bootstrap_auc),
    "two average precisions": of_two_samples(sk.bootstrap_average_precision),
    "two costs": of_two_samples(sk.bootstrap_cost, thresholds=0.5, **W),
    "two chosen costs": of_two_samples(sk.bootstrap_cost, **W),
    "two chosen F1": of_two_samples(sk.bootstrap_metric, metric="f1", thresholds="youden"),
    "two budgets": of_two_samples(sk.bootstrap_roc_at_positive_rate, positive_rate=[0.3]),
    "two TPRs": of_two_samples(part("tpr", sk.bootstrap_roc_at_threshold, thresholds=[0.5])),
    "two TPRs at a rate": of_two_samples(sk.bootstrap_roc_at_fpr, fpr=[0.2]),
    "two expected costs": of_two_samples(of_labels(sk.bootstrap_expected_cost, [[0, 1], [5, 0]])),
}
INFINITE = {("diagnostic_odds_ratio", "nearly separated"), ("lr_positive", "nearly separated")}
EVERY = [pair for pair in product(DIFFERENCES, KINDS) if pair not in INFINITE]
ONE_EACH = [pair for i, pair in enumerate(EVERY) if i % (len(KINDS) + 2) == 0 and pair[0] != "diagnostic_odds_ratio"]


def judged(name, sample, methods, nulls, levels, **alternatives):
    result = DIFFERENCES[name](*KINDS[sample], **({"sample_weight": WEIGHTS} if sample == "weights" else {}))
    least, most = (float(np.ravel(end)[0]) for end in result.law.support)
    for method in result.methods[:methods]:
        for null in nulls:
            if least <= null <= most:
                assert_agree(result, method, null, levels, **alternatives)


@pytest.mark.parametrize(("name", "sample"), ONE_EACH)
def test_default_pvalues_of_differences_of_every_kind(name, sample):
    if name in ENDLESS:
        judged(name, sample, 1, NULLS[:1], [0.95], alternatives=["two-sided"])
    else:
        judged(name, sample, 1, [NULLS[ONE_EACH.index((name, sample)) % 2]], [0.5, 0.95])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sample", "null"),
    [(*pair, NULLS[i % len(NULLS)]) for i, pair in enumerate(EVERY[::4])],  # each with some of the samples
)
def test_pvalues_of_every_difference_by_every_method(name, sample, null):
    nulls, levels = (NULLS[:1], [0.95]) if name in ENDLESS else ([null], [0.5, 0.9, 0.95, 0.99, 1 - 1e-6])
    judged(name, sample, None, nulls, levels)


ILL, *TIED = (column if place == 0 else np.round(2 * column) / 2 for place, column in enumerate(scores(1.2, 14, 20)))
CASES, RISEN = Cases(ILL, tuple(TIED)), TIED[0]
MEMBERS = {"groups": np.arange(34) // 2, "folds": np.arange(34) % 2}
RESULTS = tuple(f"bootstrap_{name}" for name in ("auc", "roc", "cost", "expected", "metric", "loss"))


def asked(statistic):
    more = {statistic.membership: MEMBERS[statistic.membership]} if statistic.membership else {}
    return statistic(ILL, *statistic.judged(CASES), **more)


OTHER_NAMES = {"sensitivity", "specificity"}  # of what is asked of a tpr or an fpr too
OF_RESULTS = [each for each in (*STATISTICS, *BELONGING) if each.name.startswith(RESULTS)]
OF_RESULTS = [each for each in OF_RESULTS if not OTHER_NAMES & {*each.options}]
each_result = pytest.mark.parametrize(
    "statistic", OF_RESULTS, ids=lambda each: f"{each.name} {each.options} {each.thresholds} {each.membership}"
)


@each_result
def test_p_is_below_alpha_exactly_where_the_interval_leaves_out_the_null(statistic):
    for result in parts(asked(statistic)):
        if hasattr(result, "equivalence"):
            continue  # differences have tests of their own
        least, most = (float(np.max(end)) for end in result.law.support)
        null, method = 0.6, result.methods[0]
        for alternative in ("two-sided", "less", "greater") if least <= null <= most else ():
            p = result.pvalue(alternative, null=null, method=method)
            out = left_out(result, 0.95, alternative, method, null)
            agree = (np.abs(p - 0.05) < 1e-7) | (np.less(p, 0.05) == out)
            assert np.all(agree), (method, alternative, p)


@each_result
def test_what_a_result_says_is_json_and_the_same_numbers(statistic):
    result = asked(statistic)
    told = json.loads(json.dumps(result.to_dict(0.9), allow_nan=False))
    assert told["is_exact"] is result.is_exact
    assert told["method"] == result.methods[0]
    assert told["estimand"]["statistic"] == result.estimand.statistic
    if hasattr(result, "confidence_interval"):
        for name, limit in zip(("low", "high"), limits(result, 0.9), strict=True):
            read = np.array(told[name], dtype=float)  # "Infinity" is a number again
            assert np.array_equal(read, limit, equal_nan=True)


def test_the_null_of_an_auc_is_one_half_and_others_have_none():
    auc = sk.bootstrap_auc(ILL, RISEN)
    assert auc.pvalue() == auc.pvalue(null=0.5) < 0.05
    assert auc.pvalue(alternative="greater") + auc.pvalue(alternative="less") == pytest.approx(1)
    with pytest.raises(ValueError, match="null must be given"):
        sk.bootstrap_metric(ILL, RISEN, "recall", thresholds=0.5).pvalue()


def test_every_pvalue_is_asked_alike():
    """The claim first, everything else by name; one object to compare signatures with."""
    asked = {
        each: [(p.name, p.kind, p.default) for p in inspect.signature(each.pvalue).parameters.values()][1:]
        for each in (getattr(sk.results, name) for name in sk.results.__all__)
        if callable(getattr(each, "pvalue", None))
    }
    assert len(asked) > 20
    first, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    alike = [("alternative", first, "two-sided"), ("null", named, None), ("method", named, None)]
    assert all(parameters == alike for parameters in asked.values())


@pytest.mark.parametrize("number", [0.6, 0, np.float64(0.6), np.array(0.6)], ids=repr)
def test_a_number_in_the_place_of_the_claim_is_told_its_name(number):
    models = sk.compare_models(ILL, {"a": RISEN, "b": -RISEN}).differences
    recall, calibration = sk.bootstrap_metric(ILL, RISEN >= 0.5, "recall"), sk.bootstrap_calibration(ILL, expit(RISEN))
    for result in (recall, sk.bootstrap_auc(ILL, RISEN), AUCS(ILL, RISEN, -RISEN), models, calibration):
        with pytest.raises(ValueError, match=rf"alternative must be one of .*passed by name: null={number}\."):
            result.pvalue(number)


def test_where_nothing_is_known_p_is_one_and_json_says_why():
    precision = sk.bootstrap_metric(ILL, RISEN, "precision", thresholds=[0.5, 99.0])
    assert precision.pvalue(null=0.2)[1] == 1
    told = precision.to_dict()
    assert told["estimate"][1] is None
    assert "no predicted positives" in told["note"][1]
    assert told["note"][0] == ""
