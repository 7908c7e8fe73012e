"""Metrics of a confusion table: estimates, intervals that hold, messages, a user's own."""

import pickle
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from public import METRICS, NAMED, limit
from scipy.special import gammaln, xlogy
from scipy.stats import binom
from sklearn import metrics
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_val_score

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
    "f1": metrics.f1_score,
    "jaccard": metrics.jaccard_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
}
LEVELS = [1e-6, 0.1, 0.5, 0.9, 0.95, 0.99, 1 - 1e-9]


@pytest.mark.parametrize("w", [0.0, 0.3, 1.0])
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
    with pytest.raises(ValueError, match=r"probability_cost must be a number in \[0, 1\], got 1.5"):
        sk.Metric.cost(1.5)


@pytest.mark.parametrize("name", SKLEARN)
def test_estimates_are_scikit_learns(name):
    assert_allclose(float(sk.bootstrap_metric(Y, LABELS, name)), SKLEARN[name](Y, LABELS), rtol=1e-14)
    words = np.array(["no", "yes"])
    worded = sk.bootstrap_metric(words[Y], words[LABELS], name, pos_label="yes")
    assert_allclose(float(worded), SKLEARN[name](Y, LABELS), rtol=1e-14)


def test_estimates_that_have_parameters_are_scikit_learns():
    f2 = sk.bootstrap_metric(Y, LABELS, sk.Metric.fbeta(2))
    assert_allclose(float(f2), metrics.fbeta_score(Y, LABELS, beta=2), rtol=1e-14)
    ratios = metrics.class_likelihood_ratios(Y, LABELS)
    found = [float(sk.bootstrap_metric(Y, LABELS, name)) for name in ("lr_positive", "lr_negative")]
    assert_allclose(found, ratios, rtol=1e-14)
    npv, specificity = (float(sk.bootstrap_metric(Y, LABELS, name)) for name in ("npv", "specificity"))
    assert_allclose(npv, metrics.precision_score(Y, LABELS, pos_label=0), rtol=1e-14)
    assert_allclose(specificity, metrics.recall_score(Y, LABELS, pos_label=0), rtol=1e-14)


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
@pytest.mark.parametrize("sampling", ["full", "stratified"])
@pytest.mark.parametrize("name", NAMED)
def test_intervals_hold_the_estimate_and_widen_with_the_level(name, sampling):
    result = sk.bootstrap_metric(Y, LABELS, name, sampling=sampling)
    assert len(result.methods) >= 3
    asked = [[result.confidence_interval(level, method=method) for level in LEVELS] for method in result.methods]
    for limits in map(np.array, asked):
        assert not np.isnan(limits).any()
        assert (limits[1:, 0] <= limits[:-1, 0] + 1e-12).all()
        assert (limits[1:, 1] >= limits[:-1, 1] - 1e-12).all()
    default = np.array(asked[0])
    assert (default[:, 0] <= float(result)).all()
    assert (default[:, 1] >= float(result)).all()


@pytest.mark.parametrize("counts", [(5, 0, 0, 7), (5, 0, 7, 0), (0, 5, 3, 7), (1, 0, 1, 1)], ids=str)
@pytest.mark.parametrize("name", NAMED)
def test_a_default_interval_is_never_a_point(counts, name):
    y_true, y_pred = np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)
    for sampling in ("full", "stratified"):
        if np.isnan(law_of(METRICS[name], np.array([counts], dtype=float), sampling).estimate):
            with pytest.raises(ValueError, match="is undefined: no predicted negatives"):
                sk.bootstrap_metric(y_true, y_pred, name, sampling=sampling)
            continue
        result = sk.bootstrap_metric(y_true, y_pred, name, sampling=sampling)
        low, high = result.confidence_interval()
        assert low < high
        assert low <= float(result) <= high
        assert low < np.inf


def test_ratios_without_false_alarms_are_infinite_with_a_finite_lower_limit():
    for name in ("lr_positive", "diagnostic_odds_ratio"):
        ratio = sk.bootstrap_metric([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], name)
        low, high = ratio.confidence_interval()
        assert float(ratio) == ratio.mean == ratio.quantile(0.1) == high == np.inf
        assert 0.1 < low < 1
        assert ratio.undefined == 1
        assert ratio.cdf(5.0) == 0
        assert ratio.cdf(np.inf) == 1


def all_tables(*sizes):
    """Every confusion table of so many cases, or of so many positives and negatives."""
    if len(sizes) == 1:
        (n,) = sizes
        return np.array([(*t, n - sum(t)) for t in product(range(n + 1), repeat=3) if sum(t) <= n], dtype=float)
    m, k = sizes
    return np.array([(a, m - a, b, k - b) for a in range(m + 1) for b in range(k + 1)], dtype=float)


