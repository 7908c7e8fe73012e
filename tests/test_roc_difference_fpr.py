"""Two models at fixed false-positive rates."""

import tracemalloc
from fractions import Fraction

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.special import ndtri
from scipy.stats import binom, norm

from skcostci import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr
from skcostci.intervals._rank_beta import rank_beta_limit
from skcostci.laws import _joint_threshold, _paired_vertical
from skcostci.laws._joint_moments import Ranked
from skcostci.laws._joint_threshold import joint_reach
from skcostci.laws._series import NEAR

SAMPLES = {  # scores of both models: positives, negatives
    "untied": ([(9, 4), (8, 7), (4, 5), (3, 8)], [(7, 6), (5, 2), (2, 3), (1, 1)]),
    "tied": ([(2, 1), (2, 2), (1, 3), (3, 1)], [(2, 1), (2, 3), (1, 2), (0, 0)]),
    "few values": ([(1, 0), (1, 1), (0, 1), (1, 1)], [(0, 1), (1, 0), (0, 0), (1, 0)]),
    "opposed": ([(1, 4), (2, 3), (3, 2), (4, 1)], [(4, 1), (3, 2), (2, 3), (1, 4)]),
    "close": ([(4, 4), (3, 3), (2, 1), (1, 2)], [(4, 4), (3, 2), (2, 3), (1, 1)]),
    "one useless": ([(4, 1), (3, 1), (2, 1), (1, 1)], [(3, 1), (2, 1), (1, 1), (0, 1)]),
}


def arrays(positive, negative):
    scores = np.array(positive + negative, dtype=float)
    return np.r_[np.ones(len(positive), int), np.zeros(len(negative), int)], scores[:, 0], scores[:, 1]


def binormal(n_positive, n_negative, correlation=0.5, seed=0, decimals=12, shift=1.0):
    rng = np.random.default_rng(seed)
    scores = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], n_positive + n_negative)
    scores[:n_positive] += shift
    y_true = np.r_[np.ones(n_positive, int), np.zeros(n_negative, int)]
    return y_true, *scores.round(decimals).T


