"""Where scores are cut: thresholds that are computed meet the scores that they mean."""

import numpy as np
import pytest

import skcostci as sk

HUNDREDTHS = np.arange(101)  # a forest of 100 trees gives risks k/100; exact in whole numbers
RISKS = np.tile(HUNDREDTHS / 100, 2)
TRUTH = np.repeat([0, 1], 101)


def costs_of_hundredths() -> np.ndarray:
    """At PC(+) = k/100 a risk of j/100 is positive where j >= 100 - k, counted in whole numbers."""
    reached = HUNDREDTHS[None, :] >= 100 - HUNDREDTHS[:, None]
    w = HUNDREDTHS / 100
    return w * (~reached).mean(axis=1) + (1 - w) * reached.mean(axis=1)


EITHER = pytest.mark.parametrize("kind", [np.float64, np.float32])


@EITHER
@pytest.mark.parametrize("rule", ["probability", sk.probability_thresholds, lambda pc: 1 - pc])
def test_a_computed_threshold_meets_the_risk_that_it_means(kind, rule):
    scores, w = RISKS.astype(kind), HUNDREDTHS / 100
    result = sk.bootstrap_cost(TRUTH, scores, probability_cost=w, thresholds=rule)
    np.testing.assert_allclose(result.estimate, costs_of_hundredths(), atol=1e-12)
    differences = sk.bootstrap_cost_difference(TRUTH, scores, 1 - RISKS, probability_cost=w, thresholds=rule)
    other = sk.bootstrap_cost(TRUTH, 1 - RISKS, probability_cost=w, thresholds=rule)
    np.testing.assert_allclose(differences.estimate, result.estimate - other.estimate, atol=1e-12)
    groups = np.arange(202) % 60
    grouped = sk.bootstrap_cost(TRUTH, scores, probability_cost=w, thresholds=rule, groups=groups)
    np.testing.assert_allclose(grouped.estimate, costs_of_hundredths(), atol=1e-12)


@EITHER
@pytest.mark.parametrize("risks", [lambda k, one: k * (one / 100), lambda k, one: one - (100 - k) * (one / 100)])
def test_risks_may_have_been_computed_in_their_own_precision(kind, risks):
    risks = np.clip(np.tile(risks(HUNDREDTHS.astype(kind), kind(1)), 2), 0, 1)
    assert risks.dtype == kind
    w = HUNDREDTHS / 100
    result = sk.bootstrap_cost(TRUTH, risks, probability_cost=w[1:-1], thresholds="probability")
    np.testing.assert_allclose(result.estimate, costs_of_hundredths()[1:-1], atol=1e-12)


@EITHER
def test_so_do_losses_comparisons_and_pictures(kind):
    scores = RISKS.astype(kind)
    display = sk.CostCurveDisplay.from_predictions(TRUTH, scores, thresholds="probability")
    np.testing.assert_allclose(display.cost, costs_of_hundredths(), atol=1e-12)
    for k, right in list(zip(HUNDREDTHS, costs_of_hundredths(), strict=True))[::9]:
        assert sk.normalized_cost_loss(TRUTH, scores, probability_cost=k / 100) == pytest.approx(right, abs=1e-12)
    models = {"a": scores, "b": 1 - scores}
    found = sk.compare_models(TRUTH, models, "cost", probability_cost=0.42, thresholds="probability")
    assert found.estimate[0] == pytest.approx(costs_of_hundredths()[42], abs=1e-12)


def test_a_risk_may_reach_a_threshold_of_one_and_cannot_miss_one_of_zero():
    """At PC(+) = 1 all are labelled positive, whatever their risks; at 0 those that are certain."""
    y, a, b = [0, 0, 1, 1], [0.1, 0.3, 0.4, 0.8], [0.2, 0.3, 0.4, 0.8]
    asked = {"probability_cost": [0.0, 1.0], "thresholds": "probability"}
    result = sk.bootstrap_cost(y, a, **asked)
    low, high = result.confidence_interval()
    assert (low[1], high[1]) == (0.0, 0.0)
    assert high[0] > 0.5
    difference = sk.bootstrap_cost_difference(y, a, b, **asked)
    assert np.diff(np.array(difference.confidence_interval()), axis=0)[0, 1] == 0


@pytest.mark.parametrize("size", [1e-18, 1e-9, 1.0, 1e6])
def test_scores_that_differ_by_more_than_rounding_stay_apart(size):
    scores = size * np.array([1.0, 1.01, 1.0, 1.01])
    result = sk.bootstrap_cost([0, 0, 1, 1], scores, probability_cost=0.5, thresholds=lambda pc: 1.005 * size + 0 * pc)
    assert float(result) == 0.5
    rates = sk.bootstrap_cost([0, 0, 1, 1], scores, probability_cost=0.0, thresholds=lambda pc: 1.02 * size + 0 * pc)
    assert float(rates) == 0.0


def test_a_hundred_units_in_the_last_place_are_no_rounding_of_a_threshold():
    for off, cost in ((0.0, 0.0), (1e-14, 0.42)):
        scores = [0.1, 0.58 - off]
        assert float(sk.bootstrap_cost([0, 1], scores, probability_cost=0.42, thresholds="probability")) == cost
    typed = sk.bootstrap_metric([0, 1], [0.5, 0.5], "recall", thresholds=np.nextafter(0.5, 1))
    assert float(typed) == 0.0


def test_returned_thresholds_can_be_typed_and_label_neither_everybody_nor_nobody():
    """They go to ``FixedThresholdClassifier``, which knows nothing of rounding."""
    assert sk.probability_thresholds(HUNDREDTHS / 100).tolist() == (HUNDREDTHS[::-1] / 100).tolist()
    assert sk.probability_thresholds(1 / 3) == 1 - 1 / 3  # no short decimal is near
    assert 0 < sk.probability_thresholds(np.nextafter(1, 0)) < 1e-15
    assert 1 - 1e-15 < sk.probability_thresholds(1e-16) < 1


def test_where_two_thresholds_cost_the_same_the_larger_counts_for_all_the_rounding():
    """Of ten positives 7 and of ten negatives 3 score 1: at PC(+) = .3 they are as well labelled as left."""
    y_true, y_score = [1] * 10 + [0] * 10, [1] * 7 + [0] * 3 + [1] * 3 + [0] * 7
    for condition in (0.3, 0.1 + 0.2, np.nextafter(0.3, 1), 1 - 0.7):
        assert sk.cost_minimizing_thresholds(y_true, y_score, condition) == np.inf
    assert sk.cost_minimizing_thresholds(y_true, y_score, 0.3 + 1e-9) == 1
