"""Bad input is refused at the door, by name and with what may come instead."""

import warnings
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy
from scipy.stats import beta, uniform
from statistics_list import about

import skcostci as sk

Y = np.array([0, 0, 0, 1, 1, 1])
S = np.array([0.1, 0.4, 0.3, 0.35, 0.8, 0.9])


COST = sk.bootstrap_cost, partial(sk.bootstrap_cost_difference, y_score_b=S)
A_VECTOR = "probability_cost must be a number or a non-empty vector"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"probability_cost": [0.5, 1.2]}, r"probability_cost must contain numbers in \[0, 1\], got 1.2"),
        ({"probability_cost": -0.1}, r"probability_cost must be a number in \[0, 1\], got -0.1"),
        ({"probability_cost": [np.nan]}, r"probability_cost must contain numbers in \[0, 1\], got nan"),
        ({"probability_cost": 1}, "probability_cost as an integer is how many values, 2"),
        ({"probability_cost": 10**8}, "probability_cost as an integer is how many values, 2 to 100,000"),
        ({"probability_cost": np.linspace(0, 1, 100_001)}, "probability_cost must contain at most 100,000 values"),
        ({"probability_cost": []}, A_VECTOR),
        ({"probability_cost": [[0.5]]}, A_VECTOR),
        ({"thresholds": [0.5, 0.6]}, r"thresholds must contain one threshold per operating condition, shape \(101,\)"),
        ({"thresholds": [[1], [1, 2]]}, "thresholds must not contain sequences of different"),
        ({"thresholds": np.nan}, "thresholds must be a number in .*, got nan"),
        ({"thresholds": "best"}, "thresholds must be one of 'envelope', 'probability', got 'best'"),
        ({"thresholds": lambda w: w[:3]}, "thresholds must contain one threshold per operating condition"),
        ({"normalizer": "max"}, "normalizer must be one of 'mean', got 'max'. The normalizer can be chosen only"),
        ({"normalizer": "sum", "sampling": "full"}, "normalizer must be one of 'mean', 'max', got 'sum'"),
    ],
)
def test_cost_options(options, message):
    for statistic in COST:
        with about(statistic), pytest.raises(ValueError, match=f"^{message}"):
            statistic(Y, S, **options)


