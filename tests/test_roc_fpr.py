"""One model at fixed false-positive rates."""

import itertools
import tracemalloc
from fractions import Fraction
from functools import partial

import numpy as np
import oracles
import pytest
from budget import CDF, HALF_WIDTHS, TIED_HALF_WIDTHS, assert_cdf, assert_limits, assert_places, assert_standard_errors
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq
from scipy.special import betaincc, ndtr, ndtri
from scipy.stats import beta, binom
from sklearn.metrics import roc_curve

import skcostci as sk

SAMPLES = {  # positives, negatives
    "untied": ([0.9, 0.8, 0.4, 0.3], [0.7, 0.5, 0.2, 0.1]),
    "tied negatives": ([0.9, 0.6, 0.4, 0.3], [0.5, 0.5, 0.5, 0.1]),
    "tied classes": ([3.0, 2.0, 2.0, 1.0], [2.0, 2.0, 1.0, 0.0]),
    "reversed": ([0.0, 1.0, 0.0, 2.0], [3.0, 4.0, 3.0, 5.0]),
}


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


@pytest.mark.parametrize(
    ("sample", "u"), list(zip([*SAMPLES] * 3, [Fraction(k, 100) for k in (10, 37, 25, 50, 100)] * 2, strict=False))
)
def test_law_is_the_enumerated_one(sample, u):
    positive, negative = SAMPLES[sample]
    cases = [(1, (s,)) for s in positive] + [(0, (s,)) for s in negative]
    law = oracles.stratified_law(cases, lambda drawn: oracles.rate_at_fpr(drawn, u))
    result = sk.bootstrap_roc_at_fpr(*arrays(positive, negative), fpr=float(u))
    assert_law(result, law, oracles.rate_at_fpr(cases, u))


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


@pytest.mark.parametrize("fpr", [-0.1, 1.1, [0.2, float("nan")], [], [[0.1]]])
def test_bad_rates_are_named(fpr):
    y_true, y_score = binormal(5, 5)
    with pytest.raises(ValueError, match="fpr must"):
        sk.bootstrap_roc_at_fpr(y_true, y_score, fpr=fpr)
    with pytest.raises(ValueError, match="fpr must"):
        sk.bootstrap_roc_difference_at_fpr(y_true, y_score, y_score, fpr=fpr)


def test_limits_are_nested_hold_the_estimate_and_nearly_rise():
    """In 3 of 1000 cases a limit is lower than at a rate before it, by less than 2 per mille of the width."""
    falls = []
    for seed in range(6):
        sizes = np.random.default_rng(seed).integers(1, 60, 2)
        result = sk.bootstrap_roc_at_fpr(*binormal(*sizes, seed, [0, 1, 12][seed % 3]))
        intervals = [result.confidence_interval(level) for level in (1e-6, 0.1, 0.95, 1 - 1e-9)]
        for inner, outer in itertools.pairwise(intervals):
            assert np.all((outer.low <= inner.low + 1e-12) & (inner.high <= outer.high + 1e-12))
            assert np.all((inner.low <= result.estimate) & (result.estimate <= inner.high))
        low, high = intervals[2]
        if seed % 3 == 2:  # without ties: with them curves may jump, and limits are further out near a jump
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
