"""Differences of metrics between two models on the same cases: exact moments, intervals, p-values."""

from itertools import product

import numpy as np
import oracles
import pytest
from budget import assert_places, assert_standard_errors
from numpy.testing import assert_allclose
from public import METRICS

import skcostci as sk

rng = np.random.default_rng(2)
Y = np.repeat([0, 1], [50, 30])
A = (rng.normal(size=80) + 1.5 * Y > 0.7).astype(int)
B = np.where(rng.random(80) < 0.7, A, (rng.normal(size=80) + 0.5 * Y > 0.3).astype(int))
SCORES = rng.normal(size=(2, 80)) + Y


def of_cells(cells, metric, sampling):
    """The difference of a metric on such cases."""
    y, a, b = (np.repeat(labels, cells) for labels in ([1] * 4 + [0] * 4, [1, 1, 0, 0] * 2, [1, 0, 1, 0] * 2))
    return sk.bootstrap_metric_difference(y, a, b, metric, sampling=sampling)


def both_tables(p, n):
    """The confusion tables of a and of b, from the joint cells (both, a, b, neither) of positives and of negatives."""
    a = p[0] + p[1], p[2] + p[3], n[0] + n[1], n[2] + n[3]
    return a, (p[0] + p[2], p[1] + p[3], n[0] + n[2], n[1] + n[3])


@pytest.mark.parametrize("name", ["npv", "f1", "lr_positive"])
def test_moments_are_those_of_all_resamples(name):
    """Others, and under full sampling, in test_enumeration."""
    law, cells = {}, (1, 1, 1, 1, 1, 1, 0, 2)
    drawn = [[(times, oracles.orderings(times)) for times in oracles.compositions(4, 4)]] * 2
    for (p, ways), (n, more) in product(*drawn):
        chance = ways * more * np.prod(np.power(np.array(cells) / 4, [*p, *n]))
        values = [oracles.metric_of_table(name, table) for table in both_tables(p, n)] if chance else [None]
        value = None if None in values else values[0] - values[1]
        law[value] = law.get(value, 0) + chance
    undefined = law.pop(None, 0.0)
    values, chances = np.array(list(law), dtype=float), np.array(list(law.values())) / (1 - undefined)
    found, mean = of_cells(cells, name, "stratified"), chances @ values
    assert_allclose(found.undefined, undefined, atol=1e-14)
    assert_allclose(
        [found.mean, found.standard_error**2], [mean, chances @ (values - mean) ** 2], rtol=1e-11, atol=1e-13
    )


@pytest.mark.parametrize("name", ["kappa", "mcc"])
@pytest.mark.parametrize("cells", [(9, 2, 3, 6, 4, 3, 0, 23), (60, 20, 15, 55, 9, 2, 4, 385)])
def test_moments_of_many_cases_are_those_of_the_joint_table(name, cells):
    """Hits of both models among the cases of a class are a power of the law of one draw."""
    tables = []
    for both, a_only, b_only, neither in np.reshape(cells, (2, 4)):
        size = both + a_only + b_only + neither
        once = np.fft.fft2(np.array([[neither, b_only], [a_only, both]]) / size, (size + 1, size + 1))
        tables.append(np.fft.ifft2(once**size).real)
    hits, alarms = (np.arange(float(len(table))) for table in tables)
    p, n = len(hits) - 1, len(alarms) - 1
    values = METRICS[name].at(hits[:, None], p - hits[:, None], alarms, n - alarms)
    off, some = np.nan_to_num(values - np.nanmean(values)), np.isfinite(values).astype(float)
    powers = [some, off, off**2]
    both = np.array([[(a * (tables[0] @ b @ tables[1].T)).sum() for b in powers] for a in powers])
    mean = (both[1, 0] - both[0, 1]) / both[0, 0]
    variance = (both[2, 0] + both[0, 2] - 2 * both[1, 1]) / both[0, 0] - mean**2
    found = of_cells(cells, name, "stratified")
    assert_allclose(found.undefined, 1 - both[0, 0], atol=1e-10)
    assert_places(found.mean, mean, np.sqrt(variance))
    assert_standard_errors(found.standard_error, np.sqrt(variance))


