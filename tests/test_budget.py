"""Rates at a fixed budget against complete enumeration, sums over all thresholds, and what their intervals promise."""

import functools
from itertools import product

import numpy as np
import oracles
import pytest
from budget import CDF, assert_cdf, assert_places
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, multinomial
from strategies import samples
from test_cost import TIED, agree_in_law
from test_roc_threshold import UNTIED

import skcostci as sk

ALL_TIED = [(1, (0,)), (1, (0,)), (1, (0,)), (0, (0,)), (0, (0,)), (0, (0,))]
PERFECT = [(1, (2,)), (1, (2,)), (1, (3,)), (0, (0,)), (0, (1,)), (0, (1,))]
LOPSIDED = [(1, (2,)), (0, (2,)), (0, (0,)), (0, (3,)), (0, (1,)), (0, (1,))]
DESIGNS = {"tied": TIED, "untied": UNTIED, "all tied": ALL_TIED, "perfect": PERFECT, "lopsided": LOPSIDED}
SAMPLINGS = ("stratified", "full")
METHODS = ("unseen_case", "smoothed", "percentile", "agresti", "wald")
KEPT = 0.024  # of .05, nominal: two fifths of .06


def budget(labels, scores, positive_rate, **options):
    return sk.bootstrap_roc_at_positive_rate(labels, scores, positive_rate=positive_rate, **options)


def rates(result):
    return {"tpr": result, "fpr": result.fpr, "precision": result.precision}


@functools.cache
def counts(design, q, sampling):
    return oracles.budget_counts(DESIGNS[design], q, sampling == "full")


EVERY_BUDGET = [(design, q) for design in DESIGNS for q in range(len(DESIGNS[design]) + 1)]


def check_rates(design, q, sampling):
    cases = DESIGNS[design]
    result = budget(*oracles.columns(cases)[:2], q / len(cases), sampling=sampling)
    for name, rate in (rates(result) if q else {"tpr": result, "fpr": result.fpr}).items():
        agree_in_law(rate, oracles.budget_law(counts(design, q, sampling), q, len(cases), name))


@pytest.mark.parametrize(("design", "q"), EVERY_BUDGET)
def test_stratified_laws(design, q):
    check_rates(design, q, "stratified")


@pytest.mark.parametrize(
    ("design", "q"), [("tied", 3), ("untied", 4), *(each for each in EVERY_BUDGET if len(DESIGNS[each[0]]) < 8)]
)
def test_full_laws(design, q):
    check_rates(design, q, "full")


@pytest.mark.parametrize("q", range(1, 8))
@pytest.mark.parametrize("design", ["tied", "untied"])
def test_estimates_are_means_over_the_orders_of_ties(design, q):
    cases = DESIGNS[design]
    hits = oracles.found(cases, q)
    result = budget(*oracles.columns(cases)[:2], q / 8)
    expected = sum(hits) / len(hits)
    assert_allclose([result.estimate * 4, q - result.fpr.estimate * 4, result.precision.estimate * q], expected)


def sum_over_thresholds(ranked, q):
    """P(L >= l) for l = 0, 1, ..., q without ties: the (q - l + 1)-th best negative must lie below l positives."""
    n_positive, n_negative = ranked.sum(), (~ranked).sum()
    above = np.cumsum(ranked)[~ranked] / n_positive
    k = np.arange(1, n_negative + 1)
    at_least = np.zeros(q + 1)
    for hits in range(q + 1):
        rank = q - hits + 1
        at = binom.cdf(rank - 1, n_negative, (k - 1) / n_negative) - binom.cdf(rank - 1, n_negative, k / n_negative)
        at_least[hits] = 1 if hits <= q - n_negative else at @ binom.sf(hits - 1, n_positive, above)
    return at_least


