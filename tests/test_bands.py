"""Limits that hold at all points at once: the numbers behind them."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from scipy.stats import beta, kstwo, multivariate_normal, norm

from skcostci import (
    bootstrap_cost,
    bootstrap_cost_difference,
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_threshold,
    bootstrap_roc_difference_at_fpr,
)
from skcostci.intervals._bands import path_tail
from skcostci.intervals._equal_levels import crossing_probability, local_level, solved_level, staying_exponent
from skcostci.laws import ROCHeights

HALF = 1 - np.sqrt(0.95)
LEVELS = {  # two-sided local levels: an exact recursion in C and, up to n = 100, exact fractions
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
QQCONF = {(10, 0.05): 0.007384989, (100, 0.05): 0.002195272, (1000, 0.05): 0.001071111}  # its stored table


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


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_crossing_probability_is_that_of_exact_fractions(n):
    random = np.random.default_rng(n)
    for _ in range(2):
        low, high = (
            sorted(Fraction(int(k), 997) for k in random.integers(*ends, n)) for ends in ((0, 500), (500, 998))
        )
        exact = staying(low, high)
        left, kept = crossing_probability(np.array(low, float), np.array([1 - h for h in high], float))
        assert kept == pytest.approx(float(exact), rel=1e-12, abs=1e-300)
        assert left == pytest.approx(float(1 - exact), rel=1e-12)


@pytest.mark.parametrize(("case", "level"), LEVELS.items(), ids=str)
def test_local_levels_are_the_published_ones_to_ten_digits(case, level):
    assert solved_level(*case) == pytest.approx(level, rel=1e-10)


@pytest.mark.parametrize(("case", "level"), QQCONF.items(), ids=str)
def test_local_levels_agree_with_those_of_qqconf(case, level):
    assert solved_level(*case) == pytest.approx(level, rel=2e-6)


@pytest.mark.parametrize("n", [1, 2, 7, 60])
@pytest.mark.parametrize("alpha", [1e-12, 1e-9, 1e-4, 0.3, 0.9, 1 - 1e-6, 1 - 1e-9])
def test_asolved_level_level_gives_back_its_probability(n, alpha):
    level = solved_level(n, alpha)
    assert alpha / n * (1 - 1e-9) <= level <= alpha
    assert staying_exponent(n, level) == pytest.approx(-np.log1p(-alpha), rel=1e-8)


def test_two_independent_uniforms_by_hand():
    """Limits a <= U_(1) <= b, 1 - b <= U_(2) <= 1 - a leave two pairs of sides for the two of them."""
    a, b = 0.1, 0.7
    inside = (1 - 2 * a) ** 2 - 2 * (1 - a - b) ** 2
    assert crossing_probability(np.array([a, 1 - b]), np.array([1 - b, a])) == pytest.approx((1 - inside, inside))


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("alpha", [0.2, 0.025, 1e-4, 1e-9])
def test_path_of_two_points_is_just_wide_enough(rho, alpha):
    c = -norm.ppf(path_tail(np.arccos(rho), 2, alpha))
    either = 2 * norm.sf(c) - multivariate_normal.cdf([-c, -c], cov=[[1, rho], [rho, 1]], abseps=1e-15, releps=1e-9)
    assert alpha * 0.7 < either < alpha * (1 + 1e-6)


def test_path_that_stands_still_costs_nothing_and_a_long_one_the_union_bound():
    assert path_tail(0.0, 101, 0.025) == 0.025
    assert path_tail(1e9, 101, 0.025) == 0.025 / 101
    assert path_tail(0.0, 1, 1e-9) == 1e-9


def test_path_tail_falls_with_its_length_and_with_alpha():
    lengths = [path_tail(length, 50, 0.025) for length in np.linspace(0, 200, 100)]
    assert (np.diff(lengths) <= 0).all()
    tails = [path_tail(3.0, 50, alpha) for alpha in np.geomspace(1e-12, 0.4999, 100)]
    assert (np.diff(tails) > 0).all()


@pytest.mark.parametrize("n", [101, 173, 400])
@pytest.mark.parametrize("alpha", [2e-10, 1e-5, HALF, 0.05, 0.4, 0.799])
def test_the_surface_is_a_little_below_the_exact_level(n, alpha):
    assert -5e-5 < local_level(n, alpha) / solved_level(n, alpha) - 1 < 0


@pytest.mark.parametrize(
    ("n", "alpha", "level", "digits"),
    [
        (10_000, 0.05, 0.00067073834, 1e-8),
        (100_000, 0.05, 0.000478179283, 1e-8),
        (100_000, HALF, 0.00021572089, 1e-7),
        (100_000, 0.01, 7.476102e-05, 1e-6),
        (100_000, 0.1, 1.106434e-03, 1e-6),
        (1_000_000, 0.05, 0.000367553078, 1e-8),
    ],
)
def test_the_surface_at_large_sizes(n, alpha, level, digits):
    """Levels from the recursion in C."""
    assert -5e-5 - digits < local_level(n, alpha) / level - 1 < digits


@pytest.mark.slow
def test_the_surface_at_ten_thousand_cases_gives_back_its_probability():
    level = local_level(10_000, 0.05) / (1 - 3e-5)
    assert staying_exponent(10_000, level) == pytest.approx(-np.log(0.95), rel=5e-6)


@pytest.mark.parametrize("n", [1, 30, 101, 5_000, 10**6, 10**8])
def test_a_local_level_rises_with_alpha_and_lies_between_its_bounds(n):
    alphas = np.concatenate([np.geomspace(1e-14, 0.5, 60), 1 - np.geomspace(0.5, 1e-12, 20)])
    levels = np.array([local_level(n, float(alpha)) for alpha in alphas])
    assert (np.diff(levels) >= 0).all()
    assert (levels <= alphas * (1 + 1e-9)).all()
    assert (levels >= np.minimum(alphas, 0.8) / n * (1 - 1e-9)).all()


def test_a_local_level_falls_with_the_number_of_cases():
    sizes = np.unique(np.geomspace(1, 1e9, 200).astype(int)).tolist()
    for alpha in (1e-8, 0.05, 0.5):
        assert (np.diff([local_level(n, alpha) for n in sizes]) < 0).all()


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
    roc = bootstrap_roc_at_threshold(y, scores)
    low, high = roc.tpr.confidence_band(0.95)
    expected = clopper_pearson(np.rint(roc.tpr.estimate * n), n, LEVELS[n, 0.05] / 2)
    np.testing.assert_allclose([low, high], expected, rtol=1e-4 if n > 100 else 1e-9)
    joint = roc.confidence_band(0.95).tpr
    expected = clopper_pearson(np.rint(roc.tpr.estimate * n), n, LEVELS[n, HALF] / 2)
    np.testing.assert_allclose(joint, expected, rtol=1e-4 if n > 100 else 1e-9)


@pytest.mark.parametrize(("method", "limits"), [("equal_levels", clopper_pearson), ("kolmogorov", None)])
def test_a_cost_lies_between_what_the_limits_of_both_rates_allow(method, limits):
    y, scores = two_classes(50, 10, levels=3)
    given = bootstrap_cost(y, scores, probability_cost=11).thresholds
    cost = bootstrap_cost(y, scores, probability_cost=11, thresholds=given)
    low, high = cost.confidence_band(method=method)
    rates = bootstrap_roc_at_threshold(y, scores, thresholds=cost.thresholds).confidence_band(method=method)
    w, finite = cost.probability_cost, np.isfinite(cost.thresholds)
    assert (~finite).any()
    np.testing.assert_allclose(low, w * (1 - rates.tpr.high) + (1 - w) * rates.fpr.low, atol=1e-12)
    np.testing.assert_allclose(high, w * (1 - rates.tpr.low) + (1 - w) * rates.fpr.high, atol=1e-12)
    np.testing.assert_array_equal(low[~finite], high[~finite])


def test_the_kolmogorov_band_has_constant_width():
    y, scores = two_classes(40, 25)
    tpr = bootstrap_roc_at_threshold(y, scores, thresholds=np.quantile(scores[y == 1], [0.4, 0.6])).tpr
    low, high = tpr.confidence_band(0.9, method="kolmogorov")
    np.testing.assert_allclose(high - low, 2 * kstwo.ppf(0.9, 40))


@pytest.mark.parametrize("rule", ["envelope", 0.3])
def test_a_difference_lies_between_what_the_limits_of_both_models_allow(rule):
    y, a = two_classes(30, 40, seed=1)
    b = a + np.random.default_rng(2).normal(size=70)
    difference = bootstrap_cost_difference(y, a, b, probability_cost=7, thresholds=rule)
    low, high = difference.confidence_band(0.95, method="equal_levels")
    w = difference.probability_cost
    tails = {n: solved_level(n, HALF / 2) / 2 for n in (30, 40)}

    def limits(scores, thresholds):
        tpr, fpr = (
            clopper_pearson((scores[y == k] >= thresholds[:, None]).sum(axis=1), n, tails[n])
            for k, n in ((1, 30), (0, 40))
        )
        (tl, th), (fl, fh) = (np.where(np.isinf(thresholds), 0, rates) for rates in (tpr, fpr))
        return w * (1 - th) + (1 - w) * fl, w * (1 - tl) + (1 - w) * fh

    (low_a, high_a), (low_b, high_b) = limits(a, difference.thresholds_a), limits(b, difference.thresholds_b)
    np.testing.assert_allclose([low, high], [low_a - high_b, high_a - low_b], atol=1e-10)


def path_by_cases(values):
    """The length of the path of means of columns, class by class, from their correlations case by case."""
    covariance = sum(np.cov(part, bias=True) / part.shape[1] for part in values)
    scale = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(scale, scale)
    return np.arccos(np.clip(np.diag(correlation, 1), -1, 1)).sum()


@pytest.mark.parametrize("levels", [None, 2])
def test_the_path_of_a_difference_is_that_of_its_cases(levels):
    y, a = two_classes(60, 45, seed=3, levels=levels)
    b = a + np.random.default_rng(4).normal(size=105)
    w = np.array([0.7, 0.2, 0.4, 0.3])
    t_a, t_b = np.array([0.1, 0.9, 0.5, 0.6]), np.array([0.2, 0.3, 0.4, 0.5])
    difference = bootstrap_cost_difference(y, a, b, probability_cost=w, thresholds=(t_a, t_b))
    order = np.argsort(w)
    wrong = np.array([(a < t_a[i]).astype(int) - (b < t_b[i]) for i in order])
    values = w[order, None] * wrong[:, y == 1], -(1 - w[order, None]) * wrong[:, y == 0]
    length = path_by_cases(values)
    assert difference.curve.path_length == pytest.approx(length)
    tail = path_tail(length, 4, 0.025)
    expected = difference.confidence_interval(1 - 2 * tail)
    np.testing.assert_allclose(difference.confidence_band(method="path"), expected)


def test_the_path_of_a_cost_is_that_of_its_cases():
    y, a = two_classes(60, 45, seed=3)
    w = np.array([0.7, 0.2, 0.4])
    cost = bootstrap_cost(y, a, probability_cost=w, thresholds=[0.1, 0.9, 0.5])
    order = np.argsort(w)
    hit = a >= cost.thresholds[order, None]
    values = w[order, None] * ~hit[:, y == 1], (1 - w[order, None]) * hit[:, y == 0]
    assert cost.curve.path_length == pytest.approx(path_by_cases(values))


def heights_by_hand(y, scores, fpr, tails):
    """Limits of the ROC curve's height, over all thresholds one by one."""
    thresholds = np.concatenate([[np.nextafter(scores.max(), 9)], np.unique(scores)[::-1]])
    hit = scores >= thresholds[:, None]
    fl, fh = clopper_pearson(hit[:, y == 0].sum(axis=1), (y == 0).sum(), tails[0])
    tl, th = clopper_pearson(hit[:, y == 1].sum(axis=1), (y == 1).sum(), tails[1])
    low = [max([0, *tl[fh < u]]) for u in fpr]
    x, top = np.append(fl, 1.0), np.append(th, 1.0)
    return low, [np.interp(u, x[i : i + 2], top[i : i + 2]) for u in fpr for i in [np.flatnonzero(fl <= u)[-1]]]


