"""Limits that hold at all points at once: the numbers behind them."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from public import local_level
from scipy.optimize import brentq
from scipy.stats import beta, kstwo, multivariate_normal, norm

import skcostci as sk

HALF = 1 - np.sqrt(0.95)
LEVELS = {  # two-sided local levels: an exact recursion in C, up to n = 100 exact fractions; of 0.05 also R's qqconf
    (5, 0.05): 0.0122713795640,
    (5, HALF): 0.0059591836051,
    (10, 0.05): 0.0073849858385,
    (10, HALF): 0.0035262043730,
    (50, 0.05): 0.0029577783275,
    (50, HALF): 0.0013718770701,
    (100, 0.05): 0.0021952723395,
    (100, HALF): 0.0010100222096,
    (1000, 0.05): 0.0010711115188,
    (1000, HALF): 0.0004858237041,
}


def staying(low, high):
    """P(low[i] <= U_(i) <= high[i] for all i), by the law of the counts between successive limits, in fractions."""
    n = len(low)
    cuts = sorted({Fraction(0), *low, *high, Fraction(1)})
    probability = {0: Fraction(1)}
    for start, end in pairwise(cuts):
        grown = {}
        for count, p in probability.items():
            for more in range(n - count + 1):
                share = (end - start) / (1 - start)
                q = p * comb(n - count, more) * share**more * (1 - share) ** (n - count - more)
                grown[count + more] = grown.get(count + more, 0) + q
        fewest, most = sum(end >= x for x in high), sum(end > x for x in low)
        probability = {count: p for count, p in grown.items() if fewest <= count <= most}
    return probability.get(n, Fraction(0))


@pytest.mark.parametrize(("n", "alpha"), [(1, 0.4), (2, 0.05), (5, 0.4), (8, 0.05)])
def test_a_level_gives_back_its_probability_in_exact_fractions(n, alpha):
    tail, places = local_level(n, alpha) / 2, np.arange(1, n + 1)
    limits = beta.ppf(tail, places, n - places + 1), beta.isf(tail, places, n - places + 1)
    exact = staying(*([Fraction(end).limit_denominator(10**14) for end in ends] for ends in limits))
    assert float(1 - exact) == pytest.approx(alpha, rel=1e-9)


@pytest.mark.parametrize(("case", "level"), LEVELS.items(), ids=str)
def test_local_levels_are_the_published_ones_to_ten_digits(case, level):
    assert local_level(*case) == pytest.approx(level, rel=1e-10 if case[0] <= 100 else 5e-5)


@pytest.mark.parametrize(("apart", "alpha"), [(0.03, 0.2), (0.3, 0.025), (2.5, 1e-4), (0.03, 1e-4)])
def test_path_of_two_points_is_just_wide_enough(apart, alpha):
    """The pointwise level at which two limits are those of the band; either is passed with no more than alpha."""
    y, scores = two_classes(60, 45, seed=3)
    w = np.array([0.4, 0.5])
    cost = sk.bootstrap_cost(y, scores, probability_cost=w, thresholds=[0.5, 0.5 + apart])
    band, rho = cost.confidence_band(1 - 2 * alpha, method="path"), np.cos(path_of_cost(y, scores, w, cost.thresholds))

    def excess(tail):
        return cost.confidence_interval(1 - 2 * tail).high[0] - band.high[0]

    c = norm.isf(brentq(excess, alpha / 2 * (1 - 1e-6), alpha * (1 + 1e-6), xtol=1e-15))
    either = 2 * norm.sf(c) - multivariate_normal.cdf([-c, -c], cov=[[1, rho], [rho, 1]], abseps=1e-15, releps=1e-9)
    assert alpha * 0.7 < either < alpha * (1 + 1e-6)


@pytest.mark.parametrize("level", [0.5, 0.95, 1 - 1e-6])
def test_a_path_costs_nothing_where_it_stands_still_and_never_more_than_the_union_bound(level):
    y, scores = two_classes(60, 45, seed=3)
    still = sk.bootstrap_cost(y, scores, probability_cost=[0.4] * 9, thresholds=0.5)
    np.testing.assert_array_equal(still.confidence_band(level, method="path"), still.confidence_interval(level))
    moving = sk.bootstrap_cost(y, scores, probability_cost=np.linspace(0.1, 0.9, 9), thresholds=np.linspace(-1, 2, 9))
    low, high = moving.confidence_band(level, method="path")
    each, all_nine = moving.confidence_interval(level), moving.confidence_interval(1 - (1 - level) / 9)
    assert ((all_nine.low <= low + 1e-12) & (low < each.low)).all()
    assert ((each.high < high) & (high <= all_nine.high + 1e-12)).all()


@pytest.mark.parametrize(
    ("n", "alpha", "level", "digits"),
    [
        (101, 2.0**-30, 1.678751824e-11, 1e-9),
        (101, 0.4, 0.02999592397, 1e-9),
        (400, 2.0**-30, 8.836316862e-12, 1e-9),
        (400, HALF, 0.000623346068, 1e-9),
        (100_000, 0.05, 0.000478179283, 1e-8),
        (100_000, 0.01, 7.476102e-05, 1e-6),
        (100_000, 0.1, 1.106434e-03, 1e-6),
        (1_000_000, 0.05, 0.000367553078, 1e-8),
    ],
)
def test_levels_of_more_than_a_hundred_cases_are_a_little_below_the_exact_ones(n, alpha, level, digits):
    """Exact ones up to 400 cases from the sums that serve up to 100, beyond from the recursion in C."""
    assert -5e-5 - digits < local_level(n, alpha) / level - 1 < digits


@pytest.mark.parametrize("n", [1, 30, 101, 10**6])
def test_a_local_level_rises_with_alpha_and_lies_between_its_bounds(n):
    alphas = np.concatenate([2.0 ** -np.arange(48, 0, -3), 1 - 2.0 ** -np.arange(2, 40, 5)])
    levels = np.array([local_level(n, float(alpha)) for alpha in alphas])
    assert (np.diff(levels) >= 0).all()
    assert (levels <= alphas * (1 + 1e-9)).all()
    assert (levels >= np.minimum(alphas, 0.8) / n * (1 - 1e-7)).all()  # seen through a limit near 1


def test_a_local_level_falls_with_the_number_of_cases():
    sizes = np.unique(np.geomspace(1, 1e9, 25).astype(int)).tolist()
    for alpha in (2.0**-27, 0.05, 0.5):
        assert (np.diff([local_level(n, alpha) for n in sizes]) < 0).all()


@pytest.mark.parametrize("alpha", [0.05, 1e-11])
def test_up_to_a_hundred_cases_levels_are_solved_for_at_any_alpha(alpha):
    steps = np.diff(np.log([local_level(n, alpha) for n in range(95, 101)]))
    np.testing.assert_allclose(steps[1:], steps[:-1], rtol=0.1)


# ---- bands of results


def clopper_pearson(hits, n, tail):
    """Both limits, from scipy's Beta law."""
    hits = np.asarray(hits)
    low = np.where(hits > 0, beta.ppf(tail, np.maximum(hits, 1), n - hits + 1), 0)
    return low, np.where(hits < n, beta.isf(tail, hits + 1, np.maximum(n - hits, 1)), 1)


