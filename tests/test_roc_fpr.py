"""One model and two at fixed false-positive rates."""

import tracemalloc
from fractions import Fraction
from functools import partial

import numpy as np
import oracles
import pytest
from budget import CDF, HALF_WIDTHS, TIED_HALF_WIDTHS, assert_cdf, assert_limits, assert_places, assert_standard_errors
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq
from scipy.special import betaincc, ndtr, ndtri
from scipy.stats import beta, binom
from sklearn.metrics import roc_curve

import skcostci as sk


def arrays(positive, negative):
    """Labels and a column of scores for each model."""
    scores = np.array([*positive, *negative], dtype=float)
    return np.repeat([1, 0], [len(positive), len(negative)]), *np.atleast_2d(scores.T)


def binormal(n_positive, n_negative, seed=0, decimals=12):
    rng = np.random.default_rng(seed)
    return arrays(rng.normal(1, 1, n_positive).round(decimals), rng.normal(0, 1, n_negative).round(decimals))


def assert_law(result, law, estimate, off=1e-13):
    """Moments, distribution function and quantiles of a result are those of an enumerated law."""
    assert result.estimate == pytest.approx(float(estimate), abs=1e-15)
    assert result.mean == pytest.approx(float(oracles.moment(law, 1)), abs=off)
    assert result.standard_error**2 == pytest.approx(float(oracles.moment(law, 2)), abs=off)
    values = [value + shift for value in law for shift in (Fraction(0), Fraction(1, 1000))]
    expected = [float(oracles.cdf(law, value)) for value in values]
    assert_allclose([result.cdf(float(value)) for value in values], expected, atol=1e-12)
    levels = [0.02, 0.31, 0.5, 0.81, 0.999]
    assert_allclose(result.quantile(levels), [float(oracles.quantile(law, Fraction(q))) for q in levels], atol=off)


@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_estimate_is_scikit_learns_curve(decimals):
    rng = np.random.default_rng(0)
    for seed in range(10):
        y_true, y_score = binormal(*rng.integers(1, 40, 2), seed=seed, decimals=decimals)
        fpr, tpr, thresholds = roc_curve(y_true, y_score, drop_intermediate=False)
        asked = rng.random(20)
        result = sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=asked)
        assert_allclose(result.estimate, np.interp(asked, fpr, tpr), atol=1e-14)
        assert_array_equal(result.threshold, thresholds[np.searchsorted(fpr, asked)])
        assert_array_equal(result.fpr, asked)


def test_a_rate_next_to_a_multiple_is_that_multiple():
    y_true, y_score = binormal(30, 40)
    exact = sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=3 / 40)
    for close in (3 / 40 + 1e-13, 3 / 40 - 1e-13):
        assert sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=close).mean == exact.mean


def moments_of_a_group(t, above, size, n):
    """Mean and variance of what a resample's curve climbs of a tied group with all positives; scipy's binomials."""
    rank, outside = int(np.ceil(t)), above / (n - size) if n > size else 0.0
    low, high = binom.ppf([[1e-15], [1 - 1e-15]], n, [size / n, above / n])
    b, a = (np.arange(*ends) for ends in zip(low, high + 1, strict=True))
    b = b[:, None]
    chance = binom.pmf(b, n, size / n) * binom.pmf(a, n - b, outside)
    share = np.where(a >= rank, 0.0, np.where(a + b < rank, 1.0, (t - a) / np.maximum(b, 1)))
    mean = np.average(share, weights=chance)
    return mean, np.average((share - mean) ** 2, weights=chance)


def around_a_group(t, above, size, n, n_positive):
    """At the rate t / n, all positives being at the score of so many negatives, and so many above them."""
    weights = np.array([n_positive, above, size, n - above - size])
    some = weights > 0
    y_true, y_score = np.array([1, 0, 0, 0]), np.array([0.0, 1.0, 0.0, -1.0])
    return sk.bootstrap_roc_at_fpr(y_true[some], y_score[some], fpr=t / n, sample_weight=weights[some])


GROUPS = [  # t, negatives above the group, in it, of
    (2.5, 2, 3, 9),
    (11.3, 4, 8, 12),
    (6.0, 5, 1, 30),
    (1.0, 3, 37, 40),
    (4.2, 2, 68, 70),
    (120.4, 100, 60, 400),
    (30.5, 20, 250, 400),
    (293.5, 200, 100, 300),
    (1980.5, 1900, 100, 2000),
    (3000.0, 2980, 35, 4000),
]


@pytest.mark.parametrize(("t", "above", "size", "n"), GROUPS)
def test_what_is_climbed_of_a_tied_group_is_that_of_binomial_draws(t, above, size, n):
    """Exactly where few are drawn in it, with up to 80 negatives at any rate; else standard errors to 1 %."""
    mean, variance = moments_of_a_group(t, above, size, n)
    result = around_a_group(t, above, size, n, 10**9)
    if n <= 80:
        assert result.mean == pytest.approx(mean, abs=1e-9)
        assert result.standard_error == pytest.approx(variance**0.5, rel=1e-7)
    assert_places(result.mean, mean, variance**0.5)
    assert_standard_errors(result.standard_error, variance**0.5)