@pytest.mark.parametrize("levels", [None, 1, 3])
@pytest.mark.parametrize("sizes", [(1, 9), (12, 30), (40, 2)])
def test_the_heights_of_the_roc_curve_by_hand(sizes, levels):
    y, scores = two_classes(*sizes, seed=5, levels=levels)
    fpr = np.unique([1, sizes[1] // 3 + 1, sizes[1] - 1]) / sizes[1]
    result = bootstrap_roc_at_fpr(y, scores, fpr=fpr)
    tails = [solved_level(int((y == k).sum()), HALF) / 2 for k in (0, 1)]
    np.testing.assert_allclose(result.confidence_band(), heights_by_hand(y, scores, result.fpr, tails), atol=1e-9)


def test_the_difference_of_two_roc_curves_by_hand():
    y, a = two_classes(20, 30, seed=6, levels=3)
    b = np.random.default_rng(7).normal(a)
    result = bootstrap_roc_difference_at_fpr(y, a, b, fpr=[0.1, 0.5])
    tails = [solved_level(int((y == k).sum()), HALF / 2) / 2 for k in (0, 1)]
    (low_a, high_a), (low_b, high_b) = (np.array(heights_by_hand(y, s, result.fpr, tails)) for s in (a, b))
    np.testing.assert_allclose(result.confidence_band(), [low_a - high_b, high_a - low_b], atol=1e-9)


@pytest.mark.parametrize("level", [1e-6, 0.5, 0.95, 1 - 1e-9])
@pytest.mark.parametrize("method", ["equal_levels", "kolmogorov", "path"])
@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (1, 200), (150, 3)])
def test_bands_hold_the_estimate_and_lie_within_those_of_higher_levels(level, method, positives, negatives):
    y, a = two_classes(positives, negatives, seed=8, levels=2)
    b = np.round(np.random.default_rng(9).normal(a))
    results = [bootstrap_cost(y, a, probability_cost=9), bootstrap_cost_difference(y, a, b, probability_cost=9)]
    if method != "path":
        results += [*vars(bootstrap_roc_at_threshold(y, a)).values()][:2]
        results += [
            bootstrap_roc_at_fpr(y, a, fpr=[0, 0.5, 1]),
            bootstrap_roc_difference_at_fpr(y, a, b, fpr=[0, 0.5, 1]),
        ]
    for result in results:
        low, high = result.confidence_band(level, method=method)
        wide_low, wide_high = result.confidence_band(level + (1 - level) / 2, method=method)
        assert (wide_low <= low + 1e-12).all()
        assert (high <= wide_high + 1e-12).all()
        if not isinstance(result.curve, ROCHeights) and level >= 0.95:
            assert (low <= result.estimate + 1e-12).all()
            assert (result.estimate <= high + 1e-12).all()


