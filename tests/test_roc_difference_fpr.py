"""Two models at fixed false-positive rates."""

import tracemalloc
from fractions import Fraction

import numpy as np
import oracles
import pytest
from budget import HALF_WIDTHS, TIED_HALF_WIDTHS, assert_limits, assert_standard_errors
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import ndtri
from scipy.stats import binom
from test_roc_fpr import arrays, assert_law, plain_rank_beta, resampled

from skcostci import bootstrap_roc_at_fpr, bootstrap_roc_difference_at_fpr, bootstrap_roc_difference_at_tpr

SAMPLES = {  # scores of both models: positives, negatives
    "untied": ([(9, 4), (8, 7), (4, 5), (3, 8)], [(7, 6), (5, 2), (2, 3), (1, 1)]),
    "tied": ([(2, 1), (2, 2), (1, 3), (3, 1)], [(2, 1), (2, 3), (1, 2), (0, 0)]),
    "few values": ([(1, 0), (1, 1), (0, 1), (1, 1)], [(0, 1), (1, 0), (0, 0), (1, 0)]),
    "opposed": ([(1, 4), (2, 3), (3, 2), (4, 1)], [(4, 1), (3, 2), (2, 3), (1, 4)]),
}


def binormal(n_positive, n_negative, correlation=0.5, seed=0, decimals=12, shift=1.0):
    rng = np.random.default_rng(seed)
    scores = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], n_positive + n_negative)
    scores[:n_positive] += shift
    y_true = np.r_[np.ones(n_positive, int), np.zeros(n_negative, int)]
    return y_true, *scores.round(decimals).T


def apart_in(drawn, u):
    return oracles.rate_at_fpr(drawn, u) - oracles.rate_at_fpr(drawn, u, 1)


FEW = list(zip([*SAMPLES] * 2, [Fraction(k, 100) for k in (10, 37, 25, 50, 100)] * 3, strict=False))


@pytest.mark.parametrize(("sample", "u"), FEW)
def test_law_is_the_enumerated_one(sample, u):
    positive, negative = SAMPLES[sample]
    positive = [(a + 0.5, b + 0.5) for a, b in positive]  # ties within the classes only
    cases = [(1, s) for s in positive] + [(0, s) for s in negative]
    law = oracles.stratified_law(cases, lambda drawn: apart_in(drawn, u))
    result = bootstrap_roc_difference_at_fpr(*arrays(positive, negative), fpr=float(u))
    assert_law(result, law, apart_in(cases, u), 1e-12)
    tails = [float(sum(p for d, p in law.items() if np.sign(d) == sign)) for sign in (-1, 0, 1)]
    assert_allclose(result.probabilities(), tails, atol=1e-12)


@pytest.mark.parametrize(("sample", "u"), FEW)
def test_moments_of_few_tied_cases_are_the_enumerated_ones(sample, u):
    cases = [(label, s) for label, scores in zip((1, 0), SAMPLES[sample], strict=True) for s in scores]
    law = oracles.stratified_law(cases, lambda drawn: apart_in(drawn, u))
    result = bootstrap_roc_difference_at_fpr(*arrays(*SAMPLES[sample]), fpr=float(u))
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
    result = bootstrap_roc_difference_at_fpr(*arrays(*(rows(counts) for counts in RATED[sample])), fpr=0.3)
    assert result.mean == pytest.approx(values @ masses, abs=1e-13)
    assert result.standard_error == pytest.approx(np.sqrt((values - values @ masses) ** 2 @ masses), rel=1e-9)


@pytest.mark.parametrize(("n_negative", "decimals"), [(7, 0), (30, 1)])
def test_standard_errors_of_near_copies_with_few_negatives(n_negative, decimals):
    """Models with a correlation of .97: what both climb of a group is nearly the same."""
    sample = binormal(20, n_negative, 0.97, seed=n_negative, decimals=decimals)
    for u in (0.1, 0.3, 0.5):
        found = bootstrap_roc_difference_at_fpr(*sample, fpr=u).standard_error
        assert_spread(found, resampled(*sample, u=u, draws=20_000))


def test_the_distribution_of_a_difference_is_not_known_where_scores_tie_across_the_classes():
    y, a, b = binormal(20, 20, decimals=0)
    result = bootstrap_roc_difference_at_fpr(y, a, b, fpr=0.3)
    assert result.methods == ("rank_mover", "agresti", "wald")
    for ask in (lambda: result.cdf(0.0), lambda: result.quantile(0.5), lambda: result.probabilities()):
        with pytest.raises(AttributeError, match="only mean and variance are known"):
            ask()
    within = bootstrap_roc_difference_at_fpr(y, a + y / 3, b + y / 3, fpr=0.3)
    assert 0 < within.cdf(0.0) < 1
    assert within.methods == ("rank_mover", "agresti", "percentile", "wald")


