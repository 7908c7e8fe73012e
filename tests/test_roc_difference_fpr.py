"""Two models at fixed false-positive rates."""

import tracemalloc
from fractions import Fraction

import numpy as np
import oracles
import pytest
from budget import HALF_WIDTHS, TIED_HALF_WIDTHS, assert_limits, assert_places, assert_standard_errors
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.special import ndtri
from scipy.stats import binom, binomtest, norm
from test_roc_fpr import plain_rank_beta

from skcostci import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr, bootstrap_roc_difference_at_tpr

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
    positive = [(a + 0.5, b + 0.5) for a, b in positive]  # ties within the classes only
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


RATED = {  # how many positives, then negatives, have each pair of grades
    "close": ({(2, 2): 4, (2, 1): 2, (1, 1): 3, (0, 1): 1}, {(2, 1): 1, (1, 2): 3, (1, 1): 4, (0, 0): 4}),
    "opposed": ({(2, 0): 3, (1, 1): 4, (0, 2): 3}, {(2, 0): 2, (1, 2): 3, (0, 1): 3, (0, 0): 4}),
    "four grades": ({(3, 3): 3, (3, 2): 2, (2, 3): 2, (1, 2): 3}, {(3, 2): 3, (2, 2): 2, (1, 3): 3, (0, 0): 4}),
}


@pytest.mark.parametrize("u", [Fraction(3, 10), pytest.param(Fraction(1, 2), marks=pytest.mark.slow)])
@pytest.mark.parametrize("sample", ["close", "opposed", pytest.param("four grades", marks=pytest.mark.slow)])
def test_moments_of_tens_of_tied_cases_are_the_enumerated_ones(sample, u):
    """10 + 12 cases on a few grades: every table of counts is listed, its value in fractions."""
    values, masses = np.array(sorted(oracles.difference_at_fpr_atoms(*RATED[sample], u)), dtype=float).T
    result = bootstrap_roc_difference_at_fpr(*arrays(*(rows(counts) for counts in RATED[sample])), fpr=float(u))
    assert result.mean == pytest.approx(values @ masses, abs=1e-13)
    deviation = np.sqrt((values - values @ masses) ** 2 @ masses)
    assert result.standard_error == pytest.approx(deviation, rel=1e-9)


