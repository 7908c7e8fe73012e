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

import skcostci as sk

Y = np.array([0, 0, 0, 1, 1, 1])
S = np.array([0.1, 0.4, 0.3, 0.35, 0.8, 0.9])


def replaced(array, position, value):
    changed = np.array(array, dtype=float)
    changed[position] = value
    return changed


@pytest.mark.parametrize("statistic", [sk.bootstrap_cost, partial(sk.bootstrap_cost_difference, y_score_b=S)])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"probability_cost": [0.5, 1.2]}, r"probability_cost must contain numbers in \[0, 1\], got 1.2"),
        ({"probability_cost": -0.1}, r"probability_cost must be a number in \[0, 1\], got -0.1"),
        ({"probability_cost": [np.nan]}, r"probability_cost must contain numbers in \[0, 1\], got nan"),
        ({"probability_cost": 1}, "probability_cost as an integer is how many values, 2"),
        (
            {"probability_cost": 10**8},
            "probability_cost as an integer is how many values, 2 to 100,000",
        ),
        ({"probability_cost": np.linspace(0, 1, 100_001)}, "probability_cost must contain at most 100,000 values"),
        ({"probability_cost": []}, "probability_cost must be a number or a non-empty vector"),
        ({"probability_cost": [[0.5]]}, "probability_cost must be a number or a non-empty vector"),
        ({"thresholds": [0.5, 0.6]}, r"thresholds must contain one threshold per operating condition, shape \(101,\)"),
        ({"thresholds": np.nan}, "thresholds must be a number in .*, got nan"),
        ({"thresholds": "best"}, "thresholds must be one of 'envelope', 'probability', got 'best'"),
        ({"thresholds": lambda w: w[:3]}, "thresholds must contain one threshold per operating condition"),
        ({"normalizer": "max"}, "normalizer must be one of 'mean', got 'max'. The normalizer can be chosen only"),
        ({"normalizer": "sum", "sampling": "full"}, "normalizer must be one of 'mean', 'max', got 'sum'"),
    ],
)
def test_cost_options(statistic, options, message):
    with pytest.raises(ValueError, match=message):
        statistic(Y, S, **options)


def test_a_pair_of_rules_is_a_pair():
    with pytest.raises(ValueError, match=r"thresholds as a tuple must contain two rules, .* got 3"):
        sk.bootstrap_cost_difference(Y, S, S, thresholds=(0.1, 0.2, 0.3))


def test_scores_of_both_models_are_named():
    with pytest.raises(ValueError, match="y_score_b must be finite"):
        sk.bootstrap_cost_difference(Y, S, replaced(S, 0, np.nan))


