"""The limits of the AUC that allow for an unseen case: against the matrix of pairs, binomial limits and exact sums."""

from itertools import product

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose
from scipy.stats import beta, binom, norm, t
from statistics_list import limits

from skcostci import bootstrap_auc, bootstrap_auc_difference

SAMPLINGS = ("stratified", "full")
LEVELS = (1e-300, 1e-17, 1e-9, 0.5, 0.95, 1 - 1e-9, 1 - 1e-15, np.nextafter(1, 0))
UNSEEN = 0.92
DIFFERENCES = ("extrapolated", "unseen_case")
ROBUST = {*DIFFERENCES, "logit_t", "newcombe"}  # these stay wide where the law is degenerate


def uneven():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [60, 14])
    return y, (rng.normal(size=74) + 1.4 * y).round(1), (rng.normal(size=74) + y).round(1)


def sizes_that_say_as_much(m, n, sampling):
    """Of either class the harmonic mean over resamples, no more than there are."""
    if sampling == "stratified":
        return m, n
    every = np.arange(1, m + n)
    share = binom.pmf(every, m + n, m / (m + n))
    share /= share.sum()
    return min(m, 1 / (share @ (1 / every))), min(n, 1 / (share @ (1 / (m + n - every))))


def doubt(kernel, m, n):
    """How little the row means say, from the rows with the unseen one put among them."""
    rows, columns = kernel.mean(axis=1), kernel.mean(axis=0)
    placements, weights = np.append(rows, 0.0), np.append(np.full(len(rows), m / len(rows)), UNSEEN) / (m + UNSEEN)
    left = weights @ placements
    all_or_nothing = weights @ (placements - left) ** 2 / (left * (rows.max() - left))
    brought = weights[-1] * rows.mean() ** 2 / m
    return 1 - (1 - all_or_nothing) * (1 - brought / (brought + rows.var() / m + columns.var() / n))


def limit_of_rows(kernel, q, m, n):
    """The lower limit when the class of the rows has the unseen case; weights have Dirichlet laws."""
    rows, columns = kernel.shape
    own, other = doubt(kernel, m, n), doubt(kernel.T, n, m)
    total = m + UNSEEN * own
    w, v = np.append(np.full(rows, m / rows), UNSEEN * own) / total, np.full(columns, 1 / columns)
    pairs = np.vstack([kernel, np.zeros(columns)])
    mean = w @ pairs @ v
    a, b = w @ (pairs @ v - mean) ** 2 / (total + 1), (w @ pairs - mean) ** 2 @ v / (n + 1)
    df = (a + b) ** 2 / (a**2 * (1 - own) / (m - 1) + b**2 * (1 - other) / (n - 1))
    widened = (a + b) * (t.ppf(q, df) / norm.ppf(q)) ** 2
    greatest = kernel.mean(axis=1).max()
    top = greatest + (1 - greatest) * b / (a + b)
    place = mean / top
    size = place * (1 - place) * top**2 / widened - 1
    return top * beta.ppf(q, place * size, (1 - place) * size)


def lower_limit(kernel, q, m, n):
    return min(limit_of_rows(kernel, q, m, n), limit_of_rows(kernel.T, q, n, m))


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_the_closed_form_is_that_of_the_pairs_with_the_unseen_case(sampling):
    y, a, b = uneven()
    sizes = sizes_that_say_as_much(14, 60, sampling)
    pairs = oracles.wins(y, a)
    expected = lower_limit(pairs, 0.025, *sizes), 1 - lower_limit(1 - pairs, 0.025, *sizes)
    assert_allclose(bootstrap_auc(y, a, sampling=sampling).confidence_interval(), expected, rtol=1e-10)
    pairs = (1 + oracles.wins(y, a) - oracles.wins(y, b)) / 2
    expected = 2 * lower_limit(pairs, 0.025, *sizes) - 1, 1 - 2 * lower_limit(1 - pairs, 0.025, *sizes)
    result = bootstrap_auc_difference(y, a, b, sampling=sampling)
    assert_allclose(result.confidence_interval(method="unseen_case"), expected, rtol=1e-10)


@pytest.mark.parametrize(("m", "n"), [(5, 40), (30, 500)])
def test_positives_all_or_nothing_give_a_binomial_limit(m, n):
    """Positives above all negatives or below them: Clopper and Pearson's limits but for .08 of a case."""
    for right in range(m + 1):
        score = np.concatenate([np.repeat([2, 0], [right, m - right]), np.ones(n)])
        low, high = bootstrap_auc(np.repeat([1, 0], [m, n]), score).confidence_interval(0.9)
        assert_allclose(low, beta.ppf(0.05, right, m - right + UNSEEN) if right else 0, rtol=1e-9)
        assert_allclose(high, beta.ppf(0.95, right + UNSEEN, m - right) if right < m else 1, rtol=1e-9)


