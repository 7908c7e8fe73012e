"""One model at fixed false-positive rates."""

from fractions import Fraction

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc, ndtri
from scipy.stats import beta, binom

from skcostci import DegenerateLawWarning, bootstrap_roc_at_fpr
from skcostci.laws._threshold import rank_law

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


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
@pytest.mark.parametrize("sample", SAMPLES)
def test_law_is_the_enumerated_one(sample, rank):
    positive, negative = SAMPLES[sample]
    cases = [(1, (s,)) for s in positive] + [(0, (s,)) for s in negative]
    law = oracles.stratified_law(cases, lambda drawn: oracles.rate_at_rank(drawn, rank))
    result = bootstrap_roc_at_fpr(*arrays(positive, negative), fpr=rank / 4)
    rates = [Fraction(i, 4) for i in range(5)]
    np.testing.assert_allclose(
        result.cdf([float(x) for x in rates]), [float(oracles.cdf(law, x)) for x in rates], atol=1e-13
    )
    assert result.estimate == oracles.rate_at_rank(cases, rank)
    assert result.mean == pytest.approx(float(oracles.moment(law, 1)), abs=1e-13)
    assert result.standard_error**2 == pytest.approx(float(oracles.moment(law, 2)), abs=1e-13)
    levels = [0.02, 0.3, 0.5, 0.81, 0.999]
    expected = [float(oracles.quantile(law, Fraction(q))) for q in levels]
    np.testing.assert_allclose(result.quantile(levels), expected, atol=1e-13)


@pytest.mark.parametrize(("rank", "n"), [(1, 1), (1, 4), (3, 4), (4, 4), (1, 50), (25, 50), (49, 50), (300, 1000)])
def test_threshold_law_is_equation_4(rank, n):
    law = rank_law(rank, n)
    k = np.arange(1, n + 1)
    expected = betainc(rank, n - rank + 1, k / n) - betainc(rank, n - rank + 1, (k - 1) / n)
    pmf = np.zeros(n)
    pmf[law.start - 1 : law.start - 1 + len(law)] = law.pmf
    np.testing.assert_allclose(pmf, expected, atol=3e-14)


def test_threshold_law_keeps_its_precision_where_the_window_is_small():
    n, rank = 1_000_000, 300_000
    law = rank_law(rank, n)
    assert len(law) < 20 * np.sqrt(rank * (1 - rank / n))
    inner = law.support[len(law) // 2 :: 400]
    np.testing.assert_allclose(
        law.remaining[inner - law.start + 1], binom.cdf(rank - 1, n, inner / n), rtol=1e-6, atol=1e-10
    )


def test_mixture_with_a_large_sample_is_the_sum_over_thresholds():
    y_true, y_score = binormal(60, 80, decimals=1)
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


def plain_rank_beta(y_true, y_score, u, q):
    """The confidence limit as its definition says, by bisection; no windows and no blocks."""
    positive, negative = y_score[y_true == 1], np.sort(y_score[y_true == 0])[::-1]
    n_positive, n = len(positive), len(negative)
    hits = np.r_[0, (positive >= negative[:, None]).sum(axis=1), n_positive]
    weights = np.zeros(n_positive + 1)
    for k, p in enumerate(binom.pmf(np.arange(n + 1), n, u)):
        weights[hits[k] : hits[k + 1] + 1] += p / (hits[k + 1] - hits[k] + 1)
    x = np.arange(n_positive + 1)
    mean = weights @ x
    variance = weights @ (x - mean) ** 2
    ranks = binom.pmf(np.arange(n + 1), n, u)
    gaps = np.diff(hits)
    slopes = ranks[:-1] @ gaps[:-1] / max(ranks[:-1].sum(), 1e-300), ranks[1:] @ gaps[1:] / max(ranks[1:].sum(), 1e-300)
    apart = ranks @ np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1))) @ ranks
    untied = ranks @ np.r_[1.0, negative[1:] != negative[:-1], 1.0]
    below, above = (max(variance - untied * apart / 2 * slope * (1 + slope / 2), 0) for slope in slopes)
    points = mean + np.sqrt(np.where(x < mean, below, above) / variance) * (x - mean)
    if hits[1] == 0:
        points[0] = 0
    if hits[-2] == n_positive:
        points[-1] = n_positive
    lean = 0.15 / (1 + (below + above) / 2)

    def split(point, weight):
        if 1 <= point <= n_positive - 1:
            return [(point, weight)]
        below = min(np.floor(point), n_positive - 1)
        return [(below, weight * (below + 1 - point)), (below + 1, weight * (point - below))]

    parts = [part for point, weight in zip(points, weights, strict=True) for part in split(point, weight)]

    def cdf(y):
        total = 0.0
        for point, weight in parts:
            if q < 0.5:
                total += weight * (
                    1.0 if point == 0 else beta.cdf(y, point + 0.5 - lean, n_positive - point + 0.5 + lean)
                )
            elif point < n_positive:
                total += weight * beta.cdf(y, point + 0.5 + lean, n_positive - point + 0.5 - lean)
        return total

    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(middle) < q else (low, middle)
    return high


