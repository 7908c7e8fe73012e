"""Laws of metrics of a confusion table against complete enumeration, and against each other where they are linear."""

from fractions import Fraction
from itertools import product

import numpy as np
import oracles
import pytest
from budget import assert_cdf, assert_places, assert_standard_errors
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from public import METRICS as NAMED_METRICS
from scipy.stats import binom, norm

from skcostci import Metric
from skcostci.laws.exact._linear import LinearLaw, Stratum
from skcostci.laws.exact._metric_law import MetricLaw, metric_law, metric_pair_law, models_of_pair

TABLE = st.tuples(*[st.integers(0, 5)] * 4).filter(lambda table: table[0] + table[1] and table[2] + table[3])
METRICS = {
    **NAMED_METRICS,
    "f2": Metric.fbeta(2),
    "net_benefit": Metric.net_benefit(0.25),
    "standardized_net_benefit": Metric.net_benefit(0.25, standardized=True),
}
TABLES = [(2, 1, 1, 3), (3, 0, 1, 3), (0, 3, 1, 3)]
SCHEMES = [("full", None), ("stratified", None), ("stratified", 0.2)]


def law_at(metric, counts, sampling="full", prevalence=None, make=metric_law):
    """The law of a metric at one point."""
    law = MetricLaw(np.array([counts], dtype=float), np.ones((1, 4), dtype=bool), (metric,), sampling, prevalence)
    return law if make is MetricLaw else make(law)


AVERAGES = {"accuracy", "hamming", "selection_rate", "net_benefit", "pabak"}  # of what each case has


@pytest.mark.parametrize("name", sorted({*METRICS} - AVERAGES))
@pytest.mark.parametrize("counts", [(9, 4, 3, 14), (2, 5, 7, 11)], ids=str)
def test_a_case_has_the_influence_of_one_more(name, counts):
    """Of very many cases: what the textbook's metric gains by one more in each cell."""
    many = 10**6 * np.array(counts)
    before = float(oracles.metric_of_table(name, many.tolist()))
    after = [float(oracles.metric_of_table(name, (many + more).tolist())) for more in np.eye(4, dtype=int)]
    law = law_at(METRICS[name], many)
    tolerance = 1e-5 * np.abs(law.influence).max() + 4 * np.spacing(before)
    assert_allclose(law.influence[0], np.array(after) - before, atol=tolerance, rtol=0)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("counts", TABLES, ids=str)