A_PRIOR = r"prior must be None or a frozen scipy.stats distribution on \[0, 1\], got"
COSTS = [[0, 1], [1, 0]]
A_SIZE = r"cost_matrix must have costs of 0 or of a size from 1e-100 to 1e\+100"
EXPECT = partial(sk.bootstrap_expected_cost, Y, Y)
EXPECTED, EXPECT_BOTH = partial(EXPECT, COSTS), sk.bootstrap_expected_cost_difference
LOSS, AREA = partial(sk.expected_cost_loss, Y, Y), partial(sk.total_expected_cost_loss, Y, S)
FULL = sk.bootstrap_cost(Y, S, sampling="full")
VALUES = [
    ("y_score_b must be finite", lambda: sk.bootstrap_cost_difference(Y, S, np.where(Y, S, np.nan))),
    ("thresholds as a tuple must contain two rules, .* got 3", lambda: COST[1](Y, S, thresholds=(0.1, 0.2, 0.3))),
    ("method .* 'wilson' is for one model with stratified sam", lambda: FULL.confidence_interval(method="wilson")),
    (r"prevalence must be a number in \[0, 1\], got 1.5", lambda: sk.probability_cost(1.5, 1, 1)),
    (r"cost_fn must be a number in \[0, 1e\+100\], got -1", lambda: sk.probability_cost(0.5, -1, 1)),
    (r"cost_fp must be a number in \[0, 1e\+100\], got inf", lambda: sk.probability_cost(0.5, 1, np.inf)),
    ("prevalence, cost_fn and cost_fp must not make every cost 0", lambda: sk.probability_cost(0.5, 0, 0)),
    (r"prevalence must be a number in \(0, 1\), got 0", lambda: sk.probability_thresholds(0.5, prevalence=0)),
    (r"max_fpr must be a number in \[0, 1\], got 1.1", lambda: sk.neyman_pearson_threshold(Y, S, 1.1)),
    (r"capacity must be a whole number in \[0, inf\], got -1", lambda: sk.workforce_threshold(Y, S, -1)),
    (r"capacity must be a number in \[0, 1\], got 1.5", lambda: sk.workforce_threshold(Y, S, 1.5)),
    ("fpr must not contain sequences of different len", lambda: sk.bootstrap_roc_at_fpr(Y, S, fpr=[[0.1], [0, 1]])),
    ("fpr and tpr must have the same length", lambda: sk.CostCurve.from_rates([0.1], [0.1, 0.2])),
    (r"fpr must contain numbers in \[0, 1\], got 1.1", lambda: sk.CostCurve.from_rates([1.1], [0.1])),
    ("curves must contain at least one CostCurve", lambda: sk.CostCurve.mean([])),
    ("slope must be finite and not -1", lambda: sk.cost_point(-1, 0)),
    (r"slope must be a number in \(-inf, inf\), got nan", lambda: sk.cost_point(np.nan, 0)),
    ("intercept must be a number in .*, got 1000", lambda: sk.cost_point(0, 10**400)),
    ("cost must be a number in .*, got nan", lambda: sk.roc_line(0.5, np.nan)),
    (r"probability_cost must be a number in \(0, 1\]", lambda: sk.roc_line(0, 0.3)),
    ("thresholds='probability' needs .*scores from 1.1 to 1.9", partial(COST[0], Y, S + 1, thresholds="probability")),
    ("threshold=None needs scores that are prob", lambda: sk.normalized_cost_loss(Y, S + 1, probability_cost=0.5)),
    (r"q must be a number in \[0, 1\], got 1.5", lambda: FULL.quantile(1.5)),
    ("x must be a number in .*, got nan", lambda: FULL.cdf(np.nan)),
    (r"cost_matrix must have a row and a column per class.*\(1, 2\)", lambda: LOSS(cost_matrix=[[0, 1]])),
    ("cost_matrix must be finite", lambda: LOSS(cost_matrix=[[0, np.nan], [1, 0]])),
    (r"y_true contains .*1.*, which is not among labels=.0, 2.", lambda: LOSS(cost_matrix=COSTS, labels=[0, 2])),
    ("cost_matrix must have a row and a column per class.*: pass labels", lambda: LOSS(cost_matrix=np.eye(3))),
    *(("smoothing must", partial(EXPECTED, smoothing=value)) for value in (-1, np.nan, 1e101)),
    *((A_SIZE, partial(EXPECT, [[0, 1], [-cost, 0]])) for cost in (5e-324, 1e-101, 1e101, 1.7e308)),
    *(
        ("prior must have probabilities that can be computed", partial(AREA, prior=prior))
        for prior in (uniform(0.3, 0), uniform(np.nan, 1), uniform(0, np.inf), beta(-1, 1), beta(np.nan, 1))
    ),
]
TYPES = [
    ("prevalence must be a number or an array of numbers, got None", lambda: sk.probability_cost(None, 1, 1)),
    (r"prevalence must be a number in \(0, 1\), got", lambda: sk.probability_thresholds(0.5, prevalence=[0.1])),
    (r"max_fpr must be a number in \[0, 1\], got", lambda: sk.neyman_pearson_threshold(Y, S, [0.1])),
    (r"max_fpr must be a number in \[0, 1\], got None", lambda: sk.neyman_pearson_threshold(Y, S, None)),
    (r"capacity must be a number in \[0, 1\], got", lambda: sk.workforce_threshold(Y, S, [0.1, 0.2])),
    (r"fpr must be a number in \[0, 1\], got", lambda: sk.cost_line([0.1], 0.2)),
    ("probability_cost must be a number in .0, 1., got", lambda: sk.normalized_cost_loss(Y, S, probability_cost=[0.1])),
    ("only a single estimate can be converted to a number, got 101", lambda: float(FULL)),
    *((A_PRIOR, partial(AREA, prior=prior)) for prior in ("uniform", [0.2, 0.8], 3)),
    *(("prior must be None or a frozen", partial(AREA, prior=prior)) for prior in (beta([1, 2], 1), beta)),
    *(("smoothing must", partial(EXPECTED, smoothing=value)) for value in ("much", [1.0])),
]
REFUSED = [*((ValueError, *row) for row in VALUES), *((TypeError, *row) for row in TYPES)]


@pytest.mark.parametrize(("error", "message", "call"), REFUSED)
def test_other_arguments(error, message, call):
    with np.errstate(all="raise"), pytest.raises(error, match=f"^{message}"):
        call()