@pytest.mark.parametrize(("t", "above", "size", "n"), GROUPS[4:])
def test_the_law_of_what_is_climbed_is_that_of_binomial_draws(t, above, size, n):
    """Between its jumps, some of which are smoothed where many are drawn."""
    rng, x = np.random.default_rng(0), np.linspace(0.02, 0.98, 25)
    a, b, _ = rng.multinomial(n, [above / n, size / n, 1 - (above + size) / n], 200_000).T
    share = np.clip((t - a) / np.maximum(b, 1), 0, 1)
    share[(a < t) & (a + b < t)] = 1.0
    result = around_a_group(t, above, size, n, 10_000)
    expected = np.array([np.mean(share <= value) for value in x])
    near = np.array([np.mean(np.abs(share - value) <= 0.015) for value in x])  # draws of the positives
    assert_cdf([result.cdf(value) for value in x], expected, within=CDF + near)


def resampled(y_true, *models, u, draws, seed=0):
    """Bootstrapped heights of each model's curve, or differences of two, from the counts of cells of equal scores."""
    rng, drawn = np.random.default_rng(seed), []
    for label in (0, 1):
        cells, counts = np.unique(np.transpose(models)[y_true == label], axis=0, return_counts=True)
        drawn.append((cells, rng.multinomial(counts.sum(), counts / counts.sum(), draws).astype(float)))
    heights, rows = [], np.arange(draws)
    for model, scores in enumerate(models):
        levels = -np.unique(-scores)
        negative, positive = (counts @ (cells[:, [model]] == levels) for cells, counts in drawn)
        reached, found = np.cumsum(negative, axis=1), np.cumsum(positive, axis=1)
        t = u * reached[0, -1]
        here = np.argmax(reached >= t - 1e-9, axis=1)
        left = (reached[rows, here] - t) / negative[rows, here]
        heights.append((found[rows, here] - left * positive[rows, here]) / found[0, -1])
    return heights[0] if len(models) == 1 else heights[0] - heights[1]


@pytest.mark.parametrize(
    ("sizes", "decimals"),
    [
        ((60, 40), 1),
        ((4000, 30), 0),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in [((3000, 1000), 0), ((60, 40), 0), ((20, 4000), 1)]),
    ],
)
def test_resampling_agrees_on_ties(sizes, decimals):
    y_true, y_score = binormal(*sizes, decimals=decimals)
    for u in (0.013, 0.2, 0.61):
        heights = np.sort(resampled(y_true, y_score, u=u, draws=40_000))
        result = sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=u)
        assert result.mean == pytest.approx(heights.mean(), abs=4 * result.standard_error / np.sqrt(len(heights)))
        assert_standard_errors(result.standard_error, heights.std(), resamples=len(heights))
        x = heights[:: len(heights) // 50] + 1e-4 / sizes[0]
        empirical = np.searchsorted(heights, x, "right") / len(heights)
        assert_cdf(result.cdf(x), empirical, resamples=len(heights))


@pytest.mark.parametrize(("ranks", "n"), [([1], 1), ([1, 3, 4], 4), ([1, 25, 49, 50], 50), ([300_000], 1_000_000)])
def test_threshold_laws_are_equation_4(ranks, n):
    """Side by side and each alone: with a positive below so many negatives the mean tells where the threshold falls."""
    deviation, y_true, y_score = int(np.sqrt(n)), np.array([1, 0, 0]), np.array([0.0, 1.0, -1.0])
    off = np.array([-3 * deviation, -deviation, -1, 0, deviation, 3 * deviation])
    for above in np.unique(np.r_[0, np.add.outer(ranks, off).ravel(), n]).clip(0, n):
        weights = np.array([1, above, n - above])
        some = weights > 0
        ask = partial(sk.bootstrap_roc_at_fpr, y_true[some], y_score[some], sample_weight=weights[some])
        expected = betaincc(ranks, n - np.array(ranks) + 1, above / n)
        assert_allclose(ask(fpr=np.array(ranks) / n).mean, expected, atol=3e-14, rtol=1e-6)
        assert_allclose([ask(fpr=rank / n).mean for rank in ranks], expected, atol=3e-14, rtol=1e-6)


def test_agresti_is_algorithm_4():
    y_true, y_score = binormal(25, 25)
    positive, negative = y_score[y_true == 1], np.sort(y_score[y_true == 0])[::-1]
    low, high = sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=0.4).confidence_interval(0.9, method="agresti")
    k = np.arange(1, 26)
    weights = binom.cdf(9, 25, (k - 1) / 25) - binom.cdf(9, 25, k / 25)
    share = ((positive >= negative[:, None]).sum(axis=1) + 2) / 29
    first, second = weights @ share, weights @ (share**2 + share * (1 - share) / 29)
    half = ndtri(0.95) * np.sqrt(second - first**2)
    assert_allclose([low, high], [first - half, first + half], atol=1e-12)


def plain_limits(y_true, y_score, u, alpha):
    """An interval that leaves alpha outside on each side, but for the estimate."""
    n, limits = np.sum(y_true == 0), []
    for q, share in ((alpha, u), (1 - alpha, 1 - u)):
        limit = plain_rank_beta(y_true, y_score, u, q)
        if share * n <= 16:  # few negatives beyond
            loose = plain_rank_beta(y_true, y_score, u, 2 * alpha if q < 0.5 else 1 - 2 * alpha, drawn_in=False)
            limit = min(limit, loose) if q < 0.5 else max(limit, loose)
        limits.append(float(q > 0.5) if (1 - share) ** n > 2 * alpha else limit)
    return limits


