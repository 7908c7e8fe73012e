"""Metrics of a confusion table, of one model and of two: estimates, moments, intervals that hold, messages."""

from itertools import cycle, product

import numpy as np
import pytest
from budget import assert_places, assert_standard_errors
from numpy.testing import assert_allclose
from oracles import compositions
from public import METRICS, NAMED, limit
from scipy.special import expit
from scipy.stats import binom, multinomial
from sklearn import metrics

import skcostci as sk
from skcostci.laws.exact._metric_law import MetricLaw

rng = np.random.default_rng(5)
Y = np.repeat([0, 1], [37, 23])
SCORES = (rng.normal(size=60) + Y).round(1)
LABELS = (SCORES >= 0.5).astype(int)


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
    assert_allclose(limits(sk.Metric.fbeta(0)), limits("precision"), rtol=1e-12)
    jaccard = limits("jaccard")
    assert_allclose(limits("f1"), 2 * jaccard / (1 + jaccard), rtol=1e-12)
    jaccard = limits("jaccard", sampling="stratified")
    assert_allclose(limits("f1", sampling="stratified"), 2 * jaccard / (1 + jaccard), rtol=1e-9)


ODD = [(5, 0, 0, 7), (5, 0, 7, 0), (0, 5, 13, 2), (1, 0, 1, 1), (2, 8, 1, 1), (1, 2, 8, 1), (15, 1, 1, 3)]


@pytest.mark.parametrize("counts", ODD, ids=str)
def test_default_intervals_are_never_a_point_and_nested(counts):
    y_true, y_pred = np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)
    defined = [name for name in NAMED if not np.isnan(METRICS[name].at(*counts))]
    assert len(defined) > 12
    for name, sampling in product({*NAMED} - {*defined}, ["full", "stratified"]):
        with pytest.raises(ValueError, match="is undefined: no predicted negatives"):
            sk.bootstrap_metric(y_true, y_pred, name, sampling=sampling)
    for name, sampling in zip(defined, cycle(["full", "stratified", "full"]), strict=False):
        result = sk.bootstrap_metric(y_true, y_pred, name, sampling=sampling)
        low, high = np.transpose([result.confidence_interval(level) for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)])
        assert (low < np.minimum(high, np.inf)).all()
        assert ((low <= float(result)) & (float(result) <= high)).all()
        with np.errstate(invalid="ignore"):  # from infinite to infinite
            assert not (np.diff(low) > 1e-9).any()
            assert not (np.diff(high[np.isfinite(high)]) < -1e-9).any()


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


SHARE, HIT = (1, 1, 1, 1), (1, 0, 0, 0)
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
    *(
        (lambda a=a: sk.Metric(a, SHARE), "numerator must contain real")
        for a in ("abcd", ("1", 0, 0, 0), (1, 0, 0, 1j))
    ),
    (lambda: METRICS["f1"].at([1, 2], ["1", "2"], 3, 4), "fn must contain real numbers"),
]


@pytest.mark.parametrize(("call", "message"), NO_METRIC + NO_NUMBERS)
def test_wrong_weights_and_counts_are_named(call, message):
    with pytest.raises(TypeError if "real" in message else ValueError, match=message):
        call()


def test_a_range_holds_the_value_on_the_data():
    share = sk.Metric(HIT, SHARE, range=(0, 0.1), name="share")
    with pytest.raises(ValueError, match=r"range of share must contain its value on the data, 0.5, got \(0, 0.1\)"):
        sk.bootstrap_metric([0, 0, 1, 1], [0, 0, 1, 1], share)
    with pytest.raises(ValueError, match="range of share must contain its value on the data"):
        sk.bootstrap_metric_difference([0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 1], share)


@pytest.mark.parametrize("name", ["kappa", "lift", "balanced_accuracy", "lr_positive", "f1", "mcc"])
@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_tables_side_by_side_have_class_sizes_of_their_own(name, prevalence):
    at, tables = METRICS[name].at, np.random.default_rng(3).integers(1, 30, (4, 2, 5))
    each = [float(at(*table, prevalence)) for table in tables.reshape(4, -1).T]
    assert_allclose(at(*tables, prevalence), np.reshape(each, (2, 5)), rtol=1e-12)


OTHER = (rng.normal(size=60) + Y).round(1)
OTHERS = np.where(rng.random(60) < 0.7, LABELS, OTHER >= 0.5)


def of_cells(cells, metric, sampling):
    """The difference of a metric on such cases."""
    y, a, b = (np.repeat(labels, cells) for labels in ([1] * 4 + [0] * 4, [1, 1, 0, 0] * 2, [1, 0, 1, 0] * 2))
    return sk.bootstrap_metric_difference(y, a, b, metric, sampling=sampling)


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


def test_differences_of_weighted_sums_are_answered_as_those_of_rates_and_costs_are():
    a, b = LABELS.astype(float), OTHERS.astype(float)
    recall = sk.bootstrap_metric_difference(Y, LABELS, OTHERS, "recall")
    rate = sk.bootstrap_roc_difference_at_threshold(Y, a, b, thresholds=0.5).tpr
    assert_allclose(recall.confidence_interval(), rate.confidence_interval(), rtol=1e-12)
    assert recall.methods == rate.methods
    assert_allclose(recall.pvalue(), rate.pvalue(), rtol=1e-9)
    balanced = sk.bootstrap_metric_difference(Y, LABELS, OTHERS, "balanced_accuracy")
    cost = sk.bootstrap_cost_difference(Y, b, a, probability_cost=0.5, thresholds=0.5)
    assert_allclose(balanced.confidence_interval(), cost.confidence_interval(), rtol=1e-12)
    assert_allclose(balanced.probabilities(), cost.probabilities(), rtol=1e-12)
    assert_allclose(sk.bootstrap_metric_difference(Y, LABELS, OTHERS, "accuracy").cdf(1.0), 1)


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
    result = sk.bootstrap_metric_difference(Y, SCORES, OTHER, "f1", thresholds=([0.2, 0.4], 0.5))
    assert_allclose(result.thresholds, [[0.2, 0.4], [0.5, 0.5]])
    a = sk.bootstrap_metric(Y, SCORES, "f1", thresholds=[0.2, 0.4])
    b = sk.bootstrap_metric(Y, OTHER, "f1", thresholds=0.5)
    assert_allclose(result.estimate, a.estimate - b.estimate, rtol=1e-12)
    assert list(result.to_frame())[:3] == ["threshold_a", "threshold_b", "estimate"]
    benefit = sk.bootstrap_metric_difference(Y, expit(SCORES), expit(OTHER), "net_benefit", thresholds=[0.2, 0.6])
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