def two_classes(positives, negatives, seed=0, levels=None):
    """Binormal scores, rounded to few levels if asked for."""
    random = np.random.default_rng(seed)
    y = np.repeat([1, 0], [positives, negatives])
    scores = random.normal(1.2 * y)
    return y, scores if levels is None else np.round(scores * levels) / levels


@pytest.mark.parametrize("n", [5, 10, 50, 100, 1000])
def test_rates_keep_within_clopper_pearson_limits_at_the_published_level(n):
    y, scores = two_classes(n, 10, levels=4)
    roc = sk.bootstrap_roc_at_threshold(y, scores)
    for band, alpha in ((roc.tpr.confidence_band(0.95), 0.05), (roc.confidence_band(0.95).tpr, HALF)):
        expected = clopper_pearson(np.rint(roc.tpr.estimate * n), n, LEVELS[n, alpha] / 2)
        np.testing.assert_allclose(band, expected, rtol=1e-4 if n > 100 else 1e-9)


@pytest.mark.parametrize("method", ["equal_levels", "kolmogorov"])
def test_a_cost_lies_between_what_the_limits_of_both_rates_allow(method):
    y, scores = two_classes(50, 10, levels=3)
    given = sk.bootstrap_cost(y, scores, probability_cost=11).thresholds
    cost = sk.bootstrap_cost(y, scores, probability_cost=11, thresholds=given)
    low, high = cost.confidence_band(method=method)
    rates = sk.bootstrap_roc_at_threshold(y, scores, thresholds=cost.thresholds).confidence_band(method=method)
    w, finite = cost.probability_cost, np.isfinite(cost.thresholds)
    assert (~finite).any()
    np.testing.assert_allclose(low, w * (1 - rates.tpr.high) + (1 - w) * rates.fpr.low, atol=1e-12)
    np.testing.assert_allclose(high, w * (1 - rates.tpr.low) + (1 - w) * rates.fpr.high, atol=1e-12)
    np.testing.assert_array_equal(low[~finite], high[~finite])


def test_the_kolmogorov_band_has_constant_width():
    y, scores = two_classes(40, 25)
    tpr = sk.bootstrap_roc_at_threshold(y, scores, thresholds=np.quantile(scores[y == 1], [0.4, 0.6])).tpr
    low, high = tpr.confidence_band(0.9, method="kolmogorov")
    np.testing.assert_allclose(high - low, 2 * kstwo.ppf(0.9, 40))