@pytest.mark.parametrize(
    ("correlation", "n_positive", "n_negative", "decimals", "per_cent"),
    [
        (0.5, 20, 25, (1, 1), 3),
        (0.9, 30, 100, (0, 12), 3),
        pytest.param(0.5, 60, 50, (0, 0), 3, marks=pytest.mark.slow),
        pytest.param(0.5, 60, 60, (2, 2), 1, marks=pytest.mark.slow),
    ],
)
def test_resampling_agrees_on_ties(correlation, n_positive, n_negative, decimals, per_cent):
    """Where resamples are too many to be listed, and the joint law in groups is not exact."""
    y_true, *models = binormal(n_positive, n_negative, correlation)
    models = [scores.round(places) for scores, places in zip(models, decimals, strict=True)]
    for u in (0.08, 0.77):
        difference = resampled(y_true, *models, u=u, draws=20_000)
        result = bootstrap_roc_difference_at_fpr(y_true, *models, fpr=u)
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
    less = bootstrap_roc_difference_at_fpr(y_true, *scores, fpr=rank / n).cdf(-0.5)  # only b finds it
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
    y_true, a, b = binormal(70, 90, decimals=1)
    a, b = a + 0.01 * y_true, b + 0.01 * y_true  # ties within the classes only
    difference = resampled(y_true, a, b, u=0.3, draws=(draws := 40_000), seed=1)
    result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=0.3)
    assert result.mean == pytest.approx(difference.mean(), abs=4 * result.standard_error / np.sqrt(draws))
    assert_standard_errors(result.standard_error, difference.std(), per_cent=0, resamples=draws)  # exact
    for x in np.arange(-20, 25, 5) / 70:
        share, found = result.cdf(x), (difference <= x + 1e-9).mean()
        assert share == pytest.approx(found, abs=4 * np.sqrt(share * (1 - share) / draws) + 1e-4)


def test_agresti_puts_half_a_case_in_each_cell():
    """Model b finds every positive."""
    y_true, a, _ = binormal(12, 15)
    positive, negative = a[y_true == 1], np.sort(a[y_true == 0])[::-1]
    limits = bootstrap_roc_difference_at_fpr(y_true, a, y_true, fpr=0.4).confidence_interval(0.9, method="agresti")
    k = np.arange(1, 16)
    weights = binom.cdf(5, 15, (k - 1) / 15) - binom.cdf(5, 15, k / 15)
    down, up = ((positive < negative[:, None]).sum(axis=1) + 0.5) / 14, 0.5 / 14
    mean = weights @ (up - down)
    second = weights @ ((1 - 1 / 14) * (up - down) ** 2 + (up + down) / 14)
    half = ndtri(0.95) * np.sqrt(second - mean**2)
    assert_allclose(limits, [mean - half, mean + half], atol=1e-12)


@pytest.mark.parametrize("decimals", [12, 1, 0])
def test_identical_scores_never_differ(decimals):
    y_true, a, _ = binormal(150, 200, decimals=decimals)
    result = bootstrap_roc_difference_at_fpr(y_true, a, np.exp(a))
    assert not result.standard_error.any()
    assert not result.mean.any()
    assert np.all(result.pvalue() == 1)
    low, high = result.confidence_interval()
    assert np.all((low < 0) & (high > 0))
    assert_allclose(low, -high, atol=1e-12)


def test_a_tiny_variance_survives():
    """One positive is a hit of a only, and only where a resample leaves ten more draws to the last negative alone."""
    y_true, a = np.repeat([1, 0], 200), np.r_[np.arange(200) * 2.0 + 0.5, np.arange(200) * 2.0]
    result = bootstrap_roc_difference_at_fpr(y_true, a, np.r_[-1.0, a[1:]], fpr=0.95)
    chance = binom.sf(10, 200, 1 / 200)  # the 190-th largest is the last one: it is drawn 11 times or more
    assert chance < 1e-7
    variance = chance * (1 + 199 / 200) - chance**2
    assert result.standard_error == pytest.approx(np.sqrt(variance) / 200, rel=1e-6)
    assert result.mean == pytest.approx(chance / 200, rel=1e-6)