@pytest.mark.parametrize("u", [Fraction(1, 10), Fraction(1, 4), Fraction(37, 100), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("sample", SAMPLES)
def test_law_is_the_enumerated_one(sample, u):
    positive, negative = SAMPLES[sample]
    cases = [(1, s) for s in positive] + [(0, s) for s in negative]
    law = oracles.stratified_law(cases, lambda drawn: oracles.rate_at_fpr(drawn, u) - oracles.rate_at_fpr(drawn, u, 1))
    result = bootstrap_roc_difference_at_fpr(*arrays(positive, negative), fpr=float(u))
    values = [value + shift for value in law for shift in (Fraction(0), Fraction(1, 1000))]
    expected = [float(oracles.cdf(law, x)) for x in values]
    np.testing.assert_allclose([result.cdf(float(x)) for x in values], expected, atol=1e-12)
    assert result.mean == pytest.approx(float(oracles.moment(law, 1)), abs=1e-12)
    assert result.standard_error**2 == pytest.approx(float(oracles.moment(law, 2)), abs=1e-12)
    estimate = oracles.rate_at_fpr(cases, u) - oracles.rate_at_fpr(cases, u, 1)
    assert result.estimate == pytest.approx(float(estimate), abs=1e-15)
    tails = [
        float(sum(p for d, p in law.items() if keep(d)))
        for keep in (lambda d: d < 0, lambda d: d == 0, lambda d: d > 0)
    ]
    np.testing.assert_allclose(result.probabilities(), tails, atol=1e-12)
    levels = [0.03, 0.31, 0.5, 0.83, 0.999]
    quantiles = [float(oracles.quantile(law, Fraction(q))) for q in levels]
    np.testing.assert_allclose(result.quantile(levels), quantiles, atol=1e-12)


def resampled(y_true, a, b, u, draws=4000, seed=0):
    """Bootstrapped differences of the curves' heights."""
    rng = np.random.default_rng(seed)
    negative, positive = (
        rng.multinomial(n := int(np.sum(y_true == label)), np.full(n, 1 / n), draws) for label in (0, 1)
    )
    heights = []
    for score in (a, b):
        levels, place = np.unique(-score, return_inverse=True)
        drawn, found = np.zeros((2, draws, len(levels)))
        for counts, label, into in ((negative, 0, drawn), (positive, 1, found)):
            for level in range(len(levels)):
                into[:, level] = counts[:, place[y_true == label] == level].sum(axis=1)
        reached = np.cumsum(drawn, axis=1)
        t = u * reached[0, -1]
        here, rows = np.argmax(reached >= t - 1e-9, axis=1), np.arange(draws)
        left = (reached[rows, here] - t) / drawn[rows, here]
        heights.append((np.cumsum(found, axis=1)[rows, here] - left * found[rows, here]) / found[0].sum())
    return heights[0] - heights[1]


@pytest.mark.parametrize("u", [0.1, 0.37, 0.5, 0.9])
@pytest.mark.parametrize("sample", ["tied", "few values", "opposed", "close", "one useless"])
def test_sums_over_counts_agree_with_all_resamples(sample, u, monkeypatch):
    """What is done where resamples are too many to be listed."""
    data = arrays(*SAMPLES[sample])
    listed = bootstrap_roc_difference_at_fpr(*data, fpr=u)
    x, levels = np.append(np.linspace(-1, 1, 41), listed.quantile(np.linspace(0.01, 0.99, 20))), [1e-6, 0.3, 0.999]
    expected = listed.mean, listed.standard_error, listed.cdf(x), listed.quantile(levels)
    monkeypatch.setattr(_paired_vertical, "LISTED", -1.0)
    counted = bootstrap_roc_difference_at_fpr(*data, fpr=u)
    for number, other in zip((counted.mean, counted.standard_error, counted.cdf(x)), expected, strict=False):
        np.testing.assert_allclose(number, other, atol=1e-12)
    np.testing.assert_allclose(counted.quantile(levels), expected[3], atol=1e-12)


RATED = {  # how many positives, then negatives, have each pair of grades
    "close": ({(2, 2): 4, (2, 1): 2, (1, 1): 3, (0, 1): 1}, {(2, 1): 1, (1, 2): 3, (1, 1): 4, (0, 0): 4}),
    "opposed": ({(2, 0): 3, (1, 1): 4, (0, 2): 3}, {(2, 0): 2, (1, 2): 3, (0, 1): 3, (0, 0): 4}),
    "four grades": ({(3, 3): 3, (3, 2): 2, (2, 3): 2, (1, 2): 3}, {(3, 2): 3, (2, 2): 2, (1, 3): 3, (0, 0): 4}),
}


@pytest.mark.parametrize("u", [Fraction(3, 10), Fraction(1, 2)])
@pytest.mark.parametrize("sample", RATED)
def test_law_of_tens_of_tied_cases_is_the_enumerated_one(sample, u, monkeypatch):
    """10 + 12 cases on a few grades: every table of counts is listed, its value in fractions."""
    monkeypatch.setattr(_paired_vertical, "LISTED", -1.0)
    values, masses = np.array(sorted(oracles.difference_at_fpr_atoms(*RATED[sample], u)), dtype=float).T
    reached = np.concatenate([[0.0], np.cumsum(masses)])
    result = bootstrap_roc_difference_at_fpr(*arrays(*(rows(counts) for counts in RATED[sample])), fpr=float(u))
    assert result.mean == pytest.approx(values @ masses, abs=1e-13)
    some = values[:: len(values) // 30]
    for x in (some, some - 1e-7, some + 1e-7):
        np.testing.assert_allclose(result.cdf(x), reached[np.searchsorted(values, x + 1e-10)], atol=1e-12)
    less, _, more = result.probabilities()
    np.testing.assert_allclose([less, more], [masses[values < -1e-10].sum(), masses[values > 1e-10].sum()], atol=1e-12)
    levels = np.array([1e-6, 0.025, 0.31, 0.5, 0.97, 1 - 1e-9])
    expected = values[np.searchsorted(reached[1:], levels - 1e-12)]
    np.testing.assert_allclose(result.quantile(levels), expected, atol=1e-12)


def rows(counts):
    return [pair for pair, times in counts.items() for _ in range(times)]


@pytest.mark.parametrize(("n_positive", "n_negative"), [(12, 12), (20, 20), (15, 30)])
def test_quantiles_of_tied_models_are_where_the_distribution_function_jumps(n_positive, n_negative):
    """Rates at which t is a whole number, so that many values lie on whole cases and on their halves and thirds."""
    y, a, b = binormal(n_positive, n_negative, decimals=0)
    result = bootstrap_roc_difference_at_fpr(y, a, b, fpr=[0.5, 0.6, 0.2])
    np.testing.assert_allclose(result.cdf(np.array([[-np.inf], [-1.1], [1], [np.inf]]))[:, 0], [0, 0, 1, 1], atol=1e-11)
    for q in (0.025, 0.4, 0.975):
        value = result.quantile(q)
        assert np.all(result.cdf(value) >= q - 1e-11)
        assert np.all(result.cdf(value - 1e-8) < q)


graded = st.tuples(st.integers(0, 10**6), st.integers(2, 9), st.integers(2, 9), st.integers(2, 4))


def grades(sample):
    """Labels, grades of two models, and how often each case occurs."""
    seed, n_positive, n_negative, n_grades = sample
    rng = np.random.default_rng(seed)
    y = np.r_[np.ones(n_positive, int), np.zeros(n_negative, int)]
    a, b = rng.integers(0, n_grades, (2, len(y)))
    return y, a, np.where(rng.random(len(y)) < 0.5, a, b), rng.integers(1, 3, len(y))


@given(graded, st.sampled_from([0.1, 0.37, 0.5]))
@settings(max_examples=10, deadline=None)
def test_tied_models_swap_weigh_and_agree(sample, fpr):
    """The exact law: swapped models turn the sign, weights are rows, a model never differs from a rescaled self."""
    y, a, b, times = grades(sample)
    result = bootstrap_roc_difference_at_fpr(y, a, b, fpr=fpr, sample_weight=times)
    swapped = bootstrap_roc_difference_at_fpr(y, b, a, fpr=fpr, sample_weight=times)
    rows = bootstrap_roc_difference_at_fpr(*(np.repeat(each, times) for each in (y, a, b)), fpr=fpr)
    x = np.array([-0.5, -1 / 7, 0, 0.2, 1 / 3])
    np.testing.assert_allclose(result.cdf(x), rows.cdf(x), atol=1e-12)
    np.testing.assert_allclose(result.probabilities(), swapped.probabilities()[::-1], atol=1e-12)
    assert rows.quantile(0.3) == pytest.approx(result.quantile(0.3), abs=1e-12)
    value = result.quantile(0.2)
    assert result.cdf(value) >= 0.2 - 1e-12
    assert result.cdf(value - 1e-8) < 0.2
    alike = bootstrap_roc_difference_at_fpr(y, a, 2 * a + 1, fpr=fpr, sample_weight=times)
    assert alike.probabilities() == (0, pytest.approx(1, abs=1e-12), 0)
    assert alike.quantile(0.001) == alike.quantile(0.999) == 0


@pytest.mark.parametrize("decimals", [(0, 0), (0, 12), (1, 1)])
@pytest.mark.parametrize(
    ("correlation", "n_positive", "n_negative", "rel"), [(0.5, 20, 25, 0.0), (0.5, 60, 50, 0.01), (0.9, 30, 100, 0.02)]
)
def test_resampling_agrees_on_ties(decimals, correlation, n_positive, n_negative, rel):
    """Where resamples are too many to be listed: with few negatives exact, else the joint law in groups is not."""
    y_true, a, b = binormal(n_positive, n_negative, correlation)
    a, b = a.round(decimals[0]), b.round(decimals[1])
    for u in (0.08, 0.77):
        difference = np.sort(resampled(y_true, a, b, u, draws=10_000))
        result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=u)
        assert result.mean == pytest.approx(difference.mean(), abs=4.5 * result.standard_error / np.sqrt(10_000))
        kurtosis = np.mean((difference - difference.mean()) ** 4) / difference.var() ** 2
        noise = 3.5 * np.sqrt((kurtosis - 1) / 40_000)
        assert result.standard_error == pytest.approx(difference.std(), rel=rel + noise)
        x = difference[::1000] + 1e-6
        empirical = np.searchsorted(difference, x, "right") / len(difference)
        np.testing.assert_allclose(result.cdf(x), empirical, atol=0.02 if rel == 0 else 0.035)


@pytest.mark.parametrize("n", [2, 3, 5, 7])
def test_joint_threshold_law_is_the_sum_over_counts(n):
    """All margins, all numbers in common, all ranks: infinite and zero odds ratios included."""
    for rank in range(1, n + 1):
        for a in range(1, n):
            for b in range(1, n):
                for both in range(max(0, a + b - n), min(a, b) + 1):
                    value = _joint(n, a, b, both, rank)
                    assert value == pytest.approx(float(oracles.meeting_law(n, a, b, both, rank)), abs=1e-12)


def _joint(n, a, b, both, rank):
    reach_a, reach_b = (np.array([binom.cdf(rank - 1, n, above / n)]) for above in (a, b))
    return joint_reach(np.array([a]), np.array([b]), np.array([[float(both)]]), reach_a, reach_b, rank, n)[0, 0]


@pytest.mark.parametrize("n", [40, 300, 10_000])
def test_joint_threshold_law_of_many_draws(n):
    rng = np.random.default_rng(n)
    for rank in {1, n // 100 + 2, n // 2, n - n // 10, n}:
        spread = np.sqrt(rank * (n - rank + 1) / n)
        for _ in range(6 if n < 1000 else 2):
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


@pytest.mark.parametrize(("n", "correlation", "most"), [(100, 0.9, 0.012), (60, 0.9, 0.015), (60, 0.5, 0.015)])
def test_resampling_agrees_on_few_ties(n, correlation, most):
    """Joint laws of models whose tied groups are small are exact, but that shares in them do not vary together."""
    y_true, a, b = binormal(n, n, correlation, seed=8, decimals=2)
    same = np.random.default_rng(1).random(2 * n) < 0.5
    for other in (b, np.where(same, a, b)):
        for u in (0.03, 0.3):
            result = bootstrap_roc_difference_at_fpr(y_true, a, other, fpr=u)
            difference = resampled(y_true, a, other, u, draws=40_000)
            assert result.standard_error == pytest.approx(difference.std(), rel=most)


def test_resampling_agrees_on_a_middle_sized_sample():
    y_true, a, b = binormal(70, 90, decimals=1)
    a, b = a + 0.01 * y_true, b + 0.01 * y_true  # ties within the classes only
    positive, negative = (np.array([a, b]).T[y_true == label] for label in (1, 0))
    rng, draws, rank = np.random.default_rng(1), 40_000, 27
    counts = rng.multinomial(90, np.full(90, 1 / 90), draws)
    hits = []
    for model in (0, 1):
        order = np.argsort(-negative[:, model])
        place = (counts[:, order].cumsum(axis=1) < rank).sum(axis=1)
        hits.append(positive[:, model] >= negative[order, model][place][:, None])
    difference = ((hits[0].astype(int) - hits[1]) * rng.multinomial(70, np.full(70, 1 / 70), draws)).sum(axis=1) / 70
    result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.3)
    assert result.mean == pytest.approx(difference.mean(), abs=4 * result.standard_error / np.sqrt(draws))
    assert result.standard_error == pytest.approx(difference.std(), rel=4 / np.sqrt(2 * draws))
    for x in np.arange(-20, 25, 5) / 70:
        share = result.cdf(x)
        assert share == pytest.approx(
            (difference <= x + 1e-9).mean(), abs=4 * np.sqrt(share * (1 - share) / draws) + 1e-4
        )


def test_margins_are_the_single_models():
    y_true, a, b = binormal(40, 50, decimals=1)
    result = bootstrap_roc_difference_at_fpr(y_true, a, b)
    singles = [bootstrap_roc_at_fpr(y_true, scores) for scores in (a, b)]
    np.testing.assert_allclose(result.mean, singles[0].mean - singles[1].mean, atol=1e-12)
    np.testing.assert_allclose(result.estimate, singles[0].estimate - singles[1].estimate, atol=1e-15)
    constant = bootstrap_roc_difference_at_fpr(y_true, a, np.zeros(90))
    np.testing.assert_allclose(constant.standard_error, singles[0].standard_error, rtol=1e-8)


def test_agresti_puts_half_a_case_in_each_cell():
    """Model b finds every positive."""
    y_true, a, _ = binormal(12, 15)
    positive, negative = a[y_true == 1], np.sort(a[y_true == 0])[::-1]
    low, high = bootstrap_roc_difference_at_fpr(y_true, a, y_true, fpr=0.4).confidence_interval(0.9, method="agresti")
    k = np.arange(1, 16)
    weights = binom.cdf(5, 15, (k - 1) / 15) - binom.cdf(5, 15, k / 15)
    down = ((positive < negative[:, None]).sum(axis=1) + 0.5) / 14
    up = 0.5 / 14
    mean = weights @ (up - down)
    second = weights @ ((1 - 1 / 14) * (up - down) ** 2 + (up + down) / 14)
    half = ndtri(0.95) * np.sqrt(second - mean**2)
    np.testing.assert_allclose([low, high], [mean - half, mean + half], atol=1e-12)


def test_identical_scores_never_differ():
    y_true, a, _ = binormal(50, 60, decimals=1)
    result = bootstrap_roc_difference_at_fpr(y_true, a, np.exp(a))
    assert not result.standard_error.any()
    assert not result.mean.any()
    np.testing.assert_array_equal(result.pvalue(), 1)
    low, high = result.confidence_interval()
    assert np.all(low < 0)
    assert np.all(high > 0)


def test_a_tiny_variance_survives():
    """One positive is a hit of a only, and only where a resample leaves ten more draws to the last negative alone."""
    y_true = np.r_[np.ones(200, int), np.zeros(200, int)]
    a = np.r_[np.arange(200) * 2.0 + 0.5, np.arange(200) * 2.0]
    b = a.copy()
    b[0] = -1.0
    result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.95)
    chance = binom.sf(10, 200, 1 / 200)  # the 190-th largest is the last one: it is drawn 11 times or more
    assert chance < 1e-7
    draws_mean, draws_second = 1.0, 1.0 + 199 / 200
    variance = chance * draws_second - (chance * draws_mean) ** 2
    assert result.standard_error == pytest.approx(np.sqrt(variance) / 200, rel=1e-6)
    assert result.mean == pytest.approx(chance / 200, rel=1e-6)


@pytest.mark.parametrize("correlation", [0.3, 0.95])
def test_approximations_cost_less_than_a_millionth_of_the_standard_error(correlation, monkeypatch):
    sample = binormal(2000, 2000, correlation)
    fast = bootstrap_roc_difference_at_fpr(*sample, fpr=[0.02, 0.5, 0.9])
    monkeypatch.setattr(_joint_threshold, "NODES", (20, 24, 30, 36, 48, 64))
    monkeypatch.setattr(_joint_threshold, "KNOT_ERROR", 1e-14)
    monkeypatch.setattr(_joint_threshold, "NEGLIGIBLE", 45.0)
    slow = bootstrap_roc_difference_at_fpr(*sample, fpr=[0.02, 0.5, 0.9])
    assert np.all(np.abs(fast.mean - slow.mean) < 1e-8 * slow.standard_error)
    assert np.all(np.abs(fast.standard_error / slow.standard_error - 1) < 1e-8)
    x = np.arange(-100, 101)[:, None] / 2000
    np.testing.assert_allclose(fast.cdf(x), slow.cdf(x), atol=1e-9)


def test_rate_0_is_a_known_point_and_rate_1_is_not():
    y_true, a, b = binormal(20, 10)
    result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=[0, 1])
    low, high = result.confidence_interval()
    assert low[0] == high[0] == result.estimate[0] == result.standard_error[0] == 0
    assert result.pvalue()[0] == 1
    assert low[1] < high[1]


