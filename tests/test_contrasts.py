"""Contrasts of several results: their joint covariance over all resamples, and adjustments against closed testing."""

from fractions import Fraction
from functools import cache, partial
from itertools import chain, combinations, product

import numpy as np
import oracles
import pytest
from budget import assert_limits
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom

import skcostci as sk

CASES = [(1, (2, 1, 3)), (1, (3, 3, 1)), (1, (1, 2, 2)), (0, (1, 2, 2)), (0, (2, 1, 3)), (0, (0, 3, 1))]
Y = [label for label, _ in CASES]
SCORES = {name: [scores[i] for _, scores in CASES] for i, name in enumerate("abc")}
LABELS = {name: [int(score >= 2) for score in scores] for name, scores in SCORES.items()}
W = Fraction(3, 10)


def cost(drawn, model):
    return oracles.normalized_cost(drawn, W, 2, model)


def accuracy(drawn, model):
    right = [(scores[model] >= 2) == bool(label) for label, scores in drawn]
    return Fraction(sum(right), len(right))


@cache
def moments(name):
    """Means and covariances of three models' values over all resamples."""
    _, statistic = COMPARED[name]

    def values(drawn):
        return tuple(statistic(drawn, model) for model in range(3))

    law = oracles.full_law(CASES, values) if name == "accuracy" else oracles.stratified_law(CASES, values)
    values, p = np.array(list(law), dtype=float), np.array(list(law.values()), dtype=float)
    return p @ values, np.cov(values.T, aweights=p, ddof=0)


COMPARED = {
    "cost": (lambda **more: sk.compare_models(Y, SCORES, "cost", probability_cost=0.3, thresholds=2.0, **more), cost),
    "auc": (lambda **more: sk.compare_models(Y, SCORES, "auc", **more), oracles.auc),
    "accuracy": (lambda **more: sk.compare_models(Y, LABELS, "accuracy", **more), accuracy),
}


@pytest.mark.parametrize("name", COMPARED)
def test_models_move_together_as_over_all_resamples(name):
    compare, _ = COMPARED[name]
    found = compare()
    means, covariance = moments(name)
    assert_allclose(found.covariance, covariance, atol=1e-12)
    assert_allclose(found.estimate, means, rtol=1e-12)
    rows = found.differences.contrasts
    assert_allclose(found.differences.estimate, rows @ found.estimate, atol=1e-14)
    assert_allclose(found.differences.standard_error**2, np.diag(rows @ covariance @ rows.T), atol=1e-12)


WEIGHTS = [(1.0, -0.5, -0.5), (0.5, 0.5, -1.0), (2.0, -1.0, -1.0)]


@pytest.mark.parametrize(("name", "weights"), [*zip(COMPARED, WEIGHTS, strict=True)])
def test_a_contrast_is_a_weighted_sum(name, weights):
    compare, _ = COMPARED[name]
    found = compare(contrast=[weights])
    _, covariance = moments(name)
    assert_allclose(found.differences.estimate, [np.array(weights) @ found.estimate], atol=1e-14)
    variance = np.array(weights) @ covariance @ np.array(weights)
    assert_allclose(found.differences.standard_error, [np.sqrt(variance)], rtol=1e-9)
    low, high = found.differences.confidence_interval(0.9)
    assert low[0] <= found.differences.estimate[0] <= high[0]