ENDLESS = np.broadcast_to(0.5, 10**11)  # takes no memory until it is copied
ONE_EACH = r"thresholds must contain one threshold per .*, shape \(2,\), got \(100000000000,\)"
MANY = "{} must contain at most 100,000 values, got 100,000,000,000".format
MOST = "{} must contain at most 10,000,000 values, got 100,000,000,000".format
CLASSES = "y_true and labels must contain at most {} classes, got {}"
FLAT, LONG = np.broadcast_to(1.0, (10**5, 10**5)), np.arange(2002)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (MANY("probability_cost"), lambda: sk.bootstrap_cost(Y, S, probability_cost=ENDLESS)),
        (MANY("fpr"), lambda: sk.bootstrap_roc_at_fpr(Y, S, fpr=ENDLESS)),
        (MANY("positive_rate"), lambda: sk.bootstrap_roc_at_positive_rate(Y, S, positive_rate=ENDLESS)),
        (MANY("thresholds"), lambda: sk.bootstrap_roc_at_threshold(Y, S, thresholds=ENDLESS)),
        (MANY("thresholds"), lambda: sk.bootstrap_roc_difference_at_threshold(Y, S, S, thresholds=(0.5, ENDLESS))),
        (MANY("thresholds"), lambda: sk.bootstrap_metric(Y, S, "f1", thresholds=ENDLESS)),
        (MANY("thresholds"), lambda: sk.bootstrap_metric_difference(Y, S, S, "f1", thresholds=ENDLESS)),
        (MANY("thresholds"), lambda: sk.DecisionCurveDisplay.from_predictions(Y, S, thresholds=ENDLESS)),
        (MANY("thresholds"), lambda: sk.MetricThresholdDisplay.from_predictions(Y, S, thresholds=ENDLESS)),
        (MANY("at"), lambda: sk.ROCConfidenceDisplay.from_predictions(Y, S, at=ENDLESS)),
        (MOST("probability_cost"), lambda: sk.cost_minimizing_thresholds(Y, S, ENDLESS)),
        (MOST("probability_cost"), lambda: sk.CostCurve.from_predictions(Y, S)(ENDLESS)),
        (MOST("fpr"), lambda: sk.CostCurve.from_rates(ENDLESS, ENDLESS)),
        (MOST("x"), lambda: sk.bootstrap_cost(Y, S, probability_cost=0.5).cdf(ENDLESS)),
        (MOST("q"), lambda: sk.bootstrap_cost(Y, S, probability_cost=0.5).quantile(ENDLESS)),
        (ONE_EACH, lambda: sk.bootstrap_cost(Y, S, probability_cost=[0.1, 0.5], thresholds=ENDLESS)),
        ("q must have at most 1,000,000 .*, got 101,000,000", lambda: FULL.quantile(np.broadcast_to(0.5, (10**6, 1)))),
        (CLASSES.format("1,000", "100,000"), lambda: LOSS(cost_matrix=FLAT, labels=np.arange(10**5))),
        (CLASSES.format("1,000", "100,000"), lambda: sk.make_expected_cost_scorer(FLAT)),
        (CLASSES.format("1,000", "1,001"), lambda: sk.bootstrap_auc(LONG[:1001], FLAT[:1001, :3], multi_class="ovr")),
        (CLASSES.format("256", "257"), lambda: EXPECT_BOTH(*[LONG[:257]] * 3, FLAT[:257, :257])),
        (CLASSES.format("1,000", "100,000,000,000"), lambda: EXPECTED(labels=np.broadcast_to(0, 10**11))),
        ("folds must contain from 2 to 1,000 .*, got 1,001", lambda: sk.bootstrap_auc(LONG % 2, LONG, folds=LONG // 2)),
        ("y_scores must contain .* 50 models, got 51", lambda: sk.compare_models(Y, dict.fromkeys(range(51), S))),
    ],
)
def test_more_than_can_be_answered_is_refused_before_it_is_copied(message, call):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


@pytest.mark.parametrize(
    ("ask", "number"),
    [
        (lambda x: sk.bootstrap_auc(Y, S).confidence_interval(x), 0.9),
        (lambda x: sk.bootstrap_auc(Y, S).pvalue(null=x), 0.6),
        (lambda x: sk.bootstrap_auc_difference(Y, S, -S).equivalence(-x, x), 0.6),
        (lambda x: sk.compare_models(Y, {"a": S, "b": -S}).differences.pvalue(null=x), 0.1),
        (lambda x: sk.bootstrap_cost(Y, S, probability_cost=x).estimate, 3),
        (lambda x: sk.bootstrap_metric(Y, S, "f1", prevalence=x, thresholds=0.4).estimate, 0.3),
        (lambda x: sk.workforce_threshold(Y, S, x), 3),
        (lambda x: sk.plan_rate(x, n=50).half_width, 0.9),
        (lambda x: sk.plan_rate(0.9, n=x).half_width, 50),
    ],
)
def test_an_array_without_axes_is_a_number(ask, number):
    assert np.array_equal(ask(np.array(number)), ask(number))


