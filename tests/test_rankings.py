"""Measures of how the labels of a case are ranked: scikit-learn's values, means of cases, ranges, names."""

from functools import partial

import numpy as np
import pytest
import sklearn.metrics
from numpy.testing import assert_allclose

import skcostci as sk

RNG = np.random.default_rng(0)
TRUTH = (RNG.random((60, 5)) < [0.6, 0.4, 0.3, 0.2, 0.0]).astype(int)  # some have none, the last label is absent
TRUTH[0] = 1
A, B = (np.round(gap * TRUTH + RNG.normal(size=TRUTH.shape), 1) for gap in (1.0, 0.5))
GAINS = TRUTH * RNG.integers(1, 5, TRUTH.shape)
WEIGHTS = RNG.integers(0, 4, 60)
NAMES = ["label_ranking_average_precision_score", "coverage_error", "label_ranking_loss", "ndcg_score", "dcg_score"]
MOST = {"coverage_error": 5, "dcg_score": (1 / np.log2(np.arange(5) + 2)).sum()}


@pytest.mark.parametrize("name", NAMES)
def test_they_are_means_of_cases(name):
    function, most = getattr(sklearn.metrics, name), MOST.get(name, 1)
    found = sk.bootstrap_metric(TRUTH, A, name, sample_weight=WEIGHTS)
    expected = [function(TRUTH, scores, sample_weight=WEIGHTS) for scores in (A, B)]
    assert_allclose(found.estimate, expected[0], rtol=1e-12)
    assert found == sk.bootstrap_metric(TRUTH, A, function, sample_weight=WEIGHTS)
    difference = sk.bootstrap_metric_difference(TRUTH, A, B, name, sample_weight=WEIGHTS)
    assert_allclose(difference.estimate, expected[0] - expected[1], atol=1e-12)
    each = np.array([function(TRUTH[i : i + 1], A[i : i + 1]) for i in range(60)])
    mean, found = sk.bootstrap_mean(each, least=0, most=most), sk.bootstrap_metric(TRUTH, A, name)
    assert_allclose(found.standard_error, mean.standard_error, rtol=1e-9)
    assert_allclose(found.confidence_interval(), mean.confidence_interval(), atol=0.01 * most)
    folds = np.arange(60) % 3
    folded = sk.bootstrap_metric(TRUTH, A, name, folds=folds, groups=np.arange(60) // 6 * 3 + folds)
    assert_allclose(folded.fold_estimates, [each[folds == k].mean() for k in range(3)])
    assert_allclose(sk.compare_models(TRUTH, {"a": A, "b": B}, name).estimate[0], each.mean())


@pytest.mark.parametrize(
    ("function", "gains"),
    [
        (partial(sklearn.metrics.ndcg_score, k=3), TRUTH),
        (partial(sklearn.metrics.ndcg_score, ignore_ties=True), GAINS),
        (partial(sklearn.metrics.dcg_score, k=2, log_base=3), GAINS),
        (partial(sklearn.metrics.dcg_score, ignore_ties=True), TRUTH),
    ],
)
def test_options_and_gains(function, gains):
    found = sk.bootstrap_metric(gains, A, function)
    assert_allclose(found.estimate, function(gains, A), rtol=1e-12)
    low, high = found.confidence_interval()
    assert 0 <= low < found.estimate < high
    assert found.methods[0] == ("unseen_case" if np.isfinite(found.law.support).all() else "extrapolated")


def test_ends_are_known():
    perfect = sk.bootstrap_metric(TRUTH, TRUTH + 0.0, "label_ranking_loss")
    low, high = perfect.confidence_interval()
    assert (perfect.estimate, low) == (0, 0)
    assert 0 < high < 0.1
    with pytest.raises(ValueError, match="format is not supported"):
        sk.bootstrap_metric(GAINS, A, "label_ranking_loss")