@pytest.mark.parametrize("u", [Fraction(1, 10), Fraction(1, 4), Fraction(37, 100), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("sample", SAMPLES)
def test_moments_of_few_tied_cases_are_the_enumerated_ones(sample, u):
    cases = [(label, s) for label, scores in zip((1, 0), SAMPLES[sample], strict=True) for s in scores]
    law = oracles.stratified_law(cases, lambda drawn: oracles.rate_at_fpr(drawn, u) - oracles.rate_at_fpr(drawn, u, 1))
    result = bootstrap_roc_difference_at_fpr(*arrays(*SAMPLES[sample]), fpr=float(u))
    assert result.mean == pytest.approx(float(oracles.moment(law, 1)), abs=1e-12)
    assert result.standard_error**2 == pytest.approx(float(oracles.moment(law, 2)), abs=1e-12)


@pytest.mark.parametrize("n_negative", [7, 30])
@pytest.mark.parametrize("decimals", [0, 1])
def test_standard_errors_of_near_copies_with_few_negatives(n_negative, decimals):
    """Models with a correlation of .97: what both climb of a group is nearly the same."""
    sample = binormal(20, n_negative, 0.97, seed=n_negative, decimals=decimals)
    for u in (0.1, 0.3, 0.5):
        difference = resampled(*sample, u, draws=20_000)
        kurtosis = np.mean((difference - difference.mean()) ** 4) / difference.var() ** 2
        found = bootstrap_roc_difference_at_fpr(*sample, fpr=u).standard_error
        assert_standard_errors(found, difference.std(), 0, 2 * 20_000 / (kurtosis - 1))


def rows(counts):
    return [pair for pair, times in counts.items() for _ in range(times)]


def test_the_distribution_of_a_difference_is_not_known_where_scores_tie_across_the_classes():
    y, a, b = binormal(20, 20, decimals=0)
    result = bootstrap_roc_difference_at_fpr(y, a, b, fpr=0.3)
    assert result.methods == ("rank_mover", "agresti", "wald")
    for ask in (lambda: result.cdf(0.0), lambda: result.quantile(0.5), lambda: result.probabilities()):
        with pytest.raises(AttributeError, match="only mean and variance are known"):
            ask()
    with pytest.raises(ValueError, match="percentile"):
        result.confidence_interval(method="percentile")
    within = bootstrap_roc_difference_at_fpr(y, a + y / 3, b + y / 3, fpr=0.3)
    assert 0 < within.cdf(0.0) < 1
    assert within.methods == ("rank_mover", "agresti", "percentile", "wald")


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
    """Swapped models turn the sign, weights are rows, a model never differs from a rescaled self."""
    y, a, b, times = grades(sample)
    result = bootstrap_roc_difference_at_fpr(y, a, b, fpr=fpr, sample_weight=times)
    swapped = bootstrap_roc_difference_at_fpr(y, b, a, fpr=fpr, sample_weight=times)
    rows = bootstrap_roc_difference_at_fpr(*(np.repeat(each, times) for each in (y, a, b)), fpr=fpr)
    for other, side in ((rows, 1), (swapped, -1)):
        assert result.mean == pytest.approx(side * other.mean, abs=1e-12)
        assert result.standard_error == pytest.approx(other.standard_error, rel=1e-6, abs=1e-9)
    alike = bootstrap_roc_difference_at_fpr(y, a, 2 * a + 1, fpr=fpr, sample_weight=times)
    assert alike.mean == alike.standard_error == 0


@pytest.mark.parametrize(
    ("correlation", "n_positive", "n_negative", "per_cent", "decimals"),
    [
        (0.5, 20, 25, 3, (1, 1)),
        (0.5, 60, 50, 3, (0, 12)),
        (0.9, 30, 100, 3, (0, 0)),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in [(0.5, 20, 25, 3, (0, 0)), (0.5, 60, 50, 3, (0, 0)), (0.9, 30, 100, 3, (1, 1))]
        ),
    ],
)
def test_resampling_agrees_on_ties(correlation, n_positive, n_negative, per_cent, decimals):
    """Where resamples are too many to be listed, and the joint law in groups is not exact."""
    y_true, a, b = binormal(n_positive, n_negative, correlation)
    a, b = a.round(decimals[0]), b.round(decimals[1])
    for u in (0.08, 0.77):
        difference = np.sort(resampled(y_true, a, b, u, draws=10_000))
        result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=u)
        assert result.mean == pytest.approx(difference.mean(), abs=4.5 * result.standard_error / np.sqrt(10_000))
        kurtosis = np.mean((difference - difference.mean()) ** 4) / difference.var() ** 2
        assert_standard_errors(result.standard_error, difference.std(), per_cent, 2 * 10_000 / (kurtosis - 1))


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
    less = bootstrap_roc_difference_at_fpr(y_true, *scores, fpr=rank / n).cdf(-0.5)  # only b finds it
    return binom.cdf(rank - 1, n, b / n) - less


@pytest.mark.parametrize("n", [40, 300, pytest.param(10_000, marks=pytest.mark.slow)])
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "correlation"),
    [(60, 0.9), (60, 0.5)],
)
def test_resampling_agrees_on_few_ties(n, correlation):
    """Joint laws of models whose tied groups are small are exact, but that shares in them do not vary together."""
    y_true, a, b = binormal(n, n, correlation, seed=8, decimals=2)
    same = np.random.default_rng(1).random(2 * n) < 0.5
    for other in (b, np.where(same, a, b)):
        for u in (0.03, 0.3):
            result = bootstrap_roc_difference_at_fpr(y_true, a, other, fpr=u)
            difference = resampled(y_true, a, other, u, draws=20_000)
            assert_standard_errors(result.standard_error, difference.std(), resamples=20_000)


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
    assert_standard_errors(result.standard_error, difference.std(), per_cent=0, resamples=draws)  # exact
    for x in np.arange(-20, 25, 5) / 70:
        share = result.cdf(x)
        assert share == pytest.approx(
            (difference <= x + 1e-9).mean(), abs=4 * np.sqrt(share * (1 - share) / draws) + 1e-4
        )


def test_margins_are_the_single_models():
    y_true, a, b = binormal(40, 50, decimals=1)
    rates = {"fpr": [0.02, 0.3, 0.77]}
    result = bootstrap_roc_difference_at_fpr(y_true, a, b, **rates)
    singles = [bootstrap_roc_at_fpr(y_true, scores, **rates) for scores in (a, b)]
    np.testing.assert_allclose(result.mean, singles[0].mean - singles[1].mean, atol=1e-12)
    np.testing.assert_allclose(result.estimate, singles[0].estimate - singles[1].estimate, atol=1e-15)
    constant = bootstrap_roc_difference_at_fpr(y_true, a, np.zeros(90), **rates)
    # between sums over counts at some rates, and where these take too long a normal law with ties across the classes
    np.testing.assert_allclose(constant.standard_error, singles[0].standard_error, rtol=0.005)


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