def plain_rank_beta(y_true, y_score, u, q, drawn_in=True):
    """The quantile of the confidence distribution as its definition says, by search; no windows and no blocks."""
    positive, negative = y_score[y_true == 1], y_score[y_true == 0]
    n_positive, n = len(positive), len(negative)
    levels, size = np.unique(-negative, return_counts=True)
    depth = np.cumsum(size) - size
    tied = np.array([np.sum(positive == -level) for level in levels])
    group = np.repeat(np.arange(len(levels)), size)

    def hits(x):
        if x <= 0 or x > n:
            return float(n_positive * (x > 0))
        g = group[int(np.ceil(x)) - 1]
        return np.sum(positive > -levels[g]) + (x - depth[g]) / size[g] * tied[g]

    ranks = binom.pmf(np.arange(n + 1), n, u)
    gaps = np.array([hits(k + 0.5) - hits(k - 0.5) for k in range(n + 1)])
    slanted = np.array([any(tied[group[i]] for i in (k - 1, k) if 0 <= i < n) for k in range(n + 1)])
    parts = []
    for k, p in enumerate(ranks):
        many = 200 if slanted[k] else int(gaps[k]) + 1  # all numbers are as probable, or all whole ones
        steps = (np.arange(many) + 0.5) / many if slanted[k] else np.arange(many) / max(many - 1, 1)
        parts += [(hits(k - 0.5) + gaps[k] * step, p / many) for step in steps]
    points, weights = np.array(parts).T
    mean = weights @ points
    variance = weights @ (points - mean) ** 2
    slopes = ranks[:-1] @ gaps[:-1] / max(ranks[:-1].sum(), 1e-300), ranks[1:] @ gaps[1:] / max(ranks[1:].sum(), 1e-300)
    flat = np.where(slanted, 0.0, ranks)
    rough = flat @ np.abs(np.subtract.outer(range(n + 1), range(n + 1))) @ flat
    below, above = (max(variance - drawn_in * rough / 2 * slope * (1 + slope / 2), 0) for slope in slopes)
    with np.errstate(invalid="ignore"):
        factor = np.nan_to_num(np.sqrt(np.where(points < mean, below, above) / variance))
    drawn = mean + factor * (points - mean)
    for known, at in ((0, 0.5), (n_positive, n - 0.5)):
        if hits(at) == known:
            drawn[points == known] = known
    lean = 0.15 / (1 + (below + above) / 2)
    inner, low = (drawn >= 1) & (drawn <= n_positive - 1), np.minimum(np.floor(drawn), n_positive - 1)
    up = np.where(inner, 0, drawn - low)  # next to the ends a number is split between the two whole ones beside it
    shares = np.concatenate([np.where(inner, drawn, low), low + 1])
    masses = np.concatenate([weights * (1 - up), weights * up])
    known = shares == (0 if q < 0.5 else n_positive)
    some, side = np.where(known, 1.0 * (q < 0.5), shares), 1 if q < 0.5 else -1

    def excess(y):
        heights = beta.cdf(y, some + 0.5 - side * lean, n_positive - some + 0.5 + side * lean)
        return masses @ np.where(known, float(q < 0.5), heights) - q

    if excess(0) >= 0 or excess(1) <= 0:
        return float(excess(0) < 0)
    return brentq(excess, 0, 1, xtol=1e-13)


def apart(n_positive, n_negative, seed):
    """Positives in four narrow groups: what a rank may find has several modes, some of them near 0 or all."""
    rng = np.random.default_rng(seed)
    return arrays(
        rng.choice([-1.0, 0, 1, 2], n_positive) + 0.05 * rng.normal(size=n_positive), rng.normal(size=n_negative)
    )


def is_plain(cases, u, level):
    """Whether the default interval is that of the definition, within the budget."""
    result = sk.bootstrap_roc_at_fpr(*cases, fpr=u)
    limits, (lower, upper) = result.confidence_interval(level), plain_limits(*cases, u, (1 - level) / 2)
    few_tied = len(np.unique(cases[1])) < len(cases[1]) and np.bincount(cases[0]).min() < 30
    expected = [min(lower, result.estimate), max(upper, result.estimate)]
    assert_limits(limits, expected, TIED_HALF_WIDTHS if few_tied else HALF_WIDTHS)


@pytest.mark.parametrize("decimals", [0, pytest.param(1, marks=pytest.mark.slow), 12])
@pytest.mark.parametrize("sizes", [(12, 12), *(pytest.param(s, marks=pytest.mark.slow) for s in [(7, 40), (40, 7)])])
def test_rank_beta_is_its_definition(sizes, decimals):
    cases = binormal(*sizes, seed=3, decimals=decimals)
    for u in (1 / sizes[1], 0.37, 0.5, 1 - 1 / sizes[1])[:: 1 if decimals else 3]:  # ties take the definition longest
        is_plain(cases, u, 0.9)


