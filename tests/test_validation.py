"""Bad input is refused at the door, by name and with what may come instead."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

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
        ({"probability_cost": [0.5, 1.2]}, r"probability_cost must lie in \[0, 1\], got 1.2"),
        ({"probability_cost": -0.1}, r"probability_cost must lie in \[0, 1\], got -0.1"),
        ({"probability_cost": [np.nan]}, r"probability_cost must lie in \[0, 1\], got nan"),
        ({"probability_cost": 1}, "probability_cost as an integer is a number of evenly spaced values, at least 2"),
        ({"probability_cost": []}, "probability_cost must be a number or a non-empty vector"),
        ({"probability_cost": [[0.5]]}, "probability_cost must be a number or a non-empty vector"),
        ({"thresholds": [0.5, 0.6]}, r"thresholds must hold one threshold per operating condition, shape \(101,\)"),
        ({"thresholds": np.nan}, "thresholds must not be NaN"),
        ({"thresholds": "best"}, "thresholds must be one of 'envelope', 'probability', got 'best'"),
        ({"thresholds": lambda w: w[:3]}, "thresholds must hold one threshold per operating condition"),
        ({"normalizer": "max"}, "normalizer must be one of 'mean', got 'max'. The normalizer can be chosen under"),
        ({"normalizer": "sum", "sampling": "full"}, "normalizer must be one of 'mean', 'max', got 'sum'"),
    ],
)
def test_cost_options(statistic, options, message):
    with pytest.raises(ValueError, match=message):
        statistic(Y, S, **options)


def test_a_pair_of_rules_is_a_pair():
    with pytest.raises(ValueError, match=r"thresholds as a tuple must hold two rules, .* got 3"):
        sk.bootstrap_cost_difference(Y, S, S, thresholds=(0.1, 0.2, 0.3))


def test_scores_of_both_models_are_named():
    with pytest.raises(ValueError, match="y_score_b must be finite"):
        sk.bootstrap_cost_difference(Y, S, replaced(S, 0, np.nan))


def test_wilson_is_not_for_full_sampling():
    with pytest.raises(ValueError, match=r"got 'wilson'. 'wilson' is for one model under stratified sampling"):
        sk.bootstrap_cost(Y, S, sampling="full").confidence_interval(method="wilson")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sk.probability_cost(1.5, 1, 1), r"prevalence must lie in \[0, 1\], got 1.5"),
        (lambda: sk.probability_cost(0.5, -1, 1), "cost_fn must be a finite non-negative number, got -1"),
        (lambda: sk.probability_cost(0.5, 1, np.inf), "cost_fp must be a finite non-negative number, got inf"),
        (lambda: sk.probability_cost(0.5, 0, 0), "leave nothing that could cost"),
        (lambda: sk.probability_thresholds(0.5, prevalence=0), "prevalence must lie strictly between 0 and 1, got 0"),
        (lambda: sk.neyman_pearson_threshold(Y, S, 1.1), r"max_fpr must lie in \[0, 1\], got 1.1"),
        (lambda: sk.workforce_threshold(Y, S, -1), "capacity must not be negative, got -1"),
        (lambda: sk.workforce_threshold(Y, S, 1.5), r"capacity must lie in \[0, 1\], got 1.5"),
        (
            lambda: sk.bootstrap_roc_at_fpr(Y, S, fpr=[[0.1], [0.1, 0.2]]),
            "fpr must not hold sequences of different len",
        ),
        (lambda: sk.bootstrap_cost(Y, S, thresholds=[[1], [1, 2]]), "thresholds must not hold sequences of different"),
        (lambda: sk.AggregatedScores.from_arrays(Y, S, bins=(1, [2, 3])), "bins must not hold sequences of different"),
        (lambda: sk.AggregatedScores.from_arrays(Y, S, bins=10**9), "bins must be a whole number, from 1 to 30000000"),
        (lambda: sk.AggregatedScores.from_arrays([0, pd.NA], [1, 2]), "y_true must not contain NaN"),
        (lambda: sk.AggregatedScores.from_arrays(np.array([0, "p"], object), [1, 2]), "y_true must hold labels of one"),
        (lambda: sk.CostCurve.from_rates([0.1], [0.1, 0.2]), "fpr and tpr must have the same length"),
        (lambda: sk.CostCurve.from_rates([1.1], [0.1]), r"fpr must lie in \[0, 1\], got 1.1"),
        (lambda: sk.CostCurve.mean([]), "curves must hold at least one CostCurve"),
        (lambda: sk.cost_point(-1, 0), "slope must be finite and not -1"),
        (lambda: sk.cost_point(np.nan, 0), "slope must be finite and not -1"),
        (lambda: sk.roc_line(0.5, np.nan), "cost be finite, got 0.5 and nan"),
        (lambda: sk.bootstrap_cost(Y, S + 1, thresholds="probability"), "scores from 1.1 to 1.9"),
        (lambda: sk.normalized_cost_loss(Y, S + 1, probability_cost=0.5), r"y_score without a threshold must lie in"),
        (lambda: sk.roc_line(0, 0.3), r"probability_cost must lie in \(0, 1\]"),
        (lambda: sk.bootstrap_cost(Y, S).quantile(1.5), r"q must lie in \[0, 1\], got 1.5"),
        (lambda: sk.bootstrap_cost(Y, S).cdf(np.nan), "x must not be NaN"),
    ],
)
def test_other_arguments(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_matrix": [[0, 1]]}, r"cost_matrix must have a row and a column for each of the 2 classes.*\(1, 2\)"),
        ({"cost_matrix": [[0, np.nan], [1, 0]]}, "cost_matrix must be finite"),
        (
            {"cost_matrix": [[0, 1], [1, 0]], "labels": [0, 2]},
            r"y_true holds .*1.*, which is not among labels=\[0, 2\]",
        ),
        ({"cost_matrix": np.eye(3)}, "Pass labels if not every class occurs"),
    ],
)
def test_cost_matrices(options, message):
    with pytest.raises(ValueError, match=message):
        sk.expected_cost_loss(Y, Y, **options)


def test_a_result_of_many_points_is_not_a_number():
    with pytest.raises(TypeError, match="only a single estimate is a number; this result has 101"):
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
    with pytest.raises(TypeError, match=rf"^{name} must be a single number in \[0, 1\], got an array of shape"):
        call()


@pytest.mark.parametrize("prior", ["uniform", [0.2, 0.8], 3])
def test_a_prior_is_a_distribution(prior):
    with pytest.raises(TypeError, match=r"prior must be None or a frozen scipy.stats distribution on \[0, 1\], got"):
        sk.total_expected_cost_loss(Y, S, prior=prior)


def test_costs_whose_moments_would_overflow_are_refused():
    with pytest.raises(ValueError, match=r"cost_matrix must hold costs of at most 1e\+100, got 1e\+200"):
        sk.bootstrap_expected_cost(Y, Y, [[0, 1], [1e200, 0]])
    dear = sk.bootstrap_expected_cost(Y, 1 - Y, [[0, 1e99], [1e100, 0]])
    assert np.isfinite([dear.standard_error, *dear.confidence_interval()]).all()
