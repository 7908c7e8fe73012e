"""Laws of metrics of a confusion table against complete enumeration, and against each other where they are linear."""

from fractions import Fraction

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from skcostci.laws._cells import class_stratum

from skcostci.laws import LinearLaw, MetricLaw, Stratum, metric_law
from skcostci.laws._metric_point import binomial_nodes
from skcostci.metric import NAMED, Metric, MonotoneMetric

METRICS = {
    **NAMED,
    "f2": Metric.fbeta(2),
    "net_benefit": Metric.net_benefit(0.25),
    "standardized_net_benefit": Metric.net_benefit(0.25, standardized=True),
}
TABLES = [(2, 1, 1, 3), (3, 0, 1, 3), (0, 3, 1, 3)]
SCHEMES = [("full", None), ("stratified", None), ("stratified", 0.2)]


def law_at(metric, counts, sampling="full", prevalence=None, make=metric_law):
    """The law of a metric at one point."""
    return make(np.array([counts], dtype=float), np.ones((1, 4), dtype=bool), (metric,), sampling, prevalence)


@pytest.mark.parametrize("name", sorted({*METRICS} - {"accuracy", "net_benefit"}))  # which are averages of cases
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
    for value in sorted(exact):
        below, level, above = (float(part[0]) for part in law.tails(np.array([float(value) - off])))
        near = [x for x in exact if abs(x - value) < 1e-9]
        assert_allclose(below, float(oracles.cdf(exact, min(near)) - exact[min(near)]), atol=1e-14)
        assert_allclose(below + level + above, 1, atol=1e-14)
        up_to = float(oracles.cdf(exact, max(near)))
        assert_allclose(law.cdf(np.array([float(value) + off])), up_to, atol=1e-14)
    for q in (0.025, 0.4, 0.9):
        assert_allclose(
            law.quantile(np.array([q])), float(oracles.quantile(exact, Fraction(q))), rtol=1e-14, atol=1e-14
        )


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
    law = law_at(NAMED["precision"], (30, 20, 10, 940))
    k = np.arange(1, 1001)
    drawn = binom.pmf(k, 1000, 0.04) / (1 - 0.96**1000)
    for x in (0.5, 2 / 3, 0.751):
        assert_allclose(law.cdf(np.array([x])), drawn @ binom.cdf(np.floor(k * x + 1e-9), k, 0.75), rtol=1e-12)
    assert_allclose(law.mean, 0.75, rtol=1e-13)
    assert_allclose(law.variance, 0.1875 * (drawn / k).sum(), rtol=1e-12)


def test_a_large_sample_of_three_kinds_of_cells_agrees_with_its_columns(monkeypatch):
    counts = 60, 25, 40, 175
    columns = law_at(Metric.fbeta(2), counts)
    expected = columns.cdf(np.linspace(0.5, 0.85, 9)[:, None]), columns.quantile(np.array([[0.025], [0.975]]))
    monkeypatch.setattr("skcostci.laws._metric_point.MANY_CASES", 100)
    linear = law_at(Metric.fbeta(2), counts)
    assert_allclose(linear.cdf(np.linspace(0.5, 0.85, 9)[:, None]), expected[0], atol=1e-9)
    assert_allclose(linear.quantile(np.array([[0.025], [0.975]])), expected[1], atol=1e-3)


def test_moments_of_functions_of_rates_by_quadrature_are_those_of_sums():
    counts, n = (180, 60, 90, 170), 500
    metric = NAMED["mcc"]
    tp, fp = np.arange(241)[:, None], np.arange(261)
    values = metric.at(tp, 240 - tp, fp, 260 - fp)
    weights = binom.pmf(tp, 240, 0.75) * binom.pmf(fp, 260, 90 / 260)
    law = law_at(metric, counts, "stratified")
    mean = np.nansum(weights * values)
    assert_allclose(law.mean, mean, rtol=1e-12)
    assert_allclose(law.variance, np.nansum(weights * (values - mean) ** 2), rtol=1e-10)
    full = law_at(metric, counts, "full")
    assert full.variance > law.variance
    assert_allclose(full.mean, mean, atol=2 / n)


def test_a_quadrature_of_a_binomial_law_has_its_moments():
    nodes, weights = binomial_nodes(5000, 0.3, 0.7)
    assert len(nodes) < 5000
    for order in range(1, 8):
        spread = (np.arange(5001) - 1500.0) / 32
        expected = binom.pmf(np.arange(5001), 5000, 0.3) @ spread**order
        assert_allclose(weights @ ((nodes - 1500) / 32) ** order, expected, rtol=1e-9, atol=1e-11)


def test_a_metric_may_be_any_that_rises_with_the_hits():
    geometric = MonotoneMetric(lambda tp, fn, fp, tn: np.sqrt(tp / (tp + fn) * tn / (fp + tn)), "geometric", (0.0, 1.0))
    law = law_at(geometric, (2, 1, 1, 3), "stratified")
    table = dict(oracles.tables((2, 1, 1, 3), full=False))
    for x in (0.0, 0.4, 0.7, 1.0):
        expected = sum(p for (tp, _, _, tn), p in table.items() if tp / 3 * tn / 4 <= x * x + 1e-12)
        assert_allclose(law.cdf(np.array([x])), float(expected), atol=1e-14)


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
    return class_stratum(np.array([counts]), np.array([values], dtype=float), np.ones((1, len(counts)), dtype=bool))


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
    less, greater = law.sides(2.0)
    assert_allclose(less, float(oracles.cdf(exact, Fraction(2))), rtol=1e-12)
    assert_allclose(greater, float(1 - oracles.cdf(exact, Fraction(2)) + exact.get(Fraction(2), 0)), rtol=1e-12)


def test_more_sizes_of_steps_in_one_of_two_classes_are_refused():
    law = LinearLaw((stratum((3, 2, 2), (1.0, 2.0, 4.5)), stratum((1, 3), (10.0, 0.0))), agresti=4.0)
    with pytest.raises(NotImplementedError, match="resampled apart may have steps of one size each"):
        law.cdf(np.array([3.0]))
    assert isinstance(law.strata[0], Stratum)
    assert_allclose(law.mean, (3 + 4 + 9) / 7 + 2.5)