@pytest.mark.parametrize(
    ("cases", "level"),
    [
        (binormal(1500, 500, seed=5), 0.95),
        (binormal(2000, 30, seed=6), 0.95),
        pytest.param(binormal(400, 100, seed=7, decimals=1), 0.95, marks=pytest.mark.slow),
        (apart(700, 200, seed=1), 0.95),
        (apart(1000, 60, seed=2), 0.95),
        *((binormal(60, 40, seed=2), level) for level in (1e-6, 0.2, 0.99, 1 - 2e-6)),
    ],
)
def test_rank_beta_is_its_definition_of_many_cases_too(cases, level):
    """Whose counts are put in bins; and at any level."""
    for u in (0.01, 0.3, 0.99):
        is_plain(cases, u, level)


def test_rate_0_is_a_known_point_and_rate_1_reaches_the_smallest_drawn_negative():
    result = sk.bootstrap_roc_at_fpr(*arrays([3.0, 2.0, 0.5], [2.5, 1.0]), fpr=[0, 1])
    assert_array_equal(result.estimate, [0, 2 / 3])
    assert result.standard_error[0] == result.mean[0] == 0
    for method in result.methods:
        low, high = result.confidence_interval(method=method)
        assert low[0] == high[0] == 0
    assert result.mean[1] == pytest.approx((3 * 2 / 3 + 1 / 3) / 4)  # the smallest is 2.5 in one of four resamples
    low, high = result.confidence_interval()
    assert low[1] < result.estimate[1] < high[1] <= 1


def test_limits_nearly_rise():
    """In 3 of 1000 cases a limit is lower than at a rate before it, by less than 2 per mille of the width.

    Without ties: with them curves may jump, and limits are further out near a jump.
    """
    falls = []
    for seed in (2, 5):
        sizes = np.random.default_rng(seed).integers(1, 60, 2)
        result = sk.bootstrap_roc_at_fpr(*binormal(*sizes, seed))
        low, high = result.confidence_interval()
        falls += [-np.diff(limit) / (high - low)[1:] for limit in (low, high)]
    assert np.mean(np.concatenate(falls) > 1e-9) < 0.003
    assert np.max(falls) < 0.002


def test_reversed_limits_of_weighted_rows_are_in_order():
    y_true, y_score = np.repeat([0, 1], 4), np.tile([0.0, 1, 2, 3], 2)
    result = sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=0.0462, sample_weight=[14, 85, 36, 10, 192, 12, 70, 29])
    low, high = result.confidence_interval(0.95)
    assert low < float(result) < high


def test_memory_does_not_grow_with_weights():
    """A billion cases in six rows."""
    columns, weights = ([0, 0, 0, 1, 1, 1], [1.0, 2, 3, 2, 3, 4]), np.array([2, 2, 1, 1, 2, 2]) * 10**8
    tracemalloc.start()
    result = sk.bootstrap_roc_at_fpr(*columns, fpr=[0.01, 0.2, 0.5], sample_weight=weights)
    low, high = result.confidence_interval()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.all((result.standard_error > 0) & (low < result.estimate) & (result.estimate < high))
    assert peak < 2**28


@pytest.mark.parametrize(("n_positive", "n_negative", "fpr"), [(100, 100, 0.01), (50, 30, 0.05), (9, 40, 0.08)])
def test_a_lower_limit_is_0_where_a_sample_may_hold_no_negative_above_the_threshold(n_positive, n_negative, fpr):
    """A theorem: a clump of a share fpr of the negatives is unseen with probability (1 - fpr)^n. Mirrored too."""
    y_true, unseen = np.repeat([1, 0], [n_positive, n_negative]), (1 - fpr) ** n_negative
    y_score = y_true + np.arange(len(y_true)) / 1e4
    result, reverse = (sk.bootstrap_roc_at_fpr(y_true, side * y_score, fpr=[fpr, 1 - fpr]) for side in (1, -1))
    for share in (0.99, 1.01):
        level = 1 - unseen * share
        assert (result.confidence_interval(level).low[0] == 0) == (share < 1)
        assert (result.confidence_interval(level, alternative="greater").low[0] == 0) == (share < 1)
        assert (reverse.confidence_interval(level).high[1] == 1) == (share < 1)


@pytest.mark.parametrize(("n_positive", "n_negative", "fpr", "covered"), [(100, 100, 0.02, 100), (200, 150, 0.08, 96)])
def test_lower_limits_hold_where_hard_negatives_lie_above_the_positives(n_positive, n_negative, fpr, covered):
    """A clump of 1.15 fpr of the negatives: counted over 100 seeded samples."""
    share, found, spread = 1.15 * fpr, 0, 0.5
    grid = np.linspace(-3, 9, 100_001)
    beyond = share * ndtr((6 - grid) / spread) + (1 - share) * ndtr(-grid)
    truth = ndtr(3 - grid[np.argmin(np.abs(beyond - fpr))])
    for seed in range(100):
        rng = np.random.default_rng(seed)
        hard, easy = (rng.random(n_negative) < share), rng.normal(size=(2, n_negative))
        negative, positive = np.where(hard, 6 + spread * easy[0], easy[1]), rng.normal(size=n_positive) + 3
        low, high = sk.bootstrap_roc_at_fpr(*arrays(positive, negative), fpr=fpr).confidence_interval()
        found += low <= truth <= high
    assert found == pytest.approx(covered, abs=1)
    assert found >= 92