@pytest.mark.parametrize("cost", [1e-100, 1.0, 1e100])
@pytest.mark.parametrize("smoothing", [0.0, 1e-300, 1e-3, 1.0, 1e100])
def test_any_other_costs_and_smoothing_give_numbers(cost, smoothing):
    costs, low, high = [[0, cost / 3 if cost > 1e-100 else cost], [cost, 0]], S > 0.38, S > 0.32
    pair = partial(sk.bootstrap_expected_cost_difference, Y, low, cost_matrix=costs, smoothing=smoothing)
    with np.errstate(all="raise", under="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        for result in (sk.bootstrap_expected_cost(Y, low, costs, smoothing=smoothing), pair(low), pair(high)):
            limits = [result.confidence_interval(method=method) for method in result.methods]
            assert np.isfinite([result.mean, result.standard_error, *np.ravel(limits)]).all()
        assert 0 <= result.pvalue() <= 1


@pytest.mark.parametrize("parameters", [(1e-300, 1e-300), (1, 1e-300), (1e300, 1e300), (1e300, 1), (1e-5, 1)])
def test_extreme_priors_give_the_cost_where_they_are(parameters):
    if scipy.__version__ < "1.15" and min(parameters) != 1:
        pytest.skip("older releases have no distribution function of such laws")
    curve = sk.CostCurve.from_predictions(Y, S)
    there = curve(0.5) if min(parameters) > 1 else 0.0  # else at the ends, where nothing need be lost
    assert sk.total_expected_cost_loss(Y, S, prior=beta(*parameters)) == pytest.approx(there, abs=1e-5)


def test_the_operating_condition_of_the_tiniest_costs_and_prevalences():
    with np.errstate(all="raise"):
        assert sk.probability_cost(0.5, 5e-324, 5e-324) == 0.5
        assert sk.probability_cost(5e-324, 1e-100, 0) == 1
        assert sk.probability_cost(5e-324, 1e-100, 1) == 0
        assert sk.probability_cost(0.5, 1e-308, 1) == pytest.approx(1e-308)


BEYOND = 2**53
LOST = {
    "int64": np.array([BEYOND, BEYOND + 1] * 3),
    "uint64": np.array([2**63, 2**63 + 1] * 3, np.uint64),
    "Python": [2**70, 2**70 + 1] * 3,
    "Python, beside a fraction": [BEYOND + 1, 0.5] * 3,
    "Python, too large": [10**400, 1] * 3,
    "decimals": [Decimal(1), Decimal("1.00000000000000000001")] * 3,
    "fractions": [Fraction(1, 3), Fraction(10**20, 3 * 10**20 + 1)] * 3,
    "nullable": pd.Series([BEYOND, BEYOND + 1] * 3, dtype="Int64"),
    "a frame of objects": pd.DataFrame({"s": [BEYOND, BEYOND + 1] * 3}, dtype=object),
    "polars": pl.Series([BEYOND, BEYOND + 1] * 3),
    "polars, long": pl.Series([2**70, 2**70 + 1] * 3, dtype=pl.Int128),
}
if np.finfo(np.longdouble).nmant > 52:
    LOST["long double"] = np.array([1, 1] * 3, np.longdouble) + np.array([0, 1e-18] * 3, np.longdouble)


@pytest.mark.parametrize("scores", LOST.values(), ids=list(LOST))
def test_scores_that_float64_would_make_equal_are_refused(scores):
    with pytest.raises((TypeError, ValueError), match=r"^y_score must (contain numbers that float64|be an array)"):
        sk.bootstrap_auc(Y, scores)


def test_large_scores_that_float64_holds_are_taken():
    for scores in (2**60 * np.arange(6), [2**70 * i for i in range(6)], [Decimal(i) / 10 for i in range(6)]):
        assert float(sk.bootstrap_auc(Y, scores)) == 1
    with pytest.raises(ValueError, match=r"^thresholds must contain numbers that float64 can .*, got 9007199254740993"):
        sk.bootstrap_cost(Y, BEYOND + 2 * np.arange(6), thresholds=BEYOND + 1)
