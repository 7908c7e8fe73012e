"""Scores become integers: every count against the count of cases one by one."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import average_precision_score, roc_curve
from strategies import samples

from skcostci.cases import _paired
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ClassCounts, paired_cells
from skcostci.cuts import Cut, count_along, count_cells, envelope_thresholds, observed_thresholds
from skcostci.geometry._hull import breakpoints, upper_hull

PLACES = np.array([-np.inf, -9.0, *np.arange(-8, 9) / 4, 9.0, np.inf])


def checked(y, *columns, weights=None):
    return Cases.check(y, dict(zip("ab", columns, strict=False)), sample_weight=weights)


def repeated(weights, *columns):
    return (np.repeat(column, weights) for column in columns)


@given(samples(weights=True))
@settings(deadline=None)
def test_counts_of_one_model(sample):
    y, a, weights = map(np.asarray, sample)
    counts = checked(y, a, weights=weights).counts("a")
    y, a = repeated(weights, y, a)
    for label, part in ((1, counts.positive), (0, counts.negative)):
        scores = a[y == label]
        assert part.total == len(scores)
        assert_array_equal(part.values, np.unique(scores))
        assert_array_equal(part.multiplicities, [(scores == value).sum() for value in part.values])
        assert_array_equal(part.count_at_least(PLACES), [(scores >= place).sum() for place in PLACES])
        assert_array_equal(part.count_above(PLACES), [(scores > place).sum() for place in PLACES])
    ranking = counts.ranking
    assert_array_equal(ranking.scores, np.unique(a)[::-1])
    hits, alarms = ranking.reaching
    assert_array_equal(hits, [((a >= score) & (y == 1)).sum() for score in ranking.scores])
    assert_array_equal(alarms, [((a >= score) & (y == 0)).sum() for score in ranking.scores])
    assert_allclose(counts.average_precision, average_precision_score(y, a), rtol=1e-13)
    thresholds, false, true = counts.roc_points
    assert_array_equal(thresholds, [np.inf, *np.unique(a[y == 1])[::-1]])
    assert_array_equal(false, [((a >= threshold) & (y == 0)).sum() for threshold in thresholds])
    assert_array_equal(true, [((a >= threshold) & (y == 1)).sum() for threshold in thresholds])


@given(samples(weights=True))
@settings(deadline=None)
def test_who_beats_whom(sample):
    y, a, weights = map(np.asarray, sample)
    placed = checked(y, a, weights=weights).counts("a").placements
    y, a = repeated(weights, y, a)
    positive, negative = a[y == 1], a[y == 0]
    halves = 2 * (positive[:, None] > negative) + (positive[:, None] == negative)
    assert placed.half_wins == halves.sum()
    assert placed.tied_pairs == (positive[:, None] == negative).sum()
    for value, count, wins in zip(np.unique(positive), placed.cases_positive, placed.half_wins_positive, strict=True):
        assert count == (positive == value).sum()
        assert wins == halves[positive == value][0].sum()
    for value, count, losses in zip(
        np.unique(negative), placed.cases_negative, placed.half_losses_negative, strict=True
    ):
        assert count == (negative == value).sum()
        assert losses == halves[:, negative == value][:, 0].sum()


def wins(x, y):
    return 2 * (x[:, None] > y) + (x[:, None] == y).astype(int)


@pytest.mark.parametrize("room", [0, 128], ids=["halving", "table"])
@given(samples(columns=2, weights=True))
@settings(deadline=None)
def test_who_beats_whom_under_both_models(room, sample):
    y, a, b, weights = map(np.asarray, sample)
    before, _paired.TABLE_CELLS = _paired.TABLE_CELLS, room
    try:
        placed = checked(y, a, b, weights=weights).pair("a", "b")
    finally:
        _paired.TABLE_CELLS = before
    y, a, b = repeated(weights, y, a, b)
    both = wins(a[y == 1], a[y == 0]) * wins(b[y == 1], b[y == 0])
    assert placed.half_wins_both == both.sum()
    for label, part in ((1, placed.positive), (0, placed.negative)):
        each_a, each_b = a[y == label], b[y == label]
        pairs = sorted(set(zip(each_a.tolist(), each_b.tolist(), strict=True)))
        found = list(zip(part.a.values[part.rank_a].tolist(), part.b.values[part.rank_b].tolist(), strict=True))
        assert found == pairs
        assert_array_equal(part.cases, [((each_a == x) & (each_b == z)).sum() for x, z in pairs])


@pytest.mark.parametrize("room", [0, 10**9], ids=["halving", "table"])
def test_many_pairs_are_counted_in_rows_and_blocks(room, monkeypatch):
    monkeypatch.setattr(_paired, "TABLE_CELLS", room)
    monkeypatch.setattr(_paired, "TABLE_BLOCK", (2, 700))
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], [170, 130])
    a, b = rng.integers(0, 90, 300) + 20 * y, rng.integers(0, 60, 300) + 9 * y
    both = wins(a[y == 1], a[y == 0]) * wins(b[y == 1], b[y == 0])
    assert checked(y, a, b).pair("a", "b").half_wins_both == both.sum()


@given(samples(columns=2, weights=True))
@settings(deadline=None)
def test_cells_of_two_models(sample):
    y, a, b, weights = map(np.asarray, sample)
    cases = checked(y, a, b, weights=weights)
    at_a, at_b = map(np.array, zip(*product([-np.inf, -0.5, 0.0, 0.25, np.inf], [-1.0, 0.5, np.inf]), strict=True))
    cells = count_cells(cases, ("a", Cut(at_a)), ("b", Cut(at_b)))
    y, a, b = repeated(weights, y, a, b)
    for label, part in zip((1, 0), cells, strict=True):
        hit_a, hit_b = a[y == label, None] >= at_a, b[y == label, None] >= at_b
        each = [hit_a & hit_b, hit_a & ~hit_b, ~hit_a & hit_b, ~hit_a & ~hit_b]
        assert_array_equal(part.counts, np.column_stack([cell.sum(axis=0) for cell in each]))
        can_a, can_b = ([(at < np.inf) if hit else (at > -np.inf) for hit in (True, False)] for at in (at_a, at_b))
        assert_array_equal(part.possible, np.column_stack([x & z for x in can_a for z in can_b]))


@given(samples(columns=2))
@settings(deadline=None)
def test_neighbours_along_an_axis_share_cases(sample):
    y, a, b = map(np.asarray, sample)
    axis, at_a, at_b = np.array([0.4, 0.1, 0.9]), np.array([0.5, 0.0, -0.5]), np.array([0.5, -1.0, 1.0])
    cells, overlaps = count_along(checked(y, a, b), ("a", Cut(at_a)), ("b", Cut(at_b)), axis)
    plain = count_cells(checked(y, a, b), ("a", Cut(at_a)), ("b", Cut(at_b)))
    order = np.argsort(axis)
    for label, here, same, overlap in zip((1, 0), cells, plain, overlaps, strict=True):
        assert_array_equal(here.counts, same.counts)
        assert_array_equal(here.possible, same.possible)
        for step, (i, j) in enumerate(pairwise(order)):
            hit_a, hit_b = a[y == label, None] >= at_a, b[y == label, None] >= at_b
            expected = (hit_a[:, i] & hit_b[:, j]).sum(), (hit_b[:, i] & hit_a[:, j]).sum()
            assert tuple(overlap[step]) == expected


def test_pairs_of_thresholds_go_in_blocks():
    rng = np.random.default_rng(0)
    a, b, weights = rng.integers(0, 40, 90), rng.integers(0, 30, 90), rng.integers(0, 4, 90)
    at_a, at_b = rng.integers(-1, 42, 1700).astype(float), rng.integers(-1, 32, 1700).astype(float)
    cells = paired_cells(a, b, weights, at_a, at_b)
    hit_a, hit_b = a[:, None] >= at_a, b[:, None] >= at_b
    each = [hit_a & hit_b, hit_a & ~hit_b, ~hit_a & hit_b, ~hit_a & ~hit_b]
    assert_array_equal(cells, np.column_stack([weights @ cell for cell in each]))


@given(samples())
@settings(deadline=None)
def test_the_cheapest_threshold_is_the_largest_of_all_that_cost_least(sample):
    y, a = map(np.asarray, sample)
    counts = checked(y, a).counts("a")
    conditions = np.array([0.0, 0.2, 0.5, 0.7, 1.0])
    thresholds = np.array([np.inf, *np.unique(a)[::-1]])
    misses = np.array([(a[y == 1] < threshold).mean() for threshold in thresholds])
    alarms = np.array([(a[y == 0] >= threshold).mean() for threshold in thresholds])
    costs = np.outer(conditions, misses) + np.outer(1 - conditions, alarms)
    for condition, found, cost in zip(conditions, envelope_thresholds(counts, conditions), costs, strict=True):
        cheapest = thresholds[cost <= cost.min() + 1e-12]
        assert found == cheapest.max(), condition


@given(samples(max_cases=10))
@settings(deadline=None)
def test_the_hull_holds_every_point_and_no_vertex_that_is_not_needed(sample):
    y, a = map(np.asarray, sample)
    _, false, true = checked(y, a).counts("a").roc_points
    kept = upper_hull(false, true)
    assert kept[0] == 0
    assert (false[kept[-1]], true[kept[-1]]) == (false[-1], true[-1])
    x, z = false[kept], true[kept]
    for i, j in combinations(range(len(kept)), 2):
        cross = (x[j] - x[i]) * (true - z[i]) - (z[j] - z[i]) * (false - x[i])
        if j == i + 1:
            assert (cross <= 0).all()
        elif j == i + 2:
            assert cross[kept[i + 1]] > 0
    n, m = (y == 0).sum(), (y == 1).sum()
    for w, i in zip(breakpoints(x, z, n, m), range(len(kept) - 1), strict=True):
        here, after = (w * (1 - z[k] / m) + (1 - w) * x[k] / n for k in (i, i + 1))
        assert_allclose(here, after, atol=1e-13)


@pytest.mark.parametrize("n", [99, 100, 101, 102, 350])
def test_many_scores_are_thinned_to_those_at_even_ranks(n):
    y = np.arange(n) % 2
    found = observed_thresholds(checked(y, np.arange(n, dtype=float)).counts("a"))
    if n <= 101:
        assert_array_equal(found, np.arange(n)[::-1])
        return
    assert len(found) == 101
    labelled = n - found  # how many cases reach each
    assert_array_equal(labelled, [max(int(np.ceil(k * n / 100)), 1) for k in range(101)])


def test_ranks_follow_the_rows():
    scores = np.array([3.0, 1.0, 2.0, 1.0])
    for weights in (None, np.array([1, 2, 1, 0])):
        counts = ClassCounts.from_scores(scores, weights, ranked=True)
        assert_array_equal(counts.values[counts.rank], scores)
    assert ClassCounts.from_scores(scores, None).rank is None


@given(samples())
@settings(deadline=None)
def test_points_of_the_curve_are_scikit_learns(sample):
    y, a = map(np.asarray, sample)
    ranking = checked(y, a).counts("a").ranking
    hits, alarms = ranking.reaching
    fpr, tpr, thresholds = roc_curve(y, a, drop_intermediate=False)
    assert_allclose(hits / hits[-1], tpr[1:], rtol=1e-15)
    assert_allclose(alarms / alarms[-1], fpr[1:], rtol=1e-15)
    assert_array_equal(ranking.scores, thresholds[1:])