def test_wilson_is_not_for_full_sampling():
    with pytest.raises(ValueError, match=r"got 'wilson'. 'wilson' is for one model with stratified sampling"):
        sk.bootstrap_cost(Y, S, sampling="full").confidence_interval(method="wilson")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sk.probability_cost(1.5, 1, 1), r"prevalence must be a number in \[0, 1\], got 1.5"),
        (
            lambda: sk.probability_cost(0.5, -1, 1),
            r"cost_fn must be a number in \[0, 1e\+100\], got -1",
        ),
        (
            lambda: sk.probability_cost(0.5, 1, np.inf),
            r"cost_fp must be a number in \[0, 1e\+100\], got inf",
        ),
        (lambda: sk.probability_cost(0.5, 0, 0), "must not make every cost 0"),
        (lambda: sk.probability_thresholds(0.5, prevalence=0), r"prevalence must be a number in \(0, 1\), got 0"),
        (lambda: sk.neyman_pearson_threshold(Y, S, 1.1), r"max_fpr must be a number in \[0, 1\], got 1.1"),
        (lambda: sk.workforce_threshold(Y, S, -1), r"capacity must be a whole number in \[0, inf\], got -1"),
        (lambda: sk.workforce_threshold(Y, S, 1.5), r"capacity must be a number in \[0, 1\], got 1.5"),
        (
            lambda: sk.bootstrap_roc_at_fpr(Y, S, fpr=[[0.1], [0.1, 0.2]]),
            "fpr must not contain sequences of different len",
        ),
        (
            lambda: sk.bootstrap_cost(Y, S, thresholds=[[1], [1, 2]]),
            "thresholds must not contain sequences of different",
        ),
        (
            lambda: sk.AggregatedScores.from_arrays(Y, S, bins=(1, [2, 3])),
            "bins must not contain sequences of different",
        ),
        (lambda: sk.AggregatedScores.from_arrays(Y, S, bins=10**9), r"bins must be a whole number in \[1, 30000000\]"),
        (lambda: sk.AggregatedScores.from_arrays([0, pd.NA], [1, 2]), "y_true must not contain NaN"),
        (
            lambda: sk.AggregatedScores.from_arrays(np.array([0, "p"], object), [1, 2]),
            "y_true must contain labels of one",
        ),
        (lambda: sk.CostCurve.from_rates([0.1], [0.1, 0.2]), "fpr and tpr must have the same length"),
        (lambda: sk.CostCurve.from_rates([1.1], [0.1]), r"fpr must contain numbers in \[0, 1\], got 1.1"),
        (lambda: sk.CostCurve.mean([]), "curves must contain at least one CostCurve"),
        (lambda: sk.cost_point(-1, 0), "slope must be finite and not -1"),
        (lambda: sk.cost_point(np.nan, 0), r"slope must be a number in \(-inf, inf\), got nan"),
        (lambda: sk.cost_point(0, 10**400), r"intercept must be a number in .*, got 1000"),
        (lambda: sk.roc_line(0.5, np.nan), "cost must be a number in .*, got nan"),
        (lambda: sk.bootstrap_cost(Y, S + 1, thresholds="probability"), "scores from 1.1 to 1.9"),
        (lambda: sk.normalized_cost_loss(Y, S + 1, probability_cost=0.5), "threshold=None needs scores that are prob"),
        (lambda: sk.roc_line(0, 0.3), r"probability_cost must be a number in \(0, 1\]"),
        (lambda: sk.bootstrap_cost(Y, S).quantile(1.5), r"q must be a number in \[0, 1\], got 1.5"),
        (lambda: sk.bootstrap_cost(Y, S).cdf(np.nan), "x must be a number in .*, got nan"),
    ],
)
def test_other_arguments(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


ENDLESS = np.broadcast_to(0.5, 10**11)  # takes no memory until it is copied


@pytest.mark.parametrize(
    ("name", "most", "call"),
    [
        ("probability_cost", "100,000", lambda: sk.bootstrap_cost(Y, S, probability_cost=ENDLESS)),
        ("fpr", "100,000", lambda: sk.bootstrap_roc_at_fpr(Y, S, fpr=ENDLESS)),
        ("positive_rate", "100,000", lambda: sk.bootstrap_roc_at_positive_rate(Y, S, positive_rate=ENDLESS)),
        ("thresholds", "100,000", lambda: sk.bootstrap_roc_at_threshold(Y, S, thresholds=ENDLESS)),
        (
            "thresholds",
            "100,000",
            lambda: sk.bootstrap_roc_difference_at_threshold(Y, S, S, thresholds=(0.5, ENDLESS)),
        ),
        ("thresholds", "100,000", lambda: sk.bootstrap_metric(Y, S, "f1", thresholds=ENDLESS)),
        ("thresholds", "100,000", lambda: sk.bootstrap_metric_difference(Y, S, S, "f1", thresholds=ENDLESS)),
        ("thresholds", "100,000", lambda: sk.DecisionCurveDisplay.from_predictions(Y, S, thresholds=ENDLESS)),
        ("thresholds", "100,000", lambda: sk.MetricThresholdDisplay.from_predictions(Y, S, thresholds=ENDLESS)),
        ("at", "100,000", lambda: sk.ROCConfidenceDisplay.from_predictions(Y, S, at=ENDLESS)),
        ("probability_cost", "10,000,000", lambda: sk.cost_minimizing_thresholds(Y, S, ENDLESS)),
        ("probability_cost", "10,000,000", lambda: sk.CostCurve.from_predictions(Y, S)(ENDLESS)),
        ("fpr", "10,000,000", lambda: sk.CostCurve.from_rates(ENDLESS, ENDLESS)),
        ("x", "10,000,000", lambda: sk.bootstrap_cost(Y, S, probability_cost=0.5).cdf(ENDLESS)),
        ("q", "10,000,000", lambda: sk.bootstrap_cost(Y, S, probability_cost=0.5).quantile(ENDLESS)),
    ],
)
def test_more_values_than_can_be_answered_are_refused_before_they_are_copied(name, most, call):
    with pytest.raises(ValueError, match=f"^{name} must contain at most {most} values, got 100,000,000,000"):
        call()


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (
            r"^thresholds must contain one threshold per operating condition, shape \(2,\), got \(100000000000,\)",
            lambda: sk.bootstrap_cost(Y, S, probability_cost=[0.1, 0.5], thresholds=ENDLESS),
        ),
        (
            "^q must have at most 1,000,000 values over all points, got 101,000,000",
            lambda: sk.bootstrap_cost(Y, S).quantile(np.broadcast_to(0.5, (10**6, 1))),
        ),
        (
            "^y_true and labels must contain at most 1,000 classes, got 100,000",
            lambda: sk.expected_cost_loss(
                Y, Y, cost_matrix=np.broadcast_to(1.0, (10**5, 10**5)), labels=np.arange(10**5)
            ),
        ),
        (
            "^y_true and labels must contain at most 1,000 classes, got 1,001",
            lambda: sk.bootstrap_auc(np.arange(1001), np.zeros((1001, 3)), multi_class="ovr"),
        ),
        (
            "^folds must contain from 2 to 1,000 folds, of two cases on average, got 1,001",
            lambda: sk.bootstrap_auc(np.tile([0, 1], 1001), np.zeros(2002), folds=np.repeat(np.arange(1001), 2)),
        ),
        (
            "^y_true and labels must contain at most 256 classes, got 257",
            lambda: sk.bootstrap_expected_cost_difference(*[np.arange(257)] * 3, np.zeros((257, 257))),
        ),
        (
            "^y_true and labels must contain at most 1,000 classes, got 100,000,000,000",
            lambda: sk.bootstrap_expected_cost(Y, Y, np.eye(2), labels=np.broadcast_to(0, 10**11)),
        ),
        (
            "^y_true and labels must contain at most 1,000 classes, got 100,000",
            lambda: sk.make_expected_cost_scorer(np.broadcast_to(1.0, (10**5, 10**5))),
        ),
        (
            "^y_scores must contain from 2 to 50 models, got 51",
            lambda: sk.compare_models(Y, dict.fromkeys(range(51), S)),
        ),
    ],
)
def test_what_has_a_law_of_its_own_has_a_bound(message, call):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_matrix": [[0, 1]]}, r"cost_matrix must have a row and a column per class.*\(1, 2\)"),
        ({"cost_matrix": [[0, np.nan], [1, 0]]}, "cost_matrix must be finite"),
        (
            {"cost_matrix": [[0, 1], [1, 0]], "labels": [0, 2]},
            r"y_true contains .*1.*, which is not among labels=\[0, 2\]",
        ),
        ({"cost_matrix": np.eye(3)}, "pass labels"),
    ],
)
def test_cost_matrices(options, message):
    with pytest.raises(ValueError, match=message):
        sk.expected_cost_loss(Y, Y, **options)