def law_of(metric, tables, sampling):
    """The laws of a metric at all of these tables."""
    return MetricLaw(tables, np.ones(tables.shape, dtype=bool), (metric,) * len(tables), sampling, None)


def coverage(metric, sizes, levels, populations):
    """The least coverage of the default interval, given that the metric is defined: exact sums over all tables."""
    sampling, parts = ("full", [slice(0, 4)]) if len(sizes) == 1 else ("stratified", [slice(0, 2), slice(2, 4)])
    tables = all_tables(*sizes)
    tables = tables[~np.isnan(law_of(metric, tables, sampling).estimate)]
    law = law_of(metric, tables, sampling)
    method = "clopper_pearson" if law.shares is not None else "unseen_case"
    limits = [[limit(law, method, (1 - level) / 2, side) for side in (-1, 1)] for level in levels]
    worst = np.ones(len(levels))
    for cells in populations:
        true, logs = law.points[0].value(*cells), np.zeros(len(tables))
        for part in parts:
            counts, p = tables[:, part], cells[part] / cells[part].sum()
            logs += gammaln(counts[0].sum() + 1) + (xlogy(counts, p) - gammaln(counts + 1)).sum(axis=1)
        weights = np.exp(logs)
        covers = [((low <= true + 1e-12) & (true <= high + 1e-12)) @ weights / weights.sum() for low, high in limits]
        worst = np.minimum(worst, covers)
    return worst


def populations(share):
    """Cells for rates near the ends and in the middle."""
    rates = product((0.02, 0.15, 0.5, 0.8, 0.98), repeat=2)
    return [np.array([share * t, share * (1 - t), (1 - share) * f, (1 - share) * (1 - f)]) for t, f in rates]


@pytest.mark.parametrize("metric", [METRICS["precision"], METRICS["f1"], sk.Metric.fbeta(2)], ids=lambda m: m.name)
def test_default_intervals_cover_when_all_cases_are_sampled(metric):
    likely = [cells for share in (0.1, 0.3, 0.5) for cells in populations(share) if cells[0] + cells[2] > 0.04]
    assert (coverage(metric, (18,), (0.9, 0.95, 0.99), likely) >= [0.9, 0.95, 0.99]).all()


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(8, 30), (30, 8)], ids=str)
@pytest.mark.parametrize("name", ["lr_positive", "f1", "kappa", "mcc", "diagnostic_odds_ratio"])
def test_default_intervals_cover_when_classes_are_sampled(name, sizes):
    found = coverage(METRICS[name], sizes, (0.9, 0.95, 0.99), populations(sizes[0] / sum(sizes)))
    assert (found >= [0.89, 0.945, 0.985]).all()


def test_one_line_makes_a_metric():
    threat = sk.Metric((1, 0, 0, 0), (1, 2, 1, 0), name="threat")
    tp, fn, fp = 13, 5, 4
    y_true, y_pred = np.repeat([1, 1, 0, 0], (tp, fn, fp, 18)), np.repeat([1, 0, 1, 0], (tp, fn, fp, 18))
    result = sk.bootstrap_metric(y_true, y_pred, threat)
    assert float(result) == tp / (tp + 2 * fn + fp)
    low, high = result.confidence_interval()
    assert 0.2 < low < 0.48 < high < 0.75
    assert result.cdf(high) > 0.95
    assert result.metric == "threat"
    assert sk.Metric((0, 1, 0, 0), (0, 1, 0, 1), of="rates", title="Misses").label == "Misses"
    assert pickle.loads(pickle.dumps(threat)) == threat
    assert pickle.loads(pickle.dumps(METRICS["kappa"])) == METRICS["kappa"]


def test_weights_of_rates_may_depend_on_the_share_of_positives():
    lift = sk.Metric((1, 0, 0, 0), lambda share: (share, 0, 1 - share, 0), of="rates", range=(0, np.inf))
    for options in ({}, {"prevalence": 0.1}, {"sampling": "full"}):
        own, named = (sk.bootstrap_metric(Y, LABELS, metric, **options) for metric in (lift, "lift"))
        assert_allclose(own.confidence_interval(), named.confidence_interval(), rtol=1e-12)
        assert_allclose(own.standard_error, named.standard_error, rtol=1e-12)


