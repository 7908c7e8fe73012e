"""Laws of metrics of a confusion table against complete enumeration, and against each other where they are linear."""

from fractions import Fraction
from functools import partial

import numpy as np
import oracles
import pytest
from budget import assert_cdf, assert_places, assert_standard_errors
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from public import METRICS as NAMED_METRICS
from scipy.stats import binom, norm
from strategies import per_cent
from test_roc_fpr import assert_law

from skcostci import Metric, bootstrap_cost, bootstrap_metric

TABLE = st.tuples(*[st.integers(0, 5)] * 4).filter(lambda table: table[0] + table[1] and table[2] + table[3])
METRICS = NAMED_METRICS | {"f2": Metric.fbeta(2), "net_benefit": Metric.net_benefit(0.25)}
METRICS["standardized_net_benefit"] = Metric.net_benefit(0.25, standardized=True)
TABLES = [(2, 1, 1, 3), (3, 0, 1, 3), (0, 3, 1, 3)]
SCHEMES = [("full", None), ("stratified", None), ("stratified", 0.2)]
COUNTS, LABELS = (3, 1, 2, 2), ([1, 1, 0, 0], [1, 0, 1, 0])


def asked(metric, counts, sampling="full", prevalence=None):
    """The result of a table of counts."""
    return bootstrap_metric(*LABELS, metric, sampling=sampling, prevalence=prevalence, sample_weight=counts)


IN_TURN = [(name, TABLES[k], SCHEMES[(i + k) % 3]) for i, name in enumerate(METRICS) for k in range(3)]


@pytest.mark.parametrize(("name", "counts", "scheme"), IN_TURN)
def test_laws_are_those_of_all_resamples(name, counts, scheme):
    sampling, prevalence = scheme
    exact, undefined = oracles.metric_law(name, counts, sampling == "full", prevalence and Fraction(1, 5))
    found = asked(METRICS[name], counts, *scheme)
    if undefined == 1:
        assert found.mean == found.standard_error == found.quantile(0.5) == np.inf
        assert found.undefined == 1
        return
    exact = {Fraction(value): p for value, p in exact.items()}  # of "mcc", rounded
    assert_allclose(found.undefined, float(undefined), rtol=1e-12, atol=1e-15)
    assert_allclose(found.mean, float(oracles.moment(exact, 1)), rtol=1e-12, atol=1e-14)
    assert_allclose(found.standard_error**2, float(oracles.moment(exact, 2)), rtol=1e-11, atol=1e-14)
    off, values = 1e-13 if name == "mcc" else 0.0, sorted(exact)
    up_to = [float(oracles.cdf(exact, max(x for x in values if abs(x - value) < 1e-9))) for value in values]
    assert_allclose(found.cdf(np.array(values, dtype=float) + off), up_to, atol=1e-14)
    q = [0.025, 0.4, 0.9]
    assert_allclose(found.quantile(q), [float(oracles.quantile(exact, Fraction(x))) for x in q], rtol=1e-14, atol=1e-14)


def test_a_share_is_binomial_given_how_many_cases_count():
    found = asked("precision", (30, 20, 10, 940))
    k = np.arange(1, 1001)
    drawn = binom.pmf(k, 1000, 0.04) / (1 - 0.96**1000)
    for x in (0.5, 2 / 3, 0.751):
        assert_allclose(found.cdf(x), drawn @ binom.cdf(np.floor(k * x + 1e-9), k, 0.75), rtol=1e-12)
    assert_allclose(found.mean, 0.75, rtol=1e-13)
    assert_allclose(found.standard_error**2, 0.1875 * (drawn / k).sum(), rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        pytest.param("balanced_accuracy", (900, 300, 450, 1350), marks=pytest.mark.slow),
        pytest.param("kappa", (4, 1996, 3, 1997), marks=pytest.mark.slow),
        ("f2", (5, 2, 9, 3000)),
    ],
)
def test_large_samples_are_looked_at_every_so_many_counts(name, counts):
    """Against the sum over all class sizes and false positives."""
    tp, fn, fp, tn = counts
    n, found, metric = sum(counts), asked(METRICS[name], counts), METRICS[name]
    places = found.mean + np.array([-1.9, -0.3, 0.8, 2.2]) * found.standard_error
    sizes = binom(n, (tp + fn) / n)
    expected, undefined = np.zeros(4), 0.0
    for positives in range(int(sizes.ppf(1e-9)), int(sizes.isf(1e-9)) + 1):
        hits, alarms = binom(positives, tp / (tp + fn)), binom(n - positives, fp / (fp + tn))
        k = np.arange(int(hits.ppf(1e-9)), int(hits.isf(1e-9)) + 1)[:, None]
        j = np.arange(int(alarms.ppf(1e-9)), int(alarms.isf(1e-9)) + 1)
        values, masses = metric.at(k, positives - k, j, n - positives - j), hits.pmf(k) * alarms.pmf(j)
        some, weight = np.isfinite(values), sizes.pmf(positives)
        undefined += weight * masses[~some].sum()
        expected += weight * np.array([masses[some & (values <= x)].sum() for x in places])
    assert_cdf(found.cdf(places), expected / (1 - undefined))