@pytest.mark.parametrize(("sampling", "prevalence"), SCHEMES)
def test_laws_are_those_of_all_resamples(name, counts, sampling, prevalence):
    exact, undefined = oracles.metric_law(name, counts, sampling == "full", prevalence and Fraction(1, 5))
    law = law_at(METRICS[name], counts, sampling, prevalence, make=MetricLaw)
    assert_allclose(law.undefined, float(undefined), rtol=1e-12, atol=1e-15)
    if undefined == 1:
        assert law.mean == law.variance == law.quantile(np.array([0.5])) == np.inf
        return
    exact = {Fraction(value): p for value, p in exact.items()}  # of "mcc", rounded
    assert_allclose(law.mean, float(oracles.moment(exact, 1)), rtol=1e-12, atol=1e-14)
    assert_allclose(law.variance, float(oracles.moment(exact, 2)), rtol=1e-11, atol=1e-14)
    off = 1e-13 if name == "mcc" else 0.0
    values, q = sorted(exact), np.array([[0.025], [0.4], [0.9]])
    asked = np.array(values, dtype=float)[:, None]
    near = [[x for x in values if abs(x - value) < 1e-9] for value in values]
    less = [float(oracles.cdf(exact, first) - exact[first]) for first, *_ in near]
    below, level, above = law.tails(asked - off)
    assert_allclose(below[:, 0], less, atol=1e-14)
    assert_allclose(below + level + above, 1, atol=1e-14)
    up_to = [float(oracles.cdf(exact, each[-1])) for each in near]
    assert_allclose(law.cdf(asked + off)[:, 0], up_to, atol=1e-14)
    expected = [float(oracles.quantile(exact, Fraction(each))) for each in q[:, 0]]
    assert_allclose(law.quantile(q)[:, 0], expected, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("sampling", ["full", "stratified"])
@pytest.mark.parametrize("name", ["accuracy", "net_benefit", "balanced_accuracy", "youden", "recall", "specificity"])
def test_a_weighted_sum_has_a_linear_law(name, sampling):
    linear = law_at(METRICS[name], (5, 2, 3, 9), sampling)
    ratio = law_at(METRICS[name], (5, 2, 3, 9), sampling, make=MetricLaw)
    weighted_sum = sampling == "stratified" or name in {"accuracy", "net_benefit"}
    assert isinstance(linear, LinearLaw) == weighted_sum
    assert_allclose(linear.mean, ratio.mean, rtol=1e-13)
    assert_allclose(linear.variance, ratio.variance, rtol=1e-11)
    x = np.linspace(-0.2, 1.1, 60)[:, None]
    assert_allclose(linear.cdf(x), ratio.cdf(x), atol=1e-13)
    q = np.array([[1e-9], [0.025], [0.5], [0.999]])
    assert_allclose(linear.quantile(q), ratio.quantile(q), atol=1e-13)


def test_a_share_is_binomial_given_how_many_cases_count():
    law = law_at(METRICS["precision"], (30, 20, 10, 940))
    k = np.arange(1, 1001)
    drawn = binom.pmf(k, 1000, 0.04) / (1 - 0.96**1000)
    for x in (0.5, 2 / 3, 0.751):
        assert_allclose(law.cdf(np.array([x])), drawn @ binom.cdf(np.floor(k * x + 1e-9), k, 0.75), rtol=1e-12)
    assert_allclose(law.mean, 0.75, rtol=1e-13)
    assert_allclose(law.variance, 0.1875 * (drawn / k).sum(), rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "counts"),
    [("balanced_accuracy", (900, 300, 450, 1350)), ("kappa", (4, 1996, 3, 1997)), ("f2", (5, 2, 9, 3000))],
)
def test_large_samples_are_looked_at_every_so_many_counts(name, counts):
    """Against the sum over all class sizes and false positives."""
    tp, fn, fp, tn = counts
    n, law, metric = sum(counts), law_at(METRICS[name], counts), METRICS[name]
    asked = law.mean + np.array([-1.9, -0.3, 0.8, 2.2])[:, None] * np.sqrt(law.variance)
    sizes = binom(n, (tp + fn) / n)
    expected, undefined = np.zeros(4), 0.0
    for positives in range(int(sizes.ppf(1e-9)), int(sizes.isf(1e-9)) + 1):
        hits, alarms = binom(positives, tp / (tp + fn)), binom(n - positives, fp / (fp + tn))
        k = np.arange(int(hits.ppf(1e-9)), int(hits.isf(1e-9)) + 1)[:, None]
        j = np.arange(int(alarms.ppf(1e-9)), int(alarms.isf(1e-9)) + 1)
        values, masses = metric.at(k, positives - k, j, n - positives - j), hits.pmf(k) * alarms.pmf(j)
        some, weight = np.isfinite(values), sizes.pmf(positives)
        undefined += weight * masses[~some].sum()
        expected += weight * np.array([masses[some & (values <= x)].sum() for x in asked[:, 0]])
    assert_cdf(law.cdf(asked)[:, 0], expected / (1 - undefined))


@pytest.mark.parametrize("name", ["f1", "precision", "kappa", "mcc", "balanced_accuracy"])
@pytest.mark.parametrize("sampling", ["full", "stratified"])
def test_laws_of_the_largest_samples_are_normal(name, sampling):
    """Of 4e9 cases: at once, in little memory, and right where ``bdtr`` is not."""
    law = law_at(METRICS[name], (10**9, 5 * 10**8, 7 * 10**8, 18 * 10**8), sampling, make=MetricLaw)
    z = np.array([-1.5, 0.0, 0.7])
    assert_cdf(law.cdf((law.mean + z * np.sqrt(law.variance))[:, None])[:, 0], norm.cdf(z))