@pytest.mark.parametrize(
    ("n_positive", "n_negative", "q"),
    [(300, 500, 40), (300, 500, 790), (20, 900, 100), (900, 20, 400), (400, 400, 400)],
)
def test_many_cases_against_the_sum_over_all_thresholds(n_positive, n_negative, q):
    rng = np.random.default_rng(q)
    scores = np.concatenate([rng.normal(1, 1.2, n_positive), rng.normal(0, 1, n_negative)])
    labels = np.repeat([1, 0], [n_positive, n_negative])
    result = budget(labels, scores, q / len(labels))
    at_least = sum_over_thresholds(labels[np.argsort(-scores)] == 1, q)
    assert_allclose(1 - result.cdf((np.arange(q + 1) - 0.5)[:, None] / n_positive)[:, 0], at_least, atol=1e-12)
    assert_allclose(result.mean * n_positive, at_least[1:].sum(), rtol=1e-11)


def test_full_sampling_mixes_stratified_laws_over_the_positives_drawn():
    rng, labels, grid = np.random.default_rng(1), np.repeat([1, 0], [40, 60]), np.linspace(0, 1, 41) + 1e-7
    scores = np.round(rng.normal(size=100) + labels, 1)
    levels = np.unique(scores)[::-1]
    classes = [(scores[labels == label][:, None] == levels).sum(axis=0).astype(float) for label in (1, 0)]
    for q in (3, 25, 95):
        full, exact = budget(labels, scores, q / 100, sampling="full"), np.zeros((2, 41))
        for m in range(1, 100):
            hits, pmf = full.law.cases.__class__(*classes, m, 100 - m, "stratified").hits(q)
            for place, (count, size) in enumerate(((hits, m), (q - hits, 100 - m))):
                exact[place] += binom.pmf(m, 100, 0.4) * (pmf[:, None] * (count[:, None] <= grid * size)).sum(axis=0)
        assert_allclose([full.cdf(grid[:, None])[:, 0], full.fpr.cdf(grid[:, None])[:, 0]], exact, atol=1e-12)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_nobody_and_everybody_are_known(sampling):
    result = budget(*oracles.columns(TIED)[:2], [0, 0.05, 1], sampling=sampling)
    assert_array_equal(result.n_labelled, [0, 0, 8])
    assert_array_equal(result.positive_rate, [0, 0, 1])
    for rate in (result, result.fpr):
        assert rate.methods == METHODS
        for method in METHODS:
            assert_array_equal(rate.confidence_interval(0.9, method=method), [[0, 0, 1], [0, 0, 1]])
        assert_array_equal(rate.standard_error, 0)
    with pytest.raises(ValueError, match="precision is undefined where no case is labelled positive"):
        _ = result.precision


def test_the_budget_is_rounded_down_but_not_by_rounding_errors():
    result = budget(np.tile([0, 1], 50), np.arange(100), [0.29, 0.57, 0.299, 0.58])
    assert_array_equal(result.n_labelled, [29, 57, 29, 58])


def test_precision_of_everybody_is_the_class_mix():
    stratified = budget([0, 0, 0, 1], [1, 2, 3, 4], 1, sampling="stratified").precision
    assert stratified.confidence_interval() == (0.25, 0.25)
    full = budget([0, 0, 0, 1], [1, 2, 3, 4], 1).precision
    assert_allclose(full.cdf(np.arange(5)[:, None] / 4)[:, 0], binom.cdf(np.arange(5), 4, 0.25))


def test_stratified_rates_are_one_statistic_on_three_scales():
    rng = np.random.default_rng(3)
    labels = np.repeat([1, 0], [12, 30])
    result = budget(labels, rng.normal(size=42) + labels, [0.2, 0.5, 0.8], sampling="stratified")
    for method in METHODS:
        low, high = result.confidence_interval(0.9, method=method)
        q = result.n_labelled
        assert_allclose(result.fpr.confidence_interval(0.9, method=method), [(q - 12 * high) / 30, (q - 12 * low) / 30])
        assert_allclose(result.precision.confidence_interval(0.9, method=method), [12 * low / q, 12 * high / q])


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_default_intervals_never_shrink_to_a_point(sampling):
    for n in (1, 2, 5):
        result = budget(np.repeat([1, 0], n), -np.arange(2 * n), np.arange(1, 2 * n) / (2 * n), sampling=sampling)
        for rate, level in product(rates(result).values(), (0.7, 0.95)):
            low, high = rate.confidence_interval(level)
            assert (low < high).all()


