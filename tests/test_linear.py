"""From counted cells to laws: sums over all resamples of a confusion table, of one model and of two."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from skcostci import Metric
from skcostci.laws.exact._linear import LinearLaw, Stratum, linear_law, minus, pooled_law, rate_law
from skcostci.laws.exact._metric_law import MetricLaw, metric_law

ONE = (3, 1, 2, 2), (0.0, 0.7, 0.25, 0.0)
PAIR = (1, 2, 0, 1, 0, 1, 1, 1), (0.0, -0.7, 0.7, 0.0, 0.0, 0.3, -0.3, 0.0)


def drawn(counts, sampling):
    """Every resample of the cells, what is drawn together to its own size, with its probability."""
    half = len(counts) // 2
    parts = [counts] if sampling == "full" else [counts[:half], counts[half:]]
    for each in product(*(list(oracles.compositions(sum(part), len(part))) for part in parts)):
        p = Fraction(1)
        for part, times in zip(parts, each, strict=True):
            p *= oracles.orderings(times)
            for count, number in zip(part, times, strict=True):
                p *= Fraction(count, sum(part)) ** number
        if p:
            yield sum(each, ()), p


def law_of(counts, statistic, sampling):
    law = defaultdict(Fraction)
    for table, p in drawn(counts, sampling):
        law[statistic(table)] += p
    return dict(law)


def agrees(law, exact):
    """Moments, distribution function and quantiles, at every value that can be."""
    mean, variance = (float(oracles.moment(exact, order)) for order in (1, 2))
    assert_allclose(law.mean, mean, atol=1e-14)
    assert_allclose(law.variance, variance, rtol=1e-12, atol=1e-16)
    for value in sorted(exact):
        x = np.array([float(value)])
        below, level, above = (float(part[0]) for part in law.tails(x))
        assert_allclose(law.cdf(x), float(oracles.cdf(exact, value)), atol=1e-13)
        assert_allclose(
            [below, level], [float(oracles.cdf(exact, value) - exact[value]), float(exact[value])], atol=1e-13
        )
        assert_allclose(above, 1 - below - level, atol=1e-13)
    for q in (0.001, 0.2, 0.5, 0.77, 0.999):
        assert_allclose(law.quantile(np.array([q])), float(oracles.quantile(exact, Fraction(q))), atol=1e-12)


def shares(counts, sampling):
    """What a case adds to its share: one over the cases that are drawn with it."""
    half = len(counts) // 2
    sizes = [sum(counts)] * 2 if sampling == "full" else [sum(counts[:half]), sum(counts[half:])]
    return [Fraction(1, size) for size in sizes for _ in range(half)]


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize(("counts", "values"), [ONE, PAIR], ids=["one", "pair"])
def test_shares_of_cells_times_their_values(counts, values, sampling):
    exact = [Fraction(str(value)) * share for value, share in zip(values, shares(counts, sampling), strict=True)]
    law = linear_law(np.array([counts]), np.array([values]), np.ones((1, len(counts)), dtype=bool), sampling)
    agrees(law, law_of(counts, lambda table: sum(v * n for v, n in zip(exact, table, strict=True)), sampling))
    assert len(law.strata) == (1 if sampling == "full" else 2)
    assert law.agresti == (4 if len(counts) == 4 else 2)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("weights", [(1.0, 0.0, 0.0, 1.0), (0.5, -1.0, 0.5, 2.0)])
def test_weighted_counts(weights, sampling):
    counts, n = ONE[0], sum(ONE[0])
    metric, exact = Metric(weights, (1, 1, 1, 1)), [Fraction(weight) / n for weight in weights]
    cells = np.array([counts], dtype=float), np.ones((1, 4), dtype=bool)
    law = metric_law(MetricLaw(*cells, (metric,), sampling, None))
    agrees(law, law_of(counts, lambda table: sum(w * n for w, n in zip(exact, table, strict=True)), sampling))


@pytest.mark.parametrize(("counts", "values"), [((3, 2), (1, 0)), ((1, 2, 1, 2), (0, 1, -1, 0))])
def test_rates(counts, values):
    """Of one model hits and misses; of two what a alone and b alone hit."""
    law, n = rate_law(np.array([counts]), np.ones((1, len(counts)), dtype=bool)), sum(counts)
    exact = oracles.pooled_law([Fraction(count) for count in counts], values, n)
    agrees(law, exact)
    assert_array_equal(law.support, [[min(values)], [1]])
    assert law.agresti == (4 if len(counts) == 2 else 2)
    assert law.is_rate == (len(counts) == 2)


def test_a_class_that_is_worth_nothing_is_left_out_unless_none_is_worth_anything():
    counts, possible = np.array([[3, 1, 2, 2]]), np.ones((1, 4), dtype=bool)
    law = linear_law(counts, np.array([[1.0, 0.0, 0.0, 0.0]]), possible)
    assert len(law.strata) == 1
    assert law.is_rate
    assert_array_equal(law.strata[0].counts, [[3, 1]])
    nothing = linear_law(counts, np.zeros((1, 4)), possible)
    assert len(nothing.strata) == 2
    assert_array_equal([nothing.mean, nothing.variance, *nothing.support], np.zeros((4, 1)))


def test_pseudo_cases_go_where_a_case_can_fall():
    possible = np.array([[True, True, False, True]])
    stratified = linear_law(np.array([[3, 1, 0, 4]]), np.array([[0.0, 0.5, 0.5, 0.0]]), possible).smoothed(3.0)
    positive, negative = stratified.strata
    assert_allclose(positive.counts, [[4.5, 2.5]])
    assert_allclose(negative.counts, [[0.0, 7.0]])
    assert (positive.draws, negative.draws) == (7, 7)
    (both,) = linear_law(np.array([[3, 1, 0, 4]]), np.array([[0.0, 0.5, 0.5, 0.0]]), possible, "full").strata
    assert_allclose(both.smoothed(3.0).counts, [[4.5, 2.5, 0.0, 7.0]])
    assert both.smoothed(3.0).draws == 14
    assert_array_equal(both.observed, both.counts)


def test_pooled_cells_are_drawn_with_their_smoothing():
    counts, values = (4, 0, 2), (0.0, 1.0, 3.0)
    law = pooled_law(np.array([counts], dtype=float), np.array([values]), smoothing=0.5)
    agrees(law, oracles.pooled_law([Fraction(9, 2), Fraction(1, 2), Fraction(5, 2)], values, 6))
    assert_array_equal(law.strata[0].observed, [counts])
    assert_allclose(law.smoothed(1.5).strata[0].counts, [[5.0, 1.0, 3.0]])
    assert law.smoothed(1.5).strata[0].draws == 7


def test_a_pairs_cells_are_worth_what_a_is_minus_what_b_is():
    of_a, of_b = np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[10.0, 20.0, 30.0, 40.0]])
    for i, (a_hits, b_hits) in enumerate(product((True, False), repeat=2)):
        for positive in (True, False):
            a, b = (0 if hits else 1 for hits in (a_hits, b_hits))
            start, cell = (0, i) if positive else (2, 4 + i)
            assert minus(of_a, of_b)[0, cell] == of_a[0, start + a] - of_b[0, start + b]


def stratum(counts, values):
    """Cells of a class in which a case can fall anywhere."""
    counts = np.array([counts], dtype=float)
    return Stratum(counts, np.array([values]), np.full(counts.shape, 1 / counts.size), int(counts.sum()), counts)


def test_a_stratum_says_where_its_mean_lies():
    cells = stratum((2, 1, 1), (5.0, 1.0, 3.0))
    assert_allclose(cells.mean, 3.5)
    assert_array_equal(cells.support, [[1.0], [5.0]])
    assert_allclose(cells.share, 2.5 / 4)
    assert_array_equal(stratum((2, 2), (1.0, 1.0)).share, [0.0])
    smoothed = cells.smoothed(1.5)
    assert_allclose(smoothed.counts, [[2.5, 1.5, 1.5]])
    assert_allclose(smoothed.mean, (12.5 + 1.5 + 4.5) / 5.5)
    assert_allclose(LinearLaw((smoothed,), 4.0).observed_mean, 3.5)
    assert smoothed.draws == 5