WRONG = [
    ({"metric": "f3"}, ValueError, "metric must be one of .*'accuracy', 'precision', .*, got 'f3'"),
    ({"metric": "precison", "y_pred": [0.1, 0.2, 0.3, 0.4]}, ValueError, "Did you mean 'precision'"),
    ({"metric": 3}, TypeError, "metric must be a name, a Metric or a function of y_true and y_pred, got 3"),
    (
        {"y_pred": [0, 0, 0, 2]},
        ValueError,
        "y_pred must have only 0 and 1, got 2",
    ),
    ({"y_pred": [0, 0, 0, 0]}, ValueError, "precision is undefined: no predicted positives"),
    ({"thresholds": 9}, ValueError, "precision is undefined at the threshold: no predicted positives"),
    ({"thresholds": [8, 9]}, ValueError, "precision is undefined everywhere: no predicted positives"),
    ({"thresholds": np.nan}, ValueError, r"thresholds must be a number in \[-inf, inf\], got nan"),
    ({"metric": "net_benefit"}, ValueError, "for labels pass Metric.net_benefit"),
    (
        {"metric": "net_benefit", "thresholds": 1.0},
        ValueError,
        r"threshold_probability must be a number in \[0, 1\), got 1.0",
    ),
    ({"sampling": "both"}, ValueError, "sampling must be one of"),
    ({"sampling": "full", "prevalence": 0.1}, ValueError, "sampling must be 'stratified' with a prevalence"),
    ({"prevalence": 0}, ValueError, r"prevalence must be a number in \[1e-09, 0\.999999999\], got 0"),
    ({"prevalence": 1e-160}, ValueError, r"prevalence must be a number in \[1e-09, 0\.999999999\], got 1e-160"),
    ({"prevalence": "rare"}, TypeError, r"prevalence must be a number in \[1e-09, 0\.999999999\], got 'rare'"),
]