@pytest.mark.parametrize("n", [4, 40, 400])
def test_scores_that_all_tie_have_one_curve(n):
    """The diagonal, whoever is drawn: no standard error, of rounding either, and limits apart."""
    rates = np.array([0.1, 1 / 3, 0.9])
    result = sk.bootstrap_roc_at_fpr(np.arange(n) % 2, np.zeros(n), fpr=rates)
    assert_allclose(result.estimate, rates, rtol=1e-12)
    assert not result.standard_error.any()
    low, high = result.confidence_interval()
    assert np.all((low < rates - 0.01) & (rates + 0.01 < high))


def test_limits_beside_a_jump_are_those_of_an_independent_program():
    a, b = ([int(grade) for grade in grades] for grades in ("00000011120011112222", "00001111200110012222"))
    y_true = np.repeat([0, 1], 10)
    difference = sk.bootstrap_roc_difference_at_tpr(y_true, a, b, tpr=0.7)
    assert_allclose(difference.confidence_interval(), (-0.8838513865, 0.8819189538), atol=2e-10)
    assert_allclose(difference.confidence_interval(0.9), (-0.8406379891, 0.8075257128), atol=2e-10)
    for grades, low in ((a, 0.1161486135), (b, 0.1180810462)):
        alone = sk.bootstrap_roc_at_tpr(y_true, grades, tpr=0.7)
        assert_allclose(alone.confidence_interval(), (low, 1), atol=2e-10)


def test_positives_that_share_a_score_may_all_lie_beyond_the_rate():
    """The curve jumps there, so that limits at rates beside it reach what lies below."""
    tied = np.concatenate([np.linspace(-2, 2, 60), np.ones(36), np.linspace(-1, 3, 24)])
    low, high = sk.bootstrap_roc_at_fpr(np.repeat([0, 1], 60), tied, fpr=0.35).confidence_interval()
    assert low < np.mean(tied[60:] > 1) < 0.8 < high


PAIRED = {  # scores of both models: positives, negatives
    "untied": ([(9, 4), (8, 7), (4, 5), (3, 8)], [(7, 6), (5, 2), (2, 3), (1, 1)]),
    "tied": ([(2, 1), (2, 2), (1, 3), (3, 1)], [(2, 1), (2, 3), (1, 2), (0, 0)]),
    "few values": ([(1, 0), (1, 1), (0, 1), (1, 1)], [(0, 1), (1, 0), (0, 0), (1, 0)]),
    "opposed": ([(1, 4), (2, 3), (3, 2), (4, 1)], [(4, 1), (3, 2), (2, 3), (1, 4)]),
}


def pairs(n_positive, n_negative, correlation=0.5, seed=0, decimals=12, shift=1.0):
    rng = np.random.default_rng(seed)
    scores = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], n_positive + n_negative)
    scores[:n_positive] += shift
    y_true = np.r_[np.ones(n_positive, int), np.zeros(n_negative, int)]
    return y_true, *scores.round(decimals).T


def apart_in(drawn, u):
    return oracles.rate_at_fpr(drawn, u) - oracles.rate_at_fpr(drawn, u, 1)


FEW = list(zip([*PAIRED] * 2, [Fraction(k, 100) for k in (10, 37, 25, 50, 100)] * 3, strict=False))


@pytest.mark.parametrize(("sample", "u"), FEW)
def test_moments_of_few_tied_cases_are_the_enumerated_ones(sample, u):
    cases = [(label, s) for label, scores in zip((1, 0), PAIRED[sample], strict=True) for s in scores]
    law = oracles.stratified_law(cases, lambda drawn: apart_in(drawn, u))
    result = sk.bootstrap_roc_difference_at_fpr(*arrays(*PAIRED[sample]), fpr=float(u))
    assert result.mean == pytest.approx(float(oracles.moment(law, 1)), abs=1e-12)
    assert result.standard_error**2 == pytest.approx(float(oracles.moment(law, 2)), abs=1e-12)


RATED = {  # how many positives, then negatives, have each pair of grades
    "close": ({(2, 2): 4, (2, 1): 2, (1, 1): 3, (0, 1): 1}, {(2, 1): 1, (1, 2): 3, (1, 1): 4, (0, 0): 4}),
    "opposed": ({(2, 0): 3, (1, 1): 4, (0, 2): 3}, {(2, 0): 2, (1, 2): 3, (0, 1): 3, (0, 0): 4}),
    "four grades": ({(3, 3): 3, (3, 2): 2, (2, 3): 2, (1, 2): 3}, {(3, 2): 3, (2, 2): 2, (1, 3): 3, (0, 0): 4}),
}


def rows(counts):
    return [pair for pair, times in counts.items() for _ in range(times)]


def assert_spread(found, difference, per_cent=0.0):
    """The standard error of these resamples, whose own depends on their kurtosis."""
    kurtosis = np.mean((difference - difference.mean()) ** 4) / difference.var() ** 2
    assert_standard_errors(found, difference.std(), per_cent, 2 * len(difference) / (kurtosis - 1))


