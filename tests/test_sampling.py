"""What the kind of resampling does not change, said where it is asked for; shares of positives of another sample."""

import inspect
import pickle
import re
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from sklearn.metrics import average_precision_score

import skcostci as sk

RNG = np.random.default_rng(3)
Y = np.repeat([1, 0], [15, 31])
A = RNG.normal(size=46) + Y
B = A + 0.7 * RNG.normal(size=46)
W = [0.3, 0.6]
BY_RATES = {"recall", "specificity", "balanced_accuracy", "youden", "lr_positive", "lr_negative"}
BOTH = ("stratified", "full")
OF_RATES_ALONE = BY_RATES | {"fpr", "fnr", "diagnostic_odds_ratio"}
CUBE = sk.Metric(lambda share: (share**3, 0, 0, 1 - share**3), (0.5,) * 4, of="rates", name="cube", range=(0, 1))
RATERS = ["kappa", "mcc", "ets", "jaccard", "accuracy", "f1", "pabak", "hamming", "lift"]  # equal if they are exchanged
BY_NAME = {*BY_RATES, "accuracy", "precision", "npv", "f1", "jaccard", "fdr", "fomr", "diagnostic_odds_ratio", "lift"}
BY_NAME |= {"kappa", "mcc", "net_benefit", "standardized_net_benefit"}


def labels(scores):
    return (scores > 0.5).astype(int)


def unchanged(ask):
    """The methods whose limits are the same either way."""
    one, other = (ask(sampling=sampling) for sampling in BOTH)
    shared = [
        (name, *(each.confidence_interval(0.9, method=name) for each in (one, other)))
        for name in {*one.methods} & {*other.methods}
    ]
    return {name for name, *limits in shared if np.allclose(*limits)}


def said_of(function):
    """What the documentation of ``sampling`` says, there or where it refers to."""
    lines = r"\n(?:\w+, )*sampling(?:, \w+)* : [^\n]*\n((?: {4}[^\n]*\n)+)"
    said = re.search(lines, inspect.getdoc(function))[1]
    elsewhere = re.fullmatch(r"\s*As in :func:`(\w+)`\.\s*", said)
    return said_of(getattr(sk, elsewhere[1])) if elsewhere else said


def test_aucs():
    same = unchanged(partial(sk.bootstrap_auc, Y, A))
    assert same == {"delong", "hanley_mcneil", "newcombe", "max_variance"}
    text = " ".join(inspect.getdoc(sk.bootstrap_auc).split())
    listed = re.search(r'((?:"\w+"(?:, | and | ))+)do not depend on the sampling', text)
    assert set(re.findall(r"\w+(?=\")", listed[1])) == same
    assert unchanged(partial(sk.bootstrap_auc_difference, Y, A, B)) == {"delong"}
    assert '"delong"' in said_of(sk.bootstrap_auc_difference)


@pytest.mark.parametrize("rate", ["tpr", "fpr", "precision"])
def test_nothing_of_rates_under_a_budget(rate):
    def ask(**options):
        result = sk.bootstrap_roc_at_positive_rate(Y, A, positive_rate=0.3, **options)
        return result if rate == "tpr" else getattr(result, rate)

    assert unchanged(ask) == set()


@pytest.mark.parametrize("function", [sk.bootstrap_cost, sk.bootstrap_cost_difference])
def test_only_bands_of_costs_that_are_about_rates(function):
    columns = (A,) if function is sk.bootstrap_cost else (A, B)

    def ask(**options):
        return function(Y, *columns, probability_cost=W, thresholds=0.4, **options)

    assert unchanged(ask) == set()
    for band, same in {"equal_levels": True, "kolmogorov": True, "path": False}.items():
        one, other = (ask(sampling=sampling).confidence_band(0.9, method=band) for sampling in BOTH)
        assert np.allclose(one, other) == same
        assert (f'"{band}"' in said_of(function)) == same


@pytest.mark.parametrize("metric", sorted(BY_NAME))
def test_default_intervals_of_what_depends_on_rates_alone(metric):
    options = {"y_pred": expit(A), "thresholds": [0.3]} if "benefit" in metric else {"y_pred": labels(A)}
    one, other = (sk.bootstrap_metric(Y, metric=metric, sampling=each, **options) for each in BOTH)
    same = np.allclose(one.confidence_interval(0.9), other.confidence_interval(0.9))
    assert same == (metric in BY_RATES)
    assert not np.allclose(one.standard_error, other.standard_error, rtol=1e-6)


NO_BENEFITS = [*sorted(BY_NAME - {"net_benefit", "standardized_net_benefit"}), "bias", "ets", "pabak", "fpr", CUBE]


