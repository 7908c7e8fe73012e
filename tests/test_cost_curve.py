"""The geometry of cost curves against brute force, and the thresholds that come from it."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.stats import beta, rv_discrete, truncnorm, uniform
from strategies import per_cent, samples

import skcostci as sk

GRID = np.linspace(0, 1, 201)
rates = st.lists(st.tuples(*[st.integers(0, 8).map(lambda k: k / 8)] * 2), min_size=1, max_size=8)


def cheapest(points, x):
    """The cost of the best of these classifiers and the two trivial ones, one condition at a time."""
    lines = [(0, 0), (1, 1), *points]
    return min((1 - true) * x + false * (1 - x) for false, true in lines)


@given(points=rates)
def test_envelope_is_the_cheapest_line_everywhere(points):
    curve = sk.CostCurve.from_rates(*zip(*points, strict=True))
    assert_allclose(curve(GRID), [cheapest(points, x) for x in GRID], atol=1e-14)
    assert_allclose(curve(curve.probability_cost), curve.cost)
    assert np.all(np.diff(curve.probability_cost) > 0)
    assert len(curve.fpr) == len(curve.tpr) == len(curve.cost) - 1
    middles = (curve.probability_cost[1:] + curve.probability_cost[:-1]) / 2
    assert_allclose((1 - curve.tpr) * middles + curve.fpr * (1 - middles), curve(middles))


@given(points=rates)
def test_operating_range_is_where_a_line_beats_the_trivial_ones(points):
    low, high = sk.CostCurve.from_rates(*zip(*points, strict=True)).operating_range()
    useful = [(false, true) for false, true in points if true > false]
    if useful:
        assert low == pytest.approx(min(false / (false + true) for false, true in useful))
        assert high == pytest.approx(max((1 - false) / (2 - true - false) for false, true in useful))
    else:
        assert low == high == 0.5


@given(sample=samples(weights=True))
def test_curve_of_scores_is_the_best_threshold_everywhere(sample):
    labels, scores, weights = (np.array(column) for column in sample)
    curve = sk.CostCurve.from_predictions(labels, scores, sample_weight=weights)

    def reached(threshold):
        return [np.average(scores[labels == k] >= threshold, weights=weights[labels == k]) for k in (0, 1)]

    points = [reached(threshold) for threshold in np.unique(scores)]
    assert_allclose(curve(GRID), [cheapest(points, x) for x in GRID], atol=1e-14)
    assert_allclose(np.column_stack([curve.fpr, curve.tpr]), [reached(each) for each in curve.thresholds])


@given(sample=samples(weights=True), numerator=st.integers(0, 60))
def test_cost_minimizing_thresholds_are_the_largest_of_the_cheapest(sample, numerator):
    labels, scores, weights = (np.array(column) for column in sample)
    w = Fraction(numerator, 60)
    sizes = [int(weights[labels == label].sum()) for label in (0, 1)]
    costs = {}
    for threshold in [np.inf, *np.unique(scores)]:
        missed = int(weights[(labels == 1) & (scores < threshold)].sum())
        alarms = int(weights[(labels == 0) & (scores >= threshold)].sum())
        costs[threshold] = w * Fraction(missed, sizes[1]) + (1 - w) * Fraction(alarms, sizes[0])
    best = max(threshold for threshold, cost in costs.items() if cost == min(costs.values()))
    assert sk.cost_minimizing_thresholds(labels, scores, float(w), sample_weight=weights) == best


@given(first=rates, second=rates)
def test_crossings_are_where_the_difference_changes_sign_or_touches(first, second):
    a, b = (sk.CostCurve.from_rates(*zip(*points, strict=True)) for points in (first, second))
    crossings = a.crossings(b)
    assert_allclose(a(crossings), b(crossings), atol=1e-12)
    assert_allclose(crossings, b.crossings(a), atol=1e-12)
    grid = np.union1d(a.probability_cost, b.probability_cost)
    fine = np.unique(np.concatenate([grid, *(np.linspace(*pair, 9) for pair in pairwise(grid))]))
    sign = np.sign(np.round(a(fine) - b(fine), 12))
    nonzero = np.flatnonzero(sign)
    pairs = pairwise(nonzero)
    expected = sum(1 for i, j in pairs if sign[i] != sign[j] or j > i + 1)
    assert len(crossings) == expected


def test_touching_and_overlapping_curves():
    whole = sk.CostCurve.from_rates([0.0, 0.2, 1.0], [0.4, 0.8, 1.0])
    assert len(whole.crossings(whole)) == 0
    lower = sk.CostCurve.from_rates([0.1, 0.2, 0.3], [0.7, 0.8, 0.85])
    assert_allclose(whole(whole.crossings(lower)), lower(whole.crossings(lower)), atol=1e-12)


def test_drummond_and_holte_average_vertex():
    # Their Fig. 15: the vertical average of two curves in cost space has the vertex (0.17, 0.6) of ROC space, halfway
    # between the vertices it comes from.
    a, b = sk.CostCurve.from_rates([0.04], [0.4]), sk.CostCurve.from_rates([0.3], [0.8])
    average = sk.CostCurve.mean([a, b])
    assert [0.17, 0.6] in np.column_stack([average.fpr, average.tpr]).round(12).tolist()
    assert_allclose(average(GRID), (a(GRID) + b(GRID)) / 2, atol=1e-14)
    assert average.thresholds is None


@given(points=rates)
@per_cent(40)
def test_expected_cost_agrees_with_quadrature(points):
    curve = sk.CostCurve.from_rates(*zip(*points, strict=True))
    area = np.sum(np.diff(curve.probability_cost) * (curve.cost[1:] + curve.cost[:-1]) / 2)
    assert_allclose([curve.expected_cost(prior) for prior in (None, uniform(), beta(1, 1))], area, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    "prior", [beta(2, 5), beta(0.5, 0.5), beta(40, 60), uniform(0.2, 0.3), truncnorm(-3, 7, 0.3, 0.1)]
)
def test_expected_cost_under_priors(prior):
    curve = sk.CostCurve.from_rates([0.05, 0.2, 0.6], [0.5, 0.8, 0.97])
    ends = np.clip(prior.support(), 0, 1)
    cuts = np.unique(np.concatenate([ends, curve.probability_cost, prior.ppf([0.01, 0.5, 0.99])]))
    cuts = cuts[(cuts >= ends[0]) & (cuts <= ends[1])]
    exact = sum(quad(lambda x: curve(x) * prior.pdf(x), a, b, epsabs=1e-13)[0] for a, b in pairwise(cuts))
    assert curve.expected_cost(prior) == pytest.approx(exact, abs=2e-9)


@given(points=rates)
def test_roc_hull_and_back(points):
    curve = sk.CostCurve.from_rates(*zip(*points, strict=True))
    fpr, tpr = curve.to_roc()
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    again = sk.CostCurve.from_rates(fpr, tpr)
    assert_allclose(again(GRID), curve(GRID), atol=1e-14)
    turns = np.diff(tpr)[:-1] * np.diff(fpr)[1:] - np.diff(tpr)[1:] * np.diff(fpr)[:-1]
    assert np.all(turns > 0)


@given(fpr=st.floats(0, 1), tpr=st.floats(0, 1), x=st.floats(0, 1))
def test_points_and_lines_are_dual(fpr, tpr, x):
    line = sk.cost_line(fpr, tpr)
    assert line.intercept + line.slope * x == pytest.approx((1 - tpr) * x + fpr * (1 - x), abs=1e-14)
    assert sk.roc_point(line) == pytest.approx((fpr, tpr), abs=1e-14)


@given(slope=st.floats(0, 50), intercept=st.floats(-1, 1), fpr=st.floats(0, 1))
def test_roc_lines_are_cost_points(slope, intercept, fpr):
    x, cost = sk.cost_point(slope, intercept)
    line = sk.cost_line(fpr, tpr) if 0 <= (tpr := slope * fpr + intercept) <= 1 else None
    if line is not None:
        assert line.intercept + line.slope * x == pytest.approx(cost, abs=1e-12)
    assert sk.roc_line(x, cost) == pytest.approx((slope, intercept), abs=1e-9)


def test_perfect_and_useless_models():
    perfect = sk.CostCurve.from_predictions([0, 0, 1, 1], [1, 2, 3, 4])
    assert_array_equal(perfect.cost, [0, 0])
    assert perfect.operating_range() == (0, 1)
    assert perfect.thresholds.tolist() == [3]
    useless = sk.CostCurve.from_predictions([0, 1], [1, 1])
    assert useless.operating_range() == (0.5, 0.5)
    assert_array_equal(useless.cost, [0, 0.5, 0])
    assert repr(useless) == "CostCurve(2 segments, operating range 0.5 to 0.5)"


@pytest.mark.parametrize(
    ("prevalence", "cost_fn", "cost_fp", "expected"), [(0.1, 9, 1, 0.5), (0, 1, 1, 0), (1, 1, 1, 1), (0.3, 0, 2, 0)]
)
def test_probability_cost(prevalence, cost_fn, cost_fp, expected):
    assert sk.probability_cost(prevalence, cost_fn, cost_fp) == pytest.approx(expected)
    assert_allclose(sk.probability_cost([prevalence], cost_fn, cost_fp), [expected])


@given(sample=samples(), limit=st.floats(0, 1))
def test_neyman_pearson_and_workforce_thresholds_against_all_thresholds(sample, limit):
    labels, scores = (np.array(column) for column in sample)
    found = [(np.inf, 0.0, 0.0, 0.0)]
    for t in np.unique(scores)[::-1]:
        hits = scores >= t
        found.append((t, hits[labels == 0].mean(), hits[labels == 1].mean(), hits.mean()))

    def best(allowed):
        return max(allowed, key=lambda row: (row[2], row[0]))[0]

    assert sk.neyman_pearson_threshold(labels, scores, limit) == best([r for r in found if r[1] <= limit + 1e-12])
    assert sk.workforce_threshold(labels, scores, limit) == best([r for r in found if r[3] <= limit + 1e-12])
    cases = int(limit * len(labels))
    expected = best([r for r in found if round(r[3] * len(labels)) <= cases])
    assert sk.workforce_threshold(labels, scores, cases) == expected


def test_a_million_points():
    y_true = np.arange(1_000_000) % 2
    curve = sk.CostCurve.from_predictions(y_true, np.random.default_rng(0).normal(y_true))
    assert_allclose(curve(0.5), 0.3085, atol=2e-3)  # Phi(-1/2)
    assert_allclose(sk.CostCurve.from_rates(*curve.to_roc())(GRID), curve(GRID), atol=1e-13)


def test_probability_thresholds_are_optimal_for_calibrated_scores():
    # Scores are P(+ | x) at prevalence .2 on a grid of x; the cheapest cut of the exact populations is the rule's.
    x = np.linspace(-8, 8, 4001)
    positive, negative = np.exp(-((x - 1) ** 2) / 2), np.exp(-((x + 1) ** 2) / 2)
    score = 0.2 * positive / (0.2 * positive + 0.8 * negative)
    for w in (0.1, 0.5, 0.8):
        costs = w * np.cumsum(positive) / positive.sum() + (1 - w) * (1 - np.cumsum(negative) / negative.sum())
        best = score[np.argmin(costs)]
        assert sk.probability_thresholds(w, prevalence=0.2) == pytest.approx(best, abs=2e-3)
    assert_allclose(sk.probability_thresholds(GRID), 1 - GRID, atol=1e-15)


def test_certainty_about_the_class_costs_nothing_rather_than_less():
    rng = np.random.default_rng(2)
    y_true = np.r_[0, 1, rng.integers(0, 2, 10)]
    curve = sk.CostCurve.from_predictions(y_true, rng.normal(size=12))
    assert 0 <= curve.expected_cost(rv_discrete(values=([0, 1], [0.5, 0.5]))()) < 1e-15