RATES = [0.03, 0.25, 0.37, 0.8, 1.0]
samples = st.tuples(
    st.integers(0, 10**6),
    st.integers(1, 15),
    st.integers(1, 15),
    st.sampled_from([-0.9, 0.0, 0.7, 0.99]),
    st.sampled_from([0, 1, 12]),
)


def drawn(sample):
    seed, n_positive, n_negative, correlation, decimals = sample
    return binormal(n_positive, n_negative, correlation, seed, decimals)


def plain_rank_mover(y_true, a, b, fpr, q):
    """The limit as its definition says, from the single models' results."""
    singles = [bootstrap_roc_at_fpr(y_true, scores, fpr=fpr) for scores in (a, b)]
    limits = [single.confidence_interval(abs(1 - 2 * q), method="rank_beta") for single in singles]
    medians = [float(rank_beta_limit(single.law, np.array(0.5), 1)[0]) for single in singles]
    law = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=fpr).law
    variances = [float(one.law.smoothed(1.0).variance[0]) for one in singles]
    both = float(law.smoothed(1.0).variance[0])
    r = (sum(variances) - both) / (2 * np.sqrt(np.prod(variances)))
    x, y = medians[0] - limits[0].low, limits[1].high - medians[1]
    if q > 0.5:
        x, y = limits[0].high - medians[0], medians[1] - limits[1].low
    x, y = max(x, r * y), max(y, r * x)
    distance = np.sqrt(x**2 + y**2 - 2 * r * x * y)
    return medians[0] - medians[1] + (distance if q > 0.5 else -distance)


