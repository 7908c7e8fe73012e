"""One model at fixed false-positive rates."""

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import oracles
import pytest
from budget import (
    CDF,
    HALF_WIDTHS,
    TIED_HALF_WIDTHS,
    assert_cdf,
    assert_limits,
    assert_places,
    assert_standard_errors,
)
from numpy.testing import assert_allclose
from scipy.special import betainc, betaincc, ndtr, ndtri
from scipy.stats import beta, binom
from sklearn.metrics import roc_curve

from skcostci import (
    DegenerateLawWarning,
    bootstrap_roc_at_fpr,
    bootstrap_roc_at_tpr,
    bootstrap_roc_difference_at_fpr,
    bootstrap_roc_difference_at_tpr,
)

SAMPLES = {  # positives, negatives
    "untied": ([0.9, 0.8, 0.4, 0.3], [0.7, 0.5, 0.2, 0.1]),
    "tied negatives": ([0.9, 0.6, 0.4, 0.3], [0.5, 0.5, 0.5, 0.1]),
    "tied classes": ([3.0, 2.0, 2.0, 1.0], [2.0, 2.0, 1.0, 0.0]),
    "all tied": ([1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]),
    "separated": ([4.0, 3.0, 3.0, 5.0], [1.0, 2.0, 0.0, 0.0]),
    "reversed": ([0.0, 1.0, 0.0, 2.0], [3.0, 4.0, 3.0, 5.0]),
}


def arrays(positive, negative):
    return np.r_[np.ones(len(positive), int), np.zeros(len(negative), int)], np.r_[positive, negative]


def binormal(n_positive, n_negative, seed=0, decimals=12):
    rng = np.random.default_rng(seed)
    return arrays(rng.normal(1, 1, n_positive).round(decimals), rng.normal(0, 1, n_negative).round(decimals))


@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_estimate_is_scikit_learns_curve(decimals):
    rng = np.random.default_rng(0)
    for seed in range(30):
        y_true, y_score = binormal(*rng.integers(1, 40, 2), seed=seed, decimals=decimals)
        fpr, tpr, thresholds = roc_curve(y_true, y_score, drop_intermediate=False)
        asked = rng.random(20)
        result = bootstrap_roc_at_fpr(y_true, y_score, fpr=asked)
        np.testing.assert_allclose(result.estimate, np.interp(asked, fpr, tpr), atol=1e-14)
        np.testing.assert_array_equal(result.threshold, thresholds[np.searchsorted(fpr, asked)])
        np.testing.assert_array_equal(result.fpr, asked)