def test_a_quantile_may_be_a_value_that_most_columns_share():
    law = law_at(METRICS["precision"], (5 * 10**8, 10**7, 1, 10**8))
    assert law.quantile(np.array([0.9])) == 1.0


def test_moments_of_functions_of_rates_by_quadrature_are_those_of_sums():
    counts, n = (180, 60, 90, 170), 500
    metric = METRICS["mcc"]
    tp, fp = np.arange(241)[:, None], np.arange(261)
    values = metric.at(tp, 240 - tp, fp, 260 - fp)
    weights = binom.pmf(tp, 240, 0.75) * binom.pmf(fp, 260, 90 / 260)
    law = law_at(metric, counts, "stratified")
    mean = np.nansum(weights * values)
    deviation = np.nansum(weights * (values - mean) ** 2) ** 0.5
    assert_places(law.mean, mean, deviation)
    assert_standard_errors(np.sqrt(law.variance), deviation)
    full = law_at(metric, counts, "full")
    assert full.variance > law.variance
    assert_allclose(full.mean, mean, atol=2 / n)


def test_a_numerator_that_lives_where_the_denominator_is_0_is_left_out():
    metric = Metric((1, -2, 3, 0), (1, 1, 0, 0))
    law, undefined = law_at(metric, (2, 1, 1, 2)), Fraction(3, 6) ** 6
    exact = {}
    for (tp, fn, fp, _), p in oracles.tables((2, 1, 1, 2), full=True):
        if tp + fn:
            value = Fraction(tp - 2 * fn + 3 * fp, tp + fn)
            exact[value] = exact.get(value, 0) + p / (1 - undefined)
    assert_allclose(law.undefined, float(undefined), rtol=1e-12)
    assert_allclose(law.mean, float(oracles.moment(exact, 1)), rtol=1e-11)
    assert_allclose(law.variance, float(oracles.moment(exact, 2)), rtol=1e-10)
    for x in (-2, -0.5, 0, 1, 2.5, 7):
        assert_allclose(law.cdf(np.array([x])), float(oracles.cdf(exact, Fraction(x))), atol=1e-14)


def stratum(counts, values):
    """Cells of one class at one point."""
    counts = np.array([counts], dtype=float)
    return Stratum(counts, np.array([values]), np.full(counts.shape, 1 / counts.size), int(counts.sum()), counts)


def test_two_classes_with_any_two_values_each_are_both_counted():
    law = LinearLaw((stratum((3, 2), (1.0, 2.0)), stratum((1, 3), (10.0, 0.0))), agresti=4.0)
    one = oracles.pooled_law([Fraction(3), Fraction(2)], [1, 2], 5)
    other = oracles.pooled_law([Fraction(1), Fraction(3)], [10, 0], 4)
    exact = {}
    for a, p in one.items():
        for b, q in other.items():
            exact[a + b] = exact.get(a + b, 0) + p * q
    for value in sorted(exact):
        assert_allclose(law.cdf(np.array([float(value)])), float(oracles.cdf(exact, value)), atol=1e-14)
        q = oracles.cdf(exact, value)
        assert_allclose(law.quantile(np.array([float(q)])), float(value), atol=1e-12)


def test_more_sizes_of_steps_in_one_of_two_classes_are_listed():
    law = LinearLaw((stratum((3, 2, 2), (1.0, 2.0, 4.5)), stratum((1, 3), (10.0, 0.0))), agresti=4.0)
    one = oracles.pooled_law([Fraction(3), Fraction(2), Fraction(2)], [1, 2, Fraction(9, 2)], 7)
    other = oracles.pooled_law([Fraction(1), Fraction(3)], [10, 0], 4)
    for x in (2.0, 3.0, 5.5, 9.0):
        below = sum(p * q for a, p in one.items() for b, q in other.items() if a + b <= x + 1e-9)
        assert_allclose(law.cdf(np.array([x])), float(below), atol=1e-14)
    assert_allclose(law.mean, (3 + 4 + 9) / 7 + 2.5)