@pytest.mark.parametrize("correlation", [-0.5, 0.0, 0.9, 0.999])
@pytest.mark.parametrize("fpr", [0.05, 0.5, 0.95])
def test_default_combines_the_single_models_limits(correlation, fpr):
    sample = binormal(30, 20, correlation)
    interval = bootstrap_roc_difference_at_fpr(*sample, fpr=fpr).confidence_interval(0.9)
    expected = [plain_rank_mover(*sample, fpr, q) for q in (0.05, 0.95)]
    np.testing.assert_allclose(interval, np.clip(expected, -1, 1), atol=1e-6)


@given(samples, st.sampled_from([0.01, 0.3, 0.6, 0.9, 0.99, 0.9999]))
@settings(max_examples=30, deadline=None)
def test_a_higher_level_is_never_narrower(sample, level):
    """Of all levels: MOVER as published narrows where one model's limit has reached its end and the other's has not."""
    result = bootstrap_roc_difference_at_fpr(*drawn(sample), fpr=RATES)
    inner, outer = result.confidence_interval(level), result.confidence_interval((1 + level) / 2)
    assert np.all(outer.low <= inner.low + 1e-12)
    assert np.all(inner.high <= outer.high + 1e-12)
    assert np.all(inner.low < inner.high)


@given(samples)
@settings(max_examples=30, deadline=None)
def test_probabilities_add_up_and_intervals_are_wide_and_nested(sample):
    result = bootstrap_roc_difference_at_fpr(*drawn(sample), fpr=RATES)
    np.testing.assert_allclose(sum(result.probabilities()), 1, atol=1e-11)
    assert np.all((result.pvalue() >= 0) & (result.pvalue() <= 1))
    inner, outer = result.confidence_interval(0.8), result.confidence_interval(0.95)
    assert np.all((outer.low <= inner.low) & (inner.low < inner.high) & (inner.high <= outer.high))


