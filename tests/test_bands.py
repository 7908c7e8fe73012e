"""Limits that hold at all points at once: the numbers behind them."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from skcostci.intervals._equal_levels import crossing_probability, local_level, solved_level, staying_exponent
from skcostci.intervals._path import path_tail

HALF = 1 - np.sqrt(0.95)
LEVELS = {  # two-sided local levels: an exact recursion in C and, up to n = 100, exact fractions
    (5, 0.05): 0.0122713795640,
    (5, HALF): 0.0059591836051,
    (10, 0.05): 0.0073849858385,
    (10, HALF): 0.0035262043730,
    (50, 0.05): 0.0029577783275,
    (50, HALF): 0.0013718770701,
    (100, 0.05): 0.0021952723395,
    (100, HALF): 0.0010100222096,
    (1000, 0.05): 0.0010711115188,
    (1000, HALF): 0.0004858237041,
}
QQCONF = {(10, 0.05): 0.007384989, (100, 0.05): 0.002195272, (1000, 0.05): 0.001071111}  # its stored table


def staying(low, high):
    """P(low[i] <= U_(i) <= high[i] for all i), by the law of the counts between successive limits, in fractions."""
    n = len(low)
    cuts = sorted({Fraction(0), *low, *high, Fraction(1)})
    probability = {0: Fraction(1)}
    for start, end in pairwise(cuts):
        grown = {}
        for count, p in probability.items():
            for more in range(n - count + 1):
                share = (end - start) / (1 - start)
                q = p * comb(n - count, more) * share**more * (1 - share) ** (n - count - more)
                grown[count + more] = grown.get(count + more, 0) + q
        fewest, most = sum(end >= x for x in high), sum(end > x for x in low)
        probability = {count: p for count, p in grown.items() if fewest <= count <= most}
    return probability.get(n, Fraction(0))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_crossing_probability_is_that_of_exact_fractions(n):
    random = np.random.default_rng(n)
    for _ in range(2):
        low, high = (
            sorted(Fraction(int(k), 997) for k in random.integers(*ends, n)) for ends in ((0, 500), (500, 998))
        )
        exact = staying(low, high)
        left, kept = crossing_probability(np.array(low, float), np.array([1 - h for h in high], float))
        assert kept == pytest.approx(float(exact), rel=1e-12, abs=1e-300)
        assert left == pytest.approx(float(1 - exact), rel=1e-12)


@pytest.mark.parametrize(("case", "level"), LEVELS.items(), ids=str)
def test_local_levels_are_the_published_ones_to_ten_digits(case, level):
    assert solved_level(*case) == pytest.approx(level, rel=1e-10)


@pytest.mark.parametrize(("case", "level"), QQCONF.items(), ids=str)
def test_local_levels_agree_with_those_of_qqconf(case, level):
    assert solved_level(*case) == pytest.approx(level, rel=2e-6)


@pytest.mark.parametrize("n", [1, 2, 7, 60])
@pytest.mark.parametrize("alpha", [1e-12, 1e-9, 1e-4, 0.3, 0.9, 1 - 1e-6, 1 - 1e-9])
def test_asolved_level_level_gives_back_its_probability(n, alpha):
    level = solved_level(n, alpha)
    assert alpha / n * (1 - 1e-9) <= level <= alpha
    assert staying_exponent(n, level) == pytest.approx(-np.log1p(-alpha), rel=1e-8)


def test_two_independent_uniforms_by_hand():
    """Limits a <= U_(1) <= b, 1 - b <= U_(2) <= 1 - a leave two pairs of sides for the two of them."""
    a, b = 0.1, 0.7
    inside = (1 - 2 * a) ** 2 - 2 * (1 - a - b) ** 2
    assert crossing_probability(np.array([a, 1 - b]), np.array([1 - b, a])) == pytest.approx((1 - inside, inside))


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("alpha", [0.2, 0.025, 1e-4, 1e-9])
def test_path_of_two_points_is_just_wide_enough(rho, alpha):
    c = -norm.ppf(path_tail(np.arccos(rho), 2, alpha))
    either = 2 * norm.sf(c) - multivariate_normal.cdf([-c, -c], cov=[[1, rho], [rho, 1]], abseps=1e-15, releps=1e-9)
    assert alpha * 0.7 < either < alpha * (1 + 1e-6)


def test_path_that_stands_still_costs_nothing_and_a_long_one_the_union_bound():
    assert path_tail(0.0, 101, 0.025) == 0.025
    assert path_tail(1e9, 101, 0.025) == 0.025 / 101
    assert path_tail(0.0, 1, 1e-9) == 1e-9


def test_path_tail_falls_with_its_length_and_with_alpha():
    lengths = [path_tail(length, 50, 0.025) for length in np.linspace(0, 200, 100)]
    assert (np.diff(lengths) <= 0).all()
    tails = [path_tail(3.0, 50, alpha) for alpha in np.geomspace(1e-12, 0.4999, 100)]
    assert (np.diff(tails) > 0).all()


@pytest.mark.parametrize("n", [101, 173, 400])
@pytest.mark.parametrize("alpha", [2e-10, 1e-5, HALF, 0.05, 0.4, 0.799])
def test_the_surface_is_a_little_below_the_exact_level(n, alpha):
    assert -5e-5 < local_level(n, alpha) / solved_level(n, alpha) - 1 < 0


@pytest.mark.parametrize(
    ("n", "alpha", "level", "digits"),
    [
        (10_000, 0.05, 0.00067073834, 1e-8),
        (100_000, 0.05, 0.000478179283, 1e-8),
        (100_000, HALF, 0.00021572089, 1e-7),
        (100_000, 0.01, 7.476102e-05, 1e-6),
        (100_000, 0.1, 1.106434e-03, 1e-6),
        (1_000_000, 0.05, 0.000367553078, 1e-8),
    ],
)
def test_the_surface_at_large_sizes(n, alpha, level, digits):
    """Levels from the recursion in C."""
    assert -5e-5 - digits < local_level(n, alpha) / level - 1 < digits


@pytest.mark.slow
def test_the_surface_at_ten_thousand_cases_gives_back_its_probability():
    level = local_level(10_000, 0.05) / (1 - 3e-5)
    assert staying_exponent(10_000, level) == pytest.approx(-np.log(0.95), rel=5e-6)


@pytest.mark.parametrize("n", [1, 30, 101, 5_000, 10**6, 10**8])
def test_a_local_level_rises_with_alpha_and_lies_between_its_bounds(n):
    alphas = np.concatenate([np.geomspace(1e-14, 0.5, 60), 1 - np.geomspace(0.5, 1e-12, 20)])
    levels = np.array([local_level(n, float(alpha)) for alpha in alphas])
    assert (np.diff(levels) >= 0).all()
    assert (levels <= alphas * (1 + 1e-9)).all()
    assert (levels >= np.minimum(alphas, 0.8) / n * (1 - 1e-9)).all()


def test_a_local_level_falls_with_the_number_of_cases():
    sizes = np.unique(np.geomspace(1, 1e9, 200).astype(int)).tolist()
    for alpha in (1e-8, 0.05, 0.5):
        assert (np.diff([local_level(n, alpha) for n in sizes]) < 0).all()
