"""Several labels a case: scikit-learn's values, resampled cases, limits and refusals."""

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from numpy.testing import assert_allclose
from sklearn.neighbors import KNeighborsClassifier

import skcostci as sk

RNG = np.random.default_rng(0)
TRUTH = (RNG.random((80, 5)) < [0.5, 0.3, 0.2, 0.1, 0.0]).astype(int)  # the last label is absent
GUESS, OTHER = (np.where(RNG.random((80, 5)) < right, TRUTH, 1 - TRUTH) for right in (0.8, 0.7))
AVERAGES = ["micro", "macro", "weighted", "samples", None]


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", ["f1", "precision", "recall", "jaccard"])
@pytest.mark.parametrize("weighted", [False, True])
def test_estimates_are_scikit_learns(name, average, weighted):
    weights = RNG.integers(0, 3, 80) if weighted else None
    metric = getattr(sklearn.metrics, f"{name}_score")
    expected = [metric(TRUTH, each, average=average, sample_weight=weights, zero_division=0) for each in (GUESS, OTHER)]
    found = sk.bootstrap_metric(TRUTH, GUESS, name, average=average, sample_weight=weights)
    assert_allclose(found.estimate, expected[0], rtol=1e-12)
    difference = sk.bootstrap_metric_difference(TRUTH, GUESS, OTHER, name, average=average, sample_weight=weights)
    assert_allclose(difference.estimate, expected[0] - expected[1], atol=1e-12)
    low, high = found.confidence_interval()
    assert np.all(low <= found.estimate)
    assert np.all(found.estimate <= high)
    rows = np.arange(80) if weights is None else np.repeat(np.arange(80), weights)
    repeated = sk.bootstrap_metric(TRUTH[rows], GUESS[rows], name, average=average)
    assert_allclose(found.confidence_interval(), repeated.confidence_interval(), rtol=1e-9)
    if average is not None:
        assert sk.bootstrap_metric(TRUTH, GUESS, f"{name}_{average}", sample_weight=weights) == found


def test_whole_cases():
    accuracy, hamming = (sk.bootstrap_metric(TRUTH, GUESS, name) for name in ("accuracy", "hamming"))
    assert_allclose(accuracy.estimate, sklearn.metrics.accuracy_score(TRUTH, GUESS))
    assert_allclose(hamming.estimate, sklearn.metrics.hamming_loss(TRUTH, GUESS))
    expected = sk.bootstrap_metric(np.ones(80, int), (TRUTH == GUESS).all(axis=1).astype(int), "accuracy")
    assert_allclose(accuracy.standard_error, expected.standard_error, rtol=1e-12)
    assert_allclose(accuracy.confidence_interval(), expected.confidence_interval(), atol=0.01)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
def test_standard_errors_are_those_of_resampled_cases(average):
    truth, guess = TRUTH[:, :3], GUESS[:, :3]
    rng, groups = np.random.default_rng(1), np.arange(80) // 4
    found = sk.bootstrap_metric(truth, guess, "f1", average=average)
    score = lambda i: sklearn.metrics.f1_score(truth[i], guess[i], average=average, zero_division=0)  # noqa: E731
    assert_allclose(found.standard_error, np.std([score(rng.integers(0, 80, 80)) for _ in range(300)]), rtol=0.12)
    drawn = [(4 * rng.integers(0, 20, 20)[:, None] + np.arange(4)).ravel() for _ in range(300)]
    grouped = sk.bootstrap_metric(truth, guess, "f1", average=average, groups=groups)
    assert_allclose(grouped.standard_error, np.std([score(i) for i in drawn]), rtol=0.12)
    folds = np.arange(80) % 4
    folded = sk.bootstrap_metric(truth, guess, "f1", average=average, folds=folds)
    assert_allclose(folded.fold_estimates, [score(np.flatnonzero(folds == k)) for k in range(4)])


def test_labels_have_the_names_of_the_columns():
    names = list("abcde")
    found = sk.bootstrap_metric(pd.DataFrame(TRUTH, columns=names), GUESS, "recall", average=None)
    assert found.labels.tolist() == names
    assert found.to_frame()["label"].tolist() == names
    low, high = found.confidence_interval()
    assert (low[-1], high[-1]) == (0, 1)  # of a label that no case has nothing is known


@pytest.mark.parametrize("average", AVERAGES)
def test_influences_are_those_of_repeated_cases(average):
    """A standard error is the root of the sum of squares of what dropping a little of a case changes."""
    weights, step = np.ones(80), 1e-5

    def score(w):
        return sklearn.metrics.f1_score(TRUTH, GUESS, average=average, sample_weight=w, zero_division=0)

    moved = [(score(weights + step * one) - score(weights - step * one)) / (2 * step) for one in np.eye(80)]
    found = sk.bootstrap_metric(TRUTH, GUESS, "f1", average=average)
    assert_allclose(found.standard_error, np.sqrt(np.square(moved).sum(axis=0)), rtol=1e-5, atol=1e-9)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(("name", "average"), [("f1", "macro"), ("jaccard", "samples"), ("precision", "micro")])