@pytest.mark.parametrize("rule", ["envelope", 0.3])
def test_a_difference_lies_between_what_the_limits_of_both_models_allow(rule):
    y, a = two_classes(30, 40, seed=1)
    b = a + np.random.default_rng(2).normal(size=70)
    difference = sk.bootstrap_cost_difference(y, a, b, probability_cost=7, thresholds=rule)
    low, high = difference.confidence_band(0.95, method="equal_levels")
    w = difference.probability_cost
    tails = {n: local_level(n, HALF / 2) / 2 for n in (30, 40)}

    def limits(scores, thresholds):
        hits = [(scores[y == k] >= thresholds[:, None]).sum(axis=1) for k in (1, 0)]
        tpr, fpr = (clopper_pearson(each, n, tails[n]) for each, n in zip(hits, (30, 40), strict=True))
        (tl, th), (fl, fh) = (np.where(np.isinf(thresholds), 0, rates) for rates in (tpr, fpr))
        return w * (1 - th) + (1 - w) * fl, w * (1 - tl) + (1 - w) * fh

    (low_a, high_a), (low_b, high_b) = map(limits, (a, b), difference.thresholds)
    np.testing.assert_allclose([low, high], [low_a - high_b, high_a - low_b], atol=1e-10)


def path_by_cases(values):
    """The length of the path of means of columns, class by class, from their correlations case by case."""
    covariance = sum(np.cov(part, bias=True) / part.shape[1] for part in values)
    scale = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(scale, scale)
    return np.arccos(np.clip(np.diag(correlation, 1), -1, 1)).sum()


def assert_a_tube_around(result, length):
    """The band by its path is the interval at the level of Naiman's tube of this length."""
    by_tube = brentq(lambda c: norm.sf(c) + length / (2 * np.pi) * np.exp(-(c**2) / 2) - 0.025, 1, 9)
    tail = max(norm.sf(by_tube), 0.025 / len(result.estimate))
    np.testing.assert_allclose(result.confidence_band(method="path"), result.confidence_interval(1 - 2 * tail))


@pytest.mark.parametrize("levels", [None, 2])
def test_the_path_of_a_difference_is_that_of_its_cases(levels):
    y, a = two_classes(60, 45, seed=3, levels=levels)
    b = a + np.random.default_rng(4).normal(size=105)
    w = np.array([0.7, 0.2, 0.4, 0.3])
    t_a, t_b = np.array([0.1, 0.9, 0.5, 0.6]), np.array([0.2, 0.3, 0.4, 0.5])
    difference = sk.bootstrap_cost_difference(y, a, b, probability_cost=w, thresholds=(t_a, t_b))
    order = np.argsort(w)
    wrong = np.array([(a < t_a[i]).astype(int) - (b < t_b[i]) for i in order])
    length = path_by_cases([w[order, None] * wrong[:, y == 1], -(1 - w[order, None]) * wrong[:, y == 0]])
    assert_a_tube_around(difference, length)


def path_of_cost(y, scores, w, thresholds):
    order = np.argsort(w)
    hit = scores >= np.array(thresholds)[order, None]
    return path_by_cases([w[order, None] * ~hit[:, y == 1], (1 - w[order, None]) * hit[:, y == 0]])


def test_the_path_of_a_cost_is_that_of_its_cases():
    y, a = two_classes(60, 45, seed=3)
    w, at = np.array([0.7, 0.2, 0.4, 0.3, 0.5]), [0.1, 0.5, 0.4, 0.45, 0.3]
    cost = sk.bootstrap_cost(y, a, probability_cost=w, thresholds=at)
    assert_a_tube_around(cost, path_of_cost(y, a, w, at))


def heights_by_hand(y, scores, fpr, tails):
    """Limits of the ROC curve's height, over all thresholds one by one."""
    thresholds = np.concatenate([[np.nextafter(scores.max(), 9)], np.unique(scores)[::-1]])
    hit = scores >= thresholds[:, None]
    fl, fh = clopper_pearson(hit[:, y == 0].sum(axis=1), (y == 0).sum(), tails[0])
    tl, th = clopper_pearson(hit[:, y == 1].sum(axis=1), (y == 1).sum(), tails[1])
    low = [max([0, *tl[fh < u]]) for u in fpr]
    x, top = np.append(fl, 1.0), np.append(th, 1.0)
    return low, [np.interp(u, x[i : i + 2], top[i : i + 2]) for u in fpr for i in [np.flatnonzero(fl <= u)[-1]]]