def moments_of(pairs):
    """P(undefined), and mean and variance given the rest, of values with their probabilities."""
    undefined = sum(p for value, p in pairs if value is None)
    defined = [(value, p / (1 - undefined)) for value, p in pairs if value is not None]
    mean = sum(value * p for value, p in defined)
    return float(undefined), float(mean), float(sum((value - mean) ** 2 * p for value, p in defined))


def ratio(numerator, denominator, table):
    below = sum(w * n for w, n in zip(denominator, table, strict=True))
    return None if below == 0 else sum(w * n for w, n in zip(numerator, table, strict=True)) / Fraction(below)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize(
    ("numerator", "denominator"),
    [((1, 0, 0, 0), (1, 0, 1, 0)), ((2, 0, 0, 0), (2, 1, 1, 0)), ((1, -3, 2, 0), (0, 1, 2, 4))],
)
def test_moments_of_a_ratio(sampling, numerator, denominator):
    counts = (2, 1, 1, 3)
    exact = moments_of(
        [(ratio(numerator, denominator, table), p) for table, p in oracles.tables(counts, sampling == "full")]
    )
    law = law_at(Metric(numerator, denominator), counts, sampling, make=MetricLaw)
    assert_allclose([law.undefined[0], law.mean[0], law.variance[0]], exact, rtol=1e-10, atol=1e-13)


def test_many_points_have_the_moments_of_each():
    counts = np.column_stack([np.arange(1, 151), np.arange(150, 0, -1), np.full(150, 7), np.full(150, 9)])
    metrics = (METRICS["precision"],) * 150
    law = MetricLaw(counts.astype(float), np.ones((150, 4), dtype=bool), metrics, "stratified", None)
    for i in (0, 63, 64, 149):
        single = law_at(METRICS["precision"], counts[i], "stratified", make=MetricLaw)
        assert_allclose([law.mean[i], law.variance[i]], [single.mean[0], single.variance[0]], rtol=1e-12)


@pytest.mark.parametrize("full", [False, True], ids=["stratified", "full"])
def test_moments_of_the_difference_of_two_ratios(full):
    """Precision of a less that of b: both, a, b and neither hit, of the positives and then of the negatives."""
    counts = (1, 1, 0, 1, 0, 1, 1, 1)
    a, b = np.array([1, 1, 0, 0] * 2), np.array([1, 0, 1, 0] * 2)
    positive = np.array([1] * 4 + [0] * 4)
    weights = np.array([a * positive, a, b * positive, b], dtype=float)
    parts = [counts] if full else [counts[:4], counts[4:]]
    pairs = []
    for drawn in product(*(list(oracles.compositions(sum(part), len(part))) for part in parts)):
        p = Fraction(1)
        for part, times in zip(parts, drawn, strict=True):
            p *= oracles.orderings(times)
            for count, number in zip(part, times, strict=True):
                p *= Fraction(count, sum(part)) ** number
        table = sum(drawn, ())
        values = [ratio(weights[i].astype(int).tolist(), weights[i + 1].astype(int).tolist(), table) for i in (0, 2)]
        pairs.append((None if None in values else values[0] - values[1], p))
    cells, pair = (np.array([counts], dtype=float), np.ones((1, 8), dtype=bool)), ((METRICS["precision"],),) * 2
    law = metric_pair_law(models_of_pair(*cells, pair, "full" if full else "stratified", None), *cells)
    assert_allclose([law.undefined[0], law.mean[0], law.variance[0]], moments_of(pairs), rtol=1e-9, atol=1e-12)


@given(TABLE, st.sampled_from(sorted(NAMED_METRICS)))
@settings(deadline=None)
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
