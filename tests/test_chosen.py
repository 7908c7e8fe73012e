"""What holds at thresholds that the cases themselves chose."""

from itertools import cycle

import numpy as np
import pytest
from public import METRICS, local_level
from scipy.optimize import brentq
from scipy.stats import beta, norm

from skcostci import bootstrap_cost, bootstrap_cost_difference, bootstrap_metric, bootstrap_roc_at_threshold

LEVELS = [1e-6, 0.5, 0.95, 1 - 1e-9]


def two_classes(positives, negatives, seed=0, effect=1.2):
    random = np.random.default_rng(seed)
    y = np.repeat([1, 0], [positives, negatives])
    return y, random.normal(effect * y)


def steps_by_hand(y, scores, threshold, w):
    """Lengths of the steps between thresholds in reach, threshold by threshold."""
    positives, negatives = (y == 1).sum(), (y == 0).sum()
    candidates = [np.inf, *np.unique(scores[y == 1])[::-1]]
    fp, tp = (np.array([(scores[y == k] >= t).sum() for t in candidates]) for k in (0, 1))
    cost = w * (1 - tp / positives) + (1 - w) * fp / negatives
    time = (1 - w) ** 2 * fp / negatives**2 + w**2 * tp / positives**2
    p, q = (tp + 0.5) / (positives + 1), (fp + 0.5) / (negatives + 1)
    variance = w**2 * p * (1 - p) / positives + (1 - w) ** 2 * q * (1 - q) / negatives
    chosen = candidates.index(threshold)
    near = [cost[i] - cost[chosen] <= 2 * np.sqrt(abs(time[i] - time[chosen])) * (1 + 1e-9) for i in range(len(cost))]
    pairs = [(i, i + 1) for i in range(len(cost) - 1) if near[i] or near[i + 1]]
    return [(time[j] - time[i]) / (variance[i] + variance[j]) for i, j in pairs]


def critical_by_hand(lengths, alpha):
    def excess(c):
        return norm.sf(c) + sum(min(h * c * norm.pdf(c), norm.sf(c)) for h in lengths) - alpha

    return brentq(excess, 1, 12, xtol=1e-13)


@pytest.mark.parametrize(("positives", "negatives", "w"), [(60, 60, 0.5), (20, 200, 0.1), (9, 9, 0.8)])
def test_the_upper_limit_of_a_cost_is_the_pointwise_one_at_the_level_of_the_steps_in_reach(positives, negatives, w):
    for effect in (0.0, 1.5, 6.0):
        y, scores = two_classes(positives, negatives, effect=effect)
        cost = bootstrap_cost(y, scores, probability_cost=w)
        low, high = cost.confidence_interval(0.95)
        tail = norm.sf(critical_by_hand(steps_by_hand(y, scores, cost.thresholds, w), 0.025))
        bridge = cost.estimate + np.sqrt(np.log(40) / 2 * (w**2 / positives + (1 - w) ** 2 / negatives))
        stricter = cost.confidence_interval(1 - 2 * tail, method="unseen_case").high
        assert high == pytest.approx(min(stricter, bridge), rel=1e-9)
        assert low == cost.confidence_interval(0.95, method="unseen_case").low


def test_limits_at_youdens_threshold_by_hand():
    y, scores = two_classes(60, 80)
    roc = bootstrap_roc_at_threshold(y, scores, thresholds="youden")
    assert roc.thresholds == bootstrap_cost(y, scores, probability_cost=0.5).thresholds
    critical = critical_by_hand(steps_by_hand(y, scores, roc.thresholds, 0.5), 0.025)
    hits, alarms = round(roc.tpr.estimate * 60), round(roc.fpr.estimate * 80)
    p, q = (hits + 0.5) / 61, (alarms + 0.5) / 81
    variances = p * (1 - p) / 60, q * (1 - q) / 80
    z = norm.isf(0.025)
    tails = [norm.sf(z + np.sqrt(v / sum(variances)) * (critical - z)) for v in variances]
    tails = [max(tail, local_level(n, 0.05) / 2) for tail, n in zip(tails, (60, 80), strict=True)]
    expected = beta.ppf(tails[0], hits, 61 - hits), beta.isf(0.025, hits + 1, 60 - hits)
    assert tuple(roc.tpr.confidence_interval()) == pytest.approx(expected, rel=1e-9)
    expected = beta.ppf(0.025, alarms, 81 - alarms), beta.isf(tails[1], alarms + 1, 80 - alarms)
    assert tuple(roc.fpr.confidence_interval()) == pytest.approx(expected, rel=1e-9)


def test_youdens_threshold_has_the_largest_difference_of_rates_and_of_several_is_the_largest():
    y, scores = np.array([0, 0, 0, 1, 1, 1, 0, 1]), np.array([1, 2, 3, 3, 4, 5, 4, 2.0])
    roc = bootstrap_roc_at_threshold(y, scores, thresholds="youden")
    gains = {t: (scores[y == 1] >= t).mean() - (scores[y == 0] >= t).mean() for t in scores}
    assert roc.thresholds == max(t for t, gain in gains.items() if np.isclose(gain, max(gains.values())))
    assert roc.selected is True
    assert roc.tpr.selected is True
    assert roc.confidence_region().tpr.low < roc.tpr.confidence_interval().low


