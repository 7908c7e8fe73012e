"""Metrics of a confusion table: estimates, intervals that hold, messages, a user's own."""

from functools import partial
from itertools import cycle, product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles import compositions
from public import METRICS, NAMED, limit
from scipy.stats import binom, multinomial
from sklearn import metrics

import skcostci as sk
from skcostci.laws.exact._metric_law import MetricLaw

rng = np.random.default_rng(5)
Y = np.repeat([0, 1], [37, 23])
SCORES = (rng.normal(size=60) + Y).round(1)
LABELS = (SCORES >= 0.5).astype(int)
SKLEARN = {
    "accuracy": metrics.accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "npv": partial(metrics.precision_score, pos_label=0),
    "specificity": partial(metrics.recall_score, pos_label=0),
    "f1": metrics.f1_score,
    sk.Metric.fbeta(0): partial(metrics.fbeta_score, beta=0),
    sk.Metric.fbeta(2): partial(metrics.fbeta_score, beta=2),
    "jaccard": metrics.jaccard_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
    "lr_positive": lambda *labels: metrics.class_likelihood_ratios(*labels)[0],
    "lr_negative": lambda *labels: metrics.class_likelihood_ratios(*labels)[1],
}
LEVELS = [1e-6, 0.5, 0.95, 1 - 1e-9]


@pytest.mark.parametrize("w", [0.0, 0.3])
def test_a_cost_is_a_metric(w):
    metric, asked = sk.Metric.cost(w), {"probability_cost": w, "thresholds": 0.5}
    cost = sk.bootstrap_cost(Y, SCORES, **asked)
    same = sk.bootstrap_metric(Y, LABELS, metric)
    assert metric.label == "Normalized expected cost"
    assert not metric.greater_is_better
    missed, alarms = (LABELS[Y == 1] == 0).mean(), (LABELS[Y == 0] == 1).mean()
    assert_allclose(float(same), w * missed + (1 - w) * alarms, rtol=1e-14)
    assert_allclose(same.standard_error, cost.standard_error, rtol=1e-13)
    for method in set(same.methods) & set(cost.methods):
        limits = same.confidence_interval(0.9, method=method), cost.confidence_interval(0.9, method=method)
        assert_allclose(*limits, atol=1e-12)
    other = SCORES[::-1]
    difference = sk.bootstrap_metric_difference(Y, LABELS, (other >= 0.5).astype(int), metric)
    of_costs = sk.bootstrap_cost_difference(Y, SCORES, other, **asked)
    assert_allclose(float(difference), float(of_costs), rtol=1e-13)
    assert_allclose(difference.confidence_interval(), of_costs.confidence_interval(method="unseen_case"), atol=1e-12)


@pytest.mark.parametrize("metric", SKLEARN, ids=lambda metric: getattr(metric, "name", metric))
def test_estimates_are_scikit_learns(metric):
    words = np.array(["no", "yes"])
    for result in (
        sk.bootstrap_metric(Y, LABELS, metric),
        sk.bootstrap_metric(words[Y], words[LABELS], metric, pos_label="yes"),
    ):
        assert_allclose(float(result), SKLEARN[metric](Y, LABELS), rtol=1e-14)


def test_scores_with_thresholds_give_a_point_each():
    result = sk.bootstrap_metric(Y, SCORES, "f1", thresholds=[0.0, 0.5, 1.0])
    expected = [metrics.f1_score(Y, threshold <= SCORES) for threshold in (0.0, 0.5, 1.0)]
    assert_allclose(result.estimate, expected, rtol=1e-14)
    alone = sk.bootstrap_metric(Y, LABELS, "f1")
    assert alone.thresholds is None
    assert_allclose([part[1] for part in result.confidence_interval()], alone.confidence_interval(), rtol=1e-12)
    assert list(result.to_frame())[:-3] == ["threshold", "estimate", "standard_error", "low", "high"]
    assert "threshold" not in alone.to_frame()


def test_net_benefit_weighs_alarms_by_the_odds_of_its_threshold():
    risks, thresholds = 1 / (1 + np.exp(-SCORES)), np.array([0.2, 0.5, 0.75])
    odds = thresholds / (1 - thresholds)
    hits = np.array([((risks >= t) & (Y == 1)).sum() for t in thresholds])
    alarms = np.array([((risks >= t) & (Y == 0)).sum() for t in thresholds])
    benefit = sk.bootstrap_metric(Y, risks, "net_benefit", thresholds=thresholds)
    assert_allclose(benefit.estimate, (hits - odds * alarms) / 60, rtol=1e-13)
    assert_allclose(benefit.mean, benefit.estimate, rtol=1e-13)
    standardized = sk.bootstrap_metric(Y, risks, "standardized_net_benefit", thresholds=thresholds)
    assert_allclose(standardized.estimate, (hits - odds * alarms) / 23, rtol=1e-13)
    one = sk.bootstrap_metric(Y, (risks >= 0.2).astype(int), sk.Metric.net_benefit(0.2))
    assert_allclose(one.confidence_interval(), [part[0] for part in benefit.confidence_interval()], rtol=1e-12)