@pytest.mark.parametrize("metric", NO_BENEFITS, ids=lambda metric: getattr(metric, "name", metric))
def test_what_follows_the_share_of_positives_has_that_of_a_random_sample(metric):
    """By default, of one model, of two and in comparisons; what depends on rates alone holds the classes."""
    name = "full" if metric not in OF_RATES_ALONE else "stratified"
    y, a, b = Y[::2], labels(A[::2]), labels(B[::2])
    asked = [partial(sk.bootstrap_metric, y, a, metric)]
    if metric not in {"lift", "diagnostic_odds_ratio", "lr_positive", "lr_negative"}:
        of_two = (sk.bootstrap_metric_difference, y, a, b), (sk.compare_models, y, {"a": a, "b": b})
        asked.append(partial(*of_two[NO_BENEFITS.index(metric) % 2], metric))
    for ask in asked:
        by_default, said = ask(), ask(sampling=name)
        assert_allclose(by_default.standard_error, said.standard_error)
        assert_allclose(by_default.confidence_interval(), said.confidence_interval())
    if metric not in OF_RATES_ALONE | {"lift"}:
        held = asked[0](sampling="stratified").standard_error
        assert asked[0]().standard_error != pytest.approx(held, rel=1e-6)


def test_the_standardized_net_benefit_is_one_statistic_from_threshold_0_on():
    """At threshold 0 it is the recall."""
    ask = partial(sk.bootstrap_metric, Y, expit(A), "standardized_net_benefit")
    together, alone = ask(thresholds=[0, 0.3]), ask(thresholds=0.3)
    assert together.standard_error[1] == pytest.approx(alone.standard_error)


CELLS = [(6, 3, 5, 46), (2, 1, 0, 9), (3, 3, 7, 4), (5, 0, 0, 20), (1, 0, 2, 20)]
PAIRS = [*zip(RATERS, CELLS * 2, strict=False), *zip(RATERS, CELLS[2:] + CELLS * 2, strict=False)]
PAIRS += [(metric, (0, 4, 0, 9)) for metric in RATERS if metric not in {"mcc", "ets", "lift"}]  # without a value


@pytest.mark.parametrize(("metric", "cells"), PAIRS)
def test_agreement_of_raters_does_not_depend_on_who_is_called_the_truth(metric, cells):
    first, second = np.repeat([1, 1, 0, 0], cells), np.repeat([1, 0, 1, 0], cells)
    weights = {"sample_weight": 1 + np.arange(len(first)) % 3 / 4, "weight_type": "importance"}
    folds = {} if metric in {"f1", "jaccard"} else {"folds": np.arange(len(first)) % 2}  # these to 0.1 % only
    for options in ({}, folds, weights) if min(cells) > 1 else ({},):
        one, other = (sk.bootstrap_metric(*pair, metric, **options) for pair in ((first, second), (second, first)))
        assert float(one) == pytest.approx(float(other), abs=1e-12)
        assert one.standard_error == pytest.approx(other.standard_error, abs=1e-8)
        for level in (0.8, 0.95):
            assert_allclose(one.confidence_interval(level), other.confidence_interval(level), rtol=1e-7, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "right"), [("kappa", 0.490), ("mcc", 0.549)])
def test_rare_positives_are_covered(metric, right):
    """A share of .03, TPR .9 and FPR .05: with fixed classes .86 for kappa."""
    drawn = np.random.default_rng(0).multinomial(100, (0.027, 0.003, 0.0485, 0.9215), 400)
    tables, times = np.unique(drawn[drawn[:, 0] > 0], axis=0, return_counts=True)
    inside = []
    for cells in tables:
        truth, guess = np.repeat([1, 1, 0, 0], cells), np.repeat([1, 0, 1, 0], cells)
        low, high = sk.bootstrap_metric(truth, guess, metric).confidence_interval()
        inside.append(low <= right <= high)
    assert np.average(inside, weights=times) >= 0.93


@pytest.mark.parametrize("metric", ["precision", "lift"])
def test_the_top_share_is_of_all_cases(metric):
    ask = partial(sk.bootstrap_metric, Y, A, metric, positive_rate=0.4)
    assert ask().standard_error == ask(sampling="full").standard_error
    assert ask().standard_error > 1.05 * ask(sampling="stratified").standard_error
    at = partial(sk.bootstrap_roc_at_positive_rate, Y, A, positive_rate=0.4)
    budget, held = at(), at(sampling="stratified")
    assert (budget.standard_error, budget.fpr.standard_error) == (held.standard_error, held.fpr.standard_error)
    assert metric == "lift" or budget.precision.standard_error == ask().standard_error