COVERED = (0.9, 0.89), (0.95, 0.94), (0.99, 0.98)


def ends(results, level, **method):
    """Lower and upper limits, one row a result."""
    return np.array([result.confidence_interval(level, **method) for result in results]).T[..., None]


@pytest.mark.parametrize("n_positive", [5, 9, 25, 60])
def test_the_default_covers_positives_all_or_nothing(n_positive):
    """Exact sums over how many positives are above all negatives, by how probable that is."""
    right, rates = np.arange(n_positive + 1), np.linspace(0.005, 0.995, 199)
    results = [bootstrap_auc([1, 1, 0], [0, 2, 1], sample_weight=[n_positive - k, k, 50]) for k in right]
    share = binom.pmf(right[:, None], n_positive, rates)
    for level, least in COVERED:
        low, high = ends(results, level)
        missed_low, missed_high = ((share * missed).sum(axis=0) for missed in (low > rates, high < rates))
        assert np.min(1 - missed_low - missed_high) >= least
        assert max(missed_low.max(), missed_high.max()) <= 1.3 * (1 - level) / 2 + 0.001


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(5, 5), (10, 10), (8, 30), (25, 25)])
def test_the_default_covers_where_scores_take_two_values(m, n):
    """Exact sums; among them are classes all at one value and most cases tied."""
    a, b = (each.ravel() for each in np.mgrid[: m + 1, : n + 1])
    weights = np.column_stack([m - a, a, n - b, b]).tolist()
    results = [bootstrap_auc([1, 1, 0, 0], [0, 1, 0, 1], sample_weight=each) for each in weights]
    rates = np.concatenate([[0.0, 0.02, 0.05], np.linspace(0.1, 0.9, 9), [0.95, 0.98, 1.0]])
    p, q = (each.ravel() for each in np.meshgrid(rates, rates))
    share, area = binom.pmf(a[:, None], m, p) * binom.pmf(b[:, None], n, q), (1 + p - q) / 2
    for level, least in COVERED:
        low, high = ends(results, level)
        assert (share * ((low <= area + 1e-12) & (area - 1e-12 <= high))).sum(axis=0).min() >= least


@pytest.mark.parametrize("n", [8, 20, 50])
def test_the_difference_covers_where_one_model_loses_a_few_positives(n):
    """Model a ranks perfectly, b puts some positives below everything; exact sums over how many."""
    lost, rates, pair = np.arange(n + 1), np.linspace(0.005, 0.5, 100), ([1, 1, 0], [2, 2, 1], [0, 2, 1])
    results = [bootstrap_auc_difference(*pair, sample_weight=[k, n - k, 40]) for k in lost]
    share = binom.pmf(lost[:, None], n, rates)
    for (level, least), method in product(COVERED, DIFFERENCES):
        low, high = ends(results, level, method=method)
        assert (share * ((low <= rates) & (rates <= high))).sum(axis=0).min() >= least


ALL_ALIKE = [
    ([0, 0, 0, 1, 1], [1, 2, 3, 4, 5]),
    ([0, 0, 0, 1, 1], [5, 4, 3, 2, 1]),
    ([0, 0, 0, 1, 1], [1, 1, 1, 1, 1]),
    ([0, 1], [0, 1]),
    ([0, 1], [1, 1]),
    ([0, 0, 0, 1], [1, 2, 3, 2.5]),
]


def every_result(y, score, sampling):
    yield bootstrap_auc(y, score, sampling=sampling)
    for other in (score, np.roll(score, 1), -np.asarray(score)):
        yield bootstrap_auc_difference(y, score, other, sampling=sampling)


@pytest.mark.parametrize(("y", "score", "sampling"), [(*each, SAMPLINGS[i % 2]) for i, each in enumerate(ALL_ALIKE)])
def test_every_method_gives_numbers_in_order_at_every_level_and_robust_ones_stay_wide(y, score, sampling):
    for result in every_result(y, score, sampling):
        for method in result.methods:
            low, high = np.transpose([limits(result, level, method=method) for level in LEVELS])
            assert (np.diff([-low, high]) >= 0).all()
            assert np.isfinite([low, high]).all()
            assert ((low <= result.estimate + 1e-15) & (high >= result.estimate - 1e-15)).all()
            if method in ROBUST:
                assert np.ptp(result.confidence_interval(method=method)) > 0.1  # and nothing warns
                if hasattr(result, "correlation"):
                    assert np.isfinite(result.correlation)
                    assert all(0 < result.pvalue(each, method=method) <= 1 for each in ("two-sided", "less", "greater"))