@pytest.mark.parametrize(
    ("name", "sampling"), [("f1", "full"), ("precision", "stratified"), ("mcc", "stratified"), ("mcc", "full")]
)
def test_laws_of_the_largest_samples_are_normal(name, sampling):
    """Of 4e9 cases: at once, in little memory, and right where ``bdtr`` is not."""
    found = asked(name, (10**9, 5 * 10**8, 7 * 10**8, 18 * 10**8), sampling)
    z = np.array([-1.5, 0.0, 0.7])
    assert_cdf(found.cdf(found.mean + z * found.standard_error), norm.cdf(z))


def test_a_quantile_may_be_a_value_that_most_columns_share():
    assert asked("precision", (5 * 10**8, 10**7, 1, 10**8)).quantile(0.9) == 1.0


def test_moments_of_functions_of_rates_by_quadrature_are_those_of_sums():
    tp, fp = np.arange(241)[:, None], np.arange(261)
    values = METRICS["mcc"].at(tp, 240 - tp, fp, 260 - fp)
    weights = binom.pmf(tp, 240, 0.75) * binom.pmf(fp, 260, 90 / 260)
    mean = np.nansum(weights * values)
    deviation = np.nansum(weights * (values - mean) ** 2) ** 0.5
    stratified, full = (asked("mcc", (180, 60, 90, 170), sampling) for sampling in ("stratified", "full"))
    assert_places(stratified.mean, mean, deviation)
    assert_standard_errors(stratified.standard_error, deviation)
    assert full.standard_error > stratified.standard_error
    assert_allclose(full.mean, mean, atol=2 / 500)


def law_of(sampling, value):
    law = {}
    for table, p in oracles.tables(COUNTS, sampling == "full"):
        law[value(table)] = law.get(value(table), 0) + p
    return law


def ratio(numerator, denominator, table):
    below = sum(w * n for w, n in zip(denominator, table, strict=True))
    return None if below == 0 else sum(w * n for w, n in zip(numerator, table, strict=True)) / Fraction(below)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize(
    ("numerator", "denominator"),
    [((1, -3, 2, 0), (0, 1, 2, 4)), ((1, -2, 3, 0), (1, 1, 0, 0))],  # the last lives where the denominator is 0, too
)
def test_moments_of_a_ratio(sampling, numerator, denominator):
    law = law_of(sampling, partial(ratio, numerator, denominator))
    undefined = law.pop(None, Fraction(0))
    law = {value: p / (1 - undefined) for value, p in law.items()}
    exact = [float(each) for each in (undefined, oracles.moment(law, 1), oracles.moment(law, 2))]
    found = asked(Metric(numerator, denominator), COUNTS, sampling)
    assert_allclose([found.undefined, found.mean, found.standard_error**2], exact, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("weights", [(1.0, 0.0, 0.0, 1.0), (0.5, -1.0, 0.5, 2.0), (1.0, 2.0, 10.0, 0.0)])
def test_weighted_counts(weights, sampling):
    metric, value = Metric(weights, (1, 1, 1, 1)), partial(ratio, list(map(Fraction, weights)), (1, 1, 1, 1))
    assert_law(asked(metric, COUNTS, sampling), law_of(sampling, value), value(COUNTS), 1e-12)


@pytest.mark.parametrize("w", [0.0, 0.3, 1.0])
def test_a_class_that_is_worth_nothing_is_left_out(w):
    def value(table):
        tp, fn, fp, tn = table
        return Fraction(w) * Fraction(fn, tp + fn) + Fraction(1 - w) * Fraction(fp, fp + tn)

    found = bootstrap_cost(*LABELS, probability_cost=w, thresholds=1, sample_weight=COUNTS)
    assert_law(found, law_of("stratified", value), value(COUNTS), 1e-12)


def test_many_points_have_the_moments_of_each():
    rng = np.random.default_rng(0)
    y, score, cuts = np.arange(200) % 2, rng.normal(size=200), np.linspace(-1, 1, 150)
    several = bootstrap_metric(y, score, "precision", thresholds=cuts, sampling="stratified")
    for i in (0, 63, 64, 149):
        one = bootstrap_metric(y, score, "precision", thresholds=cuts[i], sampling="stratified")
        assert_allclose([several.mean[i], several.standard_error[i]], [one.mean, one.standard_error], rtol=1e-12)


@given(TABLE, st.sampled_from(sorted(NAMED_METRICS)))
@per_cent(50)
def test_metrics_of_counts_are_the_textbooks(table, name):
    metric, exact = METRICS[name], oracles.metric_of_table(name, table)
    found = float(metric.at(*table))
    if exact is None:
        assert not np.isfinite(found)
    else:
        assert_allclose(found, float(exact), rtol=1e-12, atol=1e-14)
    if isinstance(metric, Metric):
        tp, fn, fp, tn = map(float, table)
        rates = np.array([tp / (tp + fn), fn / (tp + fn), fp / (fp + tn), tn / (fp + tn)])
        numerator, denominator = metric.on_rates((tp + fn) / sum(table))
        with np.errstate(invalid="ignore", divide="ignore"):
            assert_allclose(rates @ numerator / (rates @ denominator), found, rtol=1e-12, atol=1e-14)