@pytest.mark.parametrize("decimals", [0, 1, 12])
@pytest.mark.parametrize("sizes", [(12, 12), (7, 40), (40, 7)])
def test_rank_beta_is_its_definition(sizes, decimals):
    y_true, y_score = binormal(*sizes, seed=3, decimals=decimals)
    for rank in {1, sizes[1] // 2, sizes[1] - 1}:
        u = rank / sizes[1]
        low, high = bootstrap_roc_at_fpr(y_true, y_score, fpr=u).confidence_interval(0.9)
        expected = [plain_rank_beta(y_true, y_score, u, q) for q in (0.05, 0.95)]
        np.testing.assert_allclose([low, high], expected, atol=1e-8)


def test_rank_beta_with_merged_counts_stays_within_a_two_thousandth_of_the_width(monkeypatch):
    from skcostci.laws import _rank_beta

    y_true, y_score = binormal(3000, 2000, seed=5)
    low, high = bootstrap_roc_at_fpr(y_true, y_score).confidence_interval(0.95)
    monkeypatch.setattr(_rank_beta, "GRAIN", 0.0)
    exact_low, exact_high = bootstrap_roc_at_fpr(y_true, y_score).confidence_interval(0.95)
    width = exact_high - exact_low
    assert np.all(np.abs(low - exact_low) < 5e-4 * width)
    assert np.all(np.abs(high - exact_high) < 5e-4 * width)


@pytest.mark.parametrize("n", [5, 37, 100, 500])
def test_separated_classes_have_an_interval_at_every_rate(n):
    result = bootstrap_roc_at_fpr(*arrays(np.arange(n) + n, np.arange(n)))
    low, high = result.confidence_interval()
    np.testing.assert_array_equal(high, 1)
    assert np.all((low > 0.2) & (low < 1))  # no negative above the right threshold says nothing on the positives there


def test_grid():
    y_true, y_score = binormal(30, 40)
    np.testing.assert_array_equal(bootstrap_roc_at_fpr(y_true, y_score).fpr, np.arange(1, 40) / 40)
    asked = [0.0, 0.024, 0.025, 0.3, 0.999, 1.0]
    used = bootstrap_roc_at_fpr(y_true, y_score, fpr=asked).fpr
    np.testing.assert_array_equal(used, np.array([0, 0, 1, 12, 39, 40]) / 40)
    assert bootstrap_roc_at_fpr(*binormal(30, 1)).fpr == pytest.approx([1.0])
    large = bootstrap_roc_at_fpr(*binormal(30, 1000)).fpr
    np.testing.assert_array_equal(large, np.arange(10, 1000, 10) / 1000)
    scalar = bootstrap_roc_at_fpr(y_true, y_score, fpr=1)
    assert isinstance(scalar.estimate, float)
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


samples = st.tuples(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12), st.sampled_from([0, 1, 12]))


@given(samples)
@settings(max_examples=30, deadline=None)
@pytest.mark.filterwarnings("ignore::skcostci.DegenerateLawWarning")
def test_intervals_are_ordered_nested_and_inside_the_range(sample):
    seed, n_positive, n_negative, decimals = sample
    result = bootstrap_roc_at_fpr(*binormal(n_positive, n_negative, seed, decimals), fpr=[0.2, 0.5, 1.0])
    for method in ("rank_beta", "agresti", "percentile"):
        inner, outer = (result.confidence_interval(level, method=method) for level in (0.8, 0.95))
        assert np.all((outer.low <= inner.low) & (inner.low <= inner.high) & (inner.high <= outer.high))
        assert np.all((outer.low >= 0) & (outer.high <= 1))


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
    assert list(frame.columns) == ["fpr", "estimate", "standard_error", "low", "high"]
