"""Metrics at a share of positives that another sample told, ``prevalence=(events, cases)``."""

import pickle
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import average_precision_score

import skcostci as sk

Y = np.repeat([1, 0], [40, 60])
PREDICTED = np.r_[np.ones(36), np.zeros(4), np.ones(5), np.zeros(55)].astype(int)
RNG = np.random.default_rng(2)
A, B = (RNG.normal(size=100) + shift * Y for shift in (1.5, 1.0))
OTHER = (12, 200)


def test_precision_where_the_share_is_that_of_another_sample():
    """36 of 40, 5 of 60, 12 of 200: limits of a throw-away prototype of the three strata."""
    precision = sk.bootstrap_metric(Y, PREDICTED, "precision", prevalence=OTHER)
    assert_allclose(precision.estimate, 0.9 * 0.06 / (0.9 * 0.06 + 0.94 / 12), rtol=1e-12)
    assert_allclose(precision.confidence_interval(), [0.125058, 0.686425], atol=2e-6)
    assert precision.estimand.name == "precision at prevalence 12 of 200"
    assert pickle.loads(pickle.dumps(precision)) == precision


@pytest.mark.parametrize("metric", ["precision", "npv", "f1", "kappa", "mcc", "accuracy"])
def test_standard_errors_are_those_of_three_samples_drawn(metric):
    rng, found = np.random.default_rng(0), sk.bootstrap_metric(Y, PREDICTED, metric, prevalence=(40, 200))
    tp, fp, share = rng.binomial(40, 0.9, 4000) / 40, rng.binomial(60, 1 / 12, 4000) / 60, rng.binomial(200, 0.2, 4000)
    cells = np.array([tp, 1 - tp, fp, 1 - fp]) * np.array([share, share, 200 - share, 200 - share])
    assert_allclose(found.standard_error, np.std(found.estimand.metric.at(*(1e6 * cells))), rtol=0.07)


@pytest.mark.parametrize("metric", ["precision", "f1", "net_benefit"])
def test_a_large_sample_makes_the_share_known_and_a_small_one_widens_every_limit(metric):
    ask = partial(sk.bootstrap_metric, Y, 1 / (1 + np.exp(-A)), metric, thresholds=[0.3, 0.6])
    few, many, known = (ask(prevalence=share) for share in ((6, 20), (3_000_000, 10_000_000), 0.3))
    assert_allclose(many.estimate, known.estimate, rtol=1e-12)
    assert_allclose(many.confidence_interval(), known.confidence_interval(), rtol=0.15)
    for wider, than in ((few, many), (many, known)):
        outer, inner = wider.confidence_interval(0.9), than.confidence_interval(0.9)
        assert np.all((outer.low <= inner.low + 1e-12) & (outer.high >= inner.high - 1e-12))


def test_differences_share_the_other_sample():
    labels = {"a": (A > 0.7).astype(int), "b": (B > 0.5).astype(int)}
    difference = sk.bootstrap_metric_difference(Y, *labels.values(), "f1", prevalence=OTHER)
    each = [sk.bootstrap_metric(Y, one, "f1", prevalence=OTHER) for one in labels.values()]
    assert_allclose(difference.estimate, each[0].estimate - each[1].estimate, rtol=1e-12)
    assert difference.standard_error < np.hypot(*[e.standard_error for e in each])
    compared = sk.compare_models(Y, labels, "f1", prevalence=OTHER)
    assert_allclose(compared.differences.confidence_interval().low, difference.confidence_interval().low)
    same = sk.bootstrap_metric_difference(Y, labels["a"], labels["a"], "f1", prevalence=OTHER)
    assert_allclose([same.estimate, same.standard_error], 0, atol=1e-12)


def test_average_precision_has_the_stratum_too():
    ask = partial(sk.bootstrap_average_precision, Y, A)
    sampled, known = ask(prevalence=OTHER), ask(prevalence=0.06)
    weights = np.where(Y == 1, 0.06 / 40, 0.94 / 60)
    assert_allclose(sampled.estimate, average_precision_score(Y, A, sample_weight=weights), rtol=1e-12)
    slope = (ask(prevalence=0.0601).estimate - ask(prevalence=0.0599).estimate) / 0.0002
    assert_allclose(sampled.standard_error**2 - known.standard_error**2, slope**2 * 0.06 * 0.94 / 200, rtol=1e-3)
    assert np.ptp(sampled.confidence_interval()) > np.ptp(known.confidence_interval())
    difference = sk.bootstrap_average_precision_difference(Y, A, B, prevalence=OTHER)
    low, high = difference.confidence_interval()
    assert low < difference.estimate < high


ALONE = "needs independent cases"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": (0, 9)}, r"events of prevalence=.*whole number in \[1, .*got 0"),
        ({"prevalence": (9, 9)}, "must have events and non-events, got 9"),
        ({"prevalence": (1, 2, 3)}, r"a share, or a pair \(events, cases\)"),
        ({"groups": Y}, ALONE),
        ({"folds": np.arange(100) % 2}, ALONE),
        ({"y_pred": A, "thresholds": "best"}, "needs thresholds chosen before"),
    ],
)
def test_what_it_does_not_go_with_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_metric(**{"y_true": Y, "y_pred": PREDICTED, "metric": "f1", "prevalence": OTHER, **options})


def test_what_average_precision_and_differences_refuse():
    for options, message in (({"groups": Y}, ALONE), ({"sampling": "full"}, "sampling must be 'stratif")):
        with pytest.raises(ValueError, match=message):
            sk.bootstrap_average_precision(Y, A, prevalence=OTHER, **options)
    with pytest.raises(ValueError, match="is of one sample for both results"):
        sk.independent_difference(*[sk.bootstrap_metric(Y, PREDICTED, "f1", prevalence=OTHER)] * 2)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["precision", "npv", "f1"])
@pytest.mark.parametrize("population", [(40, 60, 0.9, 0.08, 200, 0.06), (25, 100, 0.7, 0.02, 500, 0.02)])
def test_the_value_at_the_true_share_is_covered(metric, population):
    n, m, tpr, fpr, cases, share = population
    judged = sk.bootstrap_metric([1, 0], [1, 0], metric).estimand.metric
    true = judged.at(*(1e6 * np.array([tpr * share, (1 - tpr) * share, fpr * (1 - share), (1 - fpr) * (1 - share)])))
    rng, found = np.random.default_rng(1), []
    for _ in range(100):
        events, hits, alarms = int(rng.binomial(cases, share)), rng.binomial(n, tpr), rng.binomial(m, fpr)
        if events and hits + alarms:
            predicted = np.r_[np.arange(n) < hits, np.arange(m) < alarms].astype(int)
            result = sk.bootstrap_metric(np.repeat([1, 0], [n, m]), predicted, metric, prevalence=(events, cases))
            low, high = result.confidence_interval()
            found.append(low <= true <= high)
    assert np.mean(found) >= 0.92