def assert_around_the_naive_ones(result, rounding):
    """The limits after choosing nest, and hold those of a threshold that was given."""
    inner = np.array([np.inf, -np.inf])
    for level in LEVELS:
        low, high = result.confidence_interval(level)
        naive = result.confidence_interval(level, method=result.methods[1])
        assert np.all(low <= np.minimum(naive.low, inner[0]) + rounding)
        assert np.all(high >= np.maximum(naive.high, inner[1]) - rounding)
        inner = low, high


def test_a_side_whose_model_chose_nothing_does_not_give_way():
    y, a = two_classes(50, 50)
    b = np.random.default_rng(1).normal(a)
    only_a = bootstrap_cost_difference(y, a, b, probability_cost=0.4, thresholds=("envelope", 0.5))
    naive = only_a.confidence_interval(method="unseen_case")
    assert only_a.confidence_interval().low == naive.low
    assert only_a.confidence_interval().high > naive.high
    only_b = bootstrap_cost_difference(y, b, a, probability_cost=0.4, thresholds=(0.5, "envelope"))
    assert only_b.confidence_interval().low == pytest.approx(-only_a.confidence_interval().high)


def test_thresholds_given_beforehand_are_not_selected():
    y, scores = two_classes(20, 20)
    for rule in (0.5, lambda w: 1 - w):
        cost = bootstrap_cost(y, scores, thresholds=rule)
        assert not cost.selected
        with pytest.raises(ValueError, match="for thresholds that were chosen on the same cases"):
            cost.confidence_interval(method="chosen")
    assert not bootstrap_roc_at_threshold(y, scores).selected


def test_thinning_very_many_thresholds_changes_little():
    """Of 3,000 positives every threshold is near enough to another that is looked at."""
    y, scores = two_classes(3000, 3000, effect=1.0)
    cost = bootstrap_cost(y, scores, probability_cost=0.01)
    tail = norm.sf(critical_by_hand(steps_by_hand(y, scores, cost.thresholds, 0.01), 0.025))
    naive, exact = (cost.confidence_interval(level, method="unseen_case").high for level in (0.95, 1 - 2 * tail))
    assert 0.99 <= (cost.confidence_interval().high - naive) / (exact - naive) <= 1.1


def youden_by_hand(metric, counts, critical, alpha=0.025):
    """The tail probability of a metric of both rates, whose slopes are had by differences."""
    tp, fn, fp, tn = counts
    n, m = tp + fn, fp + tn
    rates = np.array([(tp + 0.5) / (n + 1), (fp + 0.5) / (m + 1)])
    v = rates * (1 - rates) / [n, m]

    def at(p, q):
        return metric.at(n * p, n * (1 - p), m * q, m * (1 - q))

    up, down = (at(rates[0] + 1e-5, rates[1]), at(rates[0], rates[1] + 1e-5)), at(*rates)
    slopes = (np.array(up) - down) / 1e-5
    correlation = slopes @ (v * [1, -1]) / np.sqrt(slopes**2 @ v * v.sum())
    z = norm.isf(alpha)
    return norm.sf(z + abs(correlation) * (critical - z))


@pytest.mark.parametrize("name", ["youden", "precision", "mcc", "lr_negative"])
def test_a_metric_at_youdens_threshold_gives_way_as_far_as_it_correlates(name):
    y, scores = two_classes(60, 80)
    result = bootstrap_metric(y, scores, name, thresholds="youden", sampling="stratified")
    roc = bootstrap_roc_at_threshold(y, scores, thresholds="youden")
    hits, alarms = round(roc.tpr.estimate * 60), round(roc.fpr.estimate * 80)
    critical = critical_by_hand(steps_by_hand(y, scores, roc.thresholds, 0.5), 0.025)
    tail = youden_by_hand(METRICS[name], (hits, 60 - hits, alarms, 80 - alarms), critical)
    assert result.selected is True
    assert result.methods[0] == "chosen"
    naive = bootstrap_metric(y, scores, name, thresholds=roc.thresholds, sampling="stratified")
    assert naive.selected is False
    assert naive.methods == result.methods[1:]
    optimistic, other = ("high", "low") if name == "lr_negative" else ("low", "high")
    stricter = getattr(naive.confidence_interval(1 - 2 * tail), optimistic)
    assert getattr(result.confidence_interval(), optimistic) == pytest.approx(stricter, rel=1e-4)
    assert getattr(result.confidence_interval(), other) == getattr(naive.confidence_interval(), other)


def test_a_rate_as_a_metric_has_the_interval_of_the_rate():
    y, scores = two_classes(25, 40, effect=0.3)
    roc = bootstrap_roc_at_threshold(y, scores, thresholds="youden")
    for sampling in (None, "full", "stratified"):
        recall = bootstrap_metric(y, scores, "recall", thresholds="youden", sampling=sampling)
        specificity = bootstrap_metric(y, scores, "specificity", thresholds="youden", sampling=sampling)
        assert recall.confidence_interval() == pytest.approx(roc.tpr.confidence_interval(), rel=1e-6)
        low, high = specificity.confidence_interval()
        assert (1 - high, 1 - low) == pytest.approx(roc.fpr.confidence_interval(), rel=1e-6)