def test_a_prevalence_takes_the_place_of_the_samples():
    tpr, fpr = metrics.recall_score(Y, LABELS), 1 - metrics.recall_score(Y, LABELS, pos_label=0)
    precision = sk.bootstrap_metric(Y, LABELS, "precision", prevalence=0.02)
    assert_allclose(float(precision), 0.02 * tpr / (0.02 * tpr + 0.98 * fpr), rtol=1e-13)
    own = sk.bootstrap_metric(Y, LABELS, "precision", prevalence=23 / 60)
    stratified = sk.bootstrap_metric(Y, LABELS, "precision", sampling="stratified")
    assert_allclose(own.confidence_interval(), stratified.confidence_interval(), rtol=1e-9)
    odds = 0.02 / 0.98 * np.array(sk.bootstrap_metric(Y, LABELS, "lr_positive").confidence_interval())
    assert_allclose(precision.confidence_interval(), odds / (1 + odds), rtol=1e-9)


def test_a_weighted_sum_is_answered_as_rates_and_costs_are():
    rates = sk.bootstrap_roc_at_threshold(Y, SCORES, thresholds=0.5)
    for sampling in ("full", "stratified"):
        recall = sk.bootstrap_metric(Y, LABELS, "recall", sampling=sampling)
        assert_allclose(recall.confidence_interval(), rates.tpr.confidence_interval(), rtol=1e-12)
        low, high = sk.bootstrap_metric(Y, LABELS, "specificity", sampling=sampling).confidence_interval()
        assert_allclose((1 - high, 1 - low), rates.fpr.confidence_interval(), rtol=1e-12)
    cost = sk.bootstrap_cost(Y, SCORES, probability_cost=0.5, thresholds=0.5)
    balanced = sk.bootstrap_metric(Y, LABELS, "balanced_accuracy")
    low, high = balanced.confidence_interval()
    assert_allclose((1 - high, 1 - low), cost.confidence_interval(), rtol=1e-12)
    assert balanced.methods == cost.methods
    errors = int((LABELS != Y).sum())
    low, high = sk.bootstrap_metric(Y, LABELS, "accuracy").confidence_interval(0.9)
    assert_allclose([binom.sf(59 - errors, 60, low), binom.cdf(60 - errors, 60, high)], 0.05, rtol=1e-9)


def test_metrics_of_the_same_share_have_the_same_interval():
    def limits(name, **options):
        return np.array(sk.bootstrap_metric(Y, LABELS, name, **options).confidence_interval())

    assert_allclose(limits("fdr"), 1 - limits("precision")[::-1], rtol=1e-12)
    assert_allclose(limits("fomr"), 1 - limits("npv")[::-1], rtol=1e-12)
    jaccard = limits("jaccard")
    assert_allclose(limits("f1"), 2 * jaccard / (1 + jaccard), rtol=1e-12)
    jaccard = limits("jaccard", sampling="stratified")
    assert_allclose(limits("f1", sampling="stratified"), 2 * jaccard / (1 + jaccard), rtol=1e-9)


@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")  # quantiles at very low levels
@pytest.mark.parametrize(("name", "sampling"), list(zip(NAMED, cycle(["full", "stratified"]), strict=False)))
def test_intervals_hold_the_estimate_and_widen_with_the_level(name, sampling):
    result = sk.bootstrap_metric(Y, LABELS, name, sampling=sampling)
    assert len(result.methods) >= 3
    for method in result.methods:
        low, high = np.transpose([result.confidence_interval(level, method=method) for level in LEVELS])
        assert not np.isnan([low, high]).any()
        assert (np.diff(low) <= 1e-12).all()
        assert (np.diff(high) >= -1e-12).all()
        assert method != result.methods[0] or low[0] <= float(result) <= high[0]


@pytest.mark.parametrize("counts", [(5, 0, 0, 7), (5, 0, 7, 0), (0, 5, 3, 7), (1, 0, 1, 1)], ids=str)
def test_a_default_interval_is_never_a_point(counts):
    y_true, y_pred = np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)
    defined = [name for name in NAMED if not np.isnan(METRICS[name].at(*counts))]
    assert len(defined) > 12
    for name, sampling in product({*NAMED} - {*defined}, ["full", "stratified"]):
        with pytest.raises(ValueError, match="is undefined: no predicted negatives"):
            sk.bootstrap_metric(y_true, y_pred, name, sampling=sampling)
    for name, sampling in zip(defined, cycle(["full", "stratified", "full"]), strict=False):
        result = sk.bootstrap_metric(y_true, y_pred, name, sampling=sampling)
        low, high = result.confidence_interval()
        assert low < min(high, np.inf)
        assert low <= float(result) <= high