def test_a_single_point_has_its_band_and_of_one_path_point_it_is_the_interval():
    y, scores = two_classes(20, 30)
    cost = bootstrap_cost(y, scores, probability_cost=0.3, thresholds=0.5)
    assert cost.confidence_band(0.9) == pytest.approx(cost.confidence_interval(0.9))
    low, high = cost.confidence_band(0.9, method="equal_levels")
    assert isinstance(low, float)
    assert low < cost.estimate < high
    assert isinstance(bootstrap_roc_at_fpr(y, scores, fpr=0.5).confidence_band().low, float)


def test_unknown_bands_are_refused_by_name():
    y, scores = two_classes(20, 30)
    with pytest.raises(ValueError, match="equal_levels"):
        bootstrap_roc_at_fpr(y, scores).confidence_band(method="path")
    with pytest.raises(ValueError, match="confidence_level"):
        bootstrap_roc_at_fpr(y, scores).confidence_band(1.0)


def test_one_cheaper_stretch_from_the_band_lies_within_that_of_the_intervals():
    y, a = two_classes(100, 100, seed=10)
    b = np.random.default_rng(11).normal(size=200)
    difference = bootstrap_cost_difference(y, a, b, thresholds=0.5)
    (pointwise,), (band,) = difference.significant().a, difference.significant(simultaneous=True).a
    assert pointwise[0] < band[0] < band[1] <= pointwise[1]
    (box,) = difference.significant(simultaneous=True, method="equal_levels").a
    assert band[0] < box[0] < box[1] <= band[1]