DESIGNS = [("stratified", (3, 4)), ("full", (40, 60)), ("stratified", (300, 5))]


@pytest.mark.parametrize(("name", "design"), list(zip(METRICS, cycle(DESIGNS), strict=False)), ids=str)
def test_limits_of_metrics_lie_around_the_naive_ones_and_nest(name, design):
    sampling, sizes = design
    result = bootstrap_metric(*two_classes(*sizes), name, thresholds="youden", sampling=sampling)
    assert_around_the_naive_ones(result, 1e-9)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_the_envelopes_lower_limit_is_the_least_at_any_threshold(sampling):
    y, scores = two_classes(25, 40)
    asked = {"probability_cost": np.array([0.1, 0.5, 0.8]), "sampling": sampling}
    cost = bootstrap_cost(y, scores, **asked)
    low, high = cost.confidence_interval(method="envelope")
    each = [*(scores - 1e-9), scores.max() + 1]  # the last finds nobody, but could
    fixed = [bootstrap_cost(y, scores, thresholds=t, **asked).confidence_interval().low for t in each]
    np.testing.assert_allclose(low, np.min(fixed, axis=0), rtol=1e-12)
    np.testing.assert_array_equal(high, cost.confidence_interval().high)


def test_pvalues_of_the_envelope_are_its_interval_where_the_chosen_cost_is_known():
    cost = bootstrap_cost([0, 0, 1, 1], [0.1, 0.9, 0.3, 0.2], probability_cost=[0.2, 0.5])
    assert cost.confidence_interval().low[0] == cost.confidence_interval().high[0] == 0.2  # nobody is called positive
    for null in (0.0, 0.1, 0.15):
        for alternative in ("two-sided", "greater"):
            p = cost.pvalue(alternative, null=null, method="envelope")
            for level in (0.6, 0.9, 0.99):
                low, _ = cost.confidence_interval(level, method="envelope", alternative=alternative)
                np.testing.assert_array_equal(p < 1 - level, low > null)


def test_of_very_many_thresholds_the_envelopes_lower_limit_is_no_higher():
    y, scores = two_classes(2500, 4000)
    cost = bootstrap_cost(y, scores, probability_cost=0.3)
    each = [
        bootstrap_cost(y, scores, probability_cost=0.3, thresholds=t)
        for t in np.quantile(scores, np.linspace(0, 1, 60))
    ]
    fixed = [one.confidence_interval().low for one in each]
    low, high = cost.confidence_interval(method="envelope")
    assert 0.9 * min(fixed) < low <= min(fixed)
    assert low < cost.estimate < high


@pytest.mark.parametrize(("name", "seed"), [("f1", 0), ("mcc", 1), ("accuracy", 2), ("fomr", 0)])
def test_the_best_threshold_of_a_metric_is_the_best_of_all_scores_and_its_interval_allows_for_it(name, seed):
    y, scores = two_classes(20, 30, seed=seed)
    found = bootstrap_metric(y, scores, name, thresholds="best")
    at_each = bootstrap_metric(y, scores, name, thresholds=np.unique(scores[y == 1])).estimate
    assert found.estimate == (np.nanmin if name == "fomr" else np.nanmax)(at_each)
    assert found.selected
    assert found.methods[0] == "chosen"
    given = bootstrap_metric(y, scores, name, thresholds=found.thresholds)
    assert given.estimate == found.estimate
    assert not given.selected
    (low, high), wider = given.confidence_interval(), found.confidence_interval()
    if name == "fomr":
        assert wider.low == pytest.approx(low, abs=1e-9)
        assert wider.high > high
    else:
        assert wider.low < low
        assert wider.high == pytest.approx(high, abs=1e-9)


def test_where_there_is_no_best_threshold():
    y, scores = two_classes(20, 30)
    of_counts = "'best' needs a metric whose definition does not depend on the threshold, got 'net_benefit'"
    for truth, values, metric, rule, said in (
        (y, norm.cdf(scores), "net_benefit", "best", of_counts),
        (y**0, scores, "recall", "best", "'best' needs both classes"),
        (y, scores, "f1", "bset", "thresholds must be one of 'youden', 'best'"),
    ):
        with pytest.raises(ValueError, match=said):
            bootstrap_metric(truth, values, metric, thresholds=rule, pos_label=1)


@pytest.mark.parametrize("n", [5, 24, 99, 150])
@pytest.mark.parametrize("null", [0.5, 1e-8])
def test_pvalues_of_a_chosen_recall_far_from_the_estimate(n, null):
    """Of n hits among n the p-value lies between those of two binomial limits: of level alpha / 2, and half of that."""
    y = np.repeat([0, 1], n)
    result = bootstrap_metric(y, y, "recall", thresholds="best")
    p = result.pvalue(null=null)
    assert 2 * null**n <= p <= 4 * null**n * (1 + 1e-6)