@pytest.mark.parametrize(
    "sample", ["opposed", *(pytest.param(each, marks=pytest.mark.slow) for each in ("close", "four grades"))]
)
def test_moments_of_tens_of_tied_cases_are_the_enumerated_ones(sample):
    """10 + 12 cases on a few grades: every table of counts is listed, its value in fractions."""
    atoms = oracles.difference_at_fpr_atoms(*RATED[sample], Fraction(3, 10))
    values, masses = np.array(sorted(atoms), dtype=float).T
    result = sk.bootstrap_roc_difference_at_fpr(*arrays(*(rows(counts) for counts in RATED[sample])), fpr=0.3)
    assert result.mean == pytest.approx(values @ masses, abs=1e-13)
    assert result.standard_error == pytest.approx(np.sqrt((values - values @ masses) ** 2 @ masses), rel=1e-9)


def test_the_distribution_of_a_difference_is_not_known_where_scores_tie_across_the_classes():
    y, a, b = pairs(20, 20, decimals=0)
    result = sk.bootstrap_roc_difference_at_fpr(y, a, b, fpr=0.3)
    assert result.methods == ("rank_mover", "agresti", "wald")
    for ask in (lambda: result.cdf(0.0), lambda: result.quantile(0.5), lambda: result.probabilities()):
        with pytest.raises(AttributeError, match="only mean and variance are known"):
            ask()
    within = sk.bootstrap_roc_difference_at_fpr(y, a + y / 3, b + y / 3, fpr=0.3)
    assert 0 < within.cdf(0.0) < 1
    assert within.methods == ("rank_mover", "agresti", "percentile", "wald")


@pytest.mark.parametrize(
    ("correlation", "n_positive", "n_negative", "decimals", "per_cent"),
    [
        (0.5, 20, 25, (1, 1), 3),
        (0.9, 30, 100, (0, 12), 3),
        *((0.97, 20, n, (places, places), 0) for n, places in ((7, 0), (30, 1))),  # near copies
        (0.98, 30, 100, (0, 0), 10),
        pytest.param(0.5, 60, 50, (0, 0), 3, marks=pytest.mark.slow),
        pytest.param(0.5, 60, 60, (2, 2), 1, marks=pytest.mark.slow),
    ],
)
def test_resampling_of_two_models_agrees_on_ties(correlation, n_positive, n_negative, decimals, per_cent):
    """Where resamples are too many to be listed, and the joint law in groups is not exact."""
    y_true, *models = pairs(n_positive, n_negative, correlation)
    models = [scores.round(places) for scores, places in zip(models, decimals, strict=True)]
    for u in (0.08, 0.77):
        difference = resampled(y_true, *models, u=u, draws=20_000)
        result = sk.bootstrap_roc_difference_at_fpr(y_true, *models, fpr=u)
        assert result.mean == pytest.approx(difference.mean(), abs=4.5 * result.standard_error / np.sqrt(20_000))
        assert_spread(result.standard_error, difference, per_cent)


@pytest.mark.parametrize("n", [2, 3, *(pytest.param(each, marks=pytest.mark.slow) for each in (5, 7))])
def test_joint_threshold_law_is_the_sum_over_counts(n):
    """All margins, all numbers in common, all ranks: infinite and zero odds ratios included."""
    for rank in range(1, n + 1):
        for a in range(1, n):
            for b in range(1, n):
                for both in range(max(0, a + b - n), min(a, b) + 1):
                    value = _joint(n, a, b, both, rank)
                    assert value == pytest.approx(float(oracles.meeting_law(n, a, b, both, rank)), abs=1e-12)


def _joint(n, a, b, both, rank):
    """P(both models find a positive that a negatives score more than in the one and b in the other)."""
    above_a, above_b = (
        np.repeat(above, [both, a - both, b - both, n - a - b + both]) for above in ([1, 1, 0, 0], [1, 0, 1, 0])
    )
    y_true, scores = np.r_[1, np.zeros(n, int)], [np.r_[0.5, above] for above in (above_a, above_b)]
    less = sk.bootstrap_roc_difference_at_fpr(y_true, *scores, fpr=rank / n).cdf(-0.5)  # only b finds it
    return binom.cdf(rank - 1, n, b / n) - less