@given(samples, st.sampled_from([0.01, 0.3, 0.6, 0.9, 0.99, 0.9999]))
@settings(max_examples=30, deadline=None)
def test_a_higher_level_is_never_narrower(sample, level):
    """Of all levels: MOVER as published narrows where one model's limit has reached its end and the other's has not."""
    result = bootstrap_roc_difference_at_fpr(*drawn(sample), fpr=RATES)
    inner, outer = result.confidence_interval(level), result.confidence_interval((1 + level) / 2)
    assert np.all(outer.low <= inner.low + 1e-12)
    assert np.all(inner.high <= outer.high + 1e-12)
    assert np.all(inner.low < inner.high)


@pytest.mark.parametrize("correlation", [-0.5, 0.5, 0.99])
def test_the_law_has_the_moments_of_the_mixture(correlation):
    result = bootstrap_roc_difference_at_fpr(*binormal(300, 400, correlation), fpr=[0.01, 0.4, 0.95])
    x = np.arange(-300, 301) / 300
    cdf = result.cdf(np.broadcast_to(x[:, None], (601, 3)))
    pmf = np.diff(cdf, axis=0, prepend=0)
    np.testing.assert_allclose(pmf.sum(axis=0), 1, atol=1e-11)
    assert_places(x @ pmf, result.mean, result.standard_error)
    assert_standard_errors(np.sqrt(x**2 @ pmf - result.mean**2), result.standard_error)


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


def test_curves_that_are_the_same_far_out_never_differ_there():
    """Both climb nothing before the 30th of 100 negatives, and the same from there on."""
    y_true, score = np.r_[np.zeros(100, int), np.ones(5, int)], np.r_[np.arange(100.0), [67.5, 68.5, 69.5, 10.5, 20.5]]
    other = np.where(score < 50, -score, score)
    result = bootstrap_roc_difference_at_fpr(y_true, score, other, fpr=[0.05])
    assert result.law.a.variance > 0
    assert result.standard_error == 0


def test_models_that_rank_all_cases_alike_differ_by_nothing():
    for decimals in (12, 1, 0):
        y_true, a, _ = binormal(300, 400, decimals=decimals)
        result = bootstrap_roc_difference_at_fpr(y_true, a, np.exp(a))
        low, high = result.confidence_interval()
        assert np.all(result.standard_error == 0)
        assert np.all((low <= 0) & (high >= 0))
        np.testing.assert_allclose(low, -high, atol=1e-12)


def test_the_default_interval_and_what_is_printed_ask_for_nothing_of_the_joint_law():
    sample = binormal(1_000, 1_000)
    result, alone = (bootstrap_roc_difference_at_fpr(*sample, fpr=fpr) for fpr in ([0.05, 0.3, 0.8], 0.3))
    assert all(word in repr(alone) for word in ("estimate=", "95 % interval"))
    assert all(shown == shown and shown._repr_html_() and hash(shown) for shown in (result, alone))
    for shown in (result, alone):
        assert "moments" not in vars(shown.law.joint)
        assert "laws" not in vars(shown.law)


@pytest.mark.slow
def test_standard_errors_of_two_positives_moved_among_thousands_of_tied_cases():
    """3000 + 300 cases to one decimal: the same scores, and two positives ranked three grades up."""
    y_true, a, _ = binormal(3000, 300, decimals=1)
    b = a.copy()
    b[np.flatnonzero((y_true == 1) & (np.abs(a - 1.3) < 0.05))[:2]] += 0.3
    result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.1)
    # of 1.3 positives in 3000: the two models' variances all but cancel, and the normal law errs to the wide side
    assert 0.96 < result.standard_error / resampled(y_true, a, b, 0.1).std() < 1.25


@pytest.mark.parametrize(("n_positive", "n_negative"), [(30, 100), (100, 200)])
@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_standard_errors_of_models_that_nearly_agree_on_five_grades(n_positive, n_negative, noise):
    y_true, a, _ = binormal(n_positive, n_negative)
    b = a + noise * np.random.default_rng(1).normal(size=len(a))
    a, b = (np.clip(np.rint(1.2 * scores + 1.5), 0, 4) for scores in (a, b))
    for u in (0.1, 0.3):
        result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=u)
        assert result.standard_error == pytest.approx(resampled(y_true, a, b, u, draws=4000).std(), rel=0.1)