@pytest.mark.parametrize("u", [Fraction(1, 10), Fraction(1, 4), Fraction(37, 100), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("sample", SAMPLES)
def test_law_is_the_enumerated_one(sample, u):
    positive, negative = SAMPLES[sample]
    cases = [(1, (s,)) for s in positive] + [(0, (s,)) for s in negative]
    law = oracles.stratified_law(cases, lambda drawn: oracles.rate_at_fpr(drawn, u))
    result = bootstrap_roc_at_fpr(*arrays(positive, negative), fpr=float(u))
    assert result.estimate == pytest.approx(float(oracles.rate_at_fpr(cases, u)), abs=1e-15)
    assert result.mean == pytest.approx(float(oracles.moment(law, 1)), abs=1e-13)
    assert result.standard_error**2 == pytest.approx(float(oracles.moment(law, 2)), abs=1e-13)
    values = [value + shift for value in law for shift in (Fraction(0), Fraction(1, 1000))]
    expected = [float(oracles.cdf(law, value)) for value in values]
    np.testing.assert_allclose([result.cdf(float(value)) for value in values], expected, atol=1e-12)
    levels = [0.02, 0.3, 0.5, 0.81, 0.999]
    expected = [float(oracles.quantile(law, Fraction(q))) for q in levels]
    np.testing.assert_allclose(result.quantile(levels), expected, atol=1e-13)


def test_a_rate_next_to_a_multiple_is_that_multiple():
    y_true, y_score = binormal(30, 40)
    exact = bootstrap_roc_at_fpr(y_true, y_score, fpr=3 / 40)
    for close in (3 / 40 + 1e-13, 3 / 40 - 1e-13):
        assert bootstrap_roc_at_fpr(y_true, y_score, fpr=close).mean == exact.mean


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
    return bootstrap_roc_at_fpr(y_true[some], y_score[some], fpr=t / n, sample_weight=weights[some])


GROUPS = [  # t, negatives above the group, in it, of
    (2.5, 2, 3, 9),
    (4.0, 0, 5, 12),
    (0.7, 0, 12, 12),
    (11.3, 4, 8, 12),
    (6.0, 5, 1, 30),
    (25.5, 20, 9, 40),
    (1.0, 3, 37, 40),
    (4.2, 2, 68, 70),
    (120.4, 100, 60, 400),
    (90.0, 40, 200, 400),
    (30.5, 20, 250, 400),
    (293.5, 200, 100, 300),
    (12.0, 0, 300, 2000),
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


@pytest.mark.parametrize(("t", "above", "size", "n"), GROUPS[5:])
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


def resampled(y_true, y_score, u, draws=100_000, seed=0):
    """Bootstrapped heights of the curve for scores of few levels."""
    rng, heights = np.random.default_rng(seed), 0.0
    levels = np.unique(y_score)[::-1]
    negative, positive = (np.array([np.sum(y_score[y_true == label] == level) for level in levels]) for label in (0, 1))
    drawn = rng.multinomial(negative.sum(), negative / negative.sum(), draws)
    found = rng.multinomial(positive.sum(), positive / positive.sum(), draws)
    reached = np.cumsum(drawn, axis=1)
    t = u * negative.sum()
    here = np.argmax(reached >= t, axis=1)
    rows = np.arange(draws)
    share = (t - reached[rows, here] + drawn[rows, here]) / drawn[rows, here]
    heights = np.cumsum(found, axis=1)[rows, here] - (1 - share) * found[rows, here]
    return heights / positive.sum()


@pytest.mark.parametrize(
    ("n_positive", "n_negative", "decimals"),
    [
        (60, 40, 1),
        (3000, 1000, 0),
        (4000, 30, 0),
        *(pytest.param(*each, 0, marks=pytest.mark.slow) for each in [(60, 40), (20, 4000)]),
        *(pytest.param(*sizes, 1, marks=pytest.mark.slow) for sizes in [(3000, 1000), (20, 4000), (4000, 30)]),
    ],
)
def test_resampling_agrees_on_ties(n_positive, n_negative, decimals):
    y_true, y_score = binormal(n_positive, n_negative, decimals=decimals)
    for u in (0.013, 0.2, 0.61):
        heights = np.sort(resampled(y_true, y_score, u, draws=40_000))
        result = bootstrap_roc_at_fpr(y_true, y_score, fpr=u)
        assert result.mean == pytest.approx(heights.mean(), abs=4 * result.standard_error / np.sqrt(len(heights)))
        assert_standard_errors(result.standard_error, heights.std(), resamples=len(heights))
        x = heights[:: len(heights) // 50] + 1e-4 / n_positive
        empirical = np.searchsorted(heights, x, "right") / len(heights)
        assert_cdf(result.cdf(x), empirical, resamples=len(heights))


@pytest.mark.parametrize(
    ("ranks", "n"), [([1], 1), ([1, 3, 4], 4), ([1, 25, 49, 50], 50), ([2, 300, 999], 1000), ([300_000], 1_000_000)]
)
def test_threshold_laws_are_equation_4(ranks, n):
    """Side by side and each alone: with a positive below so many negatives the mean tells where the threshold falls."""
    deviation, y_true, y_score = int(np.sqrt(n)), np.array([1, 0, 0]), np.array([0.0, 1.0, -1.0])
    off = np.array([-3 * deviation, -deviation, -1, 0, deviation, 3 * deviation])
    for above in np.unique(np.r_[0, np.add.outer(ranks, off).ravel(), n]).clip(0, n):
        weights = np.array([1, above, n - above])
        some = weights > 0
        cases, options = (y_true[some], y_score[some]), {"sample_weight": weights[some]}
        together = bootstrap_roc_at_fpr(*cases, fpr=np.array(ranks) / n, **options).mean
        alone = [bootstrap_roc_at_fpr(*cases, fpr=rank / n, **options).mean for rank in ranks]
        expected = betaincc(ranks, n - np.array(ranks) + 1, above / n)
        np.testing.assert_allclose(together, expected, atol=3e-14, rtol=1e-6)
        np.testing.assert_allclose(alone, expected, atol=3e-14, rtol=1e-6)


def test_mixture_with_a_large_sample_is_the_sum_over_thresholds():
    y_true, y_score = binormal(60, 80, decimals=1)
    y_score = y_score + 0.01 * y_true  # ties within the classes only
    positive, negative = y_score[y_true == 1], np.sort(y_score[y_true == 0])[::-1]
    result = bootstrap_roc_at_fpr(y_true, y_score, fpr=0.3)
    k = np.arange(1, 81)
    weights = betainc(24, 57, k / 80) - betainc(24, 57, (k - 1) / 80)
    shares = (positive >= negative[:, None]).mean(axis=1)
    hits = np.arange(61)
    pmf = weights @ binom.pmf(hits, 60, shares[:, None])
    np.testing.assert_allclose(result.cdf(hits / 60), np.cumsum(pmf), atol=1e-12)
    np.testing.assert_allclose(result.mean, weights @ shares, atol=1e-13)


def test_agresti_is_algorithm_4():
    y_true, y_score = binormal(25, 25)
    positive, negative = y_score[y_true == 1], np.sort(y_score[y_true == 0])[::-1]
    low, high = bootstrap_roc_at_fpr(y_true, y_score, fpr=0.4).confidence_interval(0.9, method="agresti")
    k = np.arange(1, 26)
    weights = binom.cdf(9, 25, (k - 1) / 25) - binom.cdf(9, 25, k / 25)
    share = ((positive >= negative[:, None]).sum(axis=1) + 2) / 29
    first, second = weights @ share, weights @ (share**2 + share * (1 - share) / 29)
    half = ndtri(0.95) * np.sqrt(second - first**2)
    np.testing.assert_allclose([low, high], [first - half, first + half], atol=1e-12)


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
    """The quantile of the confidence distribution as its definition says, by bisection; no windows and no blocks."""
    positive, negative = y_score[y_true == 1], y_score[y_true == 0]
    n_positive, n = len(positive), len(negative)
    levels = np.unique(negative)[::-1]
    depth = np.array([np.sum(negative > level) for level in levels])
    size = np.array([np.sum(negative == level) for level in levels])
    tied = np.array([np.sum(positive == level) for level in levels])
    group = np.repeat(np.arange(len(levels)), size)

    def hits(x):
        if x <= 0:
            return 0.0
        if x > n:
            return float(n_positive)
        g = group[int(np.ceil(x)) - 1]
        return np.sum(positive > levels[g]) + (x - depth[g]) / size[g] * tied[g]

    ranks = binom.pmf(np.arange(n + 1), n, u)
    gaps = np.array([hits(k + 0.5) - hits(k - 0.5) for k in range(n + 1)])
    parts = []
    for k, p in enumerate(ranks):
        sloping = any(tied[group[i]] for i in (k - 1, k) if 0 <= i < n)
        many = 400 if sloping else int(gaps[k]) + 1  # all numbers are as probable, or all whole ones
        steps = (np.arange(many) + 0.5) / many if sloping else np.arange(many) / max(many - 1, 1)
        parts += [(hits(k - 0.5) + gaps[k] * step, p / many) for step in steps]
    points, weights = np.array(parts).T
    mean = weights @ points
    variance = weights @ (points - mean) ** 2
    slopes = ranks[:-1] @ gaps[:-1] / max(ranks[:-1].sum(), 1e-300), ranks[1:] @ gaps[1:] / max(ranks[1:].sum(), 1e-300)
    slanted = np.array([any(tied[group[i]] for i in (k - 1, k) if 0 <= i < n) for k in range(n + 1)])
    flat = np.where(slanted, 0.0, ranks)
    rough = flat @ np.abs(np.subtract.outer(range(n + 1), range(n + 1))) @ flat
    below, above = (max(variance - drawn_in * rough / 2 * slope * (1 + slope / 2), 0) for slope in slopes)
    with np.errstate(invalid="ignore"):
        factor = np.nan_to_num(np.sqrt(np.where(points < mean, below, above) / variance))
    drawn = mean + factor * (points - mean)
    if hits(0.5) == 0:
        drawn[points == 0] = 0
    if hits(n - 0.5) == n_positive:
        drawn[points == n_positive] = n_positive
    lean = 0.15 / (1 + (below + above) / 2)

    def split(point, weight):
        if 1 <= point <= n_positive - 1:
            return [(point, weight)]
        below = min(np.floor(point), n_positive - 1)
        return [(below, weight * (below + 1 - point)), (below + 1, weight * (point - below))]

    parts = [part for point, weight in zip(drawn, weights, strict=True) for part in split(point, weight)]
    shares, masses = np.array(parts).T

    def cdf(y):
        if q < 0.5:
            some = np.where(shares > 0, shares, 1.0)
            return masses @ np.where(shares > 0, beta.cdf(y, some + 0.5 - lean, n_positive - some + 0.5 + lean), 1.0)
        some = np.where(shares < n_positive, shares, 0.0)
        return masses @ np.where(
            shares < n_positive, beta.cdf(y, some + 0.5 + lean, n_positive - some + 0.5 - lean), 0.0
        )

    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(middle) < q else (low, middle)
    return high


def apart(n_positive, n_negative, seed):
    """Positives in four narrow groups: what a rank may find has several modes, some of them near 0 or all."""
    rng = np.random.default_rng(seed)
    return arrays(
        rng.choice([-1.0, 0, 1, 2], n_positive) + 0.05 * rng.normal(size=n_positive), rng.normal(size=n_negative)
    )


def is_plain(cases, u, level):
    """Whether the default interval is that of the definition, within the budget."""
    result = bootstrap_roc_at_fpr(*cases, fpr=u)
    limits, (lower, upper) = result.confidence_interval(level), plain_limits(*cases, u, (1 - level) / 2)
    expected = [min(lower, result.estimate), max(upper, result.estimate)]
    few_tied = len(np.unique(cases[1])) < len(cases[1]) and np.bincount(cases[0]).min() < 30
    assert_limits(limits, expected, TIED_HALF_WIDTHS if few_tied else HALF_WIDTHS)


@pytest.mark.parametrize("decimals", [0, pytest.param(1, marks=pytest.mark.slow), 12])
@pytest.mark.parametrize(
    "sizes", [(12, 12), *(pytest.param(each, marks=pytest.mark.slow) for each in [(7, 40), (40, 7)])]
)
def test_rank_beta_is_its_definition(sizes, decimals):
    cases = binormal(*sizes, seed=3, decimals=decimals)
    for u in (1 / sizes[1], 0.37, 0.5, 1 - 1 / sizes[1])[:: 1 if decimals else 3]:  # ties take the definition longest
        is_plain(cases, u, 0.9)


@pytest.mark.parametrize(
    "cases",
    [
        binormal(1500, 500, seed=5),
        binormal(2000, 30, seed=6),
        pytest.param(binormal(400, 100, seed=7, decimals=1), marks=pytest.mark.slow),
        binormal(60, 60, seed=8),
        apart(700, 200, seed=1),
        apart(1000, 60, seed=2),
    ],
    ids=["many", "few negatives", "ties", "few", "groups", "groups, few negatives"],
)
def test_rank_beta_is_its_definition_of_many_cases_too(cases):
    """Whose counts are put in bins."""
    for u in (0.01, 0.3, 0.99):
        is_plain(cases, u, 0.95)


@pytest.mark.parametrize("level", [1e-6, 0.2, 0.99, 1 - 2e-6])
def test_rank_beta_is_its_definition_at_any_level(level):
    for u in (0.1, 0.4, 0.8):
        is_plain(binormal(60, 40, seed=2), u, level)


@pytest.mark.parametrize("n", [5, 37, 100, 500])
def test_separated_classes_have_an_interval_at_every_rate(n):
    rates = np.arange(1, n + 1) / n
    low, high = bootstrap_roc_at_fpr(*arrays(np.arange(n) + n, np.arange(n)), fpr=rates).confidence_interval()
    np.testing.assert_array_equal(high, 1)
    unseen = (1 - rates) ** n > 0.05  # no negative above the right threshold says nothing on the positives there
    assert np.all(np.where(unseen, low == 0, (low > 0.2) & (low < 1)))


def test_rates_are_those_asked_for():
    y_true, y_score = binormal(30, 40)
    np.testing.assert_array_equal(bootstrap_roc_at_fpr(y_true, y_score).fpr, np.arange(1, 100) / 100)
    asked = [0.0, 0.024, 0.025, 0.3, 0.999, 1.0]
    np.testing.assert_array_equal(bootstrap_roc_at_fpr(y_true, y_score, fpr=asked).fpr, asked)
    scalar = bootstrap_roc_at_fpr(y_true, y_score, fpr=1)
    assert isinstance(scalar.estimate, float)
    assert isinstance(scalar.threshold, float)
    assert isinstance(float(scalar), float)


def test_rate_0_is_a_known_point_and_rate_1_reaches_the_smallest_drawn_negative():
    y_true, y_score = arrays([3.0, 2.0, 0.5], [2.5, 1.0])
    result = bootstrap_roc_at_fpr(y_true, y_score, fpr=[0, 1])
    np.testing.assert_array_equal(result.estimate, [0, 2 / 3])
    assert result.standard_error[0] == result.mean[0] == 0
    for method in result.methods:
        low, high = result.confidence_interval(method=method)
        assert low[0] == high[0] == 0
    assert result.mean[1] == pytest.approx((3 * 2 / 3 + 1 / 3) / 4)  # the smallest is 2.5 in one of four resamples
    low, high = result.confidence_interval()
    assert low[1] < result.estimate[1] < high[1] <= 1


def test_the_default_stays_wide_where_the_law_is_a_point():
    result = bootstrap_roc_at_fpr(*arrays([5.0, 6.0, 7.0], [1.0, 2.0, 3.0]), fpr=[1 / 3, 1])
    low, high = result.confidence_interval()
    assert np.all(low < 0.8)
    np.testing.assert_array_equal(high, 1)
    with pytest.warns(DegenerateLawWarning, match="rank_beta"):
        result.confidence_interval(method="wald")


@pytest.mark.parametrize("fpr", [-0.1, 1.1, [0.2, float("nan")], [], [[0.1]]])
def test_bad_rates_are_named(fpr):
    with pytest.raises(ValueError, match="fpr must"):
        bootstrap_roc_at_fpr(*binormal(5, 5), fpr=fpr)


def test_unknown_method_lists_the_valid_ones():
    with pytest.raises(ValueError, match="'rank_beta', 'agresti', 'percentile', 'wald'"):
        bootstrap_roc_at_fpr(*binormal(5, 5)).confidence_interval(method="exact")


def test_frame_has_the_axis_first():
    pytest.importorskip("pandas")
    frame = bootstrap_roc_at_fpr(*binormal(5, 5)).to_frame()
    numbers = ["fpr", "estimate", "standard_error", "low", "high"]
    assert list(frame.columns) == [*numbers, "statistic", "confidence_level", "method"]


def test_limits_are_nested_hold_the_estimate_and_nearly_rise():
    """In 3 of 1000 cases a limit is lower than at a rate before it, by less than 2 per mille of the width."""
    falls = []
    for seed in range(12):
        sizes = np.random.default_rng(seed).integers(1, 60, 2)
        result = bootstrap_roc_at_fpr(*binormal(*sizes, seed, [0, 1, 12][seed % 3]))
        intervals = [result.confidence_interval(level) for level in (1e-6, 0.1, 0.5, 0.95, 0.999, 1 - 1e-9)]
        for inner, outer in itertools.pairwise(intervals):
            assert np.all((outer.low <= inner.low + 1e-12) & (inner.high <= outer.high + 1e-12))
            assert np.all((inner.low <= result.estimate) & (result.estimate <= inner.high))
        low, high = intervals[3]
        if seed % 3 < 2:  # of ties, with which curves may jump: limits are further out near a jump
            continue
        falls += [-np.diff(limit) / (high - low)[1:] for limit in (low, high)]
    assert np.mean(np.concatenate(falls) > 1e-9) < 0.003
    assert np.max(falls) < 0.002


def test_limits_take_a_tail_for_each_point():
    """As p-values need, which ask each point's limits for the level at which they meet the null."""
    y_true, y_score = binormal(20, 30, decimals=0)
    other, rates = y_score + (np.arange(50) % 3 == 0), [0.05, 0.33, 0.9]
    for null in (-0.3, 0.0, 0.1):
        together = bootstrap_roc_difference_at_fpr(y_true, y_score, other, fpr=rates).pvalue(null=null)
        each = [bootstrap_roc_difference_at_fpr(y_true, y_score, other, fpr=rate).pvalue(null=null) for rate in rates]
        np.testing.assert_allclose(together, each, rtol=1e-6)


def test_reversed_limits_of_weighted_rows_are_in_order():
    y_true, y_score = np.repeat([0, 1], 4), np.tile([0.0, 1, 2, 3], 2)
    result = bootstrap_roc_at_fpr(y_true, y_score, fpr=0.0462, sample_weight=[14, 85, 36, 10, 192, 12, 70, 29])
    low, high = result.confidence_interval(0.95)
    assert low < float(result) < high


def test_a_constant_score_finds_the_share_it_is_asked_for():
    y_true = np.repeat([0, 1], 50)
    result = bootstrap_roc_at_fpr(y_true, np.zeros(100), fpr=[0.01, 0.1, 0.5])
    np.testing.assert_allclose(result.estimate, result.fpr, atol=1e-15)
    low, high = result.confidence_interval()
    assert np.all((low < result.fpr) & (result.fpr < high))


def test_memory_does_not_grow_with_weights():
    """A billion cases in six rows."""
    weights = np.array([2, 2, 1, 1, 2, 2]) * 10**8
    tracemalloc.start()
    result = bootstrap_roc_at_fpr([0, 0, 0, 1, 1, 1], [1.0, 2, 3, 2, 3, 4], fpr=[0.01, 0.2, 0.5], sample_weight=weights)
    low, high = result.confidence_interval()
    assert np.all(result.standard_error > 0)
    assert np.all((low < result.estimate) & (result.estimate < high))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**28


@pytest.mark.parametrize(("n_positive", "n_negative", "fpr"), [(100, 100, 0.01), (50, 30, 0.05), (9, 40, 0.08)])
def test_a_lower_limit_is_0_where_a_sample_may_hold_no_negative_above_the_threshold(n_positive, n_negative, fpr):
    """A theorem: a clump of a share fpr of the negatives is unseen with probability (1 - fpr)^n. Mirrored too."""
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    result = bootstrap_roc_at_fpr(y_true, y_true + np.arange(len(y_true)) / 1e4, fpr=[fpr, 1 - fpr])
    unseen = (1 - fpr) ** n_negative
    for level, share in ((1 - unseen * 0.99, 0.99), (1 - unseen * 1.01, 1.01)):
        low, _ = result.confidence_interval(level)
        assert (low[0] == 0) == (share < 1)
        one = result.confidence_interval(level, alternative="greater").low
        assert (one[0] == 0) == (share < 1)
    reverse = bootstrap_roc_at_fpr(y_true, -y_true - np.arange(len(y_true)) / 1e4, fpr=[fpr, 1 - fpr])
    assert reverse.confidence_interval(1 - unseen * 0.99).high[1] == 1
    assert reverse.confidence_interval(1 - unseen * 1.01).high[1] < 1


@pytest.mark.parametrize(("n_positive", "n_negative", "fpr", "covered"), [(100, 100, 0.02, 200), (200, 150, 0.08, 190)])
def test_lower_limits_hold_where_hard_negatives_lie_above_the_positives(n_positive, n_negative, fpr, covered):
    """A clump of 1.15 fpr of the negatives, sharp or soft: counted over 200 seeded samples."""
    share, found, spread = 1.15 * fpr, 0, 0.5
    grid = np.linspace(-3, 9, 100_001)
    beyond = share * ndtr((6 - grid) / spread) + (1 - share) * ndtr(-grid)
    truth = ndtr(3 - grid[np.argmin(np.abs(beyond - fpr))])
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    for seed in range(200):
        rng = np.random.default_rng(seed)
        negative = np.where(
            rng.random(n_negative) < share, 6 + spread * rng.normal(size=n_negative), rng.normal(size=n_negative)
        )
        y_score = np.concatenate([rng.normal(size=n_positive) + 3, negative])
        low, high = bootstrap_roc_at_fpr(y_true, y_score, fpr=fpr).confidence_interval()
        found += low <= truth <= high
    assert found == pytest.approx(covered, abs=1)
    assert found >= 0.92 * 200


@pytest.mark.parametrize("n", [4, 40, 400])
@pytest.mark.parametrize("rate", [0.1, 1 / 3, 0.9])
def test_scores_that_all_tie_have_one_curve(n, rate):
    """The diagonal, whoever is drawn: no standard error, of rounding either, and limits apart."""
    y_true, y_score = np.arange(n) % 2, np.zeros(n)
    result = bootstrap_roc_at_fpr(y_true, y_score, fpr=rate)
    assert result.estimate == pytest.approx(rate, rel=1e-12)
    assert result.standard_error == 0
    low, high = result.confidence_interval()
    assert low < rate - 0.01 < rate + 0.01 < high


GRADED = {  # ten negatives, then ten positives
    "a": [int(grade) for grade in "00000011120011112222"],
    "b": [int(grade) for grade in "00001111200110012222"],
}
HALVES = np.repeat([0, 1], 10)


def test_limits_beside_a_jump_are_those_of_an_independent_program():
    difference = bootstrap_roc_difference_at_tpr(HALVES, GRADED["a"], GRADED["b"], tpr=0.7)
    assert_allclose(difference.confidence_interval(), (-0.8838513865, 0.8819189538), atol=2e-10)
    assert_allclose(difference.confidence_interval(0.9), (-0.8406379891, 0.8075257128), atol=2e-10)
    for name, low in (("a", 0.1161486135), ("b", 0.1180810462)):
        alone = bootstrap_roc_at_tpr(HALVES, GRADED[name], tpr=0.7)
        assert_allclose(alone.confidence_interval(), (low, 1), atol=2e-10)


@pytest.mark.parametrize("seed", range(5))
def test_limits_beside_jumps_are_nested_mirrored_and_meet_the_pvalue(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], rng.integers(20, 60, 2))
    a, b = (np.round(rng.normal(size=len(y)) + 1.2 * y) for _ in "ab")
    weights = rng.integers(1, 3, len(y))
    held = {"tpr": float(rng.uniform(0.5, 0.9))}
    one, other = bootstrap_roc_difference_at_tpr(y, a, b, **held), bootstrap_roc_difference_at_tpr(y, b, a, **held)
    inner = None
    for level in (0.5, 0.8, 0.95, 0.999):
        low, high = one.confidence_interval(level)
        assert_allclose(other.confidence_interval(level), (-high, -low), atol=1e-9)
        assert inner is None or (low <= inner[0] + 1e-12 and inner[1] <= high + 1e-12)
        inner = low, high
    for null in (-0.4, 0.1, 0.3):
        level = 1 - one.pvalue(null=null)
        if 0.01 < level < 0.999:
            low, high = one.confidence_interval(level)
            assert min(abs(low - null), abs(high - null)) < 1e-6 or low <= null <= high
    rows = np.repeat(np.arange(len(y)), weights)
    counted = bootstrap_roc_difference_at_tpr(y, a, b, sample_weight=weights, **held)
    repeated = bootstrap_roc_difference_at_tpr(y[rows], a[rows], b[rows], **held)
    assert_allclose(counted.confidence_interval(), repeated.confidence_interval(), atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.7, 0.85])
def test_rates_of_graded_scores_are_covered_beside_a_jump(rate):
    """Without an allowance for the jump .36 to .94 of these samples were covered."""

    def draw(n, rng):
        y = np.repeat([0, 1], [n, n])
        return y, *(np.searchsorted([-0.3, 0.8], 1.2 * y + rng.normal(size=2 * n)) for _ in "ab")

    truth = float(bootstrap_roc_difference_at_tpr(*draw(300_000, np.random.default_rng(0)), tpr=rate))
    one = float(bootstrap_roc_at_tpr(*draw(300_000, np.random.default_rng(0))[:2], tpr=rate))
    covered = np.zeros(2)
    for seed in range(200):
        y, a, b = draw(70, np.random.default_rng(seed + 1))
        for place, (result, value) in enumerate(
            ((bootstrap_roc_difference_at_tpr(y, a, b, tpr=rate), truth), (bootstrap_roc_at_tpr(y, a, tpr=rate), one))
        ):
            low, high = result.confidence_interval()
            covered[place] += low <= value <= high
    assert (covered / 200 >= [0.9, 0.92]).all()