@pytest.mark.parametrize("correlation", [-0.5, 0.5, 0.99])
def test_the_law_has_the_moments_of_the_mixture(correlation):
    result = bootstrap_roc_difference_at_fpr(*binormal(300, 400, correlation), fpr=[0.01, 0.4, 0.95])
    x = np.arange(-300, 301) / 300
    cdf = result.cdf(np.broadcast_to(x[:, None], (601, 3)))
    pmf = np.diff(cdf, axis=0, prepend=0)
    np.testing.assert_allclose(pmf.sum(axis=0), 1, atol=1e-11)
    np.testing.assert_allclose(x @ pmf, result.mean, atol=1e-11)
    np.testing.assert_allclose(x**2 @ pmf - result.mean**2, result.standard_error**2, atol=1e-11)


def test_a_large_sample_agrees_with_normal_theory():
    y_true, a, b = binormal(20_000, 20_000, 0.8)
    result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.3)
    u = norm.isf(0.3)
    share = norm.sf(u - 1)
    positive_only = share - _quadrant(u - 1, 0.8)
    density = norm.pdf(u - 1) / norm.pdf(u)
    negative_only = 0.3 - _quadrant(u, 0.8)
    variance = (2 * positive_only + density**2 * 2 * negative_only) / 20_000
    assert result.standard_error == pytest.approx(np.sqrt(variance), rel=0.05)


def _quadrant(x, correlation):
    """P(both normals exceed x)."""
    z = np.linspace(x, 9, 20001)
    return trapezoid(norm.pdf(z) * norm.sf((x - correlation * z) / np.sqrt(1 - correlation**2)), z)


@pytest.mark.parametrize("fpr", [-0.1, 1.1, [0.2, float("nan")], [], [[0.1]]])
def test_bad_rates_are_named(fpr):
    with pytest.raises(ValueError, match="fpr must"):
        bootstrap_roc_difference_at_fpr(*binormal(5, 5), fpr=fpr)