def test_a_contrast_with_the_opposite_weights_has_the_opposite_limits():
    compare, _ = COMPARED["cost"]
    one, other = (compare(contrast=[np.array([1.0, -0.5, -0.5]) * sign]).differences for sign in (1, -1))
    (low, high), (less, more) = one.confidence_interval(0.9), other.confidence_interval(0.9)
    assert_allclose([low, high], [-more, -less], atol=1e-12)
    assert_allclose(one.pvalue("greater"), other.pvalue("less"), rtol=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_holm_is_closed_testing_with_bonferroni(seed):
    rng = np.random.default_rng(seed)
    y_true = np.arange(80) % 2
    scores = {f"m{i}": rng.normal(size=80) + i * y_true / 3 for i in range(4)}
    p, adjusted = (sk.compare_models(y_true, scores, adjustment=x).differences.pvalue() for x in ("none", "holm"))
    every = range(len(p))
    sets = list(chain.from_iterable(combinations(every, k + 1) for k in every))
    closed = [max(min(1.0, len(s) * p[list(s)].min()) for s in sets if i in s) for i in every]
    assert_allclose(adjusted, closed, rtol=1e-12)


@pytest.mark.parametrize(("adjustment", "level"), [("holm", 1 - 0.1 / 3), ("none", 0.9)])
def test_limits_adjusted_by_hand(adjustment, level):
    found = COMPARED["cost"][0](adjustment=adjustment).differences
    if adjustment == "none":  # of "holm" those are closed testing's
        assert_allclose(found.pvalue(), [part.pvalue() for part in found.parts])
    limits = [part.confidence_interval(level) for part in found.parts]
    assert_allclose(np.transpose(found.confidence_interval(0.9)), limits)


FOUR = dict(zip("abcd", [*SCORES.values(), [3, 1, 2, 2, 1, 2]], strict=True))


def test_all_pairs_and_those_with_a_reference():
    def names(**options):
        return sk.compare_models(Y, FOUR, **options).differences.names

    assert names() == ("a - b", "a - c", "a - d", "b - c", "b - d", "c - d")
    assert names(reference="c") == ("a - c", "b - c", "d - c")
    assert names(contrast=[[0.5, 0.5, -1, 0], [-2, 1, 0, 1]]) == ("0.5 a + 0.5 b - c", "b + d - 2 a")


@pytest.mark.parametrize(
    ("contrast", "error", "message"),
    [
        ([[1, -1]], ValueError, "column for each of the 4"),
        ([[1, 1, 0, 0]], ValueError, "add up to 0"),
        ([[0, 0, 0, 0]], ValueError, "not be all 0"),
        ([[np.nan, 0, 0, 0]], ValueError, r"contrast must contain numbers in \(-inf, inf\), got nan"),
        (np.ma.array([[1, -1, 0, 0]], mask=[[0, 0, 1, 0]]), ValueError, "contrast must not have masked entries"),
    ],
)
def test_matrices_that_compare_nothing_are_refused(contrast, error, message):
    with pytest.raises(error, match=message):
        sk.compare_models(Y, FOUR, contrast=contrast)


@pytest.mark.parametrize(
    ("factor", "adjustment", "rows"),
    [(1e-300, "max_t", [[1.0, -0.5, -0.5], [0, 1, -1]]), (1e300, "holm", [[1, -1, 0]])],
)
def test_a_multiple_of_a_contrast_is_the_same_test(factor, rows, adjustment):
    compare = partial(COMPARED["cost"][0], adjustment=adjustment)
    one, other = (compare(contrast=scale * np.array(rows)).differences for scale in (1.0, factor))
    for alternative in ("two-sided", "less"):
        assert_allclose(other.pvalue(alternative), one.pvalue(alternative), rtol=1e-12)
    assert_allclose(other.pvalue(null=0.1 * factor), one.pvalue(null=0.1), rtol=1e-9)
    assert one.methods == other.methods
    for numbers in ("estimate", "standard_error"):
        assert_allclose(getattr(other, numbers) / factor, getattr(one, numbers), rtol=1e-12)
    assert_allclose(np.divide(other.confidence_interval(), factor), one.confidence_interval(), rtol=1e-12)


def test_what_does_not_vary_is_no_reason_to_adjust_more():
    """A model that is always right has no variance: its differences vary as the others do."""
    labels = {**LABELS, "right": Y, "right too": Y}
    found = sk.compare_models(Y, labels, "accuracy")
    assert_array_equal(np.isfinite(found.differences.pvalue()), True)
    assert found.differences.pvalue()[-1] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        found.estimate[0] = 2.0


def recall(hits, n):
    """Of n positives so many of which are found; its limits are Clopper and Pearson's."""
    return sk.bootstrap_metric([1] * n + [0], [1] * hits + [0] * (n - hits) + [0], "recall")


@pytest.mark.parametrize(
    ("a", "b", "level", "limits"),
    [
        ((1, 8), (7, 8), 0.95, (-0.970027, -0.149711)),
        ((1, 8), (7, 8), 0.99, (-0.987116, 0.000661)),
        ((1, 8), (7, 8), 0.999999, (-0.999875, 0.510584)),
        ((15, 20), (10, 25), 0.95, (0.0164, 0.6165)),
        ((3, 10), (9, 10), 0.95, (-0.8856, -0.0803)),
    ],
)
def test_independent_limits_are_those_of_the_sum_of_two_confidence_distributions(a, b, level, limits):
    """Against the integral of one over the other, by a quadrature of its own."""
    assert_limits(sk.independent_difference(recall(*a), recall(*b)).confidence_interval(level), limits)


def test_independent_pvalues_are_no_smaller_than_the_data_can_give():
    """The largest probability, over rates at the null, of samples at least as far apart as these."""
    n, m = 5, 7
    q = np.linspace(0, 1, 401)
    for x in range(n + 1):
        for y in range(m + 1):
            difference = sk.independent_difference(recall(x, n), recall(y, m))
            for null in (-0.6, 0.0, 0.35):
                p = np.clip(q + null, 0, 1)[(q + null >= 0) & (q + null <= 1)]
                rest = q[(q + null >= 0) & (q + null <= 1)]
                least = (binom.cdf(x, n, p) * binom.sf(y - 1, m, rest)).max()
                assert difference.pvalue("less", null=null) >= min(least, 0.25) * (1 - 1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99, 0.999])
def test_independent_rates_are_covered_at_every_level(level):
    """By complete enumeration of 5 + 7 cases; limits that add in squares stop at .95 however high the level."""
    n, m = 5, 7
    hits = [(x, y) for x in range(n + 1) for y in range(m + 1)]
    limits = [sk.independent_difference(recall(x, n), recall(y, m)).confidence_interval(level) for x, y in hits]
    x, y = np.transpose(hits)
    low, high = np.transpose(limits)
    for p, q in product(np.linspace(0.02, 0.98, 13), repeat=2):
        inside = (low <= p - q) & (p - q <= high)
        covered = (binom.pmf(x, n, p) * binom.pmf(y, m, q))[inside].sum()
        assert covered >= level - (0.01 if level < 0.9 else 0.0)