def test_opposite_ranks_are_no_harder():
    y_true, a, _ = binormal(50_000, 50_000)
    result = bootstrap_roc_difference_at_fpr(y_true, a, -a, fpr=[0.1, 0.5])
    low, high = result.confidence_interval()
    assert np.all((low < result.estimate) & (result.estimate < high))
    singles = [bootstrap_roc_at_fpr(y_true, scores, fpr=[0.1, 0.5]).law.variance for scores in (a, -a)]
    assert result.law.decorrelation[1] == pytest.approx(2, abs=0.01)  # at .5 both thresholds are the same negative
    assert np.all(high - low < 4 * sum(np.sqrt(single) for single in singles))


def plain_rank_mover(y_true, a, b, fpr, q):
    """The limit as its definition says, from the single models' results and the law of the difference."""
    singles = [bootstrap_roc_at_fpr(y_true, scores, fpr=fpr) for scores in (a, b)]
    limits = [single.confidence_interval(abs(1 - 2 * q), method="rank_beta") for single in singles]
    medians = [plain_rank_beta(y_true, scores, fpr, 0.5) for scores in (a, b)]
    variances = [float(one.law.smoothed(1.0).variance[0]) for one in singles]
    both = float(bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=fpr).law.smoothed(1.0).variance[0])
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
    y_true, a, b = binormal(30, 20, correlation, decimals=decimals)
    low, high = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=fpr).confidence_interval(0.9)
    expected = np.clip([plain_rank_mover(y_true, a, b, fpr, q) for q in (0.05, 0.95)], -1, 1)
    assert_limits([low, high], expected, most)


# Default limits with the exact covariance: its expansion in orthonormal polynomials, summed to its end, of the revision
# a382003 (``laws/_joint_moments``), skcostci.bootstrap_roc_difference_at_fpr(*binormal(*design), fpr=[0.02, 0.2, 0.7,
# 0.95]).confidence_interval(). The last column: how many budgets limits may be off, five where models nearly agree.
BY_EXACT_COVARIANCE = [
    ((300, 400, 0.5, 1, 12), [-0.15343, -0.06997, -0.02306, -0.0131], [0.01763, 0.12318, 0.04238, 0.00985], 1),
    ((400, 300, 0.99, 2, 12), [-0.02956, -0.0411, -0.01599, -0.00576], [0.03177, 0.04106, 0.02177, 0.01225], 5),
    ((500, 700, -0.9, 3, 12), [-0.06896, -0.08972, -0.02523, -0.00173], [0.10917, 0.10674, 0.05099, 0.01927], 1),
    ((200, 2000, 0.8, 4, 12), [-0.0623, -0.07075, -0.0392, -0.02939], [0.06928, 0.04893, 0.04331, 0.00859], 1),
    ((2000, 100, 0.95, 5, 12), [-0.07071, -0.09805, -0.02905, -0.00343], [0.11027, 0.0629, 0.02045, 0.00675], 5),
    ((300, 400, 0.5, 6, 2), [-0.03791, -0.05668, -0.06781, -0.018], [0.17103, 0.13034, 0.01439, 0.01081], 1),
    ((900, 200, 0.9, 7, 1), [-0.04834, -0.04464, -0.00812, -0.00827], [0.13922, 0.07666, 0.0281, 0.00485], 5),
    ((150, 700, 0.0, 8, 0), [-0.04029, -0.11292, -0.04145, -0.03192], [0.15241, 0.16179, 0.0833, 0.01122], 1),
]


@pytest.mark.parametrize(("design", "lows", "highs", "budgets"), BY_EXACT_COVARIANCE)
def test_default_limits_are_near_those_by_the_exact_covariance(design, lows, highs, budgets):
    low, high = bootstrap_roc_difference_at_fpr(*binormal(*design), fpr=[0.02, 0.2, 0.7, 0.95]).confidence_interval()
    plain = np.array([0.02, 0.2, 0.7, 0.95]) * design[1]  # nearer to an end limits have had more room since
    plain = np.minimum(plain, design[1] - plain) > 16
    assert_limits(np.array([low, high])[:, plain], np.array([lows, highs])[:, plain], budgets * HALF_WIDTHS)