def test_bad_scores_are_named():
    y_true, a, b = binormal(5, 5)
    with pytest.raises(ValueError, match="y_score_b must be finite"):
        bootstrap_roc_difference_at_fpr(y_true, a, np.where(b > 0, np.nan, b))
    with pytest.raises(ValueError, match="y_score_b"):
        bootstrap_roc_difference_at_fpr(y_true, a, b[:-1])


def error_in_half_widths(*sample):
    """How far the default limits are from those with exact moments."""
    rates = [0.004, 0.03, 0.1, 0.3, 0.5, 0.75, 0.9, 0.99]
    low, high = bootstrap_roc_difference_at_fpr(*sample, fpr=rates).confidence_interval()
    exact = bootstrap_roc_difference_at_fpr(*sample, fpr=rates)
    vars(exact.law.joint)["near"] = *exact.law.joint.near[:2], exact.law.joint.moments
    expected = exact.confidence_interval()
    off = np.maximum(np.abs(low - expected.low), np.abs(high - expected.high))
    return np.max(off / (expected.high - expected.low) * 2)


@pytest.mark.parametrize("correlation", [-0.999, -0.5, 0.0, 0.8, 0.97])
@pytest.mark.parametrize(("n_positive", "n_negative"), [(6, 5), (9, 150), (400, 30), (500, 400), (40, 4000)])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_series_to_its_end_has_the_moments_of_the_joint_law(correlation, n_positive, n_negative, weighted):
    sample = binormal(n_positive, n_negative, correlation, seed=n_negative)
    weights = np.random.default_rng(1).integers(1, 4, len(sample[0])) if weighted else None
    weights = None if weights is None else np.where(sample[0] == 1, weights, 1)  # no segment slopes
    rates = [0.01, 0.1, 0.3, 0.5, 0.75, 0.9, 0.99]
    joint = bootstrap_roc_difference_at_fpr(*sample, fpr=rates, sample_weight=weights).law.joint
    expected = np.array([joint.pair(i).moments for i in range(len(rates))]).T
    np.testing.assert_allclose(joint.moments, expected, rtol=1e-9, atol=1e-11)
    summed = np.isfinite(joint._summed(np.arange(len(rates)))[0])
    assert summed.all() if n_positive == 500 and correlation in (-0.5, 0.0, 0.8) else summed.any()


@pytest.mark.parametrize("seed", range(6))
def test_moments_over_listed_resamples_are_those_of_their_joint_law(seed):
    rng = np.random.default_rng(seed)
    y_true = np.repeat([1, 0], [1 + seed, 8])
    a, b = np.clip(rng.normal(size=(2, len(y_true))).round() + y_true, -1, 1)
    joint = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=[0.05, 0.3, 0.5, 0.81]).law.joint
    assert joint._draws is not None
    for point in np.flatnonzero(joint.sloping).tolist():
        np.testing.assert_allclose(joint._listed_moments(point), joint.pair(point).moments, rtol=1e-12, atol=1e-13)


def test_curves_that_are_the_same_far_out_never_differ_there():
    """Both climb nothing before the 30th of 100 negatives, and the same from there on."""
    y_true, score = np.r_[np.zeros(100, int), np.ones(5, int)], np.r_[np.arange(100.0), [67.5, 68.5, 69.5, 10.5, 20.5]]
    other = np.where(score < 50, -score, score)
    result = bootstrap_roc_difference_at_fpr(y_true, score, other, fpr=[0.05])
    assert result.law.a.variance > 0
    assert result.standard_error == 0


@pytest.mark.parametrize("correlation", [-0.999, -0.5, 0.5, 0.9, 0.99, 0.9999])
@pytest.mark.parametrize(("n_positive", "n_negative"), [(40, 30), (500, 400), (300, 4000), (4000, 3500)])
def test_the_series_for_the_default_interval_errs_by_less_than_a_thousandth_of_its_half_width(
    correlation, n_positive, n_negative
):
    assert error_in_half_widths(*binormal(n_positive, n_negative, correlation)) <= 1e-3


@pytest.mark.parametrize(("noise", "sign"), [(0.05, 1), (0.0, -1), (0.02, -1)], ids=["same", "opposite", "nearly so"])
@pytest.mark.parametrize(("n_positive", "n_negative"), [(500, 500), (300, 1000), (1000, 300), (20, 160), (200, 3500)])
def test_so_it_does_where_models_rank_nearly_the_same_way_or_the_opposite_one(n_positive, n_negative, noise, sign):
    rng = np.random.default_rng(n_positive)
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    a = rng.normal(size=len(y_true)) + y_true
    assert error_in_half_widths(y_true, a, sign * a + noise * rng.normal(size=len(a))) <= 1e-3


