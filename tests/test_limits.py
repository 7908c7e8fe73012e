"""Interval methods against their formulas, for rates, costs and differences; and what turns them into p-values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import beta, binom, binomtest, norm

from skcostci import bootstrap_auc
from skcostci.intervals._combined import joint_distance
from skcostci.intervals._methods import METHODS
from skcostci.intervals._quantiles import (
    Normal,
    agresti,
    bca,
    bca_tails,
    bonett_price,
    percentile,
    percentile_tails,
    smoothed,
    smoothed_tails,
    wald,
)
from skcostci.intervals._rates import clopper_pearson, wilson
from skcostci.intervals._roots import level_reached
from skcostci.intervals._unseen_case import BetaLaw, linear_unseen_case, unseen_case_tails, with_unseen_case
from skcostci.laws import linear_law, minus, rate_law

ALPHAS = [1e-12, 0.005, 0.025, 0.05, 0.2, 0.5, 0.8]
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
        assert_allclose([clopper_pearson(law, alpha, side)[0] for side in (-1, 1)], exact, atol=1e-12)
        assert_allclose([wilson(law, alpha, side)[0] for side in (-1, 1)], score, atol=1e-12)
    for side in (-1, 1):
        assert_allclose(wald(law).limit(alpha, side), p + side * z * np.sqrt(p * (1 - p) / n), atol=1e-15)
        more, pressed = n + 4, (hits + 2) / (n + 4)
        spread = z * np.sqrt(pressed * (1 - pressed) / more)
        assert_allclose(agresti(law).limit(alpha, side), pressed + side * spread, rtol=1e-13)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_rate_on_another_scale_has_its_limits_there(side):
    counts, values = np.array([[4, 5, 2, 2]]), np.array([[7.0, 3.0, 0.0, 0.0]])
    law, alpha = linear_law(counts, values, np.ones((1, 4), dtype=bool)), np.asarray(0.05)
    for limit in (clopper_pearson, wilson):
        assert_allclose(limit(law, alpha, side), 3 + 4 * limit(rate((4, 9)), alpha, side))


@pytest.mark.parametrize("alpha", [1e-9, 0.025, 0.3])
def test_quantiles_are_those_of_the_binomial(alpha):
    raw = [binom(n, hits / n) for hits, n in RATES]
    added = [binom(n + 1, (hits + 0.75) / (n + 1.5)) for hits, n in RATES]  # 1.5 cases a class, as many whole draws
    sizes = np.array([n for _, n in RATES])
    ends = {-1: alpha, 1: 1 - alpha}
    for i, (hits, n) in enumerate(RATES):
        one = rate((hits, n))
        for side, q in ends.items():
            assert_allclose(percentile(one, alpha, side), raw[i].ppf(q) / sizes[i], atol=1e-14)
            assert_allclose(smoothed(one, alpha, side), added[i].ppf(q) / (sizes[i] + 1), atol=1e-14)


@pytest.mark.parametrize("x", [0.0, 0.1, 4 / 9, 0.7, 1.0])
def test_tails_of_the_quantile_methods_are_the_laws(x):
    for hits, n in ((1, 9), (4, 9)):
        law = rate((hits, n))
        up_to, from_on = percentile_tails(law, x)
        count = np.floor(x * n + 1e-9)
        assert_allclose(up_to, binom.cdf(count, n, hits / n), rtol=1e-9, atol=1e-300)
        assert_allclose(from_on, binom.sf(np.ceil(x * n - 1e-9) - 1, n, hits / n), rtol=1e-9, atol=1e-300)
        added = smoothed_tails(law, x)
        assert_allclose(added[0], binom.cdf(np.floor(x * (n + 1) + 1e-9), n + 1, (hits + 0.75) / (n + 1.5)), rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.001, 0.025, 0.1, 0.4])
@pytest.mark.parametrize("side", [-1, 1])
def test_bca_is_efrons_formula_and_its_tails_undo_it(alpha, side):
    hits, n = 30, 1000
    law, exact = rate((hits, n)), binom(n, hits / n)
    bias = norm.ppf(exact.cdf(hits - 1) + exact.pmf(hits) / 2)
    acceleration = float(exact.stats("s")) / 6
    z = bias + side * norm.isf(alpha)
    q = norm.cdf(bias + z / (1 - acceleration * z))
    limit = bca(law, np.asarray(alpha), side)
    assert_allclose(limit, exact.ppf(q) / n, atol=1e-14)
    assert bca_tails(law, float(limit[0]))[side > 0][0] >= alpha - 1e-9
    assert bca_tails(law, float(limit[0]) + side / n)[side > 0][0] < alpha


def test_bonett_and_prices_interval_adds_a_case_to_each_that_differs():
    both, only_a, only_b, neither = 5, 7, 2, 6
    n = both + only_a + only_b + neither
    law = rate_law(np.array([[both, only_a, only_b, neither]]), np.ones((1, 4), dtype=bool))
    p, q = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    normal = bonett_price(law)
    assert_allclose(normal.mean, p - q)
    assert_allclose(normal.variance, (p + q - (p - q) ** 2) / (n + 2))


def test_tails_of_a_gaussian():
    normal = Normal(np.array([0.0, 0.3, 0.3]), np.array([0.04, 0.01, 0.0]))
    low, high = normal.tails(0.3)
    assert_allclose(low, [norm.cdf(1.5), 0.5, 1.0])
    assert_allclose(high, [norm.sf(1.5), 0.5, 1.0])
    assert_array_equal(normal.tails(0.31)[0][2], 1.0)
    assert_array_equal(normal.tails(0.31)[1][2], 0.0)
    assert_array_equal(normal.tails(0.29)[0][2], 0.0)


@pytest.mark.parametrize("side", [-1, 1])
def test_wilsons_limits_of_a_cost_add_in_squares(side):
    w, alpha = 0.3, 0.05
    scores = [binomtest(*pair).proportion_ci(1 - 2 * alpha, "wilson") for pair in ((2, 11), (5, 17))]
    each = zip((w, 1 - w), scores, (2 / 11, 5 / 17), strict=True)
    distances = [weight * abs(ends[side > 0] - p) for weight, ends, p in each]
    center = w * 2 / 11 + (1 - w) * 5 / 17
    law = cost(2, 11, 5, 17, w)
    assert_allclose(wilson(law, np.asarray(alpha), side), center + side * np.hypot(*distances))


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
    cells = np.array([[*counts, 0.0]]), np.array([[*values, top]], dtype=float)
    law = with_unseen_case(*cells, np.ones_like(cells[0], dtype=bool))
    exact = beta_of(dirichlet_mean(counts, values, top), min(values), top)
    for alpha in (1e-6, 0.025, 0.2, 0.5):
        assert_allclose(law.above(np.asarray(alpha)), exact.isf(alpha), rtol=1e-9)
    middle = exact.mean()
    assert_allclose(law.tail(np.asarray(middle)), exact.sf(middle), rtol=1e-9)
    assert_array_equal([law.tail(np.asarray(x))[0] for x in (min(values) - 0.5, top + 1.0)], [1.0, 0.0])


@pytest.mark.parametrize("alpha", [0.05, 0.025, 0.005])
def test_the_third_moment_makes_the_tail_that_of_the_dirichlet_mean(alpha):
    """Gaffke's limit but for 2 % of the tail, where a Beta law from the least seen leaves out up to twice as much."""
    cheap, dear, free = 86.0, 4.0, 10.0  # the values are 1, 20 and 0
    law = with_unseen_case(np.array([[cheap, dear - 1, free]]), np.array([[1.0, 20, 0]]), np.ones((1, 3), dtype=bool))
    limit = float(law.above(np.asarray(alpha))[0])

    def beyond(share):
        """Of the rest the share that is cheap suffices with this probability, at this share of the dear one."""
        return beta(dear, cheap + free).pdf(share) * beta(cheap, free).sf((limit - 20 * share) / (1 - share))

    assert_allclose(quad(beyond, 0, 1, points=[limit / 20], limit=200)[0], alpha, rtol=0.02)