@given(graded, st.sampled_from([0.1, 0.37, 0.5]))
@settings(max_examples=20, deadline=None)
def test_default_limits_of_tied_models_swap_and_weigh(sample, fpr):
    y, a, b, times = grades(sample)
    y, a, b, times = (np.tile(each, 4) for each in (y, a, b, times))
    low, high = bootstrap_roc_difference_at_fpr(y, a, b, fpr=fpr, sample_weight=times).confidence_interval()
    swapped = bootstrap_roc_difference_at_fpr(y, b, a, fpr=fpr, sample_weight=times).confidence_interval()
    rows = bootstrap_roc_difference_at_fpr(*(np.repeat(each, times) for each in (y, a, b)), fpr=fpr)
    assert_limits(swapped, (-high, -low))
    assert_limits(rows.confidence_interval(), (low, high))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("correlation", "decimals", "covered"), [(0.5, 12, 295), pytest.param(0.95, 1, 300, marks=pytest.mark.slow)]
)
def test_the_default_interval_covers(correlation, decimals, covered):
    """Of 300 samples, seeded: counted, and no evidence of less than 95 %."""
    truth = norm.sf(norm.isf(0.2) - 1) - norm.sf(norm.isf(0.2) - 1.4)
    found = 0
    for seed in range(300):
        y_true, a, b = binormal(50, 60, correlation, seed)
        result = bootstrap_roc_difference_at_fpr(y_true, a.round(decimals), (b + 0.4 * y_true).round(decimals), fpr=0.2)
        low, high = result.confidence_interval()
        found += low <= truth <= high
    assert found == pytest.approx(covered, abs=1)
    assert binomtest(found, 300, 0.95, alternative="less").pvalue > 0.01


@pytest.mark.parametrize("decimals", [12, 1, 0])
def test_default_limits_stand_a_numpy_that_raises(decimals):
    """What is next to nothing underflows, which is no error."""
    sample, rates = binormal(60, 200, 0.9, decimals=decimals), [0, 0.001, 0.3, 0.999, 1]
    expected = bootstrap_roc_difference_at_fpr(*sample, fpr=rates).confidence_interval()
    with np.errstate(all="raise"):
        found = bootstrap_roc_difference_at_fpr(*sample, fpr=rates).confidence_interval()
    np.testing.assert_array_equal(found, expected)


def peak(*sample):
    """Bytes that 99 rates with the default interval take at most."""
    tracemalloc.start()
    bootstrap_roc_difference_at_fpr(*sample).confidence_interval()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("n", [500, 5_000, 50_000])
@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_the_default_interval_takes_some_megabytes_or_so_many_times_the_input(n, correlation):
    bootstrap_roc_difference_at_fpr(*binormal(40, 40)).confidence_interval()  # tables of the first call
    assert peak(*binormal(n, n, correlation)) < 14 * 3 * 8 * 2 * n + 10e6


def test_memory_stays_small_where_scores_tie_and_where_models_nearly_agree():
    bootstrap_roc_difference_at_fpr(*binormal(40, 40)).confidence_interval()
    y_true, a, _ = binormal(700, 1500)
    two = np.where(a > 0, 1.0, 0.0)
    nearly = y_true, two, np.where(np.arange(len(a)) < 2, 1 - two, two)
    for sample in (
        binormal(300, 300, decimals=2),
        binormal(5_000, 5_000, decimals=3),
        binormal(500, 500, 0.97),
        nearly,
    ):
        assert peak(*sample) < 40e6


@pytest.mark.parametrize("asked", [{"fpr": 0.1}, {"fpr": 0.5}, {"tpr": 0.8}])
@pytest.mark.parametrize("seed", range(3))
def test_limits_reach_the_ends_of_the_range_as_the_level_goes_to_1(asked, seed):
    """Few cases exclude no value for certain, however far apart two models are in them."""
    rng = np.random.default_rng(seed)
    y_true = np.repeat([1, 0], 25)
    models = rng.normal(size=50) + 3 * y_true, rng.normal(size=50)
    ask = bootstrap_roc_difference_at_fpr if "fpr" in asked else bootstrap_roc_difference_at_tpr
    found = ask(y_true, *models, **asked)
    levels = 1 - np.array([0.2, 0.05, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14])
    limits = np.array([found.confidence_interval(level) for level in levels])
    assert np.all(np.diff(limits[:, 0]) <= 0)
    assert np.all(np.diff(limits[:, 1]) >= 0)
    assert np.abs(limits[-1] - [-1, 1]).max() < 0.4
    for null in (-0.99, -0.55, 0.55, 0.99):
        assert found.pvalue(null=null) > 0
        p = found.pvalue(null=null)
        assert ((p < 1 - levels) == ((null < limits[:, 0]) | (null > limits[:, 1]))).all()