def test_a_result_of_many_points_is_not_a_number():
    with pytest.raises(TypeError, match="can be converted to a number, got 101"):
        float(sk.bootstrap_cost(Y, S))


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("max_fpr", lambda: sk.neyman_pearson_threshold(Y, S, [0.1])),
        ("capacity", lambda: sk.workforce_threshold(Y, S, [0.1, 0.2])),
        ("probability_cost", lambda: sk.normalized_cost_loss(Y, S, probability_cost=[0.1, 0.2])),
        ("prevalence", lambda: sk.probability_thresholds(0.5, prevalence=[0.1])),
        ("fpr", lambda: sk.cost_line([0.1], 0.2)),
    ],
)
def test_a_single_number_is_asked_for(name, call):
    with pytest.raises(TypeError, match=rf"^{name} must be a number in [\[(]0, 1[\])], got"):
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


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("max_fpr", lambda: sk.neyman_pearson_threshold(Y, S, None)),
        ("prevalence", lambda: sk.probability_cost(None, 1, 1)),
    ],
)
def test_nothing_is_not_taken_for_a_number(name, call):
    with pytest.raises(
        TypeError, match=rf"^{name} must be a number (or an array of numbers|in \[0, 1\]|in \(0, 1\)), got None"
    ):
        call()


@pytest.mark.parametrize("prior", ["uniform", [0.2, 0.8], 3])
def test_a_prior_is_a_distribution(prior):
    with pytest.raises(TypeError, match=r"prior must be None or a frozen scipy.stats distribution on \[0, 1\], got"):
        sk.total_expected_cost_loss(Y, S, prior=prior)


@pytest.mark.parametrize("cost", [5e-324, 1e-101, 1e101, 1.7e308])
def test_costs_whose_moments_could_not_be_computed_are_refused(cost):
    with pytest.raises(ValueError, match=r"cost_matrix must have costs of 0 or of a size from 1e-100 to 1e\+100"):
        sk.bootstrap_expected_cost(Y, Y, [[0, 1], [-cost, 0]])


