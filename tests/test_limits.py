"""Interval methods against their formulas, for rates, costs and differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from public import limit
from scipy.optimize import brentq
from scipy.stats import beta, binom, binomtest, norm

from skcostci import Metric, bootstrap_cost, bootstrap_mean, bootstrap_metric, bootstrap_roc_at_threshold

ALPHAS = [2.0**-40, 0.005, 0.025, 0.05, 0.2, 0.5]
RATES = [(0, 9), (1, 9), (4, 9), (9, 9), (20, 400)]


def rate(hits, n):
    """A share hit."""
    return bootstrap_roc_at_threshold([1, 1, 0], [1, 0, 0], thresholds=1, sample_weight=[hits, n - hits, 1]).tpr


def ends(result, method, alpha):
    """The lower and the upper limit that leave this probability outside."""
    return [float(limit(result.law, method, alpha, side)[0]) for side in (-1, 1)]


def cost(misses, n_positive, alarms, n_negative, w):
    """A cost at one operating condition."""
    weights = [n_positive - misses, misses, alarms, n_negative - alarms]
    return bootstrap_cost([1, 1, 0, 0], [1, 0, 1, 0], probability_cost=w, thresholds=1, sample_weight=weights)


@pytest.mark.parametrize(("hits", "n"), RATES)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_rates_limits_are_those_of_its_formulas(hits, n, alpha):
    result, p, z, level = rate(hits, n), hits / n, norm.isf(alpha), 1 - 2 * alpha
    if 0 < level < 1 - 1e-9:
        for method, name in (("clopper_pearson", "exact"), ("wilson", "wilson")):
            assert_allclose(ends(result, method, alpha), binomtest(hits, n).proportion_ci(level, name), atol=1e-12)
    wald = z * np.sqrt(p * (1 - p) / n)
    assert_allclose(ends(result, "wald", alpha), np.clip([p - wald, p + wald], 0, 1), atol=1e-15)
    pressed = (hits + 2) / (n + 4)
    half = z * np.sqrt(pressed * (1 - pressed) / (n + 4))
    assert_allclose(ends(result, "agresti", alpha), np.clip([pressed - half, pressed + half], 0, 1), rtol=1e-13)


def test_a_rate_on_another_scale_has_its_limits_there():
    seven_or_three = Metric((7, 3, 0, 0), (1, 1, 0, 0), of="rates")
    asked = {"sampling": "stratified", "sample_weight": [4, 5, 2, 2]}
    found = bootstrap_metric([1, 1, 0, 0], [1, 0, 1, 0], seven_or_three, **asked)
    for method in ("clopper_pearson", "wilson"):
        assert_allclose(ends(found, method, 0.05), 3 + 4 * np.array(ends(rate(4, 9), method, 0.05)))


@pytest.mark.parametrize("alpha", [1e-9, 0.025, 0.3])
@pytest.mark.parametrize(("hits", "n"), RATES)
def test_quantiles_are_those_of_the_binomial(hits, n, alpha):
    result, q = rate(hits, n), np.array([alpha, 1 - alpha])
    assert_allclose(ends(result, "percentile", alpha), binom(n, hits / n).ppf(q) / n, atol=1e-14)
    added = binom(n + 1, (hits + 0.75) / (n + 1.5))  # 1.5 cases a class, as many whole draws
    assert_allclose(ends(result, "smoothed", alpha), added.ppf(q) / (n + 1), atol=1e-14)


def test_wilsons_limits_of_a_cost_add_in_squares():
    w, alpha = 0.3, 0.05
    scores = [binomtest(*pair).proportion_ci(1 - 2 * alpha, "wilson") for pair in ((2, 11), (5, 17))]
    center = w * 2 / 11 + (1 - w) * 5 / 17
    for place, found in enumerate(ends(cost(2, 11, 5, 17, w), "wilson", alpha)):
        each = zip((w, 1 - w), scores, (2 / 11, 5 / 17), strict=True)
        distance = np.hypot(*(weight * (limits[place] - p) for weight, limits, p in each))
        assert_allclose(found, center + (2 * place - 1) * distance)


def dirichlet_mean(counts, values, top):
    """Mean, variance and third central moment of a mean under Dirichlet weights, one case at the top added."""
    counts, values = np.array([*counts, 1]), np.array([*values, top])
    n = counts.sum()
    mean = counts @ values / n
    squares, cubes = (counts @ (values - mean) ** k for k in (2, 3))
    return np.array([mean, squares / (n * (n + 1)), 2 * cubes / (n * (n + 1) * (n + 2))])


def beta_of(moments, least, top):
    """The Beta law up to the top with these moments, found by search; from the least where that is not enough."""
    mean, variance, third = moments

    def law(start):
        share = (mean - start) / (top - start)
        size = share * (1 - share) * (top - start) ** 2 / variance - 1
        return beta(share * size, (1 - share) * size, loc=start, scale=top - start)

    def excess(start):
        return law(start).stats("s") - third / variance**1.5

    end = mean - (1 + 1e-9) * variance / (top - mean)  # there all is at the ends
    return law(least if excess(least) >= 0 else brentq(excess, least, end, xtol=1e-14))


@pytest.mark.parametrize(
    ("counts", "values", "top"), [((5, 3), (1, 3), 7), ((3, 40, 9), (0, 1, 2), 20), ((9, 1), (5, 0), 6)]
)
def test_one_case_more_at_the_greatest_value(counts, values, top):
    """A dear case not seen, one that is far dearer than many cheap ones, and a law that starts at the least seen."""
    found = bootstrap_mean(values, least=min(values), most=top, sample_weight=counts)
    exact = beta_of(dirichlet_mean(counts, values, top), min(values), top)
    for alpha in (1e-6, 0.025, 0.2, 0.5):
        assert_allclose(ends(found, "unseen_case", alpha)[1], exact.isf(alpha), rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_the_third_moment_makes_the_tail_that_of_the_dirichlet_mean(alpha):
    """Gaffke's limit but for 2 % of the tail, where a Beta law from the least seen leaves out up to twice as much."""
    cheap, dear, free = 86, 4, 10  # the values are 1, 20 and 0
    found = bootstrap_mean([1, 20, 0], least=0, most=20, sample_weight=[cheap, dear - 1, free])
    end = ends(found, "unseen_case", alpha)[1]
    share, step = np.linspace(0, end / 20, 20_001, retstep=True)  # of the dear one; beyond it the cheap do not matter
    suffices = beta(cheap, free).sf((end - 20 * share) / (1 - share))
    beyond = beta(dear, cheap + free)
    assert_allclose((beyond.pdf(share) * suffices).sum() * step + beyond.sf(end / 20), alpha, rtol=0.02)


def test_nothing_is_added_to_a_class_at_its_worst():
    low, high = ends(bootstrap_mean([1] * 4, least=0, most=1), "unseen_case", 0.01)
    assert high == 1
    assert_allclose(low, 0.01 ** (1 / 4))


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("w", [0.2, 0.5])
def test_moments_of_classes_are_added(side, w):
    moments, limits = np.zeros(3), np.zeros(2)
    for weight, errors, n in ((w, 1, 8), (1 - w, 3, 12)):
        signed = sorted([0.0, side * weight])
        counts = (n - errors, errors) if side > 0 else (errors, n - errors)
        moments += dirichlet_mean(counts, signed, signed[1])
        limits += signed
    exact = beta_of(moments, *limits)
    for alpha in (1e-4, 0.025, 0.2):
        found = ends(cost(1, 8, 3, 12, w), "unseen_case", alpha)[side > 0]
        assert_allclose(found, side * exact.isf(alpha), rtol=1e-9)