def test_nothing_is_added_to_a_class_at_its_worst():
    law = with_unseen_case(np.array([[0.0, 4.0]]), np.array([[0.0, 1.0]]), np.ones((1, 2), dtype=bool))
    assert law.known
    assert_array_equal([law.above(np.asarray(0.01))[0], law.variance[0], law.tail(np.asarray(1.0))[0]], [1.0, 0.0, 1.0])
    assert_array_equal(law.tail(np.asarray(1.01)), [0.0])
    assert isinstance(law, BetaLaw)


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
        assert_allclose(linear_unseen_case(law, np.asarray(alpha), side), side * exact.isf(alpha), rtol=1e-9)


@pytest.mark.parametrize("x", [-0.2, 0.05, 0.6])
def test_tails_of_unseen_case_are_levels_of_its_limits(x):
    pair = rate_law(np.array([[3, 5, 2, 6]]), np.ones((1, 4), dtype=bool))
    for law in (pair, cost(1, 5, 1, 5, 0.3), difference([5, 3, 1, 0, 1, 0, 2, 9], 0.4)):
        for side, tail in zip((-1, 1), unseen_case_tails(law, x), strict=True):
            reached = level_reached(lambda alpha, side=side, law=law: linear_unseen_case(law, alpha, side), x, side)
            assert_allclose(tail, reached, rtol=1e-7)
    assert unseen_case_tails(bootstrap_auc([0, 0, 1], [1, 3, 2]).law, 0.2) is None


@given(st.floats(0, 5), st.floats(0, 5), st.floats(0, 2))
@settings(deadline=None)
def test_distances_add_as_correlated_deviations_do(x, y, decorrelation):
    r = 1 - decorrelation
    found = float(joint_distance(np.asarray(x), np.asarray(y), decorrelation))
    wider = [np.sqrt(max(u * u + v * v - 2 * r * u * v, 0.0)) for u, v in ((max(x, r * y), max(y, r * x)),)]
    assert_allclose(found, wider[0], atol=1e-7)
    assert found <= x + y + 1e-9
    more = float(joint_distance(np.asarray(x + 0.5), np.asarray(y), decorrelation))
    assert more >= found - 1e-12  # a wider part never narrows the whole


@pytest.mark.parametrize("name", ["unseen_case", "agresti", "wald", "smoothed", "percentile", "bca"])
@pytest.mark.parametrize("x", [-0.1, 0.0, 0.15])
def test_the_tails_of_a_method_are_the_levels_that_its_limits_reach(name, x):
    law, record = difference((5, 3, 1, 4, 2, 1, 4, 6), 0.4), METHODS[name]
    known = record.tails(law, x)
    if known is None:
        return
    for side, tail in zip((-1, 1), known, strict=True):
        alpha = float(tail[0])
        if 1e-6 < alpha < 0.999 and name not in {"smoothed", "percentile", "bca"}:
            assert_allclose(record.limit(law, np.asarray(alpha), side), x, atol=1e-9)
        elif 1e-6 < alpha < 0.999:  # of a law of steps: a little less leaves x inside, a little more does not
            inside = record.limit(law, np.asarray(alpha * 0.999), side)
            assert side * (inside - x) >= -1e-12
            outside = record.limit(law, np.asarray(min(alpha * 1.001, 1.0)), side)
            assert side * (outside - x) <= 1e-12