def test_comparisons_and_scorers_take_tables(name, average):
    metric, by = getattr(sklearn.metrics, f"{name}_score"), np.arange(80) % 2
    expected = [metric(TRUTH, each, average=average) for each in (GUESS, OTHER)]
    compared = sk.compare_models(TRUTH, {"a": GUESS, "b": OTHER}, name, average=average)
    assert_allclose(compared.estimate, expected, rtol=1e-12)
    difference = sk.bootstrap_metric_difference(TRUTH, GUESS, OTHER, name, average=average)
    assert_allclose(np.ravel(compared.differences.confidence_interval()), difference.confidence_interval())
    apart = sk.compare_groups(TRUTH, GUESS, by, f"{name}_{average}", groups=np.arange(80) // 4 * 2 + by)
    assert_allclose(apart.estimate, [metric(TRUTH[by == k], GUESS[by == k], average=average) for k in (0, 1)])
    folded = sk.compare_models(TRUTH, {"a": GUESS, "b": OTHER}, name, average=average, folds=by)
    assert_allclose(folded.estimate[0], apart.estimate.mean())
    model = KNeighborsClassifier(3).fit(TRUTH + RNG.normal(size=TRUTH.shape), TRUTH)
    predicted = model.predict(TRUTH)
    weights = RNG.random(80)
    for scorer in (sk.make_metric_scorer(name, average=average), sk.make_metric_scorer(f"{name}_{average}")):
        assert_allclose(scorer(model, TRUTH, TRUTH), metric(TRUTH, predicted, average=average))
        weighted = metric(TRUTH, predicted, average=average, sample_weight=weights)
        assert_allclose(scorer(model, TRUTH, TRUTH, sample_weight=weights), weighted)
    low = sk.make_metric_scorer(name, average=average, bound="low")(model, TRUTH, TRUTH)
    assert low == sk.bootstrap_metric(TRUTH, predicted, name, average=average).confidence_interval().low


def test_tables_go_by_name_and_weights_may_be_of_importance():
    names, weights = list("abcde"), RNG.gamma(2.0, size=80)
    truth, guess = (pd.DataFrame(each, columns=names) for each in (TRUTH, GUESS))
    how = {"average": "weighted", "sample_weight": weights, "weight_type": "importance"}
    found = sk.bootstrap_metric(truth, guess[names[::-1]], "f1", **how)
    expected = sklearn.metrics.f1_score(TRUTH, GUESS, average="weighted", sample_weight=weights)
    assert_allclose(found.estimate, expected, rtol=1e-12)
    how["sample_weight"] = 3.7 * weights
    assert_allclose(found.confidence_interval(), sk.bootstrap_metric(TRUTH, GUESS, "f1", **how).confidence_interval())
    assert found.effective_cases < 80


@pytest.mark.slow
@pytest.mark.parametrize(("average", "n", "right"), [("macro", 100, 0.9), ("samples", 200, 0.75)])
def test_averages_over_labels_are_covered(average, n, right):
    def draw(size, rng):
        truth = (rng.random((size, 6)) < [0.4, 0.3, 0.25, 0.2, 0.15, 0.1]).astype(int)
        return truth, np.where(rng.random((size, 6)) < right, truth, 1 - truth)

    population = sk.bootstrap_metric(*draw(200_000, np.random.default_rng(0)), "f1", average=average).estimate
    covered = 0
    for seed in range(300):
        low, high = sk.bootstrap_metric(
            *draw(n, np.random.default_rng(seed + 1)), "f1", average=average
        ).confidence_interval()
        covered += low <= population <= high
    assert covered >= 0.93 * 300


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sk.bootstrap_metric(TRUTH, GUESS, "f1"), "average must be one of 'micro', .* got 'binary'"),
        (lambda: sk.bootstrap_metric(TRUTH, GUESS, "kappa"), "y_true must have one label per case for kappa"),
        (
            lambda: sk.bootstrap_metric(TRUTH, GUESS, "accuracy", average="macro"),
            "average is not available for accuracy",
        ),
        (
            lambda: sk.bootstrap_metric(TRUTH, GUESS[:, :3], "f1", average="macro"),
            "y_pred must have y_true's shape",
        ),
        (lambda: sk.bootstrap_metric(TRUTH, 2 * GUESS, "f1", average="macro"), "y_pred must contain 1 where .* got 2"),
        (
            lambda: sk.bootstrap_metric(TRUTH, GUESS, "f1", average="macro", pos_label=1),
            "one-dimensional with pos_label",
        ),
        (lambda: sk.bootstrap_metric([0, 1, 1], [0, 1, 0], "f1", average="samples"), "several labels per case"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_limits_of_a_label_are_its_own():
    """Those of one label do not depend on how far cases of the other labels reach."""
    rng = np.random.default_rng(1)
    truth = (rng.random((60, 3)) < [0.2, 0.4, 0.6]).astype(int)
    a = rng.normal(size=(60, 3)) + [2, 1, 0.3] * truth
    b = a + rng.normal(size=(60, 3)) / 2
    for ask in (sk.bootstrap_average_precision_difference, sk.bootstrap_auc_difference):
        whole = np.array(ask(truth, a, b, average=None).confidence_interval())
        few = np.array(ask(truth[:, 1:], a[:, 1:], b[:, 1:], average=None).confidence_interval())
        assert_allclose(few, whole[:, 1:], rtol=1e-12)
