"""Bad input is refused at the door, by name and with what may come instead."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import skcostci as sk

Y = np.array([0, 0, 0, 1, 1, 1])
S = np.array([0.1, 0.4, 0.3, 0.35, 0.8, 0.9])
STATISTICS = [
    sk.bootstrap_auc,
    sk.bootstrap_cost,
    lambda y, s, **options: sk.bootstrap_cost_difference(y, s, s, **options),
    sk.CostCurve.from_predictions,
    lambda y, s, **options: sk.cost_minimizing_thresholds(y, s, 0.5, **options),
    lambda y, s, **options: sk.neyman_pearson_threshold(y, s, 0.1, **options),
    lambda y, s, **options: sk.workforce_threshold(y, s, 0.1, **options),
    lambda y, s, **options: sk.normalized_cost_loss(y, s, probability_cost=0.5, **options),
    sk.total_expected_cost_loss,
]
COSTS = {"cost_matrix": [[0, 1], [5, 0]]}
every_statistic = pytest.mark.parametrize("statistic", STATISTICS)


def replaced(array, position, value):
    changed = np.array(array, dtype=float)
    changed[position] = value
    return changed


@every_statistic
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_must_be_finite(statistic, value):
    with pytest.raises(ValueError, match=r"y_score\w* must be finite, got 1 .* at position 2"):
        statistic(Y, replaced(S, 2, value))


@every_statistic
def test_both_classes_must_occur(statistic):
    with pytest.raises(ValueError, match="y_true must hold both classes, got only one: 1"):
        statistic(np.ones(6, dtype=int), S)


@every_statistic
def test_three_classes_are_too_many(statistic):
    with pytest.raises(ValueError, match=r"y_true must be binary: multiclass .* got 3 classes \(0, 1, 2\)"):
        statistic([0, 1, 2, 0, 1, 2], S)


@every_statistic
def test_lengths_must_agree(statistic):
    with pytest.raises(ValueError, match=r"y_true and y_score.* inconsistent numbers of samples: \[6, 5"):
        statistic(Y, S[:5])


@every_statistic
def test_scores_must_be_one_dimensional(statistic):
    with pytest.raises(ValueError, match=r"y_score\w* must be one-dimensional.*\(6, 2\)"):
        statistic(Y, np.column_stack([S, S]))


@every_statistic
def test_there_must_be_cases(statistic):
    with pytest.raises(ValueError, match="y_true must hold at least one case, got an empty array"):
        statistic([], [])


@every_statistic
def test_text_labels_need_pos_label(statistic):
    labels = np.where(Y == 1, "ill", "well")
    with pytest.raises(ValueError, match=r"y_true takes value in \{'ill', 'well'\} and pos_label is not specified"):
        statistic(labels, S)
    statistic(labels, S, pos_label="ill")


@every_statistic
def test_unusual_numbers_need_pos_label(statistic):
    with pytest.raises(ValueError, match=r"y_true takes value in \{10, 11\} and pos_label is not specified"):
        statistic(Y + 10, S)


@every_statistic
def test_pos_label_must_occur(statistic):
    with pytest.raises(ValueError, match=r"pos_label=7 is not a valid label. It must be one of \[0, 1\]"):
        statistic(Y, S, pos_label=7)


@every_statistic
@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        ([0, 1, np.nan, 0, 1, 1], ValueError, "y_true must not contain NaN"),
        (["a", 1, "a", 1, 1, "a"], TypeError, "y_true must hold labels of one kind"),
        ([[0], [1]], ValueError, "y_true must be one-dimensional"),
        ([[0], [1, 1]], ValueError, "y_true must not hold sequences of different lengths"),
    ],
)
def test_odd_labels(statistic, labels, error, message):
    labels = np.array(labels, dtype=object) if isinstance(labels[0], str) else labels
    with pytest.raises(error, match=message):
        statistic(labels, S)


@every_statistic
@pytest.mark.parametrize("scores", [["a"] * 6, [1j] * 6, np.array([None] * 6)])
def test_scores_must_be_real_numbers(statistic, scores):
    with pytest.raises((TypeError, ValueError), match=r"y_score\w* must (hold real numbers|be finite)"):
        statistic(Y, scores)


@pytest.mark.parametrize("statistic", STATISTICS[:7])
@pytest.mark.parametrize("weight", [0.5, -1.0])
def test_weights_are_whole_and_not_negative(statistic, weight):
    with pytest.raises(ValueError, match=rf"sample_weight must hold frequency weights.* got {weight} at position 0"):
        statistic(Y, S, sample_weight=[weight, 1, 1, 1, 1, 1])


@every_statistic
def test_weights_belong_to_the_cases(statistic):
    with pytest.raises(ValueError, match="sample_weight must have the same length"):
        statistic(Y, S, sample_weight=[1, 1])


@pytest.mark.parametrize("loss", STATISTICS[7:])
def test_losses_take_any_weights_but_negative_or_zero_ones(loss):
    loss(Y, S, sample_weight=[0.5, 1, 1, 1, 2.5, 1])
    with pytest.raises(ValueError, match=r"sample_weight must not be negative, got -1.0"):
        loss(Y, S, sample_weight=[-1, 1, 1, 1, 1, 1])
    with pytest.raises(ValueError, match="sample_weight must hold at least one positive weight"):
        loss(Y, S, sample_weight=np.zeros(6))


@pytest.mark.parametrize("loss", [*STATISTICS[7:], lambda y, s, **o: sk.expected_cost_loss(y, s > 0.5, **o, **COSTS)])
@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-160, 2.0**100, 1e200, 1.7e308])
def test_only_the_ratios_of_weights_matter_to_losses(loss, size):
    assert loss(Y, S, sample_weight=[size] * 6) == pytest.approx(loss(Y, S), rel=1e-15)


@every_statistic
def test_rows_that_weigh_nothing_are_absent(statistic):
    with pytest.raises(ValueError, match="y_true must hold both classes, got only one: 0"):
        statistic(Y, S, sample_weight=[1, 1, 1, 0, 0, 0])


@every_statistic
@pytest.mark.parametrize("container", [list, tuple, pd.Series, pl.Series])
def test_containers_are_alike(statistic, container):
    expected, got = statistic(Y, S), statistic(container(Y.tolist()), container(S.tolist()))
    if isinstance(expected, float):
        assert got == expected
    elif isinstance(expected, sk.CostCurve):
        np.testing.assert_array_equal(got.cost, expected.cost)
    else:
        np.testing.assert_array_equal(got.estimate, expected.estimate)


@pytest.mark.parametrize("labels", [Y.astype(bool), 2 * Y - 1, Y.astype(float), Y.astype(np.uint8), Y.astype(object)])
def test_customary_labels_need_no_pos_label(labels):
    assert float(sk.bootstrap_auc(labels, S)) == float(sk.bootstrap_auc(Y, S))


@pytest.mark.parametrize("level", [0, 1, -0.2, 1.5, np.nan, np.inf])
def test_levels_lie_inside_the_unit_interval(level):
    with pytest.raises(ValueError, match="confidence_level must lie strictly between 0 and 1"):
        sk.bootstrap_auc(Y, S).confidence_interval(level)


def test_level_must_be_a_number():
    with pytest.raises(TypeError, match=r"confidence_level must be a number in \(0, 1\), got 'high'"):
        sk.bootstrap_auc(Y, S).confidence_interval("high")


@pytest.mark.parametrize("result", [sk.bootstrap_auc(Y, S), sk.bootstrap_cost(Y, S)])
def test_unknown_names_are_answered_with_the_known_ones(result):
    with pytest.raises(ValueError, match=rf"method must be one of '{result.methods[0]}', .*got 'magic'"):
        result.confidence_interval(method="magic")
    with pytest.raises(ValueError, match="alternative must be one of 'two-sided', 'less', 'greater', got 'more'"):
        result.confidence_interval(alternative="more")


@pytest.mark.parametrize("statistic", STATISTICS[:3])
def test_sampling_is_one_of_two(statistic):
    with pytest.raises(ValueError, match="sampling must be one of 'stratified', 'full', got 'none'"):
        statistic(Y, S, sampling="none")


@pytest.mark.parametrize("statistic", STATISTICS[1:3])
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