def test_ratios_without_false_alarms_are_infinite_with_a_finite_lower_limit():
    for name in ("lr_positive", "diagnostic_odds_ratio"):
        ratio = sk.bootstrap_metric([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], name)
        low, high = ratio.confidence_interval()
        assert float(ratio) == ratio.mean == ratio.quantile(0.1) == high == np.inf
        assert 0.1 < low < 1
        assert ratio.undefined == 1
        assert ratio.cdf(5.0) == 0
        assert ratio.cdf(np.inf) == 1


def coverage(metric, n, levels, populations):
    """The least coverage of the default interval, given that the metric is defined: exact sums over all tables."""
    tables = np.array(list(compositions(n, 4)), dtype=float)
    tables = tables[~np.isnan(metric.at(*tables.T))]
    law = MetricLaw(tables, np.ones(tables.shape, dtype=bool), (metric,) * len(tables), "full", None)
    method = "clopper_pearson" if law.shares is not None else "unseen_case"
    limits = [[limit(law, method, (1 - level) / 2, side) for side in (-1, 1)] for level in levels]
    worst = np.ones(len(levels))
    for cells in populations:
        weights, true = multinomial(n, cells).pmf(tables), metric.at(*cells)
        covers = [((low <= true + 1e-12) & (true <= high + 1e-12)) @ weights / weights.sum() for low, high in limits]
        worst = np.minimum(worst, covers)
    return worst


@pytest.mark.parametrize("metric", [METRICS["precision"], METRICS["f1"], sk.Metric.fbeta(2)], ids=lambda m: m.name)
def test_default_intervals_cover_when_all_cases_are_sampled(metric):
    grid = product((0.1, 0.3, 0.5), *[(0.02, 0.15, 0.5, 0.8, 0.98)] * 2)
    likely = [(s * t, s * (1 - t), (1 - s) * f, (1 - s) * (1 - f)) for s, t, f in grid if s * t + (1 - s) * f > 0.04]
    assert (coverage(metric, 14, (0.9, 0.95, 0.99), likely) >= [0.9, 0.95, 0.99]).all()


def test_weights_of_rates_may_depend_on_the_share_of_positives():
    lift = sk.Metric((1, 0, 0, 0), lambda share: (share, 0, 1 - share, 0), of="rates", range=(0, np.inf))
    for options in ({}, {"prevalence": 0.1}, {"sampling": "full"}):
        own, named = (sk.bootstrap_metric(Y, LABELS, metric, **options) for metric in (lift, "lift"))
        assert_allclose(own.confidence_interval(), named.confidence_interval(), rtol=1e-12)
        assert_allclose(own.standard_error, named.standard_error, rtol=1e-12)


PREVALENCE = r"prevalence must be a number in \[1e-09, 0\.999999999\], got "
PROBABILITY = r"threshold_probability must be a number in \[0, 1\), got 1.0"
WRONG = [
    ({"metric": "f3"}, ValueError, "metric must be one of .*'accuracy', 'precision', .*, got 'f3'"),
    ({"metric": 3}, TypeError, "metric must be a name, a Metric or a function of y_true and y_pred, got 3"),
    ({"y_pred": [0, 0, 0, 2]}, ValueError, "y_pred must have only 0 and 1, got 2"),
    ({"y_pred": [0, 0, 0, 0]}, ValueError, "precision is undefined: no predicted positives"),
    ({"thresholds": 9}, ValueError, "precision is undefined at the threshold: no predicted positives"),
    ({"thresholds": [8, 9]}, ValueError, "precision is undefined everywhere: no predicted positives"),
    ({"thresholds": np.nan}, ValueError, r"thresholds must be a number in \[-inf, inf\], got nan"),
    ({"metric": "net_benefit"}, ValueError, "for labels pass Metric.net_benefit"),
    ({"metric": "net_benefit", "thresholds": 1.0}, ValueError, PROBABILITY),
    ({"sampling": "full", "prevalence": 0.1}, ValueError, "sampling must be 'stratified' with a prevalence"),
    ({"prevalence": 0}, ValueError, PREVALENCE + "0"),
    *(({"prevalence": value}, ValueError, f"{PREVALENCE}{value}") for value in (1e-160, 1e-10, 1 - 1e-10)),
    ({"prevalence": "rare"}, TypeError, PREVALENCE + "'rare'"),
]


