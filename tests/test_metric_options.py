"""What scikit-learn's metrics take beside labels: zero_division, normalize, adjusted and beta=0, to the digit."""

import math

import numpy as np
import pytest
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning

import skcostci as sk

RNG = np.random.default_rng(4)
TRUTH = RNG.integers(0, 3, 60)
GUESS = np.where(RNG.random(60) < 0.6, TRUTH, RNG.integers(0, 2, 60))  # class 2 is predicted by chance alone
GUESS[GUESS == 2] = 1
OTHER = np.where(RNG.random(60) < 0.5, TRUTH, 0)
COUNTS = RNG.integers(0, 4, 60)


@pytest.mark.parametrize("zero_division", [0, 1, math.nan])
def test_two_classes_without_a_prediction(zero_division):
    truth, nobody = [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]
    found = sk.bootstrap_metric(truth, nobody, "precision", zero_division=zero_division)
    expected = metrics.precision_score(truth, nobody, zero_division=zero_division)
    assert found.estimate == pytest.approx(expected, nan_ok=True)
    assert tuple(found.confidence_interval()) == (0, 1)
    plain = sk.bootstrap_metric(TRUTH > 0, GUESS > 0, "precision")  # has a value, and nothing changes
    assert sk.bootstrap_metric(TRUTH > 0, GUESS > 0, "precision", zero_division=zero_division) == plain
    with pytest.warns(UndefinedMetricWarning, match="precision has no value: 0 is used"):
        assert sk.bootstrap_metric(truth, nobody, "precision", zero_division="warn").estimate == 0
    with pytest.raises(ValueError, match="precision is undefined: no predicted positives"):
        sk.bootstrap_metric(truth, nobody, "precision")


@pytest.mark.parametrize("name", ["accuracy", "zero_one"])
@pytest.mark.parametrize("counts", [None, COUNTS], ids=["cases", "counts"])
def test_numbers_of_cases(name, counts):
    score = metrics.accuracy_score if name == "accuracy" else metrics.zero_one_loss
    weights, cases = {"sample_weight": counts}, 60 if counts is None else counts.sum()
    share, number = (sk.bootstrap_metric(TRUTH, GUESS, name, normalize=each, **weights) for each in (True, False))
    assert number.estimate == pytest.approx(score(TRUTH, GUESS, normalize=False, **weights), rel=1e-12)
    assert number.standard_error == pytest.approx(cases * share.standard_error, rel=1e-12)
    np.testing.assert_allclose(number.confidence_interval(), cases * np.array(share.confidence_interval()))
    ask = sk.bootstrap_metric_difference
    share, number = (ask(TRUTH, GUESS, OTHER, name, normalize=each, **weights) for each in (True, False))
    assert number.estimate == pytest.approx(cases * share.estimate)
    assert number.pvalue() == pytest.approx(share.pvalue())