def test_rate_0_is_a_known_point_and_rate_1_is_not():
    result = bootstrap_roc_difference_at_fpr(*binormal(20, 10), fpr=[0, 1])
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
    result = bootstrap_roc_difference_at_fpr(*binormal(*design, seed, decimals), fpr=[0.03, 0.25, 0.37, 0.8, 1.0])
    inner, outer = result.confidence_interval(level), result.confidence_interval((1 + level) / 2)
    assert np.all(outer.low <= inner.low + 1e-12)
    assert np.all(inner.high <= outer.high + 1e-12)
    assert np.all(inner.low < inner.high)


def test_curves_that_are_the_same_far_out_never_differ_there():
    """Both climb nothing before the 30th of 100 negatives, and the same from there on."""
    y_true, score = np.r_[np.zeros(100, int), np.ones(5, int)], np.r_[np.arange(100.0), [67.5, 68.5, 69.5, 10.5, 20.5]]
    other = np.where(score < 50, -score, score)
    assert bootstrap_roc_at_fpr(y_true, score, fpr=0.05).standard_error > 0
    assert bootstrap_roc_difference_at_fpr(y_true, score, other, fpr=0.05).standard_error == 0


@pytest.mark.parametrize(("n_positive", "n_negative", "noise"), [(30, 100, 0.02), (100, 200, 0.1)])
def test_standard_errors_of_models_that_nearly_agree_on_five_grades(n_positive, n_negative, noise):
    y_true, a, _ = binormal(n_positive, n_negative)
    b = a + noise * np.random.default_rng(1).normal(size=len(a))
    a, b = (np.clip(np.rint(1.2 * scores + 1.5), 0, 4) for scores in (a, b))
    for u in (0.1, 0.3):
        result = bootstrap_roc_difference_at_fpr(y_true, a, b, fpr=u)
        assert result.standard_error == pytest.approx(resampled(y_true, a, b, u=u, draws=4000).std(), rel=0.1)


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
    ((300, 400, 0.5, 6, 2), [-0.03791, -0.05668, -0.06781, -0.018], [0.17103, 0.13034, 0.01439, 0.01081], 1),
    ((900, 200, 0.9, 7, 1), [-0.04834, -0.04464, -0.00812, -0.00827], [0.13922, 0.07666, 0.0281, 0.00485], 5),
]


@pytest.mark.parametrize(("design", "lows", "highs", "budgets"), BY_EXACT_COVARIANCE)
def test_default_limits_are_near_those_by_the_exact_covariance(design, lows, highs, budgets):
    rates = np.array([0.02, 0.2, 0.7, 0.95])
    limits = np.array(bootstrap_roc_difference_at_fpr(*binormal(*design), fpr=rates).confidence_interval())
    plain = design[1] * np.minimum(rates, 1 - rates) > 16  # nearer to an end limits have had more room since
    assert_limits(limits[:, plain], np.array([lows, highs])[:, plain], budgets * HALF_WIDTHS)


TWO_VALUES = (binormal(700, 1500)[1] > 0).astype(int)
SAME_BUT_TWO = np.repeat([1, 0], [700, 1500]), TWO_VALUES, np.r_[1 - TWO_VALUES[:2], TWO_VALUES[2:]]


@pytest.mark.parametrize(
    ("sample", "most"),
    [
        (binormal(5_000, 5_000, 0.8), 13.4e6),  # 14 times the input and some megabytes
        (binormal(500, 500, 0.97), 40e6),
        (SAME_BUT_TWO, 40e6),
    ],
)
def test_the_default_interval_at_99_rates_takes_some_megabytes(sample, most):
    bootstrap_roc_difference_at_fpr(*binormal(40, 40)).confidence_interval()  # tables of the first call
    tracemalloc.start()
    bootstrap_roc_difference_at_fpr(*sample).confidence_interval()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < most


@pytest.mark.parametrize(
    ("ask", "asked"), [(bootstrap_roc_difference_at_fpr, {"fpr": 0.1}), (bootstrap_roc_difference_at_tpr, {"tpr": 0.8})]
)
def test_limits_reach_the_ends_of_the_range_as_the_level_goes_to_1(ask, asked):
    """Few cases exclude no value for certain, however far apart two models are in them."""
    rng, y_true = np.random.default_rng(0), np.repeat([1, 0], 25)
    found = ask(y_true, rng.normal(size=50) + 3 * y_true, rng.normal(size=50), **asked)
    levels = 1 - np.array([0.2, 1e-2, 1e-6, 1e-10, 1e-14])
    low, high = np.array([found.confidence_interval(level) for level in levels]).T
    assert np.all((np.diff(low) <= 0) & (np.diff(high) >= 0))
    assert max(low[-1] + 1, 1 - high[-1]) < 0.4
    for null in (-0.99, 0.55):
        p = found.pvalue(null=null)
        assert p > 0
        assert ((p < 1 - levels) == ((null < low) | (null > high))).all()