def test_a_perfect_ranking_collapses_the_raw_law_and_warns():
    perfect = budget([1] * 40 + [0] * 40, np.arange(80)[::-1], 0.05)
    with pytest.warns(sk.DegenerateLawWarning, match="'wald' interval has zero width"):
        low, high = perfect.confidence_interval(method="wald")
    assert low == high


@settings(max_examples=15, deadline=None)
@given(samples(), st.sampled_from(SAMPLINGS))
def test_rates_rise_and_negated_scores_and_labels_mirror_them(sample, sampling):
    """The q best seen from the other end are the n - q worst, and random ties know no direction."""
    labels, scores = map(np.array, sample)
    shares = np.arange(len(labels) + 1) / len(labels)
    result = budget(labels, scores, shares, sampling=sampling)
    assert (np.diff(result.mean) >= -1e-12).all()
    mirrored = budget(1 - labels, -scores, shares[::-1], sampling=sampling)
    assert_allclose(result.fpr.mean, 1 - np.asarray(mirrored.mean), atol=1e-11)
    assert_allclose(result.fpr.standard_error, mirrored.standard_error, atol=1e-7)


def default_tail(ranked, q, rate):
    """The probability behind a lower limit, summed over all counts above the threshold; no ties."""
    n_positive, n_negative = sum(ranked), len(ranked) - sum(ranked)
    above = [sum(ranked[:i]) for i, positive in enumerate(ranked) if not positive]  # the i-th negative
    lowest, highest = [0, *above], [*above, n_positive]
    x, y = sum(ranked[:q]), q - sum(ranked[:q])
    fpr = (q - n_positive * rate) / n_negative
    tails = np.zeros(2)
    for i in range(n_positive + 1):
        for j in range(n_negative + 1):
            mirrored = 2 * x - highest[min(max(2 * y - j, 0), n_negative)]
            mirrored = max(mirrored, x) if j > y else mirrored
            chance = binom.pmf(i, n_positive, rate) * binom.pmf(j, n_negative, fpr)
            tails += chance * np.array([i >= lowest[j], i >= mirrored])
    return tails.max()


@pytest.mark.parametrize("ranked", ["1101001", "1110000", "0001111", "110010", "00110"])
def test_default_limits_are_where_sums_over_both_classes_reach_alpha(ranked):
    ranked = [int(label) for label in ranked]
    n = len(ranked)
    for q in range(1, n):
        result = budget(ranked, -np.arange(n), q / n)
        least, most = (float(end[0]) for end in result.law.support)
        low, high = result.confidence_interval(0.9)
        if least < low < result.estimate:
            assert_allclose(default_tail(ranked, q, low), KEPT, rtol=1e-4)
        if most > high > result.estimate:
            assert_allclose(default_tail(ranked[::-1], n - q, 1 - high), KEPT, rtol=1e-4)


@pytest.mark.parametrize("ranked", ["1101001", "1110000", "110010"])
def test_default_limits_of_the_precision_are_binomial_given_how_many_are_above_the_threshold(ranked):
    ranked = np.array([int(label) for label in ranked])
    n = len(ranked)
    found = np.append(0, np.cumsum(ranked))
    for q in range(1, n):
        result = budget(ranked, -np.arange(n), q / n, sampling="full").precision
        low = result.confidence_interval(0.9).low
        if 0 < low < result.estimate:
            k = np.arange(n + 1)
            mirrored = 2 * found[q] - found[np.clip(2 * q - k, 0, n)]
            tails = [binom.pmf(k, n, q / n) @ binom.sf(count - 1, k, low) for count in (found, mirrored)]
            assert_allclose(max(tails), KEPT, rtol=1e-4)