@pytest.mark.parametrize(("options", "error", "message"), WRONG)
def test_wrong_input_is_named(options, error, message):
    given = {"y_pred": [0, 1, 0, 1], "metric": "precision", **options}
    with pytest.raises(error, match=message):
        sk.bootstrap_metric([0, 0, 1, 1], **given)


SHARE = (1, 1, 1, 1)
HIT = (1, 0, 0, 0)
NO_METRIC = [
    (lambda: sk.Metric((1, 0, 0), SHARE), "numerator must contain four finite weights, for TP, FN, FP, TN"),
    (lambda: sk.Metric(HIT, (1, -1, 0, 0)), "denominator must contain weights that are not negative"),
    (lambda: sk.Metric(HIT, (0, 0, 0, 0)), "denominator must contain weights that are not negative and not all 0"),
    (lambda: sk.Metric(HIT, (1, np.inf, 0, 0)), "denominator must contain four finite weights"),
    (lambda: sk.Metric(lambda share: (share, 0, 0, 0), SHARE), "numerator may be a function .* only with of='rates'"),
    (lambda: sk.Metric(HIT, SHARE, of="cases"), "of must be one of 'counts', 'rates', got 'cases'"),
    (lambda: sk.Metric(HIT, SHARE, range=(1, 0)), r"range must be a pair \(smallest, largest\)"),
    (lambda: sk.Metric(HIT, SHARE, range=(0, np.nan)), r"range must be a pair \(smallest, largest\)"),
    (lambda: sk.Metric((1e155, 0, 0, 0), SHARE), "numerator must have weights of 0 or size 1e-100 to 1e.100"),
    (lambda: sk.Metric(HIT, (1, 1e-20, 0, 0)), "denominator must contain weights within a factor of 1e.12"),
    (lambda: sk.Metric(np.ma.array(HIT, mask=[0, 1, 0, 0]), SHARE), "numerator must not have masked entries"),
    (lambda: sk.Metric.fbeta(-1), r"beta must be a number in \[1e-06, 1000000\], got"),
    (lambda: sk.Metric.fbeta(1e-7), r"beta must be a number in \[1e-06, 1000000\], got"),
    (lambda: sk.Metric.fbeta(1e7), r"beta must be a number in \[1e-06, 1000000\], got"),
    (lambda: sk.Metric.cost(1.5), r"probability_cost must be a number in \[0, 1\], got 1.5"),
    *(
        (lambda fn=fn: METRICS["f1"].at([1, 2], fn, [3, 4], [5, 6]), f"fn must {message}")
        for fn, message in (
            ([1, np.nan], "contain numbers in .0, 1e.100., got nan"),
            ([1, -2], "contain numbers in .0, 1e.100., got -2"),
            ([np.inf, 2], "contain numbers in .0, 1e.100., got inf"),
            (np.ma.masked_array([1, 2], [True, False]), "not have masked entries"),
        )
    ),
    (lambda: METRICS["f1"].at([1, 2], [1, 2, 3], 3, 4), r"shapes that broadcast, got tp \(2,\), fn \(3,\)"),
]
NO_NUMBERS = [
    *((lambda each=each: sk.Metric(each, SHARE), "numerator") for each in ("abcd", ("1", 0, 0, 0), (1, 0, 0, 1j))),
    (lambda: METRICS["f1"].at([1, 2], ["1", "2"], 3, 4), "fn"),
]


@pytest.mark.parametrize(("call", "message"), NO_METRIC)
def test_wrong_weights_and_counts_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("call", "name"), NO_NUMBERS)
def test_what_is_no_number_is_named(call, name):
    with pytest.raises(TypeError, match=f"{name} must contain real numbers"):
        call()


def test_a_range_holds_the_value_on_the_data():
    share = sk.Metric((1, 0, 0, 0), (1, 1, 1, 1), range=(0, 0.1), name="share")
    with pytest.raises(ValueError, match=r"range of share must contain its value on the data, 0.5, got \(0, 0.1\)"):
        sk.bootstrap_metric([0, 0, 1, 1], [0, 0, 1, 1], share)
    with pytest.raises(ValueError, match="range of share must contain its value on the data"):
        sk.bootstrap_metric_difference([0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 1], share)


@pytest.mark.parametrize("name", ["kappa", "lift", "balanced_accuracy", "lr_positive", "f1", "mcc"])
@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_tables_side_by_side_have_class_sizes_of_their_own(name, prevalence):
    metric = METRICS[name]
    tables = np.random.default_rng(3).integers(1, 30, (4, 2, 5))
    each = [float(metric.at(*table, prevalence)) for table in tables.reshape(4, -1).T]
    assert_allclose(metric.at(*tables, prevalence), np.reshape(each, (2, 5)), rtol=1e-12)