@pytest.mark.parametrize("classes", [2, 3])
def test_balanced_accuracy_beyond_chance(classes):
    truth, guess, other = (np.minimum(each, classes - 1) for each in (TRUTH, GUESS, OTHER))
    plain, found = (sk.bootstrap_metric(truth, guess, "balanced_accuracy", adjusted=each) for each in (False, True))
    assert found.estimate == pytest.approx(metrics.balanced_accuracy_score(truth, guess, adjusted=True), rel=1e-12)
    low, high = plain.confidence_interval()
    expected = [(each - 1 / classes) / (1 - 1 / classes) for each in (low, high)]
    np.testing.assert_allclose(found.confidence_interval(), expected)
    difference = sk.bootstrap_metric_difference(truth, guess, other, "balanced_accuracy", adjusted=True)
    each = [metrics.balanced_accuracy_score(truth, model, adjusted=True) for model in (guess, other)]
    assert difference.estimate == pytest.approx(each[0] - each[1], rel=1e-12)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_among_some_labels(weights):
    truth, guess = RNG.integers(0, 4, (2, 80))
    expected = metrics.cohen_kappa_score(truth, guess, labels=[3, 1, 0], weights=weights)
    found = sk.bootstrap_metric(truth, guess, "kappa", labels=[3, 1, 0], kappa_weights=weights)
    assert found.estimate == pytest.approx(expected, rel=1e-12)
    kept = np.isin(truth, [0, 1, 3]) & np.isin(guess, [0, 1, 3])
    alone = sk.bootstrap_metric(truth[kept], guess[kept], "kappa", labels=[3, 1, 0], kappa_weights=weights)
    assert found.confidence_interval() == alone.confidence_interval()
    with pytest.raises(ValueError, match="labels must contain every label that occurs"):
        sk.bootstrap_metric_difference(truth, guess, truth, "kappa", labels=[3, 1, 0], kappa_weights=weights)
    with pytest.raises(ValueError, match="labels must include the true and the predicted label"):
        sk.bootstrap_metric([0, 1, 2], [1, 2, 0], "kappa", labels=[0], kappa_weights=weights)


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("precision", {"zero_division": 0.5}, "zero_division must be 0, 1, nan or 'warn', got 0.5"),
        ("f1", {"zero_division": math.nan, "average": None}, "zero_division=nan is for averages"),
        ("accuracy", {"zero_division": 0}, "zero_division is for ratios of counts, such as precision and f1, not for"),
        ("f1", {"normalize": False, "average": "macro"}, "normalize=False is available for shares of cases"),
        ("accuracy", {"normalize": False, "folds": np.arange(60) % 3}, "leave folds out"),
        ("f1", {"adjusted": True, "average": "macro"}, "adjusted=True is available for balanced_accuracy, not for f1"),
    ],
)
def test_what_does_not_go_together_is_said(metric, options, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_metric(TRUTH, GUESS, metric, **options)


def test_costs_of_all_cases_together():
    costs = [[0, 1, 2], [4, 0, 1], [2, 7, 0]]
    asked = {"sample_weight": COUNTS}
    of_one, of_all = (sk.bootstrap_expected_cost(TRUTH, GUESS, costs, normalize=n, **asked) for n in (True, False))
    table = metrics.confusion_matrix(TRUTH, GUESS, sample_weight=COUNTS)
    assert of_all.estimate == pytest.approx((table * costs).sum(), rel=1e-12)
    for method in of_one.methods:
        each, together = (result.confidence_interval(method=method) for result in (of_one, of_all))
        np.testing.assert_allclose(together, COUNTS.sum() * np.array(each), rtol=1e-9)
    apart = sk.bootstrap_expected_cost_difference(TRUTH, GUESS, TRUTH, costs, normalize=False)
    assert apart.estimate == pytest.approx((metrics.confusion_matrix(TRUTH, GUESS) * costs).sum(), rel=1e-12)
    weights = {"sample_weight": COUNTS / 2, "weight_type": "importance"}
    with pytest.raises(ValueError, match="normalize=False needs whole-number counts"):
        sk.bootstrap_expected_cost(TRUTH, GUESS, costs, normalize=False, **weights)
    with pytest.raises(TypeError, match="normalize must be True or False"):
        sk.bootstrap_expected_cost(TRUTH, GUESS, costs, normalize="all")


@pytest.mark.parametrize("empty", [0, 1])
def test_scorers_take_zero_division(empty):
    tags = np.eye(4, dtype=int)[TRUTH] * [1, 0, 1, 0]
    asked = [("precision", TRUTH > 0, False), ("precision_macro", TRUTH, 0), ("f1_samples", tags, [0] * 4)]
    for name, truth, guess in asked:
        model = DummyClassifier(strategy="constant", constant=guess).fit(truth, truth)
        metric, average = f"{name}_binary".split("_")[:2]
        options = {"average": average, "zero_division": empty}
        expected = getattr(metrics, f"{metric}_score")(truth, model.predict(truth), **options)
        found = sk.make_metric_scorer(name, zero_division=empty)(model, truth, truth)
        assert found == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="zero_division must be 0, 1, nan or 'warn'"):
        sk.make_metric_scorer("f1", zero_division=2)