@pytest.mark.parametrize("n", [40, 300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_joint_threshold_law_of_many_draws(n):
    rng = np.random.default_rng(n)
    for rank in {1, n // 100 + 2, n // 2, n - n // 10, n}:
        spread = np.sqrt(rank * (n - rank + 1) / n)
        for _ in range(3 if n < 1000 else 2):
            a, b = np.clip(np.rint(rank + 1.5 * spread * rng.normal(size=2)), 1, n - 1).astype(int)
            fewest, most = max(0, a + b - n), min(a, b)
            both = rng.choice([fewest, most - min(most - fewest, rng.integers(0, 30)), rng.integers(fewest, most + 1)])
            assert _joint(n, a, b, both, rank) == pytest.approx(_given_one_model(n, a, b, both, rank), abs=1e-11)


def _given_one_model(n, a, b, both, rank):
    """Given how many draws fall above a's score, b's two parts are independent binomials: one double sum."""
    x = np.arange(rank)
    x = x[(p := binom.pmf(x, n, a / n)) > 1e-17]
    total = 0.0
    for drawn in x:
        shared = np.arange(min(drawn, rank - 1) + 1)
        chance = binom.pmf(shared, drawn, both / a)
        total += p[drawn] * (chance @ binom.cdf(rank - 1 - shared, n - drawn, (b - both) / (n - a)))
    return total


def test_resampling_agrees_on_a_middle_sized_sample():
    y_true, a, b = pairs(70, 90, decimals=1)
    a, b = a + 0.01 * y_true, b + 0.01 * y_true  # ties within the classes only
    difference = resampled(y_true, a, b, u=0.3, draws=(draws := 40_000), seed=1)
    result = sk.bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.3)
    assert result.mean == pytest.approx(difference.mean(), abs=4 * result.standard_error / np.sqrt(draws))
    assert_standard_errors(result.standard_error, difference.std(), per_cent=0, resamples=draws)  # exact
    for x in np.arange(-20, 25, 5) / 70:
        share, found = result.cdf(x), (difference <= x + 1e-9).mean()
        assert share == pytest.approx(found, abs=4 * np.sqrt(share * (1 - share) / draws) + 1e-4)


def test_agresti_puts_half_a_case_in_each_cell():
    """Model b finds every positive."""
    y_true, a, _ = pairs(12, 15)
    positive, negative = a[y_true == 1], np.sort(a[y_true == 0])[::-1]
    limits = sk.bootstrap_roc_difference_at_fpr(y_true, a, y_true, fpr=0.4).confidence_interval(0.9, method="agresti")
    k = np.arange(1, 16)
    weights = binom.cdf(5, 15, (k - 1) / 15) - binom.cdf(5, 15, k / 15)
    down, up = ((positive < negative[:, None]).sum(axis=1) + 0.5) / 14, 0.5 / 14
    mean = weights @ (up - down)
    second = weights @ ((1 - 1 / 14) * (up - down) ** 2 + (up + down) / 14)
    half = ndtri(0.95) * np.sqrt(second - mean**2)
    assert_allclose(limits, [mean - half, mean + half], atol=1e-12)


def test_a_tiny_variance_survives():
    """One positive is a hit of a only, and only where a resample leaves ten more draws to the last negative alone."""
    y_true, a = np.repeat([1, 0], 200), np.r_[np.arange(200) * 2.0 + 0.5, np.arange(200) * 2.0]
    result = sk.bootstrap_roc_difference_at_fpr(y_true, a, np.r_[-1.0, a[1:]], fpr=0.95)
    chance = binom.sf(10, 200, 1 / 200)  # the 190-th largest is the last one: it is drawn 11 times or more
    assert chance < 1e-7
    variance = chance * (1 + 199 / 200) - chance**2
    assert result.standard_error == pytest.approx(np.sqrt(variance) / 200, rel=1e-6)
    assert result.mean == pytest.approx(chance / 200, rel=1e-6)


def test_rate_0_is_a_known_point_and_rate_1_is_not():
    result = sk.bootstrap_roc_difference_at_fpr(*pairs(20, 10), fpr=[0, 1])
    low, high = result.confidence_interval()
    assert low[0] == high[0] == result.estimate[0] == result.standard_error[0] == 0
    assert result.pvalue()[0] == 1
    assert low[1] < high[1]


@given(
    st.tuples(st.integers(1, 15), st.integers(1, 15), st.sampled_from([-0.9, 0.0, 0.7, 0.99])),
    st.integers(0, 10**6),
    st.sampled_from([0, 1, 12]),
    st.sampled_from([0.01, 0.3, 0.6, 0.9, 0.99, 0.9999]),
)
@settings(max_examples=12, deadline=None)
def test_a_higher_level_is_never_narrower(design, seed, decimals, level):
    """Of all levels: MOVER as published narrows where one model's limit has reached its end and the other's has not."""
    result = sk.bootstrap_roc_difference_at_fpr(*pairs(*design, seed, decimals), fpr=[0.03, 0.25, 0.37, 0.8, 1.0])
    inner, outer = result.confidence_interval(level), result.confidence_interval((1 + level) / 2)
    assert np.all(outer.low <= inner.low + 1e-12)
    assert np.all(inner.high <= outer.high + 1e-12)
    assert np.all(inner.low < inner.high)


def test_curves_that_are_the_same_far_out_never_differ_there():
    """Both climb nothing before the 30th of 100 negatives, and the same from there on."""
    y_true, score = np.r_[np.zeros(100, int), np.ones(5, int)], np.r_[np.arange(100.0), [67.5, 68.5, 69.5, 10.5, 20.5]]
    other = np.where(score < 50, -score, score)
    assert sk.bootstrap_roc_at_fpr(y_true, score, fpr=0.05).standard_error > 0
    assert sk.bootstrap_roc_difference_at_fpr(y_true, score, other, fpr=0.05).standard_error == 0


def plain_rank_mover(y_true, a, b, fpr, q):
    """The limit as its definition says, from the single models' results and the law of the difference."""
    singles = [sk.bootstrap_roc_at_fpr(y_true, scores, fpr=fpr) for scores in (a, b)]
    limits = [single.confidence_interval(abs(1 - 2 * q), method="rank_beta") for single in singles]
    medians = [plain_rank_beta(y_true, scores, fpr, 0.5) for scores in (a, b)]
    variances = [float(one.law.smoothed(1.0).variance[0]) for one in singles]
    both = float(sk.bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=fpr).law.smoothed(1.0).variance[0])
    r = (sum(variances) - both) / (2 * np.sqrt(np.prod(variances)))
    x, y = medians[0] - limits[0].low, limits[1].high - medians[1]
    if q > 0.5:
        x, y = limits[0].high - medians[0], medians[1] - limits[1].low
    x, y = max(x, r * y), max(y, r * x)
    distance = np.sqrt(x**2 + y**2 - 2 * r * x * y)
    return medians[0] - medians[1] + (distance if q > 0.5 else -distance)


@pytest.mark.parametrize(("decimals", "most"), [(12, HALF_WIDTHS), (0, TIED_HALF_WIDTHS)])
@pytest.mark.parametrize("correlation", [-0.5, *(pytest.param(each, marks=pytest.mark.slow) for each in (0.9,))])
@pytest.mark.parametrize("fpr", [0.05, *(pytest.param(each, marks=pytest.mark.slow) for each in (0.5, 0.95))])
def test_default_combines_the_single_models_limits(correlation, fpr, decimals, most):
    """By the correlation that their joint law has, exact at this size."""
    y_true, a, b = pairs(30, 20, correlation, decimals=decimals)
    low, high = sk.bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=fpr).confidence_interval(0.9)
    expected = np.clip([plain_rank_mover(y_true, a, b, fpr, q) for q in (0.05, 0.95)], -1, 1)
    assert_limits([low, high], expected, most)