@pytest.mark.parametrize(("sizes", "levels"), [((1, 9), None), ((12, 30), 3), ((40, 2), 1), ((12, 30), None)])
def test_the_heights_of_the_roc_curve_by_hand(sizes, levels):
    y, scores = two_classes(*sizes, seed=5, levels=levels)
    fpr = np.unique([1, sizes[1] // 3 + 1, sizes[1] - 1]) / sizes[1]
    result = sk.bootstrap_roc_at_fpr(y, scores, fpr=fpr)
    tails = [local_level(int((y == k).sum()), HALF) / 2 for k in (0, 1)]
    np.testing.assert_allclose(result.confidence_band(), heights_by_hand(y, scores, result.fpr, tails), atol=1e-9)


def test_the_difference_of_two_roc_curves_by_hand():
    y, a = two_classes(20, 30, seed=6, levels=3)
    b = np.random.default_rng(7).normal(a)
    result = sk.bootstrap_roc_difference_at_fpr(y, a, b, fpr=[0.1, 0.5])
    tails = [local_level(int((y == k).sum()), HALF / 2) / 2 for k in (0, 1)]
    (low_a, high_a), (low_b, high_b) = (np.array(heights_by_hand(y, s, result.fpr, tails)) for s in (a, b))
    np.testing.assert_allclose(result.confidence_band(), [low_a - high_b, high_a - low_b], atol=1e-9)


def test_a_single_point_has_its_band_and_of_one_path_point_it_is_the_interval():
    y, scores = two_classes(20, 30)
    cost = sk.bootstrap_cost(y, scores, probability_cost=0.3, thresholds=0.5)
    assert cost.confidence_band(0.9) == pytest.approx(cost.confidence_interval(0.9))
    low, high = cost.confidence_band(0.9, method="equal_levels")
    assert isinstance(low, float)
    assert low < cost.estimate < high
    assert isinstance(sk.bootstrap_roc_at_fpr(y, scores, fpr=0.5).confidence_band().low, float)


def test_unknown_bands_are_refused_by_name():
    y, scores = two_classes(20, 30)
    with pytest.raises(ValueError, match="equal_levels"):
        sk.bootstrap_roc_at_fpr(y, scores).confidence_band(method="path")
    with pytest.raises(ValueError, match="confidence_level"):
        sk.bootstrap_roc_at_fpr(y, scores).confidence_band(1.0)


def test_one_cheaper_stretch_from_the_band_lies_within_that_of_the_intervals():
    y, a = two_classes(100, 100, seed=10)
    b = np.random.default_rng(11).normal(size=200)
    difference = sk.bootstrap_cost_difference(y, a, b, thresholds=0.5)
    (pointwise,), (band,) = difference.significant(simultaneous=False).a, difference.significant().a
    assert pointwise[0] < band[0] < band[1] <= pointwise[1]
    (box,) = difference.significant(method="equal_levels").a
    assert band[0] < box[0] < box[1] <= band[1]


def banded(positives, negatives, seed, levels):
    """Every kind of result that has bands: thresholds chosen or given, one model or two, cases or groups."""
    y, a = two_classes(positives, negatives, seed, levels)
    random = np.random.default_rng(seed)
    b, groups, grid = np.round(random.normal(a) * 2) / 2, random.permutation(len(y)) // 3, np.linspace(0.02, 0.98, 13)
    for more in ({}, {"groups": groups}):
        for rule in ("envelope", 0.5):
            at = {"probability_cost": grid, "thresholds": rule, **more}
            yield from (sk.bootstrap_cost(y, a, **at), sk.bootstrap_cost_difference(y, a, b, **at))
        for rule in ("youden", grid):
            roc = sk.bootstrap_roc_at_threshold(y, a, thresholds=rule, **more)
            yield from (roc.fpr, roc.tpr)
    pair = sk.bootstrap_roc_difference_at_threshold(y, a, b, thresholds=grid)
    yield from (pair.fpr, pair.tpr, sk.bootstrap_roc_at_fpr(y, a, fpr=grid))
    yield sk.bootstrap_roc_difference_at_fpr(y, a, b, fpr=grid)


@pytest.mark.parametrize(
    ("positives", "negatives", "seed", "levels"), [(60, 4, 1, None), (5, 150, 2, 2), (1, 60, 3, None)]
)
def test_bands_hold_their_own_interval_at_every_point(positives, negatives, seed, levels):
    seen = set()
    for result in banded(positives, negatives, seed, levels):
        for level in (0.5, 0.95):
            low, high = result.confidence_interval(level)
            for method in result.band_methods:
                band = result.confidence_band(level, method=method)
                assert np.all(band.low <= low), (repr(result), method, level)
                assert np.all(high <= band.high), (repr(result), method, level)
                seen.add((method, result.selected))
    assert seen == {(method, chosen) for method in ("path", "equal_levels", "kolmogorov") for chosen in (True, False)}
