"""Several labels a case, given or ranked: scikit-learn's values, resampled cases, limits and refusals."""

from functools import partial

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


def test_whole_cases():
    accuracy, hamming = (sk.bootstrap_metric(TRUTH, GUESS, name) for name in ("accuracy", "hamming"))
    assert_allclose(accuracy.estimate, sklearn.metrics.accuracy_score(TRUTH, GUESS))
    assert_allclose(hamming.estimate, sklearn.metrics.hamming_loss(TRUTH, GUESS))
    expected = sk.bootstrap_metric(np.ones(80, int), (TRUTH == GUESS).all(axis=1).astype(int), "accuracy")
    assert_allclose(accuracy.standard_error, expected.standard_error, rtol=1e-12)
    assert_allclose(accuracy.confidence_interval(), expected.confidence_interval(), atol=0.01)


def test_labels_have_the_names_of_the_columns():
    names = list("abcde")
    found = sk.bootstrap_metric(pd.DataFrame(TRUTH, columns=names), GUESS, "recall", average=None)
    assert found.labels.tolist() == names
    assert found.to_frame()["label"].tolist() == names
    low, high = found.confidence_interval()
    assert (low[-1], high[-1]) == (0, 1)  # of a label that no case has nothing is known


@pytest.mark.parametrize("average", AVERAGES)
def test_influences_are_those_of_repeated_cases(average):
    """A standard error is the root of the sum of squares of what a little more of a case, or of a group, changes."""

    def score(weights, rows=slice(None)):
        how = {"average": average, "sample_weight": weights, "zero_division": 0}
        return sklearn.metrics.f1_score(truth[rows], guess[rows], **how)

    truth, guess = TRUTH[:40], GUESS[:40]
    whole, groups, folds = score(np.ones(40)), np.arange(40) // 4, np.arange(40) % 4
    moved = np.array([(score(1 + 1e-6 * one) - whole) / 1e-6 for one in np.eye(40)])
    together = moved.reshape(10, 4, -1).sum(axis=1)
    for asked, expected in (({}, moved), ({"groups": groups}, together)):
        found = sk.bootstrap_metric(truth, guess, "f1", average=average, **asked).standard_error
        assert_allclose(found, np.sqrt(np.square(expected).sum(axis=0)).reshape(np.shape(found)), rtol=1e-5, atol=1e-9)
    folded = sk.bootstrap_metric(truth, guess, "f1", average=average, folds=folds).fold_estimates
    assert_allclose(folded, [score(None, folds == k) for k in range(4)], rtol=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(("name", "average"), [("f1", "macro"), ("jaccard", "samples"), ("precision", "micro")])
def test_comparisons_and_scorers_take_tables(name, average):
    metric, by = partial(getattr(sklearn.metrics, f"{name}_score"), average=average), np.arange(80) % 2
    models = {"a": GUESS, "b": OTHER}
    compared = sk.compare_models(TRUTH, models, name, average=average)
    assert_allclose(compared.estimate, [metric(TRUTH, each) for each in models.values()], rtol=1e-12)
    difference = sk.bootstrap_metric_difference(TRUTH, GUESS, OTHER, name, average=average)
    assert_allclose(np.ravel(compared.differences.confidence_interval()), difference.confidence_interval())
    apart = sk.compare_groups(TRUTH, GUESS, by, f"{name}_{average}", groups=np.arange(80) // 4 * 2 + by)
    assert_allclose(apart.estimate, [metric(TRUTH[by == k], GUESS[by == k]) for k in (0, 1)])
    folded = sk.compare_models(TRUTH, models, name, average=average, folds=by)
    assert_allclose(folded.estimate[0], apart.estimate.mean())
    model, weights = KNeighborsClassifier(3).fit(TRUTH + RNG.normal(size=TRUTH.shape), TRUTH), RNG.random(80)
    predicted = model.predict(TRUTH)
    for scorer in (sk.make_metric_scorer(name, average=average), sk.make_metric_scorer(f"{name}_{average}")):
        weighted = metric(TRUTH, predicted, sample_weight=weights)
        assert_allclose(scorer(model, TRUTH, TRUTH, sample_weight=weights), weighted)
    low = sk.make_metric_scorer(name, average=average, bound="low")(model, TRUTH, TRUTH)
    assert low == sk.bootstrap_metric(TRUTH, predicted, name, average=average).confidence_interval().low


def test_tables_go_by_name_and_weights_may_be_of_importance():
    names, weights = list("abcde"), RNG.gamma(2.0, size=80)
    truth, guess = (pd.DataFrame(each, columns=names) for each in (TRUTH, GUESS))
    how = {"average": "weighted", "sample_weight": weights}
    found = sk.bootstrap_metric(truth, guess[names[::-1]], "f1", **how, weight_type="importance")
    assert_allclose(found.estimate, sklearn.metrics.f1_score(TRUTH, GUESS, **how), rtol=1e-12)
    assert found.effective_cases < 80


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ((TRUTH, GUESS, "f1"), {}, "average must be one of 'micro', .* got 'binary'"),
        ((TRUTH, GUESS, "kappa"), {}, "y_true must have one label per case for kappa"),
        ((TRUTH, GUESS, "accuracy"), {"average": "macro"}, "average is not available for accuracy"),
        ((TRUTH, GUESS[:, :3], "f1"), {"average": "macro"}, "y_pred must have y_true's shape"),
        ((TRUTH, 2 * GUESS, "f1"), {"average": "macro"}, "y_pred must contain 1 where .* got 2"),
        ((TRUTH, GUESS, "f1"), {"average": "macro", "pos_label": 1}, "one-dimensional with pos_label"),
        (([0, 1, 1], [0, 1, 0], "f1"), {"average": "samples"}, "several labels per case"),
    ],
)
def test_what_does_not_fit_is_refused(given, options, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_metric(*given, **options)


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


TAGS = np.vstack([np.ones((1, 5), int), TRUTH])  # a case has all labels, some have none
FIRST, SECOND = (np.round(gap * TAGS + RNG.normal(size=TAGS.shape), 1) for gap in (1.0, 0.5))
GAINS = TAGS * RNG.integers(1, 5, TAGS.shape)
WEIGHTS = RNG.integers(0, 4, 81)
NAMES = ["label_ranking_average_precision_score", "coverage_error", "label_ranking_loss", "ndcg_score", "dcg_score"]
MOST = {"coverage_error": 5, "dcg_score": (1 / np.log2(np.arange(5) + 2)).sum()}


@pytest.mark.parametrize("name", NAMES)
def test_they_are_means_of_cases(name):
    function, most = getattr(sklearn.metrics, name), MOST.get(name, 1)
    found = sk.bootstrap_metric(TAGS, FIRST, name, sample_weight=WEIGHTS)
    expected = [function(TAGS, scores, sample_weight=WEIGHTS) for scores in (FIRST, SECOND)]
    assert_allclose(found.estimate, expected[0], rtol=1e-12)
    assert found == sk.bootstrap_metric(TAGS, FIRST, function, sample_weight=WEIGHTS)
    difference = sk.bootstrap_metric_difference(TAGS, FIRST, SECOND, name, sample_weight=WEIGHTS)
    assert_allclose(difference.estimate, expected[0] - expected[1], atol=1e-12)
    each = np.array([function(TAGS[i : i + 1], FIRST[i : i + 1]) for i in range(81)])
    mean, found = sk.bootstrap_mean(each, least=0, most=most), sk.bootstrap_metric(TAGS, FIRST, name)
    assert_allclose(found.standard_error, mean.standard_error, rtol=1e-9)
    assert_allclose(found.confidence_interval(), mean.confidence_interval(), atol=0.01 * most)
    folds = np.arange(81) % 3
    folded = sk.bootstrap_metric(TAGS, FIRST, name, folds=folds, groups=np.arange(81) // 6 * 3 + folds)
    assert_allclose(folded.fold_estimates, [each[folds == k].mean() for k in range(3)])
    assert_allclose(sk.compare_models(TAGS, {"a": FIRST, "b": SECOND}, name).estimate[0], each.mean())


@pytest.mark.parametrize(
    ("function", "gains"),
    [
        (partial(sklearn.metrics.ndcg_score, k=3), TAGS),
        (partial(sklearn.metrics.ndcg_score, ignore_ties=True), GAINS),
        (partial(sklearn.metrics.dcg_score, k=2, log_base=3), GAINS),
        (partial(sklearn.metrics.dcg_score, ignore_ties=True), TAGS),
    ],
)
def test_options_and_gains(function, gains):
    found = sk.bootstrap_metric(gains, FIRST, function)
    assert_allclose(found.estimate, function(gains, FIRST), rtol=1e-12)
    low, high = found.confidence_interval()
    assert 0 <= low < found.estimate < high
    assert found.methods[0] == ("unseen_case" if np.isfinite(found.law.support).all() else "extrapolated")


def test_ends_are_known():
    perfect = sk.bootstrap_metric(TAGS, TAGS + 0.0, "label_ranking_loss")
    low, high = perfect.confidence_interval()
    assert (perfect.estimate, low) == (0, 0)
    assert 0 < high < 0.1
    with pytest.raises(ValueError, match="format is not supported"):
        sk.bootstrap_metric(GAINS, FIRST, "label_ranking_loss")