@pytest.mark.parametrize(("options", "error", "message"), WRONG)
def test_wrong_input_is_named(options, error, message):
    given = {"y_pred": [0, 1, 0, 1], "metric": "precision", **options}
    with pytest.raises(error, match=message):
        sk.bootstrap_metric([0, 0, 1, 1], **given)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (((1, 0, 0), (1, 1, 1, 1)), {}, "numerator must contain four finite weights, for TP, FN, FP, TN"),
        (((1, 0, 0, 0), (1, -1, 0, 0)), {}, "denominator must contain weights that are not negative"),
        (((1, 0, 0, 0), (0, 0, 0, 0)), {}, "denominator must contain weights that are not negative and not all 0"),
        (((1, 0, 0, 0), (1, np.inf, 0, 0)), {}, "denominator must contain four finite weights"),
        ((lambda share: (share, 0, 0, 0), (1, 1, 1, 1)), {}, "numerator may be a function .* only with of='rates'"),
        (((1, 0, 0, 0), (1, 1, 0, 0)), {"of": "cases"}, "of must be one of 'counts', 'rates', got 'cases'"),
        (((1, 0, 0, 0), (1, 1, 0, 0)), {"range": (1, 0)}, r"range must be a pair \(smallest, largest\)"),
        (((1, 0, 0, 0), (1, 1, 0, 0)), {"range": (0, np.nan)}, r"range must be a pair \(smallest, largest\)"),
        (((1e155, 0, 0, 0), (1, 1, 0, 0)), {}, "numerator must have weights of 0 or size 1e-100 to 1e.100"),
        (((1, 0, 0, 0), (1, 1e-20, 0, 0)), {}, "denominator must contain weights within a factor of 1e.12"),
        ((np.ma.array([1, 0, 0, 0], mask=[0, 1, 0, 0]), (1, 1, 0, 0)), {}, "numerator must not have masked entries"),
    ],
)
def test_wrong_weights_are_named(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        sk.Metric(*arguments, **options)


@pytest.mark.parametrize("weights", ["abcd", ("1", 0, 0, 0), (1, 0, 0, 1j)])
def test_weights_that_are_no_numbers_are_named(weights):
    with pytest.raises(TypeError, match="numerator must contain real numbers"):
        sk.Metric(weights, (1, 1, 1, 1))


@pytest.mark.parametrize("beta", [-1, 1e-7, 1e7])
def test_betas_that_are_none_are_named(beta):
    with pytest.raises(ValueError, match=r"beta must be a number in \[1e-06, 1000000\], got"):
        sk.Metric.fbeta(beta)


def test_a_range_holds_the_value_on_the_data():
    share = sk.Metric((1, 0, 0, 0), (1, 1, 1, 1), range=(0, 0.1), name="share")
    with pytest.raises(ValueError, match=r"range of share must contain its value on the data, 0.5, got \(0, 0.1\)"):
        sk.bootstrap_metric([0, 0, 1, 1], [0, 0, 1, 1], share)
    with pytest.raises(ValueError, match="range of share must contain its value on the data"):
        sk.bootstrap_metric_difference([0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 1], share)


X, TARGET = make_classification(300, weights=[0.75], flip_y=0.1, random_state=0)
WORDS = np.array(["no", "yes"])[TARGET]
MODEL = LogisticRegression()


@pytest.mark.parametrize("name", ["f1", "precision", "balanced_accuracy", "accuracy"])
def test_scores_are_scikit_learns(name):
    theirs = cross_val_score(MODEL, X, TARGET, scoring=name)
    assert_allclose(cross_val_score(MODEL, X, TARGET, scoring=sk.make_metric_scorer(name)), theirs, rtol=1e-14)
    worded = sk.make_metric_scorer(name, pos_label="yes")
    assert_allclose(cross_val_score(MODEL, X, WORDS, scoring=worded), theirs, rtol=1e-14)


def test_a_scorer_may_take_either_end_of_the_interval():
    fitted = MODEL.fit(X, WORDS)
    result = sk.bootstrap_metric(WORDS, fitted.predict(X), "fdr", pos_label="yes")
    low, high = result.confidence_interval(0.9)
    for bound, end in (("low", low), ("high", high)):
        scorer = sk.make_metric_scorer("fdr", bound=bound, confidence_level=0.9, pos_label="yes")
        assert_allclose(scorer(fitted, X, WORDS), -end, rtol=1e-14)
    by_wald = sk.make_metric_scorer("fdr", bound="high", method="wald", pos_label="yes")
    assert_allclose(by_wald(fitted, X, WORDS), -result.confidence_interval(method="wald").high, rtol=1e-14)


def test_searches_take_bounds_and_string_labels():
    scorer = sk.make_metric_scorer(sk.Metric.fbeta(2), bound="low", pos_label="yes")
    search = GridSearchCV(MODEL, {"C": [0.001, 1.0]}, scoring=scorer, cv=3).fit(X, WORDS)
    assert search.best_params_ == {"C": 1.0}
    assert 0 < search.best_score_ < 0.7


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_thresholds_are_tuned_as_with_scikit_learns_scorer():
    theirs = metrics.make_scorer(metrics.f1_score, pos_label="yes")
    tuned = [
        TunedThresholdClassifierCV(MODEL, scoring=scorer, cv=3).fit(X, WORDS)
        for scorer in (theirs, sk.make_metric_scorer("f1", pos_label="yes"))
    ]
    assert tuned[0].best_threshold_ == tuned[1].best_threshold_
    assert_allclose(tuned[0].best_score_, tuned[1].best_score_, rtol=1e-14)
    low = sk.make_metric_scorer("precision", bound="low", pos_label="yes")
    assert 0 < TunedThresholdClassifierCV(MODEL, scoring=low, cv=3).fit(X, WORDS).best_score_ < 0.9


def test_an_undefined_score_is_the_worst_end_of_the_range():
    nobody = DummyClassifier(strategy="constant", constant="no").fit(X, WORDS)
    for bound in (None, "low", "high", "worst", "best"):
        for name, worst in (("precision", 0), ("fdr", -1)):
            with pytest.warns(UndefinedMetricWarning, match=f"{name} is undefined; the worst possible value"):
                assert sk.make_metric_scorer(name, bound=bound, pos_label="yes")(nobody, X, WORDS) == worst
    with pytest.warns(UndefinedMetricWarning):
        assert sk.make_metric_scorer("mcc", bound="low", pos_label="yes")(nobody, X, WORDS) == -1


def test_a_scorer_says_what_it_cannot_score():
    with pytest.raises(ValueError, match="metric='net_benefit' depends on a threshold"):
        sk.make_metric_scorer("net_benefit")
    with pytest.raises(ValueError, match="bound must be one of 'worst', 'best', 'low', 'high', got"):
        sk.make_metric_scorer("f1", bound="middle")


@pytest.mark.parametrize("name", ["kappa", "lift", "balanced_accuracy", "lr_positive", "f1", "mcc"])
@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_tables_side_by_side_have_class_sizes_of_their_own(name, prevalence):
    metric = METRICS[name]
    tables = np.random.default_rng(3).integers(1, 30, (4, 2, 5))
    each = [float(metric.at(*table, prevalence)) for table in tables.reshape(4, -1).T]
    assert_allclose(metric.at(*tables, prevalence), np.reshape(each, (2, 5)), rtol=1e-12)


@pytest.mark.parametrize(
    ("fn", "error", "message"),
    [
        ([1, np.nan], ValueError, "fn must contain numbers in .0, 1e.100., got nan"),
        ([1, -2], ValueError, "fn must contain numbers in .0, 1e.100., got -2"),
        ([np.inf, 2], ValueError, "fn must contain numbers in .0, 1e.100., got inf"),
        (np.ma.masked_array([1, 2], [True, False]), ValueError, "fn must not have masked entries"),
        (["1", "2"], TypeError, "fn must contain real numbers"),
        ([1, 2, 3], ValueError, r"shapes that broadcast, got tp \(2,\), fn \(3,\)"),
    ],
)
def test_counts_that_are_none_are_named(fn, error, message):
    with pytest.raises(error, match=message):
        sk.Metric.fbeta(1).at([1, 2], fn, [3, 4], [5, 6])