def top_shares(y, scores, times):
    """Precision and lift among the 40 % of the cases with the highest scores, each drawn so often; no ties."""
    order = np.argsort(-scores, kind="stable")
    up_to = np.cumsum(times[order])
    k = int(0.4 * up_to[-1] + 1e-9)
    drawn = np.clip(k - up_to + times[order], 0, times[order])
    precision = drawn @ y[order] / k
    return precision, precision * up_to[-1] / (times @ y)


@pytest.mark.parametrize("scheme", ["cases", "counts", "groups"])
def test_top_shares_vary_as_resamples_do(scheme):
    rng = np.random.default_rng(1)
    y = (rng.random(240) < 0.3).astype(int)
    a = y + rng.normal(size=240)
    scores = a, a + 0.8 * rng.normal(size=240)
    counts, groups = rng.integers(1, 4, 240) if scheme == "counts" else np.ones(240, int), np.arange(240) // 4
    options = {"cases": {}, "counts": {"sample_weight": counts}, "groups": {"groups": groups}}[scheme]
    if scheme == "groups":
        drawn = rng.multinomial(60, np.full(60, 1 / 60), 800)[:, groups]
    else:
        drawn = rng.multinomial(counts.sum(), counts / counts.sum(), 800)

    def of_both(times):
        ours, theirs = (top_shares(y, each, times) for each in scores)
        return [*ours, *np.subtract(ours, theirs)]

    asked = [
        ask(metric, positive_rate=0.4, **options)
        for ask in (partial(sk.bootstrap_metric, y, a), partial(sk.bootstrap_metric_difference, y, *scores))
        for metric in ("precision", "lift")
    ]
    errors = [each.standard_error for each in asked] / np.std([of_both(times) for times in drawn], axis=0)
    assert_allclose(errors[:2], 1, atol=0.08)
    assert_allclose(errors[2:], 1, atol=0.2)  # of first order
    assert_allclose([float(each) for each in asked], of_both(counts))