@pytest.mark.parametrize("cost", [1e-100, 1.0, 1e100])
@pytest.mark.parametrize("smoothing", [0.0, 1e-300, 1e-20, 1e-3, 1.0, 1e20, 1e100])
def test_any_other_costs_and_smoothing_give_numbers(cost, smoothing):
    costs = [[0, cost / 3 if cost > 1e-100 else cost], [cost, 0]]
    with np.errstate(all="raise", under="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.DegenerateLawWarning)
        for result in (
            sk.bootstrap_expected_cost(Y, S > 0.38, costs, smoothing=smoothing),
            sk.bootstrap_expected_cost_difference(Y, S > 0.38, S > 0.38, costs, smoothing=smoothing),
            sk.bootstrap_expected_cost_difference(Y, S > 0.38, S > 0.32, costs, smoothing=smoothing),
        ):
            limits = [result.confidence_interval(method=method) for method in result.methods]
            assert np.isfinite([result.mean, result.standard_error, *np.ravel(limits)]).all()
        assert 0 <= result.pvalue() <= 1


@pytest.mark.parametrize("smoothing", ["much", [1.0], -1, np.nan, 1e101])
def test_smoothing_is_a_number_that_can_be_computed_with(smoothing):
    with pytest.raises((TypeError, ValueError), match=r"^smoothing must"):
        sk.bootstrap_expected_cost(Y, Y, [[0, 1], [1, 0]], smoothing=smoothing)


@pytest.mark.parametrize("parameters", [(1e-300, 1e-300), (1, 1e-300), (1e300, 1e300), (1e300, 1), (1e-5, 1)])
def test_extreme_priors_give_the_cost_where_they_are(parameters):
    if scipy.__version__ < "1.15" and min(parameters) != 1:
        pytest.skip("older releases have no distribution function of such laws")
    curve = sk.CostCurve.from_predictions(Y, S)
    there = curve(0.5) if min(parameters) > 1 else 0.0  # else at the ends, where nothing need be lost
    assert sk.total_expected_cost_loss(Y, S, prior=beta(*parameters)) == pytest.approx(there, abs=1e-5)


def test_one_prior_at_a_time():
    with pytest.raises(TypeError, match="prior must be None or a frozen"):
        sk.total_expected_cost_loss(Y, S, prior=beta([1, 2], 1))


@pytest.mark.parametrize(
    "prior",
    [uniform(0.3, 0), uniform(np.nan, 1), uniform(0, np.inf), beta(-1, 1), beta(np.nan, 1)],
    ids=["no width", "nowhere", "endless", "out of range", "no number"],
)
def test_priors_without_probabilities_are_refused(prior):
    with (
        np.errstate(all="raise"),
        pytest.raises(ValueError, match="prior must have probabilities that can be computed"),
    ):
        sk.total_expected_cost_loss([0, 1], [0.2, 0.7], prior=prior)


def test_a_prior_has_its_parameters():
    with pytest.raises(TypeError, match=r"prior must be None or a frozen"):
        sk.make_total_expected_cost_scorer(prior=beta)


def test_the_operating_condition_of_the_tiniest_costs_and_prevalences():
    with np.errstate(all="raise"):
        assert sk.probability_cost(0.5, 5e-324, 5e-324) == 0.5
        assert sk.probability_cost(5e-324, 1e-100, 0) == 1
        assert sk.probability_cost(5e-324, 1e-100, 1) == 0
        assert sk.probability_cost(0.5, 1e-308, 1) == pytest.approx(1e-308)


NOTHING_TO_HIDE = np.ma.array([[0, 1], [1, 0]], mask=[[0, 1], [0, 0]])


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("cost_matrix", lambda: sk.bootstrap_expected_cost(Y, Y, NOTHING_TO_HIDE)),
        ("cost_matrix", lambda: sk.expected_cost_loss(Y, Y, cost_matrix=NOTHING_TO_HIDE)),
        ("probability_cost", lambda: sk.bootstrap_cost(Y, S, probability_cost=np.ma.array([0.1, 0.5], mask=[0, 1]))),
        ("thresholds", lambda: sk.bootstrap_cost(Y, S, thresholds=np.ma.array([0.1], mask=[1]))),
    ],
)
def test_masked_entries_are_refused(name, call):
    with pytest.raises(ValueError, match=f"{name} must not have masked entries"):
        call()


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
    with pytest.raises(
        ValueError, match=r"^thresholds must contain numbers that float64 can represent, got 9007199254740993"
    ):
        sk.bootstrap_cost(Y, BEYOND + 2 * np.arange(6), thresholds=BEYOND + 1)