def grades(shares, n):
    """All counts of n cases in three grades, and how probable each is."""
    counts = [(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)]
    return counts, multinomial(n, shares).pmf(counts)


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["stratified", pytest.param("full", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("positive", "negative", "q"),
    [
        ((0.4, 0.5, 0.1), (0.1, 0.3, 0.6), 4),
        ((0.25, 0, 0.75), (0.25, 0.5, 0.25), 5),  # the curve bends upwards exactly at the budget
        ((0.5, 0.5, 0), (0, 0.5, 0.5), 3),
        ((0.05, 0.9, 0.05), (0.9, 0.05, 0.05), 4),
    ],
)
def test_default_intervals_cover_tied_grades(positive, negative, q, sampling):
    """Exact sums over all tables of counts; with full sampling the class sizes vary around 5 and 5."""
    n, covered = 10, 0.0
    reached = np.array([np.zeros(2), *np.cumsum(np.column_stack([positive, negative]), axis=0)])
    tied = np.interp(q, 5 * reached.sum(axis=1), reached[:, 0])
    sizes = [5] if sampling == "stratified" else range(1, 10)
    total = sum(binom.pmf(size, n, 0.5) for size in sizes) if sampling == "full" else 1.0
    for size in sizes:
        share = binom.pmf(size, n, 0.5) / total if sampling == "full" else 1.0
        for of_positive, p in zip(*grades(positive, size), strict=True):
            for of_negative, r in zip(*grades(negative, n - size), strict=True):
                if share * p * r > 2e-4:  # the others are counted as not covered
                    scores = np.repeat([3, 2, 1, 3, 2, 1], [*of_positive, *of_negative])
                    result = budget(np.repeat([1, 0], [size, n - size]), scores, q / n, sampling=sampling)
                    low, high = result.confidence_interval(0.9)
                    covered += share * p * r * (low <= tied + 1e-12 and tied - 1e-12 <= high)
    assert covered >= 0.89


def test_scalars_arrays_frames_and_reprs():
    one, several = (budget(*oracles.columns(TIED)[:2], rate) for rate in (0.5, [0.25, 0.5]))
    assert isinstance(one.n_labelled, float)
    assert repr(several).startswith("BudgetROCResult(tpr_at_positive_rate, 2 points, positive_rate 0.25 to 0.5, ")
    assert repr(one.fpr).startswith("BudgetRateResult(fpr_at_positive_rate, positive_rate=0.5, estimate=")
    assert list(several.precision.to_frame())[:-3] == ["positive_rate", "estimate", "standard_error", "low", "high"]
    assert_array_equal(several.quantile([[0.0], [1.0]]), [[0, 0], [0.5, 1]])
    with pytest.raises(ValueError, match="read-only"):
        several.n_labelled[0] = 0


@pytest.mark.parametrize(
    ("positive_rate", "message"),
    [
        (1.5, r"must be a number in \[0, 1\], got 1.5"),
        (np.nan, r"must be a number in \[0, 1\], got nan"),
        ([], r"must be a number or a non-empty vector of numbers, got shape \(0,\)"),
        ([[0.5]], r"must be a number .* got shape \(1, 1\)"),
    ],
)
def test_options_that_are_refused(positive_rate, message):
    with pytest.raises(ValueError, match=f"positive_rate {message}"):
        budget([0, 1], [0, 1], positive_rate)


@pytest.mark.parametrize(("sampling", "n"), [("stratified", 1_000_000), ("full", 200_000)])
def test_a_million_rows(sampling, n):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, n)
    result = budget(labels, rng.normal(size=n) + labels, [0.01, 0.5], sampling=sampling)
    assert_places(result.mean, result.estimate, result.standard_error, half_widths=0.05)
    low, high = result.confidence_interval(0.95)
    z = (np.array([low, high]) - result.mean) / result.standard_error
    assert_allclose(z, [[-2.28, -2.28], [2.28, 2.28]], atol=0.2)  # the larger of two probabilities counts
    reached = result.cdf(result.quantile([[0.1], [0.9]]))
    assert_cdf(reached, [[0.1, 0.1], [0.9, 0.9]], within=2 * CDF)  # and the mass of one more case