def test_a_weighted_sum_is_answered_as_rates_and_costs_are():
    recall = sk.bootstrap_metric_difference(Y, A, B, "recall")
    rate = sk.bootstrap_roc_difference_at_threshold(Y, A.astype(float), B.astype(float), thresholds=0.5).tpr
    assert_allclose(recall.confidence_interval(), rate.confidence_interval(), rtol=1e-12)
    assert recall.methods == rate.methods
    assert_allclose(recall.pvalue(), rate.pvalue(), rtol=1e-9)
    balanced = sk.bootstrap_metric_difference(Y, A, B, "balanced_accuracy")
    cost = sk.bootstrap_cost_difference(Y, B.astype(float), A.astype(float), probability_cost=0.5, thresholds=0.5)
    assert_allclose(balanced.confidence_interval(), cost.confidence_interval(), rtol=1e-12)
    assert_allclose(balanced.probabilities(), cost.probabilities(), rtol=1e-12)
    accuracy = sk.bootstrap_metric_difference(Y, A, B, "accuracy")
    assert_allclose(float(accuracy), np.mean((A == Y).astype(float) - (B == Y)))
    assert_allclose(accuracy.cdf(1.0), 1)


@pytest.mark.parametrize("metric", ["balanced_accuracy", "youden", "accuracy"])
def test_where_models_agree_weighted_sums_are_0_to_the_last_bit(metric):
    """Else the steps of the law would have sizes that differ by rounding, more than "smoothed" can take."""
    rng = np.random.default_rng(0)
    for n_negative in range(3, 20, 2):
        y = np.repeat([1, 0], [2, n_negative])
        a, b = rng.integers(0, 2, (2, len(y)))
        result = sk.bootstrap_metric_difference(y, a, b, metric)
        for stratum in result.law.strata:
            assert len(np.unique(np.abs(stratum.values))) <= 2
        assert result.confidence_interval(method="smoothed").low <= result.estimate


def test_thresholds_may_differ_between_the_models():
    result = sk.bootstrap_metric_difference(Y, *SCORES, "f1", thresholds=([0.2, 0.4], 0.5))
    assert_allclose(result.thresholds, [[0.2, 0.4], [0.5, 0.5]])
    a = sk.bootstrap_metric(Y, SCORES[0], "f1", thresholds=[0.2, 0.4])
    b = sk.bootstrap_metric(Y, SCORES[1], "f1", thresholds=0.5)
    assert_allclose(result.estimate, a.estimate - b.estimate, rtol=1e-12)
    assert list(result.to_frame())[:3] == ["threshold_a", "threshold_b", "estimate"]
    benefit = sk.bootstrap_metric_difference(Y, *(1 / (1 + np.exp(-SCORES))), "net_benefit", thresholds=[0.2, 0.6])
    assert benefit.methods[0] == "unseen_case"
    assert_allclose(benefit.mean, benefit.estimate)


@pytest.mark.parametrize(
    ("metric", "thresholds", "message"),
    [
        ("precision", None, "the difference in precision is undefined: no predicted pos"),
        ("lr_positive", None, "the difference in lr_positive is undefined: infinite for model a"),
        ("f1", ([0, 1], [0, 1, 2]), "thresholds must be as many for model a as for model b"),
        ("f1", (0, 1, 2), "thresholds as a tuple must contain"),
    ],
)
def test_what_has_no_difference_is_said(metric, thresholds, message):
    a = [0, 0, 0, int(metric != "precision")]
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_metric_difference([0, 0, 1, 1], a, [0, 1, 0, 1], metric, thresholds=thresholds)