@pytest.mark.parametrize(
    ("n_positive", "n_negative", "share", "correlation", "seed"),
    [(1000, 600, 0.5, 0.5, 4), (2000, 3500, 0.9, 0.0, 8), (2000, 1200, 0.9, -0.8, 5), (1400, 4500, 0.7, 0.5, 3)],
)
def test_so_it_does_where_models_give_some_cases_the_same_score(n_positive, n_negative, share, correlation, seed):
    rng = np.random.default_rng(seed)
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    a, other = rng.normal(size=(2, len(y_true)))
    same = rng.random(len(y_true)) < share
    b = np.where(same, a, correlation * a + np.sqrt(1 - correlation**2) * other)
    assert error_in_half_widths(y_true, a + y_true, b + y_true) <= 1e-3


def floored(n_positive, n_negative, seed):
    """The best and the worst are one group in both models, and many cases have the same score."""
    y_true, a, b = binormal(n_positive, n_negative, 0.5, seed=seed, decimals=2)
    b = np.where(np.random.default_rng(seed).random(len(a)) < 0.5, a, b)
    return y_true, *np.where(np.abs(a - 0.5) > 1.5, 9 * np.sign(a - 0.5), [a, b])


def where_curves_end(*sample, rates, draws, seed=0):
    """The variance of the difference in hits over resamples of the negatives alone, and its standard error."""
    y_true, scores = sample[0], sample[1:]
    cells, counts = np.unique(np.column_stack([score[y_true == 0] for score in scores]), axis=0, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(counts.sum(), counts / counts.sum(), draws)
    difference = np.zeros((draws, len(rates)))
    for sign, score, cell in zip((1, -1), scores, cells.T, strict=True):
        order = np.argsort(-cell, kind="stable")
        levels, first = np.unique(-cell[order], return_index=True)
        reached = np.cumsum(np.add.reduceat(drawn[:, order], first, axis=1), axis=1)
        positive = score[y_true == 1]
        before, tied = ((positive[:, None] > -levels).sum(axis=0), (positive[:, None] == -levels).sum(axis=0))
        for i, t in enumerate(np.multiply(rates, counts.sum())):
            end = (reached < t - 1e-9).sum(axis=1)[:, None]
            last, size = (np.take_along_axis(x, end, 1)[:, 0] for x in (reached, np.diff(reached, axis=1, prepend=0)))
            difference[:, i] += sign * (before[end[:, 0]] + (1 - (last - t) / size) * tied[end[:, 0]])
    squares = (difference - difference.mean(axis=0)) ** 2
    return squares.mean(axis=0), squares.std(axis=0) / np.sqrt(draws)


@pytest.mark.parametrize(
    ("sample", "most"),
    [
        (binormal(300, 400, 0.5, decimals=2), 0.003),
        (binormal(80, 900, -0.8, seed=1, decimals=1), 0.003),
        (binormal(900, 200, 0.9, seed=2, decimals=1), 0.02),
        (binormal(150, 700, 0.5, seed=3, decimals=0), 0.003),
        (binormal(60, 60, 0.5, seed=3, decimals=1), 0.02),
        (binormal(30, 25, 0.0, seed=4, decimals=0), 0.03),
        (floored(400, 300, 4), 0.01),
        (floored(200, 1500, 5), 0.01),
    ],
    ids=["two", "opposed", "close", "whole", "small", "tiny", "floored", "floored, many"],
)
def test_the_variance_of_where_curves_of_tied_models_end_is_that_of_resamples(sample, most):
    rates = [0.05, 0.2, 0.5, 0.77, 0.95]
    law = bootstrap_roc_difference_at_fpr(*sample, fpr=rates).law
    expected, error = where_curves_end(*sample, rates=rates, draws=40_000)
    assert np.all(np.abs(law.joint.near[2][1] - expected) <= most * expected + 4 * error + 1e-6)


@pytest.mark.parametrize(
    "sample",
    [binormal(900, 200, 0.9, seed=2, decimals=3), binormal(150, 4000, 0.5, seed=3, decimals=3)],
    ids=["marks", "corners"],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_series_of_models_with_few_ties_is_the_joint_law_of_their_groups(sample, weighted, monkeypatch):
    monkeypatch.setattr(_paired_vertical, "LITTLE", np.inf)  # groups are not cut
    weights = np.random.default_rng(1).integers(1, 3, len(sample[0])) if weighted else None
    rates = [0.05, 0.2, 0.5, 0.77, 0.95]
    law = bootstrap_roc_difference_at_fpr(*sample, fpr=rates, sample_weight=weights).law
    ranked = Ranked.of(law.joint.a, law.joint.b, np.arange(len(rates)), NEAR)
    joint, settled = law.joint._series.at(ranked)
    expected = (ranked.alone - np.array([law.joint.pair(i).moments[1:] for i in range(len(rates))]).T) / 2
    assert settled.all()
    assert np.all(np.abs(joint - expected) <= [[2e-3], [1e-4]] * (ranked.alone - 2 * expected) + 1e-9)


@given(graded, st.sampled_from([0.1, 0.37, 0.5]))
@settings(max_examples=20, deadline=None)
def test_the_variance_that_intervals_take_swaps_and_weighs(sample, fpr):
    y, a, b, times = grades(sample)
    y, a, b, times = (np.tile(each, 4) for each in (y, a, b, times))
    near = bootstrap_roc_difference_at_fpr(y, a, b, fpr=fpr, sample_weight=times).law.joint.near[2]
    swapped = bootstrap_roc_difference_at_fpr(y, b, a, fpr=fpr, sample_weight=times).law.joint.near[2]
    rows = bootstrap_roc_difference_at_fpr(*(np.repeat(each, times) for each in (y, a, b)), fpr=fpr).law.joint.near[2]
    np.testing.assert_allclose(swapped[1:], near[1:], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(rows, near, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("decimals", "correlation", "seed"), [(2, 0.5, 1), (2, 0.95, 2), (1, 0.5, 3), (2, -0.9, 4)])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_resampling_agrees_with_what_the_default_interval_takes_of_tied_models(decimals, correlation, seed, share):
    y_true, a, b = binormal(250, 300, correlation, seed=seed, decimals=decimals)
    b = np.where(np.random.default_rng(seed).random(len(a)) < share, a, b)
    for u in (0.05, 0.4):
        law = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=u).law
        _, spread, given = law._given(law.joint.near[2], 0.0)
        deviation = np.sqrt(spread / law.draws**2 + given / law.draws)
        assert deviation == pytest.approx(resampled(y_true, a, b, u, draws=20_000).std(), rel=0.02)


@pytest.mark.parametrize(
    ("n_positive", "n_negative", "correlation", "seed"),
    [(22, 38, 0.99, 98), (57, 73, 0.99, 55), (47, 127, 0.99, 59), (3, 148, 0.999, 108), (38, 33, 0.95, 140)],
)
def test_a_series_of_all_degrees_is_stable(n_positive, n_negative, correlation, seed):
    """High degrees, which models need that nearly agree, vanish but for what rounding makes of them."""
    sample = binormal(n_positive, n_negative, correlation, seed)
    law = bootstrap_roc_difference_at_fpr(*sample).law
    assert np.all(np.abs(law.joint.near[2] - law.joint.moments) <= 1e-3 * (1 + np.abs(law.joint.moments)))


def peak_and_kept(*sample):
    """Bytes that 99 rates with the default interval take at most, and afterwards, in those of the input."""
    tracemalloc.start()
    result = bootstrap_roc_difference_at_fpr(*sample)
    result.confidence_interval()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = sum(part.nbytes for part in sample)
    return peak / size, kept / size


@pytest.mark.parametrize(("n", "most"), [(500, 28), (5_000, 15), (50_000, 12)])
@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_the_default_interval_takes_memory_in_proportion_to_the_input(n, most, correlation):
    bootstrap_roc_difference_at_fpr(*binormal(40, 40)).confidence_interval()  # tables of the first call
    peak, kept = peak_and_kept(*binormal(n, n, correlation))
    assert peak < most
    assert kept < 14


def test_memory_stays_small_where_scores_tie_and_where_models_nearly_agree():
    """Tied groups keep two numbers each, not their laws."""
    bootstrap_roc_difference_at_fpr(*binormal(40, 40)).confidence_interval()
    peak, kept = peak_and_kept(*binormal(300, 300, decimals=2))
    assert kept < 40
    assert peak < 160
    assert peak_and_kept(*binormal(5_000, 5_000, decimals=3))[0] < 25
    assert peak_and_kept(*binormal(500, 500, 0.97))[0] < 80
    y_true, a, _ = binormal(700, 1500)
    two = np.where(a > 0, 1.0, 0.0)
    assert peak_and_kept(y_true, two, np.where(np.arange(len(a)) < 2, 1 - two, two))[0] < 150


def test_models_that_rank_all_cases_alike_differ_by_nothing():
    for decimals in (12, 1, 0):
        y_true, a, _ = binormal(300, 400, decimals=decimals)
        result = bootstrap_roc_difference_at_fpr(y_true, a, np.exp(a))
        low, high = result.confidence_interval()
        assert np.all(result.standard_error == 0)
        assert np.all((low <= 0) & (high >= 0))
        np.testing.assert_allclose(low, -high, atol=1e-12)


def test_the_default_interval_and_what_is_printed_ask_for_nothing_of_the_joint_law():
    sample = binormal(5_000, 5_000)
    result, alone = (bootstrap_roc_difference_at_fpr(*sample, fpr=fpr) for fpr in (None, 0.3))
    assert all(word in repr(alone) for word in ("estimate=", "95 % interval"))
    assert all(shown == shown and shown._repr_html_() and hash(shown) for shown in (result, alone))
    for shown in (result, alone):
        assert "moments" not in vars(shown.law.joint)
        assert "laws" not in vars(shown.law)


def test_opposite_ranks_are_no_harder():
    y_true, a, _ = binormal(50_000, 50_000)
    result = bootstrap_roc_difference_at_fpr(y_true, a, -a, fpr=[0.1, 0.5])
    low, high = result.confidence_interval()
    assert np.all((low < result.estimate) & (result.estimate < high))
    singles = [bootstrap_roc_at_fpr(y_true, scores, fpr=[0.1, 0.5]).law.variance for scores in (a, -a)]
    assert result.law.decorrelation[1] == pytest.approx(2, abs=0.01)  # at .5 both thresholds are the same negative
    assert np.all(high - low < 4 * sum(np.sqrt(single) for single in singles))
