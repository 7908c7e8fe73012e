"""Interval methods against their formulas, for rates, costs and differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from public import limit
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import beta, binom, binomtest, norm

from skcostci.laws.exact._linear import linear_law, minus, pooled_law, rate_law

ALPHAS = [2.0**-40, 0.005, 0.025, 0.05, 0.2, 0.5]
RATES = [(0, 9), (1, 9), (4, 9), (9, 9), (20, 400)]


def rate(*pairs):
    """The law of a share hit, one point a pair of hits and cases."""
    counts = np.array([(hits, n - hits) for hits, n in pairs])
    return rate_law(counts, np.ones(counts.shape, dtype=bool))


def cost(misses, n_positive, alarms, n_negative, w, sampling="stratified"):
    """The law of a cost at one operating condition."""
    counts = np.array([[n_positive - misses, misses, alarms, n_negative - alarms]])
    values = np.array([[0.0, w, 1 - w, 0.0]])
    return linear_law(counts, values, np.ones((1, 4), dtype=bool), sampling)


def difference(cells, w):
    """The law of a difference in cost: both, a, b, neither of the positives, then of the negatives."""
    costs = np.array([[0.0, w, 1 - w, 0.0]])
    return linear_law(np.array([cells]), minus(costs, costs), np.ones((1, 8), dtype=bool))


@pytest.mark.parametrize(("hits", "n"), RATES)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_rates_limits_are_those_of_its_formulas(hits, n, alpha):
    law, p, z = rate((hits, n)), hits / n, norm.isf(alpha)
    level = 1 - 2 * alpha
    if 0 < level < 1 - 1e-9:
        exact = binomtest(hits, n).proportion_ci(level, "exact")
        score = binomtest(hits, n).proportion_ci(level, "wilson")
        assert_allclose([limit(law, "clopper_pearson", alpha, side)[0] for side in (-1, 1)], exact, atol=1e-12)
        assert_allclose([limit(law, "wilson", alpha, side)[0] for side in (-1, 1)], score, atol=1e-12)
    for side in (-1, 1):
        assert_allclose(
            limit(law, "wald", alpha, side), np.clip(p + side * z * np.sqrt(p * (1 - p) / n), 0, 1), atol=1e-15
        )
        more, pressed = n + 4, (hits + 2) / (n + 4)
        spread = z * np.sqrt(pressed * (1 - pressed) / more)
        assert_allclose(limit(law, "agresti", alpha, side), np.clip(pressed + side * spread, 0, 1), rtol=1e-13)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_rate_on_another_scale_has_its_limits_there(side):
    counts, values = np.array([[4, 5, 2, 2]]), np.array([[7.0, 3.0, 0.0, 0.0]])
    law, alpha = linear_law(counts, values, np.ones((1, 4), dtype=bool)), 0.05
    for method in ("clopper_pearson", "wilson"):
        assert_allclose(limit(law, method, alpha, side), 3 + 4 * limit(rate((4, 9)), method, alpha, side))


@pytest.mark.parametrize("alpha", [1e-9, 0.025, 0.3])
def test_quantiles_are_those_of_the_binomial(alpha):
    raw = [binom(n, hits / n) for hits, n in RATES]
    added = [binom(n + 1, (hits + 0.75) / (n + 1.5)) for hits, n in RATES]  # 1.5 cases a class, as many whole draws
    sizes = np.array([n for _, n in RATES])
    ends = {-1: alpha, 1: 1 - alpha}
    for i, (hits, n) in enumerate(RATES):
        one = rate((hits, n))
        for side, q in ends.items():
            assert_allclose(limit(one, "percentile", alpha, side), raw[i].ppf(q) / sizes[i], atol=1e-14)
            assert_allclose(limit(one, "smoothed", alpha, side), added[i].ppf(q) / (sizes[i] + 1), atol=1e-14)


@pytest.mark.parametrize("side", [-1, 1])
def test_wilsons_limits_of_a_cost_add_in_squares(side):
    w, alpha = 0.3, 0.05
    scores = [binomtest(*pair).proportion_ci(1 - 2 * alpha, "wilson") for pair in ((2, 11), (5, 17))]
    each = zip((w, 1 - w), scores, (2 / 11, 5 / 17), strict=True)
    distances = [weight * abs(ends[side > 0] - p) for weight, ends, p in each]
    center = w * 2 / 11 + (1 - w) * 5 / 17
    law = cost(2, 11, 5, 17, w)
    assert_allclose(limit(law, "wilson", alpha, side), center + side * np.hypot(*distances))


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
    law = pooled_law(np.array([[*counts, 0.0]]), np.array([[*values, top]], dtype=float), smoothing=0.0)
    exact = beta_of(dirichlet_mean(counts, values, top), min(values), top)
    for alpha in (1e-6, 0.025, 0.2, 0.5):
        assert_allclose(limit(law, "unseen_case", alpha, 1), exact.isf(alpha), rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.05, 0.025, 0.005])
def test_the_third_moment_makes_the_tail_that_of_the_dirichlet_mean(alpha):
    """Gaffke's limit but for 2 % of the tail, where a Beta law from the least seen leaves out up to twice as much."""
    cheap, dear, free = 86.0, 4.0, 10.0  # the values are 1, 20 and 0
    law = pooled_law(np.array([[cheap, dear - 1, free]]), np.array([[1.0, 20, 0]]), smoothing=0.0)
    end = limit(law, "unseen_case", alpha, 1).item()

    def beyond(share):
        """Of the rest the share that is cheap suffices with this probability, at this share of the dear one."""
        return beta(dear, cheap + free).pdf(share) * beta(cheap, free).sf((end - 20 * share) / (1 - share))

    assert_allclose(quad(beyond, 0, 1, points=[end / 20], limit=200)[0], alpha, rtol=0.02)


def test_nothing_is_added_to_a_class_at_its_worst():
    law = pooled_law(np.array([[0.0, 4.0]]), np.array([[0.0, 1.0]]), smoothing=0.0)
    assert_array_equal(limit(law, "unseen_case", 0.01, 1), 1.0)
    assert_allclose(limit(law, "unseen_case", 0.01, -1), 0.01 ** (1 / 4))


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("w", [0.2, 0.5])
def test_moments_of_classes_are_added(side, w):
    law, moments, ends = cost(1, 8, 3, 12, w), np.zeros(3), np.zeros(2)
    for weight, errors, n in ((w, 1, 8), (1 - w, 3, 12)):
        signed = sorted([0.0, side * weight])
        counts = (n - errors, errors) if side > 0 else (errors, n - errors)
        moments += dirichlet_mean(counts, signed, signed[1])
        ends += signed
    exact = beta_of(moments, *ends)
    for alpha in (1e-4, 0.025, 0.2):
        assert_allclose(limit(law, "unseen_case", alpha, side), side * exact.isf(alpha), rtol=1e-9)