def test_comparisons_at_a_share_are_those_of_single_models():
    scores = {"a": A, "b": B}
    for metric in ("capture", "lift", "precision"):
        comparison = sk.compare_models(Y, scores, metric, positive_rate=0.4)
        alone = [float(sk.bootstrap_metric(Y, each, metric, positive_rate=0.4)) for each in (A, B)]
        assert_allclose(comparison.estimate, alone)
        difference = sk.bootstrap_metric_difference(Y, A, B, metric, positive_rate=0.4)
        assert float(difference) == pytest.approx(comparison.estimate[0] - comparison.estimate[1])
        same = sk.bootstrap_metric_difference(Y, A, A, metric, positive_rate=0.4)
        assert (float(same), same.pvalue()) == (0, 1)
    with pytest.raises(ValueError, match="sampling must be left at None with groups, got 'full'"):
        sk.bootstrap_metric(Y, A, "precision", positive_rate=0.4, sampling="full", groups=np.arange(46) // 2)
    with pytest.raises(TypeError, match="got 'thresholds', which metric='lift' with positive_rate does not take"):
        sk.bootstrap_metric(Y, A, "lift", positive_rate=0.4, thresholds=1)


def test_the_equal_error_rate_varies_as_resamples_do():
    rng, y = np.random.default_rng(2), np.repeat([1, 0], [60, 90])
    scores = 1.2 * y + rng.normal(size=150)
    rows = [np.concatenate([rng.integers(0, 60, 60), rng.integers(60, 150, 90)]) for _ in range(150)]
    drawn = [sk.bootstrap_metric(y, scores[each], "eer").estimate for each in rows]
    assert sk.bootstrap_metric(y, scores, "eer").standard_error == pytest.approx(np.std(drawn), rel=0.2)


ILL = np.repeat([1, 0], [40, 60])
PREDICTED = np.r_[np.ones(36), np.zeros(4), np.ones(5), np.zeros(55)].astype(int)
C, D = np.random.default_rng(2).normal(size=(2, 100)) + np.outer([1.5, 1.0], ILL)
OTHER = (12, 200)


def test_precision_where_the_share_is_that_of_another_sample():
    """36 of 40, 5 of 60, 12 of 200: limits of a throw-away prototype of the three strata."""
    precision = sk.bootstrap_metric(ILL, PREDICTED, "precision", prevalence=OTHER)
    assert_allclose(precision.estimate, 0.9 * 0.06 / (0.9 * 0.06 + 0.94 / 12), rtol=1e-12)
    assert_allclose(precision.confidence_interval(), [0.125058, 0.686425], atol=2e-6)
    assert precision.estimand.name == "precision at prevalence 12 of 200"
    assert pickle.loads(pickle.dumps(precision)) == precision


@pytest.mark.parametrize("metric", ["precision", "npv", "f1", "kappa", "mcc", "accuracy"])
def test_standard_errors_are_those_of_three_samples_drawn(metric):
    rng, found = np.random.default_rng(0), sk.bootstrap_metric(ILL, PREDICTED, metric, prevalence=(40, 200))
    tp, fp, share = rng.binomial(40, 0.9, 4000) / 40, rng.binomial(60, 1 / 12, 4000) / 60, rng.binomial(200, 0.2, 4000)
    cells = np.array([tp, 1 - tp, fp, 1 - fp]) * np.array([share, share, 200 - share, 200 - share])
    assert_allclose(found.standard_error, np.std(found.estimand.metric.at(*(1e6 * cells))), rtol=0.07)


@pytest.mark.parametrize("metric", ["precision", "f1", "net_benefit"])
def test_a_large_sample_makes_the_share_known_and_a_small_one_widens_every_limit(metric):
    ask = partial(sk.bootstrap_metric, ILL, 1 / (1 + np.exp(-C)), metric, thresholds=[0.3, 0.6])
    few, many, known = (ask(prevalence=share) for share in ((6, 20), (3_000_000, 10_000_000), 0.3))
    assert_allclose(many.estimate, known.estimate, rtol=1e-12)
    assert_allclose(many.confidence_interval(), known.confidence_interval(), rtol=0.15)
    for wider, than in ((few, many), (many, known)):
        outer, inner = wider.confidence_interval(0.9), than.confidence_interval(0.9)
        assert np.all((outer.low <= inner.low + 1e-12) & (outer.high >= inner.high - 1e-12))


def test_differences_share_the_other_sample():
    labels = {"a": (C > 0.7).astype(int), "b": (D > 0.5).astype(int)}
    difference = sk.bootstrap_metric_difference(ILL, *labels.values(), "f1", prevalence=OTHER)
    each = [sk.bootstrap_metric(ILL, one, "f1", prevalence=OTHER) for one in labels.values()]
    assert_allclose(difference.estimate, each[0].estimate - each[1].estimate, rtol=1e-12)
    assert difference.standard_error < np.hypot(*[e.standard_error for e in each])
    compared = sk.compare_models(ILL, labels, "f1", prevalence=OTHER)
    assert_allclose(compared.differences.confidence_interval().low, difference.confidence_interval().low)
    same = sk.bootstrap_metric_difference(ILL, labels["a"], labels["a"], "f1", prevalence=OTHER)
    assert_allclose([same.estimate, same.standard_error], 0, atol=1e-12)


def test_average_precision_has_the_stratum_too():
    ask = partial(sk.bootstrap_average_precision, ILL, C)
    sampled, known = ask(prevalence=OTHER), ask(prevalence=0.06)
    weights = np.where(ILL == 1, 0.06 / 40, 0.94 / 60)
    assert_allclose(sampled.estimate, average_precision_score(ILL, C, sample_weight=weights), rtol=1e-12)
    slope = (ask(prevalence=0.0601).estimate - ask(prevalence=0.0599).estimate) / 0.0002
    assert_allclose(sampled.standard_error**2 - known.standard_error**2, slope**2 * 0.06 * 0.94 / 200, rtol=1e-3)
    assert np.ptp(sampled.confidence_interval()) > np.ptp(known.confidence_interval())
    difference = sk.bootstrap_average_precision_difference(ILL, C, D, prevalence=OTHER)
    low, high = difference.confidence_interval()
    assert low < difference.estimate < high


ALONE = "needs independent cases"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": (0, 9)}, r"events of prevalence=.*whole number in \[1, .*got 0"),
        ({"prevalence": (9, 9)}, "must have events and non-events, got 9"),
        ({"prevalence": (1, 2, 3)}, r"a share, or a pair \(events, cases\)"),
        ({"groups": ILL}, ALONE),
        ({"folds": np.arange(100) % 2}, ALONE),
        ({"y_pred": C, "thresholds": "best"}, "needs thresholds chosen before"),
    ],
)
def test_what_it_does_not_go_with_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sk.bootstrap_metric(**{"y_true": ILL, "y_pred": PREDICTED, "metric": "f1", "prevalence": OTHER, **options})


def test_what_average_precision_and_differences_refuse():
    for options, message in (({"groups": ILL}, ALONE), ({"sampling": "full"}, "sampling must be 'stratif")):
        with pytest.raises(ValueError, match=message):
            sk.bootstrap_average_precision(ILL, C, prevalence=OTHER, **options)
    with pytest.raises(ValueError, match="is of one sample for both results"):
        sk.independent_difference(*[sk.bootstrap_metric(ILL, PREDICTED, "f1", prevalence=OTHER)] * 2)


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