# Default limits with the exact covariance: its expansion in orthonormal polynomials, summed to its end, of the revision
# a382003 (``laws/_joint_moments``), skcostci.sk.bootstrap_roc_difference_at_fpr(*pairs(*design), fpr=[0.02, 0.2, 0.7,
# 0.95]).confidence_interval(). The last column: how many budgets limits may be off, five where models nearly agree.
BY_EXACT_COVARIANCE = [
    ((300, 400, 0.5, 1, 12), [-0.15343, -0.06997, -0.02306, -0.0131], [0.01763, 0.12318, 0.04238, 0.00985], 1),
    ((400, 300, 0.99, 2, 12), [-0.02956, -0.0411, -0.01599, -0.00576], [0.03177, 0.04106, 0.02177, 0.01225], 5),
    ((500, 700, -0.9, 3, 12), [-0.06896, -0.08972, -0.02523, -0.00173], [0.10917, 0.10674, 0.05099, 0.01927], 1),
    ((200, 2000, 0.8, 4, 12), [-0.0623, -0.07075, -0.0392, -0.02939], [0.06928, 0.04893, 0.04331, 0.00859], 1),
    ((300, 400, 0.5, 6, 2), [-0.03791, -0.05668, -0.06781, -0.018], [0.17103, 0.13034, 0.01439, 0.01081], 1),
    ((900, 200, 0.9, 7, 1), [-0.04834, -0.04464, -0.00812, -0.00827], [0.13922, 0.07666, 0.0281, 0.00485], 5),
]


@pytest.mark.parametrize(("design", "lows", "highs", "budgets"), BY_EXACT_COVARIANCE)
def test_default_limits_are_near_those_by_the_exact_covariance(design, lows, highs, budgets):
    rates = np.array([0.02, 0.2, 0.7, 0.95])
    limits = np.array(sk.bootstrap_roc_difference_at_fpr(*pairs(*design), fpr=rates).confidence_interval())
    plain = design[1] * np.minimum(rates, 1 - rates) > 16  # nearer to an end limits have had more room since
    assert_limits(limits[:, plain], np.array([lows, highs])[:, plain], budgets * HALF_WIDTHS)


TWO_VALUES = (pairs(700, 1500)[1] > 0).astype(int)
SAME_BUT_TWO = np.repeat([1, 0], [700, 1500]), TWO_VALUES, np.r_[1 - TWO_VALUES[:2], TWO_VALUES[2:]]


@pytest.mark.parametrize(
    ("sample", "most"),
    [(pairs(5_000, 5_000, 0.8), 13.4e6), (pairs(500, 500, 0.97), 40e6), (SAME_BUT_TWO, 40e6)],
)
def test_the_default_interval_at_99_rates_takes_some_megabytes(sample, most):
    """The first 14 times the input and some megabytes."""
    sk.bootstrap_roc_difference_at_fpr(*pairs(40, 40)).confidence_interval()  # tables of the first call
    tracemalloc.start()
    sk.bootstrap_roc_difference_at_fpr(*sample).confidence_interval()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < most


@pytest.mark.parametrize("held", ["fpr", "tpr"])
def test_limits_reach_the_ends_of_the_range_as_the_level_goes_to_1(held):
    """Few cases exclude no value for certain, however far apart two models are in them."""
    rng, y_true = np.random.default_rng(0), np.repeat([1, 0], 25)
    ask = getattr(sk, f"bootstrap_roc_difference_at_{held}")
    found = ask(y_true, rng.normal(size=50) + 3 * y_true, rng.normal(size=50), **{held: 0.1 if held == "fpr" else 0.8})
    levels = 1 - np.array([0.2, 1e-2, 1e-6, 1e-10, 1e-14])
    low, high = np.array([found.confidence_interval(level) for level in levels]).T
    assert np.all((np.diff(low) <= 0) & (np.diff(high) >= 0))
    assert max(low[-1] + 1, 1 - high[-1]) < 0.4
    for null in (-0.99, 0.55):
        p = found.pvalue(null=null)
        assert p > 0
        assert ((p < 1 - levels) == ((null < low) | (null > high))).all()
